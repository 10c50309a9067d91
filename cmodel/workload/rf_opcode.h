/* SPDX-License-Identifier: Apache-2.0 */
/* An NVIDIA opcode as the register file sees it: its port class and the registers behind each listed one (docs/workloads.md). */
#ifndef RF_OPCODE_H
#define RF_OPCODE_H

#include "cmodel/workload/rf_inst.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_OPCODE_TEXT_MAX 63u   /* longest opcode text, bytes */
#define RF_OPCODE_OPERANDS 8u    /* most listed sources, and most listed destinations */
#define RF_OPCODE_DISTINCT 4096u /* most opcode texts of one table */
#define RF_REG_ZERO 255u         /* RZ: no register */

typedef struct rf_opcode {
    char text[RF_OPCODE_TEXT_MAX + 1];
    uint64_t hash; /* 64-bit FNV-1a of the text */
    rf_opclass opclass;
    bool load, store;
    bool generic;       /* its addresses are generic: of any space */
    bool known;         /* a rule of the table speaks for it */
    bool dst_among_src; /* no destination listed: the first listed source is it (a predicate stood in its place) */
    bool addend_pair;   /* the addend is a pair: the third source, or the second of two beside an immediate */
    bool tile;          /* moves a tile of memory (TMA): what follows its width is no list of lane addresses */
    uint8_t address;    /* 1 + the listed source that is a global address, and then a pair or, at an odd register, one; 0: none */
    uint8_t width;      /* bytes a lane moves, where the trace's own number is wrong; else 0 */
    uint8_t dst_regs;   /* registers behind a lone listed destination */
    uint8_t src_regs[RF_OPCODE_OPERANDS]; /* registers behind each listed source, in listing order */
} rf_opcode;

/* A trace line's registers as listed: base registers, RF_REG_ZERO for RZ and for uniform registers. */
typedef struct rf_listed {
    uint32_t ndst, nsrc; /* 0 .. RF_OPCODE_OPERANDS */
    uint8_t dst[RF_OPCODE_OPERANDS];
    uint8_t src[RF_OPCODE_OPERANDS];
    bool immediate; /* an immediate operand other than 0 */
} rf_listed;

/* The 64-bit FNV-1a hash of a text (Fowler, Noll, Vo; offset 0xcbf29ce484222325, prime 0x100000001b3). */
uint64_t rf_fnv1a(const char *text, size_t length);

/* Fills `out` for an opcode's text of 1 .. RF_OPCODE_TEXT_MAX bytes; an opcode no rule speaks for has `known` false and one
 * register an operand. 0, or -1 when the length is out of range. */
int rf_opcode_decode(const char *text, size_t length, rf_opcode *out);

/* The registers really read and written into inst->src, nsrc, dst and ndst: bases expanded, RZ dropped, listing order and
 * repeated mentions kept. NULL, or what is wrong: a base whose last register lies above R254 (then *operand is the base), or more
 * registers than an rf_inst holds. `odd`: a pair of it would begin at an odd register, or a quad of memory at no multiple of
 * four, which the machine does not do: the table is wrong about it. */
const char *rf_opcode_expand(const rf_opcode *opcode, const rf_listed *listed, rf_inst *inst, uint8_t *operand, bool *odd);

/* Every opcode text met so far, decoded once; what it returns lives until rf_optable_free. */
typedef struct rf_optable rf_optable;

/* An empty table; NULL: no memory. */
rf_optable *rf_optable_new(void);
void rf_optable_free(rf_optable *table);

/* The entry of a text, decoded on first sight; NULL: no memory, a length out of range, or RF_OPCODE_DISTINCT texts met. */
const rf_opcode *rf_optable_find(rf_optable *table, const char *text, size_t length);

#ifdef __cplusplus
}
#endif
#endif
