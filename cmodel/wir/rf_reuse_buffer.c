/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_reuse_buffer.h"

#include <string.h>

const char *rf_reuse_buffer_check(const rf_reuse_buffer_cfg *cfg) {
    if (cfg->entries < 1 || cfg->entries > RF_REUSE_ENTRIES_MAX || (cfg->entries & (cfg->entries - 1)) != 0)
        return "ENTRIES must be a power of two, 1 to 512";
    if (cfg->slots < 1 || cfg->slots > RF_REUSE_SLOTS_MAX) return "SLOTS must be 1 to 6";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->blocks < 1 || cfg->blocks > RF_BLOCKS_MAX) return "BLOCKS must be 1 to 16";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    return NULL;
}

int rf_reuse_buffer_init(rf_reuse_buffer *m, const rf_reuse_buffer_cfg *cfg) {
    if (rf_reuse_buffer_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_reuse_buffer_reset(m);
    return 0;
}

void rf_reuse_buffer_reset(rf_reuse_buffer *m) {
    const rf_reuse_buffer_cfg cfg = m->cfg;
    memset(m, 0, sizeof *m);
    m->cfg = cfg;
}

/* The index of lane `l`'s tag. Every field is added where its lowest bit belongs, modulo the index's width: only the sum is
 * folded. */
static inline uint32_t index_of(const rf_reuse_buffer_cfg *cfg, const rf_reuse_buffer_in *in, uint32_t l) {
    const uint32_t bits = rf_lowest(cfg->entries), reg_bits = rf_index_bits(cfg->pregs);
    if (bits == 0) return 0;
    uint32_t at = 8, sum = in->lk_opcode[l], index = 0;
    for (uint32_t s = 0; s < cfg->slots; s++) {
        while (at >= bits) at -= bits;
        sum ^= (uint32_t)in->lk_operand[l * cfg->slots + s] << at;
        at += reg_bits;
    }
    while (at >= bits) at -= bits;
    sum ^= (uint32_t)in->lk_block[l] << at;
    at += rf_index_bits(cfg->blocks) + 1;
    while (at >= bits) at -= bits;
    sum ^= (uint32_t)in->lk_barrier[l] << at;
    for (uint32_t width = bits + 10; width != 0; width -= width < bits ? width : bits, sum >>= bits) index ^= sum;
    return index & (cfg->entries - 1);
}

static inline uint32_t same_tag(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, uint32_t l, uint32_t e) {
    const uint32_t slots = m->cfg.slots;
    uint32_t differs = (uint32_t)(m->opcode_q[e] ^ in->lk_opcode[l]) | (uint32_t)(m->block_q[e] ^ in->lk_block[l]) |
                       (uint32_t)(m->barrier_q[e] ^ in->lk_barrier[l]);
    for (uint32_t s = 0; s < slots; s++) differs |= (uint32_t)(m->operand_q[e * slots + s] ^ in->lk_operand[l * slots + s]);
    return (uint32_t)(differs == 0);
}

/* The fill ports that name entry `e`. */
static inline uint32_t fills_of(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, uint32_t e) {
    const uint32_t last = m->cfg.entries - 1; /* one entry has every index */
    uint32_t ports = 0;
    for (uint32_t p = 0; p < m->cfg.issues; p++) ports |= (uint32_t)((in->fill_index[p] & last) == e) << p;
    return ports & in->fill;
}

/* Where `ends`, the references of entry `e` end, in the elements of lane `l`. What lanes ask is random to a branch predictor: no
 * branch asks for it here and below. */
static inline void free_entry(const rf_reuse_buffer *m, uint32_t e, uint32_t l, bool ends, rf_reuse_buffer_out *out) {
    const uint32_t slots = m->cfg.slots, first = l * (slots + 1);
    const uint32_t all = (m->opcode_q[e] & ((1u << slots) - 1)) | (uint32_t)(m->pending_q[e] == 0) << slots,
                   freed = all & (0u - ends);
    out->freed |= freed << first;
    for (uint32_t s = 0; s < slots; s++)
        out->freed_reg[first + s] = (uint16_t)(m->operand_q[e * slots + s] & (0u - (freed >> s & 1)));
    out->freed_reg[first + slots] = (uint16_t)(m->result_q[e] & (0u - (freed >> slots)));
}

/* What the edge does beside what the outputs say. */
typedef struct plan {
    uint32_t drop; /* lanes whose entry is given up */
    bool rm;       /* entry rm_index is */
} plan;

/* Lane `l` among the lanes below it, which are done: `at` has their entries, `p` their drops. */
static inline void answer_lane(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, uint32_t l, uint32_t *at, plan *p,
                               rf_reuse_buffer_out *out) {
    const uint32_t e = index_of(&m->cfg, in, l);
    const uint32_t asks = in->lk_valid >> l & 1u, valid = m->valid_q[e], pending = m->pending_q[e], free = pending ^ 1;
    const uint32_t same = asks & valid & same_tag(m, in, l, e);
    uint32_t lower = 0; /* lanes that have this entry too */
    at[l] = e;
    for (uint32_t k = 0; k < l; k++) lower |= (uint32_t)(at[k] == e) << k;
    const uint32_t open = asks & ((lower & out->reserved) == 0), gone = (lower & p->drop) != 0;
    const uint32_t reserve = in->reserve >> l & 1u, drop = in->drop >> l & 1u;
    const uint32_t takes = open & reserve & free, gives = open & drop & (reserve ^ 1) & (fills_of(m, in, e) == 0);
    out->index[l] = (uint16_t)(e & (0u - asks));
    out->result[l] = (uint16_t)(m->result_q[e] & (0u - (same & free)));
    out->hit |= (uint8_t)((same & free) << l);
    out->wait |= (uint8_t)((same & pending) << l);
    out->held |= (uint8_t)((asks & pending) << l);
    out->reserved |= (uint8_t)(takes << l);
    p->drop |= gives << l;
    free_entry(m, e, l, ((takes | gives) & valid & (gone ^ 1)) != 0, out);
}

static inline plan answer(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, rf_reuse_buffer_out *out) {
    const uint32_t issues = m->cfg.issues, last = m->cfg.entries - 1, r = in->rm_index & last;
    plan p = {0, false};
    out->hit = out->wait = out->held = out->reserved = out->filled = 0;
    out->freed = 0;
    uint32_t at[RF_ISSUES_MAX], busy = 0; /* lanes that would change entry rm_index */
    for (uint32_t i = 0; i < issues; i++) {
        const uint32_t e = in->fill_index[i] & last, below = (1u << i) - 1;
        const uint32_t fill = in->fill >> i & 1u;
        out->filled |= (uint8_t)((fill & m->valid_q[e] & m->pending_q[e] & ((fills_of(m, in, e) & below) == 0)) << i);
    }
    for (uint32_t l = 0; l < issues; l++) {
        answer_lane(m, in, l, at, &p, out);
        busy |= (uint32_t)(at[l] == r) << l;
    }
    busy &= in->lk_valid & (uint32_t)(in->reserve | in->drop);
    const bool free0 = (out->freed & ((1u << (m->cfg.slots + 1)) - 1)) != 0;
    out->rm_ready = !in->rm || (busy == 0 && !free0 && fills_of(m, in, r) == 0);
    p.rm = in->rm && out->rm_ready && m->valid_q[r] != 0 && (in->rm_all || m->block_q[r] == in->rm_block);
    if (p.rm) free_entry(m, r, 0, true, out);
    return p;
}

static inline void edge(rf_reuse_buffer *m, const rf_reuse_buffer_in *in, const rf_reuse_buffer_out *out, plan p) {
    const uint32_t slots = m->cfg.slots, last = m->cfg.entries - 1;
    for (uint32_t set = in->fill; set != 0; set &= set - 1) {
        const uint32_t i = rf_lowest(set), e = in->fill_index[i] & last;
        if ((out->filled >> i & 1) != 0) m->result_q[e] = in->fill_reg[i];
        m->pending_q[e] = 0;
    }
    for (uint32_t set = out->reserved | p.drop; set != 0; set &= set - 1) {
        const uint32_t l = rf_lowest(set), e = out->index[l];
        m->valid_q[e] = out->reserved >> l & 1;
        if (m->valid_q[e] == 0) continue;
        m->pending_q[e] = 1;
        m->opcode_q[e] = in->lk_opcode[l];
        for (uint32_t s = 0; s < slots; s++) m->operand_q[e * slots + s] = in->lk_operand[l * slots + s];
        m->block_q[e] = in->lk_block[l];
        m->barrier_q[e] = in->lk_barrier[l];
    }
    if (p.rm) m->valid_q[in->rm_index & last] = 0;
}

void rf_reuse_buffer_comb(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, rf_reuse_buffer_out *out) {
    (void)answer(m, in, out);
}

void rf_reuse_buffer_clock(rf_reuse_buffer *m, const rf_reuse_buffer_in *in) {
    rf_reuse_buffer_out out;
    const plan p = answer(m, in, &out);
    edge(m, in, &out, p);
}

void rf_reuse_buffer_step(rf_reuse_buffer *m, const rf_reuse_buffer_in *in, rf_reuse_buffer_out *out) {
    const plan p = answer(m, in, out);
    edge(m, in, out, p);
}
