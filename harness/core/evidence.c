/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

static size_t side_offset(const ls_unit *unit, const ls_field *f) {
    return f->kind == LS_IN ? 0 : f->kind == LS_OUT ? unit->in_size : unit->in_size + unit->out_size;
}

static uint32_t members_of(const ls_field *f) { return f->member_count > 0 ? f->member_count : 1; }

void ls_evidence_start(ls_evidence *e, const ls_pair *pair) {
    const ls_unit *u = pair->unit;
    e->first = ls_zeroed(u->in_size + u->out_size + u->model_size);
    memcpy(e->first, pair->in, u->in_size);
    memcpy(e->first + u->in_size, pair->out, u->out_size);
    memcpy(e->first + u->in_size + u->out_size, pair->model, u->model_size);
    for (size_t i = 0; i < pair->binding.count; i++) {
        const ls_field *f = pair->binding.list[i].field;
        for (uint32_t k = 0; k < members_of(f); k++) {
            e->pending = ls_grow(e->pending, e->count, sizeof *e->pending);
            e->pending[e->count++] = (ls_pending){f, k};
            e->open += ls_part_of(f, k).field.constant == NULL;
        }
    }
}

static bool has_changed(const ls_evidence *e, const ls_pair *pair, const ls_pending *p) {
    const uint8_t *now = ls_pair_side(pair, p->field), *first = e->first + side_offset(pair->unit, p->field);
    for (uint32_t i = p->member; i < ls_part_count(p->field); i += members_of(p->field)) {
        const ls_part part = ls_part_of(p->field, i);
        if (memcmp(now + part.field.offset, first + part.field.offset, (size_t)part.field.size * part.field.count) != 0)
            return true;
    }
    return false;
}

void ls_evidence_sample(ls_evidence *e, const ls_pair *pair) {
    size_t kept = 0;
    e->open = 0;
    for (size_t i = 0; i < e->count; i++) {
        if (has_changed(e, pair, &e->pending[i])) continue;
        e->open += ls_part_of(e->pending[i].field, e->pending[i].member).field.constant == NULL;
        e->pending[kept++] = e->pending[i];
    }
    e->count = kept;
}

static bool is_pending(const ls_evidence *e, const ls_field *f, uint32_t member) {
    for (size_t k = 0; k < e->count; k++)
        if (e->pending[k].field == f && e->pending[k].member == member) return true;
    return false;
}

void ls_evidence_end(ls_evidence *e, const ls_pair *pair, ls_result *r) {
    for (size_t i = 0; i < pair->binding.count; i++) {
        const ls_field *f = pair->binding.list[i].field;
        bool changed = false;
        for (uint32_t k = 0; k < members_of(f); k++) {
            const ls_field part = ls_part_of(f, k).field;
            if (is_pending(e, f, k)) continue;
            changed = true;
            if (part.constant == NULL || part.rare || r->constant_changed[0] != '\0') continue;
            char *wrong = ls_format("%s changed, and its field list calls it constant: %s", part.name, part.constant);
            ls_cut(r->constant_changed, sizeof r->constant_changed, wrong);
            free(wrong);
        }
        if (changed && f->kind == LS_OUT) r->outputs_changed++;
        if (changed && ls_is_state(f)) r->registers_changed++;
    }
    for (size_t i = 0; i < e->count; i++) {
        const ls_field part = ls_part_of(e->pending[i].field, e->pending[i].member).field;
        if (part.constant != NULL) continue;
        const size_t used = strlen(r->unchanged_names);
        if (used + strlen(part.name) + 3 < sizeof r->unchanged_names)
            (void)snprintf(r->unchanged_names + used, sizeof r->unchanged_names - used, "%s%s", used > 0 ? ", " : "", part.name);
        r->unchanged++;
    }
    free(e->first);
    free(e->pending);
}
