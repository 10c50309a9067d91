/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_rfree_table. */
#include "cmodel/steal/rf_rfree_table.h"

#include "harness/core/unit.h"

/* Probabilities in 256ths. */
typedef struct rf_rfree_table_stim {
    ls_rng rng;
    uint32_t read, steal, write; /* an idle reader, stealer, writer begins to ask */
    uint32_t go;                 /* one that is not blocked is served */
    uint32_t give_up;            /* one goes without being served */
    uint32_t meet;               /* an access is to a register of the table */
    uint32_t link;               /* a bank that can takes a stolen write */
    uint32_t recall;             /* there is room for a write-back that nobody forces */
    uint32_t name, drop;         /* of each one */
    uint32_t launch;             /* a warp starts in a cycle */
    uint32_t noise;              /* something that no system does */
    uint32_t special;            /* the cycle is one of the special ones */
    uint32_t pool;               /* rows that take part: few of them meet more often */
    uint32_t stolen;             /* writers whose results were stolen in the cycle before */
    uint64_t rd_blocked;         /* of the cycle before, as the model said */
    uint32_t sr_blocked, wr_blocked, force;
} rf_rfree_table_stim;

typedef struct reg {
    uint32_t bank, row;
} reg;

static uint32_t rows_of(const rf_rfree_table_cfg *cfg) { return cfg->warps * cfg->per_warp; }

static void stim_init(rf_rfree_table_stim *s, const rf_rfree_table *m, uint64_t seed) {
    static const uint32_t densities[] = {8, 24, 64, 128, 224};
    const uint32_t rows = rows_of(&m->cfg);
    *s = (rf_rfree_table_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->read = densities[ls_rng_below(&s->rng, 5)];
    s->steal = densities[ls_rng_below(&s->rng, 4)];
    s->write = densities[1 + ls_rng_below(&s->rng, 4)];
    s->go = 48 + ls_rng_below(&s->rng, 192);
    s->give_up = ls_rng_chance(&s->rng, 128) ? 2 : 2 + ls_rng_below(&s->rng, 48);
    s->meet = 4 + ls_rng_below(&s->rng, 60);
    s->link = densities[ls_rng_below(&s->rng, 4)];
    s->recall = densities[1 + ls_rng_below(&s->rng, 4)];
    s->name = densities[ls_rng_below(&s->rng, 4)];
    s->drop = densities[ls_rng_below(&s->rng, 4)];
    s->launch = 2 + ls_rng_below(&s->rng, 48);
    s->noise = 3 + ls_rng_below(&s->rng, 13);
    s->special = 4 + ls_rng_below(&s->rng, 20);
    s->pool = ls_rng_chance(&s->rng, 128) ? 2 + ls_rng_below(&s->rng, 14) : rows;
    if (s->pool > rows) s->pool = rows;
}

/* Any register of the pool; one in 16 in the last row, now and then any value of the ports. */
static reg draw(rf_rfree_table_stim *s, const rf_rfree_table_cfg *cfg) {
    const uint32_t rows = rows_of(cfg);
    reg r;
    if (ls_rng_chance(&s->rng, s->noise)) {
        r.bank = (uint32_t)ls_rng_value(&s->rng, rf_index_bits(cfg->banks));
        r.row = (uint32_t)ls_rng_value(&s->rng, rf_index_bits(rows));
    } else {
        r.bank = ls_rng_below(&s->rng, cfg->banks);
        r.row = ls_rng_chance(&s->rng, 16) ? rows - 1 : ls_rng_below(&s->rng, s->pool);
    }
    return r;
}

/* Another register that differs in one bit of its number, one time in four. */
static reg beside(rf_rfree_table_stim *s, const rf_rfree_table_cfg *cfg, reg r) {
    const uint32_t row_bits = rf_index_bits(rows_of(cfg));
    if (!ls_rng_chance(&s->rng, 64)) return r;
    const uint32_t bit = ls_rng_below(&s->rng, row_bits + rf_index_bits(cfg->banks));
    if (bit < row_bits) r.row ^= UINT32_C(1) << bit;
    else r.bank ^= UINT32_C(1) << (bit - row_bits);
    return r;
}

/* A bank, of `some` when there are any. */
static uint32_t draw_bank(rf_rfree_table_stim *s, const rf_rfree_table_cfg *cfg, uint32_t some) {
    const uint32_t from = ls_rng_below(&s->rng, cfg->banks);
    const uint32_t above = some >> from << from;
    return above != 0 ? rf_lowest(above) : some != 0 ? rf_lowest(some) : from;
}

/* An Rfree or nearly, mostly a live one. */
static reg draw_free(rf_rfree_table_stim *s, const rf_rfree_table *m) {
    const uint32_t b = draw_bank(s, &m->cfg, ls_rng_chance(&s->rng, 192) ? m->f_q | m->m_q : 0);
    return beside(s, &m->cfg, (reg){b, m->rfree_q[b]});
}

/* What an access is to: mostly any register, else the Rdest of a bank, mostly of a linked one, or an Rfree. */
static reg draw_access(rf_rfree_table_stim *s, const rf_rfree_table *m) {
    if (!ls_rng_chance(&s->rng, s->meet)) return draw(s, &m->cfg);
    if (ls_rng_chance(&s->rng, 64)) return draw_free(s, m);
    const uint32_t b = draw_bank(s, &m->cfg, ls_rng_chance(&s->rng, 224) ? m->m_q : 0);
    return beside(s, &m->cfg, (reg){m->dest_bank_q[b], m->dest_row_q[b]});
}

/* Those that ask in the coming cycle: who was served or gave up is gone, others begin and stay until they are served. */
static uint64_t draw_accesses(rf_rfree_table_stim *s, const rf_rfree_table *m, uint64_t valid, uint64_t blocked, uint32_t n,
                              uint32_t begin, uint8_t *bank, uint16_t *row) {
    valid &= ~(ls_rng_bits(&s->rng, n, s->go) & ~blocked) & ~ls_rng_bits(&s->rng, n, s->give_up);
    const uint64_t fresh = ls_rng_bits(&s->rng, n, begin) & ~valid;
    /* Numbers of those that do not ask change too. */
    for (uint64_t set = fresh | (ls_rng_bits(&s->rng, n, s->noise) & ~valid); set != 0; set &= set - 1) {
        const reg r = draw_access(s, m);
        bank[rf_lowest(set)] = (uint8_t)r.bank;
        row[rf_lowest(set)] = (uint16_t)r.row;
    }
    return valid | fresh;
}

/* Stolen writes: the results of writers that ask go to banks that can take them. */
static void draw_links(rf_rfree_table_stim *s, const rf_rfree_table *m, rf_rfree_table_in *in) {
    const uint32_t can = m->f_q & ~m->m_q;
    uint32_t writers = in->wr_valid;
    in->link = (uint32_t)ls_rng_bits(&s->rng, m->cfg.banks, s->link) & can;
    if (ls_rng_chance(&s->rng, s->noise)) in->link |= (uint32_t)ls_rng_bits(&s->rng, m->cfg.banks, 64);
    s->stolen = 0;
    for (uint32_t set = in->link; set != 0; set &= set - 1) {
        const uint32_t b = rf_lowest(set);
        reg r = draw_access(s, m);
        if (writers != 0 && !ls_rng_chance(&s->rng, s->noise)) {
            const uint32_t w = rf_lowest(writers);
            r = (reg){in->wr_bank[w], in->wr_row[w]};
            s->stolen |= UINT32_C(1) << w;
            writers &= writers - 1;
        }
        in->link_bank[b] = (uint8_t)r.bank;
        in->link_row[b] = (uint16_t)r.row;
    }
}

/* Write-backs: one in a cycle, of a bank that must first, else of any linked one when there is room. */
static void draw_clears(rf_rfree_table_stim *s, const rf_rfree_table *m, rf_rfree_table_in *in) {
    const uint32_t forced = s->force & m->m_q;
    in->clear = 0;
    if (forced != 0 && ls_rng_chance(&s->rng, 192)) in->clear = UINT32_C(1) << draw_bank(s, &m->cfg, forced);
    else if (m->m_q != 0 && ls_rng_chance(&s->rng, s->recall)) in->clear = UINT32_C(1) << draw_bank(s, &m->cfg, m->m_q);
    if (ls_rng_chance(&s->rng, s->noise)) in->clear |= (uint32_t)ls_rng_bits(&s->rng, m->cfg.banks, 64);
}

/* What issuing instructions say and write: names of any register, some in a bank that is linked now or after this edge or that
 * was just named, some of no warp; drops of Rfree, of what is just named, of any. */
static void draw_updates(rf_rfree_table_stim *s, const rf_rfree_table *m, rf_rfree_table_in *in) {
    const rf_rfree_table_cfg *cfg = &m->cfg;
    const uint32_t rows = rows_of(cfg), beyond = (UINT32_C(1) << rf_index_bits(rows)) - rows;
    in->name_valid = (uint16_t)ls_rng_bits(&s->rng, cfg->names, s->name);
    in->drop_valid = (uint8_t)ls_rng_bits(&s->rng, cfg->drops, s->drop);
    for (uint32_t set = in->name_valid; set != 0; set &= set - 1) {
        const uint32_t n = rf_lowest(set), kind = ls_rng_below(&s->rng, 16);
        reg r = draw(s, cfg);
        if (kind == 0 && n > 0) r.bank = in->name_bank[n - 1];
        if (kind == 1) r.bank = draw_bank(s, cfg, in->link | in->clear);
        if (kind == 2 && beyond != 0) r.row = rows + ls_rng_below(&s->rng, beyond);
        in->name_bank[n] = (uint8_t)r.bank;
        in->name_row[n] = (uint16_t)r.row;
    }
    for (uint32_t set = in->drop_valid; set != 0; set &= set - 1) {
        const uint32_t d = rf_lowest(set), kind = ls_rng_below(&s->rng, 16);
        const uint32_t n = ls_rng_below(&s->rng, cfg->names);
        const reg r = kind == 0 ? (reg){in->name_bank[n], in->name_row[n]} : kind < 6 ? draw_free(s, m) : draw(s, cfg);
        in->drop_bank[d] = (uint8_t)r.bank;
        in->drop_row[d] = (uint16_t)r.row;
    }
}

/* Warps that start: mostly none; one of an Rfree, its neighbour, any. */
static uint64_t draw_launch(rf_rfree_table_stim *s, const rf_rfree_table *m) {
    const rf_rfree_table_cfg *cfg = &m->cfg;
    if (!ls_rng_chance(&s->rng, s->launch)) return 0;
    if (ls_rng_chance(&s->rng, s->noise)) return ls_rng_value(&s->rng, cfg->warps);
    uint32_t w = ls_rng_below(&s->rng, cfg->warps);
    if (ls_rng_chance(&s->rng, 128)) w = m->rfree_q[draw_bank(s, cfg, m->f_q)] / cfg->per_warp;
    if (ls_rng_chance(&s->rng, 64)) w++;
    return UINT64_C(1) << w % cfg->warps;
}

/* Cycles that the mix of knobs may never reach by itself. */
static void special(rf_rfree_table_stim *s, const rf_rfree_table *m, rf_rfree_table_in *in) {
    const rf_rfree_table_cfg *cfg = &m->cfg;
    const uint32_t banks = (uint32_t)rf_mask64(cfg->banks), kind = ls_rng_below(&s->rng, 8);
    const uint32_t b = draw_bank(s, cfg, m->m_q);
    reg r = ls_rng_chance(&s->rng, 128) ? draw(s, cfg) : (reg){m->dest_bank_q[b], m->dest_row_q[b]};
    if (kind == 0) { /* nothing */
        in->launch = in->rd_valid = 0;
        in->name_valid = 0;
        in->sr_valid = in->link = in->clear = 0;
        in->drop_valid = in->wr_valid = 0;
    } else if (kind == 1) { /* everybody asks for one register */
        in->rd_valid = rf_mask64(cfg->readers);
        in->sr_valid = (uint32_t)rf_mask64(cfg->stealers);
        in->wr_valid = (uint8_t)rf_mask64(cfg->writers);
        for (uint32_t i = 0; i < cfg->readers; i++) in->rd_bank[i] = (uint8_t)r.bank, in->rd_row[i] = (uint16_t)r.row;
        for (uint32_t i = 0; i < cfg->stealers; i++) in->sr_bank[i] = (uint8_t)r.bank, in->sr_row[i] = (uint16_t)r.row;
        for (uint32_t i = 0; i < cfg->writers; i++) in->wr_bank[i] = (uint8_t)r.bank, in->wr_row[i] = (uint16_t)r.row;
    } else if (kind <= 3) { /* every bank is linked; to one register or to many; cleared as well, or not */
        in->link = banks;
        if (ls_rng_chance(&s->rng, 64)) r.bank = (uint32_t)ls_rng_value(&s->rng, rf_index_bits(cfg->banks));
        in->clear = kind == 2 ? 0 : banks;
        for (uint32_t i = 0; i < cfg->banks; i++) {
            const reg to = kind == 2 ? r : draw(s, cfg);
            in->link_bank[i] = (uint8_t)to.bank;
            in->link_row[i] = (uint16_t)to.row;
        }
    } else if (kind == 4) { /* every bank is cleared */
        in->link = 0;
        in->clear = banks;
    } else if (kind == 5) { /* all warps start */
        in->launch = rf_mask64(cfg->warps);
    } else { /* all names and drops: of one bank, or of as many as there are */
        in->name_valid = (uint16_t)rf_mask64(cfg->names);
        in->drop_valid = (uint8_t)rf_mask64(cfg->drops);
        for (uint32_t n = 0; n < cfg->names; n++) {
            in->name_bank[n] = (uint8_t)(kind == 6 ? b : (b + n) % cfg->banks);
            in->name_row[n] = (uint16_t)draw(s, cfg).row;
        }
        for (uint32_t d = 0; d < cfg->drops; d++) {
            const uint32_t n = d % cfg->names, bank = in->name_bank[n];
            in->drop_bank[d] = (uint8_t)bank;
            in->drop_row[d] = ls_rng_chance(&s->rng, 128) ? m->rfree_q[bank] : in->name_row[n];
        }
    }
}

static void stim(rf_rfree_table_stim *s, const rf_rfree_table *m, rf_rfree_table_in *in) {
    const rf_rfree_table_cfg *cfg = &m->cfg;
    in->wr_valid = (uint8_t)(in->wr_valid & ~s->stolen);
    in->rd_valid = draw_accesses(s, m, in->rd_valid, s->rd_blocked, cfg->readers, s->read, in->rd_bank, in->rd_row);
    in->sr_valid = (uint32_t)draw_accesses(s, m, in->sr_valid, s->sr_blocked, cfg->stealers, s->steal, in->sr_bank, in->sr_row);
    in->wr_valid = (uint8_t)draw_accesses(s, m, in->wr_valid, s->wr_blocked, cfg->writers, s->write, in->wr_bank, in->wr_row);
    draw_links(s, m, in);
    draw_clears(s, m, in);
    draw_updates(s, m, in);
    in->launch = draw_launch(s, m);
    if (ls_rng_chance(&s->rng, s->special)) special(s, m, in);
}

static void observe(rf_rfree_table_stim *s, const rf_rfree_table_in *in, const rf_rfree_table_out *out) {
    (void)in;
    s->rd_blocked = out->rd_blocked;
    s->sr_blocked = out->sr_blocked;
    s->wr_blocked = out->wr_blocked;
    s->force = out->force;
}

/* clang-format off */
#define BINS(X) \
    X(IDLE, "nobody asks, nothing is updated") \
    X(RD_HIT, "reader of a linked Rdest") X(SR_HIT, "stealer of a linked Rdest") X(WR_HIT, "writer of a linked Rdest") \
    X(WR_FREE, "writer of a linked Rfree") \
    X(RD_MUTE, "reader of a linked Rdest does not ask") X(SR_MUTE, "stealer of a linked Rdest does not ask") \
    X(WR_MUTE, "writer of a linked Rdest does not ask") X(WR_FREE_MUTE, "writer of a linked Rfree does not ask") \
    X(RD_ROW, "reader of another row of an Rdest's bank") X(SR_ROW, "stealer of another row of an Rdest's bank") \
    X(WR_ROW, "writer of another row of an Rdest's bank") \
    X(RD_BANK, "reader of an Rdest's row in another bank") X(SR_BANK, "stealer of an Rdest's row in another bank") \
    X(WR_BANK, "writer of an Rdest's row in another bank") X(WR_FREE_BANK, "writer of a linked Rfree's row in another bank") \
    X(RD_OLD, "reader of an Rdest that is not linked") X(SR_OLD, "stealer of an Rdest that is not linked") \
    X(WR_OLD, "writer of an Rdest that is not linked") X(WR_FREE_OLD, "writer of an Rfree that is not linked") \
    X(RD_FREE, "reader of a linked Rfree does not wait") X(TWICE, "a register is Rdest of two banks") \
    X(OUTSIDE, "access to an Rdest in a bank that does not exist") \
    X(QUIET, "linked and not forced") X(LIVE, "forced only because Rfree becomes live") \
    X(SR_ALONE, "a stealer waits, the write-back is not forced") X(ALL_LINKED, "all banks are linked") \
    X(USABLE, "a bank is usable") X(USABLES, "several banks are usable") X(STARTS, "not usable: its warp starts") \
    X(AWAITED, "not usable: Rfree is a linked Rdest") X(NO_WARP, "usable while all warps start: Rfree is no warp's row") \
    X(LAST_ROW, "usable: the last warp's last row") \
    X(LINK, "link") X(LINKS, "several links") X(RELINK, "link of a linked bank") X(LINK_DEAD, "link of a bank without Rfree") \
    X(LINK_OUT, "link with an Rdest in a bank that does not exist") \
    X(CLEAR, "clear") X(CLEAR_IDLE, "clear of a bank that is not linked") X(BOTH, "link and clear of a bank") \
    X(DROP, "drop of Rfree") X(DROP_LINKED, "drop of a linked Rfree") X(DROP_BANK, "drop of an Rfree's row in another bank") \
    X(DROP_ROW, "drop of another row of a bank with Rfree") X(DROP_OUT, "drop in a bank that does not exist") \
    X(LAUNCH, "the warp of Rfree starts") X(LAUNCH_LINKED, "the warp of a linked Rfree starts") \
    X(LAUNCH_OTHER, "another warp than Rfree's starts") \
    X(NAME, "name in a bank without Rfree") X(RENAME, "name in a bank with Rfree") X(NAME_LINKED, "name in a linked bank") \
    X(NAME_LINK, "name in a bank that is being linked") X(NAME_CLEAR, "name in a bank that is being cleared") \
    X(NAME_TWICE, "two names in a bank") X(NAME_OUT, "name in a bank that does not exist") \
    X(NAME_DROP, "name in a bank whose Rfree is dropped") X(NAME_DROPPED, "a register is named and dropped") \
    X(NAME_LAUNCH, "name in a bank whose Rfree's warp starts")
/* clang-format on */

#define BIN_NUMBER(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NUMBER) };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }

static bool bit(uint64_t set, uint32_t i) { return (set >> i & 1) != 0; }

static bool is_dest(const rf_rfree_table *m, uint32_t b, uint32_t bank, uint32_t row) {
    return m->dest_bank_q[b] == bank && m->dest_row_q[b] == row;
}

/* Bins of readers, stealers or writers: in `number` those of theirs, RD_HIT, RD_MUTE, RD_ROW, RD_BANK, RD_OLD. */
static uint64_t bins_of_accesses(const rf_rfree_table *m, uint64_t valid, uint32_t n, const uint8_t *bank, const uint16_t *row,
                                 const uint32_t *number) {
    uint64_t hit = 0;
    for (uint32_t i = 0; i < n; i++) {
        const bool asks = bit(valid, i);
        uint32_t times = 0;
        for (uint32_t b = 0; b < m->cfg.banks; b++) {
            const bool linked = bit(m->m_q, b), same = is_dest(m, b, bank[i], row[i]);
            times += linked && same;
            hit |= bin(asks && linked && same, number[0]) | bin(!asks && linked && same, number[1]) |
                   bin(asks && linked && m->dest_bank_q[b] == bank[i] && !same, number[2]) |
                   bin(asks && linked && m->dest_row_q[b] == row[i] && !same, number[3]) |
                   bin(asks && !linked && same, number[4]);
        }
        hit |= bin(asks && times > 1, TWICE) | bin(asks && times != 0 && bank[i] >= m->cfg.banks, OUTSIDE);
    }
    return hit;
}

static uint64_t bins_of_outputs(const rf_rfree_table *m, const rf_rfree_table_in *in, const rf_rfree_table_out *out) {
    static const uint32_t rd[] = {RD_HIT, RD_MUTE, RD_ROW, RD_BANK, RD_OLD}, sr[] = {SR_HIT, SR_MUTE, SR_ROW, SR_BANK, SR_OLD},
                          wr[] = {WR_HIT, WR_MUTE, WR_ROW, WR_BANK, WR_OLD};
    const rf_rfree_table_cfg *cfg = &m->cfg;
    const uint64_t all = rf_mask64(cfg->warps);
    uint64_t hit = bins_of_accesses(m, in->rd_valid, cfg->readers, in->rd_bank, in->rd_row, rd) |
                   bins_of_accesses(m, in->sr_valid, cfg->stealers, in->sr_bank, in->sr_row, sr) |
                   bins_of_accesses(m, in->wr_valid, cfg->writers, in->wr_bank, in->wr_row, wr);
    for (uint32_t b = 0; b < cfg->banks; b++) {
        const uint32_t row = m->rfree_q[b], warp = row / cfg->per_warp;
        const bool linked = bit(m->m_q, b), able = bit(m->f_q, b) && !linked, usable = bit(out->usable, b);
        const bool starts = warp < cfg->warps && bit(in->launch, warp);
        bool awaited = false, waited = false, ahead = false;
        for (uint32_t w = 0; w < cfg->writers; w++) {
            const bool same = in->wr_row[w] == row, here = in->wr_bank[w] == b, asks = bit(in->wr_valid, w);
            waited |= asks && ((same && here) || is_dest(m, b, in->wr_bank[w], in->wr_row[w]));
            hit |= bin(asks && linked && same && here, WR_FREE) | bin(!asks && linked && same && here, WR_FREE_MUTE) |
                   bin(asks && linked && same && !here, WR_FREE_BANK) | bin(asks && !linked && same && here, WR_FREE_OLD);
        }
        for (uint32_t r = 0; r < cfg->readers; r++) {
            const bool asks = bit(in->rd_valid, r);
            waited |= asks && is_dest(m, b, in->rd_bank[r], in->rd_row[r]);
            hit |= bin(asks && linked && in->rd_bank[r] == b && in->rd_row[r] == row && !bit(out->rd_blocked, r), RD_FREE);
        }
        for (uint32_t i = 0; i < cfg->stealers; i++)
            ahead |= bit(in->sr_valid, i) && is_dest(m, b, in->sr_bank[i], in->sr_row[i]);
        for (uint32_t i = 0; i < cfg->banks; i++) awaited |= bit(m->m_q, i) && is_dest(m, i, b, row);
        hit |= bin(linked && !bit(out->force, b), QUIET) | bin(linked && !bit(m->f_q, b) && !waited, LIVE) |
               bin(linked && ahead && !bit(out->force, b), SR_ALONE) | bin(able && starts && !awaited, STARTS) |
               bin(able && awaited && !starts, AWAITED) | bin(usable && in->launch == all, NO_WARP) |
               bin(usable && row == rows_of(cfg) - 1, LAST_ROW);
    }
    return hit | bin(m->m_q == rf_mask64(cfg->banks), ALL_LINKED) | bin(out->usable != 0, USABLE) |
           bin((out->usable & (out->usable - 1)) != 0, USABLES);
}

static uint64_t bins_of_updates(const rf_rfree_table *m, const rf_rfree_table_in *in) {
    const uint32_t banks = m->cfg.banks;
    uint32_t dropped = 0, named = 0;
    uint64_t hit = 0;
    for (uint32_t set = in->drop_valid; set != 0; set &= set - 1) {
        const uint32_t d = rf_lowest(set), bank = in->drop_bank[d], row = in->drop_row[d];
        hit |= bin(bank >= banks, DROP_OUT);
        for (uint32_t b = 0; b < banks; b++) {
            const bool f = bit(m->f_q, b), same = row == m->rfree_q[b];
            if (bank == b && same) dropped |= UINT32_C(1) << b;
            hit |= bin(f && bank == b && same, DROP) | bin(f && bank == b && same && bit(m->m_q, b), DROP_LINKED) |
                   bin(f && bank != b && same, DROP_BANK) | bin(f && bank == b && !same, DROP_ROW);
        }
        for (uint32_t name = in->name_valid; name != 0; name &= name - 1)
            hit |=
                bin(bank < banks && in->name_bank[rf_lowest(name)] == bank && in->name_row[rf_lowest(name)] == row, NAME_DROPPED);
    }
    for (uint32_t set = in->name_valid; set != 0; set &= set - 1) {
        const uint32_t b = in->name_bank[rf_lowest(set)];
        hit |= bin(b >= banks, NAME_OUT);
        if (b >= banks) continue;
        const bool f = bit(m->f_q, b), linked = bit(m->m_q, b), link = bit(in->link, b), clear = bit(in->clear, b);
        hit |= bin(!f && !linked && !link, NAME) | bin(f && !linked && !link, RENAME) |
               bin(linked && !link && !clear, NAME_LINKED) | bin(!linked && link, NAME_LINK) |
               bin(linked && clear && !link, NAME_CLEAR) | bin(bit(named, b) && !linked && !link, NAME_TWICE) |
               bin(f && bit(dropped, b) && !linked && !link, NAME_DROP);
        named |= UINT32_C(1) << b;
    }
    for (uint32_t b = 0; b < banks; b++) {
        const uint32_t warp = m->rfree_q[b] / m->cfg.per_warp;
        const bool f = bit(m->f_q, b), linked = bit(m->m_q, b), link = bit(in->link, b), clear = bit(in->clear, b);
        const bool starts = f && warp < m->cfg.warps && bit(in->launch, warp);
        hit |= bin(link && !clear && !linked, LINK) | bin(link && linked, RELINK) | bin(link && !f, LINK_DEAD) |
               bin(link && in->link_bank[b] >= banks, LINK_OUT) | bin(clear && linked && !link, CLEAR) |
               bin(clear && !linked && !link, CLEAR_IDLE) | bin(clear && link, BOTH) | bin(starts, LAUNCH) |
               bin(starts && linked, LAUNCH_LINKED) | bin(f && !starts && in->launch != 0, LAUNCH_OTHER) |
               bin(starts && bit(named, b) && !linked && !link, NAME_LAUNCH);
    }
    return hit | bin((in->link & (in->link - 1)) != 0, LINKS);
}

static uint64_t bins(const rf_rfree_table *m, const rf_rfree_table_in *in, const rf_rfree_table_out *out) {
    uint64_t hit = bins_of_outputs(m, in, out) | bins_of_updates(m, in);
    hit |= bin(
        (in->rd_valid | in->sr_valid | in->wr_valid | in->launch | in->link | in->clear | in->name_valid | in->drop_valid) == 0,
        IDLE);
    return hit;
}

#define KEYS "~dest_miss & {wr_valid_i, {BANKS{1'b1}}, sr_valid_i, rd_valid_i}"

static void unreachable(const rf_rfree_table_cfg *cfg, ls_unreachable *to) {
    const uint32_t rows = rows_of(cfg);
    const bool banks_exact = cfg->banks == UINT32_C(1) << rf_index_bits(cfg->banks);
    const bool rows_exact = rows == UINT32_C(1) << rf_index_bits(rows);
    ls_unreachable_if(to, banks_exact, OUTSIDE, "the banks fill the port: it names no other");
    ls_unreachable_if(to, banks_exact, LINK_OUT, "the banks fill the port: it names no other");
    ls_unreachable_if(to, banks_exact, DROP_OUT, "the banks fill the port: it names no other");
    ls_unreachable_if(to, banks_exact, NAME_OUT, "the banks fill the port: it names no other");
    ls_unreachable_if(to, cfg->banks == 1, TWICE, "one bank");
    ls_unreachable_if(to, cfg->banks == 1, USABLES, "one bank");
    ls_unreachable_if(to, cfg->banks == 1, LINKS, "one bank");
    ls_unreachable_if(to, cfg->banks == 1, AWAITED, "one bank: what is linked is not usable for that alone");
    ls_unreachable_if(to, cfg->names == 1, NAME_TWICE, "one name in a cycle");
    ls_unreachable_if(to, rows_exact, NO_WARP, "the rows fill the port: each is of a warp");
    ls_unreachable_if(to, rows_exact && cfg->warps == 1, LAUNCH_OTHER, "one warp, whose row each is");
}

static const ls_fault faults[] = {
    {"a reader of an Rdest that is not linked waits", NULL, KEYS " & {DEST_N{m_q[b]}}",
     KEYS " & {{(DEST_N-READERS){m_q[b]}}, {READERS{1'b1}}}", "rd_blocked", NULL},
    {"a reader that does not ask waits", NULL, "sr_valid_i, rd_valid_i}", "sr_valid_i, {READERS{1'b1}}}", "rd_blocked", NULL},
    {"all readers at the row of reader 0", NULL, "rd_row_i[r*ROW_W +: ROW_W]", "rd_row_i[0 +: ROW_W]", "rd_blocked", NULL},
    {"a reader of an Rdest in a bank that does not exist goes ahead", NULL,
     "dest_hit[b] = ", "dest_hit[b] = {{(DEST_N-READERS){1'b1}}, {READERS{{1'b0, dest_bank_q[b]} < (BANK_W+1)'(BANKS)}}} & ",
     "rd_blocked", "BANKS=3"},
    {"a stealer that does not ask waits", NULL, "{BANKS{1'b1}}, sr_valid_i", "{BANKS{1'b1}}, {STEALERS{1'b1}}", "sr_blocked",
     NULL},
    {"a stealer's bank is not looked at", NULL, "{sr_bank_i[s*BANK_W +: BANK_W],", "{{BANK_W{1'b0}},", "sr_blocked", NULL},
    {"a writer that does not ask waits", NULL, "{wr_valid_i, {BANKS{1'b1}}", "{{WRITERS{1'b1}}, {BANKS{1'b1}}", "wr_blocked",
     NULL},
    {"WAW not seen", NULL, "dest_hit[b][WR_AT +: WRITERS] | ", "", "wr_blocked", NULL},
    {"a writer of a linked Rfree goes ahead", NULL, " | (write_hit & {WRITERS{m_q[b]}})", "", "wr_blocked", NULL},
    {"a writer of an Rfree that is not linked waits", NULL, "(write_hit & {WRITERS{m_q[b]}})", "write_hit", "wr_blocked", NULL},
    {"a stealer forces", NULL, "dest_hit[b][READERS-1:0] != '0", "dest_hit[b][FREE_AT-1:0] != '0", "force", NULL},
    {"a writer does not force", NULL, " || wr_hit[b] != '0", "", "force", NULL},
    {"a linked Rfree that becomes live does not force", NULL, " || !f_q[b]);", ");", "force", NULL},
    {"force of a bank that is not linked", NULL, "m_q[b] && (dest_hit", "(dest_hit", "force", NULL},
    {"usable while linked", NULL, "f_q[b] && !m_q[b] && !starts &&", "f_q[b] && !starts &&", "usable", NULL},
    {"usable while its warp starts", NULL, "!m_q[b] && !starts &&", "!m_q[b] &&", "usable", NULL},
    {"usable while it is a linked Rdest", NULL, " && !awaited[b]", "", "usable", NULL},
    {"an Rfree in any bank is taken for the Rdest", NULL, "{BANK_W'(b), rfree_q[b]}", "{dest_bank_q[b], rfree_q[b]}", "usable",
     NULL},
    {"linked from the next cycle on", NULL, "linked_o     = m_q", "linked_o     = m_d", "linked", NULL},
    {"row of Rfree one cycle early", NULL, "= rfree;\n    assign dest_bank_o", "= rfree_d[b];\n    assign dest_bank_o",
     "rfree_row", NULL},
    {"bank of Rdest is Rfree's own", NULL, "+: BANK_W] = dest_bank_q[b];", "+: BANK_W] = BANK_W'(b);", "dest_bank", NULL},
    {"row of Rdest is Rfree's own", NULL, "_o[b*ROW_W +: ROW_W]    = dest_row_q[b];", "_o[b*ROW_W +: ROW_W]    = rfree;",
     "dest_row", NULL},
    {"launch keeps f", NULL, "f_q[b] && !starts && !dropped", "f_q[b] && !dropped", "f_q", NULL},
    {"a launch beats a name", NULL, "named || (f_q[b] && !starts && !dropped)", "!starts && (named || (f_q[b] && !dropped))",
     "f_q", NULL},
    {"a drop keeps f", NULL, "f_q[b] && !starts && !dropped", "f_q[b] && !starts", "f_q", NULL},
    {"a drop beats a name", NULL, "named || (f_q[b] && !starts && !dropped)", "!dropped && (named || (f_q[b] && !starts))", "f_q",
     NULL},
    {"a drop that is not valid counts", NULL, "(~drop_miss & drop_valid_i) != '0", "~drop_miss != '0", "f_q", NULL},
    {"the highest drop is not seen", NULL, "~drop_miss & drop_valid_i", "~drop_miss & drop_valid_i & ({DROPS{1'b1}} >> 1)", "f_q",
     NULL},
    {"a name in a linked bank sets f", NULL, "f_d[b]         = named ||", "f_d[b]         = name_here != '0 ||", "f_q", NULL},
    {"a name that is not valid counts", NULL, "name_here = name_valid & ~name_miss", "name_here = ~name_miss", "f_q", NULL},
    {"a name replaces an Rfree that is linked in this edge", NULL, "= named ? name_row",
     "= (name_here != '0 && !m_q[b]) ? name_row", "rfree_q", NULL},
    {"names in a bank are mixed", NULL, "name_last & name_plane[k]", "name_here & name_plane[k]", "rfree_q", NULL},
    {"the lowest name of a bank stays", NULL, "`RF_LOWEST(name_here)", "name_here & ~(name_here >> 1)", "rfree_q", "NAMES=2"},
    {"clear beats link", NULL, "link_i[b] || (m_q[b] && !clear_i[b])", "!clear_i[b] && (m_q[b] || link_i[b])", "m_q", NULL},
    {"clear does nothing", NULL, "link_i[b] || (m_q[b] && !clear_i[b])", "link_i[b] || m_q[b]", "m_q", NULL},
    {"a linked bank keeps the bank of its Rdest", NULL, "link_i[b] ? link_bank_i", "(link_i[b] && !m_q[b]) ? link_bank_i",
     "dest_bank_q", NULL},
    {"a link that meets a clear keeps the row of Rdest", NULL, "link_i[b] ? link_row_i",
     "(link_i[b] && !clear_i[b]) ? link_row_i", "dest_row_q", NULL},
    {"the last bank's Rfree is not reset", NULL, "rfree_q[b]     <= '0;", "if (b + 1 < BANKS) rfree_q[b] <= '0;", "rfree_q",
     NULL},
    {0},
};

static const char *const sets[] = {"", "BANKS=4", "BANKS=16", "BANKS=32",
                                   "BANKS=1 WARPS=1 PER_WARP=1 READERS=1 STEALERS=1 WRITERS=1 DROPS=1 NAMES=1",
                                   "BANKS=3 WARPS=5 PER_WARP=3 READERS=7 STEALERS=3 WRITERS=2 DROPS=4 NAMES=3",
                                   "BANKS=5 WARPS=1 PER_WARP=256 READERS=2 STEALERS=1 WRITERS=1 DROPS=2 NAMES=2",
                                   "BANKS=2 WARPS=64 PER_WARP=1 READERS=33 STEALERS=5 WRITERS=5 DROPS=3 NAMES=1",
                                   /* rows of a warp that does not exist: 960 of 1024 */
                                   "BANKS=6 WARPS=64 PER_WARP=15 READERS=6 STEALERS=2 WRITERS=3 DROPS=2 NAMES=4",
                                   "BANKS=32 WARPS=64 PER_WARP=16 READERS=64 STEALERS=32 WRITERS=8 DROPS=4 NAMES=16",
                                   "BANKS=7 WARPS=33 PER_WARP=31 READERS=9 STEALERS=7 WRITERS=8 DROPS=1 NAMES=16", NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_rfree_table
#define LS_GROUP "steal"
#define LS_BRIEF "book of stolen registers: Rfree and Rdest of each bank"
#define LS_FIELDS "tb/steal/rf_rfree_table.fields"
#define LS_UNREACHABLE
#define LS_STEP
#define LS_OBSERVE
#include "harness/core/unit_define.h"
