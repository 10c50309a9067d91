/* SPDX-License-Identifier: Apache-2.0 */
/* Floating-point arithmetic: rounding in all four modes proved per result with exact integers of 4,600 bits, special values,
 * flushing, saturation; comparisons, extremes, approximate functions. */
#include <float.h>
#include <math.h>

#include "harness/base/rng.h"
#include "tb/workload/judge/rf_simt_build.h"

enum { ITEMS = 8192 };
static kb_item item[ITEMS];

/* --- exact numbers -----------------------------------------------------------------------------------------------------------
 */

/* A format as this test sees it. */
typedef struct format {
    uint32_t fraction, exponent; /* bits */
    rf_ktype type;
} format;

static const format f32 = {23, 8, RF_T_F32}, f64 = {52, 11, RF_T_F64};

static uint64_t sign_bit(const format *f) { return UINT64_C(1) << (f->fraction + f->exponent); }
static uint64_t infinity(const format *f) { return sign_bit(f) - (UINT64_C(1) << f->fraction); }
static uint64_t magnitude(const format *f, uint64_t bits) { return bits & (sign_bit(f) - 1); }
static bool is_nan(const format *f, uint64_t bits) { return magnitude(f, bits) > infinity(f); }
static bool is_inf(const format *f, uint64_t bits) { return magnitude(f, bits) == infinity(f); }
static bool is_negative(const format *f, uint64_t bits) { return bits & sign_bit(f); }

/* m * 2^e with a sign. Infinity counts as the power of two that it stands in for: the next number if there were one. */
typedef struct number {
    bool negative;
    uint64_t m;
    int e;
} number;

static number decode(const format *f, uint64_t bits) {
    const int field = (int)(magnitude(f, bits) >> f->fraction), bias = (1 << (f->exponent - 1)) - 1;
    const uint64_t fraction = bits & ((UINT64_C(1) << f->fraction) - 1);
    return (number){is_negative(f, bits), field ? fraction | UINT64_C(1) << f->fraction : fraction,
                    (field ? field : 1) - bias - (int)f->fraction};
}

/* A sum of products in two's complement, in units of 2^-2300. */
enum { WORDS = 72, UNIT = 2300 };
typedef struct sum {
    uint64_t w[WORDS];
} sum;

static void add_product(sum *s, number a, number b, bool negate) {
    unsigned __int128 p = (unsigned __int128)a.m * b.m;
    const uint32_t at = (uint32_t)(a.e + b.e + UNIT), word = at / 64, shift = at % 64;
    const bool minus = a.negative ^ b.negative ^ negate;
    const uint64_t part[3] = {(uint64_t)(p << shift), (uint64_t)(shift ? p >> (64 - shift) : p >> 64),
                              (uint64_t)(shift ? p >> 64 >> (64 - shift) : 0)};
    uint64_t carry = 0;
    for (uint32_t i = word; i < WORDS; i++) {
        const uint64_t v = i < word + 3 ? part[i - word] : 0;
        const unsigned __int128 t = minus ? (unsigned __int128)s->w[i] - v - carry : (unsigned __int128)s->w[i] + v + carry;
        s->w[i] = (uint64_t)t;
        carry = (uint64_t)(t >> 64) & 1;
        if (i >= word + 3 && carry == 0) break;
    }
}

static int sign_of(const sum *s) {
    if (s->w[WORDS - 1] >> 63) return -1;
    for (uint32_t i = 0; i < WORDS; i++)
        if (s->w[i]) return 1;
    return 0;
}

static const number zero = {false, 0, 0}, one = {false, 1, 0}, two = {false, 1, 1}, four = {false, 1, 2};

/* The sign of (2 * exact result - y - z). For SQRT y and z are not negative. */
static int compare(rf_kop op, const number v[3], number y, number z) {
    sum s = {{0}};
    switch (op) {
    case RF_K_ADD:
    case RF_K_SUB:
        add_product(&s, v[0], two, false);
        add_product(&s, v[1], two, op == RF_K_SUB);
        break;
    case RF_K_MUL:
        add_product(&s, (number){v[0].negative, v[0].m, v[0].e + 1}, v[1], false);
        break;
    case RF_K_FMA:
        add_product(&s, (number){v[0].negative, v[0].m, v[0].e + 1}, v[1], false);
        add_product(&s, v[2], two, false);
        break;
    case RF_K_DIV: /* times b: its sign turns the comparison */
        add_product(&s, v[0], two, v[1].negative);
        add_product(&s, y, v[1], !v[1].negative);
        add_product(&s, z, v[1], !v[1].negative);
        return sign_of(&s);
    default: /* SQRT: squares of both sides */
        add_product(&s, v[0], four, false);
        add_product(&s, y, y, true);
        add_product(&s, z, z, true);
        add_product(&s, (number){y.negative, y.m, y.e + 1}, z, true);
        return sign_of(&s);
    }
    add_product(&s, y, one, true);
    add_product(&s, z, one, true);
    return sign_of(&s);
}

/* Whether `bits` is the exact result rounded. The result is finite and so are the operands; zeros' signs are another test's. */
static bool rounded(const format *f, rf_kop op, uint8_t round, const number v[3], uint64_t bits) {
    const number r = decode(f, bits);
    const bool negative = is_negative(f, bits), infinite = is_inf(f, bits);
    const int at = infinite ? (negative ? 1 : -1) : compare(op, v, r, r); /* exact minus result; infinity is beyond it */
    if (at == 0) return true;
    if (round == RF_R_RM && at < 0) return false;
    if (round == RF_R_RP && at > 0) return false;
    if (round == RF_R_RZ && magnitude(f, bits) != 0 && at == (negative ? 1 : -1)) return false;
    /* The neighbour on the exact result's side: one step out from zero, or in. */
    const bool outward = magnitude(f, bits) == 0 || at == (negative ? -1 : 1);
    const uint64_t next = magnitude(f, bits) == 0 ? 1 | (at < 0 ? sign_bit(f) : 0) : outward ? bits + 1 : bits - 1;
    const number n = decode(f, next);
    const int beyond = compare(op, v, n, n), half = compare(op, v, r, n);
    /* Beyond the greatest number every mode but the nearest stays there. */
    if (round != RF_R_RN) return (outward && is_inf(f, next)) || beyond == -at;
    if (infinite) return half == -at || half == 0; /* at or above the middle between the greatest number and the next */
    return beyond == -at && (half == -at || (half == 0 && (bits & 1) == 0));
}

/* --- operands ----------------------------------------------------------------------------------------------------------------
 */

static uint64_t operand(ls_rng *rng, const format *f) {
    const uint64_t least = UINT64_C(1) << f->fraction, inf = infinity(f), bias = (UINT64_C(1) << (f->exponent - 1)) - 1;
    const uint64_t fraction = ls_rng_u64(rng) & (least - 1), sign = ls_rng_u64(rng) & sign_bit(f);
    const uint64_t edges[] = {0,
                              1,
                              2,
                              least - 1,
                              least,
                              least + 1,
                              inf - 1,
                              inf,
                              inf + 1,
                              inf | least >> 1,
                              inf - least,
                              bias << f->fraction,
                              (bias << f->fraction) + 1,
                              (bias << f->fraction) - 1,
                              (bias + 1) << f->fraction,
                              (bias - 1) << f->fraction,
                              (bias + f->fraction) << f->fraction,
                              ((bias + f->fraction) << f->fraction) + 1};
    switch (ls_rng_below(rng, 6)) {
    case 0:
        return sign | edges[ls_rng_below(rng, sizeof edges / sizeof edges[0])];
    case 1:
        return sign | fraction; /* subnormal */
    case 2:
        return sign | (bias - 2 + ls_rng_below(rng, 5)) << f->fraction | fraction; /* near 1 */
    case 3:
        return sign | (bias - 2 + ls_rng_below(rng, 5)) << f->fraction | (fraction & ~(least / 16 - 1)); /* few bits: ties */
    case 4:
        return sign | ((bias + (uint64_t)ls_rng_below(rng, 8) * (bias / 4) - bias / 2) % (2 * bias)) << f->fraction | fraction;
    default:
        return ls_rng_u64(rng) & (2 * sign_bit(f) - 1);
    }
}

static double value(const format *f, uint64_t bits) {
    float single;
    double twice;
    const uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, 4);
    memcpy(&twice, &bits, 8);
    return f == &f32 ? (double)single : twice;
}

static void fill(const format *f, uint64_t seed) {
    ls_rng rng;
    ls_rng_seed(&rng, seed);
    for (uint32_t i = 0; i < ITEMS; i++) {
        for (uint32_t s = 0; s < 4; s++) item[i].src[s] = operand(&rng, f);
        if (i % 4 == 0)
            item[i].src[1] = item[i].src[0] ^ (ls_rng_below(&rng, 4) ? sign_bit(f) : 0) ^ ls_rng_below(&rng, 3); /* cancels */
        if (i % 4 == 1) { /* so does a product that is exact */
            const double product = -value(f, item[i].src[0]) * value(f, item[i].src[1]);
            const float single = (float)product;
            memcpy(&item[i].src[2], &product, 8);
            if (f == &f32) item[i].src[2] = 0, memcpy(&item[i].src[2], &single, 4);
        }
        if (i % 8 == 2) item[i].src[2] = i % 16 == 2 ? 0 : sign_bit(f);
        item[i].preds = ls_rng_u64(&rng);
    }
}

/* --- arithmetic --------------------------------------------------------------------------------------------------------------
 */

/* A result that is no finite rounding: what infinities, NaN and divisions by zero give, the same in every mode. */
static bool special(const format *f, rf_kop op, const uint64_t src[3], uint64_t *want) {
    const double a = value(f, src[0]), b = value(f, src[1]), c = value(f, src[2]);
    double r = 0;
    const bool unary = op == RF_K_SQRT || op == RF_K_RCP;
    bool applies = is_nan(f, src[0]) || is_inf(f, src[0]);
    if (!unary) applies |= is_nan(f, src[1]) || is_inf(f, src[1]);
    if (op == RF_K_FMA) applies |= is_nan(f, src[2]) || is_inf(f, src[2]);
    switch (op) {
    case RF_K_ADD:
        r = a + b;
        break;
    case RF_K_SUB:
        r = a - b;
        break;
    case RF_K_MUL:
        r = a * b;
        break;
    case RF_K_FMA:
        r = isinf(a) || isinf(b) || isnan(a) || isnan(b) ? a * b + c : c;
        break;
    case RF_K_DIV:
        r = a / b;
        applies |= b == 0;
        break;
    case RF_K_RCP:
        r = 1 / a;
        applies |= a == 0;
        break;
    default:
        r = sqrt(a);
        applies |= a < 0;
        break;
    }
    if (!applies) return false;
    if (isnan(r)) { /* f32: one NaN; f64: the first NaN operand made quiet, except for fma, or the default */
        *want = f == &f32 ? 0x7fffffff : UINT64_C(0xfff8000000000000);
        if (f == &f64 && op != RF_K_FMA)
            for (uint32_t s = unary ? 1 : 2; s-- > 0;)
                if (is_nan(f, src[s])) *want = src[s] | UINT64_C(1) << 51;
        return true;
    }
    assert_true(isinf(r) || r == 0);
    *want = (signbit(r) ? sign_bit(f) : 0) | (r == 0 ? 0 : infinity(f));
    return true;
}

/* The sign of a result that is exactly zero: sums of opposites are -0 only downwards; else from the operands. */
static bool zero_sign(const format *f, rf_kop op, uint8_t round, const uint64_t src[3]) {
    const bool a = is_negative(f, src[0]), b = is_negative(f, src[1]) ^ (op == RF_K_SUB), c = is_negative(f, src[2]);
    const bool product = a ^ is_negative(f, src[1]);
    if (op == RF_K_SQRT || op == RF_K_RCP) return a;
    if (op == RF_K_MUL || op == RF_K_DIV) return product;
    const bool x = op == RF_K_FMA ? product : a, y = op == RF_K_FMA ? c : b;
    return x == y ? x : round == RF_R_RM;
}

static void check_arithmetic(const format *f, rf_kop op, uint8_t round, uint64_t seed) {
    static const char *const shapes[2][4] = {{"", "4>4", "44>4", "444>4"}, {"", "8>8", "88>8", "888>8"}};
    const uint32_t sources = op == RF_K_FMA ? 3 : op == RF_K_SQRT || op == RF_K_RCP ? 1 : 2;
    fill(f, seed);
    kb_run(shapes[f == &f64][sources], (rf_kinst){.op = (uint8_t)op, .type = (uint8_t)f->type, .round = round}, item, ITEMS);
    uint32_t inexact = 0, exact = 0, zeros = 0, specials = 0;
    for (uint32_t i = 0; i < ITEMS; i++) {
        uint64_t want = 0;
        bool good = true;
        if (special(f, op, item[i].src, &want)) {
            specials++;
            good = item[i].dst == want;
        } else {
            number v[3];
            for (uint32_t s = 0; s < 3; s++) v[s] = decode(f, item[i].src[s]);
            if (op == RF_K_RCP) {
                v[1] = v[0];
                v[0] = one;
            }
            const rf_kop as = op == RF_K_RCP ? RF_K_DIV : op;
            good = !is_nan(f, item[i].dst) && rounded(f, as, round, v, item[i].dst);
            const bool is_exact = !is_inf(f, item[i].dst) && compare(as, v, decode(f, item[i].dst), decode(f, item[i].dst)) == 0;
            exact += is_exact;
            inexact += !is_exact;
            if (magnitude(f, item[i].dst) == 0) {
                zeros++;
                good = good && is_negative(f, item[i].dst) ==
                                   (is_exact ? zero_sign(f, op, round, item[i].src) : compare(as, v, zero, zero) < 0);
            }
        }
        if (!good)
            fail_msg("op %u round %u %s(%#lx, %#lx, %#lx): %#lx", op, round, f == &f32 ? "f32" : "f64", item[i].src[0],
                     item[i].src[1], item[i].src[2], item[i].dst);
    }
    if (inexact < ITEMS / 8 || exact < 8 || specials < 20 || (zeros < 8 && op != RF_K_RCP)) /* a reciprocal is never 0 */
        fail_msg("op %u: %u inexact, %u exact, %u zeros, %u special", op, inexact, exact, zeros, specials);
}

static void test_rounding(void **state) {
    (void)state;
    static const rf_kop ops[] = {RF_K_ADD, RF_K_SUB, RF_K_MUL, RF_K_FMA, RF_K_DIV, RF_K_RCP, RF_K_SQRT};
    for (uint32_t o = 0; o < sizeof ops / sizeof ops[0]; o++)
        for (uint8_t round = RF_R_RN; round <= RF_R_RP; round++) {
            check_arithmetic(&f32, ops[o], round, 100 * o + round);
            check_arithmetic(&f64, ops[o], round, 100 * o + round + 50);
        }
}

/* The checker finds a result that is off by one step, in every mode. */
static void test_checker(void **state) {
    (void)state;
    const number third[3] = {{false, 1, 0}, {false, 3, 0}, {false, 0, 0}};
    const uint64_t below = 0x3eaaaaaa, above = 0x3eaaaaab; /* around 1/3; the nearer one is above */
    assert_true(rounded(&f32, RF_K_DIV, RF_R_RN, third, above) && !rounded(&f32, RF_K_DIV, RF_R_RN, third, below));
    assert_true(rounded(&f32, RF_K_DIV, RF_R_RP, third, above) && !rounded(&f32, RF_K_DIV, RF_R_RP, third, below));
    assert_true(rounded(&f32, RF_K_DIV, RF_R_RM, third, below) && !rounded(&f32, RF_K_DIV, RF_R_RM, third, above));
    assert_true(rounded(&f32, RF_K_DIV, RF_R_RZ, third, below) && !rounded(&f32, RF_K_DIV, RF_R_RZ, third, above));
    for (uint8_t round = RF_R_RN; round <= RF_R_RP; round++) {
        assert_false(rounded(&f32, RF_K_DIV, round, third, above + 1));
        assert_false(rounded(&f32, RF_K_DIV, round, third, below - 1));
    }
    const number huge[3] = {decode(&f32, 0x7f7fffff), decode(&f32, 0x7f7fffff), {false, 0, 0}};
    assert_true(rounded(&f32, RF_K_ADD, RF_R_RZ, huge, 0x7f7fffff) && !rounded(&f32, RF_K_ADD, RF_R_RZ, huge, 0x7f800000));
    assert_true(rounded(&f32, RF_K_ADD, RF_R_RN, huge, 0x7f800000) && !rounded(&f32, RF_K_ADD, RF_R_RN, huge, 0x7f7fffff));
    const number tiny[3] = {decode(&f32, 1), decode(&f32, 1), {false, 0, 0}};
    assert_true(rounded(&f32, RF_K_MUL, RF_R_RP, tiny, 1) && !rounded(&f32, RF_K_MUL, RF_R_RP, tiny, 0));
    assert_true(rounded(&f32, RF_K_MUL, RF_R_RN, tiny, 0) && !rounded(&f32, RF_K_MUL, RF_R_RN, tiny, 1));
}

static uint32_t flush(uint32_t bits) { return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits; }

/* .ftz and .sat are the same operation on flushed operands, its result flushed and clamped. */
static void test_flush_and_saturate(void **state) {
    (void)state;
    static const rf_kop ops[] = {RF_K_ADD, RF_K_SUB, RF_K_MUL, RF_K_FMA, RF_K_MAD};
    static kb_item plain[ITEMS];
    for (uint32_t o = 0; o < 5; o++)
        for (uint16_t flags = 1; flags < 4; flags++) { /* FTZ, SAT, both */
            const char *const shape = o >= 3 ? "444>4" : "44>4";
            fill(&f32, 900 + o);
            memcpy(plain, item, sizeof item);
            if (flags & RF_F_FTZ)
                for (uint32_t i = 0; i < ITEMS; i++)
                    for (uint32_t s = 0; s < 3; s++) plain[i].src[s] = flush((uint32_t)plain[i].src[s]);
            kb_run(shape, (rf_kinst){.op = (uint8_t)ops[o], .type = RF_T_F32, .round = RF_R_RN}, plain, ITEMS);
            kb_run(shape, (rf_kinst){.op = (uint8_t)ops[o], .type = RF_T_F32, .round = RF_R_RN, .flags = flags}, item, ITEMS);
            for (uint32_t i = 0; i < ITEMS; i++) {
                uint32_t want = (uint32_t)plain[i].dst;
                if (flags & RF_F_FTZ) want = flush(want);
                if (flags & RF_F_SAT) want = want > 0x7f800000 ? 0 : want > 0x3f800000 ? 0x3f800000 : want; /* NaN, minus: 0 */
                assert_int_equal(item[i].dst, want);
            }
        }
}

/* --- selection ---------------------------------------------------------------------------------------------------------------
 */

/* A total order of numbers by their bits: -0 before +0. */
static int64_t order(const format *f, uint64_t bits) {
    const int64_t m = (int64_t)magnitude(f, bits);
    return is_negative(f, bits) ? -m - 1 : m;
}

static void test_extremes(void **state) {
    (void)state;
    for (uint32_t twice = 0; twice < 2; twice++)
        for (uint32_t max = 0; max < 2; max++)
            for (uint32_t variant = 0; variant < (twice ? 1 : 4); variant++) { /* bit 0: FTZ, bit 1: NaN wins */
                const format *const f = twice ? &f64 : &f32;
                const uint64_t nan = twice ? UINT64_C(0xfff8000000000000) : 0x7fffffff;
                const bool ftz = variant & 1, wins = variant & 2;
                fill(f, variant);
                kb_run(twice ? "88>8" : "44>4",
                       (rf_kinst){.op = max ? RF_K_MAX : RF_K_MIN,
                                  .type = (uint8_t)f->type,
                                  .flags = (uint16_t)((ftz ? RF_F_FTZ : 0) | (wins ? RF_F_NAN : 0))},
                       item, ITEMS);
                for (uint32_t i = 0; i < ITEMS; i++) {
                    uint64_t a = item[i].src[0], b = item[i].src[1];
                    if (ftz) a = flush((uint32_t)a), b = flush((uint32_t)b);
                    uint64_t want = (order(f, a) < order(f, b)) == (max == 0) ? a : b;
                    if (is_nan(f, a)) want = is_nan(f, b) || wins ? nan : b;
                    else if (is_nan(f, b)) want = wins ? nan : a;
                    assert_true(item[i].dst == want);
                }
            }
}

static void test_signs_and_classes(void **state) {
    (void)state;
    for (uint32_t twice = 0; twice < 2; twice++) {
        const format *const f = twice ? &f64 : &f32;
        for (uint32_t o = 0; o < 3; o++) {
            static const rf_kop ops[] = {RF_K_ABS, RF_K_NEG, RF_K_COPYSIGN};
            fill(f, o);
            kb_run(o == 2  ? (twice ? "88>8" : "44>4")
                   : twice ? "8>8"
                           : "4>4",
                   (rf_kinst){.op = (uint8_t)ops[o], .type = (uint8_t)f->type}, item, ITEMS);
            for (uint32_t i = 0; i < ITEMS; i++) {
                const uint64_t m = magnitude(f, item[i].src[o == 2 ? 1 : 0]), s = item[i].src[0] & sign_bit(f);
                assert_true(item[i].dst == (o == 0 ? m : o == 1 ? m + sign_bit(f) - s : m + s));
            }
        }
        for (uint32_t mode = RF_M_FINITE; mode <= RF_M_SUBNORMAL; mode++) {
            fill(f, mode);
            kb_run(twice ? "8>p" : "4>p",
                   (rf_kinst){.op = RF_K_TESTP, .type = RF_T_PRED, .src_type = (uint8_t)f->type, .mode = (uint8_t)mode}, item,
                   ITEMS);
            for (uint32_t i = 0; i < ITEMS; i++) {
                const int class = twice ? fpclassify(value(f, item[i].src[0])) : fpclassify((float)value(f, item[i].src[0]));
                const bool want[] = {
                    class != FP_NAN && class != FP_INFINITE, class == FP_INFINITE, class != FP_NAN, class == FP_NAN,
                    class == FP_NORMAL || class == FP_ZERO,  class == FP_SUBNORMAL};
                assert_int_equal(item[i].pred_out & 1, want[mode - RF_M_FINITE]);
            }
        }
    }
    fill(&f32, 3); /* flushing neg and abs */
    kb_run("4>4", (rf_kinst){.op = RF_K_NEG, .type = RF_T_F32, .flags = RF_F_FTZ}, item, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++) assert_int_equal(item[i].dst, flush((uint32_t)item[i].src[0]) ^ 0x80000000);
    fill(&f32, 4);
    kb_run("884>8", (rf_kinst){.op = RF_K_SLCT, .type = RF_T_F64, .src_type = RF_T_F32}, item, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++) assert_true(item[i].dst == item[i].src[value(&f32, item[i].src[2]) >= 0 ? 0 : 1]);
}

/* What a comparison says of two values: written out. */
static bool holds(uint32_t cmp, bool less, bool equal, bool unordered) {
    const bool greater = !less && !equal && !unordered;
    switch (cmp) {
    case RF_C_EQ:
        return equal;
    case RF_C_NE:
        return less || greater;
    case RF_C_LT:
    case RF_C_LO:
        return less;
    case RF_C_LE:
    case RF_C_LS:
        return less || equal;
    case RF_C_GT:
    case RF_C_HI:
        return greater;
    case RF_C_GE:
    case RF_C_HS:
        return greater || equal;
    case RF_C_EQU:
        return equal || unordered;
    case RF_C_NEU:
        return !equal;
    case RF_C_LTU:
        return less || unordered;
    case RF_C_LEU:
        return !greater;
    case RF_C_GTU:
        return greater || unordered;
    case RF_C_GEU:
        return !less;
    case RF_C_NUM:
        return !unordered;
    default:
        return unordered;
    }
}

static bool combined(uint32_t boolean, bool result, bool with) {
    return boolean == RF_B_AND   ? result && with
           : boolean == RF_B_OR  ? result || with
           : boolean == RF_B_XOR ? result != with
                                 : result;
}

static void check_setp(rf_ktype type, uint32_t cmp, uint32_t boolean, bool ftz) {
    const uint32_t bits = rf_ktype_bits(type);
    const format *const f = type == RF_T_F64 ? &f64 : &f32;
    const bool as_signed = rf_ktype_signed(type) && !(cmp >= RF_C_LO && cmp <= RF_C_HS);
    fill(f, cmp);
    rf_kinst inst = {.op = RF_K_SETP,
                     .type = RF_T_PRED,
                     .src_type = (uint8_t)type,
                     .cmp = (uint8_t)cmp,
                     .boolean = (uint8_t)boolean,
                     .flags = ftz ? RF_F_FTZ : 0};
    inst.src[2].negated = cmp & 1;
    const char *const both = boolean ? (bits == 64 ? "88p>pp" : "44p>pp") : bits == 64 ? "88>pp" : "44>pp";
    kb_run(both, inst, item, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++) {
        bool less, equal, unordered = false;
        uint64_t a = item[i].src[0], b = item[i].src[1];
        if (rf_ktype_float(type)) {
            if (ftz) a = flush((uint32_t)a), b = flush((uint32_t)b);
            unordered = is_nan(f, a) || is_nan(f, b);
            equal = !unordered && (magnitude(f, a | b) == 0 || order(f, a) == order(f, b));
            less = !unordered && !equal && order(f, a) < order(f, b);
        } else {
            const uint64_t flip = as_signed ? UINT64_C(1) << (bits - 1) : 0,
                           cut = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
            less = ((a & cut) ^ flip) < ((b & cut) ^ flip);
            equal = (a & cut) == (b & cut);
        }
        const bool with = (item[i].preds >> 2 & 1) != (cmp & 1), result = holds(cmp, less, equal, unordered);
        assert_int_equal(item[i].pred_out & 3, combined(boolean, result, with) + 2 * combined(boolean, !result, with));
    }
    if (boolean == RF_B_NONE) return;
    inst.op = RF_K_SET; /* the same as a number */
    inst.type = cmp % 3 == 0 ? RF_T_F32 : cmp % 3 == 1 ? RF_T_U32 : RF_T_S32;
    static kb_item again[ITEMS];
    memcpy(again, item, sizeof item);
    kb_run(bits == 64 ? "88p>4" : "44p>4", inst, again, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++)
        assert_int_equal(again[i].dst, !(item[i].pred_out & 1) ? 0 : inst.type == RF_T_F32 ? 0x3f800000 : UINT32_MAX);
}

static void test_comparisons(void **state) {
    (void)state;
    static const rf_ktype integers[] = {RF_T_U16, RF_T_S16, RF_T_B32, RF_T_U32, RF_T_S32, RF_T_U64, RF_T_S64};
    for (uint32_t cmp = RF_C_EQ; cmp <= RF_C_NAN; cmp++) {
        const uint32_t boolean = cmp % 4;
        if (cmp <= RF_C_HS)
            for (uint32_t t = 0; t < 7; t++) check_setp(integers[t], cmp, (boolean + t) % 4, false);
        if (cmp >= RF_C_LO && cmp <= RF_C_HS) continue;
        check_setp(RF_T_F32, cmp, boolean, false);
        check_setp(RF_T_F32, cmp, RF_B_XOR, true);
        check_setp(RF_T_F64, cmp, (boolean + 1) % 4, false);
    }
}

/* --- approximate functions ---------------------------------------------------------------------------------------------------
 */

static long double exact_function(rf_kop op, long double a, long double b) {
    switch (op) {
    case RF_K_RCP:
        return 1 / a;
    case RF_K_SQRT:
        return sqrtl(a);
    case RF_K_RSQRT:
        return 1 / sqrtl(a);
    case RF_K_SIN:
        return sinl(a);
    case RF_K_COS:
        return cosl(a);
    case RF_K_LG2:
        return log2l(a);
    case RF_K_EX2:
        return exp2l(a);
    case RF_K_TANH:
        return tanhl(a);
    default:
        return a / b;
    }
}

/* Half a unit in the last place, and what a double's own error may add to that: far inside PTX's bounds. */
static void test_approximate(void **state) {
    (void)state;
    static const rf_kop ops[] = {RF_K_RCP, RF_K_SQRT, RF_K_RSQRT, RF_K_SIN, RF_K_COS,
                                 RF_K_LG2, RF_K_EX2,  RF_K_TANH,  RF_K_DIV, RF_K_DIV};
    for (uint32_t o = 0; o < 10; o++)
        for (uint32_t ftz = 0; ftz < 2; ftz++) {
            const bool full = o == 9;
            fill(&f32, o);
            kb_run(o >= 8 ? "44>4" : "4>4",
                   (rf_kinst){.op = (uint8_t)ops[o],
                              .type = RF_T_F32,
                              .flags = (uint16_t)((full ? RF_F_FULL : RF_F_APPROX) | (ftz ? RF_F_FTZ : 0))},
                   item, ITEMS);
            for (uint32_t i = 0; i < ITEMS; i++) {
                const uint32_t a = ftz ? flush((uint32_t)item[i].src[0]) : (uint32_t)item[i].src[0];
                const uint32_t b = ftz ? flush((uint32_t)item[i].src[1]) : (uint32_t)item[i].src[1];
                const double divisor = value(&f32, b);
                long double want = exact_function(ops[o], value(&f32, a), divisor);
                if (o == 8 && fabs(divisor) > 0x1p126 && !isinf(divisor)) /* its reciprocal is zero */
                    want = isinf(value(&f32, a)) ? NAN : isnan(value(&f32, a)) ? NAN : copysignl(0, want);
                uint32_t got = (uint32_t)item[i].dst;
                if (isnan(want)) {
                    assert_int_equal(got, 0x7fffffff);
                    continue;
                }
                if (ftz) {
                    assert_int_equal(got, flush(got));
                    if (fabsl(want) < 0x1p-126L - 0x1p-150L) want = copysignl(0, want);
                }
                const float r = (float)value(&f32, got);
                if (isinf(r)) {
                    assert_true(isinf(want) ? (want < 0) == (r < 0) : fabsl(want) >= 0x1.ffffffp127L);
                    continue;
                }
                const float up = nextafterf(fabsf(r), INFINITY);
                const long double ulp = (isinf(up) ? 0x1p104L : (long double)up - fabsf(r));
                if (fabsl(want - r) > 0.5000001L * ulp || (r == 0 && want == 0 && !signbit(r) != !signbit(want)))
                    fail_msg("op %u ftz %u (%#x, %#x): %#x", ops[o], ftz, a, b, got);
            }
        }
}

/* PTX's tables of special values. */
static void test_approximate_tables(void **state) {
    (void)state;
    enum {
        PINF = 0x7f800000,
        MINF = (int)0xff800000u,
        PZ = 0,
        MZ = (int)0x80000000u,
        NANS = 0x7fffffff,
        ONE = 0x3f800000,
        MONE = (int)0xbf800000u,
        PSUB = 1,
        MSUB = (int)0x80000001u
    };
    static const struct {
        rf_kop op;
        uint32_t ftz;
        uint32_t in, out;
    } t[] = {
        {RF_K_RCP, 1, (uint32_t)MINF, (uint32_t)MZ},
        {RF_K_RCP, 1, (uint32_t)MSUB, (uint32_t)MINF},
        {RF_K_RCP, 1, (uint32_t)MZ, (uint32_t)MINF},
        {RF_K_RCP, 1, PZ, PINF},
        {RF_K_RCP, 1, PSUB, PINF},
        {RF_K_RCP, 1, PINF, PZ},
        {RF_K_RCP, 0, NANS, NANS},
        {RF_K_SQRT, 1, (uint32_t)MINF, NANS},
        {RF_K_SQRT, 1, (uint32_t)MSUB, (uint32_t)MZ},
        {RF_K_SQRT, 0, (uint32_t)MZ, (uint32_t)MZ},
        {RF_K_SQRT, 0, PINF, PINF},
        {RF_K_SQRT, 0, (uint32_t)MONE, NANS},
        {RF_K_RSQRT, 1, (uint32_t)MSUB, (uint32_t)MINF},
        {RF_K_RSQRT, 0, (uint32_t)MZ, (uint32_t)MINF},
        {RF_K_RSQRT, 0, PZ, PINF},
        {RF_K_RSQRT, 0, PINF, PZ},
        {RF_K_RSQRT, 0, (uint32_t)MONE, NANS},
        {RF_K_RSQRT, 0, (uint32_t)MINF, NANS},
        {RF_K_SIN, 0, PINF, NANS},
        {RF_K_SIN, 0, (uint32_t)MINF, NANS},
        {RF_K_SIN, 1, (uint32_t)MSUB, (uint32_t)MZ},
        {RF_K_SIN, 0, (uint32_t)MZ, (uint32_t)MZ},
        {RF_K_COS, 0, PINF, NANS},
        {RF_K_COS, 1, (uint32_t)MSUB, ONE},
        {RF_K_COS, 0, PZ, ONE},
        {RF_K_LG2, 0, (uint32_t)MINF, NANS},
        {RF_K_LG2, 1, (uint32_t)MSUB, (uint32_t)MINF},
        {RF_K_LG2, 0, (uint32_t)MZ, (uint32_t)MINF},
        {RF_K_LG2, 0, PZ, (uint32_t)MINF},
        {RF_K_LG2, 1, PSUB, (uint32_t)MINF},
        {RF_K_LG2, 0, PINF, PINF},
        {RF_K_LG2, 0, PSUB, 0xc3150000},
        {RF_K_EX2, 0, (uint32_t)MINF, PZ},
        {RF_K_EX2, 1, (uint32_t)MSUB, ONE},
        {RF_K_EX2, 0, PZ, ONE},
        {RF_K_EX2, 0, PINF, PINF},
        {RF_K_EX2, 0, NANS, NANS},
        {RF_K_TANH, 0, PINF, ONE},
        {RF_K_TANH, 0, (uint32_t)MINF, (uint32_t)MONE},
        {RF_K_TANH, 0, (uint32_t)MZ, (uint32_t)MZ},
    };
    for (uint32_t i = 0; i < sizeof t / sizeof t[0]; i++) {
        item[0].src[0] = t[i].in;
        kb_run("4>4",
               (rf_kinst){.op = (uint8_t)t[i].op, .type = RF_T_F32, .flags = (uint16_t)(RF_F_APPROX | (t[i].ftz ? RF_F_FTZ : 0))},
               item, 1);
        if (item[0].dst != t[i].out)
            fail_msg("op %u ftz %u (%#x): %#lx, not %#x", t[i].op, t[i].ftz, t[i].in, item[0].dst, t[i].out);
    }
    static const uint32_t div[][3] = {/* a, b, approximate a / b */
                                      {0x3f800000, 0x7e800001, 0},          {0xbf800000, 0x7e800001, 0x80000000},
                                      {0x7f800000, 0x7e800001, 0x7fffffff}, {0x3f800000, 0x7e800000, 0x00800000},
                                      {0x7f800000, 0x7e800000, 0x7f800000}, {0x3f800000, 0x7f800000, 0}};
    for (uint32_t i = 0; i < sizeof div / sizeof div[0]; i++) {
        item[0].src[0] = div[i][0];
        item[0].src[1] = div[i][1];
        kb_run("44>4", (rf_kinst){.op = RF_K_DIV, .type = RF_T_F32, .flags = RF_F_APPROX}, item, 1);
        assert_int_equal(item[0].dst, div[i][2]);
    }
}

/* The f64 forms: rsqrt to full precision; the gross ones to 20 bits, of the operand's high word, low word 0. */
static void test_approximate_f64(void **state) {
    (void)state;
    for (uint32_t which = 0; which < 3; which++) {
        fill(&f64, which);
        kb_run("8>8",
               (rf_kinst){.op = which == 2 ? RF_K_RCP : RF_K_RSQRT,
                          .type = RF_T_F64,
                          .flags = (uint16_t)(RF_F_APPROX | (which ? RF_F_FTZ : 0))},
               item, ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++) {
            const uint64_t in = item[i].src[0], exponent = infinity(&f64);
            double a = value(&f64, in);
            if (which && (in & exponent) == 0) a = copysign(0, a);
            const double want = (double)exact_function(which == 2 ? RF_K_RCP : RF_K_RSQRT, a, 0), got = value(&f64, item[i].dst);
            if (isnan(want)) {
                assert_true(item[i].dst == UINT64_C(0xfff8000000000000));
            } else if (isinf(want) || want == 0) {
                assert_true(got == want && !signbit(got) == !signbit(want));
            } else if (which == 0) {
                assert_true(fabs(got - want) <= 2 * DBL_EPSILON * want);
            } else {
                assert_true((uint32_t)item[i].dst == 0);
                assert_true(fabs(want) < DBL_MIN * 1.0001 ? fabs(got) <= DBL_MIN : fabs(got - want) <= 0x1p-18 * fabs(want));
            }
        }
    }
}

/* Rounding, flushing or saturation where there is none is refused. */
static void test_refused(void **state) {
    (void)state;
    static const rf_kinst cases[] = {
        {.op = RF_K_ADD, .type = RF_T_F64, .flags = RF_F_FTZ},    {.op = RF_K_ADD, .type = RF_T_F64, .flags = RF_F_SAT},
        {.op = RF_K_ADD, .type = RF_T_F32, .round = RF_R_RNI},    {.op = RF_K_MIN, .type = RF_T_F32, .round = RF_R_RN},
        {.op = RF_K_ADD, .type = RF_T_F32, .flags = RF_F_APPROX}, {.op = RF_K_ADD, .type = RF_T_F16},
        {.op = RF_K_DIV, .type = RF_T_F64, .flags = RF_F_APPROX}, {.op = RF_K_MAX, .type = RF_T_F32, .flags = RF_F_FULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char error[256] = "";
        assert_int_equal(kb_run_status(cases[i].type == RF_T_F64 ? "88>8" : "44>4", cases[i], item, 1, error, sizeof error), -1);
        assert_non_null(strstr(error, "not supported with this type and these modifiers"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_checker),     cmocka_unit_test(test_rounding),           cmocka_unit_test(test_flush_and_saturate),
        cmocka_unit_test(test_extremes),    cmocka_unit_test(test_signs_and_classes),  cmocka_unit_test(test_comparisons),
        cmocka_unit_test(test_approximate), cmocka_unit_test(test_approximate_tables), cmocka_unit_test(test_approximate_f64),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
