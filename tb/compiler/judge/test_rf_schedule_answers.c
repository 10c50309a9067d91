/* SPDX-License-Identifier: Apache-2.0 */
/* List scheduling of small blocks with a known order: what goes first, what may not move, how many registers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "cmodel/workload/rf_ptx.h"
#include "tb/compiler/judge/judge_schedule.h"
#include "tb/compiler/judge/random_kernel.h"
#include "tb/workload/rf_memory.h"

/* A block under construction; what it makes is stored in the next. */
typedef struct maker {
    rf_kernel k;
    uint32_t result[128], results;
} maker;

static void begin(maker *m) {
    *m = (maker){0};
    kb_block(&m->k);
}

/* A new variable, read behind the block if `read`. */
static uint32_t fresh(maker *m, rf_ktype type, bool read) {
    const uint32_t v = kb_var(&m->k, type);
    if (read) m->result[m->results++] = v;
    return v;
}

/* d <- op(s, 1); RF_KNONE for s: a constant. Returns the line. */
static uint32_t op(maker *m, rf_kop code, rf_ktype type, uint32_t d, uint32_t s) {
    rf_kinst *const x = kb_inst(&m->k, code, type);
    if (d != RF_KNONE) kb_dst(&m->k, x, d);
    if (s == RF_KNONE) kb_src_imm(x, 7);
    else kb_src(&m->k, x, s);
    kb_src_imm(x, 1);
    return x->line;
}

static rf_kinst *last(maker *m) { return &m->k.inst[m->k.ninst - 1]; }

/* A load of d, or a store of a constant for RF_KNONE, at [base + offset]; base RF_KNONE: [64 + offset]. Returns the line. */
static uint32_t access_to(maker *m, rf_kop code, rf_kspace space, uint32_t d, uint32_t base, int64_t offset) {
    rf_kinst *const x = kb_inst(&m->k, code, RF_T_U32);
    x->space = (uint8_t)space;
    x->offset = offset;
    if (d != RF_KNONE) kb_dst(&m->k, x, d);
    if (base == RF_KNONE) kb_src_imm(x, 64);
    else kb_src(&m->k, x, base);
    if (code != RF_K_LD) kb_src_imm(x, 3);
    return x->line;
}

static uint32_t chain(maker *m, uint32_t from, uint32_t length, bool read, uint32_t *lines) {
    for (uint32_t n = 0; n < length; n++) {
        const uint32_t next = fresh(m, RF_T_U32, read && n + 1 == length), line = op(m, RF_K_ADD, RF_T_U32, next, from);
        if (lines) lines[n] = line;
        from = next;
    }
    return from;
}

/* Ends the kernel, schedules and judges it; `place` gets the place of each line, from 0. */
static void finish(maker *m, uint32_t words, uint32_t predicates, uint32_t *place) {
    rf_kernel after;
    kb_block(&m->k);
    for (uint32_t r = 0; r < m->results; r++) {
        const bool predicate = m->k.var[m->result[r]].type == RF_T_PRED;
        rf_kinst *const x = kb_inst(&m->k, predicate ? RF_K_SELP : RF_K_ST, RF_T_U32);
        kb_src_imm(x, 0);
        kb_src(&m->k, x, m->result[r]);
        x->space = RF_S_GLOBAL;
    }
    (void)kb_inst(&m->k, RF_K_EXIT, RF_T_NONE);
    kb_finish(&m->k, "known");
    judged(&m->k, &after, words, predicates, "known answer");
    for (uint32_t i = 0; place && i < after.ninst; i++) place[after.inst[i].line] = i;
    rf_kernel_free(&after);
}

/* A load, its use and six adds, the load at either end: load, adds, use. */
static void test_load_first(void **state) {
    (void)state;
    for (uint32_t at_end = 0; at_end < 2; at_end++) {
        maker m;
        uint32_t place[64], load = 0, use = 0;
        begin(&m);
        for (uint32_t part = 0; part < 2; part++) {
            if (part == at_end) {
                const uint32_t l = fresh(&m, RF_T_U32, false);
                load = access_to(&m, RF_K_LD, RF_S_GLOBAL, l, RF_KNONE, 0);
                use = op(&m, RF_K_ADD, RF_T_U32, fresh(&m, RF_T_U32, true), l);
            } else {
                for (uint32_t n = 0; n < 6; n++) (void)op(&m, RF_K_ADD, RF_T_U32, fresh(&m, RF_T_U32, true), RF_KNONE);
            }
        }
        finish(&m, 64, 7, place);
        assert_int_equal(place[load], 0);
        assert_int_equal(place[use], 7);
        rf_kernel_free(&m.k);
    }
}

/* Two chains, one behind the other, take turns; three do. */
static void test_interleave(void **state) {
    (void)state;
    for (uint32_t chains = 2; chains <= 3; chains++) {
        maker m;
        uint32_t place[64], line[3][6];
        begin(&m);
        for (uint32_t c = 0; c < chains; c++) (void)chain(&m, RF_KNONE, 6, true, line[c]);
        finish(&m, 64, 7, place);
        for (uint32_t n = 0; n < 6; n++)
            for (uint32_t c = 0; c < chains; c++) assert_int_equal(place[line[c][n]] / chains, n);
        rf_kernel_free(&m.k);
    }
}

/* A long chain stays as it is. */
static void test_chain(void **state) {
    (void)state;
    maker m;
    uint32_t place[64];
    begin(&m);
    (void)chain(&m, RF_KNONE, 30, true, NULL);
    finish(&m, 64, 7, place);
    for (uint32_t n = 1; n <= 30; n++) assert_int_equal(place[n], n - 1);
    rf_kernel_free(&m.k);
}

/* Of two heads, written short one first, the one with the longer way goes first: heads and lengths of what hangs on them. */
static void test_latencies(void **state) {
    (void)state;
    static const struct {
        rf_kop op;
        rf_kspace space;
        uint32_t then; /* adds behind it */
    } ways[] = {
        /* each longer than the one before it */
        {RF_K_ADD, RF_S_GENERIC, 1},  {RF_K_SIN, RF_S_GENERIC, 1},  {RF_K_ADD, RF_S_GENERIC, 4},  {RF_K_LD, RF_S_SHARED, 4},
        {RF_K_ADD, RF_S_GENERIC, 10}, {RF_K_LD, RF_S_CONST, 10},    {RF_K_ADD, RF_S_GENERIC, 14}, {RF_K_LD, RF_S_GLOBAL, 1},
        {RF_K_ADD, RF_S_GENERIC, 60}, {RF_K_ATOM, RF_S_GLOBAL, 20}, {RF_K_ADD, RF_S_GENERIC, 80}, {RF_K_LD, RF_S_GENERIC, 40},
    };
    for (uint32_t w = 0; w + 1 < sizeof ways / sizeof *ways; w++) {
        maker m;
        uint32_t place[256], head[2];
        begin(&m);
        for (uint32_t h = 0; h < 2; h++) {
            const uint32_t v = fresh(&m, RF_T_U32, false);
            const bool memory = ways[w + h].op == RF_K_LD || ways[w + h].op == RF_K_ATOM;
            head[h] = memory ? access_to(&m, ways[w + h].op, ways[w + h].space, v, RF_KNONE, 0)
                             : op(&m, ways[w + h].op, RF_T_U32, v, RF_KNONE);
            (void)chain(&m, v, ways[w + h].then, true, NULL);
        }
        finish(&m, 64, 7, place);
        if (place[head[1]] != 0 || place[head[0]] == 0) fail_msg("way %u goes before the longer one", w);
        rf_kernel_free(&m.k);
    }
}

/* Sixteen loads, each used at once in a chain of sums: those that rise take most of the room and no more; none rises without
 * room. The same with predicates. */
static void test_bound(void **state) {
    (void)state;
    for (uint32_t bound = 0; bound <= 24; bound++) {
        for (uint32_t predicates = 0; predicates < 2; predicates++) {
            maker m;
            uint32_t place[128], loads[16], uses[16], early = 0, first = RF_KNONE;
            begin(&m);
            uint32_t sum = chain(&m, RF_KNONE, 1, false, NULL);
            for (uint32_t n = 0; n < 16; n++) {
                const uint32_t v = fresh(&m, predicates ? RF_T_PRED : RF_T_U32, false), next = fresh(&m, RF_T_U32, n == 15);
                loads[n] = predicates ? op(&m, RF_K_SETP, RF_T_U32, v, RF_KNONE)
                                      : access_to(&m, RF_K_LD, RF_S_GLOBAL, v, RF_KNONE, 4 * n);
                uses[n] = op(&m, RF_K_SELP, RF_T_U32, next, sum);
                kb_src(&m.k, last(&m), v);
                sum = next;
            }
            finish(&m, predicates ? 64 : bound, predicates ? bound : 7, place);
            for (uint32_t n = 0; n < 16; n++) first = place[uses[n]] < first ? place[uses[n]] : first;
            for (uint32_t n = 0; n < 16; n++) early += place[loads[n]] < first;
            if (!predicates) { /* one word is the sum's */
                const uint32_t room = bound < 2 ? 1 : bound > 17 ? 16 : bound - 1;
                assert_in_range(early, room - room / 3, room);
            }
            rf_kernel_free(&m.k);
        }
    }
}

/* Eight short values, stored at once, then twelve loads into a sum that is live from the start, each sum and value read twice:
 * loads rise until exactly the bound is in use; then what ends two lives goes before a short value, though it waits. */
static void test_bound_filled(void **state) {
    (void)state;
    for (uint32_t bound = 2; bound <= 13; bound++) {
        maker m;
        uint32_t place[128], loads[12], early = 0, first = RF_KNONE, sum;
        begin(&m);
        sum = fresh(&m, RF_T_U32, false);
        for (uint32_t n = 0; n < 8; n++) {
            const uint32_t v = fresh(&m, RF_T_U32, false);
            (void)op(&m, RF_K_ADD, RF_T_U32, v, RF_KNONE);
            (void)access_to(&m, RF_K_ST, RF_S_SHARED, RF_KNONE, RF_KNONE, 4 * n);
            last(&m)->src[1] = kb_reg(&m.k, v);
        }
        for (uint32_t n = 0; n < 12; n++) {
            const uint32_t v = fresh(&m, RF_T_U32, false), next = fresh(&m, RF_T_U32, n == 11);
            loads[n] = access_to(&m, RF_K_LD, RF_S_GLOBAL, v, RF_KNONE, 4 * n);
            (void)access_to(&m, RF_K_ST, RF_S_SHARED, RF_KNONE, RF_KNONE, 64 + 8 * n);
            last(&m)->vector = 2;
            last(&m)->src[1] = kb_reg(&m.k, sum);
            kb_src(&m.k, last(&m), v);
            (void)op(&m, RF_K_SELP, RF_T_U32, next, sum);
            kb_src(&m.k, last(&m), v);
            sum = next;
        }
        finish(&m, bound, 7, place);
        for (uint32_t n = 1; n <= 16 + 36; n++)
            if (m.k.inst[n - 1].op != RF_K_LD && place[n] < first) first = place[n];
        for (uint32_t n = 0; n < 12; n++) early += place[loads[n]] < first;
        assert_int_equal(early, bound - 1);
        rf_kernel_free(&m.k);
    }
}

/* X, then a load that is used: whether the load passes X. Only what may not pass, and what surely is independent, is here. */
static void test_memory(void **state) {
    (void)state;
    enum { A, B, NUMBER };
    static const struct {
        rf_kop op;
        rf_kspace space;
        uint8_t base;
        int64_t offset;
        uint8_t vector;
        uint16_t flags;
        rf_kspace load;
        uint8_t load_base;
        int64_t load_offset;
        uint8_t load_vector;
        uint16_t load_flags;
        bool passes;
    } cases[] = {
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, false},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, A, 4, 1, 0, true},
        {RF_K_ST, RF_S_GLOBAL, A, 4, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, true},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, A, 3, 1, 0, false},
        {RF_K_ST, RF_S_GLOBAL, A, 3, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, false},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 2, 0, RF_S_GLOBAL, A, 4, 1, 0, false},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 2, 0, RF_S_GLOBAL, A, 8, 1, 0, true},
        {RF_K_ST, RF_S_GLOBAL, A, 12, 1, 0, RF_S_GLOBAL, A, 0, 4, 0, false},
        {RF_K_ST, RF_S_GLOBAL, A, -4, 1, 0, RF_S_GLOBAL, A, 0, 4, 0, true},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, B, 4, 1, 0, false},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, NUMBER, 0, 1, 0, false},
        {RF_K_ST, RF_S_SHARED, NUMBER, 0, 1, 0, RF_S_SHARED, NUMBER, 0, 1, 0, false},
        {RF_K_ST, RF_S_SHARED, NUMBER, 0, 1, 0, RF_S_SHARED, NUMBER, 8, 1, 0, true},
        {RF_K_ST, RF_S_LOCAL, A, 0, 1, 0, RF_S_LOCAL, A, 0, 1, 0, false},
        {RF_K_ST, RF_S_LOCAL, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, true},
        {RF_K_ST, RF_S_SHARED, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, true},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_SHARED, A, 0, 1, 0, true},
        {RF_K_ST, RF_S_GENERIC, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, false},
        {RF_K_ST, RF_S_GENERIC, A, 0, 1, 0, RF_S_SHARED, B, 0, 1, 0, false},
        {RF_K_ST, RF_S_SHARED, A, 0, 1, 0, RF_S_GENERIC, B, 0, 1, 0, false},
        {RF_K_ST, RF_S_GENERIC, A, 0, 1, 0, RF_S_LOCAL, B, 0, 1, 0, false},
        {RF_K_ST, RF_S_GENERIC, A, 0, 1, 0, RF_S_PARAM, NUMBER, 0, 1, 0, true},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, 0, RF_S_CONST, B, 0, 1, 0, true},
        {RF_K_LD, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, true},
        {RF_K_LD, RF_S_GENERIC, A, 0, 1, 0, RF_S_GLOBAL, B, 0, 1, 0, true},
        {RF_K_LD, RF_S_GLOBAL, A, 0, 1, RF_F_VOLATILE, RF_S_GLOBAL, A, 64, 1, RF_F_VOLATILE, false},
        {RF_K_ST, RF_S_GLOBAL, A, 0, 1, RF_F_VOLATILE, RF_S_SHARED, A, 64, 1, RF_F_VOLATILE, false},
        {RF_K_ST, RF_S_SHARED, A, 0, 1, RF_F_VOLATILE, RF_S_SHARED, A, 64, 1, 0, false},
        {RF_K_RED, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, false},
        {RF_K_RED, RF_S_GLOBAL, A, 0, 1, 0, RF_S_GLOBAL, B, 0, 1, 0, false},
        {RF_K_RED, RF_S_SHARED, A, 0, 1, 0, RF_S_GLOBAL, B, 0, 1, 0, true},
        {RF_K_BAR, RF_S_GENERIC, A, 0, 1, 0, RF_S_SHARED, A, 0, 1, 0, false},
        {RF_K_BAR, RF_S_GENERIC, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, false},
        {RF_K_NOP, RF_S_GENERIC, A, 0, 1, 0, RF_S_GLOBAL, A, 0, 1, 0, false},
        {RF_K_WARPSYNC, RF_S_GENERIC, A, 0, 1, 0, RF_S_SHARED, A, 0, 1, 0, false},
    };
    for (uint32_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        maker m;
        uint32_t place[64], base[3];
        begin(&m);
        base[A] = fresh(&m, RF_T_U64, true);
        base[B] = fresh(&m, RF_T_U64, true);
        base[NUMBER] = RF_KNONE;
        uint32_t x;
        if (cases[c].op == RF_K_BAR || cases[c].op == RF_K_NOP || cases[c].op == RF_K_WARPSYNC) {
            x = kb_inst(&m.k, cases[c].op, RF_T_NONE)->line;
        } else {
            const uint32_t d = cases[c].op == RF_K_LD ? fresh(&m, RF_T_U32, true) : RF_KNONE;
            x = access_to(&m, cases[c].op, cases[c].space, d, base[cases[c].base], cases[c].offset);
            last(&m)->vector = cases[c].vector;
            last(&m)->flags = cases[c].flags;
            if (cases[c].vector == 2) kb_src_imm(last(&m), 4);
        }
        const uint32_t d = fresh(&m, RF_T_U32, false);
        const uint32_t load = access_to(&m, RF_K_LD, cases[c].load, d, base[cases[c].load_base], cases[c].load_offset);
        last(&m)->vector = cases[c].load_vector;
        last(&m)->flags = cases[c].load_flags;
        for (uint32_t e = 1; e < cases[c].load_vector; e++) last(&m)->dst[last(&m)->ndst++] = (rf_koperand){0};
        (void)chain(&m, d, 2, true, NULL);
        finish(&m, 64, 7, place);
        if ((place[load] < place[x]) != cases[c].passes)
            fail_msg("case %u: the load %s", c, cases[c].passes ? "waits" : "passes");
        rf_kernel_free(&m.k);
    }
}

/* The base moves between two accesses of what look like disjoint ranges; or it wraps. What PTX alone says: .acquire, .release,
 * clocks, exchanges. */
static void test_orders(void **state) {
    (void)state;
    maker m;
    begin(&m);
    const uint32_t a = fresh(&m, RF_T_U64, true), d = fresh(&m, RF_T_U32, false);
    (void)access_to(&m, RF_K_ST, RF_S_GLOBAL, RF_KNONE, a, 0);
    (void)op(&m, RF_K_SUB, RF_T_U64, a, a);
    (void)access_to(&m, RF_K_LD, RF_S_GLOBAL, d, a, 4);
    (void)chain(&m, d, 20, true, NULL);
    finish(&m, 64, 7, NULL);
    rf_kernel_free(&m.k);
    for (uint32_t wide = 0; wide < 2; wide++) { /* 2^32 bytes apart: the same bytes for a base of 32 bits */
        uint32_t place[64];
        begin(&m);
        const uint32_t base = fresh(&m, wide ? RF_T_U64 : RF_T_U32, true), e = fresh(&m, RF_T_U32, false);
        const uint32_t x = access_to(&m, RF_K_ST, RF_S_GLOBAL, RF_KNONE, base, -(INT64_C(1) << 31));
        const uint32_t y = access_to(&m, RF_K_LD, RF_S_GLOBAL, e, base, INT64_C(1) << 31);
        (void)chain(&m, e, 2, true, NULL);
        finish(&m, 64, 7, place);
        assert_int_equal(place[y] < place[x], wide);
        rf_kernel_free(&m.k);
    }
    static const char head[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
                               ".reg .b64 %d<2>; .reg .b32 %r<9>; .reg .pred %p<2>;\nld.param.u64 %d0, [p];\n";
    static const char *const bodies[] = {
        "ld.acquire.gpu.global.u32 %r0, [%d0]; ld.global.u32 %r1, [%d0+64]; mul.lo.u32 %r2, %r1, %r1; add.u32 %r3, %r2, %r0;",
        "add.u32 %r1, %r0, 1; st.global.u32 [%d0+64], %r1; mov.u32 %r2, 5; st.release.gpu.global.u32 [%d0], %r2;",
        "atom.acquire.gpu.global.add.u32 %r0, [%d0], 1; ld.global.u32 %r1, [%d0+64]; mul.lo.u32 %r2, %r1, %r1;",
        "mul.lo.u32 %r1, %r0, %r0; st.global.u32 [%d0+64], %r1; red.release.gpu.global.add.u32 [%d0], 1;",
        "st.global.u32 [%d0+64], %r1; membar.gl; ld.global.u32 %r2, [%d0];",
        "mov.u32 %r0, %clock; ld.global.u32 %r1, [%d0]; mov.u32 %r2, %clock; sub.u32 %r3, %r2, %r0;",
        "mov.u32 %r0, %clock; mov.u64 %d1, %globaltimer; cvt.u32.u64 %r1, %d1; mul.lo.u32 %r2, %r1, %r1;",
        "mov.u64 %d1, %globaltimer; mov.u32 %r0, %clock; mul.lo.u32 %r2, %r0, %r0;",
        "shfl.sync.idx.b32 %r0|%p0, %r1, 0, 31, -1; activemask.b32 %r3; vote.sync.ballot.b32 %r2, %p1, -1; mul.lo.u32 %r4, %r2, "
        "%r2;",
    };
    for (uint32_t c = 0; c < sizeof bodies / sizeof *bodies; c++) {
        char text[1024], error[512] = "", what[32];
        rf_module module;
        rf_kernel after;
        (void)snprintf(text, sizeof text, "%s%s\nst.global.u32 [%%d0+128], %%r2; st.global.u32 [%%d0+132], %%r3;\nret;\n}\n",
                       head, bodies[c]);
        rf_memory_file file = {.path = "k.ptx", .text = text, .size = strlen(text), .piece = 4096};
        rf_memory memory = {&file, 1};
        const rf_source source = rf_memory_source(&memory);
        if (rf_ptx_read(&source, "k.ptx", &module, error, sizeof error) != 0) fail_msg("%s", error);
        (void)snprintf(what, sizeof what, "body %u", c);
        number_lines(&module.kernel[0]);
        judged(&module.kernel[0], &after, 64, 7, what);
        rf_kernel_free(&after);
        rf_module_free(&module);
    }
}

/* The second of two instructions has a long chain behind it and would go first, but for a register: read before it is replaced,
 * replaced twice, a guard, a word that stays under a guard, the carry. */
static void test_registers(void **state) {
    (void)state;
    enum { REPLACED, TWICE, GUARD, STAYS, CARRY_READ, CARRY_TWICE, CASES };
    for (uint32_t c = 0; c < CASES; c++) {
        maker m;
        uint32_t place[64], v;
        begin(&m);
        const uint32_t t = fresh(&m, RF_T_U32, true), u = fresh(&m, RF_T_U32, true), p = fresh(&m, RF_T_PRED, true);
        const uint32_t x = op(&m, c == CARRY_READ ? RF_K_ADDC : RF_K_ADD, RF_T_U32, c == TWICE || c == STAYS ? t : u,
                              c == REPLACED ? t : RF_KNONE);
        if (c == GUARD) last(&m)->guard = p;
        if (c == CARRY_TWICE) last(&m)->flags = RF_F_CC;
        const bool carry = c == CARRY_READ || c == CARRY_TWICE;
        v = c == GUARD ? p : carry ? fresh(&m, RF_T_U32, false) : t;
        const uint32_t y = op(&m, c == GUARD ? RF_K_SETP : RF_K_ADD, RF_T_U32, v, RF_KNONE);
        if (c == STAYS) last(&m)->guard = p;
        if (carry) last(&m)->flags = RF_F_CC;
        if (c == GUARD) {
            v = fresh(&m, RF_T_U32, false);
            (void)op(&m, RF_K_SELP, RF_T_U32, v, RF_KNONE);
            kb_src(&m.k, last(&m), p);
        }
        (void)chain(&m, v, 20, true, NULL);
        finish(&m, 64, 7, place);
        assert_true(place[x] < place[y]);
        rf_kernel_free(&m.k);
    }
}

/* The last instruction stays, whatever it is, with and without a guard, when it is the only one, and when it falls through. */
static void test_ends(void **state) {
    (void)state;
    static const rf_kop ends[] = {RF_K_BRA, RF_K_EXIT, RF_K_TRAP};
    for (uint32_t e = 0; e < 6; e++) {
        maker m;
        uint32_t place[64];
        begin(&m);
        const uint32_t p = fresh(&m, RF_T_PRED, true);
        if (e % 2) (void)access_to(&m, RF_K_LD, RF_S_GLOBAL, fresh(&m, RF_T_U32, true), RF_KNONE, 0);
        (void)chain(&m, RF_KNONE, 4, true, NULL);
        rf_kinst *const end = kb_inst(&m.k, ends[e / 2], RF_T_NONE);
        const uint32_t line = end->line;
        end->guard = p;
        end->target = 1;
        kb_block(&m.k);
        (void)kb_inst(&m.k, RF_K_NOP, RF_T_NONE);
        finish(&m, 64, 7, place);
        assert_int_equal(place[line], line - 1);
        rf_kernel_free(&m.k);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load_first), cmocka_unit_test(test_interleave), cmocka_unit_test(test_chain),
        cmocka_unit_test(test_latencies),  cmocka_unit_test(test_bound),      cmocka_unit_test(test_bound_filled),
        cmocka_unit_test(test_memory),     cmocka_unit_test(test_orders),     cmocka_unit_test(test_registers),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
