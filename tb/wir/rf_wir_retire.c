/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_wir_retire. The surroundings are played: heads stay until they are popped, what a
 * verifier needs is given, registers that are given out are written some time, what was read is mostly what the verifier holds, a
 * port asks until it is served. All of that with breaches of protocol now and then. */
#include "cmodel/wir/rf_wir_retire.h"

#include <string.h>

#include "harness/core/unit.h"

/* Probabilities in 256ths. */
typedef struct rf_wir_retire_stim {
    ls_rng rng;
    uint32_t come;        /* a queue that is empty gets a head */
    uint32_t op[3];       /* it is VERIFY, MERGE, SHARE; else WRITE */
    uint32_t read, write; /* a read, a write is granted */
    uint32_t equal;       /* what was read is what the verifier holds */
    uint32_t give;        /* a verifier that needs a register gets one */
    uint32_t hit, walk;   /* a group wants its rename port for that */
    uint32_t given;       /* a register is given out beside */
    uint32_t illegal;     /* each breach */
    uint32_t pool;        /* registers that take part */
    uint32_t skew;        /* heads are of one group */
    uint32_t gone;        /* exports bits: heads that were popped in the cycle before */
} rf_wir_retire_stim;

static void stim_init(rf_wir_retire_stim *s, const rf_wir_retire *m, uint64_t seed) {
    *s = (rf_wir_retire_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->come = 64 + ls_rng_below(&s->rng, 193);
    for (uint32_t i = 0; i < 3; i++) s->op[i] = 32 + ls_rng_below(&s->rng, 96);
    s->read = 64 + ls_rng_below(&s->rng, 193);
    s->write = 48 + ls_rng_below(&s->rng, 193);
    s->equal = 48 + ls_rng_below(&s->rng, 180);
    s->give = 32 + ls_rng_below(&s->rng, 193);
    s->hit = ls_rng_below(&s->rng, 160);
    s->walk = ls_rng_below(&s->rng, 96);
    s->given = ls_rng_below(&s->rng, 64);
    s->illegal = 4 + ls_rng_below(&s->rng, 24);
    s->skew = ls_rng_chance(&s->rng, 64) ? 256 : ls_rng_below(&s->rng, 64);
    s->pool = ls_rng_chance(&s->rng, 128) ? m->cfg.pregs : 2 + ls_rng_below(&s->rng, 30);
    if (s->pool > m->cfg.pregs) s->pool = m->cfg.pregs;
}

static uint16_t draw_reg(rf_wir_retire_stim *s, const rf_wir_retire_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->illegal)) return (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
    return (uint16_t)ls_rng_below(&s->rng, s->pool);
}

static void draw_head(rf_wir_retire_stim *s, const rf_wir_retire_cfg *cfg, rf_wir_retire_in *in, uint32_t e) {
    const uint32_t all = (uint32_t)rf_mask64(cfg->lanes);
    uint32_t warp = ls_rng_below(&s->rng, cfg->warps);
    if (ls_rng_chance(&s->rng, s->skew)) warp -= warp % cfg->issues;
    if (ls_rng_chance(&s->rng, s->illegal)) warp = (uint32_t)ls_rng_value(&s->rng, rf_index_bits(cfg->warps));
    in->head_op[e] = (uint8_t)(ls_rng_chance(&s->rng, s->op[0])   ? RF_RESULT_VERIFY
                               : ls_rng_chance(&s->rng, s->op[1]) ? RF_RESULT_MERGE
                               : ls_rng_chance(&s->rng, s->op[2]) ? RF_RESULT_SHARE
                                                                  : RF_RESULT_WRITE);
    in->head_warp[e] = (uint8_t)warp;
    in->head_dst[e] = (uint8_t)ls_rng_value(&s->rng, rf_index_bits(cfg->regs));
    in->head_preg[e] = draw_reg(s, cfg);
    in->head_cand[e] = draw_reg(s, cfg);
    in->head_mask[e] = ls_rng_chance(&s->rng, 96) ? all : (uint32_t)ls_rng_value(&s->rng, cfg->lanes);
    in->head_info[e] = ls_rng_value(&s->rng, cfg->infow);
    ls_rng_lanes(&s->rng, in->head_data[e].lane, cfg->lanes);
}

/* What the verifier of group g that looks at it has read: what it holds, that but for one bit, or anything. */
static void draw_read(rf_wir_retire_stim *s, const rf_wir_retire *m, rf_wir_retire_in *in, uint32_t g) {
    const uint32_t lanes = m->cfg.lanes;
    bool looks = false;
    for (uint32_t v = 0; v < m->cfg.verifiers; v++) {
        const rf_verify *u = &m->verify[g * m->cfg.verifiers + v];
        if (u->state_q != RF_VERIFY_CHECK) continue;
        looks = true;
        in->rdata[g] = u->data_q;
    }
    if (looks && ls_rng_chance(&s->rng, s->equal)) return;
    if (looks && ls_rng_chance(&s->rng, 96)) {
        in->rdata[g].lane[ls_rng_below(&s->rng, lanes)] ^= UINT32_C(1) << ls_rng_below(&s->rng, 32);
        return;
    }
    if (looks || ls_rng_chance(&s->rng, 64)) ls_rng_lanes(&s->rng, in->rdata[g].lane, lanes);
}

/* Registers given out: to verifiers that need one, and to others. */
static void draw_gives(rf_wir_retire_stim *s, const rf_wir_retire *m, rf_wir_retire_in *in) {
    const rf_wir_retire_cfg *cfg = &m->cfg;
    in->give = 0;
    in->given = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        uint32_t give = cfg->verifiers;
        for (uint32_t v = cfg->verifiers; v-- > 0;)
            if (m->verify[g * cfg->verifiers + v].state_q == RF_VERIFY_NEED) give = v;
        if (give < cfg->verifiers && !ls_rng_chance(&s->rng, s->give)) give = cfg->verifiers;
        if (ls_rng_chance(&s->rng, s->illegal)) give = ls_rng_below(&s->rng, cfg->verifiers);
        const bool gives = give < cfg->verifiers, given = gives || ls_rng_chance(&s->rng, s->given);
        if (gives) in->give |= (uint16_t)(1u << (g * cfg->verifiers + give));
        if (given && !ls_rng_chance(&s->rng, s->illegal)) in->given |= (uint8_t)(1u << g);
        if (given || ls_rng_chance(&s->rng, 32)) in->given_reg[g] = draw_reg(s, cfg);
    }
}

/* The outputs say who asks; a model's copy is asked, for the grants go to those who do. */
static void stim(rf_wir_retire_stim *s, const rf_wir_retire *m, rf_wir_retire_in *in) {
    const rf_wir_retire_cfg *cfg = &m->cfg;
    rf_wir_retire_out out;
    in->head_valid &= (uint8_t)~s->gone;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        if ((in->head_valid >> e & 1) != 0 || !ls_rng_chance(&s->rng, s->come)) continue;
        in->head_valid |= (uint8_t)(1u << e);
        draw_head(s, cfg, in, e);
    }
    for (uint32_t e = 0; e < cfg->exports; e++) /* an empty queue's outputs are not 0 */
        if ((in->head_valid >> e & 1) == 0 && ls_rng_chance(&s->rng, s->illegal)) draw_head(s, cfg, in, e);
    for (uint32_t g = 0; g < cfg->issues; g++) draw_read(s, m, in, g);
    draw_gives(s, m, in);
    in->hit = (uint8_t)ls_rng_bits(&s->rng, cfg->issues, s->hit);
    in->walk = (uint8_t)ls_rng_bits(&s->rng, cfg->issues, s->walk);
    in->rd_grant = in->wr_grant = 0;
    rf_wir_retire_comb(m, in, &out);
    in->rd_grant = (uint8_t)(out.rd_valid & ls_rng_bits(&s->rng, cfg->issues, s->read));
    in->wr_grant = (uint8_t)(out.wr_valid & ls_rng_bits(&s->rng, cfg->exports, s->write));
    if (ls_rng_chance(&s->rng, s->illegal)) in->rd_grant = (uint8_t)ls_rng_value(&s->rng, cfg->issues);
    if (ls_rng_chance(&s->rng, s->illegal)) in->wr_grant = (uint8_t)ls_rng_value(&s->rng, cfg->exports);
}

/* Heads that were popped leave; now and then one that was not. */
static void observe(rf_wir_retire_stim *s, const rf_wir_retire_in *in, const rf_wir_retire_out *out) {
    (void)in;
    s->gone = out->pop;
    if (ls_rng_chance(&s->rng, s->illegal)) s->gone |= (uint32_t)ls_rng_u64(&s->rng);
}

/* clang-format off */
#define BINS(X)                                                                                                                  \
    X(WRITE, "a write retires")                                                                                                  \
    X(WRITE_LOST, "a write loses its bank")                                                                                      \
    X(SEVERAL, "several writers at once")                                                                                        \
    X(ALL_PORTS, "a head at every port")                                                                                         \
    X(STRAY_WRITE, "a write is granted that nobody asks for")                                                                    \
    X(STRAY_HEAD, "an empty port shows an instruction")                                                                          \
    X(ODD_WARP, "a head of a warp that does not exist")                                                                          \
    X(READ, "a head is read for")                                                                                                \
    X(READ_LOST, "a read is not granted")                                                                                        \
    X(STRAY_READ, "a read is granted that nobody asks for")                                                                      \
    X(READ_SECOND, "a head is read for while a verifier of the group is busy")                                                   \
    X(READ_TURN, "two heads of a group can be read for")                                                                         \
    X(NO_VERIFIER, "a head finds all verifiers busy")                                                                            \
    X(UNWRITTEN, "a head waits for its candidate to be written")                                                                 \
    X(NO_REGISTER, "the candidate of a head does not exist")                                                                     \
    X(FILL, "a verify-read's data arrives")                                                                                      \
    X(MERGE, "a dummy MOV's data arrives")                                                                                       \
    X(SHARED_AT_ONCE, "a verifier shares and retires in the cycle of its check")                                                 \
    X(SHARED_LATE, "a verifier shares and retires later")                                                                        \
    X(COLLISION, "values differ")                                                                                                \
    X(NEED, "a verifier waits for a register")                                                                                   \
    X(GIVEN, "a verifier gets a register")                                                                                       \
    X(STRAY_GIVE, "a verifier gets one that needs none")                                                                         \
    X(VERIFIER_WRITES, "a verifier writes")                                                                                      \
    X(MOV_WRITES, "a dummy MOV writes")                                                                                          \
    X(VERIFIER_FIRST, "a verifier retires before a head")                                                                        \
    X(TWO_VERIFIERS, "two verifiers of a group could retire")                                                                    \
    X(HEADS_TURN, "two heads of a group could retire")                                                                           \
    X(SHARE, "a head retires without a write")                                                                                   \
    X(HIT, "a reuse hit has the rename port")                                                                                    \
    X(WALK, "a release has it")                                                                                                  \
    X(PORT_TURN, "all three want it")                                                                                            \
    X(HIT_WAITS, "a reuse hit waits")                                                                                            \
    X(RESULT_WAITS, "a result waits for it")                                                                                     \
    X(BOTH, "a group loads a verifier and retires")                                                                              \
    X(WRITTEN_GIVEN, "a register is written and given out in one cycle")
/* clang-format on */

#define BIN_NAME(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

static uint64_t bin(bool hit, uint32_t n) { return (uint64_t)hit << n; }

static uint64_t group_bins(const rf_wir_retire *m, const rf_wir_retire_in *in, const rf_wir_retire_out *out, uint32_t g) {
    const rf_wir_retire_cfg *cfg = &m->cfg;
    const bool reads = (out->rd_valid & in->rd_grant) >> g & 1, done = (out->done >> g & 1) != 0, asks = out->wr_valid >> g & 1;
    const bool hit_wants = in->hit >> g & 1, hit = out->hit >> g & 1, walk = out->walk >> g & 1;
    uint32_t busy = 0, ready = 0, readable = 0, doable = 0;
    bool moved = false, popped = false, checking = false;
    uint64_t seen = 0;
    for (uint32_t v = 0; v < cfg->verifiers; v++) {
        const rf_verify *u = &m->verify[g * cfg->verifiers + v];
        const bool gets = in->give >> (g * cfg->verifiers + v) & 1, needs = u->state_q == RF_VERIFY_NEED;
        busy += u->state_q != RF_VERIFY_IDLE;
        ready += u->state_q == RF_VERIFY_SHARE || u->state_q == RF_VERIFY_WRITE;
        moved |= u->state_q == RF_VERIFY_WRITE && u->merge_q;
        checking |= u->state_q == RF_VERIFY_CHECK;
        seen |= bin(needs && !gets, NEED) | bin(needs && gets, GIVEN) | bin(!needs && gets, STRAY_GIVE);
        if (u->state_q == RF_VERIFY_CHECK && !u->merge_q)
            seen |= bin(memcmp(&u->data_q, &in->rdata[g], sizeof u->data_q) != 0, COLLISION);
    }
    for (uint32_t e = 0; e < cfg->exports; e++) {
        if ((in->head_valid >> e & 1) == 0 || in->head_warp[e] % cfg->issues != g) continue;
        const bool first = in->head_op[e] == RF_RESULT_VERIFY || in->head_op[e] == RF_RESULT_MERGE;
        const bool exists = in->head_cand[e] < cfg->pregs, waits = exists && m->unwritten.bit_q[in->head_cand[e]] != 0;
        readable += first && !waits;
        doable += !first;
        popped |= !first && (out->pop >> e & 1) != 0;
        seen |= bin(first && waits, UNWRITTEN) | bin(first && !exists, NO_REGISTER);
    }
    seen |= bin(reads, READ) | bin((out->rd_valid >> g & 1) && !reads, READ_LOST) | bin(reads && busy > 0, READ_SECOND);
    seen |= bin(readable > 1, READ_TURN) | bin(readable > 0 && busy == cfg->verifiers, NO_VERIFIER);
    seen |= bin(!(out->rd_valid >> g & 1) && (in->rd_grant >> g & 1), STRAY_READ);
    seen |= bin(out->fill >> g & 1, FILL) | bin((out->check & ~out->fill) >> g & 1, MERGE);
    seen |= bin((out->shared >> g & 1) && ready == 0, SHARED_AT_ONCE) | bin((out->shared >> g & 1) && !checking, SHARED_LATE);
    seen |= bin(done && asks && !popped, VERIFIER_WRITES) | bin(done && asks && !popped && moved && ready == 1, MOV_WRITES);
    seen |= bin(done && !popped && doable > 0, VERIFIER_FIRST) | bin(ready > 1, TWO_VERIFIERS) | bin(doable > 1, HEADS_TURN);
    seen |= bin(done && popped && !asks, SHARE) | bin(hit, HIT) | bin(walk, WALK) | bin(hit_wants && !hit, HIT_WAITS);
    seen |=
        bin(hit_wants && (in->walk >> g & 1) && doable > 0, PORT_TURN) | bin((hit || walk) && doable + ready > 0, RESULT_WAITS);
    return seen | bin(reads && done, BOTH);
}

static uint64_t bins(const rf_wir_retire *m, const rf_wir_retire_in *in, const rf_wir_retire_out *out) {
    const rf_wir_retire_cfg *cfg = &m->cfg;
    const uint32_t asks = out->wr_valid, granted = asks & in->wr_grant;
    uint64_t seen = bin(granted != 0, WRITE) | bin((asks & ~granted) != 0, WRITE_LOST);
    seen |= bin((granted & (granted - 1)) != 0, SEVERAL) | bin(in->head_valid == rf_mask64(cfg->exports), ALL_PORTS);
    seen |= bin((in->wr_grant & ~asks) != 0, STRAY_WRITE);
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const bool valid = in->head_valid >> e & 1;
        seen |= bin(!valid && (in->head_mask[e] | in->head_preg[e]) != 0, STRAY_HEAD) |
                bin(valid && in->head_warp[e] >= cfg->warps, ODD_WARP);
    }
    if (cfg->reuse == 0) return seen;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        seen |= group_bins(m, in, out, g);
        for (uint32_t k = 0; k < cfg->issues; k++)
            seen |= bin((granted >> g & 1) && (in->given >> k & 1) && out->wr_reg[g] == in->given_reg[k], WRITTEN_GIVEN);
    }
    return seen;
}

#define SMALL "WARPS=6 REGS=5 LANES=2 EXPORTS=3 PREGS=13 INFOW=7"
#define PLAIN "WARPS=5 REGS=7 LANES=2 EXPORTS=3 ISSUES=1 PREGS=40 INFOW=9 REUSE=0"

static void unreachable(const rf_wir_retire_cfg *cfg, ls_unreachable *to) {
    const bool warps = cfg->warps == UINT32_C(1) << rf_index_bits(cfg->warps),
               pregs = cfg->pregs == UINT32_C(1) << rf_index_bits(cfg->pregs);
    ls_unreachable_if(to, warps, ODD_WARP, "the warps fill the port: it names no other");
    ls_unreachable_if(to, cfg->exports == 1, SEVERAL, "one port");
    for (uint32_t b = ODD_WARP + 1; b < BIN_COUNT; b++) ls_unreachable_if(to, cfg->reuse == 0, b, "no reuse");
    ls_unreachable_if(to, pregs, NO_REGISTER, "the registers fill the port: it names no other");
    ls_unreachable_if(to, cfg->issues == 1 && cfg->reuse != 0, SEVERAL, "one issue group");
    ls_unreachable_if(to, cfg->exports == 1, READ_TURN, "one port");
    ls_unreachable_if(to, cfg->exports == 1, HEADS_TURN, "one port");
    ls_unreachable_if(to, cfg->exports == 1 && cfg->verifiers == 1, BOTH, "one port and one verifier: one at a time");
    ls_unreachable_if(to, cfg->verifiers == 1, READ_SECOND, "one verifier");
    ls_unreachable_if(to, cfg->verifiers == 1, TWO_VERIFIERS, "one verifier");
}

static const ls_fault faults[] = {
    {"a verify-read does not wait for the write", NULL, "reads_first && !unwritten[e]", "reads_first", "rd_valid", SMALL},
    {"a dummy MOV is written at once", NULL,
     "head_op_i[e*2 +: 2] == rf_wir_pkg::RESULT_VERIFY || head_op_i[e*2 +: 2] == rf_wir_pkg::RESULT_MERGE",
     "head_op_i[e*2 +: 2] == rf_wir_pkg::RESULT_VERIFY", "pop", SMALL},
    {"a read asks though all verifiers are busy", NULL, "rd_valid_o[g] = reader && idle != '0", "rd_valid_o[g] = reader",
     "rd_valid", SMALL},
    {"a read that is not granted is done", NULL, "read[g]       = rd_valid_o[g] && rd_grant_i[g]",
     "read[g]       = rd_valid_o[g]", "pop", SMALL},
    {"a read is done that nobody asked for", NULL, "read[g]       = rd_valid_o[g] && rd_grant_i[g]",
     "read[g]       = rd_grant_i[g]", "gen_reuse.gen_verify[1].u_verify.state_q", SMALL},
    {"the highest idle verifier is loaded", NULL, "`RF_LOWEST(idle) & {VERIFIERS{read[g]}}",
     "idle & {VERIFIERS{read[g] && idle[VERIFIERS-1]}} & VERIFIERS'(1 << (VERIFIERS - 1))",
     "gen_reuse.gen_verify[0].u_verify.state_q", SMALL},
    {"the register that is read is shown without a read", NULL, "*PREG_W +: PREG_W] & {PREG_W{rd_valid_o[g]}}",
     "*PREG_W +: PREG_W]", "rd_reg", SMALL},
    {"a dummy MOV fills the verify cache", NULL, "(v_check[V +: VERIFIERS] & ~v_merge[V +: VERIFIERS]) != '0",
     "v_check[V +: VERIFIERS] != '0", "fill", SMALL},
    {"the first verifier's candidate is checked", NULL,
     "if (v_check[V + v]) check_cand |=", "if (v_check[V + v] && v == 0) check_cand |=", "check_reg", SMALL},
    {"a head comes before the verifiers", NULL, "{`RF_LOWEST(done), retires & {EXPORTS{!v_any}}}",
     "{`RF_LOWEST(done) & {VERIFIERS{!doer}}, retires}", "wr_valid", SMALL},
    {"the highest verifier comes first", NULL, "= {`RF_LOWEST(done),",
     "= {done[VERIFIERS-1] ? VERIFIERS'(1 << (VERIFIERS - 1)) : done,", "wr_valid", SMALL},
    {"a refused write retires", NULL, "done_o[g]   = turn && (!write || wr_grant_i[g])", "done_o[g]   = turn", "pop", SMALL},
    {"a share waits for a grant", NULL, "done_o[g]   = turn && (!write || wr_grant_i[g])", "done_o[g]   = turn && wr_grant_i[g]",
     "pop", SMALL},
    {"the rename port is kept until it is used", NULL, ".take_i(1'b1),\n        .grant_o({turn",
     ".take_i(!turn || done_o[g]),\n        .grant_o({turn", "gen_reuse.gen_group[0].u_port_rr.mask_q", SMALL},
    {"reuse hits come first", NULL, ".grant_o({turn, walk_o[g], hit_o[g]})", ".grant_o({turn, hit_o[g], walk_o[g]})", "hit",
     SMALL},
    {"the heads' turn passes with a verifier's", NULL, ".take_i(done_o[g] && !v_any)", ".take_i(done_o[g])",
     "gen_reuse.gen_group[0].u_retire_rr.mask_q", SMALL},
    {"the heads' turn passes without a bank", NULL, ".take_i(done_o[g] && !v_any)", ".take_i(turn && !v_any)",
     "gen_reuse.gen_group[0].u_retire_rr.mask_q", SMALL},
    {"a head is popped though a verifier retires", NULL, "{EXPORTS{done_o[g] && !v_any}}", "{EXPORTS{done_o[g]}}", "pop", SMALL},
    {"a verifier writes its first lane only", NULL, "all_mask[s*LANES +: LANES]     = '1",
     "all_mask[s*LANES +: LANES]     = LANES'(1)", "wr_mask", SMALL},
    {"a verifier writes a head's values", NULL, ".data_i({v_data[V*DATA_W +: VERIFIERS*DATA_W], head_data_i})",
     ".data_i({{VERIFIERS{head_data_i[DATA_W-1:0]}}, head_data_i})", "wr_data", SMALL},
    {"values without a grant", NULL, ".valid_i(wrote[g])", ".valid_i(wr_valid_o[g])", "wr_data", SMALL},
    {"a head that shares promises", NULL, "shared_o[g] = done_o[g] && v_any && !write", "shared_o[g] = done_o[g] && !write",
     "shared", SMALL},
    {"a register is not written by a verifier", NULL, "wrote[g]    = turn && write && wr_grant_i[g]",
     "wrote[g]    = turn && write && wr_grant_i[g] && !v_any", "wr_data", SMALL},
    {"a register stays unwritten while the first verifiers write", NULL, ".clr_i(wrote)", ".clr_i(wrote & ~v_write[ISSUES-1:0])",
     "gen_reuse.u_unwritten.bit_q", SMALL},
    {"all heads are of group 0", NULL, "WARP_W]), 3'(ISSUES)) == 6'(g)", "WARP_W]), 3'(1)) == 6'(g)", "pop", SMALL},
    {"a head that is not there retires", NULL, "mine        = head_valid_i[e] &&", "mine        =", "wr_valid", SMALL},
    {"what is carried along loses its destination", NULL, ".load_info_i({head_dst_i[head*REG_W +: REG_W]",
     ".load_info_i({head_dst_i[0 +: REG_W]", "gen_reuse.gen_verify[0].u_verify.info_q", SMALL},
    {"a register is given to the group's first verifier", NULL, ".give_i(give_i[n])", ".give_i(give_i[G*VERIFIERS])",
     "gen_reuse.gen_verify[1].u_verify.state_q", SMALL},
    {"what was read in vain is shown without a need", NULL, "v_cand[n*PREG_W +: PREG_W] & {PREG_W{need_o[n]}}",
     "v_cand[n*PREG_W +: PREG_W]", "cand", SMALL},
    {"REUSE 0: a queue is popped without its bank", NULL, "assign pop_o      = done_o", "assign pop_o      = head_valid_i", "pop",
     PLAIN},
    {"REUSE 0: an empty queue writes", NULL, "assign wr_valid_o = head_valid_i", "assign wr_valid_o = head_valid_i | wr_grant_i",
     "wr_valid", PLAIN},
    {"REUSE 0: what was not granted retires", NULL, "assign done_o     = head_valid_i & wr_grant_i",
     "assign done_o     = head_valid_i", "pop", PLAIN},
    {0},
};
#undef SMALL
#undef PLAIN

static const char *const sets[] = {"",
                                   "WARPS=6 REGS=5 LANES=2 EXPORTS=3 PREGS=13 INFOW=7",
                                   "WARPS=1 REGS=1 LANES=1 EXPORTS=1 ISSUES=1 PREGS=2 INFOW=1 VERIFIERS=1",
                                   "WARPS=64 REGS=256 LANES=3 EXPORTS=8 ISSUES=4 PREGS=100 INFOW=50 VERIFIERS=4",
                                   "WARPS=9 REGS=7 LANES=4 EXPORTS=5 ISSUES=3 PREGS=64 INFOW=22 VERIFIERS=3",
                                   "WARPS=5 REGS=7 LANES=2 EXPORTS=3 ISSUES=1 PREGS=40 INFOW=9 REUSE=0",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv",
                                  "rtl/common/rf_rr.sv",
                                  "rtl/banked/rf_crossbar.sv",
                                  "rtl/wir/rf_wir_pkg.sv",
                                  "rtl/wir/rf_unwritten.sv",
                                  "rtl/wir/rf_verify.sv",
                                  NULL};

#define LS_UNIT rf_wir_retire
#define LS_GROUP "wir"
#define LS_BRIEF "verify and retire: what becomes of the heads of the result queues"
#define LS_FIELDS "tb/wir/rf_wir_retire.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
