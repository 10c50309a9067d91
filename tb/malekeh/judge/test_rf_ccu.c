/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_ccu: the slow model of judge_ccu.h beside the model under three kinds of traffic, and what must hold whatever a
 * slow model says: LRU ranks are a permutation, no register is in two valid entries, and no entry is older than the banks
 * ([Malekeh 4.2]: "Writing to the RF banks for all the write requests allows replacing any CCU and flushing its cache at any
 * time"). */
#include "tb/banked/env/rf_stage_carried.h"
#include "tb/common/judge/judge_unit.h"
#include "tb/malekeh/judge/judge_ccu.h"

extern const ls_unit rf_ccu_unit;

typedef enum traffic {
    NOISE, /* every input as it comes */
    BANKS, /* fills come from banks that take all results, no two of a cycle for one register; instructions wait for nothing */
    LEGAL, /* the same behind a scoreboard: see world_drop */
    TRAFFICS
} traffic;

/* The surroundings: all registers, the results of this cycle, and the instruction in the unit as it was given. */
typedef struct world {
    uint32_t bank[64][256][32];
    uint32_t result[8][32];   /* per writer */
    uint32_t arriving[8][32]; /* per slot: the row as it was in the cycle of the grant */
    bool source[8];           /* per slot of the instruction */
    bool hit[8];              /* per slot: it needed no bank */
    uint32_t warp, reg[8], want[8][32];
} world;

static void start(judge *j, uint64_t seed, rf_ccu *m, slow_ccu *s, const rf_ccu_cfg *cfg) {
    judge_begin(j, seed,
                "rf_ccu entries=%" PRIu32 " slots=%" PRIu32 " lanes=%" PRIu32 " warps=%" PRIu32 " regs=%" PRIu32 " banks=%" PRIu32
                " exports=%" PRIu32 " cache=%" PRIu32 " bow=%" PRIu32 " serial=%" PRIu32,
                cfg->entries, cfg->slots, cfg->lanes, cfg->warps, cfg->regs, cfg->banks, cfg->exports, cfg->cache, cfg->bow,
                cfg->serial);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_ccu_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* What holds of every table: ranks 0 to entries - 1 once each; a register in one valid entry at most; a slot's entry exists. */
static void check_table(judge *j, const rf_ccu *m) {
    const uint32_t n = m->cfg.entries;
    for (uint32_t rank = 0; rank < n; rank++) {
        uint32_t times = 0;
        for (uint32_t e = 0; e < n; e++) times += m->ct_lru_q[e] == rank;
        judge_equal(j, "entries of one rank", rank, times, 1);
    }
    for (uint32_t e = 0; e < n; e++) {
        uint32_t twins = 0;
        for (uint32_t other = 0; other < e; other++)
            twins += judge_bit(m->ct_valid_q, e) && judge_bit(m->ct_valid_q, other) && m->ct_tag_q[e] == m->ct_tag_q[other];
        judge_equal(j, "other entries with the register", e, twins, 0);
    }
    for (uint32_t k = 0; k < m->cfg.slots; k++) judge_equal(j, "entry of a slot exists", k, m->oct_index_q[k] < n, true);
    judge_equal(j, "valid without an owner", 0, m->ct_valid_q != 0 && !m->owned_q, false);
}

/* 4.2: no valid entry is older than its bank; one that waits for its fill will be. */
static void check_entries(judge *j, const world *w, const rf_ccu *m) {
    bool waits[8] = {false};
    for (uint32_t k = 0; k < m->cfg.slots; k++)
        if (judge_bit(m->oct_valid_q, k) && !judge_bit(m->oct_ready_q, k)) waits[m->oct_index_q[k]] = true;
    for (uint32_t e = 0; e < m->cfg.entries; e++)
        if (judge_bit(m->ct_valid_q, e) && !waits[e])
            judge_words(j, "entry against its bank", e, m->ct_data_q[e].lane, w->bank[m->carried_q.warp][m->ct_tag_q[e]],
                        m->cfg.lanes);
}

/* The instruction in the unit names what it was given, and is delivered what the registers held when it was taken. */
static void check_operands(judge *j, const world *w, const rf_ccu_out *out, bool data, const rf_ccu_cfg *cfg, uint64_t *seen) {
    for (uint32_t k = 0; k < cfg->slots && out->busy; k++) {
        if (!w->source[k]) continue;
        judge_equal(j, "operand's register", k, out->src[k], w->reg[k]);
        if (!out->ready || !data) continue;
        judge_words(j, "operand", k, out->data[k].lane, w->want[k], cfg->lanes);
        seen[OPERAND_HIT] += w->hit[k];
        seen[OPERAND_READ] += !w->hit[k];
        seen[OVERTAKEN] += memcmp(w->want[k], w->bank[w->warp][w->reg[k]], cfg->lanes * sizeof(uint32_t)) != 0;
    }
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_ccu *m, slow_ccu *s, const rf_ccu_in *in) {
    const slow_plan plan = slow_decide(s, in);
    rf_ccu before;
    rf_ccu_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_ccu_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, &plan, &out);
    JUDGE_CLOCK(rf_ccu, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    check_table(j, m);
    j->cycle++;
}

/* Densities of 256, drawn anew from time to time. */
typedef struct knobs {
    uint32_t alloc, source, near, grant, dispatch, flush, write, write_near, same, full, names, base, warps;
} knobs;

static void turn(ls_rng *rng, knobs *p, const rf_ccu_cfg *cfg) {
    p->alloc = ls_rng_chance(rng, 64) ? 256 : ls_rng_below(rng, 257);
    p->source = 64 + ls_rng_below(rng, 193);
    p->near = ls_rng_chance(rng, 64) ? 256 : ls_rng_below(rng, 257);
    p->grant = 16 + ls_rng_below(rng, 241);
    p->dispatch = ls_rng_chance(rng, 64) ? 256 : 16 + ls_rng_below(rng, 241);
    p->flush = ls_rng_chance(rng, 128) ? 0 : ls_rng_below(rng, 32);
    p->write = ls_rng_chance(rng, 64) ? 16 : ls_rng_below(rng, 257);
    p->write_near = ls_rng_below(rng, 257);
    p->same = ls_rng_chance(rng, 128) ? 256 : 128 + ls_rng_below(rng, 128);
    p->full = ls_rng_chance(rng, 64) ? 256 : ls_rng_below(rng, 257);
    p->names = ls_rng_chance(rng, 16) ? judge_codes(cfg->regs) : 1 + ls_rng_below(rng, 3 * cfg->entries);
    p->base = ls_rng_below(rng, judge_codes(cfg->regs));
    p->warps = ls_rng_chance(rng, 64) ? judge_codes(cfg->warps) : 1 + ls_rng_below(rng, 3);
}

static uint8_t a_reg(ls_rng *rng, const knobs *p, const rf_ccu_cfg *cfg) {
    return (uint8_t)((p->base + ls_rng_below(rng, p->names)) % judge_codes(cfg->regs));
}

static uint8_t a_warp(ls_rng *rng, const knobs *p, const rf_ccu_cfg *cfg, uint32_t same) {
    return (uint8_t)(ls_rng_chance(rng, p->same) ? same : ls_rng_below(rng, p->warps) % judge_codes(cfg->warps));
}

static void draw(ls_rng *rng, const knobs *p, const slow_ccu *s, rf_ccu_in *in) {
    const rf_ccu_cfg *cfg = &s->cfg;
    in->alloc = ls_rng_chance(rng, p->alloc);
    in->alloc_inst.warp = a_warp(rng, p, cfg, s->carried.warp);
    rf_stage_draw_carried(rng, &in->alloc_inst.carried);
    in->alloc_inst.port = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->exports));
    in->alloc_inst.mask = (uint32_t)ls_rng_value(rng, cfg->lanes);
    in->alloc_inst.dst_valid = ls_rng_chance(rng, 128);
    in->alloc_inst.dst = cfg->bow != 0 ? a_reg(rng, p, cfg) : (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->regs));
    in->alloc_dst_near = ls_rng_chance(rng, 128);
    in->alloc_inst.src_valid = (uint8_t)ls_rng_bits(rng, cfg->slots, p->source);
    in->alloc_src_near = (uint8_t)ls_rng_bits(rng, cfg->slots, p->near);
    in->rd_grant = (uint8_t)ls_rng_bits(rng, cfg->slots, p->grant);
    in->dispatch = ls_rng_chance(rng, p->dispatch);
    in->flush = ls_rng_chance(rng, p->flush);
    in->rand = (uint8_t)ls_rng_below(rng, judge_codes(cfg->entries));
    in->wr_valid = (uint8_t)ls_rng_bits(rng, cfg->exports, p->write);
    in->wr_near = (uint8_t)ls_rng_bits(rng, cfg->exports, p->write_near);
    for (uint32_t k = 0; k < cfg->slots; k++) {
        in->alloc_inst.src[k] = a_reg(rng, p, cfg);
        in->alloc_bank[k] = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->banks));
        in->alloc_row[k] = (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->rows));
    }
    for (uint32_t w = 0; w < cfg->exports; w++) {
        in->wr_warp[w] = a_warp(rng, p, cfg, s->carried.warp);
        in->wr_reg[w] = a_reg(rng, p, cfg);
        if (cfg->bow != 0 && ls_rng_chance(rng, 128))
            in->wr_reg[w] = (uint8_t)(ls_rng_chance(rng, 128) ? s->before : s->carried.dst);
        in->wr_mask[w] = (uint32_t)ls_mask(cfg->lanes);
        if (!ls_rng_chance(rng, p->full)) in->wr_mask[w] = (uint32_t)ls_rng_value(rng, cfg->lanes);
    }
}

static void fresh(ls_rng *rng, uint32_t *lane, uint32_t lanes) {
    for (uint32_t i = 0; i < lanes; i++) lane[i] = (uint32_t)ls_rng_u64(rng);
}

/* Data without any sense; the slots of one register are given different data, as no bank would do. */
static void noise_data(ls_rng *rng, const slow_ccu *s, rf_ccu_in *in) {
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (s->slot[k].state == ARRIVING || ls_rng_chance(rng, 32)) ls_rng_lanes(rng, in->fill_data[k].lane, s->cfg.lanes);
    ls_rng_lanes(rng, in->d_data.lane, s->cfg.lanes);
}

/* Drops the second of two results of one cycle for one register and, when LEGAL, what a scoreboard would not let happen: a result
 * for a source in the cycle in which its instruction is taken (no result of a source is outstanding then), and one for a register
 * that the instruction has still to read. Later ones are those of younger instructions and must not reach it. */
static void world_drop(const world *w, const rf_ccu_cfg *cfg, traffic kind, const rf_ccu_out *out, rf_ccu_in *in) {
    for (uint32_t r = 0; r < cfg->exports; r++) {
        bool drop = false;
        for (uint32_t low = 0; low < r; low++)
            drop |= judge_bit(in->wr_valid, low) && in->wr_warp[low] == in->wr_warp[r] && in->wr_reg[low] == in->wr_reg[r];
        if (kind == LEGAL) {
            drop |= in->alloc && !out->busy && in->wr_warp[r] == in->alloc_inst.warp && is_source(in, cfg->slots, in->wr_reg[r]);
            for (uint32_t k = 0; k < cfg->slots; k++)
                drop |= judge_bit(out->unread, k) && in->wr_warp[r] == w->warp && in->wr_reg[r] == w->reg[k];
        }
        if (drop) in->wr_valid &= (uint8_t) ~(1u << r);
    }
}

/* The data of this cycle: results, of which port D has one, and what the banks read in the cycle before. */
static void world_data(world *w, ls_rng *rng, const rf_ccu *m, traffic kind, rf_ccu_in *in) {
    const rf_ccu_cfg *cfg = &m->cfg;
    rf_ccu_out out;
    rf_ccu_comb(m, in, &out);
    world_drop(w, cfg, kind, &out, in);
    rf_ccu_comb(m, in, &out);
    for (uint32_t r = 0; r < cfg->exports; r++)
        if (judge_bit(in->wr_valid, r)) fresh(rng, w->result[r], cfg->lanes);
    memcpy(in->d_data.lane, w->result[out.d_sel], cfg->lanes * sizeof(uint32_t));
    if (!out.d_valid) fresh(rng, in->d_data.lane, cfg->lanes);
    for (uint32_t k = 0; k < cfg->slots; k++) {
        if (judge_bit(out.fill_valid, k)) memcpy(in->fill_data[k].lane, w->arriving[k], cfg->lanes * sizeof(uint32_t));
        else fresh(rng, in->fill_data[k].lane, cfg->lanes);
    }
}

/* A flush has a reason: registers change that no result has written. The instruction's own wait, when LEGAL, until they are read.
 */
static void world_change(world *w, ls_rng *rng, const rf_ccu_cfg *cfg, const knobs *p, traffic kind, const rf_ccu_out *out) {
    const uint32_t codes = judge_codes(cfg->regs);
    for (uint32_t warp = 0; warp < p->warps && warp < judge_codes(cfg->warps); warp++)
        for (uint32_t i = 0; i < p->names && i < 24; i++) {
            const uint32_t reg = (p->base + i) % codes;
            bool keep = ls_rng_chance(rng, 128);
            for (uint32_t k = 0; k < cfg->slots; k++)
                keep |= kind == LEGAL && w->source[k] && w->reg[k] == reg && warp == w->warp &&
                        (!out->busy || judge_bit(out->unread, k));
            if (!keep) fresh(rng, w->bank[warp][reg], cfg->lanes);
        }
}

/* The edge of the surroundings; `out` is what the unit said in this cycle. */
static void world_clock(world *w, ls_rng *rng, const rf_ccu_cfg *cfg, const knobs *p, traffic kind, const rf_ccu_in *in,
                        const rf_ccu_out *out) {
    const size_t size = cfg->lanes * sizeof(uint32_t);
    for (uint32_t k = 0; k < cfg->slots; k++) /* the last time is the cycle of the grant */
        if (judge_bit(out->unread, k)) memcpy(w->arriving[k], w->bank[w->warp][w->reg[k]], size);
    if (in->alloc && !out->busy) {
        w->warp = in->alloc_inst.warp;
        for (uint32_t k = 0; k < cfg->slots; k++) {
            w->source[k] = judge_bit(in->alloc_inst.src_valid, k);
            w->reg[k] = in->alloc_inst.src[k];
            w->hit[k] = judge_bit(out->hit, k);
            memcpy(w->want[k], w->bank[w->warp][w->reg[k]], size);
        }
    }
    for (uint32_t r = 0; r < cfg->exports; r++)
        for (uint32_t lane = 0; lane < cfg->lanes && judge_bit(in->wr_valid, r); lane++)
            if (judge_bit(in->wr_mask[r], lane)) w->bank[in->wr_warp[r]][in->wr_reg[r]][lane] = w->result[r][lane];
    if (in->flush) world_change(w, rng, cfg, p, kind, out);
}

static const rf_ccu_cfg sets[] = {
    {.entries = 8, .slots = 3, .lanes = 4, .warps = 8, .regs = 16, .banks = 4, .rows = 32, .exports = 3, .cache = 1},
    {.entries = 8, .slots = 7, .lanes = 1, .warps = 32, .regs = 256, .banks = 16, .rows = 512, .exports = 4, .cache = 1},
    {.entries = 8, .slots = 3, .lanes = 32, .warps = 64, .regs = 256, .banks = 32, .rows = 1024, .exports = 8, .cache = 1},
    {.entries = 2, .slots = 1, .lanes = 2, .warps = 1, .regs = 1, .banks = 1, .rows = 1, .exports = 1, .cache = 1},
    {.entries = 2, .slots = 2, .lanes = 3, .warps = 2, .regs = 5, .banks = 2, .rows = 2, .exports = 2, .cache = 1},
    {.entries = 3, .slots = 3, .lanes = 2, .warps = 3, .regs = 8, .banks = 3, .rows = 9, .exports = 3, .cache = 1},
    {.entries = 3, .slots = 1, .lanes = 31, .warps = 33, .regs = 33, .banks = 5, .rows = 33, .exports = 2, .cache = 1},
    {.entries = 5, .slots = 3, .lanes = 4, .warps = 5, .regs = 63, .banks = 8, .rows = 63, .exports = 5, .cache = 1},
    {.entries = 5, .slots = 2, .lanes = 8, .warps = 4, .regs = 32, .banks = 8, .rows = 16, .exports = 4, .cache = 1},
    {.entries = 8, .slots = 8, .lanes = 2, .warps = 16, .regs = 64, .banks = 16, .rows = 64, .exports = 1, .cache = 1},
    {.entries = 8, .slots = 2, .lanes = 4, .warps = 4, .regs = 12, .banks = 4, .rows = 12, .exports = 7, .cache = 1},
    {.entries = 8, .slots = 7, .lanes = 4, .warps = 4, .regs = 12, .banks = 4, .rows = 12, .exports = 3, .cache = 0},
    {.entries = 3, .slots = 3, .lanes = 32, .warps = 8, .regs = 16, .banks = 4, .rows = 32, .exports = 2, .cache = 0},
    {.entries = 5, .slots = 1, .lanes = 1, .warps = 2, .regs = 3, .banks = 2, .rows = 3, .exports = 1, .cache = 0},
    {.entries = 6, .slots = 4, .lanes = 2, .warps = 4, .regs = 12, .banks = 4, .rows = 12, .exports = 3, .cache = 1, .serial = 1},
    {.entries = 2, .slots = 2, .lanes = 2, .warps = 2, .regs = 4, .banks = 2, .rows = 4, .exports = 2, .cache = 0},
    {.entries = 8, .slots = 3, .lanes = 2, .warps = 4, .regs = 32, .banks = 8, .rows = 16, .exports = 3, .cache = 1, .bow = 1},
    {.entries = 4, .slots = 3, .lanes = 1, .warps = 2, .regs = 12, .banks = 4, .rows = 6, .exports = 2, .cache = 1, .bow = 1},
    {.entries = 3, .slots = 3, .lanes = 4, .warps = 3, .regs = 9, .banks = 3, .rows = 9, .exports = 5, .cache = 1, .bow = 1},
    {.entries = 5, .slots = 2, .lanes = 2, .warps = 8, .regs = 256, .banks = 16, .rows = 128, .exports = 1, .cache = 1, .bow = 1},
    {.entries = 4, .slots = 2, .lanes = 2, .warps = 2, .regs = 4, .banks = 2, .rows = 4, .exports = 2, .cache = 0, .bow = 1},
};

static void run(const rf_ccu_cfg *cfg, traffic kind, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static world w;
    rf_ccu m;
    slow_ccu s;
    judge j;
    ls_rng rng;
    rf_ccu_in in;
    rf_ccu_out out;
    knobs p;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    memset(&w, 0, sizeof w);
    memset(&p, 0, sizeof p);
    for (uint32_t warp = 0; warp < judge_codes(cfg->warps) && kind != NOISE; warp++)
        for (uint32_t reg = 0; reg < judge_codes(cfg->regs); reg++) fresh(&rng, w.bank[warp][reg], cfg->lanes);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) turn(&rng, &p, cfg);
        draw(&rng, &p, &s, &in);
        if (kind == NOISE) noise_data(&rng, &s, &in);
        else world_data(&w, &rng, &m, kind, &in);
        rf_ccu_comb(&m, &in, &out);
        count(&s, &in, seen);
        if (kind != NOISE) check_operands(&j, &w, &out, kind == LEGAL, cfg, seen);
        step(&j, &m, &s, &in);
        if (kind != NOISE) world_clock(&w, &rng, cfg, &p, kind, &in, &out);
        if (kind != NOISE) check_entries(&j, &w, &m);
        if (j.differing != 0) break;
        if (ls_rng_below(&rng, 1024) != 0) continue;
        seen[RESET] += s.busy && m.ct_valid_q != 0;
        rf_ccu_reset(&m);
        slow_reset(&s);
        compare_state(&j, &s, &m);
    }
    judge_passes(&j);
}

static void random_traffic(void **state) {
    const size_t n = sizeof sets / sizeof *sets;
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < n; i++)
        for (uint32_t kind = 0; kind < TRAFFICS; kind++) {
            run(&sets[i], (traffic)kind, ls_seed_derive(i * TRAFFICS + kind, "judge rf_ccu"), 6000, seen);
            cycles += 6000;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* A unit with three slots and, after begin(), an input that does nothing. */
typedef struct bench {
    rf_ccu m;
    slow_ccu s;
    judge j;
    rf_ccu_in in;
} bench;

static void begin(bench *b, uint32_t entries, uint32_t cache, uint32_t bow) {
    const rf_ccu_cfg cfg = {.entries = entries,
                            .slots = 3,
                            .lanes = 2,
                            .warps = 8,
                            .regs = 16,
                            .banks = 4,
                            .rows = 32,
                            .exports = 3,
                            .cache = cache,
                            .bow = bow};
    memset(&b->in, 0, sizeof b->in);
    start(&b->j, 0, &b->m, &b->s, &cfg);
}

static void cycle(bench *b) {
    step(&b->j, &b->m, &b->s, &b->in);
    judge_passes(&b->j);
    b->in.alloc = b->in.rd_grant = b->in.dispatch = b->in.flush = b->in.wr_valid = 0;
}

static rf_ccu_out outputs(const bench *b) {
    rf_ccu_out out;
    rf_ccu_comb(&b->m, &b->in, &out);
    return out;
}

/* From alloc to dispatch: an instruction of warp 5 with one source; fills bring the register's number. Returns the entry. */
static uint32_t through(bench *b, uint8_t reg, uint8_t near, uint8_t rand) {
    b->in.alloc = 1, b->in.alloc_inst.warp = 5, b->in.alloc_inst.src_valid = 1, b->in.alloc_inst.src[0] = reg,
    b->in.alloc_src_near = near;
    b->in.rand = rand;
    cycle(b);
    while (!is_ready(&b->s)) {
        b->in.rd_grant = 1;
        b->in.fill_data[0].lane[0] = b->in.fill_data[0].lane[1] = reg;
        cycle(b);
    }
    assert_int_equal(outputs(b).data[0].lane[1], reg);
    b->in.dispatch = 1;
    cycle(b);
    return b->m.oct_index_q[0];
}

/* The header's timing: two sources miss; the same two, named again, hit and need no bank. */
static void the_timing_of_the_header(void **state) {
    bench b;
    rf_ccu_out out;
    (void)state;
    begin(&b, 3, 1, 0);
    b.in.alloc = 1, b.in.alloc_inst.warp = 5, b.in.alloc_inst.tag = 0xbeef, b.in.alloc_inst.port = 2, b.in.alloc_inst.mask = 2,
    b.in.alloc_inst.dst_valid = 1;
    b.in.alloc_inst.dst = 9, b.in.alloc_dst_near = 1, b.in.alloc_inst.src_valid = 5, b.in.alloc_inst.src[0] = 3,
    b.in.alloc_inst.src[2] = 4;
    b.in.alloc_src_near = 4, b.in.alloc_bank[0] = 2, b.in.alloc_row[2] = 17;
    out = outputs(&b);
    assert_int_equal(out.busy, 0);
    assert_int_equal(out.hit, 0);
    cycle(&b); /* t */
    b.in.rd_grant = 4;
    out = outputs(&b);
    assert_int_equal(out.rd_valid, 5);
    assert_int_equal(out.rd_bank[0], 2);
    assert_int_equal(out.rd_row[2], 17);
    cycle(&b); /* t + 1: slot 2 is granted */
    assert_int_equal(outputs(&b).fill_valid, 4);
    b.in.fill_data[2].lane[1] = 0x44, b.in.rd_grant = 1, b.in.dispatch = 1; /* too early */
    cycle(&b);                                                              /* slot 2 is filled, slot 0 granted */
    assert_int_equal(outputs(&b).ready, 0);
    b.in.fill_data[0].lane[0] = 0x33, b.in.fill_data[2].lane[1] = 7; /* nothing arrives for slot 2 any more */
    cycle(&b);
    out = outputs(&b);
    assert_int_equal(out.ready, 1); /* g + 2 of slot 0 */
    assert_int_equal(out.data[0].lane[0], 0x33);
    assert_int_equal(out.data[2].lane[1], 0x44);
    assert_int_equal(out.src[0], 3);
    assert_int_equal(out.src[2], 4);
    assert_int_equal(out.carried.tag, 0xbeef);
    assert_int_equal(out.dst_near, 1);
    assert_int_equal(out.owned, 1);
    b.in.dispatch = 1, b.in.alloc = 1, b.in.alloc_inst.warp = 1; /* not taken: busy */
    cycle(&b);
    out = outputs(&b);
    assert_int_equal(out.busy, 0);
    assert_int_equal(out.warp, 5);
    assert_int_equal(out.held, 1);
    assert_int_equal(out.near, 1);
    b.in.alloc = 1, b.in.alloc_inst.warp = 5, b.in.alloc_inst.src_valid = 7, b.in.alloc_inst.src[0] = 4,
    b.in.alloc_inst.src[1] = 3, b.in.alloc_inst.src[2] = 4;
    b.in.alloc_src_near = 0;
    assert_int_equal(outputs(&b).hit, 7);
    cycle(&b);
    out = outputs(&b);
    assert_int_equal(out.ready, 1);
    assert_int_equal(out.rd_valid, 0);
    assert_int_equal(out.near, 0);
    assert_int_equal(out.data[0].lane[1], 0x44);
    assert_int_equal(out.data[1].lane[0], 0x33);
    assert_int_equal(out.data[2].lane[1], 0x44);
    assert_int_equal(b.m.ct_lru_q[1], 0); /* r4, by slot 2 */
    assert_int_equal(b.m.ct_lru_q[0], 1);
    assert_int_equal(b.m.ct_lru_q[2], 2);
}

/* Not valid by index, far from rand on, near by age: 4.1. */
static void the_order_of_replacement(void **state) {
    bench b;
    (void)state;
    begin(&b, 5, 1, 0);
    for (uint8_t reg = 0; reg < 5; reg++) assert_int_equal(through(&b, reg, reg < 2, 3), reg); /* r2, r3 and r4 far */
    assert_int_equal(through(&b, 5, 1, 6), 2); /* from 6 the next of 8 places is 7, 0, ... */
    assert_int_equal(through(&b, 6, 0, 4), 4);
    assert_int_equal(through(&b, 7, 1, 4), 4); /* far, and the search begins at itself */
    assert_int_equal(through(&b, 8, 1, 4), 3); /* from 4 round the end: 3 is the only far one left */
    assert_int_equal(through(&b, 0, 1, 0), 0); /* a hit */
    assert_int_equal(through(&b, 9, 1, 0), 1); /* all near: r1 was used longest ago */
    assert_int_equal(through(&b, 10, 1, 0), 2);
    b.in.wr_valid = 1, b.in.wr_warp[0] = 5, b.in.wr_reg[0] = 8, b.in.wr_mask[0] = 1; /* far: r8 is no longer valid */
    cycle(&b);
    assert_int_equal(through(&b, 11, 1, 0), 3);
    b.in.flush = 1;
    cycle(&b);
    assert_int_equal(outputs(&b).held, 0);
    assert_int_equal(outputs(&b).owned, 1);
    assert_int_equal(through(&b, 9, 0, 2), 0);
}

/* The instruction gets what was there when it issued; the entry is of no use to the next one. */
static void a_result_for_a_locked_entry(void **state) {
    bench b;
    (void)state;
    begin(&b, 3, 1, 0);
    through(&b, 6, 1, 0);
    b.in.alloc = 1;
    cycle(&b);
    b.in.wr_valid = 7, b.in.wr_near = 6, b.in.wr_reg[1] = 6, b.in.wr_reg[2] = 7, b.in.d_data.lane[0] = 99;
    for (uint32_t w = 0; w < 3; w++) b.in.wr_warp[w] = 5, b.in.wr_mask[w] = 3;
    assert_int_equal(outputs(&b).d_valid, 1);
    assert_int_equal(outputs(&b).d_sel, 1); /* not 0, which is far */
    cycle(&b);
    assert_int_equal(outputs(&b).held, 0); /* r7 had no port */
    assert_int_equal(outputs(&b).ready, 1);
    assert_int_equal(outputs(&b).data[0].lane[0], 6);
    assert_int_equal(b.m.ct_lock_q, 1);
    b.in.dispatch = 1;
    cycle(&b);
    b.in.alloc = 1;
    assert_int_equal(outputs(&b).hit, 0);
}

/* All lanes or none: D-mask. A partial result merges where its register is, and makes it near. */
static void a_result_enters_merges_or_passes(void **state) {
    bench b;
    (void)state;
    begin(&b, 3, 1, 0);
    through(&b, 6, 0, 0);
    b.in.wr_valid = 1, b.in.wr_near = 1, b.in.wr_warp[0] = 5, b.in.wr_reg[0] = 8, b.in.wr_mask[0] = 2;
    b.in.d_data.lane[0] = 70, b.in.d_data.lane[1] = 71;
    cycle(&b);
    assert_int_equal(b.m.ct_valid_q, 1);
    b.in.wr_valid = 1, b.in.wr_mask[0] = 3;
    cycle(&b);
    assert_int_equal(b.m.ct_valid_q, 3);
    assert_int_equal(b.m.ct_tag_q[1], 8);
    assert_int_equal(b.m.ct_data_q[1].lane[0], 70);
    assert_int_equal(b.m.ct_near_q, 2);
    b.in.wr_valid = 1, b.in.wr_reg[0] = 6, b.in.wr_mask[0] = 2;
    cycle(&b);
    assert_int_equal(b.m.ct_near_q, 3);
    assert_int_equal(b.m.ct_data_q[0].lane[0], 6);
    assert_int_equal(b.m.ct_data_q[0].lane[1], 71);
    assert_int_equal(b.m.ct_lru_q[0], 0);
    b.in.alloc = 1, b.in.alloc_inst.warp = 5, b.in.alloc_inst.src_valid = 3, b.in.alloc_inst.src[0] = 1,
    b.in.alloc_inst.src[1] = 2;                                 /* takes 2, then 1 */
    b.in.wr_valid = 1, b.in.wr_reg[0] = 8, b.in.wr_mask[0] = 3; /* its entry is taken: it enters the one that is left */
    cycle(&b);
    assert_int_equal(b.m.ct_valid_q, 7);
    assert_int_equal(b.m.ct_tag_q[0], 8);
    assert_int_equal(b.m.ct_tag_q[1], 2);
    assert_int_equal(b.m.ct_tag_q[2], 1);
    assert_int_equal(b.m.ct_lru_q[0], 0);
    assert_int_equal(b.m.ct_lru_q[1], 1);
}

/* CACHE 0: the same register again is read again. */
static void without_a_cache_it_is_a_collector(void **state) {
    bench b;
    (void)state;
    begin(&b, 3, 0, 0);
    through(&b, 6, 1, 0);
    assert_int_equal(outputs(&b).owned, 0);
    assert_int_equal(outputs(&b).held, 0);
    b.in.wr_valid = 1, b.in.wr_near = 1, b.in.wr_warp[0] = 5, b.in.wr_reg[0] = 8, b.in.wr_mask[0] = 3, b.in.alloc = 1;
    assert_int_equal(outputs(&b).d_valid, 0);
    assert_int_equal(outputs(&b).hit, 0);
    cycle(&b);
    assert_int_equal(outputs(&b).rd_valid, 1);
}

/* An instruction of warp 5 that reads `reg`, from alloc to dispatch: whether it hits. */
static bool hits(bench *b, uint8_t reg, uint8_t control) {
    b->in.alloc = 1, b->in.alloc_inst.warp = 5, b->in.alloc_inst.src_valid = 1, b->in.alloc_inst.src[0] = reg;
    b->in.alloc_dst_near = control;
    const bool hit = outputs(b).hit == 1;
    (void)through(b, reg, 0, 0);
    return hit;
}

/* A result of warp 5 with the hint far: whether it has port D. */
static bool kept(bench *b, uint8_t reg) {
    b->in.wr_valid = 1, b->in.wr_warp[0] = 5, b->in.wr_reg[0] = reg, b->in.wr_mask[0] = 3;
    b->in.d_data.lane[0] = b->in.d_data.lane[1] = reg; /* as through() has it */
    const bool d_valid = outputs(b).d_valid;
    cycle(b);
    return d_valid;
}

/* [Malekeh 8]: three instructions, the one that is collected included; 9.2 d: a jump empties the window. */
static void the_window_of_bow(void **state) {
    bench b;
    (void)state;
    begin(&b, 8, 1, 1);
    assert_false(hits(&b, 1, 0));
    assert_false(hits(&b, 2, 0));
    assert_true(hits(&b, 1, 0)); /* named two instructions before, and now again */
    assert_false(hits(&b, 3, 0));
    assert_true(hits(&b, 1, 0));
    assert_false(hits(&b, 2, 0)); /* named three instructions before */
    b.in.alloc_inst.dst_valid = 1, b.in.alloc_inst.dst = 9;
    assert_false(hits(&b, 3, 0));
    b.in.alloc_inst.dst = 10;
    assert_false(hits(&b, 4, 0));
    assert_false(kept(&b, 11));
    assert_true(kept(&b, 9)); /* of the instruction before the last */
    assert_true(kept(&b, 10));
    assert_true(hits(&b, 9, 0));
    assert_true(kept(&b, 10));
    assert_true(hits(&b, 10, 0));
    assert_true(hits(&b, 9, 1)); /* a control instruction still hits */
    assert_int_equal(outputs(&b).held, 0);
    assert_false(kept(&b, 10));
    assert_false(hits(&b, 9, 0));
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    rf_ccu_cfg less = sets[5];
    (void)state;
    JUDGE_RANGES(rf_ccu, sets);
    less.entries = 2; /* less than slots */
    judge_refused(&rf_ccu_unit, &less, "entries", "slots");
}

/* A unit of 8 entries and 3 slots stopped in the middle: one slot here, one arriving, one waiting; five entries near. */
static void stop_half_way(judge *j, rf_ccu *m, slow_ccu *s, uint32_t bow) {
    rf_ccu_in in;
    rf_ccu_cfg cfg = sets[2];
    cfg.bow = bow;
    start(j, 0, m, s, &cfg);
    memset(&in, 0, sizeof in);
    in.alloc = 1, in.alloc_inst.warp = 47, in.alloc_inst.tag = 0xffff, in.alloc_inst.port = 4, in.alloc_inst.mask = 0xffffffff,
    in.alloc_inst.dst_valid = 1;
    in.alloc_inst.dst = 62, in.alloc_dst_near = 1, in.alloc_inst.src_valid = 7, in.alloc_src_near = 2;
    for (uint32_t k = 0; k < 3; k++) {
        in.alloc_inst.src[k] = (uint8_t)(60 + k), in.alloc_bank[k] = (uint8_t)(7 - k), in.alloc_row[k] = (uint16_t)(383 - k);
        for (uint32_t lane = 0; lane < 32; lane++) in.fill_data[k].lane[lane] = 0x01010101u * lane + k;
    }
    step(j, m, s, &in);
    in.alloc = 0, in.rd_grant = 2, in.wr_valid = 4, in.wr_near = 4, in.wr_warp[2] = 47, in.wr_mask[2] = 0xffffffff;
    for (uint32_t i = 0; i < 6; i++) {
        in.wr_reg[2] = (uint8_t)(100 + i / 2 * 2);
        for (uint32_t lane = 0; lane < 32; lane++) in.d_data.lane[lane] = 0x80000001u + lane * i;
        if (i == 5) in.rd_grant = 4;
        step(j, m, s, &in);
    }
    judge_passes(j);
}

static void reset_clears_every_register(void **state) {
    rf_ccu m;
    slow_ccu s;
    judge j;
    (void)state;
    stop_half_way(&j, &m, &s, 0);
    rf_ccu_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_memory_equal(&m.cfg, &sets[2], sizeof m.cfg);
    for (uint32_t e = 0; e < 8; e++) assert_int_equal(m.ct_lru_q[e], e);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    rf_ccu m;
    slow_ccu s;
    judge j;
    rf_ccu_out out;
    const rf_ccu_in idle = {0};
    (void)state;
    for (uint32_t bow = 0; bow <= 1; bow++) {
        stop_half_way(&j, &m, &s, bow);
        const slow_plan plan = slow_decide(&s, &idle);
        rf_ccu_comb(&m, &idle, &out);
        JUDGE_FLIPS(&j, rf_ccu, LS_OUT, &m, &out, compare_out(&j, &s, &plan, &out));
        JUDGE_FLIPS(&j, rf_ccu, LS_STATE, &m, &m, compare_state(&j, &s, &m));
    }
}

/* A bit flipped in a copy is told by the call. */
#define SEES(type, object, name, member, bit, index, word, ...)                                                                  \
    do {                                                                                                                         \
        type bad = object;                                                                                                       \
        bad.member ^= 1u << (bit);                                                                                               \
        judge_begin(&j, 0, "tampered");                                                                                          \
        __VA_ARGS__;                                                                                                             \
        judge_caught(&j, name, index, word);                                                                                     \
    } while (0)

/* The properties fail when they should: a rank twice, a register twice, one lane of an entry older than its bank, an operand that
 * is not the one that was taken; and an entry that still waits for its fill is left alone. */
static void the_properties_can_fail(void **state) {
    static world w;
    const rf_ccu_in idle = {0};
    uint64_t seen[EVENTS] = {0};
    rf_ccu m;
    slow_ccu s;
    judge j;
    rf_ccu_out out;
    (void)state;
    stop_half_way(&j, &m, &s, 0);
    rf_ccu_comb(&m, &idle, &out);
    memset(&w, 0, sizeof w);
    w.warp = 47;
    for (uint32_t e = 0; e < 8; e++) memcpy(w.bank[47][m.ct_tag_q[e]], m.ct_data_q[e].lane, sizeof m.ct_data_q[e].lane);
    for (uint32_t k = 0; k < 3; k++) w.source[k] = true, w.reg[k] = 60 + k;
    judge_begin(&j, 0, "as it is");
    check_table(&j, &m);
    check_entries(&j, &w, &m);
    check_operands(&j, &w, &out, true, &m.cfg, seen);
    judge_passes(&j);
    rf_ccu twice = m;
    twice.ct_lru_q[0] = m.ct_lru_q[1];
    judge_begin(&j, 0, "a rank twice");
    check_table(&j, &twice);
    assert_int_equal(j.differing, 2);
    rf_ccu waiting = m;
    waiting.ct_data_q[0].lane[0] ^= 1; /* of slot 0 */
    judge_begin(&j, 0, "an entry that waits");
    check_entries(&j, &w, &waiting);
    judge_passes(&j);
    SEES(rf_ccu, m, "other entries with the register", ct_tag_q[4], 1, 4, 0, bad.ct_tag_q[3] = bad.ct_tag_q[4],
         check_table(&j, &bad));
    SEES(rf_ccu, m, "valid without an owner", owned_q, 0, 0, 0, check_table(&j, &bad));
    SEES(rf_ccu, m, "entry against its bank", ct_data_q[4].lane[31], 31, 4, 31, check_entries(&j, &w, &bad));
    SEES(rf_ccu_out, out, "operand's register", src[1], 0, 1, 0, check_operands(&j, &w, &bad, true, &m.cfg, seen));
    out.ready = 1;
    for (uint32_t k = 0; k < 3; k++) memcpy(w.want[k], out.data[k].lane, sizeof w.want[k]);
    SEES(rf_ccu_out, out, "operand", data[2].lane[7], 7, 2, 7, check_operands(&j, &w, &bad, true, &m.cfg, seen));
#undef SEES
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic),
        cmocka_unit_test(the_timing_of_the_header),
        cmocka_unit_test(the_order_of_replacement),
        cmocka_unit_test(a_result_for_a_locked_entry),
        cmocka_unit_test(a_result_enters_merges_or_passes),
        cmocka_unit_test(without_a_cache_it_is_a_collector),
        cmocka_unit_test(the_window_of_bow),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
        cmocka_unit_test(the_properties_can_fail),
    };
    return cmocka_run_group_tests_name("judge of rf_ccu", tests, NULL, NULL);
}
