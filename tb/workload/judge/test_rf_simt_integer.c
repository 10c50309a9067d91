/* SPDX-License-Identifier: Apache-2.0 */
/* Integer and bit operations, every type, boundary values crossed and random ones, against formulas in 128-bit integers and bit
 * by bit from the PTX manual's pseudo code. */
#include "harness/base/rng.h"
#include "tb/workload/judge/rf_simt_build.h"

typedef __int128 wide;
typedef unsigned __int128 uwide;

enum { ITEMS = 4096 };
static kb_item item[ITEMS];

/* Sources from boundary values around powers of two, or random. */
static void fill(uint64_t seed) {
    static const uint64_t edges[] = {0,
                                     1,
                                     2,
                                     7,
                                     8,
                                     15,
                                     16,
                                     31,
                                     32,
                                     33,
                                     63,
                                     64,
                                     65,
                                     127,
                                     128,
                                     255,
                                     256,
                                     0x7fff,
                                     0x8000,
                                     0xffff,
                                     0x7fffff,
                                     0x800000,
                                     0xffffff,
                                     0x7fffffff,
                                     0x80000000,
                                     0xffffffff,
                                     UINT64_C(0x100000000),
                                     UINT64_C(0x7fffffffffffffff),
                                     UINT64_C(0x8000000000000000),
                                     UINT64_MAX,
                                     UINT64_MAX - 1};
    const uint32_t n = sizeof edges / sizeof edges[0];
    ls_rng rng;
    ls_rng_seed(&rng, seed);
    for (uint32_t i = 0; i < ITEMS; i++) {
        for (uint32_t s = 0; s < 4; s++) item[i].src[s] = ls_rng_below(&rng, 3) ? edges[ls_rng_below(&rng, n)] : ls_rng_u64(&rng);
        item[i].preds = ls_rng_u64(&rng);
    }
    for (uint32_t i = 0; i < n * n; i++) { /* every pair once */
        item[i].src[0] = edges[i / n];
        item[i].src[1] = edges[i % n];
    }
}

static const struct {
    rf_ktype type;
    const char *name;
    uint32_t bits;
    bool is_signed;
} types[] = {{RF_T_U16, "u16", 16, false}, {RF_T_S16, "s16", 16, true},  {RF_T_U32, "u32", 32, false},
             {RF_T_S32, "s32", 32, true},  {RF_T_U64, "u64", 64, false}, {RF_T_S64, "s64", 64, true}};

/* A source as the number that its type makes of it. */
static wide number(uint64_t v, uint32_t bits, bool is_signed) {
    const uint64_t low = bits == 64 ? v : v & ((UINT64_C(1) << bits) - 1);
    return is_signed && low >> (bits - 1) ? (wide)low - ((wide)1 << bits) : (wide)low;
}

/* A result as it stands in registers: 16 bits extended to a word by their sign. */
static uint64_t in_register(wide v, uint32_t bits, bool is_signed) {
    if (bits == 64) return (uint64_t)v;
    const wide n = number((uint64_t)v, bits, is_signed);
    return (uint32_t)n;
}

static wide floor_shift(wide v, uint32_t by) { /* v / 2^by rounded down, by division */
    const wide d = (wide)1 << by, q = v / d;
    return v % d < 0 ? q - 1 : q;
}

typedef wide reference(wide a, wide b, wide c, uint32_t bits, bool is_signed);

static wide ref_add(wide a, wide b, wide c, uint32_t n, bool s) { return (void)c, (void)n, (void)s, a + b; }
static wide ref_sub(wide a, wide b, wide c, uint32_t n, bool s) { return (void)c, (void)n, (void)s, a - b; }
static wide ref_sad(wide a, wide b, wide c, uint32_t n, bool s) { return (void)n, (void)s, c + (a > b ? a - b : b - a); }
static wide ref_abs(wide a, wide b, wide c, uint32_t n, bool s) { return (void)b, (void)c, (void)n, (void)s, a < 0 ? -a : a; }
static wide ref_neg(wide a, wide b, wide c, uint32_t n, bool s) { return (void)b, (void)c, (void)n, (void)s, -a; }
static wide ref_min(wide a, wide b, wide c, uint32_t n, bool s) { return (void)c, (void)n, (void)s, a < b ? a : b; }
static wide ref_max(wide a, wide b, wide c, uint32_t n, bool s) { return (void)c, (void)n, (void)s, a < b ? b : a; }
static wide ref_div(wide a, wide b, wide c, uint32_t n, bool s) { return (void)c, (void)n, (void)s, b == 0 ? -1 : a / b; }
static wide ref_rem(wide a, wide b, wide c, uint32_t n, bool s) { return (void)c, (void)n, (void)s, b == 0 ? a : a % b; }
/* Products of 64-bit numbers fit in 128 bits; unsigned ones need all of them. */
static wide product(wide a, wide b, bool s) { return s ? a * b : (wide)((uwide)a * (uwide)b); }
static wide ref_mul_lo(wide a, wide b, wide c, uint32_t n, bool s) { return (void)c, (void)n, product(a, b, s); }
static wide ref_mul_hi(wide a, wide b, wide c, uint32_t n, bool s) {
    (void)c;
    return s ? floor_shift(product(a, b, s), n) : (wide)((uwide)product(a, b, s) / ((uwide)1 << n));
}
static wide ref_mad_lo(wide a, wide b, wide c, uint32_t n, bool s) { return (wide)((uwide)ref_mul_lo(a, b, 0, n, s) + (uwide)c); }
static wide ref_mad_hi(wide a, wide b, wide c, uint32_t n, bool s) { return ref_mul_hi(a, b, 0, n, s) + c; }
static wide ref_and(wide a, wide b, wide c, uint32_t n, bool s) { return (void)c, (void)n, (void)s, a & b; }
static wide ref_or(wide a, wide b, wide c, uint32_t n, bool s) { return (void)c, (void)n, (void)s, a | b; }
static wide ref_xor(wide a, wide b, wide c, uint32_t n, bool s) { return (void)c, (void)n, (void)s, (a | b) - (a & b); }
static wide ref_not(wide a, wide b, wide c, uint32_t n, bool s) { return (void)b, (void)c, (void)n, (void)s, -a - 1; }
static wide ref_cnot(wide a, wide b, wide c, uint32_t n, bool s) { return (void)b, (void)c, (void)n, (void)s, !a; }

static void check_types(const char *name, rf_kinst inst, uint32_t sources, reference *ref) {
    static const char *const shapes4[] = {"", "4>4", "44>4", "444>4"}, *const shapes8[] = {"", "8>8", "88>8", "888>8"};
    for (size_t t = 0; t < sizeof types / sizeof types[0]; t++) {
        inst.type = (uint8_t)types[t].type;
        fill(t + 1);
        kb_run(types[t].bits == 64 ? shapes8[sources] : shapes4[sources], inst, item, ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++) {
            wide v[3];
            for (uint32_t s = 0; s < 3; s++) v[s] = number(item[i].src[s], types[t].bits, types[t].is_signed);
            const uint64_t want =
                in_register(ref(v[0], v[1], v[2], types[t].bits, types[t].is_signed), types[t].bits, types[t].is_signed);
            if (item[i].dst != want)
                fail_msg("%s.%s(%#lx, %#lx, %#lx): %#lx, not %#lx", name, types[t].name, item[i].src[0], item[i].src[1],
                         item[i].src[2], want, item[i].dst);
        }
    }
}

static void test_every_type(void **state) {
    (void)state;
    check_types("add", (rf_kinst){.op = RF_K_ADD}, 2, ref_add);
    check_types("sub", (rf_kinst){.op = RF_K_SUB}, 2, ref_sub);
    check_types("mul.lo", (rf_kinst){.op = RF_K_MUL}, 2, ref_mul_lo);
    check_types("mul.hi", (rf_kinst){.op = RF_K_MUL, .part = RF_PART_HI}, 2, ref_mul_hi);
    check_types("mad.lo", (rf_kinst){.op = RF_K_MAD}, 3, ref_mad_lo);
    check_types("mad.hi", (rf_kinst){.op = RF_K_MAD, .part = RF_PART_HI}, 3, ref_mad_hi);
    check_types("sad", (rf_kinst){.op = RF_K_SAD}, 3, ref_sad);
    check_types("div", (rf_kinst){.op = RF_K_DIV}, 2, ref_div);
    check_types("rem", (rf_kinst){.op = RF_K_REM}, 2, ref_rem);
    check_types("abs", (rf_kinst){.op = RF_K_ABS}, 1, ref_abs);
    check_types("neg", (rf_kinst){.op = RF_K_NEG}, 1, ref_neg);
    check_types("min", (rf_kinst){.op = RF_K_MIN}, 2, ref_min);
    check_types("max", (rf_kinst){.op = RF_K_MAX}, 2, ref_max);
}

/* Logic has types without sign. */
static void check_logic(const char *name, rf_kop op, uint32_t sources, reference *ref) {
    static const rf_ktype bit_types[] = {RF_T_B16, RF_T_B32, RF_T_B64};
    static const char *const shapes4[] = {"", "4>4", "44>4"}, *const shapes8[] = {"", "8>8", "88>8"};
    for (uint32_t t = 0; t < 3; t++) {
        const uint32_t bits = 16u << t;
        fill(t + 11);
        kb_run(bits == 64 ? shapes8[sources] : shapes4[sources], (rf_kinst){.op = (uint8_t)op, .type = (uint8_t)bit_types[t]},
               item, ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++) {
            const wide a = number(item[i].src[0], bits, false), b = number(item[i].src[1], bits, false);
            const uint64_t want = in_register(ref(a, b, 0, bits, false), bits, false);
            if (item[i].dst != want)
                fail_msg("%s.b%u(%#lx, %#lx): %#lx", name, bits, item[i].src[0], item[i].src[1], item[i].dst);
        }
    }
}

static void test_logic(void **state) {
    (void)state;
    check_logic("and", RF_K_AND, 2, ref_and);
    check_logic("or", RF_K_OR, 2, ref_or);
    check_logic("xor", RF_K_XOR, 2, ref_xor);
    check_logic("not", RF_K_NOT, 1, ref_not);
    check_logic("cnot", RF_K_CNOT, 1, ref_cnot);
}

static void test_wide(void **state) {
    (void)state;
    for (uint32_t t = 0; t < 4; t++) {
        const uint32_t bits = types[t].bits;
        for (uint32_t mad = 0; mad < 2; mad++) {
            fill(21 + t);
            const char *const shape = bits == 16 ? (mad ? "444>4" : "44>4") : mad ? "448>8" : "44>8";
            kb_run(shape, (rf_kinst){.op = mad ? RF_K_MAD : RF_K_MUL, .type = (uint8_t)types[t].type, .part = RF_PART_WIDE}, item,
                   ITEMS);
            for (uint32_t i = 0; i < ITEMS; i++) {
                const wide p =
                    number(item[i].src[0], bits, types[t].is_signed) * number(item[i].src[1], bits, types[t].is_signed);
                const uwide sum = (uwide)p + (mad ? (uwide)item[i].src[2] : 0);
                assert_true(item[i].dst == (bits == 16 ? (uint64_t)(uint32_t)sum : (uint64_t)sum));
            }
        }
    }
}

static wide clamp32(wide v) { return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v; }

static wide part24(wide a, wide b, bool is_signed, bool high) { /* of 24-bit numbers */
    const wide p = number((uint64_t)a, 24, is_signed) * number((uint64_t)b, 24, is_signed);
    return high ? floor_shift(p, 16) : p;
}

static void test_saturating_and_24(void **state) {
    (void)state;
    for (uint32_t which = 0; which < 3; which++) {
        fill(31 + which);
        rf_kinst inst = {.op = which == 0 ? RF_K_ADD : which == 1 ? RF_K_SUB : RF_K_MAD, .type = RF_T_S32, .flags = RF_F_SAT};
        if (which == 2) inst.part = RF_PART_HI;
        kb_run(which == 2 ? "444>4" : "44>4", inst, item, ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++) {
            const wide a = (int32_t)item[i].src[0], b = (int32_t)item[i].src[1], c = (int32_t)item[i].src[2];
            const wide want = which == 0 ? a + b : which == 1 ? a - b : floor_shift(a * b, 32) + c;
            assert_true(item[i].dst == (uint32_t)clamp32(want));
        }
    }
    for (uint32_t which = 0; which < 9; which++) {
        const bool mad = which >= 4, high = which & 1, sat = which == 8, is_signed = (which & 2) || sat;
        rf_kinst inst = {.op = mad ? RF_K_MAD24 : RF_K_MUL24, .type = is_signed ? RF_T_S32 : RF_T_U32};
        inst.part = high || sat ? RF_PART_HI : RF_PART_LO;
        if (sat) inst.flags = RF_F_SAT;
        fill(41 + which);
        kb_run(mad ? "444>4" : "44>4", inst, item, ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++) {
            const wide part = part24((wide)item[i].src[0], (wide)item[i].src[1], is_signed, high || sat);
            const wide c = mad ? (wide)(int32_t)item[i].src[2] : 0;
            assert_true(item[i].dst == (uint32_t)(sat ? clamp32(part + c) : part + c));
        }
    }
}

static void test_carry(void **state) {
    (void)state;
    static const rf_kop ops[] = {RF_K_ADD, RF_K_ADDC, RF_K_SUB, RF_K_SUBC, RF_K_MAD, RF_K_MADC};
    for (uint32_t o = 0; o < 6; o++)
        for (uint32_t t = 2; t < 6; t++)
            for (uint32_t high = 0; high < (o >= 4 ? 2 : 1); high++) {
                const uint32_t bits = types[t].bits;
                const bool is_signed = types[t].is_signed,
                           with = ops[o] == RF_K_ADDC || ops[o] == RF_K_SUBC || ops[o] == RF_K_MADC;
                fill(o * 100 + t * 10 + high);
                kb_run(bits == 64 ? (o >= 4 ? "888c>8c" : "88c>8c")
                       : o >= 4   ? "444c>4c"
                                  : "44c>4c",
                       (rf_kinst){.op = (uint8_t)ops[o], .type = (uint8_t)types[t].type, .part = (uint8_t)high, .flags = RF_F_CC},
                       item, ITEMS);
                for (uint32_t i = 0; i < ITEMS; i++) {
                    const uwide ua = (uwide)number(item[i].src[0], bits, false), ub = (uwide)number(item[i].src[1], bits, false);
                    const wide carry = with ? (wide)(item[i].preds >> 7 & 1) : 0, modulus = (wide)1 << bits;
                    wide total; /* of non-negative numbers, or their difference */
                    if (o < 2) {
                        total = (wide)(ua + ub) + carry;
                    } else if (o < 4) {
                        total = (wide)ua - (wide)ub - carry;
                    } else {
                        const wide p =
                            product(number(item[i].src[0], bits, is_signed), number(item[i].src[1], bits, is_signed), is_signed);
                        const uint64_t half = (uint64_t)((uwide)p >> (high ? bits : 0));
                        total = number(half, bits, false) + number(item[i].src[2], bits, false) + carry;
                    }
                    const bool out = o < 2 || o >= 4 ? total >= modulus : total < 0;
                    assert_true(item[i].dst == in_register(total, bits, false) && (item[i].pred_out >> 7 & 1) == out);
                }
            }
}

static void test_shifts(void **state) {
    (void)state;
    for (uint32_t right = 0; right < 2; right++)
        for (uint32_t t = 0; t < 6; t++) {
            const uint32_t bits = types[t].bits;
            fill(51 + t);
            const char *const shape = bits == 64 ? "84>8" : "44>4";
            kb_run(shape, (rf_kinst){.op = right ? RF_K_SHR : RF_K_SHL, .type = (uint8_t)types[t].type}, item, ITEMS);
            for (uint32_t i = 0; i < ITEMS; i++) {
                const uint32_t by = (uint32_t)item[i].src[1] < bits ? (uint32_t)item[i].src[1] : bits;
                wide v = number(item[i].src[0], bits, types[t].is_signed);
                for (uint32_t n = 0; n < by; n++) v = right ? floor_shift(v, 1) : (wide)((uwide)v * 2);
                assert_true(item[i].dst == in_register(v, bits, right && types[t].is_signed));
            }
        }
    for (uint32_t which = 0; which < 4; which++) {
        const bool right = which & 1, clamp = which & 2;
        fill(61 + which);
        kb_run("444>4",
               (rf_kinst){.op = right ? RF_K_SHF_R : RF_K_SHF_L, .type = RF_T_B32, .mode = clamp ? RF_M_CLAMP : RF_M_WRAP}, item,
               ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++) {
            const uint32_t a = (uint32_t)item[i].src[0], b = (uint32_t)item[i].src[1], c = (uint32_t)item[i].src[2];
            const uint32_t n = clamp ? (c < 32 ? c : 32) : c % 32;
            uint32_t want = 0;
            for (uint32_t bit = 0; bit < 32; bit++) { /* bit of b:a that lands here */
                const uint32_t from = right ? bit + n : 32 + bit - n;
                want |= ((from < 32 ? a >> from : b >> (from - 32)) & 1) << bit;
            }
            assert_int_equal(item[i].dst, want);
        }
    }
}

static void test_counts(void **state) {
    (void)state;
    static const rf_kop ops[] = {RF_K_POPC, RF_K_CLZ, RF_K_BREV, RF_K_BFIND, RF_K_BFIND};
    for (uint32_t o = 0; o < 5; o++)
        for (uint32_t t = 2; t < 6; t++) {
            const uint32_t bits = types[t].bits;
            if (o < 3 && types[t].is_signed) continue;
            fill(71 + o);
            const char *const shape = bits == 64 ? (o == 2 ? "8>8" : "8>4") : "4>4";
            kb_run(shape, (rf_kinst){.op = (uint8_t)ops[o], .type = (uint8_t)types[t].type, .flags = o == 4 ? RF_F_SHIFTAMT : 0},
                   item, ITEMS);
            for (uint32_t i = 0; i < ITEMS; i++) {
                const uint64_t a = item[i].src[0];
                uint64_t ones = 0, zeros = 0, reversed = 0, find = UINT32_MAX;
                const bool top = a >> (bits - 1) & 1;
                bool leading = true;
                for (uint32_t n = bits; n-- > 0;) {
                    const bool bit = a >> n & 1;
                    ones += bit;
                    leading = leading && !bit;
                    zeros += leading;
                    reversed |= (uint64_t)bit << (bits - 1 - n);
                    if (find == UINT32_MAX && bit != (types[t].is_signed && top)) find = n;
                }
                if (o == 4 && find != UINT32_MAX) find = bits - 1 - find;
                const uint64_t want[] = {ones, zeros, reversed, find, find};
                assert_true(item[i].dst == want[o]);
            }
        }
}

static void test_fields(void **state) {
    (void)state;
    for (uint32_t t = 2; t < 6; t++) {
        const uint32_t bits = types[t].bits, msb = bits - 1;
        fill(81 + t);
        kb_run(bits == 64 ? "844>8" : "444>4", (rf_kinst){.op = RF_K_BFE, .type = (uint8_t)types[t].type}, item, ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++) {
            const uint32_t pos = item[i].src[1] & 0xff, len = item[i].src[2] & 0xff;
            const uint32_t at = pos + len - 1 < msb ? pos + len - 1 : msb;
            const bool sign = types[t].is_signed && len > 0 && (item[i].src[0] >> at & 1);
            uint64_t want = 0;
            for (uint32_t n = 0; n <= msb; n++)
                want |= (uint64_t)(n < len && pos + n <= msb ? item[i].src[0] >> (pos + n) & 1 : sign) << n;
            assert_true(item[i].dst == want);
        }
        if (types[t].is_signed) continue;
        fill(91 + t);
        kb_run(bits == 64 ? "8844>8" : "4444>4", (rf_kinst){.op = RF_K_BFI, .type = bits == 64 ? RF_T_B64 : RF_T_B32}, item,
               ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++) {
            const uint32_t pos = item[i].src[2] & 0xff, len = item[i].src[3] & 0xff;
            uint64_t want = bits == 64 ? item[i].src[1] : (uint32_t)item[i].src[1];
            for (uint32_t n = 0; n < len && pos + n <= msb; n++) {
                want &= ~(UINT64_C(1) << (pos + n));
                want |= (item[i].src[0] >> n & 1) << (pos + n);
            }
            assert_true(item[i].dst == want);
        }
    }
}

static void test_lop3_fns_dp4a(void **state) {
    (void)state;
    for (uint32_t lut = 0; lut < 256; lut += 5) {
        rf_kinst inst = {.op = RF_K_LOP3, .type = RF_T_B32};
        inst.src[3] = kb_imm(lut);
        fill(lut);
        kb_run("444i>4", inst, item, 64);
        for (uint32_t i = 0; i < 64; i++)
            for (uint32_t n = 0; n < 32; n++) {
                const uint32_t row =
                    (uint32_t)((item[i].src[0] >> n & 1) * 4 + (item[i].src[1] >> n & 1) * 2 + (item[i].src[2] >> n & 1));
                assert_int_equal(item[i].dst >> n & 1, lut >> row & 1);
            }
    }
    fill(5);
    for (uint32_t i = 0; i < ITEMS; i++) {
        item[i].src[1] %= 34;
        item[i].src[2] = (uint64_t)((int64_t)(item[i].src[2] % 41) - 20);
    }
    kb_run("444>4", (rf_kinst){.op = RF_K_FNS, .type = RF_T_B32}, item, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++) {
        const uint32_t mask = (uint32_t)item[i].src[0];
        const int32_t base = (int32_t)item[i].src[1], offset = (int32_t)item[i].src[2], step = offset > 0 ? 1 : -1;
        uint32_t want = UINT32_MAX;
        if (offset == 0) {
            if (base < 32 && mask >> base & 1) want = (uint32_t)base;
        } else {
            int32_t count = abs(offset) - 1;
            for (int32_t pos = base; pos >= 0 && pos < 32; pos += step) {
                if (!(mask >> pos & 1)) continue;
                if (count-- == 0) {
                    want = (uint32_t)pos;
                    break;
                }
            }
        }
        assert_int_equal(item[i].dst, want);
    }
    for (uint32_t which = 0; which < 4; which++) {
        const bool sa = which & 1, sb = which & 2;
        fill(which);
        kb_run("444>4", (rf_kinst){.op = RF_K_DP4A, .type = sa ? RF_T_S32 : RF_T_U32, .src_type = sb ? RF_T_S32 : RF_T_U32}, item,
               ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++) {
            wide sum = (wide)item[i].src[2];
            for (uint32_t n = 0; n < 4; n++)
                sum += number(item[i].src[0] >> 8 * n, 8, sa) * number(item[i].src[1] >> 8 * n, 8, sb);
            assert_int_equal(item[i].dst, (uint32_t)sum);
        }
    }
}

/* The manual's table, byte 3 first, as written there. */
static void test_prmt(void **state) {
    (void)state;
    static const char *const table[6][4] = {{"3210", "4321", "5432", "6543"}, {"5670", "6701", "7012", "0123"},
                                            {"0000", "1111", "2222", "3333"}, {"3210", "3211", "3222", "3333"},
                                            {"0000", "1110", "2210", "3210"}, {"1010", "3232", "1010", "3232"}};
    for (uint32_t mode = RF_M_NONE; mode <= RF_M_RC16; mode = mode == RF_M_NONE ? RF_M_F4E : mode + 1) {
        fill(mode);
        for (uint32_t i = 0; i < ITEMS; i++) item[i].src[2] ^= item[i].src[3]; /* selectors of all kinds */
        kb_run("444>4", (rf_kinst){.op = RF_K_PRMT, .type = RF_T_B32, .mode = (uint8_t)mode}, item, ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++) {
            uint8_t byte[8];
            const uint32_t c = (uint32_t)item[i].src[2];
            for (uint32_t n = 0; n < 8; n++) byte[n] = (uint8_t)(item[i].src[n / 4] >> n % 4 * 8);
            for (uint32_t n = 0; n < 4; n++) {
                const uint32_t select =
                    mode == RF_M_NONE ? c >> 4 * n & 15 : (uint32_t)(table[mode - RF_M_F4E][c & 3][3 - n] - '0');
                const uint32_t want = select < 8 ? byte[select] : byte[select - 8] > 127 ? 255 : 0;
                assert_int_equal(item[i].dst >> 8 * n & 255, want);
            }
        }
    }
}

static void test_predicates(void **state) {
    (void)state;
    static const rf_kop ops[] = {RF_K_AND, RF_K_OR, RF_K_XOR, RF_K_NOT, RF_K_MOV};
    for (uint32_t o = 0; o < 5; o++)
        for (uint32_t negate = 0; negate < 2; negate++) {
            rf_kinst inst = {.op = (uint8_t)ops[o], .type = RF_T_PRED};
            inst.src[0].negated = negate;
            fill(o);
            kb_run(o < 3 ? "pp>p" : "p>p", inst, item, ITEMS);
            for (uint32_t i = 0; i < ITEMS; i++) {
                const bool p = (item[i].preds & 1) != negate, q = item[i].preds & 2;
                const bool want[] = {p && q, p || q, p != q, !p, p};
                assert_int_equal(item[i].pred_out & 1, want[o]);
            }
        }
    for (uint32_t truth = 0; truth < 2; truth++) { /* a number as predicate */
        rf_kinst inst = {.op = RF_K_MOV, .type = RF_T_PRED};
        inst.src[0] = kb_imm(truth ? UINT64_MAX : 0);
        kb_run("i>p", inst, item, 32);
        for (uint32_t i = 0; i < 32; i++) assert_int_equal(item[i].pred_out, truth);
    }
}

static void test_moves(void **state) {
    (void)state;
    fill(7);
    kb_run("88p>8", (rf_kinst){.op = RF_K_SELP, .type = RF_T_B64}, item, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++) assert_true(item[i].dst == item[i].src[item[i].preds & 4 ? 0 : 1]);
    kb_run("44p>4", (rf_kinst){.op = RF_K_SELP, .type = RF_T_F32}, item, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++) assert_int_equal(item[i].dst, (uint32_t)item[i].src[item[i].preds & 4 ? 0 : 1]);
    kb_run("884>8", (rf_kinst){.op = RF_K_SLCT, .type = RF_T_U64, .src_type = RF_T_S32}, item, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++) assert_true(item[i].dst == item[i].src[item[i].src[2] & 0x80000000 ? 1 : 0]);
    kb_run("44>8", (rf_kinst){.op = RF_K_PACK, .type = RF_T_B64, .vector = 2}, item, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++) assert_true(item[i].dst == (item[i].src[1] << 32 | (uint32_t)item[i].src[0]));
    kb_run("4444>8", (rf_kinst){.op = RF_K_PACK, .type = RF_T_B64, .vector = 4}, item, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++)
        for (uint32_t n = 0; n < 4; n++) assert_true((uint16_t)(item[i].dst >> 16 * n) == (uint16_t)item[i].src[n]);
    kb_run("44>4", (rf_kinst){.op = RF_K_PACK, .type = RF_T_B32, .vector = 2}, item, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++)
        assert_true(item[i].dst == ((item[i].src[1] & 0xffff) << 16 | (item[i].src[0] & 0xffff)));
    for (uint32_t n = 0; n < 2; n++) { /* only the last destination is stored by kb_run */
        kb_run(n ? "8>44" : "4>44", (rf_kinst){.op = RF_K_UNPACK, .type = n ? RF_T_B64 : RF_T_B32, .vector = 2}, item, ITEMS);
        for (uint32_t i = 0; i < ITEMS; i++)
            assert_true(item[i].dst == (n ? item[i].src[0] >> 32 : item[i].src[0] >> 16 & 0xffff));
    }
    kb_run("8>4444", (rf_kinst){.op = RF_K_UNPACK, .type = RF_T_B64, .vector = 4}, item, ITEMS);
    for (uint32_t i = 0; i < ITEMS; i++) assert_true(item[i].dst == item[i].src[0] >> 48);
    static const struct {
        rf_kspace space;
        uint64_t window;
    } spaces[] = {{RF_S_GLOBAL, 0}, {RF_S_CONST, 0}, {RF_S_SHARED, RF_SHARED_WINDOW}, {RF_S_LOCAL, RF_LOCAL_WINDOW}};
    for (uint32_t s = 0; s < 4; s++)
        for (uint32_t to = 0; to < 2; to++) {
            kb_run("8>8",
                   (rf_kinst){.op = RF_K_CVTA, .type = RF_T_U64, .space = (uint8_t)spaces[s].space, .flags = to ? RF_F_TO : 0},
                   item, ITEMS);
            for (uint32_t i = 0; i < ITEMS; i++)
                assert_true(to ? item[i].src[0] == item[i].dst + spaces[s].window
                               : item[i].dst == item[i].src[0] + spaces[s].window);
        }
}

/* What there is not is refused, with the opcode's text. */
static void test_refused(void **state) {
    (void)state;
    static const struct {
        const char *shape;
        rf_kinst inst;
    } cases[] = {
        {"44>4", {.op = RF_K_ADD, .type = RF_T_F16}},
        {"44>4", {.op = RF_K_ADD, .type = RF_T_U32, .flags = RF_F_SAT}},
        {"88>8", {.op = RF_K_MUL, .type = RF_T_U64, .part = RF_PART_WIDE}},
        {"44>4", {.op = RF_K_MUL24, .type = RF_T_U64}},
        {"44>4", {.op = RF_K_ADDC, .type = RF_T_U16}},
        {"4>4", {.op = RF_K_POPC, .type = RF_T_B16}},
        {"444>4", {.op = RF_K_SHF_L, .type = RF_T_B32}},
        {"444>4", {.op = RF_K_DP4A, .type = RF_T_U32, .src_type = RF_T_U64}},
        {"444>4", {.op = RF_K_PRMT, .type = RF_T_B32, .mode = RF_M_WRAP}},
        {"44>p", {.op = RF_K_SETP, .type = RF_T_U32, .cmp = RF_C_NUM}},
        {"44>p", {.op = RF_K_SETP, .type = RF_T_F32, .cmp = RF_C_LO}},
        {"444>4", {.op = RF_K_PACK, .type = RF_T_B64, .vector = 3}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        char error[256] = "";
        assert_int_equal(kb_run_status(cases[c].shape, cases[c].inst, item, 1, error, sizeof error), -1);
        assert_non_null(strstr(error, ": op: "));
        assert_non_null(strstr(error, "not supported with this type and these modifiers"));
    }
    char error[256] = "";
    assert_int_equal(kb_run_status("4>4", (rf_kinst){.op = RF_K_ADD, .type = RF_T_U32}, item, 1, error, sizeof error), -1);
    assert_non_null(strstr(error, "number of operands"));
    assert_int_equal(kb_run_status("88>4", (rf_kinst){.op = RF_K_ADD, .type = RF_T_U64}, item, 1, error, sizeof error), -1);
    assert_non_null(strstr(error, "a destination of another size"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_type),    cmocka_unit_test(test_logic),
        cmocka_unit_test(test_wide),          cmocka_unit_test(test_saturating_and_24),
        cmocka_unit_test(test_carry),         cmocka_unit_test(test_shifts),
        cmocka_unit_test(test_counts),        cmocka_unit_test(test_fields),
        cmocka_unit_test(test_lop3_fns_dp4a), cmocka_unit_test(test_prmt),
        cmocka_unit_test(test_predicates),    cmocka_unit_test(test_moves),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
