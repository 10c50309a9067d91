/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_scoreboard. */
#include "cmodel/banked/rf_scoreboard.h"

#include <string.h>

#include "harness/core/unit.h"

typedef struct rf_scoreboard_stim {
    ls_rng rng;
    uint32_t set;     /* probability of each port, in 256ths */
    uint32_t clr;     /* probability of each port, in 256ths */
    uint32_t renew;   /* probability of each reader of changing, in 256ths */
    uint32_t heads;   /* warps whose next instruction changes in a cycle, at most */
    uint32_t warps;   /* warps that take part: few of them meet more often */
    uint32_t pool;    /* registers named */
    uint32_t outside; /* probability that an index names nothing, in 256ths */
} rf_scoreboard_stim;

static void stim_init(rf_scoreboard_stim *s, const rf_scoreboard *m, uint64_t seed) {
    const rf_scoreboard_cfg *cfg = &m->cfg;
    ls_rng_seed(&s->rng, seed);
    s->set = 24 + ls_rng_below(&s->rng, 160);
    s->clr = 24 + ls_rng_below(&s->rng, 160);
    s->renew = 16 + ls_rng_below(&s->rng, 96);
    s->heads = 1 + ls_rng_below(&s->rng, 8);
    s->warps = ls_rng_chance(&s->rng, 96) ? 1 + ls_rng_below(&s->rng, cfg->warps) : cfg->warps;
    s->pool = ls_rng_chance(&s->rng, 128) ? 2 + ls_rng_below(&s->rng, 6) : cfg->regs;
    if (s->pool > cfg->regs) s->pool = cfg->regs;
    s->outside = 8 + ls_rng_below(&s->rng, 24);
}

/* An index of `n` things: below `some`, now and then one that does not exist, or the last when all codes are taken. */
static uint8_t draw_index(rf_scoreboard_stim *s, uint32_t n, uint32_t some) {
    const uint32_t outside = (UINT32_C(1) << rf_index_bits(n)) - n;
    if (!ls_rng_chance(&s->rng, s->outside)) return (uint8_t)ls_rng_below(&s->rng, some);
    return (uint8_t)(outside != 0 ? n + ls_rng_below(&s->rng, outside) : n - 1);
}

static uint8_t draw_warp(rf_scoreboard_stim *s, const rf_scoreboard_cfg *cfg) { return draw_index(s, cfg->warps, s->warps); }

static uint8_t draw_reg(rf_scoreboard_stim *s, const rf_scoreboard_cfg *cfg) { return draw_index(s, cfg->regs, s->pool); }

static void draw_head(rf_scoreboard_stim *s, const rf_scoreboard_cfg *cfg, uint32_t w, rf_scoreboard_in *in) {
    const uint64_t bit = UINT64_C(1) << w;
    in->chk_dst_valid = ls_rng_chance(&s->rng, 192) ? in->chk_dst_valid | bit : in->chk_dst_valid & ~bit;
    in->chk_dst[w] = draw_reg(s, cfg);
    in->chk_src_valid[w] = (uint8_t)ls_rng_bits(&s->rng, cfg->slots, 128);
    for (uint32_t i = 0; i < cfg->slots; i++) in->chk_src[w * cfg->slots + i] = draw_reg(s, cfg);
}

/* Finds a pending register: the first at or after a random place of a random warp. */
static bool draw_pending(rf_scoreboard_stim *s, const rf_scoreboard *m, uint8_t *warp, uint8_t *reg) {
    const uint32_t w = ls_rng_below(&s->rng, s->warps);
    const uint32_t from = ls_rng_below(&s->rng, m->cfg.regs);
    const rf_bits256 *pending = &m->pending_q[w];
    uint64_t word = pending->w[from >> 6] & ~rf_mask64(from & 63);
    for (uint32_t i = from >> 6; i < 4; word = ++i < 4 ? pending->w[i] : 0) {
        if (word == 0) continue;
        *warp = (uint8_t)w;
        *reg = (uint8_t)(i * 64 + rf_lowest(word));
        return true;
    }
    return false;
}

/* Results return mostly for pending registers. */
static void draw_clears(rf_scoreboard_stim *s, const rf_scoreboard *m, rf_scoreboard_in *in) {
    in->clr = (uint8_t)ls_rng_bits(&s->rng, m->cfg.writers, s->clr);
    for (uint32_t p = 0; p < m->cfg.writers; p++) {
        if (!ls_rng_chance(&s->rng, 32) && draw_pending(s, m, &in->clr_warp[p], &in->clr_reg[p])) continue;
        in->clr_warp[p] = draw_warp(s, &m->cfg);
        in->clr_reg[p] = draw_reg(s, &m->cfg);
    }
}

/* An instruction issues mostly from a warp's head; one in eight meets a clear or another set of this cycle. */
static void draw_sets(rf_scoreboard_stim *s, const rf_scoreboard_cfg *cfg, rf_scoreboard_in *in) {
    in->set = (uint8_t)ls_rng_bits(&s->rng, cfg->issues, s->set);
    for (uint32_t p = 0; p < cfg->issues; p++) {
        const uint32_t kind = ls_rng_below(&s->rng, 16);
        if (kind == 0) {
            const uint32_t k = ls_rng_below(&s->rng, cfg->writers);
            in->set_warp[p] = in->clr_warp[k];
            in->set_reg[p] = in->clr_reg[k];
        } else if (kind == 1 && p > 0) {
            in->set_warp[p] = in->set_warp[p - 1];
            in->set_reg[p] = in->set_reg[p - 1];
        } else {
            const uint32_t w = draw_warp(s, cfg);
            in->set_warp[p] = (uint8_t)w;
            in->set_reg[p] = kind < 12 && w < cfg->warps ? in->chk_dst[w] : draw_reg(s, cfg);
        }
    }
}

static void draw_readers(rf_scoreboard_stim *s, const rf_scoreboard_cfg *cfg, rf_scoreboard_in *in) {
    for (uint64_t left = ls_rng_bits(&s->rng, cfg->readers, s->renew); left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left);
        const uint64_t bit = left & (~left + 1);
        const uint32_t w = draw_warp(s, cfg);
        in->rdp = ls_rng_chance(&s->rng, 96) ? in->rdp | bit : in->rdp & ~bit;
        in->rdp_warp[r] = (uint8_t)w;
        in->rdp_reg[r] = w < cfg->warps && ls_rng_chance(&s->rng, 96) ? in->chk_dst[w] : draw_reg(s, cfg);
    }
}

static void stim(rf_scoreboard_stim *s, const rf_scoreboard *m, rf_scoreboard_in *in) {
    const rf_scoreboard_cfg *cfg = &m->cfg;
    if (ls_rng_below(&s->rng, 512) == 0) { /* nobody has an instruction: rare by itself among many warps */
        in->chk_dst_valid = 0;
        memset(in->chk_src_valid, 0, sizeof in->chk_src_valid);
    }
    for (uint32_t i = ls_rng_below(&s->rng, s->heads + 1); i != 0; i--) draw_head(s, cfg, ls_rng_below(&s->rng, cfg->warps), in);
    draw_readers(s, cfg, in);
    draw_clears(s, m, in);
    draw_sets(s, cfg, in);
}

static const char *const bin_names[] = {"a warp may issue while one of its registers is pending",
                                        "no warp must wait",
                                        "RAW",
                                        "WAW",
                                        "WAR and nothing else",
                                        "pending source not valid",
                                        "pending destination not valid",
                                        "outstanding read of a destination that is not valid",
                                        "outstanding read of another warp's destination",
                                        "source outside",
                                        "destination outside, read outside",
                                        "reader of a warp outside",
                                        "set",
                                        "set of a pending register",
                                        "set of a warp outside",
                                        "set of a register outside",
                                        "several sets",
                                        "one register set twice",
                                        "clear",
                                        "clear of a register not pending",
                                        "clear of a warp outside",
                                        "clear of a register outside",
                                        "several clears",
                                        "one register set and cleared",
                                        NULL};

typedef enum bin {
    BIN_FREE,
    BIN_NONE,
    BIN_RAW,
    BIN_WAW,
    BIN_WAR,
    BIN_NO_SRC,
    BIN_NO_DST,
    BIN_NO_WAR,
    BIN_OTHER,
    BIN_SRC_OUT,
    BIN_DST_OUT,
    BIN_READER_OUT,
    BIN_SET,
    BIN_SET_AGAIN,
    BIN_SET_WARP_OUT,
    BIN_SET_REG_OUT,
    BIN_SETS,
    BIN_SET_TWICE,
    BIN_CLR,
    BIN_CLR_IDLE,
    BIN_CLR_WARP_OUT,
    BIN_CLR_REG_OUT,
    BIN_CLRS,
    BIN_SET_CLR
} bin; /* in the order of bin_names */

/* The bin, as a bit, when `hit`. */
static uint64_t at(bin b, bool hit) { return (uint64_t)hit << b; }

static bool is_pending(const rf_scoreboard *m, uint32_t w, uint32_t reg) {
    return w < m->cfg.warps && (m->pending_q[w].w[reg >> 6] >> (reg & 63) & 1) != 0;
}

static uint64_t bins_of_heads(const rf_scoreboard *m, const rf_scoreboard_in *in, const rf_scoreboard_out *out) {
    uint64_t hit = at(BIN_NONE, out->hazard == 0);
    for (uint32_t w = 0; w < m->cfg.warps; w++) {
        const rf_bits256 *p = &m->pending_q[w];
        const bool any = (p->w[0] | p->w[1] | p->w[2] | p->w[3]) != 0;
        const bool wants = (in->chk_dst_valid >> w & 1) != 0;
        const bool dst = is_pending(m, w, in->chk_dst[w]);
        uint32_t src = 0, beyond = 0;
        for (uint32_t i = 0; i < m->cfg.slots; i++) {
            const uint32_t reg = in->chk_src[w * m->cfg.slots + i];
            src |= (uint32_t)is_pending(m, w, reg) << i;
            beyond |= (uint32_t)(reg >= m->cfg.regs) << i;
        }
        const bool raw = (src & in->chk_src_valid[w]) != 0;
        const bool waits = (out->hazard >> w & 1) != 0;
        hit |= at(BIN_FREE, any && !waits) | at(BIN_RAW, raw) | at(BIN_WAW, wants && dst) |
               at(BIN_WAR, waits && !raw && !(wants && dst)) | at(BIN_NO_SRC, (src & ~(uint32_t)in->chk_src_valid[w]) != 0) |
               at(BIN_NO_DST, dst && !wants) | at(BIN_SRC_OUT, (beyond & in->chk_src_valid[w]) != 0);
    }
    return hit;
}

static uint64_t bins_of_readers(const rf_scoreboard *m, const rf_scoreboard_in *in) {
    uint64_t hit = 0;
    for (uint64_t left = in->rdp; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left);
        const uint32_t w = in->rdp_warp[r];
        const uint32_t reg = in->rdp_reg[r];
        const uint32_t next = w + 1 < m->cfg.warps ? w + 1 : 0;
        const bool wants = (in->chk_dst_valid >> w & 1) != 0;
        if (w >= m->cfg.warps) {
            hit |= at(BIN_READER_OUT, true);
            continue;
        }
        const bool names = in->chk_dst[w] == reg;
        hit |= at(BIN_NO_WAR, names && !wants) | at(BIN_DST_OUT, names && wants && reg >= m->cfg.regs) |
               at(BIN_OTHER, !names && in->chk_dst[next] == reg && (in->chk_dst_valid >> next & 1) != 0);
    }
    return hit;
}

static uint64_t bins_of_ports(const rf_scoreboard *m, const rf_scoreboard_in *in) {
    const uint32_t warps = m->cfg.warps, regs = m->cfg.regs;
    uint64_t hit = at(BIN_SETS, (in->set & (in->set - 1)) != 0) | at(BIN_CLRS, (in->clr & (in->clr - 1)) != 0);
    for (uint32_t left = in->set; left != 0; left &= left - 1) {
        const uint32_t p = rf_lowest(left);
        const uint32_t w = in->set_warp[p], reg = in->set_reg[p];
        const bool inside = w < warps && reg < regs;
        hit |= at(BIN_SET, inside) | at(BIN_SET_AGAIN, is_pending(m, w, reg)) | at(BIN_SET_WARP_OUT, w >= warps) |
               at(BIN_SET_REG_OUT, w < warps && reg >= regs);
        for (uint32_t rest = left & (left - 1); rest != 0; rest &= rest - 1)
            hit |= at(BIN_SET_TWICE, inside && w == in->set_warp[rf_lowest(rest)] && reg == in->set_reg[rf_lowest(rest)]);
        for (uint32_t clr = in->clr; clr != 0; clr &= clr - 1)
            hit |= at(BIN_SET_CLR, inside && w == in->clr_warp[rf_lowest(clr)] && reg == in->clr_reg[rf_lowest(clr)]);
    }
    for (uint32_t left = in->clr; left != 0; left &= left - 1) {
        const uint32_t p = rf_lowest(left);
        const uint32_t w = in->clr_warp[p], reg = in->clr_reg[p];
        hit |= at(BIN_CLR, is_pending(m, w, reg)) | at(BIN_CLR_IDLE, w < warps && reg < regs && !is_pending(m, w, reg)) |
               at(BIN_CLR_WARP_OUT, w >= warps) | at(BIN_CLR_REG_OUT, w < warps && reg >= regs);
    }
    return hit;
}

static uint64_t bins(const rf_scoreboard *m, const rf_scoreboard_in *in, const rf_scoreboard_out *out) {
    return bins_of_heads(m, in, out) | bins_of_readers(m, in) | bins_of_ports(m, in);
}

#define SMALL "WARPS=5 REGS=12 READERS=6"

static void unreachable(const rf_scoreboard_cfg *cfg, ls_unreachable *to) {
    const bool warps_exact = cfg->warps == UINT32_C(1) << rf_index_bits(cfg->warps);
    const bool regs_exact = cfg->regs == UINT32_C(1) << rf_index_bits(cfg->regs);
    ls_unreachable_if(to, regs_exact, BIN_SRC_OUT, "every number is that of a register");
    ls_unreachable_if(to, regs_exact, BIN_DST_OUT, "every number is that of a register");
    ls_unreachable_if(to, regs_exact, BIN_SET_REG_OUT, "every number is that of a register");
    ls_unreachable_if(to, regs_exact, BIN_CLR_REG_OUT, "every number is that of a register");
    ls_unreachable_if(to, warps_exact, BIN_READER_OUT, "every number is that of a warp");
    ls_unreachable_if(to, warps_exact, BIN_SET_WARP_OUT, "every number is that of a warp");
    ls_unreachable_if(to, warps_exact, BIN_CLR_WARP_OUT, "every number is that of a warp");
    ls_unreachable_if(to, cfg->warps == 1, BIN_OTHER, "one warp");
    ls_unreachable_if(to, cfg->issues == 1, BIN_SETS, "one set port");
    ls_unreachable_if(to, cfg->issues == 1, BIN_SET_TWICE, "one set port");
    ls_unreachable_if(to, cfg->writers == 1, BIN_CLRS, "one clear port");
}

static const ls_fault faults[] = {
    {"RAW not seen", NULL, "(raw & chk_src_valid_i[w*SLOTS +: SLOTS]) != '0 || (", "(", "hazard", SMALL},
    {"sources that are not valid count", NULL, "raw & chk_src_valid_i[w*SLOTS +: SLOTS]", "raw", "hazard", SMALL},
    {"last source not looked up", NULL, "raw[s] = pending[", "raw[s] = s + 1 < SLOTS && pending[", "hazard", SMALL},
    {"WAW not seen", NULL, " || (chk_dst_valid_i[w] && pending[dst[w]])", "", "hazard", SMALL},
    {"a destination that is not valid counts", NULL, "(chk_dst_valid_i[w] && pending[dst[w]])", "pending[dst[w]]", "hazard",
     SMALL},
    {"WAR not seen", NULL, "raw_waw | (war & dst_valid)", "raw_waw", "hazard", SMALL},
    {"WAR for a destination that is not valid", NULL, "(war & dst_valid)", "war", "hazard", SMALL},
    {"WAR for a destination that does not exist", NULL, "chk_dst_valid_i[w] && {1'b0, dst[w]} < (REG_W+1)'(REGS)",
     "chk_dst_valid_i[w]", "hazard", SMALL},
    {"WAR for another register", NULL, "rdp_i[r] && dst[rdp_warp_i[r*WARP_W +: WARP_W]] == rdp_reg_i[r*REG_W +: REG_W]",
     "rdp_i[r]", "hazard", SMALL},
    {"WAR from a reader that is done", NULL, "war_hit[r] = rdp_i[r] && ", "war_hit[r] = ", "hazard", SMALL},
    {"set does nothing", NULL, "<= 1'b1;", "<= 1'b0;", "pending_q", SMALL},
    {"the last set port is ignored", NULL, "set[p] = set_i[p] && ", "set[p] = set_i[p] && p + 1 < ISSUES && ", "pending_q",
     SMALL},
    {"clear does nothing", NULL, "if (clr[p])", "if (clr[p] && !rst_ni)", "pending_q", SMALL},
    {"clear wins", NULL, "if (set[p])",
     "if (set[p] && !(clr[0] && clr_warp_i[WARP_W-1:0] == set_warp_i[p*WARP_W +: WARP_W] && "
     "clr_reg_i[REG_W-1:0] == set_reg_i[p*REG_W +: REG_W]))",
     "pending_q", SMALL},
    {"all set ports use the warp of port 0", NULL, "pending_q[set_warp_i[p*WARP_W +: WARP_W]]",
     "pending_q[set_warp_i[WARP_W-1:0]]", "pending_q", SMALL},
    {"only odd warps are cleared", NULL, "clr[p] = clr_i[p] && {1'b0, clr_warp_i[p*WARP_W +: WARP_W]} < (WARP_W+1)'(WARPS) &&",
     "clr[p] = clr_i[p] && clr_warp_i[p*WARP_W] &&", "pending_q", SMALL},
    {"the last warp is not reset", NULL, "w < WARPS; w++) pending_q[w] <= '0", "w + 1 < WARPS; w++) pending_q[w] <= '0",
     "pending_q", SMALL},
    {"a set beats reset", NULL, "if (!rst_ni) begin", "if (!rst_ni && set_i == '0) begin", "pending_q", SMALL},
    {0},
};

static const char *const sets[] = {
    "",
    "WARPS=1 REGS=1 SLOTS=1 READERS=1 ISSUES=1 WRITERS=1",
    "WARPS=8 REGS=32 SLOTS=3 READERS=9",
    "WARPS=3 REGS=5 SLOTS=2 READERS=3 ISSUES=2 WRITERS=5",
    "WARPS=33 REGS=33 SLOTS=7 READERS=5 ISSUES=3 WRITERS=3",
    "WARPS=48 REGS=63 SLOTS=3 READERS=24 ISSUES=2 WRITERS=4",
    "WARPS=32 REGS=256 SLOTS=7 READERS=56 ISSUES=1",
    "WARPS=64 REGS=255 SLOTS=8 READERS=64 ISSUES=4 WRITERS=8",
    "WARPS=4 REGS=65 READERS=9",          /* one register more than a word has bits */
    "WARPS=8 REGS=200 SLOTS=3 READERS=9", /* three sources, and more registers than one word has bits */
    NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_scoreboard
#define LS_GROUP "banked"
#define LS_BRIEF "pending destinations and hazards of all warps"
#define LS_FIELDS "tb/banked/rf_scoreboard.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
