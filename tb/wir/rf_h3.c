/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_h3. */
#include "cmodel/wir/rf_h3.h"

#include <string.h>

#include "harness/core/unit.h"
#include "tb/wir/env/rf_h3_collide.h"

enum { KINDS = 7 };

typedef struct rf_h3_stim {
    ls_rng rng;
    rf_h3_collider collider;
    uint32_t walk;          /* the row whose turn it is; behind the last: no walk */
    bool cold;              /* the walk's values are all ones but for that row's bit */
    uint32_t pause;         /* probability that a walk begins, in 65536ths */
    uint32_t weight[KINDS]; /* of the kinds of values, 1 to 8 */
} rf_h3_stim;

static void stim_init(rf_h3_stim *s, const rf_h3 *m, uint64_t seed) {
    *s = (rf_h3_stim){0};
    ls_rng_seed(&s->rng, seed);
    rf_h3_collider_init(&s->collider, m->cfg.lanes, &s->rng);
    s->pause = UINT32_C(16) << ls_rng_below(&s->rng, 4);
    for (uint32_t k = 0; k < KINDS; k++) s->weight[k] = 1 + ls_rng_below(&s->rng, 8);
}

static uint32_t draw_kind(rf_h3_stim *s) {
    uint32_t sum = 0, kind = 0;
    for (uint32_t k = 0; k < KINDS; k++) sum += s->weight[k];
    uint32_t at = ls_rng_below(&s->rng, sum);
    while (at >= s->weight[kind]) at -= s->weight[kind++];
    return kind;
}

/* A value to which the one before it, in `v`, may matter. */
static void draw_value(rf_h3_stim *s, uint32_t lanes, rf_vec *v) {
    const rf_vec zero = {{0}}, before = *v;
    ls_rng *rng = &s->rng;
    const uint32_t bit = ls_rng_below(rng, lanes * 32);
    switch (draw_kind(s)) {
    case 0: /* another value with the same hash */
        (void)rf_h3_collide(&s->collider, rng, &before, v);
        break;
    case 1: /* ... as 0 has */
        (void)rf_h3_collide(&s->collider, rng, &zero, v);
        break;
    case 2:
        v->lane[bit / 32] ^= UINT32_C(1) << bit % 32;
        break;
    case 3:
        *v = zero;
        v->lane[bit / 32] = (uint32_t)ls_rng_value(rng, 32);
        break;
    case 4:
        memset(v->lane, ls_rng_chance(rng, 128) ? 0xff : 0, lanes * sizeof v->lane[0]);
        break;
    default:
        ls_rng_lanes(rng, v->lane, lanes);
    }
}

/* A run begins with every row alone: the table, once through. */
static void stim(rf_h3_stim *s, const rf_h3 *m, rf_h3_in *in) {
    const uint32_t lanes = m->cfg.lanes, rows = lanes * 32;
    if (s->walk < rows) {
        memset(in->data.lane, s->cold ? 0xff : 0, lanes * sizeof in->data.lane[0]);
        in->data.lane[s->walk / 32] ^= UINT32_C(1) << s->walk % 32;
        s->walk++;
        return;
    }
    draw_value(s, lanes, &in->data);
    if (ls_rng_below(&s->rng, 65536) >= s->pause) return;
    s->walk = 0;
    s->cold = ls_rng_chance(&s->rng, 128);
    rf_h3_collider_init(&s->collider, lanes, &s->rng);
}

#define LANE(l) "one bit, in lane " #l

static const char *const bin_names[] = {LANE(0),
                                        LANE(1),
                                        LANE(2),
                                        LANE(3),
                                        LANE(4),
                                        LANE(5),
                                        LANE(6),
                                        LANE(7),
                                        LANE(8),
                                        LANE(9),
                                        LANE(10),
                                        LANE(11),
                                        LANE(12),
                                        LANE(13),
                                        LANE(14),
                                        LANE(15),
                                        LANE(16),
                                        LANE(17),
                                        LANE(18),
                                        LANE(19),
                                        LANE(20),
                                        LANE(21),
                                        LANE(22),
                                        LANE(23),
                                        LANE(24),
                                        LANE(25),
                                        LANE(26),
                                        LANE(27),
                                        LANE(28),
                                        LANE(29),
                                        LANE(30),
                                        LANE(31),
                                        "one bit, the lowest",
                                        "one bit, the highest",
                                        "all ones",
                                        "all ones but one bit",
                                        "zero",
                                        "a hash of 0, the value is not 0",
                                        "one lane, several bits",
                                        "all lanes equal, not 0",
                                        "no lane is 0, not all equal",
                                        "a hash with its highest bit",
                                        NULL};

static uint64_t bins(const rf_h3 *m, const rf_h3_in *in, const rf_h3_out *out) {
    const uint32_t lanes = m->cfg.lanes, *lane = in->data.lane;
    uint32_t bits = 0, used = 0, equal = 0, last = 0;
    for (uint32_t l = 0; l < lanes; l++) {
        bits += (uint32_t)__builtin_popcount(lane[l]);
        used += lane[l] != 0;
        equal += lane[l] == lane[0];
        last = lane[l] != 0 ? l : last;
    }
    const bool one = bits == 1;
    return (uint64_t)one << last | (uint64_t)(one && lane[0] == 1) << 32 | (uint64_t)(one && lane[lanes - 1] >> 31 != 0) << 33 |
           (uint64_t)(bits == lanes * 32) << 34 | (uint64_t)(bits == lanes * 32 - 1) << 35 | (uint64_t)(bits == 0) << 36 |
           (uint64_t)(out->hash == 0 && bits != 0) << 37 | (uint64_t)(used == 1 && bits > 1) << 38 |
           (uint64_t)(equal == lanes && bits != 0) << 39 | (uint64_t)(used == lanes && equal < lanes) << 40 |
           (uint64_t)(out->hash >> 31) << 41;
}

static void unreachable(const rf_h3_cfg *cfg, ls_unreachable *to) {
    for (uint32_t l = cfg->lanes; l < RF_LANES_MAX; l++) ls_unreachable_if(to, true, l, "there is no such lane");
    ls_unreachable_if(to, cfg->lanes == 1, 37, "one lane: its rows are independent");
    ls_unreachable_if(to, cfg->lanes == 1, 40, "one lane");
}

#define SMALL "LANES=2"

static const ls_fault faults[] = {
    {"another seed", NULL, "SEED = 64'd1", "SEED = 64'd2", "hash", SMALL},
    {"the generator's state begins a step too early", NULL, "state = SEED;", "state = SEED - 64'h9e3779b97f4a7c15;", "hash",
     SMALL},
    {"a digit of the generator's step is wrong", NULL, "64'h9e3779b97f4a7c15", "64'h9e3779b97f4a7c17", "hash", SMALL},
    {"a digit of the first factor is wrong", NULL, "64'hbf58476d1ce4e5b9", "64'hbf58476d1ce4e5b8", "hash", SMALL},
    {"a digit of the second factor is wrong", NULL, "64'h94d049bb133111eb", "64'h94d049bb133111ed", "hash", SMALL},
    {"first shift by 31", NULL, "state >> 30", "state >> 31", "hash", SMALL},
    {"second shift by 26", NULL, "z >> 27", "z >> 26", "hash", SMALL},
    {"last shift left out", NULL, "z = z ^ (z >> 31);", "", "hash", SMALL},
    {"low and high row exchanged", NULL, "{z[32+c], z[c]}", "{z[c], z[32+c]}", "hash", SMALL},
    {"the second lane has the first one's rows", NULL, "state = state + 64'h9e3779b97f4a7c15;",
     "state = ((n == 16) ? SEED : state) + 64'h9e3779b97f4a7c15;", "hash", SMALL},
    {"one bit of the table is wrong", NULL, "= column(c);", "= column(c) ^ ((c == 17) ? DATA_W'(1) << 61 : '0);", "hash", SMALL},
    {"the last row is lost", NULL, "data_i & COLUMN", "{1'b0, data_i[DATA_W-2:0]} & COLUMN", "hash", SMALL},
    {"the first row is lost", NULL, "data_i & COLUMN", "{data_i[DATA_W-1:1], 1'b0} & COLUMN", "hash", SMALL},
    {"the hash upside down", NULL, "hash_o[c]", "hash_o[31-c]", "hash", SMALL},
    {"OR in place of XOR", NULL, "^(data_i & COLUMN)", "|(data_i & COLUMN)", "hash", SMALL},
    {"a hash that is not linear: 0 does not give 0", NULL, "^(data_i & COLUMN)", "~^(data_i & COLUMN)", "hash", SMALL},
    {"zeroes of the value are counted too", NULL, "data_i & COLUMN", "data_i | COLUMN", "hash", SMALL},
    {"two columns are equal", NULL, "column(c);", "column((c == 30) ? 31 : c);", "hash", SMALL},
    {0},
};

static const char *const sets[] = {"", "LANES=1", "LANES=2", "LANES=3", "LANES=17", NULL};
static const char *const rtl[] = {NULL};

#define LS_UNIT rf_h3
#define LS_GROUP "wir"
#define LS_BRIEF "hash of a warp register, H3 family"
#define LS_FIELDS "tb/wir/rf_h3.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
