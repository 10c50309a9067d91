/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_ocu_alloc. */
#include "cmodel/banked/rf_ocu_alloc.h"

#include "harness/core/unit.h"

typedef struct rf_ocu_alloc_stim {
    ls_rng rng;
    /* Probabilities, in 256ths. */
    uint32_t busy;  /* a collector is busy, in a cycle without memory */
    uint32_t leave; /* a busy collector gets free */
    uint32_t req;   /* an instruction asks */
    bool memory;    /* collectors taken stay busy until they leave, as in a machine */
    uint16_t alloc;
} rf_ocu_alloc_stim;

static void stim_init(rf_ocu_alloc_stim *s, const rf_ocu_alloc *m, uint64_t seed) {
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->busy = 64 + ls_rng_below(&s->rng, 176);
    s->leave = 8 + ls_rng_below(&s->rng, 128);
    s->req = 64 + ls_rng_below(&s->rng, 160);
    s->memory = ls_rng_chance(&s->rng, 128);
    s->alloc = 0;
}

static void stim(rf_ocu_alloc_stim *s, const rf_ocu_alloc *m, rf_ocu_alloc_in *in) {
    const uint32_t n = m->cfg.collectors, issues = m->cfg.issues;
    if (ls_rng_chance(&s->rng, 32)) { /* boundary values: none, one, all but one, all busy */
        in->busy = (uint16_t)ls_rng_value(&s->rng, n);
        in->req = (uint8_t)ls_rng_value(&s->rng, issues);
        if (ls_rng_chance(&s->rng, 128)) in->busy = (uint16_t)(ls_rng_chance(&s->rng, 128) ? rf_mask64(n) : 0);
        return;
    }
    const uint64_t kept = (in->busy | (uint64_t)s->alloc) & ~ls_rng_bits(&s->rng, n, s->leave);
    in->busy = (uint16_t)(s->memory ? kept : ls_rng_bits(&s->rng, n, s->busy));
    in->req = (uint8_t)ls_rng_bits(&s->rng, issues, s->req);
}

static void observe(rf_ocu_alloc_stim *s, const rf_ocu_alloc_in *in, const rf_ocu_alloc_out *out) {
    (void)in;
    s->alloc = out->alloc;
}

static const char *const bin_names[] = {"nobody asks",
                                        "a collector is taken",
                                        "no collector is free",
                                        "one request of several is refused",
                                        "every request is granted",
                                        "a later request is served alone",
                                        "the last free collector is taken",
                                        "a collector above a busy one is taken",
                                        "the highest collector is taken",
                                        NULL};

static uint64_t bins(const rf_ocu_alloc *m, const rf_ocu_alloc_in *in, const rf_ocu_alloc_out *out) {
    const uint32_t all = (uint32_t)rf_mask64(m->cfg.collectors), last = all ^ all >> 1;
    const uint32_t after = in->busy | (uint32_t)out->alloc;
    return (uint64_t)(in->req == 0) << 0 | (uint64_t)(out->alloc != 0) << 1 | (uint64_t)(in->busy == all && in->req != 0) << 2 |
           (uint64_t)(out->grant != 0 && out->grant != in->req) << 3 |
           (uint64_t)(in->req == rf_mask64(m->cfg.issues) && out->grant == in->req) << 4 |
           (uint64_t)(out->grant != 0 && (in->req & 1) == 0) << 5 | (uint64_t)(out->alloc != 0 && after == all) << 6 |
           (uint64_t)(in->busy != 0 && out->alloc > (in->busy & (0u - in->busy))) << 7 |
           (uint64_t)((out->alloc & last) != 0) << 8;
}

static void unreachable(const rf_ocu_alloc_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->issues == 1, 3, "one request");
    ls_unreachable_if(to, cfg->issues == 1, 5, "one request");
    ls_unreachable_if(to, cfg->issues > cfg->collectors, 4, "more requests than collectors");
    ls_unreachable_if(to, cfg->collectors == 1, 7, "one collector");
}

static const ls_fault faults[] = {
    {"highest free collector first", NULL, "`RF_LOWEST(left) &", "left & ~(left >> 1) &", "sel", "COLLECTORS=2"},
    {"busy collector given away", NULL, "left = ~busy_i;", "left = '1;", "grant", "COLLECTORS=1"},
    {"grant of collector 0 lost", NULL, "grant_o[i] = taken != '0;", "grant_o[i] = (taken & ~COLLECTORS'(1)) != '0;", "grant",
     NULL},
    {"one collector given to several requests", NULL, "`RF_LOWEST(left) &", "~busy_i & (busy_i + 1'b1) &", "grant",
     "COLLECTORS=1"},
    {"a silent request takes a collector", NULL, " & {COLLECTORS{req_i[i]}}", "", "grant", NULL},
    {"granted although none is free", NULL, "grant_o[i] = taken != '0;", "grant_o[i] = req_i[i];", "grant", NULL},
    {"collector number without its low bit", NULL, "|(taken & rf_pkg::NUMBERS", "(k != 0) && |(taken & rf_pkg::NUMBERS", "sel",
     NULL},
    {"collector number when not granted", NULL, "|(taken & rf_pkg::NUMBERS", "|((`RF_LOWEST(left) | taken) & rf_pkg::NUMBERS",
     "sel", NULL},
    {"busy collectors reported as taken", NULL, "alloc_o = ~busy_i & ~left;", "alloc_o = ~left;", "alloc", NULL},
    {"free collectors reported as taken", NULL, "alloc_o = ~busy_i & ~left;", "alloc_o = ~busy_i;", "alloc", NULL},
    {"request number always 0", NULL, "(taken & {COLLECTORS{i[k]}})", "'0", "which", NULL},
    {"request number inverted", NULL, "{COLLECTORS{i[k]}}", "{COLLECTORS{!i[k]}}", "which", NULL},
    {0},
};

static const char *const sets[] = {"",
                                   "COLLECTORS=1 ISSUES=1",
                                   "COLLECTORS=1 ISSUES=4",
                                   "COLLECTORS=3 ISSUES=1",
                                   "COLLECTORS=3 ISSUES=3",
                                   "COLLECTORS=5 ISSUES=2",
                                   "COLLECTORS=8 ISSUES=4",
                                   "COLLECTORS=16 ISSUES=4",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_ocu_alloc
#define LS_GROUP "banked"
#define LS_BRIEF "collector allocator: lowest free collectors to the issuing instructions"
#define LS_FIELDS "tb/banked/rf_ocu_alloc.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
