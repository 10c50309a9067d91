/* SPDX-License-Identifier: Apache-2.0 */
/* What a judge takes from its unit's list (harness/core/field.h): which values of its parameters are to be refused, and in which
 * outputs and registers a wrong bit is to be noticed. How the judge compares, and with what, is its own. */
#ifndef RF_JUDGE_UNIT_H
#define RF_JUDGE_UNIT_H

#include <stdlib.h>

#include "cmodel/common/rf_types.h"
#include "harness/core/unit.h"
#include "tb/common/judge/judge.h"

/* Fails the test unless check and init refuse the configuration, check by parameter and limit, init without a write. */
static inline void judge_refused(const ls_unit *unit, const void *cfg, const char *parameter, const char *limit) {
    void *model = aligned_alloc(unit->model_align, unit->model_size);
    assert_non_null(model);
    judge_complains(unit->check(cfg), parameter, limit);
    memset(model, 0xa5, unit->model_size);
    assert_int_equal(unit->init(model, cfg), RF_E_CONFIG);
    judge_untouched(model, 0xa5, unit->model_size);
    free(model);
}

/* Fails the test unless the `n` configurations, `stride` bytes apart, are accepted; each with any one parameter outside its range
 * is refused by name and range; and each end of a range is accepted in one of them. Of the parameters among the words of `but`,
 * whose ranges depend on others, the message need tell the upper end only, and none need be accepted. */
static inline void judge_ranges(const ls_unit *unit, const void *good, size_t n, size_t stride, const char *but) {
    char *const cfg = malloc(unit->cfg_size);
    assert_non_null(cfg);
    for (size_t i = 0; i < n; i++) {
        const char *message = unit->check((const char *)good + i * stride);
        if (message != NULL) fail_msg("%s: good configuration %zu is refused: %s", unit->name, i, message);
    }
    for (const ls_param *p = unit->params; p < unit->params + unit->param_count; p++) {
        const uint32_t tried[] = {p->min, p->max, 0, p->min - 1, p->max + 1, UINT32_MAX};
        char low[16], high[16];
        snprintf(low, sizeof low, "%" PRIu32, p->min);
        snprintf(high, sizeof high, "%" PRIu32, p->max);
        for (size_t k = 0; k < sizeof tried / sizeof *tried; k++) {
            const bool outside = tried[k] < p->min || tried[k] > p->max;
            bool accepted = judge_has_word(but, p->name);
            for (size_t i = 0; i < n; i++) {
                memcpy(cfg, (const char *)good + i * stride, unit->cfg_size);
                memcpy(cfg + p->offset, &tried[k], sizeof tried[k]);
                if (!outside) accepted = accepted || unit->check(cfg) == NULL;
                else judge_refused(unit, cfg, p->name, high);
                if (outside && !judge_has_word(but, p->name)) judge_complains(unit->check(cfg), p->name, low);
            }
            if (!outside && !accepted) fail_msg("%s: no good configuration takes %s = %" PRIu32, unit->name, p->name, tried[k]);
        }
    }
    free(cfg);
}

/* The same of a configuration or an array of them. */
#define JUDGE_RANGES(unit, good) JUDGE_RANGES_BUT(unit, good, "")
#define JUDGE_RANGES_BUT(unit, good, but)                                                                                        \
    judge_ranges(&unit##_unit, &(good), sizeof(good) / sizeof(unit##_cfg), sizeof(unit##_cfg), but)

/* A bit that is flipped: of which field of the list, counted through its elements as the model holds them. */
typedef struct judge_flip {
    ls_fields fields;
    const ls_field *line; /* of the list, and part of it */
    uint32_t part;
    ls_part of;
    const ls_field *field; /* &of.field */
    size_t bit, flipped;
    const char *last; /* what was told of the element before, and its index */
    uint32_t last_index, last_element;
    const char *last_name;
} judge_flip;

/* Whether the line is an output (kind LS_OUT) or a register or memory (LS_STATE). */
static inline bool judge_is_kind(const ls_field *f, ls_kind kind) {
    return f->kind == kind || (kind == LS_STATE && f->kind == LS_MEMORY);
}

/* The bits of a line that is of the kind, as the model holds them. */
static inline size_t judge_flip_bits(const ls_field *f, ls_kind kind) {
    return judge_is_kind(f, kind) ? (size_t)f->count * f->size * 8 : 0;
}

/* The first part of the list, and the next: `field`, NULL behind the last. */
static inline void judge_flip_show(judge_flip *flip) {
    flip->field = NULL;
    if (flip->line == flip->fields.list + flip->fields.count) return;
    flip->of = ls_part_of(flip->line, flip->part);
    flip->field = &flip->of.field;
}

static inline void judge_flip_first(judge_flip *flip) {
    flip->line = flip->fields.list;
    flip->part = 0;
    judge_flip_show(flip);
}

static inline void judge_flip_on(judge_flip *flip) {
    flip->part++;
    if (flip->part == ls_part_count(flip->line)) flip->line++, flip->part = 0;
    judge_flip_show(flip);
}

static inline void judge_flip_bit(const judge_flip *flip, void *object) {
    uint8_t *byte = (uint8_t *)object + flip->field->offset + flip->bit / 8;
    *byte ^= (uint8_t)(1u << flip->bit % 8);
}

/* The name behind the last dot. */
static inline const char *judge_last_name(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot != NULL ? dot + 1 : name;
}

/* Fails the test unless the flipped bit was told as the only difference: by the list's name and element, with the lane when it is
 * a vector; in a unit inside the register's name will do, but then not as the element before it was. */
static inline void judge_flip_caught(judge_flip *flip, const judge *j) {
    const ls_field *f = flip->field;
    const uint32_t element = flip->of.first + (uint32_t)(flip->bit / (8 * f->size)),
                   lane = (uint32_t)(flip->bit % (8 * f->size) / 32);
    const bool inside = strchr(f->name, '.') != NULL, vector = f->size == sizeof(rf_vec);
    const bool exact = j->differing == 1 && strcmp(j->field, f->name) == 0;
    bool right = exact || (j->differing == 1 && inside && strcmp(judge_last_name(j->field), judge_last_name(f->name)) == 0);
    if (exact && (vector || f->size <= 8)) right = j->index == element;
    if (vector) right = right && j->lane == lane;
    if (!right)
        fail_msg("%s: flipped bit %zu of %s[%" PRIu32 "] was reported as %" PRIu64 " differences: %s", j->where, flip->bit,
                 f->name, element, j->differing, j->text);
    if (flip->last != NULL && (strcmp(flip->last_name, f->name) != 0 || flip->last_element != element) &&
        strcmp(flip->last, j->field) == 0 && flip->last_index == j->index)
        fail_msg("%s[%" PRIu32 "] and %s[%" PRIu32 "] are both reported as %s[%" PRIu32 "]", flip->last_name, flip->last_element,
                 f->name, element, j->field, j->index);
    flip->last = j->field, flip->last_index = j->index, flip->last_name = f->name, flip->last_element = element;
    flip->flipped++;
}

/* The next bit to flip. When not `all`, of each lane of a vector and of each of more than 256 elements one bit, another each
 * time.
 */
static inline size_t judge_flip_next(const judge_flip *flip, bool all) {
    const bool vector = flip->field->size == sizeof(rf_vec);
    const size_t part = vector ? 32 : 8 * flip->field->size;
    if (all || (!vector && flip->field->count <= 256)) return flip->bit + 1;
    return flip->bit + (flip->bit % part == part - 1 ? 1 : part + 1);
}

/* Fails the test unless `compare`, an expression that compares `object` by the judge `j`, notices every bit of every output (kind
 * LS_OUT) or register and memory (LS_STATE) of the list that is flipped, alone; and nothing when none is. `object` is as it was.
 */
#define JUDGE_FLIPS(j, unit, kind, model, object, compare) JUDGE_FLIPS_OF(j, unit, kind, model, object, compare, true)

/* The same, for large units: of each lane of a vector and of each of more than 256 elements one bit. */
#define JUDGE_LANE_FLIPS(j, unit, kind, model, object, compare) JUDGE_FLIPS_OF(j, unit, kind, model, object, compare, false)

#define JUDGE_FLIPS_OF(j, unit, kind, model, object, compare, all)                                                               \
    do {                                                                                                                         \
        judge_flip flip_ = {0};                                                                                                  \
        (unit##_unit).fields(&flip_.fields, (model));                                                                            \
        for (judge_flip_first(&flip_); flip_.field != NULL; judge_flip_on(&flip_))                                               \
            for (flip_.bit = 0; flip_.bit < judge_flip_bits(flip_.field, kind); flip_.bit = judge_flip_next(&flip_, all)) {      \
                judge_flip_bit(&flip_, (object));                                                                                \
                judge_begin((j), 0, "tampered");                                                                                 \
                compare;                                                                                                         \
                judge_flip_caught(&flip_, (j));                                                                                  \
                judge_flip_bit(&flip_, (object));                                                                                \
            }                                                                                                                    \
        judge_begin((j), 0, "restored");                                                                                         \
        compare;                                                                                                                 \
        judge_passes(j);                                                                                                         \
        assert_true(flip_.flipped > 0);                                                                                          \
        ls_fields_free(&flip_.fields);                                                                                           \
    } while (0)

#endif
