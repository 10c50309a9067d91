/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/cerf/rf_cache_bank_parts.h"

const char *rf_cache_bank_check(const rf_cache_bank_cfg *cfg) {
    if (!rf_power_of_two(cfg->sets) || cfg->sets > RF_LINE_SETS_MAX) return "SETS must be a power of two, 1 to 256";
    if (cfg->ways < 1 || cfg->ways > RF_LINE_WAYS_MAX) return "WAYS must be 1 to 8";
    if (cfg->sets * cfg->ways > RF_BANK_ROWS_MAX) return "SETS x WAYS must be at most 1024";
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    if (cfg->tag_w < 1 || cfg->tag_w > RF_LINE_NUMBER_MAX || cfg->tag_w + rf_log2(cfg->sets) > RF_LINE_NUMBER_MAX)
        return "TAG_W must be 1 to 25, with log2(SETS) at most 25";
    if (cfg->id_w < 1 || cfg->id_w > 8) return "ID_W must be 1 to 8";
    if (cfg->reserve > 1) return "RESERVE must be 0 or 1";
    if (cfg->mshrs < 1 + cfg->reserve || cfg->mshrs > RF_MSHRS_MAX) return "MSHRS must be 1 to 16, with RESERVE 2 to 16";
    if (cfg->targets < 1 || cfg->targets > RF_MSHR_TARGETS_MAX) return "TARGETS must be 1 to 8";
    if (cfg->queue < 1 || cfg->queue > RF_MISS_QUEUE_MAX) return "QUEUE must be 1 to 16";
    if (cfg->policy > RF_POLICY_CACHE) return "POLICY must be 0 to 2";
    return NULL;
}

int rf_cache_bank_init(rf_cache_bank *m, const rf_cache_bank_cfg *cfg) {
    if (rf_cache_bank_check(cfg) != NULL) return RF_E_CONFIG;
    const uint32_t line_w = cfg->tag_w + rf_log2(cfg->sets);
    const rf_tag_bank_cfg tags = {.sets = cfg->sets, .ways = cfg->ways, .tag_w = cfg->tag_w, .policy = cfg->policy};
    const rf_mshr_cfg mshr = {
        .mshrs = cfg->mshrs, .targets = cfg->targets, .line_w = line_w, .id_w = cfg->id_w, .reserve = cfg->reserve};
    const rf_miss_queue_cfg queue = {
        .depth = cfg->queue, .lanes = cfg->lanes, .line_w = line_w, .entry_w = rf_index_bits(cfg->mshrs)};
    const rf_bank_cfg data = {.rows = cfg->sets * cfg->ways, .lanes = cfg->lanes, .ports = 1};
    m->cfg = *cfg;
    if (rf_tag_bank_init(&m->tags, &tags) != 0 || rf_mshr_init(&m->mshr, &mshr) != 0 ||
        rf_miss_queue_init(&m->queue, &queue) != 0 || rf_bank_init(&m->data, &data) != 0)
        return RF_E_CONFIG;
    rf_cache_bank_reset(m);
    return 0;
}

void rf_cache_bank_reset(rf_cache_bank *m) {
    rf_tag_bank_reset(&m->tags);
    rf_mshr_reset(&m->mshr);
    rf_miss_queue_reset(&m->queue);
    rf_bank_reset(&m->data);
    memset(&m->d_valid_q, 0, sizeof *m - offsetof(rf_cache_bank, d_valid_q));
}

static rf_cache_bank_request request_of(const rf_cache_bank_in *in) {
    return (rf_cache_bank_request){.valid = in->req_valid != 0,
                                   .dead = in->req_dead != 0,
                                   .op = in->req_op,
                                   .way = in->req_way,
                                   .id = in->req_id,
                                   .set = in->req_set,
                                   .tag = in->req_tag,
                                   .mask = in->req_mask,
                                   .data = &in->req_data};
}

static rf_cache_bank_fill fill_of(const rf_cache_bank_in *in) {
    return (rf_cache_bank_fill){.valid = in->fill_valid != 0, .entry = in->fill_entry, .data = &in->fill_data};
}

static void put_out(const rf_cache_bank *m, const rf_cache_bank_in *in, const rf_cache_bank_cycle *c, rf_cache_bank_out *out) {
    const rf_vec *data;
    uint8_t id;
    memset(out, 0, sizeof *out);
    if (rf_cache_bank_answer(m, &id, &data)) {
        out->rsp_valid = 1;
        out->rsp_id = id;
        out->rsp_data = *data;
    }
    if (rf_miss_queue_valid(&m->queue)) {
        const rf_miss_queue *q = &m->queue;
        const uint32_t head = rf_miss_queue_head(q);
        out->mem_valid = 1;
        out->mem_op = q->op_q[head];
        out->mem_line = q->line_q[head];
        out->mem_entry = q->entry_q[head];
        if (rf_miss_queue_has_words(out->mem_op)) {
            out->mem_mask = q->mask_q[head];
            out->mem_data = q->data_q[head];
        }
    }
    out->ready = c->ready;
    out->accept = c->accept;
    out->refuse = c->refuse;
    out->wake = rf_cache_bank_wake(m, c, in->mem_ready != 0);
    out->fill_ready = c->fill_ready;
    out->hit = c->hit;
    out->victim = c->victim;
    out->victim_state = c->victim_state;
}

void rf_cache_bank_comb(const rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    const rf_cache_bank_request request = request_of(in);
    const rf_cache_bank_fill fill = fill_of(in);
    rf_cache_bank_cycle c;
    rf_cache_bank_decide(m, &request, &fill, &c);
    put_out(m, in, &c, out);
}

void rf_cache_bank_clock(rf_cache_bank *m, const rf_cache_bank_in *in) {
    const rf_cache_bank_request request = request_of(in);
    const rf_cache_bank_fill fill = fill_of(in);
    rf_cache_bank_cycle c;
    rf_cache_bank_decide(m, &request, &fill, &c);
    rf_cache_bank_move(m, &c, &request, in->mem_ready != 0);
}

void rf_cache_bank_step(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    const rf_cache_bank_request request = request_of(in);
    const rf_cache_bank_fill fill = fill_of(in);
    rf_cache_bank_cycle c;
    rf_cache_bank_decide(m, &request, &fill, &c);
    put_out(m, in, &c, out);
    rf_cache_bank_move(m, &c, &request, in->mem_ready != 0);
}
