/* SPDX-License-Identifier: Apache-2.0 */
/* The judges of an allocation to the levels of a register file hierarchy (level_check.h), judged: allocations worked by hand;
 * allocations that a search finds with the proof as its guide, run by warps; wrong ones of every kind, planted at random. */
#include "tb/compiler/judge/level_kernel.h"

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
    static const char two[] = "B0:\nmov R0, %tid\nadd R1, R0, R0\nadd R2, R1, R0\nadd R3, R1, R2\nst R1, R3\nexit\n";
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
    /* R1 in the L0, then in the L1; not in both at a time */
    by_hand(add, ">m mm>B8 8m>m k0m>m mm -", o, "");
    by_hand(two, ">m mm>B8 k0m>m 8m>m 0m -", o, "in the L0 and in the L1");
    by_hand(two, ">m mm>B8 8m>m k0m>m 0m -", o, "");
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
        bool right = structure && l->c.o.branches; /* without them, the proof refuses what the machine would do */
        for (uint32_t walk = 0; walk < walks && right; walk++) right = lc_walk(&l->c, rng, 200, NULL);
        searched.refused += structure && l->c.o.branches && walks;
        searched.walked_right += right && walks;
        memcpy(l->hint, before, l->k.ninst * sizeof *before);
    }
    free(before);
}

static void test_search(void **state) {
    (void)state;
    uint64_t rng = 5;
    counted = (struct level_counts){0};
    for (uint32_t seed = 1; seed <= 120; seed++) {
        level_kernel l;
        char what[32];
        (void)snprintf(what, sizeof what, "seed %u", seed);
        if (seed % 3 == 0) random_level(&l, seed);
        else wild_level(&l, &rng);
        l.c.o = options_of(seed * 5 % LEVEL_OPTIONS);
        search(&l, &rng, 200, seed % 4 ? 0 : 400);
        assert_true(judged(&l.c));
        walk_right(&l.c, &rng, 60, 400, what);
        level_free(&l);
    }
    print_counts("search");
    print_message("%llu proposed, %llu taken; of %llu that the proof refused the walks found nothing in %llu\n",
                  (unsigned long long)searched.proposed, (unsigned long long)searched.kept, (unsigned long long)searched.refused,
                  (unsigned long long)searched.walked_right);
    assert_true(searched.kept > 1000 && counted.l1 && counted.l0 && counted.keeps && counted.several && counted.far &&
                counted.partial);
    assert_true(searched.refused > 200 && searched.walked_right * 10 < searched.refused);
}

static void test_faults(void **state) {
    (void)state;
    uint64_t rng = 7;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        level_kernel l;
        char what[32];
        (void)snprintf(what, sizeof what, "seed %u", (unsigned)seed);
        random_level(&l, 1000 + seed);
        l.c.o = options_of((uint32_t)(seed % 3));
        search(&l, &rng, 200, 0);
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
