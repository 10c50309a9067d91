/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_wir_retire; its slow model is in judge_wir_retire.h. */
#include "tb/wir/judge/judge_wir_retire.h"
#include "tb/common/judge/judge_fields.h"

extern const ls_unit rf_wir_retire_unit;

/* clang-format off */
#define SEEN(X)                                                                                                                  \
    X(READ, "a read is granted")                                                                                                 \
    X(READ_TURN, "the turn passes over a head that could be read for, with a lower number")                                      \
    X(READ_UNWRITTEN, "a head waits for its candidate to be written")                                                            \
    X(READ_CLEARED, "... which is written in this very cycle")                                                                   \
    X(READ_NO_SUCH, "a candidate that does not exist is read")                                                                   \
    X(READ_BUSY, "all verifiers busy, and a head could be read for")                                                             \
    X(READ_BUSY_DONE, "... while one of them is done")                                                                           \
    X(READ_REFUSED, "a read that is not granted")                                                                                \
    X(READ_GRANT_NOTHING, "a grant without a read")                                                                              \
    X(READ_SECOND, "a verifier beyond the lowest is loaded")                                                                     \
    X(READ_GAP, "the lowest verifier is loaded while a higher one is busy")                                                      \
    X(READ_OTHER_GROUP, "a head of another group could be read for")                                                             \
    X(CHECK_EQUAL, "a check finds the value")                                                                                    \
    X(CHECK_DONE, "... and the result is done in the same cycle")                                                                \
    X(CHECK_UNEQUAL, "a check finds another value")                                                                              \
    X(CHECK_BIT, "... that differs in one bit")                                                                                  \
    X(CHECK_MERGE, "a check of a dummy MOV")                                                                                     \
    X(CHECK_MERGE_EQUAL, "... that finds the value, and does not share")                                                         \
    X(CHECK_READ, "a check while the next one is loaded")                                                                        \
    X(RDATA_NO_CHECK, "what is read equals a result that has been checked")                                                      \
    X(SHARE_WAITS, "a verifier that shares waits")                                                                               \
    X(NEED_WAITS, "a verifier waits for a register")                                                                             \
    X(GIVE, "a verifier gets a register")                                                                                        \
    X(GIVE_TWO, "two of a group get the same one")                                                                               \
    X(GIVE_EARLY, "give in the cycle of the check")                                                                              \
    X(GIVE_NO_NEED, "give without a need")                                                                                       \
    X(GIVE_ALONE, "give without given")                                                                                          \
    X(PORT_HIT, "a reuse hit has the rename port")                                                                               \
    X(PORT_WALK, "a release has it")                                                                                             \
    X(PORT_RESULT, "a result has it")                                                                                            \
    X(PORT_HIT_WAITS, "a reuse hit waits for it")                                                                                \
    X(PORT_WALK_WAITS, "a release waits for it")                                                                                 \
    X(PORT_RESULT_WAITS, "a result waits for it, and its write would be granted")                                                \
    X(PORT_ALL, "all three want it")                                                                                             \
    X(PORT_AGAIN, "who had it last has it again")                                                                                \
    X(VERIFIER_FIRST, "a verifier goes before a head")                                                                           \
    X(VERIFIER_LOWEST, "the lowest of two verifiers goes")                                                                       \
    X(VERIFIER_HIGH, "a verifier beyond the lowest goes")                                                                        \
    X(HEAD_TURN, "the turn passes over a head that could retire, with a lower number")                                           \
    X(HEAD_INVALID, "a port without head has WRITE or SHARE on its wires")                                                       \
    X(WRITE_HEAD, "a head is written")                                                                                           \
    X(WRITE_HEAD_REFUSED, "a head's write is refused")                                                                           \
    X(WRITE_PARTIAL, "a head is written in some lanes")                                                                          \
    X(WRITE_VERIFY, "a verifier writes what it had to verify")                                                                   \
    X(WRITE_MERGE, "a verifier writes what it merged")                                                                           \
    X(WRITE_VERIFIER_REFUSED, "a verifier's write is refused")                                                                   \
    X(OVERTAKEN, "after a head's write is refused, a verifier is the group's result")                                            \
    X(SHARE_HEAD, "a head with SHARE is done")                                                                                   \
    X(SHARE_VERIFIER, "a verifier that shares is done")                                                                          \
    X(SHARE_GRANT, "... with a grant that it did not ask for")                                                                   \
    X(GRANT_NOTHING, "a grant without a write")                                                                                  \
    X(GRANT_HIGH, "a grant to a writer beyond the groups")                                                                       \
    X(BOTH_POP, "a group's two heads leave in one cycle")                                                                        \
    X(ALL_GROUPS, "four groups retire in one cycle")                                                                             \
    X(WARP_OUTSIDE, "a warp that does not exist retires")                                                                        \
    X(SET, "a register is given out")                                                                                            \
    X(SET_AND_WRITTEN, "... that is written in the same cycle")                                                                  \
    X(SET_NO_SUCH, "... that does not exist")                                                                                    \
    X(SET_TWICE, "two groups give one register out")                                                                             \
    X(WRITTEN, "an unwritten register is written")                                                                               \
    X(SHARED_UNWRITTEN, "a result shares a register that is not written, and it stays so")                                       \
    X(PLAIN_WRITE, "REUSE 0: a queue's head is written")                                                                         \
    X(PLAIN_REFUSED, "REUSE 0: it waits")                                                                                        \
    X(PLAIN_OP, "REUSE 0: whatever its operation")                                                                               \
    X(PLAIN_ALL, "REUSE 0: all are written in one cycle")                                                                        \
    X(RESET, "reset with verifiers busy and registers unwritten")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

/* --- comparison --------------------------------------------------------------------------------------------------------------
 */

static void expect_state(const slow_retire *s, rf_wir_retire *m) {
    const uint32_t info = s->cfg.infow, warp = rf_index_bits(s->cfg.warps);
    memset(m, 0, sizeof *m);
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        for (uint32_t v = 0; v < s->cfg.verifiers; v++) {
            const slow_way *w = &s->way[g][v];
            rf_verify *u = &m->verify[g * s->cfg.verifiers + v];
            u->state_q = !w->on_its_way  ? RF_VERIFY_IDLE
                         : w->fresh      ? RF_VERIFY_CHECK
                         : w->same       ? RF_VERIFY_SHARE
                         : w->registered ? RF_VERIFY_WRITE
                                         : RF_VERIFY_NEED;
            u->merge_q = w->merge, u->cand_q = (uint16_t)w->cand, u->reg_q = (uint16_t)w->reg, u->mask_q = w->mask;
            u->data_q = w->data, u->info_q = w->info | (uint64_t)w->warp << info | (uint64_t)w->dst << (info + warp);
        }
        m->read_rr[g].mask_q = judge_above(s->last_read[g], s->cfg.exports);
        m->retire_rr[g].mask_q = judge_above(s->last_retired[g], s->cfg.exports);
        m->port_rr[g].mask_q = judge_above(s->last_port[g], 3);
    }
    for (uint32_t r = 0; r < s->cfg.pregs; r++) m->unwritten.bit_q[r] = s->unwritten[r];
}

typedef struct bench {
    judge j;
    judge_list outputs, granted, asked, registers; /* outputs: those that depend on grants, those that do not */
    rf_wir_retire m, expected;
    slow_retire s;
    slow_turn now;
    rf_wir_retire_in in;
    rf_wir_retire_out out;
} bench;

static void compare_state(bench *b) {
    expect_state(&b->s, &b->expected);
    judge_fields(&b->j, &b->registers, &b->m, &b->expected);
}

/* "Only pop_o, wr_data_o, done_*, shared_o depend on grants." */
static const char by_grants[] = "pop wr_data done done_warp done_dst done_reg done_info shared";

static void start(bench *b, uint64_t seed, const rf_wir_retire_cfg *cfg) {
    memset(b, 0, sizeof *b);
    judge_begin(&b->j, seed,
                "rf_wir_retire warps=%u regs=%u lanes=%u exports=%u issues=%u pregs=%u infow=%u verifiers=%u reuse=%u",
                cfg->warps, cfg->regs, cfg->lanes, cfg->exports, cfg->issues, cfg->pregs, cfg->infow, cfg->verifiers, cfg->reuse);
    memset(&b->m, 0xa5, sizeof b->m);
    assert_int_equal(rf_wir_retire_init(&b->m, cfg), 0);
    judge_list_of(&b->outputs, &rf_wir_retire_unit, LS_OUT, &b->m);
    judge_list_of(&b->registers, &rf_wir_retire_unit, LS_STATE, &b->m);
    judge_list_part(&b->granted, &b->outputs, by_grants, false);
    judge_list_part(&b->asked, &b->outputs, by_grants, true);
    assert_memory_equal(&b->m.cfg, cfg, sizeof *cfg);
    b->s.cfg = *cfg;
    slow_reset(&b->s);
    compare_state(b);
}

/* "No output depends on give_i, given_i, given_reg_i." Nor the others on grants. */
static void independent(bench *b) {
    rf_wir_retire_in other = b->in;
    rf_wir_retire_out out;
    other.give ^= (uint16_t)ls_mask(b->s.cfg.issues * b->s.cfg.verifiers), other.given ^= (uint8_t)ls_mask(b->s.cfg.issues);
    for (uint32_t g = 0; g < b->s.cfg.issues; g++) other.given_reg[g] ^= 1;
    memset(&out, 0x5a, sizeof out);
    rf_wir_retire_comb(&b->m, &other, &out);
    judge_fields(&b->j, &b->granted, &out, &b->now.out);
    other.rd_grant ^= (uint8_t)ls_mask(b->s.cfg.issues), other.wr_grant ^= (uint8_t)ls_mask(b->s.cfg.exports);
    rf_wir_retire_comb(&b->m, &other, &out);
    judge_fields(&b->j, &b->asked, &out, &b->now.out);
}

/* One cycle of both with the inputs b->in, everything compared; comb must leave the model alone, and step be comb and clock. */
static void step(bench *b) {
    static rf_wir_retire before, stepped;
    rf_wir_retire_out at_once;
    memcpy(&before, &b->m, sizeof before);
    memcpy(&stepped, &b->m, sizeof stepped);
    memset(&b->out, 0xa5, sizeof b->out);
    memset(&at_once, 0xa5, sizeof at_once);
    rf_wir_retire_comb(&b->m, &b->in, &b->out);
    judge_same(&before, &b->m, sizeof before);
    rf_wir_retire_step(&stepped, &b->in, &at_once);
    judge_same(&b->out, &at_once, sizeof at_once);
    slow_comb(&b->s, &b->in, &b->now);
    judge_fields(&b->j, &b->outputs, &b->out, &b->now.out);
    if (b->j.cycle % 4 == 0) independent(b);
    rf_wir_retire_clock(&b->m, &b->in);
    judge_same(&stepped, &b->m, sizeof stepped);
    slow_clock(&b->s, &b->in, &b->now);
    compare_state(b);
    b->j.cycle++;
}

/* --- random results ----------------------------------------------------------------------------------------------------------
 */

#define SET(w, r, l, e, i, p, n, v, u)                                                                                           \
    {                                                                                                                            \
        .warps = (w), .regs = (r), .lanes = (l), .exports = (e), .issues = (i), .pregs = (p), .infow = (n), .verifiers = (v),    \
        .reuse = (u)                                                                                                             \
    }
static const rf_wir_retire_cfg sets[] = {
    SET(1, 1, 1, 1, 1, 2, 1, 1, 1),         SET(2, 3, 2, 2, 2, 5, 3, 2, 1),        SET(5, 12, 3, 3, 3, 7, 9, 3, 1),
    SET(33, 100, 5, 8, 4, 33, 50, 4, 1),    SET(7, 16, 4, 8, 1, 8, 64 - 30, 4, 1), SET(48, 63, 32, 4, 2, 1024, 21, 2, 1),
    SET(64, 256, 32, 8, 4, 1023, 50, 4, 1), SET(16, 9, 4, 4, 4, 12, 10, 1, 1),     SET(1, 1, 1, 1, 1, 2, 1, 1, 0),
    SET(7, 9, 3, 8, 3, 100, 13, 3, 0),      SET(48, 63, 32, 4, 2, 1024, 21, 2, 0),
};
static const uint64_t lengths[] = {15000, 30000, 40000, 30000, 25000, 12000, 6000, 30000, 6000, 10000, 4000};
#define COUNT(list) (sizeof(list) / sizeof *(list))

typedef struct knobs {
    uint32_t head, read_ops, merge, hit, walk, rd_grant, wr_grant, give, given, same, reg_pool;
    rf_vec value[4];
    uint16_t pool[8];
} knobs;

static uint32_t some(ls_rng *rng) { return ls_rng_chance(rng, 48) ? 0 : ls_rng_chance(rng, 85) ? 256 : ls_rng_below(rng, 257); }

static void turn(ls_rng *rng, const rf_wir_retire_cfg *cfg, knobs *k) {
    memset(k, 0, sizeof *k);
    k->head = 64 + ls_rng_below(rng, 193), k->read_ops = ls_rng_below(rng, 257), k->merge = ls_rng_below(rng, 257);
    k->hit = some(rng) / 2, k->walk = some(rng) / 2, k->rd_grant = some(rng), k->wr_grant = some(rng), k->give = some(rng);
    k->given = ls_rng_below(rng, 160), k->same = ls_rng_below(rng, 257), k->reg_pool = 128 + ls_rng_below(rng, 129);
    for (uint32_t i = 0; i < COUNT(k->pool); i++) k->pool[i] = (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->pregs));
    for (uint32_t i = 0; i < COUNT(k->value); i++) ls_rng_lanes(rng, k->value[i].lane, cfg->lanes);
}

static uint16_t reg_of(ls_rng *rng, const rf_wir_retire_cfg *cfg, const knobs *k) {
    if (ls_rng_chance(rng, k->reg_pool)) return k->pool[ls_rng_below(rng, COUNT(k->pool))];
    return (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->pregs));
}

static void draw_head(ls_rng *rng, const rf_wir_retire_cfg *cfg, const knobs *k, rf_wir_retire_in *in, uint32_t e) {
    const bool valid = ls_rng_chance(rng, k->head), reads = ls_rng_chance(rng, k->read_ops);
    in->head_valid = (uint8_t)((in->head_valid & ~(1u << e)) | (uint32_t)valid << e);
    in->head_op[e] = (uint8_t)(reads ? (ls_rng_chance(rng, k->merge) ? RF_RESULT_MERGE : RF_RESULT_VERIFY)
                                     : (ls_rng_chance(rng, 96) ? RF_RESULT_SHARE : RF_RESULT_WRITE));
    in->head_warp[e] = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->warps));
    in->head_dst[e] = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->regs));
    in->head_preg[e] = reg_of(rng, cfg, k), in->head_cand[e] = reg_of(rng, cfg, k);
    in->head_mask[e] = (uint32_t)(ls_rng_chance(rng, 96) ? ls_mask(cfg->lanes) : ls_rng_value(rng, cfg->lanes));
    in->head_data[e] = k->value[ls_rng_below(rng, COUNT(k->value))];
    in->head_info[e] = ls_rng_value(rng, cfg->infow);
}

/* A head stays until it is popped, but for now and then one; what was read is often what the group's check, if it has one, or one
 * of its other verifiers holds, or that but for one bit. */
static void draw(ls_rng *rng, bench *b, const knobs *k) {
    const rf_wir_retire_cfg *cfg = &b->s.cfg;
    rf_wir_retire_in *in = &b->in;
    for (uint32_t e = 0; e < cfg->exports; e++)
        if (!judge_bit(in->head_valid, e) || judge_bit(b->now.out.pop, e) || ls_rng_chance(rng, 4)) draw_head(rng, cfg, k, in, e);
    in->hit = (uint8_t)ls_rng_bits(rng, cfg->issues, k->hit), in->walk = (uint8_t)ls_rng_bits(rng, cfg->issues, k->walk);
    in->rd_grant = (uint8_t)ls_rng_bits(rng, cfg->issues, k->rd_grant);
    in->wr_grant = (uint8_t)ls_rng_bits(rng, cfg->exports, k->wr_grant);
    in->give = (uint16_t)ls_rng_bits(rng, cfg->issues * cfg->verifiers, k->give);
    in->given = (uint8_t)ls_rng_bits(rng, cfg->issues, k->given);
    for (uint32_t g = 0; g < cfg->issues; g++) {
        uint32_t v = ls_rng_below(rng, cfg->verifiers);
        for (uint32_t i = 0; i < cfg->verifiers; i++)
            if (b->s.way[g][i].on_its_way && b->s.way[g][i].fresh) v = i;
        in->given_reg[g] = reg_of(rng, cfg, k);
        in->rdata[g] = k->value[ls_rng_below(rng, COUNT(k->value))];
        if (!ls_rng_chance(rng, k->same)) continue;
        in->rdata[g] = b->s.way[g][v].data;
        if (ls_rng_chance(rng, 64)) in->rdata[g].lane[ls_rng_below(rng, cfg->lanes)] ^= UINT32_C(1) << ls_rng_below(rng, 32);
    }
}

static void count_reads(const bench *b, uint32_t g, uint64_t *seen) {
    const slow_retire *s = &b->s;
    const rf_wir_retire_in *in = &b->in;
    const slow_turn *t = &b->now;
    const bool granted = judge_bit(in->rd_grant, g), asks = judge_bit(t->out.rd_valid, g);
    const uint32_t e = t->reader[g], v = t->seat[g];
    uint32_t busy = 0;
    for (uint32_t i = 0; i < s->cfg.verifiers; i++) busy += s->way[g][i].on_its_way;
    for (uint32_t i = 0; i < s->cfg.exports; i++) {
        const bool reads = asks_with(s, in, i, g, RF_RESULT_VERIFY, RF_RESULT_MERGE), wait = waits(s, in->head_cand[i]);
        seen[READ_UNWRITTEN] += reads && wait && busy < s->cfg.verifiers;
        for (uint32_t w = 0; w < s->cfg.issues; w++)
            seen[READ_CLEARED] += reads && wait && t->written[w] == in->head_cand[i] && granted;
        seen[READ_TURN] += asks && reads && !wait && i < e;
        seen[READ_OTHER_GROUP] += reads && !wait && g > 0 && judge_bit(t->out.rd_valid, 0);
    }
    seen[READ] += t->reads[g];
    seen[READ_NO_SUCH] += t->reads[g] && in->head_cand[e] >= s->cfg.pregs;
    seen[READ_BUSY] += e != NOBODY && busy == s->cfg.verifiers && granted;
    seen[READ_BUSY_DONE] += e != NOBODY && busy == s->cfg.verifiers && granted && t->done[g] && t->verifier[g] != NOBODY;
    seen[READ_REFUSED] += asks && !granted;
    seen[READ_GRANT_NOTHING] += !asks && granted && e == NOBODY;
    seen[READ_SECOND] += t->reads[g] && v > 0;
    seen[READ_GAP] += t->reads[g] && busy > v;
}

static void count_ways(const bench *b, uint32_t g, uint64_t *seen) {
    const slow_retire *s = &b->s;
    const rf_wir_retire_in *in = &b->in;
    const slow_turn *t = &b->now;
    uint32_t got = 0;
    for (uint32_t v = 0; v < s->cfg.verifiers; v++) {
        const slow_way *w = &s->way[g][v];
        const bool check = w->on_its_way && w->fresh, share = shares(s, w, &in->rdata[g]);
        const bool give = judge_bit(in->give, g * s->cfg.verifiers + v), done = t->done[g] && t->verifier[g] == v;
        uint32_t bits = 0;
        for (uint32_t i = 0; i < s->cfg.lanes; i++) bits += (uint32_t)__builtin_popcount(in->rdata[g].lane[i] ^ w->data.lane[i]);
        seen[CHECK_EQUAL] += check && share;
        seen[CHECK_DONE] += check && share && done;
        seen[CHECK_UNEQUAL] += check && !w->merge && !share;
        seen[CHECK_BIT] += check && !w->merge && bits == 1;
        seen[CHECK_MERGE] += check && w->merge;
        seen[CHECK_MERGE_EQUAL] += check && w->merge && bits == 0;
        seen[CHECK_READ] += check && t->reads[g];
        seen[RDATA_NO_CHECK] += needs(w) && bits == 0;
        seen[SHARE_WAITS] += share && !done;
        seen[NEED_WAITS] += needs(w) && !give;
        seen[GIVE] += needs(w) && give;
        seen[GIVE_EARLY] += check && !share && !w->merge && give;
        seen[GIVE_NO_NEED] += !needs(w) && !check && give && w->on_its_way && in->given_reg[g] != w->reg;
        seen[GIVE_ALONE] += needs(w) && give && !judge_bit(in->given, g);
        got += needs(w) && give;
    }
    seen[GIVE_TWO] += got > 1;
}

static void count_result(const bench *b, uint32_t g, uint64_t *seen) {
    const slow_retire *s = &b->s;
    const rf_wir_retire_in *in = &b->in;
    const slow_turn *t = &b->now;
    const bool granted = judge_bit(in->wr_grant, g), port = t->port[g] == RESULT, done = t->done[g], write = t->writes[g];
    const uint32_t e = t->head[g], v = t->verifier[g];
    const bool hit = judge_bit(in->hit, g), walk = judge_bit(in->walk, g), result = e != NOBODY || v != NOBODY;
    uint32_t ready = 0, heads = 0;
    for (uint32_t i = 0; i < s->cfg.verifiers; i++) ready += shares(s, &s->way[g][i], &in->rdata[g]) || writes(&s->way[g][i]);
    for (uint32_t i = 0; i < s->cfg.exports; i++) {
        const bool asks = asks_with(s, in, i, g, RF_RESULT_WRITE, RF_RESULT_SHARE);
        heads += asks;
        seen[HEAD_TURN] += e != NOBODY && asks && i < e;
        seen[HEAD_INVALID] += !judge_bit(in->head_valid, i) && in->head_warp[i] % s->cfg.issues == g && in->head_op[i] % 3 == 0;
    }
    seen[PORT_HIT] += t->port[g] == HIT, seen[PORT_WALK] += t->port[g] == WALK, seen[PORT_RESULT] += port;
    seen[PORT_HIT_WAITS] += hit && t->port[g] != HIT, seen[PORT_WALK_WAITS] += walk && t->port[g] != WALK;
    seen[PORT_RESULT_WAITS] += result && !port && granted, seen[PORT_ALL] += hit && walk && result;
    seen[PORT_AGAIN] += t->port[g] != NOBODY && t->port[g] == s->last_port[g];
    seen[VERIFIER_FIRST] += done && v != NOBODY && heads > 0;
    seen[VERIFIER_LOWEST] += done && v != NOBODY && ready > 1, seen[VERIFIER_HIGH] += done && v != NOBODY && v > 0;
    seen[WRITE_HEAD] += done && write && e != NOBODY;
    seen[WRITE_HEAD_REFUSED] += port && write && !done && e != NOBODY;
    seen[WRITE_PARTIAL] += done && write && e != NOBODY && in->head_mask[e] != lanes_on(s);
    seen[WRITE_VERIFY] += done && write && v != NOBODY && !s->way[g][v].merge;
    seen[WRITE_MERGE] += done && write && v != NOBODY && s->way[g][v].merge;
    seen[WRITE_VERIFIER_REFUSED] += port && write && !done && v != NOBODY;
    seen[SHARE_HEAD] += done && !write && e != NOBODY;
    seen[SHARE_VERIFIER] += done && !write && v != NOBODY, seen[SHARE_GRANT] += done && !write && v != NOBODY && granted;
    seen[GRANT_NOTHING] += granted && !write;
    seen[BOTH_POP] += done && e != NOBODY && t->reads[g];
    seen[WARP_OUTSIDE] += done && t->out.done_warp[g] >= s->cfg.warps;
    seen[WRITTEN] += t->written[g] != NO_REG && waits(s, t->written[g]);
    seen[SHARED_UNWRITTEN] += done && !write && waits(s, t->out.done_reg[g]);
    const bool set = judge_bit(in->given, g);
    seen[SET] += set && in->given_reg[g] < s->cfg.pregs, seen[SET_NO_SUCH] += set && in->given_reg[g] >= s->cfg.pregs;
    for (uint32_t o = 0; o < s->cfg.issues; o++) {
        seen[SET_AND_WRITTEN] += set && t->written[o] == in->given_reg[g] && in->given_reg[g] < s->cfg.pregs;
        seen[SET_TWICE] += set && o < g && judge_bit(in->given, o) && in->given_reg[o] == in->given_reg[g];
    }
}

static void count(const bench *b, uint32_t refused, uint64_t *seen) {
    const uint32_t n = b->s.cfg.exports;
    const rf_wir_retire_in *in = &b->in;
    const rf_wir_retire_out *out = &b->now.out;
    for (uint32_t g = 0; g < b->s.cfg.issues && b->s.cfg.reuse == 1; g++) {
        count_reads(b, g, seen), count_ways(b, g, seen), count_result(b, g, seen);
        seen[OVERTAKEN] += judge_bit(refused, g) && b->now.port[g] == RESULT && b->now.verifier[g] != NOBODY;
    }
    seen[ALL_GROUPS] += b->s.cfg.reuse == 1 && (out->done & 15) == 15;
    seen[GRANT_HIGH] += b->s.cfg.reuse == 1 && (in->wr_grant >> b->s.cfg.issues) != 0 && in->head_valid == ls_mask(n);
    if (b->s.cfg.reuse == 1) return;
    seen[PLAIN_WRITE] += out->done != 0, seen[PLAIN_REFUSED] += (out->wr_valid & ~in->wr_grant) != 0;
    seen[PLAIN_ALL] += n == 8 && out->done == 255;
    for (uint32_t e = 0; e < n; e++) seen[PLAIN_OP] += judge_bit(out->done, e) && in->head_op[e] != RF_RESULT_WRITE;
}

static bool anything(const slow_retire *s) {
    bool busy = false, unwritten = false;
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        for (uint32_t v = 0; v < s->cfg.verifiers; v++) busy |= s->way[g][v].on_its_way;
    for (uint32_t r = 0; r < s->cfg.pregs; r++) unwritten |= s->unwritten[r];
    return busy && unwritten;
}

static void reset(bench *b) {
    rf_wir_retire_reset(&b->m);
    slow_reset(&b->s);
    compare_state(b);
    assert_memory_equal(&b->m.cfg, &b->s.cfg, sizeof b->m.cfg);
}

static void run(const rf_wir_retire_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    static bench b;
    ls_rng rng;
    knobs k;
    uint32_t refused = 0;
    start(&b, seed, cfg);
    ls_rng_seed(&rng, seed);
    while (b.j.cycle < cycles) {
        if (b.j.cycle % 64 == 0) turn(&rng, cfg, &k);
        draw(&rng, &b, &k);
        slow_comb(&b.s, &b.in, &b.now);
        count(&b, refused, seen);
        refused = 0;
        for (uint32_t g = 0; g < cfg->issues && cfg->reuse == 1; g++)
            if (b.now.writes[g] && !b.now.done[g] && b.now.head[g] != NOBODY) refused |= 1u << g;
        step(&b);
        if (ls_rng_below(&rng, 512) != 0) continue;
        seen[RESET] += anything(&b.s);
        reset(&b);
    }
    judge_passes(&b.j);
}

static void random_results(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(sets); i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_wir_retire"), lengths[i], seen);
        cycles += lengths[i];
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* --- what the page promises, by hand -----------------------------------------------------------------------------------------
 */

static bench hand;
static const rf_wir_retire_cfg two = SET(4, 8, 4, 3, 2, 16, 5, 2, 1), queues = SET(4, 8, 4, 3, 2, 16, 5, 2, 0);

static void begin(const rf_wir_retire_cfg *cfg) { start(&hand, 0, cfg); }

/* A head that all its fields tell: warp `warp`, logical register 1 + port, to 8 + port, over 4 + port; values 100 x (1 + port).
 */
static void put_result(uint32_t e, rf_result_op op, uint32_t warp) {
    rf_wir_retire_in *in = &hand.in;
    in->head_valid |= (uint8_t)(1u << e);
    in->head_op[e] = (uint8_t)op, in->head_warp[e] = (uint8_t)warp, in->head_dst[e] = (uint8_t)(1 + e);
    in->head_preg[e] = (uint16_t)(8 + e), in->head_cand[e] = (uint16_t)(4 + e);
    in->head_mask[e] = 15, in->head_info[e] = 16 + e;
    for (uint32_t i = 0; i < 4; i++) in->head_data[e].lane[i] = 100 * (1 + e) + i;
}

/* A cycle; then what was popped is gone, and all that was asked or granted. */
static void cycle(void) {
    step(&hand);
    judge_passes(&hand.j);
    hand.in.head_valid &= (uint8_t)~hand.out.pop;
    hand.in.hit = hand.in.walk = hand.in.rd_grant = hand.in.wr_grant = hand.in.given = 0;
    hand.in.give = 0;
}

/* What group g retires in the last cycle: of which port's result, in which register. */
static void retired(uint32_t g, uint32_t e, uint32_t warp, uint32_t reg, bool shared) {
    assert_true(judge_bit(hand.out.done, g));
    assert_int_equal(hand.out.done_warp[g], warp);
    assert_int_equal(hand.out.done_dst[g], 1 + e);
    assert_int_equal(hand.out.done_info[g], 16 + e);
    assert_int_equal(hand.out.done_reg[g], reg);
    assert_int_equal(hand.out.shared, shared ? 1 << g : 0);
}

/* The page's drawing, and the values that it leaves out. */
static void the_drawing_of_the_page(void **state) {
    (void)state;
    begin(&two);
    put_result(0, RF_RESULT_VERIFY, 2);
    put_result(1, RF_RESULT_WRITE, 0);
    hand.in.rd_grant = 1;
    cycle();
    assert_int_equal(hand.out.rd_valid, 1);
    assert_int_equal(hand.out.rd_reg[0], 4);
    assert_int_equal(hand.out.wr_valid, 1);
    assert_int_equal(hand.out.wr_reg[0], 9);
    assert_int_equal(hand.out.wr_data[0].lane[0], 0);
    assert_int_equal(hand.out.pop, 1);
    assert_int_equal(hand.out.done | hand.out.check, 0);
    hand.in.rdata[0] = hand.in.head_data[0];
    cycle();
    assert_int_equal(hand.out.check, 1);
    assert_int_equal(hand.out.check_reg[0], 4);
    assert_int_equal(hand.out.fill, 1);
    assert_int_equal(hand.out.wr_valid, 0);
    retired(0, 0, 2, 4, true);
    hand.in.hit = 1;
    cycle();
    assert_int_equal(hand.out.hit, 1);
    assert_int_equal(hand.out.wr_valid | hand.out.done, 0);
    hand.in.hit = 1, hand.in.wr_grant = 1;
    cycle();
    assert_int_equal(hand.out.hit, 0);
    assert_int_equal(hand.out.wr_valid, 1);
    assert_int_equal(hand.out.wr_data[0].lane[3], 203);
    assert_int_equal(hand.out.pop, 2);
    retired(0, 1, 0, 9, false);
    cycle();
    assert_int_equal(hand.out.done | hand.out.wr_valid | hand.out.rd_valid, 0);
}

/* [WIR V-A]: "if the register's value mismatches with the result value, then a new physical register is allocated and the bank
 * arbiter schedules a write". */
static void a_collision_gets_a_register_and_is_written(void **state) {
    (void)state;
    begin(&two);
    put_result(1, RF_RESULT_VERIFY, 3);
    hand.in.rd_grant = 2;
    cycle();
    hand.in.rdata[1] = hand.in.head_data[1], hand.in.rdata[1].lane[3] ^= 1u << 31;
    hand.in.give = 1 << 2, hand.in.given = 2, hand.in.given_reg[1] = 13; /* before it needs one */
    cycle();
    assert_int_equal(hand.out.check & hand.out.fill, 2);
    assert_int_equal(hand.out.need | hand.out.done | hand.out.wr_valid, 0);
    hand.in.rdata[1] = hand.in.head_data[1]; /* too late to be equal */
    cycle();
    assert_int_equal(hand.out.need, 1 << 2);
    assert_int_equal(hand.out.cand[2], 5);
    hand.in.give = 1 << 2, hand.in.given = 2, hand.in.given_reg[1] = 14, hand.in.wr_grant = 2;
    cycle();
    assert_int_equal(hand.out.need, 1 << 2);
    assert_int_equal(hand.out.wr_valid, 0);
    hand.in.wr_grant = 2;
    cycle();
    assert_int_equal(hand.out.need | hand.out.cand[2], 0);
    assert_int_equal(hand.out.wr_reg[1], 14);
    assert_int_equal(hand.out.wr_mask[1], 15);
    assert_int_equal(hand.out.wr_data[1].lane[3], 203);
    retired(1, 1, 3, 14, false);
    assert_false(hand.s.unwritten[14]);
    assert_true(hand.s.unwritten[13]);
}

/* [WIR V-D]: "thread register values of inactive lanes are copied from the current physical register". */
static void a_divergent_result_is_merged(void **state) {
    (void)state;
    begin(&two);
    put_result(2, RF_RESULT_MERGE, 1);
    hand.in.head_mask[2] = 6, hand.in.rd_grant = 2;
    cycle();
    assert_int_equal(hand.out.rd_reg[1], 6);
    hand.in.rdata[1] = hand.in.head_data[2];
    for (uint32_t i = 0; i < 4; i += 3) hand.in.rdata[1].lane[i] = 7 + i;
    hand.in.wr_grant = 2;
    cycle();
    assert_int_equal(hand.out.check, 2);
    assert_int_equal(hand.out.fill | hand.out.wr_valid | hand.out.done, 0);
    memset(&hand.in.rdata[1], 0, sizeof hand.in.rdata[1]);
    hand.in.wr_grant = 2;
    cycle();
    retired(1, 2, 1, 10, false);
    assert_int_equal(hand.out.wr_mask[1], 15);
    assert_int_equal(hand.out.wr_data[1].lane[0], 7);
    assert_int_equal(hand.out.wr_data[1].lane[1], 301);
    assert_int_equal(hand.out.wr_data[1].lane[2], 302);
    assert_int_equal(hand.out.wr_data[1].lane[3], 10);
}

/* D-unwritten: not read before the write is through, and "after that, given_reg_i of each given_i is not" written. */
static void a_read_waits_until_its_candidate_is_written(void **state) {
    (void)state;
    begin(&two);
    hand.in.given = 2, hand.in.given_reg[1] = 4;
    cycle();
    put_result(0, RF_RESULT_VERIFY, 0);
    put_result(1, RF_RESULT_WRITE, 1);
    hand.in.head_preg[1] = 4;
    for (uint32_t t = 0; t < 3; t++) {
        hand.in.rd_grant = 1, hand.in.wr_grant = t == 2 ? 2 : 0;
        cycle();
        assert_int_equal(hand.out.rd_valid, 0);
        assert_int_equal(hand.out.done, t == 2 ? 2 : 0);
    }
    put_result(1, RF_RESULT_WRITE, 1);
    hand.in.head_preg[1] = 4, hand.in.wr_grant = 2, hand.in.given = 1, hand.in.given_reg[0] = 4;
    cycle(); /* written since the cycle before, and given out again while it is written once more */
    assert_int_equal(hand.out.rd_valid, 1);
    hand.in.rd_grant = 1;
    cycle();
    assert_int_equal(hand.out.rd_valid, 0);
}

/* "Verifiers before heads", "a refused write loses the port's turn", and the heads' pointer stays. */
static void a_refused_write_lets_others_by(void **state) {
    (void)state;
    begin(&two);
    put_result(0, RF_RESULT_WRITE, 0);
    put_result(1, RF_RESULT_VERIFY, 0);
    put_result(2, RF_RESULT_WRITE, 0);
    hand.in.rd_grant = 1;
    cycle();
    assert_int_equal(hand.out.wr_reg[0], 8);
    hand.in.rdata[0] = hand.in.head_data[1], hand.in.walk = hand.in.hit = 1;
    cycle(); /* the port's turn was the result's: now a reuse hit, the release, the verifier */
    assert_int_equal(hand.out.hit, 1);
    hand.in.walk = hand.in.hit = 1;
    cycle();
    assert_int_equal(hand.out.walk, 1);
    hand.in.walk = hand.in.hit = 1;
    cycle();
    retired(0, 1, 0, 5, true);
    assert_int_equal(hand.out.hit | hand.out.walk | hand.out.pop, 0);
    hand.in.wr_grant = 1;
    cycle();
    retired(0, 0, 0, 8, false);
    put_result(0, RF_RESULT_SHARE, 0);
    hand.in.wr_grant = 1;
    cycle();
    retired(0, 2, 0, 10, false);
    cycle(); /* SHARE needs no bank */
    retired(0, 0, 0, 8, false);
    assert_int_equal(hand.out.wr_valid, 0);
}

/* Two groups, each with all it can do in one cycle. */
static void groups_know_nothing_of_one_another(void **state) {
    (void)state;
    begin(&two);
    put_result(0, RF_RESULT_VERIFY, 0);
    put_result(1, RF_RESULT_MERGE, 1);
    put_result(2, RF_RESULT_WRITE, 1);
    hand.in.hit = 1, hand.in.walk = 1, hand.in.rd_grant = 3, hand.in.wr_grant = 2;
    cycle();
    assert_int_equal(hand.out.rd_valid, 3);
    assert_int_equal(hand.out.hit, 1);
    assert_int_equal(hand.out.walk, 0);
    assert_int_equal(hand.out.pop, 7);
    retired(1, 2, 1, 10, false);
}

/* REUSE 0: "Writer e is queue e, whatever its operation". */
static void without_reuse_every_queue_writes(void **state) {
    (void)state;
    begin(&queues);
    for (uint32_t e = 0; e < 3; e++) put_result(e, (rf_result_op)(3 - e), e);
    hand.in.hit = hand.in.walk = hand.in.rd_grant = 3, hand.in.wr_grant = 5, hand.in.give = 15, hand.in.given = 3;
    cycle();
    assert_int_equal(hand.out.wr_valid, 7);
    assert_int_equal(hand.out.pop, 5);
    assert_int_equal(hand.out.done, 5);
    assert_int_equal(hand.out.wr_reg[1], 9);
    assert_int_equal(hand.out.wr_data[1].lane[0], 0);
    assert_int_equal(hand.out.wr_data[2].lane[1], 301);
    assert_int_equal(hand.out.done_dst[1], 0);
    assert_int_equal(hand.out.done_warp[2], 2);
    assert_int_equal(hand.out.hit | hand.out.walk | hand.out.rd_valid | hand.out.done_info[0] | hand.out.done_reg[2 - 1], 0);
}

/* A unit of four groups with every verifier busy and every register unwritten. */
static void fill(bench *b) {
    static const rf_wir_retire_cfg cfg = SET(64, 256, 5, 8, 4, 40, 50, 4, 1);
    start(b, 0, &cfg);
    memset(&b->in, 0xff, sizeof b->in);
    for (uint32_t t = 0; t < 44; t++) {
        for (uint32_t e = 0; e < 8; e++) {
            b->in.head_op[e] = (uint8_t)(t % 3 == 0 ? RF_RESULT_MERGE : RF_RESULT_VERIFY),
            b->in.head_warp[e] = (uint8_t)(e + 8 * (t % 8));
            b->in.head_preg[e] = b->in.head_cand[e] = (uint16_t)(63 - t % 8), b->in.head_mask[e] = 21,
            b->in.head_info[e] &= ls_mask(50);
            memset(&b->in.head_data[e], 0, sizeof b->in.head_data[e]);
            for (uint32_t i = 0; i < 5; i++) b->in.head_data[e].lane[i] = 0x10203040u * (i + 1 + t);
        }
        for (uint32_t g = 0; g < 4; g++) b->in.rdata[g] = b->in.head_data[t % 8], b->in.given_reg[g] = (uint16_t)(t % 41);
        b->in.rdata[0].lane[0] = 0;
        b->in.hit = b->in.walk = b->in.given = b->in.rd_grant = 15, b->in.give = 0, b->in.wr_grant = 0;
        step(b);
    }
    judge_passes(&b->j);
}

static void reset_clears_every_register(void **state) {
    (void)state;
    fill(&hand);
    reset(&hand);
    judge_passes(&hand.j);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_wir_retire_cfg bad[] = {SET(4, 8, 4, 3, 4, 16, 5, 2, 1), /* ISSUES to 8 */
                                            SET(4, 8, 4, 1, 2, 16, 5, 2, 0)};
    (void)state;
    JUDGE_RANGES_BUT(rf_wir_retire, sets, "exports");
    for (size_t i = 0; i < COUNT(bad); i++) judge_refused(&rf_wir_retire_unit, &bad[i], "exports", "8");
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static rf_wir_retire_out out, other, expected;
    (void)state;
    fill(&hand);
    hand.in.wr_grant = 255;
    memset(&out, 0xa5, sizeof out);
    memset(&other, 0x5a, sizeof other);
    rf_wir_retire_comb(&hand.m, &hand.in, &out);
    rf_wir_retire_comb(&hand.m, &hand.in, &other);
    slow_comb(&hand.s, &hand.in, &hand.now);
    expected = hand.now.out;
    JUDGE_LANE_FLIPS(&hand.j, rf_wir_retire, LS_OUT, &hand.m, &out, judge_fields(&hand.j, &hand.outputs, &out, &expected));
    judge_lists_all(&hand.outputs, &out, &other, sizeof out);
    JUDGE_LANE_FLIPS(&hand.j, rf_wir_retire, LS_STATE, &hand.m, &hand.m, compare_state(&hand));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_results),
        cmocka_unit_test(the_drawing_of_the_page),
        cmocka_unit_test(a_collision_gets_a_register_and_is_written),
        cmocka_unit_test(a_divergent_result_is_merged),
        cmocka_unit_test(a_read_waits_until_its_candidate_is_written),
        cmocka_unit_test(a_refused_write_lets_others_by),
        cmocka_unit_test(groups_know_nothing_of_one_another),
        cmocka_unit_test(without_reuse_every_queue_writes),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_wir_retire", tests, NULL, NULL);
}
