/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/cells.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/proof/value.h"

typedef enum op {
    POS,
    NOT,
    AND,
    OR,
    XOR,
    XNOR,
    MUX, /* bit by bit until here */
    ALL,
    ANY,
    ODD,
    EVEN,
    NONE,
    BOTH,
    EITHER,
    EQUAL,
    UNEQUAL,
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
    ADD,
    SUB,
    NEG,
    MUL,
    DIV,
    MOD,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    SHIFT_SIGNED_RIGHT,
    SHIFT,
    UNKNOWN
} op;

static const struct {
    const char *name;
    op op;
} types[] = {{"$pos", POS},         {"$not", NOT},          {"$and", AND},
             {"$or", OR},           {"$xor", XOR},          {"$xnor", XNOR},
             {"$mux", MUX},         {"$reduce_and", ALL},   {"$reduce_or", ANY},
             {"$reduce_bool", ANY}, {"$reduce_xor", ODD},   {"$reduce_xnor", EVEN},
             {"$logic_not", NONE},  {"$logic_and", BOTH},   {"$logic_or", EITHER},
             {"$eq", EQUAL},        {"$eqx", EQUAL},        {"$ne", UNEQUAL},
             {"$nex", UNEQUAL},     {"$lt", LESS},          {"$le", LESS_EQUAL},
             {"$gt", GREATER},      {"$ge", GREATER_EQUAL}, {"$add", ADD},
             {"$sub", SUB},         {"$neg", NEG},          {"$mul", MUL},
             {"$div", DIV},         {"$mod", MOD},          {"$shl", SHIFT_LEFT},
             {"$sshl", SHIFT_LEFT}, {"$shr", SHIFT_RIGHT},  {"$sshr", SHIFT_SIGNED_RIGHT},
             {"$shift", SHIFT},     {"$shiftx", SHIFT}};

static op find(const char *type) {
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (strcmp(types[i].name, type) == 0) return types[i].op;
    return UNKNOWN;
}

bool ls_cell_known(const char *type, bool *bitwise) {
    const op o = find(type);
    *bitwise = o <= MUX;
    return o != UNKNOWN;
}

/* A number's bit i, also above its width. */
static uint32_t bit_of(const uint32_t *a, uint32_t bits, bool is_signed, uint32_t i) {
    return i < bits ? a[i] : is_signed && bits > 0 ? a[bits - 1] : 0;
}

static uint32_t *widened(const uint32_t *a, uint32_t bits, bool is_signed, uint32_t to) {
    uint32_t *wide = ls_alloc(to + 1, sizeof *wide);
    for (uint32_t i = 0; i < to; i++) wide[i] = bit_of(a, bits, is_signed, i);
    return wide;
}

static uint32_t or_(ls_aig_maker *m, uint32_t a, uint32_t b) { return ls_aig_and(m, a ^ 1u, b ^ 1u) ^ 1u; }

static void multiply(ls_aig_maker *m, const uint32_t *a, const uint32_t *b, uint32_t bits, uint32_t *product) {
    uint32_t *part = ls_alloc(bits + 1, sizeof *part), *sum = ls_alloc(bits + 1, sizeof *sum);
    for (uint32_t i = 0; i < bits; i++) {
        if (b[i] == 0) continue;
        for (uint32_t k = 0; k + i < bits; k++) part[k] = ls_aig_and(m, a[k], b[i]);
        (void)ls_add(m, sum + i, part, 0, 0, bits - i, sum + i);
    }
    memcpy(product, sum, bits * sizeof *product);
    free(part);
    free(sum);
}

static void negate_if(ls_aig_maker *m, uint32_t when, uint32_t *a, uint32_t bits) {
    uint32_t carry = when;
    for (uint32_t i = 0; i < bits; i++) {
        const uint32_t x = ls_aig_xor(m, a[i], when);
        a[i] = ls_aig_xor(m, x, carry);
        carry = ls_aig_and(m, x, carry);
    }
}

/* Of whole numbers, towards 0; 0 where b is 0, as X is. `a` becomes the quotient or the remainder. */
static void divide(ls_aig_maker *m, uint32_t *a, uint32_t *b, uint32_t bits, bool is_signed, bool remainder) {
    const uint32_t minus_a = is_signed ? a[bits - 1] : 0, minus_b = is_signed ? b[bits - 1] : 0, some = ls_any(m, b, bits);
    uint32_t *rest = ls_alloc(bits + 2, sizeof *rest), *left = ls_alloc(bits + 2, sizeof *left),
             *by = ls_alloc(bits + 2, sizeof *by);
    negate_if(m, minus_a, a, bits);
    negate_if(m, minus_b, b, bits);
    memcpy(by, b, bits * sizeof *by);
    for (uint32_t i = bits; i-- > 0;) {
        memmove(rest + 1, rest, bits * sizeof *rest);
        rest[0] = a[i];
        a[i] = ls_add(m, rest, by, 1, 1, bits + 1, left);
        for (uint32_t k = 0; k <= bits; k++) rest[k] = ls_aig_choose(m, a[i], left[k], rest[k]);
    }
    if (remainder) memcpy(a, rest, bits * sizeof *a);
    negate_if(m, remainder ? minus_a : ls_aig_xor(m, minus_a, minus_b), a, bits);
    for (uint32_t i = 0; i < bits; i++) a[i] = ls_aig_and(m, a[i], some);
    free(rest);
    free(left);
    free(by);
}

/* Bit i of the result is bit i + b of a; `fill` above a's width, 0 below it. From the highest bit of b down, each chooses the
 * half of what is left that may still be needed. */
static void select_part(ls_aig_maker *m, const uint32_t *a, uint32_t a_bits, uint32_t fill, const uint32_t *b, uint32_t b_bits,
                        bool b_signed, uint32_t *y, uint32_t bits) {
    uint32_t steps = 0;
    while (steps < 31 && UINT32_C(1) << steps < (a_bits > bits ? a_bits : bits)) steps++;
    const uint32_t sign = b_signed ? b[b_bits - 1] : 0;
    if (steps > b_bits - b_signed) steps = b_bits - b_signed;
    uint32_t count = bits + (UINT32_C(1) << steps) - 1, beyond = 0; /* b is too large, or too small */
    for (uint32_t i = steps; i < b_bits; i++) beyond = or_(m, beyond, ls_aig_xor(m, b[i], sign));
    uint32_t *now = ls_alloc(count + 1, sizeof *now);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t down = UINT32_C(1) << steps, here = i < a_bits ? a[i] : fill,
                       there = i < down            ? 0
                               : i - down < a_bits ? a[i - down]
                                                   : fill;
        now[i] = ls_aig_choose(m, sign, there, here);
    }
    while (steps-- > 0) {
        count = bits + (UINT32_C(1) << steps) - 1;
        for (uint32_t i = 0; i < count; i++) now[i] = ls_aig_choose(m, b[steps], now[i + (UINT32_C(1) << steps)], now[i]);
    }
    for (uint32_t i = 0; i < bits; i++) y[i] = ls_aig_choose(m, beyond, ls_aig_choose(m, sign, 0, fill), now[i]);
    free(now);
}

/* Towards higher bits: the same, read backwards. */
static void shift_left(ls_aig_maker *m, const uint32_t *a, const uint32_t *b, uint32_t b_bits, uint32_t *y, uint32_t bits) {
    uint32_t *back = ls_alloc(bits + 1, sizeof *back), *result = ls_alloc(bits + 1, sizeof *result);
    for (uint32_t i = 0; i < bits; i++) back[i] = a[bits - 1 - i];
    select_part(m, back, bits, 0, b, b_bits, false, result, bits);
    for (uint32_t i = 0; i < bits; i++) y[i] = result[bits - 1 - i];
    free(back);
    free(result);
}

static uint32_t one_bit(ls_aig_maker *m, op o, const ls_cell *c) {
    uint32_t odd = 0, all = 1;
    for (uint32_t i = 0; i < c->a_bits; i++) {
        if (o == ODD || o == EVEN) odd = ls_aig_xor(m, odd, c->a[i]);
        if (o == ALL) all = ls_aig_and(m, all, c->a[i]);
    }
    switch (o) {
    case ALL:
        return all;
    case ODD:
        return odd;
    case EVEN:
        return odd ^ 1u;
    case ANY:
        return ls_any(m, c->a, c->a_bits);
    case NONE:
        return ls_any(m, c->a, c->a_bits) ^ 1u;
    case BOTH:
        return ls_aig_and(m, ls_any(m, c->a, c->a_bits), ls_any(m, c->b, c->b_bits));
    default:
        return or_(m, ls_any(m, c->a, c->a_bits), ls_any(m, c->b, c->b_bits));
    }
}

/* The operands are made as wide, and are the caller's no more. */
static uint32_t compare(ls_aig_maker *m, op o, uint32_t *a, uint32_t *b, uint32_t bits, bool is_signed) {
    uint32_t same = 1;
    for (uint32_t i = bits; i-- > 0 && (o == EQUAL || o == UNEQUAL);) same = ls_aig_and(m, same, ls_aig_xor(m, a[i], b[i]) ^ 1u);
    if (is_signed && bits > 0) { /* as if both were moved up by half of the range */
        a[bits - 1] ^= 1u;
        b[bits - 1] ^= 1u;
    }
    switch (o) {
    case EQUAL:
        return same;
    case UNEQUAL:
        return same ^ 1u;
    case LESS:
        return ls_below(m, a, b, bits);
    case LESS_EQUAL:
        return ls_below(m, b, a, bits) ^ 1u;
    case GREATER:
        return ls_below(m, b, a, bits);
    default:
        return ls_below(m, a, b, bits) ^ 1u;
    }
}

static void bit_by_bit(ls_aig_maker *m, op o, const uint32_t *a, const uint32_t *b, const uint32_t *s, uint32_t bits,
                       uint32_t *y) {
    for (uint32_t i = 0; i < bits; i++) {
        switch (o) {
        case NOT:
            y[i] = a[i] ^ 1u;
            break;
        case AND:
            y[i] = ls_aig_and(m, a[i], b[i]);
            break;
        case OR:
            y[i] = or_(m, a[i], b[i]);
            break;
        case XOR:
            y[i] = ls_aig_xor(m, a[i], b[i]);
            break;
        case XNOR:
            y[i] = ls_aig_xor(m, a[i], b[i]) ^ 1u;
            break;
        case MUX:
            y[i] = ls_aig_choose(m, s[0], b[i], a[i]);
            break;
        default:
            y[i] = a[i];
        }
    }
}

void ls_cell_make(ls_aig_maker *m, const ls_cell *c, uint32_t *y) {
    const op o = find(c->type);
    const bool both = c->a_signed && (c->b_signed || c->b == NULL), compares = o >= EQUAL && o <= GREATER_EQUAL;
    uint32_t bits = c->bits;
    if (compares) bits = c->a_bits > c->b_bits ? c->a_bits : c->b_bits;
    if ((o == DIV || o == MOD || o == SHIFT_RIGHT || o == SHIFT_SIGNED_RIGHT) && c->a_bits > bits) bits = c->a_bits;
    if ((o == DIV || o == MOD) && c->b_bits > bits) bits = c->b_bits;
    uint32_t *a = widened(c->a, c->a_bits, o >= SHIFT_LEFT ? c->a_signed : both, bits),
             *b = widened(c->b, c->b != NULL ? c->b_bits : 0, both, bits), *zero = ls_alloc(bits + 1, sizeof *zero),
             *out = ls_alloc(bits + c->bits + 1, sizeof *out);
    if (o <= MUX) bit_by_bit(m, o, a, b, c->s, bits, out);
    else if (compares) out[0] = compare(m, o, a, b, bits, both);
    else if (o <= EITHER) out[0] = one_bit(m, o, c);
    else if (o == ADD || o == SUB) (void)ls_add(m, a, b, o == SUB, o == SUB, bits, out);
    else if (o == NEG) (void)ls_add(m, zero, a, 1, 1, bits, out);
    else if (o == MUL) multiply(m, a, b, bits, out);
    else if (o == DIV || o == MOD) {
        divide(m, a, b, bits, both, o == MOD);
        memcpy(out, a, bits * sizeof *out);
    } else if (o == SHIFT_LEFT) shift_left(m, a, c->b, c->b_bits, out, bits);
    else if (o == SHIFT && c->a_signed && bits > c->a_bits && strcmp(c->type, "$shift") == 0)
        select_part(m, a, bits, 0, c->b, c->b_bits, c->b_signed, out, c->bits);
    else if (o == SHIFT) select_part(m, c->a, c->a_bits, 0, c->b, c->b_bits, c->b_signed, out, c->bits);
    else select_part(m, a, bits, o == SHIFT_SIGNED_RIGHT && c->a_signed ? a[bits - 1] : 0, c->b, c->b_bits, false, out, c->bits);
    if (o > MUX && o <= GREATER_EQUAL) bits = 1;
    for (uint32_t i = 0; i < c->bits; i++) y[i] = i < bits ? out[i] : 0;
    free(a);
    free(b);
    free(zero);
    free(out);
}
