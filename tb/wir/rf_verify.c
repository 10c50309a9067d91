/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_verify. */
#include "cmodel/wir/rf_verify.h"

#include "harness/core/unit.h"

typedef struct rf_verify_stim {
    ls_rng rng;
    uint32_t load;    /* probability for an idle unit, in 256ths */
    uint32_t merge;   /* share of dummy MOVs, in 256ths */
    uint32_t collide; /* share of verify-reads that meet another value, in 256ths */
    uint32_t give;    /* probability while it needs a register, in 256ths */
    uint32_t done;    /* probability while it shares or writes, in 256ths */
    uint32_t illegal; /* probability of each breach of protocol, in 256ths */
} rf_verify_stim;

static void stim_init(rf_verify_stim *s, const rf_verify *m, uint64_t seed) {
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->load = 64 + ls_rng_below(&s->rng, 193);
    s->merge = 32 + ls_rng_below(&s->rng, 128);
    s->collide = 48 + ls_rng_below(&s->rng, 160);
    s->give = 32 + ls_rng_below(&s->rng, 200);
    s->done = 32 + ls_rng_below(&s->rng, 200);
    s->illegal = 8 + ls_rng_below(&s->rng, 56);
}

/* A result at the input, also while nobody looks: what is not taken must not be stored. */
static void draw_result(rf_verify_stim *s, const rf_verify_cfg *cfg, rf_verify_in *in) {
    const uint32_t mask = ls_rng_below(&s->rng, 8), all = (uint32_t)rf_mask64(cfg->lanes);
    in->load_merge = ls_rng_chance(&s->rng, s->merge);
    in->load_cand = (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
    in->load_reg = (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
    in->load_mask = mask == 0 ? 0 : mask == 1 ? all : (uint32_t)ls_rng_value(&s->rng, cfg->lanes);
    in->load_info = ls_rng_value(&s->rng, cfg->infow);
    ls_rng_lanes(&s->rng, in->load_data.lane, cfg->lanes);
}

/* What the bank read: the same, the same but for one bit, or something else. */
static void draw_read(rf_verify_stim *s, const rf_verify *m, rf_verify_in *in) {
    const uint32_t lanes = m->cfg.lanes;
    in->rdata = m->data_q;
    if (!ls_rng_chance(&s->rng, m->merge_q ? 224 : s->collide)) return;
    if (m->merge_q || ls_rng_chance(&s->rng, 96)) {
        ls_rng_lanes(&s->rng, in->rdata.lane, lanes);
        return;
    }
    const uint32_t pick = ls_rng_below(&s->rng, 4);
    in->rdata.lane[pick == 0 ? 0 : pick == 1 ? lanes - 1 : ls_rng_below(&s->rng, lanes)] ^= 1u << ls_rng_below(&s->rng, 32);
}

static void stim(rf_verify_stim *s, const rf_verify *m, rf_verify_in *in) {
    const bool idle = m->state_q == RF_VERIFY_IDLE;
    in->load = ls_rng_chance(&s->rng, idle ? s->load : s->illegal);
    if (in->load || ls_rng_chance(&s->rng, 64)) draw_result(s, &m->cfg, in);
    if (m->state_q == RF_VERIFY_CHECK) draw_read(s, m, in);
    else if (ls_rng_chance(&s->rng, 32)) in->rdata = m->data_q; /* equal when nobody looks */
    else if (ls_rng_chance(&s->rng, 32)) ls_rng_lanes(&s->rng, in->rdata.lane, m->cfg.lanes);
    in->give = ls_rng_chance(&s->rng, m->state_q == RF_VERIFY_NEED ? s->give : s->illegal);
    if (in->give || ls_rng_chance(&s->rng, 64)) in->give_reg = (uint16_t)ls_rng_value(&s->rng, rf_index_bits(m->cfg.pregs));
    /* In the check it may be done at once: whoever retires it does not know yet whether it is equal. */
    in->done = ls_rng_chance(&s->rng, idle || m->state_q == RF_VERIFY_NEED ? s->illegal : s->done);
}

static const char *const bin_names[] = {"verify-read loaded",
                                        "dummy MOV loaded",
                                        "load while busy",
                                        "load in the cycle of done",
                                        "equal",
                                        "equal and done at once",
                                        "equal, waits",
                                        "collision",
                                        "collision in one bit",
                                        "collision in the first lane only",
                                        "collision in the last lane only",
                                        "merge, no lane of the result",
                                        "merge, all lanes of the result",
                                        "merge, some lanes of the result",
                                        "merge with equal data",
                                        "done in the check of a collision",
                                        "done in the check of a dummy MOV",
                                        "give in the check of a collision",
                                        "waits for a register",
                                        "gets a register",
                                        "gets the register that was read",
                                        "give and done while it needs a register",
                                        "done while it needs a register",
                                        "shares, waits",
                                        "shares, done",
                                        "equal data while it needs a register",
                                        "write waits",
                                        "write of its own register done",
                                        "write of a dummy MOV done",
                                        "give while it writes",
                                        "give while it shares",
                                        "give while idle",
                                        "done while idle",
                                        "give in the cycle of the load",
                                        "equal and done at once, and a load",
                                        "give and done in the check of a collision",
                                        "gets a register in the cycle of a load",
                                        NULL};

static uint64_t bins(const rf_verify *m, const rf_verify_in *in, const rf_verify_out *out) {
    const uint32_t state = m->state_q, lanes = m->cfg.lanes;
    const uint32_t all = (uint32_t)rf_mask64(lanes);
    const bool idle = state == RF_VERIFY_IDLE, verify = out->check && !m->merge_q, merge = out->check && m->merge_q;
    const bool collide = verify && !out->equal;
    uint32_t differing = 0, bits = 0;
    bool same = true;
    if (out->check || out->need)
        for (uint32_t i = 0; i < lanes; i++) {
            const uint32_t change = in->rdata.lane[i] ^ m->data_q.lane[i];
            differing |= (uint32_t)(change != 0) << i;
            bits += (uint32_t)__builtin_popcount(change);
            same &= change == 0;
        }
    return (uint64_t)(in->load && idle && !in->load_merge) << 0 | (uint64_t)(in->load && idle && in->load_merge) << 1 |
           (uint64_t)(in->load && !idle) << 2 | (uint64_t)(in->load && in->done && (out->share || out->write)) << 3 |
           (uint64_t)out->equal << 4 | (uint64_t)(out->equal && in->done) << 5 | (uint64_t)(out->equal && !in->done) << 6 |
           (uint64_t)collide << 7 | (uint64_t)(collide && bits == 1) << 8 | (uint64_t)(collide && differing == 1) << 9 |
           (uint64_t)(collide && differing == UINT32_C(1) << (lanes - 1)) << 10 | (uint64_t)(merge && m->mask_q == 0) << 11 |
           (uint64_t)(merge && m->mask_q == all) << 12 | (uint64_t)(merge && m->mask_q != 0 && m->mask_q != all) << 13 |
           (uint64_t)(merge && same) << 14 | (uint64_t)(collide && in->done) << 15 | (uint64_t)(merge && in->done) << 16 |
           (uint64_t)(collide && in->give) << 17 | (uint64_t)(out->need && !in->give) << 18 |
           (uint64_t)(out->need && in->give) << 19 | (uint64_t)(out->need && in->give && in->give_reg == m->cand_q) << 20 |
           (uint64_t)(out->need && in->give && in->done) << 21 | (uint64_t)(out->need && in->done && !in->give) << 22 |
           (uint64_t)(state == RF_VERIFY_SHARE && !in->done) << 23 | (uint64_t)(state == RF_VERIFY_SHARE && in->done) << 24 |
           (uint64_t)(out->need && same) << 25 | (uint64_t)(out->write && !in->done) << 26 |
           (uint64_t)(out->write && in->done && !m->merge_q) << 27 | (uint64_t)(out->write && in->done && m->merge_q) << 28 |
           (uint64_t)(out->write && in->give) << 29 | (uint64_t)(state == RF_VERIFY_SHARE && in->give) << 30 |
           (uint64_t)(idle && in->give && !in->load) << 31 | (uint64_t)(idle && in->done) << 32 |
           (uint64_t)(idle && in->give && in->load) << 33 | (uint64_t)(out->equal && in->done && in->load) << 34 |
           (uint64_t)(collide && in->give && in->done) << 35 | (uint64_t)(out->need && in->give && in->load) << 36;
}

static void unreachable(const rf_verify_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->lanes == 1, 13, "one lane: some is all or none");
}

#define SMALL "LANES=2 PREGS=16 INFOW=8"

static const ls_fault faults[] = {
    {"a load beats a held result", NULL, "load_i && state_q == IDLE;", "load_i && state_q != CHECK;", "merge_q", SMALL},
    {"busy again in the cycle of done", NULL, "default: if (done_i) state_d = IDLE;",
     "default: if (done_i) state_d = load_i ? CHECK : IDLE;", "state_q", SMALL},
    {"a verify-read compares one lane", NULL, "equal_o = rdata_i == data_q;", "equal_o = rdata_i[31:0] == data_q[31:0];", "equal",
     SMALL},
    {"the highest bit is not compared", NULL, "equal_o = rdata_i == data_q;",
     "equal_o = rdata_i[DATA_W-2:0] == data_q[DATA_W-2:0];", "equal", SMALL},
    {"a dummy MOV is compared", NULL, "if (check_o && !merge_q) equal_o", "if (check_o) equal_o", "equal", SMALL},
    {"compared while it needs a register", NULL, "if (check_o && !merge_q) equal_o",
     "if ((check_o || need_o) && !merge_q) equal_o", "equal", SMALL},
    {"shares one cycle late", NULL, "state_q == SHARE || equal_o", "state_q == SHARE", "share", SMALL},
    {"done is not heard in the check", NULL, "done_i ? IDLE : SHARE", "SHARE", "state_q", SMALL},
    {"a collision shares", NULL, "else              state_d = NEED;", "else              state_d = SHARE;", "state_q", SMALL},
    {"a collision that is done at once is forgotten", NULL, "else              state_d = NEED;",
     "else              state_d = done_i ? IDLE : NEED;", "state_q", SMALL},
    {"a register given in the check is taken", NULL, "give_i && state_q == NEED;", "give_i && (state_q == NEED || check_o);",
     "reg_q", SMALL},
    {"the register given is lost", NULL, "else if (give) reg_q <= give_reg_i;", "", "reg_q", SMALL},
    {"a register it needs comes by itself", NULL, "NEED:    if (give_i) state_d", "NEED:    state_d", "state_q", SMALL},
    {"done ends it before it has a register", NULL, "NEED:    if (give_i) state_d = WRITE;",
     "NEED:    if (give_i || done_i) state_d = done_i ? IDLE : WRITE;", "state_q", SMALL},
    {"writes to the register that was read", NULL, "if (write_o) reg_o = reg_q;", "if (write_o) reg_o = cand_q;", "reg", SMALL},
    {"a register is shown while it needs one", NULL, "if (write_o) reg_o", "if (write_o || need_o) reg_o", "reg", SMALL},
    {"the lanes of the result are overwritten", NULL, "if (!mask_q[l]) data_q", "if (mask_q[l]) data_q", "data_q", SMALL},
    {"all lanes are those of the register read", NULL, "if (!mask_q[l]) data_q", "data_q", "data_q", SMALL},
    {"a lane takes another lane's value", NULL, "rdata_i[32*l +: 32]", "rdata_i[31:0]", "data_q", SMALL},
    {"a verify-read merges too", NULL, "else if (check_o && merge_q) begin", "else if (check_o) begin", "data_q", SMALL},
    {"merged for as long as it is held", NULL, "else if (check_o && merge_q) begin", "else if (busy_o && merge_q) begin",
     "data_q", SMALL},
    {"the mask is that of all lanes", NULL, "mask_q  <= load_mask_i;", "mask_q  <= '1;", "mask_q", SMALL},
    {"top bit of what is carried is lost", NULL, "info_q  <= load_info_i;", "info_q  <= {1'b0, load_info_i[INFOW-2:0]};",
     "info_q", SMALL},
    {"the candidate is the register to write", NULL, "cand_q  <= load_cand_i;", "cand_q  <= load_reg_i;", "cand_q", SMALL},
    {"the result is not reset", NULL, "if (!rst_ni) data_q <= '0;\n    else if (load)", "if (load)", "data_q", SMALL},
    {"a load beats reset", NULL, "if (!rst_ni)   reg_q", "if (!rst_ni && !load_i) reg_q", "reg_q", SMALL},
    {0},
};

static const char *const sets[] = {
    "",  "LANES=1 PREGS=2 INFOW=1", "LANES=3 PREGS=33 INFOW=13", "LANES=2 PREGS=1000 INFOW=64", "LANES=4 PREGS=256 INFOW=33",
    NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_verify
#define LS_GROUP "wir"
#define LS_BRIEF "verifier of a result: verify-read and dummy MOV"
#define LS_FIELDS "tb/wir/rf_verify.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
