/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds rf_cache_bank in its judge's random runs: warps that read and write registers and lines, and an L2 that holds
 * them (`lawful`: then it is known what each answer must be), or any input at all. */
#ifndef RF_CACHE_BANK_WORLD_H
#define RF_CACHE_BANK_WORLD_H

#include "tb/cerf/judge/judge_cache_bank.h"

#define LINES 48u

/* A register or line of the world. */
typedef struct world_line {
    uint32_t line;
    bool reg;
    uint32_t known; /* words that somebody may read */
    uint32_t truth[RF_LANES_MAX], l2[RF_LANES_MAX];
} world_line;

/* What L2 has to answer. */
typedef struct world_answer {
    uint32_t entry, data[RF_LANES_MAX];
    uint64_t when;
} world_answer;

/* What a requester waits for. */
typedef struct world_read {
    bool waits;
    uint32_t known, data[RF_LANES_MAX];
} world_read;

typedef struct cache_world {
    ls_rng rng;
    bool lawful;
    rf_cache_bank_in in;
    world_line line[LINES];
    uint32_t lines, span; /* of them, and of those that are used now */
    world_answer answer[RF_MSHRS_MAX];
    uint32_t answers;
    world_read read[256];
    uint64_t checked, waited, longest; /* words; cycles of the request that asks, and the most of them */
    uint32_t op[8];                    /* weights */
    /* chances, in 256ths */
    uint32_t p_request, p_dead, p_whole, p_hold, p_mem, p_fill, p_wild, delay;
} cache_world;

static inline uint32_t drawn(cache_world *x, uint32_t n) { return ls_rng_below(&x->rng, n); }
static inline bool happens(cache_world *x, uint32_t p) { return ls_rng_chance(&x->rng, p); }

static inline world_line *world_find(cache_world *x, uint32_t line) {
    for (uint32_t i = 0; i < x->lines; i++)
        if (x->line[i].line == line) return &x->line[i];
    return NULL;
}

/* Lines of a few sets, more than their ways. REGISTERS: "all the registers are re-indexed for a full mapping": of a set no more
 * registers than ways. */
static inline void draw_lines(cache_world *x, const rf_cache_bank_cfg *cfg) {
    const uint32_t sets = cfg->sets < 3 ? cfg->sets : 1 + drawn(x, 3), first = drawn(x, cfg->sets);
    for (uint32_t n = 0; n < 2 * (cfg->ways + 2); n++) {
        const bool reg = n % 2 == 0;
        if (reg && x->lawful && cfg->policy == RF_POLICY_REGISTERS && n / 2 >= cfg->ways) continue;
        for (uint32_t i = 0; i < sets && x->lines < LINES; i++) {
            const uint32_t tag =
                drawn(x, 4) == 0 ? (uint32_t)ls_rng_value(&x->rng, cfg->tag_w) : n & (uint32_t)ls_mask(cfg->tag_w);
            const uint32_t line = tag * cfg->sets + (first + i) % cfg->sets;
            if (world_find(x, line) == NULL) x->line[x->lines++] = (world_line){.line = line, .reg = reg};
        }
    }
}

static inline void world_forget(cache_world *x, const rf_cache_bank_cfg *cfg) {
    for (uint32_t i = 0; i < x->lines; i++) {
        world_line *l = &x->line[i];
        l->known = l->reg && cfg->policy != RF_POLICY_REGISTERS ? 0 : (uint32_t)ls_mask(cfg->lanes);
        memset(l->truth, 0, sizeof l->truth);
        if (!l->reg) memcpy(l->truth, l->l2, sizeof l->l2); /* what is dirty is lost with a reset */
    }
    memset(x->read, 0, sizeof x->read);
    memset(&x->in, 0, sizeof x->in);
    x->answers = 0, x->waited = 0;
}

static inline void world_start(cache_world *x, uint64_t seed, bool lawful, const rf_cache_bank_cfg *cfg) {
    memset(x, 0, sizeof *x);
    ls_rng_seed(&x->rng, seed);
    x->lawful = lawful;
    draw_lines(x, cfg);
    for (uint32_t i = 0; i < x->lines; i++) ls_rng_lanes(&x->rng, x->line[i].l2, cfg->lanes);
    world_forget(x, cfg);
}

static inline void draw_mix(cache_world *x) {
    x->span = happens(x, 96) ? x->lines : 1 + drawn(x, x->lines);
    for (uint32_t i = 0; i < 8; i++) x->op[i] = happens(x, 96) ? 0 : drawn(x, i < RF_CACHE_ATOMIC ? 100 : 20);
    x->op[drawn(x, RF_CACHE_FLUSH)] += 16;
    x->p_request = happens(x, 128) ? 256 : 16 + drawn(x, 241);
    x->p_dead = happens(x, 96) ? 0 : drawn(x, 160);
    x->p_whole = happens(x, 64) ? 256 : drawn(x, 257);
    x->p_hold = 128 + drawn(x, 129);
    x->p_mem = happens(x, 64) ? 256 : happens(x, 64) ? 4 : drawn(x, 257);
    x->p_fill = happens(x, 64) ? 256 : happens(x, 64) ? 4 : drawn(x, 257);
    x->p_wild = happens(x, 128) ? 0 : drawn(x, 64);
    x->delay = happens(x, 128) ? 0 : drawn(x, 60);
}

static inline uint32_t draw_mask(cache_world *x, const rf_cache_bank_cfg *cfg) {
    return happens(x, x->p_whole) ? (uint32_t)ls_mask(cfg->lanes) : (uint32_t)ls_rng_value(&x->rng, cfg->lanes);
}

static inline uint32_t draw_op(cache_world *x) {
    uint32_t all = 0, op = 0;
    for (uint32_t i = 0; i < 8; i++) all += x->op[i];
    for (uint32_t n = drawn(x, all); n >= x->op[op]; op++) n -= x->op[op];
    return op;
}

/* One of the lines in use; lawful: of the operation's kind, if there is one. */
static inline const world_line *draw_line(cache_world *x, uint32_t op) {
    const bool reg = op <= RF_CACHE_WRITE_REG;
    uint32_t i = drawn(x, x->span);
    for (uint32_t tries = 0; tries < x->lines; tries++, i = (i + 1) % x->lines)
        if (!x->lawful || op >= RF_CACHE_FLUSH || x->line[i].reg == reg) return &x->line[i];
    return NULL;
}

/* A number that nobody waits under, if lawful; false if there is none. */
static inline bool draw_id(cache_world *x, const rf_cache_bank_cfg *cfg) {
    const uint32_t ids = UINT32_C(1) << cfg->id_w;
    uint32_t id = drawn(x, ids), tries = 0;
    while (x->lawful && x->read[id].waits && tries++ < ids) id = (id + 1) % ids;
    x->in.req_id = (uint8_t)id;
    return tries <= ids;
}

static inline void draw_request(cache_world *x, const rf_cache_bank_cfg *cfg) {
    rf_cache_bank_in *in = &x->in;
    if (in->req_valid) return;
    const uint32_t op = draw_op(x);
    const world_line *l = draw_line(x, op);
    const bool id = draw_id(x, cfg);
    in->req_valid = id && l != NULL && happens(x, x->p_request);
    if (l == NULL) return;
    in->req_op = (uint8_t)op;
    in->req_set = (uint16_t)(l->line % cfg->sets), in->req_tag = l->line / cfg->sets;
    in->req_way = (uint8_t)drawn(x, judge_codes(cfg->ways));
    in->req_dead = happens(x, x->p_dead);
    in->req_mask = draw_mask(x, cfg);
    ls_rng_lanes(&x->rng, in->req_data.lane, cfg->lanes);
    if (x->lawful || !happens(x, x->p_wild)) return;
    in->req_set = (uint16_t)drawn(x, judge_codes(cfg->sets));
    if (happens(x, 128)) in->req_tag = (uint32_t)ls_rng_value(&x->rng, cfg->tag_w);
}

/* L2 answers in any order. */
static inline void draw_lawful_fill(cache_world *x, uint64_t cycle) {
    rf_cache_bank_in *in = &x->in;
    if (in->fill_valid || x->answers == 0 || !happens(x, x->p_fill)) return;
    const uint32_t i = drawn(x, x->answers);
    if (x->answer[i].when > cycle) return;
    in->fill_valid = 1, in->fill_entry = (uint8_t)x->answer[i].entry;
    words_copy(in->fill_data.lane, x->answer[i].data, UINT32_MAX);
    x->answer[i] = x->answer[--x->answers];
}

static inline void draw_any_fill(cache_world *x, const rf_cache_bank_cfg *cfg) {
    rf_cache_bank_in *in = &x->in;
    if (in->fill_valid && happens(x, x->p_hold)) return;
    in->fill_valid = happens(x, x->p_fill / 2);
    in->fill_entry = (uint8_t)drawn(x, judge_codes(cfg->mshrs));
    for (uint32_t i = 0; i < cfg->mshrs; i++)
        if (slow.miss[i].busy && happens(x, 160)) in->fill_entry = (uint8_t)i;
    ls_rng_lanes(&x->rng, in->fill_data.lane, cfg->lanes);
}

static inline void draw_in(cache_world *x, uint64_t cycle) {
    draw_request(x, &slow.cfg);
    if (x->lawful) draw_lawful_fill(x, cycle);
    else draw_any_fill(x, &slow.cfg);
    x->in.mem_ready = happens(x, x->p_mem);
}

/* What the accepted request does to the truth, and what its requester is to get. */
static inline void note_accepted(cache_world *x) {
    const rf_cache_bank_in *in = &x->in;
    const rf_cache_bank_cfg *cfg = &slow.cfg;
    const uint32_t all = (uint32_t)ls_mask(cfg->lanes), op = in->req_op;
    const slow_entry *e = entry_at(&slow, in->req_set, in->req_way < cfg->ways ? in->req_way : 0);
    const bool flush = op == RF_CACHE_FLUSH && e->state == RF_LINE_REG, zeros = cfg->policy == RF_POLICY_REGISTERS;
    world_line *l = world_find(x, flush ? line_of(&slow, in->req_set, e->tag) : in->req_tag * cfg->sets + in->req_set);
    if (op == RF_CACHE_READ_REG || op == RF_CACHE_LOAD || op == RF_CACHE_ATOMIC) {
        world_read *r = &x->read[in->req_id];
        r->waits = true, r->known = l->known;
        words_copy(r->data, l->truth, UINT32_MAX);
    }
    if (flush || (op == RF_CACHE_READ_REG && in->req_dead) || (op == RF_CACHE_WRITE_REG && zeros && !turn.out.hit)) {
        l->known = zeros ? all : 0;
        memset(l->truth, 0, sizeof l->truth);
    }
    if (op == RF_CACHE_WRITE_REG) l->known |= in->req_mask;
    if (op == RF_CACHE_WRITE_REG || op == RF_CACHE_STORE) words_copy(l->truth, in->req_data.lane, in->req_mask);
    for (uint32_t i = 0; i < cfg->lanes && op == RF_CACHE_ATOMIC; i++)
        if (judge_bit(in->req_mask, i)) l->truth[i] += in->req_data.lane[i];
}

/* L2 takes the message: it does what it says at once, and answers later. */
static inline void note_message(cache_world *x, uint64_t cycle) {
    const rf_cache_bank_out *o = &turn.out;
    world_line *l = world_find(x, o->mem_line);
    if (o->mem_op != RF_MISS_WRITE) {
        world_answer *a = &x->answer[x->answers++];
        a->entry = o->mem_entry, a->when = cycle + drawn(x, x->delay + 1);
        words_copy(a->data, l->l2, UINT32_MAX);
    }
    if (o->mem_op == RF_MISS_WRITE) words_copy(l->l2, o->mem_data.lane, o->mem_mask);
    for (uint32_t i = 0; i < slow.cfg.lanes && o->mem_op == RF_MISS_ATOMIC; i++)
        if (judge_bit(o->mem_mask, i)) l->l2[i] += o->mem_data.lane[i];
}

/* Each answer is one that is waited for, and is what was written last before it was asked for. */
static inline void check_answer(judge *j, cache_world *x) {
    const rf_cache_bank_out *o = &turn.out;
    world_read *r = &x->read[o->rsp_id];
    judge_equal(j, "answer nobody waits for", o->rsp_id, !r->waits, 0);
    r->waits = false;
    for (uint32_t i = 0; i < slow.cfg.lanes; i++) {
        if (!judge_bit(r->known, i)) continue;
        judge_equal(j, "last written", o->rsp_id, o->rsp_data.lane[i], r->data[i]);
        x->checked++;
    }
}

/* Between slow_bank_comb and the edge. */
static inline void world_note(judge *j, cache_world *x) {
    rf_cache_bank_in *in = &x->in;
    if (x->lawful) {
        if (turn.out.rsp_valid) check_answer(j, x);
        if (turn.out.accept) note_accepted(x);
        if (turn.out.mem_valid && in->mem_ready) note_message(x, j->cycle);
    }
}

/* Behind the edge: what asks again. */
static inline void world_on(cache_world *x) {
    rf_cache_bank_in *in = &x->in;
    x->waited = in->req_valid && !turn.out.accept ? x->waited + 1 : 0;
    if (x->waited > x->longest) x->longest = x->waited;
    if (turn.out.accept || (in->req_valid && !happens(x, x->p_hold))) in->req_valid = 0;
    if (in->fill_valid && turn.out.fill_ready) in->fill_valid = 0;
}

/* An MSHR as no inputs make it: its line has an entry, or nobody waits. */
static inline void world_poke(cache_world *x) {
    const rf_cache_bank_cfg *cfg = &slow.cfg;
    const uint32_t i = drawn(x, cfg->mshrs), n = drawn(x, cfg->targets + 1), at = drawn(x, cfg->sets * cfg->ways);
    const world_line *l = &x->line[drawn(x, x->lines)];
    slow_miss *m = &slow.miss[i];
    if (m->busy) return;
    *m = (slow_miss){.busy = true, .reg = happens(x, 128), .keep = happens(x, 192), .line = l->line, .targets = n};
    if (slow.entry[at].state != RF_LINE_INACTIVE) m->line = line_of(&slow, at / cfg->ways, slow.entry[at].tag);
    for (uint32_t k = 0; k < cfg->targets; k++) m->id[k] = drawn(x, UINT32_C(1) << cfg->id_w);
    expect_misses(&slow, &expected);
    const rf_mshr_cfg keep = model.mshr.cfg;
    model.mshr = stepped.mshr = expected.mshr;
    model.mshr.cfg = stepped.mshr.cfg = keep;
}

#endif
