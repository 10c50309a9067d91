/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of what a judge compares, out of its unit's list: an element's place in a structure of the model, by name. The slow
 * model fills a structure of the same type as it expects it; only what is listed counts. */
#ifndef RF_JUDGE_FIELDS_H
#define RF_JUDGE_FIELDS_H

#include "tb/common/judge/judge_unit.h"

typedef struct judge_field {
    char name[64];
    size_t offset, size; /* of the first element; of one: 1, 2, 4, 8, or that of rf_vec */
    uint32_t n;          /* elements, one behind the other ... */
    uint32_t first;      /* ... the first of which has this index: a member of a record is a field of its own */
    size_t spare;        /* bytes behind them that go with the record: of elements that the configuration does not have */
} judge_field;

typedef struct judge_list {
    judge_field field[1024];
    uint32_t n;
} judge_list;

/* Makes `list` that of the unit's outputs (kind LS_OUT), or of its registers and memories and those inside (LS_STATE), at the
 * configuration of `model`. A number of more than 64 bits counts as so many words. */
static inline void judge_list_of(judge_list *list, const ls_unit *unit, ls_kind kind, const void *model) {
    ls_fields all = {0};
    unit->fields(&all, model);
    list->n = 0;
    for (const ls_field *line = all.list; line < all.list + all.count; line++) {
        for (uint32_t i = 0; judge_is_kind(line, kind) && i < ls_part_count(line); i++) {
            const ls_part part = ls_part_of(line, i);
            const ls_field *f = &part.field;
            const size_t size = f->size <= 8 || f->size == sizeof(rf_vec) ? f->size : 8;
            judge_field *to = &list->field[list->n];
            if (list->n++ == sizeof list->field / sizeof *list->field) fail_msg("a list of fields is full");
            *to = (judge_field){
                .offset = f->offset, .size = size, .n = (uint32_t)(f->count * (f->size / size)), .first = part.first};
            if (line->member_count > 0) to->spare = f->room - (size_t)f->size * f->count;
            if (strlen(f->name) >= sizeof to->name) fail_msg("%s is too long a name", f->name);
            strcpy(to->name, f->name);
        }
    }
    ls_fields_free(&all);
}

/* Makes `part` those of the list whose names stand among the words, or the others. */
static inline void judge_list_part(judge_list *part, const judge_list *list, const char *words, bool others) {
    part->n = 0;
    for (uint32_t i = 0; i < list->n; i++)
        if (judge_has_word(words, list->field[i].name) != others) part->field[part->n++] = list->field[i];
}

/* assert_memory_equal, but fast for large models: cmocka looks at every byte on its own. */
static inline void judge_same(const void *a, const void *b, size_t size) {
    if (memcmp(a, b, size) != 0) assert_memory_equal(a, b, size);
}

/* Element `index` as a number; not of an rf_vec. */
static inline uint64_t judge_element(const judge_field *f, const void *object, uint32_t index) {
    const uint8_t *at = (const uint8_t *)object + f->offset + index * f->size;
    uint16_t half;
    uint32_t word;
    uint64_t twice;
    if (f->size == 1) return *at;
    if (f->size == 2) return memcpy(&half, at, sizeof half), half;
    if (f->size == 4) return memcpy(&word, at, sizeof word), word;
    return memcpy(&twice, at, sizeof twice), twice;
}

/* Compares a field, all its elements. */
static inline void judge_field_equal(judge *j, const judge_field *f, const void *model, const void *expected) {
    const uint8_t *a = (const uint8_t *)model + f->offset, *b = (const uint8_t *)expected + f->offset;
    j->compared += f->n;
    if (memcmp(a, b, f->n * f->size) == 0) return;
    for (uint32_t i = 0; i < f->n; i++) {
        rf_vec v, w;
        if (f->size == sizeof v) {
            memcpy(&v, a + i * sizeof v, sizeof v);
            memcpy(&w, b + i * sizeof w, sizeof w);
            judge_words(j, f->name, f->first + i, v.lane, w.lane, RF_LANES_MAX);
        } else judge_equal(j, f->name, f->first + i, judge_element(f, model, i), judge_element(f, expected, i));
    }
}

static inline void judge_fields(judge *j, const judge_list *list, const void *model, const void *expected) {
    for (uint32_t i = 0; i < list->n; i++) judge_field_equal(j, &list->field[i], model, expected);
}

/* Fails unless every byte that the model wrote is in the list: `a` and `b` were filled with different garbage before it did. */
static inline void judge_lists_all(const judge_list *list, const void *a, const void *b, size_t size) {
    for (size_t at = 0; at < size; at++) {
        bool listed = false;
        for (uint32_t i = 0; i < list->n; i++) {
            const judge_field *f = &list->field[i];
            listed |= at >= f->offset && at < f->offset + f->n * f->size + f->spare;
        }
        if (!listed && ((const uint8_t *)a)[at] == ((const uint8_t *)b)[at]) fail_msg("byte %zu is not compared", at);
    }
}

#endif
