/* SPDX-License-Identifier: Apache-2.0 */
/* The rules of rf_levels one by one, by hand, each quoted or named as its contract has it; the slow model runs along. */
#include "tb/hierarchy/judge/judge_levels.h"

#define UPPER RF_NOTE_UPPER
#define LOW 1u /* hardware: not into the L0 */

/* Warp 4 has slot 0, warp 1 slot 1. Two lanes; files of two entries and an L0; three sources, three queues. */
static const rf_levels_cfg by_hardware = {6, 8, 2, 3, 3, 2, 0, 2, 1, 0}, by_names = {6, 8, 2, 3, 3, 2, 1, 2, 2, 0};

static judge trial;
static rf_levels_out out;

static rf_levels_in begin(const rf_levels_cfg *cfg) {
    start(&trial, 0, cfg);
    return (rf_levels_in){.held = 3, .slot_warp = {4, 1}, .grant = 0xf};
}

static void cycle(rf_levels_in in) {
    slow_way now;
    levels_comb(&slow, &in, &now);
    step(&trial, &in, &now, &out);
    judge_passes(&trial);
}

/* The head of queue e: lane 1 is 1000 above lane 0. */
static void head(rf_levels_in *in, uint32_t e, uint32_t warp, uint32_t reg, uint32_t note, uint32_t mask, uint32_t value) {
    in->wr_valid |= (uint8_t)(1u << e);
    in->wr_warp[e] = (uint8_t)warp;
    in->wr_reg[e] = (uint8_t)reg;
    in->wr_note[e] = (uint8_t)note;
    in->wr_mask[e] = mask;
    in->wr_data[e] = (rf_vec){{value, value + 1000}};
}

/* Warp `warp` gets R`reg` = 10 * reg, into its L1. */
static void fill(rf_levels_in in, uint32_t warp, uint32_t reg) {
    head(&in, 0, warp, reg, UPPER | LOW, 3, 10 * reg);
    cycle(in);
    assert_int_equal(out.done, 1);
}

/* Sources of slot a, from k on: registers, or places. */
static void sources(rf_levels_in *in, uint32_t a, uint32_t n, const uint8_t *reg, const uint8_t *from) {
    in->rd_slot = (uint8_t)a;
    in->rd_valid = (uint8_t)ls_mask(n);
    for (uint32_t k = 0; k < n; k++) {
        if (reg != NULL) in->rd_reg[k] = reg[k];
        if (from != NULL) in->rd_from[k] = from[k];
    }
}
#define REGS(...) (const uint8_t[]){__VA_ARGS__}, NULL
#define PLACES(...)                                                                                                              \
    NULL, (const uint8_t[]) { __VA_ARGS__ }

static void asked(uint32_t e, uint32_t warp, uint32_t reg, uint32_t mask, uint32_t value) {
    assert_true(judge_bit(out.ask, e));
    assert_int_equal(out.ask_warp[e], warp);
    assert_int_equal(out.ask_reg[e], reg);
    assert_int_equal(out.ask_mask[e], mask);
    assert_int_equal(out.ask_data[e].lane[0], value);
    assert_int_equal(out.ask_data[e].lane[1], value + 1000);
}

/* "its file is read in this cycle, from the registers"; "hit and hit_data follow the inputs without read, too" */
static void sources_are_read_from_the_file_of_their_slot(void **state) {
    rf_levels_in in = begin(&by_hardware), read;
    (void)state;
    fill(in, 4, 3);
    read = in;
    sources(&read, 0, 2, REGS(3, 2));
    head(&read, 1, 4, 3, UPPER | LOW, 3, 33);
    cycle(read); /* the old value, as the new one comes */
    assert_int_equal(out.hit, 1);
    assert_int_equal(out.hit_data[0].lane[1], 1030);
    assert_int_equal(out.hit_data[1].lane[0], 0);
    head(&in, 0, 4, 5, UPPER, 3, 50);
    cycle(in); /* into the L0 */
    in.wr_valid = 0;
    sources(&in, 0, 3, REGS(3, 5, 5));
    in.rd_valid = 3; /* the last one is no source */
    cycle(in);
    assert_int_equal(out.hit, 3);
    assert_int_equal(out.hit_l0, 2);
    assert_int_equal(out.hit_data[0].lane[0], 33);
    assert_int_equal(out.hit_data[1].lane[1], 1050);
    in.rd_slot = 1;
    in.read = 1;
    in.last = 7;
    cycle(in); /* warp 1 has none of them, and its last reads are not warp 4's */
    assert_int_equal(out.hit, 0);
    assert_int_equal(model.rfc[0].dead_q | model.rfc[0].l0_dead_q, 0);
    in.rd_slot = 0;
    in.read = 0;
    cycle(in);
    assert_int_equal(model.rfc[0].dead_q | model.rfc[0].l0_dead_q, 0);
    in.read = 1;
    cycle(in);
    assert_int_equal(model.rfc[0].l0_dead_q, 1);
    cycle(in); /* a dead entry hits */
    assert_int_equal(out.hit, 3);
}

/* "around = not RF_NOTE_UPPER, or the slot is leaving; low = the lowest bit of the name"; a warp without a slot writes to the MRF
 */
static void a_result_goes_to_its_file_or_asks_for_the_mrf(void **state) {
    rf_levels_in in = begin(&by_hardware), one;
    (void)state;
    head(&in, 0, 2, 5, UPPER, 3, 50);
    in.grant = 0;
    cycle(in); /* warp 2 has no slot */
    asked(0, 2, 5, 3, 50);
    assert_int_equal(out.offers | out.done, 0);
    in.grant = 1;
    cycle(in);
    assert_int_equal(out.done, 1);
    in.wr_valid = 0;
    head(&in, 0, 1, 5, UPPER, 3, 50);
    in.grant = 0;
    cycle(in); /* warp 1's goes into its L0 at once */
    assert_int_equal(out.offer, 1);
    assert_int_equal(out.ask, 0);
    assert_int_equal(out.done, 1);
    assert_int_equal(model.rfc[1].l0_reg_q, 5);
    head(&in, 0, 1, 6, UPPER | LOW, 3, 60);
    cycle(in); /* a low one into the L1 */
    assert_int_equal(model.rfc[1].valid_q, 1);
    head(&in, 0, 1, 6, 0, 1, 61);
    cycle(in); /* some lanes are merged, also around the file */
    assert_int_equal(out.done, 1);
    assert_int_equal(model.rfc[1].data_q[0].lane[0], 61);
    assert_int_equal(model.rfc[1].data_q[0].lane[1], 1060);
    one = in;
    head(&one, 0, 1, 7, 0, 3, 70);
    cycle(one); /* a whole one goes around, and waits for its grant */
    asked(0, 1, 7, 3, 70);
    assert_int_equal(out.offer, 1);
    assert_int_equal(out.done, 0);
    head(&one, 0, 1, 7, UPPER, 3, 70);
    one.leaving = 2;
    one.grant = 1;
    cycle(one); /* so does that of a leaving warp */
    asked(0, 1, 7, 3, 70);
    assert_int_equal(out.done, 1);
    assert_int_equal(out.evicts, 0);
}

/* "If it sends something to the MRF, queue e asks for that in its place; an entry only while fewer than SLOTS sources hit with
 * read. The result is taken with the grant." */
static void an_entry_is_sent_in_place_of_the_result(void **state) {
    rf_levels_in in = begin(&by_hardware);
    (void)state;
    fill(in, 4, 1);
    fill(in, 4, 2);
    head(&in, 2, 4, 3, UPPER | LOW, 3, 30);
    sources(&in, 0, 3, REGS(1, 2, 2));
    in.read = 1;
    cycle(in); /* three sources hit: no port is left */
    assert_int_equal(out.offer, 4);
    assert_int_equal(out.evicts, 1);
    assert_int_equal(out.ask | out.done, 0);
    in.rd_slot = 1; /* of whichever slot */
    in.grant = 0xb;
    cycle(in);
    asked(2, 4, 1, 3, 10);
    assert_int_equal(out.done, 0);
    in.rd_slot = 0;
    in.read = 0;
    in.grant = 4;
    cycle(in); /* without `read` they take no ports */
    asked(2, 4, 1, 3, 10);
    assert_int_equal(out.done, 4);
    head(&in, 2, 4, 4, 0, 3, 40);
    in.read = 1;
    sources(&in, 0, 3, REGS(3, 2, 2));
    cycle(in); /* the result itself needs no port */
    asked(2, 4, 4, 3, 40);
    assert_int_equal(out.hit, 7);
    assert_int_equal(out.done, 4);
}

/* "u_port chooses one of them, round-robin. Its pointer moves on when the result is taken"; "All other heads ask for themselves"
 */
static void one_result_a_cycle_by_turns(void **state) {
    rf_levels_in in = begin(&by_hardware);
    (void)state;
    head(&in, 0, 4, 1, 0, 3, 10);
    head(&in, 1, 1, 1, UPPER, 3, 11);
    head(&in, 2, 4, 2, UPPER, 3, 12);
    in.grant = 0;
    cycle(in);
    assert_int_equal(out.offers, 7);
    assert_int_equal(out.offer, 1);
    assert_int_equal(out.ask, 1);
    cycle(in); /* refused: its turn again */
    assert_int_equal(out.offer, 1);
    in.grant = 1;
    cycle(in);
    assert_int_equal(out.done, 1);
    in.grant = 0;
    cycle(in); /* another of queue 0 waits for its turn */
    assert_int_equal(out.offer, 2);
    assert_int_equal(out.done, 2);
    cycle(in);
    assert_int_equal(out.offer, 4);
    cycle(in);
    assert_int_equal(out.offer, 1);
    in.held = 1; /* warp 1 has lost its slot: queue 1 asks beside the others */
    in.grant = 2;
    cycle(in);
    assert_int_equal(out.offers, 5);
    assert_int_equal(out.offer, 1);
    assert_int_equal(out.ask, 3);
    assert_int_equal(out.done, 2);
    in.wr_warp[1] = 6; /* warps 6 and 7 do not exist */
    cycle(in);
    asked(1, 6, 1, 3, 11);
}

/* Flush: the lowest leaving slot that holds something, entry by entry, with the grant of writer EXPORTS. */
static void leaving_slots_are_flushed_one_by_one(void **state) {
    rf_levels_in in = begin(&by_hardware);
    (void)state;
    fill(in, 1, 1);
    fill(in, 4, 2);
    fill(in, 4, 3);
    assert_int_equal(out.hold, 3);
    in.grant = 7;
    in.leaving = 3;
    cycle(in);
    asked(3, 4, 2, 3, 20);
    cycle(in); /* not granted: again */
    asked(3, 4, 2, 3, 20);
    in.grant = 8;
    cycle(in);
    cycle(in);
    asked(3, 4, 3, 3, 30);
    cycle(in);
    asked(3, 1, 1, 3, 10);
    cycle(in);
    assert_int_equal(out.ask | out.hold, 0);
}

static void a_result_of_the_leaving_slot_goes_before_its_flush(void **state) {
    rf_levels_in in = begin(&by_hardware), both;
    (void)state;
    fill(in, 4, 2);
    in.leaving = 1;
    head(&in, 1, 4, 2, UPPER, 1, 21);
    cycle(in); /* merged into the entry that would be sent */
    assert_int_equal(out.ask, 0);
    assert_int_equal(out.done, 2);
    in.wr_valid = 0;
    both = in;
    head(&both, 1, 1, 5, UPPER, 3, 50);
    cycle(both); /* another slot's result and the flush in one cycle */
    assert_int_equal(out.done, 2);
    assert_true(judge_bit(out.ask, 3));
    assert_int_equal(out.ask_data[3].lane[0], 21);
    assert_int_equal(out.ask_data[3].lane[1], 1020);
    in.leaving = 3;
    fill(in, 4, 3); /* goes around: this slot is empty, the flush is at the other one */
    asked(0, 4, 3, 3, 30);
    asked(3, 1, 5, 3, 50);
    in.leaving = 0;
    fill(in, 4, 3);
    fill(in, 1, 4);
    in.leaving = 3;
    head(&in, 1, 4, 3, UPPER, 1, 31);
    cycle(in); /* slot 0 has a result: the next leaving slot is flushed */
    assert_int_equal(out.done, 2);
    asked(3, 1, 4, 3, 40);
    assert_int_equal(model.rfc[0].valid_q, 2);
}

/* "while the sources that hit (with read) and the entry of the result that is offered, if one is sent, leave one of SLOTS reads"
 */
static void a_flush_needs_a_read_port_too(void **state) {
    rf_levels_in in = begin(&by_hardware);
    (void)state;
    fill(in, 4, 2);
    fill(in, 1, 1);
    fill(in, 1, 3);
    in.leaving = 1;
    in.grant = 0;
    in.read = 1;
    sources(&in, 1, 3, REGS(1, 3, 1));
    cycle(in);
    assert_int_equal(out.hit, 7);
    assert_int_equal(out.ask, 0);
    in.rd_valid = 3; /* one is left */
    cycle(in);
    assert_int_equal(out.ask, 8);
    head(&in, 0, 1, 5, UPPER | LOW, 3, 50);
    cycle(in); /* the entry takes it, also when its bank is not free */
    asked(0, 1, 1, 3, 10);
    assert_int_equal(out.ask, 1);
    in.rd_valid = 1;
    in.grant = 0xf;
    cycle(in);
    asked(0, 1, 1, 3, 10);
    asked(3, 4, 2, 3, 20);
    assert_int_equal(out.done, 1);
}

/* A flush of dead entries sends nothing, and needs neither port nor grant. */
static void dead_entries_are_gone_at_once(void **state) {
    rf_levels_in in = begin(&by_hardware);
    (void)state;
    fill(in, 4, 2);
    fill(in, 4, 3);
    fill(in, 1, 1);
    sources(&in, 0, 2, REGS(2, 3));
    in.read = 1;
    in.last = 3;
    cycle(in);
    sources(&in, 1, 3, REGS(1, 1, 1));
    in.last = 0;
    in.leaving = 1;
    in.grant = 0;
    cycle(in);
    assert_int_equal(out.ask, 0);
    assert_int_equal(out.hold, 3);
    cycle(in);
    assert_int_equal(out.hold, 2);
}

/* "the name is written in the cycle of the grant; else at once"; "All other heads ask for themselves" */
static void a_result_goes_to_its_name_and_the_mrf(void **state) {
    rf_levels_in in = begin(&by_names);
    (void)state;
    in.dst_valid = in.read = 1;
    in.to = UPPER | 1;
    cycle(in);
    in.read = 0;
    cycle(in);
    assert_int_equal(out.pend[0], 2);
    assert_int_equal(out.pend[1], 0);
    assert_int_equal(out.hold, 1);
    head(&in, 2, 4, 6, UPPER | RF_NOTE_MRF | 1, 3, 60);
    in.grant = 0;
    cycle(in);
    asked(2, 4, 6, 3, 60);
    assert_int_equal(out.done, 0);
    assert_int_equal(model.orf[0].pend_q, 2);
    in.grant = 4;
    cycle(in);
    assert_int_equal(out.done, 4);
    in.grant = in.wr_valid = 0;
    sources(&in, 0, 3, PLACES(UPPER | 1, 1, UPPER | 0));
    cycle(in);
    assert_int_equal(out.pend[0], 0);
    assert_int_equal(out.hit, 5);
    assert_int_equal(out.hit_data[0].lane[1], 1060);
    assert_int_equal(out.hit_data[1].lane[0], 0);
    assert_int_equal(out.hit_data[2].lane[0], RF_ORF_POISON);
    head(&in, 2, 4, 7, UPPER | 0, 1, 70);
    cycle(in); /* a name alone: at once */
    assert_int_equal(out.ask, 0);
    assert_int_equal(out.done, 4);
    head(&in, 2, 4, 7, RF_NOTE_MRF, 3, 71);
    cycle(in); /* the MRF alone */
    assert_int_equal(out.offers, 0);
    asked(2, 4, 7, 3, 71);
    head(&in, 2, 2, 7, UPPER | 1, 3, 72);
    cycle(in); /* a warp without a slot has no names */
    assert_int_equal(out.offers, 0);
    asked(2, 2, 7, 3, 72);
    in.wr_valid = 0;
    cycle(in);
    assert_int_equal(out.hit_data[2].lane[0], 70);
    assert_int_equal(out.hit_data[2].lane[1], RF_ORF_POISON);
}

/* "so is that of the lowest source with RF_NOTE_KEEP (a source of the MRF)"; "It takes the files' one write of the cycle" */
static void a_kept_operand_goes_before_results(void **state) {
    rf_levels_in in = begin(&by_names);
    (void)state;
    sources(&in, 1, 3, PLACES(UPPER | RF_NOTE_KEEP | 0, RF_NOTE_KEEP | 1, RF_NOTE_KEEP | 10));
    in.read = 1;
    cycle(in);
    in.read = 0;
    cycle(in);
    assert_int_equal(out.pend[1], 2);
    head(&in, 0, 4, 7, UPPER | 0, 3, 70);
    head(&in, 1, 4, 6, 0, 3, 60);
    in.keep = 1;
    in.keep_warp = 1;
    in.keep_name = 1;
    in.keep_mask = 2;
    in.keep_data = (rf_vec){{8, 9}};
    cycle(in); /* the result with a name waits, the other one does not */
    assert_int_equal(out.offers, 1);
    assert_int_equal(out.offer, 0);
    assert_int_equal(out.done, 2);
    in.keep_warp = 5;
    cycle(in); /* of a warp without a slot nothing is kept, and the result waits */
    assert_int_equal(out.offer, 0);
    assert_int_equal(out.pend[1], 0);
    in.keep = 0;
    sources(&in, 1, 2, PLACES(UPPER | 1, UPPER | 1));
    cycle(in);
    assert_int_equal(out.offer, 1);
    assert_int_equal(out.hit_data[0].lane[0], RF_ORF_POISON);
    assert_int_equal(out.hit_data[0].lane[1], 9);
}

/* "`ends` clears the file"; "A file is cleared when a warp enters its slot": what is under way still arrives. */
static void strands_and_warps_begin_with_nothing(void **state) {
    rf_levels_in in = begin(&by_names);
    (void)state;
    for (uint32_t enters = 0; enters <= 1; enters++) {
        for (uint32_t a = 0; a <= 1; a++) {
            rf_levels_in write = in;
            head(&write, 0, in.slot_warp[a], 7, UPPER | 0, 3, 70 + a);
            cycle(write);
        }
        rf_levels_in end = in;
        end.rd_slot = 1;
        end.dst_valid = 1;
        end.to = UPPER | 9;
        if (enters) end.enter = 2;
        else end.read = end.ends = 1;
        head(&end, 0, 1, 7, UPPER | 1, 3, 80);
        cycle(end); /* what is written in this cycle is held */
        rf_levels_in look = in;
        sources(&look, 1, 2, PLACES(UPPER | 0, UPPER | 1));
        cycle(look);
        assert_int_equal(out.hit_data[0].lane[0], RF_ORF_POISON);
        assert_int_equal(out.hit_data[1].lane[0], 80);
        assert_int_equal(out.pend[1], 1u << 9); /* its last instruction's result; still under way as the next warp enters */
        sources(&look, 0, 1, PLACES(UPPER | 0));
        cycle(look);
        assert_int_equal(out.hit_data[0].lane[0], 70);
    }
    head(&in, 0, 1, 7, UPPER | 9, 3, 90);
    in.read = in.dst_valid = 1;
    in.rd_slot = 1;
    in.to = UPPER | 9;
    cycle(in); /* written and set in one cycle: pending */
    in.read = 0;
    cycle(in);
    assert_int_equal(out.pend[1], 1u << 9);
}

/* The shared units have no way to the L0. */
static void shared_units_and_the_l0(void **state) {
    rf_levels_in in = begin(&by_names), look;
    (void)state;
    head(&in, 0, 4, 7, UPPER | 8, 3, 70);
    cycle(in);
    look = in;
    look.wr_valid = 0;
    sources(&look, 0, 3, PLACES(UPPER | 8, UPPER | 8, UPPER | 15));
    cycle(look);
    assert_int_equal(out.hit, 7); /* a name is a name */
    assert_int_equal(out.hit_l0, 7);
    assert_int_equal(out.hit_data[0].lane[0], 70);
    assert_int_equal(out.hit_data[1].lane[0], RF_ORF_POISON); /* slot 1 has bank 1 */
    assert_int_equal(out.hit_data[2].lane[0], RF_ORF_POISON);
    look.shared = 1;
    cycle(look);
    assert_int_equal(out.hit_data[0].lane[0], RF_ORF_POISON);
    head(&in, 0, 4, 7, UPPER | RF_NOTE_SHARED | 8, 3, 71);
    cycle(in);
    in.wr_valid = 0;
    in.keep = in.keep_shared = 1;
    in.keep_warp = 4;
    in.keep_name = 8;
    in.keep_mask = 3;
    cycle(in);
    look.shared = 0;
    cycle(look);
    assert_int_equal(out.hit_data[0].lane[0], 70);
}

/* "Indices that do not exist: an issue changes nothing" */
static void a_slot_that_does_not_exist(void **state) {
    (void)state;
    for (uint32_t managed = 0; managed <= 1; managed++) {
        rf_levels_cfg cfg = managed ? by_names : by_hardware;
        cfg.active = 3;
        rf_levels_in in = begin(&cfg);
        fill(in, 4, 0);
        sources(&in, 3, 3, (const uint8_t[]){0, 0, 0}, (const uint8_t[]){UPPER, RF_NOTE_KEEP, UPPER});
        in.read = in.dst_valid = in.ends = 1;
        in.to = UPPER;
        in.last = 7;
        cycle(in);
        assert_int_equal(out.hit, 0);
        assert_int_equal(out.hit_data[0].lane[0], 0);
        in.read = 0;
        cycle(in);
        assert_int_equal(out.pend[0] | out.pend[1] | out.pend[2], 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sources_are_read_from_the_file_of_their_slot),
        cmocka_unit_test(a_result_goes_to_its_file_or_asks_for_the_mrf),
        cmocka_unit_test(an_entry_is_sent_in_place_of_the_result),
        cmocka_unit_test(one_result_a_cycle_by_turns),
        cmocka_unit_test(leaving_slots_are_flushed_one_by_one),
        cmocka_unit_test(a_result_of_the_leaving_slot_goes_before_its_flush),
        cmocka_unit_test(a_flush_needs_a_read_port_too),
        cmocka_unit_test(dead_entries_are_gone_at_once),
        cmocka_unit_test(a_result_goes_to_its_name_and_the_mrf),
        cmocka_unit_test(a_kept_operand_goes_before_results),
        cmocka_unit_test(strands_and_warps_begin_with_nothing),
        cmocka_unit_test(shared_units_and_the_l0),
        cmocka_unit_test(a_slot_that_does_not_exist),
    };
    return cmocka_run_group_tests_name("rules of rf_levels", tests, NULL, NULL);
}
