/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds rf_wir in its judge: warps that run programs of few functions over few values, execution ports that compute
 * results from the operands delivered, memories, barriers; and plain sequential execution of the same programs, the golden
 * machine.
 *
 * Memory: a load finds what a hash of its address, the kernel, the block and the number of stores that its warp can see says.
 * Stores are seen by their warp at once, by others after a barrier or fence; the surroundings let a barrier or fence happen when
 * no access to memory is under way, so that there is one right answer. */
#ifndef RF_JUDGE_WIR_WORLD_H
#define RF_JUDGE_WIR_WORLD_H

#include "tb/wir/judge/judge_wir_compare.h"
#include "tb/wir/env/rf_h3_collide.h"

enum { RECORDS = 64, VALUES = 16 };

/* An instruction that has issued and is not over. */
typedef struct record {
    bool active, src_valid[6], delivered;
    uint32_t tag, dst, mask, src[6], operand[6][32];
    uint64_t meaning; /* function, immediate values, what memory is like: all but the operands */
    bool memory;
} record;

typedef struct flight {
    uint32_t warp, dst, mask, port, data[32];
    uint64_t info;
} flight;

typedef struct world {
    ls_rng rng;
    rf_wir_in in;
    rf_h3_collider collider;
    bool lawful, memory_waits, starts;
    uint32_t names, functions, values, p_fetch, p_change, p_ready, p_result, p_source, p_reuse, p_partial, p_memory, p_event;
    uint32_t p_unique, spaces, limit;
    rf_vec value[VALUES];
    /* golden machine */
    uint32_t reg[64][256][32];
    uint64_t kernel, epoch[16], seen[16], gseen, own_shared[64], own_global[64], nonce;
    uint64_t head_meaning[64];
    bool head_memory[64], gone[64];
    uint32_t tags[64], inside[64]; /* per warp: last tag; instructions issued and not over */
    uint32_t memories;             /* loads and stores of those */
    record at[64][RECORDS];
    flight owed[512], offer[8];
    bool offered[8];
    uint32_t owes;
    uint64_t issued, over, reused, checked;
} world;

static inline uint64_t mix(uint64_t a, uint64_t b) {
    a = (a ^ b) * UINT64_C(0x9e3779b97f4a7c15);
    return a ^ a >> 29;
}

/* Which of the warp's registers number i of the program is. */
static inline uint32_t name_of(const rf_wir_cfg *cfg, uint32_t i) { return i % 2 != 0 ? cfg->regs - 1 - i / 2 : i / 2; }

/* What an instruction means for its operands: mostly one of the few values, so that the same turns up again and again. */
static inline void compute(const world *x, const record *i, const uint32_t operand[6][32], uint32_t lanes, uint32_t *data) {
    uint64_t h = i->meaning;
    for (uint32_t k = 0; k < 6; k++)
        for (uint32_t lane = 0; lane < lanes && i->src_valid[k]; lane++) h = mix(h, operand[k][lane] + 1 + ((uint64_t)k << 32));
    memset(data, 0, 32 * sizeof *data);
    const bool unique = h >> 56 < x->p_unique;
    for (uint32_t lane = 0; lane < lanes; lane++)
        data[lane] = unique ? (uint32_t)(h >> 8) + lane : x->value[(h >> 16) % x->values].lane[lane];
}

static inline void draw_values(world *x, const rf_wir_cfg *cfg) {
    x->p_unique = ls_rng_chance(&x->rng, 128) ? 0 : ls_rng_below(&x->rng, 257);
    x->values = 2 + ls_rng_below(&x->rng, VALUES - 1);
    rf_h3_collider_init(&x->collider, cfg->lanes, &x->rng);
    for (uint32_t i = 0; i < VALUES; i++) {
        memset(&x->value[i], 0, sizeof x->value[i]);
        if (i % 2 == 0 || !rf_h3_collide(&x->collider, &x->rng, &x->value[i - 1], &x->value[i])) {
            if (i > 0 || ls_rng_chance(&x->rng, 128)) ls_rng_lanes(&x->rng, x->value[i].lane, cfg->lanes);
        }
        if (i % 2 != 0 && ls_rng_chance(&x->rng, 64)) x->value[i] = x->value[i - 1], x->value[i].lane[0] ^= 1;
    }
}

static inline void draw_mix(world *x, const rf_wir_cfg *cfg) {
    ls_rng *r = &x->rng;
    x->functions = 1 + ls_rng_below(r, 1u << (ls_rng_chance(r, 64) ? 6 - cfg->slots : cfg->slots < 6));
    x->p_fetch = ls_rng_chance(r, 64) ? 256 : 32 + ls_rng_below(r, 225);
    x->p_change = ls_rng_chance(r, 64) ? 16 : 0;
    x->p_ready = ls_rng_chance(r, 128) ? 256 : 24 + ls_rng_below(r, 233);
    x->p_result = ls_rng_chance(r, 128) ? 256 : 16 + ls_rng_below(r, 241);
    x->p_source = ls_rng_below(r, 257);
    x->p_reuse = ls_rng_chance(r, 32) ? ls_rng_below(r, 256) : 240;
    x->p_partial = ls_rng_chance(r, 128) ? 0 : ls_rng_below(r, 160);
    x->p_memory = ls_rng_chance(r, 100) ? 0 : ls_rng_below(r, 200);
    x->p_event = ls_rng_chance(r, 100) ? 0 : 1 + ls_rng_below(r, ls_rng_chance(r, 64) ? 160 : 24);
    x->starts = ls_rng_chance(r, 100);
    x->spaces = 1 + ls_rng_below(r, 15);
    const uint32_t least = x->lawful ? x->names * cfg->warps : 0; /* logical registers */
    x->in.limit = (uint16_t)(ls_rng_chance(r, 64) ? cfg->pregs : least + ls_rng_below(r, cfg->pregs - least + 1));
    if (ls_rng_chance(r, 64)) x->in.limit = (uint16_t)least;
}

static inline uint32_t draw_name(world *x, const rf_wir_cfg *cfg) {
    if (!x->lawful && ls_rng_chance(&x->rng, 8)) return ls_rng_below(&x->rng, judge_codes(cfg->regs));
    return name_of(cfg, ls_rng_below(&x->rng, x->names));
}

/* A new instruction at the head of warp w. */
static inline void fetch(world *x, const rf_wir_cfg *cfg, uint32_t w) {
    rf_wir_in *in = &x->in;
    ls_rng *r = &x->rng;
    const uint64_t bit = UINT64_C(1) << w;
    const bool memory = !x->memory_waits && ls_rng_chance(r, x->p_memory), store = memory && ls_rng_chance(r, 64);
    in->ib_valid |= bit;
    do x->tags[w]++;
    while (x->at[w][x->tags[w] % RECORDS].active);
    in->ib_tag[w] = (uint16_t)(x->lawful ? x->tags[w] : ls_rng_value(r, 16));
    in->ib_port[w] = (uint8_t)ls_rng_below(r, cfg->exports);
    in->ib_mask[w] = ls_rng_chance(r, x->p_partial) ? (uint32_t)ls_rng_value(r, cfg->lanes) : (uint32_t)ls_mask(cfg->lanes);
    in->ib_dst_valid = !store && ls_rng_chance(r, 240) ? in->ib_dst_valid | bit : in->ib_dst_valid & ~bit;
    in->ib_dst[w] = (uint8_t)draw_name(x, cfg);
    in->ib_src_valid[w] = (uint8_t)ls_rng_bits(r, cfg->slots, x->p_source);
    for (uint32_t k = 0; k < cfg->slots; k++) {
        in->ib_src[w * cfg->slots + k] = (uint8_t)draw_name(x, cfg);
        in->ib_imm[w * cfg->slots + k] =
            (uint16_t)(ls_rng_chance(r, 160) ? 0 : ls_rng_below(r, ls_rng_chance(r, 200) ? 2 : cfg->pregs));
    }
    in->ib_reuse = ls_rng_chance(r, x->p_reuse) ? in->ib_reuse | bit : in->ib_reuse & ~bit;
    in->ib_space[w] = RF_SPACE_NONE;
    while (memory && !store && (in->ib_space[w] == RF_SPACE_NONE || !judge_bit(x->spaces, in->ib_space[w]))) {
        in->ib_space[w] = (uint8_t)(1 + ls_rng_below(r, 3));
        if (x->spaces % 16 < 2) break;
    }
    in->ib_op[w] = (uint8_t)(ls_rng_below(r, x->functions) << 2 | in->ib_space[w]); /* a load is another function */
    in->ib_store = store ? in->ib_store | bit : in->ib_store & ~bit;
    in->ib_store_shared = ls_rng_chance(r, 128) ? in->ib_store_shared | bit : in->ib_store_shared & ~bit;
    x->head_memory[w] = memory;
}

/* The instruction at warp w's head issues: what it reads and what it does, sequentially. */
static inline void execute(world *x, const rf_wir_cfg *cfg, uint32_t w) {
    const rf_wir_in *in = &x->in;
    record *i = &x->at[w][in->ib_tag[w] % RECORDS];
    const uint32_t space = in->ib_space[w], b = in->block[w];
    const bool alive = in->ib_mask[w] != 0, writes = alive && judge_bit(in->ib_dst_valid, w),
               store = alive && judge_bit(in->ib_store, w);
    uint32_t data[32];
    if (i->active) fail_msg("more than %u instructions of a warp", RECORDS);
    memset(i, 0, sizeof *i);
    i->active = true;
    i->tag = in->ib_tag[w];
    i->mask = in->ib_mask[w];
    i->dst = writes ? in->ib_dst[w] : NOBODY;
    i->memory = x->head_memory[w];
    i->meaning = mix(in->ib_op[w], space + 77);
    for (uint32_t k = 0; k < cfg->slots; k++) {
        i->src_valid[k] = alive && judge_bit(in->ib_src_valid[w], k);
        i->src[k] = in->ib_src[w * cfg->slots + k];
        memcpy(i->operand[k], x->reg[w][i->src[k]], sizeof i->operand[k]);
        if (!i->src_valid[k]) i->meaning = mix(i->meaning, in->ib_imm[w * cfg->slots + k] + ((uint64_t)(k + 1) << 16));
    }
    if (!judge_bit(in->ib_reuse, w)) i->meaning = mix(i->meaning, ++x->nonce);
    if (space != RF_SPACE_NONE) i->meaning = mix(i->meaning, x->kernel);
    if (space == RF_SPACE_SHARED) i->meaning = mix(mix(mix(i->meaning, b), x->epoch[b] << 32 | x->seen[b]), x->own_shared[w]);
    if (space == RF_SPACE_GLOBAL) i->meaning = mix(mix(i->meaning, x->gseen), x->own_global[w]);
    if (store && judge_bit(in->ib_store_shared, w)) x->own_shared[w] = ++x->nonce;
    else if (store) x->own_global[w] = ++x->nonce;
    compute(x, i, i->operand, cfg->lanes, data);
    for (uint32_t lane = 0; lane < 32 && writes; lane++)
        if (judge_bit(i->mask, lane)) x->reg[w][i->dst][lane] = data[lane];
    x->inside[w]++;
    x->memories += i->memory;
    x->issued++;
}

static inline void end(world *x, uint32_t w, record *i) {
    i->active = false;
    x->inside[w]--;
    x->memories -= i->memory;
    x->over++;
}

/* The result of (w, dst) is in its register: the register is as the golden machine has it. */
static inline void retired(judge *j, world *x, const slow_wir *s, uint32_t w, uint32_t dst) {
    for (uint32_t t = 0; t < RECORDS; t++) {
        record *i = &x->at[w][t];
        if (!i->active || i->dst != dst) continue;
        end(x, w, i);
        const uint32_t preg = mapping_of(s, w, dst).preg;
        judge_words(j, "register of the program", w * 256 + dst, s->value[preg], x->reg[w][dst], 32);
        x->checked++;
        return;
    }
    fail_msg("%s cycle %" PRIu64 ": a result of warp %" PRIu32 " retires that never issued", j->where, j->cycle, w);
}

/* Every mapped register whose result is not on its way. */
static inline void compare_with_program(judge *j, const world *x, const slow_wir *s) {
    static const uint32_t zero[32];
    for (uint32_t w = 0; w < s->cfg.warps; w++)
        for (uint32_t r = 0; r < s->cfg.regs; r++) {
            const slow_mapping m = mapping_of(s, w, r);
            if (s->stage.pending[w][r] || s->walking[w] || x->gone[w]) continue;
            judge_words(j, "register at rest", w * 256 + r, m.valid ? s->value[m.preg] : zero, x->reg[w][r], 32);
        }
}

/* --- a cycle's inputs ----------------------------------------------------------------------------------------------------------
 */

static inline void return_result(world *x, const rf_wir_cfg *cfg, uint32_t e) {
    rf_wir_in *in = &x->in;
    flight *f = &x->offer[e];
    if (judge_bit(in->res_valid, e) && !ls_rng_chance(&x->rng, 32)) return;
    if (judge_bit(in->res_valid, e) && x->offered[e]) x->owed[x->owes++] = *f;
    in->res_valid &= (uint8_t) ~(1u << e);
    x->offered[e] = false;
    if (!ls_rng_chance(&x->rng, x->p_result)) return;
    const uint32_t first = x->owes > 0 ? ls_rng_below(&x->rng, x->owes) : 0;
    for (uint32_t n = 0; n < x->owes && !x->offered[e]; n++) {
        const uint32_t i = (first + n) % x->owes;
        if (x->owed[i].port != e) continue;
        *f = x->owed[i];
        x->owed[i] = x->owed[--x->owes];
        x->offered[e] = true;
    }
    if (!x->offered[e]) {
        if (x->lawful || !ls_rng_chance(&x->rng, 32)) return;
        f->warp = ls_rng_below(&x->rng, judge_codes(cfg->warps));
        f->dst = draw_name(x, cfg);
        f->mask = ls_rng_chance(&x->rng, 128) ? (uint32_t)ls_mask(cfg->lanes) : (uint32_t)ls_rng_value(&x->rng, cfg->lanes);
        f->info = ls_rng_value(&x->rng, rf_wir_info_bits(cfg));
        memcpy(f->data, x->value[ls_rng_below(&x->rng, x->values)].lane, sizeof f->data);
    }
    in->res_valid |= (uint8_t)(1u << e);
    in->res_warp[e] = (uint8_t)f->warp;
    in->res_dst[e] = (uint8_t)f->dst;
    in->res_mask[e] = f->mask;
    in->res_info[e] = f->info;
    memcpy(in->res_data[e].lane, f->data, sizeof f->data);
}

/* Registers of a warp that starts are 0 where they are renamed; else nobody clears them. */
static inline void launch_warp(world *x, const rf_wir_cfg *cfg, uint32_t w) {
    x->in.launch |= UINT64_C(1) << w;
    x->gone[w] = false;
    x->own_shared[w] = x->own_global[w] = 0;
    if (cfg->reuse != 0) memset(x->reg[w], 0, sizeof x->reg[w]);
}

static inline void pass_barrier(world *x, const rf_wir_cfg *cfg, uint32_t b) {
    bool stored = false;
    x->in.bar |= (uint16_t)(1u << b);
    x->seen[b] = ++x->nonce;
    for (uint32_t w = 0; w < cfg->warps; w++)
        if (x->in.block[w] == b) stored |= x->own_global[w] != 0, x->own_shared[w] = x->own_global[w] = 0;
    if (stored) x->gseen = ++x->nonce;
}

static inline bool all_out(const world *x, const rf_wir_cfg *cfg, uint32_t b) {
    for (uint32_t w = 0; w < cfg->warps; w++)
        if (x->in.block[w] == b && x->inside[w] > 0) return false;
    return true;
}

static inline void lawful_events(world *x, const rf_wir_cfg *cfg) {
    rf_wir_in *in = &x->in;
    const uint32_t w = ls_rng_below(&x->rng, cfg->warps), b = ls_rng_below(&x->rng, cfg->blocks);
    if (x->inside[w] == 0 && ls_rng_chance(&x->rng, x->p_event)) {
        if (x->gone[w] || ls_rng_chance(&x->rng, 96)) launch_warp(x, cfg, w);
        else in->exit |= UINT64_C(1) << w, x->gone[w] = true;
        in->ib_valid &= ~(UINT64_C(1) << w);
    }
    if (!x->memory_waits && ls_rng_chance(&x->rng, x->p_event)) x->memory_waits = true;
    if (!x->memory_waits || x->memories != 0) return;
    for (uint32_t v = 0; v < cfg->warps; v++)
        if (judge_bit(in->ib_valid, v) && x->head_memory[v]) return;
    x->memory_waits = false;
    const uint32_t kind = ls_rng_below(&x->rng, x->starts ? 16 : 11);
    if (kind < 7) {
        pass_barrier(x, cfg, b);
    } else if (kind < 11) {
        in->fence |= UINT64_C(1) << w;
        x->own_shared[w] = x->own_global[w] = 0;
        if (in->block[w] < cfg->blocks) x->seen[in->block[w]] = ++x->nonce;
        x->gseen = ++x->nonce;
    } else if (kind < 14) {
        if (!all_out(x, cfg, b)) return;
        in->start |= (uint16_t)(1u << b);
        x->epoch[b] = ++x->nonce;
        for (uint32_t v = 0; v < cfg->warps; v++)
            if (in->block[v] == b) launch_warp(x, cfg, v), in->ib_valid &= ~(UINT64_C(1) << v);
    } else {
        in->flush = 1;
        x->kernel = ++x->nonce;
    }
}

static inline void wild_events(world *x, const rf_wir_cfg *cfg) {
    rf_wir_in *in = &x->in;
    ls_rng *r = &x->rng;
    if (ls_rng_chance(r, x->p_event)) in->launch = ls_rng_value(r, cfg->warps);
    if (ls_rng_chance(r, x->p_event)) in->exit = ls_rng_value(r, cfg->warps);
    if (ls_rng_chance(r, x->p_event)) in->fence = ls_rng_value(r, cfg->warps);
    if (ls_rng_chance(r, x->p_event)) in->bar = (uint16_t)ls_rng_value(r, cfg->blocks);
    if (ls_rng_chance(r, x->p_event)) in->start = (uint16_t)(x->starts ? ls_rng_value(r, cfg->blocks) : 0);
    if (ls_rng_chance(r, x->p_event)) in->flush = ls_rng_chance(r, 64);
    if (ls_rng_chance(r, 1))
        for (uint32_t w = 0; w < cfg->warps; w++) in->block[w] = (uint8_t)ls_rng_below(r, judge_codes(cfg->blocks));
}

static inline void stimulate(world *x, const rf_wir_cfg *cfg) {
    rf_wir_in *in = &x->in;
    in->launch = in->exit = in->fence = 0;
    in->bar = in->start = in->flush = 0;
    if (x->lawful) lawful_events(x, cfg);
    else wild_events(x, cfg);
    for (uint32_t w = 0; w < cfg->warps; w++) {
        const bool waits = judge_bit(in->ib_valid, w), memory = waits && x->memory_waits && x->head_memory[w];
        if (x->lawful && (x->gone[w] || x->inside[w] >= RECORDS / 2)) continue;
        if (ls_rng_chance(&x->rng, memory ? x->p_fetch : waits ? x->p_change : x->p_fetch)) fetch(x, cfg, w);
    }
    for (uint32_t e = 0; e < cfg->exports; e++) return_result(x, cfg, e);
    in->ex_ready = x->owes > 400 ? 0 : (uint8_t)ls_rng_bits(&x->rng, cfg->exports, x->p_ready);
}

/* --- after a cycle, before the slow model's edge -----------------------------------------------------------------------------
 */

static inline void deliver(judge *j, world *x, const slow_wir *s, const rf_wir_out *out, uint32_t e) {
    const rf_wir_cfg *cfg = &s->cfg;
    const uint32_t w = out->ex_warp[e];
    flight *f = &x->owed[x->owes];
    record *i = &x->at[w][out->ex_tag[e] % RECORDS];
    uint32_t operand[6][32];
    for (uint32_t k = 0; k < cfg->slots; k++) {
        memcpy(operand[k], out->ex_data[e * cfg->slots + k].lane, sizeof operand[k]);
        if (x->lawful && i->src_valid[k]) judge_words(j, "operand of the program", k, operand[k], i->operand[k], 32);
    }
    if (x->lawful && (!i->active || i->tag != out->ex_tag[e])) fail_msg("%s: who is dispatched never issued", j->where);
    if (!judge_bit(out->ex_dst_valid, e)) {
        if (x->lawful) end(x, w, i);
        return;
    }
    *f = (flight){.warp = w, .dst = out->ex_dst[e], .mask = out->ex_mask[e], .port = e, .info = out->ex_info[e]};
    if (x->lawful) compute(x, i, operand, cfg->lanes, f->data);
    else memcpy(f->data, x->value[mix(out->ex_tag[e], operand[0][0]) % x->values].lane, sizeof f->data);
    for (uint32_t lane = 0; lane < cfg->lanes; lane++) /* lanes that are off may be anything */
        if (!judge_bit(f->mask, lane)) f->data[lane] = (uint32_t)ls_rng_u64(&x->rng);
    x->owes++;
}

static inline void take_note(judge *j, world *x, const slow_wir *s, const slow_turn *now, const rf_wir_out *out) {
    const rf_wir_cfg *cfg = &s->cfg;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const uint32_t w = now->stage.goes[g];
        if (w == NONE) continue;
        if (x->lawful) execute(x, cfg, w);
        x->in.ib_valid &= ~(UINT64_C(1) << w);
    }
    for (uint32_t e = 0; e < cfg->exports; e++) {
        if (judge_bit(x->in.ex_ready, e) && now->stage.offered[e] != NONE) deliver(j, x, s, out, e);
        if (judge_bit(out->res_ready, e)) x->in.res_valid &= (uint8_t) ~(1u << e);
    }
}

/* A reset: what is under way is forgotten, and so are the mappings. */
static inline void forget(world *x) {
    x->owes = x->memories = 0;
    x->in.res_valid = 0;
    x->in.ib_valid = 0;
    x->memory_waits = false;
    memset(x->offered, 0, sizeof x->offered);
    memset(x->inside, 0, sizeof x->inside);
    memset(x->at, 0, sizeof x->at);
    memset(x->gone, 0, sizeof x->gone);
    memset(x->reg, 0, sizeof x->reg);
    memset(x->own_shared, 0, sizeof x->own_shared);
    memset(x->own_global, 0, sizeof x->own_global);
    x->kernel = ++x->nonce;
}

/* Surroundings that have not begun: `names` registers of each warp are used. */
static inline void begin_world(world *x, const rf_wir_cfg *cfg, uint64_t seed, bool lawful, uint32_t names) {
    memset(x, 0, sizeof *x);
    x->lawful = lawful;
    x->names = names;
    ls_rng_seed(&x->rng, seed);
    for (uint32_t w = 0; w < cfg->warps; w++) x->in.block[w] = (uint8_t)(w % cfg->blocks);
    draw_values(x, cfg);
    draw_mix(x, cfg);
}

#endif
