/* SPDX-License-Identifier: Apache-2.0 */
/* One warp instruction of a workload, whatever it was read from, and one warp's stream of them. */
#ifndef RF_INST_H
#define RF_INST_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_INST_SRC_MAX 24u
#define RF_INST_DST_MAX 16u

/* Classes of execution ports. */
typedef enum rf_opclass { RF_OP_ALU, RF_OP_SFU, RF_OP_MEM, RF_OP_TENSOR, RF_OP_CTRL } rf_opclass;

typedef struct rf_inst {
    uint64_t pc;
    uint64_t opcode;       /* 64-bit FNV-1a of the opcode's text: its identity in value functions */
    const char *mnemonic;  /* the opcode's text, interned; lives as long as the reader */
    uint32_t mask;         /* active lanes; 0: touches no register */
    rf_opclass opclass;
    bool load, store;
    uint8_t nsrc, ndst;    /* registers really read and written: expanded, RZ dropped */
    uint8_t src[RF_INST_SRC_MAX];
    uint8_t dst[RF_INST_DST_MAX];
    uint32_t width;        /* bytes a lane moves; 0: no memory access */
    uint64_t *address;     /* 32 lane addresses (0 where inactive), or NULL */
    int64_t immediate;     /* v5 traces; 0 otherwise */
} rf_inst;

/* One warp, in program order. Owned by whoever filled it; rf_warp_free gives its memory back. */
typedef struct rf_warp {
    uint32_t block[3];
    uint32_t warp; /* within its block */
    size_t count, capacity;
    rf_inst *inst;
    uint64_t *address; /* storage behind inst[].address */
    size_t address_count, address_capacity;
} rf_warp;

void rf_warp_free(rf_warp *warp);

#ifdef __cplusplus
}
#endif
#endif
