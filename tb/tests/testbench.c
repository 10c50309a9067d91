/* SPDX-License-Identifier: Apache-2.0 */
/* build/testbench UNIT CYCLES "NAME=VALUE ..." FILE...: the model's run as a SystemVerilog module that checks itself, on stdout,
 * for a simulator that is not Verilator. It drives the unit (whose RTL is in the files) with the stimulus, and in every cycle
 * wants the outputs, and after every edge all registers and memories, to be what the model had, bit by bit and without X. It
 * prints "N cycles are equal", or the first difference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/core/config.h"
#include "harness/base/memory.h"
#include "harness/core/plan.h"
#include "harness/base/rng.h"
#include "harness/core/source.h"

typedef struct bench {
    const ls_unit *unit;
    void *cfg, *model, *in, *out;
    ls_fields fields;
    ls_source source;
    size_t *at;  /* per field: its first bit in a cycle's vector; bit 0 is rst_ni */
    bool *array; /* per field: an unpacked array in the RTL, else one vector */
    size_t bits; /* of the vector */
    uint8_t *vector;
} bench;

static const char *leaf(const char *name) {
    const char *const dot = strrchr(name, '.');
    return dot != NULL ? dot + 1 : name;
}

/* Whether the file of the field's own unit (any file, when it has none here) declares its name as an array: "count_q [0:". */
static bool is_array(const ls_field *f, char **files) {
    const char *const name = leaf(f->name);
    const size_t n = strlen(name);
    char *const own = ls_format("/%s.sv", f->unit != NULL ? f->unit : "");
    bool has_own = false, found = false;
    for (char **file = files; *file != NULL; file++) has_own |= strstr(*file, own) != NULL;
    for (char **file = files; *file != NULL && !found; file++) {
        char line[4096];
        FILE *const text = has_own && strstr(*file, own) == NULL ? NULL : fopen(*file, "r");
        while (text != NULL && !found && fgets(line, sizeof line, text) != NULL)
            for (const char *at = strstr(line, name); at != NULL && !found; at = strstr(at + n, name))
                found = at > line && at[-1] == ' ' && strncmp(at + n + strspn(at + n, " "), "[0:", 3) == 0;
        if (text != NULL) (void)fclose(text);
    }
    free(own);
    return found;
}

static void lay_out(bench *b, char **files) {
    b->at = ls_zeroed(b->fields.count * sizeof *b->at);
    b->array = ls_zeroed(b->fields.count * sizeof *b->array);
    b->bits = 1;
    for (size_t i = 0; i < b->fields.count; i++) {
        const ls_field *const f = &b->fields.list[i];
        b->at[i] = b->bits;
        b->bits += (size_t)f->bits * f->count;
        b->array[i] = f->kind == LS_MEMORY || (f->kind == LS_STATE && is_array(f, files));
    }
    b->vector = ls_zeroed(b->bits / 8 + 1);
}

/* Fields of the kinds from..to, from `from` where the model has them, into the vector. */
static void set_bits(bench *b, ls_kind first, ls_kind last, const void *from) {
    for (size_t i = 0; i < b->fields.count; i++) {
        const ls_field *const f = &b->fields.list[i];
        if (f->kind < first || f->kind > last) continue;
        for (uint32_t k = 0; k < f->count; k++) {
            uint32_t words[32];
            ls_model_element(f, from, k, words);
            for (uint32_t bit = 0; bit < f->bits; bit++) {
                const size_t to = b->at[i] + (size_t)k * f->bits + bit;
                if ((words[bit / 32] >> bit % 32 & 1) != 0) b->vector[to / 8] |= (uint8_t)(1u << to % 8);
            }
        }
    }
}

static void print_vector(bench *b, uint32_t cycle) {
    (void)printf("    v[%u] = %zu'h", cycle, b->bits);
    for (size_t i = (b->bits + 3) / 4; i-- > 0;) (void)printf("%x", b->vector[i / 2] >> i % 2 * 4 & 0xfu);
    (void)printf(";\n");
    memset(b->vector, 0, b->bits / 8 + 1);
}

/* Rows of memories start with random bits, in the model and in the RTL. */
static void fill_memories(bench *b) {
    ls_rng rng;
    ls_rng_seed(&rng, 1);
    for (size_t i = 0; i < b->fields.count; i++) {
        const ls_field *const f = &b->fields.list[i];
        for (uint32_t k = 0; f->kind == LS_MEMORY && k < f->count; k++) {
            uint32_t words[32] = {0};
            (void)printf("    dut.%s[%u] = %u'h", f->name, k, f->bits);
            for (uint32_t w = (f->bits + 31) / 32; w-- > 0;) {
                words[w] = (uint32_t)ls_rng_u64(&rng);
                if (w == f->bits / 32) words[w] &= (UINT32_C(1) << f->bits % 32) - 1;
            }
            for (uint32_t d = (f->bits + 3) / 4; d-- > 0;) (void)printf("%x", words[d / 8] >> d % 8 * 4 & 0xfu);
            (void)printf(";\n");
            ls_model_store(f, b->model, k, words);
        }
    }
}

static void print_ports(const bench *b, bool clocked) {
    for (size_t i = 0; i < b->fields.count; i++) {
        const ls_field *const f = &b->fields.list[i];
        const size_t bits = (size_t)f->bits * f->count;
        if (f->kind == LS_OUT) (void)printf("  wire [%zu:0] %s_o;\n", bits - 1, f->name);
    }
    (void)printf("  %s #(", b->unit->name);
    for (size_t i = 0; i < b->unit->param_count; i++)
        (void)printf("%s.%s(%u)", i > 0 ? ", " : "", b->unit->params[i].name, ls_config_get(&b->unit->params[i], b->cfg));
    (void)printf(") dut (%s", clocked ? ".clk_i(clk), .rst_ni(now[0])" : "");
    bool comma = clocked;
    for (size_t i = 0; i < b->fields.count; i++) {
        const ls_field *const f = &b->fields.list[i];
        if (f->kind == LS_IN)
            (void)printf("%s\n    .%s_i(now[%zu +: %zu])", comma ? "," : "", f->name, b->at[i], (size_t)f->bits * f->count);
        if (f->kind == LS_OUT) (void)printf("%s\n    .%s_o(%s_o)", comma ? "," : "", f->name, f->name);
        comma |= f->kind == LS_IN || f->kind == LS_OUT;
    }
    (void)printf(");\n\n");
}

static void compare(const char *shown, const char *name, size_t at, size_t bits) {
    (void)printf("    if (!differs && %s !== now[%zu +: %zu]) begin\n      differs = 1;\n"
                 "      $display(\"cycle %%0d: %s is %%h, in the model %%h\", cycle, %s, now[%zu +: %zu]);\n    end\n",
                 name, at, bits, shown, name, at, bits);
}

static void print_compares(const bench *b, ls_kind first, ls_kind last) {
    for (size_t i = 0; i < b->fields.count; i++) {
        const ls_field *const f = &b->fields.list[i];
        if (f->kind < first || f->kind > last) continue;
        for (uint32_t k = 0; b->array[i] && k < f->count; k++) {
            char *const name = ls_format("dut.%s[%u]", f->name, k);
            compare(name + 4, name, b->at[i] + (size_t)k * f->bits, f->bits);
            free(name);
        }
        if (b->array[i]) continue;
        char *const name = f->kind == LS_OUT ? ls_format("%s_o", f->name) : ls_format("dut.%s", f->name);
        compare(name + (f->kind == LS_OUT ? 0 : 4), name, b->at[i], (size_t)f->bits * f->count);
        free(name);
    }
}

static void print_run(bench *b, uint32_t cycles) {
    (void)printf("  initial begin\n");
    fill_memories(b);
    for (uint32_t c = 0; c < cycles; c++) {
        const ls_source_next next = ls_source_step(&b->source, b->model, b->in);
        b->vector[0] = next != LS_NEXT_RESET;
        if (next == LS_NEXT_RESET) b->unit->reset(b->model);
        b->unit->comb(b->model, b->in, b->out);
        set_bits(b, LS_IN, LS_IN, b->in);
        set_bits(b, LS_OUT, LS_OUT, b->out);
        if (next != LS_NEXT_RESET) {
            ls_source_observe(&b->source, b->in, b->out);
            b->unit->clock(b->model, b->in);
        }
        set_bits(b, LS_STATE, LS_MEMORY, b->model);
        print_vector(b, c);
    }
}

int main(int argc, char **argv) {
    char error[1024];
    const ls_unit *const unit = argc > 4 ? ls_unit_find(argv[1]) : NULL;
    const uint32_t cycles = argc > 4 ? (uint32_t)strtoul(argv[2], NULL, 10) : 0;
    if (unit == NULL || cycles == 0) ls_die("testbench UNIT CYCLES \"NAME=VALUE ...\" FILE...");
    bench b = {.unit = unit, .cfg = ls_config_new(unit)};
    if (ls_config_set_all(unit, b.cfg, argv[3], error, sizeof error) != 0) ls_die("%s: %s", unit->name, error);
    b.model = ls_zeroed(unit->model_size);
    b.in = ls_zeroed(unit->in_size);
    b.out = ls_zeroed(unit->out_size);
    if (unit->check(b.cfg) != NULL || unit->init(b.model, b.cfg) != 0) ls_die("%s: %s", unit->name, argv[3]);
    if (ls_source_open(&b.source, unit, b.model, 1, NULL, error, sizeof error) != 0) ls_die("%s: %s", unit->name, error);
    unit->fields(&b.fields, b.model);
    lay_out(&b, argv + 4);
    bool clocked = false;
    for (size_t i = 0; i < b.fields.count; i++) clocked |= b.fields.list[i].kind >= LS_STATE;

    (void)printf("module testbench;\n  logic clk = 0;\n  logic [%zu:0] now, v [0:%u];\n  int cycle;\n  bit differs = 0;\n",
                 b.bits - 1, cycles - 1);
    print_ports(&b, clocked);
    print_run(&b, cycles);
    (void)printf(
        "    #1;\n    for (cycle = 0; cycle < %u && !differs; cycle++) begin\n      now = v[cycle];\n      clk = 0;\n      #1;\n"
        "      outputs();\n      clk = 1;\n      #1;\n      registers();\n    end\n"
        "    if (!differs) $display(\"%%0d cycles are equal\", cycle);\n  end\n\n  task outputs;\n",
        cycles);
    print_compares(&b, LS_OUT, LS_OUT);
    (void)printf("  endtask\n\n  task registers;\n");
    print_compares(&b, LS_STATE, LS_MEMORY);
    (void)printf("  endtask\nendmodule\n");
    return fflush(stdout) != 0;
}
