/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_hierarchy: the slow system of slow_hierarchy.h beside two models, one run by comb and clock, the other by step. */
#include "tb/common/judge/judge_unit.h"
#include "tb/hierarchy/judge/hierarchy_count.h"
#include "tb/hierarchy/judge/hierarchy_world.h"

extern const ls_unit rf_hierarchy_unit;

static rf_hierarchy model, stepped, before;
static slow_hierarchy slow;

static void start(judge *j, uint64_t seed, const rf_hierarchy_cfg *cfg) {
    judge_begin(j, seed,
                "rf_hierarchy W=%" PRIu32 " C=%" PRIu32 " B=%" PRIu32 " R=%" PRIu32 " L=%" PRIu32 " S=%" PRIu32 " E=%" PRIu32
                " D=%" PRIu32 " sched=%" PRIu32 " active=%" PRIu32 " levels=%" PRIu32 " managed=%" PRIu32 " entries=%" PRIu32
                " split=%" PRIu32 " policy=%" PRIu32 " liveness=%" PRIu32,
                cfg->warps, cfg->collectors, cfg->banks, cfg->regs, cfg->lanes, cfg->slots, cfg->exports, cfg->wbdepth,
                cfg->sched, cfg->active, cfg->levels, cfg->managed, cfg->entries, cfg->split, cfg->policy, cfg->liveness);
    memset(&model, 0xa5, sizeof model);
    memset(&stepped, 0x5a, sizeof stepped);
    assert_int_equal(rf_hierarchy_init(&model, cfg), 0);
    assert_int_equal(rf_hierarchy_init(&stepped, cfg), 0);
    assert_memory_equal(&model.cfg, cfg, sizeof *cfg);
    start_hierarchy(&slow, cfg);
    compare_hierarchy_state(j, &slow, &model);
    compare_hierarchy_state(j, &slow, &stepped);
    compare_banks(j, &slow.stage, &model.stage);
    compare_banks(j, &slow.stage, &stepped.stage);
}

/* What the whole system is for: in the lanes of the instruction its operands are the registers as the program's order has them,
 * wherever they were kept. */
static void compare_with_program(judge *j, const slow_round *now, const rf_hierarchy_out *out) {
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        const uint32_t c = now->stage.offered[e];
        if (c == NONE) continue;
        for (uint32_t k = 0; k < slow.cfg.slots; k++) {
            const slow_slot *slot = &slow.stage.collector[c].slot[k];
            const uint32_t *data = out->ex_data[e * slow.cfg.slots + k].lane;
            for (uint32_t l = 0; slot->state == HERE && l < slow.cfg.lanes; l++)
                if (judge_bit(slow.stage.collector[c].carried.mask, l))
                    judge_equal(j, "operand of the program", k, data[l], slot->promised[l]);
        }
    }
}

/* One cycle of all three (`now` by hierarchy_comb), everything compared but those rows of the banks that nobody writes. */
static void step(judge *j, const rf_hierarchy_in *in, slow_round *now, rf_hierarchy_out *out, bool lawful) {
    static rf_hierarchy_out stepped_out;
    const bool look = j->cycle % 512 == 7;
    memset(out, 0xa5, sizeof *out);
    memset(&stepped_out, 0x5a, sizeof stepped_out);
    if (look) memcpy(&before, &model, sizeof model);
    rf_hierarchy_comb(&model, in, out);
    if (look) assert_memory_equal(&before, &model, sizeof model);
    rf_hierarchy_clock(&model, in);
    rf_hierarchy_step(&stepped, in, &stepped_out);
    compare_hierarchy_out(j, &slow, now, out);
    compare_hierarchy_out(j, &slow, now, &stepped_out);
    if (lawful) compare_with_program(j, now, out);
    hierarchy_clock(&slow, in, now);
    compare_hierarchy_state(j, &slow, &model);
    compare_hierarchy_state(j, &slow, &stepped);
    for (uint32_t e = 0; e < writers_of(&slow); e++) {
        if (!now->granted[e]) continue;
        compare_row(j, &slow.stage, &model.stage, now->bank[e], now->row[e]);
        compare_row(j, &slow.stage, &stepped.stage, now->bank[e], now->row[e]);
    }
    j->cycle++;
}

/* clang-format off */
#define SEEN(X) \
    X(HIT_ALL, "all of several sources hit") \
    X(HIT_SOME, "some of the sources hit, others are read from banks") \
    X(HIT_BOTH_WAYS, "a register that is named twice hits once and is read from its bank once") \
    X(HIT_AND_BANK, "a collector is filled from the file while a bank reads for it") \
    X(NO_SLOT_READ, "an instruction of no lane names a register that its file has") \
    X(MISS_SENT, "a register that was written under this seat's last warps is read from its bank") \
    X(LAST_READ, "a last read that hits") \
    X(LAST_OFF, "a last read that hits, without LIVENESS") \
    X(NAME_SOURCE, "a head waits for the name of a source") \
    X(NAME_DESTINATION, "a head waits for the name of its destination only") \
    X(NAME_KEPT, "a head waits for the name of an operand that is to be kept only") \
    X(NAME_OF_OTHERS, "a head names what is pending in another slot's file") \
    X(KEEP_GOES, "an operand is kept") \
    X(KEEP_TWO, "two collected instructions keep an operand") \
    X(KEEP_SHUT, "the instruction whose turn it is to keep has no port") \
    X(KEEP_BLOCKS, "... and another one that keeps could go") \
    X(KEEP_DELAYS, "a kept operand delays a result") \
    X(RESULT_ALONE, "a result of a warp without a slot") \
    X(RESULT_LEAVING, "a result of a leaving warp") \
    X(ENTRY_SENT, "an entry is sent for a result") \
    X(ENTRY_ELSEWHERE, "... to another bank than the result's") \
    X(ENTRY_WAITS_BANK, "an entry waits for its bank") \
    X(FLUSH_SENT, "an entry is flushed") \
    X(FLUSH_LOSES, "a flush loses its bank to a queue") \
    X(FLUSH_WINS, "a flush wins its bank against a queue") \
    X(SEVERAL_WRITES, "three banks are written in one cycle") \
    X(LEAVES, "a warp is descheduled") \
    X(LEAVES_NOT, "a warp that would be descheduled finds no collector") \
    X(LEAVES_SINGLE, "ACTIVE = WARPS: a warp that would be descheduled stays") \
    X(LEAVES_EMPTY, "an instruction of no lane deschedules its warp") \
    X(HELD, "a leaving seat is not free yet") \
    X(ENTERS, "a warp enters") \
    X(ENTERS_AGAIN, "the warp that left enters again") \
    X(ENTERS_MID, "a warp enters a seat below one that is held") \
    X(NO_SEAT, "a ready warp finds all seats held") \
    X(READY_LEAVING, "the head of a leaving warp is ready") \
    X(YOUNG_LATER, "SCHED 2: the oldest, not the lowest seat") \
    X(GREEDY_SEAT, "SCHED 2: the last seat again, an older one being ready") \
    X(TURN_SEAT, "SCHED 3: the turn skips a seat that is not ready") \
    X(LAUNCH_SINGLE, "ACTIVE = WARPS: a new warp is the youngest") \
    X(NO_COLLECTOR, "a warp is chosen and no collector is free") \
    X(WAR, "a collector has yet to read the destination") \
    X(RESET, "reset while files hold something")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void count_reset(uint64_t *seen) {
    for (uint32_t a = 0; a < slow.cfg.active; a++) seen[RESET] += has_levels(&slow) && slot_holds(&slow.levels, a);
}

static void count_reads(const rf_hierarchy_in *in, const slow_round *now, uint64_t *seen) {
    const uint32_t w = now->stage.goes[0], c = slow.filled;
    uint32_t sources = 0, hits = 0;
    for (uint32_t k = 0; c != NONE && k < slow.cfg.slots; k++) seen[HIT_AND_BANK] += now->stage.read[c][k];
    if (w == NONE || !has_levels(&slow)) return;
    const uint8_t *src = &in->ib_src[w * slow.cfg.slots];
    for (uint32_t k = 0; k < slow.cfg.slots; k++) {
        const bool there = !by_software(&slow.levels) && cache_find(&slow.levels.cache[now->seat], src[k]) != ABSENT;
        seen[NO_SLOT_READ] += in->ib_mask[w] == 0 && judge_bit(in->ib_src_valid[w], k) && there;
        if (!judge_bit(sources_of(in, w), k)) continue;
        sources++;
        hits += now->way.hit[k];
        seen[LAST_READ] += now->way.hit[k] && judge_bit(now->in.last, k);
        seen[LAST_OFF] += there && judge_bit(in->ib_last[w], k) && !slow.cfg.liveness;
        for (uint32_t i = 0; i <= TOP && !by_software(&slow.levels); i++) /* it was there */
            seen[MISS_SENT] += !now->way.hit[k] && slow.levels.cache[now->seat].at[i].reg == src[k] && src[k] != 0;
        for (uint32_t low = 0; low < k; low++)
            seen[HIT_BOTH_WAYS] +=
                judge_bit(sources_of(in, w), low) && src[low] == src[k] && now->way.hit[low] != now->way.hit[k];
    }
    seen[HIT_ALL] += sources > 1 && hits == sources;
    seen[HIT_SOME] += hits > 0 && hits < sources;
}

static void count_waits(const rf_hierarchy_in *in, const slow_round *now, uint64_t *seen) {
    for (uint32_t w = 0; w < slow.cfg.warps; w++) {
        const uint32_t a = seat_of(&slow, w), to = in->ib_to[w];
        uint32_t sources = 0, kept = 0, others = 0;
        seen[WAR] += now->stage.valid[w] && now->stage.war[w] && !now->stage.raw[w] && !now->stage.waw[w];
        seen[READY_LEAVING] += has_seats(&slow) && now->stage.ready[w] && a != NONE && slow.seat[a].leaving;
        if (!now->stage.valid[w] || now->stage.hazard[w] || a == NONE || !has_levels(&slow) || !by_software(&slow.levels))
            continue;
        for (uint32_t k = 0; k < slow.cfg.slots; k++) {
            const uint32_t from = in->ib_from[w * slow.cfg.slots + k], name = from & RF_NOTE_NAME;
            if (!judge_bit(sources_of(in, w), k) || (from & (RF_NOTE_UPPER | RF_NOTE_KEEP)) == 0) continue;
            if (slow.levels.names[a].of[name].pending) (from & RF_NOTE_UPPER ? sources++ : kept++);
            for (uint32_t b = 0; b < slow.cfg.active; b++) others += slow.levels.names[b].of[name].pending;
        }
        const bool dst = has_destination(in, w) && (to & RF_NOTE_UPPER) && slow.levels.names[a].of[to & RF_NOTE_NAME].pending;
        seen[NAME_SOURCE] += sources > 0;
        seen[NAME_KEPT] += kept > 0 && sources == 0 && !dst;
        seen[NAME_DESTINATION] += dst && kept + sources == 0;
        seen[NAME_OF_OTHERS] += others > 0 && !now->pend[w];
    }
}

static void count_keeps(const rf_hierarchy_in *in, const slow_round *now, uint64_t *seen) {
    uint32_t keeps = 0, could = 0, offers = 0;
    for (uint32_t c = 0; c < slow.cfg.collectors; c++) {
        const bool wants = now->collected[c] && slow.kept[c] != ABSENT;
        keeps += wants;
        could += wants && c != now->keeper && judge_bit(in->ex_ready, slow.stage.collector[c].port);
    }
    for (uint32_t e = 0; e < slow.cfg.exports; e++) offers += now->way.offers[e];
    const bool shut = now->keeper != NONE && !judge_bit(in->ex_ready, slow.stage.collector[now->keeper].port);
    seen[KEEP_GOES] += now->in.keep;
    seen[KEEP_TWO] += keeps > 1;
    seen[KEEP_SHUT] += shut;
    seen[KEEP_BLOCKS] += shut && could > 0;
    seen[KEEP_DELAYS] += now->in.keep && offers > 0;
}

static void count_writes(const slow_round *now, uint64_t *seen) {
    const uint32_t flush = slow.cfg.exports;
    uint32_t writes = 0;
    for (uint32_t b = 0; b < slow.cfg.banks; b++) writes += now->stage.writer[b] != NONE;
    seen[SEVERAL_WRITES] += writes > 2;
    if (!has_levels(&slow)) return;
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        const slow_result *r = &slow.stage.queue[e].waiting[0];
        const slow_sent *a = &now->way.ask[e];
        if (slow.stage.queue[e].length == 0) continue;
        seen[RESULT_ALONE] += now->way.slot[e] == ABSENT;
        seen[RESULT_LEAVING] += now->way.slot[e] != ABSENT && judge_bit(now->in.leaving, now->way.slot[e]);
        seen[ENTRY_SENT] += a->any && a->entry && now->granted[e];
        seen[ENTRY_ELSEWHERE] += a->any && a->entry && now->bank[e] != r->bank;
        seen[ENTRY_WAITS_BANK] += a->any && a->entry && !now->granted[e];
        const bool rivals = a->any && now->way.ask[flush].any && now->bank[e] == now->bank[flush];
        seen[FLUSH_LOSES] += rivals && now->granted[e];
        seen[FLUSH_WINS] += rivals && now->granted[flush];
    }
    seen[FLUSH_SENT] += now->granted[flush];
}

static void count_seats(const rf_hierarchy_in *in, const slow_round *now, uint64_t *seen) {
    const uint32_t w = now->stage.chosen[0], a = now->seat;
    if (!has_seats(&slow)) return;
    uint32_t held = 0, pending = 0, older = 0, lower = 0, above = 0;
    for (uint32_t b = 0; b < slow.cfg.active; b++) {
        const slow_seat *seat = &slow.seat[b];
        const bool ready = seat->held && !seat->leaving && now->stage.ready[seat->warp];
        held += seat->held;
        older += a != NONE && ready && seat->since < slow.seat[a].since;
        lower += ready && b < a;
        above += seat->held && now->enters_seat != NONE && b > now->enters_seat;
        seen[HELD] += seat->leaving && has_levels(&slow) && slot_holds(&slow.levels, b);
    }
    for (uint32_t v = 0; v < slow.cfg.warps; v++) pending += now->stage.ready[v] && seat_of(&slow, v) == NONE;
    seen[NO_SEAT] += pending > 0 && held == slow.cfg.active;
    seen[ENTERS] += now->enters != NONE;
    seen[ENTERS_AGAIN] += now->enters != NONE && slow.seat[now->enters_seat].warp == now->enters && slow.entries > 20;
    seen[ENTERS_MID] += now->enters != NONE && above > 0;
    seen[LAUNCH_SINGLE] += all_active(&slow) && in->launch != 0;
    if (w == NONE) return;
    const bool leaves = judge_bit(in->ib_leave, w), goes = now->stage.turn[0];
    seen[LEAVES] += leaves && goes && !all_active(&slow);
    seen[LEAVES_NOT] += leaves && !goes && !all_active(&slow);
    seen[LEAVES_SINGLE] += leaves && goes && all_active(&slow);
    seen[LEAVES_EMPTY] += leaves && goes && in->ib_mask[w] == 0;
    seen[GREEDY_SEAT] += slow.cfg.sched == 2 && slow.greedy && a == slow.last_seat && older > 0;
    seen[YOUNG_LATER] += slow.cfg.sched == 2 && older == 0 && lower > 0;
    seen[TURN_SEAT] += slow.cfg.sched == 3 && a != (slow.last_turn + 1) % slow.cfg.active;
    seen[NO_COLLECTOR] += !goes;
}

static void count(const rf_hierarchy_in *in, const slow_round *now, uint64_t *seen) {
    count_reads(in, now, seen);
    count_waits(in, now, seen);
    count_keeps(in, now, seen);
    count_writes(now, seen);
    count_seats(in, now, seen);
}

/* A run, which ends with the first difference. `seen`, unless NULL, and the counters are of what happens.
 * `lie`: lawful hints are wrong. */
static void run(judge *j, const rf_hierarchy_cfg *cfg, uint64_t seed, bool lawful, uint64_t cycles, uint64_t *seen, bool lie) {
    static hierarchy_counts counts;
    static world x;
    static hints h;
    static rf_hierarchy_in in;
    static rf_hierarchy_out out;
    static slow_round now;
    start(j, seed, cfg);
    memset(&x, 0, sizeof x);
    memset(&in, 0, sizeof in);
    memset(&h, 0, sizeof h);
    memset(&counts, 0, sizeof counts);
    forget_hints(&h);
    h.lie = lie;
    x.in = &in.stage;
    x.lawful = lawful;
    ls_rng_seed(&x.rng, seed);
    while (j->cycle < cycles && j->differing == 0) {
        if (j->cycle % 256 == 0) draw_mix(&x, &slow.stage.cfg), draw_hints(&h, &x.rng);
        stimulate(&x, &slow.stage.cfg);
        add_hints(&slow, &h, &x, &in);
        hierarchy_comb(&slow, &in, &now);
        note_hints(&slow, &h, &in, &now);
        const rf_stage_waits waits = draw_waits(in.ib_valid | (j->cycle % 128 < 64 ? 0 : ls_mask(cfg->warps)), j->cycle);
        if (seen != NULL) count(&in, &now, seen), count_cycle(&counts, &slow, &in, &now, &waits);
        step(j, &in, &now, &out, lawful);
        if (seen != NULL) rf_hierarchy_count_cycle(&counts.model, cfg, &in, &out, &waits);
        take_note(&x, &slow.stage.cfg, &now.stage, &out.stage);
        if (!ls_rng_chance(&x.rng, 1) || !ls_rng_chance(&x.rng, 64)) continue;
        if (seen != NULL) compare_counts(j, &counts, cfg);
        if (seen != NULL) count_reset(seen);
        rf_hierarchy_reset(&model);
        rf_hierarchy_reset(&stepped);
        hierarchy_reset(&slow);
        forget(&x);
        forget_hints(&h);
        in.ib_valid = 0; /* what the heads promised no longer holds */
        compare_hierarchy_state(j, &slow, &model);
        compare_hierarchy_state(j, &slow, &stepped);
        compare_banks(j, &slow.stage, &model.stage);
    }
    compare_banks(j, &slow.stage, &model.stage);
    compare_banks(j, &slow.stage, &stepped.stage);
    if (seen != NULL && j->differing == 0) compare_counts(j, &counts, cfg);
}

/*    W  C  B  R  L  S  E  I  D sched active levels managed entries split policy liveness */
static const struct {
    rf_hierarchy_cfg cfg;
    uint64_t cycles; /* of each of two runs */
} sets[] = {
    {{8, 3, 4, 8, 4, 3, 2, 1, 2, 2, 3, 3, 0, 2, 0, 0, 1}, 4000},
    {{8, 3, 4, 8, 4, 3, 2, 1, 2, 3, 3, 3, 1, 2, 1, 0, 0}, 4000},
    {{6, 2, 3, 5, 2, 2, 3, 1, 3, 3, 2, 2, 0, 3, 0, 1, 0}, 3000},
    {{6, 4, 3, 5, 2, 3, 3, 1, 3, 2, 2, 3, 1, 1, 0, 0, 0}, 4000},
    {{5, 3, 5, 7, 3, 3, 3, 1, 2, 2, 5, 3, 0, 3, 0, 1, 1}, 3000},
    {{5, 3, 5, 7, 3, 3, 3, 1, 2, 2, 5, 2, 0, 3, 0, 0, 0}, 3000},
    {{5, 4, 5, 7, 3, 3, 3, 1, 2, 3, 5, 2, 1, 4, 0, 0, 0}, 3000},
    {{1, 1, 1, 1, 1, 1, 1, 1, 1, 3, 1, 2, 0, 1, 0, 0, 1}, 1500},
    {{1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 3, 1, 1, 1, 1, 1}, 1500},
    {{7, 3, 4, 6, 2, 3, 3, 1, 3, 0, 1, 1, 0, 1, 0, 0, 0}, 1500},
    {{7, 3, 4, 6, 2, 3, 3, 1, 3, 1, 4, 1, 1, 8, 1, 1, 1}, 1500},
    {{7, 3, 4, 6, 2, 3, 3, 1, 3, 2, 3, 1, 0, 3, 0, 0, 1}, 2000},
    {{9, 4, 3, 9, 1, 4, 4, 1, 1, 3, 1, 3, 0, 4, 0, 1, 1}, 3000},
    {{33, 8, 8, 10, 1, 3, 5, 1, 4, 2, 8, 3, 1, 6, 1, 0, 0}, 1000},
    {{40, 5, 16, 5, 5, 8, 7, 1, 5, 3, 32, 3, 0, 8, 0, 1, 1}, 500},
    {{64, 8, 32, 256, 2, 8, 7, 1, 16, 2, 7, 2, 1, 8, 0, 1, 1}, 400},
    {{12, 16, 8, 16, 32, 4, 4, 1, 4, 3, 6, 3, 0, 5, 0, 0, 1}, 700},
};
#define SETS (sizeof sets / sizeof *sets)

static void random_programs(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < SETS; i++)
        for (uint32_t lawful = 0; lawful <= 1; lawful++) {
            judge j;
            run(&j, &sets[i].cfg, ls_seed_derive(2 * i + lawful, "judge rf_hierarchy"), lawful, sets[i].cycles, seen, false);
            judge_passes(&j);
            cycles += sets[i].cycles;
        }
    assert_true(cycles >= 50000);
    judge_saw_all(event_names, seen, EVENTS);
    judge_saw_all(counter_names, counted, COUNTS);
}

/* A slow system that breaks one rule differs from the model in some run. */
static void a_system_that_breaks_a_rule_is_seen(void **state) {
    uint32_t missed = 0;
    (void)state;
    for (uint32_t f = NO_SLIP + 1; f < SLIP_COUNT; f++) {
        bool differs = false;
        for (size_t n = 0; n < 2 * SETS && !differs; n++) {
            judge j;
            slip = f;
            run(&j, &sets[n / 2].cfg, ls_seed_derive(n, "judge rf_hierarchy"), n % 2 == 1, sets[n / 2].cycles, NULL, false);
            slip = NO_SLIP;
            differs = j.differing != 0;
        }
        if (!differs) print_error("nobody sees that %s\n", slip_names[f]);
        missed += !differs;
    }
    assert_int_equal(missed, 0);
}

/* Wrong hints change no register's agreement, but operands are not the program's. */
static void a_compiler_that_lies_is_seen(void **state) {
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        judge j;
        run(&j, &sets[i].cfg, ls_seed_derive(i, "judge rf_hierarchy lies"), true, sets[i].cycles, NULL, true);
        assert_true(j.differing > 0);
        assert_string_equal(j.field, "operand of the program");
    }
}

/* "With LEVELS 1 and SCHED 0 or 1 it is rf_banked with PORTS 2, cycle for cycle", whatever the hints say. */
static void one_level_and_all_warps_is_rf_banked(void **state) {
    static rf_banked plain;
    static rf_banked_out plain_out;
    static rf_banked_in plain_in;
    static rf_hierarchy_in in;
    static rf_hierarchy_out out;
    static slow_round now;
    static world x;
    static hints h;
    uint64_t issued = 0, left = 0;
    (void)state;
    for (size_t i = 0; i < 2 * SETS; i++) {
        rf_hierarchy_cfg cfg = sets[i / 2].cfg;
        judge j;
        cfg.levels = 1;
        cfg.sched = i % 2;
        start(&j, ls_seed_derive(i, "judge rf_hierarchy plain"), &cfg);
        assert_int_equal(rf_banked_init(&plain, &slow.stage.cfg), 0);
        memset(&x, 0, sizeof x);
        memset(&h, 0, sizeof h);
        memset(&in, 0, sizeof in);
        x.in = &in.stage;
        ls_rng_seed(&x.rng, j.seed);
        for (j.cycle = 0; j.cycle < 300; j.cycle++) {
            if (j.cycle % 128 == 0) draw_mix(&x, &slow.stage.cfg), draw_hints(&h, &x.rng);
            stimulate(&x, &slow.stage.cfg);
            add_hints(&slow, &h, &x, &in);
            plain_in.stage = in.stage;
            hierarchy_comb(&slow, &in, &now);
            memset(&out, 0, sizeof out);
            memset(&plain_out, 0, sizeof plain_out);
            rf_hierarchy_step(&model, &in, &out);
            rf_banked_step(&plain, &plain_in, &plain_out);
            assert_memory_equal(&out.stage, &plain_out.stage, sizeof out.stage);
            left += now.stage.goes[0] != NONE && judge_bit(in.ib_leave, now.stage.goes[0]);
            hierarchy_clock(&slow, &in, &now);
            take_note(&x, &slow.stage.cfg, &now.stage, &plain_out.stage);
            compare_stage(&j, &slow.stage, &plain);
            compare_hierarchy_state(&j, &slow, &model);
            issued += plain_out.issue_valid;
        }
        compare_banks(&j, &slow.stage, &plain);
        compare_banks(&j, &slow.stage, &model.stage);
        judge_passes(&j);
    }
    assert_true(issued > 1000 && left > 50);
}

/* Instructions stop; results come as they are owed, ports accept. Then everything is written, no name is pending and every
 * leaving seat is free. */
static void what_is_inside_drains(void **state) {
    static rf_hierarchy_in in;
    static rf_hierarchy_out out;
    static slow_round now;
    static world x;
    static hints h;
    uint64_t leaving_at_stop = 0, pending_at_stop = 0, inside_at_stop = 0;
    (void)state;
    for (size_t i = 0; i < 4 * SETS; i++) {
        const rf_hierarchy_cfg *cfg = &sets[i / 4].cfg;
        judge j;
        uint32_t inside = 0;
        start(&j, ls_seed_derive(i, "judge rf_hierarchy drains"), cfg);
        memset(&x, 0, sizeof x);
        memset(&h, 0, sizeof h);
        memset(&in, 0, sizeof in);
        forget_hints(&h);
        x.in = &in.stage;
        x.lawful = true;
        ls_rng_seed(&x.rng, j.seed);
        draw_mix(&x, &slow.stage.cfg), draw_hints(&h, &x.rng);
        for (uint32_t t = 0; t < 100 + 40 * cfg->warps; t++) {
            const bool runs = t < 100;
            if (!runs) in.ib_valid = 0, x.p_fetch = x.p_change = 0, x.p_ready = x.p_result = 256;
            stimulate(&x, &slow.stage.cfg);
            add_hints(&slow, &h, &x, &in);
            hierarchy_comb(&slow, &in, &now);
            note_hints(&slow, &h, &in, &now);
            step(&j, &in, &now, &out, true);
            take_note(&x, &slow.stage.cfg, &now.stage, &out.stage);
            for (uint32_t a = 0; t == 100 && a < cfg->active; a++) {
                leaving_at_stop += slow.seat[a].leaving;
                pending_at_stop += names_pend(&slow.levels.names[a]);
            }
            for (uint32_t c = 0; t == 100 && c < cfg->collectors; c++) inside_at_stop += slow.stage.collector[c].busy;
        }
        for (uint32_t a = 0; a < cfg->active; a++) inside += slow.seat[a].leaving + names_pend(&slow.levels.names[a]);
        for (uint32_t c = 0; c < cfg->collectors; c++) inside += slow.stage.collector[c].busy;
        for (uint32_t e = 0; e < cfg->exports; e++) inside += slow.stage.queue[e].length;
        judge_passes(&j);
        if (inside != 0) fail_msg("%s: %" PRIu32 " inside", j.where, inside);
    }
    assert_true(leaving_at_stop > 3 && pending_at_stop > 10 && inside_at_stop > 30);
}

/* --- written programs ------------------------------------------------------------------------------------------------------- */

/* Two seats for four warps; banks of warp w's register r: (r + w) mod 4. */
static const rf_hierarchy_cfg by_hardware = {4, 3, 4, 8, 2, 3, 2, 1, 2, 2, 2, 3, 0, 2, 0, 0, 1};
static const rf_hierarchy_cfg by_names = {4, 3, 4, 8, 2, 3, 2, 1, 2, 2, 2, 3, 1, 2, 1, 0, 1};
static judge trial;
static rf_hierarchy_out out;

static void cycle(rf_hierarchy_in *in) {
    slow_round now;
    hierarchy_comb(&slow, in, &now);
    step(&trial, in, &now, &out, false);
    judge_passes(&trial);
    if (out.issue_valid) in->ib_valid &= ~(UINT64_C(1) << out.issue_warp[0]);
    in->res_valid &= (uint8_t)~out.res_ready;
}

/* Until an instruction issues; how many cycles went by. */
static uint32_t until_issue(rf_hierarchy_in *in) {
    for (uint32_t n = 0; n < 20; n++) {
        cycle(in);
        if (out.issue_valid) return n;
    }
    fail_msg("nothing issues");
    return 0;
}

static rf_hierarchy_in begin(const rf_hierarchy_cfg *cfg) {
    start(&trial, 0, cfg);
    return (rf_hierarchy_in){.ex_ready = 3};
}

static void head(rf_hierarchy_in *in, uint32_t w, uint32_t dst, uint32_t src) {
    put_head(&slow.stage.cfg, &in->stage, w, 0, dst, src);
}

static void result(rf_hierarchy_in *in, uint32_t e, uint32_t w, uint32_t reg, uint32_t note, uint32_t value) {
    give_result(&slow.stage.cfg, &in->stage, e, w, reg, value);
    in->res_to[e] = (uint8_t)note;
}

/* Issue, fill from the file a cycle later, dispatch the cycle after: one earlier than from a bank. */
static void a_source_of_the_file_comes_a_cycle_earlier(void **state) {
    rf_hierarchy_in in = begin(&by_hardware);
    (void)state;
    head(&in, 2, 300, 300);
    assert_int_equal(until_issue(&in), 1); /* it enters, then it issues */
    for (uint32_t t = 0; t < 3; t++) cycle(&in);
    result(&in, 1, 2, 5, RF_NOTE_UPPER, 70);
    cycle(&in);
    cycle(&in); /* the head of its queue goes to the L0 */
    head(&in, 2, 300, 5);
    assert_int_equal(until_issue(&in), 0);
    cycle(&in);
    assert_int_equal(out.ex_valid, 0);
    cycle(&in);
    assert_int_equal(out.ex_valid, 1);
    assert_int_equal(out.ex_data[0].lane[1], 71);
    head(&in, 2, 300, 4);
    assert_int_equal(until_issue(&in), 0);
    for (uint32_t t = 1; t <= 3; t++) {
        cycle(&in);
        assert_int_equal(out.ex_valid, t == 3);
    }
    assert_int_equal(model.stage.bank[3].mem_q[5].lane[0], 0); /* R5 is not in its bank */
}

/* A warp leaves; its entries go to their banks, one a cycle; its seat is free, another warp takes it; it reads what was flushed.
 */
static void a_warp_that_leaves_is_flushed(void **state) {
    rf_hierarchy_in in = begin(&by_hardware);
    (void)state;
    head(&in, 0, 300, 300);
    assert_int_equal(until_issue(&in), 1);
    for (uint32_t r = 1; r <= 2; r++) {
        result(&in, 1, 0, r, RF_NOTE_UPPER, 10 * r);
        cycle(&in);
    }
    cycle(&in);
    head(&in, 0, 300, 1);
    in.ib_leave = 1;
    assert_int_equal(until_issue(&in), 0);
    in.ib_leave = 0;
    head(&in, 0, 300, 2);
    cycle(&in); /* leaving: the L0 is sent */
    assert_int_equal(model.sched.leaving_q, 1);
    assert_int_equal(model.stage.bank[2].mem_q[0].lane[0], 20);
    cycle(&in);
    assert_int_equal(model.stage.bank[1].mem_q[0].lane[0], 10);
    cycle(&in); /* nothing is held */
    assert_int_equal(model.sched.held_q, 0);
    cycle(&in); /* it enters again */
    assert_int_equal(model.sched.held_q, 1);
    assert_int_equal(until_issue(&in), 0);
    for (uint32_t t = 1; t <= 3; t++) cycle(&in);
    assert_int_equal(out.ex_data[0].lane[0], 20);
}

/* The destination's name is pending from the issue to the write: who names it waits, another warp does not. */
static void a_head_waits_for_a_name(void **state) {
    rf_hierarchy_in in = begin(&by_names);
    (void)state;
    head(&in, 0, 3, 300);
    in.ib_to[0] = RF_NOTE_UPPER | 1;
    until_issue(&in);
    head(&in, 0, 300, 5);
    in.ib_from[0] = RF_NOTE_UPPER | 1; /* R5 is not pending, its name is */
    head(&in, 1, 300, 5);
    in.ib_from[3] = RF_NOTE_UPPER | 1;
    until_issue(&in);
    assert_int_equal(out.issue_warp[0], 1);
    for (uint32_t t = 0; t < 5; t++) {
        cycle(&in);
        assert_int_equal(out.issue_valid, 0);
    }
    result(&in, 0, 0, 3, RF_NOTE_UPPER | 1, 70);
    cycle(&in);
    assert_int_equal(until_issue(&in), 1); /* written in this cycle, read in the next one */
    cycle(&in);
    cycle(&in);
    assert_int_equal(out.ex_data[0].lane[1], 71);
}

/* Two instructions keep an operand: one is dispatched in a cycle, though their ports are two; a third one goes beside. The result
 * that comes meanwhile waits for its name. */
static void one_operand_is_kept_in_a_cycle(void **state) {
    rf_hierarchy_in in = begin(&by_names);
    (void)state;
    in.ex_ready = 0;
    for (uint32_t n = 0; n < 3; n++) {
        head(&in, 1, 300, 4 + n);
        in.ib_port[1] = (uint8_t)(n % 2);
        in.ib_from[3] = (uint8_t)(n < 2 ? RF_NOTE_KEEP | n : 0);
        until_issue(&in);
    }
    for (uint32_t t = 0; t < 4; t++) cycle(&in);
    result(&in, 0, 1, 7, RF_NOTE_UPPER | 9, 70);
    cycle(&in);
    assert_int_equal(out.ex_valid, 1); /* the first one's turn; the third one has the same port */
    cycle(&in);                        /* the result is written: nothing is kept */
    assert_int_equal(model.stage.wbq[0].ctrl.level_q, 0);
    result(&in, 0, 1, 7, RF_NOTE_UPPER | 9, 80);
    cycle(&in);
    in.ex_ready = 3;
    cycle(&in);
    assert_int_equal(out.ex_valid, 1);
    assert_int_equal(model.stage.wbq[0].ctrl.level_q, 1);
    assert_int_equal(model.levels.orf[0].pend_q, 2);
    cycle(&in);
    assert_int_equal(out.ex_valid, 3);
    assert_int_equal(model.stage.wbq[0].ctrl.level_q, 1);
    assert_int_equal(model.levels.orf[0].pend_q, 0);
    cycle(&in);
    assert_int_equal(model.stage.wbq[0].ctrl.level_q, 0);
}

/* [hierarchy 6.3, Tables IV and V], a warp register of 32 lanes; 3 entries and 8 warps are 4 and 6. */
static void energy(void *ctx, const char *name, double value) {
    double *of = ctx;
    if (strcmp(name, "energy_uj") == 0) of[0] = value;
    if (strcmp(name, "energy_banks_uj") == 0) of[1] = value;
    if (strcmp(name, "energy_l1_uj") == 0) of[2] = value;
    if (strcmp(name, "energy_l0_uj") == 0) of[3] = value;
}

static void the_energy_is_the_papers(void **state) {
    static const struct {
        uint32_t entries, active;
        double read, write;
    } table[] = {{4, 4, 1.2, 3.8}, {4, 6, 1.2, 4.4},  {4, 8, 1.9, 6.1}, {6, 6, 1.7, 5.4},
                 {6, 8, 2.2, 6.7}, {8, 8, 3.4, 10.9}, {3, 8, 1.2, 4.4}};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        rf_hierarchy_cfg cfg = sets[SETS - 1].cfg; /* 32 lanes */
        double of[4] = {0};
        judge j;
        cfg.entries = table[i].entries;
        cfg.active = table[i].active;
        const rf_hierarchy_count n = {.cycles = 1,
                                      .reads = 1000,
                                      .writes = 700,
                                      .moves = 40,
                                      .l1 = {.reads = 500, .shared_reads = 100, .writes = 300, .shared_writes = 50, .sent = 20},
                                      .l0 = {.reads = 250, .writes = 120, .sent = 10}};
        rf_hierarchy_count_report(&n, &cfg, &judge_wires, energy, of);
        const double wire = 60.8; /* a millimetre */
        const double banks = 1000 * (64 + wire) + 700 * (88 + wire);
        const double l1 = 420 * (8 * table[i].read + 0.2 * wire) + 100 * (8 * table[i].read + 0.4 * wire) +
                          250 * (8 * table[i].write + 0.2 * wire) + 50 * (8 * table[i].write + 0.4 * wire);
        const double l0 = 300 * (5.6 + 0.05 * wire) + 120 * (16 + 0.05 * wire);
        judge_begin(&j, 0, "energy of %" PRIu32 " entries, %" PRIu32 " warps", cfg.entries, cfg.active);
        judge_figure(&j, "energy_banks_uj", of[1], banks * 1e-6);
        judge_figure(&j, "energy_l1_uj", of[2], l1 * 1e-6);
        judge_figure(&j, "energy_l0_uj", of[3], l0 * 1e-6);
        judge_figure(&j, "energy_uj", of[0], (banks + l1 + l0) * 1e-6);
    }
}

static void reset_keeps_the_banks(void **state) {
    judge j;
    uint64_t written = 0;
    (void)state;
    for (uint32_t i = 0; i < 2; i++) {
        run(&j, &sets[i].cfg, 0x5eed + i, true, 300, NULL, false);
        rf_hierarchy_reset(&model);
        hierarchy_reset(&slow);
        compare_hierarchy_state(&j, &slow, &model);
        compare_banks(&j, &slow.stage, &model.stage);
        judge_passes(&j);
        assert_memory_equal(&model.cfg, &sets[i].cfg, sizeof model.cfg);
        for (uint32_t w = 0; w < sets[i].cfg.warps; w++) written += slow.stage.reg[w][0][0] != 0;
    }
    assert_true(written > 0);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    judge_ranges(&rf_hierarchy_unit, &sets->cfg, SETS, sizeof *sets, "active");
    rf_hierarchy_cfg cfg = by_names;
    cfg.collectors = 13, cfg.slots = 5;
    judge_refused(&rf_hierarchy_unit, &cfg, "collectors", "64");
    cfg.collectors = 12;
    assert_null(rf_hierarchy_check(&cfg));
    cfg = by_names, cfg.warps = 64, cfg.regs = 256, cfg.banks = 15;
    judge_refused(&rf_hierarchy_unit, &cfg, "warps", "1024");
    cfg.banks = 16;
    assert_null(rf_hierarchy_check(&cfg));
    cfg = by_names, cfg.active = 5;
    judge_refused(&rf_hierarchy_unit, &cfg, "active", "warps");
    cfg = by_names, cfg.sched = 1;
    judge_refused(&rf_hierarchy_unit, &cfg, "levels", "sched");
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static rf_hierarchy_in in;
    static slow_round now;
    (void)state;
    for (uint32_t i = 0; i < 9; i++) {
        judge j;
        run(&j, &sets[i].cfg, 0xfa11 + i, true, 300, NULL, false);
        judge_passes(&j);
        JUDGE_LANE_FLIPS(&j, rf_hierarchy, LS_STATE, &model, &model,
                         (compare_hierarchy_state(&j, &slow, &model), compare_banks(&j, &slow.stage, &model.stage)));
        hierarchy_comb(&slow, &in, &now);
        rf_hierarchy_comb(&model, &in, &out);
        JUDGE_LANE_FLIPS(&j, rf_hierarchy, LS_OUT, &model, &out, compare_hierarchy_out(&j, &slow, &now, &out));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
        cmocka_unit_test(a_system_that_breaks_a_rule_is_seen),
        cmocka_unit_test(a_compiler_that_lies_is_seen),
        cmocka_unit_test(one_level_and_all_warps_is_rf_banked),
        cmocka_unit_test(what_is_inside_drains),
        cmocka_unit_test(a_source_of_the_file_comes_a_cycle_earlier),
        cmocka_unit_test(a_warp_that_leaves_is_flushed),
        cmocka_unit_test(a_head_waits_for_a_name),
        cmocka_unit_test(one_operand_is_kept_in_a_cycle),
        cmocka_unit_test(the_energy_is_the_papers),
        cmocka_unit_test(reset_keeps_the_banks),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_hierarchy", tests, NULL, NULL);
}
