/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_cache_bank. Most epochs are like life in the system, to their end or for a while: reads
 * and writes of registers, loads, stores, atomics and flushes, which ask until they are accepted or give way to others, and an L2
 * that has data; what must hold then is checked (rf_cache_world). Behind it anything happens. */
#include "tb/cerf/env/rf_cache_world.h"

#include "harness/core/unit.h"

/* Probabilities in 256ths. */
typedef struct rf_cache_bank_stim {
    ls_rng rng;
    uint64_t legal;      /* cycles of the epoch with legal inputs */
    uint64_t cycle;      /* of the epoch */
    uint32_t left;       /* cycles of the phase */
    uint32_t ask;        /* there is a request */
    uint32_t swap;       /* one that was not accepted gives way to another */
    uint32_t again;      /* it is of the line of the one before */
    uint32_t hot, lines; /* lines of the phase: `lines` of them, from `hot` on */
    uint32_t kind[6];    /* weights of the operations */
    uint32_t dead;       /* a register is read for the last time */
    uint32_t whole;      /* all words are written */
    uint32_t takes;      /* L2 takes a message */
    uint32_t fill;       /* anything: a fill */
    uint32_t line;       /* of the request */
    bool asks;           /* the request of the cycle before was not accepted */
    rf_cache_world world;
} rf_cache_bank_stim;

static bool legal_now(const rf_cache_bank_stim *s) { return s->cycle < s->legal; }

/* One operation of all lines, while nothing leaves: MSHRs, and entries of sets, are taken until there are no more. */
static void flood(rf_cache_bank_stim *s, uint32_t op) {
    memset(s->kind, 0, sizeof s->kind);
    s->kind[op] = 1;
    s->ask = s->takes = 256;
    s->swap = 128;
    s->lines = s->world.lines;
    s->again = s->dead = s->fill = 0;
    s->world.latency = RF_WORLD_LATENCY;
}

/* Lines are written and flushed while L2 takes next to nothing: the queue is full. */
static void congest(rf_cache_bank_stim *s) {
    s->kind[RF_CACHE_LOAD] += 2;
    s->kind[RF_CACHE_STORE] += 4;
    s->kind[RF_CACHE_FLUSH] = 4;
    s->ask = 256;
    s->swap = 200;
    s->takes = 0;
    s->fill = 16;
}

static void draw_phase(rf_cache_bank_stim *s, const rf_cache_bank *m) {
    static const uint32_t often[] = {32, 128, 230, 256}, takes[] = {0, 24, 128, 256}, latency[] = {2, 12, 40, RF_WORLD_LATENCY};
    static const uint32_t weight[] = {0, 1, 4, 16}, fills[] = {0, 8, 32, 96, 200};
    ls_rng *r = &s->rng;
    s->left = 40 + ls_rng_below(r, 240);
    s->ask = often[ls_rng_below(r, 4)];
    s->swap = ls_rng_chance(r, 128) ? 0 : ls_rng_below(r, 256);
    s->again = ls_rng_below(r, 200);
    s->lines = ls_rng_chance(r, 96) ? 1 + ls_rng_below(r, m->cfg.ways + 2) : s->world.lines;
    if (s->lines > s->world.lines) s->lines = s->world.lines;
    s->hot = ls_rng_below(r, s->world.lines);
    for (uint32_t i = 0; i < 6; i++) s->kind[i] = weight[ls_rng_below(r, 4)];
    if (ls_rng_chance(r, 160)) s->kind[RF_CACHE_FLUSH] = 0;
    s->kind[ls_rng_below(r, 5)] += 8;
    s->dead = ls_rng_below(r, 128);
    s->whole = ls_rng_chance(r, 64) ? 256 : 128 + ls_rng_below(r, 128);
    s->takes = takes[ls_rng_below(r, 4)];
    s->world.latency = latency[ls_rng_below(r, 4)];
    s->fill = fills[ls_rng_below(r, 5)];
    if (ls_rng_chance(r, 32)) flood(s, ls_rng_below(r, 3));
    else if (ls_rng_chance(r, 32)) congest(s);
}

static void stim_init(rf_cache_bank_stim *s, const rf_cache_bank *m, uint64_t seed) {
    *s = (rf_cache_bank_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->legal = ls_rng_chance(&s->rng, 128) ? UINT64_MAX : ls_rng_below(&s->rng, 300);
    rf_cache_world_init(&s->world, &m->cfg, &s->rng);
}

/* ---- requests ---- */

/* An operation by its weight; 6 and 7 now and then. */
static uint32_t draw_op(rf_cache_bank_stim *s) {
    uint32_t sum = 0, op = 0;
    if (ls_rng_chance(&s->rng, 4)) return 6 + ls_rng_below(&s->rng, 2);
    for (uint32_t i = 0; i < 6; i++) sum += s->kind[i];
    for (uint32_t n = ls_rng_below(&s->rng, sum); n >= s->kind[op]; op++) n -= s->kind[op];
    return op;
}

static void draw_words(rf_cache_bank_stim *s, const rf_cache_bank *m, rf_cache_bank_in *in) {
    ls_rng *r = &s->rng;
    in->req_mask = ls_rng_chance(r, s->whole) ? (uint32_t)rf_mask64(m->cfg.lanes) : (uint32_t)ls_rng_value(r, m->cfg.lanes);
    ls_rng_lanes(r, in->req_data.lane, m->cfg.lanes);
}

static uint32_t draw_line(rf_cache_bank_stim *s) {
    if (!ls_rng_chance(&s->rng, s->again)) s->line = (s->hot + ls_rng_below(&s->rng, s->lines)) % s->world.lines;
    return s->line;
}

static void name_line(const rf_cache_bank_stim *s, rf_cache_bank_in *in) {
    in->req_set = (uint16_t)rf_cache_world_set(&s->world, s->line);
    in->req_tag = rf_cache_world_tag(&s->world, s->line);
}

/* The same of registers and of lines. */
static uint32_t operation_of(uint32_t op, bool reg) {
    static const uint8_t of_reg[] = {RF_CACHE_READ_REG, RF_CACHE_WRITE_REG, RF_CACHE_READ_REG, RF_CACHE_WRITE_REG,
                                     RF_CACHE_READ_REG};
    static const uint8_t of_line[] = {RF_CACHE_LOAD, RF_CACHE_STORE, RF_CACHE_LOAD, RF_CACHE_STORE, RF_CACHE_ATOMIC};
    return op >= RF_CACHE_FLUSH ? op : reg ? of_reg[op] : of_line[op];
}

/* A way, now and then one that is dirty. */
static uint8_t draw_way(rf_cache_bank_stim *s, const rf_cache_bank *m, const rf_cache_bank_in *in) {
    const uint32_t set = rf_tag_bank_set(&m->tags, in->req_set), ways = m->cfg.ways;
    uint32_t way = ls_rng_below(&s->rng, ways);
    if (ls_rng_chance(&s->rng, 96))
        for (uint32_t n = 0; n < ways && rf_tag_bank_state(&m->tags, set, way) != RF_LINE_DIRTY; n++) way = (way + 1) % ways;
    return (uint8_t)way;
}

static void draw_request(rf_cache_bank_stim *s, const rf_cache_bank *m, rf_cache_bank_in *in) {
    ls_rng *r = &s->rng;
    if (s->asks && !ls_rng_chance(r, s->swap)) return;
    const uint32_t op = draw_op(s), line = draw_line(s);
    in->req_op = (uint8_t)operation_of(op, (s->world.registers >> line & 1) != 0);
    in->req_valid = ls_rng_chance(r, s->ask);
    name_line(s, in);
    in->req_way = draw_way(s, m, in);
    in->req_dead = ls_rng_chance(r, s->dead);
    if (!rf_cache_world_id(&s->world, r, &in->req_id)) in->req_valid = 0;
    draw_words(s, m, in);
}

/* ---- anything ---- */

static void any_request(rf_cache_bank_stim *s, const rf_cache_bank *m, rf_cache_bank_in *in) {
    ls_rng *r = &s->rng;
    if (s->asks && !ls_rng_chance(r, s->swap)) return;
    in->req_valid = ls_rng_chance(r, s->ask);
    in->req_op = (uint8_t)draw_op(s);
    (void)draw_line(s);
    name_line(s, in);
    if (ls_rng_chance(r, 8)) in->req_set = (uint16_t)ls_rng_value(r, rf_index_bits(m->cfg.sets));
    if (ls_rng_chance(r, 8)) in->req_tag = (uint32_t)ls_rng_value(r, m->cfg.tag_w);
    in->req_way = ls_rng_chance(r, 64) ? (uint8_t)ls_rng_value(r, rf_index_bits(m->cfg.ways)) : draw_way(s, m, in);
    in->req_id = (uint8_t)ls_rng_value(r, m->cfg.id_w);
    in->req_dead = ls_rng_chance(r, s->dead);
    draw_words(s, m, in);
}

static void any_answer(rf_cache_bank_stim *s, const rf_cache_bank *m, rf_cache_bank_in *in) {
    ls_rng *r = &s->rng;
    in->mem_ready = ls_rng_chance(r, s->takes);
    in->fill_valid = ls_rng_chance(r, s->fill);
    in->fill_entry = (uint8_t)ls_rng_value(r, rf_index_bits(m->cfg.mshrs));
    if (m->mshr.busy_q != 0 && !ls_rng_chance(r, 32)) {
        uint32_t busy = m->mshr.busy_q;
        for (uint32_t n = ls_rng_below(r, (uint32_t)__builtin_popcount(busy)); n > 0; n--) busy &= busy - 1;
        in->fill_entry = (uint8_t)rf_lowest(busy);
    }
    ls_rng_lanes(r, in->fill_data.lane, m->cfg.lanes);
}

static void stim(rf_cache_bank_stim *s, const rf_cache_bank *m, rf_cache_bank_in *in) {
    if (s->left-- == 0 || s->cycle == 0) draw_phase(s, m);
    if (legal_now(s)) {
        draw_request(s, m, in);
        rf_cache_world_answer(&s->world, m, &s->rng, s->takes, in);
        rf_cache_world_check(&s->world, m, in);
    } else {
        any_request(s, m, in);
        any_answer(s, m, in);
    }
}

static void observe(rf_cache_bank_stim *s, const rf_cache_bank_in *in, const rf_cache_bank_out *out) {
    if (legal_now(s)) rf_cache_world_observe(&s->world, in, out);
    s->asks = in->req_valid && !out->accept;
    s->cycle++;
}

static const char *property(const rf_cache_bank_stim *s) { return s->world.wrong[0] != '\0' ? s->world.wrong : NULL; }
static uint64_t legal(const rf_cache_bank_stim *s) { return s->legal; }

/* ---- bins ---- */

/* clang-format off */
#define BINS(X) \
    X(R_HIT, "a register is read") X(R_DIE, "a register is read for the last time") \
    X(R_ZERO, "a register without an entry is 0") X(R_MERGE, "a register's read waits with others") \
    X(R_JOIN, "a register's last read waits with others") \
    X(R_FULL, "a register's read: too many wait") X(R_FETCH, "a register is fetched") \
    X(R_AROUND, "a register is fetched for its last read") X(R_ROOM, "a register's read: no room in the queue") \
    X(R_MSHR, "a register's read: no MSHR for registers") \
    X(W_HIT, "a register is written") X(W_PART, "some words of a register are written") X(W_WAY, "a register is written that is on its way") \
    X(W_NEW, "a register takes a vacant entry") X(W_CACHE, "a register takes a clean entry") \
    X(W_REG, "a register takes one of a register") X(W_DIRTY, "a register takes a dirty entry") \
    X(W_NO_ROOM, "a register would take an entry, no room in the queue") X(W_ZEROS, "some words of a register, the others become 0") \
    X(W_SOME, "some words of a register go to L2") X(W_PLACE, "a register goes to L2, no entry for it") \
    X(W_ROOM, "a register would go to L2, no room in the queue") \
    X(L_HIT, "a load hits") X(L_MERGE, "a load waits with others") X(L_FULL, "a load: too many wait") X(L_FETCH, "a load fetches") \
    X(L_ROOM, "a load: no room in the queue") X(L_MSHR, "a load: no MSHR for cache data") \
    X(S_CLEAN, "a store hits a clean line") X(S_DIRTY, "a store hits a dirty line") X(S_WAY, "a store of a line that is on its way") \
    X(S_L2, "a store goes to L2") X(S_ROOM, "a store: no room in the queue") \
    X(A_DIRTY, "an atomic writes a dirty line back") X(A_DIRTY_ROOM, "an atomic of a dirty line: no room in the queue") \
    X(A_DROP, "an atomic drops a clean line") X(A_STAYS, "an atomic of a clean line is refused") X(A_WAY, "an atomic of a line that is on its way") \
    X(A_MISS, "an atomic without a hit") X(A_ROOM, "an atomic: no room in the queue") X(A_MSHR, "an atomic: no MSHR for cache data") \
    X(F_DIRTY, "a flush writes back") X(F_ROOM, "a flush: no room in the queue") X(F_REG, "a flush drops a register") \
    X(F_CLEAN, "a flush drops a clean line") X(F_EMPTY, "a flush of a vacant entry") X(F_WAY, "a flush of a way that does not exist") \
    X(NOTHING, "an operation that does nothing") \
    X(I_STRAY, "a fill of a free MSHR") X(I_NEW, "a fill takes a vacant entry") X(I_CACHE, "a fill takes a clean entry") \
    X(I_REG, "a fill takes one of a register") X(I_DIRTY, "a fill takes a dirty entry") X(I_AROUND, "a fill is not kept") \
    X(I_PLACE, "a fill finds no entry") X(I_ROOM, "a fill waits for the queue") X(I_ONE, "a fill with one target") \
    X(I_ALL, "a fill with all targets") X(I_HIT, "a fill hits") X(I_NOBODY, "a fill without a target") \
    X(QUEUE_FULL, "the queue is full") X(MSHRS_FULL, "all MSHRs are busy") \
    X(BEHIND, "a request meets a fill") X(LAST, "a request in the last step of a fill")
/* clang-format on */
#define BIN_NAME(name, text) B_##name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};
#define BIN(name, cond) ((uint64_t)((cond) ? 1 : 0) << B_##name)

/* Why a request without a hit waits. */
typedef struct lack {
    bool on_way, room, mshr; /* its line is on its way; the queue has room; there is an MSHR for it */
} lack;

static uint64_t read_bins(const rf_cache_bank_in *in, const rf_cache_bank_cycle *c, const lack *l) {
    const bool reg = in->req_op == RF_CACHE_READ_REG, refused = c->refuse && !l->on_way;
    if (reg)
        return BIN(R_HIT, c->access.read && !in->req_dead) | BIN(R_DIE, c->access.read && in->req_dead) |
               BIN(R_ZERO, c->access.zero) | BIN(R_MERGE, c->merge && c->keep) | BIN(R_JOIN, c->merge && !c->keep) |
               BIN(R_FULL, c->refuse && l->on_way) | BIN(R_FETCH, c->allocate && c->keep) |
               BIN(R_AROUND, c->allocate && !c->keep) | BIN(R_ROOM, refused && !l->room) |
               BIN(R_MSHR, refused && !l->mshr && l->room);
    return BIN(L_HIT, c->access.read) | BIN(L_MERGE, c->merge) | BIN(L_FULL, c->refuse && l->on_way) | BIN(L_FETCH, c->allocate) |
           BIN(L_ROOM, refused && !l->room) | BIN(L_MSHR, refused && !l->mshr && l->room);
}

static uint64_t write_bins(const rf_cache_bank *m, const rf_cache_bank_in *in, const rf_cache_bank_cycle *c, const lack *l) {
    const bool all = in->req_mask == rf_cache_bank_lanes(m), sends = c->accept && !c->access.write;
    const bool place = (all || m->cfg.policy == RF_POLICY_REGISTERS) && c->found.victim, refused = c->refuse && !l->on_way;
    return BIN(W_HIT, c->hit && all) | BIN(W_PART, c->hit && !all) | BIN(W_WAY, c->refuse && l->on_way) |
           BIN(W_NEW, c->takes && !c->victim) | BIN(W_CACHE, c->victim && c->victim_state == RF_LINE_CACHE) |
           BIN(W_REG, c->victim && c->victim_state == RF_LINE_REG) | BIN(W_DIRTY, c->victim && c->victim_state == RF_LINE_DIRTY) |
           BIN(W_NO_ROOM, refused && place) | BIN(W_ZEROS, c->takes && !all) | BIN(W_SOME, sends && !all) |
           BIN(W_PLACE, sends && all) | BIN(W_ROOM, refused && !place);
}

static uint64_t store_bins(const rf_cache_bank_cycle *c, const lack *l) {
    return BIN(S_CLEAN, c->hit && c->found.state == RF_LINE_CACHE) | BIN(S_DIRTY, c->hit && c->found.state == RF_LINE_DIRTY) |
           BIN(S_WAY, c->refuse && l->on_way) | BIN(S_L2, c->accept && !c->hit) | BIN(S_ROOM, c->refuse && !l->on_way);
}

static uint64_t atomic_bins(const rf_cache_bank_cycle *c, const lack *l) {
    const bool dirty = c->hit && c->found.state == RF_LINE_DIRTY, refused = c->refuse && !l->on_way && !dirty;
    return BIN(A_DIRTY, dirty && !c->refuse) | BIN(A_DIRTY_ROOM, dirty && c->refuse) | BIN(A_DROP, c->accept && c->hit) |
           BIN(A_STAYS, refused && c->hit) | BIN(A_WAY, c->refuse && l->on_way) | BIN(A_MISS, c->accept && !c->hit) |
           BIN(A_ROOM, refused && !l->room) | BIN(A_MSHR, refused && !l->mshr && l->room);
}

static uint64_t flush_bins(const rf_cache_bank *m, const rf_cache_bank_in *in, const rf_cache_bank_cycle *c) {
    const uint32_t state = c->found.state;
    return BIN(F_DIRTY, c->accept && state == RF_LINE_DIRTY) | BIN(F_ROOM, c->refuse) | BIN(F_REG, state == RF_LINE_REG) |
           BIN(F_CLEAN, state == RF_LINE_CACHE) | BIN(F_EMPTY, state == RF_LINE_INACTIVE) |
           BIN(F_WAY, in->req_way >= m->cfg.ways);
}

static uint64_t fill_bins(const rf_cache_bank *m, const rf_cache_bank_in *in, const rf_cache_bank_cycle *c) {
    const uint32_t count = c->frees ? m->mshr.count_q[c->entry] : 0;
    const bool around = c->frees && !c->takes;
    const bool kept = c->frees && (m->mshr.keep_q >> c->entry & 1) != 0;
    return BIN(I_STRAY, c->filled && !c->frees) | BIN(I_NEW, c->takes && !c->victim) |
           BIN(I_CACHE, c->victim && c->victim_state == RF_LINE_CACHE) | BIN(I_REG, c->victim && c->victim_state == RF_LINE_REG) |
           BIN(I_DIRTY, c->victim && c->victim_state == RF_LINE_DIRTY) | BIN(I_AROUND, around && !kept) |
           BIN(I_PLACE, around && kept) | BIN(I_ROOM, rf_cache_bank_free(m) && !c->fill_ready) |
           BIN(I_ONE, c->frees && count == 1) | BIN(I_ALL, c->frees && count > 1 && count == m->cfg.targets) |
           BIN(I_HIT, c->takes && c->found.hit) | BIN(I_NOBODY, c->frees && count == 0) | BIN(BEHIND, in->req_valid);
}

static uint64_t bins(const rf_cache_bank *m, const rf_cache_bank_in *in, const rf_cache_bank_out *out) {
    const rf_cache_bank_request r = {.valid = in->req_valid != 0,
                                     .dead = in->req_dead != 0,
                                     .op = in->req_op,
                                     .way = in->req_way,
                                     .id = in->req_id,
                                     .set = in->req_set,
                                     .tag = in->req_tag,
                                     .mask = in->req_mask,
                                     .data = &in->req_data};
    const rf_cache_bank_fill f = {.valid = in->fill_valid != 0, .entry = in->fill_entry, .data = &in->fill_data};
    rf_cache_bank_cycle c;
    rf_cache_bank_decide(m, &r, &f, &c);
    const lack l = {.on_way = !c.hit && rf_mshr_with(&m->mshr, rf_cache_bank_line(&m->cfg, r.set, r.tag)) != 0,
                    .room = rf_cache_bank_room(m),
                    .mshr = rf_mshr_room_for(&m->mshr, r.op == RF_CACHE_READ_REG)};
    const uint64_t hits = BIN(QUEUE_FULL, rf_miss_queue_count(&m->queue) == m->cfg.queue) |
                          BIN(MSHRS_FULL, rf_mshr_free(&m->mshr) == 0) | BIN(LAST, out->accept && m->d_valid_q && m->d_fill_q);
    if (f.valid) return hits | fill_bins(m, in, &c);
    if (!r.valid || !c.ready) return hits;
    switch (r.op) {
    case RF_CACHE_READ_REG:
    case RF_CACHE_LOAD:
        return hits | read_bins(in, &c, &l);
    case RF_CACHE_WRITE_REG:
        return hits | write_bins(m, in, &c, &l);
    case RF_CACHE_STORE:
        return hits | store_bins(&c, &l);
    case RF_CACHE_ATOMIC:
        return hits | atomic_bins(&c, &l);
    case RF_CACHE_FLUSH:
        return hits | flush_bins(m, in, &c);
    default:
        return hits | BIN(NOTHING, true);
    }
}

static void unreachable(const rf_cache_bank_cfg *cfg, ls_unreachable *to) {
    static const uint8_t of_fetched[] = {B_R_MERGE, B_R_JOIN, B_R_FULL, B_R_FETCH, B_R_AROUND,
                                         B_R_ROOM,  B_R_MSHR, B_W_REG,  B_I_REG};
    static const uint8_t of_zeros[] = {B_R_ZERO, B_W_ZEROS};
    static const uint8_t of_targets[] = {B_R_MERGE, B_R_JOIN, B_L_MERGE, B_I_ALL};
    static const uint8_t of_fair[] = {B_W_PLACE, B_I_PLACE};
    static const uint8_t of_cache[] = {B_W_CACHE, B_W_DIRTY};
    const bool first = cfg->policy == RF_POLICY_REGISTERS;
    for (size_t i = 0; i < sizeof of_fetched; i++) ls_unreachable_if(to, first, of_fetched[i], "registers stay");
    for (size_t i = 0; i < sizeof of_zeros; i++) ls_unreachable_if(to, !first, of_zeros[i], "registers are fetched");
    for (size_t i = 0; i < sizeof of_targets; i++) ls_unreachable_if(to, cfg->targets == 1, of_targets[i], "one target");
    for (size_t i = 0; i < sizeof of_fair; i++)
        ls_unreachable_if(to, cfg->policy == RF_POLICY_FAIR, of_fair[i], "there is an entry for everybody");
    for (size_t i = 0; i < sizeof of_cache; i++)
        ls_unreachable_if(to, cfg->policy == RF_POLICY_CACHE, of_cache[i], "a register never replaces cache data");
    ls_unreachable_if(to, cfg->ways == 1u << rf_index_bits(cfg->ways), B_F_WAY, "every number is a way's");
    ls_unreachable_if(to, first && cfg->reserve != 0, B_MSHRS_FULL, "one is left to registers");
    ls_unreachable_if(to, true, B_I_HIT, "what is on its way has no entry");
    ls_unreachable_if(to, true, B_I_NOBODY, "who asks L2 waits for the answer");
}

/* The row that a data access writes, and the set whose tags change. */
static uint32_t touched(const rf_cache_bank *m, const rf_cache_bank_in *in, const rf_cache_bank_out *out, ls_touch *list) {
    uint32_t count = 0;
    if (m->d_valid_q && m->d_write_q && m->d_step_q == rf_cache_bank_write_step(m))
        list[count++] = (ls_touch){.memory = 1, .row = m->d_row_q};
    if (in->fill_valid && out->fill_ready && rf_mshr_busy(&m->mshr, in->fill_entry))
        list[count++] = (ls_touch){.memory = 0, .row = m->mshr.line_q[in->fill_entry] & (m->cfg.sets - 1)};
    else if (out->accept) list[count++] = (ls_touch){.memory = 0, .row = in->req_set & (m->cfg.sets - 1)};
    return count;
}

#define SMALL "SETS=4 WAYS=2 LANES=2 TAG_W=5 ID_W=4 MSHRS=4 TARGETS=3 QUEUE=3 "
#define FAIR SMALL "POLICY=0"
#define FIRST SMALL "POLICY=1"
#define LAST SMALL "POLICY=2"

static const ls_fault faults[] = {
    {"ready beside a fill", NULL, "free && !fill_valid_i;", "free;", "ready", FAIR},
    {"ready before the last step", NULL, "assign ready_o = free &&", "assign ready_o =", "ready", FAIR},
    {"not ready in the last step", NULL, "!d_valid_q || d_step_q == last;", "!d_valid_q;", "ready", FAIR},
    {"a fill takes one cycle", NULL, "count > 4'd1 ? count : 4'd1", "count > 4'd1 ? count : 4'd0", "ready", FAIR},
    {"the last target is not waited for", NULL, "(count > 4'd1 ? count : 4'd1)", "4'd1", "wake", FAIR},
    {"room without what is yet to push", NULL, "(LEVEL_W + 1)'(yet);", "(LEVEL_W + 1)'(1'b0);", "accept", FAIR},
    {"no room behind a message that was pushed", NULL, " && d_step_q <= push_step;", ";", "accept", FAIR},
    {"a dead register stays", NULL, "req_dead_i ? rf_cerf_pkg::LINE_DIE : rf_cerf_pkg::LINE_NONE", "rf_cerf_pkg::LINE_NONE",
     "u_tags.state_q", FAIR},
    {"a dead register is kept when it comes", NULL, "miss && !(reg_op && req_dead_i)", "miss", "u_mshr.keep_q", FAIR},
    {"an atomic is kept when it comes", NULL, ".keep_i       (miss &&", ".keep_i       (", "u_mshr.keep_q", FAIR},
    {"a load that says dead is not kept", NULL, "!(reg_op && req_dead_i)", "!req_dead_i", "u_mshr.keep_q", FAIR},
    {"registers are fetched as cache data", NULL, "reg_op ? room_reg : room_cache", "room_cache", "accept", FAIR},
    {"what is read does not become the youngest", NULL, "      touch = found;", "      touch = found && req_op_i != 3'd0;",
     "u_tags.age_q", FAIR},
    {"a register is written although it is on its way", NULL, "takes    = !found && !on_way &&", "takes    = !found &&", "accept",
     FAIR},
    {"some words take an entry", NULL, "FIRST || &req_mask_i", "FIRST || |req_mask_i", "accept", FAIR},
    {"some words take no entry where registers stay", NULL, "FIRST || &req_mask_i", "&req_mask_i", "d_write_q", FIRST},
    {"the other words are not 0", NULL, "FIRST && takes && !req_mask_i[l]", "FIRST && takes && 1'b0", "d_data_q", FIRST},
    {"a write that hits makes the other words 0", NULL, "FIRST && takes && !req_mask_i[l]", "FIRST && !req_mask_i[l]", "d_data_q",
     FIRST},
    {"a newcomer writes its words alone", NULL, "filling || back || takes ?", "filling || back ?", "d_mask_q", FIRST},
    {"a spill does not ask for room", NULL, "victim && (!spill || room);", "victim;", "accept", FAIR},
    {"every victim asks for room", NULL, "victim && (!spill || room);", "victim && room;", "accept", FAIR},
    {"a spilled register is not written back", NULL, "back     = takes && spill;", "back     = takes && dirty;", "d_victim_q",
     FAIR},
    {"a register without an entry is lost", NULL, "!(whole && victim) && room;", "!whole && room;", "accept", LAST},
    {"a store overtakes the line", NULL, "send   = !found && !on_way && room;", "send   = !found && room;", "accept", FAIR},
    {"an atomic works on a dirty line", NULL, "ask    = !(found && dirty) &&", "ask    =", "accept", FAIR},
    {"an atomic keeps a clean line", NULL, "drop   = back || (found && ask);", "drop   = back;", "u_tags.state_q", FAIR},
    {"an atomic drops what it is refused for", NULL, "drop   = back || (found && ask);", "drop   = back || found;",
     "u_tags.state_q", FAIR},
    {"an atomic that writes back is refused", NULL, "!accept_o && !(back && req_op_i == rf_cerf_pkg::CACHE_ATOMIC);",
     "!accept_o;", "refuse", FAIR},
    {"a flush drops without room", NULL, "drop   = !dirty || room;", "drop   = 1'b1;", "accept", FAIR},
    {"a flush is of the line that hits", NULL, "(!fill_valid_i && req_op_i == rf_cerf_pkg::CACHE_FLUSH)", "(1'b0)",
     "u_tags.state_q", FAIR},
    {"operations that do nothing are refused", NULL, "req_op_i > rf_cerf_pkg::CACHE_FLUSH;", "1'b0;", "accept", FAIR},
    {"a fill waits for room without a spill", NULL, "!fill_valid_i || !fill_spill || room", "!fill_valid_i || room", "wake",
     FAIR},
    {"a fill does not wait for room", NULL, "free && (!fill_valid_i || !fill_spill || room)", "free", "wake", FAIR},
    {"a fill of a free MSHR is an access", NULL, "assign filling      = taken && busy;", "assign filling      = taken;",
     "d_valid_q", FAIR},
    {"a fill that waits frees its MSHR", NULL, ".done_i       (taken)", ".done_i       (fill_valid_i && free)", "u_mshr.busy_q",
     FAIR},
    {"registers come as cache data", NULL, "fill_reg ? rf_cerf_pkg::LINE_FILL_REG : rf_cerf_pkg::LINE_FILL_CACHE",
     "rf_cerf_pkg::LINE_FILL_CACHE", "u_tags.state_q", FAIR},
    {"the policy sees every fill as a register", NULL, "(fill_valid_i && !fill_reg)", "(1'b0)", "victim", LAST},
    {"what is not kept takes an entry", NULL, "busy && keep && (found || victim)", "busy && (found || victim)", "d_write_q",
     FAIR},
    {"a fill without a victim takes an entry", NULL, "busy && keep && (found || victim)", "busy && keep", "victim", FIRST},
    {"the first target is skipped", NULL, "d_step_q == 4'(t) + 4'd1", "d_step_q == 4'(t)", "rsp_id", FAIR},
    {"a fill's row is written first", NULL, "{3'd0, d_fill_q || d_victim_q};", "{3'd0, d_victim_q};", "u_data.mem_q", FAIR},
    {"a spilled row is what comes", NULL, "d_victim_q ? row_data : d_data_q", "d_data_q", "u_queue.data_q", FAIR},
    {"a written-back line is the newcomer", NULL, "back ? old_line : req_line", "req_line", "d_line_q", FAIR},
    {"writes name an MSHR", NULL, "ask ? free_entry : '0", "free_entry", "d_entry_q", FAIR},
    {"a register without an entry is a row", NULL, "if (!r_zero_q) rsp_data_o", "rsp_data_o", "rsp_data", FIRST},
    {"nobody wakes for a message that leaves", NULL, "taken || (mem_valid_o && mem_ready_i)", "taken", "wake", FAIR},
    {"a victim is counted that hits", NULL, "takes && !found && state", "(takes || write) && state", "victim", FAIR},
    {"a row is its set", NULL, "ROW_W'(set) * ROW_W'(WAYS) + ROW_W'(way)", "ROW_W'(set) + ROW_W'(way)", "d_row_q", FAIR},
    {"a register has no reset", NULL, "      r_id_q    <= '0;", "      r_id_q    <= r_id_q;", "r_id_q", FAIR},
    {0},
};

#undef LAST
#undef FIRST
#undef FAIR
#undef SMALL

static const char *const sets[] = {"",
                                   "POLICY=1",
                                   "POLICY=2",
                                   "SETS=1 WAYS=8 LANES=4 TAG_W=25 ID_W=8 MSHRS=16 TARGETS=8 QUEUE=16",
                                   "SETS=1 WAYS=1 LANES=1 TAG_W=1 ID_W=1 MSHRS=1 TARGETS=1 RESERVE=0 QUEUE=1",
                                   "SETS=2 WAYS=1 LANES=2 TAG_W=4 ID_W=3 MSHRS=2 TARGETS=2 QUEUE=2 POLICY=2",
                                   "SETS=16 WAYS=2 LANES=8 TAG_W=21 ID_W=5 MSHRS=5 TARGETS=3 QUEUE=3 POLICY=1",
                                   "SETS=8 WAYS=5 LANES=3 TAG_W=7 ID_W=4 MSHRS=3 TARGETS=5 QUEUE=5 POLICY=2 RESERVE=0",
                                   "SETS=4 WAYS=3 LANES=1 TAG_W=6 ID_W=7 MSHRS=16 TARGETS=1 QUEUE=1 RESERVE=0",
                                   "SETS=256 WAYS=4 LANES=5 TAG_W=12 ID_W=6 MSHRS=12 TARGETS=7 QUEUE=7",
                                   "SETS=64 WAYS=8 LANES=16 TAG_W=19 ID_W=8 MSHRS=6 TARGETS=4 QUEUE=4 POLICY=1 RESERVE=0",
                                   "SETS=32 WAYS=8 LANES=32 TAG_W=20 ID_W=6 MSHRS=4 TARGETS=2 QUEUE=6 POLICY=2",
                                   "SETS=4 WAYS=6 LANES=2 TAG_W=4 ID_W=2 MSHRS=4 TARGETS=6 QUEUE=2 POLICY=1",
                                   "SETS=1 WAYS=4 LANES=31 TAG_W=8 ID_W=5 MSHRS=8 TARGETS=4 QUEUE=9",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv",       "rtl/cerf/rf_cerf_pkg.sv",
                                  "rtl/common/rf_fifo_ctrl.sv", "rtl/banked/rf_bank.sv",
                                  "rtl/cerf/rf_line_state.sv",  "rtl/cerf/rf_line_victim.sv",
                                  "rtl/cerf/rf_tag_bank.sv",    "rtl/cerf/rf_mshr.sv",
                                  "rtl/cerf/rf_miss_queue.sv",  NULL};

#define LS_UNIT rf_cache_bank
#define LS_GROUP "cerf"
#define LS_BRIEF "bank of the integrated memory: registers and lines of the L1D, with MSHRs and a queue to L2"
#define LS_FIELDS "tb/cerf/rf_cache_bank.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#define LS_TOUCHED
#define LS_PROPERTY
#include "harness/core/unit_define.h"
