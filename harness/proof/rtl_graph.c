/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/rtl_graph.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/text.h"
#include "harness/core/config.h"
#include "harness/core/design.h"
#include "harness/core/plan.h"
#include "harness/core/signals.h"
#include "harness/dut/toolchain.h"
#include "harness/netlist/prover.h"

#define NONE UINT32_MAX
#define NOT_EMPTY "selection is not empty" /* Yosys, of an assertion */

/* Verilog for Yosys' techmap: a part select at a place that is no constant, $shiftx, bit i of Y is bit B + i of A, or 0 where A has
 * none. From the highest bit of B down, each chooses the half of what is left that may still be needed: Yosys' own shifts all of A
 * by each. */
static const char part_selects[] =
    "(* techmap_celltype = \"$shiftx\" *)\n"
    "module ls_part_select (A, B, Y);\n"
    "  parameter A_SIGNED = 0, B_SIGNED = 0, A_WIDTH = 1, B_WIDTH = 1, Y_WIDTH = 1;\n"
    "  parameter [B_WIDTH-1:0] _TECHMAP_CONSTMSK_B_ = 0, _TECHMAP_CONSTVAL_B_ = 0;\n"
    "  localparam MOST = $clog2(A_WIDTH > Y_WIDTH ? A_WIDTH : Y_WIDTH);\n"
    "  localparam BITS = MOST < B_WIDTH - B_SIGNED ? MOST : B_WIDTH - B_SIGNED;\n"
    "  localparam [B_WIDTH:0] FREE = ~(_TECHMAP_CONSTMSK_B_ & ~_TECHMAP_CONSTVAL_B_);\n" /* bits of B that are not 0 always */
    "  localparam FIRST = Y_WIDTH + (FREE & ((1 << BITS) - 1));\n"
    "  input [A_WIDTH-1:0] A;\n"
    "  input [B_WIDTH-1:0] B;\n"
    "  output [Y_WIDTH-1:0] Y;\n"
    "  wire below = B_SIGNED ? B[BITS] : 1'b0;\n"
    "  wire [FIRST-1:0] all = A;\n"
    "  genvar k;\n"
    "  for (k = BITS; k >= 0; k = k - 1) begin : left\n"
    "    localparam WIDTH = Y_WIDTH + (FREE & ((1 << k) - 1));\n"
    "    wire [WIDTH-1:0] part;\n"
    "    if (k < BITS && FREE[k]) assign part = B[k] ? left[k+1].part[(1 << k) +: WIDTH] : left[k+1].part[0 +: WIDTH];\n"
    "    else if (k < BITS) assign part = left[k+1].part;\n"
    "    else if (B_SIGNED && FREE[BITS]) begin\n"
    "      wire [FIRST+(1<<BITS)-1:0] behind = {A, {(1 << BITS){1'b0}}};\n"
    "      assign part = below ? behind : all;\n"
    "    end else assign part = all;\n"
    "  end\n"
    "  if (B_WIDTH > BITS + B_SIGNED) assign Y = B[B_WIDTH-1:BITS] == {(B_WIDTH-BITS){below}} ? left[0].part : {Y_WIDTH{1'b0}};\n"
    "  else assign Y = left[0].part;\n"
    "endmodule\n";

static int write_map(const char *folder, const char *name, const char *verilog) {
    ls_text text = {0};
    char *path = ls_format("%s/%s", folder, name);
    ls_text_add(&text, "%s", verilog);
    const int error = ls_text_write(&text, path);
    free(ls_text_take(&text));
    free(path);
    return error;
}

static char *write_script(const ls_rtl_request *rq, const char *path, char **digest) {
    const ls_unit *unit = rq->unit;
    const char *top = ls_unit_top(unit);
    ls_args files = {0}, dirs = {0}, links = {0};
    ls_text script = {0};
    if (rq->rtl_count == 0) ls_design_files(unit, &files);
    else ls_design_user_files(unit, rq->rtl, rq->rtl_count, &files);
    ls_design_dirs(unit, rq->rtl_count, &dirs);
    char *failed = ls_link_dirs(&dirs, rq->folder, &links);
    ls_text_add(&script, "read_verilog -defer -sv");
    ls_hash hash = ls_hash_begin();
    for (size_t i = 0; i < files.count; i++) {
        ls_text_add(&script, " \"%s\"", files.list[i]);
        (void)ls_hash_file(&hash, files.list[i]);
    }
    *digest = ls_hash_end(&hash);
    if (unit->param_count > 0) ls_text_add(&script, "\nchparam");
    for (size_t i = 0; i < unit->param_count; i++)
        ls_text_add(&script, " -set %s %u", unit->params[i].name, ls_config_get(&unit->params[i], rq->cfg));
    if (unit->param_count > 0) ls_text_add(&script, " %s", top);
    ls_text_add(&script, "\nhierarchy -check");
    for (size_t i = 0; i < links.count; i++) ls_text_add(&script, " -libdir %s/%s", rq->folder, links.list[i]);
    ls_text_add(&script, " -top %s\n", top);
    if (failed == NULL && rq->cut_count > 0) failed = ls_boxes_select(rq->cut, rq->cut_count, unit, &script);
    /* No register may go because nothing reads it: what it holds is compared. Those that Yosys makes of writes to parts of words
     * may. */
    ls_text_add(&script, "proc -noopt\nflatten\nrename -top %s\n", unit->name);
    if (rq->cut_count > 0) ls_boxes_take_out(unit, rq->folder, &script);
    ls_text_add(&script, "memory_collect\n");
    /* A net that nothing drives may be anything. Later memory_map leaves the words behind a memory's end undriven: X, which is 0.
     */
    ls_text_add(&script, "setundef -undriven -expose\n");
    ls_text_add(&script, "setattr -set keep 1 t:$*dff* t:$mem*\nsetattr -unset keep w:$* %%ci1:+[Q]\nopt_clean\n");
    /* A write to a part of an array's word is, for each word, a choice between as many values, which are the old one but once. */
    ls_text_add(&script, "opt_reduce\nmemory_map\nsetattr -set keep 1 t:$*dff*\nopt_clean\n");
    /* AIGER has no clock: all flip-flops change in each cycle. proc writes the polarity as 1'1, memory_map as 1. */
    ls_text_add(&script, "select -assert-none t:$*dff* w:%s %%co1:+[CLK] %%d\n", ls_clock_name(unit));
    ls_text_add(&script, "select -assert-none t:$*dff* r:CLK_POLARITY=1'1 %%d r:CLK_POLARITY=1 %%d\n");
    /* Cells with the same inputs become one, flip-flops apart: each word of an array has a copy of what decodes its index. */
    ls_text_add(&script, "opt_merge t:$*dff* %%n\n");
    /* What is X is 0; an index times a power of two has low bits that are 0. */
    ls_text_add(&script, "setundef -zero\nopt_expr t:$mul t:$shl t:$add\nsimplemap t:$pos\n");
    ls_text_add(&script, "techmap -map %s/words.v\n", rq->folder);
    ls_text_add(&script, "dffunmap\nsimplemap\ntechmap\nopt_merge t:$_*DFF* %%n\nopt_clean\n");
    ls_text_add(&script, "dfflegalize -cell $_DFF_P_ x -cell $_DFF_PN?_ x\n");
    ls_text_add(&script, "techmap -max_iter 1 -map %s/bits.v\nsetundef -undriven -zero\naigmap\n", rq->folder);
    ls_text_add(&script, "write_aiger -symbols -vmap %s/rtl.map %s/rtl.aig\n", rq->folder, rq->folder);
    int error = failed == NULL ? ls_text_write(&script, path) : 0;
    if (error == 0) error = write_map(rq->folder, "words.v", part_selects);
    if (error == 0) error = write_map(rq->folder, "bits.v", ls_prover_flip_flops);
    if (error != 0) failed = ls_format("%s: %s", rq->folder, strerror(-error));
    free(ls_text_take(&script));
    ls_args_free(&files);
    ls_args_free(&dirs);
    ls_args_free(&links);
    return failed;
}

/* Where a bit of a register is; false when it has no such name. */
static bool find_bit(const ls_aig *a, const char *rtl, uint32_t bits, uint32_t element, uint32_t bit, uint32_t *literal) {
    if (ls_aig_has(a, rtl)) return ls_aig_find(a, rtl, element * bits + bit, literal);
    char *name = ls_format("%s[%u]", rtl, element);
    const bool found = ls_aig_find(a, name, bit, literal);
    free(name);
    return found;
}

static char *bind_inputs(ls_rtl_graph *g, const ls_slices *slices) {
    for (size_t i = 0; i < slices->fields.count; i++) {
        const ls_field *f = &slices->fields.list[i];
        char name[512];
        if (f->kind != LS_IN) continue;
        (void)ls_rtl_name(f, name, sizeof name);
        for (uint32_t b = 0; b < f->bits * f->count; b++) {
            char *bit = ls_format("%s[%u]", name, b);
            const uint32_t variable = ls_aig_input(&g->aig, bit);
            free(bit);
            if (variable == 0) return ls_format("the RTL has no input %s[%u]", name, b);
            g->leaf[variable] = 2 * (slices->first[i] + b);
        }
    }
    return NULL;
}

static void bind_registers(ls_rtl_graph *g, const ls_slices *slices) {
    const ls_aig *a = &g->aig;
    for (size_t i = 0; i < slices->fields.count; i++) {
        const ls_field *f = &slices->fields.list[i];
        char name[512];
        if (!ls_is_state(f)) continue;
        (void)ls_rtl_name(f, name, sizeof name);
        for (uint32_t e = 0; e < f->count; e++)
            for (uint32_t b = 0; b < f->bits; b++) {
                const uint32_t leaf = slices->first[i] + e * f->bits + b;
                uint32_t literal = 0;
                const bool found = find_bit(a, name, f->bits, e, b, &literal);
                literal = ls_aig_strip(a, literal, g->reset, g->reset_high);
                const uint32_t variable = literal >> 1;
                if (!found || variable <= a->inputs || variable > a->inputs + a->latches || g->leaf[variable] != NONE) {
                    continue;
                }
                g->latch[leaf] = literal;
                g->leaf[variable] = 2 * leaf ^ (literal & 1u);
            }
    }
}

char *ls_rtl_graph_make(ls_rtl_graph *g, const ls_rtl_request *rq, const ls_slices *slices) {
    *g = (ls_rtl_graph){0};
    char *script = ls_format("%s/rtl.ys", rq->folder), *prefix = ls_format("%s/rtl", rq->folder);
    char *failed = write_script(rq, script, &g->hash);
    ls_args args = {0};
    static const char *const words[] = {"yosys", "-q", "-q", "-w", ".*"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) ls_args_add(&args, "%s", words[i]);
    ls_args_add(&args, "%s", script);
    bool refused;
    if (failed == NULL) failed = ls_command(&args, rq->timeout_ms, &refused);
    if (failed != NULL && strstr(failed, NOT_EMPTY) != NULL) {
        free(failed);
        failed = ls_format("flip-flops of the RTL are not clocked by the rising edge of %s", ls_clock_name(rq->unit));
    }
    if (failed == NULL) failed = ls_aig_read(prefix, &g->aig);
    if (failed == NULL) {
        ls_aig_drop_scopes(&g->aig);
        const uint32_t variables = g->aig.inputs + g->aig.latches + 1;
        char *reset = ls_format("%s[0]", ls_unit_reset(rq->unit) != NULL ? ls_unit_reset(rq->unit) : "");
        g->reset = ls_aig_input(&g->aig, reset);
        free(reset);
        g->reset_high = rq->unit->names.reset_high;
        g->latch = ls_alloc(slices->leaves + 1, sizeof *g->latch);
        g->leaf = ls_alloc(variables, sizeof *g->leaf);
        for (uint32_t i = 0; i < variables; i++) g->leaf[i] = NONE;
        failed = bind_inputs(g, slices);
        bind_registers(g, slices);
        if (failed == NULL && rq->cut_count > 0)
            failed = ls_boxes_make(&g->boxes, &g->aig, rq->unit, slices, rq->folder, &g->unbound);
        char *pin = ls_format("%s[0]", ls_clock_name(rq->unit));
        const uint32_t clock = ls_aig_input(&g->aig, pin);
        free(pin);
        for (uint32_t i = 1; i < variables; i++)
            if (g->leaf[i] == NONE && i != g->reset && i != clock) g->leaf[i] = 2 * (slices->leaves + ++g->unbound);
    }
    ls_args_free(&args);
    free(script);
    free(prefix);
    return failed;
}

void ls_rtl_graph_free(ls_rtl_graph *g) {
    ls_aig_free(&g->aig);
    free(g->latch);
    free(g->leaf);
    free(g->hash);
    ls_boxes_free(&g->boxes);
    *g = (ls_rtl_graph){0};
}

char *ls_rtl_graph_unbound(const ls_rtl_graph *g, uint32_t input) {
    for (size_t k = 0; k < g->aig.name_count; k++) {
        const uint32_t variable = g->aig.names[k].literal >> 1;
        if (variable <= g->aig.inputs + g->aig.latches && variable > 0 && g->leaf[variable] == 2 * input)
            return ls_format("%s bit %u", g->aig.names[k].name, g->aig.names[k].index);
    }
    char *name = ls_boxes_name(&g->boxes, input);
    return name != NULL ? name : ls_copy("one without a name");
}

char *ls_rtl_graph_put(const ls_rtl_graph *g, ls_aig_maker *maker, bool reset, const uint32_t *state, ls_rtl_map *map) {
    const uint32_t leaves = g->aig.inputs + g->aig.latches;
    uint32_t *leaf = ls_alloc(leaves + g->aig.gates + 1, sizeof *leaf);
    *map = (ls_rtl_map){.variable = leaf};
    for (uint32_t i = 1; i <= leaves; i++) {
        leaf[i] = g->leaf[i] != NONE ? g->leaf[i] : 0; /* the clock */
        if (state != NULL && i > g->aig.inputs) leaf[i] = state[leaf[i] >> 1] ^ (leaf[i] & 1u);
    }
    if (g->reset != 0) leaf[g->reset] = reset == g->reset_high;
    if (g->boxes.instances == 0) {
        map->variable = ls_aig_put(maker, &g->aig, leaf);
        free(leaf);
        return NULL;
    }
    map->next = ls_alloc(maker->inputs + 1, sizeof *map->next);
    map->claim = ls_alloc(g->boxes.instances, sizeof *map->claim);
    for (uint32_t i = 0; i <= maker->inputs; i++) map->next[i] = NONE;
    return ls_boxes_put(&g->boxes, &g->aig, maker,
                        !reset          ? LS_BOX_CYCLE
                        : state != NULL ? LS_BOX_RESET
                                        : LS_BOX_BEFORE,
                        map->variable, map->next, map->claim);
}

void ls_rtl_map_free(ls_rtl_map *map) {
    free(map->variable);
    free(map->next);
    free(map->claim);
    *map = (ls_rtl_map){0};
}

static bool became(const ls_rtl_map *map, uint32_t literal, uint32_t *to) {
    if (map->variable[literal >> 1] == NONE) return false;
    *to = ls_aig_became(map->variable, literal);
    return true;
}

bool ls_rtl_graph_output(const ls_rtl_graph *g, const ls_rtl_map *map, const ls_field *f, uint32_t bit, uint32_t *literal) {
    char rtl[512];
    (void)ls_rtl_name(f, rtl, sizeof rtl);
    char *name = ls_format("%s[%u]", rtl, bit);
    uint32_t i = 0;
    while (i < g->aig.outputs && strcmp(g->aig.output_names[i], name) != 0) i++;
    free(name);
    return i < g->aig.outputs && became(map, g->aig.output[i], literal);
}

bool ls_rtl_graph_next(const ls_rtl_graph *g, const ls_rtl_map *map, uint32_t leaf, uint32_t *literal) {
    const uint32_t latch = g->latch[leaf];
    if (latch == 0) {
        *literal = map->next != NULL ? map->next[leaf] : NONE;
        return *literal != NONE;
    }
    if (!became(map, g->aig.next[(latch >> 1) - g->aig.inputs - 1], literal)) return false;
    *literal ^= latch & 1u;
    return true;
}
