/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_arbiter_steal: the slow model gives every bank one use and goes through the contract's rules in their order:
 * return, recall, writes, reads, steals [bank stealing IV-C, IV-D]. Two further tests do without it: what the paper promises,
 * checked on the outputs alone, and a register file of numbers behind the outputs in which no operand may ever be old. */
#include "cmodel/steal/rf_arbiter_steal.h"

#include "cmodel/banked/rf_arbiter.h"
#include "tb/common/judge/judge_fields.h"

extern const ls_unit rf_arbiter_steal_unit;

/* All requests of a cycle as one list: readers, stealers, writers. */
enum kind { READER, STEALER, WRITER, KINDS };
typedef struct request {
    enum kind kind;
    uint32_t i, bank, row;
    bool valid, blocked;
    bool wants; /* valid, of a bank that exists */
} request;
#define REQUESTS (RF_READERS_MAX + RF_STEALERS_MAX + RF_EXPORTS_MAX)

static uint32_t list_requests(const rf_arbiter_steal_cfg *cfg, const rf_arbiter_steal_in *in, request *list) {
    request *q = list;
    for (uint32_t i = 0; i < cfg->collectors * cfg->slots; i++)
        *q++ = (request){READER, i, in->rd_bank[i], in->rd_row[i], judge_bit(in->rd_valid, i), judge_bit(in->rd_blocked, i), 0};
    for (uint32_t i = 0; i < cfg->issues * cfg->slots; i++)
        *q++ = (request){STEALER, i, in->sr_bank[i], in->sr_row[i], judge_bit(in->sr_valid, i), judge_bit(in->sr_blocked, i), 0};
    for (uint32_t i = 0; i < cfg->writers; i++)
        *q++ = (request){WRITER, i, in->wr_bank[i], in->wr_row[i], judge_bit(in->wr_valid, i), judge_bit(in->wr_blocked, i), 0};
    for (request *k = list; k < q; k++) k->wants = k->valid && k->bank < cfg->banks;
    return (uint32_t)(q - list);
}

enum use { NOTHING, RETURN, RECALL, READ, STEAL, NORMAL, FORCED, STEALING };

typedef struct slow_arbiter {
    rf_arbiter_steal_cfg cfg;
    uint32_t rd_last[RF_BANKS_MAX]; /* collector whose read was granted last */
    uint32_t wr_last[RF_BANKS_MAX]; /* writer granted last, in any class, of those that asked for the bank */
    uint32_t place_last;            /* bank that took a stealing write last */
    uint32_t recall_last;           /* bank recalled from last */
    bool ret_valid;
    uint32_t ret_from, ret_bus, ret_bank, ret_row;
} slow_arbiter;

typedef struct slow_cycle {
    request list[REQUESTS];
    uint32_t requests;
    enum use use[RF_BANKS_MAX]; /* the one thing that each bank does */
    uint32_t who[RF_BANKS_MAX]; /* reader, stealer or result bus of it */
    uint32_t row[RF_BANKS_MAX];
    uint32_t reader[RF_BANKS_MAX][RF_COLLECTORS_MAX]; /* lowest reader of the collector that asks for the bank, or NOBODY */
    uint32_t stealer[RF_BANKS_MAX];                   /* lowest that asks, or NOBODY */
    bool writer_asks[RF_BANKS_MAX][RF_EXPORTS_MAX];
    bool reader_asks[RF_BANKS_MAX], wanted[RF_BANKS_MAX]; /* wanted: by a valid request, blocked or not */
    bool blocked[RF_BANKS_MAX];                           /* wanted by a read that is blocked */
    uint32_t chosen[RF_BANKS_MAX];                        /* of the writers that ask; WRITERS when none does */
    uint32_t place_last, stolen;                          /* after this cycle; stealing writes in it */
    bool place_wrapped, recalled, forced;                 /* forced: the recall is */
    uint32_t recall_bank, recall_bus, idle;               /* idle: lowest writer that is not valid, or WRITERS */
} slow_cycle;
#define NOBODY UINT32_MAX

/* Events: of a request, counted where it is, one of each kind of request first; of a bank; of a cycle. */
/* clang-format off */
#define REQUEST_EVENTS(X) \
    X(NO_BANK, "read of no bank") X(NO_BANK_STEAL, "stealing read of no bank") X(NO_BANK_WRITE, "write to no bank") \
    X(BLOCKED, "reader blocked") X(BLOCKED_STEAL, "stealer blocked") X(BLOCKED_WRITE, "writer blocked") \
    X(SLOTS, "two slots of one collector want one bank") X(STEALERS, "two stealers want one bank") \
    X(BUS_TAKEN, "writer's bus is taken by a return") X(BUS_TAKEN_PLACE, "a writer without its bus keeps a place") \
    X(RESET, "reset while running")
/* clang-format on */
/* clang-format off */
#define BANK_EVENTS(X) \
    X("read", use == READ) X("blocked request keeps a linked bank", use == NOTHING && linked && wanted && bus && !c->recalled) \
    X("stealing read", use == STEAL) X("blocked request keeps a place", use == NOTHING && usable && wanted && c->stolen > 0) \
    X("normal write that a stealing read yields to", use == NORMAL && steals) \
    X("normal write", use == NORMAL) X("two forced recalls: one waits", linked && force && use != RECALL && use != RETURN) \
    X("forced write", use == FORCED) X("no voluntary recall: no idle bus", use == NOTHING && linked && !wanted && !bus) \
    X("stealing write", use == STEALING) X("highest row", use != NOTHING && c->row[b] == judge_codes(cfg->rows) - 1) \
    X("return", use == RETURN) X("forced: not full, a place is free", use == FORCED && !full && place) \
    X("two collectors want one bank", collectors > 1) X("forced recall waits for a return", linked && force && use == RETURN) \
    X("two writers want one bank", writers > 1) X("normal write beside a blocked read", use == NORMAL && c->blocked[b]) \
    X("return beats read", use == RETURN && reads) X("write waits for a return", use == RETURN && writes && !served) \
    X("return beats stealing read", use == RETURN && steals) X("write waits for a recall", use == RECALL && writes && !served) \
    X("recall beats read", use == RECALL && reads) X("force of a bank not linked", force && !linked && !c->recalled) \
    X("recall beats stealing read", use == RECALL && steals) X("forced write beats stealing read", use == FORCED && steals) \
    X("forced write beats read", use == FORCED && reads) X("forced: full, place gone", use == FORCED && full && place) \
    X("read beats stealing read", use == READ && steals) X("forced: full, no place", use == FORCED && full && !place) \
    X("stolen beside a read", served && use == READ) X("stolen beside a stealing read", served && use == STEAL) \
    X("stolen beside a return", served && use == RETURN) X("stolen beside a recall", served && use == RECALL) \
    X("voluntary recall waits for a return", linked && use == RETURN && !wanted && bus && !c->recalled) \
    X("forced recall before a voluntary one", linked && !force && !wanted && c->recalled && c->forced) \
    X("read pointer wraps", use == READ && who / cfg->slots < s->rd_last[b] && s->rd_last[b] != cfg->collectors - 1) \
    X("write pointer wraps", use >= NORMAL && who < s->wr_last[asked] && s->wr_last[asked] != cfg->writers - 1)
/* clang-format on */
/* clang-format off */
#define CYCLE_EVENTS(X) \
    X("idle", in->rd_valid == 0 && in->sr_valid == 0 && in->wr_valid == 0) X("voluntary recall", c->recalled && !c->forced) \
    X("forced recall", c->recalled && c->forced) X("forced recall takes a busy bus", c->recalled && c->idle == writers) \
    X("recall on another bus than 0", c->recalled && c->recall_bus > 0) X("all readers ask", in->rd_valid == ls_mask(readers)) \
    X("two stealing writes", c->stolen > 1) X("recall while a value comes back", c->recalled && s->ret_valid) \
    X("recall pointer wraps", c->recalled && c->recall_bank < s->recall_last && s->recall_last != cfg->banks - 1) \
    X("return to no bank", s->ret_valid && s->ret_bank >= cfg->banks) X("place pointer wraps", c->place_wrapped) \
    X("all banks busy", cfg->banks > 1 && (out->bank_re | out->bank_we) == ls_mask(cfg->banks)) \
    X("all others ask", in->sr_valid == ls_mask(stealers) && in->wr_valid == ls_mask(writers))
/* clang-format on */
#define TEXT(text, condition) text,
#define COUNT(text, condition) *seen++ += (condition);
#define NUMBER(text, condition) +1
enum { REQUEST_EVENTS(JUDGE_NAME) OF_BANK, OF_CYCLE = OF_BANK BANK_EVENTS(NUMBER), EVENTS = OF_CYCLE CYCLE_EVENTS(NUMBER) };
static const char *const event_names[EVENTS] = {REQUEST_EVENTS(JUDGE_TEXT) BANK_EVENTS(TEXT) CYCLE_EVENTS(TEXT)};

static void slow_reset(slow_arbiter *s) {
    for (uint32_t b = 0; b < RF_BANKS_MAX; b++) {
        s->rd_last[b] = s->cfg.collectors - 1;
        s->wr_last[b] = s->cfg.writers - 1;
    }
    s->place_last = s->recall_last = s->cfg.banks - 1;
    s->ret_valid = false;
    s->ret_from = s->ret_bus = s->ret_bank = s->ret_row = 0;
}

/* "requests": who asks for which bank. */
static void slow_requests(const slow_arbiter *s, const rf_arbiter_steal_in *in, slow_cycle *c) {
    const rf_arbiter_steal_cfg *cfg = &s->cfg;
    for (uint32_t b = 0; b < cfg->banks; b++) {
        c->stealer[b] = NOBODY;
        for (uint32_t k = 0; k < cfg->collectors; k++) c->reader[b][k] = NOBODY;
    }
    c->requests = list_requests(cfg, in, c->list);
    for (const request *q = c->list + c->requests; q-- > c->list;) { /* from above, so the lowest of a kind stays */
        if (!q->wants) continue;
        c->wanted[q->bank] = true;
        if (q->kind == READER && q->blocked) c->blocked[q->bank] = true;
        if (q->blocked) continue;
        if (q->kind == READER) c->reader_asks[q->bank] = true;
        if (q->kind == READER) c->reader[q->bank][q->i / cfg->slots] = q->i;
        if (q->kind == STEALER) c->stealer[q->bank] = q->i;
        if (q->kind == WRITER) c->writer_asks[q->bank][q->i] = !(s->ret_valid && s->ret_bus == q->i);
    }
}

static void use_bank(slow_cycle *c, uint32_t bank, enum use use, uint32_t who, uint32_t row) {
    c->use[bank] = use;
    c->who[bank] = who;
    c->row[bank] = row;
}

static void slow_recall(const slow_arbiter *s, const rf_arbiter_steal_in *in, slow_cycle *c) {
    const uint32_t banks = s->cfg.banks, writers = s->cfg.writers;
    bool due[RF_BANKS_MAX] = {false}, quiet[RF_BANKS_MAX] = {false};
    for (uint32_t b = 0; b < banks; b++) {
        const bool linked = judge_bit(in->linked, b) && c->use[b] != RETURN;
        due[b] = linked && judge_bit(in->force, b);
        quiet[b] = linked && !c->wanted[b];
    }
    while (c->idle < writers && judge_bit(in->wr_valid, c->idle)) c->idle++;
    c->recall_bank = judge_walk(s->recall_last, due, banks);
    c->forced = c->recall_bank < banks;
    if (!c->forced && c->idle < writers) c->recall_bank = judge_walk(s->recall_last, quiet, banks);
    c->recalled = c->recall_bank < banks;
    c->recall_bus = c->idle < writers ? c->idle : 0;
    if (c->recalled) use_bank(c, c->recall_bank, RECALL, 0, in->rfree_row[c->recall_bank]);
}

static void slow_writes(const slow_arbiter *s, const rf_arbiter_steal_in *in, slow_cycle *c) {
    const uint32_t banks = s->cfg.banks, writers = s->cfg.writers;
    c->place_last = s->place_last;
    for (uint32_t b = 0; b < banks; b++) c->chosen[b] = judge_walk(s->wr_last[b], c->writer_asks[b], writers);
    for (uint32_t w = 0; w < writers; w++) {
        const uint32_t b = in->wr_bank[w];
        bool free[RF_BANKS_MAX] = {false};
        uint32_t place = banks;
        if (b >= banks || c->chosen[b] != w) continue;
        if (c->use[b] == NOTHING && !c->reader_asks[b] && (c->stealer[b] == NOBODY || s->cfg.yield == 1)) {
            use_bank(c, b, NORMAL, w, in->wr_row[w]);
            continue;
        }
        if (judge_bit(in->wr_full, w)) {
            for (uint32_t p = 0; p < banks; p++) free[p] = judge_bit(in->usable, p) && !c->wanted[p] && c->use[p] == NOTHING;
            place = judge_walk(c->place_last, free, banks);
        }
        if (place < banks) {
            use_bank(c, place, STEALING, w, in->rfree_row[place]);
            c->place_wrapped = c->place_wrapped || (place <= c->place_last && c->place_last != banks - 1);
            c->place_last = place;
            c->stolen++;
        } else if (c->use[b] == NOTHING) {
            use_bank(c, b, FORCED, w, in->wr_row[w]);
        }
    }
}

static void slow_comb(const slow_arbiter *s, const rf_arbiter_steal_in *in, slow_cycle *c) {
    memset(c, 0, sizeof *c);
    slow_requests(s, in, c);
    if (s->ret_valid && s->ret_bank < s->cfg.banks) use_bank(c, s->ret_bank, RETURN, s->ret_bus, s->ret_row);
    slow_recall(s, in, c);
    slow_writes(s, in, c);
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        bool asks[RF_COLLECTORS_MAX] = {false};
        if (c->use[b] != NOTHING) continue;
        for (uint32_t k = 0; k < s->cfg.collectors; k++) asks[k] = c->reader[b][k] != NOBODY;
        const uint32_t k = judge_walk(s->rd_last[b], asks, s->cfg.collectors);
        if (k < s->cfg.collectors) use_bank(c, b, READ, c->reader[b][k], in->rd_row[c->reader[b][k]]);
        else if (c->stealer[b] != NOBODY) use_bank(c, b, STEAL, c->stealer[b], in->sr_row[c->stealer[b]]);
    }
}

static void slow_clock(slow_arbiter *s, const rf_arbiter_steal_in *in, const slow_cycle *c) {
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        if (c->use[b] == READ) s->rd_last[b] = c->who[b] / s->cfg.slots;
        if (c->use[b] == NORMAL || c->use[b] == FORCED || c->use[b] == STEALING) s->wr_last[in->wr_bank[c->who[b]]] = c->who[b];
    }
    s->place_last = c->place_last;
    s->ret_valid = c->recalled;
    if (!c->recalled) return;
    s->recall_last = s->ret_from = c->recall_bank;
    s->ret_bus = c->recall_bus;
    s->ret_bank = in->dest_bank[c->recall_bank];
    s->ret_row = in->dest_row[c->recall_bank];
}

/* The ports' view of a cycle. */
static void slow_answer(const slow_arbiter *s, const slow_cycle *c, rf_arbiter_steal_out *out) {
    memset(out, 0, sizeof *out);
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        const enum use use = c->use[b];
        const uint32_t who = c->who[b], bank = 1u << b;
        if (use == NOTHING) continue;
        if (use == READ) out->rd_grant |= UINT64_C(1) << who;
        if (use == STEAL) out->sr_grant |= 1u << who;
        if (use >= NORMAL) out->wr_grant |= (uint8_t)(1u << who);
        if (use == STEALING) out->wr_stolen |= (uint8_t)(1u << who);
        if (use == FORCED) out->wr_forced |= (uint8_t)(1u << who);
        if (use == STEALING) out->link |= bank;
        if (use == RECALL) out->recall |= bank;
        const bool reads = use == READ || use == STEAL || use == RECALL;
        *(reads ? &out->bank_re : &out->bank_we) |= bank;
        (reads ? out->bank_raddr : out->bank_waddr)[b] = (uint16_t)c->row[b];
        if (!reads) out->bank_wsel[b] = (uint8_t)who;
    }
    if (!s->ret_valid) return;
    out->ret_valid = 1;
    out->ret_from = (uint8_t)s->ret_from;
    out->ret_bus = (uint8_t)s->ret_bus;
}

/* The registers of a model that is where the slow one is. */
static void slow_registers(const slow_arbiter *s, rf_arbiter_steal *m) {
    memset(m, 0, sizeof *m);
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        m->rd_rr[b].mask_q = judge_above(s->rd_last[b], s->cfg.collectors);
        m->wr_rr[b].mask_q = judge_above(s->wr_last[b], s->cfg.writers);
    }
    m->place_q = (uint32_t)judge_above(s->place_last, s->cfg.banks);
    m->ret_rr.mask_q = judge_above(s->recall_last, s->cfg.banks);
    m->ret_valid_q = s->ret_valid;
    m->ret_from_q = (uint8_t)s->ret_from;
    m->ret_bus_q = (uint8_t)s->ret_bus;
    m->ret_bank_q = (uint8_t)s->ret_bank;
    m->ret_row_q = (uint16_t)s->ret_row;
}

static judge_list outs, registers; /* at the configuration of the run */

static void compare_state(judge *j, const slow_arbiter *s, const rf_arbiter_steal *m) {
    rf_arbiter_steal expected;
    slow_registers(s, &expected);
    judge_fields(j, &registers, m, &expected);
}

static void start(rf_arbiter_steal *m, slow_arbiter *s, rf_arbiter_steal_cfg cfg) {
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_arbiter_steal_init(m, &cfg), 0);
    judge_list_of(&outs, &rf_arbiter_steal_unit, LS_OUT, m);
    judge_list_of(&registers, &rf_arbiter_steal_unit, LS_STATE, m);
    assert_memory_equal(&m->cfg, &cfg, sizeof cfg);
    s->cfg = cfg;
    slow_reset(s);
}

/* One cycle of both, everything compared; comb starts from garbage and must leave the model alone. */
static void step(judge *j, rf_arbiter_steal *m, slow_arbiter *s, const rf_arbiter_steal_in *in, slow_cycle *c,
                 rf_arbiter_steal_out *expected) {
    rf_arbiter_steal before;
    rf_arbiter_steal_out out;
    slow_comb(s, in, c);
    slow_answer(s, c, expected);
    memcpy(&before, m, sizeof before);
    memset(&out, 0x5a, sizeof out);
    rf_arbiter_steal_comb(m, in, &out);
    judge_fields(j, &outs, &out, expected);
    assert_memory_equal(&before, m, sizeof before);
    JUDGE_CLOCK(rf_arbiter_steal, m, in);
    slow_clock(s, in, c);
    compare_state(j, s, m);
    j->cycle++;
}

/* Counts the events of a cycle in one bank; `s` is the state before it. */
static void count_bank(const slow_arbiter *s, const rf_arbiter_steal_in *in, const slow_cycle *c, uint32_t b, uint64_t *seen) {
    const rf_arbiter_steal_cfg *cfg = &s->cfg;
    const enum use use = c->use[b];
    const uint32_t who = c->who[b], asked = use >= NORMAL ? in->wr_bank[who] : 0;
    const bool reads = c->reader_asks[b], steals = c->stealer[b] != NOBODY, writes = c->chosen[b] < cfg->writers;
    const bool linked = judge_bit(in->linked, b), force = judge_bit(in->force, b), usable = judge_bit(in->usable, b);
    const bool wanted = c->wanted[b], bus = c->idle < cfg->writers, full = use >= NORMAL && judge_bit(in->wr_full, who);
    bool served = false, place = false;
    uint32_t collectors = 0, writers = 0;
    for (uint32_t k = 0; k < cfg->collectors; k++) collectors += c->reader[b][k] != NOBODY;
    for (uint32_t w = 0; w < cfg->writers; w++) writers += c->writer_asks[b][w];
    for (uint32_t p = 0; p < cfg->banks; p++) {
        served = served || (c->use[p] >= NORMAL && writes && c->who[p] == c->chosen[b]);
        place = place || (judge_bit(in->usable, p) && !c->wanted[p] && c->use[p] != RETURN && c->use[p] != RECALL);
    }
    seen += OF_BANK;
    BANK_EVENTS(COUNT)
}

/* Counts the events of a cycle; `s` is the state before it. */
static void count(const slow_arbiter *s, const rf_arbiter_steal_in *in, const slow_cycle *c, const rf_arbiter_steal_out *out,
                  uint64_t *seen) {
    const rf_arbiter_steal_cfg *cfg = &s->cfg;
    const uint32_t readers = cfg->collectors * cfg->slots, stealers = cfg->issues * cfg->slots, writers = cfg->writers;
    for (const request *q = c->list; q < c->list + c->requests; q++) {
        const bool taken = q->kind == WRITER && q->wants && s->ret_valid && s->ret_bus == q->i, asks = q->wants && !q->blocked;
        seen[(uint32_t)NO_BANK + q->kind] += q->valid && !q->wants;
        seen[(uint32_t)BLOCKED + q->kind] += q->wants && q->blocked;
        seen[SLOTS] += q->kind == READER && asks && c->reader[q->bank][q->i / cfg->slots] != q->i;
        seen[STEALERS] += q->kind == STEALER && asks && c->stealer[q->bank] != q->i;
        seen[BUS_TAKEN] += taken && !q->blocked;
        seen[BUS_TAKEN_PLACE] += taken && judge_bit(in->usable, q->bank) && c->stolen > 0;
    }
    for (uint32_t b = 0; b < cfg->banks; b++) count_bank(s, in, c, b, seen);
    seen += OF_CYCLE;
    CYCLE_EVENTS(COUNT)
}

/* What a seed draws: densities, then chances, in 256ths; how many rows are in use. */
enum { K_READ, K_STEAL, K_WRITE, K_FULL, K_USABLE, K_LINKED, K_HOLD, K_HOT, K_ILLEGAL, K_BLOCK, K_FORCE, K_ROWS, KNOBS };

/* Requests that mostly stand until granted. With `table` the table's inputs are those of a table that follows link and recall,
 * and what depends on a linked register is blocked and forces; without, they are noise. */
typedef struct traffic {
    rf_arbiter_steal_cfg cfg;
    bool table;
    uint32_t k[KNOBS];
    ls_rng rng;
    rf_arbiter_steal_in in;
    bool f[RF_BANKS_MAX], m[RF_BANKS_MAX]; /* Rfree is free; Rfree keeps a value */
    uint32_t results;                      /* so far */
    uint32_t result[RF_EXPORTS_MAX];       /* number of the one that each writer shows */
} traffic;

static void traffic_begin(traffic *t, rf_arbiter_steal_cfg cfg, bool table, uint64_t seed) {
    static const uint32_t densities[] = {8, 48, 128, 224, 256};
    static const uint32_t below[] = {257, 192, 64, 128, 256, 8}; /* of hold and those after it */
    *t = (traffic){.cfg = cfg, .table = table};
    ls_rng_seed(&t->rng, seed);
    for (uint32_t i = 0; i < K_HOLD; i++) t->k[i] = densities[ls_rng_below(&t->rng, 5)];
    for (uint32_t i = K_HOLD; i < KNOBS; i++) t->k[i] = ls_rng_below(&t->rng, below[i - K_HOLD]);
}

static uint8_t some_bank(traffic *t, uint32_t hot) {
    if (ls_rng_chance(&t->rng, t->k[K_ILLEGAL])) return (uint8_t)ls_rng_below(&t->rng, judge_codes(t->cfg.banks));
    if (ls_rng_chance(&t->rng, t->k[K_HOT])) return (uint8_t)hot;
    return (uint8_t)ls_rng_below(&t->rng, t->cfg.banks);
}

/* Noise takes every row that the port can carry; the table's traffic few of the lower ones, the top two are for Rfree. */
static uint16_t some_row(traffic *t) {
    const uint32_t low = t->cfg.rows > 2 ? t->cfg.rows - 2 : 1;
    if (!t->table) return (uint16_t)ls_rng_below(&t->rng, judge_codes(t->cfg.rows));
    return (uint16_t)ls_rng_below(&t->rng, t->k[K_ROWS] < low ? t->k[K_ROWS] + 1 : low);
}

static uint64_t some_bits(traffic *t, uint32_t bits, uint32_t density) {
    return ls_rng_chance(&t->rng, 8) ? ls_rng_value(&t->rng, bits) : ls_rng_bits(&t->rng, bits, density);
}

static void next_requests(traffic *t, const rf_arbiter_steal_out *last) {
    const uint32_t readers = t->cfg.collectors * t->cfg.slots, stealers = t->cfg.issues * t->cfg.slots, writers = t->cfg.writers;
    const uint32_t hot = ls_rng_below(&t->rng, t->cfg.banks);
    const bool hold = ls_rng_chance(&t->rng, t->k[K_HOLD]);
    const uint64_t read = some_bits(t, readers, t->k[K_READ]), write = some_bits(t, writers, t->k[K_WRITE]);
    const uint64_t full = some_bits(t, writers, t->k[K_FULL]);
    for (uint32_t r = 0; r < readers; r++) {
        const uint64_t bit = UINT64_C(1) << r;
        if (hold && (t->in.rd_valid & ~last->rd_grant & bit) != 0 && t->in.rd_bank[r] < t->cfg.banks) continue;
        t->in.rd_valid = (t->in.rd_valid & ~bit) | (read & bit);
        t->in.rd_bank[r] = some_bank(t, hot);
        t->in.rd_row[r] = some_row(t);
    }
    t->in.sr_valid = (uint32_t)some_bits(t, stealers, t->k[K_STEAL]);
    for (uint32_t q = 0; q < stealers; q++) {
        t->in.sr_bank[q] = some_bank(t, hot);
        t->in.sr_row[q] = some_row(t);
    }
    for (uint32_t w = 0; w < writers; w++) {
        const uint64_t bit = UINT64_C(1) << w;
        if (hold && (t->in.wr_valid & ~last->wr_grant & bit) != 0 && t->in.wr_bank[w] < t->cfg.banks) continue;
        t->in.wr_valid = (uint8_t)((t->in.wr_valid & ~bit) | (write & bit));
        t->in.wr_full = (uint8_t)((t->in.wr_full & ~bit) | (full & bit));
        t->in.wr_bank[w] = some_bank(t, hot);
        t->in.wr_row[w] = some_row(t);
        t->result[w] = ++t->results;
    }
}

static void next_noise(traffic *t) {
    const uint32_t banks = t->cfg.banks;
    t->in.rd_blocked = some_bits(t, t->cfg.collectors * t->cfg.slots, t->k[K_BLOCK]);
    t->in.sr_blocked = (uint32_t)some_bits(t, t->cfg.issues * t->cfg.slots, t->k[K_BLOCK]);
    t->in.wr_blocked = (uint8_t)some_bits(t, t->cfg.writers, t->k[K_BLOCK]);
    t->in.usable = (uint32_t)some_bits(t, banks, t->k[K_USABLE]);
    t->in.linked = (uint32_t)some_bits(t, banks, t->k[K_LINKED]);
    t->in.force = (uint32_t)some_bits(t, banks, ls_rng_chance(&t->rng, 128) ? t->k[K_FORCE] : 0);
    for (uint32_t b = 0; b < banks; b++) {
        t->in.rfree_row[b] = some_row(t);
        t->in.dest_bank[b] = (uint8_t)ls_rng_below(&t->rng, judge_codes(banks));
        t->in.dest_row[b] = some_row(t);
    }
}

/* The table of the cycle that ended. */
static void table_follows(traffic *t, const rf_arbiter_steal_out *last) {
    for (uint32_t b = 0; b < t->cfg.banks; b++) {
        if (judge_bit(last->recall, b)) t->m[b] = false;
        if (!judge_bit(last->link, b)) continue;
        t->m[b] = true;
        t->in.dest_bank[b] = t->in.wr_bank[last->bank_wsel[b]];
        t->in.dest_row[b] = t->in.wr_row[last->bank_wsel[b]];
    }
}

/* The bank whose Rfree keeps the value of this register, or BANKS. */
static uint32_t keeper(const traffic *t, uint32_t bank, uint32_t row) {
    for (uint32_t b = 0; b < t->cfg.banks; b++)
        if (t->m[b] && t->in.dest_bank[b] == bank && t->in.dest_row[b] == row) return b;
    return t->cfg.banks;
}

static void next_table(traffic *t) {
    const uint32_t banks = t->cfg.banks, rows = t->cfg.rows;
    rf_arbiter_steal_in *in = &t->in;
    request list[REQUESTS];
    in->rd_blocked = in->usable = in->linked = in->force = in->sr_blocked = in->wr_blocked = 0;
    for (uint32_t b = 0; b < banks; b++) {
        if (t->f[b]) {
            t->f[b] = !ls_rng_chance(&t->rng, 4);
        } else if (!t->m[b] && ls_rng_chance(&t->rng, t->k[K_USABLE])) {
            t->f[b] = true;
            in->rfree_row[b] = (uint16_t)(rows > 2 ? rows - 1 - ls_rng_below(&t->rng, 2) : rows - 1);
        }
        if (t->m[b]) in->linked |= 1u << b;
        if (t->m[b] && !t->f[b]) in->force |= 1u << b;
    }
    for (uint32_t b = 0; b < banks; b++)
        if (t->f[b] && !t->m[b] && keeper(t, b, in->rfree_row[b]) == banks) in->usable |= 1u << b;
    const uint32_t n = list_requests(&t->cfg, in, list);
    for (const request *q = list; in->linked != 0 && q < list + n; q++) {
        uint32_t b = q->wants ? keeper(t, q->bank, q->row) : banks;
        if (b == banks && q->wants && q->kind == WRITER && t->m[q->bank] && in->rfree_row[q->bank] == q->row) b = q->bank;
        if (b == banks) continue;
        if (q->kind == READER) in->rd_blocked |= UINT64_C(1) << q->i;
        if (q->kind == STEALER) in->sr_blocked |= 1u << q->i;
        if (q->kind == WRITER) in->wr_blocked |= (uint8_t)(1u << q->i);
        if (q->kind != STEALER) in->force |= 1u << b;
    }
}

static void traffic_next(traffic *t, const rf_arbiter_steal_out *last) {
    if (t->table) table_follows(t, last);
    next_requests(t, last);
    (t->table ? next_table : next_noise)(t);
}

static void begin(judge *j, const rf_arbiter_steal_cfg *cfg, uint64_t seed, const char *what) {
    judge_begin(j, seed,
                "rf_arbiter_steal banks=%" PRIu32 " collectors=%" PRIu32 " slots=%" PRIu32 " issues=%" PRIu32 " writers=%" PRIu32
                " rows=%" PRIu32 " yield=%" PRIu32 " %s",
                cfg->banks, cfg->collectors, cfg->slots, cfg->issues, cfg->writers, cfg->rows, cfg->yield, what);
}

static void run(rf_arbiter_steal_cfg cfg, bool table, uint64_t seed, uint64_t cycles, uint64_t *seen) {
    rf_arbiter_steal m;
    slow_arbiter s, before;
    judge j;
    slow_cycle c;
    traffic t;
    rf_arbiter_steal_out expected = {0};
    start(&m, &s, cfg);
    begin(&j, &cfg, seed, table ? "table" : "noise");
    compare_state(&j, &s, &m);
    traffic_begin(&t, cfg, table, seed);
    while (j.cycle < cycles) {
        traffic_next(&t, &expected);
        before = s;
        step(&j, &m, &s, &t.in, &c, &expected);
        count(&before, &t.in, &c, &expected, seen);
        if (ls_rng_below(&t.rng, 512) == 0) {
            rf_arbiter_steal_reset(&m);
            slow_reset(&s);
            compare_state(&j, &s, &m);
            seen[RESET]++;
        }
    }
    judge_passes(&j);
}

/* banks, collectors, slots, issues, writers, rows, yield */
static const struct {
    rf_arbiter_steal_cfg cfg;
    uint64_t cycles;
} sets[] = {{{1, 1, 1, 1, 1, 1, 0}, 30000},    {{1, 3, 2, 2, 3, 5, 1}, 30000},     {{2, 1, 1, 1, 1, 2, 0}, 30000},
            {{2, 2, 3, 1, 8, 16, 0}, 32000},   {{3, 1, 3, 1, 2, 33, 1}, 40000},    {{3, 5, 1, 4, 5, 4, 0}, 32000},
            {{4, 3, 3, 2, 2, 64, 1}, 40000},   {{4, 16, 1, 1, 3, 1, 1}, 24000},    {{5, 2, 5, 3, 7, 9, 0}, 24000},
            {{7, 4, 3, 2, 1, 1000, 0}, 24000}, {{8, 8, 3, 2, 2, 128, 1}, 24000},   {{8, 3, 3, 1, 4, 128, 0}, 32000},
            {{8, 8, 8, 4, 8, 1024, 0}, 8000},  {{16, 8, 3, 2, 3, 64, 1}, 12000},   {{16, 1, 7, 1, 8, 3, 1}, 20000},
            {{31, 9, 7, 3, 5, 7, 0}, 4000},    {{32, 16, 4, 4, 8, 1024, 1}, 4000}, {{32, 3, 3, 2, 2, 32, 0}, 8000}};
#define SETS (sizeof sets / sizeof *sets)

static void random_traffic_of_every_shape(void **state) {
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (uint64_t i = 0; i < SETS; i++)
        for (uint64_t k = 0; k < 8; k++) {
            run(sets[i].cfg, k % 2 == 0, ls_seed_derive(k * 100 + i, "judge rf_arbiter_steal"), sets[i].cycles / 8, seen);
            cycles += sets[i].cycles / 8;
        }
    assert_true(cycles >= 2 * JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* What a cycle leaves for the next one: the value recalled, the banks that had a forced write. */
typedef struct later {
    bool valid;
    uint32_t from, bus, bank, row, forced;
} later;

/* clang-format off */
#define PAPER(X) \
    X("forced write", forced != 0) X("stealing write", stolen != 0) X("return", returned != 0) \
    X("forced write right after another of the bank", (forced & last->forced) != 0) \
    X("recall by force", (out->recall & due) != 0) X("recall of a quiet bank", (out->recall & ~due) != 0)
/* clang-format on */
enum { P_OPERANDS, P_EVENTS = 1 PAPER(NUMBER) };
static const char *const paper_names[P_EVENTS] = {"operand compared", PAPER(TEXT)};

#define HOLDS(text, condition) judge_equal(j, text, 0, (condition), 1)
#define BIT(condition, bank) ((condition) ? 1u << (bank) : 0u)

static int ones(uint64_t word) { return __builtin_popcountll(word); }

/* The promises, from inputs and outputs alone. All words are of banks. */
static void the_paper_holds(judge *j, const rf_arbiter_steal_cfg *cfg, const rf_arbiter_steal_in *in,
                            const rf_arbiter_steal_out *out, later *last, uint64_t *seen) {
    const uint64_t grants[KINDS] = {out->rd_grant, out->sr_grant, out->wr_grant};
    const uint32_t returned = BIT(last->valid && last->bank < cfg->banks, last->bank & 31);
    uint32_t wanted = 0, full = 0, normal = 0, forced = 0, stolen = 0, full_forced = 0, idle = cfg->writers;
    uint32_t asking[KINDS] = {0}, granted[KINDS] = {0};
    request list[REQUESTS];
    const uint32_t n = list_requests(cfg, in, list);
    for (const request *q = list + n; q-- > list;) {
        const uint32_t b = q->bank, bit = BIT(q->wants, b), re = (out->bank_re >> b) & 1, we = (out->bank_we >> b) & 1;
        const bool write = q->kind == WRITER, whole = write && judge_bit(in->wr_full, q->i);
        const bool steals = write && judge_bit(out->wr_stolen, q->i);
        const bool asks = q->wants && !q->blocked && !(write && last->valid && last->bus == q->i);
        uint32_t places = 0;
        wanted |= bit;
        if (asks) asking[q->kind] |= bit;
        if (asks && whole) full |= bit;
        if (write && !q->valid) idle = q->i; /* from above: the lowest stays */
        for (uint32_t p = 0; write && p < cfg->banks; p++) places += judge_bit(out->link, p) && out->bank_wsel[p] == q->i;
        HOLDS("a stolen write has one place, others none", places == steals);
        if (!judge_bit(grants[q->kind], q->i)) continue;
        HOLDS("granted is who asked", asks);
        HOLDS("one of a kind in a bank", (granted[q->kind] & bit) == 0);
        granted[q->kind] |= bit;
        if (!write) HOLDS("its row is read", re == 1 && out->bank_raddr[b & 31] == q->row);
        if (steals) HOLDS("only whole results are stolen", whole);
        if (steals) stolen |= bit;
        if (!write || steals) continue;
        HOLDS("its row is written from its bus", we == 1 && out->bank_waddr[b & 31] == q->row && out->bank_wsel[b & 31] == q->i);
        *(judge_bit(out->wr_forced, q->i) ? &forced : &normal) |= bit;
        if (whole && judge_bit(out->wr_forced, q->i)) full_forced |= bit;
    }
    const uint32_t reads = asking[READER], steals = asking[STEALER], writes = asking[WRITER];
    const uint32_t read = granted[READER], steal = granted[STEALER];
    const uint32_t back = returned | out->recall, top = back | forced;
    const uint32_t due = in->linked & in->force & ~returned, quiet = in->linked & ~wanted & ~returned;
    HOLDS("the banks that read", out->bank_re == (read | steal | out->recall));
    HOLDS("the banks that write", out->bank_we == (normal | forced | out->link | returned));
    const int accesses = ones(out->rd_grant) + ones(out->sr_grant) + ones(out->wr_grant) + ones(out->recall) + ones(returned);
    HOLDS("one access to a bank", accesses == ones(out->bank_re | out->bank_we));
    HOLDS("stolen or forced",
          (out->wr_stolen & out->wr_forced) == 0 && ((out->wr_stolen | out->wr_forced) & ~out->wr_grant) == 0);
    HOLDS("read after forced writes alone", read == (reads & ~top));
    const uint32_t above = cfg->yield == 0 ? steals : 0; /* what a normal write lets go first beside reads */
    HOLDS("stealing read after those and reads", steal == (steals & ~top & ~reads & ~(cfg->yield == 0 ? 0 : writes)));
    HOLDS("normal write after all those", normal == (writes & ~back & ~reads & ~above));
    HOLDS("a stolen write goes to a bank nobody asked for", (out->link & (wanted | back | ~in->usable)) == 0);
    HOLDS("a write is stolen or forced by a conflict", ((stolen | forced) & ~(reads | above | back)) == 0);
    HOLDS("forced only without a place", full_forced == 0 || (in->usable & ~(wanted | back | out->link)) == 0);
    HOLDS("a write waits for a write-back alone", (writes & ~(normal | forced | stolen | back)) == 0);
    HOLDS("forced writes in consecutive cycles", (last->forced & writes & ~full & ~back & ~forced & ~normal) == 0);
    HOLDS("one recall", (out->recall & (out->recall - 1)) == 0 && (out->recall & ~in->linked) == 0);
    HOLDS("recall of what must go", due == 0 || (out->recall & due) != 0);
    HOLDS("recall when bank and bus are idle", due != 0 || (out->recall != 0) == (quiet != 0 && idle < cfg->writers));
    HOLDS("no recall of a bank in use", due != 0 || (out->recall & ~quiet) == 0);
    HOLDS("back one cycle later", out->ret_valid == last->valid);
    HOLDS("from its bank", out->ret_from == (last->valid ? last->from : 0));
    HOLDS("on its bus", out->ret_bus == (last->valid ? last->bus : 0));
    HOLDS("into Rdest", returned == 0 || (out->bank_waddr[last->bank] == last->row && out->bank_wsel[last->bank] == last->bus));
    seen += P_OPERANDS + 1;
    PAPER(COUNT)
    const uint32_t from = out->recall != 0 ? (uint32_t)__builtin_ctz(out->recall) : 0;
    HOLDS("Rfree is read", out->recall == 0 || out->bank_raddr[from] == in->rfree_row[from]);
    *last = (later){out->recall != 0, from, idle < cfg->writers ? idle : 0, in->dest_bank[from], in->dest_row[from], forced};
}

/* A register file of result numbers: what the banks hold, what they gave in the cycle before, what a program would expect. */
static uint32_t held[RF_BANKS_MAX][1024], given[RF_BANKS_MAX], latest[RF_BANKS_MAX][1024];

/* No operand may be older than the last result granted for its register, wherever that is being kept. */
static void operands_are_new(judge *j, const traffic *t, const rf_arbiter_steal_out *out, uint64_t *seen) {
    const rf_arbiter_steal_in *in = &t->in;
    uint32_t bus[RF_EXPORTS_MAX];
    request list[REQUESTS];
    const uint32_t n = list_requests(&t->cfg, in, list);
    for (const request *q = list; q < list + n; q++)
        if (q->kind != WRITER && judge_bit(q->kind == READER ? out->rd_grant : out->sr_grant, q->i))
            judge_equal(j, "operand", q->i, held[q->bank][out->bank_raddr[q->bank]], latest[q->bank][q->row]);
    seen[P_OPERANDS] += out->rd_grant != 0 && out->sr_grant != 0;
    memcpy(bus, t->result, sizeof bus);
    if (out->ret_valid) bus[out->ret_bus] = given[out->ret_from];
    for (uint32_t b = 0; b < t->cfg.banks; b++) {
        if (judge_bit(out->bank_re, b)) given[b] = held[b][out->bank_raddr[b]];
        if (judge_bit(out->bank_we, b)) held[b][out->bank_waddr[b]] = bus[out->bank_wsel[b]];
    }
    for (uint32_t w = 0; w < t->cfg.writers; w++)
        if (judge_bit(out->wr_grant, w)) latest[in->wr_bank[w]][in->wr_row[w]] = t->result[w];
}

static void what_the_paper_promises(void **state) {
    uint64_t seen[P_EVENTS] = {0};
    (void)state;
    for (uint64_t i = 0; i < SETS; i++)
        for (uint64_t k = 0; k < 8; k++) {
            const rf_arbiter_steal_cfg cfg = sets[i].cfg;
            const uint64_t seed = ls_seed_derive(k * 100 + i, "paper rf_arbiter_steal");
            const bool table = k % 2 == 0, data = table && cfg.rows > 2; /* two rows are Rfree's */
            rf_arbiter_steal m;
            rf_arbiter_steal_out out = {0};
            later last = {0};
            traffic t;
            judge judged, *j = &judged;
            for (uint32_t b = 0; b < RF_BANKS_MAX; b++)
                for (uint32_t row = 0; row < 1024; row++) held[b][row] = latest[b][row] = 0x80000000u + b * 1024 + row;
            assert_int_equal(rf_arbiter_steal_init(&m, &cfg), 0);
            traffic_begin(&t, cfg, table, seed);
            begin(j, &cfg, seed, table ? "paper, table" : "paper, noise");
            for (; j->cycle < sets[i].cycles / 8; j->cycle++) {
                traffic_next(&t, &out);
                rf_arbiter_steal_step(&m, &t.in, &out);
                the_paper_holds(j, &cfg, &t.in, &out, &last, seen);
                judge_passes(j); /* at once: after a wrong answer the numbers mean nothing */
                if (data) operands_are_new(j, &t, &out, seen);
            }
            judge_passes(j);
        }
    judge_saw_all(paper_names, seen, P_EVENTS);
}

static void without_stealing_it_is_rf_arbiter(void **state) {
    uint64_t both = 0;
    (void)state;
    for (uint64_t i = 0; i < SETS * 4; i++) {
        const rf_arbiter_steal_cfg cfg = sets[i / 4].cfg;
        const rf_arbiter_cfg base_cfg = {cfg.banks, cfg.collectors, cfg.slots, cfg.writers, cfg.rows, 1};
        const uint64_t seed = ls_seed_derive(i, "baseline rf_arbiter_steal");
        rf_arbiter base;
        rf_arbiter_in base_in;
        rf_arbiter_out base_out;
        rf_arbiter_steal m;
        rf_arbiter_steal_out out = {0};
        traffic t;
        judge j;
        assert_int_equal(rf_arbiter_init(&base, &base_cfg), 0);
        assert_int_equal(rf_arbiter_steal_init(&m, &cfg), 0);
        traffic_begin(&t, cfg, false, seed);
        begin(&j, &cfg, seed, "against rf_arbiter");
        for (; j.cycle < sets[i / 4].cycles / 16; j.cycle++) {
            traffic_next(&t, &out);
            t.in.rd_blocked = t.in.wr_blocked = 0;
            t.in.sr_valid = t.in.usable = t.in.linked = t.in.force = 0;
            base_in = (rf_arbiter_in){.rd_valid = t.in.rd_valid, .wr_valid = t.in.wr_valid};
            memcpy(base_in.rd_bank, t.in.rd_bank, sizeof base_in.rd_bank);
            memcpy(base_in.rd_row, t.in.rd_row, sizeof base_in.rd_row);
            memcpy(base_in.wr_bank, t.in.wr_bank, sizeof base_in.wr_bank);
            memcpy(base_in.wr_row, t.in.wr_row, sizeof base_in.wr_row);
            rf_arbiter_step(&base, &base_in, &base_out);
            rf_arbiter_steal_step(&m, &t.in, &out);
            judge_equal(&j, "rd_grant", 0, out.rd_grant, base_out.rd_grant);
            judge_equal(&j, "wr_grant", 0, out.wr_grant, base_out.wr_grant);
            judge_equal(&j, "bank_re", 0, out.bank_re, base_out.bank_re);
            judge_equal(&j, "bank_we", 0, out.bank_we, base_out.bank_we);
            judge_equal(&j, "of stealing", 0, out.sr_grant | out.wr_stolen | out.link | out.recall | out.ret_valid, 0);
            for (uint32_t b = 0; b < cfg.banks; b++) {
                judge_equal(&j, "bank_raddr", b, out.bank_raddr[b], base_out.bank_raddr[b]);
                judge_equal(&j, "bank_waddr", b, out.bank_waddr[b], base_out.bank_waddr[b]);
                judge_equal(&j, "bank_wsel", b, out.bank_wsel[b], base_out.bank_wsel[b]);
                judge_equal(&j, "rd_rr.mask_q", b, m.rd_rr[b].mask_q, base.rd_rr[b].mask_q);
                judge_equal(&j, "wr_rr.mask_q", b, m.wr_rr[b].mask_q, base.wr_rr[b].mask_q);
            }
            judge_equal(&j, "registers of stealing", 0, m.place_q | m.ret_rr.mask_q | m.ret_valid_q, 0);
            both += out.rd_grant != 0 && out.wr_forced != 0;
        }
        judge_passes(&j);
    }
    assert_true(both > 0);
}

static void a_parameter_out_of_range_is_refused_by_name(void **state) {
    static const rf_arbiter_steal_cfg good[] = {
        {4, 3, 3, 2, 2, 64, 0}, {1, 1, 1, 1, 1, 1, 1}, {32, 16, 4, 4, 8, 1024, 0}, {32, 8, 8, 4, 8, 1024, 1}};
    static const rf_arbiter_steal_cfg readers = {4, 13, 5, 2, 2, 64, 0};
    (void)state;
    JUDGE_RANGES(rf_arbiter_steal, good);
    judge_refused(&rf_arbiter_steal_unit, &readers, "collectors", "64");
}

static void the_comparer_sees_every_flipped_bit(void **state) {
    rf_arbiter_steal m;
    judge j;
    slow_arbiter s;
    slow_cycle c;
    traffic t;
    rf_arbiter_steal_out out = {0}, expected;
    (void)state;
    start(&m, &s, (rf_arbiter_steal_cfg){32, 16, 4, 4, 8, 1024, 0});
    traffic_begin(&t, s.cfg, false, 1);
    traffic_next(&t, &out);
    slow_comb(&s, &t.in, &c);
    slow_answer(&s, &c, &expected);
    rf_arbiter_steal_comb(&m, &t.in, &out);
    JUDGE_FLIPS(&j, rf_arbiter_steal, LS_OUT, &m, &out, judge_fields(&j, &outs, &out, &expected));
    slow_clock(&s, &t.in, &c);
    rf_arbiter_steal_clock(&m, &t.in);
    JUDGE_FLIPS(&j, rf_arbiter_steal, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_traffic_of_every_shape),       cmocka_unit_test(what_the_paper_promises),
        cmocka_unit_test(without_stealing_it_is_rf_arbiter),   cmocka_unit_test(a_parameter_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_every_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_arbiter_steal", tests, NULL, NULL);
}
