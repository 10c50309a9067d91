/* SPDX-License-Identifier: Apache-2.0 */
/* Divergence: random structured programs (if, loops with break and continue, early exits, guards) against an interpreter that
 * runs one thread at a time; where ways meet again; the stream that comes out, replayed. */
#include "harness/base/rng.h"
#include "tb/workload/judge/rf_simt_build.h"

/* --- programs ----------------------------------------------------------------------------------------------------------------
 */

typedef enum kind { MIX, GUARDED, IF, LOOP, BREAK, CONTINUE, LEAVE } kind;

/* A statement; IF: first its then, other its else; LOOP: first its body. */
typedef struct node {
    kind kind;
    uint32_t constant, bit;
    struct node *first, *other, *next;
} node;

typedef struct program {
    node nodes[256];
    uint32_t count;
    bool leaves;
    ls_rng rng;
} program;

static node *sequence(program *p, uint32_t depth, bool in_loop, bool may_leave) {
    node *head = NULL, **tail = &head;
    for (uint32_t n = 1 + ls_rng_below(&p->rng, 3); n-- > 0 && p->count < 60;) {
        node *const made = &p->nodes[p->count++];
        const uint32_t pick = ls_rng_below(&p->rng, 12);
        made->constant = (uint32_t)ls_rng_u64(&p->rng) | 1;
        made->bit = ls_rng_below(&p->rng, 31);
        made->kind = pick < 3 || depth == 0 ? MIX : pick < 4 ? GUARDED : pick < 8 ? IF : pick < 10 ? LOOP : MIX;
        if (pick == 10 && in_loop) made->kind = ls_rng_below(&p->rng, 2) ? BREAK : CONTINUE;
        if (pick == 11 && may_leave) made->kind = LEAVE;
        p->leaves |= made->kind == LEAVE;
        if (made->kind == IF) {
            made->first = sequence(p, depth - 1, in_loop, may_leave);
            if (ls_rng_below(&p->rng, 2)) made->other = sequence(p, depth - 1, in_loop, may_leave);
        }
        if (made->kind == LOOP) made->first = sequence(p, depth - 1, true, may_leave);
        *tail = made;
        tail = &made->next;
    }
    return head;
}

/* One thread: its result, in *acc; what ended the sequence. */
typedef enum how { ON, BROKE, CONTINUED, LEFT } how;

static how interpret(const node *n, uint32_t *acc) {
    for (; n; n = n->next) {
        const bool yes = *acc >> n->bit & 1;
        how end = ON;
        switch (n->kind) {
        case GUARDED:
            if (!yes) break;
            *acc += n->constant;
            break;
        case MIX:
            *acc = *acc * n->constant ^ (*acc >> 7);
            break;
        case IF:
            end = interpret(yes ? n->first : n->other, acc);
            break;
        case LOOP:
            for (uint32_t trips = *acc >> n->bit & 3; trips > 0; trips--) {
                end = interpret(n->first, acc);
                if (end == BROKE || end == LEFT) break;
            }
            if (end != LEFT) end = ON;
            break;
        case BREAK:
            end = yes ? BROKE : ON;
            break;
        case CONTINUE:
            end = yes ? CONTINUED : ON;
            break;
        case LEAVE:
            end = yes ? LEFT : ON;
            break;
        }
        if (end != ON) return end;
    }
    return ON;
}

/* --- the same as a kernel: R10 is acc, R20 + depth counts trips ---------------------------------------------------------------
 */

typedef struct emitter {
    kbuild k;
    uint32_t labels, block_of[256];
    struct {
        uint32_t inst, label;
    } patch[512];
    uint32_t patches;
} emitter;

static emitter e;

static void start_block(void) {
    if (e.k.block[e.k.kernel.nblock - 1].first != e.k.kernel.ninst) (void)kb_block(&e.k);
}

static void place(uint32_t label) {
    start_block();
    e.block_of[label] = e.k.kernel.nblock - 1;
}

static rf_kinst *jump(uint32_t label) {
    e.patch[e.patches].inst = e.k.kernel.ninst;
    e.patch[e.patches++].label = label;
    rf_kinst *const inst = kb_bra(&e.k, 0);
    start_block();
    return inst;
}

/* p0 = bit of acc */
static void test_bit(uint32_t bit) {
    kb_binary(&e.k, "shr", RF_K_SHR, RF_T_U32, 11, kb_reg(10), kb_imm(bit));
    kb_binary(&e.k, "and", RF_K_AND, RF_T_B32, 11, kb_reg(11), kb_imm(1));
    kb_setp(&e.k, RF_C_NE, 0, kb_reg(11), kb_imm(0));
}

static void store_and_exit(void) {
    kb_store(&e.k, "st.global.u32", RF_S_GLOBAL, RF_T_U32, kb_pair(2), 0, kb_reg(10));
    kb_exit(&e.k);
}

static void emit(const node *n, uint32_t depth, uint32_t loop_end, uint32_t loop_next) {
    for (; n; n = n->next) {
        const uint32_t end = e.labels++, other = e.labels++, head = e.labels++;
        switch (n->kind) {
        case MIX:
            kb_binary(&e.k, "shr", RF_K_SHR, RF_T_U32, 11, kb_reg(10), kb_imm(7));
            kb_binary(&e.k, "mul", RF_K_MUL, RF_T_U32, 10, kb_reg(10), kb_imm(n->constant));
            kb_binary(&e.k, "xor", RF_K_XOR, RF_T_B32, 10, kb_reg(10), kb_reg(11));
            break;
        case GUARDED:
            test_bit(n->bit);
            kb_guard(kb_binary(&e.k, "add", RF_K_ADD, RF_T_U32, 10, kb_reg(10), kb_imm(n->constant)), 0, false);
            break;
        case IF:
            test_bit(n->bit);
            kb_guard(jump(n->other ? other : end), 0, true);
            emit(n->first, depth, loop_end, loop_next);
            if (n->other) {
                jump(end);
                place(other);
                emit(n->other, depth, loop_end, loop_next);
            }
            place(end);
            break;
        case LOOP:
            kb_binary(&e.k, "shr", RF_K_SHR, RF_T_U32, 20 + depth, kb_reg(10), kb_imm(n->bit));
            kb_binary(&e.k, "and", RF_K_AND, RF_T_B32, 20 + depth, kb_reg(20 + depth), kb_imm(3));
            place(head);
            kb_setp(&e.k, RF_C_EQ, 1, kb_reg(20 + depth), kb_imm(0));
            kb_guard(jump(end), 1, false);
            emit(n->first, depth + 1, end, other);
            place(other);
            kb_binary(&e.k, "sub", RF_K_SUB, RF_T_U32, 20 + depth, kb_reg(20 + depth), kb_imm(1));
            jump(head);
            place(end);
            break;
        case BREAK:
        case CONTINUE:
            test_bit(n->bit);
            kb_guard(jump(n->kind == BREAK ? loop_end : loop_next), 0, false);
            break;
        case LEAVE:
            test_bit(n->bit);
            kb_guard(kb_store(&e.k, "st.early", RF_S_GLOBAL, RF_T_U32, kb_pair(2), 0, kb_reg(10)), 0, false);
            kb_guard(kb_exit(&e.k), 0, false);
            start_block();
            break;
        }
    }
}

/* --- the stream, replayed ------------------------------------------------------------------------------------------------------
 */

typedef struct watcher {
    const rf_kernel *kernel;
    uint32_t result[80]; /* what the stores of the stream write, by thread */
    uint32_t next_warp;
    uint64_t memory, instructions, lanes;
    uint32_t final_stores; /* times the last store was executed */
} watcher;

static bool watch(void *ctx, rf_warp *warp) {
    watcher *const w = ctx;
    uint32_t reg[KB_REGS][32] = {{0}};
    assert_int_equal(warp->warp, w->next_warp++);
    for (size_t i = 0; i < warp->count; i++) {
        const rf_inst *const inst = &warp->inst[i];
        const rf_kinst *const in = &w->kernel->inst[inst->index];
        assert_true(inst->pc == 16u * inst->index);
        assert_string_equal(inst->mnemonic, w->kernel->texts[in->text]);
        assert_true(inst->opcode == rf_fnv1a(inst->mnemonic, strlen(inst->mnemonic)));
        assert_int_equal(inst->opclass, rf_kinst_class(in));
        w->instructions++;
        w->lanes += (uint32_t)__builtin_popcount(inst->mask);
        uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
        uint32_t nsrc = 0, ndst = 0;
        rf_kinst_words(in, src, &nsrc, dst, &ndst);
        if (inst->mask == 0) nsrc = ndst = 0;
        assert_int_equal(inst->nsrc, nsrc);
        assert_int_equal(inst->ndst, ndst);
        for (uint32_t s = 0; s < nsrc; s++) assert_int_equal(inst->src[s], src[s]);
        assert_true((inst->value != NULL) == (ndst != 0));
        for (uint32_t d = 0; d < ndst; d++) {
            assert_int_equal(inst->dst[d], dst[d]);
            for (uint32_t l = 0; l < 32; l++) {
                if (inst->mask >> l & 1) reg[dst[d]][l] = inst->value[d * 32 + l];
                else assert_int_equal(inst->value[d * 32 + l], 0);
            }
        }
        assert_true((inst->address != NULL) == (inst->width != 0));
        assert_int_equal(inst->load, in->op == RF_K_LD);
        assert_int_equal(inst->store, in->op == RF_K_ST);
        for (uint32_t l = 0; inst->address && l < 32; l++) {
            if (!(inst->mask >> l & 1)) assert_true(inst->address[l] == 0);
            else if (inst->store) w->result[(inst->address[l] - w->memory) / 4] = reg[inst->src[2]][l];
            else assert_true(inst->address[l] == 0); /* the only load: parameter 0 */
        }
        if (inst->store && strcmp(inst->mnemonic, "st.global.u32") == 0 && inst->mask) w->final_stores++;
    }
    return true;
}

static void check_program(uint64_t seed, bool may_leave, uint64_t *divergent) {
    enum { THREADS = 77 }; /* the last warp is not full */
    program p = {.count = 0};
    ls_rng_seed(&p.rng, seed);
    const node *const body = sequence(&p, 4, false, may_leave);
    kb_init(&e.k);
    e.labels = e.patches = 0;
    kb_mov(&e.k, 0, kb_special(RF_SR_TID_X));
    kb_element(&e.k, 2, 0, 4);
    kb_binary(&e.k, "mul", RF_K_MUL, RF_T_U32, 10, kb_reg(0), kb_imm(0x9e3779b1));
    emit(body, 0, 0, 0);
    start_block();
    store_and_exit();
    for (uint32_t i = 0; i < e.patches; i++) e.k.inst[e.patch[i].inst].target = e.block_of[e.patch[i].label];
    kb_finish(&e.k);
    rf_simt *const simt = rf_simt_new(&e.k.module);
    watcher w = {.kernel = &e.k.kernel, .memory = rf_simt_alloc(simt, THREADS * 4)};
    const rf_simt_launch launch = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .param = &w.memory};
    char error[512] = "";
    rf_simt_counts counts = {0};
    if (rf_simt_run(simt, &e.k.kernel, &launch, watch, &w, &counts, error, sizeof error) != 0) fail_msg("%s", error);
    uint32_t got[THREADS];
    assert_int_equal(rf_simt_read(simt, w.memory, got, sizeof got), 0);
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t acc = t * 0x9e3779b1;
        (void)interpret(body, &acc);
        if (got[t] != acc) fail_msg("program %lu thread %u: %#x, not %#x", seed, t, got[t], acc);
        assert_int_equal(w.result[t], acc);
    }
    assert_int_equal(w.next_warp, 3);
    assert_true(w.instructions == counts.warp_instructions && w.lanes == counts.lane_instructions && counts.warps == 3);
    if (!p.leaves) assert_int_equal(w.final_stores, 3); /* all ways of each warp have met again */
    *divergent += counts.divergent_branches;
    rf_simt_free(simt);
    kb_free(&e.k);
}

static void test_programs(void **state) {
    (void)state;
    uint64_t divergent = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) check_program(seed, seed % 2, &divergent);
    assert_true(divergent > 20000);
}

/* --- by hand -------------------------------------------------------------------------------------------------------------------
 */

typedef struct trace {
    uint32_t count;
    struct {
        uint32_t index, mask;
    } step[64];
} trace;

static bool record_steps(void *ctx, rf_warp *warp) {
    trace *const t = ctx;
    for (size_t i = 0; i < warp->count && t->count < 64; i++) {
        t->step[t->count].index = warp->inst[i].index;
        t->step[t->count++].mask = warp->inst[i].mask;
    }
    return true;
}

static void check_trace(const uint32_t (*want)[2], uint32_t count, uint32_t threads) {
    trace t = {0};
    char error[512] = "";
    kb_finish(&e.k);
    rf_simt *const simt = rf_simt_new(&e.k.module);
    const rf_simt_launch launch = {.grid = {1, 1, 1}, .block = {threads, 1, 1}};
    if (rf_simt_run(simt, &e.k.kernel, &launch, record_steps, &t, NULL, error, sizeof error) != 0) fail_msg("%s", error);
    assert_int_equal(t.count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(t.step[i].index, want[i][0]);
        assert_int_equal(t.step[i].mask, want[i][1]);
    }
    rf_simt_free(simt);
    kb_free(&e.k);
}

/* if (tid < 2) A; else B; C: the fall-through first, then the branch's way, then all together. */
static void test_if_else(void **state) {
    (void)state;
    kb_init(&e.k);
    kb_mov(&e.k, 0, kb_special(RF_SR_TID_X));        /* 0 */
    kb_setp(&e.k, RF_C_HS, 0, kb_reg(0), kb_imm(2)); /* 1 */
    kb_guard(kb_bra(&e.k, 2), 0, false);             /* 2 */
    kb_block(&e.k);
    kb_mov(&e.k, 1, kb_imm(1)); /* 3 */
    kb_bra(&e.k, 3);            /* 4 */
    kb_block(&e.k);
    kb_mov(&e.k, 1, kb_imm(2)); /* 5 */
    kb_block(&e.k);
    kb_guard(kb_mov(&e.k, 2, kb_imm(3)), 1, false); /* 6: nobody */
    kb_exit(&e.k);                                  /* 7 */
    static const uint32_t want[][2] = {{0, 31}, {1, 31}, {2, 28}, {3, 3}, {4, 3}, {5, 28}, {6, 0}, {7, 31}};
    check_trace(want, 8, 5);
}

/* Lanes leave a loop one after the other and wait at its exit. */
static void test_loop(void **state) {
    (void)state;
    kb_init(&e.k);
    kb_mov(&e.k, 0, kb_special(RF_SR_TID_X)); /* 0 */
    kb_block(&e.k);
    kb_setp(&e.k, RF_C_EQ, 0, kb_reg(0), kb_imm(0)); /* 1 */
    kb_guard(kb_bra(&e.k, 3), 0, false);             /* 2 */
    kb_block(&e.k);
    kb_binary(&e.k, "sub", RF_K_SUB, RF_T_U32, 0, kb_reg(0), kb_imm(1)); /* 3 */
    kb_bra(&e.k, 1);                                                     /* 4 */
    kb_block(&e.k);
    kb_exit(&e.k); /* 5 */
    static const uint32_t want[][2] = {{0, 7}, {1, 7}, {2, 1}, {3, 6}, {4, 6}, {1, 6},
                                       {2, 2}, {3, 4}, {4, 4}, {1, 4}, {2, 4}, {5, 7}};
    check_trace(want, 12, 3);
}

/* Lanes that exit inside a branch are gone; the rest goes on. */
static void test_early_exit(void **state) {
    (void)state;
    kb_init(&e.k);
    kb_mov(&e.k, 0, kb_special(RF_SR_TID_X));        /* 0 */
    kb_setp(&e.k, RF_C_HS, 0, kb_reg(0), kb_imm(2)); /* 1 */
    kb_guard(kb_bra(&e.k, 2), 0, false);             /* 2 */
    kb_block(&e.k);
    kb_exit(&e.k); /* 3 */
    kb_block(&e.k);
    kb_mov(&e.k, 1, kb_imm(2));                      /* 4 */
    kb_setp(&e.k, RF_C_EQ, 0, kb_reg(0), kb_imm(4)); /* 5 */
    kb_guard(kb_exit(&e.k), 0, true);                /* 6: all but lane 4 */
    kb_block(&e.k);
    kb_exit(&e.k); /* 7 */
    static const uint32_t want[][2] = {{0, 31}, {1, 31}, {2, 28}, {3, 3}, {4, 28}, {5, 28}, {6, 12}, {7, 16}};
    check_trace(want, 8, 5);
}

/* The deepest stack there is: each level leaves one lane behind on either way. */
static void test_deep(void **state) {
    (void)state;
    kb_init(&e.k);
    e.labels = e.patches = 0;
    kb_mov(&e.k, 0, kb_special(RF_SR_TID_X));
    for (uint32_t level = 0; level < 31; level++) { /* if (tid > level) { ... } else R1 += 1 */
        kb_setp(&e.k, RF_C_LS, 0, kb_reg(0), kb_imm(level));
        kb_guard(jump(level), 0, false);
    }
    kb_binary(&e.k, "add", RF_K_ADD, RF_T_U32, 1, kb_reg(1), kb_imm(1));
    for (uint32_t level = 31; level-- > 0;) {
        jump(100 + level);
        place(level);
        kb_binary(&e.k, "add", RF_K_ADD, RF_T_U32, 1, kb_reg(1), kb_imm(1));
        place(100 + level);
        kb_binary(&e.k, "add", RF_K_ADD, RF_T_U32, 2, kb_reg(2), kb_imm(1));
    }
    kb_element(&e.k, 4, 0, 4);
    kb_store(&e.k, "st", RF_S_GLOBAL, RF_T_U32, kb_pair(4), 0, kb_reg(2));
    kb_exit(&e.k);
    for (uint32_t i = 0; i < e.patches; i++) e.k.inst[e.patch[i].inst].target = e.block_of[e.patch[i].label];
    kb_finish(&e.k);
    rf_simt *const simt = rf_simt_new(&e.k.module);
    const uint64_t memory = rf_simt_alloc(simt, 128);
    const rf_simt_launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .param = &memory};
    char error[512] = "";
    rf_simt_counts counts;
    if (rf_simt_run(simt, &e.k.kernel, &launch, NULL, NULL, &counts, error, sizeof error) != 0) fail_msg("%s", error);
    uint32_t got[32];
    assert_int_equal(rf_simt_read(simt, memory, got, sizeof got), 0);
    for (uint32_t l = 0; l < 32; l++) assert_int_equal(got[l], l < 31 ? l + 1 : 31);
    assert_true(counts.divergent_branches == 31);
    rf_simt_free(simt);
    kb_free(&e.k);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_if_else), cmocka_unit_test(test_loop),     cmocka_unit_test(test_early_exit),
        cmocka_unit_test(test_deep),    cmocka_unit_test(test_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
