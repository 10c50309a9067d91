/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/slices.h"

#include <stdlib.h>

#include "harness/base/text.h"

static void add_slice(ls_slices *s, ls_slice slice) {
    s->list = ls_grow(s->list, s->count, sizeof *s->list);
    s->list[s->count++] = slice;
}

void ls_slices_make(ls_slices *s, const ls_unit *unit, const void *model) {
    *s = (ls_slices){0};
    ls_unit_fields(unit, &s->fields, model);
    s->first = ls_alloc(s->fields.count + 1, sizeof *s->first);
    for (uint32_t i = 0; i < s->fields.count; i++) {
        const ls_field *f = &s->fields.list[i];
        if (f->kind != LS_OUT) {
            s->first[i] = s->leaves + 1;
            s->leaves += f->bits * f->count;
        }
        for (uint32_t p = 0; p < ls_part_count(f); p++) {
            const ls_part part = ls_part_of(f, p);
            for (uint32_t e = 0; e < part.field.count; e++) {
                ls_slice slice = {.field = i, .element = e, .bits = part.field.bits};
                slice.offset = part.field.offset + (size_t)e * part.field.size;
                slice.size = part.field.size;
                if (f->member_count > 0) {
                    slice.element = p / f->member_count;
                    slice.low = f->members[p % f->member_count].low + e * part.field.bits;
                }
                add_slice(s, slice);
            }
        }
    }
}

void ls_slices_free(ls_slices *s) {
    ls_fields_free(&s->fields);
    free(s->list);
    free(s->first);
    *s = (ls_slices){0};
}

char *ls_slice_name(const ls_slices *s, const ls_slice *at) {
    const ls_field *f = &s->fields.list[at->field];
    for (uint32_t i = 0; i < f->member_count; i++) {
        const ls_member *m = &f->members[i];
        if (at->low < m->low || at->low >= m->low + m->bits * m->count) continue;
        const uint32_t index = at->element * m->count + (at->low - m->low) / m->bits;
        return f->count * m->count > 1 ? ls_format("%s[%u]", m->name, index) : ls_copy(m->name);
    }
    return f->count > 1 ? ls_format("%s[%u]", f->name, at->element) : ls_copy(f->name);
}
