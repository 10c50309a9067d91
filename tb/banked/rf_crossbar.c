/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_crossbar. */
#include "cmodel/banked/rf_crossbar.h"

#include "harness/core/unit.h"

typedef struct rf_crossbar_stim {
    ls_rng rng;
    uint32_t density; /* of valid, in 256ths */
    uint32_t refresh; /* sources with new data in a cycle */
    uint32_t one;     /* probability that all outputs select one source, in 256ths */
    uint32_t outside; /* probability that a select is any value of its bits, in 256ths */
    bool filled;
} rf_crossbar_stim;

static void stim_init(rf_crossbar_stim *s, const rf_crossbar *m, uint64_t seed) {
    static const uint32_t densities[] = {16, 64, 128, 224};
    *s = (rf_crossbar_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->density = densities[ls_rng_below(&s->rng, 4)];
    s->refresh = 1 + ls_rng_below(&s->rng, m->cfg.src < 4 ? m->cfg.src : 4);
    s->one = 8 + ls_rng_below(&s->rng, 32);
    s->outside = 4 + ls_rng_below(&s->rng, 32);
}

static void draw_source(ls_rng *rng, uint32_t width, rf_vec *data) {
    const uint32_t words = (width + 31) / 32;
    ls_rng_lanes(rng, data->lane, words);
    data->lane[words - 1] &= (uint32_t)rf_mask64(width - 32 * (words - 1));
}

static void stim(rf_crossbar_stim *s, const rf_crossbar *m, rf_crossbar_in *in) {
    const rf_crossbar_cfg *cfg = &m->cfg;
    const uint32_t bits = rf_index_bits(cfg->src);
    /* The sources keep their data except a few: distinct after the first cycle, and cheap. */
    if (s->filled) {
        for (uint32_t i = 0; i < s->refresh; i++) draw_source(&s->rng, cfg->width, &in->data[ls_rng_below(&s->rng, cfg->src)]);
    } else {
        for (uint32_t i = 0; i < cfg->src; i++) draw_source(&s->rng, cfg->width, &in->data[i]);
        s->filled = true;
    }
    in->valid = ls_rng_chance(&s->rng, 32) ? ls_rng_value(&s->rng, cfg->dst) : ls_rng_bits(&s->rng, cfg->dst, s->density);
    const bool one = ls_rng_chance(&s->rng, s->one);
    uint32_t source = ls_rng_below(&s->rng, cfg->src);
    for (uint32_t d = 0; d < cfg->dst; d++) {
        if (!one && ls_rng_chance(&s->rng, s->outside)) source = (uint32_t)ls_rng_value(&s->rng, bits);
        else if (!one) source = ls_rng_below(&s->rng, cfg->src);
        in->sel[d] = (uint8_t)source;
    }
}

static const char *const bin_names[] = {"no output used",
                                        "all outputs used",
                                        "first output used alone",
                                        "last output used alone",
                                        "first source selected",
                                        "last source selected",
                                        "several outputs with one source",
                                        "all outputs with one source",
                                        "different sources at once",
                                        "source outside selected",
                                        "top bit carried",
                                        NULL};

static uint64_t bins(const rf_crossbar *m, const rf_crossbar_in *in, const rf_crossbar_out *out) {
    const rf_crossbar_cfg *cfg = &m->cfg;
    const uint64_t all = rf_mask64(cfg->dst), top = UINT64_C(1) << (cfg->dst - 1);
    const uint32_t top_word = (cfg->width - 1) / 32, top_bit = (cfg->width - 1) % 32;
    uint64_t seen = 0, shared = 0;
    bool outside = false, top_carried = false;
    for (uint64_t used = in->valid; used != 0; used &= used - 1) {
        const uint32_t d = rf_lowest(used);
        outside |= in->sel[d] >= cfg->src;
        top_carried |= (out->data[d].lane[top_word] >> top_bit & 1) != 0;
        if (in->sel[d] >= cfg->src) continue;
        shared |= seen & UINT64_C(1) << in->sel[d];
        seen |= UINT64_C(1) << in->sel[d];
    }
    const bool one_source = seen != 0 && (seen & (seen - 1)) == 0;
    return (uint64_t)(in->valid == 0) << 0 | (uint64_t)(in->valid == all) << 1 | (uint64_t)(in->valid == 1) << 2 |
           (uint64_t)(in->valid == top) << 3 | (seen & 1) << 4 | (seen >> (cfg->src - 1) & 1) << 5 |
           (uint64_t)(shared != 0) << 6 | (uint64_t)(in->valid == all && one_source && !outside) << 7 |
           (uint64_t)((seen & (seen - 1)) != 0) << 8 | (uint64_t)outside << 9 | (uint64_t)top_carried << 10;
}

#define SMALL "SRC=5 DST=3 WIDTH=40"
#define PICK "data_i[sel*WIDTH +: WIDTH]"

static void unreachable(const rf_crossbar_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->dst == 1, 6, "one output");
    ls_unreachable_if(to, cfg->dst == 1, 8, "one output");
    ls_unreachable_if(to, cfg->src == 1, 8, "one source");
    ls_unreachable_if(to, cfg->src == UINT32_C(1) << rf_index_bits(cfg->src), 9, "every number is that of a source");
}

static const ls_fault faults[] = {
    {"unused outputs carry data", NULL, "valid_i[d] && ", "", "data", SMALL},
    {"last output never used", NULL, "valid_i[d] && ", "valid_i[d] && d != DST - 1 && ", "data", SMALL},
    {"validity of the first output for all", NULL, "valid_i[d]", "valid_i[0]", "data", SMALL},
    {"last source cannot be selected", NULL, "(SEL_W + 1)'(SRC))", "(SEL_W + 1)'(SRC - 1))", "data", SMALL},
    {"source outside becomes source 0", NULL, PICK " : '0", PICK " : data_i[WIDTH-1:0]", "data", SMALL},
    {"select of the first output for all", NULL, "sel_i[d*SEL_W +: SEL_W]", "sel_i[0 +: SEL_W]", "data", SMALL},
    {"select loses its top bit", NULL, "sel_i[d*SEL_W +: SEL_W]", "sel_i[d*SEL_W +: SEL_W] & SEL_W'(SRC / 2 - 1)", "data", SMALL},
    {"source taken one bit off", NULL, PICK, "data_i[(sel*WIDTH + 1) % (SRC*WIDTH) +: WIDTH]", "data", SMALL},
    {"top bit of the data lost", NULL, PICK, "{1'b0, data_i[sel*WIDTH +: WIDTH-1]}", "data", SMALL},
    {"outputs in reverse order", NULL, "data_o[d*WIDTH +: WIDTH]", "data_o[(DST-1-d)*WIDTH +: WIDTH]", "data", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "SRC=1 DST=1 WIDTH=1",
                                   "SRC=1 DST=7 WIDTH=32",
                                   "SRC=3 DST=1 WIDTH=24",
                                   "SRC=5 DST=3 WIDTH=1000",
                                   "SRC=8 DST=3 WIDTH=128",
                                   "SRC=4 DST=56 WIDTH=128",
                                   "SRC=33 DST=33 WIDTH=72",
                                   "SRC=64 DST=64 WIDTH=96",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_crossbar
#define LS_GROUP "banked"
#define LS_BRIEF "crossbar"
#define LS_FIELDS "tb/banked/rf_crossbar.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
