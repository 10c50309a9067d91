/* SPDX-License-Identifier: Apache-2.0 */
/* What tests of level_check.h share: a kernel with its hints; options; counts; wrong allocations of every kind. */
#ifndef TB_LEVEL_KERNEL_H
#define TB_LEVEL_KERNEL_H

#include "tb/compiler/judge/level_check.h"

#include "cmodel/compiler/rf_regalloc.h"
#include "tb/compiler/judge/random_kernel.h"

/* A kernel with its hints and what they are judged with. */
typedef struct level_kernel {
    rf_kernel k;
    rf_strands strands;
    rf_divergence divergence;
    rf_hint *hint;
    lc_case c;
} level_kernel;

/* Takes the kernel over; all values in the main register file. */
static inline void level_start(level_kernel *l, const rf_kernel *kernel) {
    l->k = *kernel;
    assert_int_equal(rf_strands_compute(&l->strands, &l->k), 0);
    assert_int_equal(rf_divergence_compute(&l->divergence, &l->k), 0);
    l->hint = calloc(l->k.ninst + 1, sizeof *l->hint);
    for (uint32_t i = 0; i < l->k.ninst; i++) l->hint[i].flags = l->strands.flags[i];
    l->c = (lc_case){.k = &l->k, .hint = l->hint, .divergence = &l->divergence};
}

static inline void level_free(level_kernel *l) {
    rf_divergence_free(&l->divergence);
    rf_strands_free(&l->strands);
    rf_kernel_free(&l->k);
    free(l->hint);
}

static inline bool judged(lc_case *c) { return lc_structure(c) && lc_prove(c); }

/* Places of every read of one register in an instruction. */
static inline void place_reads(level_kernel *l, uint32_t i, uint32_t r, uint8_t from) {
    const lc_words w = lc_words_of(&l->c, i);
    for (uint32_t s = 0; s < w.nsrc; s++)
        if (w.src[s] == r) l->hint[i].src_from[s] = from;
}

static inline void place_results(level_kernel *l, uint32_t i, uint32_t r, uint8_t to) {
    const lc_words w = lc_words_of(&l->c, i);
    for (uint32_t d = 0; d < w.ndst; d++)
        if (w.dst[d] == r) l->hint[i].dst_to[d] = to;
}

static inline uint32_t some_name(const rf_level_options *o, uint64_t *rng) {
    uint32_t name;
    do name = hand_below(rng, RF_LEVEL_NAMES);
    while (!lc_exists(o, name));
    return name;
}

/* --- counts -------------------------------------------------------------------------------------------------------------------
 */

static struct level_counts {
    uint64_t kernels, l1, l0, not_mrf, keeps, reads_above, reads, several, far, partial, waste_upper, waste_mrf;
} counted;

static inline void count(lc_case *c, const lc_site *site) {
    const lc_waste waste = lc_find_waste(c);
    counted.kernels++;
    counted.waste_upper += waste.upper;
    counted.waste_mrf += waste.mrf;
    for (uint32_t i = 0; i < c->k->ninst; i++) {
        const lc_words w = lc_words_of(c, i);
        for (uint32_t s = 0; s < w.nsrc; s++) {
            counted.reads++;
            counted.reads_above += (c->hint[i].src_from[s] & RF_FROM_UPPER) != 0;
            counted.keeps += (c->hint[i].src_from[s] & RF_FROM_KEEP) != 0;
        }
        for (uint32_t d = 0; d < w.ndst; d++) {
            const uint8_t to = c->hint[i].dst_to[d];
            counted.l1 += to & RF_TO_UPPER && !lc_is_l0(lc_name(to));
            counted.l0 += to & RF_TO_UPPER && lc_is_l0(lc_name(to));
            counted.not_mrf += (to & RF_TO_NOT_MRF) != 0;
        }
        counted.several += site[i].several;
        counted.far += site[i].far;
        counted.partial += site[i].read_above && site[i].read_mrf;
    }
}

static inline void print_counts(const char *what) {
    print_message(
        "%s: %llu allocations: results %llu in the L1, %llu in the L0, %llu not in the MRF; %llu operands kept; "
        "%llu of %llu reads above the MRF, %llu of several instructions' results, %llu of another block's; %llu partial "
        "ranges; %llu and %llu writes for nobody, to a name and to the MRF\n",
        what, (unsigned long long)counted.kernels, (unsigned long long)counted.l1, (unsigned long long)counted.l0,
        (unsigned long long)counted.not_mrf, (unsigned long long)counted.keeps, (unsigned long long)counted.reads_above,
        (unsigned long long)counted.reads, (unsigned long long)counted.several, (unsigned long long)counted.far,
        (unsigned long long)counted.partial, (unsigned long long)counted.waste_upper, (unsigned long long)counted.waste_mrf);
}

/* Walks of an allocation that was proved. */
static inline void walk_right(lc_case *c, uint64_t *rng, uint32_t walks, uint32_t limit, const char *what) {
    lc_site *const site = calloc(c->k->ninst, sizeof *site);
    for (uint32_t n = 0; n < walks; n++)
        if (!lc_walk(c, rng, limit, site)) fail_msg("%s: proved, but %s", what, c->why);
    count(c, site);
    free(site);
}

/* Options number n of all that differ: 1 to 8 entries; no, one, split L0; partial ranges, kept operands, branches; one level,
 * not L1 and MRF. */
#define LEVEL_OPTIONS (RF_LEVEL_ENTRIES_MAX * 3 * 8 * 3)
static inline rf_level_options options_of(uint32_t n) {
    static const uint32_t entries[RF_LEVEL_ENTRIES_MAX] = {3, 1, 8, 2, 4, 5, 6, 7};
    const uint32_t rest = n / RF_LEVEL_ENTRIES_MAX;
    rf_level_options o = {.entries = entries[n % RF_LEVEL_ENTRIES_MAX], .l0 = 2 - rest % 3, .slots = 3};
    o.partial = !(rest / 3 & 1);
    o.keep = !(rest / 6 & 1);
    o.branches = !(rest / 12 & 1);
    o.one_level = rest / 24 == 1;
    o.no_l1_and_mrf = rest / 24 == 2;
    return o;
}

/* A random kernel in registers, with short loads among the long ones. */
static inline void random_level(level_kernel *l, uint64_t seed) {
    rf_kernel k;
    char error[256];
    random_options options = {.variables = 20 + (uint32_t)(seed * 7 % 60),
                              .length = 30 + (uint32_t)(seed * 31 % 120),
                              .fresh = seed % 3 ? 140 : 60,
                              .local = (uint32_t)(seed % 7) * 36,
                              .guards = seed % 2 ? 20 : 90,
                              .all_kinds = true,
                              .near = seed % 4 ? 220 : 80,
                              .special = 30,
                              .uniform = seed % 3 ? 0 : 128};
    do {
        random_kernel(&k, seed, &options);
        if (rf_regalloc(&k, seed % 7 == 0 ? 255 : seed % 5 ? 32 : 18, 7, error, sizeof error) == 0) break;
        rf_kernel_free(&k);
        seed += 100000;
    } while (true);
    level_start(l, &k);
}

/* Any jump between any blocks, over few registers: loops with several entries, ways without an end. */
static inline void wild_level(level_kernel *l, uint64_t *rng) {
    rf_kernel k;
    hand_random(&k, rng, 2 + 2 * hand_below(rng, 5), hand_below(rng, 3) == 0);
    level_start(l, &k);
}

/* --- wrong allocations ------------------------------------------------------------------------------------------------------ */

typedef enum fault_kind {
    F_NOT_MRF,     /* a result above the MRF and in it: not in it */
    F_READ_NAME,   /* a read of another name */
    F_WRITE_NAME,  /* a result to another name */
    F_KEEP_NAME,   /* an operand kept in another name */
    F_OVERLAP,     /* two names of a strand become one */
    F_READ_ABOVE,  /* a read from the MRF: from a name */
    F_READ_MERGE,  /* ... where ways meet, from a name that one of the ways wrote */
    F_READ_MRF,    /* a read from a name: from the MRF */
    F_NO_WRITE,    /* a result to a name: to the MRF only */
    F_NO_KEEP,     /* an operand is not kept */
    F_LATE_KEEP,   /* ... but at a later read, which an earlier one or one beside it does not wait for */
    F_BEHIND_END,  /* a read from the name that it had in an earlier strand */
    F_SHARED_L0,   /* an operand or a result of a shared unit in the L0 */
    F_BANK,        /* a read from the L0 bank of another slot, which is written, too */
    F_NO_NAME,     /* a name that does not exist */
    F_TWO_KEPT,    /* two operands of one instruction kept */
    F_TWO_PLACES,  /* a register read twice, from two places */
    F_EXTRA_WRITE, /* a result goes to some name, too */
    F_EXTRA_KEEP,  /* an operand is kept in some name */
    F_END,         /* a strand ends at some instruction */
    F_GUARD,       /* an instruction that writes a name has a guard */
    F_TWO_UPPER,   /* a value of the L0 is kept in the L1, or the other way round */
    F_NO_RESULT,   /* a result goes nowhere */
    FAULTS
} fault_kind;

static const char *const fault_names[FAULTS] = {"not into the MRF",
                                                "read of another name",
                                                "result to another name",
                                                "kept in another name",
                                                "two names become one",
                                                "read above the MRF",
                                                "read above at a merge",
                                                "read of the MRF",
                                                "result to the MRF only",
                                                "not kept",
                                                "kept at a later read",
                                                "read behind a strand's end",
                                                "L0 of a shared unit",
                                                "another slot's bank",
                                                "no such name",
                                                "two operands kept",
                                                "two places",
                                                "one more write",
                                                "one more kept",
                                                "one more strand's end",
                                                "a guard",
                                                "in the L0 and the L1",
                                                "result nowhere"};

static inline void rename_strand(level_kernel *l, uint32_t strand, uint32_t from, uint32_t to) {
    for (uint32_t i = 0; i < l->k.ninst; i++) {
        if (l->strands.of[i] != strand) continue;
        for (uint32_t s = 0; s < RF_HINT_SRC_MAX; s++) {
            uint8_t *const place = &l->hint[i].src_from[s];
            if (*place && lc_name(*place) == from) *place = (uint8_t)(*place ^ from ^ to);
        }
        for (uint32_t d = 0; d < RF_HINT_DST_MAX; d++) {
            uint8_t *const place = &l->hint[i].dst_to[d];
            if (*place && lc_name(*place) == from) *place = (uint8_t)(*place ^ from ^ to);
        }
    }
}

/* The name that r was last written to or kept in, by the order of instructions in front of i: RF_LEVEL_NAMES: none. *by: where.
 */
static inline uint32_t last_name(level_kernel *l, uint32_t i, uint32_t r, uint32_t *by) {
    while (i-- > 0) {
        const lc_words w = lc_words_of(&l->c, i);
        *by = i;
        for (uint32_t d = 0; d < w.ndst; d++)
            if (w.dst[d] == r) return l->hint[i].dst_to[d] ? lc_name(l->hint[i].dst_to[d]) : RF_LEVEL_NAMES;
        for (uint32_t s = 0; s < w.nsrc; s++)
            if (w.src[s] == r && l->hint[i].src_from[s] & RF_FROM_KEEP) return lc_name(l->hint[i].src_from[s]);
    }
    return RF_LEVEL_NAMES;
}

/* A fault of an operand. */
static inline bool plant_source(level_kernel *l, uint64_t *rng, fault_kind kind, uint32_t i, const lc_words *w, uint32_t s) {
    uint8_t *const from = &l->hint[i].src_from[s];
    const uint32_t name = some_name(&l->c.o, rng), old = lc_name(*from), r = w->src[s], block = rf_kernel_block_of(&l->k, i);
    const bool upper = *from & RF_FROM_UPPER, keep = *from & RF_FROM_KEEP;
    const uint8_t there = (uint8_t)(RF_FROM_UPPER | name);
    uint32_t by = 0;
    const uint32_t was = last_name(l, i, r, &by);
    switch (kind) {
    case F_READ_NAME:
        if (upper && name != old) return place_reads(l, i, r, there), true;
        return false;
    case F_KEEP_NAME:
        if (keep && name != old) return *from = (uint8_t)(RF_FROM_KEEP | name), true;
        return false;
    case F_OVERLAP:
        if (upper && name != old && lc_is_l0(name) == lc_is_l0(old)) return rename_strand(l, l->strands.of[i], old, name), true;
        return false;
    case F_READ_ABOVE:
        if (!upper) return place_reads(l, i, r, there), true;
        return false;
    case F_READ_MERGE:
        if (upper || l->k.block[block].npred < 2 || was >= RF_LEVEL_NAMES) return false;
        return place_reads(l, i, r, (uint8_t)(RF_FROM_UPPER | was)), true;
    case F_READ_MRF:
        if (upper) return place_reads(l, i, r, 0), true;
        return false;
    case F_NO_KEEP:
        if (keep) return place_reads(l, i, r, 0), true;
        return false;
    case F_LATE_KEEP:
        for (uint32_t n = i + 1; keep && n < l->k.ninst && l->strands.of[n] == l->strands.of[i]; n++) {
            const lc_words later = lc_words_of(&l->c, n);
            for (uint32_t t = 0; t < later.nsrc; t++) {
                if (later.src[t] != r || l->hint[n].src_from[t] != (RF_FROM_UPPER | old)) continue;
                place_reads(l, n, r, 0);
                l->hint[n].src_from[t] = (uint8_t)(RF_FROM_KEEP | old);
                return place_reads(l, i, r, hand_below(rng, 2) ? (uint8_t)(RF_FROM_UPPER | old) : 0), true;
            }
        }
        return false;
    case F_BEHIND_END:
        if (*from || was >= RF_LEVEL_NAMES || l->strands.of[by] == l->strands.of[i]) return false;
        return place_reads(l, i, r, (uint8_t)(RF_FROM_UPPER | was)), true;
    case F_SHARED_L0:
        if (!lc_is_l0(name) || !lc_shared(&l->k.inst[i])) return false;
        return *from = (uint8_t)(name | (*from ? *from & ~RF_LEVEL_NAME : RF_FROM_UPPER)), true;
    case F_BANK:
        if (!upper || !lc_is_l0(old) || l->c.o.l0 != 2 || !lc_is_l0(name) || name == old) return false;
        return rename_strand(l, l->strands.of[i], old, name), true;
    case F_NO_NAME:
        if (!*from || l->c.o.entries == RF_LEVEL_ENTRIES_MAX) return false;
        return rename_strand(l, l->strands.of[i], old, l->c.o.entries), true;
    case F_TWO_KEPT:
        for (uint32_t t = 0; t < w->nsrc; t++)
            if (keep && w->src[t] != r && l->hint[i].src_from[t] == 0)
                return l->hint[i].src_from[t] = (uint8_t)(RF_FROM_KEEP | name), true;
        return false;
    case F_TWO_PLACES:
        for (uint32_t t = 0; t < w->nsrc; t++)
            if (upper && t != s && w->src[t] == r) return *from = hand_below(rng, 2) && name != old ? there : 0, true;
        return false;
    case F_EXTRA_KEEP:
        if (!*from) return *from = (uint8_t)(RF_FROM_KEEP | name), true;
        return false;
    case F_TWO_UPPER:
        for (uint32_t n = i + 1; n < l->k.ninst && l->strands.of[n] == l->strands.of[i]; n++) {
            const lc_words later = lc_words_of(&l->c, n);
            for (uint32_t t = 0; t < later.nsrc && !*from; t++) {
                const uint8_t place = l->hint[n].src_from[t];
                if (later.src[t] != r || !(place & RF_FROM_UPPER) || lc_is_l0(lc_name(place)) == lc_is_l0(name)) continue;
                return *from = (uint8_t)(RF_FROM_KEEP | name), true;
            }
        }
        return false;
    default:
        return false;
    }
}

/* A fault of a result. */
static inline bool plant_result(level_kernel *l, uint64_t *rng, fault_kind kind, uint32_t i, uint32_t d) {
    uint8_t *const to = &l->hint[i].dst_to[d];
    const uint32_t name = some_name(&l->c.o, rng);
    const bool upper = *to & RF_TO_UPPER, mrf = !(*to & RF_TO_NOT_MRF);
    switch (kind) {
    case F_NOT_MRF:
        if (upper && mrf) return *to |= RF_TO_NOT_MRF, true;
        return false;
    case F_WRITE_NAME:
        if (upper && name != lc_name(*to)) return *to = (uint8_t)(name | (*to & ~RF_LEVEL_NAME)), true;
        return false;
    case F_NO_WRITE:
        if (upper) return *to = 0, true;
        return false;
    case F_SHARED_L0:
        if (!lc_is_l0(name) || !lc_shared(&l->k.inst[i])) return false;
        return *to = (uint8_t)(name | (*to ? *to & ~RF_LEVEL_NAME : RF_TO_UPPER)), true;
    case F_NO_NAME:
        if (!upper || l->c.o.entries == RF_LEVEL_ENTRIES_MAX) return false;
        return rename_strand(l, l->strands.of[i], lc_name(*to), l->c.o.entries), true;
    case F_EXTRA_WRITE:
        if (!upper) return *to = (uint8_t)(RF_TO_UPPER | name), true;
        return false;
    case F_GUARD:
        if (!upper || l->k.inst[i].guard != RF_KNONE || l->k.npred == 0) return false;
        return l->k.inst[i].guard = hand_below(rng, l->k.npred), true;
    case F_NO_RESULT:
        return *to = RF_TO_NOT_MRF, true;
    default:
        return false;
    }
}

/* Plants one fault of a kind at a random place; false: there is none for it. */
static inline bool plant(level_kernel *l, uint64_t *rng, fault_kind kind) {
    for (uint32_t n = 0, start = hand_below(rng, l->k.ninst); n < l->k.ninst; n++) {
        const uint32_t i = (start + n) % l->k.ninst;
        const lc_words w = lc_words_of(&l->c, i);
        if (!l->k.block[rf_kernel_block_of(&l->k, i)].reachable) continue;
        if (kind == F_END && !lc_ends(&l->c, i)) return l->hint[i].flags |= RF_HINT_STRAND_END, true;
        for (uint32_t s = 0; s < w.nsrc; s++)
            if (plant_source(l, rng, kind, i, &w, s)) return true;
        for (uint32_t d = 0; d < w.ndst; d++)
            if (plant_result(l, rng, kind, i, d)) return true;
    }
    return false;
}

static struct fault_counts { uint32_t planted, structure, proof, walks, harmless; /* found by each; by none */ } faults[FAULTS];

/* Faults of every kind into a right allocation. What a walk finds, the proof must find. */
static inline void plant_all(level_kernel *l, uint64_t *rng, uint32_t walks, const char *what) {
    rf_hint *const right = malloc(l->k.ninst * sizeof *right);
    rf_kinst *const inst = malloc(l->k.ninst * sizeof *inst);
    memcpy(right, l->hint, l->k.ninst * sizeof *right);
    memcpy(inst, l->k.inst, l->k.ninst * sizeof *inst);
    for (uint32_t kind = 0; kind < FAULTS; kind++) {
        struct fault_counts *const f = &faults[kind];
        if (!plant(l, rng, (fault_kind)kind)) continue;
        const bool structure = lc_structure(&l->c), proved = lc_prove(&l->c);
        bool walked = true;
        for (uint32_t n = 0; n < walks && walked; n++) walked = lc_walk(&l->c, rng, 400, NULL);
        if (proved && !walked) fail_msg("%s, %s: proved, but %s", what, fault_names[kind], l->c.why);
        f->planted++;
        f->structure += !structure;
        f->proof += !proved;
        f->walks += !walked;
        f->harmless += structure && proved && walked;
        memcpy(l->hint, right, l->k.ninst * sizeof *right);
        memcpy(l->k.inst, inst, l->k.ninst * sizeof *inst);
    }
    free(right);
    free(inst);
}

/* Every kind was found; of what the proof found, the walks found nearly all: it refuses little that is right. */
static inline void print_faults(void) {
    uint32_t proof = 0, walks = 0;
    for (uint32_t kind = 0; kind < FAULTS; kind++) {
        const struct fault_counts *const f = &faults[kind];
        print_message("%-26s %4u planted: found %4u by the structure, %4u by the proof, %4u by walks; harmless %4u\n",
                      fault_names[kind], f->planted, f->structure, f->proof, f->walks, f->harmless);
        assert_true(f->planted > 0 && f->structure + f->proof > 0);
        proof += f->proof;
        walks += f->walks;
    }
    assert_true(walks * 100 >= proof * 95);
}

#endif
