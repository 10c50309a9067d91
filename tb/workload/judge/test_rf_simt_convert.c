/* SPDX-License-Identifier: Apache-2.0 */
/* CVT between all types, in every rounding, flushed and saturated, against the definition in long double, which holds every
 * source exactly (64 bits of significand). */
#include <float.h>
#include <math.h>

#include "harness/base/rng.h"
#include "tb/workload/judge/rf_simt_build.h"

_Static_assert(LDBL_MANT_DIG >= 64, "a 64-bit integer must fit into a long double");

enum { ITEMS = 2048 };
static kb_item item[ITEMS];

static const rf_ktype integers[] = {RF_T_U8, RF_T_S8, RF_T_U16, RF_T_S16, RF_T_U32, RF_T_S32, RF_T_U64, RF_T_S64};
static const rf_ktype floats[] = {RF_T_F16, RF_T_F32, RF_T_F64};

/* Significant bits, least normal exponent, exponent bits of a floating-point type. */
static void format_of(rf_ktype type, int *precision, int *least, int *exponent) {
    *precision = type == RF_T_F16 ? 11 : type == RF_T_F32 ? 24 : 53;
    *exponent = type == RF_T_F16 ? 5 : type == RF_T_F32 ? 8 : 11;
    *least = 2 - (1 << (*exponent - 1));
}

static long double decode(rf_ktype type, uint64_t bits) {
    int precision, least, exponent;
    format_of(type, &precision, &least, &exponent);
    const uint64_t fraction = bits & ((UINT64_C(1) << (precision - 1)) - 1),
                   field = bits >> (precision - 1) & ((UINT64_C(1) << exponent) - 1);
    const bool negative = bits >> (precision - 1 + exponent) & 1;
    long double v;
    if (field == (UINT64_C(1) << exponent) - 1) v = fraction ? NAN : INFINITY;
    else
        v = ldexpl((long double)(field ? fraction | UINT64_C(1) << (precision - 1) : fraction),
                   (int)(field ? field : 1) + least - precision);
    return negative ? -v : v;
}

static long double integral(long double v, uint8_t round) {
    switch (round) {
    case RF_R_RZ:
    case RF_R_RZI:
        return truncl(v);
    case RF_R_RM:
    case RF_R_RMI:
        return floorl(v);
    case RF_R_RP:
    case RF_R_RPI:
        return ceill(v);
    default: {
        const long double down = floorl(v), rest = v - down;
        const bool odd = fmodl(down, 2) != 0;
        return copysignl(rest > 0.5L || (rest == 0.5L && odd) ? down + 1 : down, v);
    }
    }
}

/* v rounded to a type, as bits: in units of its last place, a whole number by definition. */
static uint64_t encode(rf_ktype type, long double v, uint8_t round) {
    int precision, least, exponent, e = 0;
    format_of(type, &precision, &least, &exponent);
    const uint64_t inf = ((UINT64_C(1) << exponent) - 1) << (precision - 1),
                   sign = signbit(v) ? UINT64_C(1) << (precision - 1 + exponent) : 0;
    if (isnan(v)) return type == RF_T_F16 ? 0x7fff : type == RF_T_F32 ? 0x7fffffff : UINT64_C(0xfff8000000000000);
    if (isinf(v)) return sign | inf;
    if (v == 0) return sign;
    (void)frexpl(v, &e); /* v = 0.5 .. 1 * 2^e */
    const int unit = (e - 1 > least ? e - 1 : least) - precision + 1;
    const long double rounded = ldexpl(integral(ldexpl(v, -unit), round), unit);
    const long double beyond = ldexpl(1, 1 - least + 1);
    if (fabsl(rounded) >= beyond) {
        const bool to_inf = round == RF_R_RN || (round == RF_R_RM && sign) || (round == RF_R_RP && !sign);
        return sign | (to_inf ? inf : inf - 1);
    }
    if (rounded == 0) return sign;
    (void)frexpl(rounded, &e);
    const bool normal = e - 1 >= least;
    const uint64_t significand = (uint64_t)ldexpl(fabsl(rounded), -((normal ? e - 1 : least) - precision + 1));
    return sign | (normal ? (uint64_t)(e - least) << (precision - 1) | (significand & ((UINT64_C(1) << (precision - 1)) - 1))
                          : significand);
}

static long double as_integer(rf_ktype type, uint64_t bits) {
    const uint32_t width = rf_ktype_bits(type);
    const uint64_t low = width == 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
    if (!rf_ktype_signed(type) || !(low >> (width - 1))) return (long double)low;
    return width == 64 ? (long double)(int64_t)low : (long double)low - ldexpl(1, (int)width);
}

/* An integer as a register of `words` words holds it. */
static uint64_t in_register(rf_ktype type, uint64_t v, uint32_t words) {
    const uint32_t width = rf_ktype_bits(type);
    uint64_t low = width == 64 ? v : v & ((UINT64_C(1) << width) - 1);
    if (rf_ktype_signed(type) && width < 64 && low >> (width - 1)) low |= UINT64_MAX << width;
    return words == 2 ? low : (uint32_t)low;
}

static void fill(rf_ktype type, uint64_t seed) {
    ls_rng rng;
    ls_rng_seed(&rng, seed);
    for (uint32_t i = 0; i < ITEMS; i++) {
        const uint32_t what = ls_rng_below(&rng, 8);
        uint64_t v = ls_rng_u64(&rng) >> ls_rng_below(&rng, 64);
        if (ls_rng_below(&rng, 2))
            v = (UINT64_C(1) << ls_rng_below(&rng, 64)) + ls_rng_below(&rng, 5) - 2; /* around powers of two */
        if (ls_rng_below(&rng, 2)) v = UINT64_C(0) - v;
        if (rf_ktype_float(type)) {
            int precision, least, exponent;
            format_of(type, &precision, &least, &exponent);
            const uint64_t any = ls_rng_u64(&rng), inf = ((UINT64_C(1) << exponent) - 1) << (precision - 1);
            if (what < 3) v = encode(type, as_integer(RF_T_S64, v) / (what == 0 ? 1 : what == 1 ? 2 : 1024), RF_R_RN);
            else if (what == 3) v = encode(type, ldexpl((long double)(int64_t)any, (int)ls_rng_below(&rng, 60) - 200), RF_R_RN);
            else if (what == 4)
                v = encode(
                    type, ldexpl((long double)(int32_t)any / 3, (int)ls_rng_below(&rng, 12) - 30 + (type == RF_T_F16 ? 0 : -127)),
                    RF_R_RN);
            else if (what == 5)
                v = (uint64_t[]){0,
                                 1,
                                 inf,
                                 inf - 1,
                                 inf + 1,
                                 inf | 1,
                                 UINT64_C(1) << (precision - 1),
                                 (UINT64_C(1) << (precision - 1)) - 1}[any % 8] |
                    (any >> 63 << (precision - 1 + exponent));
            else if (what == 6) v = encode(type, ldexpl(1 + (long double)(any % 7) / 2048, (int)(any >> 32) % 40 - 26), RF_R_RN);
            else v = any;
        }
        item[i].src[0] = v;
    }
}

static uint64_t flush(uint64_t bits) { return (bits & 0x7f800000) == 0 ? bits & 0x80000000 : bits; }

static uint64_t saturated(rf_ktype type, uint64_t bits) {
    const long double v = decode(type, bits);
    return isnan(v) || v <= 0 ? 0 : v > 1 ? encode(type, 1, RF_R_RN) : bits;
}

static void run(rf_ktype to, rf_ktype from, uint8_t round, uint16_t flags, bool wide) {
    char shape[8];
    (void)snprintf(shape, sizeof shape, "%c>%c", rf_ktype_bits(from) == 64 ? '8' : '4', wide ? '8' : '4');
    kb_run(shape, (rf_kinst){.op = RF_K_CVT, .type = (uint8_t)to, .src_type = (uint8_t)from, .round = round, .flags = flags},
           item, ITEMS);
}

#define CHECK(want_)                                                                                                             \
    do {                                                                                                                         \
        const uint64_t want = want_;                                                                                             \
        if (item[i].dst != want)                                                                                                 \
            fail_msg("cvt to %u from %u round %u flags %u (%#lx): %#lx, not %#lx", to, from, round, flags, item[i].src[0],       \
                     item[i].dst, want);                                                                                         \
    } while (0)

static void test_integers(void **state) {
    (void)state;
    const uint8_t round = 0;
    for (uint32_t f = 0; f < 8; f++)
        for (uint32_t t = 0; t < 8; t++)
            for (uint32_t variant = 0; variant < 4; variant++) { /* saturated, wide destination */
                const rf_ktype from = integers[f], to = integers[t];
                const uint16_t flags = variant & 1 ? RF_F_SAT : 0;
                const bool wide = variant & 2 || rf_ktype_bits(to) == 64;
                const int bits = (int)rf_ktype_bits(to), is_signed = rf_ktype_signed(to);
                const long double most = ldexpl(1, bits - is_signed) - 1, least = is_signed ? -most - 1 : 0;
                fill(from, f * 8 + t);
                run(to, from, 0, flags, wide);
                for (uint32_t i = 0; i < ITEMS; i++) {
                    const long double v = as_integer(from, item[i].src[0]);
                    const long double clamped = v > most ? most : v < least ? least : v;
                    const long double kept = flags ? clamped : v;
                    CHECK(in_register(to, kept < 0 ? (uint64_t)(int64_t)kept : (uint64_t)kept, wide ? 2 : 1));
                }
            }
}

static void test_integer_to_float(void **state) {
    (void)state;
    for (uint32_t f = 0; f < 8; f++)
        for (uint32_t t = 0; t < 3; t++)
            for (uint8_t round = RF_R_RN; round <= RF_R_RP; round++) {
                const rf_ktype from = integers[f], to = floats[t];
                const uint16_t flags = f == 5 && t == 1 ? RF_F_SAT : 0;
                fill(from, 100 + f * 8 + t);
                run(to, from, round, flags, to == RF_T_F64);
                for (uint32_t i = 0; i < ITEMS; i++) {
                    const uint64_t bits = encode(to, as_integer(from, item[i].src[0]), round);
                    CHECK(flags ? saturated(to, bits) : bits);
                }
            }
}

static void test_float_to_integer(void **state) {
    (void)state;
    for (uint32_t f = 0; f < 3; f++)
        for (uint32_t t = 0; t < 8; t++)
            for (uint8_t round = RF_R_RNI; round <= RF_R_RPI; round++)
                for (uint16_t flags = 0; flags < (f == 1 ? 2 : 1); flags++) { /* RF_F_FTZ */
                    const rf_ktype from = floats[f], to = integers[t];
                    const int bits = (int)rf_ktype_bits(to), is_signed = rf_ktype_signed(to);
                    const long double most = ldexpl(1, bits - is_signed) - 1, least = is_signed ? -most - 1 : 0;
                    const bool wide = bits == 64;
                    fill(from, 200 + f * 8 + t);
                    run(to, from, round, flags, wide);
                    for (uint32_t i = 0; i < ITEMS; i++) {
                        const long double v = decode(from, flags ? flush(item[i].src[0]) : item[i].src[0]);
                        if (isnan(v)) { /* the manual: 0, unless a double or a 64-bit integer is involved */
                            CHECK(in_register(to, from == RF_T_F64 || wide ? UINT64_C(1) << (bits - 1) : 0, wide ? 2 : 1));
                            continue;
                        }
                        const long double r = integral(v, round), clamped = r > most ? most : r < least ? least : r;
                        CHECK(in_register(to, clamped < 0 ? (uint64_t)(int64_t)clamped : (uint64_t)clamped, wide ? 2 : 1));
                    }
                }
}

static void test_float_to_float(void **state) {
    (void)state;
    for (uint32_t f = 0; f < 3; f++)
        for (uint32_t t = 0; t < 3; t++)
            for (uint8_t round = RF_R_NONE; round <= RF_R_RPI; round++)
                for (uint16_t flags = 0; flags < 4; flags++) { /* FTZ, SAT */
                    const rf_ktype from = floats[f], to = floats[t];
                    const bool narrows = t < f, to_integral = round >= RF_R_RNI, single = from == RF_T_F32 || to == RF_T_F32;
                    if (to_integral ? f != t : narrows != (round != RF_R_NONE)) continue;
                    if (flags & RF_F_FTZ && !single) continue;
                    fill(from, 300 + f * 8 + t);
                    run(to, from, round, flags, to == RF_T_F64);
                    for (uint32_t i = 0; i < ITEMS; i++) {
                        long double v =
                            decode(from, flags & RF_F_FTZ && from == RF_T_F32 ? flush(item[i].src[0]) : item[i].src[0]);
                        if (to_integral && !isnan(v) && !isinf(v)) v = copysignl(integral(v, round), v);
                        uint64_t bits = encode(to, v, round == RF_R_NONE || to_integral ? RF_R_RN : round);
                        if (flags & RF_F_SAT) bits = saturated(to, bits);
                        if (flags & RF_F_FTZ && to == RF_T_F32) bits = flush(bits);
                        CHECK(bits);
                    }
                }
}

/* Every f16 there is, to f32 and back in every rounding: itself. */
static void test_every_f16(void **state) {
    (void)state;
    static kb_item all[65536], back[65536];
    for (uint32_t i = 0; i < 65536; i++) all[i].src[0] = i;
    kb_run("4>4", (rf_kinst){.op = RF_K_CVT, .type = RF_T_F32, .src_type = RF_T_F16}, all, 65536);
    for (uint8_t round = RF_R_RN; round <= RF_R_RP; round++) {
        for (uint32_t i = 0; i < 65536; i++) {
            float v;
            const uint32_t bits = (uint32_t)all[i].dst;
            memcpy(&v, &bits, 4);
            const long double want = decode(RF_T_F16, i);
            assert_true(isnan(want) ? bits == 0x7fffffff : v == want && !signbit(v) == !signbit(want));
            back[i].src[0] = all[i].dst;
        }
        kb_run("4>4", (rf_kinst){.op = RF_K_CVT, .type = RF_T_F16, .src_type = RF_T_F32, .round = round}, back, 65536);
        for (uint32_t i = 0; i < 65536; i++) assert_int_equal(back[i].dst, (i & 0x7fff) > 0x7c00 ? 0x7fff : i);
    }
}

static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *shape;
        rf_kinst inst;
    } cases[] = {
        {"4>4", {.op = RF_K_CVT, .type = RF_T_U32, .src_type = RF_T_F32}}, /* to which side? */
        {"4>4", {.op = RF_K_CVT, .type = RF_T_U32, .src_type = RF_T_F32, .round = RF_R_RN}},
        {"4>4", {.op = RF_K_CVT, .type = RF_T_U32, .src_type = RF_T_U16, .round = RF_R_RN}},
        {"4>4", {.op = RF_K_CVT, .type = RF_T_F16, .src_type = RF_T_F32, .round = RF_R_RZI}},
        {"4>4", {.op = RF_K_CVT, .type = RF_T_F32, .src_type = RF_T_F32, .round = RF_R_RN}},
        {"4>4", {.op = RF_K_CVT, .type = RF_T_F32, .src_type = RF_T_U32, .round = RF_R_RNA}},
        {"4>4", {.op = RF_K_CVT, .type = RF_T_F32, .src_type = RF_T_PRED, .round = RF_R_RN}},
        {"4>4", {.op = RF_K_CVT, .type = RF_T_U32, .src_type = RF_T_F32, .round = RF_R_RZI, .flags = RF_F_APPROX}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char error[256] = "";
        assert_int_equal(kb_run_status(cases[i].shape, cases[i].inst, item, 1, error, sizeof error), -1);
        assert_non_null(strstr(error, "not supported with this type and these modifiers"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integers),       cmocka_unit_test(test_integer_to_float), cmocka_unit_test(test_float_to_integer),
        cmocka_unit_test(test_float_to_float), cmocka_unit_test(test_every_f16),        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
