/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_levels. */
#include "cmodel/hierarchy/rf_levels.h"

#include "harness/core/unit.h"

typedef struct rf_levels_stim {
    ls_rng rng;
} rf_levels_stim;
static void stim_init(rf_levels_stim *s, const rf_levels *m, uint64_t seed) { (void)m; ls_rng_seed(&s->rng, seed); }
static void stim(rf_levels_stim *s, const rf_levels *m, rf_levels_in *in) { (void)s; (void)m; (void)in; }
static const char *const bin_names[] = {NULL};
static uint64_t bins(const rf_levels *m, const rf_levels_in *in, const rf_levels_out *out) { (void)m; (void)in; (void)out; return 0; }
static const ls_fault faults[] = {{0}};
static const char *const sets[] = {"", NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/common/rf_rr.sv", "rtl/hierarchy/rf_rfc.sv", "rtl/hierarchy/rf_orf.sv", NULL};
#define LS_UNIT rf_levels
#define LS_GROUP "hierarchy"
#define LS_BRIEF "levels above the banks"
#define LS_FIELDS "tb/hierarchy/rf_levels.fields"
#define LS_STEP
#include "harness/core/unit_define.h"
