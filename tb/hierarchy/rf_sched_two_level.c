/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_sched_two_level. */
#include "cmodel/hierarchy/rf_sched_two_level_parts.h"

#include "harness/core/unit.h"

typedef struct rf_sched_two_level_stim {
    ls_rng rng;
    /* Probabilities, in 256ths. */
    uint32_t wake;    /* a waiting warp gets ready */
    uint32_t lose;    /* a ready warp waits again */
    uint32_t sleep;   /* the warp that issued must wait */
    uint32_t special; /* the ready warps of a cycle are special ones */
    uint32_t launch;  /* any warp starts */
    uint32_t take;
    uint32_t leave;
    uint32_t hold;     /* of a slot's bit */
    uint32_t hold_all; /* all slots' bits are set */
    bool drain;        /* warps leave, and no slot becomes free before all are leaving */
    uint64_t ready;
    uint64_t issued; /* the warp that issued in the cycle before, one hot or 0 */
} rf_sched_two_level_stim;

static void stim_init(rf_sched_two_level_stim *s, const rf_sched_two_level *m, uint64_t seed) {
    static const uint32_t densities[] = {2, 16, 64, 128, 256}, often[] = {0, 64, 192, 240};
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->wake = densities[ls_rng_below(&s->rng, 5)];
    s->lose = densities[ls_rng_below(&s->rng, 4)];
    s->sleep = densities[ls_rng_below(&s->rng, 5)];
    s->special = 8 + ls_rng_below(&s->rng, 48);
    s->launch = 24 + ls_rng_below(&s->rng, 64);
    s->take = 80 + ls_rng_below(&s->rng, 144);
    s->leave = densities[ls_rng_below(&s->rng, 5)];
    s->hold = often[ls_rng_below(&s->rng, 4)];
    s->hold_all = often[ls_rng_below(&s->rng, 4)];
    s->drain = false;
    s->ready = 0;
    s->issued = 0;
}

/* The slots that are active. */
static uint32_t active(const rf_sched_two_level *m) { return m->held_q & ~m->leaving_q; }

/* The warps of `slots`. */
static uint64_t warps_of(const rf_sched_two_level *m, uint32_t slots) {
    uint64_t warps = 0;
    for (uint32_t left = slots; left != 0; left &= left - 1) warps |= UINT64_C(1) << m->warp_q[rf_lowest(left)];
    return warps;
}

/* Ready warps of one kind: what a vector over all warps seldom gives. */
static uint64_t draw_ready(rf_sched_two_level_stim *s, const rf_sched_two_level *m) {
    const uint32_t warps = m->cfg.warps, kind = ls_rng_below(&s->rng, 8);
    const uint64_t in_slots = rf_sched_two_level_in_slots(m), some = ls_rng_bits(&s->rng, warps, 128);
    if (kind == 0) return some & in_slots;
    if (kind == 1) return in_slots;
    if (kind == 2) return some & ~in_slots;
    if (kind == 3) return ~in_slots & rf_mask64(warps);
    if (kind == 4) return warps_of(m, m->leaving_q);
    if (kind == 5) return UINT64_C(1) << ls_rng_below(&s->rng, warps);
    return ls_rng_value(&s->rng, warps);
}

/* Mostly one warp; now and then several or all. */
static uint64_t draw_launch(rf_sched_two_level_stim *s, const rf_sched_two_level *m) {
    const uint32_t kind = ls_rng_below(&s->rng, 8);
    if (kind == 0) return rf_mask64(m->cfg.warps);
    if (kind == 1) return ls_rng_value(&s->rng, m->cfg.warps);
    if (kind == 2) return ls_rng_bits(&s->rng, m->cfg.warps, 64);
    return UINT64_C(1) << ls_rng_below(&s->rng, m->cfg.warps);
}

/* All warps are ready, and each leaves when it issues, until all slots are leaving. */
static void drain(rf_sched_two_level_stim *s, const rf_sched_two_level *m, rf_sched_two_level_in *in) {
    const uint32_t slots = (uint32_t)rf_mask64(m->cfg.active);
    s->drain = m->leaving_q != slots;
    if (!s->drain) return;
    in->ready = rf_mask64(m->cfg.warps);
    in->take = in->leave = 1;
    in->hold = slots;
}

static void stim(rf_sched_two_level_stim *s, const rf_sched_two_level *m, rf_sched_two_level_in *in) {
    const uint32_t warps = m->cfg.warps;
    if (ls_rng_chance(&s->rng, s->sleep)) s->ready &= ~s->issued;
    s->ready = (s->ready & ~ls_rng_bits(&s->rng, warps, s->lose)) | (ls_rng_bits(&s->rng, warps, s->wake) & ~s->issued);
    in->ready = ls_rng_chance(&s->rng, s->special) ? draw_ready(s, m) : s->ready;
    in->launch = ls_rng_chance(&s->rng, s->launch) ? draw_launch(s, m) : 0;
    in->take = ls_rng_chance(&s->rng, s->take);
    in->leave = ls_rng_chance(&s->rng, s->leave);
    in->hold = (uint32_t)rf_mask64(m->cfg.active);
    if (!ls_rng_chance(&s->rng, s->hold_all)) in->hold = (uint32_t)ls_rng_bits(&s->rng, m->cfg.active, s->hold);
    if (rf_sched_two_level_outer(m) && ls_rng_below(&s->rng, 1024) == 0) s->drain = true;
    if (s->drain) drain(s, m, in);
}

static void observe(rf_sched_two_level_stim *s, const rf_sched_two_level_in *in, const rf_sched_two_level_out *out) {
    s->issued = (uint64_t)(in->take && out->valid) << out->warp;
}

enum {
    IDLE,
    EMPTY,
    ALL_READY,
    STAYS,
    LEAVES,
    NOT_TAKEN,
    TAKE_OF_NOTHING,
    LEAVE_WITHOUT_TAKE,
    FULL,
    NO_PENDING,
    PENDING_ALONE,
    ONE_FREE,
    SEVERAL_FREE,
    HOLE,
    ROUND,
    PASSED_OVER,
    HIGHEST_SLOT,
    HIGHEST_WARP,
    SAME_SLOT,
    HELD_ON,
    FREED,
    FREED_SEVERAL,
    HOLD_OF_ACTIVE,
    HOLD_OF_FREE,
    LEAVING_READY,
    ALL_LEAVING,
    ENTER_AND_LEAVE,
    ENTER_AND_FREED,
    AFTER_LAST,
    GREEDY,
    OLDEST,
    TURN_ON,
    TURN_ROUND,
    LAUNCH_OF_CHOSEN,
    LAUNCH_ALL
};

static const char *const bin_names[] = {"no active warp is ready",
                                        "all slots are free",
                                        "all slots have a ready active warp",
                                        "the chosen warp issues and stays",
                                        "the chosen warp issues and leaves",
                                        "chosen but not taken",
                                        "take without a choice",
                                        "leave without take",
                                        "a ready pending warp finds no free slot",
                                        "a slot is free, but of ready warps none pends",
                                        "the only ready warps are pending",
                                        "a warp enters the only free slot",
                                        "a warp enters the lowest of several free slots",
                                        "a warp enters a slot below one that has a warp",
                                        "round to a lower warp that enters",
                                        "a warp enters before a lower one",
                                        "the highest slot is entered",
                                        "the highest warp enters",
                                        "a warp enters the slot that it had last",
                                        "a leaving slot is held",
                                        "one leaving slot becomes free",
                                        "several leaving slots become free",
                                        "hold of an active slot",
                                        "hold of a free slot",
                                        "a leaving warp is ready",
                                        "all slots are leaving",
                                        "a warp enters while another leaves",
                                        "a warp enters while a slot becomes free",
                                        "a warp enters the slot that issued last",
                                        "greedy although an older one is ready",
                                        "the oldest, in a higher slot than a younger ready one",
                                        "on to a higher slot",
                                        "round to a lower slot",
                                        "launch of the chosen warp",
                                        "all warps start",
                                        NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }

static bool several(uint64_t x) { return (x & (x - 1)) != 0; }

/* Bins of the choice. */
static uint64_t bins_inner(const rf_sched_two_level *m, const rf_sched_two_level_in *in, const rf_sched_two_level_out *out) {
    const uint32_t ready = rf_sched_two_level_ready(m, in->ready), chosen = (uint32_t)out->valid << out->slot;
    const bool gto = m->cfg.policy == 0, issues = in->take && out->valid;
    const bool greedy = gto && out->valid && m->gto.last_valid_q && m->gto.last_q == out->slot;
    const uint64_t turn = m->lrr.rr.mask_q;
    return bin(active(m) != 0 && ready == 0, IDLE) | bin(ready == rf_mask64(m->cfg.active), ALL_READY) |
           bin(issues && !in->leave, STAYS) | bin(issues && in->leave, LEAVES) | bin(out->valid && !in->take, NOT_TAKEN) |
           bin(in->take && !out->valid, TAKE_OF_NOTHING) | bin(out->valid && in->leave && !in->take, LEAVE_WITHOUT_TAKE) |
           bin(greedy && (m->gto.older_q[out->slot] & ready) != 0, GREEDY) |
           bin(gto && out->valid && !greedy && (ready & (chosen - 1)) != 0, OLDEST) | bin(!gto && (chosen & turn) != 0, TURN_ON) |
           bin(!gto && out->valid && turn != 0 && (chosen & turn) == 0, TURN_ROUND) |
           bin(out->valid && (in->launch >> out->warp & 1) != 0, LAUNCH_OF_CHOSEN) |
           bin(in->launch == rf_mask64(m->cfg.warps), LAUNCH_ALL);
}

/* Bins of the slots and of the warps that enter and leave. */
static uint64_t bins_outer(const rf_sched_two_level *m, const rf_sched_two_level_in *in, const rf_sched_two_level_out *out) {
    const uint32_t slots = (uint32_t)rf_mask64(m->cfg.active), free = slots & ~m->held_q, freed = m->leaving_q & ~in->hold;
    const uint64_t in_slots = rf_sched_two_level_in_slots(m), pending = in->ready & ~in_slots;
    const bool enters = out->enter_valid;
    const uint64_t warp = (uint64_t)enters << out->enter_warp;
    return bin(m->held_q == 0, EMPTY) | bin(free == 0 && pending != 0, FULL) |
           bin(free != 0 && pending == 0 && in->ready != 0, NO_PENDING) |
           bin(pending != 0 && (in->ready & in_slots) == 0, PENDING_ALONE) | bin(enters && !several(free), ONE_FREE) |
           bin(enters && several(free), SEVERAL_FREE) | bin(enters && m->held_q >> out->enter_slot != 0, HOLE) |
           bin(enters && m->enter.mask_q != 0 && (warp & m->enter.mask_q) == 0, ROUND) |
           bin(enters && (pending & (warp - 1)) != 0, PASSED_OVER) |
           bin(enters && out->enter_slot == m->cfg.active - 1, HIGHEST_SLOT) |
           bin(enters && out->enter_warp == m->cfg.warps - 1, HIGHEST_WARP) |
           bin(enters && m->warp_q[out->enter_slot] == out->enter_warp, SAME_SLOT) |
           bin((m->leaving_q & in->hold) != 0, HELD_ON) | bin(freed != 0 && !several(freed), FREED) |
           bin(several(freed), FREED_SEVERAL) | bin((active(m) & in->hold) != 0, HOLD_OF_ACTIVE) |
           bin((free & in->hold) != 0, HOLD_OF_FREE) | bin((in->ready & warps_of(m, m->leaving_q)) != 0, LEAVING_READY) |
           bin(m->leaving_q == slots, ALL_LEAVING) | bin(enters && in->take && in->leave && out->valid, ENTER_AND_LEAVE) |
           bin(enters && freed != 0, ENTER_AND_FREED) |
           bin(enters && m->gto.last_valid_q && m->gto.last_q == out->enter_slot, AFTER_LAST);
}

static uint64_t bins(const rf_sched_two_level *m, const rf_sched_two_level_in *in, const rf_sched_two_level_out *out) {
    return bins_inner(m, in, out) | bins_outer(m, in, out);
}

static void unreachable(const rf_sched_two_level_cfg *cfg, ls_unreachable *to) {
    static const uint8_t outer[] = {
        EMPTY,         FULL,         NO_PENDING,    PENDING_ALONE, ONE_FREE,        SEVERAL_FREE,    HOLE,
        ROUND,         PASSED_OVER,  HIGHEST_SLOT,  HIGHEST_WARP,  SAME_SLOT,       HELD_ON,         FREED,
        FREED_SEVERAL, HOLD_OF_FREE, LEAVING_READY, ALL_LEAVING,   ENTER_AND_LEAVE, ENTER_AND_FREED, AFTER_LAST};
    static const uint8_t two[] = {NO_PENDING,      SEVERAL_FREE, HOLE,   FREED_SEVERAL, ENTER_AND_LEAVE,
                                  ENTER_AND_FREED, GREEDY,       OLDEST, TURN_ON,       TURN_ROUND};
    for (uint32_t i = 0; i < sizeof outer; i++)
        ls_unreachable_if(to, cfg->active == cfg->warps, outer[i], "every warp has a slot for ever");
    for (uint32_t i = 0; i < sizeof two; i++) ls_unreachable_if(to, cfg->active == 1, two[i], "one slot");
    ls_unreachable_if(to, cfg->policy != 0, GREEDY, "round-robin");
    ls_unreachable_if(to, cfg->policy != 0, OLDEST, "round-robin");
    ls_unreachable_if(to, cfg->policy != 0, AFTER_LAST, "round-robin");
    ls_unreachable_if(to, cfg->policy != 1, TURN_ON, "greedy then oldest");
    ls_unreachable_if(to, cfg->policy != 1, TURN_ROUND, "greedy then oldest");
}

static const ls_fault faults[] = {
    {"a leaving warp is chosen", NULL, "held_q[s] && !leaving_q[s] && ", "held_q[s] && ", "valid", "WARPS=4 ACTIVE=1"},
    {"a free slot's last warp is chosen", NULL, "held_q[s] && !leaving_q[s] && ", "!leaving_q[s] && ", "valid",
     "WARPS=4 ACTIVE=1"},
    {"the slot's number instead of its warp's is looked up", NULL, "(ready_i & warp) != '0", "ready_i[s]", "valid",
     "WARPS=4 ACTIVE=1"},
    {"the slot's number is told as the warp's", NULL, "{WARP_W{chosen[s]}} & warp_q[s*WARP_W +: WARP_W]",
     "{WARP_W{chosen[s]}} & WARP_W'(s)", "warp", NULL},
    {"a leaving warp is pending", NULL, "held_q[s]} << warp_q", "held_q[s] && !leaving_q[s]} << warp_q", "enter_valid", NULL},
    {"a warp that has a slot enters", NULL, "ready_i & ~in_slots", "ready_i", "enter_valid", NULL},
    {"a warp that is not ready enters", NULL, "ready_i & ~in_slots", "~in_slots", "enter_valid", NULL},
    {"a warp enters although no slot is free", NULL, "(free != '0) ? ready_i & ~in_slots : '0", "ready_i & ~in_slots",
     "enter_valid", NULL},
    {"a slot is taken in the cycle in which it becomes free", NULL, "free    = ~held_q",
     "free    = ~held_q | (leaving_q & ~hold_i)", "enter_valid", "WARPS=4 ACTIVE=1"},
    {"a warp takes all free slots", NULL, "lowest  = `RF_LOWEST(free)", "lowest  = free", "enter_slot", NULL},
    {"the outer turn does not move", NULL, ".take_i(1'b1)", ".take_i(1'b0)", "gen_outer.u_enter.mask_q", NULL},
    {"the outer turn moves only when a warp issues", NULL, ".take_i(1'b1)", ".take_i(take_i)", "gen_outer.u_enter.mask_q", NULL},
    {"the lowest warp enters", "rtl/common/rf_rr.sv", "(above != '0) ? above : req_i", "req_i", "enter_warp", NULL},
    {"a new warp is not the youngest", NULL, "launch  = entered;", "launch  = '0;", "gen_gto.u_inner.older_q", NULL},
    {"launch counts although warps enter", NULL, "launch  = entered;", "launch  = entered | launch_i[ACTIVE-1:0];",
     "gen_gto.u_inner.last_valid_q", "WARPS=4 ACTIVE=1"},
    {"a warp leaves although not taken", NULL, "(take_i && leave_i) ? chosen", "leave_i ? chosen", "leaving_q", NULL},
    {"a warp leaves with every issue", NULL, "(take_i && leave_i) ? chosen", "take_i ? chosen", "leaving_q", NULL},
    {"the lowest active slot leaves", NULL, "? chosen : '0", "? `RF_LOWEST(held_q) : '0", "leaving_q", NULL},
    {"hold makes an active slot leave", NULL, "(leaving_q & hold_i) | left", "(held_q & hold_i) | left", "leaving_q", NULL},
    {"a slot leaves for ever", NULL, "(leaving_q & hold_i) | left", "leaving_q | left", "leaving_q", NULL},
    {"a held slot is no longer leaving", NULL, "(leaving_q & hold_i) | left", "left", "leaving_q", NULL},
    {"hold is not heeded", NULL, "(leaving_q & ~hold_i)", "leaving_q", "held_q", NULL},
    {"a slot is free at once when its warp leaves", NULL, "(leaving_q & ~hold_i)", "((leaving_q | left) & ~hold_i)", "held_q",
     NULL},
    {"a slot never becomes free", NULL, "(held_q & ~(leaving_q & ~hold_i))", "held_q", "held_q", NULL},
    {"a slot forgets its warp when it becomes free", NULL, "entered[s] ? enter_warp_o",
     "(entered[s] || !held_q[s]) ? enter_warp_o", "warp_q", NULL},
    {"a slot keeps its first warp", NULL, "entered[s] ? enter_warp_o",
     "(entered[s] && warp_q[s*WARP_W +: WARP_W] == '0) ? enter_warp_o", "warp_q", NULL},
    {"round-robin moves although not taken", NULL,
     "begin : gen_lrr\n    rf_sched_lrr #(.WARPS(ACTIVE)) u_inner (\n      .clk_i, .rst_ni,\n      .ready_i(ready), "
     ".launch_i(launch), "
     ".take_i(take_i)",
     "begin : gen_lrr\n    rf_sched_lrr #(.WARPS(ACTIVE)) u_inner (\n      .clk_i, .rst_ni,\n      .ready_i(ready), "
     ".launch_i(launch), "
     ".take_i(1'b1)",
     "gen_lrr.u_inner.u_rr.mask_q", "POLICY=1"},
    {"reset leaves the warps of the slots", NULL, "warp_q[s*WARP_W +: WARP_W] <= OUTER ? '0 : WARP_W'(s);",
     "if (!OUTER) warp_q[s*WARP_W +: WARP_W] <= WARP_W'(s);", "warp_q", NULL},
    {"all warps are active after reset", NULL, "OUTER ? '0 : {ACTIVE{1'b1}}", "{ACTIVE{1'b1}}", "held_q", NULL},
    {"the single level heeds no launch", NULL, "launch        = launch_i;", "launch        = '0;", "gen_gto.u_inner.last_valid_q",
     "WARPS=1 ACTIVE=1"},
    {"a warp leaves the single level", NULL, "leaving_d     = leaving_q;",
     "leaving_d     = leaving_q | ((take_i && leave_i) ? chosen : '0);", "leaving_q", "WARPS=8 ACTIVE=8"},
    {"all slots of the single level have warp 0", NULL, "OUTER ? '0 : WARP_W'(s)", "'0", "warp_q", "WARPS=8 ACTIVE=8"},
    {0},
};

static const char *const sets[] = {"",
                                   "POLICY=1",
                                   "WARPS=1 ACTIVE=1",
                                   "WARPS=1 ACTIVE=1 POLICY=1",
                                   "WARPS=2 ACTIVE=1",
                                   "WARPS=3 ACTIVE=2 POLICY=1",
                                   "WARPS=8 ACTIVE=8",
                                   "WARPS=12 ACTIVE=11 POLICY=1",
                                   "WARPS=24 ACTIVE=6",
                                   "WARPS=24 ACTIVE=24 POLICY=1",
                                   "WARPS=32 ACTIVE=1 POLICY=1",
                                   "WARPS=32 ACTIVE=4",
                                   "WARPS=32 ACTIVE=6 POLICY=1",
                                   "WARPS=32 ACTIVE=32",
                                   "WARPS=33 ACTIVE=32",
                                   "WARPS=48 ACTIVE=8 POLICY=1",
                                   "WARPS=64 ACTIVE=4",
                                   "WARPS=64 ACTIVE=32 POLICY=1",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/common/rf_rr.sv", "rtl/banked/rf_sched_gto.sv",
                                  "rtl/banked/rf_sched_lrr.sv", NULL};

#define LS_UNIT rf_sched_two_level
#define LS_GROUP "hierarchy"
#define LS_BRIEF "two-level warp scheduler: active and pending warps"
#define LS_FIELDS "tb/hierarchy/rf_sched_two_level.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
