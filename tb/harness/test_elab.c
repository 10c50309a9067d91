/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/dut/elab.c: which registers Verilator says a design has, and which Verilators are taken. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "harness/dut/elab.h"
#include "harness/base/text.h"
#include "tb/harness/elaborate.h"

static void check(const ls_elab_signal *s, const char *name, uint32_t bits, uint32_t count, ls_elab_kind kind) {
    assert_string_equal(s->name, name);
    assert_int_equal(s->bits, bits);
    assert_int_equal(s->count, count);
    assert_int_equal(s->kind, kind);
}

static const char hierarchy[] =
    "package p;\n"
    "  typedef enum logic [1:0] {IDLE, RUN, DONE} state_e;\n"
    "  typedef struct packed { logic valid; logic [6:0] tag; state_e state; } entry_t;\n"
    "endpackage\n"
    "module sub #(parameter int unsigned N = 4) (input logic clk_i, input logic rst_ni, input logic [N-1:0] d_i,\n"
    "                                            output logic [N-1:0] q_o);\n"
    "  logic [N-1:0] data_q, next_d;\n"
    "  logic [31:0] mem_q [0:N-1];\n"
    "  always_comb begin\n"
    "    next_d = '0;\n"
    "    for (int i = 0; i < int'(N); i++) next_d[i] = d_i[i] ^ data_q[i];\n"
    "  end\n"
    "  always_ff @(posedge clk_i or negedge rst_ni)\n"
    "    if (!rst_ni) data_q <= '0; else for (int i = 0; i < int'(N); i++) data_q[i] <= next_d[i];\n"
    "  always_ff @(posedge clk_i) begin : write\n"
    "    automatic logic [31:0] value;\n"
    "    value = 32'(d_i);\n"
    "    mem_q[d_i[1:0]] <= value;\n"
    "  end\n"
    "  assign q_o = data_q ^ N'(mem_q[0]);\n"
    "endmodule\n"
    "module top #(parameter int unsigned K = 2) (input logic clk_i, input logic rst_ni, input logic [8:0] d_i,\n"
    "    input p::entry_t e_i, output logic [8:0] q_o [0:K-1], output p::state_e state_o, output logic [99:0] w__o);\n"
    "  p::entry_t entry_q; p::entry_t [3:0] entries_q; p::state_e state_q; logic hi_q, lo_q; logic [99:0] wide__q;\n"
    "  logic latch_q; logic [2:0][4:0] grid_q [7:4][0:1];\n"
    "  for (genvar g = 0; g < int'(K); g++) begin : gen_s\n"
    "    logic local_q;\n"
    "    always_ff @(posedge clk_i) local_q <= d_i[g];\n"
    "    if (g == 1) begin : gen_in\n"
    "      sub #(.N(9)) u_sub (.clk_i, .rst_ni, .d_i, .q_o(q_o[g]));\n"
    "    end else begin : gen_else\n"
    "      sub #(.N(9)) u_sub (.clk_i, .rst_ni, .d_i(d_i ^ {9{local_q}}), .q_o(q_o[g]));\n"
    "    end\n"
    "  end\n"
    "  always_ff @(posedge clk_i) begin\n"
    "    {hi_q, lo_q} <= d_i[1:0]; entry_q.tag <= d_i[6:0]; entries_q[d_i[1:0]] <= e_i; wide__q[d_i[5:0] +: 4] <= 4'b1010;\n"
    "    if (state_q == p::IDLE) state_q <= p::RUN; else state_q <= p::DONE;\n"
    "    grid_q[d_i[2:0]][d_i[3]][1] <= d_i[4:0];\n"
    "  end\n"
    "  always_latch if (!clk_i) latch_q = d_i[0];\n"
    "  assign state_o = state_q;\n"
    "  assign w__o = wide__q ^ {88'(entry_q), hi_q, lo_q, 9'(entries_q), latch_q} ^ 100'(grid_q[4][0]);\n"
    "endmodule\n";

static void test_hierarchy(void **state) {
    (void)state;
    ls_elab e = good(hierarchy, &(ls_rtl){.params = &(ls_rtl_param){"K", "3"}, .param_count = 1});
    assert_int_equal(e.port_count, 7);
    check(&e.ports[0], "clk_i", 1, 1, LS_ELAB_IN);
    check(&e.ports[1], "rst_ni", 1, 1, LS_ELAB_IN);
    check(&e.ports[2], "d_i", 9, 1, LS_ELAB_IN);
    check(&e.ports[3], "e_i", 10, 1, LS_ELAB_IN);
    check(&e.ports[4], "q_o", 9, 3, LS_ELAB_OUT);
    check(&e.ports[5], "state_o", 2, 1, LS_ELAB_OUT);
    check(&e.ports[6], "w__o", 100, 1, LS_ELAB_OUT);
    const struct {
        const char *name;
        uint32_t bits, count;
    } expected[] = {{"entry_q", 10, 1},
                    {"entries_q", 40, 1},
                    {"state_q", 2, 1},
                    {"hi_q", 1, 1},
                    {"lo_q", 1, 1},
                    {"wide__q", 100, 1},
                    {"latch_q", 1, 1},
                    {"grid_q", 15, 8},
                    {"gen_s[0].local_q", 1, 1},
                    {"gen_s[1].local_q", 1, 1},
                    {"gen_s[2].local_q", 1, 1},
                    {"gen_s[0].gen_else.u_sub.data_q", 9, 1},
                    {"gen_s[0].gen_else.u_sub.mem_q", 32, 9},
                    {"gen_s[1].gen_in.u_sub.data_q", 9, 1},
                    {"gen_s[1].gen_in.u_sub.mem_q", 32, 9},
                    {"gen_s[2].gen_else.u_sub.data_q", 9, 1},
                    {"gen_s[2].gen_else.u_sub.mem_q", 32, 9}};
    assert_int_equal(e.register_count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < e.register_count; i++) {
        check(&e.registers[i], expected[i].name, expected[i].bits, expected[i].count, i == 6 ? LS_ELAB_LATCH : LS_ELAB_REG);
    }
    assert_string_equal(e.registers[5].var, "wide___05Fq");
    assert_string_equal(e.registers[11].module, "sub");
    assert_int_equal(e.registers[11].line, 7);
    assert_int_equal(e.file_count, 1);
    assert_true(strstr(e.registers[0].file, "/source.sv") != NULL);
    assert_ptr_equal(ls_elab_find(&e, "gen_s[1].gen_in.u_sub.data_q"), &e.registers[13]);
    assert_ptr_equal(ls_elab_find(&e, "d_i"), &e.ports[2]);
    assert_null(ls_elab_find(&e, "gen_s[3].local_q"));
    ls_elab_free(&e);
}

static void test_writes(void **state) {
    (void)state;
    static const char *const expected[] = {"out_o", "func_q", "arg_q",      "task_q",     "global_q", "old_q",
                                           "neg_q", "swap_q", "u_b[0].q_o", "u_b[1].q_o", "u__b.q_o", "u_if.count_q"};
    ls_elab e =
        good("package f; function automatic void half(input logic [3:0] a, output logic [1:0] h); h = a[3:2]; endfunction\n"
             "endpackage\n"
             "interface counter(input logic clk); logic [3:0] count_q; always_ff @(posedge clk) count_q <= count_q + 1;\n"
             "endinterface\n"
             "module b(input logic clk_i, input logic a, output logic q_o); always_ff @(posedge clk_i) q_o <= a; endmodule\n"
             "module top(input logic clk_i, input logic [3:0] a_i, output logic [3:0] out_o, output logic [1:0] b_o);\n"
             "  logic [3:0] func_q; logic [1:0] arg_q; logic [3:0] task_q, global_q; logic [7:0] old_q; integer i;\n"
             "  logic [3:0] neg_q; logic [2:0][3:0] swap_q; logic [3:0] comb; logic [3:0] star;\n"
             "  b u_b [1:0] (.clk_i, .a(a_i[0]), .q_o(b_o)); b u__b (.clk_i, .a(a_i[1]), .q_o()); counter u_if(clk_i);\n"
             "  function automatic logic [3:0] inc(input logic [3:0] x); logic [3:0] r; r = x + 1; return r; endfunction\n"
             "  task automatic set(output logic [3:0] z); z = a_i; global_q <= a_i; endtask\n"
             "  always_ff @(posedge clk_i) begin\n"
             "    for (int j = 0; j < 4; j++) out_o[j] <= a_i[3 - j];\n"
             "    func_q <= inc(func_q); f::half(a_i, arg_q); set(task_q);\n"
             "  end\n"
             "  always @(posedge clk_i or negedge a_i[3]) for (i = 0; i < 8; i = i + 1) old_q[i] <= a_i[i % 4];\n"
             "  always_ff @(negedge clk_i) begin : blk logic [3:0] x; x = a_i; neg_q[x[1:0]] <= x[2]; end\n"
             "  always_ff @(posedge clk_i) {swap_q[0], swap_q[1]} <= {swap_q[1], a_i};\n"
             "  always_comb begin comb = inc(a_i); end\n"
             "  always @* star = comb;\n"
             "  initial global_q = 0;\n"
             "endmodule\n",
             NULL);
    assert_int_equal(e.register_count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < e.register_count; i++) {
        assert_string_equal(e.registers[i].name, expected[i]);
        assert_int_equal(e.registers[i].kind, LS_ELAB_REG);
    }
    ls_elab_free(&e);
}

/* State that no clocked assignment to a variable of the module gives away; what resembles it and holds none stays out. */
static void test_hidden_state(void **state) {
    (void)state;
    static const struct {
        const char *body, *name;
        ls_elab_kind kind;
    } cases[] = {
        {"always_ff @(posedge clk_i) begin : b static logic [7:0] age; age = age + 8'd1; end", "b.age", LS_ELAB_REG},
        {"always_ff @(posedge clk_i) begin : b logic x; if (a[0]) x = a[1]; o <= 8'(x); end", "b.x", LS_ELAB_REG},
        {"logic l; always_comb if (a[0]) l = a[1];", "l", LS_ELAB_LATCH},
        {"logic l; always @* case (a[1:0]) 0: l = 1; 1: l = a[2]; endcase", "l", LS_ELAB_LATCH},
        {"logic s, t; always @* if (!clk_i) t = s; else t = 0; always @* if (clk_i) s = t;", "s", LS_ELAB_LATCH},
        {"logic [7:0] s; always @(clk_i) if (clk_i) s = s + 1;", "s", LS_ELAB_REG},
        {"logic l; always @(clk_i) l = a[0];", "l", LS_ELAB_REG},
        {"logic l; assign l = a[0] ? a[1] : l;", "l", LS_ELAB_LATCH},
        {"logic [3:0] l; assign l[1] = a[0] ? a[1] : l[1];", "l", LS_ELAB_LATCH},
        {"logic [3:0] l; assign l[0] = a[0]; for (genvar g = 1; g < 4; g++) begin : c assign l[g] = l[g-1] ^ a[g]; end", NULL, 0},
        {"int v; export \"DPI-C\" function f; function void f(input int x); v = x; endfunction", "v", LS_ELAB_REG},
        {"logic l; always_comb begin l = 0; if (a[0]) l = 1; end", NULL, 0},
        {"logic l; always_comb l = a[0] ? a[1] : l;", "l", LS_ELAB_LATCH},
        {"logic l; task t; if (a[0]) l = a[1]; endtask always_comb t();", "l", LS_ELAB_LATCH},
        {"logic l; function logic f(input logic x); if (x) l = a[1]; return l; endfunction assign o[0] = f(a[0]);", "l",
         LS_ELAB_LATCH},
        {"function automatic logic f(input logic x); return ~x; endfunction logic l, m;\n"
         "always_comb begin if (a[0]) l = a[1]; m = f(l); end",
         "l", LS_ELAB_LATCH},
        {"task automatic t(output logic y); y = a[1]; endtask logic l; always_comb if (a[0]) t(l);", "l", LS_ELAB_LATCH},
        {"logic l; task t; if (a[0]) l = a[1]; endtask always_comb begin l = 0; t(); end", NULL, 0},
        {"logic [7:0] l; always_comb for (int i = 0; i < 8; i++) if (i == 0) l[i] = a[0]; else l[i] = l[i-1] ^ a[i];", NULL, 0},
        {"logic l; always_comb unique case (a[0]) 1'b0: l = 1; 1'b1: l = a[3]; endcase", NULL, 0},
        {"logic [7:0] l; always_comb for (int i = 0; i < 8; i++) l[i] = a[7 - i];", NULL, 0},
        {"logic l; always_comb begin : b logic x; x = a[0]; l = x; end", NULL, 0},
        {"function automatic logic [7:0] f(input logic [7:0] x); for (int i = 0; i < 8; i++) if (x[i]) return 8'(i); return 0;\n"
         "endfunction logic [7:0] l; assign l = f(a);",
         NULL, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *source = ls_format("module top(input logic clk_i, input logic [7:0] a, output logic [7:0] o);\n%s\nendmodule\n",
                                 cases[i].body);
        ls_elab e = good(source, NULL);
        const ls_elab_signal *s = cases[i].name == NULL ? NULL : ls_elab_find(&e, cases[i].name);
        if (cases[i].name == NULL ? e.register_count != 0 : s == NULL || s->kind != cases[i].kind) {
            fail_msg("%s", cases[i].body);
        }
        ls_elab_free(&e);
        free(source);
    }
}

/* State that no assignment gives away, each in one design with what resembles it and holds none. */
static void test_state_without_assignment(void **state) {
    (void)state;
    static const struct {
        const char *name;
        ls_elab_kind kind;
    } expected[] = {{"seed", LS_ELAB_REG},
                    {"target", LS_ELAB_REG},
                    {"read", LS_ELAB_REG},
                    {"memory", LS_ELAB_REG},
                    {"queue", LS_ELAB_REG},
                    {"popped", LS_ELAB_REG},
                    {"dynamic", LS_ELAB_REG},
                    {"u_called.n", LS_ELAB_REG},
                    {"$random", LS_ELAB_HIDDEN},
                    {"$urandom_range", LS_ELAB_HIDDEN},
                    {"$c", LS_ELAB_HIDDEN},
                    {"$system", LS_ELAB_HIDDEN},
                    {"$sampled", LS_ELAB_HIDDEN},
                    {"force", LS_ELAB_HIDDEN},
                    {"release", LS_ELAB_HIDDEN},
                    {"the class c", LS_ELAB_HIDDEN},
                    {"the class handle handle", LS_ELAB_HIDDEN},
                    {"the C function lrand48", LS_ELAB_HIDDEN},
                    {"the primitive flop", LS_ELAB_HIDDEN},
                    {"the variable count of package p", LS_ELAB_HIDDEN},
                    {"the variable called of package p", LS_ELAB_HIDDEN},
                    {"the variable outer of package $unit", LS_ELAB_HIDDEN}};
    ls_elab e =
        good("package p; int count, called, quiet; int fixed = 3; task bump; called = called + 1; endtask endpackage\n"
             "int outer;\n"
             "interface counts; int n; task step(input int x); n = n + x; endtask endinterface\n"
             "primitive flop(output reg q, input c, input d); table (01) 0 : ? : 0; (01) 1 : ? : 1; (10) ? : ? : -; endtable\n"
             "endprimitive\n"
             "primitive gate(output q, input c, input d); table 0 0 : 0; 0 1 : 1; 1 ? : 0; endtable endprimitive\n"
             "module top(input logic clk_i, input logic [7:0] a, output logic [7:0] o, output logic [1:0] g_o);\n"
             "int seed, target, read; logic [7:0] memory [4]; int queue [$], popped [$], dynamic []; logic held;\n"
             "class c; static int x = 0; endclass c handle;\n"
             "import \"DPI-C\" function int lrand48(); import \"DPI-C\" function int unused();\n"
             "counts u_called(); flop u_flop(g_o[0], clk_i, a[0]); gate u_gate(g_o[1], clk_i, a[0]);\n"
             "assign o[0] = 1'($random(seed)); assign o[1] = 1'($urandom_range(3)); assign o[2] = 1'($c(\"1\"));\n"
             "always @(posedge clk_i) begin\n"
             "  if ($value$plusargs(\"x=%d\", target)) queue.push_back(1); void'(popped.pop_front()); dynamic = new[3];\n"
             "  if ($sscanf(\"3\", \"%d\", read) == 1) $readmemh(\"x\", memory); u_called.step(lrand48());\n"
             "  if (a[0]) force held = 1; else release held; p::count <= p::count + 1; $system(\"true\"); p::bump();\n"
             "  outer <= outer + 1;\n"
             "end\n"
             "assign o[7:3] = {held, $sampled(held), 3'(queue.size() + popped[0] + p::count + p::called + p::fixed + outer +\n"
             "  seed + target + read + memory[0] + dynamic[0] + u_called.n + c::x + quiet[0])};\n"
             "logic [7:0] quiet [4]; initial $readmemh(\"x\", quiet); task none; endtask always_comb none();\n"
             "int config_seed, configured; initial begin configured = $random(config_seed);\n"
             "  if ($value$plusargs(\"x=%d\", configured)) $display(\"%t\", $time); end\n"
             "endmodule\n",
             NULL);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const ls_elab_signal *s = ls_elab_find(&e, expected[i].name);
        if (s == NULL || s->kind != expected[i].kind || s->line == 0 || strstr(s->file, "/source.sv") == NULL) {
            fail_msg("%s", expected[i].name);
        }
    }
    for (size_t i = 0; i < e.register_count; i++) {
        const ls_elab_signal *s = ls_elab_find(&e, e.registers[i].name);
        assert_ptr_equal(s, &e.registers[i]); /* said once */
    }
    assert_int_equal(e.register_count, sizeof expected / sizeof *expected);
    ls_elab_free(&e);
}

/* What runs commands or C code, wherever it stands; what only looks like it stays out. */
static void test_outside(void **state) {
    (void)state;
    static const struct {
        const char *body, *name; /* name: NULL: nothing runs */
    } cases[] = {{"initial $system(\"true\");", "$system"},
                 {"initial if ($system(\"true\") == 0) $display(\"x\");", "$system"},
                 {"assign o = 8'($c(\"1\"));", "$c"},
                 {"initial $c(\"1;\");", "$c"},
                 {"\n`systemc_header\nint v;\n`verilog\n", "`systemc_header"},
                 {"\n`systemc_interface\nint v;\n`verilog\n", "`systemc_interface"},
                 {"\n`systemc_imp_header\nint v;\n`verilog\n", "`systemc_imp_header"},
                 {"\n`systemc_implementation\nint v;\n`verilog\n", "`systemc_implementation"},
                 {"\n`systemc_ctor\nint v;\n`verilog\n", "`systemc_ctor"},
                 {"\n`systemc_dtor\nint v;\n`verilog\n", "`systemc_dtor"},
                 {"import \"DPI-C\" function void abort(); initial abort();", "the C function, or empty task, abort"},
                 {"import \"DPI-C\" function int lrand48(); initial $display(\"%d\", lrand48());", "the C function lrand48"},
                 {"import \"DPI-C\" function int lrand48();", NULL},
                 {"function int f(input int x); return x; endfunction assign o = 8'(f(3));", NULL},
                 {"integer f; initial begin f = $fopen(\"x\", \"r\"); $display(\"%t\", $time); end", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *source = ls_format("module top(input logic clk_i, input logic [7:0] a, output logic [7:0] o);\n%s\nendmodule\n",
                                 cases[i].body);
        ls_elab e = good(source, NULL);
        char *said = cases[i].name == NULL ? NULL : ls_format(": %s runs commands or C code", cases[i].name);
        /* XML of newer versions does not say which */
        if (said != NULL && e.outside != NULL && strstr(e.outside, ": `systemc runs") != NULL && cases[i].name[0] == '`') {
            free(said);
            said = ls_copy(": `systemc runs commands or C code");
        }
        if (said == NULL ? e.outside != NULL : e.outside == NULL || strstr(e.outside, said) == NULL) {
            fail_msg("%s: %s", cases[i].body, e.outside == NULL ? "nothing" : e.outside);
        }
        free(said);
        ls_elab_free(&e);
        free(source);
    }
}

/* A variable of the module as the index of a loop: no state where no run of a procedure sees what one before it left. */
static void test_loop_variables(void **state) {
    (void)state;
    ls_elab e =
        good("module sub(input logic x, output logic y); assign y = x; endmodule\n"
             "module top(input logic clk_i, input logic [7:0] a, output logic [7:0] o, output logic [3:0] seen_o);\n"
             "integer i, begins, read, port, up, other, between; logic [7:0] p, b, c, d, e, f, g;\n"
             "always @(posedge clk_i) for (i = 0; i < 8; i = i + 1) o[i] <= a[i];\n"
             "always @(negedge clk_i) begin : blk integer read;\n"
             "  for (i = 7; i >= 0; i = i - 1) p[i] = a[i]; read = 1; p[0] = read[0]; end\n"
             "always_comb for (i = 0; i < 8; i = i + 1) b[i] = a[i];\n"
             "always @(posedge clk_i) for (begins = begins + 1; begins[0]; begins = begins + 1) c <= a;\n"
             "always @(posedge clk_i) for (read = 0; read < 8; read = read + 1) d[read] <= a[0];\n"
             "assign seen_o[0] = read[0];\n"
             "always @(posedge clk_i) for (port = 0; port < 8; port = port + 1) e[port] <= a[0];\n"
             "sub u_sub(port[0], seen_o[1]);\n"
             "always @(posedge clk_i) for (other = 0; other < 8; other = other + 1) f[other] <= a[0];\n"
             "always_comb seen_o[2] = other[0];\n"
             "always @(posedge clk_i) if (a[0]) for (between = 0; between < 8; between = between + 1) g[between] <= a[0];\n"
             "  else seen_o[3] <= between[0];\n"
             "endmodule\n",
             NULL);
    static const char *const indexes[] = {"begins", "read", "port", "other", "between"};
    for (size_t i = 0; i < sizeof indexes / sizeof *indexes; i++) {
        const ls_elab_signal *s = ls_elab_find(&e, indexes[i]);
        if (s == NULL || s->kind != LS_ELAB_REG) {
            fail_msg("%s", indexes[i]);
        }
    }
    assert_null(ls_elab_find(&e, "i"));
    ls_elab_free(&e);
}

static void test_types_without_bits(void **state) {
    (void)state;
    ls_elab e =
        good("module top(input logic clk_i, input logic [3:0] a_i);\n"
             "  typedef struct { logic [3:0] x; logic y; } open_t;\n"
             "  open_t open_q; real real_q; logic signed [-1:-4] negative_q; byte byte_q; longint long_q; integer integer_q;\n"
             "  typedef union packed { logic [7:0] a; logic [1:0][3:0] b; } both_t; both_t both_q;\n"
             "  always_ff @(posedge clk_i) begin open_q.x <= a_i; real_q <= 1.0; negative_q <= a_i; byte_q <= 1; long_q <= 2;\n"
             "    integer_q <= 3; both_q.b[0] <= a_i; end\n"
             "endmodule\n",
             NULL);
    assert_int_equal(e.register_count, 7);
    assert_int_equal(e.registers[2].turned, 0);
    check(&e.registers[0], "open_q", 0, 1, LS_ELAB_REG);
    check(&e.registers[1], "real_q", 0, 1, LS_ELAB_REG);
    check(&e.registers[2], "negative_q", 4, 1, LS_ELAB_REG);
    check(&e.registers[3], "byte_q", 8, 1, LS_ELAB_REG);
    check(&e.registers[4], "long_q", 64, 1, LS_ELAB_REG);
    check(&e.registers[5], "integer_q", 32, 1, LS_ELAB_REG);
    check(&e.registers[6], "both_q", 8, 1, LS_ELAB_REG);
    ls_elab_free(&e);
}

static void test_ascending_ranges(void **state) {
    (void)state;
    ls_elab e =
        good("module top(input logic clk_i, input logic [0:3][7:0] a_i, input logic [3:0][7:0] b_i, input logic [0:31] c_i,\n"
             "  input logic [3:0][0:7] g_i);\n"
             "  typedef logic [0:1][2:0] pair_t; logic [3:0][0:1][2:0] d_q; pair_t e_q [4]; logic [0:0][7:0] f_q;\n"
             "  always_ff @(posedge clk_i) begin d_q <= 1; e_q[0] <= 1; f_q <= 1; end\n"
             "endmodule\n",
             NULL);
    static const struct {
        const char *name;
        uint32_t turned;
    } expected[] = {{"a_i", 32}, {"b_i", 0}, {"c_i", 32}, {"d_q", 6}, {"e_q", 6}, {"f_q", 0}, {"g_i", 8}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const ls_elab_signal *s = ls_elab_find(&e, expected[i].name);
        assert_non_null(s);
        assert_int_equal(s->turned, expected[i].turned);
    }
    ls_elab_free(&e);
}

static void test_wires(void **state) {
    (void)state;
    static const char source[] =
        "module rf_bank #(parameter int W = 8)(input logic clk_i, input logic we_i, input logic [1:0] waddr_i, input logic "
        "[W-1:0] d_i);\n"
        "  logic [W-1:0] mem_q [0:3]; always_ff @(posedge clk_i) if (we_i) mem_q[waddr_i] <= d_i;\n"
        "endmodule\n"
        "module top(input logic clk_i, input logic we_i, input logic [1:0] a_i);\n"
        "  for (genvar g = 0; g < 2; g++) begin : gen_b rf_bank u_bank(.clk_i, .we_i, .waddr_i(a_i), .d_i(8'(g))); end\n"
        "endmodule\n";
    const ls_rtl_wire wires[] = {{"rf_bank", "w*_i"}, {"top", "we_i"}};
    ls_elab e = good(source, &(ls_rtl){.wires = wires, .wire_count = 2});
    assert_int_equal(e.register_count, 6);
    check(&e.registers[0], "gen_b[0].u_bank.we_i", 1, 1, LS_ELAB_WIRE);
    check(&e.registers[1], "gen_b[0].u_bank.waddr_i", 2, 1, LS_ELAB_WIRE);
    check(&e.registers[2], "gen_b[0].u_bank.mem_q", 8, 4, LS_ELAB_REG);
    check(&e.registers[5], "gen_b[1].u_bank.mem_q", 8, 4, LS_ELAB_REG);
    ls_elab_free(&e);
}

static void test_library_directory(void **state) {
    (void)state;
    free(write_source("leaf.sv",
                      "`include \"größe.svh\"\n"
                      "module leaf(input logic clk_i); logic [`WIDTH-1:0] n_q; always_ff @(posedge clk_i) n_q <= n_q + 1; "
                      "endmodule\n"));
    char *included = write_source("größe.svh", "`define WIDTH 5\n");
    ls_elab e = good("module top(input logic clk_i); leaf u_leaf(.clk_i); endmodule\n",
                     &(ls_rtl){.dirs = (const char *const[]){directory}, .dir_count = 1});
    assert_int_equal(e.register_count, 1);
    check(&e.registers[0], "u_leaf.n_q", 5, 1, LS_ELAB_REG);
    assert_int_equal(e.file_count, 3);
    bool named = false;
    for (size_t i = 0; i < e.file_count; i++) {
        named |= strcmp(e.files[i], included) == 0;
    }
    assert_true(named);
    free(included);
    ls_elab_free(&e);
}

static void test_refusals(void **state) {
    (void)state;
    ls_elab e;
    char *text = NULL;
    assert_int_equal(elaborate("module top(input logic a);\n  assign b = ;\nendmodule\n", NULL, &e, &text), LS_ELAB_RTL);
    assert_true(strstr(text, "source.sv:2:") != NULL && strstr(text, "syntax error") != NULL);
    assert_null(e.ports);
    free(text);
    ls_rtl missing = {.top = "top", .files = (const char *const[]){"/nowhere/top.sv"}, .file_count = 1};
    assert_int_equal(ls_elab_run(&missing, verilator(), NULL, &e, &text), LS_ELAB_RTL);
    assert_true(strstr(text, "/nowhere/top.sv") != NULL);
    free(text);
    assert_int_equal(ls_elab_run(&missing, "no-such-verilator", NULL, &e, &text), LS_ELAB_TOOL);
    assert_true(strstr(text, "no-such-verilator") != NULL);
    free(text);
    char *old = write_source("verilator", "#!/bin/sh\necho 'Verilator 5.004 2022-12-14 rev v5.004'\n");
    assert_int_equal(chmod(old, 0755), 0);
    assert_int_equal(ls_elab_run(&missing, old, NULL, &e, &text), LS_ELAB_TOOL);
    assert_string_equal(text, "Verilator 5.004 2022-12-14 rev v5.004 is not supported: use Verilator 5.006 or newer\n");
    free(text);
    free(old);
    char *new = write_source("verilator", "#!/bin/sh\n[ \"$1\" = --version ] && echo 'Verilator 6.002 2030-01-01' && exit\n"
                                          "while [ \"$1\" != --json-only-output ]; do shift; done\n"
                                          "echo '{\"type\":\"FOREST\"}' >\"$2\"; echo '{\"files\":{}}' >\"$2.meta\"\n");
    assert_int_equal(chmod(new, 0755), 0);
    assert_int_equal(ls_elab_run(&missing, new, NULL, &e, &text), LS_ELAB_TOOL); /* it was tried */
    assert_non_null(strstr(text, "is not Verilator's JSON: it begins with no NETLIST"));
    free(text);
    free(new);
}

/* Every prefix of a document, and every document with one byte replaced, is read or refused: no crash, no leak. */
static void test_damaged_xml(void **state) {
    (void)state;
    char *source =
        write_source("source.sv", "module top(input logic clk_i); logic [3:0] n_q [2]; always_ff @(posedge clk_i) n_q[0] <= 1;\n"
                                  "endmodule\n");
    char *path = ls_format("%s/elab.xml", directory), *text = NULL;
    ls_rtl rtl = {.top = "top", .files = (const char *const[]){source}, .file_count = 1};
    ls_elab e;
    assert_int_equal(ls_elab_run(&rtl, verilator(), path, &e, &text), LS_ELAB_OK);
    free(text);
    ls_elab_free(&e);
    ls_text xml = {0};
    assert_int_equal(ls_text_read(&xml, path), 0);
    size_t refused = 0;
    for (size_t cut = 0; cut < xml.size; cut++) {
        ls_text part = {0};
        ls_text_put(&part, xml.data, cut % 2 == 0 ? cut : xml.size);
        if (cut % 2 == 1) {
            part.data[cut] = "<>\"/&=x9"[cut / 2 % 8];
        }
        assert_int_equal(ls_text_write(&part, path), 0);
        refused += ls_elab_read(path, NULL, 0, &e, &text) != LS_ELAB_OK;
        ls_elab_free(&e);
        free(text);
        free(part.data);
    }
    assert_true(refused > xml.size / 2);
    free(xml.data);
    free(path);
    free(source);
}

/* Every prefix of a stored elaboration is refused; with one byte changed it is read or refused: no crash, no leak. */
static void test_damaged_store(void **state) {
    (void)state;
    ls_elab e = good("typedef struct packed {logic [3:0] a; logic b;} pair;\n"
                     "module top #(parameter int N = 5)(input logic clk_i, input pair p_i); pair n_q [2];\n"
                     "always_ff @(posedge clk_i) n_q[0] <= p_i; initial $system(\"true\"); endmodule\n",
                     NULL);
    char *path = ls_format("%s/stored", directory);
    e.registers[0].renamed = true; /* as in a netlist */
    stored_is_the_same(&e);
    assert_int_equal(ls_elab_save(&e, path), 0);
    ls_elab_free(&e);
    ls_text whole = {0};
    assert_int_equal(ls_text_read(&whole, path), 0);
    size_t refused = 0;
    for (size_t at = 0; at < 2 * whole.size; at++) {
        ls_text part = {0};
        ls_text_put(&part, whole.data, at < whole.size ? at : whole.size);
        if (at >= whole.size) part.data[at - whole.size] = (char)~part.data[at - whole.size];
        assert_int_equal(ls_text_write(&part, path), 0);
        const int error = ls_elab_load(path, &e);
        if (at < whole.size) assert_int_equal(error, -EBADMSG);
        refused += error != 0;
        ls_elab_free(&e);
        free(part.data);
    }
    assert_true(refused > whole.size);
    ls_text_put(&whole, "x", 1);
    assert_int_equal(ls_text_write(&whole, path), 0);
    assert_int_equal(ls_elab_load(path, &e), -EBADMSG);
    assert_int_equal(remove(path), 0);
    assert_int_equal(ls_elab_load(path, &e), -ENOENT);
    free(whole.data);
    free(path);
}

static void test_versions(void **state) {
    (void)state;
    assert_int_equal(ls_verilator_number("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)"), 5006);
    assert_int_equal(ls_verilator_number("Verilator 4.228 2022-10-01"), 4228);
    assert_int_equal(ls_verilator_number("Verilator 5.051 devel rev v5.050-22-g0123456"), 5051);
    assert_int_equal(ls_verilator_number("Icarus Verilog"), 0);
    static const struct {
        const char *version, *said; /* NULL: nothing */
        bool good;
    } cases[] = {
        {"Verilator 5.006 2023-01-22 rev (Debian 5.006-3)", NULL, true},
        {"Verilator 5.050 2026-07-01 rev v5.050\n", NULL, true},
        {"Verilator 5.051 devel rev v5.050-22-g0123456\n", "Verilator 5.051 is newer than 5.050, the newest that was tested\n",
         true},
        {"Verilator 4.228 2022-10-01\n", "Verilator 4.228 2022-10-01 is not supported: use Verilator 5.006 or newer\n", false},
        {"Icarus Verilog\n", "Icarus Verilog is not supported: use Verilator 5.006 or newer\n", false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = NULL;
        assert_int_equal(ls_verilator_check(cases[i].version, &text), cases[i].good);
        if (cases[i].said == NULL) assert_null(text);
        else assert_string_equal(text, cases[i].said);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hierarchy),
        cmocka_unit_test(test_writes),
        cmocka_unit_test(test_hidden_state),
        cmocka_unit_test(test_state_without_assignment),
        cmocka_unit_test(test_outside),
        cmocka_unit_test(test_loop_variables),
        cmocka_unit_test(test_types_without_bits),
        cmocka_unit_test(test_ascending_ranges),
        cmocka_unit_test(test_wires),
        cmocka_unit_test(test_library_directory),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_damaged_xml),
        cmocka_unit_test(test_damaged_store),
        cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
