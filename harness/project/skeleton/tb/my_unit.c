/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of my_unit. */
#include "model/my_unit.h"

#include "cmodel/common/rf_types.h"
#include "harness/core/unit.h"

typedef struct my_unit_stim {
    ls_rng rng;
    uint32_t inc, clr; /* probabilities, in 256ths */
} my_unit_stim;

/* Now and then, with a reset: another mix. Long counts need few clears. */
static void stim_init(my_unit_stim *s, const my_unit *m, uint64_t seed) {
    ls_rng_seed(&s->rng, seed);
    s->inc = 64 + ls_rng_below(&s->rng, 193);
    s->clr = m->cfg.w > 6 ? 0 : ls_rng_below(&s->rng, 16);
}

/* Once a cycle. It may read the model, never the RTL. A full counter is cleared sooner or later. */
static void stim(my_unit_stim *s, const my_unit *m, my_unit_in *in) {
    const bool full = m->count_q == (1u << m->cfg.w) - 1;
    in->inc = ls_rng_chance(&s->rng, s->inc);
    in->clr = ls_rng_chance(&s->rng, full ? 32 : s->clr);
}

/* What a run must have seen, else it is vacuous: a name and a bit for each. */
static const char *const bin_names[] = {"counts", "stands", "inc when full", "clear when full", "inc and clear", NULL};

static uint64_t bins(const my_unit *m, const my_unit_in *in, const my_unit_out *out) {
    (void)m;
    return (uint64_t)(in->inc && !in->clr && !out->full) << 0 | (uint64_t)(!in->inc && !in->clr) << 1 |
           (uint64_t)(in->inc && !in->clr && out->full) << 2 | (uint64_t)(in->clr && out->full) << 3 |
           (uint64_t)(in->inc && in->clr) << 4;
}

/* Name, file (NULL: the unit's), text of the RTL, its replacement, the field that must differ first, parameters. */
static const ls_fault faults[] = {
    {"wraps around", NULL, "inc_i && !full_o", "inc_i", "count_q", NULL},
    {"counts down", NULL, "count_q + 1'b1", "count_q - 1'b1", "count_q", NULL},
    {"inc beats clear", NULL, "else if (clr_i) ", "else if (clr_i && !inc_i) ", "count_q", NULL},
    {"full one too soon", NULL, "&count_q", "&(count_q | W'(1))", "full", NULL},
    {0},
};

static const char *const sets[] = {"", "W=1", "W=2", "W=8", NULL}; /* parameter sets; "" has the defaults */
static const char *const rtl[] = {NULL};                           /* files that the unit's own needs before it: packages */

#define LS_UNIT my_unit
#define LS_BRIEF "a counter that saturates"
#define LS_FIELDS "tb/my_unit.fields"
#include "harness/core/unit_define.h"
