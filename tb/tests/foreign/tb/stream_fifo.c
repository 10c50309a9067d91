/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of stream_fifo. */
#include "model/stream_fifo.h"

#include "cmodel/common/rf_types.h"
#include "harness/core/unit.h"

typedef struct stream_fifo_stim {
    ls_rng rng;
    uint32_t s_valid; /* how often it is 1, in 256ths */
    uint32_t m_ready; /* how often it is 1, in 256ths */
} stream_fifo_stim;

/* Now and then, with a reset: another mix. */
static void stim_init(stream_fifo_stim *s, const stream_fifo *m, uint64_t seed) {
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->s_valid = 8 + ls_rng_below(&s->rng, 241);
    s->m_ready = 8 + ls_rng_below(&s->rng, 241);
}

/* Once a cycle: the inputs. It may read the model, never the RTL. */
static void stim(stream_fifo_stim *s, const stream_fifo *m, stream_fifo_in *in) {
    const stream_fifo_cfg *cfg = &m->cfg;
    (void)cfg;
    (void)s;
    (void)in;
    in->s_valid = ls_rng_chance(&s->rng, s->s_valid);
    in->s_beat = (uint16_t)ls_rng_value(&s->rng, 13);
    in->m_ready = ls_rng_chance(&s->rng, s->m_ready);
}

static const char *const bin_names[] = {"in and out", "in when full", "out when empty", "full", "empty", NULL};

static uint64_t bins(const stream_fifo *m, const stream_fifo_in *in, const stream_fifo_out *out) {
    (void)m;
    const int put = in->s_valid && out->s_ready, get = in->m_ready && out->m_valid;
    return (uint64_t)(put && get) << 0 | (uint64_t)(in->s_valid && !out->s_ready) << 1 |
           (uint64_t)(in->m_ready && !out->m_valid) << 2 | (uint64_t)!out->s_ready << 3 | (uint64_t)!out->m_valid << 4;
}

static const ls_fault faults[] = {
    {"takes when full", NULL, "up.valid && up.ready", "up.valid", "core_store", NULL},
    {"reads one too far", NULL, "store[rptr]", "store[wptr]", "m_beat", NULL},
    {"does not wrap", NULL, "rptr == AW'(DEPTH - 1) ? '0 : rptr + 1'b1", "rptr + 1'b1", "core_rptr", "DEPTH=3"},
    {0},
};

/* Parameter sets to run at; "" has the defaults. */
static const char *const sets[] = {"", "DEPTH=2", "DEPTH=3", "DEPTH=16", NULL};
static const char *const rtl[] = {NULL}; /* files that the unit's own needs before it: packages */

#define LS_UNIT stream_fifo
#define LS_BRIEF "stream_fifo"
#define LS_FIELDS "tb/stream_fifo.fields"
#include "harness/core/unit_define.h"
