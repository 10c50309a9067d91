/* SPDX-License-Identifier: Apache-2.0 */
/* What `lockstep new --from` knows of a module. */
#ifndef LS_NEW_MODULE_H
#define LS_NEW_MODULE_H

#include "harness/core/field.h"
#include "harness/dut/elab.h"
#include "harness/project/new.h"

/* How a width goes with one parameter. */
typedef enum ls_shape {
    LS_SHAPE_CONSTANT,
    LS_SHAPE_LINEAR,   /* N */
    LS_SHAPE_LOG,      /* $clog2(N) */
    LS_SHAPE_LOG_NEXT, /* $clog2(N + 1) */
    LS_SHAPE_POWER     /* 1 << N */
} ls_shape;

/* factor * shape(parameter) + plus */
typedef struct ls_term {
    ls_shape shape;
    int64_t factor, plus;
} ls_term;

/* base + the terms, or base * them, one a parameter; constant ones count for nothing. */
typedef struct ls_width {
    uint32_t standard; /* what it is at the defaults */
    int64_t base;
    bool product, unknown; /* unknown: it changes, and no such expression says how */
    ls_term *terms;        /* NULL: none */
} ls_width;

typedef struct ls_new_param {
    char *name;
    uint32_t standard, min, max;
    uint32_t limit; /* what its type holds */
    bool powers;    /* of two alone */
} ls_new_param;

/* A member of a packed struct: `count` elements of `bits` bits, most significant one last. */
typedef struct ls_new_member {
    char *name; /* in C; of a struct in it both names, "head_valid" */
    ls_width bits, count;
} ls_new_member;

typedef struct ls_new_members {
    ls_new_member *list; /* the uppermost first */
    size_t count;        /* 0: it is no packed struct, or one that is no record */
    ls_width records;    /* of so many */
    uint32_t type;       /* the same of signals of one type */
} ls_new_members;

typedef struct ls_new_signal {
    ls_kind kind;
    char *rtl;    /* its name in the RTL */
    char *member; /* in C */
    bool behind_port, array, latch;
    ls_width bits, count;
    ls_new_members parts;
} ls_new_signal;

typedef struct ls_module {
    char *name, *clock, *reset; /* clock, reset: NULL: none */
    bool reset_high;
    const char *reset_guess; /* why that is the reset, when it is not sure; NULL: it is */
    ls_new_param *params;
    size_t param_count;
    ls_new_signal *signals; /* ports, then registers */
    size_t signal_count;
    size_t elaborated_registers;
} ls_module;

/* The signal's members as far as it is a packed struct, or several; and at the defaults how wide. ls_new_members_free. */
void ls_new_members_find(const ls_elab_signal *signal, ls_new_members *parts);
void ls_new_members_free(ls_new_members *parts);

/* What the factor stands before. */
uint64_t ls_shape_at(ls_shape shape, uint32_t value);
int64_t ls_term_at(const ls_term *term, uint32_t value);
/* At one value of each of `count` parameters. */
int64_t ls_width_at(const ls_width *width, const uint32_t *values, size_t count);

/* The unit's RTL. */
typedef struct ls_new_rtl {
    ls_args files, names; /* where they are, and what they are called in the project's folder of RTL: "defs/sizes.svh" */
    bool *listed;         /* to be named in the bench; the others are found by their names */
    size_t top;           /* the module's */
    const ls_args *defines;
} ls_new_rtl;

/* Adds the files of the unit of that group (NULL: of a project) to `files`, and what is to be done by hand to `todo`. RTL of the
 * tree itself stays where it is. */
void ls_new_write(ls_module *module, const char *unit, const char *group, const ls_new_rtl *rtl, ls_new_files *files,
                  ls_args *todo);

#endif
