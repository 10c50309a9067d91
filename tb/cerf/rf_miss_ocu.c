/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_miss_ocu. */
#include "cmodel/cerf/rf_miss_ocu.h"

#include "harness/core/unit.h"
#include "tb/banked/env/rf_stage_carried.h"

typedef struct rf_miss_ocu_stim {
    ls_rng rng;
    uint32_t alloc;    /* probability for a free unit, in 256ths */
    uint32_t accept;   /* probability for an asking slot, in 256ths */
    uint32_t fill;     /* probability for a waiting slot, in 256ths */
    uint32_t dispatch; /* probability for a ready unit, in 256ths */
    uint32_t illegal;  /* probability of each breach of protocol, in 256ths */
    uint32_t sources;  /* density of valid slots, in 256ths */
    uint32_t pool;     /* registers named: few make duplicates */
} rf_miss_ocu_stim;

static void stim_init(rf_miss_ocu_stim *s, const rf_miss_ocu *m, uint64_t seed) {
    ls_rng_seed(&s->rng, seed);
    s->alloc = 64 + ls_rng_below(&s->rng, 193);
    s->accept = 32 + ls_rng_below(&s->rng, 200);
    s->fill = 24 + ls_rng_below(&s->rng, 180);
    s->dispatch = 48 + ls_rng_below(&s->rng, 160);
    s->illegal = 8 + ls_rng_below(&s->rng, 40);
    s->sources = 96 + ls_rng_below(&s->rng, 144);
    s->pool = ls_rng_chance(&s->rng, 128) ? 2 + ls_rng_below(&s->rng, 4) : m->cfg.regs;
    if (s->pool > m->cfg.regs) s->pool = m->cfg.regs;
}

/* An index below `n`; one in 64 is any value of its width: it is carried along. */
static uint32_t draw_index(rf_miss_ocu_stim *s, uint32_t n) {
    if (ls_rng_chance(&s->rng, 4)) return (uint32_t)ls_rng_value(&s->rng, rf_index_bits(n));
    return ls_rng_below(&s->rng, n);
}

/* An instruction at the input, also while nobody looks: what is not taken must not be stored. */
static void draw_instruction(rf_miss_ocu_stim *s, const rf_miss_ocu_cfg *cfg, rf_miss_ocu_in *in) {
    const uint32_t kind = ls_rng_below(&s->rng, 16);
    const uint64_t every = rf_mask64(cfg->slots), numbers = rf_mask64(rf_index_bits(cfg->warps * cfg->regs));
    in->alloc_inst.warp = (uint8_t)draw_index(s, cfg->warps);
    rf_stage_draw_carried(&s->rng, &in->alloc_inst.carried);
    in->alloc_inst.port = (uint8_t)draw_index(s, cfg->exports);
    in->alloc_inst.mask = (uint32_t)ls_rng_value(&s->rng, cfg->lanes);
    in->alloc_inst.dst_valid = ls_rng_chance(&s->rng, 192);
    in->alloc_inst.dst = (uint8_t)draw_index(s, cfg->regs);
    in->alloc_inst.src_valid = (uint8_t)(kind == 0 ? 0 : kind < 4 ? every : ls_rng_bits(&s->rng, cfg->slots, s->sources));
    in->alloc_last = (uint8_t)(ls_rng_chance(&s->rng, 96) ? 0 : ls_rng_bits(&s->rng, cfg->slots, 96));
    const uint32_t first = draw_index(s, cfg->regs);
    for (uint32_t i = 0; i < cfg->slots; i++) {
        /* Kind 1 names one register in all slots, kind 2 neighbours, the others any of the pool. */
        const uint32_t step = kind == 1 ? 0 : kind == 2 ? i : ls_rng_below(&s->rng, s->pool);
        const uint32_t reg = step == 0 ? first : (first + step) % cfg->regs;
        in->alloc_inst.src[i] = (uint8_t)reg;
        in->alloc_number[i] = (uint16_t)((in->alloc_inst.warp * cfg->regs + reg) & numbers);
    }
    if (ls_rng_chance(&s->rng, s->illegal)) { /* any register, any number, or the number of another slot's register */
        const uint32_t i = ls_rng_below(&s->rng, cfg->slots), k = ls_rng_below(&s->rng, cfg->slots);
        const bool any = ls_rng_chance(&s->rng, 128);
        if (ls_rng_chance(&s->rng, 128)) in->alloc_inst.src[i] = (uint8_t)ls_rng_value(&s->rng, rf_index_bits(cfg->regs));
        in->alloc_number[i] = any ? (uint16_t)(ls_rng_u64(&s->rng) & numbers) : in->alloc_number[k];
    }
}

/* Requests that the memory takes and answers that it brings, as it may, or now and then any. */
static void draw_memory(rf_miss_ocu_stim *s, const rf_miss_ocu *m, const rf_miss_ocu_out *out, rf_miss_ocu_in *in) {
    const uint32_t slots = m->cfg.slots;
    in->rd_accept = (uint8_t)(ls_rng_bits(&s->rng, slots, s->accept) & out->rd_valid);
    in->fill = (uint8_t)(ls_rng_bits(&s->rng, slots, s->fill) & m->wait_q);
    for (uint32_t i = 1; i < slots; i++) /* the slot that asked gets it */
        for (uint32_t k = 0; k < i; k++)
            if ((m->wait_q >> k & 1) != 0 && m->src_q[k] == m->src_q[i]) in->fill = (uint8_t)(in->fill & ~(1u << i));
    if (ls_rng_chance(&s->rng, s->illegal)) in->rd_accept = (uint8_t)ls_rng_value(&s->rng, slots);
    if (ls_rng_chance(&s->rng, s->illegal)) in->fill = (uint8_t)ls_rng_value(&s->rng, slots);
    if (ls_rng_chance(&s->rng, s->illegal)) in->fill |= in->rd_accept; /* in the cycle of the request */
    /* New data where it is due; elsewhere the old stays for a while. */
    for (uint32_t i = 0; i < slots; i++)
        if ((in->fill >> i & 1) != 0 || ls_rng_chance(&s->rng, 32)) ls_rng_lanes(&s->rng, in->fill_data[i].lane, m->cfg.lanes);
}

static void stim(rf_miss_ocu_stim *s, const rf_miss_ocu *m, rf_miss_ocu_in *in) {
    rf_miss_ocu_out out;
    rf_miss_ocu_comb(m, in, &out);
    in->alloc = ls_rng_chance(&s->rng, out.busy ? s->illegal : s->alloc);
    if (!out.busy || in->alloc) draw_instruction(s, &m->cfg, in);
    draw_memory(s, m, &out, in);
    in->dispatch = ls_rng_chance(&s->rng, out.ready ? s->dispatch : s->illegal);
}

/* clang-format off */
#define BINS(X) \
    X(ALLOC, "alloc") X(NO_SOURCE, "alloc without sources") X(EVERY_SOURCE, "alloc with every slot") \
    X(NO_DST, "alloc without destination") X(NO_LANE, "alloc for no lane") X(ALL_LANES, "alloc for all lanes") \
    X(ALLOC_BUSY, "alloc while busy") X(ALLOC_DISPATCH, "alloc in the cycle of the dispatch") \
    X(TWINS, "one register in two slots") X(TWINS_ALL, "one register in every slot") \
    X(TWO_NUMBERS, "one register in two slots with two numbers") X(ONE_NUMBER, "two registers with one number") \
    X(WAITING, "an unread slot that leaves the asking to a lower one") X(NONE_ACCEPTED, "nothing accepted of asking slots") \
    X(ACCEPT, "accept") X(ACCEPT_SEVERAL, "several accepted") X(ACCEPT_SOME, "some accepted, some not") \
    X(ACCEPT_TWIN, "accept for several slots") X(ACCEPT_MUTE, "accept of a slot that does not ask") \
    X(ACCEPT_TWIN_MUTE, "accept of an unread slot that a lower one asks for") X(ACCEPT_VOID, "accept of a slot without a source") \
    X(FILL, "fill") X(FILL_SEVERAL, "fill for several requests") X(FILL_TWIN, "fill for several slots") \
    X(FILL_TWIN_MIXED, "a register's slots are filled around a slot of another that waits") \
    X(FILL_ABOVE, "fill of a higher request while a lower one waits") X(FILL_ACCEPT, "fill while another is accepted") \
    X(FILL_ASKING, "fill while another still asks") X(FILL_SAME, "fill in the cycle of the accept ignored") \
    X(FILL_UNREAD, "fill of a slot that is not accepted ignored") X(FILL_READY, "fill of a slot that has its data ignored") \
    X(FILL_NOT_ASKED, "fill of a waiting slot that did not ask ignored") X(FILL_FREE, "fill while free ignored") \
    X(FILL_LAST, "the last fill") X(FILL_DISPATCH, "dispatch in the cycle of the last fill ignored") \
    X(LAST, "asks for its own last read") X(LAST_TWIN, "asks for the last read of a slot that shares its register") \
    X(LAST_NOT, "asks for a read that is not the last, another slot's is") X(LAST_VOID, "last read of a slot without a source") \
    X(READY, "ready") X(STANDS, "ready but not dispatched") X(DISPATCH, "dispatch") \
    X(DISPATCH_NOT, "dispatch while not ready") X(DISPATCH_FREE, "dispatch while free") \
    X(ALL_PHASES, "one slot asks, one waits, one is ready")
/* clang-format on */
#define BIN_NAME(name, text) B_##name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};
#define BIN(name, cond) ((uint64_t)((cond) != 0) << B_##name)

static bool several(uint32_t x) { return (x & (x - 1)) != 0; }

static uint64_t alloc_bins(const rf_miss_ocu *m, const rf_miss_ocu_in *in) {
    const uint32_t every = (uint32_t)rf_mask64(m->cfg.slots), valid = in->alloc_inst.src_valid;
    uint32_t twins = 0; /* valid sources that name the register of a valid one below */
    bool numbers = false, number = false;
    for (uint32_t i = 1; i < m->cfg.slots; i++)
        for (uint32_t k = 0; k < i; k++) {
            const bool pair = (valid >> k & valid >> i & 1) != 0, same = in->alloc_inst.src[i] == in->alloc_inst.src[k];
            const bool equal = in->alloc_number[i] == in->alloc_number[k];
            twins |= (uint32_t)(pair && same) << i;
            numbers |= pair && same && !equal;
            number |= pair && !same && equal;
        }
    return BIN(ALLOC, 1) | BIN(NO_SOURCE, valid == 0) | BIN(EVERY_SOURCE, valid == every) |
           BIN(NO_DST, !in->alloc_inst.dst_valid) | BIN(NO_LANE, in->alloc_inst.mask == 0) |
           BIN(ALL_LANES, in->alloc_inst.mask == rf_mask64(m->cfg.lanes)) | BIN(TWINS, twins) |
           BIN(TWINS_ALL, twins != 0 && twins == (every & ~UINT32_C(1))) | BIN(TWO_NUMBERS, numbers) | BIN(ONE_NUMBER, number) |
           BIN(LAST_VOID, (in->alloc_last & ~valid) != 0);
}

/* What the memory takes and brings. */
static uint64_t memory_bins(const rf_miss_ocu *m, const rf_miss_ocu_in *in, const rf_miss_ocu_out *out) {
    const uint32_t asks = out->rd_valid, wait = m->wait_q, ready = m->ready_q, accepted = in->rd_accept & asks;
    const uint32_t leaves = out->unread & ~asks; /* to a lower slot */
    uint32_t served = 0;                         /* slots beside the asking ones that an accept serves */
    uint32_t awaited = wait;                     /* slots that asked */
    uint32_t filled = 0;
    bool twin = false, mixed = false;
    for (uint32_t i = 1; i < m->cfg.slots; i++)
        for (uint32_t k = 0; k < i; k++) {
            if (m->src_q[i] != m->src_q[k]) continue;
            served |= (accepted >> k & leaves >> i & 1) << i;
            if ((wait >> k & 1) != 0) awaited &= ~(UINT32_C(1) << i);
        }
    const uint32_t comes = in->fill & awaited;
    for (uint32_t i = 0; i < m->cfg.slots; i++)
        for (uint32_t k = 0; k <= i; k++) {
            if ((comes >> k & wait >> i & 1) == 0 || m->src_q[i] != m->src_q[k]) continue;
            filled |= UINT32_C(1) << i;
            twin |= k < i;
            mixed |= (awaited & ~comes & (rf_mask64(i) & ~rf_mask64(k))) != 0;
        }
    const uint32_t lowest = comes & (~comes + 1);
    const bool last = comes != 0 && (m->src_valid_q & ~(ready | filled)) == 0;
    return BIN(WAITING, leaves) | BIN(NONE_ACCEPTED, asks != 0 && accepted == 0) | BIN(ACCEPT, accepted) |
           BIN(ACCEPT_SEVERAL, several(accepted)) | BIN(ACCEPT_SOME, accepted != 0 && accepted != asks) |
           BIN(ACCEPT_TWIN, served) | BIN(ACCEPT_MUTE, (in->rd_accept & ~asks) != 0) |
           BIN(ACCEPT_TWIN_MUTE, (in->rd_accept & leaves & ~served) != 0) |
           BIN(ACCEPT_VOID, out->busy && (in->rd_accept & ~(uint32_t)m->src_valid_q) != 0) | BIN(FILL, comes) |
           BIN(FILL_SEVERAL, several(comes)) | BIN(FILL_TWIN, twin) | BIN(FILL_TWIN_MIXED, mixed) |
           BIN(FILL_ABOVE, comes != 0 && (awaited & (lowest - 1)) != 0) | BIN(FILL_ACCEPT, comes != 0 && accepted != 0) |
           BIN(FILL_ASKING, comes != 0 && (asks & ~accepted) != 0) | BIN(FILL_SAME, in->fill & accepted) |
           BIN(FILL_UNREAD, in->fill & out->unread & ~accepted) | BIN(FILL_READY, in->fill & ready) |
           BIN(FILL_NOT_ASKED, in->fill & wait & ~filled) | BIN(FILL_FREE, in->fill != 0 && !out->busy) | BIN(FILL_LAST, last) |
           BIN(FILL_DISPATCH, last && in->dispatch) | BIN(ALL_PHASES, asks != 0 && wait != 0 && ready != 0);
}

static uint64_t bins(const rf_miss_ocu *m, const rf_miss_ocu_in *in, const rf_miss_ocu_out *out) {
    const uint32_t own = out->rd_valid & m->last_q;
    return (in->alloc && !out->busy ? alloc_bins(m, in) : 0) | memory_bins(m, in, out) | BIN(ALLOC_BUSY, in->alloc && out->busy) |
           BIN(ALLOC_DISPATCH, in->alloc && out->ready && in->dispatch) | BIN(LAST, own) | BIN(LAST_TWIN, out->rd_last & ~own) |
           BIN(LAST_NOT, out->rd_last != 0 && out->rd_last != out->rd_valid) | BIN(READY, out->ready) |
           BIN(STANDS, out->ready && !in->dispatch) | BIN(DISPATCH, out->ready && in->dispatch) |
           BIN(DISPATCH_NOT, out->busy && !out->ready && in->dispatch) | BIN(DISPATCH_FREE, !out->busy && in->dispatch);
}

static void unreachable(const rf_miss_ocu_cfg *cfg, ls_unreachable *to) {
    static const uint8_t two[] = {B_TWINS,       B_TWINS_ALL,   B_TWO_NUMBERS,      B_ONE_NUMBER,   B_WAITING,   B_ACCEPT_SEVERAL,
                                  B_ACCEPT_SOME, B_ACCEPT_TWIN, B_ACCEPT_TWIN_MUTE, B_FILL_SEVERAL, B_FILL_TWIN, B_FILL_ABOVE,
                                  B_FILL_ACCEPT, B_FILL_ASKING, B_FILL_NOT_ASKED,   B_LAST_TWIN,    B_LAST_NOT};
    static const uint8_t three[] = {B_FILL_TWIN_MIXED, B_ALL_PHASES};
    for (size_t i = 0; i < sizeof two; i++) ls_unreachable_if(to, cfg->slots == 1, two[i], "one slot");
    ls_unreachable_if(to, rf_index_bits(cfg->regs) < 2, B_ALL_PHASES, "there are no three registers");
    for (size_t i = 0; i < sizeof three; i++) ls_unreachable_if(to, cfg->slots < 3, three[i], "fewer than three slots");
}

#define SMALL "LANES=4 WARPS=8"
#define TWO "SLOTS=2 LANES=4 WARPS=8"

static const ls_fault faults[] = {
    {"alloc overwrites a held instruction", NULL, "else if (alloc) begin", "else if (alloc_i) begin", "carried_q.warp", SMALL},
    {"alloc also in the cycle of the dispatch", NULL, "alloc_i && !busy_q", "alloc_i && (!busy_q || dispatch)", "busy_q", SMALL},
    {"dispatch while not ready", NULL, "dispatch = dispatch_i && ready_o", "dispatch = dispatch_i", "busy_q", SMALL},
    {"an accepted slot asks again", NULL, "src_valid_q & ~(wait_q | ready_q)", "src_valid_q & ~ready_q", "rd_valid", SMALL},
    {"every slot asks for itself", NULL, "unread[s] && (unread & below) == '0", "unread[s]", "rd_valid", SMALL},
    {"a slot without a source keeps another from asking", NULL, "(unread & below) == '0", "below == '0", "rd_valid", SMALL},
    {"two registers with one number are taken for one", NULL, "same[l] = src_q[l] == src_q[s]",
     "same[l] = number_q[l] == number_q[s]", "rd_valid", TWO},
    {"one register with two numbers is taken for two", NULL, "same[l] = src_q[l] == src_q[s]",
     "same[l] = src_q[l] == src_q[s] && number_q[l] == number_q[s]", "rd_valid", TWO},
    {"an accept counts for a slot that does not ask", NULL, "accepted = asks & rd_accept_i", "accepted = rd_accept_i", "wait_q",
     SMALL},
    {"a duplicate does not wait", NULL, "accepted[s] || (unread[s] && (accepted & below) != '0)", "accepted[s]", "wait_q", SMALL},
    {"a slot without a source waits", NULL, "(unread[s] && (accepted & below) != '0)", "(accepted & below) != '0", "wait_q",
     SMALL},
    {"a fill counts in the cycle of the accept", NULL, "comes[s]     = fill_i[s] && wait_q[s] &&",
     "comes[s]     = fill_i[s] && (wait_q[s] || served[s]) &&", "ready_q", SMALL},
    {"a fill counts for a slot that waits for nothing", NULL, "comes[s]     = fill_i[s] && wait_q[s] &&",
     "comes[s]     = fill_i[s] &&", "ready_q", SMALL},
    {"a fill counts for a slot that did not ask", NULL, "fill_i[s] && wait_q[s] && (wait_q & below) == '0",
     "fill_i[s] && wait_q[s]", "wait_q", TWO},
    {"a duplicate is not filled", NULL, "wait_q[s] && below[l] && comes[l]", "1'b0", "wait_q", SMALL},
    {"a fill is for every waiting slot above", NULL, "wait_q[s] && below[l] && comes[l]", "wait_q[s] && (l < s) && comes[l]",
     "wait_q", SMALL},
    {"a slot without a source is filled", NULL, "wait_q[s] && below[l] && comes[l]", "below[l] && comes[l]", "ready_q", SMALL},
    {"a duplicate takes the data of its own port", NULL, "if (from[l]) brought", "if (1'b0) brought", "data_q", SMALL},
    {"a slot takes the data of any port below", NULL, "if (from[l]) brought", "if (comes[l]) brought", "data_q", SMALL},
    {"a slot that is filled waits on", NULL, "(wait_q & ~filled) | served", "wait_q | served", "wait_q", SMALL},
    {"a fill makes the unit forget that others wait", NULL, "(wait_q & ~filled) | served",
     "(wait_q & {SLOTS{filled == '0}}) | served", "wait_q", SMALL},
    {"the last read of a duplicate is lost", NULL, "(last_q & same) != '0", "last_q[s]", "rd_last", SMALL},
    {"the last read of a slot that does not ask", NULL, "asks[s] && (last_q & same) != '0", "(last_q & same) != '0", "rd_last",
     SMALL},
    {"any slot's last read is that of all", NULL, "(last_q & same) != '0", "last_q != '0", "rd_last", SMALL},
    {"the last read of a slot without a source", NULL, "last_q    <= alloc_last_i & src_valid", "last_q    <= alloc_last_i",
     "last_q", SMALL},
    {"ready one cycle early", NULL, "(src_valid_q & ~ready_q) == '0", "(src_valid_q & ~(ready_q | filled)) == '0", "ready",
     SMALL},
    {"ready when all are accepted", NULL, "(src_valid_q & ~ready_q) == '0", "unread == '0", "ready", SMALL},
    {"ready although free", NULL, "ready_o    = busy_q && (", "ready_o    = (", "ready", SMALL},
    {"a slot forgets that its data is there", NULL, "ready_d     = ready_q | filled", "ready_d     = filled", "ready_q", SMALL},
    {"dispatch leaves the data marked", NULL, "ready_d     = '0;", "", "ready_q", SMALL},
    {"dispatch leaves the sources valid", NULL, "src_valid_d = '0;", "", "src_valid_q", SMALL},
    {"number of the wrong slot", NULL, "<= alloc_number_i[s*NUMBER_W +: NUMBER_W]", "<= alloc_number_i[NUMBER_W-1:0]", "number_q",
     SMALL},
    {"operands of the first two slots exchanged", NULL, "= data_q[s];", "= data_q[s < 2 ? 1 - s : s];", "data", SMALL},
    {"the last lane is always active", NULL, "carried_q <= inst.carried",
     "carried_q <= inst.carried | (CARRIED_W'(1) << (LANES + REG_W))", "carried_q.mask", SMALL},
    {"data is not reset", NULL, "data_q[s] <= '0;", "data_q[s] <= data_q[s];", "data_q", SMALL},
    {"an allocation beats reset", NULL, "if (!rst_ni) begin\n      busy_q", "if (!rst_ni && !alloc_i) begin\n      busy_q",
     "busy_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "SLOTS=1 LANES=1 WARPS=1 REGS=1 EXPORTS=1",
                                   "SLOTS=2 LANES=3 WARPS=3 REGS=3 EXPORTS=5",
                                   "SLOTS=3 LANES=4 WARPS=8 EXPORTS=2",
                                   "SLOTS=8 LANES=5 WARPS=33 REGS=33 EXPORTS=3",
                                   "SLOTS=7 LANES=1 WARPS=64 REGS=256 EXPORTS=8",
                                   "SLOTS=7 WARPS=48 REGS=255",
                                   "SLOTS=5 LANES=1 REGS=1 EXPORTS=1",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/banked/rf_banked_pkg.sv", NULL};

#define LS_UNIT rf_miss_ocu
#define LS_GROUP "cerf"
#define LS_BRIEF "operand collector unit whose operands may miss"
#define LS_FIELDS "tb/cerf/rf_miss_ocu.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
