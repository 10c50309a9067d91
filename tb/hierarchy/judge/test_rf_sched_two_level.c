/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_sched_two_level: the slow model has a state for each slot, stamps a slot with the time at which its warp came
 * ([hierarchy 3]: greedy among the active, round-robin among the pending), and walks around slots and warps one by one. */
#include "cmodel/hierarchy/rf_sched_two_level.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_sched_two_level_unit;

typedef enum slot_state { FREE, ACTIVE, LEAVING } slot_state;

typedef struct slow_slot {
    slot_state state;
    uint32_t warp;  /* of a free slot the last one */
    uint64_t since; /* when its warp came; all different */
} slow_slot;

typedef struct slow_two_level {
    uint32_t warps, active, policy;
    slow_slot slot[RF_ACTIVE_MAX];
    uint64_t now;
    bool issued;   /* a slot has issued, and (greedy) no warp has come into it since */
    uint32_t last; /* that slot; kept when greedy ends */
    bool entered;  /* a warp has entered since reset */
    uint32_t last_entered;
} slow_two_level;

/* What a cycle shows: slots and warps by number; `active` and `warps` where there is none. */
typedef struct slow_out {
    uint32_t chosen, enter_slot, enter_warp;
} slow_out;

/* clang-format off */
#define SEEN(X) \
    X(NOBODY, "no active warp is ready, some other is") \
    X(GREEDY, "the last one again although another is ready") \
    X(GREEDY_OVER_OLDER, "the last one again although an older one is ready") \
    X(OLDEST, "the oldest, the last one not being ready") \
    X(OLDEST_NOT_LOWEST, "the oldest is not in the lowest slot") \
    X(OLDEST_NOT_WARP, "the oldest has not the lowest number") \
    X(AFTER_LEAVE, "the oldest, the last one leaving") \
    X(ROUND, "round-robin: the next slot") \
    X(ROUND_SKIPS, "round-robin: a slot without a ready warp is left out") \
    X(ROUND_WRAPS, "round-robin: around the end") \
    X(NOT_TAKEN, "chosen but not taken") \
    X(TAKE_OF_NOTHING, "take without a choice") \
    X(LEAVES, "the chosen warp leaves") \
    X(LEAVE_NOT_TAKEN, "leave without take") \
    X(LEAVE_OF_NOTHING, "take and leave without a choice") \
    X(HOLDS, "hold keeps a leaving slot") \
    X(FREED, "a leaving slot becomes free") \
    X(FREED_SEVERAL, "several slots become free") \
    X(FREED_SOME, "one leaving slot becomes free, another is held") \
    X(HOLD_OF_ACTIVE, "hold of an active slot") \
    X(HOLD_OF_FREE, "hold of a free slot") \
    X(HOLD_OF_NEXT, "hold of a slot that becomes leaving") \
    X(LEAVING_READY, "the warp of a leaving slot is ready") \
    X(LEAVING_ALONE, "a free slot, and no other ready warp than that of a leaving slot") \
    X(ACTIVE_ALONE, "a free slot, and no other ready warps than active ones") \
    X(ALL_LEAVING, "every slot is leaving") \
    X(ENTERS, "a warp enters") \
    X(ENTERS_ABOVE, "the lowest free slot is above others") \
    X(ENTERS_OF_SEVERAL, "several slots are free") \
    X(ENTERS_IN_TURN, "a warp enters although a lower one is ready and pending") \
    X(ENTERS_WRAPS, "the turn of the pending warps goes around") \
    X(ENTERS_AGAIN, "a warp enters the slot that it had") \
    X(ENTERS_ELSEWHERE, "a warp enters another slot than it had") \
    X(ENTERS_LAST, "a warp enters the slot that issued last") \
    X(ENTERS_ISSUE, "a warp enters while another issues") \
    X(ENTERS_LEAVE, "a warp enters while another leaves") \
    X(ENTERS_FREED, "a warp enters while another slot becomes free") \
    X(FULL, "a ready warp waits, every slot is held") \
    X(FULL_FREED, "a ready warp waits in the cycle in which a slot becomes free") \
    X(LAUNCH, "launch with fewer slots than warps") \
    X(ONE_SLOT, "a single slot of several warps is chosen") \
    X(SINGLE, "single level: chosen") \
    X(SINGLE_LEAVE, "single level: take and leave") \
    X(SINGLE_HOLD, "single level: hold") \
    X(SINGLE_LAUNCH, "single level: a launch makes a warp the youngest") \
    X(SINGLE_LAUNCH_LAST, "single level: launch of the warp that issued last") \
    X(SINGLE_LAUNCH_TAKEN, "single level: launch of the warp that is taken") \
    X(SINGLE_ROUND_LAUNCH, "single level: launch under round-robin") \
    X(ONE_WARP, "a single warp is chosen") \
    X(RESET, "reset while running")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static bool is_single(const slow_two_level *s) { return s->active == s->warps; }

static void slow_reset(slow_two_level *s) {
    for (uint32_t i = 0; i < s->active; i++) s->slot[i] = is_single(s) ? (slow_slot){ACTIVE, i, i} : (slow_slot){FREE, 0, i};
    s->now = s->active;
    s->issued = false;
    s->last = 0;
    s->entered = false;
    s->last_entered = 0;
}

/* The slot that holds the warp, active or leaving; `active` when it is pending. */
static uint32_t slot_of(const slow_two_level *s, uint32_t warp) {
    for (uint32_t i = 0; i < s->active; i++)
        if (s->slot[i].state != FREE && s->slot[i].warp == warp) return i;
    return s->active;
}

static bool can_issue(const slow_two_level *s, uint64_t ready, uint32_t slot) {
    return s->slot[slot].state == ACTIVE && judge_bit(ready, s->slot[slot].warp);
}

static uint32_t oldest(const slow_two_level *s, uint64_t ready) {
    uint32_t best = s->active;
    for (uint32_t i = 0; i < s->active; i++)
        if (can_issue(s, ready, i) && (best == s->active || s->slot[i].since < s->slot[best].since)) best = i;
    return best;
}

static uint32_t next_in_turn(const slow_two_level *s, uint64_t ready) {
    const uint32_t from = s->issued ? s->last + 1 : 0;
    for (uint32_t n = 0; n < s->active; n++)
        if (can_issue(s, ready, (from + n) % s->active)) return (from + n) % s->active;
    return s->active;
}

static slow_out slow_comb(const slow_two_level *s, const rf_sched_two_level_in *in) {
    slow_out out = {s->active, s->active, s->warps};
    if (s->policy == 1) out.chosen = next_in_turn(s, in->ready);
    else if (s->issued && can_issue(s, in->ready, s->last)) out.chosen = s->last;
    else out.chosen = oldest(s, in->ready);
    if (is_single(s)) return out;
    uint32_t free = s->active;
    for (uint32_t i = s->active; i-- > 0;)
        if (s->slot[i].state == FREE) free = i;
    const uint32_t from = s->entered ? s->last_entered + 1 : 0;
    for (uint32_t n = 0; n < s->warps && free < s->active; n++) {
        const uint32_t warp = (from + n) % s->warps;
        if (!judge_bit(in->ready, warp) || slot_of(s, warp) != s->active) continue;
        out.enter_slot = free;
        out.enter_warp = warp;
        break;
    }
    return out;
}

/* A new warp in the slot: it is the youngest, and greedy does not go on with it. */
static void comes(slow_two_level *s, uint32_t slot) {
    s->slot[slot].since = s->now++;
    if (s->policy == 0 && s->last == slot) s->issued = false;
}

static void slow_clock(slow_two_level *s, const rf_sched_two_level_in *in) {
    const slow_out out = slow_comb(s, in);
    slow_slot before[RF_ACTIVE_MAX];
    memcpy(before, s->slot, sizeof before);
    if (is_single(s)) {
        for (uint32_t w = 0; w < s->warps; w++)
            if (judge_bit(in->launch, w)) comes(s, w);
    } else {
        for (uint32_t i = 0; i < s->active; i++)
            if (before[i].state == LEAVING && !judge_bit(in->hold, i)) s->slot[i].state = FREE;
        if (out.enter_slot < s->active) {
            s->slot[out.enter_slot].state = ACTIVE;
            s->slot[out.enter_slot].warp = out.enter_warp;
            comes(s, out.enter_slot);
            s->entered = true;
            s->last_entered = out.enter_warp;
        }
    }
    if (!in->take || out.chosen == s->active) return;
    s->issued = true;
    s->last = out.chosen;
    if (in->leave && !is_single(s)) s->slot[out.chosen].state = LEAVING;
}

static void compare_out(judge *j, const slow_two_level *s, const rf_sched_two_level_out *out, const slow_out *right) {
    bool held[RF_ACTIVE_MAX], leaving[RF_ACTIVE_MAX];
    const bool valid = right->chosen < s->active, enters = right->enter_slot < s->active;
    for (uint32_t i = 0; i < s->active; i++) {
        held[i] = s->slot[i].state != FREE;
        leaving[i] = s->slot[i].state == LEAVING;
        judge_equal(j, "slot_warp", i, out->slot_warp[i], s->slot[i].warp);
    }
    judge_equal(j, "valid", 0, out->valid, valid);
    judge_equal(j, "slot", 0, out->slot, valid ? right->chosen : 0);
    judge_equal(j, "warp", 0, out->warp, valid ? s->slot[right->chosen].warp : 0);
    judge_equal(j, "held", 0, out->held, judge_pack(held, s->active));
    judge_equal(j, "leaving", 0, out->leaving, judge_pack(leaving, s->active));
    judge_equal(j, "enter_valid", 0, out->enter_valid, enters);
    judge_equal(j, "enter_slot", 0, out->enter_slot, enters ? right->enter_slot : 0);
    judge_equal(j, "enter_warp", 0, out->enter_warp, enters ? right->enter_warp : 0);
}

static void compare_state(judge *j, const slow_two_level *s, const rf_sched_two_level *m) {
    bool held[RF_ACTIVE_MAX], leaving[RF_ACTIVE_MAX], older[RF_ACTIVE_MAX];
    for (uint32_t i = 0; i < s->active; i++) {
        held[i] = s->slot[i].state != FREE;
        leaving[i] = s->slot[i].state == LEAVING;
        judge_equal(j, "warp_q", i, m->warp_q[i], s->slot[i].warp);
    }
    judge_equal(j, "held_q", 0, m->held_q, judge_pack(held, s->active));
    judge_equal(j, "leaving_q", 0, m->leaving_q, judge_pack(leaving, s->active));
    if (!is_single(s))
        judge_equal(j, "gen_outer.u_enter.mask_q", 0, m->enter.mask_q, s->entered ? judge_above(s->last_entered, s->warps) : 0);
    if (s->policy == 1) {
        judge_equal(j, "gen_lrr.u_inner.u_rr.mask_q", 0, m->lrr.rr.mask_q, s->issued ? judge_above(s->last, s->active) : 0);
        return;
    }
    judge_equal(j, "gen_gto.u_inner.last_valid_q", 0, m->gto.last_valid_q, s->issued);
    judge_equal(j, "gen_gto.u_inner.last_q", 0, m->gto.last_q, s->last);
    for (uint32_t i = 0; i < s->active; i++) {
        for (uint32_t o = 0; o < s->active; o++) older[o] = s->slot[o].since < s->slot[i].since;
        judge_equal(j, "gen_gto.u_inner.older_q", i, m->gto.older_q[i], judge_pack(older, s->active));
    }
}

static void start(judge *j, uint64_t seed, rf_sched_two_level *m, slow_two_level *s, uint32_t warps, uint32_t active,
                  uint32_t policy) {
    const rf_sched_two_level_cfg cfg = {.warps = warps, .active = active, .policy = policy};
    judge_begin(j, seed, "rf_sched_two_level warps=%" PRIu32 " active=%" PRIu32 " policy=%" PRIu32, warps, active, policy);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_sched_two_level_init(m, &cfg), 0);
    assert_memory_equal(&m->cfg, &cfg, sizeof cfg);
    *s = (slow_two_level){.warps = warps, .active = active, .policy = policy};
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; the two calls of comb start from different garbage, and each must leave the model
 * alone. Returns what the cycle shows. */
static slow_out step(judge *j, rf_sched_two_level *m, slow_two_level *s, const rf_sched_two_level_in *in) {
    const slow_out right = slow_comb(s, in);
    rf_sched_two_level before;
    memcpy(&before, m, sizeof before);
    for (uint32_t n = 0; n < 2; n++) {
        rf_sched_two_level_out out;
        memset(&out, n == 0 ? 0xa5 : 0x5a, sizeof out);
        rf_sched_two_level_comb(m, in, &out);
        compare_out(j, s, &out, &right);
        assert_memory_equal(&before, m, sizeof before);
    }
    JUDGE_CLOCK(rf_sched_two_level, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
    return right;
}

/* ---- what was seen ---- */

static uint32_t how_many(const slow_two_level *s, slot_state state) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->active; i++) n += s->slot[i].state == state;
    return n;
}

static void count_choice(const slow_two_level *s, const rf_sched_two_level_in *in, const slow_out *out, uint64_t *seen) {
    const uint32_t chosen = out->chosen, first = oldest(s, in->ready);
    uint32_t able = 0, below = 0;
    if (chosen == s->active) {
        seen[NOBODY] += in->ready != 0;
        seen[TAKE_OF_NOTHING] += in->take;
        seen[LEAVE_OF_NOTHING] += in->take && in->leave && !is_single(s);
        return;
    }
    for (uint32_t i = 0; i < s->active; i++) {
        able += can_issue(s, in->ready, i);
        below += can_issue(s, in->ready, i) && s->slot[i].warp < s->slot[chosen].warp;
    }
    const bool again = s->issued && chosen == s->last;
    seen[NOT_TAKEN] += !in->take;
    seen[ONE_SLOT] += s->active == 1 && s->warps > 1;
    seen[ONE_WARP] += s->warps == 1;
    seen[SINGLE] += is_single(s) && s->warps > 1;
    if (s->policy == 1) {
        const uint32_t next = (s->last + 1) % s->active;
        seen[ROUND] += s->issued && able > 1 && chosen == s->last + 1;
        seen[ROUND_SKIPS] += s->issued && !again && chosen != next;
        seen[ROUND_WRAPS] += s->issued && able > 1 && chosen < s->last;
        return;
    }
    seen[GREEDY] += again && able > 1;
    seen[GREEDY_OVER_OLDER] += again && first != chosen;
    seen[OLDEST] += s->issued && !again && able > 1;
    seen[OLDEST_NOT_LOWEST] += !again && oldest(s, in->ready) == chosen && chosen > 0 && able > 1 && can_issue(s, in->ready, 0);
    seen[OLDEST_NOT_WARP] += !again && below > 0;
    seen[AFTER_LEAVE] += s->issued && !again && s->slot[s->last].state == LEAVING && judge_bit(in->ready, s->slot[s->last].warp);
}

static void count_leaving(const slow_two_level *s, const rf_sched_two_level_in *in, const slow_out *out, uint64_t *seen) {
    const bool issues = in->take && out->chosen < s->active;
    uint32_t freed = 0, kept = 0;
    for (uint32_t i = 0; i < s->active; i++) {
        const bool hold = judge_bit(in->hold, i);
        freed += s->slot[i].state == LEAVING && !hold;
        kept += s->slot[i].state == LEAVING && hold;
        seen[HOLD_OF_ACTIVE] += s->slot[i].state == ACTIVE && hold;
        seen[HOLD_OF_FREE] += s->slot[i].state == FREE && hold;
        seen[LEAVING_READY] += s->slot[i].state == LEAVING && judge_bit(in->ready, s->slot[i].warp);
    }
    seen[LEAVES] += issues && in->leave;
    seen[LEAVE_NOT_TAKEN] += out->chosen < s->active && in->leave && !in->take;
    seen[HOLD_OF_NEXT] += issues && in->leave && judge_bit(in->hold, out->chosen);
    seen[HOLDS] += kept > 0;
    seen[FREED] += freed == 1;
    seen[FREED_SEVERAL] += freed > 1;
    seen[FREED_SOME] += freed > 0 && kept > 0;
    seen[ALL_LEAVING] += how_many(s, LEAVING) == s->active && s->active > 1;
}

static void count_entry(const slow_two_level *s, const rf_sched_two_level_in *in, const slow_out *out, uint64_t *seen) {
    uint32_t pending = 0, pending_below = 0, leaving = 0, active = 0, freed = 0, had = s->active;
    const bool issues = in->take && out->chosen < s->active;
    for (uint32_t w = 0; w < s->warps; w++) {
        const uint32_t slot = slot_of(s, w);
        if (!judge_bit(in->ready, w)) continue;
        pending += slot == s->active;
        pending_below += slot == s->active && w < out->enter_warp;
        leaving += slot < s->active && s->slot[slot].state == LEAVING;
        active += slot < s->active && s->slot[slot].state == ACTIVE;
    }
    for (uint32_t i = 0; i < s->active; i++) {
        freed += s->slot[i].state == LEAVING && !judge_bit(in->hold, i);
        if (s->slot[i].state == FREE && s->slot[i].warp == out->enter_warp) had = i;
    }
    const uint32_t free = how_many(s, FREE);
    seen[LAUNCH] += in->launch != 0;
    seen[LEAVING_ALONE] += free > 0 && pending == 0 && leaving > 0;
    seen[ACTIVE_ALONE] += free > 0 && pending == 0 && leaving == 0 && active > 0;
    seen[FULL] += free == 0 && pending > 0;
    seen[FULL_FREED] += free == 0 && pending > 0 && freed > 0;
    if (out->enter_slot == s->active) return;
    seen[ENTERS]++;
    seen[ENTERS_ABOVE] += out->enter_slot > 0 && free > 1;
    seen[ENTERS_OF_SEVERAL] += free > 1;
    seen[ENTERS_IN_TURN] += pending_below > 0;
    seen[ENTERS_WRAPS] += s->entered && out->enter_warp <= s->last_entered;
    seen[ENTERS_AGAIN] += s->now > 2 * (uint64_t)s->active && had == out->enter_slot;
    seen[ENTERS_ELSEWHERE] += s->now > 2 * (uint64_t)s->active && had != s->active && had != out->enter_slot;
    seen[ENTERS_LAST] += s->policy == 0 && s->issued && s->last == out->enter_slot;
    seen[ENTERS_ISSUE] += issues;
    seen[ENTERS_LEAVE] += issues && in->leave;
    seen[ENTERS_FREED] += freed > 0;
}

static void count_single(const slow_two_level *s, const rf_sched_two_level_in *in, const slow_out *out, uint64_t *seen) {
    const bool issues = in->take && out->chosen < s->active;
    seen[SINGLE_LEAVE] += issues && in->leave;
    seen[SINGLE_HOLD] += in->hold != 0;
    seen[SINGLE_ROUND_LAUNCH] += s->policy == 1 && in->launch != 0;
    if (s->policy == 1) return;
    seen[SINGLE_LAUNCH] += in->launch != 0 && s->warps > 1;
    seen[SINGLE_LAUNCH_LAST] += s->issued && judge_bit(in->launch, s->last);
    seen[SINGLE_LAUNCH_TAKEN] += issues && judge_bit(in->launch, out->chosen);
}

static void count(const slow_two_level *s, const rf_sched_two_level_in *in, uint64_t *seen) {
    const slow_out out = slow_comb(s, in);
    count_choice(s, in, &out, seen);
    if (is_single(s)) {
        count_single(s, in, &out, seen);
        return;
    }
    count_leaving(s, in, &out, seen);
    count_entry(s, in, &out, seen);
}

/* ---- random cycles ---- */

/* Probabilities of a stretch of cycles, in 256ths. */
typedef struct mix {
    uint32_t ready, stays, take, leave, hold, launch;
} mix;

static void draw(ls_rng *rng, const mix *p, const slow_two_level *s, rf_sched_two_level_in *in) {
    if (!ls_rng_chance(rng, p->stays)) in->ready = ls_rng_bits(rng, s->warps, p->ready);
    if (ls_rng_chance(rng, 8)) in->ready = ls_rng_value(rng, s->warps);
    in->launch = ls_rng_chance(rng, p->launch) ? ls_rng_value(rng, s->warps) : 0;
    in->take = ls_rng_chance(rng, p->take);
    in->leave = ls_rng_chance(rng, p->leave);
    in->hold = (uint32_t)ls_rng_bits(rng, s->active, p->hold);
}

/* A pending warp that stays ready sees at most warps - 1 others enter before it does. */
static void run(uint32_t warps, uint32_t active, uint32_t policy, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_sched_two_level m;
    slow_two_level s;
    judge j;
    ls_rng rng;
    mix p = {0};
    rf_sched_two_level_in in = {0};
    uint32_t passed_over[RF_WARPS_MAX] = {0};
    start(&j, seed, &m, &s, warps, active, policy);
    ls_rng_seed(&rng, seed);
    while (j.cycle < cycles) {
        if (j.cycle % 128 == 0) {
            const uint32_t often[] = {16, 64, 128, 220, 256};
            p = (mix){.ready = ls_rng_below(&rng, 257),
                      .stays = often[ls_rng_below(&rng, 4)],
                      .take = often[ls_rng_below(&rng, 5)],
                      .leave = often[ls_rng_below(&rng, 5)],
                      .hold = often[ls_rng_below(&rng, 4)],
                      .launch = ls_rng_below(&rng, 96)};
        }
        draw(&rng, &p, &s, &in);
        count(&s, &in, seen);
        for (uint32_t w = 0; w < warps; w++)
            if (!judge_bit(in.ready, w) || slot_of(&s, w) < active) passed_over[w] = 0;
        const slow_out out = step(&j, &m, &s, &in);
        for (uint32_t w = 0; w < warps && out.enter_slot < active; w++) {
            const bool waits = judge_bit(in.ready, w) && slot_of(&s, w) == active;
            passed_over[w] = waits ? passed_over[w] + 1 : 0;
            assert_in_range(passed_over[w], 0, warps - 1);
        }
        if (ls_rng_chance(&rng, 1)) {
            seen[RESET] += s.issued;
            rf_sched_two_level_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
            memset(passed_over, 0, sizeof passed_over);
        }
    }
    judge_passes(&j);
}

static void random_warps(void **state) {
    static const uint32_t sizes[][2] = {{1, 1},  {2, 1},   {2, 2},   {3, 1},   {3, 2},  {4, 3},   {5, 2},
                                        {5, 5},  {8, 4},   {9, 8},   {16, 6},  {24, 8}, {32, 32}, {32, 8},
                                        {33, 7}, {48, 16}, {63, 31}, {64, 32}, {64, 1}, {48, 3}};
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t policy = 0; policy <= 1; policy++) {
            run(sizes[i][0], sizes[i][1], policy, ls_seed_derive(2 * i + policy, "judge rf_sched_two_level"), 6000, seen);
            cycles += 6000;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* From states that a random walk reaches, every input of one cycle. */
static void every_input_of_small_sizes(void **state) {
    judge j;
    ls_rng rng;
    (void)state;
    for (uint32_t warps = 1; warps <= 4; warps++)
        for (uint32_t active = 1; active <= (warps < 3 ? warps : 3); active++)
            for (uint32_t policy = 0; policy <= 1; policy++) {
                rf_sched_two_level m;
                slow_two_level s;
                rf_sched_two_level_in in = {0};
                start(&j, 0, &m, &s, warps, active, policy);
                ls_rng_seed(&rng, ls_seed_derive(16 * warps + 2 * active + policy, "judge rf_sched_two_level inputs"));
                for (uint32_t walk = 0; walk < 60; walk++) {
                    for (uint32_t code = 0; code < 1u << (warps + active + 2); code++) {
                        rf_sched_two_level m_now = m;
                        slow_two_level s_now = s;
                        step(&j, &m_now, &s_now,
                             &(rf_sched_two_level_in){.ready = code & ls_mask(warps),
                                                      .launch = ls_rng_value(&rng, warps),
                                                      .hold = code >> warps & (uint32_t)ls_mask(active),
                                                      .take = code >> (warps + active) & 1,
                                                      .leave = code >> (warps + active + 1) & 1});
                    }
                    draw(&rng, &(mix){.ready = 200, .take = 200, .leave = 90, .hold = 100, .launch = 60}, &s, &in);
                    step(&j, &m, &s, &in);
                }
                judge_passes(&j);
            }
}

/* ---- rule by rule ---- */

/* What a cycle of a scenario brings and shows. */
typedef struct scene {
    uint64_t ready;
    uint8_t take, leave;
    uint32_t hold;
    int slot, warp;             /* the choice, -1: none */
    int enter_slot, enter_warp; /* -1: none */
    uint32_t held, leaving;
} scene;

static void play(judge *j, rf_sched_two_level *m, slow_two_level *s, const scene *scenes, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const scene *c = &scenes[i];
        const rf_sched_two_level_in in = {
            .ready = c->ready, .launch = ls_mask(s->warps), .take = c->take, .leave = c->leave, .hold = c->hold};
        rf_sched_two_level_out out;
        rf_sched_two_level_comb(m, &in, &out);
        if (out.valid != (c->slot >= 0) || out.slot != (c->slot >= 0 ? c->slot : 0) || out.warp != (c->warp >= 0 ? c->warp : 0))
            fail_msg("scene %zu: chosen %u: slot %u, warp %u", i, out.valid, out.slot, out.warp);
        if (out.enter_valid != (c->enter_slot >= 0) || out.enter_slot != (c->enter_slot >= 0 ? c->enter_slot : 0) ||
            out.enter_warp != (c->enter_warp >= 0 ? c->enter_warp : 0))
            fail_msg("scene %zu: enters %u: slot %u, warp %u", i, out.enter_valid, out.enter_slot, out.enter_warp);
        if (out.held != c->held || out.leaving != c->leaving)
            fail_msg("scene %zu: held %#" PRIx32 ", leaving %#" PRIx32, i, out.held, out.leaving);
        step(j, m, s, &in);
    }
    judge_passes(j);
}
#define PLAY(scenes) play(&j, &m, &s, scenes, sizeof(scenes) / sizeof *(scenes))

/* Five warps, two slots, greedy. `launch` is set all the time: it means nothing. */
static void from_entry_to_entry(void **state) {
    static const scene scenes[] = {
        {0x1e, 1, 1, 3, -1, -1, 0, 1, 0, 0},   /* nobody is active: warp 1 comes first, 0 is not ready */
        {0x1e, 0, 0, 0, 0, 1, 1, 2, 1, 0},     /* it may issue at once, and 2 comes into the other slot */
        {0x1e, 0, 0, 0, 0, 1, -1, -1, 3, 0},   /* both held: 3 and 4 wait */
        {0x1c, 1, 0, 0, 1, 2, -1, -1, 3, 0},   /* 1 is not ready */
        {0x1e, 1, 0, 0, 1, 2, -1, -1, 3, 0},   /* greedy: 2 goes on, although 1 is older */
        {0x1e, 0, 1, 0, 1, 2, -1, -1, 3, 0},   /* leave without take is nothing */
        {0x1e, 1, 1, 3, 1, 2, -1, -1, 3, 0},   /* 2 leaves; hold of what is not leaving yet is nothing */
        {0x1e, 1, 0, 2, 0, 1, -1, -1, 3, 2},   /* its slot is held: 2 is neither chosen nor pending */
        {0x04, 1, 1, 2, -1, -1, -1, -1, 3, 2}, /* take and leave of nobody */
        {0x1e, 1, 0, 1, 0, 1, -1, -1, 3, 2},   /* the slot becomes free at this edge, and is taken in the next cycle */
        {0x1e, 0, 0, 0, 0, 1, 1, 3, 1, 0},     /* 3, behind 2, which came last */
        {0x1e, 1, 1, 0, 0, 1, -1, -1, 3, 0},   /* 1 leaves */
        {0x1e, 1, 1, 0, 1, 3, -1, -1, 3, 1},   /* 3 leaves too, while the slot of 1 becomes free */
        {0x1e, 1, 0, 0, -1, -1, 0, 4, 2, 2},   /* 4 */
        {0x1f, 0, 0, 0, 0, 4, 1, 0, 1, 0},     /* around: 0 */
        {0x1f, 0, 0, 0, 0, 4, -1, -1, 3, 0},
    };
    rf_sched_two_level m;
    slow_two_level s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 5, 2, 0);
    PLAY(scenes);
}

/* Six warps, three slots, greedy: who has been active for longest is first, not the lowest slot nor the lowest warp. */
static void the_oldest_active_warp_first(void **state) {
    static const scene scenes[] = {
        {0x07, 0, 0, 0, -1, -1, 0, 0, 0, 0}, {0x07, 0, 0, 0, 0, 0, 1, 1, 1, 0},
        {0x07, 0, 0, 0, 0, 0, 2, 2, 3, 0},   {0x0f, 1, 1, 0, 0, 0, -1, -1, 7, 0}, /* 0 leaves */
        {0x0f, 0, 0, 0, 1, 1, -1, -1, 7, 1}, {0x0f, 0, 0, 0, 1, 1, 0, 3, 6, 0},   /* 3 takes slot 0, which issued last, */
        {0x0f, 0, 0, 0, 1, 1, -1, -1, 7, 0}, /* and is the youngest: greedy does not go on with the slot */
        {0x0d, 1, 1, 0, 2, 2, -1, -1, 7, 0}, /* 2 leaves */
        {0x09, 1, 0, 0, 0, 3, -1, -1, 7, 4}, /* 3, since 1 is not ready */
        {0x0b, 1, 0, 0, 0, 3, 2, 0, 3, 0},   /* greedy; 0 is pending again, behind 3 around the end */
        {0x05, 1, 0, 0, 2, 0, -1, -1, 7, 0}, /* 2 is ready, but pending, and every slot is held */
        {0x0a, 0, 0, 0, 1, 1, -1, -1, 7, 0}, /* of 1 and 3 the older is 1 */
    };
    rf_sched_two_level m;
    slow_two_level s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 6, 3, 0);
    PLAY(scenes);
}

/* Five warps, three slots: round-robin over the slots, whatever warps they hold. */
static void round_robin_over_slots(void **state) {
    static const scene scenes[] = {
        {0x10, 0, 0, 0, -1, -1, 0, 4, 0, 0}, /* the first that is ready comes, also the last warp */
        {0x12, 0, 0, 0, 0, 4, 1, 1, 1, 0},   /* then around: 1 */
        {0x1e, 1, 0, 0, 0, 4, 2, 2, 3, 0},   {0x1e, 0, 0, 0, 1, 1, -1, -1, 7, 0}, /* not taken: once more */
        {0x1e, 1, 0, 0, 1, 1, -1, -1, 7, 0}, {0x1e, 1, 1, 0, 2, 2, -1, -1, 7, 0}, /* slot 2 leaves and had its turn */
        {0x1e, 1, 0, 4, 0, 4, -1, -1, 7, 4}, {0x1e, 1, 0, 0, 1, 1, -1, -1, 7, 4},
        {0x1e, 1, 0, 0, 0, 4, 2, 3, 3, 0},   /* slot 2 is free: around to 0; 3 takes it, behind 2 */
        {0x1c, 1, 0, 0, 2, 3, -1, -1, 7, 0}, /* 1 is not ready: left out */
        {0x1e, 1, 0, 0, 0, 4, -1, -1, 7, 0},
    };
    rf_sched_two_level m;
    slow_two_level s;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, 5, 3, 1);
    PLAY(scenes);
}

/* One slot: the next warp comes two cycles after the issue that leaves. */
static void one_slot(void **state) {
    static const scene scenes[] = {
        {7, 1, 1, 0, -1, -1, 0, 0, 0, 0},   {7, 1, 1, 0, 0, 0, -1, -1, 1, 0}, {7, 1, 1, 0, -1, -1, -1, -1, 1, 1},
        {7, 1, 1, 0, -1, -1, 0, 1, 0, 0},   {7, 1, 1, 0, 0, 1, -1, -1, 1, 0}, {7, 1, 1, 1, -1, -1, -1, -1, 1, 1},
        {2, 1, 1, 0, -1, -1, -1, -1, 1, 1}, {2, 1, 1, 0, -1, -1, 0, 1, 0, 0}, /* alone: again, once it is pending */
        {7, 1, 1, 0, 0, 1, -1, -1, 1, 0},
    };
    (void)state;
    for (uint32_t policy = 0; policy <= 1; policy++) {
        rf_sched_two_level m;
        slow_two_level s;
        judge j;
        start(&j, 0, &m, &s, 3, 1, policy);
        PLAY(scenes);
    }
}

/* ACTIVE = WARPS beside the single-level schedulers themselves. */
static void all_active_is_the_single_level_scheduler(void **state) {
    static const uint32_t sizes[] = {1, 2, 5, 32};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t policy = 0; policy <= 1; policy++) {
            const uint32_t warps = sizes[i];
            rf_sched_two_level m;
            slow_two_level s;
            judge j;
            ls_rng rng;
            rf_sched_gto gto;
            rf_sched_lrr lrr;
            rf_sched_two_level_in in = {0};
            start(&j, 0, &m, &s, warps, warps, policy);
            assert_int_equal(rf_sched_gto_init(&gto, &(rf_sched_gto_cfg){warps}), 0);
            assert_int_equal(rf_sched_lrr_init(&lrr, &(rf_sched_lrr_cfg){warps}), 0);
            ls_rng_seed(&rng, ls_seed_derive(warps, "judge rf_sched_two_level single"));
            for (uint32_t n = 0; n < 2000; n++) {
                rf_sched_two_level_out out;
                draw(&rng, &(mix){.ready = 100, .stays = 60, .take = 180, .leave = 100, .hold = 100, .launch = 40}, &s, &in);
                rf_sched_two_level_comb(&m, &in, &out);
                step(&j, &m, &s, &in);
                if (policy == 0) {
                    const rf_sched_gto_in one = {in.ready, in.launch, in.take};
                    rf_sched_gto_out is;
                    rf_sched_gto_comb(&gto, &one, &is);
                    rf_sched_gto_clock(&gto, &one);
                    judge_equal(&j, "single warp", 0, out.warp, is.warp);
                    judge_equal(&j, "single valid", 0, out.valid, is.valid);
                } else {
                    const rf_sched_lrr_in one = {in.ready, in.launch, in.take};
                    rf_sched_lrr_out is;
                    rf_sched_lrr_comb(&lrr, &one, &is);
                    rf_sched_lrr_clock(&lrr, &one);
                    judge_equal(&j, "single warp", 0, out.warp, is.warp);
                    judge_equal(&j, "single valid", 0, out.valid, is.valid);
                }
                judge_equal(&j, "single slot", 0, out.slot, out.warp);
            }
            judge_passes(&j);
        }
}

/* After reset nobody is active, or all are; a reset while running is as good as the first one. */
static void reset_empties_the_slots(void **state) {
    static const uint32_t sizes[][2] = {{6, 3}, {6, 6}};
    (void)state;
    for (size_t i = 0; i < 2; i++)
        for (uint32_t policy = 0; policy <= 1; policy++) {
            const uint32_t warps = sizes[i][0], active = sizes[i][1];
            rf_sched_two_level m, fresh;
            slow_two_level s;
            judge j;
            ls_rng rng;
            rf_sched_two_level_in in = {0};
            start(&j, 0, &m, &s, warps, active, policy);
            memcpy(&fresh, &m, sizeof fresh);
            assert_int_equal(m.held_q, active == warps ? ls_mask(active) : 0);
            assert_int_equal(m.leaving_q, 0);
            for (uint32_t slot = 0; slot < active; slot++) assert_int_equal(m.warp_q[slot], active == warps ? slot : 0);
            ls_rng_seed(&rng, 7);
            for (uint32_t n = 0; n < 200; n++) {
                draw(&rng, &(mix){.ready = 200, .take = 200, .leave = 60, .hold = 60, .launch = 60}, &s, &in);
                step(&j, &m, &s, &in);
            }
            rf_sched_two_level_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
            for (uint32_t n = 0; n < 200; n++) {
                const rf_sched_two_level_in next = {.ready = ls_mask(warps), .take = n % 3 == 0, .leave = n % 2 == 0};
                rf_sched_two_level_out one, other;
                memset(&one, 0, sizeof one);
                memset(&other, 0, sizeof other);
                rf_sched_two_level_step(&fresh, &next, &one);
                rf_sched_two_level_comb(&m, &next, &other);
                step(&j, &m, &s, &next);
                compare_state(&j, &s, &fresh);
                assert_int_equal(one.warp, other.warp);
                assert_int_equal(one.enter_warp, other.enter_warp);
            }
            judge_passes(&j);
        }
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_sched_two_level_cfg good[] = {{32, 8, 0}, {1, 1, 1}, {64, 32, 0}, {64, 1, 1}, {32, 32, 1}, {33, 7, 0}};
    (void)state;
    JUDGE_RANGES_BUT(rf_sched_two_level, good, "ACTIVE");
    judge_refused(&rf_sched_two_level_unit, &(rf_sched_two_level_cfg){8, 9, 0}, "ACTIVE", "WARPS");
    judge_refused(&rf_sched_two_level_unit, &(rf_sched_two_level_cfg){1, 2, 1}, "ACTIVE", "WARPS");
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static const uint32_t sizes[][2] = {{64, 32}, {32, 32}, {7, 3}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t policy = 0; policy <= 1; policy++) {
            rf_sched_two_level m;
            slow_two_level s;
            judge j;
            ls_rng rng;
            rf_sched_two_level_in in = {0};
            rf_sched_two_level_out out;
            start(&j, 0, &m, &s, sizes[i][0], sizes[i][1], policy);
            ls_rng_seed(&rng, 3);
            for (uint32_t n = 0; n < 100; n++) {
                draw(&rng, &(mix){.ready = 200, .take = 200, .leave = 60, .hold = 60, .launch = 60}, &s, &in);
                step(&j, &m, &s, &in);
            }
            judge_passes(&j);
            const slow_out right = slow_comb(&s, &in);
            memset(&out, 0, sizeof out);
            rf_sched_two_level_comb(&m, &in, &out);
            JUDGE_FLIPS(&j, rf_sched_two_level, LS_OUT, &m, &out, compare_out(&j, &s, &out, &right));
            JUDGE_FLIPS(&j, rf_sched_two_level, LS_STATE, &m, &m, compare_state(&j, &s, &m));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_warps),
        cmocka_unit_test(every_input_of_small_sizes),
        cmocka_unit_test(from_entry_to_entry),
        cmocka_unit_test(the_oldest_active_warp_first),
        cmocka_unit_test(round_robin_over_slots),
        cmocka_unit_test(one_slot),
        cmocka_unit_test(all_active_is_the_single_level_scheduler),
        cmocka_unit_test(reset_empties_the_slots),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_sched_two_level", tests, NULL, NULL);
}
