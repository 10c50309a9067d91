/* SPDX-License-Identifier: Apache-2.0 */
/* Judge of rf_reuse_buffer; its slow model is in judge_reuse_buffer.h. */
#include "tb/common/judge/judge_unit.h"
#include "tb/wir/judge/judge_reuse_buffer.h"

extern const ls_unit rf_reuse_buffer_unit;

#define RUN_CYCLES 30000u
#define POOL_MAX 64u

/* clang-format off */
#define SEEN(X) \
    X(HIT, "hit") X(WAIT, "wait") X(HIT_TWICE, "two lanes hit one entry") X(MISS_EMPTY, "miss of an empty entry") \
    X(MISS_ABANDONED, "an abandoned entry with the very tag") X(MISS_TAG, "miss of a result with another tag") \
    X(HELD_OTHER, "held by another tag's leader") X(NEAR_OPCODE, "another opcode, all else equal") \
    X(NEAR_OPERAND, "one other operand, all else equal") X(NEAR_BLOCK, "another block, all else equal") \
    X(NEAR_BARRIER, "another barrier count, all else equal") X(MUTE_HIT, "a lane that is not valid would hit") \
    X(RESERVE_EMPTY, "reserve of an empty entry") X(RESERVE_OVER, "reserve over another tag's result") \
    X(RESERVE_SELF, "reserve over the own tag's result") X(RESERVE_RESERVED, "reserve of a reserved entry is refused") \
    X(RESERVE_ABANDONED, "reserve of an abandoned entry is refused") \
    X(RESERVE_FILLED, "reserve of an entry that gets its result in this cycle is refused") \
    X(RESERVE_EMPTIED, "reserve of an abandoned entry whose leader comes is refused") \
    X(RESERVE_FILL_IDLE, "reserve of an entry that a fill names in vain") \
    X(RESERVE_LOWER, "reserve of an entry that a lower lane reserves is refused") \
    X(RESERVE_DROPPED, "reserve of an entry that a lower lane drops") X(RESERVE_MUTE, "reserve by a lane that is not valid") \
    X(DROP_RESULT, "drop of a result") X(DROP_RESERVED, "drop of a reserved entry") X(DROP_EMPTY, "drop of an empty entry") \
    X(DROP_ABANDONED, "drop of an abandoned entry") X(DROP_FILL, "drop of an entry that is filled does nothing") \
    X(DROP_FILL_IDLE, "drop of a result that a fill names in vain does nothing") \
    X(DROP_LOWER, "drop of an entry that a lower lane reserves does nothing") \
    X(DROP_REFUSED, "drop of an entry that a lower lane cannot reserve")\
    X(DROP_TWICE, "drop of an entry that a lower lane drops") \
    X(DROP_MUTE, "drop by a lane that is not valid") X(BOTH, "reserve and drop: reserved") \
    X(BOTH_REFUSED, "reserve and drop of a reserved entry: neither") \
    X(FILL, "fill of a reserved entry") X(FILL_ABANDONED, "fill of an abandoned entry") X(FILL_EMPTY, "fill of an empty entry") \
    X(FILL_RESULT, "fill of an entry that has a result") X(FILL_TWICE, "two fills of a reserved entry") \
    X(FILL_ABANDONED_TWICE, "two fills of an abandoned entry") X(FILL_NEW, "fill of an entry that is reserved in this cycle") \
    X(RM_ALL, "removed with all, of another block") X(RM_BLOCK, "removed with its block") X(RM_OTHER, "of another block, stays") \
    X(RM_NULL, "of no block, the low bits are those of rm_block, stays") X(RM_RESERVED, "a reserved entry is removed") \
    X(RM_EMPTY, "an empty entry is removed") X(RM_ABANDONED, "an abandoned entry is removed") \
    X(RM_FILL, "removal waits for a fill alone") X(RM_LANE, "removal waits for a lane above 0 alone") \
    X(RM_REFUSED, "removal waits for a reserve that is refused") X(RM_LANE_0, "removal waits because lane 0 frees something") \
    X(RM_LANE_0_MUTE, "lane 0 gives up an entry and frees nothing: removal goes on") \
    X(RM_LANE_1, "lane 1 frees something: removal goes on") X(RM_LOOK, "removal of an entry that is looked up") \
    X(RM_IDLE, "no removal, all that it would wait for") X(FREED_OPERAND, "operand freed") \
    X(FREED_RESULT, "result freed") X(KEPT_IMMEDIATE, "immediate value not freed") \
    X(KEPT_PENDING, "result of a reserved entry not freed") \
    X(FREED_ALL, "all of a cycle's registers freed by all lanes") X(TOP_ENTRY, "hit in the highest entry") \
    X(RESET, "reset with a result")
/* clang-format on */
enum { SEEN(JUDGE_NAME) EVENTS };
static const char *const event_names[EVENTS] = {SEEN(JUDGE_TEXT)};

static void compare_out(judge *j, const slow_buffer *s, const rf_reuse_buffer_out *out, const slow_buffer_out *expected) {
    const uint32_t issues = s->cfg.issues, elements = issues * (s->cfg.slots + 1);
    judge_equal(j, "hit", 0, out->hit, judge_pack(expected->hit, issues));
    judge_equal(j, "wait", 0, out->wait, judge_pack(expected->wait, issues));
    judge_equal(j, "held", 0, out->held, judge_pack(expected->held, issues));
    judge_equal(j, "reserved", 0, out->reserved, judge_pack(expected->reserved, issues));
    judge_equal(j, "filled", 0, out->filled, judge_pack(expected->filled, issues));
    judge_equal(j, "rm_ready", 0, out->rm_ready, expected->rm_ready);
    judge_equal(j, "freed", 0, out->freed, judge_pack(expected->freed, elements));
    for (uint32_t l = 0; l < issues; l++) {
        judge_equal(j, "result", l, out->result[l], expected->result[l]);
        judge_equal(j, "index", l, out->index[l], expected->index[l]);
    }
    for (uint32_t i = 0; i < elements; i++) judge_equal(j, "freed_reg", i, out->freed_reg[i], expected->freed_reg[i]);
}

static void compare_state(judge *j, const slow_buffer *s, const rf_reuse_buffer *m) {
    const uint32_t slots = s->cfg.slots;
    for (uint32_t i = 0; i < s->cfg.entries; i++) {
        const slow_entry *e = &s->entry[i];
        judge_equal(j, "valid_q", i, m->valid_q[i], e->valid);
        judge_equal(j, "pending_q", i, m->pending_q[i], e->pending);
        judge_equal(j, "opcode_q", i, m->opcode_q[i], e->tag.opcode);
        for (uint32_t k = 0; k < slots; k++)
            judge_equal(j, "operand_q", i * slots + k, m->operand_q[i * slots + k], e->tag.operand[k]);
        judge_equal(j, "block_q", i, m->block_q[i], e->tag.block);
        judge_equal(j, "barrier_q", i, m->barrier_q[i], e->tag.barrier);
        judge_equal(j, "result_q", i, m->result_q[i], e->result);
    }
}

static void start(judge *j, uint64_t seed, rf_reuse_buffer *m, slow_buffer *s, const rf_reuse_buffer_cfg *cfg) {
    judge_begin(j, seed,
                "rf_reuse_buffer entries=%" PRIu32 " slots=%" PRIu32 " pregs=%" PRIu32 " blocks=%" PRIu32 " issues=%" PRIu32,
                cfg->entries, cfg->slots, cfg->pregs, cfg->blocks, cfg->issues);
    memset(m, 0xa5, sizeof *m);
    assert_int_equal(rf_reuse_buffer_init(m, cfg), 0);
    assert_memory_equal(&m->cfg, cfg, sizeof *cfg);
    s->cfg = *cfg;
    slow_buffer_reset(s);
    compare_state(j, s, m);
}

/* One cycle of both, everything compared; comb must leave the model alone. */
static void step(judge *j, rf_reuse_buffer *m, slow_buffer *s, const rf_reuse_buffer_in *in, slow_buffer_out *expected) {
    static rf_reuse_buffer before;
    rf_reuse_buffer_out out;
    memcpy(&before, m, sizeof before);
    memset(&out, 0xa5, sizeof out);
    rf_reuse_buffer_comb(m, in, &out);
    assert_memory_equal(&before, m, sizeof before);
    slow_buffer_cycle(s, in, expected);
    compare_out(j, s, &out, expected);
    JUDGE_CLOCK(rf_reuse_buffer, m, in);
    compare_state(j, s, m);
    j->cycle++;
}

/* What the lookups of a cycle met; `s` before the edge. */
static void count_lookups(const slow_buffer *s, const rf_reuse_buffer_in *in, const slow_buffer_out *out, uint64_t *seen) {
    for (uint32_t l = 0; l < s->cfg.issues; l++) {
        const slow_tag tag = tag_of(s, in, l);
        const uint32_t index = index_of(s, &tag);
        const slow_entry *e = &s->entry[index];
        const bool same = same_tag(s, &e->tag, &tag), has_result = e->valid && !e->pending;
        seen[MUTE_HIT] += !judge_bit(in->lk_valid, l) && has_result && same;
        if (!judge_bit(in->lk_valid, l)) continue;
        seen[HIT] += out->hit[l];
        seen[WAIT] += out->wait[l];
        seen[TOP_ENTRY] += out->hit[l] && s->cfg.entries > 1 && index == s->cfg.entries - 1;
        for (uint32_t k = 0; k < l; k++) seen[HIT_TWICE] += out->hit[l] && out->hit[k] && out->index[k] == index;
        seen[MISS_EMPTY] += !e->valid && !e->pending;
        seen[MISS_ABANDONED] += !e->valid && e->pending && same;
        seen[MISS_TAG] += has_result && !same;
        seen[HELD_OTHER] += e->valid && e->pending && !same;
        if (!has_result || same) continue;
        slow_tag t = tag;
        t.opcode = e->tag.opcode;
        seen[NEAR_OPCODE] += same_tag(s, &t, &e->tag);
        for (uint32_t k = 0; k < s->cfg.slots; k++) {
            t = tag;
            t.operand[k] = e->tag.operand[k];
            seen[NEAR_OPERAND] += same_tag(s, &t, &e->tag);
        }
        t = tag;
        t.block = e->tag.block;
        seen[NEAR_BLOCK] += same_tag(s, &t, &e->tag);
        t = tag;
        t.barrier = e->tag.barrier;
        seen[NEAR_BARRIER] += same_tag(s, &t, &e->tag);
    }
}

/* What lower lanes want of lane l's entry. */
typedef struct below {
    bool reserved, refused, dropped;
} below;

static below look_below(const slow_buffer *s, const rf_reuse_buffer_in *in, const slow_buffer_out *out, uint32_t l) {
    below b = {false, false, false};
    (void)s;
    for (uint32_t k = 0; k < l; k++) {
        if (!judge_bit(in->lk_valid, k) || out->index[k] != out->index[l]) continue;
        b.reserved = b.reserved || out->reserved[k];
        b.refused = b.refused || (judge_bit(in->reserve, k) && !out->reserved[k]);
        b.dropped = b.dropped || (judge_bit(in->drop, k) && !judge_bit(in->reserve, k));
    }
    return b;
}

static void count_lanes(const slow_buffer *s, const rf_reuse_buffer_in *in, const slow_buffer_out *out, uint64_t *seen) {
    for (uint32_t l = 0; l < s->cfg.issues; l++) {
        const bool reserve = judge_bit(in->reserve, l), drop = judge_bit(in->drop, l) && !reserve;
        seen[RESERVE_MUTE] += reserve && !judge_bit(in->lk_valid, l);
        seen[DROP_MUTE] += drop && !judge_bit(in->lk_valid, l);
        if (!judge_bit(in->lk_valid, l)) continue;
        const slow_tag tag = tag_of(s, in, l);
        const slow_entry *e = &s->entry[out->index[l]];
        const below b = look_below(s, in, out, l);
        const bool filled = fill_names(s, in, out->index[l]), alone = !b.reserved && !b.refused && !b.dropped;
        const bool has_result = e->valid && !e->pending, is_reserved = e->valid && e->pending;
        if (reserve) {
            seen[RESERVE_EMPTY] += alone && !e->valid && !e->pending;
            seen[RESERVE_OVER] += alone && has_result && !same_tag(s, &tag, &e->tag);
            seen[RESERVE_SELF] += alone && has_result && same_tag(s, &tag, &e->tag);
            seen[RESERVE_RESERVED] += is_reserved && !filled;
            seen[RESERVE_ABANDONED] += !e->valid && e->pending && !filled;
            seen[RESERVE_FILLED] += is_reserved && filled;
            seen[RESERVE_EMPTIED] += !e->valid && e->pending && filled;
            seen[RESERVE_FILL_IDLE] += alone && filled && out->reserved[l];
            seen[RESERVE_LOWER] += !e->pending && b.reserved;
            seen[RESERVE_DROPPED] += has_result && b.dropped && out->reserved[l] && !filled;
            seen[BOTH] += judge_bit(in->drop, l) && out->reserved[l];
            seen[BOTH_REFUSED] += judge_bit(in->drop, l) && is_reserved && !filled && alone;
        }
        if (drop) {
            const bool free = alone && !filled;
            seen[DROP_RESULT] += free && has_result;
            seen[DROP_RESERVED] += free && is_reserved;
            seen[DROP_EMPTY] += free && !e->valid && !e->pending;
            seen[DROP_ABANDONED] += free && !e->valid && e->pending;
            seen[DROP_FILL] += alone && filled && is_reserved;
            seen[DROP_FILL_IDLE] += alone && filled && has_result;
            seen[DROP_LOWER] += b.reserved && !filled;
            seen[DROP_REFUSED] += b.refused && is_reserved && !filled && !b.dropped;
            seen[DROP_TWICE] += b.dropped && !b.refused && e->valid && !filled;
        }
        if (out->reserved[l] && has_result) {
            bool all = true;
            for (uint32_t i = 0; i < s->cfg.issues * (s->cfg.slots + 1); i++) all = all && out->freed[i];
            seen[FREED_ALL] += all && s->cfg.issues > 1;
        }
    }
}

static void count_fills(const slow_buffer *s, const rf_reuse_buffer_in *in, const slow_buffer_out *out, uint64_t *seen) {
    for (uint32_t p = 0; p < s->cfg.issues; p++) {
        if (!judge_bit(in->fill, p)) continue;
        const uint32_t index = named(s, in->fill_index[p]);
        const slow_entry *e = &s->entry[index];
        bool again = false;
        for (uint32_t k = 0; k < p; k++) again = again || (judge_bit(in->fill, k) && named(s, in->fill_index[k]) == index);
        seen[FILL] += out->filled[p];
        seen[FILL_ABANDONED] += !again && !e->valid && e->pending;
        seen[FILL_EMPTY] += !e->valid && !e->pending;
        seen[FILL_RESULT] += e->valid && !e->pending && e->result != in->fill_reg[p];
        seen[FILL_TWICE] += again && e->valid && e->pending;
        seen[FILL_ABANDONED_TWICE] += again && !e->valid && e->pending;
        for (uint32_t l = 0; l < s->cfg.issues; l++) seen[FILL_NEW] += out->reserved[l] && out->index[l] == index;
    }
}

static void count_removal(const slow_buffer *s, const rf_reuse_buffer_in *in, const slow_buffer_out *out, uint64_t *seen) {
    const uint32_t entry = named(s, in->rm_index);
    const slow_entry *e = &s->entry[entry];
    const bool fill = fill_names(s, in, entry), ours = e->tag.block == in->rm_block;
    bool lane = false, lane_0 = false, refused = false, looked_up = false, frees_0 = false, frees_1 = false;
    for (uint32_t l = 0; l < s->cfg.issues; l++) {
        if (!judge_bit(in->lk_valid, l) || out->index[l] != entry) continue;
        const bool acts = judge_bit(in->reserve, l) || judge_bit(in->drop, l);
        looked_up = looked_up || !acts;
        lane = lane || acts;
        lane_0 = lane_0 || (acts && l == 0);
        refused = refused || (judge_bit(in->reserve, l) && !out->reserved[l]);
    }
    for (uint32_t k = 0; k <= s->cfg.slots; k++) {
        frees_0 = frees_0 || out->freed[k];
        frees_1 = frees_1 || (s->cfg.issues > 1 && out->freed[s->cfg.slots + 1 + k]);
    }
    seen[RM_IDLE] += !in->rm && fill && lane && frees_0;
    if (!in->rm) return;
    seen[RM_FILL] += fill && !lane && !frees_0;
    seen[RM_LANE] += !fill && lane && !lane_0 && !frees_0;
    seen[RM_REFUSED] += !fill && refused && !frees_0;
    seen[RM_LANE_0] += !fill && !lane && !out->rm_ready;
    if (!out->rm_ready) return;
    seen[RM_ALL] += in->rm_all && e->valid && !ours;
    seen[RM_BLOCK] += !in->rm_all && e->valid && ours;
    seen[RM_OTHER] += !in->rm_all && e->valid && !ours;
    seen[RM_NULL] += !in->rm_all && e->valid && !ours && e->tag.block % judge_codes(s->cfg.blocks) == in->rm_block;
    seen[RM_RESERVED] += e->valid && e->pending && (in->rm_all || ours);
    seen[RM_EMPTY] += !e->valid && !e->pending && in->rm_all;
    seen[RM_ABANDONED] += !e->valid && e->pending && in->rm_all;
    seen[RM_LANE_1] += frees_1 && e->valid && in->rm_all;
    seen[RM_LOOK] += looked_up && e->valid && in->rm_all;
    if (judge_bit(in->lk_valid, 0) && judge_bit(in->drop, 0) && !judge_bit(in->reserve, 0)) {
        const slow_entry *given = &s->entry[out->index[0]];
        seen[RM_LANE_0_MUTE] += given->valid && given->pending && given != e && !fill_names(s, in, out->index[0]) && e->valid;
    }
}

/* Registers that were freed, and what an entry with immediates or without a result kept; after the edge. */
static void count_freed(const slow_buffer *was, const rf_reuse_buffer_in *in, const slow_buffer_out *out, uint64_t *seen) {
    const uint32_t each = was->cfg.slots + 1;
    for (uint32_t l = 0; l < was->cfg.issues; l++) {
        const slow_entry *e = &was->entry[out->index[l]];
        bool any = false;
        for (uint32_t k = 0; k < each; k++) any = any || out->freed[l * each + k];
        if (!any || !judge_bit(in->lk_valid, l) || !(judge_bit(in->reserve, l) || judge_bit(in->drop, l))) continue;
        for (uint32_t k = 0; k + 1 < each; k++) {
            seen[FREED_OPERAND] += out->freed[l * each + k];
            seen[KEPT_IMMEDIATE] += !out->freed[l * each + k] && e->tag.operand[k] != 0;
        }
        seen[FREED_RESULT] += out->freed[l * each + each - 1];
        seen[KEPT_PENDING] += !out->freed[l * each + each - 1] && e->pending;
    }
}

/* What 256 cycles have in common, in 256ths. */
typedef struct knobs {
    uint32_t valid, reserve, drop, fill, aim, rm, rm_all, near, wild, pool;
} knobs;

static void draw_knobs(ls_rng *rng, knobs *k) {
    static const uint32_t some[] = {0, 24, 96, 200, 256};
    k->valid = some[1 + ls_rng_below(rng, 4)];
    k->reserve = some[ls_rng_below(rng, 5)];
    k->drop = some[ls_rng_below(rng, 4)];
    k->fill = some[ls_rng_below(rng, 5)];
    k->aim = some[1 + ls_rng_below(rng, 4)];
    k->rm = some[ls_rng_below(rng, 5)];
    k->rm_all = some[ls_rng_below(rng, 5)];
    k->near = some[ls_rng_below(rng, 3)];
    k->wild = some[ls_rng_below(rng, 3)] / 4;
    k->pool = 1 + ls_rng_below(rng, POOL_MAX);
}

static slow_tag draw_tag(ls_rng *rng, const slow_buffer *s) {
    const uint32_t pregs = judge_codes(s->cfg.pregs), blocks = judge_codes(s->cfg.blocks);
    slow_tag tag = {.opcode = ls_rng_below(rng, 256), .barrier = ls_rng_below(rng, 32)};
    const uint32_t kind = ls_rng_below(rng, 4);
    tag.block = kind == 0 ? ls_rng_below(rng, 2 * blocks) : kind == 1 ? blocks : ls_rng_below(rng, s->cfg.blocks);
    if (ls_rng_chance(rng, 64)) tag.opcode |= 63;
    for (uint32_t k = 0; k < s->cfg.slots; k++) tag.operand[k] = ls_rng_below(rng, pregs);
    return tag;
}

/* Changes one field so that the index stays: two bits of it a whole number of folds apart, when it has them. */
static void move_near(ls_rng *rng, const slow_buffer *s, slow_tag *tag) {
    uint32_t fold = 1, bit;
    while ((1u << fold) < s->cfg.entries) fold++;
    const uint32_t field = ls_rng_below(rng, 4), both = s->cfg.entries == 1 ? 1 : 1 | 1u << fold % 32;
    if (field == 0 && fold < 8) {
        bit = ls_rng_below(rng, 8 - fold);
        tag->opcode ^= both << bit;
    } else if (field == 1) {
        uint32_t *operand = &tag->operand[ls_rng_below(rng, s->cfg.slots)];
        *operand = (*operand ^ both) % judge_codes(s->cfg.pregs);
    } else if (field == 2) {
        tag->block = (tag->block ^ both) % (2 * judge_codes(s->cfg.blocks));
    } else if (fold < 5) {
        tag->barrier ^= both << ls_rng_below(rng, 5 - fold);
    }
}

/* An index: one of an entry that waits for its leader, one that a lane has, any. */
static uint32_t draw_index(ls_rng *rng, const slow_buffer *s, const rf_reuse_buffer_in *in, uint32_t aim) {
    const uint32_t entries = s->cfg.entries, from = ls_rng_below(rng, entries), kind = ls_rng_below(rng, 8);
    if (!ls_rng_chance(rng, aim)) return ls_rng_below(rng, judge_codes(entries));
    if (kind < 3) {
        const slow_tag tag = tag_of(s, in, ls_rng_below(rng, s->cfg.issues));
        return index_of(s, &tag);
    }
    for (uint32_t i = 0; i < entries; i++) {
        const uint32_t e = (from + i) % entries;
        if (kind < 6 ? s->entry[e].pending : s->entry[e].valid) return e;
    }
    return from;
}

static void draw_in(ls_rng *rng, const slow_buffer *s, const knobs *k, const slow_tag *pool, rf_reuse_buffer_in *in) {
    const uint32_t issues = s->cfg.issues;
    memset(in, 0, sizeof *in);
    in->lk_valid = (uint8_t)ls_rng_bits(rng, issues, k->valid);
    in->reserve = (uint8_t)ls_rng_bits(rng, issues, k->reserve);
    in->drop = (uint8_t)ls_rng_bits(rng, issues, k->drop);
    in->fill = (uint8_t)ls_rng_bits(rng, issues, k->fill);
    for (uint32_t l = 0; l < issues; l++) {
        slow_tag tag = ls_rng_chance(rng, k->wild) ? draw_tag(rng, s) : pool[ls_rng_below(rng, k->pool)];
        if (ls_rng_chance(rng, k->near)) move_near(rng, s, &tag);
        if (l > 0 && ls_rng_chance(rng, 48)) tag = tag_of(s, in, l - 1);
        in->lk_opcode[l] = (uint8_t)tag.opcode;
        in->lk_block[l] = (uint8_t)tag.block;
        in->lk_barrier[l] = (uint8_t)tag.barrier;
        for (uint32_t i = 0; i < s->cfg.slots; i++) in->lk_operand[l * s->cfg.slots + i] = (uint16_t)tag.operand[i];
    }
    for (uint32_t p = 0; p < issues; p++) {
        in->fill_index[p] = (uint16_t)draw_index(rng, s, in, k->aim);
        if (p > 0 && ls_rng_chance(rng, 32)) in->fill_index[p] = in->fill_index[p - 1];
        in->fill_reg[p] = (uint16_t)ls_rng_below(rng, judge_codes(s->cfg.pregs));
    }
    in->rm = ls_rng_chance(rng, k->rm);
    in->rm_all = ls_rng_chance(rng, k->rm_all);
    in->rm_index = (uint16_t)draw_index(rng, s, in, k->aim);
    in->rm_block = (uint8_t)ls_rng_below(rng, judge_codes(s->cfg.blocks));
    if (ls_rng_chance(rng, 128))
        in->rm_block = (uint8_t)(s->entry[named(s, in->rm_index)].tag.block % judge_codes(s->cfg.blocks));
}

static void random_cycles_of_many_sizes(void **state) {
    static const rf_reuse_buffer_cfg sets[] = {{256, 3, 1024, 8, 2}, {1, 1, 2, 1, 1},      {2, 2, 3, 1, 2},
                                               {4, 3, 16, 3, 3},     {8, 3, 64, 8, 4},     {16, 6, 1000, 16, 4},
                                               {32, 1, 5, 5, 1},     {512, 6, 1024, 16, 4}};
    static rf_reuse_buffer m;
    static slow_buffer s, was;
    static slow_tag pool[POOL_MAX];
    uint64_t seen[EVENTS] = {0}, cycles = 0;
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const uint64_t seed = ls_seed_derive(i, "judge rf_reuse_buffer");
        judge j;
        ls_rng rng;
        knobs k = {0};
        start(&j, seed, &m, &s, &sets[i]);
        ls_rng_seed(&rng, seed);
        while (j.cycle < RUN_CYCLES) {
            rf_reuse_buffer_in in;
            slow_buffer_out out;
            if (j.cycle % 256 == 0) {
                draw_knobs(&rng, &k);
                for (uint32_t t = 0; t < POOL_MAX; t++) pool[t] = draw_tag(&rng, &s);
            }
            draw_in(&rng, &s, &k, pool, &in);
            was = s;
            step(&j, &m, &s, &in, &out);
            count_lookups(&was, &in, &out, seen);
            count_lanes(&was, &in, &out, seen);
            count_fills(&was, &in, &out, seen);
            count_removal(&was, &in, &out, seen);
            count_freed(&was, &in, &out, seen);
            if (ls_rng_below(&rng, 4096) != 0) continue;
            for (uint32_t e = 0; e < s.cfg.entries; e++) seen[RESET] += s.entry[e].valid && !s.entry[e].pending;
            rf_reuse_buffer_reset(&m);
            slow_buffer_reset(&s);
            compare_state(&j, &s, &m);
        }
        judge_passes(&j);
        cycles += j.cycle;
    }
    assert_true(cycles >= JUDGE_CYCLES);
    judge_saw_all(event_names, seen, EVENTS);
}

/* By hand: what follows needs no slow model. */
static const rf_reuse_buffer_cfg hand = {256, 3, 1024, 8, 2};
static rf_reuse_buffer m1;
static rf_reuse_buffer_in ask;
static rf_reuse_buffer_out answer;

static void begin(void) {
    assert_int_equal(rf_reuse_buffer_init(&m1, &hand), 0);
    memset(&ask, 0, sizeof ask);
}

/* Takes the cycle and forgets its inputs. */
static void cycle(void) {
    rf_reuse_buffer_step(&m1, &ask, &answer);
    memset(&ask, 0, sizeof ask);
}

/* FMA p12, p13, p21 of Fig. 9 (three registers: opcode 7) on a lane; or ADD p8, p11 and an immediate (opcode 3). */
static void look_up(uint32_t lane, uint8_t opcode, uint16_t a, uint16_t b, uint16_t c) {
    ask.lk_valid |= (uint8_t)(1u << lane);
    ask.lk_opcode[lane] = opcode;
    ask.lk_operand[lane * 3] = a, ask.lk_operand[lane * 3 + 1] = b, ask.lk_operand[lane * 3 + 2] = c;
    ask.lk_block[lane] = 8;
}

/* Index by hand: 8 bits of opcode, then operands at bits 8, 18, 28, block at 38, barrier at 42, XORed modulo 8. */
static void the_index_is_the_tag_folded(void **state) {
    (void)state;
    begin();
    look_up(0, 0x07, 0, 0, 0);
    ask.lk_block[0] = 0;
    look_up(1, 0, 1, 1, 1); /* bits 8, 18, 28; block 8: bit 41 */
    cycle();
    assert_int_equal(answer.index[0], 7);
    assert_int_equal(answer.index[1], 1u << 0 | 1u << 2 | 1u << 4 | 1u << 1);
    look_up(0, 0, 0x3ff, 0, 0); /* bits 8 .. 17: 0 and 1 twice */
    ask.lk_block[0] = 1;        /* bit 38 */
    ask.lk_barrier[0] = 31;     /* bits 42 .. 46 */
    cycle();
    assert_int_equal(answer.index[0], (0xfcu ^ 1u << 6) ^ (1u << 2 | 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6));
    assert_int_equal(answer.index[1], 0);
}

/* Miss and reserve, wait, result, hit; then another instruction with the same index takes the entry. */
static void the_life_of_an_entry(void **state) {
    uint16_t index;
    (void)state;
    begin();
    look_up(0, 7, 12, 13, 21);
    look_up(1, 7, 12, 13, 21);
    ask.reserve = 3;
    cycle();
    index = answer.index[0];
    assert_int_equal(answer.hit | answer.wait | answer.held, 0);
    assert_int_equal(answer.reserved, 1);
    assert_int_equal(answer.freed, 0);
    look_up(1, 7, 12, 13, 21);
    ask.fill = 2, ask.fill_index[1] = index, ask.fill_reg[1] = 42;
    ask.reserve = 2;
    cycle();
    assert_int_equal(answer.wait, 2);
    assert_int_equal(answer.held, 2);
    assert_int_equal(answer.filled, 2);
    assert_int_equal(answer.reserved, 0);
    look_up(0, 7, 12, 13, 21);
    cycle();
    assert_int_equal(answer.hit, 1);
    assert_int_equal(answer.result[0], 42);
    assert_int_equal(answer.held, 0);
    /* Opcode 3 ^ 4 with bit 2 made up for by operand 0's bit 2: the third operand is an immediate. */
    look_up(1, 3, 12 ^ 4, 13, 21);
    ask.reserve = 2;
    cycle();
    assert_int_equal(answer.index[1], index);
    assert_int_equal(answer.reserved, 2);
    assert_int_equal(answer.freed, 15u << 4);
    assert_int_equal(answer.freed_reg[4], 12);
    assert_int_equal(answer.freed_reg[5], 13);
    assert_int_equal(answer.freed_reg[6], 21);
    assert_int_equal(answer.freed_reg[7], 42);
    /* Given up while its leader is on its way: two registers, no result. */
    look_up(0, 3, 12 ^ 4, 13, 21);
    ask.drop = 1;
    cycle();
    assert_int_equal(answer.wait, 1);
    assert_int_equal(answer.freed, 3);
    assert_int_equal(answer.freed_reg[0], 8);
    assert_int_equal(answer.freed_reg[2], 0);
    look_up(0, 3, 12 ^ 4, 13, 21);
    ask.reserve = 1;
    cycle();
    assert_int_equal(answer.wait | answer.hit | answer.reserved, 0);
    assert_int_equal(answer.held, 1);
    ask.fill = 1, ask.fill_index[0] = index, ask.fill_reg[0] = 99;
    cycle();
    assert_int_equal(answer.filled, 0);
    look_up(0, 3, 12 ^ 4, 13, 21);
    ask.reserve = 1;
    cycle();
    assert_int_equal(answer.hit | answer.wait | answer.held, 0);
    assert_int_equal(answer.reserved, 1);
    assert_int_equal(answer.freed, 0);
}

/* A sweep: removal waits for whoever names the entry or needs lane 0's freed ports. */
static void a_removal_waits_its_turn(void **state) {
    uint16_t index, other;
    (void)state;
    begin();
    look_up(0, 7, 1, 2, 3);
    ask.lk_block[0] = 5; /* a load from block 5's scratchpad */
    look_up(1, 7, 4, 5, 6);
    ask.reserve = 3;
    cycle();
    index = answer.index[0], other = answer.index[1];
    assert_int_not_equal(index, other);
    ask.fill = 3, ask.fill_index[0] = index, ask.fill_reg[0] = 70, ask.fill_index[1] = other, ask.fill_reg[1] = 71;
    ask.rm = 1, ask.rm_index = index, ask.rm_block = 5;
    cycle();
    assert_int_equal(answer.filled, 3);
    assert_int_equal(answer.rm_ready, 0);
    look_up(0, 7, 4, 5, 6);
    ask.drop = 1;
    ask.rm = 1, ask.rm_index = index, ask.rm_block = 5;
    cycle();
    assert_int_equal(answer.rm_ready, 0);
    assert_int_equal(answer.freed, 15);
    assert_int_equal(answer.freed_reg[3], 71);
    ask.rm = 1, ask.rm_index = index, ask.rm_block = 4;
    cycle();
    assert_int_equal(answer.rm_ready, 1);
    assert_int_equal(answer.freed, 0);
    ask.rm = 1, ask.rm_index = index, ask.rm_block = 5;
    cycle();
    assert_int_equal(answer.rm_ready, 1);
    assert_int_equal(answer.freed, 15);
    assert_int_equal(answer.freed_reg[0], 1);
    assert_int_equal(answer.freed_reg[3], 70);
    ask.rm = 1, ask.rm_index = index, ask.rm_all = 1;
    cycle();
    assert_int_equal(answer.freed, 0);
}

static void a_size_out_of_range_is_refused_by_name(void **state) {
    static const rf_reuse_buffer_cfg good[] = {{256, 3, 1024, 8, 2}, {1, 1, 2, 1, 1}, {512, 6, 1024, 16, 4}};
    static const uint32_t uneven[] = {3, 6, 255, 511};
    (void)state;
    JUDGE_RANGES(rf_reuse_buffer, good);
    for (size_t i = 0; i < sizeof uneven / sizeof *uneven; i++) {
        rf_reuse_buffer_cfg cfg = hand;
        cfg.entries = uneven[i];
        judge_refused(&rf_reuse_buffer_unit, &cfg, "entries", "512");
    }
}

static void the_comparer_sees_a_flipped_bit(void **state) {
    static const rf_reuse_buffer_cfg cfg = {8, 6, 1024, 16, 4};
    static rf_reuse_buffer m;
    static slow_buffer s;
    rf_reuse_buffer_in in;
    rf_reuse_buffer_out out;
    slow_buffer_out expected;
    judge j;
    (void)state;
    start(&j, 0, &m, &s, &cfg);
    memset(&in, 0, sizeof in);
    in.lk_valid = in.reserve = 15;
    for (uint8_t l = 0; l < 4; l++) in.lk_opcode[l] = (uint8_t)(0x3f ^ l), in.lk_block[l] = 16, in.lk_operand[l * 6 + l] = 1000;
    step(&j, &m, &s, &in, &expected);
    memset(&out, 0, sizeof out);
    rf_reuse_buffer_comb(&m, &in, &out);
    slow_buffer after = s;
    slow_buffer_cycle(&after, &in, &expected);
    JUDGE_FLIPS(&j, rf_reuse_buffer, LS_OUT, &m, &out, compare_out(&j, &s, &out, &expected));
    JUDGE_FLIPS(&j, rf_reuse_buffer, LS_STATE, &m, &m, compare_state(&j, &s, &m));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_cycles_of_many_sizes),
        cmocka_unit_test(the_index_is_the_tag_folded),
        cmocka_unit_test(the_life_of_an_entry),
        cmocka_unit_test(a_removal_waits_its_turn),
        cmocka_unit_test(a_size_out_of_range_is_refused_by_name),
        cmocka_unit_test(the_comparer_sees_a_flipped_bit),
    };
    return cmocka_run_group_tests_name("judge of rf_reuse_buffer", tests, NULL, NULL);
}
