/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_banked: the slow stage of judge_banked.h beside two models, one run by comb and clock, the other by step; the
 * counters. */
#include "tb/banked/judge/judge_banked.h"
#include "tb/banked/judge/judge_banked_count.h"
#include "tb/banked/judge/judge_world.h"
#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_banked_unit;

/* The two models under judgement, the slow stage, and a copy to see that comb changes nothing. */
static rf_banked model, stepped, before;
static slow_stage slow;

static void compare_all(judge *j) {
    compare_state(j, &slow, &model);
    compare_banks(j, &slow, &model);
}

static void start(judge *j, uint64_t seed, const rf_banked_cfg *cfg) {
    judge_begin(j, seed,
                "rf_banked warps=%" PRIu32 " collectors=%" PRIu32 " banks=%" PRIu32 " regs=%" PRIu32 " lanes=%" PRIu32
                " slots=%" PRIu32 " exports=%" PRIu32 " issues=%" PRIu32 " ports=%" PRIu32 " sched=%" PRIu32 " fetch=%" PRIu32
                " wbdepth=%" PRIu32 " serial=%" PRIu32,
                cfg->warps, cfg->collectors, cfg->banks, cfg->regs, cfg->lanes, cfg->slots, cfg->exports, cfg->issues, cfg->ports,
                cfg->sched, cfg->fetch, cfg->wbdepth, cfg->serial);
    memset(&model, 0xa5, sizeof model);
    memset(&stepped, 0x5a, sizeof stepped);
    assert_int_equal(rf_banked_init(&model, cfg), 0);
    assert_int_equal(rf_banked_init(&stepped, cfg), 0);
    assert_memory_equal(&model.cfg, cfg, sizeof *cfg);
    memset(&slow, 0, sizeof slow);
    slow.cfg = *cfg;
    slow_reset(&slow);
    compare_state(j, &slow, &model);
    compare_state(j, &slow, &stepped);
    compare_banks(j, &slow, &model);
    compare_banks(j, &slow, &stepped);
}

/* What the whole stage is for: operands are the registers as the program's order has them, whatever was reordered since. */
static void compare_with_program(judge *j, const slow_cycle *now, const rf_banked_out *out) {
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        if (now->offered[e] == NONE) continue;
        for (uint32_t k = 0; k < slow.cfg.slots; k++) {
            const slow_slot *slot = &slow.collector[now->offered[e]].slot[k];
            if (slot->state == HERE)
                judge_words(j, "operand of the program", k, out->ex_data[e * slow.cfg.slots + k].lane, slot->promised, 32);
        }
    }
}

/* One cycle of all three (`now` by slow_comb), everything compared but those rows of the banks that nobody writes. `lawful`: no
 * result came but those of instructions that are under way. */
static void step(judge *j, const rf_banked_in *in, const slow_cycle *now, rf_banked_out *out, bool lawful) {
    static rf_banked_out stepped_out;
    const bool look = j->cycle % 512 == 7;
    memset(out, 0xa5, sizeof *out);
    memset(&stepped_out, 0x5a, sizeof stepped_out);
    if (look) memcpy(&before, &model, sizeof model);
    rf_banked_comb(&model, in, out);
    if (look) assert_memory_equal(&before, &model, sizeof model);
    rf_banked_clock(&model, in);
    rf_banked_step(&stepped, in, &stepped_out);
    compare_out(j, &slow, now, &out->stage);
    compare_out(j, &slow, now, &stepped_out.stage);
    compare_wires(j, &slow, now, &out->wires);
    compare_wires(j, &slow, now, &stepped_out.wires);
    if (lawful) compare_with_program(j, now, out);
    uint32_t bank[8], row[8];
    for (uint32_t e = 0; e < slow.cfg.exports; e++)
        bank[e] = slow.queue[e].waiting[0].bank, row[e] = slow.queue[e].waiting[0].row;
    slow_clock(&slow, in, now);
    compare_state(j, &slow, &model);
    compare_state(j, &slow, &stepped);
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        if (!now->write[e]) continue;
        compare_row(j, &slow, &model, bank[e], row[e]);
        compare_row(j, &slow, &stepped, bank[e], row[e]);
    }
    j->cycle++;
}

/* clang-format off */
#define SEEN(X) \
    X(RAW, "a source is pending") \
    X(WAW, "the destination is pending") \
    X(WAR, "a collector has yet to read the destination") \
    X(NO_COLLECTOR, "a warp is chosen and no collector is free") \
    X(SECOND_GROUP_REFUSED, "one collector is left for two groups") \
    X(GREEDY, "the last warp again, an older one being ready") \
    X(GREEDY_ENDED, "the oldest warp after the last one was not ready") \
    X(OLDER_INDEX_LATER, "the oldest warp is not the lowest") \
    X(ROUND_ROBIN, "round-robin skips a warp that is not ready") \
    X(GROUP_LEFT, "on to a later fetch group") \
    X(GROUP_WRAPPED, "on to an earlier fetch group") \
    X(TURN_IN_GROUP, "the next warp of the fetch group, a lower one being ready") \
    X(TURN_ANEW, "round-robin begins anew inside the fetch group") \
    X(READ_CONFLICT, "two collectors ask for one bank") \
    X(CONFLICT_INSIDE, "two slots of one collector ask for one bank") \
    X(SHARED_READ, "one read for several slots") \
    X(WRITE_BEATS_READ, "a write beats a read (one port)") \
    X(READ_BESIDE_WRITE, "a bank reads and writes (two ports)") \
    X(WRITE_CONFLICT, "two results for one bank") \
    X(SEVERAL_READS, "a collector is granted several reads") \
    X(IN_TURN, "a source waits for its turn to ask (serial)") \
    X(FULL_COLLECTOR, "an instruction that uses every slot of several") \
    X(NO_SOURCE, "an instruction without sources") \
    X(MASKED_OFF, "mask 0, with sources and destination named") \
    X(PARTIAL_WRITE, "a result for some lanes") \
    X(EMPTY_WRITE, "a result for no lane") \
    X(QUEUE_FULL, "a result is refused by a full queue") \
    X(PORT_CONFLICT, "two collected instructions for one port") \
    X(PORT_BUSY, "an instruction waits for its port") \
    X(REUSED_AT_ONCE, "a collector is taken in the cycle after its dispatch") \
    X(ALL_BUSY, "every collector of several is busy") \
    X(STRAY_SOURCE, "a source of a register out of range") \
    X(STRAY_RESULT, "a result for a warp or register out of range") \
    X(STRAY_ROW, "a row behind the last one is read or written") \
    X(CLEARED_THEN_ISSUED, "an instruction issues in the cycle after the write it waited for") \
    X(RESET, "reset with instructions inside")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void count_issue(const world *x, const slow_cycle *now, uint64_t *seen) {
    const rf_banked_cfg *cfg = &slow.cfg;
    uint32_t refused = 0, granted = 0, busy = 0;
    for (uint32_t w = 0; w < cfg->warps; w++) {
        const bool valid = judge_bit(x->in->ib_valid, w);
        seen[RAW] += valid && now->raw[w];
        seen[WAW] += valid && now->waw[w];
        seen[WAR] += valid && now->war[w] && !now->raw[w] && !now->waw[w];
        seen[MASKED_OFF] += valid && x->in->ib_mask[w] == 0 && judge_bit(x->in->ib_dst_valid, w) && x->in->ib_src_valid[w] != 0;
    }
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        busy += slow.collector[c].busy;
        seen[REUSED_AT_ONCE] += x->left[c] && now->taken_by[c] != NONE;
    }
    seen[ALL_BUSY] += cfg->collectors > 1 && busy == cfg->collectors;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint32_t w = now->chosen[g];
        uint32_t lowest = g, oldest = NONE;
        if (w == NONE) continue;
        refused += now->given[g] == NONE;
        granted += now->given[g] != NONE;
        while (!now->ready[lowest]) lowest += cfg->issues;
        for (uint32_t other = g; other < cfg->warps; other += cfg->issues)
            if (now->ready[other] && (oldest == NONE || slow.launched[other] < slow.launched[oldest])) oldest = other;
        if (cfg->sched == 0) {
            seen[GREEDY] += slow.greedy[g] && w == slow.last_warp[g] && w != oldest;
            seen[GREEDY_ENDED] += slow.greedy[g] && w != slow.last_warp[g];
            seen[OLDER_INDEX_LATER] += w == oldest && w != lowest;
        } else if (cfg->sched == 1) {
            seen[ROUND_ROBIN] += w > slow.last_turn[g] + cfg->issues;
        } else {
            const uint32_t group = fetch_group_of(cfg, w);
            seen[GROUP_LEFT] += group > slow.fetch_group[g];
            seen[GROUP_WRAPPED] += group < slow.fetch_group[g];
            seen[TURN_IN_GROUP] += group == slow.fetch_group[g] && w > slow.last_turn[g] && w != lowest;
            seen[TURN_ANEW] += group == slow.fetch_group[g] && w < slow.last_turn[g];
        }
        if (now->given[g] == NONE) continue;
        uint32_t sources = 0;
        for (uint32_t k = 0; k < cfg->slots; k++) sources += x->in->ib_mask[w] != 0 && judge_bit(x->in->ib_src_valid[w], k);
        seen[NO_SOURCE] += sources == 0;
        seen[FULL_COLLECTOR] += cfg->slots > 1 && sources == cfg->slots;
        seen[CLEARED_THEN_ISSUED] += x->waited[w];
    }
    seen[NO_COLLECTOR] += refused > 0;
    seen[SECOND_GROUP_REFUSED] += refused > 0 && granted > 0;
}

static void count_banks(const world *x, const slow_cycle *now, uint64_t *seen) {
    const rf_banked_cfg *cfg = &slow.cfg;
    for (uint32_t b = 0; b < cfg->banks; b++) {
        uint32_t collectors = 0, writers = 0;
        for (uint32_t c = 0; c < cfg->collectors; c++) {
            uint32_t slots = 0;
            for (uint32_t k = 0; k < cfg->slots; k++) slots += now->asks[c][k] && slow.collector[c].slot[k].bank == b;
            collectors += slots > 0;
            seen[CONFLICT_INSIDE] += slots > 1;
        }
        for (uint32_t e = 0; e < cfg->exports; e++) writers += slow.queue[e].length > 0 && slow.queue[e].waiting[0].bank == b;
        seen[STRAY_ROW] += now->writer[b] != NONE && slow.queue[now->writer[b]].waiting[0].row >= rows_of(cfg);
        seen[STRAY_ROW] += now->reader[b] != NONE && slow.collector[now->reader[b]].slot[now->reader_slot[b]].row >= rows_of(cfg);
        seen[READ_CONFLICT] += collectors > 1;
        seen[WRITE_CONFLICT] += writers > 1;
        seen[WRITE_BEATS_READ] += cfg->ports == 1 && writers > 0 && collectors > 0;
        seen[READ_BESIDE_WRITE] += now->writer[b] != NONE && now->reader[b] != NONE;
    }
    for (uint32_t c = 0; c < cfg->collectors; c++) {
        uint32_t reads = 0;
        for (uint32_t k = 0; k < cfg->slots; k++) {
            reads += now->read[c][k];
            seen[STRAY_SOURCE] += now->read[c][k] && slow.collector[c].slot[k].reg >= cfg->regs;
            seen[IN_TURN] += slow.collector[c].slot[k].state == WAITING && !now->asks[c][reader_of(&slow.collector[c], k)];
            seen[SHARED_READ] += slow.collector[c].slot[k].state == WAITING && reader_of(&slow.collector[c], k) != k;
        }
        seen[SEVERAL_READS] += reads > 1;
    }
    for (uint32_t e = 0; e < cfg->exports; e++) {
        uint32_t collected = 0;
        for (uint32_t c = 0; c < cfg->collectors; c++)
            collected += is_collected(&slow, &slow.collector[c]) && slow.collector[c].port == e;
        seen[PORT_CONFLICT] += collected > 1;
        seen[PORT_BUSY] += collected > 0 && !judge_bit(x->in->ex_ready, e);
        seen[STRAY_RESULT] += judge_bit(x->in->res_valid, e) && !in_range(&slow, x->in->res_warp[e], x->in->res_dst[e]);
        seen[QUEUE_FULL] += judge_bit(x->in->res_valid, e) && slow.queue[e].length == cfg->wbdepth;
        if (!now->write[e]) continue;
        seen[EMPTY_WRITE] += slow.queue[e].waiting[0].mask == 0;
        seen[PARTIAL_WRITE] += slow.queue[e].waiting[0].mask != 0 && slow.queue[e].waiting[0].mask != ls_mask(cfg->lanes);
    }
}

static void reset_all(world *x) {
    rf_banked_reset(&model);
    rf_banked_reset(&stepped);
    slow_reset(&slow);
    forget(x);
}

static void run(const rf_banked_cfg *cfg, uint64_t seed, bool lawful, uint64_t cycles, uint64_t *seen) {
    static world x;
    static rf_banked_in in;
    static rf_banked_out out;
    static banked_counts counts;
    slow_cycle now;
    judge j;
    start(&j, seed, cfg);
    memset(&counts, 0, sizeof counts);
    memset(&x, 0, sizeof x);
    memset(&in, 0, sizeof in);
    x.in = &in.stage;
    ls_rng_seed(&x.rng, seed);
    x.lawful = lawful;
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) draw_mix(&x, cfg);
        stimulate(&x, cfg);
        slow_comb(&slow, &in, &now);
        count_issue(&x, &now, seen);
        count_banks(&x, &now, seen);
        const rf_stage_waits waits = draw_waits(in.ib_valid | (j.cycle % 128 < 64 ? 0 : ls_mask(cfg->warps)), j.cycle);
        count_cycle(&counts, &slow, &in, &now, &waits);
        step(&j, &in, &now, &out, lawful);
        rf_banked_count_cycle(&counts.model, cfg, &in, &out, &waits);
        take_note(&x, cfg, &now, &out.stage);
        if (!ls_rng_chance(&x.rng, 1) || !ls_rng_chance(&x.rng, 64)) continue;
        seen[RESET] += slow.collector[0].busy;
        compare_counts(&j, &counts, cfg);
        reset_all(&x);
        compare_state(&j, &slow, &model);
        compare_state(&j, &slow, &stepped);
        compare_banks(&j, &slow, &model);
    }
    compare_banks(&j, &slow, &model);
    if (lawful) compare_registers(&j, &slow, &model);
    compare_banks(&j, &slow, &stepped);
    judge_passes(&j);
    compare_counts(&j, &counts, cfg);
}

/*                                  W   C   B    R   L  S  E  I  P  sched F D serial */
static const rf_banked_cfg small = {8, 3, 4, 8, 4, 3, 2, 1, 1, 0, 8, 2, 0};
static const struct {
    rf_banked_cfg cfg;
    uint64_t cycles; /* of each of two runs */
} sets[] = {
    {{8, 3, 4, 8, 4, 3, 2, 1, 1, 0, 8, 2, 0}, 3000},     {{1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0}, 2000},
    {{8, 3, 5, 7, 3, 3, 3, 2, 2, 1, 3, 3, 0}, 3000},     {{32, 8, 8, 16, 4, 3, 3, 2, 2, 1, 8, 4, 0}, 1500},
    {{48, 8, 16, 10, 32, 7, 4, 2, 2, 0, 8, 4, 0}, 700},  {{33, 5, 3, 5, 1, 7, 5, 3, 1, 1, 64, 5, 0}, 1500},
    {{32, 16, 32, 33, 1, 4, 8, 4, 1, 1, 2, 16, 0}, 700}, {{5, 3, 3, 33, 5, 5, 3, 1, 2, 0, 5, 3, 0}, 2500},
    {{2, 1, 2, 3, 32, 1, 1, 2, 1, 1, 1, 1, 0}, 2000},    {{64, 8, 32, 256, 2, 8, 8, 4, 2, 0, 16, 16, 0}, 300},
    {{6, 2, 1, 4, 2, 2, 2, 2, 2, 0, 3, 1, 0}, 3000},     {{32, 3, 16, 63, 32, 3, 4, 1, 1, 0, 8, 4, 0}, 1000},
    {{32, 8, 8, 16, 4, 3, 3, 2, 1, 2, 4, 4, 0}, 1500},   {{21, 4, 5, 7, 1, 3, 3, 3, 2, 2, 3, 2, 0}, 2000},
    {{24, 5, 4, 6, 3, 3, 2, 1, 1, 2, 7, 2, 0}, 2000},    {{64, 16, 8, 4, 1, 2, 4, 1, 2, 2, 16, 4, 0}, 1000},
    {{8, 3, 4, 9, 2, 5, 2, 2, 1, 0, 4, 2, 1}, 3000},     {{8, 2, 4, 8, 1, 7, 3, 1, 2, 0, 8, 4, 1}, 3000},
    {{6, 3, 4, 8, 3, 3, 2, 2, 1, 2, 1, 3, 0}, 2000},     {{5, 2, 3, 4, 2, 3, 2, 1, 1, 2, 64, 2, 0}, 2000},
};

static void random_programs(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (uint32_t lawful = 0; lawful <= 1; lawful++) {
            run(&sets[i].cfg, ls_seed_derive(2 * i + lawful, "judge rf_banked"), lawful, sets[i].cycles, seen);
            cycles += sets[i].cycles;
        }
    assert_true(cycles >= 30000);
    judge_saw_all(event_names, seen, EVENTS);
    judge_saw_all(counter_names, counted, COUNTS);
}

/* One cycle of a written program. */
static void cycle(judge *j, const rf_banked_in *in, rf_banked_out *out) {
    slow_cycle now;
    slow_comb(&slow, in, &now);
    step(j, in, &now, out, true);
}

static void show_inst(rf_banked_in *in, uint32_t w, uint32_t port, uint32_t dst, uint32_t src) {
    put_head(&slow.cfg, &in->stage, w, port, dst, src);
}

static void offer_result(rf_banked_in *in, uint32_t e, uint32_t w, uint32_t reg, uint32_t value) {
    give_result(&slow.cfg, &in->stage, e, w, reg, value);
}

/* [bank stealing II-B] from issue to write-back, with the cycles of the units' headers: issue 0, read 1, data 2, dispatch 3;
 * result offered 5, written 6; the dependent instruction issues in 7. Warp 3's R2 is bank 5 mod 4, row 3 * 2; its R5 bank 0, row
 * 7. */
static void one_instruction_and_its_dependent(void **state) {
    static rf_banked_out out;
    rf_banked_in in;
    judge j;
    (void)state;
    start(&j, 0, &small);
    memset(&in, 0, sizeof in);
    for (uint32_t t = 0; t <= 10; t++) {
        if (t == 0) show_inst(&in, 3, 1, 5, 2);
        if (t == 1) show_inst(&in, 3, 0, 300, 5);
        if (t == 8) in.ib_valid = 0;
        in.res_valid = 0;
        if (t == 5) offer_result(&in, 1, 3, 5, 0xcafe00);
        in.ex_ready = t == 3 || t == 10 ? 3 : 0;
        cycle(&j, &in, &out);
        assert_int_equal(out.issue_valid, t == 0 || t == 7);
        assert_int_equal(out.issue_warp[0], t == 0 || t == 7 ? 3 : 0);
        assert_int_equal(out.wires.arbiter.bank_re, t == 1 ? 2 : t == 8 ? 1 : 0);
        if (t == 1) assert_int_equal(out.wires.arbiter.bank_raddr[1], 6);
        assert_int_equal(out.wires.arbiter.bank_we, t == 6);
        if (t == 6) assert_int_equal(out.wires.arbiter.bank_waddr[0], 7);
        assert_int_equal(out.ex_valid, t == 3 ? 2 : t == 10 ? 1 : 0);
        assert_int_equal(out.ex_dst_valid, t == 3 ? 2 : 0);
        if (t == 3) assert_int_equal(out.ex_tag[1], 305);
        if (t == 10) assert_int_equal(out.ex_data[0].lane[3], 0xcafe03);
    }
    judge_passes(&j);
}

/* Three collectors and four results for bank 0. "only allows a single access to the same bank at a time", "write operations
 * usually take higher priority over reads": with one port the reads come after the writes, with two beside them; one a cycle. */
static void accesses_to_one_bank_come_one_by_one(void **state) {
    static const uint32_t warp[] = {0, 1, 4}, reg[] = {0, 3, 4};
    static rf_banked_out out;
    rf_banked_in in;
    judge j;
    (void)state;
    for (uint32_t ports = 1; ports <= 2; ports++) {
        rf_banked_cfg cfg = small;
        cfg.ports = ports;
        start(&j, 0, &cfg);
        memset(&in, 0, sizeof in);
        for (uint32_t t = 0; t < 10; t++) {
            in.ib_valid = 0, in.res_valid = 0;
            if (t < 3) show_inst(&in, warp[t], 0, 300, reg[t]);
            if (t < 2) offer_result(&in, 0, 2, 2, t), offer_result(&in, 1, 2, 6, t);
            cycle(&j, &in, &out);
            const uint32_t first = ports == 1 ? 5 : 1;
            const bool reads = t >= first && t < first + 3;
            assert_int_equal(out.wires.arbiter.bank_we, t >= 1 && t <= 4);
            assert_int_equal(out.wires.arbiter.bank_re, reads);
            assert_int_equal(out.wires.arbiter.rd_grant, reads ? UINT64_C(1) << (t - first) * 3 : 0);
        }
        judge_passes(&j);
    }
}

/* Two groups ask, one collector is free: group 0 issues, group 1 waits "until a collector becomes available". */
static void the_last_collector_goes_to_group_0(void **state) {
    const rf_banked_cfg cfg = {4, 1, 2, 4, 1, 1, 1, 2, 1, 1, 2, 1, 0};
    static rf_banked_out out;
    rf_banked_in in;
    judge j;
    (void)state;
    start(&j, 0, &cfg);
    memset(&in, 0, sizeof in);
    in.ex_ready = 1;
    show_inst(&in, 2, 0, 1, 300); /* of group 0 */
    show_inst(&in, 1, 0, 1, 300); /* of group 1 */
    cycle(&j, &in, &out);
    assert_int_equal(out.wires.chosen, 3);
    assert_int_equal(out.issue_valid, 1);
    assert_int_equal(out.issue_warp[0], 2);
    assert_int_equal(out.issue_warp[1], 0);
    in.ib_valid = 2;
    cycle(&j, &in, &out); /* dispatched; the collector is not free before the next cycle */
    assert_int_equal(out.ex_valid, 1);
    assert_int_equal(out.issue_valid, 0);
    cycle(&j, &in, &out);
    assert_int_equal(out.issue_valid, 2);
    assert_int_equal(out.issue_warp[1], 1);
    assert_int_equal(model.scoreboard.pending_q[1].w[0], 2);
    judge_passes(&j);
}

/* D-mask: an instruction of no lanes neither waits, nor reads, nor marks its destination. */
static void mask_0_touches_no_register(void **state) {
    static rf_banked_out out;
    rf_banked_in in;
    judge j;
    (void)state;
    start(&j, 0, &small);
    memset(&in, 0, sizeof in);
    show_inst(&in, 6, 0, 3, 300);
    cycle(&j, &in, &out);
    assert_int_equal(out.issue_valid, 1);
    show_inst(&in, 6, 1, 3, 3);
    cycle(&j, &in, &out);
    assert_int_equal(out.issue_valid, 0); /* R3 is pending */
    in.ib_mask[6] = 0;
    cycle(&j, &in, &out);
    assert_int_equal(out.issue_valid, 1);
    in.ib_valid = 0;
    cycle(&j, &in, &out);
    assert_int_equal(out.ex_valid, 3);
    assert_int_equal(out.ex_dst_valid, 1); /* of the first, not of this one */
    assert_int_equal(out.ex_mask[1], 0);
    assert_int_equal(out.wires.arbiter.bank_re, 0);
    judge_passes(&j);
}

/* D-war: the writer of R0 may issue in the cycle after the read of R0 was granted, which four writes delay to cycle 5. */
static void a_writer_waits_for_an_older_read(void **state) {
    static rf_banked_out out;
    rf_banked_in in;
    judge j;
    (void)state;
    start(&j, 0, &small);
    memset(&in, 0, sizeof in);
    show_inst(&in, 0, 0, 1, 0);
    for (uint32_t t = 0; t < 8; t++) {
        in.res_valid = 0;
        if (t < 2) offer_result(&in, 0, 2, 2, t), offer_result(&in, 1, 2, 6, t);
        if (t == 1) show_inst(&in, 0, 0, 0, 300);
        if (t == 7) in.ib_valid = 0;
        cycle(&j, &in, &out);
        assert_int_equal(out.issue_valid, t == 0 || t == 6);
        assert_int_equal(out.wires.arbiter.rd_grant, t == 5);
    }
    judge_passes(&j);
}

/* A port that does not exist takes nothing: the collector stays busy; the others go on. */
static void a_port_out_of_range_is_never_offered(void **state) {
    static rf_banked_out out;
    rf_banked_cfg cfg = small;
    rf_banked_in in;
    judge j;
    (void)state;
    cfg.exports = 3;
    start(&j, 0, &cfg);
    memset(&in, 0, sizeof in);
    in.ex_ready = 7;
    show_inst(&in, 0, 3, 300, 300);
    for (uint32_t t = 0; t < 20; t++) {
        cycle(&j, &in, &out);
        in.ib_valid = 0;
        if (t == 10) show_inst(&in, 1, 2, 300, 300);
        assert_int_equal(out.ex_valid, t == 12 ? 4 : 0);
        assert_int_equal(out.wires.busy & 1, t > 0);
    }
    judge_passes(&j);
}

static void reset_keeps_the_banks(void **state) {
    static rf_banked_in in;
    static world x;
    uint64_t seen[EVENTS] = {0}, written = 0;
    judge j;
    (void)state;
    run(&small, 0x5eed, true, 300, seen);
    x.in = &in.stage;
    reset_all(&x);
    judge_begin(&j, 0, "rf_banked after reset");
    compare_state(&j, &slow, &model);
    compare_banks(&j, &slow, &model);
    judge_passes(&j);
    assert_memory_equal(&model.cfg, &small, sizeof small);
    for (uint32_t w = 0; w < small.warps; w++) written += slow.reg[w][0][0] != 0;
    assert_true(written > 0);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    judge_ranges(&rf_banked_unit, &sets->cfg, sizeof sets / sizeof *sets, sizeof *sets, "");
    rf_banked_cfg cfg = small;
    cfg.issues = 3;
    judge_refused(&rf_banked_unit, &cfg, "warps", "issues");
    cfg = small, cfg.collectors = 13, cfg.slots = 5;
    judge_refused(&rf_banked_unit, &cfg, "collectors", "64");
    cfg.collectors = 12;
    assert_null(rf_banked_check(&cfg));
    cfg = small, cfg.warps = 64, cfg.regs = 256, cfg.banks = 15;
    judge_refused(&rf_banked_unit, &cfg, "warps", "1024");
    cfg.banks = 16;
    assert_null(rf_banked_check(&cfg));
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static rf_banked_out out;
    const rf_banked_in idle = {0};
    uint64_t seen[EVENTS] = {0};
    slow_cycle now;
    judge j;
    (void)state;
#define WIRE(member, index) JUDGE_FLIP(&j, out.wires.member, 1, #member, index, 0, compare_wires(&j, &slow, &now, &out.wires))
#define WIRE_AT(member, i) JUDGE_FLIP(&j, out.wires.member[i], 1, #member, i, 0, compare_wires(&j, &slow, &now, &out.wires))
    for (uint32_t sched = 0; sched <= 2; sched++) {
        rf_banked_cfg cfg = sets[2].cfg;
        cfg.sched = sched;
        run(&cfg, 0xfa11 + sched, true, 300, seen);
        JUDGE_LANE_FLIPS(&j, rf_banked, LS_STATE, &model, &model, compare_all(&j));
    }
    slow_comb(&slow, &idle, &now);
    rf_banked_comb(&model, &idle, &out);
    JUDGE_FLIPS(&j, rf_banked, LS_OUT, &model, &out, compare_out(&j, &slow, &now, &out.stage));
    for (uint32_t g = 0; g < 2; g++) WIRE_AT(alloc.sel, g);
    for (uint32_t e = 0; e < 3; e++) {
        WIRE_AT(alloc.which, e);
        WIRE_AT(dispatch.ex_sel, e);
    }
    for (uint32_t b = 0; b < 5; b++) {
        WIRE_AT(arbiter.bank_raddr, b);
        WIRE_AT(arbiter.bank_waddr, b);
        WIRE_AT(arbiter.bank_wsel, b);
    }
    WIRE(ready, 0);
    WIRE(chosen, 0);
    WIRE(busy, 0);
    WIRE(collected, 0);
    WIRE(alloc.grant, 0);
    WIRE(alloc.alloc, 0);
    WIRE(arbiter_in.rd_valid, 0);
    WIRE(arbiter_in.wr_valid, 0);
    WIRE(arbiter.rd_grant, 0);
    WIRE(arbiter.wr_grant, 0);
    WIRE(arbiter.bank_re, 0);
    WIRE(arbiter.bank_we, 0);
    WIRE(dispatch.grant, 0);
    WIRE(dispatch.ex_valid, 0);
#undef WIRE_AT
#undef WIRE
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
        cmocka_unit_test(one_instruction_and_its_dependent),
        cmocka_unit_test(accesses_to_one_bank_come_one_by_one),
        cmocka_unit_test(the_last_collector_goes_to_group_0),
        cmocka_unit_test(mask_0_touches_no_register),
        cmocka_unit_test(a_writer_waits_for_an_older_read),
        cmocka_unit_test(a_port_out_of_range_is_never_offered),
        cmocka_unit_test(reset_keeps_the_banks),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_banked", tests, NULL, NULL);
}
