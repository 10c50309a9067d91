/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_rfc: the slow model of judge_rfc.h beside the model, what a write-back cache is for, whatever a slow model says
 * (who looks into the RFC and then into the MRF finds the newest value), and each rule of the contract by itself. */
#include "tb/common/judge/judge_unit.h"
#include "tb/hierarchy/judge/judge_rfc_seen.h"

extern const ls_unit rf_rfc_unit;

/* A working set of registers that changes, and how busy the ports are, in 256ths. */
typedef struct traffic {
    ls_rng rng;
    uint32_t pool[24], used;
    uint32_t read, source, last, write, full, around, low, flush, take;
} traffic;

static void new_phase(traffic *t, const rf_rfc_cfg *cfg) {
    ls_rng *rng = &t->rng;
    t->used = 1 + ls_rng_below(rng, 2 * cfg->entries + 4);
    for (uint32_t i = 0; i < t->used; i++)
        t->pool[i] = ls_rng_below(rng, ls_rng_chance(rng, 240) ? cfg->regs : judge_codes(cfg->regs));
    t->read = ls_rng_below(rng, 257);
    t->source = 64 + ls_rng_below(rng, 193);
    t->last = ls_rng_chance(rng, 96) ? 0 : ls_rng_below(rng, 128);
    t->write = ls_rng_chance(rng, 64) ? 256 : ls_rng_below(rng, 257);
    t->full = ls_rng_chance(rng, 64) ? 256 : 64 + ls_rng_below(rng, 193);
    t->around = ls_rng_chance(rng, 64) ? 0 : ls_rng_below(rng, 96);
    t->low = ls_rng_chance(rng, 64) ? 0 : ls_rng_below(rng, 257);
    t->flush = ls_rng_chance(rng, 128) ? 0 : ls_rng_below(rng, 257);
    t->take = ls_rng_chance(rng, 64) ? 256 : 32 + ls_rng_below(rng, 225);
}

static uint8_t some_reg(traffic *t, const rf_rfc_cfg *cfg) {
    if (ls_rng_chance(&t->rng, 4)) return (uint8_t)ls_rng_below(&t->rng, judge_codes(cfg->regs));
    return (uint8_t)t->pool[ls_rng_below(&t->rng, t->used)];
}

static void next_inputs(traffic *t, const rf_rfc_cfg *cfg, rf_rfc_in *in) {
    ls_rng *rng = &t->rng;
    memset(in, 0, sizeof *in);
    in->read = ls_rng_chance(rng, t->read);
    in->rd_valid = (uint8_t)ls_rng_bits(rng, cfg->slots, t->source);
    in->last = (uint8_t)ls_rng_bits(rng, cfg->slots, t->last);
    for (uint32_t k = 0; k < cfg->slots; k++) in->rd_reg[k] = some_reg(t, cfg);
    in->write = ls_rng_chance(rng, t->write);
    in->wr_reg = ls_rng_chance(rng, 48) ? in->rd_reg[ls_rng_below(rng, cfg->slots)] : some_reg(t, cfg);
    in->wr_mask = (uint32_t)ls_mask(cfg->lanes);
    if (!ls_rng_chance(rng, t->full)) in->wr_mask = (uint32_t)ls_rng_value(rng, cfg->lanes);
    if (ls_rng_chance(rng, 6)) in->wr_mask = 0;
    for (uint32_t l = 0; l < cfg->lanes; l++) in->wr_data.lane[l] = (uint32_t)ls_rng_u64(rng);
    in->around = ls_rng_chance(rng, t->around);
    in->low = ls_rng_chance(rng, t->low);
    in->flush = ls_rng_chance(rng, t->flush);
    in->take = ls_rng_chance(rng, t->take);
}

/* Every number of entries, with and without an L0, of both policies; the other sizes go round. */
#define CONFIGS 32u
static rf_rfc_cfg config(uint32_t i) {
    static const uint32_t lanes[] = {2, 1, 3, 32, 5, 1, 31, 4, 2}, regs[] = {16, 5, 2, 64, 33, 256, 12, 1, 8, 20, 7};
    return (rf_rfc_cfg){.entries = 1 + i % 8,
                        .l0 = i / 8 % 2,
                        .policy = i / 16,
                        .regs = regs[i % (sizeof regs / sizeof *regs)],
                        .lanes = lanes[i % (sizeof lanes / sizeof *lanes)],
                        .slots = 1 + (i * 3 + i / 8) % 8};
}

static void run(const rf_rfc_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static rf_rfc m;
    static slow_rfc s;
    judge j;
    traffic t;
    rf_rfc_in in;
    rf_rfc_out out;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&t.rng, seed);
    while (j.cycle < cycles) {
        if (j.cycle % 64 == 0) new_phase(&t, cfg);
        next_inputs(&t, cfg, &in);
        count(&s, &in, seen);
        step(&j, &m, &s, &in, &out);
        if (ls_rng_below(&t.rng, 1024) != 0) continue;
        seen[RESET] += valid_boxes(&s) > 0;
        seen[RESET_DEAD] += dead_boxes(&s) > 0;
        rf_rfc_reset(&m);
        slow_reset(&s);
        compare_state(&j, &s, &m);
    }
    judge_passes(&j);
}

static void random_traffic_of_every_size_and_policy(void **state) {
    uint64_t seen[EVENTS] = {0};
    (void)state;
    for (uint32_t i = 0; i < CONFIGS; i++) {
        const rf_rfc_cfg cfg = config(i);
        run(&cfg, ls_seed_derive(i, "judge rf_rfc"), JUDGE_CYCLES / CONFIGS, seen);
    }
    judge_saw_all(event_names, seen, EVENTS);
}

/* ---- the property of a write-back cache ---- */

#define REACHED(X)                                                                                                               \
    X(IN_L0, "the newest value is in the L0")                                                                                    \
    X(IN_L1, "the newest value is in the L1")                                                                                    \
    X(IN_MRF, "the newest value is in the MRF")                                                                                  \
    X(MRF_OLD, "the MRF's value is older than an entry")                                                                         \
    X(NOT_READ_AGAIN, "a register whose last read has been announced, and that is lost")                                         \
    X(SOME_LANES, "a register is alive again in some lanes")                                                                     \
    X(ENTRY_OUT, "an entry goes to the MRF")                                                                                     \
    X(RESULT_OUT, "a result goes to the MRF")                                                                                    \
    X(DRAINED, "all entries have been flushed, the MRF has all that is alive")
enum { REACHED(JUDGE_NAME) REACHED_ALL };
static const char *const reached_names[REACHED_ALL] = {REACHED(JUDGE_TEXT)};

/* All registers: the newest value, which of its lanes somebody may read again, and the MRF. */
typedef struct world {
    uint32_t newest[256][RF_LANES_MAX], mrf[256][RF_LANES_MAX];
    bool alive[256][RF_LANES_MAX];
} world;

/* The edge: first the reads of this cycle, which are of older instructions, then the result. */
static void world_clock(world *w, const rf_rfc_cfg *cfg, const rf_rfc_in *in, const rf_rfc_out *out, uint64_t *seen) {
    for (uint32_t k = 0; k < cfg->slots; k++)
        for (uint32_t l = 0; l < cfg->lanes; l++)
            if (in->read && judge_bit(in->rd_valid, k) && judge_bit(in->last, k)) w->alive[in->rd_reg[k]][l] = false;
    if (!in->take) return;
    seen[ENTRY_OUT] += out->mrf_valid && out->mrf_entry;
    seen[RESULT_OUT] += out->mrf_valid && !out->mrf_entry;
    for (uint32_t l = 0; l < cfg->lanes; l++) {
        if (out->mrf_valid && judge_bit(out->mrf_mask, l)) w->mrf[out->mrf_reg][l] = out->mrf_data.lane[l];
        if (!in->write || !judge_bit(in->wr_mask, l)) continue;
        w->newest[in->wr_reg][l] = in->wr_data.lane[l];
        w->alive[in->wr_reg][l] = true;
    }
}

/* Somebody reads all registers, SLOTS in a look, and counts none of it: the unit has what it hits, the MRF the rest. */
static void world_look(judge *j, const world *w, const rf_rfc *m, uint64_t *seen) {
    const uint32_t codes = judge_codes(m->cfg.regs), slots = m->cfg.slots, lanes = m->cfg.lanes;
    rf_rfc_out out;
    for (uint32_t base = 0; base < codes; base += slots) {
        rf_rfc_in look;
        memset(&look, 0, sizeof look);
        for (uint32_t k = 0; k < slots && base + k < codes; k++) {
            look.rd_valid |= (uint8_t)(1u << k);
            look.rd_reg[k] = (uint8_t)(base + k);
        }
        rf_rfc_comb(m, &look, &out);
        for (uint32_t k = 0; k < slots && base + k < codes; k++) {
            const uint32_t reg = base + k;
            const uint32_t *found = judge_bit(out.hit, k) ? out.rd_data[k].lane : w->mrf[reg];
            bool older = false, lost = false;
            uint32_t alive = 0;
            for (uint32_t l = 0; l < lanes; l++) {
                alive += w->alive[reg][l];
                lost = lost || (!w->alive[reg][l] && found[l] != w->newest[reg][l]);
                older = older || (judge_bit(out.hit, k) && w->mrf[reg][l] != found[l]);
                if (w->alive[reg][l]) judge_equal(j, "what a reader finds", reg, found[l], w->newest[reg][l]);
            }
            seen[MRF_OLD] += older;
            seen[NOT_READ_AGAIN] += alive == 0 && lost;
            seen[SOME_LANES] += alive > 0 && lost;
            seen[IN_L0] += alive > 0 && judge_bit(out.hit_l0, k);
            seen[IN_L1] += alive > 0 && judge_bit(out.hit, k) && !judge_bit(out.hit_l0, k);
            seen[IN_MRF] += alive > 0 && !judge_bit(out.hit, k);
        }
    }
}

static void world_cycle(judge *j, world *w, rf_rfc *m, const rf_rfc_in *in, uint64_t *seen) {
    rf_rfc_out out;
    memset(&out, 0xa5, sizeof out);
    rf_rfc_comb(m, in, &out);
    world_clock(w, &m->cfg, in, &out, seen);
    rf_rfc_clock(m, in);
    world_look(j, w, m, seen);
    j->cycle++;
}

/* The slot's warp leaves: a flush until nothing is held, with a transfer for every entry that is not dead. */
static void world_drain(judge *j, world *w, rf_rfc *m, traffic *t, uint64_t *seen) {
    const uint32_t entries = (uint32_t)__builtin_popcount(m->valid_q & ~(uint32_t)m->dead_q) + (m->l0_valid_q && !m->l0_dead_q);
    uint32_t transfers = 0;
    for (uint32_t cycles = 0; cycles < 1000; cycles++) {
        rf_rfc_in in;
        rf_rfc_out out;
        next_inputs(t, &m->cfg, &in);
        in.write = in.read = 0;
        in.flush = 1;
        in.take = ls_rng_chance(&t->rng, 128);
        rf_rfc_comb(m, &in, &out);
        if (!out.holds) break;
        judge_equal(j, "a step of the flush sends an entry", 0, out.mrf_valid && out.mrf_entry, transfers < entries);
        transfers += in.take && out.mrf_valid;
        world_cycle(j, w, m, &in, seen);
    }
    judge_equal(j, "transfers of the flush", 0, transfers, entries);
    for (uint32_t reg = 0; reg < judge_codes(m->cfg.regs); reg++)
        for (uint32_t l = 0; l < m->cfg.lanes; l++)
            if (w->alive[reg][l]) judge_equal(j, "MRF after the flush", reg, w->mrf[reg][l], w->newest[reg][l]);
    seen[DRAINED] += entries > 0;
}

static void a_reader_finds_the_newest_value_in_the_rfc_or_the_mrf(void **state) {
    static world w;
    static rf_rfc m;
    uint64_t seen[REACHED_ALL] = {0};
    (void)state;
    for (uint32_t i = 0; i < CONFIGS; i++) {
        const rf_rfc_cfg cfg = config(i);
        const uint64_t seed = ls_seed_derive(i, "judge rf_rfc property");
        judge j;
        traffic t;
        judge_begin(&j, seed, "rf_rfc property, configuration %" PRIu32, i);
        memset(&w, 0, sizeof w);
        for (uint32_t reg = 0; reg < 256; reg++) memset(w.alive[reg], true, sizeof w.alive[reg]);
        assert_int_equal(rf_rfc_init(&m, &cfg), 0);
        ls_rng_seed(&t.rng, seed);
        new_phase(&t, &cfg);
        while (j.cycle < 1500) {
            rf_rfc_in in;
            if (ls_rng_below(&t.rng, 48) == 0) new_phase(&t, &cfg);
            next_inputs(&t, &cfg, &in);
            world_cycle(&j, &w, &m, &in, seen);
            if (ls_rng_below(&t.rng, 128) == 0) world_drain(&j, &w, &m, &t, seen);
        }
        judge_passes(&j);
    }
    judge_saw_all(reached_names, seen, REACHED_ALL);
}

/* "The oldest has ENTRIES - 1, valid or not, so that liveness changes no hit of an L1 alone": without a flush, and whatever is
 * announced, the same hits; and what goes to the MRF is part of what goes there without liveness. */
static void liveness_changes_no_hit_of_an_l1_alone(void **state) {
    uint64_t hits = 0, saved = 0;
    (void)state;
    for (uint32_t i = 0; i < CONFIGS; i++) {
        static rf_rfc with, without;
        rf_rfc_cfg cfg = config(i);
        judge j;
        traffic t;
        cfg.l0 = 0;
        judge_begin(&j, i, "rf_rfc liveness, configuration %" PRIu32, i);
        assert_int_equal(rf_rfc_init(&with, &cfg), 0);
        assert_int_equal(rf_rfc_init(&without, &cfg), 0);
        ls_rng_seed(&t.rng, ls_seed_derive(i, "judge rf_rfc liveness"));
        for (; j.cycle < 1500; j.cycle++) {
            rf_rfc_in in;
            rf_rfc_out out, all;
            if (j.cycle % 64 == 0) new_phase(&t, &cfg);
            next_inputs(&t, &cfg, &in);
            in.flush = 0;
            rf_rfc_step(&with, &in, &out);
            in.last = 0;
            rf_rfc_step(&without, &in, &all);
            judge_equal(&j, "hit", 0, out.hit, all.hit);
            if (out.mrf_valid) {
                judge_equal(&j, "mrf_valid", 0, all.mrf_valid, true);
                judge_equal(&j, "mrf_reg", 0, out.mrf_reg, all.mrf_reg);
                judge_equal(&j, "mrf_mask", 0, out.mrf_mask, all.mrf_mask);
                judge_words(&j, "mrf_data", 0, out.mrf_data.lane, all.mrf_data.lane, RF_LANES_MAX);
            }
            hits += out.hit != 0;
            saved += in.take && all.mrf_valid && !out.mrf_valid;
        }
        judge_passes(&j);
    }
    assert_true(hits > 0 && saved > 0);
}

/* ---- each rule by itself; in all of them lane 1 is behind lane 0 by 1000 ---- */

typedef struct trial {
    judge j;
    rf_rfc m;
    slow_rfc s;
    rf_rfc_out out; /* of the last cycle */
} trial;

#define EVERY 3u /* both lanes */

static void trial_start(trial *b, uint32_t entries, uint32_t l0, uint32_t policy) {
    start(&b->j, 0, &b->m, &b->s,
          &(rf_rfc_cfg){.entries = entries, .l0 = l0, .policy = policy, .regs = 32, .lanes = 2, .slots = 3});
}

static rf_rfc_in a_write(uint32_t reg, uint32_t mask, uint32_t value) {
    rf_rfc_in in;
    memset(&in, 0, sizeof in);
    in.write = in.take = 1;
    in.wr_reg = (uint8_t)reg;
    in.wr_mask = mask;
    in.wr_data.lane[0] = value;
    in.wr_data.lane[1] = value + 1000;
    return in;
}

static rf_rfc_in a_read(uint32_t reg, bool last) {
    rf_rfc_in in;
    memset(&in, 0, sizeof in);
    in.read = 1;
    in.rd_valid = 2; /* slot 1 */
    in.rd_reg[1] = (uint8_t)reg;
    in.last = last ? 2 : 0;
    return in;
}

static void cycle(trial *b, rf_rfc_in in) {
    step(&b->j, &b->m, &b->s, &in, &b->out);
    judge_passes(&b->j);
}

/* Whole results of the L0's level (or the L1's, when there is none), register r with value 10 r. */
static void results(trial *b, uint32_t first, uint32_t last) {
    for (uint32_t reg = first; reg <= last; reg++) cycle(b, a_write(reg, EVERY, 10 * reg));
}

static void nothing_sent(const trial *b) {
    assert_int_equal(b->out.mrf_valid, 0);
    assert_int_equal(b->out.mrf_entry, 0);
    assert_int_equal(b->out.mrf_reg, 0);
    assert_int_equal(b->out.mrf_mask, 0);
    assert_int_equal(b->out.mrf_data.lane[0], 0);
    assert_int_equal(b->out.mrf_data.lane[1], 0);
}

static void sent(const trial *b, bool entry, uint32_t reg, uint32_t mask, uint32_t lane0, uint32_t lane1) {
    assert_int_equal(b->out.mrf_valid, 1);
    assert_int_equal(b->out.mrf_entry, entry);
    assert_int_equal(b->out.mrf_reg, reg);
    assert_int_equal(b->out.mrf_mask, mask);
    assert_int_equal(b->out.mrf_data.lane[0], lane0);
    assert_int_equal(b->out.mrf_data.lane[1], lane1);
}

/* Reads the register, uncounted: 0 not there, 1 in the L1, 2 in the L0, with these lanes. */
static void found(trial *b, uint32_t reg, uint32_t level, uint32_t lane0, uint32_t lane1) {
    rf_rfc_in in = a_read(reg, true);
    in.read = 0;
    cycle(b, in);
    assert_int_equal(b->out.hit, level > 0 ? 2 : 0);
    assert_int_equal(b->out.hit_l0, level == 2 ? 2 : 0);
    assert_int_equal(b->out.rd_data[1].lane[0], lane0);
    assert_int_equal(b->out.rd_data[1].lane[1], lane1);
}

/* Rule 1: never allocate a partial value, but what is there takes its lanes, even those of a result that goes around. */
static void some_lanes_are_merged_into_the_entry(void **state) {
    trial b;
    (void)state;
    trial_start(&b, 2, 1, 0);
    results(&b, 1, 2); /* 1 in the L1, 2 in the L0 */
    cycle(&b, a_write(1, 1, 77));
    nothing_sent(&b);
    found(&b, 1, 1, 77, 1010);
    rf_rfc_in in = a_write(2, 2, 88);
    in.low = in.around = 1;
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 2, 2, 20, 1088);
    cycle(&b, a_write(2, 0, 99)); /* no lane */
    nothing_sent(&b);
    found(&b, 2, 2, 20, 1088);
}

/* Rule 2. */
static void what_takes_no_entry_goes_to_the_mrf(void **state) {
    trial b;
    (void)state;
    trial_start(&b, 2, 1, 0);
    cycle(&b, a_write(5, 2, 50)); /* inactive lanes as they come */
    sent(&b, false, 5, 2, 50, 1050);
    found(&b, 5, 0, 0, 0);
    results(&b, 1, 2);
    for (uint32_t reg = 1; reg <= 3; reg++) { /* in the L1, in the L0, nowhere */
        rf_rfc_in in = a_write(reg, EVERY, 100 * reg);
        in.around = 1;
        cycle(&b, in);
        sent(&b, false, reg, EVERY, 100 * reg, 100 * reg + 1000);
        found(&b, reg, 0, 0, 0);
    }
    assert_int_equal(b.out.holds, 0);
}

/* Rule 3a. */
static void a_register_is_overwritten_in_its_level(void **state) {
    trial b;
    (void)state;
    trial_start(&b, 2, 1, 0);
    results(&b, 1, 2);
    cycle(&b, a_write(2, EVERY, 22));
    nothing_sent(&b);
    found(&b, 2, 2, 22, 1022);
    rf_rfc_in in = a_write(1, EVERY, 11);
    in.low = 1;
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 1, 1, 11, 1011);
}

/* Rule 3b, into the L1: low, or without an L0. */
static void a_result_takes_the_oldest_entry(void **state) {
    trial b;
    (void)state;
    trial_start(&b, 3, 0, 0);
    for (uint32_t reg = 1; reg <= 3; reg++) {
        cycle(&b, a_write(reg, EVERY, 10 * reg));
        nothing_sent(&b);
        assert_int_equal(b.m.reg_q[reg - 1], reg); /* entry e has rank ENTRIES - 1 - e at first */
    }
    cycle(&b, a_write(4, EVERY, 40));
    sent(&b, true, 1, EVERY, 10, 1010);
    assert_int_equal(b.m.reg_q[0], 4);

    trial_start(&b, 2, 1, 0);
    cycle(&b, a_write(6, EVERY, 60));
    rf_rfc_in in = a_write(6, EVERY, 61);
    in.low = 1; /* from the L0 down into the L1 */
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 6, 1, 61, 1061);
    assert_int_equal(b.m.l0_valid_q, 0);
    assert_int_equal(b.m.l0_reg_q, 6); /* a freed entry keeps register and data */
    assert_int_equal(b.m.l0_data_q.lane[0], 60);
}

/* Rule 3b, into the L0. */
static void the_l0_moves_into_the_l1_and_the_oldest_out(void **state) {
    trial b;
    (void)state;
    trial_start(&b, 2, 1, 0);
    results(&b, 1, 3); /* L1: 1 2, L0: 3 */
    nothing_sent(&b);
    cycle(&b, a_write(4, EVERY, 40));
    sent(&b, true, 1, EVERY, 10, 1010);
    found(&b, 3, 1, 30, 1030);
    found(&b, 4, 2, 40, 1040);
    cycle(&b, a_write(2, EVERY, 21)); /* the oldest is its own old entry: freed, not sent; 4 moves there */
    nothing_sent(&b);
    found(&b, 2, 2, 21, 1021);
    found(&b, 4, 1, 40, 1040);
    found(&b, 3, 1, 30, 1030);
    cycle(&b, a_write(4, EVERY, 41)); /* 4 is the newest: 3, the oldest, goes although 4's entry is freed */
    sent(&b, true, 3, EVERY, 30, 1030);
    found(&b, 4, 2, 41, 1041);
    found(&b, 2, 1, 21, 1021);
    assert_int_equal(__builtin_popcount(b.m.valid_q), 1);
}

/* The order of a FIFO is that of allocation; a read or a write of LRU changes it. */
static void the_policies_differ_in_what_is_used(void **state) {
    trial b;
    (void)state;
    for (uint32_t policy = 0; policy < 2; policy++) {
        trial_start(&b, 3, 0, policy);
        results(&b, 1, 3);
        cycle(&b, a_read(1, false));
        cycle(&b, a_write(4, EVERY, 40));
        sent(&b, true, policy == 1 ? 2 : 1, EVERY, policy == 1 ? 20 : 10, policy == 1 ? 1020 : 1010);
        trial_start(&b, 3, 0, policy);
        results(&b, 1, 3);
        cycle(&b, a_write(1, EVERY, 11)); /* rule 3a */
        cycle(&b, a_write(2, 1, 22));     /* rule 1 */
        cycle(&b, a_write(4, EVERY, 40));
        if (policy == 1) sent(&b, true, 3, EVERY, 30, 1030);
        else sent(&b, true, 1, EVERY, 11, 1011);
        trial_start(&b, 3, 0, policy);
        results(&b, 1, 3);
        rf_rfc_in in = a_read(1, false); /* the slots in their order: 1, then 2 is the newest */
        in.rd_valid = 6;
        in.rd_reg[2] = 2;
        cycle(&b, in);
        assert_int_equal(b.m.rank_q[0], policy == 1 ? 1 : 2);
        assert_int_equal(b.m.rank_q[1], policy == 1 ? 0 : 1);
        assert_int_equal(b.m.rank_q[2], policy == 1 ? 2 : 0);
        in.read = 0; /* uncounted */
        in.rd_reg[1] = 3;
        in.rd_valid = 2;
        cycle(&b, in);
        assert_int_equal(b.m.rank_q[2], policy == 1 ? 2 : 0);
    }
}

/* Liveness: "marked dead in the RFC and their values need not be written back" [hierarchy 4.1]; a dead entry still hits. */
static void a_value_that_is_read_for_the_last_time_goes_nowhere(void **state) {
    trial b;
    rf_rfc_in in;
    (void)state;
    trial_start(&b, 2, 1, 0);
    results(&b, 1, 3); /* L1: 1 2, L0: 3 */
    cycle(&b, a_read(1, true));
    found(&b, 1, 1, 10, 1010);
    cycle(&b, a_read(1, false));      /* it stays dead */
    cycle(&b, a_write(4, EVERY, 40)); /* 3 takes 1's entry */
    nothing_sent(&b);
    found(&b, 1, 0, 0, 0);
    in = a_write(5, EVERY, 50); /* 2 would go, but it is read for the last time in this cycle */
    in.read = 1;
    in.rd_valid = in.last = 1;
    in.rd_reg[0] = 2;
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 2, 0, 0, 0);
    found(&b, 4, 1, 40, 1040);
    in = a_write(6, EVERY, 60); /* the L0's 5 would move, and the oldest, 3, would go */
    in.read = 1;
    in.rd_valid = in.last = 4;
    in.rd_reg[2] = 5;
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 5, 0, 0, 0);
    found(&b, 3, 1, 30, 1030);
    in = a_read(3, true); /* not a source */
    in.rd_valid = 0;
    cycle(&b, in);
    cycle(&b, a_write(7, EVERY, 70));
    sent(&b, true, 3, EVERY, 30, 1030);
    in = a_read(4, false); /* one of two slots is the last; it does not become newer */
    in.rd_valid = 6;
    in.rd_reg[2] = 4;
    in.last = 4;
    cycle(&b, in);
    assert_int_equal(b.out.hit, 6);
    cycle(&b, a_write(8, EVERY, 80));
    nothing_sent(&b);
    found(&b, 4, 0, 0, 0);
}

/* A write of rule 1 or 3a makes a dead entry live again, in either level, also one that dies in the same cycle. */
static void a_write_makes_a_dead_entry_live_again(void **state) {
    trial b;
    (void)state;
    for (uint32_t full = 0; full < 2; full++)
        for (uint32_t together = 0; together < 2; together++) {
            trial_start(&b, 2, 1, 0);
            results(&b, 1, 2); /* 1 in the L1, 2 in the L0 */
            for (uint32_t reg = 1; reg <= 2; reg++) {
                rf_rfc_in in = a_write(reg, full ? EVERY : 1, 50 + reg);
                in.low = reg == 1;
                in.read = (uint8_t)together;
                in.rd_valid = in.last = 1;
                in.rd_reg[0] = (uint8_t)reg;
                if (!together) cycle(&b, a_read(reg, true));
                cycle(&b, in);
                nothing_sent(&b);
                assert_int_equal(b.m.dead_q, 0);
                assert_int_equal(b.m.l0_dead_q, 0);
            }
            results(&b, 3, 4); /* 2 moves, then 3, and 1 goes */
            sent(&b, true, 1, EVERY, 51, full ? 1051 : 1010);
            results(&b, 5, 5);
            sent(&b, true, 2, EVERY, 52, full ? 1052 : 1020);
        }
}

/* LRU: the write of a cycle meets the order that its reads leave. */
static void a_read_saves_the_oldest_from_the_write_of_its_cycle(void **state) {
    trial b;
    (void)state;
    trial_start(&b, 2, 0, 1);
    results(&b, 1, 2);
    rf_rfc_in in = a_write(3, EVERY, 30);
    in.read = 1;
    in.rd_valid = 1;
    in.rd_reg[0] = 1;
    cycle(&b, in);
    sent(&b, true, 2, EVERY, 20, 1020);
    found(&b, 1, 1, 10, 1010);
}

/* Without take a write and a flush change nothing, a read of the cycle does; what would be sent is shown. */
static void nothing_happens_before_it_is_taken(void **state) {
    trial b;
    rf_rfc_in in;
    (void)state;
    trial_start(&b, 2, 1, 0);
    results(&b, 1, 3);
    in = a_write(4, EVERY, 40);
    in.take = 0;
    for (uint32_t i = 0; i < 3; i++) {
        cycle(&b, in);
        sent(&b, true, 1, EVERY, 10, 1010);
    }
    in.read = 1;
    in.rd_valid = in.last = 1;
    in.rd_reg[0] = 1;
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 1, 1, 10, 1010);
    found(&b, 4, 0, 0, 0);
    memset(&in, 0, sizeof in);
    in.flush = 1;
    for (uint32_t i = 0; i < 3; i++) {
        cycle(&b, in);
        sent(&b, true, 3, EVERY, 30, 1030);
    }
    in.flush = 0;
    in.take = 1;
    cycle(&b, in);
    nothing_sent(&b);
    found(&b, 3, 2, 30, 1030);
}

static void a_flush_sends_the_l0_then_the_lowest_entry(void **state) {
    trial b;
    rf_rfc_in in;
    (void)state;
    trial_start(&b, 3, 1, 0);
    results(&b, 1, 5); /* entries: 4 2 3, L0: 5 */
    memset(&in, 0, sizeof in);
    in.flush = in.take = 1;
    rf_rfc_in both = a_write(5, EVERY, 55);
    both.flush = 1; /* a write goes first */
    cycle(&b, both);
    nothing_sent(&b);
    cycle(&b, in);
    sent(&b, true, 5, EVERY, 55, 1055);
    cycle(&b, in);
    sent(&b, true, 4, EVERY, 40, 1040);
    rf_rfc_in read = in; /* 2 is freed, 3 goes */
    read.read = 1;
    read.rd_valid = read.last = 1;
    read.rd_reg[0] = 2;
    cycle(&b, read);
    sent(&b, true, 3, EVERY, 30, 1030);
    assert_int_equal(b.out.holds, 1);
    cycle(&b, in);
    nothing_sent(&b);
    assert_int_equal(b.out.holds, 0);
    assert_int_equal(b.m.reg_q[1], 2); /* freed entries keep register and data */
    assert_int_equal(b.m.data_q[1].lane[0], 20);
}

/* Dead entries go with the first step, without a transfer, also when nothing else is there. */
static void a_flush_frees_dead_entries_at_once(void **state) {
    trial b;
    rf_rfc_in in;
    (void)state;
    trial_start(&b, 3, 1, 0);
    results(&b, 1, 4); /* L1: 1 2 3, L0: 4 */
    cycle(&b, a_read(1, true));
    cycle(&b, a_read(4, true));
    memset(&in, 0, sizeof in);
    in.flush = 1;
    cycle(&b, in); /* not taken */
    sent(&b, true, 2, EVERY, 20, 1020);
    found(&b, 1, 1, 10, 1010);
    found(&b, 4, 2, 40, 1040);
    in.take = 1;
    cycle(&b, in);
    sent(&b, true, 2, EVERY, 20, 1020);
    found(&b, 1, 0, 0, 0);
    found(&b, 4, 0, 0, 0);
    found(&b, 3, 1, 30, 1030);
    cycle(&b, a_read(3, true));
    in.take = 0;
    cycle(&b, in);
    nothing_sent(&b);
    in.take = 1;
    cycle(&b, in);
    nothing_sent(&b);
    assert_int_equal(b.out.holds, 1); /* dead or not */
    found(&b, 3, 0, 0, 0);
    assert_int_equal(b.out.holds, 0);
}

/* Three entries and the L0 with something in every register, LRU. */
static void fill(trial *b) {
    trial_start(b, 3, 1, 1);
    results(b, 1, 6);
    cycle(b, a_read(4, true));
}

static void reset_clears_every_register(void **state) {
    trial b;
    (void)state;
    fill(&b);
    cycle(&b, a_read(6, true));
    assert_true(b.m.dead_q != 0 && b.m.l0_dead_q != 0);
    const rf_rfc_cfg cfg = b.m.cfg;
    rf_rfc_reset(&b.m);
    slow_reset(&b.s);
    compare_state(&b.j, &b.s, &b.m);
    judge_passes(&b.j);
    assert_memory_equal(&b.m.cfg, &cfg, sizeof cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    rf_rfc_cfg good[CONFIGS];
    (void)state;
    for (uint32_t i = 0; i < CONFIGS; i++) good[i] = config(i);
    JUDGE_RANGES(rf_rfc, good);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    trial b;
    rf_rfc_out out;
    slow_answer a;
    slow_rfc copy;
    (void)state;
    fill(&b);
    rf_rfc_in in = a_write(7, EVERY, 70);
    in.rd_valid = 7;
    in.rd_reg[0] = 6;
    in.rd_reg[1] = 4;
    in.rd_reg[2] = 9;
    rf_rfc_comb(&b.m, &in, &out);
    copy = b.s;
    slow_step(&copy, &in, &a);
    assert_int_equal(out.hit, 3);
    assert_int_equal(out.hit_l0, 1);
    assert_int_equal(out.mrf_valid, 1);
    JUDGE_FLIPS(&b.j, rf_rfc, LS_OUT, &b.m, &out, compare_out(&b.j, &a, &out));
    JUDGE_FLIPS(&b.j, rf_rfc, LS_STATE, &b.m, &b.m, compare_state(&b.j, &b.s, &b.m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic_of_every_size_and_policy),
        cmocka_unit_test(a_reader_finds_the_newest_value_in_the_rfc_or_the_mrf),
        cmocka_unit_test(liveness_changes_no_hit_of_an_l1_alone),
        cmocka_unit_test(some_lanes_are_merged_into_the_entry),
        cmocka_unit_test(what_takes_no_entry_goes_to_the_mrf),
        cmocka_unit_test(a_register_is_overwritten_in_its_level),
        cmocka_unit_test(a_result_takes_the_oldest_entry),
        cmocka_unit_test(the_l0_moves_into_the_l1_and_the_oldest_out),
        cmocka_unit_test(the_policies_differ_in_what_is_used),
        cmocka_unit_test(a_value_that_is_read_for_the_last_time_goes_nowhere),
        cmocka_unit_test(a_write_makes_a_dead_entry_live_again),
        cmocka_unit_test(a_read_saves_the_oldest_from_the_write_of_its_cycle),
        cmocka_unit_test(nothing_happens_before_it_is_taken),
        cmocka_unit_test(a_flush_sends_the_l0_then_the_lowest_entry),
        cmocka_unit_test(a_flush_frees_dead_entries_at_once),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_rfc", tests, NULL, NULL);
}
