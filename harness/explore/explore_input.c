/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/explore/explore_input.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/nearest.h"
#include "harness/core/plan.h"

/* One element of an input port. */
typedef struct slot {
    ls_part part;
    uint32_t index;
    bool fixed;
    uint64_t value;
} slot;

typedef struct slots {
    slot *list;
    size_t count;
} slots;

static void list_slots(const ls_fields *fields, slots *to) {
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        for (uint32_t p = 0; f->kind == LS_IN && p < ls_part_count(f); p++) {
            const ls_part part = ls_part_of(f, p);
            for (uint32_t e = 0; e < part.field.count; e++) {
                to->list = ls_grow(to->list, to->count, sizeof *to->list);
                to->list[to->count++] = (slot){.part = part, .index = e};
            }
        }
    }
}

/* Gives the elements of that name the value; the whole port when no index is said. */
static int fix(slots *all, const char *text, char **error) {
    const char *equals = strchr(text, '=');
    char *end = NULL, element[256];
    const uint64_t value = equals != NULL ? strtoull(equals + 1, &end, 0) : 0;
    size_t found = 0;
    if (equals == NULL || end == equals + 1 || *end != '\0') {
        *error = ls_format("--fix %s: expected NAME=VALUE, a number", text);
        return -1;
    }
    const size_t length = (size_t)(equals - text);
    for (size_t i = 0; i < all->count; i++) {
        slot *s = &all->list[i];
        const char *name = s->part.field.name, *whole = ls_part_element(&s->part, s->index, element, sizeof element);
        if ((strncmp(name, text, length) != 0 || name[length] != '\0') &&
            (strncmp(whole, text, length) != 0 || whole[length] != '\0'))
            continue;
        found++;
        s->fixed = true;
        s->value = value;
        if (s->part.field.bits < 64 && value >> s->part.field.bits != 0) {
            *error = ls_format("--fix %s: %s has %u bit%s: expected 0 to %llu", text, whole, s->part.field.bits,
                               ls_plural(s->part.field.bits), (unsigned long long)ls_mask(s->part.field.bits));
            return -1;
        }
    }
    if (found > 0) return 0;
    ls_text known = {0};
    char *word = ls_format("%.*s", (int)length, text);
    ls_nearest near = {.word = word};
    for (size_t i = 0; i < all->count; i++) {
        if (all->list[i].index != 0 || all->list[i].part.first != 0) continue;
        ls_text_add(&known, " %s", all->list[i].part.field.name);
        ls_nearest_try(&near, all->list[i].part.field.name);
    }
    if (near.name != NULL) *error = ls_format("--fix %s: no input of that name: did you mean %s%s?", text, near.name, equals);
    else *error = ls_format("--fix %s: no input of that name; the inputs are%s", text, known.data != NULL ? known.data : " none");
    free(known.data);
    free(word);
    return -1;
}

/* The bits from `low` on of input `number`. */
static void store(const slot *s, uint64_t number, uint32_t low, void *in) {
    uint32_t words[LS_ELEMENT_BITS / 32] = {0};
    const uint64_t value = s->fixed ? s->value : number >> low & ls_mask(s->part.field.bits);
    words[0] = (uint32_t)value;
    words[1] = (uint32_t)(value >> 32);
    ls_model_store(&s->part.field, in, s->index, words);
}

/* "width 8, data 64": what is wide, for who must fix some. */
static char *widths(const slots *all) {
    ls_text text = {0};
    for (size_t i = 0; i < all->count;) {
        const char *name = all->list[i].part.field.name;
        uint64_t bits = 0;
        for (; i < all->count && all->list[i].part.field.name == name; i++)
            if (!all->list[i].fixed) bits += all->list[i].part.field.bits;
        if (bits > 0) ls_text_add(&text, "%s%s %llu", text.size > 0 ? ", " : "", name, (unsigned long long)bits);
    }
    return ls_text_take(&text);
}

int ls_explore_inputs_make(ls_explore_inputs *inputs, const ls_unit *unit, const ls_fields *fields, const ls_args *fixed,
                           char **error) {
    slots all = {0};
    uint64_t bits = 0;
    int status = 0;
    *inputs = (ls_explore_inputs){.size = unit->in_size};
    list_slots(fields, &all);
    for (size_t i = 0; i < fixed->count && status == 0; i++) status = fix(&all, fixed->list[i], error);
    for (size_t i = 0; i < all.count; i++) bits += all.list[i].fixed ? 0 : all.list[i].part.field.bits;
    if (status == 0 && (bits > LS_EXPLORE_INPUT_BITS || unit->in_size << bits > LS_EXPLORE_INPUT_BYTES)) {
        char *wide = widths(&all);
        *error = ls_format("%s has %llu bits of inputs, and all values of at most %u can be tried: smaller parameters, or --fix "
                           "NAME=VALUE (%s)",
                           unit->name, (unsigned long long)bits, LS_EXPLORE_INPUT_BITS, wide);
        free(wide);
        status = -1;
    }
    if (status == 0) {
        inputs->bits = (uint32_t)bits;
        inputs->count = (size_t)1 << bits;
        inputs->list = ls_zeroed(inputs->count * inputs->size);
        for (size_t n = 0; n < inputs->count; n++) {
            uint32_t low = 0;
            for (size_t i = 0; i < all.count; i++) {
                store(&all.list[i], n, low, inputs->list + n * inputs->size);
                low += all.list[i].fixed ? 0 : all.list[i].part.field.bits;
            }
        }
    }
    free(all.list);
    return status;
}

void ls_explore_inputs_free(ls_explore_inputs *inputs) {
    free(inputs->list);
    *inputs = (ls_explore_inputs){0};
}
