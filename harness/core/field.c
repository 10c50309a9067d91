/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/field.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

void ls_fields_add(ls_fields *fields, const ls_field *line) {
    const bool inside = fields->scope != NULL;
    if (line->count == 0 && line->bits != 0) return; /* a record gets its bits from its members */
    if (inside && line->kind != LS_STATE && line->kind != LS_MEMORY) return;
    fields->list = ls_resize(fields->list, (fields->count + 1) * sizeof *fields->list);
    ls_field *f = &fields->list[fields->count++];
    *f = *line;
    const char *unit = line->unit != NULL ? line->unit : "a unit";
    if (f->bits > LS_ELEMENT_BITS)
        ls_die("field list of %s: an element of %s has %u bits: up to %u can be compared, so make it several", unit, line->name,
               f->bits, LS_ELEMENT_BITS);
    if (f->size == 8 && f->bits > 64) f->size = (f->bits + 63) / 64 * 8;
    if (f->room != 0 && (uint64_t)f->size * f->count > f->room)
        ls_die("field list of %s: %s has %u elements of %u bytes, %llu in all, and the model's member has %zu", unit, line->name,
               f->count, f->size, (unsigned long long)f->size * f->count, f->room);
    f->offset += fields->base;
    f->name = inside ? ls_format("%s.%s", fields->scope, line->name) : ls_format("%s", line->name);
    f->path = inside ? ls_format("%s.%s", fields->path, line->name) : ls_format("%s", line->name);
    f->suffix = fields->suffix[0];
    const char *suffix = f->kind == LS_IN ? fields->suffix[0] : f->kind == LS_OUT ? fields->suffix[1] : NULL;
    if (line->rtl != NULL) f->rtl = inside ? ls_format("%s.%s", fields->scope, line->rtl) : ls_copy(line->rtl);
    else if (suffix != NULL) f->rtl = ls_format("%s%s", line->name, suffix);
    const char *own = f->rtl != NULL ? f->rtl : f->name;
    for (size_t i = 0; f->kind == LS_STATE && !inside && i + 1 < fields->count && !f->of_port; i++) {
        const ls_field *o = &fields->list[i];
        const size_t n = strlen(o->name);
        f->of_port = o->kind == LS_OUT &&
                     (o->rtl != NULL ? strcmp(o->rtl, own) == 0 : strncmp(o->name, own, n) == 0 && strcmp(own + n, "_o") == 0);
    }
}

void ls_fields_suffixes(ls_fields *fields, const char *in, const char *out) {
    fields->suffix[0] = in;
    fields->suffix[1] = out;
}

void ls_fields_member(ls_fields *fields, ls_kind kind, const ls_member *line) {
    if (fields->scope != NULL && kind != LS_STATE) return;
    ls_field *f = &fields->list[fields->count - 1];
    f->members = ls_resize(f->members, (f->member_count + 1) * sizeof *f->members);
    ls_member *m = &f->members[f->member_count++];
    *m = *line;
    m->name = ls_format("%s.%s", f->name, line->name);
    for (uint32_t i = 0; i + 1 < f->member_count; i++) f->members[i].low += m->bits * m->count;
    f->bits += m->bits * m->count;
    if (f->bits > LS_ELEMENT_BITS || m->bits > 64)
        ls_die("field list of %s: a record of %s has %u bits, %s has %u: up to %u and 64 can be compared", f->unit, f->name,
               f->bits, m->name, m->bits, LS_ELEMENT_BITS);
    if (m->room != 0 && (uint64_t)m->size * m->count > m->room)
        ls_die("field list of %s: %s has %u elements of %u bytes, and the model's member has %zu bytes", f->unit, m->name,
               m->count, m->size, m->room);
    if (m->bits > m->size * 8)
        ls_die("field list of %s: %s has %u bits, the model's member has %u", f->unit, m->name, m->bits, m->size * 8);
}

ls_part ls_part_of(const ls_field *field, uint32_t number) {
    if (field->member_count == 0) return (ls_part){*field, 0, field->count};
    const uint32_t record = number / field->member_count;
    const ls_member *m = &field->members[number % field->member_count];
    return (ls_part){.field = {.name = m->name,
                               .text = m->text,
                               .kind = field->kind,
                               .bits = m->bits,
                               .count = m->count,
                               .offset = field->offset + (size_t)record * field->size + m->offset,
                               .size = m->size,
                               .room = m->room,
                               .unit = field->unit,
                               .constant = m->constant,
                               .rare = m->rare},
                     .first = record * m->count,
                     .all = field->count * m->count};
}

const char *ls_part_element(const ls_part *part, uint32_t index, char *text, size_t size) {
    if (part->all > 1) (void)snprintf(text, size, "%s[%u]", part->field.name, part->first + index);
    else (void)snprintf(text, size, "%s", part->field.name);
    return text;
}

/* A record's member of that name. */
static bool mark_member(ls_field *f, size_t skip, const char *name, const char *reason, bool rare) {
    for (uint32_t i = 0; i < f->member_count; i++) {
        ls_member *m = &f->members[i];
        if (strlen(m->name) <= skip || strcmp(m->name + skip, name) != 0) continue;
        m->constant = reason;
        m->rare = rare;
        return true;
    }
    return false;
}

static void mark(ls_fields *fields, ls_kind kind, const char *name, bool when, const char *reason, bool rare) {
    if (!when || (fields->scope != NULL && kind != LS_STATE)) return;
    const size_t skip = fields->scope != NULL ? strlen(fields->scope) + 1 : 0;
    for (size_t i = fields->count; i-- > 0;) {
        ls_field *f = &fields->list[i];
        const bool same_kind = f->kind == kind || (kind == LS_STATE && f->kind == LS_MEMORY);
        if (same_kind && mark_member(f, skip, name, reason, rare)) return;
        if (same_kind && strlen(f->name) > skip && strcmp(f->name + skip, name) == 0) {
            f->constant = reason;
            f->rare = rare;
            return;
        }
    }
    ls_die("field list: %s names \"%s\", which is not listed above it", rare ? "RARE" : "CONSTANT", name);
}

void ls_fields_constant(ls_fields *fields, ls_kind kind, const char *name, bool when, const char *reason) {
    mark(fields, kind, name, when, reason, false);
}

void ls_fields_rare(ls_fields *fields, ls_kind kind, const char *name, bool when, const char *reason) {
    mark(fields, kind, name, when, reason, true);
}

void ls_fields_unit(ls_fields *fields, void (*list)(ls_fields *, const void *), const void *sub_model, size_t offset,
                    const char *scope, const char *member) {
    const ls_fields outer = *fields;
    char *path = outer.scope != NULL ? ls_format("%s.%s", outer.scope, scope) : ls_format("%s", scope);
    char *in_c = outer.path != NULL ? ls_format("%s.%s", outer.path, member) : ls_format("%s", member);
    const size_t length = strlen(path);
    for (size_t i = 0; i < fields->count; i++)
        if (strncmp(fields->list[i].name, path, length) == 0 && fields->list[i].name[length] == '.')
            ls_die("field list: two instances are called %s", path);
    fields->scope = path;
    fields->path = in_c;
    fields->base = outer.base + offset;
    ls_fields_suffixes(fields, NULL, NULL);
    list(fields, sub_model);
    fields->scope = outer.scope;
    fields->path = outer.path;
    fields->base = outer.base;
    ls_fields_suffixes(fields, outer.suffix[0], outer.suffix[1]);
    free(path);
    free(in_c);
}

void ls_fields_spare(ls_fields *fields, size_t offset, size_t listed, size_t room) {
    if (listed == 0 || listed == room) return;
    fields->spare = ls_grow(fields->spare, fields->spare_count, sizeof *fields->spare);
    fields->spare[fields->spare_count++] = (ls_bytes){fields->base + offset + listed, room - listed};
}

void ls_fields_state_bytes(const ls_fields *fields, uint8_t *bytes, uint8_t value) {
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        for (uint32_t p = 0; ls_is_state(f) && p < ls_part_count(f); p++) {
            const ls_part part = ls_part_of(f, p);
            memset(bytes + part.field.offset, value, (size_t)part.field.size * part.field.count);
        }
    }
}

static void set_rest(uint8_t *bytes, const ls_field *f, uint8_t value) {
    const size_t listed = (size_t)f->size * f->count;
    if (f->room > listed) memset(bytes + f->offset + listed, value, f->room - listed);
}

void ls_fields_spare_bytes(const ls_fields *fields, uint8_t *bytes, uint8_t value) {
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        if (!ls_is_state(f)) continue;
        set_rest(bytes, f, value);
        for (uint32_t p = 0; f->member_count != 0 && p < ls_part_count(f); p++) {
            const ls_part part = ls_part_of(f, p);
            set_rest(bytes, &part.field, value);
        }
    }
    for (size_t i = 0; i < fields->spare_count; i++) memset(bytes + fields->spare[i].offset, value, fields->spare[i].size);
}

void ls_fields_free(ls_fields *fields) {
    for (size_t i = 0; i < fields->count; i++) {
        for (uint32_t k = 0; k < fields->list[i].member_count; k++) free(fields->list[i].members[k].name);
        free(fields->list[i].members);
        free(fields->list[i].name);
        free(fields->list[i].rtl);
        free(fields->list[i].path);
    }
    free(fields->list);
    free(fields->spare);
    *fields = (ls_fields){0};
}

void ls_fields_mask(ls_fields *fields, const ls_masks *masks) {
    if (masks == NULL) return;
    fields->gates = masks->gates;
    for (size_t i = 0; i < fields->count; i++) {
        ls_field *f = &fields->list[i];
        for (size_t k = 0; k < masks->count; k++) {
            if ((f->kind != LS_STATE && f->kind != LS_MEMORY) || strcmp(masks->list[k].field, f->name) != 0) continue;
            f->seen = masks->list[k].seen;
            f->absent = f->seen == NULL;
        }
    }
}

void ls_masks_free(ls_masks *masks) {
    for (size_t i = 0; i < masks->count; i++) {
        free(masks->list[i].field);
        free(masks->list[i].seen);
    }
    free(masks->list);
    *masks = (ls_masks){0};
}
