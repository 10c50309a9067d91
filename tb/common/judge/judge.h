/* SPDX-License-Identifier: Apache-2.0 */
/* What the judges share. A judge is a slow model of one unit, written from the unit's contract and its paper and from nothing
 * else, that runs beside the model and compares every output and every register in every cycle. Differences are collected, not
 * asserted at once, so that a test can also prove that the comparer sees a planted one. */
#ifndef RF_JUDGE_H
#define RF_JUDGE_H

#include <ctype.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/rng.h"

/* A judge's run needs this many cycles over all its parameter sets. */
#define JUDGE_CYCLES 200000u

typedef struct judge {
    char where[128];    /* unit and parameters: the beginning of a message */
    uint64_t seed;      /* of this run */
    uint64_t cycle;     /* of this run */
    uint64_t compared;  /* values compared */
    uint64_t differing; /* values that differed */
    const char *field;  /* of the first difference */
    uint32_t index;     /* its element */
    uint32_t lane;      /* its 32-bit word, 0 for a scalar */
    char text[320];     /* the whole first difference in words */
} judge;

/* Starts a run at cycle 0 with nothing compared; the format tells unit and parameters. */
__attribute__((format(printf, 3, 4))) static inline void judge_begin(judge *j, uint64_t seed, const char *format, ...) {
    va_list args;
    memset(j, 0, sizeof *j);
    j->seed = seed;
    va_start(args, format);
    vsnprintf(j->where, sizeof j->where, format, args);
    va_end(args);
}

/* Counts a difference and keeps the first: field, element, 32-bit word, both values. */
static inline void judge_differs(judge *j, const char *field, uint32_t index, uint32_t lane, uint64_t model, uint64_t expected) {
    if (j->differing++ != 0) return;
    j->field = field;
    j->index = index;
    j->lane = lane;
    snprintf(j->text, sizeof j->text,
             "%s seed %016" PRIx64 " cycle %" PRIu64 ": %s[%" PRIu32 "] lane %" PRIu32 ": model %#" PRIx64 ", judge %#" PRIx64,
             j->where, j->seed, j->cycle, field, index, lane, model, expected);
}

/* The rising edge of a model, after proof that its `step` gives the outputs of `comb` and the state of `clock`. */
#define JUDGE_CLOCK(unit, m, in)                                                                                                 \
    do {                                                                                                                         \
        unit stepped_;                                                                                                           \
        unit##_out once_, twice_;                                                                                                \
        memcpy(&stepped_, (m), sizeof stepped_);                                                                                 \
        memset(&once_, 0xa5, sizeof once_);                                                                                      \
        memset(&twice_, 0xa5, sizeof twice_);                                                                                    \
        unit##_step(&stepped_, (in), &once_);                                                                                    \
        unit##_comb((m), (in), &twice_);                                                                                         \
        unit##_clock((m), (in));                                                                                                 \
        assert_memory_equal(&once_, &twice_, sizeof once_);                                                                      \
        assert_memory_equal(&stepped_, (m), sizeof stepped_);                                                                    \
    } while (0)

/* Compares one element of at most 64 bits. */
static inline void judge_equal(judge *j, const char *field, uint32_t index, uint64_t model, uint64_t expected) {
    j->compared++;
    if (model != expected) judge_differs(j, field, index, 0, model, expected);
}

/* Compares one element of `words` 32-bit words. */
static inline void judge_words(judge *j, const char *field, uint32_t index, const uint32_t *model, const uint32_t *expected,
                               uint32_t words) {
    j->compared++;
    if (memcmp(model, expected, words * sizeof *model) == 0) return;
    for (uint32_t i = 0; i < words; i++)
        if (model[i] != expected[i]) judge_differs(j, field, index, i, model[i], expected[i]);
}

/* Fails the test with the first difference, or when nothing was compared. */
static inline void judge_passes(const judge *j) {
    if (j->compared == 0) fail_msg("%s: nothing was compared", j->where);
    if (j->differing != 0) fail_msg("%s (%" PRIu64 " differences)", j->text, j->differing);
}

/* Fails the test unless exactly one difference was seen, in this field, element and 32-bit word. */
static inline void judge_caught(const judge *j, const char *field, uint32_t index, uint32_t lane) {
    if (j->differing == 1 && strcmp(j->field, field) == 0 && j->index == index && j->lane == lane) return;
    fail_msg("%s: a flipped bit of %s[%" PRIu32 "] lane %" PRIu32 " was reported as %" PRIu64 " differences: %s", j->where, field,
             index, lane, j->differing, j->text);
}

/* Fails the test unless `compare`, an expression that compares by the judge `j`, notices `bits` flipped in `member`: alone, as
 * this field, element and 32-bit word. For what is in no field list; `member` is as it was. */
#define JUDGE_FLIP(j, member, bits, field, index, lane, compare)                                                                 \
    do {                                                                                                                         \
        (member) = (__typeof__(member))((member) ^ (bits));                                                                      \
        judge_begin((j), 0, "tampered");                                                                                         \
        compare;                                                                                                                 \
        judge_caught((j), (field), (index), (lane));                                                                             \
        (member) = (__typeof__(member))((member) ^ (bits));                                                                      \
    } while (0)

/* The events of a judge are one list of X(NAME, "text"): their enumeration and their texts. */
#define JUDGE_NAME(name, text) name,
#define JUDGE_TEXT(name, text) text,

/* Fails the test, naming the event, when one of the `n` events never occurred: a judge that judged nothing. */
static inline void judge_saw_all(const char *const *name, const uint64_t *count, uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        if (count[i] == 0) fail_msg("the event \"%s\" never occurred", name[i]);
}

/* True when `word` stands in `text` as a whole word, in either case. */
static inline bool judge_has_word(const char *text, const char *word) {
    const size_t length = strlen(word);
    for (size_t at = 0; text[at] != '\0'; at++) {
        size_t same = 0;
        if (at > 0 && (isalnum((unsigned char)text[at - 1]) || text[at - 1] == '_')) continue;
        while (same < length && tolower((unsigned char)text[at + same]) == tolower((unsigned char)word[same])) same++;
        if (same == length && !isalnum((unsigned char)text[at + same]) && text[at + same] != '_') return true;
    }
    return false;
}

/* Fails the test unless `message`, a check's answer, names the parameter and the upper end of its range. */
static inline void judge_complains(const char *message, const char *parameter, const char *high) {
    if (message == NULL) fail_msg("%s outside its range was accepted", parameter);
    if (!judge_has_word(message, parameter)) fail_msg("the message \"%s\" does not name %s", message, parameter);
    if (!judge_has_word(message, high)) fail_msg("the message \"%s\" does not tell the limit %s", message, high);
}

/* Fails the test unless all `size` bytes still hold `fill`: a refused init leaves the model alone. */
static inline void judge_untouched(const void *object, uint8_t fill, size_t size) {
    const uint8_t *byte = object;
    if (byte[0] == fill && memcmp(byte, byte + 1, size - 1) == 0) return; /* quick for a large model */
    for (size_t i = 0; i < size; i++)
        if (byte[i] != fill) fail_msg("byte %zu of a model was written by an init that failed", i);
}

/* How many values an index port over `n` elements can carry: the next power of two, but two for one element. */
static inline uint32_t judge_codes(uint32_t n) {
    uint32_t codes = 2;
    while (codes < n) codes *= 2;
    return codes;
}

/* `n` (at most 64) bits as the word a port carries, element 0 in the lowest bit. */
static inline uint64_t judge_pack(const bool *bit, uint32_t n) {
    uint64_t word = 0;
    for (uint32_t i = 0; i < n; i++)
        if (bit[i]) word |= UINT64_C(1) << i;
    return word;
}

/* True when bit `i` (0 .. 63) of a port is set. */
static inline bool judge_bit(uint64_t word, uint32_t i) { return ((word >> i) & 1) != 0; }

/* Round robin: start after the last one granted and walk around once; `n` when nobody asks. After reset `last` is n - 1. */
static inline uint32_t judge_walk(uint32_t last, const bool *asks, uint32_t n) {
    for (uint32_t step = 1; step <= n; step++)
        if (asks[(last + step) % n]) return (last + step) % n;
    return n;
}

/* The pointer register of a round-robin arbiter whose last taken grant was `last`: one bit for each requester above it. */
static inline uint64_t judge_above(uint32_t last, uint32_t n) {
    uint64_t mask = 0;
    for (uint32_t i = last + 1; i < n; i++) mask |= UINT64_C(1) << i;
    return mask;
}

#endif
