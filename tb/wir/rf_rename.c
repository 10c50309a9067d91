/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_rename. */
#include "cmodel/wir/rf_rename.h"

#include "harness/core/unit.h"

#define RECENT 8u

/* Probabilities in 256ths. */
typedef struct rf_rename_stim {
    ls_rng rng;
    uint32_t write, walk, end; /* a mapping is written, an entry is taken, a warp ends; in this phase */
    uint32_t left;             /* cycles of the phase to come */
    uint32_t meet;             /* a read names a register that was written of late */
    uint32_t pin;              /* a mapping is pinned */
    uint32_t stray;            /* a write to a warp that is marked goes on */
    uint32_t noise;            /* any warp, any register */
    uint32_t special;          /* the cycle is one of the special ones */
    uint32_t warps, regs;      /* that take part: few of them meet more often */
    uint32_t at;
    uint8_t warp[RECENT], reg[RECENT]; /* written of late */
} rf_rename_stim;

static void stim_init(rf_rename_stim *s, const rf_rename *m, uint64_t seed) {
    const rf_rename_cfg *cfg = &m->cfg;
    *s = (rf_rename_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->meet = 64 + ls_rng_below(&s->rng, 128);
    s->pin = 16 + ls_rng_below(&s->rng, 128);
    s->stray = 8 + ls_rng_below(&s->rng, 40);
    s->noise = 4 + ls_rng_below(&s->rng, 20);
    s->special = 6 + ls_rng_below(&s->rng, 20);
    s->warps = ls_rng_chance(&s->rng, 96) ? cfg->warps : 1 + ls_rng_below(&s->rng, cfg->warps);
    s->regs = ls_rng_chance(&s->rng, 96) ? cfg->regs : 1 + ls_rng_below(&s->rng, cfg->regs);
}

/* Warps run; some end and their mappings go while the others run on; who takes them is free, or busy with other things. */
static void next_phase(rf_rename_stim *s) {
    s->left = 16 + ls_rng_below(&s->rng, 96);
    s->write = 32 + ls_rng_below(&s->rng, 208);
    s->walk = 128 + ls_rng_below(&s->rng, 129);
    s->end = ls_rng_below(&s->rng, 6);
    switch (ls_rng_below(&s->rng, 4)) {
    case 0:
        s->end = 0, s->left *= 2;
        break;
    case 1:
        s->write = ls_rng_below(&s->rng, 32), s->end = 16 + ls_rng_below(&s->rng, 32);
        break;
    case 2:
        s->walk = ls_rng_below(&s->rng, 64);
        break;
    default:
        break;
    }
}

static uint32_t draw_warp(rf_rename_stim *s, const rf_rename_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->noise)) return (uint32_t)ls_rng_value(&s->rng, rf_index_bits(cfg->warps));
    return ls_rng_chance(&s->rng, 16) ? cfg->warps - 1 : ls_rng_below(&s->rng, s->warps);
}

static uint32_t draw_reg(rf_rename_stim *s, const rf_rename_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->noise)) return (uint32_t)ls_rng_value(&s->rng, rf_index_bits(cfg->regs));
    return ls_rng_chance(&s->rng, 16) ? cfg->regs - 1 : ls_rng_below(&s->rng, s->regs);
}

static void draw_read(rf_rename_stim *s, const rf_rename_cfg *cfg, rf_rename_in *in) {
    const bool meet = ls_rng_chance(&s->rng, s->meet);
    in->rd_warp = (uint8_t)(meet ? s->warp[ls_rng_below(&s->rng, RECENT)] : draw_warp(s, cfg));
    for (uint32_t k = 0; k <= cfg->slots; k++) {
        uint32_t reg = draw_reg(s, cfg);
        for (uint32_t i = 0; meet && i < RECENT; i++) /* one of this warp's, two times in three */
            if (s->warp[i] == in->rd_warp && ls_rng_chance(&s->rng, 170)) reg = s->reg[i];
        if (k < cfg->slots) in->rd_src[k] = (uint8_t)reg;
        else in->rd_dst = (uint8_t)reg;
    }
}

static void draw_write(rf_rename_stim *s, const rf_rename *m, rf_rename_in *in) {
    const rf_rename_cfg *cfg = &m->cfg;
    in->wr_valid = ls_rng_chance(&s->rng, s->write);
    in->wr_warp = (uint8_t)draw_warp(s, cfg);
    in->wr_reg = (uint8_t)draw_reg(s, cfg);
    in->wr_preg = (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
    in->wr_pin = ls_rng_chance(&s->rng, s->pin);
    if ((m->walking_q >> in->wr_warp & 1) != 0 && !ls_rng_chance(&s->rng, s->stray)) in->wr_valid = 0;
    if (in->wr_valid) {
        s->warp[s->at % RECENT] = in->wr_warp;
        s->reg[s->at++ % RECENT] = in->wr_reg;
    }
}

static void draw_clear(rf_rename_stim *s, const rf_rename_cfg *cfg, rf_rename_in *in) {
    in->clear = 0;
    if (ls_rng_chance(&s->rng, s->end)) in->clear = UINT64_C(1) << ls_rng_below(&s->rng, cfg->warps);
    if (in->clear != 0 && ls_rng_chance(&s->rng, 32)) in->clear |= ls_rng_bits(&s->rng, cfg->warps, 64);
}

/* The lowest valid entry of the lowest marked warp. */
static bool offered(const rf_rename *m, uint32_t *warp, uint32_t *reg) {
    if (m->walking_q == 0) return false;
    *warp = rf_lowest(m->walking_q);
    for (*reg = 0; *reg < m->cfg.regs; ++*reg)
        if (rf_rename_has(m, m->valid_q, *warp, *reg)) return true;
    return false;
}

/* The last entry of a warp is taken seldom: sometimes it, or another one of the warp, is written at the same time. */
static void write_beside(rf_rename_stim *s, const rf_rename *m, rf_rename_in *in) {
    uint32_t warp = 0, reg = 0, left = 0;
    if (!in->walk || !ls_rng_chance(&s->rng, 32) || !offered(m, &warp, &reg)) return;
    for (uint32_t i = reg; i < m->cfg.regs; i++) left += rf_rename_has(m, m->valid_q, warp, i);
    if (left != 1) return;
    in->wr_valid = 1;
    in->wr_warp = (uint8_t)warp;
    in->wr_reg = (uint8_t)(ls_rng_chance(&s->rng, 128) ? reg : draw_reg(s, &m->cfg));
}

/* Cycles that the mix of knobs may never reach by itself. */
static void special(rf_rename_stim *s, const rf_rename *m, rf_rename_in *in) {
    const rf_rename_cfg *cfg = &m->cfg;
    uint32_t warp = 0, reg = 0;
    switch (ls_rng_below(&s->rng, 9)) {
    case 0:
        in->wr_valid = in->walk = 0, in->clear = 0;
        break;
    case 1: /* two times: the entry that is offered is written, and taken or not; when there is none, any of the warp */
    case 2:
        if (!offered(m, &warp, &reg)) reg = draw_reg(s, cfg);
        in->wr_valid = 1;
        in->wr_warp = (uint8_t)warp, in->wr_reg = (uint8_t)reg;
        in->walk = ls_rng_chance(&s->rng, 128);
        break;
    case 3:
        in->clear = ls_rng_chance(&s->rng, 32) ? rf_mask64(cfg->warps) : 0;
        break;
    case 4:
        in->clear = m->walking_q & (~m->walking_q + 1);
        break; /* the warp that is worked on, once more */
    case 5:
        in->clear = UINT64_C(1) << (cfg->warps - 1);
        break;
    case 6: /* the very last entry, read and written */
        in->rd_warp = in->wr_warp = (uint8_t)(cfg->warps - 1);
        in->rd_dst = in->wr_reg = (uint8_t)(cfg->regs - 1);
        in->wr_valid = ls_rng_chance(&s->rng, 128);
        break;
    case 7: /* what is read is written */
        in->wr_valid = 1;
        in->wr_warp = in->rd_warp;
        in->wr_reg = ls_rng_chance(&s->rng, 128) ? in->rd_dst : in->rd_src[ls_rng_below(&s->rng, cfg->slots)];
        break;
    default: /* one register in all slots */
        for (uint32_t k = 0; k < cfg->slots; k++) in->rd_src[k] = in->rd_dst;
        break;
    }
}

static void stim(rf_rename_stim *s, const rf_rename *m, rf_rename_in *in) {
    if (s->left == 0) next_phase(s);
    s->left--;
    draw_read(s, &m->cfg, in);
    draw_write(s, m, in);
    draw_clear(s, &m->cfg, in);
    in->walk = ls_rng_chance(&s->rng, s->walk);
    write_beside(s, m, in);
    if (ls_rng_chance(&s->rng, s->special)) special(s, m, in);
}

enum {
    IDLE,
    SRC_ALL,
    SRC_SOME,
    SRC_NONE,
    SRC_PIN,
    DST,
    DST_NONE,
    DST_PIN,
    READ_NO_WARP,
    READ_NO_REG,
    READ_WRITTEN,
    READ_STALE,
    READ_LAST,
    WRITE_NEW,
    WRITE_OVER,
    PIN_SET,
    PIN_CLEARED,
    WRITE_LAST,
    WRITE_NO_WARP,
    WRITE_NO_REG,
    WRITE_MARKED,
    WRITE_UNMARKING,
    WRITE_OFFERED,
    WRITE_LOST,
    MARKED,
    MARKED_SOME,
    MARKED_ALL,
    TAKE,
    TAKE_PINNED,
    TAKE_LAST_REG,
    TAKE_LAST_ENTRY,
    TAKE_LAST_WARP,
    WAITS,
    WALK_NOTHING,
    WALK_EMPTY,
    UNMARK,
    MARK_AGAIN,
    MARK_WALKING,
    UNMARK_OTHER,
    LAST_ENTRY_LOST,
    WRITE_LAST_TAKEN
};

static const char *const bin_names[] = {"nothing is written, walked, cleared or marked",
                                        "all sources are mapped",
                                        "some sources are mapped, some not",
                                        "no source is mapped",
                                        "a source is pinned",
                                        "the destination is mapped",
                                        "the destination is not mapped",
                                        "the destination is pinned",
                                        "read of a warp that does not exist",
                                        "read of a register that does not exist",
                                        "read of an entry in the cycle of its write",
                                        "read of an entry that was released and keeps its register",
                                        "read of the last entry of the last warp",
                                        "write of an entry that is not valid",
                                        "write over a mapping",
                                        "a pin is set",
                                        "a pin is cleared by a write",
                                        "write of the last entry of the last warp",
                                        "write to a warp that does not exist",
                                        "write to a register that does not exist",
                                        "write to a marked warp",
                                        "write to a warp that loses its mark",
                                        "write of the entry offered, which is not taken",
                                        "write of the entry that is taken",
                                        "one warp is marked",
                                        "several warps are marked",
                                        "all warps are marked",
                                        "an entry is taken",
                                        "a pinned entry is taken",
                                        "the last register's entry is taken",
                                        "the last entry of a warp is taken",
                                        "an entry of the last warp is taken",
                                        "an entry waits to be taken",
                                        "walk while no warp is marked",
                                        "walk while a marked warp has no entry",
                                        "a warp loses its mark",
                                        "a warp that would lose its mark is marked again",
                                        "a warp with entries is marked again",
                                        "a warp loses its mark while another is marked",
                                        "write of the last entry of a warp, which is taken",
                                        "write to a warp while its last entry is taken",
                                        NULL};

static uint64_t bin(bool hit, uint32_t n) { return (uint64_t)hit << n; }

static uint64_t bins_of_write(const rf_rename *m, const rf_rename_in *in, bool any, uint32_t warp, uint32_t reg) {
    const rf_rename_cfg *cfg = &m->cfg;
    const uint32_t w = in->wr_warp, r = in->wr_reg;
    const bool here = any && w == warp && r == reg, warp_in = w < cfg->warps, reg_in = r < cfg->regs;
    if (!in->wr_valid) return 0;
    if (!warp_in || !reg_in) return bin(!warp_in && reg_in, WRITE_NO_WARP) | bin(warp_in && !reg_in, WRITE_NO_REG);
    const bool valid = rf_rename_has(m, m->valid_q, w, r), pin = rf_rename_has(m, m->pin_q, w, r),
               marked = (m->walking_q >> w & 1) != 0;
    const bool lost = here && in->walk;
    bool read = in->rd_dst == r;
    for (uint32_t k = 0; k < cfg->slots; k++) read |= in->rd_src[k] == r;
    return bin(!valid, WRITE_NEW) | bin(valid && !lost, WRITE_OVER) | bin(!lost && !pin && in->wr_pin, PIN_SET) |
           bin(!lost && pin && !in->wr_pin, PIN_CLEARED) | bin(w + 1 == cfg->warps && r + 1 == cfg->regs && !lost, WRITE_LAST) |
           bin(marked, WRITE_MARKED) | bin(marked && w == warp && !any && (in->clear >> w & 1) == 0, WRITE_UNMARKING) |
           bin(here && !in->walk, WRITE_OFFERED) | bin(lost, WRITE_LOST) | bin(read && in->rd_warp == w && !lost, READ_WRITTEN);
}

static uint64_t bins_of_read(const rf_rename *m, const rf_rename_in *in, const rf_rename_out *out) {
    const rf_rename_cfg *cfg = &m->cfg;
    const uint32_t all = (uint32_t)rf_mask64(cfg->slots), w = in->rd_warp, r = in->rd_dst;
    const bool warp_in = w < cfg->warps, reg_in = r < cfg->regs;
    return bin(out->src_valid == all, SRC_ALL) | bin(out->src_valid == 0, SRC_NONE) |
           bin(out->src_valid != all && out->src_valid != 0, SRC_SOME) | bin(out->src_pin != 0, SRC_PIN) |
           bin(out->dst_valid != 0, DST) | bin(out->dst_valid == 0, DST_NONE) | bin(out->dst_pin != 0, DST_PIN) |
           bin(!warp_in && reg_in, READ_NO_WARP) | bin(warp_in && !reg_in, READ_NO_REG) |
           bin(warp_in && reg_in && !out->dst_valid && m->preg_q[w * cfg->regs + r] != 0, READ_STALE) |
           bin(out->dst_valid != 0 && w + 1 == cfg->warps && r + 1 == cfg->regs, READ_LAST);
}

static uint64_t bins(const rf_rename *m, const rf_rename_in *in, const rf_rename_out *out) {
    const rf_rename_cfg *cfg = &m->cfg;
    const uint64_t rest = m->walking_q & (m->walking_q - 1), all = rf_mask64(cfg->warps);
    uint32_t warp = 0, reg = 0, left = 0;
    const bool any = offered(m, &warp, &reg), marked = m->walking_q != 0, take = any && in->walk, none = marked && !any;
    for (uint32_t i = 0; i < cfg->regs; i++) left += rf_rename_has(m, m->valid_q, warp, i);
    const bool lost = in->wr_valid && in->wr_warp == warp && in->wr_reg == reg;
    const bool new_one = in->wr_valid && in->wr_warp == warp && in->wr_reg != reg && in->wr_reg < cfg->regs;
    uint64_t hit = bins_of_read(m, in, out) | bins_of_write(m, in, any, warp, reg);
    hit |= bin(!in->wr_valid && !in->walk && in->clear == 0 && !marked, IDLE) | bin(marked && rest == 0, MARKED) |
           bin(rest != 0, MARKED_SOME) | bin(m->walking_q == all, MARKED_ALL) | bin(take, TAKE) |
           bin(take && rf_rename_has(m, m->pin_q, warp, reg), TAKE_PINNED) | bin(take && reg + 1 == cfg->regs, TAKE_LAST_REG) |
           bin(take && left == 1, TAKE_LAST_ENTRY) | bin(take && warp + 1 == cfg->warps, TAKE_LAST_WARP) |
           bin(any && !in->walk, WAITS) | bin(in->walk && !marked, WALK_NOTHING) | bin(in->walk && none, WALK_EMPTY) |
           bin(none && (in->clear >> warp & 1) == 0, UNMARK) | bin(none && (in->clear >> warp & 1) != 0, MARK_AGAIN) |
           bin(any && (in->clear >> warp & 1) != 0, MARK_WALKING) |
           bin(none && (in->clear >> warp & 1) == 0 && in->clear != 0, UNMARK_OTHER) |
           bin(take && left == 1 && lost, LAST_ENTRY_LOST) | bin(take && left == 1 && new_one, WRITE_LAST_TAKEN);
    return hit;
}

static void unreachable(const rf_rename_cfg *cfg, ls_unreachable *to) {
    const bool every_warp = cfg->warps == UINT32_C(1) << rf_index_bits(cfg->warps);
    const bool every_reg = cfg->regs == UINT32_C(1) << rf_index_bits(cfg->regs);
    ls_unreachable_if(to, cfg->slots == 1, SRC_SOME, "one slot");
    ls_unreachable_if(to, cfg->warps == 1, MARKED_SOME, "one warp");
    ls_unreachable_if(to, cfg->warps == 1, UNMARK_OTHER, "one warp");
    ls_unreachable_if(to, cfg->regs == 1, WRITE_LAST_TAKEN, "one register: the write is lost");
    ls_unreachable_if(to, every_warp, READ_NO_WARP, "every number is a warp's");
    ls_unreachable_if(to, every_warp, WRITE_NO_WARP, "every number is a warp's");
    ls_unreachable_if(to, every_reg, READ_NO_REG, "every number is a register's");
    ls_unreachable_if(to, every_reg, WRITE_NO_REG, "every number is a register's");
}

#define SMALL "WARPS=3 REGS=5 SLOTS=2 PREGS=16"

static const ls_fault faults[] = {
    {"a source that is not mapped shows a register", NULL, "src_valid_o[s] ? preg_q[place(rd_warp_i, src)] : '0",
     "preg_q[place(rd_warp_i, src)]", "src_preg", SMALL},
    {"all slots read slot 0's source", NULL, "rd_src_i[s*REG_W +: REG_W]", "rd_src_i[0 +: REG_W]", "src_valid", SMALL},
    {"the last warp cannot be read", NULL, "{1'b0, rd_warp_i} < (WARP_W+1)'(WARPS)", "{1'b0, rd_warp_i} < (WARP_W+1)'(WARPS-1)",
     "src_valid", SMALL},
    {"a source has the destination's pin", NULL, "rd_pin[src]", "rd_pin[rd_dst_i]", "src_pin", SMALL},
    {"the destination is mapped when the first source is", NULL, "dst_valid_o = rd_valid[rd_dst_i]",
     "dst_valid_o = rd_valid[rd_src_i[0 +: REG_W]]", "dst_valid", SMALL},
    {"a destination that is not mapped shows a register", NULL, "dst_valid_o ? preg_q[place(rd_warp_i, rd_dst_i)] : '0",
     "preg_q[place(rd_warp_i, rd_dst_i)]", "dst_preg", SMALL},
    {"a mapped destination is pinned", NULL, "dst_pin_o   = rd_pin[rd_dst_i]", "dst_pin_o   = rd_valid[rd_dst_i]", "dst_pin",
     SMALL},
    {"tables of two warps overlap", NULL, "SIZE_W'(warp) * SIZE_W'(REGS)", "SIZE_W'(warp) * SIZE_W'(REGS-1)", "preg_q", SMALL},
    {"a register that does not exist is written", NULL, "{1'b0, wr_reg_i} < (REG_W+1)'(REGS) &&", "", "preg_q", SMALL},
    {"the pin is not written", NULL, "<= wr_pin_i;", "<= 1'b0;", "pin_q", SMALL},
    {"a pinned mapping is not valid", NULL, "valid_q[wr_warp_i][wr_reg_i] <= 1'b1;", "valid_q[wr_warp_i][wr_reg_i] <= !wr_pin_i;",
     "valid_q", SMALL},
    {"the first mapping of a register stays", NULL, "preg_q[place(wr_warp_i, wr_reg_i)] <= wr_preg_i;",
     "if (!valid_q[wr_warp_i][wr_reg_i]) preg_q[place(wr_warp_i, wr_reg_i)] <= wr_preg_i;", "preg_q", SMALL},
    {"a write beats a walk", NULL, "if (take) begin",
     "if (take && !(wr_valid_i && wr_warp_i == walk_warp && wr_reg_i == walk_reg)) begin", "valid_q", SMALL},
    {"the register of a lost write is kept", NULL, "!(take && wr_warp_i == walk_warp && wr_reg_i == walk_reg)", "1'b1", "preg_q",
     SMALL},
    {"a write that meets a walk of another warp is lost", NULL, "wr_warp_i == walk_warp && ", "", "valid_q", SMALL},
    {"an entry goes before it is taken", NULL, "walk_i && walk_valid_o", "walk_valid_o", "valid_q", SMALL},
    {"a released entry keeps its pin", NULL, "pin_q[walk_warp][walk_reg]   <= 1'b0;", "", "pin_q", SMALL},
    {"an entry of a warp that is not marked is shown", NULL, " & {REGS{marked}}", "", "walk_valid", SMALL},
    {"the register of no entry is shown", NULL, "walk_valid_o ? preg_q[place(walk_warp, walk_reg)] : '0",
     "preg_q[place(walk_warp, walk_reg)]", "walk_preg", SMALL},
    {"not the lowest entry is shown", NULL, "`RF_LOWEST(walk_row)", "walk_row & ~(walk_row >> 1)", "valid_q", SMALL},
    {"the mark goes with the last entry", NULL, "{WARPS{!walk_valid_o}}",
     "{WARPS{!walk_valid_o || (take && walk_row == reg_1h)}}", "walking_q", SMALL},
    {"the mark stays", NULL, "{WARPS{!walk_valid_o}}", "{WARPS{1'b0}}", "walking_q", SMALL},
    {"all marks go together", NULL, "(warp_1h & {WARPS{!walk_valid_o}})", "{WARPS{!walk_valid_o}}", "walking_q", SMALL},
    {"the mark that goes beats clear", NULL, "(walking_q & ~(warp_1h & {WARPS{!walk_valid_o}})) | clear_i",
     "(walking_q | clear_i) & ~(warp_1h & {WARPS{!walk_valid_o}})", "walking_q", SMALL},
    {"marked in the cycle of clear", NULL, "walking_o    = walking_q", "walking_o    = walking_q | clear_i", "walking", SMALL},
    {"some registers are not reset", NULL, "for (int r = 0;   r <", "for (int r = 1;   r <", "preg_q", SMALL},
    {"a write beats reset", NULL, "if (!rst_ni) begin", "if (!rst_ni && !wr_valid_i) begin", "valid_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "WARPS=1 REGS=1 SLOTS=1 PREGS=2",
                                   "WARPS=3 REGS=5 SLOTS=2 PREGS=16",
                                   "WARPS=8 REGS=130 SLOTS=8 PREGS=1000",
                                   "WARPS=2 REGS=70 SLOTS=3 PREGS=140",
                                   "WARPS=64 REGS=63 SLOTS=3 PREGS=256",
                                   "WARPS=12 REGS=256 SLOTS=6 PREGS=1024",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_rename
#define LS_GROUP "wir"
#define LS_BRIEF "rename tables of an issue group"
#define LS_FIELDS "tb/wir/rf_rename.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
