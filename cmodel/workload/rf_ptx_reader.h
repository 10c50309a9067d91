/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the PTX reader share: the module as far as it is read, and the entry that is being read.
 *
 * A file is read twice: first everything at module level, passing over bodies; then each entry's body, where a call reads the
 * called function's body in its place. Every function returns false after an error, which lies in `lex`. */
#ifndef RF_PTX_READER_H
#define RF_PTX_READER_H

#include "cmodel/workload/rf_kernel.h"
#include "cmodel/workload/rf_ptx_lex.h"
#include "cmodel/workload/rf_ptx_names.h"
#include "cmodel/workload/rf_ptx_table.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_PTX_BYTES (UINT32_C(32) << 20)        /* of a file; of what an entry's calls read */
#define RF_PTX_INSTRUCTIONS (UINT32_C(1) << 20)  /* of a kernel */
#define RF_PTX_BLOCKS (UINT32_C(1) << 15)        /* of a kernel */
#define RF_PTX_GLOBAL_BYTES (UINT32_C(1) << 30)  /* of a module's variables in global and constant memory */
#define RF_PTX_PRIVATE_BYTES (UINT32_C(1) << 20) /* of shared, of local memory */
#define RF_PTX_PARAM_BYTES 32764u                /* PTX 8.1's own limit */
#define RF_PTX_ALIGN_MAX 4096u
#define RF_PTX_NESTING 64u /* of scopes, of calls */
#define RF_PTX_CALL_PARAMS 64u

typedef struct rf_ptx_place { /* a token, to come back to */
    const char *at;
    uint32_t line;
    rf_ptx_token token;
} rf_ptx_place;

typedef struct rf_ptx_function {
    rf_ptx_token name;
    rf_ptx_place place; /* behind .entry or .func */
    size_t bytes;       /* from there to its end */
    bool entry, defined;
    bool active; /* its body is being read: a call of it would recurse */
} rf_ptx_function;

typedef struct rf_ptx_jump { /* a branch whose label may come later */
    uint32_t inst, scope;
    rf_ptx_token label;
} rf_ptx_jump;

typedef struct rf_ptx_patch { /* an immediate to which the size of static shared memory is due */
    uint32_t inst, src;
} rf_ptx_patch;

typedef struct rf_ptx_reader {
    rf_ptx_lexer lex;
    rf_ptx_names names, once; /* once: RF_PTX_ONCE, which outlive the scopes of a call and of an entry */
    rf_module module;
    uint32_t kernel_capacity, global_capacity;
    rf_ptx_function *function;
    uint32_t nfunction, function_capacity;
    uint64_t global_top;
    uint32_t shared_top, local_top; /* of the entry, from what the module's own variables take */
    uint32_t dynamic_align;         /* of dynamic shared memory; 0: there is none */

    rf_kernel *kernel;
    uint32_t inst_capacity, var_capacity, text_capacity, param_capacity;
    uint32_t scope;    /* of what is declared; RF_PTX_MODULE outside bodies */
    uint32_t end_line; /* of the last body's closing brace */
    uint32_t frames;   /* calls that are being read */
    size_t called;     /* bytes of text that calls have read */
    rf_ptx_form *form; /* of each text of the kernel */
    uint32_t form_capacity;
    rf_ptx_jump *jump;
    uint32_t njump, jump_capacity;
    rf_ptx_patch *patch;
    uint32_t npatch, patch_capacity;
} rf_ptx_reader;

/* rf_ptx_reader.c: what all parts use. */
bool rf_ptx_no_memory(rf_ptx_reader *r);
rf_ptx_place rf_ptx_here(const rf_ptx_reader *r);
void rf_ptx_go(rf_ptx_reader *r, const rf_ptx_place *place);
bool rf_ptx_pragma(rf_ptx_reader *r); /* to behind its `;` */
bool rf_ptx_append(rf_ptx_reader *r, const rf_kinst *inst);
/* Number of an opcode's text among the kernel's, with its form in `form`. */
bool rf_ptx_text(rf_ptx_reader *r, const char *text, size_t length, uint32_t *index);
/* The next instruction goes to a label that may come later. */
bool rf_ptx_jump_to(rf_ptx_reader *r, const rf_ptx_token *label);

/* rf_ptx_decl.c: declarations. The token is the directive that names the state space, behind it; behind their `;` afterwards. */
bool rf_ptx_declare_registers(rf_ptx_reader *r);
bool rf_ptx_declare_variables(rf_ptx_reader *r, rf_kspace space, bool external);
/* One parameter of an entry, or of a called function, which lies where the caller's `actual` lies. */
bool rf_ptx_declare_param(rf_ptx_reader *r, const rf_ptx_name *actual);

/* rf_ptx_operand.c: the operand at the token, behind the instruction's others. What a source may be, besides a register of the
 * type or an immediate: a wider register, a special register, the address of a variable. */
#define RF_PTX_WIDER 1u
#define RF_PTX_SPECIAL 2u
#define RF_PTX_ADDRESS 4u
bool rf_ptx_source(rf_ptx_reader *r, rf_kinst *inst, rf_ktype type, uint32_t may);
bool rf_ptx_predicate(rf_ptx_reader *r, const char *what, rf_koperand *operand);
bool rf_ptx_destination(rf_ptx_reader *r, rf_kinst *inst, rf_ktype type, bool wider, bool sink);
bool rf_ptx_address(rf_ptx_reader *r, rf_kinst *inst);
/* `type`'s bits of a constant, sign-extended. */
bool rf_ptx_immediate(rf_ptx_reader *r, rf_ktype type, uint64_t *imm);
/* `+ constant`, or 0 when none stands there. */
bool rf_ptx_offset(rf_ptx_reader *r, uint64_t *offset);

/* rf_ptx_inst.c: an instruction that is no call, behind its opcode. */
bool rf_ptx_instruction(rf_ptx_reader *r, const rf_ptx_token *opcode, uint32_t guard, bool guard_negated);

/* rf_ptx_body.c: the body of an entry or function, from its `{` behind its `}`. */
bool rf_ptx_body(rf_ptx_reader *r);
bool rf_ptx_location(rf_ptx_reader *r); /* .loc, .file: to their end */

/* rf_ptx_flow.c: labels, blocks and what is known only at the end of an entry. */
bool rf_ptx_flow(rf_ptx_reader *r);

#ifdef __cplusplus
}
#endif
#endif
