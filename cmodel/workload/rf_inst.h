/* SPDX-License-Identifier: Apache-2.0 */
/* One warp instruction of a workload, whatever it was read from, and one warp's stream of them. */
#ifndef RF_INST_H
#define RF_INST_H

#include "cmodel/workload/rf_hint.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_INST_SRC_MAX RF_HINT_SRC_MAX
#define RF_INST_DST_MAX RF_HINT_DST_MAX

/* Classes of execution ports. */
typedef enum rf_opclass { RF_OP_ALU, RF_OP_SFU, RF_OP_MEM, RF_OP_TENSOR, RF_OP_CTRL } rf_opclass;

typedef struct rf_inst {
    uint64_t pc;
    uint64_t opcode;      /* 64-bit FNV-1a of the opcode's text: its identity in value functions */
    const char *mnemonic; /* the opcode's text, interned; lives as long as the reader */
    uint32_t mask;        /* active lanes; 0: touches no register */
    rf_opclass opclass;
    bool load, store;
    uint8_t nsrc, ndst; /* registers really read and written: expanded, RZ dropped */
    uint8_t src[RF_INST_SRC_MAX];
    uint8_t dst[RF_INST_DST_MAX];
    uint32_t width;    /* bytes a lane moves; 0: no memory access */
    uint64_t *address; /* 32 lane addresses (0 where inactive), or NULL */
    int64_t immediate; /* v5 traces; 0 otherwise */
    uint32_t index;    /* of the static instruction in its program (rf_program.h), or RF_INDEX_NONE */
    uint32_t *value;   /* what it writes: ndst x 32 lanes, destination by destination, 0 in inactive ones; or NULL: not known */
    rf_hint hint;      /* the compiler's, all 0 when there is none */
} rf_inst;

#define RF_INDEX_NONE UINT32_MAX

/* One warp, in program order. Owned by whoever filled it; rf_warp_free gives its memory back. */
typedef struct rf_warp {
    uint32_t block[3];
    uint32_t warp; /* within its block */
    size_t count, capacity;
    rf_inst *inst;
    uint64_t *address; /* storage behind inst[].address */
    size_t address_count, address_capacity;
    uint32_t *value; /* storage behind inst[].value */
    size_t value_count, value_capacity;
} rf_warp;

/* Room for one more instruction, `addresses` more lane addresses and `values` more value words: 0, or -1: no memory. The storage
 * may move: whoever fills a warp only marks inst[].address and value as present (any pointer but NULL) and calls rf_warp_link at
 * its end. */
int rf_warp_reserve(rf_warp *warp, size_t addresses, size_t values);

/* Points every present inst[].address and value at its place in the storage: in order, 32 words or ndst x 32 words each. */
void rf_warp_link(rf_warp *warp);

void rf_warp_free(rf_warp *warp);

#ifdef __cplusplus
}
#endif
#endif
