/* SPDX-License-Identifier: Apache-2.0 */
/* A unit's RTL as a netlist that lockstep can run: Yosys elaborates and flattens it at word level, and what comes out is built as
 * a DUT whose registers carry the names of the RTL's. Plain, or with mutants: any number of them in one netlist, one switched on
 * at a time by the input LS_NETLIST_SELECT (0: none). */
#ifndef LS_NETLIST_H
#define LS_NETLIST_H

#include "harness/base/text.h"
#include "harness/core/unit.h"
#include "harness/dut/build.h"

#define LS_NETLIST_SELECT "ls_mutant_i"
#define LS_NETLIST_SELECT_BITS 16
#define LS_NETLIST_MUTANTS_MAX 1000u

typedef struct ls_netlist_request {
    const ls_unit *unit;
    const void *cfg;
    const char *const *rtl; /* files in place of ours; NULL: ours */
    size_t rtl_count;
    uint32_t mutants;    /* how many to put in, at most; 0: a plain netlist */
    uint64_t seed;       /* draws them */
    unsigned timeout_ms; /* of each command; 0: none */
} ls_netlist_request;

/* All memory belongs to the struct; ls_netlist_free releases it. The files stay in the cache (ls_cache()). */
typedef struct ls_netlist {
    char *folder;  /* absolute; equal folders, equal netlists */
    char *verilog; /* the netlist as Verilog, ready to be built */
    char *plain;   /* the same without the gathered arrays, for what proves something about it */
    bool cached;   /* Yosys did not run */
    ls_args mutants; /* mutant k is list[k - 1], as Yosys's command line names it: "-mode inv -module … -cell … -port A -portbit 3
                        …" */
    ls_args looped;      /* mutants left out because a bit would depend on itself: no circuit that a bench could be tried on */
    ls_args vars, names; /* vars.list[i] of `verilog` stands for names.list[i] of the RTL */
    ls_args unbound;     /* registers of the field list that the netlist lacks */
} ls_netlist;

/* Makes the netlist or finds it in the cache. 0; or -1 and a text to free in *error: Yosys is missing, refuses the RTL, or the
 * file system fails. */
int ls_netlist_make(const ls_netlist_request *request, ls_netlist *netlist, char **error);
void ls_netlist_free(ls_netlist *netlist);

/* Builds netlist->verilog as a DUT and checks it against the field list. 0 and `result` (ls_build_free it), or -1 and a text to
 * free in *error. With registers in netlist->unbound only ports are compared: *ports_only says so. */
int ls_netlist_build(const ls_netlist_request *request, const ls_netlist *netlist, ls_build_result *result, bool *ports_only,
                     char **error);

/* Mutant `text` in words: "cell … (file:line), port A, bit 3, inv"; free() it. */
char *ls_netlist_what(const char *text);

#endif
