/* SPDX-License-Identifier: Apache-2.0 */
/* The decoder in front of rf_wir: what the reuse buffer's tag says of an instruction beside its registers, and what it does to
 * memory ([WIR V-C, VI-A]; docs/units/rf_wir.md has the rules).
 *
 * Functions get numbers in the order in which they come, for the decoder's whole life, in place of an instruction set's opcodes:
 * a function is an opcode text with the slots that are registers and the form of its constant. A constant lies in the operand
 * fields that no register takes, as it is, or by its upper bits. What gets no number any more, or does not fit, is not reusable.
 *
 * A result of several words is looked up word by word, where each word's uop has all the instruction's sources: a word may depend
 * on all of them. Its words are functions of their own, with numbers one behind the other: all have one, or none.
 *
 * A store sets one flag of the load guard, that of scratchpad or that of global memory. PTX's generic stores are told by their
 * addresses; after one that goes to both, or may, no load from scratchpad is looked up any more. */
#ifndef RF_WIR_DECODE_H
#define RF_WIR_DECODE_H

#include "cmodel/wir/rf_wir.h"
#include "cmodel/workload/rf_crack.h"

typedef struct rf_wir_decoder rf_wir_decoder;

/* For a system of this size; ends the process when memory runs out. */
rf_wir_decoder *rf_wir_decoder_new(uint32_t slots, uint32_t pregs);
void rf_wir_decoder_free(rf_wir_decoder *d);

/* From here on results of more than `words` words are not looked up; at first all may be. */
void rf_wir_decoder_limit(rf_wir_decoder *d, uint32_t words);

/* Why an instruction may not be looked up; the first that is true, from the top. */
typedef enum rf_wir_why {
    RF_WIR_MAY,       /* it may */
    RF_WIR_FLOW,      /* control flow */
    RF_WIR_STORES,    /* a store or an atomic operation */
    RF_WIR_NO_RESULT, /* writes no register: compares, in PTX */
    RF_WIR_WIDE,      /* its result has several words: more than may be, or their uops do not have all sources each */
    RF_WIR_CRACKED,   /* one word, but more sources than slots: several uops */
    RF_WIR_HIDDEN,    /* depends on what an rf_inst does not show */
    RF_WIR_SPACE,     /* reads memory of a space that it does not name, or local memory; scratchpad, after a store to both */
    RF_WIR_UNKNOWN,   /* a load or an instruction without sources of a trace without values */
    RF_WIR_SPECIAL,   /* no source but a special register */
    RF_WIR_CONSTANTS, /* several constants, or one that does not fit into the operand fields that no register takes */
    RF_WIR_NO_NUMBER, /* its function has no number */
    RF_WIR_WHYS
} rf_wir_why;

typedef struct rf_wir_decoded {
    bool reuse; /* why is RF_WIR_MAY */
    rf_wir_why why;
    uint8_t op;
    uint16_t imm[RF_REUSE_SLOTS_MAX]; /* per slot; 0 where it is a register */
    rf_space space;
    bool store, store_shared;
} rf_wir_decoded;

/* Decodes a uop of the instruction, whose sources are in the slots `src_valid`; `order`, below 16: which is in which slot, a number
 * for each way. */
void rf_wir_decode(rf_wir_decoder *d, const rf_inst *inst, const rf_uop *uop, uint32_t src_valid, uint32_t order,
                   rf_wir_decoded *out);

/* Whether the instruction, which has several words of result, is to be cracked word by word: only then it may be looked up. */
bool rf_wir_words(rf_wir_decoder *d, const rf_inst *inst);

#endif
