/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_lfsr. */
#include "cmodel/common/rf_lfsr.h"

#include "harness/core/unit.h"

typedef struct rf_lfsr_stim {
    ls_rng rng;
    uint32_t step; /* probability, in 256ths: of a single step, or of a stretch like the last cycle */
    bool stretches;
    uint8_t last;
} rf_lfsr_stim;

static void stim_init(rf_lfsr_stim *s, const rf_lfsr *m, uint64_t seed) {
    static const uint32_t steps[] = {48, 128, 224, 240};
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->step = steps[ls_rng_below(&s->rng, 4)];
    s->stretches = ls_rng_chance(&s->rng, 96);
    s->last = 0;
}

static void stim(rf_lfsr_stim *s, const rf_lfsr *m, rf_lfsr_in *in) {
    (void)m;
    in->step = s->stretches && ls_rng_chance(&s->rng, 248) ? s->last : ls_rng_chance(&s->rng, s->step);
    s->last = in->step;
}

static const char *const bin_names[] = {"stands",
                                        "steps, 0 shifted out",
                                        "steps, 1 shifted out",
                                        "stands although 1 would be shifted out",
                                        "steps from the value after reset",
                                        "the tap at bit 13 meets 0",
                                        "the tap at bit 13 meets 1",
                                        "the tap at bit 12 meets 0",
                                        "the tap at bit 12 meets 1",
                                        "the tap at bit 10 meets 0",
                                        "the tap at bit 10 meets 1",
                                        "the low byte is 0",
                                        "the high byte is 0",
                                        NULL};

static uint64_t bins(const rf_lfsr *m, const rf_lfsr_in *in, const rf_lfsr_out *out) {
    const uint32_t value = out->value, step = in->step, tap = step & value & 1u;
    return (uint64_t)(step == 0) << 0 | (uint64_t)(step & ~value) << 1 | (uint64_t)tap << 2 |
           (uint64_t)(step == 0 && (value & 1) != 0) << 3 | (uint64_t)(step != 0 && value == m->cfg.seed) << 4 |
           (uint64_t)(tap & ~(value >> 14)) << 5 | (uint64_t)(tap & value >> 14) << 6 | (uint64_t)(tap & ~(value >> 13)) << 7 |
           (uint64_t)(tap & value >> 13) << 8 | (uint64_t)(tap & ~(value >> 11)) << 9 | (uint64_t)(tap & value >> 11) << 10 |
           (uint64_t)((value & 0xff) == 0) << 11 | (uint64_t)(value >> 8 == 0) << 12;
}

static const ls_fault faults[] = {
    {"tap x^16 is lost", NULL, "16'hb400", "16'h3400", "value_q", NULL},
    {"tap x^14 is lost", NULL, "16'hb400", "16'h9400", "value_q", NULL},
    {"tap x^13 is lost", NULL, "16'hb400", "16'ha400", "value_q", NULL},
    {"tap x^11 is lost", NULL, "16'hb400", "16'hb000", "value_q", NULL},
    {"tap x^11 sits a bit too low", NULL, "16'hb400", "16'hb200", "value_q", NULL},
    {"no feedback but a rotation", NULL, "16'hb400", "16'h8000", "value_q", NULL},
    {"does not shift", NULL, "{1'b0, value_q[15:1]}", "value_q", "value_q", NULL},
    {"shifts to the left", NULL, "{1'b0, value_q[15:1]}", "{value_q[14:0], 1'b0}", "value_q", NULL},
    {"the highest bit stays", NULL, "{1'b0, value_q[15:1]}", "{value_q[15], value_q[15:1]}", "value_q", NULL},
    {"the taps act when 0 is shifted out", NULL, "{16{value_q[0]}}", "{16{!value_q[0]}}", "value_q", NULL},
    {"the taps act always", NULL, "(TAPS & {16{value_q[0]}})", "TAPS", "value_q", NULL},
    {"the bit tested is the one that comes next", NULL, "{16{value_q[0]}}", "{16{value_q[1]}}", "value_q", NULL},
    {"steps in every cycle", NULL, "else if (step_i) value_q", "else value_q", "value_q", NULL},
    {"stands when a 1 would be shifted out", NULL, "else if (step_i) value_q", "else if (step_i && !value_q[0]) value_q",
     "value_q", NULL},
    {"the value is that of the next step", NULL, "value_o = value_q", "value_o = value_d", "value", NULL},
    {"reset to 1 instead of SEED", NULL, "value_q <= SEED[15:0]", "value_q <= 16'd1", "value_q", NULL},
    {"a step beats reset", NULL, "if (!rst_ni)     value_q", "if (!rst_ni && !step_i) value_q", "value_q", NULL},
    {0},
};

static const char *const sets[] = {"", "SEED=1", "SEED=32768", "SEED=65535", NULL};
static const char *const rtl[] = {NULL};

#define LS_UNIT rf_lfsr
#define LS_GROUP "common"
#define LS_BRIEF "linear feedback shift register, 16 bits"
#define LS_FIELDS "tb/common/rf_lfsr.fields"
#define LS_STEP
#include "harness/core/unit_define.h"
