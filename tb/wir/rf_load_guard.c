/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_load_guard. */
#include "cmodel/wir/rf_load_guard.h"

#include "harness/core/unit.h"

/* Probabilities in 256ths, those of rare events in 4096ths. */
typedef struct rf_load_guard_stim {
    ls_rng rng;
    uint32_t ready;                            /* the reuse buffer does a step */
    uint32_t store, shared;                    /* a lane renames a store; to scratchpad */
    uint32_t wild;                             /* an index port has any number that it can carry */
    uint32_t near_store;                       /* a lane asks for the warp that stored last */
    uint32_t special;                          /* the cycle is one of the special ones */
    uint32_t bar, fence, launch, start, flush; /* in a cycle, 4096ths */
    uint32_t left;                             /* cycles until the next phase */
    uint32_t few;                              /* warps that ask and store in this phase, from `first` on */
    uint32_t first;
    uint32_t last_store;
    bool calm;        /* no barrier makes the count of global memory full while a flush is to end just before that */
    uint32_t ends[2]; /* passes that ended, of blocks and of flushes: what comes with the last step takes turns */
} rf_load_guard_stim;

/* A block for a warp; now and then one that does not exist. */
static uint8_t draw_block(rf_load_guard_stim *s, const rf_load_guard *m) {
    if (ls_rng_chance(&s->rng, 32)) return (uint8_t)ls_rng_value(&s->rng, rf_index_bits(m->cfg.blocks));
    return (uint8_t)ls_rng_below(&s->rng, m->cfg.blocks);
}

static void stim_init(rf_load_guard_stim *s, const rf_load_guard *m, uint64_t seed) {
    static const uint32_t densities[] = {16, 64, 160, 240};
    (void)m;
    *s = (rf_load_guard_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->store = densities[ls_rng_below(&s->rng, 3)];
    s->shared = 64 + ls_rng_below(&s->rng, 128);
    s->wild = 2 + ls_rng_below(&s->rng, 14);
    s->near_store = 16 + ls_rng_below(&s->rng, 128);
    s->special = 4 + ls_rng_below(&s->rng, 12);
    for (uint32_t i = 0; i < 2; i++) s->ends[i] = ls_rng_below(&s->rng, 4);
}

/* Phases: kernels with few barriers, others with many; phases without any that let sweeps end and counts stand. */
static void draw_phase(rf_load_guard_stim *s, const rf_load_guard *m) {
    static const uint32_t rates[] = {0, 4, 32, 256, 1536}, readies[] = {24, 128, 224, 256, 256};
    const bool long_sweep = m->cfg.entries > 64;
    s->left = 32 + ls_rng_below(&s->rng, 400);
    s->bar = rates[ls_rng_below(&s->rng, 5)];
    s->fence = rates[ls_rng_below(&s->rng, 4)];
    s->launch = rates[ls_rng_below(&s->rng, 4)];
    s->start = rates[ls_rng_below(&s->rng, long_sweep ? 3 : 4)];
    s->flush = rates[ls_rng_below(&s->rng, long_sweep ? 2 : 3)];
    s->ready = readies[long_sweep ? 2 + ls_rng_below(&s->rng, 3) : ls_rng_below(&s->rng, 5)];
    s->calm = ls_rng_chance(&s->rng, 160);
    s->few = ls_rng_chance(&s->rng, 128) ? 1 + ls_rng_below(&s->rng, 4) : m->cfg.warps;
    if (s->few > m->cfg.warps) s->few = m->cfg.warps;
    s->first = ls_rng_below(&s->rng, m->cfg.warps - s->few + 1);
}

static bool seldom(rf_load_guard_stim *s, uint32_t rate) { return ls_rng_below(&s->rng, 4096) < rate; }

static uint8_t draw_warp(rf_load_guard_stim *s, const rf_load_guard *m) {
    if (ls_rng_chance(&s->rng, s->wild)) return (uint8_t)ls_rng_value(&s->rng, rf_index_bits(m->cfg.warps));
    return (uint8_t)(s->first + ls_rng_below(&s->rng, s->few));
}

/* A block whose barrier is over: mostly one of a warp that takes part. */
static uint32_t draw_bar(rf_load_guard_stim *s, const rf_load_guard *m, const rf_load_guard_in *in) {
    const uint32_t b = in->block[s->first + ls_rng_below(&s->rng, s->few)];
    return b < m->cfg.blocks ? b : ls_rng_below(&s->rng, m->cfg.blocks);
}

static void draw_lanes(rf_load_guard_stim *s, const rf_load_guard *m, rf_load_guard_in *in) {
    const uint32_t issues = m->cfg.issues;
    in->st_valid = (uint8_t)ls_rng_bits(&s->rng, issues, s->store);
    in->st_shared = (uint8_t)ls_rng_bits(&s->rng, issues, s->shared);
    for (uint32_t l = 0; l < issues; l++) {
        in->st_warp[l] = draw_warp(s, m);
        in->q_warp[l] = ls_rng_chance(&s->rng, s->near_store) ? (uint8_t)s->last_store : draw_warp(s, m);
        in->q_space[l] = (uint8_t)ls_rng_below(&s->rng, 4);
        if ((in->st_valid >> l & 1) != 0) s->last_store = in->st_warp[l];
    }
}

/* Cycles that the mix of knobs may never reach by itself. */
static void special(rf_load_guard_stim *s, const rf_load_guard *m, rf_load_guard_in *in) {
    const uint32_t w = s->first + ls_rng_below(&s->rng, s->few), b = draw_bar(s, m, in), kind = ls_rng_below(&s->rng, 7);
    if (kind == 0) { /* nothing */
        in->launch = in->fence = 0;
        in->start = in->bar = 0;
        in->flush = in->st_valid = 0;
    } else if (kind == 1) { /* a warp stores while its flags are cleared */
        in->st_valid = (uint8_t)rf_mask64(m->cfg.issues);
        for (uint32_t l = 0; l < m->cfg.issues; l++) in->st_warp[l] = (uint8_t)w;
        const uint32_t how = ls_rng_below(&s->rng, 3);
        if (how == 0) in->launch |= UINT64_C(1) << w;
        else if (how == 1) in->fence |= UINT64_C(1) << w;
        else if (in->block[w] < m->cfg.blocks) in->bar |= (uint16_t)(1u << in->block[w]);
    } else if (kind == 2) { /* a barrier and a fence of one block, at times its start too */
        in->bar |= (uint16_t)(1u << b);
        in->fence |= UINT64_C(1) << w;
        if (ls_rng_chance(&s->rng, 32)) in->start |= (uint16_t)(1u << b);
    } else if (kind == 3) { /* everybody's fence or barrier */
        if (ls_rng_chance(&s->rng, 128)) in->fence = rf_mask64(m->cfg.warps);
        else in->bar = (uint16_t)rf_mask64(m->cfg.blocks);
    } else if (kind == 4) { /* several blocks start, at times a kernel */
        in->start |= (uint16_t)ls_rng_value(&s->rng, m->cfg.blocks);
        in->flush = ls_rng_chance(&s->rng, 64);
    } else if (kind == 5 && m->active_q) { /* its own request comes while a pass is on, or a flush */
        if (m->all_q || ls_rng_chance(&s->rng, 96)) in->flush = 1;
        else in->start |= (uint16_t)(1u << m->target_q);
    } else if (kind == 6 && m->gcount_q >= RF_BARRIERS_END - 1) { /* the count of global memory gets full, or just not */
        in->fence = ls_rng_chance(&s->rng, 128) ? UINT64_C(1) << w : 0;
    }
}

/* The coming end of a flush, or the one that is on, is to beat a count up that would make it full. */
static bool climbs(const rf_load_guard_stim *s, const rf_load_guard *m) {
    return (s->ends[1] & 3) == 2 && (m->all_q || !m->active_q);
}

/* The block's pass that is on is to end in the cycle in which the count of global memory gets full. */
static bool fills(const rf_load_guard_stim *s, const rf_load_guard *m) {
    return m->active_q && !m->all_q && (s->ends[0] & 3) == 3 && m->gcount_q != RF_BARRIERS_END;
}

/* What comes with the last step of a pass, each in its turn. */
static void last_step(rf_load_guard_stim *s, const rf_load_guard *m, rf_load_guard_in *in) {
    const uint32_t fence = s->first + ls_rng_below(&s->rng, s->few);
    uint32_t kind = s->ends[m->all_q] & 3;
    const bool late = climbs(s, m) && m->gcount_q == RF_BARRIERS_END; /* another time */
    if (late) kind = ls_rng_below(&s->rng, 2);
    in->sweep_ready = 1;
    if (kind == 0) { /* its own request */
        if (m->all_q) in->flush = 1;
        else in->start |= (uint16_t)(1u << m->target_q);
    } else if (kind == 1) { /* a start of any block */
        in->start |= (uint16_t)(1u << ls_rng_below(&s->rng, m->cfg.blocks));
    } else if (kind == 2 && !m->all_q) {
        in->flush = 1;
    } else if (climbs(s, m) || fills(s, m)) { /* not before a count up would make it full */
        in->sweep_ready = m->gcount_q == RF_BARRIERS_END - 1;
        in->fence |= UINT64_C(1) << fence;
    }
    s->ends[m->all_q] += in->sweep_ready && !late;
}

static void stim(rf_load_guard_stim *s, const rf_load_guard *m, rf_load_guard_in *in) {
    const uint32_t warps = m->cfg.warps;
    if (s->left == 0) draw_phase(s, m);
    s->left--;
    in->flush = seldom(s, s->flush);
    in->start = (uint16_t)(seldom(s, s->start) ? 1u << ls_rng_below(&s->rng, m->cfg.blocks) : 0u);
    in->bar = (uint16_t)(seldom(s, s->bar) ? 1u << draw_bar(s, m, in) : 0u);
    in->fence = seldom(s, s->fence) ? UINT64_C(1) << (s->first + ls_rng_below(&s->rng, s->few)) : 0;
    if (m->gcount_q == RF_BARRIERS_END && ls_rng_chance(&s->rng, 96)) in->fence |= UINT64_C(1) << ls_rng_below(&s->rng, warps);
    in->launch = seldom(s, s->launch) ? UINT64_C(1) << ls_rng_below(&s->rng, warps) : 0;
    draw_lanes(s, m, in);
    in->sweep_ready = ls_rng_chance(&s->rng, s->ready);
    /* A warp that starts may be of another block. */
    for (uint64_t set = in->launch; set != 0; set &= set - 1) in->block[rf_lowest(set)] = draw_block(s, m);
    const bool last = m->active_q && m->index_q == m->cfg.entries - 1;
    if (climbs(s, m) && s->calm && !last && m->gcount_q + 3u > RF_BARRIERS_END) in->fence = 0, in->bar = 0;
    if (last && (climbs(s, m) || fills(s, m) || ls_rng_chance(&s->rng, 128))) {
        last_step(s, m, in);
    } else {
        if (last) in->sweep_ready = 0;
        if (ls_rng_chance(&s->rng, s->special)) special(s, m, in);
    }
    if (ls_rng_chance(&s->rng, 1)) in->block[ls_rng_below(&s->rng, warps)] = draw_block(s, m);
}

/* clang-format off */
#define BINS(X) \
    X(NONE, "arithmetic during a flush") X(CONST, "constant load") X(CONST_FLUSH, "constant load during a flush") \
    X(SHARED, "scratchpad load") X(SHARED_FLAG, "scratchpad load of a warp that has stored there") \
    X(SHARED_SWEEP, "scratchpad load of a block that is swept") \
    X(SHARED_FULL, "scratchpad load with a full count") X(SHARED_OTHER, "scratchpad load of a warp that has stored to global memory") \
    X(GLOBAL, "global load") X(GLOBAL_FLAG, "global load of a warp that has stored there") \
    X(GLOBAL_FLUSH, "global load during a flush") X(GLOBAL_SWEEP, "global load of a block that is swept") \
    X(GLOBAL_OTHER, "global load of a warp that has stored to scratchpad") \
    X(NO_WARP, "scratchpad load of a warp that does not exist") X(NO_BLOCK, "scratchpad load in a block that does not exist") \
    X(STORES, "two stores of a warp, one to each memory") X(ST_NO_WARP, "store of a warp that does not exist") \
    X(CLEAR_BAR, "a barrier clears a flag") X(CLEAR_FENCE, "a fence clears a flag") \
    X(CLEAR_LAUNCH, "a start of a warp clears a flag") \
    X(KEEP_BAR, "another block's barrier does not clear a flag") X(SET_WINS, "a store in the cycle of a clear") \
    X(COUNT_BAR, "a barrier counts") X(COUNT_FENCE, "a fence counts") X(COUNT_BOTH, "both count once") \
    X(COUNT_START, "a start beats a barrier") X(COUNT_FILLS, "a count gets full") X(COUNT_STAYS, "a full count stays") \
    X(FENCE_NO_BLOCK, "fence of a warp in a block that does not exist") X(GLOBAL_BAR, "a barrier counts for global memory") \
    X(GLOBAL_NO_BAR, "a barrier does not: nobody of the block has stored there") X(GLOBAL_FILLS, "its count gets full: a flush") \
    X(GLOBAL_STAYS, "its full count stays") X(GLOBAL_END, "the end of a flush beats a count up") \
    X(GLOBAL_NEARLY, "... that would have made it full") X(PICK_FLUSH, "a flush is chosen, a block waits") \
    X(PICK_BLOCK, "a block is chosen") X(PICK_LOWEST, "the lowest of several") X(STEP, "a step") X(STALL, "a step waits") \
    X(END_BLOCK, "the end of a block's pass") X(END_FLUSH, "the end of a flush") X(END_WAITS, "... with blocks that wait") \
    X(AGAIN_FLUSH, "a flush in the middle of one") X(AGAIN_BLOCK, "a start in the middle of its own pass") \
    X(LAST_FLUSH, "a flush with the last step of one") X(LAST_BLOCK, "a start with the last step of its own pass") \
    X(LAST_OTHER, "a start with the last step of a flush") X(FLUSH_LATER, "a flush in the middle of a block's pass") \
    X(LAST_BLOCK_FLUSH, "a flush with the last step of a block's pass") \
    X(LAST_BLOCK_FILLS, "the count of global memory gets full with the last step of a block's pass")
/* clang-format on */
#define NAME(name, text) name,
#define TEXT(name, text) text,
enum { BINS(NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(TEXT) NULL};

#define HIT(name, when) hit |= (uint64_t)(when) << (name)

/* What the lanes ask for and store. */
static uint64_t bins_lanes(const rf_load_guard *m, const rf_load_guard_in *in, const rf_load_guard_out *out) {
    const uint32_t warps = m->cfg.warps, blocks = m->cfg.blocks, issues = m->cfg.issues;
    uint64_t hit = 0;
    for (uint32_t l = 0; l < issues; l++) {
        const uint32_t warp = in->q_warp[l], space = in->q_space[l], is_warp = warp < warps;
        const uint32_t block = is_warp ? in->block[warp] : 0;
        const uint32_t allow = out->allow >> l & 1, flush = m->flush_q, sweep = m->sweep_q >> block & 1;
        const uint32_t count = block < blocks ? m->count_q[block] : 0;
        const bool shared = is_warp && (m->shared_q >> warp & 1) != 0, global = is_warp && (m->global_q >> warp & 1) != 0;
        const uint32_t st_warp = in->st_warp[l];
        HIT(NONE, space == RF_SPACE_NONE && flush);
        HIT(CONST, space == RF_SPACE_CONST && allow);
        HIT(CONST_FLUSH, space == RF_SPACE_CONST && flush);
        HIT(SHARED, space == RF_SPACE_SHARED && allow);
        HIT(SHARED_FLAG, space == RF_SPACE_SHARED && shared && !flush && !sweep && count != RF_BARRIERS_END);
        HIT(SHARED_SWEEP, space == RF_SPACE_SHARED && !shared && !flush && sweep && count != RF_BARRIERS_END);
        HIT(SHARED_FULL, space == RF_SPACE_SHARED && !shared && !flush && !sweep && count == RF_BARRIERS_END);
        HIT(SHARED_OTHER, space == RF_SPACE_SHARED && allow && global);
        HIT(GLOBAL, space == RF_SPACE_GLOBAL && allow);
        HIT(GLOBAL_FLAG, space == RF_SPACE_GLOBAL && global && !flush && m->gcount_q != RF_BARRIERS_END);
        HIT(GLOBAL_FLUSH, space == RF_SPACE_GLOBAL && !global && flush && m->gcount_q != RF_BARRIERS_END);
        HIT(GLOBAL_SWEEP, space == RF_SPACE_GLOBAL && allow && sweep);
        HIT(GLOBAL_OTHER, space == RF_SPACE_GLOBAL && allow && shared);
        HIT(NO_WARP, space == RF_SPACE_SHARED && !is_warp);
        HIT(NO_BLOCK, space == RF_SPACE_SHARED && block >= blocks);
        HIT(ST_NO_WARP, (in->st_valid >> l & 1) != 0 && st_warp >= warps);
        for (uint32_t k = 0; k < l; k++)
            HIT(STORES, (in->st_valid >> l & in->st_valid >> k & (in->st_shared >> l ^ in->st_shared >> k) & 1) != 0 &&
                            st_warp == in->st_warp[k] && st_warp < warps);
    }
    return hit;
}

/* The edge of flags and counts. */
static uint64_t bins_edge(const rf_load_guard *m, const rf_load_guard_in *in) {
    const uint32_t blocks = m->cfg.blocks, gcount = m->gcount_q;
    const uint64_t flagged = m->shared_q | m->global_q;
    const bool last = m->active_q && in->sweep_ready && m->index_q == m->cfg.entries - 1, clear = last && m->all_q;
    uint64_t hit = 0, barred = 0;
    uint32_t fenced = 0, beyond = 0;
    for (uint32_t w = 0; w < m->cfg.warps; w++) barred |= (uint64_t)(in->bar >> in->block[w] & 1) << w;
    for (uint64_t set = in->fence; set != 0; set &= set - 1) fenced |= UINT32_C(1) << in->block[rf_lowest(set)];
    beyond = fenced & ~(uint32_t)rf_mask64(blocks);
    const uint64_t cleared = barred | in->fence | in->launch;
    const bool up = in->fence != 0 || (m->global_q & barred) != 0;
    HIT(CLEAR_BAR, (flagged & barred & ~in->fence & ~in->launch) != 0);
    HIT(CLEAR_FENCE, (flagged & in->fence & ~barred & ~in->launch) != 0);
    HIT(CLEAR_LAUNCH, (flagged & in->launch & ~barred & ~in->fence) != 0);
    HIT(KEEP_BAR, in->bar != 0 && (flagged & ~cleared) != 0);
    for (uint32_t l = 0; l < m->cfg.issues; l++)
        HIT(SET_WINS, (in->st_valid >> l & 1) != 0 && in->st_warp[l] < m->cfg.warps && (cleared >> in->st_warp[l] & 1) != 0);
    HIT(FENCE_NO_BLOCK, beyond != 0);
    for (uint32_t b = 0; b < blocks; b++) {
        const uint32_t bar = in->bar >> b & 1, fence = fenced >> b & 1, start = in->start >> b & 1, count = m->count_q[b];
        HIT(COUNT_BAR, bar && !fence && !start && count < RF_BARRIERS_END);
        HIT(COUNT_FENCE, fence && !bar && !start && count < RF_BARRIERS_END);
        HIT(COUNT_BOTH, bar && fence && !start && count < RF_BARRIERS_END);
        HIT(COUNT_START, bar && start && count != 0);
        HIT(COUNT_FILLS, (bar || fence) && !start && count == RF_BARRIERS_END - 1);
        HIT(COUNT_STAYS, (bar || fence) && !start && count == RF_BARRIERS_END);
    }
    HIT(GLOBAL_BAR, in->fence == 0 && up && gcount < RF_BARRIERS_END && !clear);
    HIT(GLOBAL_NO_BAR, in->fence == 0 && in->bar != 0 && !up && m->global_q != 0);
    HIT(GLOBAL_FILLS, up && gcount == RF_BARRIERS_END - 1 && !clear);
    HIT(LAST_BLOCK_FILLS, up && gcount == RF_BARRIERS_END - 1 && last && !clear);
    HIT(GLOBAL_STAYS, up && gcount == RF_BARRIERS_END && !clear);
    HIT(GLOBAL_END, up && clear && gcount != 0);
    HIT(GLOBAL_NEARLY, up && clear && gcount == RF_BARRIERS_END - 1);
    return hit;
}

static uint64_t bins_sweep(const rf_load_guard *m, const rf_load_guard_in *in) {
    const uint32_t waits = m->sweep_q, ready = in->sweep_ready, on = m->active_q, all = m->all_q;
    const bool at_last = m->index_q == m->cfg.entries - 1, last = on && ready && at_last;
    const uint32_t own = in->start >> m->target_q & 1;
    uint64_t hit = 0;
    HIT(PICK_FLUSH, !on && m->flush_q && waits != 0);
    HIT(PICK_BLOCK, !on && !m->flush_q && waits != 0);
    HIT(PICK_LOWEST, !on && !m->flush_q && (waits & (waits - 1)) != 0);
    HIT(STEP, on && ready && !last);
    HIT(STALL, on && !ready);
    HIT(END_BLOCK, last && !all);
    HIT(END_FLUSH, last && all);
    HIT(END_WAITS, last && all && waits != 0);
    HIT(AGAIN_FLUSH, on && all && !last && in->flush);
    HIT(AGAIN_BLOCK, on && !all && !last && own);
    HIT(LAST_FLUSH, last && all && in->flush);
    HIT(LAST_BLOCK, last && !all && own);
    HIT(LAST_OTHER, last && all && in->start != 0);
    HIT(FLUSH_LATER, on && !all && !last && in->flush);
    HIT(LAST_BLOCK_FLUSH, last && !all && in->flush);
    return hit;
}

static uint64_t bins(const rf_load_guard *m, const rf_load_guard_in *in, const rf_load_guard_out *out) {
    return bins_lanes(m, in, out) | bins_edge(m, in) | bins_sweep(m, in);
}

#define SMALL "WARPS=5 BLOCKS=3 ENTRIES=4"
static void unreachable(const rf_load_guard_cfg *cfg, ls_unreachable *to) {
    const bool warps = cfg->warps == UINT32_C(1) << rf_index_bits(cfg->warps),
               blocks = cfg->blocks == UINT32_C(1) << rf_index_bits(cfg->blocks);
    ls_unreachable_if(to, warps, NO_WARP, "the warps fill the port: it names no other");
    ls_unreachable_if(to, warps, ST_NO_WARP, "the warps fill the port: it names no other");
    ls_unreachable_if(to, blocks, NO_BLOCK, "the blocks fill the port: it names no other");
    ls_unreachable_if(to, blocks, FENCE_NO_BLOCK, "the blocks fill the port: it names no other");
    ls_unreachable_if(to, cfg->issues == 1, STORES, "one lane");
    ls_unreachable_if(to, cfg->blocks == 1, PICK_LOWEST, "one block");
    ls_unreachable_if(to, cfg->entries == 1, STEP, "one entry: its step is the last");
}

static const ls_fault faults[] = {
    {"arithmetic is not reused during a flush", NULL, "allow_o[l] = space == SPACE_NONE ||",
     "allow_o[l] = space == SPACE_NONE &&", "allow", SMALL},
    {"a load is reused during a flush", NULL, "(!flush_q && (space", "((space", "allow", SMALL},
    {"a scratchpad load is reused during its block's sweep", NULL, "!sweep_at[block] && !shared_at", "!shared_at", "allow",
     SMALL},
    {"a scratchpad load is reused after a store", NULL, "&& !shared_at[warp] ", "", "allow", SMALL},
    {"a scratchpad load is reused with a full count", NULL, "&& count != FULL", "", "allow", SMALL},
    {"a global load is reused after a store", NULL, "!global_at[warp] && gcount_q", "gcount_q", "allow", SMALL},
    {"a store to scratchpad stops global loads", NULL, "!global_at[warp] && gcount_q",
     "!global_at[warp] && !shared_at[warp] && gcount_q", "allow", SMALL},
    {"every tag has the block", NULL, "{1'b0, block} : {1'b1, {BLOCK_W{1'b0}}}", "{1'b0, block} : {1'b0, block}", "tag_block",
     SMALL},
    {"a global load has its block's count", NULL, "(space == SPACE_GLOBAL) ? gcount_q", "(space == SPACE_GLOBAL) ? count",
     "tag_barrier", SMALL},
    {"a warp that does not exist is of the highest block", NULL, "assign block_at[w] = '0",
     "assign block_at[w] = BLOCK_W'(BLOCKS-1)", "allow", SMALL},
    {"a fence clears no flag", NULL, "(shared_q & ~clear)", "(shared_q & ~(barred | launch_i))", "shared_q", SMALL},
    {"a new warp has the old one's flag", NULL, "(shared_q & ~clear)", "(shared_q & ~(barred | fence_i))", "shared_q", SMALL},
    {"a barrier clears no flag", NULL, "(global_q & ~clear)", "(global_q & ~(fence_i | launch_i))", "global_q", SMALL},
    {"a clear beats a store", NULL, "(global_q & ~clear) | st_global", "(global_q | st_global) & ~clear", "global_q", SMALL},
    {"a store to scratchpad is one to global memory", NULL, "WARPS'(st_valid_i[l] && !st_shared_i[l])", "WARPS'(st_valid_i[l])",
     "global_q", SMALL},
    {"a barrier beats a start", NULL, "start_i[b] ? '0 : count_q[b]", "(start_i[b] && !bar_i[b]) ? '0 : count_q[b]", "count_q",
     SMALL},
    {"a fence does not count for its block", NULL, "(bar_i[b] || fenced[b])", "bar_i[b]", "count_q", SMALL},
    {"a full count starts again", NULL, "5'((bar_i[b] || fenced[b]) && count_q[b] != FULL)", "5'(bar_i[b] || fenced[b])",
     "count_q", SMALL},
    {"barrier and fence count twice", NULL, "count_q[b] + 5'(",
     "count_q[b] + 5'(bar_i[b] && fenced[b] && count_q[b] < 5'd30) + 5'(", "count_q", SMALL},
    {"every barrier counts for global memory", NULL, "(global_q & barred) != '0", "bar_i != '0", "gcount_q", SMALL},
    {"a full global count starts again", NULL, " != '0) && gcount_q != FULL", " != '0)", "gcount_q", SMALL},
    {"the end of a block's pass clears the global count", NULL, "gcount_d = flushed ?", "gcount_d = last ?", "gcount_q", SMALL},
    {"a full global count does not flush", NULL, " || (gup && !flushed && gcount_d == FULL)", "", "flush_q", SMALL},
    {"a count that gets full with the end of a block's pass does not flush", NULL, "(gup && !flushed && gcount_d == FULL)",
     "(gup && !last && gcount_d == FULL)", "flush_q", SMALL},
    {"the end of a block's pass beats a flush", NULL, "(flush_q && !flushed) || flush_i ||",
     "(flush_q && !flushed) || (flush_i && !last) ||", "flush_q", SMALL},
    {"the end beats a flush", NULL, "(flush_q && !flushed) || flush_i ||", "((flush_q || flush_i) && !flushed) ||", "flush_q",
     SMALL},
    {"the end beats a start", NULL, "(sweep_q & ~done) | start_i", "(sweep_q | start_i) & ~done", "sweep_q", SMALL},
    {"the end of a flush leaves blocks waiting", NULL, "flushed ? '1 : BLOCKS'(last)", "BLOCKS'(last && !all_q)", "sweep_q",
     SMALL},
    {"a block before a flush", NULL, "(!active_q && !flush_q && sweep_q != '0)", "(!active_q && sweep_q != '0)", "target_q",
     SMALL},
    {"the highest block first", NULL, "next    = `RF_LOWEST(sweep_q)", "next    = sweep_q", "target_q", SMALL},
    {"the next pass without a pause", NULL, "active_q ? !last :", "active_q ? (!last || flush_q) :", "active_q", SMALL},
    {"a step without ready", NULL, "ENTRY_W'(active_q && sweep_ready_i)", "ENTRY_W'(active_q)", "index_q", SMALL},
    {"every other entry is left out", NULL, "ENTRY_W'(active_q && sweep_ready_i)", "ENTRY_W'({active_q && sweep_ready_i, 1'b0})",
     "index_q", SMALL},
    {"sweep_all without a pass", NULL, "active_q && all_q;\n  assign sweep_block", "all_q;\n  assign sweep_block", "sweep_all",
     SMALL},
    {"sweep_block without a pass", NULL, "active_q ? target_q : '0", "target_q", "sweep_block", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "WARPS=1 BLOCKS=1 ENTRIES=1 ISSUES=1",
                                   "WARPS=5 BLOCKS=3 ENTRIES=4",
                                   "WARPS=24 BLOCKS=8 ENTRIES=32 ISSUES=1",
                                   "WARPS=64 BLOCKS=16 ENTRIES=512 ISSUES=4",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_load_guard
#define LS_GROUP "wir"
#define LS_BRIEF "which loads may reuse an earlier result, and sweeps of the reuse buffer"
#define LS_FIELDS "tb/wir/rf_load_guard.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
