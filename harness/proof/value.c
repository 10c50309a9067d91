/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/value.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/rng.h"
#include "harness/base/text.h"

#define ROOM (1u << 20)

struct ls_value_room {
    struct ls_value_room *before;
    _Alignas(16) uint8_t bytes[];
};

static void *reserve(ls_values *v, size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (v->room == NULL || v->used + size > ROOM) {
        struct ls_value_room *room = ls_alloc(1, sizeof *room + (size > ROOM ? size : ROOM));
        room->before = v->room;
        v->room = room;
        v->rooms++;
        v->used = 0;
    }
    void *at = v->room->bytes + v->used;
    v->used += size;
    return at;
}

void ls_values_free(ls_values *v) {
    while (v->room != NULL) {
        struct ls_value_room *room = v->room;
        v->room = room->before;
        free(room);
    }
}

const ls_value *ls_constant(ls_values *v, uint32_t bits, uint64_t number) {
    ls_value *value = reserve(v, sizeof *value);
    *value = (ls_value){.form = LS_CONSTANT, .bits = bits, .number = number & ls_mask(bits)};
    if (bits <= 64) return value;
    value->form = LS_LITERALS;
    value->bit = reserve(v, bits * sizeof *value->bit);
    for (uint32_t i = 0; i < bits; i++) value->bit[i] = i < 64 ? (uint32_t)(number >> i & 1) : 0;
    return value;
}

const ls_value *ls_literals(ls_values *v, uint32_t bits, const uint32_t *bit, const uint32_t *undef) {
    bool constant = bits <= 64, defined = true;
    uint64_t number = 0;
    for (uint32_t i = 0; i < bits; i++) {
        if (bit[i] > 1) constant = false;
        else if (i < 64) number |= (uint64_t)bit[i] << i;
        if (undef != NULL && undef[i] != 0) defined = false;
    }
    if (constant && defined) return ls_constant(v, bits, number);
    ls_value *value = reserve(v, sizeof *value);
    *value = (ls_value){.form = LS_LITERALS, .bits = bits};
    value->bit = reserve(v, bits * sizeof *value->bit);
    memcpy(value->bit, bit, bits * sizeof *bit);
    if (!defined) {
        uint32_t *copy = reserve(v, bits * sizeof *copy);
        memcpy(copy, undef, bits * sizeof *copy);
        value->undef = copy;
    }
    return value;
}

const ls_value *ls_undefined(ls_values *v, uint32_t bits) {
    uint32_t zero[LS_IR_BITS_MAX] = {0}, all[LS_IR_BITS_MAX];
    for (uint32_t i = 0; i < bits; i++) all[i] = 1;
    return ls_literals(v, bits, zero, all);
}

const ls_value *ls_limit(ls_values *v, const ls_value *value, uint64_t limit) {
    uint32_t bit[LS_IR_BITS_MAX], bits = 0;
    if (value->form != LS_LITERALS || value->bits > 64 || limit == 0) return value;
    while (bits < value->bits && (limit - 1) >> bits != 0) bits++;
    for (uint32_t i = 0; i < value->bits; i++) bit[i] = i < bits ? value->bit[i] : 0;
    ls_value *limited = (ls_value *)(uintptr_t)ls_literals(v, value->bits, bit, value->undef); /* just made */
    limited->whole = value->whole != NULL ? value->whole : value;
    return limited;
}

const ls_value *ls_address(ls_values *v, const ls_value *base, int64_t offset, const ls_term *term, uint32_t terms) {
    if (base->form == LS_CHOICE) {
        ls_value *value = reserve(v, sizeof *value);
        *value = *base;
        value->bit = NULL;
        value->then = ls_address(v, base->then, offset, term, terms);
        value->otherwise = ls_address(v, base->otherwise, offset, term, terms);
        return value;
    }
    ls_term list[16];
    uint32_t count = 0;
    int64_t sum = (int64_t)(base->form == LS_LITERALS ? 0 : base->number) + offset;
    if (base->form == LS_ADDRESS)
        for (; count < base->terms && count < 16; count++) list[count] = base->term[count];
    if (base->form == LS_LITERALS) list[count++] = (ls_term){base, 1};
    for (uint32_t i = 0; i < terms; i++) {
        if (term[i].index->form == LS_CONSTANT) sum += (int64_t)term[i].index->number * term[i].scale;
        else if (count < 16) list[count++] = term[i];
        else ls_die("an address of more than 16 indices");
    }
    if (count == 0) return ls_constant(v, 64, (uint64_t)sum);
    ls_value *value = reserve(v, sizeof *value);
    *value = (ls_value){.form = LS_ADDRESS, .bits = 64, .number = (uint64_t)sum, .terms = count};
    ls_term *copy = reserve(v, count * sizeof *copy);
    memcpy(copy, list, count * sizeof *copy);
    value->term = copy;
    uint32_t undef = 0;
    for (uint32_t i = 0; i < count; i++) undef = ls_aig_and(v->maker, undef ^ 1u, ls_undef(v, list[i].index) ^ 1u) ^ 1u;
    if (undef != 0) {
        uint32_t *all = reserve(v, 64 * sizeof *all);
        for (uint32_t i = 0; i < 64; i++) all[i] = undef;
        value->undef = all;
    }
    return value;
}

/* Arithmetic on literals ----------------------------------------------------------------------------------------------------- */

static uint32_t or_(ls_aig_maker *m, uint32_t a, uint32_t b) { return ls_aig_and(m, a ^ 1u, b ^ 1u) ^ 1u; }

uint32_t ls_any(ls_aig_maker *m, const uint32_t *bit, uint32_t count) {
    uint32_t any = 0;
    for (uint32_t i = 0; i < count; i++) any = or_(m, any, bit[i]);
    return any;
}

uint32_t ls_add(ls_aig_maker *m, const uint32_t *a, const uint32_t *b, uint32_t invert, uint32_t carry, uint32_t bits,
                uint32_t *sum) {
    for (uint32_t i = 0; i < bits; i++) {
        const uint32_t x = a[i], y = b[i] ^ invert, half = ls_aig_xor(m, x, y);
        const uint32_t next = or_(m, ls_aig_and(m, x, y), ls_aig_and(m, half, carry));
        sum[i] = ls_aig_xor(m, half, carry);
        carry = next;
    }
    return carry;
}

uint32_t ls_below(ls_aig_maker *m, const uint32_t *a, const uint32_t *b, uint32_t bits) {
    uint32_t below = 0;
    for (uint32_t i = 0; i < bits; i++) below = ls_aig_choose(m, ls_aig_xor(m, a[i], b[i]), b[i], below);
    return below;
}

static uint32_t equal(ls_aig_maker *m, const uint32_t *a, const uint32_t *b, uint32_t bits) {
    uint32_t same = 1;
    for (uint32_t i = 0; i < bits; i++) same = ls_aig_and(m, same, ls_aig_xor(m, a[i], b[i]) ^ 1u);
    return same;
}

static void multiply(ls_aig_maker *m, const uint32_t *a, const uint32_t *b, uint32_t bits, uint32_t *out) {
    uint32_t free_a = 0, free_b = 0, sum[2 * LS_IR_BITS_MAX] = {0};
    for (uint32_t i = 0; i < bits; i++) {
        free_a += a[i] != 0;
        free_b += b[i] != 0;
    }
    const uint32_t *by = free_a < free_b ? a : b, *what = free_a < free_b ? b : a;
    for (uint32_t i = 0; i < bits; i++) {
        uint32_t part[2 * LS_IR_BITS_MAX];
        if (by[i] == 0) continue;
        for (uint32_t k = 0; k + i < bits; k++) part[k] = ls_aig_and(m, what[k], by[i]);
        (void)ls_add(m, sum + i, part, 0, 0, bits - i, sum + i);
    }
    memcpy(out, sum, bits * sizeof *out);
}

/* Restoring division of unsigned numbers; b is not 0. */
static void divide(ls_aig_maker *m, const uint32_t *a, const uint32_t *b, uint32_t bits, uint32_t *quotient,
                   uint32_t *remainder) {
    uint32_t rest[LS_IR_BITS_MAX + 1] = {0}, wide[LS_IR_BITS_MAX + 1] = {0};
    memcpy(wide, b, bits * sizeof *b);
    for (uint32_t i = bits; i-- > 0;) {
        uint32_t less[LS_IR_BITS_MAX + 1];
        memmove(rest + 1, rest, bits * sizeof *rest);
        rest[0] = a[i];
        const uint32_t fits = ls_add(m, rest, wide, 1, 1, bits + 1, less);
        for (uint32_t k = 0; k <= bits; k++) rest[k] = ls_aig_choose(m, fits, less[k], rest[k]);
        quotient[i] = fits;
    }
    memcpy(remainder, rest, bits * sizeof *rest);
}

static void negate_if(ls_aig_maker *m, uint32_t when, const uint32_t *a, uint32_t bits, uint32_t *out) {
    uint32_t zero[LS_IR_BITS_MAX] = {0}, minus[LS_IR_BITS_MAX];
    (void)ls_add(m, zero, a, 1, 1, bits, minus);
    for (uint32_t i = 0; i < bits; i++) out[i] = ls_aig_choose(m, when, minus[i], a[i]);
}

static void divide_signed(ls_aig_maker *m, const uint32_t *a, const uint32_t *b, uint32_t bits, uint32_t *quotient,
                          uint32_t *remainder) {
    uint32_t x[LS_IR_BITS_MAX], y[LS_IR_BITS_MAX];
    const uint32_t minus_a = a[bits - 1], minus_b = b[bits - 1];
    negate_if(m, minus_a, a, bits, x);
    negate_if(m, minus_b, b, bits, y);
    divide(m, x, y, bits, quotient, remainder);
    negate_if(m, ls_aig_xor(m, minus_a, minus_b), quotient, bits, quotient);
    negate_if(m, minus_a, remainder, bits, remainder);
}

/* Towards higher bits; `bits` need be no power of two. */
static void shift(ls_aig_maker *m, const uint32_t *a, const uint32_t *by, uint32_t bits, bool left, uint32_t fill,
                  uint32_t *out) {
    uint32_t now[LS_IR_BITS_MAX], next[LS_IR_BITS_MAX];
    memcpy(now, a, bits * sizeof *a);
    for (uint32_t s = 0; s < bits && UINT64_C(1) << s < bits; s++) {
        const uint32_t step = 1u << s;
        if (by[s] == 0) continue;
        for (uint32_t i = 0; i < bits; i++) {
            const uint32_t moved = left ? (i >= step ? now[i - step] : fill) : (i + step < bits ? now[i + step] : fill);
            next[i] = ls_aig_choose(m, by[s], moved, now[i]);
        }
        memcpy(now, next, bits * sizeof *now);
    }
    memcpy(out, now, bits * sizeof *now);
}

static void count_ones(ls_aig_maker *m, const uint32_t *a, uint32_t bits, uint32_t *out) {
    uint32_t sum[LS_IR_BITS_MAX] = {0};
    for (uint32_t i = 0; i < bits; i++) {
        uint32_t carry = a[i];
        for (uint32_t k = 0; k < bits && carry != 0; k++) {
            const uint32_t both = ls_aig_and(m, sum[k], carry);
            sum[k] = ls_aig_xor(m, sum[k], carry);
            carry = both;
        }
    }
    memcpy(out, sum, bits * sizeof *out);
}

/* Zeros below the lowest one, or above the highest. When it need not count those of 0 the last bit that may be one is not asked
 * for: it is the one when no other is. */
static void zeros(ls_aig_maker *m, const uint32_t *a, uint32_t bits, bool trailing, bool never_0, uint32_t *out) {
    uint32_t now[LS_IR_BITS_MAX], last = bits;
    while (never_0 && last > 1 && a[trailing ? last - 1 : bits - last] == 0) last--;
    for (uint32_t k = 0; k < bits; k++) now[k] = k < 32 ? (last - never_0) >> k & 1 : 0;
    for (uint32_t i = last - never_0; i-- > 0;) {
        const uint32_t seen = a[trailing ? i : bits - 1 - i];
        for (uint32_t k = 0; k < bits; k++) now[k] = ls_aig_choose(m, seen, k < 32 ? i >> k & 1 : 0, now[k]);
    }
    memcpy(out, now, bits * sizeof *out);
}

/* Values --------------------------------------------------------------------------------------------------------------------- */

const uint32_t *ls_bits(ls_values *v, const ls_value *value) {
    if (value->bit != NULL) return value->bit;
    uint32_t *bit = reserve(v, value->bits * sizeof *bit);
    ls_aig_maker *const m = v->maker;
    switch (value->form) {
    case LS_LITERALS:
    case LS_CONSTANT:
        for (uint32_t i = 0; i < value->bits; i++) bit[i] = (uint32_t)(value->number >> i & 1);
        break;
    case LS_ADDRESS:
        for (uint32_t i = 0; i < 64; i++) bit[i] = (uint32_t)(value->number >> i & 1);
        for (uint32_t t = 0; t < value->terms; t++) {
            uint32_t scale[64], product[64];
            for (uint32_t i = 0; i < 64; i++) scale[i] = (uint32_t)((uint64_t)value->term[t].scale >> i & 1);
            multiply(m, ls_bits(v, value->term[t].index), scale, 64, product);
            (void)ls_add(m, bit, product, 0, 0, 64, bit);
        }
        break;
    case LS_CHOICE: {
        const uint32_t *a = ls_bits(v, value->then), *b = ls_bits(v, value->otherwise);
        for (uint32_t i = 0; i < value->bits; i++) bit[i] = ls_aig_choose(m, (uint32_t)value->number, a[i], b[i]);
        break;
    }
    }
    ((ls_value *)(uintptr_t)value)->bit = bit; /* a cache: what the value is does not change */
    return bit;
}

uint32_t ls_undef(ls_values *v, const ls_value *value) {
    return value->undef == NULL ? 0 : ls_any(v->maker, value->undef, value->bits);
}

const ls_value *ls_choose(ls_values *v, uint32_t c, const ls_value *a, const ls_value *b, bool pointer) {
    if (c == 1 || a == b) return a;
    if (c == 0) return b;
    if (a->form == LS_CONSTANT && b->form == LS_CONSTANT && a->number == b->number) return a;
    uint32_t bit[LS_IR_BITS_MAX], undef[LS_IR_BITS_MAX];
    const bool some = a->undef != NULL || b->undef != NULL;
    for (uint32_t i = 0; i < a->bits && some; i++)
        undef[i] = ls_aig_choose(v->maker, c, a->undef != NULL ? a->undef[i] : 0, b->undef != NULL ? b->undef[i] : 0);
    if (pointer) {
        ls_value *value = reserve(v, sizeof *value);
        *value = (ls_value){.form = LS_CHOICE, .bits = a->bits, .number = c, .then = a, .otherwise = b};
        if (!some) return value;
        uint32_t *copy = reserve(v, a->bits * sizeof *copy);
        memcpy(copy, undef, a->bits * sizeof *copy);
        value->undef = copy;
        return value;
    }
    const uint32_t *x = ls_bits(v, a), *y = ls_bits(v, b);
    /* Of what has no value any value will do: that of the other side. */
    for (uint32_t i = 0; i < a->bits; i++)
        bit[i] = a->undef != NULL && a->undef[i] == 1   ? y[i]
                 : b->undef != NULL && b->undef[i] == 1 ? x[i]
                                                        : ls_aig_choose(v->maker, c, x[i], y[i]);
    return ls_literals(v, a->bits, bit, some ? undef : NULL);
}

static int64_t sign_extended(uint64_t number, uint32_t bits) {
    return bits >= 64 ? (int64_t)number : (int64_t)(number << (64 - bits)) >> (64 - bits);
}

static bool compares(uint32_t order, uint64_t a, uint64_t b, uint32_t bits) {
    const int64_t x = sign_extended(a, bits), y = sign_extended(b, bits);
    switch ((ls_ir_order)order) {
    case LS_IR_EQ:
        return a == b;
    case LS_IR_NE:
        return a != b;
    case LS_IR_UGT:
        return a > b;
    case LS_IR_UGE:
        return a >= b;
    case LS_IR_ULT:
        return a < b;
    case LS_IR_ULE:
        return a <= b;
    case LS_IR_SGT:
        return x > y;
    case LS_IR_SGE:
        return x >= y;
    case LS_IR_SLT:
        return x < y;
    case LS_IR_SLE:
        return x <= y;
    }
    return false;
}

/* The plain operations of two numbers, without a look at the graph; false: not one of them, or one without a result. */
static bool compute(ls_ir_op op, uint32_t bits, uint64_t a, uint64_t b, uint64_t *out) {
    switch (op) {
    case LS_IR_ADD:
        *out = a + b;
        return true;
    case LS_IR_SUB:
        *out = a - b;
        return true;
    case LS_IR_MUL:
        *out = a * b;
        return true;
    case LS_IR_AND:
        *out = a & b;
        return true;
    case LS_IR_OR:
        *out = a | b;
        return true;
    case LS_IR_XOR:
        *out = a ^ b;
        return true;
    case LS_IR_UDIV:
        *out = b != 0 ? a / b : 0;
        return b != 0;
    case LS_IR_UREM:
        *out = b != 0 ? a % b : 0;
        return b != 0;
    case LS_IR_SHL:
        *out = b < bits ? a << b : 0;
        return b < bits;
    case LS_IR_LSHR:
        *out = b < bits ? a >> b : 0;
        return b < bits;
    case LS_IR_ASHR:
        *out = b < bits ? (uint64_t)(sign_extended(a, bits) >> b) : 0;
        return b < bits;
    default:
        return false;
    }
}

static uint32_t order_literal(ls_aig_maker *m, uint32_t order, const uint32_t *a, const uint32_t *b, uint32_t bits) {
    if (order == LS_IR_EQ || order == LS_IR_NE) return equal(m, a, b, bits) ^ (order == LS_IR_NE);
    uint32_t x[LS_IR_BITS_MAX], y[LS_IR_BITS_MAX];
    memcpy(x, a, bits * sizeof *x);
    memcpy(y, b, bits * sizeof *y);
    if (order >= LS_IR_SGT) { /* as if both were moved up by half of the range */
        x[bits - 1] ^= 1u;
        y[bits - 1] ^= 1u;
        order -= LS_IR_SGT - LS_IR_UGT;
    }
    switch ((ls_ir_order)order) {
    case LS_IR_UGT:
        return ls_below(m, y, x, bits);
    case LS_IR_UGE:
        return ls_below(m, x, y, bits) ^ 1u;
    case LS_IR_ULT:
        return ls_below(m, x, y, bits);
    default:
        return ls_below(m, y, x, bits) ^ 1u;
    }
}

/* Sum, difference or product with one bit more, which says whether it is another than that of whole numbers. */
static void checked(ls_aig_maker *m, ls_ir_op op, bool is_signed, const uint32_t *a, const uint32_t *b, uint32_t bits,
                    uint32_t *out) {
    const uint32_t wide = op == LS_IR_CHECKED_MUL ? 2 * bits : bits + 2;
    uint32_t x[2 * LS_IR_BITS_MAX + 2] = {0}, y[2 * LS_IR_BITS_MAX + 2] = {0}, result[2 * LS_IR_BITS_MAX + 2];
    for (uint32_t i = 0; i < wide; i++) {
        x[i] = i < bits ? a[i] : is_signed ? a[bits - 1] : 0;
        y[i] = i < bits ? b[i] : is_signed ? b[bits - 1] : 0;
    }
    if (op == LS_IR_CHECKED_MUL) multiply(m, x, y, wide, result);
    else (void)ls_add(m, x, y, op == LS_IR_CHECKED_SUB, op == LS_IR_CHECKED_SUB, wide, result);
    uint32_t over = 0;
    for (uint32_t i = bits; i < wide; i++) over = or_(m, over, ls_aig_xor(m, result[i], is_signed ? result[bits - 1] : 0));
    memcpy(out, result, bits * sizeof *out);
    out[bits] = over;
}

static void saturated(ls_aig_maker *m, ls_ir_op op, bool is_signed, const uint32_t *a, const uint32_t *b, uint32_t bits,
                      uint32_t *out) {
    uint32_t result[LS_IR_BITS_MAX + 1];
    checked(m, op == LS_IR_SATURATED_ADD ? LS_IR_CHECKED_ADD : LS_IR_CHECKED_SUB, is_signed, a, b, bits, result);
    const uint32_t low = is_signed ? a[bits - 1] : op == LS_IR_SATURATED_SUB; /* it went below */
    for (uint32_t i = 0; i < bits; i++) {
        const uint32_t limit = is_signed && i == bits - 1 ? low : low ^ 1u;
        out[i] = ls_aig_choose(m, result[bits], limit, result[i]);
    }
}

/* Operations of literals that have a value. */
static bool operate_bits(ls_values *v, const ls_ir_inst *inst, const uint32_t *const *x, uint32_t from, uint32_t *out) {
    ls_aig_maker *const m = v->maker;
    const uint32_t bits = inst->bits, *a = x[0], *b = x[1];
    uint32_t other[LS_IR_BITS_MAX];
    switch (inst->op) {
    case LS_IR_ADD:
        (void)ls_add(m, a, b, 0, 0, bits, out);
        return true;
    case LS_IR_SUB:
        (void)ls_add(m, a, b, 1, 1, bits, out);
        return true;
    case LS_IR_MUL:
        multiply(m, a, b, bits, out);
        return true;
    case LS_IR_UDIV:
        divide(m, a, b, bits, out, other);
        return true;
    case LS_IR_UREM:
        divide(m, a, b, bits, other, out);
        return true;
    case LS_IR_SDIV:
        divide_signed(m, a, b, bits, out, other);
        return true;
    case LS_IR_SREM:
        divide_signed(m, a, b, bits, other, out);
        return true;
    case LS_IR_SHL:
        shift(m, a, b, bits, true, 0, out);
        return true;
    case LS_IR_LSHR:
        shift(m, a, b, bits, false, 0, out);
        return true;
    case LS_IR_ASHR:
        shift(m, a, b, bits, false, a[bits - 1], out);
        return true;
    case LS_IR_COMPARE:
        out[0] = order_literal(m, inst->extra, a, b, from);
        return true;
    case LS_IR_COUNT_ONES:
        count_ones(m, a, bits, out);
        return true;
    case LS_IR_LEADING_ZEROS:
    case LS_IR_TRAILING_ZEROS:
        zeros(m, a, bits, inst->op == LS_IR_TRAILING_ZEROS, b[0] == 1, out);
        return true;
    case LS_IR_SWAP_BYTES:
        for (uint32_t i = 0; i < bits; i++) out[i] = a[bits - 8 - i / 8 * 8 + i % 8];
        return true;
    case LS_IR_REVERSE_BITS:
        for (uint32_t i = 0; i < bits; i++) out[i] = a[bits - 1 - i];
        return true;
    case LS_IR_FUNNEL_LEFT:
    case LS_IR_FUNNEL_RIGHT: {
        const bool left = inst->op == LS_IR_FUNNEL_LEFT;
        uint32_t both[2 * LS_IR_BITS_MAX], amount[LS_IR_BITS_MAX] = {0};
        if ((bits & (bits - 1)) != 0 || bits > LS_IR_BITS_MAX / 2) return false;
        for (uint32_t i = 0; UINT64_C(1) << i < bits; i++) amount[i] = x[2][i]; /* modulo the width */
        memcpy(both, b, bits * sizeof *both);
        memcpy(both + bits, a, bits * sizeof *both);
        shift(m, both, amount, 2 * bits, left, 0, other);
        memcpy(out, left ? other + bits : other, bits * sizeof *out);
        return true;
    }
    case LS_IR_ABS:
        negate_if(m, a[bits - 1], a, bits, out);
        return true;
    case LS_IR_MIN:
    case LS_IR_MAX: {
        const uint32_t less = order_literal(m, inst->extra != 0 ? LS_IR_SLT : LS_IR_ULT, a, b, bits) ^ (inst->op == LS_IR_MAX);
        for (uint32_t i = 0; i < bits; i++) out[i] = ls_aig_choose(m, less, a[i], b[i]);
        return true;
    }
    case LS_IR_CHECKED_ADD:
    case LS_IR_CHECKED_SUB:
    case LS_IR_CHECKED_MUL:
        checked(m, inst->op, inst->extra != 0, a, b, from, out);
        return true;
    case LS_IR_SATURATED_ADD:
    case LS_IR_SATURATED_SUB:
        saturated(m, inst->op, inst->extra != 0, a, b, bits, out);
        return true;
    default:
        return false;
    }
}

/* AND, OR, XOR: bit by bit, and so are those without a value. */
static const ls_value *operate_logic(ls_values *v, const ls_ir_inst *inst, const ls_value *a, const ls_value *b) {
    uint32_t out[LS_IR_BITS_MAX], undef[LS_IR_BITS_MAX];
    const uint32_t *x = ls_bits(v, a), *y = ls_bits(v, b);
    const bool some = a->undef != NULL || b->undef != NULL;
    for (uint32_t i = 0; i < inst->bits; i++) {
        out[i] = inst->op == LS_IR_AND  ? ls_aig_and(v->maker, x[i], y[i])
                 : inst->op == LS_IR_OR ? or_(v->maker, x[i], y[i])
                                        : ls_aig_xor(v->maker, x[i], y[i]);
        if (!some) continue;
        const uint32_t no_x = a->undef != NULL ? a->undef[i] : 0, no_y = b->undef != NULL ? b->undef[i] : 0;
        const uint32_t wins = inst->op == LS_IR_AND ? 0 : 1; /* what decides the result alone */
        const bool decided = inst->op != LS_IR_XOR && ((no_x == 0 && x[i] == wins) || (no_y == 0 && y[i] == wins));
        undef[i] = decided ? 0 : or_(v->maker, no_x, no_y);
        if (decided) out[i] = wins;
    }
    return ls_literals(v, inst->bits, out, some ? undef : NULL);
}

/* Results whose bits are bits of the operands, or constants. */
static const ls_value *operate_moves(ls_values *v, const ls_ir_inst *inst, const ls_value *const *operand) {
    const ls_value *a = operand[0];
    if (inst->op == LS_IR_COPY || (inst->bits == a->bits && inst->op != LS_IR_INSERT)) return a;
    if (a->form == LS_CONSTANT && inst->bits <= 64 && (inst->op == LS_IR_ZEXT || inst->op == LS_IR_TRUNC))
        return ls_constant(v, inst->bits, a->number);
    uint32_t out[LS_IR_BITS_MAX], undef[LS_IR_BITS_MAX] = {0};
    const uint32_t *x = ls_bits(v, a), *inner = inst->op == LS_IR_INSERT ? ls_bits(v, operand[1]) : NULL;
    for (uint32_t i = 0; i < inst->bits; i++) {
        const ls_value *of = a;
        uint32_t at = inst->op == LS_IR_EXTRACT ? i + inst->extra : i;
        if (inner != NULL && i >= inst->extra && i < inst->extra + operand[1]->bits) {
            of = operand[1];
            at = i - inst->extra;
        }
        if (at >= a->bits && inst->op == LS_IR_SEXT) at = a->bits - 1;
        const bool beyond = at >= of->bits;
        out[i] = beyond ? 0 : of == a ? x[at] : inner[at];
        undef[i] = beyond || of->undef == NULL ? 0 : of->undef[at];
    }
    return ls_literals(v, inst->bits, out, undef);
}

/* A shift by a number moves what has no value along with it. */
static const ls_value *shift_by_number(ls_values *v, const ls_ir_inst *inst, const ls_value *a, uint64_t by) {
    uint32_t out[LS_IR_BITS_MAX], undef[LS_IR_BITS_MAX];
    const uint32_t *x = ls_bits(v, a), bits = inst->bits;
    for (uint32_t i = 0; i < bits; i++) {
        const bool left = inst->op == LS_IR_SHL;
        const bool beyond = left ? i < by : i + by >= bits;
        const uint32_t at = beyond ? bits - 1 : (uint32_t)(left ? i - by : i + by);
        const bool filled = beyond && inst->op != LS_IR_ASHR;
        out[i] = filled ? 0 : x[at];
        undef[i] = filled || a->undef == NULL ? 0 : a->undef[at];
    }
    return ls_literals(v, bits, out, undef);
}

const ls_value *ls_operate(ls_values *v, const ls_ir_inst *inst, const ls_value *const *operand) {
    const ls_value *a = operand[0], *b = inst->operands > 1 ? operand[1] : NULL;
    switch (inst->op) {
    case LS_IR_ZEXT:
    case LS_IR_SEXT:
    case LS_IR_TRUNC:
    case LS_IR_COPY:
    case LS_IR_EXTRACT:
    case LS_IR_INSERT:
        return operate_moves(v, inst, operand);
    case LS_IR_SELECT: {
        const ls_value *chosen = ls_choose(v, ls_bits(v, a)[0], b, operand[2], inst->pointer);
        const uint32_t lost = ls_undef(v, a);
        if (lost == 0) return chosen;
        uint32_t all[LS_IR_BITS_MAX];
        for (uint32_t i = 0; i < inst->bits; i++) all[i] = or_(v->maker, lost, chosen->undef != NULL ? chosen->undef[i] : 0);
        return ls_literals(v, inst->bits, ls_bits(v, chosen), all);
    }
    default:
        break;
    }
    if (b != NULL && a->form == LS_CONSTANT && b->form == LS_CONSTANT) {
        uint64_t number;
        if (inst->op == LS_IR_COMPARE) return ls_constant(v, 1, compares(inst->extra, a->number, b->number, a->bits));
        if (compute(inst->op, inst->bits, a->number, b->number, &number)) return ls_constant(v, inst->bits, number);
    }
    if (inst->op == LS_IR_AND || inst->op == LS_IR_OR || inst->op == LS_IR_XOR) return operate_logic(v, inst, a, b);
    if ((inst->op == LS_IR_SHL || inst->op == LS_IR_LSHR || inst->op == LS_IR_ASHR) && b->form == LS_CONSTANT)
        return b->number < inst->bits ? shift_by_number(v, inst, a, b->number) : ls_undefined(v, inst->bits);
    const uint32_t *x[3] = {0};
    uint32_t out[LS_IR_BITS_MAX + 1], lost = 0;
    for (uint32_t i = 0; i < inst->operands && i < 3; i++) {
        x[i] = ls_bits(v, operand[i]);
        lost = or_(v->maker, lost, ls_undef(v, operand[i]));
    }
    if (!operate_bits(v, inst, x, a->bits, out)) return NULL;
    uint32_t all[LS_IR_BITS_MAX];
    for (uint32_t i = 0; i < inst->bits; i++) all[i] = lost;
    return ls_literals(v, inst->bits, out, lost != 0 ? all : NULL);
}
