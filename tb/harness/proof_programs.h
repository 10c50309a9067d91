/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that test_proof_execute.c runs twice: compiled, and as symbolic execution of what clang makes of this file. Each has
 * all that it may read or write in *s. Where C gives it no meaning, `lost_NAME` says so and nobody compares. */
#ifndef PROOF_PROGRAMS_H
#define PROOF_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Longer than what copies of memory share (64 bytes), and no multiple of it. */
typedef struct space {
    uint8_t byte[70];
    uint8_t few[5];
    uint16_t half[4];
    struct pair {
        uint8_t left;
        uint8_t row[3];
    } pair[4];
    uint32_t word[3];
    int32_t sign;
    uint64_t wide[2];
    unsigned low : 3, mid : 7, high : 6;
    bool flag;
} space;

/* X(name): uint64_t name(space *s, uint64_t a, uint64_t b), and bool lost_name of the same */
#define PROOF_PROGRAMS(X)                                                                                                        \
    X(bits)                                                                                                                      \
    X(bounded)                                                                                                                   \
    X(nested)                                                                                                                    \
    X(cases)                                                                                                                     \
    X(either)                                                                                                                    \
    X(either_inside)                                                                                                             \
    X(pointers)                                                                                                                  \
    X(moves)                                                                                                                     \
    X(compared)                                                                                                                  \
    X(filled)                                                                                                                    \
    X(by_value)                                                                                                                  \
    X(handed_on_one_path)                                                                                                        \
    X(two_results)                                                                                                               \
    X(recursive)                                                                                                                 \
    X(unset)                                                                                                                     \
    X(unset_decision)                                                                                                            \
    X(shifts)                                                                                                                    \
    X(sums)                                                                                                                      \
    X(quotients)                                                                                                                 \
    X(behind)                                                                                                                    \
    X(no_place)                                                                                                                  \
    X(tables)                                                                                                                    \
    X(records)                                                                                                                   \
    X(backwards)                                                                                                                 \
    X(ordered)                                                                                                                   \
    X(fields)                                                                                                                    \
    X(flags)                                                                                                                     \
    X(apart)                                                                                                                     \
    X(turned)                                                                                                                    \
    X(never_here)                                                                                                                \
    X(early)                                                                                                                     \
    X(copies)                                                                                                                    \
    X(far)                                                                                                                       \
    X(assumed)                                                                                                                   \
    X(forgotten)                                                                                                                 \
    X(whole)                                                                                                                     \
    X(wider)                                                                                                                     \
    X(constants)                                                                                                                 \
    X(same_word)                                                                                                                 \
    X(places)

/* Loops over bits ------------------------------------------------------------------------------------------------------------ */

static inline uint64_t bits(space *s, uint64_t a, uint64_t b) {
    uint64_t sum = 0;
    for (uint64_t left = a & 0xff; left != 0; left &= left - 1) {
        const unsigned i = (unsigned)__builtin_ctzll(left);
        if ((b >> i & 1) != 0) continue;
        s->byte[i] = (uint8_t)(s->byte[i] + s->byte[i + 1]);
        sum = 3 * sum + i;
    }
    for (uint32_t left = s->word[0] & 0x81000000u; left != 0; left &= left - 1) sum += (unsigned)__builtin_clz(left) + 1u;
    return sum;
}
static inline bool lost_bits(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

/* An end that depends on the input; what is read behind the array is lost. */
static inline uint64_t bounded(space *s, uint64_t a, uint64_t b) {
    uint64_t sum = b;
    unsigned n = 0;
    while (n < (a & 7)) sum = 5 * sum + s->few[n++];
    for (unsigned k = 0; k < 4 && k < n; k++) sum ^= s->half[n & 3];
    return sum;
}
static inline bool lost_bounded(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)b, (a & 7) > 5; }

static inline uint64_t nested(space *s, uint64_t a, uint64_t b) {
    uint64_t found = 99;
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned k = 0; k < 3; k++) {
            if (s->pair[i].row[k] == (b & 0xff)) continue;
            if (s->pair[i].row[k] < (a & 0xff)) goto out;
            if (k == (b >> 8 & 3)) break;
            found = 10 * found + k;
        }
        s->pair[i].left++;
    }
out:
    return found;
}
static inline bool lost_nested(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

static inline uint64_t early(space *s, uint64_t a, uint64_t b) {
    for (unsigned i = 0; i < 5; i++) {
        if (s->few[i] == (uint8_t)a) return i;
        s->few[i] = (uint8_t)b;
    }
    return 77;
}
static inline bool lost_early(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

/* Control -------------------------------------------------------------------------------------------------------------------- */

static inline uint64_t cases(space *s, uint64_t a, uint64_t b) {
    uint64_t r = 1;
    switch (a & 15) {
    case 0:
        r = b;
        break;
    case 3:
        s->word[0] += 7;
        __attribute__((fallthrough));
    case 4:
        r = s->word[0];
        break;
    case 9:
    case 10:
        return s->word[1] = (uint32_t)b;
    default:
        r = a ^ s->byte[a & 15];
    }
    switch (s->half[0]) {
    case 65535:
        return r + 1;
    case 0:
        return r + 2;
    }
    return r;
}
static inline bool lost_cases(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

static inline uint64_t recursive(space *s, uint64_t a, uint64_t b) {
    if (b == 0 || (a & 7) == 0) return s->byte[b & 3];
    s->byte[a & 7] ^= (uint8_t)b;
    return (a & 7) + 3 * recursive(s, (a & 7) - 1, b >> 1);
}
static inline bool lost_recursive(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

static inline uint64_t never_here(space *s, uint64_t a, uint64_t b) {
    if ((a & 3) == 2) __builtin_unreachable();
    if ((b & 7) == (a & 7)) return s->few[a & 1];
    return a & 3;
}
static inline bool lost_never_here(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)b, (a & 3) == 2; }

static inline uint64_t assumed(space *s, uint64_t a, uint64_t b) {
#ifdef __clang__
    __builtin_assume((a & 7) < 5);
#endif
    return s->few[a & 7] + b;
}
static inline bool lost_assumed(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)b, (a & 7) >= 5; }

/* Addresses ------------------------------------------------------------------------------------------------------------------ */

/* One of two places, known when a path joins another; then a place beside it. */
static inline uint64_t either(space *s, uint64_t a, uint64_t b) {
    uint8_t local[3] = {1, 2, 3};
    uint8_t *p = (a & 1) != 0 ? &s->byte[b & 63] : (a & 2) != 0 ? &local[b & 1] : &s->few[b & 3];
    uint8_t was = *p;
    *p = (uint8_t)(was + 1);
    p[1] ^= 0x55;
    return local[0] + 256u * local[1] + 65536u * was + ((uint64_t)local[2] << 24);
}
static inline bool lost_either(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

/* The same, where one side may be outside of its object: the other is within a larger one. */
static inline uint64_t either_inside(space *s, uint64_t a, uint64_t b) {
    uint8_t local[3] = {9, 8, 7};
    const uint8_t *p = (a & 1) != 0 ? local : s->few;
    return p[b & 7];
}
static inline bool lost_either_inside(const space *s, uint64_t a, uint64_t b) { return (void)s, (a & 1) != 0 && (b & 7) >= 3; }

/* An address out of memory: which object it is in depends on the input. */
static inline uint64_t pointers(space *s, uint64_t a, uint64_t b) {
    uint8_t one = 1, two[4] = {2, 3, 4, 5};
    uint8_t *all[4] = {&one, two + 1, s->few, NULL};
    if ((b & 16) != 0) all[1] = &s->byte[69];
    uint8_t *p = all[a & 3];
    const uint64_t was = *p;
    *p = (uint8_t)b;
    return was + 256u * one + 65536u * two[1] + ((uint64_t)two[2] << 24);
}
static inline bool lost_pointers(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)b, (a & 3) == 3; }

/* A pointer and a number of bytes from it, both out of memory. */
static inline uint64_t whole(space *s, uint64_t a, uint64_t b) {
    uint8_t two[4] = {2, 3, 4, 5};
    uint8_t *all[2] = {two, s->few};
    uint8_t *p = all[a & 1] + (b & 3);
    if ((b & 4) != 0) p++;
    *p = (uint8_t)(*p + 17);
    return two[0] + 256u * two[1] + 65536u * two[2] + ((uint64_t)two[3] << 24);
}
static inline bool lost_whole(const space *s, uint64_t a, uint64_t b) { return (void)s, (a & 1) == 0 && (b & 7) == 7; }

static inline uint64_t backwards(space *s, uint64_t a, uint64_t b) {
    uint16_t *end = s->half + 4;
    const int back = -(int)(a & 3) - 1;
    end[back] = (uint16_t)b;
    return (uint64_t)(end - s->half) + s->half[3 - (b & 3)] + (uint64_t)(&s->half[a & 3] > &s->half[b & 3]);
}
static inline bool lost_backwards(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

/* Two indices of which bits are the same, or opposite. */
static inline uint64_t apart(space *s, uint64_t a, uint64_t b) {
    const unsigned i = a & 3, k = ~a & 3;
    s->byte[4 * i + k] = (uint8_t)b;
    s->byte[5 * i] ^= (uint8_t)(b >> 8);
    return s->byte[20 + 2 * k - i] + 256u * s->byte[i + (a & 3)];
}
static inline bool lost_apart(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

/* An index with a sign, from far away. */
static inline uint64_t far(space *s, uint64_t a, uint64_t b) {
    const int8_t i = (int8_t)a;
    s->byte[i + 3] = (uint8_t)b;
    return s->byte[(b & 127)];
}
static inline bool lost_far(const space *s, uint64_t a, uint64_t b) {
    return (void)s, (int8_t)a < -3 || (int8_t)a > 66 || (b & 127) > 69;
}

static inline uint64_t records(space *s, uint64_t a, uint64_t b) {
    struct pair *p = &s->pair[a & 3];
    p->row[b & 1] = p->left;
    s->pair[b & 3] = *p;
    s->pair[3 - (a & 3)].left = p->row[2];
    return s->pair[b >> 8 & 3].row[b >> 10 & 1];
}
static inline bool lost_records(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

/* The address behind the last element is C, for clang too, and the element is not there. */
static inline uint64_t behind(space *s, uint64_t a, uint64_t b) {
    s->pair[a & 7] = s->pair[b & 3];
    return s->pair[0].left;
}
static inline bool lost_behind(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)b, (a & 7) > 3; }

/* An index that may be none, 9: looked at first, in one of two ways. */
static inline uint64_t no_place(space *s, uint64_t a, uint64_t b) {
    const uint32_t at = (a & 7) < 4 ? (uint32_t)a & 7 : 9;
    if (at != 9) {
        s->half[at] = (uint16_t)b;
        if ((b & 1) != 0) s->half[at]++;
    }
    return at + (at < 4 ? s->half[at] : 0u) + at;
}
static inline bool lost_no_place(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

static const uint8_t table_low[4] = {3, 1, 4, 1}, table_high[6] = {5, 9, 2, 6, 5, 3};
static const uint8_t *const table_of[3] = {table_low, table_high + 2, table_high};

static inline uint64_t tables(space *s, uint64_t a, uint64_t b) {
    static const uint16_t numbers[5] = {1, 20, 300, 4000, 50000};
    return table_of[a % 3][b & 3] + numbers[s->few[0] % 5] * UINT64_C(256);
}
static inline bool lost_tables(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

/* Bytes ---------------------------------------------------------------------------------------------------------------------- */

/* To and from places that overlap, over the border of what copies share. */
static inline uint64_t moves(space *s, uint64_t a, uint64_t b) {
    memmove(s->byte + 1 + (a & 1), s->byte + (b & 1), 66);
    memcpy(&s->wide[a >> 1 & 1], s->few, 5);
    if ((b & 2) != 0) memmove(s->byte, s->byte + 60 + (a & 7), 3);
    return s->byte[69];
}
static inline bool lost_moves(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

static inline uint64_t filled(space *s, uint64_t a, uint64_t b) {
    memset(s->byte + (a & 3), (int)(b & 0xff), 65);
    if ((a & 4) != 0) memset(s->few, 0xa5, 2);
    memset(s->half + (b & 1), 0, 0);
    return s->byte[68];
}
static inline bool lost_filled(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

static inline uint64_t compared(space *s, uint64_t a, uint64_t b) {
    s->few[a & 1] = s->byte[b & 1];
    s->few[3] = s->byte[3];
    const int order = memcmp(s->few, s->byte, 4), same = memcmp(s->few + 3, s->byte + 3, 1);
    return (order < 0 ? 1u : order > 0 ? 2u : 3u) + 4u * (same == 0);
}
static inline bool lost_compared(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

static inline uint64_t change(space by, uint64_t a) {
    by.byte[a & 7] ^= 0xff;
    by.word[2] += 5;
    return by.byte[0] + UINT64_C(256) * by.byte[1] + ((uint64_t)by.word[2] << 16);
}

/* The callee's is its own. */
static inline uint64_t by_value(space *s, uint64_t a, uint64_t b) {
    const uint64_t r = change(*s, a);
    s->byte[2] = (uint8_t)b;
    return r ^ s->byte[a & 1];
}
static inline bool lost_by_value(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

/* An object that only one of two paths has. */
static inline uint64_t handed_on_one_path(space *s, uint64_t a, uint64_t b) {
    uint64_t r = b;
    if ((a & 8) != 0) r = change(*s, a);
    else s->byte[0]++;
    if ((b & 8) != 0) r += change(*s, b);
    return r;
}
static inline bool lost_handed_on_one_path(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

typedef struct two {
    uint32_t first;
    uint16_t second, third;
} two;

static inline two make_two(uint64_t a, uint64_t b) {
    two t = {(uint32_t)a, (uint16_t)b, 7};
    if ((a & 1) != 0) t.third = (uint16_t)(b >> 16);
    return t;
}
static inline uint64_t two_results(space *s, uint64_t a, uint64_t b) {
    const two t = make_two(a, b), u = make_two(b, s->word[0]);
    return t.first + ((uint64_t)t.second << 32) + ((uint64_t)(uint16_t)(t.third ^ u.second) << 48) + u.third;
}
static inline bool lost_two_results(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

/* Many objects of which each path writes another part; paths meet again and again. */
static inline uint64_t copies(space *s, uint64_t a, uint64_t b) {
    uint8_t x[130], y[4] = {0};
    memset(x, 7, sizeof x);
    for (unsigned i = 0; i < 4; i++) {
        if ((a >> i & 1) != 0) x[64 * (i & 1) + i] = s->byte[i];
        else y[i] = 1;
        if ((b >> i & 1) != 0) x[2] = (uint8_t)(x[2] + y[i]);
        else if ((b >> i & 2) != 0) s->byte[65 + i] = x[64 + i];
    }
    return x[0] + 256u * x[2] + 65536u * x[65] + ((uint64_t)x[67] << 24) + ((uint64_t)x[129] << 32);
}
static inline bool lost_copies(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

/* Without a value ------------------------------------------------------------------------------------------------------------ */

static inline uint64_t unset(space *s, uint64_t a, uint64_t b) {
    uint8_t x[4];
    x[a & 3] = (uint8_t)b;
    if ((b & 256) != 0) x[1] = s->few[0];
    return x[b & 3];
}
static inline bool lost_unset(const space *s, uint64_t a, uint64_t b) {
    return (void)s, (b & 3) != (a & 3) && !((b & 256) != 0 && (b & 3) == 1);
}

static inline uint64_t unset_decision(space *s, uint64_t a, uint64_t b) {
    uint8_t x[2];
    x[a & 1] = s->few[0];
    if ((b & 2) == 0) return 5;
    if ((x[b & 1] & 15) == 1) s->few[1] = 0;
    return s->few[1];
}
static inline bool lost_unset_decision(const space *s, uint64_t a, uint64_t b) {
    return (void)s, (b & 2) != 0 && (a & 1) != (b & 1);
}

/* A local of each turn has no value of the last one. */
static inline uint64_t forgotten(space *s, uint64_t a, uint64_t b) {
    uint64_t r = 0;
    for (unsigned k = 0; k < 2; k++) {
        uint8_t x[2];
        x[(a + k) & 1] = s->few[k];
        r = 256 * r + x[(b + k) & 1];
    }
    return r;
}
static inline bool lost_forgotten(const space *s, uint64_t a, uint64_t b) { return (void)s, (a & 1) != (b & 1); }

/* Numbers -------------------------------------------------------------------------------------------------------------------- */

static inline uint64_t shifts(space *s, uint64_t a, uint64_t b) {
    return ((s->word[0] << (a & 63)) ^ (s->word[1] >> (b & 31))) + ((uint64_t)(uint32_t)(s->sign >> (b >> 8 & 31)) << 32);
}
static inline bool lost_shifts(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)b, (a & 63) > 31; }

static inline uint64_t sums(space *s, uint64_t a, uint64_t b) {
    s->sign += (int32_t)(a & 0x7fffffff);
    const int32_t less = s->sign - (int32_t)(int16_t)b, times = (int32_t)(int16_t)a * (int32_t)(uint16_t)b;
    return (uint32_t)less + ((uint64_t)(uint32_t)times << 32);
}
static inline bool lost_sums(const space *s, uint64_t a, uint64_t b) {
    const int64_t sum = (int64_t)s->sign + (int32_t)(a & 0x7fffffff), less = sum - (int16_t)b,
                  times = (int64_t)(int16_t)a * (uint16_t)b;
    return sum > INT32_MAX || less > INT32_MAX || less < INT32_MIN || times > INT32_MAX || times < INT32_MIN;
}

static inline uint64_t quotients(space *s, uint64_t a, uint64_t b) {
    const int8_t x = (int8_t)(a >> 8), y = (int8_t)b;
    s->few[0] = (uint8_t)(x / y);
    s->few[1] = (uint8_t)(x % y);
    return (uint8_t)a / (uint8_t)(b >> 8) + 1000u * ((uint8_t)a % 7u);
}
static inline bool lost_quotients(const space *s, uint64_t a, uint64_t b) {
    return (void)s, (void)a, (uint8_t)b == 0 || (uint8_t)(b >> 8) == 0;
}

/* Two places of one kind, in lines one behind the other. */
static inline uint64_t places(space *s, uint64_t a, uint64_t b) {
    s->few[0] = s->few[a & 7];
    s->few[1] = s->few[b & 7];
    return 0;
}
static inline bool lost_places(const space *s, uint64_t a, uint64_t b) { return (void)s, (a & 7) > 4 || (b & 7) > 4; }

static inline uint64_t ordered(space *s, uint64_t a, uint64_t b) {
    const int32_t x = s->sign, y = (int32_t)(uint32_t)b;
    const unsigned few = (a < b) + 2u * (a <= b) + 4u * (a > b) + 8u * (a >= b) + 16u * (x < y) + 32u * (x <= y) + 64u * (x > y);
    return few + 128u * (x >= y) + 256u * (a == b) + 512u * (x != y) + 1024u * (s->sign < 0) + 2048u * (7 <= (int)(a & 15));
}
static inline bool lost_ordered(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

static inline uint64_t fields(space *s, uint64_t a, uint64_t b) {
    s->mid = a & 127;
    if ((b & 1) != 0) s->low = s->high & 7;
    s->high += 3u;
    return s->low + 8u * s->mid + 1024u * s->high;
}
static inline bool lost_fields(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

/* What is no bool may not be read as one. */
static inline uint64_t flags(space *s, uint64_t a, uint64_t b) {
    if ((a & 1) != 0) s->flag = (b & 6) != 0;
    return s->flag ? a : b;
}
static inline bool lost_flags(const space *s, uint64_t a, uint64_t b) {
    uint8_t held;
    memcpy(&held, (const char *)s + offsetof(space, flag), 1);
    return (void)b, (a & 1) == 0 && held > 1;
}

static inline uint64_t turned(space *s, uint64_t a, uint64_t b) {
#ifdef __clang__
    s->wide[0] = __builtin_rotateleft64(a, b) ^ __builtin_rotateright32(s->word[0], (uint32_t)b);
    s->word[1] = __builtin_bitreverse32(s->word[2]);
    s->half[0] = (uint16_t)__builtin_elementwise_max((int16_t)s->half[1], (int16_t)s->half[2]);
    s->half[3] = __builtin_elementwise_min(s->half[1], s->half[2]);
#else
    const uint32_t w = s->word[0];
    s->wide[0] = (a << (b & 63) | a >> (-b & 63)) ^ (w >> (b & 31) | w << (-b & 31));
    s->word[1] = 0;
    for (unsigned i = 0; i < 32; i++) s->word[1] |= (s->word[2] >> i & 1) << (31 - i);
    s->half[0] = (int16_t)s->half[1] > (int16_t)s->half[2] ? s->half[1] : s->half[2];
    s->half[3] = s->half[1] < s->half[2] ? s->half[1] : s->half[2];
#endif
    return __builtin_bswap64(b) + (unsigned)__builtin_popcountll(a) + __builtin_bswap32(s->word[1]);
}
static inline bool lost_turned(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

static inline uint64_t wider(space *s, uint64_t a, uint64_t b) {
    const int8_t x = (int8_t)a;
    s->wide[1] = (uint64_t)x;
    s->sign = (int16_t)b;
    return (uint64_t)(int64_t)s->sign + (uint16_t)x;
}
static inline bool lost_wider(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

/* Numbers that the execution knows, so that no gate is made. */
static inline uint64_t constants(space *s, uint64_t a, uint64_t b) {
    {
        const uint64_t n[6] = {1, 200, 3, 64, 5, 0x8000000000000000u};
        uint64_t r = 0;
        for (unsigned i = 0; i < 6; i++) {
            const int64_t x = (int64_t)(n[i] - 4);
            r = 31 * r + (n[i] << (i + 1)) + (n[i] >> i) + (uint64_t)((int64_t)n[i] >> 2) + n[i] / (i + 1) + n[i] % (i + 2);
            r += (x < 0) + 2u * (x <= 1) + 4u * (x > -1) + 8u * (x >= 60) + 16u * (n[i] > 3) + 32u * (n[i] >= 64);
            r ^= (n[i] < 64 ? 64u : 0u) | (n[i] <= 5 ? 128u : 0u);
        }
        s->wide[0] = r;
    }
    return a + b;
}
static inline bool lost_constants(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

/* The same bytes read with another width. */
static inline uint64_t same_word(space *s, uint64_t a, uint64_t b) {
    uint64_t all;
    s->half[a & 3] = (uint16_t)b;
    memcpy(&all, s->half, 8);
    uint32_t part;
    memcpy(&part, (const char *)s->half + 1 + (b & 3), 4);
    return all ^ part;
}
static inline bool lost_same_word(const space *s, uint64_t a, uint64_t b) { return (void)s, (void)a, (void)b, false; }

#endif
