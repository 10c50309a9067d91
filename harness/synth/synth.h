/* SPDX-License-Identifier: Apache-2.0 */
/* Area and timing of a unit: Yosys maps its RTL to a cell library, OpenSTA finds the critical path. Results lie in a folder of
 * the cache that is named by all they depend on, and are made once. docs/synthesis.md says what the figures mean and do not mean.
 */
#ifndef LS_SYNTH_H
#define LS_SYNTH_H

#include "harness/base/liberty.h"
#include "harness/base/text.h"
#include "harness/core/unit.h"

/* The library when none is named: Debian's qflow-tech-osu018. */
#define LS_SYNTH_LIBRARY "/usr/share/qflow/tech/osu018/osu018_stdcells.lib"

/* The library and our scripts in a folder of results: links, so that no tool is asked what a path may hold. */
#define LS_SYNTH_LINK "library.lib"
#define LS_SYNTH_SCRIPTS "scripts"

typedef struct ls_synth_request {
    const ls_unit *unit;
    const void *cfg;
    const char *const *rtl; /* files in place of ours; NULL: ours */
    size_t rtl_count;
    const char *liberty; /* Liberty file of the cells; NULL: LS_SYNTH_LIBRARY */
    bool macros;         /* memories of 4096 bits and more become SRAM macros (synth_scripts/sram.table); else flip-flops */
    unsigned timeout_ms; /* of each command; 0: none */
} ls_synth_request;

/* The mapped netlist. All memory belongs to the struct; ls_synth_free releases it. In the folder:
 *   gates.il      RTLIL: cells of the library, macros; nets of RTL registers have their RTL names (flattened: "u_arbiter.rr_q"),
 *                 bit by bit where a cell drives them, and the attribute rf_register; a flip-flop is called as its net with
 *                 "_reg"; top module and ports as in the RTL; of a clock with the falling edge all edges are turned round
 *   gates.v       the same as Verilog, every net a bit: "mask_q_3_" is bit 3 of mask_q; ports are vectors
 *   timing.v      that with ports split in the same way, as OpenSTA reads it
 *   macros.v      behaviour of the macros used, a module each (none when none is used); macros.lib, made with the timing
 *                 (synth_time.h), is the same for OpenSTA
 *   cells.tsv     cell, count; macros are among them
 *   sram.tsv      macro, count
 *   memories.tsv  memory of the RTL, rows, bits of a row, what became of it (synth_area.h)
 *   synth.log     what Yosys said */
typedef struct ls_synth {
    char *folder, *liberty; /* absolute */
    char *tool;             /* "Yosys 0.23 (git sha1 …)" */
    bool cached;            /* Yosys did not run */
    double seconds;         /* that Yosys took when it ran */
    double megabytes;       /* its peak */
} ls_synth;

/* Maps the unit or finds that in the cache. 0; or -1 and a text to free in *error: a tool or the library is missing, the RTL is
 * refused, a latch was inferred, or the file system fails. */
int ls_synth_make(const ls_synth_request *request, ls_synth *synth, char **error);
void ls_synth_free(ls_synth *synth);

/* Links folder/name to `target`, in place of what is there; the scripts: to those that belong to this lockstep. NULL, or an error
 * to free. */
char *ls_synth_link(const char *folder, const char *name, const char *target);
char *ls_synth_link_scripts(const char *folder);

/* Capacitance of the input of the library's smallest inverter, in farads: what loads are counted in. */
double ls_synth_inverter_load(const ls_liberty *library);

#endif
