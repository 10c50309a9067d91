/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_levels: random worlds that behave like a system and worlds that do anything; the newest value of every register;
 * each rule broken in turn. The rules one by one: test_rf_levels_rules.c. */
#include "tb/hierarchy/judge/judge_levels.h"

extern const ls_unit rf_levels_unit;

/* clang-format off */
#define SEEN(X) \
    X(HIT_L1, "hardware: a source is in the L1") \
    X(HIT_L0, "hardware: a source is in the L0") \
    X(HIT_DEAD, "hardware: a source is in a dead entry") \
    X(HIT_LEAVING, "hardware: a source of a leaving slot hits") \
    X(HIT_UNREAD, "a source hits, and nothing issues") \
    X(HIT_OTHER_SLOT, "a source misses what another slot's file has") \
    X(MERGE, "hardware: a result is merged into an entry") \
    X(MERGE_LEAVING, "hardware: a result of a leaving warp is merged into an entry") \
    X(AT_ONCE, "hardware: a result is taken at once") \
    X(AROUND, "hardware: a whole result goes around the file") \
    X(AROUND_LEAVING, "hardware: a whole result of a leaving warp goes around the file") \
    X(PARTIAL, "hardware: a result of some lanes goes to the MRF") \
    X(LOW, "hardware: a low result goes into the L1, the L0 being free") \
    X(EVICTS, "an entry is sent for a result") \
    X(EVICT_WAITS_PORT, "an entry waits for a read port") \
    X(EVICT_LAST_PORT, "an entry takes the last read port") \
    X(EVICT_WAITS_GRANT, "an entry waits for its bank") \
    X(RESULT_NO_PORT, "a result goes to the MRF while all read ports are taken") \
    X(DEAD_GIVES_WAY, "a result takes the place of a dead entry, and nothing is sent") \
    X(READ_AND_WRITE, "an instruction reads the register of the result that is taken") \
    X(READ_KILLS, "a last read lets the oldest give way to the result of its cycle") \
    X(FLUSH, "an entry is flushed") \
    X(FLUSH_NO_GRANT, "a flush waits for its bank") \
    X(FLUSH_WAITS_PORT, "a flush waits for a read port") \
    X(FLUSH_WAITS_ENTRY, "a flush waits for the read port that the entry of a result takes") \
    X(FLUSH_BESIDE, "a flush and a result of another slot are done in one cycle") \
    X(FLUSH_BESIDE_EVICT, "a flush and an entry of another slot are sent in one cycle") \
    X(FLUSH_WAITS_RESULT, "a flush waits for a result of its slot") \
    X(FLUSH_PASSES, "the lowest leaving slot that holds something has a result, the next is flushed") \
    X(FLUSH_HIGHER, "a lower leaving slot holds nothing") \
    X(FLUSH_DEAD, "a flush frees dead entries and sends nothing") \
    X(FLUSH_DEAD_BESIDE, "a flush frees a dead entry beside the one that is sent") \
    X(NO_SLOT, "a result of a warp without a slot asks for itself") \
    X(ALL_ASK, "every queue asks") \
    X(WAITS_TURN, "two heads are to be offered") \
    X(TURN_GOES_ON, "the turn goes on to a lower queue") \
    X(TURN_STAYS, "a head that is offered is not taken") \
    X(NAME_L1, "software: a source is in the L1") \
    X(NAME_L0, "software: a source is in the L0") \
    X(NAME_POISON, "software: a source is not held") \
    X(NAME_NOWHERE, "software: a source names what does not exist") \
    X(NAME_SHARED, "software: a shared unit reads") \
    X(SET, "software: a destination becomes pending") \
    X(SET_KEEP, "software: the name of a kept operand becomes pending") \
    X(SET_BOTH, "software: both do") \
    X(SET_LOWEST, "software: two operands are to be kept") \
    X(SET_ABOVE, "software: an operand to be kept stands above one that is in the file") \
    X(SET_WRITTEN, "software: a name is set and written in one cycle") \
    X(SET_MUTE, "software: a destination is named, and is none") \
    X(ENDS, "software: the end of a strand clears what is held") \
    X(ENDS_UNDER_WAY, "software: a strand ends while a name is pending") \
    X(ENDS_WRITTEN, "software: a strand ends as a value arrives") \
    X(ENTERS, "software: a warp enters a slot that held something") \
    X(KEPT, "software: an operand is kept") \
    X(KEPT_BLOCKS, "software: a kept operand lets a result wait") \
    X(KEPT_NOWHERE, "software: an operand is kept of a warp without a slot") \
    X(KEPT_SHARED, "software: a shared unit keeps an operand in the L0") \
    X(NAME_ONLY, "software: a result goes to its name at once") \
    X(NAME_AND_MRF, "software: a result goes to its name and the MRF") \
    X(NAME_WAITS, "software: a name waits for the MRF") \
    X(NAME_SHARED_L0, "software: a shared unit's result names the L0") \
    X(MRF_ONLY, "software: a result has no name") \
    X(NAME_NO_SLOT, "software: a result with a name has no slot") \
    X(HOLDS, "a slot is not free") \
    X(STRAY_READ, "an issue in a slot that does not exist") \
    X(STRAY_RESULT, "a result of a warp that does not exist") \
    X(GRANT_UNASKED, "a grant that nobody asked for") \
    X(RESET, "reset while a slot is not free")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void count_sources(const rf_levels_in *in, const slow_way *now, uint64_t *seen) {
    const uint32_t a = in->rd_slot;
    for (uint32_t k = 0; k < slow.cfg.slots && a < slow.cfg.active; k++) {
        if (!judge_bit(in->rd_valid, k)) continue;
        const uint32_t reg = in->rd_reg[k], name = in->rd_from[k] & RF_NOTE_NAME;
        seen[HIT_UNREAD] += now->hit[k] && !in->read;
        if (!by_software(&slow)) {
            const uint32_t i = cache_find(&slow.cache[a], reg);
            seen[HIT_L1] += now->hit[k] && !now->hit_l0[k];
            seen[HIT_L0] += now->hit_l0[k];
            seen[HIT_DEAD] += i != ABSENT && slow.cache[a].at[i].dead;
            seen[HIT_LEAVING] += now->hit[k] && in->read && judge_bit(in->leaving, a);
            for (uint32_t b = 0; b < slow.cfg.active; b++)
                seen[HIT_OTHER_SLOT] += !now->hit[k] && cache_find(&slow.cache[b], reg) != ABSENT;
            continue;
        }
        if (!now->hit[k]) continue;
        const uint32_t held = slow.names[a].of[name].held;
        seen[NAME_L1] += !now->hit_l0[k] && held == ls_mask(slow.cfg.lanes);
        seen[NAME_L0] += now->hit_l0[k] && held == ls_mask(slow.cfg.lanes) && now->data[k][0] == slow.names[a].of[name].lane[0];
        seen[NAME_POISON] += name_exists(&slow.cfg, name) && held != ls_mask(slow.cfg.lanes);
        seen[NAME_NOWHERE] += !name_exists(&slow.cfg, name);
        seen[NAME_SHARED] += in->shared && now->hit_l0[k] && held != 0;
    }
}

static void count_offered(const rf_levels_in *in, const slow_way *now, uint64_t *seen) {
    const uint32_t e = now->offered, a = now->slot[e], ports = slow.cfg.slots;
    const bool whole = in->wr_mask[e] == ls_mask(slow.cfg.lanes), leaves = judge_bit(in->leaving, a), done = now->done[e];
    uint32_t rivals = 0;
    for (uint32_t other = 0; other < slow.cfg.exports; other++) rivals += now->offers[other];
    seen[WAITS_TURN] += rivals > 1;
    seen[TURN_GOES_ON] += rivals > 1 && e < slow.last_turn && done;
    seen[TURN_STAYS] += !done;
    if (by_software(&slow)) {
        seen[NAME_ONLY] += !now->ask[e].any;
        seen[NAME_AND_MRF] += now->ask[e].any && done;
        seen[NAME_WAITS] += now->ask[e].any && !done;
        seen[NAME_SHARED_L0] += (in->wr_note[e] & RF_NOTE_SHARED) != 0 && name_is_l0(in->wr_note[e] & RF_NOTE_NAME);
        return;
    }
    const uint32_t own = cache_find(&slow.cache[a], in->wr_reg[e]);
    seen[MERGE] += own != ABSENT && !whole && done;
    seen[MERGE_LEAVING] += own != ABSENT && !whole && done && leaves;
    seen[AT_ONCE] += !now->ask[e].any && done && whole;
    seen[AROUND] += now->sends.any && !now->sends.entry && whole && !leaves;
    seen[AROUND_LEAVING] += whole && leaves && (in->wr_note[e] & RF_NOTE_UPPER) != 0;
    seen[PARTIAL] += now->sends.any && !now->sends.entry && !whole;
    seen[LOW] += slow.cfg.l0 == 1 && !slow.cache[a].at[TOP].there && own == ABSENT && whole && !leaves && done &&
                 (in->wr_note[e] & (RF_NOTE_UPPER | 1)) == (RF_NOTE_UPPER | 1);
    seen[EVICTS] += now->sends.entry && done;
    seen[EVICT_WAITS_PORT] += now->waits_for_port;
    seen[EVICT_LAST_PORT] += now->sends.entry && done && now->reads == ports - 1 && ports > 1;
    seen[EVICT_WAITS_GRANT] += now->sends.entry && !now->waits_for_port && !done;
    seen[RESULT_NO_PORT] += now->sends.any && !now->sends.entry && now->reads == ports && done;
    if (!reads_slot(in, a)) return;
    slow_cache c = slow.cache[a];
    const slow_sent unread = write_head(&slow, in, e, a, &c);
    for (uint32_t k = 0; k < ports; k++) seen[READ_AND_WRITE] += now->hit[k] && in->rd_reg[k] == in->wr_reg[e] && done;
    seen[READ_KILLS] += unread.any && unread.entry && !now->sends.any;
}

static void count_flush(const rf_levels_in *in, const slow_way *now, uint64_t *seen) {
    const uint32_t a = now->flushes, e = now->offered, f = slow.cfg.exports;
    const bool sends = e != ABSENT && now->ask[e].any && now->sends.entry;
    uint32_t lower_empty = 0, held = 0;
    for (uint32_t b = 0; b < slow.cfg.active; b++) {
        const bool leaves = judge_bit(in->leaving & in->held, b), holds = cache_holds(&slow.cache[b]);
        held += leaves && holds;
        seen[FLUSH_PASSES] += leaves && holds && b < a && a != ABSENT && now->done[f];
        lower_empty += leaves && !holds && b < a;
    }
    seen[FLUSH_WAITS_RESULT] += a == ABSENT && held > 0;
    if (a == ABSENT) return;
    uint32_t dead = 0;
    for (uint32_t i = 0; i <= TOP; i++) dead += slow.cache[a].at[i].dead;
    seen[FLUSH] += now->ask[f].any && now->done[f];
    seen[FLUSH_NO_GRANT] += now->ask[f].any && !now->done[f];
    seen[FLUSH_WAITS_PORT] += !now->flush_goes && now->reads == slow.cfg.slots;
    seen[FLUSH_WAITS_ENTRY] += !now->flush_goes && now->reads + 1 == slow.cfg.slots && sends;
    seen[FLUSH_BESIDE] += now->ask[f].any && now->done[f] && e != ABSENT && now->done[e];
    seen[FLUSH_BESIDE_EVICT] += now->ask[f].any && now->done[f] && sends && now->done[e];
    seen[FLUSH_HIGHER] += lower_empty > 0;
    seen[FLUSH_DEAD] += !now->ask[f].any && now->done[f] && dead > 0;
    seen[FLUSH_DEAD_BESIDE] += now->ask[f].any && now->done[f] && dead > 0;
}

static void count_names(const rf_levels_in *in, const slow_way *now, uint64_t *seen) {
    const uint32_t a = in->rd_slot, kept = kept_source(&slow, in->rd_valid, in->rd_from);
    const uint32_t e = now->offered, name = e != ABSENT ? in->wr_note[e] & RF_NOTE_NAME : ABSENT;
    if (in->read && a < slow.cfg.active) {
        const bool named = (in->to & RF_NOTE_UPPER) != 0, sets = in->dst_valid && named;
        const bool written = e != ABSENT && now->slot[e] == a && now->done[e];
        uint32_t keep = 0, upper = 0;
        for (uint32_t k = 0; k < slow.cfg.slots; k++) {
            const bool wants = judge_bit(in->rd_valid, k) && (in->rd_from[k] & RF_NOTE_KEEP) != 0;
            keep += wants && !now->hit[k];
            upper += wants && now->hit[k] && kept != ABSENT && k < kept;
        }
        seen[SET] += sets;
        seen[SET_KEEP] += kept != ABSENT;
        seen[SET_BOTH] += sets && kept != ABSENT;
        seen[SET_LOWEST] += keep > 1;
        seen[SET_ABOVE] += upper > 0;
        seen[SET_WRITTEN] += sets && written && name == (in->to & RF_NOTE_NAME) && name_exists(&slow.cfg, name);
        seen[SET_MUTE] += named && !in->dst_valid;
        uint32_t held = 0;
        for (uint32_t n = 0; n < RF_LEVEL_NAMES; n++) held |= slow.names[a].of[n].held;
        seen[ENDS] += in->ends && held != 0;
        seen[ENDS_UNDER_WAY] += in->ends && names_pend(&slow.names[a]) && !written;
        seen[ENDS_WRITTEN] += in->ends && written;
    }
    for (uint32_t b = 0; b < slow.cfg.active; b++) {
        uint32_t held = 0;
        for (uint32_t n = 0; n < RF_LEVEL_NAMES; n++) held |= slow.names[b].of[n].held;
        seen[ENTERS] += judge_bit(in->enter, b) && held != 0;
    }
    if (in->keep) {
        const bool there = slot_of_warp(&slow, in, in->keep_warp) != ABSENT;
        seen[KEPT] += there;
        seen[KEPT_NOWHERE] += !there;
        seen[KEPT_SHARED] += there && in->keep_shared && name_is_l0(in->keep_name);
        for (uint32_t q = 0; q < slow.cfg.exports; q++) seen[KEPT_BLOCKS] += now->offers[q];
    }
    for (uint32_t q = 0; q < slow.cfg.exports; q++) {
        const bool head = judge_bit(in->wr_valid, q), named = (in->wr_note[q] & RF_NOTE_UPPER) != 0;
        seen[MRF_ONLY] += head && !named && now->slot[q] != ABSENT && now->done[q];
        seen[NAME_NO_SLOT] += head && named && now->slot[q] == ABSENT && now->done[q];
    }
}

static void count(const rf_levels_in *in, const slow_way *now, uint64_t *seen) {
    uint32_t asks = 0;
    count_sources(in, now, seen);
    if (now->offered != ABSENT) count_offered(in, now, seen);
    if (by_software(&slow)) count_names(in, now, seen);
    else count_flush(in, now, seen);
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        const bool head = judge_bit(in->wr_valid, e);
        asks += now->ask[e].any;
        seen[NO_SLOT] += !by_software(&slow) && head && now->slot[e] == ABSENT;
        seen[STRAY_RESULT] += head && in->wr_warp[e] >= slow.cfg.warps;
        seen[GRANT_UNASKED] += judge_bit(in->grant, e) && !now->ask[e].any;
    }
    seen[ALL_ASK] += slow.cfg.exports > 2 && asks == slow.cfg.exports;
    for (uint32_t a = 0; a < slow.cfg.active; a++) {
        bool dead = false;
        for (uint32_t i = 0; i < slow.cfg.entries; i++) dead = dead || slow.cache[a].at[i].dead;
        seen[HOLDS] += slot_holds(&slow, a);
        seen[DEAD_GIVES_WAY] += dead && now->offered != ABSENT && now->slot[now->offered] == a && now->done[now->offered] &&
                                !now->ask[now->offered].any;
    }
    seen[STRAY_READ] += in->read && in->rd_slot >= slow.cfg.active;
}

/* What the files and the MRF are for (hardware): a register is what was written to it last, in the file or else in the MRF, until
 * its last read. The MRF is what the model asked for and was granted. */
typedef struct golden {
    uint32_t truth[RF_WARPS_MAX][RF_REGS_MAX][RF_LANES_MAX], mrf[RF_WARPS_MAX][RF_REGS_MAX][RF_LANES_MAX];
    uint32_t known[RF_WARPS_MAX][RF_REGS_MAX]; /* lanes that somebody may read */
    uint64_t checked, in_file, in_mrf;
} golden;

static void check_newest(judge *j, golden *g, const levels_world *x, ls_rng *rng) {
    static rf_levels_out out;
    const rf_levels_cfg *cfg = &slow.cfg;
    const uint32_t warp = ls_rng_below(rng, cfg->warps), slot = slot_of_warp(&slow, &x->in, warp);
    rf_levels_in probe = {.rd_valid = slot != ABSENT ? (uint8_t)ls_mask(cfg->slots) : 0};
    if (slot != ABSENT) probe.rd_slot = (uint8_t)slot;
    for (uint32_t k = 0; k < cfg->slots; k++) probe.rd_reg[k] = (uint8_t)ls_rng_below(rng, x->regs);
    rf_levels_comb(&model, &probe, &out);
    for (uint32_t k = 0; k < cfg->slots; k++) {
        const uint32_t reg = probe.rd_reg[k];
        const bool hit = judge_bit(out.hit, k);
        for (uint32_t l = 0; l < cfg->lanes; l++) {
            if (!judge_bit(g->known[warp][reg], l)) continue;
            judge_equal(j, "newest value", 256 * warp + reg, hit ? out.hit_data[k].lane[l] : g->mrf[warp][reg][l],
                        g->truth[warp][reg][l]);
            g->checked++;
            g->in_file += hit;
            g->in_mrf += !hit && g->mrf[warp][reg][l] != 0;
        }
    }
}

static void note_golden(golden *g, const rf_levels_in *in, const rf_levels_out *out) {
    for (uint32_t e = 0; e <= slow.cfg.exports; e++)
        if (judge_bit(out->ask & in->grant, e))
            lanes_copy(g->mrf[out->ask_warp[e]][out->ask_reg[e]], out->ask_data[e].lane, out->ask_mask[e]);
    for (uint32_t k = 0; k < slow.cfg.slots && in->read; k++)
        if (judge_bit(in->rd_valid & in->last, k)) g->known[in->slot_warp[in->rd_slot]][in->rd_reg[k]] = 0;
    for (uint32_t e = 0; e < slow.cfg.exports; e++) {
        if (!judge_bit(out->done, e)) continue;
        lanes_copy(g->truth[in->wr_warp[e]][in->wr_reg[e]], in->wr_data[e].lane, in->wr_mask[e]);
        g->known[in->wr_warp[e]][in->wr_reg[e]] |= in->wr_mask[e];
    }
}

/* A run, which ends with the first difference. */
static void run(judge *j, const rf_levels_cfg *cfg, uint64_t seed, bool lawful, uint64_t cycles, uint64_t *seen, golden *g) {
    static levels_world x;
    static rf_levels_out out;
    static slow_way now;
    start(j, seed, cfg);
    memset(&x, 0, sizeof x);
    x.lawful = lawful;
    ls_rng_seed(&x.rng, seed);
    if (g != NULL) memset(g->known, 0, sizeof g->known), memset(g->mrf, 0, sizeof g->mrf);
    while (j->cycle < cycles && j->differing == 0) {
        if (j->cycle % 256 == 0) draw_levels_mix(&x, cfg);
        draw_levels_in(&x, &slow);
        levels_comb(&slow, &x.in, &now);
        const rf_levels_in in = x.in;
        count(&in, &now, seen);
        if (g != NULL) check_newest(j, g, &x, &x.rng);
        note_levels(&x, &slow, &now);
        step(j, &in, &now, &out);
        if (g != NULL) note_golden(g, &in, &out);
        if (j->cycle % 1500 != 0) continue;
        for (uint32_t a = 0; a < cfg->active; a++) seen[RESET] += slot_holds(&slow, a);
        rf_levels_reset(&model);
        rf_levels_reset(&stepped);
        levels_reset(&slow);
        forget_levels(&x);
        if (g != NULL) memset(g->known, 0, sizeof g->known);
        compare_models(j);
    }
}

/*   warps regs lanes slots exports active managed entries l0 policy */
static const struct {
    rf_levels_cfg cfg;
    uint64_t cycles; /* of each of two runs */
} sets[] = {
    {{6, 8, 3, 3, 3, 2, 0, 3, 1, 0}, 12000}, {{6, 8, 2, 3, 3, 3, 0, 2, 1, 1}, 12000},
    {{1, 1, 1, 1, 1, 1, 0, 1, 0, 0}, 3000},  {{5, 5, 1, 2, 2, 3, 0, 1, 1, 1}, 8000},
    {{8, 16, 2, 3, 4, 4, 0, 4, 0, 1}, 6000}, {{3, 9, 5, 4, 3, 2, 0, 3, 0, 0}, 8000},
    {{33, 7, 1, 3, 7, 5, 0, 8, 1, 0}, 4000}, {{64, 256, 2, 8, 5, 7, 0, 5, 1, 1}, 3000},
    {{4, 4, 32, 2, 2, 2, 0, 2, 1, 1}, 3000}, {{40, 33, 1, 3, 3, 32, 0, 6, 1, 1}, 1500},
    {{6, 8, 3, 3, 3, 2, 1, 3, 2, 0}, 12000}, {{6, 8, 2, 3, 3, 3, 1, 3, 1, 1}, 12000},
    {{1, 1, 1, 1, 1, 1, 1, 1, 0, 0}, 3000},  {{5, 5, 1, 2, 2, 3, 1, 1, 2, 0}, 8000},
    {{8, 16, 2, 3, 4, 4, 1, 6, 0, 0}, 6000}, {{3, 9, 5, 4, 3, 2, 1, 4, 1, 0}, 8000},
    {{33, 7, 1, 8, 7, 5, 1, 8, 2, 1}, 4000}, {{64, 256, 2, 7, 5, 7, 1, 5, 2, 0}, 3000},
    {{4, 4, 32, 2, 2, 2, 1, 2, 1, 0}, 3000}, {{40, 33, 1, 3, 3, 32, 1, 5, 2, 0}, 1500},
};
#define SETS (sizeof sets / sizeof *sets)

static void random_worlds_of_every_size(void **state) {
    static golden g;
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < SETS; i++)
        for (uint32_t lawful = 0; lawful <= 1; lawful++) {
            judge j;
            run(&j, &sets[i].cfg, ls_seed_derive(2 * i + lawful, "judge rf_levels"), lawful, sets[i].cycles, seen,
                lawful && sets[i].cfg.managed == 0 ? &g : NULL);
            judge_passes(&j);
            cycles += sets[i].cycles;
        }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
    assert_true(g.checked > 10000 && g.in_file > 1000 && g.in_mrf > 1000);
}

/* A slow model that breaks one rule differs from the model in some run. */
static void a_model_that_breaks_a_rule_is_seen(void **state) {
    uint64_t seen[EVENTS] = {0};
    uint32_t missed = 0;
    (void)state;
    for (uint32_t f = RIGHT + 1; f < FLAW_COUNT; f++) {
        bool differs = false;
        for (size_t n = 0; n < 2 * SETS && !differs; n++) {
            const size_t i = n / 4 + n / 2 % 2 * (SETS / 2); /* by hardware and by software in turn */
            judge j;
            flaw = f;
            run(&j, &sets[i].cfg, ls_seed_derive(n, "judge rf_levels"), n % 2 == 1, sets[i].cycles, seen, NULL);
            flaw = RIGHT;
            differs = j.differing != 0;
        }
        if (!differs) print_error("nobody sees that %s\n", flaw_names[f]);
        missed += !differs;
    }
    assert_int_equal(missed, 0);
}

/* --- rule by rule ----------------------------------------------------------------------------------------------------------- */
static void reset_clears_every_register(void **state) {
    uint64_t seen[EVENTS] = {0};
    judge j;
    (void)state;
    for (uint32_t i = 0; i < SETS; i += 10) {
        run(&j, &sets[i].cfg, 7, true, 300, seen, NULL);
        rf_levels_reset(&model);
        rf_levels_reset(&stepped);
        levels_reset(&slow);
        compare_models(&j);
        judge_passes(&j);
        assert_memory_equal(&model.cfg, &sets[i].cfg, sizeof model.cfg);
    }
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    rf_levels_cfg good[SETS];
    (void)state;
    for (size_t i = 0; i < SETS; i++) good[i] = sets[i].cfg;
    JUDGE_RANGES(rf_levels, good);
    rf_levels_cfg cfg = good[0];
    cfg.managed = 0;
    cfg.l0 = 2; /* a split L0 needs a compiler */
    judge_refused(&rf_levels_unit, &cfg, "l0", "1");
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    uint64_t seen[EVENTS] = {0};
    (void)state;
    for (uint32_t i = 0; i < SETS; i++) {
        static rf_levels_out out;
        judge j;
        slow_way now;
        if (sets[i].cfg.lanes > 5 || sets[i].cfg.active > 4) continue;
        run(&j, &sets[i].cfg, 5, true, 400, seen, NULL);
        judge_passes(&j);
        rf_levels_in in = {.held = 1, .grant = 1, .wr_valid = 1, .rd_valid = 1, .rd_from = {RF_NOTE_UPPER}};
        memset(&out, 0, sizeof out);
        levels_comb(&slow, &in, &now);
        rf_levels_comb(&model, &in, &out);
        JUDGE_LANE_FLIPS(&j, rf_levels, LS_OUT, &model, &out, compare_levels_out(&j, &slow, &now, &out));
        JUDGE_LANE_FLIPS(&j, rf_levels, LS_STATE, &model, &model, compare_levels_state(&j, &slow, &model));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_worlds_of_every_size),     cmocka_unit_test(a_model_that_breaks_a_rule_is_seen),
        cmocka_unit_test(reset_clears_every_register),     cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_levels", tests, NULL, NULL);
}
