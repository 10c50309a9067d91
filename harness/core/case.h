/* SPDX-License-Identifier: Apache-2.0 */
/* Case files: a stimulus written down, replayable without the generator. Text, versioned; a cycle's line holds only what changed
 * since the cycle before (format: docs/harness.md). */
#ifndef LS_CASE_H
#define LS_CASE_H

#include <string.h>

#include "harness/base/text.h"
#include "harness/core/start.h"
#include "harness/core/unit.h"
#include "harness/dut/dut.h"

#define LS_CASE_VERSION "1"
#define LS_CASE_CYCLES_MAX 4000000u

typedef struct ls_case {
    const ls_unit *unit;
    void *cfg;
    uint64_t fill;               /* power-up contents of the DUT */
    char *field;                 /* the field that differs first, as in the field list; "" when none is expected */
    ls_args rtl, defines, extra; /* the user's RTL that it was found with; none: ours */
    bool ports_only;
    bool second_fill;       /* registers start with the inverse of `fill` */
    int x;                  /* every bit that is X in the RTL: 0, 1 or LS_X_RANDOM, a constant drawn from `fill` */
    char *netlist;          /* the cell library, when it was found with the gate-level netlist; else NULL */
    ls_start start;         /* what registers and memories hold before the first cycle that is no reset */
    size_t count, capacity; /* cycles */
    uint8_t *reset;         /* per cycle: rst_ni is low */
    uint64_t *warp;         /* per cycle: the time warp before it (harness/core/unit.h), 0 for none */
    uint8_t *in;            /* per cycle: unit->in_size bytes */
} ls_case;

void ls_case_init(ls_case *c, const ls_unit *unit, const void *cfg, uint64_t fill, const char *field);
/* A case of one cycle, after a reset, that begins in the registers and memories of `model`, which any may be: registers that a
 * reset leaves alike are not written down. */
void ls_case_step(ls_case *c, const ls_unit *unit, const void *cfg, const void *model, const void *in);
/* `c` with everything of `from` but its cycles. */
void ls_case_like(ls_case *c, const ls_case *from);
/* Notes the field that differs first. */
void ls_case_set_field(ls_case *c, const char *field);
/* Notes the user's RTL, with absolute paths. */
void ls_case_set_rtl(ls_case *c, const ls_args *rtl, const ls_args *defines, const ls_args *extra, bool ports_only);
/* Notes that it was found with the netlist of gates of that library; NULL: it was not. */
void ls_case_set_netlist(ls_case *c, const char *library);
void ls_case_free(ls_case *c);
/* Appends a cycle, with a time warp before it or 0. -1 when there are LS_CASE_CYCLES_MAX already. */
int ls_case_add(ls_case *c, bool reset, uint64_t warp, const void *in);
/* Whether the start state comes before this cycle. */
static inline bool ls_case_starts(const ls_case *c, size_t cycle) {
    return c->start.model != NULL && cycle < c->count && c->reset[cycle] == 0 && memchr(c->reset, 0, cycle) == NULL;
}
/* How many elements of its start state are given. */
size_t ls_case_given(const ls_case *c);
static inline const void *ls_case_in(const ls_case *c, size_t cycle) { return c->in + cycle * c->unit->in_size; }

/* Writes the file; 0, or -1 and a message. */
int ls_case_write(const ls_case *c, const char *path, char *error, size_t size);
/* Reads a file; 0, or -1 and a message "file:line: what" with nothing to free. */
int ls_case_read(ls_case *c, const char *path, char *error, size_t size);

/* A value as hex digits without leading zeroes, lowest word first in `words`; `text` must hold 8 digits a word and a NUL. */
const char *ls_hex(const uint32_t *words, uint32_t bits, char *text);

#endif
