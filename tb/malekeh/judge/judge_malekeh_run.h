/* SPDX-License-Identifier: Apache-2.0 */
/* One cycle of rf_malekeh under judgement: the slow stage of judge_malekeh.h beside two models, one run by comb and clock, the
 * other by step; its surroundings with hints; a golden machine that executes every warp in its program's order; what is counted.
 */
#ifndef RF_JUDGE_MALEKEH_RUN_H
#define RF_JUDGE_MALEKEH_RUN_H

#include "tb/banked/judge/judge_world.h"
#include "tb/malekeh/judge/judge_malekeh_compare.h"

/*                                   W  C  B  R  L  S  E  I  P sched F D entries cache adapt sthld interval large clear bow serial */
static const rf_malekeh_cfg small = {8, 3, 4, 8, 4, 3, 2, 1, 1, 3, 8, 2, 4, 1, 0, 3, 100, 13, 0, 0, 0};

/* The two models, the slow stage, and a copy to see that comb changes nothing. */
static rf_malekeh model, stepped, before;
static slow_malekeh slow;
static uint64_t seen[EVENTS];

/* Sequential execution, an instruction when it issues: what each of its operands is, and what its result will be. */
typedef struct golden {
    uint32_t reg[64][256][32];
    uint32_t want[16][8][32]; /* by collector and slot */
    uint64_t number[64][256]; /* of the last instruction that writes a register */
    bool near[64][256];       /* the hint that was delivered with it */
    uint64_t issued, delivered;
    uint32_t p_src_near, p_dst_near;
    bool left[16];    /* by collector: dispatched in the cycle before */
    uint32_t waiting; /* cycles with a waiting request since the last replacement (clear 1: of near values) */
} golden;

static inline void start(judge *j, uint64_t seed, const rf_malekeh_cfg *cfg) {
    judge_begin(j, seed,
                "rf_malekeh W=%" PRIu32 " C=%" PRIu32 " B=%" PRIu32 " R=%" PRIu32 " L=%" PRIu32 " S=%" PRIu32 " E=%" PRIu32
                " I=%" PRIu32 " P=%" PRIu32 " sched=%" PRIu32 " F=%" PRIu32 " D=%" PRIu32 " entries=%" PRIu32 " cache=%" PRIu32
                " adapt=%" PRIu32 " sthld=%" PRIu32 " clear=%" PRIu32 " bow=%" PRIu32 " serial=%" PRIu32,
                cfg->warps, cfg->collectors, cfg->banks, cfg->regs, cfg->lanes, cfg->slots, cfg->exports, cfg->issues, cfg->ports,
                cfg->sched, cfg->fetch, cfg->wbdepth, cfg->entries, cfg->cache, cfg->adapt, cfg->sthld, cfg->clear, cfg->bow,
                cfg->serial);
    memset(&model, 0xa5, sizeof model);
    memset(&stepped, 0x5a, sizeof stepped);
    assert_int_equal(rf_malekeh_init(&model, cfg), 0);
    assert_int_equal(rf_malekeh_init(&stepped, cfg), 0);
    assert_memory_equal(&model.cfg, cfg, sizeof *cfg);
    memset(&slow, 0, sizeof slow);
    slow.cfg = *cfg;
    slow.stage.cfg = stage_cfg(cfg);
    slow.seen = seen;
    malekeh_reset(&slow);
    compare_malekeh_state(j, &slow, &model);
    compare_malekeh_state(j, &slow, &stepped);
    compare_banks(j, &slow.stage, &model.stage);
    compare_banks(j, &slow.stage, &stepped.stage);
}

/* --- surroundings ----------------------------------------------------------------------------------------------------------- */

static inline void draw_hints(golden *x, ls_rng *rng) {
    x->p_src_near = ls_rng_chance(rng, 64) ? 256 * ls_rng_below(rng, 2) : ls_rng_below(rng, 257);
    x->p_dst_near = ls_rng_chance(rng, 64) ? 256 * ls_rng_below(rng, 2) : ls_rng_below(rng, 257);
}

/* What a lane of the n-th instruction's result is. */
static inline uint32_t result_lane(uint64_t n, uint32_t lane) { return (uint32_t)(n * 0x9e3779b1u) ^ lane * 0x01010101u; }

/* Hints of new heads; results are what the golden machine computed, with the hint that went out; or anything at all. */
static inline void add_hints(golden *x, world *around, rf_malekeh_in *in) {
    const rf_malekeh_cfg *cfg = &slow.cfg;
    ls_rng *rng = &around->rng;
    for (uint32_t w = 0; w < cfg->warps; w++) {
        if (!judge_bit(around->fetched, w)) continue;
        in->ib_src_near[w] = (uint8_t)ls_rng_bits(rng, cfg->slots, x->p_src_near);
        in->ib_dst_near &= ~(UINT64_C(1) << w);
        in->ib_dst_near |= (uint64_t)ls_rng_chance(rng, x->p_dst_near) << w;
    }
    in->res_near = 0;
    if (!around->lawful) in->res_near = (uint8_t)ls_rng_bits(rng, cfg->exports, x->p_dst_near);
    for (uint32_t e = 0; around->lawful && e < cfg->exports; e++) {
        const uint32_t w = in->res_warp[e], r = in->res_dst[e];
        if (!judge_bit(in->res_valid, e)) continue;
        in->res_near |= (uint8_t)((uint32_t)x->near[w][r] << e);
        for (uint32_t lane = 0; lane < cfg->lanes; lane++) in->res_data[e].lane[lane] = result_lane(x->number[w][r], lane);
    }
}

static inline void golden_reset(golden *x) {
    memcpy(x->reg, slow.stage.reg, sizeof x->reg);
    memset(x->left, 0, sizeof x->left);
    x->issued = x->delivered = x->waiting = 0;
}

/* Before the edge: every operand that is delivered is the one of sequential execution. */
static inline void golden_deliver(judge *j, golden *x, const rf_malekeh_in *in, const slow_turn *now, const rf_malekeh_out *out) {
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        const uint32_t c = now->stage.offered[e];
        if (c == NONE) continue;
        for (uint32_t k = 0; k < slow.cfg.slots; k++)
            if (slow.stage.collector[c].slot[k].state == HERE)
                judge_words(j, "operand of the program", e * slow.cfg.slots + k, out->ex_data[e * slow.cfg.slots + k].lane,
                            x->want[c][k], 32);
        if (!judge_bit(in->ex_ready, e)) continue;
        x->delivered++;
        x->near[out->ex_warp[e]][out->ex_dst[e]] = judge_bit(out->ex_dst_near, e);
    }
}

/* And what issues is executed. */
static inline void golden_execute(golden *x, const rf_malekeh_in *in, const slow_turn *now) {
    for (uint32_t g = 0; g < slow.cfg.issues; g++) {
        const uint32_t w = now->stage.goes[g];
        if (w == NONE) continue;
        x->issued++;
        for (uint32_t k = 0; k < slow.cfg.slots; k++)
            memcpy(x->want[now->stage.given[g]][k], x->reg[w][in->ib_src[w * slow.cfg.slots + k]], sizeof x->want[0][0]);
        if (in->ib_mask[w] == 0 || !judge_bit(in->ib_dst_valid, w)) continue;
        const uint32_t r = in->ib_dst[w];
        x->number[w][r] = x->issued;
        for (uint32_t lane = 0; lane < slow.cfg.lanes; lane++)
            if (judge_bit(in->ib_mask[w], lane)) x->reg[w][r][lane] = result_lane(x->issued, lane);
    }
}

/* --- one cycle -------------------------------------------------------------------------------------------------------------- */

/* All three (`now` by malekeh_comb), everything compared but those rows of the banks that nobody writes. `x`: the golden machine,
 * NULL when results come that nobody owes. */
static inline void step(judge *j, golden *x, const rf_malekeh_in *in, const slow_turn *now, rf_malekeh_out *out) {
    static rf_malekeh_out stepped_out;
    const bool look = j->cycle % 2048 == 7;
    uint32_t bank[8], row[8];
    memset(out, 0xa5, sizeof *out);
    memset(&stepped_out, 0x5a, sizeof stepped_out);
    if (look) memcpy(&before, &model, sizeof model);
    rf_malekeh_comb(&model, in, out);
    if (look) assert_memory_equal(&before, &model, sizeof model);
    rf_malekeh_clock(&model, in);
    rf_malekeh_step(&stepped, in, &stepped_out);
    compare_malekeh_out(j, &slow, now, out);
    compare_malekeh_out(j, &slow, now, &stepped_out);
    compare_malekeh_wires(j, &slow, now, &out->wires);
    compare_malekeh_wires(j, &slow, now, &stepped_out.wires);
    if (x != NULL) {
        golden_deliver(j, x, in, now, out);
        golden_execute(x, in, now);
    }
    for (uint32_t e = 0; e < slow.cfg.exports; e++)
        bank[e] = slow.stage.queue[e].waiting[0].bank, row[e] = slow.stage.queue[e].waiting[0].row;
    malekeh_clock(&slow, in, now);
    compare_malekeh_state(j, &slow, &model);
    compare_malekeh_state(j, &slow, &stepped);
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        if (!now->stage.write[e]) continue;
        compare_row(j, &slow.stage, &model.stage, bank[e], row[e]);
        compare_row(j, &slow.stage, &stepped.stage, bank[e], row[e]);
    }
    compare_owners(j, &slow, &model);
    if (x != NULL) {
        uint32_t inside = 0;
        compare_cached(j, &slow, &model);
        for (uint32_t c = 0; c < slow.cfg.collectors; c++) inside += model.ccu[c].busy_q;
        judge_equal(j, "instructions inside", 0, inside, x->issued - x->delivered);
        /* [Malekeh 6]: at most STHLD + 1 cycles; the walk moves it meanwhile. */
        const uint32_t ends = out->wires.alloc.replace & (slow.cfg.clear == 0 ? UINT32_MAX : out->wires.alloc_in.near);
        x->waiting = ends != 0 ? 0 : x->waiting + (out->wires.alloc.wait != 0);
        if (slow.cfg.adapt == 0) judge_equal(j, "a request waits too long", 0, x->waiting > slow.cfg.sthld + 1, 0);
    }
    j->cycle++;
}

/* --- what is counted -------------------------------------------------------------------------------------------------------- */

static inline void count_sources(const rf_malekeh_in *in, const slow_turn *now) {
    const rf_malekeh_cfg *cfg = &slow.cfg;
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        const uint32_t g = now->stage.taken_by[c], w = g == NONE ? NONE : now->stage.goes[g];
        uint32_t sources = 0, hits = 0;
        if (w == NONE) continue;
        for (uint32_t k = 0; k < cfg->slots; k++) {
            if (!is_source(in, w, k)) continue;
            sources++;
            hits += now->hit[c][k];
            seen[MISS] += !now->emptied[c] && slow.cache[c].owned && !now->hit[c][k];
            for (uint32_t low = 0; low < k; low++) {
                if (!is_source(in, w, low) || in->ib_src[w * cfg->slots + low] != in->ib_src[w * cfg->slots + k]) continue;
                seen[HIT_TWICE] += now->hit[c][k];
                seen[MISS_TWICE] += !now->hit[c][k];
                seen[HIT_MIXED_NEAR] += judge_bit(in->ib_src_near[w], k) != judge_bit(in->ib_src_near[w], low);
            }
        }
        seen[HIT] += hits;
        seen[HIT_ALL] += sources > 1 && hits == sources;
        seen[HIT_SOME] += hits > 0 && hits < sources;
        seen[MASKED_OFF] += in->ib_mask[w] == 0 && judge_bit(in->ib_dst_valid, w) && in->ib_src_valid[w] != 0;
    }
}

static inline void count_results(const slow_turn *now) {
    const rf_malekeh_cfg *cfg = &slow.cfg;
    uint32_t caches = 0;
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        caches += now->on_d[c] != NONE;
        for (uint32_t e = 0; e < cfg->exports; e++)
            seen[D_NOT_FIRST] += now->counts[c][e] && now->on_d[c] != NONE && e < now->on_d[c];
        seen[WRITE_AT_FLUSH] += now->on_d[c] != NONE && now->flush[c];
        seen[WRITE_AT_REPLACE] += now->on_d[c] != NONE && now->replaced[c];
    }
    seen[D_TWO_CACHES] += caches > 1;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const slow_queue *q = &slow.stage.queue[e];
        const bool near = now->stage.write[e] && slow.near_stored[e][q->popped % cfg->wbdepth];
        seen[NO_CACHE] += cfg->cache == 1 && near && ccu_of(&slow, q->waiting[0].warp) == NONE;
        seen[EMPTY_MASK] += near && ccu_of(&slow, q->waiting[0].warp) != NONE && q->waiting[0].mask == 0;
    }
}

static inline void count_owners(const golden *x, const rf_malekeh_in *in, const slow_turn *now) {
    const rf_malekeh_cfg *cfg = &slow.cfg;
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        const bool taken = now->stage.taken_by[c] != NONE, full = holds(&slow, c, false) > 0;
        bool reading = false;
        for (uint32_t k = 0; k < cfg->slots; k++) {
            const slot_state state = slow.stage.collector[c].slot[k].state;
            reading = reading || state == WAITING || state == ARRIVING;
        }
        seen[FLUSH_VALID] += now->flush[c] && full && !slow.stage.collector[c].busy && !taken;
        seen[FLUSH_BUSY] += now->flush[c] && full && reading;
        seen[FLUSH_TAKEN] += now->flush[c] && full && taken && !now->replaced[c];
        seen[FLUSH_OTHER] += now->flush[c] && now->replaced[c];
        seen[OWN_AT_ONCE] += taken && slow.cache[c].owned && !now->replaced[c] && x->left[c];
        if (!now->replaced[c]) continue;
        seen[REPLACE_EMPTY] += !full;
        seen[REPLACE_FAR] += full && holds(&slow, c, true) == 0;
        seen[REPLACE_NEAR] += holds(&slow, c, true) > 0 && slow.waited > 0;
        seen[REPLACE_WRAPPED] += c <= slow.last_replaced;
    }
    for (uint32_t w = 0; w < cfg->warps; w++) {
        seen[LAUNCH_WITHOUT] += cfg->cache == 1 && judge_bit(in->launch, w) && ccu_of(&slow, w) == NONE;
        seen[OWN_BUSY] += now->stage.valid[w] && !now->stage.hazard[w] && now->own_busy[w];
    }
}

static inline void count_requests(const slow_turn *now) {
    const rf_malekeh_cfg *cfg = &slow.cfg;
    uint32_t replaced = 0, waits = 0, goes = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint32_t w = now->stage.chosen[g], c = now->stage.given[g];
        uint32_t far = 0, near = 0, spared = 0;
        if (w == NONE) continue;
        waits += now->waits[g];
        goes += c != NONE;
        replaced += c != NONE && now->replaced[c];
        if (ccu_of(&slow, w) != NONE) {
            seen[OWN]++;
            continue;
        }
        for (uint32_t i = 0; i < cfg->collectors; i++) {
            bool asked_by_owner = false;
            for (uint32_t other = 0; other < cfg->issues; other++)
                if (slow.cache[i].owned && now->stage.chosen[other] == slow.stage.collector[i].carried.warp)
                    asked_by_owner = true;
            if (slow.stage.collector[i].busy || (now->stage.taken_by[i] != NONE && now->stage.taken_by[i] < g)) continue;
            spared += asked_by_owner;
            if (asked_by_owner || !slow.cache[i].owned) continue;
            far += holds(&slow, i, true) == 0;
            near += holds(&slow, i, true) > 0;
        }
        seen[SPARED] += spared > 0;
        seen[NO_COLLECTOR] += c == NONE && !now->waits[g];
        if (now->waits[g])
            for (uint32_t other = 0; other < cfg->issues; other++) {
                const uint32_t own = now->stage.given[other];
                if (own == NONE || now->replaced[own] || !slow.cache[own].owned) continue;
                for (uint32_t k = 0; k < cfg->slots; k++) seen[WAIT_REWARDED] += now->hit[own][k];
            }
        if (c == NONE) continue;
        seen[FREE] += cfg->cache == 1 && !now->replaced[c];
        seen[FREE_BEFORE_FAR] += !now->replaced[c] && far > 0;
        seen[REPLACE_FAR_FIRST] += now->replaced[c] && far > 0 && near > 0;
    }
    seen[REPLACE_TWICE] += replaced > 1;
    seen[WAITS] += waits;
    seen[WAITS_TWICE] += waits > 1;
    seen[WAITS_BESIDE_ISSUE] += waits > 0 && goes > 0;
}

static inline void count_choices(const slow_turn *now) {
    const rf_malekeh_cfg *cfg = &slow.cfg;
    for (uint32_t g = 0; g < cfg->issues && cfg->sched == 3 && cfg->cache == 1; g++) {
        const uint32_t w = now->stage.chosen[g];
        uint32_t older = 0, rivals = 0, lowest = NONE;
        if (w == NONE) continue;
        for (uint32_t other = g; other < cfg->warps; other += cfg->issues) {
            if (!now->stage.ready[other]) continue;
            if (lowest == NONE) lowest = other;
            older += slow.stage.launched[other] < slow.stage.launched[w];
            rivals += other != w && now->held[other];
            seen[OWNED_BUT_EMPTY] += !now->held[other] && ccu_of(&slow, other) != NONE;
        }
        seen[HELD_FIRST] += now->held[w] && older > 0;
        seen[HELD_OLDEST] += now->held[w] && rivals > 0;
        seen[HELD_NONE] += !now->held[w];
        seen[LAUNCHED_LAST] += older == 0 && w != lowest;
    }
}

static inline void count_banks(const rf_malekeh_in *in, const slow_turn *now) {
    for (uint32_t b = 0; b < slow.cfg.banks; b++) {
        uint32_t readers = 0;
        for (uint32_t c = 0; c < slow.cfg.collectors; c++) {
            bool asks = false;
            for (uint32_t k = 0; k < slow.cfg.slots; k++)
                asks = asks || (now->stage.asks[c][k] && slow.stage.collector[c].slot[k].bank == b);
            readers += asks;
        }
        seen[READ_CONFLICT] += readers > 1;
        seen[WRITE_BEATS_READ] += readers > 0 && now->stage.writer[b] != NONE && slow.cfg.ports == 1;
        seen[READ_BESIDE_WRITE] += now->stage.reader[b] != NONE && now->stage.writer[b] != NONE;
    }
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        const uint32_t c = now->stage.offered[e];
        seen[QUEUE_FULL] += judge_bit(in->res_valid, e) && slow.stage.queue[e].length == slow.cfg.wbdepth;
        seen[NEAR_DELIVERED] +=
            c != NONE && now->stage.leaves[c] && slow.cache[c].dst_near && slow.stage.collector[c].carried.dst_valid;
    }
}

/* Counts what happens in a cycle, before its edge. */
static inline void count(golden *x, const rf_malekeh_in *in, const slow_turn *now) {
    count_sources(in, now);
    count_results(now);
    count_owners(x, in, now);
    count_requests(now);
    count_choices(now);
    count_banks(in, now);
    for (uint32_t c = 0; c < slow.cfg.collectors; c++) x->left[c] = now->stage.leaves[c];
}

#endif
