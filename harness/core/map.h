/* SPDX-License-Identifier: Apache-2.0 */
/* Maps: files that say what a user's RTL calls what the model has. The grammar is in docs/map.md; a line is
 *
 *   top NAME                 clock NAME [falling]         reset NAME [high]
 *   param THEIRS = FORMULA   fixed PARAMETER VALUE        over the unit's parameters
 *   MODEL = EXPRESSION       tie PORT = CONSTANT          ignore NAME "reason"
 *
 * A mapped unit is a copy of the unit with the map in it: what takes a unit needs no more. A field that is one whole signal of
 * the RTL takes its name; any other gets pieces (field.h), which are moved to and from the DUT. */
#ifndef LS_MAP_H
#define LS_MAP_H

#include "harness/base/text.h"
#include "harness/core/unit.h"
#include "harness/dut/elab.h"

typedef enum ls_rule_kind { LS_RULE_IS, LS_RULE_PARAM, LS_RULE_FIXED, LS_RULE_TIE, LS_RULE_IGNORE } ls_rule_kind;

typedef struct ls_rule {
    ls_rule_kind kind;
    unsigned line;
    char *left, *right; /* MODEL and EXPRESSION, and so on; the reason of `ignore` */
} ls_rule;

/* What the rules say of one field, once the RTL is known. */
typedef struct ls_map_entry {
    char *field;
    ls_kind of; /* an output and its register have one name */
    char *rtl;  /* the signal that is the whole field; or of pieces the expressions */
    bool absent;
    ls_piece *pieces;
    size_t piece_count;
} ls_map_entry;

typedef struct ls_map {
    const ls_unit *unit; /* which it is of, without a map */
    char *path;          /* absolute */
    char *top, *clock, *reset;
    unsigned top_line, clock_line, reset_line; /* 0: not said */
    bool falling, high;
    ls_rule *rules;
    size_t rule_count;
    ls_map_entry *mapped; /* ls_map_resolve */
    size_t mapped_count;
    ls_args texts;  /* rules with [*], written out */
    ls_args spared; /* signals of the RTL that are tied or ignored */
} ls_map;

/* The unit with the names of the file; read once, and there to the end. NULL and a message "FILE:LINE: ...". A map that the unit
 * has is replaced. */
const ls_unit *ls_map_unit(const ls_unit *unit, const char *path, char *error, size_t size);

/* The parameters of the top module at a configuration. 0, or -1 and a message: one that the RTL has fixed at another value. */
int ls_map_params(const ls_unit *unit, const void *cfg, ls_args *names, ls_args *values, char **error);

/* Finds out what the rules mean in this RTL, for ls_map_apply. `fields` is the list without the map, or with what an earlier call
 * found. Problems are appended, one a line. Returns how many. */
size_t ls_map_resolve(ls_map *map, const ls_fields *fields, const ls_elab *elab, bool ports_only, ls_text *problems);

/* Drives what is tied. */
struct ls_signal;
void ls_map_tie(const ls_map *map, const struct ls_signal *signals, size_t count);

/* The i-th input that is tied, and to what; NULL: there are no more, or no map. */
const char *ls_map_tied(const ls_map *map, size_t i, uint64_t *value);

/* The i-th thing that is not compared, and why; NULL: there are no more. */
const char *ls_map_ignored(const ls_map *map, size_t i, const char **reason);

/* A constant as in Verilog: 5, 4'b0101, 8'hff; up to 64 bits. `bits` is 0 when it says none. False: it is none. */
bool ls_map_constant(const char *text, uint64_t *value, uint32_t *bits);

#endif
