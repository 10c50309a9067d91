/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/proof: every operation of the symbolic execution against C's own, and memory whose addresses depend on inputs
 * against memory whose addresses are numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/folder.h"
#include "harness/base/rng.h"
#include "harness/base/text.h"
#include "harness/proof/objects.h"
#include "harness/proof/simulate.h"
#include "harness/proof/claims.h"
#include "harness/proof/solve.h"
#include "harness/proof/sums.h"

#define INPUTS 192u

static const uint32_t widths[] = {1, 3, 8, 16, 32, 64};

static uint64_t cut(uint64_t x, uint32_t bits) { return bits >= 64 ? x : x & ((UINT64_C(1) << bits) - 1); }
static int64_t extended(uint64_t x, uint32_t bits) { return (int64_t)(x << (64 - bits)) >> (64 - bits); }

/* What C makes of an instruction; false: nothing, with these operands. */
static bool expect(const ls_ir_inst *inst, uint32_t bits, uint64_t a, uint64_t b, uint64_t c, uint64_t *out) {
    const int64_t x = extended(a, bits), y = extended(b, bits);
    /* Products of unsigned numbers of 64 bits are wider than __int128. */
    if (inst->op == LS_IR_CHECKED_MUL && inst->extra == 0 && bits == 64) {
        uint64_t product;
        *out = __builtin_mul_overflow(a, b, &product);
        return true;
    }
    const __int128 wide_x = inst->extra != 0 ? (__int128)x : (__int128)a, wide_y = inst->extra != 0 ? (__int128)y : (__int128)b;
    switch (inst->op) {
    case LS_IR_ADD:
        *out = a + b;
        return true;
    case LS_IR_SUB:
        *out = a - b;
        return true;
    case LS_IR_MUL:
        *out = a * b;
        return true;
    case LS_IR_UDIV:
        *out = b != 0 ? a / b : 0;
        return b != 0;
    case LS_IR_UREM:
        *out = b != 0 ? a % b : 0;
        return b != 0;
    case LS_IR_SDIV:
        *out = y != 0 && y != -1 ? (uint64_t)(x / y) : 0 - a;
        return y != 0;
    case LS_IR_SREM:
        *out = y != 0 && y != -1 ? (uint64_t)(x % y) : 0;
        return y != 0;
    case LS_IR_SHL:
        *out = b < bits ? a << b : 0;
        return b < bits;
    case LS_IR_LSHR:
        *out = b < bits ? a >> b : 0;
        return b < bits;
    case LS_IR_ASHR:
        *out = b < bits ? (uint64_t)(x >> b) : 0;
        return b < bits;
    case LS_IR_AND:
        *out = a & b;
        return true;
    case LS_IR_OR:
        *out = a | b;
        return true;
    case LS_IR_XOR:
        *out = a ^ b;
        return true;
    case LS_IR_COUNT_ONES:
        *out = (uint64_t)__builtin_popcountll(a);
        return true;
    case LS_IR_ABS:
        *out = x < 0 ? 0 - a : a;
        return true;
    case LS_IR_MIN:
        *out = wide_x < wide_y ? a : b;
        return true;
    case LS_IR_MAX:
        *out = wide_x < wide_y ? b : a;
        return true;
    case LS_IR_COMPARE: {
        const bool of[] = {a == b, a != b, a > b, a >= b, a<b, a <= b, x> y, x >= y, x < y, x <= y};
        *out = of[inst->extra];
        return true;
    }
    case LS_IR_CHECKED_ADD:
    case LS_IR_CHECKED_SUB:
    case LS_IR_CHECKED_MUL: { /* the lowest bits are another operation's: the overflow is told */
        const __int128 sum = inst->op == LS_IR_CHECKED_ADD   ? wide_x + wide_y
                             : inst->op == LS_IR_CHECKED_SUB ? wide_x - wide_y
                                                             : wide_x * wide_y;
        const __int128 kept =
            inst->extra != 0 ? (__int128)extended(cut((uint64_t)sum, bits), bits) : (__int128)cut((uint64_t)sum, bits);
        *out = kept != sum;
        return true;
    }
    case LS_IR_SATURATED_ADD:
    case LS_IR_SATURATED_SUB: {
        const __int128 most = inst->extra != 0 ? (__int128)(cut(UINT64_MAX, bits) >> 1) : (__int128)cut(UINT64_MAX, bits),
                       least = inst->extra != 0 ? -most - 1 : 0,
                       sum = inst->op == LS_IR_SATURATED_ADD ? wide_x + wide_y : wide_x - wide_y;
        *out = (uint64_t)(sum > most ? most : sum < least ? least : sum);
        return true;
    }
    case LS_IR_SWAP_BYTES:
        *out = __builtin_bswap64(a) >> (64 - bits);
        return true;
    case LS_IR_REVERSE_BITS:
        *out = 0;
        for (uint32_t i = 0; i < bits; i++) *out |= (a >> i & 1) << (bits - 1 - i);
        return true;
    case LS_IR_FUNNEL_LEFT:
    case LS_IR_FUNNEL_RIGHT: {
        const unsigned __int128 both = (unsigned __int128)a << bits | b;
        *out = (uint64_t)(inst->op == LS_IR_FUNNEL_LEFT ? both << c % bits >> bits : both >> c % bits);
        return true;
    }
    default:
        return false;
    }
}

typedef struct bench {
    ls_aig_maker maker;
    ls_values values;
    ls_rng rng;
    uint64_t *now;
} bench;

static void open_bench(bench *b) {
    *b = (bench){0};
    ls_aig_begin(&b->maker, INPUTS, 0);
    b->values.maker = &b->maker;
    ls_rng_seed(&b->rng, 7);
}

static void close_bench(bench *b) {
    ls_values_free(&b->values);
    ls_aig_drop(&b->maker);
    free(b->now);
}

static const ls_value *input(bench *b, uint32_t first, uint32_t bits) {
    uint32_t bit[64];
    for (uint32_t i = 0; i < bits; i++) bit[i] = 2 * (first + i + 1);
    return ls_literals(&b->values, bits, bit, NULL);
}

/* 64 draws of the inputs; small numbers in half of them. */
static void draw(bench *b) {
    free(b->now);
    b->now = ls_alloc(b->maker.inputs + b->maker.gates + 2, sizeof *b->now);
    for (uint32_t i = 1; i <= INPUTS; i++)
        b->now[i] = ls_rng_u64(&b->rng) & (i % 64 > 4 ? ls_rng_u64(&b->rng) | 0xffffffff : UINT64_MAX);
    for (uint32_t i = 1; i <= INPUTS; i++)
        if ((i - 1) % 64 > 5) b->now[i] &= 0xffffffff;
    ls_simulate(&b->maker, b->now);
}

static uint64_t read_value(bench *b, const ls_value *value, unsigned lane) {
    const uint32_t *bit = ls_bits(&b->values, value);
    uint64_t number = 0;
    for (uint32_t i = 0; i < value->bits && i < 64; i++) number |= (ls_simulated(b->now, bit[i]) >> lane & 1) << i;
    return number;
}

/* Which operands are numbers and which inputs. */
enum { ALL_INPUTS, LAST_NUMBER, ALL_NUMBERS };

static void check_operation(bench *b, const ls_ir_inst *shape, uint32_t bits, int numbers) {
    ls_ir_inst inst = *shape;
    const bool checks = inst.op >= LS_IR_CHECKED_ADD && inst.op <= LS_IR_CHECKED_MUL,
               alone = inst.op == LS_IR_COUNT_ONES || inst.op == LS_IR_ABS || inst.op == LS_IR_SWAP_BYTES ||
                       inst.op == LS_IR_REVERSE_BITS,
               three = inst.op == LS_IR_FUNNEL_LEFT || inst.op == LS_IR_FUNNEL_RIGHT;
    inst.bits = inst.op == LS_IR_COMPARE ? 1 : checks ? bits + 1 : bits;
    inst.operands = alone ? 1 : three ? 3 : 2;
    const ls_value *operand[3];
    for (uint32_t i = 0; i < 3; i++) {
        const bool is_number = numbers == ALL_NUMBERS || (numbers == LAST_NUMBER && i == inst.operands - 1 && !alone);
        const uint64_t number = i == 0 ? ls_rng_u64(&b->rng) : cut(ls_rng_u64(&b->rng), bits < 6 ? bits : 5);
        operand[i] = is_number ? ls_constant(&b->values, bits, number) : input(b, 64 * i, bits);
    }
    const ls_value *value = ls_operate(&b->values, &inst, operand);
    assert_non_null(value);
    assert_int_equal(value->bits, inst.bits);
    const uint32_t *bit = ls_bits(&b->values, value);
    const uint32_t undef = ls_undef(&b->values, value);
    for (int i = 0; i < 3; i++) (void)ls_bits(&b->values, operand[i]);
    draw(b);
    for (unsigned lane = 0; lane < 64; lane++) {
        uint64_t want, x[3];
        for (int i = 0; i < 3; i++) x[i] = read_value(b, operand[i], lane);
        if (!expect(&inst, bits, x[0], x[1], x[2], &want)) continue;
        assert_int_equal(undef, 0);
        const uint64_t got = checks ? ls_simulated(b->now, bit[bits]) >> lane & 1 : read_value(b, value, lane);
        if (got != cut(want, inst.bits))
            fail_msg("operation %d, %u bits: %llx, %llx", (int)inst.op, bits, (unsigned long long)x[0], (unsigned long long)x[1]);
    }
}

/* Not of every width. */
static bool has_width(ls_ir_op op, uint32_t bits) {
    if (op == LS_IR_SWAP_BYTES) return bits % 16 == 0;
    return (op != LS_IR_FUNNEL_LEFT && op != LS_IR_FUNNEL_RIGHT) || (bits & (bits - 1)) == 0;
}

static void test_operations(void **state) {
    (void)state;
    static const ls_ir_op ops[] = {
        LS_IR_ADD,          LS_IR_SUB,         LS_IR_MUL,         LS_IR_UDIV,          LS_IR_SDIV,          LS_IR_UREM,
        LS_IR_SREM,         LS_IR_SHL,         LS_IR_LSHR,        LS_IR_ASHR,          LS_IR_AND,           LS_IR_OR,
        LS_IR_XOR,          LS_IR_COUNT_ONES,  LS_IR_ABS,         LS_IR_MIN,           LS_IR_MAX,           LS_IR_COMPARE,
        LS_IR_CHECKED_ADD,  LS_IR_CHECKED_SUB, LS_IR_CHECKED_MUL, LS_IR_SATURATED_ADD, LS_IR_SATURATED_SUB, LS_IR_SWAP_BYTES,
        LS_IR_REVERSE_BITS, LS_IR_FUNNEL_LEFT, LS_IR_FUNNEL_RIGHT};
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++)
            for (uint32_t extra = 0; extra < (ops[i] == LS_IR_COMPARE ? 10u : 2u); extra++) {
                const ls_ir_inst inst = {.op = ops[i], .extra = extra};
                bench b;
                if (!has_width(ops[i], widths[w])) continue;
                open_bench(&b);
                check_operation(&b, &inst, widths[w], ALL_INPUTS);
                check_operation(&b, &inst, widths[w], LAST_NUMBER);
                for (int k = 0; k < 16; k++) check_operation(&b, &inst, widths[w], ALL_NUMBERS);
                close_bench(&b);
            }
}

/* Leading or trailing zeros of a value of so many bits, at most 32; `never_0`: of 0 nothing is said. */
static void check_zeros(bench *b, ls_ir_op op, const ls_value *of, uint32_t bits, uint32_t never_0) {
    const ls_ir_inst inst = {.op = op, .bits = bits, .operands = 2};
    const ls_value *operand[2] = {of, ls_constant(&b->values, 1, never_0)};
    const ls_value *value = ls_operate(&b->values, &inst, operand);
    (void)ls_bits(&b->values, value);
    draw(b);
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint32_t x = (uint32_t)read_value(b, of, lane);
        if (x == 0 && never_0 != 0) continue;
        const uint32_t zeros = x == 0                      ? bits
                               : op == LS_IR_LEADING_ZEROS ? (uint32_t)__builtin_clz(x) - (32 - bits)
                                                           : (uint32_t)__builtin_ctz(x);
        assert_int_equal(read_value(b, value, lane), zeros);
    }
}

static void test_zeros(void **state) {
    (void)state;
    for (uint32_t never_0 = 0; never_0 < 2; never_0++)
        for (int op = LS_IR_LEADING_ZEROS; op <= LS_IR_TRAILING_ZEROS; op++) {
            bench b;
            open_bench(&b);
            check_zeros(&b, (ls_ir_op)op, input(&b, 0, 32), 32, never_0);
            close_bench(&b);
        }
}

/* Bits that are 0 or 1 whatever the inputs are, at both ends. */
static void test_zeros_of_known_bits(void **state) {
    (void)state;
    for (uint32_t never_0 = 0; never_0 < 2; never_0++)
        for (int op = LS_IR_LEADING_ZEROS; op <= LS_IR_TRAILING_ZEROS; op++)
            for (uint32_t known = 0; known < 32; known++) {
                bench b;
                open_bench(&b);
                uint32_t bit[8];
                for (uint32_t i = 0; i < 8; i++) bit[i] = i < 5 && (known >> i & 1) != 0 ? i & 1 : 2 * (i + 1);
                if ((known & 16) != 0) bit[7] = known & 1;
                check_zeros(&b, (ls_ir_op)op, ls_literals(&b.values, 8, bit, NULL), 8, never_0);
                close_bench(&b);
            }
    bench b; /* of 0 there is no answer, but an end */
    open_bench(&b);
    const ls_ir_inst inst = {.op = LS_IR_TRAILING_ZEROS, .bits = 8, .operands = 2};
    const ls_value *operand[2] = {ls_constant(&b.values, 8, 0), ls_constant(&b.values, 1, 1)};
    assert_non_null(ls_operate(&b.values, &inst, operand));
    close_bench(&b);
}

/* A funnel of a width that is no power of two is refused: the number of places would be modulo the width. */
static void test_refused_width(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    const ls_ir_inst inst = {.op = LS_IR_FUNNEL_LEFT, .bits = 24, .operands = 3};
    const ls_value *operand[3] = {input(&b, 0, 24), input(&b, 24, 24), input(&b, 64, 24)};
    assert_null(ls_operate(&b.values, &inst, operand));
    close_bench(&b);
}

/* Bit 0 has no value when the first input says so, bit 1 never has one, bits 2 and 3 always have one: 1 and the second input. */
static const ls_value *half_known(bench *b) {
    const uint32_t bit[4] = {6, 8, 1, 4}, undef[4] = {2, 1, 0, 0};
    return ls_literals(&b->values, 4, bit, undef);
}

/* What has no value, of a result: literals, lowest first. */
static void check_undef(bench *b, const ls_ir_inst *inst, const ls_value *const *operand, const uint32_t *want) {
    const ls_value *value = ls_operate(&b->values, inst, operand);
    assert_non_null(value);
    for (uint32_t i = 0; i < value->bits; i++)
        if ((value->undef != NULL ? value->undef[i] : 0) != want[i]) fail_msg("operation %d, bit %u", (int)inst->op, i);
}

/* Which bits of a result have no value. */
static void test_undefined(void **state) {
    (void)state;
    static const struct {
        ls_ir_op op;
        uint32_t bits, extra;
        uint64_t other;
        uint32_t undef[8];
    } cases[] = {{LS_IR_AND, 4, 0, 15, {2, 1, 0, 0}},       {LS_IR_AND, 4, 0, 13, {2, 0, 0, 0}}, /* a 0 decides, and so ... */
                 {LS_IR_AND, 4, 0, 0, {0, 0, 0, 0}},        {LS_IR_OR, 4, 0, 0, {2, 1, 0, 0}},
                 {LS_IR_OR, 4, 0, 2, {2, 0, 0, 0}}, /* ... does a 1 */
                 {LS_IR_OR, 4, 0, 15, {0, 0, 0, 0}},        {LS_IR_XOR, 4, 0, 15, {2, 1, 0, 0}},
                 {LS_IR_SHL, 4, 0, 1, {0, 2, 1, 0}},        {LS_IR_LSHR, 4, 0, 1, {1, 0, 0, 0}},
                 {LS_IR_ASHR, 4, 0, 1, {1, 0, 0, 0}},       {LS_IR_SHL, 4, 0, 4, {1, 1, 1, 1}},
                 {LS_IR_ZEXT, 6, 0, 0, {2, 1, 0, 0, 0, 0}}, {LS_IR_TRUNC, 2, 0, 0, {2, 1}},
                 {LS_IR_EXTRACT, 2, 1, 0, {1, 0}},          {LS_IR_ADD, 4, 0, 3, {1, 1, 1, 1}},
                 {LS_IR_COMPARE, 1, LS_IR_ULT, 3, {1}}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        bench b;
        open_bench(&b);
        const ls_ir_inst inst = {.op = cases[i].op, .bits = cases[i].bits, .extra = cases[i].extra, .operands = 2};
        const ls_value *x = half_known(&b), *y = ls_constant(&b.values, 4, cases[i].other);
        check_undef(&b, &inst, (const ls_value *const[]){x, y}, cases[i].undef);
        if (inst.op == LS_IR_AND || inst.op == LS_IR_OR || inst.op == LS_IR_XOR)
            check_undef(&b, &inst, (const ls_value *const[]){y, x}, cases[i].undef);
        close_bench(&b);
    }
    bench b;
    open_bench(&b);
    const ls_value *x = half_known(&b), *y = input(&b, 0, 4),
                   *maybe = ls_literals(&b.values, 1, (uint32_t[]){4}, (uint32_t[]){2});
    const ls_ir_inst either = {.op = LS_IR_OR, .bits = 4, .operands = 2}, extended = {.op = LS_IR_SEXT, .bits = 6, .operands = 1},
                     chosen = {.op = LS_IR_SELECT, .bits = 4, .operands = 3};
    check_undef(&b, &either, (const ls_value *const[]){x, y}, (uint32_t[]){2, 1, 0, 0}); /* inputs decide nothing */
    check_undef(&b, &either, (const ls_value *const[]){y, x}, (uint32_t[]){2, 1, 0, 0});
    const ls_value *shifted = ls_operate(&b.values, &(ls_ir_inst){.op = LS_IR_SHL, .bits = 4, .operands = 2},
                                         (const ls_value *const[]){x, ls_constant(&b.values, 4, 2)});
    check_undef(&b, &extended, (const ls_value *const[]){shifted}, (uint32_t[]){0, 0, 2, 1, 1, 1}); /* the sign is lost, too */
    check_undef(&b, &chosen, (const ls_value *const[]){maybe, y, y}, (uint32_t[]){2, 2, 2, 2});
    close_bench(&b);
}

typedef struct told {
    uint32_t when;
    ls_aig_maker *maker;
} told;

static void note_condition(void *ctx, uint32_t when, const char *what) {
    told *t = ctx;
    (void)what;
    t->when = ls_aig_and(t->maker, t->when ^ 1u, when ^ 1u) ^ 1u;
}

/* Writes a[i + 2 * j] and reads a[k], of numbers of 16 bits. */
static void test_memory(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    uint8_t bytes[48];
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(17 * i + 3);
    ls_memory memory = {0};
    ls_memory_add(&memory, 1, sizeof bytes, bytes, false);
    told t = {0, &b.maker};
    const ls_access access = {&b.values, &memory, 1, note_condition, &t};
    const ls_ir_inst wider = {.op = LS_IR_ZEXT, .bits = 64, .operands = 1};
    const ls_value *index[3] = {input(&b, 0, 4), input(&b, 64, 3), input(&b, 128, 5)},
                   *base = ls_constant(&b.values, 64, ls_object_address(1));
    for (int i = 0; i < 3; i++) index[i] = ls_operate(&b.values, &wider, &index[i]);
    const ls_term to[] = {{index[0], 2}, {index[1], 4}}, from = {index[2], 2};
    ls_store(&access, ls_address(&b.values, base, 0, to, 2), input(&b, 8, 16), 2);
    const ls_value *value = ls_load(&access, ls_address(&b.values, base, 0, &from, 1), 16, 2);
    (void)ls_bits(&b.values, value);
    const ls_value *written = input(&b, 8, 16);
    draw(&b);
    unsigned inside = 0, outside = 0;
    for (unsigned lane = 0; lane < 64; lane++) {
        const uint64_t i = read_value(&b, index[0], lane) + 2 * read_value(&b, index[1], lane),
                       k = read_value(&b, index[2], lane);
        const bool lost = (ls_simulated(b.now, t.when) >> lane & 1) != 0;
        assert_int_equal(lost, i >= 24 || k >= 24);
        outside += lost;
        if (lost) continue;
        inside++;
        const uint64_t want = i == k ? read_value(&b, written, lane) : (uint64_t)bytes[2 * k] | (uint64_t)bytes[2 * k + 1] << 8;
        assert_int_equal(read_value(&b, value, lane), want);
    }
    assert_true(inside > 4 && outside > 4);
    ls_memory_free(&memory);
    close_bench(&b);
}

/* An address that is one of two, and bytes without a value. */
static void test_choice(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    const uint8_t bytes[4] = {1, 2, 3, 4};
    ls_memory memory = {0};
    ls_memory_add(&memory, 1, 4, bytes, false);
    ls_memory_add(&memory, 2, 4, NULL, false);
    told t = {0, &b.maker};
    const ls_access access = {&b.values, &memory, 1, note_condition, &t};
    const ls_value *one = ls_constant(&b.values, 64, ls_object_address(1)),
                   *two = ls_constant(&b.values, 64, ls_object_address(2));
    const uint32_t c = 2;
    const ls_value *either = ls_choose(&b.values, c, one, two, true), *value = ls_load(&access, either, 8, 1);
    assert_int_equal(ls_undef(&b.values, value), c ^ 1u);
    assert_int_equal(t.when, 0);
    ls_store(&access, either, ls_constant(&b.values, 8, 9), 1);
    value = ls_load(&access, two, 8, 1);
    assert_int_equal(ls_undef(&b.values, value), c);
    value = ls_load(&access, ls_constant(&b.values, 64, ls_object_address(3)), 8, 1);
    assert_int_equal(t.when, 1);
    (void)value;
    ls_memory_free(&memory);
    close_bench(&b);
}

/* The last way to an answer, which the ways before it leave nothing to do: sums of products in two orders are equal, and not when
 * the invariant that makes one bit 0 is left out. */
static void test_alone(void **state) {
    (void)state;
    bench b;
    char *folder, *error = ls_temporary_folder("ls_alone", &folder);
    assert_null(error);
    open_bench(&b);
    const ls_ir_inst times = {.op = LS_IR_MUL, .bits = 4, .operands = 2}, plus = {.op = LS_IR_ADD, .bits = 4, .operands = 2};
    const ls_value *x = input(&b, 0, 4), *y = input(&b, 4, 4), *z = input(&b, 8, 4),
                   *sum = ls_operate(&b.values, &plus, (const ls_value *const[]){y, z}),
                   *one = ls_operate(&b.values, &times, (const ls_value *const[]){x, sum}),
                   *xy = ls_operate(&b.values, &times, (const ls_value *const[]){x, y}),
                   *xz = ls_operate(&b.values, &times, (const ls_value *const[]){x, z}),
                   *other = ls_operate(&b.values, &plus, (const ls_value *const[]){xy, xz});
    const uint32_t left = ls_bits(&b.values, one)[3], sums = ls_bits(&b.values, other)[3], never = 2 * 13,
                   right = ls_aig_xor(&b.maker, sums, never);
    ls_question list[2] = {{.left = left, .right = sums}, {.left = left, .right = right}};
    ls_solver solver = {&b.maker, list, 2, never ^ 1u, folder, 60, true};
    size_t open;
    uint8_t *example;
    assert_int_equal(ls_solve(&solver, &open, &example, &error), 1);
    assert_int_equal(open, 2);
    assert_null(example);
    assert_true(list[0].answered && list[1].answered);
    solver.invariant = 1;
    list[1].answered = false;
    assert_int_equal(ls_solve(&solver, &open, &example, &error), 0);
    assert_true(list[0].answered && !list[1].answered);
    assert_non_null(example);
    assert_int_equal(example[13], 1);
    solver.count = 1;
    list[0].answered = false;
    solver.seconds = 0; /* no time, no answer */
    free(example);
    assert_int_equal(ls_solve(&solver, &open, &example, &error), 0);
    assert_false(list[0].answered);
    assert_null(example);
    ls_remove_tree(folder);
    free(folder);
    close_bench(&b);
}

/* What was found equal is so where the invariants hold, which are not merged: else they would hold where they do not. */
static void test_merged(void **state) {
    (void)state;
    bench b;
    char *folder, *error = ls_temporary_folder("ls_merged", &folder);
    assert_null(error);
    open_bench(&b);
    const uint32_t one = ls_aig_and(&b.maker, 2, 6), other = ls_aig_and(&b.maker, 4, 6), more = ls_aig_and(&b.maker, 6, 8);
    ls_question list[2] = {{.left = one, .right = other, .answered = true},
                           {.left = ls_aig_and(&b.maker, 2, more), .right = ls_aig_and(&b.maker, 4, more)}};
    const ls_solver solver = {&b.maker, list, 2, ls_aig_xor(&b.maker, one, other) ^ 1u, folder, 60, false};
    size_t open;
    uint8_t *example;
    assert_int_equal(ls_solve(&solver, &open, &example, &error), 1);
    assert_null(example);
    assert_true(list[1].answered);
    ls_remove_tree(folder);
    free(folder);
    close_bench(&b);
}

/* What an invariant says of leaves alone: that they are equal, opposite, constant; at once, or when others are known. */
static void test_claims_of_leaves(void **state) {
    (void)state;
    bench b;
    open_bench(&b);
    ls_aig_maker *m = &b.maker;
    const uint32_t claims[] = {ls_aig_xor(m, 2, 4),                                                 /* 2 is not 1 */
                               7,                                                                   /* 3 is 0 */
                               ls_aig_xor(m, 10, 2) ^ 1u,                                           /* 5 is 1 */
                               ls_aig_and(m, ls_aig_and(m, 6, 14) ^ 1u, ls_aig_xor(m, 8, 11)),      /* 5 is 4 */
                               ls_aig_and(m, ls_aig_and(m, 7, 12) ^ 1u, ls_aig_xor(m, 16, 6) ^ 1u), /* 6 and 8 are 0, as 3 is */
                               ls_aig_and(m, 18, 20) ^ 1u};
    uint32_t holds = 1;
    for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) holds = ls_aig_and(m, holds, claims[i]);
    uint32_t *leaf = ls_claims_leaves(m, holds);
    static const uint32_t want[] = {0, 2, 3, 0, 2, 2, 0, 14, 0, 18, 20, 22};
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) assert_int_equal(leaf[i], want[i]);
    free(leaf);
    leaf = ls_claims_leaves(m, ls_aig_xor(m, 2, ls_aig_and(m, 4, 6))); /* of a gate: nothing */
    for (uint32_t i = 0; i <= m->inputs; i++) assert_int_equal(leaf[i], 2 * i);
    free(leaf);
    close_bench(&b);
}

/* Claims are near to a question that depends on all that they speak of; one that depends on much has none. */
static void test_near_claims(void **state) {
    (void)state;
    ls_aig_maker graph, *const m = &graph;
    ls_aig_begin(m, 300, 0);
    const uint32_t two = ls_aig_and(m, 2, 5) ^ 1u, three = ls_aig_and(m, ls_aig_and(m, 2, 4), 7) ^ 1u,
                   other = ls_aig_and(m, 8, 6) ^ 1u, holds = ls_aig_and(m, ls_aig_and(m, two, three), other);
    ls_claims claims;
    ls_claims_find(&claims, m, holds);
    assert_int_equal(ls_claims_near(&claims, m, ls_aig_xor(m, 2, 10)), 1);
    assert_int_equal(ls_claims_near(&claims, m, ls_aig_xor(m, 2, 4)), two);
    assert_int_equal(ls_claims_near(&claims, m, ls_aig_xor(m, 6, 8)), other);
    assert_int_equal(ls_claims_near(&claims, m, ls_aig_xor(m, ls_aig_xor(m, 2, 4), 6)), ls_aig_and(m, two, three));
    uint32_t all = 1;
    for (uint32_t i = 1; i <= m->inputs; i++) all = ls_aig_and(m, all, 2 * i);
    assert_int_equal(ls_claims_near(&claims, m, all), 1);
    ls_claims_free(&claims);
    ls_aig_drop(m);
}

/* A state in which something is not so obeys the invariant, also where that has taken leaves out of the question; a reset comes
 * in other states too. */
static void test_claims_obeyed(void **state) {
    (void)state;
    bench b;
    char *folder, *error = ls_temporary_folder("ls_obeyed", &folder);
    assert_null(error);
    open_bench(&b);
    ls_question q = {.left = ls_aig_and(&b.maker, 3, 6), .right = 0};
    ls_solver solver = {&b.maker, &q, 1, ls_aig_xor(&b.maker, 2, 4), folder, 60, false};
    for (int alone = 0; alone < 2; alone++) {
        size_t open;
        uint8_t *example;
        solver.alone = alone != 0;
        q.reset = false;
        assert_int_equal(ls_solve(&solver, &open, &example, &error), 0);
        assert_non_null(example);
        assert_int_equal(example[1], 0);
        assert_int_equal(example[2], 1);
        assert_int_equal(example[3], 1);
        free(example);
        const uint32_t right = q.right;
        q.right = ls_aig_and(&b.maker, 4, 6);
        assert_int_equal(ls_solve(&solver, &open, &example, &error), 1);
        q.reset = true;
        q.answered = false;
        assert_int_equal(ls_solve(&solver, &open, &example, &error), 0);
        assert_non_null(example);
        assert_int_equal(example[1], example[2]);
        free(example);
        q.answered = false;
        q.right = right;
    }
    size_t open;
    uint8_t *example;
    q = (ls_question){.left = 0, .right = 1}; /* never so, and the invariant is near to nothing */
    solver.alone = false;
    solver.invariant = ls_aig_and(&b.maker, 3, 5) ^ 1u;
    assert_int_equal(ls_solve(&solver, &open, &example, &error), 0);
    assert_non_null(example);
    assert_true(example[1] || example[2]);
    free(example);
    ls_remove_tree(folder);
    free(folder);
    close_bench(&b);
}

/* Sums of the same literals, added up in two orders, are one gate in another graph, and mean what they did; one of three is left as
 * it is. */
static void test_sums(void **state) {
    (void)state;
    bench b;
    char *folder, *error = ls_temporary_folder("ls_sums", &folder);
    assert_null(error);
    open_bench(&b);
    ls_aig_maker *m = &b.maker;
    enum { PARTS = 40 };
    uint32_t part[PARTS], other[PARTS], chain = 0, half = 0;
    for (uint32_t i = 0; i < PARTS; i++) part[i] = i % 5 == 4 ? ls_aig_and(m, 2 * i, 2 * i + 9) : 2 * (i + 1) + (i & 1u);
    part[7] = part[3]; /* there twice */
    for (uint32_t i = 0; i < PARTS; i++) other[i] = part[i * 7 % PARTS] ^ (i == 3 || i == 20);
    for (uint32_t i = 0; i < PARTS; i++) {
        chain = ls_aig_xor(m, chain, part[i]);
        if (i == PARTS / 2) half = ls_aig_and(m, chain, 2 * 60); /* a sum inside that others use too */
    }
    for (uint32_t step = 1; step < PARTS; step *= 2)
        for (uint32_t i = 0; i + step < PARTS; i += 2 * step) other[i] = ls_aig_xor(m, other[i], other[i + step]);
    const uint32_t three = ls_aig_xor(m, ls_aig_xor(m, 2, 4), 6);
    assert_true(chain != other[0]);
    bool *used = ls_alloc(m->inputs + m->gates + 1, sizeof *used);
    used[chain >> 1] = used[other[0] >> 1] = used[three >> 1] = used[half >> 1] = true;
    ls_sums sums;
    ls_sums_find(&sums, m, used);
    assert_int_equal(sums.first[three >> 1], 0);
    ls_aig_maker graph;
    ls_aig_begin(&graph, INPUTS, 0);
    uint32_t *map = ls_alloc(m->inputs + m->gates + 1, sizeof *map), found = 0;
    for (uint32_t i = 1; i <= m->inputs; i++) map[i] = 2 * i;
    for (uint32_t i = m->inputs + 1; i <= m->inputs + m->gates; i++) {
        const uint32_t *in = m->gate[i - m->inputs - 1];
        found += sums.first[i] != 0;
        map[i] = sums.first[i] != 0 ? ls_sums_put(&sums, i, map, &graph)
                                    : ls_aig_and(&graph, ls_aig_became(map, in[0]), ls_aig_became(map, in[1]));
    }
    assert_int_equal(found, 3);
    assert_int_equal(ls_aig_became(map, chain), ls_aig_became(map, other[0]));
    draw(&b);
    uint64_t *now = ls_alloc(graph.inputs + graph.gates + 1, sizeof *now);
    memcpy(now, b.now, (INPUTS + 1) * sizeof *now);
    ls_simulate(m, b.now);
    ls_simulate(&graph, now);
    for (uint32_t i = 1; i <= m->inputs + m->gates; i++) assert_true(ls_simulated(now, map[i]) == b.now[i]);
    ls_question list[2] = {{.left = chain, .right = other[0]}, {.left = chain ^ 1u, .right = other[0] ^ 1u}};
    const ls_solver solver = {m, list, 2, 1, folder, 0, true}; /* no time: none is needed */
    size_t open;
    uint8_t *example;
    assert_int_equal(ls_solve(&solver, &open, &example, &error), 1);
    ls_sums_free(&sums);
    ls_aig_drop(&graph);
    free(map);
    free(now);
    free(used);
    ls_remove_tree(folder);
    free(folder);
    close_bench(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_operations),
                                       cmocka_unit_test(test_zeros),
                                       cmocka_unit_test(test_zeros_of_known_bits),
                                       cmocka_unit_test(test_refused_width),
                                       cmocka_unit_test(test_undefined),
                                       cmocka_unit_test(test_memory),
                                       cmocka_unit_test(test_choice),
                                       cmocka_unit_test(test_alone),
                                       cmocka_unit_test(test_merged),
                                       cmocka_unit_test(test_claims_of_leaves),
                                       cmocka_unit_test(test_near_claims),
                                       cmocka_unit_test(test_claims_obeyed),
                                       cmocka_unit_test(test_sums)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
