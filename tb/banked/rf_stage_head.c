/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_stage_head. */
#include "cmodel/banked/rf_stage_head.h"

#include "harness/core/unit.h"
#include "tb/banked/env/rf_stage_carried.h"

typedef struct rf_stage_head_stim {
    ls_rng rng;
    uint32_t refresh; /* heads that are new in a cycle */
    uint32_t stay;    /* probability that the warp stays, in 256ths */
    uint32_t outside; /* probability that an index is any value of its bits, in 256ths */
    uint32_t few;     /* registers that most instructions use */
    uint32_t sources; /* probability of a source, in 256ths */
    bool filled;
} rf_stage_head_stim;

static void stim_init(rf_stage_head_stim *s, const rf_stage_head *m, uint64_t seed) {
    *s = (rf_stage_head_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->refresh = 1 + ls_rng_below(&s->rng, m->cfg.warps < 4 ? m->cfg.warps : 4);
    s->stay = ls_rng_below(&s->rng, 160);
    s->outside = 8 + ls_rng_below(&s->rng, 56);
    s->few = ls_rng_chance(&s->rng, 128) ? m->cfg.regs : 1 + ls_rng_below(&s->rng, m->cfg.regs);
    s->sources = 96 + ls_rng_below(&s->rng, 128);
}

/* An index of 0 .. n-1, often the last; now and then any value of its bits. */
static uint32_t draw_index(rf_stage_head_stim *s, uint32_t n) {
    if (ls_rng_chance(&s->rng, s->outside)) return (uint32_t)ls_rng_value(&s->rng, rf_index_bits(n));
    return ls_rng_chance(&s->rng, 16) ? n - 1 : ls_rng_below(&s->rng, n);
}

static uint8_t draw_register(rf_stage_head_stim *s, uint32_t regs) {
    return (uint8_t)(ls_rng_chance(&s->rng, 160) ? ls_rng_below(&s->rng, s->few) : draw_index(s, regs));
}

static void draw_head(rf_stage_head_stim *s, const rf_stage_head_cfg *cfg, uint32_t w, rf_stage_head_in *in) {
    const uint32_t all = (uint32_t)rf_mask64(cfg->lanes);
    rf_stage_drive_carried(&in->heads, w, (uint16_t)ls_rng_value(&s->rng, 16));
    in->ib_port[w] = (uint8_t)draw_index(s, cfg->exports);
    in->ib_mask[w] = (uint32_t)(ls_rng_chance(&s->rng, 128) ? all : ls_rng_value(&s->rng, cfg->lanes));
    in->ib_dst_valid = (in->ib_dst_valid & ~(UINT64_C(1) << w)) | (uint64_t)ls_rng_chance(&s->rng, 176) << w;
    in->ib_dst[w] = draw_register(s, cfg->regs);
    in->ib_src_valid[w] =
        (uint8_t)(ls_rng_chance(&s->rng, 48) ? ls_rng_value(&s->rng, cfg->slots) : ls_rng_bits(&s->rng, cfg->slots, s->sources));
    for (uint32_t slot = 0; slot < cfg->slots; slot++) in->ib_src[w * cfg->slots + slot] = draw_register(s, cfg->regs);
    if (!ls_rng_chance(&s->rng, 16)) return;
    const uint8_t only = ls_rng_chance(&s->rng, 128) ? 0 : in->ib_src[w * cfg->slots]; /* many slots rarely agree by themselves */
    for (uint32_t slot = 0; slot < cfg->slots; slot++) in->ib_src[w * cfg->slots + slot] = only;
}

static void stim(rf_stage_head_stim *s, const rf_stage_head *m, rf_stage_head_in *in) {
    const rf_stage_head_cfg *cfg = &m->cfg;
    if (!ls_rng_chance(&s->rng, s->stay)) in->warp = (uint8_t)draw_index(s, cfg->warps);
    /* The buffers keep their heads except a few, among them often the one that is looked at. */
    for (uint32_t w = 0; !s->filled && w < cfg->warps; w++) draw_head(s, cfg, w, in);
    s->filled = true;
    for (uint32_t i = 0; i < s->refresh; i++) draw_head(s, cfg, ls_rng_below(&s->rng, cfg->warps), in);
    if (in->warp < cfg->warps && ls_rng_chance(&s->rng, 128)) draw_head(s, cfg, in->warp, in);
}

static const char *const bin_names[] = {"first warp",
                                        "last warp",
                                        "a warp that does not exist",
                                        "no source",
                                        "all sources",
                                        "no destination",
                                        "a destination",
                                        "no lane",
                                        "some lanes",
                                        "all lanes",
                                        "last port",
                                        "same register in two slots",
                                        "different registers in one bank",
                                        "sources in different banks",
                                        "register 0",
                                        "last register",
                                        "a register that does not exist",
                                        "first bank",
                                        "last bank",
                                        "last row",
                                        "row cut to its width",
                                        "bank wrapped around",
                                        "a slot without a source is mapped",
                                        NULL};

enum { SAME = 11, ONE_BANK, TWO_BANKS, REG_0, REG_LAST, REG_OUTSIDE, BANK_0, BANK_LAST, ROW_LAST, ROW_CUT, WRAPPED, IDLE_SLOT };

static bool exact(uint32_t n) { return n == UINT32_C(1) << rf_index_bits(n); }

/* Whether any input makes a row that does not fit. */
static bool may_cut(const rf_stage_head_cfg *cfg) {
    const uint32_t per_warp = rf_map_rows_per_warp(cfg->regs, cfg->banks), warps = UINT32_C(1) << rf_index_bits(cfg->warps);
    const uint32_t top = (UINT32_C(1) << rf_index_bits(cfg->regs)) - 1;
    const uint32_t inside = rf_map_row(cfg->warps - 1, top, cfg->banks, per_warp);
    const uint32_t most = warps > cfg->warps && (warps - 1) * per_warp > inside ? (warps - 1) * per_warp : inside;
    return most >> rf_index_bits(cfg->warps * per_warp) != 0;
}

static uint64_t slot_bins(const rf_stage_head_cfg *cfg, const rf_stage_head_in *in, const rf_stage_head_out *out, uint32_t slot) {
    const uint32_t per_warp = rf_map_rows_per_warp(cfg->regs, cfg->banks), rows = cfg->warps * per_warp;
    const uint32_t reg = out->inst.src[slot], row = rf_map_row(in->warp, reg, cfg->banks, per_warp);
    uint64_t hit = (uint64_t)(reg == 0) << REG_0 | (uint64_t)(reg == cfg->regs - 1) << REG_LAST |
                   (uint64_t)(reg >= cfg->regs) << REG_OUTSIDE | (uint64_t)(out->bank[slot] == 0) << BANK_0 |
                   (uint64_t)(out->bank[slot] == cfg->banks - 1) << BANK_LAST |
                   (uint64_t)(out->row[slot] == rows - 1) << ROW_LAST | (uint64_t)(row != out->row[slot]) << ROW_CUT |
                   (uint64_t)(reg + in->warp >= cfg->banks) << WRAPPED |
                   (uint64_t)((out->inst.src_valid >> slot & 1) == 0 && reg != 0) << IDLE_SLOT;
    for (uint32_t other = 0; other < slot; other++) {
        const bool same = out->inst.src[other] == reg, bank = out->bank[other] == out->bank[slot];
        hit |= (uint64_t)same << SAME | (uint64_t)(!same && bank) << ONE_BANK | (uint64_t)!bank << TWO_BANKS;
    }
    return hit;
}

static uint64_t bins(const rf_stage_head *m, const rf_stage_head_in *in, const rf_stage_head_out *out) {
    const rf_stage_head_cfg *cfg = &m->cfg;
    const rf_stage_instr *of = &out->inst;
    const bool exists = in->warp < cfg->warps;
    const uint32_t all = (uint32_t)rf_mask64(cfg->lanes);
    uint64_t hit = (uint64_t)(in->warp == 0) << 0 | (uint64_t)(in->warp == cfg->warps - 1) << 1 | (uint64_t)!exists << 2 |
                   (uint64_t)(exists && of->src_valid == 0) << 3 | (uint64_t)(of->src_valid == rf_mask64(cfg->slots)) << 4 |
                   (uint64_t)(exists && !of->dst_valid) << 5 | (uint64_t)of->dst_valid << 6 |
                   (uint64_t)(exists && of->mask == 0) << 7 | (uint64_t)(of->mask != 0 && of->mask != all) << 8 |
                   (uint64_t)(of->mask == all) << 9 | (uint64_t)(of->port == cfg->exports - 1) << 10;
    for (uint32_t slot = 0; exists && slot < cfg->slots; slot++) hit |= slot_bins(cfg, in, out, slot);
    if (!exists) hit |= slot_bins(cfg, in, out, 0) & (UINT64_C(1) << ROW_CUT);
    return hit;
}

#define SMALL "WARPS=5 BANKS=3 REGS=7 LANES=3 SLOTS=3 EXPORTS=3"
static const char pkg[] = "rtl/banked/rf_banked_pkg.sv";

static void unreachable(const rf_stage_head_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, exact(cfg->warps), 2, "every number is that of a warp");
    ls_unreachable_if(to, cfg->lanes == 1, 8, "some is all or none in one lane");
    ls_unreachable_if(to, cfg->slots == 1, SAME, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, ONE_BANK, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, TWO_BANKS, "one slot");
    ls_unreachable_if(to, cfg->banks == 1, TWO_BANKS, "one bank");
    ls_unreachable_if(to, (UINT32_C(1) << rf_index_bits(cfg->regs)) <= cfg->banks, ONE_BANK,
                      "registers lie in banks of their own");
    ls_unreachable_if(to, exact(cfg->regs), REG_OUTSIDE, "every number is that of a register");
    ls_unreachable_if(to, !may_cut(cfg), ROW_CUT, "every row fits");
}

static const ls_fault faults[] = {
    {"a warp that does not exist has the tag of warp 0", NULL, "+: TAG_W] : '0", "+: TAG_W] : ib_tag_i[0 +: TAG_W]", "inst.tag",
     SMALL},
    {"the last warp has no instruction", NULL, "(WARP_W+1)'(WARPS)", "(WARP_W+1)'(WARPS - 1)", "inst.tag", SMALL},
    {"top bit of the tag lost", NULL, "exists ? ib_tag_i[warp_i*TAG_W +: TAG_W]",
     "exists ? {1'b0, ib_tag_i[warp_i*TAG_W +: TAG_W-1]}", "inst.tag", SMALL},
    {"port of warp 0", NULL, "ib_port_i[warp_i*PORT_W", "ib_port_i[0*PORT_W", "inst.port", SMALL},
    {"all lanes", NULL, "exists ? ib_mask_i[warp_i*LANES +: LANES] : '0", "{LANES{exists}}", "inst.mask", SMALL},
    {"a destination without a warp", NULL, "exists && ib_dst_valid_i[warp_i]", "!exists || ib_dst_valid_i[warp_i]",
     "inst.dst_valid", SMALL},
    {"destination is the first source", NULL, "ib_dst_i[warp_i*REG_W +: REG_W]", "ib_src_i[warp_i*SLOTS*REG_W +: REG_W]",
     "inst.dst", SMALL},
    {"validity one slot off", NULL, "ib_src_valid_i[warp_i*SLOTS +: SLOTS]",
     "{ib_src_valid_i[warp_i*SLOTS], ib_src_valid_i[warp_i*SLOTS + 1 +: SLOTS-1]}", "inst.src_valid", SMALL},
    {"sources are 0 when none is valid", NULL, "exists ? ib_src_i[warp_i*SLOTS*REG_W",
     "exists && ib_src_valid_i[warp_i*SLOTS +: SLOTS] != '0 ? ib_src_i[warp_i*SLOTS*REG_W", "inst.src", SMALL},
    {"bank of the first source for all", NULL, "register = 8'(src[s*REG_W +: REG_W])", "register = 8'(src[0 +: REG_W])", "bank",
     SMALL},
    {"bank without the warp's share", pkg, "{3'b0, warp}", "{3'b0, 6'(warp & 6'd0)}", "bank", SMALL},
    {"bank of a register that does not exist", pkg, "% {3'b0, banks}", "& ({3'b0, banks} - 9'd1)", "bank", SMALL},
    {"row without the register's share", pkg, " + {2'b0, register / {2'b0, banks}}",
     " + {2'b0, 8'd0 & (register / {2'b0, banks})}", "row", SMALL},
    {"one row too few a warp", NULL, "9'(ROWS_PER_WARP)", "9'(ROWS_PER_WARP - 1)", "row", SMALL},
    {"top bit of the row lost", NULL, "ROW_W'({rf_banked_pkg::map_row",
     "ROW_W'((1 << (ROW_W-1)) - 1) & ROW_W'({rf_banked_pkg::map_row", "row", SMALL},
    {0},
};

#undef SMALL

static const char *const sets[] = {"",
                                   "WARPS=1 BANKS=1 REGS=1 LANES=1 SLOTS=1 EXPORTS=1",
                                   "WARPS=5 BANKS=3 REGS=7 LANES=3 SLOTS=2 EXPORTS=3",
                                   "WARPS=6 BANKS=32 REGS=33 LANES=2 SLOTS=7 EXPORTS=2",
                                   "WARPS=33 BANKS=9 REGS=255 LANES=4 SLOTS=4 EXPORTS=5",
                                   "WARPS=64 BANKS=16 REGS=256 LANES=4 SLOTS=8 EXPORTS=8",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/banked/rf_banked_pkg.sv", NULL};

#define LS_UNIT rf_stage_head
#define LS_GROUP "banked"
#define LS_BRIEF "head instruction of a warp and the places of its sources"
#define LS_FIELDS "tb/banked/rf_stage_head.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
