/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_cerf_memory, by the sentences of its contract: banks of slow_cache_bank.h, and around them lists of turns,
 * askers that wait, and one port to L2. `slip` breaks one rule of the memory at a time, as `flaw` does one of a bank. */
#ifndef RF_SLOW_MEMORY_H
#define RF_SLOW_MEMORY_H

#include "cmodel/cerf/rf_cerf_memory.h"

#include "tb/cerf/judge/expect_cache_bank.h"

/* clang-format off */
#define MEMORY_SLIPS(X) \
    X(NO_SLIP, "no slip") \
    X(OPERANDS_FIRST, "operands go before results") \
    X(WRITER_LOWEST, "the lowest writer goes first, whoever did last") \
    X(COLLECTOR_LOWEST, "the lowest collector goes first, whoever did last") \
    X(ACCESS_LAST, "the load/store unit goes behind all collectors") \
    X(ACCESS_FIRST, "the load/store unit goes before all collectors") \
    X(HIGHEST_SLOT, "a collector's highest slot goes first") \
    X(REFUSED_ASKS_ON, "who is refused asks on") \
    X(REFUSED_KEEPS_TURN, "who is refused keeps its turn") \
    X(WAKE_OF_ANY, "a bank wakes those of others") \
    X(WAKE_MISSED, "who is refused in the cycle of a wake waits for the next one") \
    X(WAIT_FORGOTTEN, "who stops asking waits no more") \
    X(AGAIN_WAITS, "who is neither accepted nor refused waits") \
    X(READY_IGNORED, "a bank that is not ready grants") \
    X(L2_LOWEST, "the lowest bank sends first") \
    X(L2_TURN_MOVES, "the turn to send moves on though L2 takes nothing") \
    X(L2_LINE_OF_BANK, "L2 sees the line number without the bank") \
    X(PREFIX_IGNORED, "registers are the lowest lines") \
    X(BANK_ABOVE_SET, "the bank is above the set") \
    X(FILL_BANK_IGNORED, "bank 0 takes each fill") \
    X(NO_BANK_REFUSES, "the answer of a bank that does not exist is not taken") \
    X(DEAD_IGNORED, "no operand is the last") \
    X(ANSWER_OF_HIGHEST, "of two answers for a reader that of the highest bank counts")
/* clang-format on */
enum { MEMORY_SLIPS(JUDGE_NAME) MEMORY_SLIP_COUNT };
static const char *const memory_slip_names[MEMORY_SLIP_COUNT] = {MEMORY_SLIPS(JUDGE_TEXT)};
static uint32_t memory_slip = NO_SLIP;

#define NOBODY UINT32_MAX
#define ASKERS_MAX (RF_READERS_MAX + RF_EXPORTS_MAX)
#define ACCESS_ID 64u /* of a bank's request: what is above is the load/store unit's */

/* Who comes next: the first of the list that asks. */
typedef struct slow_turns {
    uint32_t n, next[RF_READERS_MAX];
} slow_turns;

/* Askers are the readers, then the load/store unit, then the writers. */
typedef struct slow_memory {
    rf_cerf_memory_cfg cfg;
    slow_cache_bank bank[RF_CERF_BANKS_MAX];
    slow_turns operands[RF_CERF_BANKS_MAX], results[RF_CERF_BANKS_MAX]; /* by bank: of collectors and load/store unit; writers */
    slow_turns senders;                                                 /* of banks */
    bool waits[ASKERS_MAX];
} slow_memory;

/* What happens in one cycle. */
typedef struct slow_memory_turn {
    rf_cerf_memory_out out; /* its ports */
    rf_cache_bank_in in[RF_CERF_BANKS_MAX];
    slow_turn bank[RF_CERF_BANKS_MAX];
    uint32_t granted[RF_CERF_BANKS_MAX]; /* by bank: asker */
    bool free[RF_CERF_BANKS_MAX], offers[RF_CERF_BANKS_MAX];
    uint32_t sender;
} slow_memory_turn;

static inline uint32_t readers_of(const slow_memory *s) { return s->cfg.collectors * s->cfg.slots; }
static inline uint32_t access_of(const slow_memory *s) { return readers_of(s); }
static inline uint32_t askers_of(const slow_memory *s) { return readers_of(s) + 1 + s->cfg.writers; }
static inline bool is_reader(const slow_memory *s, uint32_t asker) { return asker < readers_of(s); }
static inline bool is_writer(const slow_memory *s, uint32_t asker) { return asker > readers_of(s); }
static inline uint32_t writer_of(const slow_memory *s, uint32_t asker) { return asker - readers_of(s) - 1; }

/* --- turns -------------------------------------------------------------------------------------------------------------------
 */

static inline void turns_start(slow_turns *t, uint32_t n) {
    t->n = n;
    for (uint32_t i = 0; i < n; i++) t->next[i] = i;
}

static inline uint32_t turns_first(const slow_turns *t, const bool *asks) {
    for (uint32_t i = 0; i < t->n; i++)
        if (asks[t->next[i]]) return t->next[i];
    return NOBODY;
}

/* Who had its turn is the last one now, and those behind it come first. */
static inline void turns_take(slow_turns *t, uint32_t who) {
    uint32_t first;
    do {
        first = t->next[0];
        memmove(&t->next[0], &t->next[1], (t->n - 1) * sizeof *t->next);
        t->next[t->n - 1] = first;
    } while (first != who);
}

/* The pointer of a round-robin arbiter: those who come before requester 0 does. */
static inline uint64_t turns_pointer(const slow_turns *t) {
    uint64_t mask = 0;
    for (uint32_t i = 0; t->next[i] != 0; i++) mask |= UINT64_C(1) << t->next[i];
    return mask;
}

/* --- place -------------------------------------------------------------------------------------------------------------------
 */

/* "Register number n is line {PREFIX, n}" */
static inline uint32_t register_line(const rf_cerf_memory_cfg *cfg, uint32_t number) {
    const uint32_t codes = judge_codes(cfg->registers), prefix = memory_slip == PREFIX_IGNORED ? 0 : cfg->prefix;
    return (uint32_t)(((uint64_t)prefix * codes + number % codes) & ls_mask(cfg->line_w));
}

static inline uint32_t bank_sets(const rf_cerf_memory_cfg *cfg) { return cfg->sets / cfg->banks; }

/* "Line l: bank l mod BANKS, its set (l / BANKS) mod (SETS / BANKS), tag above" */
static inline uint32_t line_bank(const rf_cerf_memory_cfg *cfg, uint32_t line) {
    return memory_slip == BANK_ABOVE_SET ? line / bank_sets(cfg) % cfg->banks : line % cfg->banks;
}
static inline uint32_t line_set(const rf_cerf_memory_cfg *cfg, uint32_t line) {
    return memory_slip == BANK_ABOVE_SET ? line % bank_sets(cfg) : line / cfg->banks % bank_sets(cfg);
}
static inline uint32_t line_tag(const rf_cerf_memory_cfg *cfg, uint32_t line) { return line / cfg->sets; }

static inline rf_cache_bank_cfg bank_cfg(const rf_cerf_memory_cfg *cfg) {
    return (rf_cache_bank_cfg){.sets = bank_sets(cfg),
                               .ways = cfg->ways,
                               .lanes = cfg->lanes,
                               .tag_w = cfg->line_w - rf_log2(cfg->sets),
                               .id_w = RF_CERF_ID_W + 1,
                               .mshrs = cfg->mshrs,
                               .targets = cfg->targets,
                               .reserve = cfg->reserve,
                               .queue = cfg->queue,
                               .policy = cfg->policy};
}

static inline void slow_memory_reset(slow_memory *s) {
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        slow_bank_reset(&s->bank[b]);
        turns_start(&s->operands[b], s->cfg.collectors + 1);
        turns_start(&s->results[b], s->cfg.writers);
    }
    turns_start(&s->senders, s->cfg.banks);
    memset(s->waits, 0, sizeof s->waits);
}

static inline void slow_memory_start(slow_memory *s, const rf_cerf_memory_cfg *cfg) {
    const rf_cache_bank_cfg bank = bank_cfg(cfg);
    memset(s, 0, sizeof *s);
    s->cfg = *cfg;
    for (uint32_t b = 0; b < cfg->banks; b++) slow_bank_start(&s->bank[b], &bank);
    slow_memory_reset(s);
}

/* --- this cycle --------------------------------------------------------------------------------------------------------------
 */

static inline uint32_t asked_line(const slow_memory *s, const rf_cerf_memory_in *in, uint32_t asker) {
    if (is_reader(s, asker)) return register_line(&s->cfg, in->rd_number[asker]);
    if (is_writer(s, asker)) return register_line(&s->cfg, in->wr_number[writer_of(s, asker)]);
    return in->mem_line;
}

static inline uint32_t asked_bank(const slow_memory *s, const rf_cerf_memory_in *in, uint32_t asker) {
    return line_bank(&s->cfg, asked_line(s, in, asker));
}

static inline bool wants(const slow_memory *s, const rf_cerf_memory_in *in, uint32_t asker) {
    if (is_reader(s, asker)) return judge_bit(in->rd_valid, asker);
    return is_writer(s, asker) ? judge_bit(in->wr_valid, writer_of(s, asker)) : in->mem_valid != 0;
}

/* It asks: it wants something, and does not wait for its bank to wake it. */
static inline bool asks(const slow_memory *s, const rf_cerf_memory_in *in, uint32_t asker) {
    return wants(s, in, asker) && !s->waits[asker];
}

/* The bank's grant: "writers before all else, round-robin; then round-robin over the collectors and, as one more behind them, the
 * load/store unit; of a collector its lowest asking slot". */
static inline uint32_t grant_of(const slow_memory *s, const rf_cerf_memory_in *in, uint32_t b) {
    bool writes[RF_EXPORTS_MAX] = {false}, reads[RF_COLLECTORS_MAX] = {false}, any_write = false, any_read = false;
    uint32_t slot[RF_COLLECTORS_MAX] = {0};
    for (uint32_t a = 0; a < askers_of(s); a++) {
        const uint32_t c = is_reader(s, a) ? a / s->cfg.slots : s->cfg.collectors;
        if (!asks(s, in, a) || asked_bank(s, in, a) != b) continue;
        if (is_writer(s, a)) {
            any_write = writes[writer_of(s, a)] = true;
            continue;
        }
        if (!reads[c] || memory_slip == HIGHEST_SLOT) slot[c] = a;
        any_read = reads[c] = true;
    }
    if (any_write && !(memory_slip == OPERANDS_FIRST && any_read)) {
        uint32_t w = turns_first(&s->results[b], writes);
        for (uint32_t low = s->cfg.writers; memory_slip == WRITER_LOWEST && low-- > 0;)
            if (writes[low]) w = low;
        return readers_of(s) + 1 + w;
    }
    if (!any_read) return NOBODY;
    if (memory_slip == ACCESS_FIRST && reads[s->cfg.collectors]) return access_of(s);
    if (memory_slip == ACCESS_LAST && reads[s->cfg.collectors])
        for (uint32_t c = 0; c < s->cfg.collectors; c++)
            if (reads[c]) reads[s->cfg.collectors] = false;
    uint32_t c = turns_first(&s->operands[b], reads);
    for (uint32_t low = s->cfg.collectors; memory_slip == COLLECTOR_LOWEST && low-- > 0;)
        if (reads[low]) c = low;
    return slot[c];
}

/* What the bank sees of the asker that is granted. */
static inline void ask_bank(const slow_memory *s, const rf_cerf_memory_in *in, uint32_t asker, rf_cache_bank_in *to) {
    const uint32_t line = asked_line(s, in, asker);
    to->req_valid = 1;
    to->req_set = (uint16_t)line_set(&s->cfg, line), to->req_tag = line_tag(&s->cfg, line);
    if (is_reader(s, asker)) {
        to->req_op = RF_CACHE_READ_REG, to->req_id = (uint8_t)asker;
        to->req_dead = judge_bit(in->rd_dead, asker) && memory_slip != DEAD_IGNORED;
    } else if (is_writer(s, asker)) {
        const uint32_t w = writer_of(s, asker);
        to->req_op = RF_CACHE_WRITE_REG, to->req_mask = in->wr_mask[w], to->req_data = in->wr_data[w];
    } else {
        to->req_op = in->mem_op, to->req_way = in->mem_way, to->req_id = (uint8_t)(ACCESS_ID + in->mem_id);
        to->req_mask = in->mem_mask, to->req_data = in->mem_data;
    }
}

static inline bool is_filled(const rf_cerf_memory_in *in, uint32_t b) {
    return in->fill_valid && (memory_slip == FILL_BANK_IGNORED ? 0 : in->fill_bank) == b;
}

static inline void show_accepted(const slow_memory *s, slow_memory_turn *now, uint32_t asker) {
    if (is_reader(s, asker)) now->out.rd_accept |= UINT64_C(1) << asker;
    else if (is_writer(s, asker)) now->out.wr_accept |= (uint8_t)(1u << writer_of(s, asker));
    else now->out.mem_accept = 1;
}

static inline void show_answer(const rf_cache_bank_out *bank, slow_memory_turn *now, uint32_t b) {
    if (!bank->rsp_valid) return;
    if (bank->rsp_id >= ACCESS_ID) {
        now->out.ld_valid |= (uint8_t)(1u << b);
        now->out.ld_id[b] = (uint8_t)(bank->rsp_id - ACCESS_ID);
        now->out.ld_data[b] = bank->rsp_data;
        return;
    }
    const uint64_t reader = UINT64_C(1) << bank->rsp_id;
    if ((now->out.rd_fill & reader) == 0 || memory_slip == ANSWER_OF_HIGHEST) now->out.rd_data[bank->rsp_id] = bank->rsp_data;
    now->out.rd_fill |= reader;
}

static inline void show_message(const slow_memory *s, slow_memory_turn *now) {
    if (now->sender == NOBODY) return;
    const rf_cache_bank_out *bank = &now->bank[now->sender].out;
    now->out.l2_valid = 1, now->out.l2_op = bank->mem_op;
    now->out.l2_line = bank->mem_line * s->cfg.banks + now->sender;
    if (memory_slip == L2_LINE_OF_BANK) now->out.l2_line = bank->mem_line;
    now->out.l2_bank = (uint8_t)now->sender, now->out.l2_entry = bank->mem_entry;
    now->out.l2_mask = bank->mem_mask, now->out.l2_data = bank->mem_data;
}

static inline void slow_memory_comb(const slow_memory *s, const rf_cerf_memory_in *in, slow_memory_turn *now) {
    const uint32_t banks = s->cfg.banks;
    memset(now, 0, sizeof *now);
    now->out.fill_ready = in->fill_bank < banks ? 0 : memory_slip != NO_BANK_REFUSES;
    for (uint32_t b = 0; b < banks; b++) { /* without a request: is it ready, has it a message? */
        now->in[b].fill_valid = is_filled(in, b), now->in[b].fill_entry = in->fill_entry;
        now->in[b].fill_data = in->fill_data;
        slow_bank_comb(&s->bank[b], &now->in[b], &now->bank[b]);
        now->free[b] = now->bank[b].out.ready, now->offers[b] = now->bank[b].out.mem_valid;
    }
    now->sender = turns_first(&s->senders, now->offers);
    for (uint32_t b = banks; memory_slip == L2_LOWEST && b-- > 0;)
        if (now->offers[b]) now->sender = b;
    for (uint32_t b = 0; b < banks; b++) {
        now->granted[b] = now->free[b] || memory_slip == READY_IGNORED ? grant_of(s, in, b) : NOBODY;
        if (now->granted[b] != NOBODY) ask_bank(s, in, now->granted[b], &now->in[b]);
        now->in[b].mem_ready = b == now->sender && in->l2_ready;
        slow_bank_comb(&s->bank[b], &now->in[b], &now->bank[b]);
        if (now->bank[b].out.accept) show_accepted(s, now, now->granted[b]);
        show_answer(&now->bank[b].out, now, b);
        if (b == in->fill_bank) now->out.fill_ready = now->bank[b].out.fill_ready;
    }
    show_message(s, now);
}

/* --- the edge ----------------------------------------------------------------------------------------------------------------
 */

static inline void clock_waits(slow_memory *s, const rf_cerf_memory_in *in, const slow_memory_turn *now) {
    bool any = false;
    for (uint32_t b = 0; b < s->cfg.banks; b++) any |= now->bank[b].out.wake;
    for (uint32_t a = 0; a < askers_of(s); a++) {
        const uint32_t b = asked_bank(s, in, a);
        const rf_cache_bank_out *out = &now->bank[b].out;
        const bool mine = now->granted[b] == a, waited = s->waits[a];
        if (mine && (out->refuse || (memory_slip == AGAIN_WAITS && now->bank[b].asks_again))) s->waits[a] = true;
        if (memory_slip == WAIT_FORGOTTEN && !wants(s, in, a)) s->waits[a] = false;
        if (memory_slip == WAKE_MISSED && !waited) continue;
        if (out->wake || (memory_slip == WAKE_OF_ANY && any) || memory_slip == REFUSED_ASKS_ON) s->waits[a] = false;
    }
}

static inline void slow_memory_clock(slow_memory *s, const rf_cerf_memory_in *in, const slow_memory_turn *now) {
    clock_waits(s, in, now);
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        const uint32_t a = now->granted[b];
        slow_bank_clock(&s->bank[b], &now->in[b], &now->bank[b]);
        if (a == NOBODY || (memory_slip == REFUSED_KEEPS_TURN && now->bank[b].out.refuse)) continue;
        if (is_writer(s, a)) turns_take(&s->results[b], writer_of(s, a));
        else turns_take(&s->operands[b], is_reader(s, a) ? a / s->cfg.slots : s->cfg.collectors);
    }
    if (now->sender != NOBODY && (in->l2_ready || memory_slip == L2_TURN_MOVES)) turns_take(&s->senders, now->sender);
}

/* --- the comparer ------------------------------------------------------------------------------------------------------------
 */

/* What the registers hold; `e` is as it was in the cycle before. */
static inline void expect_registers(const slow_memory *s, rf_cerf_memory *e) {
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        e->arbiter.rd_rr[b].mask_q = turns_pointer(&s->operands[b]);
        e->arbiter.wr_rr[b].mask_q = turns_pointer(&s->results[b]);
        expect_state(&s->bank[b], &e->bank[b]);
    }
    e->l2.mask_q = turns_pointer(&s->senders);
    e->rd_wait_q = judge_pack(s->waits, readers_of(s));
    e->mem_wait_q = s->waits[access_of(s)];
    e->wr_wait_q = (uint8_t)judge_pack(&s->waits[access_of(s) + 1], s->cfg.writers);
}

/* Reset: "as the parts say; nothing waits". */
static inline void expect_memory_reset(const slow_memory *s, rf_cerf_memory *e) {
    for (uint32_t b = 0; b < s->cfg.banks; b++) expect_reset(&e->bank[b]);
    expect_registers(s, e);
}

/* The units inside are of the sizes that the header tells. */
static inline void has_its_banks(const rf_cerf_memory *m, const rf_cerf_memory_cfg *cfg) {
    const rf_cache_bank_cfg bank = bank_cfg(cfg);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    for (uint32_t b = 0; b < cfg->banks; b++) has_its_units(&m->bank[b], &bank);
    assert_int_equal(m->arbiter.cfg.banks, cfg->banks);
    assert_int_equal(m->arbiter.cfg.collectors, cfg->collectors + 1);
    assert_int_equal(m->arbiter.cfg.slots, cfg->slots);
    assert_int_equal(m->arbiter.cfg.writers, cfg->writers);
    assert_int_equal(m->arbiter.cfg.ports, 1);
    assert_int_equal(m->l2.cfg.n, cfg->banks);
}

/* Who asks a bank that is ready, and who is granted; slot 0 of one more collector is the load/store unit. */
static inline void compare_arbiter(judge *j, const slow_memory *s, const slow_memory_turn *now, const rf_cerf_memory_in *in,
                                   const rf_cerf_memory_wires *w) {
    bool asking[ASKERS_MAX] = {false}, granted[ASKERS_MAX] = {false};
    for (uint32_t a = 0; a < askers_of(s); a++) {
        const uint32_t b = asked_bank(s, in, a);
        asking[a] = asks(s, in, a) && now->free[b];
        granted[a] = now->granted[b] == a;
        if (!asking[a]) continue; /* a request that is not made has no bank */
        if (is_writer(s, a)) judge_equal(j, "wires.arbiter_in.wr_bank", a, w->arbiter_in.wr_bank[writer_of(s, a)], b);
        else judge_equal(j, "wires.arbiter_in.rd_bank", a, w->arbiter_in.rd_bank[a], b);
    }
    judge_equal(j, "wires.arbiter_in.rd_valid", 0, w->arbiter_in.rd_valid, judge_pack(asking, readers_of(s) + 1));
    judge_equal(j, "wires.arbiter_in.wr_valid", 0, w->arbiter_in.wr_valid,
                judge_pack(&asking[readers_of(s) + 1], s->cfg.writers));
    judge_equal(j, "wires.arbiter.rd_grant", 0, w->arbiter.rd_grant, judge_pack(granted, readers_of(s) + 1));
    judge_equal(j, "wires.arbiter.wr_grant", 0, w->arbiter.wr_grant, judge_pack(&granted[readers_of(s) + 1], s->cfg.writers));
}

/* The wires that the header explains. */
static inline void compare_memory_wires(judge *j, const slow_memory *s, const slow_memory_turn *now, const rf_cerf_memory_in *in,
                                        const rf_cerf_memory_wires *w) {
    enum { ASKED, ACCEPT, REFUSE, HIT, WAKE, FILLED, GIVES_WAY, SENDS, TAG, ROW, WIRES };
    bool bit[WIRES][RF_CERF_BANKS_MAX] = {{false}};
    for (uint32_t b = 0; b < s->cfg.banks; b++) {
        const slow_turn *t = &now->bank[b];
        bit[ASKED][b] = now->granted[b] != NOBODY, bit[ACCEPT][b] = t->out.accept, bit[REFUSE][b] = t->out.refuse;
        bit[HIT][b] = t->out.hit, bit[WAKE][b] = t->out.wake, bit[FILLED][b] = is_filled(in, b) && t->out.fill_ready;
        bit[GIVES_WAY][b] = t->out.victim, bit[SENDS][b] = now->sender == b;
        bit[TAG][b] = t->allocates, bit[ROW][b] = writes_row(&s->bank[b].access);
        if (bit[ASKED][b]) judge_equal(j, "wires.op", b, w->op[b], now->in[b].req_op);
        if (t->out.victim) judge_equal(j, "wires.victim_state", b, w->victim_state[b], t->out.victim_state);
        if (bit[TAG][b]) judge_equal(j, "wires.tag_set", b, w->tag_set[b], t->at / s->cfg.ways);
        if (bit[ROW][b]) judge_equal(j, "wires.row", b, w->row[b], s->bank[b].access.row);
    }
    compare_arbiter(j, s, now, in, w);
    const uint8_t *const of[WIRES] = {&w->asked,  &w->accept, &w->refuse, &w->hit,       &w->wake,
                                      &w->filled, &w->victim, &w->sends,  &w->tag_write, &w->row_write};
    static const char *const name[WIRES] = {"wires.asked",  "wires.accept", "wires.refuse", "wires.hit",       "wires.wake",
                                            "wires.filled", "wires.victim", "wires.sends",  "wires.tag_write", "wires.row_write"};
    for (uint32_t i = 0; i < WIRES; i++) judge_equal(j, name[i], 0, *of[i], judge_pack(bit[i], s->cfg.banks));
}

#endif
