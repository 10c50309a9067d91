/* SPDX-License-Identifier: Apache-2.0 */
/* Packed structs as records: their members, those of structs in them with both names. */
#include <stdlib.h>
#include <string.h>

#include "harness/project/new_module.h"

#define PART_BITS 64u /* an element of a member is one number of C */

/* Of a union all members lie at the low end, so that they are more than its bits. */
static bool is_struct(const ls_elab_layout *l) {
    uint32_t all = 0;
    for (uint32_t i = 0; l != NULL && i < l->member_count; i++) all += l->members[i].layout->bits;
    return l != NULL && l->member_count > 0 && all == l->bits;
}

static bool add_part(const char *name, uint32_t bits, uint32_t count, ls_new_members *to) {
    if (bits == 0 || bits > PART_BITS) return false;
    char *own = ls_copy(name);
    bool taken = ls_new_is_keyword(own);
    for (size_t i = 0; i < to->count; i++) taken |= strcmp(to->list[i].name, own) == 0;
    if (taken) {
        char *longer = ls_format("%s_", own);
        free(own);
        own = longer;
    }
    to->list = ls_grow(to->list, to->count, sizeof *to->list);
    to->list[to->count++] = (ls_new_member){.name = own, .bits = {.standard = bits}, .count = {.standard = count}};
    return true;
}

static bool add_parts(const ls_elab_layout *l, const char *prefix, ls_new_members *to) {
    bool good = true;
    for (uint32_t i = 0; i < l->member_count && good; i++) {
        const ls_elab_layout *m = l->members[i].layout;
        char *name = ls_format("%s%s", prefix, l->members[i].name), *inner = ls_format("%s_", name);
        const bool array = m->indexed && m->inner != NULL && m->inner->bits > 0 && m->left >= m->right;
        if (is_struct(m)) good = add_parts(m, inner, to);
        else if (array && m->inner->bits <= PART_BITS) good = add_part(name, m->inner->bits, m->bits / m->inner->bits, to);
        else good = add_part(name, m->bits, 1, to);
        free(name);
        free(inner);
    }
    return good;
}

void ls_new_members_free(ls_new_members *parts) {
    for (size_t i = 0; i < parts->count; i++) {
        free(parts->list[i].name);
        free(parts->list[i].bits.terms);
        free(parts->list[i].count.terms);
    }
    free(parts->list);
    free(parts->records.terms);
    *parts = (ls_new_members){0};
}

void ls_new_members_find(const ls_elab_signal *e, ls_new_members *parts) {
    *parts = (ls_new_members){.records = {.standard = e->count}};
    const ls_elab_layout *l = e->layout;
    while (l != NULL && l->unpacked) l = l->inner;
    if (l != NULL && l->indexed && is_struct(l->inner)) { /* element 0 is the lowest */
        parts->records.standard = l->bits / l->inner->bits;
        l = e->array || l->left < l->right ? NULL : l->inner;
    }
    if (!is_struct(l) || l->bits > LS_ELEMENT_BITS || (e->array && e->kind != LS_ELAB_REG)) return;
    parts->type = l->number;
    if (!add_parts(l, "", parts)) ls_new_members_free(parts);
}
