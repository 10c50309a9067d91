/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/cerf/env/rf_cache_world.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define NONE RF_WORLD_LINES

__attribute__((format(printf, 2, 3))) static void violated(rf_cache_world *w, const char *format, ...) {
    va_list args;
    if (w->wrong[0] != '\0') return;
    va_start(args, format);
    (void)vsnprintf(w->wrong, sizeof w->wrong, format, args);
    va_end(args);
}

static uint32_t all_lanes(const rf_cache_world *w) { return (uint32_t)rf_mask64(w->cfg.lanes); }
static bool bit(uint32_t set, uint32_t i) { return (set >> i & 1) != 0; }

uint32_t rf_cache_world_set(const rf_cache_world *w, uint32_t line) { return w->number[line] & (w->cfg.sets - 1); }
uint32_t rf_cache_world_tag(const rf_cache_world *w, uint32_t line) { return w->number[line] >> rf_log2(w->cfg.sets); }

static uint32_t find_line(const rf_cache_world *w, uint32_t number) {
    for (uint32_t i = 0; i < w->lines; i++)
        if (w->number[i] == number) return i;
    return NONE;
}

/* Registers that lose their places are read as 0 where the policy never fetches them, else they are anything. */
static void lose(rf_cache_world *w, uint32_t line) {
    if (w->cfg.policy == RF_POLICY_REGISTERS) w->memory[line] = (rf_vec){{0}};
    else w->known[line] = 0;
}

/* Lines in few sets, more of them than ways. Where registers are never spilled a set has as many of them as ways at most. */
void rf_cache_world_init(rf_cache_world *w, const rf_cache_bank_cfg *cfg, ls_rng *rng) {
    const uint32_t most = RF_WORLD_LINES / (cfg->ways + 2), first = ls_rng_below(rng, cfg->sets);
    const uint32_t all = most < cfg->sets ? most : cfg->sets, sets = 1 + ls_rng_below(rng, all);
    const uint32_t tags = cfg->tag_w < 5 ? UINT32_C(1) << cfg->tag_w : 32, fit = tags * sets;
    const uint32_t base = (uint32_t)ls_rng_value(rng, cfg->tag_w), stride = (uint32_t)ls_rng_u64(rng) | 1;
    const uint32_t share = 64 + ls_rng_below(rng, 128);
    uint32_t registers[RF_WORLD_LINES] = {0};
    *w = (rf_cache_world){.cfg = *cfg, .in_order = ls_rng_chance(rng, 128), .latency = 8, .flushed = NONE};
    w->lines = fit < RF_WORLD_LINES ? fit : RF_WORLD_LINES;
    for (uint32_t i = 0; i < w->lines; i++) {
        const uint32_t set = (first + i % sets) % cfg->sets;
        const uint32_t tag = (base + i / sets * stride) & (uint32_t)rf_mask64(cfg->tag_w);
        bool reg = ls_rng_chance(rng, share);
        if (cfg->policy == RF_POLICY_REGISTERS && registers[i % sets] == cfg->ways) reg = false;
        registers[i % sets] += reg;
        w->number[i] = tag << rf_log2(cfg->sets) | set;
        w->registers |= (uint32_t)reg << i;
        w->known[i] = all_lanes(w);
        if (!reg || cfg->policy != RF_POLICY_REGISTERS) ls_rng_lanes(rng, w->memory[i].lane, cfg->lanes);
        w->l2[i] = w->memory[i];
    }
}

bool rf_cache_world_id(const rf_cache_world *w, ls_rng *rng, uint8_t *id) {
    uint64_t used[4] = {0};
    const uint32_t ids = 1u << w->cfg.id_w, first = ls_rng_below(rng, ids);
    for (uint32_t i = 0; i < w->reads; i++) used[w->read[i].id / 64] |= UINT64_C(1) << w->read[i].id % 64;
    for (uint32_t i = 0; i < w->hits; i++) used[w->hit[i].id / 64] |= UINT64_C(1) << w->hit[i].id % 64;
    for (uint32_t i = 0; i < ids; i++) {
        *id = (uint8_t)((first + i) % ids);
        if ((used[*id / 64] >> *id % 64 & 1) == 0) return true;
    }
    return false;
}

/* ---- L2 ---- */

/* What an atomic does: it adds. */
static void add(rf_vec *to, const rf_vec *data, uint32_t mask) {
    for (uint32_t left = mask; left != 0; left &= left - 1) to->lane[rf_lowest(left)] += data->lane[rf_lowest(left)];
}

static void remove_job(rf_cache_world *w, uint32_t number) {
    w->jobs--;
    for (uint32_t i = number; i < w->jobs; i++) w->job[i] = w->job[i + 1];
}

void rf_cache_world_answer(rf_cache_world *w, const rf_cache_bank *m, ls_rng *rng, uint32_t takes, rf_cache_bank_in *in) {
    in->mem_ready = ls_rng_chance(rng, takes) || w->stalled >= RF_WORLD_STALL;
    if (!w->fills) {
        uint32_t due = 0;
        for (uint32_t i = 0; i < w->jobs; i++) due |= (uint32_t)(w->job[i].due <= w->cycle) << i;
        if (w->in_order) due &= 1;
        w->fills = due != 0;
        if (w->fills) {
            for (uint32_t n = ls_rng_below(rng, (uint32_t)__builtin_popcount(due)); n > 0; n--) due &= due - 1;
            w->filling = rf_lowest(due);
            const uint32_t line = w->job[w->filling].line;
            in->fill_entry = w->job[w->filling].entry;
            in->fill_data = bit(w->atomic, line) ? w->l2_before[line] : w->l2[line];
        } else if (ls_rng_chance(rng, 16)) {
            in->fill_entry = (uint8_t)ls_rng_value(rng, rf_index_bits(m->cfg.mshrs));
            ls_rng_lanes(rng, in->fill_data.lane, m->cfg.lanes);
        }
    }
    in->fill_valid = w->fills;
    w->delay = 1 + ls_rng_below(rng, w->latency);
}

/* L2 takes a message. */
static void receive_message(rf_cache_world *w, const rf_cache_bank_out *out) {
    const uint32_t line = find_line(w, out->mem_line);
    if (line == NONE) {
        violated(w, "a message is of a line that was named: line %" PRIu32 " was not", out->mem_line);
        return;
    }
    if (bit(w->asked, line)) violated(w, "L2 gets nothing of a line that it is to answer: line %" PRIu32, out->mem_line);
    if (out->mem_op == RF_MISS_WRITE) {
        rf_vec_merge(&w->l2[line], &out->mem_data, out->mem_mask);
        return;
    }
    if (out->mem_op == RF_MISS_ATOMIC) {
        w->atomic |= 1u << line;
        w->l2_before[line] = w->l2[line];
        add(&w->l2[line], &out->mem_data, out->mem_mask);
    }
    w->asked |= 1u << line;
    for (uint32_t i = 0; i < w->jobs; i++)
        if (w->job[i].entry == out->mem_entry) violated(w, "an MSHR has one line: MSHR %u has another one", out->mem_entry);
    if (w->jobs == w->cfg.mshrs) {
        violated(w, "L2 has an answer to come for each MSHR at most");
        return;
    }
    w->job[w->jobs].entry = out->mem_entry;
    w->job[w->jobs].line = (uint8_t)line;
    w->job[w->jobs].due = w->cycle + w->delay;
    w->jobs++;
}

/* ---- answers ---- */

static void compare(rf_cache_world *w, const rf_cache_bank_out *out, const rf_vec *data, uint32_t known, const char *of) {
    for (uint32_t left = known; left != 0; left &= left - 1) {
        const uint32_t l = rf_lowest(left);
        if (out->rsp_data.lane[l] == data->lane[l]) continue;
        violated(w, "an answer is what a flat memory has: %s to %u, word %" PRIu32 " is %08" PRIx32 ", not %08" PRIx32, of,
                 out->rsp_id, l, out->rsp_data.lane[l], data->lane[l]);
        return;
    }
}

static void answered(rf_cache_world *w, const rf_cache_bank_out *out) {
    const bool due = w->hits > 0 && w->hit[0].cycle == w->cycle;
    if (due && (!out->rsp_valid || out->rsp_id != w->hit[0].id))
        violated(w, "a read that hits is answered after two cycles: %u was not", w->hit[0].id);
    if (due) {
        compare(w, out, &w->hit[0].data, w->hit[0].known, "hit");
        w->hits--;
        for (uint32_t i = 0; i < w->hits; i++) w->hit[i] = w->hit[i + 1];
        return;
    }
    if (!out->rsp_valid) return;
    uint32_t i = 0;
    while (i < w->reads && w->read[i].id != out->rsp_id) i++;
    if (i == w->reads) {
        violated(w, "an answer is to who waits for one: %u does not", out->rsp_id);
        return;
    }
    const rf_world_read read = w->read[i];
    for (uint32_t k = 0; k < i; k++)
        if (w->read[k].line == read.line)
            violated(w, "who waits for a line is answered in order: %u before %u", read.id, w->read[k].id);
    if (w->version[read.line] != read.version)
        violated(w, "nothing is written while a read waits for L2: line %" PRIu32 " was", w->number[read.line]);
    compare(w, out, read.old ? &w->before[read.line] : &w->memory[read.line], read.known, "fill");
    w->reads--;
    for (; i < w->reads; i++) w->read[i] = w->read[i + 1];
}

/* ---- requests ---- */

/* A read is accepted: who hits gets what there is now. */
static void accept_read(rf_cache_world *w, const rf_cache_bank_in *in, bool now, uint32_t line) {
    if (now && w->hits < RF_WORLD_HITS) {
        w->hit[w->hits++] = (rf_world_hit){in->req_id, w->cycle + 2, w->known[line], w->memory[line]};
        return;
    }
    if (w->reads == RF_WORLD_READS || now) {
        violated(w, "reads are answered: %" PRIu32 " wait for L2, %" PRIu32 " for the data array", w->reads, w->hits);
        return;
    }
    w->read[w->reads++] = (rf_world_read){.id = in->req_id,
                                          .line = (uint8_t)line,
                                          .old = in->req_op == RF_CACHE_ATOMIC,
                                          .version = w->version[line],
                                          .known = w->known[line],
                                          .accepted = w->cycle};
}

static void accept(rf_cache_world *w, const rf_cache_bank_in *in, const rf_cache_bank_out *out) {
    const uint32_t line = find_line(w, rf_cache_bank_line(&w->cfg, in->req_set, in->req_tag));
    if (in->req_op == RF_CACHE_FLUSH && w->flushed != NONE) lose(w, w->flushed);
    if (in->req_op >= RF_CACHE_FLUSH) return;
    if (line == NONE) {
        violated(w, "the bench names lines of its own");
        return;
    }
    w->touched = line;
    switch (in->req_op) {
    case RF_CACHE_READ_REG:
        accept_read(w, in, out->hit || w->cfg.policy == RF_POLICY_REGISTERS, line);
        if (in->req_dead) lose(w, line);
        break;
    case RF_CACHE_LOAD:
        accept_read(w, in, out->hit, line);
        break;
    case RF_CACHE_ATOMIC:
        w->before[line] = w->memory[line];
        w->version[line]++;
        add(&w->memory[line], &in->req_data, in->req_mask);
        accept_read(w, in, false, line);
        break;
    default:
        rf_vec_merge(&w->memory[line], &in->req_data, in->req_mask);
        w->known[line] |= in->req_mask;
        w->version[line]++;
        break;
    }
}

/* Cycles in which a request is accepted, or a read answered: L2 empties the queue and answers, and each answer may wait for the
 * queue; twice, for an atomic writes the line back first. */
static uint32_t bound(const rf_cache_bank_cfg *cfg) {
    const uint32_t drain = (cfg->queue + 2) * (RF_WORLD_STALL + 1);
    return 2 * (drain + RF_WORLD_LATENCY + cfg->mshrs * (cfg->targets + RF_WORLD_STALL + 3));
}

void rf_cache_world_observe(rf_cache_world *w, const rf_cache_bank_in *in, const rf_cache_bank_out *out) {
    answered(w, out);
    if (in->fill_valid && out->fill_ready) {
        const uint32_t line = w->job[w->filling].line;
        w->atomic &= ~(1u << line);
        w->asked &= ~(1u << line);
        remove_job(w, w->filling);
        w->fills = false;
    }
    w->stalled = out->mem_valid && !in->mem_ready ? w->stalled + 1 : 0;
    if (out->mem_valid && in->mem_ready) receive_message(w, out);
    w->waited = in->req_valid && !out->accept ? w->waited + 1 : 0;
    if (out->accept) accept(w, in, out);
    if (out->accept && out->refuse) violated(w, "a request is accepted or refused");
    if (w->waited > bound(&w->cfg)) violated(w, "a request is accepted within %" PRIu32 " cycles", bound(&w->cfg));
    if (w->reads > 0 && w->cycle - w->read[0].accepted > bound(&w->cfg))
        violated(w, "a read is answered within %" PRIu32 " cycles: %u waits", bound(&w->cfg), w->read[0].id);
    w->cycle++;
}

/* ---- between cycles ---- */

/* The way that holds the line, or WAYS. */
static uint32_t way_of(const rf_cache_world *w, const rf_cache_bank *m, uint32_t line) {
    const uint32_t set = rf_cache_world_set(w, line), tag = rf_cache_world_tag(w, line);
    for (uint32_t way = 0; way < m->cfg.ways; way++)
        if (rf_tag_bank_state(&m->tags, set, way) != RF_LINE_INACTIVE && rf_tag_bank_tag(&m->tags, set, way) == tag) return way;
    return m->cfg.ways;
}

/* A line has one entry at most, a register's is REG, a line's CACHE or DIRTY, and what was asked of L2 has none. */
static void check_entries(rf_cache_world *w, const rf_cache_bank *m, uint32_t line) {
    const uint32_t set = rf_cache_world_set(w, line), tag = rf_cache_world_tag(w, line);
    uint32_t entries = 0;
    for (uint32_t way = 0; way < m->cfg.ways; way++) {
        const uint32_t state = rf_tag_bank_state(&m->tags, set, way);
        if (state == RF_LINE_INACTIVE || rf_tag_bank_tag(&m->tags, set, way) != tag) continue;
        entries++;
        if ((state == RF_LINE_REG) != bit(w->registers, line))
            violated(w, "an entry's state is of its kind: line %" PRIu32 " has state %" PRIu32, w->number[line], state);
    }
    if (entries > 1) violated(w, "a line has one entry: line %" PRIu32 " has %" PRIu32, w->number[line], entries);
    if (entries > 0 && rf_mshr_with(&m->mshr, w->number[line]) != 0)
        violated(w, "what comes from L2 has no entry: line %" PRIu32, w->number[line]);
}

/* A message of the line that L2 has not seen yet. */
static void deliver(rf_vec *to, uint32_t op, uint32_t mask, const rf_vec *data) {
    if (op == RF_MISS_WRITE) rf_vec_merge(to, data, mask);
    else if (op == RF_MISS_ATOMIC) add(to, data, mask);
}

/* The line as the bank and L2 have it: L2, then messages on their way, then the entry. */
static rf_vec newest(const rf_cache_world *w, const rf_cache_bank *m, uint32_t line) {
    const rf_miss_queue *q = &m->queue;
    const uint32_t number = w->number[line], way = way_of(w, m, line), row = rf_cache_world_set(w, line) * m->cfg.ways + way;
    rf_vec value = w->l2[line];
    for (uint32_t i = 0, e = q->ctrl.rd_ptr_q; i < q->ctrl.level_q; i++, e = e + 1 == q->cfg.depth ? 0 : e + 1)
        if (q->line_q[e] == number) deliver(&value, q->op_q[e], q->mask_q[e], &q->data_q[e]);
    if (m->d_valid_q && m->d_push_q && m->d_line_q == number && m->d_step_q <= rf_cache_bank_push_step(m)) {
        const rf_vec *from = !m->d_victim_q ? &m->d_data_q : m->d_step_q == 0 ? &m->data.mem_q[m->d_row_q] : &m->data.rdata_q;
        deliver(&value, m->d_op_q, m->d_mask_q, from);
    }
    if (way == m->cfg.ways) return value;
    value = m->data.mem_q[row];
    if (m->d_valid_q && m->d_write_q && m->d_row_q == row && m->d_step_q <= rf_cache_bank_write_step(m))
        rf_vec_merge(&value, &m->d_data_q, m->d_mask_q);
    return value;
}

/* Nothing that was written is lost. */
static void check_line(rf_cache_world *w, const rf_cache_bank *m, uint32_t line) {
    const rf_vec value = newest(w, m, line);
    for (uint32_t left = w->known[line]; left != 0; left &= left - 1) {
        const uint32_t l = rf_lowest(left);
        if (value.lane[l] == w->memory[line].lane[l]) continue;
        violated(w, "nothing is lost: %s %" PRIu32 ", word %" PRIu32 " is %08" PRIx32 ", not %08" PRIx32,
                 bit(w->registers, line) ? "register" : "line", w->number[line], l, value.lane[l], w->memory[line].lane[l]);
        return;
    }
}

void rf_cache_world_check(rf_cache_world *w, const rf_cache_bank *m, const rf_cache_bank_in *in) {
    const uint32_t turn = w->cycle % w->lines;
    check_entries(w, m, w->touched);
    check_line(w, m, w->touched);
    check_entries(w, m, turn);
    check_line(w, m, turn);
    w->flushed = NONE;
    if (in->req_op != RF_CACHE_FLUSH || in->req_way >= m->cfg.ways) return;
    const uint32_t set = rf_tag_bank_set(&m->tags, in->req_set);
    if (rf_tag_bank_state(&m->tags, set, in->req_way) != RF_LINE_REG) return;
    w->flushed = find_line(w, rf_cache_bank_line(&m->cfg, set, rf_tag_bank_tag(&m->tags, set, in->req_way)));
}
