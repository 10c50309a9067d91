/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model's arithmetic: each operation as the PTX ISA defines it, in numbers wide enough to be exact. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "tb/workload/judge/slow_ptx.h"

typedef __int128 wide_t;
typedef unsigned __int128 uwide_t;

static float to_f32(uint64_t v) {
    const uint32_t bits = (uint32_t)v;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static double to_f64(uint64_t v) {
    double f;
    memcpy(&f, &v, sizeof f);
    return f;
}

static uint64_t of_f32(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static uint64_t of_f64(double f) {
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static float flush(float f) { return fpclassify(f) == FP_SUBNORMAL ? copysignf(0.0f, f) : f; }

static int rounding(const slow_inst *i) {
    if (SLOW_HAS(i, rz) || SLOW_HAS(i, rzi)) return FE_TOWARDZERO;
    if (SLOW_HAS(i, rm) || SLOW_HAS(i, rmi)) return FE_DOWNWARD;
    if (SLOW_HAS(i, rp) || SLOW_HAS(i, rpi)) return FE_UPWARD;
    return FE_TONEAREST;
}

/* The host's IEEE arithmetic in the instruction's rounding; volatile keeps each operation between the two changes of mode. */
#define FLOAT_OP(name, T, FMA, SQRT)                                                                                             \
    static T name(const slow_inst *i, T a, T b, T c) {                                                                           \
        volatile T x = a, y = b, z = c, r = 0;                                                                                   \
        fesetround(rounding(i));                                                                                                 \
        switch (i->op) {                                                                                                         \
        case OP_add:                                                                                                             \
            r = x + y;                                                                                                           \
            break;                                                                                                               \
        case OP_sub:                                                                                                             \
            r = x - y;                                                                                                           \
            break;                                                                                                               \
        case OP_mul:                                                                                                             \
            r = x * y;                                                                                                           \
            break;                                                                                                               \
        case OP_div:                                                                                                             \
            r = x / y;                                                                                                           \
            break;                                                                                                               \
        case OP_mad:                                                                                                             \
        case OP_fma:                                                                                                             \
            r = FMA(x, y, z);                                                                                                    \
            break;                                                                                                               \
        case OP_rcp:                                                                                                             \
            r = 1 / x;                                                                                                           \
            break;                                                                                                               \
        default:                                                                                                                 \
            r = SQRT(x);                                                                                                         \
            break;                                                                                                               \
        }                                                                                                                        \
        fesetround(FE_TONEAREST);                                                                                                \
        return r;                                                                                                                \
    }
FLOAT_OP(arith32, float, fmaf, sqrtf)
FLOAT_OP(arith64, double, fma, sqrt)

static double approximate(slow_op op, double x) {
    switch (op) {
    case OP_rcp:
        return 1 / x;
    case OP_sqrt:
        return sqrt(x);
    case OP_rsqrt:
        return 1 / sqrt(x);
    case OP_sin:
        return sin(x);
    case OP_cos:
        return cos(x);
    case OP_lg2:
        return log2(x);
    default:
        return exp2(x);
    }
}

/* The lesser or greater: a number wins over NaN, -0 is less than +0. */
static double extreme(double a, double b, bool max, bool nan_wins) {
    if (isnan(a) || isnan(b)) return nan_wins || (isnan(a) && isnan(b)) ? (double)NAN : isnan(a) ? b : a;
    if (a == 0 && b == 0) return (signbit(a) != 0) == max ? b : a;
    return (a < b) != max ? a : b;
}

static bool compare_float(const slow_inst *i, double a, double b) {
    const bool unordered = isnan(a) || isnan(b);
    if (SLOW_HAS(i, num)) return !unordered;
    if (SLOW_HAS(i, nan)) return unordered;
    if (SLOW_HAS(i, equ)) return unordered || a == b;
    if (SLOW_HAS(i, neu)) return unordered || a != b;
    if (SLOW_HAS(i, ltu)) return unordered || a < b;
    if (SLOW_HAS(i, leu)) return unordered || a <= b;
    if (SLOW_HAS(i, gtu)) return unordered || a > b;
    if (SLOW_HAS(i, geu)) return unordered || a >= b;
    if (unordered) return false;
    if (SLOW_HAS(i, eq)) return a == b;
    if (SLOW_HAS(i, ne)) return a != b;
    if (SLOW_HAS(i, lt)) return a < b;
    if (SLOW_HAS(i, le)) return a <= b;
    return SLOW_HAS(i, gt) ? a > b : a >= b;
}

static wide_t number(uint64_t v, slow_type t) {
    return t.kind == 's' ? (wide_t)(int64_t)slow_sext(v, t.bits) : (wide_t)slow_trunc(v, t.bits);
}

static bool compare(const slow_inst *i, slow_type t, const uint64_t *v) {
    if (t.kind == 'f' && t.bits == 64) return compare_float(i, to_f64(v[0]), to_f64(v[1]));
    if (t.kind == 'f') {
        const float a = to_f32(v[0]), b = to_f32(v[1]);
        return SLOW_HAS(i, ftz) ? compare_float(i, (double)flush(a), (double)flush(b)) : compare_float(i, (double)a, (double)b);
    }
    const wide_t a = number(v[0], t), b = number(v[1], t);
    if (SLOW_HAS(i, eq)) return a == b;
    if (SLOW_HAS(i, ne)) return a != b;
    if (SLOW_HAS(i, lt) || SLOW_HAS(i, lo)) return a < b;
    if (SLOW_HAS(i, le) || SLOW_HAS(i, ls)) return a <= b;
    if (SLOW_HAS(i, gt) || SLOW_HAS(i, hi)) return a > b;
    return a >= b;
}

/* set and setp: the comparison, joined with a third source. *other: its complement, joined likewise. */
static bool compare_joined(const slow_inst *i, slow_type t, const uint64_t *v, bool *other) {
    const bool is = compare(i, t, v), c = (v[2] & 1) != 0;
    *other = !is;
    if (SLOW_HAS(i, and)) {
        *other = !is && c;
        return is && c;
    }
    if (SLOW_HAS(i, or)) {
        *other = !is || c;
        return is || c;
    }
    if (SLOW_HAS(i, xor)) {
        *other = !is != c;
        return is != c;
    }
    return is;
}

static wide_t least(slow_type t) { return t.kind == 's' ? -((wide_t)1 << (t.bits - 1)) : 0; }
static wide_t greatest(slow_type t) { return ((wide_t)1 << (t.kind == 's' ? t.bits - 1 : t.bits)) - 1; }
static wide_t clamped(wide_t x, slow_type t) { return x < least(t) ? least(t) : x > greatest(t) ? greatest(t) : x; }

static uint64_t float_to_int(const slow_inst *i, double x, slow_type t, slow_type from) {
    if (isnan(x)) return from.bits == 64 || t.bits == 64 ? UINT64_C(1) << (t.bits - 1) : 0;
    if (SLOW_HAS(i, rni)) x = nearbyint(x);
    else if (SLOW_HAS(i, rmi)) x = floor(x);
    else if (SLOW_HAS(i, rpi)) x = ceil(x);
    else x = trunc(x);
    if (x < ldexp(-1, 100)) return (uint64_t)least(t);
    if (x > ldexp(1, 100)) return (uint64_t)greatest(t);
    return (uint64_t)clamped((wide_t)x, t);
}

static double to_integral(const slow_inst *i, double x) {
    if (SLOW_HAS(i, rni)) return nearbyint(x);
    if (SLOW_HAS(i, rzi)) return trunc(x);
    if (SLOW_HAS(i, rmi)) return floor(x);
    return SLOW_HAS(i, rpi) ? ceil(x) : x;
}

static float narrowed(const slow_inst *i, long double x) {
    volatile long double from = x;
    fesetround(rounding(i));
    volatile float to = (float)from;
    fesetround(FE_TONEAREST);
    return to;
}

static double narrowed64(const slow_inst *i, long double x) {
    volatile long double from = x;
    fesetround(rounding(i));
    volatile double to = (double)from;
    fesetround(FE_TONEAREST);
    return to;
}

static float saturated(float x) { return x > 0 ? (x < 1 ? x : 1.0f) : 0.0f; }
static double saturated64(double x) { return x > 0 ? (x < 1 ? x : 1.0) : 0.0; }

static double of_f16(uint64_t v) {
    const uint32_t exponent = v >> 10 & 31, mantissa = v & 1023;
    const double x = exponent == 31 ? (mantissa ? (double)NAN : (double)INFINITY)
                                    : ldexp((double)(exponent ? mantissa | 1024 : mantissa), (int)(exponent ? exponent : 1) - 25);
    return v >> 15 & 1 ? -x : x;
}

/* A number to a multiple of its last place in f16, in the rounding of the instruction. */
static uint64_t to_f16(const slow_inst *i, double x) {
    const uint64_t sign = signbit(x) ? 0x8000 : 0;
    if (isinf(x) || x == 0) return sign | (isinf(x) ? 0x7c00 : 0);
    const int exponent = ilogb(x) < -14 ? -14 : ilogb(x);
    volatile double scaled = ldexp(x, 10 - exponent);
    fesetround(rounding(i));
    volatile double r = nearbyint(scaled);
    fesetround(FE_TONEAREST);
    const double size = fabs(ldexp(r, exponent - 10));
    if (size > 65504) {
        const bool away = SLOW_HAS(i, rn) || (SLOW_HAS(i, rp) && !sign) || (SLOW_HAS(i, rm) && sign);
        return sign | (away ? 0x7c00 : 0x7bff);
    }
    const int place = size < ldexp(1, -14) ? -14 : ilogb(size);
    const uint64_t mantissa = (uint64_t)ldexp(size, 10 - place);
    return sign | (mantissa + (mantissa >= 1024 ? (uint64_t)(place + 14) << 10 : 0));
}

static uint64_t convert(const slow_inst *i, uint64_t v) {
    const slow_type to = i->type[0], from = i->type[1];
    const bool ftz = SLOW_HAS(i, ftz);
    if (to.kind == 'f' && to.bits == 16) return to_f16(i, (double)to_f32(v));
    if (from.kind == 'f' && from.bits == 16) return of_f32((float)of_f16(v));
    if (from.kind != 'f' && to.kind != 'f') {
        const wide_t x = number(v, from);
        const uint64_t r = slow_trunc((uint64_t)(SLOW_HAS(i, sat) ? clamped(x, to) : x), to.bits);
        return to.kind == 's' ? slow_sext(r, to.bits) : r;
    }
    if (from.kind != 'f') { /* 64 bits of mantissa hold every integer */
        const long double x =
            from.kind == 's' ? (long double)(int64_t)slow_sext(v, from.bits) : (long double)slow_trunc(v, from.bits);
        if (to.bits == 64) return of_f64(SLOW_HAS(i, sat) ? saturated64(narrowed64(i, x)) : narrowed64(i, x));
        return of_f32(SLOW_HAS(i, sat) ? saturated(narrowed(i, x)) : narrowed(i, x));
    }
    double x = from.bits == 64 ? to_f64(v) : (double)(ftz ? flush(to_f32(v)) : to_f32(v));
    if (to.kind != 'f') {
        const uint64_t r = slow_trunc(float_to_int(i, x, to, from), to.bits);
        return to.kind == 's' ? slow_sext(r, to.bits) : r;
    }
    x = to_integral(i, x);
    if (to.bits == 64) return of_f64(SLOW_HAS(i, sat) ? saturated64(x) : x);
    float r = from.bits == 64 ? narrowed(i, (long double)x) : (float)x;
    if (ftz) r = flush(r);
    return of_f32(SLOW_HAS(i, sat) ? saturated(r) : r);
}

static bool test_property(const slow_inst *i, double x, int class) {
    if (SLOW_HAS(i, finite)) return !isnan(x) && !isinf(x);
    if (SLOW_HAS(i, infinite)) return isinf(x);
    if (SLOW_HAS(i, number)) return !isnan(x);
    if (SLOW_HAS(i, notanumber)) return isnan(x);
    return SLOW_HAS(i, normal) ? class == FP_NORMAL || class == FP_ZERO : class == FP_SUBNORMAL;
}

static uint64_t float32(const slow_inst *i, const uint64_t *v) {
    const bool ftz = SLOW_HAS(i, ftz);
    float s[3];
    for (int k = 0; k < 3; k++) s[k] = ftz ? flush(to_f32(v[k])) : to_f32(v[k]);
    float r;
    switch (i->op) {
    case OP_neg:
        return of_f32(s[0]) ^ 0x80000000u;
    case OP_abs:
        return of_f32(s[0]) & 0x7fffffffu;
    case OP_copysign:
        return (v[1] & 0x7fffffffu) | (v[0] & 0x80000000u);
    case OP_testp:
        return test_property(i, (double)s[0], fpclassify(s[0]));
    case OP_min:
    case OP_max:
        r = (float)extreme((double)s[0], (double)s[1], i->op == OP_max, SLOW_HAS(i, NaN));
        break;
    default:
        r = SLOW_HAS(i, approx) ? (float)approximate(i->op, (double)s[0]) : arith32(i, s[0], s[1], s[2]);
    }
    if (ftz) r = flush(r);
    return of_f32(SLOW_HAS(i, sat) ? saturated(r) : r);
}

static uint64_t float64(const slow_inst *i, const uint64_t *v) {
    const double a = to_f64(v[0]), b = to_f64(v[1]), c = to_f64(v[2]);
    switch (i->op) {
    case OP_neg:
        return v[0] ^ UINT64_C(1) << 63;
    case OP_abs:
        return v[0] & ~(UINT64_C(1) << 63);
    case OP_copysign:
        return (v[1] & ~(UINT64_C(1) << 63)) | (v[0] & UINT64_C(1) << 63);
    case OP_testp:
        return test_property(i, a, fpclassify(a));
    case OP_min:
    case OP_max:
        return of_f64(extreme(a, b, i->op == OP_max, false));
    default:
        return of_f64(arith64(i, a, b, c));
    }
}

/* The half or the whole of a product, without more bits than the result has. */
static uint64_t product(const slow_inst *i, const uint64_t *v) {
    const slow_type t = i->type[0];
    const uwide_t p = (uwide_t)number(v[0], t) * (uwide_t)number(v[1], t);
    if (SLOW_HAS(i, wide)) return slow_trunc((uint64_t)p, t.bits * 2u);
    return slow_trunc((uint64_t)(SLOW_HAS(i, hi) ? p >> t.bits : p), t.bits);
}

static uint64_t product24(const slow_inst *i, const uint64_t *v) {
    const slow_type t = {i->type[0].kind, 24};
    const uwide_t p = (uwide_t)number(v[0], t) * (uwide_t)number(v[1], t);
    return slow_trunc((uint64_t)(SLOW_HAS(i, hi) ? p >> 16 : p), 32);
}

/* a + b + in of `bits` bits, with the carry out. */
static uint64_t with_carry(const slow_inst *i, uint64_t a, uint64_t b, bool in, uint8_t *carry) {
    const uint32_t bits = i->type[0].bits;
    const uwide_t sum = (uwide_t)slow_trunc(a, bits) + slow_trunc(b, bits) + in;
    if (SLOW_HAS(i, cc)) *carry = (uint8_t)(sum >> bits & 1);
    return (uint64_t)sum;
}

static uint64_t with_borrow(const slow_inst *i, uint64_t a, uint64_t b, bool in, uint8_t *carry) {
    const uint32_t bits = i->type[0].bits;
    const wide_t difference = (wide_t)slow_trunc(a, bits) - (wide_t)slow_trunc(b, bits) - in;
    if (SLOW_HAS(i, cc)) *carry = difference < 0;
    return (uint64_t)difference;
}

static uint32_t top_bit(uint64_t v) { /* or all ones */
    for (int b = 63; b >= 0; b--)
        if (v >> b & 1) return (uint32_t)b;
    return UINT32_MAX;
}

static uint64_t field_extract(slow_type t, const uint64_t *v) {
    const uint32_t pos = v[1] & 0xff, len = v[2] & 0xff, msb = t.bits - 1u;
    const uint32_t last = pos + len - 1 < msb ? pos + len - 1 : msb;
    const uint64_t sign = t.kind == 'u' || len == 0 ? 0 : v[0] >> last & 1;
    uint64_t r = 0;
    for (uint32_t b = 0; b <= msb; b++) r |= (b < len && pos + b <= msb ? v[0] >> (pos + b) & 1 : sign) << b;
    return r;
}

static uint64_t field_insert(slow_type t, const uint64_t *v) {
    const uint32_t pos = v[2] & 0xff, len = v[3] & 0xff, msb = t.bits - 1u;
    uint64_t r = v[1];
    for (uint32_t b = 0; b < len && pos + b <= msb; b++) r = (r & ~(UINT64_C(1) << (pos + b))) | (v[0] >> b & 1) << (pos + b);
    return r;
}

static uint64_t permute(const slow_inst *i, const uint64_t *v) {
    static const uint8_t table[6][4][4] = {
        /* which byte of {b, a} goes to byte 3, 2, 1, 0 */
        {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}}, {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}},
        {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}}, {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}},
        {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}}, {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}};
    const uint64_t bytes = slow_trunc(v[0], 32) | v[1] << 32;
    const int mode = SLOW_HAS(i, f4e)    ? 0
                     : SLOW_HAS(i, b4e)  ? 1
                     : SLOW_HAS(i, rc8)  ? 2
                     : SLOW_HAS(i, ecl)  ? 3
                     : SLOW_HAS(i, ecr)  ? 4
                     : SLOW_HAS(i, rc16) ? 5
                                         : -1;
    uint64_t r = 0;
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t select = mode < 0 ? (uint32_t)(v[2] >> 4 * k & 15) : table[mode][v[2] & 3][3 - k];
        const uint64_t byte = bytes >> 8 * (select & 7) & 0xff;
        r |= (select & 8 ? (byte & 0x80 ? 0xffu : 0u) : byte) << 8 * k;
    }
    return r;
}

static uint64_t funnel(const slow_inst *i, const uint64_t *v) {
    const uint32_t c = (uint32_t)v[2];
    const uint32_t n = SLOW_HAS(i, wrap) ? c & 31 : c > 32 ? 32 : c;
    const uint64_t both = slow_trunc(v[0], 32) | v[1] << 32;
    return SLOW_HAS(i, l) ? (uint64_t)((uwide_t)both << n >> 32) : both >> n;
}

static uint64_t logic3(const uint64_t *v) {
    uint64_t r = 0;
    for (uint32_t b = 0; b < 32; b++) {
        const uint32_t row = (uint32_t)((v[0] >> b & 1) << 2 | (v[1] >> b & 1) << 1 | (v[2] >> b & 1));
        r |= (v[3] >> row & 1) << b;
    }
    return r;
}

static uint64_t dot4(const slow_inst *i, const uint64_t *v) {
    int64_t sum = (int64_t)slow_trunc(v[2], 32);
    for (uint32_t k = 0; k < 4; k++)
        sum += (int64_t)(number(v[0] >> 8 * k, (slow_type){i->type[0].kind, 8}) *
                         number(v[1] >> 8 * k, (slow_type){i->type[1].kind, 8}));
    return (uint64_t)sum;
}

uint64_t slow_math(const slow_inst *i, const uint64_t *v, uint8_t *carry, bool *second) {
    const slow_type t = i->type[0];
    const wide_t a = t.kind == 'f' ? 0 : number(v[0], t), b = t.kind == 'f' ? 0 : number(v[1], t);
    switch (i->op) { /* of every type */
    case OP_mov:
        return v[0];
    case OP_selp:
        return v[2] & 1 ? v[0] : v[1];
    case OP_slct:
        return (i->type[1].kind == 's' ? (int32_t)(uint32_t)v[2] >= 0
                                       : (SLOW_HAS(i, ftz) ? flush(to_f32(v[2])) : to_f32(v[2])) >= 0)
                   ? v[0]
                   : v[1];
    case OP_setp:
        return compare_joined(i, t, v, second);
    case OP_set: {
        const bool is = compare_joined(i, i->type[1], v, second);
        return !is ? 0 : t.kind == 'f' ? of_f32(1.0f) : UINT32_MAX;
    }
    case OP_cvt:
        return convert(i, v[0]);
    default:
        break;
    }
    if (t.kind == 'f') return t.bits == 64 ? float64(i, v) : float32(i, v);
    switch (i->op) {
    case OP_add:
        if (SLOW_HAS(i, sat)) return (uint64_t)clamped(a + b, t);
        return SLOW_HAS(i, cc) ? with_carry(i, v[0], v[1], false, carry) : (uint64_t)(a + b);
    case OP_sub:
        if (SLOW_HAS(i, sat)) return (uint64_t)clamped(a - b, t);
        return SLOW_HAS(i, cc) ? with_borrow(i, v[0], v[1], false, carry) : (uint64_t)(a - b);
    case OP_addc:
        return with_carry(i, v[0], v[1], *carry, carry);
    case OP_subc:
        return with_borrow(i, v[0], v[1], *carry, carry);
    case OP_mul:
        return product(i, v);
    case OP_mad:
        if (SLOW_HAS(i, sat)) return (uint64_t)clamped(number(product(i, v), t) + number(v[2], t), t);
        return SLOW_HAS(i, cc) ? with_carry(i, product(i, v), v[2], false, carry) : product(i, v) + v[2];
    case OP_madc:
        return with_carry(i, product(i, v), v[2], *carry, carry);
    case OP_mul24:
        return product24(i, v);
    case OP_mad24:
        return product24(i, v) + v[2];
    case OP_sad:
        return (uint64_t)(a > b ? a - b : b - a) + v[2];
    case OP_div:
        return b == 0 ? UINT64_MAX : (uint64_t)(a / b);
    case OP_rem:
        return b == 0 ? v[0] : (uint64_t)(a % b);
    case OP_abs:
        return (uint64_t)(a < 0 ? -a : a);
    case OP_neg:
        return (uint64_t)-a;
    case OP_min:
        return (uint64_t)(a < b ? a : b);
    case OP_max:
        return (uint64_t)(a < b ? b : a);
    case OP_and:
        return v[0] & v[1];
    case OP_or:
        return v[0] | v[1];
    case OP_xor:
        return v[0] ^ v[1];
    case OP_not:
        return ~v[0];
    case OP_cnot:
        return slow_trunc(v[0], t.bits) == 0;
    case OP_shl:
        return slow_trunc(v[1], 32) >= t.bits ? 0 : v[0] << slow_trunc(v[1], 32);
    case OP_shr:
        return slow_trunc(v[1], 32) >= t.bits ? (a < 0 ? UINT64_MAX : 0) : (uint64_t)(a >> slow_trunc(v[1], 32));
    case OP_shf:
        return funnel(i, v);
    case OP_lop3:
        return logic3(v);
    case OP_prmt:
        return permute(i, v);
    case OP_popc: {
        uint64_t ones = 0;
        for (uint32_t k = 0; k < t.bits; k++) ones += v[0] >> k & 1;
        return ones;
    }
    case OP_clz:
        return (uint64_t)t.bits - 1 - (uint64_t)(int64_t)(int32_t)top_bit(slow_trunc(v[0], t.bits));
    case OP_bfind: {
        const uint32_t top = top_bit(slow_trunc(a < 0 ? ~v[0] : v[0], t.bits));
        return top != UINT32_MAX && SLOW_HAS(i, shiftamt) ? t.bits - 1u - top : top;
    }
    case OP_brev: {
        uint64_t r = 0;
        for (uint32_t k = 0; k < t.bits; k++) r |= (v[0] >> k & 1) << (t.bits - 1u - k);
        return r;
    }
    case OP_bfe:
        return field_extract(t, v);
    case OP_bfi:
        return field_insert(t, v);
    default:
        return dot4(i, v); /* OP_dp4a */
    }
}
