/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_ocu: each slot of the slow model is in one of four named states ([bank stealing II-B]; [Malekeh 2]: valid bit,
 * ready bit and data per source operand). */
#include "cmodel/banked/rf_ocu.h"

#include "tb/banked/env/rf_stage_carried.h"
#include "tb/banked/judge/judge_carried.h"
#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_ocu_unit;

typedef enum slot_state {
    EMPTY,    /* no source */
    WAITING,  /* its bank has not been granted */
    ARRIVING, /* granted in the cycle before: the crossbar delivers now */
    HERE      /* data is stored */
} slot_state;

typedef struct slow_slot {
    slot_state state;
    uint32_t reg, bank, row, data[32];
} slow_slot;

typedef struct slow_ocu {
    rf_ocu_cfg cfg;
    bool busy;
    rf_stage_carried carried;
    uint32_t port;
    slow_slot slot[8];
} slow_ocu;

/* clang-format off */
#define SEEN(X) \
    X(SEVERAL_GRANTED, "several slots granted in one cycle") \
    X(ONE_REFUSED, "a slot is refused while another is granted") \
    X(IN_TURN, "a slot waits for its turn to ask") \
    X(WAITED_LONG, "a slot waits for more than five cycles") \
    X(GRANT_UNASKED, "a grant for a slot that does not ask") \
    X(TWO_SHARE, "two slots share one read") \
    X(THREE_SHARE, "three slots share one read") \
    X(NO_SOURCE, "an instruction without sources") \
    X(ALL_SLOTS, "an instruction that uses every slot of several") \
    X(ALLOC_BUSY, "alloc while busy") \
    X(ALLOC_AT_DISPATCH, "alloc in the cycle of the dispatch") \
    X(EARLY_DISPATCH, "dispatch before all operands are there") \
    X(IDLE_DISPATCH, "dispatch of a free unit") \
    X(ARRIVE_AND_GRANT, "data arrives while another slot is granted") \
    X(HELD_READY, "ready and not dispatched") \
    X(NEXT_AFTER_FREE, "alloc in the cycle after the dispatch") \
    X(AHEAD, "a source is being read when the instruction arrives") \
    X(AHEAD_SHARED, "of two slots with one register one is being read, the other asks") \
    X(AHEAD_ALL, "all sources are being read") \
    X(AHEAD_EMPTY, "a slot without a source is said to be read") \
    X(RESET, "reset while busy")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_ocu *s) {
    const rf_ocu_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

/* The lowest slot that waits for the register of slot k reads for all that wait for it (D-dup). */
static uint32_t reader_of(const slow_ocu *s, uint32_t k) {
    for (uint32_t low = 0; low < k; low++)
        if (s->slot[low].state == WAITING && s->slot[low].reg == s->slot[k].reg) return low;
    return k;
}

static bool asks(const slow_ocu *s, uint32_t k) {
    for (uint32_t low = 0; low < k && s->cfg.serial == 1; low++)
        if (s->slot[low].state == WAITING) return false;
    return s->slot[k].state == WAITING && reader_of(s, k) == k;
}

static bool is_ready(const slow_ocu *s) {
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (s->slot[k].state == WAITING || s->slot[k].state == ARRIVING) return false;
    return s->busy;
}

static void slow_clock(slow_ocu *s, const rf_ocu_in *in) {
    const bool was_busy = s->busy, leaves = is_ready(s) && in->dispatch;
    bool granted[8] = {false};
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (s->slot[k].state == WAITING) granted[k] = asks(s, reader_of(s, k)) && judge_bit(in->rd_grant, reader_of(s, k));
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        slow_slot *slot = &s->slot[k];
        if (slot->state == ARRIVING) {
            slot->state = HERE;
            for (uint32_t lane = 0; lane < s->cfg.lanes; lane++) slot->data[lane] = in->fill_data[k].lane[lane];
        } else if (granted[k]) {
            slot->state = ARRIVING;
        }
        if (leaves) slot->state = EMPTY;
    }
    if (leaves) s->busy = false;
    if (was_busy || !in->alloc) return;
    s->busy = true;
    s->carried = in->alloc_inst.carried;
    s->port = in->alloc_inst.port;
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        s->slot[k].state = EMPTY;
        if (judge_bit(in->alloc_inst.src_valid, k)) s->slot[k].state = judge_bit(in->alloc_fill, k) ? ARRIVING : WAITING;
        s->slot[k].reg = in->alloc_inst.src[k];
        s->slot[k].bank = in->alloc_bank[k];
        s->slot[k].row = in->alloc_row[k];
    }
}

/* The slots for which the state is one of two, as a port. */
static uint64_t in_state(const slow_ocu *s, slot_state a, slot_state b) {
    bool bit[8] = {false};
    for (uint32_t k = 0; k < s->cfg.slots; k++) bit[k] = s->slot[k].state == a || s->slot[k].state == b;
    return judge_pack(bit, s->cfg.slots);
}

static uint64_t asking(const slow_ocu *s) {
    bool bit[8] = {false};
    for (uint32_t k = 0; k < s->cfg.slots; k++) bit[k] = asks(s, k);
    return judge_pack(bit, s->cfg.slots);
}

static void compare_out(judge *j, const slow_ocu *s, const rf_ocu_out *out) {
    judge_equal(j, "busy", 0, out->busy, s->busy);
    judge_equal(j, "ready", 0, out->ready, is_ready(s));
    judge_equal(j, "rd_valid", 0, out->rd_valid, asking(s));
    judge_equal(j, "unread", 0, out->unread, in_state(s, WAITING, WAITING));
    judge_equal(j, "fill_valid", 0, out->fill_valid, in_state(s, ARRIVING, ARRIVING));
    judge_equal(j, "warp", 0, out->warp, s->carried.warp);
    judge_equal(j, "port", 0, out->port, s->port);
    judge_carried(j, 0, &out->carried, &s->carried);
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        judge_equal(j, "rd_bank", k, out->rd_bank[k], s->slot[k].bank);
        judge_equal(j, "rd_row", k, out->rd_row[k], s->slot[k].row);
        judge_equal(j, "src", k, out->src[k], s->slot[k].reg);
        judge_words(j, "data", k, out->data[k].lane, s->slot[k].data, 32);
    }
}

static void compare_state(judge *j, const slow_ocu *s, const rf_ocu *m) {
    judge_equal(j, "busy_q", 0, m->busy_q, s->busy);
    judge_equal(j, "port_q", 0, m->port_q, s->port);
    judge_carried(j, 0, &m->carried_q, &s->carried);
    judge_equal(j, "src_valid_q", 0, m->src_valid_q, in_state(s, WAITING, HERE) | in_state(s, ARRIVING, ARRIVING));
    judge_equal(j, "fill_q", 0, m->fill_q, in_state(s, ARRIVING, ARRIVING));
    judge_equal(j, "ready_q", 0, m->ready_q, in_state(s, HERE, HERE));
    for (uint32_t k = 0; k < s->cfg.slots; k++) {
        judge_equal(j, "src_q", k, m->src_q[k], s->slot[k].reg);
        judge_equal(j, "bank_q", k, m->bank_q[k], s->slot[k].bank);
        judge_equal(j, "row_q", k, m->row_q[k], s->slot[k].row);
        judge_words(j, "data_q", k, m->data_q[k].lane, s->slot[k].data, 32);
    }
}

static void start(judge *j, uint64_t seed, rf_ocu *m, slow_ocu *s, const rf_ocu_cfg *cfg) {
    judge_begin(j, seed,
                "rf_ocu slots=%" PRIu32 " lanes=%" PRIu32 " warps=%" PRIu32 " regs=%" PRIu32 " banks=%" PRIu32 " rows=%" PRIu32
                " serial=%" PRIu32,
                cfg->slots, cfg->lanes, cfg->warps, cfg->regs, cfg->banks, cfg->rows, cfg->serial);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_ocu_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_ocu *m, slow_ocu *s, const rf_ocu_in *in) {
    rf_ocu before;
    rf_ocu_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_ocu_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    compare_out(j, s, &out);
    JUDGE_CLOCK(rf_ocu, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static uint32_t ones(uint64_t word) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < 64; i++) n += judge_bit(word, i);
    return n;
}

static void count(const slow_ocu *s, const rf_ocu_in *in, uint32_t waited, bool just_freed, uint64_t *seen) {
    const uint32_t slots = s->cfg.slots, valid = ones(in->alloc_inst.src_valid);
    const uint64_t ask = asking(s), granted = ask & in->rd_grant;
    const bool ready = is_ready(s);
    seen[SEVERAL_GRANTED] += ones(granted) > 1;
    seen[ONE_REFUSED] += granted != 0 && granted != ask;
    for (uint32_t k = 1; k < slots; k++)
        seen[IN_TURN] += s->slot[k].state == WAITING && reader_of(s, k) == k && !judge_bit(ask, k) && judge_bit(in->rd_grant, k);
    seen[WAITED_LONG] += waited > 5;
    seen[GRANT_UNASKED] += (in->rd_grant & ~ask) != 0;
    for (uint32_t k = 0; k < slots; k++) {
        uint32_t sharing = 0;
        for (uint32_t other = 0; other < slots; other++) sharing += s->slot[other].state == WAITING && reader_of(s, other) == k;
        seen[TWO_SHARE] += judge_bit(granted, k) && sharing == 2;
        seen[THREE_SHARE] += judge_bit(granted, k) && sharing >= 3;
    }
    seen[NO_SOURCE] += !s->busy && in->alloc && valid == 0;
    seen[ALL_SLOTS] += !s->busy && in->alloc && valid == slots && slots > 1;
    if (!s->busy && in->alloc) {
        const uint32_t ahead = in->alloc_fill & in->alloc_inst.src_valid;
        seen[AHEAD] += ahead != 0;
        seen[AHEAD_ALL] += valid > 1 && ahead == in->alloc_inst.src_valid;
        seen[AHEAD_EMPTY] += (in->alloc_fill & ~in->alloc_inst.src_valid) != 0;
        for (uint32_t k = 1; k < slots; k++)
            seen[AHEAD_SHARED] += judge_bit(in->alloc_inst.src_valid & ~in->alloc_fill, k) && judge_bit(ahead, 0) &&
                                  in->alloc_inst.src[k] == in->alloc_inst.src[0];
    }
    seen[ALLOC_BUSY] += s->busy && in->alloc;
    seen[ALLOC_AT_DISPATCH] += ready && in->dispatch && in->alloc;
    seen[EARLY_DISPATCH] += s->busy && !ready && in->dispatch;
    seen[IDLE_DISPATCH] += !s->busy && in->dispatch;
    seen[ARRIVE_AND_GRANT] += granted != 0 && in_state(s, ARRIVING, ARRIVING) != 0;
    seen[HELD_READY] += ready && !in->dispatch;
    seen[NEXT_AFTER_FREE] += just_freed && in->alloc;
}

static const rf_ocu_cfg sets[] = {
    {.slots = 3, .lanes = 4, .warps = 8, .regs = 16, .banks = 4, .rows = 32, .exports = 2},
    {.slots = 7, .lanes = 1, .warps = 32, .regs = 256, .banks = 16, .rows = 512, .exports = 4},
    {.slots = 3, .lanes = 32, .warps = 48, .regs = 63, .banks = 8, .rows = 384, .exports = 5},
    {.slots = 1, .lanes = 1, .warps = 1, .regs = 1, .banks = 1, .rows = 1, .exports = 1},
    {.slots = 5, .lanes = 3, .warps = 33, .regs = 33, .banks = 5, .rows = 33, .exports = 3},
    {.slots = 8, .lanes = 32, .warps = 64, .regs = 256, .banks = 32, .rows = 1024, .exports = 8},
    {.slots = 2, .lanes = 31, .warps = 2, .regs = 2, .banks = 2, .rows = 2, .exports = 2},
    {.slots = 4, .lanes = 2, .warps = 8, .regs = 16, .banks = 4, .rows = 32, .exports = 3, .serial = 1},
};

/* Random cycles. A new mix of densities is drawn every 512 cycles; few register names make shared reads. The slots of
 * one register are given different data, as no bank would do: each takes what its own port brings. */
static void run(const rf_ocu_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_ocu m;
    slow_ocu s;
    judge j;
    ls_rng rng;
    rf_ocu_in in;
    uint32_t p_alloc = 0, p_ahead = 0, p_grant = 0, p_valid = 0, p_dispatch = 0, names = 1, waited = 0;
    bool just_freed = false;
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        if (j.cycle % 512 == 0) {
            p_alloc = ls_rng_below(&rng, 257);
            p_grant = 16 + ls_rng_below(&rng, 241);
            p_valid = ls_rng_below(&rng, 257);
            p_dispatch = 16 + ls_rng_below(&rng, 241);
            p_ahead = ls_rng_chance(&rng, 128) ? 0 : ls_rng_below(&rng, 257);
            names = ls_rng_chance(&rng, 128) ? 1 + ls_rng_below(&rng, 4) : judge_codes(cfg->regs);
        }
        in.alloc = ls_rng_chance(&rng, p_alloc);
        in.alloc_inst.warp = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->warps));
        rf_stage_draw_carried(&rng, &in.alloc_inst.carried);
        in.alloc_inst.port = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->exports));
        in.alloc_inst.mask = (uint32_t)ls_rng_value(&rng, cfg->lanes);
        in.alloc_inst.dst_valid = ls_rng_chance(&rng, 128);
        in.alloc_inst.dst = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->regs));
        in.alloc_inst.src_valid = (uint8_t)ls_rng_bits(&rng, cfg->slots, p_valid);
        in.alloc_fill = (uint8_t)ls_rng_bits(&rng, cfg->slots, p_ahead);
        in.rd_grant = (uint8_t)ls_rng_bits(&rng, cfg->slots, p_grant);
        in.dispatch = ls_rng_chance(&rng, p_dispatch);
        for (uint32_t k = 0; k < cfg->slots; k++) {
            in.alloc_inst.src[k] = (uint8_t)(ls_rng_below(&rng, names) % judge_codes(cfg->regs));
            in.alloc_bank[k] = (uint8_t)ls_rng_value(&rng, rf_index_bits(cfg->banks));
            in.alloc_row[k] = (uint16_t)ls_rng_value(&rng, rf_index_bits(cfg->rows));
            if (s.slot[k].state == ARRIVING || ls_rng_chance(&rng, 32)) ls_rng_lanes(&rng, in.fill_data[k].lane, cfg->lanes);
        }
        waited = asking(&s) != 0 && (asking(&s) & in.rd_grant) == 0 ? waited + 1 : 0;
        count(&s, &in, waited, just_freed, seen);
        just_freed = is_ready(&s) && in.dispatch;
        step(&j, &m, &s, &in);
        if (ls_rng_chance(&rng, 1) && ls_rng_chance(&rng, 64)) {
            seen[RESET] += s.busy;
            rf_ocu_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void random_instructions(void **state) {
    const size_t n = sizeof sets / sizeof *sets;
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_ocu"), 30000, seen);
        cycles += 30000;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* The header's timing table, cycle by cycle, with an instruction of two sources. */
static void the_timing_of_the_header(void **state) {
    rf_ocu m;
    slow_ocu s;
    judge j;
    rf_ocu_out out;
    rf_ocu_in in;
    (void)state;
    start(&j, 0, &m, &s, &sets[0]);
    memset(&in, 0, sizeof in);
    in.alloc = 1, in.alloc_inst.warp = 5, in.alloc_inst.tag = 0xbeef, in.alloc_inst.port = 1, in.alloc_inst.mask = 0xd,
    in.alloc_inst.dst_valid = 1, in.alloc_inst.dst = 9;
    in.alloc_inst.src_valid = 5, in.alloc_inst.src[0] = 3, in.alloc_inst.src[2] = 4, in.alloc_bank[0] = 2, in.alloc_bank[2] = 1,
    in.alloc_row[2] = 17;
    rf_ocu_comb(&m, &in, &out);
    assert_int_equal(out.busy, 0);
    rf_ocu_clock(&m, &in);                                                      /* t */
    in.alloc_inst.warp = 1, in.alloc_inst.src_valid = 7, in.alloc_inst.tag = 1; /* offered to a busy unit */
    rf_ocu_comb(&m, &in, &out);
    assert_int_equal(out.busy, 1);
    assert_int_equal(out.ready, 0);
    assert_int_equal(out.rd_valid, 5);
    assert_int_equal(out.unread, 5);
    assert_int_equal(out.rd_bank[0], 2);
    assert_int_equal(out.rd_bank[2], 1);
    assert_int_equal(out.rd_row[2], 17);
    in.rd_grant = 4;
    rf_ocu_clock(&m, &in); /* t + 1: slot 2 is granted */
    rf_ocu_comb(&m, &in, &out);
    assert_int_equal(out.rd_valid, 1);
    assert_int_equal(out.unread, 1);
    assert_int_equal(out.fill_valid, 4);
    in.rd_grant = 1, in.fill_data[2].lane[3] = 0x22222222, in.dispatch = 1; /* too early: not ready */
    rf_ocu_clock(&m, &in);                                                  /* t + 2: slot 2 is filled, slot 0 granted */
    rf_ocu_comb(&m, &in, &out);
    assert_int_equal(out.busy, 1);
    assert_int_equal(out.rd_valid, 0);
    assert_int_equal(out.fill_valid, 1);
    assert_int_equal(out.ready, 0);
    assert_int_equal(out.data[2].lane[3], 0x22222222);
    in.rd_grant = 0, in.fill_data[0].lane[0] = 0x11111111, in.fill_data[2].lane[3] = 7; /* nothing arrives for slot 2 any more */
    rf_ocu_clock(&m, &in);                                                              /* t + 3: slot 0 is filled */
    rf_ocu_comb(&m, &in, &out);
    assert_int_equal(out.ready, 1); /* g + 2 of slot 0 */
    assert_int_equal(out.fill_valid, 0);
    assert_int_equal(out.data[0].lane[0], 0x11111111);
    assert_int_equal(out.data[2].lane[3], 0x22222222);
    assert_int_equal(out.warp, 5);
    assert_int_equal(out.carried.tag, 0xbeef);
    assert_int_equal(out.port, 1);
    assert_int_equal(out.carried.mask, 0xd);
    assert_int_equal(out.carried.dst_valid, 1);
    assert_int_equal(out.carried.dst, 9);
    rf_ocu_clock(&m, &in); /* d: dispatched; the alloc of this cycle is ignored */
    rf_ocu_comb(&m, &in, &out);
    assert_int_equal(out.busy, 0);
    assert_int_equal(out.ready, 0);
    assert_int_equal(out.carried.tag, 0xbeef); /* metadata and data keep their values */
    assert_int_equal(out.data[2].lane[3], 0x22222222);
    assert_int_equal(m.src_valid_q, 0);
    assert_int_equal(m.ready_q, 0);
}

static void without_sources_it_is_ready_in_the_next_cycle(void **state) {
    rf_ocu m;
    slow_ocu s;
    judge j;
    rf_ocu_out out;
    rf_ocu_in in;
    (void)state;
    start(&j, 0, &m, &s, &sets[0]);
    memset(&in, 0, sizeof in);
    in.alloc = 1, in.alloc_inst.src[0] = 3, in.alloc_inst.tag = 77;
    rf_ocu_clock(&m, &in);
    rf_ocu_comb(&m, &in, &out);
    assert_int_equal(out.ready, 1);
    assert_int_equal(out.rd_valid, 0);
    assert_int_equal(out.carried.tag, 77);
}

/* D-dup: slots 1, 2 and 4 name register 6; slot 0 names it too but is not valid. One request, by slot 1; one value for three. */
static void a_register_named_thrice_is_read_once(void **state) {
    const rf_ocu_cfg cfg = {.slots = 5, .lanes = 2, .warps = 8, .regs = 8, .banks = 4, .rows = 16, .exports = 1};
    rf_ocu m;
    slow_ocu s;
    judge j;
    rf_ocu_out out;
    rf_ocu_in in;
    (void)state;
    start(&j, 0, &m, &s, &cfg);
    memset(&in, 0, sizeof in);
    in.alloc = 1, in.alloc_inst.src_valid = 0x16;
    in.alloc_inst.src[0] = in.alloc_inst.src[1] = in.alloc_inst.src[2] = in.alloc_inst.src[4] = 6;
    for (uint32_t k = 0; k < 5; k++) in.alloc_bank[k] = 3, in.alloc_row[k] = 9;
    rf_ocu_clock(&m, &in);
    in.alloc = 0, in.rd_grant = 0x1d; /* for all but the slot that asks: no effect */
    rf_ocu_comb(&m, &in, &out);
    assert_int_equal(out.rd_valid, 2);
    assert_int_equal(out.unread, 0x16);
    rf_ocu_clock(&m, &in);
    in.rd_grant = 2;
    rf_ocu_comb(&m, &in, &out);
    assert_int_equal(out.rd_valid, 2);
    rf_ocu_clock(&m, &in);
    rf_ocu_comb(&m, &in, &out);
    assert_int_equal(out.rd_valid, 0);
    assert_int_equal(out.unread, 0);
    assert_int_equal(out.fill_valid, 0x16);
    for (uint32_t k = 0; k < 5; k++) in.fill_data[k].lane[0] = 0xabcd, in.fill_data[k].lane[1] = 0x1234;
    rf_ocu_clock(&m, &in);
    rf_ocu_comb(&m, &in, &out);
    assert_int_equal(out.ready, 1);
    for (uint32_t k = 1; k < 5; k = k == 1 ? 2 : k + 2) {
        assert_int_equal(out.data[k].lane[0], 0xabcd);
        assert_int_equal(out.data[k].lane[1], 0x1234);
    }
    assert_int_equal(out.data[0].lane[0], 0);
    assert_int_equal(out.data[3].lane[0], 0);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_ocu, sets);
}

/* A unit stopped in the middle: one slot here, one arriving, one waiting. */
static void stop_half_way(judge *j, rf_ocu *m, slow_ocu *s) {
    rf_ocu_in in;
    start(j, 0, m, s, &sets[2]);
    memset(&in, 0, sizeof in);
    in.alloc = 1, in.alloc_inst.warp = 47, in.alloc_inst.tag = 0xffff, in.alloc_inst.port = 4, in.alloc_inst.mask = 0xffffffff,
    in.alloc_inst.dst_valid = 1;
    in.alloc_inst.dst = 62, in.alloc_inst.src_valid = 7;
    for (uint32_t k = 0; k < 3; k++) {
        in.alloc_inst.src[k] = (uint8_t)(60 + k), in.alloc_bank[k] = (uint8_t)(7 - k), in.alloc_row[k] = (uint16_t)(383 - k);
        for (uint32_t lane = 0; lane < 32; lane++) in.fill_data[k].lane[lane] = 0x01010101u * lane + k;
    }
    step(j, m, s, &in);
    in.alloc = 0, in.rd_grant = 2;
    step(j, m, s, &in);
    in.rd_grant = 4;
    step(j, m, s, &in);
    judge_passes(j);
}

static void reset_clears_every_register(void **state) {
    rf_ocu m, fresh;
    slow_ocu s;
    judge j;
    (void)state;
    stop_half_way(&j, &m, &s);
    rf_ocu_reset(&m);
    slow_reset(&s);
    compare_state(&j, &s, &m);
    judge_passes(&j);
    memset(&fresh, 0, sizeof fresh);
    fresh.cfg = sets[2];
    assert_memory_equal(&m.cfg, &fresh.cfg, sizeof fresh.cfg);
    assert_memory_equal(m.data_q, fresh.data_q, 3 * sizeof *m.data_q);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    rf_ocu m;
    slow_ocu s;
    judge j;
    rf_ocu_out out;
    const rf_ocu_in idle = {0};
    (void)state;
    stop_half_way(&j, &m, &s);
    rf_ocu_comb(&m, &idle, &out);
    JUDGE_FLIPS(&j, rf_ocu, LS_OUT, &m, &out, compare_out(&j, &s, &out));
    JUDGE_FLIPS(&j, rf_ocu, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instructions),
        cmocka_unit_test(the_timing_of_the_header),
        cmocka_unit_test(without_sources_it_is_ready_in_the_next_cycle),
        cmocka_unit_test(a_register_named_thrice_is_read_once),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_ocu", tests, NULL, NULL);
}
