/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of lru_tags. */
#include "model/lru_tags.h"

#include "cmodel/common/rf_types.h"
#include "harness/core/unit.h"

typedef struct lru_tags_stim {
    ls_rng rng;
    uint32_t lookup; /* how often it is 1, in 256ths */
} lru_tags_stim;

/* Now and then, with a reset: another mix. */
static void stim_init(lru_tags_stim *s, const lru_tags *m, uint64_t seed) {
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->lookup = 8 + ls_rng_below(&s->rng, 241);
}

/* Once a cycle: the inputs. It may read the model, never the RTL. */
static void stim(lru_tags_stim *s, const lru_tags *m, lru_tags_in *in) {
    const lru_tags_cfg *cfg = &m->cfg;
    (void)cfg;
    (void)s;
    (void)in;
    in->lookup = ls_rng_chance(&s->rng, s->lookup);
    in->set = (uint8_t)ls_rng_value(&s->rng, lru_tags_log2(cfg->sets));
    in->tag = ls_rng_below(&s->rng, 7) & (uint32_t)ls_mask(cfg->tagw); /* few, so that some hit */
}

static const char *const bin_names[] = {"a hit", "a miss", "into way 3", "no lookup", NULL};

static uint64_t bins(const lru_tags *m, const lru_tags_in *in, const lru_tags_out *out) {
    (void)m;
    return (uint64_t)out->hit << 0 | (uint64_t)(in->lookup && !out->hit) << 1 | (uint64_t)(out->way == 3) << 2 |
           (uint64_t)!in->lookup << 3;
}

static const ls_fault faults[] = {
    {"oldest but one", NULL, "age[set*4 + i] == 3", "age[set*4 + i] == 2", "way", NULL},
    {"a hit does not make young", NULL, "age[set*4 + w] <= 0;", "age[set*4 + w] <= age[set*4 + w];", "age", NULL},
    {"finds what is not valid", NULL, "valid[set*4 + i] && tags", "way", "hit", NULL},
    {0},
};

/* Parameter sets to run at; "" has the defaults. */
static const char *const sets[] = {"", "SETS=2", "TAGW=1", "SETS=16", NULL};
static const char *const rtl[] = {NULL}; /* files that the unit's own needs before it: packages */

#define LS_UNIT lru_tags
#define LS_BRIEF "lru_tags"
#define LS_FIELDS "tb/lru_tags.fields"
#include "harness/core/unit_define.h"
