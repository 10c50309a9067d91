/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_cerf: the slow system of slow_cerf.h beside two models, one run by comb and clock, the other by step; operands are
 * the registers as the program's order has them, loads get what was stored. */
#include "tb/banked/judge/judge_world.h"
#include "tb/cerf/judge/cerf_count.h"
#include "tb/cerf/judge/cerf_use.h"
#include "tb/cerf/judge/judge_sets.h"
#include "tb/cerf/judge/memory_world.h"
#include "tb/cerf/judge/slow_cerf.h"

extern const ls_unit rf_cerf_unit;
extern const ls_unit rf_cerf_memory_unit;

static rf_cerf model, stepped, before;
static rf_cerf_memory expected; /* of the memory */
static slow_cerf slow;
static slow_cerf_turn turn;
static rf_cerf_out out;
static judge_list memory_registers;

static void compare_models(judge *j) {
    expect_registers(&slow.memory, &expected);
    judge_fields(j, &memory_registers, &model.memory, &expected);
    judge_fields(j, &memory_registers, &stepped.memory, &expected);
    compare_stage_of_cerf(j, &slow, &model);
    compare_stage_of_cerf(j, &slow, &stepped);
}

static void compare_all(judge *j) {
    expect_registers(&slow.memory, &expected);
    judge_fields(j, &memory_registers, &model.memory, &expected);
    compare_stage_of_cerf(j, &slow, &model);
    if (!slow.cfg.integrated) compare_banks(j, &slow.stage.units, &model.stage.units);
}

static void begin(judge *j, uint64_t seed, const rf_cerf_cfg *c) {
    judge_begin(j, seed, "rf_cerf %u %u banks=%u regs=%u %u %u %u %u sched=%u %u %u int=%u pol=%u sets=%u %u %u %u %u %u live=%u",
                c->warps, c->collectors, c->banks, c->regs, c->lanes, c->slots, c->exports, c->issues, c->sched, c->fetch,
                c->wbdepth, c->integrated, c->policy, c->sets, c->ways, c->mshrs, c->targets, c->queue, c->prefix, c->liveness);
    memset(&model, 0xa5, sizeof model);
    memset(&stepped, 0x5a, sizeof stepped);
    assert_int_equal(rf_cerf_init(&model, c), 0);
    assert_int_equal(rf_cerf_init(&stepped, c), 0);
    assert_memory_equal(&model.cfg, c, sizeof *c);
    cerf_start(&slow, c);
    if (lapse == NO_LAPSE) has_its_banks(&model.memory, &slow.memory.cfg);
    judge_list_of(&memory_registers, &rf_cerf_memory_unit, LS_STATE, &model.memory);
    memset(&expected, 0, sizeof expected);
    compare_models(j);
    if (!c->integrated) compare_banks(j, &slow.stage.units, &model.stage.units);
}

static void reset(judge *j) {
    rf_cerf_reset(&model);
    rf_cerf_reset(&stepped);
    cerf_reset(&slow);
    expect_memory_reset(&slow.memory, &expected);
    compare_models(j);
    assert_memory_equal(&model.cfg, &slow.cfg, sizeof slow.cfg);
    if (!slow.cfg.integrated) compare_banks(j, &slow.stage.units, &model.stage.units);
}

/* One cycle of all three (`turn` by cerf_comb), everything compared but those rows of the banks that nobody writes. */
static void step(judge *j, const rf_cerf_in *in, bool lawful, uint64_t *checked) {
    static rf_cerf_out at_once;
    const bool look = j->cycle % 512 == 7;
    memset(&out, 0xa5, sizeof out);
    memset(&at_once, 0x5a, sizeof at_once);
    if (look) memcpy(&before, &model, sizeof model);
    rf_cerf_comb(&model, in, &out);
    if (look) judge_same(&before, &model, sizeof model);
    rf_cerf_clock(&model, in);
    rf_cerf_step(&stepped, in, &at_once);
    compare_cerf_out(j, &slow, &turn, &out);
    compare_cerf_out(j, &slow, &turn, &at_once);
    compare_cerf_wires(j, &slow, &turn, &out);
    compare_cerf_wires(j, &slow, &turn, &at_once);
    if (lawful) compare_with_program(j, &slow.stage, &turn.stage.units, &out.stage, checked);
    uint32_t bank[8], row[8];
    for (uint32_t e = 0; e < slow.cfg.exports; e++)
        bank[e] = slow.stage.units.queue[e].waiting[0].bank, row[e] = slow.stage.units.queue[e].waiting[0].row;
    cerf_clock(&slow, in, &turn);
    compare_models(j);
    for (uint32_t e = 0; e < slow.cfg.exports && !slow.cfg.integrated; e++) {
        if (!turn.stage.units.write[e]) continue;
        compare_row(j, &slow.stage.units, &model.stage.units, bank[e], row[e]);
        compare_row(j, &slow.stage.units, &stepped.stage.units, bank[e], row[e]);
    }
    j->cycle++;
}

/* --- what surrounds it -------------------------------------------------------------------------------------------------------
 */

/* clang-format off */
#define SEEN(X) \
    X(RAW, "a source is pending") \
    X(WAW, "the destination is pending") \
    X(WAR, "a collector has yet to read the destination") \
    X(NO_COLLECTOR, "a warp is chosen and no collector is free") \
    X(CLEARED_THEN_ISSUED, "an instruction issues in the cycle after the write it waited for") \
    X(MASKED_OFF, "mask 0, with sources and destination named") \
    X(SHARED_READ, "one read for several slots") \
    X(SEVERAL_READS, "a collector has several requests accepted in one cycle") \
    X(HIT, "an operand comes two cycles after its request was accepted") \
    X(LATE, "an operand comes more than ten cycles later") \
    X(DISORDER, "the operand of a later request comes first") \
    X(WRITTEN_ON_THE_WAY, "a result for a register whose operands have yet to come is accepted: it hits") \
    X(WRITE_WAITS_FILL, "a result waits for the register that is on its way from L2") \
    X(READ_REFUSED, "an operand's request is refused") \
    X(WRITE_REFUSED, "a result is refused: its queue waits") \
    X(SPILLED, "a register is spilled") \
    X(FETCHED, "a register comes back from L2") \
    X(PARTIAL_AROUND, "some lanes of a register go to L2") \
    X(UNWRITTEN, "registers first: a register that was not written is 0") \
    X(DEATH, "a last read frees the entry") \
    X(DEATH_OF_SHARER, "... though the asking slot's is not the last read") \
    X(DEATH_ON_THE_WAY, "... is not kept when it comes from L2") \
    X(SPARED, "another collector has yet to read: the entry does not die") \
    X(SPARED_THEN_DIES, "a last read that is refused is spared no more when it asks again") \
    X(NO_LIVENESS, "a last read without LIVENESS") \
    X(REGISTER_OVER_LINE, "a register replaces cache data") \
    X(LINE_OVER_REGISTER, "cache data replaces a register") \
    X(RESULT_BEFORE_OPERAND, "a result goes before an operand") \
    X(ACCESS_BEFORE_OPERAND, "the load/store unit goes before an operand") \
    X(LOADED, "a load or atomic is answered beside operands") \
    X(QUEUE_FULL, "a result is refused by a full queue") \
    X(EMPTY_WRITE, "a result for no lane") \
    X(REUSED_AT_ONCE, "a collector is taken in the cycle after its dispatch") \
    X(PORT_CONFLICT, "two collected instructions for one port") \
    X(STRAY_SOURCE, "a source of a register out of range") \
    X(STRAY_RESULT, "a result for a warp or register out of range") \
    X(APART, "INTEGRATED 0: a bank of registers is accessed and one of the L1D") \
    X(APART_LAST, "INTEGRATED 0: a last read") \
    X(APART_POLICY, "INTEGRATED 0: policy 2, and cache data replaces cache data") \
    X(APART_REGISTER_REUSE, "INTEGRATED 0: a register is used again") \
    X(APART_LINE_REUSE, "INTEGRATED 0: a line is used again") \
    X(RESET, "reset with instructions inside and a register on its way")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

typedef struct run_sum {
    uint64_t seen[EVENTS], uses[USE_EVENTS], operands, loads; /* lanes checked */
    bool spared[16][8];
} run_sum;

static world around;
static memory_world side; /* load/store unit and L2 */
static rf_cerf_in in;
static uint32_t p_last;
static cerf_counts counts; /* of the last run, since its last reset */
static slow_use uses;      /* of the last run */
static uint64_t present;   /* warps in their slots */
static ls_rng ends;

/* All registers, and lines of their sets. */
static void begin_side(uint64_t seed, bool lawful) {
    const rf_cerf_memory_cfg *cfg = &slow.memory.cfg;
    memset(&side, 0, sizeof side);
    ls_rng_seed(&side.rng, seed);
    side.lawful = lawful;
    for (uint32_t n = 0; n < cfg->registers && n < 600; n++)
        side.line[side.lines++] = (memory_line){.line = register_line(cfg, n), .number = n, .reg = true};
    draw_cache_lines(&side, cfg);
    for (uint32_t i = side.registers; i < side.lines; i++) ls_rng_lanes(&side.rng, side.line[i].l2, cfg->lanes);
    world_forget(&side, cfg);
}

/* After a reset the memory is empty: registers are what L2 has of them, or 0. */
static void forget_all(void) {
    forget(&around);
    world_forget(&side, &slow.memory.cfg);
    for (uint32_t n = 0; slow.cfg.integrated && n < side.registers; n++)
        memcpy(slow.stage.units.reg[n / slow.cfg.regs][n % slow.cfg.regs], side.line[n].truth, sizeof side.line[n].truth);
}

static void draw_all_mixes(void) {
    draw_mix(&around, &slow.stage.units.cfg);
    draw_memory_mix(&side);
    p_last = ls_rng_chance(&side.rng, 96) ? 0 : ls_rng_below(&side.rng, 200);
    if (slow.cfg.collectors > 2 && ls_rng_chance(&side.rng, 128)) side.p_access /= 8;
    if (!side.lawful || !slow.cfg.integrated) return; /* registers are the program's */
    side.op[RF_CACHE_READ_REG] = side.op[RF_CACHE_WRITE_REG] = side.op[RF_CACHE_FLUSH] = 0;
    side.op[RF_CACHE_LOAD]++;
}

/* A warp without an instruction may end; what ended issues nothing until a warp is launched into the slot. Where there are many,
 * the last one neither ends nor issues for most of the time: what it used is old when it is used again. */
static void draw_ends(uint64_t heads, uint64_t cycle) {
    const uint64_t last = slow.cfg.warps < 8 ? 0 : UINT64_C(1) << (slow.cfg.warps - 1);
    in.launch &= ~last;
    if (cycle % 1200 > 100) in.ib_valid &= ~last, around.fetched &= ~last;
    for (uint32_t w = 0; w < slow.cfg.warps; w++) {
        const uint64_t bit = UINT64_C(1) << w;
        if (!judge_bit(present, w) && ls_rng_chance(&ends, 24)) in.launch |= bit;
        else if (!judge_bit(heads | in.launch | last, w) && ls_rng_chance(&ends, 2)) present &= ~bit;
    }
    present |= in.launch;
    in.ib_valid &= present, around.fetched &= present;
}

static void draw_all(uint64_t cycle) {
    const rf_cerf_memory_cfg *cfg = &slow.memory.cfg;
    const uint64_t heads = in.ib_valid;
    stimulate(&around, &slow.stage.units.cfg);
    draw_ends(heads, cycle);
    for (uint32_t w = 0; w < slow.cfg.warps; w++)
        if (judge_bit(around.fetched, w)) in.ib_last[w] = (uint8_t)ls_rng_bits(&side.rng, slow.cfg.slots, p_last);
    draw_access(&side, cfg);
    if (side.lawful) draw_lawful_fill(&side, cycle);
    else draw_any_fill(&side, &slow.memory);
    in.l2_ready = happens(&side, side.p_mem);
    in.mem_valid = side.in.mem_valid, in.mem_op = side.in.mem_op, in.mem_line = side.in.mem_line, in.mem_way = side.in.mem_way;
    in.mem_id = side.in.mem_id, in.mem_mask = side.in.mem_mask, in.mem_data = side.in.mem_data;
    in.fill_valid = side.in.fill_valid, in.fill_bank = side.in.fill_bank, in.fill_entry = side.in.fill_entry;
    in.fill_data = side.in.fill_data;
}

/* Between cerf_comb and the edge. */
static void note_all(judge *j) {
    const rf_cerf_memory_out *o = &turn.memory.out;
    if (side.lawful && j->differing == 0) {
        for (uint32_t b = 0; b < slow.cfg.banks; b++)
            if (judge_bit(o->ld_valid, b))
                check_answer(j, &side, &side.load[o->ld_id[b]], o->ld_id[b], o->ld_data[b].lane, slow.cfg.lanes);
        if (o->mem_accept) note_access(&side, &slow.memory);
        if (o->l2_valid && in.l2_ready) note_message(&side, &slow.memory, &turn.memory, j->cycle);
    }
    if (o->mem_accept) side.in.mem_valid = 0;
    if (side.in.fill_valid && o->fill_ready) side.in.fill_valid = 0;
}

static void count_heads(run_sum *sum) {
    uint64_t *seen = sum->seen;
    for (uint32_t w = 0; w < slow.cfg.warps; w++) {
        const bool valid = judge_bit(in.ib_valid, w);
        seen[RAW] += valid && turn.stage.units.raw[w];
        seen[WAW] += valid && turn.stage.units.waw[w];
        seen[WAR] += valid && turn.stage.units.war[w] && !turn.stage.units.raw[w] && !turn.stage.units.waw[w];
        seen[MASKED_OFF] += valid && in.ib_mask[w] == 0 && judge_bit(in.ib_dst_valid, w) && in.ib_src_valid[w] != 0;
    }
    for (uint32_t g = 0; g < slow.cfg.issues; g++) {
        const uint32_t w = turn.stage.units.goes[g];
        seen[NO_COLLECTOR] += turn.stage.units.chosen[g] != NONE && turn.stage.units.given[g] == NONE;
        seen[CLEARED_THEN_ISSUED] += w != NONE && around.waited[w];
        seen[NO_LIVENESS] += w != NONE && slow.cfg.integrated && !slow.cfg.liveness && in.ib_last[w] != 0;
        seen[APART_LAST] += w != NONE && !slow.cfg.integrated && in.ib_last[w] != 0;
    }
}

static void count_slot(run_sum *sum, uint32_t c, uint32_t k) {
    const slow_collector *of = &slow.stage.units.collector[c];
    const uint32_t r = c * slow.cfg.slots + k, b = asked_bank(&slow.memory, &turn.in, r);
    const slow_turn *bank = &turn.memory.bank[b];
    const bool asks = turn.stage.units.asks[c][k], granted = turn.memory.granted[b] == r;
    uint64_t *seen = sum->seen;
    seen[SHARED_READ] += of->slot[k].state == WAITING && reader_of(of, k) != k;
    if (asks) {
        seen[READ_REFUSED] += granted && bank->out.refuse;
        seen[DEATH] += granted && bank->out.accept && turn.stage.dead[c][k];
        seen[DEATH_OF_SHARER] += granted && bank->out.accept && turn.stage.dead[c][k] && !slow.stage.last[c][k];
        seen[DEATH_ON_THE_WAY] += granted && bank->fetches && !bank->miss.keep;
        seen[SPARED] += granted && bank->out.accept && turn.stage.last[c][k] && !turn.stage.dead[c][k];
        seen[SPARED_THEN_DIES] += turn.stage.dead[c][k] && sum->spared[c][k];
        sum->spared[c][k] = turn.stage.last[c][k] && !turn.stage.dead[c][k];
        seen[UNWRITTEN] += granted && bank->access.kind == ZEROS && bank->starts;
        seen[RESULT_BEFORE_OPERAND] += turn.memory.granted[b] != NOBODY && is_writer(&slow.memory, turn.memory.granted[b]);
        seen[ACCESS_BEFORE_OPERAND] += turn.memory.granted[b] == access_of(&slow.memory);
        seen[STRAY_SOURCE] += granted && of->slot[k].reg >= slow.cfg.regs;
    } else sum->spared[c][k] = false;
    if (of->slot[k].state != ARRIVING) return;
    const bool comes = judge_bit(turn.memory.out.rd_fill, c * slow.cfg.slots + slow.stage.asker[c][k]);
    seen[HIT] += comes && slow.stage.now == slow.stage.accepted[c][k] + 2;
    seen[LATE] += comes && slow.stage.now > slow.stage.accepted[c][k] + 10;
    for (uint32_t n = 0; n < slow.cfg.slots; n++)
        seen[DISORDER] += comes && of->slot[n].state == ARRIVING && slow.stage.accepted[c][n] < slow.stage.accepted[c][k] &&
                          !judge_bit(turn.memory.out.rd_fill, c * slow.cfg.slots + slow.stage.asker[c][n]);
    for (uint32_t e = 0; e < slow.cfg.exports; e++)
        seen[WRITTEN_ON_THE_WAY] += turn.stage.units.write[e] && turn.in.wr_number[e] == slow.stage.number[c][k] &&
                                    slow.stage.now > slow.stage.accepted[c][k];
}

static void count_memory(run_sum *sum) {
    uint64_t *seen = sum->seen;
    for (uint32_t b = 0; b < slow.cfg.banks; b++) {
        const slow_turn *t = &turn.memory.bank[b];
        const uint32_t a = turn.memory.granted[b];
        const bool writes = a != NOBODY && is_writer(&slow.memory, a);
        seen[WRITE_REFUSED] += writes && t->out.refuse;
        seen[WRITE_WAITS_FILL] += writes && t->did[WRITE_REG_MSHR];
        seen[PARTIAL_AROUND] += writes && t->did[WRITE_REG_PARTIAL];
        seen[SPILLED] += slow.cfg.integrated && t->out.victim && t->out.victim_state == RF_LINE_REG;
        seen[FETCHED] += t->did[FILL_REG];
        seen[REGISTER_OVER_LINE] += writes && t->out.victim && holds_cache(t->out.victim_state);
        seen[LINE_OVER_REGISTER] += t->did[FILL_CACHE] && t->out.victim && t->out.victim_state == RF_LINE_REG;
        seen[APART_POLICY] += !slow.cfg.integrated && slow.cfg.policy == 2 && t->did[FILL_CACHE] && t->out.victim;
        seen[APART] += !slow.cfg.integrated && turn.stage.units.reader[b] != NONE && t->out.accept;
    }
    seen[LOADED] += turn.memory.out.ld_valid != 0 && turn.memory.out.rd_fill != 0;
}

static void count_all(run_sum *sum) {
    uint64_t *seen = sum->seen;
    count_heads(sum);
    count_memory(sum);
    for (uint32_t c = 0; c < slow.cfg.collectors; c++) {
        uint32_t reads = 0;
        for (uint32_t k = 0; k < slow.cfg.slots; k++) {
            reads += turn.stage.units.read[c][k];
            if (slow.cfg.integrated) count_slot(sum, c, k);
        }
        seen[SEVERAL_READS] += slow.cfg.integrated && reads > 1;
        seen[REUSED_AT_ONCE] += around.left[c] && turn.stage.units.taken_by[c] != NONE;
    }
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        uint32_t collected = 0;
        for (uint32_t c = 0; c < slow.cfg.collectors; c++)
            collected +=
                is_collected(&slow.stage.units, &slow.stage.units.collector[c]) && slow.stage.units.collector[c].port == e;
        seen[PORT_CONFLICT] += collected > 1;
        seen[QUEUE_FULL] += judge_bit(in.res_valid, e) && slow.stage.units.queue[e].length == slow.cfg.wbdepth;
        seen[STRAY_RESULT] += judge_bit(in.res_valid, e) && !in_range(&slow.stage.units, in.res_warp[e], in.res_dst[e]);
        seen[EMPTY_WRITE] += slow.cfg.integrated && turn.stage.units.write[e] && slow.stage.units.queue[e].waiting[0].mask == 0;
    }
}

static bool register_on_its_way(void) {
    for (uint32_t c = 0; c < slow.cfg.collectors; c++)
        for (uint32_t k = 0; k < slow.cfg.slots; k++)
            if (slow.stage.units.collector[c].slot[k].state == ARRIVING && slow.stage.now > slow.stage.accepted[c][k] + 3)
                return true;
    return false;
}

static void begin_uses(uint64_t seed, const rf_cerf_cfg *cfg) {
    if (uses.slots != 0) use_end(&uses);
    use_start(&uses, cfg->warps, judge_codes(cfg->regs), cfg->slots, cfg->issues);
    ls_rng_seed(&ends, seed);
    present = ls_mask(cfg->warps);
}

/* In the model's way and in the judge's; `turn` and `out` are of the cycle that is over. */
static void count_uses(const rf_cerf_in *now) {
    rf_cerf_use_cycle(&uses.model, now, &out, present);
    use_cycle(&uses, now, turn.stage.units.goes, turn.memory.out.mem_accept != 0, present);
}

/* At the end of a run. */
static void add_uses(const rf_cerf_cfg *cfg, run_sum *sum) {
    judge_add_counts(uses.of);
    for (uint32_t i = 0; i < USE_EVENTS; i++) sum->uses[i] += uses.seen[i];
    sum->seen[APART_REGISTER_REUSE] += !cfg->integrated && uses.of[C_register_reuses] != 0;
    sum->seen[APART_LINE_REUSE] += !cfg->integrated && uses.of[C_line_reuses] != 0;
}

/* A run, which ends with the first difference. */
static void run(judge *j, const rf_cerf_cfg *cfg, uint64_t seed, bool lawful, uint64_t cycles, run_sum *sum) {
    begin(j, seed, cfg);
    memset(&counts, 0, sizeof counts);
    begin_side(seed + 1, lawful);
    begin_uses(seed + 2, cfg);
    memset(&around, 0, sizeof around);
    memset(&in, 0, sizeof in);
    around.in = &in.stage;
    around.lawful = lawful;
    ls_rng_seed(&around.rng, seed);
    while (j->cycle < cycles && j->differing == 0) {
        if (j->cycle % 256 == 0) draw_all_mixes();
        draw_all(j->cycle);
        cerf_comb(&slow, &in, &turn);
        count_all(sum);
        const rf_cerf_in now = in;
        const rf_stage_waits waits = draw_waits(in.ib_valid | (j->cycle % 128 < 64 ? 0 : ls_mask(cfg->warps)), j->cycle);
        count_cycle(&counts, &slow, &in, &turn, &waits);
        note_all(j);
        step(j, &now, lawful, &sum->operands);
        rf_cerf_count_cycle(&counts.model, &model, &now, &out, cfg->integrated ? &waits : NULL);
        count_entries(&counts, &slow);
        count_uses(&now);
        take_note(&around, &slow.stage.units.cfg, &turn.stage.units, &out.stage);
        if (j->cycle % 700 != 0) continue;
        sum->seen[RESET] += register_on_its_way();
        if (j->differing == 0) compare_counts(j, &counts, cfg);
        if (j->differing == 0) compare_uses(j, &uses, USE_FIGURES);
        memset(&counts, 0, sizeof counts);
        reset(j);
        forget_all();
    }
    if (!cfg->integrated && j->differing == 0) compare_banks(j, &slow.stage.units, &model.stage.units);
    if (j->differing == 0) compare_counts(j, &counts, cfg);
    if (j->differing == 0) compare_uses(j, &uses, USE_FIGURES);
    add_uses(cfg, sum);
    sum->loads += side.checked;
}

/*   W C B R L S E I sched F D int pol sets ways mshrs targets queue prefix live */
static const struct {
    rf_cerf_cfg cfg;
    uint64_t cycles; /* of each of two runs */
} sets[] = {
    {{8, 3, 4, 8, 3, 3, 2, 1, 0, 8, 2, 1, 1, 32, 2, 2, 2, 2, 32767, 1}, 2500},
    {{8, 3, 2, 8, 2, 3, 2, 1, 0, 8, 2, 1, 0, 8, 2, 2, 2, 1, 5, 1}, 3000},
    {{6, 4, 4, 7, 3, 3, 3, 2, 1, 3, 3, 1, 2, 8, 2, 3, 1, 2, 1234, 1}, 2500},
    {{4, 2, 1, 5, 2, 2, 2, 1, 2, 2, 1, 1, 0, 2, 4, 2, 2, 2, 9, 0}, 2000},
    {{1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1, 2, 1, 1, 0, 1}, 800},
    {{8, 3, 4, 8, 3, 3, 2, 1, 0, 8, 2, 0, 2, 4, 2, 2, 2, 2, 32767, 1}, 1500},
    {{9, 5, 8, 6, 2, 4, 4, 3, 2, 2, 3, 1, 1, 16, 4, 4, 2, 2, 77, 1}, 1200},
    {{5, 7, 2, 7, 3, 8, 5, 1, 1, 5, 3, 1, 0, 4, 3, 4, 3, 3, 16777215, 1}, 1200},
    {{12, 15, 8, 6, 1, 4, 3, 4, 0, 64, 5, 0, 1, 64, 1, 4, 8, 16, 3, 0}, 600},
    {{64, 6, 8, 128, 2, 3, 8, 4, 0, 16, 16, 1, 0, 32, 8, 16, 4, 4, 32767, 1}, 150},
    {{32, 8, 4, 32, 32, 3, 3, 1, 0, 8, 4, 1, 1, 256, 4, 8, 4, 4, 32767, 1}, 150},
    {{2, 1, 1, 256, 32, 7, 1, 2, 1, 1, 1, 0, 0, 1, 1, 3, 1, 1, 1, 1}, 500},
};
#define SETS (sizeof sets / sizeof *sets)

/* A lawful L2 holds no more registers than `side` does. */
static bool may_be_lawful(size_t i) { return sets[i].cfg.warps * sets[i].cfg.regs <= 600; }

static void random_programs(void **state) {
    static run_sum sum;
    uint64_t cycles = 0;
    (void)state;
    for (size_t i = 0; i < SETS; i++)
        for (uint32_t lawful = 0; lawful <= may_be_lawful(i); lawful++) {
            judge j;
            run(&j, &sets[i].cfg, ls_seed_derive(2 * i + lawful, "judge rf_cerf"), lawful, sets[i].cycles, &sum);
            judge_passes(&j);
            cycles += j.cycle;
        }
    assert_true(cycles >= 30000);
    judge_saw_all(event_names, sum.seen, EVENTS);
    judge_saw_all(use_event_names, sum.uses, USE_EVENTS);
    judge_saw_all(counter_names, counted, COUNTS);
    assert_true(sum.operands > 10000);
    assert_true(sum.loads > 2000);
}

/* A slow system that breaks one rule differs from the model in some run. */
static void a_system_that_breaks_a_rule_is_seen(void **state) {
    static run_sum sum;
    uint32_t missed = 0;
    (void)state;
    for (uint32_t f = NO_LAPSE + 1; f < LAPSE_COUNT; f++) {
        bool differs = lapse_names[f] == NULL;
        for (size_t n = 0; n < 2 * 8 && !differs; n++) {
            judge j;
            lapse = f;
            run(&j, &sets[n / 2].cfg, ls_seed_derive(n, "judge rf_cerf"), n % 2 == 1, sets[n / 2].cycles, &sum);
            lapse = NO_LAPSE;
            differs = j.differing != 0;
        }
        if (!differs) print_error("nobody sees that %s\n", lapse_names[f]);
        missed += !differs;
    }
    assert_int_equal(missed, 0);
}

/* One more than was told. */
static void count_told_wrong(void *ctx, const char *name, double value) {
    uint32_t *noticed = ctx;
    judge j;
    judge_begin(&j, 0, "tampered");
    j.compared = 1; /* those before */
    if (!judge_counter(&j, name, value + 1, counts.of)) return;
    judge_caught(&j, name, 0, 0);
    (*noticed)++;
}

/* Each counter and each figure of the uses that is told too large is noticed, as that one. */
static void a_wrong_count_is_noticed(void **state) {
    static run_sum sum;
    static const uint32_t which[] = {1, 5}; /* one memory; apart */
    (void)state;
    for (uint32_t i = 0; i < sizeof which / sizeof *which; i++) {
        judge j;
        const rf_cerf_cfg *cfg = &sets[which[i]].cfg;
        uint32_t noticed = 0;
        run(&j, cfg, 11, true, 400, &sum);
        judge_passes(&j);
        rf_cerf_count_report(&counts.model, cfg, count_told_wrong, &noticed);
        assert_int_equal(noticed, cfg->integrated ? STAGE_COUNTS : (LINE_COUNTERS(COUNT_ONE)));
        for (uint32_t wrong = 0; wrong < USE_FIGURES; wrong++) {
            judge_begin(&j, 0, "tampered");
            const use_check check = compare_uses(&j, &uses, wrong);
            judge_caught(&j, check.name[wrong], 0, 0);
        }
    }
}

/* --- by hand -----------------------------------------------------------------------------------------------------------------
 */

static judge trial;

/* Four warps of four registers, two collectors of two slots, two ports, two banks; lines of two words: number 4 * warp +
 * register, bank number mod 2, line 16 + number. Two MSHRs of two targets, queues of two. */
static void start_with(uint32_t integrated, uint32_t policy, uint32_t of_sets, uint32_t ways, uint32_t liveness) {
    const rf_cerf_cfg cfg = {4, 2, 2, 4, 2, 2, 2, 1, 0, 4, 2, integrated, policy, of_sets, ways, 2, 2, 2, 1, liveness};
    begin(&trial, 0, &cfg);
    memset(&in, 0, sizeof in);
    in.ex_ready = 3;
}

/* A cycle; what issued, was taken or accepted is gone, and so are answers of L2. */
static void cycle(void) {
    uint64_t checked = 0;
    cerf_comb(&slow, &in, &turn);
    step(&trial, &in, true, &checked);
    judge_passes(&trial);
    if (out.issue_valid) in.ib_valid &= ~(UINT64_C(1) << out.issue_warp[0]);
    in.res_valid &= (uint8_t)~out.res_ready;
    if (out.mem_accept) in.mem_valid = 0;
    in.fill_valid = 0;
}

static void idle(uint32_t cycles) {
    for (uint32_t i = 0; i < cycles; i++) cycle();
}

static void show_inst(uint32_t w, uint32_t port, uint32_t dst, uint32_t src, uint32_t last) {
    put_head(&slow.stage.units.cfg, &in.stage, w, port, dst, src);
    in.ib_last[w] = (uint8_t)last;
}

static void offer_result(uint32_t e, uint32_t w, uint32_t reg, uint32_t value) {
    give_result(&slow.stage.units.cfg, &in.stage, e, w, reg, value);
}

static void access_line(uint32_t op, uint32_t line, uint32_t id) {
    in.mem_valid = 1, in.mem_op = (uint8_t)op, in.mem_line = line, in.mem_id = (uint8_t)id, in.mem_mask = 3;
    in.mem_data = (rf_vec){{line, line + 1000}};
}

static void answer_of_l2(uint32_t bank, uint32_t entry, uint32_t value) {
    in.fill_valid = 1, in.fill_bank = (uint8_t)bank, in.fill_entry = (uint8_t)entry;
    in.fill_data = (rf_vec){{value, value + 1}};
}

static uint32_t state_of(uint32_t bank, uint32_t set, uint32_t way) {
    return model.memory.bank[bank].tags.state_q[set] >> 2 * way & 3;
}

/* Issue 0, accepted 1, the operand 3, dispatch 4: one cycle more than rf_banked. Result offered 6, written 7; the dependent
 * instruction issues in 8. With POLICY 1 what was not written is 0, and L2 sees nothing. */
static void one_instruction_and_its_dependent(void **state) {
    (void)state;
    start_with(1, RF_POLICY_REGISTERS, 8, 2, 1);
    for (uint32_t t = 0; t <= 13; t++) {
        if (t == 0) show_inst(3, 1, 2, 1, 0);
        if (t == 1) show_inst(3, 0, 300, 2, 0);
        if (t == 6) offer_result(1, 3, 2, 0xcafe00);
        cycle();
        assert_int_equal(out.issue_valid, t == 0 || t == 8);
        assert_int_equal(out.wires.rd_accept, t == 1 || t == 9);
        if (t == 1) assert_int_equal(out.wires.number[0], 13);
        assert_int_equal(turn.memory.out.rd_fill, t == 3 || t == 11);
        assert_int_equal(out.ex_valid, t == 4 ? 2 : t == 12 ? 1 : 0);
        assert_int_equal(out.ex_data[2].lane[1], 0);
        if (t == 12) assert_int_equal(out.ex_data[0].lane[1], 0xcafe01);
        assert_int_equal(out.wires.wr_accept, t == 7 ? 2 : 0);
        assert_int_equal(out.l2_valid, 0);
        if (t == 7) assert_int_equal(out.wires.memory.asked, 1); /* number 14 */
    }
}

/* A result holds up the bank of two operands; collector 1, whose read is the last, goes first. Collector 0 still has to read:
 * the entry stays. Later a last read alone frees it, if LIVENESS is 1. */
static void a_last_read_frees_the_entry_if_nobody_else_has_to_read(void **state) {
    (void)state;
    for (uint32_t liveness = 0; liveness <= 1; liveness++) {
        start_with(1, RF_POLICY_REGISTERS, 8, 2, liveness);
        offer_result(0, 0, 0, 77);
        idle(2);
        assert_int_equal(state_of(0, 0, 0), RF_LINE_REG);
        show_inst(1, 0, 300, 0, 0); /* bank 0: collector 0 has had its turn */
        idle(6);
        show_inst(0, 0, 300, 0, 0); /* the older one */
        offer_result(1, 2, 0, 5);
        cycle();
        assert_int_equal(out.issue_valid, 1);
        show_inst(0, 1, 300, 0, 1);
        cycle();
        assert_int_equal(out.issue_valid, 1);
        assert_int_equal(out.wires.wr_accept, 2);
        assert_int_equal(out.wires.rd_accept, 0);
        cycle();
        assert_int_equal(out.wires.rd_accept, 4);
        assert_int_equal(out.wires.rd_last, liveness ? 4 : 0);
        assert_int_equal(out.wires.rd_dead, 0);
        cycle();
        assert_int_equal(out.wires.rd_accept, 1);
        idle(4);
        assert_int_equal(state_of(0, 0, 0), RF_LINE_REG);
        show_inst(0, 0, 300, 0, 1);
        idle(2);
        assert_int_equal(out.wires.rd_accept, 1);
        assert_int_equal(out.wires.rd_dead, liveness);
        assert_int_equal(state_of(0, 0, 0), liveness ? RF_LINE_INACTIVE : RF_LINE_REG);
        idle(3);
        assert_int_equal(out.ex_valid, 1);
        assert_int_equal(out.ex_data[0].lane[0], 77); /* it was read all the same */
    }
}

/* One entry in each bank: R2 has R0 spilled, which comes back. The writer of R0 may issue when the read was accepted; its result
 * is not written before R0 has come. */
static void a_write_waits_for_the_register_on_its_way(void **state) {
    (void)state;
    start_with(1, RF_POLICY_FAIR, 2, 1, 1);
    in.l2_ready = 1;
    offer_result(0, 0, 0, 70);
    idle(2);
    offer_result(0, 0, 2, 72);
    for (uint32_t t = 0; t < 5; t++) {
        cycle();
        assert_int_equal(out.l2_valid, t == 4); /* written 1, read 2, pushed 3 */
    }
    assert_int_equal(out.l2_op, RF_MISS_WRITE);
    assert_int_equal(out.l2_line, 16);
    assert_int_equal(out.l2_data.lane[1], 71);
    show_inst(0, 0, 1, 0, 0); /* R1 <- R0 */
    cycle();
    assert_int_equal(out.issue_valid, 1);
    show_inst(0, 1, 0, 300, 0); /* R0 <- */
    cycle();
    assert_int_equal(out.wires.rd_accept, 1);
    assert_int_equal(out.issue_valid, 0); /* D-war */
    cycle();
    assert_int_equal(out.issue_valid, 1);
    cycle();
    assert_int_equal(out.l2_op, RF_MISS_FETCH);
    assert_int_equal(out.l2_line, 16);
    assert_int_equal(out.ex_valid, 2);
    offer_result(1, 0, 0, 80);
    idle(5);
    assert_int_equal(out.wires.wr_accept, 0);
    assert_int_equal(slow.stage.units.pending[0][0], 1);
    answer_of_l2(0, 0, 70);
    cycle();
    assert_int_equal(out.fill_ready, 1);
    cycle();
    assert_int_equal(out.wires.wr_accept, 0); /* the first step of two; R2 is spilled */
    cycle();
    assert_int_equal(out.wires.wr_accept, 2); /* the last step: it is woken, and hits */
    assert_int_equal(turn.memory.out.rd_fill, 1);
    assert_int_equal(model.memory.bank[0].data.mem_q[0].lane[0], 70);
    cycle();
    assert_int_equal(out.ex_valid, 1);
    assert_int_equal(out.ex_data[0].lane[0], 70); /* what R0 was */
    assert_int_equal(model.memory.bank[0].data.mem_q[0].lane[0], 80);
}

/* INTEGRATED 0: the cycles of rf_banked (dispatch 3, written 6), and a load beside them; registers are not in the L1D. */
static void apart_they_do_not_meet(void **state) {
    (void)state;
    start_with(0, RF_POLICY_CACHE, 2, 1, 1);
    in.l2_ready = 1;
    for (uint32_t t = 0; t <= 11; t++) {
        if (t == 0) show_inst(3, 1, 2, 1, 3), access_line(RF_CACHE_LOAD, 17, 40); /* a line that would be a register's */
        if (t == 5) offer_result(1, 3, 2, 0xcafe00), answer_of_l2(1, 0, 0xbee);
        if (t == 9) access_line(RF_CACHE_LOAD, 17, 41);
        cycle();
        assert_int_equal(out.issue_valid, t == 0);
        assert_int_equal(out.ex_valid, t == 3 ? 2 : 0);
        assert_int_equal(out.separate.wires.arbiter.bank_we, t == 6 ? 2 : 0); /* R2 of warp 3: bank 5 mod 2 */
        assert_int_equal(out.wires.memory.asked, t == 0 || t == 9 ? 2 : 0);
        assert_int_equal(out.l2_valid, t == 2);
        if (t == 2) assert_int_equal(out.l2_line, 17);
        assert_int_equal(out.ld_valid, t == 7 || t == 11 ? 2 : 0);
        assert_int_equal(out.ld_id[1], t == 7 ? 40 : t == 11 ? 41 : 0);
        if (t == 11) assert_int_equal(out.ld_data[1].lane[0], 0xbee);
    }
}

static void reset_clears_every_register(void **state) {
    static run_sum sum;
    (void)state;
    for (uint32_t i = 0; i < 8; i++) {
        judge j;
        run(&j, &sets[i].cfg, 7, false, 300, &sum);
        reset(&j);
        judge_passes(&j);
    }
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    rf_cerf_cfg good[] = {sets[4].cfg, sets[9].cfg}, cfg = sets[1].cfg; /* small and large: they take the ends of all ranges */
    (void)state;
    good[0].policy = 0;
    for (size_t i = 0; i < SETS; i++) assert_null(rf_cerf_check(&sets[i].cfg));
    judge_ranges_but_sets(&rf_cerf_unit, good, sizeof good / sizeof *good, "");
    cfg.issues = 3;
    judge_refused(&rf_cerf_unit, &cfg, "warps", "issues");
    cfg = sets[1].cfg, cfg.collectors = 15, cfg.slots = 5;
    judge_refused(&rf_cerf_unit, &cfg, "collectors", "64");
    cfg.slots = 4;
    assert_null(rf_cerf_check(&cfg));
    cfg = sets[1].cfg, cfg.banks = 6, cfg.sets = 12;
    judge_refused(&rf_cerf_unit, &cfg, "banks", "8");
    cfg = sets[1].cfg, cfg.sets = 1;
    judge_refused(&rf_cerf_unit, &cfg, "sets", "256");
    cfg.sets = 1024;
    judge_refused(&rf_cerf_unit, &cfg, "sets", "256");
    cfg.sets = 512, cfg.ways = 5;
    judge_refused(&rf_cerf_unit, &cfg, "ways", "1024");
    cfg = sets[1].cfg, cfg.warps = 64, cfg.regs = 256, cfg.banks = 8, cfg.sets = 8;
    judge_refused(&rf_cerf_unit, &cfg, "warps", "1024");
    cfg = sets[0].cfg, cfg.ways = 1, cfg.sets = 32; /* 64 registers */
    judge_refused(&rf_cerf_unit, &cfg, "policy", "ways");
    cfg.integrated = 0;
    assert_null(rf_cerf_check(&cfg));
    cfg.integrated = 1, cfg.policy = 2;
    assert_null(rf_cerf_check(&cfg));
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static run_sum sum;
    static const uint32_t which[] = {1, 2, 3, 5};
    (void)state;
    for (uint32_t i = 0; i < sizeof which / sizeof *which; i++) {
        judge j;
        run(&j, &sets[which[i]].cfg, 5, false, 300, &sum);
        judge_passes(&j);
        const rf_cerf_in now = in;
        memset(&out, 0xa5, sizeof out);
        cerf_comb(&slow, &now, &turn);
        rf_cerf_comb(&model, &now, &out);
        JUDGE_LANE_FLIPS(&j, rf_cerf, LS_OUT, &model, &out, compare_cerf_out(&j, &slow, &turn, &out));
        JUDGE_LANE_FLIPS(&j, rf_cerf, LS_STATE, &model, &model, compare_all(&j));
        if (!slow.cfg.integrated) continue;
#define WIRE(member) JUDGE_FLIP(&j, out.wires.member, 1, #member, 0, 0, compare_cerf_wires(&j, &slow, &turn, &out))
        WIRE(ready);
        WIRE(chosen);
        WIRE(busy);
        WIRE(collected);
        WIRE(rd_last);
        WIRE(rd_dead);
        WIRE(rd_accept);
        WIRE(wr_accept);
        WIRE(alloc.grant);
        WIRE(dispatch.grant);
#undef WIRE
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs),
        cmocka_unit_test(a_system_that_breaks_a_rule_is_seen),
        cmocka_unit_test(a_wrong_count_is_noticed),
        cmocka_unit_test(one_instruction_and_its_dependent),
        cmocka_unit_test(a_last_read_frees_the_entry_if_nobody_else_has_to_read),
        cmocka_unit_test(a_write_waits_for_the_register_on_its_way),
        cmocka_unit_test(apart_they_do_not_meet),
        cmocka_unit_test(reset_clears_every_register),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_cerf", tests, NULL, NULL);
}
