/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_wir_collect. The surroundings are played: a lane's instruction asks until it gets a
 * collector, sources name few registers, reads are granted to slots that ask, ports accept now and then. All of that with
 * breaches of protocol now and then. */
#include "cmodel/wir/rf_wir_collect.h"

#include <string.h>

#include "harness/core/unit.h"
#include "tb/wir/env/rf_wir_carried.h"

/* Probabilities in 256ths; all but `illegal` are drawn anew in every phase. */
typedef struct rf_wir_collect_stim {
    ls_rng rng;
    uint32_t illegal;         /* each breach of protocol */
    uint32_t left;            /* cycles of the phase to come */
    uint32_t come;            /* a lane without an instruction gets one */
    uint32_t sources, mapped; /* density of its sources; of those with a register */
    uint32_t whole;           /* it has all lanes */
    uint32_t grant;           /* a slot that asks is granted */
    uint32_t accept;          /* a port accepts */
    uint32_t pool;            /* logical registers named */
    uint32_t port;            /* all want this port; EXPORTS: any, above: each in turn */
    uint32_t turn;
    uint32_t cycles; /* of the epoch */
    bool stuck;      /* one waits for a port that does not exist, or none is to */
    uint32_t got;    /* issues bits: instructions that got a collector in the cycle before */
} rf_wir_collect_stim;

static void draw_phase(rf_wir_collect_stim *s, const rf_wir_collect_cfg *cfg) {
    static const uint32_t shares[] = {0, 32, 96, 176, 256}, rates[] = {8, 48, 128, 256};
    ls_rng *const rng = &s->rng;
    s->left = 32 + ls_rng_below(rng, 256);
    s->come = rates[1 + ls_rng_below(rng, 3)];
    s->sources = shares[ls_rng_below(rng, 5)];
    s->mapped = shares[1 + ls_rng_below(rng, 4)];
    s->whole = shares[ls_rng_below(rng, 5)];
    s->grant = rates[1 + ls_rng_below(rng, 3)];
    s->accept = rates[ls_rng_below(rng, 4)];
    s->pool = ls_rng_chance(rng, 96) ? cfg->regs : 1 + ls_rng_below(rng, 6);
    if (s->pool > cfg->regs) s->pool = cfg->regs;
    s->port = ls_rng_chance(rng, 80) ? ls_rng_below(rng, cfg->exports) : cfg->exports + ls_rng_below(rng, 2);
}

static void stim_init(rf_wir_collect_stim *s, const rf_wir_collect *m, uint64_t seed) {
    *s = (rf_wir_collect_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->illegal = 2 + ls_rng_below(&s->rng, 22);
    s->stuck = ls_rng_chance(&s->rng, 128);
    draw_phase(s, &m->cfg);
}

/* A port; one that does not exist once in some epochs, for its collector is lost,
 * and late where there is no other. */
static uint8_t draw_port(rf_wir_collect_stim *s, const rf_wir_collect_cfg *cfg) {
    const uint32_t codes = UINT32_C(1) << rf_index_bits(cfg->exports);
    if (codes > cfg->exports && !s->stuck && s->cycles > (cfg->collectors > 1 ? 64 : 600) && ls_rng_chance(&s->rng, 8)) {
        s->stuck = true;
        return (uint8_t)(cfg->exports + ls_rng_below(&s->rng, codes - cfg->exports));
    }
    if (s->port > cfg->exports) return (uint8_t)(s->turn++ % cfg->exports);
    return (uint8_t)(s->port < cfg->exports ? s->port : ls_rng_below(&s->rng, cfg->exports));
}

static uint16_t draw_preg(rf_wir_collect_stim *s, const rf_wir_collect_cfg *cfg) {
    if (ls_rng_chance(&s->rng, 64)) return (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
    return (uint16_t)ls_rng_below(&s->rng, cfg->pregs);
}

/* Two slots that name one register have one mapping, as a rename table gives it; now and then they have not. */
static void draw_sources(rf_wir_collect_stim *s, const rf_wir_collect_cfg *cfg, rf_wir_collect_in *in, uint32_t g) {
    ls_rng *const rng = &s->rng;
    const uint32_t slots = cfg->slots, kind = ls_rng_below(rng, 16), any = (uint32_t)rf_mask64(slots);
    const uint8_t one = (uint8_t)ls_rng_below(rng, s->pool);
    uint32_t valid = kind < 2 ? any : kind == 2 ? 0 : (uint32_t)ls_rng_bits(rng, slots, s->sources), mapped;
    mapped = valid & (kind == 0 ? any : (uint32_t)ls_rng_bits(rng, slots, s->mapped));
    for (uint32_t i = 0; i < slots; i++) {
        in->lane[g].src[i] = kind == 1 ? one : (uint8_t)ls_rng_below(rng, s->pool);
        if (ls_rng_chance(rng, s->illegal)) in->lane[g].src[i] = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->regs));
        in->lane[g].operand[i] = draw_preg(s, cfg);
        for (uint32_t k = 0; k < i; k++) {
            if (in->lane[g].src[k] != in->lane[g].src[i] || ls_rng_chance(rng, s->illegal)) continue;
            in->lane[g].operand[i] = in->lane[g].operand[k];
            if ((valid >> k & valid >> i & 1) != 0) mapped = (mapped & ~(1u << i)) | (mapped >> k & 1) << i;
        }
    }
    if (ls_rng_chance(rng, s->illegal)) mapped = (uint32_t)ls_rng_value(rng, slots);
    in->lane[g].src_valid = (uint8_t)valid;
    in->lane[g].mapped = (uint8_t)mapped;
}

static void draw_instruction(rf_wir_collect_stim *s, const rf_wir_collect_cfg *cfg, rf_wir_collect_in *in, uint32_t g) {
    ls_rng *const rng = &s->rng;
    in->lane[g].warp = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->warps));
    rf_wir_draw_carried(rng, &in->lane[g].renamed.common);
    in->lane[g].port = draw_port(s, cfg);
    in->lane[g].mask = (uint32_t)(ls_rng_chance(rng, s->whole) ? rf_mask64(cfg->lanes) : ls_rng_value(rng, cfg->lanes));
    in->lane[g].dst_valid = ls_rng_chance(rng, 192);
    in->lane[g].dst = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->regs));
    in->lane_info[g] = ls_rng_value(rng, cfg->infow);
    in->lane[g].space = (uint8_t)ls_rng_below(rng, 4); /* this and the next are not looked at */
    in->lane[g].opcode = (uint16_t)ls_rng_value(rng, 8);
    in->lane[g].old_preg = (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->pregs));
    in->lane[g].old_valid = ls_rng_chance(rng, 128);
    in->lane[g].old_pin = ls_rng_chance(rng, 128);
    draw_sources(s, cfg, in, g);
}

/* The slots of a collector that ask: of those with one register that has yet to be read the lowest. */
static uint32_t asking(const rf_ocu *u) {
    const uint32_t unread = u->src_valid_q & ~((uint32_t)u->fill_q | u->ready_q);
    uint32_t asks = unread;
    for (uint32_t i = 1; i < u->cfg.slots; i++)
        for (uint32_t k = 0; k < i; k++)
            if ((unread >> k & 1) != 0 && u->src_q[k] == u->src_q[i]) asks &= ~(1u << i);
    return asks;
}

static void stim(rf_wir_collect_stim *s, const rf_wir_collect *m, rf_wir_collect_in *in) {
    const rf_wir_collect_cfg *cfg = &m->cfg;
    const uint32_t slots = cfg->slots, readers = cfg->collectors * slots;
    uint64_t asks = 0, fills = 0;
    if (s->left-- == 0) draw_phase(s, cfg);
    s->cycles++;
    in->req &= (uint8_t)~s->got;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        if ((in->req >> g & 1) != 0 || !ls_rng_chance(&s->rng, s->come)) continue;
        in->req |= (uint8_t)(1u << g);
        draw_instruction(s, cfg, in, g);
    }
    if (ls_rng_chance(&s->rng, s->illegal)) draw_instruction(s, cfg, in, ls_rng_below(&s->rng, cfg->issues));
    if (ls_rng_chance(&s->rng, s->illegal)) in->req = (uint8_t)ls_rng_value(&s->rng, cfg->issues);
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        asks |= (uint64_t)asking(&m->ocu[c]) << (c * slots);
        fills |= (uint64_t)m->ocu[c].fill_q << (c * slots);
    }
    in->rd_grant = asks & ls_rng_bits(&s->rng, readers, s->grant);
    if (ls_rng_chance(&s->rng, s->illegal)) in->rd_grant = ls_rng_value(&s->rng, readers);
    /* New data where it is due; elsewhere the old stays for a while. */
    for (uint64_t set = fills | ls_rng_bits(&s->rng, readers, 8); set != 0; set &= set - 1)
        ls_rng_lanes(&s->rng, in->fill_data[rf_lowest(set)].lane, cfg->lanes);
    in->ex_ready = (uint8_t)ls_rng_bits(&s->rng, cfg->exports, s->accept);
}

static void observe(rf_wir_collect_stim *s, const rf_wir_collect_in *in, const rf_wir_collect_out *out) {
    (void)in;
    s->got = out->grant;
    if (ls_rng_chance(&s->rng, s->illegal)) s->got &= (uint32_t)ls_rng_u64(&s->rng); /* it asks once more */
}

/* clang-format off */
#define BINS(X)                                                                                                                  \
    X(ALLOC, "an instruction gets a collector")                                                                                  \
    X(NO_FREE, "none is free")                                                                                                   \
    X(ONE_FREE, "one is free, two groups ask")                                                                                   \
    X(SEVERAL, "several groups get one")                                                                                         \
    X(ALL_GROUPS, "all groups do")                                                                                               \
    X(NOT_FIRST, "a group gets one, those before it do not ask")                                                                 \
    X(BELOW_BUSY, "the collector is below a busy one")                                                                           \
    X(ABOVE_BUSY, "it is the last")                                                                                              \
    X(SPLIT, "two groups get collectors with a busy one between them")                                                           \
    X(LEAVES, "none is free, for the one that is dispatched is not yet")                                                         \
    X(NO_REQUEST, "an instruction that does not ask while one is free")                                                          \
    X(NO_SOURCE, "an instruction without sources")                                                                               \
    X(ALL_MAPPED, "all slots are read")                                                                                          \
    X(ALL_ZERO, "sources, and none is mapped")                                                                                   \
    X(SOME_ZERO, "some sources are mapped, others not")                                                                          \
    X(DUP, "two slots name one register")                                                                                        \
    X(DUP_ALL, "all slots do")                                                                                                   \
    X(DUP_ZERO, "two slots name one register that is not mapped")                                                                \
    X(DUP_HALF, "one of them is mapped")                                                                                         \
    X(DUP_SPLIT, "the two are in different registers")                                                                           \
    X(SAME_PREG, "two registers are in one")                                                                                     \
    X(STRAY_MAPPED, "a slot without source is mapped")                                                                           \
    X(NO_DST, "no destination")                                                                                                  \
    X(NO_LANES, "no lanes")                                                                                                      \
    X(HIGH_LANE, "the highest lane is active")                                                                                   \
    X(ODD_WARP, "of a warp that does not exist")                                                                                 \
    X(ODD_PORT, "for a port that does not exist")                                                                                \
    X(FIRST_PREG, "source in the first physical register")                                                                       \
    X(LAST_PREG, "in the last one")                                                                                              \
    X(ODD_PREG, "in one that does not exist")                                                                                    \
    X(GRANT, "a read is granted")                                                                                                \
    X(GRANTS, "two of one collector")                                                                                            \
    X(GRANT_SOME, "one is granted, another of the collector not")                                                                \
    X(GRANT_LOST, "nothing is granted to a collector that asks")                                                                 \
    X(GRANT_DUP, "a grant serves two slots")                                                                                     \
    X(STRAY_GRANT, "a slot is granted that does not ask")                                                                        \
    X(SHADOW_GRANT, "one that leaves the asking to a lower slot")                                                                \
    X(LAST_READER, "the last slot of the last collector is granted")                                                             \
    X(FILL, "data arrives")                                                                                                      \
    X(FILLS, "for two collectors")                                                                                               \
    X(FILL_GRANT, "while another slot of the collector is granted")                                                              \
    X(OFFER, "a port is offered an instruction")                                                                                 \
    X(OFFER_LOST, "it does not accept")                                                                                          \
    X(OFFER_CHANGES, "and is offered another in the next cycle")                                                                 \
    X(DISPATCH, "an instruction leaves")                                                                                         \
    X(DISPATCHES, "several do")                                                                                                  \
    X(ALL_PORTS, "every port is offered one")                                                                                    \
    X(STRAY_READY, "a port accepts and is offered nothing")                                                                      \
    X(TURN, "two collectors wait for a port")                                                                                    \
    X(TURN_WRAPS, "the lowest of them is not offered")                                                                           \
    X(STUCK, "a complete collector waits for a port that does not exist")                                                        \
    X(TWO_FREE, "an instruction leaves, another gets a collector")                                                               \
    X(AT_ONCE, "an instruction without reads is offered in the cycle after")                                                     \
    X(ZERO, "0 is delivered in place of what the slot holds")                                                                    \
    X(ZERO_BESIDE, "beside a slot that delivers what it holds")                                                                  \
    X(HELD, "a slot without source shows what it holds")                                                                         \
    X(NOT_ZERO, "a slot delivers what it holds, another collector's same slot 0")
/* clang-format on */

#define BIN_NAME(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

static uint64_t bin(bool hit, uint32_t n) { return (uint64_t)hit << n; }

static bool several(uint64_t x) { return (x & (x - 1)) != 0; }

/* The instruction that a group has got a collector for. */
static uint64_t alloc_bins(const rf_wir_collect *m, const rf_wir_collect_in *in, uint32_t g) {
    const rf_wir_collect_cfg *cfg = &m->cfg;
    const uint32_t slots = cfg->slots, every = (uint32_t)rf_mask64(slots), valid = in->lane[g].src_valid,
                   mapped = in->lane[g].mapped;
    uint32_t twins = 0;
    uint64_t seen = bin(valid == 0 && mapped == 0, NO_SOURCE) | bin((valid & mapped) == every, ALL_MAPPED) |
                    bin(valid != 0 && mapped == 0, ALL_ZERO) | bin((valid & mapped) != 0 && (valid & ~mapped) != 0, SOME_ZERO) |
                    bin((mapped & ~valid) != 0, STRAY_MAPPED) | bin(in->lane[g].dst_valid == 0, NO_DST) |
                    bin(in->lane[g].mask == 0, NO_LANES) | bin(in->lane[g].mask >> (cfg->lanes - 1) & 1, HIGH_LANE) |
                    bin(in->lane[g].warp >= cfg->warps, ODD_WARP) | bin(in->lane[g].port >= cfg->exports, ODD_PORT);
    for (uint32_t i = 0; i < slots; i++) {
        const uint32_t preg = in->lane[g].operand[i], reg = in->lane[g].src[i];
        if ((mapped >> i & 1) != 0)
            seen |= bin(preg == 0, FIRST_PREG) | bin(preg == cfg->pregs - 1, LAST_PREG) | bin(preg >= cfg->pregs, ODD_PREG);
        for (uint32_t k = 0; k < i; k++) {
            const uint32_t both = valid >> i & valid >> k & 1, reads = (mapped >> i & 1) + (mapped >> k & 1);
            const bool same = reg == in->lane[g].src[k], there = preg == in->lane[g].operand[k];
            if (both == 0) continue;
            twins |= (uint32_t)(same && reads == 2) << i;
            seen |= bin(same && reads == 2 && there, DUP) | bin(same && reads == 0, DUP_ZERO) |
                    bin(same && reads == 1, DUP_HALF) | bin(same && reads == 2 && !there, DUP_SPLIT) |
                    bin(!same && reads == 2 && there, SAME_PREG);
        }
    }
    return seen | bin(slots > 1 && twins == (every & ~1u), DUP_ALL);
}

static uint64_t request_bins(const rf_wir_collect *m, const rf_wir_collect_in *in, const rf_wir_collect_out *out, uint32_t busy,
                             uint32_t leaves) {
    const rf_wir_collect_cfg *cfg = &m->cfg;
    const uint32_t every = (uint32_t)rf_mask64(cfg->collectors), lost = in->req & ~(uint32_t)out->grant, idle = every & ~busy;
    uint64_t seen = bin(out->grant != 0, ALLOC) | bin(lost != 0 && idle == 0, NO_FREE) |
                    bin(lost != 0 && idle != 0 && !several(idle), ONE_FREE) | bin(several(out->grant), SEVERAL) |
                    bin(out->grant == rf_mask64(cfg->issues), ALL_GROUPS) |
                    bin(out->grant != 0 && (out->grant & in->req & 1) == 0, NOT_FIRST) |
                    bin(lost != 0 && idle == 0 && leaves != 0, LEAVES) |
                    bin(idle != 0 && (rf_mask64(cfg->issues) & ~(uint32_t)in->req) != 0, NO_REQUEST) |
                    bin(out->grant != 0 && leaves != 0, TWO_FREE);
    uint32_t rest = idle, lowest = cfg->collectors;
    for (uint32_t set = out->grant; set != 0; set &= set - 1) {
        const uint32_t c = rf_lowest(rest);
        seen |= alloc_bins(m, in, rf_lowest(set)) | bin((busy >> c) != 0, BELOW_BUSY) | bin(c == cfg->collectors - 1, ABOVE_BUSY);
        seen |= bin(lowest < c && (busy >> lowest & ((1u << (c - lowest)) - 1)) != 0, SPLIT);
        lowest = lowest < c ? lowest : c;
        rest &= rest - 1;
    }
    return seen;
}

static uint64_t read_bins(const rf_wir_collect *m, const rf_wir_collect_in *in, const rf_wir_collect_out *out) {
    const uint32_t slots = m->cfg.slots, every = (uint32_t)rf_mask64(slots);
    uint32_t filled = 0;
    uint64_t seen = bin((in->rd_grant & ~out->rd_valid) != 0, STRAY_GRANT) |
                    bin((in->rd_grant & out->unread & ~out->rd_valid) != 0, SHADOW_GRANT) |
                    bin((in->rd_grant & out->rd_valid) >> (m->cfg.collectors * slots - 1) & 1, LAST_READER);
    for (uint32_t c = 0; c < m->cfg.collectors; c++) {
        const rf_ocu *u = &m->ocu[c];
        const uint32_t asks = (uint32_t)(out->rd_valid >> (c * slots)) & every,
                       got = asks & (uint32_t)(in->rd_grant >> (c * slots));
        const uint32_t shadow = (uint32_t)(out->unread >> (c * slots)) & every & ~asks;
        const uint32_t fill = (uint32_t)(out->fill_valid >> (c * slots)) & every;
        filled += fill != 0;
        seen |= bin(got != 0, GRANT) | bin(several(got), GRANTS) | bin(got != 0 && got != asks, GRANT_SOME) |
                bin(asks != 0 && got == 0, GRANT_LOST) | bin(fill != 0, FILL) | bin(fill != 0 && got != 0, FILL_GRANT);
        for (uint32_t i = 0; i < slots; i++)
            for (uint32_t k = 0; k < i; k++)
                seen |= bin((got >> k & shadow >> i & 1) != 0 && u->src_q[i] == u->src_q[k], GRANT_DUP);
    }
    return seen | bin(filled > 1, FILLS);
}

static bool is_zero(const rf_vec *v, uint32_t lanes) {
    uint32_t any = 0;
    for (uint32_t l = 0; l < lanes; l++) any |= v->lane[l];
    return any == 0;
}

/* The instruction of collector `c` is offered. */
static uint64_t offer_bins(const rf_wir_collect *m, uint32_t c) {
    const rf_ocu *u = &m->ocu[c];
    const uint32_t slots = m->cfg.slots;
    uint32_t zero = 0, held = 0;
    uint64_t seen = 0;
    for (uint32_t i = 0; i < slots; i++) {
        const bool holds = !is_zero(&u->data_q[i], m->cfg.lanes), zeroed = m->zero_q[c] >> i & 1, reads = u->src_valid_q >> i & 1;
        zero |= (uint32_t)(holds && zeroed) << i;
        held |= (uint32_t)(holds && reads && !zeroed) << i;
        seen |= bin(holds && !zeroed && !reads, HELD);
        if (!holds || zeroed) continue;
        for (uint32_t k = 0; k < m->cfg.collectors; k++) seen |= bin(m->ocu[k].busy_q && (m->zero_q[k] >> i & 1), NOT_ZERO);
    }
    return seen | bin(zero != 0, ZERO) | bin(zero != 0 && held != 0, ZERO_BESIDE) |
           bin(u->src_valid_q == 0 && u->ready_q == 0, AT_ONCE);
}

static uint64_t bins(const rf_wir_collect *m, const rf_wir_collect_in *in, const rf_wir_collect_out *out) {
    const rf_wir_collect_cfg *cfg = &m->cfg;
    const uint32_t taken = out->ex_valid & in->ex_ready;
    uint32_t busy = 0, complete = 0, leaves = 0;
    uint64_t seen = read_bins(m, in, out);
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        const rf_ocu *u = &m->ocu[c];
        const bool ready = u->busy_q && (u->src_valid_q & ~(uint32_t)u->ready_q) == 0;
        busy |= (uint32_t)(u->busy_q != 0) << c;
        complete |= (uint32_t)ready << c;
        seen |= bin(ready && u->port_q >= cfg->exports, STUCK);
    }
    for (uint32_t e = 0; e < cfg->exports; e++) {
        uint32_t wait = 0;
        for (uint32_t c = 0; c < cfg->collectors; c++) wait |= (complete >> c & (uint32_t)(m->ocu[c].port_q == e)) << c;
        if (wait == 0) continue;
        const uint32_t c = rf_lowest(rf_rr_pick(wait, m->dispatch.rr[e].mask_q));
        const bool goes = taken >> e & 1;
        leaves |= (uint32_t)goes << c;
        seen |= offer_bins(m, c) | bin(several(wait), TURN) | bin(c != rf_lowest(wait), TURN_WRAPS);
        /* A lower one, or one before it in turn, becomes complete with the coming edge. */
        for (uint32_t k = 0; k < cfg->collectors; k++) {
            const rf_ocu *u = &m->ocu[k];
            const bool comes = u->busy_q && u->port_q == e && u->src_valid_q != 0 && (wait >> k & 1) == 0 &&
                               (u->src_valid_q & ~((uint32_t)u->ready_q | u->fill_q)) == 0;
            seen |= bin(comes && !goes && rf_lowest(rf_rr_pick(wait | 1u << k, m->dispatch.rr[e].mask_q)) == k, OFFER_CHANGES);
        }
    }
    seen |= bin(out->ex_valid != 0, OFFER) | bin((out->ex_valid & ~(uint32_t)in->ex_ready) != 0, OFFER_LOST) |
            bin(taken != 0, DISPATCH) | bin(several(taken), DISPATCHES) |
            bin(out->ex_valid == rf_mask64(cfg->exports), ALL_PORTS) |
            bin((in->ex_ready & ~(uint32_t)out->ex_valid) != 0, STRAY_READY);
    return seen | request_bins(m, in, out, busy, leaves);
}

#define SMALL "WARPS=6 COLLECTORS=3 BANKS=2 REGS=5 LANES=2 SLOTS=2 EXPORTS=3 PREGS=14 INFOW=7"

static void unreachable(const rf_wir_collect_cfg *cfg, ls_unreachable *to) {
    const bool warps = cfg->warps == UINT32_C(1) << rf_index_bits(cfg->warps),
               exports = cfg->exports == UINT32_C(1) << rf_index_bits(cfg->exports),
               pregs = cfg->pregs == UINT32_C(1) << rf_index_bits(cfg->pregs);
    ls_unreachable_if(to, warps, ODD_WARP, "the warps fill the port: it names no other");
    ls_unreachable_if(to, exports, ODD_PORT, "the ports fill the number's bits: no other");
    ls_unreachable_if(to, exports, STUCK, "the ports fill the number's bits: no other");
    ls_unreachable_if(to, pregs, ODD_PREG, "the registers fill the port: it names no other");
    ls_unreachable_if(to, cfg->issues == 1, ONE_FREE, "one issue group");
    ls_unreachable_if(to, cfg->issues == 1, SEVERAL, "one issue group");
    ls_unreachable_if(to, cfg->issues == 1, NOT_FIRST, "one issue group");
    ls_unreachable_if(to, cfg->issues == 1, SPLIT, "one issue group");
    ls_unreachable_if(to, cfg->issues > cfg->collectors, ALL_GROUPS, "fewer collectors than issue groups");
    static const uint8_t of_collectors[] = {SEVERAL, BELOW_BUSY, FILLS,    OFFER_CHANGES, DISPATCHES,
                                            TURN,    TURN_WRAPS, TWO_FREE, NOT_ZERO};
    for (size_t i = 0; i < sizeof of_collectors; i++)
        ls_unreachable_if(to, cfg->collectors == 1, of_collectors[i], "one collector");
    ls_unreachable_if(to, cfg->collectors < 3, SPLIT, "one between two are three collectors");
    ls_unreachable_if(to, cfg->exports == 1, DISPATCHES, "one port");
    ls_unreachable_if(to, cfg->collectors < cfg->exports, ALL_PORTS, "fewer collectors than ports");
    static const uint8_t of_slots[] = {SOME_ZERO, DUP,        DUP_ALL,   DUP_ZERO,     DUP_HALF,   DUP_SPLIT,  SAME_PREG,
                                       GRANTS,    GRANT_SOME, GRANT_DUP, SHADOW_GRANT, FILL_GRANT, ZERO_BESIDE};
    for (size_t i = 0; i < sizeof of_slots; i++) ls_unreachable_if(to, cfg->slots == 1, of_slots[i], "one slot");
}

static const ls_fault faults[] = {
    {"a collector is free while its instruction leaves", NULL, ".busy_i(busy)", ".busy_i(busy & ~dispatched)", "grant", SMALL},
    {"one instruction a cycle gets a collector", NULL, ".req_i(req_i)", ".req_i(req_i & (~req_i + 1'b1))", "grant", SMALL},
    {"the last collector is never used", NULL, ".busy_i(busy)", ".busy_i(busy | COLLECTORS'(1 << (COLLECTORS - 1)))", "grant",
     SMALL},
    {"an instruction without lanes is lost", NULL, ".alloc_i(alloc[c])",
     ".alloc_i(alloc[c] && taken[SRC_W + SLOTS + PORT_W + REG_W + 1 +: LANES] != '0)", "gen_ocu[1].u_ocu.busy_q", SMALL},
    {"all instructions have the warp of group 0's", NULL, "lane.renamed.common.warp", "lane_i[LANE_W-1 -: WARP_W]",
     "gen_ocu[0].u_ocu.carried_q.warp", SMALL},
    {"all instructions are group 0's", NULL, "from == ISSUE_W'(g)", "1'b0", "gen_ocu[2].u_ocu.carried_q.warp", SMALL},
    {"a tag loses its high bit", NULL, "lane.renamed.common.tag", "lane.renamed.common.tag & 16'h7fff",
     "gen_ocu[1].u_ocu.carried_q.tag", SMALL},
    {"all ports are odd", NULL, "lane.renamed.common.port", "lane.renamed.common.port | PORT_W'(1)", "gen_ocu[0].u_ocu.port_q",
     SMALL},
    {"the last lane is always active", NULL, "= lane.mask", "= lane.mask | LANES'(1 << (LANES - 1))",
     "gen_ocu[0].u_ocu.carried_q.mask", SMALL},
    {"there is always a destination", NULL, "= lane.dst_valid", "= 1'b1", "gen_ocu[0].u_ocu.carried_q.dst_valid", SMALL},
    {"the destination is the first source", NULL, "lane.renamed.common.dst", "REG_W'(lane.renamed.common.src)",
     "gen_ocu[0].u_ocu.carried_q.dst", SMALL},
    {"sources that are not mapped are read", NULL, "= lane.mapped", "= lane.renamed.common.src_valid",
     "gen_ocu[1].u_ocu.src_valid_q", SMALL},
    {"D-dup goes by the physical register", NULL, "= lane.renamed.common.src;", "= SRC_W'(lane.renamed.operand);",
     "gen_ocu[0].u_ocu.src_q", SMALL},
    {"physical registers are those of group 0", NULL, "lane_operand[from*OPERAND_W +: OPERAND_W]", "lane_operand[OPERAND_W-1:0]",
     "gen_ocu[1].u_ocu.bank_q", SMALL},
    {"a bank holds neighbours", NULL, "BANK_W'(operand[s*PREG_W +: PREG_W] & PREG_W'(BANKS - 1))",
     "BANK_W'(operand[s*PREG_W +: PREG_W] / PREG_W'(ROWS))", "gen_ocu[0].u_ocu.bank_q", SMALL},
    {"rows are not parted by banks", NULL, "ROW_W'({operand[s*PREG_W +: PREG_W] >> $clog2(BANKS)})",
     "ROW_W'(operand[s*PREG_W +: PREG_W])", "gen_ocu[0].u_ocu.row_q", SMALL},
    {"a read is granted to the same slot of all collectors", NULL, "rd_grant_i[c*SLOTS +: SLOTS]", "rd_grant_i[0 +: SLOTS]",
     "gen_ocu[2].u_ocu.fill_q", SMALL},
    {"data arrives at the slot before", NULL, "fill_data_i[c*SLOTS*DATA_W +: SLOTS*DATA_W]",
     "{fill_data_i[c*SLOTS*DATA_W +: DATA_W], fill_data_i[(c*SLOTS + 1)*DATA_W +: (SLOTS-1)*DATA_W]}", "gen_ocu[0].u_ocu.data_q",
     SMALL},
    {"an instruction leaves when it is complete", NULL, ".dispatch_i(dispatched[c])", ".dispatch_i(collected[c])",
     "gen_ocu[1].u_ocu.busy_q", SMALL},
    {"an instruction leaves though its port does not accept", NULL, ".ex_ready_i(ex_ready_i)", ".ex_ready_i('1)",
     "gen_ocu[0].u_ocu.busy_q", SMALL},
    {"an instruction is offered before it is complete", NULL, ".collected_i(collected)", ".collected_i(busy)", "ex_valid", SMALL},
    {"all ports are offered what is for port 0", NULL, ".port_i(port)", ".port_i('0 & port)", "ex_valid", SMALL},
    {"the first slot's warp alone is reported", NULL, "{SLOTS{warp}}", "(SLOTS*WARP_W)'(warp)", "reader_warp", SMALL},
    {"unmapped sources are not 0", NULL, "zero_q[c][s] ? '0 : data", "1'b0 ? '0 : data", "ex_data", SMALL},
    {"a slot is 0 where collector 0's is", NULL, "zero_q[c][s] ?", "zero_q[0][s] ?", "ex_data", SMALL},
    {"operands come in reverse order", NULL, "operands[(s*COLLECTORS + c)*DATA_W",
     "operands[((SLOTS - 1 - s)*COLLECTORS + c)*DATA_W", "ex_data", SMALL},
    {"a mapped source is delivered as 0", NULL, "lane.renamed.common.src_valid & ~lane.mapped", "lane.renamed.common.src_valid",
     "zero_q", SMALL},
    {"a slot without source is delivered as 0", NULL, "lane.renamed.common.src_valid & ~lane.mapped", "~lane.mapped", "zero_q",
     SMALL},
    {"what comes along is group 0's", NULL, "lane_info_i[from*INFOW +: INFOW]", "lane_info_i[INFOW-1:0]", "info_q", SMALL},
    {"what comes along changes while a collector is busy", NULL, "else if (alloc[c]) begin", "else if (alloc != '0) begin",
     "zero_q", SMALL},
    {"what comes along is not reset", NULL, "info_q[c] <= '0", "info_q[c] <= info_q[c]", "info_q", SMALL},
    {"what comes along is collector 0's", NULL, "{carried, info_q[c]}", "{carried, info_q[0]}", "ex_info", SMALL},
    {"the lanes are shown as the tag", NULL, "= offer.tag", "= TAG_W'(offer.mask)", "ex_tag", SMALL},
    {0},
};
#undef SMALL

static const char *const sets[] = {
    "",
    "WARPS=6 COLLECTORS=3 BANKS=2 REGS=5 LANES=2 SLOTS=2 EXPORTS=3 PREGS=14 INFOW=7",
    "WARPS=1 COLLECTORS=1 BANKS=1 REGS=1 LANES=1 SLOTS=1 EXPORTS=1 ISSUES=1 PREGS=2 INFOW=1",
    "WARPS=9 COLLECTORS=5 BANKS=4 REGS=7 LANES=3 SLOTS=3 EXPORTS=5 ISSUES=3 PREGS=36 INFOW=13",
    "WARPS=64 COLLECTORS=10 BANKS=32 REGS=256 LANES=2 SLOTS=6 EXPORTS=4 ISSUES=4 PREGS=1024 INFOW=32",
    "WARPS=33 COLLECTORS=15 BANKS=16 REGS=33 LANES=5 SLOTS=4 EXPORTS=8 ISSUES=4 PREGS=16 INFOW=22",
    "WARPS=4 COLLECTORS=2 BANKS=8 REGS=6 LANES=1 SLOTS=5 EXPORTS=2 ISSUES=4 PREGS=1000 INFOW=20",
    NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv",        "rtl/common/rf_rr.sv",
                                  "rtl/banked/rf_banked_pkg.sv", "rtl/wir/rf_wir_pkg.sv",
                                  "rtl/banked/rf_ocu_alloc.sv",  "rtl/banked/rf_ocu.sv",
                                  "rtl/banked/rf_crossbar.sv",   "rtl/banked/rf_dispatch.sv",
                                  "rtl/banked/rf_stage_exec.sv", NULL};

#define LS_UNIT rf_wir_collect
#define LS_GROUP "wir"
#define LS_BRIEF "operand collectors: from the reuse lanes to the execution ports"
#define LS_FIELDS "tb/wir/rf_wir_collect.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
