/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_cerf_stage: the slow stage of slow_cerf_stage.h beside two models, one run by comb and clock, the other by step. In
 * half of the runs the registers are a plain array that answers late, in any order, and that loses what is read for the last
 * time: operands are the registers as the program's order has them. In the others anything is answered. */
#include "tb/banked/judge/judge_world.h"
#include "tb/cerf/judge/slow_cerf_stage.h"
#include "tb/common/judge/judge_fields.h"

extern const ls_unit rf_cerf_stage_unit;

static const char *const lapse_names[STAGE_LAPSE_COUNT] = {NULL, PORT_LAPSES(JUDGE_TEXT) STAGE_LAPSES(JUDGE_TEXT)};

static rf_cerf_stage model, stepped;
static slow_cerf_stage slow;
static slow_cerf_stage_turn turn;
static rf_cerf_stage_in in;
static rf_cerf_stage_out out;

static uint32_t readers(void) { return slow.cfg.collectors * slow.cfg.slots; }

static void compare_models(judge *j) {
    compare_cerf_stage_state(j, &slow, &model);
    compare_cerf_stage_state(j, &slow, &stepped);
}

static void begin(judge *j, uint64_t seed, const rf_cerf_stage_cfg *c) {
    judge_begin(j, seed, "rf_cerf_stage %u %u regs=%u %u %u %u issues=%u sched=%u %u %u live=%u", c->warps, c->collectors,
                c->regs, c->lanes, c->slots, c->exports, c->issues, c->sched, c->fetch, c->wbdepth, c->liveness);
    memset(&model, 0xa5, sizeof model);
    memset(&stepped, 0x5a, sizeof stepped);
    assert_int_equal(rf_cerf_stage_init(&model, c), 0);
    assert_int_equal(rf_cerf_stage_init(&stepped, c), 0);
    assert_memory_equal(&model.cfg, c, sizeof *c);
    cerf_stage_start(&slow, c);
    memset(&in, 0, sizeof in);
    compare_models(j);
}

static void reset(judge *j) {
    rf_cerf_stage_reset(&model);
    rf_cerf_stage_reset(&stepped);
    cerf_stage_reset(&slow);
    compare_models(j);
    assert_memory_equal(&model.cfg, &slow.cfg, sizeof slow.cfg);
}

/* One cycle of all three (`turn` by cerf_stage_comb and take_accepted), everything compared. */
static void step(judge *j, bool lawful, uint64_t *checked) {
    static rf_cerf_stage before;
    static rf_cerf_stage_out at_once;
    const bool look = j->cycle % 64 == 7;
    memset(&out, 0xa5, sizeof out);
    memset(&at_once, 0x5a, sizeof at_once);
    if (look) memcpy(&before, &model, sizeof model);
    rf_cerf_stage_comb(&model, &in, &out);
    if (look) judge_same(&before, &model, sizeof model);
    rf_cerf_stage_clock(&model, &in);
    rf_cerf_stage_step(&stepped, &in, &at_once);
    compare_cerf_stage_out(j, &slow, &turn, &out);
    compare_cerf_stage_out(j, &slow, &turn, &at_once);
    compare_cerf_stage_wires(j, &slow, &turn, &out.wires);
    compare_cerf_stage_wires(j, &slow, &turn, &at_once.wires);
    if (lawful) compare_with_program(j, &slow, &turn.units, &out.stage, checked);
    cerf_stage_clock(&slow, &in, &turn);
    compare_models(j);
    j->cycle++;
}

/* --- what surrounds it -------------------------------------------------------------------------------------------------------
 */

/* clang-format off */
#define SEEN(X) \
    X(ISSUE, "an instruction issues") X(SEVERAL_ISSUE, "several groups issue in one cycle") \
    X(RAW, "a source is pending") X(WAW, "the destination is pending") \
    X(WAR, "a collector has yet to read the destination") \
    X(WAR_OVER, "the destination is read by a slot that waits for what was accepted: no hazard") \
    X(NO_COLLECTOR, "a warp is chosen and no collector is free") \
    X(LAST_COLLECTOR, "of two groups only one is given a collector") \
    X(CLEARED_THEN_ISSUED, "an instruction issues in the cycle after the write it waited for") \
    X(MASKED_OFF, "mask 0, with sources and destination named") \
    X(REUSED_AT_ONCE, "a collector is taken in the cycle after its dispatch") \
    X(LAUNCH, "a warp starts in the cycle in which it issues") \
    X(ACCEPTED, "a request is accepted") X(REFUSED, "a request is not accepted") \
    X(SHARED_READ, "one request for several slots") \
    X(SEVERAL_OF_ONE, "a collector has several requests accepted in one cycle") \
    X(SEVERAL_ACCEPTED, "several collectors have requests accepted in one cycle") \
    X(ACCEPT_STRAY, "an accept of a slot that does not ask") \
    X(ACCEPT_SHARER, "an accept of a slot that shares the register of one that asks") \
    X(DEATH, "a last read is accepted, and the entry dies") \
    X(DEATH_OF_SHARER, "... though the asking slot's is not the last read") \
    X(SPARED, "a last read is accepted while another collector has yet to read: the entry lives on") \
    X(SPARED_THEN_DIES, "a last read that was not accepted is spared no more when it asks again") \
    X(TWO_LAST, "two collectors ask for the last read of one number: it lives on") \
    X(NOT_SPARED_BY_ACCEPTED, "a collector waits for what was accepted: the entry dies all the same") \
    X(ALIAS, "a register of another name and the same number has yet to be read") \
    X(NO_LIVENESS, "a last read without LIVENESS") \
    X(FILL, "an operand comes") X(FILL_NEXT, "... in the cycle after its request was accepted") \
    X(FILL_LATE, "... more than ten cycles later") X(FILL_SHARED, "... for several slots") \
    X(FILL_IN_DISORDER, "the operand of a later request comes first") \
    X(SEVERAL_FILLS, "operands of several collectors come in one cycle") \
    X(FILL_STRAY, "an operand comes for a slot that waits for nothing") \
    X(FILL_SHARER, "an operand comes for a slot that waits and did not ask itself") \
    X(FILL_WITH_ACCEPT, "an operand comes in the cycle in which its request is accepted") \
    X(FILL_AGAIN, "an operand comes for a slot that has its own") X(FILL_FREE, "an operand comes for a free collector") \
    X(OFFER, "an instruction is offered") X(OFFER_STANDS, "an offer stands for another cycle") \
    X(SEVERAL_OFFERS, "several ports are offered instructions") X(PORT_CONFLICT, "two collected instructions for one port") \
    X(NO_PORT, "a collected instruction for a port that does not exist") \
    X(WRITTEN, "a result is accepted") X(WRITE_REFUSED, "a result is not accepted") \
    X(SEVERAL_WRITTEN, "several results are accepted in one cycle") \
    X(WRITE_STRAY, "an accept of a queue that is empty") \
    X(WRITE_STRAY_AS_PUSHED, "... in the cycle in which a result comes in") \
    X(EMPTY_WRITE, "a result for no lane is accepted") \
    X(SET_AND_CLEAR, "a result is accepted in the cycle in which its destination is marked") \
    X(QUEUE_FULL, "a result is refused by a full queue") \
    X(QUEUE_FULL_AND_TAKEN, "... though its head is taken in that cycle") \
    X(STRAY_SOURCE, "a request for a register out of range") \
    X(STRAY_RESULT, "a result for a warp or register out of range") \
    X(RESET, "reset with an operand on its way and a result in a queue")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

typedef struct run_sum {
    uint64_t seen[EVENTS], operands; /* lanes checked */
    bool spared[16][8];
    uint32_t stood[8]; /* by port: the collector whose offer was not taken */
} run_sum;

static world around;
static rf_vec store[64 * 256]; /* by number: the registers */
static rf_vec held[64];        /* by reader: what was read for it */
static uint32_t p_accept, p_fill, p_write, p_stray, p_last, p_astray;

static bool happens(uint32_t chance) { return ls_rng_chance(&around.rng, chance); }

/* The registers are as the store has them. */
static void forget_all(void) {
    forget(&around);
    for (uint32_t n = 0; n < slow.cfg.warps * slow.cfg.regs; n++)
        memcpy(slow.units.reg[n / slow.cfg.regs][n % slow.cfg.regs], store[n].lane, sizeof store[n].lane);
}

static void begin_around(uint64_t seed, bool lawful) {
    memset(&around, 0, sizeof around);
    memset(held, 0, sizeof held);
    around.in = &in.stage;
    around.lawful = lawful;
    ls_rng_seed(&around.rng, seed);
    memset(store, 0, sizeof store);
    for (uint32_t n = 0; n < slow.cfg.warps * slow.cfg.regs; n++) ls_rng_lanes(&around.rng, store[n].lane, slow.cfg.lanes);
    forget_all();
}

static uint32_t any_chance(void) { return happens(48) ? 256 : 8 + ls_rng_below(&around.rng, happens(64) ? 24 : 248); }

static void draw_mixes(void) {
    draw_mix(&around, &slow.units.cfg);
    p_accept = any_chance(), p_fill = any_chance(), p_write = any_chance();
    p_stray = happens(128) ? 0 : ls_rng_below(&around.rng, 129);
    p_last = happens(64) ? 0 : ls_rng_below(&around.rng, 257);
    p_astray = around.lawful || happens(192) ? 0 : 8;
}

static void draw_heads(void) {
    stimulate(&around, &slow.units.cfg);
    for (uint32_t w = 0; w < slow.cfg.warps; w++) {
        if (!judge_bit(around.fetched, w)) continue;
        in.ib_last[w] = (uint8_t)ls_rng_bits(&around.rng, slow.cfg.slots, p_last);
        if (happens(p_astray)) in.ib_port[w] = (uint8_t)ls_rng_below(&around.rng, judge_codes(slow.cfg.exports));
    }
}

/* The slots that asked and whose operands have yet to come. */
static uint64_t on_their_way(void) {
    bool bit[64] = {false};
    for (uint32_t r = 0; r < readers(); r++) {
        const uint32_t c = r / slow.cfg.slots, k = r % slow.cfg.slots;
        bit[r] = slow.units.collector[c].slot[k].state == ARRIVING && slow.asker[c][k] == k;
    }
    return judge_pack(bit, readers());
}

/* What the memory answers to what the slow stage asks for. */
static void draw_answers(void) {
    ls_rng *rng = &around.rng;
    const uint32_t n = readers(), exports = slow.cfg.exports;
    const uint64_t waiting = on_their_way();
    in.rd_accept = ls_rng_bits(rng, n, p_accept) & turn.rd_valid;
    if (happens(p_stray)) in.rd_accept |= ls_rng_value(rng, n) & ~turn.rd_valid;
    in.rd_fill = ls_rng_bits(rng, n, p_fill) & waiting;
    if (happens(p_stray)) in.rd_fill |= ls_rng_value(rng, n) & ~waiting;
    in.wr_accept = (uint8_t)(ls_rng_bits(rng, exports, p_write) & turn.wr_valid);
    if (happens(p_stray)) in.wr_accept |= (uint8_t)(ls_rng_value(rng, exports) & ~(uint64_t)turn.wr_valid);
    for (uint32_t r = 0; r < n; r++) {
        if (!judge_bit(in.rd_fill, r)) continue;
        if (judge_bit(waiting, r)) in.rd_data[r] = held[r];
        else ls_rng_lanes(rng, in.rd_data[r].lane, slow.cfg.lanes);
    }
}

/* The store is read, then loses what was read for the last time, then is written. */
static void access_store(void) {
    for (uint32_t r = 0; r < readers(); r++)
        if (judge_bit(turn.rd_valid & in.rd_accept, r)) held[r] = store[turn.rd_number[r]];
    for (uint32_t r = 0; r < readers(); r++)
        if (judge_bit(turn.rd_dead & in.rd_accept, r)) ls_rng_lanes(&around.rng, store[turn.rd_number[r]].lane, slow.cfg.lanes);
    for (uint32_t e = 0; e < slow.cfg.exports; e++)
        for (uint32_t l = 0; l < slow.cfg.lanes; l++)
            if (judge_bit(turn.wr_valid & in.wr_accept, e) && judge_bit(turn.wr_mask[e], l))
                store[turn.wr_number[e]].lane[l] = turn.wr_data[e].lane[l];
}

/* --- what happened -----------------------------------------------------------------------------------------------------------
 */

/* Whether a slot in state `state` of a collector of warp w has register reg. */
static bool has_slot(uint32_t w, uint32_t reg, slot_state state) {
    for (uint32_t c = 0; c < slow.cfg.collectors; c++)
        for (uint32_t k = 0; k < slow.cfg.slots; k++)
            if (slow.units.collector[c].carried.warp == w && slow.units.collector[c].slot[k].reg == reg &&
                slow.units.collector[c].slot[k].state == state)
                return true;
    return false;
}

static void count_heads(uint64_t *seen) {
    const slow_cycle *now = &turn.units;
    for (uint32_t w = 0; w < slow.cfg.warps; w++) {
        const bool valid = judge_bit(in.ib_valid, w), writes = judge_bit(in.ib_dst_valid, w);
        seen[RAW] += valid && now->raw[w];
        seen[WAW] += valid && now->waw[w];
        seen[WAR] += valid && now->war[w] && !now->raw[w] && !now->waw[w];
        seen[WAR_OVER] += now->ready[w] && in.ib_mask[w] != 0 && writes && has_slot(w, in.ib_dst[w], ARRIVING);
        seen[MASKED_OFF] += valid && in.ib_mask[w] == 0 && writes && in.ib_src_valid[w] != 0;
    }
}

static bool is_cleared(uint32_t w, uint32_t reg) {
    for (uint32_t e = 0; e < slow.cfg.exports; e++)
        if (turn.units.write[e] && slow.units.queue[e].waiting[0].warp == w && slow.units.queue[e].waiting[0].reg == reg)
            return true;
    return false;
}

static void count_groups(uint64_t *seen) {
    uint32_t issued = 0, refused = 0;
    for (uint32_t g = 0; g < slow.cfg.issues; g++) {
        const uint32_t w = turn.units.goes[g];
        refused += turn.units.chosen[g] != NONE && turn.units.given[g] == NONE;
        if (w == NONE) continue;
        issued++;
        seen[CLEARED_THEN_ISSUED] += around.waited[w];
        seen[LAUNCH] += judge_bit(in.launch, w);
        seen[NO_LIVENESS] += !slow.cfg.liveness && (in.ib_last[w] & in.ib_src_valid[w]) != 0 && in.ib_mask[w] != 0;
        seen[SET_AND_CLEAR] += in.ib_mask[w] != 0 && judge_bit(in.ib_dst_valid, w) && is_cleared(w, in.ib_dst[w]);
    }
    seen[ISSUE] += issued > 0;
    seen[SEVERAL_ISSUE] += issued > 1;
    seen[NO_COLLECTOR] += refused > 0;
    seen[LAST_COLLECTOR] += issued > 0 && refused > 0;
    for (uint32_t c = 0; c < slow.cfg.collectors; c++) seen[REUSED_AT_ONCE] += around.left[c] && turn.units.taken_by[c] != NONE;
}

/* A last read that asks, and the other collectors' slots of its number. */
static void count_others(uint64_t *seen, uint32_t c, uint32_t k) {
    for (uint32_t o = 0; o < slow.cfg.collectors; o++)
        for (uint32_t n = 0; n < slow.cfg.slots && o != c; n++) {
            const slow_slot *slot = &slow.units.collector[o].slot[n];
            if (slow.number[o][n] != slow.number[c][k]) continue;
            seen[TWO_LAST] += turn.last[o][n];
            seen[ALIAS] += slot->state == WAITING && slot->reg != slow.units.collector[c].slot[k].reg;
            seen[NOT_SPARED_BY_ACCEPTED] += slot->state == ARRIVING && turn.dead[c][k];
        }
}

static void count_request(run_sum *sum, uint32_t c, uint32_t k) {
    const slow_slot *slot = &slow.units.collector[c].slot[k];
    const uint32_t asker = reader_of(&slow.units.collector[c], k), r = c * slow.cfg.slots;
    const bool accepted = turn.units.read[c][k], spared = turn.last[c][k] && !turn.dead[c][k];
    uint64_t *seen = sum->seen;
    seen[SHARED_READ] += slot->state == WAITING && asker != k && judge_bit(in.rd_accept, r + asker);
    seen[ACCEPT_SHARER] += slot->state == WAITING && asker != k && judge_bit(in.rd_accept, r + k);
    seen[ACCEPT_STRAY] += slot->state != WAITING && judge_bit(in.rd_accept, r + k);
    seen[SPARED_THEN_DIES] += turn.dead[c][k] && sum->spared[c][k];
    sum->spared[c][k] = spared && !accepted;
    if (!turn.units.asks[c][k]) return;
    seen[ACCEPTED] += accepted;
    seen[REFUSED] += !accepted;
    seen[DEATH] += accepted && turn.dead[c][k];
    seen[DEATH_OF_SHARER] += accepted && turn.dead[c][k] && !slow.last[c][k];
    seen[SPARED] += accepted && spared;
    seen[STRAY_SOURCE] += slot->reg >= slow.cfg.regs;
    seen[FILL_WITH_ACCEPT] += accepted && judge_bit(in.rd_fill, r + k);
    if (turn.last[c][k]) count_others(seen, c, k);
}

/* An operand that comes for a slot, or not. */
static void count_fill(uint64_t *seen, uint32_t c, uint32_t k) {
    const slow_collector *of = &slow.units.collector[c];
    const uint32_t r = c * slow.cfg.slots;
    const bool own = judge_bit(in.rd_fill, r + k), arriving = of->slot[k].state == ARRIVING;
    const bool comes = arriving && judge_bit(in.rd_fill, r + slow.asker[c][k]);
    seen[FILL_STRAY] += own && !arriving;
    seen[FILL_FREE] += own && !of->busy;
    seen[FILL_AGAIN] += own && of->slot[k].state == HERE;
    seen[FILL_SHARER] += own && arriving && slow.asker[c][k] != k;
    if (!comes) return;
    seen[FILL]++;
    seen[FILL_NEXT] += slow.now == slow.accepted[c][k] + 1;
    seen[FILL_LATE] += slow.now > slow.accepted[c][k] + 10;
    seen[FILL_SHARED] += slow.asker[c][k] != k;
    for (uint32_t n = 0; n < slow.cfg.slots; n++)
        seen[FILL_IN_DISORDER] += of->slot[n].state == ARRIVING && slow.accepted[c][n] < slow.accepted[c][k] &&
                                  !judge_bit(in.rd_fill, r + slow.asker[c][n]);
}

static void count_collectors(run_sum *sum) {
    uint32_t accepted = 0, filled = 0;
    const uint64_t waiting = on_their_way();
    for (uint32_t c = 0; c < slow.cfg.collectors; c++) {
        const slow_collector *of = &slow.units.collector[c];
        uint32_t reads = 0;
        for (uint32_t k = 0; k < slow.cfg.slots; k++) {
            count_request(sum, c, k);
            count_fill(sum->seen, c, k);
            reads += turn.units.read[c][k];
        }
        accepted += reads > 0;
        filled += (in.rd_fill & waiting) >> c * slow.cfg.slots & ls_mask(slow.cfg.slots) ? 1 : 0;
        sum->seen[SEVERAL_OF_ONE] += reads > 1;
        sum->seen[NO_PORT] += is_collected(&slow.units, of) && of->port >= slow.cfg.exports;
    }
    sum->seen[SEVERAL_ACCEPTED] += accepted > 1;
    sum->seen[SEVERAL_FILLS] += filled > 1;
}

static void count_queue(uint64_t *seen, uint32_t e) {
    const slow_queue *q = &slow.units.queue[e];
    const bool offered = judge_bit(in.res_valid, e), full = q->length == slow.cfg.wbdepth;
    seen[WRITTEN] += turn.units.write[e];
    seen[WRITE_REFUSED] += q->length > 0 && !turn.units.write[e];
    seen[WRITE_STRAY] += q->length == 0 && judge_bit(in.wr_accept, e);
    seen[WRITE_STRAY_AS_PUSHED] += q->length == 0 && judge_bit(in.wr_accept, e) && offered;
    seen[EMPTY_WRITE] += turn.units.write[e] && q->waiting[0].mask == 0;
    seen[QUEUE_FULL] += offered && full;
    seen[QUEUE_FULL_AND_TAKEN] += offered && full && turn.units.write[e];
    seen[STRAY_RESULT] += turn.units.write[e] && !in_range(&slow.units, q->waiting[0].warp, q->waiting[0].reg);
}

static void count_ports(run_sum *sum) {
    uint32_t offers = 0, written = 0;
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        const uint32_t offered = turn.units.offered[e];
        uint32_t collected = 0;
        for (uint32_t c = 0; c < slow.cfg.collectors; c++)
            collected += is_collected(&slow.units, &slow.units.collector[c]) && slow.units.collector[c].port == e;
        count_queue(sum->seen, e);
        offers += offered != NONE;
        written += turn.units.write[e];
        sum->seen[PORT_CONFLICT] += collected > 1;
        sum->seen[OFFER_STANDS] += offered != NONE && offered == sum->stood[e];
        sum->stood[e] = offered != NONE && !turn.units.leaves[offered] ? offered : NONE;
    }
    sum->seen[OFFER] += offers > 0;
    sum->seen[SEVERAL_OFFERS] += offers > 1;
    sum->seen[SEVERAL_WRITTEN] += written > 1;
}

static void count_all(run_sum *sum) {
    count_heads(sum->seen);
    count_groups(sum->seen);
    count_collectors(sum);
    count_ports(sum);
}

static void reset_all(judge *j, run_sum *sum) {
    sum->seen[RESET] += on_their_way() != 0 && slow.units.queue[0].length > 0;
    reset(j);
    forget_all();
    memset(sum->spared, 0, sizeof sum->spared);
    memset(sum->stood, NONE, sizeof sum->stood);
}

/* A run, which ends with the first difference. */
static void run(judge *j, const rf_cerf_stage_cfg *cfg, uint64_t seed, bool lawful, uint64_t cycles, run_sum *sum) {
    begin(j, seed, cfg);
    begin_around(seed, lawful);
    while (j->cycle < cycles && j->differing == 0) {
        if (j->cycle % 256 == 0) draw_mixes();
        draw_heads();
        cerf_stage_comb(&slow, &in.stage, &turn);
        draw_answers();
        take_accepted(&slow, &in, &turn);
        count_all(sum);
        access_store();
        step(j, lawful, &sum->operands);
        take_note(&around, &slow.units.cfg, &turn.units, &out.stage);
        if (ls_rng_below(&around.rng, 700) == 0) reset_all(j, sum);
    }
}

/*   W C R L S E I sched F D live */
static const struct {
    rf_cerf_stage_cfg cfg;
    uint64_t cycles; /* of each of two runs */
} sets[] = {
    {{8, 3, 8, 3, 3, 2, 1, 0, 8, 2, 1}, 12000},   {{6, 4, 7, 3, 3, 3, 2, 1, 3, 3, 1}, 12000},
    {{4, 2, 5, 2, 2, 2, 1, 2, 2, 1, 0}, 12000},   {{9, 5, 6, 2, 4, 4, 3, 2, 2, 3, 1}, 10000},
    {{5, 7, 7, 3, 8, 5, 1, 1, 5, 3, 1}, 6000},    {{12, 15, 6, 1, 4, 3, 4, 0, 64, 5, 1}, 6000},
    {{6, 1, 5, 2, 3, 2, 2, 0, 2, 1, 1}, 13000},   {{3, 6, 3, 1, 1, 3, 1, 2, 2, 1, 1}, 12000},
    {{1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1}, 6000},    {{2, 16, 2, 1, 4, 1, 2, 1, 1, 4, 1}, 6000},
    {{20, 8, 9, 2, 8, 8, 4, 2, 3, 16, 0}, 3000},  {{64, 6, 256, 2, 3, 8, 4, 0, 16, 16, 1}, 1200},
    {{32, 8, 32, 32, 3, 3, 1, 0, 8, 4, 1}, 1200}, {{62, 16, 33, 32, 4, 7, 2, 2, 5, 2, 1}, 600},
};
#define SETS (sizeof sets / sizeof *sets)

static void random_programs(void **state) {
    static run_sum sum;
    uint64_t cycles = 0;
    (void)state;
    for (size_t i = 0; i < 2 * SETS; i++) {
        judge j;
        run(&j, &sets[i / 2].cfg, ls_seed_derive(i, "judge rf_cerf_stage"), i % 2 == 1, sets[i / 2].cycles, &sum);
        judge_passes(&j);
        cycles += j.cycle;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, sum.seen, EVENTS);
    assert_true(sum.operands > 100000);
}

/* A slow stage that breaks one rule differs from the model in some run. */
static void a_stage_that_breaks_a_rule_is_seen(void **state) {
    static run_sum sum;
    uint32_t missed = 0;
    (void)state;
    for (uint32_t f = NO_LAPSE + 1; f < STAGE_LAPSE_COUNT; f++) {
        bool differs = false;
        for (size_t i = 0; i < 2 * SETS && !differs; i++) {
            judge j;
            lapse = f;
            run(&j, &sets[i / 2].cfg, ls_seed_derive(i, "judge rf_cerf_stage"), i % 2 == 1, sets[i / 2].cycles, &sum);
            lapse = NO_LAPSE;
            differs = j.differing != 0;
        }
        if (!differs) print_error("nobody sees that %s\n", lapse_names[f]);
        missed += !differs;
    }
    assert_int_equal(missed, 0);
}

/* --- by hand -----------------------------------------------------------------------------------------------------------------
 */

static judge trial;

/* Four warps of five registers, two collectors of two slots, two ports, queues of one: number 5 * warp + register. */
static void start_with(uint32_t liveness) {
    const rf_cerf_stage_cfg cfg = {4, 2, 5, 2, 2, 2, 1, 0, 4, 1, liveness};
    begin(&trial, 0, &cfg);
    in.ex_ready = 3;
}

/* A cycle with these accepts and fills; data n comes for reader r: n + r in lane 0. What issued or was taken is gone. */
static void cycle(uint32_t accept, uint32_t fill, uint32_t n, uint32_t written) {
    uint64_t checked = 0;
    in.rd_accept = accept, in.rd_fill = fill, in.wr_accept = (uint8_t)written;
    for (uint32_t r = 0; r < 4; r++) in.rd_data[r] = (rf_vec){{n + r, 7}};
    cerf_stage_comb(&slow, &in.stage, &turn);
    take_accepted(&slow, &in, &turn);
    step(&trial, false, &checked);
    judge_passes(&trial);
    if (out.issue_valid) in.ib_valid &= ~(UINT64_C(1) << out.issue_warp[0]);
    in.res_valid &= (uint8_t)~out.res_ready;
}

/* R<dst> of warp w <- its sources, 255: none; `last` by slot. */
static void show_inst(uint32_t w, uint32_t port, uint32_t dst, uint32_t src0, uint32_t src1, uint32_t last) {
    put_head(&slow.units.cfg, &in.stage, w, port, dst, src0);
    in.ib_src_valid[w] |= (uint8_t)((src1 < 5) << 1);
    in.ib_src[w * 2 + 1] = (uint8_t)(src1 % 5);
    in.ib_last[w] = (uint8_t)last;
}

/* Issue 0, request 1, accepted 2, the operand 4, offer 5, taken 6; result 7, written 9: the dependent instruction issues in 10.
 */
static void one_instruction_and_its_dependent(void **state) {
    (void)state;
    start_with(1);
    for (uint32_t t = 0; t <= 11; t++) {
        if (t == 0) show_inst(3, 1, 2, 1, 9, 0);
        if (t == 1) show_inst(3, 0, 300, 2, 9, 0);
        if (t == 7) give_result(&slow.units.cfg, &in.stage, 1, 3, 2, 0xcafe00);
        in.ex_ready = t == 5 ? 1 : 3;
        cycle(t == 1 ? 14 : t == 2, t == 2 || t == 3 ? 14 : t == 4, 100 * t, t == 8 ? 1 : t == 7 || t == 9 ? 2 : 0);
        assert_int_equal(out.issue_valid, t == 0 || t == 10);
        assert_int_equal(out.rd_valid, t == 1 || t == 2 || t == 11);
        if (t >= 1) assert_int_equal(out.rd_number[0], t == 11 ? 17 : 16);
        assert_int_equal(out.rd_dead, 0);
        assert_int_equal(out.ex_valid, t == 5 || t == 6 ? 2 : 0);
        assert_int_equal(out.ex_warp[1], t == 5 || t == 6 ? 3 : 0);
        assert_int_equal(out.ex_data[2].lane[0], t == 5 || t == 6 ? 400 : 0);
        assert_int_equal(out.res_ready, t == 8 || t == 9 ? 1 : 3);
        assert_int_equal(out.wr_valid, t == 8 || t == 9 ? 2 : 0);
        assert_int_equal(out.wr_number[1], t == 8 || t == 9 ? 17 : 0);
        assert_int_equal(out.wr_mask[1], t == 8 || t == 9 ? 3 : 0);
        assert_int_equal(out.wr_data[1].lane[1], t == 8 || t == 9 ? 0xcafe01 : 0);
        assert_int_equal(model.units.scoreboard.pending_q[3].w[0], t <= 8 ? 4 : 0);
    }
}

/* Collector 0 reads R1 and R2 of warp 2, collector 1 R1 for the last time, by both slots. It is spared until collector 0's
 * request is accepted, not until its operand has come. */
static void a_last_read_is_spared_by_a_request_of_another_collector(void **state) {
    (void)state;
    for (uint32_t liveness = 0; liveness <= 1; liveness++) {
        start_with(liveness);
        show_inst(2, 0, 300, 1, 2, 0);
        cycle(0, 0, 0, 0);
        show_inst(2, 1, 300, 1, 1, 2);
        cycle(2, 0, 0, 0);
        cycle(0, 2, 0, 0);
        assert_int_equal(out.rd_valid, 5);
        assert_int_equal(out.rd_number[2], 11);
        assert_int_equal(out.wires.rd_last, liveness ? 4 : 0);
        assert_int_equal(out.rd_dead, 0);
        cycle(1, 0, 0, 0);
        assert_int_equal(out.rd_dead, 0); /* in this cycle it is still to be read */
        cycle(0, 0, 0, 0);
        assert_int_equal(out.rd_valid, 4);
        assert_int_equal(out.rd_dead, liveness ? 4 : 0);
        cycle(4, 0, 0, 0);
        assert_int_equal(out.rd_dead, liveness ? 4 : 0);
        cycle(0, 13, 50, 0); /* slot 1 of collector 1 did not ask */
        assert_int_equal(out.rd_valid, 0);
        cycle(0, 0, 0, 0);
        assert_int_equal(out.ex_valid, 3);
        assert_int_equal(out.ex_data[0].lane[0], 50);
        assert_int_equal(out.ex_data[1].lane[0], 1);
        assert_int_equal(out.ex_data[2].lane[0], 52);
        assert_int_equal(out.ex_data[3].lane[0], 52);
    }
}

/* A writer waits for the request, not for the operand. */
static void a_writer_issues_when_the_request_is_accepted(void **state) {
    (void)state;
    start_with(1);
    show_inst(0, 0, 300, 4, 9, 1);
    cycle(0, 0, 0, 0);
    show_inst(0, 1, 4, 9, 9, 0);
    in.ib_src_valid[0] = 0;
    cycle(0, 0, 0, 0);
    assert_int_equal(out.issue_valid, 0);
    cycle(1, 0, 0, 0);
    assert_int_equal(out.issue_valid, 0);
    cycle(0, 0, 0, 0);
    assert_int_equal(out.issue_valid, 1);
    cycle(0, 0, 0, 0);
    assert_int_equal(out.ex_valid, 2); /* no source: it is offered before the older one has its operand */
    assert_int_equal(model.ocu[0].wait_q, 1);
}

/* An accept of an empty queue is lost, though a result comes in that cycle; a full one refuses though its head is taken. */
static void queues_at_their_ends(void **state) {
    (void)state;
    start_with(1);
    show_inst(1, 0, 3, 9, 9, 0);
    in.ib_src_valid[1] = 0;
    cycle(0, 0, 0, 0);
    cycle(0, 0, 0, 3);
    assert_int_equal(model.units.scoreboard.pending_q[1].w[0], 8);
    give_result(&slow.units.cfg, &in.stage, 0, 1, 3, 70);
    cycle(0, 0, 0, 1);
    assert_int_equal(out.res_ready, 3);
    assert_int_equal(model.units.scoreboard.pending_q[1].w[0], 8);
    give_result(&slow.units.cfg, &in.stage, 0, 1, 2, 80);
    cycle(0, 0, 0, 1);
    assert_int_equal(out.res_ready, 2);
    assert_int_equal(out.wr_data[0].lane[0], 70);
    assert_int_equal(model.units.scoreboard.pending_q[1].w[0], 0);
    assert_int_equal(in.res_valid, 1);
    cycle(0, 0, 0, 1);
    assert_int_equal(out.res_ready, 3);
    assert_int_equal(out.wr_valid, 0);
    cycle(0, 0, 0, 0);
    assert_int_equal(out.wr_number[0], 7);
}

static void reset_clears_every_register(void **state) {
    static run_sum sum;
    (void)state;
    for (size_t i = 0; i < 8; i++) {
        judge j;
        run(&j, &sets[i].cfg, 7, false, 300, &sum);
        reset(&j);
        judge_passes(&j);
    }
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    /* large and small: they take the ends of all ranges */
    const rf_cerf_stage_cfg good[] = {sets[8].cfg, sets[11].cfg, sets[9].cfg, sets[7].cfg};
    rf_cerf_stage_cfg cfg = sets[1].cfg;
    (void)state;
    for (size_t i = 0; i < SETS; i++) assert_null(rf_cerf_stage_check(&sets[i].cfg));
    JUDGE_RANGES(rf_cerf_stage, good);
    cfg.warps = 7;
    judge_refused(&rf_cerf_stage_unit, &cfg, "warps", "issues");
    cfg = sets[1].cfg, cfg.issues = 4;
    judge_refused(&rf_cerf_stage_unit, &cfg, "warps", "issues");
    cfg = sets[1].cfg, cfg.collectors = 16, cfg.slots = 5;
    judge_refused(&rf_cerf_stage_unit, &cfg, "collectors", "64");
    cfg.slots = 4;
    assert_null(rf_cerf_stage_check(&cfg));
    cfg.collectors = 9, cfg.slots = 8;
    judge_refused(&rf_cerf_stage_unit, &cfg, "collectors", "64");
    cfg.collectors = 8;
    assert_null(rf_cerf_stage_check(&cfg));
    cfg.slots = 7, cfg.collectors = 10;
    judge_refused(&rf_cerf_stage_unit, &cfg, "collectors", "64");
    cfg.collectors = 9;
    assert_null(rf_cerf_stage_check(&cfg));
    cfg.warps = 64, cfg.regs = 256, cfg.issues = 4; /* no memory of its own bounds the registers */
    assert_null(rf_cerf_stage_check(&cfg));
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static run_sum sum;
    static const uint32_t which[] = {0, 1, 2, 3, 6};
    (void)state;
    for (uint32_t i = 0; i < sizeof which / sizeof *which; i++) {
        judge j;
        run(&j, &sets[which[i]].cfg, 5, i % 2 == 0, 300, &sum);
        judge_passes(&j);
        memset(&out, 0xa5, sizeof out);
        cerf_stage_comb(&slow, &in.stage, &turn);
        rf_cerf_stage_comb(&model, &in, &out);
        JUDGE_LANE_FLIPS(&j, rf_cerf_stage, LS_OUT, &model, &out, compare_cerf_stage_out(&j, &slow, &turn, &out));
        JUDGE_LANE_FLIPS(&j, rf_cerf_stage, LS_STATE, &model, &model, compare_cerf_stage_state(&j, &slow, &model));
#define WIRE(member) JUDGE_FLIP(&j, out.wires.member, 1, #member, 0, 0, compare_cerf_stage_wires(&j, &slow, &turn, &out.wires))
        WIRE(ready);
        WIRE(chosen);
        WIRE(busy);
        WIRE(collected);
        WIRE(rd_last);
        WIRE(rd_dead);
        WIRE(alloc.grant);
        WIRE(alloc.alloc);
        WIRE(dispatch.grant);
        WIRE(dispatch.ex_valid);
#undef WIRE
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
        cmocka_unit_test(a_stage_that_breaks_a_rule_is_seen),
        cmocka_unit_test(one_instruction_and_its_dependent),
        cmocka_unit_test(a_last_read_is_spared_by_a_request_of_another_collector),
        cmocka_unit_test(a_writer_issues_when_the_request_is_accepted),
        cmocka_unit_test(queues_at_their_ends),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_cerf_stage", tests, NULL, NULL);
}
