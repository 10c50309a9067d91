/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_arbiter_steal. */
#include "cmodel/steal/rf_arbiter_steal.h"

#include <string.h>

#include "harness/core/unit.h"

/* What the table of stolen registers would say: a small book that follows link and recall. */
typedef struct book {
    uint32_t named;  /* banks bits: there is an Rfree */
    uint32_t linked; /* banks bits: it keeps a value */
    uint32_t live;   /* banks bits: it becomes live */
    uint16_t rfree_row[RF_BANKS_MAX];
    uint8_t dest_bank[RF_BANKS_MAX];
    uint16_t dest_row[RF_BANKS_MAX];
} book;

typedef struct rf_arbiter_steal_stim {
    ls_rng rng;
    /* Probabilities, in 256ths. */
    uint32_t read;    /* an idle reader starts to ask */
    uint32_t steal;   /* an idle stealer starts to ask */
    uint32_t write;   /* an idle writer starts to ask */
    uint32_t full;    /* a result has all lanes */
    uint32_t give_up; /* a loser goes instead of asking again */
    uint32_t crowd;   /* a request is for the crowded bank */
    uint32_t depend;  /* a request is for a linked register */
    uint32_t name;    /* a bank gets an Rfree */
    uint32_t drop;    /* a bank's Rfree becomes live */
    uint32_t special; /* the cycle is one of the special ones */
    uint32_t noise;   /* the table's inputs are any value in this cycle */
    uint32_t bank;    /* the crowded bank */
    bool noisy;       /* the cycle before was noise */
    rf_arbiter_steal_cfg cfg;
    book book;
    uint64_t rd_grant;
    uint32_t sr_grant;
    uint8_t wr_grant;
} rf_arbiter_steal_stim;

static void stim_init(rf_arbiter_steal_stim *s, const rf_arbiter_steal *m, uint64_t seed) {
    static const uint32_t densities[] = {4, 16, 64, 160, 256};
    static const uint32_t shares[] = {0, 64, 192, 256};
    memset(s, 0, sizeof *s);
    ls_rng_seed(&s->rng, seed);
    s->read = densities[ls_rng_below(&s->rng, 5)];
    s->steal = densities[ls_rng_below(&s->rng, 5)];
    s->write = densities[ls_rng_below(&s->rng, 5)];
    s->full = shares[ls_rng_below(&s->rng, 4)];
    s->give_up = ls_rng_chance(&s->rng, 128) ? 0 : ls_rng_below(&s->rng, 192);
    s->crowd = ls_rng_chance(&s->rng, 128) ? 0 : ls_rng_below(&s->rng, 224);
    s->depend = ls_rng_chance(&s->rng, 64) ? 0 : ls_rng_below(&s->rng, 64);
    s->name = densities[ls_rng_below(&s->rng, 5)];
    s->drop = ls_rng_chance(&s->rng, 128) ? 0 : ls_rng_below(&s->rng, 64);
    s->special = 8 + ls_rng_below(&s->rng, 56);
    s->noise = 4 + ls_rng_below(&s->rng, 28);
    s->bank = ls_rng_below(&s->rng, m->cfg.banks);
    s->cfg = m->cfg;
}

/* Mostly a bank that exists; one in 32 any value of the port. */
static uint8_t draw_bank(rf_arbiter_steal_stim *s) {
    if (ls_rng_chance(&s->rng, s->crowd)) return (uint8_t)s->bank;
    if (ls_rng_chance(&s->rng, 8)) return (uint8_t)ls_rng_below(&s->rng, UINT32_C(1) << rf_index_bits(s->cfg.banks));
    return (uint8_t)ls_rng_below(&s->rng, s->cfg.banks);
}

/* Any row; one in eight a boundary value or any value of the port. */
static uint16_t draw_row(rf_arbiter_steal_stim *s) {
    if (ls_rng_chance(&s->rng, 16)) return (uint16_t)(ls_rng_chance(&s->rng, 128) ? s->cfg.rows - 1 : 0);
    if (ls_rng_chance(&s->rng, 16)) return (uint16_t)ls_rng_value(&s->rng, rf_index_bits(s->cfg.rows));
    return (uint16_t)ls_rng_below(&s->rng, s->cfg.rows);
}

/* A register to ask for; now and then the Rdest, or a writer's Rfree, of a linked bank. */
static void draw_request(rf_arbiter_steal_stim *s, bool writes, uint8_t *bank, uint16_t *row) {
    *bank = draw_bank(s);
    *row = draw_row(s);
    if (s->book.linked == 0 || !ls_rng_chance(&s->rng, s->depend)) return;
    const uint32_t from = s->book.linked & (uint32_t)ls_mask(ls_rng_below(&s->rng, s->cfg.banks) + 1);
    const uint32_t b = rf_lowest(from != 0 ? from : s->book.linked);
    const bool rfree = writes && ls_rng_chance(&s->rng, 64);
    *bank = rfree ? (uint8_t)b : s->book.dest_bank[b];
    *row = rfree ? s->book.rfree_row[b] : s->book.dest_row[b];
}

/* Those named begin to ask, besides those that do already. */
static void begin(rf_arbiter_steal_stim *s, rf_arbiter_steal_in *in, uint64_t readers, uint64_t stealers, uint64_t writers) {
    for (uint64_t set = readers; set != 0; set &= set - 1)
        draw_request(s, false, &in->rd_bank[rf_lowest(set)], &in->rd_row[rf_lowest(set)]);
    for (uint64_t set = stealers; set != 0; set &= set - 1)
        draw_request(s, false, &in->sr_bank[rf_lowest(set)], &in->sr_row[rf_lowest(set)]);
    for (uint64_t set = writers; set != 0; set &= set - 1)
        draw_request(s, true, &in->wr_bank[rf_lowest(set)], &in->wr_row[rf_lowest(set)]);
    const uint64_t full = ls_rng_bits(&s->rng, s->cfg.writers, s->full);
    in->wr_full = (uint8_t)((in->wr_full & ~writers) | (full & writers));
    in->rd_valid |= readers;
    in->sr_valid |= (uint32_t)stealers;
    in->wr_valid = (uint8_t)(in->wr_valid | writers);
}

/* Cycles that the mix of knobs may never reach by itself. Whether the table had better be noise. */
static bool special(rf_arbiter_steal_stim *s, rf_arbiter_steal_in *in) {
    const uint32_t banks = s->cfg.banks, readers = s->cfg.collectors * s->cfg.slots, stealers = s->cfg.issues * s->cfg.slots;
    const uint32_t kind = ls_rng_below(&s->rng, 8), first = ls_rng_below(&s->rng, banks);
    in->rd_valid = 0;
    in->sr_valid = 0;
    in->wr_valid = 0;
    if (kind == 0) return ls_rng_chance(&s->rng, 64); /* nobody asks */
    if (kind == 6) {                                  /* no bus is idle, and maybe nobody is in a linked bank */
        begin(s, in, 0, 0, rf_mask64(s->cfg.writers));
        const uint32_t any = ls_rng_below(&s->rng, UINT32_C(1) << rf_index_bits(banks));
        for (uint32_t w = 0; w < s->cfg.writers; w++) in->wr_bank[w] = (uint8_t)any;
        return ls_rng_chance(&s->rng, 128);
    }
    if (kind == 7) { /* of each class one, when there are banks enough */
        begin(s, in, rf_mask64(readers), rf_mask64(stealers), rf_mask64(s->cfg.writers));
        for (uint32_t r = 0; r < readers; r++) in->rd_bank[r] = (uint8_t)((first + r % 2 * 4) % banks);
        for (uint32_t r = 0; r < stealers; r++) in->sr_bank[r] = (uint8_t)((first + 1) % banks);
        for (uint32_t w = 0; w < s->cfg.writers; w++) in->wr_bank[w] = (uint8_t)((first + w % 3 * 2) % banks);
        in->wr_full = (uint8_t)(rf_mask64(s->cfg.writers) & 0x49);
        return ls_rng_chance(&s->rng, 64);
    }
    const uint64_t rd = kind == 3 ? 0 : kind == 1 ? ls_rng_bits(&s->rng, readers, 32) : rf_mask64(readers);
    const uint64_t sr = kind == 4 ? 0 : ls_rng_bits(&s->rng, stealers, kind == 3 ? 256 : 64);
    begin(s, in, rd, sr, ls_rng_bits(&s->rng, s->cfg.writers, kind == 5 ? 256 : 128));
    if (kind == 1) return false; /* a few ask */
    /* Everybody reads from one bank, or from as many as there are; writers all meet them in one. */
    const uint32_t step = kind == 2 ? 1 : 0;
    for (uint32_t r = 0; r < readers; r++) in->rd_bank[r] = (uint8_t)((first + r * step) % banks);
    for (uint32_t r = 0; r < stealers; r++) in->sr_bank[r] = (uint8_t)((first + r * step) % banks);
    for (uint32_t w = 0; w < s->cfg.writers; w++) in->wr_bank[w] = (uint8_t)first;
    if (kind != 5) return false;
    /* Writers with full results meet readers or stealers in a part of the banks; in the others there is nobody. */
    const uint32_t some = 1 + ls_rng_below(&s->rng, (banks + 1) / 2);
    for (uint32_t r = 0; r < readers; r++) in->rd_bank[r] = (uint8_t)((first + r % some) % banks);
    for (uint32_t r = 0; r < stealers; r++) in->sr_bank[r] = (uint8_t)((first + r % some) % banks);
    for (uint32_t w = 0; w < s->cfg.writers; w++) in->wr_bank[w] = (uint8_t)((first + w % some) % banks);
    in->wr_full = (uint8_t)rf_mask64(s->cfg.writers);
    const bool steal = ls_rng_chance(&s->rng, 128);
    in->rd_valid = steal ? 0 : in->rd_valid;
    in->sr_valid = steal ? (uint32_t)rf_mask64(stealers) : 0;
    return ls_rng_chance(&s->rng, 128);
}

/* Hints of the cycle: an Rfree where nothing is linked, an Rfree that becomes live. Rarely a link that no write made. */
static void update_book(rf_arbiter_steal_stim *s) {
    book *t = &s->book;
    const uint32_t banks = s->cfg.banks;
    const uint32_t name = (uint32_t)ls_rng_bits(&s->rng, banks, s->name) & ~t->linked;
    const uint32_t drop = (uint32_t)ls_rng_bits(&s->rng, banks, s->drop);
    for (uint32_t set = name & ~t->named; set != 0; set &= set - 1) t->rfree_row[rf_lowest(set)] = draw_row(s);
    t->live |= drop & t->linked;
    t->named = (t->named | name) & ~(drop & ~t->linked);
    if (!ls_rng_chance(&s->rng, 8)) return;
    const uint32_t b = ls_rng_below(&s->rng, banks);
    if ((t->linked >> b & 1) != 0) return;
    t->linked |= UINT32_C(1) << b;
    t->named |= UINT32_C(1) << b;
    t->rfree_row[b] = draw_row(s);
    t->dest_bank[b] = draw_bank(s);
    t->dest_row[b] = draw_row(s);
}

/* The linked banks whose Rdest is this register. */
static uint32_t links_to(const book *t, uint32_t bank, uint32_t row) {
    uint32_t found = 0;
    for (uint32_t set = t->linked; set != 0; set &= set - 1) {
        const uint32_t b = rf_lowest(set);
        found |= (uint32_t)(t->dest_bank[b] == bank && t->dest_row[b] == row) << b;
    }
    return found;
}

/* The table's outputs of this cycle. */
static void drive_table(const book *t, rf_arbiter_steal_in *in) {
    uint32_t waited = 0;
    in->rd_blocked = 0;
    in->sr_blocked = 0;
    in->wr_blocked = 0;
    for (uint64_t set = t->linked != 0 ? in->rd_valid : 0; set != 0; set &= set - 1) {
        const uint32_t r = rf_lowest(set), links = links_to(t, in->rd_bank[r], in->rd_row[r]);
        in->rd_blocked |= (uint64_t)(links != 0) << r;
        waited |= links;
    }
    for (uint32_t set = t->linked != 0 ? in->sr_valid : 0; set != 0; set &= set - 1) {
        const uint32_t r = rf_lowest(set);
        in->sr_blocked |= (uint32_t)(links_to(t, in->sr_bank[r], in->sr_row[r]) != 0) << r;
    }
    for (uint32_t set = t->linked != 0 ? in->wr_valid : 0; set != 0; set &= set - 1) {
        const uint32_t w = rf_lowest(set), b = in->wr_bank[w];
        const bool rfree = (t->linked >> b & 1) != 0 && t->rfree_row[b] == in->wr_row[w];
        const uint32_t links = links_to(t, b, in->wr_row[w]) | (uint32_t)rfree << b;
        in->wr_blocked = (uint8_t)(in->wr_blocked | (uint32_t)(links != 0) << w);
        waited |= links;
    }
    in->usable = t->named & ~t->linked;
    in->linked = t->linked;
    in->force = t->linked & (t->live | waited);
    memcpy(in->rfree_row, t->rfree_row, sizeof in->rfree_row);
    memcpy(in->dest_bank, t->dest_bank, sizeof in->dest_bank);
    memcpy(in->dest_row, t->dest_row, sizeof in->dest_row);
}

/* The table's outputs as no table would make them. */
static void drive_noise(rf_arbiter_steal_stim *s, rf_arbiter_steal_in *in) {
    static const uint32_t shares[] = {0, 32, 128, 256};
    const uint32_t banks = s->cfg.banks, index = rf_index_bits(banks), row = rf_index_bits(s->cfg.rows);
    in->rd_blocked = ls_rng_bits(&s->rng, s->cfg.collectors * s->cfg.slots, shares[ls_rng_below(&s->rng, 4)]);
    in->sr_blocked = (uint32_t)ls_rng_bits(&s->rng, s->cfg.issues * s->cfg.slots, shares[ls_rng_below(&s->rng, 4)]);
    in->wr_blocked = (uint8_t)ls_rng_bits(&s->rng, s->cfg.writers, shares[ls_rng_below(&s->rng, 4)]);
    in->usable = (uint32_t)ls_rng_bits(&s->rng, banks, shares[ls_rng_below(&s->rng, 4)]);
    in->linked = (uint32_t)ls_rng_bits(&s->rng, banks, shares[ls_rng_below(&s->rng, 4)]);
    in->force = (uint32_t)ls_rng_bits(&s->rng, banks, shares[ls_rng_below(&s->rng, 3)]);
    for (uint32_t b = 0; b < banks; b++) {
        in->rfree_row[b] = (uint16_t)ls_rng_value(&s->rng, row);
        in->dest_bank[b] = (uint8_t)ls_rng_value(&s->rng, index);
        in->dest_row[b] = (uint16_t)ls_rng_value(&s->rng, row);
    }
}

static void stim(rf_arbiter_steal_stim *s, const rf_arbiter_steal *m, rf_arbiter_steal_in *in) {
    const rf_arbiter_steal_cfg *cfg = &m->cfg;
    const uint32_t readers = cfg->collectors * cfg->slots, stealers = cfg->issues * cfg->slots;
    if (ls_rng_chance(&s->rng, 4)) s->bank = ls_rng_below(&s->rng, cfg->banks);
    in->rd_valid &= ~(s->rd_grant | ls_rng_bits(&s->rng, readers, s->give_up));
    in->sr_valid &= ~(s->sr_grant | (uint32_t)ls_rng_bits(&s->rng, stealers, s->give_up + 16));
    in->wr_valid = (uint8_t)(in->wr_valid & ~(s->wr_grant | ls_rng_bits(&s->rng, cfg->writers, s->give_up)));
    update_book(s);
    bool noise = ls_rng_chance(&s->rng, s->noisy ? 96 : s->noise);
    if (ls_rng_chance(&s->rng, s->special)) {
        noise |= special(s, in);
    } else {
        const uint64_t rd = ls_rng_bits(&s->rng, readers, s->read) & ~in->rd_valid;
        const uint64_t sr = ls_rng_bits(&s->rng, stealers, s->steal) & ~(uint64_t)in->sr_valid;
        const uint64_t wr = ls_rng_bits(&s->rng, cfg->writers, s->write) & ~(uint64_t)in->wr_valid;
        begin(s, in, rd, sr, wr);
    }
    s->noisy = noise;
    if (noise) drive_noise(s, in);
    else drive_table(&s->book, in);
}

static void observe(rf_arbiter_steal_stim *s, const rf_arbiter_steal_in *in, const rf_arbiter_steal_out *out) {
    book *t = &s->book;
    s->rd_grant = out->rd_grant;
    s->sr_grant = out->sr_grant;
    s->wr_grant = out->wr_grant;
    for (uint32_t set = out->link; set != 0; set &= set - 1) {
        const uint32_t b = rf_lowest(set), w = out->bank_wsel[b];
        t->rfree_row[b] = in->rfree_row[b];
        t->dest_bank[b] = in->wr_bank[w];
        t->dest_row[b] = in->wr_row[w];
    }
    t->linked = (t->linked & ~out->recall) | out->link;
    t->named = (t->named & ~(out->recall & t->live)) | out->link;
    t->live &= ~out->recall & ~out->link;
}

enum {
    IDLE,
    READ,
    STEAL,
    NORMAL_WRITE,
    STOLEN,
    FORCED_WRITE,
    RETURN,
    FORCED_RECALL,
    VOLUNTARY_RECALL,
    READ_BEATS_STEAL,
    READ_MOVES_WRITE,
    STEAL_MOVES_WRITE,
    STEAL_YIELDS,
    FORCED_BEATS_READ,
    FORCED_BEATS_STEAL,
    RETURN_BEATS_READ,
    RETURN_BEATS_STEAL,
    RETURN_BEATS_WRITE,
    RETURN_MOVES_WRITE,
    RECALL_BEATS_READ,
    RECALL_BEATS_STEAL,
    RECALL_BEATS_WRITE,
    RECALL_MOVES_WRITE,
    RECALL_WAITS_FOR_RETURN,
    SEVERAL_TO_FORCE,
    FORCED_BEFORE_VOLUNTARY,
    FORCED_WITHOUT_BUS,
    VOLUNTARY_WITHOUT_BUS,
    VOLUNTARY_ASKED,
    VOLUNTARY_NAMED,
    VOLUNTARY_RETURN,
    RECALL_HIGHER_BUS,
    RETURN_AND_RECALL,
    BUS_TAKEN,
    RETURN_NOWHERE,
    FULL_NO_PLACE,
    PART_NO_STEAL,
    SEVERAL_STOLEN,
    PLACES_RUN_OUT,
    PLACE_NAMED,
    PLACE_RETURN,
    PLACE_RECALLED,
    FORCE_UNLINKED,
    BLOCKED_READ,
    BLOCKED_STEAL,
    BLOCKED_WRITE,
    READ_CONFLICT,
    STEAL_CONFLICT,
    WRITE_CONFLICT,
    SEVERAL_SLOTS,
    HIGHER_SLOT,
    READ_ABOVE,
    READ_WRAPPED,
    WRITE_ABOVE,
    WRITE_WRAPPED,
    PLACE_ABOVE,
    PLACE_WRAPPED,
    RECALL_ABOVE,
    RECALL_WRAPPED,
    ALL_BANKS,
    FIVE_CLASSES,
    NO_SUCH_BANK_READ,
    NO_SUCH_BANK_STEAL,
    NO_SUCH_BANK_WRITE
}; /* in the order of bin_names */

static const char *const bin_names[] = {"nobody asks and nothing comes back",
                                        "normal read",
                                        "stealing read",
                                        "normal write",
                                        "stealing write",
                                        "forced write of a result that finds no place",
                                        "a value comes back",
                                        "forced recall",
                                        "voluntary recall",
                                        "a read beats a stealing read",
                                        "a write goes elsewhere for a read",
                                        "a write goes elsewhere for a stealing read",
                                        "a stealing read yields to a normal write",
                                        "a forced write beats a read",
                                        "a forced write beats a stealing read",
                                        "a return beats a read",
                                        "a return beats a stealing read",
                                        "a write waits for a return",
                                        "a write goes elsewhere for a return",
                                        "a forced recall beats a read",
                                        "a forced recall beats a stealing read",
                                        "a write waits for a forced recall",
                                        "a write goes elsewhere for a forced recall",
                                        "a forced recall waits for a return to its bank",
                                        "several banks are forced",
                                        "a forced recall goes before a voluntary one",
                                        "forced recall, no bus idle",
                                        "voluntary recall waits for a bus",
                                        "voluntary recall waits for a request",
                                        "voluntary recall waits for a request that may not ask",
                                        "voluntary recall waits for a return to its bank",
                                        "recall on a bus other than 0",
                                        "return and recall in one cycle",
                                        "a writer lacks its bus",
                                        "return to a bank that does not exist",
                                        "a full result finds no place",
                                        "a result in part is not stolen",
                                        "several stealing writes",
                                        "the places run out",
                                        "a place is named by a request that may not ask",
                                        "a place takes a return",
                                        "a place is recalled",
                                        "force of a bank that is not linked",
                                        "a read waits for a write-back",
                                        "a stealing read waits for a write-back",
                                        "a write waits for a write-back",
                                        "two collectors want one bank",
                                        "two stealers want one bank",
                                        "two writers want one bank",
                                        "two slots of a collector are served",
                                        "a slot other than the first is served",
                                        "read granted above the pointer",
                                        "read granted after wrapping",
                                        "write granted above the pointer",
                                        "write granted after wrapping",
                                        "place above the pointer",
                                        "place after wrapping",
                                        "recall above the pointer",
                                        "recall after wrapping",
                                        "every bank is used",
                                        "all classes in one cycle",
                                        "read from a bank that does not exist",
                                        "stealing read from a bank that does not exist",
                                        "write to a bank that does not exist",
                                        NULL};

static uint64_t bin(bool hit, uint32_t which) { return (uint64_t)hit << which; }

/* A cycle's requests by bank, as the bins need them: banks bits. */
typedef struct view {
    uint32_t named, ready;        /* any valid request; any that may ask */
    uint32_t rd, sr, wr;          /* a reader, stealer, writer that may ask */
    uint32_t ret;                 /* the bank that a return writes */
    uint32_t own;                 /* written by a writer in its own name */
    uint32_t forced;              /* by a forced write, of those */
    uint32_t normal_rd, steal_rd; /* banks that serve a reader, a stealer */
} view;

static uint64_t bins_of_readers(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, const rf_arbiter_steal_out *out,
                                view *v) {
    const rf_arbiter_steal_cfg *cfg = &m->cfg;
    uint64_t hit = 0, served = 0;
    uint32_t collector_of[RF_BANKS_MAX]; /* of the last reader seen that asks for the bank */
    for (uint64_t set = in->rd_valid; set != 0; set &= set - 1) {
        const uint32_t r = rf_lowest(set), b = in->rd_bank[r], c = r / cfg->slots;
        hit |= bin(b >= cfg->banks, NO_SUCH_BANK_READ);
        if (b >= cfg->banks) continue;
        v->named |= UINT32_C(1) << b;
        hit |= bin(in->rd_blocked >> r & 1, BLOCKED_READ);
        if ((in->rd_blocked >> r & 1) != 0) continue;
        hit |= bin((v->rd >> b & 1) != 0 && collector_of[b] != c, READ_CONFLICT);
        v->rd |= UINT32_C(1) << b;
        collector_of[b] = c;
        if ((out->rd_grant >> r & 1) == 0) continue;
        v->normal_rd |= UINT32_C(1) << b;
        hit |= bin(served >> c & 1, SEVERAL_SLOTS) | bin(r % cfg->slots != 0, HIGHER_SLOT) | bin(true, READ);
        hit |= bin(true, (m->rd_rr[b].mask_q >> c & 1) != 0 ? READ_ABOVE : READ_WRAPPED);
        served |= UINT64_C(1) << c;
    }
    for (uint32_t set = in->sr_valid; set != 0; set &= set - 1) {
        const uint32_t s = rf_lowest(set), b = in->sr_bank[s];
        hit |= bin(b >= cfg->banks, NO_SUCH_BANK_STEAL);
        if (b >= cfg->banks) continue;
        v->named |= UINT32_C(1) << b;
        hit |= bin(in->sr_blocked >> s & 1, BLOCKED_STEAL);
        if ((in->sr_blocked >> s & 1) != 0) continue;
        hit |= bin(v->sr >> b & 1, STEAL_CONFLICT);
        v->sr |= UINT32_C(1) << b;
        if ((out->sr_grant >> s & 1) == 0) continue;
        v->steal_rd |= UINT32_C(1) << b;
        hit |= bin(true, STEAL);
    }
    return hit;
}

static uint64_t bins_of_writers(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, const rf_arbiter_steal_out *out,
                                view *v) {
    const rf_arbiter_steal_cfg *cfg = &m->cfg;
    uint64_t hit = 0;
    for (uint32_t set = in->wr_valid; set != 0; set &= set - 1) {
        const uint32_t w = rf_lowest(set), b = in->wr_bank[w];
        const bool taken = m->ret_valid_q != 0 && m->ret_bus_q == w;
        hit |= bin(taken, BUS_TAKEN) | bin(b >= cfg->banks, NO_SUCH_BANK_WRITE);
        if (b >= cfg->banks) continue;
        v->named |= UINT32_C(1) << b;
        hit |= bin(in->wr_blocked >> w & 1, BLOCKED_WRITE);
        if ((in->wr_blocked >> w & 1) != 0 || taken) continue;
        hit |= bin(v->wr >> b & 1, WRITE_CONFLICT);
        v->wr |= UINT32_C(1) << b;
        if ((out->wr_grant >> w & 1) == 0) continue;
        const bool stolen = (out->wr_stolen >> w & 1) != 0, forced = (out->wr_forced >> w & 1) != 0;
        hit |= bin(true, stolen ? STOLEN : forced ? FORCED_WRITE : NORMAL_WRITE);
        hit |= bin(true, (m->wr_rr[b].mask_q >> w & 1) != 0 ? WRITE_ABOVE : WRITE_WRAPPED);
        v->own |= (uint32_t)!stolen << b;
        v->forced |= (uint32_t)forced << b;
        hit |= bin(stolen && (v->normal_rd >> b & 1) != 0, READ_MOVES_WRITE) |
               bin(stolen && (v->steal_rd >> b & 1) != 0, STEAL_MOVES_WRITE) |
               bin(stolen && (v->ret >> b & 1) != 0, RETURN_MOVES_WRITE) |
               bin(stolen && (out->recall >> b & 1) != 0, RECALL_MOVES_WRITE) |
               bin(forced && (in->wr_full >> w & 1) != 0, FULL_NO_PLACE) |
               bin(forced && (in->wr_full >> w & 1) != 0 && out->link != 0, PLACES_RUN_OUT);
    }
    return hit;
}

/* What the banks say of returns, recalls and places. */
static uint64_t bins_of_banks(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, const rf_arbiter_steal_out *out,
                              const view *v) {
    const uint32_t banks = m->cfg.banks, none = (uint32_t)__builtin_popcount(out->wr_stolen);
    const uint32_t to_force = in->linked & in->force, forced = out->recall & in->force;
    const uint32_t idle_banks = in->linked & ~v->named & ~v->ret;
    const bool no_bus = in->wr_valid == rf_mask64(m->cfg.writers);
    const uint32_t contested = v->wr & (v->rd | v->sr | v->ret | out->recall), waits = contested & ~v->own;
    const bool looks = (v->forced | out->link) != 0; /* somebody looked for a place, or would have with all lanes */
    uint64_t hit = bin(v->rd & v->sr & v->normal_rd, READ_BEATS_STEAL) | bin(v->forced & v->rd, FORCED_BEATS_READ) |
                   bin(v->own & ~v->forced & v->sr, STEAL_YIELDS) | bin(v->forced & v->sr & ~v->rd, FORCED_BEATS_STEAL) |
                   bin(v->ret & v->rd, RETURN_BEATS_READ) | bin(v->ret & v->sr & ~v->rd, RETURN_BEATS_STEAL) |
                   bin(none == 0 && (waits & v->ret), RETURN_BEATS_WRITE) | bin(forced & v->rd, RECALL_BEATS_READ) |
                   bin(forced & v->sr & ~v->rd, RECALL_BEATS_STEAL) | bin(none == 0 && (waits & forced), RECALL_BEATS_WRITE);
    hit |= bin(v->ret, RETURN) | bin(forced, FORCED_RECALL) | bin(out->recall & ~in->force, VOLUNTARY_RECALL) |
           bin(to_force & v->ret, RECALL_WAITS_FOR_RETURN) | bin(to_force & (to_force - 1), SEVERAL_TO_FORCE) |
           bin(forced != 0 && (idle_banks & ~in->force) != 0 && !no_bus, FORCED_BEFORE_VOLUNTARY) |
           bin(forced != 0 && no_bus, FORCED_WITHOUT_BUS) | bin(out->recall == 0 && idle_banks != 0, VOLUNTARY_WITHOUT_BUS) |
           bin(in->linked & ~in->force & v->ready, VOLUNTARY_ASKED) |
           bin(!no_bus && (to_force & ~v->ret) == 0 && (in->linked & v->named & ~v->ready & ~v->ret) != 0, VOLUNTARY_NAMED) |
           bin(!no_bus && (to_force & ~v->ret) == 0 && (in->linked & v->ret & ~v->named) != 0, VOLUNTARY_RETURN) |
           bin(out->recall != 0 && !no_bus && (in->wr_valid & 1) != 0, RECALL_HIGHER_BUS) |
           bin(m->ret_valid_q != 0 && out->recall != 0, RETURN_AND_RECALL) |
           bin(m->ret_valid_q != 0 && v->ret == 0, RETURN_NOWHERE);
    hit |=
        bin((v->forced & ~v->ret) != 0 && (in->usable & ~v->named & ~v->ret & ~out->recall & ~out->link) != 0, PART_NO_STEAL) |
        bin(out->link & (out->link - 1), SEVERAL_STOLEN) | bin(looks && (in->usable & v->named & ~v->ready) != 0, PLACE_NAMED) |
        bin(looks && (in->usable & v->ret & ~v->named) != 0, PLACE_RETURN) |
        bin(looks && (in->usable & out->recall & ~v->named) != 0, PLACE_RECALLED) | bin(in->force & ~in->linked, FORCE_UNLINKED);
    if (out->link != 0) hit |= bin(true, (out->link & m->place_q) != 0 ? PLACE_ABOVE : PLACE_WRAPPED);
    if (out->recall != 0) hit |= bin(true, (out->recall & m->ret_rr.mask_q) != 0 ? RECALL_ABOVE : RECALL_WRAPPED);
    hit |= bin((out->bank_re | out->bank_we) == rf_mask64(banks), ALL_BANKS);
    hit |= bin(v->normal_rd != 0 && v->steal_rd != 0 && out->link != 0 && (v->own & ~v->forced) != 0 && (v->forced | v->ret) != 0,
               FIVE_CLASSES);
    return hit;
}

static uint64_t bins(const rf_arbiter_steal *m, const rf_arbiter_steal_in *in, const rf_arbiter_steal_out *out) {
    view v = {0};
    if (m->ret_valid_q != 0 && m->ret_bank_q < m->cfg.banks) v.ret = UINT32_C(1) << m->ret_bank_q;
    uint64_t hit = bins_of_readers(m, in, out, &v);
    hit |= bins_of_writers(m, in, out, &v);
    v.ready = v.rd | v.sr | v.wr;
    hit |= bins_of_banks(m, in, out, &v);
    return hit | bin(in->rd_valid == 0 && in->sr_valid == 0 && in->wr_valid == 0 && m->ret_valid_q == 0, IDLE);
}

#define SMALL "BANKS=4 COLLECTORS=2 SLOTS=2 ISSUES=1 WRITERS=2 ROWS=8" /* quick to build */

static void unreachable(const rf_arbiter_steal_cfg *cfg, ls_unreachable *to) {
    const uint32_t sources = (cfg->collectors + cfg->issues) * cfg->slots;
    const bool all_exist = cfg->banks == UINT32_C(1) << rf_index_bits(cfg->banks);
    ls_unreachable_if(to, cfg->yield == 0, STEAL_YIELDS, "stealing reads go before normal writes");
    ls_unreachable_if(to, cfg->yield != 0, STEAL_MOVES_WRITE, "stealing reads yield to writes");
    ls_unreachable_if(to, cfg->yield != 0, FORCED_BEATS_STEAL, "stealing reads yield to writes: none is forced by one");
    ls_unreachable_if(to, cfg->collectors == 1, READ_CONFLICT, "one collector");
    ls_unreachable_if(to, cfg->collectors == 1, READ_ABOVE, "one collector: the pointer has nothing above it");
    ls_unreachable_if(to, cfg->slots == 1, SEVERAL_SLOTS, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, HIGHER_SLOT, "one slot");
    ls_unreachable_if(to, cfg->issues * cfg->slots == 1, STEAL_CONFLICT, "one stealer");
    ls_unreachable_if(to, cfg->writers == 1, RECALL_HIGHER_BUS, "one bus");
    ls_unreachable_if(to, cfg->writers == 1, SEVERAL_STOLEN, "one writer");
    ls_unreachable_if(to, cfg->writers == 1, PLACES_RUN_OUT, "one writer");
    ls_unreachable_if(to, cfg->writers == 1, WRITE_CONFLICT, "one writer");
    ls_unreachable_if(to, cfg->writers == 1, WRITE_ABOVE, "one writer: the pointer has nothing above it");
    ls_unreachable_if(to, cfg->writers == 1, RETURN_BEATS_WRITE, "one writer: a return has its bus");
    ls_unreachable_if(to, cfg->writers == 1, RETURN_MOVES_WRITE, "one writer: a return has its bus");
    ls_unreachable_if(to, cfg->writers == 1, PLACE_RETURN, "one writer: a return has its bus");
    static const uint8_t place[] = {STOLEN,         READ_MOVES_WRITE, STEAL_MOVES_WRITE, RETURN_MOVES_WRITE, RECALL_MOVES_WRITE,
                                    PART_NO_STEAL,  SEVERAL_STOLEN,   PLACES_RUN_OUT,    PLACE_NAMED,        PLACE_RETURN,
                                    PLACE_RECALLED, PLACE_ABOVE,      PLACE_WRAPPED};
    for (size_t i = 0; i < sizeof place; i++) ls_unreachable_if(to, cfg->banks == 1, place[i], "one bank: no other as a place");
    ls_unreachable_if(to, cfg->banks == 1, FORCED_BEFORE_VOLUNTARY, "one bank");
    ls_unreachable_if(to, cfg->banks == 1, SEVERAL_TO_FORCE, "one bank");
    ls_unreachable_if(to, cfg->banks == 1, SEVERAL_SLOTS, "one bank");
    ls_unreachable_if(to, cfg->banks == 1, RECALL_ABOVE, "one bank: the pointer has nothing above it");
    ls_unreachable_if(to, cfg->banks < 4, SEVERAL_STOLEN, "two banks in use and two places are four");
    ls_unreachable_if(to, cfg->banks < 3, PLACES_RUN_OUT, "two banks in use and a place are three");
    ls_unreachable_if(to, cfg->banks < 5, FIVE_CLASSES, "a bank for each class");
    ls_unreachable_if(to, cfg->writers < 3, FIVE_CLASSES, "a bus for each class that writes");
    ls_unreachable_if(to, cfg->banks > sources + cfg->writers + 1, ALL_BANKS, "more banks than requests");
    ls_unreachable_if(to, all_exist, NO_SUCH_BANK_READ, "the banks fill the port: it names no other");
    ls_unreachable_if(to, all_exist, NO_SUCH_BANK_STEAL, "the banks fill the port: it names no other");
    ls_unreachable_if(to, all_exist, NO_SUCH_BANK_WRITE, "the banks fill the port: it names no other");
    ls_unreachable_if(to, all_exist, RETURN_NOWHERE, "the banks fill the port: it names no other");
}

static const ls_fault faults[] = {
    /* requests */
    {"a blocked read asks", NULL, "rd_valid_i[r] && !rd_blocked_i[r]", "rd_valid_i[r]", "rd_grant", NULL},
    {"a blocked stealer asks", NULL, "sr_valid_i & ~sr_blocked_i", "sr_valid_i", "sr_grant", SMALL},
    {"a blocked write asks", NULL, "wr_valid_i & ~wr_blocked_i", "wr_valid_i", "sr_grant", SMALL},
    {"a returning value shares its bus", NULL, " & ~bus_taken", "", "wr_grant", SMALL},
    /* return and recall */
    {"a return does not take its bank", NULL, "busy       = ret | forced", "busy       = forced", "rd_grant", SMALL},
    {"a forced recall does not take its bank", NULL, "busy       = ret | forced", "busy       = ret", "rd_grant", SMALL},
    {"a linked bank is recalled while a return writes it", NULL, "linked_i & force_i & ~ret", "linked_i & force_i", "bank_re",
     SMALL},
    {"a voluntary recall meets a return", NULL, "linked_i & ~ret & ~named", "linked_i & ~named", "bank_re", SMALL},
    {"force alone recalls", NULL, "linked_i & force_i", "force_i", "rd_grant", SMALL},
    {"a forced recall waits for a bus", NULL, "linked_i & force_i & ~ret;", "linked_i & force_i & ~ret & {BANKS{idle != '0}};",
     "bank_re", SMALL},
    {"a voluntary recall beside a forced one", NULL, "(recall_forced != '0) ? '0 : ", "", "bank_re", SMALL},
    {"a voluntary recall needs no bus", NULL, " & {BANKS{idle != '0}}", "", "bank_re", "BANKS=4 WRITERS=1"},
    {"a voluntary recall looks at those alone who may ask", NULL, "~ret & ~named &", "~ret & ~(read | steal | write) &",
     "bank_re", SMALL},
    {"bus of a recall that of the highest writer", NULL, "ret_bus_d[k] = |(bus & ", "ret_bus_d[k] = |(idle & ", "ret_bus_q",
     SMALL},
    {"recalls start at bank 0", NULL, "else if (recall_any) mask_q", "else if (1'b0) mask_q", "u_ret_rr.mask_q", SMALL},
    {"a voluntary recall leaves the pointer", NULL, "else if (recall_any) mask_q", "else if (forced != '0) mask_q",
     "u_ret_rr.mask_q", SMALL},
    {"forced recalls start at bank 0", NULL, "? recall_forced & mask_q : recall_forced", "? recall_forced : recall_forced",
     "bank_re", SMALL},
    {"voluntary recalls start at bank 0", NULL, "? recall_voluntary & mask_q : recall_voluntary",
     "? recall_voluntary : recall_voluntary", "bank_re", SMALL},
    {"the value returns to the bank recalled", NULL, "dest_bank_i[ret_from_d*BANK_W +: BANK_W]", "ret_from_d", "ret_bank_q",
     SMALL},
    {"the value returns to the row recalled", NULL, "dest_row_i[ret_from_d", "rfree_row_i[ret_from_d", "ret_row_q", SMALL},
    {"a recall returns for ever", NULL, "ret_valid_q <= recall_any;", "ret_valid_q <= recall_any || ret_valid_q;", "ret_valid_q",
     SMALL},
    {"the kept bank shows when nothing returns", NULL, " & {BANK_W{ret_valid_q}}", "", "ret_from", SMALL},
    /* stealing writes */
    {"a write beside a stealing read is normal", NULL, "contested = read | steal | busy", "contested = read | busy", "wr_forced",
     SMALL},
    {"a stealing read does not yield", NULL, " && !(YIELD != 0 && write[b])", "", "sr_grant", SMALL " YIELD=1"},
    {"a stealing read yields to a write that may not ask", NULL, "YIELD != 0 && write[b]",
     "YIELD != 0 && (wr_at & wr_valid_i) != '0", "bank_re", SMALL " YIELD=1"},
    {"a stealing read always yields", NULL, "YIELD != 0 && write[b]", "write[b]", "wr_forced", SMALL},
    {"a write in the way of a return waits", NULL, "contested = read | steal | busy", "contested = read | steal", "wr_grant",
     SMALL},
    {"a result in part is stolen", NULL, "contender & wr_full_i", "contender", "sr_grant", SMALL},
    {"every full result is stolen", NULL, "stealable = contender &", "stealable =", "rd_grant", SMALL},
    {"a place is a bank that somebody asks for", NULL, "usable_i & ~named & ~busy", "usable_i & ~busy", "sr_grant", SMALL},
    {"a place is a bank that is written by a return", NULL, "usable_i & ~named & ~busy", "usable_i & ~named & ~forced",
     "sr_grant", SMALL},
    {"a place is a bank of a forced recall", NULL, "usable_i & ~named & ~busy", "usable_i & ~named & ~ret", "bank_we", SMALL},
    {"a place is a bank of a voluntary recall", NULL, "~busy & ~voluntary;", "~busy;", "bank_we", SMALL},
    {"two stealing writes share a place", NULL, "stealable[w] ? count << 1 : count", "count", "bank_we", SMALL},
    {"the lowest place always", NULL, "{places & ~place_q, places & place_q}", "TURN'(places)", "bank_we", SMALL},
    {"places below the pointer are not counted on", NULL, "d < TURN; d", "d < BANKS; d", "rd_grant", SMALL},
    {"a writer takes a place that is not left", NULL, "(order[w*WRITERS +: WRITERS] & many) != '0", "stealable[w]", "sr_grant",
     SMALL},
    {"the place pointer does not move", NULL, "place_q     <= place_d;", "", "place_q", SMALL},
    {"the place pointer stops at the first place", NULL, "last   = last | (place[k*BANKS +: BANKS]",
     "last   = last | (place[0 +: BANKS]", "place_q", SMALL},
    {"highest writer first", NULL, "for (int w = 0; w < WRITERS; w++) begin\n      order",
     "for (int w = WRITERS - 1; w >= 0; w--) begin\n      order", "bank_wsel", SMALL},
    {"a stolen write leaves its bank's pointer", NULL, ".take_i(own[b] || stolen)", ".take_i(own[b] || (stolen && b != 1))",
     "gen_bank[1].u_wr_rr.mask_q", SMALL},
    {"a write that waits moves its pointer", NULL, ".take_i(own[b] || stolen)", ".take_i(own[b] || stolen || b == 2)",
     "gen_bank[2].u_wr_rr.mask_q", SMALL},
    /* banks */
    {"a forced write leaves the bank to the read", NULL, "own[b]  = write[b] && !stolen && !busy[b]",
     "own[b]  = write[b] && !stolen && !busy[b] && !read[b]", "rd_grant", SMALL},
    {"a stolen write is made at home too", NULL, "own[b]  = write[b] && !stolen", "own[b]  = write[b]", "rd_grant", SMALL},
    {"a stealing read goes beside a read", NULL, "{STEALERS{!read[b] && !blocked}}", "{STEALERS{!blocked}}", "sr_grant", SMALL},
    {"a stealing read goes beside a write", NULL, "{STEALERS{!read[b] && !blocked}}", "{STEALERS{!read[b]}}", "sr_grant", SMALL},
    {"all stealers of a bank are served", NULL, "`RF_LOWEST(sr_ask);", "sr_ask;", "sr_grant", SMALL},
    {"a read goes beside a forced write", NULL, " & {READERS{!blocked}}", "", "rd_grant", SMALL},
    {"the read pointer moves on a blocked read", NULL, ".take_i(!blocked)", ".take_i(!blocked || b == 0)",
     "gen_bank[0].u_rd_rr.mask_q", SMALL},
    {"row of a recall lost", NULL, "(rfree_row_i[b*ROW_W +: ROW_W] & {ROW_W{recall_o[b]}})", "'0", "bank_raddr", SMALL},
    {"row of a stealing read lost", NULL, "sr_row[stealer]", "sr_row[0]", "bank_raddr", SMALL},
    {"row of a return lost", NULL, "(ret_row_q & {ROW_W{ret[b]}})", "'0", "bank_waddr", SMALL},
    {"a stealing write goes to its own row", NULL, "(rfree_row_i[b*ROW_W +: ROW_W] & {ROW_W{link_o[b]}})", "'0", "bank_waddr",
     SMALL},
    {"bus of a return lost", NULL, "|| (ret[b] && ret_bus_q[k])", "", "bank_wsel", SMALL},
    {"bus of a stealing write lost", NULL, "|| link_bus[k*BANKS+b]", "", "bank_wsel", SMALL},
    {"a normal write is told as forced", NULL, "own[b] && contested[b]", "own[b]", "wr_forced", SMALL},
    {"a stealing write is not told as granted", NULL, "wr_grant_o = wr_stolen_o;", "wr_grant_o = '0;", "wr_grant", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "BANKS=1 COLLECTORS=1 SLOTS=1 ISSUES=1 WRITERS=1 ROWS=1",
                                   "BANKS=2 COLLECTORS=2 SLOTS=2 ISSUES=1 WRITERS=2 ROWS=2",
                                   "BANKS=3 COLLECTORS=3 SLOTS=3 ISSUES=1 WRITERS=3 ROWS=33 YIELD=1",
                                   "BANKS=4",
                                   "BANKS=4 COLLECTORS=1 SLOTS=7 ISSUES=4 WRITERS=1 ROWS=3",
                                   "BANKS=5 COLLECTORS=5 SLOTS=1 ISSUES=3 WRITERS=5 ROWS=5",
                                   "BANKS=16 COLLECTORS=8 SLOTS=3 ISSUES=2 WRITERS=4 ROWS=64 YIELD=1",
                                   "BANKS=32 COLLECTORS=16 SLOTS=4 ISSUES=4 WRITERS=8 ROWS=1024",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/common/rf_rr.sv", "rtl/banked/rf_banked_pkg.sv", NULL};

#define LS_UNIT rf_arbiter_steal
#define LS_GROUP "steal"
#define LS_BRIEF "bank arbiter of bank stealing: five classes, one grant a bank"
#define LS_FIELDS "tb/steal/rf_arbiter_steal.fields"
#define LS_UNREACHABLE
#define LS_STEP
#define LS_OBSERVE
#include "harness/core/unit_define.h"
