/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_unwritten. */
#include "cmodel/wir/rf_unwritten.h"

#include "harness/core/unit.h"

/* Probabilities in 256ths. */
typedef struct rf_unwritten_stim {
    ls_rng rng;
    uint32_t give, write; /* of each port, in this phase */
    uint32_t left;        /* cycles of the phase to come */
    uint32_t meet;        /* a lookup names a register that was given out of late */
    uint32_t again;       /* a lookup asks again in the next cycle */
    uint32_t noise;       /* a port names any register */
    uint32_t special;     /* the cycle is one of the special ones */
    uint32_t pool;        /* registers that take part: few of them meet more often */
    uint32_t waiting;     /* given out and not written, the oldest first: the surroundings' own book */
    uint16_t held[64];
} rf_unwritten_stim;

static void stim_init(rf_unwritten_stim *s, const rf_unwritten *m, uint64_t seed) {
    *s = (rf_unwritten_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->meet = 64 + ls_rng_below(&s->rng, 160);
    s->again = 32 + ls_rng_below(&s->rng, 192);
    s->noise = 4 + ls_rng_below(&s->rng, 24);
    s->special = 6 + ls_rng_below(&s->rng, 20);
    s->pool = ls_rng_chance(&s->rng, 128) ? m->cfg.pregs : 2 + ls_rng_below(&s->rng, 30);
    if (s->pool > m->cfg.pregs) s->pool = m->cfg.pregs;
}

static void next_phase(rf_unwritten_stim *s) {
    const uint32_t most = 96 + ls_rng_below(&s->rng, 161), little = ls_rng_below(&s->rng, 48);
    s->left = 16 + ls_rng_below(&s->rng, 64);
    switch (ls_rng_below(&s->rng, 4)) {
    case 0:
        s->give = most, s->write = little;
        break;
    case 1:
        s->give = little, s->write = most;
        break;
    case 2:
        s->give = s->write = most;
        break;
    default:
        s->give = s->write = little;
        break;
    }
}

/* A register of the pool; now and then the last one, or any number of the port. */
static uint32_t draw_reg(rf_unwritten_stim *s, const rf_unwritten_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->noise)) return (uint32_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
    return ls_rng_chance(&s->rng, 8) ? cfg->pregs - 1 : ls_rng_below(&s->rng, s->pool);
}

/* One that waits for its write, when there is any. */
static uint32_t draw_waiting(rf_unwritten_stim *s, const rf_unwritten_cfg *cfg) {
    return s->waiting > 0 ? s->held[ls_rng_below(&s->rng, s->waiting)] : draw_reg(s, cfg);
}

static void draw_writes(rf_unwritten_stim *s, const rf_unwritten_cfg *cfg, rf_unwritten_in *in) {
    in->clr = (uint8_t)ls_rng_bits(&s->rng, cfg->issues, s->write);
    for (uint32_t p = 0; p < cfg->issues; p++) {
        if ((in->clr >> p & 1) == 0) {
            if (ls_rng_chance(&s->rng, 64)) in->clr_reg[p] = (uint16_t)draw_waiting(s, cfg);
            continue;
        }
        if (s->waiting == 0 || ls_rng_chance(&s->rng, s->noise)) {
            in->clr_reg[p] = (uint16_t)draw_reg(s, cfg);
            continue;
        }
        const uint32_t k = ls_rng_below(&s->rng, s->waiting);
        in->clr_reg[p] = s->held[k];
        s->held[k] = s->held[--s->waiting];
    }
}

static void draw_gives(rf_unwritten_stim *s, const rf_unwritten_cfg *cfg, rf_unwritten_in *in) {
    in->set = (uint8_t)ls_rng_bits(&s->rng, cfg->issues, s->give);
    for (uint32_t p = 0; p < cfg->issues; p++) {
        if ((in->set >> p & 1) == 0) {
            if (ls_rng_chance(&s->rng, 64)) in->set_reg[p] = (uint16_t)draw_reg(s, cfg);
            continue;
        }
        in->set_reg[p] = (uint16_t)draw_reg(s, cfg);
        if (s->waiting < sizeof s->held / sizeof *s->held && in->set_reg[p] < cfg->pregs) s->held[s->waiting++] = in->set_reg[p];
    }
}

/* Cycles that the mix of knobs may never reach by itself. */
static void special(rf_unwritten_stim *s, const rf_unwritten *m, rf_unwritten_in *in) {
    const rf_unwritten_cfg *cfg = &m->cfg;
    const uint32_t all = (uint32_t)rf_mask64(cfg->issues), kind = ls_rng_below(&s->rng, 6);
    const uint32_t r = ls_rng_chance(&s->rng, 128) ? draw_waiting(s, cfg) : draw_reg(s, cfg);
    const uint32_t top =
        (uint32_t)rf_mask64(rf_index_bits(cfg->pregs)); /* of no register, unless their number is a power of two */
    if (kind == 0) in->set = in->clr = 0;
    if (kind == 1) in->clr = (uint8_t)all;
    if (kind == 2) in->set = (uint8_t)all;
    if (kind == 3) in->set = in->clr = (uint8_t)all;
    for (uint32_t p = 0; p < cfg->issues; p++) {
        if (kind == 1 || kind == 3) in->clr_reg[p] = (uint16_t)r;
        if (kind == 2 || kind == 3) in->set_reg[p] = (uint16_t)r;
    }
    if (kind == 4) { /* everybody asks for one, which may be written in this cycle */
        if (ls_rng_chance(&s->rng, 128)) in->clr = 1, in->clr_reg[0] = (uint16_t)r;
        for (uint32_t p = 0; p < RF_EXPORTS_MAX; p++) in->lk_reg[p] = (uint16_t)r;
    }
    if (kind == 5) {
        in->set = in->clr = 1;
        in->set_reg[0] = in->clr_reg[0] = (uint16_t)top;
        in->lk_reg[ls_rng_below(&s->rng, RF_EXPORTS_MAX)] = (uint16_t)top;
    }
}

static void stim(rf_unwritten_stim *s, const rf_unwritten *m, rf_unwritten_in *in) {
    const rf_unwritten_cfg *cfg = &m->cfg;
    if (s->left == 0) next_phase(s);
    s->left--;
    draw_writes(s, cfg, in);
    draw_gives(s, cfg, in);
    for (uint32_t p = 0; p < RF_EXPORTS_MAX; p++)
        if (!ls_rng_chance(&s->rng, s->again))
            in->lk_reg[p] = (uint16_t)(ls_rng_chance(&s->rng, s->meet) ? draw_waiting(s, cfg) : draw_reg(s, cfg));
    if (ls_rng_chance(&s->rng, s->special)) special(s, m, in);
}

enum {
    IDLE,
    WAITS,
    WAITS_NOT,
    ALL_WAIT,
    NONE_WAITS,
    LOOKUP_OUT,
    LOOKUP_SET,
    LOOKUP_CLR,
    SET,
    SET_AGAIN,
    SET_TWICE,
    SET_OUT,
    CLR,
    CLR_AGAIN,
    CLR_TWICE,
    CLR_OUT,
    BOTH,
    BOTH_ON,
    TOP,
    ALL_PORTS,
    LOOKUP_BOTH
};

static const char *const bin_names[] = {"nothing is set or cleared",
                                        "a register that is looked up waits",
                                        "a register that is looked up does not wait",
                                        "all that are looked up wait",
                                        "none that is looked up waits",
                                        "lookup of no register",
                                        "lookup of a register in the cycle in which it is set",
                                        "lookup of a register in the cycle in which it is cleared",
                                        "set",
                                        "set of one that is set",
                                        "two ports set one register",
                                        "set of no register",
                                        "clear",
                                        "clear of one that is not set",
                                        "two ports clear one register",
                                        "clear of no register",
                                        "set and clear of one register",
                                        "set and clear of one register that is set",
                                        "the last register waits",
                                        "all ports set and clear",
                                        "lookup of a register in the cycle in which it is set and cleared",
                                        NULL};

static uint64_t bin(bool hit, uint32_t n) { return (uint64_t)hit << n; }

static uint64_t bins(const rf_unwritten *m, const rf_unwritten_in *in, const rf_unwritten_out *out) {
    const rf_unwritten_cfg *cfg = &m->cfg;
    const uint32_t all = (uint32_t)rf_mask64(cfg->issues);
    uint64_t hit = bin((in->set | in->clr) == 0, IDLE) | bin(out->waits != 0, WAITS) | bin(out->waits == 255, ALL_WAIT) |
                   bin(out->waits == 0, NONE_WAITS) | bin(m->bit_q[cfg->pregs - 1] != 0, TOP) |
                   bin(in->set == all && in->clr == all, ALL_PORTS);
    for (uint32_t k = 0; k < RF_EXPORTS_MAX; k++)
        hit |= bin(in->lk_reg[k] >= cfg->pregs, LOOKUP_OUT) |
               bin(in->lk_reg[k] < cfg->pregs && (out->waits >> k & 1) == 0, WAITS_NOT);
    for (uint32_t p = 0; p < cfg->issues; p++) {
        const uint32_t set = in->set_reg[p], clr = in->clr_reg[p];
        if ((in->set >> p & 1) != 0) {
            hit |= bin(set >= cfg->pregs, SET_OUT) | bin(set < cfg->pregs && !m->bit_q[set], SET);
            hit |= bin(m->bit_q[set] != 0, SET_AGAIN);
            for (uint32_t k = 0; k < RF_EXPORTS_MAX; k++)
                hit |= bin(set < cfg->pregs && !m->bit_q[set] && in->lk_reg[k] == set, LOOKUP_SET);
            for (uint32_t o = 0; o < cfg->issues; o++) {
                const bool clears = (in->clr >> o & 1) != 0 && in->clr_reg[o] == set && set < cfg->pregs;
                hit |= bin(o < p && (in->set >> o & 1) != 0 && in->set_reg[o] == set && set < cfg->pregs, SET_TWICE) |
                       bin(clears && !m->bit_q[set], BOTH) | bin(clears && m->bit_q[set], BOTH_ON);
                for (uint32_t k = 0; k < RF_EXPORTS_MAX; k++) hit |= bin(clears && in->lk_reg[k] == set, LOOKUP_BOTH);
            }
        }
        if ((in->clr >> p & 1) != 0) {
            hit |= bin(clr >= cfg->pregs, CLR_OUT) | bin(m->bit_q[clr] != 0, CLR);
            hit |= bin(clr < cfg->pregs && !m->bit_q[clr], CLR_AGAIN);
            for (uint32_t k = 0; k < RF_EXPORTS_MAX; k++) hit |= bin(m->bit_q[clr] != 0 && in->lk_reg[k] == clr, LOOKUP_CLR);
            for (uint32_t o = 0; o < p; o++)
                hit |= bin((in->clr >> o & 1) != 0 && in->clr_reg[o] == clr && m->bit_q[clr] != 0, CLR_TWICE);
        }
    }
    return hit;
}

static void unreachable(const rf_unwritten_cfg *cfg, ls_unreachable *to) {
    const bool exact = cfg->pregs == UINT32_C(1) << rf_index_bits(cfg->pregs);
    ls_unreachable_if(to, exact, LOOKUP_OUT, "every number is a register's");
    ls_unreachable_if(to, exact, SET_OUT, "every number is a register's");
    ls_unreachable_if(to, exact, CLR_OUT, "every number is a register's");
    ls_unreachable_if(to, cfg->issues == 1, SET_TWICE, "one port");
    ls_unreachable_if(to, cfg->issues == 1, CLR_TWICE, "one port");
}

#define SMALL "PREGS=13"
#define SET_RANGE "set_i[p] && {1'b0, set_reg_i[p*PREG_W +: PREG_W]} < (PREG_W+1)'(PREGS)"

static const ls_fault faults[] = {
    {"a register that does not exist waits", NULL, "< (PREG_W+1)'(PREGS) && bit_q", ">= (PREG_W+1)'(PREGS) || bit_q", "waits",
     SMALL},
    {"all look up what the first one asks for", NULL, "bit_q[lk_reg_i[p*PREG_W +: PREG_W]];", "bit_q[lk_reg_i[0 +: PREG_W]];",
     "waits", SMALL},
    {"the last who asks never waits", NULL, "assign waits_o[p] = {1'b0", "assign waits_o[p] = p != 7 && {1'b0", "waits", SMALL},
    {"waits in the cycle of the set", NULL, "&& bit_q[lk_reg_i[p*PREG_W +: PREG_W]];",
     "&& (bit_q[lk_reg_i[p*PREG_W +: PREG_W]] || (set[0] && lk_reg_i[p*PREG_W +: PREG_W] == set_reg_i[0 +: PREG_W]));", "waits",
     SMALL},
    {"does not wait in the cycle of the write", NULL, "&& bit_q[lk_reg_i[p*PREG_W +: PREG_W]];",
     "&& bit_q[lk_reg_i[p*PREG_W +: PREG_W]] && !(clr[0] && lk_reg_i[p*PREG_W +: PREG_W] == clr_reg_i[0 +: PREG_W]);", "waits",
     SMALL},
    {"a set of no register is one of register 0", NULL, "if (set[p]) bit_q[set_reg_i[p*PREG_W +: PREG_W]] <= 1'b1;",
     "if (set_i[p]) bit_q[set[p] ? set_reg_i[p*PREG_W +: PREG_W] : '0] <= 1'b1;", "bit_q", SMALL},
    {"a set that is not asked for", NULL, SET_RANGE, "{1'b0, set_reg_i[p*PREG_W +: PREG_W]} < (PREG_W+1)'(PREGS)", "bit_q",
     SMALL},
    {"the last register cannot be set", NULL, SET_RANGE, SET_RANGE " - (PREG_W+1)'(1)", "bit_q", SMALL},
    {"a clear that is not asked for", NULL, "clr[p] = clr_i[p] && ", "clr[p] = ", "bit_q", SMALL},
    {"a clear of no register is one of register 0", NULL, "if (clr[p]) bit_q[clr_reg_i[p*PREG_W +: PREG_W]] <= 1'b0;",
     "if (clr_i[p]) bit_q[clr[p] ? clr_reg_i[p*PREG_W +: PREG_W] : '0] <= 1'b0;", "bit_q", SMALL},
    {"clear beats set", NULL, "if (set[p]) bit_q",
     "if (set[p] && !(clr[p] && clr_reg_i[p*PREG_W +: PREG_W] == set_reg_i[p*PREG_W +: PREG_W])) bit_q", "bit_q", SMALL},
    {"the second port's set is lost", NULL, "if (set[p]) bit_q", "if (set[p] && p == 0) bit_q", "bit_q", SMALL},
    {"the second port clears the first one's register", NULL, "if (clr[p]) bit_q[clr_reg_i[p*PREG_W +: PREG_W]]",
     "if (clr[p]) bit_q[clr_reg_i[0 +: PREG_W]]", "bit_q", SMALL},
    {"register 0 is not reset", NULL, "for (int b = 0; b < PREGS && b < 512; b += 32) for (int r = 0;",
     "for (int b = 0; b < PREGS && b < 512; b += 32) for (int r = 1;", "bit_q", SMALL},
    {"registers from 512 on are not reset", NULL, "for (int b = 512;", "for (int b = 1024;", "bit_q", "PREGS=520"},
    {"a set beats reset", NULL, "if (!rst_ni) begin", "if (!rst_ni && !set_i[0]) begin", "bit_q", SMALL},
    {0},
};

static const char *const sets[] = {"", "PREGS=2 ISSUES=1", "PREGS=3 ISSUES=4", "PREGS=13 ISSUES=2", "PREGS=1000 ISSUES=3", NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_unwritten
#define LS_GROUP "wir"
#define LS_BRIEF "registers given out and not written yet"
#define LS_FIELDS "tb/wir/rf_unwritten.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
