/* SPDX-License-Identifier: Apache-2.0 */
/* `--to vectors`: stimulus and expected values of a run as text, and a testbench in SystemVerilog that reads them. */
#include "harness/export/vectors.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/core/map.h"
#include "harness/core/plan.h"
#include "harness/core/source.h"

#define LARGEST (UINT64_C(512) << 20) /* bytes of all files */
#define TOLD 20u                      /* differences that the testbench prints */

typedef struct vectors {
    const ls_export *e;
    ls_layout layout;
    void *in, *out;
    ls_source source;
    uint8_t **words[3]; /* of each kind: of a cycle */
    bool **begins[3];   /* ... and for each of its digits whether a field begins there */
    ls_text files[3];   /* lines of all cycles */
    ls_text writes;     /* of memories: "cycle memory row value" */
    uint8_t *before;    /* the model before an edge */
    uint64_t cycles;
    char *params;
} vectors;

static const char *const file_names[3] = {"inputs", "outputs", "registers"};

/* ---- the run ---- */

static void put_bits(uint8_t *to, size_t at, const uint32_t *words, uint32_t bits) {
    for (uint32_t bit = 0; bit < bits; bit++)
        if ((words[bit / 32] >> bit % 32 & 1) != 0) to[(at + bit) / 8] |= (uint8_t)(1u << (at + bit) % 8);
}

/* The fields of a kind from where the model has them into the words. */
static void put_fields(vectors *v, ls_kind kind, const void *from) {
    for (size_t i = 0; i < v->layout.count; i++) {
        const ls_spot *p = &v->layout.list[i];
        for (uint32_t k = 0; p->field->kind == kind && k < p->field->count; k++) {
            uint32_t words[32];
            ls_model_element(p->field, from, k, words);
            put_bits(v->words[kind][p->word], p->at + (size_t)k * p->field->bits, words, p->field->bits);
        }
    }
}

/* A line of the words, hexadecimal, "_" between fields; they are all 0 again. */
static void add_line(vectors *v, ls_kind kind) {
    ls_text *to = &v->files[kind];
    for (uint32_t w = 0; w < v->layout.words[kind]; w++) {
        uint8_t *word = v->words[kind][w];
        for (size_t d = v->layout.bits[kind] / 4; d-- > 0;) {
            const char digit = "0123456789abcdef"[word[d / 2] >> d % 2 * 4 & 0xf];
            ls_text_put(to, &digit, 1);
            if (d > 0 && v->begins[kind][w][d]) ls_text_put(to, "_", 1);
        }
        ls_text_put(to, w + 1 < v->layout.words[kind] ? " " : "\n", 1);
        memset(word, 0, v->layout.bits[kind] / 8 + 1);
    }
}

static void add_hex(ls_text *to, const uint32_t *words, uint32_t bits) {
    for (uint32_t d = (bits + 3) / 4; d-- > 0;) ls_text_add(to, "%x", words[d / 8] >> d % 8 * 4 & 0xfu);
}

/* Memories start with random rows, in the model and in the RTL: a file of each. */
static char *write_memories(vectors *v) {
    char *error = NULL;
    ls_rng rng;
    ls_rng_seed(&rng, ls_seed_derive(v->e->seed, "memories"));
    for (size_t i = 0; i < v->layout.count && error == NULL; i++) {
        const ls_spot *p = &v->layout.list[i];
        if (p->field->kind != LS_MEMORY) continue;
        ls_text text = {0};
        ls_text_add(&text, "// %s %s: first contents of %s, a line a row\n", v->e->unit->name, v->params, p->field->name);
        for (uint32_t k = 0; k < p->field->count; k++) {
            uint32_t words[32] = {0};
            for (uint32_t w = 0; w * 32 < p->field->bits; w++)
                words[w] =
                    (uint32_t)ls_rng_u64(&rng) & (uint32_t)ls_mask(p->field->bits - w * 32 < 32 ? p->field->bits - w * 32 : 32);
            ls_model_store(p->field, v->layout.model, k, words);
            add_hex(&text, words, p->field->bits);
            ls_text_add(&text, "\n");
        }
        char *name = ls_format("%s_memory%u.hex", v->e->unit->name, p->word);
        error = ls_export_file(v->e, name, &text);
        free(name);
    }
    return error;
}

/* The rows that differ from those before the edge. */
static void add_writes(vectors *v) {
    for (size_t i = 0; i < v->layout.count; i++) {
        const ls_spot *p = &v->layout.list[i];
        const ls_field *f = p->field;
        for (uint32_t k = 0; f->kind == LS_MEMORY && p->compared && k < f->count; k++) {
            uint32_t now[32], then[32];
            ls_model_element(f, v->layout.model, k, now);
            ls_model_element(f, v->before, k, then);
            if (memcmp(now, then, sizeof now) == 0) continue;
            ls_text_add(&v->writes, "%" PRIu64 " %u %u ", v->cycles, p->word, k);
            add_hex(&v->writes, now, f->bits);
            ls_text_add(&v->writes, "\n");
        }
    }
}

/* The next cycle into the files, or false at the end. */
static bool walk(vectors *v) {
    const ls_unit *u = v->e->unit;
    void *m = v->layout.model;
    const ls_source_next next = ls_source_step(&v->source, m, v->in);
    if (next == LS_NEXT_END) return false;
    const bool reset = next == LS_NEXT_RESET;
    if (reset) u->reset(m);
    u->comb(m, v->in, v->out);
    put_bits(v->words[LS_IN][0], 0, &(uint32_t){reset ? 2 : 3}, 2);
    put_fields(v, LS_IN, v->in);
    put_fields(v, LS_OUT, v->out);
    if (v->layout.memories > 0) memcpy(v->before, m, u->model_size);
    if (!reset) {
        ls_source_observe(&v->source, v->in, v->out);
        u->clock(m, v->in);
    }
    put_fields(v, LS_STATE, m);
    if (v->layout.memories > 0) add_writes(v);
    for (ls_kind k = LS_IN; k <= LS_STATE; k++)
        if (v->layout.words[k] > 0) add_line(v, k);
    v->cycles++;
    return true;
}

/* Says which digits are whose. */
static void begin_files(vectors *v) {
    for (ls_kind kind = LS_IN; kind <= LS_STATE; kind++) {
        ls_text *to = &v->files[kind];
        if (v->layout.words[kind] == 0) continue;
        ls_text_add(to, "// %s %s, seed %016" PRIx64 ": %s, a line a cycle%s, fields from right to left:%s\n//", v->e->unit->name,
                    v->params, v->e->seed, file_names[kind], kind == LS_STATE ? ", after its edge" : "",
                    kind == LS_IN ? " the reset in bit 0, 0 while it is on, and 1 in bit 1," : "");
        v->words[kind] = ls_zeroed(v->layout.words[kind] * sizeof *v->words[kind]);
        v->begins[kind] = ls_zeroed(v->layout.words[kind] * sizeof *v->begins[kind]);
        for (uint32_t w = 0; w < v->layout.words[kind]; w++) {
            v->words[kind][w] = ls_zeroed(v->layout.bits[kind] / 8 + 1);
            v->begins[kind][w] = ls_zeroed(v->layout.bits[kind] / 4 + 1);
        }
        for (size_t i = 0; i < v->layout.count; i++) {
            const ls_spot *p = &v->layout.list[i];
            if (p->field->kind != kind) continue;
            v->begins[kind][p->word][p->at / 4] = true;
            char *name = ls_export_name(p->field, NULL);
            if (p->field->count > 1)
                ls_text_add(to, " %s (%u x %u bit%s)", name, p->field->count, p->field->bits, ls_plural(p->field->bits));
            else ls_text_add(to, " %s (%u)", name, p->field->bits);
            free(name);
        }
        ls_text_add(to, "\n");
    }
}

static size_t size_now(const vectors *v) { return v->files[0].size + v->files[1].size + v->files[2].size + v->writes.size; }

static char *run(vectors *v) {
    const ls_export *e = v->e;
    char error[1024];
    if (ls_source_open(&v->source, e->unit, v->layout.model, e->seed, e->workload, error, sizeof error) != 0)
        return ls_copy(error);
    ls_source_surround(&v->source, e->surroundings, e->cfg);
    begin_files(v);
    char *wrong = write_memories(v);
    while (wrong == NULL && (e->cycles == 0 || v->cycles < e->cycles) && walk(v))
        if (size_now(v) > LARGEST)
            wrong = ls_format("the files have over %" PRIu64 " MB after %" PRIu64 " cycles: fewer --cycles", LARGEST >> 20,
                              v->cycles);
    const char *unread = wrong == NULL && e->workload != NULL ? e->unit->workload_error(v->source.stim) : NULL;
    if (unread != NULL) wrong = ls_copy(unread);
    if (wrong == NULL && v->cycles <= LS_RESET_CYCLES)
        wrong = ls_format("only the %u cycles of the reset would be compared: %s", LS_RESET_CYCLES,
                          e->workload != NULL ? "more --cycles, or a workload with instructions" : "more --cycles");
    ls_source_close(&v->source);
    return wrong;
}

/* ---- the testbench ---- */

/* A line of the difference between two expressions of element `index`, an expression (NULL: there is one element). */
static void add_line_of(const vectors *v, const ls_field *f, const ls_member *m, const char *index, const char *rtl,
                        const char *model, const char *differ, ls_text *t) {
    char *name = ls_export_name(f, m);
    ls_text_add(
        t,
        "begin\n$display(\"mismatch  %s: cycle %%0d, time %%0t: %s %s%s: RTL %%0h, model %%0h, XOR %%0h\", cycle, $time,\n"
        "%s%s%s, %s, %s);\ntold = told + 1;\nend\n",
        v->e->unit->name, ls_export_kind(f->kind), name, index != NULL ? "[%0d]" : "", index != NULL ? index : "",
        index != NULL ? ", " : "", rtl, model, differ);
    free(name);
}

static void add_check(const vectors *v, const ls_spot *p, ls_text *t) {
    const ls_field *f = p->field;
    const bool array = p->array || f->kind == LS_MEMORY;
    char *name = ls_export_name(f, NULL);
    char *rtl = p->apart && f->kind != LS_OUT ? ls_format("field%zu%s", (size_t)(p - v->layout.list), array ? "[k]" : "")
                                              : ls_format("%s%s%s", f->kind == LS_OUT ? "" : "dut.", name, array ? "[k]" : "");
    char *model = f->kind == LS_MEMORY ? ls_format("memory%u[k]", p->word)
                  : array              ? ls_format("register%u[%zu + k*%u +: %u]", p->word, p->at, f->bits, f->bits)
                                       : ls_format("%s%u[%zu +: %zu]", f->kind == LS_OUT ? "output" : "register", p->word, p->at,
                                                   (size_t)f->bits * f->count);
    char *both = ls_format("%s ^ %s", rtl, model);
    if (array) ls_text_add(t, "for (k = 0; k < %u; k = k + 1) begin\n", f->count);
    ls_text_add(t, "if (%s !== %s && told < %u) ", rtl, model, TOLD);
    if (f->member_count == 0 && (array || f->count == 1)) {
        add_line_of(v, f, NULL, f->count > 1 ? "k" : NULL, rtl, model, both, t);
    } else {
        ls_text_add(t, "begin\nrtl = %s;\nmodel = %s;\n", rtl, model);
        if (!array && f->count > 1) ls_text_add(t, "for (k = 0; k < %u; k = k + 1) begin\n", f->count);
        for (uint32_t i = 0; i < (f->member_count > 0 ? f->member_count : 1); i++) {
            const ls_member whole = {.bits = f->bits, .count = 1};
            const ls_member *m = f->member_count > 0 ? &f->members[i] : &whole;
            ls_text low = {0}, index = {0};
            if (!array && f->count > 1) ls_text_add(&low, "k*%u", f->bits);
            if (m->count > 1) ls_text_add(&low, "%sj*%u", low.size > 0 ? " + " : "", m->bits);
            if (m->low > 0 || low.size == 0) ls_text_add(&low, "%s%u", low.size > 0 ? " + " : "", m->low);
            if (f->count > 1) ls_text_add(&index, m->count > 1 ? "k*%u" : "k", m->count);
            if (m->count > 1) ls_text_add(&index, "%sj", f->count > 1 ? " + " : "");
            if (m->count > 1) ls_text_add(t, "for (j = 0; j < %u; j = j + 1) begin\n", m->count);
            char *of_rtl = ls_format("cut(rtl, %s, %u)", low.data, m->bits),
                 *of_model = ls_format("cut(model, %s, %u)", low.data, m->bits);
            char *differ = ls_format("cut(rtl ^ model, %s, %u)", low.data, m->bits);
            ls_text_add(t, "if (%s !== 0 && told < %u) ", differ, TOLD);
            add_line_of(v, f, f->member_count > 0 ? m : NULL, index.data, of_rtl, of_model, differ, t);
            if (m->count > 1) ls_text_add(t, "end\n");
            free(of_rtl);
            free(of_model);
            free(differ);
            free(ls_text_take(&low));
            free(ls_text_take(&index));
        }
        ls_text_add(t, "%send\n", !array && f->count > 1 ? "end\n" : "");
    }
    if (array) ls_text_add(t, "end\n");
    free(both);
    free(rtl);
    free(model);
    free(name);
}

static void add_checks(const vectors *v, ls_kind first, ls_kind last, ls_text *t) {
    for (size_t i = 0; i < v->layout.count; i++) {
        const ls_spot *p = &v->layout.list[i];
        if (p->compared && p->field->kind >= first && p->field->kind <= last) add_check(v, p, t);
    }
}

/* Widest of the fields that are compared, and of rows of memories. */
static size_t widest(const vectors *v, bool rows) {
    size_t most = 1;
    for (size_t i = 0; i < v->layout.count; i++) {
        const ls_spot *p = &v->layout.list[i];
        const size_t bits = p->array ? p->field->bits : (size_t)p->field->bits * p->field->count;
        if ((!rows || p->field->kind == LS_MEMORY) && bits > most) most = bits;
    }
    return most;
}

static const char *const word_names[3] = {"input", "output", "register"};

/* Whether a map takes a port of the RTL apart. */
static bool is_apart(const vectors *v, const char *port) {
    for (size_t i = 0; i < v->layout.count; i++) {
        const ls_field *f = v->layout.list[i].field;
        for (size_t k = 0; f->kind <= LS_OUT && k < f->piece_count; k++)
            if (f->pieces[k].signal != NULL && strcmp(f->pieces[k].signal, port) == 0) return true;
    }
    return false;
}

/* Of a field that is apart its elements, the first lowest. */
static void add_elements(const vectors *v, const ls_field *f, const char *scope, ls_text *t) {
    for (uint32_t k = f->count; k-- > 0;) {
        char *one = ls_export_element(v->e, f, k, scope, NULL);
        ls_text_add(t, "%s%s", one, k > 0 ? ",\n" : "");
        free(one);
    }
}

/* What stands between the DUT and the fields: ports that a map takes apart, and fields that are no signal of it. */
static void add_ports(const vectors *v, ls_text *t) {
    const ls_export *e = v->e;
    for (size_t i = 0; i < e->elab->port_count; i++) {
        const ls_elab_signal *s = &e->elab->ports[i];
        if (is_apart(v, s->name))
            ls_text_add(t, "wire [%u:0] %s_%s;\n", s->bits - 1, s->kind == LS_ELAB_IN ? "in" : "out", s->name);
    }
    for (size_t i = 0; i < v->layout.count; i++) {
        const ls_spot *p = &v->layout.list[i];
        const ls_field *f = p->field;
        char *name = ls_export_name(f, NULL);
        if (f->kind == LS_OUT) {
            ls_text_add(t, "wire [%zu:0] %s;\n", (size_t)f->bits * f->count - 1, name);
            if (p->apart) {
                ls_text_add(t, "assign %s = {\n", name);
                add_elements(v, f, "out_", t);
                ls_text_add(t, "\n};\n");
            }
        } else if (f->kind == LS_IN) {
            for (const ls_piece *q = f->pieces; q < f->pieces + f->piece_count; q++)
                ls_text_add(t, "assign in_%s[%u +: %u] = %sinput%u[%zu +: %u];\n", q->signal, q->low, q->bits,
                            q->invert ? "~" : "", p->word, p->at + q->at, q->bits);
        } else if (p->apart && f->kind == LS_STATE) {
            ls_text_add(t, "wire [%zu:0] field%zu = {\n", (size_t)f->bits * f->count - 1, i);
            add_elements(v, f, "dut.", t);
            ls_text_add(t, "\n}; // %s\n", name);
        } else if (p->apart) {
            ls_text_add(t, "wire [%u:0] field%zu [0:%u]; // %s\n", f->bits - 1, i, f->count - 1, name);
            for (uint32_t k = 0; k < f->count; k++) {
                char *one = ls_export_element(e, f, k, "dut.", NULL);
                ls_text_add(t, "assign field%zu[%u] = %s;\n", i, k, one);
                free(one);
            }
        }
        free(name);
    }
}

static void add_declarations(const vectors *v, ls_text *t) {
    const ls_layout *l = &v->layout;
    ls_text_add(t, "localparam CYCLES = %" PRIu64 ";\n", v->cycles);
    for (ls_kind kind = LS_IN; kind <= LS_STATE; kind++) {
        if (l->words[kind] == 0) continue;
        ls_text_add(t, "reg [%zu:0] %s [0:CYCLES*%u-1];\n", l->bits[kind] - 1, file_names[kind], l->words[kind]);
        for (uint32_t w = 0; w < l->words[kind]; w++)
            ls_text_add(t, "reg [%zu:0] %s%u;\n", l->bits[kind] - 1, word_names[kind], w);
    }
    for (size_t i = 0; i < l->count; i++) {
        const ls_field *f = l->list[i].field;
        if (f->kind == LS_MEMORY)
            ls_text_add(t, "reg [%u:0] memory%u [0:%u]; // %s\n", f->bits - 1, l->list[i].word, f->count - 1, f->name);
    }
    add_ports(v, t);
    ls_text_add(t, "reg clk, was_reset;\nstring folder;\ninteger cycle, told, k, j;\nreg [%zu:0] rtl, model;\n",
                widest(v, false) - 1);
    if (l->memories > 0) ls_text_add(t, "integer writes, more, at, memory, row;\nreg [%zu:0] value;\n", widest(v, true) - 1);
}

/* What a port of the DUT is connected to; nothing: an output that is not compared. To be freed. */
static char *connection(const vectors *v, const ls_elab_signal *s) {
    const ls_names *names = &v->e->unit->names;
    const char *tied;
    uint64_t value;
    if (strcmp(s->name, v->layout.clock) == 0) return ls_copy(names->falling ? "!clk" : "clk");
    if (strcmp(s->name, v->layout.reset) == 0) return ls_copy(names->reset_high ? "!input0[0]" : "input0[0]");
    if (is_apart(v, s->name)) return ls_format("%s_%s", s->kind == LS_ELAB_IN ? "in" : "out", s->name);
    for (size_t i = 0; (tied = ls_map_tied(v->e->unit->map, i, &value)) != NULL; i++)
        if (strcmp(tied, s->name) == 0) return ls_format("%u'h%" PRIx64, s->bits, value);
    for (size_t i = 0; i < v->layout.count; i++) {
        const ls_spot *p = &v->layout.list[i];
        const ls_field *f = p->field;
        char *name = f->kind <= LS_OUT ? ls_export_name(f, NULL) : NULL;
        const bool same = name != NULL && !p->apart && strcmp(name, s->name) == 0;
        free(name);
        if (same && f->kind == LS_OUT) return ls_copy(s->name);
        if (same) return ls_format("input%u[%zu +: %zu]", p->word, p->at, (size_t)f->bits * f->count);
    }
    return ls_copy("");
}

static void add_dut(const vectors *v, ls_text *t) {
    const ls_layout *l = &v->layout;
    ls_text_add(t, "\n%s", ls_unit_top(v->e->unit));
    if (l->params.count > 0) ls_text_add(t, " #(");
    for (size_t i = 0; i < l->params.count; i++)
        ls_text_add(t, "%s.%s(%s)", i > 0 ? ", " : "", l->params.list[i], l->values.list[i]);
    ls_text_add(t, "%s dut (", l->params.count > 0 ? ")" : "");
    for (size_t i = 0; i < v->e->elab->port_count; i++) {
        const ls_elab_signal *s = &v->e->elab->ports[i];
        char *to = connection(v, s);
        ls_text_add(t, "%s\n.%s(%s)", i > 0 ? "," : "", s->name, to);
        free(to);
    }
    ls_text_add(t, ");\n\n");
}

/* Row k of a memory, which `row` stands for, into the elements that hold it. */
static void add_row(const vectors *v, const ls_spot *p, uint32_t k, const char *row, ls_text *t) {
    const ls_field *f = p->field;
    for (const ls_piece *q = f->pieces; q < f->pieces + f->piece_count; q++) {
        if (q->signal == NULL || q->at / f->bits != k) continue;
        char *signal = ls_export_signal(v->e, q->signal, q->element, q->element == k ? row : NULL);
        ls_text_add(t, "dut.%s = %smemory%u[%s][%u +: %u];\n", signal, q->invert ? "~" : "", p->word, row, q->at % f->bits,
                    q->bits);
        free(signal);
    }
}

static void add_rows(const vectors *v, const ls_spot *p, ls_text *t) {
    const ls_field *f = p->field;
    ls_text first = {0};
    add_row(v, p, 0, "k", &first);
    bool same = true;
    for (uint32_t k = 1; same && k < f->count; k++) {
        ls_text one = {0};
        add_row(v, p, k, "k", &one);
        same = one.size == first.size && memcmp(one.data, first.data, one.size) == 0;
        free(ls_text_take(&one));
    }
    if (same) ls_text_add(t, "for (k = 0; k < %u; k = k + 1) begin\n%send\n", f->count, first.data);
    for (uint32_t k = 0; !same && k < f->count; k++) {
        char number[16];
        (void)snprintf(number, sizeof number, "%u", k);
        add_row(v, p, k, number, t);
    }
    free(ls_text_take(&first));
}

/* NULL, or why a memory cannot be given its first contents: some of it lies in a part of an element. */
static char *refused_memory(const vectors *v) {
    for (size_t i = 0; i < v->layout.count; i++) {
        const ls_field *f = v->layout.list[i].field;
        for (const ls_piece *q = f->pieces; f->kind == LS_MEMORY && q < f->pieces + f->piece_count; q++)
            if (q->signal == NULL || q->bits != q->signal_bits || q->at / f->bits != (q->at + q->bits - 1) / f->bits)
                return ls_format("%s = %s: the first contents of a memory go into whole elements of the RTL: sv-bind", f->name,
                                 q->text);
    }
    return NULL;
}

static void add_memories(const vectors *v, ls_text *t) {
    const char *const name = v->e->unit->name;
    for (size_t i = 0; i < v->layout.count; i++) {
        const ls_spot *p = &v->layout.list[i];
        if (p->field->kind != LS_MEMORY) continue;
        ls_text_add(t, "$readmemh({folder, \"/%s_memory%u.hex\"}, memory%u);\n", name, p->word, p->word);
        char *rtl = ls_export_name(p->field, NULL);
        if (p->field->pieces != NULL) add_rows(v, p, t);
        for (uint32_t k = 0; p->field->pieces == NULL && p->apart && k < p->field->count; k++) {
            char *one = ls_export_signal(v->e, rtl, k, NULL);
            ls_text_add(t, "dut.%s = memory%u[%u];\n", one, p->word, k);
            free(one);
        }
        if (!p->apart) ls_text_add(t, "for (k = 0; k < %u; k = k + 1) dut.%s[k] = memory%u[k];\n", p->field->count, rtl, p->word);
        free(rtl);
    }
    if (v->layout.memories == 0 || v->e->ports_only) return;
    ls_text_add(t, "writes = $fopen({folder, \"/%s_writes.txt\"}, \"r\");\nnext_write;\n", name);
}

static void add_tasks(const vectors *v, ls_text *t) {
    ls_text_add(t, "\ntask check_outputs;\nbegin\n");
    add_checks(v, LS_OUT, LS_OUT, t);
    ls_text_add(t, "end\nendtask\n\n`ifndef LOCKSTEP_PORTS_ONLY\ntask check_registers;\nbegin\n");
    add_checks(v, LS_STATE, LS_MEMORY, t);
    ls_text_add(t, "end\nendtask\n`endif\n");
    const size_t bits = widest(v, false);
    ls_text_add(t,
                "\nfunction [%zu:0] cut(input [%zu:0] all, input integer low, input integer bits);\n"
                "cut = (all >> low) & ~({%zu{1'b1}} << bits);\nendfunction\n",
                bits - 1, bits - 1, bits);
    if (v->layout.memories == 0 || v->e->ports_only) return;
    ls_text_add(t, "\n// Rows that the model writes at the edge of this cycle.\ntask write_rows;\nwhile (more == 4 && at "
                   "== cycle) begin\n"
                   "case (memory)\n");
    for (uint32_t i = 0; i < v->layout.memories; i++)
        ls_text_add(t, "%u: memory%u[row] = value[$bits(memory%u[0])-1:0];\n", i, i, i);
    ls_text_add(t,
                "default: $fatal(1, \"%s_writes.txt: memory %%0d\", memory);\nendcase\nnext_write;\nend\n"
                "endtask\n\ntask next_write;\nmore = $fscanf(writes, \"%%d %%d %%d %%h\\n\", at, memory, row, value);\n  "
                "endtask\n",
                v->e->unit->name);
}

#define CHECKED "`ifndef LOCKSTEP_STIMULUS_ONLY\n"

/* What stands behind the lines of a kind: those of outputs and registers are for comparisons alone. */
static const char *behind(ls_kind kind) { return kind == LS_IN ? CHECKED : kind == LS_STATE ? "`endif\n" : ""; }

static char *write_testbench(vectors *v) {
    const ls_layout *l = &v->layout;
    const char *const name = v->e->unit->name;
    ls_text t = {0};
    ls_text_add(
        &t,
        "// %s %s beside what its model did in a run of %" PRIu64 " cycles: outputs, and after every edge registers and\n"
        "// memories. Made by: %s\n"
        "// The numbers are in the folder that +vectors=FOLDER names, else in the current one. The macro LOCKSTEP_PORTS_ONLY\n"
        "// leaves registers and memories out, LOCKSTEP_STIMULUS_ONLY all comparisons.\n"
        "/* verilator lint_off WIDTH */\n"
        "module %s_tb;\n",
        name, v->params, v->cycles, v->e->command, name);
    add_declarations(v, &t);
    add_dut(v, &t);
    ls_text_add(&t, "initial begin\nif (!$value$plusargs(\"vectors=%%s\", folder)) folder = \".\";\n");
    for (ls_kind kind = LS_IN; kind <= LS_STATE; kind++) {
        if (l->words[kind] > 0)
            ls_text_add(&t, "$readmemh({folder, \"/%s_%s.hex\"}, %s);\n", name, file_names[kind], file_names[kind]);
        ls_text_add(&t, "%s", behind(kind));
    }
    add_memories(v, &t);
    ls_text_add(&t, "clk = 0;\ntold = 0;\nwas_reset = 0;\ninput0 = 1; // so that the reset begins with an edge\n#5;\n"
                    "for (cycle = 0; cycle < CYCLES && told == 0; cycle = cycle + 1) begin\nclk = 0;\n");
    for (ls_kind kind = LS_IN; kind <= LS_STATE; kind++) {
        for (uint32_t w = 0; w < l->words[kind]; w++)
            ls_text_add(&t, "%s%u = %s[cycle*%u + %u];\n", word_names[kind], w, file_names[kind], l->words[kind], w);
        ls_text_add(&t, "%s", behind(kind));
    }
    ls_text_add(&t,
                "if (input0[1] !== 1) $fatal(1, \"%s_inputs.hex: fewer lines than cycles\");\n"
                "#5;\n" CHECKED "// In the first cycle of a reset outputs may be those of an asynchronous reset or not yet.\n"
                "if (input0[0] || was_reset) check_outputs;\n`endif\nwas_reset = !input0[0];\nclk = 1;\n#5;\n" CHECKED,
                name);
    if (l->memories > 0 && !v->e->ports_only) ls_text_add(&t, "write_rows;\n");
    ls_text_add(&t,
                "`ifndef LOCKSTEP_PORTS_ONLY\nif (told == 0) check_registers;\n`endif\n`endif\nend\n"
                "if (told > 0) $fatal(1, \"%s: RTL and model differ in cycle %%0d\", cycle - 1);\n" CHECKED
                "$display(\"%s: %%0d cycles are equal\", cycle);\n`else\n"
                "$display(\"%s: %%0d cycles, nothing compared\", cycle);\n`endif\n$finish(0);\nend\n",
                name, name, name);
    add_tasks(v, &t);
    ls_text_add(&t, "endmodule\n");
    ls_export_indent(&t);
    char *file = ls_format("%s_tb.sv", name);
    char *error = ls_export_file(v->e, file, &t);
    free(file);
    return error;
}

static char *write_files(vectors *v) {
    char *error = NULL;
    for (ls_kind kind = LS_IN; kind <= LS_STATE && error == NULL; kind++) {
        char *name = ls_format("%s_%s.hex", v->e->unit->name, file_names[kind]);
        if (v->layout.words[kind] > 0) error = ls_export_file(v->e, name, &v->files[kind]);
        free(name);
    }
    char *name = ls_format("%s_writes.txt", v->e->unit->name);
    if (error == NULL && v->layout.memories > 0 && !v->e->ports_only) {
        ls_text_add(&v->writes, "%s", "");
        error = ls_export_file(v->e, name, &v->writes);
    }
    free(name);
    return error;
}

static char *write_readme(const vectors *v) {
    const char *const name = v->e->unit->name;
    ls_text t = {0};
    ls_text_add(
        &t,
        "# %s %s: a run as text\n\n"
        "Stimulus and expected values of %" PRIu64 " cycles, and a testbench that compares the RTL with them: every output in\n"
        "every cycle, every register and row of a memory after every edge. It stops in the first cycle that differs and ends\n"
        "with an error, or says how many cycles are equal.\n\n"
        "`RTL` are the files of the design in compile order, packages first. In this folder:\n\n"
        "    iverilog -g2012 -s %s_tb -o %s.vvp RTL %s_tb.sv && vvp -n %s.vvp\n"
        "    verilator --binary --timing --top-module %s_tb RTL %s_tb.sv && obj_dir/V%s_tb\n\n"
        "| file | has |\n|---|---|\n| `%s_tb.sv` | the testbench, without DPI |\n"
        "| `%s_inputs.hex`, `_outputs.hex`, `_registers.hex` | a line a cycle; the first lines say which digits are whose |\n",
        name, v->params, v->cycles, name, name, name, name, name, name, name, name, name);
    if (v->layout.memories > 0)
        ls_text_add(&t,
                    "| `%s_memoryN.hex` | first contents of memory N, which the testbench puts into the RTL |\n"
                    "| `%s_writes.txt` | rows that the model writes: cycle, memory, row, value |\n",
                    name, name);
    ls_text_add(
        &t,
        "\n`+vectors=FOLDER` names the folder of these files when it is another. The macro `LOCKSTEP_PORTS_ONLY` leaves\n"
        "registers and memories out, `LOCKSTEP_STIMULUS_ONLY` all comparisons: the stimulus for a check of your own. X in\n"
        "the RTL is a difference. Icarus 11 aborts (`elab_type.cc`) on a port whose type is a struct of a package.\n\n"
        "Made by `%s`.\n",
        v->e->command);
    return ls_export_file(v->e, "README.md", &t);
}

char *ls_export_vectors(const ls_export *e) {
    vectors v = {.e = e};
    char *error = ls_layout_make(e, &v.layout);
    if (error != NULL) return error;
    v.params = ls_export_params(e);
    v.in = ls_zeroed(e->unit->in_size);
    v.out = ls_zeroed(e->unit->out_size);
    v.before = ls_zeroed(e->unit->model_size);
    error = refused_memory(&v);
    if (error == NULL) error = run(&v);
    if (error == NULL) error = write_files(&v);
    if (error == NULL) error = write_testbench(&v);
    if (error == NULL) error = write_readme(&v);
    for (ls_kind kind = LS_IN; kind <= LS_STATE; kind++) {
        for (uint32_t w = 0; v.words[kind] != NULL && w < v.layout.words[kind]; w++) {
            free(v.words[kind][w]);
            free(v.begins[kind][w]);
        }
        free(v.words[kind]);
        free(v.begins[kind]);
        free(ls_text_take(&v.files[kind]));
    }
    free(ls_text_take(&v.writes));
    free(v.before);
    free(v.in);
    free(v.out);
    free(v.params);
    ls_layout_free(&v.layout);
    return error;
}
