/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of the stream format (docs/stream.md), for its writer and its reader alone. */
#ifndef RF_STREAM_CODE_H
#define RF_STREAM_CODE_H

#include "cmodel/workload/rf_program.h"
#include "cmodel/workload/rf_stream.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Head of the file: magic, version, CRC. A chunk: word = kind << 24 | payload bytes, payload, CRC. Every CRC is the one of the
 * whole file up to there but the CRCs. */
#define RF_STREAM_HEAD 16u
#define RF_STREAM_WORD 4u
#define RF_STREAM_CHUNK_MAX (UINT32_C(1) << 18) /* longest payload */
#define RF_STREAM_ITEM_MAX 4096u                /* room for any item but a program's head */

enum { RF_CHUNK_PROGRAM = 'P', RF_CHUNK_WARP = 'W', RF_CHUNK_MORE = '+', RF_CHUNK_END = 'E' };

/* Limits. */
#define RF_STREAM_NAME_MAX 65535u                /* bytes of a kernel's name, and of its origin */
#define RF_STREAM_STATIC_MAX (UINT32_C(1) << 20) /* instructions, and blocks, of a program */
#define RF_STREAM_TEXT_MAX (UINT32_C(1) << 26)   /* bytes of a program's text */
#define RF_STREAM_WARP_MAX (UINT32_C(1) << 28)   /* instructions of a warp */
#define RF_STREAM_NEW_MAX (UINT32_C(1) << 16)    /* instructions of a kernel kept by number beside its program's */
#define RF_STREAM_WIDTH_MAX 64u                  /* bytes a lane moves */

/* First byte of a warp's instruction. Neither MASK bit: the mask follows. */
enum {
    RF_TAG_NEXT = 1,      /* the number behind the last instruction's; else the difference to that follows */
    RF_TAG_MASK_SAME = 2, /* the last instruction's mask */
    RF_TAG_MASK_FULL = 4,
    RF_TAG_ADDRESS = 8,
    RF_TAG_VALUE = 16,
    RF_TAG_HINT = 32, /* a hint follows; else the last one that an instruction of this number had */
    RF_TAG_NEW = 64,  /* an instruction follows that gets the next number */
    RF_STREAM_TAGS = 128
};

/* In a hint's byte of flags, beside those of rf_hint.h: places of the operands follow. Not in version 1. */
#define RF_STREAM_PLACES 128u

/* Lanes. Low two bits of the form byte; PACKED has width - 1 above them. */
enum { RF_LANES_UNIFORM, RF_LANES_STRIDE, RF_LANES_PAIR, RF_LANES_PACKED, RF_LANES_KIND = 3 };

/* Flag bits of an instruction's second word: class, then these. */
enum { RF_CLASS_BITS = 7, RF_FLAG_LOAD = 8, RF_FLAG_STORE = 16, RF_FLAG_WIDTH = 32, RF_FLAG_IMMEDIATE = 64, RF_FLAGS = 128 };

/* A number of the instruction table: its instruction with the last hint, and the first lane's last address and values, which
 * predict the next ones. */
typedef struct rf_stream_entry {
    rf_inst inst;
    uint64_t address;
    uint32_t value[RF_INST_DST_MAX];
} rf_stream_entry;

/* Whether the compiler can have said so: a place of a source, of a result (rf_hint.h). */
static inline bool rf_stream_from(uint32_t from) {
    const uint32_t how = from & ~RF_LEVEL_NAME;
    return from == 0 || how == RF_FROM_UPPER || how == RF_FROM_KEEP;
}
static inline bool rf_stream_to(uint32_t to) {
    const uint32_t how = to & ~RF_LEVEL_NAME;
    return to == 0 || how == RF_TO_UPPER || how == (RF_TO_UPPER | RF_TO_NOT_MRF);
}

static inline uint64_t rf_zigzag(int64_t x) { return (uint64_t)x << 1 ^ (x < 0 ? UINT64_MAX : 0); }
static inline int64_t rf_unzigzag(uint64_t x) { return (int64_t)(x >> 1 ^ (x & 1 ? UINT64_MAX : 0)); }

/* A difference modulo 2^bits as the signed number nearest to 0. */
static inline int64_t rf_signed(uint64_t x, uint32_t bits) { return bits == 32 ? (int32_t)(uint32_t)x : (int64_t)x; }

#ifdef __cplusplus
}
#endif
#endif
