/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, properties, bins and planted faults of rf_cerf_memory. Readers and writers of registers are as collectors and queues
 * of results are, a load/store unit asks for lines and now and then for a register, and an L2 has data: what must hold then is
 * checked (rf_cerf_world). From some cycle of most epochs on anything happens, and nothing is checked. */
#include "harness/core/unit.h"
#include "tb/cerf/env/rf_cerf_world.h"

#include "cmodel/cerf/rf_cerf_memory_parts.h"

/* Probabilities in 256ths. */
typedef struct rf_cerf_memory_stim {
    ls_rng rng;
    const rf_cerf_memory *model; /* in stim */
    uint64_t legal;              /* cycles of the epoch with legal inputs */
    uint64_t cycle;              /* of the epoch */
    uint32_t left;               /* cycles of the phase */
    uint32_t askers;             /* anything: readers that ask, the first ones */
    uint32_t reads, writes;      /* a reader, a writer begins to ask */
    uint32_t accesses;           /* so does the load/store unit */
    uint32_t dead;               /* a register is read for the last time */
    uint32_t whole;              /* all lanes are written */
    uint32_t takes;              /* L2 takes a message */
    uint32_t fill, keep;         /* anything: a fill; who asks goes on asking for the same */
    uint32_t hot_reg, regs;      /* registers of the phase: `regs` of them, from `hot_reg` on */
    uint32_t hot_line, lines;    /* and lines */
    uint32_t kind[8];            /* weights of the load/store unit's operations */
    rf_cerf_world world;
} rf_cerf_memory_stim;

static bool legal_now(const rf_cerf_memory_stim *s) { return s->cycle < s->legal; }

/* Some of all, next to each other. */
static void draw_hot(ls_rng *r, uint32_t all, uint32_t few, uint32_t *first, uint32_t *count) {
    *first = ls_rng_below(r, all);
    *count = ls_rng_chance(r, 96) ? 1 + ls_rng_below(r, few) : all;
    if (*count > all) *count = all;
}

/* Lines push each other out of their sets; registers seldom ask. */
static void drive_out_lines(rf_cerf_memory_stim *s) {
    s->reads = s->writes = 2;
    s->accesses = s->takes = 256;
    s->lines = s->world.lines;
    s->kind[RF_CACHE_LOAD] = s->kind[RF_CACHE_STORE] = 16;
    s->world.latency = 2;
}

/* L2 is slow, registers come and go beside dirty lines: banks refuse what has no room. */
static void crowd(rf_cerf_memory_stim *s) {
    s->reads = s->writes = 64;
    s->accesses = 128;
    s->takes = 24;
    s->dead = 96;
    s->lines = s->world.lines;
    s->regs = s->world.registers;
    s->kind[RF_CACHE_LOAD] = s->kind[RF_CACHE_STORE] = 16;
    s->world.latency = 12;
}

static void draw_phase(rf_cerf_memory_stim *s, const rf_cerf_memory *m) {
    static const uint32_t often[] = {0, 8, 32, 128, 230, 256}, takes[] = {0, 24, 128, 256};
    static const uint32_t latency[] = {2, 12, 40, RF_CERF_WORLD_LATENCY}, weight[] = {0, 1, 4, 16};
    ls_rng *r = &s->rng;
    s->left = ls_rng_chance(r, 12) ? 3000 : 40 + ls_rng_below(r, 240);
    s->reads = often[ls_rng_below(r, 6)];
    s->writes = often[ls_rng_below(r, 5)] / (1 + ls_rng_below(r, 4));
    s->accesses = often[ls_rng_below(r, 6)];
    s->dead = ls_rng_chance(r, 128) ? ls_rng_below(r, 24) : ls_rng_below(r, 128);
    s->whole = ls_rng_chance(r, 64) ? 256 : 128 + ls_rng_below(r, 128);
    s->takes = takes[ls_rng_below(r, 4)];
    s->fill = 8u << ls_rng_below(r, 5);
    s->keep = ls_rng_chance(r, 128) ? 256 : ls_rng_below(r, 256);
    draw_hot(r, s->world.registers, m->cfg.ways + 2, &s->hot_reg, &s->regs);
    draw_hot(r, s->world.lines, m->cfg.ways + 2, &s->hot_line, &s->lines);
    for (uint32_t i = 0; i < 8; i++) s->kind[i] = i < RF_CACHE_FLUSH ? weight[ls_rng_below(r, 4)] : ls_rng_chance(r, 96);
    s->kind[RF_CACHE_READ_REG] /= 4;
    s->kind[RF_CACHE_WRITE_REG] /= 4;
    s->kind[RF_CACHE_LOAD + ls_rng_below(r, 3)] += 8;
    s->world.latency = latency[ls_rng_below(r, 4)];
    if (ls_rng_chance(r, 48)) drive_out_lines(s);
    else if (ls_rng_chance(r, 48)) crowd(s);
    s->askers = ls_rng_chance(r, 48) ? 1 : m->cfg.collectors * m->cfg.slots;
}

static void stim_init(rf_cerf_memory_stim *s, const rf_cerf_memory *m, uint64_t seed) {
    *s = (rf_cerf_memory_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->legal = ls_rng_chance(&s->rng, 96) ? UINT64_MAX : ls_rng_below(&s->rng, ls_rng_chance(&s->rng, 128) ? 200 : 6000);
    rf_cerf_world_init(&s->world, &m->cfg, &s->rng);
}

static uint32_t hot_register(rf_cerf_memory_stim *s) {
    return (s->hot_reg + ls_rng_below(&s->rng, s->regs)) % s->world.registers;
}

static uint32_t hot_line(rf_cerf_memory_stim *s) {
    return RF_CERF_WORLD_KIND + (s->hot_line + ls_rng_below(&s->rng, s->lines)) % s->world.lines;
}

/* An operation by its weight. */
static uint32_t draw_op(rf_cerf_memory_stim *s) {
    uint32_t sum = 0, op = 0;
    for (uint32_t i = 0; i < 8; i++) sum += s->kind[i];
    for (uint32_t n = ls_rng_below(&s->rng, sum); n >= s->kind[op]; op++) n -= s->kind[op];
    return op;
}

static uint32_t draw_mask(rf_cerf_memory_stim *s, const rf_cerf_memory *m) {
    const uint32_t lanes = m->cfg.lanes;
    return ls_rng_chance(&s->rng, s->whole) ? (uint32_t)rf_mask64(lanes) : (uint32_t)ls_rng_value(&s->rng, lanes);
}

static void draw_written(rf_cerf_memory_stim *s, const rf_cerf_memory *m, uint32_t writer, rf_cerf_memory_in *in) {
    in->wr_mask[writer] = draw_mask(s, m);
    ls_rng_lanes(&s->rng, in->wr_data[writer].lane, m->cfg.lanes);
}

static void draw_stored(rf_cerf_memory_stim *s, const rf_cerf_memory *m, rf_cerf_memory_in *in) {
    in->mem_mask = draw_mask(s, m);
    ls_rng_lanes(&s->rng, in->mem_data.lane, m->cfg.lanes);
}

/* ---- legal ---- */

/* Who was accepted asks for nothing; then some begin to ask. */
static void legal_requests(rf_cerf_memory_stim *s, const rf_cerf_memory *m, rf_cerf_memory_in *in) {
    ls_rng *r = &s->rng;
    in->rd_valid = s->world.asks;
    in->wr_valid = (uint8_t)s->world.writers;
    in->mem_valid = s->world.mem_asks;
    for (uint64_t left = ls_rng_bits(r, m->cfg.collectors * m->cfg.slots, s->reads) & ~s->world.asks; left != 0; left &= left - 1)
        (void)rf_cerf_world_read_register(&s->world, rf_lowest(left), hot_register(s), ls_rng_chance(r, s->dead), in);
    for (uint32_t left = (uint32_t)ls_rng_bits(r, m->cfg.writers, s->writes) & ~s->world.writers; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        rf_cerf_world_write_register(&s->world, e, hot_register(s), in);
        draw_written(s, m, e, in);
    }
    if (s->world.mem_asks || !ls_rng_chance(r, s->accesses)) return;
    const uint32_t op = draw_op(s);
    const bool reg = op <= RF_CACHE_WRITE_REG || (op >= RF_CACHE_FLUSH && ls_rng_chance(r, 64));
    if (rf_cerf_world_access(&s->world, r, op, reg ? hot_register(s) : hot_line(s), in)) draw_stored(s, m, in);
}

/* ---- anything ---- */

static uint16_t any_number(rf_cerf_memory_stim *s, const rf_cerf_memory *m) {
    if (!ls_rng_chance(&s->rng, 8)) return s->world.number[hot_register(s)];
    return (uint16_t)ls_rng_value(&s->rng, rf_index_bits(m->cfg.registers));
}

static void any_access(rf_cerf_memory_stim *s, const rf_cerf_memory *m, rf_cerf_memory_in *in) {
    ls_rng *r = &s->rng;
    in->mem_op = (uint8_t)draw_op(s);
    in->mem_line = s->world.line[ls_rng_chance(r, 64) ? hot_register(s) : hot_line(s)];
    if (ls_rng_chance(r, 8)) in->mem_line = (uint32_t)ls_rng_value(r, m->cfg.line_w);
    in->mem_way = (uint8_t)ls_rng_value(r, rf_index_bits(m->cfg.ways));
    in->mem_id = (uint8_t)ls_rng_value(r, RF_CERF_ID_W);
    draw_stored(s, m, in);
}

static void any_requests(rf_cerf_memory_stim *s, const rf_cerf_memory *m, rf_cerf_memory_in *in) {
    ls_rng *r = &s->rng;
    const uint32_t readers = m->cfg.collectors * m->cfg.slots;
    const uint64_t stays = ls_rng_bits(r, readers, s->keep);
    in->rd_valid = (in->rd_valid & stays) | (ls_rng_bits(r, s->askers, s->reads) & ~stays);
    in->rd_dead = (in->rd_dead & stays) | (ls_rng_bits(r, readers, s->dead) & ~stays);
    for (uint64_t left = rf_mask64(readers) & ~stays; left != 0; left &= left - 1)
        in->rd_number[rf_lowest(left)] = any_number(s, m);
    for (uint32_t e = 0; e < m->cfg.writers; e++) {
        if (ls_rng_chance(r, s->keep)) continue;
        in->wr_valid = (uint8_t)((in->wr_valid & ~(1u << e)) | (uint32_t)ls_rng_chance(r, s->writes) << e);
        in->wr_number[e] = any_number(s, m);
        draw_written(s, m, e, in);
    }
    if (ls_rng_chance(r, s->keep)) return;
    in->mem_valid = ls_rng_chance(r, s->accesses);
    any_access(s, m, in);
}

/* Mostly of an MSHR that waits. */
static void any_answer(rf_cerf_memory_stim *s, const rf_cerf_memory *m, rf_cerf_memory_in *in) {
    ls_rng *r = &s->rng;
    in->l2_ready = ls_rng_chance(r, s->takes);
    in->fill_valid = ls_rng_chance(r, s->fill);
    in->fill_bank = (uint8_t)ls_rng_value(r, rf_index_bits(m->cfg.banks));
    in->fill_entry = (uint8_t)ls_rng_value(r, rf_index_bits(m->cfg.mshrs));
    uint32_t busy = in->fill_bank < m->cfg.banks ? m->bank[in->fill_bank].mshr.busy_q : 0;
    if (busy != 0 && !ls_rng_chance(r, 32)) {
        for (uint32_t n = ls_rng_below(r, (uint32_t)__builtin_popcount(busy)); n > 0; n--) busy &= busy - 1;
        in->fill_entry = (uint8_t)rf_lowest(busy);
    }
    ls_rng_lanes(r, in->fill_data.lane, m->cfg.lanes);
}

static void stim(rf_cerf_memory_stim *s, const rf_cerf_memory *m, rf_cerf_memory_in *in) {
    s->model = m;
    if (s->left-- == 0 || s->cycle == 0) draw_phase(s, m);
    if (legal_now(s)) {
        legal_requests(s, m, in);
        rf_cerf_world_answer(&s->world, &s->rng, s->takes, in);
        rf_cerf_world_check(&s->world, m, in);
    } else {
        any_requests(s, m, in);
        any_answer(s, m, in);
    }
}

static void observe(rf_cerf_memory_stim *s, const rf_cerf_memory_in *in, const rf_cerf_memory_out *out) {
    if (legal_now(s)) rf_cerf_world_observe(&s->world, s->model, in, out);
    s->cycle++;
}

static const char *property(const rf_cerf_memory_stim *s) { return s->world.wrong[0] != '\0' ? s->world.wrong : NULL; }
static uint64_t legal(const rf_cerf_memory_stim *s) { return s->legal; }

/* ---- bins ---- */

/* clang-format off */
#define PER_BANK(X, name, text) \
    X(name##0, "bank 0 " text) X(name##1, "bank 1 " text) X(name##2, "bank 2 " text) X(name##3, "bank 3 " text) \
    X(name##4, "bank 4 " text) X(name##5, "bank 5 " text) X(name##6, "bank 6 " text) X(name##7, "bank 7 " text)
#define BINS(X) \
    PER_BANK(X, RR, "refuses a reader") PER_BANK(X, WR, "refuses a writer") PER_BANK(X, MR, "refuses the load/store unit") \
    X(READER, "a reader asks alone") X(READ_READ, "a reader before another collector's") \
    X(SLOT, "a reader before one of its collector") X(READ_MEM, "a reader before the load/store unit") \
    X(MEM_READ, "the load/store unit before a reader") X(MEM, "the load/store unit asks alone") \
    X(WRITER, "a writer asks alone") X(WRITE_WRITE, "a writer before another") X(WRITE_READ, "a writer before a reader") \
    X(WRITE_MEM, "a writer before the load/store unit") X(BUSY, "a bank that is asked for is not ready") \
    X(LOOKUPS, "several banks look up") X(NEITHER, "the load/store unit is neither accepted nor refused") \
    X(R_WAKE, "a reader is woken") X(W_WAKE, "a writer is woken") X(M_WAKE, "the load/store unit is woken") \
    X(R_BOTH, "a reader is refused in a cycle with a wake") X(W_BOTH, "a writer is refused in a cycle with a wake") \
    X(M_BOTH, "the load/store unit is refused in a cycle with a wake") \
    X(OTHER, "a bank wakes, who waits for another does not") X(STANDS, "who waits does not ask its bank, which is ready") \
    X(PASSES, "somebody is accepted while another waits for the bank") X(LAST, "a last read is accepted") \
    X(FILLS, "several banks answer readers") X(LOADS, "several banks answer the load/store unit") \
    X(MIXED, "a reader and the load/store unit are answered") X(TWICE, "two banks answer one reader") \
    X(L2_WAITS, "L2 does not take a message") X(L2_SEVERAL, "several banks have messages, one is taken") \
    X(L2_BUSY, "several banks have messages, none is taken") X(L2_OVER, "another bank's message before bank 0's") \
    X(FILL, "a fill is taken, others look up") X(FILL_WAITS, "a fill is not taken") \
    X(NO_BANK, "a fill for a bank that does not exist") X(V_REG, "a register gives way") \
    X(V_CACHE, "a clean line gives way") X(V_DIRTY, "a dirty line gives way") X(ZERO, "an operand without an entry is 0")
/* clang-format on */
#define BIN_NAME(name, text) B_##name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};
#define BIN(name, cond) ((uint64_t)((cond) ? 1 : 0) << B_##name)

static bool several(uint64_t set) { return (set & (set - 1)) != 0; }

/* Who asks one bank, as the arbiter sees it, whose turn it is, and who waits for the bank. */
typedef struct askers {
    uint64_t reads, grant; /* readers; the load/store unit is number `readers` */
    uint32_t writes, write_grant;
    uint64_t waits; /* readers that ask but wait */
    uint32_t write_waits;
    bool mem_waits, ready;
} askers;

static void find_askers(const rf_cerf_memory *m, const rf_cerf_memory_in *in, const rf_cerf_memory_wires *w, askers *of) {
    for (uint32_t b = 0; b < m->cfg.banks; b++)
        of[b] = (askers){.ready = rf_cache_bank_free(&m->bank[b]) && !(in->fill_valid && in->fill_bank == b)};
    for (uint64_t left = w->arbiter_in.rd_valid; left != 0; left &= left - 1) {
        askers *a = &of[w->arbiter_in.rd_bank[rf_lowest(left)]];
        a->reads |= left & (~left + 1);
        a->grant |= left & (~left + 1) & w->arbiter.rd_grant;
    }
    for (uint32_t left = w->arbiter_in.wr_valid; left != 0; left &= left - 1) {
        askers *a = &of[w->arbiter_in.wr_bank[rf_lowest(left)]];
        a->writes |= left & (~left + 1);
        a->write_grant |= left & (~left + 1) & w->arbiter.wr_grant;
    }
    for (uint64_t left = in->rd_valid & m->rd_wait_q; left != 0; left &= left - 1)
        of[rf_cerf_memory_bank(&m->cfg, rf_cerf_memory_line(&m->cfg, in->rd_number[rf_lowest(left)]))].waits |=
            left & (~left + 1);
    for (uint32_t left = in->wr_valid & m->wr_wait_q; left != 0; left &= left - 1)
        of[rf_cerf_memory_bank(&m->cfg, rf_cerf_memory_line(&m->cfg, in->wr_number[rf_lowest(left)]))].write_waits |=
            left & (~left + 1);
    of[rf_cerf_memory_bank(&m->cfg, in->mem_line)].mem_waits = in->mem_valid && m->mem_wait_q;
}

static uint64_t turn_bins(const rf_cerf_memory *m, const askers *a) {
    const uint32_t slots = m->cfg.slots, readers = m->cfg.collectors * slots;
    const uint64_t mem = UINT64_C(1) << readers, reads = a->reads & ~mem;
    const bool of_mem = (a->grant & mem) != 0, write = a->writes != 0, read = a->grant != 0 && !of_mem;
    const uint64_t own = read ? rf_mask64(slots) << rf_lowest(a->grant) / slots * slots : 0;
    return BIN(READER, read && !several(a->reads)) | BIN(READ_READ, read && (reads & ~own) != 0) |
           BIN(SLOT, read && several(reads & own)) | BIN(READ_MEM, read && (a->reads & mem) != 0) |
           BIN(MEM_READ, of_mem && reads != 0) | BIN(MEM, of_mem && reads == 0) |
           BIN(WRITER, write && !several(a->writes) && a->reads == 0) | BIN(WRITE_WRITE, several(a->writes)) |
           BIN(WRITE_READ, write && reads != 0) | BIN(WRITE_MEM, write && (a->reads & mem) != 0);
}

/* Who is refused, waits, and is woken, at one bank. */
static uint64_t wait_bins(const rf_cerf_memory *m, const askers *a, uint32_t b, const rf_cerf_memory_wires *w) {
    const uint64_t mem = UINT64_C(1) << m->cfg.collectors * m->cfg.slots;
    const bool refuse = (w->refuse >> b & 1) != 0, accept = (w->accept >> b & 1) != 0, wake = (w->wake >> b & 1) != 0;
    const bool of_mem = (a->grant & mem) != 0, write = a->write_grant != 0, read = a->grant != 0 && !of_mem;
    const bool waits = a->waits != 0 || a->write_waits != 0 || a->mem_waits;
    return (uint64_t)(refuse && read) << (B_RR0 + b) | (uint64_t)(refuse && write) << (B_WR0 + b) |
           (uint64_t)(refuse && of_mem) << (B_MR0 + b) | BIN(NEITHER, of_mem && !accept && !refuse) |
           BIN(R_WAKE, wake && a->waits != 0) | BIN(W_WAKE, wake && a->write_waits != 0) | BIN(M_WAKE, wake && a->mem_waits) |
           BIN(R_BOTH, refuse && read && wake) | BIN(W_BOTH, refuse && write && wake) | BIN(M_BOTH, refuse && of_mem && wake) |
           BIN(OTHER, waits && !wake && w->wake != 0) | BIN(STANDS, waits && a->ready) | BIN(PASSES, waits && accept);
}

static uint64_t answer_bins(const rf_cerf_memory *m, const rf_cerf_memory_in *in, const rf_cerf_memory_out *out) {
    uint64_t readers = 0, twice = 0;
    bool zero = false;
    for (uint32_t b = 0; b < m->cfg.banks; b++) {
        const rf_cerf_memory_answer a = rf_cerf_memory_answers(m, b);
        if (!a.valid || a.of_mem) continue;
        twice |= readers & UINT64_C(1) << a.id;
        readers |= UINT64_C(1) << a.id;
        zero |= a.data == &rf_cache_bank_zeros;
    }
    return BIN(FILLS, several(readers)) | BIN(LOADS, several(out->ld_valid)) | BIN(MIXED, readers != 0 && out->ld_valid != 0) |
           BIN(TWICE, twice != 0) | BIN(ZERO, zero) | BIN(LAST, (out->rd_accept & in->rd_dead) != 0);
}

static uint64_t below_bins(const rf_cerf_memory *m, const rf_cerf_memory_in *in, const rf_cerf_memory_out *out) {
    const rf_cerf_memory_wires *w = &out->wires;
    uint32_t messages = 0;
    uint64_t victims = 0;
    for (uint32_t b = 0; b < m->cfg.banks; b++) {
        messages |= (uint32_t)rf_miss_queue_valid(&m->bank[b].queue) << b;
        if ((w->victim >> b & 1) == 0) continue;
        victims |= BIN(V_REG, w->victim_state[b] == RF_LINE_REG) | BIN(V_CACHE, w->victim_state[b] == RF_LINE_CACHE) |
                   BIN(V_DIRTY, w->victim_state[b] == RF_LINE_DIRTY);
    }
    return victims | BIN(L2_WAITS, out->l2_valid && !in->l2_ready) | BIN(L2_SEVERAL, several(messages) && in->l2_ready) |
           BIN(L2_BUSY, several(messages) && !in->l2_ready) | BIN(L2_OVER, (messages & 1) != 0 && out->l2_bank != 0) |
           BIN(FILL, w->filled != 0 && w->asked != 0) | BIN(FILL_WAITS, in->fill_valid && !out->fill_ready) |
           BIN(NO_BANK, in->fill_valid && in->fill_bank >= m->cfg.banks);
}

static uint64_t bins(const rf_cerf_memory *m, const rf_cerf_memory_in *in, const rf_cerf_memory_out *out) {
    uint64_t hits = answer_bins(m, in, out) | below_bins(m, in, out) | BIN(LOOKUPS, several(out->wires.asked));
    askers of[RF_CERF_BANKS_MAX];
    find_askers(m, in, &out->wires, of);
    for (uint32_t b = 0; b < m->cfg.banks; b++) hits |= turn_bins(m, &of[b]) | wait_bins(m, &of[b], b, &out->wires);
    for (uint64_t left = in->rd_valid & ~m->rd_wait_q; left != 0; left &= left - 1) {
        const uint32_t line = rf_cerf_memory_line(&m->cfg, in->rd_number[rf_lowest(left)]);
        hits |= BIN(BUSY, !of[rf_cerf_memory_bank(&m->cfg, line)].ready);
    }
    return hits;
}

/* No register is of the bank: there are fewer of them than banks. */
static bool no_register(const rf_cerf_memory_cfg *cfg, uint32_t bank) {
    return ((rf_cerf_memory_line(cfg, 0) ^ bank) & (cfg->banks - 1)) >> rf_index_bits(cfg->registers) != 0;
}

static void unreachable(const rf_cerf_memory_cfg *cfg, ls_unreachable *to) {
    static const uint8_t of_banks[] = {B_LOOKUPS, B_OTHER,      B_FILLS,   B_LOADS,   B_MIXED,
                                       B_TWICE,   B_L2_SEVERAL, B_L2_BUSY, B_L2_OVER, B_FILL};
    static const uint8_t of_fetched[] = {B_R_WAKE, B_R_BOTH, B_V_REG};
    const bool first = cfg->policy == RF_POLICY_REGISTERS;
    for (uint32_t b = 0; b < RF_CERF_BANKS_MAX; b++) {
        ls_unreachable_if(to, b >= cfg->banks, B_RR0 + b, "the bank does not exist");
        ls_unreachable_if(to, b >= cfg->banks, B_WR0 + b, "the bank does not exist");
        ls_unreachable_if(to, b >= cfg->banks, B_MR0 + b, "the bank does not exist");
        ls_unreachable_if(to, no_register(cfg, b), B_RR0 + b, "no register is of the bank");
        ls_unreachable_if(to, no_register(cfg, b), B_WR0 + b, "no register is of the bank");
        ls_unreachable_if(to, first, B_RR0 + b, "a register without an entry is 0");
    }
    for (size_t i = 0; i < sizeof of_banks; i++) ls_unreachable_if(to, cfg->banks == 1, of_banks[i], "there is one bank");
    for (size_t i = 0; i < sizeof of_fetched; i++)
        ls_unreachable_if(to, first, of_fetched[i], "registers stay, and none is fetched");
    ls_unreachable_if(to, first, B_TWICE, "an operand comes two cycles after its request, always");
    ls_unreachable_if(to, !first, B_ZERO, "a register without an entry is fetched");
    ls_unreachable_if(to, cfg->banks > 1, B_NO_BANK, "every number is a bank's");
    ls_unreachable_if(to, cfg->collectors == 1, B_READ_READ, "there is one collector");
    ls_unreachable_if(to, cfg->slots == 1, B_SLOT, "a collector has one slot");
    ls_unreachable_if(to, cfg->writers == 1, B_WRITE_WRITE, "there is one writer");
}

/* The sets whose tags change, and the rows that the data stages write. */
static uint32_t touched(const rf_cerf_memory *m, const rf_cerf_memory_in *in, const rf_cerf_memory_out *out, ls_touch *list) {
    const rf_cerf_memory_wires *w = &out->wires;
    uint32_t n = 0;
    (void)in;
    for (uint32_t b = 0; b < m->cfg.banks; b++) {
        if ((w->tag_write >> b & 1) != 0) list[n++] = (ls_touch){.memory = 2 * b, .row = w->tag_set[b]};
        if ((w->row_write >> b & 1) != 0) list[n++] = (ls_touch){.memory = 2 * b + 1, .row = w->row[b]};
    }
    return n;
}

#define SMALL "COLLECTORS=3 SLOTS=2 WRITERS=2 REGISTERS=64 BANKS=2 SETS=8 WAYS=2 LANES=2 LINE_W=12 MSHRS=4 TARGETS=3 QUEUE=3 "
#define FAIR SMALL "POLICY=0"
#define ONE "COLLECTORS=2 SLOTS=1 WRITERS=1 REGISTERS=16 BANKS=1 SETS=1 WAYS=2 LANES=1 LINE_W=8 MSHRS=2 TARGETS=2 QUEUE=2"

static const ls_fault faults[] = {
    {"a reader that waits asks", NULL, "rd_valid_i[r] && !rd_wait_q[r] && ready", "rd_valid_i[r] && ready",
     "u_arbiter.gen_bank[1].u_rd_rr.mask_q", FAIR},
    {"a writer that waits asks", NULL, "wr_valid_i[e] && !wr_wait_q[e] && ready", "wr_valid_i[e] && ready", "rd_accept", FAIR},
    {"the load/store unit asks while it waits", NULL, "mem_valid_i && !mem_wait_q && ready", "mem_valid_i && ready", "mem_accept",
     FAIR},
    {"a reader asks a bank that is not ready", NULL, "!rd_wait_q[r] && ready[ask_bank[r*BANK_W +: BANK_W]];", "!rd_wait_q[r];",
     "u_arbiter.gen_bank[0].u_rd_rr.mask_q", FAIR},
    {"the load/store unit asks a bank that is not ready", NULL, "!mem_wait_q && ready[mem_bank];", "!mem_wait_q;",
     "u_arbiter.gen_bank[1].u_rd_rr.mask_q", FAIR},
    {"a reader that is refused is accepted", NULL, "grant[r] && accept[ask_bank", "grant[r] && ready[ask_bank", "rd_accept",
     FAIR},
    {"a writer that is refused is accepted", NULL, "wr_grant[e] && accept[wr_bank", "wr_grant[e] && ready[wr_bank", "wr_accept",
     FAIR},
    {"an atomic that writes back is accepted", NULL, "grant[READERS] && accept[mem_bank]", "grant[READERS] && !refuse[mem_bank]",
     "mem_accept", FAIR},
    {"nothing wakes a reader", NULL, "refuse[ask_bank[r*BANK_W +: BANK_W]])) && !wake[ask_bank[r*BANK_W +: BANK_W]];",
     "refuse[ask_bank[r*BANK_W +: BANK_W]]));", "rd_wait_q", FAIR},
    {"every wake wakes writers", NULL, "&& !wake[wr_bank[e*BANK_W +: BANK_W]];", "&& wake == '0;", "wr_wait_q", FAIR},
    {"a refusal beats a wake", NULL, "(mem_wait_q || (grant[READERS] && refuse[mem_bank])) && !wake[mem_bank];",
     "(mem_wait_q && !wake[mem_bank]) || (grant[READERS] && refuse[mem_bank]);", "mem_wait_q", FAIR},
    {"a writer that is refused does not wait", NULL, "(wr_grant[e] && refuse[wr_bank[e*BANK_W +: BANK_W]])", "1'b0", "wr_wait_q",
     FAIR},
    {"a reader's wait survives reset", NULL, "      rd_wait_q  <= '0;", "      rd_wait_q  <= rd_wait_q;", "rd_wait_q", FAIR},
    {"a last read is one of many", NULL, "dead  = rd_dead_i[r];", "dead  = 1'b0;", "gen_bank[0].u_bank.u_tags.state_q", FAIR},
    {"the load/store unit's number is a reader's", NULL, "id = {1'b1, mem_id_i};", "id = {1'b0, mem_id_i};",
     "gen_bank[0].u_bank.u_mshr.id_q", FAIR},
    {"a writer has another's lanes", NULL, "wr_mask_i[bank_wsel[b*WRITER_W +: WRITER_W]*LANES +: LANES]", "wr_mask_i[LANES-1:0]",
     "gen_bank[0].u_bank.d_write_q", FAIR},
    {"a writer has another's values", NULL, "wr_data_i[bank_wsel[b*WRITER_W +: WRITER_W]*DATA_W +: DATA_W]",
     "wr_data_i[DATA_W-1:0]", "gen_bank[1].u_bank.d_data_q", FAIR},
    {"a writer has another's register", NULL, "wr_number_i[bank_wsel[b*WRITER_W +: WRITER_W]*NUMBER_W +: NUMBER_W]",
     "wr_number_i[NUMBER_W-1:0]", "gen_bank[1].u_bank.d_victim_q", FAIR},
    {"registers have no prefix", NULL, "UPPER_W'(PREFIX)", "UPPER_W'(0)", "gen_bank[1].u_bank.d_line_q", FAIR},
    {"a set is not the bank's own", NULL, "set = own[SET_BITS-1:0];", "set = line[SET_BITS-1:0];", "gen_bank[0].u_bank.d_row_q",
     FAIR},
    {"a flush is of way 0", NULL, ".req_way_i   (mem_way_i)", ".req_way_i   ('0)", "gen_bank[1].u_bank.u_tags.state_q", FAIR},
    {"a fill is for every bank", NULL, "fill_valid_i && fill_bank_i == BANK_W'(b)", "fill_valid_i", "wr_accept", FAIR},
    {"a fill waits for every bank", NULL, "fill_ready[fill_bank_i];", "&fill_ready;", "fill_ready", FAIR},
    {"a fill waits for a bank that does not exist", NULL, "fill_ready[0] || fill_bank_i != '0;", "fill_ready[0];", "fill_ready",
     ONE},
    {"an operand is a load's answer too", NULL, "rsp_valid[b] && rsp_id[b*FULL_ID_W + ID_W];", "rsp_valid[b];", "ld_valid", FAIR},
    {"a load's answer is an operand too", NULL, "rsp_id[b*FULL_ID_W +: FULL_ID_W] == FULL_ID_W'(r)",
     "rsp_id[b*FULL_ID_W +: ID_W] == ID_W'(r)", "rd_fill", FAIR},
    {"the last bank answers a reader first", NULL, "for (int b = BANKS - 1; b >= 0; b--)", "for (int b = 0; b < BANKS; b++)",
     "rd_data", FAIR},
    {"an operand is bank 0's", NULL, ".sel_i(fill_from)", ".sel_i('0)", "rd_data", FAIR},
    {"a number without a load", NULL, "ld_valid_o[b] ? rsp_id[b*FULL_ID_W +: ID_W] : '0", "rsp_id[b*FULL_ID_W +: ID_W]", "ld_id",
     FAIR},
    {"the turn to L2 does not pass", NULL, ".take_i(l2_ready_i)", ".take_i(1'b0)", "u_l2.mask_q", FAIR},
    {"all banks send at once", NULL, "sends & {BANKS{l2_ready_i}}", "msg_valid & {BANKS{l2_ready_i}}",
     "gen_bank[1].u_bank.u_queue.u_ctrl.rd_ptr_q", FAIR},
    {"a message has left before L2 takes it", NULL, "sends & {BANKS{l2_ready_i}}", "sends",
     "gen_bank[1].u_bank.u_queue.u_ctrl.rd_ptr_q", FAIR},
    {"a line is bank 0's", NULL, "{msg_own, BANK_BITS'(b)}", "{msg_own, BANK_BITS'(0)}", "l2_line", FAIR},
    {"a message does not name its bank", NULL, "l2_bank_o  = BANK_W'(b);", "l2_bank_o  = '0;", "l2_bank", FAIR},
    {0},
};

#undef ONE
#undef FAIR
#undef SMALL

static const char *const sets[] = {
    "",
    "POLICY=1",
    "POLICY=2",
    "COLLECTORS=1 SLOTS=1 WRITERS=1 REGISTERS=1 BANKS=1 SETS=1 WAYS=1 LANES=1 LINE_W=2 MSHRS=2 TARGETS=1 QUEUE=1 RESERVE=0",
    "COLLECTORS=15 SLOTS=4 WRITERS=8 REGISTERS=16384 BANKS=8 SETS=64 WAYS=8 LANES=2 PREFIX=2047 MSHRS=16 TARGETS=8 QUEUE=16",
    "COLLECTORS=7 SLOTS=8 WRITERS=2 REGISTERS=256 BANKS=2 SETS=16 WAYS=2 LANES=4 LINE_W=12 PREFIX=9 MSHRS=3 TARGETS=2 POLICY=2",
    "COLLECTORS=2 SLOTS=3 WRITERS=4 REGISTERS=33 BANKS=4 SETS=4 WAYS=8 LANES=3 LINE_W=9 MSHRS=4 TARGETS=3 QUEUE=2 RESERVE=0",
    "COLLECTORS=4 SLOTS=2 WRITERS=1 REGISTERS=64 BANKS=8 SETS=8 WAYS=1 LANES=8 LINE_W=10 PREFIX=0 MSHRS=5 QUEUE=1 POLICY=2",
    "COLLECTORS=3 SLOTS=1 WRITERS=3 REGISTERS=100 BANKS=1 SETS=32 WAYS=4 LANES=5 LINE_W=16 MSHRS=12 TARGETS=7 QUEUE=7",
    "COLLECTORS=5 SLOTS=5 WRITERS=5 REGISTERS=512 BANKS=2 SETS=512 WAYS=2 LANES=1 LINE_W=20 MSHRS=6 TARGETS=1 QUEUE=5 POLICY=1",
    "COLLECTORS=2 SLOTS=2 WRITERS=2 REGISTERS=5 BANKS=4 SETS=8 WAYS=3 LANES=16 LINE_W=5 MSHRS=2 TARGETS=4 QUEUE=3 POLICY=1",
    "COLLECTORS=10 SLOTS=3 WRITERS=6 REGISTERS=2048 BANKS=8 SETS=128 WAYS=4 LANES=6 MSHRS=8 TARGETS=4 QUEUE=8 RESERVE=0 POLICY=2",
    "COLLECTORS=1 SLOTS=8 WRITERS=8 REGISTERS=8 BANKS=1 SETS=2 WAYS=6 LANES=32 LINE_W=24 PREFIX=16777215 MSHRS=7 QUEUE=4 "
    "POLICY=1 RESERVE=0",
    NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv",        "rtl/common/rf_rr.sv",       "rtl/common/rf_fifo_ctrl.sv",
                                  "rtl/banked/rf_banked_pkg.sv", "rtl/banked/rf_arbiter.sv",  "rtl/banked/rf_crossbar.sv",
                                  "rtl/banked/rf_bank.sv",       "rtl/cerf/rf_cerf_pkg.sv",   "rtl/cerf/rf_line_state.sv",
                                  "rtl/cerf/rf_line_victim.sv",  "rtl/cerf/rf_tag_bank.sv",   "rtl/cerf/rf_mshr.sv",
                                  "rtl/cerf/rf_miss_queue.sv",   "rtl/cerf/rf_cache_bank.sv", NULL};

#define LS_UNIT rf_cerf_memory
#define LS_GROUP "cerf"
#define LS_BRIEF "integrated memory of registers and L1D"
#define LS_FIELDS "tb/cerf/rf_cerf_memory.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#define LS_TOUCHED
#define LS_PROPERTY
#include "harness/core/unit_define.h"
