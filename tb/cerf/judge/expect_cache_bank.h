/* SPDX-License-Identifier: Apache-2.0 */
/* What the registers of rf_cache_bank hold when its slow model is right: slow_cache_bank.h put in the form of the model, for
 * judge_fields.h. */
#ifndef RF_EXPECT_CACHE_BANK_H
#define RF_EXPECT_CACHE_BANK_H

#include "tb/cerf/judge/slow_cache_bank.h"

/* "A new access sets d_step (0) and the flags (d_valid to d_push), and: ..."; the others keep their values. */
static inline void expect_access(const slow_access *a, rf_cache_bank *e) {
    const bool pushes = push_step(a) != NOWHERE, carries = a->kind == MESSAGE && a->message.op != RF_MISS_FETCH;
    const bool writes = a->kind == WRITE || a->kind == VICTIM_WRITE || (a->kind == FILL && a->placed);
    const bool victim = a->kind == VICTIM || a->kind == VICTIM_WRITE || (a->kind == FILL && a->spills);
    e->d_fill_q = a->kind == FILL, e->d_read_q = a->kind == READ, e->d_zero_q = a->kind == ZEROS;
    e->d_victim_q = victim, e->d_write_q = writes, e->d_push_q = pushes;
    if (pushes) e->d_op_q = (uint8_t)a->message.op, e->d_line_q = a->message.line, e->d_entry_q = (uint8_t)a->message.entry;
    if (a->kind == READ || victim || writes) e->d_row_q = (uint16_t)a->row;
    if (a->kind == READ || a->kind == ZEROS) e->d_id_q = (uint8_t)a->id;
    if (writes || carries || victim) e->d_mask_q = a->mask;
    if (writes || carries || a->kind == FILL) words_copy(e->d_data_q.lane, a->data, UINT32_MAX);
    if (a->kind != FILL) return;
    e->d_count_q = (uint8_t)a->targets;
    for (uint32_t i = 0; i < RF_MSHR_TARGETS_MAX; i++) e->d_target_q[i] = (uint8_t)a->target[i];
}

static inline void expect_stage(const slow_cache_bank *s, rf_cache_bank *e) {
    e->d_valid_q = s->access.kind != IDLE;
    e->d_step_q = (uint8_t)(e->d_valid_q ? s->access.step : 0);
    if (e->d_valid_q && s->access.step == 0) expect_access(&s->access, e);
    e->r_valid_q = s->answers;
    if (s->answers) e->r_zero_q = s->answers_zero, e->r_id_q = (uint8_t)s->answer_id;
}

static inline void expect_tags(const slow_cache_bank *s, rf_cache_bank *e) {
    const uint32_t ways = s->cfg.ways, tag_w = s->cfg.tag_w;
    for (uint32_t set = 0; set < s->cfg.sets; set++) {
        e->tags.state_q[set] = 0, e->tags.age_q[set] = 0;
        memset(&e->tags.tag_q[set], 0, sizeof e->tags.tag_q[set]);
        for (uint32_t w = 0; w < ways; w++) {
            const slow_entry *entry = entry_at(s, set, w);
            uint32_t younger = 0;
            for (uint32_t other = 0; other < ways; other++) younger += entry_at(s, set, other)->used > entry->used;
            e->tags.state_q[set] |= (uint16_t)(entry->state << 2 * w);
            e->tags.age_q[set] |= younger << rf_line_age_bits(ways) * w;
            for (uint32_t b = 0; b < tag_w; b++)
                if (judge_bit(entry->tag, b)) e->tags.tag_q[set].w[(w * tag_w + b) / 64] |= UINT64_C(1) << (w * tag_w + b) % 64;
        }
    }
}

static inline void expect_misses(const slow_cache_bank *s, rf_cache_bank *e) {
    bool busy[RF_MSHRS_MAX] = {false}, reg[RF_MSHRS_MAX] = {false}, keep[RF_MSHRS_MAX] = {false};
    for (uint32_t i = 0; i < s->cfg.mshrs; i++) {
        const slow_miss *m = &s->miss[i];
        busy[i] = m->busy, reg[i] = m->reg, keep[i] = m->keep;
        e->mshr.line_q[i] = m->line, e->mshr.count_q[i] = (uint8_t)m->targets;
        for (uint32_t k = 0; k < s->cfg.targets; k++) e->mshr.id_q[i * s->cfg.targets + k] = (uint8_t)m->id[k];
    }
    e->mshr.busy_q = (uint16_t)judge_pack(busy, RF_MSHRS_MAX);
    e->mshr.reg_q = (uint16_t)judge_pack(reg, RF_MSHRS_MAX);
    e->mshr.keep_q = (uint16_t)judge_pack(keep, RF_MSHRS_MAX);
}

static inline void expect_queue(const slow_cache_bank *s, rf_cache_bank *e) {
    e->queue.ctrl.wr_ptr_q = (uint8_t)(s->pushes % s->cfg.queue);
    e->queue.ctrl.rd_ptr_q = (uint8_t)(s->pops % s->cfg.queue);
    e->queue.ctrl.level_q = (uint8_t)s->queued;
    for (uint32_t i = 0; i < s->cfg.queue; i++) {
        const slow_message *m = &s->lies[i];
        e->queue.op_q[i] = (uint8_t)m->op, e->queue.line_q[i] = m->line, e->queue.entry_q[i] = (uint8_t)m->entry;
        e->queue.mask_q[i] = m->mask;
        words_copy(e->queue.data_q[i].lane, m->data, UINT32_MAX);
    }
}

/* What the registers hold; `e` is as it was in the cycle before. */
static inline void expect_state(const slow_cache_bank *s, rf_cache_bank *e) {
    expect_stage(s, e);
    expect_tags(s, e);
    expect_misses(s, e);
    expect_queue(s, e);
    words_copy(e->data.rdata_q.lane, s->was_read, UINT32_MAX);
    for (uint32_t i = 0; i < s->cfg.sets * s->cfg.ways; i++)
        memcpy(e->data.mem_q[i].lane, s->entry[i].row, sizeof s->entry[i].row);
}

/* Reset: "everything but tags and data, which are memories". */
static inline void expect_reset(rf_cache_bank *e) {
    e->d_valid_q = e->d_step_q = e->d_fill_q = e->d_read_q = e->d_zero_q = e->d_victim_q = e->d_write_q = e->d_push_q = 0;
    e->d_op_q = e->d_entry_q = e->d_id_q = e->d_count_q = e->r_valid_q = e->r_zero_q = e->r_id_q = 0;
    e->d_line_q = e->d_mask_q = 0, e->d_row_q = 0;
    memset(&e->d_data_q, 0, sizeof e->d_data_q);
    memset(e->d_target_q, 0, sizeof e->d_target_q);
}

/* The units inside are of the sizes that the header tells. */
static inline void has_its_units(const rf_cache_bank *m, const rf_cache_bank_cfg *c) {
    const uint32_t line_w = c->tag_w + rf_log2(c->sets);
    const rf_tag_bank_cfg tags = {.sets = c->sets, .ways = c->ways, .tag_w = c->tag_w, .policy = c->policy};
    const rf_mshr_cfg mshr = {c->mshrs, c->targets, line_w, c->id_w, c->reserve};
    const rf_miss_queue_cfg queue = {c->queue, c->lanes, line_w, rf_index_bits(c->mshrs)};
    const rf_bank_cfg data = {c->sets * c->ways, c->lanes, 1};
    assert_memory_equal(&m->cfg, c, sizeof *c);
    assert_memory_equal(&m->tags.cfg, &tags, sizeof tags);
    assert_memory_equal(&m->mshr.cfg, &mshr, sizeof mshr);
    assert_memory_equal(&m->queue.cfg, &queue, sizeof queue);
    assert_memory_equal(&m->data.cfg, &data, sizeof data);
}

#endif
