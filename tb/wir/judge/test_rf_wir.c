/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_wir: the slow model of judge_wir.h beside two models, one run by comb and clock, the other by step; programs whose
 * every result is compared with plain sequential execution; the counters of a run; the promise that it always drains; written
 * programs. */
#include "tb/common/judge/judge_unit.h"
#include "tb/wir/judge/judge_wir_count.h"
#include "tb/wir/judge/judge_wir_events.h"
#include "tb/wir/judge/judge_wir_world.h"

extern const ls_unit rf_wir_unit;

/* The two models under judgement, a copy to see that comb changes nothing, the slow model, its surroundings. */
static rf_wir model, stepped, before;
static slow_wir slow;
static slow_turn now;
static world around;
static wir_counts counts;

static void start(judge *j, uint64_t seed, const rf_wir_cfg *cfg) {
    judge_begin(j, seed,
                "rf_wir %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " lanes=%" PRIu32 " slots=%" PRIu32 " issues=%" PRIu32
                " pregs=%" PRIu32 " reuse=%" PRIu32 " vsb=%" PRIu32 " retry=%" PRIu32 " vcache=%" PRIu32 " capped=%" PRIu32
                " verifiers=%" PRIu32,
                cfg->warps, cfg->collectors, cfg->banks, cfg->regs, cfg->lanes, cfg->slots, cfg->issues, cfg->pregs, cfg->reuse,
                cfg->vsb, cfg->retry, cfg->vcache, cfg->capped, cfg->verifiers);
    memset(&model, 0xa5, sizeof model);
    memset(&stepped, 0x5a, sizeof stepped);
    assert_int_equal(rf_wir_init(&model, cfg), 0);
    assert_int_equal(rf_wir_init(&stepped, cfg), 0);
    assert_memory_equal(&model.cfg, cfg, sizeof *cfg);
    wir_begin(&slow, cfg);
    compare_wir_state(j, &slow, &model);
    compare_wir_state(j, &slow, &stepped);
    compare_values(j, &slow, &model);
    memset(&counts, 0, sizeof counts);
}

/* One cycle of all three (`now` by wir_comb), everything compared. */
static void step(judge *j, const rf_wir_in *in, rf_wir_out *out) {
    static rf_wir_out stepped_out;
    const size_t ports = offsetof(rf_wir_out, wires);
    const bool look = j->cycle % 1024 == 7;
    const rf_stage_waits waits = draw_waits(in->ib_valid | (j->cycle % 128 < 64 ? 0 : ls_mask(slow.cfg.warps)), j->cycle);
    memset(out, 0xa5, ports);
    memset(&stepped_out, 0xa5, ports);
    memset(&out->wires, (int)(j->cycle % 2 * 0xa5), sizeof out->wires);
    memset(&stepped_out.wires, (int)(j->cycle % 2 * 0x5a), sizeof stepped_out.wires);
    if (look) memcpy(&before, &model, sizeof model);
    rf_wir_comb(&model, in, out);
    if (look) assert_memory_equal(&before, &model, sizeof model);
    count_cycle(&counts, &slow, in, &now, &waits);
    rf_wir_count_cycle(&counts.model, &slow.cfg, in, out, &waits);
    rf_wir_clock(&model, in);
    rf_wir_step(&stepped, in, &stepped_out);
    rf_wir_count_cycle(&counts.stepped, &slow.cfg, in, &stepped_out, &waits);
    compare_wir_out(j, &slow, &now, out);
    if (memcmp(out, &stepped_out, ports) != 0) compare_wir_out(j, &slow, &now, &stepped_out);
    wir_clock(&slow, in, &now);
    compare_wir_state(j, &slow, &model);
    if (look) compare_wir_state(j, &slow, &stepped);
    for (uint32_t g = 0; g < slow.cfg.issues; g++) {
        const uint32_t r = now.late[g].preg;
        if (now.retires[g] && r < slow.cfg.pregs)
            judge_words(j, "bank.mem_q", r, model.bank[r % slow.cfg.banks].mem_q[r / slow.cfg.banks].lane, slow.value[r], 32);
    }
    j->cycle++;
}

/* CAPPED: registers in use or promised become more only up to the limit. */
static void check_limit(const judge *j) {
    static uint32_t before, limit;
    const uint32_t spoken = slow.cfg.pregs - free_count(&slow) + now.promised;
    if (slow.cfg.capped != 0 && spoken > before && spoken > limit)
        fail_msg("%s: %" PRIu32 " registers, %" PRIu32 " before, limit %" PRIu32, j->where, spoken, before, limit);
    before = spoken;
    limit = around.in.limit;
}

/* One cycle of random surroundings; those that are lawful compare with the program. */
static void random_cycle(judge *j) {
    static rf_wir_out out;
    uint32_t warp[8], dst[8];
    world *x = &around;
    stimulate(x, &slow.cfg);
    wir_comb(&slow, &x->in, &now);
    count(&slow, &x->in, &now);
    for (uint32_t e = 0; e < slow.cfg.exports; e++) warp[e] = slow.result[e][0].warp, dst[e] = slow.result[e][0].dst;
    check_limit(j);
    step(j, &x->in, &out);
    take_note(j, x, &slow, &now, &out);
    if (!x->lawful) return;
    for (uint32_t g = 0; g < slow.cfg.issues; g++) {
        if (now.act[g] == RF_WIR_REUSE) retired(j, x, &slow, now.lane[g].warp, now.lane[g].dst);
        if (now.retires[g]) retired(j, x, &slow, now.late[g].warp, now.late[g].dst);
        x->reused += now.act[g] == RF_WIR_REUSE;
    }
    for (uint32_t e = 0; e < slow.cfg.exports; e++)
        if (now.queue_writes[e]) retired(j, x, &slow, warp[e], dst[e]);
    if (j->cycle % 16 == 0) compare_with_program(j, x, &slow);
}

/* How many registers a warp may use so that the pool suffices. */
static uint32_t names_for(const rf_wir_cfg *cfg) {
    const uint32_t names = (cfg->pregs - 1) / cfg->warps;
    return names < cfg->regs ? names : cfg->regs;
}

static void reset_all(judge *j) {
    compare_counts(j, &counts, &slow.cfg);
    rf_wir_reset(&model);
    rf_wir_reset(&stepped);
    wir_reset(&slow);
    forget(&around);
    for (uint32_t w = 0; w < slow.cfg.warps && slow.cfg.reuse == 0; w++) /* the banks keep what they hold */
        for (uint32_t r = 0; r < slow.cfg.regs; r++)
            memcpy(around.reg[w][r], slow.value[mapping_of(&slow, w, r).preg], sizeof around.reg[w][r]);
    compare_wir_state(j, &slow, &model);
    compare_wir_state(j, &slow, &stepped);
}

static void run(const rf_wir_cfg *cfg, uint64_t seed, bool lawful, uint64_t cycles) {
    judge j;
    start(&j, seed, cfg);
    begin_world(&around, cfg, seed, lawful, lawful ? names_for(cfg) : cfg->regs);
    while (j.cycle < cycles) {
        if (j.cycle % 256 == 0) draw_mix(&around, cfg);
        random_cycle(&j);
        if (j.differing != 0) break;
        if (j.cycle % 1500 != 0) continue;
        seen[RESET] += slow.stage.collector[0].busy && slow.reuse[0].valid;
        reset_all(&j);
    }
    judge_passes(&j);
    compare_counts(&j, &counts, cfg);
    compare_values(&j, &slow, &model);
    compare_values(&j, &slow, &stepped);
    assert_memory_equal(&model.reuse.buffer, &stepped.reuse.buffer, sizeof model.reuse.buffer);
    judge_passes(&j);
    if (lawful && cfg->countw > 2) assert_true(around.checked > cycles / 50);
}

/*    W   C  B  R  L  S  E  I  P sd F wb D pregs re vsb ld rt vc cap ent ven q bl ver cw */
static const struct {
    rf_wir_cfg cfg;
    uint64_t cycles; /* of each of two runs */
} sets[] = {
    {{4, 3, 4, 6, 2, 2, 2, 1, 1, 0, 4, 2, 4, 16, 1, 1, 1, 1, 2, 1, 4, 4, 2, 2, 1, 4}, 12000},
    {{4, 3, 4, 6, 2, 2, 2, 1, 2, 0, 4, 2, 4, 16, 1, 1, 1, 1, 2, 0, 4, 2, 2, 2, 2, 6}, 12000},
    {{4, 3, 2, 6, 4, 2, 2, 1, 1, 1, 4, 2, 3, 20, 1, 1, 1, 0, 0, 0, 8, 8, 2, 2, 1, 6}, 10000},
    {{6, 5, 4, 5, 1, 3, 4, 3, 2, 2, 1, 3, 7, 24, 1, 1, 1, 1, 4, 0, 16, 8, 3, 3, 3, 8}, 10000},
    {{6, 5, 2, 5, 2, 3, 3, 3, 1, 0, 2, 2, 4, 20, 1, 1, 1, 1, 3, 0, 8, 2, 1, 2, 1, 10}, 10000},
    {{8, 4, 4, 5, 2, 3, 3, 2, 2, 0, 4, 2, 4, 32, 1, 0, 1, 1, 0, 0, 16, 8, 3, 4, 1, 8}, 9000},
    {{8, 4, 4, 5, 2, 3, 3, 2, 2, 0, 4, 2, 4, 64, 0, 1, 1, 1, 8, 0, 16, 8, 3, 3, 1, 8}, 6000},
    {{6, 3, 4, 5, 2, 2, 2, 1, 1, 0, 4, 2, 3, 64, 0, 1, 1, 1, 0, 0, 4, 4, 1, 2, 1, 8}, 2000},
    {{6, 3, 4, 5, 4, 2, 3, 2, 2, 2, 2, 2, 5, 48, 0, 1, 1, 1, 4, 0, 4, 4, 1, 2, 1, 8}, 2000},
    {{4, 3, 2, 7, 1, 4, 4, 2, 1, 1, 4, 3, 7, 32, 0, 0, 0, 0, 0, 0, 4, 4, 1, 1, 1, 8}, 4000},
    {{8, 4, 4, 5, 2, 3, 3, 2, 1, 0, 4, 2, 5, 32, 1, 1, 1, 1, 3, 1, 8, 2, 4, 4, 3, 10}, 9000},
    {{3, 2, 1, 4, 4, 1, 1, 1, 1, 0, 1, 1, 6, 11, 1, 1, 0, 1, 1, 0, 1, 1, 1, 1, 1, 8}, 6000},
    {{4, 3, 4, 6, 1, 2, 2, 1, 1, 0, 4, 1, 4, 20, 1, 1, 1, 1, 4, 0, 8, 16, 3, 2, 3, 2}, 4000},
    {{5, 15, 8, 9, 4, 4, 7, 1, 1, 2, 2, 4, 3, 48, 1, 1, 1, 1, 8, 0, 32, 16, 8, 5, 4, 8}, 5000},
    {{8, 6, 4, 4, 2, 2, 4, 4, 2, 0, 1, 2, 4, 40, 1, 1, 1, 1, 2, 1, 16, 4, 4, 2, 2, 8}, 6000},
    {{2, 2, 2, 6, 32, 2, 2, 1, 2, 1, 1, 2, 4, 16, 1, 1, 1, 1, 2, 0, 4, 4, 2, 1, 1, 8}, 2000},
    {{48, 8, 8, 63, 32, 3, 4, 2, 2, 0, 8, 4, 4, 1024, 1, 1, 1, 1, 8, 0, 256, 256, 8, 8, 2, 10}, 2000}, /* [WIR Table II] */
    {{64, 10, 32, 256, 1, 3, 4, 4, 2, 2, 4, 16, 7, 512, 1, 1, 1, 1, 16, 0, 512, 512, 16, 16, 4, 16}, 2000},
};

static void random_programs(void **state) {
    uint64_t cycles = 0;
    (void)state;
    memset(seen, 0, sizeof seen);
    memset(counted, 0, sizeof counted);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (uint32_t lawful = 0; lawful <= 1; lawful++) {
            run(&sets[i].cfg, ls_seed_derive(2 * i + lawful, "judge rf_wir"), lawful, sets[i].cycles);
            cycles += sets[i].cycles;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
    judge_saw_all(counter_names, counted, COUNTS);
}

/* --- it always drains ----------------------------------------------------------------------------------------------------------
 */

/* Everything that is under way, and the heads, in the time that their number gives: none waits for more than a register that a
 * buffer gives up when its turn comes. */
static uint64_t drain(judge *j) {
    const rf_wir_cfg *cfg = &slow.cfg;
    const uint64_t from = j->cycle;
    uint32_t waiting = 0;
    around.p_fetch = around.p_change = around.p_event = around.p_memory = 0;
    around.p_ready = around.p_result = 256;
    for (uint32_t w = 0; w < cfg->warps; w++) waiting += around.inside[w] + judge_bit(around.in.ib_valid, w);
    const uint64_t bound = (waiting + 1) * (64 + 16 * (cfg->entries + cfg->ventries));
    while (around.in.ib_valid != 0 || around.issued != around.over) {
        random_cycle(j);
        judge_passes(j);
        if (j->cycle > from + bound)
            fail_msg("%s: heads %#" PRIx64 ", %" PRIu64 " of %" PRIu64 " over, %" PRIu32 " registers free after %" PRIu64
                     " cycles",
                     j->where, around.in.ib_valid, around.over, around.issued, free_count(&slow), bound);
    }
    compare_with_program(j, &around, &slow);
    judge_passes(j);
    return j->cycle - from;
}

/* What the pool needs beside the logical registers. */
enum { SPARE = 1 };

/* What trials have met. */
typedef struct crowd {
    uint64_t starved; /* with one policy */
    uint64_t collisions, over, slowest;
} crowd;

enum { DRAIN_POLICIES = 4, DRAIN_ISSUES = 3, DRAIN_TRIALS = 8 };

/* Eight trials of a policy; each stops somewhere in the crowd and drains. `few`: some values that collide, else every result is a
 * value of its own; `memory`: also loads and stores, barriers, fences, blocks, kernels, warps that end. */
static void fill_and_drain(uint32_t policy, uint32_t issues, bool few, bool memory, crowd *met) {
    rf_wir_cfg cfg = {6, 4, 1, 4, 2, 2, 3, 1, 1, 0, 4, 4, 4, 0, 1, 1, 1, 1, 0, 0, 8, 64, 2, 2, 1, 8};
    judge j;
    cfg.issues = issues;
    cfg.capped = policy == 1;
    cfg.vsb = policy != 2;
    cfg.retry = policy != 3;
    cfg.vcache = issues - 1;
    cfg.pregs = cfg.warps * cfg.regs + SPARE;
    start(&j, ls_seed_derive(32 * memory + 8 * policy + 2 * issues + few, "judge rf_wir drains"), &cfg);
    begin_world(&around, &cfg, j.seed, true, cfg.regs);
    around.p_unique = few ? 10 : 256;
    around.values = VALUES;
    for (uint32_t trial = 0; trial < DRAIN_TRIALS; trial++) {
        draw_mix(&around, &cfg);
        around.p_event = memory ? 4 + ls_rng_below(&around.rng, 12) : 0;
        around.p_memory = memory ? 48 + ls_rng_below(&around.rng, 128) : 0;
        if (memory && few) around.p_source = 64, around.functions = 1; /* loads of the same again */
        around.p_partial = few ? around.p_partial : 0;
        around.in.limit = (uint16_t)(cfg.warps * cfg.regs);
        for (uint32_t t = 0; t < (few ? 300u : 100u); t++) {
            random_cycle(&j);
            for (uint32_t g = 0; g < issues; g++) {
                met->starved += now.starved[g];
                met->collisions += slow.verifier[g][0].state == RF_VERIFY_NEED;
            }
            judge_passes(&j);
        }
        const uint64_t took = drain(&j);
        if (took > met->slowest) met->slowest = took;
    }
    met->over += around.over;
}

/* All logical registers mapped, with every policy, without memory and with it. */
static void it_always_drains(void **state) {
    static const uint32_t wanted[] = {REUSED_CONST, REUSED_SHARED, REUSED_GLOBAL, STORED,    FLUSHING,
                                      SWEPT,        ORDER,         WALKED,        RETRY_HIT, RETRY_EXECUTES};
    crowd met = {0};
    (void)state;
    memset(seen, 0, sizeof seen);
    for (uint32_t memory = 0; memory <= 1; memory++)
        for (uint32_t policy = 0; policy < DRAIN_POLICIES; policy++) {
            met.starved = 0;
            for (uint32_t kind = 0; kind < 2 * DRAIN_ISSUES; kind++)
                fill_and_drain(policy, 1 + kind / 2, kind % 2 != 0, memory != 0, &met);
            assert_true(met.starved > 1000);
        }
    assert_true(met.over > 10000 && met.collisions > 100 && met.slowest > 30);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (seen[wanted[i]] < 5) fail_msg("never, or hardly ever: %s", event_names[wanted[i]]);
}

/* --- written programs
 * ------------------------------------------------------------------------------------------------------------ */

static const rf_wir_cfg small = {4, 4, 4, 8, 4, 2, 2, 1, 2, 0, 4, 4, 4, 32, 1, 1, 1, 1, 4, 0, 16, 16, 4, 2, 2, 8};

/* At the head of warp w: all lanes, function 1, destination, source in slot 0 if below 256. */
static void put_head(rf_wir_in *in, uint32_t w, uint32_t dst, uint32_t src) {
    in->ib_valid |= UINT64_C(1) << w;
    in->ib_mask[w] = 15;
    in->ib_tag[w] = (uint16_t)(100 * w + dst);
    in->ib_dst_valid |= UINT64_C(1) << w;
    in->ib_dst[w] = (uint8_t)dst;
    in->ib_src_valid[w] = src < 256;
    in->ib_src[w * small.slots] = (uint8_t)src;
    in->ib_op[w] = 1;
    in->ib_reuse |= UINT64_C(1) << w;
}

static void drive_result(rf_wir_in *in, uint32_t w, uint32_t dst, uint32_t value, uint64_t info) {
    in->res_valid = 1;
    in->res_warp[0] = (uint8_t)w;
    in->res_dst[0] = (uint8_t)dst;
    in->res_mask[0] = 15;
    in->res_info[0] = info;
    for (uint32_t lane = 0; lane < 4; lane++) in->res_data[0].lane[lane] = value + lane;
}

static void cycle(judge *j, const rf_wir_in *in, rf_wir_out *out) {
    wir_comb(&slow, in, &now);
    step(j, in, out);
}

/* VII-D: in rf_banked an instruction without sources leaves one cycle after its issue, and who waits for a result issues two
 * cycles after it is shown; here two later, and DELAY - 2. */
static void the_stages_cost_delay_cycles(void **state) {
    static rf_wir_in in;
    static rf_wir_out out;
    (void)state;
    for (uint32_t reuse = 0; reuse <= 1; reuse++)
        for (uint32_t delay = 3; delay <= 7; delay++) {
            rf_wir_cfg cfg = small;
            judge j;
            cfg.delay = delay;
            cfg.reuse = reuse;
            start(&j, delay, &cfg);
            memset(&in, 0, sizeof in);
            in.ex_ready = 3;
            for (uint32_t t = 0; t <= 12 + delay; t++) {
                in.ib_valid = in.res_valid = 0;
                if (t == 0) put_head(&in, 1, 5, 300);
                if (t >= 1 && t <= 6 + delay) put_head(&in, 1, 6, 5);
                if (t == 6) drive_result(&in, 1, 5, 0xcafe00, 0);
                cycle(&j, &in, &out);
                assert_int_equal(out.issue_valid, t == 0 || t == 6 + delay);
                assert_int_equal(out.ex_valid, t == 3 || t == 11 + delay);
                if (t == 11 + delay) assert_int_equal(out.ex_data[0].lane[3], 0xcafe03);
            }
            judge_passes(&j);
        }
}

/* Fig. 4, Fig. 11: two warps compute the same from the same: the second waits for the first one's result and takes it over; a
 * third one later finds it at once. Neither is executed. */
static void the_same_is_computed_once(void **state) {
    static rf_wir_in in;
    static rf_wir_out out;
    uint64_t info = 0;
    uint32_t executed = 0, reused[4] = {0};
    judge j;
    (void)state;
    start(&j, 0, &small);
    memset(&in, 0, sizeof in);
    in.ex_ready = 3;
    for (uint32_t t = 0; t <= 40; t++) {
        in.ib_valid = in.res_valid = 0;
        if (t == 0) put_head(&in, 1, 5, 300);
        if (t == 1) put_head(&in, 2, 6, 300);
        if (t == 25) put_head(&in, 3, 7, 300);
        if (t == 10) drive_result(&in, 1, 5, 0xbeef00, info);
        cycle(&j, &in, &out);
        executed += out.ex_valid != 0;
        if (out.ex_valid != 0) info = out.ex_info[0];
        if (out.reused != 0) reused[out.reused_warp[0]] = t;
        if (t == 9) assert_int_equal(model.lane[0].queue.level_q, 1);
    }
    assert_int_equal(executed, 1);
    /* shown in 10, at the end of its pipe in 12, written in 13; found in 14 */
    assert_int_equal(reused[2], 14);
    assert_int_equal(reused[3], 27);
    const rf_rename *map = &model.lane[0].rename;
    assert_int_equal(map->preg_q[8 + 5], map->preg_q[2 * 8 + 6]);
    assert_int_equal(map->preg_q[8 + 5], map->preg_q[3 * 8 + 7]);
    assert_int_equal(model.reuse.count.count_q[map->preg_q[8 + 5]], 5); /* three mappings, the two buffers */
    judge_passes(&j);
}

/* --- refusals and the comparer
 * --------------------------------------------------------------------------------------------------- */

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    judge_ranges(&rf_wir_unit, &sets->cfg, sizeof sets / sizeof *sets, sizeof *sets, "exports");
    rf_wir_cfg cfg = small;
    cfg = small, cfg.banks = 3, judge_refused(&rf_wir_unit, &cfg, "banks", "power");
    cfg = small, cfg.entries = 24, judge_refused(&rf_wir_unit, &cfg, "entries", "power");
    cfg = small, cfg.ventries = 24, judge_refused(&rf_wir_unit, &cfg, "ventries", "power");
    cfg = small, cfg.pregs = 30, judge_refused(&rf_wir_unit, &cfg, "pregs", "banks");
    cfg = small, cfg.issues = 3, cfg.exports = 3, judge_refused(&rf_wir_unit, &cfg, "warps", "issues");
    cfg = small, cfg.collectors = 16, judge_refused(&rf_wir_unit, &cfg, "collectors", "16");
    cfg = small, cfg.exports = 8, judge_refused(&rf_wir_unit, &cfg, "exports", "8");
    cfg = small, cfg.reuse = 0, cfg.regs = 33, judge_refused(&rf_wir_unit, &cfg, "pregs", "regs");
    cfg.reuse = 1;
    assert_null(rf_wir_check(&cfg));
}

/* Of what is inside, where the units' judges compare all: a bit of each kind. */
#define STATE(member, field, index) JUDGE_FLIP(&j, model.member, 1, field, index, 0, compare_wir_state(&j, &slow, &model))

static void the_comparer_sees_a_flipped_bit(void **state) {
    static rf_wir_out out;
    const rf_wir_cfg *cfg = &sets[1].cfg;
    judge j;
    (void)state;
    start(&j, 5, cfg);
    begin_world(&around, cfg, 5, true, names_for(cfg));
    while (j.cycle < 600) random_cycle(&j);
    judge_passes(&j);
    for (uint32_t w = 0; w < 4; w++)
        for (uint32_t r = 0; r < 6; r++) {
            STATE(lane[0].rename.preg_q[w * 6 + r], "rename.preg_q", w * 256 + r);
            JUDGE_FLIP(&j, model.lane[0].rename.valid_q[w], UINT64_C(1) << r, "rename.valid_q", w * 256 + r, 0,
                       compare_wir_state(&j, &slow, &model));
            JUDGE_FLIP(&j, model.lane[0].rename.pin_q[w], UINT64_C(1) << r, "rename.pin_q", w * 256 + r, 0,
                       compare_wir_state(&j, &slow, &model));
        }
    STATE(lane[0].rename.walking_q, "rename.walking_q", 0);
    for (uint32_t i = 0; i < 4; i++) {
        STATE(reuse.buffer.valid_q[i], "reuse.valid_q", i);
        STATE(reuse.buffer.pending_q[i], "reuse.pending_q", i);
        STATE(reuse.buffer.result_q[i], "reuse.result_q", i);
        STATE(reuse.buffer.opcode_q[i], "reuse.opcode_q", i);
        STATE(reuse.buffer.operand_q[i * 2 + 1], "reuse.operand_q", i * 6 + 1);
        STATE(reuse.buffer.block_q[i], "reuse.block_q", i);
        STATE(reuse.buffer.barrier_q[i], "reuse.barrier_q", i);
    }
    for (uint32_t i = 0; i < 2; i++) {
        STATE(results.vsb.valid_q[i], "vsb.valid_q", i);
        STATE(results.vsb.hash_q[i], "vsb.hash_q", i);
        STATE(results.vsb.reg_q[i], "vsb.reg_q", i);
        STATE(results.vcache.tag_q[i], "vcache.tag_q", i);
        JUDGE_FLIP(&j, model.results.vcache.data_q[i].lane[1], 4, "vcache.data_q", i, 1, compare_wir_state(&j, &slow, &model));
        STATE(retire.verify[i].state_q, "verify.state_q", i);
        STATE(results.queue[i].ctrl.level_q, "result.level_q", i);
        STATE(results.pipe[i].valid_q, "pipe.valid_q", i);
        STATE(reuse.guard.count_q[i], "guard.count_q", i);
    }
    for (uint32_t r = 0; r < 16; r++) {
        STATE(reuse.count.count_q[r], "count.count_q", r);
        STATE(retire.unwritten.bit_q[r], "unwritten.bit_q", r);
        JUDGE_FLIP(&j, model.reuse.count.dead_q[0], UINT64_C(1) << r, "count.dead_q", r, 0, compare_wir_state(&j, &slow, &model));
    }
    for (uint32_t c = 0; c < 3; c++) {
        STATE(collect.zero_q[c], "zero_q", c);
        STATE(collect.info_q[c], "info_q", c);
    }
    STATE(results.free.fresh_q, "free.fresh_q", 0);
    STATE(reuse.lfsr.value_q, "lfsr.value_q", 0);
    STATE(reuse.guard.shared_q, "guard.shared_q", 0);
    STATE(reuse.guard.global_q, "guard.global_q", 0);
    STATE(reuse.guard.gcount_q, "guard.gcount_q", 0);
    STATE(reuse.guard.flush_q, "guard.flush_q", 0);
    STATE(reuse.guard.index_q, "guard.index_q", 0);
    STATE(reuse.guard.sweep_q, "guard.sweep_q", 0);
    STATE(lane[0].queue.level_q, "queue.level_q", 0);
    STATE(lane[0].front.rn_valid_q, "front.rn_valid_q", 0);
    STATE(lane[0].front.ru_valid_q, "front.ru_valid_q", 0);
    STATE(results.take_rr[0].mask_q, "take_rr.mask_q", 0);
    STATE(retire.read_rr[0].mask_q, "read_rr.mask_q", 0);
    STATE(retire.retire_rr[0].mask_q, "retire_rr.mask_q", 0);
    STATE(retire.port_rr[0].mask_q, "port_rr.mask_q", 0);
    STATE(issue.scoreboard.pending_q[2].w[0], "scoreboard.pending_q", 2);
    for (uint32_t b = 0; b < 4; b++)
        for (uint32_t row = 0; row < 4; row++)
            JUDGE_FLIP(&j, model.bank[b].mem_q[row].lane[1], 1, "bank.mem_q", row * 4 + b, 1, compare_values(&j, &slow, &model));
    stimulate(&around, cfg);
    wir_comb(&slow, &around.in, &now);
    memset(&out, 0, sizeof out);
    rf_wir_comb(&model, &around.in, &out);
    JUDGE_LANE_FLIPS(&j, rf_wir, LS_OUT, &model, &out, compare_wir_out(&j, &slow, &now, &out));
    /* and the golden machine: one lane of a register at rest */
    uint32_t w = 0, r = 0;
    for (uint32_t i = 0; i < 24; i++)
        if (slow.map[i / 6][i % 6].valid && !slow.stage.pending[i / 6][i % 6] && !slow.walking[i / 6] && !around.gone[i / 6])
            w = i / 6, r = i % 6;
    assert_true(slow.map[w][r].valid);
    JUDGE_FLIP(&j, around.reg[w][r][1], 2, "register at rest", w * 256 + r, 1, compare_with_program(&j, &around, &slow));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
        cmocka_unit_test(it_always_drains),
        cmocka_unit_test(the_stages_cost_delay_cycles),
        cmocka_unit_test(the_same_is_computed_once),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_wir", tests, NULL, NULL);
}
