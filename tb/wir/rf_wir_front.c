/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_wir_front. */
#include "cmodel/wir/rf_wir_front.h"

#include "harness/core/unit.h"
#include "tb/wir/env/rf_wir_carried.h"

typedef struct rf_wir_front_stim {
    ls_rng rng;
    uint32_t issue;   /* probability of an instruction for a register that takes one, in 256ths, like all here */
    uint32_t full;    /* all lanes active */
    uint32_t reuse;   /* it may be reused */
    uint32_t load;    /* it loads */
    uint32_t sources; /* density of sources */
    uint32_t mapped;  /* of mapped registers */
    uint32_t pinned;  /* of pinned ones */
    uint32_t queued;  /* the queue gets a head, when it has none */
    uint32_t room;    /* it has room */
    uint32_t allow, hit, wait;
    uint32_t port, collector; /* the lane gets it; more often when it wants it */
    uint32_t illegal;         /* each breach of protocol */
} rf_wir_front_stim;

static void stim_init(rf_wir_front_stim *s, const rf_wir_front *m, uint64_t seed) {
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->issue = 96 + ls_rng_below(&s->rng, 161);
    s->full = 128 + ls_rng_below(&s->rng, 120);
    s->reuse = 128 + ls_rng_below(&s->rng, 120);
    s->load = 16 + ls_rng_below(&s->rng, 112);
    s->sources = 64 + ls_rng_below(&s->rng, 160);
    s->mapped = 160 + ls_rng_below(&s->rng, 92);
    s->pinned = 4 + ls_rng_below(&s->rng, 60);
    s->queued = ls_rng_chance(&s->rng, 64) ? 256 : 16 + ls_rng_below(&s->rng, 128);
    s->room = 64 + ls_rng_below(&s->rng, 184);
    s->allow = 160 + ls_rng_below(&s->rng, 92);
    s->hit = 16 + ls_rng_below(&s->rng, 128);
    s->wait = 16 + ls_rng_below(&s->rng, 128);
    s->port = 64 + ls_rng_below(&s->rng, 180);
    s->collector = 64 + ls_rng_below(&s->rng, 180);
    s->illegal = 4 + ls_rng_below(&s->rng, 40);
}

/* An index below `n`; now and then any value of its bits: it is carried along. */
static uint32_t draw_index(ls_rng *rng, uint32_t n) {
    return ls_rng_chance(rng, 8) ? (uint32_t)ls_rng_value(rng, rf_index_bits(n)) : ls_rng_below(rng, n);
}

static void draw_issue(rf_wir_front_stim *s, const rf_wir_front_cfg *cfg, rf_wir_front_in *in) {
    ls_rng *const rng = &s->rng;
    in->issue.warp = (uint8_t)draw_index(rng, cfg->warps);
    rf_wir_draw_carried(rng, &in->issue.common);
    in->issue.port = (uint8_t)draw_index(rng, cfg->exports);
    in->issue.mask = (uint32_t)(ls_rng_chance(rng, s->full) ? rf_mask64(cfg->lanes) : ls_rng_value(rng, cfg->lanes));
    in->issue.dst_valid = ls_rng_chance(rng, 224);
    in->issue.dst = (uint8_t)draw_index(rng, cfg->regs);
    in->issue.src_valid = (uint8_t)(ls_rng_chance(rng, 32) ? rf_mask64(cfg->slots) : ls_rng_bits(rng, cfg->slots, s->sources));
    in->issue.reuse = ls_rng_chance(rng, s->reuse);
    in->issue.op = (uint8_t)ls_rng_value(rng, 8 - cfg->slots);
    in->issue.space = (uint8_t)(ls_rng_chance(rng, s->load) ? ls_rng_below(rng, 4) : RF_SPACE_NONE);
    in->issue.store = ls_rng_chance(rng, 48);
    in->issue.store_shared = ls_rng_chance(rng, 128);
    for (uint32_t i = 0; i < cfg->slots; i++) {
        in->issue.src[i] = (uint8_t)draw_index(rng, cfg->regs);
        in->issue.imm[i] = (uint16_t)ls_rng_value(rng, rf_index_bits(cfg->pregs));
    }
    if (in->issue.mask != 0 || ls_rng_chance(rng, s->illegal)) return;
    in->issue.dst_valid = 0; /* D-mask */
    in->issue.src_valid = 0;
}

/* What the rename table says of the instruction that is in the rename register. */
static void draw_map(rf_wir_front_stim *s, const rf_wir_front_cfg *cfg, rf_wir_front_in *in) {
    in->map_src_valid =
        (uint8_t)(ls_rng_chance(&s->rng, 96) ? rf_mask64(cfg->slots) : ls_rng_bits(&s->rng, cfg->slots, s->mapped));
    in->map_src_pin = (uint8_t)(ls_rng_bits(&s->rng, cfg->slots, s->pinned) & in->map_src_valid);
    for (uint32_t i = 0; i < cfg->slots; i++)
        in->map_src_preg[i] = (uint16_t)(in->map_src_valid >> i & 1 ? draw_index(&s->rng, cfg->pregs) : 0);
    in->map_dst_valid = ls_rng_chance(&s->rng, s->mapped);
    in->map_dst_preg = (uint16_t)(in->map_dst_valid ? draw_index(&s->rng, cfg->pregs) : 0);
    in->map_dst_pin = in->map_dst_valid && ls_rng_chance(&s->rng, s->pinned);
    if (!ls_rng_chance(&s->rng, s->illegal)) return;
    in->map_src_pin = (uint8_t)ls_rng_value(&s->rng, cfg->slots); /* pins and registers of what is not mapped */
    in->map_src_preg[0] = (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
    in->map_dst_preg = (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
    in->map_dst_pin = ls_rng_chance(&s->rng, 128);
}

static void draw_head(rf_wir_front_stim *s, const rf_wir_front_cfg *cfg, rf_wir_front_in *in) {
    ls_rng *const rng = &s->rng;
    in->q.warp = (uint8_t)draw_index(rng, cfg->warps);
    rf_wir_draw_carried(rng, &in->q.common);
    in->q.port = (uint8_t)draw_index(rng, cfg->exports);
    in->q.dst = (uint8_t)draw_index(rng, cfg->regs);
    in->q.src_valid = (uint8_t)ls_rng_bits(rng, cfg->slots, s->sources);
    in->q.opcode = (uint8_t)((uint32_t)ls_rng_value(rng, 8 - cfg->slots) << cfg->slots | in->q.src_valid);
    for (uint32_t i = 0; i < cfg->slots; i++) {
        in->q.src[i] = (uint8_t)draw_index(rng, cfg->regs);
        in->q.operand[i] = (uint16_t)draw_index(rng, cfg->pregs);
    }
    in->q.space = (uint8_t)(ls_rng_chance(rng, s->load) ? ls_rng_below(rng, 4) : RF_SPACE_NONE);
    in->q.old_valid = ls_rng_chance(rng, s->mapped);
    in->q.old_preg = (uint16_t)draw_index(rng, cfg->pregs);
    in->q.old_pin = ls_rng_chance(rng, s->pinned);
}

static void stim(rf_wir_front_stim *s, const rf_wir_front *m, rf_wir_front_in *in) {
    const rf_wir_front_cfg *const cfg = &m->cfg;
    rf_wir_front_out out;
    rf_wir_front_in probe;

    /* A head stays until it is done with, as in the queue; a rotation shows another one. */
    if (!in->q_valid || ls_rng_chance(&s->rng, m->ru_valid_q ? 8 : 128)) {
        in->q_valid = ls_rng_chance(&s->rng, s->queued);
        draw_head(s, cfg, in); /* without a head too: nothing of it may be seen then */
    }
    in->q_ready = ls_rng_chance(&s->rng, s->room);
    if (ls_rng_chance(&s->rng, 200)) draw_map(s, cfg, in);
    /* The buffer's answer to what waits in the lane seldom changes. */
    if (ls_rng_chance(&s->rng, 160)) {
        in->allow = ls_rng_chance(&s->rng, s->allow);
        in->hit = ls_rng_chance(&s->rng, s->hit);
        in->wait = (!in->hit || ls_rng_chance(&s->rng, s->illegal)) && ls_rng_chance(&s->rng, s->wait);
    }
    probe = *in;
    probe.port = probe.collector = 0;
    rf_wir_front_comb(m, &probe, &out);
    in->port = ls_rng_chance(&s->rng, out.want_port ? s->port : s->illegal);
    in->collector = ls_rng_chance(&s->rng, out.want_collector ? s->collector : s->illegal);
    rf_wir_front_comb(m, in, &out);
    in->issue_valid = ls_rng_chance(&s->rng, out.ready ? s->issue : s->illegal);
    if (in->issue_valid || ls_rng_chance(&s->rng, 64)) draw_issue(s, cfg, in);
}

static const char *const bin_names[] = {"an instruction issues",
                                        "it issues as the one before moves on",
                                        "it is not taken",
                                        "it has mask 0",
                                        "both registers empty",
                                        "both registers wait",
                                        "rename moves on into an empty reuse register",
                                        "rename moves on as the one before leaves",
                                        "a store to global memory moves on",
                                        "a store to scratchpad moves on",
                                        "a store waits in the rename register",
                                        "renamed: it may look up, without sources",
                                        "renamed: it may look up, with every source",
                                        "renamed: no look-up, may not be reused",
                                        "renamed: no look-up, without destination",
                                        "renamed: no look-up, not all lanes",
                                        "renamed: no look-up, a source is not mapped",
                                        "renamed: no look-up, a source is pinned",
                                        "renamed: a load may look up",
                                        "renamed: no look-up, loads do not",
                                        "renamed: pin of a slot without source",
                                        "renamed: the destination was mapped",
                                        "renamed: it was pinned",
                                        "renamed: no destination, but the table has one",
                                        "lane empty",
                                        "lane empty, answers without an instruction",
                                        "no head, but the queue shows something",
                                        "head waits behind the reuse register",
                                        "look-up not allowed",
                                        "hit or wait without a look-up",
                                        "hit and wait",
                                        "hit gets the port",
                                        "hit waits for the port",
                                        "hit, a collector not asked for",
                                        "to the queue",
                                        "no room in the queue: executes",
                                        "no room in the queue: waits for a collector",
                                        "executes as a leader",
                                        "executes without a look-up",
                                        "waits for a collector",
                                        "no hit, a port not asked for",
                                        "head: hit gets the port",
                                        "head: hit waits for the port",
                                        "head: to the tail",
                                        "head: executes as a leader",
                                        "head: executes without a look-up",
                                        "head: waits for a collector",
                                        "head leaves as an instruction arrives",
                                        "pending-retry off: a wait executes",
                                        "pending-retry off: a head not looked at",
                                        NULL};

static uint64_t bins(const rf_wir_front *m, const rf_wir_front_in *in, const rf_wir_front_out *out) {
    const rf_wir_front_cfg *const cfg = &m->cfg;
    const bool retry = cfg->retry != 0, loads = cfg->loads != 0;
    const uint32_t all = (uint32_t)rf_mask64(cfg->lanes), every = (uint32_t)rf_mask64(cfg->slots);
    const bool moves = out->moves, ru = out->ru_valid, head = out->lane_retry, lk = out->lk_valid;
    const uint32_t src = m->rn_q.src_valid;
    /* The conditions of a look-up, each alone. */
    const bool c_reuse = m->rn_q.reuse, c_dst = m->rn_q.dst_valid, c_mask = m->rn_q.mask == all,
               c_mapped = (src & ~(uint32_t)in->map_src_valid) == 0, c_pin = (src & in->map_src_pin) == 0,
               c_space = m->rn_q.space == RF_SPACE_NONE || loads;
    const bool looks = moves && c_reuse && c_dst && c_mask && c_mapped && c_pin && c_space;
    const bool hit = lk && in->hit, wait = lk && in->wait && !in->hit;
    uint64_t b = 0;
    uint32_t i = 0;
#define BIN(condition) b |= (uint64_t)(condition) << i++
    BIN(in->issue_valid && out->ready);
    BIN(in->issue_valid && moves);
    BIN(in->issue_valid && !out->ready);
    BIN(in->issue_valid && out->ready && in->issue.mask == 0);
    BIN(!out->rn_valid && !ru);
    BIN(out->rn_valid && ru && !out->leaves);
    BIN(moves && !ru);
    BIN(moves && ru);
    BIN(out->st_valid && !out->st_shared);
    BIN(out->st_shared);
    BIN(out->rn_valid && m->rn_q.store && !moves);
    BIN(looks && src == 0);
    BIN(looks && src == every);
    BIN(moves && !c_reuse && c_dst && c_mask && c_mapped && c_pin && c_space);
    BIN(moves && c_reuse && !c_dst && c_mask && c_mapped && c_pin && c_space);
    BIN(moves && c_reuse && c_dst && !c_mask && c_mapped && c_pin && c_space);
    BIN(moves && c_reuse && c_dst && c_mask && !c_mapped && c_pin && c_space);
    BIN(moves && c_reuse && c_dst && c_mask && c_mapped && !c_pin && c_space);
    BIN(looks && m->rn_q.space != RF_SPACE_NONE);
    BIN(moves && c_reuse && c_dst && c_mask && c_mapped && c_pin && !c_space);
    BIN(looks && (in->map_src_pin & ~src) != 0);
    BIN(moves && c_dst && in->map_dst_valid);
    BIN(moves && c_dst && in->map_dst_pin);
    BIN(moves && !c_dst && in->map_dst_valid);
    BIN(!out->lane_valid);
    BIN(!out->lane_valid && in->allow && in->hit && in->port);
    BIN(!out->lane_valid && !in->q_valid && in->q.tag != 0);
    BIN(retry && ru && in->q_valid);
    BIN(ru && m->ru_look_q && !lk);
    BIN(out->lane_valid && !lk && (in->hit || in->wait));
    BIN(hit && in->wait);
    BIN(hit && !head && in->port);
    BIN(hit && !head && !in->port);
    BIN(hit && in->collector);
    BIN(out->act == RF_WIR_QUEUE);
    BIN(retry && wait && ru && !in->q_ready && out->act == RF_WIR_EXECUTE);
    BIN(retry && wait && ru && !in->q_ready && out->act == RF_WIR_NOTHING);
    BIN(out->leads && ru);
    BIN(out->act == RF_WIR_EXECUTE && ru && !lk);
    BIN(out->want_collector && ru && !in->collector);
    BIN(out->lane_valid && !hit && in->port);
    BIN(out->act == RF_WIR_REUSE && head);
    BIN(out->want_port && head && !in->port);
    BIN(out->act == RF_WIR_ROTATE);
    BIN(out->leads && head);
    BIN(out->act == RF_WIR_EXECUTE && head && !lk);
    BIN(out->want_collector && head && !in->collector);
    BIN(out->leaves && head && moves);
    BIN(!retry && wait && out->act == RF_WIR_EXECUTE && !out->leads);
    BIN(!retry && in->q_valid && !ru);
#undef BIN
    return b;
}

#define SMALL "LANES=2 WARPS=4 PREGS=16"

static void unreachable(const rf_wir_front_cfg *cfg, ls_unreachable *to) {
    /* By their numbers in bin_names. */
    static const uint8_t of_retry[] = {27, 34, 35, 36, 41, 42, 43, 44, 45, 46, 47};
    for (size_t i = 0; i < sizeof of_retry; i++) ls_unreachable_if(to, cfg->retry == 0, of_retry[i], "no queue for a retry");
    ls_unreachable_if(to, cfg->retry != 0, 48, "what waits goes to the queue");
    ls_unreachable_if(to, cfg->retry != 0, 49, "RETRY: the queue's head is taken");
    ls_unreachable_if(to, cfg->loads == 0, 18, "no load looks up");
    ls_unreachable_if(to, cfg->loads != 0, 19, "loads look up");
}

static const ls_fault faults[] = {
    {"an instruction not taken overwrites", NULL, "else if (take) rn_q", "else if (issue_valid_i) rn_q", "rn_q.src_valid", SMALL},
    {"taken although it waits", NULL, "take        = issue_valid_i && ready_o", "take        = issue_valid_i", "rn_q.src", SMALL},
    {"ready only when empty", NULL, "!rn_valid_q || moves_o", "!rn_valid_q", "ready", SMALL},
    {"moves on only into an empty register", NULL, "(!ru_valid_q || leaves_o)", "(!ru_valid_q)", "ready", SMALL},
    {"moves on as the queue's head leaves only", NULL, "!ru_valid_q || leaves_o", "leaves_o", "ready", SMALL},
    {"the reuse register is never empty again", NULL, "(ru_valid_q && !leaves_o)", "ru_valid_q", "ru_valid_q", SMALL},
    {"a store that waits sets its flag", NULL, "= moves_o && rn_q.store", "= rn_valid_q && rn_q.store", "st_valid", SMALL},
    {"a load said to be to scratchpad", NULL, "= st_valid_o && rn_q.store_shared", "= rn_q.store_shared", "st_shared", SMALL},
    {"look-up of a part of the lanes", NULL, " && (&rn_q.mask)", "", "ru_look_q", SMALL},
    {"look-up without destination", NULL, "rn_q.reuse && rn_q.dst_valid", "rn_q.reuse", "ru_look_q", SMALL},
    {"look-up with a source that is not mapped", NULL, "mapped == src_valid &&", "", "ru_look_q", SMALL},
    {"look-up with a pinned source", NULL, "(src_valid & map_src_pin_i) == '0 &&", "", "ru_look_q", SMALL},
    {"pin of a slot without source counts", NULL, "(src_valid & map_src_pin_i) ==", "map_src_pin_i ==", "ru_look_q", SMALL},
    {"constant loads look up although loads do not", NULL, "rn_q.common.space == rf_wir_pkg::SPACE_NONE", "!rn_q.common.space[1]",
     "ru_look_q", SMALL " LOADS=0"},
    {"immediate of a source", NULL, "{PREG_W{!src_valid[s]}}", "{PREG_W{!mapped[s]}}", "ru_q.operand", SMALL},
    {"register of a source that is not mapped", NULL, "{PREG_W{mapped[s]}}", "{PREG_W{src_valid[s]}}", "ru_q.operand", SMALL},
    {"opcode without its sources", NULL, "{rn_q.op, src_valid}", "{rn_q.op, mapped}", "ru_q.opcode", SMALL},
    {"old mapping without destination", NULL, "rn_q.dst_valid && map_dst_valid_i", "map_dst_valid_i", "ru_q.old_valid", SMALL},
    {"old register without destination", NULL, "map_dst_preg_i & {PREG_W{rn_q.dst_valid}}", "map_dst_preg_i", "ru_q.old_preg",
     SMALL},
    {"old pin lost", NULL, "rn_q.dst_valid && map_dst_pin_i", "1'b0", "ru_q.old_pin", SMALL},
    {"the queue's head first", NULL, "RETRY != 0 && !ru_valid_q && q_valid_i", "RETRY != 0 && q_valid_i", "lane_retry", SMALL},
    {"the queue's head without pending-retry", NULL, "retry        = RETRY != 0 &&", "retry        =", "lane_valid",
     SMALL " RETRY=0"},
    {"a wait without pending-retry is queued", NULL, "waits      = RETRY != 0 &&", "waits      =", "want_collector",
     SMALL " RETRY=0"},
    {"the head does not look up", NULL, "ru_look_q : retry", "ru_look_q : 1'b0", "lk_valid", SMALL},
    {"guard ignored", NULL, "look && allow_i", "look", "lk_valid", SMALL},
    {"hit without look-up", NULL, "lk_valid_o && hit_i;", "hit_i;", "want_port", SMALL},
    {"wait beats hit", NULL, "lk_valid_o && hit_i;", "lk_valid_o && hit_i && !wait_i;", "want_port", SMALL},
    {"into a full queue", NULL, "waits && !retry && q_ready_i", "waits && !retry", "want_collector", SMALL},
    {"the head queues again", NULL, "waits && !retry && q_ready_i", "waits && q_ready_i", "act", SMALL},
    {"a full queue makes a leader", NULL, "collector_i && lk_valid_o && !wait_i", "collector_i && lk_valid_o", "leads", SMALL},
    {"a leader without look-up", NULL, "collector_i && lk_valid_o && !wait_i", "collector_i && !wait_i", "leads", SMALL},
    {"reuse without the port", NULL, "(hit && port_i) ||", "hit ||", "leaves", SMALL},
    {"the head waits with a part of the lanes", NULL, "lane.mask      = '1", "lane.mask      = ru_q.mask", "lane.mask", SMALL},
    {"the rename register shown while empty", NULL, "rn_q[ISSUED_W-1 -: READS_W] & {READS_W{rn_valid_q}}",
     "rn_q[ISSUED_W-1 -: READS_W]", "rn.warp", SMALL},
    {"the reuse register shown while empty", NULL, "ru_q[LANE_W-1 -: READS_W] & {READS_W{ru_valid_q}}",
     "ru_q[LANE_W-1 -: READS_W]", "ru.warp", SMALL},
    {"constant loads wait for stores", NULL, "= rn_q[ISSUED_W-1 -: READS_W] &",
     "= {rn_q[ISSUED_W-1 -: READS_W-1], rn_q.common.space != '0} &", "rn.load", SMALL},
    {"the reuse register is not reset", NULL, "ru_q      <= '0;", "", "ru_q.src_valid", SMALL},
    {"an instruction beats reset", NULL, "if (!rst_ni) begin\n      rn_valid_q",
     "if (!rst_ni && !issue_valid_i) begin\n      rn_valid_q", "rn_valid_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "LANES=2 SLOTS=1 WARPS=1 REGS=1 EXPORTS=1 PREGS=2",
                                   "LANES=4 SLOTS=3 WARPS=8 PREGS=64 LOADS=0",
                                   "LANES=3 SLOTS=2 WARPS=5 REGS=7 EXPORTS=3 PREGS=17 RETRY=0",
                                   "LANES=4 SLOTS=6 WARPS=64 REGS=256 EXPORTS=8 LOADS=0 RETRY=0",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/banked/rf_banked_pkg.sv", "rtl/wir/rf_wir_pkg.sv", NULL};

#define LS_UNIT rf_wir_front
#define LS_GROUP "wir"
#define LS_BRIEF "rename and reuse register of an issue group, and the decision on reuse"
#define LS_FIELDS "tb/wir/rf_wir_front.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
