/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_cache_bank one by one, with answers worked out by hand from its header; the slow model runs along. */
#include "tb/cerf/judge/judge_cache_bank.h"

/* Two sets of two ways, lines of two words; three MSHRs of three targets, one of them reserved; two messages. Line {tag, set}. */
#define CFG(p)                                                                                                                   \
    { 2, 2, 2, 4, 4, 3, 3, 1, 2, (p) }
static const rf_cache_bank_cfg fair = CFG(RF_POLICY_FAIR), registers_first = CFG(RF_POLICY_REGISTERS),
                               cache_first = CFG(RF_POLICY_CACHE);
#define BOTH 3u /* words */

static judge trial;
static rf_cache_bank_in in;

static void start_with(const rf_cache_bank_cfg *cfg) {
    begin(&trial, 0, cfg);
    memset(&in, 0, sizeof in);
}

/* A cycle, and what was asked is gone; L2 takes messages as long as mem_ready is set. */
static void cycle(void) {
    slow_bank_comb(&slow, &in, &turn);
    step(&trial, &in);
    judge_passes(&trial);
    in.req_valid = in.fill_valid = in.req_dead = 0;
}

static void idle(uint32_t cycles) {
    for (uint32_t i = 0; i < cycles; i++) cycle();
}

/* Word 1 of a value is 1000 above word 0. */
static rf_vec value(uint32_t v) { return (rf_vec){{v, v + 1000}}; }

static void request(uint32_t op, uint32_t set, uint32_t tag, uint32_t id) {
    in.req_valid = 1, in.req_op = (uint8_t)op, in.req_set = (uint16_t)set, in.req_tag = tag, in.req_id = (uint8_t)id;
}

static void ask_write(uint32_t op, uint32_t set, uint32_t tag, uint32_t mask, uint32_t v) {
    request(op, set, tag, 0);
    in.req_mask = mask, in.req_data = value(v);
}

/* The cycle of the request. */
static void accepted(uint32_t hit) {
    cycle();
    assert_int_equal(out.ready, 1);
    assert_int_equal(out.accept, 1);
    assert_int_equal(out.refuse, 0);
    assert_int_equal(out.hit, hit);
}

static void refused(uint32_t hit) {
    cycle();
    assert_int_equal(out.ready, 1);
    assert_int_equal(out.accept, 0);
    assert_int_equal(out.refuse, 1);
    assert_int_equal(out.hit, hit);
    assert_int_equal(out.victim, 0);
}

static void busy(void) {
    cycle();
    assert_int_equal(out.ready | out.fill_ready | out.accept | out.refuse, 0);
}

static void answered(uint32_t id, uint32_t a, uint32_t b) {
    assert_int_equal(out.rsp_valid, 1);
    assert_int_equal(out.rsp_id, id);
    assert_int_equal(out.rsp_data.lane[0], a);
    assert_int_equal(out.rsp_data.lane[1], b);
}

static void silent(void) {
    assert_int_equal(out.rsp_valid | out.rsp_id, 0);
    assert_int_equal(out.rsp_data.lane[0] | out.rsp_data.lane[1], 0);
}

/* The head of the queue, which L2 takes in this cycle. */
static void message(uint32_t op, uint32_t line, uint32_t mask, uint32_t a, uint32_t b) {
    in.mem_ready = 1;
    cycle();
    in.mem_ready = 0;
    assert_int_equal(out.mem_valid, 1);
    assert_int_equal(out.wake, 1);
    assert_int_equal(out.mem_op, op);
    assert_int_equal(out.mem_line, line);
    assert_int_equal(out.mem_mask, mask);
    assert_int_equal(out.mem_data.lane[0], a);
    assert_int_equal(out.mem_data.lane[1], b);
}

static void fetch(uint32_t line, uint32_t entry) {
    message(RF_MISS_FETCH, line, 0, 0, 0);
    assert_int_equal(out.mem_entry, entry);
}

static void no_message(void) {
    cycle();
    assert_int_equal(out.mem_valid | out.mem_op | out.mem_line | out.mem_mask, 0);
}

static void put_reg(uint32_t set, uint32_t tag, uint32_t v) {
    ask_write(RF_CACHE_WRITE_REG, set, tag, BOTH, v);
    accepted(0);
}

/* A fill is taken; `victim`: a state, or INACTIVE when nothing gives way. */
static void fill(uint32_t entry, uint32_t v, uint32_t victim) {
    in.fill_valid = 1, in.fill_entry = (uint8_t)entry, in.fill_data = value(v);
    cycle();
    assert_int_equal(out.fill_ready, 1);
    assert_int_equal(out.ready, 0);
    assert_int_equal(out.wake, 1);
    assert_int_equal(out.victim, victim != RF_LINE_INACTIVE);
    assert_int_equal(out.victim_state, victim);
}

/* LOAD of a line that comes from L2 at once, through MSHR 0. */
static void bring(uint32_t set, uint32_t tag, uint32_t v, uint32_t victim) {
    request(RF_CACHE_LOAD, set, tag, 9);
    accepted(0);
    cycle();
    fetch(tag * 2 + set, 0);
    fill(0, v, victim);
    cycle();
    cycle();
    answered(9, v, v + 1000);
}

/* The answer to a read that hits, two cycles later. */
static void reads(uint32_t op, uint32_t set, uint32_t tag, uint32_t a, uint32_t b) {
    request(op, set, tag, 11);
    accepted(1);
    cycle();
    cycle();
    answered(11, a, b);
}

/* "grant the data access in the next cycle"; "What is read is on rsp_data in the cycle after"; one request a cycle. */
static void a_read_takes_two_cycles(void **state) {
    (void)state;
    start_with(&fair);
    put_reg(0, 3, 7);
    put_reg(0, 4, 8);
    request(RF_CACHE_READ_REG, 0, 3, 5);
    accepted(1); /* while the second is written */
    request(RF_CACHE_READ_REG, 0, 4, 6);
    accepted(1);
    silent();
    ask_write(RF_CACHE_WRITE_REG, 0, 3, 2, 20); /* word 1 of the first */
    accepted(1);
    answered(5, 7, 1007);
    request(RF_CACHE_LOAD, 0, 3, 7);
    accepted(1);
    answered(6, 8, 1008);
    cycle();
    silent();
    cycle();
    answered(7, 7, 1020);
    cycle();
    silent();
    assert_int_equal(out.mem_valid | out.wake, 0);
}

/* "with `dead` the entry dies": what follows does not find it, and a newcomer has its entry without a victim. */
static void a_last_read_frees_the_entry(void **state) {
    (void)state;
    start_with(&fair);
    put_reg(0, 1, 10);
    put_reg(0, 2, 20);
    request(RF_CACHE_READ_REG, 0, 2, 1), in.req_dead = 1; /* the younger */
    accepted(1);
    put_reg(0, 3, 30); /* in the cycle of the read: not before it */
    assert_int_equal(out.victim, 0);
    cycle();
    answered(1, 20, 1020);
    reads(RF_CACHE_READ_REG, 0, 1, 10, 1010);
    reads(RF_CACHE_READ_REG, 0, 3, 30, 1030);
    bring(1, 5, 50, RF_LINE_INACTIVE);
    request(RF_CACHE_READ_REG, 1, 5, 1), in.req_dead = 1; /* cache data does not die */
    accepted(1);
    reads(RF_CACHE_LOAD, 1, 5, 50, 1050);
}

/* REGISTERS: "accepted, answered with 0 (registers are never spilled: it has not been written)". */
static void a_register_that_was_not_written_is_zero(void **state) {
    (void)state;
    start_with(&registers_first);
    put_reg(0, 1, 10);
    reads(RF_CACHE_READ_REG, 0, 1, 10, 1010);
    request(RF_CACHE_READ_REG, 0, 2, 4);
    accepted(0);
    cycle();
    silent();
    cycle();
    answered(4, 0, 0);
    no_message();
    request(RF_CACHE_READ_REG, 0, 1, 4), in.req_dead = 1;
    accepted(1);
    request(RF_CACHE_READ_REG, 0, 1, 5);
    accepted(0);
    cycle();
    answered(4, 10, 1010);
    cycle();
    answered(5, 0, 0);
}

/* Up to three targets; "Its targets are answered one a cycle, in their order"; "the MSHR is free from the next cycle on". */
static void a_fill_answers_its_targets_in_order(void **state) {
    (void)state;
    start_with(&fair);
    for (uint32_t id = 1; id <= 3; id++) {
        request(RF_CACHE_LOAD, 1, 2, id);
        accepted(0);
    }
    request(RF_CACHE_LOAD, 1, 2, 4);
    refused(0);
    fetch(5, 0);
    no_message(); /* one fetch for all */
    request(RF_CACHE_LOAD, 0, 2, 8);
    accepted(0);
    in.req_valid = 1; /* waits for the fill */
    fill(0, 40, RF_LINE_INACTIVE);
    request(RF_CACHE_LOAD, 1, 2, 4);
    busy();
    silent();
    for (uint32_t id = 1; id <= 2; id++) {
        request(RF_CACHE_LOAD, 1, 2, 4);
        busy();
        answered(id, 40, 1040);
    }
    request(RF_CACHE_LOAD, 1, 2, 4);
    accepted(1);
    answered(3, 40, 1040);
    request(RF_CACHE_LOAD, 1, 3, 5);
    accepted(0); /* MSHR 0 again: the lowest free */
    silent();
    cycle();
    answered(4, 40, 1040);
    fetch(4, 1);
    fetch(7, 0);
}

/* "two steps at least": a single target is answered in the second, which is the last. */
static void a_fill_with_one_target_takes_two_steps(void **state) {
    (void)state;
    start_with(&fair);
    request(RF_CACHE_READ_REG, 0, 6, 2);
    accepted(0);
    cycle();
    fetch(12, 0);
    fill(0, 60, RF_LINE_INACTIVE);
    busy();
    request(RF_CACHE_READ_REG, 0, 6, 3);
    accepted(1);
    answered(2, 60, 1060);
    cycle();
    cycle();
    answered(3, 60, 1060);
}

/* "victim, write: the victim's row is read | the row is written; the victim is pushed" */
static void a_newcomer_has_the_oldest_spilled(void **state) {
    (void)state;
    start_with(&fair);
    put_reg(0, 1, 10);
    put_reg(0, 2, 20);
    reads(RF_CACHE_READ_REG, 0, 1, 10, 1010); /* 2 is the oldest now */
    put_reg(0, 3, 30);
    assert_int_equal(out.victim, 1);
    assert_int_equal(out.victim_state, RF_LINE_REG);
    request(RF_CACHE_READ_REG, 0, 3, 1);
    busy();
    request(RF_CACHE_READ_REG, 0, 3, 1);
    accepted(1); /* last step */
    assert_int_equal(out.mem_valid, 0);
    message(RF_MISS_WRITE, 4, BOTH, 20, 1020);
    cycle();
    answered(1, 30, 1030);
    request(RF_CACHE_READ_REG, 0, 2, 2); /* it comes back: a fetch behind the write-back */
    accepted(0);
    cycle();
    fetch(4, 0);
    fill(0, 20, RF_LINE_REG); /* 1 is the oldest */
    cycle();
    assert_int_equal(out.mem_valid, 0);
    cycle();
    answered(2, 20, 1020);
    assert_int_equal(out.mem_valid, 0);
    message(RF_MISS_WRITE, 2, BOTH, 10, 1010);
    request(RF_CACHE_READ_REG, 0, 2, 3), in.req_dead = 1; /* FILL_REG: it is a register, and dies */
    accepted(1);
    put_reg(0, 7, 70);
    assert_int_equal(out.victim, 0);
}

/* A clean line gives way without a message, in one step; a dirty one is written back. */
static void cache_data_gives_way(void **state) {
    (void)state;
    start_with(&fair);
    bring(0, 1, 10, RF_LINE_INACTIVE);
    bring(0, 2, 20, RF_LINE_INACTIVE);
    put_reg(0, 3, 30); /* for 1 */
    assert_int_equal(out.victim_state, RF_LINE_CACHE);
    ask_write(RF_CACHE_STORE, 0, 2, 1, 25);
    accepted(1);
    reads(RF_CACHE_READ_REG, 0, 3, 30, 1030);
    bring(0, 4, 40, RF_LINE_DIRTY);
    message(RF_MISS_WRITE, 4, BOTH, 25, 1020);
    no_message();
    reads(RF_CACHE_LOAD, 0, 4, 40, 1040);
}

/* "if `spill`, with room only": two messages, of which one may be in the data stage. */
static void who_finds_no_room_asks_again(void **state) {
    (void)state;
    start_with(&fair);
    put_reg(0, 1, 10);
    put_reg(0, 2, 20);
    ask_write(RF_CACHE_STORE, 1, 8, 1, 80);
    accepted(0);
    ask_write(RF_CACHE_STORE, 1, 9, 2, 90);
    accepted(0); /* the first is pushed in this cycle */
    ask_write(RF_CACHE_STORE, 1, 7, BOTH, 70);
    refused(0); /* one waits, one is pushed */
    ask_write(RF_CACHE_WRITE_REG, 0, 3, BOTH, 30);
    refused(0);
    ask_write(RF_CACHE_WRITE_REG, 1, 3, 1, 30);
    refused(0);
    request(RF_CACHE_LOAD, 1, 3, 1);
    refused(0);
    request(RF_CACHE_READ_REG, 1, 3, 1);
    refused(0);
    ask_write(RF_CACHE_ATOMIC, 1, 3, BOTH, 1);
    refused(0);
    put_reg(1, 3, 33); /* a vacant entry needs none */
    ask_write(RF_CACHE_STORE, 1, 7, BOTH, 70);
    in.mem_ready = 1;
    refused(0); /* room for it from the next cycle on */
    assert_int_equal(out.wake, 1);
    in.mem_ready = 0;
    ask_write(RF_CACHE_STORE, 1, 7, BOTH, 70);
    accepted(0);
    assert_int_equal(out.wake, 0);
    message(RF_MISS_WRITE, 19, 2, 90, 1090);
    put_reg(0, 3, 30);
    assert_int_equal(out.victim_state, RF_LINE_REG);
    message(RF_MISS_WRITE, 15, BOTH, 70, 1070);
    cycle();
    message(RF_MISS_WRITE, 2, BOTH, 10, 1010);
    no_message();
}

/* D-partial: "Else with room a write of the words in mask to L2"; REGISTERS: "those not in mask become 0". */
static void some_words_of_a_register(void **state) {
    (void)state;
    start_with(&fair);
    ask_write(RF_CACHE_WRITE_REG, 0, 1, 2, 10);
    accepted(0);
    assert_int_equal(out.victim, 0);
    cycle();
    message(RF_MISS_WRITE, 2, 2, 10, 1010);
    request(RF_CACHE_READ_REG, 0, 1, 1);
    accepted(0);
    cycle();
    fetch(2, 0);
    fill(0, 77, RF_LINE_INACTIVE);
    cycle();
    cycle();
    ask_write(RF_CACHE_WRITE_REG, 0, 1, 2, 11);
    accepted(1);
    reads(RF_CACHE_READ_REG, 0, 1, 77, 1011);
    ask_write(RF_CACHE_WRITE_REG, 1, 1, 0, 12); /* none of its words: to L2 all the same */
    accepted(0);
    cycle();
    message(RF_MISS_WRITE, 3, 0, 12, 1012);
    start_with(&registers_first);
    bring(0, 1, 10, RF_LINE_INACTIVE);
    bring(0, 2, 20, RF_LINE_INACTIVE);
    ask_write(RF_CACHE_WRITE_REG, 0, 3, 2, 30);
    accepted(0);
    assert_int_equal(out.victim_state, RF_LINE_CACHE);
    reads(RF_CACHE_READ_REG, 0, 3, 0, 1030);
    no_message();
}

/* D-bypass: "the newcomer goes around the memory". */
static void who_finds_no_victim_goes_around(void **state) {
    (void)state;
    start_with(&cache_first);
    bring(0, 1, 10, RF_LINE_INACTIVE);
    bring(0, 2, 20, RF_LINE_INACTIVE);
    put_reg(0, 3, 30);
    assert_int_equal(out.victim, 0);
    cycle();
    message(RF_MISS_WRITE, 6, BOTH, 30, 1030);
    request(RF_CACHE_READ_REG, 0, 3, 1);
    accepted(0);
    cycle();
    fetch(6, 0);
    fill(0, 30, RF_LINE_INACTIVE);
    busy();
    request(RF_CACHE_READ_REG, 0, 3, 1);
    accepted(0); /* a fetch again */
    answered(1, 30, 1030);
    reads(RF_CACHE_LOAD, 0, 1, 10, 1010);
    reads(RF_CACHE_LOAD, 0, 2, 20, 1020);
    start_with(&registers_first);
    put_reg(0, 1, 10);
    put_reg(0, 2, 20);
    bring(0, 3, 30, RF_LINE_INACTIVE);
    request(RF_CACHE_LOAD, 0, 3, 2);
    accepted(0);
    reads(RF_CACHE_READ_REG, 0, 1, 10, 1010);
    reads(RF_CACHE_READ_REG, 0, 2, 20, 1020);
}

/* REGISTERS: "the newly arrived register can replace cache data", though a register is older; CACHE: the reverse, and "cache data
 * that finds none takes the oldest way". */
static void a_policy_has_its_favourites(void **state) {
    (void)state;
    start_with(&registers_first);
    put_reg(0, 1, 10);
    bring(0, 2, 20, RF_LINE_INACTIVE);
    bring(0, 3, 30, RF_LINE_CACHE);
    request(RF_CACHE_LOAD, 0, 2, 1);
    accepted(0);
    reads(RF_CACHE_READ_REG, 0, 1, 10, 1010);
    start_with(&cache_first);
    bring(0, 1, 10, RF_LINE_INACTIVE);
    put_reg(0, 2, 20);
    put_reg(0, 3, 30); /* for the register, though it is younger */
    assert_int_equal(out.victim_state, RF_LINE_REG);
    cycle();
    cycle();
    message(RF_MISS_WRITE, 4, BOTH, 20, 1020);
    reads(RF_CACHE_LOAD, 0, 1, 10, 1010);
    bring(0, 4, 40, RF_LINE_REG);
    message(RF_MISS_WRITE, 6, BOTH, 30, 1030);
    bring(0, 5, 50, RF_LINE_CACHE); /* none is a register: the oldest, 1 */
    reads(RF_CACHE_LOAD, 0, 4, 40, 1040);
}

/* Refused while the line is on its way, so that the fill does not write over it. */
static void a_write_waits_for_the_fill_of_its_line(void **state) {
    (void)state;
    start_with(&fair);
    request(RF_CACHE_READ_REG, 0, 1, 1);
    accepted(0);
    request(RF_CACHE_LOAD, 1, 1, 2);
    accepted(0);
    fetch(2, 0);
    fetch(3, 1);
    ask_write(RF_CACHE_WRITE_REG, 0, 1, BOTH, 50);
    refused(0);
    ask_write(RF_CACHE_STORE, 1, 1, BOTH, 60);
    refused(0);
    ask_write(RF_CACHE_ATOMIC, 1, 1, BOTH, 60);
    refused(0);
    fill(0, 10, RF_LINE_INACTIVE);
    cycle();
    ask_write(RF_CACHE_WRITE_REG, 0, 1, 1, 50);
    accepted(1);
    answered(1, 10, 1010);
    fill(1, 20, RF_LINE_INACTIVE);
    cycle();
    ask_write(RF_CACHE_STORE, 1, 1, 2, 60);
    accepted(1);
    reads(RF_CACHE_READ_REG, 0, 1, 50, 1010);
    reads(RF_CACHE_LOAD, 1, 1, 20, 1060);
    no_message();
}

/* "dirty: with room it is written to L2 and dropped, and neither accepted nor refused": it is at L2 before the atomic. */
static void an_atomic_on_a_dirty_line(void **state) {
    (void)state;
    start_with(&fair);
    bring(1, 4, 40, RF_LINE_INACTIVE);
    ask_write(RF_CACHE_STORE, 1, 4, 1, 45);
    accepted(1);
    ask_write(RF_CACHE_ATOMIC, 1, 4, 2, 3);
    in.req_id = 6;
    cycle();
    assert_int_equal(out.ready, 1);
    assert_int_equal(out.accept | out.refuse | out.victim, 0);
    assert_int_equal(out.hit, 1);
    ask_write(RF_CACHE_ATOMIC, 1, 4, 2, 3);
    busy();
    ask_write(RF_CACHE_ATOMIC, 1, 4, 2, 3), in.req_id = 6;
    accepted(0);
    message(RF_MISS_WRITE, 9, BOTH, 45, 1040);
    ask_write(RF_CACHE_STORE, 1, 4, 1, 46);
    refused(0);
    message(RF_MISS_ATOMIC, 9, 2, 3, 1003);
    assert_int_equal(out.mem_entry, 0);
    fill(0, 40, RF_LINE_INACTIVE);
    busy();
    ask_write(RF_CACHE_STORE, 1, 4, 1, 46);
    accepted(0); /* the answer is not kept: to L2 */
    answered(6, 40, 1040);
    cycle();
    message(RF_MISS_WRITE, 9, 1, 46, 1046);
}

/* "Else, if that is accepted, dropped, and as without a hit". */
static void an_atomic_on_a_clean_line(void **state) {
    (void)state;
    start_with(&fair);
    bring(1, 4, 40, RF_LINE_INACTIVE);
    for (uint32_t i = 0; i < 2; i++) {
        request(RF_CACHE_LOAD, 0, i, 1);
        accepted(0);
    }
    fetch(0, 0);
    fetch(2, 1);
    ask_write(RF_CACHE_ATOMIC, 1, 4, 1, 3); /* the third MSHR is for registers */
    refused(1);
    reads(RF_CACHE_LOAD, 1, 4, 40, 1040);
    fill(1, 50, RF_LINE_INACTIVE);
    cycle();
    ask_write(RF_CACHE_ATOMIC, 1, 4, 1, 3), in.req_id = 6;
    accepted(1);
    cycle();
    message(RF_MISS_ATOMIC, 9, 1, 3, 1003);
    assert_int_equal(out.mem_entry, 1);
    request(RF_CACHE_LOAD, 1, 4, 7);
    refused(0); /* what is not kept takes no more targets */
    ask_write(RF_CACHE_ATOMIC, 1, 4, 1, 3);
    refused(0);
    fill(1, 70, RF_LINE_INACTIVE);
    cycle();
    cycle();
    answered(6, 70, 1070);
    cycle();
    silent();
    no_message();
}

/* "with RESERVE registers take at most MSHRS - 1 entries, and so does cache data" */
static void each_class_leaves_an_mshr_to_the_other(void **state) {
    rf_cache_bank_cfg without = fair;
    (void)state;
    for (uint32_t cache = 0; cache <= 1; cache++) {
        const uint32_t op = cache ? RF_CACHE_LOAD : RF_CACHE_READ_REG, other = cache ? RF_CACHE_READ_REG : RF_CACHE_LOAD;
        start_with(&fair);
        in.mem_ready = 1;
        for (uint32_t i = 0; i < 2; i++) request(op, 0, i, i), accepted(0);
        idle(2);
        request(op, 0, 2, 2);
        refused(0);
        request(other, 1, 2, 2);
        accepted(0);
        idle(2);
        request(other, 1, 3, 3);
        refused(0);
    }
    without.reserve = 0;
    start_with(&without);
    in.mem_ready = 1;
    for (uint32_t i = 0; i < 3; i++) request(RF_CACHE_LOAD, 0, i, i), accepted(0), cycle();
    request(RF_CACHE_READ_REG, 1, 3, 3);
    refused(0);
}

/* "if the victim must be written to L2, there is room"; a request waits as long as a fill is offered. */
static void a_fill_waits_for_room(void **state) {
    (void)state;
    start_with(&fair);
    put_reg(0, 1, 10);
    put_reg(0, 2, 20);
    request(RF_CACHE_LOAD, 0, 3, 1);
    accepted(0);
    request(RF_CACHE_LOAD, 1, 3, 2);
    accepted(0);
    fetch(6, 0);
    fetch(7, 1);
    ask_write(RF_CACHE_STORE, 1, 8, 1, 80);
    accepted(0);
    ask_write(RF_CACHE_STORE, 1, 9, 1, 90);
    accepted(0);
    cycle();
    for (uint32_t i = 0; i < 3; i++) {
        request(RF_CACHE_READ_REG, 0, 2, 4);
        in.fill_valid = 1, in.fill_entry = 0, in.fill_data = value(30), in.mem_ready = i == 2;
        cycle();
        assert_int_equal(out.fill_ready | out.ready | out.accept | out.refuse | out.victim | out.victim_state, 0);
        assert_int_equal(out.wake, i == 2);
    }
    in.mem_ready = 0;
    fill(0, 30, RF_LINE_REG);
    busy();
    cycle(); /* it pushes: two messages */
    answered(1, 30, 1030);
    fill(1, 33, RF_LINE_INACTIVE); /* into a vacant entry */
    idle(2);
    message(RF_MISS_WRITE, 19, 1, 90, 1090);
    message(RF_MISS_WRITE, 2, BOTH, 10, 1010);
}

/* "it is written to L2 and dropped ...; else it is dropped (a register is lost: kernels end)"; "whatever its tag" */
static void a_flush_empties_a_way(void **state) {
    rf_cache_bank_cfg three = fair;
    (void)state;
    start_with(&fair);
    bring(1, 4, 40, RF_LINE_INACTIVE); /* way 0 */
    put_reg(1, 5, 50);                 /* way 1 */
    ask_write(RF_CACHE_STORE, 1, 4, 1, 45);
    accepted(1);
    request(RF_CACHE_FLUSH, 1, 5, 0), in.req_way = 0; /* by the way, not by the tag */
    accepted(1);
    request(RF_CACHE_FLUSH, 1, 5, 0), in.req_way = 1;
    busy();
    request(RF_CACHE_FLUSH, 1, 6, 0), in.req_way = 1;
    accepted(0);
    message(RF_MISS_WRITE, 9, BOTH, 45, 1040);
    request(RF_CACHE_READ_REG, 1, 5, 3);
    accepted(0);
    request(RF_CACHE_LOAD, 1, 4, 3);
    accepted(0);
    fetch(11, 0);
    fetch(9, 1);
    three.ways = 3;
    start_with(&three);
    put_reg(0, 1, 10);
    put_reg(0, 2, 20);
    request(RF_CACHE_FLUSH, 0, 0, 0), in.req_way = 3; /* does not exist: way 0 */
    accepted(0);
    reads(RF_CACHE_READ_REG, 0, 2, 20, 1020);
    request(RF_CACHE_READ_REG, 0, 1, 1);
    accepted(0);
}

/* "6, 7: accepted, nothing happens"; "An entry that is not busy: ready, and nothing happens". */
static void what_is_nothing_does_nothing(void **state) {
    (void)state;
    start_with(&fair);
    put_reg(0, 1, 10);
    for (uint32_t op = 6; op <= 7; op++) {
        ask_write(op, 0, 1, BOTH, 99);
        in.req_dead = 1;
        accepted(1);
    }
    for (uint32_t entry = 0; entry <= 3; entry++) { /* 3 does not exist */
        fill(entry, 99, RF_LINE_INACTIVE);
        silent();
    }
    reads(RF_CACHE_READ_REG, 0, 1, 10, 1010);
    no_message();
}

/* "what hits is not written back": of an MSHR as no inputs make it. */
static void a_fill_that_hits_takes_the_entry(void **state) {
    (void)state;
    start_with(&fair);
    bring(0, 1, 10, RF_LINE_INACTIVE);
    ask_write(RF_CACHE_STORE, 0, 1, 1, 15);
    accepted(1);
    put_reg(0, 2, 20);
    model.mshr.busy_q = stepped.mshr.busy_q = 2;
    model.mshr.keep_q = stepped.mshr.keep_q = 3; /* MSHR 0 keeps what it had */
    model.mshr.line_q[1] = stepped.mshr.line_q[1] = 2;
    slow.miss[1] = (slow_miss){.busy = true, .keep = true, .line = 2};
    fill(1, 60, RF_LINE_INACTIVE);
    busy();
    request(RF_CACHE_LOAD, 0, 1, 1); /* two steps, though nobody waits */
    accepted(1);
    cycle();
    cycle();
    answered(1, 60, 1060);
    put_reg(0, 3, 30); /* the register is the oldest */
    assert_int_equal(out.victim_state, RF_LINE_REG);
    request(RF_CACHE_FLUSH, 0, 0, 0), in.req_way = 0;
    cycle();
    request(RF_CACHE_FLUSH, 0, 0, 0), in.req_way = 0;
    accepted(0);
    message(RF_MISS_WRITE, 4, BOTH, 20, 1020);
    no_message();
}

/* "D-dead-miss: not of a register's last read". */
static void a_last_read_that_misses_is_not_kept(void **state) {
    (void)state;
    start_with(&fair);
    request(RF_CACHE_READ_REG, 0, 1, 1), in.req_dead = 1;
    accepted(0);
    cycle();
    fetch(2, 0);
    fill(0, 10, RF_LINE_INACTIVE);
    cycle();
    cycle();
    answered(1, 10, 1010);
    request(RF_CACHE_READ_REG, 0, 1, 1);
    accepted(0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_read_takes_two_cycles),
        cmocka_unit_test(a_last_read_frees_the_entry),
        cmocka_unit_test(a_register_that_was_not_written_is_zero),
        cmocka_unit_test(a_fill_answers_its_targets_in_order),
        cmocka_unit_test(a_fill_with_one_target_takes_two_steps),
        cmocka_unit_test(a_newcomer_has_the_oldest_spilled),
        cmocka_unit_test(cache_data_gives_way),
        cmocka_unit_test(who_finds_no_room_asks_again),
        cmocka_unit_test(some_words_of_a_register),
        cmocka_unit_test(who_finds_no_victim_goes_around),
        cmocka_unit_test(a_policy_has_its_favourites),
        cmocka_unit_test(a_write_waits_for_the_fill_of_its_line),
        cmocka_unit_test(an_atomic_on_a_dirty_line),
        cmocka_unit_test(an_atomic_on_a_clean_line),
        cmocka_unit_test(each_class_leaves_an_mshr_to_the_other),
        cmocka_unit_test(a_fill_waits_for_room),
        cmocka_unit_test(a_flush_empties_a_way),
        cmocka_unit_test(what_is_nothing_does_nothing),
        cmocka_unit_test(a_fill_that_hits_takes_the_entry),
        cmocka_unit_test(a_last_read_that_misses_is_not_kept),
    };
    return cmocka_run_group_tests_name("rules of rf_cache_bank", tests, NULL, NULL);
}
