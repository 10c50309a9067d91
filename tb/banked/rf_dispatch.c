/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_dispatch. */
#include "cmodel/banked/rf_dispatch.h"

#include "harness/core/unit.h"

typedef struct rf_dispatch_stim {
    ls_rng rng;
    /* Probabilities, in 256ths. */
    uint32_t ready;   /* an idle collector gets ready */
    uint32_t accept;  /* a port changes between accepting and not: to accepting */
    uint32_t change;  /* ports change in this cycle */
    uint32_t crowd;   /* a collector needs the crowded port */
    uint32_t special; /* the cycle is one of the special ones */
    uint32_t port;    /* the crowded port */
    uint16_t grant;
} rf_dispatch_stim;

static void stim_init(rf_dispatch_stim *s, const rf_dispatch *m, uint64_t seed) {
    static const uint32_t densities[] = {4, 32, 96, 192, 256};
    ls_rng_seed(&s->rng, seed);
    s->ready = densities[ls_rng_below(&s->rng, 5)];
    s->accept = 32 + ls_rng_below(&s->rng, 208);
    s->change = ls_rng_chance(&s->rng, 128) ? 256 : 16 + ls_rng_below(&s->rng, 128);
    s->crowd = ls_rng_chance(&s->rng, 128) ? 0 : ls_rng_below(&s->rng, 224);
    s->special = 8 + ls_rng_below(&s->rng, 56);
    s->port = ls_rng_below(&s->rng, m->cfg.exports);
    s->grant = 0;
}

/* Mostly a port that exists; one in 32 any value of the wires. */
static uint8_t draw_port(rf_dispatch_stim *s, const rf_dispatch_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->crowd)) return (uint8_t)s->port;
    if (ls_rng_chance(&s->rng, 8)) return (uint8_t)ls_rng_below(&s->rng, UINT32_C(1) << rf_index_bits(cfg->exports));
    return (uint8_t)ls_rng_below(&s->rng, cfg->exports);
}

static void stim(rf_dispatch_stim *s, const rf_dispatch *m, rf_dispatch_in *in) {
    const rf_dispatch_cfg *cfg = &m->cfg;
    const uint32_t kind = ls_rng_chance(&s->rng, s->special) ? ls_rng_below(&s->rng, 4) : 4;
    if (ls_rng_chance(&s->rng, 4)) s->port = ls_rng_below(&s->rng, cfg->exports);
    const uint64_t waiting = in->ready & ~(uint64_t)s->grant;
    uint64_t fresh = ls_rng_bits(&s->rng, cfg->collectors, kind == 1 ? 128 : s->ready) & ~waiting;
    if (kind == 2) fresh = rf_mask64(cfg->collectors); /* everybody is ready, and needs another port */
    for (uint64_t set = fresh; set != 0; set &= set - 1)
        in->port[rf_lowest(set)] = (uint8_t)(kind == 2 ? (rf_lowest(set) + s->port) % cfg->exports : draw_port(s, cfg));
    in->ready = kind == 0 ? 0 : (uint16_t)(waiting | fresh);
    if (kind == 3) in->ex_ready = (uint8_t)ls_rng_value(&s->rng, cfg->exports);
    else if (ls_rng_chance(&s->rng, s->change)) in->ex_ready = (uint8_t)ls_rng_bits(&s->rng, cfg->exports, s->accept);
}

static void observe(rf_dispatch_stim *s, const rf_dispatch_in *in, const rf_dispatch_out *out) {
    (void)in;
    s->grant = out->grant;
}

static const char *const bin_names[] = {"no collector is ready",
                                        "a collector is dispatched",
                                        "a port does not accept its offer",
                                        "a port accepts no offer",
                                        "two collectors want one port",
                                        "as many ports are offered as can",
                                        "granted above the pointer",
                                        "granted below the pointer",
                                        "a port that does not exist",
                                        "several collectors at once",
                                        NULL};

static uint64_t bins(const rf_dispatch *m, const rf_dispatch_in *in, const rf_dispatch_out *out) {
    const rf_dispatch_cfg *cfg = &m->cfg;
    const uint32_t most = cfg->collectors < cfg->exports ? cfg->collectors : cfg->exports;
    const uint32_t ports = (uint32_t)rf_mask64(cfg->exports);
    uint32_t wanted = 0;
    bool conflict = false, above = false, below = false, nowhere = false;
    for (uint32_t set = in->ready; set != 0; set &= set - 1) {
        const uint32_t c = rf_lowest(set), e = in->port[c];
        nowhere = nowhere || e >= cfg->exports;
        if (e >= cfg->exports) continue;
        conflict = conflict || (wanted >> e & 1) != 0;
        wanted |= UINT32_C(1) << e;
        const bool granted = (out->grant >> c & 1) != 0, inside = (m->rr[e].mask_q >> c & 1) != 0;
        above = above || (granted && inside);
        below = below || (granted && !inside);
    }
    return (uint64_t)(in->ready == 0) << 0 | (uint64_t)(out->grant != 0) << 1 |
           (uint64_t)((out->ex_valid & ~in->ex_ready) != 0) << 2 |
           (uint64_t)((in->ex_ready & ~(uint32_t)out->ex_valid & ports) != 0) << 3 | (uint64_t)conflict << 4 |
           (uint64_t)((uint32_t)__builtin_popcount(out->ex_valid) == most) << 5 | (uint64_t)above << 6 | (uint64_t)below << 7 |
           (uint64_t)nowhere << 8 | (uint64_t)(__builtin_popcount(out->grant) > 1) << 9;
}

static void unreachable(const rf_dispatch_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->collectors == 1, 4, "one collector");
    ls_unreachable_if(to, cfg->collectors == 1, 6, "one collector");
    ls_unreachable_if(to, cfg->collectors == 1, 9, "one collector");
    ls_unreachable_if(to, cfg->exports == 1, 9, "one port");
    ls_unreachable_if(to, cfg->exports > 1 && (cfg->exports & (cfg->exports - 1)) == 0, 8, "every number is that of a port");
}

static const ls_fault faults[] = {
    {"pointer moves although the port does not accept", NULL, ".take_i(ex_ready_i[e])", ".take_i(1'b1)",
     "gen_port[0].u_rr.mask_q", "EXPORTS=1"},
    {"pointer does not move", NULL, ".take_i(ex_ready_i[e])", ".take_i(1'b0)", "gen_port[0].u_rr.mask_q", "EXPORTS=1"},
    {"pointer looks at another port's ready", NULL, ".take_i(ex_ready_i[e])", ".take_i(ex_ready_i[EXPORTS-1])",
     "gen_port[0].u_rr.mask_q", "EXPORTS=2"},
    {"released although the port does not accept", NULL, "offer & {COLLECTORS{ex_ready_i[e]}}", "offer", "grant", NULL},
    {"every collector that asks is released", NULL, "offer & {COLLECTORS{ex_ready_i[e]}}", "ask & {COLLECTORS{ex_ready_i[e]}}",
     "grant", NULL},
    {"not ready, dispatched all the same", NULL, "ask = ready_i;", "ask = ready_i | {COLLECTORS{ex_ready_i[e]}};", "grant", NULL},
    {"valid waits for ready", NULL, ".req_i(ask)", ".req_i(ask & {COLLECTORS{ex_ready_i[e]}})", "ex_valid", NULL},
    {"port that does not exist served by port 1", NULL, "? port_bit[k] : ~port_bit[k]",
     "? port_bit[k] : ~port_bit[k] | {COLLECTORS{ex_ready_i[e] && e == 1 && k == 1}}", "grant", "EXPORTS=3"},
    {"a port that accepts takes collectors of others", NULL, "? port_bit[k] : ~port_bit[k]",
     "? port_bit[k] : ~port_bit[k] | {COLLECTORS{ex_ready_i[e]}}", "grant", NULL},
    {"the lowest collector that asks is released", NULL, "offer & {COLLECTORS{ex_ready_i[e]}}",
     "ask & (~ask + 1'b1) & {COLLECTORS{ex_ready_i[e]}}", "grant", NULL},
    {"released when another port accepts", NULL, "offer & {COLLECTORS{ex_ready_i[e]}}",
     "offer & {COLLECTORS{ex_ready_i[EXPORTS-1-e]}}", "grant", NULL},
    {"collector offered is the lowest that asks", NULL, "|(offer & rf_pkg::NUMBERS", "|((ask & (~ask + 1'b1)) & rf_pkg::NUMBERS",
     "ex_sel", NULL},
    {"collector number without its top bit", NULL, "|(offer & rf_pkg::NUMBERS", "(k + 1 < SEL_W) && |(offer & rf_pkg::NUMBERS",
     "ex_sel", NULL},
    {"grants of the last port lost", NULL, "for (int e = 0; e < EXPORTS; e++)", "for (int e = 0; e < EXPORTS - 1; e++)", "grant",
     NULL},
    {0},
};

static const char *const sets[] = {"",
                                   "COLLECTORS=1 EXPORTS=1",
                                   "COLLECTORS=1 EXPORTS=3",
                                   "COLLECTORS=3 EXPORTS=1",
                                   "COLLECTORS=3 EXPORTS=5",
                                   "COLLECTORS=8 EXPORTS=4",
                                   "COLLECTORS=13 EXPORTS=7",
                                   "COLLECTORS=16 EXPORTS=8",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/common/rf_rr.sv", NULL};

#define LS_UNIT rf_dispatch
#define LS_GROUP "banked"
#define LS_BRIEF "ready collectors to execution ports, round-robin"
#define LS_FIELDS "tb/banked/rf_dispatch.fields"
#define LS_UNREACHABLE
#define LS_STEP
#define LS_OBSERVE
#include "harness/core/unit_define.h"
