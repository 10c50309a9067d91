/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model's threads: one at a time, each a program counter and a list of values. */
#include "tb/workload/judge/slow_ptx.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_kernel.h" /* where the generic windows lie */

typedef enum slow_wait { RUNNING, AT_BARRIER, AT_EXCHANGE, ENDED } slow_wait;

typedef struct thread {
    uint32_t pc;
    slow_wait wait;
    uint32_t id[3], flat; /* in its block */
    uint8_t carry;
    uint64_t *reg;
    uint8_t *local;
    slow_log *log;
} thread;

typedef struct run {
    slow_ptx *ptx;
    const slow_launch *launch;
    uint32_t block[3], threads;
    uint8_t *shared;
    thread *thread;
    uint64_t steps;
} run;

static void fail(run *r, const thread *t, const char *what, uint64_t value) {
    if (r->ptx->error[0] != '\0') return;
    (void)snprintf(r->ptx->error, sizeof r->ptx->error, "line %u, thread %u: %s %#" PRIx64, (unsigned)r->ptx->inst[t->pc].line,
                   (unsigned)t->flat, what, value);
}

void slow_ptx_map(slow_ptx *ptx, uint64_t address, void *bytes, uint64_t size) {
    if (ptx->regions == 8) abort();
    ptx->region[ptx->regions++] = (slow_region){address, size, bytes};
}

static uint64_t special(const run *r, const thread *t, uint32_t index) {
    const uint32_t lane = t->flat % 32;
    const uint32_t *const n = r->launch->block, *const grid = r->launch->grid;
    switch (index) {
    case 0:
    case 1:
    case 2:
        return t->id[index];
    case 3:
    case 4:
    case 5:
        return n[index - 3];
    case 6:
    case 7:
    case 8:
        return r->block[index - 6];
    case 9:
    case 10:
    case 11:
        return grid[index - 9];
    case 12:
        return lane;
    case 13:
        return t->flat / 32;
    case 14:
        return (r->threads + 31) / 32;
    case 15:
        return UINT64_C(1) << lane;
    case 16:
        return (UINT64_C(2) << lane) - 1;
    case 17:
        return (UINT64_C(1) << lane) - 1;
    case 18:
        return (UINT32_MAX << lane) & UINT32_MAX;
    default:
        return (UINT64_C(0xfffffffe) << lane) & UINT32_MAX;
    }
}

static uint64_t value(const run *r, const thread *t, const slow_part *p) {
    uint64_t v = 0;
    switch (p->kind) {
    case SLOW_REG:
        v = t->reg[p->index];
        break;
    case SLOW_IMM:
        v = p->imm;
        break;
    case SLOW_SPECIAL:
        v = special(r, t, p->index);
        break;
    case SLOW_SYMBOL:
        v = r->ptx->symbol[p->index].address;
        break;
    case SLOW_SINK:
        break;
    }
    return p->negated ? !(v & 1) : v;
}

/* Signed results are extended to registers that are wider than their type. */
static void set(const run *r, thread *t, const slow_part *p, uint64_t v, slow_type type) {
    if (p->kind != SLOW_REG) return;
    const uint32_t bits = r->ptx->reg[p->index].type.bits;
    v = type.kind == 's' ? slow_sext(v, type.bits) : slow_trunc(v, type.bits);
    t->reg[p->index] = slow_trunc(v, bits);
}

static uint8_t *find(run *r, const thread *t, char *space, uint64_t *address, uint32_t bytes) {
    const slow_ptx *const p = r->ptx;
    if (*space == '?') { /* generic: say which space it is */
        *space = 'g';
        if (*address - RF_SHARED_WINDOW < p->shared_bytes) *space = 's', *address -= RF_SHARED_WINDOW;
        else if (*address - RF_LOCAL_WINDOW < p->local_bytes) *space = 'l', *address -= RF_LOCAL_WINDOW;
    }
    if (*address % bytes != 0) fail(r, t, "misaligned address", *address);
    if (*space == 's' && *address + bytes <= p->shared_bytes) return r->shared + *address;
    if (*space == 'l' && *address + bytes <= p->local_bytes) return t->local + *address;
    if (*space == 'p' && *address + bytes <= p->param_bytes) return (uint8_t *)(uintptr_t)r->launch->param + *address;
    if (*space == 'g' || *space == 'c') {
        for (uint32_t k = 0; k < p->regions; k++)
            if (*address - p->region[k].address < p->region[k].size &&
                *address + bytes - p->region[k].address <= p->region[k].size)
                return p->region[k].bytes + (*address - p->region[k].address);
        for (uint32_t k = 0; k < p->symbols; k++)
            if (p->symbol[k].space == *space && *address - p->symbol[k].address < p->symbol[k].size)
                return p->symbol[k].bytes + (*address - p->symbol[k].address);
    }
    fail(r, t, "no memory at", *address);
    return NULL;
}

static uint64_t updated(const slow_inst *i, uint64_t old, uint64_t b, uint64_t c) {
    const uint32_t bits = i->type[0].bits;
    const bool sign = i->type[0].kind == 's';
    const bool less =
        sign ? (int64_t)slow_sext(old, bits) < (int64_t)slow_sext(b, bits) : slow_trunc(old, bits) < slow_trunc(b, bits);
    if (SLOW_HAS(i, and)) return old & b;
    if (SLOW_HAS(i, or)) return old | b;
    if (SLOW_HAS(i, xor)) return old ^ b;
    if (SLOW_HAS(i, exch)) return b;
    if (SLOW_HAS(i, min)) return less ? old : b;
    if (SLOW_HAS(i, max)) return less ? b : old;
    if (SLOW_HAS(i, cas)) return slow_trunc(old, bits) == slow_trunc(b, bits) ? c : old;
    if (SLOW_HAS(i, inc)) return slow_trunc(old, bits) >= slow_trunc(b, bits) ? 0 : old + 1;
    if (SLOW_HAS(i, dec)) return old == 0 || slow_trunc(old, bits) > slow_trunc(b, bits) ? b : old - 1;
    if (i->type[0].kind != 'f') return old + b;
    uint8_t carry = 0;
    bool second = false;
    const uint64_t v[4] = {old, b, 0, 0};
    return slow_math(&(slow_inst){.op = OP_add, .type = {i->type[0]}}, v, &carry, &second);
}

static void memory(run *r, thread *t, const slow_inst *i, slow_step *step) {
    char space = SLOW_HAS(i, global)   ? 'g'
                 : SLOW_HAS(i, shared) ? 's'
                 : SLOW_HAS(i, const)  ? 'c'
                 : SLOW_HAS(i, local)  ? 'l'
                 : SLOW_HAS(i, param)  ? 'p'
                                       : '?';
    const slow_operand *const at = &i->operand[i->writes ? 1 : 0];
    const uint32_t bytes = i->type[0].bits / 8u, n = SLOW_HAS(i, v4) ? 4 : SLOW_HAS(i, v2) ? 2 : 1;
    uint64_t address = value(r, t, &at->part[0]) + (uint64_t)at->offset;
    step->address = address;
    uint8_t *const p = find(r, t, &space, &address, bytes * n);
    if (!p) return;
    const slow_operand *const data = &at[1];
    for (uint32_t k = 0; k < n; k++) {
        uint64_t v = 0;
        memcpy(&v, p + k * bytes, bytes);
        if (i->op == OP_ld) {
            set(r, t, &i->operand[0].part[k], v, i->type[0]);
        } else if (i->op == OP_st) {
            v = value(r, t, &data->part[k]);
            memcpy(p + k * bytes, &v, bytes);
        } else {
            const uint64_t news = updated(i, v, value(r, t, &data->part[0]),
                                          i->operands > (i->writes ? 3u : 2u) ? value(r, t, &data[1].part[0]) : 0);
            memcpy(p, &news, bytes);
            if (i->writes) set(r, t, &i->operand[0].part[0], v, i->type[0]);
        }
    }
}

static slow_type result_type(const slow_inst *i) {
    const slow_type t = i->type[0];
    switch (i->op) {
    case OP_mul:
    case OP_mad:
        return SLOW_HAS(i, wide) ? (slow_type){t.kind, (uint8_t)(t.bits * 2)} : t;
    case OP_setp:
    case OP_testp:
        return (slow_type){'p', 1};
    case OP_popc:
    case OP_clz:
    case OP_bfind:
        return (slow_type){'u', 32};
    case OP_dp4a:
        return (slow_type){'u', 32};
    default:
        return t;
    }
}

static void move_vector(run *r, thread *t, const slow_inst *i) {
    const slow_operand *const to = &i->operand[0], *const from = &i->operand[1];
    const uint32_t part_bits = i->type[0].bits / (to->parts > 1 ? to->parts : from->parts);
    uint64_t whole = 0;
    for (uint32_t k = 0; k < from->parts; k++)
        whole |=
            from->parts == 1 ? value(r, t, &from->part[0]) : slow_trunc(value(r, t, &from->part[k]), part_bits) << k * part_bits;
    for (uint32_t k = 0; k < to->parts; k++)
        set(r, t, &to->part[k], to->parts == 1 ? whole : whole >> k * part_bits,
            (slow_type){'b', (uint8_t)(to->parts == 1 ? i->type[0].bits : part_bits)});
}

static void compute(run *r, thread *t, const slow_inst *i) {
    uint64_t v[4] = {0, 0, 0, 0};
    for (uint32_t k = 1; k < i->operands && k <= 4; k++)
        v[k - 1] = value(r, t, &i->operand[k].part[0]) + (uint64_t)i->operand[k].offset;
    if (i->op == OP_cvta) {
        const uint64_t base = SLOW_HAS(i, shared) ? RF_SHARED_WINDOW : SLOW_HAS(i, local) ? RF_LOCAL_WINDOW : 0;
        set(r, t, &i->operand[0].part[0], SLOW_HAS(i, to) ? v[0] - base : v[0] + base, i->type[0]);
        return;
    }
    bool second = false;
    const uint64_t result = slow_math(i, v, &t->carry, &second);
    slow_type type = result_type(i);
    if (i->op == OP_dp4a) type.bits = 32;
    set(r, t, &i->operand[0].part[0], result, type);
    if (i->operand[0].parts > 1) set(r, t, &i->operand[0].part[1], second, (slow_type){'p', 1});
}

/* --- the log ---------------------------------------------------------------------------------------------------------------- */

static void note_words(const run *r, const thread *t, const slow_operand *o, uint32_t *word, uint32_t *n) {
    for (uint32_t k = 0; k < o->parts; k++) {
        if (o->part[k].kind != SLOW_REG) continue;
        const slow_type type = r->ptx->reg[o->part[k].index].type;
        if (type.kind == 'p') continue;
        const uint64_t v = t->reg[o->part[k].index];
        word[(*n)++] = (uint32_t)v;
        if (type.bits == 64) word[(*n)++] = (uint32_t)(v >> 32);
    }
}

static slow_step *begin_step(run *r, thread *t, bool on) {
    static slow_step unwanted;
    slow_step *step = &unwanted;
    r->steps++;
    if (t->log) {
        if (t->log->steps == t->log->room) {
            t->log->room = t->log->room * 2 + 256;
            t->log->step = realloc(t->log->step, t->log->room * sizeof *t->log->step);
            if (!t->log->step) abort();
        }
        step = &t->log->step[t->log->steps++];
    }
    step->inst = t->pc;
    step->on = on;
    step->address = 0;
    const slow_inst *const i = &r->ptx->inst[t->pc];
    uint32_t n = 0;
    for (uint32_t k = i->writes ? 1 : 0; k < i->operands && t->log; k++) note_words(r, t, &i->operand[k], step->src, &n);
    return step;
}

static void end_step(run *r, thread *t, slow_step *step) {
    const slow_inst *const i = &r->ptx->inst[t->pc];
    uint32_t n = 0;
    if (i->writes && t->log) note_words(r, t, &i->operand[0], step->dst, &n);
}

/* --- threads ---------------------------------------------------------------------------------------------------------------- */

static bool exchanges(slow_op op) { return op == OP_shfl || op == OP_vote || op == OP_match || op == OP_activemask; }

static bool guard_lets(const thread *t, const slow_inst *i) {
    return i->guard < 0 || ((t->reg[i->guard] & 1) != 0) != i->guard_negated;
}

/* Runs a thread until it ends or waits. */
static void advance(run *r, thread *t) {
    while (t->wait == RUNNING && r->ptx->error[0] == '\0') {
        const slow_inst *const i = &r->ptx->inst[t->pc];
        if (r->steps > r->launch->limit) fail(r, t, "too many steps", r->steps);
        const bool on = guard_lets(t, i);
        if (on && exchanges(i->op)) {
            t->wait = AT_EXCHANGE;
            return;
        }
        slow_step *const step = begin_step(r, t, on);
        uint32_t to = t->pc + 1;
        if (on) {
            switch (i->op) {
            case OP_bra:
                to = i->target;
                break;
            case OP_exit:
            case OP_ret:
                t->wait = ENDED;
                break;
            case OP_bar:
            case OP_barrier:
                t->wait = AT_BARRIER;
                break;
            case OP_membar:
                break;
            case OP_ld:
            case OP_st:
            case OP_atom:
            case OP_red:
                memory(r, t, i, step);
                break;
            case OP_mov:
                if (i->operand[0].parts > 1 || i->operand[1].parts > 1) move_vector(r, t, i);
                else compute(r, t, i);
                break;
            default:
                compute(r, t, i);
            }
        }
        end_step(r, t, step);
        if (t->wait != ENDED && to >= r->ptx->insts) {
            fail(r, t, "ran off the end", to);
            return;
        }
        t->pc = to;
    }
}

/* Lanes of `warp` that a waiting thread's exchange names and that have not ended. */
static uint32_t members(const run *r, const thread *t, uint32_t warp) {
    const slow_inst *const i = &r->ptx->inst[t->pc];
    uint32_t named = UINT32_MAX, present = 0;
    if (SLOW_HAS(i, sync)) named = (uint32_t)value(r, t, &i->operand[i->operands - 1].part[0]);
    for (uint32_t l = 0; l < 32 && warp * 32 + l < r->threads; l++)
        if (r->thread[warp * 32 + l].wait != ENDED) present |= UINT32_C(1) << l;
    return named & present;
}

static void exchange_lane(run *r, thread *warp, uint32_t lane, uint32_t mask, const uint64_t *a, slow_step *step) {
    thread *const t = &warp[lane];
    const slow_inst *const i = &r->ptx->inst[t->pc];
    const slow_operand *const o = i->operand;
    uint32_t ones = 0, same = 0;
    for (uint32_t l = 0; l < 32; l++) {
        if (!(mask >> l & 1)) continue;
        ones |= (uint32_t)(a[l] & 1) << l;
        same |= (uint32_t)(a[l] == a[lane]) << l;
    }
    const slow_type word = {'b', 32}, pred = {'p', 1};
    if (i->op == OP_activemask) {
        set(r, t, &o[0].part[0], mask, word);
    } else if (i->op == OP_match) {
        const bool all = SLOW_HAS(i, all);
        set(r, t, &o[0].part[0], all ? (same == mask ? mask : 0) : same, word);
        if (o[0].parts > 1) set(r, t, &o[0].part[1], same == mask, pred);
    } else if (i->op == OP_vote) {
        if (SLOW_HAS(i, ballot)) set(r, t, &o[0].part[0], ones, word);
        else
            set(r, t, &o[0].part[0],
                SLOW_HAS(i, all)   ? ones == mask
                : SLOW_HAS(i, any) ? ones != 0
                                   : ones == 0 || ones == mask,
                pred);
    } else {
        const uint32_t b = (uint32_t)value(r, t, &o[2].part[0]) & 31, c = (uint32_t)value(r, t, &o[3].part[0]);
        const uint32_t segment = c >> 8 & 31, clamp = c & 31;
        const uint32_t most = (lane & segment) | (clamp & ~segment & 31), least = lane & segment;
        const uint32_t from = SLOW_HAS(i, up)     ? lane - b
                              : SLOW_HAS(i, down) ? lane + b
                              : SLOW_HAS(i, bfly) ? lane ^ b
                                                  : least | (b & ~segment & 31);
        const bool in = SLOW_HAS(i, up) ? (int32_t)from >= (int32_t)most : from <= most;
        const uint32_t source = in ? from : lane;
        if (!(mask >> source & 1)) fail(r, t, "shuffle from a lane that is not there", source);
        else set(r, t, &o[0].part[0], a[source], word);
        if (o[0].parts > 1) set(r, t, &o[0].part[1], in, pred);
    }
    end_step(r, t, step);
}

/* Carries out the exchange that all the named lanes of a warp wait for, if there is one. */
static bool exchange(run *r, uint32_t warp) {
    thread *const lanes = &r->thread[(size_t)warp * 32];
    for (uint32_t first = 0; first < 32 && warp * 32 + first < r->threads; first++) {
        if (lanes[first].wait != AT_EXCHANGE) continue;
        const uint32_t mask = members(r, &lanes[first], warp);
        uint32_t there = 0;
        uint64_t a[32] = {0};
        const slow_inst *const i = &r->ptx->inst[lanes[first].pc];
        for (uint32_t l = 0; l < 32 && warp * 32 + l < r->threads; l++) {
            if (lanes[l].wait != AT_EXCHANGE || lanes[l].pc != lanes[first].pc) continue;
            there |= UINT32_C(1) << l;
            if (i->operands > 1) a[l] = value(r, &lanes[l], &i->operand[1].part[0]);
        }
        const bool guarded = i->guard >= 0 && !SLOW_HAS(i, sync); /* then those whose guard says no do not come */
        if (!guarded && (there & mask) != mask) continue;
        for (uint32_t l = 0; l < 32; l++) {
            if (!(there & mask) || !((there & mask) >> l & 1)) continue;
            slow_step *const step = begin_step(r, &lanes[l], true);
            exchange_lane(r, lanes, l, there & mask, a, step);
        }
        for (uint32_t l = 0; l < 32; l++) {
            if (!((there & mask) >> l & 1)) continue;
            lanes[l].wait = RUNNING;
            lanes[l].pc++;
        }
        return true;
    }
    return false;
}

static void run_block(run *r, slow_log *log) {
    const slow_ptx *const p = r->ptx;
    memset(r->shared, 0, p->shared_bytes + 1);
    for (uint32_t k = 0; k < r->threads; k++) {
        thread *const t = &r->thread[k];
        const uint32_t *const n = r->launch->block;
        *t = (thread){.id = {k % n[0], k / n[0] % n[1], k / n[0] / n[1]},
                      .flat = k,
                      .reg = t->reg,
                      .local = t->local,
                      .log = log ? &log[k] : NULL};
        memset(t->reg, 0, p->regs * sizeof *t->reg + 1);
        memset(t->local, 0, p->local_bytes + 1);
    }
    uint32_t ended = 0;
    while (ended < r->threads && p->error[0] == '\0') {
        bool moved = false;
        for (uint32_t k = 0; k < r->threads; k++) {
            thread *const t = &r->thread[r->launch->backwards ? r->threads - 1 - k : k];
            moved = moved || t->wait == RUNNING;
            advance(r, t);
        }
        for (uint32_t w = 0; w * 32 < r->threads; w++)
            while (exchange(r, w)) moved = true;
        uint32_t waiting = 0;
        ended = 0;
        for (uint32_t k = 0; k < r->threads; k++) {
            waiting += r->thread[k].wait == AT_BARRIER;
            ended += r->thread[k].wait == ENDED;
        }
        if (waiting > 0 && waiting + ended == r->threads) {
            for (uint32_t k = 0; k < r->threads; k++)
                if (r->thread[k].wait == AT_BARRIER) r->thread[k].wait = RUNNING;
            moved = true;
        }
        if (!moved) fail(r, &r->thread[0], "all threads wait; ended:", ended);
    }
}

bool slow_ptx_run(slow_ptx *ptx, const slow_launch *launch, slow_log *log) {
    if (ptx->error[0] != '\0') return false;
    run r = {.ptx = ptx, .launch = launch, .threads = launch->block[0] * launch->block[1] * launch->block[2]};
    r.shared = calloc(ptx->shared_bytes + 1, 1);
    r.thread = calloc(r.threads, sizeof *r.thread);
    if (!r.shared || !r.thread) abort();
    for (uint32_t k = 0; k < r.threads; k++) {
        r.thread[k].reg = calloc(ptx->regs + 1, sizeof(uint64_t));
        r.thread[k].local = calloc(ptx->local_bytes + 1, 1);
        if (!r.thread[k].reg || !r.thread[k].local) abort();
    }
    const uint32_t *const g = launch->grid;
    for (uint32_t b = 0; b < g[0] * g[1] * g[2] && ptx->error[0] == '\0'; b++) {
        const uint32_t at = launch->backwards ? g[0] * g[1] * g[2] - 1 - b : b;
        r.block[0] = at % g[0];
        r.block[1] = at / g[0] % g[1];
        r.block[2] = at / g[0] / g[1];
        run_block(&r, log ? &log[(size_t)at * r.threads] : NULL);
    }
    for (uint32_t k = 0; k < r.threads; k++) {
        free(r.thread[k].reg);
        free(r.thread[k].local);
    }
    free(r.thread);
    free(r.shared);
    ptx->steps += r.steps;
    return ptx->error[0] == '\0';
}
