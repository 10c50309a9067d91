/* SPDX-License-Identifier: Apache-2.0 */
/* Judges of an allocation of values to the levels of a register file hierarchy (rf_level_alloc.h) that share nothing with it:
 * what an encoding and the options allow; a proof over all paths that every read finds its register's newest value at the place
 * that it names; a warp of a few lanes that runs the kernel and compares what each read delivers.
 *
 * The machine is that of rf_orf.h. Places: the main register file (MRF) and the names above it, each lane of its own. A result is
 * written by the lanes that take part, to one name, to the MRF or to both; a kept operand is read from the MRF and written to a
 * name by the lanes that read it, behind the reads of its uop (rf_crack.h) and in front of those of the next. Behind an
 * instruction that ends a strand no name holds a value, not even its own result or kept operand. */
#ifndef TB_LEVEL_CHECK_H
#define TB_LEVEL_CHECK_H

#include "tb/compiler/judge/hand_kernel.h"

#include "cmodel/compiler/rf_divergence.h"
#include "cmodel/compiler/rf_level_alloc.h"

typedef struct lc_case {
    const rf_kernel *k;
    const rf_hint *hint; /* one an instruction: flags, src_from, dst_to */
    rf_level_options o;  /* energies do not count */
    const rf_divergence *divergence;
    char why[256]; /* what a judge found */
} lc_case;

typedef struct lc_words {
    uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
    uint32_t nsrc, ndst;
} lc_words;

static inline lc_words lc_words_of(const lc_case *c, uint32_t i) {
    lc_words w;
    rf_kinst_words(&c->k->inst[i], w.src, &w.nsrc, w.dst, &w.ndst);
    return w;
}

static inline bool lc_wrong(lc_case *c, uint32_t i, const char *what, uint32_t number) {
    char text[128];
    (void)snprintf(c->why, sizeof c->why, "instruction %u, %s %u: %s", i, what, number,
                   rf_kinst_print(c->k, i, text, sizeof text));
    return false;
}

static inline bool lc_ends(const lc_case *c, uint32_t i) { return c->hint[i].flags & RF_HINT_STRAND_END; }
static inline uint32_t lc_name(uint8_t place) { return place & RF_LEVEL_NAME; }
static inline bool lc_is_l0(uint32_t name) { return name >= RF_LEVEL_L0; }

/* --- encoding and options --------------------------------------------------------------------------------------------------- */

static inline bool lc_exists(const rf_level_options *o, uint32_t name) {
    if (!lc_is_l0(name)) return name < o->entries;
    return o->l0 == 2 ? name - RF_LEVEL_L0 < o->slots : o->l0 == 1 && name == RF_LEVEL_L0;
}

/* Neither the ALU nor control: no way to the L0. */
static inline bool lc_shared(const rf_kinst *inst) {
    const rf_opclass opclass = rf_kinst_class(inst);
    return opclass != RF_OP_ALU && opclass != RF_OP_CTRL;
}

static inline bool lc_source(lc_case *c, uint32_t i, uint32_t s) {
    const uint8_t from = c->hint[i].src_from[s];
    const uint32_t name = lc_name(from);
    const bool upper = from & RF_FROM_UPPER, keep = from & RF_FROM_KEEP;
    if (from == 0) return true;
    if (upper == keep || from & ~(RF_LEVEL_NAME | RF_FROM_UPPER | RF_FROM_KEEP))
        return lc_wrong(c, i, "no encoding of source", s);
    if (!lc_exists(&c->o, name)) return lc_wrong(c, i, "no such name, source", s);
    if (lc_is_l0(name) && lc_shared(&c->k->inst[i])) return lc_wrong(c, i, "L0 for a shared unit, source", s);
    if (lc_is_l0(name) && c->o.l0 == 2 && upper && name - RF_LEVEL_L0 != s % c->o.slots)
        return lc_wrong(c, i, "bank of another slot, source", s);
    if (keep && !c->o.keep) return lc_wrong(c, i, "kept without the option, source", s);
    if (keep && (c->o.one_level || (c->o.no_l1_and_mrf && !lc_is_l0(name))))
        return lc_wrong(c, i, "kept beside the MRF, source", s);
    return true;
}

static inline bool lc_result(lc_case *c, uint32_t i, uint32_t d) {
    const uint8_t to = c->hint[i].dst_to[d];
    const uint32_t name = lc_name(to);
    if (to == 0) return true;
    if (!(to & RF_TO_UPPER) || to & ~(RF_LEVEL_NAME | RF_TO_UPPER | RF_TO_NOT_MRF))
        return lc_wrong(c, i, "no encoding of result", d);
    if (!lc_exists(&c->o, name)) return lc_wrong(c, i, "no such name, result", d);
    if (lc_is_l0(name) && lc_shared(&c->k->inst[i])) return lc_wrong(c, i, "L0 of a shared unit's result", d);
    if (!(to & RF_TO_NOT_MRF) && (c->o.one_level || (c->o.no_l1_and_mrf && !lc_is_l0(name))))
        return lc_wrong(c, i, "written beside the MRF, result", d);
    return true;
}

/* Sources among each other, and a kept one with the results. */
static inline bool lc_together(lc_case *c, uint32_t i) {
    const lc_words w = lc_words_of(c, i);
    const rf_hint *const hint = &c->hint[i];
    uint32_t kept = RF_KNONE;
    for (uint32_t s = 0; s < w.nsrc; s++) {
        for (uint32_t t = 0; t < s; t++) {
            const uint8_t a = hint->src_from[s], b = hint->src_from[t];
            if (w.src[s] != w.src[t]) continue;
            if ((a & RF_FROM_UPPER) != (b & RF_FROM_UPPER) || (a & RF_FROM_UPPER && a != b))
                return lc_wrong(c, i, "two places of one register, source", s);
        }
        if (!(hint->src_from[s] & RF_FROM_KEEP)) continue;
        if (kept != RF_KNONE && (w.src[kept] != w.src[s] || hint->src_from[kept] != hint->src_from[s]))
            return lc_wrong(c, i, "two operands kept, source", s);
        kept = s;
        for (uint32_t d = 0; d < w.ndst; d++)
            if (hint->dst_to[d] && lc_name(hint->dst_to[d]) == lc_name(hint->src_from[s]))
                return lc_wrong(c, i, "kept where a result goes, source", s);
    }
    return true;
}

/* Without partial ranges: in a block, from where a value is written to a name by all lanes, it is read there up to the end of the
 * strand. */
static inline bool lc_whole(lc_case *c, const rf_kblock *block) {
    bool above[RF_REGS_MAX] = {false};
    for (uint32_t i = block->first; i < block->first + block->count; i++) {
        const lc_words w = lc_words_of(c, i);
        const bool all = c->k->inst[i].guard == RF_KNONE;
        for (uint32_t s = 0; s < w.nsrc; s++)
            if (above[w.src[s]] && !(c->hint[i].src_from[s] & RF_FROM_UPPER)) return lc_wrong(c, i, "partial range, source", s);
        for (uint32_t s = 0; s < w.nsrc; s++) above[w.src[s]] |= all && c->hint[i].src_from[s] & RF_FROM_KEEP;
        for (uint32_t d = 0; d < w.ndst; d++) above[w.dst[d]] = all && c->hint[i].dst_to[d] & RF_TO_UPPER;
        if (lc_ends(c, i)) memset(above, 0, sizeof above);
    }
    return true;
}

/* The upper level into which a path has put a register's newest value last, in its strand: a set of these. */
enum { LC_NO_LEVEL = 1, LC_L1 = 2, LC_L0 = 4 };

static inline uint8_t lc_level(uint8_t place) { return lc_is_l0(lc_name(place)) ? LC_L0 : LC_L1; }

static inline bool lc_one_upper_inst(lc_case *c, uint32_t i, uint8_t *now) {
    const lc_words w = lc_words_of(c, i);
    const uint8_t off = c->k->inst[i].guard == RF_KNONE ? 0 : 0xff; /* some lanes may not take part */
    bool good = true;
    for (uint32_t s = 0; s < w.nsrc; s++) {
        const uint8_t from = c->hint[i].src_from[s], other = lc_level(from) ^ (LC_L0 | LC_L1);
        if (from & RF_FROM_UPPER && now[w.src[s]] & other && good) good = lc_wrong(c, i, "in the L0 and in the L1, source", s);
    }
    for (uint32_t s = 0; s < w.nsrc; s++) {
        const uint8_t from = c->hint[i].src_from[s];
        if (from & RF_FROM_KEEP) now[w.src[s]] = lc_level(from) | (now[w.src[s]] & off);
    }
    for (uint32_t d = 0; d < w.ndst; d++) {
        const uint8_t to = c->hint[i].dst_to[d];
        now[w.dst[d]] = (uint8_t)((to & RF_TO_UPPER ? lc_level(to) : LC_NO_LEVEL) | (now[w.dst[d]] & off));
    }
    if (lc_ends(c, i)) memset(now, LC_NO_LEVEL, RF_REGS_MAX);
    return good;
}

/* A value lies in one upper level at a time: where it has been put into the other one, it is not read from the first again. */
static inline bool lc_one_upper(lc_case *c) {
    uint8_t(*const in)[RF_REGS_MAX] = calloc(c->k->nblock, sizeof *in);
    bool good = true, changed = true;
    memset(in[0], LC_NO_LEVEL, sizeof in[0]);
    while (changed && good) {
        changed = false;
        for (uint32_t b = 0; b < c->k->nblock && good; b++) {
            const rf_kblock *const block = &c->k->block[b];
            uint8_t now[RF_REGS_MAX];
            memcpy(now, in[b], sizeof now);
            for (uint32_t i = block->first; i < block->first + block->count && good; i++) good = lc_one_upper_inst(c, i, now);
            for (uint32_t n = 0; n < block->nsucc * RF_REGS_MAX; n++) {
                uint8_t *const set = &in[block->succ[n / RF_REGS_MAX]][n % RF_REGS_MAX];
                changed |= (now[n % RF_REGS_MAX] & ~*set) != 0;
                *set |= now[n % RF_REGS_MAX];
            }
        }
    }
    free(in);
    return good;
}

/* Whether every place is one that exists for whom it is of, and what the options allow. */
static inline bool lc_structure(lc_case *c) {
    for (uint32_t i = 0; i < c->k->ninst; i++) {
        const lc_words w = lc_words_of(c, i);
        for (uint32_t s = 0; s < RF_HINT_SRC_MAX; s++) {
            if (s >= w.nsrc && c->hint[i].src_from[s]) return lc_wrong(c, i, "no such source", s);
            if (s < w.nsrc && !lc_source(c, i, s)) return false;
        }
        for (uint32_t d = 0; d < RF_HINT_DST_MAX; d++) {
            if (d >= w.ndst && c->hint[i].dst_to[d]) return lc_wrong(c, i, "no such result", d);
            if (d < w.ndst && !lc_result(c, i, d)) return false;
        }
        if (!lc_together(c, i)) return false;
    }
    for (uint32_t b = 0; b < c->k->nblock && !c->o.partial; b++)
        if (!lc_whole(c, &c->k->block[b])) return false;
    return lc_one_upper(c);
}

/* --- proof ------------------------------------------------------------------------------------------------------------------ */

/* A table has for each place the registers whose newest value it surely holds, and behind them the registers that surely have no
 * value yet: those are held everywhere. A state is a table of what holds in every lane that is here, and for each predicate that
 * guards an operand two more: of the lanes where it is true, and where it is false. States meet by intersection. */
#define LC_MRF RF_LEVEL_NAMES
#define LC_NONE (RF_LEVEL_NAMES + 1u)
#define LC_SETS (RF_LEVEL_NAMES + 2u)

typedef struct lc_proof {
    lc_case *c;
    uint32_t words, table_words, tables;
    uint32_t *table_of; /* per predicate: of where it is true, the next of where it is false; 0: no tables */
    bool (*kill)[2];    /* per block and successor: while lanes wait on this edge, others of the warp may end a strand */
    uint64_t *in, *now, *spare, *edge;
    bool *reached;
} lc_proof;

static inline bool lc_has(const uint64_t *set, uint32_t r) { return set[r / 64] >> r % 64 & 1; }
static inline uint64_t *lc_set(const lc_proof *p, uint64_t *table, uint32_t place) { return table + (size_t)place * p->words; }
static inline uint64_t *lc_table(const lc_proof *p, uint64_t *state, uint32_t t) { return state + (size_t)t * p->table_words; }

static inline void lc_meet(uint64_t *to, const uint64_t *from, size_t words) {
    for (size_t w = 0; w < words; w++) to[w] &= from[w];
}

/* A place holds nothing any longer. */
static inline void lc_empty(const lc_proof *p, uint64_t *table, uint32_t place) {
    memcpy(lc_set(p, table, place), lc_set(p, table, LC_NONE), p->words * sizeof *table);
}

static inline void lc_put(const lc_proof *p, uint64_t *table, uint32_t place, uint32_t r) {
    if (place != LC_MRF) lc_empty(p, table, place);
    lc_set(p, table, place)[r / 64] |= UINT64_C(1) << r % 64;
}

/* Reads and kept operands, uop by uop. */
static inline bool lc_read(const lc_proof *p, uint64_t *table, uint32_t i, const lc_words *w, bool check) {
    const uint8_t *const from = p->c->hint[i].src_from;
    bool good = true;
    for (uint32_t first = 0; first < w->nsrc; first += p->c->o.slots) {
        const uint32_t end = first + p->c->o.slots < w->nsrc ? first + p->c->o.slots : w->nsrc;
        for (uint32_t s = first; s < end && check && good; s++) {
            const uint32_t place = from[s] & RF_FROM_UPPER ? lc_name(from[s]) : LC_MRF;
            if (!lc_has(lc_set(p, table, place), w->src[s])) good = lc_wrong(p->c, i, "proof: not there, source", s);
        }
        for (uint32_t s = first; s < end; s++) {
            if (!(from[s] & RF_FROM_KEEP)) continue;
            if (lc_has(lc_set(p, table, LC_MRF), w->src[s])) lc_put(p, table, lc_name(from[s]), w->src[s]);
            else lc_empty(p, table, lc_name(from[s]));
        }
    }
    return good;
}

/* One instruction in lanes that take part. */
static inline bool lc_execute(const lc_proof *p, uint64_t *table, uint32_t i, const lc_words *w, bool check) {
    const bool good = lc_read(p, table, i, w, check);
    for (uint32_t d = 0; d < w->ndst; d++) {
        const uint8_t to = p->c->hint[i].dst_to[d];
        const uint32_t r = w->dst[d];
        for (uint32_t place = 0; place < LC_SETS; place++) lc_set(p, table, place)[r / 64] &= ~(UINT64_C(1) << r % 64);
        if (!(to & RF_TO_NOT_MRF)) lc_put(p, table, LC_MRF, r);
        if (to & RF_TO_UPPER) lc_put(p, table, lc_name(to), r);
    }
    return good;
}

/* The table of where a guard holds, or does not. 0: no table of its own. */
static inline uint32_t lc_where(const lc_proof *p, const rf_kinst *inst, bool holds) {
    if (inst->guard == RF_KNONE || p->table_of[inst->guard] == 0) return 0;
    return p->table_of[inst->guard] + (holds == inst->guard_negated);
}

static inline void lc_end_strand(const lc_proof *p, uint64_t *state) {
    for (uint32_t t = 0; t < p->tables; t++)
        for (uint32_t name = 0; name < RF_LEVEL_NAMES; name++) lc_empty(p, lc_table(p, state, t), name);
}

static inline bool lc_instruction(const lc_proof *p, uint64_t *state, uint32_t i, bool check) {
    const rf_kinst *const inst = &p->c->k->inst[i];
    const lc_words w = lc_words_of(p->c, i);
    const uint32_t on = lc_where(p, inst, true), off = lc_where(p, inst, false);
    bool good = true;
    for (uint32_t t = 0; t < p->tables && (w.nsrc || w.ndst); t++) {
        uint64_t *const table = lc_table(p, state, t);
        if (inst->guard == RF_KNONE || t == on) {
            good &= lc_execute(p, table, i, &w, check && t == on);
        } else if (t != off) {
            memcpy(p->spare, table, p->table_words * sizeof *table);
            (void)lc_execute(p, p->spare, i, &w, false);
            lc_meet(table, p->spare, p->table_words);
        }
    }
    for (uint32_t d = 0; d < inst->ndst; d++) {
        if (inst->dst[d].kind != RF_O_PRED || p->table_of[inst->dst[d].reg] == 0) continue;
        for (uint32_t half = 0; half < 2; half++)
            memcpy(lc_table(p, state, p->table_of[inst->dst[d].reg] + half), state, p->table_words * sizeof *state);
    }
    if (lc_ends(p->c, i)) lc_end_strand(p, state);
    return good;
}

/* The lanes that are left are those of table `where`; none of them is in its opposite. */
static inline void lc_refine(const lc_proof *p, uint64_t *state, uint32_t where, uint32_t opposite) {
    if (where == 0) return;
    for (uint32_t t = 0; t < p->tables; t++)
        for (size_t w = 0; w < p->table_words && t != where; w++) lc_table(p, state, t)[w] |= lc_table(p, state, where)[w];
    memset(lc_table(p, state, opposite), 0xff, p->table_words * sizeof *state);
}

/* The state on the edge from block b to its successor s, from the state at its end, into p->edge. */
static inline void lc_edge(const lc_proof *p, uint32_t b, uint32_t s) {
    const rf_kblock *const block = &p->c->k->block[b];
    const rf_kinst *const last = &p->c->k->inst[block->first + block->count - 1];
    memcpy(p->edge, p->now, p->tables * p->table_words * sizeof *p->edge);
    const bool jumps = last->op == RF_K_BRA || last->op == RF_K_EXIT || last->op == RF_K_TRAP;
    if (jumps && (block->nsucc == 1 || block->succ[0] != block->succ[1])) {
        const bool taken = last->op == RF_K_BRA && s == 0;
        if (last->guard != RF_KNONE) lc_refine(p, p->edge, lc_where(p, last, taken), lc_where(p, last, !taken));
    }
    if (p->kill[b][s]) lc_end_strand(p, p->edge);
}

/* Both ways of a branch at which lanes may part: if one of them ends a strand anywhere, the lanes of the other find nothing when
 * they begin behind it, or go on where all meet. */
static inline void lc_find_kills(const lc_proof *p) {
    const rf_kernel *const k = p->c->k;
    uint32_t *const list = malloc((2 * k->nblock + 1) * sizeof *list);
    bool *const seen = calloc(k->nblock + 1, sizeof *seen);
    for (uint32_t b = 0; b < k->nblock; b++) {
        const rf_kblock *const block = &k->block[b];
        uint32_t count[2];
        bool ends[2] = {false, false};
        if (!p->c->divergence->branch[b]) continue;
        for (uint32_t side = 0; side < 2; side++) {
            uint32_t *const way = list + (size_t)side * k->nblock;
            count[side] = rf_divergence_region(k, block->succ[side], block->ipdom, way, seen);
            for (uint32_t n = 0; n < count[side]; n++)
                for (uint32_t i = 0; i < k->block[way[n]].count; i++) ends[side] |= lc_ends(p->c, k->block[way[n]].first + i);
        }
        for (uint32_t side = 0; side < 2; side++) {
            const uint32_t *const way = list + (size_t)side * k->nblock;
            p->kill[b][side] |= ends[1 - side];
            for (uint32_t n = 0; n < count[side]; n++)
                for (uint32_t s = 0; s < k->block[way[n]].nsucc; s++)
                    p->kill[way[n]][s] |= ends[1 - side] && k->block[way[n]].succ[s] == block->ipdom;
        }
    }
    free(list);
    free(seen);
}

static inline bool lc_block(const lc_proof *p, uint32_t b, bool check) {
    const rf_kblock *const block = &p->c->k->block[b];
    const size_t words = (size_t)p->tables * p->table_words;
    bool good = true;
    memcpy(p->now, p->in + b * words, words * sizeof *p->now);
    if (!p->c->o.branches) lc_end_strand(p, p->now);
    for (uint32_t i = block->first; i < block->first + block->count && good; i++) good = lc_instruction(p, p->now, i, check);
    return good;
}

static inline bool lc_solve(const lc_proof *p) {
    const rf_kernel *const k = p->c->k;
    const size_t words = (size_t)p->tables * p->table_words;
    bool changed = true, good = true;
    memset(p->in, 0xff, words * sizeof *p->in); /* no register has a value */
    p->reached[0] = true;
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < k->nblock; b++) {
            if (!p->reached[b]) continue;
            (void)lc_block(p, b, false);
            for (uint32_t s = 0; s < k->block[b].nsucc; s++) {
                const uint32_t next = k->block[b].succ[s];
                uint64_t *const in = p->in + next * words;
                lc_edge(p, b, s);
                if (!p->reached[next]) memcpy(in, p->edge, words * sizeof *in);
                for (size_t w = 0; w < words && p->reached[next]; w++) {
                    changed |= (in[w] & ~p->edge[w]) != 0;
                    in[w] &= p->edge[w];
                }
                changed |= !p->reached[next];
                p->reached[next] = true;
            }
        }
    }
    for (uint32_t b = 0; b < k->nblock && good; b++) good = !p->reached[b] || lc_block(p, b, true);
    return good;
}

/* Whether no strand ends while lanes wait between two of its instructions, which rf_strand.h promises. */
static inline bool lc_strands_whole(lc_case *c) {
    lc_proof p = {.c = c, .kill = calloc(c->k->nblock, sizeof *p.kill)};
    bool good = true;
    lc_find_kills(&p);
    for (uint32_t b = 0; b < c->k->nblock && good; b++) {
        const uint32_t last = c->k->block[b].first + c->k->block[b].count - 1;
        if (c->k->block[b].reachable && (p.kill[b][0] || p.kill[b][1]) && !lc_ends(c, last))
            good = lc_wrong(c, last, "a strand ends while lanes wait behind block", b);
    }
    free(p.kill);
    return good;
}

/* Whether every read finds its register's newest value, on every path of a lane, whatever the warp's other lanes do meanwhile.
 * Reads of registers without a value are no errors. Refused though right: what is right only because two predicates depend on
 * each other, because a copy equals its source, or because a path cannot be taken for another reason than a branch's own guard.
 */
static inline bool lc_prove(lc_case *c) {
    const rf_kernel *const k = c->k;
    lc_proof p = {.c = c, .words = (k->nreg + 64) / 64, .tables = 1};
    p.table_words = LC_SETS * p.words;
    p.table_of = calloc(k->npred + 1, sizeof *p.table_of);
    for (uint32_t i = 0; i < k->ninst; i++) {
        const lc_words w = lc_words_of(c, i);
        if (k->inst[i].guard == RF_KNONE || p.table_of[k->inst[i].guard] || (w.nsrc == 0 && w.ndst == 0)) continue;
        p.table_of[k->inst[i].guard] = p.tables;
        p.tables += 2;
    }
    const size_t words = (size_t)p.tables * p.table_words;
    p.kill = calloc(k->nblock, sizeof *p.kill);
    p.reached = calloc(k->nblock, sizeof *p.reached);
    p.in = malloc((k->nblock + 2) * words * sizeof *p.in);
    p.now = p.in + k->nblock * words;
    p.edge = p.now + words;
    p.spare = malloc(p.table_words * sizeof *p.spare);
    lc_find_kills(&p);
    const bool good = lc_solve(&p);
    free(p.table_of);
    free(p.kill);
    free(p.reached);
    free(p.in);
    free(p.spare);
    return good;
}

/* --- waste ------------------------------------------------------------------------------------------------------------------ */

/* Registers whose word in the MRF some path reads again, and names, as bits. */
typedef struct lc_needed {
    bool mrf[RF_REGS_MAX];
    uint32_t names;
} lc_needed;

typedef struct lc_waste {
    uint32_t upper, mrf; /* writes to a name that no path reads; to the MRF, beside a name, for nobody */
} lc_waste;

static inline void lc_needed_before(const lc_case *c, uint32_t i, lc_needed *n, lc_waste *waste) {
    const lc_words w = lc_words_of(c, i);
    const rf_hint *const hint = &c->hint[i];
    const bool all = c->k->inst[i].guard == RF_KNONE;
    if (lc_ends(c, i)) n->names = 0;
    for (uint32_t d = w.ndst; d-- > 0;) {
        const uint32_t name = UINT32_C(1) << lc_name(hint->dst_to[d]);
        const bool above = hint->dst_to[d] & RF_TO_UPPER;
        if (waste && above) {
            waste->upper += !(n->names & name);
            waste->mrf += !(hint->dst_to[d] & RF_TO_NOT_MRF) && !n->mrf[w.dst[d]];
        }
        if (above && all) n->names &= ~name;
        if (all) n->mrf[w.dst[d]] = false;
    }
    for (uint32_t s = w.nsrc; s-- > 0;) {
        const uint32_t name = UINT32_C(1) << lc_name(hint->src_from[s]);
        if (!(hint->src_from[s] & RF_FROM_KEEP)) continue;
        uint32_t t = 0; /* a register named twice is kept once */
        while (w.src[t] != w.src[s]) t++;
        if (t < s) continue;
        if (waste) waste->upper += !(n->names & name);
        if (all) n->names &= ~name;
    }
    for (uint32_t s = 0; s < w.nsrc; s++) {
        if (hint->src_from[s] & RF_FROM_UPPER) n->names |= UINT32_C(1) << lc_name(hint->src_from[s]);
        else n->mrf[w.src[s]] = true;
    }
}

/* Writes that cost energy for nothing. Not wrong. */
static inline lc_waste lc_find_waste(const lc_case *c) {
    lc_needed *const in = calloc(c->k->nblock, sizeof *in);
    lc_waste waste = {0};
    bool changed = true;
    while (true) { /* the last round, in which nothing changes, counts */
        bool again = false;
        for (uint32_t b = c->k->nblock; b-- > 0;) {
            const rf_kblock *const block = &c->k->block[b];
            lc_needed now = {.names = 0};
            for (uint32_t s = 0; s < block->nsucc; s++) {
                now.names |= in[block->succ[s]].names;
                for (uint32_t r = 0; r < RF_REGS_MAX; r++) now.mrf[r] |= in[block->succ[s]].mrf[r];
            }
            for (uint32_t i = block->first + block->count; i-- > block->first;)
                lc_needed_before(c, i, &now, changed || !block->reachable ? NULL : &waste);
            again |= memcmp(&now, &in[b], sizeof now) != 0;
            in[b] = now;
        }
        if (!changed) break;
        changed = again;
    }
    free(in);
    return waste;
}

/* --- execution -------------------------------------------------------------------------------------------------------------- */

#define LC_LANES 32u
#define LC_POISON UINT32_MAX

/* Every result of a lane is a number of its own; 0: no value yet. */
typedef struct lc_machine {
    lc_case *c;
    uint32_t newest[RF_REGS_MAX][LC_LANES]; /* what a register's read has to deliver */
    uint32_t mrf[RF_REGS_MAX][LC_LANES], upper[RF_LEVEL_NAMES][LC_LANES];
    uint32_t made, ends; /* values, ends of strands so far */
    bool wrong;
    struct lc_seen {
        uint32_t by, end; /* of the newest value in the lowest lane that wrote it: the instruction; `ends` */
    } seen[RF_REGS_MAX];
    struct lc_site *site; /* per instruction, or NULL: what happened there */
} lc_machine;

typedef struct lc_site {
    uint32_t reads_of;         /* whose value it read above the MRF, plus 1 */
    bool several, far;         /* ... those of several instructions; one of another block */
    bool read_above, read_mrf; /* its own value was read there, in its strand */
} lc_site;

static inline void lc_machine_start(lc_machine *m, lc_case *c, lc_site *site) {
    memset(m, 0, sizeof *m);
    memset(m->upper, 0xff, sizeof m->upper);
    m->c = c;
    m->site = site;
}

static inline void lc_note_read(lc_machine *m, uint32_t i, uint32_t r, bool above) {
    const uint32_t by = m->seen[r].by;
    lc_site *const here = &m->site[i], *const there = &m->site[by];
    if (m->seen[r].end != m->ends) return;
    there->read_above |= above;
    there->read_mrf |= !above;
    if (!above) return;
    here->several |= here->reads_of && here->reads_of != by + 1;
    here->reads_of = by + 1;
    here->far |= rf_kernel_block_of(m->c->k, i) != rf_kernel_block_of(m->c->k, by);
}

/* One instruction with the lanes that take part. */
static inline void lc_machine_step(lc_machine *m, uint32_t i, uint32_t mask) {
    const lc_words w = lc_words_of(m->c, i);
    const rf_hint *const hint = &m->c->hint[i];
    const uint32_t slots = m->c->o.slots;
    for (uint32_t first = 0; first < w.nsrc && mask; first += slots) {
        const uint32_t end = first + slots < w.nsrc ? first + slots : w.nsrc;
        for (uint32_t s = first; s < end; s++) {
            const bool above = hint->src_from[s] & RF_FROM_UPPER;
            const uint32_t r = w.src[s], *const from = above ? m->upper[lc_name(hint->src_from[s])] : m->mrf[r];
            for (uint32_t lane = 0; lane < LC_LANES && mask >> lane && !m->wrong; lane++) {
                if (!(mask >> lane & 1) || !m->newest[r][lane] || from[lane] == m->newest[r][lane]) continue;
                (void)lc_wrong(m->c, i, from[lane] == LC_POISON ? "walk: nothing there, source" : "walk: another value, source",
                               s);
                m->wrong = true;
            }
            if (m->site && m->newest[r][__builtin_ctz(mask)]) lc_note_read(m, i, r, above);
        }
        for (uint32_t s = first; s < end; s++)
            for (uint32_t lane = 0; lane < LC_LANES && mask >> lane && hint->src_from[s] & RF_FROM_KEEP; lane++)
                if (mask >> lane & 1) m->upper[lc_name(hint->src_from[s])][lane] = m->mrf[w.src[s]][lane];
    }
    for (uint32_t d = 0; d < w.ndst && mask; d++) {
        for (uint32_t lane = 0; lane < LC_LANES && mask >> lane; lane++) {
            if (!(mask >> lane & 1)) continue;
            m->newest[w.dst[d]][lane] = ++m->made;
            if (hint->dst_to[d] & RF_TO_UPPER) m->upper[lc_name(hint->dst_to[d])][lane] = m->made;
            if (!(hint->dst_to[d] & RF_TO_NOT_MRF)) m->mrf[w.dst[d]][lane] = m->made;
        }
        m->seen[w.dst[d]] = (struct lc_seen){i, m->ends};
    }
    if (!lc_ends(m->c, i)) return;
    memset(m->upper, 0xff, sizeof m->upper);
    m->ends++;
}

/* A warp's walk: predicates have values, drawn when they are written; one that decides a branch at which lanes cannot part has
 * mostly one for all lanes, and the walk ends where it has not. */
typedef struct lc_walker {
    lc_machine m;
    uint64_t *rng;
    uint32_t pred[64];
    bool together[64];
} lc_walker;

static inline uint32_t lc_walk_takes(void *ctx, uint32_t i, uint32_t mask) {
    lc_walker *const w = ctx;
    const rf_kinst *const inst = &w->m.c->k->inst[i];
    const uint32_t took = mask & (inst->guard_negated ? ~w->pred[inst->guard] : w->pred[inst->guard]);
    if (w->m.wrong) return RF_KNONE;
    if (inst->op != RF_K_BRA || took == 0 || took == mask) return took;
    return w->m.c->divergence->branch[rf_kernel_block_of(w->m.c->k, i)] ? took : RF_KNONE;
}

static inline uint32_t lc_draw(lc_walker *w, uint32_t predicate) {
    const bool together = w->together[predicate] && hand_below(w->rng, 8);
    return together ? 0u - hand_below(w->rng, 2) : (uint32_t)hand_draw(w->rng);
}

static inline void lc_walk_step(void *ctx, uint32_t i, uint32_t mask) {
    lc_walker *const w = ctx;
    const rf_kinst *const inst = &w->m.c->k->inst[i];
    lc_machine_step(&w->m, i, mask);
    for (uint32_t d = 0; d < inst->ndst; d++) {
        if (inst->dst[d].kind != RF_O_PRED) continue;
        uint32_t *const pred = &w->pred[inst->dst[d].reg];
        *pred = (*pred & ~mask) | (lc_draw(w, inst->dst[d].reg) & mask);
    }
}

/* One random walk of at most `limit` instructions: false if a read delivered something else than the newest value. `site`: one an
 * instruction, or NULL. */
static inline bool lc_walk(lc_case *c, uint64_t *rng, uint32_t limit, lc_site *site) {
    lc_walker *const w = malloc(sizeof *w);
    lc_machine_start(&w->m, c, site);
    w->rng = rng;
    for (uint32_t p = 0; p < 64; p++) w->together[p] = false;
    for (uint32_t b = 0; b < c->k->nblock; b++) {
        const rf_kinst *const last = &c->k->inst[c->k->block[b].first + c->k->block[b].count - 1];
        if (last->op == RF_K_BRA && last->guard != RF_KNONE && !c->divergence->branch[b]) w->together[last->guard] = true;
    }
    for (uint32_t p = 0; p < 64; p++) w->pred[p] = lc_draw(w, p);
    hand_walk_by(c->k, rng, limit, lc_walk_takes, lc_walk_step, w);
    const bool good = !w->m.wrong;
    free(w);
    return good;
}

#endif
