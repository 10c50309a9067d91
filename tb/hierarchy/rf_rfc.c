/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_rfc. */
#include "cmodel/hierarchy/rf_rfc_parts.h"

#include "harness/core/unit.h"

/* Probabilities in 256ths. */
typedef struct rf_rfc_stim {
    ls_rng rng;
    uint32_t left;    /* cycles until the knobs are drawn anew */
    uint32_t read;    /* an instruction issues */
    uint32_t sources; /* density of its sources */
    uint32_t again;   /* a register is one that a place has, valid or not */
    uint32_t last;    /* a source is read for the last time */
    uint32_t write;   /* the next result comes */
    uint32_t whole;   /* it has all lanes */
    uint32_t around;
    uint32_t low;
    uint32_t take;       /* the banks take what goes to the MRF */
    uint32_t stall;      /* what needs no bank does not happen */
    uint32_t leave;      /* the warp leaves: all is flushed */
    uint32_t illegal;    /* of each breach of protocol */
    uint32_t base, pool; /* registers named: `pool` of them, from `base` on */
    bool flushing;
} rf_rfc_stim;

static void draw_knobs(rf_rfc_stim *s, const rf_rfc_cfg *cfg) {
    static const uint32_t often[] = {24, 96, 180, 250};
    ls_rng *r = &s->rng;
    s->left = 60 + ls_rng_below(r, 300);
    s->read = often[ls_rng_below(r, 4)];
    s->sources = 80 + ls_rng_below(r, 160);
    s->again = ls_rng_below(r, 200);
    s->last = ls_rng_chance(r, 64) ? 0 : ls_rng_below(r, 96);
    s->write = often[ls_rng_below(r, 4)];
    s->whole = ls_rng_chance(r, 64) ? 250 : 64 + ls_rng_below(r, 160);
    s->around = ls_rng_below(r, 64);
    s->low = ls_rng_chance(r, 64) ? 0 : ls_rng_below(r, 160);
    s->take = often[ls_rng_below(r, 4)];
    s->stall = ls_rng_chance(r, 128) ? 0 : ls_rng_below(r, 128);
    s->leave = ls_rng_below(r, 16);
    s->illegal = ls_rng_below(r, 12);
    s->pool = ls_rng_chance(r, 200) ? 1 + ls_rng_below(r, 3 * (cfg->entries + cfg->l0)) : cfg->regs;
    if (s->pool > cfg->regs) s->pool = cfg->regs;
    s->base = ls_rng_below(r, cfg->regs);
}

static void stim_init(rf_rfc_stim *s, const rf_rfc *m, uint64_t seed) {
    *s = (rf_rfc_stim){0};
    ls_rng_seed(&s->rng, seed);
    draw_knobs(s, &m->cfg);
}

/* A register of the pool, of a place, or now and then any value of the port: registers match as numbers. */
static uint8_t draw_register(rf_rfc_stim *s, const rf_rfc *m) {
    const uint32_t places = m->cfg.entries + m->cfg.l0;
    if (ls_rng_chance(&s->rng, s->again)) {
        const uint32_t n = ls_rng_below(&s->rng, places);
        return rf_rfc_reg(m, n == m->cfg.entries ? RF_RFC_L0 : n);
    }
    if (ls_rng_chance(&s->rng, 8)) return (uint8_t)ls_rng_value(&s->rng, rf_index_bits(m->cfg.regs));
    return (uint8_t)((s->base + ls_rng_below(&s->rng, s->pool)) % m->cfg.regs);
}

/* An instruction at the input, also while none issues. */
static void draw_read(rf_rfc_stim *s, const rf_rfc *m, rf_rfc_in *in) {
    const uint32_t slots = m->cfg.slots, kind = ls_rng_below(&s->rng, 16);
    const uint8_t first = draw_register(s, m);
    in->read = ls_rng_chance(&s->rng, s->read);
    in->rd_valid = (uint8_t)(kind < 4 ? rf_mask64(slots) : ls_rng_bits(&s->rng, slots, s->sources));
    in->last = (uint8_t)ls_rng_bits(&s->rng, slots, s->last);
    for (uint32_t i = 0; i < slots; i++) in->rd_reg[i] = kind == 0 ? first : draw_register(s, m);
}

/* A result: held until it is taken, like the head of a queue. */
static void draw_write(rf_rfc_stim *s, const rf_rfc *m, rf_rfc_in *in) {
    const uint32_t kind = ls_rng_below(&s->rng, 16);
    in->write = ls_rng_chance(&s->rng, s->write);
    in->wr_reg = kind == 0 ? in->rd_reg[ls_rng_below(&s->rng, m->cfg.slots)] : draw_register(s, m);
    in->wr_mask = (uint32_t)(ls_rng_chance(&s->rng, s->whole) ? rf_mask64(m->cfg.lanes)
                             : ls_rng_chance(&s->rng, 32)     ? 0
                                                              : ls_rng_value(&s->rng, m->cfg.lanes));
    in->around = ls_rng_chance(&s->rng, s->around);
    in->low = ls_rng_chance(&s->rng, s->low);
    if (in->write || ls_rng_chance(&s->rng, 32)) ls_rng_lanes(&s->rng, in->wr_data.lane, m->cfg.lanes);
}

/* Reads of what the write or the flush of this cycle is about: the entry that would give way, or the register itself. */
static void draw_meeting(rf_rfc_stim *s, const rf_rfc *m, rf_rfc_in *in) {
    const uint32_t slot = ls_rng_below(&s->rng, m->cfg.slots), kind = ls_rng_below(&s->rng, 4);
    const uint32_t valid = rf_rfc_valid(m);
    uint32_t place = RF_RFC_L0;
    if (kind == 0)
        for (uint32_t e = 0; e < m->cfg.entries; e++)
            if (m->rank_q[e] + 1u == m->cfg.entries) place = e;
    if (kind == 1 && valid != 0) place = rf_lowest(valid);
    in->read = 1;
    in->rd_valid |= (uint8_t)(1u << slot);
    in->rd_reg[slot] = kind == 3 ? in->wr_reg : rf_rfc_reg(m, place);
    if (ls_rng_chance(&s->rng, 128)) in->last |= (uint8_t)(1u << slot);
}

static void stim(rf_rfc_stim *s, const rf_rfc *m, rf_rfc_in *in) {
    if (s->left-- == 0) draw_knobs(s, &m->cfg);
    draw_read(s, m, in);
    if (!in->write || in->take || ls_rng_chance(&s->rng, s->illegal)) draw_write(s, m, in);
    if (s->flushing && rf_rfc_valid(m) == 0 && !ls_rng_chance(&s->rng, 64)) s->flushing = false;
    if (!s->flushing && ls_rng_chance(&s->rng, s->leave)) s->flushing = true;
    in->flush = s->flushing;
    if (s->flushing && !ls_rng_chance(&s->rng, s->illegal)) in->write = 0;
    if (ls_rng_chance(&s->rng, s->illegal)) in->flush = 1;
    if (ls_rng_chance(&s->rng, 24)) draw_meeting(s, m, in);
    rf_rfc_out out; /* of the MRF's side alone */
    rf_rfc_comb(m, in, &out);
    in->take = out.mrf_valid ? ls_rng_chance(&s->rng, s->take) : !ls_rng_chance(&s->rng, s->stall);
}

/* clang-format off */
#define BINS(X) \
    X(IDLE, "nothing happens") X(FULL, "every place is valid") X(EMPTY, "no place is valid, a source misses") \
    X(RD_L1, "a counted read hits the L1") X(RD_L0, "a counted read hits the L0") X(RD_BOTH, "an instruction reads both levels") \
    X(RD_MIX, "some sources hit, some miss") X(RD_TWICE, "two sources name one entry") \
    X(RD_QUIET, "a source that hits does not count") X(RD_FREED, "a source names a freed entry's register") \
    X(RD_WRITTEN, "a source is written in the same cycle") X(BEYOND, "register that does not exist") \
    X(LAST_L1, "an entry of the L1 is read for the last time") X(LAST_L0, "the L0 is read for the last time") \
    X(LAST_ONE, "of two sources that name one entry, one is the last") X(LAST_QUIET, "last read that does not count") \
    X(DEAD_HIT, "a dead entry is read") X(DEAD_AROUND, "2: around, a dead entry is freed") \
    X(DEAD_GIVES, "3b: the L1's oldest entry is dead") X(DEAD_L0, "3b: the L0 is dead") \
    X(REVIVE_PART, "1: a dead entry lives again") X(REVIVE_FULL, "3a: a dead entry lives again") \
    X(REVIVE_NOW, "an entry is read for the last time and written in one cycle") \
    X(RENEW, "a read makes an entry the newest") X(RENEW_TWO, "two reads make entries the newest") \
    X(RENEW_FULL, "3a: a result makes the register's entry the newest") X(RENEW_PART, "1: a merge makes an entry the newest") \
    X(RENEW_L0, "a read of the L0 changes no rank") \
    X(MERGE_L1, "1: lanes are merged into the L1") X(MERGE_L0, "1: lanes are merged into the L0") \
    X(MERGE_NONE, "1: merge of no lane") X(MERGE_AROUND, "1: merge in spite of around") \
    X(MERGE_LOW, "1: merge into the L0 in spite of low") X(MERGE_L1_HIGH, "1: merge into the L1 although not low") \
    X(PART, "2: a partial result without an entry") X(AROUND_NEW, "2: around, no entry") \
    X(AROUND_L1, "2: around, an entry of the L1 is freed") X(AROUND_L0, "2: around, the L0 is freed") \
    X(OVER_L1, "3a: overwritten in the L1") X(OVER_L0, "3a: overwritten in the L0") \
    X(L1_FREE, "3b: the L1's oldest entry is not valid") X(L1_EVICT, "3b: the L1's oldest entry goes to the MRF") \
    X(L1_FREES_L0, "3b: a low result frees the L0") X(L0_FREE, "3b: the L0 is not valid") \
    X(L0_FREES_L1, "3b: the L0 is not valid, an entry of the L1 is freed") X(MOVE_FREE, "3b: moved to an entry that is not valid") \
    X(MOVE_EVICT, "3b: moved, the oldest goes to the MRF") X(MOVE_FREES, "3b: moved, another entry is freed, the oldest sent") \
    X(MOVE_OWN, "3b: moved to the oldest, which is the register's own") \
    X(WAIT, "what goes to the MRF waits") X(WAIT_LONG, "a write waits that changes nothing in the MRF") \
    X(WAIT_READ, "reads count while a write waits") X(WAIT_DIES, "what would go to the MRF dies while the write waits") \
    X(DIES_OLDEST, "last read of the oldest entry as it gives way") X(DIES_L0, "last read of the L0 as a result comes") \
    X(DIES_FLUSH, "last read of the entry that is flushed") X(SAVED, "a read of the oldest entry saves it") \
    X(FLUSH_L0, "flush of the L0") X(FLUSH_L1, "flush of an entry of the L1") X(FLUSH_HOLE, "flush of an entry above a free one") \
    X(FLUSH_DEAD, "flush of an entry, dead ones are freed too") X(FLUSH_DEAD_ONLY, "flush of dead entries alone") \
    X(FLUSH_WAIT, "a step of the flush waits") X(FLUSH_WRITE, "flush with a write")
/* clang-format on */
#define BIN_NAME(name, text) B_##name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};
#define BIN(name, cond) ((uint64_t)((cond) ? 1 : 0) << B_##name)

static bool several(uint32_t x) { return (x & (x - 1)) != 0; }

/* A place that is not valid has the register. */
static bool freed(const rf_rfc *m, uint32_t reg) {
    const uint32_t places = (uint32_t)rf_mask64(m->cfg.entries) | m->cfg.l0 << RF_RFC_L0;
    return rf_rfc_find(m, places & ~rf_rfc_valid(m), reg) != RF_RFC_NONE;
}

static uint64_t read_bins(const rf_rfc *m, const rf_rfc_in *in, const rf_rfc_out *out, const uint8_t *place) {
    const uint32_t valid = rf_rfc_valid(m), dead = rf_rfc_dead(m), l1 = out->hit & ~(uint32_t)out->hit_l0, lru = m->cfg.policy;
    uint64_t hits = BIN(EMPTY, valid == 0 && in->rd_valid != 0) | BIN(RD_L1, in->read && l1 != 0) |
                    BIN(RD_L0, in->read && out->hit_l0 != 0) | BIN(RD_BOTH, in->read && l1 != 0 && out->hit_l0 != 0) |
                    BIN(RD_MIX, in->read && out->hit != 0 && out->hit != in->rd_valid) |
                    BIN(RD_QUIET, !in->read && out->hit != 0) | BIN(RENEW_L0, lru && in->read && out->hit_l0 != 0 && l1 == 0);
    uint32_t renewed = 0;
    for (uint32_t left = in->rd_valid; left != 0; left &= left - 1) {
        const uint32_t s = rf_lowest(left), bit = 1u << s;
        const bool hit = (out->hit & bit) != 0, last = (in->last & bit) != 0;
        hits |= BIN(BEYOND, in->rd_reg[s] >= m->cfg.regs) | BIN(RD_FREED, !hit && freed(m, in->rd_reg[s]));
        if (!hit) continue;
        hits |= BIN(LAST_QUIET, !in->read && last) | BIN(RD_WRITTEN, in->write && in->wr_reg == in->rd_reg[s]);
        if (!in->read) continue;
        const bool l0 = place[s] == RF_RFC_L0;
        hits |= BIN(LAST_L1, !l0 && last) | BIN(LAST_L0, l0 && last) | BIN(DEAD_HIT, dead >> place[s] & 1);
        for (uint32_t low = out->hit & (bit - 1); low != 0; low &= low - 1) {
            const uint32_t o = rf_lowest(low);
            hits |=
                BIN(RD_TWICE, place[o] == place[s]) | BIN(LAST_ONE, place[o] == place[s] && last != ((in->last >> o & 1) != 0));
        }
        if (lru && !l0 && m->rank_q[place[s]] != 0) renewed |= 1u << place[s];
    }
    return hits | BIN(RENEW, renewed) | BIN(RENEW_TWO, several(renewed));
}

/* A write that happens, met by `left`. */
static uint64_t write_bins(const rf_rfc *m, const rf_rfc_in *in, const rf_rfc_left *left, const rf_rfc_plan *plan) {
    const uint32_t valid = rf_rfc_valid(m), has = rf_rfc_find(m, valid, in->wr_reg), was_dead = rf_rfc_dead(m);
    const bool full = in->wr_mask == rf_all_lanes(m->cfg.lanes), none = has == RF_RFC_NONE, in_l0 = has == RF_RFC_L0;
    const bool in_l1 = !none && !in_l0, dead = !none && (left->dead >> has & 1) != 0, over = !none && plan->into == has;
    const bool renew = plan->newest != RF_RFC_NONE && left->rank[plan->newest] != 0, sent = plan->sent != RF_RFC_NONE;
    const uint64_t revives = BIN(REVIVE_NOW, dead && over && (was_dead >> has & 1) == 0);
    if (!full)
        return revives | BIN(MERGE_L1, in_l1 && in->wr_mask != 0) | BIN(MERGE_L0, in_l0 && in->wr_mask != 0) |
               BIN(MERGE_NONE, !none && in->wr_mask == 0) | BIN(MERGE_AROUND, !none && in->around) |
               BIN(MERGE_LOW, in_l0 && in->low) | BIN(MERGE_L1_HIGH, in_l1 && !in->low) | BIN(PART, none) |
               BIN(RENEW_PART, renew) | BIN(REVIVE_PART, dead);
    if (in->around) return BIN(AROUND_NEW, none) | BIN(AROUND_L1, in_l1) | BIN(AROUND_L0, in_l0) | BIN(DEAD_AROUND, dead);
    if (over) return revives | BIN(OVER_L1, in_l1) | BIN(OVER_L0, in_l0) | BIN(RENEW_FULL, renew) | BIN(REVIVE_FULL, dead);
    const bool dead_gives = plan->newest != RF_RFC_NONE && (left->dead >> plan->newest & 1) != 0;
    if (plan->into != RF_RFC_L0)
        return BIN(L1_FREE, (valid >> plan->into & 1) == 0) | BIN(L1_EVICT, sent) | BIN(L1_FREES_L0, in_l0) |
               BIN(DEAD_GIVES, dead_gives);
    if (plan->moved == RF_RFC_NONE)
        return BIN(L0_FREE, none && !m->l0_valid_q) | BIN(L0_FREES_L1, in_l1 && !m->l0_valid_q) | BIN(DEAD_L0, m->l0_dead_q) |
               BIN(DIES_L0, m->l0_valid_q && !m->l0_dead_q);
    return BIN(MOVE_FREE, (valid >> plan->moved & 1) == 0) | BIN(MOVE_EVICT, sent && none) | BIN(MOVE_FREES, sent && in_l1) |
           BIN(MOVE_OWN, plan->moved == has) | BIN(DEAD_GIVES, dead_gives);
}

static uint64_t bins(const rf_rfc *m, const rf_rfc_in *in, const rf_rfc_out *out) {
    const rf_rfc_result result = {&in->wr_data, in->wr_mask, in->wr_reg, in->around, in->low};
    const uint32_t valid = rf_rfc_valid(m), all = (uint32_t)rf_mask64(m->cfg.entries) | m->cfg.l0 << RF_RFC_L0;
    uint8_t place[RF_SLOTS_MAX];
    const uint32_t hit = rf_rfc_lookup(m, in->rd_valid, in->rd_reg, place);
    const rf_rfc_left left = rf_rfc_reads(m, in->read ? hit : 0, place, in->last), before = rf_rfc_reads(m, 0, place, 0);
    uint64_t hits = read_bins(m, in, out, place) | BIN(IDLE, !in->read && !in->write && !in->flush) | BIN(FULL, valid == all) |
                    BIN(FLUSH_WRITE, in->flush && in->write && valid != 0);
    if (in->write) {
        const rf_rfc_plan plan = rf_rfc_write(m, &left, &result), was = rf_rfc_write(m, &before, &result);
        const bool dies = was.sent != RF_RFC_NONE && (left.dead >> was.sent & 1) != 0; /* what the write would send */
        hits |= BIN(BEYOND, in->wr_reg >= m->cfg.regs);
        if (in->take) hits |= write_bins(m, in, &left, &plan);
        hits |= BIN(WAIT, !in->take && out->mrf_valid) | BIN(WAIT_LONG, !in->take && !out->mrf_valid) |
                BIN(WAIT_READ, !in->take && in->read && hit != 0) | BIN(WAIT_DIES, !in->take && dies) |
                BIN(DIES_OLDEST, dies && plan.newest == was.newest) |
                BIN(SAVED, was.sent != RF_RFC_NONE && plan.newest != RF_RFC_NONE && plan.newest != was.newest && !dies);
    } else if (in->flush) {
        const rf_rfc_plan plan = rf_rfc_flush(m, &left), was = rf_rfc_flush(m, &before);
        const bool some = plan.sent != RF_RFC_NONE, l0 = plan.sent == RF_RFC_L0;
        hits |= BIN(FLUSH_WAIT, some && !in->take) | BIN(DIES_FLUSH, was.sent != plan.sent) | BIN(FLUSH_L0, l0 && in->take) |
                BIN(FLUSH_L1, some && !l0 && in->take) | BIN(FLUSH_HOLE, some && !l0 && plan.sent > 0 && in->take) |
                BIN(FLUSH_DEAD, some && left.dead != 0 && in->take) | BIN(FLUSH_DEAD_ONLY, !some && left.dead != 0 && in->take);
    }
    return hits;
}

static void unreachable(const rf_rfc_cfg *cfg, ls_unreachable *to) {
    static const uint8_t l0[] = {B_RD_L0,     B_RD_BOTH,     B_LAST_L0,     B_RENEW_L0,  B_MERGE_L0,   B_MERGE_LOW,
                                 B_AROUND_L0, B_OVER_L0,     B_L0_FREE,     B_MOVE_FREE, B_MOVE_EVICT, B_MOVE_FREES,
                                 B_MOVE_OWN,  B_L1_FREES_L0, B_L0_FREES_L1, B_DIES_L0,   B_DEAD_L0,    B_FLUSH_L0};
    static const uint8_t lru[] = {B_RENEW, B_RENEW_TWO, B_RENEW_FULL, B_RENEW_PART, B_RENEW_L0, B_SAVED};
    static const uint8_t more[] = {B_RENEW, B_RENEW_TWO, B_RENEW_FULL, B_RENEW_PART, B_SAVED, B_MOVE_FREES, B_FLUSH_HOLE};
    static const uint8_t slots[] = {B_RD_BOTH, B_RD_MIX, B_RD_TWICE, B_LAST_ONE, B_RENEW_TWO};
    static const uint8_t lanes[] = {B_MERGE_L1, B_MERGE_L0};
    for (size_t i = 0; i < sizeof l0; i++) ls_unreachable_if(to, cfg->l0 == 0, l0[i], "no L0");
    for (size_t i = 0; i < sizeof lru; i++) ls_unreachable_if(to, cfg->policy == 0, lru[i], "first in, first out");
    for (size_t i = 0; i < sizeof more; i++) ls_unreachable_if(to, cfg->entries == 1, more[i], "one entry");
    for (size_t i = 0; i < sizeof slots; i++) ls_unreachable_if(to, cfg->slots == 1, slots[i], "one slot");
    for (size_t i = 0; i < sizeof lanes; i++) ls_unreachable_if(to, cfg->lanes == 1, lanes[i], "one lane");
    ls_unreachable_if(to, cfg->l0 == 0 && cfg->entries == 1, B_FLUSH_DEAD, "one place");
    ls_unreachable_if(to, cfg->policy == 1 && cfg->entries > cfg->slots, B_DIES_OLDEST, "what is read is not the oldest then");
    ls_unreachable_if(to, cfg->regs == UINT32_C(1) << rf_index_bits(cfg->regs), B_BEYOND, "every number is a register's");
}

#define SMALL "ENTRIES=3 REGS=8 LANES=2 SLOTS=2"
#define FLAT SMALL " L0=0"
#define LRU SMALL " POLICY=1"

static const ls_fault faults[] = {
    {"a freed entry hits", NULL, "holds(regs, source) & valid_q & {", "holds(regs, source) & {", "hit", SMALL},
    {"a slot without a source hits the L0", NULL, "hit_l0_o[s] = rd_valid_i[s] && l0_valid_q", "hit_l0_o[s] = l0_valid_q", "hit",
     SMALL},
    {"a freed L0 hits", NULL, "rd_valid_i[s] && l0_valid_q && l0_reg_q == source", "rd_valid_i[s] && l0_reg_q == source", "hit",
     SMALL},
    {"the L0 shows no data", NULL, "hit_l0_o[s] ? l0_data_q : ", "", "rd_data", SMALL},
    {"a miss shows data", NULL, "hit_o[s] ? data_q[entry] : '0", "data_q[entry]", "rd_data", SMALL},
    {"a dead entry does not hit", NULL, "holds(regs, source) & valid_q & {", "holds(regs, source) & valid_q & ~dead_q & {", "hit",
     SMALL},
    {"a last read frees", NULL, "    valid_d    = valid_q;", "    valid_d    = live;", "valid_q", SMALL},
    {"a read that does not count is the last", NULL, "{ENTRIES{read_i & last_i[s]}}", "{ENTRIES{last_i[s]}}", "dead_q", FLAT},
    {"every read is the last", NULL, "{ENTRIES{read_i & last_i[s]}}", "{ENTRIES{read_i}}", "dead_q", FLAT},
    {"a last read leaves the L0 live", NULL, "l0_dead_q || (read_i && (hit_l0_o & last_i) != '0)", "l0_dead_q", "l0_dead_q",
     SMALL},
    {"the last bit of slot 0 is that of all", NULL, "read_i & last_i[s]", "read_i & last_i[0]", "mrf_valid", FLAT},
    {"a read does not make an entry the newest", NULL, "= read_i && found[s*ENTRIES+e]", "= 1'b0", "valid_q", LRU},
    {"a read that does not count makes an entry the newest", NULL, "= read_i && found[s*ENTRIES+e]", "= found[s*ENTRIES+e]",
     "rank_q", LRU},
    {"the lowest slot's entry is the newest", NULL, "recent[e][RANK_W+s] =", "recent[e][RANK_W+SLOTS-1-s] =", "rank_q", LRU},
    {"first in, first out follows the reads", NULL, "rank[e] = (POLICY != 0) ? '0 : rank_q[e];\n    end\n    if (POLICY != 0)",
     "rank[e] = '0;\n    end", "rank_q", SMALL},
    {"a write does not make its entry the newest", NULL, "take_i && POLICY != 0 && (merge || (over && !to_l0))", "1'b0", "rank_q",
     LRU},
    {"a merge does not make its entry the newest", NULL, "POLICY != 0 && (merge || (over", "POLICY != 0 && ((over", "rank_q",
     LRU},
    {"first in, first out follows the writes", NULL, "take_i && POLICY != 0 && (merge", "take_i && (merge", "rank_q", SMALL},
    {"the oldest is looked for before the reads", NULL, "oldest[e] = rank[e] == OLDEST", "oldest[e] = rank_q[e] == OLDEST",
     "mrf_valid", LRU},
    {"an entry that dies goes to the MRF", NULL, "(oldest & live & ~has", "(oldest & valid_q & ~dead_q & ~has", "mrf_valid",
     SMALL},
    {"a dead entry goes to the MRF", NULL, "(oldest & live & ~has", "(oldest & valid_q & ~has", "mrf_valid", SMALL},
    {"the register's own old value goes to the MRF", NULL, "(oldest & live & ~has &", "(oldest & live &", "mrf_valid", SMALL},
    {"a partial result meets live entries alone", NULL, "has    = holds(regs, wr_reg_i) & valid_q",
     "has    = holds(regs, wr_reg_i) & live", "valid_q", FLAT},
    {"a partial result overwrites all lanes", NULL, "{32{wr_mask_i[l]}}", "{32{1'b1}}", "data_q", FLAT},
    {"around beats a merge", NULL, "merge  = write_i && !full && (", "merge  = write_i && !full && !around_i && (", "mrf_valid",
     SMALL},
    {"a partial result takes an entry", NULL, "into   = write_i && full && !around_i", "into   = write_i && !merge && !around_i",
     "valid_q", SMALL},
    {"a partial result without an entry is lost", NULL, "(around_i || !full);", "around_i;", "mrf_valid", SMALL},
    {"around leaves the register's entry", NULL, "if ((around && full) || to_l0) valid_d", "if (to_l0) valid_d", "valid_q", FLAT},
    {"around leaves the L0", NULL, "if ((around && full) || (into && !to_l0)) l0_valid_d", "if (into && !to_l0) l0_valid_d",
     "l0_valid_q", SMALL},
    {"around takes an entry", NULL, "into   = write_i && full && !around_i", "into   = write_i && full", "valid_q", FLAT},
    {"low is not heard", NULL, "to_l0  = into && L0 != 0 && !low_i", "to_l0  = into && L0 != 0", "valid_q", SMALL},
    {"a low result leaves the L0's old value", NULL, "(around && full) || (into && !to_l0)", "(around && full)", "l0_valid_q",
     SMALL},
    {"a result in the L0 leaves the L1's old value", NULL, "if ((around && full) || to_l0) valid_d",
     "if (around && full) valid_d", "valid_q", SMALL},
    {"the L0's old value is lost", NULL, "alloc  = into && !over && (!to_l0 || l0_live)", "alloc  = into && !over && !to_l0",
     "mrf_valid", SMALL},
    {"an empty L0 moves", NULL, "(!to_l0 || l0_live)", "(!to_l0 || !l0_dead)", "valid_q", SMALL},
    {"a dead L0 moves", NULL, "(!to_l0 || l0_live)", "(!to_l0 || l0_valid_q)", "valid_q", SMALL},
    {"the result moves instead of the L0's value", NULL, "to_l0 ? l0_data_q : wr_data_i", "wr_data_i", "data_q", SMALL},
    {"the L0's value moves under the result's register", NULL, "to_l0 ? l0_reg_q : wr_reg_i", "wr_reg_i", "reg_q", SMALL},
    {"what is written stays dead", NULL, "dead & ~(has | place)", "dead & ~place", "dead_q", FLAT},
    {"what is allocated is dead as before", NULL, "dead & ~(has | place)", "dead & ~has", "dead_q", FLAT},
    {"a merge leaves the L0 dead", NULL, "l0_dead && !has_l0 && !to_l0", "l0_dead && !to_l0", "l0_dead_q", SMALL},
    {"a result in a dead L0 is dead", NULL, "l0_dead && !has_l0 && !to_l0", "l0_dead && !has_l0", "l0_dead_q", SMALL},
    {"a write does not wait", NULL, "{ENTRIES{take_i & alloc}}", "{ENTRIES{alloc}}", "reg_q", FLAT},
    {"a merge does not wait", NULL, "end else if (take_i && has[e]", "end else if (has[e]", "data_q", FLAT},
    {"the result's value in place of an entry's", NULL, "around ? wr_data_i : send_l0", "write_i ? wr_data_i : send_l0",
     "mrf_data", SMALL},
    {"the flush begins with the L1", NULL, "{ENTRIES{flush & ~l0_live}}", "{ENTRIES{flush}}", "valid_q", SMALL},
    {"the flush sends what is dead", NULL, "lowest  = `RF_LOWEST(live)", "lowest  = `RF_LOWEST(valid_q)", "mrf_valid", SMALL},
    {"the flush frees without take", NULL, "end else if (take_i && flush_i)", "end else if (flush)", "valid_q", FLAT},
    {"the flush leaves dead entries", NULL, "valid_d    = live & ~send;", "valid_d    = valid_q & ~send;", "valid_q", FLAT},
    {"the flush does not free the L0", NULL, "      l0_valid_d = 1'b0;", "      l0_valid_d = l0_valid_q;", "l0_valid_q", SMALL},
    {"a flush goes on beside a write", NULL, "flush   = flush_i && !write_i", "flush   = flush_i", "mrf_valid", SMALL},
    {"the highest entry is flushed first", NULL, "lowest  = `RF_LOWEST(live)",
     "lowest  = live[ENTRIES-1] ? ~({ENTRIES{1'b1}} >> 1) : `RF_LOWEST(live)", "mrf_reg", FLAT},
    {"a flushed entry has the write's mask", NULL, "| {LANES{mrf_entry_o}}", "| (wr_mask_i & {LANES{mrf_entry_o}})", "mrf_mask",
     SMALL},
    {"the L0 alone does not hold", NULL, "holds_o     = l0_valid_q || valid_q != '0", "holds_o     = valid_q != '0", "holds",
     SMALL},
    {"ranks are 0 after reset", NULL, "rank_q[e] <= OLDEST - RANK_W'(e);", "rank_q[e] <= '0;", "rank_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "POLICY=1",
                                   "ENTRIES=1 L0=0 REGS=5 LANES=1 SLOTS=1",
                                   "ENTRIES=1 POLICY=1 REGS=4 LANES=2 SLOTS=2",
                                   "ENTRIES=3 REGS=11 LANES=3",
                                   "ENTRIES=3 L0=0 POLICY=1 REGS=48 LANES=1 SLOTS=7",
                                   "ENTRIES=6 L0=0 REGS=33 LANES=5",
                                   "ENTRIES=8 POLICY=1 REGS=100 LANES=4 SLOTS=7",
                                   "ENTRIES=8 REGS=256 LANES=2 SLOTS=1",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_rfc
#define LS_GROUP "hierarchy"
#define LS_BRIEF "register file cache of one active warp"
#define LS_FIELDS "tb/hierarchy/rf_rfc.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
