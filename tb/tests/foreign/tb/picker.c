/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of picker. */
#include "model/picker.h"

#include "cmodel/common/rf_types.h"
#include "harness/core/unit.h"

typedef struct picker_stim {
    ls_rng rng;
} picker_stim;

static void stim_init(picker_stim *s, const picker *m, uint64_t seed) {
    (void)m;
    ls_rng_seed(&s->rng, seed);
}

static void stim(picker_stim *s, const picker *m, picker_in *in) {
    (void)m;
    in->want = (uint8_t)ls_rng_below(&s->rng, 16);
}

static const char *const bin_names[] = {"nobody asks", "all ask", NULL};

static uint64_t bins(const picker *m, const picker_in *in, const picker_out *out) {
    (void)m;
    (void)out;
    return (uint64_t)(in->want == 0) << 0 | (uint64_t)(in->want == 15) << 1;
}

static const ls_fault faults[] = {
    {"takes nothing", NULL, "|want", "1'b0", "rr.mask_q", NULL},
    {"the part has a fault", "rtl/common/rf_rr.sv", "~(grant_o | (grant_o - 1'b1))", "~(grant_o - 1'b1)", "rr.mask_q", NULL},
    {0},
};

static const char *const sets[] = {"", NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/common/rf_rr.sv", NULL}; /* lockstep's own */

#define LS_UNIT picker
#define LS_BRIEF "a round-robin arbiter of lockstep's own"
#define LS_FIELDS "tb/picker.fields"
#include "harness/core/unit_define.h"
