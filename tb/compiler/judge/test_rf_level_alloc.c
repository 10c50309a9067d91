/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation to levels: the examples of [hierarchy Fig. 9, 12, 14], every option and every rule of a place, worked by hand;
 * energies; the flag for register file caches. What no example shows is proved by test_rf_level_check. */
#include "tb/compiler/judge/hand_kernel.h"

#include <math.h>

#include "cmodel/compiler/rf_hints.h"
#include "cmodel/compiler/rf_not_l0.h"
#include "cmodel/workload/rf_simt.h"

#define SIZE 4096u

/* --- an allocation as text -------------------------------------------------------------------------------------------------- */

/* ` R1@L1.0`: read or written there alone; ` R1>L0.2`: in the MRF and written there. */
static size_t put_operand(char *text, size_t n, uint32_t reg, uint32_t place, uint32_t instead) {
    const uint32_t name = place & RF_LEVEL_NAME;
    n += (size_t)snprintf(text + n, SIZE - n, " R%u", (unsigned)reg);
    if (place)
        n += (size_t)snprintf(text + n, SIZE - n, "%cL%u.%u", place & instead ? '@' : '>', name < RF_LEVEL_L0,
                              (unsigned)(name % RF_LEVEL_L0));
    return n;
}

/* A line an instruction: destinations, `<-`, sources. */
static void print(const rf_kernel *k, const rf_hint *hint, char *text) {
    size_t n = 0;
    for (uint32_t i = 0; i < k->ninst; i++) {
        uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
        uint32_t nsrc, ndst;
        rf_kinst_words(&k->inst[i], src, &nsrc, dst, &ndst);
        for (uint32_t d = 0; d < ndst; d++) n = put_operand(text, n, dst[d], hint[i].dst_to[d], RF_TO_NOT_MRF);
        n += (size_t)snprintf(text + n, SIZE - n, " <-");
        for (uint32_t s = 0; s < nsrc; s++) n = put_operand(text, n, src[s], hint[i].src_from[s], RF_FROM_UPPER);
        n += (size_t)snprintf(text + n, SIZE - n, "\n");
    }
}

static void allocate(const rf_kernel *k, const rf_level_options *options, rf_hint *hint) {
    rf_strands strands;
    rf_liveness live;
    assert_int_equal(rf_strands_compute(&strands, k), 0);
    assert_int_equal(rf_liveness_compute(&live, k, RF_LIVE_LANE), 0);
    assert_int_equal(rf_level_alloc(&strands, &live, options, hint), 0);
    rf_liveness_free(&live);
    rf_strands_free(&strands);
}

static void judge(const char *kernel, const rf_level_options *options, const char *wanted) {
    static char text[SIZE];
    rf_kernel k;
    hand_kernel(&k, kernel);
    rf_hint *const hint = calloc(k.ninst, sizeof *hint);
    allocate(&k, options, hint);
    print(&k, hint, text);
    if (strcmp(text, wanted) != 0) print_message("%s\n%s", kernel, text);
    assert_string_equal(text, wanted);
    free(hint);
    rf_kernel_free(&k);
}

/* Reads and writes: of the MRF 8 and 11, of the L1 2 and 5, of the L0 1 and 2; shared units pay one more above the MRF. */
static rf_level_options simple(uint32_t entries, uint32_t l0) {
    rf_level_options o = rf_level_defaults();
    o.entries = entries;
    o.l0 = l0;
    o.mrf = (rf_level_energy){8, 8, 11, 11};
    o.l1 = (rf_level_energy){2, 3, 5, 6};
    o.l0_energy = (rf_level_energy){1, 1, 2, 2};
    return o;
}

/* --- the paper's figures ---------------------------------------------------------------------------------------------------- */

/* [Fig. 9(b)]: BB4 is a strand of its own. What BB2 and BB3 make for it passes through the MRF; inside, values stay above it. */
static void test_figure_9b(void **state) {
    (void)state;
    const rf_level_options o = simple(3, 0);
    judge("B0:\nld R1, R0\nsetp P0, R0, R0\n@P0 bra.uni B2\n"
          "B1:\nadd R2, R0, R0\nbra B3\n"
          "B2:\nadd R2, R0, R0\nadd R3, R1, R2\n"
          "B3:\nadd R4, R2, R2\nadd R4, R4, R1\nst R0, R4\nexit\n",
          &o,
          " R1 <- R0>L1.0\n <- R0@L1.0 R0@L1.0\n <-\n"
          " R2 <- R0@L1.0 R0@L1.0\n <-\n"
          " R2 <- R0@L1.0 R0@L1.0\n R3 <- R1 R2\n" /* R3 is in another strand than R2 */
          " R4@L1.0 <- R2 R2\n R4@L1.0 <- R4@L1.0 R1\n <- R0 R4@L1.0\n <-\n");
}

/* [Fig. 12(a)]: with one entry, R1 can keep it only for its first two reads. The values between save 8 + 11 - 2 - 5 - 2 ... each
 * in one slot; R1 saves 3 * 6 - 5 in six. */
static void test_figure_12a(void **state) {
    (void)state;
    static const char kernel[] = "B0:\nadd R1, R2, 3\nadd R3, R1, 3\nadd R4, R1, 3\n"
                                 "add R5, R2, 1\nadd R5, R5, 1\nadd R5, R5, 1\nadd R9, R1, 3\nst R9, R9\nexit\n";
    rf_level_options o = simple(1, 0);
    o.keep = false;
    judge(kernel, &o,
          " R1>L1.0 <- R2\n R3 <- R1@L1.0\n R4 <- R1@L1.0\n"
          " R5@L1.0 <- R2\n R5@L1.0 <- R5@L1.0\n R5 <- R5@L1.0\n R9@L1.0 <- R1\n <- R9@L1.0 R9@L1.0\n <-\n");
    o.partial = false;
    judge(kernel, &o,
          " R1 <- R2\n R3 <- R1\n R4 <- R1\n"
          " R5@L1.0 <- R2\n R5@L1.0 <- R5@L1.0\n R5 <- R5@L1.0\n R9@L1.0 <- R1\n <- R9@L1.0 R9@L1.0\n <-\n");
    o = simple(2, 0); /* a second entry takes all of it: no MRF at all */
    o.keep = false;
    judge(kernel, &o,
          " R1@L1.1 <- R2\n R3 <- R1@L1.1\n R4 <- R1@L1.1\n"
          " R5@L1.0 <- R2\n R5@L1.0 <- R5@L1.0\n R5 <- R5@L1.0\n R9@L1.0 <- R1@L1.1\n <- R9@L1.0 R9@L1.0\n <-\n");
}

/* [Fig. 12(b)]: R0 is read eight times and not written: kept at the first. */
static void test_figure_12b(void **state) {
    (void)state;
    static const char kernel[] = "B0:\nadd R1, R0, 3\nadd R2, R0, 3\nadd R3, R0, 3\nadd R4, R0, 3\nadd R5, R0, 3\nadd R6, R0, 3\n"
                                 "add R7, R0, 3\nadd R8, R0, 3\nexit\n";
    rf_level_options o = simple(1, 0);
    judge(kernel, &o,
          " R1 <- R0>L1.0\n R2 <- R0@L1.0\n R3 <- R0@L1.0\n R4 <- R0@L1.0\n R5 <- R0@L1.0\n R6 <- R0@L1.0\n R7 <- R0@L1.0\n"
          " R8 <- R0@L1.0\n <-\n");
    o.keep = false;
    judge(kernel, &o, " R1 <- R0\n R2 <- R0\n R3 <- R0\n R4 <- R0\n R5 <- R0\n R6 <- R0\n R7 <- R0\n R8 <- R0\n <-\n");
}

#define BB6 "B0:\nsetp P0, R9, R9\n@P0 bra.uni B2\n"

/* [Fig. 14(a)]: written on one way only: the merge must read the MRF, so everything does. */
static void test_figure_14a(void **state) {
    (void)state;
    const rf_level_options o = simple(3, 2);
    judge(BB6 "B1:\nadd R1, R2, 1\nB2:\nadd R3, R1, 1\nexit\n", &o, " <- R9 R9\n <-\n R1 <- R2\n R3 <- R1\n <-\n");
}

/* [Fig. 14(b)]: with a read on that way the value is written to both. */
static void test_figure_14b(void **state) {
    (void)state;
    const rf_level_options o = simple(3, 0);
    judge(BB6 "B1:\nadd R1, R2, 1\nadd R4, R1, 1\nB2:\nadd R3, R1, 1\nexit\n", &o,
          " <- R9 R9\n <-\n R1>L1.0 <- R2\n R4 <- R1@L1.0\n R3 <- R1\n <-\n");
}

/* [Fig. 14(c)]: written on both ways, to the same entry; nobody uses the MRF. If the value is live out, only where a write beside
 * the MRF's is worth it; without forward branches not at all. */
static void test_figure_14c(void **state) {
    (void)state;
    rf_level_options o = simple(3, 0);
#define BOTH(branch, tail)                                                                                                       \
    "B0:\nsetp P0, R9, R9\n@P0 " branch " B2\n"                                                                                  \
    "B1:\nadd R1, R2, 1\nbra B3\n"                                                                                               \
    "B2:\nadd R1, R2, 2\n"                                                                                                       \
    "B3:\nadd R3, R1, 1\n" tail "exit\n"
    judge(BOTH("bra.uni", ""), &o, " <- R9 R9\n <-\n R1@L1.0 <- R2\n <-\n R1@L1.0 <- R2\n R3 <- R1@L1.0\n <-\n");
    judge(BOTH("bra", ""), &o,
          " <- R9 R9\n <-\n R1@L1.0 <- R2\n <-\n R1@L1.0 <- R2\n R3 <- R1@L1.0\n <-\n"); /* diverging or not */
    judge(BOTH("bra", "ld R4, R5\nadd R4, R4, 0\nst R1, R9\n"), &o,
          " <- R9 R9\n <-\n R1 <- R2\n <-\n R1 <- R2\n R3 <- R1\n R4 <- R5\n R4 <- R4\n <- R1 R9\n <-\n");
    o.l1.write_private = 2; /* worth it now, beside the MRF */
    judge(BOTH("bra", "ld R4, R5\nadd R4, R4, 0\nst R1, R9\n"), &o,
          " <- R9 R9\n <-\n R1>L1.0 <- R2\n <-\n R1>L1.0 <- R2\n R3 <- R1@L1.0\n R4 <- R5\n R4 <- R4\n <- R1 R9\n <-\n");
    o.branches = false;
    judge(BOTH("bra", ""), &o, " <- R9 R9\n <-\n R1 <- R2\n <-\n R1 <- R2\n R3 <- R1\n <-\n");
}

/* --- webs ------------------------------------------------------------------------------------------------------------------- */

/* A guarded write leaves the old value to some lanes: both are one web. If the old one is from outside, it is the MRF's. */
static void test_guarded_writes(void **state) {
    (void)state;
    const rf_level_options o = simple(1, 0);
    judge("B0:\nadd R1, R2, 1\n@P0 add R1, R3, 1\nadd R4, R1, 1\nexit\n", &o,
          " R1@L1.0 <- R2\n R1@L1.0 <- R3\n R4 <- R1@L1.0\n <-\n");
    judge("B0:\n@P0 add R1, R3, 1\nadd R4, R1, 1\nexit\n", &o, " R1 <- R3\n R4 <- R1\n <-\n");
    judge("B0:\n@P0 add R1, R3, 1\n@P0 add R4, R1, 1\nexit\n", &o, " R1 <- R3\n R4 <- R1\n <-\n"); /* guards are not compared */
    /* the merged value is kept like any other of the MRF */
    judge("B0:\n@P0 add R1, R3, 1\nadd R4, R1, 1\nadd R5, R1, 1\nexit\n", &o, " R1 <- R3\n R4 <- R1>L1.0\n R5 <- R1@L1.0\n <-\n");
}

/* A register's values one after the other are instances of their own, in one entry or in none. */
static void test_instances(void **state) {
    (void)state;
    const rf_level_options o = simple(1, 0);
    judge("B0:\nadd R1, R2, 1\nadd R1, R1, 1\nadd R1, R1, 1\nst R1, R2\nexit\n", &o,
          " R1@L1.0 <- R2\n R1@L1.0 <- R1@L1.0\n R1@L1.0 <- R1@L1.0\n <- R1@L1.0 R2\n <-\n");
    judge("B0:\nadd R1, R2, 1\nadd R1, R2, 1\nadd R3, R2, R1\nexit\n", &o, /* nobody reads the first, nor R3 */
          " R1 <- R2>L1.0\n R1@L1.0 <- R2@L1.0\n R3 <- R2 R1@L1.0\n <-\n");
}

/* Values of two ways share an entry, with R9 too, whose last read on each way is where they begin. R5 lives across both. */
static void test_hammock(void **state) {
    (void)state;
    rf_level_options o = simple(2, 0);
    judge("B0:\nadd R5, R9, 1\nsetp P0, R9, 1\n@P0 bra B2\n"
          "B1:\nadd R1, R9, 1\nadd R2, R1, 1\nadd R2, R2, 1\nbra B3\n"
          "B2:\nadd R3, R9, 2\nadd R3, R3, 1\nadd R3, R3, 1\n"
          "B3:\nadd R4, R5, 1\nexit\n",
          &o,
          " R5@L1.1 <- R9>L1.0\n <- R9@L1.0\n <-\n R1@L1.0 <- R9@L1.0\n R2@L1.0 <- R1@L1.0\n R2 <- R2@L1.0\n <-\n"
          " R3@L1.0 <- R9@L1.0\n R3@L1.0 <- R3@L1.0\n R3 <- R3@L1.0\n R4 <- R5@L1.1\n <-\n");
}

/* A loop left from inside: lanes wait at its exit while the others go around, past a strand's end. */
static void test_loop_exit(void **state) {
    (void)state;
    const rf_level_options o = simple(3, 0);
    static const char kernel[] = "B0:\nmov R1, %%tid\nB1:\nadd R2, R1, 1\nsetp P0, R1, 1\n@P0 %s B3\n"
                                 "B2:\nadd R1, R1, R2\nbra B1\nB3:\nst R2, R9\nexit\n";
    char text[512];
    (void)snprintf(text, sizeof text, kernel, "bra");
    judge(text, &o, " R1 <-\n R2 <- R1>L1.0\n <- R1@L1.0\n <-\n R1 <- R1 R2\n <-\n <- R2 R9\n <-\n");
    (void)snprintf(text, sizeof text, kernel, "bra.uni");
    judge(text, &o, " R1 <-\n R2@L1.0 <- R1>L1.1\n <- R1@L1.1\n <-\n R1 <- R1@L1.1 R2@L1.0\n <-\n <- R2@L1.0 R9\n <-\n");
}

/* --- read operands ---------------------------------------------------------------------------------------------------------- */

static void test_kept(void **state) {
    (void)state;
    rf_level_options o = simple(2, 0);
    /* the first read is guarded: the second keeps */
    judge("B0:\n@P0 add R1, R0, 1\nadd R2, R0, 1\nadd R3, R0, 1\nexit\n", &o, " R1 <- R0\n R2 <- R0>L1.0\n R3 <- R0@L1.0\n <-\n");
    /* each way for itself; neither dominates the merge */
    judge("B0:\nsetp P0, R9, 1\n@P0 bra B2\nB1:\nadd R1, R0, 1\nadd R1, R0, 2\nbra B3\n"
          "B2:\nadd R2, R0, 1\nadd R2, R0, 2\nB3:\nadd R3, R0, 1\nexit\n",
          &o, " <- R9\n <-\n R1 <- R0>L1.0\n R1 <- R0@L1.0\n <-\n R2 <- R0>L1.0\n R2 <- R0@L1.0\n R3 <- R0\n <-\n");
    /* the read in front of the ways serves all */
    judge("B0:\nsetp P0, R0, 1\n@P0 bra B2\nB1:\nadd R1, R0, 1\nB2:\nadd R3, R0, 1\nexit\n", &o,
          " <- R0>L1.0\n <-\n R1 <- R0@L1.0\n R3 <- R0@L1.0\n <-\n");
    /* one operand an instruction: R0, first, has it; R1 is not kept elsewhere */
    judge("B0:\nadd R2, R0, R1\nadd R3, R0, R1\nexit\n", &o, " R2 <- R0>L1.0 R1\n R3 <- R0@L1.0 R1\n <-\n");
    /* named twice: one place for both; the second instruction reads it once */
    judge("B0:\nadd R2, R0, R0\nadd R3, R0, R0\nexit\n", &o, " R2 <- R0>L1.0 R0>L1.0\n R3 <- R0@L1.0 R0@L1.0\n <-\n");
    /* not at the entry that the instruction's own result takes */
    o = simple(1, 0);
    judge("B0:\nadd R2, R0, 1\nadd R3, R0, R2\nexit\n", &o, " R2@L1.0 <- R0\n R3 <- R0 R2@L1.0\n <-\n");
    /* a part: the last read comes from the MRF, because R5 has the entry then */
    judge("B0:\nadd R2, R0, 1\nadd R3, R0, 1\nadd R5, R9, 1\nadd R5, R5, R5\nadd R5, R5, R0\nst R5, R5\nexit\n", &o,
          " R2 <- R0>L1.0\n R3 <- R0@L1.0\n R5@L1.0 <- R9\n R5@L1.0 <- R5@L1.0 R5@L1.0\n R5@L1.0 <- R5@L1.0 R0\n"
          " <- R5@L1.0 R5@L1.0\n <-\n");
}

/* B1 does not dominate B4, though the way that does not lead there from it is the shorter one. */
static void test_dominators(void **state) {
    (void)state;
    const rf_level_options o = simple(2, 0);
    judge("B0:\nsetp P0, R9, 1\n@P0 bra B2\nB1:\nadd R1, R0, 1\nbra B3\nB2:\nnop\nbra B4\n"
          "B3:\nnop\nB4:\nadd R2, R0, 1\nexit\n",
          &o, " <- R9\n <-\n R1 <- R0\n <-\n <-\n <-\n <-\n R2 <- R0\n <-\n");
}

/* Parts of ranges: in the lowest of entries that are as good, only if they save, and no longer than they are read. */
static void test_parts(void **state) {
    (void)state;
    rf_level_options o = simple(1, 0);
    o.keep = false;
    /* R1 gives way to R5, and has the entry before; R2, after it */
#define PARTS                                                                                                                    \
    "B0:\nadd R1, R9, 1\nadd R7, R1, 1\nadd R5, R9, 1\nadd R5, R5, R5\nadd R2, R5, 1\nadd R7, R2, 1\nnop\nnop\nnop\n"            \
    "add R7, R2, 1\nadd R6, R9, 1\nadd R6, R6, R6\nadd R7, R1, R2\nexit\n"
    judge(PARTS, &o,
          " R1>L1.0 <- R9\n R7 <- R1@L1.0\n R5@L1.0 <- R9\n R5@L1.0 <- R5@L1.0 R5@L1.0\n R2>L1.0 <- R5@L1.0\n"
          " R7 <- R2@L1.0\n <-\n <-\n <-\n R7 <- R2@L1.0\n R6@L1.0 <- R9\n R6 <- R6@L1.0 R6@L1.0\n R7 <- R1 R2\n <-\n");
    o.l1.write_private = 6; /* one read is not worth a write any more */
    judge(PARTS, &o,
          " R1 <- R9\n R7 <- R1\n R5@L1.0 <- R9\n R5@L1.0 <- R5@L1.0 R5@L1.0\n R2>L1.0 <- R5@L1.0\n"
          " R7 <- R2@L1.0\n <-\n <-\n <-\n R7 <- R2@L1.0\n R6@L1.0 <- R9\n R6 <- R6@L1.0 R6@L1.0\n R7 <- R1 R2\n <-\n");
    /* R1, first in the queue, gives way to R5; R2, behind, has the entry from there to R6 */
    o = simple(1, 0);
    o.keep = false;
    judge("B0:\nadd R1, R9, 1\nadd R7, R1, R1\nadd R7, R1, 1\nadd R7, R1, 1\nadd R7, R1, 1\nadd R5, R9, 1\nadd R5, R5, R5\n"
          "add R2, R9, 1\nadd R7, R2, 1\nnop\nnop\nnop\nnop\nnop\nnop\nadd R6, R9, 1\nadd R6, R6, R6\nadd R7, R1, R2\nexit\n",
          &o,
          " R1>L1.0 <- R9\n R7 <- R1@L1.0 R1@L1.0\n R7 <- R1@L1.0\n R7 <- R1@L1.0\n R7 <- R1@L1.0\n R5@L1.0 <- R9\n"
          " R5 <- R5@L1.0 R5@L1.0\n R2>L1.0 <- R9\n R7 <- R2@L1.0\n <-\n <-\n <-\n <-\n <-\n <-\n"
          " R6@L1.0 <- R9\n R6 <- R6@L1.0 R6@L1.0\n R7 <- R1 R2\n <-\n");
    /* the reads behind come from two ways: the value is in both levels for them */
    o = simple(1, 0);
    o.keep = false;
    judge("B0:\nadd R1, R9, 1\nadd R7, R1, 1\nadd R8, R9, 1\nadd R8, R8, R8\n@P0 bra B2\n"
          "B1:\nadd R7, R1, 1\nB2:\nadd R7, R1, 1\nexit\n",
          &o, " R1>L1.0 <- R9\n R7 <- R1@L1.0\n R8@L1.0 <- R9\n R8 <- R8@L1.0 R8@L1.0\n <-\n R7 <- R1\n R7 <- R1\n <-\n");
    /* two entries are taken at the same time: the lower one */
    o = simple(2, 0);
    o.keep = false;
    judge("B0:\nadd R1, R9, 1\nadd R7, R1, 1\nadd R5, R9, 1\nadd R6, R9, 1\nadd R7, R5, R6\nadd R7, R1, 1\nexit\n", &o,
          " R1>L1.0 <- R9\n R7 <- R1@L1.0\n R5@L1.1 <- R9\n R6@L1.0 <- R9\n R7 <- R5@L1.1 R6@L1.0\n R7 <- R1\n <-\n");
}

/* An instruction of two uops: what the first one keeps may be there before the second reads. */
static void test_kept_early(void **state) {
    (void)state;
    rf_level_options o = simple(1, 0);
    o.slots = 1;
    /* R2 is read last where R0 is kept, by the uop behind: R0 needs another entry ... */
    judge("B0:\nadd R2, R9, 1\nadd R3, R0, R2\nadd R4, R0, 1\nadd R4, R0, 1\nadd R4, R0, 1\nexit\n", &o,
          " R2@L1.0 <- R9\n R3 <- R0 R2@L1.0\n R4 <- R0\n R4 <- R0\n R4 <- R0\n <-\n");
    /* ... or to be read last */
    judge("B0:\nadd R2, R9, 1\nadd R3, R2, R0\nadd R4, R0, 1\nadd R4, R0, 1\nadd R4, R0, 1\nexit\n", &o,
          " R2@L1.0 <- R9\n R3 <- R2@L1.0 R0>L1.0\n R4 <- R0@L1.0\n R4 <- R0@L1.0\n R4 <- R0@L1.0\n <-\n");
    /* R3 is read last by the uop that keeps R2 as well: one entry does */
    o.slots = 3;
    judge("B0:\nadd R3, R9, 1\ndadd R6:2, R2:2, R4:2\nadd R8, R2, 1\nadd R8, R2, 1\nexit\n", &o,
          " R3@L1.0 <- R9\n R6 R7 <- R2>L1.0 R3@L1.0 R4 R5\n R8 <- R2@L1.0\n R8 <- R2@L1.0\n <-\n");
    o.slots = 2;
    judge("B0:\nadd R2, R9, 1\nadd R3, R0, R2\nadd R4, R0, 1\nadd R4, R0, 1\nadd R4, R0, 1\nexit\n", &o,
          " R2@L1.0 <- R9\n R3 <- R0>L1.0 R2@L1.0\n R4 <- R0@L1.0\n R4 <- R0@L1.0\n R4 <- R0@L1.0\n <-\n");
}

/* --- the L0 ----------------------------------------------------------------------------------------------------------------- */

static void test_split(void **state) {
    (void)state;
    rf_level_options o = simple(1, 2);
    /* the slot that reads it; two slots, as R3 has: the L1 */
    judge("B0:\nadd R1, R9, 1\nadd R2, R8, R1\nadd R3, R2, 1\nadd R4, R3, R3\nadd R4, R4, 0\nexit\n", &o,
          " R1@L0.1 <- R9\n R2@L0.0 <- R8 R1@L0.1\n R3@L1.0 <- R2@L0.0\n R4@L0.0 <- R3@L1.0 R3@L1.0\n R4 <- R4@L0.0\n <-\n");
    /* one bank has one value at a time: the earlier of two that save as much */
    judge("B0:\nadd R1, R9, 1\nadd R2, R9, 1\nadd R3, R1, 0\nadd R3, R2, 0\nexit\n", &o,
          " R1@L0.0 <- R9>L1.0\n R2@L1.0 <- R9@L1.0\n R3 <- R1@L0.0\n R3 <- R2@L1.0\n <-\n");
    /* operand 3 of a wide instruction is in slot 0 of the second uop, next to none */
    judge("B0:\nadd R5, R9, 1\ndadd R2:2, R2:2, R4:2\nexit\n", &o, " R5@L0.0 <- R9\n R2 R3 <- R2 R3 R4 R5@L0.0\n <-\n");
    o.slots = 8;
    judge("B0:\nadd R5, R9, 1\ndadd R2:2, R2:2, R4:2\nexit\n", &o, " R5@L0.3 <- R9\n R2 R3 <- R2 R3 R4 R5@L0.3\n <-\n");
    /* the slot of the read that keeps does not matter */
    judge("B0:\nadd R1, R9, R0\nadd R1, R0, 1\nexit\n", &o, " R1 <- R9 R0>L0.0\n R1 <- R0@L0.0\n <-\n");
    o = simple(1, 1); /* one bank for all slots */
    judge("B0:\nadd R1, R9, 1\nadd R2, R8, R1\nadd R3, R2, 1\nadd R4, R3, R3\nadd R4, R4, 0\nexit\n", &o,
          " R1@L0.0 <- R9\n R2@L0.0 <- R8 R1@L0.0\n R3@L0.0 <- R2@L0.0\n R4@L0.0 <- R3@L0.0 R3@L0.0\n R4 <- R4@L0.0\n <-\n");
    o.l0 = 0;
    judge("B0:\nadd R1, R9, 1\nadd R2, R8, R1\nexit\n", &o, " R1@L1.0 <- R9\n R2 <- R8 R1@L1.0\n <-\n");
}

/* Each word of a pair is an instance. */
static void test_pairs(void **state) {
    (void)state;
    const rf_level_options o = simple(2, 2);
    judge("B0:\ndadd R2:2, R4:2, R6:2\ndadd R2:2, R2:2, R2:2\nexit\n", &o, /* R2: slots 0, 2; R3: 1, 0 */
          " R2@L1.0 R3@L1.1 <- R4 R5 R6 R7\n R2 R3 <- R2@L1.0 R3@L1.1 R2@L1.0 R3@L1.1\n <-\n");
    judge("B0:\ndadd R2:2, R4:2, R6:2\nadd R3, R3, 1\nexit\n", &o, /* only the high word is read */
          " R2 R3@L0.0 <- R4 R5 R6 R7\n R3 <- R3@L0.0\n <-\n");
}

static void test_shared_units(void **state) {
    (void)state;
    const rf_level_options o = simple(1, 1);
    /* read by one, made by one, kept by one: the L1 */
    judge("B0:\nadd R1, R9, 1\nst R1, R8\nexit\n", &o, " R1@L1.0 <- R9\n <- R1@L1.0 R8\n <-\n");
    judge("B0:\nlds R1, R9\nadd R1, R1, 1\nexit\n", &o, " R1@L1.0 <- R9\n R1 <- R1@L1.0\n <-\n");
    judge("B0:\nst R8, R9\nadd R1, R8, 1\nadd R1, R8, 1\nexit\n", &o, " <- R8>L1.0 R9\n R1 <- R8@L1.0\n R1 <- R8@L1.0\n <-\n");
    judge("B0:\nadd R1, R8, 1\nadd R1, R8, 1\nexit\n", &o, " R1 <- R8>L0.0\n R1 <- R8@L0.0\n <-\n");
}

/* --- choice ----------------------------------------------------------------------------------------------------------------- */

/* Savings by hand [Fig. 10, 11, 13], one entry. A value that is live out saves 6 a read less 5, another one 11 more. */
static void test_order(void **state) {
    (void)state;
    rf_level_options o = simple(1, 0);
    o.keep = o.partial = false;
    /* R2: 2 * 6 - 5 + 11 = 18 in 3 slots; R1: 12 in 3; R3: 12 in 4. R1 finds no entry, and R3 has its turn all the same */
    judge("B0:\nadd R1, R9, 1\nadd R2, R8, 1\nadd R7, R2, 1\nadd R7, R1, 1\nadd R7, R2, 1\n"
          "add R3, R9, 1\nnop\nnop\nnop\nadd R7, R3, 1\nexit\n",
          &o,
          " R1 <- R9\n R2@L1.0 <- R8\n R7 <- R2@L1.0\n R7 <- R1\n R7 <- R2@L1.0\n"
          " R3@L1.0 <- R9\n <-\n <-\n <-\n R7 <- R3@L1.0\n <-\n");
    /* R1 now in 1 slot: 12 against 18 in 3 is more a slot; both fit */
    judge("B0:\nadd R1, R9, 1\nadd R2, R1, 1\nadd R7, R2, 1\nadd R7, R9, 1\nadd R7, R2, 1\nexit\n", &o,
          " R1@L1.0 <- R9\n R2@L1.0 <- R1@L1.0\n R7 <- R2@L1.0\n R7 <- R9\n R7 <- R2@L1.0\n <-\n");
    /* live out, one read: 6 - 5 = 1 is enough; a shared unit's write of 6 is too dear */
    judge("B0:\nadd R1, R9, 1\nadd R2, R1, 1\nB1:\nst R1, R1\nbra B1\n", &o, " R1>L1.0 <- R9\n R2 <- R1@L1.0\n <- R1 R1\n <-\n");
    judge("B0:\nlds R1, R9\nadd R2, R1, 1\nB1:\nst R1, R1\nbra B1\n", &o, " R1 <- R9\n R2 <- R1\n <- R1 R1\n <-\n");
    /* a long-latency result is read in another strand */
    judge("B0:\nld R1, R9\nadd R2, R1, 1\nexit\n", &o, " R1 <- R9\n R2 <- R1\n <-\n");
}

/* [7.9] */
static void test_restricted(void **state) {
    (void)state;
    /* R1 is live out: both levels; R2 is not; R9 is kept */
    static const char kernel[] = "B0:\nadd R1, R9, 1\nadd R2, R1, R9\nadd R3, R2, 0\nB1:\nst R1, R1\nbra B1\n";
    rf_level_options o = simple(2, 0);
    judge(kernel, &o, " R1>L1.1 <- R9>L1.0\n R2@L1.0 <- R1@L1.1 R9@L1.0\n R3 <- R2@L1.0\n <- R1 R1\n <-\n");
    o.no_l1_and_mrf = true;
    judge(kernel, &o, " R1 <- R9\n R2@L1.0 <- R1 R9\n R3 <- R2@L1.0\n <- R1 R1\n <-\n");
    o.l0 = 1; /* but in L0 and MRF; R9, there first, as well as R1 */
    judge(kernel, &o, " R1 <- R9>L0.0\n R2@L0.0 <- R1 R9@L0.0\n R3 <- R2@L0.0\n <- R1 R1\n <-\n");
    o.keep = false;
    judge(kernel, &o, " R1>L0.0 <- R9\n R2@L0.0 <- R1@L0.0 R9\n R3 <- R2@L0.0\n <- R1 R1\n <-\n");
    o.one_level = true;
    judge(kernel, &o, " R1 <- R9\n R2@L0.0 <- R1 R9\n R3 <- R2@L0.0\n <- R1 R1\n <-\n");
    /* a part of a range would be in both */
    o = simple(1, 0);
    o.keep = false;
    o.one_level = true;
    judge("B0:\nadd R1, R9, 1\nadd R2, R1, 1\nadd R3, R9, 1\nadd R3, R3, R3\nadd R3, R3, R1\nexit\n", &o,
          " R1 <- R9\n R2 <- R1\n R3@L1.0 <- R9\n R3@L1.0 <- R3@L1.0 R3@L1.0\n R3 <- R3@L1.0 R1\n <-\n");
}

/* --- energies and options --------------------------------------------------------------------------------------------------- */

static void near(double is, double wanted) {
    if (fabs(is - wanted) > 1e-9) fail_msg("%.12g is not %.12g", is, wanted);
}

/* Table IV times 8, and 60.8 pJ a millimetre. */
static void test_energies(void **state) {
    (void)state;
    static const struct {
        uint32_t entries, active;
        double read, write;
    } row[] = {{4, 4, 1.2, 3.8},          {4, 6, 1.2, 4.4}, {4, 8, 1.9, 6.1}, {6, 4, 1.2, 4.4},  {6, 6, 1.7, 5.4},
               {6, 8, 2.2, 6.7},          {8, 4, 1.9, 6.1}, {8, 6, 2.2, 6.7}, {8, 8, 3.4, 10.9}, {3, 8, 1.2, 4.4},
               {5, 8, 5.6 / 3, 17.5 / 3}, {7, 8, 2.8, 8.8}, {1, 8, 1.2, 3.2}, {8, 10, 4.6, 15.1}};
    rf_level_options o = {0};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        o.entries = row[i].entries;
        rf_level_energies(&o, row[i].active);
        near(o.l1.read_private, 8 * row[i].read + 0.2 * 60.8);
        near(o.l1.read_shared, 8 * row[i].read + 0.4 * 60.8);
        near(o.l1.write_private, 8 * row[i].write + 0.2 * 60.8);
        near(o.l1.write_shared, 8 * row[i].write + 0.4 * 60.8);
    }
    near(o.mrf.read_private, 64 + 60.8);
    near(o.mrf.read_shared, 64 + 60.8);
    near(o.mrf.write_private, 88 + 60.8);
    near(o.mrf.write_shared, 88 + 60.8);
    near(o.l0_energy.read_private, 5.6 + 3.04);
    near(o.l0_energy.write_private, 16 + 3.04);
}

static void test_options(void **state) {
    (void)state;
    char error[256];
    const rf_level_options d = rf_level_defaults();
    assert_true(d.entries == 3 && d.l0 == 2 && d.slots == 3 && d.partial && d.keep && d.branches);
    assert_true(!d.one_level && !d.no_l1_and_mrf && !d.leave_back && rf_level_check(&d) == NULL);
    near(d.l1.read_private, 8 * 1.2 + 12.16);
    rf_level_options o = d;
    assert_int_equal(rf_level_parse(&o, "default", error, sizeof error), 0);
    assert_memory_equal(&o, &d, sizeof o);
    assert_int_equal(
        rf_level_parse(
            &o, "entries=8,l0=unified,slots=4,active=4,partial=0,keep=0,branches=0,one_level=1,no_l1_and_mrf=1,leave_back=1",
            error, sizeof error),
        0);
    assert_true(o.entries == 8 && o.l0 == 1 && o.slots == 4 && !o.partial && !o.keep && !o.branches && o.one_level);
    assert_true(o.no_l1_and_mrf && o.leave_back);
    near(o.l1.read_private, 8 * 1.9 + 12.16);
    assert_int_equal(rf_level_parse(&o, "l0=none,keep=1", error, sizeof error), 0);
    assert_true(o.l0 == 0 && o.keep && o.entries == 8);
    static const char *const wrong[][2] = {{"entries=9", "\"entries=9\" (1 .. 8)"},
                                           {"entries=0", "\"entries=0\" (1 .. 8)"},
                                           {"entries=4294967297", "(1 .. 8)"},
                                           {"entries", "\"entries\" (1 .. 8)"},
                                           {"slots=x", "\"slots=x\" (1 .. 8)"},
                                           {"active=33", "\"active=33\" (1 .. 32)"},
                                           {"l0=2", "\"l0=2\" (none, unified, split)"},
                                           {"keep=1,keep=2", "\"keep=2\" (0, 1)"},
                                           {"keep=1,", "\"\" (entries, l0, slots, active, partial, "},
                                           {"Entries=3", "\"Entries\" (entries, "},
                                           {"default=1", "\"default\" (entries, "}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        o = d;
        assert_int_equal(rf_level_parse(&o, wrong[i][0], error, sizeof error), -1);
        if (!strstr(error, wrong[i][1])) fail_msg("\"%s\" lacks \"%s\"", error, wrong[i][1]);
        assert_memory_equal(&o, &d, sizeof o); /* as it was */
    }
    o.entries = 9;
    assert_string_equal(rf_level_check(&o), "entries must be 1 to 8");
    o = d, o.l0 = 3;
    assert_string_equal(rf_level_check(&o), "l0 must be 0 to 2");
    o = d, o.slots = 0;
    assert_string_equal(rf_level_check(&o), "slots must be 1 to 8");
    rf_kernel k;
    rf_program p;
    hand_kernel(&k, "B0:\nadd R1, R9, 1\nadd R2, R1, 1\nexit\n");
    assert_int_equal(rf_program_build(&p, &k, &(rf_hint_options){.levels = &o}, error, sizeof error), -1);
    assert_string_equal(error, "hand: slots must be 1 to 8");
    /* off without options, and a program's hints with them */
    assert_int_equal(rf_program_build(&p, &k, NULL, error, sizeof error), 0);
    assert_int_equal(p.inst[0].hint.dst_to[0] | p.inst[1].hint.src_from[0], 0);
    rf_program_free(&p);
    assert_int_equal(rf_program_build(&p, &k, &(rf_hint_options){.levels = &d}, error, sizeof error), 0);
    assert_int_equal(p.inst[0].hint.dst_to[0], RF_TO_UPPER | RF_TO_NOT_MRF | RF_LEVEL_L0);
    assert_int_equal(p.inst[1].hint.src_from[0], RF_FROM_UPPER | RF_LEVEL_L0);
    rf_program_free(&p);
    rf_kernel_free(&k);
    judge("B0:\nadd R1, R9, 1\nadd R2, R1, 1\nexit\n", NULL, " R1@L0.0 <- R9\n R2 <- R1@L0.0\n <-\n");
    judge("B0:\nexit\n", NULL, " <-\n"); /* no register at all */
}

/* --- caches: not into the L0 ------------------------------------------------------------------------------------------------ */

static void not_l0(const char *kernel, const char *wanted) {
    rf_kernel k;
    rf_program p;
    char error[128], text[HAND_INSTS + 1] = "";
    hand_kernel(&k, kernel);
    assert_int_equal(rf_program_build(&p, &k, NULL, error, sizeof error), 0);
    for (uint32_t i = 0; i < k.ninst; i++) text[i] = p.inst[i].hint.flags & RF_HINT_NOT_L0 ? '#' : '.';
    assert_string_equal(text, wanted);
    rf_program_free(&p);
    rf_kernel_free(&k);
}

static void test_not_l0(void **state) {
    (void)state;
    not_l0("B0:\nadd R1, R9, 1\nadd R2, R1, 1\nlds R3, R2\nadd R3, R3, 1\nexit\n", ".##..");
    not_l0("B0:\nadd R1, R9, 1\nadd R1, R9, 2\nst R1, R9\nexit\n", ".#..");     /* overwritten first; a store has no result */
    not_l0("B0:\nadd R1, R9, 1\n@P0 add R1, R9, 2\nst R1, R9\nexit\n", "##.."); /* not in all lanes */
    not_l0("B0:\nadd R1, R9, 1\nadd R2, R9, 1\n@P0 bra B2\nB1:\nadd R2, R1, 1\nexit\nB2:\nst R1, R9\nexit\n", "#......");
    not_l0("B0:\nadd R1, R9, 1\nB1:\nst R1, R9\nadd R1, R9, 1\n@P0 bra B1\nB2:\nexit\n", "#.#.."); /* around the loop */
    not_l0("B0:\ndadd R2:2, R4:2, R4:2\nst R9, R3\nexit\n", "#..");                                /* one word of it */
}

static void trace(const rf_inst *inst, size_t count, const char *wanted) {
    rf_warp warp = {0};
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(rf_warp_reserve(&warp, 0, 0), 0);
        warp.inst[warp.count] = inst[i];
        warp.inst[warp.count].mnemonic = "X";
        warp.inst[warp.count++].pc = 16 * i;
    }
    assert_int_equal(rf_hints_of_warp(&warp, NULL), 0);
    for (size_t i = 0; i < count; i++) assert_int_equal((warp.inst[i].hint.flags & RF_HINT_NOT_L0) != 0, wanted[i] == '#');
    rf_warp_free(&warp);
}

static void test_not_l0_of_a_trace(void **state) {
    (void)state;
#define WRITE(reg, lanes, class)                                                                                                 \
    {                                                                                                                            \
        .mask = lanes, .opclass = class, .ndst = 1, .dst = { reg }                                                               \
    }
#define READ(reg, lanes, class)                                                                                                  \
    {                                                                                                                            \
        .mask = lanes, .opclass = class, .nsrc = 1, .src = { reg }                                                               \
    }
    const rf_inst inst[] = {WRITE(1, 0xf, RF_OP_ALU),    /* lane 3 is read by memory */
                            WRITE(1, 0x7, RF_OP_ALU),    /* overwritten */
                            READ(1, 0xf, RF_OP_CTRL),    /* not a shared unit */
                            READ(1, 0x8, RF_OP_MEM),     /* a store */
                            WRITE(1, 0xf, RF_OP_ALU),    /* nobody reads it */
                            WRITE(2, 0xf, RF_OP_SFU),    /* a shared unit's */
                            WRITE(3, 0x3, RF_OP_TENSOR), /* too */
                            WRITE(4, 0x1, RF_OP_ALU),    /* read by one, in other lanes */
                            READ(4, 0x2, RF_OP_SFU)};
    trace(inst, sizeof inst / sizeof inst[0], "#....##..");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_figure_9b),
                                       cmocka_unit_test(test_figure_12a),
                                       cmocka_unit_test(test_figure_12b),
                                       cmocka_unit_test(test_figure_14a),
                                       cmocka_unit_test(test_figure_14b),
                                       cmocka_unit_test(test_figure_14c),
                                       cmocka_unit_test(test_guarded_writes),
                                       cmocka_unit_test(test_instances),
                                       cmocka_unit_test(test_hammock),
                                       cmocka_unit_test(test_loop_exit),
                                       cmocka_unit_test(test_kept),
                                       cmocka_unit_test(test_dominators),
                                       cmocka_unit_test(test_parts),
                                       cmocka_unit_test(test_kept_early),
                                       cmocka_unit_test(test_split),
                                       cmocka_unit_test(test_pairs),
                                       cmocka_unit_test(test_shared_units),
                                       cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_restricted),
                                       cmocka_unit_test(test_energies),
                                       cmocka_unit_test(test_options),
                                       cmocka_unit_test(test_not_l0),
                                       cmocka_unit_test(test_not_l0_of_a_trace)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
