/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_rename: the slow model is one table a warp with an entry a logical register, as [WIR V-B] describes it ("a 10-bit
 * physical register ID, a valid bit, and a pin bit. All entries are invalid at warp initialization"), and a mark on each warp
 * whose mappings are being released. */
#include "cmodel/wir/rf_rename.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_rename_unit;

typedef struct slow_entry {
    bool valid, pin;
    uint32_t preg;
} slow_entry;

typedef struct slow_tables {
    rf_rename_cfg cfg;
    slow_entry table[64][256];
    bool marked[64];
} slow_tables;

typedef struct slow_out {
    slow_entry src[8], dst; /* as read: 0 without pin where not valid */
    uint32_t warp;          /* the lowest marked one; `warps` when none is */
    uint32_t reg;           /* the lowest valid entry of it; `regs` when it has none */
    uint32_t walk_preg;
} slow_out;

/* clang-format off */
#define SEEN(X)                                                                                                                  \
    X(READ_MAPPED, "a source is mapped")                                                                                         \
    X(READ_UNMAPPED, "a source is not mapped")                                                                                   \
    X(READ_RELEASED, "a source of a released mapping that had a register reads as 0")                                            \
    X(READ_PINNED, "a pinned source")                                                                                            \
    X(READ_DST, "a destination is mapped")                                                                                       \
    X(READ_DST_PINNED, "a pinned destination")                                                                                   \
    X(READ_SAME, "two sources name one register")                                                                                \
    X(READ_OWN_DST, "a source is the destination")                                                                               \
    X(READ_NO_WARP, "read of a warp that does not exist")                                                                        \
    X(READ_NO_REG, "read of a register that does not exist")                                                                     \
    X(READ_WRITTEN, "an entry is read in the cycle of its write")                                                                \
    X(READ_WALKED, "an entry is read in the cycle in which it is walked")                                                        \
    X(WRITE_NEW, "a write of an entry that is not valid")                                                                        \
    X(WRITE_OVER, "a write of an entry that is valid")                                                                           \
    X(WRITE_PIN, "a write pins")                                                                                                 \
    X(WRITE_UNPIN, "a write takes a pin away")                                                                                   \
    X(WRITE_NO_WARP, "a write of a warp that does not exist")                                                                    \
    X(WRITE_NO_REG, "a write of a register that does not exist")                                                                 \
    X(CLEAR, "a warp is marked")                                                                                                 \
    X(CLEAR_SEVERAL, "several warps are marked in one cycle")                                                                    \
    X(CLEAR_AGAIN, "a marked warp is marked again")                                                                              \
    X(CLEAR_LAST, "a mark would go and is set again")                                                                            \
    X(CLEAR_LOWER, "a warp below the one that is worked on is marked")                                                           \
    X(WALK, "a mapping is released")                                                                                             \
    X(WALK_PINNED, "a pinned mapping is released")                                                                               \
    X(WALK_HIGH, "the entry walked is not the lowest of the table")                                                              \
    X(WALK_TOP, "the last entry of a table is walked")                                                                           \
    X(WALK_WAITS, "a mapping is offered and not taken")                                                                          \
    X(WALK_NOTHING, "walk without a mapping while a warp is marked")                                                             \
    X(WALK_IDLE, "walk while no warp is marked")                                                                                 \
    X(MARK_GOES, "a mark goes")                                                                                                  \
    X(MARK_GOES_OTHER, "a mark goes and another warp's is next")                                                                 \
    X(OTHER_WAITS, "two marked warps without entries: only the lower one loses its mark")                                        \
    X(WALK_AND_WRITE, "a write of the entry that is walked: lost")                                                               \
    X(WALK_AND_WRITE_PIN, "a write that pins the entry that is walked")                                                          \
    X(WALK_AND_WRITE_OTHER, "a write of another entry of the warp that is walked")                                               \
    X(OFFERED_AND_WRITE, "a write of the entry that is offered and not taken")                                                   \
    X(MARK_GOES_AND_WRITE, "a mark goes while its warp is written: the entry stays")                                             \
    X(WRITE_BELOW, "a write below the entry that is offered")                                                                    \
    X(RESET, "reset with mappings and marks")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_tables *s) {
    const rf_rename_cfg cfg = s->cfg;
    memset(s, 0, sizeof *s);
    s->cfg = cfg;
}

static slow_entry look_up(const slow_tables *s, uint32_t warp, uint32_t reg) {
    static const slow_entry nothing;
    if (warp >= s->cfg.warps || reg >= s->cfg.regs || !s->table[warp][reg].valid) return nothing;
    return s->table[warp][reg];
}

static void slow_comb(const slow_tables *s, const rf_rename_in *in, slow_out *out) {
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < s->cfg.slots; i++) out->src[i] = look_up(s, in->rd_warp, in->rd_src[i]);
    out->dst = look_up(s, in->rd_warp, in->rd_dst);
    while (out->warp < s->cfg.warps && !s->marked[out->warp]) out->warp++;
    if (out->warp == s->cfg.warps) out->reg = s->cfg.regs;
    else
        while (out->reg < s->cfg.regs && !s->table[out->warp][out->reg].valid) out->reg++;
    if (out->reg < s->cfg.regs) out->walk_preg = s->table[out->warp][out->reg].preg;
}

static void slow_clock(slow_tables *s, const rf_rename_in *in) {
    const bool exists = in->wr_warp < s->cfg.warps && in->wr_reg < s->cfg.regs;
    slow_out now;
    slow_comb(s, in, &now);
    const bool offered = now.reg < s->cfg.regs, taken = offered && in->walk;
    if (in->wr_valid && exists && !(taken && in->wr_warp == now.warp && in->wr_reg == now.reg)) {
        slow_entry *entry = &s->table[in->wr_warp][in->wr_reg];
        entry->valid = true;
        entry->pin = in->wr_pin;
        entry->preg = in->wr_preg;
    }
    if (taken) s->table[now.warp][now.reg].valid = s->table[now.warp][now.reg].pin = false;
    if (now.warp < s->cfg.warps && !offered) s->marked[now.warp] = false;
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        if (judge_bit(in->clear, w)) s->marked[w] = true;
}

static void compare_out(judge *j, const slow_tables *s, const rf_rename_out *out, const slow_out *expected) {
    bool valid[8] = {false}, pin[8] = {false};
    for (uint32_t i = 0; i < s->cfg.slots; i++) {
        valid[i] = expected->src[i].valid;
        pin[i] = expected->src[i].pin;
        judge_equal(j, "src_preg", i, out->src_preg[i], expected->src[i].preg);
    }
    judge_equal(j, "src_valid", 0, out->src_valid, judge_pack(valid, s->cfg.slots));
    judge_equal(j, "src_pin", 0, out->src_pin, judge_pack(pin, s->cfg.slots));
    judge_equal(j, "dst_valid", 0, out->dst_valid, expected->dst.valid);
    judge_equal(j, "dst_preg", 0, out->dst_preg, expected->dst.preg);
    judge_equal(j, "dst_pin", 0, out->dst_pin, expected->dst.pin);
    judge_equal(j, "walking", 0, out->walking, judge_pack(s->marked, s->cfg.warps));
    judge_equal(j, "walk_valid", 0, out->walk_valid, expected->reg < s->cfg.regs);
    judge_equal(j, "walk_preg", 0, out->walk_preg, expected->walk_preg);
}

static void compare_state(judge *j, const slow_tables *s, const rf_rename *m) {
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        for (uint32_t part = 0; part < (s->cfg.regs + 63) / 64; part++) {
            bool valid[64] = {false}, pin[64] = {false};
            for (uint32_t i = 0; i < 64; i++) {
                valid[i] = s->table[w][part * 64 + i].valid;
                pin[i] = s->table[w][part * 64 + i].pin;
            }
            judge_equal(j, "valid_q", w, m->valid_q[rf_rename_word(m, w, 64 * part)], judge_pack(valid, 64));
            judge_equal(j, "pin_q", w, m->pin_q[rf_rename_word(m, w, 64 * part)], judge_pack(pin, 64));
        }
        for (uint32_t r = 0; r < s->cfg.regs; r++)
            judge_equal(j, "preg_q", w * s->cfg.regs + r, m->preg_q[w * s->cfg.regs + r], s->table[w][r].preg);
    }
    judge_equal(j, "walking_q", 0, m->walking_q, judge_pack(s->marked, s->cfg.warps));
}

static void start(judge *j, uint64_t seed, rf_rename *m, slow_tables *s, const rf_rename_cfg *cfg) {
    judge_begin(j, seed, "rf_rename warps=%" PRIu32 " regs=%" PRIu32 " slots=%" PRIu32 " pregs=%" PRIu32, cfg->warps, cfg->regs,
                cfg->slots, cfg->pregs);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_rename_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_rename *m, slow_tables *s, const rf_rename_in *in, slow_out *expected) {
    static rf_rename before;
    rf_rename_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_rename_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    slow_comb(s, in, expected);
    compare_out(j, s, &out, expected);
    JUDGE_CLOCK(rf_rename, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

static void count_reads(const slow_tables *s, const rf_rename_in *in, const slow_out *now, uint64_t *seen) {
    const bool warp = in->rd_warp < s->cfg.warps;
    const bool taken = now->reg < s->cfg.regs && in->walk;
    for (uint32_t i = 0; i < s->cfg.slots; i++) {
        const bool reg = in->rd_src[i] < s->cfg.regs;
        seen[READ_MAPPED] += now->src[i].valid;
        seen[READ_UNMAPPED] += !now->src[i].valid && warp && reg;
        seen[READ_RELEASED] += !now->src[i].valid && warp && reg && s->table[in->rd_warp][in->rd_src[i]].preg != 0;
        seen[READ_PINNED] += now->src[i].pin;
        seen[READ_SAME] += i > 0 && now->src[i].valid && in->rd_src[i] == in->rd_src[i - 1];
        seen[READ_OWN_DST] += now->src[i].valid && in->rd_src[i] == in->rd_dst;
        seen[READ_NO_REG] += warp && !reg;
        seen[READ_WRITTEN] += in->wr_valid && warp && reg && in->wr_warp == in->rd_warp && in->wr_reg == in->rd_src[i];
        seen[READ_WALKED] += taken && in->rd_warp == now->warp && in->rd_src[i] == now->reg;
    }
    seen[READ_DST] += now->dst.valid;
    seen[READ_DST_PINNED] += now->dst.pin;
    seen[READ_NO_WARP] += !warp;
}

static void count(const slow_tables *s, const rf_rename_in *in, const slow_out *now, uint64_t *seen) {
    const bool any = now->warp < s->cfg.warps, offered = now->reg < s->cfg.regs, taken = offered && in->walk;
    const bool goes = any && !offered && !judge_bit(in->clear, now->warp);
    const bool writes = in->wr_valid && in->wr_warp < s->cfg.warps && in->wr_reg < s->cfg.regs;
    const bool here = writes && in->wr_warp == now->warp, same = here && in->wr_reg == now->reg;
    uint32_t marks = 0, empty = 0;
    for (uint32_t w = 0; w < s->cfg.warps; w++) {
        bool mapped = false;
        for (uint32_t r = 0; r < s->cfg.regs; r++) mapped |= s->table[w][r].valid;
        marks += judge_bit(in->clear, w);
        empty += s->marked[w] && !mapped && !judge_bit(in->clear, w);
        seen[CLEAR_AGAIN] += judge_bit(in->clear, w) && s->marked[w];
        seen[CLEAR_LOWER] += judge_bit(in->clear, w) && offered && w < now->warp;
        seen[MARK_GOES_OTHER] += goes && w > now->warp && s->marked[w];
    }
    count_reads(s, in, now, seen);
    if (writes) {
        const slow_entry *entry = &s->table[in->wr_warp][in->wr_reg];
        seen[WRITE_NEW] += !entry->valid;
        seen[WRITE_OVER] += entry->valid && !(same && taken);
        seen[WRITE_PIN] += in->wr_pin && !entry->pin;
        seen[WRITE_UNPIN] += !in->wr_pin && entry->pin && !(same && taken);
    }
    seen[WRITE_NO_WARP] += in->wr_valid && in->wr_warp >= s->cfg.warps;
    seen[WRITE_NO_REG] += in->wr_valid && in->wr_warp < s->cfg.warps && in->wr_reg >= s->cfg.regs;
    seen[CLEAR] += marks == 1;
    seen[CLEAR_SEVERAL] += marks > 1;
    seen[CLEAR_LAST] += any && !offered && judge_bit(in->clear, now->warp);
    seen[WALK] += taken;
    seen[WALK_PINNED] += taken && s->table[now->warp][now->reg].pin;
    seen[WALK_HIGH] += taken && now->reg > 0;
    seen[WALK_TOP] += taken && now->reg > 0 && now->reg == s->cfg.regs - 1;
    seen[WALK_WAITS] += offered && !in->walk;
    seen[WALK_NOTHING] += any && !offered && in->walk;
    seen[WALK_IDLE] += !any && in->walk;
    seen[MARK_GOES] += goes;
    seen[OTHER_WAITS] += goes && empty > 1;
    seen[WALK_AND_WRITE] += same && taken;
    seen[WALK_AND_WRITE_PIN] += same && taken && in->wr_pin;
    seen[WALK_AND_WRITE_OTHER] += here && taken && !same;
    seen[OFFERED_AND_WRITE] += same && !in->walk;
    seen[MARK_GOES_AND_WRITE] += here && goes;
    seen[WRITE_BELOW] += here && offered && in->wr_reg < now->reg;
}

static const rf_rename_cfg sets[] = {
    {.warps = 1, .regs = 1, .slots = 1, .pregs = 2},       {.warps = 2, .regs = 3, .slots = 2, .pregs = 5},
    {.warps = 3, .regs = 5, .slots = 3, .pregs = 16},      {.warps = 4, .regs = 8, .slots = 4, .pregs = 64},
    {.warps = 5, .regs = 12, .slots = 8, .pregs = 33},     {.warps = 1, .regs = 33, .slots = 3, .pregs = 3},
    {.warps = 33, .regs = 2, .slots = 1, .pregs = 7},      {.warps = 24, .regs = 63, .slots = 3, .pregs = 1024},
    {.warps = 2, .regs = 256, .slots = 5, .pregs = 700},   {.warps = 64, .regs = 200, .slots = 3, .pregs = 1024},
    {.warps = 64, .regs = 256, .slots = 8, .pregs = 1023},
};
static const uint64_t lengths[] = {30000, 45000, 45000, 35000, 25000, 15000, 8000, 1500, 2500, 300, 300};

static uint32_t draw(ls_rng *rng, uint32_t n, uint32_t few, uint32_t wild) {
    if (ls_rng_chance(rng, wild)) return (uint32_t)ls_rng_value(rng, rf_index_bits(n));
    return ls_rng_below(rng, few < n ? few : n);
}

static rf_rename model; /* large: not on the stack */
static slow_tables slow;

static void run(const rf_rename_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    judge j;
    ls_rng rng;
    rf_rename_in in;
    slow_out now;
    uint32_t p_write = 0, p_walk = 0, p_clear = 0, wild = 0, warps = 1, regs = 1, aim = 0;
    start(&j, seed, &model, &slow, cfg);
    ls_rng_seed(&rng, seed);
    memset(&in, 0, sizeof in);
    while (j.cycle < cycles) {
        if (j.cycle % 64 == 0) {
            p_write = ls_rng_below(&rng, 257);
            p_walk = ls_rng_chance(&rng, 96) ? 256 : ls_rng_below(&rng, 257);
            p_clear = ls_rng_chance(&rng, 64) ? 0 : ls_rng_below(&rng, 64);
            wild = ls_rng_chance(&rng, 128) ? 0 : ls_rng_below(&rng, 96);
            aim = ls_rng_below(&rng, 160);
            warps = ls_rng_chance(&rng, 128) ? 64 : 1 + ls_rng_below(&rng, 3);
            regs = ls_rng_chance(&rng, 128) ? 256 : 1 + ls_rng_below(&rng, 6);
        }
        slow_comb(&slow, &in, &now);
        in.wr_valid = ls_rng_chance(&rng, p_write);
        in.wr_warp = (uint8_t)draw(&rng, cfg->warps, warps, wild);
        in.wr_reg = (uint8_t)draw(&rng, cfg->regs, regs, wild);
        in.wr_preg = (uint16_t)ls_rng_value(&rng, rf_index_bits(cfg->pregs));
        in.wr_pin = ls_rng_chance(&rng, 96);
        in.walk = ls_rng_chance(&rng, p_walk);
        in.clear = 0;
        if (ls_rng_chance(&rng, p_clear)) in.clear = ls_rng_bits(&rng, cfg->warps, ls_rng_chance(&rng, 128) ? 24 : 200);
        if (ls_rng_chance(&rng, p_clear)) in.clear |= UINT64_C(1) << draw(&rng, cfg->warps, warps, 0);
        /* What is worked on is written and read more often than chance would have it. */
        if (now.warp < cfg->warps && ls_rng_chance(&rng, aim)) {
            in.wr_warp = (uint8_t)now.warp;
            if (now.reg < cfg->regs && ls_rng_chance(&rng, 160)) in.wr_reg = (uint8_t)now.reg;
        }
        in.rd_warp = ls_rng_chance(&rng, 96)                            ? in.wr_warp
                     : ls_rng_chance(&rng, 32) && now.warp < cfg->warps ? (uint8_t)now.warp
                                                                        : (uint8_t)draw(&rng, cfg->warps, warps, wild);
        for (uint32_t i = 0; i < cfg->slots; i++)
            in.rd_src[i] = ls_rng_chance(&rng, 48)                          ? in.wr_reg
                           : ls_rng_chance(&rng, 48) && now.reg < cfg->regs ? (uint8_t)now.reg
                                                                            : (uint8_t)draw(&rng, cfg->regs, regs, wild);
        in.rd_dst = ls_rng_chance(&rng, 64) ? in.rd_src[0] : (uint8_t)draw(&rng, cfg->regs, regs, wild);
        slow_comb(&slow, &in, &now);
        count(&slow, &in, &now, seen);
        step(&j, &model, &slow, &in, &now);
        if (ls_rng_below(&rng, 512) == 0) {
            bool mapped = false, marked = false;
            for (uint32_t w = 0; w < cfg->warps; w++) {
                marked |= slow.marked[w];
                for (uint32_t r = 0; r < cfg->regs; r++) mapped |= slow.table[w][r].valid;
            }
            seen[RESET] += mapped && marked;
            rf_rename_reset(&model);
            slow_reset(&slow);
            compare_state(&j, &slow, &model);
        }
    }
    judge_passes(&j);
}

static void random_instructions(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i], ls_seed_derive(i, "judge rf_rename"), lengths[i], seen);
        cycles += lengths[i];
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

static rf_rename_in ask;
static rf_rename_out answer;

static void begin(void) {
    const rf_rename_cfg cfg = {.warps = 4, .regs = 6, .slots = 2, .pregs = 100};
    assert_int_equal(rf_rename_init(&model, &cfg), 0);
    memset(&ask, 0, sizeof ask);
}

static void cycle(void) {
    rf_rename_step(&model, &ask, &answer);
    memset(&ask, 0, sizeof ask);
}

static void map_register(uint32_t warp, uint32_t reg, uint32_t preg, uint32_t pin) {
    ask.wr_valid = 1, ask.wr_warp = (uint8_t)warp, ask.wr_reg = (uint8_t)reg, ask.wr_preg = (uint16_t)preg,
    ask.wr_pin = (uint8_t)pin;
}

static void get(uint32_t warp, uint32_t src0, uint32_t src1, uint32_t dst) {
    ask.rd_warp = (uint8_t)warp, ask.rd_src[0] = (uint8_t)src0, ask.rd_src[1] = (uint8_t)src1, ask.rd_dst = (uint8_t)dst;
}

/* V-B: the mapping is there from the cycle after it is written; V-D: with its pin, until a convergent instruction redefines it.
 */
static void a_mapping_is_read_after_its_write(void **state) {
    (void)state;
    begin();
    map_register(2, 5, 77, 1);
    get(2, 5, 0, 5);
    cycle();
    assert_int_equal(answer.src_valid, 0);
    assert_int_equal(answer.dst_valid, 0);
    get(2, 1, 5, 5);
    map_register(2, 1, 99, 0);
    cycle();
    assert_int_equal(answer.src_valid, 2);
    assert_int_equal(answer.src_preg[0], 0);
    assert_int_equal(answer.src_preg[1], 77);
    assert_int_equal(answer.src_pin, 2);
    assert_int_equal(answer.dst_valid, 1);
    assert_int_equal(answer.dst_preg, 77);
    assert_int_equal(answer.dst_pin, 1);
    get(1, 1, 5, 5); /* another warp's table */
    map_register(2, 5, 78, 0);
    cycle();
    assert_int_equal(answer.src_valid, 0);
    assert_int_equal(answer.dst_valid, 0);
    get(2, 5, 1, 6); /* there is no register 6 */
    cycle();
    assert_int_equal(answer.src_valid, 3);
    assert_int_equal(answer.src_pin, 0);
    assert_int_equal(answer.src_preg[0], 78);
    assert_int_equal(answer.src_preg[1], 99);
    assert_int_equal(answer.dst_valid, 0);
    assert_int_equal(answer.dst_preg, 0);
}

/* A walk costs a cycle an entry and one more. */
static void a_warp_that_ends_gives_its_registers_back(void **state) {
    (void)state;
    begin();
    map_register(1, 3, 30, 1);
    cycle();
    map_register(1, 0, 31, 0);
    cycle();
    map_register(3, 5, 32, 0);
    cycle();
    ask.clear = 1u << 3 | 1u << 1;
    ask.walk = 1;
    cycle();
    assert_int_equal(answer.walking, 0);
    assert_int_equal(answer.walk_valid, 0);
    cycle(); /* offered, not taken */
    assert_int_equal(answer.walking, 10);
    assert_int_equal(answer.walk_valid, 1);
    assert_int_equal(answer.walk_preg, 31);
    ask.walk = 1;
    map_register(1, 0, 40, 1); /* lost */
    cycle();
    assert_int_equal(answer.walk_preg, 31);
    ask.walk = 1;
    get(1, 0, 3, 3);
    cycle();
    assert_int_equal(answer.src_valid, 2);
    assert_int_equal(answer.src_preg[0], 0);
    assert_int_equal(answer.walk_preg, 30);
    assert_int_equal(answer.walking, 10);
    assert_int_equal(model.preg_q[1 * 6 + 0], 31);
    ask.walk = 1;
    map_register(1, 4, 41, 0); /* the mark goes all the same */
    cycle();
    assert_int_equal(answer.walk_valid, 0);
    assert_int_equal(answer.walk_preg, 0);
    assert_int_equal(answer.walking, 10);
    ask.walk = 1;
    cycle();
    assert_int_equal(answer.walking, 8);
    assert_int_equal(answer.walk_preg, 32);
    ask.clear = 1u << 3; /* its mark would go */
    cycle();
    assert_int_equal(answer.walking, 8);
    assert_int_equal(answer.walk_valid, 0);
    cycle();
    assert_int_equal(answer.walking, 8);
    get(1, 4, 3, 3);
    cycle();
    assert_int_equal(answer.walking, 0);
    assert_int_equal(answer.src_valid, 1);
    assert_int_equal(answer.src_preg[0], 41);
    assert_int_equal(answer.dst_pin, 0);
}

static void fill(judge *j) {
    const rf_rename_cfg cfg = {.warps = 3, .regs = 70, .slots = 8, .pregs = 1024};
    rf_rename_in in;
    slow_out now;
    start(j, 0, &model, &slow, &cfg);
    memset(&in, 0, sizeof in);
    in.wr_valid = 1;
    for (uint32_t i = 0; i < 210; i++) {
        in.wr_warp = (uint8_t)(i / 70), in.wr_reg = (uint8_t)(i % 70), in.wr_preg = (uint16_t)(1023 - i), in.wr_pin = i % 3 == 0;
        if (i % 11 == 5) continue;
        if (i == 209) in.clear = 6;
        step(j, &model, &slow, &in, &now);
    }
    judge_passes(j);
}

static void reset_clears_every_register(void **state) {
    judge j;
    (void)state;
    fill(&j);
    const rf_rename_cfg cfg = model.cfg;
    rf_rename_reset(&model);
    slow_reset(&slow);
    compare_state(&j, &slow, &model);
    judge_passes(&j);
    assert_memory_equal(&model.cfg, &cfg, sizeof cfg);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    (void)state;
    JUDGE_RANGES(rf_rename, sets);
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    judge j;
    slow_out now;
    rf_rename_in in;
    rf_rename_out out;
    (void)state;
    fill(&j);
    memset(&in, 0, sizeof in);
    in.rd_warp = 2, in.rd_dst = 69;
    for (uint32_t i = 0; i < 8; i++) in.rd_src[i] = (uint8_t)(i * 9);
    rf_rename_comb(&model, &in, &out);
    slow_comb(&slow, &in, &now);
    JUDGE_FLIPS(&j, rf_rename, LS_OUT, &model, &out, compare_out(&j, &slow, &out, &now));
    JUDGE_FLIPS(&j, rf_rename, LS_STATE, &model, &model, compare_state(&j, &slow, &model));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_instructions),
        cmocka_unit_test(a_mapping_is_read_after_its_write),
        cmocka_unit_test(a_warp_that_ends_gives_its_registers_back),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_rename", tests, NULL, NULL);
}
