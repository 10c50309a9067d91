/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_hierarchy and its comparer: the stage of judge_stage.h, seats of a two-level scheduler, the files of
 * slow_levels.h, an arbiter of one more writer. `slip` breaks one rule of the system at a time, as `flaw` does one of the files.
 */
#ifndef RF_SLOW_HIERARCHY_H
#define RF_SLOW_HIERARCHY_H

#include "cmodel/hierarchy/rf_hierarchy.h"

#include "tb/banked/judge/judge_stage.h"
#include "tb/hierarchy/judge/slow_levels.h"

/* clang-format off */
#define SLIPS(X) \
    X(NO_SLIP, "no slip") \
    X(PEND_IGNORED, "heads do not wait for names") \
    X(PEND_SOURCES_ONLY, "heads wait for the names of sources only") \
    X(PEND_KEEPS_NOT, "heads do not wait for the name of an operand to be kept") \
    X(HIT_READS_BANK, "a source that hits is read from its bank, too") \
    X(HIT_FILLS_LATE, "a source that hits counts as unread for D-war") \
    X(MASK_0_READS, "an instruction of no lane reads the files") \
    X(LIVENESS_ALWAYS, "last reads count without LIVENESS") \
    X(LEAVE_NEVER, "a warp is not descheduled") \
    X(LEAVE_UNISSUED, "a warp is descheduled as it is chosen") \
    X(HOLD_IGNORED, "a leaving slot is free at once") \
    X(ENTER_HIGHEST, "a warp enters the highest free slot") \
    X(ENTER_LOWEST_WARP, "the lowest ready warp enters, whoever did last") \
    X(ENTER_ANY, "a warp enters that is not ready") \
    X(ENTER_OLDEST, "a warp that enters keeps the age of the slot's last one") \
    X(ENTER_GREEDY, "a warp that enters is greedy if the slot's last one was") \
    X(STALE_SLOT_ACTIVE, "a leaving warp issues") \
    X(SHARED_LOST, "a result does not say that it is a shared unit's") \
    X(ENTRY_IN_RESULTS_BANK, "an entry goes to the bank of the result's register") \
    X(ENTRY_CLEARS, "an entry that is sent ends the wait for its register, not for the result's") \
    X(KEEP_ALL, "operands of several instructions are kept in a cycle") \
    X(KEEP_BY_PORT, "the turn to keep goes to collectors whose port is ready") \
    X(KEEP_TURN_MOVES, "the turn to keep moves on without a dispatch") \
    X(KEEP_ALL_LANES, "an operand is kept in all lanes") \
    X(FLUSH_FIRST, "a bank serves a flush before results") \
    X(READ_OTHER_SLOT, "the file of slot 0 is read")
/* clang-format on */
enum { SLIPS(JUDGE_NAME) SLIP_COUNT };
static const char *const slip_names[SLIP_COUNT] = {SLIPS(JUDGE_TEXT)};
static uint32_t slip;

/* A slot of the two-level scheduler. */
typedef struct slow_seat {
    bool held, leaving;
    uint32_t warp;
    uint64_t since;
} slow_seat;

typedef struct slow_hierarchy {
    rf_hierarchy_cfg cfg;
    slow_stage stage;
    slow_levels levels;
    slow_seat seat[RF_ACTIVE_MAX];
    uint64_t entries; /* warps that entered */
    bool greedy;
    uint32_t last_seat, last_turn, last_entered; /* issued last: of SCHED 2, of SCHED 3; a warp */
    uint32_t note_stored[8][16], to[16];         /* by port, as slow_queue.stored; by collector */
    uint32_t kept[16], kept_name[16], last_keep; /* by collector: source, ABSENT without one; collector */
    uint32_t filled;                             /* collector, NONE */
    bool fill[8];                                /* by source */
    uint32_t fill_data[8][32];
} slow_hierarchy;

/* What happens in one cycle beside slow_cycle; NONE where nothing does. */
typedef struct slow_round {
    slow_cycle stage;
    bool pend[64];                      /* by warp: its head waits for a name */
    uint32_t seat, enters, enters_seat; /* chosen; warp, seat */
    bool collected[16];                 /* by collector */
    uint32_t keeper;                    /* the collector whose turn it is to keep */
    rf_levels_in in;                    /* of the levels */
    slow_way way;                       /* without levels: the queues ask for themselves */
    bool granted[8];                    /* by writer */
    uint32_t bank[8], row[8];           /* by writer that asks */
} slow_round;

static inline bool has_seats(const slow_hierarchy *s) { return s->cfg.sched >= 2; }
static inline bool has_levels(const slow_hierarchy *s) { return s->cfg.levels > 1; }
static inline bool all_active(const slow_hierarchy *s) { return s->cfg.active == s->cfg.warps; }
static inline uint32_t writers_of(const slow_hierarchy *s) { return s->cfg.exports + 1; }

static inline rf_banked_cfg stage_cfg(const rf_hierarchy_cfg *cfg) {
    return (rf_banked_cfg){.warps = cfg->warps,
                           .collectors = cfg->collectors,
                           .banks = cfg->banks,
                           .regs = cfg->regs,
                           .lanes = cfg->lanes,
                           .slots = cfg->slots,
                           .exports = cfg->exports,
                           .issues = 1,
                           .ports = 2,
                           .sched = cfg->sched % 2,
                           .fetch = 1,
                           .wbdepth = cfg->wbdepth};
}

static inline rf_levels_cfg levels_cfg(const rf_hierarchy_cfg *cfg) {
    return (rf_levels_cfg){.warps = cfg->warps,
                           .regs = cfg->regs,
                           .lanes = cfg->lanes,
                           .slots = cfg->slots,
                           .exports = cfg->exports,
                           .active = cfg->active,
                           .managed = cfg->managed,
                           .entries = cfg->entries,
                           .l0 = cfg->levels < 3              ? 0
                                 : cfg->managed && cfg->split ? 2
                                                              : 1,
                           .policy = cfg->policy};
}

/* As after reset: the files are empty, the banks keep what they hold, and that is what the registers are from here on. */
static inline void hierarchy_reset(slow_hierarchy *s) {
    slow_reset(&s->stage);
    levels_reset(&s->levels);
    memset(s->seat, 0, sizeof s->seat);
    memset(s->note_stored, 0, sizeof s->note_stored);
    memset(s->to, 0, sizeof s->to);
    memset(s->kept_name, 0, sizeof s->kept_name);
    memset(s->fill, 0, sizeof s->fill);
    memset(s->fill_data, 0, sizeof s->fill_data);
    for (uint32_t c = 0; c < 16; c++) s->kept[c] = ABSENT;
    for (uint32_t a = 0; a < s->cfg.active; a++) {
        s->seat[a].since = ++s->entries;
        if (all_active(s)) s->seat[a].held = true, s->seat[a].warp = a;
    }
    s->greedy = false;
    s->last_seat = 0;
    s->last_turn = s->cfg.active - 1;
    s->last_entered = s->cfg.warps - 1;
    s->last_keep = s->cfg.collectors - 1;
    s->filled = NONE;
    for (uint32_t b = 0; b < s->cfg.banks; b++) s->stage.last_writer[b] = writers_of(s) - 1;
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        for (uint32_t r = 0; r < s->cfg.regs; r++)
            read_cell(&s->stage, bank_of(&s->stage.cfg, w, r), row_of(&s->stage.cfg, w, r), s->stage.reg[w][r]);
}

static inline uint32_t seat_of(const slow_hierarchy *s, uint32_t warp) {
    for (uint32_t a = 0; a < s->cfg.active; a++)
        if (s->seat[a].held && s->seat[a].warp == warp) return a;
    return NONE;
}

static inline void start_hierarchy(slow_hierarchy *s, const rf_hierarchy_cfg *cfg) {
    memset(s, 0, sizeof *s);
    s->cfg = *cfg;
    s->stage.cfg = stage_cfg(cfg);
    s->levels.cfg = levels_cfg(cfg);
    hierarchy_reset(s);
}

/* --- this cycle ------------------------------------------------------------------------------------------------------------- */

/* The sources of a head: none without lanes. */
static inline uint32_t sources_of(const rf_hierarchy_in *in, uint32_t w) {
    return in->ib_mask[w] != 0 || slip == MASK_0_READS ? in->ib_src_valid[w] : 0;
}

static inline bool has_destination(const rf_hierarchy_in *in, uint32_t w) {
    return in->ib_mask[w] != 0 && judge_bit(in->ib_dst_valid, w);
}

static inline void find_names(const slow_hierarchy *s, const rf_hierarchy_in *in, slow_round *now) {
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        const uint32_t a = seat_of(s, w);
        bool pend = false;
        if (!has_levels(s) || !by_software(&s->levels) || a == NONE || slip == PEND_IGNORED) continue;
        const slow_name *name = s->levels.names[a].of;
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            const uint32_t from = in->ib_from[w * s->cfg.slots + k];
            const bool kept = (from & RF_NOTE_KEEP) != 0 && slip != PEND_KEEPS_NOT;
            if (judge_bit(sources_of(in, w), k) && ((from & RF_NOTE_UPPER) != 0 || kept))
                pend = pend || name[from & RF_NOTE_NAME].pending;
        }
        if (has_destination(in, w) && (in->ib_to[w] & RF_NOTE_UPPER) != 0 && slip != PEND_SOURCES_ONLY)
            pend = pend || name[in->ib_to[w] & RF_NOTE_NAME].pending;
        now->pend[w] = pend;
        now->stage.ready[w] = now->stage.ready[w] && !pend;
    }
}

/* The inner level: the seat that is chosen. */
static inline uint32_t choose_seat(const slow_hierarchy *s, const bool *ready) {
    bool can[RF_ACTIVE_MAX] = {false};
    uint32_t oldest = NONE;
    for (uint32_t a = 0; a < s->cfg.active; a++) {
        can[a] = s->seat[a].held && (!s->seat[a].leaving || slip == STALE_SLOT_ACTIVE) && ready[s->seat[a].warp];
        if (can[a] && (oldest == NONE || s->seat[a].since < s->seat[oldest].since)) oldest = a;
    }
    if (s->cfg.sched == 3) {
        const uint32_t a = judge_walk(s->last_turn, can, s->cfg.active);
        return a < s->cfg.active ? a : NONE;
    }
    return s->greedy && can[s->last_seat] ? s->last_seat : oldest;
}

/* The outer level: a warp that is ready and pending takes the lowest free seat. */
static inline void find_entry(const slow_hierarchy *s, slow_round *now) {
    bool waits[64] = {false};
    now->enters = now->enters_seat = NONE;
    if (!has_seats(s) || all_active(s)) return;
    for (uint32_t a = s->cfg.active; a-- > 0;)
        if (!s->seat[a].held && (slip != ENTER_HIGHEST || now->enters_seat == NONE)) now->enters_seat = a;
    if (now->enters_seat == NONE) return;
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        waits[w] = (now->stage.ready[w] || (slip == ENTER_ANY && now->stage.valid[w])) && seat_of(s, w) == NONE;
    const uint32_t w = judge_walk(slip == ENTER_LOWEST_WARP ? s->cfg.warps - 1 : s->last_entered, waits, s->cfg.warps);
    if (w < s->cfg.warps) now->enters = w;
}

/* The instruction that issues, if any, and its collector. */
static inline void issue(const slow_hierarchy *s, slow_round *now) {
    slow_cycle *stage = &now->stage;
    for (uint32_t c = 0; c < s->cfg.collectors; c++) stage->taken_by[c] = NONE;
    stage->given[0] = stage->other[0] = stage->goes[0] = NONE;
    now->seat = has_seats(s) ? choose_seat(s, stage->ready) : NONE;
    stage->chosen[0] = now->seat != NONE ? s->seat[now->seat].warp : NONE;
    if (!has_seats(s)) stage->chosen[0] = choose(&s->stage, stage->ready, 0);
    for (uint32_t c = 0; c < s->cfg.collectors && stage->chosen[0] != NONE && stage->given[0] == NONE; c++)
        if (!s->stage.collector[c].busy) stage->given[0] = c;
    stage->turn[0] = stage->given[0] != NONE;
    if (!stage->turn[0]) return;
    stage->taken_by[stage->given[0]] = 0;
    stage->goes[0] = stage->chosen[0];
}

/* Of the collected instructions that keep an operand only the one whose turn it is may be dispatched. */
static inline void dispatch_in_turn(const slow_hierarchy *s, const rf_hierarchy_in *in, slow_round *now) {
    const uint32_t collectors = s->cfg.collectors;
    bool keeps[16] = {false}, fit[16] = {false};
    for (uint32_t c = 0; c < collectors; c++) {
        now->collected[c] = is_collected(&s->stage, &s->stage.collector[c]);
        keeps[c] = fit[c] = now->collected[c] && s->kept[c] != ABSENT;
        if (slip == KEEP_BY_PORT) fit[c] = keeps[c] && judge_bit(in->ex_ready, s->stage.collector[c].port);
    }
    now->keeper = judge_walk(s->last_keep, fit, collectors);
    if (now->keeper == collectors) now->keeper = NONE;
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        bool waits[16] = {false};
        for (uint32_t c = 0; c < collectors; c++)
            waits[c] =
                now->collected[c] && s->stage.collector[c].port == e && (!keeps[c] || c == now->keeper || slip == KEEP_ALL);
        const uint32_t c = judge_walk(s->stage.last_dispatch[e], waits, collectors);
        now->stage.offered[e] = c < collectors ? c : NONE;
        if (c < collectors && judge_bit(in->ex_ready, e)) now->stage.leaves[c] = true;
    }
}

/* What the levels see: the instruction, the operand that is kept, the queues' heads. */
static inline void show_levels(const slow_hierarchy *s, const rf_hierarchy_in *in, slow_round *now) {
    rf_levels_in *to = &now->in;
    const uint32_t w = now->stage.goes[0], c = now->keeper;
    for (uint32_t a = 0; a < s->cfg.active; a++) {
        to->held |= (uint32_t)s->seat[a].held << a;
        to->leaving |= (uint32_t)s->seat[a].leaving << a;
        to->slot_warp[a] = (uint8_t)s->seat[a].warp;
    }
    if (now->enters != NONE) to->enter = UINT32_C(1) << now->enters_seat;
    if (w != NONE) {
        to->read = 1;
        to->rd_slot = (uint8_t)(slip == READ_OTHER_SLOT ? 0 : now->seat);
        to->rd_valid = (uint8_t)sources_of(in, w);
        memcpy(to->rd_reg, &in->ib_src[w * s->cfg.slots], s->cfg.slots);
        memcpy(to->rd_from, &in->ib_from[w * s->cfg.slots], s->cfg.slots);
        to->last = s->cfg.liveness || slip == LIVENESS_ALWAYS ? in->ib_last[w] : 0;
        to->shared = judge_bit(in->ib_shared, w);
        to->ends = judge_bit(in->ib_ends, w);
        to->dst_valid = has_destination(in, w);
        to->to = in->ib_to[w];
    }
    if (c != NONE && now->stage.leaves[c]) {
        const slow_collector *from = &s->stage.collector[c];
        to->keep = 1;
        to->keep_warp = (uint8_t)from->carried.warp;
        to->keep_name = (uint8_t)s->kept_name[c];
        to->keep_shared = (s->to[c] & RF_NOTE_SHARED) != 0;
        to->keep_mask = slip == KEEP_ALL_LANES ? (uint32_t)ls_mask(s->cfg.lanes) : from->carried.mask;
        memcpy(to->keep_data.lane, from->slot[s->kept[c]].data, sizeof to->keep_data.lane);
    }
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_queue *q = &s->stage.queue[e];
        if (q->length == 0) continue;
        to->wr_valid |= (uint8_t)(1u << e);
        to->wr_warp[e] = (uint8_t)q->waiting[0].warp;
        to->wr_reg[e] = (uint8_t)q->waiting[0].reg;
        to->wr_note[e] = (uint8_t)s->note_stored[e][q->popped % s->cfg.wbdepth];
        to->wr_mask[e] = q->waiting[0].mask;
        memcpy(to->wr_data[e].lane, q->waiting[0].data, sizeof to->wr_data[e].lane);
    }
}

/* Each bank: one read, one write. */
static inline void arbitrate(const slow_hierarchy *s, slow_round *now) {
    const uint32_t writers = writers_of(s);
    for (uint32_t e = 0; e < writers; e++) {
        const slow_sent *a = &now->way.ask[e];
        const bool moved = slip == ENTRY_IN_RESULTS_BANK && a->entry && e < s->cfg.exports;
        now->bank[e] = bank_of(&s->stage.cfg, a->warp, moved ? s->stage.queue[e].waiting[0].reg : a->reg);
        now->row[e] = row_of(&s->stage.cfg, a->warp, a->reg);
    }
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        slow_cycle *stage = &now->stage;
        bool asks[8] = {false}, readers[16] = {false};
        for (uint32_t e = 0; e < writers; e++) asks[e] = now->way.ask[e].any && now->bank[e] == b;
        uint32_t e = judge_walk(s->stage.last_writer[b], asks, writers);
        if (slip == FLUSH_FIRST && asks[writers - 1]) e = writers - 1;
        stage->writer[b] = e < writers ? e : NONE;
        if (e < writers) now->granted[e] = true;
        for (uint32_t c = 0; c < s->cfg.collectors; c++)
            for (uint32_t k = 0; k < s->cfg.slots; k++)
                readers[c] = readers[c] || (stage->asks[c][k] && s->stage.collector[c].slot[k].bank == b);
        const uint32_t c = judge_walk(s->stage.last_reader[b], readers, s->cfg.collectors);
        stage->reader[b] = c < s->cfg.collectors ? c : NONE;
        if (c == s->cfg.collectors) continue;
        uint32_t k = 0;
        while (!stage->asks[c][k] || s->stage.collector[c].slot[k].bank != b) k++;
        stage->reader_slot[b] = k;
        stage->read[c][k] = true;
    }
}

static inline void hierarchy_comb(const slow_hierarchy *s, const rf_hierarchy_in *in, slow_round *now) {
    memset(now, 0, sizeof *now);
    find_hazards(&s->stage, &in->stage, &now->stage);
    if (slip == HIT_FILLS_LATE)
        for (uint32_t w = 0; w < s->cfg.warps && s->filled != NONE; w++)
            for (uint32_t k = 0; k < s->cfg.slots; k++)
                if (s->fill[k] && has_destination(in, w) && s->stage.collector[s->filled].carried.warp == w &&
                    s->stage.collector[s->filled].slot[k].reg == in->ib_dst[w])
                    now->stage.ready[w] = false;
    find_names(s, in, now);
    issue(s, now);
    find_entry(s, now);
    find_requests(&s->stage, &now->stage);
    dispatch_in_turn(s, in, now);
    show_levels(s, in, now);
    if (has_levels(s)) levels_comb(&s->levels, &now->in, &now->way);
    for (uint32_t e = 0; e < s->cfg.exports && !has_levels(s); e++)
        if (s->stage.queue[e].length > 0) now->way.ask[e] = head_itself(&now->in, e);
    arbitrate(s, now);
    now->in.grant = (uint8_t)judge_pack(now->granted, writers_of(s));
    if (has_levels(s)) grant_ways(&s->levels, &now->in, &now->way);
    for (uint32_t e = 0; e < s->cfg.exports; e++) now->stage.write[e] = has_levels(s) ? now->way.done[e] : now->granted[e];
}

/* --- the edge --------------------------------------------------------------------------------------------------------------- */

static inline void clock_seats(slow_hierarchy *s, const rf_hierarchy_in *in, const slow_round *now) {
    bool free[RF_ACTIVE_MAX] = {false};
    for (uint32_t a = 0; a < s->cfg.active; a++) {
        const bool hold = has_levels(s) && slot_holds(&s->levels, a) && slip != HOLD_IGNORED;
        free[a] = s->seat[a].leaving && !hold;
        if (all_active(s) && judge_bit(in->launch, a)) {
            s->seat[a].since = ++s->entries;
            if (s->last_seat == a) s->greedy = false;
        }
    }
    if (now->enters != NONE) {
        slow_seat *seat = &s->seat[now->enters_seat];
        seat->held = true;
        seat->warp = s->last_entered = now->enters;
        if (slip != ENTER_OLDEST) seat->since = ++s->entries;
        if (s->last_seat == now->enters_seat && slip != ENTER_GREEDY) s->greedy = false;
    }
    for (uint32_t a = 0; a < s->cfg.active; a++)
        if (free[a]) s->seat[a].held = s->seat[a].leaving = false;
    const bool leaves = now->seat != NONE && judge_bit(in->ib_leave, s->seat[now->seat].warp) && !all_active(s);
    if (leaves && slip != LEAVE_NEVER && (now->stage.turn[0] || slip == LEAVE_UNISSUED)) s->seat[now->seat].leaving = true;
    if (!now->stage.turn[0] || now->seat == NONE) return;
    s->greedy = true;
    s->last_seat = s->last_turn = now->seat;
}

/* What the files have fills the collector in the next cycle. */
static inline void clock_fill(slow_hierarchy *s, const rf_hierarchy_in *in, slow_round *now) {
    const uint32_t c = now->stage.given[0], w = now->stage.goes[0];
    s->filled = NONE;
    if (w == NONE) return;
    s->to[c] = in->ib_to[w] | (judge_bit(in->ib_shared, w) && slip != SHARED_LOST ? RF_NOTE_SHARED : 0);
    if (!has_levels(s)) return;
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (now->way.hit[k]) s->filled = c;
    for (uint32_t k = 0; s->filled != NONE && k < s->cfg.slots; k++) {
        s->fill[k] = now->way.hit[k];
        memcpy(s->fill_data[k], now->way.data[k], sizeof s->fill_data[k]);
        now->stage.ahead[0][k] = now->way.hit[k] && slip != HIT_READS_BANK;
    }
    if (!by_software(&s->levels)) return;
    s->kept[c] = kept_source(&s->levels, sources_of(in, w), &in->ib_from[w * s->cfg.slots]);
    s->kept_name[c] = s->kept[c] != ABSENT ? in->ib_from[w * s->cfg.slots + s->kept[c]] & RF_NOTE_NAME : 0;
}

static inline void hierarchy_clock(slow_hierarchy *s, const rf_hierarchy_in *in, slow_round *now) {
    slow_stage *stage = &s->stage;
    clock_fill(s, in, now);
    if (!has_seats(s)) clock_schedulers(stage, &in->stage, &now->stage);
    else clock_seats(s, in, now);
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        const uint32_t c = now->stage.reader[b];
        if (now->stage.writer[b] != NONE) stage->last_writer[b] = now->stage.writer[b];
        if (c == NONE) continue;
        read_cell(stage, b, stage->collector[c].slot[now->stage.reader_slot[b]].row, stage->last_read[b]);
        stage->last_reader[b] = c;
    }
    for (uint32_t c = 0; c < s->cfg.collectors; c++) clock_collector(stage, &in->stage, &now->stage, c);
    for (uint32_t k = 0; s->filled != NONE && k < s->cfg.slots; k++)
        if (now->stage.ahead[0][k]) memcpy(stage->collector[s->filled].slot[k].coming, s->fill_data[k], sizeof s->fill_data[k]);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const slow_result *r = &stage->queue[e].waiting[0];
        if (now->stage.write[e]) lanes_copy(stage->reg[r->warp][r->reg], r->data, r->mask);
    }
    for (uint32_t e = 0; e < writers_of(s); e++)
        if (now->granted[e]) write_cell(stage, now->bank[e], now->row[e], now->way.ask[e].mask, now->way.ask[e].lane);
    if (has_levels(s)) levels_clock(&s->levels, &now->in, &now->way);
    clock_scoreboard(stage, &now->stage);
    for (uint32_t e = 0; e < s->cfg.exports && slip == ENTRY_CLEARS; e++) {
        const slow_sent *a = &now->way.ask[e];
        if (!now->stage.write[e] || !a->any || !a->entry || !in_range(stage, a->warp, a->reg)) continue;
        stage->pending[a->warp][stage->queue[e].waiting[0].reg] = true;
        stage->pending[a->warp][a->reg] = false;
    }
    clock_dispatch(stage, &in->stage, &now->stage);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        const uint64_t pushed = stage->queue[e].pushed;
        clock_queue(stage, &in->stage, &now->stage, e);
        if (stage->queue[e].pushed != pushed) s->note_stored[e][pushed % s->cfg.wbdepth] = in->res_to[e];
    }
    if (now->keeper != NONE && (now->stage.leaves[now->keeper] || slip == KEEP_TURN_MOVES)) s->last_keep = now->keeper;
}

/* --- the comparer ----------------------------------------------------------------------------------------------------------- */

static inline void compare_hierarchy_out(judge *j, const slow_hierarchy *s, const slow_round *now, const rf_hierarchy_out *out) {
    compare_out(j, &s->stage, &now->stage, &out->stage);
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        judge_equal(j, "ex_to", e, out->ex_to[e], now->stage.offered[e] != NONE ? s->to[now->stage.offered[e]] : 0);
}

static inline void compare_seats(judge *j, const slow_hierarchy *s, const rf_sched_two_level *m) {
    const uint32_t active = s->cfg.active;
    bool held[RF_ACTIVE_MAX] = {false}, leaving[RF_ACTIVE_MAX] = {false};
    for (uint32_t a = 0; a < active; a++) {
        bool older[RF_ACTIVE_MAX] = {false};
        for (uint32_t other = 0; other < active; other++) older[other] = s->seat[other].since < s->seat[a].since;
        held[a] = s->seat[a].held;
        leaving[a] = s->seat[a].leaving;
        judge_equal(j, "seats.warp_q", a, m->warp_q[a], s->seat[a].warp);
        if (s->cfg.sched == 2) judge_equal(j, "seats.older_q", a, m->gto.older_q[a], judge_pack(older, active));
    }
    judge_equal(j, "seats.held_q", 0, m->held_q, judge_pack(held, active));
    judge_equal(j, "seats.leaving_q", 0, m->leaving_q, judge_pack(leaving, active));
    if (s->cfg.sched == 2) {
        judge_equal(j, "seats.last_valid_q", 0, m->gto.last_valid_q, s->greedy);
        judge_equal(j, "seats.last_q", 0, m->gto.last_q, s->last_seat);
    } else judge_equal(j, "turn.mask_q", 0, m->lrr.rr.mask_q, judge_above(s->last_turn, active));
    if (!all_active(s)) judge_equal(j, "enter.mask_q", 0, m->enter.mask_q, judge_above(s->last_entered, s->cfg.warps));
}

static inline void compare_fill(judge *j, const slow_hierarchy *s, const rf_hierarchy *m) {
    judge_equal(j, "fill_q", 0, m->fill_q, s->filled != NONE ? UINT64_C(1) << s->filled : 0);
    judge_equal(j, "fill_slots_q", 0, m->fill_slots_q, judge_pack(s->fill, s->cfg.slots));
    for (uint32_t k = 0; k < s->cfg.slots; k++) judge_words(j, "fill_data_q", k, m->fill_data_q[k].lane, s->fill_data[k], 32);
    for (uint32_t c = 0; c < s->cfg.collectors; c++) {
        judge_equal(j, "to_q", c, m->to_q[c], s->to[c]);
        judge_equal(j, "keep_q", c, m->keep_q[c], s->kept[c] != ABSENT ? UINT64_C(1) << s->kept[c] : 0);
        judge_equal(j, "keep_name_q", c, m->keep_name_q[c], s->kept_name[c]);
    }
}

/* Every register but the contents of the banks. */
static inline void compare_hierarchy_state(judge *j, const slow_hierarchy *s, const rf_hierarchy *m) {
    const rf_banked *b = &m->stage;
    if (has_seats(s)) compare_seats(j, s, &m->sched);
    else compare_schedulers(j, &s->stage, b->gto, b->lrr, b->groups);
    compare_collectors(j, &s->stage, b->ocu);
    compare_queues(j, &s->stage, b);
    compare_scoreboard(j, &s->stage, &b->scoreboard);
    for (uint32_t e = 0; e < s->cfg.exports; e++) {
        for (uint32_t i = 0; i < s->cfg.wbdepth; i++)
            judge_equal(j, "wbq.note_q", e * s->cfg.wbdepth + i, b->wbq[e].note_q[i], s->note_stored[e][i]);
        judge_equal(j, "dispatch.rr.mask_q", e, b->dispatch.rr[e].mask_q,
                    judge_above(s->stage.last_dispatch[e], s->cfg.collectors));
    }
    for (uint32_t i = 0; i < s->cfg.banks; i++) {
        judge_words(j, "bank.rdata_q", i, b->bank[i].rdata_q.lane, s->stage.last_read[i], 32);
        judge_equal(j, "arbiter.rd_rr.mask_q", i, b->arbiter.rd_rr[i].mask_q,
                    judge_above(s->stage.last_reader[i], s->cfg.collectors));
        judge_equal(j, "arbiter.wr_rr.mask_q", i, b->arbiter.wr_rr[i].mask_q,
                    judge_above(s->stage.last_writer[i], writers_of(s)));
    }
    compare_fill(j, s, m);
    if (!has_levels(s)) return;
    compare_levels_state(j, &s->levels, &m->levels);
    if (by_software(&s->levels)) judge_equal(j, "keep.mask_q", 0, m->keep.mask_q, judge_above(s->last_keep, s->cfg.collectors));
}

#endif
