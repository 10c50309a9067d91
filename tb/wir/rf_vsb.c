/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_vsb. */
#include "cmodel/wir/rf_vsb.h"

#include "harness/core/unit.h"

#define KINDS 4u /* hashes of one entry that take part */

/* Probabilities in 256ths. */
typedef struct rf_vsb_stim {
    ls_rng rng;
    uint32_t noise;       /* something that no pipeline does */
    uint32_t high[KINDS]; /* upper bits of the hashes: the first, two that differ from it in one bit, another */
    /* Of the phase. */
    uint32_t left;     /* cycles to come */
    uint32_t look;     /* a lane looks a hash up */
    uint32_t fill;     /* a miss is registered */
    uint32_t replace;  /* a hit turns out to be another value: the new one is registered */
    uint32_t drop;     /* a miss removes the entry: all registers are in use */
    uint32_t rnd;      /* an entry is removed by the drop port */
    uint32_t together; /* a lane looks up what a lane before it does */
    uint32_t kinds;
    uint32_t base, pool; /* entries that take part */
} rf_vsb_stim;

static void stim_init(rf_vsb_stim *s, const rf_vsb *m, uint64_t seed) {
    const uint32_t low = rf_index_bits(m->cfg.entries);
    *s = (rf_vsb_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->noise = 6 + ls_rng_below(&s->rng, 18);
    s->high[0] = (uint32_t)ls_rng_value(&s->rng, 32);
    s->high[1] = s->high[0] ^ UINT32_C(1) << 31;
    s->high[2] = s->high[0] ^ UINT32_C(1) << (low + ls_rng_below(&s->rng, 31 - low));
    s->high[3] = (uint32_t)ls_rng_u64(&s->rng);
}

/* Registers are free: misses are registered. None is free: misses and idle cycles remove entries. */
static void next_phase(rf_vsb_stim *s, const rf_vsb *m) {
    static const uint32_t often[] = {32, 96, 176, 240, 256};
    const bool full = ls_rng_chance(&s->rng, 64);
    s->left = 48 + ls_rng_below(&s->rng, 160);
    s->look = often[ls_rng_below(&s->rng, 5)];
    s->fill = full ? ls_rng_below(&s->rng, 16) : often[1 + ls_rng_below(&s->rng, 4)];
    s->drop = full ? often[1 + ls_rng_below(&s->rng, 4)] : ls_rng_below(&s->rng, 24);
    s->rnd = full ? often[ls_rng_below(&s->rng, 4)] : ls_rng_below(&s->rng, 24);
    s->replace = 8 + ls_rng_below(&s->rng, 48);
    s->together = often[ls_rng_below(&s->rng, 3)];
    s->kinds = 1 + ls_rng_below(&s->rng, KINDS);
    s->base = ls_rng_below(&s->rng, m->cfg.entries);
    s->pool = ls_rng_chance(&s->rng, 48) ? m->cfg.entries : 1 + ls_rng_below(&s->rng, 8);
}

/* An entry that takes part; one in 16 the last one. */
static uint32_t draw_entry(rf_vsb_stim *s, const rf_vsb *m) {
    if (ls_rng_chance(&s->rng, 16)) return m->cfg.entries - 1;
    return (s->base + ls_rng_below(&s->rng, s->pool)) & (m->cfg.entries - 1);
}

static uint32_t draw_hash(rf_vsb_stim *s, const rf_vsb *m, uint32_t entry) {
    if (ls_rng_chance(&s->rng, s->noise)) return (uint32_t)ls_rng_value(&s->rng, 32);
    return (s->high[ls_rng_below(&s->rng, s->kinds)] & ~(m->cfg.entries - 1)) | entry;
}

static void draw_lane(rf_vsb_stim *s, const rf_vsb *m, rf_vsb_in *in, uint32_t i) {
    const uint32_t mask = m->cfg.entries - 1, bits = rf_index_bits(m->cfg.pregs);
    uint32_t hash = draw_hash(s, m, draw_entry(s, m));
    if (i > 0 && ls_rng_chance(&s->rng, s->together)) {
        const uint32_t other = in->lk_hash[ls_rng_below(&s->rng, i)];
        hash = ls_rng_chance(&s->rng, 128) ? other : draw_hash(s, m, other & mask);
    }
    const uint32_t at = hash & mask;
    const bool look = ls_rng_chance(&s->rng, s->look), hit = m->valid_q[at] != 0 && m->hash_q[at] == hash;
    bool write = ls_rng_chance(&s->rng, hit ? s->replace : s->fill), drop = ls_rng_chance(&s->rng, hit ? s->noise : s->drop);
    if (ls_rng_chance(&s->rng, s->noise)) write = drop = true;
    in->lk_hash[i] = hash;
    in->write_reg[i] =
        (uint16_t)(ls_rng_chance(&s->rng, s->noise) ? ls_rng_value(&s->rng, bits) : ls_rng_below(&s->rng, m->cfg.pregs));
    in->lk_valid |= (uint8_t)(look << i);
    /* Who looks nothing up mostly does nothing else either. */
    if (!look && !ls_rng_chance(&s->rng, 32)) return;
    in->write |= (uint8_t)(write << i);
    in->drop |= (uint8_t)(drop << i);
}

static void stim(rf_vsb_stim *s, const rf_vsb *m, rf_vsb_in *in) {
    const uint32_t bits = rf_index_bits(m->cfg.entries);
    if (s->left == 0) next_phase(s, m);
    s->left--;
    in->lk_valid = in->write = in->drop = 0;
    for (uint32_t i = 0; i < m->cfg.issues; i++) draw_lane(s, m, in, i);
    in->rnd_drop = ls_rng_chance(&s->rng, s->rnd);
    in->rnd_index = (uint16_t)draw_entry(s, m);
    if (ls_rng_chance(&s->rng, 96))
        in->rnd_index = (uint16_t)(in->lk_hash[ls_rng_below(&s->rng, m->cfg.issues)] & (m->cfg.entries - 1));
    if (ls_rng_chance(&s->rng, s->noise)) in->rnd_index = (uint16_t)ls_rng_value(&s->rng, bits);
}

/* clang-format off */
#define BINS(X) \
    X(IDLE, "nothing happens") X(HIT, "hit") X(EMPTY, "miss: the entry is empty") X(OTHER, "miss: another hash") \
    X(ONE_BIT, "miss: the hash differs in one bit") X(TOP_BIT, "miss: the hash differs in bit 31 alone") \
    X(REST, "miss: the entry has this hash and is invalid") \
    X(FILL, "write into an empty entry") X(OVER, "write over another hash") X(AGAIN, "write over its own hash") \
    X(DROP, "drop of its hash") X(DROP_OTHER, "drop of another hash") X(DROP_EMPTY, "drop of an empty entry") \
    X(BOTH, "write and drop") X(WRITE_MUTE, "write without a lookup") X(DROP_MUTE, "drop without a lookup, of a valid entry") \
    X(LAST, "the last entry is written") X(TOP_REG, "the last register is written") X(ALL_HIT, "all lanes hit") \
    X(ALL_WRITE, "all lanes write") X(FREED_ALL, "all lanes free a register") \
    X(HIT_BOTH, "two lanes hit one entry") X(MISS_WRITTEN, "lane misses the hash that a lane before it writes") \
    X(HIT_TAKEN, "lane hits an entry that a lane before it changes") \
    X(HIT_LATER, "lane hits an entry that a lane after it changes") \
    X(WRITE_WRITE, "lane writes over what a lane before it writes") X(WRITE_DROP, "lane drops what a lane before it writes") \
    X(DROP_WRITE, "lane writes where a lane before it drops") X(DROP_DROP, "lane drops what a lane before it drops") \
    X(APART, "two lanes write two entries") \
    X(RND, "drop port removes an entry") X(RND_EMPTY, "drop port, empty entry") X(RND_MUTE, "drop port silent, valid entry") \
    X(RND_WRITE, "drop port removes what a lane writes") X(RND_DROP, "drop port, and a lane drops it already") \
    X(RND_HIT, "drop port removes what a lane hits") X(RND_ALONE, "drop port in a cycle without lookups") \
    X(BEYOND, "register that does not exist") X(FREED_EVERY, "all lanes and the drop port free a register")
/* clang-format on */
#define BIN_NAME(name, text) B_##name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};
#define BIN(name, cond) ((uint64_t)((cond) != 0) << B_##name)

/* Lanes i and j, j before i, that look one entry up. */
static uint64_t pair_bins(const rf_vsb_in *in, const rf_vsb_out *out, uint32_t i, uint32_t j) {
    const uint32_t wi = in->write >> i & 1, wj = in->write >> j & 1, di = ~wi & in->drop >> i & 1, dj = ~wj & in->drop >> j & 1;
    const uint32_t hit_i = out->hit >> i & 1, hit_j = out->hit >> j & 1;
    return BIN(HIT_BOTH, hit_i && hit_j) | BIN(MISS_WRITTEN, wj && !hit_i && in->lk_hash[i] == in->lk_hash[j]) |
           BIN(HIT_TAKEN, hit_i && (wj || dj)) | BIN(HIT_LATER, hit_j && (wi || di)) | BIN(WRITE_WRITE, wi && wj) |
           BIN(WRITE_DROP, wj && di && out->freed >> i & 1) | BIN(DROP_WRITE, dj && wi && out->freed >> j & 1) |
           BIN(DROP_DROP, di && dj && out->freed >> j & 1);
}

static uint64_t lane_bins(const rf_vsb *m, const rf_vsb_in *in, const rf_vsb_out *out, uint32_t i) {
    const uint32_t mask = m->cfg.entries - 1, at = in->lk_hash[i] & mask, differ = m->hash_q[at] ^ in->lk_hash[i];
    const bool valid = m->valid_q[at] != 0, write = (in->write >> i & 1) != 0, drop = (in->drop >> i & 1) != 0 && !write;
    if ((in->lk_valid >> i & 1) == 0) return BIN(WRITE_MUTE, write) | BIN(DROP_MUTE, drop && valid);
    uint64_t hits =
        BIN(HIT, valid && differ == 0) | BIN(EMPTY, !valid) | BIN(OTHER, valid && differ != 0) |
        BIN(ONE_BIT, valid && differ != 0 && (differ & (differ - 1)) == 0) | BIN(TOP_BIT, valid && differ == UINT32_C(1) << 31) |
        BIN(REST, !valid && differ == 0) | BIN(FILL, write && !valid) | BIN(OVER, write && valid && differ != 0) |
        BIN(AGAIN, write && valid && differ == 0) | BIN(DROP, drop && valid && differ == 0) |
        BIN(DROP_OTHER, drop && valid && differ != 0) | BIN(DROP_EMPTY, drop && !valid) |
        BIN(BOTH, write && (in->drop >> i & 1) != 0) | BIN(LAST, write && at == mask) |
        BIN(TOP_REG, write && in->write_reg[i] == m->cfg.pregs - 1) | BIN(BEYOND, write && in->write_reg[i] >= m->cfg.pregs);
    for (uint32_t j = 0; j < i; j++) {
        if ((in->lk_valid >> j & 1) == 0) continue;
        if ((in->lk_hash[j] & mask) == at) hits |= pair_bins(in, out, i, j);
        else hits |= BIN(APART, write && (in->write >> j & 1) != 0);
    }
    return hits;
}

static uint64_t rnd_bins(const rf_vsb *m, const rf_vsb_in *in, const rf_vsb_out *out) {
    const uint32_t mask = m->cfg.entries - 1, at = in->rnd_index & mask;
    uint32_t here = 0;
    if (!in->rnd_drop) return BIN(RND_MUTE, m->valid_q[at]);
    for (uint32_t i = 0; i < m->cfg.issues; i++) here |= (uint32_t)((in->lk_hash[i] & mask) == at) << i;
    here &= in->lk_valid;
    return BIN(RND, out->rnd_freed) | BIN(RND_EMPTY, !m->valid_q[at]) |
           BIN(RND_WRITE, out->rnd_freed && (here & in->write) != 0) |
           BIN(RND_DROP, !out->rnd_freed && (here & out->freed) != 0) | BIN(RND_HIT, out->rnd_freed && (here & out->hit) != 0) |
           BIN(RND_ALONE, in->lk_valid == 0);
}

static uint64_t bins(const rf_vsb *m, const rf_vsb_in *in, const rf_vsb_out *out) {
    const uint32_t all = (uint32_t)rf_mask64(m->cfg.issues);
    uint64_t hits = rnd_bins(m, in, out);
    for (uint32_t i = 0; i < m->cfg.issues; i++) hits |= lane_bins(m, in, out, i);
    return hits | BIN(IDLE, (in->lk_valid | in->rnd_drop) == 0) | BIN(ALL_HIT, out->hit == all) |
           BIN(ALL_WRITE, (in->lk_valid & in->write) == all) | BIN(FREED_ALL, out->freed == all) |
           BIN(FREED_EVERY, out->freed == all && out->rnd_freed);
}

static void unreachable(const rf_vsb_cfg *cfg, ls_unreachable *to) {
    static const uint8_t pairs[] = {B_HIT_BOTH,   B_MISS_WRITTEN, B_HIT_TAKEN, B_HIT_LATER, B_WRITE_WRITE,
                                    B_WRITE_DROP, B_DROP_WRITE,   B_DROP_DROP, B_APART};
    for (size_t i = 0; i < sizeof pairs; i++) ls_unreachable_if(to, cfg->issues == 1, pairs[i], "one lane");
    ls_unreachable_if(to, cfg->entries == 1, B_APART, "one entry");
    ls_unreachable_if(to, cfg->pregs == UINT32_C(1) << rf_index_bits(cfg->pregs), B_BEYOND, "every number is a register's");
}

#define SMALL "ENTRIES=4 PREGS=16"

static const ls_fault faults[] = {
    {"the top bit of the hash is not compared", NULL, "hash_q[index[i]] == lk_hash_i[i*32 +: 32]",
     "hash_q[index[i]][30:0] == lk_hash_i[i*32 +: 31]", "hit", SMALL},
    {"an invalid entry hits", NULL, "valid_q[index[i]] && hash_q", "hash_q", "hit", SMALL},
    {"a lane sees what the lane before it writes", NULL, "assign hit_o[i] = lk_valid_i[i] && valid_q",
     "assign hit_o[i] = lk_valid_i[i] && i > 0 && act[0] && write_i[0] && lk_hash_i[31:0] == lk_hash_i[i*32 +: 32] || "
     "lk_valid_i[i] && valid_q",
     "hit", SMALL},
    {"register shown without a hit", NULL, "hit_o[i] ? reg_q[index[i]] : '0", "reg_q[index[i]]", "hit_reg", SMALL},
    {"a lane hits without a lookup", NULL, "lk_valid_i[i] && valid_q", "valid_q", "hit", SMALL},
    {"a drop counts without a lookup", NULL, "lk_valid_i & (write_i | drop_i)", "(lk_valid_i & write_i) | drop_i", "freed",
     SMALL},
    {"a write counts without a lookup", NULL, "if (act[i]) valid_q", "if (act[i] || write_i[i]) valid_q", "valid_q", SMALL},
    {"drop wins over write", NULL, "<= write_i[i];", "<= write_i[i] && !drop_i[i];", "valid_q", SMALL},
    {"a lookup alone frees", NULL, "freed_o[i] = act[i] &&", "freed_o[i] = lk_valid_i[i] &&", "freed", SMALL},
    {"what the lane before dropped is freed again", NULL, " left_valid = write_i[j];", " left_valid = left_valid || write_i[j];",
     "freed", SMALL},
    {"the register that the lane before wrote is not seen", NULL, " left_reg   = write_reg_i[j*PREG_W +: PREG_W];", "",
     "freed_reg", SMALL},
    {"register shown although none is freed", NULL, "freed_o[i] ? left_reg : '0", "left_reg", "freed_reg", SMALL},
    {"the drop port does not see the lanes", NULL, "rnd_drop_i && rnd_left_valid", "rnd_drop_i && valid_q[rnd_index]",
     "rnd_freed", SMALL},
    {"the drop port frees the register before the lanes", NULL, "rnd_freed_o ? rnd_left_reg", "rnd_freed_o ? reg_q[rnd_index]",
     "rnd_freed_reg", SMALL},
    {"a lane's write survives the drop port", NULL, "if (rnd_drop_i) valid_q",
     "if (rnd_drop_i && !(act[0] && index[0] == rnd_index)) valid_q", "valid_q", SMALL},
    {"the lower lane's hash stays", NULL, "          hash_q[index[i]] <=",
     "          if (i == 0 || !(act[0] && write_i[0] && index[0] == index[i])) hash_q[index[i]] <=", "hash_q", SMALL},
    {"the top bit of the hash is lost", NULL, "<= lk_hash_i[i*32 +: 32];", "<= {1'b0, lk_hash_i[i*32 +: 31]};", "hash_q", SMALL},
    {"register stored is lane 0's", NULL, "<= write_reg_i[i*PREG_W +: PREG_W];", "<= write_reg_i[0 +: PREG_W];", "reg_q", SMALL},
    {"indexed by the bits above", NULL, "lk_hash_i[i*32 +: INDEX_W] & LAST", "lk_hash_i[i*32+1 +: INDEX_W] & LAST", "valid_q",
     SMALL},
    {"hashes are not reset", NULL, "hash_q[e]  <= '0;", "", "hash_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "ENTRIES=1 PREGS=2 ISSUES=1",
                                   "ENTRIES=2 PREGS=3 ISSUES=4",
                                   "ENTRIES=8 PREGS=1000 ISSUES=3",
                                   "ENTRIES=64 PREGS=64 ISSUES=1",
                                   "ENTRIES=512 PREGS=513 ISSUES=4",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_vsb
#define LS_GROUP "wir"
#define LS_BRIEF "value signature buffer: the register that holds the value with this hash"
#define LS_FIELDS "tb/wir/rf_vsb.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
