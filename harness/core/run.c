/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/run.h"

#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/clock.h"
#include "harness/base/memory.h"
#include "harness/base/process.h"
#include "harness/base/progress.h"
#include "harness/base/provenance.h"
#include "harness/core/evidence.h"
#include "harness/core/map.h"
#include "harness/core/pair.h"
#include "harness/core/run_output.h"
#include "harness/core/source.h"
#include "harness/core/step_check.h"

#define DEFAULT_TIMEOUT 20.0
#define X_CYCLES 2000u          /* of an instance in which all that is X has one value, and ... */
#define X_EPOCH 100u            /* ... of every later epoch */
#define X_SCRIPT 20000u         /* ... but of a script these at most */
#define ALWAYS_AFTER 10000u     /* in a run of so many cycles a bin that each of them hits says nothing */
#define STEP_EVERY 64u          /* one in so many sampled cycles is walked by the model's step too, and ... */
#define STEP_LAST 64u           /* ... the last ones before a mismatch */
#define WORK_EVERY 256u         /* the processor's clock is looked at once in so many cycles */
#define SLOW_READER 0.5         /* seconds for some kilobytes of what the DUT prints */
#define CASE_BYTES (256u << 20) /* a longer case keeps only what follows the last reset */

const char *ls_status_name(ls_status status) {
    static const char *const names[] = {"pass", "mismatch", "vacuous", "crash", "hang", "usage", "build"};
    return names[status];
}

int ls_status_exit(ls_status status) { return status == LS_PASS ? 0 : status == LS_USAGE || status == LS_BUILD ? 2 : 1; }

/* The child's result, for the DUT's call-back, which has no argument of ours. */
static ls_result *child_result;

/* What is to be covered in the child, and whether it still is: its DUT may end itself. */
static struct {
    const char *path;
    const ls_dut_api *api;
    ls_dut *dut;
} covered;

static void keep_coverage(void) {
    if (covered.path == NULL) return;
    const char *path = covered.path;
    covered.path = NULL;
    if (covered.dut != NULL && covered.api->coverage_write != NULL)
        child_result->coverage_written = covered.api->coverage_write(covered.dut, path) == 0;
    ls_gcov_dump(); /* which a process that ends with _exit would not write */
}

/* How the child says that it came to its end: a DUT that ends the process cannot pass for it. */
#define CHILD_DONE 73
#define LOADER_FAILED 127 /* what ld.so exits with, also when it binds a symbol or makes thread-local data late */

/* The end of the DUT or its process: the status of the run, unless it had found a difference, which this does not undo. */
static void end_early(ls_result *r, ls_status status, const char *how) {
    const bool found = r->status == LS_MISMATCH && r->mismatch.field[0] != '\0';
    const char *separator = r->message[0] != '\0' ? "; " : "";
    char *message;
    if (found) message = ls_format("%s%s%s%s", r->message, separator, how, r->case_written ? "" : ", with no case written");
    else if (r->x_walk) message = ls_format("%s, with %d for every bit that is X in the RTL", how, r->x);
    else message = ls_copy(how);
    if (!found) r->status = status;
    ls_cut(r->message, sizeof r->message, message);
    free(message);
}

static void on_stop(ls_dut_stop what, const char *text) {
    static const char *const names[] = {"$finish", "$stop", "fatal"};
    char *how = ls_format("the DUT ended itself in cycle %" PRIu64 ": %s: %s", child_result->cycles, names[what], text);
    end_early(child_result, LS_CRASH, how);
    free(how);
    keep_coverage();
    _exit(CHILD_DONE);
}

/* No fault of the DUT's: what was found until then stays. Allocates nothing. */
static void on_no_memory(void) {
    ls_result *r = child_result;
    if (r->status != LS_MISMATCH || r->mismatch.field[0] == '\0') {
        r->status = LS_USAGE;
        (void)snprintf(r->message, sizeof r->message, "no memory or no thread left for the DUT's process, in cycle %" PRIu64,
                       r->cycles);
    }
    _exit(CHILD_DONE);
}

/* A new pair, with the request's mutant switched on: the only input that is constant for a whole run. */
static int open_pair(ls_pair *pair, const ls_request *rq, const ls_dut_api *api, uint64_t fill, char *error, size_t size) {
    if (ls_pair_open(pair, rq->unit, rq->cfg, api, fill, on_stop, rq->ports_only, rq->masks, error, size) != 0) return -1;
    if (rq->select_port == NULL) return 0;
    const ls_signal *list;
    const size_t count = api->signals(pair->dut, &list);
    for (size_t i = 0; i < count; i++) {
        const ls_signal *s = &list[i];
        if (strcmp(s->name, rq->select_port) != 0 || s->kind != LS_SIGNAL_IN || s->stride > sizeof rq->select) continue;
        memcpy(s->addr, &rq->select, s->stride); /* little-endian, as every signal */
        return 0;
    }
    (void)snprintf(error, size, "the DUT has no input %s of up to 32 bits", rq->select_port);
    return -1;
}

/* Bits `at` .. of the words to their low end, all others 0. */
static void cut_out(uint32_t *words, uint32_t at, uint32_t bits) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < bits; i++) value |= (uint64_t)(words[(at + i) / 32] >> (at + i) % 32 & 1) << i;
    memset(words, 0, 32 * sizeof *words);
    memcpy(words, &value, sizeof value);
}

/* Of a record the first member that differs, with the values of its first element that does, or NULL. */
static const ls_member *describe_member(const ls_field *f, uint32_t *rtl, uint32_t *model, uint32_t *diff, ls_mismatch *m) {
    for (uint32_t i = 0; i < f->member_count; i++) {
        const ls_member *member = &f->members[i];
        for (uint32_t k = 0; k < member->count; k++) {
            const uint32_t at = member->low + k * member->bits;
            uint32_t part[32];
            memcpy(part, diff, sizeof part);
            cut_out(part, at, member->bits);
            if ((part[0] | part[1]) == 0) continue;
            cut_out(rtl, at, member->bits);
            cut_out(model, at, member->bits);
            cut_out(diff, at, member->bits);
            m->index = m->index * member->count + k;
            m->count = f->count * member->count;
            m->bits = member->bits;
            return member;
        }
    }
    return NULL;
}

/* Whether a bit differs of the piece in the element whose bits begin at `first`. */
static bool piece_differs(const ls_piece *p, uint32_t first, uint32_t bits, const uint32_t *diff) {
    for (uint32_t i = 0; i < bits; i++)
        if ((diff[i / 32] >> i % 32 & 1) != 0 && first + i >= p->at && first + i < p->at + p->bits) return true;
    return false;
}

static void describe_mismatch(const ls_pair *pair, ls_where where, uint64_t cycle, ls_mismatch *m) {
    int64_t index;
    const ls_bound *b = ls_pair_first(pair, where, &index);
    if (b == NULL) ls_die("the fast comparison and the slow one disagree in cycle %" PRIu64 ": please report this", cycle);
    const ls_field *f = b->field;
    uint32_t rtl[32], model[32], diff[32];
    ls_dut_element(b, (uint32_t)index, rtl);
    ls_model_element(f, ls_pair_side(pair, f), (uint32_t)index, model);
    *m = (ls_mismatch){
        .cycle = cycle, .index = (uint32_t)index, .count = f->count, .bits = f->bits, .output = where == LS_AT_OUTPUTS};
    for (uint32_t i = 0; i < 32; i++) {
        diff[i] = rtl[i] ^ model[i];
    }
    ls_seen_element(f, (uint32_t)index, diff);
    uint32_t all[32];
    memcpy(all, diff, sizeof all);
    const ls_member *member = describe_member(f, rtl, model, diff, m);
    for (uint32_t i = 0; i < 32; i++) {
        if (m->bits > 64 && diff[i] != 0) m->lanes |= UINT32_C(1) << i;
    }
    uint32_t row = 0;
    const ls_field *stale = ls_pair_swept(pair, b, index) ? NULL : ls_pair_stale(pair, &row);
    if (stale != NULL || ls_pair_swept(pair, b, index)) m->earlier = cycle < pair->period ? cycle : pair->period;
    if (stale != NULL) (void)ls_element_name(stale, row, m->row, sizeof m->row);
    (void)snprintf(m->field, sizeof m->field, "%s", member != NULL ? member->name : f->name);
    (void)ls_rtl_name(f, m->rtl_name, sizeof m->rtl_name);
    for (size_t i = f->piece_count; i-- > 0;) /* the expression of the lowest bit that differs */
        if (piece_differs(&f->pieces[i], (uint32_t)index * f->bits, f->bits, all))
            (void)snprintf(m->rtl_name, sizeof m->rtl_name, "%s", f->pieces[i].text);
    if (member != NULL && f->pieces == NULL)
        (void)snprintf(m->rtl_name + strlen(m->rtl_name), sizeof m->rtl_name - strlen(m->rtl_name), "%s",
                       member->name + strlen(f->name));
    (void)ls_hex(rtl, 1024, m->rtl);
    (void)ls_hex(model, 1024, m->model);
    (void)ls_hex(diff, 1024, m->diff);
    for (size_t i = 0; i < pair->binding.count; i++) {
        const ls_bound *other = &pair->binding.list[i];
        const bool state = ls_is_state(other->field);
        if (other->field->kind == LS_IN || state != (where == LS_AT_STATE)) continue;
        if (ls_first_difference(other, ls_pair_side(pair, other->field)) < 0) continue;
        const size_t used = strlen(m->others);
        if (m->fields++ > 0 && used + strlen(other->field->name) + 3 < sizeof m->others)
            (void)snprintf(m->others + used, sizeof m->others - used, "%s%s", used > 0 ? ", " : "", other->field->name);
    }
}

static void count_bins(uint64_t hits, ls_result *r) {
    r->bins_hit |= hits;
    r->sampled++;
    for (; hits != 0; hits &= hits - 1) r->bins[__builtin_ctzll(hits)]++;
}

/* A property's violation, or that of a model whose two ways through a cycle do not agree, is no field's. */
static bool is_property(const ls_mismatch *m) { return strcmp(m->field, "property") == 0; }

/* A case without a cycle yet. */
static void start_case(const ls_request *rq, const ls_result *r, ls_case *c) {
    ls_case_init(c, rq->unit, rq->cfg, r->fill, is_property(&r->mismatch) ? "" : r->mismatch.field);
    if (rq->rtl != NULL) ls_case_set_rtl(c, rq->rtl, rq->defines, rq->extra, rq->ports_only);
    if (rq->netlist != NULL) ls_case_set_netlist(c, rq->netlist->liberty);
    if (rq->replay == NULL) return;
    c->second_fill = rq->replay->second_fill;
    c->x = rq->replay->x;
}

static void end_case(const ls_request *rq, ls_case *c, char *error, size_t size, ls_result *r) {
    r->case_written = error[0] == '\0' && ls_case_write(c, rq->case_path, error, size) == 0;
    if (!r->case_written) ls_say(stderr, "lockstep: %s\n", error);
    ls_case_free(c);
}

static void tell_step(ls_result *r, const ls_field *f) {
    const size_t used = strlen(r->message);
    (void)snprintf(r->message + used, sizeof r->message - used, "%sthe model's step is not comb, then clock: %s",
                   used > 0 ? "; " : "", f->name);
}

/* Whether a walk with one value for all that is X leaves this epoch now. */
static bool leaves_epoch(const ls_source *s) { return s->cycle >= X_CYCLES && s->cycle - s->epoch_start >= X_EPOCH; }

bool ls_run_warps(const ls_request *rq) {
    const char *reason;
    return rq->unit->leap != NULL && rq->replay == NULL && rq->workload == NULL && !rq->ports_only && rq->masks == NULL &&
           rq->netlist == NULL && rq->select_port == NULL && ls_map_ignored(rq->unit->map, 0, &reason) == NULL;
}

/* Where the run's inputs come from. 0, or -1 and a message. */
static int open_source(ls_source *source, const ls_request *rq, const void *model, const char *workload, char *error,
                       size_t size) {
    if (rq->replay != NULL) {
        ls_source_replay(source, rq->unit, rq->replay);
        return 0;
    }
    if (rq->script != NULL) {
        ls_source_script(source, rq->unit, model, rq->script, NULL);
        ls_source_surround(source, rq->surroundings, rq->cfg);
        return 0;
    }
    if (ls_source_open(source, rq->unit, model, rq->seed, workload, error, size) != 0) return -1;
    ls_source_surround(source, rq->surroundings, rq->cfg);
    return 0;
}

/* The coming cycle, after the time warp or the start state before it; the end, with status and message, when that cannot be. */
static ls_source_next next_cycle(ls_source *source, ls_pair *pair, ls_result *r) {
    ls_source_next next;
    while ((next = ls_source_step(source, pair->model, pair->in)) == LS_NEXT_WARP || next == LS_NEXT_START) {
        if (next == LS_NEXT_START) {
            if (ls_pair_start(pair, &source->replay->start, r->message, sizeof r->message) == 0) continue;
            r->status = LS_USAGE;
            return LS_NEXT_END;
        }
        r->warps++;
        if (!ls_pair_warp(pair, source->warp)) ls_die("%s drew a time warp that it does not know", pair->unit->name);
    }
    return next;
}

/* Plays the source again, without code of a DUT, for `cycles` cycles, and writes the case down: of a run, or, with `x` 0 or 1, of
 * a walk with that for all that is X. The last cycles tell as well whether the mismatch is that of a model whose two ways through
 * a cycle do not agree. */
static void play_into_case(const ls_request *rq, const ls_dut_api *api, uint64_t cycles, int x, ls_result *r) {
    char error[256] = "";
    ls_pair pair; /* never closed: a DUT that never ran has final blocks too */
    ls_source source;
    ls_case c;
    ls_step_check stepped = {0};
    const ls_field *other = NULL;
    bool whole = true;
    if (open_pair(&pair, rq, api, r->fill, error, sizeof error) != 0) return;
    start_case(rq, r, &c);
    if (x != LS_X_RANDOM) c.x = x;
    if (open_source(&source, rq, pair.model, rq->workload, error, sizeof error) != 0) return;
    if (x == LS_X_RANDOM && ls_run_warps(rq)) ls_source_warps(&source);
    for (uint64_t cycle = 0; cycle < cycles && whole; cycle++) {
        ls_source_next next;
        uint64_t warp = 0;
        while ((next = ls_source_step(&source, pair.model, pair.in)) == LS_NEXT_WARP || next == LS_NEXT_START) {
            if (next == LS_NEXT_START) {
                ls_start_copy(&c.start, &source.replay->start, rq->unit);
                ls_start_put(&c.start, rq->unit, pair.model);
                continue;
            }
            warp = source.warp;
            (void)rq->unit->warp(pair.model, warp);
        }
        if (next == LS_NEXT_END) break;
        const bool reset = next == LS_NEXT_RESET;
        if (reset && (c.count * rq->unit->in_size > CASE_BYTES || c.count > LS_CASE_CYCLES_MAX / 2) &&
            c.reset[c.count - 1] == 0) {
            c.count = 0;
            ls_start_free(&c.start);
        }
        whole = ls_case_add(&c, reset, warp, pair.in) == 0;
        if (reset) {
            rq->unit->reset(pair.model);
            continue;
        }
        const bool step_too = other == NULL && rq->unit->step != NULL && r->status == LS_MISMATCH && cycle + STEP_LAST >= cycles;
        if (step_too) ls_step_check_before(&stepped, &pair);
        rq->unit->comb(pair.model, pair.in, pair.out);
        ls_source_observe(&source, pair.in, pair.out);
        rq->unit->clock(pair.model, pair.in);
        if (step_too) other = ls_step_check_after(&stepped, &pair);
        if (step_too && other != NULL) tell_step(r, other);
        if (x != LS_X_RANDOM && leaves_epoch(&source)) ls_source_skip(&source);
    }
    ls_step_check_free(&stepped);
    if (!whole)
        (void)snprintf(error, sizeof error, "no case file: it would have more than %u cycles without a reset",
                       LS_CASE_CYCLES_MAX);
    end_case(rq, &c, error, sizeof error, r);
    ls_source_close(&source);
}

static void write_case(const ls_request *rq, const ls_dut_api *api, uint64_t cycles, int x, ls_result *r) {
    r->writing = true;
    play_into_case(rq, api, cycles, x, r);
    r->writing = false;
}

/* Of a netlist of gates: whether the signal is a flip-flop, and not of a memory. All others are wires, some of them constant. */
static bool is_flop(const ls_signal *s) {
    const bool macro = strncmp(s->name, LS_MACRO_NAME, strlen(LS_MACRO_NAME)) == 0;
    return strncmp(s->name, LS_STORE_NAME, strlen(LS_STORE_NAME)) == 0 || (macro && s->count == 1);
}

void ls_second_fill(const ls_pair *pair) {
    const ls_signal *list;
    const size_t count = pair->api->signals(pair->dut, &list);
    for (const ls_signal *s = list; s < list + count; s++) {
        bool invert = s->kind == LS_SIGNAL_REG && (!pair->fields.gates || is_flop(s));
        for (size_t i = 0; i < pair->binding.count; i++)
            invert &= pair->binding.list[i].signal != s || pair->binding.list[i].field->kind == LS_STATE;
        for (size_t i = 0; i < pair->binding.copied_count; i++) invert &= pair->binding.copied[i].signal != s;
        for (size_t i = 0; i < pair->binding.mapped_memory_count; i++)
            invert &= strcmp(pair->binding.mapped_memories[i], s->name) != 0;
        for (size_t bit = 0; invert && bit < (size_t)s->stride * 8 * s->count; bit += 8) {
            const uint32_t place = (uint32_t)(bit % (s->stride * 8));
            uint8_t *byte = (uint8_t *)s->addr + bit / 8;
            if (place < s->bits) *byte = (uint8_t)(*byte ^ ls_mask(s->bits - place < 8 ? s->bits - place : 8));
        }
    }
}

#define SECOND_FILL "after reset, with the second fill of the registers, the inverse of the random one"
#define EITHER_FILL "after reset, with either fill of the registers"

/* Resets an instance with the first or the second fill, its inputs 0, and describes a mismatch without a message. */
static ls_where reset_instance(const ls_request *rq, const ls_dut_api *api, bool second, ls_result *r) {
    ls_pair pair;
    char error[256] = "";
    if (open_pair(&pair, rq, api, r->fill, error, sizeof error) != 0) ls_die("%s", error);
    if (second) ls_second_fill(&pair);
    uint64_t cycle = 0;
    ls_where where = ls_pair_reset(&pair);
    while (where == LS_EQUAL && ++cycle < LS_RESET_CYCLES) where = ls_pair_reset(&pair);
    if (where != LS_EQUAL) {
        describe_mismatch(&pair, where, cycle, &r->mismatch);
        r->compares = pair.compares;
        r->fields = (uint32_t)pair.binding.count;
        r->resets = cycle + 1;
    }
    ls_pair_close(&pair);
    return where;
}

/* A second instance with the inverse fill must agree after reset too: an unreset bit shows in one of the two. When the first fill
 * fails as well, that is the mismatch: a wrong value after reset needs no second fill. */
static ls_where check_second_fill(const ls_request *rq, const ls_dut_api *api, ls_result *r) {
    if (reset_instance(rq, api, true, r) == LS_EQUAL) return LS_EQUAL;
    const ls_mismatch with_second = r->mismatch;
    const ls_result as_it_is = *r;
    const bool second = reset_instance(rq, api, false, r) == LS_EQUAL;
    if (second) {
        *r = as_it_is;
        (void)snprintf(r->message, sizeof r->message, SECOND_FILL);
    } else if (strcmp(r->mismatch.field, with_second.field) == 0 && strcmp(r->mismatch.rtl, with_second.rtl) == 0) {
        (void)snprintf(r->message, sizeof r->message, EITHER_FILL);
    } else {
        (void)snprintf(r->message, sizeof r->message,
                       "after reset, and not alike with both fills of the registers: a register is not reset");
    }
    r->status = LS_MISMATCH;
    if (rq->case_path == NULL) return LS_AT_STATE;
    const uint64_t resets = r->resets;
    char error[256] = "";
    uint8_t *zero = ls_zeroed(rq->unit->in_size);
    ls_case c;
    start_case(rq, r, &c);
    c.second_fill = second;
    for (uint64_t i = 0; i < resets; i++) (void)ls_case_add(&c, true, 0, zero);
    end_case(rq, &c, error, sizeof error, r);
    free(zero);
    return LS_AT_STATE;
}

#define X_REACHES "with %d for every bit that is X in the RTL: an X reaches this field"

/* What is X in the RTL is a random constant in the run itself, and a single bit may happen to be what the model has. So two more
 * instances walk the run's first cycles and the first ones of its epochs when it is over, one with all of it at 0, one at 1. */
static ls_where check_x(const ls_request *rq, const ls_dut_api *api, int value, ls_result *r) {
    ls_pair pair;
    ls_source source;
    char error[256];
    const uint64_t all = r->cycles;
    uint64_t walked = 0;
    ls_where where = LS_EQUAL;
    api->x_value(value);
    if (open_pair(&pair, rq, api, r->fill, error, sizeof error) != 0 ||
        open_source(&source, rq, pair.model, NULL, error, sizeof error) != 0)
        ls_die("%s", error);
    api->x_value(LS_X_RANDOM);
    r->x_walk = true;
    r->x = value;
    for (; source.cycle < (rq->script != NULL ? X_SCRIPT : rq->cycles) && where == LS_EQUAL; walked++) {
        r->cycles = source.cycle;
        const ls_source_next next = ls_source_step(&source, pair.model, pair.in);
        if (next == LS_NEXT_END) break;
        where = next == LS_NEXT_RESET ? ls_pair_reset(&pair) : ls_pair_cycle(&pair, NULL);
        if (next == LS_NEXT_RESET) continue;
        ls_source_observe(&source, pair.in, pair.out);
        if (where == LS_EQUAL && leaves_epoch(&source)) ls_source_skip(&source);
    }
    if (where == LS_EQUAL && !rq->ports_only && walked > 0) where = ls_pair_all(&pair);
    if (where != LS_EQUAL) {
        const uint64_t cycle = r->cycles;
        const bool skipped = walked <= cycle; /* then nobody knows how much of the run what a sweep found is old */
        describe_mismatch(&pair, where, cycle, &r->mismatch);
        if (skipped && r->mismatch.earlier != 0) r->mismatch.earlier = cycle;
        const int used = snprintf(r->message, sizeof r->message, X_REACHES, value);
        if (skipped)
            (void)snprintf(r->message + used, sizeof r->message - (size_t)used, " (cycle %" PRIu64 " of its case)", walked - 1);
        r->status = LS_MISMATCH;
        if (rq->case_path != NULL) write_case(rq, api, walked, value, r);
    }
    r->cycles = all;
    ls_source_close(&source);
    ls_pair_close(&pair);
    r->x_walk = where != LS_EQUAL;
    return where;
}

/* Plays the case that failed again with the other value for all that is X, or with the first fill: whether it fails as it did,
 * for another cause than the one it was made for. */
static bool fails_otherwise(const ls_request *rq, const ls_dut_api *api, ls_result *r) {
    ls_pair pair;
    ls_source source;
    ls_mismatch m = {0};
    ls_result again = {0};
    char error[256];
    const uint64_t all = r->cycles;
    const int x = rq->replay->x;
    ls_where where = LS_EQUAL;
    api->x_value(x != LS_X_RANDOM ? 1 - x : x);
    if (open_pair(&pair, rq, api, r->fill, error, sizeof error) != 0) ls_die("%s", error);
    if (rq->replay->second_fill && x != LS_X_RANDOM) ls_second_fill(&pair);
    ls_source_replay(&source, rq->unit, rq->replay);
    for (r->cycles = 0; r->cycles <= all && where == LS_EQUAL; r->cycles++) {
        where = next_cycle(&source, &pair, &again) == LS_NEXT_RESET ? ls_pair_reset(&pair) : ls_pair_cycle(&pair, NULL);
        if (where == LS_EQUAL && r->cycles == all && !rq->ports_only) where = ls_pair_all(&pair);
        if (where != LS_EQUAL) describe_mismatch(&pair, where, r->cycles, &m);
    }
    r->cycles = all;
    ls_source_close(&source);
    ls_pair_close(&pair);
    return where != LS_EQUAL && m.cycle == all && strcmp(m.field, r->mismatch.field) == 0 && m.index == r->mismatch.index &&
           strcmp(m.rtl, r->mismatch.rtl) == 0;
}

static void count_sink(void *ctx, const char *name, double value) {
    ls_result *r = ctx;
    if (r->counters >= LS_COUNTERS_MAX) return;
    (void)snprintf(r->counter[r->counters].name, sizeof r->counter[0].name, "%s", name);
    r->counter[r->counters++].value = value;
}

/* Whether every input fits its port: what does not is cut off in a netlist and not in simulation. False with a message in `r`. */
static bool inputs_fit(const ls_pair *pair, ls_result *r) {
    for (size_t i = 0; i < pair->fields.count; i++) {
        const ls_field *f = &pair->fields.list[i];
        for (uint32_t n = 0; f->kind == LS_IN && n < ls_part_count(f); n++) {
            const ls_part part = ls_part_of(f, n);
            const int k = ls_model_unfit(&part.field, pair->in);
            if (k < 0) continue;
            uint32_t words[32];
            char hex[LS_HEX_MAX];
            ls_model_element(&part.field, pair->in, (uint32_t)k, words);
            (void)snprintf(r->message, sizeof r->message, "the stimulus drives 0x%s into %s[%u], which has %u bit%s",
                           ls_hex(words, 1024, hex), part.field.name, part.first + (uint32_t)k, part.field.bits,
                           part.field.bits == 1 ? "" : "s");
            return false;
        }
    }
    return true;
}

/* Whether a run without all of its evidence is vacuous: not of what was written down before. */
static bool demands(const ls_request *rq) {
    return rq->workload == NULL && rq->replay == NULL && (rq->script == NULL || rq->author != NULL);
}

/* The cycles of a run. The result's status is set when it returns. */
static void run_cycles(const ls_request *rq, const ls_probe *probe, ls_pair *pair, ls_source *source, ls_result *r) {
    const ls_unit *unit = rq->unit;
    const uint64_t limit = rq->cycles != 0 ? rq->cycles : UINT64_MAX;
    ls_evidence e = {0};
    ls_step_check stepped = {0};
    const bool demanding = demands(rq);
    const uint64_t all = ls_unit_bins(unit, rq->cfg, NULL);
    ls_where where = LS_EQUAL;
    const double start = ls_seconds(), work = ls_work_seconds();
    while (r->cycles < limit) {
        if (rq->seconds > 0 && r->cycles % WORK_EVERY == 0 && ls_work_seconds() - work >= rq->seconds) break;
        const ls_source_next next = next_cycle(source, pair, r);
        if (next == LS_NEXT_END) break;
        if (next == LS_NEXT_RESET) {
            where = ls_pair_reset(pair);
            r->resets++;
        } else {
            const bool incomplete = demanding && ((r->bins_hit & all) != all || e.open > 0);
            const bool sample = !rq->quick && (r->sampled < LS_SAMPLE_ALL || incomplete || r->cycles % LS_SAMPLE_EVERY == 0);
            uint64_t hits = 0;
            if (sample && !inputs_fit(pair, r)) {
                r->status = LS_USAGE;
                r->input_unfit = true;
                break;
            }
            const bool step_too = sample && unit->step != NULL && r->sampled % STEP_EVERY == 0;
            if (step_too) ls_step_check_before(&stepped, pair);
            const ls_author *author = source->author != NULL && source->author->looks ? source->author : NULL;
            where = ls_pair_cycle(pair, sample || (author != NULL && unit->stim_rng != SIZE_MAX) ? &hits : NULL);
            const ls_field *other = step_too && where == LS_EQUAL ? ls_step_check_after(&stepped, pair) : NULL;
            if (other != NULL) {
                r->status = LS_MISMATCH;
                r->mismatch.cycle = r->cycles;
                (void)snprintf(r->mismatch.field, sizeof r->mismatch.field, "property");
                tell_step(r, other);
                break;
            }
            if (author != NULL) author->saw(author->ctx, pair->model, pair->in, pair->out, hits);
            ls_source_observe(source, pair->in, pair->out);
            if (sample) {
                count_bins(hits, r);
                if (e.first == NULL) ls_evidence_start(&e, pair);
                else if (e.count > 0) ls_evidence_sample(&e, pair);
            }
        }
        if (probe != NULL) probe->sample(probe->ctx, pair, r->cycles, where != LS_AT_OUTPUTS);
        if (where != LS_EQUAL) break;
        if (unit->property != NULL && source->stim != NULL &&
            (ls_source_property(source) != NULL || unit->workload_error(source->stim) != NULL))
            break;
        r->cycles++;
    }
    ls_step_check_free(&stepped);
    r->seconds = ls_seconds() - start;
    r->work = ls_work_seconds() - work;
    r->compares = pair->compares;
    if (where == LS_EQUAL && r->status == LS_PASS && !rq->ports_only && r->cycles > 0) {
        where = ls_pair_all(pair);
        if (where != LS_EQUAL) r->cycles--; /* the last one is where it was seen */
    }
    if (where != LS_EQUAL) {
        r->status = LS_MISMATCH;
        describe_mismatch(pair, where, r->cycles, &r->mismatch);
    }
    r->fields = (uint32_t)pair->binding.count;
    if (e.first != NULL) ls_evidence_end(&e, pair, r);
}

/* Whether a bin's count says nothing: hit though its unit says that it cannot be, or in every cycle. With a message in `r`. */
static bool is_idle_bin(const ls_request *rq, ls_result *r) {
    ls_unreachable never;
    (void)ls_unit_bins(rq->unit, rq->cfg, &never);
    for (uint32_t i = 0; rq->unit->bin_names[i] != NULL; i++) {
        char *wrong = NULL;
        if ((r->bins_hit & never.bins) >> i & 1)
            wrong =
                ls_format("bin \"%s\" was hit, and its unit says that it cannot be: %s", rq->unit->bin_names[i], never.reason[i]);
        else if (r->sampled >= ALWAYS_AFTER && r->bins[i] == r->sampled && rq->workload == NULL)
            wrong = ls_format("bin \"%s\" is hit in every cycle: it says nothing", rq->unit->bin_names[i]);
        if (wrong == NULL) continue;
        ls_cut(r->message, sizeof r->message, wrong);
        free(wrong);
        return true;
    }
    return false;
}

/* What a run that found no difference has proved. */
static void judge_evidence(const ls_request *rq, ls_result *r) {
    const uint64_t all = ls_unit_bins(rq->unit, rq->cfg, NULL);
    r->status = LS_PASS;
    if (r->cycles <= r->resets) {
        r->status = LS_VACUOUS;
        (void)snprintf(r->message, sizeof r->message, "no cycle was compared");
    } else if (demands(rq) && r->constant_changed[0] != '\0') {
        r->status = LS_VACUOUS;
        ls_cut(r->message, sizeof r->message, r->constant_changed);
    } else if (rq->replay == NULL && rq->unit->property != NULL && r->legal == 0) {
        r->status = LS_VACUOUS;
        (void)snprintf(r->message, sizeof r->message, "no cycle had legal inputs: no property was checked");
    } else if (rq->replay == NULL && is_idle_bin(rq, r)) {
        r->status = LS_VACUOUS;
    } else if (rq->workload != NULL && (r->outputs_changed == 0 || (r->registers_changed == 0 && !rq->ports_only))) {
        r->status = LS_VACUOUS;
        (void)snprintf(r->message, sizeof r->message, "the workload moved nothing: %u outputs and %u registers changed",
                       r->outputs_changed, r->registers_changed);
    } else if (rq->workload != NULL && !r->drained) {
        (void)snprintf(r->message, sizeof r->message,
                       "stopped by --cycles before the workload's end: final registers were not checked");
    } else if (demands(rq) && ((r->bins_hit & all) != all || r->unchanged > 0)) {
        r->status = LS_VACUOUS;
        const char *separator = ":";
        ls_text text = {0};
        ls_text_add(&text, "too little was seen");
        if (r->unchanged > 0) {
            ls_text_add(&text, ": %u field%s never changed (%s)", r->unchanged, r->unchanged == 1 ? "" : "s", r->unchanged_names);
            separator = ";";
        }
        for (uint32_t i = 0; rq->unit->bin_names[i] != NULL; i++) {
            if (((r->bins_hit | ~all) >> i & 1) != 0) continue;
            ls_text_add(&text, "%s bin \"%s\" never hit", separator, rq->unit->bin_names[i]);
            separator = ";";
        }
        ls_cut(r->message, sizeof r->message, text.data);
        free(ls_text_take(&text));
    }
}

static void child_main(const ls_request *rq, const ls_probe *probe, ls_result *r) {
    ls_pair pair;
    ls_source source;
    const ls_dut_api *api = ls_dut_load(rq->so_path, r->message, sizeof r->message);
    r->status = LS_USAGE;
    r->fill = rq->replay != NULL ? rq->replay->fill : rq->fill != 0 ? rq->fill : ls_seed_derive(rq->seed, "fill");
    if (api != NULL && rq->replay != NULL) api->x_value(rq->replay->x);
    if (api == NULL) return;
    r->model_unfit = open_pair(&pair, rq, api, r->fill, r->message, sizeof r->message) != 0;
    if (r->model_unfit) return;
    covered.api = api;
    covered.dut = pair.dut;
    r->sweep_period = pair.period;
    for (size_t i = 0; i < pair.binding.count; i++) r->memories_copied += pair.binding.list[i].field->kind == LS_MEMORY;
    r->memories_copied += (uint32_t)pair.binding.copied_count;
    if (open_source(&source, rq, pair.model, rq->workload, r->message, sizeof r->message) != 0) return;
    r->status = LS_PASS;
    const bool second = rq->replay != NULL && rq->replay->second_fill;
    if (second) ls_second_fill(&pair);
    const bool with_x = rq->replay != NULL && rq->replay->x != LS_X_RANDOM; /* then that may differ in a reset too */
    if (!second && !with_x && !rq->quick && probe == NULL && pair.reset != NULL && check_second_fill(rq, api, r) != LS_EQUAL)
        return;
    if (probe != NULL && probe->open(probe->ctx, &pair, r->message, sizeof r->message) != 0) {
        r->status = LS_USAGE;
        return;
    }
    source.author = rq->author; /* a walk after the run goes through what the script has become */
    if (ls_run_warps(rq)) ls_source_warps(&source);
    run_cycles(rq, probe, &pair, &source, r);
    const bool plain = !rq->quick && probe == NULL && rq->replay == NULL && rq->workload == NULL;
    for (int value = 0; plain && rq->select_port == NULL && rq->netlist == NULL && r->status == LS_PASS && value < 2; value++) {
        if (check_x(rq, api, value, r) != LS_EQUAL) return;
    }
    r->drained = ls_source_drained(&source);
    r->sub_cores = source.copy_count + 1;
    if (rq->workload != NULL) {
        const char *first = NULL;
        r->unknown_opcodes = rq->unit->workload_unknown(source.stim, &first);
        (void)snprintf(r->first_unknown, sizeof r->first_unknown, "%s", first != NULL ? first : "");
    }
    if (probe != NULL) probe->close(probe->ctx, &pair);
    if (rq->unit->counters != NULL && source.stim != NULL) rq->unit->counters(source.stim, pair.model, count_sink, r);
    const bool system = rq->unit->property != NULL && source.stim != NULL;
    const char *property = ls_source_property(&source);
    const char *unread = system ? rq->unit->workload_error(source.stim) : NULL;
    r->legal = system ? source.legal : 0;
    if (r->status == LS_PASS && unread != NULL) {
        r->status = LS_USAGE;
        ls_cut(r->message, sizeof r->message, unread);
    } else if (r->status == LS_PASS && property != NULL) {
        r->status = LS_MISMATCH;
        r->mismatch.cycle = r->cycles;
        (void)snprintf(r->mismatch.field, sizeof r->mismatch.field, "property");
        ls_cut(r->message, sizeof r->message, property);
    } else if (r->status == LS_PASS) {
        judge_evidence(rq, r);
    } else if (r->status == LS_MISMATCH && (second || with_x) && !rq->quick) {
        const bool alike = fails_otherwise(rq, api, r);
        if (!with_x) (void)snprintf(r->message, sizeof r->message, alike ? EITHER_FILL : SECOND_FILL);
        else if (alike)
            (void)snprintf(r->message, sizeof r->message,
                           "with 0 and with 1 for every bit that is X in the RTL: no X is the cause");
        else (void)snprintf(r->message, sizeof r->message, X_REACHES, rq->replay->x);
    }
    keep_coverage(); /* while there is a DUT */
    /* A property is the stimulus's word, or that of two ways through the model: a case has neither and could not fail in it. */
    const bool found = r->status == LS_MISMATCH && !is_property(&r->mismatch);
    const uint64_t recorded = found || (r->status == LS_MISMATCH && rq->record > 0) ? r->cycles + 1 : rq->record;
    if (recorded > 0 && rq->case_path != NULL && !rq->quick) write_case(rq, api, recorded, LS_X_RANDOM, r);
    ls_source_close(&source);
    ls_pair_close(&pair); /* last of all: its final blocks run, and may end the process */
}

static void show_progress(const ls_request *rq, const ls_result *r, double elapsed) {
    const double speed = elapsed > 0 ? (double)r->cycles / elapsed : 0;
    if (rq->cycles != 0)
        ls_progress_draw("lockstep: %s: %5.1f %%  %.2f M cycles  %.2f M/s", rq->unit->name,
                         100.0 * (double)r->cycles / (double)rq->cycles, (double)r->cycles * 1e-6, speed * 1e-6);
    else ls_progress_draw("lockstep: %s: %.2f M cycles  %.2f M/s", rq->unit->name, (double)r->cycles * 1e-6, speed * 1e-6);
}

/* Waits for the child's end, watching that its cycles go on, and passes on what it prints. True when it had to be killed. */
static bool wait_or_kill(const ls_request *rq, pid_t pid, int pipe_end, ls_run_output *output, const ls_result *r) {
    const double timeout = rq->timeout > 0 ? rq->timeout : DEFAULT_TIMEOUT;
    const double start = ls_seconds();
    double moved = start;
    uint64_t seen = 0;
    bool killed = false;
    struct pollfd fds[2] = {{.fd = pipe_end, .events = POLLIN}, {.fd = output->from, .events = POLLIN}};
    while (!killed) {
        const bool ready = poll(fds, 2, 200) > 0;
        if (ready && fds[0].revents != 0) break;
        if (ready && fds[1].revents != 0) {
            const double before = ls_seconds();
            if (!ls_run_output_pass(output)) fds[1].fd = -1;
            const double waited = ls_seconds() - before;
            if (waited > SLOW_READER) moved += waited; /* then the DUT had to wait as well */
        }
        if (r->cycles != seen) {
            seen = r->cycles;
            moved = ls_seconds();
        }
        if (!ready && rq->progress && ls_seconds() - start > 0.5) {
            show_progress(rq, r, ls_seconds() - start);
        }
        if (ls_seconds() - moved < timeout || r->writing) continue;
        (void)kill(pid, SIGKILL);
        killed = true;
    }
    ls_progress_clear();
    return killed;
}

void ls_run(const ls_request *request, const ls_probe *probe, ls_result *result) {
    ls_result *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int ends[2];
    ls_run_output output;
    if (shared == MAP_FAILED || pipe2(ends, O_CLOEXEC) != 0 || ls_run_output_open(&output) != 0)
        ls_die("no memory or pipe for the DUT's process");
    (void)fflush(NULL);
    const pid_t self = getpid(), pid = fork();
    if (pid < 0) ls_die("cannot start the DUT's process");
    if (pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != self) _exit(CHILD_DONE); /* it ended before that held */
        (void)close(ends[0]);
        ls_run_output_child(&output);
        child_result = shared;
        ls_when_no_memory = on_no_memory;
        covered.path = request->coverage;
        child_main(request, probe, shared);
        keep_coverage();
        (void)fflush(NULL);
        _exit(CHILD_DONE);
    }
    (void)close(ends[1]);
    ls_run_output_parent(&output);
    const bool killed = wait_or_kill(request, pid, ends[0], &output, shared);
    (void)close(ends[0]);
    int status = 0;
    (void)waitpid(pid, &status, 0);
    ls_run_output_close(&output);
    *result = *shared;
    (void)munmap(shared, sizeof *shared);
    char *how = NULL;
    const bool loader = WIFEXITED(status) && WEXITSTATUS(status) == LOADER_FAILED && result->cycles == 0;
    const bool outside = !killed && WIFSIGNALED(status) && ls_from_outside(WTERMSIG(status)); /* no DUT does that to itself */
    if (killed) how = ls_format("the DUT did not finish cycle %" PRIu64 " in time", result->cycles);
    else if (outside)
        how = ls_format("the DUT's process was killed by signal %d (%s) in cycle %" PRIu64
                        ", from outside: for want of memory, by a batch "
                        "system or a person",
                        WTERMSIG(status), strsignal(WTERMSIG(status)), result->cycles);
    else if (WIFSIGNALED(status))
        how = ls_format("the DUT's process was killed by signal %d (%s) in cycle %" PRIu64, WTERMSIG(status),
                        strsignal(WTERMSIG(status)), result->cycles);
    else if (loader) how = ls_format("the loader ended the DUT's process, in cycle 0: for want of memory or of a symbol");
    else if (WEXITSTATUS(status) != CHILD_DONE)
        how = ls_format("the DUT's process ended with exit status %d in cycle %" PRIu64, WEXITSTATUS(status), result->cycles);
    if (how != NULL) end_early(result, killed ? LS_HANG : outside || loader ? LS_USAGE : LS_CRASH, how);
    free(how);
}
