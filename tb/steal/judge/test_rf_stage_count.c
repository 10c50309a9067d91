/* SPDX-License-Identifier: Apache-2.0 */
/* What the pages of the papers rest on: the surroundings' latencies and ports as docs/units/rf_banked.md says them, and the
 * counters of the operand stages. Every counter of a small written program is stated by hand, from the timing that the pages draw
 * (rf_banked.md, "Cycle behaviour"; rf_malekeh.md, the same); what always holds between counters is checked over random input. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <math.h>
#include <unistd.h>

#include "harness/core/machine.h"
#include "harness/core/source.h"
#include "tb/banked/env/rf_stage_env.h"
#include "tb/banked/judge/judge_stage_run.h"
#include "tb/machine/env/rf_machine.h"
#include "tb/steal/env/rf_steal_count.h"

/* --- latencies and ports ---------------------------------------------------------------------------------------------------- */

/* The least stage that there can be: one uop at a time, delivered in the cycle after its issue, its result written in the cycle
 * after it was accepted. */
typedef struct least {
    bool holds, full; /* a uop that was issued; a result that was accepted */
    uint32_t warp, port, dst;
    uint16_t tag;
    rf_vec result, reg[2][4];
} least;

static const rf_vec *least_value(const void *model, uint32_t warp, uint32_t reg, rf_vec *room) {
    *room = ((const least *)model)->reg[warp][reg];
    return room;
}

/* Runs one instruction in both of two warps. Says at which port each was delivered, and its cycles from there to the result. */
static void time_it(const rf_inst *inst, uint32_t exports, uint32_t issues, const rf_machine *machine, uint32_t port[2],
                    uint32_t latency[2]) {
    static rf_stage_in in;
    static rf_stage_out out;
    stream s;
    least m = {0};
    char error[512] = "";
    uint32_t delivered_in = 0;
    const rf_stage_cfg cfg = {.warps = 2,
                              .collectors = 1,
                              .banks = 1,
                              .regs = 4,
                              .lanes = 32,
                              .slots = 3,
                              .exports = exports,
                              .issues = issues,
                              .wbdepth = 1};
    make_stream(&s, inst, 1, 2);
    rf_stage_env *const env = rf_stage_env_new(&cfg, NULL, 1);
    if (rf_stage_env_workload(env, &s.source, "a.rfs", error, sizeof error) != 0) fail_msg("%s", error);
    if (machine != NULL) rf_stage_env_machine(env, machine);
    memset(&in, 0, sizeof in);
    for (uint32_t cycle = 0; !rf_stage_env_done(env); cycle++) {
        rf_stage_view view = {.collecting = m.holds, .model = &m, .value = least_value};
        view.level[m.port] = m.full;
        assert_true(cycle < 2000);
        rf_stage_env_inputs(env, &view, &in);
        memset(&out, 0, sizeof out);
        const uint32_t written = (uint32_t)m.full << m.port;
        if (m.full) m.reg[m.warp][m.dst] = m.result;
        m.full = in.res_valid != 0;
        if (m.full) {
            assert_int_equal(in.res_valid, 1u << m.port);
            latency[m.warp] = cycle - delivered_in;
            m.result = in.res_data[m.port];
            out.res_ready = in.res_valid;
        }
        if (m.holds) {
            out.ex_valid = (uint8_t)(1u << m.port);
            out.ex_warp[m.port] = (uint8_t)m.warp;
            out.ex_tag[m.port] = m.tag;
            out.ex_mask[m.port] = UINT32_MAX;
            out.ex_dst_valid = out.ex_valid;
            out.ex_dst[m.port] = (uint8_t)m.dst;
            port[m.warp] = m.port;
            delivered_in = cycle;
            m.holds = false;
        } else if (in.ib_valid != 0 && !m.full && written == 0 && (cycle == 0 || latency[m.warp] != 0)) {
            m.warp = rf_lowest(in.ib_valid);
            m.port = in.ib_port[m.warp];
            m.tag = in.ib_tag[m.warp];
            m.dst = in.ib_dst[m.warp];
            m.holds = true;
            latency[m.warp] = 0;
            out.issue_valid = (uint8_t)(1u << m.warp % issues);
            out.issue_warp[m.warp % issues] = (uint8_t)m.warp;
        }
        rf_stage_env_observe(env, &in, &out, written);
    }
    if (rf_stage_env_property(env) != NULL) fail_msg("%s", rf_stage_env_property(env));
    rf_stage_env_free(env);
    free(s.bytes.bytes);
}

static void latencies_and_ports_are_those_of_the_page(void **state) {
    static const struct {
        rf_inst inst;
        uint32_t latency, odd;     /* the latter of the odd machine */
        uint32_t of_three, of_two; /* port of 3, of 2 */
        uint32_t of_four[2];       /* of 4, with two issue groups: of a warp of group 0, of group 1 */
    } row[] = {
        {{.opclass = RF_OP_ALU}, 8, 5, 0, 0, {0, 1}},
        {{.opclass = RF_OP_SFU}, 20, 33, 1, 1, {2, 2}},
        {{.opclass = RF_OP_MEM}, 20, 57, 2, 0, {3, 3}},
        {{.opclass = RF_OP_MEM, .load = true}, 20, 100, 2, 0, {3, 3}},
        {{.opclass = RF_OP_TENSOR}, 16, 1, 2, 0, {3, 3}},
        {{.opclass = RF_OP_CTRL}, 8, 3, 2, 0, {3, 3}},
        /* Which loads are long the mnemonic says, with hints and without. */
        {{.opclass = RF_OP_MEM, .load = true, .mnemonic = "LDG.E"}, 20, 100, 2, 0, {3, 3}},
        {{.opclass = RF_OP_MEM, .load = true, .mnemonic = "LDS"}, 20, 57, 2, 0, {3, 3}},
        {{.opclass = RF_OP_MEM, .load = true, .mnemonic = "LDC"}, 20, 57, 2, 0, {3, 3}},
        {{.opclass = RF_OP_MEM, .load = true, .mnemonic = "ld.local.u32"}, 20, 100, 2, 0, {3, 3}},
        {{.opclass = RF_OP_MEM, .load = true, .mnemonic = "ld.shared.u32", .hint = {.flags = RF_HINT_PRESENT}},
         20,
         57,
         2,
         0,
         {3, 3}},
        {{.opclass = RF_OP_MEM, .load = true, .mnemonic = "ld.global.u32", .hint = {.flags = RF_HINT_PRESENT}},
         20,
         100,
         2,
         0,
         {3, 3}},
        {{.opclass = RF_OP_MEM, .load = true, .store = true, .mnemonic = "ATOMG.ADD"}, 20, 100, 2, 0, {3, 3}},
    };
    const rf_machine odd = {.latency = {5, 33, 57, 1, 3}, .interval = {1, 1, 1, 1, 1}, .load_latency = 100, .sub_cores = 1};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        rf_inst inst = row[i].inst;
        inst.ndst = 1;
        inst.dst[0] = 3;
        for (uint32_t n = 0; n < 5; n++) {
            const uint32_t exports[] = {3, 2, 4, 1, 3}, issues[] = {1, 1, 2, 1, 2};
            const rf_machine *const machine = n == 3 ? &odd : NULL;
            const uint32_t expected[][2] = {{row[i].of_three, row[i].of_three},
                                            {row[i].of_two, row[i].of_two},
                                            {row[i].of_four[0], row[i].of_four[1]},
                                            {0, 0},
                                            {row[i].of_three, row[i].of_three}};
            uint32_t port[2] = {99, 99}, latency[2] = {0};
            time_it(&inst, exports[n], issues[n], machine, port, latency);
            for (uint32_t w = 0; w < 2; w++) {
                assert_int_equal(port[w], expected[n][w]);
                assert_int_equal(latency[w], machine != NULL ? row[i].odd : row[i].latency);
            }
        }
    }
}

#define TAKEN_MAX 24u

/* One warp's instructions without operands through a stage that offers the next one two cycles after a delivery, until its port
 * takes it: in which cycle each was taken. */
static void take_them(const rf_inst *inst, uint32_t count, uint32_t exports, const rf_machine *machine, uint32_t *taken) {
    static rf_stage_in in;
    static rf_stage_out out;
    stream s;
    least m = {0};
    char error[512] = "";
    const rf_stage_cfg cfg = {.warps = 1,
                              .collectors = 1,
                              .banks = 1,
                              .regs = 4,
                              .lanes = 32,
                              .slots = 3,
                              .exports = exports,
                              .issues = 1,
                              .wbdepth = 1};
    make_stream(&s, inst, count, 1);
    rf_stage_env *const env = rf_stage_env_new(&cfg, NULL, 1);
    if (rf_stage_env_workload(env, &s.source, "a.rfs", error, sizeof error) != 0) fail_msg("%s", error);
    rf_stage_env_machine(env, machine);
    memset(&in, 0, sizeof in);
    uint32_t n = 0;
    for (uint32_t cycle = 0; !rf_stage_env_done(env); cycle++) {
        const rf_stage_view view = {.collecting = m.holds, .model = &m, .value = least_value};
        assert_true(cycle < 9000);
        rf_stage_env_inputs(env, &view, &in);
        memset(&out, 0, sizeof out);
        if (m.holds) {
            out.ex_valid = (uint8_t)(1u << m.port);
            out.ex_tag[m.port] = m.tag;
            out.ex_mask[m.port] = UINT32_MAX;
            if ((in.ex_ready & out.ex_valid) != 0) {
                assert_true(n < count);
                taken[n++] = cycle;
                m.holds = false;
            }
        } else if (in.ib_valid != 0) {
            m.port = in.ib_port[0];
            m.tag = in.ib_tag[0];
            m.holds = true;
            out.issue_valid = 1;
        }
        rf_stage_env_observe(env, &in, &out, 0);
    }
    if (rf_stage_env_property(env) != NULL) fail_msg("%s", rf_stage_env_property(env));
    assert_int_equal(n, count);
    rf_stage_env_free(env);
    free(s.bytes.bytes);
}

/* After a uop a port is closed for the interval of its class, whatever comes next; another port is not. */
static void intervals_close_the_port_that_took(void **state) {
    static const rf_opclass class[TAKEN_MAX] = {RF_OP_ALU,  RF_OP_ALU, RF_OP_SFU,    RF_OP_SFU,  RF_OP_MEM, RF_OP_ALU,
                                                RF_OP_CTRL, RF_OP_MEM, RF_OP_TENSOR, RF_OP_CTRL, RF_OP_SFU, RF_OP_TENSOR,
                                                RF_OP_SFU,  RF_OP_MEM, RF_OP_ALU,    RF_OP_MEM,  RF_OP_MEM, RF_OP_ALU,
                                                RF_OP_SFU,  RF_OP_ALU, RF_OP_ALU,    RF_OP_CTRL, RF_OP_ALU, RF_OP_TENSOR};
    static const uint32_t port_of_three[] = {0, 1, 2, 2, 2}; /* by class */
    const rf_machine machines[] = {
        rf_machine_default(),
        {.latency = {5, 33, 57, 1, 3}, .interval = {2, 8, 3, 5, 1}, .sub_cores = 1},
        {.latency = {1, 1, 1, 1, 1}, .interval = {1000, 17, 3, 29, 40}, .sub_cores = 1},
    };
    rf_inst inst[TAKEN_MAX] = {{0}};
    uint32_t taken[TAKEN_MAX];
    (void)state;
    for (uint32_t i = 0; i < TAKEN_MAX; i++) inst[i].opclass = class[i];
    for (size_t k = 0; k < sizeof machines / sizeof *machines; k++)
        for (uint32_t exports = 1; exports <= 3; exports += 2) {
            uint32_t opens[3] = {0}, offered = 1;
            take_them(inst, TAKEN_MAX, exports, &machines[k], taken);
            for (uint32_t i = 0; i < TAKEN_MAX; i++) {
                const uint32_t port = exports == 3 ? port_of_three[class[i]] : 0;
                const uint32_t expected = offered > opens[port] ? offered : opens[port];
                assert_int_equal(taken[i], expected);
                opens[port] = expected + machines[k].interval[class[i]];
                offered = expected + 2;
            }
        }
}

/* --- memory side ------------------------------------------------------------------------------------------------------------ */

/* No caches: every access goes to DRAM. */
static const rf_memory_cfg bare = {.lsu_interval = 5,
                                   .shared_latency = 31,
                                   .shared_banks = 4,
                                   .shared_interval = 3,
                                   .constant_latency = 7,
                                   .texture_interval = 1,
                                   .l1_latency = 11,
                                   .l2_latency = 20,
                                   .dram_latency = 50,
                                   .link_bytes = 64000,
                                   .dram_bytes = 32000};

static rf_machine with_memory(const rf_memory_cfg *memory) {
    return (rf_machine){
        .latency = {5, 33, 57, 16, 3}, .interval = {1, 1, 1, 1, 1}, .sub_cores = 1, .has_memory = true, .memory = *memory};
}

/* 32 lanes of 4 bytes in a row. DRAM has 128 bytes 50 + 4 cycles after it is asked, L2's door 20 later, the link needs 2 more.
 * Shared memory of 4 banks takes 8 passes. */
static void an_access_takes_what_the_memory_side_says(void **state) {
    static const struct {
        rf_inst inst;
        uint32_t latency;
    } row[] = {
        {{.mnemonic = "LDG.E", .load = true}, 50 + 4 + 20 + 2},
        {{.mnemonic = "ld.global.u32", .load = true}, 50 + 4 + 20 + 2},
        {{.mnemonic = "ATOMG.E.ADD", .load = true, .store = true}, 2 + 50 + 4 + 20 + 2},
        {{.mnemonic = "LDS", .load = true}, 7 * 3 + 31},
        {{.mnemonic = "ld.param.u64", .load = true}, 7},
        {{.mnemonic = "QSPC"}, 57}, /* no access */
    };
    const rf_machine machine = with_memory(&bare);
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (uint32_t exports = 1; exports <= 3; exports++) {
            rf_inst inst = row[i].inst;
            uint32_t port[2] = {99, 99}, latency[2] = {0};
            inst.opclass = RF_OP_MEM;
            inst.ndst = 1;
            inst.dst[0] = 3;
            time_it(&inst, exports, 1, &machine, port, latency);
            for (uint32_t w = 0; w < 2; w++) assert_int_equal(latency[w], row[i].latency);
        }
    rf_inst other = {.opclass = RF_OP_TENSOR, .ndst = 1, .dst = {3}};
    uint32_t port[2] = {99, 99}, latency[2] = {0};
    time_it(&other, 3, 1, &machine, port, latency);
    assert_int_equal(latency[0], 16);
}

/* The load/store unit is busy for 5 cycles with a line of global memory, for 8 x 3 with the passes of shared memory, not at all
 * with constants; so long the port of memory instructions takes nothing. */
static void a_busy_load_store_unit_closes_its_port(void **state) {
    static const struct {
        rf_inst inst;
        uint32_t busy;
    } row[] = {
        {{.opclass = RF_OP_MEM, .mnemonic = "LDS", .load = true}, 24},
        {{.opclass = RF_OP_CTRL}, 0},
        {{.opclass = RF_OP_MEM, .mnemonic = "LDG", .load = true}, 5},
        {{.opclass = RF_OP_ALU}, 0},
        {{.opclass = RF_OP_MEM, .mnemonic = "STS", .store = true}, 24},
        {{.opclass = RF_OP_ALU}, 0},
        {{.opclass = RF_OP_SFU}, 0},
        {{.opclass = RF_OP_MEM, .mnemonic = "STG", .store = true}, 5},
        {{.opclass = RF_OP_MEM, .mnemonic = "LDC", .load = true}, 0},
        {{.opclass = RF_OP_MEM, .mnemonic = "LDC", .load = true}, 0},
        {{.opclass = RF_OP_MEM, .mnemonic = "ATOMS", .load = true, .store = true}, 24},
        {{.opclass = RF_OP_TENSOR}, 0},
    };
    static const uint32_t port_of_three[] = {0, 1, 2, 2, 2}; /* by class */
    const uint32_t count = sizeof row / sizeof *row;
    const rf_machine machine = with_memory(&bare);
    rf_inst inst[TAKEN_MAX] = {{0}};
    uint32_t taken[TAKEN_MAX];
    (void)state;
    for (uint32_t i = 0; i < count; i++) inst[i] = row[i].inst;
    for (uint32_t exports = 1; exports <= 3; exports += 2) {
        uint32_t opens[3] = {0}, offered = 1;
        take_them(inst, count, exports, &machine, taken);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t port = exports == 3 ? port_of_three[row[i].inst.opclass] : 0;
            const uint32_t expected = offered > opens[port] ? offered : opens[port];
            assert_int_equal(taken[i], expected);
            opens[port] = expected + (row[i].busy > 1 ? row[i].busy : 1);
            offered = expected + 2;
        }
    }
}

/* --- counters --------------------------------------------------------------------------------------------------------------- */

typedef struct expected {
    const char *name;
    double value;
} expected;

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Of one warp's program, every counter there is, and no other. */
static void expect(const char *unit, const char *set, const rf_inst *program, size_t length, const expected *all, size_t count) {
    stream s;
    counts c;
    make_stream(&s, program, length, 1);
    run(unit, set, &s, 1, 0, &c);
    free(s.bytes.bytes);
    assert_int_equal(c.count, count);
    for (size_t i = 0; i < count; i++) {
        const double is = get(&c, all[i].name);
        if (fabs(is - all[i].value) > 1e-12) fail_msg("%s is %.12g, not %.12g", all[i].name, is, all[i].value);
    }
}

/* Register r is in bank r mod 4. As drawn on the page: issue in cycle t, a source is asked for in t + 1, stored a cycle after its
 * grant, offered to its port in the cycle after (without sources in t + 1); the result comes a latency later (ALU 8, others 20)
 * and is written a cycle later; who waits for it issues a cycle later. With two collectors:
 *
 *      issue  asks              offered  result  asks to write          collector in use
 *   a  0      1: R0             3        23      24, 25: bank 0         1 .. 3
 *   b  1                        2        10      11: bank 1             2
 *   c  3      (2: none free)    4        24      25, 26: bank 0         4
 *   d  12     13: R1, of b      15       23      24: bank 0             13 .. 15
 *   e  25     26, 27: R8, of d  29       37      38: bank 3             26 .. 29
 *   f  39     40, 41, 42        44       over in 64                     40 .. 44
 *
 * In 24 d (port 0) and a (port 1) meet in bank 0, in 25 a and c (port 2), in turn: 2 writes wait. In 26 e's read meets c's write.
 * f has three sources in bank 3: 2 wait in 40, 1 in 41. Heads wait for a hazard in 4 .. 11, 13 .. 24, 26 .. 38: 33 cycles. No
 * head is left from 40 on; the warp is there until f is over, the 25 cycles to 64; it has ended in 65, the last cycle. */
static void every_counter_of_a_program_of_rf_banked(void **state) {
    static const rf_inst program[] = {
        {.opclass = RF_OP_SFU, .nsrc = 1, .src = {0}, .ndst = 1, .dst = {4}},
        {.opclass = RF_OP_ALU, .ndst = 1, .dst = {1}},
        {.opclass = RF_OP_MEM, .ndst = 1, .dst = {12}},
        {.opclass = RF_OP_ALU, .nsrc = 1, .src = {1}, .ndst = 1, .dst = {8}},
        {.opclass = RF_OP_ALU, .nsrc = 2, .src = {8, 8}, .ndst = 1, .dst = {3}},
        {.opclass = RF_OP_MEM, .nsrc = 3, .src = {3, 7, 11}},
    };
    /* pJ of [hierarchy Table V]: 8 a read of a bank, 11 a write, 0.7 an operand out of a collector, 2 into it, 7.6 over the
     * crossbar */
    static const expected all[] = {
        {"cycles", 66},
        {"warps", 1},
        {"warp_instructions", 6},
        {"uops", 6},
        {"ipc", 6.0 / 66},
        {"write_queue_full", 0},
        {"reads", 1 + 1 + 1 + 3}, /* e's register is read once */
        {"writes", 5},
        {"energy_uj", (6 * 8 + 5 * 11 + 7 * 0.7 + 6 * 2 + 11 * 7.6) * 1e-6}, /* and handed on twice */
        {"energy_bank_collector_mm", 1},
        {"energy_result_bank_mm", 1},
        {"unpriced_arbiter_requests", (1 + 1 + 2 + 6) + (2 + 1 + 2 + 1 + 1)},
        {"read_read_conflicts", 3},
        {"read_write_conflicts", 1},
        {"write_write_conflicts", 2},
        {"bank_busy_share", 11.0 / 66 / 4},
        {"collectors_busy_mean", (3 + 1 + 1 + 3 + 4 + 5) / 66.0},
        {"stall_hazard", 33},
        {"stall_no_collector", 1},
        {"stall_nothing_ready", 25},
        {"stall_drained", 1},
        {"slot_issued", 6},
        {"slot_collector", 1},
        {"slot_hazard_memory", 0}, /* nobody waits for R12 */
        {"slot_hazard_other", 33},
        {"slot_empty", 0},
        {"slot_barrier", 0},
        {"slot_drain", 25},
        {"slot_no_warp", 1},
        {"dispatch_port", 0},
        {"dispatch_lost", 0},
    };
    (void)state;
    expect("rf_banked", "WARPS=1 COLLECTORS=2 BANKS=4 REGS=16 LANES=4", program, COUNT(program), all, COUNT(all));
}

/* One CCU of four entries, one warp; an asterisk is the hint near. What hits is offered in the cycle after the issue.
 *
 *      issue  sources             asks            offered  written
 *   a  0      R0*, R4: miss       1: R0, 2: R4    4        13: R1*, into the CCU too
 *   b  14     R1, R0*: hit                        15       24: R2
 *   c  25     R2 twice: misses    26              28       (over in 48)
 *   d  29     R0: hits                            30       39: R5
 *
 * In 1 R4 waits for R0, both in bank 0. Hazards in 1 .. 13 and 15 .. 24; in 26 .. 28 d waits for its CCU alone; no head from 30
 * on, no warp in 49, the last cycle. An infinite cache has R1 (near), R0 and R0 again, not R2, whose result is far. The window of
 * three has R1 and R0 for b, R2 for c, R0 (of b) for d. */
static void every_counter_of_a_program_of_rf_malekeh(void **state) {
    static const rf_inst program[] = {
        {.opclass = RF_OP_ALU,
         .nsrc = 2,
         .src = {0, 4},
         .ndst = 1,
         .dst = {1},
         .hint = {.flags = RF_HINT_PRESENT, .src_near = 1, .dst_near = 1}},
        {.opclass = RF_OP_ALU,
         .nsrc = 2,
         .src = {1, 0},
         .ndst = 1,
         .dst = {2},
         .hint = {.flags = RF_HINT_PRESENT, .src_near = 2}},
        {.opclass = RF_OP_MEM, .nsrc = 2, .src = {2, 2}, .hint = {.flags = RF_HINT_PRESENT}},
        {.opclass = RF_OP_ALU, .nsrc = 1, .src = {0}, .ndst = 1, .dst = {5}, .hint = {.flags = RF_HINT_PRESENT}},
    };
    static const expected all[] = {
        {"cycles", 50},
        {"warps", 1},
        {"warp_instructions", 4},
        {"uops", 4},
        {"ipc", 4.0 / 50},
        {"write_queue_full", 0},
        {"operands", 2 + 2 + 1 + 1},
        {"hits", 0 + 2 + 0 + 1},
        {"hit_share", 3.0 / 6},
        {"ideal_share", 3.0 / 6},
        {"bow_share", 4.0 / 6},
        {"reads", 3},
        {"writes", 3},
        {"near_writes", 1},
        {"ccu_writes", 1},
        {"energy_uj", (3 * 8 + 3 * 11 + 7 * 0.7 + (3 + 1) * 2 + (3 + 3 + 1) * 7.6) * 1e-6},
        {"unpriced_arbiter_requests", (2 + 1 + 1) + 3},
        {"energy_tags_uj", 6 * 0.75e-6},
        {"energy_bank_collector_mm", 1},
        {"energy_result_bank_mm", 1},
        {"energy_result_ccu_mm", 1},
        {"flushes", 0},
        {"flushes_near", 0},
        {"sthld_mean", 0},
        {"read_read_conflicts", 1},
        {"read_write_conflicts", 0},
        {"write_write_conflicts", 0},
        {"bank_busy_share", 6.0 / 50 / 4},
        {"collectors_busy_mean", (4 + 1 + 3 + 1) / 50.0},
        {"stall_sthld", 0},
        {"stall_own_ccu_busy", 3},
        {"stall_hazard", 13 + 10},
        {"stall_no_collector", 0},
        {"stall_nothing_ready", 19},
        {"stall_drained", 1},
        {"slot_issued", 4},
        {"slot_collector", 0},
        {"slot_sthld", 0},
        {"slot_own_ccu", 3},
        {"slot_hazard_memory", 0},
        {"slot_hazard_other", 13 + 10},
        {"slot_empty", 0},
        {"slot_barrier", 0},
        {"slot_drain", 19},
        {"slot_no_warp", 1},
        {"dispatch_port", 0},
        {"dispatch_lost", 0},
    };
    (void)state;
    expect("rf_malekeh", "WARPS=1 COLLECTORS=1 BANKS=4 REGS=16 LANES=4 ISSUES=1 EXPORTS=3 ENTRIES=4 ADAPT=0", program,
           COUNT(program), all, COUNT(all));
}

/* A result that is stolen in cycle t is back at once when it is recalled in t + 1: four results, recalled 1 to 4 cycles later,
 * the last of them by force. */
static void stolen_results_by_the_cycles_that_they_are_away(void **state) {
    static const rf_steal_cfg cfg = {
        .warps = 2, .collectors = 1, .banks = 4, .regs = 8, .lanes = 1, .slots = 1, .exports = 1, .issues = 1};
    static const rf_steal_in in;
    static rf_steal_out out;
    rf_steal_count n = {0};
    counts c = {0};
    (void)state;
    for (uint32_t away = 1; away <= 4; away++)
        for (uint32_t cycle = 0; cycle <= away; cycle++) {
            memset(&out, 0, sizeof out);
            if (cycle == 0) out.wires.arbiter.link = 1u << 2;
            if (cycle == away) out.wires.arbiter.recall = 1u << 2;
            if (cycle == 4) out.wires.arbiter_in.force = 1u << 2;
            rf_steal_count_cycle(&n, &cfg, &in, &out, &(rf_stage_waits){.live = 1});
        }
    rf_steal_count_report(&n, &cfg, &(rf_energy_wires)RF_ENERGY_WIRES_INIT, add_counter, &c);
    assert_true(get(&c, "back_in_1") == 1);
    assert_true(get(&c, "back_in_3") == 3);
    assert_true(get(&c, "back_idle") == 3);
    assert_true(get(&c, "back_forced") == 1);
}

#define AT_MOST(a, b) assert_true(get(&c, a) <= get(&c, b))

static void sums_hold_over_random_input(void **state) {
    static const struct {
        const char *unit, *set;
        uint32_t issues, banks; /* of the set */
    } system[] = {
        {"rf_banked", "WARPS=8 COLLECTORS=3 BANKS=4 REGS=8 LANES=2", 1, 4},
        {"rf_banked", "WARPS=12 COLLECTORS=4 BANKS=4 REGS=8 LANES=2 ISSUES=2 EXPORTS=4", 2, 4},
        {"rf_malekeh", "WARPS=8 COLLECTORS=3 BANKS=4 REGS=8 LANES=2 INTERVAL=100", 2, 4},
        {"rf_malekeh", "WARPS=8 COLLECTORS=2 BANKS=4 REGS=8 LANES=2 ISSUES=1 ADAPT=0 STHLD=5", 1, 4},
        {"rf_steal", "WARPS=12 COLLECTORS=4 BANKS=4 REGS=8 LANES=2", 2, 4},
    };
    (void)state;
    /* Three runs of each whose inputs are legal to the end: what comes later is not counted. */
    size_t n = 0;
    for (uint64_t seed = 1, whole = 0; n < sizeof system / sizeof *system; seed++) {
        counts c;
        run(system[n].unit, system[n].set, NULL, seed, 6000, &c);
        assert_true(seed <= 100);
        if (get(&c, "cycles") < 6000) continue;
        const uint32_t issues = system[n].issues, banks = system[n].banks;
        const bool malekeh = strcmp(system[n].unit, "rf_malekeh") == 0, steal = strcmp(system[n].unit, "rf_steal") == 0;
        if (++whole % 3 == 0) n++;
        double slots = get(&c, "uops") + get(&c, "stall_hazard") + get(&c, "stall_no_collector") +
                       get(&c, "stall_nothing_ready") + get(&c, "stall_drained");
        if (malekeh) slots += get(&c, "stall_sthld") + get(&c, "stall_own_ccu_busy");
        assert_true(get(&c, "cycles") == 6000);
        assert_true(slots == 6000.0 * issues);
        AT_MOST("warp_instructions", "uops");
        assert_true(fabs(get(&c, "ipc") * 6000 - get(&c, "warp_instructions")) < 1e-6);
        const double busy = get(&c, "bank_busy_share") * 6000 * banks;
        if (steal) {
            AT_MOST("back_in_1", "back_in_3");
            assert_true(get(&c, "back_in_3") <= get(&c, "back_idle") + get(&c, "back_forced"));
            assert_true(get(&c, "back_idle") + get(&c, "back_forced") <= get(&c, "writes_stolen"));
            AT_MOST("names_lost", "names");
            assert_true(fabs(busy - get(&c, "bank_reads") - get(&c, "bank_writes")) < 1e-6);
            assert_true(get(&c, "back_in_3") > 0);
            continue;
        }
        /* A bank has one port: what is asked for is done or waits. */
        assert_true(fabs(busy - get(&c, "reads") - get(&c, "writes")) < 1e-6);
        assert_true(get(&c, "unpriced_arbiter_requests") == get(&c, "reads") + get(&c, "writes") +
                                                                get(&c, "read_read_conflicts") + get(&c, "read_write_conflicts") +
                                                                get(&c, "write_write_conflicts"));
        if (!malekeh) continue;
        AT_MOST("hits", "operands");
        AT_MOST("hit_share", "ideal_share");
        AT_MOST("near_writes", "writes");
        AT_MOST("ccu_writes", "near_writes");
        AT_MOST("flushes_near", "flushes");
        assert_true(get(&c, "reads") <= get(&c, "operands") - get(&c, "hits"));
        assert_true(get(&c, "hits") > 0 && get(&c, "hits") == round(get(&c, "hit_share") * get(&c, "operands")));
    }
}

/* Of every instruction of rf_wir one kind, of what may be looked up one fate; the rename tables are read for each source and
 * once for the destination's place (docs/units/rf_wir.md, Counters). */
static void instructions_of_rf_wir_have_one_kind_and_one_fate(void **state) {
    static const rf_inst program[] = {
        {.opclass = RF_OP_ALU, .ndst = 1, .dst = {1}},
        {.opclass = RF_OP_ALU, .nsrc = 1, .src = {1}, .ndst = 1, .dst = {2}},
        {.opclass = RF_OP_ALU, .nsrc = 2, .src = {1, 2}, .ndst = 1, .dst = {3}},
        {.opclass = RF_OP_SFU, .nsrc = 1, .src = {3}, .ndst = 1, .dst = {2}},
        {.opclass = RF_OP_ALU, .nsrc = 1, .src = {1}, .ndst = 1, .dst = {4}},
        {.opclass = RF_OP_CTRL},
    };
    static const char *const fates[] = {"source_not_mapped", "source_pinned", "loads_off", "load_guarded", "looked_up"};
    const double warps = 6, sources = 5;
    stream s;
    counts c;
    (void)state;
    make_stream(&s, program, COUNT(program), (uint32_t)warps);
    run("rf_wir", "WARPS=8 REGS=16", &s, 1, 0, &c);
    free(s.bytes.bytes);
    double kinds = 0, fated = 0;
    for (uint32_t i = 0; i < c.count; i++) kinds += strncmp(c.name[i], "kind_", 5) == 0 ? c.value[i] : 0;
    for (size_t i = 0; i < COUNT(fates); i++) fated += get(&c, fates[i]);
    assert_true(get(&c, "warp_instructions") == warps * COUNT(program));
    assert_true(kinds == get(&c, "warp_instructions"));
    assert_true(get(&c, "kind_may_look_up") == warps * 4); /* but for what has no source, or no result */
    assert_true(fated == get(&c, "kind_may_look_up"));
    assert_true(get(&c, "looked_up") > 0);
    assert_true(get(&c, "rename_reads") == warps * (sources + COUNT(program)));
}

/* What reuse does not do for want of something is counted where it would have done it: a load that is never looked up is not kept
 * by the guard, without a queue none is full, and an entry is dropped once (docs/units/rf_wir.md, Counters). */
static void what_keeps_rf_wir_from_reuse_is_counted_where_it_does(void **state) {
#define SMALL_WIR "WARPS=8 REGS=8 LANES=2 PREGS=72 ENTRIES=32 VENTRIES=16 BLOCKS=2"
    counts all, no_loads, no_retry;
    (void)state;
    /* With this seed the inputs are legal to the end. */
    run("rf_wir", SMALL_WIR " CAPPED=1", NULL, 2, 60000, &all);
    run("rf_wir", SMALL_WIR " LOADS=0", NULL, 2, 60000, &no_loads);
    run("rf_wir", SMALL_WIR " RETRY=0", NULL, 2, 60000, &no_retry);
    assert_true(get(&all, "cycles") == 60000);
    assert_true(get(&all, "guarded") > 0 && get(&all, "queue_full") > 0 && get(&all, "random_drops_reuse") > 0);
    assert_true(get(&all, "random_drops_reuse") <= get(&all, "leaders"));
    assert_true(get(&all, "in_place") + get(&all, "dummy_moves") == get(&all, "results") - get(&all, "hashed"));
    assert_true(get(&no_loads, "guarded") == 0);
    assert_true(get(&no_loads, "barrier_count_full") == 0);
    assert_true(get(&no_retry, "queue_full") == 0);
    assert_true(get(&no_retry, "barrier_count_full") > 0);
    assert_true(get(&no_retry, "barrier_count_full") <= get(&no_retry, "load_guarded"));
    assert_true(get(&no_retry, "load_guarded") <= get(&no_retry, "guarded"));
}

/* A machine with a memory side, from its file's lines. */
static ls_machine file_of(const char *more) {
    static const char *const file = "/tmp/test_rf_stage_count.machine";
    char error[1024] = "";
    ls_machine m;
    ls_text text = {0};
    ls_text_add(&text,
                "lsu.interval = 1\nshared.latency = 20\nshared.banks = 32\nshared.interval = 1\ntexture.latency = 0\n"
                "texture.interval = 1\nl1.line = 128\nl1.sector = 32\nl1.ways = 4\nl1.size = 16384\nl1.latency = 20\n"
                "l1.mshrs = 32\nl1.write = 0\nlink.bytes = 64000\nl2.line = 128\nl2.sector = 32\nl2.ways = 4\nl2.size = 0\n"
                "l2.latency = 100\ndram.latency = 100\ndram.bytes = 32000\n%s",
                more);
    assert_int_equal(ls_text_write(&text, file), 0);
    free(ls_text_take(&text));
    if (ls_machine_read(&m, file, error, sizeof error) != 0) fail_msg("%s", error);
    assert_int_equal(unlink(file), 0);
    return m;
}

static const char *const systems[][2] = {{"rf_banked", "WARPS=4 REGS=16 SLOTS=2"},
                                         {"rf_steal", "WARPS=4 REGS=16 SLOTS=2"},
                                         {"rf_malekeh", "WARPS=4 REGS=16 SLOTS=2"},
                                         {"rf_wir", "WARPS=4 REGS=16 SLOTS=2 REUSE=0"}};

/* Of a cracked instruction the uops share one access: it is counted once, and what it takes longer the whole takes longer once.
 */
static void a_cracked_instruction_makes_one_access(void **state) {
    static const rf_inst program[] = {
        {.opclass = RF_OP_ALU, .ndst = 1, .dst = {1}},
        {.opclass = RF_OP_MEM, .mnemonic = "LDC", .load = true, .nsrc = 5, .src = {1, 2, 3, 4, 5}, .ndst = 3, .dst = {6, 7, 8}},
        {.opclass = RF_OP_ALU, .nsrc = 3, .src = {6, 7, 8}, .ndst = 1, .dst = {1}},
        {.opclass = RF_OP_MEM, .mnemonic = "STG", .store = true, .nsrc = 5, .src = {1, 2, 3, 4, 5}},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(systems); i++)
        for (uint32_t warps = 1; warps <= 6; warps += 5) {
            static const char *const constants[] = {"constant.latency = 50\n", "constant.latency = 250\n"};
            counts c[2];
            for (int n = 0; n < 2; n++) {
                ls_machine m = file_of(constants[n]);
                stream s;
                make_stream(&s, program, COUNT(program), warps);
                run_in(&m.surroundings, systems[i][0], systems[i][1], &s, 1, 0, &c[n]);
                free(s.bytes.bytes);
                ls_machine_free(&m);
                assert_true(get(&c[n], "mem_accesses") == 2 * warps);
                assert_true(get(&c[n], "mem_loads") == warps && get(&c[n], "mem_stores") == warps);
            }
            if (warps == 1) assert_true(get(&c[1], "cycles") - get(&c[0], "cycles") == 200);
        }
}

/* All of them: warps of a kernel find in L1 what the first has fetched, those of the next kernel do not. */
static void a_kernel_finds_empty_caches(void **state) {
    static const rf_inst program[] = {{.opclass = RF_OP_MEM, .mnemonic = "LDG", .load = true, .ndst = 1, .dst = {1}}};
    (void)state;
    for (size_t i = 0; i < COUNT(systems); i++) {
        ls_machine m = file_of("constant.latency = 50\n");
        stream s;
        counts c;
        make_kernels(&s, program, COUNT(program), 6, 3);
        run_in(&m.surroundings, systems[i][0], systems[i][1], &s, 1, 0, &c);
        free(s.bytes.bytes);
        ls_machine_free(&m);
        assert_true(get(&c, "l1_loads") == 18);
        assert_true(get(&c, "l1_misses") == 3);
        assert_true(get(&c, "l1_hits") + get(&c, "l1_merges") == 15);
        assert_true(get(&c, "dram_read_bytes") == 3 * 128);
    }
}

/* Random instructions have no addresses, and are mostly neither loads nor stores; every property holds. */
static void random_input_goes_through_a_memory_side(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT(systems); i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            ls_machine m = file_of("constant.latency = 50\nsfu.interval = 9\n");
            counts c;
            run_in(&m.surroundings, systems[i][0], systems[i][1], NULL, seed, 6000, &c);
            ls_machine_free(&m);
            assert_true(get(&c, "l1_loads") == 0);
            assert_true(get(&c, "mem_requests") <= get(&c, "mem_accesses")); /* none of a mask of 0 */
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latencies_and_ports_are_those_of_the_page),
        cmocka_unit_test(intervals_close_the_port_that_took),
        cmocka_unit_test(an_access_takes_what_the_memory_side_says),
        cmocka_unit_test(a_busy_load_store_unit_closes_its_port),
        cmocka_unit_test(a_cracked_instruction_makes_one_access),
        cmocka_unit_test(a_kernel_finds_empty_caches),
        cmocka_unit_test(random_input_goes_through_a_memory_side),
        cmocka_unit_test(every_counter_of_a_program_of_rf_banked),
        cmocka_unit_test(every_counter_of_a_program_of_rf_malekeh),
        cmocka_unit_test(stolen_results_by_the_cycles_that_they_are_away),
        cmocka_unit_test(sums_hold_over_random_input),
        cmocka_unit_test(instructions_of_rf_wir_have_one_kind_and_one_fate),
        cmocka_unit_test(what_keeps_rf_wir_from_reuse_is_counted_where_it_does),
    };
    return cmocka_run_group_tests_name("counters of the operand stages", tests, NULL, NULL);
}
