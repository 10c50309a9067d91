/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_tag_bank. */
#include "cmodel/cerf/rf_tag_bank_parts.h"

#include "harness/core/unit.h"

/* Probabilities in 256ths. */
typedef struct rf_tag_bank_stim {
    ls_rng rng;
    uint32_t left;    /* cycles until the knobs are drawn anew */
    uint32_t update;  /* what is looked up is changed */
    uint32_t lines;   /* of what is asked for: it is cache data, not a register */
    uint32_t again;   /* a tag is one that the set has, or had */
    uint32_t die;     /* a read of a register is its last */
    uint32_t store;   /* an access to a line is a store */
    uint32_t drop;    /* the entry of a way is removed */
    uint32_t illegal; /* any inputs */
    uint32_t tags;    /* tags named: `tags` of them, from tag_base on */
    uint32_t tag_base;
    uint32_t sets; /* sets named: `sets` of them, from set_base on */
    uint32_t set_base;
} rf_tag_bank_stim;

static void draw_knobs(rf_tag_bank_stim *s, const rf_tag_bank_cfg *cfg) {
    static const uint32_t lines[] = {0, 40, 128, 216, 256};
    ls_rng *r = &s->rng;
    s->left = 100 + ls_rng_below(r, 400);
    s->update = 64 + ls_rng_below(r, 192);
    s->lines = lines[ls_rng_below(r, 5)];
    s->again = ls_rng_below(r, 224);
    s->die = ls_rng_chance(r, 64) ? 0 : ls_rng_below(r, 128);
    s->store = ls_rng_below(r, 160);
    s->drop = ls_rng_chance(r, 128) ? 0 : ls_rng_below(r, 64);
    s->illegal = ls_rng_chance(r, 128) ? 2 : 8 + ls_rng_below(r, 48);
    s->tags = 1 + ls_rng_below(r, 3 * cfg->ways);
    s->tag_base = (uint32_t)ls_rng_value(r, cfg->tag_w);
    s->sets = ls_rng_chance(r, 64) ? cfg->sets : 1 + ls_rng_below(r, 4);
    s->set_base = ls_rng_below(r, cfg->sets);
}

static void stim_init(rf_tag_bank_stim *s, const rf_tag_bank *m, uint64_t seed) {
    *s = (rf_tag_bank_stim){0};
    ls_rng_seed(&s->rng, seed);
    draw_knobs(s, &m->cfg);
}

/* Any value of the port, too: sets count mod SETS. */
static uint16_t draw_set(rf_tag_bank_stim *s, const rf_tag_bank_cfg *cfg) {
    if (ls_rng_chance(&s->rng, 8)) return (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->sets));
    return (uint16_t)((s->set_base + ls_rng_below(&s->rng, s->sets)) % cfg->sets);
}

/* A tag of the pool; or what the set has or had, or a set beside it, or that with a bit flipped. */
static uint32_t draw_tag(rf_tag_bank_stim *s, const rf_tag_bank *m, uint32_t set) {
    const rf_tag_bank_cfg *cfg = &m->cfg;
    if (!ls_rng_chance(&s->rng, s->again))
        return (s->tag_base + ls_rng_below(&s->rng, s->tags)) & (uint32_t)rf_mask64(cfg->tag_w);
    const uint32_t kind = ls_rng_below(&s->rng, 8), beside = kind == 0 ? 1 : 0;
    const uint32_t tag = rf_tag_bank_tag(m, rf_tag_bank_set(m, set ^ beside), ls_rng_below(&s->rng, cfg->ways));
    return kind == 1 ? tag ^ UINT32_C(1) << ls_rng_below(&s->rng, cfg->tag_w) : tag;
}

/* What a bank of the integrated memory does with an access, when it finds `entry`. */
static void draw_access(rf_tag_bank_stim *s, const rf_tag_bank_entry *entry, rf_tag_bank_in *in) {
    ls_rng *r = &s->rng;
    in->touch = 1;
    if (in->cache) {
        in->event = RF_LINE_NONE;
        if (entry->hit && entry->state != RF_LINE_REG && ls_rng_chance(r, s->store)) in->event = RF_LINE_STORE;
        if (!entry->hit) in->event = RF_LINE_FILL_CACHE;
    } else if (entry->hit) {
        in->event = ls_rng_chance(r, 96) ? RF_LINE_WRITE_REG : RF_LINE_NONE;
        if (in->event == RF_LINE_NONE && ls_rng_chance(r, s->die)) in->event = RF_LINE_DIE;
    } else in->event = ls_rng_chance(r, 64) ? RF_LINE_FILL_REG : RF_LINE_WRITE_REG;
    in->allocate = !entry->hit;
    in->update = (entry->hit || entry->victim) && ls_rng_chance(r, s->update);
    /* A fill of what is there already, and a removal of what hits. */
    if (entry->hit && ls_rng_chance(r, 16)) {
        in->event = in->cache ? RF_LINE_FILL_CACHE : RF_LINE_FILL_REG;
        in->allocate = 1;
    } else if (entry->hit && ls_rng_chance(r, s->drop)) {
        in->event = RF_LINE_DROP;
        in->touch = 0;
    }
}

static void stim(rf_tag_bank_stim *s, const rf_tag_bank *m, rf_tag_bank_in *in) {
    ls_rng *r = &s->rng;
    if (s->left-- == 0) draw_knobs(s, &m->cfg);
    in->set = draw_set(s, &m->cfg);
    in->tag = draw_tag(s, m, in->set);
    in->cache = ls_rng_chance(r, s->lines);
    in->way = (uint8_t)ls_rng_below(r, 1u << rf_index_bits(m->cfg.ways));
    in->by_way = ls_rng_chance(r, s->drop);
    if (ls_rng_chance(r, s->illegal)) {
        in->by_way = ls_rng_chance(r, 128);
        in->update = ls_rng_chance(r, 160);
        in->event = (uint8_t)ls_rng_below(r, 8);
        in->allocate = ls_rng_chance(r, 96);
        in->touch = ls_rng_chance(r, 128);
    } else if (in->by_way) {
        in->update = ls_rng_chance(r, s->update);
        in->event = RF_LINE_DROP;
        in->allocate = 0;
        in->touch = 0;
    } else {
        const rf_tag_bank_entry entry = rf_tag_bank_look(m, in->set, in->tag, in->cache != 0);
        draw_access(s, &entry, in);
    }
}

#define LS_TOUCHED
static uint32_t touched(const rf_tag_bank *m, const rf_tag_bank_in *in, const rf_tag_bank_out *out, ls_touch *list) {
    (void)out;
    list[0] = (ls_touch){.memory = 0, .row = rf_tag_bank_set(m, in->set)};
    return in->update && in->allocate;
}

/* clang-format off */
#define BINS(X) \
    X(HIT_0, "a hit of way 0") X(HIT_1, "a hit of way 1") X(HIT_2, "a hit of way 2") X(HIT_3, "a hit of way 3") \
    X(HIT_4, "a hit of way 4") X(HIT_5, "a hit of way 5") X(HIT_6, "a hit of way 6") X(HIT_7, "a hit of way 7") \
    X(OLD_0, "way 0 is the oldest") X(OLD_1, "way 1 is the oldest") X(OLD_2, "way 2 is the oldest") \
    X(OLD_3, "way 3 is the oldest") X(OLD_4, "way 4 is the oldest") X(OLD_5, "way 5 is the oldest") \
    X(OLD_6, "way 6 is the oldest") X(OLD_7, "way 7 is the oldest") \
    X(HIT_REG, "a register hits") X(HIT_CACHE, "clean data hits") X(HIT_DIRTY, "dirty data hits") \
    X(TWO, "two ways hit") X(ALIAS_BIT, "no hit: a tag that differs in one bit") X(ALIAS_DEAD, "no hit: an inactive entry has the tag") \
    X(ALIAS_SET, "no hit: the next set has the tag") \
    X(VACANT, "an inactive entry is the victim") X(VACANT_YOUNG, "the youngest entry, inactive, is the victim") \
    X(REG_REG, "a register is the victim of a register") X(REG_CACHE, "clean data is the victim of a register") \
    X(REG_DIRTY, "dirty data is the victim of a register") X(CACHE_REG, "a register is the victim of cache data") \
    X(CACHE_CACHE, "clean data is the victim of cache data") X(CACHE_DIRTY, "dirty data is the victim of cache data") \
    X(REG_NONE, "no victim for a register") X(CACHE_NONE, "no victim for cache data") X(NONE_UPDATE, "update without hit or victim") \
    X(WAY_REG, "by way: a register") X(WAY_DATA, "by way: cache data") X(WAY_VACANT, "by way: an inactive entry") \
    X(WAY_HITS, "by way: the way that hits") X(WAY_OTHER, "by way: another way hits") X(WAY_MISS, "by way: no hit") \
    X(WAY_BEYOND, "by way: one that does not exist") X(SET_BEYOND, "set that does not exist") \
    X(LOOK, "a hit without update") X(WRITE, "a register that hits is written") X(DIE, "a register dies") \
    X(DIE_DATA, "a dead bit of cache data") X(STORE, "a store to clean data") X(STORE_DIRTY, "a store to dirty data") \
    X(DROP_REG, "a register is removed") X(DROP_DATA, "cache data is removed") \
    X(NEW_REG, "a register takes an entry") X(NEW_DATA, "cache data takes an entry") X(NEW_OVER, "... of another content") \
    X(NEW_SAME, "an entry is allocated with the tag that it has") X(NEW_NOTHING, "an entry is allocated and is inactive") \
    X(NEW_REST, "allocate without update") X(YOUNGEST, "touch of the youngest") X(OLDEST, "touch of the oldest") \
    X(BETWEEN, "touch of one between") X(TOUCH_REST, "touch without update") X(KEEP, "update without touch")
/* clang-format on */
#define BIN_NAME(name, text) B_##name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};
#define BIN(name, cond) ((uint64_t)((cond) ? 1 : 0) << B_##name)

/* An inactive entry, or one that is not, has a tag that differs from this one in so many bits. */
static bool near(const rf_tag_bank *m, uint32_t set, uint32_t tag, int bits, bool inactive) {
    for (uint32_t w = 0; w < m->cfg.ways; w++)
        if ((rf_tag_bank_state(m, set, w) == RF_LINE_INACTIVE) == inactive &&
            __builtin_popcount(rf_tag_bank_tag(m, set, w) ^ tag) == bits)
            return true;
    return false;
}

static uint64_t look_bins(const rf_tag_bank *m, const rf_tag_bank_in *in, const rf_tag_bank_out *out) {
    const uint32_t set = rf_tag_bank_set(m, in->set), beside = rf_tag_bank_set(m, set ^ 1);
    if (in->by_way) {
        const bool own = out->state != RF_LINE_INACTIVE && out->old_tag == in->tag;
        return BIN(WAY_REG, out->state == RF_LINE_REG) | BIN(WAY_DATA, out->state >= RF_LINE_CACHE) |
               BIN(WAY_VACANT, out->state == RF_LINE_INACTIVE) | BIN(WAY_HITS, own) | BIN(WAY_OTHER, out->hit && !own) |
               BIN(WAY_MISS, !out->hit) | BIN(WAY_BEYOND, in->way >= m->cfg.ways);
    }
    if (out->hit) {
        uint32_t hits = 0;
        for (uint32_t w = 0; w < m->cfg.ways; w++)
            hits += rf_tag_bank_state(m, set, w) != RF_LINE_INACTIVE && rf_tag_bank_tag(m, set, w) == in->tag;
        return UINT64_C(1) << (B_HIT_0 + out->way) | UINT64_C(1) << (B_HIT_REG + out->state - RF_LINE_REG) | BIN(TWO, hits > 1) |
               BIN(LOOK, !in->update);
    }
    const uint64_t alias = BIN(ALIAS_BIT, near(m, set, in->tag, 1, false)) | BIN(ALIAS_DEAD, near(m, set, in->tag, 0, true)) |
                           BIN(ALIAS_SET, near(m, beside, in->tag, 0, false));
    if (!out->victim) return alias | BIN(REG_NONE, !in->cache) | BIN(CACHE_NONE, in->cache) | BIN(NONE_UPDATE, in->update);
    if (out->state == RF_LINE_INACTIVE)
        return alias | BIN(VACANT, true) | BIN(VACANT_YOUNG, rf_tag_bank_age(m, set, out->way) == 0);
    const uint32_t first = in->cache ? B_CACHE_REG : B_REG_REG;
    return alias | UINT64_C(1) << (first + out->state - RF_LINE_REG);
}

static uint64_t edge_bins(const rf_tag_bank *m, const rf_tag_bank_in *in, const rf_tag_bank_out *out) {
    const uint32_t age = rf_tag_bank_age(m, rf_tag_bank_set(m, in->set), out->way);
    const bool reg = out->state == RF_LINE_REG, data = out->state >= RF_LINE_CACHE;
    if (!in->update) return BIN(NEW_REST, in->allocate) | BIN(TOUCH_REST, in->touch);
    const uint64_t hits = BIN(KEEP, !in->touch) | BIN(YOUNGEST, in->touch && age == 0) |
                          BIN(OLDEST, in->touch && age != 0 && age == m->cfg.ways - 1) |
                          BIN(BETWEEN, in->touch && age != 0 && age < m->cfg.ways - 1);
    if (in->allocate) {
        const bool new_reg = in->event == RF_LINE_WRITE_REG || in->event == RF_LINE_FILL_REG;
        const bool new_data = in->event == RF_LINE_FILL_CACHE;
        return hits | BIN(NEW_REG, new_reg) | BIN(NEW_DATA, new_data) |
               BIN(NEW_OVER, (new_reg || new_data) && out->state != RF_LINE_INACTIVE && out->old_tag != in->tag) |
               BIN(NEW_SAME, out->hit && out->old_tag == in->tag && (new_reg || new_data)) |
               BIN(NEW_NOTHING, !new_reg && !new_data && out->state != RF_LINE_INACTIVE);
    }
    return hits | BIN(WRITE, in->event == RF_LINE_WRITE_REG && reg && out->hit) | BIN(DIE, in->event == RF_LINE_DIE && reg) |
           BIN(DIE_DATA, in->event == RF_LINE_DIE && data) |
           BIN(STORE, in->event == RF_LINE_STORE && out->state == RF_LINE_CACHE) |
           BIN(STORE_DIRTY, in->event == RF_LINE_STORE && out->state == RF_LINE_DIRTY) |
           BIN(DROP_REG, in->event == RF_LINE_DROP && reg) | BIN(DROP_DATA, in->event == RF_LINE_DROP && data);
}

static uint64_t bins(const rf_tag_bank *m, const rf_tag_bank_in *in, const rf_tag_bank_out *out) {
    const uint32_t set = rf_tag_bank_set(m, in->set), all = (uint32_t)rf_mask64(m->cfg.ways);
    const uint32_t oldest = rf_line_victim_oldest(rf_line_age_bits(m->cfg.ways), m->age_q[set], all);
    return (uint64_t)(m->cfg.ways > 1) << (B_OLD_0 + oldest) | BIN(SET_BEYOND, in->set >= m->cfg.sets) | look_bins(m, in, out) |
           edge_bins(m, in, out);
}

static void unreachable(const rf_tag_bank_cfg *cfg, ls_unreachable *to) {
    static const uint8_t one[] = {B_OLD_0, B_TWO, B_WAY_OTHER, B_OLDEST, B_BETWEEN};
    const bool fair = cfg->policy == RF_POLICY_FAIR, registers = cfg->policy == RF_POLICY_REGISTERS,
               cache = cfg->policy == RF_POLICY_CACHE;
    for (uint32_t w = cfg->ways; w < RF_LINE_WAYS_MAX; w++) {
        ls_unreachable_if(to, true, B_HIT_0 + w, "there is no such way");
        ls_unreachable_if(to, true, B_OLD_0 + w, "there is no such way");
    }
    for (size_t i = 0; i < sizeof one; i++) ls_unreachable_if(to, cfg->ways == 1, one[i], "one way");
    ls_unreachable_if(to, cfg->ways == 2, B_BETWEEN, "two ways");
    ls_unreachable_if(to, cfg->ways > 1 && rf_power_of_two(cfg->ways), B_WAY_BEYOND, "every number is that of a way");
    ls_unreachable_if(to, cfg->sets == 1, B_ALIAS_SET, "one set");
    ls_unreachable_if(to, cfg->sets > 1, B_SET_BEYOND, "every number is that of a set");
    ls_unreachable_if(to, fair, B_REG_NONE, "every way may be replaced");
    ls_unreachable_if(to, fair, B_CACHE_NONE, "every way may be replaced");
    ls_unreachable_if(to, fair, B_NONE_UPDATE, "every way may be replaced");
    ls_unreachable_if(to, registers, B_REG_REG, "a register is not replaced");
    ls_unreachable_if(to, registers, B_CACHE_REG, "a register is not replaced");
    ls_unreachable_if(to, cache, B_REG_CACHE, "a register does not replace cache data");
    ls_unreachable_if(to, cache, B_REG_DIRTY, "a register does not replace cache data");
    ls_unreachable_if(to, cache, B_CACHE_NONE, "all hold cache data: the oldest");
}

#define SMALL "SETS=4 TAG_W=5"
#define REGISTERS SMALL " POLICY=1"
#define CACHE SMALL " POLICY=2"

static const ls_fault faults[] = {
    {"an inactive entry hits", NULL, "states[w*2 +: 2] != rf_cerf_pkg::LINE_INACTIVE && tags", "tags", "hit", SMALL},
    {"registers alone hit", NULL, "!= rf_cerf_pkg::LINE_INACTIVE && tags", "== rf_cerf_pkg::LINE_REG && tags", "hit", SMALL},
    {"dirty data does not hit", NULL, "!= rf_cerf_pkg::LINE_INACTIVE && tags", "- 2'd1 < 2'd2 && tags", "hit", SMALL},
    {"the tag's highest bit is not compared", NULL, "tags[w*TAG_W +: TAG_W] == tag_i;",
     "tags[w*TAG_W +: TAG_W-1] == tag_i[TAG_W-2:0];", "hit", SMALL},
    {"the tag's lowest bit is not compared", NULL, "tags[w*TAG_W +: TAG_W] == tag_i;",
     "tags[w*TAG_W+1 +: TAG_W-1] == tag_i[TAG_W-1:1];", "hit", SMALL},
    {"a hit depends on by_way", NULL, "hit_o    = hits != '0", "hit_o    = hits != '0 && !by_way_i", "hit", SMALL},
    {"of two hits both", NULL, "first    = `RF_LOWEST(hits)", "first    = hits", "way", "SETS=2 TAG_W=3"},
    {"by_way is not heard when there is a hit", NULL, "by_way_i ? named : hit_o ? hit_way", "hit_o ? hit_way : by_way_i ? named",
     "way", SMALL},
    {"a way that does not exist is the highest", NULL, "? way_i : '0;", "? way_i : WAY_W'(WAYS - 1);", "way", SMALL " WAYS=3"},
    {"by way there is a victim", NULL, "victim_o = !by_way_i && !hit_o", "victim_o = !hit_o", "victim", SMALL},
    {"a hit is a victim", NULL, "victim_o = !by_way_i && !hit_o", "victim_o = !by_way_i", "victim", SMALL},
    {"a victim that the policy refuses", NULL, "!hit_o && found;", "!hit_o;", "victim", REGISTERS},
    {"the newcomer is always a register", NULL, ".cache_i, .valid_o", ".cache_i(1'b0), .valid_o", "way", CACHE},
    {"the victim by the ages after reset", NULL, ".age_i(ages)", ".age_i(AGES)", "way", SMALL},
    {"another policy", NULL, "rf_line_victim #(.WAYS(WAYS), .POLICY(POLICY))", "rf_line_victim #(.WAYS(WAYS), .POLICY(0))", "way",
     REGISTERS},
    {"cache data is protected, not registers", "rtl/cerf/rf_line_victim.sv", "allowed = ~registers", "allowed = registers",
     "victim", REGISTERS},
    {"a store leaves data clean", "rtl/cerf/rf_line_state.sv", "? rf_cerf_pkg::LINE_DIRTY : state", "? state : state", "state_q",
     SMALL},
    {"spill of the state after the event", NULL, "rf_cerf_pkg::LINE_INACTIVE, state_o})",
     "rf_cerf_pkg::LINE_INACTIVE, allocate_i ? 2'd0 : state_o})", "spill", SMALL},
    {"allocate looks at the state before", NULL, "next    = allocate_i ? fresh : kept", "next    = kept", "state_q", SMALL},
    {"every event is as of a vacant entry", NULL, "next    = allocate_i ? fresh : kept", "next    = fresh", "state_q", SMALL},
    {"the old tag is the new one", NULL, "tags[w*TAG_W +: TAG_W] & {TAG_W{entry[w]}}",
     "(update_i && allocate_i ? tag_i : tags[w*TAG_W +: TAG_W]) & {TAG_W{entry[w]}}", "old_tag", SMALL},
    {"a tag is stored without allocate", NULL, "update_i && allocate_i && rst_ni", "update_i && rst_ni", "tag_q", SMALL},
    {"a tag is stored without update", NULL, "update_i && allocate_i && rst_ni", "allocate_i && rst_ni", "tag_q", SMALL},
    {"a tag is stored during reset", NULL, "update_i && allocate_i && rst_ni", "update_i && allocate_i", "tag_q", SMALL},
    {"all ways get the tag", NULL, "entry[w] ? tag_i : tags", "1'b1 ? tag_i : tags", "tag_q", SMALL},
    {"tags of a large bank go astray", NULL, "tag_q[set] <= tags_d", "tag_q[set ^ SET_W'(SETS / 2)] <= tags_d", "tag_q",
     "SETS=256 WAYS=8 TAG_W=25"},
    {"the state changes without update", NULL, "end else if (update_i) begin", "end else begin", "state_q", SMALL},
    {"every update touches", NULL, "if (touch_i) age_q[set]", "age_q[set]", "age_q", SMALL},
    {"the youngest has age 1", NULL, "entry[w] ? '0 : ages", "entry[w] ? AGE_W'(1) : ages", "age_q", SMALL},
    {"those that were older grow too", NULL, "AGE_W'(ages[w*AGE_W +: AGE_W] < age)", "AGE_W'(1)", "age_q", SMALL},
    {"those that were younger do not grow", NULL, "AGE_W'(ages[w*AGE_W +: AGE_W] < age)", "AGE_W'(ages[w*AGE_W +: AGE_W] > age)",
     "age_q", SMALL},
    {"a hit does not make young", NULL, "if (touch_i) age_q[set]", "if (touch_i && !hit_o) age_q[set]", "age_q", SMALL},
    {"all ages are 0 after reset", NULL, "in_order[w*AGE_W +: AGE_W] = AGE_W'(w)", "in_order[w*AGE_W +: AGE_W] = AGE_W'(0)",
     "age_q", SMALL},
    {"states of the upper sets are not reset", NULL, "h < SETS; h += 64", "h < SETS && h < 64; h += 64", "state_q", "SETS=128"},
    {0},
};

static const char *const sets[] = {"",
                                   "POLICY=1",
                                   "POLICY=2",
                                   "SETS=1 WAYS=1 TAG_W=4",
                                   "SETS=1 WAYS=8 TAG_W=25 POLICY=2",
                                   "SETS=2 WAYS=1 TAG_W=25 POLICY=1",
                                   "SETS=2 WAYS=2 TAG_W=1 POLICY=2",
                                   "SETS=4 WAYS=3 TAG_W=2 POLICY=1",
                                   "SETS=8 WAYS=5 TAG_W=21",
                                   "SETS=32 WAYS=6 TAG_W=11 POLICY=2",
                                   "SETS=128 WAYS=7 TAG_W=16 POLICY=1",
                                   "SETS=256 WAYS=8 TAG_W=25",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/cerf/rf_cerf_pkg.sv", "rtl/cerf/rf_line_state.sv",
                                  "rtl/cerf/rf_line_victim.sv", NULL};

#define LS_UNIT rf_tag_bank
#define LS_GROUP "cerf"
#define LS_BRIEF "tags, states and ages of a bank of registers and cache data"
#define LS_FIELDS "tb/cerf/rf_tag_bank.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
