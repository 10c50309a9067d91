/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of the slow model of rf_wir, each a few arrays and ifs: rename tables, reuse buffer, load guard, value signature buffer,
 * verify cache, free registers and their references. What happens in a cycle is decided in judge_wir.h. */
#ifndef RF_JUDGE_WIR_TABLES_H
#define RF_JUDGE_WIR_TABLES_H

#include "cmodel/wir/rf_h3.h"
#include "cmodel/wir/rf_wir.h"
#include "tb/banked/judge/judge_stage.h"

enum { NOBODY = 0xffff };

/* An instruction in the rename register, the reuse register or the pending queue. */
typedef struct slow_instr {
    bool valid, dst_valid, src_valid[6], reuse, store, store_shared;
    uint32_t warp, tag, port, mask, dst, src[6], op, imm[6], space;
    bool mapped[6], look, old_valid, old_pin; /* from rename on */
    uint32_t opcode, operand[6], old_preg;
} slow_instr;

typedef struct slow_info {
    bool leader, old_valid, old_pin;
    uint32_t index, old_preg;
} slow_info;

/* A result in a hash pipe, a queue or a verifier. */
typedef struct slow_late {
    bool valid, partial, in_place; /* in place: also an own register that is overwritten at the limit */
    uint32_t warp, dst, mask, data[32], op, preg, cand;
    slow_info info;
} slow_late;

typedef struct slow_verifier {
    rf_verify_state state;
    slow_late late;
    uint32_t coming[32];
} slow_verifier;

typedef struct slow_mapping {
    bool valid, pin;
    uint32_t preg;
} slow_mapping;

typedef struct slow_entry {
    bool valid, pending;
    uint32_t opcode, operand[6], block, barrier, result;
} slow_entry;

typedef struct slow_signature {
    bool valid;
    uint32_t hash, preg;
} slow_signature;

typedef struct slow_line {
    bool valid;
    uint32_t preg, data[32];
} slow_line;

typedef struct slow_guard {
    bool shared[64], global[64]; /* by warp: has stored */
    uint32_t count[16], gcount;
    bool flush, sweep[16]; /* under way */
    bool pass, all;
    uint32_t target, index;
} slow_guard;

typedef struct slow_wir {
    rf_wir_cfg cfg;
    slow_stage stage; /* schedulers, pending registers, collectors, dispatch */
    uint32_t value[1024][32];
    slow_instr rename[4], reuse[4], queue[4][16];
    uint32_t queued[4];
    slow_mapping map[64][256];
    bool walking[64];
    slow_entry entry[512];
    slow_guard guard;
    slow_late pipe[8][5], result[8][16];
    uint32_t results[8];
    slow_signature vsb[512];
    slow_line line[16];
    uint32_t next_line;
    slow_verifier verifier[4][4];
    bool unwritten[1024];
    uint32_t fresh, back[1024], backs; /* given out at least once; free again, in order */
    bool staged[1024], dead[1024];
    int32_t delta[1024];
    uint32_t refs[1024];
    uint16_t lfsr;
    uint32_t last_take[4], last_read[4], last_retire[4], last_port[4];
    uint32_t last_reader[32], last_writer[32];
    bool zero[16][6];
    uint64_t info[16];
} slow_wir;

/* What happens in one cycle. */
typedef struct slow_turn {
    slow_cycle stage;
    bool low, overtakes[64], orders[64], barred[64];
    slow_instr lane[4];
    bool retry[4], allow[4], looks[4], hit[4], wait[4], leads[4], reserved[4], leaves[4], moves[4];
    uint32_t tag_block[4], tag_barrier[4], index[4], found[4], collector[4];
    rf_wir_act act[4];
    uint32_t port[4], wished[4]; /* by group: who has the rename port, 3 nobody; how many wished it */
    uint32_t walk_warp[4], walk_reg[4];
    slow_late late[4];                 /* by group: the result that wants to retire */
    uint32_t late_from[4];             /* its queue, or 8 + verifier */
    bool retires[4], writes[4];        /* writes: it asks for its bank */
    bool queue_writes[8];              /* REUSE 0: by queue */
    uint32_t read_port[4], read_to[4]; /* by group: the queue whose head asks, NONE; the verifier */
    bool reads[4];
    uint32_t take[4];  /* by group: the pipe, NONE */
    uint32_t promised; /* registers, to results that are being verified, at the start */
    bool took[4], starved[4], over[4], looked[4], vhit[4], chit[4], same[4];
    slow_late pushed[4];
    uint32_t got[4], gives[4]; /* by group: the new register, NOBODY; the verifier that gets it, NONE */
    bool left[8], ready[8];    /* by port: a result leaves its pipe; one is accepted */
    slow_entry entry[512];
    slow_signature vsb[512];
    bool filled[4], rm, rm_ready, sweep_ready, removed, rnd, rnd_removed, vfreed[4], put[4];
    uint32_t freed;
    bool touched[1024];
    int32_t delta[1024];
    uint32_t references; /* counts up and down that are asked for */
    uint32_t reader[32], reader_slot[32], writer[32];
    uint32_t offered[4]; /* registers that become free */
    uint32_t offers;
} slow_turn;

static inline uint32_t bits_of(uint32_t n) {
    uint32_t bits = 0;
    while (judge_codes(n) >> bits > 1) bits++;
    return bits;
}

static inline uint32_t all_lanes(const slow_wir *s) { return (uint32_t)ls_mask(s->cfg.lanes); }

static inline uint64_t pack_info(const rf_wir_cfg *cfg, const slow_info *i) {
    const uint32_t p = bits_of(cfg->pregs);
    return (uint64_t)i->old_pin | (uint64_t)i->old_valid << 1 | (uint64_t)i->old_preg << 2 | (uint64_t)i->leader << (2 + p) |
           (uint64_t)i->index << (3 + p);
}

static inline slow_info unpack_info(const rf_wir_cfg *cfg, uint64_t word) {
    const uint32_t p = bits_of(cfg->pregs);
    slow_info i;
    i.old_pin = judge_bit(word, 0);
    i.old_valid = judge_bit(word, 1);
    i.old_preg = (uint32_t)(word >> 2 & ls_mask(p));
    i.leader = judge_bit(word, 2 + p);
    i.index = (uint32_t)(word >> (3 + p) & ls_mask(bits_of(cfg->entries)));
    return i;
}

static inline void read_preg(const slow_wir *s, uint32_t preg, uint32_t *data) {
    for (uint32_t lane = 0; lane < 32; lane++) data[lane] = preg < s->cfg.pregs ? s->value[preg][lane] : 0;
}

/* --- references and free registers ----------------------------------------------------------------------------------------- */

static inline void refer(const slow_wir *s, slow_turn *now, uint32_t preg, int32_t by) {
    now->references++;
    if (preg >= s->cfg.pregs) return;
    now->touched[preg] = true;
    now->delta[preg] += by;
}

static inline uint32_t free_count(const slow_wir *s) { return s->cfg.pregs - s->fresh + s->backs; }

/* The free register at a place of the order in which they are given out. */
static inline uint32_t free_at(const slow_wir *s, uint32_t place) {
    return place < s->backs ? s->back[place] : s->fresh + place - s->backs;
}

static inline void find_free(const slow_wir *s, slow_turn *now) {
    now->offers = 0;
    for (uint32_t r = 0; r < s->cfg.pregs && now->offers < 2; r++) /* VII-E: 2 registers out */
        if (s->dead[r]) now->offered[now->offers++] = r;
}

static inline void clock_references(slow_wir *s, const slow_turn *now) {
    const uint32_t full = (1u << s->cfg.countw) - 1;
    for (uint32_t i = 0; i < now->offers; i++) s->dead[now->offered[i]] = false;
    for (uint32_t r = 0; r < s->cfg.pregs; r++) {
        if (s->staged[r]) {
            const int32_t sum = (int32_t)s->refs[r] + s->delta[r];
            if (s->refs[r] != full) s->refs[r] = sum < 0 ? 0 : (uint32_t)sum > full ? full : (uint32_t)sum;
            if (s->refs[r] == 0) s->dead[r] = true;
        }
        s->staged[r] = now->touched[r];
        s->delta[r] = now->delta[r];
    }
}

static inline void clock_free(slow_wir *s, const slow_turn *now) {
    uint32_t count = free_count(s);
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        if (now->got[g] == NOBODY) continue;
        if (s->backs == 0) {
            s->fresh++;
            continue;
        }
        for (uint32_t i = 1; i < s->backs; i++) s->back[i - 1] = s->back[i];
        s->backs--;
    }
    for (uint32_t i = 0; i < now->offers; i++)
        if (count < s->cfg.pregs) s->back[s->backs++] = now->offered[i], count++;
}

/* --- rename tables --------------------------------------------------------------------------------------------------------- */

static inline slow_mapping mapping_of(const slow_wir *s, uint32_t warp, uint32_t reg) {
    static const slow_mapping nothing;
    if (s->cfg.reuse == 0) {
        const uint32_t bank = (reg + warp) % s->cfg.banks, row = warp * rows_per_warp(&s->stage.cfg) + reg / s->cfg.banks;
        return (slow_mapping){true, false, row * s->cfg.banks + bank};
    }
    return warp < s->cfg.warps && reg < s->cfg.regs && s->map[warp][reg].valid ? s->map[warp][reg] : nothing;
}

/* The lowest marked warp of group g, or NONE. */
static inline uint32_t marked(const slow_wir *s, uint32_t g) {
    for (uint32_t w = g; w < s->cfg.warps; w += s->cfg.issues)
        if (s->walking[w]) return w;
    return NONE;
}

static inline uint32_t lowest_mapped(const slow_wir *s, uint32_t warp) {
    for (uint32_t r = 0; r < s->cfg.regs; r++)
        if (s->map[warp][r].valid) return r;
    return NOBODY;
}

/* --- load guard ------------------------------------------------------------------------------------------------------------ */

static inline void ask_guard(const slow_wir *s, const rf_wir_in *in, const slow_instr *i, bool *allow, uint32_t *block,
                             uint32_t *barrier) {
    const slow_guard *u = &s->guard;
    const uint32_t b = in->block[i->warp];
    *block = judge_codes(s->cfg.blocks);
    *barrier = 0;
    *allow = true;
    if (i->space == RF_SPACE_NONE) return;
    *allow = !u->flush;
    if (i->space == RF_SPACE_SHARED) {
        *block = b;
        *barrier = b < s->cfg.blocks ? u->count[b] : 0;
        *allow = *allow && !(b < s->cfg.blocks && u->sweep[b]) && !u->shared[i->warp] && *barrier != 31;
    }
    if (i->space == RF_SPACE_GLOBAL) {
        *barrier = u->gcount;
        *allow = *allow && !u->global[i->warp] && u->gcount != 31;
    }
}

static inline void clock_guard(slow_wir *s, const rf_wir_in *in, const slow_turn *now) {
    slow_guard *u = &s->guard;
    const uint32_t warps = s->cfg.warps, blocks = s->cfg.blocks;
    bool up = false, flush = in->flush, ends_flush = false;
    for (uint32_t w = 0; w < warps; w++) up |= judge_bit(in->fence, w);
    for (uint32_t b = 0; b < blocks; b++) {
        bool mine = judge_bit(in->bar, b);
        for (uint32_t w = 0; w < warps; w++) {
            mine |= in->block[w] == b && judge_bit(in->fence, w);
            up |= judge_bit(in->bar, b) && in->block[w] == b && u->global[w];
        }
        if (mine && u->count[b] < 31) u->count[b]++;
        if (judge_bit(in->start, b)) u->count[b] = 0;
    }
    for (uint32_t w = 0; w < warps; w++) {
        const bool over =
            judge_bit(in->launch, w) || judge_bit(in->fence, w) || (in->block[w] < blocks && judge_bit(in->bar, in->block[w]));
        if (over) u->shared[w] = u->global[w] = false;
    }
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const slow_instr *i = &s->rename[g];
        if (!now->moves[g] || !i->store) continue;
        if (i->store_shared) u->shared[i->warp] = true;
        else u->global[i->warp] = true;
    }
    if (u->pass && now->sweep_ready && u->index == s->cfg.entries - 1) {
        ends_flush = u->all;
        u->pass = false;
        u->index = 0;
        if (u->all) memset(u->sweep, 0, sizeof u->sweep), u->flush = false;
        else u->sweep[u->target] = false;
    } else if (u->pass) {
        if (now->sweep_ready) u->index++;
    } else if (u->flush) {
        u->pass = u->all = true;
    } else {
        for (uint32_t b = blocks; b-- > 0;)
            if (u->sweep[b]) u->pass = true, u->all = false, u->target = b;
    }
    if (ends_flush) {
        u->gcount = 0;
    } else if (up && u->gcount < 31) {
        u->gcount++;
        flush |= u->gcount == 31;
    }
    if (flush) u->flush = true;
    for (uint32_t b = 0; b < blocks; b++)
        if (judge_bit(in->start, b)) u->sweep[b] = true;
}

/* --- reuse buffer ---------------------------------------------------------------------------------------------------------- */

/* Place of a tag: its bits in a row, folded. */
static inline uint32_t place_of(const slow_wir *s, uint32_t opcode, const uint32_t *operand, uint32_t block, uint32_t barrier) {
    bool number[96] = {false};
    uint32_t length = 0, index = 0, fold = 0;
    while (1u << fold < s->cfg.entries) fold++;
    for (uint32_t i = 0; i < 8; i++) number[length++] = judge_bit(opcode, i);
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        for (uint32_t i = 0; i < bits_of(s->cfg.pregs); i++) number[length++] = judge_bit(operand[k], i);
    for (uint32_t i = 0; i < bits_of(s->cfg.blocks) + 1; i++) number[length++] = judge_bit(block, i);
    for (uint32_t i = 0; i < 5; i++) number[length++] = judge_bit(barrier, i);
    for (uint32_t i = 0; fold > 0 && i < length; i++)
        if (number[i]) index ^= 1u << i % fold;
    return index;
}

static inline bool same_tag(const slow_wir *s, const slow_entry *e, const slow_instr *i, uint32_t block, uint32_t barrier) {
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (e->operand[k] != i->operand[k]) return false;
    return e->opcode == i->opcode && e->block == block && e->barrier == barrier;
}

static inline uint32_t give_up(const slow_wir *s, slow_turn *now, slow_entry *e) {
    uint32_t freed = 0;
    if (!e->valid) return 0;
    e->valid = false;
    for (uint32_t k = 0; k < s->cfg.slots; k++)
        if (judge_bit(e->opcode, k)) refer(s, now, e->operand[k], -1), freed++;
    if (!e->pending) refer(s, now, e->result, -1), freed++;
    now->freed += freed;
    return freed;
}

/* The buffer after the cycle: fills, lanes, removal. */
static inline void change_entries(const slow_wir *s, slow_turn *now) {
    const uint32_t issues = s->cfg.issues;
    const slow_guard *u = &s->guard;
    bool fresh[512] = {false}, named[512] = {false}, filling[512] = {false}, looked = false;
    uint32_t freed_by_first = 0, at;
    memcpy(now->entry, s->entry, s->cfg.entries * sizeof *s->entry);
    for (uint32_t g = 0; g < issues; g++) {
        if (!now->retires[g] || !now->late[g].info.leader) continue;
        slow_entry *e = &now->entry[now->late[g].info.index % s->cfg.entries];
        filling[now->late[g].info.index % s->cfg.entries] = true;
        now->filled[g] = e->valid && e->pending;
        if (now->filled[g]) e->result = now->late[g].preg, refer(s, now, now->late[g].preg, 1);
        e->pending = false;
    }
    for (uint32_t g = 0; g < issues; g++) {
        looked |= now->looks[g] && now->leaves[g];
        if (!now->leads[g]) continue;
        at = now->index[g];
        slow_entry *e = &now->entry[at];
        uint32_t freed = 0;
        named[at] = true;
        if (now->low) {
            if (!filling[at] && !fresh[at]) freed = give_up(s, now, e);
        } else if (!s->entry[at].pending && !fresh[at]) {
            const slow_instr *i = &now->lane[g];
            freed = give_up(s, now, e);
            e->valid = e->pending = fresh[at] = now->reserved[g] = true;
            e->opcode = i->opcode;
            e->block = now->tag_block[g];
            e->barrier = now->tag_barrier[g];
            for (uint32_t k = 0; k < s->cfg.slots; k++) {
                e->operand[k] = i->operand[k];
                if (i->src_valid[k]) refer(s, now, i->operand[k], 1);
            }
        }
        if (g == 0) freed_by_first = freed;
    }
    at = u->pass ? u->index : s->lfsr % s->cfg.entries;
    now->rm = u->pass || (now->low && !looked);
    now->rm_ready = !filling[at] && !named[at] && freed_by_first == 0;
    now->sweep_ready = now->rm_ready;
    if (!now->rm || !now->rm_ready) return;
    if (!u->pass || u->all || now->entry[at].block == u->target) now->removed = give_up(s, now, &now->entry[at]) > 0;
}

/* --- value signature buffer and verify cache ---------------------------------------------------------------------------------
 */

static inline void change_signatures(const slow_wir *s, slow_turn *now) {
    bool any = false;
    memcpy(now->vsb, s->vsb, s->cfg.ventries * sizeof *s->vsb);
    if (s->cfg.vsb == 0) return;
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        if (!now->took[g] || !now->looked[g]) continue;
        any = true;
        if (now->vhit[g]) continue;
        rf_vec data;
        memcpy(data.lane, now->pushed[g].data, sizeof data.lane);
        const uint32_t hash = rf_h3_hash(&data);
        slow_signature *v = &now->vsb[hash % s->cfg.ventries];
        if (now->over[g] && !now->low) continue; /* nothing new to put there */
        now->vfreed[g] = v->valid;
        if (v->valid) refer(s, now, v->preg, -1);
        v->valid = now->put[g] = !now->low;
        if (now->low) continue;
        v->hash = hash;
        v->preg = now->pushed[g].preg;
        refer(s, now, v->preg, 1);
    }
    now->rnd = now->low && !any && now->gives[0] == NONE;
    slow_signature *v = &now->vsb[s->lfsr % s->cfg.ventries];
    now->rnd_removed = now->rnd && v->valid;
    if (!now->rnd_removed) return;
    refer(s, now, v->preg, -1);
    v->valid = false;
}

static inline uint32_t line_of(const slow_wir *s, uint32_t preg) {
    for (uint32_t i = 0; i < s->cfg.vcache; i++)
        if (s->line[i].valid && s->line[i].preg == preg) return i;
    return NONE;
}

static inline void clock_cache(slow_wir *s, const slow_turn *now) {
    const uint32_t lines = s->cfg.vcache;
    if (lines == 0) return;
    for (uint32_t g = 0; g < s->cfg.issues; g++)
        for (uint32_t v = 0; v < s->cfg.verifiers; v++) {
            const slow_verifier *u = &s->verifier[g][v];
            if (u->state != RF_VERIFY_CHECK || u->late.op == RF_RESULT_MERGE) continue;
            uint32_t at = line_of(s, u->late.cand);
            for (uint32_t i = lines; at == NONE && i-- > 0;) {
                uint32_t lowest = 0;
                while (lowest < lines && s->line[lowest].valid) lowest++;
                if (lowest < lines) at = lowest;
            }
            if (at == NONE) at = s->next_line, s->next_line = (s->next_line + 1) % lines;
            s->line[at].valid = true;
            s->line[at].preg = u->late.cand;
            memcpy(s->line[at].data, u->coming, sizeof u->coming);
        }
    for (uint32_t g = 0; g < s->cfg.issues; g++) {
        const uint32_t at = now->got[g] != NOBODY ? line_of(s, now->got[g]) : NONE; /* D-stale */
        if (at != NONE) s->line[at].valid = false;
    }
}

#endif
