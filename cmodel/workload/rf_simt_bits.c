/* SPDX-License-Identifier: Apache-2.0 */
/* Logic, shifts and fields of bits (PTX ISA, "Logic and Shift Instructions" and the bit instructions among the integer ones). */
#include "cmodel/workload/rf_simt_lanes.h"

/* A function for one type of sources; what it puts may be another. */
#define OPERATION(name, tag, put, ...)                                                                                           \
    static void name##_##tag(const rf_kinst *inst, rf_simt_lanes *x) {                                                           \
        typedef RF_C_##tag T;                                                                                                    \
        enum { BITS = 8 * sizeof(T) };                                                                                           \
        (void)inst, (void)BITS;                                                                                                  \
        for (uint32_t l = 0; l < RF_LANES; l++) {                                                                                \
            const T a = rf_get_##tag(x, 0, l);                                                                                   \
            rf_put_##put(x, l, (RF_C_##put)(__VA_ARGS__));                                                                       \
        }                                                                                                                        \
    }
#define SECOND(tag) rf_get_##tag(x, 1, l)
#define AMOUNT rf_get_u32(x, 1, l) /* of a shift: 32 bits whatever the type */

#define UNSIGNED_TYPES(name, ...)                                                                                                \
    OPERATION(name, u16, u16, __VA_ARGS__)                                                                                       \
    OPERATION(name, u32, u32, __VA_ARGS__)                                                                                       \
    OPERATION(name, u64, u64, __VA_ARGS__)                                                                                       \
    static rf_simt_fn *const name[RF_TAGS] = {name##_u16, name##_u16, name##_u32, name##_u32, name##_u64, name##_u64};

UNSIGNED_TYPES(bit_and, a &(T)rf_get_u64(x, 1, l))
UNSIGNED_TYPES(bit_or, a | (T)rf_get_u64(x, 1, l))
UNSIGNED_TYPES(bit_xor, a ^ (T)rf_get_u64(x, 1, l))
UNSIGNED_TYPES(bit_not, ~a)
UNSIGNED_TYPES(cnot, a == 0)
/* A shift by the width or more leaves zeros, or signs. */
UNSIGNED_TYPES(shl, AMOUNT < BITS ? (uint64_t)a << (AMOUNT & (BITS - 1)) : 0)
OPERATION(shr, u16, u16, AMOUNT < BITS ? a >> (AMOUNT & (BITS - 1)) : 0)
OPERATION(shr, u32, u32, AMOUNT < BITS ? a >> (AMOUNT & (BITS - 1)) : 0)
OPERATION(shr, u64, u64, AMOUNT < BITS ? a >> (AMOUNT & (BITS - 1)) : 0)
OPERATION(shr, s16, s16, a >> (AMOUNT < BITS ? AMOUNT : BITS - 1))
OPERATION(shr, s32, s32, a >> (AMOUNT < BITS ? AMOUNT : BITS - 1))
OPERATION(shr, s64, s64, a >> (AMOUNT < BITS ? AMOUNT : BITS - 1))
static rf_simt_fn *const shr[RF_TAGS] = {shr_u16, shr_s16, shr_u32, shr_s32, shr_u64, shr_s64};

/* Funnel shifts of the pair b:a. */
static uint32_t funnel_amount(const rf_kinst *inst, uint32_t c) { return inst->mode == RF_M_WRAP ? c & 31 : c < 32 ? c : 32; }
#define PAIR ((uint64_t)rf_get_u32(x, 1, l) << 32 | a)
OPERATION(shf_l, u32, u32, PAIR << funnel_amount(inst, rf_get_u32(x, 2, l)) >> 32)
OPERATION(shf_r, u32, u32, PAIR >> funnel_amount(inst, rf_get_u32(x, 2, l)))

/* Bit i of the table is the result where the three inputs, a's bit first, read i. */
static void lop3(const rf_kinst *inst, rf_simt_lanes *x) {
    uint32_t minterm[8];
    for (uint32_t i = 0; i < 8; i++) minterm[i] = inst->src[3].imm >> i & 1 ? UINT32_MAX : 0;
    for (uint32_t l = 0; l < RF_LANES; l++) {
        const uint32_t a = rf_get_u32(x, 0, l), b = rf_get_u32(x, 1, l), c = rf_get_u32(x, 2, l);
        uint32_t r = 0;
        for (uint32_t i = 0; i < 8; i++) r |= minterm[i] & (i & 4 ? a : ~a) & (i & 2 ? b : ~b) & (i & 1 ? c : ~c);
        rf_put_u32(x, l, r);
    }
}

/* The selector of PRMT's named modes, a nibble a byte, for the low two bits of its third source. */
static uint32_t prmt_selector(uint8_t mode, uint32_t c) {
    static const uint16_t table[][4] = {
        {0x3210, 0x4321, 0x5432, 0x6543}, /* F4E */
        {0x5670, 0x6701, 0x7012, 0x0123}, /* B4E */
        {0x0000, 0x1111, 0x2222, 0x3333}, /* RC8 */
        {0x3210, 0x3211, 0x3222, 0x3333}, /* ECL */
        {0x0000, 0x1110, 0x2210, 0x3210}, /* ECR */
        {0x1010, 0x3232, 0x1010, 0x3232}, /* RC16 */
    };
    return mode == RF_M_NONE ? c : table[mode - RF_M_F4E][c & 3];
}

/* Each nibble picks one of the eight bytes of b:a; its top bit asks for that byte's sign in all eight places. */
static void prmt(const rf_kinst *inst, rf_simt_lanes *x) {
    for (uint32_t l = 0; l < RF_LANES; l++) {
        const uint64_t bytes = (uint64_t)rf_get_u32(x, 1, l) << 32 | rf_get_u32(x, 0, l);
        const uint32_t select = prmt_selector(inst->mode, rf_get_u32(x, 2, l));
        uint32_t r = 0;
        for (uint32_t i = 0; i < 4; i++) {
            const uint32_t s = select >> (4 * i) & 15, byte = (uint32_t)(bytes >> (8 * (s & 7))) & 0xff;
            r |= (s & 8 ? byte >> 7 ? 0xffu : 0 : byte) << (8 * i);
        }
        rf_put_u32(x, l, r);
    }
}

static uint64_t reverse(uint64_t v) {
    v = (v >> 1 & UINT64_C(0x5555555555555555)) | (v & UINT64_C(0x5555555555555555)) << 1;
    v = (v >> 2 & UINT64_C(0x3333333333333333)) | (v & UINT64_C(0x3333333333333333)) << 2;
    v = (v >> 4 & UINT64_C(0x0f0f0f0f0f0f0f0f)) | (v & UINT64_C(0x0f0f0f0f0f0f0f0f)) << 4;
    return __builtin_bswap64(v);
}

OPERATION(popc, u32, u32, __builtin_popcount(a))
OPERATION(popc, u64, u32, __builtin_popcountll(a))
OPERATION(clz, u32, u32, a ? __builtin_clz(a) : BITS)
OPERATION(clz, u64, u32, a ? __builtin_clzll(a) : BITS)
OPERATION(brev, u32, u32, reverse(a) >> 32)
OPERATION(brev, u64, u64, reverse(a))

/* The most significant bit that is no sign: its position, or its distance from the top; all ones when there is none. */
static uint32_t find_high(uint64_t v, uint32_t top, bool distance) {
    if (v == 0) return UINT32_MAX;
    const uint32_t position = 63 - (uint32_t)__builtin_clzll(v);
    return distance ? top - position : position;
}
#define DISTANCE (inst->flags & RF_F_SHIFTAMT)
OPERATION(bfind, u32, u32, find_high(a, 31, DISTANCE))
OPERATION(bfind, s32, u32, find_high((uint32_t)(a < 0 ? ~a : a), 31, DISTANCE))
OPERATION(bfind, u64, u32, find_high(a, 63, DISTANCE))
OPERATION(bfind, s64, u32, find_high((uint64_t)(a < 0 ? ~a : a), 63, DISTANCE))
static rf_simt_fn *const bfind[RF_TAGS] = {NULL, NULL, bfind_u32, bfind_s32, bfind_u64, bfind_s64};

static uint64_t low_bits(uint32_t n) { return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1; }

/* `length` bits of `a` from `position` on, zeros or the field's top bit above; what lies beyond the width counts as sign. */
static uint64_t extract(uint64_t a, uint32_t position, uint32_t length, uint32_t width, bool is_signed) {
    const uint32_t end = position + length < width ? position + length : width;
    const bool sign = is_signed && length && a >> (end - 1) & 1;
    const uint32_t got = end > position ? end - position : 0;
    const uint64_t field = got ? a >> position & low_bits(got) : 0;
    return sign ? field | ~low_bits(got) : field;
}
#define POSITION (rf_get_u32(x, 1, l) & 0xff)
#define LENGTH (rf_get_u32(x, 2, l) & 0xff)
OPERATION(bfe, u32, u32, extract(a, POSITION, LENGTH, BITS, false))
OPERATION(bfe, s32, u32, extract((uint32_t)a, POSITION, LENGTH, BITS, true))
OPERATION(bfe, u64, u64, extract(a, POSITION, LENGTH, BITS, false))
OPERATION(bfe, s64, u64, extract((uint64_t)a, POSITION, LENGTH, BITS, true))
static rf_simt_fn *const bfe[RF_TAGS] = {NULL, NULL, bfe_u32, bfe_s32, bfe_u64, bfe_s64};

/* `length` low bits of `a` over those of `b` from `position` on. */
static uint64_t insert(uint64_t a, uint64_t b, uint32_t position, uint32_t length) {
    if (position >= 64) return b;
    const uint64_t field = low_bits(length) << position;
    return (b & ~field) | (a << position & field);
}
OPERATION(bfi, u32, u32, insert(a, SECOND(u32), rf_get_u32(x, 2, l) & 0xff, rf_get_u32(x, 3, l) & 0xff))
OPERATION(bfi, u64, u64, insert(a, SECOND(u64), rf_get_u32(x, 2, l) & 0xff, rf_get_u32(x, 3, l) & 0xff))

/* The offset-th set bit from `base` on, upwards from 1, downwards from -1; 0: base itself, if set. */
static uint32_t find_nth(uint32_t mask, uint32_t base, int32_t offset) {
    if (base >= 32) return UINT32_MAX;
    if (offset == 0) return mask >> base & 1 ? base : UINT32_MAX;
    int64_t left = offset < 0 ? -(int64_t)offset : offset;
    for (uint32_t i = base; i < 32; i = offset < 0 ? i - 1 : i + 1) /* below 0 it wraps, and ends */
        if (mask >> i & 1 && --left == 0) return i;
    return UINT32_MAX;
}
OPERATION(fns, u32, u32, find_nth(a, SECOND(u32), rf_get_s32(x, 2, l)))

/* Four products of bytes and the addend; type is that of a's bytes, src_type that of b's. */
static void dp4a(const rf_kinst *inst, rf_simt_lanes *x) {
    const bool signed_a = inst->type == RF_T_S32, signed_b = inst->src_type == RF_T_S32;
    for (uint32_t l = 0; l < RF_LANES; l++) {
        const uint32_t a = rf_get_u32(x, 0, l), b = rf_get_u32(x, 1, l);
        uint32_t sum = rf_get_u32(x, 2, l);
        for (uint32_t i = 0; i < 32; i += 8) {
            const int32_t u = signed_a ? (int8_t)(a >> i) : (uint8_t)(a >> i);
            const int32_t v = signed_b ? (int8_t)(b >> i) : (uint8_t)(b >> i);
            sum += (uint32_t)(u * v);
        }
        rf_put_u32(x, l, sum);
    }
}

#define PREDICATE(name, expression)                                                                                              \
    static void name(const rf_kinst *inst, rf_simt_lanes *x) {                                                                   \
        (void)inst;                                                                                                              \
        x->pred_out[0] = expression;                                                                                             \
    }
PREDICATE(pred_and, x->pred[0] & x->pred[1])
PREDICATE(pred_or, x->pred[0] | x->pred[1])
PREDICATE(pred_xor, x->pred[0] ^ x->pred[1])
PREDICATE(pred_not, ~x->pred[0])

static rf_simt_fn *logic_of_predicates(uint8_t op) {
    switch (op) {
    case RF_K_AND:
        return pred_and;
    case RF_K_OR:
        return pred_or;
    case RF_K_XOR:
        return pred_xor;
    case RF_K_NOT:
        return pred_not;
    default:
        return NULL;
    }
}

rf_simt_fn *rf_simt_bits(const rf_kinst *inst) {
    if (inst->type == RF_T_PRED) return logic_of_predicates(inst->op);
    const rf_simt_tag tag = rf_simt_tag_of(inst->type);
    const bool word = tag == RF_TAG_u32 || tag == RF_TAG_s32, wide = tag == RF_TAG_u64 || tag == RF_TAG_s64;
    if (tag == RF_TAGS) return NULL;
    switch (inst->op) {
    case RF_K_AND:
        return bit_and[tag];
    case RF_K_OR:
        return bit_or[tag];
    case RF_K_XOR:
        return bit_xor[tag];
    case RF_K_NOT:
        return bit_not[tag];
    case RF_K_CNOT:
        return cnot[tag];
    case RF_K_SHL:
        return shl[tag];
    case RF_K_SHR:
        return shr[tag];
    case RF_K_POPC:
        return word ? popc_u32 : wide ? popc_u64 : NULL;
    case RF_K_CLZ:
        return word ? clz_u32 : wide ? clz_u64 : NULL;
    case RF_K_BREV:
        return word ? brev_u32 : wide ? brev_u64 : NULL;
    case RF_K_BFIND:
        return bfind[tag];
    case RF_K_BFE:
        return bfe[tag];
    case RF_K_BFI:
        return word ? bfi_u32 : wide ? bfi_u64 : NULL;
    default:
        break;
    }
    if (!word) return NULL;
    const bool funnel = inst->mode == RF_M_WRAP || inst->mode == RF_M_CLAMP;
    switch (inst->op) {
    case RF_K_SHF_L:
        return funnel ? shf_l_u32 : NULL;
    case RF_K_SHF_R:
        return funnel ? shf_r_u32 : NULL;
    case RF_K_LOP3:
        return inst->src[3].kind == RF_O_IMM ? lop3 : NULL;
    case RF_K_PRMT:
        return inst->mode == RF_M_NONE || (inst->mode >= RF_M_F4E && inst->mode <= RF_M_RC16) ? prmt : NULL;
    case RF_K_FNS:
        return fns_u32;
    case RF_K_DP4A:
        return inst->src_type == RF_T_U32 || inst->src_type == RF_T_S32 ? dp4a : NULL;
    default:
        return NULL;
    }
}
