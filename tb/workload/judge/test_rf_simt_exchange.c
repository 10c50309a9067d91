/* SPDX-License-Identifier: Apache-2.0 */
/* SHFL, VOTE, MATCH, ACTIVEMASK, ELECT, WARPSYNC: every mode over random operands, with lanes that have exited and lanes whose
 * guard keeps them out; what PTX leaves undefined is refused. */
#include "cmodel/compiler/rf_regalloc.h"
#include "cmodel/workload/rf_ptx.h"
#include "harness/base/rng.h"
#include "tb/workload/rf_memory.h"
#include "tb/workload/judge/rf_simt_build.h"

typedef struct lane_data {
    uint32_t a, high, b, c, members, flags; /* flags: bit 0 takes part, bit 1 the predicate, bit 2 exits before */
    uint32_t result, truth;
} lane_data;

static kbuild k;
static char error[512];

/* Runs one instruction in one warp. `shape`: sources as a (word), A (pair), b, c, m (members), p; then > and r, _ or p. */
static int run(const char *shape, rf_kinst inst, lane_data data[32]) {
    kb_init(&k);
    kb_mov(&k, 0, kb_special(RF_SR_TID_X));
    kb_element(&k, 2, 0, sizeof(lane_data));
    static const uint32_t reg[] = {10, 11, 12, 13, 14, 15};
    for (uint32_t i = 0; i < 6; i++) kb_load(&k, "ld", RF_S_GLOBAL, RF_T_U32, kb_reg(reg[i]), kb_pair(2), 4 * i);
    for (uint32_t i = 0; i < 3; i++) {
        kb_binary(&k, "and", RF_K_AND, RF_T_B32, 4, kb_reg(15), kb_imm(1u << i));
        kb_setp(&k, RF_C_NE, i, kb_reg(4), kb_imm(0));
    }
    kb_guard(kb_exit(&k), 2, false);
    kb_block(&k);
    uint32_t s = 0, d = 0;
    bool sources = true;
    for (const char *c = shape; *c; c++) {
        rf_koperand operand = {0};
        switch (*c) {
        case '>':
            sources = false;
            continue;
        case 'a':
            operand = kb_reg(10);
            break;
        case 'A':
            operand = kb_pair(10);
            break;
        case 'b':
            operand = kb_reg(12);
            break;
        case 'c':
            operand = kb_reg(13);
            break;
        case 'm':
            operand = kb_reg(14);
            break;
        case 'r':
            operand = kb_reg(20);
            break;
        case 'p':
            operand = kb_pred(sources ? 1 : 3);
            break;
        default:
            break; /* `_` */
        }
        if (sources) inst.src[s++] = operand;
        else inst.dst[d++] = operand;
    }
    inst.nsrc = (uint8_t)s;
    inst.ndst = (uint8_t)d;
    kb_guard(kb_add(&k, "op", inst), 0, false);
    kb_store(&k, "st", RF_S_GLOBAL, RF_T_U32, kb_pair(2), 24, kb_reg(20));
    kb_add(&k, "selp",
           (rf_kinst){.op = RF_K_SELP, .type = RF_T_B32, .dst = {kb_reg(4)}, .src = {kb_imm(1), kb_imm(0), kb_pred(3)}});
    kb_store(&k, "st", RF_S_GLOBAL, RF_T_U32, kb_pair(2), 28, kb_reg(4));
    kb_exit(&k);
    kb_finish(&k);
    rf_simt *const simt = rf_simt_new(&k.module);
    assert_non_null(simt);
    const uint64_t memory = rf_simt_alloc(simt, 32 * sizeof *data);
    assert_int_equal(rf_simt_write(simt, memory, data, 32 * sizeof *data), 0);
    const rf_simt_launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}, .param = &memory};
    const int status = rf_simt_run(simt, &k.kernel, &launch, NULL, NULL, NULL, error, sizeof error);
    assert_int_equal(rf_simt_read(simt, memory, data, 32 * sizeof *data), 0);
    rf_simt_free(simt);
    kb_free(&k);
    return status;
}

/* Random lanes; all that take part name the same members: themselves and some that have exited. Returns the lanes that take part.
 */
static uint32_t fill(uint64_t seed, lane_data data[32]) {
    ls_rng rng;
    ls_rng_seed(&rng, seed);
    uint32_t part = (uint32_t)ls_rng_u64(&rng), gone = (uint32_t)(ls_rng_u64(&rng) & ls_rng_u64(&rng));
    if (seed % 3 == 0) part = UINT32_MAX, gone = 0;
    if ((part & ~gone) == 0) part = 1, gone = 0;
    part &= ~gone;
    const uint32_t members = part | (gone & (uint32_t)ls_rng_u64(&rng)), range = 1 + ls_rng_below(&rng, 4);
    const bool uniform = ls_rng_below(&rng, 3) == 0;
    for (uint32_t l = 0; l < 32; l++) {
        data[l] = (lane_data){.a = ls_rng_below(&rng, range),
                              .high = ls_rng_below(&rng, range > 2 ? 2 : 1),
                              .members = members,
                              .b = ls_rng_below(&rng, 40),
                              .c = (uint32_t)ls_rng_u64(&rng) & 0x1f1f};
        if (ls_rng_below(&rng, 2)) data[l].c = 0x1f;
        if (ls_rng_below(&rng, 4) == 0)
            data[l].c = (uint32_t)(0x1f & (0xffu << ls_rng_below(&rng, 5))) << 8 | (ls_rng_below(&rng, 2) ? 0x1f : 0);
        const bool yes = uniform ? seed & 1 : ls_rng_below(&rng, 2);
        data[l].flags = (part >> l & 1) | (uint32_t)yes << 1 | (gone >> l & 1) << 2;
    }
    return part;
}

enum { ROUNDS = 40 };

static void test_shfl(void **state) {
    (void)state;
    for (uint32_t mode = RF_M_UP; mode <= RF_M_IDX; mode++)
        for (uint64_t seed = 0; seed < ROUNDS; seed++) {
            lane_data data[32];
            const uint32_t part = fill(seed, data);
            for (uint32_t l = 0; l < 32; l++) data[l].a = 1000 + l;
            const bool sync = seed & 1, predicate = seed & 2;
            const char *const shape = sync ? (predicate ? "abcm>rp" : "abcm>r") : predicate ? "abc>rp" : "abc>r";
            assert_int_equal(
                run(shape, (rf_kinst){.op = RF_K_SHFL, .type = RF_T_B32, .mode = (uint8_t)mode, .flags = sync ? RF_F_SYNC : 0},
                    data),
                0);
            for (uint32_t l = 0; l < 32; l++) {
                if (data[l].flags & 4) continue;
                if (!(part >> l & 1)) {
                    assert_int_equal(data[l].result, 0);
                    continue;
                }
                /* the manual's formulas, a bit at a time */
                const int bval = (int)(data[l].b & 31);
                int most = 0, least = 0, j = 0, base = 0;
                for (uint32_t bit = 0; bit < 5; bit++) {
                    const bool segment = data[l].c >> (8 + bit) & 1, mine = l >> bit & 1, clamp = data[l].c >> bit & 1;
                    most |= (segment ? mine : clamp) << bit;
                    least |= (segment && mine) << bit;
                    base |= (!segment && (bval >> bit & 1)) << bit;
                }
                bool p = false;
                if (mode == RF_M_UP) j = (int)l - bval, p = j >= most;
                if (mode == RF_M_DOWN) j = (int)l + bval, p = j <= most;
                if (mode == RF_M_BFLY) j = (int)l ^ bval, p = j <= most;
                if (mode == RF_M_IDX) j = least + base, p = j <= most;
                assert_int_equal(data[l].result, 1000 + (p ? (uint32_t)j : l));
                assert_int_equal(data[l].truth, predicate && p);
            }
        }
}

static void test_vote(void **state) {
    (void)state;
    for (uint32_t mode = RF_M_ALL; mode <= RF_M_BALLOT; mode++)
        for (uint64_t seed = 0; seed < ROUNDS; seed++) {
            lane_data data[32];
            const uint32_t part = fill(seed, data);
            const bool sync = seed & 1, ballot = mode == RF_M_BALLOT;
            rf_kinst inst = {
                .op = RF_K_VOTE, .type = ballot ? RF_T_B32 : RF_T_PRED, .mode = (uint8_t)mode, .flags = sync ? RF_F_SYNC : 0};
            assert_int_equal(run(ballot ? (sync ? "pm>r" : "p>r") : sync ? "pm>p" : "p>p", inst, data), 0);
            uint32_t yes = 0;
            for (uint32_t l = 0; l < 32; l++) yes |= ((part >> l & 1) & (data[l].flags >> 1 & 1)) << l;
            const bool want = mode == RF_M_ALL ? yes == part : mode == RF_M_ANY ? yes != 0 : yes == 0 || yes == part;
            for (uint32_t l = 0; l < 32; l++) {
                if (!(part >> l & 1)) continue;
                if (ballot) assert_int_equal(data[l].result, yes);
                else assert_int_equal(data[l].truth, want);
            }
        }
}

static void test_match(void **state) {
    (void)state;
    for (uint32_t wide = 0; wide < 2; wide++)
        for (uint32_t all = 0; all < 2; all++)
            for (uint64_t seed = 0; seed < ROUNDS; seed++) {
                lane_data data[32];
                const uint32_t part = fill(seed, data);
                if (seed % 4 == 1)
                    for (uint32_t l = 0; l < 32; l++) data[l].a = 5, data[l].high = 6;
                const rf_kinst inst = {
                    .op = RF_K_MATCH, .type = wide ? RF_T_B64 : RF_T_B32, .mode = all ? RF_M_ALL : RF_M_ANY, .flags = RF_F_SYNC};
                assert_int_equal(run(all ? (wide ? "Am>rp" : "am>rp") : wide ? "Am>r" : "am>r", inst, data), 0);
                for (uint32_t l = 0; l < 32; l++) {
                    if (!(part >> l & 1)) continue;
                    uint32_t same = 0;
                    for (uint32_t m = 0; m < 32; m++)
                        if (part >> m & 1 && data[m].a == data[l].a && (!wide || data[m].high == data[l].high)) same |= 1u << m;
                    assert_int_equal(data[l].result, all && same != part ? 0 : same);
                    if (all) assert_int_equal(data[l].truth, same == part);
                }
            }
}

static void test_active_and_elect(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        lane_data data[32];
        uint32_t part = fill(seed, data);
        assert_int_equal(run(">r", (rf_kinst){.op = RF_K_ACTIVEMASK, .type = RF_T_B32}, data), 0);
        for (uint32_t l = 0; l < 32; l++)
            if (part >> l & 1) assert_int_equal(data[l].result, part);
        part = fill(seed, data);
        assert_int_equal(
            run(seed & 1 ? "m>rp" : "m>_p", (rf_kinst){.op = RF_K_ELECT, .type = RF_T_B32, .flags = RF_F_SYNC}, data), 0);
        uint32_t leader = 0;
        while (!(part >> leader & 1)) leader++;
        for (uint32_t l = 0; l < 32; l++) {
            if (!(part >> l & 1)) continue;
            assert_int_equal(data[l].result, seed & 1 ? leader : 0);
            assert_int_equal(data[l].truth, l == leader);
        }
    }
}

/* Two groups, each with its own members, exchange in one instruction. */
static void test_groups(void **state) {
    (void)state;
    lane_data data[32];
    for (uint32_t l = 0; l < 32; l++)
        data[l] = (lane_data){.a = l % 2 ? 7 : l, .members = l % 2 ? 0xaaaaaaaa : 0x55555555, .flags = l < 16 ? 3 : 1};
    assert_int_equal(run("pm>r", (rf_kinst){.op = RF_K_VOTE, .type = RF_T_B32, .mode = RF_M_BALLOT, .flags = RF_F_SYNC}, data),
                     0);
    for (uint32_t l = 0; l < 32; l++) assert_int_equal(data[l].result, l % 2 ? 0xaaaa : 0x5555);
    assert_int_equal(run("am>rp", (rf_kinst){.op = RF_K_MATCH, .type = RF_T_B32, .mode = RF_M_ALL, .flags = RF_F_SYNC}, data), 0);
    for (uint32_t l = 0; l < 32; l++) {
        assert_int_equal(data[l].result, l % 2 ? 0xaaaaaaaa : 0);
        assert_int_equal(data[l].truth, l % 2);
    }
}

/* Lanes that come together pass; nothing else happens. */
static void test_warpsync(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        lane_data data[32];
        const uint32_t part = fill(seed, data);
        assert_int_equal(run("m>", (rf_kinst){.op = RF_K_WARPSYNC, .flags = RF_F_SYNC}, data), 0);
        for (uint32_t l = 0; l < 32; l++) {
            if (part >> l & 1) assert_int_equal(data[l].result, 0);
        }
    }
    lane_data data[32]; /* two groups, each with its own members */
    for (uint32_t l = 0; l < 32; l++) data[l] = (lane_data){.members = l % 2 ? 0xaaaaaaaa : 0x55555555, .flags = 1};
    assert_int_equal(run("m>", (rf_kinst){.op = RF_K_WARPSYNC, .flags = RF_F_SYNC}, data), 0);
}

/* Each half of a warp comes to a bar.warp.sync of its own: for itself alone, or for the whole warp, for which its lanes would
 * have to wait. */
static void test_warpsync_apart(void **state) {
    (void)state;
    static const char format[] = ".version 7.8\n.target sm_80\n.address_size 64\n.entry k { .reg .pred p; .reg .b32 r;\nmov.u32 "
                                 "r, %%tid.x; setp.lt.u32 p, r, 16;\n"
                                 "@p bra A; bar.warp.sync %s; bra B;\nA: bar.warp.sync %s; B: bar.warp.sync -1; ret; }";
    for (uint32_t whole = 0; whole < 2; whole++) {
        char text[sizeof format + 32];
        (void)snprintf(text, sizeof text, format, whole ? "-1" : "0xffff0000", whole ? "-1" : "0x0000ffff");
        const rf_memory_file file = {.path = "t.ptx", .text = text, .size = strlen(text), .piece = 4096};
        rf_memory memory = {&file, 1};
        const rf_source source = rf_memory_source(&memory);
        rf_module module;
        assert_int_equal(rf_ptx_read(&source, "t.ptx", &module, error, sizeof error), 0);
        assert_int_equal(rf_regalloc_identity(&module.kernel[0], error, sizeof error), 0);
        rf_simt *const simt = rf_simt_new(&module);
        const rf_simt_launch launch = {.grid = {1, 1, 1}, .block = {32, 1, 1}};
        const int got = rf_simt_run(simt, &module.kernel[0], &launch, NULL, NULL, NULL, error, sizeof error);
        assert_int_equal(got, whole ? -1 : 0);
        if (whole)
            assert_non_null(strstr(error, "bar.warp.sync: block (0,0,0), warp 0: a member does not take part (divergent code"));
        rf_simt_free(simt);
        rf_module_free(&module);
    }
}

static void test_refused(void **state) {
    (void)state;
    static const char *const shapes[] = {"abcm>r", "pm>r", "am>r", "m>r", "m>"};
    static const rf_kinst insts[] = {{.op = RF_K_SHFL, .type = RF_T_B32, .mode = RF_M_IDX, .flags = RF_F_SYNC},
                                     {.op = RF_K_VOTE, .type = RF_T_B32, .mode = RF_M_BALLOT, .flags = RF_F_SYNC},
                                     {.op = RF_K_MATCH, .type = RF_T_B32, .mode = RF_M_ANY, .flags = RF_F_SYNC},
                                     {.op = RF_K_ELECT, .type = RF_T_B32, .flags = RF_F_SYNC},
                                     {.op = RF_K_WARPSYNC, .flags = RF_F_SYNC}};
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t fault = 0; fault < 3; fault++) {
            lane_data data[32];
            for (uint32_t l = 0; l < 32; l++) data[l] = (lane_data){.members = UINT32_MAX, .flags = 1};
            if (fault == 0) data[9].flags = 0; /* a member's guard keeps it out */
            if (fault == 1) data[9].members = UINT32_MAX - 512;
            if (fault == 2)
                for (uint32_t l = 16; l < 32; l++) data[l].members = 0xffff0000;
            assert_int_equal(run(shapes[i], insts[i], data), -1);
            static const char *const want[] = {"a member does not take part", "a lane is not among the members",
                                               "members name different members"};
            const char *found = strstr(error, want[fault]);
            if (fault == 1 && !found) found = strstr(error, want[2]);
            assert_non_null(found);
            assert_non_null(strstr(error, "kernel k, line 116: op: block (0,0,0), warp 0: "));
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shfl),     cmocka_unit_test(test_vote),
        cmocka_unit_test(test_match),    cmocka_unit_test(test_active_and_elect),
        cmocka_unit_test(test_groups),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_warpsync), cmocka_unit_test(test_warpsync_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
