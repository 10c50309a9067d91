/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/proof/words.h: designs of words as graphs of bits, against what Yosys' own passes (proc, memory_map, techmap,
 * aigmap) make of the same Verilog; and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/folder.h"
#include "harness/base/process.h"
#include "harness/base/rng.h"
#include "harness/base/text.h"
#include "harness/netlist/prover.h"
#include "harness/proof/simulate.h"
#include "harness/proof/words.h"

#define ROUNDS 400u /* of 64 draws */

static char *folder;

static int make_folder(void **state) {
    (void)state;
    return ls_temporary_folder("ls_words", &folder) != NULL;
}

static int remove_folder(void **state) {
    (void)state;
    ls_remove_tree(folder);
    free(folder);
    return 0;
}

/* Yosys reads `verilog` and writes design.il, and if `judged` design.aig by its own passes: with JUDGE defined, for what is X may
 * be anything there, and is 0 here. */
static void run_yosys(const char *verilog, bool judged) {
    char *source = ls_format("%s/design.sv", folder), *maps = ls_format("%s/flops.v", folder),
         *script = ls_format("%s/s.ys", folder);
    ls_text text = {0};
    ls_text_add(&text, "%s", verilog);
    assert_int_equal(ls_text_write(&text, source), 0);
    free(ls_text_take(&text));
    ls_text_add(&text, "%s", ls_prover_flip_flops);
    assert_int_equal(ls_text_write(&text, maps), 0);
    free(ls_text_take(&text));
    ls_text_add(&text, "read_verilog -sv %s\nhierarchy -check -top t\nflatten\nwrite_rtlil %s/design.il\n", source, folder);
    if (judged)
        ls_text_add(&text,
                    "design -reset\nread_verilog -sv -DJUDGE %s\nhierarchy -check -top t\nproc -noopt\nflatten\nmemory_collect\n"
                    "memory_map\nsetattr -set keep 1 t:$*dff*\nsetundef -zero\ndffunmap\nsimplemap\ntechmap\n"
                    "dfflegalize -cell $_DFF_P_ x -cell $_DFF_PN?_ x\ntechmap -max_iter 1 -map %s\n"
                    "setundef -undriven -zero\naigmap\nwrite_aiger -symbols -vmap %s/design.map %s/design.aig\n",
                    source, maps, folder, folder);
    assert_int_equal(ls_text_write(&text, script), 0);
    free(ls_text_take(&text));
    const char *const argv[] = {"yosys", "-q", "-q", "-w", ".*", script, NULL};
    ls_process_result r;
    assert_int_equal(ls_process_run(&(ls_process){.argv = argv, .timeout_ms = 120000}, &r), 0);
    if (!ls_process_ok(&r)) fail_msg("%s", r.output);
    ls_process_free(&r);
    free(source);
    free(maps);
    free(script);
}

static char *read_design(ls_aig *aig) {
    char *path = ls_format("%s/design.il", folder), *failed = ls_words_read(path, "t", "clk_i", aig);
    free(path);
    return failed;
}

/* The literals of all leaves of a graph: a leaf for each input and each register of `first`, by name; *bound: how many registers
 * have one. */
static uint32_t *bind(const ls_aig *aig, const ls_aig *first, uint32_t *bound) {
    const uint32_t reset = ls_aig_input(aig, "rst_ni[0]");
    uint32_t *leaf = ls_alloc(aig->inputs + aig->latches + 1, sizeof *leaf);
    for (uint32_t i = 1; i <= aig->inputs; i++) leaf[i] = 2 * ls_aig_input(first, aig->input_names[i - 1]);
    *bound = 0;
    for (size_t i = 0; i < first->name_count; i++) {
        const ls_aig_name *name = &first->names[i];
        const uint32_t mine = ls_aig_strip(first, name->literal, ls_aig_input(first, "rst_ni[0]"), false);
        uint32_t literal;
        if (mine >> 1 <= first->inputs || !ls_aig_find(aig, name->name, name->index, &literal)) continue;
        literal = ls_aig_strip(aig, literal, reset, false);
        assert_in_range(literal >> 1, aig->inputs + 1, aig->inputs + aig->latches);
        leaf[literal >> 1] = (mine & ~1u) | (literal & 1u);
        (*bound)++;
    }
    return leaf;
}

/* The same outputs and next states, for draws of states and inputs, in reset and not. */
static void check_design(const char *verilog, uint32_t registers) {
    ls_aig ours, theirs;
    run_yosys(verilog, true);
    char *prefix = ls_format("%s/design", folder), *failed = read_design(&ours);
    if (failed != NULL) fail_msg("%s", failed);
    failed = ls_aig_read(prefix, &theirs);
    if (failed != NULL) fail_msg("%s", failed);
    ls_aig_maker maker;
    ls_aig_begin(&maker, ours.inputs + ours.latches, 0);
    uint32_t bound[2], *leaf[2] = {bind(&ours, &ours, &bound[0]), bind(&theirs, &ours, &bound[1])},
                       *map[2] = {ls_aig_put(&maker, &ours, leaf[0]), ls_aig_put(&maker, &theirs, leaf[1])};
    assert_int_equal(bound[0], registers);
    assert_int_equal(bound[1], registers);
    assert_int_equal(ours.outputs, theirs.outputs);
    uint64_t *values = ls_alloc(maker.inputs + maker.gates + 2, sizeof *values);
    uint32_t *same = ls_alloc(ours.outputs + 1, sizeof *same); /* of each output theirs */
    for (uint32_t i = 0; i < ours.outputs; i++) {
        while (same[i] < theirs.outputs && strcmp(theirs.output_names[same[i]], ours.output_names[i]) != 0) same[i]++;
        assert_in_range(same[i], 0, theirs.outputs - 1);
    }
    ls_rng rng;
    ls_rng_seed(&rng, 7);
    const uint32_t reset = ls_aig_input(&ours, "rst_ni[0]");
    for (uint32_t round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 1; i <= maker.inputs; i++) {
            values[i] = ls_rng_u64(&rng);
            if (round % 4 == 1) values[i] &= ls_rng_u64(&rng) & ls_rng_u64(&rng);
            if (round % 4 == 2) values[i] |= ls_rng_u64(&rng) | ls_rng_u64(&rng);
        }
        if (reset != 0 && round % 4 != 3) values[reset] = ~UINT64_C(0);
        ls_simulate(&maker, values);
        for (uint32_t i = 0; i < ours.outputs; i++) {
            if (ls_simulated(values, ls_aig_became(map[0], ours.output[i])) !=
                ls_simulated(values, ls_aig_became(map[1], theirs.output[same[i]])))
                fail_msg("%s", ours.output_names[i]);
        }
        for (uint32_t i = 0; i < theirs.latches; i++) {
            const uint32_t is = leaf[1][theirs.inputs + 1 + i], at = (is >> 1) - ours.inputs - 1;
            if (is < 2) continue; /* one that Yosys alone has */
            if (ls_simulated(values, ls_aig_became(map[0], ours.next[at])) !=
                ls_simulated(values, ls_aig_became(map[1], theirs.next[i]) ^ (is & 1u)))
                fail_msg("register %u", at);
        }
    }
    free(values);
    free(same);
    for (int i = 0; i < 2; i++) {
        free(leaf[i]);
        free(map[i]);
    }
    ls_aig_drop(&maker);
    ls_aig_free(&ours);
    ls_aig_free(&theirs);
    free(prefix);
}

/* All operators, of several widths and signs. */
static void test_operators(void **state) {
    (void)state;
    static const char *const operators[] = {"+",  "-",  "*", "&",  "|", "^",  "~^", "<<", ">>",  "<<<", ">>>",
                                            "==", "!=", "<", "<=", ">", ">=", "&&", "||", "===", "/",   "%"};
    static const uint32_t widths[][3] = {{4, 4, 4}, {3, 5, 7}, {6, 2, 3}, {1, 3, 9}};
    ls_text text = {0};
    ls_text_add(&text, "module t(input logic [15:0] a, input logic [15:0] b, output logic [4000:0] y);\n");
    uint32_t at = 0;
    for (size_t o = 0; o < sizeof operators / sizeof operators[0]; o++)
        for (int s = 0; s < 4; s++)
            for (size_t w = 0; w < sizeof widths / sizeof widths[0]; w++) {
                char *name = ls_format("%zu_%d_%zu", o, s, w);
                const bool divides = strcmp(operators[o], "/") == 0 || strcmp(operators[o], "%") == 0;
                ls_text_add(&text, "wire %s [%u:0] a%s = a[%zu +: %u];\n", (s & 1) != 0 ? "signed" : "", widths[w][0] - 1, name,
                            w, widths[w][0]);
                ls_text_add(&text, "wire %s [%u:0] b%s = b[%zu +: %u]%s;\n", (s & 2) != 0 ? "signed" : "", widths[w][1] - 1, name,
                            w, widths[w][1], divides ? " | 1" : "");
                ls_text_add(&text, "wire [%u:0] y%s = a%s %s b%s;\n", widths[w][2] - 1, name, name, operators[o], name);
                ls_text_add(&text, "assign y[%u +: %u] = y%s;\n", at, widths[w][2], name);
                at += widths[w][2];
                free(name);
            }
    static const char *const unary[] = {"~", "-", "+", "!", "&", "|", "^", "~&", "~|", "~^"};
    for (size_t o = 0; o < sizeof unary / sizeof unary[0]; o++, at += 12)
        ls_text_add(&text, "assign y[%u +: 6] = %s a[4:0]; assign y[%u +: 6] = %s $signed(a[8:6]);\n", at, unary[o], at + 6,
                    unary[o]);
    /* Parts at a place that is no constant: below, within and above. */
    ls_text_add(&text,
                "`ifdef JUDGE\nassign y[%u +: 8] = {3'({a, 16'd0} >> 6'(6'd16 + {b[4], b[4:0]})), 5'(a >> b[5:0])};\n"
                "`else\nassign y[%u +: 5] = a[b[5:0] +: 5]; assign y[%u +: 3] = a[$signed(b[4:0]) +: 3];\n`endif\n",
                at, at, at + 5);
    ls_text_add(&text, "assign y[%u] = a[b[3:0]]; assign y[%u +: 4] = b[0] ? a[3:0] : b[9:6];\n", at + 8, at + 9);
    ls_text_add(&text, "assign y[4000:%u] = '0;\nendmodule\n", at + 13);
    assert_true(at < 3900);
    check_design(text.data, 0);
    free(ls_text_take(&text));
}

static const char processes[] =
    "module t(input logic clk_i, input logic rst_ni, input logic [5:0] a, input logic [5:0] b, input logic [2:0] s,\n"
    "         output logic [7:0] y, output logic [7:0] z, output logic [3:0] u, output logic [3:0] v, output logic [5:0] w);\n"
    "  logic [3:0] q, r, p;\n  logic [1:0] k;\n"
    /* the last assignment wins, parts of words, a case that leaves what was before, one that says many values */
    "  always_comb begin\n    y = {2'd0, a};\n    y[1:0] = b[1:0];\n"
    "    case (s)\n      3'd1: y = {2'd1, b};\n      3'd2, 3'd5: y[s[1:0]] = 1'b0;\n      3'd4: ;\n      default: y[6] = a[0];\n "
    "   endcase\n"
    "    if (a[5]) begin\n      y[7] = 1'b1;\n      if (b[5]) y[3:2] = s[1:0]; else if (b[4]) y[3:2] = 2'd0;\n    end\n  end\n"
    /* the first that fits, and places where any bit does */
    "  always_comb begin\n    z = 8'd9;\n    casez (a)\n      6'b1?????: z = 8'd1;\n      6'b?1????: z = {2'd0, b};\n"
    "      6'b??1??1: z[4:0] = 5'd3;\n      6'b001000: z = 8'd200;\n    endcase\n  end\n"
    /* a signal as the value of a case; all values and no default; what is read behind its assignment */
    "  always_comb begin\n    case (1'b1)\n      s[0]: u = a[3:0];\n      s[1]: u = b[3:0];\n      default: u = 4'd5;\n    "
    "endcase\n"
    "    u = u + 4'd1;\n    u[0] = u[3];\n  end\n"
    "  always_comb case (s[1:0])\n    2'd0: v = a[3:0];\n    2'd1: v = b[3:0];\n    2'd2: v = 4'd7;\n    2'd3: v = {a[0], b[0], "
    "s[2], 1'b1};\n"
    "  endcase\n"
    /* bits of a word that depend on one another */
    "  always_comb begin\n    w[0] = a[0];\n    for (int i = 1; i < 6; i++) w[i] = w[i-1] ^ (a[i] & b[i]);\n  end\n"
    /* registers: with a reset, one that the reset leaves, and without */
    "  always_ff @(posedge clk_i or negedge rst_ni)\n    if (!rst_ni) begin\n      q <= 4'd6;\n      k <= 2'd0;\n    end else "
    "begin\n"
    "      if (s[0]) q[s[2:1]] <= a[0];\n      else if (s[1]) q <= q + 4'd1;\n      if (a > b) k <= k - 2'd1;\n"
    "      r <= y[3:0] ^ q;\n    end\n"
    "  always_ff @(posedge clk_i) if (b[0]) p <= p ^ u; else p[1:0] <= k;\nendmodule\n";

static void test_processes(void **state) {
    (void)state;
    check_design(processes, 14);
}

/* Memories: as registers, for they have a reset, or as such; words that do not exist; a first word that is not 0; several writes;
 * many to bits of words, each under a condition. */
static void test_memories(void **state) {
    (void)state;
    check_design(
        "module t(input logic clk_i, input logic rst_ni, input logic [3:0] a, input logic [3:0] b, input logic [4:0] d,\n"
        "         input logic [2:0] e, output logic [4:0] x, output logic [4:0] y, output logic [4:0] z);\n"
        "  logic [3:0] h [0:3];\n  logic [4:0] m [0:10];\n  logic [4:0] n [3:9];\n  logic [4:0] k [0:5];\n"
        "`ifdef JUDGE\n  assign x = a < 11 ? m[a] : '0;\n  assign y = b > 2 && b < 10 ? n[b] : '0;\n"
        "  assign z = a[2:0] < 6 ? k[a] : '0;\n  wire low = a[2:0] < 6 && k[a][0];\n"
        "`else\n  assign x = m[a];\n  assign y = n[b];\n  assign z = k[a];\n  wire low = k[a][0];\n`endif\n"
        "  always_ff @(posedge clk_i) begin\n    if (e[0]) m[a] <= d;\n    if (e[1]) m[b] <= ~d;\n"
        "    if (e[2]) m[b][2:1] <= d[4:3];\n    if (e[0]) n[b] <= d + 5'd1;\n  end\n"
        "  always_ff @(posedge clk_i or negedge rst_ni)\n    if (!rst_ni) for (int i = 0; i < 6; i++) k[i] <= 5'(i);\n"
        "    else begin\n      k[a] <= d;\n      if (e[1]) k[b] <= {low, d[4:1]};\n    end\n"
        "  always_ff @(posedge clk_i or negedge rst_ni)\n    if (!rst_ni) for (int i = 0; i < 4; i++) h[i] <= '0;\n"
        "    else for (int i = 0; i < 30; i++) if (e[i%3] ^ a[i%4]) h[2'(b[1:0] + 2'(i))][d[i%3+:2]] <= b[i%4];\nendmodule\n",
        55 + 35 + 30 + 16);
}

static void expect_refused(const char *verilog, const char *what) {
    ls_aig aig;
    run_yosys(verilog, false);
    char *failed = read_design(&aig);
    assert_non_null(failed);
    if (strstr(failed, what) == NULL) fail_msg("%s: not %s", failed, what);
    free(failed);
}

static void test_refused(void **state) {
    (void)state;
    expect_refused("module t(input logic clk_i, input logic a, output logic q); always_ff @(negedge clk_i) q <= a; endmodule\n",
                   "not clocked by the rising edge of clk_i");
    expect_refused("module t(input logic clk_i, input logic c, input logic a, output logic q);\n"
                   "always_ff @(posedge c) q <= a; endmodule\n",
                   "not clocked by the rising edge of clk_i");
    expect_refused("module t(input logic clk_i, input logic a, output logic q); always @* if (clk_i) q = a; endmodule\n",
                   "depends on itself");
    expect_refused("module t(input logic a, output logic y); wire b = a & ~c; wire c = a | b; assign y = c; endmodule\n",
                   "depends on itself");
    expect_refused("module t(input logic clk_i, input logic r, input logic a, input logic b, output logic q);\n"
                   "always_ff @(posedge clk_i or posedge r) if (r) q <= b; else q <= a; endmodule\n",
                   "sets this to no constant: q[0]");
    expect_refused("module t(input logic a, input logic b, output logic y); assign y = a; assign y = b; endmodule\n",
                   "drives this twice");
    expect_refused("module t(input logic [3:0] a, input logic [3:0] b, output logic [3:0] y); assign y = a ** b; endmodule\n",
                   "cannot be followed: $pow");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_operators),
        cmocka_unit_test(test_processes),
        cmocka_unit_test(test_memories),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
