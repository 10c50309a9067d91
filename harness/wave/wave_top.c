/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/wave/wave_top.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/core/map.h"
#include "harness/core/plan.h"
#include "waves/label.h"

/* The step of a loop that Verilator does not unroll: there may be thousands of rows of 1024 bits. The block runs while it is 1.
 */
#define NEXT "i += 32'(" LS_WAVE_LOOK ")"

/* A field with what the RTL says about it. */
typedef struct item {
    const ls_field *field;
    size_t number;  /* in the field list */
    char name[256]; /* as in the RTL, with its scope */
    char *path;     /* the same as SystemVerilog wants it below `model` and `diff`, with `element` */
    size_t scope;   /* so much of `name` is its scope, the last dot included */
    bool diff, unpacked, by_row;
    bool mapped;         /* in pieces of the RTL: its value there comes through a mirror, too */
    bool sliced;         /* unpacked, and one vector in the RTL: records */
    const char *element; /* "[0]" when the RTL has an array of one element, else "" */
} item;

static const ls_elab_signal *signal_of(const ls_field *f, const ls_elab *elab) {
    char name[256];
    return ls_elab_find(elab, ls_rtl_name(f, name, sizeof name));
}

bool ls_wave_has_diff(const ls_field *f, const ls_elab *elab) {
    if (f->absent || f->pieces != NULL) return f->pieces != NULL;
    const ls_elab_signal *s = signal_of(f, elab);
    return s != NULL && (uint64_t)s->bits * s->count == (uint64_t)f->bits * f->count;
}

/* The order of scopes: numbers by value, and what lies deeper directly behind its parent. */
static int by_scope(const void *pa, const void *pb) {
    const item *const x = pa, *const y = pb;
    const char *a = x->name, *b = y->name, *const a_end = a + x->scope, *const b_end = b + y->scope;
    while (a < a_end && b < b_end) {
        if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
            char *a_next, *b_next;
            const unsigned long m = strtoul(a, &a_next, 10), n = strtoul(b, &b_next, 10);
            if (m != n) return m < n ? -1 : 1;
            a = a_next;
            b = b_next;
            continue;
        }
        if (*a != *b) return *a == '.' ? -1 : *b == '.' ? 1 : *a < *b ? -1 : 1;
        a++;
        b++;
    }
    if ((a < a_end) != (b < b_end)) return a < a_end ? 1 : -1;
    return x->number < y->number ? -1 : 1;
}

/* "gen_bank[3].u_bank.mem_q" -> "\gen_bank[3] .u_bank.mem_q", and `element` */
static char *escaped(const char *name, const char *element) {
    ls_text text = {0};
    for (const char *p = name; *p != '\0';) {
        const int n = (int)strcspn(p, ".");
        const bool plain = memchr(p, '[', (size_t)n) == NULL;
        ls_text_add(&text, "%s%.*s%s", plain ? "" : "\\", n, p, plain ? "" : " ");
        p += n;
        if (*p == '.') ls_text_put(&text, p++, 1);
    }
    ls_text_add(&text, "%s", element);
    return ls_text_take(&text);
}

static item *list_items(const ls_fields *fields, const ls_elab *elab, bool ports_only, size_t *count) {
    item *items = ls_alloc(fields->count + 1, sizeof *items);
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        if (f->kind == LS_IN) continue;
        item *it = &items[(*count)++];
        const ls_elab_signal *s = signal_of(f, elab);
        it->field = f;
        it->number = i;
        ls_wave_label(f, "model", it->name, sizeof it->name);
        const char *dot = strrchr(it->name, '.');
        it->scope = dot != NULL ? (size_t)(dot + 1 - it->name) : 0;
        it->diff = ls_wave_has_diff(f, elab) && (f->kind == LS_OUT || !ports_only);
        it->mapped = it->diff && f->pieces != NULL;
        const bool whole = it->diff && !it->mapped;
        it->element = whole && s->array && s->count == 1 ? "[0]" : "";
        it->path = escaped(it->name, it->element);
        it->unpacked = f->count > 1 && (!whole || s->count > 1 || f->member_count > 0);
        it->sliced = it->unpacked && whole && s->count == 1;
        it->by_row = ls_wave_by_row(f);
    }
    qsort(items, *count, sizeof *items, by_scope);
    return items;
}

/* A record's type, so that its members are shown by name; any other's first word. */
static char *type_of(const ls_field *f) {
    ls_text text = {0};
    if (f->member_count == 0) return ls_copy("logic");
    ls_text_add(&text, "struct packed {");
    for (uint32_t i = 0; i < f->member_count; i++) {
        const ls_member *m = &f->members[i];
        ls_text_add(&text, "logic [%u:0] %s; ", m->bits * m->count - 1, m->name + strlen(f->name) + 1);
    }
    ls_text_add(&text, "}");
    return ls_text_take(&text);
}

uint32_t ls_wave_record_bytes(const ls_field *f) { return ls_stride(f->bits); }

static void declare(ls_text *t, const char *type, uint64_t bits, const char *name, uint32_t count, bool array) {
    ls_text_add(t, "%s", type);
    if (bits > 1) ls_text_add(t, " [%llu:0]", (unsigned long long)bits - 1);
    ls_text_add(t, " %s", name);
    if (array) ls_text_add(t, " [0:%u]", count - 1);
}

static void declare_ports(ls_text *t, const ls_elab *elab, const item *items, size_t count) {
    for (size_t i = 0; i < elab->port_count; i++) {
        const ls_elab_signal *s = &elab->ports[i];
        char *own = ls_format(LS_WAVE_PORT "%s", s->name);
        declare(t, s->kind == LS_ELAB_IN ? "  input  logic" : "  output logic", s->bits, own, s->count, s->array);
        free(own);
        ls_text_add(t, ",\n");
    }
    for (size_t i = 0; i < count; i++) {
        char name[64];
        (void)snprintf(name, sizeof name, LS_WAVE_MIRROR, items[i].number);
        const uint32_t elements = items[i].field->count;
        declare(t, "  input  logic", items[i].field->member_count > 0 ? items[i].field->bits : items[i].field->size * 8u, name,
                elements, elements > 1);
        ls_text_add(t, ",\n");
        if (!items[i].mapped) continue;
        (void)snprintf(name, sizeof name, LS_WAVE_PIECES, items[i].number);
        declare(t, "  input  logic", items[i].field->bits, name, elements, elements > 1);
        ls_text_add(t, ",\n");
    }
    ls_text_add(t, "  input  logic [31:0] " LS_WAVE_CYCLE ",\n  input  logic [1:0] " LS_WAVE_JUDGE
                   ",\n  input  logic " LS_WAVE_LOOK "\n");
}

static void instantiate(ls_text *t, const ls_unit *unit, const void *cfg, const ls_elab *elab) {
    ls_args names = {0}, values = {0};
    char *error = NULL;
    if (ls_map_params(unit, cfg, &names, &values, &error) != 0) free(error); /* what ls_design_build has refused before */
    ls_text_add(t, "  %s", ls_unit_top(unit));
    for (size_t i = 0; i < names.count; i++)
        ls_text_add(t, "%s.%s(32'd%s)", i == 0 ? " #(" : ", ", names.list[i], values.list[i]);
    ls_text_add(t, "%s rtl (\n", names.count > 0 ? ")" : "");
    for (size_t i = 0; i < elab->port_count; i++)
        ls_text_add(t, "    .%s(" LS_WAVE_PORT "%s)%s\n", elab->ports[i].name, elab->ports[i].name,
                    i + 1 < elab->port_count ? "," : "");
    ls_text_add(t, "  );\n");
    ls_args_free(&names);
    ls_args_free(&values);
}

/* Closes the scopes of `now` that `next` does not share and opens its others; both are names with scopes. */
static void change_scope(ls_text *t, const char *now, const char *next) {
    size_t same = 0;
    for (size_t i = 0; now[i] == next[i] && now[i] != '\0'; i++)
        if (now[i] == '.') same = i + 1;
    for (const char *p = now + same; (p = strchr(p, '.')) != NULL; p++) ls_text_add(t, "  end\n");
    for (const char *p = next + same, *dot; (dot = strchr(p, '.')) != NULL; p = dot + 1)
        ls_text_add(t, "  if (1) begin : \\%.*s \n", (int)(dot - p), p);
}

enum scope_kind { MODEL, DIFF, THEIRS };

static bool any_mapped(const item *items, size_t count) {
    bool any = false;
    for (size_t i = 0; i < count; i++) any |= items[i].mapped;
    return any;
}

/* A scope with a variable for every item that it shows. */
static void declare_scope(ls_text *t, const item *items, size_t count, enum scope_kind kind) {
    static const char *const names[] = {"model", "diff", "theirs"};
    const bool diff = kind == DIFF;
    const char *now = "";
    ls_text_add(t, "  if (1) begin : %s\n", names[kind]);
    for (size_t i = 0; i < count; i++) {
        const item *it = &items[i];
        const uint64_t all = (uint64_t)it->field->bits * it->field->count;
        if ((diff && !it->diff) || (kind == THEIRS && !it->mapped)) continue;
        change_scope(t, now, it->name);
        now = it->name;
        const char *name = it->name + it->scope;
        const bool one = it->element[0] != '\0';
        ls_text_add(t, "    ");
        char *type = type_of(it->field);
        if (it->field->member_count > 0) declare(t, type, 1, name, it->field->count, it->unpacked || one);
        else if (diff && it->by_row) declare(t, "logic", it->field->count, name, 1, one);
        else if (it->unpacked) declare(t, "logic", it->field->bits, name, it->field->count, true);
        else declare(t, "logic", all, name, 1, one);
        ls_text_add(t, ";\n");
        free(type);
    }
    change_scope(t, now, "");
    ls_text_add(t, "  end\n");
}

/* Everything begins equal. */
static void clear_diffs(ls_text *t, const item *items, size_t count) {
    ls_text_add(t, "  initial begin\n");
    for (size_t i = 0; i < count; i++) {
        const item *it = &items[i];
        if (!it->diff) continue;
        if (it->unpacked && !it->by_row)
            ls_text_add(t, "    for (int i = 0; i < %u; i++) diff.%s[i] = '0;\n", it->field->count, it->path);
        else ls_text_add(t, "    diff.%s = '0;\n", it->path);
    }
    ls_text_add(t, "  end\n");
}

static void copy_mirror(ls_text *t, const item *it, bool theirs) {
    const ls_field *f = it->field;
    const char *scope = theirs ? "theirs" : "model";
    char mirror[64];
    if (theirs) (void)snprintf(mirror, sizeof mirror, LS_WAVE_PIECES, it->number);
    else (void)snprintf(mirror, sizeof mirror, LS_WAVE_MIRROR, it->number);
    const bool bit = theirs && f->bits == 1; /* no vector */
    if (f->count == 1) {
        ls_text_add(t, bit ? "    %s.%s = %s;\n" : "    %s.%s = %s[%u:0];\n", scope, it->path, mirror, f->bits - 1);
        return;
    }
    ls_text_add(t, "    for (int i = 0; i < %u; " NEXT ") %s.%s[", f->count, scope, it->path);
    if (it->unpacked) ls_text_add(t, "i");
    else ls_text_add(t, "i*%u +: %u", f->bits, f->bits);
    ls_text_add(t, bit ? "] = %s[i];\n" : "] = %s[i][%u:0];\n", mirror, f->bits - 1);
}

/* Compares one item and keeps in `verdict_bit` whether it differs. */
static void judge(ls_text *t, const item *it, const char *verdict_bit) {
    char pieces[64] = "";
    if (it->mapped) (void)snprintf(pieces, sizeof pieces, LS_WAVE_PIECES, it->number);
    const char *rtl = it->mapped ? pieces : it->field->kind == LS_OUT ? LS_WAVE_PORT : "rtl.";
    const char *name = it->mapped ? "" : it->field->of_port ? it->name + sizeof LS_WAVE_OF_PORTS - 1 : it->name;
    if (it->by_row && it->unpacked) {
        ls_text_add(t, "      for (int i = 0; i < %u; " NEXT ") diff.%s[i] = %s%s[i] != model.%s[i];\n", it->field->count,
                    it->path, rtl, name, it->path);
    } else if (it->by_row) {
        ls_text_add(t, "      for (int i = 0; i < %u; " NEXT ") diff.%s[i] = %s%s%s[i*%u +: %u] != model.%s[i*%u +: %u];\n",
                    it->field->count, it->path, rtl, name, it->element, it->field->bits, it->field->bits, it->path,
                    it->field->bits, it->field->bits);
    } else if (it->unpacked) {
        char *slice = it->sliced ? ls_format("i*%u +: %u", it->field->bits, it->field->bits) : ls_copy("i");
        ls_text_add(t, "      for (int i = 0; i < %u; " NEXT ") begin\n        diff.%s[i] = %s%s[%s] ^ model.%s[i];\n",
                    it->field->count, it->path, rtl, name, slice, it->path);
        free(slice);
        ls_text_add(t, "        %s = %s | (|diff.%s[i]);\n      end\n", verdict_bit, verdict_bit, it->path);
        return;
    } else {
        ls_text_add(t, "      diff.%s = %s%s%s ^ model.%s;\n", it->path, rtl, name, it->element, it->path);
    }
    ls_text_add(t, "      %s = %s | (|diff.%s);\n", verdict_bit, verdict_bit, it->path);
}

static void judge_all(ls_text *t, const item *items, size_t count, bool outputs) {
    const char *verdict_bit = outputs ? "outputs_differ" : "registers_differ";
    ls_text_add(t, "    if (" LS_WAVE_JUDGE "[%d]) begin\n      %s = 1'b0;\n", outputs ? 0 : 1, verdict_bit);
    for (size_t i = 0; i < count; i++)
        if (items[i].diff && (items[i].field->kind == LS_OUT) == outputs) judge(t, &items[i], verdict_bit);
    ls_text_add(t, "    end\n");
}

void ls_wave_top(const ls_unit *unit, const void *cfg, const ls_fields *fields, const ls_elab *elab, bool ports_only,
                 ls_text *t) {
    size_t count = 0;
    item *items = list_items(fields, elab, ports_only, &count);
    ls_text_add(t, "// %s and its model, for waves; generated\nmodule " LS_WAVE_TOP " (\n  /* verilator tracing_off */\n",
                unit->name, unit->name);
    declare_ports(t, elab, items, count);
    ls_text_add(t, ");\n  logic outputs_differ = 1'b0, registers_differ = 1'b0;\n  /* verilator tracing_on */\n"
                   "  typedef enum logic [1:0] {same = 2'd0, outputs = 2'd1, registers = 2'd2, both = 2'd3} verdict_e;\n"
                   "  verdict_e verdict = same;\n  logic [31:0] cycle;\n");
    const char *clock = ls_unit_clock(unit), *reset = ls_unit_reset(unit);
    if (clock != NULL) ls_text_add(t, "  wire clk = " LS_WAVE_PORT "%s;\n", clock);
    if (reset != NULL) ls_text_add(t, "  wire rst_n = %s" LS_WAVE_PORT "%s;\n", unit->names.reset_high ? "!" : "", reset);
    instantiate(t, unit, cfg, elab);
    declare_scope(t, items, count, MODEL);
    declare_scope(t, items, count, DIFF);
    if (any_mapped(items, count)) declare_scope(t, items, count, THEIRS);
    ls_text_add(t, "  /* verilator tracing_off */\n");
    clear_diffs(t, items, count);
    ls_text_add(t, "  always @(posedge " LS_WAVE_LOOK ") begin\n    cycle = " LS_WAVE_CYCLE ";\n");
    for (size_t i = 0; i < count; i++) {
        copy_mirror(t, &items[i], false);
        if (items[i].mapped) copy_mirror(t, &items[i], true);
    }
    judge_all(t, items, count, true);
    judge_all(t, items, count, false);
    ls_text_add(t, "    verdict = verdict_e'({registers_differ, outputs_differ});\n  end\nendmodule\n");
    for (size_t i = 0; i < count; i++) free(items[i].path);
    free(items);
}
