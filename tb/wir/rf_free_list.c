/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_free_list. */
#include "cmodel/wir/rf_free_list.h"

#include "harness/core/unit.h"

/* What a phase is for: it lasts until that is reached and some cycles more. */
enum { DRAIN, RETURN, BALANCE, EMPTY_HOVER, FULL_HOVER, PHASES };

/* Probabilities in 256ths. */
typedef struct rf_free_list_stim {
    ls_rng rng;
    uint32_t tail;               /* cycles of a phase after its goal */
    uint32_t stray;              /* a register comes back when all are free */
    uint32_t noise;              /* a register comes back with any number on the port */
    bool newest_first;           /* registers come back in the reverse order, else in any */
    uint32_t phase, left;        /* which, and how many cycles at most */
    uint32_t pop, push;          /* of a lane and of a port, in this phase */
    uint32_t opening;            /* how far the first cycles are */
    uint32_t out;                /* registers that are out ... */
    uint16_t held[RF_PREGS_MAX]; /* ... and which: the surroundings' own book, kept from the outputs */
} rf_free_list_stim;

static void stim_init(rf_free_list_stim *s, const rf_free_list *m, uint64_t seed) {
    (void)m;
    *s = (rf_free_list_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->tail = 4 + ls_rng_below(&s->rng, 40);
    s->stray = 24 + ls_rng_below(&s->rng, 64);
    s->noise = ls_rng_chance(&s->rng, 128) ? 0 : 1 + ls_rng_below(&s->rng, 8);
    s->newest_first = ls_rng_chance(&s->rng, 96);
    s->phase = PHASES;
}

static void next_phase(rf_free_list_stim *s, const rf_free_list_cfg *cfg) {
    const uint32_t most = 176 + ls_rng_below(&s->rng, 81), some = 32 + ls_rng_below(&s->rng, 96);
    s->phase = ls_rng_below(&s->rng, PHASES);
    /* From an end, half of the time on to the other one. */
    if (ls_rng_chance(&s->rng, 128)) s->phase = s->out == cfg->pregs ? RETURN : s->out == 0 ? DRAIN : s->phase;
    s->left = 4 * cfg->pregs + 64;
    switch (s->phase) {
    case DRAIN:
        s->pop = most, s->push = ls_rng_below(&s->rng, 8);
        break;
    case RETURN:
        s->pop = ls_rng_below(&s->rng, 8), s->push = most;
        break;
    case EMPTY_HOVER:
        s->pop = most, s->push = some, s->left = 32 + ls_rng_below(&s->rng, 96);
        break;
    case FULL_HOVER:
        s->pop = some, s->push = most, s->left = 32 + ls_rng_below(&s->rng, 96);
        break;
    default:
        s->pop = some, s->push = some, s->left = 64 + ls_rng_below(&s->rng, 192);
        break;
    }
}

/* One that is out, which is then no longer; any number when none is: that push is ignored. */
static uint32_t draw_return(rf_free_list_stim *s, const rf_free_list_cfg *cfg) {
    const uint32_t any = (uint32_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
    if (s->out == 0) return any;
    const uint32_t k = s->newest_first ? s->out - 1 : ls_rng_below(&s->rng, s->out);
    const uint32_t reg = s->held[k];
    s->held[k] = s->held[--s->out];
    return ls_rng_chance(&s->rng, s->noise) ? any : reg;
}

/* After reset all are fresh, and nothing is out. The first cycles are the same in every run: they cross from the queue to the
 * fresh registers while there are some; now and then the register that is out comes back as the last fresh one leaves. */
static bool opening(rf_free_list_stim *s, const rf_free_list *m, rf_free_list_in *in) {
    enum { POP_ONE, PUSH_IT, POP_ALL, OVER };
    if (m->fresh_q == 0) s->out = 0, s->opening = POP_ONE;
    if (s->opening >= OVER) return false;
    in->pop = (uint8_t)(s->opening == POP_ONE   ? ls_rng_chance(&s->rng, 64)
                        : s->opening == POP_ALL ? rf_mask64(m->cfg.issues)
                                                : 0);
    in->push = ls_rng_chance(&s->rng, s->opening == PUSH_IT ? 192 : s->opening == POP_ALL && s->out != 0 ? 128 : s->stray);
    s->opening++;
    return true;
}

/* The last fresh register leaves once in a run from reset to reset: mostly as another one comes back. */
static void leave_fresh(rf_free_list_stim *s, const rf_free_list *m, rf_free_list_in *in) {
    const rf_free_list_cfg *cfg = &m->cfg;
    if (m->fresh_q == cfg->pregs || m->fresh_q + cfg->issues < cfg->pregs || s->out == 0 || ls_rng_chance(&s->rng, 32)) return;
    in->pop = (uint8_t)rf_mask64(cfg->issues);
    in->push = m->level_q < cfg->issues;
}

static void stim(rf_free_list_stim *s, const rf_free_list *m, rf_free_list_in *in) {
    const rf_free_list_cfg *cfg = &m->cfg;
    if (!opening(s, m, in)) {
        const bool reached = (s->phase == DRAIN && s->out == cfg->pregs) || (s->phase == RETURN && s->out == 0);
        if (reached && s->left > s->tail) s->left = s->tail;
        if (s->phase == PHASES || s->left == 0) next_phase(s, cfg);
        else s->left--;
        in->pop = (uint8_t)ls_rng_bits(&s->rng, cfg->issues, s->pop);
        in->push = (uint8_t)ls_rng_bits(&s->rng, cfg->pushes, s->push);
        /* No more come back than are out, but now and then. */
        uint32_t room = s->out + (ls_rng_chance(&s->rng, s->stray) ? RF_FREE_PUSHES_MAX : 0), keep = 0;
        for (uint32_t left = in->push; left != 0 && room > 0; left &= left - 1, room--) keep |= left & (~left + 1);
        in->push = (uint8_t)keep;
        leave_fresh(s, m, in);
    }
    for (uint32_t k = 0; k < cfg->pushes; k++) {
        if ((in->push >> k & 1) != 0) in->push_reg[k] = (uint16_t)draw_return(s, cfg);
        else if (ls_rng_chance(&s->rng, 64)) in->push_reg[k] = (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
    }
}

/* What the lanes got is out. */
static void observe(rf_free_list_stim *s, const rf_free_list_in *in, const rf_free_list_out *out) {
    uint32_t p = 0;
    for (uint32_t left = in->pop; left != 0 && p < out->count && s->out < RF_PREGS_MAX; left &= left - 1, p++)
        s->held[s->out++] = out->reg[rf_lowest(left)];
}

enum {
    IDLE,
    ALL_FREE,
    NONE_FREE,
    POP_NONE,
    POP_SOME,
    POP_ALL_LANES,
    POP_HOLE,
    FROM_QUEUE,
    FROM_FRESH,
    FROM_BOTH,
    LAST_FRESH,
    ALL_BACK,
    LAST_FREE,
    PUSH,
    PUSH_ALL_PORTS,
    PUSH_HOLE,
    STRAY,
    STRAY_SOME,
    STRAY_POP,
    PUSH_AT_EMPTY,
    BOTH,
    RD_WRAP,
    WR_WRAP,
    WRAP_INSIDE,
    OUTSIDE,
    PUSH_LAST_FRESH,
    PUSH_LAST_QUEUED,
    PUSH_LAST_FREE
};

static const char *const bin_names[] = {"nothing happens",
                                        "all are free",
                                        "none is free",
                                        "pop finds none",
                                        "some lanes find one, some none",
                                        "all lanes pop",
                                        "a lane pops, one below it does not",
                                        "pop from the queue",
                                        "pop of a fresh register",
                                        "lanes pop from the queue and fresh registers",
                                        "the last fresh register leaves",
                                        "all registers stand in the queue",
                                        "the last free register leaves",
                                        "push",
                                        "push on all ports",
                                        "push on a port, none on one below it",
                                        "push ignored, all are free",
                                        "some pushes fit, some are ignored",
                                        "push ignored although a register leaves",
                                        "push while a lane finds none",
                                        "push and pop",
                                        "the queue's head wraps around",
                                        "the queue's tail wraps around",
                                        "pushes of one cycle wrap around",
                                        "a number of no register is pushed",
                                        "push while the last fresh register leaves",
                                        "push while the queue gets empty",
                                        "push while the last free register leaves",
                                        NULL};

static uint64_t bin(bool hit, uint32_t n) { return (uint64_t)hit << n; }

static uint64_t bins(const rf_free_list *m, const rf_free_list_in *in, const rf_free_list_out *out) {
    const rf_free_list_cfg *cfg = &m->cfg;
    const uint32_t asked = (uint32_t)__builtin_popcount(in->pop), offered = (uint32_t)__builtin_popcount(in->push);
    const uint32_t room = cfg->pregs - out->count, got = asked < out->count ? asked : out->count;
    const uint32_t queued = got < m->level_q ? got : m->level_q, took = offered < room ? offered : room;
    bool outside = false;
    for (uint32_t k = 0, ahead = 0; k < cfg->pushes && ahead < room; ahead += in->push >> k++ & 1)
        outside |= (in->push >> k & 1) != 0 && in->push_reg[k] >= cfg->pregs;
    return bin(asked == 0 && offered == 0, IDLE) | bin(room == 0, ALL_FREE) | bin(out->count == 0, NONE_FREE) |
           bin(asked > 0 && out->count == 0, POP_NONE) | bin(asked > got && got > 0, POP_SOME) |
           bin(asked == cfg->issues, POP_ALL_LANES) | bin((in->pop & (in->pop + 1)) != 0, POP_HOLE) |
           bin(queued > 0, FROM_QUEUE) | bin(got > queued, FROM_FRESH) | bin(queued > 0 && got > queued, FROM_BOTH) |
           bin(got > queued && m->fresh_q + got - queued == cfg->pregs, LAST_FRESH) | bin(m->level_q == cfg->pregs, ALL_BACK) |
           bin(got > 0 && got == out->count, LAST_FREE) | bin(took > 0, PUSH) |
           bin(took > 0 && offered == cfg->pushes, PUSH_ALL_PORTS) |
           bin(took > 0 && (in->push & (in->push + 1)) != 0, PUSH_HOLE) | bin(offered > 0 && room == 0, STRAY) |
           bin(took > 0 && took < offered, STRAY_SOME) | bin(offered > took && got > 0, STRAY_POP) |
           bin(took > 0 && asked > 0 && out->count == 0, PUSH_AT_EMPTY) | bin(took > 0 && got > 0, BOTH) |
           bin(queued > 0 && m->rd_ptr_q + queued >= cfg->pregs, RD_WRAP) |
           bin(took > 0 && m->wr_ptr_q + took >= cfg->pregs, WR_WRAP) | bin(m->wr_ptr_q + took > cfg->pregs, WRAP_INSIDE) |
           bin(outside, OUTSIDE) | bin(took > 0 && got > queued && m->fresh_q + got - queued == cfg->pregs, PUSH_LAST_FRESH) |
           bin(took > 0 && queued > 0 && queued == m->level_q, PUSH_LAST_QUEUED) |
           bin(took > 0 && got > 0 && got == out->count, PUSH_LAST_FREE);
}

static void unreachable(const rf_free_list_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->issues == 1, POP_SOME, "one lane");
    ls_unreachable_if(to, cfg->issues == 1, POP_HOLE, "one lane");
    ls_unreachable_if(to, cfg->issues == 1, FROM_BOTH, "one lane");
    ls_unreachable_if(to, cfg->pushes == 1, PUSH_HOLE, "one port");
    ls_unreachable_if(to, cfg->pushes == 1, STRAY_SOME, "one port");
    ls_unreachable_if(to, cfg->pushes == 1, WRAP_INSIDE, "one port: its register takes one place");
    ls_unreachable_if(to, cfg->pregs == UINT32_C(1) << rf_index_bits(cfg->pregs), OUTSIDE, "every number is a register's");
}

#define SMALL "PREGS=16 ISSUES=3 PUSHES=2"

static const ls_fault faults[] = {
    {"fresh registers first", NULL, "(SUM_W'(level_q) > SUM_W'(p)) ? queue_q", "(unqueued >= ALL) ? queue_q", "reg", SMALL},
    {"the head stays where it is", NULL, "wrap(SUM_W'(rd_ptr_q) + queued)", "rd_ptr_q", "rd_ptr_q", SMALL},
    {"the head does not wrap around", NULL, "rd_ptr_d = wrap(SUM_W'(rd_ptr_q) + queued);",
     "rd_ptr_d = PREG_W'(SUM_W'(rd_ptr_q)) + PREG_W'(queued);", "rd_ptr_q", "PREGS=13 ISSUES=3 PUSHES=2"},
    {"the tail wraps around a place too late", NULL, "place >= ALL", "place > ALL", "wr_ptr_q", "PREGS=13 ISSUES=3 PUSHES=2"},
    {"a fresh register too high", NULL, "SUM_W'(used) + SUM_W'(p);", "SUM_W'(used) + SUM_W'(p) + SUM_W'(1);", "reg", SMALL},
    {"a register shown when none is free", NULL, "(unqueued < ALL) ? PREG_W'(unqueued) : '0;", "PREG_W'(unqueued);", "reg",
     "PREGS=13 ISSUES=3 PUSHES=2"},
    {"a lane looks at its own number, not at the pops below", NULL, "ones(4'(pop_i) & 4'((1 << i) - 1))", "i", "reg", SMALL},
    {"a lane counts its own pop", NULL, "ones(4'(pop_i) & 4'((1 << i) - 1))", "ones(4'(pop_i) & 4'((2 << i) - 1))", "reg", SMALL},
    {"ok when as many are free as lanes below", NULL, "count > SUM_W'(i)", "count >= SUM_W'(i)", "ok", SMALL},
    {"count without the fresh ones", NULL, "count_o = count[COUNT_W-1:0]", "count_o = level_q", "count", SMALL},
    {"a pop that finds none counts", NULL, "(asked < count) ? asked : count", "asked", "fresh_q", SMALL},
    {"fresh registers counted although the queue gave", NULL, "fresh_q + drawn", "fresh_q + COUNT_W'(popped)", "fresh_q", SMALL},
    {"the level falls by fresh ones too", NULL, "level_q + growth", "level_q + COUNT_W'(pushed) - COUNT_W'(popped)", "level_q",
     SMALL},
    {"the level forgets the second push", NULL, "COUNT_W'(pushed) -", "COUNT_W'(pushed != '0) -", "level_q", SMALL},
    {"a push is taken when all are free", NULL, "push_i[k] && ahead < SUM_W'(used)", "push_i[k]", "queue_q", SMALL},
    {"pops of the cycle make room", NULL, "(offered < SUM_W'(used)) ? offered : SUM_W'(used)",
     "(offered < SUM_W'(used) + popped) ? offered : SUM_W'(used) + popped", "level_q", SMALL},
    {"both pushes at one place", NULL, "wrap(SUM_W'(wr_ptr_q) + ahead)", "wr_ptr_q", "queue_q", SMALL},
    {"a push at its port's place", NULL, "wrap(SUM_W'(wr_ptr_q) + ahead)", "wrap(SUM_W'(wr_ptr_q) + SUM_W'(k))", "queue_q",
     SMALL},
    {"port 0's register on every port", NULL, "push_reg_i[k*PREG_W +: PREG_W]", "push_reg_i[0 +: PREG_W]", "queue_q", SMALL},
    {"place 0 is not reset", NULL, "b < 512; b += 32) for (int e = 0;", "b < 512; b += 32) for (int e = 1;", "queue_q", SMALL},
    {"places from 512 on are not reset", NULL, "for (int b = 512;", "for (int b = 1024;", "queue_q", "PREGS=520"},
    {"a push beats reset", NULL, "if (!rst_ni) begin", "if (!rst_ni && !push_i[0]) begin", "fresh_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "PREGS=2 ISSUES=1 PUSHES=1",
                                   "PREGS=2 ISSUES=4 PUSHES=4",
                                   "PREGS=13 ISSUES=3 PUSHES=2",
                                   "PREGS=64 ISSUES=2 PUSHES=4",
                                   "PREGS=1000 ISSUES=4 PUSHES=3",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_free_list
#define LS_GROUP "wir"
#define LS_BRIEF "free register pool"
#define LS_FIELDS "tb/wir/rf_free_list.fields"
#define LS_UNREACHABLE
#define LS_STEP
#define LS_OBSERVE
#include "harness/core/unit_define.h"
