/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_reindex. */
#include "cmodel/cerf/rf_reindex_parts.h"

#include "harness/core/unit.h"

/* Probabilities in 256ths. */
typedef struct rf_reindex_stim {
    ls_rng rng;
    uint32_t next;    /* the next register, the next line */
    uint32_t edge;    /* the first or the last register of the first or the last warp */
    uint32_t illegal; /* any warp and register */
    uint32_t near;    /* the memory access is near the register's line */
} rf_reindex_stim;

static void stim_init(rf_reindex_stim *s, const rf_reindex *m, uint64_t seed) {
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->next = ls_rng_below(&s->rng, 160);
    s->edge = 8 + ls_rng_below(&s->rng, 56);
    s->illegal = 8 + ls_rng_below(&s->rng, 56);
    s->near = 32 + ls_rng_below(&s->rng, 160);
}

static void draw_register(rf_reindex_stim *s, const rf_reindex_cfg *cfg, rf_reindex_in *in) {
    ls_rng *r = &s->rng;
    if (ls_rng_chance(r, s->illegal)) {
        in->warp = (uint8_t)ls_rng_value(r, rf_index_bits(cfg->warps));
        in->reg = (uint8_t)ls_rng_value(r, rf_index_bits(cfg->regs));
    } else if (ls_rng_chance(r, s->edge)) {
        in->warp = (uint8_t)(ls_rng_chance(r, 128) ? 0 : cfg->warps - 1);
        in->reg = (uint8_t)(ls_rng_chance(r, 128) ? 0 : cfg->regs - 1);
    } else if (ls_rng_chance(r, s->next)) {
        in->reg = (uint8_t)((in->reg + 1u) % cfg->regs);
        if (in->reg == 0) in->warp = (uint8_t)((in->warp + 1u) % cfg->warps);
    } else {
        in->warp = (uint8_t)ls_rng_below(r, cfg->warps);
        in->reg = (uint8_t)ls_rng_below(r, cfg->regs);
    }
}

/* Any line, the next one, the register's, or one that differs from that in few bits. */
static void draw_access(rf_reindex_stim *s, const rf_reindex_cfg *cfg, rf_reindex_in *in) {
    ls_rng *r = &s->rng;
    const uint32_t line = rf_reindex_line(cfg, rf_reindex_number(cfg, in->warp, in->reg));
    if (ls_rng_chance(r, s->near)) {
        in->mem_line = line;
        for (uint32_t flips = ls_rng_below(r, 4); flips > 0; flips--) in->mem_line ^= UINT32_C(1) << ls_rng_below(r, cfg->line_w);
    } else if (ls_rng_chance(r, s->next)) in->mem_line = (in->mem_line + 1) & (uint32_t)rf_mask64(cfg->line_w);
    else in->mem_line = (uint32_t)ls_rng_value(r, cfg->line_w);
}

static void stim(rf_reindex_stim *s, const rf_reindex *m, rf_reindex_in *in) {
    draw_register(s, &m->cfg, in);
    draw_access(s, &m->cfg, in);
}

/* clang-format off */
#define BINS(X) \
    X(FIRST, "the first register of the first warp") X(LAST, "the last register of the last warp") \
    X(TURN, "the last register of a warp that is not the last") X(WARP, "a warp that does not exist") \
    X(REG, "a register that does not exist") X(CUT, "a number that is cut") X(TOP, "the highest bit of a number") \
    X(ZERO, "line 0 is accessed") X(ONES, "the last line is accessed") \
    X(BANK_0, "access to the first bank") X(BANK_LAST, "access to the last bank") \
    X(SET_0, "access to the first set") X(SET_LAST, "access to the last set") \
    X(TAG_0, "access with the lowest tag") X(TAG_LAST, "access with the highest tag") \
    X(ONE, "register and access: one line") X(PLACE, "one bank, one set, two tags") X(BANK, "one bank, two sets") \
    X(BANKS, "two banks, one set, one tag") X(PREFIX, "one prefix, two numbers") X(NUMBER, "one number, two prefixes")
/* clang-format on */
#define BIN_NAME(name, text) B_##name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};
#define BIN(name, cond) ((uint64_t)((cond) ? 1 : 0) << B_##name)

static uint64_t bins(const rf_reindex *m, const rf_reindex_in *in, const rf_reindex_out *out) {
    const rf_reindex_cfg *cfg = &m->cfg;
    const uint32_t number_w = rf_index_bits(cfg->warps * cfg->regs), number = in->warp * cfg->regs + in->reg;
    const uint32_t tag_last = (uint32_t)rf_mask64(cfg->line_w - rf_log2(cfg->banks * cfg->sets));
    const bool last_warp = in->warp == cfg->warps - 1, last_reg = in->reg == cfg->regs - 1;
    const bool one_bank = out->bank == out->mem_bank, one_set = out->set == out->mem_set, one_tag = out->tag == out->mem_tag;
    const bool one_prefix = out->line >> number_w == in->mem_line >> number_w;
    const bool one_number = ((out->line ^ in->mem_line) & (uint32_t)rf_mask64(number_w)) == 0;
    return BIN(FIRST, in->warp == 0 && in->reg == 0) | BIN(LAST, last_warp && last_reg) |
           BIN(TURN, last_reg && in->warp + 1u < cfg->warps) | BIN(WARP, in->warp >= cfg->warps) |
           BIN(REG, in->reg >= cfg->regs) | BIN(CUT, number >> number_w != 0) | BIN(TOP, out->number >> (number_w - 1) != 0) |
           BIN(ZERO, in->mem_line == 0) | BIN(ONES, in->mem_line == rf_mask64(cfg->line_w)) |
           BIN(BANK_0, cfg->banks > 1 && out->mem_bank == 0) | BIN(BANK_LAST, cfg->banks > 1 && out->mem_bank == cfg->banks - 1) |
           BIN(SET_0, cfg->sets > 1 && out->mem_set == 0) | BIN(SET_LAST, cfg->sets > 1 && out->mem_set == cfg->sets - 1) |
           BIN(TAG_0, out->mem_tag == 0) | BIN(TAG_LAST, out->mem_tag == tag_last) | BIN(ONE, out->line == in->mem_line) |
           BIN(PLACE, one_bank && one_set && !one_tag) | BIN(BANK, one_bank && !one_set) |
           BIN(BANKS, !one_bank && one_set && one_tag) | BIN(PREFIX, one_prefix && !one_number) |
           BIN(NUMBER, one_number && !one_prefix);
}

static void unreachable(const rf_reindex_cfg *cfg, ls_unreachable *to) {
    static const uint8_t one_bank[] = {B_BANK_0, B_BANK_LAST, B_BANKS}, one_set[] = {B_SET_0, B_SET_LAST, B_BANK};
    const uint32_t warps = UINT32_C(1) << rf_index_bits(cfg->warps), regs = UINT32_C(1) << rf_index_bits(cfg->regs);
    const uint32_t number_w = rf_index_bits(cfg->warps * cfg->regs), highest = (warps - 1) * cfg->regs + regs - 1;
    ls_unreachable_if(to, cfg->warps == 1, B_TURN, "one warp");
    ls_unreachable_if(to, cfg->warps == warps, B_WARP, "every number is that of a warp");
    ls_unreachable_if(to, cfg->regs == regs, B_REG, "every number is that of a register");
    ls_unreachable_if(to, highest >> number_w == 0, B_CUT, "no warp and register give such a number");
    for (size_t i = 0; i < sizeof one_bank; i++) ls_unreachable_if(to, cfg->banks == 1, one_bank[i], "one bank");
    for (size_t i = 0; i < sizeof one_set; i++) ls_unreachable_if(to, cfg->sets == 1, one_set[i], "one set");
}

#define PRODUCT "NUMBER_W'(warp_i) * NUMBER_W'(REGS)"

static const ls_fault faults[] = {
    {"numbers with gaps", NULL, PRODUCT, "(NUMBER_W'(warp_i) << REG_W)", "number", NULL},
    {"warps overlap by a register", NULL, PRODUCT, "NUMBER_W'(warp_i) * NUMBER_W'(REGS - 1)", "number", NULL},
    {"warps for registers", NULL, PRODUCT, "NUMBER_W'(warp_i) * NUMBER_W'(WARPS)", "number", NULL},
    {"the warp's highest bit is lost", NULL, PRODUCT, "NUMBER_W'(warp_i[WARP_W-2:0]) * NUMBER_W'(REGS)", "number", NULL},
    {"OR in place of the sum", NULL, PRODUCT " + NUMBER_W'(reg_i)", PRODUCT " | NUMBER_W'(reg_i)", "number", NULL},
    {"number of a warp that does not exist is that of the last", NULL, PRODUCT,
     "(warp_i < WARP_W'(WARPS) ? NUMBER_W'(warp_i) : NUMBER_W'(WARPS - 1)) * NUMBER_W'(REGS)", "number", NULL},
    {"no prefix", NULL, "{PREFIX_W'(PREFIX), number_o}", "{{PREFIX_W{1'b0}}, number_o}", "line", NULL},
    {"the prefix of the next SM", NULL, "{PREFIX_W'(PREFIX), number_o}", "{PREFIX_W'(PREFIX + 1), number_o}", "line", NULL},
    {"the prefix below the number", NULL, "{PREFIX_W'(PREFIX), number_o}", "{number_o, PREFIX_W'(PREFIX)}", "line", NULL},
    {"the number's highest bit is the prefix's", NULL, "{PREFIX_W'(PREFIX), number_o}",
     "{(PREFIX_W + 1)'(PREFIX), number_o[NUMBER_W-2:0]}", "line", NULL},
    {"the bank is looked for above its bits", NULL, "line_o[BANK_W-1:0] & LAST_BANK", "line_o[BANK_W:1] & LAST_BANK", "bank",
     NULL},
    {"one bank has two numbers", NULL, "bank_o = line_o[BANK_W-1:0] & LAST_BANK", "bank_o = line_o[BANK_W-1:0]", "bank",
     "BANKS=1"},
    {"the set has the bank's bits", NULL, "set_o  = line_o[SET_LOW +: SET_W]", "set_o  = line_o[0 +: SET_W]", "set", NULL},
    {"one set has two numbers", NULL, "set_o  = line_o[SET_LOW +: SET_W] & LAST_SET", "set_o  = line_o[SET_LOW +: SET_W]", "set",
     "SETS=1"},
    {"half the sets are used", NULL, "set_o  = line_o[SET_LOW +: SET_W] & LAST_SET",
     "set_o  = line_o[SET_LOW +: SET_W] & (LAST_SET >> 1)", "set", NULL},
    {"the tag without the prefix", NULL, "tag_o  = line_o[LINE_W-1:TAG_LOW]", "tag_o  = TAG_W'({number_o >> TAG_LOW})", "tag",
     NULL},
    {"an access in the register's bank", NULL, "mem_line_i[BANK_W-1:0]", "line_o[BANK_W-1:0]", "mem_bank", NULL},
    {"an access in the register's set", NULL, "mem_line_i[SET_LOW +: SET_W]", "line_o[SET_LOW +: SET_W]", "mem_set", NULL},
    {"an access with the register's prefix", NULL, "mem_line_i[LINE_W-1:TAG_LOW]",
     "{line_o[LINE_W-1], mem_line_i[LINE_W-2:TAG_LOW]}", "mem_tag", NULL},
    {0},
};

static const char *const sets[] = {"",
                                   "WARPS=32 REGS=32",
                                   "WARPS=1 REGS=1 BANKS=1 SETS=1 LINE_W=2 PREFIX=1",
                                   "WARPS=1 REGS=256 BANKS=32 SETS=256 LINE_W=14 PREFIX=42",
                                   "WARPS=64 REGS=1 BANKS=1 SETS=16 LINE_W=13 PREFIX=16777215",
                                   "WARPS=5 REGS=3 BANKS=32 SETS=1 LINE_W=20 PREFIX=40000",
                                   "WARPS=4 REGS=5 BANKS=2 SETS=256 LINE_W=10 PREFIX=19",
                                   "WARPS=33 REGS=31 BANKS=8 SETS=2 LINE_W=12 PREFIX=2",
                                   "WARPS=64 REGS=256 BANKS=4 SETS=64 PREFIX=0",
                                   "WARPS=3 REGS=1 BANKS=4 SETS=2 LINE_W=25 PREFIX=11184810",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_reindex
#define LS_GROUP "cerf"
#define LS_BRIEF "registers as lines; bank, set and tag of a line"
#define LS_FIELDS "tb/cerf/rf_reindex.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
