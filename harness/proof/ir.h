/* SPDX-License-Identifier: Apache-2.0 */
/* C functions as clang's intermediate representation, reduced to what a symbolic execution needs: numbers, addresses as sums of
 * bytes, blocks. Names and rules of the instructions are LLVM's (its Language Reference, version 14). */
#ifndef LS_IR_H
#define LS_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LS_IR_NONE UINT32_MAX
#define LS_IR_BITS_MAX 1024u /* of one value: an element of a field at most (LS_ELEMENT_BITS) */

typedef enum ls_ir_op {
    LS_IR_ADD,
    LS_IR_SUB,
    LS_IR_MUL,
    LS_IR_UDIV,
    LS_IR_SDIV,
    LS_IR_UREM,
    LS_IR_SREM,
    LS_IR_SHL,
    LS_IR_LSHR,
    LS_IR_ASHR,
    LS_IR_AND,
    LS_IR_OR,
    LS_IR_XOR,
    LS_IR_COMPARE, /* `extra` is an ls_ir_order */
    LS_IR_SELECT,
    LS_IR_ZEXT,
    LS_IR_SEXT,
    LS_IR_TRUNC,
    LS_IR_COPY,    /* casts that change no bit, and freeze of what is no undef */
    LS_IR_ALLOCA,  /* `extra` bytes */
    LS_IR_LOAD,    /* from operand 0 */
    LS_IR_STORE,   /* operand 0 to operand 1 */
    LS_IR_ADDRESS, /* operand 0, plus `offset`, plus each further operand times its scale */
    LS_IR_BRANCH,  /* to block `to[0]`; of two: operand 0 is true: to[0], else to[1] */
    LS_IR_SWITCH,  /* operand 0: to[0] unless it is one of `cases` */
    LS_IR_RETURN,
    LS_IR_UNREACHABLE,
    LS_IR_PHI,     /* operand i when control comes from block to[i] */
    LS_IR_CALL,    /* function `extra` of the module */
    LS_IR_EXTRACT, /* the bits of operand 0 from `extra` on */
    LS_IR_INSERT,  /* operand 0, with operand 1 in place of its bits from `extra` on */
    /* functions of the compiler */
    LS_IR_COPY_BYTES, /* memcpy, memmove: to, from, how many */
    LS_IR_FILL,       /* memset */
    LS_IR_COUNT_ONES,
    LS_IR_LEADING_ZEROS, /* operand 1: undefined of zero */
    LS_IR_TRAILING_ZEROS,
    LS_IR_SWAP_BYTES,
    LS_IR_REVERSE_BITS,
    LS_IR_FUNNEL_LEFT,
    LS_IR_FUNNEL_RIGHT,
    LS_IR_ABS,
    LS_IR_MIN, /* `extra` says of which numbers: 0 unsigned, 1 signed */
    LS_IR_MAX,
    LS_IR_CHECKED_ADD, /* result and, one bit above it, whether it overflowed; `extra` as above */
    LS_IR_CHECKED_SUB,
    LS_IR_CHECKED_MUL,
    LS_IR_SATURATED_ADD,
    LS_IR_SATURATED_SUB,
    LS_IR_FORGET, /* operand 1 has no value any more, operand 0 bytes */
    LS_IR_ASSUME, /* operand 0 is true */
    LS_IR_TRAP,   /* `extra`: what clang's sanitizers found, its number there */
    LS_IR_NOTHING
} ls_ir_op;

typedef enum ls_ir_order {
    LS_IR_EQ,
    LS_IR_NE,
    LS_IR_UGT,
    LS_IR_UGE,
    LS_IR_ULT,
    LS_IR_ULE,
    LS_IR_SGT,
    LS_IR_SGE,
    LS_IR_SLT,
    LS_IR_SLE
} ls_ir_order;

typedef enum ls_ir_kind {
    LS_IR_NUMBER, /* `value` */
    LS_IR_RESULT, /* of instruction or argument `value` of the function */
    LS_IR_GLOBAL, /* the address of global `value`, plus `offset` */
    LS_IR_UNDEF
} ls_ir_kind;

typedef struct ls_ir_operand {
    ls_ir_kind kind;
    uint32_t bits;
    uint64_t value;
    int64_t offset;
    int64_t scale; /* of an LS_IR_ADDRESS */
} ls_ir_operand;

typedef struct ls_ir_inst {
    ls_ir_op op;
    uint32_t bits;   /* of the result; 0: none */
    uint32_t result; /* its number in the function; LS_IR_NONE: none */
    bool pointer;    /* the result is an address */
    uint32_t extra, align;
    int64_t offset;
    ls_ir_operand *operand;
    uint32_t operands;
    uint32_t *to; /* blocks */
    uint32_t targets;
    uint64_t *cases; /* targets - 1 */
    uint32_t *bytes; /* of a call: operand i is copied, that many bytes, when not 0 (byval) */
    uint32_t line;
    const char *file; /* where it stands; of the module */
} ls_ir_inst;

typedef struct ls_ir_block {
    ls_ir_inst *inst;
    uint32_t count;
} ls_ir_block;

typedef struct ls_ir_function {
    char *name;
    ls_ir_block *block; /* 0 is the entry; NULL: it is declared, not defined, or ... */
    char *refused;      /* ... uses what no model needs, like a vector or a float: in words */
    uint32_t blocks;
    uint32_t arguments; /* results 0 .. arguments-1 */
    uint32_t results;
} ls_ir_function;

/* An address in the first bytes of a global: the global `to`, plus `offset`. */
typedef struct ls_ir_place {
    size_t at;
    uint32_t to;
    int64_t offset;
} ls_ir_place;

typedef struct ls_ir_global {
    char *name;
    size_t size;
    bool constant;
    uint8_t *bytes; /* what it holds at first; NULL: it is declared, not defined */
    ls_ir_place *places;
    size_t place_count;
} ls_ir_global;

typedef struct ls_ir {
    ls_ir_function *function;
    uint32_t functions;
    ls_ir_global *global;
    uint32_t globals;
    char **files;
    size_t file_count;
} ls_ir;

/* Reads bitcode, several files linked to one, after passes that put variables into values (`sroa`) and close loops (`lcssa`):
 * meaning stays, also where C gives none. NULL, or an error to free, with nothing else to free. */
char *ls_ir_read(const char *const *paths, size_t count, ls_ir *ir);
void ls_ir_free(ls_ir *ir);
/* What is read of a function; its name stays. */
void ls_ir_drop_blocks(ls_ir_function *f);

/* The number of a function; LS_IR_NONE when there is none. */
uint32_t ls_ir_find(const ls_ir *ir, const char *name);

#endif
