/* SPDX-License-Identifier: Apache-2.0 */
/* The events that the random runs of rf_steal's judge must have seen, and the hints that they give. */
#ifndef RF_JUDGE_STEAL_SEEN_H
#define RF_JUDGE_STEAL_SEEN_H

#include "tb/steal/judge/judge_steal.h"

/* clang-format off */
#define SEEN(X) \
    X(CANDIDATE_LATE, "a candidate is not ready any more") \
    X(CANDIDATE_WITHOUT_COLLECTOR, "a candidate finds no collector") \
    X(AHEAD_OWN_CONFLICT, "READS 1: two operands of one candidate in a bank") \
    X(AHEAD_OTHER_CONFLICT, "READS 1: operands of two groups' candidates in a bank") \
    X(AHEAD_BLOCKED_CONFLICT, "READS 1: the only conflict is an operand that waits for its value") \
    X(AHEAD_NO_CONFLICT, "READS 1: an operand without conflict is not asked for") \
    X(AHEAD_IDLE, "READS 2: an operand without conflict is read ahead") \
    X(AHEAD_REPEATED, "an operand that is named twice is read ahead") \
    X(AHEAD_REPEATED_ALONE, "READS 1: an operand named twice is no conflict with itself") \
    X(AHEAD_PARTLY, "a candidate issues with some operands read and others not") \
    X(AHEAD_WHOLLY, "a candidate issues with several operands, all read") \
    X(AHEAD_LOST_TO_READ, "a read ahead loses to a normal read") \
    X(AHEAD_LOST_TO_FORCED, "a read ahead loses to a forced write") \
    X(AHEAD_YIELDS, "YIELD 1: a read ahead loses to a normal write") \
    X(AHEAD_LOST_TO_RETURN, "a read ahead loses to a return or recall") \
    X(AHEAD_LOST_TO_AHEAD, "a read ahead loses to another") \
    X(AHEAD_BLOCKED, "a candidate's operand waits for its value") \
    X(AHEAD_OF_TURN, "a candidate issues in place of the scheduler's choice") \
    X(AHEAD_IN_TURN, "a candidate issues that is the scheduler's choice") \
    X(AHEAD_GTO, "ahead of greedy then oldest") \
    X(AHEAD_LRR, "ahead of loose round-robin") \
    X(AHEAD_GROUPS, "ahead of fetch groups") \
    X(AHEAD_IN_TWO_GROUPS, "candidates of two groups issue") \
    X(AHEAD_AND_TURN, "one group's candidate issues beside another group's choice") \
    X(AHEAD_MASKED_OFF, "a candidate with sources and mask 0 is not read ahead") \
    X(WRITE_NORMAL, "a normal write") \
    X(WRITE_STOLEN, "a stealing write") \
    X(WRITE_FORCED, "a forced write") \
    X(STOLEN_FROM_READ, "stolen because of a normal read") \
    X(STOLEN_FROM_AHEAD, "stolen because of a stealing read") \
    X(STOLEN_FROM_RETURN, "stolen because of a return") \
    X(STOLEN_FROM_RECALL, "stolen because of a forced recall") \
    X(STOLEN_TWICE, "two stealing writes in a cycle") \
    X(STOLEN_WRAPPED, "the place lies before the last one") \
    X(FORCED_PARTIAL, "forced because its mask is partial, though a place is there") \
    X(FORCED_WANTED, "forced because somebody asks for the only usable bank") \
    X(FORCED_TAKEN, "forced because another writer has taken the only place") \
    X(FORCED_OFF, "WRITES 0: forced though a register of an idle bank is inactive") \
    X(WAITS_FOR_RETURN, "a writer waits for a return") \
    X(WAITS_FOR_RECALL, "a writer waits for a forced recall") \
    X(WAITS_FOR_BUS, "a writer waits because a value comes back on its bus") \
    X(WAITS_FOR_WRITER, "a writer waits for another one that is stolen") \
    X(READ_WAITS_FOR_RETURN, "a read waits for a return in its bank") \
    X(READ_WAITS_FOR_FORCED, "a read waits for a forced write") \
    X(RECALL_VOLUNTARY, "a voluntary recall") \
    X(RECALL_FORCED, "a forced recall with an idle bus") \
    X(RECALL_WITHOUT_BUS, "a forced recall without one") \
    X(RECALL_NOT_FIRST_BUS, "a recall on another bus than the first") \
    X(RECALL_INSTEAD, "a forced recall goes before a voluntary one") \
    X(RECALL_QUEUE, "two forced recalls, one waits") \
    X(RECALL_HELD_BY_RETURN, "a forced recall waits for a return in its bank") \
    X(RECALL_NO_BUS, "a voluntary recall finds no bus") \
    X(RECALL_WANTED, "a voluntary recall waits because somebody asks for the bank") \
    X(RECALL_WRAPPED, "the recalled bank lies before the last one") \
    X(RECALL_AND_RETURN, "a return and a recall in one cycle") \
    X(RAW_WAIT, "a reader waits for a lent value") \
    X(WAW_WAIT, "a writer waits for an older result that is lent") \
    X(LENT_WAIT, "a writer waits for the register that is lent") \
    X(NAME_TAKEN, "a name makes a register Rfree") \
    X(NAME_REPLACES, "a name replaces Rfree") \
    X(NAME_LOST, "a name is lost: Rfree is in use") \
    X(NAME_AT_CLEAR, "a name in the cycle of the recall") \
    X(NAME_AT_LINK, "a name in the cycle of the link is lost") \
    X(NAME_TWICE, "two names for a bank in one cycle") \
    X(NAME_MASKED_OFF, "an instruction of no lanes names") \
    X(NAME_AWAY, "Rfree is a register whose value is kept elsewhere") \
    X(DROP, "an instruction writes Rfree") \
    X(DROP_LENT, "an instruction writes a register that is lent") \
    X(DROP_AT_LINK, "an instruction writes Rfree in the cycle of the link") \
    X(DROP_AND_NAME, "Rfree is written and one named in one cycle") \
    X(LAUNCH_FREE, "the warp of Rfree starts") \
    X(LAUNCH_LENT, "the warp of a register that is lent starts") \
    X(LAUNCH_NAME, "a warp starts and an instruction names one of its registers") \
    X(DEPENDENT_IN_TIME, "an instruction issues in the cycle after the stealing write it waited for") \
    X(STRAY_LENT, "a row behind the last one is lent") \
    X(QUEUE_FULL, "a result is refused by a full queue") \
    X(RESET_LENT, "reset with values lent") \
    X(RESET_RETURN, "reset with a value on its way back")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

/* Hints of a random run: registers that hold nothing of use, and how often they are named. */
typedef struct hints {
    bool inactive[64][256];
    uint32_t most, p_name, p_revive;
    bool stole[64]; /* by warp: a result was stolen in the cycle before, for which it waited */
} hints;

static inline void draw_hints(hints *h, ls_rng *rng, const rf_steal_cfg *cfg) {
    h->most = ls_rng_below(rng, cfg->regs);
    h->p_name = ls_rng_below(rng, 257);
    h->p_revive = ls_rng_below(rng, 257);
}

static inline uint32_t draw_active(const hints *h, ls_rng *rng, const rf_steal_cfg *cfg, uint32_t w) {
    uint32_t reg = ls_rng_below(rng, cfg->regs);
    while (h->inactive[w][reg]) reg = (reg + 1) % cfg->regs; /* there is one: below */
    return reg;
}

/* A new head, any hint at all: most of the banks get a name now and then. */
static inline void hint_junk(hints *h, ls_rng *rng, const rf_steal_cfg *cfg, rf_steal_in *in, uint32_t w) {
    in->ib_name_valid[w] = (uint8_t)ls_rng_bits(rng, RF_FREES_MAX, h->p_name);
    for (uint32_t u = 0; u < RF_FREES_MAX; u++) {
        in->ib_name[w * RF_FREES_MAX + u] = (uint8_t)ls_rng_below(rng, judge_codes(cfg->regs));
    }
}

/* A new head that keeps the promise: it touches no inactive register but one that it writes whole; it names what it
 * does not touch. One register of a warp stays active. */
static inline void hint_lawfully(hints *h, ls_rng *rng, const rf_steal_cfg *cfg, rf_steal_in *in, uint32_t w) {
    const uint64_t bit = UINT64_C(1) << w;
    bool touched[256] = {false};
    uint32_t count = 0;
    in->ib_name_valid[w] = 0;
    for (uint32_t k = 0; k < cfg->slots; k++) {
        uint8_t *reg = &in->ib_src[w * cfg->slots + k];
        if (h->inactive[w][*reg]) *reg = (uint8_t)draw_active(h, rng, cfg, w);
        touched[*reg] = true;
    }
    for (uint32_t r = 0; r < cfg->regs; r++) count += h->inactive[w][r];
    if ((in->ib_dst_valid & bit) != 0 && in->ib_mask[w] == ls_mask(cfg->lanes) && ls_rng_chance(rng, h->p_revive)) {
        uint32_t reg = ls_rng_below(rng, cfg->regs);
        for (uint32_t tries = 0; tries < cfg->regs && !h->inactive[w][reg]; tries++) reg = (reg + 1) % cfg->regs;
        in->ib_dst[w] = (uint8_t)reg;
    } else if (h->inactive[w][in->ib_dst[w]]) {
        in->ib_dst[w] = (uint8_t)draw_active(h, rng, cfg, w);
    }
    touched[in->ib_dst[w]] = true;
    for (uint32_t u = 0; u < RF_FREES_MAX; u++) {
        const uint32_t reg = ls_rng_below(rng, cfg->regs);
        if (touched[reg] || !ls_rng_chance(rng, h->p_name) || (!h->inactive[w][reg] && count >= h->most)) continue;
        count += !h->inactive[w][reg];
        touched[reg] = true;
        in->ib_name[w * RF_FREES_MAX + u] = (uint8_t)reg;
        in->ib_name_valid[w] |= (uint8_t)(1u << u);
    }
}

/* What issued has said what it said. */
static inline void note_hints(const slow_steal *s, hints *h, const rf_steal_cfg *cfg, const rf_steal_in *in,
                              const slow_theft *now) {
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint32_t w = now->stage.goes[g];
        if (w != NONE && judge_bit(in->ib_dst_valid, w) && in->ib_mask[w] != 0) h->inactive[w][in->ib_dst[w]] = false;
        for (uint32_t u = 0; u < RF_FREES_MAX && w != NONE; u++) {
            if (judge_bit(in->ib_name_valid[w], u)) h->inactive[w][in->ib_name[w * RF_FREES_MAX + u]] = true;
        }
    }
    memset(h->stole, 0, sizeof h->stole);
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const slow_result *r = &s->stage.queue[e].waiting[0];
        if (!now->stolen[e] || r->warp >= cfg->warps || r->reg >= cfg->regs) continue;
        h->stole[r->warp] = judge_bit(in->ib_valid, r->warp) && now->stage.hazard[r->warp];
    }
}

/* How many other operands of candidates with a collector are in the bank of this one: of its own instruction, of others; those
 * that are not blocked. */
static inline void count_ahead_conflicts(const slow_steal *s, const rf_steal_in *in, const slow_theft *now, uint32_t g,
                                         uint32_t k, uint32_t *own, uint32_t *others, uint32_t *unblocked) {
    *own = *others = *unblocked = 0;
    for (uint32_t og = 0; og < s->cfg.issues; og++)
        for (uint32_t ok = 0; ok < s->cfg.slots; ok++) {
            if (!now->offers[og] || !now->ahead_source[og][ok] || (og == g && ok == k)) continue;
            if (ahead_reader(s, in, now, og, ok) != ok || ahead_bank(s, in, og, ok) != ahead_bank(s, in, g, k)) continue;
            *own += og == g;
            *others += og != g;
            *unblocked += !now->sr_blocked[og][ok];
        }
}

static inline void count_ahead(const slow_steal *s, const rf_steal_in *in, const slow_theft *now, uint64_t *seen) {
    const rf_steal_cfg *cfg = &s->cfg;
    uint32_t stealing = 0, turns = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        uint32_t operands = 0, filled = 0;
        seen[CANDIDATE_LATE] += s->candidate[g] != NONE && !now->counts[g];
        seen[CANDIDATE_WITHOUT_COLLECTOR] += now->counts[g] && !now->offers[g];
        for (uint32_t k = 0; k < cfg->slots; k++) {
            uint32_t own, others, unblocked;
            seen[AHEAD_MASKED_OFF] +=
                now->offers[g] && in->ib_mask[s->candidate[g]] == 0 && judge_bit(in->ib_src_valid[s->candidate[g]], k);
            if (!now->offers[g] || !now->ahead_source[g][k]) continue;
            operands++;
            filled += now->stage.ahead[g][k];
            if (ahead_reader(s, in, now, g, k) != k) {
                count_ahead_conflicts(s, in, now, g, ahead_reader(s, in, now, g, k), &own, &others, &unblocked);
                seen[AHEAD_REPEATED] += now->stage.ahead[g][k];
                seen[AHEAD_REPEATED_ALONE] += cfg->reads == 1 && own + others == 0 && !now->sr_blocked[g][k];
                continue;
            }
            const uint32_t b = ahead_bank(s, in, g, k);
            const bool lost = now->ahead_asks[g][k] && !now->ahead_read[g][k];
            bool read = false;
            for (uint32_t c = 0; c < cfg->collectors; c++)
                for (uint32_t i = 0; i < cfg->slots; i++)
                    read = read || (now->stage.asks[c][i] && !now->rd_blocked[c][i] && s->stage.collector[c].slot[i].bank == b);
            count_ahead_conflicts(s, in, now, g, k, &own, &others, &unblocked);
            seen[AHEAD_OWN_CONFLICT] += cfg->reads == 1 && now->ahead_read[g][k] && own > 0 && others == 0;
            seen[AHEAD_OTHER_CONFLICT] += cfg->reads == 1 && now->ahead_read[g][k] && own == 0 && others > 0;
            seen[AHEAD_BLOCKED_CONFLICT] += cfg->reads == 1 && now->ahead_asks[g][k] && unblocked == 0;
            seen[AHEAD_NO_CONFLICT] += cfg->reads == 1 && own + others == 0 && !now->sr_blocked[g][k];
            seen[AHEAD_IDLE] += now->ahead_read[g][k] && own + others == 0;
            seen[AHEAD_BLOCKED] += now->sr_blocked[g][k];
            seen[AHEAD_LOST_TO_READ] += lost && now->stage.reader[b] != NONE;
            seen[AHEAD_LOST_TO_FORCED] += lost && !read && now->stage.writer[b] != NONE && now->forced[now->stage.writer[b]];
            seen[AHEAD_YIELDS] +=
                lost && !is_return_to(s, b) && now->stage.writer[b] != NONE && !now->forced[now->stage.writer[b]];
            seen[AHEAD_LOST_TO_RETURN] += lost && !read && (is_return_to(s, b) || now->recalled == b);
            seen[AHEAD_LOST_TO_AHEAD] += lost && now->thief[b] != NONE;
        }
        if (now->stage.goes[g] == NONE) continue;
        turns += !now->steals[g];
        if (!now->steals[g]) continue;
        stealing++;
        seen[AHEAD_PARTLY] += filled < operands;
        seen[AHEAD_WHOLLY] += filled > 1 && filled == operands;
        seen[AHEAD_OF_TURN] += now->stage.goes[g] != now->stage.chosen[g];
        seen[AHEAD_IN_TURN] += now->stage.goes[g] == now->stage.chosen[g];
        seen[cfg->sched == 0   ? AHEAD_GTO
             : cfg->sched == 1 ? AHEAD_LRR
                               : AHEAD_GROUPS] += now->stage.goes[g] != now->stage.chosen[g];
    }
    seen[AHEAD_IN_TWO_GROUPS] += stealing > 1;
    seen[AHEAD_AND_TURN] += stealing > 0 && turns > 0;
}

static inline void count_writes(const slow_steal *s, const slow_theft *now, uint64_t *seen) {
    const rf_steal_cfg *cfg = &s->cfg;
    uint32_t stolen = 0, last = s->last_place;
    for (uint32_t e = 0; e < cfg->exports; e++) {
        if (s->stage.queue[e].length == 0) continue;
        const slow_result *r = &s->stage.queue[e].waiting[0];
        const bool written = now->stage.write[e], returns = is_return_to(s, r->bank), recalls = now->recalled == r->bank;
        uint32_t usable = 0, wanted = 0, taken = 0, rivals = 0, inactive = 0;
        for (uint32_t b = 0; b < cfg->banks; b++) {
            const bool open = now->usable[b] && !is_return_to(s, b) && now->recalled != b;
            bool link = false;
            for (uint32_t other = 0; other < e; other++) link = link || (now->stolen[other] && now->place[other] == b);
            usable += open && !now->wanted[b] && !link;
            inactive += s->loan[b].free && !now->wanted[b];
            wanted += open && now->wanted[b];
            taken += open && !now->wanted[b] && link;
        }
        for (uint32_t other = 0; other < cfg->exports; other++)
            rivals += other != e && now->stolen[other] && s->stage.queue[other].waiting[0].bank == r->bank;
        seen[WRITE_NORMAL] += written && !now->stolen[e] && !now->forced[e];
        seen[WRITE_STOLEN] += now->stolen[e];
        seen[WRITE_FORCED] += now->forced[e];
        if (now->stolen[e]) {
            stolen++;
            seen[STOLEN_FROM_READ] += now->stage.reader[r->bank] != NONE;
            seen[STOLEN_FROM_AHEAD] += now->thief[r->bank] != NONE;
            seen[STOLEN_FROM_RETURN] += returns;
            seen[STOLEN_FROM_RECALL] += recalls;
            seen[STOLEN_WRAPPED] += now->place[e] <= last;
            seen[STRAY_LENT] += s->loan[now->place[e]].row >= rows_of(&s->stage.cfg);
            last = now->place[e];
        }
        const bool full = r->mask == ls_mask(cfg->lanes);
        seen[FORCED_PARTIAL] += cfg->writes == 1 && now->forced[e] && !full && usable > 0;
        seen[FORCED_WANTED] += cfg->writes == 1 && now->forced[e] && full && usable + taken == 0 && wanted > 0;
        seen[FORCED_TAKEN] += cfg->writes == 1 && now->forced[e] && full && usable == 0 && taken > 0;
        seen[FORCED_OFF] += cfg->writes == 0 && now->forced[e] && full && inactive > 0;
        seen[WAITS_FOR_RETURN] += !written && now->wr_asks[e] && returns;
        seen[WAITS_FOR_RECALL] += !written && now->wr_asks[e] && recalls;
        seen[WAITS_FOR_BUS] += !now->wr_asks[e] && !now->wr_blocked[e];
        seen[WAITS_FOR_WRITER] += !written && now->wr_asks[e] && rivals > 0;
    }
    seen[STOLEN_TWICE] += stolen > 1;
}

static inline void count_recalls(const slow_steal *s, const slow_theft *now, uint64_t *seen) {
    const rf_steal_cfg *cfg = &s->cfg;
    uint32_t forced = 0, voluntary = 0, held = 0, idle = 0, wanted = 0;
    for (uint32_t e = 0; e < cfg->exports; e++) idle += s->stage.queue[e].length == 0;
    for (uint32_t b = 0; b < cfg->banks; b++) {
        if (!s->loan[b].lent) continue;
        held += now->forced_back[b] && is_return_to(s, b);
        if (is_return_to(s, b)) continue;
        forced += now->forced_back[b];
        wanted += !now->forced_back[b] && now->wanted[b];
        voluntary += !now->forced_back[b] && !now->wanted[b];
    }
    const bool recalled = now->recalled != NONE;
    seen[RECALL_VOLUNTARY] += recalled && !now->recall_forced;
    seen[RECALL_FORCED] += recalled && now->recall_forced && idle > 0;
    seen[RECALL_WITHOUT_BUS] += recalled && now->recall_forced && idle == 0;
    seen[RECALL_NOT_FIRST_BUS] += recalled && now->recall_bus > 0;
    seen[RECALL_INSTEAD] += now->recall_forced && voluntary > 0 && idle > 0;
    seen[RECALL_QUEUE] += forced > 1;
    seen[RECALL_HELD_BY_RETURN] += held > 0;
    seen[RECALL_NO_BUS] += forced == 0 && voluntary > 0 && idle == 0;
    seen[RECALL_WANTED] += forced + voluntary == 0 && wanted > 0 && idle > 0;
    seen[RECALL_WRAPPED] += recalled && now->recalled <= s->last_recall;
    seen[RECALL_AND_RETURN] += recalled && s->coming;
    for (uint32_t c = 0; c < cfg->collectors; c++)
        for (uint32_t k = 0; k < cfg->slots; k++) {
            const uint32_t b = s->stage.collector[c].slot[k].bank;
            const bool waits = now->stage.asks[c][k] && !now->rd_blocked[c][k] && !now->stage.read[c][k];
            seen[RAW_WAIT] += now->rd_blocked[c][k];
            seen[READ_WAITS_FOR_RETURN] += waits && is_return_to(s, b);
            seen[READ_WAITS_FOR_FORCED] +=
                waits && now->stage.writer[b] != NONE && !is_return_to(s, b) && now->forced[now->stage.writer[b]];
        }
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const slow_result *r = &s->stage.queue[e].waiting[0];
        if (!now->wr_blocked[e]) continue;
        seen[WAW_WAIT] += is_lent_for(s, r->bank, r->row);
        seen[LENT_WAIT] += s->loan[r->bank].lent && s->loan[r->bank].row == r->row;
    }
}

static inline void count_hints(const slow_steal *s, const rf_steal_in *in, const slow_theft *now, uint64_t *seen) {
    const rf_steal_cfg *cfg = &s->cfg;
    bool linked[32] = {false};
    uint32_t names[32] = {0}, drops[32] = {0};
    for (uint32_t e = 0; e < cfg->exports; e++)
        if (now->stolen[e]) linked[now->place[e]] = true;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint32_t w = now->stage.goes[g];
        if (w == NONE) continue;
        const uint32_t db = bank_of(&s->stage.cfg, w, in->ib_dst[w]);
        const bool writes = judge_bit(in->ib_dst_valid, w) && in->ib_mask[w] != 0;
        if (writes && s->loan[db].free && s->loan[db].row == row_of(&s->stage.cfg, w, in->ib_dst[w])) {
            drops[db]++;
            seen[s->loan[db].lent ? DROP_LENT : DROP]++;
            seen[DROP_AT_LINK] += linked[db];
        }
        for (uint32_t u = 0; u < RF_FREES_MAX; u++) {
            const uint32_t name = in->ib_name[w * RF_FREES_MAX + u];
            const uint32_t nb = bank_of(&s->stage.cfg, w, name);
            if (!judge_bit(in->ib_name_valid[w], u)) continue;
            const bool lent = s->loan[nb].lent && now->recalled != nb;
            names[nb]++;
            seen[NAME_TAKEN] += !lent && !linked[nb] && !s->loan[nb].free;
            seen[NAME_REPLACES] += !lent && !linked[nb] && s->loan[nb].free && s->loan[nb].row != row_of(&s->stage.cfg, w, name);
            seen[NAME_LOST] += lent;
            seen[NAME_AT_CLEAR] += now->recalled == nb;
            seen[NAME_AT_LINK] += linked[nb];
            seen[NAME_MASKED_OFF] += in->ib_mask[w] == 0;
            seen[LAUNCH_NAME] += judge_bit(in->launch, w) && name < cfg->regs && !lent && !linked[nb];
        }
    }
    for (uint32_t b = 0; b < cfg->banks; b++) {
        const slow_loan *l = &s->loan[b];
        const uint32_t owner = l->row / rows_per_warp(&s->stage.cfg);
        seen[NAME_TWICE] += names[b] > 1;
        seen[DROP_AND_NAME] += names[b] > 0 && drops[b] > 0;
        seen[NAME_AWAY] += l->free && !l->lent && is_lent_for(s, b, l->row);
        if (!l->free || owner >= cfg->warps || !judge_bit(in->launch, owner)) continue;
        seen[l->lent ? LAUNCH_LENT : LAUNCH_FREE]++;
    }
}

/* Counts what happens in a cycle. */
static inline void count(const slow_steal *s, const hints *h, const rf_steal_in *in, const slow_theft *now, uint64_t *seen) {
    count_ahead(s, in, now, seen);
    count_writes(s, now, seen);
    count_recalls(s, now, seen);
    count_hints(s, in, now, seen);
    for (uint32_t e = 0; e < s->cfg.exports; e++)
        seen[QUEUE_FULL] += judge_bit(in->res_valid, e) && s->stage.queue[e].length == s->cfg.wbdepth;
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        seen[DEPENDENT_IN_TIME] += now->stage.goes[g] != NONE && h->stole[now->stage.goes[g]];
}

#endif
