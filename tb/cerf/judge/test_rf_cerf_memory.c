/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_cerf_memory: its slow model (slow_memory.h) in step with the model, every output and every register in every cycle,
 * in worlds that behave like a system and worlds that do anything; what was written last is what is read; each rule broken in
 * turn; the rules one by one, with answers worked out by hand. */
#include "tb/cerf/judge/judge_memory.h"
#include "tb/cerf/judge/judge_sets.h"
#include "tb/cerf/judge/memory_world.h"

/* clang-format off */
#define SEEN(X) \
    X(RESULT_FIRST, "a result goes before an operand") \
    X(RESULT_BEFORE_ACCESS, "... before the load/store unit") \
    X(RESULT_TURN, "a result goes before that of a lower queue") \
    X(OPERAND_TURN, "a collector goes before a lower one") \
    X(OPERAND_AGAIN, "a collector is granted twice running, another one asking before") \
    X(ACCESS_TURN, "the load/store unit goes before a collector") \
    X(ACCESS_WAITS_TURN, "a collector goes before the load/store unit") \
    X(LOWER_SLOT, "the lower of two slots goes first") \
    X(SEVERAL_BANKS, "a collector is granted by several banks") \
    X(ALL_BANKS, "all of several banks accept in one cycle") \
    X(BUSY_BANK, "a bank that is not ready is asked, and no turn moves") \
    X(FILLED_BANK, "a bank is not ready as a fill is offered") \
    X(READER_REFUSED, "an operand is refused") \
    X(WRITER_REFUSED, "a result is refused") \
    X(ACCESS_REFUSED, "an access is refused") \
    X(REFUSED_TURN, "who is refused has had its turn, others asking") \
    X(OVERTAKEN, "another one is accepted by the bank that somebody waits for") \
    X(SLOT_BEHIND_WAITS, "a slot asks while a lower one of its collector waits for the same bank") \
    X(WOKEN_BY_FILL, "a fill wakes who waits") \
    X(WOKEN_BY_MESSAGE, "a message that leaves wakes who waits") \
    X(WOKEN_SEVERAL, "several are woken at once") \
    X(NOT_WOKEN, "a wake of another bank does not") \
    X(REFUSED_IN_WAKE, "who is refused in the cycle of a wake does not wait") \
    X(WOKEN_AGAIN, "who was woken is refused again") \
    X(ASKS_AGAIN, "an atomic is neither accepted nor refused: it does not wait") \
    X(STOPPED_WAITING, "who waits stops asking, and waits on") \
    X(CHANGED_WAITING, "who waits changes its bank: that one wakes it") \
    X(READ_ACCESS, "the load/store unit reads a register") \
    X(WRITE_ACCESS, "the load/store unit writes a register") \
    X(FLUSH_ACCESS, "a flush") \
    X(SEVERAL_ANSWERS, "several banks answer in one cycle") \
    X(BOTH_ANSWERS, "an operand and a load in one cycle") \
    X(SAME_READER, "two banks answer one reader in one cycle") \
    X(LAST_READ, "an operand is the register's last") \
    X(TURN_TO_SEND, "a bank sends before a lower one") \
    X(SENDERS, "all of several banks have a message") \
    X(L2_NOT_READY, "a message waits for L2") \
    X(NO_BANK, "an answer for a bank that does not exist") \
    X(FILL_REFUSED, "an answer of L2 is not taken") \
    X(FILL_ONE_OF_TWO, "a fill of a bank, while the others are asked") \
    X(NO_REGISTER, "the number of a register that does not exist") \
    X(RESET, "reset while somebody waits")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static memory_world world;

typedef struct run_sum {
    uint64_t seen[EVENTS], checked;
    uint32_t last[RF_CERF_BANKS_MAX]; /* by bank: collector granted last */
    uint32_t bank[ASKERS_MAX];        /* by asker that waits: the bank that refused it */
    bool woken[ASKERS_MAX];           /* once since it was accepted */
} run_sum;

static void count_bank(const rf_cerf_memory_in *in, uint32_t b, run_sum *sum) {
    const slow_turn *t = &turn.bank[b];
    const uint32_t who = turn.granted[b];
    uint64_t *seen = sum->seen;
    bool operands = false, access = false, result = false, lower = false, waiting = false, other = false, lower_result = false;
    uint32_t others = 0, woken = 0, collector = who != NOBODY && who < readers_of(&slow) ? who / slow.cfg.slots : NOBODY;
    for (uint32_t a = 0; a < askers_of(&slow); a++) {
        const uint32_t c = a / slow.cfg.slots;
        if (asked_bank(&slow, in, a) != b) {
            seen[NOT_WOKEN] +=
                t->out.wake && slow.waits[a] && wants(&slow, in, a) && !turn.bank[asked_bank(&slow, in, a)].out.wake;
            continue;
        }
        waiting |= slow.waits[a] && wants(&slow, in, a);
        woken += t->out.wake && slow.waits[a];
        seen[WOKEN_BY_FILL] += slow.waits[a] && t->taken;
        seen[WOKEN_BY_MESSAGE] += slow.waits[a] && t->out.wake && !in->fill_valid;
        seen[SLOT_BEHIND_WAITS] += collector == c && a < who && slow.waits[a] && wants(&slow, in, a);
        if (!asks(&slow, in, a)) continue;
        seen[BUSY_BANK] += !turn.free[b] && !is_filled(in, b);
        seen[FILLED_BANK] += !turn.free[b] && is_filled(in, b);
        others += a != who;
        result |= is_writer(&slow, a);
        lower_result |= is_writer(&slow, a) && who != NOBODY && a < who;
        access |= a == access_of(&slow);
        if (!is_reader(&slow, a)) continue;
        operands = true;
        lower |= collector != NOBODY && c < collector;
        other |= collector != NOBODY && c != collector;
        seen[LOWER_SLOT] += c == collector && a > who;
    }
    seen[WOKEN_SEVERAL] += woken > 1;
    if (who == NOBODY) return;
    const bool writes = is_writer(&slow, who);
    seen[RESULT_FIRST] += writes && operands;
    seen[RESULT_BEFORE_ACCESS] += writes && access;
    seen[RESULT_TURN] += writes && lower_result;
    seen[OPERAND_TURN] += collector != NOBODY && lower;
    seen[OPERAND_AGAIN] += collector != NOBODY && collector == sum->last[b] && !other && slow.cfg.collectors > 1;
    seen[ACCESS_TURN] += who == access_of(&slow) && operands;
    seen[ACCESS_WAITS_TURN] += collector != NOBODY && access && !result;
    seen[READER_REFUSED] += t->out.refuse && collector != NOBODY;
    seen[WRITER_REFUSED] += t->out.refuse && writes;
    seen[ACCESS_REFUSED] += t->out.refuse && who == access_of(&slow);
    seen[REFUSED_TURN] += t->out.refuse && others > 0;
    seen[OVERTAKEN] += t->out.accept && waiting;
    seen[REFUSED_IN_WAKE] += t->out.refuse && t->out.wake;
    seen[WOKEN_AGAIN] += t->out.refuse && sum->woken[who];
    seen[ASKS_AGAIN] += t->asks_again;
    seen[READ_ACCESS] += who == access_of(&slow) && t->out.accept && in->mem_op == RF_CACHE_READ_REG;
    seen[WRITE_ACCESS] += who == access_of(&slow) && t->out.accept && in->mem_op == RF_CACHE_WRITE_REG;
    seen[FLUSH_ACCESS] += who == access_of(&slow) && t->out.accept && in->mem_op == RF_CACHE_FLUSH;
    seen[LAST_READ] += collector != NOBODY && t->out.accept && judge_bit(in->rd_dead, who);
    if (collector != NOBODY) seen[NO_REGISTER] += in->rd_number[who] >= slow.cfg.registers;
    sum->last[b] = collector;
}

/* Who waits, and for which bank. */
static void count_waits(const rf_cerf_memory_in *in, run_sum *sum) {
    for (uint32_t a = 0; a < askers_of(&slow); a++) {
        const uint32_t b = asked_bank(&slow, in, a);
        const rf_cache_bank_out *o = &turn.bank[b].out;
        const bool mine = turn.granted[b] == a;
        sum->seen[STOPPED_WAITING] += slow.waits[a] && !wants(&slow, in, a) && !o->wake;
        sum->seen[CHANGED_WAITING] += slow.waits[a] && b != sum->bank[a] && o->wake;
        if (mine && o->refuse) sum->bank[a] = b;
        if (slow.waits[a] && o->wake) sum->woken[a] = true;
        if (mine && o->accept) sum->woken[a] = false;
    }
}

static void count_cycle(const rf_cerf_memory_in *in, run_sum *sum) {
    uint32_t accepted = 0, offers = 0, answers = 0, asked = 0, granted[RF_COLLECTORS_MAX] = {0};
    uint32_t reader[RF_READERS_MAX] = {0};
    uint64_t *seen = sum->seen;
    for (uint32_t b = 0; b < slow.cfg.banks; b++) {
        const rf_cache_bank_out *o = &turn.bank[b].out;
        const uint32_t a = turn.granted[b];
        count_bank(in, b, sum);
        accepted += o->accept, offers += turn.offers[b], answers += o->rsp_valid;
        asked += a != NOBODY && !is_filled(in, b);
        if (a != NOBODY && is_reader(&slow, a)) seen[SEVERAL_BANKS] += ++granted[a / slow.cfg.slots] > 1;
        if (o->rsp_valid && o->rsp_id < ACCESS_ID) seen[SAME_READER] += ++reader[o->rsp_id] > 1;
        seen[TURN_TO_SEND] += turn.offers[b] && turn.sender != NOBODY && b < turn.sender;
    }
    count_waits(in, sum);
    seen[ALL_BANKS] += slow.cfg.banks > 1 && accepted == slow.cfg.banks;
    seen[SENDERS] += slow.cfg.banks > 1 && offers == slow.cfg.banks;
    seen[SEVERAL_ANSWERS] += answers > 1;
    seen[BOTH_ANSWERS] += turn.out.rd_fill != 0 && turn.out.ld_valid != 0;
    seen[L2_NOT_READY] += offers > 0 && !in->l2_ready;
    seen[NO_BANK] += in->fill_valid && in->fill_bank >= slow.cfg.banks;
    seen[FILL_REFUSED] += in->fill_valid && !turn.out.fill_ready;
    seen[FILL_ONE_OF_TWO] += in->fill_valid && turn.out.fill_ready && asked > 0;
}

static void cycle_of(judge *j, run_sum *sum) {
    draw_in(&world, &slow, j->cycle);
    slow_memory_comb(&slow, &world.in, &turn);
    count_cycle(&world.in, sum);
    world_note(j, &world, &slow, &turn);
    const rf_cerf_memory_in in = world.in;
    step(j, &in);
    world_on(&world, &turn);
}

/* Nobody asks anew: all is accepted and answered, and nothing stays under way. */
static void drain(judge *j, run_sum *sum) {
    world.p_mem = world.p_fill = 256, world.p_read = world.p_write = world.p_access = 0, world.delay = 0;
    for (uint32_t i = 0; i < 400; i++) cycle_of(j, sum);
    for (uint32_t i = 0; i < RF_READERS_MAX; i++) judge_equal(j, "never answered", i, world.read[i].waits, 0);
    for (uint32_t i = 0; i < 64; i++) judge_equal(j, "access never answered", i, world.load[i].waits, 0);
    judge_equal(j, "never accepted", 0, world.in.rd_valid | world.in.wr_valid | world.in.mem_valid, 0);
    for (uint32_t b = 0; b < slow.cfg.banks; b++) judge_equal(j, "never taken", b, slow.bank[b].queued, 0);
}

static bool somebody_waits(void) {
    for (uint32_t a = 0; a < askers_of(&slow); a++)
        if (slow.waits[a]) return true;
    return false;
}

/* A run, which ends with the first difference. */
static void run(judge *j, const rf_cerf_memory_cfg *cfg, uint64_t seed, bool lawful, uint64_t cycles, run_sum *sum) {
    begin(j, seed, cfg);
    world_start(&world, seed, lawful, cfg);
    memset(sum->woken, 0, sizeof sum->woken);
    while (j->cycle < cycles && j->differing == 0) {
        if (j->cycle % 128 == 0) draw_memory_mix(&world);
        cycle_of(j, sum);
        if (j->cycle % 900 != 0) continue;
        sum->seen[RESET] += somebody_waits();
        reset(j);
        world_forget(&world, cfg);
    }
    if (lawful && j->differing == 0) drain(j, sum);
    sum->checked += world.checked;
}

/*   collectors slots writers registers banks sets ways lanes line_w prefix mshrs targets queue reserve policy */
static const struct {
    rf_cerf_memory_cfg cfg;
    uint64_t cycles; /* of each of two runs */
} sets[] = {
    {{3, 2, 2, 16, 2, 4, 2, 2, 8, 5, 2, 2, 2, 1, 0}, 4000},
    {{3, 2, 2, 8, 2, 4, 2, 2, 8, 5, 2, 2, 1, 1, 1}, 4000},
    {{3, 2, 2, 16, 2, 4, 2, 2, 8, 5, 2, 1, 2, 0, 2}, 4000},
    {{1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 2, 1, 1, 1, 0}, 1500},
    {{4, 3, 3, 48, 4, 8, 3, 3, 12, 170, 3, 2, 1, 1, 0}, 2500},
    {{5, 3, 8, 24, 4, 16, 2, 4, 9, 0, 3, 3, 2, 1, 1}, 2000},
    {{15, 4, 3, 100, 8, 16, 3, 1, 25, 16777215, 2, 1, 1, 1, 2}, 1500},
    {{7, 8, 4, 33, 8, 8, 1, 5, 7, 1, 4, 8, 3, 1, 0}, 1500},
    {{2, 1, 1, 2, 1, 1, 8, 32, 10, 77, 16, 4, 16, 0, 1}, 1000},
    {{8, 3, 3, 1024, 4, 64, 4, 32, 25, 32767, 8, 4, 4, 1, 0}, 400},
    {{2, 3, 2, 16384, 8, 2048, 4, 1, 25, 1234, 5, 5, 9, 1, 0}, 60},
};
#define SETS (sizeof sets / sizeof *sets)

static void random_worlds_of_every_size(void **state) {
    static run_sum sum;
    uint64_t cycles = 0;
    (void)state;
    for (size_t i = 0; i < SETS; i++)
        for (uint32_t lawful = 0; lawful <= 1; lawful++) {
            judge j;
            run(&j, &sets[i].cfg, ls_seed_derive(2 * i + lawful, "judge rf_cerf_memory"), lawful, sets[i].cycles, &sum);
            judge_passes(&j);
            cycles += j.cycle;
        }
    assert_true(cycles >= 40000);
    judge_saw_all(event_names, sum.seen, EVENTS);
    assert_true(sum.checked > 20000);
}

/* A slow model that breaks one rule of the memory, or one of a bank, differs from the model in some run. */
static void a_model_that_breaks_a_rule_is_seen(void **state) {
    static run_sum sum;
    uint32_t missed = 0;
    (void)state;
    for (uint32_t f = NO_SLIP + 1; f < MEMORY_SLIP_COUNT; f++) {
        bool differs = false;
        for (size_t n = 0; n < 2 * 9 && !differs; n++) {
            judge j;
            memory_slip = f;
            run(&j, &sets[n / 2].cfg, ls_seed_derive(n, "judge rf_cerf_memory"), n % 2 == 1, sets[n / 2].cycles / 2, &sum);
            memory_slip = NO_SLIP;
            differs = j.differing != 0;
        }
        if (!differs) print_error("nobody sees that %s\n", memory_slip_names[f]);
        missed += !differs;
    }
    assert_int_equal(missed, 0);
}

/* --- by hand -----------------------------------------------------------------------------------------------------------------
 */

static judge trial;
static rf_cerf_memory_in in;

/* Two collectors of two slots, two writers, 16 registers; two banks of two sets of two ways; lines of two words, whose numbers
 * have 8 bits: those of registers are 80 to 95. Two MSHRs of two targets; a queue of one. */
static rf_cerf_memory_cfg of_banks(uint32_t banks, uint32_t policy) {
    return (rf_cerf_memory_cfg){2, 2, 2, 16, banks, 4, 2, 2, 8, 0x75, 2, 2, 1, 0, policy};
}

static void start_with(uint32_t banks, uint32_t policy) {
    const rf_cerf_memory_cfg cfg = of_banks(banks, policy);
    begin(&trial, 0, &cfg);
    memset(&in, 0, sizeof in);
}

/* A cycle; what was accepted is gone, and so are answers of L2. */
static void cycle(void) {
    slow_memory_comb(&slow, &in, &turn);
    step(&trial, &in);
    judge_passes(&trial);
    in.rd_valid &= ~out.rd_accept;
    in.wr_valid &= (uint8_t)~out.wr_accept;
    if (out.mem_accept) in.mem_valid = 0;
    in.fill_valid = 0;
}

static void idle(uint32_t cycles) {
    for (uint32_t i = 0; i < cycles; i++) cycle();
}

static void read_number(uint32_t reader, uint32_t number) {
    in.rd_valid |= UINT64_C(1) << reader, in.rd_number[reader] = (uint16_t)number;
}

static void write_number(uint32_t writer, uint32_t number, uint32_t mask, uint32_t value) {
    in.wr_valid |= (uint8_t)(1u << writer), in.wr_number[writer] = (uint16_t)number;
    in.wr_mask[writer] = mask, in.wr_data[writer] = (rf_vec){{value, value + 1000}};
}

static void access_line(uint32_t op, uint32_t line, uint32_t id) {
    in.mem_valid = 1, in.mem_op = (uint8_t)op, in.mem_line = line, in.mem_id = (uint8_t)id, in.mem_mask = 3;
    in.mem_data = (rf_vec){{line, line + 1000}};
}

static void answer_of_l2(uint32_t bank, uint32_t entry, uint32_t value) {
    in.fill_valid = 1, in.fill_bank = (uint8_t)bank, in.fill_entry = (uint8_t)entry;
    in.fill_data = (rf_vec){{value, value + 1000}};
}

static void nothing_accepted(void) { assert_int_equal(out.rd_accept | out.wr_accept | out.mem_accept, 0); }

/* The page's: a load that misses, and an operand behind it in the same bank. */
static void a_load_that_misses_and_an_operand_behind_it(void **state) {
    (void)state;
    start_with(2, RF_POLICY_FAIR);
    write_number(1, 4, 3, 44); /* line 84: bank 0 */
    cycle();
    assert_int_equal(out.wr_accept, 2);
    idle(3);
    in.l2_ready = 1;
    for (uint32_t t = 0; t <= 7; t++) {
        if (t == 0) access_line(RF_CACHE_LOAD, 22, 33); /* bank 0, too */
        if (t == 1) read_number(3, 4);
        if (t == 4) answer_of_l2(0, 0, 70);
        cycle();
        assert_int_equal(out.mem_accept, t == 0);
        assert_int_equal(out.rd_accept, t == 1 ? 8 : 0);
        assert_int_equal(out.l2_valid, t == 2);
        assert_int_equal(out.l2_line, t == 2 ? 22 : 0);
        assert_int_equal(out.l2_op | out.l2_bank | out.l2_entry | out.l2_mask, 0);
        assert_int_equal(out.rd_fill, t == 3 ? 8 : 0);
        assert_int_equal(out.rd_data[3].lane[1], t == 3 ? 1044 : 0);
        assert_int_equal(out.ld_valid, t == 6);
        assert_int_equal(out.ld_id[0], t == 6 ? 33 : 0);
        assert_int_equal(out.ld_data[0].lane[0], t == 6 ? 70 : 0);
    }
}

/* One bank: results first, in turn; then collector 0, collector 1, the load/store unit, and so on, the lower slot first. */
static void a_bank_serves_results_and_then_each_in_turn(void **state) {
    static const struct {
        uint32_t readers, writers, access;
    } expected_of[] = {{0, 1, 0}, {0, 2, 0}, {1, 0, 0}, {4, 0, 0}, {0, 0, 1}, {2, 0, 0}, {8, 0, 0}, {0, 0, 0}};
    (void)state;
    start_with(1, RF_POLICY_REGISTERS);
    for (uint32_t r = 0; r < 4; r++) read_number(r, r);
    for (uint32_t w = 0; w < 2; w++) write_number(w, 4 + w, 3, 10 * w);
    access_line(RF_CACHE_LOAD, 3, 5);
    for (uint32_t t = 0; t < 8; t++) {
        cycle();
        assert_int_equal(out.rd_accept, expected_of[t].readers);
        assert_int_equal(out.wr_accept, expected_of[t].writers);
        assert_int_equal(out.mem_accept, expected_of[t].access);
        assert_int_equal(out.rd_fill, t >= 2 ? expected_of[t - 2].readers : 0);
    }
    /* The turns go on from there: writer 1 was last, and collector 1; of 0 and the load/store unit the latter comes first. */
    write_number(0, 8, 3, 1), write_number(1, 9, 3, 1);
    read_number(1, 0), access_line(RF_CACHE_READ_REG, 85, 60);
    cycle();
    assert_int_equal(out.wr_accept, 1);
    cycle();
    assert_int_equal(out.wr_accept, 2);
    cycle();
    assert_int_equal(out.mem_accept, 1);
    cycle();
    assert_int_equal(out.rd_accept, 2);
    cycle();
    assert_int_equal(out.ld_valid, 1); /* what writer 1 wrote into number 5 */
    assert_int_equal(out.ld_id[0], 60);
    assert_int_equal(out.ld_data[0].lane[1], 1010);
}

/* Queue of one message, which L2 does not take. Who is refused waits for that bank; others are served meanwhile. */
static void who_is_refused_waits_until_its_bank_wakes_it(void **state) {
    (void)state;
    start_with(2, RF_POLICY_FAIR);
    write_number(0, 6, 3, 66);          /* line 86: bank 0 */
    access_line(RF_CACHE_STORE, 11, 0); /* bank 1 */
    cycle();
    assert_int_equal(out.wr_accept, 1);
    assert_int_equal(out.mem_accept, 1);
    access_line(RF_CACHE_STORE, 20, 0); /* bank 0 */
    cycle();
    assert_int_equal(out.mem_accept, 1);
    access_line(RF_CACHE_STORE, 22, 0); /* bank 0: no room */
    cycle();
    nothing_accepted();
    assert_int_equal(out.wires.refuse, 1);
    assert_int_equal(model.mem_wait_q, 1);
    read_number(0, 6);
    cycle();
    assert_int_equal(out.rd_accept, 1);
    assert_int_equal(out.wires.refuse, 0);
    in.mem_valid = 0; /* to stop asking does not end the wait */
    cycle();
    in.mem_valid = 1;
    cycle();
    assert_int_equal(model.mem_wait_q, 1);
    nothing_accepted();
    in.l2_ready = 1;
    cycle();
    assert_int_equal(out.l2_bank, 0);
    assert_int_equal(out.l2_line, 20);
    assert_int_equal(out.l2_op, RF_MISS_WRITE);
    assert_int_equal(out.l2_data.lane[1], 1020);
    nothing_accepted(); /* it is woken, and asks from the next cycle on */
    in.l2_ready = 0;
    cycle();
    assert_int_equal(out.mem_accept, 1);
}

/* "A request that waits must not change, or it may wait longer than it must": here for a wake of a bank that has nothing to do.
 */
static void who_changes_its_request_waits_for_the_new_bank(void **state) {
    (void)state;
    start_with(2, RF_POLICY_FAIR);
    for (uint32_t i = 0; i < 2; i++) {
        access_line(RF_CACHE_STORE, 20 + 2 * i, 0); /* bank 0, which has room for one */
        cycle();
        assert_int_equal(out.mem_accept, i == 0);
    }
    access_line(RF_CACHE_LOAD, 21, 0); /* bank 1 */
    in.l2_ready = 1;                   /* bank 0 wakes */
    for (uint32_t t = 0; t < 50; t++) {
        cycle();
        nothing_accepted();
        assert_int_equal(model.mem_wait_q, 1);
    }
    write_number(0, 1, 1, 7); /* bank 1: a message, which leaves */
    cycle();
    assert_int_equal(out.wr_accept, 1);
    idle(2);
    assert_int_equal(out.l2_bank, 1);
    assert_int_equal(out.wires.wake, 2);
    cycle();
    assert_int_equal(out.mem_accept, 1);
}

/* The message leaves in the cycle in which the next one is refused. */
static void a_wake_in_the_cycle_of_the_refusal_counts(void **state) {
    (void)state;
    start_with(2, RF_POLICY_FAIR);
    write_number(0, 3, 1, 7); /* line 83, bank 1: some words of a register that is not here go to L2 */
    cycle();
    assert_int_equal(out.wr_accept, 1);
    cycle();
    write_number(0, 5, 1, 8);
    write_number(1, 2, 1, 9); /* bank 0 has room */
    in.l2_ready = 1;
    cycle();
    assert_int_equal(out.l2_line, 0x53);
    assert_int_equal(out.l2_bank, 1);
    assert_int_equal(out.l2_mask, 1);
    assert_int_equal(out.wr_accept, 2);
    assert_int_equal(out.wires.refuse, 2);
    assert_int_equal(out.wires.wake, 2);
    assert_int_equal(model.wr_wait_q, 0);
    cycle();
    assert_int_equal(out.wr_accept, 1);
}

/* Both banks have a message. The turn moves on when L2 takes one. */
static void banks_send_in_turn(void **state) {
    static const uint32_t ready[] = {0, 1, 0, 1}, bank[] = {0, 0, 1, 1}, line[] = {8, 8, 9, 9};
    (void)state;
    start_with(2, RF_POLICY_CACHE);
    for (uint32_t i = 0; i < 2; i++) {
        access_line(RF_CACHE_ATOMIC, 9 - i, 0);
        cycle();
        assert_int_equal(out.mem_accept, 1);
    }
    idle(2);
    for (uint32_t t = 0; t < 4; t++) {
        in.l2_ready = (uint8_t)ready[t];
        cycle();
        assert_int_equal(out.l2_valid, 1);
        assert_int_equal(out.l2_op, RF_MISS_ATOMIC);
        assert_int_equal(out.l2_bank, bank[t]);
        assert_int_equal(out.l2_line, line[t]);
        assert_int_equal(out.wires.sends, 1u << bank[t]);
    }
    cycle();
    assert_int_equal(out.l2_valid, 0);
}

/* Bank 1 is busy with a fill, bank 0 is not; a bank that does not exist takes any answer. */
static void an_answer_of_l2_is_for_one_bank(void **state) {
    (void)state;
    start_with(2, RF_POLICY_FAIR);
    in.l2_ready = 1;
    access_line(RF_CACHE_LOAD, 1, 9);
    idle(4);
    answer_of_l2(1, 0, 10);
    read_number(0, 0), read_number(1, 1);
    cycle();
    assert_int_equal(out.fill_ready, 1);
    assert_int_equal(out.rd_accept, 1); /* bank 1 takes the fill */
    in.fill_bank = 1;
    cycle();
    assert_int_equal(out.fill_ready, 0); /* the first step of two */
    in.fill_bank = 0;
    cycle();
    assert_int_equal(out.fill_ready, 1);
    assert_int_equal(out.ld_valid, 2);
    start_with(1, RF_POLICY_FAIR);
    access_line(RF_CACHE_FLUSH, 0, 0);
    answer_of_l2(1, 0, 10);
    cycle();
    assert_int_equal(out.fill_ready, 1);
    assert_int_equal(out.mem_accept, 1);
    assert_int_equal(out.wires.filled, 0);
}

static void reset_clears_every_register(void **state) {
    static run_sum sum;
    (void)state;
    for (uint32_t i = 0; i < 5; i++) {
        judge j;
        run(&j, &sets[i].cfg, 7, false, 300, &sum);
        reset(&j);
        judge_passes(&j);
    }
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const struct {
        rf_cerf_memory_cfg cfg;
        const char *name, *high;
    } bad[] = {{{15, 5, 1, 8, 1, 2, 2, 2, 8, 5, 2, 2, 2, 1, 0}, "collectors", "64"},
               {{8, 8, 1, 8, 1, 2, 2, 2, 8, 5, 2, 2, 2, 1, 0}, "collectors", "64"},
               {{1, 1, 1, 8, 3, 6, 2, 2, 8, 5, 2, 2, 2, 1, 0}, "banks", "8"},
               {{1, 1, 1, 8, 2, 6, 2, 2, 8, 5, 2, 2, 2, 1, 0}, "sets", "256"},
               {{1, 1, 1, 8, 4, 2, 2, 2, 8, 5, 2, 2, 2, 1, 0}, "sets", "256"},
               {{1, 1, 1, 8, 2, 1024, 2, 2, 25, 5, 2, 2, 2, 1, 0}, "sets", "256"},
               {{1, 1, 1, 8, 2, 512, 5, 2, 25, 5, 2, 2, 2, 1, 0}, "ways", "1024"},
               {{1, 1, 1, 8, 1, 64, 2, 2, 6, 5, 2, 2, 2, 1, 0}, "line_w", "25"},
               {{1, 1, 1, 64, 1, 2, 2, 2, 6, 5, 2, 2, 2, 1, 0}, "line_w", "25"}};
    rf_cerf_memory_cfg good[SETS];
    (void)state;
    for (size_t i = 0; i < SETS; i++) good[i] = sets[i].cfg;
    judge_ranges_but_sets(&rf_cerf_memory_unit, good, SETS, "line_w");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        judge_refused(&rf_cerf_memory_unit, &bad[i].cfg, bad[i].name, bad[i].high);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static rf_cerf_memory_out other;
    static const uint32_t which[] = {0, 5};
    static run_sum sum;
    (void)state;
    for (uint32_t i = 0; i < sizeof which / sizeof *which; i++) {
        judge j;
        run(&j, &sets[which[i]].cfg, 5, false, 400, &sum);
        judge_passes(&j);
        const rf_cerf_memory_in now = world.in;
        memset(&out, 0xa5, sizeof out);
        memset(&other, 0x5a, sizeof other);
        slow_memory_comb(&slow, &now, &turn);
        rf_cerf_memory_comb(&model, &now, &out);
        rf_cerf_memory_comb(&model, &now, &other);
        JUDGE_LANE_FLIPS(&j, rf_cerf_memory, LS_OUT, &model, &out, judge_fields(&j, &outputs, &out, &turn.out));
        judge_fields(&j, &outputs, &out, &other);
        judge_passes(&j);
        JUDGE_LANE_FLIPS(&j, rf_cerf_memory, LS_STATE, &model, &model, compare_models(&j));
        for (uint32_t n = 0; n < 10; n++) { /* the wires of a bit a bank */
            uint8_t *const wire[] = {&out.wires.asked,     &out.wires.accept,   &out.wires.refuse, &out.wires.hit,
                                     &out.wires.wake,      &out.wires.filled,   &out.wires.victim, &out.wires.sends,
                                     &out.wires.tag_write, &out.wires.row_write};
            judge_begin(&j, 0, "tampered");
            *wire[n] ^= 1;
            compare_memory_wires(&j, &slow, &turn, &now, &out.wires);
            *wire[n] ^= 1;
            assert_int_equal(j.differing, 1);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_worlds_of_every_size),
        cmocka_unit_test(a_model_that_breaks_a_rule_is_seen),
        cmocka_unit_test(a_load_that_misses_and_an_operand_behind_it),
        cmocka_unit_test(a_bank_serves_results_and_then_each_in_turn),
        cmocka_unit_test(who_is_refused_waits_until_its_bank_wakes_it),
        cmocka_unit_test(who_changes_its_request_waits_for_the_new_bank),
        cmocka_unit_test(a_wake_in_the_cycle_of_the_refusal_counts),
        cmocka_unit_test(banks_send_in_turn),
        cmocka_unit_test(an_answer_of_l2_is_for_one_bank),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_cerf_memory", tests, NULL, NULL);
}
