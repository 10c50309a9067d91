/* SPDX-License-Identifier: Apache-2.0 */
/* What the SIMT machine's operations share: one warp instruction's operands as rows of 32 lanes, typed access to them, and the
 * tables that find an operation's function. Internal to rf_simt*.c.
 *
 * An operation computes all 32 lanes, whatever the mask: rows always hold defined words, loops without conditions become vector
 * code, and the machine keeps the lanes that take part. Only what depends on other lanes looks at the mask. */
#ifndef RF_SIMT_LANES_H
#define RF_SIMT_LANES_H

#include <string.h>

#include "cmodel/workload/rf_kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_LANES 32u

typedef struct rf_simt_lanes {
    const uint32_t *src[2 * RF_KSRC_MAX];    /* rows of source i: low words at 2i, high words, or zeros, at 2i + 1 */
    uint32_t pred[RF_KSRC_MAX];              /* source i, a predicate, negation applied: bit per lane */
    uint32_t mask;                           /* lanes that take part */
    uint32_t staying;                        /* for .sync: lanes that still have something to do but to exit */
    uint32_t carry;                          /* in: the carries; out: those of this operation */
    uint32_t pred_out[RF_KDST_MAX];          /* destination i, a predicate */
    const char *fault;                       /* set by an operation that has no meaning here: the sentence for the message */
    uint32_t out[2 * RF_KDST_MAX][RF_LANES]; /* rows of destination i, as src */
} rf_simt_lanes;

typedef void rf_simt_fn(const rf_kinst *inst, rf_simt_lanes *x);

/* Each finds the function of the operations of its file, or NULL: not its own, or not with this type and modifiers. */
rf_simt_fn *rf_simt_integer(const rf_kinst *inst);
rf_simt_fn *rf_simt_bits(const rf_kinst *inst);
rf_simt_fn *rf_simt_move(const rf_kinst *inst);
rf_simt_fn *rf_simt_float(const rf_kinst *inst);
rf_simt_fn *rf_simt_approximate(const rf_kinst *inst);
rf_simt_fn *rf_simt_compare(const rf_kinst *inst);
rf_simt_fn *rf_simt_convert(const rf_kinst *inst);
rf_simt_fn *rf_simt_exchange(const rf_kinst *inst);

/* A type's place in a row of functions: unsigned and untyped bits alike; RF_TAGS: a type that has none. */
typedef enum rf_simt_tag { RF_TAG_u16, RF_TAG_s16, RF_TAG_u32, RF_TAG_s32, RF_TAG_u64, RF_TAG_s64, RF_TAGS } rf_simt_tag;
rf_simt_tag rf_simt_tag_of(uint8_t type);

/* Most significant bits of what a NaN becomes: NVIDIA's machines return these (CUDART_NAN_F, CUDART_NAN). */
#define RF_NAN_F16 0x7fffu
#define RF_NAN_F32 UINT32_C(0x7fffffff)
#define RF_NAN_F64 UINT64_C(0xfff8000000000000)

/* C's types by tag, and for each an unsigned type to wrap in, and one that holds a product. */
#define RF_C_u16 uint16_t
#define RF_C_s16 int16_t
#define RF_C_u32 uint32_t
#define RF_C_s32 int32_t
#define RF_C_u64 uint64_t
#define RF_C_s64 int64_t
#define RF_U_u16 uint32_t
#define RF_U_s16 uint32_t
#define RF_U_u32 uint32_t
#define RF_U_s32 uint32_t
#define RF_U_u64 uint64_t
#define RF_U_s64 uint64_t
#define RF_W_u16 uint32_t
#define RF_W_s16 int32_t
#define RF_W_u32 uint64_t
#define RF_W_s32 int64_t
#define RF_W_u64 unsigned __int128
#define RF_W_s64 __int128

static inline float rf_as_f32(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint32_t rf_bits_f32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline double rf_as_f64(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint64_t rf_bits_f64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Source i of lane l. */
static inline uint32_t rf_get_u32(const rf_simt_lanes *x, uint32_t i, uint32_t l) { return x->src[2 * i][l]; }
static inline int32_t rf_get_s32(const rf_simt_lanes *x, uint32_t i, uint32_t l) { return (int32_t)x->src[2 * i][l]; }
static inline uint16_t rf_get_u16(const rf_simt_lanes *x, uint32_t i, uint32_t l) { return (uint16_t)x->src[2 * i][l]; }
static inline int16_t rf_get_s16(const rf_simt_lanes *x, uint32_t i, uint32_t l) { return (int16_t)x->src[2 * i][l]; }
static inline uint64_t rf_get_u64(const rf_simt_lanes *x, uint32_t i, uint32_t l) {
    return (uint64_t)x->src[2 * i + 1][l] << 32 | x->src[2 * i][l];
}
static inline int64_t rf_get_s64(const rf_simt_lanes *x, uint32_t i, uint32_t l) { return (int64_t)rf_get_u64(x, i, l); }
static inline double rf_get_f64(const rf_simt_lanes *x, uint32_t i, uint32_t l) { return rf_as_f64(rf_get_u64(x, i, l)); }

/* Destination 0 of lane l. A 16-bit value fills its register by its sign. */
static inline void rf_put_u32(rf_simt_lanes *x, uint32_t l, uint32_t v) { x->out[0][l] = v; }
static inline void rf_put_s32(rf_simt_lanes *x, uint32_t l, int32_t v) { x->out[0][l] = (uint32_t)v; }
static inline void rf_put_u16(rf_simt_lanes *x, uint32_t l, uint16_t v) { x->out[0][l] = v; }
static inline void rf_put_s16(rf_simt_lanes *x, uint32_t l, int16_t v) { x->out[0][l] = (uint32_t)(int32_t)v; }
static inline void rf_put_u64(rf_simt_lanes *x, uint32_t l, uint64_t v) {
    x->out[0][l] = (uint32_t)v;
    x->out[1][l] = (uint32_t)(v >> 32);
}
static inline void rf_put_s64(rf_simt_lanes *x, uint32_t l, int64_t v) { rf_put_u64(x, l, (uint64_t)v); }

/* f32: subnormal numbers become zeros of their sign unless `keep` (0x7fffffff) keeps them; results also clamped to [0, 1], NaN to
 * +0, when `sat`. */
static inline uint32_t rf_keep(const rf_kinst *inst) { return inst->flags & RF_F_FTZ ? 0 : UINT32_C(0x7fffffff); }
static inline uint32_t rf_flush(uint32_t bits, uint32_t keep) {
    return bits & ((bits & UINT32_C(0x7f800000)) == 0 ? UINT32_C(0x80000000) | keep : UINT32_MAX);
}
static inline float rf_get_f32(const rf_simt_lanes *x, uint32_t i, uint32_t l, uint32_t keep) {
    return rf_as_f32(rf_flush(x->src[2 * i][l], keep));
}
static inline void rf_put_f32(rf_simt_lanes *x, uint32_t l, float v, uint32_t keep, bool sat) {
    const uint32_t bits = v != v ? RF_NAN_F32 : rf_flush(rf_bits_f32(v), keep);
    const uint32_t clamped = !(v > 0.0f) ? 0 : v > 1.0f ? UINT32_C(0x3f800000) : bits;
    x->out[0][l] = sat ? clamped : bits;
}

#ifdef __cplusplus
}
#endif
#endif
