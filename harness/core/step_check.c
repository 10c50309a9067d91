/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/step_check.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

void ls_step_check_before(ls_step_check *s, const ls_pair *pair) {
    if (s->model == NULL) {
        s->model = ls_zeroed(pair->unit->model_size);
        s->out = ls_zeroed(pair->unit->out_size);
    }
    memcpy(s->model, pair->model, pair->unit->model_size);
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
}
