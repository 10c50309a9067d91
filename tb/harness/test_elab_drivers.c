/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/dut/elab_drivers.c and elab_edges.c: which variables have two drivers of one bit, and which inputs are clocks
 * and resets. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/text.h"
#include "harness/dut/elab.h"
#include "tb/harness/elaborate.h"

/* What `top` of the cases is made of. */
static const char parts[] =
    "interface bus_if;\n"
    "  logic [3:0] d; logic v;\n"
    "  modport m(output d, v, import put);\n"
    "  function automatic void put(input logic [3:0] x); d = x; endfunction\n"
    "endinterface\n"
    "interface outer_if; bus_if in(); endinterface\n"
    "package p; logic [1:0] shared; endpackage\n"
    "module leaf(input logic c, input logic [3:0] a, output logic [3:0] y); assign y = ~a; endmodule\n"
    "module hold(input logic c, input logic [3:0] a, output logic [3:0] q); always_ff @(posedge c) q <= a; endmodule\n"
    "module set(input logic a, bus_if.m b); assign b.v = a; endmodule\n"
    "module sets(input logic a, bus_if b [2]);\n"
    "  for (genvar i = 0; i < 2; i++) begin : g set u_set(.a(a), .b(b[i])); end\n"
    "endmodule\n"
    "module put(input logic c, input logic [3:0] a, bus_if.m b); always_ff @(posedge c) b.put(a); endmodule\n"
    "module shares(input logic c, input logic [3:0] a); always @(posedge c) p::shared <= a[1:0]; endmodule\n"
    "`define FF always_ff @(posedge clk_i)\n"
    "module top(input logic clk_i, input logic rst_ni, input logic [7:0] a, output logic [7:0] o);\n";

/* What Verilator's message or ours says of `top` with that body; NULL: it is accepted. */
static char *drivers_of(const char *body) {
    ls_elab e;
    char *text = NULL, *source = ls_format("%s%s\nendmodule\n", parts, body);
    const ls_elab_status status = elaborate(source, &(ls_rtl){.strict = true}, &e, &text);
    if (status == LS_ELAB_OK) {
        free(text);
        text = NULL;
    }
    ls_elab_free(&e);
    free(source);
    return text;
}

static void two_drivers_of_one_bit(void **state) {
    (void)state;
    static const struct {
        const char *name, *body; /* the variable that is told, and how it is driven */
    } refused[] = {
        {"q", "logic [2:0] q; always_ff @(posedge clk_i) q <= a[2:0]; always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) "
              "q <= 5;\n"
              "else q <= 7; assign o = 8'(q);"},
        {"q", "logic [2:0] q; `FF q <= a[2:0]; `FF q[a[1:0]] <= 1; assign o = 8'(q);"},
        {"q", "logic [2:0] q; `FF q <= a[2:0]; always @(posedge clk_i) q[1] = 1; assign o = 8'(q);"},
        {"q", "logic [2:0] q; always @(posedge clk_i) q <= a[2:0]; always @(posedge clk_i) q[2] <= 1; assign o = 8'(q);"},
        {"o", "assign o = a; always @(posedge clk_i) o[3] = 1;"},
        {"o", "assign o = 0; always_ff @(posedge clk_i) o <= a;"},
        {"o", "assign o = a; always_comb o[1:0] = ~a[1:0];"},
        {"o", "always_comb o = a; always_comb o[0] = 1;"},
        {"o", "assign o = a; assign o[7:4] = ~a[7:4];"},
        {"o", "always_latch if (a[0]) o = a; assign o[7] = a[1];"},
        {"o", "always_comb for (int i = 0; i < 4; i++) o[i] = a[i]; always_comb for (int i = 4; i < 8; i++) o[i] = a[i];"},
        {"w", "wire w; assign w = a[0] ? a[1] : 1'bz; assign w = a[2] ? a[3] : 1'bz; assign o = 8'(w);"},
        {"w", "wire w; buf (w, a[0]); not (w, a[1]); assign o = 8'(w);"},
        {"w", "wire w; /* verilator lint_off MULTIDRIVEN */ assign w = a[0]; assign w = a[1]; assign o = 8'(w);"},
        {"q", "logic [3:0] q; initial q = 1; `FF q <= a[3:0]; assign o = 8'(q);"},
        {"w", "logic [3:0] w; leaf u_a(clk_i, a[3:0], w); leaf u_b(clk_i, a[7:4], w); assign o = 8'(w);"},
        {"w", "logic [3:0] w; leaf u_a[1:0](clk_i, a[3:0], w); assign o = 8'(w);"},
        {"w", "logic [4:0] w; hold u_a(clk_i, a[3:0], w[4:1]); assign w[1:0] = a[1:0]; assign o = 8'(w);"},
        {"w", "logic [3:0] w; hold u_a(.c(clk_i), .a(a[3:0]), .q({w[0], w[3:1]})); `FF w[3] <= 1; assign o = 8'(w);"},
        {"s", "struct packed { logic [2:0] x; logic [4:0] y; } s; `FF s <= a; `FF s.x <= 1; assign o = s;"},
        {"s", "struct packed { logic [2:0] x; logic [4:0] y; } s; `FF s.y <= a[4:0]; assign s[7:4] = a[3:0]; assign o = s;"},
        {"s", "struct { logic [2:0] x; logic [4:0] y[2]; } s; `FF s.y[1] <= a[4:0]; `FF s.y[a[0]][1] <= 1; assign o = 8'(s.y[0] "
              "^ s.y[1]);"},
        {"m", "logic [7:0] m [4]; `FF m[a[1:0]] <= a; `FF m[1] <= 1; assign o = m[a[3:2]];"},
        {"m", "logic [7:0] m [4]; always @(posedge clk_i) m[a[1:0]] <= a; `FF m[1] <= 1; assign o = m[a[3:2]];"},
        {"m", "logic [7:0] m [7:4]; logic [7:0] k [2]; assign k[0] = a; assign k[1] = ~a; assign m[7:6] = k; assign m[6] = a;\n"
              "assign m[5:4] = k; assign o = m[4 + a[1:0]];"},
        {"b[2]", "logic [7:0] n; for (genvar i = 0; i < 4; i++) begin : b logic q; always_ff @(posedge clk_i) q <= a[i]; assign "
                 "n[i] = q; end\n"
                 "assign b[2].q = a[4]; assign n[7:4] = 0; assign o = n;"},
        {"n", "logic [4:0] n; for (genvar i = 0; i < 4; i++) begin : b always_ff @(posedge clk_i) n[i+:2] <= a[i+:2]; end assign "
              "o = 8'(n);"},
        {"q", "logic [3:0] q; function automatic void put(); q[2] = 1; endfunction always @(posedge clk_i) put();\n"
              "always_ff @(posedge clk_i) q <= a[3:0]; assign o = 8'(q);"},
        {"q", "logic [3:0] q; function automatic void put(output logic [3:0] x); x = 1; endfunction always_comb put(q);\n"
              "always_ff @(posedge clk_i) q <= a[3:0]; assign o = 8'(q);"},
        {"q", "logic [3:0] q; task inner; q[2] = 1; endtask task outer; inner; endtask always @(posedge clk_i) outer;\n"
              "always_ff @(posedge clk_i) q <= a[3:0]; assign o = 8'(q);"},
        {"u_a.q", "logic [3:0] w; hold u_a(clk_i, a[3:0], w); always_ff @(posedge clk_i) u_a.q <= 1; assign o = 8'(w);"},
        {"u_a.q", "logic [3:0] w; hold u_a(clk_i, a[3:0], w); assign top.u_a.q[3] = 1; assign o = 8'(w);"},
        {"u_a[1].q", "logic [7:0] w; hold u_a[1:0](clk_i, a[3:0], w); always_ff @(posedge clk_i) u_a[1].q <= 1; assign o = w;"},
        {"u_a.a",
         "logic [3:0] w; hold u_a(clk_i, a[3:0], w); /* verilator lint_off ASSIGNIN */ assign u_a.a = 1; assign o = 8'(w);"},
        {"b.v", "bus_if b(); set u_a(a[0], b); set u_b(a[1], b); assign o = 8'(b.v);"},
        {"b.v", "bus_if b(); set u_a(a[0], b); assign b.v = a[1]; assign o = 8'(b.v);"},
        {"b[1].v", "bus_if b [2](); sets u_a(a[0], b); assign b[1].v = a[1]; assign o = {b[0].v, b[1].v, 6'b0};"},
        {"b[0].v", "bus_if b [2](); set u_a[2](a[1:0], b); set u_b(a[1], a[0]); assign o = {b[0].v, b[1].v, 6'b0};"},
        {"x.in.v", "outer_if x(); set u_a(a[0], x.in); assign x.in.v = a[1]; assign o = 8'(x.in.v);"},
        {"b.d", "bus_if b(); put u_a(clk_i, a[3:0], b); put u_b(clk_i, a[7:4], b); assign o = 8'(b.d);"},
        {"b.d", "bus_if b(); always_comb b.put(a[3:0]); assign b.d[1] = a[7]; assign o = 8'(b.d);"},
        {"shared", "shares u_a(clk_i, a[3:0]); shares u_b(clk_i, a[7:4]); assign o = 8'(p::shared);"},
    };
    static const char *const legal[] = {
        "logic [3:0] q; `FF q[1:0] <= a[1:0]; `FF q[3:2] <= a[1:0]; assign o = 8'(q);",
        "for (genvar i = 0; i < 8; i++) begin : g if (i[0]) assign o[i] = a[i]; else always_comb o[i] = ~a[i]; end",
        "logic [3:0][1:0] p; for (genvar i = 0; i < 4; i++) begin : g `FF begin p[i] <= a[1:0]; if (a[7]) p[i][0] <= a[i]; end "
        "end assign o = p;",
        "logic [7:0] m [4]; for (genvar i = 0; i < 4; i++) begin : g `FF m[i] <= a; end assign o = m[a[1:0]];",
        "logic [7:0] m [4]; always @(posedge clk_i) m[a[1:0]] <= a; always @(posedge rst_ni) m[a[3:2]][1:0] <= 1; assign o = "
        "m[a[3:2]];",
        "logic [7:0] m [7:4], n [4:7]; logic [7:0] k [2]; assign k[0] = a; assign k[1] = ~a; assign m[7:6] = k; assign m[5] = "
        "a;\n"
        "assign m[4] = a; assign n[4:5] = k; assign n[6:7] = k; assign o = m[4 + a[1:0]] ^ n[4 + a[3:2]];",
        "logic [8:1] v; logic [1:8] w; assign v[8:5] = a[3:0]; always_comb v[4:1] = 3; assign w[5:8] = a[3:0]; `FF w[1:4] <= 3; "
        "assign o = v ^ w;",
        "struct packed { logic [2:0] x; logic [4:0] y; } s; `FF s.x <= a[2:0]; assign s.y = a[4:0]; assign o = s;",
        "struct { logic [2:0] x; logic [4:0] y[2]; } s; `FF s.x <= a[2:0]; `FF s.y[0] <= 1; assign s.y[1] = a[4:0]; assign o = "
        "8'(s.y[a[0]] ^ s.x);",
        "logic [3:0] q = 5; `FF q <= a[3:0]; assign o = 8'(q);",
        "logic [3:0] q; initial q = 5; always @(posedge clk_i) q <= a[3:0]; assign o = 8'(q);",
        "integer i; logic [7:0] r, t; always @(posedge clk_i) for (i = 0; i < 8; i = i + 1) r[i] <= a[i];\n"
        "always @(posedge clk_i) for (i = 0; i < 8; i = i + 1) t[i] <= ~a[i]; assign o = r ^ t;",
        "logic [7:0] w; leaf u_a[1:0](clk_i, a[3:0], w); assign o = w;",
        "logic [7:0] w; leaf u_a(clk_i, a[3:0], w[7:4]); leaf u_b(clk_i, a[3:0], w[3:0]); assign o = w;",
        "logic [3:0] w[2]; hold u_a(clk_i, a[3:0], w[0]); hold u_b(clk_i, a[7:4], w[1]); assign o = {w[0], w[1]};",
        "logic [3:0] q, r; function automatic logic [3:0] inc(input logic [3:0] x); logic [3:0] y; y = x + 1; return y; "
        "endfunction\n"
        "always_comb q = inc(a[3:0]); always_comb r = inc(a[7:4]); assign o = {q, r};",
        "logic [3:0] q; task put(input logic x); q[0] = x; q[1] = !x; endtask always_comb begin q = 0; put(a[0]); put(a[1]); end "
        "assign o = 8'(q);",
        "bus_if b(), c(); set u_a(a[0], b); set u_b(a[1], c); put u_c(clk_i, a[3:0], b); put u_d(clk_i, a[3:0], c); assign o = "
        "{b.d, c.d};",
        "bus_if b [2](); sets u_a(a[0], b); always_comb b[0].d = a[3:0]; put u_p(clk_i, a[3:0], b[1]); assign o = {b[0].d, "
        "b[1].d};",
        "outer_if x(), y(); set u_a(a[0], x.in); assign y.in.v = a[1]; assign x.in.d = a[3:0]; assign o = {x.in.d, x.in.v, "
        "y.in.v, 2'b0};",
        "for (genvar i = 0; i < 2; i++) begin : g logic [3:0] q; end assign g[0].q = a[3:0]; `FF g[1].q <= a[3:0]; assign o = "
        "{g[0].q, g[1].q};",
        "logic [3:0] w; leaf u_a(clk_i, a[3:0], w); assign o = 8'(w); final $display(\"%d\", o);",
    };
    size_t wrong = 0;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        char *text = drivers_of(refused[i].body);
        char *start = ls_format(": %s", refused[i].name);
        if (text != NULL && strstr(text, "is not connected to interface/modport pin expression") != NULL) {
            print_message("this Verilator takes no interface inside of another: %s\n", refused[i].body);
        } else if (text == NULL || strstr(text, start) == NULL || strstr(text, " has two drivers of one bit: ") == NULL) {
            wrong++;
            print_error("%s\nis not refused for %s: %s", refused[i].body, refused[i].name, text == NULL ? "" : text);
        }
        free(start);
        free(text);
    }
    for (size_t i = 0; i < sizeof legal / sizeof *legal; i++) {
        char *text = drivers_of(legal[i]);
        if (text != NULL && strstr(text, "is not connected to interface/modport pin expression") == NULL) {
            wrong++;
            print_error("%s\nis refused: %s", legal[i], text);
        }
        free(text);
    }
    assert_int_equal(wrong, 0);
}

static void edges_of_inputs(void **state) {
    (void)state;
    static const struct {
        const char *body,
            *edges; /* port, + rises, - falls, c a clock, s a set or reset; how often its low and high level clears, & in gates alone */
    } cases[] = {
        {"always_ff @(posedge clk_i) o <= a;", "clk_i+c "},
        {"always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) o <= 0; else o <= a;", "clk_i+c rst_ni-s "},
        {"wire c = ~clk_i; always_ff @(negedge c) o <= a;", "clk_i+c "},
        {"hold u_a(clk_i, a[3:0], o[3:0]); hold u_b(.q(o[7:4]), .a(a[7:4]), .c(!rst_ni));", "clk_i+c rst_ni-c "},
        {"wire c = clk_i & a[0]; always_ff @(posedge c) o <= a;", ""},
        {"always_ff @(posedge clk_i) if (!rst_ni) o <= 8'd3; else o <= a;", "clk_i+c rst_ni:1:0 "},
        {"always_ff @(posedge clk_i) begin o[7:1] <= a[7:1]; if (rst_ni) o[0] <= 1; end", "clk_i+c rst_ni:0:1 "},
        {"always_ff @(posedge clk_i) begin if (rst_ni) o <= a; else begin o <= 1; end end", "clk_i+c rst_ni:1:0 "},
        {"always_ff @(posedge clk_i) if (a[0]) begin if (rst_ni) o <= 0; else o <= a; end", "clk_i+c "},
        {"logic r; assign r = ~rst_ni; always_ff @(posedge clk_i) if (r | a[0]) o <= 0; else o <= a;", "clk_i+c rst_ni:1:0 "},
        {"always_ff @(posedge clk_i) if (!(rst_ni && a[0])) o <= 0; else o <= a;", "clk_i+c rst_ni:1:0 "},
        {"always_ff @(posedge clk_i) o[0] <= a[0] & rst_ni;", "clk_i+c rst_ni:1:0& "},
        {"logic [7:0] m [4]; integer k; assign o = m[a[1:0]];\n"
         "always_ff @(posedge clk_i) if (rst_ni) for (k = 0; k < 4; k = k + 1) m[k] <= k[7:0]; else m[0] <= a;",
         "clk_i+c rst_ni:0:1 "},
        {"always_ff @(posedge clk_i or posedge rst_ni) if (rst_ni) o <= 0; else o <= a;", "clk_i+c rst_ni+s "},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ls_elab e;
        char *text = NULL, *source = ls_format("%s%s\nendmodule\n", parts, cases[i].body);
        ls_text said = {0};
        if (elaborate(source, NULL, &e, &text) != LS_ELAB_OK) fail_msg("%s: %s", cases[i].body, text);
        ls_text_add(&said, "%s", "");
        for (size_t k = 0; k < e.edge_count; k++) {
            const ls_elab_edge *g = &e.edges[k];
            ls_text_add(&said, "%s%s%s%s%s", g->port, g->rises ? "+" : "", g->falls ? "-" : "", g->clocks ? "c" : "",
                        g->sets ? "s" : "");
            if (g->clears[0] + g->clears[1] > 0)
                ls_text_add(&said, ":%u:%u%s", g->clears[0], g->clears[1], g->gates_only ? "&" : "");
            ls_text_add(&said, " ");
        }
        if (strcmp(said.data, cases[i].edges) != 0)
            fail_msg("%s has the edges %s and not %s", cases[i].body, said.data, cases[i].edges);
        free(said.data);
        free(source);
        free(text);
        ls_elab_free(&e);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_drivers_of_one_bit),
        cmocka_unit_test(edges_of_inputs),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
