/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/dut/elab_document.c and harness/base/json_read.c: with a Verilator that writes XML and JSON both give the same
 * elaboration of all units; with any, a document in the form of Verilator 5.050 is read, and what is damaged is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/json_read.h"
#include "harness/base/process.h"
#include "harness/core/config.h"
#include "harness/core/design.h"
#include "tb/harness/elaborate.h"

/* All units ----------------------------------------------------------------------------------------------------------------- */

static ls_elab elaborate_unit(const ls_unit *unit, ls_elab_form form) {
    ls_args files = {0}, values = {0};
    ls_rtl_param params[64];
    void *cfg = ls_config_new(unit);
    ls_elab elab;
    char *text = NULL;
    ls_design_files(unit, &files);
    for (size_t i = 0; i < unit->param_count; i++) {
        ls_args_add(&values, "%u", ls_config_get(&unit->params[i], cfg));
        params[i] = (ls_rtl_param){unit->params[i].name, values.list[i]};
    }
    const ls_rtl rtl = {.top = unit->name,
                        .files = (const char *const *)files.list,
                        .file_count = files.count,
                        .params = params,
                        .param_count = unit->param_count,
                        .timeout_ms = 600000,
                        .wires = &(ls_rtl_wire){"*", "*"},
                        .wire_count = 1,
                        .form = form,
                        .strict = true};
    if (ls_elab_run(&rtl, verilator(), NULL, &elab, &text) != LS_ELAB_OK) fail_msg("%s: %s", unit->name, text);
    free(text);
    free(cfg);
    ls_args_free(&files);
    ls_args_free(&values);
    return elab;
}

static void both_formats_give_the_same_of_all_units(void **state) {
    (void)state;
    if (!both) {
        print_message("needs a Verilator that writes XML and JSON: make test-verilator VERILATOR=path\n");
        skip();
    }
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        ls_elab xml = elaborate_unit(*u, LS_ELAB_FORM_XML), json = elaborate_unit(*u, LS_ELAB_FORM_JSON);
        char *told = elabs_differ(&xml, &json);
        if (told != NULL) fail_msg("%s, XML or JSON: %s", (*u)->name, told);
        ls_elab_free(&xml);
        ls_elab_free(&json);
    }
}

/* A document of our own ----------------------------------------------------------------------------------------------------- */

/* tb/harness/elab_5050.json is, as Verilator 5.050 writes it, with all that the reader does not look at left out:
 * module child(input logic c, output logic [1:0] q); always_ff @(posedge c) q <= q + 1; endmodule
 * module top #(parameter int N = 5)(input logic clk_i, input logic [0:3] d_i, output logic [7:0] o_o);
 *   logic [7:0] mem_q [0:3]; logic hold; if (1) begin : g logic [1:0] w; child u(clk_i, w); end
 *   always_ff @(posedge clk_i) for (int i = 0; i < 4; i++) mem_q[i] <= 8'h1;
 *   always_latch if (clk_i) hold = d_i[0];
 *   assign TARGET = clk_i;
 * endmodule; KIND stands for the keyword of the child's procedure. */
#define TO(name) "{\"type\":\"VARREF\",\"name\":\"" name "\",\"access\":\"WR\"}"

static const char meta[] = "{\"files\": {\n  \"a\": {\"filename\":\"<built-in>\", \"language\":\"1800-2023\"},\n"
                           "  \"b\": {\"filename\":\"rtl/größe.sv\", \"language\":\"1800-2023\"}\n },\n"
                           " \"pointers\": {\"(B)\": \"0x1\"},\"ptrFieldNames\": [\n  \"dtypep\",\n  \"modp\"\n ]}\n";

/* Writes both files. */
static char *write_document(const char *text, const char *meta_text) {
    char *path = ls_format("%s/elab", directory), *meta_path = ls_format("%s" LS_ELAB_META, path);
    const ls_text a = {.data = (char *)text, .size = strlen(text)}, b = {.data = (char *)meta_text, .size = strlen(meta_text)};
    assert_int_equal(ls_text_write(&a, path), 0);
    assert_int_equal(ls_text_write(&b, meta_path), 0);
    free(meta_path);
    return path;
}

/* The document, as far as the first of `stop` in it; what is behind goes on in `from`. */
static void put_until(ls_text *text, const char **from, const char *stop) {
    const char *at = strstr(*from, stop);
    assert_non_null(at);
    ls_text_put(text, *from, (size_t)(at - *from));
    *from = at + strlen(stop);
}

static char *document_with(const char *target, const char *keyword) {
    ls_text text = {0}, document = {0};
    assert_int_equal(ls_text_read(&document, "tb/harness/elab_5050.json"), 0);
    const char *rest = document.data;
    put_until(&text, &rest, "TARGET");
    ls_text_add(&text, "%s", target);
    put_until(&text, &rest, "KIND");
    ls_text_add(&text, "%s%s", keyword, rest);
    free(document.data);
    return ls_text_take(&text);
}

static void a_document_of_5050_is_read(void **state) {
    (void)state;
    char *text = document_with(TO("o_o"), "always_ff"), *path = write_document(text, meta), *said = NULL;
    ls_elab e;
    if (ls_elab_read(path, &(ls_rtl_wire){"child", "c"}, 1, &e, &said) != LS_ELAB_OK) fail_msg("%s", said);
    free(said);
    static const struct {
        const char *name, *module;
        uint32_t bits, count, turned, line;
        ls_elab_kind kind;
    } expected[] = {{"clk_i", "top", 1, 1, 0, 3, LS_ELAB_IN},   {"d_i", "top", 4, 1, 4, 3, LS_ELAB_IN},
                    {"o_o", "top", 8, 1, 0, 3, LS_ELAB_OUT},    {"mem_q", "top", 8, 4, 0, 4, LS_ELAB_REG},
                    {"hold", "top", 1, 1, 0, 5, LS_ELAB_LATCH}, {"g.u.c", "child", 1, 1, 0, 1, LS_ELAB_WIRE},
                    {"g.u.q", "child", 2, 1, 0, 1, LS_ELAB_REG}};
    assert_int_equal(e.port_count, 3);
    assert_int_equal(e.port_count + e.register_count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const ls_elab_signal *s = i < e.port_count ? &e.ports[i] : &e.registers[i - e.port_count];
        assert_string_equal(s->name, expected[i].name);
        assert_string_equal(s->module, expected[i].module);
        assert_string_equal(s->file, "rtl/größe.sv");
        assert_int_equal(s->bits, expected[i].bits);
        assert_int_equal(s->count, expected[i].count);
        assert_int_equal(s->turned, expected[i].turned);
        assert_int_equal(s->line, expected[i].line);
        assert_int_equal(s->kind, expected[i].kind);
    }
    const ls_elab_layout *d = e.ports[1].layout, *mem = e.registers[0].layout;
    assert_true(d->indexed && !d->unpacked && d->left == 0 && d->right == 3 && d->bits == 4);
    assert_true(mem->indexed && mem->unpacked && mem->left == 0 && mem->right == 3 && mem->bits == 32);
    assert_true(mem->inner->indexed && mem->inner->left == 7 && mem->inner->right == 0);
    assert_int_equal(e.param_count, 1);
    assert_string_equal(e.params[0], "N");
    assert_string_equal(e.param_values[0], "5");
    assert_int_equal(e.param_limits[0], 255); /* of the type of 8 bits that the document gives it */
    assert_int_equal(e.edge_count, 1);
    assert_true(strcmp(e.edges[0].port, "clk_i") == 0 && e.edges[0].rises && !e.edges[0].falls && e.edges[0].clocks);
    assert_int_equal(e.file_count, 1);
    assert_string_equal(e.files[0], "rtl/größe.sv");
    assert_int_equal(e.used_count, 2);
    assert_string_equal(e.modules[1], "child");
    assert_null(e.conflicts);
    assert_null(e.outside);
    ls_elab_free(&e);
    free(text);
    free(path);
}

/* What it drives is known: the output of an instance, a latch, one element; and a kind of procedure decides. */
static void drivers_and_kinds_of_a_document_are_found(void **state) {
    (void)state;
    static const struct {
        const char *target, *keyword, *said;   /* of the conflict; NULL: none */
    } cases[] = {{TO("w"), "always_ff", NULL}, /* a name of another scope */
                 {TO("hold"), "always_ff", "hold has two drivers of one bit"},
                 {"{\"type\":\"ARRAYSEL\",\"dtypep\":\"(GB)\",\"fromp\": [" TO(
                      "mem_q") "],\"bitp\": [{\"type\":\"CONST\",\"name\":\"2'h3\"}]}",
                  "always", "mem_q has two drivers of one bit"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = document_with(cases[i].target, cases[i].keyword), *path = write_document(text, meta), *said = NULL;
        ls_elab e;
        assert_int_equal(ls_elab_read(path, NULL, 0, &e, &said), LS_ELAB_OK);
        if (cases[i].said == NULL) assert_null(e.conflicts);
        else if (e.conflicts == NULL || strstr(e.conflicts, cases[i].said) == NULL)
            fail_msg("%s: %s", cases[i].said, e.conflicts);
        free(said);
        ls_elab_free(&e);
        free(text);
        free(path);
    }
}

static void refused(const char *text, const char *meta_text, const char *words) {
    char *path = write_document(text, meta_text), *said = NULL;
    ls_elab e;
    assert_int_equal(ls_elab_read(path, NULL, 0, &e, &said), LS_ELAB_TOOL);
    if (strncmp(said, path, strlen(path)) != 0 || strstr(said, words) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", said, words);
    free(said);
    free(path);
}

static void what_is_not_understood_is_refused_by_file_and_line(void **state) {
    (void)state;
    char *good = document_with(TO("o_o"), "always_ff"), *odd = document_with(TO("o_o"), "always_when");
    refused(odd, meta, "has a procedure of the unknown kind \"always_when\"");
    refused("{\"type\":\"FOREST\"}", meta, "it begins with no NETLIST");
    refused("{\"type\":\"NETLIST\"}", meta, "holds no top module");
    refused("{\"type\":\"NETLIST\",\n\n\"name\":x}", meta, "elab:3: is not Verilator's JSON or is cut off");
    refused(good, "{\"pointers\":{}}", "elab.meta: holds no list of files");
    refused(good, "{\"files\":{\n\"b\":{]}", "elab.meta:2: is not Verilator's JSON or is cut off");
    ls_text deep = {0};
    for (int i = 0; i < 100000; i++) ls_text_put(&deep, "{\"a\":[", 6);
    ls_text_put(&deep, "", 0);
    refused(deep.data, meta, "elab:1: is not Verilator's JSON or is cut off");
    free(deep.data);
    char *path = write_document(good, meta), *meta_path = ls_format("%s" LS_ELAB_META, path), *said = NULL;
    ls_elab e;
    assert_int_equal(remove(meta_path), 0);
    assert_int_equal(ls_elab_read(path, NULL, 0, &e, &said), LS_ELAB_TOOL);
    assert_non_null(strstr(said, "elab.meta: No such file or directory"));
    free(said);
    free(path);
    free(meta_path);
    free(good);
    free(odd);
}

/* Every prefix of a document, and every document with one byte replaced, is read or refused: no crash, no leak. */
static void damaged_documents_do_no_harm(void **state) {
    (void)state;
    char *good = document_with(TO("o_o"), "always_ff");
    const size_t size = strlen(good);
    size_t refusals = 0;
    for (size_t cut = 0; cut < size; cut += 3) {
        char *text = ls_copy(good), *said = NULL;
        if (cut % 2 == 0) text[cut] = '\0';
        else text[cut] = "{}[],:\"\\x9("[cut / 2 % 11];
        char *path = write_document(text, meta);
        ls_elab e;
        const bool bad = ls_elab_read(path, NULL, 0, &e, &said) != LS_ELAB_OK;
        if (cut % 2 == 0 && !bad) fail_msg("cut at %zu it is read", cut);
        refusals += bad;
        ls_elab_free(&e);
        free(said);
        free(text);
        free(path);
    }
    assert_true(refusals > size / 6);
    free(good);
}

static void texts_numbers_and_lists_of_json_come_out(void **state) {
    (void)state;
    char text[] = " {\"a\":\"x\\\"\\\\\\u00e4\\377\\n\",\"b\":-1.5e3,\"c\":true,\"d\":[1,{\"e\":null},[\"f\",[]]],\"g\":{}} \n";
    ls_tree tree = {0};
    assert_null(ls_json_tree(&tree, text));
    ls_tree_list(&tree);
    const ls_tree_node *n = tree.root.child;
    assert_string_equal(ls_tree_get(n, "a"), "x\"\\\xc3\xa4\xff\n");
    assert_string_equal(ls_tree_get(n, "b"), "-1.5e3");
    assert_string_equal(ls_tree_get(n, "c"), "true");
    assert_string_equal(ls_tree_get(n, "z"), "");
    assert_int_equal(tree.count, 7);
    static const char *const tags[] = {"", "d", "d", "d", "d", "d", "g"};
    for (size_t i = 0; i < tree.count; i++) assert_string_equal(tree.nodes[i]->tag, tags[i]);
    assert_string_equal(ls_tree_get(tree.nodes[1], ""), "1");
    assert_string_equal(ls_tree_get(tree.nodes[2], "e"), "null");
    assert_ptr_equal(tree.nodes[4]->parent, tree.nodes[3]);
    assert_string_equal(ls_tree_get(tree.nodes[4], ""), "f");
    ls_tree_free(&tree);
    static const char *const wrong[] = {"",
                                        "[]",
                                        "{",
                                        "{\"a\"}",
                                        "{\"a\":}",
                                        "{\"a\":1,}",
                                        "{,\"a\":1}",
                                        "{\"a\":01}",
                                        "{\"a\":tru}",
                                        "{\"a\":\"",
                                        "{\"a\":[1,]}",
                                        "{\"a\":1]",
                                        "{} x",
                                        "{\"a\":\"\\q\"}",
                                        "{\"a\":\"\\u12\"}",
                                        "{a:1}",
                                        "{\"a\":\"\x01\"}",
                                        "{\"a\":\"\\477\"}",
                                        "{\"a\":1 \"b\":2}"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char *copy = ls_copy(wrong[i]);
        if (ls_json_tree(&tree, copy) == NULL) fail_msg("accepted: %s", wrong[i]);
        ls_tree_free(&tree);
        free(copy);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_of_5050_is_read),
        cmocka_unit_test(drivers_and_kinds_of_a_document_are_found),
        cmocka_unit_test(what_is_not_understood_is_refused_by_file_and_line),
        cmocka_unit_test(damaged_documents_do_no_harm),
        cmocka_unit_test(texts_numbers_and_lists_of_json_come_out),
        cmocka_unit_test(both_formats_give_the_same_of_all_units),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
