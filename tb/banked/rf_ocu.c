/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_ocu. */
#include "cmodel/banked/rf_ocu.h"

#include "harness/core/unit.h"
#include "tb/banked/env/rf_stage_carried.h"

typedef struct rf_ocu_stim {
    ls_rng rng;
    uint32_t alloc;    /* probability for a free unit, in 256ths */
    uint32_t grant;    /* probability for an asking slot, in 256ths */
    uint32_t dispatch; /* probability for a ready unit, in 256ths */
    uint32_t illegal;  /* probability of each breach of protocol, in 256ths */
    uint32_t sources;  /* density of valid slots, in 256ths */
    uint32_t pool;     /* registers named: few make duplicates */
} rf_ocu_stim;

static void stim_init(rf_ocu_stim *s, const rf_ocu *m, uint64_t seed) {
    ls_rng_seed(&s->rng, seed);
    s->alloc = 64 + ls_rng_below(&s->rng, 193);
    s->grant = 32 + ls_rng_below(&s->rng, 200);
    s->dispatch = 48 + ls_rng_below(&s->rng, 160);
    s->illegal = 8 + ls_rng_below(&s->rng, 56);
    s->sources = 96 + ls_rng_below(&s->rng, 144);
    s->pool = ls_rng_chance(&s->rng, 128) ? 2 + ls_rng_below(&s->rng, 4) : m->cfg.regs;
    if (s->pool > m->cfg.regs) s->pool = m->cfg.regs;
}

/* An index below `n`; one in 64 is any value of its width: it is carried along. */
static uint32_t draw_index(rf_ocu_stim *s, uint32_t n) {
    if (ls_rng_chance(&s->rng, 4)) return (uint32_t)ls_rng_value(&s->rng, rf_index_bits(n));
    return ls_rng_below(&s->rng, n);
}

/* An instruction at the input, also while nobody looks: what is not taken must not be stored. */
static void draw_instruction(rf_ocu_stim *s, const rf_ocu_cfg *cfg, rf_ocu_in *in) {
    const uint32_t kind = ls_rng_below(&s->rng, 16);
    const uint64_t every = rf_mask64(cfg->slots);
    in->alloc_inst.warp = (uint8_t)draw_index(s, cfg->warps);
    rf_stage_draw_carried(&s->rng, &in->alloc_inst.carried);
    in->alloc_inst.port = (uint8_t)draw_index(s, cfg->exports);
    in->alloc_inst.mask = (uint32_t)ls_rng_value(&s->rng, cfg->lanes);
    in->alloc_inst.dst_valid = ls_rng_chance(&s->rng, 192);
    in->alloc_inst.dst = (uint8_t)draw_index(s, cfg->regs);
    in->alloc_inst.src_valid = (uint8_t)(kind == 0 ? 0 : kind < 4 ? every : ls_rng_bits(&s->rng, cfg->slots, s->sources));
    in->alloc_fill = (uint8_t)(ls_rng_chance(&s->rng, 128) ? 0 : ls_rng_bits(&s->rng, cfg->slots, s->sources));
    const uint32_t first = draw_index(s, cfg->regs);
    const uint32_t warp_row = ls_rng_below(&s->rng, cfg->rows);
    for (uint32_t i = 0; i < cfg->slots; i++) {
        /* Kind 1 names one register in all slots, kind 2 neighbours, the others any of the pool. */
        const uint32_t step = kind == 1 ? 0 : kind == 2 ? i : ls_rng_below(&s->rng, s->pool);
        const uint32_t reg = step == 0 ? first : (first + step) % cfg->regs;
        in->alloc_inst.src[i] = (uint8_t)reg;
        in->alloc_bank[i] = (uint8_t)((reg + in->alloc_inst.warp) % cfg->banks);
        in->alloc_row[i] = (uint16_t)((warp_row + reg / cfg->banks) % cfg->rows);
    }
    if (ls_rng_chance(&s->rng, s->illegal)) {
        const uint32_t i = ls_rng_below(&s->rng, cfg->slots);
        in->alloc_inst.src[i] = (uint8_t)ls_rng_value(&s->rng, rf_index_bits(cfg->regs));
        in->alloc_bank[i] = (uint8_t)ls_rng_value(&s->rng, rf_index_bits(cfg->banks));
        in->alloc_row[i] = (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->rows));
        if (cfg->slots > 1 && ls_rng_chance(&s->rng, 128)) { /* the place of another slot's register */
            const uint32_t k = (i + 1 + ls_rng_below(&s->rng, cfg->slots - 1)) % cfg->slots;
            in->alloc_bank[i] = in->alloc_bank[k];
            in->alloc_row[i] = in->alloc_row[k];
        }
    }
}

static void stim(rf_ocu_stim *s, const rf_ocu *m, rf_ocu_in *in) {
    const rf_ocu_cfg *cfg = &m->cfg;
    rf_ocu_out out;
    rf_ocu_comb(m, in, &out);
    in->alloc = ls_rng_chance(&s->rng, out.busy ? s->illegal : s->alloc);
    if (!out.busy || in->alloc) draw_instruction(s, cfg, in);
    in->rd_grant = (uint8_t)(ls_rng_bits(&s->rng, cfg->slots, s->grant) & out.rd_valid);
    if (ls_rng_chance(&s->rng, s->illegal)) in->rd_grant = (uint8_t)ls_rng_value(&s->rng, cfg->slots);
    in->dispatch = ls_rng_chance(&s->rng, out.ready ? s->dispatch : s->illegal);
    /* New data where it is due; elsewhere the old stays for a while. */
    for (uint32_t i = 0; i < cfg->slots; i++)
        if ((out.fill_valid >> i & 1) != 0 || ls_rng_chance(&s->rng, 32))
            ls_rng_lanes(&s->rng, in->fill_data[i].lane, cfg->lanes);
}

static const char *const bin_names[] = {"alloc",
                                        "alloc without sources",
                                        "alloc with every slot",
                                        "alloc without destination",
                                        "alloc for no lane",
                                        "alloc for all lanes",
                                        "alloc while busy",
                                        "alloc in the cycle of the dispatch",
                                        "one register in two slots",
                                        "one register in every slot",
                                        "an unread slot that leaves the asking to a lower one",
                                        "nothing granted to asking slots",
                                        "grant",
                                        "several grants",
                                        "some granted, some not",
                                        "grant for several slots",
                                        "grant to a slot that does not ask",
                                        "grant to a slot without a source",
                                        "fill",
                                        "fill of several slots",
                                        "fill while another slot is granted",
                                        "ready",
                                        "ready but not dispatched",
                                        "dispatch",
                                        "dispatch while not ready",
                                        "dispatch while free",
                                        "alloc with a source that is being read",
                                        "alloc with all sources being read",
                                        "alloc with some sources being read",
                                        "a slot without a source said to be read",
                                        "two registers in one place",
                                        NULL};

static bool several(uint32_t x) { return (x & (x - 1)) != 0; }

static uint64_t bins(const rf_ocu *m, const rf_ocu_in *in, const rf_ocu_out *out) {
    const uint32_t every = (uint32_t)rf_mask64(m->cfg.slots);
    const bool alloc = in->alloc && !out->busy;
    const uint32_t waits = out->unread & ~(uint32_t)out->rd_valid;
    const uint32_t granted = in->rd_grant & out->rd_valid;
    const uint32_t ahead = alloc ? (uint32_t)in->alloc_fill & in->alloc_inst.src_valid : 0;
    uint32_t twins = 0;  /* valid sources at the input that name the register of a valid one below */
    bool placed = false; /* two valid sources at the input of one place and not of one register */
    uint32_t shared = 0; /* waiting slots that a grant serves too */
    for (uint32_t i = 1; i < m->cfg.slots; i++)
        for (uint32_t k = 0; k < i; k++) {
            const bool pair = (in->alloc_inst.src_valid >> k & in->alloc_inst.src_valid >> i & 1) != 0;
            const bool served = (granted >> k & waits >> i & 1) != 0;
            twins |= (uint32_t)(pair && in->alloc_inst.src[i] == in->alloc_inst.src[k]) << i;
            placed |= pair && in->alloc_inst.src[i] != in->alloc_inst.src[k] && in->alloc_bank[i] == in->alloc_bank[k] &&
                      in->alloc_row[i] == in->alloc_row[k];
            shared |= (uint32_t)(served && m->src_q[i] == m->src_q[k]) << i;
        }
    return (uint64_t)alloc << 0 | (uint64_t)(alloc && in->alloc_inst.src_valid == 0) << 1 |
           (uint64_t)(alloc && in->alloc_inst.src_valid == every) << 2 | (uint64_t)(alloc && !in->alloc_inst.dst_valid) << 3 |
           (uint64_t)(alloc && in->alloc_inst.mask == 0) << 4 |
           (uint64_t)(alloc && in->alloc_inst.mask == rf_mask64(m->cfg.lanes)) << 5 | (uint64_t)(in->alloc && out->busy) << 6 |
           (uint64_t)(in->alloc && out->ready && in->dispatch) << 7 | (uint64_t)(alloc && twins != 0) << 8 |
           (uint64_t)(alloc && twins != 0 && twins == (every & ~UINT32_C(1))) << 9 | (uint64_t)(waits != 0) << 10 |
           (uint64_t)(out->rd_valid != 0 && granted == 0) << 11 | (uint64_t)(granted != 0) << 12 |
           (uint64_t)several(granted) << 13 | (uint64_t)(granted != 0 && granted != out->rd_valid) << 14 |
           (uint64_t)(shared != 0) << 15 | (uint64_t)((in->rd_grant & ~(uint32_t)out->rd_valid) != 0) << 16 |
           (uint64_t)(out->busy && (in->rd_grant & ~(uint32_t)m->src_valid_q) != 0) << 17 |
           (uint64_t)(out->fill_valid != 0) << 18 | (uint64_t)several(out->fill_valid) << 19 |
           (uint64_t)(out->fill_valid != 0 && granted != 0) << 20 | (uint64_t)out->ready << 21 |
           (uint64_t)(out->ready && !in->dispatch) << 22 | (uint64_t)(out->ready && in->dispatch) << 23 |
           (uint64_t)(out->busy && !out->ready && in->dispatch) << 24 | (uint64_t)(!out->busy && in->dispatch) << 25 |
           (uint64_t)(ahead != 0) << 26 | (uint64_t)(ahead != 0 && ahead == in->alloc_inst.src_valid) << 27 |
           (uint64_t)(ahead != 0 && ahead != in->alloc_inst.src_valid) << 28 |
           (uint64_t)(alloc && (in->alloc_fill & ~(uint32_t)in->alloc_inst.src_valid) != 0) << 29 |
           (uint64_t)(alloc && placed) << 30;
}

#define SMALL "LANES=4 BANKS=4"

static void unreachable(const rf_ocu_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->slots == 1, 8, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, 9, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, 10, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, 13, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, 14, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, 15, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, 19, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, 20, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, 28, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, 30, "one slot");
    ls_unreachable_if(to, cfg->serial == 1, 13, "one slot asks");
    ls_unreachable_if(to, cfg->serial == 1, 14, "one slot asks");
}

static const ls_fault faults[] = {
    {"alloc overwrites a held instruction", NULL, "else if (alloc) begin", "else if (alloc_i) begin", "carried_q.warp", SMALL},
    {"alloc also in the cycle of the dispatch", NULL, "alloc_i && !busy_q", "alloc_i && (!busy_q || dispatch)", "busy_q", SMALL},
    {"dispatch while not ready", NULL, "dispatch = dispatch_i && ready_o", "dispatch = dispatch_i", "busy_q", SMALL},
    {"a granted slot asks again", NULL, "src_valid_q & ~(fill_q | ready_q)", "src_valid_q & ~ready_q", "rd_valid", SMALL},
    {"every slot asks for itself", NULL, "unread[s] && (unread & same) == '0", "unread[s]", "rd_valid", SMALL},
    {"a slot without a source keeps another from asking", NULL, "(unread & same) == '0", "same == '0", "rd_valid", SMALL},
    {"a grant counts for a slot that does not ask", NULL, "granted  = asks & rd_grant_i", "granted  = rd_grant_i", "fill_q",
     SMALL},
    {"two registers in one place are taken for one", NULL, "src_q[l] == src_q[s]",
     "src_q[l] == src_q[s] || (bank_q[l] == bank_q[s] && row_q[l] == row_q[s])", "rd_valid", SMALL},
    {"a duplicate is not delivered", NULL, "granted[s] || (unread[s] && (granted & same) != '0)", "granted[s]", "fill_q", SMALL},
    {"a slot without a source is delivered to", NULL, "(unread[s] && (granted & same) != '0)", "(granted & same) != '0", "fill_q",
     SMALL},
    {"ready one cycle early", NULL, "(src_valid_q & ~ready_q) == '0", "(src_valid_q & ~(ready_q | fill_q)) == '0", "ready",
     SMALL},
    {"ready although free", NULL, "ready_o      = busy_q && (", "ready_o      = (", "ready", SMALL},
    {"a slot forgets that its data is there", NULL, "ready_d     = ready_q | fill_q", "ready_d     = fill_q", "ready_q", SMALL},
    {"dispatch leaves the data marked", NULL, "ready_d     = '0;", "", "ready_q", SMALL},
    {"dispatch leaves the sources valid", NULL, "src_valid_d = '0;", "", "src_valid_q", SMALL},
    {"all slots take slot 0's data", NULL, "fill_data_i[s*DATA_W +: DATA_W]", "fill_data_i[DATA_W-1:0]", "data_q", SMALL},
    {"data stored without a fill", NULL, "if (fill_q[s]) data_q", "if (src_valid_q[s]) data_q", "data_q", SMALL},
    {"operands of the first two slots exchanged", NULL, "data_o[s*DATA_W +: DATA_W]    = data_q[s]",
     "data_o[s*DATA_W +: DATA_W]    = data_q[s < 2 ? 1 - s : s]", "data", SMALL},
    {"row of the wrong slot", NULL, "row_q[s]  <= alloc_row_i[s*ROW_W +: ROW_W]", "row_q[s]  <= alloc_row_i[ROW_W-1:0]", "row_q",
     SMALL},
    {"tag loses its high bit", NULL, "carried_q <= inst.carried",
     "carried_q <= inst.carried & ~(CARRIED_W'(1) << (LANES + REG_W + 16))", "carried_q.tag", SMALL},
    {"the last lane is always active", NULL, "carried_q <= inst.carried",
     "carried_q <= inst.carried | (CARRIED_W'(1) << (LANES + REG_W))", "carried_q.mask", SMALL},
    {"a source read ahead asks for itself", NULL, " || (alloc && ahead[s])", "", "fill_q", SMALL},
    {"a slot without a source is read ahead", NULL, "ahead    = alloc_fill_i & src_valid", "ahead    = alloc_fill_i", "fill_q",
     SMALL},
    {"a busy unit takes sources read ahead for another", NULL, "(alloc && ahead[s])", "(alloc_i && ahead[s])", "fill_q", SMALL},
    {"all slots ask at once", NULL, "asks = `RF_LOWEST(wanted)", "asks = wanted", "rd_valid", SMALL " SERIAL=1"},
    {"data is not reset", NULL, "data_q[s] <= '0;", "data_q[s] <= data_q[s];", "data_q", SMALL},
    {"an allocation beats reset", NULL, "if (!rst_ni) begin\n      busy_q", "if (!rst_ni && !alloc_i) begin\n      busy_q",
     "busy_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "SLOTS=1 LANES=1 WARPS=1 REGS=1 BANKS=1 ROWS=1 EXPORTS=1",
                                   "SLOTS=3 LANES=4 WARPS=8 BANKS=4 ROWS=128 EXPORTS=2",
                                   "SLOTS=7 LANES=4 WARPS=48 REGS=255 BANKS=16 ROWS=768",
                                   "SLOTS=8 LANES=5 WARPS=33 REGS=33 BANKS=5 ROWS=231 EXPORTS=3",
                                   "SLOTS=7 LANES=1 WARPS=64 REGS=256 BANKS=32 ROWS=512 EXPORTS=8",
                                   "SLOTS=2 LANES=3 WARPS=3 REGS=3 BANKS=3 ROWS=3 EXPORTS=5",
                                   "SLOTS=7 WARPS=48 REGS=256 BANKS=16 ROWS=1024",
                                   "SLOTS=5 LANES=1 REGS=1 BANKS=2 ROWS=32 EXPORTS=1",
                                   "SLOTS=7 LANES=2 WARPS=8 BANKS=4 ROWS=128 EXPORTS=3 SERIAL=1",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/banked/rf_banked_pkg.sv", NULL};

#define LS_UNIT rf_ocu
#define LS_GROUP "banked"
#define LS_BRIEF "operand collector unit"
#define LS_FIELDS "tb/banked/rf_ocu.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
