/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_orf. */
#include "cmodel/hierarchy/rf_orf.h"

#include "harness/core/unit.h"

/* Probabilities in 256ths. */
typedef struct rf_orf_stim {
    ls_rng rng;
    uint32_t read;     /* a slot reads */
    uint32_t own;      /* ... of a split L0 its own bank */
    uint32_t set;      /* each set port */
    uint32_t write;    /* a value arrives */
    uint32_t answers;  /* ... for a pending name */
    uint32_t full;     /* ... in all lanes */
    uint32_t shared;   /* a shared unit reads, writes */
    uint32_t clear;    /* a strand ends */
    uint32_t anything; /* a name is any, one that does not exist too */
    uint32_t again;    /* a slot, a set port or the write names what another of them does */
} rf_orf_stim;

static void stim_init(rf_orf_stim *s, const rf_orf *m, uint64_t seed) {
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->read = 64 + ls_rng_below(&s->rng, 193);
    s->own = 64 + ls_rng_below(&s->rng, 193);
    s->set = ls_rng_chance(&s->rng, 64) ? 256 : 16 + ls_rng_below(&s->rng, 128);
    s->write = ls_rng_chance(&s->rng, 64) ? 256 : 32 + ls_rng_below(&s->rng, 192);
    s->answers = ls_rng_below(&s->rng, 257);
    s->full = ls_rng_chance(&s->rng, 64) ? 256 : 64 + ls_rng_below(&s->rng, 128);
    s->shared = 16 + ls_rng_below(&s->rng, 112);
    s->clear = ls_rng_chance(&s->rng, 64) ? 1 : 2 + ls_rng_below(&s->rng, 62);
    s->anything = 8 + ls_rng_below(&s->rng, 48);
    s->again = 16 + ls_rng_below(&s->rng, 64);
}

static uint8_t name_of(const rf_orf_cfg *cfg, uint32_t place) {
    return (uint8_t)(place < cfg->entries ? place : RF_LEVEL_L0 + place - cfg->entries);
}

/* Mostly a name that exists. */
static uint8_t draw_name(rf_orf_stim *s, const rf_orf_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->anything)) return (uint8_t)ls_rng_below(&s->rng, RF_LEVEL_NAMES);
    return name_of(cfg, ls_rng_below(&s->rng, rf_orf_places(cfg)));
}

static void draw_reads(rf_orf_stim *s, const rf_orf_cfg *cfg, rf_orf_in *in) {
    in->rd_valid = (uint8_t)ls_rng_bits(&s->rng, cfg->slots, s->read);
    in->shared = ls_rng_chance(&s->rng, s->shared);
    const bool each = cfg->l0 == 2 && ls_rng_chance(&s->rng, 8); /* each slot its own bank */
    if (each) in->rd_valid = (uint8_t)rf_mask64(cfg->slots);
    for (uint32_t i = 0; i < cfg->slots; i++) {
        in->rd_name[i] = draw_name(s, cfg);
        if (i > 0 && ls_rng_chance(&s->rng, s->again)) in->rd_name[i] = in->rd_name[ls_rng_below(&s->rng, i)];
        if (each || (cfg->l0 == 2 && in->rd_name[i] >= RF_LEVEL_L0 && ls_rng_chance(&s->rng, s->own)))
            in->rd_name[i] = (uint8_t)(RF_LEVEL_L0 + i);
    }
}

static void draw_write(rf_orf_stim *s, const rf_orf *m, rf_orf_in *in) {
    const rf_orf_cfg *cfg = &m->cfg;
    in->write = ls_rng_chance(&s->rng, s->write);
    in->wr_name = draw_name(s, cfg);
    if (m->pend_q != 0 && ls_rng_chance(&s->rng, s->answers)) { /* the first pending place from any on */
        uint32_t place = ls_rng_below(&s->rng, rf_orf_places(cfg));
        while ((m->pend_q >> place & 1) == 0) place = (place + 1) % rf_orf_places(cfg);
        in->wr_name = name_of(cfg, place);
    }
    if (ls_rng_chance(&s->rng, s->again)) in->wr_name = in->rd_name[ls_rng_below(&s->rng, cfg->slots)];
    in->wr_shared = ls_rng_chance(&s->rng, s->shared);
    in->wr_mask = rf_all_lanes(cfg->lanes);
    if (!ls_rng_chance(&s->rng, s->full)) in->wr_mask = (uint32_t)ls_rng_value(&s->rng, cfg->lanes);
    if (ls_rng_chance(&s->rng, 8)) in->wr_mask = 0;
    ls_rng_lanes(&s->rng, in->wr_data.lane, cfg->lanes);
}

static void stim(rf_orf_stim *s, const rf_orf *m, rf_orf_in *in) {
    draw_reads(s, &m->cfg, in);
    draw_write(s, m, in);
    in->set = (uint8_t)ls_rng_bits(&s->rng, 2, s->set);
    for (uint32_t i = 0; i < 2; i++) {
        in->set_name[i] = draw_name(s, &m->cfg);
        if (ls_rng_chance(&s->rng, s->again)) in->set_name[i] = i > 0 ? in->set_name[0] : in->wr_name;
    }
    in->clear = ls_rng_chance(&s->rng, s->clear);
    if (ls_rng_chance(&s->rng, 4)) in->rd_valid = in->set = in->write = in->clear = 0;
}

/* clang-format off */
#define BINS(X) \
    X(IDLE, "nothing to do") X(L1, "a slot reads the L1, all lanes held") X(L0, "a slot reads the L0, all lanes held") \
    X(SOME, "a slot reads an entry of which some lanes are held") X(NONE, "a slot reads an entry of which no lane is held") \
    X(LAST, "a slot reads what is held in the last place") \
    X(NO_L1, "a slot reads an entry of the L1 that does not exist") X(NO_L0, "a slot reads a bank of the L0 that does not exist") \
    X(OTHER, "a slot reads another slot's bank, which holds lanes") X(OTHERS, "each slot reads its own bank of the L0") \
    X(SHARED_L1, "a shared unit reads what is held in the L1") X(SHARED_L0, "a shared unit reads what is held in the L0") \
    X(TWICE, "two slots read one entry") X(ALL, "all slots read") X(MUTE, "a slot that does not read names what is held") \
    X(PENDING, "a slot reads a pending entry") X(ARRIVES, "a slot reads the entry that is written") \
    X(ENDS, "a slot reads what is held in the cycle of the clear") \
    X(SET, "a result's name becomes pending") X(KEEP, "a kept operand's name becomes pending") \
    X(SET_BOTH, "two names become pending") X(SET_SAME, "both set ports have one name") X(SET_AGAIN, "a pending name is set") \
    X(SET_NOWHERE, "a name is set that does not exist") X(SET_MUTE, "a port that does not set has a name that is not pending") \
    X(WRITE, "a value arrives in the L1") X(WRITE_L0, "a value arrives in the L0") \
    X(FREE, "a value arrives that nothing awaits") X(PART, "a value arrives in some lanes") \
    X(EMPTY, "a value of no lane arrives") X(ADDS, "a value adds lanes to those that are held") \
    X(OVER, "a value replaces what is held") X(SH_L1, "a value of a shared unit arrives in the L1") \
    X(SH_L0, "a value of a shared unit for the L0 ends what is pending") X(NOWHERE, "a value for a name that does not exist") \
    X(WRITE_MUTE, "no value arrives, the port has a pending name") X(REFILL, "a name is written and set") \
    X(CLEAR, "a strand ends while lanes are held") X(LATE, "a strand ends while a name is pending") \
    X(CLEAR_WRITE, "a strand ends, and a value arrives in an entry that holds other lanes") \
    X(CLEAR_SET, "a strand ends, and a name is set") X(STALE, "a value in some lanes arrives in a cleared entry") \
    X(ALL_PEND, "every name that exists is pending") X(FULL, "every entry holds all lanes")
/* clang-format on */
#define BIN_NAME(name, text) B_##name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};
#define BIN(name, cond) ((uint64_t)((cond) != 0) << B_##name)

static uint64_t read_bins(const rf_orf *m, const rf_orf_in *in) {
    const rf_orf_cfg *cfg = &m->cfg;
    const uint32_t all = rf_all_lanes(cfg->lanes), last = rf_orf_places(cfg) - 1;
    uint64_t hits = BIN(ALL, in->rd_valid == rf_mask64(cfg->slots));
    uint32_t own = 0;
    for (uint32_t s = 0; s < cfg->slots; s++) {
        const uint32_t name = in->rd_name[s], place = rf_orf_place(cfg, name);
        const bool reads = (in->rd_valid >> s & 1) != 0, l0 = name >= RF_LEVEL_L0;
        if (place == RF_LEVEL_NAMES) {
            hits |= BIN(NO_L1, reads && !l0) | BIN(NO_L0, reads && l0);
            continue;
        }
        const uint32_t held = m->held_q[place];
        const bool other = l0 && cfg->l0 == 2 && name != RF_LEVEL_L0 + s, serves = reads && !other && !(l0 && in->shared);
        own += l0 && serves && held != 0;
        hits |= BIN(L1, serves && !l0 && held == all) | BIN(L0, serves && l0 && held == all) | BIN(MUTE, !reads && held != 0) |
                BIN(SOME, serves && held != 0 && held != all) | BIN(NONE, serves && held == 0) |
                BIN(LAST, serves && held != 0 && place == last) | BIN(OTHER, reads && other && !in->shared && held != 0) |
                BIN(SHARED_L1, reads && !l0 && in->shared && held != 0) |
                BIN(SHARED_L0, reads && l0 && !other && in->shared && held != 0) |
                BIN(PENDING, serves && (m->pend_q >> place & 1) != 0) |
                BIN(ARRIVES, serves && in->write && in->wr_name == name && in->wr_mask != 0) |
                BIN(ENDS, serves && held != 0 && in->clear);
        for (uint32_t k = 0; k < s; k++) hits |= BIN(TWICE, reads && (in->rd_valid >> k & 1) != 0 && in->rd_name[k] == name);
    }
    return hits | BIN(OTHERS, cfg->l0 == 2 && own == cfg->slots);
}

static uint64_t set_bins(const rf_orf *m, const rf_orf_in *in) {
    uint64_t hits = 0;
    uint32_t news = 0;
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t place = rf_orf_place(&m->cfg, in->set_name[i]);
        const bool sets = (in->set >> i & 1) != 0, exists = place < RF_LEVEL_NAMES;
        const bool pends = exists && (m->pend_q >> place & 1) != 0;
        news |= (uint32_t)(sets && exists && !pends) << i;
        hits |= BIN(SET_AGAIN, sets && pends) | BIN(SET_NOWHERE, sets && !exists) | BIN(SET_MUTE, !sets && exists && !pends) |
                BIN(REFILL, sets && exists && in->write && in->wr_name == in->set_name[i]) |
                BIN(CLEAR_SET, sets && exists && in->clear);
    }
    const bool same = in->set_name[0] == in->set_name[1];
    return hits | BIN(SET, (news & 1) != 0) | BIN(KEEP, (news & 2) != 0) | BIN(SET_BOTH, news == 3 && !same) |
           BIN(SET_SAME, in->set == 3 && same);
}

static uint64_t write_bins(const rf_orf *m, const rf_orf_in *in) {
    const uint32_t all = rf_all_lanes(m->cfg.lanes), place = rf_orf_place(&m->cfg, in->wr_name);
    if (place == RF_LEVEL_NAMES) return BIN(NOWHERE, in->write);
    const bool l0 = in->wr_name >= RF_LEVEL_L0, pends = (m->pend_q >> place & 1) != 0,
               stores = in->write && !(l0 && in->wr_shared);
    const bool some = in->wr_mask != 0 && in->wr_mask != all;
    const uint32_t held = m->held_q[place];
    bool old = false; /* a lane that the write leaves holds an old value */
    for (uint32_t l = 0; l < m->cfg.lanes; l++) old |= (in->wr_mask >> l & 1) == 0 && m->data_q[place].lane[l] != 0;
    return BIN(WRITE, stores && !l0 && in->wr_mask != 0) | BIN(WRITE_L0, stores && l0 && in->wr_mask != 0) |
           BIN(FREE, in->write && !pends) | BIN(PART, stores && some) | BIN(EMPTY, stores && in->wr_mask == 0) |
           BIN(ADDS, stores && held != 0 && (in->wr_mask & ~held) != 0 && (held & ~in->wr_mask) != 0 && !in->clear) |
           BIN(OVER, stores && (held & in->wr_mask) != 0) | BIN(SH_L1, in->write && !l0 && in->wr_shared && in->wr_mask != 0) |
           BIN(SH_L0, in->write && l0 && in->wr_shared && pends && in->wr_mask != 0) | BIN(WRITE_MUTE, !in->write && pends) |
           BIN(CLEAR_WRITE, stores && in->clear && some && (held & ~in->wr_mask) != 0) |
           BIN(STALE, stores && some && held == 0 && old);
}

static uint64_t bins(const rf_orf *m, const rf_orf_in *in, const rf_orf_out *out) {
    const uint32_t places = rf_orf_places(&m->cfg);
    uint32_t held = 0, full = 0;
    for (uint32_t p = 0; p < places; p++) {
        held |= m->held_q[p];
        full += m->held_q[p] == rf_all_lanes(m->cfg.lanes);
    }
    return read_bins(m, in) | set_bins(m, in) | write_bins(m, in) |
           BIN(IDLE, (in->rd_valid | in->set | in->write | in->clear) == 0) | BIN(CLEAR, in->clear && held != 0) |
           BIN(LATE, in->clear && out->pend != 0) | BIN(ALL_PEND, m->pend_q == rf_mask64(places)) | BIN(FULL, full == places);
}

static void unreachable(const rf_orf_cfg *cfg, ls_unreachable *to) {
    static const uint8_t lanes[] = {B_SOME, B_PART, B_ADDS, B_CLEAR_WRITE, B_STALE};
    static const uint8_t l0[] = {B_L0, B_SHARED_L0, B_WRITE_L0, B_SH_L0};
    for (size_t i = 0; i < sizeof lanes; i++) ls_unreachable_if(to, cfg->lanes == 1, lanes[i], "one lane");
    for (size_t i = 0; i < sizeof l0; i++) ls_unreachable_if(to, cfg->l0 == 0, l0[i], "there is no L0");
    ls_unreachable_if(to, cfg->l0 != 2, B_OTHER, "the L0 is not split");
    ls_unreachable_if(to, cfg->l0 != 2, B_OTHERS, "the L0 is not split");
    ls_unreachable_if(to, cfg->slots == 1, B_OTHER, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, B_TWICE, "one slot");
    ls_unreachable_if(to, rf_orf_places(cfg) == 1, B_SET_BOTH, "one name exists");
    ls_unreachable_if(to, cfg->entries == RF_LEVEL_ENTRIES_MAX, B_NO_L1, "every name of the L1 exists");
    ls_unreachable_if(to, rf_orf_places(cfg) - cfg->entries == RF_LEVEL_NAMES - RF_LEVEL_L0, B_NO_L0,
                      "every name of the L0 exists");
    ls_unreachable_if(to, rf_orf_places(cfg) == RF_LEVEL_NAMES, B_SET_NOWHERE, "every name exists");
    ls_unreachable_if(to, rf_orf_places(cfg) == RF_LEVEL_NAMES, B_NOWHERE, "every name exists");
}

#define SMALL "LANES=2"
#define SPLIT "L0=2 LANES=2"

static const ls_fault faults[] = {
    {"a lane shows what it no longer holds", NULL, "merge(data_q[index], {LANES{POISON}}, held)", "data_q[index]", "rd_data",
     SMALL},
    {"a lane that is not held reads as 0", NULL, "{LANES{POISON}}, held", "'0, held", "rd_data", SMALL},
    {"one held lane shows all", NULL, "(from != '0) ? held_q[index] : '0", "(from != '0) ? {LANES{|held_q[index]}} : '0",
     "rd_data", SMALL},
    {"a name that does not exist reads entry 0", NULL, "(from != '0) ? held_q[index] : '0", "held_q[index]", "rd_data", SMALL},
    {"a slot shows what it does not read", NULL, "rd_valid_i[s] ?", "1'b1 ?", "rd_data", SMALL},
    {"a shared unit reads the L0", NULL, "(!shared_i && (L0", "(1'b1 && (L0", "rd_data", SMALL},
    {"a shared unit does not read the L1", NULL, "p < ENTRIES || (!shared_i && (", "!shared_i && (p < ENTRIES || (", "rd_data",
     SMALL},
    {"a slot reads another slot's bank", NULL, "(L0 == 1 || p - ENTRIES == s)", "(L0 != 0)", "rd_data", SPLIT},
    {"all slots read bank 0 of a split L0", NULL, "p - ENTRIES == s", "p == ENTRIES", "rd_data", SPLIT},
    {"all slots read what slot 0 names", NULL, "place(rd_name_i[s*NAME_W +: NAME_W])", "place(rd_name_i[0 +: NAME_W])", "rd_data",
     SMALL},
    {"pending by place, not by name", NULL, "pend_o[p < ENTRIES ? p : L0_NAME + p - ENTRIES] = pend_q[p]",
     "pend_o[p] = pend_q[p]", "pend", SMALL},
    {"a read does not see its entry's old value", NULL, "rd_valid_i[s] ? merge(data_q[index]",
     "rd_valid_i[s] ? merge(write_i && wr_name_i == rd_name_i[s*NAME_W +: NAME_W] ? wr_data_i : data_q[index]", "rd_data", SMALL},
    {"set and write: nothing is pending", NULL, "(pend_q & ~write) | set", "(pend_q | set) & ~write", "pend_q", SMALL},
    {"a kept operand is not awaited", NULL, "set_i[1]", "1'b0", "pend_q", SMALL},
    {"a kept operand is awaited instead of the result", NULL, "set_i[0]", "(set_i[0] && !set_i[1])", "pend_q", SMALL},
    {"a port sets that is idle", NULL, "set_i[1]", "1'b1", "pend_q", SMALL},
    {"the end of a strand ends what is pending", NULL, "(pend_q & ~write) | set", "(pend_q & ~write & {PLACES{!clear_i}}) | set",
     "pend_q", SMALL},
    {"a value for the L0 of a shared unit stays pending", NULL, "(pend_q & ~write) | set", "(pend_q & ~store) | set", "pend_q",
     SMALL},
    {"a value of no lane stays pending", NULL, "{PLACES{write_i}}", "{PLACES{write_i && wr_mask_i != '0}}", "pend_q", SMALL},
    {"a value arrives without write", NULL, "{PLACES{write_i}}", "{PLACES{1'b1}}", "held_q", SMALL},
    {"a shared unit writes the L0", NULL, "(p < ENTRIES || !wr_shared_i)", "1'b1", "data_q", SMALL},
    {"a shared unit does not write the L1", NULL, "(p < ENTRIES || !wr_shared_i)", "!wr_shared_i", "held_q", SMALL},
    {"only what is pending is written", NULL, "store[p] = write[p] && ", "store[p] = write[p] && pend_q[p] && ", "held_q", SMALL},
    {"clear after write", NULL, "(held_q[p] & {LANES{!clear_i}}) | (wr_mask_i & {LANES{store[p]}})",
     "(held_q[p] | (wr_mask_i & {LANES{store[p]}})) & {LANES{!clear_i}}", "held_q", SMALL},
    {"a strand's end leaves what is held", NULL, "{LANES{!clear_i}}", "{LANES{1'b1}}", "held_q", SMALL},
    {"a strand's end leaves the L0", NULL, "{LANES{!clear_i}}", "{LANES{!(clear_i && p < ENTRIES)}}", "held_q", SMALL},
    {"a write drops the lanes held before", NULL, "{LANES{!clear_i}}", "{LANES{!(clear_i || store[p])}}", "held_q", SMALL},
    {"a write holds all lanes", NULL, "(wr_mask_i & {LANES{store[p]}})", "{LANES{store[p]}}", "held_q", SMALL},
    {"a write stores all lanes", NULL, "data_q[p] <= merge(wr_data_i, data_q[p], wr_mask_i)", "data_q[p] <= wr_data_i", "data_q",
     SMALL},
    {"data is cleared with a strand", NULL, "if (store[p]) data_q[p]",
     "if (clear_i && !store[p]) data_q[p] <= '0; else if (store[p]) data_q[p]", "data_q", SMALL},
    {"data is not reset", NULL, "data_q[p] <= '0;", "data_q[p] <= data_q[p];", "data_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "ENTRIES=1 L0=0 LANES=1 SLOTS=1",
                                   "ENTRIES=8 L0=0 LANES=3 SLOTS=7",
                                   "ENTRIES=1 L0=1 LANES=32 SLOTS=7",
                                   "ENTRIES=3 L0=2 LANES=5 SLOTS=7",
                                   "ENTRIES=3 L0=2 LANES=1 SLOTS=1",
                                   "ENTRIES=8 L0=2 LANES=4 SLOTS=8",
                                   "ENTRIES=6 L0=1 LANES=31 SLOTS=2",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_orf
#define LS_GROUP "hierarchy"
#define LS_BRIEF "operand register file of one active warp, managed by software"
#define LS_FIELDS "tb/hierarchy/rf_orf.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
