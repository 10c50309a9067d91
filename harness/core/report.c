/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/json.h"
#include "harness/base/provenance.h"
#include "harness/base/memory.h"
#include "harness/core/config.h"
#include "harness/core/map.h"
#include "harness/core/place.h"
#include "harness/core/plan.h"
#include "harness/core/source.h"

#define HISTORY 8      /* cycles of inputs on the screen */
#define WHOLE_LINES 12 /* for the inputs of one cycle, when all that are not 0 are shown */

static void add_mismatch(ls_text *to, const ls_mismatch *m) {
    ls_json_open(to, "mismatch", '{');
    ls_json_uint(to, "cycle", m->cycle);
    ls_json_text(to, "field", m->field);
    ls_json_text(to, "rtl_name", m->rtl_name);
    ls_json_uint(to, "index", m->index);
    ls_json_uint(to, "bits", m->bits);
    ls_json_text(to, "at", m->output ? "output" : "register");
    if (m->earlier > 0) ls_json_uint(to, "cycles_earlier", m->earlier);
    if (m->row[0] != '\0') ls_json_text(to, "row", m->row);
    if (m->dated) ls_json_uint(to, "since", m->since);
    if (m->began[0] != '\0') ls_json_text(to, "began", m->began);
    ls_json_text(to, "rtl", m->rtl);
    ls_json_text(to, "model", m->model);
    ls_json_text(to, "xor", m->diff);
    ls_json_uint(to, "lanes", m->lanes);
    ls_json_uint(to, "fields", m->fields);
    ls_json_close(to, '{');
}

/* Each file that was read for the DUT, with the modules that are in it. */
static void add_rtl(ls_text *to, const ls_build_result *made) {
    const ls_elab *e = &made->elab;
    ls_json_open(to, "rtl", '[');
    for (size_t i = 0; i < e->file_count; i++) {
        ls_json_open(to, NULL, '{');
        ls_json_text(to, "file", e->files[i]);
        ls_json_text(to, "sha256", made->digests[i]);
        ls_json_open(to, "modules", '[');
        for (size_t k = 0; k < e->used_count; k++) {
            bool named = strcmp(e->used[k], e->files[i]) != 0;
            for (size_t before = 0; before < k && !named; before++) /* with other parameters */
                named = strcmp(e->modules[before], e->modules[k]) == 0 && strcmp(e->used[before], e->used[k]) == 0;
            if (!named) ls_json_text(to, NULL, e->modules[k]);
        }
        ls_json_close(to, '[');
        ls_json_close(to, '{');
    }
    ls_json_close(to, '[');
}

/* The bins that the run could hit with their cycles, then those that it could not with the reason. */
static void add_bins(const ls_request *rq, const ls_result *r, ls_text *to) {
    ls_unreachable never;
    const uint64_t bins = ls_unit_bins(rq->unit, rq->cfg, &never);
    ls_json_open(to, "bins", '{');
    for (uint32_t i = 0; rq->unit->bin_names[i] != NULL; i++)
        if ((bins >> i & 1) != 0) ls_json_uint(to, rq->unit->bin_names[i], r->bins[i]);
    ls_json_close(to, '{');
    ls_json_open(to, "unreachable_bins", '{');
    for (uint32_t i = 0; rq->unit->bin_names[i] != NULL; i++)
        if ((bins >> i & 1) == 0) ls_json_text(to, rq->unit->bin_names[i], never.reason[i]);
    ls_json_close(to, '{');
}

/* With which map it was run, and what that leaves out. */
static void add_map(const ls_map *map, ls_text *to) {
    const char *reason, *name;
    char digest[LS_SHA256_HEX];
    if (map == NULL) return;
    ls_json_open(to, "map", '{');
    ls_json_text(to, "file", map->path);
    (void)ls_sha256_file(map->path, digest);
    ls_json_text(to, "sha256", digest);
    ls_json_open(to, "ignored", '{');
    for (size_t i = 0; (name = ls_map_ignored(map, i, &reason)) != NULL; i++) ls_json_text(to, name, reason);
    ls_json_close(to, '{');
    ls_json_close(to, '{');
}

void ls_report_params(const ls_unit *unit, const void *cfg, ls_text *to) {
    ls_json_open(to, "params", '{');
    for (size_t i = 0; i < unit->param_count; i++) ls_json_uint(to, unit->params[i].name, ls_config_get(&unit->params[i], cfg));
    ls_json_close(to, '{');
}

void ls_report_surroundings(const char *machine, const ls_settings *settings, ls_text *to) {
    if (machine != NULL) ls_json_text(to, "machine", machine);
    if (settings == NULL || settings->count == 0) return;
    ls_json_open(to, "surroundings", '{');
    for (size_t i = 0; i < settings->count; i++) {
        const ls_setting *s = &settings->list[i];
        uint64_t whole;
        double number = 0;
        if (ls_whole_number(s->value, false, &whole)) ls_json_uint(to, s->name, whole);
        else if (ls_decimal(s->value, &number)) ls_json_real(to, s->name, number, 15);
    }
    ls_json_close(to, '{');
}

void ls_report_sub_cores(uint32_t count, FILE *to) {
    if (count > 1) ls_say(to, "  sub-core 0 of %u; of all: what begins with sm_, and the memory side\n", count);
}

void ls_report_record(const ls_request *rq, const ls_result *r, const ls_run_notes *notes, ls_text *to) {
    ls_json_open(to, NULL, '{');
    ls_json_text(to, "unit", rq->unit->name);
    ls_report_params(rq->unit, rq->cfg, to);
    ls_report_surroundings(rq->machine, rq->surroundings, to);
    ls_json_seed(to, "seed", rq->seed);
    ls_json_seed(to, "fill", r->fill);
    if (rq->workload != NULL) ls_json_text(to, "workload", rq->workload);
    const size_t given = rq->replay != NULL ? ls_case_given(rq->replay) : 0;
    if (given > 0) ls_json_uint(to, "start_state", given);
    if (r->sub_cores > 1) ls_json_uint(to, "sub_cores", r->sub_cores);
    ls_json_uint(to, "cycles", r->cycles);
    ls_json_text(to, "status", ls_status_name(r->status));
    ls_json_uint(to, "compared_bits", r->compares);
    ls_json_uint(to, "resets", r->resets);
    if (r->warps > 0) ls_json_uint(to, "time_warps", r->warps);
    if (r->legal > 0) ls_json_uint(to, "legal_cycles", r->legal);
    ls_json_bool(to, "registers_compared", !rq->ports_only);
    add_map(rq->unit->map, to);
    ls_json_uint(to, "fields", r->fields);
    ls_json_uint(to, "unchanged_fields", r->unchanged);
    if (rq->workload != NULL) {
        ls_json_bool(to, "drained", r->drained);
        ls_json_uint(to, "unknown_opcodes", r->unknown_opcodes);
    }
    ls_json_uint(to, "sweep_period", r->sweep_period);
    ls_json_uint(to, "memories_copied_at_power_up", r->memories_copied);
    ls_json_uint(to, "sampled_cycles", r->sampled);
    add_bins(rq, r, to);
    if (r->counters > 0) {
        ls_json_open(to, "counters", '{');
        for (uint32_t i = 0; i < r->counters; i++) ls_json_real(to, r->counter[i].name, r->counter[i].value, 10);
        ls_json_close(to, '{');
    }
    if (rq->netlist != NULL) ls_json_raw(to, "netlist", rq->netlist->json);
    if (r->status == LS_MISMATCH) add_mismatch(to, &r->mismatch);
    const char *message = notes->problems != NULL ? notes->problems : r->message;
    if (message[0] != '\0') ls_json_text(to, "message", message);
    ls_json_fixed(to, "seconds", r->seconds, 6);
    ls_json_fixed(to, "build_seconds", notes->build_seconds, 3);
    ls_json_bool(to, "build_cached", notes->cached);
    if (notes->build != NULL) ls_json_text(to, "build", notes->build);
    ls_json_open(to, "sources", '{');
    char *model = ls_unit_part_name(rq->unit, LS_PART_MODEL), *list = ls_unit_part_name(rq->unit, LS_PART_LIST);
    char *bench = ls_unit_part_name(rq->unit, LS_PART_BENCH);
    ls_provenance_json(model, list, bench, rq->unit->place != NULL, to);
    free(model);
    free(list);
    free(bench);
    if (notes->made != NULL && notes->made->digests != NULL) add_rtl(to, notes->made);
    ls_json_close(to, '{');
    for (const char *const *f = notes->files; f != NULL && f[0] != NULL; f += 2) ls_json_text(to, f[0], f[1]);
    ls_json_open(to, "tools", '{');
    ls_json_text(to, "lockstep", LS_VERSION);
    ls_json_text(to, "verilator", ls_tools_once()->version);
    ls_json_close(to, '{');
    ls_json_text(to, "command", notes->command);
    ls_json_close(to, '{');
}

static void print_value(FILE *to, const char *label, const char *hex, const ls_mismatch *m) {
    if (m->bits <= 64) {
        ls_say(to, "  %-8s %u'h%s\n", label, m->bits, hex);
        return;
    }
    ls_say(to, "  %-8s 0x", label);
    /* lane by lane, highest first */
    const size_t n = strlen(hex);
    for (size_t i = 0; i < n; i++) {
        (void)fputc(hex[i], to);
        const size_t left = n - 1 - i;
        if (left > 0 && left % 64 == 0) ls_say(to, "\n  %-8s   ", "");
        else if (left > 0 && left % 8 == 0) (void)fputc('_', to);
    }
    (void)fputc('\n', to);
}

/* A line of inputs. */
typedef struct input_line {
    FILE *to;
    bool whole; /* it goes on in further lines */
    int column;
    uint32_t skipped, lines;
} input_line;

static void print_element(input_line *line, const ls_part *part, uint32_t e, const void *now) {
    uint32_t words[32];
    char hex[LS_HEX_MAX], name[256], word[LS_HEX_MAX + 280];
    ls_model_element(&part->field, now, e, words);
    (void)ls_hex(words, part->field.bits, hex);
    if (strlen(hex) > 16) (void)snprintf(hex + 8, sizeof hex - 8, "..");
    (void)snprintf(word, sizeof word, " %s=%s", ls_part_element(part, e, name, sizeof name), hex);
    if (line->column + (int)strlen(word) > 118 && (!line->whole || line->lines == WHOLE_LINES)) {
        line->skipped++;
        return;
    }
    if (line->column + (int)strlen(word) > 118) {
        line->column = fprintf(line->to, "\n  %8s ", "") - 1;
        line->lines++;
    }
    line->column += fprintf(line->to, "%s", word);
}

/* The elements of a part that are not as in `before`. */
static void print_part(input_line *line, const ls_part *part, const void *before, const void *now) {
    for (uint32_t e = 0; e < part->field.count; e++) {
        uint32_t a[32], b[32];
        ls_model_element(&part->field, before, e, a);
        ls_model_element(&part->field, now, e, b);
        if (memcmp(a, b, sizeof a) != 0) print_element(line, part, e, now);
    }
}

/* The inputs of a cycle that are not as in `before`, from `column` on, or `none`. A line that is `whole` goes on in further ones.
 */
static void print_cycle(const ls_fields *fields, const void *before, const void *now, bool whole, int column, const char *none,
                        FILE *to) {
    input_line line = {to, whole, column, 0, 1};
    for (size_t k = 0; k < fields->count; k++) {
        const ls_field *f = &fields->list[k];
        for (uint32_t n = 0; f->kind == LS_IN && n < ls_part_count(f); n++) {
            const ls_part part = ls_part_of(f, n);
            print_part(&line, &part, before, now);
        }
    }
    if (line.skipped > 0) ls_say(to, " +%u", line.skipped);
    else if (line.column == column) ls_say(to, "%s", none);
    (void)fputc('\n', to);
}

/* What is given of the state that the case begins in, before its first cycle; all of it, as far as lines go, of one that is
 * `shrunk`. */
static void print_start(const ls_fields *fields, const ls_case *c, bool shrunk, FILE *to) {
    input_line line = {to, shrunk, fprintf(to, "  %8s  state", ""), 0, 1};
    for (size_t k = 0; k < fields->count; k++) {
        const ls_field *f = &fields->list[k];
        for (uint32_t n = 0; ls_is_state(f) && n < ls_part_count(f); n++) {
            const ls_part part = ls_part_of(f, n);
            for (uint32_t e = 0; e < part.field.count; e++)
                if (ls_start_gives(&c->start, &part.field, e)) print_element(&line, &part, e, c->start.model);
        }
    }
    if (line.skipped > 0) ls_say(to, " +%u", line.skipped);
    (void)fputc('\n', to);
}

/* The last of a case's first `count` cycles; `last` is the number of the last one. All but 0 is named in the first line, in
 * reset, which has inputs of its own, and after it. Of a reset not all need to be seen, unless the failure is there or the case
 * is `shrunk`. */
static void print_cycles(const ls_case *c, size_t count, uint64_t last, bool shrunk, FILE *to) {
    ls_fields fields = {0};
    void *model = ls_zeroed(c->unit->model_size);
    if (c->unit->init(model, c->cfg) == 0) ls_unit_fields(c->unit, &fields, model);
    const size_t first = count > HISTORY ? count - HISTORY : 0;
    uint8_t *zero = ls_zeroed(c->unit->in_size);
    for (size_t i = first; i < count; i++) {
        if (ls_case_starts(c, i)) print_start(&fields, c, shrunk, to);
        int column = fprintf(to, "  %8" PRIu64 " ", last - (count - 1 - i));
        if (c->reset[i] != 0) column += fprintf(to, " reset");
        if (c->warp[i] != 0) column += fprintf(to, " after a warp to %" PRIx64, c->warp[i]);
        const bool anew = i == first || c->reset[i] != 0 || c->reset[i - 1] != 0;
        const bool whole = anew && (c->reset[i] == 0 || shrunk || i + 1 == count);
        const char *none = c->reset[i] != 0 ? "" : anew ? " all 0" : " no change";
        print_cycle(&fields, anew ? zero : ls_case_in(c, i - 1), ls_case_in(c, i), whole, column, none, to);
    }
    free(zero);
    free(model);
    ls_fields_free(&fields);
}

/* Of a value over 64 bits which of its 32-bit lanes differ: "lanes 0, 3 to 7 differ". */
static void print_lanes(const ls_mismatch *m, FILE *to) {
    const char *comma = " ";
    ls_say(to, "  %-8s", "lanes");
    for (uint32_t i = 0, last; i < 32; i = last + 1) {
        for (last = i; last < 31 && (m->lanes >> i & m->lanes >> (last + 1) & 1) != 0; last++) {
        }
        if ((m->lanes >> i & 1) == 0) continue;
        ls_say(to, "%s%u", comma, i);
        if (last > i) ls_say(to, " to %u", last);
        comma = ", ";
    }
    ls_say(to, " differ, of 0 to %u (each 32 bits; 0 is bits 31:0)\n", (m->bits - 1) / 32);
}

/* What else differs: the comparison stops at the first moment with a difference, so nothing on the list came before. */
static void print_others(const ls_mismatch *m, FILE *to) {
    const uint32_t others = m->fields - 1;
    uint32_t named = m->others[0] != '\0';
    for (const char *c = m->others; (c = strstr(c, ", ")) != NULL; c += 2) named++;
    ls_say(to, "  %u more %s%s differ%s at the same time%s; in the order of the field list: %s", others,
           m->output ? "output" : "register", others == 1 ? "" : "s", others == 1 ? "s" : "",
           m->earlier > 0 ? "" : ", none did before", m->others);
    if (named < others) ls_say(to, " and %u more", others - named);
    (void)fputc('\n', to);
}

static void print_mismatch(const ls_result *r, bool gates, FILE *to) {
    const ls_mismatch *m = &r->mismatch;
    if (r->message[0] != '\0') ls_say(to, "  %s\n", r->message);
    if (strcmp(m->field, "property") == 0) {
        const bool counts = strncmp(r->message, "cycle ", 6) == 0; /* a stimulus does; the engine names none */
        ls_say(to, "  in cycle %" PRIu64 " of the run%s\n", m->cycle, counts ? "; the message counts from the last reset" : "");
        return;
    }
    const bool named = strncmp(m->rtl_name, m->field, strlen(m->field)) == 0; /* by the model's name, an output with a suffix */
    ls_say(to, "\n  %s  %s%s%s", m->output ? "output  " : "register", named ? "" : m->field, named ? "" : " = ", m->rtl_name);
    if (m->count > 1) ls_say(to, "  element %u of %u", m->index, m->count);
    ls_say(to, "  (%s the edge of cycle %" PRIu64 ")\n", m->output ? "before" : "after", m->cycle);
    if (m->began[0] != '\0') ls_say(to, "  it began in cycle %" PRIu64 " with %s, as the waves show\n", m->since, m->began);
    else if (m->dated)
        ls_say(to, "  %sit happened in cycle %" PRIu64 ", as the waves show\n", m->earlier > 0 ? "found by the sweep: " : "",
               m->since);
    else if (m->row[0] != '\0')
        ls_say(to, "  so does %s, which the cycle did not touch: it may have begun up to %" PRIu64 " cycles earlier\n", m->row,
               m->earlier);
    else if (m->earlier > 0)
        ls_say(to,
               "  found by the sweep: it happened up to %" PRIu64 " cycles earlier, so the last inputs need not be its cause\n",
               m->earlier);
    print_value(to, gates ? "netlist" : "RTL", m->rtl, m);
    print_value(to, "model", m->model, m);
    print_value(to, "XOR", m->diff, m);
    if (m->lanes != 0) print_lanes(m, to);
    if (m->fields > 1) print_others(m, to);
}

/* Whether the line of a field says that it is a memory. */
static bool is_memory(const ls_request *rq, const char *field) {
    void *model = ls_zeroed(rq->unit->model_size);
    ls_fields fields = {0};
    bool memory = false;
    if (rq->unit->init(model, rq->cfg) == 0) rq->unit->fields(&fields, model);
    for (size_t i = 0; i < fields.count; i++)
        memory |= fields.list[i].kind == LS_MEMORY && strcmp(fields.list[i].name, field) == 0;
    ls_fields_free(&fields);
    free(model);
    return memory;
}

/* Of a model that is not written yet: what is to be written next. */
static void print_next(const ls_request *rq, const ls_mismatch *m, FILE *to) {
    const ls_unit *unit = rq->unit;
    const bool in_reset = !m->output && m->cycle < LS_RESET_CYCLES, memory = in_reset && is_memory(rq, m->field);
    char *file = ls_unit_part_name(unit, memory ? LS_PART_LIST : LS_PART_MODEL);
    ls_say(to, "  %-8s %s: ", "next", file);
    if (memory) ls_say(to, "reset changes %s, and a MEMORY has none: FIELD(STATE, %s, ...)\n", m->field, m->field);
    else if (m->output) ls_say(to, "%s_comb: write what %s is in this cycle\n", unit->name, m->field);
    else if (in_reset) ls_say(to, "%s_reset: %s is the RTL's value above\n", unit->name, m->field);
    else ls_say(to, "%s_clock: write what becomes of %s at the edge of this cycle\n", unit->name, m->field);
    free(file);
}

static void print_evidence(const ls_request *rq, const ls_result *r, FILE *to) {
    ls_unreachable never;
    const uint64_t reachable = ls_unit_bins(rq->unit, rq->cfg, &never);
    const uint32_t bins = (uint32_t)__builtin_popcountll(reachable),
                   hit = (uint32_t)__builtin_popcountll(r->bins_hit & reachable);
    char others[40] = "";
    if (never.bins != 0) (void)snprintf(others, sizeof others, " (and %d unreachable)", __builtin_popcountll(never.bins));
    if (rq->workload != NULL && r->bins_hit != 0 && hit < bins) {
        ls_say(to, "  not seen in this workload:");
        const char *comma = " ";
        for (uint32_t i = 0; rq->unit->bin_names[i] != NULL; i++) {
            if (((r->bins_hit | never.bins) >> i & 1) != 0) continue;
            ls_say(to, "%s%s", comma, rq->unit->bin_names[i]);
            comma = ", ";
        }
        (void)fputc('\n', to);
    }
    char legal[60] = "", warps[40] = "";
    if (r->legal > 0 && r->legal + r->resets < r->cycles)
        (void)snprintf(legal, sizeof legal, ", properties checked in %" PRIu64 " cycles", r->legal);
    if (r->warps > 0) (void)snprintf(warps, sizeof warps, ", %" PRIu64 " time warp%s", r->warps, r->warps == 1 ? "" : "s");
    ls_say(to, "  %" PRIu64 " cycles, %" PRIu64 " bits compared, %u fields, bins %u of %u%s, %" PRIu64 " resets%s%s, %.2f s",
           r->cycles, r->compares, r->fields, hit, bins, others, r->resets, legal, warps, r->seconds);
    if (r->seconds > 0) ls_say(to, " (%.2f M cycles/s)", (double)r->cycles / r->seconds * 1e-6);
    (void)fputc('\n', to);
    if (rq->ports_only)
        ls_say(to, "  ports only: no register was compared; power-up contents of %u memor%s copied into the model\n",
               r->memories_copied, r->memories_copied == 1 ? "y" : "ies");
    const char *reason, *ignored;
    for (size_t i = 0; (ignored = ls_map_ignored(rq->unit->map, i, &reason)) != NULL; i++)
        ls_say(to, "  not compared: %s: %s\n", ignored, reason);
    if (rq->netlist != NULL) ls_say(to, "%s\n", rq->netlist->text);
    if (r->sweep_period > 0)
        ls_say(to,
               "  memories: touched rows every cycle, all rows every %" PRIu64
               " cycles; %u power-up contents copied into the model\n",
               r->sweep_period, r->memories_copied);
}

/* The inputs of the last cycles, and those that are left when the case is shrunk: one screen that explains the failure. */
static void print_inputs(const ls_request *rq, const ls_result *r, const ls_run_notes *notes, FILE *to) {
    ls_case c;
    char error[256];
    if (ls_case_read(&c, rq->case_path, error, sizeof error) != 0) return;
    const ls_mismatch *m = &r->mismatch;
    const bool before = m->dated && m->cycle - m->since < c.count; /* then those that led to it, not those that it was found in */
    const uint64_t last = before ? m->since : m->cycle;
    const size_t count = c.count - (size_t)(m->cycle - last);
    ls_say(to, "\n  inputs of the last %zu cycles%s (%s)\n", count < HISTORY ? count : (size_t)HISTORY,
           last < m->cycle ? ", up to where it happened" : "",
           "hexadecimal; first line, reset, cycle after it: what is not 0; other lines: what changed");
    print_cycles(&c, count, last, false, to);
    ls_case_free(&c);
    for (const char *const *f = notes->files; f != NULL && f[0] != NULL; f += 2) {
        if (strcmp(f[0], "shrunk") != 0 || ls_case_read(&c, f[1], error, sizeof error) != 0) continue;
        ls_say(to, "\n  shrunk: it still fails after these %zu cycles%s; inputs that do not matter are 0\n", c.count,
               c.count > HISTORY ? ", of which the last" : "");
        print_cycles(&c, c.count, c.count - 1, true, to);
        ls_case_free(&c);
    }
}

/* Of a replay: whether it begins in a state that need be none of a run's. */
static void print_given(const ls_request *rq, FILE *to) {
    const size_t count = rq->replay != NULL ? ls_case_given(rq->replay) : 0;
    if (count > 0) ls_say(to, "  begins in a given state, which no run need reach: %zu value%s\n", count, count == 1 ? "" : "s");
}

/* The text behind the status. */
static void print_text(const ls_request *rq, const ls_result *r, const ls_run_notes *notes, FILE *to) {
    char *params = ls_config_text(rq->unit, rq->cfg);
    ls_say(to, "  %s%s%s", rq->unit->name, params[0] != '\0' ? " " : "", params);
    if (rq->machine != NULL) ls_say(to, "  machine %s", rq->machine);
    if (rq->workload != NULL) ls_say(to, "  %s", rq->workload);
    if (rq->replay == NULL) ls_say(to, "  seed %016" PRIx64, rq->seed);
    (void)fputc('\n', to);
    free(params);
    print_given(rq, to);
    if (r->status == LS_MISMATCH) print_mismatch(r, rq->netlist != NULL, to);
    else if (notes->problems != NULL) ls_say(to, "  %s\n", notes->problems);
    else if (r->message[0] != '\0') ls_say(to, "  %s\n", r->message);
    if (notes->problems == NULL) print_evidence(rq, r, to);
    if (r->counters > 0 && r->resets > LS_RESET_CYCLES) ls_say(to, "  since the last reset:\n");
    if (r->counters > 0) ls_report_sub_cores(r->sub_cores, to);
    for (uint32_t i = 0; i < r->counters; i++) {
        char value[32] = "-";
        if (isfinite(r->counter[i].value)) (void)snprintf(value, sizeof value, "%.6g", r->counter[i].value);
        ls_say(to, "%s%s %s", i % 5 == 0 ? (i != 0 ? "\n  " : "  ") : ", ", r->counter[i].name, value);
    }
    if (r->counters > 0) (void)fputc('\n', to);
    ls_report_unknown(r->unknown_opcodes, r->first_unknown, to);
    if (r->status == LS_MISMATCH && r->case_written) print_inputs(rq, r, notes, to);
    if (ls_status_exit(r->status) == 0) return;
    if (r->status != LS_USAGE) (void)fputc('\n', to); /* which the same command would meet again */
    for (const char *const *f = notes->files; f != NULL && f[0] != NULL; f += 2) ls_say(to, "  %-8s %s\n", f[0], f[1]);
    if (r->status != LS_USAGE) ls_say(to, "  %-8s %s\n", "again", notes->command);
    if (rq->unit->skeleton && r->status == LS_MISMATCH && (rq->rtl == NULL || rq->rtl->count == 0))
        print_next(rq, &r->mismatch, to);
}

void ls_report_unknown(uint64_t count, const char *first, FILE *to) {
    if (count == 0) return;
    ls_say(to, "  opcodes    %" PRIu64 " instruction%s of unknown ones, first %s: their registers may be too few\n", count,
           count == 1 ? "" : "s", first);
}

void ls_report_text(const ls_request *rq, const ls_result *r, const ls_run_notes *notes, bool colour, FILE *to) {
    char *text = NULL;
    size_t size = 0;
    FILE *whole = open_memstream(&text, &size);
    if (whole == NULL) ls_die("out of memory for the report");
    print_text(rq, r, notes, whole);
    if (fclose(whole) != 0) ls_die("out of memory for the report");
    char *plain = ls_printable(text, size); /* names and messages are the RTL's */
    const char *tone = !colour ? "" : r->status == LS_PASS ? "\033[1;32m" : "\033[1;31m";
    (void)fprintf(to, "%s%s%s%s", tone, ls_status_name(r->status), colour ? "\033[0m" : "", plain);
    free(plain);
    free(text);
}

void ls_report_brief(const ls_request *rq, const ls_result *r, FILE *to) {
    char *params = ls_config_text(rq->unit, rq->cfg);
    const char *trace = rq->workload != NULL ? rq->workload : "";
    const char *slash = strrchr(trace, '/');
    while (slash != NULL && slash > trace && slash[-1] != '/') slash--; /* the last two parts of the path */
    char *what =
        ls_format("%s%s%s%s%s%s", rq->unit->name, params[0] != '\0' ? " " : "", params, rq->machine != NULL ? " machine " : "",
                  rq->machine != NULL ? rq->machine : "", rq->workload != NULL ? " " : "");
    ls_say(to, "%-5s %s%-*s %10" PRIu64 " cycles %8.2f M/s%s%s\n", ls_status_name(r->status), what,
           (int)strlen(what) < 72 ? 72 - (int)strlen(what) : 1, slash != NULL ? slash : trace, r->cycles,
           r->seconds > 0 ? (double)r->cycles / r->seconds * 1e-6 : 0.0, r->status == LS_VACUOUS ? ": " : "",
           r->status == LS_VACUOUS ? r->message : "");
    const char *reason, *ignored;
    for (size_t i = 0; (ignored = ls_map_ignored(rq->unit->map, i, &reason)) != NULL; i++)
        ls_say(to, "  not compared: %s: %s\n", ignored, reason);
    free(what);
    free(params);
}
