/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_rr. */
#include "cmodel/common/rf_rr.h"

#include "harness/core/unit.h"

typedef struct rf_rr_stim {
    ls_rng rng;
    uint32_t density; /* of req, in 256ths */
    uint32_t take;    /* probability, in 256ths */
    uint32_t hold;    /* probability that req stays as it was, in 256ths */
    uint64_t req;
} rf_rr_stim;

static void stim_init(rf_rr_stim *s, const rf_rr *m, uint64_t seed) {
    static const uint32_t densities[] = {8, 64, 128, 224, 256};
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->density = densities[ls_rng_below(&s->rng, 5)];
    s->take = ls_rng_chance(&s->rng, 64) ? 256 : 32 + ls_rng_below(&s->rng, 224);
    s->hold = ls_rng_below(&s->rng, 192);
    s->req = 0;
}

static void stim(rf_rr_stim *s, const rf_rr *m, rf_rr_in *in) {
    /* One cycle in 32 is a boundary value, so that idle and everybody-asks are hit at every density. */
    if (!ls_rng_chance(&s->rng, s->hold))
        s->req = ls_rng_chance(&s->rng, 8) ? ls_rng_value(&s->rng, m->cfg.n) : ls_rng_bits(&s->rng, m->cfg.n, s->density);
    in->req = s->req;
    in->take = ls_rng_chance(&s->rng, s->take);
}

static const char *const bin_names[] = {"idle", "all ask", "granted above the pointer", "wrapped around", "granted but not taken",
                                        NULL};

static uint64_t bins(const rf_rr *m, const rf_rr_in *in, const rf_rr_out *out) {
    const uint64_t wrapped = (in->req & m->mask_q) == 0;
    return (uint64_t)(in->req == 0) << 0 | (uint64_t)(in->req == rf_mask64(m->cfg.n)) << 1 |
           (uint64_t)(out->valid && !wrapped) << 2 | (uint64_t)(out->valid && wrapped) << 3 |
           (uint64_t)(out->valid && !in->take) << 4;
}

static void unreachable(const rf_rr_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->n == 1, 2, "one requester: nobody is above the one that was served");
}

static const ls_fault faults[] = {
    {"pointer does not advance", NULL, "(take_i && valid_o) ? ~(grant_o | (grant_o - 1'b1)) : mask_q", "mask_q", "mask_q", NULL},
    {"pointer advances although not taken", NULL, "(take_i && valid_o)", "(valid_o)", "mask_q", NULL},
    {"pointer advances when idle", NULL, "(take_i && valid_o)", "(take_i)", "mask_q", NULL},
    {"pointer includes the granted one", NULL, "~(grant_o | (grant_o - 1'b1))", "~(grant_o - 1'b1)", "mask_q", NULL},
    {"fixed priority", NULL, "(above != '0) ? above : req_i", "req_i", "grant", NULL},
    {"no wrap-around", NULL, "(above != '0) ? above : req_i", "above", "grant", NULL},
    {"grant not one hot", NULL, "pool & (~pool + 1'b1)", "pool", "grant", NULL},
    {"valid only inside the mask", NULL, "valid_o = req_i != '0", "valid_o = above != '0", "valid", NULL},
    {"pointer starts at all ones", NULL, "mask_q <= '0", "mask_q <= '1", "mask_q", NULL},
    {"an enable beats reset", NULL, "if (!rst_ni) mask_q", "if (!rst_ni && !take_i) mask_q", "mask_q", NULL},
    {0},
};

static const char *const sets[] = {"", "N=1", "N=2", "N=3", "N=5", "N=33", "N=64", NULL};
static const char *const rtl[] = {NULL};

#define LS_UNIT rf_rr
#define LS_GROUP "common"
#define LS_BRIEF "round-robin arbiter"
#define LS_FIELDS "tb/common/rf_rr.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
