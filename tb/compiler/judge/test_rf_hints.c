/* SPDX-License-Identifier: Apache-2.0 */
/* Programs and their hints: the static instructions, near bits against RTHLD, dead bits against every path of a lane and against
 * a diverging warp; hints of a stream without a graph against a scan of the stream. */
#include "tb/compiler/judge/hand_kernel.h"

#include "cmodel/compiler/rf_hints.h"
#include "cmodel/workload/rf_opcode.h"

#define END RF_HINT_STRAND_END
#define WAIT (RF_HINT_STRAND_END | RF_HINT_DESCHEDULE)
#define LONG RF_HINT_LONG_LATENCY
#define USE RF_HINT_LONG_CONSUMER
#define HERE RF_HINT_PRESENT

static void build(rf_program *p, const rf_kernel *k, rf_hint_options options) {
    char error[128] = "";
    const int result = rf_program_build(p, k, &options, error, sizeof error);
    assert_string_equal(error, "");
    assert_int_equal(result, 0);
}

/* --- the program ------------------------------------------------------------------------------------------------------------ */

static void test_program(void **state) {
    (void)state;
    rf_kernel k;
    rf_program p;
    hand_kernel(&k,
                "B0:\ndadd R2:2, R4:2, R6:2\nsetp P0, R2, R3\n@P0 bra B2\nB1:\natom R1, R2, R3\nbra B1\nB2:\nst R2, R1\nexit\n");
    k.shared_bytes = 48;
    k.inst[5].vector = 4; /* st.v4 */
    build(&p, &k, (rf_hint_options){0});
    assert_string_equal(p.kernel, "hand");
    assert_string_equal(p.origin, "8 registers");
    assert_int_equal(p.shared_bytes, 48);
    assert_int_equal(p.nreg, 8);
    assert_int_equal(p.ninst, k.ninst);
    assert_int_equal(p.nblock, 3);
    assert_int_equal(p.code[0].succ[0], 2);
    assert_int_equal(p.code[0].succ[1], 1);
    assert_int_equal(p.code[0].ipdom, 2);
    assert_int_equal(p.code[1].first, 3);
    assert_int_equal(p.code[1].count, 2);
    assert_int_equal(p.code[1].succ[1], RF_INDEX_NONE);
    assert_int_equal(p.code[2].ipdom, RF_INDEX_NONE);
    for (uint32_t i = 0; i < p.ninst; i++) {
        const rf_inst *const inst = &p.inst[i];
        assert_int_equal(inst->pc, 16 * i);
        assert_int_equal(inst->index, i);
        assert_int_equal(inst->mask, UINT32_MAX);
        assert_int_equal(inst->opclass, rf_kinst_class(&k.inst[i]));
        assert_string_equal(inst->mnemonic, k.texts[k.inst[i].text]);
        assert_true(inst->mnemonic >= p.text && inst->mnemonic < p.text + p.text_bytes);
        assert_true(inst->opcode == rf_fnv1a(inst->mnemonic, strlen(inst->mnemonic)));
        assert_null(inst->address);
        assert_null(inst->value);
        assert_true(inst->hint.flags & HERE);
    }
    assert_int_equal(p.inst[0].nsrc, 4);
    assert_memory_equal(p.inst[0].src, ((const uint8_t[]){4, 5, 6, 7}), 4);
    assert_int_equal(p.inst[0].ndst, 2);
    assert_memory_equal(p.inst[0].dst, ((const uint8_t[]){2, 3}), 2);
    assert_int_equal(p.inst[1].ndst, 0); /* a predicate lies in no bank */
    assert_int_equal(p.inst[0].width, 0);
    assert_true(p.inst[3].load && p.inst[3].store && p.inst[3].width == 4);
    assert_true(!p.inst[5].load && p.inst[5].store && p.inst[5].width == 16);
    rf_program_free(&p);
    rf_kernel_free(&k);
}

/* No options are the defaults, stated. */
static void test_defaults(void **state) {
    (void)state;
    rf_kernel k;
    rf_program p, q;
    char error[128] = "";
    hand_kernel(&k, "B0:\nadd R2, R1, R0\nadd R9, R2, R1\nst R9, R2\nexit\n");
    build(&p, &k, (rf_hint_options){.rthld = RF_RTHLD_DEFAULT, .registers = 16, .banks = 16});
    assert_int_equal(rf_program_build(&q, &k, NULL, error, sizeof error), 0);
    assert_int_equal(q.ninst, p.ninst);
    for (uint32_t i = 0; i < p.ninst; i++) assert_memory_equal(&q.inst[i].hint, &p.inst[i].hint, sizeof p.inst[i].hint);
    rf_program_free(&q);
    build(&q, &k, (rf_hint_options){.rthld = 1, .registers = 10, .banks = 1}); /* others make a difference */
    assert_int_not_equal(q.inst[0].hint.dst_near, p.inst[0].hint.dst_near);
    rf_program_free(&q);
    rf_program_free(&p);
    rf_kernel_free(&k);
}

/* With leave_back the warp is descheduled behind the loop's branch, and nothing else changes. */
static void test_leave_back(void **state) {
    (void)state;
    enum { BRANCH = 3, INSTS = 7 };
    rf_kernel k;
    rf_program stays, leaves;
    rf_level_options levels = rf_level_defaults();
    hand_kernel(&k, "B0:\nadd R4, R0, R1\nB1:\nadd R4, R4, R3\nsetp P0, R4, R2\n@P0 bra B1\nB2:\n@P0 bra B3\nB3:\nst R0, R4\n"
                    "exit\n");
    build(&stays, &k, (rf_hint_options){.levels = &levels});
    levels.leave_back = true;
    build(&leaves, &k, (rf_hint_options){.levels = &levels});
    assert_int_equal(stays.ninst, INSTS);
    assert_int_equal(stays.inst[BRANCH].hint.flags, HERE | END);
    assert_int_equal(leaves.inst[BRANCH].hint.flags, HERE | WAIT);
    leaves.inst[BRANCH].hint.flags = HERE | END;
    for (uint32_t i = 0; i < INSTS; i++)
        assert_memory_equal(&leaves.inst[i].hint, &stays.inst[i].hint, sizeof stays.inst[i].hint);
    rf_program_free(&stays);
    rf_program_free(&leaves);
    rf_kernel_free(&k);
}

/* Lone constants in their usual place as they are; all others differ, and differ from those. */
static void test_immediate(void **state) {
    (void)state;
    rf_kernel k;
    rf_inst inst;
    int64_t seen[9];
    hand_kernel(&k, "B0:\nadd R1, R0, 5\nld R1, R0\nldp R1, 24\nadd R1, R0, R0\n"
                    "add R1, 5, R0\nmov R1, %tid\nmov R1, 0\nst R0, 5\nadd R1, 5, 6\nadd R1, 6, 5\nst 8, 5\nst 8, R1\nexit\n");
    k.inst[1].offset = -8;
    static const int64_t plain[] = {5, -8, 24, 0};
    for (uint32_t i = 0; i < 4; i++) {
        rf_program_inst(&k, i, &inst);
        assert_int_equal(inst.immediate, plain[i]);
    }
    for (uint32_t i = 0; i < 8; i++) {
        rf_program_inst(&k, 4 + i, &inst);
        seen[i] = inst.immediate;
        for (uint32_t j = 0; j < i; j++) assert_int_not_equal(seen[j], seen[i]);
        for (uint32_t j = 0; j < 3; j++) assert_int_not_equal(plain[j], seen[i]);
    }
    assert_int_equal(seen[2], 0); /* mov R1, 0 */
    assert_int_equal(seen[7], 8); /* the address alone */
    k.inst[11].offset = 4;
    rf_program_inst(&k, 11, &inst);
    assert_int_not_equal(inst.immediate, 8);
    rf_kernel_free(&k);
}

static void refuse(const rf_kernel *k, rf_hint_options options, const char *message) {
    char error[128] = "";
    rf_program p;
    assert_int_equal(rf_program_build(&p, k, &options, error, sizeof error), -1);
    assert_string_equal(error, message);
    assert_null(p.inst);
}

static void test_refused(void **state) {
    (void)state;
    rf_kernel k;
    hand_kernel(&k, "B0:\nadd R9, R0, R0\nexit\n");
    refuse(&k, (rf_hint_options){.banks = 33}, "hand: banks: 33 (1 .. 32)");
    refuse(&k, (rf_hint_options){.registers = 9}, "hand: registers: 9 (10 .. 255)");
    refuse(&k, (rf_hint_options){.registers = 256}, "hand: registers: 256 (10 .. 255)");
    k.nreg = 256;
    refuse(&k, (rf_hint_options){0}, "hand: registers: not allocated to warp registers (0 .. 254)");
    k.nreg = 10;
    k.allocated = false;
    refuse(&k, (rf_hint_options){0}, "hand: registers: not allocated to warp registers (0 .. 254)");
    rf_kernel_free(&k);
}

/* 255 registers, 32 banks, and the default number of registers rounded up. */
static void test_limits(void **state) {
    (void)state;
    rf_kernel k;
    rf_program p;
    hand_kernel(&k, "B0:\nadd R254, R0, R0\nst R254, R254\nexit\n");
    build(&p, &k, (rf_hint_options){.banks = 32});
    assert_int_equal(p.inst[0].hint.nfree, 3);
    assert_int_equal(p.inst[0].hint.free_reg[0], 32); /* R0 is busy */
    rf_program_free(&p);
    rf_kernel_free(&k);
    hand_kernel(&k, "B0:\nadd R1, R0, R0\nst R1, R0\nexit\n"); /* two registers used: 8 exist */
    build(&p, &k, (rf_hint_options){.banks = 7});
    assert_int_equal(p.inst[0].hint.free_reg[0], 7); /* R0's bank */
    rf_program_free(&p);
    build(&p, &k, (rf_hint_options){.banks = 8});
    assert_int_equal(p.inst[0].hint.free_reg[0], 2); /* R0 and R1 are alone in their banks */
    rf_program_free(&p);
    build(&p, &k, (rf_hint_options){.banks = 1, .registers = 2});
    assert_int_equal(p.inst[0].hint.nfree, 0);
    rf_program_free(&p);
    rf_kernel_free(&k);
}

/* --- near bits -------------------------------------------------------------------------------------------------------------- */

static void test_near(void **state) {
    (void)state;
    rf_kernel k;
    rf_program p;
    hand_kernel(&k, "B0:\nadd R2, R0, R1\nnop\nnop\nadd R3, R2, R1\nnop\nnop\nnop\nnop\nnop\nst R3, R0\nexit\n");
    build(&p, &k, (rf_hint_options){0}); /* 10: R0 at 9, R1 at 3, R2 at 3, R3 at 6 */
    assert_int_equal(p.inst[0].hint.src_near, 3);
    assert_int_equal(p.inst[0].hint.dst_near, 1);
    assert_int_equal(p.inst[3].hint.src_near, 0); /* neither is read again */
    assert_int_equal(p.inst[3].hint.dst_near, 1);
    rf_program_free(&p);
    build(&p, &k, (rf_hint_options){.rthld = 9}); /* a distance of 9 is far */
    assert_int_equal(p.inst[0].hint.src_near, 2);
    rf_program_free(&p);
    build(&p, &k, (rf_hint_options){.rthld = 3});
    assert_int_equal(p.inst[0].hint.src_near, 0);
    assert_int_equal(p.inst[0].hint.dst_near, 0);
    rf_program_free(&p);
    build(&p, &k, (rf_hint_options){.rthld = UINT32_MAX}); /* no reuse is far for every threshold */
    assert_int_equal(p.inst[3].hint.src_near, 0);
    rf_program_free(&p);
    rf_kernel_free(&k);
}

/* --- dead bits -------------------------------------------------------------------------------------------------------------- */

/* [CERF III-D-2]: R1 is read on one way of a hammock, R2 behind it as well. A warp that diverges may still need R1 for the lanes
 * on the other way; only behind them all, or where all lanes are together, is it dead. */
static void test_dead_hammock(void **state) {
    (void)state;
#define HAMMOCK(branch, other)                                                                                                   \
    "B0:\nsetp P0, R0, R1\n@P0 " branch " B2\n" /* 0 1 */                                                                        \
    "B1:\nadd R3, R1, R2\nbra B3\n"             /* 2 3 */                                                                        \
    "B2:\nadd R3, " other ", R0\n"              /* 4 */                                                                          \
    "B3:\nadd R4, R3, R2\nst R4, R4\nexit\n"    /* 5 6 7 */
    static const struct {
        const char *text;
        uint32_t first, second; /* src_dead of instructions 2 and 4 */
    } cases[] = {
        {HAMMOCK("bra.uni", "R1"), 1, 3},
        {HAMMOCK("bra", "R1"), 0, 2}, /* R1: the other way may come later; R0 is not read on B1's way */
        {HAMMOCK("bra", "R0"), 1, 3},
    };
    for (uint32_t c = 0; c < 3; c++) {
        rf_kernel k;
        rf_program p;
        hand_kernel(&k, cases[c].text);
        build(&p, &k, (rf_hint_options){0});
        assert_int_equal(p.inst[2].hint.src_dead, cases[c].first);
        assert_int_equal(p.inst[4].hint.src_dead, cases[c].second);
        assert_int_equal(p.inst[5].hint.src_dead, 3);
        assert_int_equal(p.inst[5].hint.dst_dead, 0);
        assert_int_equal(p.inst[6].hint.src_dead, 3);
        rf_program_free(&p);
        build(&p, &k, (rf_hint_options){.dead_together = true}); /* the CERF paper to the letter: nothing dies on one way alone */
        assert_int_equal(p.inst[2].hint.src_dead, c == 0 ? cases[c].first : 0);
        assert_int_equal(p.inst[4].hint.src_dead, c == 0 ? cases[c].second : 0);
        assert_int_equal(p.inst[4].hint.dst_dead, 0);
        assert_int_equal(p.inst[5].hint.src_dead, 3);
        assert_int_equal(p.inst[6].hint.src_dead, 3);
        rf_program_free(&p);
        rf_kernel_free(&k);
    }
}

static bool names(const uint16_t *list, uint32_t count, uint32_t reg) {
    bool found = false;
    for (uint32_t i = 0; i < count; i++) found |= list[i] == reg;
    return found;
}

/* Whether some path from in front of an instruction reads a register before it replaces it, by going down them all. */
static bool read_from(const rf_kernel *k, uint32_t inst, uint32_t reg, bool *seen) {
    uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
    uint32_t nsrc, ndst;
    if (seen[inst]) return false;
    seen[inst] = true;
    rf_kinst_words(&k->inst[inst], src, &nsrc, dst, &ndst);
    if (names(src, nsrc, reg)) return true;
    if (names(dst, ndst, reg) && k->inst[inst].guard == RF_KNONE) return false;
    const rf_kblock *const block = &k->block[rf_kernel_block_of(k, inst)];
    if (inst + 1 < block->first + block->count) return read_from(k, inst + 1, reg, seen);
    for (uint32_t s = 0; s < block->nsucc; s++)
        if (read_from(k, k->block[block->succ[s]].first, reg, seen)) return true;
    return false;
}

static bool read_behind(const rf_kernel *k, uint32_t inst, uint32_t reg) {
    bool seen[HAND_INSTS] = {false};
    const rf_kblock *const block = &k->block[rf_kernel_block_of(k, inst)];
    if (inst + 1 < block->first + block->count) return read_from(k, inst + 1, reg, seen);
    for (uint32_t s = 0; s < block->nsucc; s++)
        if (read_from(k, k->block[block->succ[s]].first, reg, seen)) return true;
    return false;
}

/* Where no branch diverges, a bit is set exactly when no path reads the value again. */
static void test_dead_paths(void **state) {
    (void)state;
    uint64_t rng = 5;
    uint32_t dead = 0, needed = 0;
    for (uint32_t round = 0; round < 2500; round++) {
        rf_kernel k;
        rf_program p;
        hand_random(&k, &rng, 2 + 2 * hand_below(&rng, 6), true);
        build(&p, &k, (rf_hint_options){0});
        for (uint32_t i = 0; i < k.ninst; i++) {
            uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
            uint32_t nsrc, ndst, src_dead = 0, dst_dead = 0;
            rf_kinst_words(&k.inst[i], src, &nsrc, dst, &ndst);
            for (uint32_t s = 0; s < nsrc; s++)
                if ((names(dst, ndst, src[s]) && k.inst[i].guard == RF_KNONE) || !read_behind(&k, i, src[s])) src_dead |= 1u << s;
            for (uint32_t d = 0; d < ndst; d++)
                if (!read_behind(&k, i, dst[d])) dst_dead |= 1u << d;
            assert_int_equal(p.inst[i].hint.src_dead, src_dead);
            assert_int_equal(p.inst[i].hint.dst_dead, dst_dead);
            dead += src_dead != 0;
            needed += nsrc && src_dead == 0;
        }
        rf_program_free(&p);
        rf_kernel_free(&k);
    }
    assert_true(dead > 5000 && needed > 5000);
}

/* --- streams ---------------------------------------------------------------------------------------------------------------- */

#define STEPS 200u

typedef struct walker {
    const rf_kernel *k;
    rf_warp warp;
    rf_inst inst[STEPS];
} walker;

static void record(void *ctx, uint32_t index, uint32_t mask) {
    walker *const w = ctx;
    rf_inst *const inst = &w->inst[w->warp.count++];
    rf_program_inst(w->k, index, inst);
    inst->mask = mask;
    if (mask == 0) inst->nsrc = inst->ndst = 0;
}

/* A warp of a random kernel, in w->warp. */
static void walk(walker *w, const rf_kernel *k, uint64_t *rng) {
    *w = (walker){.k = k};
    w->warp.inst = w->inst;
    hand_walk(k, rng, STEPS, record, w);
}

/* Behind instruction `at`: whether any of `lanes` of a register is read before it is overwritten, and where it is read next, by
 * whatever lane; 0: not before the end. */
static bool read_later(const rf_warp *warp, size_t at, uint32_t reg, uint32_t lanes, size_t *next) {
    bool read = false;
    *next = 0;
    for (size_t i = at + 1; i < warp->count; i++) {
        const rf_inst *const inst = &warp->inst[i];
        for (uint32_t s = 0; s < inst->nsrc; s++) {
            if (inst->src[s] != reg) continue;
            read |= (inst->mask & lanes) != 0;
            if (*next == 0) *next = i - at;
        }
        for (uint32_t d = 0; d < inst->ndst; d++)
            if (inst->dst[d] == reg) lanes &= ~inst->mask;
    }
    return read;
}

/* The four sets of one instruction, from the stream. */
static rf_hint scan(const rf_warp *warp, size_t at, uint32_t rthld) {
    const rf_inst *const inst = &warp->inst[at];
    rf_hint hint = {0};
    size_t next;
    for (uint32_t s = 0; s < inst->nsrc; s++) {
        uint32_t kept = UINT32_MAX;
        for (uint32_t d = 0; d < inst->ndst; d++)
            if (inst->dst[d] == inst->src[s]) kept &= ~inst->mask;
        if (!read_later(warp, at, inst->src[s], kept, &next)) hint.src_dead |= 1u << s;
        else if (next < rthld) hint.src_near |= 1u << s;
    }
    for (uint32_t d = 0; d < inst->ndst; d++) {
        if (!read_later(warp, at, inst->dst[d], UINT32_MAX, &next)) hint.dst_dead |= 1u << d;
        else if (next < rthld) hint.dst_near |= 1u << d;
    }
    return hint;
}

static void check_strands(const rf_warp *warp) {
    bool pending[RF_REGS_MAX] = {false};
    for (size_t i = 0; i < warp->count; i++) {
        const rf_inst *const inst = &warp->inst[i];
        const uint8_t before = i ? warp->inst[i - 1].hint.flags : END;
        bool needs = false;
        for (uint32_t s = 0; s < inst->nsrc; s++) needs |= pending[inst->src[s]];
        for (uint32_t d = 0; d < inst->ndst; d++) needs |= pending[inst->dst[d]];
        assert_int_equal((inst->hint.flags & USE) != 0, needs);
        assert_int_equal((before & RF_HINT_DESCHEDULE) != 0, needs);
        if (needs) memset(pending, 0, sizeof pending);
        if (i && warp->inst[i - 1].pc >= inst->pc)
            for (size_t j = 1; j < warp->count; j++) /* a backward branch's target begins a strand, however it is reached */
                if (warp->inst[j].pc == inst->pc) assert_true(warp->inst[j - 1].hint.flags & END);
        const bool slow =
            inst->ndst && (!strcmp(inst->mnemonic, "ld.global.u32") || !strcmp(inst->mnemonic, "atom.global.add.u32"));
        assert_int_equal((inst->hint.flags & LONG) != 0, slow);
        for (uint32_t d = 0; d < inst->ndst && slow; d++) pending[inst->dst[d]] = true;
    }
    if (warp->count) assert_true(warp->inst[warp->count - 1].hint.flags & END);
}

/* Random warps: the stream's hints against a scan; and the program's, which must hold on every path: what they call dead is dead
 * in the stream. */
static void test_streams(void **state) {
    (void)state;
    static walker w;
    uint64_t rng = 6;
    uint32_t dead = 0, both = 0, nears = 0;
    for (uint32_t round = 0; round < 2000; round++) {
        rf_kernel k;
        rf_program p;
        const uint32_t rthld = 1 + hand_below(&rng, 12);
        hand_random(&k, &rng, 2 + 2 * hand_below(&rng, 7), hand_below(&rng, 3) == 0);
        build(&p, &k, (rf_hint_options){0});
        walk(&w, &k, &rng);
        assert_int_equal(rf_hints_of_warp(&w.warp, &(rf_hint_options){.rthld = rthld}), 0);
        check_strands(&w.warp);
        for (size_t i = 0; i < w.warp.count; i++) {
            const rf_inst *const inst = &w.inst[i];
            const rf_hint wanted = scan(&w.warp, i, rthld), *const stated = &p.inst[inst->index].hint;
            assert_int_equal(inst->hint.src_dead, wanted.src_dead);
            assert_int_equal(inst->hint.dst_dead, wanted.dst_dead);
            assert_int_equal(inst->hint.src_near, wanted.src_near);
            assert_int_equal(inst->hint.dst_near, wanted.dst_near);
            assert_true(inst->hint.flags & HERE);
            assert_int_equal(inst->hint.nfree, 0);
            if (inst->mask == 0) continue;
            assert_int_equal(stated->src_dead & ~wanted.src_dead, 0);
            assert_int_equal(stated->dst_dead & ~wanted.dst_dead, 0);
            dead += wanted.src_dead != 0;
            both += stated->src_dead != 0;
            nears += wanted.src_near != 0;
        }
        rf_hints_apply(&p, &w.warp);
        for (size_t i = 0; i < w.warp.count; i++)
            assert_memory_equal(&w.inst[i].hint, &p.inst[w.inst[i].index].hint, sizeof(rf_hint));
        rf_program_free(&p);
        rf_kernel_free(&k);
    }
    assert_true(dead > 20000 && both > 5000 && nears > 5000);
}

/* A trace as a GPU leaves it: a loop around a load, shared memory, two rounds. */
static void test_trace(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint64_t pc;
        uint8_t ndst, dst, nsrc, src, flags;
    } line[] = {
        {"LDG.E", 0x00, 1, 1, 1, 0, LONG}, {"LDS.U", 0x10, 1, 2, 1, 0, 0},
        {"LDC.64", 0x20, 1, 3, 1, 2, END}, {"FADD", 0x30, 1, 4, 1, 3, WAIT},
        {"FADD", 0x40, 1, 4, 1, 1, USE},   {"ATOMG.ADD", 0x50, 1, 5, 1, 4, LONG},
        {"BRA", 0x60, 0, 0, 0, 0, END},    {"FADD", 0x30, 1, 4, 1, 3, 0},
        {"FADD", 0x40, 1, 4, 1, 1, WAIT},  {"ATOMG.ADD", 0x50, 1, 5, 1, 4, LONG | USE},
        {"BRA", 0x60, 0, 0, 0, 0, WAIT},   {"STG", 0x70, 0, 0, 1, 5, USE},
        {"LDGSTS.E", 0x80, 0, 0, 1, 0, 0}, {"ATOMS.ADD", 0x90, 1, 6, 1, 0, 0},
        {"TEX", 0xa0, 1, 7, 1, 6, LONG},   {"EXIT", 0xb0, 0, 0, 0, 0, END},
    };
    rf_inst inst[16] = {{0}};
    rf_warp warp = {.inst = inst, .count = 16};
    assert_int_equal(sizeof line / sizeof line[0], 16);
    for (uint32_t i = 0; i < 16; i++) {
        inst[i] = (rf_inst){.pc = line[i].pc, .mnemonic = line[i].text, .mask = UINT32_MAX, .index = RF_INDEX_NONE};
        inst[i].load = strncmp(line[i].text, "LD", 2) == 0 || strncmp(line[i].text, "ATOM", 4) == 0 || line[i].text[0] == 'T';
        inst[i].nsrc = line[i].nsrc;
        inst[i].ndst = line[i].ndst;
        inst[i].src[0] = line[i].src;
        inst[i].dst[0] = line[i].dst;
    }
    assert_int_equal(rf_hints_of_warp(&warp, &(rf_hint_options){0}), 0);
    for (uint32_t i = 0; i < 16; i++) {
        if (inst[i].hint.flags != (HERE | line[i].flags)) print_message("instruction %u: flags %u\n", i, inst[i].hint.flags);
        assert_int_equal(inst[i].hint.flags, HERE | line[i].flags);
    }
    assert_int_equal(inst[2].hint.dst_near, 1); /* R3 in the next */
    assert_int_equal(inst[4].hint.dst_near, 1);
    assert_int_equal(inst[3].hint.dst_dead, 1); /* replaced */
    assert_int_equal(inst[7].hint.src_dead, 1); /* R3 for the last time */
    assert_int_equal(inst[3].hint.src_dead, 0);
    rf_hint stated[16];
    for (uint32_t i = 0; i < 16; i++) stated[i] = inst[i].hint;
    assert_int_equal(rf_hints_of_warp(&warp, NULL), 0); /* no options: the defaults, again */
    for (uint32_t i = 0; i < 16; i++) assert_memory_equal(&inst[i].hint, &stated[i], sizeof stated[i]);
    warp.count = 0;
    assert_int_equal(rf_hints_of_warp(&warp, &(rf_hint_options){0}), 0);
}

/* Only some lanes: the others' content is still needed. */
static void test_lanes(void **state) {
    (void)state;
    rf_inst inst[4] = {{0}};
    rf_warp warp = {.inst = inst, .count = 4};
    static const uint32_t mask[] = {0xffff, 0xff, 0xff, 0xffffffff};
    for (uint32_t i = 0; i < 4; i++) {
        inst[i] = (rf_inst){.pc = 16 * i, .mnemonic = "FADD", .mask = mask[i], .nsrc = 1, .ndst = i < 3, .index = RF_INDEX_NONE};
        inst[i].src[0] = 1;
        inst[i].dst[0] = i == 1 ? 1 : 2;
    }
    assert_int_equal(rf_hints_of_warp(&warp, &(rf_hint_options){.rthld = 2}), 0);
    static const uint32_t src_dead[] = {0, 0, 0, 1}, src_near[] = {1, 1, 1, 0}, dst_dead[] = {1, 0, 1, 0};
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(inst[i].hint.src_dead, src_dead[i]);
        assert_int_equal(inst[i].hint.src_near, src_near[i]);
        assert_int_equal(inst[i].hint.dst_dead, dst_dead[i]);
    }
    assert_int_equal(inst[1].hint.dst_near, 1);
    inst[3].mask = 0xff; /* now only what instruction 1 wrote is read again */
    assert_int_equal(rf_hints_of_warp(&warp, &(rf_hint_options){.rthld = 2}), 0);
    assert_int_equal(inst[1].hint.src_dead, 1);
    assert_int_equal(inst[1].hint.dst_dead, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_program),    cmocka_unit_test(test_immediate), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_limits),     cmocka_unit_test(test_near),      cmocka_unit_test(test_dead_hammock),
        cmocka_unit_test(test_dead_paths), cmocka_unit_test(test_streams),   cmocka_unit_test(test_trace),
        cmocka_unit_test(test_lanes),      cmocka_unit_test(test_defaults),  cmocka_unit_test(test_leave_back)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
