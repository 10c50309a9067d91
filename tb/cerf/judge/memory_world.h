/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds rf_cerf_memory in its judge's random runs: collectors, queues of results, a load/store unit and an L2 that hold
 * what they ask for until they get it (`lawful`: then it is known what each answer must be), or any input at all. */
#ifndef RF_MEMORY_WORLD_H
#define RF_MEMORY_WORLD_H

#include "tb/cerf/judge/slow_memory.h"

#define MEMORY_LINES 640u
#define MEMORY_ANSWERS (RF_CERF_BANKS_MAX * RF_MSHRS_MAX)

/* A line of the world: what it holds, as the accesses that the memory accepted leave it, and what L2 holds. */
typedef struct memory_line {
    uint32_t line, number; /* number: of a register */
    bool reg;
    uint32_t known; /* words that somebody may read */
    uint32_t truth[RF_LANES_MAX], l2[RF_LANES_MAX];
} memory_line;

typedef struct memory_answer {
    uint32_t bank, entry, data[RF_LANES_MAX];
    uint64_t when;
} memory_answer;

/* What a requester waits for. */
typedef struct memory_read {
    bool waits;
    uint32_t known, data[RF_LANES_MAX];
} memory_read;

typedef struct memory_world {
    ls_rng rng;
    bool lawful;
    rf_cerf_memory_in in;
    memory_line line[MEMORY_LINES], stray;
    uint32_t lines, registers; /* registers come first */
    memory_answer answer[MEMORY_ANSWERS];
    uint32_t answers;
    memory_read read[RF_READERS_MAX], load[64];
    uint64_t checked; /* words */
    uint32_t op[8];   /* weights */
    /* chances, in 256ths */
    uint32_t p_read, p_write, p_access, p_dead, p_whole, p_hold, p_mem, p_fill, p_wild, delay, span;
} memory_world;

static inline uint32_t drawn(memory_world *x, uint32_t n) { return ls_rng_below(&x->rng, n); }
static inline bool happens(memory_world *x, uint32_t p) { return ls_rng_chance(&x->rng, p); }

static inline memory_line *world_find(memory_world *x, uint32_t line) {
    for (uint32_t i = 0; i < x->lines; i++)
        if (x->line[i].line == line) return &x->line[i];
    return NULL;
}

/* Of a line that the world does not have, which only a slip makes: one that nobody reads. */
static inline memory_line *world_at(memory_world *x, uint32_t line) {
    memory_line *l = world_find(x, line);
    return l != NULL ? l : &x->stray;
}

static inline bool is_register_line(const rf_cerf_memory_cfg *cfg, uint32_t line) {
    return register_line(cfg, line % judge_codes(cfg->registers)) == line;
}

/* Lines of the sets of those that are there, which are registers. */
static inline void draw_cache_lines(memory_world *x, const rf_cerf_memory_cfg *cfg) {
    x->registers = x->lines;
    for (uint32_t i = 0; i < 100 && x->lines < x->registers + 24; i++) {
        const uint32_t like = x->line[drawn(x, x->registers)].line % cfg->sets;
        const uint32_t tag = (uint32_t)ls_rng_value(&x->rng, cfg->line_w - rf_log2(cfg->sets));
        const uint32_t line = tag * cfg->sets + like;
        if (!is_register_line(cfg, line) && world_find(x, line) == NULL) x->line[x->lines++] = (memory_line){.line = line};
    }
}

/* Registers of neighbouring sets and of one set; lines of the same sets. REGISTERS: no more registers than entries. */
static inline void draw_lines(memory_world *x, const rf_cerf_memory_cfg *cfg) {
    uint32_t numbers = cfg->registers;
    const bool full = x->lawful && cfg->policy == RF_POLICY_REGISTERS;
    if (full && numbers > cfg->sets * cfg->ways) numbers = cfg->sets * cfg->ways;
    const uint32_t first = drawn(x, numbers);
    for (uint32_t i = 0; i < 28; i++) {
        const uint32_t number = (first + (i % 2 == 0 ? i / 2 : i / 2 * cfg->sets)) % numbers;
        const uint32_t line = register_line(cfg, number);
        if (world_find(x, line) == NULL) x->line[x->lines++] = (memory_line){.line = line, .number = number, .reg = true};
    }
    draw_cache_lines(x, cfg);
}

/* At the start, and after a reset: what was dirty is lost. */
static inline void world_forget(memory_world *x, const rf_cerf_memory_cfg *cfg) {
    const bool zeros = cfg->policy == RF_POLICY_REGISTERS;
    for (uint32_t i = 0; i < x->lines; i++) {
        memory_line *l = &x->line[i];
        l->known = (uint32_t)ls_mask(cfg->lanes);
        memcpy(l->truth, l->l2, sizeof l->l2);
        if (l->reg && zeros) memset(l->truth, 0, sizeof l->truth);
    }
    memset(x->read, 0, sizeof x->read);
    memset(x->load, 0, sizeof x->load);
    memset(&x->in, 0, sizeof x->in);
    x->answers = 0;
}

static inline void world_start(memory_world *x, uint64_t seed, bool lawful, const rf_cerf_memory_cfg *cfg) {
    memset(x, 0, sizeof *x);
    ls_rng_seed(&x->rng, seed);
    x->lawful = lawful;
    draw_lines(x, cfg);
    for (uint32_t i = 0; i < x->lines; i++) ls_rng_lanes(&x->rng, x->line[i].l2, cfg->lanes);
    world_forget(x, cfg);
}

static inline void draw_memory_mix(memory_world *x) {
    x->span = happens(x, 96) ? MEMORY_LINES : 1 + drawn(x, 12);
    for (uint32_t i = 0; i < 8; i++) x->op[i] = happens(x, 96) ? 0 : drawn(x, i < RF_CACHE_ATOMIC ? 100 : 20);
    x->op[drawn(x, RF_CACHE_FLUSH)] += 16;
    x->p_read = happens(x, 64) ? 0 : drawn(x, happens(x, 128) ? 30 : 200);
    x->p_write = happens(x, 64) ? 0 : drawn(x, happens(x, 128) ? 60 : 257);
    x->p_access = happens(x, 64) ? 0 : 16 + drawn(x, 241);
    x->p_dead = happens(x, 96) ? 0 : drawn(x, 160);
    x->p_whole = happens(x, 64) ? 256 : drawn(x, 257);
    x->p_hold = happens(x, 128) ? 256 : 128 + drawn(x, 129);
    x->p_mem = happens(x, 64) ? 256 : happens(x, 64) ? 8 : drawn(x, 257);
    x->p_fill = happens(x, 64) ? 256 : happens(x, 64) ? 8 : drawn(x, 257);
    x->p_wild = happens(x, 128) ? 0 : drawn(x, 64);
    x->delay = happens(x, 128) ? 0 : drawn(x, 60);
}

static inline uint32_t draw_mask(memory_world *x, const rf_cerf_memory_cfg *cfg) {
    return happens(x, x->p_whole) ? (uint32_t)ls_mask(cfg->lanes) : (uint32_t)ls_rng_value(&x->rng, cfg->lanes);
}

static inline const memory_line *draw_register_line(memory_world *x) {
    return &x->line[drawn(x, x->span < x->registers ? x->span : x->registers)];
}

static inline const memory_line *draw_cache_line(memory_world *x) {
    const uint32_t n = x->lines - x->registers;
    return n == 0 ? NULL : &x->line[x->registers + drawn(x, x->span < n ? x->span : n)];
}

static inline uint16_t draw_number(memory_world *x, const rf_cerf_memory_cfg *cfg) {
    if (!x->lawful && happens(x, x->p_wild)) return (uint16_t)drawn(x, judge_codes(cfg->registers));
    return (uint16_t)draw_register_line(x)->number;
}

/* A request is held, or, if the world is not lawful, may be another one in each cycle. */
static inline bool is_held(memory_world *x, bool valid) { return valid && (x->lawful || happens(x, x->p_hold)); }

static inline void draw_readers(memory_world *x, const rf_cerf_memory_cfg *cfg) {
    for (uint32_t r = 0; r < cfg->collectors * cfg->slots; r++) {
        const uint64_t bit = UINT64_C(1) << r;
        if (is_held(x, judge_bit(x->in.rd_valid, r))) continue;
        x->in.rd_valid &= ~bit, x->in.rd_dead &= ~bit;
        if (!x->lawful || !x->read[r].waits) x->in.rd_number[r] = draw_number(x, cfg);
        if (!happens(x, x->p_read) || (x->lawful && x->read[r].waits)) continue;
        x->in.rd_valid |= bit;
        if (happens(x, x->p_dead)) x->in.rd_dead |= bit;
    }
}

static inline void draw_writers(memory_world *x, const rf_cerf_memory_cfg *cfg) {
    for (uint32_t w = 0; w < cfg->writers; w++) {
        if (is_held(x, judge_bit(x->in.wr_valid, w))) continue;
        x->in.wr_valid &= (uint8_t) ~(1u << w);
        if (!happens(x, x->p_write)) continue;
        x->in.wr_valid |= (uint8_t)(1u << w);
        x->in.wr_number[w] = draw_number(x, cfg);
        x->in.wr_mask[w] = draw_mask(x, cfg);
        ls_rng_lanes(&x->rng, x->in.wr_data[w].lane, cfg->lanes);
    }
}

static inline void draw_access(memory_world *x, const rf_cerf_memory_cfg *cfg) {
    rf_cerf_memory_in *in = &x->in;
    uint32_t all = 0, op = 0;
    if (is_held(x, in->mem_valid)) return;
    for (uint32_t i = 0; i < 8; i++) all += x->op[i];
    for (uint32_t n = drawn(x, all); n >= x->op[op]; op++) n -= x->op[op];
    const bool reg = op <= RF_CACHE_WRITE_REG || (op >= RF_CACHE_FLUSH && happens(x, 128)) || (!x->lawful && happens(x, 16));
    const memory_line *l = reg ? draw_register_line(x) : draw_cache_line(x);
    const uint32_t id = drawn(x, 64);
    in->mem_valid = l != NULL && happens(x, x->p_access) && !(x->lawful && x->load[id].waits);
    if (l == NULL) return;
    in->mem_op = (uint8_t)op, in->mem_line = l->line, in->mem_id = (uint8_t)id;
    in->mem_way = (uint8_t)drawn(x, judge_codes(cfg->ways));
    in->mem_mask = draw_mask(x, cfg);
    ls_rng_lanes(&x->rng, in->mem_data.lane, cfg->lanes);
    if (!x->lawful && happens(x, x->p_wild)) in->mem_line = (uint32_t)ls_rng_value(&x->rng, cfg->line_w);
}

/* L2 answers in any order. */
static inline void draw_lawful_fill(memory_world *x, uint64_t cycle) {
    rf_cerf_memory_in *in = &x->in;
    if (in->fill_valid || x->answers == 0 || !happens(x, x->p_fill)) return;
    const uint32_t i = drawn(x, x->answers);
    if (x->answer[i].when > cycle) return;
    in->fill_valid = 1, in->fill_bank = (uint8_t)x->answer[i].bank, in->fill_entry = (uint8_t)x->answer[i].entry;
    words_copy(in->fill_data.lane, x->answer[i].data, UINT32_MAX);
    x->answer[i] = x->answer[--x->answers];
}

static inline void draw_any_fill(memory_world *x, const slow_memory *s) {
    rf_cerf_memory_in *in = &x->in;
    if (in->fill_valid && happens(x, x->p_hold)) return;
    in->fill_valid = happens(x, x->p_fill / 2);
    in->fill_bank = (uint8_t)drawn(x, judge_codes(s->cfg.banks));
    in->fill_entry = (uint8_t)drawn(x, judge_codes(s->cfg.mshrs));
    for (uint32_t i = 0; in->fill_bank < s->cfg.banks && i < s->cfg.mshrs; i++)
        if (s->bank[in->fill_bank].miss[i].busy && happens(x, 160)) in->fill_entry = (uint8_t)i;
    ls_rng_lanes(&x->rng, in->fill_data.lane, s->cfg.lanes);
}

static inline void draw_in(memory_world *x, const slow_memory *s, uint64_t cycle) {
    draw_readers(x, &s->cfg);
    draw_writers(x, &s->cfg);
    draw_access(x, &s->cfg);
    if (x->lawful) draw_lawful_fill(x, cycle);
    else draw_any_fill(x, s);
    x->in.l2_ready = happens(x, x->p_mem);
}

/* --- what must come out ------------------------------------------------------------------------------------------------------
 */

static inline void promise(const memory_line *l, memory_read *r) {
    r->waits = true, r->known = l->known;
    words_copy(r->data, l->truth, UINT32_MAX);
}

/* A register is read for the last time, or lost: from now on it is anything; REGISTERS: 0. */
static inline void lose(const rf_cerf_memory_cfg *cfg, memory_line *l) {
    l->known = cfg->policy == RF_POLICY_REGISTERS ? (uint32_t)ls_mask(cfg->lanes) : 0;
    memset(l->truth, 0, sizeof l->truth);
}

static inline void merge_lanes(memory_line *l, uint32_t mask, const uint32_t *data) {
    l->known |= mask;
    words_copy(l->truth, data, mask);
}

static inline void note_access(memory_world *x, const slow_memory *s) {
    const rf_cerf_memory_in *in = &x->in;
    const slow_cache_bank *bank = &s->bank[line_bank(&s->cfg, in->mem_line)];
    const uint32_t op = in->mem_op, set = line_set(&s->cfg, in->mem_line);
    memory_line *l = world_at(x, in->mem_line);
    if (op == RF_CACHE_READ_REG || op == RF_CACHE_LOAD || op == RF_CACHE_ATOMIC) promise(l, &x->load[in->mem_id]);
    if (op == RF_CACHE_WRITE_REG || op == RF_CACHE_STORE) merge_lanes(l, in->mem_mask, in->mem_data.lane);
    for (uint32_t i = 0; i < s->cfg.lanes && op == RF_CACHE_ATOMIC; i++)
        if (judge_bit(in->mem_mask, i)) l->truth[i] += in->mem_data.lane[i];
    if (op != RF_CACHE_FLUSH) return;
    const slow_entry *e = entry_at(bank, set, in->mem_way < s->cfg.ways ? in->mem_way : 0);
    if (e->state == RF_LINE_REG)
        lose(&s->cfg, world_at(x, line_of(bank, set, e->tag) * s->cfg.banks + line_bank(&s->cfg, in->mem_line)));
}

static inline void note_accepted(memory_world *x, const slow_memory *s, const slow_memory_turn *now) {
    for (uint32_t r = 0; r < readers_of(s); r++) {
        if (!judge_bit(now->out.rd_accept, r)) continue;
        memory_line *l = world_at(x, register_line(&s->cfg, x->in.rd_number[r]));
        promise(l, &x->read[r]);
        if (judge_bit(x->in.rd_dead, r)) lose(&s->cfg, l);
    }
    for (uint32_t w = 0; w < s->cfg.writers; w++)
        if (judge_bit(now->out.wr_accept, w))
            merge_lanes(world_at(x, register_line(&s->cfg, x->in.wr_number[w])), x->in.wr_mask[w], x->in.wr_data[w].lane);
    if (now->out.mem_accept) note_access(x, s);
}

/* L2 takes the message: it does what it says at once, and answers later. */
static inline void note_message(memory_world *x, const slow_memory *s, const slow_memory_turn *now, uint64_t cycle) {
    const rf_cerf_memory_out *o = &now->out;
    memory_line *l = world_at(x, o->l2_line);
    if (o->l2_op != RF_MISS_WRITE && x->answers < MEMORY_ANSWERS) {
        memory_answer *a = &x->answer[x->answers++];
        a->bank = o->l2_bank, a->entry = o->l2_entry, a->when = cycle + drawn(x, x->delay + 1);
        words_copy(a->data, l->l2, UINT32_MAX);
    }
    if (o->l2_op == RF_MISS_WRITE) words_copy(l->l2, o->l2_data.lane, o->l2_mask);
    for (uint32_t i = 0; i < s->cfg.lanes && o->l2_op == RF_MISS_ATOMIC; i++)
        if (judge_bit(o->l2_mask, i)) l->l2[i] += o->l2_data.lane[i];
}

/* Each answer is one that is waited for, and is what was written last before it was asked for. */
static inline void check_answer(judge *j, memory_world *x, memory_read *r, uint32_t id, const uint32_t *data, uint32_t lanes) {
    judge_equal(j, "answer nobody waits for", id, !r->waits, 0);
    r->waits = false;
    for (uint32_t i = 0; i < lanes; i++) {
        if (!judge_bit(r->known, i)) continue;
        judge_equal(j, "last written", id, data[i], r->data[i]);
        x->checked++;
    }
}

/* Between slow_memory_comb and the edge. */
static inline void world_note(judge *j, memory_world *x, const slow_memory *s, const slow_memory_turn *now) {
    const rf_cerf_memory_out *o = &now->out;
    if (!x->lawful || j->differing != 0) return;
    for (uint32_t r = 0; r < readers_of(s); r++)
        if (judge_bit(o->rd_fill, r)) check_answer(j, x, &x->read[r], r, o->rd_data[r].lane, s->cfg.lanes);
    for (uint32_t b = 0; b < s->cfg.banks; b++)
        if (judge_bit(o->ld_valid, b)) check_answer(j, x, &x->load[o->ld_id[b]], o->ld_id[b], o->ld_data[b].lane, s->cfg.lanes);
    note_accepted(x, s, now);
    if (o->l2_valid && x->in.l2_ready) note_message(x, s, now, j->cycle);
}

/* Behind the edge: what was accepted is gone; in a world that is not lawful it may stay. */
static inline void world_on(memory_world *x, const slow_memory_turn *now) {
    if (x->lawful || happens(x, 224)) {
        x->in.rd_valid &= ~now->out.rd_accept;
        x->in.wr_valid &= (uint8_t)~now->out.wr_accept;
        if (now->out.mem_accept) x->in.mem_valid = 0;
    }
    if (x->in.fill_valid && now->out.fill_ready) x->in.fill_valid = 0;
}

#endif
