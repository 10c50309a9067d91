/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_wir_front: the slow model holds one instruction as issued ([WIR V-B]: "after an instruction is issued, the physical
 * register IDs for logical register operands are obtained from the rename tables") and one renamed (V-C), takes the second or the
 * pending queue's head (VI-B: "when there is no new instruction from the rename stage") and walks the contract's list of acts. */
#include "cmodel/wir/rf_wir_front.h"

#include "tb/common/judge/judge_fields.h"
#include "tb/wir/judge/judge_wir_instr.h"

extern const ls_unit rf_wir_front_unit;

typedef struct slow_front {
    rf_wir_front_cfg cfg;
    judge_instr rn, ru;
} slow_front;

typedef struct slow_out {
    judge_instr lane;
    bool retry, asks, hit, wait, want_port, want_collector, leads, leaves, moves, ready;
    rf_wir_act act;
} slow_out;

/* clang-format off */
#define SEEN(X)                                                                                                                  \
    X(ISSUE_EMPTY, "an instruction comes into an empty rename register")                                                         \
    X(ISSUE_BEHIND, "an instruction comes behind one that moves on")                                                             \
    X(ISSUE_FULL, "an instruction comes and there is no room: ignored")                                                          \
    X(RENAME_WAITS, "the rename register waits for the reuse register")                                                          \
    X(RENAME_EMPTIES, "the rename register becomes empty")                                                                       \
    X(RENAME_OLD, "an empty rename register holds an old warp")                                                                  \
    X(MOVE_EMPTY, "a move into an empty reuse register")                                                                         \
    X(MOVE_BEHIND, "a move behind an instruction that leaves")                                                                   \
    X(MOVE_RETRY, "a move while the queue's head is in the lane and stays")                                                      \
    X(REUSE_EMPTIES, "the reuse register becomes empty")                                                                         \
    X(REUSE_OLD, "an empty reuse register holds an old warp")                                                                    \
    X(STORE_GLOBAL, "a global store moves on")                                                                                   \
    X(STORE_SHARED, "a store to scratchpad moves on")                                                                            \
    X(STORE_WAITS, "a store that waits")                                                                                         \
    X(SHARED_NO_STORE, "scratchpad is said and no store")                                                                        \
    X(RN_LOAD, "a load that may meet stores in the rename register")                                                             \
    X(RN_CONST, "another load there")                                                                                            \
    X(SRC_MAPPED, "a source is mapped")                                                                                          \
    X(SRC_UNMAPPED, "a source is not mapped; the table's register does not count")                                               \
    X(SRC_NONE, "a slot without source has an immediate value")                                                                  \
    X(SRC_NONE_MAPPED, "the table says mapped of a slot without source")                                                         \
    X(OLD_MAPPED, "the destination was mapped")                                                                                  \
    X(OLD_UNMAPPED, "the destination was not mapped; the table's register is kept")                                              \
    X(OLD_PINNED, "the destination was pinned")                                                                                  \
    X(OLD_NONE, "the table says mapped and there is no destination")                                                             \
    X(LOOK, "an instruction may look the buffer up")                                                                             \
    X(LOOK_NO_SOURCE, "... without a source")                                                                                    \
    X(LOOK_OLD_PINNED, "... with a pinned destination")                                                                          \
    X(LOOK_PIN_NONE, "... with a pin in a slot without source")                                                                  \
    X(LOOK_CONST, "... and loads what nobody stores")                                                                            \
    X(LOOK_SHARED, "... and loads from scratchpad")                                                                              \
    X(LOOK_GLOBAL, "... and loads from global memory")                                                                           \
    X(NOT_REUSE, "all but issue.reuse lets it look")                                                                             \
    X(NOT_DST, "all but the missing destination")                                                                                \
    X(NOT_MASK, "all but a lane")                                                                                                \
    X(NOT_TOP_LANE, "all but the last lane")                                                                                     \
    X(NOT_MAPPED, "all but a source that is not mapped")                                                                         \
    X(NOT_PIN, "all but a pinned source")                                                                                        \
    X(NOT_LOADS, "all but LOADS")                                                                                                \
    X(NOT_CONST, "... even of what nobody stores")                                                                               \
    X(LANE_FIRST, "the reuse register goes before the queue's head")                                                             \
    X(LANE_RETRY, "the queue's head is in the lane")                                                                             \
    X(LANE_NO_RETRY, "with RETRY 0 it is not")                                                                                   \
    X(LANE_EMPTY, "nobody in the lane, all answers 1")                                                                           \
    X(NOT_ALLOWED, "a hit or wait without `allow`")                                                                              \
    X(NOT_LOOKED, "a hit or wait of an instruction that does not look")                                                          \
    X(RETRY_NOT_ALLOWED, "a hit or wait of the queue's head without `allow`")                                                    \
    X(HIT_REUSE, "a hit and the port: reuse")                                                                                    \
    X(HIT_NO_PORT, "a hit without the port, a collector is free")                                                                \
    X(HIT_AND_WAIT, "hit and wait")                                                                                              \
    X(RETRY_HIT, "the queue's head is reused")                                                                                   \
    X(RETRY_HIT_NO_PORT, "the queue's head hits and does not get the port")                                                      \
    X(RETRY_HIT_AND_WAIT, "the queue's head with hit and wait")                                                                  \
    X(QUEUED, "an instruction is queued")                                                                                        \
    X(QUEUED_COLLECTOR, "... though a collector is free")                                                                        \
    X(QUEUE_FULL, "the queue is full: the instruction executes")                                                                 \
    X(QUEUE_FULL_WAITS, "the queue is full and no collector is free")                                                            \
    X(WAIT_NO_RETRY, "with RETRY 0 who would wait executes")                                                                     \
    X(ROTATE, "the queue's head goes to its tail")                                                                               \
    X(ROTATE_FULL, "... of a full queue")                                                                                        \
    X(ROTATE_COLLECTOR, "... though a collector is free")                                                                        \
    X(EXECUTE_LEADS, "a miss executes and leads")                                                                                \
    X(EXECUTE_NO_LOOK, "who does not look executes")                                                                             \
    X(EXECUTE_WAITS, "no collector is free, the port is")                                                                        \
    X(RETRY_LEADS, "the queue's head misses, executes and leads")                                                                \
    X(RETRY_EXECUTES, "the queue's head executes without a look")                                                                \
    X(RETRY_WAITS, "the queue's head gets no collector")                                                                         \
    X(RETRY_AND_RENAME, "the queue's head leaves while an instruction moves in")                                                 \
    X(RESET, "reset with both registers full")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_front *s) {
    const rf_wir_front_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

static bool all_lanes(const rf_wir_front_cfg *cfg, uint32_t mask) {
    for (uint32_t i = 0; i < cfg->lanes; i++)
        if (!judge_bit(mask, i)) return false;
    return true;
}

static judge_instr queue_head(const rf_wir_front_cfg *cfg, const rf_wir_front_in *in) {
    judge_instr r;
    memset(&r, 0, sizeof r);
    r.there = r.dst_valid = r.look = true;
    r.carried = in->q.common;
    r.warp = in->q.warp, r.tag = in->q.tag, r.port = in->q.port, r.dst = in->q.dst, r.opcode = in->q.opcode,
    r.space = in->q.space;
    r.old_valid = in->q.old_valid != 0, r.old_preg = in->q.old_preg, r.old_pin = in->q.old_pin != 0;
    for (uint32_t i = 0; i < cfg->lanes; i++) r.mask |= 1u << i;
    for (uint32_t i = 0; i < cfg->slots; i++) {
        r.src_valid[i] = r.mapped[i] = judge_bit(in->q.src_valid, i);
        r.src[i] = in->q.src[i];
        r.operand[i] = in->q.operand[i];
    }
    return r;
}

static void slow_comb(const slow_front *s, const rf_wir_front_in *in, slow_out *out) {
    memset(out, 0, sizeof *out);
    if (s->ru.there) {
        out->lane = s->ru;
    } else if (s->cfg.retry == 1 && in->q_valid) {
        out->lane = queue_head(&s->cfg, in);
        out->retry = true;
    }
    out->asks = out->lane.there && out->lane.look && in->allow;
    out->hit = out->asks && in->hit;
    out->wait = out->asks && in->wait && !out->hit;
    if (out->hit) {
        out->want_port = true;
        if (in->port) out->act = RF_WIR_REUSE;
    } else if (out->wait && s->cfg.retry == 1 && !out->retry && in->q_ready) {
        out->act = RF_WIR_QUEUE;
    } else if (out->wait && s->cfg.retry == 1 && out->retry) {
        out->act = RF_WIR_ROTATE;
    } else if (out->lane.there) {
        out->want_collector = true;
        if (in->collector) out->act = RF_WIR_EXECUTE;
        out->leads = in->collector && out->asks && !out->wait;
    }
    out->leaves = out->act == RF_WIR_REUSE || out->act == RF_WIR_QUEUE || out->act == RF_WIR_EXECUTE;
    out->moves = s->rn.there && (!s->ru.there || out->leaves);
    out->ready = !s->rn.there || out->moves;
}

/* What the rename register's instruction is in the reuse register. */
static judge_instr slow_rename(const rf_wir_front_cfg *cfg, const judge_instr *i, const rf_wir_front_in *in) {
    judge_instr r = *i;
    r.opcode = i->op;
    for (uint32_t k = 0; k < cfg->slots; k++) r.opcode *= 2;
    r.look = i->reuse && i->dst_valid && all_lanes(cfg, i->mask) && (i->space == RF_SPACE_NONE || cfg->loads == 1);
    for (uint32_t k = 0; k < cfg->slots; k++) {
        if (!i->src_valid[k]) {
            r.operand[k] = i->imm[k];
            continue;
        }
        r.opcode += 1u << k;
        r.mapped[k] = judge_bit(in->map_src_valid, k);
        if (r.mapped[k]) r.operand[k] = in->map_src_preg[k];
        if (!r.mapped[k] || judge_bit(in->map_src_pin, k)) r.look = false;
    }
    if (!i->dst_valid) return r;
    r.old_valid = in->map_dst_valid != 0, r.old_preg = in->map_dst_preg, r.old_pin = in->map_dst_pin != 0;
    return r;
}

static void slow_clock(slow_front *s, const rf_wir_front_in *in) {
    slow_out now;
    slow_comb(s, in, &now);
    if (now.leaves && !now.retry) s->ru.there = false;
    if (now.moves) s->ru = slow_rename(&s->cfg, &s->rn, in);
    if (now.moves) s->rn.there = false;
    if (!in->issue_valid || !now.ready) return;
    s->rn = instr_issued(&in->issue, s->cfg.slots);
}

static void expect_out(const slow_front *s, const slow_out *now, rf_wir_front_out *e) {
    const uint32_t n = s->cfg.slots;
    memset(e, 0, sizeof *e);
    e->ready = now->ready, e->moves = now->moves;
    if (s->rn.there) {
        e->rn_valid = 1, e->rn_dst = (uint8_t)s->rn.dst;
        instr_reads(&s->rn, n, &e->rn);
        if (now->moves && s->rn.store) e->st_valid = 1, e->st_shared = s->rn.shared;
    }
    if (s->ru.there) {
        e->ru_valid = 1;
        instr_reads(&s->ru, n, &e->ru);
    }
    e->lane_valid = now->lane.there, e->lane_retry = now->retry;
    instr_laned(&now->lane, n, &e->lane);
    e->lk_valid = now->asks, e->want_port = now->want_port, e->want_collector = now->want_collector;
    e->act = (uint8_t)now->act, e->leads = now->leads, e->leaves = now->leaves;
}

static void expect_state(const slow_front *s, rf_wir_front *e) {
    memset(e, 0, sizeof *e);
    instr_registers(&s->rn, &s->ru, s->cfg.slots, e);
}

#define COUNT(list) (sizeof(list) / sizeof *(list))

static judge_list outputs, registers; /* at the configuration of the run */

static void compare_out(judge *j, const slow_front *s, const rf_wir_front_out *out, const slow_out *now) {
    rf_wir_front_out expected;
    expect_out(s, now, &expected);
    judge_fields(j, &outputs, out, &expected);
}

static void compare_state(judge *j, const slow_front *s, const rf_wir_front *m) {
    rf_wir_front expected;
    expect_state(s, &expected);
    judge_fields(j, &registers, m, &expected);
}

static void start(judge *j, uint64_t seed, rf_wir_front *m, slow_front *s, const rf_wir_front_cfg *cfg) {
    judge_begin(j, seed, "rf_wir_front warps=%u regs=%u lanes=%u slots=%u exports=%u pregs=%u loads=%u retry=%u", cfg->warps,
                cfg->regs, cfg->lanes, cfg->slots, cfg->exports, cfg->pregs, cfg->loads, cfg->retry);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_wir_front_init(m, cfg), 0);
    judge_list_of(&outputs, &rf_wir_front_unit, LS_OUT, m);
    judge_list_of(&registers, &rf_wir_front_unit, LS_STATE, m);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_wir_front *m, slow_front *s, const rf_wir_front_in *in, slow_out *now) {
    rf_wir_front before;
    rf_wir_front_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_wir_front_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    slow_comb(s, in, now);
    compare_out(j, s, &out, now);
    JUDGE_CLOCK(rf_wir_front, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

/* What keeps the instruction that moves from looking the buffer up, as far as it is one thing. */
static void count_look(const slow_front *s, const rf_wir_front_in *in, const judge_instr *r, uint64_t *seen) {
    const judge_instr *i = &s->rn;
    uint32_t unmapped = 0, pinned = 0, sources = 0, pins = 0, inactive = 0;
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        const bool mapped = judge_bit(in->map_src_valid, k), pin = judge_bit(in->map_src_pin, k);
        sources += i->src_valid[k];
        unmapped += i->src_valid[k] && !mapped;
        pinned += i->src_valid[k] && mapped && pin;
        pins += !i->src_valid[k] && pin;
        seen[SRC_MAPPED] += i->src_valid[k] && mapped && in->map_src_preg[k] != 0;
        seen[SRC_UNMAPPED] += i->src_valid[k] && !mapped && in->map_src_preg[k] != 0 && i->imm[k] != 0;
        seen[SRC_NONE] += !i->src_valid[k] && i->imm[k] != 0;
        seen[SRC_NONE_MAPPED] += !i->src_valid[k] && mapped && in->map_src_preg[k] != i->imm[k];
    }
    for (uint32_t l = 0; l < s->cfg.lanes; l++) inactive += !judge_bit(i->mask, l);
    const bool space = i->space == RF_SPACE_NONE || s->cfg.loads == 1;
    const int against = !i->reuse + !i->dst_valid + (inactive > 0) + (unmapped > 0) + (pinned > 0) + !space;
    seen[LOOK] += r->look;
    seen[LOOK_NO_SOURCE] += r->look && sources == 0;
    seen[LOOK_OLD_PINNED] += r->look && in->map_dst_pin;
    seen[LOOK_PIN_NONE] += r->look && pins > 0;
    seen[LOOK_CONST] += r->look && i->space == RF_SPACE_CONST;
    seen[LOOK_SHARED] += r->look && i->space == RF_SPACE_SHARED;
    seen[LOOK_GLOBAL] += r->look && i->space == RF_SPACE_GLOBAL;
    seen[OLD_MAPPED] += i->dst_valid && in->map_dst_valid;
    seen[OLD_UNMAPPED] += i->dst_valid && !in->map_dst_valid && in->map_dst_preg != 0;
    seen[OLD_PINNED] += i->dst_valid && in->map_dst_pin;
    seen[OLD_NONE] += !i->dst_valid && in->map_dst_valid && in->map_dst_pin && in->map_dst_preg != 0;
    if (against != 1) return;
    seen[NOT_REUSE] += !i->reuse;
    seen[NOT_DST] += !i->dst_valid;
    seen[NOT_MASK] += inactive == 1;
    seen[NOT_TOP_LANE] += inactive == 1 && !judge_bit(i->mask, s->cfg.lanes - 1);
    seen[NOT_MAPPED] += unmapped == 1;
    seen[NOT_PIN] += pinned == 1;
    seen[NOT_LOADS] += !space;
    seen[NOT_CONST] += !space && i->space == RF_SPACE_CONST;
}

static void count_rename(const slow_front *s, const rf_wir_front_in *in, const slow_out *now, uint64_t *seen) {
    const bool ru_leaves = s->ru.there && now->leaves;
    seen[ISSUE_EMPTY] += in->issue_valid && !s->rn.there;
    seen[ISSUE_BEHIND] += in->issue_valid && now->moves;
    seen[ISSUE_FULL] += in->issue_valid && !now->ready;
    seen[RENAME_WAITS] += s->rn.there && !now->moves;
    seen[RENAME_EMPTIES] += now->moves && !in->issue_valid;
    seen[RENAME_OLD] += !s->rn.there && s->rn.warp != 0;
    seen[MOVE_EMPTY] += now->moves && !s->ru.there;
    seen[MOVE_BEHIND] += now->moves && ru_leaves;
    seen[MOVE_RETRY] += now->moves && now->retry && !now->leaves;
    seen[RETRY_AND_RENAME] += now->moves && now->retry && now->leaves;
    seen[REUSE_EMPTIES] += ru_leaves && !s->rn.there;
    seen[REUSE_OLD] += !s->ru.there && s->ru.warp != 0;
    seen[RN_LOAD] += s->rn.there && s->rn.space >= RF_SPACE_SHARED;
    seen[RN_CONST] += s->rn.there && s->rn.space == RF_SPACE_CONST;
    seen[STORE_WAITS] += s->rn.there && s->rn.store && !now->moves;
    if (!now->moves) return;
    const judge_instr r = slow_rename(&s->cfg, &s->rn, in);
    seen[STORE_GLOBAL] += s->rn.store && !s->rn.shared;
    seen[STORE_SHARED] += s->rn.store && s->rn.shared;
    seen[SHARED_NO_STORE] += !s->rn.store && s->rn.shared;
    count_look(s, in, &r, seen);
}

static void count(const slow_front *s, const rf_wir_front_in *in, const slow_out *now, uint64_t *seen) {
    const bool answered = in->hit || in->wait, first = now->lane.there && !now->retry, stays = now->act == RF_WIR_NOTHING;
    const bool executes = now->act == RF_WIR_EXECUTE, both = now->hit && in->wait;
    count_rename(s, in, now, seen);
    seen[LANE_FIRST] += s->cfg.retry && s->ru.there && in->q_valid;
    seen[LANE_RETRY] += now->retry;
    seen[LANE_NO_RETRY] += !s->cfg.retry && !s->ru.there && in->q_valid;
    seen[LANE_EMPTY] += !now->lane.there && in->allow && in->hit && in->wait && in->port && in->collector && in->q_ready;
    seen[NOT_ALLOWED] += first && now->lane.look && !in->allow && answered;
    seen[NOT_LOOKED] += first && !now->lane.look && in->allow && answered;
    seen[RETRY_NOT_ALLOWED] += now->retry && !in->allow && answered;
    seen[HIT_REUSE] += first && now->act == RF_WIR_REUSE;
    seen[HIT_NO_PORT] += first && now->hit && stays && in->collector;
    seen[HIT_AND_WAIT] += first && both;
    seen[RETRY_HIT] += now->retry && now->act == RF_WIR_REUSE;
    seen[RETRY_HIT_NO_PORT] += now->retry && now->hit && stays && in->collector;
    seen[RETRY_HIT_AND_WAIT] += now->retry && both;
    seen[QUEUED] += now->act == RF_WIR_QUEUE;
    seen[QUEUED_COLLECTOR] += now->act == RF_WIR_QUEUE && in->collector;
    seen[QUEUE_FULL] += s->cfg.retry && now->wait && executes;
    seen[QUEUE_FULL_WAITS] += s->cfg.retry && now->wait && stays;
    seen[WAIT_NO_RETRY] += !s->cfg.retry && now->wait && executes && in->q_ready;
    seen[ROTATE] += now->act == RF_WIR_ROTATE;
    seen[ROTATE_FULL] += now->act == RF_WIR_ROTATE && !in->q_ready;
    seen[ROTATE_COLLECTOR] += now->act == RF_WIR_ROTATE && in->collector;
    seen[EXECUTE_LEADS] += first && now->leads;
    seen[EXECUTE_NO_LOOK] += first && executes && !now->lane.look;
    seen[EXECUTE_WAITS] += first && now->want_collector && stays && in->port;
    seen[RETRY_LEADS] += now->retry && now->leads;
    seen[RETRY_EXECUTES] += now->retry && executes && !now->asks;
    seen[RETRY_WAITS] += now->retry && now->want_collector && stays;
}

#define SET(w, r, l, s, e, p, ld, rt)                                                                                            \
    { .warps = (w), .regs = (r), .lanes = (l), .slots = (s), .exports = (e), .pregs = (p), .loads = (ld), .retry = (rt) }
static const rf_wir_front_cfg sets[] = {
    SET(1, 1, 1, 1, 1, 2, 1, 1),        SET(2, 3, 2, 2, 2, 5, 1, 1),        SET(5, 12, 3, 3, 3, 33, 0, 1),
    SET(4, 8, 4, 4, 4, 64, 1, 0),       SET(33, 100, 7, 5, 5, 700, 0, 0),   SET(48, 63, 32, 3, 4, 1024, 1, 1),
    SET(64, 256, 32, 6, 8, 1024, 1, 1), SET(64, 255, 31, 6, 7, 1023, 0, 1), SET(24, 63, 32, 3, 4, 1024, 0, 0),
};
static const uint64_t lengths[] = {15000, 25000, 30000, 30000, 20000, 40000, 30000, 20000, 10000};

typedef struct knobs {
    uint32_t issue, convergent, reuse, mapped, pinned, sources, load, store, queue, room, allow, hit, wait, port, collector;
} knobs;

static uint32_t some(ls_rng *rng) { return ls_rng_chance(rng, 64) ? 0 : ls_rng_chance(rng, 85) ? 256 : ls_rng_below(rng, 257); }

static void turn(ls_rng *rng, knobs *k) {
    k->issue = 64 + ls_rng_below(rng, 193);
    k->convergent = 256 - ls_rng_below(rng, 128), k->reuse = 256 - ls_rng_below(rng, 128);
    k->mapped = 256 - ls_rng_below(rng, 96), k->pinned = ls_rng_chance(rng, 128) ? 0 : ls_rng_below(rng, 96);
    k->sources = 96 + ls_rng_below(rng, 160), k->load = ls_rng_below(rng, 192), k->store = ls_rng_below(rng, 128);
    k->queue = some(rng), k->room = some(rng), k->allow = 256 - ls_rng_below(rng, 96);
    k->hit = some(rng), k->wait = some(rng), k->port = some(rng), k->collector = some(rng);
}

static uint8_t byte_of(ls_rng *rng, uint32_t n) { return (uint8_t)ls_rng_value(rng, rf_index_bits(n)); }
static uint16_t preg_of(ls_rng *rng, const rf_wir_front_cfg *cfg) {
    return (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->pregs));
}

static void draw_issue(ls_rng *rng, const rf_wir_front_cfg *cfg, const knobs *k, rf_wir_front_in *in) {
    in->issue_valid = ls_rng_chance(rng, k->issue);
    in->issue.warp = byte_of(rng, cfg->warps), in->issue.port = byte_of(rng, cfg->exports);
    in->issue.tag = (uint16_t)ls_rng_value(rng, 16);
    in->issue.mask = (uint32_t)ls_mask(cfg->lanes);
    if (!ls_rng_chance(rng, k->convergent))
        in->issue.mask ^= ls_rng_chance(rng, 96) ? 1u << ls_rng_below(rng, cfg->lanes) : (uint32_t)ls_rng_value(rng, cfg->lanes);
    in->issue.dst_valid = ls_rng_chance(rng, 224), in->issue.dst = byte_of(rng, cfg->regs);
    in->issue.src_valid = (uint8_t)ls_rng_bits(rng, cfg->slots, k->sources);
    in->issue.reuse = ls_rng_chance(rng, k->reuse), in->issue.op = (uint8_t)ls_rng_value(rng, 8 - cfg->slots);
    in->issue.space = ls_rng_chance(rng, k->load) ? (uint8_t)(1 + ls_rng_below(rng, 3)) : 0;
    in->issue.store = ls_rng_chance(rng, k->store), in->issue.store_shared = ls_rng_chance(rng, 128);
    for (uint32_t i = 0; i < cfg->slots; i++) in->issue.src[i] = byte_of(rng, cfg->regs), in->issue.imm[i] = preg_of(rng, cfg);
}

static void draw_queue(ls_rng *rng, const rf_wir_front_cfg *cfg, rf_wir_front_in *in) {
    in->q.warp = byte_of(rng, cfg->warps), in->q.port = byte_of(rng, cfg->exports), in->q.dst = byte_of(rng, cfg->regs);
    in->q.tag = (uint16_t)ls_rng_value(rng, 16), in->q.opcode = (uint8_t)ls_rng_value(rng, 8);
    in->q.src_valid = (uint8_t)ls_rng_value(rng, cfg->slots), in->q.space = (uint8_t)ls_rng_below(rng, 4);
    in->q.old_valid = ls_rng_chance(rng, 128), in->q.old_preg = preg_of(rng, cfg), in->q.old_pin = ls_rng_chance(rng, 64);
    for (uint32_t i = 0; i < cfg->slots; i++) in->q.src[i] = byte_of(rng, cfg->regs), in->q.operand[i] = preg_of(rng, cfg);
}

/* All inputs are drawn anew in every cycle but who waits: an issue that was ignored stands, and so does the queue's head. */
static void draw(ls_rng *rng, const rf_wir_front_cfg *cfg, const knobs *k, const slow_out *last, rf_wir_front_in *in) {
    if (!in->issue_valid || last->ready || ls_rng_chance(rng, 32)) draw_issue(rng, cfg, k, in);
    if (!in->q_valid || last->retry || ls_rng_chance(rng, 32)) draw_queue(rng, cfg, in);
    in->q_valid = ls_rng_chance(rng, k->queue), in->q_ready = ls_rng_chance(rng, k->room);
    in->map_src_valid = (uint8_t)ls_rng_bits(rng, cfg->slots, k->mapped);
    in->map_src_pin = (uint8_t)ls_rng_bits(rng, cfg->slots, k->pinned);
    for (uint32_t i = 0; i < cfg->slots; i++) in->map_src_preg[i] = preg_of(rng, cfg);
    in->map_dst_valid = ls_rng_chance(rng, 160), in->map_dst_preg = preg_of(rng, cfg), in->map_dst_pin = ls_rng_chance(rng, 64);
    in->allow = ls_rng_chance(rng, k->allow), in->hit = ls_rng_chance(rng, k->hit), in->wait = ls_rng_chance(rng, k->wait);
    in->port = ls_rng_chance(rng, k->port), in->collector = ls_rng_chance(rng, k->collector);
}

static void run(const rf_wir_front_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    judge j;
    ls_rng rng;
    rf_wir_front m;
    slow_front s;
    slow_out now;
    knobs k;
    rf_wir_front_in in;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    memset(&now, 0, sizeof now);
    turn(&rng, &k);
    while (j.cycle < cycles) {
        if (j.cycle % 64 == 0) turn(&rng, &k);
        draw(&rng, cfg, &k, &now, &in);
        slow_comb(&s, &in, &now);
        count(&s, &in, &now, seen);
        step(&j, &m, &s, &in, &now);
        if (ls_rng_below(&rng, 512) == 0) {
            seen[RESET] += s.rn.there && s.ru.there;
            rf_wir_front_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void random_instructions(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < COUNT(sets); i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_wir_front"), lengths[i], seen);
        cycles += lengths[i];
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

static rf_wir_front front;
static rf_wir_front_in ask;
static rf_wir_front_out answer;

static void begin(void) {
    const rf_wir_front_cfg cfg = SET(8, 16, 4, 3, 2, 64, 1, 1);
    assert_int_equal(rf_wir_front_init(&front, &cfg), 0);
    memset(&ask, 0, sizeof ask);
}

static void cycle(void) {
    memset(&answer, 0xa5, sizeof answer);
    rf_wir_front_step(&front, &ask, &answer);
    memset(&ask, 0, sizeof ask);
}

/* "[Wn]add $dst,$r1,imm" of Figure 11: a register, an immediate value, no third operand. */
static void issue(uint32_t warp, uint32_t mask) {
    ask.issue_valid = 1, ask.issue.warp = (uint8_t)warp, ask.issue.tag = (uint16_t)(100 + warp), ask.issue.mask = mask;
    ask.issue.dst_valid = 1, ask.issue.dst = 9, ask.issue.src_valid = 1, ask.issue.src[0] = 5, ask.issue.src[1] = 7;
    ask.issue.reuse = 1, ask.issue.op = 0x16, ask.issue.imm[0] = 61, ask.issue.imm[1] = 62;
}

/* The rename table's answer: $r5 is $p33, $r9 was $p40. */
static void map(void) {
    ask.map_src_valid = 7, ask.map_src_preg[0] = 33, ask.map_src_preg[1] = 34, ask.map_src_preg[2] = 35, ask.map_src_pin = 6;
    ask.map_dst_valid = 1, ask.map_dst_preg = 40;
}

/* What the cycle showed of the lane. */
static void showed(uint32_t retry, uint32_t warp, rf_wir_act act, uint32_t leads) {
    assert_int_equal(answer.lane_valid, 1);
    assert_int_equal(answer.lane_retry, retry);
    assert_int_equal(answer.lane.warp, warp);
    assert_int_equal(answer.act, act);
    assert_int_equal(answer.leads, leads);
    assert_int_equal(answer.leaves, act != RF_WIR_NOTHING && act != RF_WIR_ROTATE);
}

/* V-B, V-C: issued, renamed, in the reuse stage: a cycle each. */
static void an_instruction_takes_a_cycle_a_stage(void **state) {
    (void)state;
    begin();
    issue(3, 15);
    cycle();
    assert_int_equal(answer.ready, 1);
    assert_int_equal(answer.rn_valid, 0);
    map();
    cycle();
    assert_int_equal(answer.moves, 1);
    assert_int_equal(answer.rn_valid, 1);
    assert_int_equal(answer.rn.warp, 3);
    assert_int_equal(answer.rn.src[1], 7);
    ask.allow = ask.hit = ask.collector = 1; /* and not the port */
    cycle();
    showed(0, 3, RF_WIR_NOTHING, 0);
    assert_int_equal(answer.rn.warp, 0);
    assert_int_equal(answer.lane.tag, 103);
    assert_int_equal(answer.lane.mapped, 1);
    assert_int_equal(answer.lane.opcode, 0x16 << 3 | 1);
    assert_int_equal(answer.lane.operand[0], 33);
    assert_int_equal(answer.lane.operand[1], 62);
    assert_int_equal(answer.lane.operand[2], 0);
    assert_int_equal(answer.lane.old_preg, 40);
    assert_int_equal(answer.want_port, 1);
    assert_int_equal(answer.want_collector, 0);
    ask.allow = ask.hit = ask.port = 1;
    cycle();
    showed(0, 3, RF_WIR_REUSE, 0);
    cycle();
    assert_int_equal(answer.lane_valid, 0);
    assert_int_equal(answer.lane.tag, 0);
    assert_int_equal(answer.ru.warp, 0);
}

/* V-D: "divergent instructions simply bypass reuse buffer access at the reuse stage". */
static void a_divergent_instruction_executes(void **state) {
    (void)state;
    begin();
    issue(1, 11);
    cycle();
    map();
    issue(2, 15);
    cycle();
    map();
    issue(4, 15); /* no room: nothing leaves */
    ask.allow = ask.hit = ask.port = 1;
    cycle();
    showed(0, 1, RF_WIR_NOTHING, 0);
    assert_int_equal(answer.ready, 0);
    assert_int_equal(answer.lane.mask, 11);
    assert_int_equal(answer.want_port, 0);
    assert_int_equal(answer.want_collector, 1);
    map();
    ask.allow = ask.hit = ask.collector = 1;
    cycle();
    showed(0, 1, RF_WIR_EXECUTE, 0);
    assert_int_equal(answer.ready, 1);
    ask.allow = ask.collector = 1;
    cycle();
    showed(0, 2, RF_WIR_EXECUTE, 1);
    assert_int_equal(answer.rn_valid, 0);
}

/* The second instruction, at the head of the pending queue. */
static void head(void) {
    ask.allow = ask.q_ready = ask.q_valid = 1, ask.q.warp = 1, ask.q.tag = 101, ask.q.src_valid = 1, ask.q.operand[0] = 33;
}

/* Figure 11 and VI-B: the first leads, the second waits in the queue, and is looked at when no new instruction is there. */
static void the_second_of_two_waits_and_retries(void **state) {
    (void)state;
    begin();
    issue(0, 15);
    cycle();
    map();
    issue(1, 15);
    cycle();
    map();
    ask.allow = ask.collector = 1;
    cycle();
    showed(0, 0, RF_WIR_EXECUTE, 1);
    ask.q_ready = ask.allow = ask.wait = ask.collector = 1;
    issue(2, 15);
    cycle();
    showed(0, 1, RF_WIR_QUEUE, 0);
    head(); /* the lane is free, and the third is on its way */
    map();
    ask.wait = ask.collector = 1;
    cycle();
    showed(1, 1, RF_WIR_ROTATE, 0);
    assert_int_equal(answer.lane.mapped, 1);
    assert_int_equal(answer.moves, 1);
    head();
    ask.wait = ask.collector = 1, ask.q_ready = 0;
    cycle();
    showed(0, 2, RF_WIR_EXECUTE, 0);
    head();
    ask.hit = ask.wait = ask.port = 1;
    cycle();
    showed(1, 1, RF_WIR_REUSE, 0);
    assert_int_equal(answer.lane.tag, 101);
}

/* Both registers full, every field with bits set, and the queue's head behind them. */
static void fill(judge *j, rf_wir_front *m, slow_front *s, rf_wir_front_in *in) {
    slow_out now;
    start(j, 0, m, s, &sets[6]);
    memset(in, 0xff, sizeof *in);
    in->issue.warp = in->q.warp = 63, in->issue.port = in->q.port = 7, in->issue.src_valid = 0x15, in->issue.op = 3;
    in->issue.space = in->q.space = 3, in->q.opcode = 0xff, in->map_src_valid = 0x3f, in->map_src_pin = 0, in->q.src_valid = 0x2a;
    in->issue_valid = in->issue.dst_valid = in->issue.reuse = in->issue.store = in->issue.store_shared = 1;
    in->map_dst_valid = in->map_dst_pin = in->q_ready = in->q_valid = in->q.old_valid = in->q.old_pin = 1;
    in->map_dst_preg = in->q.old_preg = 1000, in->allow = in->hit = in->wait = 1, in->port = in->collector = 0;
    for (uint32_t i = 0; i < SLOTS; i++) in->issue.imm[i] = in->map_src_preg[i] = in->q.operand[i] = (uint16_t)(1023 - i);
    for (uint32_t i = 0; i < 3; i++) step(j, m, s, in, &now);
    judge_passes(j);
    assert_true(s->rn.there && s->ru.there);
}

static void reset_clears_every_register(void **state) {
    judge j;
    rf_wir_front m;
    slow_front s;
    rf_wir_front_in in;
    (void)state;
    fill(&j, &m, &s, &in);
    rf_wir_front_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    assert_memory_equal(&m.cfg, &sets[6], sizeof m.cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_wir_front, sets);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    judge j;
    rf_wir_front m;
    slow_front s;
    slow_out now;
    rf_wir_front_in in;
    rf_wir_front_out out, other;
    (void)state;
    fill(&j, &m, &s, &in);
    memset(&out, 0xa5, sizeof out);
    memset(&other, 0x5a, sizeof other);
    rf_wir_front_comb(&m, &in, &out);
    rf_wir_front_comb(&m, &in, &other);
    slow_comb(&s, &in, &now);
    JUDGE_FLIPS(&j, rf_wir_front, LS_OUT, &m, &out, compare_out(&j, &s, &out, &now));
    JUDGE_FLIPS(&j, rf_wir_front, LS_STATE, &m, &m, compare_state(&j, &s, &m));
    judge_lists_all(&outputs, &out, &other, sizeof out);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instructions),
        cmocka_unit_test(an_instruction_takes_a_cycle_a_stage),
        cmocka_unit_test(a_divergent_instruction_executes),
        cmocka_unit_test(the_second_of_two_waits_and_retries),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_wir_front", tests, NULL, NULL);
}
