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

/* Where in the index each field of the tag has its lowest bit: behind the field before, modulo the index's width. */
static void place_fields(rf_reuse_buffer *m) {
    const rf_reuse_buffer_cfg *cfg = &m->cfg;
    const uint32_t bits = rf_lowest(cfg->entries);
    uint32_t at = 8;
    memset(m->place, 0, sizeof m->place);
    for (uint32_t k = 0; bits != 0 && k < cfg->slots + 2; k++) {
        m->place[k] = (uint8_t)(at % bits);
        at += k < cfg->slots ? rf_index_bits(cfg->pregs) : rf_index_bits(cfg->blocks) + 1;
    }
}

int rf_reuse_buffer_init(rf_reuse_buffer *m, const rf_reuse_buffer_cfg *cfg) {
    if (rf_reuse_buffer_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    place_fields(m);
    rf_reuse_buffer_reset(m);
    return 0;
}

void rf_reuse_buffer_reset(rf_reuse_buffer *m) {
    memset(m->valid_q, 0, sizeof m->valid_q);
    memset(m->pending_q, 0, sizeof m->pending_q);
    memset(m->opcode_q, 0, sizeof m->opcode_q);
    memset(m->operand_q, 0, sizeof m->operand_q);
    memset(m->block_q, 0, sizeof m->block_q);
    memset(m->barrier_q, 0, sizeof m->barrier_q);
    memset(m->result_q, 0, sizeof m->result_q);
}

/* What lanes ask is random to a branch predictor: no branch asks for it here and below, and what has to be stored in some cycles
 * only is stored in all, changed or not. What is known of lanes and ports is a bit each of a number. `slots` and `issues` are
 * constants where it counts: all is inlined for them. */
#define INLINE static inline __attribute__((always_inline))

/* `now` where `when` is 1, `old` where it is 0. */
INLINE uint32_t pick(uint32_t when, uint32_t now, uint32_t old) { return old ^ ((old ^ now) & (0u - when)); }

/* Three operands are the rule: they are moved and compared as the first three of four, and an array for 6 slots has a fourth. */
#define LITTLE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
#define FIRST_THREE (LITTLE ? UINT64_MAX >> 16 : UINT64_MAX << 16)

INLINE uint64_t load_four(const uint16_t *from) {
    uint64_t four;
    memcpy(&four, from, sizeof four);
    return four;
}

INLINE void store_four(uint16_t *to, uint64_t four) { memcpy(to, &four, sizeof four); }

INLINE uint64_t fourth(uint16_t x) { return LITTLE ? (uint64_t)x << 48 : x; }

/* Of four elements those whose bit in `which` is set. */
INLINE uint64_t select_four(uint64_t four, uint32_t which) {
    static const uint16_t all[16][4] = {
        {0, 0, 0, 0},           {0xffff, 0, 0, 0},           {0, 0xffff, 0, 0},           {0xffff, 0xffff, 0, 0},
        {0, 0, 0xffff, 0},      {0xffff, 0, 0xffff, 0},      {0, 0xffff, 0xffff, 0},      {0xffff, 0xffff, 0xffff, 0},
        {0, 0, 0, 0xffff},      {0xffff, 0, 0, 0xffff},      {0, 0xffff, 0, 0xffff},      {0xffff, 0xffff, 0, 0xffff},
        {0, 0, 0xffff, 0xffff}, {0xffff, 0, 0xffff, 0xffff}, {0, 0xffff, 0xffff, 0xffff}, {0xffff, 0xffff, 0xffff, 0xffff}};
    return four & load_four(all[which]);
}

/* A sum of bits + 10 bits folded to fewer than 5. */
static __attribute__((noinline)) uint32_t fold_small(uint32_t sum, uint32_t bits) {
    uint32_t index = sum;
    for (uint32_t width = bits + 10; width > bits && bits != 0; width -= bits) index ^= sum >>= bits;
    return index;
}

/* The index of lane `l`'s tag: only the sum of all its fields, of bits + 10 bits at most, is folded. */
INLINE uint32_t index_of(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, uint32_t l, uint32_t slots) {
    const uint32_t bits = rf_lowest(m->cfg.entries);
    uint32_t sum = in->lk_opcode[l];
    sum ^= (uint32_t)in->lk_block[l] << m->place[slots] ^ (uint32_t)in->lk_barrier[l] << m->place[slots + 1];
    for (uint32_t s = 0; s < slots; s++) sum ^= (uint32_t)in->lk_operand[l * slots + s] << m->place[s];
    const uint32_t index = bits >= 5 ? sum ^ sum >> bits ^ sum >> 2 * bits : fold_small(sum, bits);
    return index & (m->cfg.entries - 1);
}

/* 1: lane `l`'s tag is that of entry `e`. */
INLINE uint32_t same_tag(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, uint32_t l, uint32_t e, uint32_t slots) {
    uint64_t differs = (uint32_t)(m->opcode_q[e] ^ in->lk_opcode[l]) | (uint32_t)(m->block_q[e] ^ in->lk_block[l]) |
                       (uint32_t)(m->barrier_q[e] ^ in->lk_barrier[l]);
    const uint16_t *const entry = &m->operand_q[e * slots], *const lane = &in->lk_operand[l * slots];
    if (slots == 3) differs |= (load_four(entry) ^ load_four(lane)) & FIRST_THREE;
    else
        for (uint32_t s = 0; s < slots; s++) differs |= (uint32_t)(entry[s] ^ lane[s]);
    return (uint32_t)(differs == 0);
}

/* The references that entry `e` holds: its operands, then its result. */
INLINE uint32_t holds(const rf_reuse_buffer *m, uint32_t e, uint32_t slots) {
    return (m->opcode_q[e] & ((1u << slots) - 1)) | (m->pending_q[e] ^ 1u) << slots;
}

/* The registers of entry `e` that `freed` names, in the elements of lane `l`. */
INLINE void show_freed(const rf_reuse_buffer *m, uint32_t e, uint32_t l, uint32_t freed, uint32_t slots,
                       rf_reuse_buffer_out *out) {
    uint16_t *const reg = &out->freed_reg[l * (slots + 1)];
    const uint16_t *const operand = &m->operand_q[e * slots];
    if (slots == 3) {
        store_four(reg, select_four((load_four(operand) & FIRST_THREE) | fourth(m->result_q[e]), freed));
        return;
    }
    for (uint32_t s = 0; s < slots; s++) reg[s] = (uint16_t)(operand[s] & (0u - (freed >> s & 1)));
    reg[slots] = (uint16_t)(m->result_q[e] & (0u - (freed >> slots)));
}

/* What the edge does beside what the outputs say. */
typedef struct plan {
    uint32_t at[RF_ISSUES_MAX];   /* each lane's entry, whether it asks or not */
    uint32_t fill[RF_ISSUES_MAX]; /* each port's, likewise */
    uint32_t filled, reserved, drop;
    uint32_t rm; /* 1: entry rm_index is removed */
} plan;

INLINE plan answer(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, uint32_t slots, uint32_t issues,
                   rf_reuse_buffer_out *out) {
    const uint32_t last = m->cfg.entries - 1, r = in->rm_index & last; /* one entry has every index */
    const uint32_t every = (1u << issues) - 1, asks = in->lk_valid & every, fill = in->fill & every;
    plan p;
    uint32_t open = 0; /* ports whose entry is reserved */
    for (uint32_t i = 0; i < issues; i++) {
        const uint32_t e = in->fill_index[i] & last;
        p.fill[i] = e;
        open |= (uint32_t)(m->valid_q[e] & m->pending_q[e]) << i;
    }
    uint32_t second = 0; /* ports that a lower one has come before */
    for (uint32_t i = 1; i < issues; i++)
        for (uint32_t k = 0; k < i; k++) second |= (fill >> k & (uint32_t)(p.fill[k] == p.fill[i])) << i;
    p.filled = fill & open & ~second;
    /* Each lane's entry: what it is, and whether a fill names it. */
    uint32_t valid = 0, pending = 0, same = 0, named = 0, rm_lanes = 0, rm_named = 0;
    for (uint32_t l = 0; l < issues; l++) {
        const uint32_t e = index_of(m, in, l, slots);
        p.at[l] = e;
        valid |= (uint32_t)m->valid_q[e] << l;
        pending |= (uint32_t)m->pending_q[e] << l;
        same |= same_tag(m, in, l, e, slots) << l;
        rm_lanes |= (uint32_t)(e == r) << l;
        rm_named |= (uint32_t)(p.fill[l] == r) << l;
        for (uint32_t k = 0; k < issues; k++) named |= (fill >> k & (uint32_t)(p.fill[k] == e)) << l;
    }
    const uint32_t want_reserve = asks & in->reserve, want_drop = asks & in->drop & ~want_reserve;
    uint32_t behind = 0, gone = 0; /* lanes with a lower one that wants the same entry, that gives the same entry up */
    for (uint32_t l = 1; l < issues; l++)
        for (uint32_t k = 0; k < l; k++) {
            const uint32_t equal = p.at[k] == p.at[l];
            behind |= (want_reserve >> k & equal) << l;
            gone |= (want_drop >> k & equal) << l;
        }
    same &= asks & valid;
    p.reserved = want_reserve & ~pending & ~behind;
    p.drop = want_drop & ~named & (pending | ~behind);
    const uint32_t ends = (p.reserved | p.drop) & valid & (~gone | named), hit = same & ~pending;
    out->hit = (uint8_t)hit;
    out->wait = (uint8_t)(same & pending);
    out->held = (uint8_t)(asks & pending);
    out->reserved = (uint8_t)p.reserved;
    out->filled = (uint8_t)p.filled;
    uint32_t freed = 0;
    for (uint32_t l = 0; l < issues; l++) {
        const uint32_t e = p.at[l], lane_freed = holds(m, e, slots) & (0u - (ends >> l & 1));
        freed |= lane_freed << (l * (slots + 1));
        out->index[l] = (uint16_t)(e & (0u - (asks >> l & 1)));
        out->result[l] = (uint16_t)(m->result_q[e] & (0u - (hit >> l & 1)));
        if (l != 0) show_freed(m, e, l, lane_freed, slots, out);
    }
    /* A removal that acts finds lane 0 freeing nothing. */
    const uint32_t freed0 = freed & ((2u << slots) - 1), rm = in->rm;
    const uint32_t waits = ((rm_lanes & (want_reserve | want_drop)) | (rm_named & fill) | freed0) != 0;
    p.rm = rm & (waits ^ 1) & m->valid_q[r] & ((uint32_t)(in->rm_all != 0) | (uint32_t)(m->block_q[r] == in->rm_block));
    const uint32_t removed = holds(m, r, slots) & (0u - p.rm);
    show_freed(m, pick(p.rm, r, p.at[0]), 0, freed0 | removed, slots, out);
    out->rm_ready = (uint8_t)((rm & waits) ^ 1);
    out->freed = freed | removed;
    return p;
}

INLINE void edge(rf_reuse_buffer *m, const rf_reuse_buffer_in *in, uint32_t slots, uint32_t issues, const plan *p) {
    for (uint32_t i = 0; i < issues; i++) {
        const uint32_t e = p->fill[i];
        m->result_q[e] = (uint16_t)pick(p->filled >> i & 1, in->fill_reg[i], m->result_q[e]);
        m->pending_q[e] &= (uint8_t) ~(in->fill >> i & 1u);
    }
    for (uint32_t l = 0; l < issues; l++) {
        uint8_t *const valid = &m->valid_q[p->at[l]];
        *valid = (uint8_t)((*valid | (p->reserved >> l & 1)) & ~(p->drop >> l & 1));
    }
    /* Seldom enough to ask: one instruction in several misses. */
    for (uint32_t left = p->reserved; left != 0; left &= left - 1) {
        const uint32_t l = rf_lowest(left), e = p->at[l];
        m->pending_q[e] = 1;
        m->opcode_q[e] = in->lk_opcode[l];
        m->block_q[e] = in->lk_block[l];
        m->barrier_q[e] = in->lk_barrier[l];
        for (uint32_t s = 0; s < slots; s++) m->operand_q[e * slots + s] = in->lk_operand[l * slots + s];
    }
    m->valid_q[in->rm_index & (m->cfg.entries - 1)] &= (uint8_t)~p->rm;
}

/* The paper's size. */
static bool is_usual(const rf_reuse_buffer *m) { return m->cfg.slots == 3 && m->cfg.issues == 2; }

static __attribute__((noinline)) void comb_any(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, rf_reuse_buffer_out *out) {
    (void)answer(m, in, m->cfg.slots, m->cfg.issues, out);
}

static __attribute__((noinline)) void step_any(rf_reuse_buffer *m, const rf_reuse_buffer_in *in, rf_reuse_buffer_out *out) {
    const plan p = answer(m, in, m->cfg.slots, m->cfg.issues, out);
    edge(m, in, m->cfg.slots, m->cfg.issues, &p);
}

void rf_reuse_buffer_comb(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, rf_reuse_buffer_out *out) {
    if (is_usual(m)) (void)answer(m, in, 3, 2, out);
    else comb_any(m, in, out);
}

void rf_reuse_buffer_clock(rf_reuse_buffer *m, const rf_reuse_buffer_in *in) {
    rf_reuse_buffer_out out;
    rf_reuse_buffer_step(m, in, &out);
}

void rf_reuse_buffer_step(rf_reuse_buffer *m, const rf_reuse_buffer_in *in, rf_reuse_buffer_out *out) {
    if (!is_usual(m)) {
        step_any(m, in, out);
        return;
    }
    const plan p = answer(m, in, 3, 2, out);
    edge(m, in, 3, 2, &p);
}
