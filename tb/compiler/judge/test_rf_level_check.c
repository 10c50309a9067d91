/* SPDX-License-Identifier: Apache-2.0 */
/* The judges of an allocation to the levels of a register file hierarchy (level_check.h), judged: allocations worked by hand;
 * allocations that a search finds with the proof as its guide, run by warps; wrong ones of every kind, planted at random. */
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
static void level_start(level_kernel *l, const rf_kernel *kernel) {
    l->k = *kernel;
    assert_int_equal(rf_strands_compute(&l->strands, &l->k), 0);
    assert_int_equal(rf_divergence_compute(&l->divergence, &l->k), 0);
    l->hint = calloc(l->k.ninst + 1, sizeof *l->hint);
    for (uint32_t i = 0; i < l->k.ninst; i++) l->hint[i].flags = l->strands.flags[i];
    l->c = (lc_case){.k = &l->k, .hint = l->hint, .divergence = &l->divergence};
}

static void level_free(level_kernel *l) {
    rf_divergence_free(&l->divergence);
    rf_strands_free(&l->strands);
    rf_kernel_free(&l->k);
    free(l->hint);
}

static bool judged(lc_case *c) { return lc_structure(c) && lc_prove(c); }

/* --- by hand ---------------------------------------------------------------------------------------------------------------- */

/* Everything on: 3 entries, a split L0 of 3 slots. */
static const rf_level_options everything = {.entries = 3, .l0 = 2, .slots = 3, .partial = true, .keep = true, .branches = true};

/* Places of a text's instructions, a word each: of the sources, '>', of the results. 'm' the MRF; a name's digit or letter (hex):
 * read there, or written there and not to the MRF; 'k' before it: kept there; 'b': written there and to the MRF. "-": none. */
static void places(rf_hint *hint, const char *text) {
    for (uint32_t s = 0, d = 0, dst = 0; *text; text++) {
        const bool two = *text == 'k' || *text == 'B';
        if (*text == ' ') hint++, s = d = dst = 0;
        if (*text == '>') dst = 1;
        if (*text == ' ' || *text == '>' || *text == '-') continue;
        const char name[2] = {text[two], 0};
        uint8_t place = *text == 'm' ? 0 : (uint8_t)strtoul(name, NULL, 16) | RF_TO_UPPER;
        if (*text == 'k') place ^= RF_FROM_UPPER | RF_FROM_KEEP;
        else if (dst && !two && *text != 'm') place |= RF_TO_NOT_MRF;
        *(dst ? &hint->dst_to[d++] : &hint->src_from[s++]) = place;
        text += two;
    }
}

/* Judges one text: what the judges say has to contain `wanted`, "" for a right one. */
static void by_hand(const char *text, const char *where, const rf_level_options *o, const char *wanted) {
    level_kernel l;
    rf_kernel k;
    uint64_t rng = 1;
    hand_kernel(&k, text);
    level_start(&l, &k);
    l.c.o = *o;
    places(l.hint, where);
    const bool structure = lc_structure(&l.c), good = structure && lc_prove(&l.c);
    if (good != (*wanted == 0) || !strstr(l.c.why, wanted))
        fail_msg("%s\n%s\nwanted \"%s\", not \"%s\"", text, where, wanted, l.c.why);
    bool walked = true;
    for (uint32_t n = 0; n < 300 && structure; n++) walked &= lc_walk(&l.c, &rng, 200, NULL);
    if (structure && o->branches && walked != good) fail_msg("%s\n%s\nproved: %u, walked: %u", text, where, good, walked);
    level_free(&l);
}

#define NOT_THERE "proof: not there"

static void test_hand_straight(void **state) {
    (void)state;
    const rf_level_options *const o = &everything;
    static const char add[] = "B0:\nmov R0, %tid\nadd R1, R0, R0\nadd R2, R1, R0\nadd R3, R1, R2\nst R2, R3\nexit\n";
    by_hand(add, ">m mm>m mm>m mm>m mm -", o, "");
    by_hand(add, ">0 00>1 10>2 12>1 21 -", o, "");
    by_hand(add, ">0 00>0 0m>2 m2>1 21 -", o, NOT_THERE); /* R0's entry is taken by R1 */
    by_hand(add, ">B0 00>B0 0m>2 m2>1 21 -", o, "");
    by_hand(add, ">m k0m>1 10>8 1m>1 m1 -", o, NOT_THERE); /* R2 is in the L0 only */
    by_hand(add, ">m k0m>1 10>B9 19>1 m1 -", o, "");
    by_hand(add, ">m mm>8 8m>B9 89>1 m1 -", o, "");
    by_hand(add, ">m mm>8 8m>B8 88>1 m1 -", o, "bank of another slot");
    by_hand(add, ">m mm>1 1m>B9 19>9 m9 -", o, "shared unit");
    by_hand(add, ">m mm>3 3m>m 3m>m mm -", o, "no such name");
    by_hand(add, ">8 8m>m mm>m mm>m mm -", o, "two places");
    by_hand(add, ">m k0k1>m mm>m mm>m mm -", o, "two operands kept");
    by_hand(add, ">m k0m>0 mm>m mm>m mm -", o, "kept where a result goes");
    by_hand(add, ">m k0m>m m0>m mm>m m0 -", o, NOT_THERE); /* another register is in it */
    /* both readers of R1 in one level, and not in two */
    by_hand(add, ">m mm>B8 8m>m k0m>m mm -", o, "in the L0 and in the L1");
    /* a strand ends at a load's consumer, and its own result is late */
    static const char load[] = "B0:\nmov R0, %tid\nld R1, R0\nadd R2, R0, R0\nadd R3, R1, R2\nadd R3, R3, R2\nexit\n";
    by_hand(load, ">0 0>m 00>m mk0>1 10>m -", o, "");
    by_hand(load, ">0 0>m 00>0 m0>1 10>m -", o, NOT_THERE);
    by_hand(load, ">B0 0>m m0>m mm>1 1m>m -", o, "two places");
    by_hand(load, ">B0 0>0 00>m 0m>1 1m>m -", o, NOT_THERE);
}

static void test_hand_options(void **state) {
    (void)state;
    rf_level_options o = everything;
    static const char add[] = "B0:\nmov R0, %tid\nadd R1, R0, R0\nadd R2, R1, R0\nadd R3, R1, R2\nst R2, R3\nexit\n";
    o.partial = false;
    by_hand(add, ">B0 00>1 1m>2 12>1 21 -", &o, "partial range");
    by_hand(add, ">m k0m>1 1m>2 12>1 21 -", &o, "partial range");
    by_hand(add, ">0 00>1 10>2 12>1 21 -", &o, "");
    o.keep = false;
    by_hand(add, ">m k0m>1 10>2 12>1 21 -", &o, "kept without");
    o = everything;
    o.one_level = true;
    by_hand(add, ">0 00>1 10>2 12>1 21 -", &o, "");
    by_hand(add, ">B0 00>1 10>2 12>1 21 -", &o, "written beside");
    by_hand(add, ">m k8m>1 1m>2 12>1 21 -", &o, "kept beside");
    o.one_level = false;
    o.no_l1_and_mrf = true;
    by_hand(add, ">m mm>B8 8m>m mm>1 m1 -", &o, "");
    by_hand(add, ">m mm>B1 1m>m mm>1 m1 -", &o, "written beside");
    by_hand(add, ">m k1m>m mm>m mm>1 m1 -", &o, "kept beside");
    o = everything;
    o.l0 = 1;
    by_hand(add, ">m mm>8 8m>m 8m>1 m1 -", &o, "");
    by_hand(add, ">m mm>m mm>9 m9>1 m1 -", &o, "no such name");
    o.l0 = 0;
    by_hand(add, ">m mm>8 8m>m 8m>1 m1 -", &o, "no such name");
    /* one slot: three uops of one source; what the first keeps, the second reads */
    o.slots = 1;
    by_hand(add, ">m k0m>1 10>2 12>1 21 -", &o, "");
    by_hand("B0:\nmov R0, %tid\nmov R1, 1\nst R0, R1\nexit\n", ">m >0 k00 -", &o, NOT_THERE);
    o.slots = 2;
    by_hand("B0:\nmov R0, %tid\nmov R1, 1\nst R0, R1\nexit\n", ">m >0 k00 -", &o, "");
}

/* [hierarchy Fig. 14], with R1 from an earlier strand or without. */
static void test_hand_branches(void **state) {
    (void)state;
    rf_level_options o = everything;
#define FIG_14(then, otherwise)                                                                                                  \
    "B0:\nmov R0, %tid\nmov R1, 1\nsetp P0, R0, R0\n@P0 bra B2\n"                                                                \
    "B1:\n" then "bra B3\n"                                                                                                      \
    "B2:\n" otherwise "B3:\nadd R2, R1, R1\nst R2, R2\nexit\n"
    static const char a[] = FIG_14("add R1, R0, R0\n", "nop\n"), b[] = FIG_14("add R1, R0, R0\nadd R3, R1, R1\n", "nop\n"),
                      c[] = FIG_14("add R1, R0, R0\n", "sub R1, R0, R0\n");
    by_hand(a, ">m >m mm - mm>0 - - 00>m mm -", &o, NOT_THERE);
    by_hand(a, ">m >m mm - mm>B0 - - 00>m mm -", &o, NOT_THERE);
    by_hand(a, ">m >m mm - mm>0 - - mm>m mm -", &o, NOT_THERE);
    by_hand(a, ">m >B0 mm - mm>B0 - - 00>m mm -", &o, "");
    by_hand(b, ">m >m mm - mm>B0 00>m - - mm>m mm -", &o, "");
    by_hand(b, ">m >m mm - mm>0 00>m - - mm>m mm -", &o, NOT_THERE);
    by_hand(c, ">m >m mm - mm>0 - mm>0 00>m mm -", &o, "");
    by_hand(c, ">m >m mm - mm>0 - mm>1 00>m mm -", &o, NOT_THERE);
    by_hand(c, ">m >m mm - mm>0 - mm>m 00>m mm -", &o, NOT_THERE);
    o.branches = false;
    by_hand(c, ">m >m mm - mm>0 - mm>0 00>m mm -", &o, NOT_THERE);
    by_hand(b, ">m >m mm - mm>B0 00>m - - mm>m mm -", &o, "");
    o.branches = true;
    /* kept on one side, and in front of both */
    static const char d[] = FIG_14("add R3, R1, R0\n", "nop\n");
    by_hand(d, ">m >m mm - k0m>m - - 00>m mm -", &o, NOT_THERE);
    static const char e[] = "B0:\nmov R0, %tid\nadd R1, R0, R0\nsetp P0, R1, R0\n@P0 bra B2\nB1:\nadd R3, R1, R0\nbra B3\n"
                            "B2:\nadd R3, R0, R1\nB3:\nadd R2, R1, R3\nst R2, R2\nexit\n";
    by_hand(e, ">m mm>m k0m - 0m>1 - m0>1 01>m mm -", &o, "");
    by_hand(e, ">m mm>m mm - k0m>1 - mk0>1 01>m mm -", &o, "");
    by_hand(e, ">m mm>m mm - k0m>1 - mk2>1 01>m mm -", &o, NOT_THERE);
    by_hand(e, ">m mm>m mm - k0m>1 - mk1>0 01>m mm -", &o, NOT_THERE);
}

static void test_hand_guards(void **state) {
    (void)state;
    rf_level_options o = everything;
#define GUARDED(guard, then)                                                                                                     \
    "B0:\nmov R0, %tid\nmov R1, 1\nsetp P0, R0, R1\n@P0 add R1, R0, R0\n" guard " add R2, R1, R1\n" then "st R2, R1\nexit\n"
    static const char same[] = GUARDED("@P0", ""), other[] = GUARDED("@!P0", ""), all[] = GUARDED("", "");
    by_hand(same, ">m >m mm mm>B0 00>m mm -", &o, "");
    by_hand(other, ">m >m mm mm>B0 00>m mm -", &o, NOT_THERE);
    by_hand(all, ">m >m mm mm>B0 00>m mm -", &o, NOT_THERE);
    by_hand(all, ">m >B0 mm mm>B0 00>m mm -", &o, "");
    by_hand(all, ">m >0 m0 mm>0 00>m m0 -", &o, "");
    by_hand(all, ">m >m mm mm>0 mm>m mm -", &o, NOT_THERE);
    by_hand(other, ">m >0 m0 mm>m 00>m mm -", &o, NOT_THERE); /* the store's lanes: some in 0, some in the MRF */
    by_hand(other, ">m >B0 mm mm>m 00>m mm -", &o, "");
    /* a kept operand holds the lanes of its reader */
    static const char keep[] = "B0:\nmov R0, %tid\nsetp P0, R0, R0\n@P0 add R1, R0, 1\n@P0 add R2, R0, 2\nadd R3, R0, 3\nexit\n";
    by_hand(keep, ">m mm k0>m 0>m m>m -", &o, "");
    by_hand(keep, ">m mm k0>m 0>m 0>m -", &o, NOT_THERE);
    by_hand(keep, ">m mm m>m m>m k0>m -", &o, "");
    /* the predicate is another one */
    by_hand("B0:\nmov R0, %tid\nsetp P0, R0, R0\n@P0 add R1, R0, 1\nsetp P0, R0, R0\n@P0 add R2, R0, 2\nexit\n",
            ">m mm k0>m mm 0>m -", &o, NOT_THERE);
    /* a branch on it leaves the lanes in which it holds */
    static const char branch[] = "B0:\nmov R0, %tid\nsetp P0, R0, R0\n@P0 add R1, R0, 1\n@!P0 bra B2\nB1:\nadd R2, R1, R0\n"
                                 "B2:\nexit\n";
    by_hand(branch, ">m mm k0>1 - 10>m -", &o, "");
    static const char wrong[] = "B0:\nmov R0, %tid\nsetp P0, R0, R0\n@P0 add R1, R0, 1\n@P0 bra B2\nB1:\nadd R2, R1, R0\n"
                                "B2:\nexit\n";
    by_hand(wrong, ">m mm k0>1 - 10>m -", &o, NOT_THERE);
    by_hand("B0:\nmov R0, %tid\nsetp P0, R0, R0\n@P0 add R1, R0, 1\n@!P0 exit\nB1:\nadd R2, R1, R0\nexit\n",
            ">m mm k0>1 - 10>m -", &o, "");
}

/* One way of a branch ends a strand: the lanes of the other way find nothing where all meet. The compiler's strands end at such a
 * branch; here only one instruction is said to end one. */
static void test_hand_waiting(void **state) {
    (void)state;
    static const char texts[2][256] = {
        "B0:\nmov R0, %tid\nmov R1, 1\nsetp P0, R0, R0\n@P0 bra B2\nB1:\nadd R2, R1, R0\nnop\nbra B3\n"
        "B2:\nadd R2, R0, R1\nB3:\nadd R3, R2, R2\nexit\n",
        "B0:\nmov R0, %tid\nmov R1, 1\nsetp P0, R0, 1\n@P0 bra.uni B2\nB1:\nadd R2, R1, R0\nnop\nbra B3\n"
        "B2:\nadd R2, R0, R1\nB3:\nadd R3, R2, R2\nexit\n"};
    for (uint32_t uniform = 0; uniform < 2; uniform++) {
        for (uint32_t end = 0; end < 3; end++) { /* none; of the way; behind the meeting point */
            for (uint32_t where = 0; where < 3; where++) {
                static const char *const place[] = {">m >0 mm - 0m>m - - m0>m mm>m -", ">m >m mm - mm>m - - mm>1 mm>m -",
                                                    ">m >m mm - mm>0 - - mm>0 00>m -"};
                level_kernel l;
                rf_kernel k;
                uint64_t rng = 1;
                hand_kernel(&k, texts[uniform]);
                level_start(&l, &k);
                l.c.o = everything;
                for (uint32_t i = 0; i < k.ninst; i++) l.hint[i].flags = 0;
                if (end) l.hint[end == 1 ? 5 : 8].flags = RF_HINT_STRAND_END;
                places(l.hint, place[where]);
                const bool good = judged(&l.c);
                bool walked = true;
                for (uint32_t n = 0; n < 200; n++) walked &= lc_walk(&l.c, &rng, 100, NULL);
                const bool wanted = where == 0 ? end != 1 || uniform : where == 1 ? false : end != 1;
                if (good != wanted || walked != wanted) fail_msg("%u, %u, %u: %s", uniform, end, where, l.c.why);
                level_free(&l);
            }
        }
    }
}

/* --- a search --------------------------------------------------------------------------------------------------------------- */

/* Places of every read of one register in an instruction. */
static void place_reads(level_kernel *l, uint32_t i, uint32_t r, uint8_t from) {
    const lc_words w = lc_words_of(&l->c, i);
    for (uint32_t s = 0; s < w.nsrc; s++)
        if (w.src[s] == r) l->hint[i].src_from[s] = from;
}

static void place_results(level_kernel *l, uint32_t i, uint32_t r, uint8_t to) {
    const lc_words w = lc_words_of(&l->c, i);
    for (uint32_t d = 0; d < w.ndst; d++)
        if (w.dst[d] == r) l->hint[i].dst_to[d] = to;
}

static uint32_t some_name(const rf_level_options *o, uint64_t *rng) {
    uint32_t name;
    do name = hand_below(rng, RF_LEVEL_NAMES);
    while (!lc_exists(o, name));
    return name;
}

/* A change that may save something: a register's results and reads in a strand or a part of it above the MRF; a kept operand; a
 * result not into the MRF. Right or wrong. */
static void propose(level_kernel *l, uint64_t *rng) {
    const uint32_t i = hand_below(rng, l->k.ninst), strand = l->strands.of[i], kind = hand_below(rng, 4);
    const lc_words w = lc_words_of(&l->c, i);
    const uint32_t name = some_name(&l->c.o, rng);
    const uint32_t end = hand_below(rng, 3) ? l->k.ninst : i + 1 + hand_below(rng, 8);
    const bool only = l->c.o.one_level || (l->c.o.no_l1_and_mrf && !lc_is_l0(name));
    if (kind == 0 && w.ndst) {
        uint8_t *const to = &l->hint[i].dst_to[hand_below(rng, w.ndst)];
        *to |= *to ? RF_TO_NOT_MRF : 0;
    } else if (kind == 1 && w.nsrc) {
        const uint32_t s = hand_below(rng, w.nsrc), r = w.src[s];
        l->hint[i].src_from[s] = (uint8_t)(RF_FROM_KEEP | name);
        for (uint32_t n = i + 1; n < end && n < l->k.ninst; n++)
            if (l->strands.of[n] == strand) place_reads(l, n, r, (uint8_t)(RF_FROM_UPPER | name));
    } else if (kind >= 2 && w.ndst) {
        const uint32_t r = w.dst[hand_below(rng, w.ndst)];
        const bool mrf = !only && hand_below(rng, 2);
        for (uint32_t n = i; n < end && n < l->k.ninst; n++) {
            if (l->strands.of[n] != strand) continue;
            if (n > i) place_reads(l, n, r, (uint8_t)(RF_FROM_UPPER | name));
            place_results(l, n, r, (uint8_t)(RF_TO_UPPER | (mrf ? 0 : RF_TO_NOT_MRF) | name));
        }
    }
}

static struct search_counts {
    uint64_t proposed, kept, refused, walked_right; /* refused by the proof; of those no walk found anything wrong */
} searched;

/* Takes what the judges accept. walks: of each proposal that the proof alone refuses, for the count. */
static void search(level_kernel *l, uint64_t *rng, uint32_t proposals, uint32_t walks) {
    rf_hint *const before = malloc(l->k.ninst * sizeof *before);
    for (uint32_t n = 0; n < proposals; n++) {
        memcpy(before, l->hint, l->k.ninst * sizeof *before);
        propose(l, rng);
        if (memcmp(before, l->hint, l->k.ninst * sizeof *before) == 0) continue;
        searched.proposed++;
        const bool structure = lc_structure(&l->c);
        if (structure && lc_prove(&l->c)) {
            searched.kept++;
            continue;
        }
        bool right = structure;
        for (uint32_t walk = 0; walk < walks && right; walk++) right = lc_walk(&l->c, rng, 200, NULL);
        searched.refused += structure && walks;
        searched.walked_right += right && walks;
        memcpy(l->hint, before, l->k.ninst * sizeof *before);
    }
    free(before);
}

static struct level_counts {
    uint64_t kernels, l1, l0, not_mrf, keeps, reads_above, reads, several, far, partial, waste_upper, waste_mrf;
} counted;

static void count(lc_case *c, const lc_site *site) {
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

static void print_counts(const char *what) {
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
static void walk_right(lc_case *c, uint64_t *rng, uint32_t walks, uint32_t limit, const char *what) {
    lc_site *const site = calloc(c->k->ninst, sizeof *site);
    for (uint32_t n = 0; n < walks; n++)
        if (!lc_walk(c, rng, limit, site)) fail_msg("%s: proved, but %s", what, c->why);
    count(c, site);
    free(site);
}

/* Options number n of all that differ: entries 1, 3, 8; no, one, split L0; partial ranges, kept operands, branches; one level,
 * not L1 and MRF. */
#define LEVEL_OPTIONS (3 * 3 * 8 * 3)
static rf_level_options options_of(uint32_t n) {
    static const uint32_t entries[] = {3, 1, 8};
    rf_level_options o = {.entries = entries[n % 3], .l0 = 2 - n / 3 % 3, .slots = 3};
    o.partial = !(n / 9 & 1);
    o.keep = !(n / 18 & 1);
    o.branches = !(n / 36 & 1);
    o.one_level = n / 72 == 1;
    o.no_l1_and_mrf = n / 72 == 2;
    return o;
}

/* A random kernel in registers, with short loads among the long ones. */
static void random_level(level_kernel *l, uint64_t seed) {
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
        if (rf_regalloc(&k, seed % 5 ? 32 : 18, 7, error, sizeof error) == 0) break;
        rf_kernel_free(&k);
        seed += 100000;
    } while (true);
    level_start(l, &k);
}

static void test_search(void **state) {
    (void)state;
    uint64_t rng = 5;
    counted = (struct level_counts){0};
    for (uint64_t seed = 1; seed <= 120; seed++) {
        level_kernel l;
        char what[32];
        (void)snprintf(what, sizeof what, "seed %u", (unsigned)seed);
        random_level(&l, seed);
        l.c.o = options_of((uint32_t)(seed * 5) % LEVEL_OPTIONS);
        search(&l, &rng, 300, seed % 4 ? 0 : 100);
        assert_true(judged(&l.c));
        walk_right(&l.c, &rng, 60, 400, what);
        level_free(&l);
    }
    print_counts("search");
    print_message("%llu proposed, %llu taken; of %llu that the proof refused the walks found nothing in %llu\n",
                  (unsigned long long)searched.proposed, (unsigned long long)searched.kept, (unsigned long long)searched.refused,
                  (unsigned long long)searched.walked_right);
    assert_true(searched.kept > 2000 && counted.l1 && counted.l0 && counted.keeps && counted.several && counted.far &&
                counted.partial);
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

static void rename_strand(level_kernel *l, uint32_t strand, uint32_t from, uint32_t to) {
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
static uint32_t last_name(level_kernel *l, uint32_t i, uint32_t r, uint32_t *by) {
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
static bool plant_source(level_kernel *l, uint64_t *rng, fault_kind kind, uint32_t i, const lc_words *w, uint32_t s) {
    uint8_t *const from = &l->hint[i].src_from[s];
    const uint32_t name = some_name(&l->c.o, rng), old = lc_name(*from), r = w->src[s], block = rf_kernel_block_of(&l->k, i);
    const bool upper = *from & RF_FROM_UPPER, keep = *from & RF_FROM_KEEP;
    const uint8_t there = (uint8_t)(RF_FROM_UPPER | name);
    uint32_t by = 0;
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
        by = last_name(l, i, r, &by);
        if (!upper && l->k.block[block].npred > 1 && by < RF_LEVEL_NAMES)
            return place_reads(l, i, r, (uint8_t)(RF_FROM_UPPER | by)), true;
        return false;
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
    case F_BEHIND_END: {
        const uint32_t was = last_name(l, i, r, &by);
        if (*from || was >= RF_LEVEL_NAMES || l->strands.of[by] == l->strands.of[i]) return false;
        return place_reads(l, i, r, (uint8_t)(RF_FROM_UPPER | was)), true;
    }
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
    case F_TWO_UPPER: {
        const uint32_t was = last_name(l, i, r, &by);
        if (*from || was >= RF_LEVEL_NAMES || l->strands.of[by] != l->strands.of[i] || lc_is_l0(was) == lc_is_l0(name))
            return false;
        return *from = (uint8_t)(RF_FROM_KEEP | name), true;
    }
    default:
        return false;
    }
}

/* A fault of a result. */
static bool plant_result(level_kernel *l, uint64_t *rng, fault_kind kind, uint32_t i, uint32_t d) {
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
static bool plant(level_kernel *l, uint64_t *rng, fault_kind kind) {
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

static struct fault_counts {
    uint32_t planted, structure, proof, walks, harmless; /* structure: found there; else by the proof, by the walks, by none */
} faults[FAULTS];

/* Faults of every kind into a right allocation. What the walks find, the proof must find. */
static void plant_all(level_kernel *l, uint64_t *rng, uint32_t walks, const char *what) {
    rf_hint *const right = malloc(l->k.ninst * sizeof *right);
    rf_kinst *const inst = malloc(l->k.ninst * sizeof *inst);
    memcpy(right, l->hint, l->k.ninst * sizeof *right);
    memcpy(inst, l->k.inst, l->k.ninst * sizeof *inst);
    for (uint32_t kind = 0; kind < FAULTS; kind++) {
        struct fault_counts *const f = &faults[kind];
        if (!plant(l, rng, (fault_kind)kind)) continue;
        f->planted++;
        if (!lc_structure(&l->c)) {
            f->structure++;
        } else {
            const bool proved = lc_prove(&l->c);
            bool walked = true;
            for (uint32_t n = 0; n < walks && walked; n++) walked = lc_walk(&l->c, rng, 400, NULL);
            if (proved && !walked) fail_msg("%s, %s: proved, but %s", what, fault_names[kind], l->c.why);
            f->proof += !proved;
            f->walks += !walked;
            f->harmless += proved;
        }
        memcpy(l->hint, right, l->k.ninst * sizeof *right);
        memcpy(l->k.inst, inst, l->k.ninst * sizeof *inst);
    }
    free(right);
    free(inst);
}

static void print_faults(void) {
    for (uint32_t kind = 0; kind < FAULTS; kind++) {
        const struct fault_counts *const f = &faults[kind];
        print_message("%-28s %5u planted: found %5u by the structure, %5u by the proof, %5u of them by walks; harmless %5u\n",
                      fault_names[kind], f->planted, f->structure, f->proof, f->walks, f->harmless);
        assert_true(f->planted > 0 && f->structure + f->proof > 0);
    }
}

static void test_faults(void **state) {
    (void)state;
    uint64_t rng = 7;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        level_kernel l;
        char what[32];
        (void)snprintf(what, sizeof what, "seed %u", (unsigned)seed);
        random_level(&l, 1000 + seed);
        l.c.o = options_of((uint32_t)(seed % 3));
        search(&l, &rng, 300, 0);
        assert_true(judged(&l.c));
        for (uint32_t n = 0; n < 4; n++) plant_all(&l, &rng, 60, what);
        level_free(&l);
    }
    print_faults();
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hand_straight), cmocka_unit_test(test_hand_options),
                                       cmocka_unit_test(test_hand_branches), cmocka_unit_test(test_hand_guards),
                                       cmocka_unit_test(test_hand_waiting),  cmocka_unit_test(test_search),
                                       cmocka_unit_test(test_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
