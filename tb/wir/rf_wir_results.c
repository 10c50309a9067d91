/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_wir_results. The surroundings are played: few values, of which pairs have one hash;
 * verifiers that share or need a register some time after their head has left; registers that come back some time after they were
 * given out; all of that with breaches of protocol now and then. */
#include "cmodel/wir/rf_wir_results.h"

#include <string.h>

#include "harness/core/unit.h"
#include "tb/wir/env/rf_h3_collide.h"

#define VALUES 12u /* that results have: half of them have the hash of another */

/* What a verifier is doing. */
typedef enum place { PLACE_IDLE, PLACE_VERIFY, PLACE_MERGE, PLACE_NEED } place;

/* Probabilities in 256ths; drawn anew in every phase. */
typedef struct knobs {
    uint32_t come;    /* a port offers a result */
    uint32_t pop;     /* a head leaves */
    uint32_t whole;   /* a result has all lanes */
    uint32_t mapped;  /* its register has a mapping */
    uint32_t pinned;  /* that is pinned */
    uint32_t values;  /* in use, 1 .. VALUES */
    uint32_t fresh;   /* it has a value of its own */
    uint32_t end;     /* a verifier ends */
    uint32_t collide; /* and needs a register */
    uint32_t back;    /* a register comes back */
    uint32_t stale;   /* what a verify-read fetches is any value */
    uint32_t left;    /* cycles of the phase to come */
    uint32_t limit;
} knobs;

typedef struct rf_wir_results_stim {
    ls_rng rng;
    knobs knobs;
    bool flooded;     /* the phase before used registers up */
    uint32_t illegal; /* probability of each breach, in 256ths */
    rf_h3_collider collider;
    rf_vec value[VALUES];
    rf_vec held[RF_PREGS_MAX];   /* per register: what was written to it last */
    uint16_t used[RF_PREGS_MAX]; /* registers given out */
    uint32_t used_count;
    uint32_t head, accepted; /* exports bits: of the cycle before */
    place place[RF_ISSUES_MAX * RF_VERIFIERS_MAX];
    uint16_t cand[RF_ISSUES_MAX * RF_VERIFIERS_MAX];
} rf_wir_results_stim;

static void stim_init(rf_wir_results_stim *s, const rf_wir_results *m, uint64_t seed) {
    const uint32_t lanes = m->cfg.lanes;
    memset(s, 0, sizeof *s);
    ls_rng_seed(&s->rng, seed);
    s->illegal = ls_rng_chance(&s->rng, 96) ? 0 : 1 + ls_rng_below(&s->rng, 12);
    rf_h3_collider_init(&s->collider, lanes, &s->rng);
    for (uint32_t i = 0; i < VALUES; i += 2) {
        const uint32_t first = ls_rng_below(&s->rng, 1000), stride = ls_rng_below(&s->rng, 3);
        for (uint32_t l = 0; l < lanes; l++) s->value[i].lane[l] = first + stride * l;
        (void)rf_h3_collide(&s->collider, &s->rng, &s->value[i], &s->value[i + 1]);
    }
}

static void next_phase(rf_wir_results_stim *s, const rf_wir_results_cfg *cfg) {
    static const uint32_t rates[] = {8, 64, 160, 256}, shares[] = {0, 48, 128, 224};
    knobs *k = &s->knobs;
    ls_rng *rng = &s->rng;
    k->left = 64 + ls_rng_below(rng, 400);
    k->come = rates[1 + ls_rng_below(rng, 3)];
    k->pop = rates[ls_rng_below(rng, 4)];
    k->whole = shares[1 + ls_rng_below(rng, 3)] + 32;
    k->mapped = shares[1 + ls_rng_below(rng, 3)];
    k->pinned = shares[ls_rng_below(rng, 4)];
    k->values = 1 + ls_rng_below(rng, VALUES);
    k->fresh = shares[ls_rng_below(rng, 4)];
    k->end = rates[ls_rng_below(rng, 4)];
    k->collide = shares[ls_rng_below(rng, 4)];
    k->back = rates[ls_rng_below(rng, 4)];
    k->stale = shares[ls_rng_below(rng, 3)];
    k->limit = ls_rng_chance(rng, 128) ? cfg->pregs : ls_rng_below(rng, cfg->pregs + 1);
    const bool flood = !s->flooded && ls_rng_chance(rng, 64);
    if (flood) { /* registers run out ... */
        k->left = cfg->pregs + 64;
        k->come = k->pop = k->whole = 256;
        k->fresh = 240;
    }
    if (flood || s->flooded) k->back = 4;
    if (s->flooded) { /* ... and results come that need none */
        k->come = k->pop = k->end = 256;
        k->values = 1 + k->values / 6; /* again and again */
        k->left += 400;
        k->fresh = 4;
        k->mapped = k->pinned = 160;
        k->stale = 0;
    }
    s->flooded = flood;
}

static uint16_t any_reg(rf_wir_results_stim *s, const rf_wir_results_cfg *cfg) {
    if (s->used_count > 0 && !ls_rng_chance(&s->rng, 16)) return s->used[ls_rng_below(&s->rng, s->used_count)];
    return (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
}

static void draw_result(rf_wir_results_stim *s, const rf_wir_results_cfg *cfg, rf_wir_results_in *in, uint32_t e) {
    const knobs *k = &s->knobs;
    const uint32_t all = (uint32_t)rf_mask64(cfg->lanes), pregs = rf_index_bits(cfg->pregs);
    const bool mapped = ls_rng_chance(&s->rng, k->mapped), pinned = ls_rng_chance(&s->rng, k->pinned);
    in->res_warp[e] = (uint8_t)(ls_rng_chance(&s->rng, 8) ? (uint32_t)ls_rng_value(&s->rng, rf_index_bits(cfg->warps))
                                                          : ls_rng_below(&s->rng, cfg->warps));
    in->res_dst[e] = (uint8_t)ls_rng_value(&s->rng, rf_index_bits(cfg->regs));
    in->res_mask[e] = ls_rng_chance(&s->rng, k->whole) ? all : (uint32_t)ls_rng_value(&s->rng, cfg->lanes);
    in->res_info[e] = (ls_rng_value(&s->rng, cfg->infow) & ~rf_mask64(pregs + 2)) | (uint64_t)any_reg(s, cfg) << 2 |
                      (uint64_t)mapped << 1 | (uint64_t)pinned;
    in->res_data[e] = s->value[ls_rng_below(&s->rng, k->values)];
    if (ls_rng_chance(&s->rng, k->fresh)) ls_rng_lanes(&s->rng, in->res_data[e].lane, cfg->lanes);
}

/* Heads that leave. One that goes to a verifier only when there is one of its group; what is written is remembered. */
static void draw_pops(rf_wir_results_stim *s, const rf_wir_results *m, rf_wir_results_in *in) {
    const rf_wir_results_cfg *cfg = &m->cfg;
    in->pop = 0;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_result_queue *q = &m->queue[e];
        const uint32_t at = q->ctrl.rd_ptr_q, op = q->op_q[at], g = q->warp_q[at] % cfg->issues;
        if (ls_rng_chance(&s->rng, s->illegal)) in->pop |= (uint8_t)(1u << e);
        if (q->ctrl.level_q == 0 || !ls_rng_chance(&s->rng, s->knobs.pop)) continue;
        if (cfg->reuse != 0 && (op == RF_RESULT_VERIFY || op == RF_RESULT_MERGE)) {
            uint32_t v = 0;
            while (v < cfg->verifiers && s->place[g * cfg->verifiers + v] != PLACE_IDLE) v++;
            if (v == cfg->verifiers) continue;
            s->place[g * cfg->verifiers + v] = op == RF_RESULT_VERIFY ? PLACE_VERIFY : PLACE_MERGE;
            s->cand[g * cfg->verifiers + v] = q->cand_q[at];
        }
        if (op == RF_RESULT_WRITE || op == RF_RESULT_MERGE) s->held[q->preg_q[at]] = q->data_q[at];
        in->pop |= (uint8_t)(1u << e);
    }
}

/* Verifiers: a verify-read fetches what the register holds, and then shares it or needs one of its own. */
static void draw_verifiers(rf_wir_results_stim *s, const rf_wir_results_cfg *cfg, rf_wir_results_in *in) {
    in->need = 0;
    in->shared = in->fill = 0;
    for (uint32_t n = 0; n < cfg->issues * cfg->verifiers; n++) {
        const uint32_t g = n / cfg->verifiers;
        const bool ends = ls_rng_chance(&s->rng, s->knobs.end);
        if (s->place[n] == PLACE_MERGE && ends) s->place[n] = PLACE_IDLE;
        if (s->place[n] == PLACE_VERIFY && ends && (in->fill >> g & 1) == 0) {
            in->fill |= (uint8_t)(1u << g);
            in->fill_reg[g] = s->cand[n];
            in->fill_data[g] =
                ls_rng_chance(&s->rng, s->knobs.stale) ? s->value[ls_rng_below(&s->rng, VALUES)] : s->held[s->cand[n]];
            s->place[n] = ls_rng_chance(&s->rng, s->knobs.collide) ? PLACE_NEED : PLACE_IDLE;
            in->shared |= (uint8_t)((uint32_t)(s->place[n] == PLACE_IDLE) << g);
        } else if (s->place[n] == PLACE_NEED) {
            in->need |= (uint16_t)(1u << n);
        }
        if (ls_rng_chance(&s->rng, s->illegal)) in->need ^= (uint16_t)(1u << n);
        in->cand[n] = ls_rng_chance(&s->rng, 8) ? any_reg(s, cfg) : s->cand[n];
    }
    if (ls_rng_chance(&s->rng, s->illegal)) in->shared = (uint8_t)ls_rng_value(&s->rng, cfg->issues);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        if (ls_rng_chance(&s->rng, 8) && (in->fill >> g & 1) == 0) ls_rng_lanes(&s->rng, in->fill_data[g].lane, cfg->lanes);
        if (!ls_rng_chance(&s->rng, s->illegal)) continue;
        in->fill |= (uint8_t)(1u << g);
        in->fill_reg[g] = any_reg(s, cfg);
    }
}

static void draw_back(rf_wir_results_stim *s, const rf_wir_results_cfg *cfg, rf_wir_results_in *in) {
    in->back = 0;
    for (uint32_t p = 0; p < RF_WIR_FREES; p++) {
        if (ls_rng_chance(&s->rng, s->illegal)) {
            in->back |= (uint8_t)(1u << p);
            in->back_reg[p] = (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
        } else if (s->used_count > 0 && ls_rng_chance(&s->rng, s->knobs.back)) {
            const uint32_t i = ls_rng_below(&s->rng, s->used_count);
            in->back |= (uint8_t)(1u << p);
            in->back_reg[p] = s->used[i];
            s->used[i] = s->used[--s->used_count];
        }
    }
}

static void stim(rf_wir_results_stim *s, const rf_wir_results *m, rf_wir_results_in *in) {
    const rf_wir_results_cfg *cfg = &m->cfg;
    if (s->knobs.left == 0) next_phase(s, cfg);
    s->knobs.left--;
    in->res_valid &= (uint8_t)~s->accepted; /* what was not accepted is offered again */
    for (uint32_t e = 0; e < cfg->exports; e++) {
        if ((in->res_valid >> e & 1) != 0 && !ls_rng_chance(&s->rng, s->illegal)) continue;
        in->res_valid &= (uint8_t) ~(1u << e);
        if (!ls_rng_chance(&s->rng, s->knobs.come)) continue;
        in->res_valid |= (uint8_t)(1u << e);
        draw_result(s, cfg, in, e);
    }
    draw_pops(s, m, in);
    draw_verifiers(s, cfg, in);
    draw_back(s, cfg, in);
    in->limit =
        (uint16_t)(ls_rng_chance(&s->rng, s->illegal) ? ls_rng_value(&s->rng, rf_index_bits(cfg->pregs + 1)) : s->knobs.limit);
    in->random = (uint16_t)ls_rng_u64(&s->rng);
    in->own = (uint8_t)ls_rng_value(&s->rng, cfg->issues);
}

static void observe(rf_wir_results_stim *s, const rf_wir_results_in *in, const rf_wir_results_out *out) {
    s->accepted = in->res_valid & out->res_ready;
    for (uint32_t g = 0; g < RF_ISSUES_MAX; g++)
        if ((out->given >> g & 1) != 0 && s->used_count < RF_PREGS_MAX) s->used[s->used_count++] = out->given_reg[g];
    for (uint32_t n = 0; n < RF_ISSUES_MAX * RF_VERIFIERS_MAX; n++)
        if ((out->give >> n & 1) != 0) s->place[n] = PLACE_IDLE;
}

/* clang-format off */
#define BINS(X)                                                                                                                  \
    X(ACCEPTED, "a result is accepted")                                                                                          \
    X(REFUSED, "a result finds its port full")                                                                                   \
    X(ALL_PORTS, "a result at the end of every pipe")                                                                            \
    X(FULL, "a result at the end finds its queue full")                                                                          \
    X(FULL_POP, "the head of a full queue leaves")                                                                               \
    X(STRAY_POP, "an empty queue is popped")                                                                                     \
    X(ODD_WARP, "a result of a warp that does not exist")                                                                        \
    X(NO_LANES, "a result without a lane")                                                                                       \
    X(TURN, "two results of a group wait for their turn")                                                                        \
    X(SEVERAL, "several groups take a result")                                                                                   \
    X(SHARE, "the cache confirms a candidate")                                                                                   \
    X(DIFFERS, "the cache shows a collision")                                                                                    \
    X(VERIFY, "a candidate is to be read")                                                                                       \
    X(NEW, "a value that no register has")                                                                                       \
    X(SAME_HASH, "two groups look the same hash up")                                                                             \
    X(PART_NEW, "some lanes, no mapping")                                                                                        \
    X(MERGE, "some lanes, a mapping")                                                                                            \
    X(IN_PLACE, "some lanes, a pinned mapping")                                                                                  \
    X(UNPIN, "all lanes, a pinned mapping")                                                                                      \
    X(STARVED, "a result waits for a register")                                                                                  \
    X(STARVED_PROMISED, "though registers are free")                                                                             \
    X(STARVED_BESIDE, "because a group before it takes the last one")                                                            \
    X(STARVED_NEED, "because a verifier of its group needs one")                                                                 \
    X(SHARE_STARVED, "a result goes that needs none while none is spare")                                                        \
    X(IN_PLACE_STARVED, "one goes in place while none is spare")                                                                 \
    X(GIVE, "a verifier gets a register")                                                                                        \
    X(GIVE_LAST, "the last one")                                                                                                 \
    X(GIVE_SECOND, "two of a group need one")                                                                                    \
    X(GIVE_NONE, "a verifier is given one though none is free")                                                                  \
    X(GIVE_BESIDE, "a verifier gets one, its group's result goes without")                                                       \
    X(PROMISED, "promises are made and end in one cycle")                                                                        \
    X(SHARED, "a promise is not needed")                                                                                         \
    X(LOW, "low register mode")                                                                                                  \
    X(OVER, "at the limit an own register is overwritten")                                                                       \
    X(OVER_PART, "by a result of some lanes")                                                                                    \
    X(OVER_HIT, "by one that has a candidate")                                                                                   \
    X(LIMITED, "a result waits for the limit alone")                                                                             \
    X(CAPPED_LOW, "because of the limit alone")                                                                                  \
    X(LOW_MISS, "a miss drops its entry")                                                                                        \
    X(LOW_MISS_EMPTY, "a miss finds no entry to drop")                                                                           \
    X(REPLACED, "a miss replaces another's entry")                                                                               \
    X(RANDOM, "an entry is dropped at random")                                                                                   \
    X(PUT_OFF, "none is, for group 0 gives a register")                                                                          \
    X(FILL, "the cache takes a value")                                                                                           \
    X(FILL_GIVEN, "of a register that is given out")                                                                             \
    X(EVICT, "a register with a line is given out")                                                                              \
    X(BACK, "registers come back")
/* clang-format on */

#define BIN_NAME(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

static uint64_t bin(bool hit, uint32_t n) { return (uint64_t)hit << n; }

/* The result that group g tries, by its port, or exports. */
static uint32_t tried(const rf_wir_results *m, uint32_t g, uint32_t *count) {
    uint32_t ends = 0;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const rf_hash_pipe *p = &m->pipe[e];
        const bool there = (p->valid_q >> (m->cfg.stages - 1) & 1) != 0 && m->queue[e].ctrl.level_q < m->cfg.wbdepth;
        ends |= (uint32_t)(there && p->warp_q[m->cfg.stages - 1] % m->cfg.issues == g) << e;
    }
    *count = (uint32_t)__builtin_popcount(ends);
    return ends == 0 ? m->cfg.exports : rf_lowest(rf_rr_pick(ends, m->take_rr[g].mask_q));
}

static uint32_t free_count(const rf_wir_results *m) { return m->cfg.pregs - ((uint32_t)m->free.fresh_q - m->free.level_q); }

static bool has_line(const rf_wir_results *m, uint16_t reg) {
    for (uint32_t i = 0; i < m->cfg.vcache; i++)
        if ((m->vcache.valid_q >> i & 1) != 0 && m->vcache.tag_q[i] == reg) return true;
    return false;
}

/* What became of the result that group g tries: seen from the ports, but for `hit`, what the buffer has. */
static uint64_t group_bins(const rf_wir_results *m, const rf_wir_results_in *in, const rf_wir_results_out *out, uint32_t g,
                           uint32_t e, uint32_t spare, bool beside) {
    const rf_wir_results_cfg *cfg = &m->cfg;
    const rf_hash_pipe *p = &m->pipe[e];
    const uint32_t end = cfg->stages - 1, at = p->hash_q & (cfg->ventries - 1);
    const bool whole = p->mask_q[end] == rf_mask64(cfg->lanes), looks = whole && cfg->vsb != 0;
    const bool mapped = p->info_q[end] >> 1 & 1, pinned = p->info_q[end] & 1, entry = m->vsb.valid_q[at] != 0;
    const bool hit = looks && entry && m->vsb.hash_q[at] == p->hash_q;
    const bool gives = (in->need >> (g * cfg->verifiers) & rf_mask64(cfg->verifiers)) != 0;
    const bool given = (out->given >> g & 1) && !gives, named = out->inc >> (g * 2) & 1;
    const bool there = hit && has_line(m, m->vsb.reg_q[at]), in_place = !whole && mapped && pinned;
    const bool over = cfg->capped != 0 && spare == 0 && !gives && !named && !in_place && mapped && (in->own >> g & 1) != 0;
    const bool verify = hit && !there && named, share = there && named && !given, goes = named || in_place || over;
    uint64_t seen = bin(over && whole, OVER) | bin(over && !whole, OVER_PART) | bin(over && hit, OVER_HIT);
    seen |= bin(!goes && !gives && !beside && free_count(m) > m->promised_q, LIMITED);
    seen |= bin(share, SHARE) | bin(there && given, DIFFERS) | bin(verify, VERIFY) | bin(looks && !hit && given, NEW);
    seen |=
        bin(!whole && !mapped && given, PART_NEW) | bin(!whole && mapped && !pinned && given, MERGE) | bin(in_place, IN_PLACE);
    seen |= bin(whole && mapped && pinned && goes, UNPIN) | bin(!goes, STARVED) |
            bin(!goes && !gives && free_count(m) > 0, STARVED_PROMISED);
    seen |= bin(!goes && !gives && spare > 0 && beside, STARVED_BESIDE) | bin(!goes && gives && spare > 0, STARVED_NEED);
    seen |=
        bin(share && spare == 0, SHARE_STARVED) | bin(in_place && spare == 0, IN_PLACE_STARVED) | bin(goes && gives, GIVE_BESIDE);
    if (looks && !hit && goes && !over)
        seen |= bin(out->low && entry, LOW_MISS) | bin(out->low && !entry, LOW_MISS_EMPTY) | bin(!out->low && entry, REPLACED);
    return seen | bin(p->warp_q[end] >= cfg->warps, ODD_WARP) | bin(p->mask_q[end] == 0, NO_LANES);
}

static uint64_t port_bins(const rf_wir_results *m, const rf_wir_results_in *in, const rf_wir_results_out *out) {
    const rf_wir_results_cfg *cfg = &m->cfg;
    uint64_t seen = bin((in->res_valid & out->res_ready) != 0, ACCEPTED) | bin((in->res_valid & ~out->res_ready) != 0, REFUSED);
    bool all = true;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const rf_result_queue *q = &m->queue[e];
        const bool end = (m->pipe[e].valid_q >> (cfg->stages - 1) & 1) != 0, full = q->ctrl.level_q == cfg->wbdepth;
        const uint32_t last = cfg->stages - 1;
        all &= end;
        seen |= bin(end && full, FULL) | bin(full && (in->pop >> e & 1), FULL_POP) |
                bin(q->ctrl.level_q == 0 && (in->pop >> e & 1), STRAY_POP);
        if (end && cfg->reuse == 0)
            seen |= bin(m->pipe[e].warp_q[last] >= cfg->warps, ODD_WARP) | bin(m->pipe[e].mask_q[last] == 0, NO_LANES);
    }
    return seen | bin(all, ALL_PORTS);
}

static uint64_t bins(const rf_wir_results *m, const rf_wir_results_in *in, const rf_wir_results_out *out) {
    const rf_wir_results_cfg *cfg = &m->cfg;
    uint64_t seen = port_bins(m, in, out);
    if (cfg->reuse == 0) return seen;
    const uint32_t count = free_count(m), bits = (uint32_t)rf_mask64(rf_index_bits(cfg->pregs + 1));
    const uint32_t bound = cfg->capped != 0 && in->limit < cfg->pregs ? in->limit : cfg->pregs;
    const uint32_t spoken = (cfg->pregs - count + m->promised_q) & bits;
    const uint32_t spare = cfg->capped != 0 && spoken > bound ? 0 : (bound - spoken) & bits;
    uint32_t takes = 0, hash[RF_ISSUES_MAX], hashes = 0;
    bool promises = false;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        uint32_t waiting;
        const uint32_t e = tried(m, g, &waiting), need = (uint32_t)(in->need >> (g * cfg->verifiers) & rf_mask64(cfg->verifiers));
        seen |= bin(waiting > 1, TURN) | bin(need != 0, GIVE) | bin(need != 0 && count == 1, GIVE_LAST) |
                bin((need & (need - 1)) != 0, GIVE_SECOND) | bin(need != 0 && count == 0, GIVE_NONE);
        if ((out->given >> g & 1) != 0) seen |= bin(has_line(m, out->given_reg[g]), EVICT);
        for (uint32_t k = 0; k < cfg->issues; k++)
            seen |= bin(cfg->vcache != 0 && (out->given >> k & 1) && (in->fill >> g & 1) && in->fill_reg[g] == out->given_reg[k],
                        FILL_GIVEN);
        if (e == cfg->exports) continue;
        const uint64_t of = group_bins(m, in, out, g, e, spare, takes != 0);
        promises |= of >> VERIFY & 1;
        takes |= (uint32_t)((of >> STARVED & 1) == 0) << g;
        seen |= of;
        for (uint32_t k = 0; k < hashes; k++) seen |= bin(cfg->vsb != 0 && hash[k] == m->pipe[e].hash_q, SAME_HASH);
        hash[hashes++] = m->pipe[e].hash_q;
    }
    const bool rnd = (out->dec & 1) != 0 && (in->need & rf_mask64(cfg->verifiers)) == 0;
    const uint32_t at = in->random & (cfg->ventries - 1);
    seen |= bin((takes & (takes - 1)) != 0, SEVERAL) | bin(promises && (in->shared | in->need) != 0, PROMISED);
    seen |= bin(in->shared != 0, SHARED) | bin(out->low, LOW) | bin(out->low && count >= cfg->issues, CAPPED_LOW);
    seen |= bin(rnd && out->low && (takes & 1) == 0 && m->vsb.valid_q[at], RANDOM);
    seen |= bin(out->low && takes == 0 && m->vsb.valid_q[at] && (in->need & rf_mask64(cfg->verifiers)) != 0, PUT_OFF);
    return seen | bin(in->fill != 0 && cfg->vcache != 0, FILL) | bin(in->back != 0, BACK);
}

#define SMALL "WARPS=6 REGS=5 LANES=2 EXPORTS=3 PREGS=13 INFOW=9 VENTRIES=8 VCACHE=2 CAPPED=1"
#define PLAIN "WARPS=5 ISSUES=1 EXPORTS=3 REGS=7 LANES=2 BANKS=4 PREGS=40 INFOW=12 STAGES=4 WBDEPTH=1 REUSE=0"

static void unreachable(const rf_wir_results_cfg *cfg, ls_unreachable *to) {
    const bool warps = cfg->warps == UINT32_C(1) << rf_index_bits(cfg->warps);
    ls_unreachable_if(to, warps, ODD_WARP, "the warps fill the port: it names no other");
    for (uint32_t b = NO_LANES + 1; b < BIN_COUNT; b++) ls_unreachable_if(to, cfg->reuse == 0, b, "no reuse");
    ls_unreachable_if(to, cfg->exports == 1, TURN, "one port");
    ls_unreachable_if(to, cfg->exports == 1, SEVERAL, "one port");
    ls_unreachable_if(to, cfg->exports == 1, SAME_HASH, "one port");
    ls_unreachable_if(to, cfg->exports == 1, STARVED_BESIDE, "one port");
    ls_unreachable_if(to, cfg->issues == 1, SEVERAL, "one issue group");
    ls_unreachable_if(to, cfg->issues == 1, SAME_HASH, "one issue group");
    ls_unreachable_if(to, cfg->issues == 1, STARVED_BESIDE, "one issue group");
    ls_unreachable_if(to, cfg->verifiers == 1, GIVE_SECOND, "one verifier");
    for (uint32_t b = OVER; b <= CAPPED_LOW; b++) ls_unreachable_if(to, cfg->capped == 0, b, "no limit");
    ls_unreachable_if(to, cfg->vsb == 0, OVER_HIT, "no value signature buffer");
    static const uint8_t of_cache[] = {SHARE, DIFFERS, FILL, FILL_GIVEN, EVICT, SHARE_STARVED};
    for (size_t i = 0; i < sizeof of_cache; i++) ls_unreachable_if(to, cfg->vcache == 0, of_cache[i], "no verify cache");
    static const uint8_t of_buffer[] = {SHARE,    DIFFERS,        VERIFY,   NEW,    SAME_HASH, SHARE_STARVED,
                                        LOW_MISS, LOW_MISS_EMPTY, REPLACED, RANDOM, PUT_OFF,   PROMISED};
    for (size_t i = 0; i < sizeof of_buffer; i++) ls_unreachable_if(to, cfg->vsb == 0, of_buffer[i], "no value signature buffer");
}

static const ls_fault faults[] = {
    {"low mode begins one register later", NULL, "32'(used) + ISSUES > 32'(bound)", "32'(used) + ISSUES > 32'(bound) + 1", "low",
     SMALL},
    {"the limit counts for nothing", NULL, "(CAPPED != 0 && limit_i < COUNT_W'(PREGS))",
     "(CAPPED == 2 && limit_i < COUNT_W'(PREGS))", "low", SMALL},
    {"a limit that falls below what is in use wraps", NULL, "(CAPPED != 0 && spoken >= bound) ? '0 : bound", "bound", "res_ready",
     SMALL},
    {"a register that others name is overwritten", NULL, "old_valid && own_i[g];", "old_valid;", "gen_port[2].u_pipe.valid_q",
     SMALL},
    {"one is overwritten though none is mapped", NULL, "old_valid && own_i[g];", "own_i[g];", "res_ready", SMALL},
    {"an own register is overwritten though another is left", NULL, "asks[g] && !spare[g] && old_valid", "asks[g] && old_valid",
     "given", SMALL},
    {"what is overwritten is put into the buffer", NULL, "!vsb_hit[g] && !low_o && !over;", "!vsb_hit[g] && !low_o;", "inc",
     SMALL},
    {"what is overwritten is verified", NULL, "over ? rf_wir_pkg::RESULT_WRITE : shares", "shares", "gen_port[0].u_queue.op_q",
     SMALL},
    {"what is overwritten has a candidate", NULL, "over ? '0 : verifies ? hit_reg", "verifies ? hit_reg",
     "gen_port[2].u_queue.cand_q", SMALL},
    {"the old register is shown without a result", NULL, "old_preg & {PREG_W{there}}", "old_preg", "old_reg", SMALL},
    {"registers that are promised are given away", NULL, "spoken = used + promised_q;", "spoken = used;", "res_ready", SMALL},
    {"groups do not see what those before them take", NULL, "if (asks[g] && left != '0) left = left - 1'b1;", "", "res_ready",
     SMALL},
    {"a result in VERIFY is promised nothing", NULL, "if (took[g] && op[g*2 +: 2] == rf_wir_pkg::RESULT_VERIFY) promised_d",
     "if (took[g] && op[g*2 +: 2] == rf_wir_pkg::RESULT_SHARE) promised_d", "promised_q", SMALL},
    {"a verifier that gets its register keeps the promise", NULL, "promised_d - COUNT_W'(gave[g]) -", "promised_d -",
     "promised_q", SMALL},
    {"a result that shares keeps its promise", NULL, " - COUNT_W'(shared_i[g]);", ";", "promised_q", SMALL},
    {"a random entry goes though a group allocates", NULL, "low_o && (took & looks) == '0 && !gave[0]", "low_o && !gave[0]",
     "gen_reuse.gen_vsb.u_vsb.valid_q", SMALL},
    {"a random entry goes though group 0 gives", NULL, "low_o && (took & looks) == '0 && !gave[0]",
     "low_o && (took & looks) == '0", "gen_reuse.gen_vsb.u_vsb.valid_q", SMALL},
    {"a register that is given out keeps its line", NULL, ".evict_i(given_o)", ".evict_i(given_o & ~took)",
     "gen_reuse.gen_vcache.u_vcache.valid_q", SMALL},
    {"a candidate of the cache is believed", NULL, "cached[g] && line[g*DATA_W +: DATA_W] == value[g*DATA_W +: DATA_W]",
     "cached[g]", "res_ready", SMALL},
    {"the cache looks at port 0's value", NULL, ".sel_i(taken_port), .data_i(end_data)", ".sel_i('0), .data_i(end_data)",
     "res_ready", SMALL},
    {"a result goes into a queue that is full", NULL, "end_valid[e] && queue_ready[e] &&", "end_valid[e] &&", "res_ready", SMALL},
    {"all results are of group 0", NULL, "end_warp[e*WARP_W +: WARP_W]), 3'(ISSUES))", "end_warp[e*WARP_W +: WARP_W]), 3'(1))",
     "res_ready", SMALL},
    {"the turn passes though the result stays", NULL, ".take_i(took[g])", ".take_i(there)",
     "gen_reuse.gen_group[1].u_take_rr.mask_q", SMALL},
    {"a result of some lanes looks up", NULL, "looks[g] = VSB != 0 && there && full", "looks[g] = VSB != 0 && there", "inc",
     SMALL},
    {"a pinned register is given up at the next partial write", NULL, "(full || !old_valid || !old_pin) && !shares", "!shares",
     "given", SMALL},
    {"no dummy MOV", NULL, "merges       = !full && old_valid && !old_pin", "merges       = 1'b0 && full && old_valid && old_pin",
     "gen_port[2].u_queue.op_q", SMALL},
    {"the highest verifier gets the register", NULL, "`RF_LOWEST(need);",
     "need[VERIFIERS-1] ? VERIFIERS'(1 << (VERIFIERS - 1)) : need;", "give", SMALL},
    {"a group gives and takes", NULL, "(needs_new || verifies) && !gave[g]", "(needs_new || verifies)", "res_ready", SMALL},
    {"a result waits that needs no register", NULL, "!needs_new && !verifies);", "!needs_new && !verifies && spare[g]);",
     "res_ready", SMALL},
    {"a miss is not put into the buffer when one is given", NULL, "took[g] && looks[g] && !vsb_hit[g] && !low_o",
     "took[g] && looks[g] && !vsb_hit[g] && !low_o && !(given_o[0] && g != 0)", "inc", SMALL},
    {"a collision of the cache replaces the buffer's entry", NULL, "took[g] && looks[g] && !vsb_hit[g] && !low_o",
     "took[g] && looks[g] && wants && !low_o", "inc", SMALL},
    {"a miss keeps its entry in low mode", NULL, "vsb_drop[g]  = took[g] &&", "vsb_drop[g]  = 1'b0 && took[g] &&", "dec", SMALL},
    {"lanes without a mapping keep what the result had there", NULL, "clears[g]    = !full && !narrow[g]",
     "clears[g]    = 1'b0 && full", "gen_port[0].u_queue.data_q", SMALL},
    {"a new partial mapping has its own lanes only", NULL, "narrow[from] ? end_mask[e*LANES +: LANES] : '1",
     "end_mask[e*LANES +: LANES]", "gen_port[2].u_queue.mask_q", SMALL},
    {"a register in place loses a reference", NULL, "end_info[e*INFOW + 1] && !in_place[from], !full}",
     "end_info[e*INFOW + 1], !full}", "gen_port[2].u_queue.info_q", SMALL},
    {"a new partial mapping is not pinned", NULL, "!in_place[from], !full}", "!in_place[from], 1'b0 && full}",
     "gen_port[1].u_queue.info_q", SMALL},
    {"a register in place is counted again", NULL, "vsb_write[g] || gave[g], took[g] && !in_place[g]}",
     "vsb_write[g] || gave[g], took[g]}", "inc", SMALL},
    {"a verifier's register is not counted", NULL, "inc_o[g*2 +: 2] = {vsb_write[g] || gave[g]",
     "inc_o[g*2 +: 2] = {vsb_write[g]", "inc", SMALL},
    {"a collision keeps its candidate's reference", NULL, "dec_o[g] = gave[g] ||", "dec_o[g] =", "dec", SMALL},
    {"the first verifier's candidate ends", NULL,
     "if (give_o[g*VERIFIERS + v]) needy_cand |=", "if (v == 0) needy_cand |=", "dec_reg", SMALL},
    {"D-map's register without the bank of the warp", NULL, "rf_banked_pkg::map_bank(warp,", "rf_banked_pkg::map_bank(6'd0,",
     "gen_port[1].u_queue.preg_q", PLAIN},
    {"REUSE 0: a result goes into a queue that is full", NULL, "assign take      = end_valid & queue_ready",
     "assign take      = end_valid", "res_ready", PLAIN},
    {"REUSE 0: what is carried along is kept", NULL, ".info_i((REUSE != 0) ? res_info_i[e*INFOW +: INFOW] : '0)",
     ".info_i(res_info_i[e*INFOW +: INFOW])", "gen_port[0].u_pipe.info_q", PLAIN},
    {0},
};
#undef SMALL
#undef PLAIN

static const char *const sets[] = {
    "",
    "WARPS=6 REGS=5 LANES=2 EXPORTS=3 PREGS=13 INFOW=9 VENTRIES=8 VCACHE=2 CAPPED=1",
    "WARPS=2 REGS=2 LANES=1 EXPORTS=1 ISSUES=1 STAGES=1 WBDEPTH=1 PREGS=2 INFOW=3 VERIFIERS=1 VENTRIES=1 VCACHE=1",
    "WARPS=64 REGS=256 LANES=3 EXPORTS=8 ISSUES=4 STAGES=3 WBDEPTH=6 PREGS=40 INFOW=64 VERIFIERS=4 VENTRIES=16 VCACHE=4 CAPPED=1",
    "WARPS=9 REGS=7 LANES=4 EXPORTS=5 ISSUES=3 STAGES=5 WBDEPTH=2 PREGS=24 INFOW=12 VERIFIERS=3 VENTRIES=32 VCACHE=0",
    "WARPS=8 REGS=8 LANES=2 PREGS=33 INFOW=20 VSB=0 VENTRIES=1 VCACHE=0 CAPPED=1",
    "WARPS=5 ISSUES=1 EXPORTS=3 REGS=7 LANES=2 BANKS=4 PREGS=40 INFOW=12 STAGES=4 WBDEPTH=1 REUSE=0",
    "WARPS=64 ISSUES=4 EXPORTS=8 REGS=256 LANES=1 BANKS=32 PREGS=1000 INFOW=12 REUSE=0",
    NULL};
/* REUSE 0. */
LS_LIST_LIKE(rf_wir_plain_pipe, rf_hash_pipe) { ls_fields_constant(fields, LS_STATE, "info_q", true, "nothing is renamed"); }
LS_LIST_LIKE(rf_wir_plain_queue, rf_result_queue) {
    ls_fields_constant(fields, LS_STATE, "op_q", true, "every result is written");
    ls_fields_constant(fields, LS_STATE, "cand_q", true, "nothing is read");
    ls_fields_constant(fields, LS_STATE, "info_q", true, "nothing is renamed");
}

static const char *const rtl[] = {"rtl/common/rf_pkg.sv",
                                  "rtl/banked/rf_banked_pkg.sv",
                                  "rtl/common/rf_fifo_ctrl.sv",
                                  "rtl/common/rf_rr.sv",
                                  "rtl/banked/rf_crossbar.sv",
                                  "rtl/wir/rf_wir_pkg.sv",
                                  "rtl/wir/rf_h3.sv",
                                  "rtl/wir/rf_hash_pipe.sv",
                                  "rtl/wir/rf_result_queue.sv",
                                  "rtl/wir/rf_vsb.sv",
                                  "rtl/wir/rf_verify_cache.sv",
                                  "rtl/wir/rf_free_list.sv",
                                  NULL};

#define LS_UNIT rf_wir_results
#define LS_GROUP "wir"
#define LS_BRIEF "results to their queues, and physical registers for them"
#define LS_FIELDS "tb/wir/rf_wir_results.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
