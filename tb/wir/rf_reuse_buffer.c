/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_reuse_buffer. */
#include "cmodel/wir/rf_reuse_buffer.h"

#include "harness/core/unit.h"

#define TAGS 24u
#define OPCODES 4u
#define RECENT 8u

/* Probabilities in 256ths. */
typedef struct rf_reuse_buffer_stim {
    ls_rng rng;
    uint32_t entries;
    uint32_t noise; /* something that no pipeline does */
    /* Of the phase. */
    uint32_t left;         /* cycles to come */
    uint32_t look;         /* a lane looks a tag up */
    uint32_t together;     /* a lane has the tag, or the index, of the lane before it */
    uint32_t fresh;        /* a tag changes in a cycle */
    uint32_t reserve;      /* a miss reserves */
    uint32_t low;          /* a miss gives its entry up instead: all registers are in use */
    uint32_t fill;         /* a fill port has a leader that retires */
    uint32_t rm;           /* an entry is removed */
    uint32_t meet;         /* a fill or a removal is of an entry that a lane has */
    uint32_t scratch;      /* a tag is of a block's load */
    uint32_t regs, blocks; /* that take part */
    uint32_t base;         /* the first of these registers */
    uint32_t tags;
    bool sweep; /* removals go from entry to entry, for a block; else any entry is
                   removed whatever it holds */
    uint32_t swept, block;
    uint8_t opcode[OPCODES];
    rf_reuse_tag tag[TAGS];
    uint16_t flight[RF_REUSE_ENTRIES_MAX]; /* the leaders' indices */
    uint32_t flights;
    uint16_t recent[RECENT]; /* indices that were reserved last */
    uint32_t reserves;
} rf_reuse_buffer_stim;

static uint32_t chance_of(rf_reuse_buffer_stim *s) {
    static const uint32_t densities[] = {16, 64, 128, 192, 240};
    return densities[ls_rng_below(&s->rng, 5)];
}

static uint32_t bits_of(const rf_reuse_buffer_cfg *cfg) {
    return 8 + cfg->slots * rf_index_bits(cfg->pregs) + rf_index_bits(cfg->blocks) + 6;
}

/* Turns bit `k` of a tag, as one number. */
static void turn(const rf_reuse_buffer_cfg *cfg, rf_reuse_tag *tag, uint32_t k) {
    const uint32_t reg_bits = rf_index_bits(cfg->pregs), block_bits = rf_index_bits(cfg->blocks) + 1;
    if (k < 8) {
        tag->opcode ^= (uint8_t)(1u << k);
        return;
    }
    k -= 8;
    if (k < cfg->slots * reg_bits) {
        tag->operand[k / reg_bits] ^= (uint16_t)(1u << k % reg_bits);
        return;
    }
    k -= cfg->slots * reg_bits;
    if (k < block_bits) tag->block ^= (uint8_t)(1u << k);
    else tag->barrier ^= (uint8_t)(1u << (k - block_bits));
}

/* Another tag of the same index that differs in two bits, or in one where there
 * is one entry. */
static rf_reuse_tag alias(rf_reuse_buffer_stim *s, const rf_reuse_buffer_cfg *cfg, rf_reuse_tag tag) {
    const uint32_t bits = rf_lowest(cfg->entries), k = ls_rng_below(&s->rng, bits_of(cfg) - bits);
    turn(cfg, &tag, k);
    if (bits != 0) turn(cfg, &tag, k + bits);
    return tag;
}

static uint16_t draw_reg(rf_reuse_buffer_stim *s, const rf_reuse_buffer_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->noise)) return (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->pregs));
    return (uint16_t)((s->base + ls_rng_below(&s->rng, s->regs)) % cfg->pregs);
}

static rf_reuse_tag draw_tag(rf_reuse_buffer_stim *s, const rf_reuse_buffer_cfg *cfg) {
    rf_reuse_tag tag = {0};
    if (s->tags != 0 && ls_rng_chance(&s->rng, 128)) return alias(s, cfg, s->tag[ls_rng_below(&s->rng, s->tags)]);
    tag.opcode = s->opcode[ls_rng_below(&s->rng, OPCODES)];
    for (uint32_t i = 0; i < cfg->slots; i++) tag.operand[i] = draw_reg(s, cfg);
    tag.block = (uint8_t)(1u << rf_index_bits(cfg->blocks));
    if (ls_rng_chance(&s->rng, s->scratch)) tag.block = (uint8_t)ls_rng_below(&s->rng, s->blocks);
    tag.barrier = (uint8_t)ls_rng_below(&s->rng, 3);
    if (!ls_rng_chance(&s->rng, s->noise)) return tag;
    tag.opcode = (uint8_t)ls_rng_value(&s->rng, 8);
    tag.block = (uint8_t)ls_rng_value(&s->rng, rf_index_bits(cfg->blocks) + 1);
    tag.barrier = (uint8_t)ls_rng_value(&s->rng, 5);
    return tag;
}

static void draw_phase(rf_reuse_buffer_stim *s, const rf_reuse_buffer_cfg *cfg) {
    s->left = 64 + ls_rng_below(&s->rng, 256);
    s->look = chance_of(s);
    s->together = ls_rng_below(&s->rng, 128);
    s->fresh = ls_rng_below(&s->rng, 64);
    s->reserve = chance_of(s);
    s->low = ls_rng_chance(&s->rng, 128) ? ls_rng_below(&s->rng, 16) : chance_of(s);
    s->fill = chance_of(s);
    s->rm = ls_rng_chance(&s->rng, 96) ? 0 : chance_of(s);
    s->meet = ls_rng_below(&s->rng, 160);
    s->scratch = ls_rng_below(&s->rng, 192);
    s->regs = 1 + ls_rng_below(&s->rng, 6);
    s->base = ls_rng_below(&s->rng, cfg->pregs);
    s->blocks = 1 + ls_rng_below(&s->rng, cfg->blocks);
    s->sweep = ls_rng_chance(&s->rng, 128);
    s->block = ls_rng_below(&s->rng, s->blocks);
    for (uint32_t i = 0; i < OPCODES; i++) s->opcode[i] = (uint8_t)ls_rng_below(&s->rng, 256);
    if (ls_rng_chance(&s->rng, 128)) s->opcode[0] &= (uint8_t)~rf_mask64(cfg->slots); /* immediate values alone */
    s->tags = 0;
    for (uint32_t few = 2 + ls_rng_below(&s->rng, TAGS - 1); s->tags < few; s->tags++) s->tag[s->tags] = draw_tag(s, cfg);
}

static void stim_init(rf_reuse_buffer_stim *s, const rf_reuse_buffer *m, uint64_t seed) {
    *s = (rf_reuse_buffer_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->entries = m->cfg.entries;
    s->noise = 3 + ls_rng_below(&s->rng, 13);
    draw_phase(s, &m->cfg);
}

static void draw_lookups(rf_reuse_buffer_stim *s, const rf_reuse_buffer_cfg *cfg, rf_reuse_buffer_in *in) {
    rf_reuse_tag tag = {0};
    if (ls_rng_chance(&s->rng, s->fresh)) s->tag[ls_rng_below(&s->rng, s->tags)] = draw_tag(s, cfg);
    in->lk_valid = (uint8_t)ls_rng_bits(&s->rng, cfg->issues, s->look);
    for (uint32_t l = 0; l < cfg->issues; l++) {
        if (l == 0 || !ls_rng_chance(&s->rng, s->together)) tag = s->tag[ls_rng_below(&s->rng, s->tags)];
        else if (ls_rng_chance(&s->rng, 128)) tag = alias(s, cfg, tag);
        in->lk_opcode[l] = tag.opcode;
        for (uint32_t i = 0; i < cfg->slots; i++) in->lk_operand[l * cfg->slots + i] = tag.operand[i];
        in->lk_block[l] = tag.block;
        in->lk_barrier[l] = tag.barrier;
    }
}

/* What the lanes' tags find, as the model says, whether they ask or not. */
static rf_reuse_buffer_out found(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in) {
    rf_reuse_buffer_in ask = *in;
    rf_reuse_buffer_out out;
    ask.lk_valid = (uint8_t)rf_mask64(m->cfg.issues);
    ask.reserve = ask.drop = ask.fill = ask.rm = 0;
    rf_reuse_buffer_comb(m, &ask, &out);
    return out;
}

/* A miss reserves, or gives up what is in its way. */
static void draw_misses(rf_reuse_buffer_stim *s, const rf_reuse_buffer_cfg *cfg, const rf_reuse_buffer_out *now,
                        rf_reuse_buffer_in *in) {
    const uint32_t misses = ~((uint32_t)now->hit | now->wait);
    in->reserve = (uint8_t)(ls_rng_bits(&s->rng, cfg->issues, s->reserve) & misses);
    in->drop = (uint8_t)(ls_rng_bits(&s->rng, cfg->issues, s->low) & misses);
    if (!ls_rng_chance(&s->rng, 64)) in->reserve &= (uint8_t)~in->drop;
    for (uint32_t l = 0; l < cfg->issues; l++) {
        if (!ls_rng_chance(&s->rng, 2 * s->noise)) continue;
        if (ls_rng_chance(&s->rng, 128)) in->reserve ^= (uint8_t)(1u << l);
        else in->drop ^= (uint8_t)(1u << l);
    }
}

/* A leader that retires: any one, or one whose entry a lane has. */
static uint16_t land(rf_reuse_buffer_stim *s, const rf_reuse_buffer_cfg *cfg, const rf_reuse_buffer_out *now) {
    uint32_t which = ls_rng_below(&s->rng, s->flights);
    if (ls_rng_chance(&s->rng, s->meet)) {
        const uint16_t wanted = now->index[ls_rng_below(&s->rng, cfg->issues)];
        for (uint32_t i = 0; i < s->flights; i++)
            if (s->flight[i] == wanted) which = i;
    }
    const uint16_t index = s->flight[which];
    s->flight[which] = s->flight[--s->flights];
    return index;
}

static void draw_fills(rf_reuse_buffer_stim *s, const rf_reuse_buffer *m, const rf_reuse_buffer_out *now,
                       rf_reuse_buffer_in *in) {
    const rf_reuse_buffer_cfg *cfg = &m->cfg;
    in->fill = 0;
    for (uint32_t p = 0; p < cfg->issues; p++) {
        in->fill_reg[p] = draw_reg(s, cfg);
        if (s->flights != 0 && ls_rng_chance(&s->rng, s->fill)) {
            in->fill |= (uint8_t)(1u << p);
            in->fill_index[p] = land(s, cfg, now);
        } else in->fill_index[p] = (uint16_t)ls_rng_value(&s->rng, rf_index_bits(cfg->entries));
        if (!ls_rng_chance(&s->rng, 2 * s->noise)) continue;
        const uint32_t kind = ls_rng_below(&s->rng, 4); /* of an entry that may not be pending; or no fill but its index */
        if (kind == 0 && p > 0) in->fill_index[p] = in->fill_index[p - 1];
        else if (kind < 3) in->fill_index[p] = now->index[ls_rng_below(&s->rng, cfg->issues)];
        if (kind != 1) in->fill |= (uint8_t)(1u << p);
        else in->fill &= (uint8_t) ~(1u << p);
    }
    /* Leaders that an illegal fill made the stimulus lose. */
    const uint32_t any = ls_rng_below(&s->rng, cfg->entries);
    if (m->pending_q[any] == 0 || !ls_rng_chance(&s->rng, s->noise)) return;
    in->fill |= 1;
    in->fill_index[0] = (uint16_t)any;
}

static void draw_removal(rf_reuse_buffer_stim *s, const rf_reuse_buffer *m, const rf_reuse_buffer_out *now,
                         rf_reuse_buffer_in *in) {
    const rf_reuse_buffer_cfg *cfg = &m->cfg;
    in->rm = ls_rng_chance(&s->rng, s->rm);
    in->rm_all = !s->sweep;
    in->rm_block = (uint8_t)s->block;
    in->rm_index = (uint16_t)(s->sweep ? s->swept : ls_rng_value(&s->rng, rf_index_bits(cfg->entries)));
    if (ls_rng_chance(&s->rng, s->meet)) {
        const uint32_t i = ls_rng_below(&s->rng, cfg->issues);
        const uint32_t of = ls_rng_below(&s->rng, 8);
        in->rm_index = of < 4 ? now->index[i] : of < 6 ? s->recent[ls_rng_below(&s->rng, RECENT)] : in->fill_index[i];
        if (ls_rng_chance(&s->rng, 128))
            in->rm_block = (uint8_t)(m->block_q[in->rm_index & (cfg->entries - 1)] & rf_mask64(rf_index_bits(cfg->blocks)));
    }
    if (ls_rng_chance(&s->rng, s->noise)) in->rm_all ^= 1;
    /* A drop that frees nothing does not stop a removal. */
    const uint32_t e = now->index[0], bit = in->lk_valid & in->drop & ~in->reserve & 1u;
    if (bit == 0 || m->pending_q[e] == 0 || (m->opcode_q[e] & rf_mask64(cfg->slots)) != 0 || ls_rng_chance(&s->rng, 64)) return;
    in->rm = in->rm_all = 1;
    for (uint32_t k = 0; k < RECENT; k++) {
        in->rm_index = s->recent[ls_rng_below(&s->rng, RECENT)];
        if (in->rm_index != e && m->valid_q[in->rm_index] != 0) return;
    }
}

static void stim(rf_reuse_buffer_stim *s, const rf_reuse_buffer *m, rf_reuse_buffer_in *in) {
    if (s->left-- == 0) draw_phase(s, &m->cfg);
    draw_lookups(s, &m->cfg, in);
    const rf_reuse_buffer_out now = found(m, in);
    draw_misses(s, &m->cfg, &now, in);
    draw_fills(s, m, &now, in);
    draw_removal(s, m, &now, in);
}

/* Who reserved an entry is a leader now; a sweep goes on when its removal was
 * taken. */
static void observe(rf_reuse_buffer_stim *s, const rf_reuse_buffer_in *in, const rf_reuse_buffer_out *out) {
    for (uint32_t set = out->reserved; set != 0; set &= set - 1) {
        const uint16_t index = out->index[rf_lowest(set)];
        if (s->flights < RF_REUSE_ENTRIES_MAX) s->flight[s->flights++] = index;
        s->recent[s->reserves++ % RECENT] = index;
    }
    if (s->sweep && in->rm && out->rm_ready && in->rm_index == s->swept) s->swept = (s->swept + 1) % s->entries;
}

/* clang-format off */
#define BINS(X) \
    X(IDLE, "nothing asked") X(HIT, "hit") X(WAIT, "wait") X(EMPTY, "miss of an empty entry") \
    X(OTHER, "miss: a result of another tag") X(OTHER_HELD, "miss: another tag is reserved") \
    X(ABANDONED, "miss: its own tag is abandoned") X(FORGOTTEN, "miss: its own tag was given up") \
    X(DIFF_OPCODE, "an entry differs in its opcode alone") X(DIFF_OPERAND, "... in one operand alone") \
    X(DIFF_BLOCK, "... in its block alone") X(DIFF_BARRIER, "... in its barrier alone") \
    X(MUTE, "the tag of a lane that does not ask would hit") X(HIGH, "hit in the upper half") \
    X(HIT_BLOCK, "hit of a load from scratchpad") X(HITS, "two lanes hit one entry") \
    X(RESERVE, "reserve of an empty entry") X(OVERWRITE, "reserve of an entry with a result") \
    X(AGAIN, "reserve of an entry with this very tag") X(RESERVE_HELD, "reserve of a reserved entry") \
    X(RESERVE_ABANDONED, "reserve of an abandoned entry") X(RESERVE_FILL, "reserve of an entry that is filled now") \
    X(RESERVE_TWICE, "two lanes reserve one entry") X(RESERVE_DROPPED, "reserve of an entry that a lower lane gives up") \
    X(DROP, "drop of a result") X(DROP_RESERVED, "drop of a reserved entry") X(DROP_EMPTY, "drop of an empty entry") \
    X(DROP_ABANDONED, "drop of an abandoned entry") X(DROP_FILL, "drop of an entry that is filled now") \
    X(DROP_NAMED, "drop of an entry with a result that a fill port names") \
    X(DROP_TAKEN, "drop of an entry that a lower lane reserves") X(DROP_HIGHER, "drop of an entry that a higher lane reserves") \
    X(DROP_TWICE, "two lanes drop one entry") X(DROP_HELD, "drop of an entry that a lower lane cannot reserve") \
    X(BOTH, "reserve and drop: reserved") X(BOTH_HELD, "reserve and drop: neither") \
    X(NOBODY, "reserve or drop of a lane that does not ask") \
    X(FILL, "fill") X(FILL_ABANDONED, "fill of an abandoned entry") X(FILL_EMPTY, "fill of an empty entry") \
    X(FILL_RESULT, "fill of an entry with a result") X(FILL_TWICE, "two fills of a reserved entry") \
    X(FILL_MUTE, "a port that does not fill names a reserved entry") \
    X(FILL_WAIT, "a lane waits for the entry that is filled now") \
    X(FILLS, "all ports fill") \
    X(RM_ALL, "removal of any entry") X(RM_BLOCK, "removal of a block's") X(RM_OTHER, "no removal: another block's") \
    X(RM_NONE, "no removal: of no block, low bits alike") X(RM_RESERVED, "removal of a reserved entry") \
    X(RM_EMPTY, "removal of an empty or abandoned entry") X(RM_FILL, "removal waits for a fill") \
    X(RM_LANE, "... for a lane's reserve or drop") X(RM_FAILED, "... for a reserve that does not work") \
    X(RM_FREES, "... because lane 0 frees another entry") \
    X(RM_QUIET, "removal beside a lane 0 that gives up and frees nothing") X(RM_BESIDE, "removal beside another lane that frees") \
    X(RM_LOOK, "removal of an entry that a lane hits") X(RM_NOT, "what would stop a removal, without one") \
    X(FREE_ALL, "all operands and the result are freed") X(FREE_SOME, "an operand is immediate") \
    X(FREE_NOTHING, "no register is freed") X(FREE_MANY, "several lanes free") \
    X(HIT_TAKEN, "hit of an entry that another lane takes or gives up")
/* clang-format on */

#define BIN_NUMBER(name, text) name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NUMBER) };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }

static bool bit(uint32_t set, uint32_t i) { return (set >> i & 1) != 0; }

static bool names(const rf_reuse_buffer *m, uint32_t index, uint32_t e) { return (index & (m->cfg.entries - 1)) == e; }

static bool filled_now(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, uint32_t e) {
    for (uint32_t p = 0; p < m->cfg.issues; p++)
        if (bit(in->fill, p) && names(m, in->fill_index[p], e)) return true;
    return false;
}

/* Which fields of the tag of lane `l` entry `e` differs in: 1 opcode, 2 block,
 * 4 barrier, 8 and up the operands. */
static uint32_t differs(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, uint32_t l, uint32_t e) {
    const uint32_t slots = m->cfg.slots;
    uint32_t set = (uint32_t)(m->opcode_q[e] != in->lk_opcode[l]) | (uint32_t)(m->block_q[e] != in->lk_block[l]) << 1 |
                   (uint32_t)(m->barrier_q[e] != in->lk_barrier[l]) << 2;
    for (uint32_t s = 0; s < slots; s++)
        set |= (uint32_t)(m->operand_q[e * slots + s] != in->lk_operand[l * slots + s]) << (3 + s);
    return set;
}

static uint64_t bins_of_lookup(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, const rf_reuse_buffer_out *out,
                               uint32_t l) {
    const uint32_t e = out->index[l], diff = differs(m, in, l, e);
    const bool valid = m->valid_q[e] != 0, pending = m->pending_q[e] != 0, hit = bit(out->hit, l);
    uint64_t got = bin(hit, HIT) | bin(bit(out->wait, l), WAIT) | bin(!valid && !pending, EMPTY) |
                   bin(valid && !pending && diff != 0, OTHER) | bin(valid && pending && diff != 0, OTHER_HELD) |
                   bin(!valid && pending && diff == 0, ABANDONED) | bin(!valid && !pending && diff == 0, FORGOTTEN) |
                   bin(valid && diff == 1, DIFF_OPCODE) | bin(valid && diff >= 8 && (diff & (diff - 1)) == 0, DIFF_OPERAND) |
                   bin(valid && diff == 2, DIFF_BLOCK) | bin(valid && diff == 4, DIFF_BARRIER) |
                   bin(hit && m->cfg.entries > 1 && e >= m->cfg.entries / 2, HIGH) |
                   bin(hit && in->lk_block[l] < m->cfg.blocks, HIT_BLOCK) |
                   bin(bit(out->wait, l) && filled_now(m, in, e), FILL_WAIT);
    for (uint32_t k = 0; k < l; k++) got |= bin(hit && bit(out->hit, k) && out->index[k] == e, HITS);
    for (uint32_t k = 0; k < m->cfg.issues; k++) {
        const bool asks = k != l && bit(in->lk_valid, k) && bit((uint32_t)in->reserve | in->drop, k);
        const bool named = filled_now(m, in, e) && !bit(in->reserve, k); /* such a drop is stopped */
        got |= bin(hit && asks && !named && out->index[k] == e, HIT_TAKEN);
    }
    return got;
}

static uint64_t bins_of_change(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, const rf_reuse_buffer_out *out,
                               uint32_t l) {
    const uint32_t e = out->index[l], diff = differs(m, in, l, e), issues = m->cfg.issues;
    const bool valid = m->valid_q[e] != 0, pending = m->pending_q[e] != 0, fill = filled_now(m, in, e),
               works = bit(out->reserved, l);
    const bool reserve = bit(in->reserve, l), drop = bit(in->drop, l) && !reserve;
    bool taken = false, gone = false, later = false, tried = false;
    for (uint32_t k = 0; k < issues; k++) {
        const bool same = k != l && bit(in->lk_valid, k) && out->index[k] == e;
        taken |= same && k < l && bit(out->reserved, k);
        tried |= same && k < l && bit(in->reserve, k) && !bit(out->reserved, k);
        gone |= same && k < l && bit(in->drop, k) && !bit(in->reserve, k) && !fill;
        later |= same && k > l && bit(out->reserved, k);
    }
    const bool gives = drop && !fill && !taken;
    return bin(works && !valid, RESERVE) | bin(works && valid && !gone, OVERWRITE) | bin(works && valid && diff == 0, AGAIN) |
           bin(reserve && valid && pending && !fill, RESERVE_HELD) |
           bin(reserve && !valid && pending && !fill, RESERVE_ABANDONED) | bin(reserve && pending && fill, RESERVE_FILL) |
           bin(reserve && taken, RESERVE_TWICE) | bin(works && valid && gone, RESERVE_DROPPED) |
           bin(gives && valid && !pending, DROP) | bin(gives && valid && pending, DROP_RESERVED) |
           bin(gives && !valid && !pending, DROP_EMPTY) | bin(gives && !valid && pending, DROP_ABANDONED) |
           bin(drop && valid && pending && fill, DROP_FILL) | bin(drop && valid && !pending && fill && !taken, DROP_NAMED) |
           bin(drop && taken, DROP_TAKEN) | bin(gives && valid && later, DROP_HIGHER) | bin(gives && valid && gone, DROP_TWICE) |
           bin(gives && valid && tried, DROP_HELD) | bin(works && bit(in->drop, l), BOTH) |
           bin(reserve && bit(in->drop, l) && valid && pending && !fill, BOTH_HELD);
}

static uint64_t bins_of_fills(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, const rf_reuse_buffer_out *out) {
    uint64_t got = bin(in->fill == rf_mask64(m->cfg.issues), FILLS);
    for (uint32_t p = 0; p < m->cfg.issues; p++) {
        const uint32_t e = in->fill_index[p] & (m->cfg.entries - 1);
        const bool fill = bit(in->fill, p), valid = m->valid_q[e] != 0, pending = m->pending_q[e] != 0,
                   works = bit(out->filled, p);
        got |= bin(works, FILL) | bin(fill && !valid && pending, FILL_ABANDONED) | bin(fill && !valid && !pending, FILL_EMPTY) |
               bin(fill && valid && !pending, FILL_RESULT) | bin(fill && valid && pending && !works, FILL_TWICE) |
               bin(!fill && valid && pending, FILL_MUTE);
    }
    return got;
}

static uint64_t bins_of_removal(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, const rf_reuse_buffer_out *out) {
    const uint32_t e = in->rm_index & (m->cfg.entries - 1), slots = m->cfg.slots, block_bits = rf_index_bits(m->cfg.blocks);
    const bool valid = m->valid_q[e] != 0, pending = m->pending_q[e] != 0, fill = filled_now(m, in, e);
    const bool all = in->rm_all != 0, block = m->block_q[e] == in->rm_block, acts = in->rm && out->rm_ready && (all || block);
    bool lane = false, failed = false, looks = false, frees = false, quiet = false, beside = false;
    for (uint32_t l = 0; l < m->cfg.issues; l++) {
        const uint32_t mine = (uint32_t)rf_mask64(slots + 1) << (l * (slots + 1));
        if (!bit(in->lk_valid, l)) continue;
        const bool asks = bit((uint32_t)in->reserve | in->drop, l), same = out->index[l] == e;
        lane |= asks && same;
        failed |= asks && same && m->pending_q[e] != 0 && bit(in->reserve, l);
        looks |= !asks && same && bit(out->hit, l);
        frees |= l == 0 && asks && !same && !in->rm && (out->freed & mine) != 0;
        quiet |= l == 0 && asks && !same && bit(in->drop, 0) && m->valid_q[out->index[0]] != 0 &&
                 m->pending_q[out->index[0]] != 0 && !bit(in->reserve, 0) && !filled_now(m, in, out->index[0]);
        beside |= l > 0 && (out->freed & mine) != 0;
    }
    return bin(acts && all && valid && !block, RM_ALL) | bin(acts && !all && valid, RM_BLOCK) |
           bin(in->rm && out->rm_ready && valid && !all && !block, RM_OTHER) |
           bin(in->rm && out->rm_ready && valid && !all && m->block_q[e] == (UINT32_C(1) << block_bits | in->rm_block), RM_NONE) |
           bin(acts && valid && pending, RM_RESERVED) | bin(acts && !valid, RM_EMPTY) | bin(in->rm && fill && !lane, RM_FILL) |
           bin(in->rm && lane && !fill, RM_LANE) | bin(in->rm && failed && !fill, RM_FAILED) |
           bin(in->rm && !out->rm_ready && !lane && !fill, RM_FREES) | bin(acts && valid && quiet, RM_QUIET) |
           bin(acts && valid && beside, RM_BESIDE) | bin(acts && valid && looks, RM_LOOK) |
           bin(!in->rm && (lane || fill || frees), RM_NOT);
}

static uint64_t bins_of_freed(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, const rf_reuse_buffer_out *out) {
    const uint32_t slots = m->cfg.slots, every = (uint32_t)rf_mask64(slots + 1);
    uint32_t lanes = 0;
    uint64_t got = 0;
    for (uint32_t l = 0; l < m->cfg.issues; l++) {
        const uint32_t freed = out->freed >> (l * (slots + 1)) & every, e = out->index[l];
        const bool empty = m->pending_q[e] != 0 && (m->opcode_q[e] & rf_mask64(slots)) == 0; /* of registers */
        lanes += freed != 0;
        got |= bin(freed == every, FREE_ALL) | bin((freed >> slots & 1) != 0 && freed != every, FREE_SOME) |
               bin(bit(in->lk_valid & in->drop & ~in->reserve, l) && m->valid_q[e] != 0 && empty && !filled_now(m, in, e) &&
                       freed == 0,
                   FREE_NOTHING);
    }
    return got | bin(lanes > 1, FREE_MANY);
}

static uint64_t bins(const rf_reuse_buffer *m, const rf_reuse_buffer_in *in, const rf_reuse_buffer_out *out) {
    const rf_reuse_buffer_out all = found(m, in);
    uint64_t hit = bins_of_fills(m, in, out) | bins_of_removal(m, in, out) | bins_of_freed(m, in, out) |
                   bin((in->lk_valid | in->fill | in->rm) == 0, IDLE) | bin((all.hit & ~in->lk_valid) != 0, MUTE) |
                   bin(((in->reserve | in->drop) & ~in->lk_valid) != 0, NOBODY);
    for (uint32_t l = 0; l < m->cfg.issues; l++)
        if (bit(in->lk_valid, l)) hit |= bins_of_lookup(m, in, out, l) | bins_of_change(m, in, out, l);
    return hit;
}

/* Where a field has no more bits than the index, none of its bits are folded onto each other: a value has an index of its own. */
static void unreachable(const rf_reuse_buffer_cfg *cfg, ls_unreachable *to) {
    static const uint8_t pairs[] = {HITS,      RESERVE_TWICE, RESERVE_DROPPED, DROP_TAKEN, DROP_HIGHER, DROP_TWICE,
                                    DROP_HELD, FILL_TWICE,    RM_BESIDE,       FREE_MANY,  HIT_TAKEN};
    static const uint8_t others[] = {HIGH, RM_FREES, RM_QUIET, RM_BESIDE, FREE_MANY};
    const uint32_t bits = rf_lowest(cfg->entries);
    for (size_t i = 0; i < sizeof pairs; i++) ls_unreachable_if(to, cfg->issues == 1, pairs[i], "one lane");
    for (size_t i = 0; i < sizeof others; i++) ls_unreachable_if(to, cfg->entries == 1, others[i], "one entry");
    ls_unreachable_if(to, bits >= 8, DIFF_OPCODE, "another opcode has another index");
    ls_unreachable_if(to, bits >= rf_index_bits(cfg->pregs), DIFF_OPERAND, "another operand has another index");
    ls_unreachable_if(to, bits >= rf_index_bits(cfg->blocks) + 1, DIFF_BLOCK, "another block has another index");
    ls_unreachable_if(to, bits >= 5, DIFF_BARRIER, "another barrier count has another index");
}

#define SMALL "ENTRIES=4 SLOTS=2 PREGS=16 BLOCKS=2"

static const ls_fault faults[] = {
    {"the first bits of the tag are not in the index", NULL, "for (int i = 0; i < PIECES; i++)",
     "for (int i = 1; i < PIECES; i++)", "index", SMALL},
    {"index of a lane that does not ask", NULL, "lk_valid_i[l] ? index[l] : '0", "index[l]", "index", SMALL},
    {"hit of a reserved entry", NULL, "same && !pending;", "same;", "hit", SMALL},
    {"wait for an entry with a result", NULL, "same && pending;", "same;", "wait", SMALL},
    {"the barrier count is not compared", NULL, "{barrier_q[index[l]], block_q", "{lk_barrier_i[l*5 +: 5], block_q", "wait",
     SMALL},
    {"the operands are not compared", NULL, "operands, opcode_q[index[l]]} == tag",
     "tag[8 +: OPERANDS_W], opcode_q[index[l]]} == tag", "wait", SMALL},
    {"an operand is read where the first one is", NULL, "= operand_q[rm_first + OPERAND_W'(s)]", "= operand_q[rm_first]",
     "freed_reg", SMALL},
    {"an abandoned entry is not held", NULL, "lk_valid_i[l] && pending;", "lk_valid_i[l] && pending && valid;", "held", SMALL},
    {"result without a hit", NULL, "hit_o[l] ? result_q", "lk_valid_i[l] ? result_q", "result", SMALL},
    {"a pending entry is reserved", NULL, "want_reserve[l] && !pending && none_lower", "want_reserve[l] && none_lower",
     "reserved", SMALL},
    {"two lanes reserve one entry", NULL, "want_reserve[l] && !pending && none_lower", "want_reserve[l] && !pending", "reserved",
     SMALL},
    {"a lane that does not ask reserves", NULL, "lk_valid_i & reserve_i;", "reserve_i;", "reserved", SMALL},
    {"an abandoned entry gets a result", NULL, "fill_pending[p] && valid_q[fill_index[p]] && ", "fill_pending[p] && ", "filled",
     SMALL},
    {"both of two fills count", NULL, " && lower == '0;", ";", "filled", SMALL},
    {"a result is filled again", NULL, "fill_i[p] && pending_q[fill_index[p]]", "fill_i[p]", "filled", SMALL},
    {"a removal does not wait for a fill", NULL, "rm_fill == '0 && ", "", "rm_ready", SMALL},
    {"a removal does not wait for a lane", NULL, "rm_lane == '0 && ", "", "rm_ready", SMALL},
    {"a removal waits for a lane that looks", NULL, "(want_reserve[p] || want_drop[p]) && index", "lk_valid_i[p] && index",
     "rm_ready", SMALL},
    {"a removal does not wait for a lane that cannot reserve", NULL, "(want_reserve[p] || want_drop[p])",
     "(reserved_o[p] || want_drop[p])", "rm_ready", SMALL},
    {"a removal does not wait for lane 0's registers", NULL, " && lane_freed[0] == '0);", ");", "rm_ready", SMALL},
    {"not ready without a removal", NULL, "!rm_i || (rm_fill == '0", "(rm_fill == '0", "rm_ready", SMALL},
    {"a drop that is stopped frees", NULL, "(reserved_o[l] || drop[l]) && valid", "(reserved_o[l] || want_drop[l]) && valid",
     "freed", SMALL},
    {"two drops free twice", NULL, " && ((lower & want_drop) == '0 || named != '0);", ";", "freed", SMALL},
    {"a drop that a fill stops counts for higher lanes", NULL, "((lower & want_drop) == '0 || named != '0)",
     "(lower & want_drop) == '0", "freed", SMALL},
    {"the result of a reserved entry is freed", NULL, "{!pending, opcode_q", "{1'b1, opcode_q", "freed", SMALL},
    {"an immediate value is freed", NULL, "opcode_q[index[l]][SLOTS-1:0]}", "{SLOTS{1'b1}}}", "freed", SMALL},
    {"the removal of a block takes what is of none", NULL, "block_q[rm_index] == {1'b0, rm_block_i}",
     "block_q[rm_index][BLOCK_W-1:0] == rm_block_i", "freed", SMALL},
    {"a removal of any entry frees and does nothing", NULL, "if (rm) valid_q", "if (rm && !rm_all_i) valid_q", "valid_q", SMALL},
    {"a removal frees lane 0's result", NULL, "(result_q[rm_index] & ", "(result_q[index[0]] & ", "freed_reg", SMALL},
    {"a drop that is stopped acts", NULL, "if (drop[l]) valid_q", "if (want_drop[l]) valid_q", "valid_q", SMALL},
    {"a removed entry stays", NULL, "if (rm) valid_q[rm_index] <= 1'b0;", "if (rm) valid_q[rm_index] <= 1'b1;", "valid_q", SMALL},
    {"a fill leaves an abandoned entry as it is", NULL, "if (fill_pending[p]) pending_q", "if (filled_o[p]) pending_q",
     "pending_q", SMALL},
    {"a drop makes the entry empty", NULL, "if (drop[l]) valid_q[index[l]] <= 1'b0;",
     "if (drop[l]) begin valid_q[index[l]] <= 1'b0; pending_q[index[l]] <= "
     "1'b0; end",
     "pending_q", SMALL},
    {"all lanes reserve with lane 0's opcode", NULL, "<= lk_opcode_i[l*8 +: 8];", "<= lk_opcode_i[7:0];", "opcode_q", SMALL},
    {"the last operand is not stored", NULL, "for (int s = 0; s < SLOTS; s++)\n", "for (int s = 0; s + 1 < SLOTS; s++)\n",
     "operand_q", SMALL},
    {"an operand is not reset", NULL, "o < h + 64 && o < ENTRIES * SLOTS;", "o < h + 64 && o + 1 < ENTRIES * SLOTS;", "operand_q",
     SMALL},
    {"that it is of no block is lost", NULL, "<= lk_block_i[l*(BLOCK_W+1) +: BLOCK_W+1];",
     "<= {1'b0, lk_block_i[l*(BLOCK_W+1) +: BLOCK_W]};", "block_q", SMALL},
    {"the barrier count of lane 0", NULL, "<= lk_barrier_i[l*5 +: 5];", "<= lk_barrier_i[4:0];", "barrier_q", SMALL},
    {"an abandoned entry keeps its leader's result", NULL, "if (filled_o[p]) result_q", "if (fill_pending[p]) result_q",
     "result_q", SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "ENTRIES=1 SLOTS=1 PREGS=2 BLOCKS=1 ISSUES=1",
                                   "ENTRIES=4 SLOTS=2 PREGS=16 BLOCKS=2 ISSUES=1",
                                   "ENTRIES=2 SLOTS=4 PREGS=63 BLOCKS=5 ISSUES=2",
                                   "ENTRIES=16 SLOTS=3 PREGS=33 BLOCKS=3 ISSUES=3",
                                   "ENTRIES=512 SLOTS=6 PREGS=1024 BLOCKS=16 ISSUES=4",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_reuse_buffer
#define LS_GROUP "wir"
#define LS_BRIEF "results of executed warp instructions by what they computed"
#define LS_FIELDS "tb/wir/rf_reuse_buffer.fields"
#define LS_UNREACHABLE
#define LS_STEP
#define LS_OBSERVE
#include "harness/core/unit_define.h"
