/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/step_check.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

#define BLOCK 4096u

/* All but blocks that are nobody's, of which the first copy is enough. */
static void find_runs(ls_step_check *s, const ls_pair *pair) {
    const size_t size = pair->unit->model_size;
    uint8_t *spare = ls_zeroed(size);
    ls_fields_spare_bytes(&pair->fields, spare, 1);
    for (size_t at = 0; at < size; at += BLOCK) {
        const size_t n = size - at < BLOCK ? size - at : BLOCK;
        ls_bytes *last = s->run_count > 0 ? &s->runs[s->run_count - 1] : NULL;
        if (memchr(spare + at, 0, n) == NULL) continue;
        if (last != NULL && last->offset + last->size == at) {
            last->size += n;
            continue;
        }
        s->runs = ls_grow(s->runs, s->run_count, sizeof *s->runs);
        s->runs[s->run_count++] = (ls_bytes){at, n};
    }
    free(spare);
}

void ls_step_check_before(ls_step_check *s, const ls_pair *pair) {
    if (s->model == NULL) {
        s->model = ls_zeroed(pair->unit->model_size);
        s->out = ls_zeroed(pair->unit->out_size);
        memcpy(s->model, pair->model, pair->unit->model_size);
        find_runs(s, pair);
    }
    for (size_t i = 0; i < s->run_count; i++)
        memcpy((uint8_t *)s->model + s->runs[i].offset, (const uint8_t *)pair->model + s->runs[i].offset, s->runs[i].size);
    memcpy(s->out, pair->out, pair->unit->out_size);
}

/* Through the list, for padding and spare entries are nobody's. */
static bool same(const ls_field *f, const void *a, const void *b) {
    for (uint32_t i = 0; i < ls_part_count(f); i++) {
        const ls_field part = ls_part_of(f, i).field;
        if (memcmp((const uint8_t *)a + part.offset, (const uint8_t *)b + part.offset, (size_t)part.count * part.size) != 0)
            return false;
    }
    return true;
}

const ls_field *ls_step_check_after(ls_step_check *s, const ls_pair *pair) {
    pair->unit->step(s->model, pair->in, s->out);
    for (size_t i = 0; i < pair->fields.count; i++) {
        const ls_field *f = &pair->fields.list[i];
        if (f->kind != LS_IN && !same(f, ls_pair_side(pair, f), f->kind == LS_OUT ? s->out : s->model)) return f;
    }
    return NULL;
}

void ls_step_check_free(ls_step_check *s) {
    free(s->model);
    free(s->out);
    free(s->runs);
}
