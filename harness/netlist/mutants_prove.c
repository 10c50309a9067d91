/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/netlist/mutants_prove.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/memory.h"
#include "harness/base/process.h"
#include "harness/core/plan.h"
#include "harness/core/signals.h"
#include "harness/dut/toolchain.h"

#define SEEN "ls_seen_o" /* the one output of what is proved: all that lockstep compares */
#define CLOCK "ls_clock" /* of the module around both */
#define RESET "ls_reset"
#define RECIPE "proof-4" /* part of every verdict's name: to be raised when proofs are made in another way */

static const char *var_of(const ls_netlist *n, const char *name) {
    for (size_t i = 0; i < n->names.count; i++)
        if (strcmp(n->names.list[i], name) == 0) return n->vars.list[i];
    return strpbrk(name, ".[") == NULL ? name : NULL;
}

/* Whether `var` is declared with bounds behind its name: an array, as memories are. One or two blanks stand between them. */
static bool is_array(const char *text, const char *var) {
    char *key = ls_format(" %s ", var);
    const size_t length = strlen(key);
    bool found = false;
    for (const char *at = text; !found && (at = strstr(at, key)) != NULL; at++) {
        const char *line = at;
        while (line > text && line[-1] != '\n') line--;
        found = strncmp(line, "  reg ", 6) == 0 && at[length + strspn(at + length, " ")] == '[';
    }
    free(key);
    return found;
}

/* Appends ",x" for every wire of the netlist that stands for the field: an output, a register, the elements of an array. Rows of
 * a memory are no wires yet: they are shown when they have become flip-flops. */
static void add_field(const ls_netlist *n, const char *text, const ls_field *f, ls_text *out) {
    char name[256];
    const char *var = var_of(n, ls_rtl_name(f, name, sizeof name));
    char *first = ls_format("%s[0]", f->name);
    const bool elements = f->kind != LS_OUT && var_of(n, first) != NULL;
    free(first);
    if (!elements && var != NULL && !is_array(text, var)) ls_text_add(out, ",%s", name);
    for (uint32_t i = 0; i < f->count && elements; i++) ls_text_add(out, ",%s[%u]", f->name, i);
}

static bool has_input(const char *text, const char *port) {
    char *line = ls_format("  input %s;", port);
    const bool found = strstr(text, line) != NULL;
    free(line);
    return found;
}

static bool is_bound(const ls_netlist *n, const ls_field *f) {
    for (size_t k = 0; k < n->unbound.count; k++)
        if (strcmp(n->unbound.list[k], f->name) == 0) return false;
    return f->kind != LS_IN;
}

/* The commands that give the netlist one output of all that is compared, and the module around it: reset is held in the first
 * cycle, in which nothing is seen. */
static void write_seen(const ls_netlist_request *rq, const ls_netlist *n, const char *text, ls_text *commands, ls_text *wrapper) {
    const char *top = ls_unit_top(rq->unit);
    ls_fields fields;
    ls_signals_of(rq->unit, rq->cfg, &fields);
    ls_text list = {0}, pins = {0};
    uint64_t bits = 0;
    const bool clocked = has_input(text, ls_clock_name(rq->unit)), resets = has_input(text, ls_reset_name(rq->unit));
    ls_text_add(wrapper, "module ls_top (\n  input " CLOCK ", input " RESET ", input [%d:0] " LS_NETLIST_SELECT,
                LS_NETLIST_SELECT_BITS - 1);
    for (size_t i = 0; i < fields.count; i++) {
        const ls_field *f = &fields.list[i];
        const char *const dot = strchr(f->name, '.');
        char name[256];
        if (f->kind == LS_IN) {
            ls_rtl_name(f, name, sizeof name);
            ls_text_add(wrapper, ",\n  input [%llu:0] %s", (unsigned long long)f->bits * f->count - 1, name);
            ls_text_add(&pins, ", .%s(%s)", name, name);
        } else if (is_bound(n, f)) {
            const size_t before = list.size;
            add_field(n, text, f, &list);
            if (list.size > before) bits += (uint64_t)f->bits * f->count;
            else ls_text_add(commands, "# memory %s%s\n", f->name, dot != NULL ? "" : " of the top module");
        }
    }
    ls_text_add(wrapper, ",\n  output [%llu:0] " SEEN ");\n  wire ls_first = $initstate;\n  wire [%llu:0] seen;\n",
                (unsigned long long)bits - 1, (unsigned long long)bits - 1);
    ls_text_add(wrapper, "  %s u (." LS_NETLIST_SELECT "(" LS_NETLIST_SELECT ")", top);
    if (clocked) ls_text_add(wrapper, ", .%s(" CLOCK ")", ls_clock_name(rq->unit));
    if (resets) /* on in the first cycle */
        ls_text_add(wrapper, ", .%s(" RESET " %s ls_first)", ls_reset_name(rq->unit), rq->unit->names.reset_high ? "|" : "& ~");
    ls_text_add(wrapper, "%s, ." SEEN "(seen));\n", pins.data == NULL ? "" : pins.data);
    ls_text_add(wrapper, "  assign " SEEN " = ls_first ? 0 : seen;\nendmodule\n");
    ls_text_add(commands, "cd %s\nadd -output " SEEN " %llu\nconnect -set " SEEN " %s\ncd ..\n", top, (unsigned long long)bits,
                list.data == NULL ? "" : list.data + 1);
    ls_text_add(commands, "delete -output %s/o:* %s/w:" SEEN " %%d\n", top, top);
    free(ls_text_take(&list));
    free(ls_text_take(&pins));
    ls_fields_free(&fields);
}

/* A flip-flop whose first value is a free input: it has the same name, hence the same value, in both of the compared. */
static const char flip_flop[] = "module \\$_DFF_P_ (input D, input C, output Q);\n"
                                "  wire ls_free, ls_first;\n"
                                "  (* init = 1'b0 *) wire ls_hold;\n" /* unseen: else one more free input of each */
                                "  \\$_DFF_P_ ff (.D(D), .C(C), .Q(ls_hold));\n"
                                "  \\$initstate first (.Y(ls_first));\n"
                                "  assign Q = ls_first ? ls_free : ls_hold;\n"
                                "endmodule\n";

static char *run(const ls_args *args, unsigned timeout_ms) {
    bool refused = false;
    return ls_command(args, timeout_ms, &refused);
}

static char *run_yosys(const char *script, unsigned timeout_ms) {
    ls_args args = {0};
    static const char *const words[] = {"yosys", "-q", "-q", "-w", ".*"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) ls_args_add(&args, "%s", words[i]);
    ls_args_add(&args, "%s", script);
    char *failed = run(&args, timeout_ms);
    ls_args_free(&args);
    return failed;
}

static char *write_text(const char *folder, const char *name, const ls_text *text) {
    char *path = ls_format("%s/%s", folder, name);
    const int error = ls_text_write(text, path);
    char *failed = error != 0 ? ls_format("%s: %s", path, strerror(-error)) : NULL;
    free(path);
    return failed;
}

/* Whether berkeley-abc and what limits it are there: NULL, or what to do. */
static char *missing_prover(void) {
    ls_process_result r;
    const char *const argv[] = {"prlimit", "--cpu=60", "berkeley-abc", "-c", "quit", NULL};
    const bool there = ls_process_run(&(ls_process){.argv = argv}, &r) == 0 && ls_process_ok(&r);
    ls_process_free(&r);
    if (there) return NULL;
    return ls_copy(
        "proofs need prlimit (util-linux) and berkeley-abc, which cannot be run: apt-get install berkeley-abc (make deps-test)");
}

char *ls_prove_prepare(const ls_netlist_request *rq, const ls_netlist *n) {
    char *path = ls_format("%s/%s.aig", n->folder, RECIPE);
    const bool done = ls_readable(path);
    free(path);
    char *lacking = missing_prover();
    if (done || lacking != NULL) return lacking;
    const char *folder = n->folder;
    ls_text plain = {0}, wrapper = {0}, map = {0}, script = {0};
    const int error = ls_text_read(&plain, n->plain);
    ls_text_put(&plain, "", 0);
    char *failed = error != 0 ? ls_format("%s: %s", n->plain, strerror(-error)) : NULL;
    if (failed == NULL) {
        ls_text_add(&map, "%s", flip_flop);
        ls_text_add(&script, "read_ilang %s/netlist.il\n", folder);
        write_seen(rq, n, plain.data, &script, &wrapper);
        /* Memories and word-level registers become single flip-flops, asynchronous resets logic before and behind them. */
        ls_text_add(
            &script,
            "read_verilog -formal %s/top.v\nhierarchy -check -top ls_top\nproc\nflatten\nsetattr -unset keep w:*\nopt_clean\n",
            folder);
        ls_text_add(&script, "memory_collect\nmemory_map\nopt_clean\nsetundef -undriven -zero\nexpose "
                             "w:$memory*\nasync2sync\ndffunmap\nsimplemap\ntechmap\nopt_clean\n");
        ls_text_add(
            &script,
            "dfflegalize -cell $_DFF_P_ x\ntechmap -max_iter 1 -map %s/flip_flop.v\nopt_clean\nsetundef -undriven -expose\n",
            folder);
        ls_text_add(&script, "setundef -zero\nsimplemap\nopt_clean\nselect -assert-none t:$_DFF* t:$_DFF_P_ %%d\n");
        /* Two of them, the first without a mutant; the second's select remains an input, under a name of its own. */
        ls_text_add(&script, "copy ls_top ls_gold\ndelete -input ls_gold/w:%s\ncd ls_gold\nconnect -set %s %d'b%0*d\ncd ..\n",
                    LS_NETLIST_SELECT, LS_NETLIST_SELECT, LS_NETLIST_SELECT_BITS, LS_NETLIST_SELECT_BITS, 0);
        ls_text_add(&script, "cd ls_gold\nadd -input %s_b %d\nrename %s ls_none\nrename %s_b %s\ncd ..\n", LS_NETLIST_SELECT,
                    LS_NETLIST_SELECT_BITS, LS_NETLIST_SELECT, LS_NETLIST_SELECT, LS_NETLIST_SELECT);
        ls_text_add(
            &script,
            "opt_expr ls_gold\nopt_clean ls_gold\nmiter -equiv -flatten ls_gold ls_top ls_miter\nhierarchy -top ls_miter\n");
        ls_text_add(&script, "delete ls_gold ls_top\nopt_expr\nopt_clean\nsimplemap\ntechmap\naigmap\nopt_clean\n");
        ls_text_add(&script, "write_aiger -zinit -symbols %s/prepared.aig\n", folder);
        failed = write_text(folder, "top.v", &wrapper);
        if (failed == NULL) failed = write_text(folder, "flip_flop.v", &map);
        if (failed == NULL) failed = write_text(folder, "prepare.ys", &script);
    }
    if (failed == NULL) {
        char *script_path = ls_format("%s/prepare.ys", folder), *from = ls_format("%s/prepared.aig", folder),
             *to = ls_format("%s/%s.aig", n->folder, RECIPE);
        failed = run_yosys(script_path, rq->timeout_ms);
        if (failed == NULL && rename(from, to) != 0) failed = ls_format("%s: %s", to, strerror(errno));
        free(script_path);
        free(from);
        free(to);
    }
    free(ls_text_take(&plain));
    free(ls_text_take(&wrapper));
    free(ls_text_take(&map));
    free(ls_text_take(&script));
    return failed;
}

/* An AIGER file in the binary format (Biere, "The AIGER And-Inverter Graph (AIG) Format", 2007): header, latches, outputs, gates
 * as differences of their literals, names. */
typedef struct aiger {
    ls_text text;
    unsigned inputs, latches, outputs, gates;
    size_t body, first, end; /* where the lines of latches begin, the gates, and what is behind them */
} aiger;

static char *read_aiger(const char *path, aiger *a) {
    unsigned top = 0;
    *a = (aiger){0};
    const int error = ls_text_read(&a->text, path);
    if (error != 0) return ls_format("%s: %s", path, strerror(-error));
    ls_text_put(&a->text, "", 1); /* names are searched as text */
    const bool header = sscanf(a->text.data, "aig %u %u %u %u %u\n", &top, &a->inputs, &a->latches, &a->outputs, &a->gates) == 5;
    const size_t size = a->text.size - 1;
    size_t at = header ? strcspn(a->text.data, "\n") + 1 : size;
    a->body = at;
    for (unsigned line = 0; line < a->latches + a->outputs && at < size; at++) line += a->text.data[at] == '\n';
    a->first = at;
    for (unsigned n = 0; n < 2 * a->gates && at < size; at++) n += ((unsigned char)a->text.data[at] & 0x80) == 0;
    a->end = at;
    if (header && at <= size && a->outputs == 1) return NULL;
    free(ls_text_take(&a->text));
    return ls_format("%s: not the miter that was asked for", path);
}

static unsigned take_delta(const char **at) {
    unsigned value = 0;
    for (unsigned shift = 0;; shift += 7) {
        const unsigned char byte = (unsigned char)*(*at)++;
        value |= (byte & 0x7fu) << shift;
        if ((byte & 0x80) == 0 || shift > 21) return value;
    }
}

static void put_delta(ls_text *out, unsigned value) {
    for (; value >= 0x80; value >>= 7) ls_text_put(out, &(char){(char)(value | 0x80)}, 1);
    ls_text_put(out, &(char){(char)value}, 1);
}

/* The literal with the inputs of `fixed` (by variable: 0 free, 1 constant 0, 2 constant 1) replaced. */
static unsigned replaced(unsigned literal, const uint8_t *fixed, unsigned inputs) {
    const unsigned var = literal >> 1;
    return var == 0 || var > inputs || fixed[var] == 0 ? literal : (fixed[var] - 1u) ^ (literal & 1u);
}

/* Writes the miter with input `name` tied to `value`. NULL, or an error to free. */
static char *tie(const aiger *a, const char *name, uint32_t value, const char *path) {
    uint8_t *fixed = ls_alloc(a->inputs + 1, 1);
    const char *names = a->text.data + a->end;
    unsigned tied = 0;
    for (unsigned i = 0; i < LS_NETLIST_SELECT_BITS; i++) {
        char *key = ls_format(" %s[%u]\n", name, i);
        const char *at = strstr(names, key), *line = at;
        while (line != NULL && line > names && line[-1] != '\n') line--;
        unsigned number = 0;
        if (line != NULL && sscanf(line, "i%u", &number) == 1 && number < a->inputs) {
            fixed[number + 1] = (uint8_t)(1 + (value >> i & 1u));
            tied++;
        }
        free(key);
    }
    ls_text out = {0};
    ls_text_add(&out, "aig %u %u %u %u %u\n", a->inputs + a->latches + a->gates, a->inputs, a->latches, a->outputs, a->gates);
    const char *at = a->text.data + a->body;
    for (unsigned i = 0; i < a->latches + a->outputs; i++) {
        const unsigned literal = (unsigned)strtoul(at, NULL, 10);
        const size_t length = strcspn(at, "\n"), digits = strspn(at, "0123456789");
        ls_text_add(&out, "%u%.*s\n", replaced(literal, fixed, a->inputs), (int)(length - digits), at + digits);
        at += length + 1;
    }
    at = a->text.data + a->first;
    for (unsigned i = 0; i < a->gates; i++) {
        const unsigned result = 2 * (a->inputs + a->latches + 1 + i), high = result - take_delta(&at),
                       low = high - take_delta(&at);
        const unsigned x = replaced(high, fixed, a->inputs), y = replaced(low, fixed, a->inputs);
        put_delta(&out, result - (x > y ? x : y));
        put_delta(&out, x > y ? x - y : y - x);
    }
    const int error = ls_text_write(&out, path);
    char *failed = error != 0  ? ls_format("%s: %s", path, strerror(-error))
                   : tied == 0 ? ls_format("the miter has no input %s", name)
                               : NULL;
    free(ls_text_take(&out));
    free(fixed);
    return failed;
}

/* What berkeley-abc says about the miter; its words are kept in *said. */
static ls_proof prove_miter(const char *base, unsigned seconds, char **said) {
    /* Most of both machines is the same: registers that are equal by induction are merged first. */
    char *commands = ls_format("read %s.aig; lcorr; &get; &scorr; &put; dc2; pdr -T %u", base, seconds);
    ls_process_result r;
    /* Of work: a machine that is busy elsewhere changes no verdict. Signal 24 at its end, not the 9 of others. */
    char *limit = ls_format("--cpu=%u:%u", seconds, seconds + 1);
    const char *const argv[] = {"prlimit", limit, "berkeley-abc", "-c", commands, NULL};
    const int error =
        ls_process_run(&(ls_process){.argv = argv, .timeout_ms = seconds * 20000 + 5000, .patience = LS_PATIENCE}, &r);
    ls_proof proof = LS_PROOF_UNDECIDED;
    if (error != 0) {
        proof = LS_PROOF_BROKEN;
        *said =
            ls_format("proofs need prlimit and berkeley-abc, which cannot be run: apt-get install berkeley-abc (make deps-test)");
    } else {
        char ending[80];
        const bool late = r.timed_out || r.signal == SIGXCPU;
        *said = late                ? ls_copy("no proof in time")
                : ls_process_ok(&r) ? ls_copy("no proof")
                                    : ls_format("no proof: %s", ls_process_ending(&r, ending, sizeof ending));
        if (!late && ls_from_outside(r.signal)) proof = LS_PROOF_BROKEN;
        const bool equal = ls_process_ok(&r) && strstr(r.output, "Property proved.") != NULL;
        const bool different = ls_process_ok(&r) && strstr(r.output, " was asserted in frame ") != NULL;
        if (equal != different) proof = equal ? LS_PROOF_EQUIVALENT : LS_PROOF_DIFFERENT;
    }
    ls_process_free(&r);
    free(limit);
    free(commands);
    return proof;
}

/* Writes <base>.aig: whether mutant `number` can be told from none. */
static char *make_miter(const ls_netlist *n, uint32_t number, const char *base) {
    char *from = ls_format("%s/%s.aig", n->folder, RECIPE), *to = ls_format("%s.aig", base);
    aiger a;
    char *failed = read_aiger(from, &a);
    if (failed == NULL) {
        failed = tie(&a, "in_" LS_NETLIST_SELECT, number, to);
        free(ls_text_take(&a.text));
    }
    free(from);
    free(to);
    return failed;
}

ls_proof ls_prove(const ls_netlist *n, uint32_t number, unsigned seconds, char **why) {
    static const char *const words[] = {"equivalent", "different"};
    char *base = ls_format("%s/%s-%u", n->folder, RECIPE, number), *kept = ls_format("%s.verdict", base),
         *miter = ls_format("%s.aig", base);
    ls_text verdict = {0};
    ls_proof proof = LS_PROOF_UNDECIDED;
    *why = NULL;
    if (ls_text_read(&verdict, kept) == 0)
        for (int i = 0; i < 2; i++)
            if (verdict.size == strlen(words[i]) && memcmp(verdict.data, words[i], verdict.size) == 0) proof = (ls_proof)i;
    free(ls_text_take(&verdict));
    if (proof == LS_PROOF_UNDECIDED) {
        *why = make_miter(n, number, base);
        proof = *why == NULL ? prove_miter(base, seconds, why) : LS_PROOF_BROKEN;
        if (proof == LS_PROOF_EQUIVALENT || proof == LS_PROOF_DIFFERENT) {
            ls_text_add(&verdict, "%s", words[proof]);
            (void)ls_text_write(&verdict, kept);
            free(*why);
            *why = NULL;
        }
        (void)unlink(miter);
    }
    free(ls_text_take(&verdict));
    free(base);
    free(kept);
    free(miter);
    return proof;
}
