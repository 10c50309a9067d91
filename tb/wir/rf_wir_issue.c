/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_wir_issue. The surroundings are played: a head stays until it issues, results retire
 * mostly of registers that are pending, instructions before the collectors and readers come and go and often name what their
 * warp's head writes. All of that with breaches of protocol now and then. */
#include "cmodel/wir/rf_wir_issue.h"

#include <string.h>

#include "harness/core/unit.h"
#include "tb/wir/env/rf_wir_carried.h"

/* Probabilities in 256ths, those of rare events in 4096ths; all but `illegal` are drawn anew in every phase. */
typedef struct rf_wir_issue_stim {
    ls_rng rng;
    uint32_t illegal;      /* each breach of protocol */
    uint32_t left;         /* cycles of the phase to come */
    uint32_t come;         /* a warp without a head gets one */
    uint32_t dst, sources; /* a head writes; density of its sources */
    uint32_t whole, idle;  /* it has all lanes; none */
    uint32_t store;        /* it stores */
    uint32_t take;         /* a lane takes what issues */
    uint32_t event;        /* a launch, an exit, in 4096ths */
    uint32_t walk;         /* a warp's mappings are being released */
    uint32_t at, load;     /* a place has an instruction; which loads */
    uint32_t foreign;      /* of any group's warp */
    uint32_t readers;      /* a reader has yet to read */
    uint32_t aim;          /* it, or a place, names what its warp's head writes */
    uint32_t renew;        /* place, reader or walk changes */
    uint32_t clear;        /* a port retires a result */
    uint32_t first, few;   /* warps of a group that take part, by number in the group */
    uint32_t base, pool;   /* registers named */
    uint64_t gone;         /* warps bits: issued in the cycle before */
} rf_wir_issue_stim;

static void draw_phase(rf_wir_issue_stim *s, const rf_wir_issue_cfg *cfg) {
    static const uint32_t shares[] = {0, 24, 96, 176, 240}, rates[] = {4, 24, 96, 256};
    const uint32_t group = cfg->warps / cfg->issues;
    ls_rng *const rng = &s->rng;
    s->left = 32 + ls_rng_below(rng, 256);
    s->come = rates[ls_rng_below(rng, 4)];
    s->dst = shares[1 + ls_rng_below(rng, 4)];
    s->sources = shares[ls_rng_below(rng, 5)];
    s->whole = shares[ls_rng_below(rng, 5)];
    s->idle = shares[ls_rng_below(rng, 3)];
    s->store = shares[ls_rng_below(rng, 4)];
    s->take = shares[1 + ls_rng_below(rng, 4)] + 16;
    s->event = ls_rng_chance(rng, 64) ? 0 : 16u << ls_rng_below(rng, 7);
    s->walk = shares[ls_rng_below(rng, 4)];
    s->at = shares[ls_rng_below(rng, 5)];
    s->load = shares[ls_rng_below(rng, 5)];
    s->readers = shares[ls_rng_below(rng, 5)];
    s->aim = shares[ls_rng_below(rng, 4)];
    s->renew = rates[ls_rng_below(rng, 4)];
    s->clear = shares[1 + ls_rng_below(rng, 4)];
    s->few = ls_rng_chance(rng, 96) ? group : 1 + ls_rng_below(rng, group < 4 ? group : 4);
    s->first = ls_rng_below(rng, group);
    s->pool = ls_rng_chance(rng, 96) ? cfg->regs : 1 + ls_rng_below(rng, 6);
    if (s->pool > cfg->regs) s->pool = cfg->regs;
    s->base = ls_rng_below(rng, cfg->regs - s->pool + 1);
    s->foreign = ls_rng_chance(rng, 48) ? 160 : 0;
}

static void stim_init(rf_wir_issue_stim *s, const rf_wir_issue *m, uint64_t seed) {
    *s = (rf_wir_issue_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->illegal = 2 + ls_rng_below(&s->rng, 22);
    draw_phase(s, &m->cfg);
}

static bool seldom(rf_wir_issue_stim *s, uint32_t rate) { return ls_rng_below(&s->rng, 4096) < rate; }

/* A warp of the group that takes part. */
static uint32_t draw_member(rf_wir_issue_stim *s, const rf_wir_issue_cfg *cfg, uint32_t g) {
    return (s->first + ls_rng_below(&s->rng, s->few)) % (cfg->warps / cfg->issues) * cfg->issues + g;
}

/* The same; now and then any number that the port can carry. */
static uint8_t draw_warp(rf_wir_issue_stim *s, const rf_wir_issue_cfg *cfg, uint32_t g) {
    if (ls_rng_chance(&s->rng, s->illegal)) return (uint8_t)ls_rng_value(&s->rng, rf_index_bits(cfg->warps));
    return (uint8_t)draw_member(s, cfg, g);
}

static uint8_t draw_reg(rf_wir_issue_stim *s, const rf_wir_issue_cfg *cfg) {
    const uint32_t codes = 1u << rf_index_bits(cfg->regs);
    if (ls_rng_chance(&s->rng, s->illegal)) { /* any number, or one of no register */
        if (codes == cfg->regs || ls_rng_chance(&s->rng, 128)) return (uint8_t)ls_rng_below(&s->rng, codes);
        return (uint8_t)(cfg->regs + ls_rng_below(&s->rng, codes - cfg->regs));
    }
    return (uint8_t)(s->base + ls_rng_below(&s->rng, s->pool));
}

/* What warp `w`'s head writes, or any register. */
static uint8_t draw_aimed(rf_wir_issue_stim *s, const rf_wir_issue_cfg *cfg, const rf_wir_issue_in *in, uint32_t w) {
    if (w < cfg->warps && ls_rng_chance(&s->rng, s->aim)) return in->ib_dst[w];
    return draw_reg(s, cfg);
}

static void set_bit(uint64_t *bits, uint32_t i, bool value) { *bits = (*bits & ~(UINT64_C(1) << i)) | (uint64_t)value << i; }

static void draw_head(rf_wir_issue_stim *s, const rf_wir_issue_cfg *cfg, rf_wir_issue_in *in, uint32_t w) {
    ls_rng *const rng = &s->rng;
    const uint32_t lanes = cfg->lanes, kind = ls_rng_below(rng, 32);
    RF_WIR_DRAW_CARRIED_HEAD(rng, in, w);
    in->ib_port[w] = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->exports));
    in->ib_mask[w] = (uint32_t)(ls_rng_chance(rng, s->whole) ? rf_mask64(lanes) : ls_rng_value(rng, lanes));
    if (kind == 0) in->ib_mask[w] = UINT32_C(1) << (lanes - 1);
    if (ls_rng_chance(rng, s->idle)) in->ib_mask[w] = 0;
    set_bit(&in->ib_dst_valid, w, ls_rng_chance(rng, s->dst));
    in->ib_dst[w] = draw_reg(s, cfg);
    in->ib_src_valid[w] = (uint8_t)ls_rng_bits(rng, cfg->slots, s->sources);
    set_bit(&in->ib_reuse, w, ls_rng_chance(rng, 128));
    in->ib_op[w] = (uint8_t)ls_rng_value(rng, 8 - cfg->slots);
    in->ib_space[w] = (uint8_t)ls_rng_below(rng, 4);
    set_bit(&in->ib_store, w, ls_rng_chance(rng, s->store));
    set_bit(&in->ib_store_shared, w, ls_rng_chance(rng, 128));
    for (uint32_t i = 0; i < cfg->slots; i++) {
        in->ib_src[w * cfg->slots + i] = draw_reg(s, cfg);
        in->ib_imm[w * cfg->slots + i] = (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->pregs));
    }
}

/* Heads that issued leave; warps that take part get new ones. */
static void draw_heads(rf_wir_issue_stim *s, const rf_wir_issue_cfg *cfg, rf_wir_issue_in *in) {
    uint64_t taking = 0;
    for (uint32_t g = 0; g < cfg->issues; g++)
        for (uint32_t i = 0; i < s->few; i++)
            taking |= UINT64_C(1) << ((s->first + i) % (cfg->warps / cfg->issues) * cfg->issues + g);
    in->ib_valid &= ~s->gone;
    if (ls_rng_chance(&s->rng, s->illegal)) in->ib_valid &= ls_rng_u64(&s->rng) | ls_rng_u64(&s->rng);
    for (uint64_t set = ls_rng_bits(&s->rng, cfg->warps, s->come) & taking & ~in->ib_valid; set != 0; set &= set - 1) {
        in->ib_valid |= set & (~set + 1);
        draw_head(s, cfg, in, rf_lowest(set));
    }
    if (ls_rng_chance(&s->rng, s->illegal)) draw_head(s, cfg, in, draw_member(s, cfg, ls_rng_below(&s->rng, cfg->issues)));
}

static void draw_place(rf_wir_issue_stim *s, const rf_wir_issue_cfg *cfg, rf_wir_issue_in *in, uint32_t g, uint32_t p) {
    const uint32_t of = ls_rng_chance(&s->rng, s->foreign) ? ls_rng_below(&s->rng, cfg->issues) : g;
    const uint32_t n = g * cfg->places + p, w = draw_warp(s, cfg, of), bit = UINT32_C(1) << p;
    in->at[n].warp = (uint8_t)w;
    in->at[n].src_valid = (uint8_t)ls_rng_bits(&s->rng, cfg->slots, ls_rng_chance(&s->rng, 128) ? s->sources : 160);
    for (uint32_t i = 0; i < cfg->slots; i++) in->at[n].src[i] = draw_aimed(s, cfg, in, w);
    in->at_valid[g] = ls_rng_chance(&s->rng, s->at) ? in->at_valid[g] | bit : in->at_valid[g] & ~bit;
    in->at[n].load = ls_rng_chance(&s->rng, s->load);
}

/* Instructions between issue and collectors, sources that collectors have yet to read, mappings that are released. */
static void draw_places(rf_wir_issue_stim *s, const rf_wir_issue_cfg *cfg, rf_wir_issue_in *in) {
    for (uint32_t g = 0; g < cfg->issues; g++) {
        for (uint64_t set = ls_rng_bits(&s->rng, cfg->places, s->renew); set != 0; set &= set - 1)
            draw_place(s, cfg, in, g, rf_lowest(set));
        if (ls_rng_chance(&s->rng, s->renew))
            set_bit(&in->walking[g], draw_member(s, cfg, g) / cfg->issues, ls_rng_chance(&s->rng, s->walk));
        if (ls_rng_chance(&s->rng, 8)) in->walking[g] = 0;
    }
    for (uint64_t set = ls_rng_bits(&s->rng, cfg->collectors * cfg->slots, s->renew); set != 0; set &= set - 1) {
        const uint32_t r = rf_lowest(set), w = draw_warp(s, cfg, ls_rng_below(&s->rng, cfg->issues));
        set_bit(&in->rdp, r, ls_rng_chance(&s->rng, s->readers));
        in->rdp_warp[r] = (uint8_t)w;
        in->rdp_reg[r] = draw_aimed(s, cfg, in, w);
    }
}

/* A pending register of warp `w`: the first at or after a random one. */
static bool find_pending(rf_wir_issue_stim *s, const rf_wir_issue *m, uint32_t w, uint8_t *reg) {
    const rf_bits256 *pending = &m->scoreboard.pending_q[w];
    const uint32_t from = s->base + ls_rng_below(&s->rng, s->pool);
    for (uint32_t k = 0; k < 5; k++) { /* the last round is the word begun with, below `from` */
        const uint32_t i = (from / 64 + k) % 4;
        const uint64_t word = k == 0 ? pending->w[i] & ~rf_mask64(from % 64) : pending->w[i];
        if (word == 0) continue;
        *reg = (uint8_t)(i * 64 + rf_lowest(word));
        return true;
    }
    return false;
}

/* Results retire, mostly of registers that are pending; now and then of what a head is about to write. */
static void draw_results(rf_wir_issue_stim *s, const rf_wir_issue *m, rf_wir_issue_in *in) {
    const rf_wir_issue_cfg *cfg = &m->cfg;
    const uint32_t ports = cfg->exports + cfg->issues;
    in->clr = (uint8_t)ls_rng_bits(&s->rng, ports, s->clear);
    for (uint32_t p = 0; p < ports; p++) {
        const uint32_t g = p < cfg->exports ? ls_rng_below(&s->rng, cfg->issues) : p - cfg->exports;
        in->clr_warp[p] = draw_warp(s, cfg, g);
        in->clr_reg[p] = draw_reg(s, cfg);
        const uint32_t w = in->clr_warp[p];
        if (w >= cfg->warps || ls_rng_chance(&s->rng, s->illegal)) continue;
        if (ls_rng_chance(&s->rng, s->illegal)) in->clr_reg[p] = in->ib_dst[w];
        else if (!find_pending(s, m, w, &in->clr_reg[p])) in->clr &= (uint8_t) ~(1u << p);
    }
}

static void stim(rf_wir_issue_stim *s, const rf_wir_issue *m, rf_wir_issue_in *in) {
    const rf_wir_issue_cfg *cfg = &m->cfg;
    if (s->left-- == 0) {
        draw_phase(s, cfg);
        if (ls_rng_chance(&s->rng, 128)) in->ib_valid = 0;
    }
    draw_heads(s, cfg, in);
    in->launch = seldom(s, s->event) ? UINT64_C(1) << draw_member(s, cfg, ls_rng_below(&s->rng, cfg->issues)) : 0;
    in->exit = seldom(s, s->event) ? UINT64_C(1) << draw_member(s, cfg, ls_rng_below(&s->rng, cfg->issues)) : 0;
    if (ls_rng_chance(&s->rng, s->illegal)) in->launch = ls_rng_value(&s->rng, cfg->warps);
    if (ls_rng_chance(&s->rng, s->illegal)) in->exit = ls_rng_value(&s->rng, cfg->warps);
    draw_places(s, cfg, in);
    draw_results(s, m, in);
    in->lane_ready = (uint8_t)ls_rng_bits(&s->rng, cfg->issues, s->take);
}

static void observe(rf_wir_issue_stim *s, const rf_wir_issue_in *in, const rf_wir_issue_out *out) {
    (void)in;
    s->gone = 0;
    for (uint32_t set = out->issue_valid; set != 0; set &= set - 1) s->gone |= UINT64_C(1) << out->issue_warp[rf_lowest(set)];
    if (ls_rng_chance(&s->rng, s->illegal)) s->gone &= ls_rng_u64(&s->rng); /* its head comes once more */
}

/* clang-format off */
#define BINS(X)                                                                                                                  \
    X(RAW, "a warp waits for a source alone")                                                                                    \
    X(WAW, "for its destination alone")                                                                                          \
    X(READ, "for a collector's read of what it writes alone")                                                                    \
    X(WAR, "for an instruction before the collectors that has yet to read it alone")                                             \
    X(ORDER, "for a load before its store alone")                                                                                \
    X(LAUNCHED, "because it is launched alone")                                                                                  \
    X(EXITED, "because it has ended alone")                                                                                      \
    X(WALKS, "for the release of its mappings alone")                                                                            \
    X(ISSUE, "an instruction issues")                                                                                            \
    X(SEVERAL, "several groups issue")                                                                                           \
    X(NONE_READY, "no warp is ready")                                                                                            \
    X(NOT_TAKEN, "a warp is chosen, its lane takes nothing")                                                                     \
    X(NOBODY, "a lane that takes one gets none")                                                                                 \
    X(TWO_KINDS, "a pending register, and an instruction before the collectors")                                                 \
    X(READ_TWICE, "a collector and an instruction before them have yet to read it")                                              \
    X(WAR_ORDER, "one instruction has yet to read what the head writes, and loads before its store")                             \
    X(WAIT_RELEASE, "a hazard and a release at once")                                                                            \
    X(STOPPED, "a release alone leaves a group without a ready warp")                                                            \
    X(RUNS_ON, "a warp that is launched, has ended or walks issues")                                                             \
    X(NO_PLACE, "a place without instruction names what a head writes")                                                          \
    X(NO_SRC, "a slot without source does")                                                                                      \
    X(OTHER_WARP, "an instruction of another warp does")                                                                         \
    X(NO_DST, "one names what its warp's head does not write")                                                                   \
    X(NO_LOAD, "a head stores behind an instruction of its warp that does not load")                                             \
    X(OTHER_LOAD, "a head stores, an instruction of another warp loads")                                                         \
    X(LAST_PLACE, "the last place alone holds a head back")                                                                      \
    X(OTHER_GROUP, "a place holds a head of another group back")                                                                 \
    X(ODD_PLACE, "an instruction of a warp that does not exist")                                                                 \
    X(ODD_READER, "a read of a warp that does not exist")                                                                        \
    X(ODD_REG, "a head waits for the read of a register that does not exist")                                                    \
    X(LAST_READER, "the last reader alone holds a head back")                                                                    \
    X(BARE_DST, "a head without lanes issues; it has a destination, which would have to wait")                                   \
    X(BARE_SRC, "it has a source that would have to wait")                                                                       \
    X(BARE_STORE, "it stores, which would have to wait")                                                                         \
    X(ONE_LANE, "a head with the highest lane alone issues")                                                                     \
    X(FIRST, "no warp is chosen: the head of the first one is shown")                                                            \
    X(FIRST_BARE, "and it has no lanes")                                                                                         \
    X(AGAIN, "the warp that issued last issues again, others are ready")                                                         \
    X(CHANGE, "another one issues, it is ready too")                                                                             \
    X(LATER, "another one issues, it is not ready")                                                                              \
    X(NOT_LOWEST, "not the lowest ready warp issues")                                                                            \
    X(WRAP, "a lower one than the last")                                                                                         \
    X(LAST_WARP, "the last warp issues")                                                                                         \
    X(NEXT_FETCH, "a warp of another fetch group than the last issues")                                                          \
    X(LAUNCH_LAST, "the warp that issued last is launched")                                                                      \
    X(LAUNCHES, "two warps of a group are launched")                                                                             \
    X(SET, "a destination is pending from now on")                                                                               \
    X(SET_NONE, "an instruction without destination issues")                                                                     \
    X(CLEARED, "a result of a port retires")                                                                                     \
    X(CLEARED_REUSE, "one by reuse")                                                                                             \
    X(CLEARED_SEVERAL, "several at once")                                                                                        \
    X(CLEARED_NOW, "a head waits for a result that retires")                                                                     \
    X(CLEARED_SET, "a result retires of the register that the instruction writes that issues")                                   \
    X(STRAY_CLEAR, "a result retires that was not pending")                                                                      \
    X(ODD_CLEAR, "one of a warp or register that does not exist")
/* clang-format on */

#define BIN_NAME(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

#define REASONS (WALKS + 1u) /* why a warp waits: the first bins, each alone */

static uint64_t bin(bool hit, uint32_t n) { return (uint64_t)hit << n; }

/* The warp of group g that issued last, by its number there, or the number of its warps when that is not known. */
static uint32_t issued_last(const rf_wir_issue *m, uint32_t g) {
    const uint32_t group = m->cfg.warps / m->cfg.issues;
    if (m->cfg.sched == 0) return m->gto[g].last_valid_q ? m->gto[g].last_q : group;
    const uint64_t above = m->cfg.sched == 1 ? m->lrr[g].rr.mask_q : m->groups[g].mask_q;
    return above != 0 ? rf_lowest(above) - 1 : group;
}

/* What the bins know of all warps. */
typedef struct view {
    uint32_t why[RF_WARPS_MAX];  /* bits: reasons to wait */
    uint32_t bare[RF_WARPS_MAX]; /* the same if a head without lanes had what it names */
    uint64_t writes, stores;     /* warps bits: with a lane */
    uint64_t seen;
} view;

static bool pending(const rf_wir_issue *m, uint32_t w, uint32_t reg) {
    return (m->scoreboard.pending_q[w].w[reg / 64] >> (reg % 64) & 1) != 0;
}

static void view_heads(view *v, const rf_wir_issue *m, const rf_wir_issue_in *in) {
    const rf_wir_issue_cfg *cfg = &m->cfg;
    for (uint32_t w = 0; w < cfg->warps; w++) {
        const uint32_t n = w / cfg->issues, lanes = in->ib_mask[w] != 0;
        const bool walks = in->walking[w % cfg->issues] >> n & 1, dst = in->ib_dst_valid >> w & 1;
        uint32_t raw = 0;
        for (uint32_t i = 0; i < cfg->slots; i++)
            raw |= (in->ib_src_valid[w] >> i & 1u) & (uint32_t)pending(m, w, in->ib_src[w * cfg->slots + i]);
        const uint32_t why = raw << RAW | (uint32_t)(dst && pending(m, w, in->ib_dst[w])) << WAW;
        const uint32_t release =
            (uint32_t)(in->launch >> w & 1) << LAUNCHED | (uint32_t)(in->exit >> w & 1) << EXITED | (uint32_t)walks << WALKS;
        v->why[w] = (lanes != 0 ? why : 0) | release;
        v->bare[w] = lanes == 0 ? why : 0;
    }
    v->writes = v->stores = 0;
    for (uint32_t w = 0; w < cfg->warps; w++) {
        const uint64_t bit = (uint64_t)(in->ib_mask[w] != 0) << w;
        v->writes |= in->ib_dst_valid & bit;
        v->stores |= in->ib_store & bit;
    }
}

static void view_place(view *v, const rf_wir_issue *m, const rf_wir_issue_in *in, uint32_t g, uint32_t p) {
    const rf_wir_issue_cfg *cfg = &m->cfg;
    const uint32_t n = g * cfg->places + p, w = in->at[n].warp;
    const bool valid = in->at_valid[g] >> p & 1, loads = in->at[n].load != 0;
    if (w >= cfg->warps) {
        v->seen |= bin(valid, ODD_PLACE);
        return;
    }
    const uint32_t next = w + 1 < cfg->warps ? w + 1 : 0;
    const bool writes = v->writes >> w & 1, stores = v->stores >> w & 1, bare = in->ib_mask[w] == 0;
    bool same = false, mute = false, other = false;
    for (uint32_t i = 0; i < cfg->slots; i++) {
        const uint32_t reg = in->at[n].src[i];
        const bool source = in->at[n].src_valid >> i & 1;
        same |= source && reg == in->ib_dst[w];
        mute |= !source && reg == in->ib_dst[w];
        other |= source && reg != in->ib_dst[w] && reg == in->ib_dst[next] && (v->writes >> next & 1);
    }
    const bool war = valid && writes && same, order = valid && loads && stores;
    v->why[w] |= (uint32_t)war << WAR | (uint32_t)order << ORDER;
    if (bare && valid) {
        v->bare[w] |= (uint32_t)(same && (in->ib_dst_valid >> w & 1)) << WAR;
        v->bare[w] |= (uint32_t)(loads && (in->ib_store >> w & 1)) << ORDER;
    }
    v->seen |= bin(!valid && writes && same, NO_PLACE) | bin(valid && writes && mute && !same, NO_SRC) |
               bin(valid && other && next != w, OTHER_WARP) | bin(valid && same && !writes, NO_DST) |
               bin(valid && stores && !loads, NO_LOAD) | bin(valid && loads && next != w && (v->stores >> next & 1), OTHER_LOAD) |
               bin(war && order, WAR_ORDER) | bin((war || order) && w % cfg->issues != g, OTHER_GROUP) |
               bin(war && in->ib_dst[w] >= cfg->regs, ODD_REG);
}

/* Why each warp waits; what the places and readers show. */
static void fill_view(view *v, const rf_wir_issue *m, const rf_wir_issue_in *in) {
    const rf_wir_issue_cfg *cfg = &m->cfg;
    const uint32_t readers = cfg->collectors * cfg->slots;
    v->seen = 0;
    view_heads(v, m, in);
    for (uint64_t set = in->rdp & rf_mask64(readers); set != 0; set &= set - 1) {
        const uint32_t r = rf_lowest(set), w = in->rdp_warp[r];
        if (w >= cfg->warps) {
            v->seen |= bin(true, ODD_READER);
            continue;
        }
        const bool same = in->rdp_reg[r] == in->ib_dst[w] && in->ib_dst[w] < cfg->regs, writes = v->writes >> w & 1;
        v->seen |= bin(r == readers - 1 && same && writes && v->why[w] == 0 && (in->ib_valid >> w & 1), LAST_READER);
        v->why[w] |= (uint32_t)(same && writes) << READ;
        if (in->ib_mask[w] == 0) v->bare[w] |= (uint32_t)(same && (in->ib_dst_valid >> w & 1)) << READ;
    }
    for (uint32_t g = 0; g < cfg->issues; g++)
        for (uint32_t p = 0; p < cfg->places; p++) {
            const uint32_t w = in->at[g * cfg->places + p].warp;
            const bool last = g == cfg->issues - 1 && p == cfg->places - 1 && w < cfg->warps;
            const bool free = last && v->why[w] == 0 && (in->ib_valid >> w & 1);
            view_place(v, m, in, g, p);
            v->seen |= bin(free && v->why[w] != 0, LAST_PLACE);
        }
}

static uint64_t group_bins(const view *v, const rf_wir_issue *m, const rf_wir_issue_in *in, const rf_wir_issue_out *out,
                           uint32_t g, uint64_t ready) {
    const rf_wir_issue_cfg *cfg = &m->cfg;
    const uint32_t group = cfg->warps / cfg->issues, last = issued_last(m, g), fetch = cfg->fetch;
    const uint32_t release = 1u << LAUNCHED | 1u << EXITED | 1u << WALKS;
    const bool issues = out->issue_valid >> g & 1, takes = in->lane_ready >> g & 1;
    uint32_t lowest = group, count = 0, held = 0, launches = 0;
    for (uint32_t i = group; i-- > 0;) {
        const uint32_t w = i * cfg->issues + g;
        launches += (in->launch >> w & 1) != 0;
        held += (in->ib_valid >> w & 1) != 0 && (v->why[w] & ~release) == 0;
        if ((ready >> w & 1) == 0) continue;
        lowest = i;
        count++;
    }
    uint64_t seen = bin(issues, ISSUE) | bin(count > 0 && !takes, NOT_TAKEN) | bin(count == 0 && takes, NOBODY) |
                    bin(launches > 1, LAUNCHES) | bin(last < group && (in->launch >> (last * cfg->issues + g) & 1), LAUNCH_LAST);
    if (cfg->reuse != 0) seen |= bin(count == 0 && held > 0, STOPPED);
    if (count == 0) seen |= bin(out->head[g].tag != 0, FIRST) | bin(out->head[g].tag != 0 && out->head[g].mask == 0, FIRST_BARE);
    if (!issues) return seen;
    const uint32_t w = out->issue_warp[g], i = w / cfg->issues, bare = v->bare[w];
    const bool dst = out->head[g].dst_valid != 0, there = last < group && (ready >> (last * cfg->issues + g) & 1);
    seen |= bin(v->why[w] != 0, RUNS_ON) | bin((bare & (1u << WAW | 1u << READ | 1u << WAR)) != 0, BARE_DST) |
            bin((bare & 1u << RAW) != 0, BARE_SRC) | bin((bare & 1u << ORDER) != 0, BARE_STORE) |
            bin(in->ib_mask[w] == UINT32_C(1) << (cfg->lanes - 1), ONE_LANE) | bin(dst, SET) | bin(!dst, SET_NONE) |
            bin(i == last && count > 1, AGAIN) | bin(last < group && i != last && there, CHANGE) |
            bin(last < group && i != last && !there, LATER) | bin(i != lowest, NOT_LOWEST) | bin(last < group && i < last, WRAP) |
            bin(w == cfg->warps - 1, LAST_WARP) | bin(cfg->sched == 2 && last < group && i / fetch != last / fetch, NEXT_FETCH);
    for (uint32_t p = 0; p < cfg->exports + cfg->issues; p++)
        seen |= bin(dst && (in->clr >> p & 1) && in->clr_warp[p] == w && in->clr_reg[p] == out->head[g].dst &&
                        out->head[g].dst < cfg->regs,
                    CLEARED_SET);
    return seen;
}

static uint64_t result_bins(const rf_wir_issue *m, const rf_wir_issue_in *in) {
    const rf_wir_issue_cfg *cfg = &m->cfg;
    uint64_t seen = bin((in->clr & (in->clr - 1)) != 0, CLEARED_SEVERAL);
    for (uint32_t set = in->clr; set != 0; set &= set - 1) {
        const uint32_t p = rf_lowest(set), w = in->clr_warp[p], reg = in->clr_reg[p];
        const bool exists = w < cfg->warps && reg < cfg->regs, was = exists && pending(m, w, reg);
        seen |= bin(was && p < cfg->exports, CLEARED) | bin(was && p >= cfg->exports, CLEARED_REUSE) |
                bin(exists && !was, STRAY_CLEAR) | bin(!exists, ODD_CLEAR);
        if (!was || (in->ib_valid >> w & 1) == 0 || in->ib_mask[w] == 0) continue;
        seen |= bin((in->ib_dst_valid >> w & 1) && in->ib_dst[w] == reg, CLEARED_NOW);
    }
    return seen;
}

static uint64_t bins(const rf_wir_issue *m, const rf_wir_issue_in *in, const rf_wir_issue_out *out) {
    const rf_wir_issue_cfg *cfg = &m->cfg;
    const uint32_t release = 1u << LAUNCHED | 1u << EXITED | 1u << WALKS, counts = cfg->reuse != 0 ? ~UINT32_C(0) : ~release;
    const uint32_t before = 1u << WAR | 1u << ORDER, board = 1u << RAW | 1u << WAW;
    uint64_t ready = 0;
    view v;
    fill_view(&v, m, in);
    for (uint32_t w = 0; w < cfg->warps; w++) {
        const uint32_t why = v.why[w] & counts;
        if ((in->ib_valid >> w & 1) == 0) continue;
        ready |= (uint64_t)(why == 0) << w;
        if ((why & (why - 1)) == 0) v.seen |= why;
        v.seen |= bin((why & before) != 0 && (why & board) != 0, TWO_KINDS) |
                  bin((why >> READ & why >> WAR & 1) != 0, READ_TWICE) |
                  bin((why & release) != 0 && (why & ~release) != 0, WAIT_RELEASE);
    }
    v.seen |= bin(ready == 0, NONE_READY) | bin((out->issue_valid & (out->issue_valid - 1)) != 0, SEVERAL);
    for (uint32_t g = 0; g < cfg->issues; g++) v.seen |= group_bins(&v, m, in, out, g, ready);
    return v.seen | result_bins(m, in);
}
_Static_assert(REASONS <= 32, "reasons are bits of a uint32_t, and of the bins");

#define SMALL "WARPS=6 COLLECTORS=2 REGS=5 LANES=2 SLOTS=2 EXPORTS=2 PREGS=13 PLACES=3"
#define TURNS SMALL " SCHED=1"
#define FETCHED "WARPS=12 COLLECTORS=2 REGS=5 LANES=2 SLOTS=2 EXPORTS=2 ISSUES=1 PREGS=13 PLACES=3 SCHED=2 FETCH=3"
#define PLAIN "WARPS=6 COLLECTORS=2 REGS=5 LANES=2 SLOTS=2 EXPORTS=2 PREGS=13 PLACES=2 REUSE=0"

static void unreachable(const rf_wir_issue_cfg *cfg, ls_unreachable *to) {
    const uint32_t group = cfg->warps / cfg->issues;
    const bool warps = cfg->warps == UINT32_C(1) << rf_index_bits(cfg->warps),
               regs = cfg->regs == UINT32_C(1) << rf_index_bits(cfg->regs);
    ls_unreachable_if(to, cfg->reuse == 0, LAUNCHED, "no reuse: nothing is released");
    ls_unreachable_if(to, cfg->reuse == 0, EXITED, "no reuse: nothing is released");
    ls_unreachable_if(to, cfg->reuse == 0, WALKS, "no reuse: nothing is released");
    ls_unreachable_if(to, cfg->reuse == 0, WAIT_RELEASE, "no reuse: nothing is released");
    ls_unreachable_if(to, cfg->reuse == 0, STOPPED, "no reuse: nothing is released");
    ls_unreachable_if(to, cfg->reuse != 0, RUNS_ON, "a warp waits for its release");
    ls_unreachable_if(to, cfg->issues == 1, SEVERAL, "one issue group");
    ls_unreachable_if(to, cfg->issues == 1, OTHER_GROUP, "one issue group");
    ls_unreachable_if(to, cfg->warps == 1, OTHER_WARP, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, OTHER_LOAD, "one warp");
    ls_unreachable_if(to, warps, ODD_PLACE, "the warps fill the port: it names no other");
    ls_unreachable_if(to, warps, ODD_READER, "the warps fill the port: it names no other");
    ls_unreachable_if(to, regs, ODD_REG, "the registers fill the port: it names no other");
    ls_unreachable_if(to, warps && regs, ODD_CLEAR, "warps and registers fill the ports: they name no other");
    ls_unreachable_if(to, group == 1, AGAIN, "one warp in a group");
    ls_unreachable_if(to, group == 1, CHANGE, "one warp in a group");
    ls_unreachable_if(to, group == 1, LATER, "one warp in a group");
    ls_unreachable_if(to, group == 1, NOT_LOWEST, "one warp in a group");
    ls_unreachable_if(to, group == 1, WRAP, "one warp in a group");
    ls_unreachable_if(to, group == 1, LAUNCHES, "one warp in a group");
    ls_unreachable_if(to, cfg->sched != 0 && group == 1, LAUNCH_LAST, "one warp in a group: the pointer says nothing");
    ls_unreachable_if(to, cfg->sched == 0 || (cfg->sched == 2 && cfg->fetch == 1), CHANGE, "greedy");
    ls_unreachable_if(to, cfg->sched == 1 || (cfg->sched == 2 && cfg->fetch >= group), AGAIN, "in turn");
    ls_unreachable_if(to, cfg->sched != 2 || cfg->fetch >= group, NEXT_FETCH, "no fetch groups");
}

static const ls_fault faults[] = {
    {"a head without lanes has a destination", NULL, "ib_dst_valid_i[w] && active[w]", "ib_dst_valid_i[w]", "head.dst_valid",
     SMALL},
    {"a head without lanes has sources", NULL, "ib_src_valid_i[w*SLOTS +: SLOTS] & {SLOTS{active[w]}}",
     "ib_src_valid_i[w*SLOTS +: SLOTS]", "head.src_valid", SMALL},
    {"a head without lanes waits for loads before its store", NULL, "ib_store_i[w] && active[w]", "ib_store_i[w]", "head.warp",
     SMALL},
    {"a head without lanes is a store", NULL, "ib_store_i[head.common.warp] && head.mask != '0", "ib_store_i[head.common.warp]",
     "head.store", SMALL},
    {"pending registers are not waited for", NULL, "~(hazard | overtaken | releasing)", "~(overtaken | releasing)", "issue_valid",
     SMALL},
    {"reads before the collectors are overtaken", NULL, "~(hazard | overtaken | releasing)", "~(hazard | releasing)",
     "issue_valid", SMALL},
    {"a warp issues though its mappings are to be released", NULL, "~(hazard | overtaken | releasing)", "~(hazard | overtaken)",
     "issue_valid", SMALL},
    {"reads of the collectors are overtaken", NULL, ".rdp_i(rdp_i)", ".rdp_i('0 & rdp_i)", "head.warp", SMALL},
    {"a head is made up", NULL, "ib_valid_i & ~(", "~(", "issue_valid", SMALL},
    {"D-war for slots without source", NULL, "(same & at_src_valid[p*SLOTS +: SLOTS]) != '0", "same != '0", "issue_warp", SMALL},
    {"D-war for a head without destination", NULL, "writes_of[warp] && (same", "(same", "head.warp", SMALL},
    {"D-war for places without instruction", NULL, "at_valid_i[p] && ((", "((", "issue_valid", SMALL},
    {"D-war does not look at the last source", NULL, "assign same[s] =", "assign same[s] = s + 1 < SLOTS &&", "head.warp", SMALL},
    {"D-war for sources of the place before", NULL, "at_src[p*SRC_W + s*REG_W +: REG_W] == dst_of",
     "at_src[(p > 0 ? p - 1 : p)*SRC_W + s*REG_W +: REG_W] == dst_of", "head.warp", SMALL},
    {"a place is of its group's first one's warp", NULL, "assign warp = at_warp[p*WARP_W +: WARP_W]",
     "assign warp = at_warp[(p/PLACES)*PLACES*WARP_W +: WARP_W]", "issue_warp", SMALL},
    {"D-order for all instructions", NULL, "at_load[p] && stores_of[warp]", "stores_of[warp]", "issue_warp", SMALL},
    {"no D-order", NULL, "at_load[p] && stores_of[warp]", "1'b0 && at_load[p] && stores_of[warp]", "issue_valid", SMALL},
    {"the last place is not looked at", NULL, "p < ISSUES * PLACES; p++) overtaken", "p + 1 < ISSUES * PLACES; p++) overtaken",
     "head.warp", SMALL},
    {"a launch or exit does not hold its warp in its cycle", NULL, "clear_o[g*GROUP + i] || walking_i[g*GROUP + i]",
     "walking_i[g*GROUP + i]", "issue_valid", SMALL},
    {"a warp issues while its mappings are released", NULL, "clear_o[g*GROUP + i] || walking_i[g*GROUP + i]",
     "clear_o[g*GROUP + i]", "issue_valid", SMALL},
    {"a release holds the same number of group 0", NULL, "clear_o[g*GROUP + i] || walking_i[g*GROUP + i]",
     "clear_o[g*GROUP + i] || walking_i[i]", "head.warp", SMALL},
    {"an exit clears nothing", NULL, "launch_i[g + i*ISSUES] || exit_i[g + i*ISSUES]", "launch_i[g + i*ISSUES]", "issue_warp",
     SMALL},
    {"a launch clears nothing", NULL, "launch_i[g + i*ISSUES] || exit_i[g + i*ISSUES]", "exit_i[g + i*ISSUES]", "clear", SMALL},
    {"a launch makes no warp the youngest", NULL, "group_launch[i] = launch_i[g + i*ISSUES]",
     "group_launch[i] = 1'b0 && launch_i[g + i*ISSUES]", "gen_issue[0].gen_gto.u_sched.last_valid_q", SMALL},
    {"an exit makes a warp the youngest", NULL, "group_launch[i] = launch_i[g + i*ISSUES]",
     "group_launch[i] = launch_i[g + i*ISSUES] || exit_i[g + i*ISSUES]", "gen_issue[0].gen_gto.u_sched.older_q", SMALL},
    {"groups are ranges of warps", NULL, "WARP_W'(local_warp) * WARP_W'(ISSUES) + WARP_W'(g)",
     "WARP_W'(local_warp) + WARP_W'(g * GROUP)", "head.warp", SMALL},
    {"a warp issues though its lane takes nothing", NULL, "chosen && lane_ready_i[g]", "chosen", "issue_valid", SMALL},
    {"all groups look at the first lane", NULL, "chosen && lane_ready_i[g]", "chosen && lane_ready_i[0]", "issue_valid", SMALL},
    {"a warp is named that does not issue", NULL, "issue_valid_o[g] ? warp : '0", "warp", "issue_warp", SMALL},
    {"a destination is pending though its instruction has not issued", NULL, "issue_valid_o & head_dst_valid", "head_dst_valid",
     "u_scoreboard.pending_q", SMALL},
    {"a register is pending without a destination", NULL, "issue_valid_o & head_dst_valid", "issue_valid_o",
     "u_scoreboard.pending_q", SMALL},
    {"what retires by reuse stays pending", NULL, ".clr_i(clr_i)", ".clr_i(WRITERS'(clr_i[EXPORTS-1:0]))",
     "u_scoreboard.pending_q", SMALL},
    {"a result clears the register of port 0", NULL, ".clr_reg_i(clr_reg_i)", ".clr_reg_i({WRITERS{clr_reg_i[REG_W-1:0]}})",
     "u_scoreboard.pending_q", SMALL},
    {"the function is that of the group's first warp", NULL, "ib_op_i[head.common.warp*OP_W +: OP_W]", "ib_op_i[g*OP_W +: OP_W]",
     "head.op", SMALL},
    {"operands of a tag are all the first", NULL, "ib_imm_i[head.common.warp*IMM_W +: IMM_W]",
     "{SLOTS{ib_imm_i[head.common.warp*IMM_W +: PREG_W]}}", "head.imm", SMALL},
    {"scratchpad loads are constant loads", NULL, "ib_space_i[head.common.warp*2 +: 2]",
     "{ib_space_i[head.common.warp*2 + 1], 1'b1}", "head.space", SMALL},
    {"stores may not be reused", NULL, "ib_reuse_i[head.common.warp]",
     "ib_reuse_i[head.common.warp] && !ib_store_i[head.common.warp]", "head.reuse", SMALL},
    {"only a store is to scratchpad", NULL, "ib_store_shared_i[head.common.warp]",
     "ib_store_shared_i[head.common.warp] && ib_store_i[head.common.warp]", "head.store_shared", SMALL},
    {"which sources are valid is said of the group's first warp", NULL, "src_valid[head.common.warp*SLOTS +: SLOTS]",
     "src_valid[g*SLOTS +: SLOTS]", "head.src_valid", SMALL},
    {"the turn passes without an issue", NULL,
     "rf_sched_lrr #(.WARPS(GROUP)) u_sched (\n        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), "
     ".launch_i(group_launch), .take_i(issue_valid_o[g])",
     "rf_sched_lrr #(.WARPS(GROUP)) u_sched (\n        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), "
     ".launch_i(group_launch), .take_i(chosen)",
     "gen_issue[0].gen_lrr.u_sched.u_rr.mask_q", TURNS},
    {"fetch groups have one warp more", NULL, ".FETCH(FETCH)", ".FETCH(FETCH + 1)", "gen_issue[0].gen_groups.u_sched.group_q",
     FETCHED},
    {"REUSE 0: launch and exit hold warps", NULL, "REUSE != 0 && (clear_o", "(clear_o", "issue_valid", PLAIN},
    {0},
};
#undef SMALL
#undef TURNS
#undef FETCHED
#undef PLAIN

static const char *const sets[] = {
    "",
    "WARPS=6 COLLECTORS=2 REGS=5 LANES=2 SLOTS=2 EXPORTS=2 PREGS=13 PLACES=3",
    "WARPS=1 COLLECTORS=1 REGS=1 LANES=1 SLOTS=1 EXPORTS=1 ISSUES=1 PREGS=2 PLACES=2",
    "WARPS=9 COLLECTORS=3 REGS=7 LANES=5 SLOTS=3 EXPORTS=3 ISSUES=3 SCHED=1 PREGS=40 PLACES=7",
    "WARPS=9 COLLECTORS=2 REGS=5 LANES=2 SLOTS=2 EXPORTS=3 ISSUES=3 PREGS=40 PLACES=3",
    "WARPS=20 COLLECTORS=5 REGS=33 LANES=4 SLOTS=4 EXPORTS=4 ISSUES=4 SCHED=2 FETCH=2 PREGS=100 PLACES=18",
    "WARPS=64 COLLECTORS=10 REGS=256 LANES=32 SLOTS=6 EXPORTS=4 ISSUES=4 SCHED=0 PLACES=6",
    "WARPS=7 COLLECTORS=4 REGS=8 LANES=3 SLOTS=2 EXPORTS=7 ISSUES=1 SCHED=2 FETCH=3 PREGS=512 PLACES=2 REUSE=0",
    "WARPS=4 COLLECTORS=15 REGS=6 LANES=1 SLOTS=1 EXPORTS=4 ISSUES=4 SCHED=1 PREGS=2 PLACES=5",
    NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv",          "rtl/common/rf_rr.sv",         "rtl/banked/rf_banked_pkg.sv",
                                  "rtl/wir/rf_wir_pkg.sv",         "rtl/banked/rf_sched_gto.sv",  "rtl/banked/rf_sched_lrr.sv",
                                  "rtl/banked/rf_sched_groups.sv", "rtl/banked/rf_scoreboard.sv", NULL};

#define LS_UNIT rf_wir_issue
#define LS_GROUP "wir"
#define LS_BRIEF "issue: who must wait, whom each group chooses, and what that warp's head is"
#define LS_FIELDS "tb/wir/rf_wir_issue.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
