/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_hash_pipe. */
#include "cmodel/wir/rf_hash_pipe.h"

#include "harness/core/unit.h"
#include "tb/wir/env/rf_h3_collide.h"

typedef struct rf_hash_pipe_stim {
    ls_rng rng;
    rf_h3_collider collider;
    bool stands;          /* a result that is refused is offered again */
    bool refused;         /* ... as in the last cycle */
    uint32_t alike;       /* probability that a value is the one before it or collides with it, in 256ths */
    uint32_t span, left;  /* of a phase, in cycles; of it to come */
    uint32_t valid, take; /* probabilities of the phase, in 256ths */
} rf_hash_pipe_stim;

static void stim_init(rf_hash_pipe_stim *s, const rf_hash_pipe *m, uint64_t seed) {
    *s = (rf_hash_pipe_stim){0};
    ls_rng_seed(&s->rng, seed);
    rf_h3_collider_init(&s->collider, m->cfg.lanes, &s->rng);
    s->stands = ls_rng_chance(&s->rng, 192);
    s->alike = 8 + ls_rng_below(&s->rng, 120);
    s->span = m->cfg.stages * (1 + ls_rng_below(&s->rng, 4)) + 8;
}

/* A register allocation that is busy fills the pipeline, a free one drains it. */
static void next_phase(rf_hash_pipe_stim *s) {
    const uint32_t most = 192 + ls_rng_below(&s->rng, 65), little = ls_rng_below(&s->rng, 96);
    s->left = s->span / 2 + ls_rng_below(&s->rng, s->span);
    switch (ls_rng_below(&s->rng, 4)) {
    case 0:
        s->valid = most, s->take = little;
        break;
    case 1:
        s->valid = little, s->take = most;
        break;
    case 2:
        s->valid = s->take = most;
        break;
    default:
        s->valid = ls_rng_below(&s->rng, 257), s->take = ls_rng_below(&s->rng, 257);
        break;
    }
}

/* An index of 0 .. n-1; now and then any value of its bits, which the pipeline carries as well. */
static uint8_t draw_index(ls_rng *rng, uint32_t n) {
    return (uint8_t)(ls_rng_chance(rng, 16) ? ls_rng_value(rng, rf_index_bits(n)) : ls_rng_below(rng, n));
}

static void draw_result(rf_hash_pipe_stim *s, const rf_hash_pipe_cfg *cfg, rf_hash_pipe_in *in) {
    ls_rng *rng = &s->rng;
    const rf_vec zero = {{0}}, before = in->data;
    in->warp = draw_index(rng, cfg->warps);
    in->dst = draw_index(rng, cfg->regs);
    if (ls_rng_chance(rng, 8)) in->warp = (uint8_t)(cfg->warps - 1), in->dst = (uint8_t)(cfg->regs - 1);
    in->mask = (uint32_t)(ls_rng_chance(rng, 96) ? rf_mask64(cfg->lanes) : ls_rng_value(rng, cfg->lanes));
    in->info = ls_rng_value(rng, cfg->infow);
    if (!ls_rng_chance(rng, s->alike)) {
        ls_rng_lanes(rng, in->data.lane, cfg->lanes);
        return;
    }
    switch (ls_rng_below(rng, 8)) {
    case 0:
        in->data = zero;
        break;
    case 1:
        (void)rf_h3_collide(&s->collider, rng, &zero, &in->data);
        break;
    case 2:
    case 3:
        break; /* the same value again */
    default:
        (void)rf_h3_collide(&s->collider, rng, &before, &in->data);
    }
}

static void stim(rf_hash_pipe_stim *s, const rf_hash_pipe *m, rf_hash_pipe_in *in) {
    if (s->left == 0) next_phase(s);
    s->left--;
    in->take = ls_rng_chance(&s->rng, s->take);
    if (s->stands && s->refused) return;
    in->valid = ls_rng_chance(&s->rng, s->valid);
    /* The result changes in cycles without an offer too: nothing of it may be stored then. */
    draw_result(s, &m->cfg, in);
}

static void observe(rf_hash_pipe_stim *s, const rf_hash_pipe_in *in, const rf_hash_pipe_out *out) {
    s->refused = in->valid && !out->ready;
}

static const char *const bin_names[] = {"empty",
                                        "full",
                                        "result accepted",
                                        "result refused",
                                        "result accepted into a full pipeline whose end leaves",
                                        "nothing at the end to take",
                                        "result accepted while nothing is there to take",
                                        "end waits",
                                        "end waits while results come in behind it",
                                        "end waits while a bubble closes",
                                        "end waits in front of a full pipeline",
                                        "end leaves, the next one comes",
                                        "end leaves, nothing comes",
                                        "last result leaves",
                                        "first and last stage hold results, none between them",
                                        "end has all lanes",
                                        "end has some lanes",
                                        "end has no lane",
                                        "end is the last register of the last warp",
                                        "end carries all ones",
                                        "end's value is 0",
                                        "end's hash is 0, its value is not",
                                        "end's hash has its highest bit",
                                        "end leaves while a bubble closes",
                                        NULL};

static uint64_t bins(const rf_hash_pipe *m, const rf_hash_pipe_in *in, const rf_hash_pipe_out *out) {
    const rf_hash_pipe_cfg *cfg = &m->cfg;
    const uint32_t stages = cfg->stages, all = (1u << stages) - 1, valid = m->valid_q, top = 1u << (stages - 1);
    const uint32_t lanes = (uint32_t)rf_mask64(cfg->lanes), empty = all & ~valid;
    const bool full = valid == all, end = (valid & top) != 0, waits = end && !in->take, leaves = end && in->take;
    const bool accepted = in->valid && out->ready, comes = ((valid << 1 | in->valid) & top) != 0;
    const bool bubble = empty != 0 && (valid & ((empty & (0 - empty)) - 1)) != 0; /* a result below the lowest empty stage */
    uint32_t any = 0;
    for (uint32_t l = 0; l < cfg->lanes; l++) any |= out->out_data.lane[l];
    return (uint64_t)(valid == 0) << 0 | (uint64_t)full << 1 | (uint64_t)accepted << 2 |
           (uint64_t)(in->valid && !out->ready) << 3 | (uint64_t)(accepted && full) << 4 | (uint64_t)(in->take && !end) << 5 |
           (uint64_t)(in->take && !end && accepted) << 6 | (uint64_t)waits << 7 | (uint64_t)(waits && accepted) << 8 |
           (uint64_t)(waits && bubble) << 9 | (uint64_t)(waits && full) << 10 | (uint64_t)(leaves && comes) << 11 |
           (uint64_t)(leaves && !comes) << 12 | (uint64_t)(leaves && valid == top && !in->valid) << 13 |
           (uint64_t)(valid == (top | 1) && stages > 2) << 14 | (uint64_t)(end && out->out_mask == lanes) << 15 |
           (uint64_t)(end && out->out_mask != lanes && out->out_mask != 0) << 16 | (uint64_t)(end && out->out_mask == 0) << 17 |
           (uint64_t)(end && out->out_warp == cfg->warps - 1 && out->out_dst == cfg->regs - 1) << 18 |
           (uint64_t)(end && out->out_info == rf_mask64(cfg->infow)) << 19 | (uint64_t)(end && any == 0) << 20 |
           (uint64_t)(end && any != 0 && out->out_hash == 0) << 21 | (uint64_t)(out->out_hash >> 31) << 22 |
           (uint64_t)(leaves && bubble) << 23;
}

static void unreachable(const rf_hash_pipe_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->stages == 1, 8, "one stage: nothing is behind the end");
    ls_unreachable_if(to, cfg->stages < 3, 9, "no stage stands between the first and the last");
    ls_unreachable_if(to, cfg->stages < 3, 14, "no stage stands between the first and the last");
    ls_unreachable_if(to, cfg->stages < 3, 23, "no stage stands between the first and the last");
    ls_unreachable_if(to, cfg->lanes == 1, 16, "one lane: some is all or none");
    ls_unreachable_if(to, cfg->lanes == 1, 21, "one lane: its rows of the hash are independent");
}

#define SMALL "STAGES=3 LANES=2 WARPS=5 REGS=6 INFOW=4"
static const char h3_sv[] = "rtl/wir/rf_h3.sv";

static const ls_fault faults[] = {
    {"bubbles do not close", NULL, "valid_q[STAGES-1:s] != '1", "!valid_q[s]", "ready", SMALL},
    {"a stage takes only when the end is taken or it is alone", NULL, "valid_q[STAGES-1:s] != '1", "valid_q == '0", "ready",
     SMALL},
    {"take is ignored", NULL, "take_i || valid_q", "valid_q", "valid_q", SMALL},
    {"every stage takes always", NULL, "take_i || valid_q[STAGES-1:s] != '1", "1'b1", "valid_q", SMALL},
    {"ready only when the first stage is empty", NULL, "= takes[0];", "= !valid_q[0];", "ready", SMALL},
    {"a result stays where it was", NULL, "(valid_q & ~takes)", "valid_q", "valid_q", SMALL},
    {"a result that waits is lost", NULL, "moves | (valid_q & ~takes)", "moves", "valid_q", SMALL},
    {"a stage takes what is not there", NULL, "takes & coming[STAGES-1:0]", "takes", "valid_q", SMALL},
    {"end valid a stage too early", NULL, "coming[STAGES];", "coming[STAGES-1];", "out_valid", SMALL},
    {"hash of the value that leaves", NULL, ".data_i(last)", ".data_i(data_q[END])", "hash_q", SMALL},
    {"hash of the first stage's value", NULL, "last = data_q[STAGES-2]", "last = data_q[0]", "hash_q",
     "STAGES=5 LANES=2 WARPS=5 REGS=6 INFOW=4"},
    {"hash changes while the end waits", NULL, "if (moves[END]) hash_q", "hash_q", "hash_q", SMALL},
    {"hash shown is that of the next value", NULL, "? hash_q : '0", "? hash : '0", "out_hash", SMALL},
    {"hash shown while empty", NULL, "out_valid_o ? hash_q : '0", "hash_q", "out_hash", SMALL},
    {"rows of the hash exchanged", h3_sv, "{z[32+c], z[c]}", "{z[c], z[32+c]}", "hash_q", SMALL},
    {"top bit of the value lost", NULL, "<= data_i;", "<= {1'b0, data_i[DATA_W-2:0]};", "data_q", SMALL},
    {"all lanes", NULL, "<= mask_i;", "<= '1;", "mask_q", SMALL},
    {"register is the warp", NULL, "<= dst_i;", "<= REG_W'(warp_i);", "dst_q", SMALL},
    {"warp of the first stage for all", NULL, "<= warp_q[s-1];", "<= warp_q[0];", "warp_q", SMALL},
    {"top bit carried along is lost on the way", NULL, "<= info_q[s-1];", "<= {1'b0, info_q[s-1][INFOW-2:0]};", "info_q", SMALL},
    {"a stage that gets empty takes what is offered", NULL, "if (moves[0]) begin", "if (takes[0]) begin", "warp_q", SMALL},
    {"warp shown while empty", NULL, "out_valid_o ? warp_q[END] : '0", "warp_q[END]", "out_warp", SMALL},
    {"hash is not reset", NULL, "hash_q  <= '0;", "", "hash_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "STAGES=1 LANES=1 WARPS=1 REGS=1 INFOW=1",
                                   "STAGES=1 LANES=4",
                                   "STAGES=2 LANES=2 WARPS=3 REGS=63 INFOW=64",
                                   "STAGES=3 LANES=3 WARPS=5 REGS=7 INFOW=9",
                                   "STAGES=4 LANES=1 WARPS=64 REGS=256 INFOW=33",
                                   "STAGES=5 LANES=5 WARPS=33 REGS=255 INFOW=48",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/wir/rf_h3.sv", NULL};

#define LS_UNIT rf_hash_pipe
#define LS_GROUP "wir"
#define LS_BRIEF "results on their way to register allocation, hashed"
#define LS_FIELDS "tb/wir/rf_hash_pipe.fields"
#define LS_UNREACHABLE
#define LS_STEP
#define LS_OBSERVE
#include "harness/core/unit_define.h"
