/* SPDX-License-Identifier: Apache-2.0 */
/* Every source is read before the first destination is written: each instruction runs with its destinations in registers of their
 * own, then in every place among its sources and its guard; results, memory, addresses and all other registers are the same. */
#include "harness/base/rng.h"
#include "tb/workload/judge/rf_simt_build.h"

enum {
    FIRST = 10,
    WORDS = 6, /* R10 .. R15 and P0 .. P2 may be sources; P3 is the guard */
    OWN = 30,  /* destinations' own: R30, R32, ..; P4, P5 */
    PREDS = 4,
    GUARD = 3,
    LANE_BYTES = 64, /* of the memory that is accessed: a lane's */
    COMMON = 1       /* all lanes have the first lane's address */
};

typedef struct lane_data {
    uint32_t reg[WORDS], preds, out[WORDS], out_preds, own[2 * RF_KDST_MAX], own_preds;
} lane_data;

typedef struct outcome {
    lane_data lane[32];
    uint8_t memory[32 * LANE_BYTES];
    uint64_t address[32];
} outcome;

static kbuild k;
static uint32_t op_index;
static uint8_t start[32 * LANE_BYTES];

static bool keep_addresses(void *ctx, rf_warp *warp) {
    uint64_t *const address = ctx;
    assert_int_equal(warp->inst[op_index].index, op_index);
    if (warp->inst[op_index].address) memcpy(address, warp->inst[op_index].address, 32 * sizeof *address);
    return true;
}

static void save_predicate(uint32_t bits, uint32_t bit, uint32_t pred) {
    kb_add(
        &k, "selp",
        (rf_kinst){.op = RF_K_SELP, .type = RF_T_B32, .dst = {kb_reg(4)}, .src = {kb_imm(1u << bit), kb_imm(0), kb_pred(pred)}});
    kb_binary(&k, "or", RF_K_OR, RF_T_B32, bits, kb_reg(bits), kb_reg(4));
}

static void build(rf_kinst inst) {
    kb_init(&k);
    kb_mov(&k, 0, kb_special(RF_SR_TID_X));
    kb_element(&k, 2, 0, sizeof(lane_data));
    for (uint32_t i = 0; i < WORDS; i++)
        kb_load(&k, "ld", RF_S_GLOBAL, RF_T_U32, kb_reg(FIRST + i), kb_pair(2), (int64_t)(offsetof(lane_data, reg) + 4 * i));
    kb_load(&k, "ld", RF_S_GLOBAL, RF_T_U32, kb_reg(5), kb_pair(2), offsetof(lane_data, preds));
    for (uint32_t i = 0; i < PREDS; i++) {
        kb_binary(&k, "and", RF_K_AND, RF_T_B32, 4, kb_reg(5), kb_imm(1u << i));
        kb_setp(&k, RF_C_NE, i, kb_reg(4), kb_imm(0));
    }
    for (uint32_t i = 0; i < 2 * RF_KDST_MAX; i++) kb_mov(&k, OWN + i, kb_imm(0x5a5a5a5a));
    op_index = k.kernel.ninst;
    kb_guard(kb_add(&k, "op", inst), GUARD, false);
    for (uint32_t i = 0; i < WORDS; i++)
        kb_store(&k, "st", RF_S_GLOBAL, RF_T_U32, kb_pair(2), (int64_t)(offsetof(lane_data, out) + 4 * i), kb_reg(FIRST + i));
    for (uint32_t i = 0; i < 2 * RF_KDST_MAX; i++)
        kb_store(&k, "st", RF_S_GLOBAL, RF_T_U32, kb_pair(2), (int64_t)(offsetof(lane_data, own) + 4 * i), kb_reg(OWN + i));
    kb_mov(&k, 5, kb_imm(0));
    for (uint32_t i = 0; i < PREDS; i++) save_predicate(5, i, i);
    kb_store(&k, "st", RF_S_GLOBAL, RF_T_U32, kb_pair(2), offsetof(lane_data, out_preds), kb_reg(5));
    kb_mov(&k, 5, kb_imm(0));
    for (uint32_t i = 0; i < 2; i++) save_predicate(5, i, PREDS + i);
    kb_store(&k, "st", RF_S_GLOBAL, RF_T_U32, kb_pair(2), offsetof(lane_data, own_preds), kb_reg(5));
    kb_exit(&k);
    kb_finish(&k);
}

/* Random lanes; of an access to memory R10:R11 is the address, of an exchange R15 the members. */
static void run(rf_kinst inst, uint64_t seed, outcome *o) {
    char error[512] = "";
    const bool accesses = inst.op == RF_K_LD || inst.op == RF_K_ATOM;
    ls_rng rng;
    ls_rng_seed(&rng, seed);
    build(inst);
    rf_simt *const simt = rf_simt_new(&k.module);
    assert_non_null(simt);
    const uint64_t lanes = rf_simt_alloc(simt, sizeof o->lane), memory = rf_simt_alloc(simt, sizeof o->memory);
    uint32_t members = 0;
    *o = (outcome){0};
    for (uint32_t l = 0; l < 32; l++) {
        lane_data *const d = &o->lane[l];
        for (uint32_t i = 0; i < WORDS; i++) d->reg[i] = (uint32_t)ls_rng_u64(&rng);
        d->preds = (uint32_t)ls_rng_u64(&rng) & 15;
        if (seed & 1) d->preds |= 1u << GUARD; /* the whole warp */
        members |= (d->preds >> GUARD & 1) << l;
        if (inst.op == RF_K_SHFL) d->reg[2] = inst.mode == RF_M_UP ? 0 : 0x1f;
        const uint64_t address = memory + (inst.offset == COMMON ? 0 : l * LANE_BYTES) - (uint64_t)inst.offset;
        if (accesses) d->reg[0] = (uint32_t)address, d->reg[1] = (uint32_t)(address >> 32);
    }
    for (uint32_t l = 0; l < 32 && (inst.flags & RF_F_SYNC); l++) o->lane[l].reg[5] = members;
    assert_int_equal(rf_simt_write(simt, lanes, o->lane, sizeof o->lane), 0);
    assert_int_equal(rf_simt_write(simt, memory, start, sizeof start), 0);
    const rf_simt_launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .param = &lanes};
    if (rf_simt_run(simt, &k.kernel, &launch, keep_addresses, o->address, NULL, error, sizeof error) != 0) fail_msg("%s", error);
    assert_int_equal(rf_simt_read(simt, lanes, o->lane, sizeof o->lane), 0);
    assert_int_equal(rf_simt_read(simt, memory, o->memory, sizeof o->memory), 0);
    rf_simt_free(simt);
    kb_free(&k);
}

/* What a lane's sources must hold after `inst`, from the results that its destinations' own registers took. */
static void compare(const rf_kinst *inst, const outcome *own, const outcome *o) {
    assert_memory_equal(own->memory, o->memory, sizeof o->memory);
    assert_memory_equal(own->address, o->address, sizeof o->address);
    for (uint32_t l = 0; l < 32; l++) {
        const lane_data *const a = &own->lane[l], *const b = &o->lane[l];
        uint32_t reg[WORDS], preds = a->preds;
        memcpy(reg, a->reg, sizeof reg);
        for (uint32_t d = 0; d < inst->ndst && (a->preds >> GUARD & 1); d++) {
            const rf_koperand *const to = &inst->dst[d];
            if (to->kind == RF_O_REG && to->reg < OWN) memcpy(&reg[to->reg - FIRST], &a->own[2 * d], to->words * sizeof *reg);
            if (to->kind == RF_O_PRED && to->reg < PREDS) preds = (preds & ~(1u << to->reg)) | (a->own_preds >> d & 1) << to->reg;
        }
        assert_memory_equal(reg, b->out, sizeof reg);
        assert_int_equal(preds, b->out_preds);
    }
}

static bool overlap(const rf_koperand *a, const rf_koperand *b) {
    if (a->kind != b->kind) return false;
    return a->kind == RF_O_PRED ? a->reg == b->reg : a->reg < b->reg + b->words && b->reg < a->reg + a->words;
}

/* Destinations from `d` on in every place: their own and, apart from each other, the sources'. Returns how many runs that took.
 */
static uint32_t place(rf_kinst *inst, uint32_t d, uint64_t seed, const outcome *own) {
    static outcome o;
    uint32_t runs = 0;
    if (d == inst->ndst) {
        run(*inst, seed, &o);
        compare(inst, own, &o);
        return 1;
    }
    rf_koperand *const to = &inst->dst[d];
    const rf_koperand alone = *to;
    const uint32_t first = to->kind == RF_O_PRED ? 0 : FIRST, count = to->kind == RF_O_PRED ? PREDS : WORDS;
    for (uint32_t i = 0; i <= count; i += to->kind == RF_O_PRED ? 1 : to->words) {
        to->reg = i < count ? first + i : alone.reg;
        bool apart = true;
        for (uint32_t other = 0; other < d; other++) apart &= !overlap(to, &inst->dst[other]);
        if (apart) runs += place(inst, d + 1, seed, own);
    }
    *to = alone;
    return runs;
}

/* `results`: 4 a word, 8 a pair, p a predicate. */
static uint32_t check(const char *results, rf_kinst inst) {
    static outcome own;
    uint32_t runs = 0, changed = 0;
    for (inst.ndst = 0; results[inst.ndst]; inst.ndst++) {
        const uint32_t d = inst.ndst;
        inst.dst[d] = results[d] == 'p' ? kb_pred(PREDS + d) : results[d] == '8' ? kb_pair(OWN + 2 * d) : kb_reg(OWN + 2 * d);
    }
    for (uint64_t seed = 0; seed < 2; seed++) {
        run(inst, seed, &own);
        for (uint32_t l = 0; l < 32; l++) changed += own.lane[l].own[0] != 0x5a5a5a5a || own.lane[l].own_preds != 0;
        runs += place(&inst, 0, seed, &own);
    }
    assert_true(changed > 4); /* it does something */
    return runs;
}

#define R(i) kb_reg(FIRST + (i))
#define RR(i) kb_pair(FIRST + (i))
#define P(i) kb_pred(i)
#define OP(op_, type_, ...)                                                                                                      \
    (rf_kinst) {                                                                                                                 \
        .op = RF_K_##op_, .type = RF_T_##type_, .src = { __VA_ARGS__ }                                                           \
    }

static void test_loads(void **state) {
    (void)state;
    static const char *const results[] = {"4", "44", "4444", "8", "88"};
    static const uint8_t types[] = {RF_T_B32, RF_T_U8, RF_T_S16, RF_T_B64};
    for (size_t i = 0; i < sizeof start; i++) start[i] = (uint8_t)(37 * i + 11);
    uint32_t runs = 0;
    for (uint32_t t = 0; t < sizeof types; t++)
        for (uint32_t r = types[t] == RF_T_B64 ? 3 : 0; r < 5; r++) {
            const uint8_t vector = (uint8_t)strlen(results[r]);
            runs += check(results[r], (rf_kinst){.op = RF_K_LD,
                                                 .type = types[t],
                                                 .space = RF_S_GLOBAL,
                                                 .vector = vector,
                                                 .src = {RR(0)},
                                                 .offset = r % 2 ? 16 : 0});
        }
    assert_true(runs > 1000);
}

static void test_atomics(void **state) {
    (void)state;
    for (int64_t offset = 0; offset <= COMMON; offset++)
        for (uint8_t mode = RF_M_AND; mode <= RF_M_MAX; mode++) {
            const bool cas = mode == RF_M_CAS;
            rf_kinst narrow = OP(ATOM, U32, RR(0), R(2)), wide = OP(ATOM, U64, RR(0), RR(2));
            if (cas) narrow.src[2] = R(3), wide.src[2] = RR(4);
            narrow.space = wide.space = RF_S_GLOBAL, narrow.mode = wide.mode = mode, narrow.offset = wide.offset = offset;
            assert_int_equal(check("4", narrow), 2 * 7);
            if (mode != RF_M_INC && mode != RF_M_DEC) assert_int_equal(check("8", wide), 2 * 4);
        }
}

/* One wide register and narrow ones, each among the words of the other. */
static void test_widths(void **state) {
    (void)state;
    rf_kinst inst[] = {OP(PACK, B64, R(0), R(1)), OP(PACK, B64, R(1), R(0)), OP(PACK, B64, R(3), R(0), R(1), R(2)),
                       OP(UNPACK, B64, RR(0)),    OP(UNPACK, B64, RR(0)),    OP(UNPACK, B32, R(0))};
    static const uint8_t vectors[] = {2, 2, 4, 2, 4, 2};
    static const char *const results[] = {"8", "8", "8", "44", "4444", "44"};
    for (size_t i = 0; i < 6; i++) {
        inst[i].vector = vectors[i];
        assert_true(check(results[i], inst[i]) >= 2 * 4);
    }
    static const struct {
        uint8_t to, from;
    } cvt[] = {{RF_T_U64, RF_T_U32}, {RF_T_S64, RF_T_S32}, {RF_T_S64, RF_T_S16}, {RF_T_U32, RF_T_U64}, {RF_T_U16, RF_T_S64},
               {RF_T_F64, RF_T_F32}, {RF_T_F32, RF_T_F64}, {RF_T_F64, RF_T_S32}, {RF_T_U32, RF_T_F64}};
    for (size_t i = 0; i < sizeof cvt / sizeof cvt[0]; i++)
        for (uint32_t from = 0; from < 2; from++) {
            const bool real = rf_ktype_float(cvt[i].to), was_real = rf_ktype_float(cvt[i].from);
            const bool rounds = real ? !was_real || rf_ktype_bits(cvt[i].to) < rf_ktype_bits(cvt[i].from) : false;
            const rf_kinst c = {.op = RF_K_CVT,
                                .type = cvt[i].to,
                                .src_type = cvt[i].from,
                                .round = rounds              ? RF_R_RN
                                         : was_real && !real ? RF_R_RZI
                                                             : RF_R_NONE,
                                .src = {rf_ktype_bits(cvt[i].from) == 64 ? RR(0) : R(from)}};
            const bool wide = rf_ktype_bits(cvt[i].to) == 64;
            assert_int_equal(check(wide ? "8" : "4", c), wide ? 2 * 4 : 2 * 7);
        }
}

static void test_arithmetic(void **state) {
    (void)state;
    static const rf_kop words[] = {RF_K_SAD, RF_K_DP4A, RF_K_FNS, RF_K_PRMT, RF_K_BFE};
    static const rf_kop pairs[] = {RF_K_ADD, RF_K_SUB, RF_K_MUL, RF_K_MAD, RF_K_DIV, RF_K_REM, RF_K_MIN, RF_K_MAX, RF_K_SAD};
    for (uint32_t part = RF_PART_LO; part <= RF_PART_WIDE; part++) {
        const bool wide = part == RF_PART_WIDE;
        rf_kinst mul = OP(MUL, U32, R(0), R(1)), mad = OP(MAD, S32, R(0), R(3), wide ? RR(2) : R(2));
        mul.part = mad.part = (uint8_t)part;
        (void)check(wide ? "8" : "4", mul);
        (void)check(wide ? "8" : "4", mad);
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        rf_kinst inst = OP(NOP, U32, R(0), R(1), R(2));
        inst.op = (uint8_t)words[i];
        if (inst.op == RF_K_FNS) inst.type = RF_T_B32;
        if (inst.op == RF_K_PRMT) inst.type = RF_T_B32;
        assert_int_equal(check("4", inst), 2 * 7);
    }
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        rf_kinst inst = OP(NOP, U64, RR(0), RR(2));
        inst.op = (uint8_t)pairs[i];
        if (inst.op == RF_K_MAD || inst.op == RF_K_SAD) inst.src[2] = RR(4);
        assert_int_equal(check("8", inst), 2 * 4);
    }
    rf_kinst fma = OP(FMA, F64, RR(0), RR(2), RR(4)), rcp = OP(RCP, F64, RR(0));
    fma.round = rcp.round = RF_R_RN;
    assert_int_equal(check("8", fma), 2 * 4);
    assert_int_equal(check("8", rcp), 2 * 4);
    /* a shift's distance is a word of what it shifts; results narrower than sources */
    assert_int_equal(check("8", OP(SHL, B64, RR(0), R(1))), 2 * 4);
    assert_int_equal(check("8", OP(SHR, S64, RR(0), R(0))), 2 * 4);
    assert_int_equal(check("8", OP(BFE, U64, RR(0), R(0), R(1))), 2 * 4);
    assert_int_equal(check("8", OP(BFI, B64, RR(0), RR(2), R(1), R(3))), 2 * 4);
    assert_int_equal(check("8", OP(BREV, B64, RR(0))), 2 * 4);
    assert_int_equal(check("8", OP(XOR, B64, RR(0), RR(2))), 2 * 4);
    assert_int_equal(check("8", OP(MOV, B64, RR(0))), 2 * 4);
    assert_int_equal(check("4", OP(POPC, B64, RR(0))), 2 * 7);
    assert_int_equal(check("4", OP(CLZ, B64, RR(0))), 2 * 7);
    assert_int_equal(check("4", OP(BFIND, U64, RR(0))), 2 * 7);
    rf_kinst shf = OP(SHF_L, B32, R(0), R(1), R(2)), slct = OP(SLCT, B64, RR(0), RR(2), R(1));
    shf.mode = RF_M_WRAP;
    slct.src_type = RF_T_S32;
    assert_int_equal(check("4", shf), 2 * 7);
    assert_int_equal(check("8", slct), 2 * 4);
    assert_int_equal(check("8", OP(SELP, B64, RR(0), RR(2), P(0))), 2 * 4);
}

/* Predicates: the second source of a comparison, both sides of an exchange, the guard. */
static void test_predicates(void **state) {
    (void)state;
    for (uint8_t boolean = RF_B_AND; boolean <= RF_B_XOR; boolean++) {
        rf_kinst setp = OP(SETP, U32, R(0), R(1), P(0)), wide = OP(SETP, S64, RR(0), RR(2), P(1));
        rf_kinst set = OP(SET, U32, R(0), R(1), P(0));
        setp.cmp = wide.cmp = set.cmp = RF_C_LT;
        setp.boolean = wide.boolean = set.boolean = boolean;
        set.src_type = RF_T_F32;
        assert_int_equal(check("pp", setp), 2 * (5 * 5 - 4));
        assert_int_equal(check("p", wide), 2 * 5);
        assert_int_equal(check("4", set), 2 * 7);
    }
    rf_kinst testp = OP(TESTP, F32, R(0));
    testp.mode = RF_M_NORMAL;
    assert_int_equal(check("p", testp), 2 * 5);
    assert_int_equal(check("p", OP(XOR, PRED, P(0), P(1))), 2 * 5);
    assert_int_equal(check("p", OP(MOV, PRED, P(0))), 2 * 5);
}

/* Lanes read what others overwrite. */
static void test_exchange(void **state) {
    (void)state;
    for (uint8_t mode = RF_M_UP; mode <= RF_M_IDX; mode++) {
        rf_kinst shfl = OP(SHFL, B32, R(0), R(1), R(2), R(5));
        shfl.mode = mode, shfl.flags = RF_F_SYNC;
        assert_int_equal(check("4p", shfl), 2 * 7 * 5);
    }
    for (uint8_t mode = RF_M_ALL; mode <= RF_M_ANY; mode++) {
        rf_kinst match = OP(MATCH, B64, RR(0), R(5));
        match.mode = mode, match.flags = RF_F_SYNC;
        assert_int_equal(check("4p", match), 2 * 7 * 5);
    }
    rf_kinst ballot = OP(VOTE, B32, P(0), R(5)), any = OP(VOTE, PRED, P(0), R(5)), elect = OP(ELECT, B32, R(5));
    ballot.mode = RF_M_BALLOT, any.mode = RF_M_ANY;
    ballot.flags = any.flags = elect.flags = RF_F_SYNC;
    assert_int_equal(check("4", ballot), 2 * 7);
    assert_int_equal(check("p", any), 2 * 5);
    assert_int_equal(check("4p", elect), 2 * 7 * 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_loads),      cmocka_unit_test(test_atomics),
                                       cmocka_unit_test(test_widths),     cmocka_unit_test(test_arithmetic),
                                       cmocka_unit_test(test_predicates), cmocka_unit_test(test_exchange)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
