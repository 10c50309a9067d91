/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_rfree_table: the slow model keeps a line of Fig. 9 per bank and goes through the lines, the askers, the
 * drops and the names one after the other ([bank stealing IV-C-2]: "a link between the temporary Rfree and the actual destination
 * register Rdest is established and recorded into the table"). */
#include "cmodel/steal/rf_rfree_table.h"

#include "tb/common/judge/judge_unit.h"

extern const ls_unit rf_rfree_table_unit;

typedef struct slow_line {
    bool is_free, is_linked; /* f, m */
    uint32_t rfree;          /* row */
    uint32_t bank, row;      /* Rdest */
} slow_line;

typedef struct slow_table {
    rf_rfree_table_cfg cfg;
    slow_line line[RF_BANKS_MAX];
} slow_table;

typedef struct slow_out {
    bool rd[RF_READERS_MAX], sr[RF_STEALERS_MAX], wr[RF_EXPORTS_MAX];
    bool usable[RF_BANKS_MAX], linked[RF_BANKS_MAX], force[RF_BANKS_MAX];
} slow_out;

/* clang-format off */
#define SEEN(X) \
    X(EMPTY, "nothing linked, nobody blocked") \
    X(RAW, "a reader of Rdest waits") \
    X(WAW, "a writer of Rdest waits") \
    X(WRITES_RFREE, "a writer of a linked Rfree waits") \
    X(WRITES_LOOSE_RFREE, "a writer of an Rfree that is not linked does not wait") \
    X(READS_RFREE, "a reader of a linked Rfree does not wait") \
    X(AHEAD, "an operand read ahead waits without forcing") \
    X(SAME_ROW_OTHER_BANK, "a reader of Rdest's row in another bank does not wait") \
    X(OLD_DEST, "a reader of an Rdest that is not linked any more does not wait") \
    X(FORCE_RAW, "force by a reader alone") \
    X(FORCE_WAW, "force by a writer of Rdest alone") \
    X(FORCE_WRITES_RFREE, "force by a writer of Rfree alone") \
    X(FORCE_LIVE, "force because Rfree becomes live") \
    X(LIVE_UNLINKED, "no force where f is 0 and nothing is linked") \
    X(TWO_FORCED, "one reader forces two banks") \
    X(NOT_ASKED, "a match of an operand that is not valid") \
    X(USABLE, "usable") \
    X(ALL_USABLE, "every bank is usable") \
    X(LINKED_ONLY, "not usable because it is linked") \
    X(STARTS, "not usable because its warp starts") \
    X(IS_A_DEST, "not usable because a linked Rdest is this register") \
    X(WAS_A_DEST, "usable: an Rdest that is not linked any more is this register") \
    X(NO_WARP, "usable: Rfree is a row of no warp while all warps start") \
    X(LINK, "link of a usable bank") \
    X(LINK_UNUSABLE, "link of a bank that is not usable") \
    X(LINK_NO_BANK, "link to a bank that does not exist") \
    X(NO_BANK_READ, "a reader matches an Rdest in a bank that does not exist") \
    X(CLEAR, "clear of a linked bank") \
    X(CLEAR_UNLINKED, "clear of a bank that is not linked") \
    X(LINK_MEETS_CLEAR, "link and clear of a linked bank") \
    X(LAUNCH, "launch takes Rfree out") \
    X(LAUNCH_OTHER, "launch of another warp does not") \
    X(LAUNCH_LINKED, "launch of the warp of a linked Rfree") \
    X(DROP, "drop of Rfree") \
    X(DROP_LINKED, "drop of a linked Rfree") \
    X(DROP_OTHER, "drop of another register of the bank") \
    X(DROP_NO_BANK, "drop in a bank that does not exist") \
    X(NAME, "name while f is 0") \
    X(NAME_AGAIN, "name replaces a free Rfree") \
    X(NAME_LOST, "name of a linked bank is lost") \
    X(NAME_AFTER_CLEAR, "name in the cycle of the clear") \
    X(NAME_MEETS_LINK, "name in the cycle of the link is lost") \
    X(NAME_NO_BANK, "name in a bank that does not exist") \
    X(NAME_NO_ROW, "name of a row of no warp") \
    X(NAME_TWICE, "two names of one bank: the last stays") \
    X(NAME_MEETS_LAUNCH, "name of a register whose warp starts") \
    X(NAME_MEETS_DROP, "drop and name of one register in one edge, the drop with the higher number") \
    X(DROP_NEW, "drop of a register that becomes Rfree in this edge") \
    X(TOP_BANK, "the highest bank is linked") \
    X(TOP_ROW, "the highest row is Rfree of a usable bank") \
    X(RESET, "reset with something linked")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void slow_reset(slow_table *s) { memset(s->line, 0, sizeof s->line); }

static bool is_dest(const slow_line *line, uint32_t bank, uint32_t row) {
    return line->is_linked && line->bank == bank && line->row == row;
}

/* The warp of the row starts in this cycle. */
static bool starts(const slow_table *s, const rf_rfree_table_in *in, uint32_t row) {
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        if (judge_bit(in->launch, w) && row >= w * s->cfg.per_warp && row < (w + 1) * s->cfg.per_warp) return true;
    return false;
}

static void slow_comb(const slow_table *s, const rf_rfree_table_in *in, slow_out *out) {
    const rf_rfree_table_cfg *cfg = &s->cfg;
    memset(out, 0, sizeof *out);
    for (uint32_t b = 0; b < cfg->banks; b++) {
        const slow_line *line = &s->line[b];
        out->linked[b] = line->is_linked;
        if (line->is_linked && !line->is_free) out->force[b] = true;
        for (uint32_t r = 0; r < cfg->readers; r++) {
            if (!judge_bit(in->rd_valid, r) || !is_dest(line, in->rd_bank[r], in->rd_row[r])) continue;
            out->rd[r] = true;
            out->force[b] = true;
        }
        for (uint32_t r = 0; r < cfg->stealers; r++)
            if (judge_bit(in->sr_valid, r) && is_dest(line, in->sr_bank[r], in->sr_row[r])) out->sr[r] = true;
        for (uint32_t w = 0; w < cfg->writers; w++) {
            if (!judge_bit(in->wr_valid, w) || !line->is_linked) continue;
            const bool to_rfree = in->wr_bank[w] == b && in->wr_row[w] == line->rfree;
            if (!to_rfree && !is_dest(line, in->wr_bank[w], in->wr_row[w])) continue;
            out->wr[w] = true;
            out->force[b] = true;
        }
        out->usable[b] = line->is_free && !line->is_linked && !starts(s, in, line->rfree);
        for (uint32_t other = 0; other < cfg->banks; other++)
            if (is_dest(&s->line[other], b, line->rfree)) out->usable[b] = false;
    }
}

static void slow_clock(slow_table *s, const rf_rfree_table_in *in) {
    const rf_rfree_table_cfg *cfg = &s->cfg;
    for (uint32_t b = 0; b < cfg->banks; b++) {
        if (judge_bit(in->clear, b)) s->line[b].is_linked = false;
        if (!judge_bit(in->link, b)) continue;
        s->line[b].is_linked = true;
        s->line[b].bank = in->link_bank[b];
        s->line[b].row = in->link_row[b];
    }
    for (uint32_t b = 0; b < cfg->banks; b++)
        if (starts(s, in, s->line[b].rfree)) s->line[b].is_free = false;
    for (uint32_t d = 0; d < cfg->drops; d++)
        if (judge_bit(in->drop_valid, d) && in->drop_bank[d] < cfg->banks && s->line[in->drop_bank[d]].rfree == in->drop_row[d])
            s->line[in->drop_bank[d]].is_free = false;
    for (uint32_t n = 0; n < cfg->names; n++) {
        if (!judge_bit(in->name_valid, n) || in->name_bank[n] >= cfg->banks || s->line[in->name_bank[n]].is_linked) continue;
        s->line[in->name_bank[n]].is_free = true;
        s->line[in->name_bank[n]].rfree = in->name_row[n];
    }
}

static void compare_out(judge *j, const slow_table *s, const rf_rfree_table_out *out, const slow_out *expected) {
    judge_equal(j, "rd_blocked", 0, out->rd_blocked, judge_pack(expected->rd, s->cfg.readers));
    judge_equal(j, "sr_blocked", 0, out->sr_blocked, judge_pack(expected->sr, s->cfg.stealers));
    judge_equal(j, "wr_blocked", 0, out->wr_blocked, judge_pack(expected->wr, s->cfg.writers));
    judge_equal(j, "usable", 0, out->usable, judge_pack(expected->usable, s->cfg.banks));
    judge_equal(j, "linked", 0, out->linked, judge_pack(expected->linked, s->cfg.banks));
    judge_equal(j, "force", 0, out->force, judge_pack(expected->force, s->cfg.banks));
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        judge_equal(j, "rfree_row", b, out->rfree_row[b], s->line[b].rfree);
        judge_equal(j, "dest_bank", b, out->dest_bank[b], s->line[b].bank);
        judge_equal(j, "dest_row", b, out->dest_row[b], s->line[b].row);
    }
}

static void compare_state(judge *j, const slow_table *s, const rf_rfree_table *m) {
    bool f[RF_BANKS_MAX] = {false}, linked[RF_BANKS_MAX] = {false};
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        f[b] = s->line[b].is_free;
        linked[b] = s->line[b].is_linked;
        judge_equal(j, "rfree_q", b, m->rfree_q[b], s->line[b].rfree);
        judge_equal(j, "dest_bank_q", b, m->dest_bank_q[b], s->line[b].bank);
        judge_equal(j, "dest_row_q", b, m->dest_row_q[b], s->line[b].row);
    }
    judge_equal(j, "f_q", 0, m->f_q, judge_pack(f, s->cfg.banks));
    judge_equal(j, "m_q", 0, m->m_q, judge_pack(linked, s->cfg.banks));
}

static void start(judge *j, uint64_t seed, rf_rfree_table *m, slow_table *s, const rf_rfree_table_cfg *cfg) {
    judge_begin(j, seed,
                "rf_rfree_table banks=%" PRIu32 " warps=%" PRIu32 " per_warp=%" PRIu32 " readers=%" PRIu32 " stealers=%" PRIu32
                " writers=%" PRIu32 " drops=%" PRIu32 " names=%" PRIu32,
                cfg->banks, cfg->warps, cfg->per_warp, cfg->readers, cfg->stealers, cfg->writers, cfg->drops, cfg->names);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_rfree_table_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; the two calls of comb start from different garbage and must leave the model alone. */
static void step(judge *j, rf_rfree_table *m, slow_table *s, const rf_rfree_table_in *in, slow_out *expected) {
    rf_rfree_table before;
    rf_rfree_table_out out;
    slow_comb(s, in, expected);
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_rfree_table_comb(m, in, &out);
    compare_out(j, s, &out, expected);
    memset(&out, 0x5a, sizeof out);
    rf_rfree_table_comb(m, in, &out);
    compare_out(j, s, &out, expected);
    assert_memory_equal(&before, m, sizeof before);
    JUDGE_CLOCK(rf_rfree_table, m, in);
    slow_clock(s, in);
    compare_state(j, s, m);
    j->cycle++;
}

/* Who waits for bank b's line. */
static void count_askers(const slow_table *s, const rf_rfree_table_in *in, const slow_out *out, uint32_t b, uint64_t *seen) {
    const slow_line *line = &s->line[b];
    uint32_t readers = 0, writers = 0, writers_of_rfree = 0, ahead = 0;
    for (uint32_t r = 0; r < s->cfg.readers; r++) {
        const bool match = is_dest(line, in->rd_bank[r], in->rd_row[r]), valid = judge_bit(in->rd_valid, r);
        seen[NOT_ASKED] += match && !valid;
        if (!valid) continue;
        readers += match;
        seen[NO_BANK_READ] += match && line->bank >= s->cfg.banks;
        seen[SAME_ROW_OTHER_BANK] += line->is_linked && in->rd_row[r] == line->row && in->rd_bank[r] != line->bank && !out->rd[r];
        seen[OLD_DEST] +=
            !line->is_linked && line->row != 0 && in->rd_row[r] == line->row && in->rd_bank[r] == line->bank && !out->rd[r];
        seen[READS_RFREE] +=
            line->is_linked && in->rd_bank[r] == b && in->rd_row[r] == line->rfree && !out->rd[r] && !out->force[b];
        uint32_t forced = 0;
        for (uint32_t other = 0; other < s->cfg.banks && match; other++)
            forced += is_dest(&s->line[other], in->rd_bank[r], in->rd_row[r]);
        seen[TWO_FORCED] += forced > 1;
    }
    for (uint32_t w = 0; w < s->cfg.writers; w++) {
        if (!judge_bit(in->wr_valid, w)) continue;
        const bool to_rfree = in->wr_bank[w] == b && in->wr_row[w] == line->rfree;
        writers += is_dest(line, in->wr_bank[w], in->wr_row[w]);
        writers_of_rfree += line->is_linked && to_rfree;
        seen[WRITES_LOOSE_RFREE] += line->is_free && !line->is_linked && to_rfree && !out->wr[w];
    }
    for (uint32_t r = 0; r < s->cfg.stealers; r++)
        ahead += judge_bit(in->sr_valid, r) && is_dest(line, in->sr_bank[r], in->sr_row[r]);
    seen[RAW] += readers > 0;
    seen[WAW] += writers > 0;
    seen[WRITES_RFREE] += writers_of_rfree > 0;
    seen[AHEAD] += ahead > 0 && !out->force[b];
    seen[FORCE_RAW] += readers > 0 && writers + writers_of_rfree == 0 && line->is_free;
    seen[FORCE_WAW] += writers > 0 && readers + writers_of_rfree == 0 && line->is_free;
    seen[FORCE_WRITES_RFREE] += writers_of_rfree > 0 && readers + writers == 0 && line->is_free;
    seen[FORCE_LIVE] += line->is_linked && !line->is_free && readers + writers + writers_of_rfree == 0;
    seen[LIVE_UNLINKED] += !line->is_linked && !line->is_free;
}

/* Why bank b's Rfree can be used, or not, and what becomes of its line. */
static void count_line(const slow_table *s, const rf_rfree_table_in *in, const slow_out *out, uint32_t b, uint64_t *seen) {
    const slow_line *line = &s->line[b];
    const bool start_now = starts(s, in, line->rfree), link = judge_bit(in->link, b), clear = judge_bit(in->clear, b);
    const bool loose = line->is_free && !line->is_linked;
    bool dest = false, was_dest = false;
    for (uint32_t other = 0; other < s->cfg.banks; other++) {
        dest = dest || is_dest(&s->line[other], b, line->rfree);
        was_dest = was_dest || (!s->line[other].is_linked && s->line[other].bank == b && s->line[other].row == line->rfree);
    }
    seen[USABLE] += out->usable[b];
    seen[LINKED_ONLY] += line->is_free && line->is_linked && !start_now && !dest;
    seen[STARTS] += loose && start_now && !dest;
    seen[IS_A_DEST] += loose && dest && !start_now;
    seen[WAS_A_DEST] += out->usable[b] && was_dest && line->rfree != 0;
    seen[NO_WARP] += out->usable[b] && in->launch == ls_mask(s->cfg.warps) && line->rfree >= s->cfg.warps * s->cfg.per_warp;
    seen[LINK] += link && out->usable[b];
    seen[LINK_UNUSABLE] += link && !out->usable[b];
    seen[LINK_NO_BANK] += link && in->link_bank[b] >= s->cfg.banks;
    seen[CLEAR] += clear && !link && line->is_linked;
    seen[CLEAR_UNLINKED] += clear && !link && !line->is_linked;
    seen[LINK_MEETS_CLEAR] += clear && link && line->is_linked;
    seen[LAUNCH] += loose && start_now;
    seen[LAUNCH_OTHER] += loose && !start_now && in->launch != 0;
    seen[LAUNCH_LINKED] += line->is_free && line->is_linked && start_now;
    seen[TOP_BANK] += s->cfg.banks > 1 && b == s->cfg.banks - 1 && line->is_linked;
    seen[TOP_ROW] += out->usable[b] && line->rfree > 0 && line->rfree == judge_codes(s->cfg.warps * s->cfg.per_warp) - 1;
}

static void count_drops(const slow_table *s, const rf_rfree_table_in *in, uint64_t *seen) {
    for (uint32_t d = 0; d < s->cfg.drops; d++) {
        const uint32_t bank = in->drop_bank[d];
        if (!judge_bit(in->drop_valid, d)) continue;
        seen[DROP_NO_BANK] += bank >= s->cfg.banks;
        if (bank >= s->cfg.banks) continue;
        const bool hit = s->line[bank].rfree == in->drop_row[d];
        seen[DROP] += hit && s->line[bank].is_free && !s->line[bank].is_linked;
        seen[DROP_LINKED] += hit && s->line[bank].is_free && s->line[bank].is_linked;
        seen[DROP_OTHER] += !hit && s->line[bank].is_free;
    }
}

static void count_names(const slow_table *s, const rf_rfree_table_in *in, uint64_t *seen) {
    for (uint32_t n = 0; n < s->cfg.names; n++) {
        const uint32_t bank = in->name_bank[n];
        if (!judge_bit(in->name_valid, n)) continue;
        seen[NAME_NO_BANK] += bank >= s->cfg.banks;
        if (bank >= s->cfg.banks) continue;
        const bool link = judge_bit(in->link, bank), clear = judge_bit(in->clear, bank), held = s->line[bank].is_linked;
        const bool heard = !link && (!held || clear), is_rfree = s->line[bank].rfree == in->name_row[n];
        seen[NAME] += heard && !held && !s->line[bank].is_free;
        seen[NAME_AGAIN] += heard && !held && s->line[bank].is_free && !is_rfree;
        seen[NAME_LOST] += held && !link && !clear;
        seen[NAME_AFTER_CLEAR] += held && heard;
        seen[NAME_MEETS_LINK] += !held && link;
        seen[NAME_NO_ROW] += heard && in->name_row[n] >= s->cfg.warps * s->cfg.per_warp;
        seen[NAME_MEETS_LAUNCH] += heard && starts(s, in, in->name_row[n]);
        for (uint32_t k = 0; k < n; k++)
            seen[NAME_TWICE] +=
                heard && judge_bit(in->name_valid, k) && in->name_bank[k] == bank && in->name_row[k] != in->name_row[n];
        for (uint32_t d = 0; d < s->cfg.drops; d++) {
            const bool same = judge_bit(in->drop_valid, d) && in->drop_bank[d] == bank && in->drop_row[d] == in->name_row[n];
            seen[NAME_MEETS_DROP] += heard && same && d > n && s->line[bank].is_free && is_rfree;
            seen[DROP_NEW] += heard && same && !is_rfree;
        }
    }
}

static void count(const slow_table *s, const rf_rfree_table_in *in, const slow_out *out, uint64_t *seen) {
    uint32_t usable = 0, linked = 0;
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        count_askers(s, in, out, b, seen);
        count_line(s, in, out, b, seen);
        usable += out->usable[b];
        linked += out->linked[b];
    }
    count_drops(s, in, seen);
    count_names(s, in, seen);
    seen[ALL_USABLE] += s->cfg.banks > 1 && usable == s->cfg.banks;
    seen[EMPTY] += linked == 0 && in->rd_valid != 0 && in->wr_valid != 0;
}

/* What 128 cycles have in common, in 256ths; `few` rows of each bank meet each other. */
typedef struct knobs {
    uint32_t launch, drop, name, read, ahead, write, link, clear, hold, aim, wild, few;
} knobs;

/* A register: Rdest or Rfree of some bank, or any. */
static void draw(ls_rng *rng, const slow_table *s, const knobs *k, uint8_t *bank, uint16_t *row) {
    const uint32_t rows = s->cfg.warps * s->cfg.per_warp, line = ls_rng_below(rng, s->cfg.banks);
    if (ls_rng_chance(rng, k->wild)) {
        *bank = (uint8_t)ls_rng_below(rng, judge_codes(s->cfg.banks));
        const uint32_t top = judge_codes(rows) - 1;
        *row = (uint16_t)(ls_rng_chance(rng, 128) ? top - ls_rng_below(rng, 2) : ls_rng_below(rng, top + 1));
    } else if (ls_rng_chance(rng, k->aim)) {
        const bool dest = ls_rng_chance(rng, 128);
        *bank = (uint8_t)(dest ? s->line[line].bank : line);
        *row = (uint16_t)(dest ? s->line[line].row : s->line[line].rfree);
        if (ls_rng_chance(rng, 24)) *bank = (uint8_t)ls_rng_below(rng, s->cfg.banks);
    } else {
        *bank = (uint8_t)line;
        *row = (uint16_t)((rows - 1 - ls_rng_below(rng, k->few)) % rows);
    }
}

/* Requests that are blocked stand with chance `hold`; links go to usable banks and clears to linked ones, unless `wild`. */
static void stimulate(ls_rng *rng, const slow_table *s, const knobs *k, const slow_out *last, rf_rfree_table_in *in) {
    const rf_rfree_table_cfg *cfg = &s->cfg;
    const bool hold = ls_rng_chance(rng, k->hold);
    slow_out now;
    in->launch = 0;
    if (ls_rng_chance(rng, k->launch)) in->launch = ls_rng_value(rng, cfg->warps);
    else if (ls_rng_chance(rng, k->launch))
        in->launch = (UINT64_C(1) << s->line[ls_rng_below(rng, cfg->banks)].rfree / cfg->per_warp % cfg->warps);
    in->drop_valid = (uint8_t)ls_rng_bits(rng, cfg->drops, k->drop);
    in->name_valid = (uint16_t)ls_rng_bits(rng, cfg->names, k->name);
    for (uint32_t d = 0; d < cfg->drops; d++) draw(rng, s, k, &in->drop_bank[d], &in->drop_row[d]);
    for (uint32_t n = 0; n < cfg->names; n++) {
        draw(rng, s, k, &in->name_bank[n], &in->name_row[n]);
        if (!ls_rng_chance(rng, 32)) continue;
        const uint32_t d = ls_rng_below(rng, cfg->drops);
        in->name_bank[n] = in->drop_bank[d];
        in->name_row[n] = in->drop_row[d];
    }
    const uint64_t read = ls_rng_bits(rng, cfg->readers, k->read), ahead = ls_rng_bits(rng, cfg->stealers, k->ahead);
    const uint64_t write = ls_rng_bits(rng, cfg->writers, k->write);
    for (uint32_t r = 0; r < cfg->readers; r++) {
        if (hold && last->rd[r]) continue;
        in->rd_valid = (in->rd_valid & ~(UINT64_C(1) << r)) | (read & (UINT64_C(1) << r));
        draw(rng, s, k, &in->rd_bank[r], &in->rd_row[r]);
    }
    in->sr_valid = (uint32_t)ahead;
    for (uint32_t r = 0; r < cfg->stealers; r++) draw(rng, s, k, &in->sr_bank[r], &in->sr_row[r]);
    for (uint32_t w = 0; w < cfg->writers; w++) {
        if (hold && last->wr[w]) continue;
        in->wr_valid = (uint8_t)((in->wr_valid & ~(1u << w)) | (write & (1u << w)));
        draw(rng, s, k, &in->wr_bank[w], &in->wr_row[w]);
    }
    slow_comb(s, in, &now);
    in->link = (uint32_t)ls_rng_bits(rng, cfg->banks, k->link);
    in->clear = (uint32_t)ls_rng_bits(rng, cfg->banks, k->clear);
    if (!ls_rng_chance(rng, k->wild)) {
        in->link &= (uint32_t)judge_pack(now.usable, cfg->banks);
        in->clear &= (uint32_t)judge_pack(now.linked, cfg->banks);
    }
    for (uint32_t b = 0; b < cfg->banks; b++) draw(rng, s, k, &in->link_bank[b], &in->link_row[b]);
}

static void run(const rf_rfree_table_cfg *cfg, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_rfree_table m;
    slow_table s, before;
    judge j;
    ls_rng rng;
    knobs k = {0};
    slow_out expected;
    rf_rfree_table_in in;
    memset(&in, 0, sizeof in);
    memset(&expected, 0, sizeof expected);
    start(&j, seed, &m, &s, cfg);
    ls_rng_seed(&rng, seed);
    while (j.cycle < cycles) {
        if (j.cycle % 128 == 0) {
            uint32_t *const knob[] = {&k.drop, &k.name, &k.read, &k.ahead, &k.write, &k.link, &k.clear};
            for (size_t i = 0; i < sizeof knob / sizeof *knob; i++)
                *knob[i] = ls_rng_below(&rng, ls_rng_chance(&rng, 96) ? 24 : 257);
            k.launch = ls_rng_chance(&rng, 128) ? 0 : ls_rng_below(&rng, 48);
            k.hold = ls_rng_below(&rng, 257);
            k.aim = ls_rng_below(&rng, 224);
            k.wild = ls_rng_chance(&rng, 128) ? 0 : ls_rng_below(&rng, 96);
            k.few = 1 + ls_rng_below(&rng, ls_rng_chance(&rng, 64) ? cfg->warps * cfg->per_warp : 4);
        }
        stimulate(&rng, &s, &k, &expected, &in);
        before = s;
        step(&j, &m, &s, &in, &expected);
        count(&before, &in, &expected, seen);
        if (ls_rng_below(&rng, 512) == 0) {
            for (uint32_t b = 0; b < cfg->banks; b++) seen[RESET] += s.line[b].is_linked;
            rf_rfree_table_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
        }
    }
    judge_passes(&j);
}

static void random_updates_and_askers(void **state) {
    /* banks, warps, per_warp, readers, stealers, writers, drops, names */
    static const struct {
        rf_rfree_table_cfg cfg;
        uint64_t cycles;
    } sets[] = {
        {{1, 1, 1, 1, 1, 1, 1, 1}, 30000},      {{2, 3, 1, 3, 3, 1, 2, 1}, 40000},     {{3, 5, 3, 5, 2, 2, 4, 2}, 30000},
        {{4, 8, 2, 9, 3, 2, 1, 2}, 24000},      {{5, 1, 33, 2, 6, 3, 3, 3}, 24000},    {{8, 48, 2, 24, 6, 2, 1, 4}, 12000},
        {{8, 16, 8, 24, 3, 3, 2, 2}, 12000},    {{16, 32, 4, 24, 6, 4, 2, 8}, 6000},   {{7, 64, 16, 1, 1, 8, 4, 16}, 8000},
        {{31, 4, 256, 64, 32, 8, 4, 16}, 1500}, {{32, 33, 31, 48, 16, 8, 2, 5}, 2000}, {{2, 2, 255, 64, 32, 1, 3, 4}, 12000}};
    uint64_t seen[EVENTS] = {0}, total = 0;
    (void)state;
    for (uint64_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        run(&sets[i].cfg, ls_seed_derive(i, "judge rf_rfree_table"), sets[i].cycles, seen);
        total += sets[i].cycles;
    }
    assert_true(total >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* Sets line `b` of both to f, m, Rfree, Rdest. */
static void set_line(rf_rfree_table *m, slow_table *s, uint32_t b, bool f, bool linked, uint32_t rfree, uint32_t bank,
                     uint32_t row) {
    s->line[b] = (slow_line){f, linked, rfree, bank, row};
    m->f_q = (m->f_q & ~(1u << b)) | ((f ? 1u : 0u) << b);
    m->m_q = (m->m_q & ~(1u << b)) | ((linked ? 1u : 0u) << b);
    m->rfree_q[b] = (uint16_t)rfree;
    m->dest_bank_q[b] = (uint8_t)bank;
    m->dest_row_q[b] = (uint16_t)row;
}

static const rf_rfree_table_cfg small = {
    .banks = 2, .warps = 2, .per_warp = 1, .readers = 1, .stealers = 1, .writers = 1, .drops = 1, .names = 1};

/* Two banks of two rows, a row a warp: every table, reader, writer and launch; the stealer is the reader or the writer. */
static void every_asker_of_a_small_one(void **state) {
    rf_rfree_table m;
    slow_table s;
    judge j;
    slow_out expected;
    rf_rfree_table_in in;
    (void)state;
    start(&j, 0, &m, &s, &small);
    memset(&in, 0, sizeof in);
    for (uint32_t code = 0; code < 1u << 18; code++) {
        for (uint32_t b = 0; b < 2; b++) {
            const uint32_t line = code >> (5 * b);
            set_line(&m, &s, b, line & 1, line >> 1 & 1, line >> 2 & 1, line >> 3 & 1, line >> 4 & 1);
        }
        in.rd_valid = code >> 10 & 1, in.rd_bank[0] = code >> 11 & 1, in.rd_row[0] = code >> 12 & 1;
        in.wr_valid = code >> 13 & 1, in.wr_bank[0] = code >> 14 & 1, in.wr_row[0] = code >> 15 & 1;
        in.sr_valid = (in.rd_valid ^ in.wr_valid) & 1;
        in.sr_bank[0] = in.rd_valid ? in.wr_bank[0] : in.rd_bank[0];
        in.sr_row[0] = in.rd_valid ? in.wr_row[0] : in.rd_row[0];
        in.launch = code >> 16;
        step(&j, &m, &s, &in, &expected);
    }
    judge_passes(&j);
}

/* The same two banks: every f, m and Rfree with every launch, drop, name, link and clear. */
static void every_edge_of_a_small_one(void **state) {
    rf_rfree_table m;
    slow_table s;
    judge j;
    slow_out expected;
    rf_rfree_table_in in;
    (void)state;
    start(&j, 0, &m, &s, &small);
    memset(&in, 0, sizeof in);
    in.link_bank[0] = 1, in.link_row[1] = 1;
    for (uint32_t code = 0; code < 1u << 18; code++) {
        for (uint32_t b = 0; b < 2; b++)
            set_line(&m, &s, b, code >> (3 * b) & 1, code >> (3 * b + 1) & 1, code >> (3 * b + 2) & 1, 0, 1);
        in.launch = code >> 6 & 3;
        in.drop_valid = code >> 8 & 1, in.drop_bank[0] = code >> 9 & 1, in.drop_row[0] = code >> 10 & 1;
        in.name_valid = code >> 11 & 1, in.name_bank[0] = code >> 12 & 1, in.name_row[0] = code >> 13 & 1;
        in.link = code >> 14 & 3;
        in.clear = code >> 16;
        step(&j, &m, &s, &in, &expected);
    }
    judge_passes(&j);
}

static rf_rfree_table m1; /* the table of the directed tests: 8 banks of 16 warps x 8 rows */
static rf_rfree_table_in ask;
static rf_rfree_table_out answer;

static void begin(void) {
    const rf_rfree_table_cfg cfg = {8, 16, 8, 24, 6, 2, 4, 4}; /* 24 readers, 6 stealers, 2 writers, 4 drops, 4 names */
    assert_int_equal(rf_rfree_table_init(&m1, &cfg), 0);
    memset(&ask, 0, sizeof ask);
}

static void cycle(void) {
    rf_rfree_table_step(&m1, &ask, &answer);
    memset(&ask, 0, sizeof ask);
}

static void name(uint32_t n, uint8_t bank, uint16_t row) {
    ask.name_valid |= (uint16_t)(1u << n);
    ask.name_bank[n] = bank;
    ask.name_row[n] = row;
}

static void drop(uint32_t d, uint8_t bank, uint16_t row) {
    ask.drop_valid |= (uint8_t)(1u << d);
    ask.drop_bank[d] = bank;
    ask.drop_row[d] = row;
}

static void link(uint32_t from, uint8_t bank, uint16_t row) {
    ask.link |= 1u << from;
    ask.link_bank[from] = bank;
    ask.link_row[from] = row;
}

/* IV-C-2 and Fig. 9: Rfree is named, takes a stolen write, a dependent reader forces the write-back, Rfree is free again. */
static void the_life_of_a_stolen_write(void **state) {
    (void)state;
    begin();
    name(0, 3, 77);
    cycle();
    assert_int_equal(answer.usable, 0); /* from the next cycle on */
    link(3, 6, 100);
    cycle();
    assert_int_equal(answer.usable, 1u << 3);
    assert_int_equal(answer.rfree_row[3], 77);
    assert_int_equal(answer.linked, 0);
    cycle();
    assert_int_equal(answer.usable, 0);
    assert_int_equal(answer.linked, 1u << 3);
    assert_int_equal(answer.force, 0); /* there is no hurry */
    assert_int_equal(answer.dest_bank[3], 6);
    assert_int_equal(answer.dest_row[3], 100);
    ask.sr_valid = 1u << 5, ask.sr_bank[5] = 6, ask.sr_row[5] = 100;
    cycle();
    assert_int_equal(answer.sr_blocked, 1u << 5);
    assert_int_equal(answer.force, 0); /* read ahead: it may yet not issue */
    ask.rd_valid = 3u << 22, ask.rd_bank[23] = 6, ask.rd_row[23] = 100;
    ask.rd_bank[22] = 3, ask.rd_row[22] = 100;
    ask.clear = 1u << 3;
    cycle();
    assert_int_equal(answer.rd_blocked, 1u << 23);
    assert_int_equal(answer.force, 1u << 3);
    ask.rd_valid = 1u << 23, ask.rd_bank[23] = 6, ask.rd_row[23] = 100;
    cycle();
    assert_int_equal(answer.rd_blocked, 0); /* on its way: the arbiter keeps the order */
    assert_int_equal(answer.linked, 0);
    assert_int_equal(answer.usable, 1u << 3);
}

/* WAW, and a result that is to be written where a stolen value lies. */
static void writers_wait_too(void **state) {
    (void)state;
    begin();
    name(0, 1, 9);
    name(1, 2, 10);
    cycle();
    link(1, 4, 50);
    link(2, 5, 60);
    cycle();
    ask.wr_valid = 3, ask.wr_bank[0] = 4, ask.wr_row[0] = 50, ask.wr_bank[1] = 2, ask.wr_row[1] = 10;
    cycle();
    assert_int_equal(answer.wr_blocked, 3);
    assert_int_equal(answer.force, 1u << 1 | 1u << 2);
    ask.wr_valid = 3, ask.wr_bank[0] = 4, ask.wr_row[0] = 60, ask.wr_bank[1] = 1, ask.wr_row[1] = 10;
    cycle();
    assert_int_equal(answer.wr_blocked, 0);
    assert_int_equal(answer.force, 0);
}

/* "they become alive in the program execution, and the temporarily stored value needs an immediate write-back". */
static void a_register_that_becomes_live_is_cleared_at_once(void **state) {
    (void)state;
    begin();
    for (uint8_t b = 0; b < 3; b++) name(b, b, (uint16_t)(40 + b)); /* 40 .. 42: warp 5 */
    cycle();
    link(0, 7, 0);
    cycle();
    drop(0, 0, 40);
    drop(1, 1, 41);
    drop(2, 2, 41); /* not the Rfree of bank 2 */
    cycle();
    assert_int_equal(answer.usable, 1u << 1 | 1u << 2); /* it is written by the instruction that issues now */
    assert_int_equal(answer.force, 0);
    cycle();
    assert_int_equal(answer.usable, 1u << 2);
    assert_int_equal(answer.force, 1u << 0);
    name(0, 0, 99); /* lost */
    ask.launch = 1u << 5;
    cycle();
    assert_int_equal(answer.usable, 0); /* the warp of 42 starts in this very cycle */
    assert_int_equal(answer.rfree_row[0], 40);
    cycle();
    assert_int_equal(answer.rfree_row[0], 40);
    assert_int_equal(answer.usable, 0);
    ask.clear = 1;
    name(3, 0, 99); /* with the clear: heard */
    cycle();
    cycle();
    assert_int_equal(answer.rfree_row[0], 99);
    assert_int_equal(answer.usable, 1u << 0);
    assert_int_equal(answer.linked, 0);
}

/* A second stolen write may not go where the first one's value will be written. */
static void a_register_whose_value_is_to_come_is_not_usable(void **state) {
    (void)state;
    begin();
    name(0, 1, 9);
    name(1, 2, 10);
    cycle();
    link(1, 2, 10);
    cycle();
    assert_int_equal(answer.usable, 1u << 1 | 1u << 2);
    ask.clear = 1u << 1;
    cycle();
    assert_int_equal(answer.usable, 0);
    cycle();
    assert_int_equal(answer.usable, 1u << 1 | 1u << 2);
}

/* Clear and link, launch, all drops, then the names in order. */
static void the_order_inside_an_edge(void **state) {
    (void)state;
    begin();
    name(0, 4, 16);
    cycle();
    name(0, 4, 16);
    name(1, 4, 17);
    name(3, 4, 18);
    drop(2, 4, 16);
    drop(3, 4, 18);
    ask.launch = 1u << 2; /* 16 .. 23 */
    cycle();
    assert_int_equal(m1.rfree_q[4], 18);
    assert_int_equal(m1.f_q, 1u << 4);
    name(0, 4, 19);
    link(4, 0, 1);
    ask.clear = 1u << 4;
    cycle();
    assert_int_equal(m1.rfree_q[4], 18);
    assert_int_equal(m1.m_q, 1u << 4);
    ask.launch = 1u << 2;
    ask.clear = 1u << 4;
    cycle();
    assert_int_equal(m1.f_q, 0);
    assert_int_equal(m1.m_q, 0);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_rfree_table_cfg good[] = {
        {8, 3, 2, 24, 6, 2, 2, 4}, {1, 1, 1, 1, 1, 1, 1, 1}, {32, 64, 16, 64, 32, 8, 4, 16}, {32, 4, 256, 64, 32, 8, 4, 16}};
    static const uint32_t rows[][2] = {{64, 17}, {33, 32}, {5, 205}, {64, 256}};
    (void)state;
    JUDGE_RANGES(rf_rfree_table, good);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rf_rfree_table_cfg cfg = good[0];
        cfg.warps = rows[i][0], cfg.per_warp = rows[i][1];
        judge_refused(&rf_rfree_table_unit, &cfg, "per_warp", "1024");
    }
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static const rf_rfree_table_cfg cfg = {32, 64, 16, 64, 32, 8, 4, 16};
    rf_rfree_table m;
    slow_table s;
    judge j;
    slow_out expected;
    rf_rfree_table_in in;
    rf_rfree_table_out out;
    (void)state;
    start(&j, 0, &m, &s, &cfg);
    memset(&in, 0, sizeof in);
    in.link = 0x0ff0f00f;
    in.name_valid = 0xffff;
    for (uint8_t b = 0; b < 32; b++) in.link_bank[b] = 31 - b, in.link_row[b] = (uint16_t)(b * 33);
    for (uint8_t n = 0; n < 16; n++) in.name_bank[n] = (uint8_t)(n * 2 + 1), in.name_row[n] = (uint16_t)(1023 - n);
    step(&j, &m, &s, &in, &expected);
    in.link = 0;
    in.rd_valid = in.sr_valid = in.wr_valid = 0xff;
    for (uint8_t r = 0; r < 8; r++) {
        in.rd_bank[r] = in.sr_bank[r] = in.wr_bank[r] = 31 - r;
        in.rd_row[r] = in.sr_row[r] = in.wr_row[r] = (uint16_t)(r * 33);
    }
    slow_comb(&s, &in, &expected);
    memset(&out, 0, sizeof out);
    rf_rfree_table_comb(&m, &in, &out);
    compare_out(&j, &s, &out, &expected);
    judge_passes(&j);
    JUDGE_FLIPS(&j, rf_rfree_table, LS_OUT, &m, &out, compare_out(&j, &s, &out, &expected));
    JUDGE_FLIPS(&j, rf_rfree_table, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_updates_and_askers),
        cmocka_unit_test(every_asker_of_a_small_one),
        cmocka_unit_test(every_edge_of_a_small_one),
        cmocka_unit_test(the_life_of_a_stolen_write),
        cmocka_unit_test(writers_wait_too),
        cmocka_unit_test(a_register_that_becomes_live_is_cleared_at_once),
        cmocka_unit_test(a_register_whose_value_is_to_come_is_not_usable),
        cmocka_unit_test(the_order_inside_an_edge),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_rfree_table", tests, NULL, NULL);
}
