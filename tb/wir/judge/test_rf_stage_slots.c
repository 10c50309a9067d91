/* SPDX-License-Identifier: Apache-2.0 */
/* Issue slots by cause: the order of causes, by hand; slots of small programs, by hand; and over random streams, written programs
 * and kernels, that every slot of every group has one cause. What a system's ports alone tell about its slots is counted beside
 * it. The systems' judges count the rest in their slow models (judge_slots.h). */
#include <math.h>

#include "harness/base/xzio.h"
#include "tb/banked/env/rf_stage_slots.h"
#include "tb/banked/judge/judge_stage_run.h"
#include "tb/wir/env/rf_wir_count.h"
#include "tb/workload/rf_kernels.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* --- causes ----------------------------------------------------------------------------------------------------------------- */

/* One cycle of group 1 of three, warps 1, 4, 7 ...; all other groups issue. */
static rf_stage_slot cause_of(const rf_stage_did *of, const rf_stage_waits *waits) {
    rf_stage_slots s = {0};
    rf_stage_did did = *of;
    uint32_t cause = RF_SLOTS;
    did.issues = 3;
    did.issued |= 5;
    rf_stage_slots_cycle(&s, &did, waits);
    for (uint32_t i = 0; i < RF_SLOTS; i++) {
        if (s.of[i] == (i == RF_SLOT_ISSUED ? 2 : 0)) continue;
        assert_int_equal(s.of[i], i == RF_SLOT_ISSUED ? 3 : 1);
        assert_int_equal(cause, RF_SLOTS);
        cause = i;
    }
    return (rf_stage_slot)cause;
}

#define WARP(w) (UINT64_C(1) << (w))
#define OTHERS (~UINT64_C(0x2492492492492492)) /* warps of groups 0 and 2 */

/* Each cause beside all that come after it, and beside everything that other groups have. */
static void the_first_cause_that_holds_counts(void **state) {
    const uint64_t all = WARP(1) | WARP(4) | WARP(61);
    const struct {
        rf_stage_did did;
        rf_stage_waits waits;
        rf_stage_slot cause;
    } row[] = {
        {{.issued = 2, .chosen = 2, .held = 2, .kept = all, .hazard = all}, {all, all, all, 2}, RF_SLOT_ISSUED},
        {{.chosen = 2, .held = 2, .kept = all, .hazard = all}, {all, all, all, 2}, RF_SLOT_CHOSEN},
        {{.chosen = 2, .held = 5, .kept = all, .hazard = all}, {all, all, all, 2}, RF_SLOT_COLLECTOR},
        {{.chosen = 5, .held = 2, .kept = WARP(61), .hazard = all}, {all, all, all, 2}, RF_SLOT_READY},
        {{.chosen = 5, .held = 2, .kept = OTHERS, .hazard = WARP(4)}, {all, all, all, 2}, RF_SLOT_MEMORY},
        {{.chosen = 5, .kept = OTHERS, .hazard = WARP(4)}, {all, all, all, 5}, RF_SLOT_HAZARD},
        {{.hazard = OTHERS}, {all, WARP(1), WARP(61), 7}, RF_SLOT_EMPTY},
        {{.hazard = OTHERS}, {all, OTHERS, OTHERS, 7}, RF_SLOT_EMPTY},
        {{.hazard = OTHERS}, {all, WARP(1), WARP(4) | WARP(61), 7}, RF_SLOT_BARRIER},
        {{.hazard = OTHERS}, {all, 0, all, 7}, RF_SLOT_BARRIER},
        {{.hazard = OTHERS}, {all | OTHERS, all, 0, 7}, RF_SLOT_DRAIN},
        {{.hazard = OTHERS}, {WARP(4) | OTHERS, WARP(4), all, 7}, RF_SLOT_DRAIN},
        {{.hazard = OTHERS}, {OTHERS, all, all, 7}, RF_SLOT_NO_WARP},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(row); i++) {
        const rf_stage_slot counted = cause_of(&row[i].did, &row[i].waits);
        if (counted != row[i].cause)
            fail_msg("row %zu: counted as cause %d of rf_stage_slot, not as %d", i, (int)counted, (int)row[i].cause);
    }
}

/* The warps of a group, for each number of groups: every warp alone is waited for by its group alone. */
static void a_warp_belongs_to_one_group(void **state) {
    (void)state;
    for (uint32_t issues = 1; issues <= RF_ISSUES_MAX; issues++)
        for (uint32_t w = 0; w < RF_WARPS_MAX; w++) {
            rf_stage_slots s = {0};
            const rf_stage_did did = {.issues = issues, .hazard = WARP(w)};
            const rf_stage_waits waits = {.memory = (uint8_t)(1u << w % issues)};
            rf_stage_slots_cycle(&s, &did, &waits);
            assert_int_equal(s.of[RF_SLOT_MEMORY], 1);
            assert_int_equal(s.of[RF_SLOT_NO_WARP], issues - 1);
        }
}

/* A head waits for memory while a source or its destination is a register that a memory instruction has yet to write. */
static void a_head_waits_for_the_registers_that_it_names(void **state) {
    static rf_stage_awaited a;
    static rf_stage_in in;
    const uint32_t slots = 5;
    (void)state;
    in.ib_src[5 * slots + 4] = 250;
    in.ib_src_valid[5] = 16;
    in.ib_dst[5] = 44;
    in.ib_dst_valid = WARP(5);
    in.ib_src[4 * slots] = 250;
    in.ib_src_valid[4] = 1;
    assert_int_equal(rf_stage_awaited_by(&a, &in, 0, WARP(5), 2, slots), 0);
    rf_stage_awaited_begin(&a, 5, 250);
    assert_int_equal(rf_stage_awaited_by(&a, &in, 0, WARP(5), 2, slots), 2);
    rf_stage_awaited_begin(&a, 5, 44);
    rf_stage_awaited_begin(&a, 4, 249);
    assert_int_equal(rf_stage_awaited_by(&a, &in, 0, WARP(5) | WARP(4), 2, slots), 2);
    assert_int_equal(rf_stage_awaited_by(&a, &in, 2, WARP(5), 2, slots), 0); /* its scheduler chose another warp */
    assert_int_equal(rf_stage_awaited_by(&a, &in, 0, WARP(4), 2, slots), 0);
    assert_int_equal(rf_stage_awaited_by(&a, &in, 0, WARP(5), 4, slots), 2);
    rf_stage_awaited_end(&a, 5, 250);
    assert_int_equal(rf_stage_awaited_by(&a, &in, 0, WARP(5), 2, slots), 2);
    in.ib_dst_valid = 0;
    assert_int_equal(rf_stage_awaited_by(&a, &in, 0, WARP(5), 2, slots), 0);
    in.ib_dst_valid = WARP(5);
    rf_stage_awaited_end(&a, 5, 44);
    assert_int_equal(rf_stage_awaited_by(&a, &in, 0, WARP(5), 2, slots), 0);
    assert_int_equal(a.warps, WARP(4));
    in.ib_src_valid[4] = 0; /* R250 again, which no valid slot names */
    rf_stage_awaited_begin(&a, 4, 250);
    assert_int_equal(rf_stage_awaited_by(&a, &in, 0, WARP(4), 2, slots), 0);
}

static void a_refused_dispatch_has_its_own_port(void **state) {
    rf_stage_slots s = {0};
    rf_stage_in *const in = ls_zeroed(sizeof *in);
    rf_stage_out *const out = ls_zeroed(sizeof *out);
    (void)state;
    in->ib_port[6] = 2;
    in->ib_port[9] = 1;
    out->issue_valid = 3;
    out->issue_warp[0] = 6;
    out->issue_warp[1] = 9;
    rf_stage_slots_took(&s, in, out, (const uint8_t[]){4, 15});
    rf_stage_slots_dispatch(&s, 1u << 4 | 1u << 15, 1u << 15, 4); /* 15 leaves, 4 does not though port 2 is ready */
    assert_int_equal(s.lost, 1);
    assert_int_equal(s.port, 0);
    rf_stage_slots_dispatch(&s, 1u << 4 | 1u << 15, 0, 4);
    assert_int_equal(s.lost, 2);
    assert_int_equal(s.port, 1);
    free(in), free(out);
}

/* --- programs --------------------------------------------------------------------------------------------------------------- */

/* As drawn on the page: without sources offered in the cycle after the issue, with one three after it; the result comes a latency
 * later (memory 20, ALU 8) and is written a cycle later; who waits for it issues a cycle later. In rf_wir an instruction comes to
 * its collector two cycles later, a result to its queue two more. */
static void a_wait_is_for_memory_until_its_result_is_written(void **state) {
    static const char *const one[][2] = {
        {"rf_banked", "WARPS=1 COLLECTORS=2 BANKS=4 REGS=16 LANES=4"},
        {"rf_steal", "WARPS=1 ISSUES=1 COLLECTORS=2 BANKS=4 REGS=16 LANES=4 EXPORTS=3"},
        {"rf_malekeh", "WARPS=1 ISSUES=1 COLLECTORS=2 BANKS=4 REGS=16 LANES=4 EXPORTS=3 ADAPT=0 CACHE=0"},
        {"rf_wir", "WARPS=1 ISSUES=1 COLLECTORS=2 BANKS=4 REGS=16 LANES=4 EXPORTS=3 REUSE=0"},
    };
    static const struct {
        rf_inst inst[3];
        uint32_t count;
        double memory, other, drain, of_wir[3]; /* the same of rf_wir */
    } row[] = {
        /* a in 0, written in 22; b in 23, written in 35; c in 36, over in 47 */
        {{{.opclass = RF_OP_MEM, .ndst = 1, .dst = {1}},
          {.opclass = RF_OP_ALU, .nsrc = 1, .src = {1}, .ndst = 1, .dst = {2}},
          {.opclass = RF_OP_ALU, .nsrc = 1, .src = {2}}},
         3,
         22,
         12,
         11,
         {22 + 4, 12 + 4, 11 + 2}},
        /* a in 0, written in 22; b in 23, written in 33 */
        {{{.opclass = RF_OP_MEM, .ndst = 1, .dst = {1}}, {.opclass = RF_OP_ALU, .ndst = 1, .dst = {1}}},
         2,
         22,
         0,
         10,
         {22 + 4, 0, 10 + 4}},
        /* R3 is read by a in 1, so that b waits in 1 alone and issues in 2; a is over in 23 */
        {{{.opclass = RF_OP_MEM, .nsrc = 1, .src = {3}}, {.opclass = RF_OP_ALU, .ndst = 1, .dst = {3}}},
         2,
         0,
         1,
         21,
         {0, 1 + 2, 21}},
    };
    (void)state;
    for (size_t r = 0; r < COUNT(row); r++)
        for (size_t i = 0; i < COUNT(one); i++) {
            const bool wir = strcmp(one[i][0], "rf_wir") == 0;
            const double memory = wir ? row[r].of_wir[0] : row[r].memory, other = wir ? row[r].of_wir[1] : row[r].other;
            const double drain = wir ? row[r].of_wir[2] : row[r].drain;
            stream s;
            counts c;
            make_stream(&s, row[r].inst, row[r].count, 1);
            run(one[i][0], one[i][1], &s, 1, 0, &c);
            free(s.bytes.bytes);
            assert_true(get(&c, "slot_issued") == row[r].count);
            assert_true(get(&c, "slot_hazard_memory") == memory);
            assert_true(get(&c, "slot_hazard_other") == other);
            assert_true(get(&c, "slot_drain") == drain);
            assert_true(get(&c, "slot_no_warp") == 1);
            assert_true(get(&c, "cycles") == row[r].count + memory + other + drain + 1);
        }
}

/* --- what ports tell -------------------------------------------------------------------------------------------------------- */

/* A run, seen from its ports: every warp executes the same `length` uops. */
typedef struct seen {
    uint32_t warps, issues, length;
    bool wir;            /* tells when a warp ends, a barrier or a fence is over */
    const bool *stops;   /* by uop: the warp waits behind it */
    uint32_t issued[64]; /* by slot: uops since the launch */
    bool there[64], waits[64];
    double cycles, slots, idle, no_warp, at_barrier, drain;
} seen;

static void see(void *ctx, const rf_stage_in *in, const rf_stage_out *out) {
    seen *const s = ctx;
    s->cycles++;
    for (uint32_t w = 0; w < s->warps; w++) {
        const rf_wir_in *const wir = s->wir ? (const rf_wir_in *)in : NULL; /* its first member */
        if (wir != NULL && (wir->exit >> w & 1) != 0) s->there[w] = false;
        if (wir != NULL && ((wir->bar >> wir->block[w] | wir->fence >> w) & 1) != 0) s->waits[w] = false;
        if ((in->launch >> w & 1) == 0) continue;
        s->there[w] = true;
        s->waits[w] = false;
        s->issued[w] = 0;
    }
    for (uint32_t g = 0; g < s->issues; g++) {
        if ((out->issue_valid >> g & 1) != 0) {
            const uint32_t w = out->issue_warp[g];
            s->slots++;
            if (s->stops != NULL) s->waits[w] = s->stops[s->issued[w]];
            s->issued[w]++;
            continue;
        }
        bool there = false, more = false, goes = false;
        for (uint32_t w = g; w < s->warps; w += s->issues) {
            const bool has_more = s->there[w] && s->issued[w] < s->length;
            there |= s->there[w];
            more |= has_more;
            goes |= has_more && !s->waits[w];
        }
        s->idle += !more;
        s->no_warp += !there;
        s->drain += there && !more;
        s->at_barrier += more && !goes;
    }
}

static double sum(const counts *c) {
    double slots = 0;
    for (uint32_t i = 0; i < c->count; i++) slots += strncmp(c->name[i], "slot_", 5) == 0 ? c->value[i] : 0;
    return slots;
}

static const struct {
    const char *unit, *set;
    uint32_t warps, issues; /* of the set */
} systems[] = {
    {"rf_banked", "WARPS=8 COLLECTORS=2 BANKS=4 EXPORTS=3 REGS=64", 8, 1},
    {"rf_banked", "WARPS=12 ISSUES=3 COLLECTORS=4 BANKS=8 REGS=64 SCHED=2 FETCH=2", 12, 3},
    {"rf_steal", "WARPS=8 ISSUES=2 COLLECTORS=3 BANKS=8 REGS=64", 8, 2},
    {"rf_malekeh", "WARPS=8 ISSUES=2 COLLECTORS=3 BANKS=8 REGS=64 INTERVAL=100", 8, 2},
    {"rf_malekeh", "WARPS=8 ISSUES=1 COLLECTORS=2 BANKS=4 REGS=64 ADAPT=0 STHLD=5", 8, 1},
    {"rf_wir", "WARPS=8 REGS=64 BANKS=8", 8, 2},
    {"rf_wir", "WARPS=8 REGS=64 BANKS=8 REUSE=0", 8, 2},
};

static void the_ports_tell_the_same(void **state) {
    static const rf_inst program[] = {
        {.opclass = RF_OP_MEM, .mnemonic = "LDG", .load = true, .ndst = 1, .dst = {1}},
        {.opclass = RF_OP_ALU, .nsrc = 2, .src = {1, 2}, .ndst = 1, .dst = {3}},
        {.opclass = RF_OP_SFU, .nsrc = 1, .src = {3}, .ndst = 1, .dst = {4}},
        {.opclass = RF_OP_CTRL, .mnemonic = "BAR.SYNC"},
        {.opclass = RF_OP_ALU, .nsrc = 3, .src = {4, 3, 1}, .ndst = 1, .dst = {5}},
        {.opclass = RF_OP_CTRL, .mnemonic = "MEMBAR"},
        {.opclass = RF_OP_MEM, .mnemonic = "STG", .store = true, .nsrc = 2, .src = {5, 1}},
    };
    static const bool waits[] = {false, false, false, true, false, true, false};
    (void)state;
    for (size_t i = 0; i < COUNT(systems); i++)
        for (uint32_t warps = 4; warps <= 24; warps += 20) {
            const bool wir = strcmp(systems[i].unit, "rf_wir") == 0;
            seen ports = {.warps = systems[i].warps,
                          .issues = systems[i].issues,
                          .length = COUNT(program),
                          .wir = wir,
                          .stops = wir ? waits : NULL};
            stream s;
            counts c;
            make_blocks(&s, program, COUNT(program), warps, 2, 4);
            run_watched(&(ls_settings){0}, systems[i].unit, systems[i].set, &s, 1, 5000, see, &ports, &c);
            free(s.bytes.bytes);
            assert_true(get(&c, "cycles") == ports.cycles);
            assert_true(sum(&c) == ports.cycles * systems[i].issues);
            assert_true(get(&c, "slot_issued") == ports.slots);
            assert_true(get(&c, "slot_issued") == 2.0 * warps * COUNT(program));
            assert_true(get(&c, "slot_no_warp") + get(&c, "slot_drain") == ports.idle);
            assert_true(get(&c, "slot_hazard_memory") > 0 && get(&c, "slot_hazard_other") > 0);
            assert_true(get(&c, "slot_barrier") == (wir ? ports.at_barrier : 0));
            if (!wir) continue;
            assert_true(get(&c, "slot_no_warp") == ports.no_warp);
            assert_true(get(&c, "slot_drain") == ports.drain);
            assert_true(get(&c, "slot_barrier") > 0);
        }
}

/* --- every slot has one cause ----------------------------------------------------------------------------------------------- */

static void all_slots_of_random_input_have_a_cause(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(systems); i++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            counts c;
            run(systems[i].unit, systems[i].set, NULL, seed, 6000, &c);
            assert_true(sum(&c) == get(&c, "cycles") * systems[i].issues);
            assert_true(get(&c, "slot_issued") == get(&c, "uops"));
        }
}

static void all_slots_of_kernels_have_a_cause(void **state) {
    static const char *const kernels[] = {"saxpy", "reduce_tree"};
    (void)state;
    for (size_t k = 0; k < COUNT(kernels); k++) {
        char error[512] = "";
        rf_kernels_result result;
        stream s = {0};
        const rf_sink sink = rf_memory_sink(&s.bytes);
        rf_stream_writer *const writer = rf_stream_writer_open(&sink, error, sizeof error);
        const rf_kernels_options options = {.source = &ls_xzio, .writer = writer};
        if (rf_kernels_build(rf_kernels_find(kernels[k]), &options, &result, error, sizeof error) != 0) fail_msg("%s", error);
        assert_int_equal(rf_stream_writer_close(writer, error, sizeof error), 0);
        open_stream(&s);
        for (size_t i = 0; i < COUNT(systems); i++) {
            counts c;
            run_watched(&(ls_settings){0}, systems[i].unit, systems[i].set, &s, 1, 100000, NULL, NULL, &c);
            assert_true(sum(&c) == get(&c, "cycles") * systems[i].issues);
            assert_true(get(&c, "slot_issued") == get(&c, "uops"));
            assert_true(get(&c, "slot_empty") == 0); /* no buffer is empty in a workload */
            assert_true(get(&c, "dispatch_lost") > 0);
        }
        free(s.bytes.bytes);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_cause_that_holds_counts),
        cmocka_unit_test(a_warp_belongs_to_one_group),
        cmocka_unit_test(a_head_waits_for_the_registers_that_it_names),
        cmocka_unit_test(a_refused_dispatch_has_its_own_port),
        cmocka_unit_test(a_wait_is_for_memory_until_its_result_is_written),
        cmocka_unit_test(the_ports_tell_the_same),
        cmocka_unit_test(all_slots_of_random_input_have_a_cause),
        cmocka_unit_test(all_slots_of_kernels_have_a_cause),
    };
    return cmocka_run_group_tests_name("issue slots by cause", tests, NULL, NULL);
}
