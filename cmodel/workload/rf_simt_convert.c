/* SPDX-License-Identifier: Apache-2.0 */
/* CVT (PTX ISA, "Data Movement and Conversion Instructions: cvt"): between integers of 8 to 64 bits, f16, f32 and f64.
 *
 * Three loops over the lanes: sources to 64-bit integers or doubles (both exact), the conversion, results to registers. Rounding
 * to nearest f32 and f64 is the host's; everything else is rounded here, on integers. */
#include <math.h>

#include "cmodel/workload/rf_simt_lanes.h"

/* A binary floating-point format: significant bits with the hidden one, exponent of the least normal number, bits of infinity. */
typedef struct format {
    uint32_t precision;
    int32_t least;
    uint64_t infinity, one, nan;
} format;

static const format f16 = {11, -14, 0x7c00, 0x3c00, RF_NAN_F16};
static const format f32 = {24, -126, 0x7f800000, 0x3f800000, RF_NAN_F32};
static const format f64 = {53, -1022, UINT64_C(0x7ff0000000000000), UINT64_C(0x3ff0000000000000), RF_NAN_F64};

static const format *format_of(uint8_t type) { return type == RF_T_F16 ? &f16 : type == RF_T_F32 ? &f32 : &f64; }

/* Whether what lies below the last kept bit rounds a magnitude up. `rest` of `drop` bits, 1 .. 64. */
static bool rounds_up(uint64_t rest, uint32_t drop, bool odd, bool negative, uint8_t round) {
    const uint64_t half = UINT64_C(1) << (drop - 1);
    switch (round) {
    case RF_R_RZ:
        return false;
    case RF_R_RM:
        return negative && rest != 0;
    case RF_R_RP:
        return !negative && rest != 0;
    default:
        return rest > half || (rest == half && odd);
    }
}

/* The bits of m * 2^exponent, m not 0, without the sign, rounded to a format. */
static uint64_t encode(uint64_t m, int32_t exponent, bool negative, const format *f, uint8_t round) {
    const uint32_t lead = (uint32_t)__builtin_clzll(m);
    m <<= lead;
    const int32_t e = exponent - (int32_t)lead + 63; /* of the leading bit, now bit 63 */
    const int32_t below = e < f->least ? f->least - e : 0;
    uint32_t drop = 64 - f->precision + (uint32_t)below;
    if (drop > 64) { /* far below the least subnormal number: anything under half of it does */
        m = 1;
        drop = 64;
    }
    const uint64_t kept = drop == 64 ? 0 : m >> drop, rest = drop == 64 ? m : m & ((UINT64_C(1) << drop) - 1);
    const uint64_t significand = kept + rounds_up(rest, drop, kept & 1, negative, round);
    /* The hidden bit adds 1 to the exponent field; so does a significand that rounding carried over. */
    const uint64_t bits = ((uint64_t)(below ? 0 : e - f->least) << (f->precision - 1)) + significand;
    if (bits < f->infinity) return bits;
    const bool to_infinity = round == RF_R_RZ ? false : round == RF_R_RM ? negative : round == RF_R_RP ? !negative : true;
    return f->infinity - !to_infinity;
}

/* A double, rounded to a format, as bits. */
static uint64_t encode_double(double v, const format *f, uint8_t round) {
    const uint64_t bits = rf_bits_f64(v), magnitude = bits & UINT64_C(0x7fffffffffffffff);
    const uint64_t sign = (uint64_t)(bits >> 63) * (f->infinity + (UINT64_C(1) << (f->precision - 1)));
    if (magnitude > f64.infinity) return f->nan;
    if (magnitude == f64.infinity) return sign | f->infinity;
    if (magnitude == 0) return sign;
    const int32_t field = (int32_t)(magnitude >> 52);
    const uint64_t fraction = magnitude & UINT64_C(0x000fffffffffffff);
    const uint64_t m = field ? fraction | UINT64_C(0x0010000000000000) : fraction;
    return sign | encode(m, (field ? field : 1) - 1075, sign != 0, f, round);
}

static uint64_t encode_integer(uint64_t v, bool is_signed, const format *f, uint8_t round) {
    const bool negative = is_signed && v >> 63;
    const uint64_t sign = negative ? f->infinity + (UINT64_C(1) << (f->precision - 1)) : 0;
    return v == 0 ? 0 : sign | encode(negative ? UINT64_C(0) - v : v, 0, negative, f, round);
}

static double decode_f16(uint32_t bits) {
    const uint32_t field = bits >> 10 & 31, fraction = bits & 0x3ff;
    double v = field == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                           : ldexp(field ? (double)(fraction | 0x400) : (double)fraction, (int)(field ? field : 1) - 25);
    return bits & 0x8000 ? -v : v;
}

/* The sources as integers of 64 bits. */
static void load_integers(const rf_kinst *inst, const rf_simt_lanes *x, uint64_t v[RF_LANES]) {
    const uint32_t bits = rf_ktype_bits(inst->src_type), up = 64 - bits;
    if (rf_ktype_signed(inst->src_type))
        for (uint32_t l = 0; l < RF_LANES; l++) v[l] = (uint64_t)((int64_t)(rf_get_u64(x, 0, l) << up) >> up);
    else
        for (uint32_t l = 0; l < RF_LANES; l++) v[l] = rf_get_u64(x, 0, l) << up >> up;
}

/* The sources as doubles. */
static void load_floats(const rf_kinst *inst, const rf_simt_lanes *x, double v[RF_LANES]) {
    const uint32_t keep = rf_keep(inst);
    if (inst->src_type == RF_T_F32)
        for (uint32_t l = 0; l < RF_LANES; l++) v[l] = rf_get_f32(x, 0, l, keep);
    else if (inst->src_type == RF_T_F64)
        for (uint32_t l = 0; l < RF_LANES; l++) v[l] = rf_get_f64(x, 0, l);
    else
        for (uint32_t l = 0; l < RF_LANES; l++) v[l] = decode_f16(rf_get_u32(x, 0, l));
}

/* Results into registers: integers cut to their type and extended by it. */
static void store_integers(const rf_kinst *inst, rf_simt_lanes *x, const uint64_t v[RF_LANES]) {
    const uint32_t up = 64 - rf_ktype_bits(inst->type);
    if (rf_ktype_signed(inst->type))
        for (uint32_t l = 0; l < RF_LANES; l++) rf_put_u64(x, l, (uint64_t)((int64_t)(v[l] << up) >> up));
    else
        for (uint32_t l = 0; l < RF_LANES; l++) rf_put_u64(x, l, v[l] << up >> up);
}

/* Bits of floats: saturated to [0, 1] with NaN to 0, subnormal f32 flushed, as the modifiers say. */
static void store_floats(const rf_kinst *inst, rf_simt_lanes *x, const uint64_t v[RF_LANES]) {
    const format *const f = format_of(inst->type);
    const uint32_t keep = rf_keep(inst);
    const uint64_t sign = f->infinity + (UINT64_C(1) << (f->precision - 1));
    for (uint32_t l = 0; l < RF_LANES; l++) {
        uint64_t bits = v[l];
        if (inst->flags & RF_F_SAT) bits = bits & sign || bits > f->infinity ? 0 : bits > f->one ? f->one : bits;
        rf_put_u64(x, l, f == &f32 ? rf_flush((uint32_t)bits, keep) : bits);
    }
}

static void integer_to_integer(const rf_kinst *inst, rf_simt_lanes *x) {
    uint64_t v[RF_LANES];
    load_integers(inst, x, v);
    if (inst->flags & RF_F_SAT) {
        const bool from_signed = rf_ktype_signed(inst->src_type), to_signed = rf_ktype_signed(inst->type);
        const uint32_t bits = rf_ktype_bits(inst->type);
        const uint64_t most = UINT64_MAX >> (64 - bits + to_signed), least = to_signed ? ~most : 0;
        for (uint32_t l = 0; l < RF_LANES; l++) {
            const bool negative = from_signed && v[l] >> 63;
            if (negative ? (int64_t)v[l] < (int64_t)least : v[l] > most) v[l] = negative ? least : most;
        }
    }
    store_integers(inst, x, v);
}

static void integer_to_float(const rf_kinst *inst, rf_simt_lanes *x) {
    const bool is_signed = rf_ktype_signed(inst->src_type), nearest = inst->round == RF_R_RN;
    uint64_t v[RF_LANES];
    load_integers(inst, x, v);
    if (nearest && inst->type == RF_T_F32)
        for (uint32_t l = 0; l < RF_LANES; l++) v[l] = rf_bits_f32(is_signed ? (float)(int64_t)v[l] : (float)v[l]);
    else if (nearest && inst->type == RF_T_F64)
        for (uint32_t l = 0; l < RF_LANES; l++) v[l] = rf_bits_f64(is_signed ? (double)(int64_t)v[l] : (double)v[l]);
    else
        for (uint32_t l = 0; l < RF_LANES; l++) v[l] = encode_integer(v[l], is_signed, format_of(inst->type), inst->round);
    store_floats(inst, x, v);
}

static void integral(double v[RF_LANES], uint8_t round) {
    switch (round) {
    case RF_R_RZI:
        for (uint32_t l = 0; l < RF_LANES; l++) v[l] = trunc(v[l]);
        break;
    case RF_R_RMI:
        for (uint32_t l = 0; l < RF_LANES; l++) v[l] = floor(v[l]);
        break;
    case RF_R_RPI:
        for (uint32_t l = 0; l < RF_LANES; l++) v[l] = ceil(v[l]);
        break;
    default:
        for (uint32_t l = 0; l < RF_LANES; l++) v[l] = rint(v[l]);
    }
}

/* Clamped to the type. NaN: 0, but where a double or a 64-bit result is involved, the result's top bit alone. */
static void float_to_integer(const rf_kinst *inst, rf_simt_lanes *x) {
    const uint32_t bits = rf_ktype_bits(inst->type);
    const bool is_signed = rf_ktype_signed(inst->type);
    const uint64_t most = UINT64_MAX >> (64 - bits + is_signed), least = is_signed ? ~most : 0;
    const uint64_t nan = inst->src_type == RF_T_F64 || bits == 64 ? UINT64_C(1) << (bits - 1) : 0;
    const double above = ldexp(1.0, (int)(bits - is_signed)), below = is_signed ? -above : 0.0;
    double v[RF_LANES];
    uint64_t r[RF_LANES];
    load_floats(inst, x, v);
    integral(v, inst->round);
    for (uint32_t l = 0; l < RF_LANES; l++) {
        if (v[l] != v[l]) r[l] = nan;
        else if (v[l] >= above) r[l] = most;
        else if (v[l] <= below) r[l] = least;
        else r[l] = is_signed ? (uint64_t)(int64_t)v[l] : (uint64_t)v[l];
    }
    store_integers(inst, x, r);
}

static void float_to_float(const rf_kinst *inst, rf_simt_lanes *x) {
    const bool nearest = inst->round == RF_R_RN || inst->round == RF_R_NONE;
    double v[RF_LANES];
    uint64_t r[RF_LANES];
    load_floats(inst, x, v);
    if (inst->round >= RF_R_RNI) integral(v, inst->round);
    if (inst->type == RF_T_F64)
        for (uint32_t l = 0; l < RF_LANES; l++) r[l] = v[l] != v[l] ? RF_NAN_F64 : rf_bits_f64(v[l]);
    else if (inst->type == RF_T_F32 && (nearest || inst->src_type != RF_T_F64)) /* exact from f16 and f32 */
        for (uint32_t l = 0; l < RF_LANES; l++) r[l] = v[l] != v[l] ? RF_NAN_F32 : rf_bits_f32((float)v[l]);
    else
        for (uint32_t l = 0; l < RF_LANES; l++) r[l] = encode_double(v[l], format_of(inst->type), inst->round);
    store_floats(inst, x, r);
}

/* Which rounding a conversion may have: to an integer, or between floats of one size, an integral one. */
static bool rounding(const rf_kinst *inst, bool to_integral) {
    if (inst->round == RF_R_NONE) return true;
    return to_integral ? inst->round >= RF_R_RNI && inst->round <= RF_R_RPI : inst->round <= RF_R_RP;
}

rf_simt_fn *rf_simt_convert(const rf_kinst *inst) {
    const bool from_float = rf_ktype_float(inst->src_type), to_float = rf_ktype_float(inst->type);
    if (inst->op != RF_K_CVT || rf_ktype_bits(inst->type) < 8 || rf_ktype_bits(inst->src_type) < 8) return NULL;
    if (inst->flags & ~(RF_F_FTZ | RF_F_SAT)) return NULL;
    if (!from_float && !to_float) return inst->round == RF_R_NONE ? integer_to_integer : NULL;
    if (!from_float) return rounding(inst, false) ? integer_to_float : NULL;
    if (!to_float) return rounding(inst, true) && inst->round != RF_R_NONE ? float_to_integer : NULL;
    return rounding(inst, inst->type == inst->src_type) ? float_to_float : NULL;
}
