/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_load_guard; its slow model is in judge_load_guard.h. */
#include "tb/common/judge/judge_unit.h"
#include "tb/wir/judge/judge_load_guard.h"

extern const ls_unit rf_load_guard_unit;

/* clang-format off */
#define SEEN(X) \
    X(NONE, "arithmetic is allowed") X(NONE_FLUSH, "arithmetic is allowed during a flush") \
    X(CONST, "constant load allowed") X(CONST_FLUSH, "constant load waits for a flush") \
    X(SHARED, "scratchpad load allowed") X(SHARED_COUNT, "scratchpad load allowed, count not 0") \
    X(SHARED_FLUSH, "scratchpad load denied by a flush alone") X(SHARED_SWEEP, "... by its block's sweep alone") \
    X(SHARED_STORE, "... by its warp's store alone") X(SHARED_FULL, "... by a full count alone") \
    X(SHARED_OTHER_SWEEP, "scratchpad load allowed while another block is swept") \
    X(SHARED_GLOBAL, "scratchpad load allowed after a global store") \
    X(GLOBAL, "global load allowed") X(GLOBAL_COUNT, "global load allowed, count not 0") \
    X(GLOBAL_FLUSH, "global load denied by a flush alone") X(GLOBAL_STORE, "... by its warp's store alone") \
    X(GLOBAL_FULL, "a global load while gcount is full") X(GLOBAL_SWEEP, "global load allowed while its block is swept") \
    X(GLOBAL_SHARED, "global load allowed after a scratchpad store") \
    X(NO_WARP, "a warp that does not exist asks for scratchpad") X(NO_WARP_GLOBAL, "... for global memory") \
    X(NO_BLOCK, "scratchpad load of a block that does not exist is allowed") \
    X(STORE_SHARED, "scratchpad store") X(STORE_GLOBAL, "global store") X(STORE_NO_WARP, "store of a warp that does not exist") \
    X(STORES, "two stores of one warp to the two memories") \
    X(CLEAR_BAR, "a flag is cleared by the barrier") X(CLEAR_FENCE, "... by a fence") X(CLEAR_LAUNCH, "... by a launch") \
    X(KEPT, "a flag is kept over another block's barrier") X(SET_WINS, "a store meets what clears its flag") \
    X(COUNT_BAR, "count up by a barrier") X(COUNT_FENCE, "count up by a fence") X(COUNT_BOTH, "barrier and fence: count up once") \
    X(COUNT_FENCES, "two block_fences of a block: count up once") X(COUNT_START, "count 0 at a start") \
    X(START_WINS, "a start wins over a barrier") X(COUNT_STAYS, "a full count stays") X(COUNT_FILLS, "a count gets full") \
    X(GCOUNT_FENCE, "gcount up by a fence") X(GCOUNT_BAR, "gcount up by a barrier after a store") \
    X(GCOUNT_NOT, "a barrier of a block without global stores leaves gcount") \
    X(GCOUNT_NEW, "... also when the store comes with it") X(GCOUNT_NO_BLOCK, "fence of a warp of no block") \
    X(GCOUNT_FILLS, "gcount gets full and flushes") X(GCOUNT_STAYS, "a full gcount stays") \
    X(GCOUNT_CLEARED, "the end of a flush clears gcount over a count up") \
    X(GCOUNT_CLEARED_FULL, "... that would have made it full") \
    X(FLUSH, "a flush is asked for") X(FLUSH_DURING, "... during its pass") X(FLUSH_LAST, "... with the last step of its pass") \
    X(FLUSH_SWEEP, "... during the sweep of a block") X(FLUSH_ENDS_WAITS, "the end of a flush ends a wait of a block") \
    X(FLUSH_KEEPS, "... but not of a block that starts then") \
    X(START, "a start is swept") X(START_DURING, "a start during its own pass") \
    X(START_LAST, "a start with its pass's last step") \
    X(CHOICE, "a flush and a block wait: the flush is chosen") X(CHOICE_LOW, "two blocks wait: the lower is chosen") \
    X(STALLED, "a pass waits for sweep_ready") X(READY_IDLE, "sweep_ready without a pass") \
    X(PASS_BLOCK, "a block's pass ends") X(PASS_ALL, "a flush's pass ends") X(HIGH_BLOCK, "the highest block is swept") \
    X(RESET, "reset during a pass")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void compare_out(judge *j, const slow_guard *s, const rf_load_guard_out *out, const slow_guard_out *expected) {
    judge_equal(j, "allow", 0, out->allow, judge_pack(expected->allow, s->cfg.issues));
    for (uint32_t i = 0; i < s->cfg.issues; i++) {
        judge_equal(j, "tag_block", i, out->tag_block[i], expected->tag_block[i]);
        judge_equal(j, "tag_barrier", i, out->tag_barrier[i], expected->tag_barrier[i]);
    }
    judge_equal(j, "sweep_valid", 0, out->sweep_valid, expected->valid);
    judge_equal(j, "sweep_index", 0, out->sweep_index, expected->index);
    judge_equal(j, "sweep_all", 0, out->sweep_all, expected->all);
    judge_equal(j, "sweep_block", 0, out->sweep_block, expected->block);
}

static void compare_state(judge *j, const slow_guard *s, const rf_load_guard *m) {
    judge_equal(j, "shared_q", 0, m->shared_q, judge_pack(s->shared, s->cfg.warps));
    judge_equal(j, "global_q", 0, m->global_q, judge_pack(s->global, s->cfg.warps));
    for (uint32_t b = 0; b < s->cfg.blocks; b++) judge_equal(j, "count_q", b, m->count_q[b], s->count[b]);
    judge_equal(j, "gcount_q", 0, m->gcount_q, s->gcount);
    judge_equal(j, "flush_q", 0, m->flush_q, s->flush);
    judge_equal(j, "sweep_q", 0, m->sweep_q, judge_pack(s->sweep, s->cfg.blocks));
    judge_equal(j, "active_q", 0, m->active_q, s->active);
    judge_equal(j, "all_q", 0, m->all_q, s->all);
    judge_equal(j, "target_q", 0, m->target_q, s->target);
    judge_equal(j, "index_q", 0, m->index_q, s->index);
}

static void start(judge *j, uint64_t seed, rf_load_guard *m, slow_guard *s, const rf_load_guard_cfg *cfg) {
    judge_begin(j, seed, "rf_load_guard warps=%" PRIu32 " blocks=%" PRIu32 " entries=%" PRIu32 " issues=%" PRIu32, cfg->warps,
                cfg->blocks, cfg->entries, cfg->issues);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_load_guard_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_guard_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; the two calls of comb start from different garbage and must leave the model alone. */
static void step(judge *j, rf_load_guard *m, slow_guard *s, const rf_load_guard_in *in) {
    rf_load_guard before;
    rf_load_guard_out out;
    slow_guard_out expected;
    slow_guard_comb(s, in, &expected);
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_load_guard_comb(m, in, &out);
    compare_out(j, s, &out, &expected);
    memset(&out, 0x5a, sizeof out);
    rf_load_guard_comb(m, in, &out);
    compare_out(j, s, &out, &expected);
    assert_memory_equal(&before, m, sizeof before);
    JUDGE_CLOCK(rf_load_guard, m, in);
    slow_guard_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

/* Why each lane may or may not. */
static void count_lanes(const slow_guard *s, const rf_load_guard_in *in, const slow_guard_out *out, uint64_t *seen) {
    bool swept = false;
    for (uint32_t b = 0; b < s->cfg.blocks; b++) swept |= s->sweep[b];
    for (uint32_t i = 0; i < s->cfg.issues; i++) {
        const uint32_t w = in->q_warp[i], space = in->q_space[i];
        const bool exists = w < s->cfg.warps, allow = out->allow[i];
        const uint32_t block = exists ? in->block[w] : 0;
        const bool real = block < s->cfg.blocks;
        const bool st_shared = exists && s->shared[w], st_global = exists && s->global[w];
        const bool sweep = real && s->sweep[block], full = real && s->count[block] == FULL;
        seen[NONE] += space == RF_SPACE_NONE && allow;
        seen[NONE_FLUSH] += space == RF_SPACE_NONE && allow && s->flush;
        seen[CONST] += space == RF_SPACE_CONST && allow;
        seen[CONST_FLUSH] += space == RF_SPACE_CONST && !allow;
        if (space == RF_SPACE_SHARED) {
            seen[SHARED] += allow && exists && real;
            seen[SHARED_COUNT] += allow && out->tag_barrier[i] > 0;
            seen[SHARED_FLUSH] += s->flush && !sweep && !st_shared && !full && !allow;
            seen[SHARED_SWEEP] += sweep && !s->flush && !st_shared && !full && !allow;
            seen[SHARED_STORE] += st_shared && !s->flush && !sweep && !full && !allow;
            seen[SHARED_FULL] += full && !s->flush && !sweep && !st_shared && !allow;
            seen[SHARED_OTHER_SWEEP] += allow && swept;
            seen[SHARED_GLOBAL] += allow && st_global;
            seen[NO_WARP] += !exists && in->block[0] != 0;
            seen[NO_BLOCK] += !real && allow;
        } else if (space == RF_SPACE_GLOBAL) {
            seen[GLOBAL] += allow && exists;
            seen[GLOBAL_COUNT] += allow && s->gcount > 0;
            seen[GLOBAL_FLUSH] += s->flush && s->gcount != FULL && !st_global && !allow;
            seen[GLOBAL_STORE] += st_global && !s->flush && !allow;
            seen[GLOBAL_FULL] += s->gcount == FULL && !allow;
            seen[GLOBAL_SWEEP] += allow && sweep;
            seen[GLOBAL_SHARED] += allow && st_shared;
            seen[NO_WARP_GLOBAL] += !exists && allow;
        }
    }
}

static void count_flags(const slow_guard *s, const rf_load_guard_in *in, uint64_t *seen) {
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        const bool set = s->shared[w] || s->global[w];
        const bool bar = block_is_over(s, in, in->block[w]), fence = judge_bit(in->fence, w), launch = judge_bit(in->launch, w);
        seen[CLEAR_BAR] += set && bar && !fence && !launch;
        seen[CLEAR_FENCE] += set && fence && !bar && !launch;
        seen[CLEAR_LAUNCH] += set && launch && !bar && !fence;
        seen[KEPT] += set && in->bar != 0 && !bar && !fence && !launch;
        for (uint32_t i = 0; i < s->cfg.issues; i++) {
            if (!judge_bit(in->st_valid, i) || in->st_warp[i] != w) continue;
            seen[judge_bit(in->st_shared, i) ? STORE_SHARED : STORE_GLOBAL]++;
            seen[SET_WINS] += bar || fence || launch;
            for (uint32_t k = 0; k < i; k++)
                seen[STORES] += judge_bit(in->st_valid, k) && in->st_warp[k] == w &&
                                judge_bit(in->st_shared, k) != judge_bit(in->st_shared, i);
        }
    }
    for (uint32_t i = 0; i < s->cfg.issues; i++)
        seen[STORE_NO_WARP] += judge_bit(in->st_valid, i) && in->st_warp[i] >= s->cfg.warps;
}

static void count_counts(const slow_guard *s, const rf_load_guard_in *in, uint64_t *seen) {
    const bool up = counts_globally(s, in);
    const bool ends = s->active && s->all && in->sweep_ready && s->index + 1 == s->cfg.entries;
    for (uint32_t b = 0; b < s->cfg.blocks; b++) {
        const bool bar = judge_bit(in->bar, b), fence = block_fences(s, in, b), begin = judge_bit(in->start, b);
        uint32_t fencing = 0;
        bool stored = false, storing = false;
        for (uint32_t w = 0; w < s->cfg.warps; w++) {
            if (in->block[w] != b) continue;
            fencing += judge_bit(in->fence, w);
            stored |= s->global[w];
            for (uint32_t i = 0; i < s->cfg.issues; i++)
                storing |= judge_bit(in->st_valid, i) && in->st_warp[i] == w && !judge_bit(in->st_shared, i);
        }
        seen[COUNT_BAR] += bar && !fence && !begin && s->count[b] < FULL;
        seen[COUNT_FENCE] += fence && !bar && !begin && s->count[b] < FULL;
        seen[COUNT_BOTH] += bar && fence && !begin && s->count[b] < FULL - 1;
        seen[COUNT_FENCES] += fencing > 1 && !begin && s->count[b] < FULL - 1;
        seen[COUNT_START] += begin && s->count[b] > 0;
        seen[START_WINS] += begin && bar;
        seen[COUNT_STAYS] += bar && !begin && s->count[b] == FULL;
        seen[COUNT_FILLS] += (bar || fence) && !begin && s->count[b] == FULL - 1;
        seen[GCOUNT_BAR] += bar && stored && in->fence == 0 && s->gcount < FULL;
        seen[GCOUNT_NOT] += bar && !stored && !up && !ends;
        seen[GCOUNT_NEW] += bar && storing && !stored && !up && !ends;
    }
    for (uint32_t w = 0; w < s->cfg.warps; w++) seen[GCOUNT_NO_BLOCK] += judge_bit(in->fence, w) && in->block[w] >= s->cfg.blocks;
    seen[GCOUNT_FENCE] += in->fence != 0 && in->bar == 0 && s->gcount < FULL;
    seen[GCOUNT_FILLS] += up && !ends && s->gcount == FULL - 1 && !s->flush && !in->flush;
    seen[GCOUNT_STAYS] += up && !ends && s->gcount == FULL;
    seen[GCOUNT_CLEARED] += up && ends && s->gcount < FULL - 1;
    seen[GCOUNT_CLEARED_FULL] += up && ends && s->gcount == FULL - 1;
}

static void count_sweeps(const slow_guard *s, const rf_load_guard_in *in, uint64_t *seen) {
    const bool last = s->active && in->sweep_ready && s->index + 1 == s->cfg.entries;
    uint32_t waiting = 0;
    for (uint32_t b = 0; b < s->cfg.blocks; b++) {
        const bool own = s->active && !s->all && s->target == b, begin = judge_bit(in->start, b);
        waiting += s->sweep[b];
        seen[START] += begin && !s->sweep[b] && !s->flush;
        seen[START_DURING] += begin && own && !last;
        seen[START_LAST] += begin && own && last;
        seen[FLUSH_ENDS_WAITS] += last && s->all && s->sweep[b] && !begin;
        seen[FLUSH_KEEPS] += last && s->all && begin;
        seen[HIGH_BLOCK] += own && b > 0 && b == s->cfg.blocks - 1;
    }
    seen[FLUSH] += in->flush && !s->flush;
    seen[FLUSH_DURING] += in->flush && s->active && s->all && !last;
    seen[FLUSH_LAST] += in->flush && s->all && last;
    seen[FLUSH_SWEEP] += in->flush && s->active && !s->all;
    seen[CHOICE] += !s->active && s->flush && waiting > 0;
    seen[CHOICE_LOW] += !s->active && !s->flush && waiting > 1;
    seen[STALLED] += s->active && !in->sweep_ready;
    seen[READY_IDLE] += !s->active && in->sweep_ready;
    seen[PASS_BLOCK] += last && !s->all;
    seen[PASS_ALL] += last && s->all;
}

/* What 256 cycles have in common, in 256ths; warps take part below `few`. */
typedef struct knobs {
    uint32_t launch, begin, flush, bar, fence, store, scratch, ready, move, wild, few;
} knobs;

static uint8_t draw_block(ls_rng *rng, const rf_load_guard_cfg *cfg, const knobs *k) {
    return (uint8_t)ls_rng_below(rng, ls_rng_chance(rng, k->wild) ? judge_codes(cfg->blocks) : cfg->blocks);
}

static uint8_t draw_warp(ls_rng *rng, const rf_load_guard_cfg *cfg, const knobs *k) {
    return (uint8_t)ls_rng_below(rng, ls_rng_chance(rng, k->wild) ? judge_codes(cfg->warps) : k->few);
}

static void stimulate(ls_rng *rng, const slow_guard *s, const knobs *k, rf_load_guard_in *in) {
    const rf_load_guard_cfg *cfg = &s->cfg;
    in->start = (uint16_t)ls_rng_bits(rng, cfg->blocks, k->begin);
    in->launch = ls_rng_bits(rng, cfg->warps, k->launch);
    for (uint32_t w = 0; w < cfg->warps; w++)
        if (ls_rng_chance(rng, judge_bit(in->launch, w) ? 64 : k->move)) in->block[w] = draw_block(rng, cfg, k);
    in->flush = ls_rng_chance(rng, k->flush);
    in->bar = (uint16_t)ls_rng_bits(rng, cfg->blocks, k->bar);
    in->fence = 0;
    for (uint32_t i = 0; i < 2; i++)
        if (ls_rng_chance(rng, k->fence)) in->fence |= UINT64_C(1) << ls_rng_below(rng, cfg->warps);
    in->st_valid = (uint8_t)ls_rng_bits(rng, cfg->issues, k->store);
    in->st_shared = (uint8_t)ls_rng_bits(rng, cfg->issues, k->scratch);
    in->sweep_ready = ls_rng_chance(rng, k->ready);
    for (uint32_t i = 0; i < cfg->issues; i++) {
        in->q_warp[i] = draw_warp(rng, cfg, k);
        in->q_space[i] = (uint8_t)ls_rng_below(rng, 4);
        in->st_warp[i] = i > 0 && ls_rng_chance(rng, 48) ? in->st_warp[i - 1] : draw_warp(rng, cfg, k);
    }
    /* Requests that meet the end of a pass. */
    if (!s->active || s->index + 1 != cfg->entries || !ls_rng_chance(rng, 64)) return;
    in->sweep_ready = 1;
    if (s->all) in->flush = ls_rng_chance(rng, 128);
    else in->start |= (uint16_t)(1u << s->target);
}

static void run(const rf_load_guard_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_load_guard m;
    slow_guard s;
    judge j;
    ls_rng rng;
    knobs k = {0};
    rf_load_guard_in in;
    memset(&in, 0, sizeof in);
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(in.block, 1, sizeof in.block); /* warps that do not exist have no block */
    for (uint32_t w = 0; w < cfg->warps; w++) in.block[w] = (uint8_t)(w % cfg->blocks);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) {
            k.launch = ls_rng_chance(&rng, 128) ? 0 : ls_rng_below(&rng, 32);
            k.begin = ls_rng_chance(&rng, 128) ? 0 : ls_rng_below(&rng, 32);
            k.flush = ls_rng_chance(&rng, 160) ? 0 : ls_rng_below(&rng, 32);
            k.bar = ls_rng_below(&rng, ls_rng_chance(&rng, 128) ? 16 : 160);
            k.fence = ls_rng_below(&rng, ls_rng_chance(&rng, 128) ? 8 : 160);
            k.store = ls_rng_below(&rng, ls_rng_chance(&rng, 128) ? 16 : 160);
            k.scratch = ls_rng_below(&rng, 257);
            k.ready = ls_rng_chance(&rng, 64) ? 256 : 32 + ls_rng_below(&rng, 225);
            k.move = ls_rng_chance(&rng, 192) ? 0 : ls_rng_below(&rng, 24);
            k.wild = ls_rng_chance(&rng, 128) ? 0 : ls_rng_below(&rng, 96);
            k.few = 1 + ls_rng_below(&rng, cfg->warps);
        }
        slow_guard_out out;
        stimulate(&rng, &s, &k, &in);
        slow_guard_comb(&s, &in, &out);
        count_lanes(&s, &in, &out, seen);
        count_flags(&s, &in, seen);
        count_counts(&s, &in, seen);
        count_sweeps(&s, &in, seen);
        step(&j, &m, &s, &in);
        if (ls_rng_below(&rng, 2048) == 0) {
            seen[RESET] += s.active;
            rf_load_guard_reset(&m);
            slow_guard_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void random_kernels(void **state) {
    /* warps, blocks, entries, issues */
    static const struct {
        rf_load_guard_cfg cfg;
        uint64_t cycles;
    } sets[] = {{{1, 1, 1, 1}, 20000},    {{4, 2, 4, 1}, 40000},    {{5, 3, 8, 2}, 40000},
                {{8, 4, 16, 2}, 30000},   {{3, 5, 2, 3}, 30000},    {{24, 8, 64, 2}, 20000},
                {{48, 8, 256, 2}, 16000}, {{64, 16, 512, 4}, 8000}, {{33, 11, 32, 4}, 8000}};
    uint64_t seen[EVENTS] = {0}, total = 0;
    (void)state;
    for (uint64_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i].cfg, ls_seed_derive(i, "judge rf_load_guard"), sets[i].cycles, seen);
        total += sets[i].cycles;
    }
    assert_true(total >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* [WIR Fig. 10] on two blocks: i5 reuses i3 (same block), i4 must not; i9 must not after the store i8, i10 may. */
static void the_loads_of_figure_10(void **state) {
    const rf_load_guard_cfg cfg = {5, 3, 4, 2};
    rf_load_guard m;
    rf_load_guard_out out;
    rf_load_guard_in in = {.block = {0, 0, 1, 1, 2}, .q_warp = {0, 2}, .q_space = {RF_SPACE_CONST, RF_SPACE_CONST}};
    (void)state;
    assert_int_equal(rf_load_guard_init(&m, &cfg), 0);
    rf_load_guard_step(&m, &in, &out); /* i1, i2 */
    assert_int_equal(out.allow, 3);
    assert_int_equal(out.tag_block[0], 4);
    assert_int_equal(out.tag_block[1], 4);
    in.q_space[0] = in.q_space[1] = RF_SPACE_SHARED; /* i3, i4 */
    rf_load_guard_step(&m, &in, &out);
    assert_int_equal(out.allow, 3);
    assert_int_not_equal(out.tag_block[0], out.tag_block[1]);
    in.q_warp[1] = 1; /* i3, i5 */
    rf_load_guard_step(&m, &in, &out);
    assert_int_equal(out.tag_block[0], out.tag_block[1]);
    in.q_warp[1] = 2; /* i6, i7, and the store i8 */
    in.q_space[0] = in.q_space[1] = RF_SPACE_GLOBAL;
    in.st_valid = 1;
    rf_load_guard_step(&m, &in, &out);
    assert_int_equal(out.allow, 3);
    assert_int_equal(out.tag_block[0], out.tag_block[1]);
    assert_int_equal(out.tag_barrier[0], out.tag_barrier[1]);
    in.st_valid = 0;
    in.q_warp[1] = 4; /* i9, i10 */
    rf_load_guard_step(&m, &in, &out);
    assert_int_equal(out.allow, 2);
    in.bar = 1;
    rf_load_guard_step(&m, &in, &out); /* the barrier of block 0: a new count */
    assert_int_equal(out.tag_barrier[0], 0);
    in.bar = 0;
    rf_load_guard_step(&m, &in, &out);
    assert_int_equal(out.allow, 3);
    assert_int_equal(out.tag_barrier[0], 1);
}

/* "unless count is full" also where no flush is under way, which requests alone cannot bring about for gcount. */
static void a_full_count_alone_denies(void **state) {
    const rf_load_guard_cfg cfg = {2, 2, 4, 2};
    const rf_load_guard_in in = {.block = {0, 1}, .q_warp = {1, 1}, .q_space = {RF_SPACE_SHARED, RF_SPACE_GLOBAL}};
    rf_load_guard m;
    rf_load_guard_out out;
    (void)state;
    assert_int_equal(rf_load_guard_init(&m, &cfg), 0);
    m.count_q[1] = m.gcount_q = FULL - 1;
    rf_load_guard_comb(&m, &in, &out);
    assert_int_equal(out.allow, 3);
    m.count_q[1] = FULL;
    rf_load_guard_comb(&m, &in, &out);
    assert_int_equal(out.allow, 2);
    m.gcount_q = FULL;
    rf_load_guard_comb(&m, &in, &out);
    assert_int_equal(out.allow, 0);
    assert_int_equal(out.tag_barrier[1], FULL);
}

/* A start's sweep names every entry once for its block, and loads of the block wait from the next cycle to the end. */
static void a_sweep_names_every_entry_once(void **state) {
    const rf_load_guard_cfg cfg = {4, 4, 16, 1};
    rf_load_guard m;
    rf_load_guard_out out;
    rf_load_guard_in in = {.block = {0, 1, 2, 3}, .q_warp = {2}, .q_space = {RF_SPACE_SHARED}, .start = 4};
    (void)state;
    assert_int_equal(rf_load_guard_init(&m, &cfg), 0);
    rf_load_guard_step(&m, &in, &out);
    assert_int_equal(out.allow, 1);
    in.start = 0;
    rf_load_guard_step(&m, &in, &out); /* the choice */
    assert_int_equal(out.allow, 0);
    assert_int_equal(out.sweep_valid, 0);
    for (uint32_t cycle = 0; cycle < 32; cycle++) {
        in.sweep_ready = cycle & 1;
        rf_load_guard_step(&m, &in, &out);
        assert_int_equal(out.sweep_valid, 1);
        assert_int_equal(out.sweep_index, cycle / 2);
        assert_int_equal(out.sweep_all, 0);
        assert_int_equal(out.sweep_block, 2);
        assert_int_equal(out.allow, 0);
    }
    rf_load_guard_step(&m, &in, &out);
    assert_int_equal(out.sweep_valid, 0);
    assert_int_equal(out.sweep_block, 0);
    assert_int_equal(out.allow, 1);
    assert_int_equal(m.target_q, 2);
}

static void a_parameter_out_of_range_is_refused_by_name(void **state) {
    static const rf_load_guard_cfg good[] = {{1, 1, 1, 1}, {64, 16, 512, 4}};
    (void)state;
    JUDGE_RANGES(rf_load_guard, good);
    for (uint32_t entries = 1; entries <= 512; entries++) {
        const rf_load_guard_cfg cfg = {4, 2, entries, 1};
        const bool power = (entries & (entries - 1)) == 0;
        if (power) assert_null(rf_load_guard_check(&cfg));
        else judge_refused(&rf_load_guard_unit, &cfg, "entries", "512");
    }
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    const rf_load_guard_cfg cfg = {8, 4, 256, 2};
    const rf_load_guard_in in = {.block = {0, 1, 2, 3, 0, 1, 2, 3},
                                 .start = 6,
                                 .bar = 9,
                                 .st_valid = 3,
                                 .st_warp = {3, 5},
                                 .st_shared = 1,
                                 .q_warp = {3, 6},
                                 .q_space = {RF_SPACE_SHARED, RF_SPACE_GLOBAL},
                                 .sweep_ready = 1};
    rf_load_guard m;
    slow_guard s;
    slow_guard_out expected;
    judge j;
    rf_load_guard_out out;
    (void)state;
    start(&j, 0, &m, &s, &cfg);
    for (uint32_t i = 0; i < 5; i++) step(&j, &m, &s, &in);
    judge_passes(&j);
    rf_load_guard_comb(&m, &in, &out);
    slow_guard_comb(&s, &in, &expected);
    JUDGE_FLIPS(&j, rf_load_guard, LS_OUT, &m, &out, compare_out(&j, &s, &out, &expected));
    JUDGE_FLIPS(&j, rf_load_guard, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_kernels),
        cmocka_unit_test(the_loads_of_figure_10),
        cmocka_unit_test(a_full_count_alone_denies),
        cmocka_unit_test(a_sweep_names_every_entry_once),
        cmocka_unit_test(a_parameter_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_load_guard", tests, NULL, NULL);
}
