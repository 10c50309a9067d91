/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_wir_reuse. The surroundings are played: lanes hold few different instructions until
 * they leave, who reserves an entry retires some time later with what came along, registers are named by mappings that begin and
 * end. All of that with breaches of protocol now and then; but counts get full only in some epochs, and of one register, for full
 * is for ever. */
#include "cmodel/wir/rf_wir_reuse.h"

#include <string.h>

#include "harness/core/unit.h"

#define TAGS 20u      /* instructions */
#define REFS 192u     /* mappings */
#define FLIGHTS 64u   /* instructions whose results are to come */
#define RECENT 8u     /* entries that were reserved last */
#define PATIENCE 400u /* cycles that a count may take to get full */

typedef struct tag {
    uint8_t opcode, space;
    uint16_t operand[RF_REUSE_SLOTS_MAX];
} tag;

/* Probabilities in 256ths, those of rare events in 4096ths; all but `illegal` are drawn anew in every phase. */
typedef struct rf_wir_reuse_stim {
    ls_rng rng;
    uint32_t illegal;                          /* each breach of protocol */
    uint32_t left;                             /* cycles of the phase to come */
    uint32_t come;                             /* a lane without an instruction gets one */
    uint32_t together;                         /* it is that of the lane before */
    uint32_t fresh;                            /* one of the instructions changes */
    uint32_t load;                             /* it loads */
    uint32_t look;                             /* one that may look up does */
    uint32_t execute, port;                    /* a miss executes, a hit retires */
    uint32_t retire, meet;                     /* a result retires; its entry is one that a lane looks at */
    uint32_t low;                              /* low mode */
    uint32_t store;                            /* a group's store moves on */
    uint32_t bar, fence, launch, start, flush; /* in 4096ths */
    uint32_t name, forget;                     /* a mapping begins, ends */
    uint32_t tags;                             /* instructions in use */
    uint32_t first, few;                       /* warps in use */
    uint32_t base, regs;                       /* registers in use */
    uint32_t near;                             /* a load is of a warp that stored last */
    uint32_t cycles, flood_at;                 /* of the epoch; when a register gets full, 0: never */
    uint32_t full;                             /* that register */
    uint8_t stored;
    uint32_t there; /* issues bits: the lane has an instruction */
    tag tag[TAGS];
    uint16_t ref[REFS];
    uint32_t refs;
    uint64_t flight[FLIGHTS]; /* what came along */
    uint32_t flights;
    uint16_t recent[RECENT];
    uint32_t reserves, index_at;   /* where the index is in what comes along */
    uint16_t spare[REFS];          /* registers that came back */
    uint32_t spares, unused;       /* ... and those never named: from there on */
    uint8_t planned[RF_PREGS_MAX]; /* references that begin in this cycle */
} rf_wir_reuse_stim;

static uint32_t chance_of(rf_wir_reuse_stim *s) {
    static const uint32_t shares[] = {8, 48, 112, 192, 248};
    return shares[ls_rng_below(&s->rng, 5)];
}

static uint32_t tag_bits(const rf_wir_reuse_cfg *cfg) { return 8 + cfg->slots * rf_index_bits(cfg->pregs); }

/* Another one with the same index: two bits of its number differ, opcode in front of the operands; or one where there is one
 * entry. */
static tag alias(rf_wir_reuse_stim *s, const rf_wir_reuse_cfg *cfg, tag t) {
    const uint32_t step = rf_lowest(cfg->entries), width = rf_index_bits(cfg->pregs), bits = tag_bits(cfg);
    if (bits <= step) return t;
    for (uint32_t i = 0, k = ls_rng_below(&s->rng, bits - step); i < (step == 0 ? 1u : 2u); i++, k += step) {
        if (k < 8) t.opcode ^= (uint8_t)(1u << k);
        else t.operand[(k - 8) / width] ^= (uint16_t)(1u << (k - 8) % width);
    }
    return t;
}

static uint16_t draw_reg(rf_wir_reuse_stim *s, const rf_wir_reuse_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->illegal)) return (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
    if (s->refs > 0 && !ls_rng_chance(&s->rng, 24)) return s->ref[ls_rng_below(&s->rng, s->refs)];
    return (uint16_t)((s->base + ls_rng_below(&s->rng, s->regs)) % cfg->pregs);
}

static tag draw_tag(rf_wir_reuse_stim *s, const rf_wir_reuse_cfg *cfg) {
    tag t = {0};
    if (s->tags != 0 && ls_rng_chance(&s->rng, 112)) {
        t = s->tag[ls_rng_below(&s->rng, s->tags)];
        return alias(s, cfg, t);
    }
    t.opcode = (uint8_t)ls_rng_value(&s->rng, 8);
    t.space = (uint8_t)(ls_rng_chance(&s->rng, s->load) ? ls_rng_below(&s->rng, 4) : RF_SPACE_NONE);
    for (uint32_t i = 0; i < cfg->slots; i++) t.operand[i] = draw_reg(s, cfg);
    return t;
}

static void draw_phase(rf_wir_reuse_stim *s, const rf_wir_reuse_cfg *cfg) {
    static const uint32_t rates[] = {0, 4, 32, 256, 1024};
    const bool long_sweep = cfg->entries > 64;
    ls_rng *const rng = &s->rng;
    s->left = 48 + ls_rng_below(rng, 320);
    s->come = 32 + chance_of(s);
    s->together = ls_rng_below(rng, 160);
    s->fresh = ls_rng_below(rng, 64);
    s->load = chance_of(s);
    s->look = chance_of(s) + 8;
    s->execute = chance_of(s);
    s->port = chance_of(s);
    s->retire = chance_of(s);
    s->meet = ls_rng_below(rng, 160);
    s->low = ls_rng_chance(rng, 128) ? 0 : ls_rng_chance(rng, 128) ? 256 : chance_of(s);
    s->store = ls_rng_chance(rng, 96) ? 0 : ls_rng_below(rng, 64);
    s->bar = rates[ls_rng_below(rng, 4)];
    s->fence = rates[ls_rng_below(rng, 4)];
    s->launch = rates[ls_rng_below(rng, 4)];
    s->start = rates[ls_rng_below(rng, long_sweep ? 3 : 4)];
    s->flush = rates[ls_rng_below(rng, long_sweep ? 2 : 3)];
    s->name = chance_of(s);
    s->forget = chance_of(s);
    s->near = ls_rng_below(rng, 128);
    s->few = ls_rng_chance(rng, 128) ? 1 + ls_rng_below(rng, 4) : cfg->warps;
    if (s->few > cfg->warps) s->few = cfg->warps;
    s->first = ls_rng_below(rng, cfg->warps - s->few + 1);
    s->regs = 1 + ls_rng_below(rng, cfg->pregs < 12 ? cfg->pregs : 12);
    s->base = ls_rng_below(rng, cfg->pregs);
    s->tags = 0;
    for (const uint32_t count = 1 + ls_rng_below(rng, TAGS); s->tags < count; s->tags++) s->tag[s->tags] = draw_tag(s, cfg);
}

/* Whether a count gets full soon enough. */
static bool fills_up(const rf_wir_reuse_cfg *cfg) {
    return rf_mask64(cfg->countw) / (cfg->issues * (cfg->slots + 2)) <= PATIENCE;
}

static void stim_init(rf_wir_reuse_stim *s, const rf_wir_reuse *m, uint64_t seed) {
    *s = (rf_wir_reuse_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->illegal = 2 + ls_rng_below(&s->rng, 22);
    s->index_at = rf_wir_back_bits(m->cfg.pregs) + 1;
    s->full = ls_rng_below(&s->rng, m->cfg.pregs);
    if (fills_up(&m->cfg) && ls_rng_chance(&s->rng, 128)) s->flood_at = 300 + ls_rng_below(&s->rng, 300);
    draw_phase(s, &m->cfg);
}

static bool seldom(rf_wir_reuse_stim *s, uint32_t rate) { return ls_rng_below(&s->rng, 4096) < rate; }

/* ---- references ---- */

/* Whether one more reference to a register can begin without making its count full; if so it is planned. */
static bool plan(rf_wir_reuse_stim *s, const rf_wir_reuse *m, uint32_t reg) {
    uint32_t count = 0;
    if (reg >= m->cfg.pregs) return true;
    for (uint64_t set = m->count.place_q; set != 0; set &= set - 1) {
        const uint32_t p = rf_lowest(set), delta = m->count.delta_q[p];
        if (m->count.reg_q[p] == reg && delta < 32) count += delta;
    }
    count += m->count.count_q[reg] + s->planned[reg];
    if (count + 1 >= rf_mask64(m->cfg.countw) && m->count.count_q[reg] != rf_mask64(m->cfg.countw)) return false;
    s->planned[reg]++;
    return true;
}

static void remember(rf_wir_reuse_stim *s, uint16_t reg) {
    if (s->refs < REFS) s->ref[s->refs++] = reg;
}

/* A mapping that ends, or any register. */
static uint16_t forget(rf_wir_reuse_stim *s, const rf_wir_reuse_cfg *cfg) {
    if (s->refs == 0 || ls_rng_chance(&s->rng, s->illegal)) return draw_reg(s, cfg);
    const uint32_t i = ls_rng_below(&s->rng, s->refs);
    const uint16_t reg = s->ref[i];
    s->ref[i] = s->ref[--s->refs];
    return reg;
}

/* A register that nobody names, or any. */
static uint16_t unnamed(rf_wir_reuse_stim *s, const rf_wir_reuse_cfg *cfg) {
    if (s->spares > 0) return s->spare[--s->spares];
    if (s->unused < cfg->pregs) return (uint16_t)s->unused++;
    return draw_reg(s, cfg);
}

/* References that mappings and allocation begin and end. */
static void draw_references(rf_wir_reuse_stim *s, const rf_wir_reuse *m, rf_wir_reuse_in *in) {
    const rf_wir_reuse_cfg *cfg = &m->cfg;
    in->results_dec = (uint8_t)ls_rng_bits(&s->rng, cfg->issues, s->refs > 0 ? s->forget : s->illegal);
    in->lane_dec = (uint8_t)ls_rng_bits(&s->rng, cfg->issues, s->refs > 0 ? s->forget : s->illegal);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        in->results_inc[g] = 0;
        for (uint32_t k = 0; k < 2; k++) {
            const bool names = ls_rng_chance(&s->rng, s->name) && s->refs < REFS / 2;
            if (!names && !ls_rng_chance(&s->rng, 24)) continue;
            const uint16_t reg = names && ls_rng_chance(&s->rng, 128) ? unnamed(s, cfg) : draw_reg(s, cfg);
            in->results_inc_reg[g * 2 + k] = reg;
            if (!names || !plan(s, m, reg)) continue;
            in->results_inc[g] |= (uint8_t)(1u << k);
            remember(s, reg);
        }
        in->results_dec_reg[g] = (in->results_dec >> g & 1) != 0 ? forget(s, cfg) : draw_reg(s, cfg);
        in->lane_dec_reg[g] = (in->lane_dec >> g & 1) != 0 ? forget(s, cfg) : draw_reg(s, cfg);
    }
}

/* One register gets full: every port names it, and from then on it goes up and down now and then. */
static void flood(rf_wir_reuse_stim *s, const rf_wir_reuse *m, rf_wir_reuse_in *in) {
    const rf_wir_reuse_cfg *cfg = &m->cfg;
    if (s->flood_at == 0 || s->cycles < s->flood_at) return;
    const bool rises = m->count.count_q[s->full] != rf_mask64(cfg->countw);
    if (!rises && !ls_rng_chance(&s->rng, 8)) return;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        if (!rises) {
            in->lane_dec |= (uint8_t)(1u << g);
            in->lane_dec_reg[g] = (uint16_t)s->full;
            continue;
        }
        in->lane_inc[g] = (uint8_t)rf_mask64(cfg->slots);
        in->results_inc[g] = 3;
        for (uint32_t i = 0; i < cfg->slots; i++) in->lane_inc_reg[g * cfg->slots + i] = (uint16_t)s->full;
        in->results_inc_reg[g * 2] = in->results_inc_reg[g * 2 + 1] = (uint16_t)s->full;
    }
}

/* ---- what happens ---- */

/* A warp that takes part; now and then any number. */
static uint8_t draw_warp(rf_wir_reuse_stim *s, const rf_wir_reuse_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->illegal)) return (uint8_t)ls_rng_value(&s->rng, rf_index_bits(cfg->warps));
    return (uint8_t)(s->first + ls_rng_below(&s->rng, s->few));
}

static uint8_t draw_block(rf_wir_reuse_stim *s, const rf_wir_reuse_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->illegal)) return (uint8_t)ls_rng_value(&s->rng, rf_index_bits(cfg->blocks));
    return (uint8_t)ls_rng_below(&s->rng, cfg->blocks);
}

static void draw_events(rf_wir_reuse_stim *s, const rf_wir_reuse_cfg *cfg, rf_wir_reuse_in *in) {
    const uint32_t warp = s->first + ls_rng_below(&s->rng, s->few), block = in->block[warp] % cfg->blocks;
    in->launch = seldom(s, s->launch) ? UINT64_C(1) << warp : 0;
    in->fence = seldom(s, s->fence) ? UINT64_C(1) << warp : 0;
    in->bar = (uint16_t)(seldom(s, s->bar) ? 1u << block : 0u);
    in->start = (uint16_t)(seldom(s, s->start) ? 1u << block : 0u);
    in->flush = seldom(s, s->flush);
    for (uint64_t set = in->launch; set != 0; set &= set - 1) in->block[rf_lowest(set)] = draw_block(s, cfg);
    if (ls_rng_chance(&s->rng, 2)) in->block[warp] = draw_block(s, cfg);
    in->st_valid = (uint8_t)ls_rng_bits(&s->rng, cfg->issues, s->store);
    in->st_shared = (uint8_t)ls_rng_bits(&s->rng, cfg->issues, 128);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        in->st_warp[g] = draw_warp(s, cfg);
        if ((in->st_valid >> g & 1) != 0) s->stored = in->st_warp[g];
    }
    if (ls_rng_chance(&s->rng, s->store) && ls_rng_chance(&s->rng, 32)) in->fence |= UINT64_C(1) << (s->stored % cfg->warps);
}

/* The lane's instruction; its number does not matter where there is none, but mostly is 0. */
static void draw_lane(rf_wir_reuse_stim *s, const rf_wir_reuse_cfg *cfg, rf_wir_reuse_in *in, uint32_t g) {
    const uint32_t n = g * cfg->slots, before = g > 0 ? g - 1 : 0;
    tag t = s->tag[ls_rng_below(&s->rng, s->tags)];
    if (g > 0 && (s->there >> before & 1) != 0 && ls_rng_chance(&s->rng, s->together)) {
        t.opcode = in->lane_opcode[before];
        t.space = in->lane_space[before];
        memcpy(t.operand, &in->lane_operand[before * cfg->slots], cfg->slots * sizeof t.operand[0]);
        if (ls_rng_chance(&s->rng, 96)) t = alias(s, cfg, t);
    }
    in->lane_opcode[g] = t.opcode;
    in->lane_space[g] = t.space;
    memcpy(&in->lane_operand[n], t.operand, cfg->slots * sizeof t.operand[0]);
    if (ls_rng_chance(&s->rng, 16)) in->lane_space[g] = (uint8_t)ls_rng_below(&s->rng, 4);
    in->lane_warp[g] = ls_rng_chance(&s->rng, s->near) ? s->stored : draw_warp(s, cfg);
    in->lane_back[g] = (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs) + 2);
}

/* A result that is to come: any, or that of an entry which a lane looks at. */
static uint64_t land(rf_wir_reuse_stim *s, const rf_wir_reuse *m, const rf_wir_reuse_out *now) {
    const uint32_t at = rf_index_bits(m->cfg.pregs) + 3;
    uint32_t which = ls_rng_below(&s->rng, s->flights);
    if (ls_rng_chance(&s->rng, s->meet)) {
        const uint64_t wanted = now->info[ls_rng_below(&s->rng, m->cfg.issues)] >> at;
        for (uint32_t i = 0; i < s->flights; i++)
            if (s->flight[i] >> at == wanted) which = i;
    }
    const uint64_t info = s->flight[which];
    s->flight[which] = s->flight[--s->flights];
    return info;
}

/* The entry that is about to be removed, if it is valid; else ENTRIES. */
static uint32_t victim(const rf_wir_reuse *m, const rf_wir_reuse_in *in) {
    const uint32_t e = m->guard.active_q ? m->guard.index_q : m->lfsr.value_q & (m->cfg.entries - 1);
    return (in->low || m->guard.active_q) && m->buffer.valid_q[e] != 0 ? e : m->cfg.entries;
}

static void draw_done(rf_wir_reuse_stim *s, const rf_wir_reuse *m, const rf_wir_reuse_out *now, rf_wir_reuse_in *in) {
    const rf_wir_reuse_cfg *cfg = &m->cfg;
    const uint32_t pregs = rf_index_bits(cfg->pregs), width = rf_wir_reuse_info_bits(cfg);
    const uint64_t leader = UINT64_C(1) << rf_wir_back_bits(cfg->pregs);
    in->done = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        bool done = s->flights > 0 && ls_rng_chance(&s->rng, s->retire);
        if (done) in->done_info[g] = land(s, m, now);
        else if (ls_rng_chance(&s->rng, 24)) in->done_info[g] = ls_rng_value(&s->rng, width);
        in->done_reg[g] = draw_reg(s, cfg);
        if (ls_rng_chance(&s->rng,
                          s->illegal)) { /* of an entry that a lane or the port before names, or of one that nobody leads */
            const uint32_t of = ls_rng_below(&s->rng, 3);
            const uint64_t other = of == 0            ? now->info[ls_rng_below(&s->rng, cfg->issues)]
                                   : of == 1 && g > 0 ? in->done_info[g - 1]
                                                      : ls_rng_value(&s->rng, width);
            done = true;
            in->done_info[g] = other | leader;
        }
        const uint32_t drops = victim(m, in);
        if (drops < cfg->entries && ls_rng_chance(&s->rng, 12)) {
            done = true;
            in->done_info[g] = (uint64_t)drops << (pregs + 3) | leader | ls_rng_value(&s->rng, pregs + 2);
        }
        const uint32_t any = ls_rng_below(&s->rng, cfg->entries); /* leaders that a breach made the stimulus lose */
        if (m->buffer.pending_q[any] != 0 && ls_rng_chance(&s->rng, 2 * s->illegal)) {
            done = true;
            in->done_info[g] = (uint64_t)any << (pregs + 3) | leader | ls_rng_value(&s->rng, pregs + 2);
        }
        if (done && (in->done_info[g] & leader) != 0) done = plan(s, m, in->done_reg[g]);
        in->done |= (uint8_t)((uint32_t)done << g);
    }
}

/* Lane 0's instruction becomes the one whose result entry `e` has, or another one with that index; or
 * in another space. */
static void obstruct(rf_wir_reuse_stim *s, const rf_wir_reuse *m, rf_wir_reuse_in *in, uint32_t e, bool exact) {
    const rf_reuse_buffer *b = &m->buffer;
    const uint32_t slots = m->cfg.slots;
    tag t = {.opcode = b->opcode_q[e],
             .space = (uint8_t)(exact && ls_rng_chance(&s->rng, 64) ? ls_rng_below(&s->rng, 4) : RF_SPACE_NONE)};
    if (b->valid_q[e] == 0 || b->pending_q[e] != 0) return;
    memcpy(t.operand, &b->operand_q[e * slots], slots * sizeof t.operand[0]);
    if (!exact) t = alias(s, &m->cfg, t);
    in->lane_opcode[0] = t.opcode;
    in->lane_space[0] = t.space;
    memcpy(in->lane_operand, t.operand, slots * sizeof t.operand[0]);
    s->there |= 1;
}

/* The lanes: what they find, and what becomes of it. The unit is asked, for the answers decide. */
static void draw_lanes(rf_wir_reuse_stim *s, const rf_wir_reuse *m, rf_wir_reuse_in *in) {
    const rf_wir_reuse_cfg *cfg = &m->cfg;
    const uint32_t all = (uint32_t)rf_mask64(cfg->issues), slots = cfg->slots;
    rf_wir_reuse_out now;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        if ((s->there >> g & 1) != 0 && !ls_rng_chance(&s->rng, s->illegal)) continue;
        s->there |= (uint32_t)ls_rng_chance(&s->rng, s->come) << g;
        if ((s->there >> g & 1) != 0) draw_lane(s, cfg, in, g);
    }
    const bool swept = m->guard.active_q && m->buffer.valid_q[m->guard.index_q] && ls_rng_chance(&s->rng, 48);
    const bool stays = !swept && in->low && ls_rng_chance(&s->rng, victim(m, in) < cfg->entries ? 64 : 32);
    if (swept) obstruct(s, m, in, m->guard.index_q, ls_rng_chance(&s->rng, 128));
    else if (stays || ls_rng_chance(&s->rng, 12)) obstruct(s, m, in, s->recent[ls_rng_below(&s->rng, RECENT)], !stays);
    in->lk_valid = (uint8_t)all;
    in->leads = in->leaves = in->done = 0;
    rf_wir_reuse_comb(m, in, &now);
    const uint32_t stray = ls_rng_chance(&s->rng, s->illegal) ? (uint32_t)ls_rng_u64(&s->rng) : 0;
    in->lk_valid = (uint8_t)(s->there & all & (now.allow | stray) & ls_rng_bits(&s->rng, cfg->issues, s->look));
    const uint32_t hit = now.hit & in->lk_valid, wait = now.wait & in->lk_valid;
    const uint32_t executes = s->there & all & ~(hit | wait) & (uint32_t)ls_rng_bits(&s->rng, cfg->issues, s->execute);
    in->leads = (uint8_t)(executes & in->lk_valid);
    in->leaves = (uint8_t)(executes | ((hit | wait) & (uint32_t)ls_rng_bits(&s->rng, cfg->issues, s->port)));
    if (swept || stays) { /* a lane leads; if it stays it keeps its instruction */
        in->lk_valid |= (uint8_t)(s->there & now.allow & 1);
        in->leads |= (uint8_t)(in->lk_valid & ~((uint32_t)now.hit | now.wait) & 1);
        in->leaves = stays ? 0 : (uint8_t)(in->leaves | (in->lk_valid & 1));
    }
    if (ls_rng_chance(&s->rng, s->illegal)) in->leads ^= (uint8_t)ls_rng_value(&s->rng, cfg->issues);
    if (ls_rng_chance(&s->rng, s->illegal)) in->leaves ^= (uint8_t)ls_rng_value(&s->rng, cfg->issues);
    draw_done(s, m, &now, in);
    rf_wir_reuse_comb(m, in, &now);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const bool reuses = (now.hit & in->leaves) >> g & 1;
        uint32_t inc = (now.reserved >> g & 1) != 0 ? in->lane_opcode[g] & (uint32_t)rf_mask64(slots) : 0;
        if (ls_rng_chance(&s->rng, s->illegal)) inc ^= (uint32_t)ls_rng_value(&s->rng, slots);
        memcpy(&in->lane_inc_reg[g * slots], &in->lane_operand[g * slots], slots * sizeof in->lane_inc_reg[0]);
        if (reuses) {
            inc = 1;
            in->lane_inc_reg[g * slots] = now.result[g];
        }
        for (uint32_t i = 0; i < slots; i++)
            if ((inc >> i & 1) != 0 && !plan(s, m, in->lane_inc_reg[g * slots + i])) inc &= ~(1u << i);
        if (reuses && inc != 0) remember(s, now.result[g]);
        in->lane_inc[g] = (uint8_t)inc;
    }
}

/* Low mode: by phases, and where a sweep meets an entry, or the random number names a reserved one. */
static bool draw_low(rf_wir_reuse_stim *s, const rf_wir_reuse *m) {
    const uint32_t named = m->lfsr.value_q & (m->cfg.entries - 1);
    const bool sweeps = m->guard.active_q && m->buffer.valid_q[m->guard.index_q], reserved = m->buffer.pending_q[named] != 0;
    return ls_rng_chance(&s->rng, s->low) || (sweeps && ls_rng_chance(&s->rng, 128)) ||
           (reserved && ls_rng_chance(&s->rng, m->cfg.entries > 64 ? 112 : 16));
}

static void stim(rf_wir_reuse_stim *s, const rf_wir_reuse *m, rf_wir_reuse_in *in) {
    const rf_wir_reuse_cfg *cfg = &m->cfg;
    if (s->left-- == 0) draw_phase(s, cfg);
    s->cycles++;
    memset(s->planned, 0, cfg->pregs);
    if (ls_rng_chance(&s->rng, s->fresh)) s->tag[ls_rng_below(&s->rng, s->tags)] = draw_tag(s, cfg);
    draw_events(s, cfg, in);
    in->low = draw_low(s, m);
    draw_lanes(s, m, in);
    draw_references(s, m, in);
    flood(s, m, in);
    for (uint32_t g = 0; g < cfg->issues; g++) in->own_reg[g] = draw_reg(s, cfg);
}

/* Instructions that left, what came along with them, registers that came back. */
static void observe(rf_wir_reuse_stim *s, const rf_wir_reuse_in *in, const rf_wir_reuse_out *out) {
    for (uint32_t set = (in->leaves & ~(uint32_t)out->hit) | out->reserved; set != 0; set &= set - 1) {
        const uint32_t g = rf_lowest(set);
        if (s->flights < FLIGHTS && ((out->reserved >> g & 1) != 0 || s->flights < FLIGHTS / 2))
            s->flight[s->flights++] = out->info[g];
    }
    for (uint32_t set = out->reserved; set != 0; set &= set - 1)
        s->recent[s->reserves++ % RECENT] = (uint16_t)(out->info[rf_lowest(set)] >> s->index_at);
    s->there &= ~(uint32_t)in->leaves;
    for (uint32_t set = out->back; set != 0; set &= set - 1)
        if (s->spares < REFS) s->spare[s->spares++] = out->back_reg[rf_lowest(set)];
}

/* clang-format off */
#define BINS(X)                                                                                                                  \
    X(HIT, "an instruction finds its result")                                                                                    \
    X(WAIT, "it finds its entry reserved")                                                                                       \
    X(HITS, "two groups find one result")                                                                                        \
    X(HIT_SCRATCH, "a load from scratchpad finds its result")                                                                    \
    X(HIT_GLOBAL, "one from global memory does")                                                                                 \
    X(OTHER_BLOCK, "an entry differs in its block alone")                                                                        \
    X(OTHER_BARRIER, "in its barrier count alone")                                                                               \
    X(HELD_SCRATCH, "a load may not look up: its warp has stored to scratchpad")                                                 \
    X(HELD_GLOBAL, "to global memory")                                                                                           \
    X(HELD_FLUSH, "a kernel starts")                                                                                             \
    X(HELD_SWEEP, "its block starts")                                                                                            \
    X(STRAY_LOOKUP, "one looks up that may not")                                                                                 \
    X(RESERVE, "an instruction reserves its entry")                                                                              \
    X(OVERWRITE, "which has another's result")                                                                                   \
    X(RESERVE_LOST, "it leads, and its entry is another leader's")                                                               \
    X(RESERVE_TWICE, "two groups lead for one entry")                                                                            \
    X(STRAY_LEAD, "one leads that does not look up")                                                                             \
    X(DROP, "in low mode it drops another's result")                                                                             \
    X(DROP_RESERVED, "a reserved entry")                                                                                         \
    X(DROP_EMPTY, "its entry is empty")                                                                                          \
    X(LOW_HIT, "it finds its result in low mode")                                                                                \
    X(RANDOM, "a result is dropped at random")                                                                                   \
    X(RANDOM_RESERVED, "a reserved entry is")                                                                                    \
    X(RANDOM_EMPTY, "an empty one would be")                                                                                     \
    X(RANDOM_OFF, "none is, for an instruction leaves after a lookup")                                                           \
    X(RANDOM_PASS, "one is while an instruction leaves without a lookup")                                                        \
    X(RANDOM_STAY, "while one looks up and does not leave")                                                                      \
    X(RANDOM_FILL, "none is, for it gets its result")                                                                            \
    X(RANDOM_LEAD, "none is, for one leads and does not leave")                                                                  \
    X(RANDOM_HIGH, "no mode but the low one drops what the random number names")                                                 \
    X(SWEEP_ALL, "a kernel's start removes a result")                                                                            \
    X(SWEEP_BLOCK, "a block's start does")                                                                                       \
    X(SWEEP_KEEP, "and leaves another block's alone")                                                                            \
    X(SWEEP_FILL, "a removal waits, for the entry gets its result")                                                              \
    X(SWEEP_LEAD, "for one leads")                                                                                               \
    X(SWEEP_LOW, "it comes before what the random number names")                                                                 \
    X(SWEEP_LEAVES, "and while an instruction leaves after a lookup")                                                            \
    X(FILL, "a result retires and its entry gets it")                                                                            \
    X(FILLS, "several groups' do")                                                                                               \
    X(FILL_ABANDONED, "its entry was given up")                                                                                  \
    X(FILL_STRAY, "its entry is nobody's")                                                                                       \
    X(FILL_TWICE, "two of one entry")                                                                                            \
    X(FILL_WAIT, "an instruction waits for that entry")                                                                          \
    X(NO_LEADER, "a result retires that reserved nothing")                                                                       \
    X(MUTE_LEADER, "no result retires, what came along last reserved an entry")                                                  \
    X(STORE, "a store moves on")                                                                                                 \
    X(CLEAR_BAR, "a barrier ends a store's flag")                                                                                \
    X(CLEAR_FENCE, "a fence does")                                                                                               \
    X(CLEAR_LAUNCH, "a new warp does")                                                                                           \
    X(NAME_TWO, "allocation names two registers for a group")                                                                    \
    X(NAME_REUSED, "an instruction retires with an earlier result")                                                              \
    X(NAME_OPERANDS, "the operands of a reserved entry are named")                                                               \
    X(END_RESULTS, "allocation ends a reference")                                                                                \
    X(END_LANE, "a mapping does")                                                                                                \
    X(END_BOTH, "both, of one register")                                                                                         \
    X(UP_DOWN, "a register is named and no more in one cycle")                                                                   \
    X(DIES, "the last reference of a register ends")                                                                             \
    X(LIVES, "one of several does")                                                                                              \
    X(BACK, "a register becomes free")                                                                                           \
    X(BACK_TWO, "two do")                                                                                                        \
    X(OWN, "a register with one reference is looked at")                                                                         \
    X(BACK_MORE, "more than two are")                                                                                            \
    X(FULL, "a count gets full")                                                                                                 \
    X(FULL_DOWN, "and stays though a reference ends")
/* clang-format on */

#define BIN_NAME(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

static uint64_t bin(bool hit, uint32_t n) { return (uint64_t)hit << n; }

/* An entry that a group's result names. */
static bool filled_at(const rf_wir_reuse *m, const rf_wir_reuse_in *in, uint32_t g, uint32_t *entry) {
    const uint32_t at = rf_wir_back_bits(m->cfg.pregs);
    *entry = (uint32_t)(in->done_info[g] >> (at + 1)) & (m->cfg.entries - 1);
    return (in->done >> g & 1) != 0 && (in->done_info[g] >> at & 1) != 0;
}

/* Groups whose result is for an entry. */
static uint32_t fillers(const rf_wir_reuse *m, const rf_wir_reuse_in *in, uint32_t entry) {
    uint32_t who = 0, e;
    for (uint32_t g = 0; g < m->cfg.issues; g++)
        if (filled_at(m, in, g, &e) && e == entry) who |= 1u << g;
    return who;
}

static uint32_t index_of(const rf_wir_reuse *m, const rf_wir_reuse_out *out, uint32_t g) {
    return (uint32_t)(out->info[g] >> (rf_wir_back_bits(m->cfg.pregs) + 1)) & (m->cfg.entries - 1);
}

/* How a lane's tag differs from its entry's: operands or opcode, block, barrier count. */
static uint32_t differs(const rf_wir_reuse *m, const rf_wir_reuse_in *in, uint32_t g, uint32_t e) {
    const rf_reuse_buffer *b = &m->buffer;
    const uint32_t slots = m->cfg.slots, none = 1u << rf_index_bits(m->cfg.blocks), space = in->lane_space[g],
                   warp = in->lane_warp[g];
    const uint32_t of = warp < m->cfg.warps ? in->block[warp] : 0, block = space == RF_SPACE_SHARED ? of : none;
    const uint32_t barrier = space == RF_SPACE_GLOBAL                         ? m->guard.gcount_q
                             : space == RF_SPACE_SHARED && of < m->cfg.blocks ? m->guard.count_q[of]
                                                                              : 0;
    uint32_t diff = b->opcode_q[e] != in->lane_opcode[g];
    for (uint32_t i = 0; i < slots; i++) diff |= b->operand_q[e * slots + i] != in->lane_operand[g * slots + i];
    return diff | (uint32_t)(b->block_q[e] != block) << 1 | (uint32_t)(b->barrier_q[e] != barrier) << 2;
}

static uint64_t guard_bins(const rf_wir_reuse *m, const rf_wir_reuse_in *in, const rf_wir_reuse_out *out, uint32_t g) {
    const rf_load_guard *u = &m->guard;
    const uint32_t warp = in->lane_warp[g], space = in->lane_space[g], exists = warp < m->cfg.warps;
    const uint32_t block = exists ? in->block[warp] : 0;
    const bool held = (out->allow >> g & 1) == 0, sweep = u->sweep_q >> block & 1;
    const bool shared = exists && (u->shared_q >> warp & 1), global = exists && (u->global_q >> warp & 1);
    return bin(held && space == RF_SPACE_SHARED && shared && !sweep && !u->flush_q, HELD_SCRATCH) |
           bin(held && space == RF_SPACE_GLOBAL && global && !u->flush_q, HELD_GLOBAL) |
           bin(held && space == RF_SPACE_CONST && u->flush_q, HELD_FLUSH) |
           bin(held && space == RF_SPACE_SHARED && !shared && sweep && !u->flush_q, HELD_SWEEP) |
           bin(held && (in->lk_valid >> g & 1), STRAY_LOOKUP);
}

static uint64_t lane_bins(const rf_wir_reuse *m, const rf_wir_reuse_in *in, const rf_wir_reuse_out *out, uint32_t g) {
    const rf_reuse_buffer *b = &m->buffer;
    const bool leads = in->leads >> g & 1, hit = out->hit >> g & 1, reserved = out->reserved >> g & 1, wait = out->wait >> g & 1;
    const uint32_t e = index_of(m, out, g), slots = m->cfg.slots;
    uint64_t seen = guard_bins(m, in, out, g) | bin(leads && (in->lk_valid >> g & 1) == 0, STRAY_LEAD);
    if ((in->lk_valid >> g & 1) == 0) return seen;
    const bool valid = b->valid_q[e] != 0, pending = b->pending_q[e] != 0;
    const uint32_t diff = differs(m, in, g, e), fill = fillers(m, in, e);
    seen |= bin(hit, HIT) | bin(wait, WAIT) | bin(hit && in->lane_space[g] == RF_SPACE_SHARED, HIT_SCRATCH) |
            bin(hit && in->lane_space[g] == RF_SPACE_GLOBAL, HIT_GLOBAL) | bin(valid && diff == 2, OTHER_BLOCK) |
            bin(valid && diff == 4, OTHER_BARRIER) | bin(reserved, RESERVE) | bin(reserved && valid && diff != 0, OVERWRITE) |
            bin(leads && !in->low && pending, RESERVE_LOST) | bin(leads && in->low && valid && !pending && fill == 0, DROP) |
            bin(leads && in->low && valid && pending && fill == 0, DROP_RESERVED) | bin(leads && in->low && !valid, DROP_EMPTY) |
            bin(hit && in->low, LOW_HIT) | bin(wait && fill != 0, FILL_WAIT) |
            bin(hit && (in->leaves >> g & 1) && (in->lane_inc[g] & 1), NAME_REUSED) |
            bin(reserved && (in->lane_inc[g] & b->valid_q[e]) != 0, NAME_OPERANDS) |
            bin(reserved && slots == 1 && in->lane_inc[g] != 0, NAME_OPERANDS);
    for (uint32_t k = 0; k < g; k++) {
        if ((in->lk_valid >> k & 1) == 0 || index_of(m, out, k) != e) continue;
        seen |= bin(hit && (out->hit >> k & 1), HITS) | bin(leads && (out->reserved >> k & 1), RESERVE_TWICE);
    }
    return seen;
}

static uint64_t removal_bins(const rf_wir_reuse *m, const rf_wir_reuse_in *in, const rf_wir_reuse_out *out) {
    const rf_reuse_buffer *b = &m->buffer;
    const bool sweep = m->guard.active_q, all = sweep && m->guard.all_q, left = (in->lk_valid & in->leaves) != 0;
    const uint32_t r = m->lfsr.value_q & (m->cfg.entries - 1), e = sweep ? m->guard.index_q : r;
    const bool valid = b->valid_q[e] != 0, pending = b->pending_q[e] != 0, filled = fillers(m, in, e) != 0;
    const bool mine = all || b->block_q[e] == m->guard.target_q;
    bool leads = false, frees = false;
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        if ((in->leads & in->lk_valid) >> g & 1) leads |= index_of(m, out, g) == e;
    }
    if ((in->leads & in->lk_valid) & 1) { /* group 0's ports are the removal's */
        const uint32_t i = index_of(m, out, 0);
        frees = i != e && b->valid_q[i] != 0 && b->pending_q[i] == 0;
    }
    if (sweep) {
        const bool acts = valid && !filled && !leads && !frees;
        return bin(acts && all, SWEEP_ALL) | bin(acts && !all && mine, SWEEP_BLOCK) | bin(acts && !mine, SWEEP_KEEP) |
               bin(valid && mine && filled && !leads, SWEEP_FILL) | bin(valid && mine && leads && !filled, SWEEP_LEAD) |
               bin(acts && mine && in->low && r != e && b->valid_q[r], SWEEP_LOW) |
               bin(acts && mine && in->low && left, SWEEP_LEAVES);
    }
    if (!in->low) return bin(valid && !left && !filled && !leads, RANDOM_HIGH);
    const bool acts = !left && !filled && !leads && !frees;
    return bin(acts && valid && !pending, RANDOM) | bin(acts && valid && pending, RANDOM_RESERVED) |
           bin(acts && !valid, RANDOM_EMPTY) | bin(left && valid && !filled && !leads && !frees, RANDOM_OFF) |
           bin(acts && valid && in->leaves != 0, RANDOM_PASS) | bin(acts && valid && in->lk_valid != 0, RANDOM_STAY) |
           bin(!left && valid && filled && !leads && !frees, RANDOM_FILL) | bin(!left && valid && frees, RANDOM_LEAD);
}

static uint64_t fill_bins(const rf_wir_reuse *m, const rf_wir_reuse_in *in) {
    const rf_reuse_buffer *b = &m->buffer;
    const uint64_t leader = UINT64_C(1) << (rf_index_bits(m->cfg.pregs) + 2);
    uint32_t fills = 0, e;
    uint64_t seen = 0;
    for (uint32_t g = 0; g < m->cfg.issues; g++) {
        const bool done = in->done >> g & 1, fill = filled_at(m, in, g, &e), first = (fillers(m, in, e) & rf_mask64(g)) == 0;
        const bool valid = b->valid_q[e] != 0, pending = b->pending_q[e] != 0;
        fills += fill && valid && pending && first;
        seen |= bin(fill && valid && pending && first, FILL) | bin(fill && !valid && pending, FILL_ABANDONED) |
                bin(fill && !pending, FILL_STRAY) | bin(fill && valid && pending && !first, FILL_TWICE) |
                bin(done && !fill, NO_LEADER) | bin(!done && (in->done_info[g] & leader) != 0 && valid && pending, MUTE_LEADER);
    }
    return seen | bin(fills > 1, FILLS);
}

/* References: asked for in this cycle, counted, and registers that become free. */
static uint64_t count_bins(const rf_wir_reuse *m, const rf_wir_reuse_in *in, const rf_wir_reuse_out *out) {
    const rf_wir_reuse_cfg *cfg = &m->cfg;
    const int32_t full = (int32_t)rf_mask64(cfg->countw);
    uint32_t dead = 0;
    uint64_t seen = bin(in->results_dec != 0, END_RESULTS) | bin(in->lane_dec != 0, END_LANE);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        seen |= bin(in->results_inc[g] == 3, NAME_TWO);
        for (uint32_t k = 0; k < cfg->issues; k++) {
            const bool ends = in->lane_dec >> k & 1;
            seen |= bin(ends && (in->results_dec >> g & 1) && in->results_dec_reg[g] == in->lane_dec_reg[k], END_BOTH) |
                    bin(ends && (in->results_inc[g] & 1) && in->results_inc_reg[g * 2] == in->lane_dec_reg[k], UP_DOWN);
        }
    }
    for (uint64_t set = m->count.place_q; set != 0; set &= set - 1) {
        const uint32_t p = rf_lowest(set);
        const int32_t old = m->count.count_q[m->count.reg_q[p]],
                      delta = m->count.delta_q[p] < 32 ? m->count.delta_q[p] : m->count.delta_q[p] - 64;
        seen |= bin(old != full && delta < 0 && old + delta == 0, DIES) |
                bin(old != full && delta < 0 && old + delta > 0, LIVES) | bin(old != full && old + delta >= full, FULL) |
                bin(old == full && delta < 0, FULL_DOWN);
    }
    for (uint32_t w = 0; w < (cfg->pregs + 63) / 64; w++) dead += (uint32_t)__builtin_popcountll(m->count.dead_q[w]);
    return seen | bin(out->own != 0, OWN) | bin(out->back != 0, BACK) | bin(out->back == 3, BACK_TWO) | bin(dead > 2, BACK_MORE);
}

static uint64_t store_bins(const rf_wir_reuse *m, const rf_wir_reuse_in *in) {
    const uint64_t flags = m->guard.shared_q | m->guard.global_q;
    uint64_t barred = 0;
    for (uint32_t w = 0; w < m->cfg.warps; w++) barred |= (uint64_t)(in->bar >> in->block[w] & 1) << w;
    return bin(in->st_valid != 0, STORE) | bin((flags & barred & ~in->fence & ~in->launch) != 0, CLEAR_BAR) |
           bin((flags & in->fence & ~barred & ~in->launch) != 0, CLEAR_FENCE) |
           bin((flags & in->launch & ~barred & ~in->fence) != 0, CLEAR_LAUNCH);
}

static uint64_t bins(const rf_wir_reuse *m, const rf_wir_reuse_in *in, const rf_wir_reuse_out *out) {
    uint64_t seen = removal_bins(m, in, out) | fill_bins(m, in) | count_bins(m, in, out) | store_bins(m, in);
    for (uint32_t g = 0; g < m->cfg.issues; g++) seen |= lane_bins(m, in, out, g);
    return seen;
}

#define SMALL "WARPS=3 BLOCKS=2 ENTRIES=4 ISSUES=2 SLOTS=2 PREGS=13 COUNTW=4"

static void unreachable(const rf_wir_reuse_cfg *cfg, ls_unreachable *to) {
    const uint32_t ports = cfg->issues * (cfg->slots + 3);
    ls_unreachable_if(to, cfg->issues == 1, HITS, "one issue group");
    ls_unreachable_if(to, cfg->issues == 1, RESERVE_TWICE, "one issue group");
    ls_unreachable_if(to, cfg->issues == 1, FILL_TWICE, "one issue group");
    ls_unreachable_if(to, cfg->issues == 1, FILLS, "one issue group");
    ls_unreachable_if(to, cfg->entries == 1, FILLS, "one entry");
    ls_unreachable_if(to, cfg->entries == 1, RANDOM_LEAD, "one entry");
    ls_unreachable_if(to, cfg->entries == 1, SWEEP_LOW, "one entry");
    ls_unreachable_if(to, rf_lowest(cfg->entries) >= rf_index_bits(cfg->blocks) + 1, OTHER_BLOCK,
                      "another block's load has another index");
    ls_unreachable_if(to, cfg->entries >= 32, OTHER_BARRIER, "a load with another count has another index");
    ls_unreachable_if(to, !fills_up(cfg), FULL, "fewer names than the count holds");
    ls_unreachable_if(to, !fills_up(cfg), FULL_DOWN, "fewer names than the count holds");
    ls_unreachable_if(to, cfg->pregs <= 2, BACK_MORE, "too few registers");
    ls_unreachable_if(to, ports <= 2, BACK_MORE, "too few ports");
}

static const ls_fault faults[] = {
    {"random numbers begin elsewhere", NULL, "SEED(rf_wir_pkg::SEED)", "SEED(1)", "u_lfsr.value_q", SMALL},
    {"random numbers stand still but in low mode", NULL, ".step_i(1'b1)", ".step_i(low_i)", "u_lfsr.value_q", SMALL},
    {"the guard looks at who stores", NULL, ".q_warp_i(lane_warp_i)", ".q_warp_i(st_warp_i)", "allow", SMALL},
    {"loads from scratchpad are let by as constant ones", NULL, ".q_space_i(lane_space_i)",
     ".q_space_i(lane_space_i & ~(lane_space_i << 1))", "allow", SMALL},
    {"all stores are to global memory", NULL, ".st_shared_i(st_shared_i)", ".st_shared_i('0 & st_shared_i)", "u_guard.shared_q",
     SMALL},
    {"the last group's stores are not seen", NULL, ".st_valid_i(st_valid_i)", ".st_valid_i({1'b0, st_valid_i[ISSUES-2:0]})",
     "u_guard.shared_q", SMALL},
    {"a barrier is not seen", NULL, ".bar_i(bar_i)", ".bar_i('0 & bar_i)", "u_guard.global_q", SMALL},
    {"a new warp keeps the flags of the old one", NULL, ".launch_i(launch_i)", ".launch_i('0 & launch_i)", "u_guard.shared_q",
     SMALL},
    {"a fence is not seen", NULL, ".fence_i(fence_i)", ".fence_i(launch_i)", "u_guard.shared_q", SMALL},
    {"a kernel's start removes nothing", NULL, ".flush_i(flush_i)", ".flush_i(1'b0 && flush_i)", "u_guard.flush_q", SMALL},
    {"a block's start removes nothing", NULL, ".start_i(start_i)", ".start_i('0 & start_i)", "u_guard.sweep_q", SMALL},
    {"a sweep passes entries that it cannot remove", NULL, ".sweep_ready_i(remove_ready)", ".sweep_ready_i(1'b1 || remove_ready)",
     "u_guard.index_q", SMALL},
    {"an instruction that may not look up finds nothing", NULL, ".lk_valid_i(lk_valid_i)", ".lk_valid_i(lk_valid_i & allow_o)",
     "info", SMALL},
    {"the block is not in the tag", NULL, ".lk_block_i(tag_block)", ".lk_block_i('0 & tag_block)", "info", SMALL},
    {"the barrier count is not in the tag", NULL, ".lk_barrier_i(tag_barrier)", ".lk_barrier_i('0 & tag_barrier)", "reserved",
     SMALL},
    {"entries are reserved in low mode", NULL, "leads_i & {ISSUES{!low_i}}", "leads_i", "reserved", SMALL},
    {"entries are dropped in low mode by lookups", NULL, "leads_i & {ISSUES{low_i}}", "lk_valid_i & {ISSUES{low_i}}",
     "u_guard.index_q", SMALL},
    {"a leader keeps another's result in low mode", NULL, "leads_i & {ISSUES{low_i}}", "'0 & {ISSUES{low_i}}", "u_buffer.valid_q",
     SMALL},
    {"a block's sweep removes all", NULL, "!sweep_valid || sweep_all", "1'b1 || sweep_all", "u_buffer.valid_q", SMALL},
    {"nothing is removed at random but of the block swept last", NULL, "!sweep_valid || sweep_all", "sweep_all",
     "u_buffer.valid_q", SMALL},
    {"a sweep is of block 0", NULL, ".rm_block_i(sweep_block)", ".rm_block_i('0 & sweep_block)", "u_buffer.valid_q", SMALL},
    {"no entry is removed at random", NULL, "sweep_valid || (low_i &&", "sweep_valid || (1'b0 && low_i &&", "u_buffer.valid_q",
     SMALL},
    {"entries are removed at random always", NULL, "(low_i && (lk_valid_i", "((lk_valid_i", "u_buffer.valid_q", SMALL},
    {"a random removal waits for all that leaves", NULL, "(lk_valid_i & leaves_i) == '0", "leaves_i == '0", "u_buffer.valid_q",
     SMALL},
    {"a random removal waits for all lookups", NULL, "(lk_valid_i & leaves_i) == '0", "lk_valid_i == '0", "u_buffer.valid_q",
     SMALL},
    {"a random removal waits for nothing", NULL, "(low_i && (lk_valid_i & leaves_i) == '0)", "low_i", "u_buffer.valid_q", SMALL},
    {"a sweep removes what the random number names", NULL, "sweep_valid ? sweep_index : ENTRY_W'",
     "1'b0 ? sweep_index : ENTRY_W'", "u_guard.gcount_q", SMALL},
    {"the upper half of the entries is not removed at random", NULL, "random_o & 16'(ENTRIES - 1)",
     "random_o & 16'(ENTRIES / 2 - 1)", "u_buffer.valid_q", SMALL},
    {"who leads is a leader though its entry is another's", NULL, "reserved_o[g], lane_back_i", "leads_i[g], lane_back_i", "info",
     SMALL},
    {"the old register is that of group 0", NULL, "lane_back_i[g*BACK_W +: BACK_W]}", "lane_back_i[BACK_W-1:0]}", "info", SMALL},
    {"a result fills an entry that it has not reserved", NULL, "done_i[g] && leader", "done_i[g]", "u_buffer.pending_q", SMALL},
    {"an entry is filled before its result retires", NULL, "done_i[g] && leader", "leader", "u_buffer.pending_q", SMALL},
    {"an entry gets group 0's register", NULL, ".fill_reg_i(done_reg_i)", ".fill_reg_i({ISSUES{done_reg_i[PREG_W-1:0]}})",
     "u_buffer.result_q", SMALL},
    {"a result for an abandoned entry is counted", NULL, "filled[g], lane_inc_i", "fill[g], lane_inc_i", "u_count.place_q",
     SMALL},
    {"the last operand is not counted", NULL, "lane_inc_i[g*SLOTS +: SLOTS]}", "1'b0, lane_inc_i[g*SLOTS +: SLOTS-1]}",
     "u_count.place_q", SMALL},
    {"allocation's second register is not counted", NULL, "{results_inc_i[g*2 +: 2], filled[g]",
     "{1'b0, results_inc_i[g*2], filled[g]", "u_count.place_q", SMALL},
    {"allocation's registers are exchanged with the result's", NULL,
     "{results_inc_reg_i[g*2*PREG_W +: 2*PREG_W], done_reg_i[g*PREG_W +: PREG_W]",
     "{done_reg_i[g*PREG_W +: PREG_W], results_inc_reg_i[g*2*PREG_W +: 2*PREG_W]", "u_count.place_q", SMALL},
    {"a mapping's end and allocation's are exchanged", NULL, "{lane_dec_i[g], results_dec_i[g],",
     "{results_dec_i[g], lane_dec_i[g],", "u_count.place_q", SMALL},
    {"every group looks at group 0's register", NULL, ".ask_reg_i(own_reg_i)", ".ask_reg_i({ISSUES{own_reg_i[PREG_W-1:0]}})",
     "own", SMALL},
    {"a mapping that ends is allocation's", NULL, "{lane_dec_reg_i[g*PREG_W +: PREG_W], results_dec_reg_i",
     "{results_dec_reg_i[g*PREG_W +: PREG_W], results_dec_reg_i", "u_count.reg_q", SMALL},
    {"what a removal frees is kept", NULL, "freed[g*FREED +: FREED]};", "freed[g*FREED +: FREED] & {FREED{!remove}}};",
     "u_count.delta_q", SMALL},
    {"an entry's result keeps its reference", NULL, "freed[g*FREED +: FREED]};", "1'b0, freed[g*FREED +: FREED-1]};",
     "u_count.place_q", SMALL},
    {0},
};
#undef SMALL

static const char *const sets[] = {"",
                                   "WARPS=3 BLOCKS=2 ENTRIES=4 ISSUES=2 SLOTS=2 PREGS=13 COUNTW=4",
                                   "WARPS=1 BLOCKS=1 ENTRIES=1 ISSUES=1 SLOTS=1 PREGS=2 COUNTW=2",
                                   "WARPS=9 BLOCKS=3 ENTRIES=16 ISSUES=3 SLOTS=4 PREGS=65 COUNTW=6",
                                   "WARPS=64 BLOCKS=16 ENTRIES=512 ISSUES=4 SLOTS=3 PREGS=1024 COUNTW=16",
                                   "WARPS=33 BLOCKS=5 ENTRIES=2 ISSUES=2 SLOTS=6 PREGS=100 COUNTW=8",
                                   "WARPS=6 BLOCKS=4 ENTRIES=8 ISSUES=1 SLOTS=5 PREGS=16 COUNTW=3",
                                   "WARPS=4 BLOCKS=1 ENTRIES=32 ISSUES=4 SLOTS=1 PREGS=40 COUNTW=5",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv",
                                  "rtl/common/rf_lfsr.sv",
                                  "rtl/wir/rf_wir_pkg.sv",
                                  "rtl/wir/rf_load_guard.sv",
                                  "rtl/wir/rf_refcount.sv",
                                  "rtl/wir/rf_reuse_buffer.sv",
                                  NULL};

#define LS_UNIT rf_wir_reuse
#define LS_GROUP "wir"
#define LS_BRIEF "reuse buffer, load guard and reference counts that all groups have"
#define LS_FIELDS "tb/wir/rf_wir_reuse.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
