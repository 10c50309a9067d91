/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_wir_lane. The surroundings are played: few instructions over few registers, a reuse
 * buffer that answers at random, results that retire for warps of the group, warps that end. All of that with breaches of
 * protocol now and then. */
#include "cmodel/wir/rf_wir_lane.h"

#include "harness/core/unit.h"
#include "tb/wir/env/rf_wir_carried.h"

/* Probabilities in 256ths. */
typedef struct rf_wir_lane_stim {
    ls_rng rng;
    uint32_t issue;   /* an instruction, while one is taken */
    uint32_t full;    /* it has all lanes active */
    uint32_t reuse;   /* it may be reused */
    uint32_t load;    /* it loads */
    uint32_t sources; /* density of sources */
    uint32_t pinned;  /* a result pins its register */
    uint32_t allow, hit, wait;
    uint32_t port, collector; /* the lane gets it */
    uint32_t reserve;         /* who leads reserves its entry */
    uint32_t done;            /* a result retires */
    uint32_t walk;            /* a step of a release is taken */
    uint32_t clear;           /* a warp's mappings are to be released, in 4096ths */
    uint32_t regs;            /* logical registers in use */
    uint32_t warps;           /* warps of the group in use */
    uint32_t illegal;         /* each breach of protocol */
} rf_wir_lane_stim;

static void stim_init(rf_wir_lane_stim *s, const rf_wir_lane *m, uint64_t seed) {
    const rf_wir_lane_cfg *cfg = &m->cfg;
    const uint32_t group = cfg->warps / cfg->issues;
    *s = (rf_wir_lane_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->issue = 96 + ls_rng_below(&s->rng, 161);
    s->full = 160 + ls_rng_below(&s->rng, 97);
    s->reuse = 128 + ls_rng_below(&s->rng, 120);
    s->load = 16 + ls_rng_below(&s->rng, 112);
    s->sources = 64 + ls_rng_below(&s->rng, 160);
    s->pinned = 4 + ls_rng_below(&s->rng, 60);
    s->allow = 160 + ls_rng_below(&s->rng, 92);
    s->hit = 16 + ls_rng_below(&s->rng, 128);
    s->wait = 16 + ls_rng_below(&s->rng, 160);
    s->port = 64 + ls_rng_below(&s->rng, 180);
    s->collector = 64 + ls_rng_below(&s->rng, 180);
    s->reserve = 64 + ls_rng_below(&s->rng, 180);
    s->done = 16 + ls_rng_below(&s->rng, 200);
    s->walk = 64 + ls_rng_below(&s->rng, 193);
    s->clear = 4u << ls_rng_below(&s->rng, 6);
    s->regs = ls_rng_chance(&s->rng, 128) ? cfg->regs : 1 + ls_rng_below(&s->rng, 8);
    s->warps = ls_rng_chance(&s->rng, 128) ? group : 1 + ls_rng_below(&s->rng, 3);
    if (s->regs > cfg->regs) s->regs = cfg->regs;
    if (s->warps > group) s->warps = group;
    s->illegal = 2 + ls_rng_below(&s->rng, 24);
}

/* A warp of the group; now and then any value of its bits. The group is that of the remainder 0. */
static uint8_t draw_warp(rf_wir_lane_stim *s, const rf_wir_lane_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->illegal)) return (uint8_t)ls_rng_value(&s->rng, rf_index_bits(cfg->warps));
    return (uint8_t)(ls_rng_below(&s->rng, s->warps) * cfg->issues);
}

static uint8_t draw_dst(rf_wir_lane_stim *s, const rf_wir_lane_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->illegal)) return (uint8_t)ls_rng_value(&s->rng, rf_index_bits(cfg->regs));
    return (uint8_t)ls_rng_below(&s->rng, s->regs);
}

static uint16_t draw_preg(rf_wir_lane_stim *s, const rf_wir_lane_cfg *cfg) {
    return (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
}

static void draw_issue(rf_wir_lane_stim *s, const rf_wir_lane_cfg *cfg, rf_wir_lane_in *in) {
    ls_rng *const rng = &s->rng;
    in->issue.warp = draw_warp(s, cfg);
    rf_wir_draw_carried(rng, &in->issue.common);
    in->issue.port = (uint8_t)ls_rng_value(rng, rf_index_bits(cfg->exports));
    in->issue.mask = (uint32_t)(ls_rng_chance(rng, s->full) ? rf_mask64(cfg->lanes) : ls_rng_value(rng, cfg->lanes));
    in->issue.dst_valid = ls_rng_chance(rng, 224);
    in->issue.dst = draw_dst(s, cfg);
    in->issue.src_valid = (uint8_t)ls_rng_bits(rng, cfg->slots, s->sources);
    in->issue.reuse = ls_rng_chance(rng, s->reuse);
    in->issue.op = (uint8_t)ls_rng_value(rng, 8 - cfg->slots);
    in->issue.space = (uint8_t)(ls_rng_chance(rng, s->load) ? ls_rng_below(rng, 4) : RF_SPACE_NONE);
    in->issue.store = ls_rng_chance(rng, 48);
    in->issue.store_shared = ls_rng_chance(rng, 128);
    for (uint32_t i = 0; i < cfg->slots; i++) {
        in->issue.src[i] = draw_dst(s, cfg);
        in->issue.imm[i] = draw_preg(s, cfg);
    }
    if (in->issue.mask != 0 || ls_rng_chance(rng, s->illegal)) return;
    in->issue.dst_valid = 0; /* D-mask */
    in->issue.src_valid = 0;
}

/* A result that retires. */
static void draw_done(rf_wir_lane_stim *s, const rf_wir_lane_cfg *cfg, rf_wir_lane_in *in) {
    in->done = ls_rng_chance(&s->rng, s->done);
    if (!in->done && !ls_rng_chance(&s->rng, 64)) return;
    in->done_warp = draw_warp(s, cfg);
    in->done_dst = draw_dst(s, cfg);
    in->done_reg = draw_preg(s, cfg);
    in->done_old = (uint16_t)((uint32_t)draw_preg(s, cfg) << 2 | (uint32_t)ls_rng_chance(&s->rng, 160) << 1 |
                              (uint32_t)ls_rng_chance(&s->rng, s->pinned));
}

/* What the surroundings answer depends on what the unit asks: a model is asked before. */
static void stim(rf_wir_lane_stim *s, const rf_wir_lane *m, rf_wir_lane_in *in) {
    const rf_wir_lane_cfg *cfg = &m->cfg;
    ls_rng *const rng = &s->rng;
    rf_wir_lane_out out;
    const bool illegal = ls_rng_chance(rng, s->illegal);
    in->issue_valid = ls_rng_chance(rng, s->issue);
    draw_issue(s, cfg, in);
    in->clear = 0;
    for (uint32_t w = 0; w < cfg->warps / cfg->issues; w++)
        in->clear |= (uint64_t)(ls_rng_below(rng, cfg->warps < 4 ? 512 : 4096) < s->clear) << w;
    in->allow = ls_rng_chance(rng, s->allow);
    in->hit = ls_rng_chance(rng, s->hit);
    in->wait = ls_rng_chance(rng, s->wait);
    in->result = draw_preg(s, cfg);
    in->port = in->collector = in->walk = in->done = in->reserved = 0;
    rf_wir_lane_comb(m, in, &out);
    /* One thing a cycle through the rename port: a hit, a release, or a result. */
    in->port = (out.want_port || illegal) && ls_rng_chance(rng, s->port);
    in->walk = !in->port && (out.walk_valid || illegal) && ls_rng_chance(rng, s->walk);
    if (illegal && out.walk_valid) in->port = 0, in->walk = 1; /* small tables seldom have a mapping to release */
    if ((!in->port && !in->walk) || illegal) draw_done(s, cfg, in);
    in->collector = (out.want_collector || illegal) && ls_rng_chance(rng, s->collector);
    rf_wir_lane_comb(m, in, &out);
    in->reserved = (out.leads || illegal) && ls_rng_chance(rng, s->reserve);
}

/* clang-format off */
#define BINS(X)                                                                                                                  \
    X(ISSUE, "an instruction is taken")                                                                                          \
    X(REFUSED, "an instruction is not taken")                                                                                    \
    X(EXECUTE, "an instruction of the reuse register executes")                                                                  \
    X(NO_COLLECTOR, "it finds no collector")                                                                                     \
    X(STORE, "a store moves on")                                                                                                 \
    X(ODD_WARP, "an instruction of a warp that does not exist is renamed")                                                       \
    X(FULL_FRONT, "rename and reuse register hold loads")                                                                        \
    X(LOOKUP, "an instruction looks up")                                                                                         \
    X(LEADS, "an instruction reserves its entry")                                                                                \
    X(NOT_RESERVED, "one that leads does not")                                                                                   \
    X(REUSED, "an instruction retires with an earlier result")                                                                   \
    X(REUSED_OLD, "whose destination was mapped")                                                                                \
    X(REUSED_NEW, "whose destination was not")                                                                                   \
    X(HIT_WAITS, "a hit waits for the rename port")                                                                              \
    X(NOT_MAPPED, "a source is not mapped")                                                                                      \
    X(PINNED, "a source is pinned")                                                                                              \
    X(OLD_PINNED, "the old mapping is pinned")                                                                                   \
    X(FORWARD, "the renamed instruction's destination is written as it moves on")                                                \
    X(DONE, "a result retires")                                                                                                  \
    X(DONE_PINS, "and pins its register")                                                                                        \
    X(DONE_ENDS, "and its old mapping's reference ends")                                                                         \
    X(DONE_KEEPS, "or does not")                                                                                                 \
    X(DONE_BESIDE, "a result and a reuse hit at once")                                                                           \
    X(ODD_DONE, "a result of a warp that does not exist")                                                                        \
    X(WALK, "a mapping is released")                                                                                             \
    X(WALK_WAITS, "a release waits")                                                                                             \
    X(WALK_DONE, "a mapping is released while a result retires")                                                                 \
    X(STRAY_WALK, "a release takes a step where none is")                                                                        \
    X(CLEAR_WALKING, "a warp is to be released while one is")                                                                    \
    X(QUEUED, "an instruction goes to the queue")                                                                                \
    X(QUEUE_FULL, "the queue is full: it executes")                                                                              \
    X(ROTATE, "the head goes to the tail")                                                                                       \
    X(HEAD_REUSED, "the head retires")                                                                                           \
    X(HEAD_EXECUTES, "the head executes")                                                                                        \
    X(ALL_PLACES, "an instruction at every place")                                                                               \
    X(STRAY_RESERVED, "an entry is reserved that nobody asked for")
/* clang-format on */

#define BIN_NAME(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

static uint64_t bin(bool hit, uint32_t n) { return (uint64_t)hit << n; }

static uint64_t lane_bins(const rf_wir_lane *m, const rf_wir_lane_in *in, const rf_wir_lane_out *out) {
    const rf_wir_front *f = &m->front;
    const uint32_t places = rf_wir_lane_places(&m->cfg);
    const bool head = !f->ru_valid_q && m->cfg.retry != 0 && m->cfg.reuse != 0 && m->queue.level_q != 0,
               there = f->ru_valid_q || head;
    const bool executes = out->leaves && !out->reused && out->want_collector;
    const bool waits = there && out->lk_valid && in->wait && !in->hit && m->cfg.retry != 0;
    uint64_t seen = bin(executes && !head, EXECUTE) | bin(out->want_collector && !in->collector, NO_COLLECTOR);
    seen |= bin(out->lk_valid, LOOKUP) | bin(out->leads && in->reserved, LEADS) | bin(out->leads && !in->reserved, NOT_RESERVED);
    seen |= bin(out->reused, REUSED) | bin(out->reused && out->lane.old_valid, REUSED_OLD);
    seen |= bin(out->reused && !out->lane.old_valid, REUSED_NEW) | bin(out->want_port && !in->port, HIT_WAITS);
    seen |= bin(there && (out->lane.src_valid & ~out->lane.mapped) != 0, NOT_MAPPED) |
            bin(out->lane.old_valid && out->lane.old_pin, OLD_PINNED);
    seen |= bin(waits && !head && !out->want_collector, QUEUED) | bin(waits && !head && out->want_collector, QUEUE_FULL);
    seen |= bin(waits && head, ROTATE) | bin(head && out->reused, HEAD_REUSED) | bin(head && executes, HEAD_EXECUTES);
    seen |= bin(places <= 6 ? out->at_valid == rf_mask64(places) : (out->at_valid & 63) == 63, ALL_PLACES);
    return seen | bin(in->reserved && !out->leads, STRAY_RESERVED);
}

static uint64_t bins(const rf_wir_lane *m, const rf_wir_lane_in *in, const rf_wir_lane_out *out) {
    const rf_wir_lane_cfg *cfg = &m->cfg;
    const rf_wir_front *f = &m->front;
    uint64_t seen = bin(in->issue_valid && out->ready, ISSUE) | bin(in->issue_valid && !out->ready, REFUSED);
    seen |= bin(out->st_valid, STORE) | bin(f->rn_valid_q && f->rn_q.warp >= cfg->warps, ODD_WARP);
    seen |= bin(out->at[0].load && out->at[1].load, FULL_FRONT) | lane_bins(m, in, out);
    if (cfg->reuse == 0) return seen;
    const uint32_t group = rf_index_bits(cfg->warps / cfg->issues),
                   local = f->rn_q.warp / cfg->issues & (uint32_t)rf_mask64(group);
    if (f->rn_valid_q && local < cfg->warps / cfg->issues && f->rn_q.dst < cfg->regs) {
        for (uint32_t i = 0; i < cfg->slots; i++) {
            const uint32_t r = f->rn_q.src[i];
            if ((f->rn_q.src_valid >> i & 1) == 0 || r >= cfg->regs) continue;
            seen |= bin(rf_rename_has(&m->rename, m->rename.pin_q, local, r), PINNED);
        }
        const bool moves = f->rn_valid_q && (!f->ru_valid_q || out->leaves), same = in->done_warp == f->rn_q.warp;
        seen |= bin(moves && in->done && same && in->done_dst == f->rn_q.dst && f->rn_q.dst_valid, FORWARD);
    }
    const bool walks = in->walk && out->walk_valid;
    seen |= bin(in->done, DONE) | bin(in->done && (in->done_old & 1), DONE_PINS) | bin(in->done && (in->done_old & 2), DONE_ENDS);
    seen |= bin(in->done && !(in->done_old & 2), DONE_KEEPS) | bin(in->done && out->reused, DONE_BESIDE);
    seen |=
        bin(in->done && in->done_warp >= cfg->warps, ODD_DONE) | bin(walks, WALK) | bin(out->walk_valid && !in->walk, WALK_WAITS);
    seen |= bin(walks && in->done, WALK_DONE) | bin(in->walk && !out->walk_valid, STRAY_WALK);
    return seen | bin(in->clear != 0 && out->walking != 0, CLEAR_WALKING);
}

#define SMALL "WARPS=6 REGS=5 LANES=2 SLOTS=2 PREGS=13 QUEUE=2"
#define PLAIN "WARPS=6 ISSUES=3 REGS=7 LANES=2 SLOTS=2 BANKS=4 PREGS=40 REUSE=0"

static void unreachable(const rf_wir_lane_cfg *cfg, ls_unreachable *to) {
    const bool warps = cfg->warps == UINT32_C(1) << rf_index_bits(cfg->warps);
    ls_unreachable_if(to, warps, ODD_WARP, "the warps fill the port: it names no other");
    ls_unreachable_if(to, warps, ODD_DONE, "the warps fill the port: it names no other");
    for (uint32_t b = FULL_FRONT + 1; b < BIN_COUNT; b++)
        ls_unreachable_if(to, cfg->reuse == 0 && b != ALL_PLACES && b != STRAY_RESERVED, b, "no reuse");
    for (uint32_t b = QUEUED; b < ALL_PLACES; b++) ls_unreachable_if(to, cfg->retry == 0, b, "no queue for a retry");
}

static const ls_fault faults[] = {
    {"the table is not asked for the warp's number in the group", NULL, "rf_wir_pkg::local_of(6'(rn_warp), 3'(ISSUES))",
     "rn_warp", "u_front.ru_q.operand", SMALL},
    {"a mapping goes to the table of the warp before", NULL, "local_of(6'(warp),", "local_of(6'(warp) - 6'(ISSUES),",
     "gen_reuse.u_rename.valid_q", SMALL},
    {"a warp that does not exist is mapped", NULL, "(reused_o || done_i) && {1'b0, warp} < (WARP_W + 1)'(WARPS)",
     "(reused_o || done_i)", "gen_reuse.u_rename.preg_q", "WARPS=6 ISSUES=3 REGS=5 LANES=2 SLOTS=2 PREGS=13 QUEUE=2"},
    {"a reuse hit writes no mapping", NULL, ".wr_valid_i((reused_o || done_i) &&", ".wr_valid_i(done_i &&",
     "gen_reuse.u_rename.preg_q", SMALL},
    {"a result writes no mapping", NULL, ".wr_valid_i((reused_o || done_i) &&", ".wr_valid_i(reused_o &&",
     "gen_reuse.u_rename.valid_q", SMALL},
    {"a reuse hit pins", NULL, ".wr_pin_i(!reused_o && done_pin)", ".wr_pin_i(done_pin)", "gen_reuse.u_rename.pin_q", SMALL},
    {"a new partial mapping is not pinned", NULL, ".wr_pin_i(!reused_o && done_pin)", ".wr_pin_i(1'b0 && done_pin)",
     "gen_reuse.u_rename.pin_q", SMALL},
    {"a reuse hit maps the result's register", NULL, "reused_o ? lane_dst : done_dst_i", "done_dst_i",
     "gen_reuse.u_rename.preg_q", SMALL},
    {"a reuse hit maps its own old register", NULL, "preg = reused_o ? result_i : done_reg_i",
     "preg = reused_o ? old_preg : done_reg_i", "gen_reuse.u_rename.preg_q", SMALL},
    {"the result beats the reuse hit", NULL, "warp = reused_o ? lane_warp : done_warp_i",
     "warp = done_i ? done_warp_i : lane_warp", "gen_reuse.u_rename.preg_q", SMALL},
    {"a release takes a step by itself", NULL, ".walk_i(walk_i)", ".walk_i(walk_i || walk_valid_o)", "gen_reuse.u_rename.valid_q",
     SMALL},
    {"warps are never released", NULL, ".clear_i(clear_i)", ".clear_i('0 & clear_i)", "gen_reuse.u_rename.walking_q", SMALL},
    {"a destination's pin is forgotten", NULL, ".map_dst_pin_i(map_dst_pin)", ".map_dst_pin_i(1'b0 && map_dst_pin)",
     "u_front.ru_q.old_pin", SMALL},
    {"pinned sources look up", NULL, ".map_src_pin_i(map_src_pin)", ".map_src_pin_i('0 & map_src_pin)", "u_front.ru_look_q",
     SMALL},
    {"the queue keeps what leaves", NULL, ".pop_i(leaves_o && lane_retry)", ".pop_i(reused_o && lane_retry)",
     "gen_retry.u_queue.rd_ptr_q", SMALL},
    {"the head stays at the head", NULL, ".rotate_i(act == rf_wir_pkg::ACT_ROTATE)", ".rotate_i(1'b0)",
     "gen_retry.u_queue.rd_ptr_q", SMALL},
    {"what goes to the queue is lost", NULL, ".push_i(act == rf_wir_pkg::ACT_QUEUE)",
     ".push_i(act == rf_wir_pkg::ACT_QUEUE && !done_i)", "gen_retry.u_queue.level_q", SMALL},
    {"the queue forgets the old mapping", NULL, ".entry_i(lane[LANE_W-1 -: RENAMED_W])",
     ".entry_i(lane[LANE_W-1 -: RENAMED_W] & ~RENAMED_W'(2))", "gen_retry.u_queue.entry_q.old_valid", SMALL},
    {"rename and reuse register change places", NULL, "at_valid_o[1:0]     = {ru_valid, rn_valid}",
     "at_valid_o[1:0]     = {rn_valid, ru_valid}", "at_valid", SMALL},
    {"loads in the reuse register are not seen", NULL, "= {ru, rn}", "= {ru & ~READS_W'(1), rn}", "at.load", SMALL},
    {"sources of an entry that is not reserved are counted", NULL, "(reserved_i && names[s])", "(leads_o && names[s])", "inc",
     SMALL},
    {"slots without source are counted", NULL, "(reserved_i && names[s])", "reserved_i", "inc", SMALL},
    {"a reused register is not counted", NULL, "shared   = s == 0 && reused_o", "shared   = 1'b0 && s == 0 && reused_o", "inc",
     SMALL},
    {"a reused register is counted in the last port", NULL, "shared   = s == 0 && reused_o",
     "shared   = s == SLOTS - 1 && reused_o", "inc", SMALL},
    {"the old mapping of a reuse hit keeps its reference", NULL, "(reused_o ? old_valid : done_i && done_ends)",
     "(!reused_o && done_i && done_ends)", "dec", SMALL},
    {"a register in place loses its reference", NULL, "done_i && done_ends)", "done_i)", "dec", SMALL},
    {"a release ends the result's old register", NULL, "(walks ? walk_preg : reused_o", "(reused_o", "dec_reg", SMALL},
    {"a step where none is ends a reference", NULL, "walks     = walk_i && walk_valid_o", "walks     = walk_i", "dec_reg", SMALL},
    {"REUSE 0: D-map's register without the bank of the warp", NULL, "rf_banked_pkg::map_bank(warp,",
     "rf_banked_pkg::map_bank(6'd0,", "u_front.ru_q.operand", PLAIN},
    {"REUSE 0: instructions look up", NULL, "REUSE != 0 && issue.reuse", "issue.reuse", "u_front.rn_q.reuse", PLAIN},
    {0},
};
#undef SMALL
#undef PLAIN

static const char *const sets[] = {"",
                                   "WARPS=6 REGS=5 LANES=2 SLOTS=2 PREGS=13 QUEUE=2",
                                   "WARPS=1 ISSUES=1 REGS=1 LANES=1 SLOTS=1 EXPORTS=1 PREGS=2 QUEUE=1",
                                   "WARPS=6 ISSUES=3 REGS=7 LANES=3 SLOTS=2 EXPORTS=3 PREGS=17 QUEUE=3 LOADS=0",
                                   "WARPS=64 ISSUES=4 REGS=256 LANES=4 SLOTS=6 EXPORTS=8 PREGS=100 RETRY=0",
                                   "WARPS=6 ISSUES=3 REGS=7 LANES=2 SLOTS=2 BANKS=4 PREGS=40 REUSE=0",
                                   NULL};
/* REUSE 0. */
LS_LIST_LIKE(rf_wir_plain_front, rf_wir_front) {
    ls_fields_constant(fields, LS_STATE, "rn_q.reuse", true, "nothing is reused");
    ls_fields_constant(fields, LS_STATE, "ru_look_q", true, "nothing is reused");
    ls_fields_constant(fields, LS_STATE, "ru_q.old_valid", true, "nothing is renamed");
    ls_fields_constant(fields, LS_STATE, "ru_q.old_preg", true, "nothing is renamed");
    ls_fields_constant(fields, LS_STATE, "ru_q.old_pin", true, "nothing is renamed");
}

/* LOADS 0. */
LS_LIST_LIKE(rf_wir_loadless_queue, rf_pending_queue) {
    ls_fields_constant(fields, LS_STATE, "entry_q.space", true, "no load looks the reuse buffer up");
}

static const char *const rtl[] = {"rtl/common/rf_pkg.sv",
                                  "rtl/banked/rf_banked_pkg.sv",
                                  "rtl/wir/rf_wir_pkg.sv",
                                  "rtl/wir/rf_rename.sv",
                                  "rtl/wir/rf_pending_queue.sv",
                                  "rtl/wir/rf_wir_front.sv",
                                  NULL};

#define LS_UNIT rf_wir_lane
#define LS_GROUP "wir"
#define LS_BRIEF "rename and reuse of an issue group: front end, rename tables, pending queue"
#define LS_FIELDS "tb/wir/rf_wir_lane.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
