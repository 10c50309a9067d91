/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/proof's symbolic execution: the functions of proof_programs.h as clang compiles them for a proof, on literals,
 * against the same functions compiled by our compiler, on numbers. Results, memory, and where C gives no meaning. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/base/folder.h"
#include "harness/base/process.h"
#include "harness/base/rng.h"
#include "harness/base/root.h"
#include "harness/base/text.h"
#include "harness/proof/execute.h"
#include "harness/proof/simulate.h"
#include "tb/harness/proof_programs.h"

#define ROUNDS 24 /* of 64 draws */
#define A (8u * sizeof(space) + 1)
#define B (A + 64)
#define INPUTS (B + 63)

static ls_ir ir;

/* As for a proof (harness/proof/model_graph.c), but each function of its own. */
static int compile_programs(void **state) {
    (void)state;
    char *folder = NULL, *failed = ls_temporary_folder("ls_execute", &folder);
    assert_null(failed);
    char *source = ls_format("%s/p.c", folder), *output = ls_format("%s/p.bc", folder), *root = ls_format("-I%s", ls_root());
    ls_text text = {0};
    ls_text_add(&text, "#include \"tb/harness/proof_programs.h\"\n");
#define TEXT(name) ls_text_add(&text, "uint64_t p_" #name "(space *s, uint64_t a, uint64_t b) { return " #name "(s, a, b); }\n");
    PROOF_PROGRAMS(TEXT)
    assert_int_equal(ls_text_write(&text, source), 0);
    free(ls_text_take(&text));
    const char *const argv[] = {"clang-14",
                                "-std=c11",
                                "-w",
                                root,
                                "-c",
                                "-emit-llvm",
                                "-O1",
                                "-Xclang",
                                "-disable-llvm-passes",
                                "-gline-tables-only",
                                "-fsanitize=undefined",
                                "-fsanitize-trap=undefined",
                                "-fno-sanitize=alignment,null,pointer-overflow,object-size,function",
                                "-o",
                                output,
                                source,
                                NULL};
    ls_process_result r;
    assert_int_equal(ls_process_run(&(ls_process){.argv = argv, .timeout_ms = 60000}, &r), 0);
    if (!ls_process_ok(&r)) fail_msg("%s", r.output);
    ls_process_free(&r);
    failed = ls_ir_read((const char *const[]){output}, 1, &ir);
    if (failed != NULL) fail_msg("%s", failed);
    ls_remove_tree(folder);
    free(folder);
    free(source);
    free(output);
    free(root);
    return 0;
}

static int drop_programs(void **state) {
    (void)state;
    ls_ir_free(&ir);
    return 0;
}

typedef struct program {
    const char *name;
    uint64_t (*run)(space *s, uint64_t a, uint64_t b);
    bool (*lost)(const space *s, uint64_t a, uint64_t b);
} program;

/* Small numbers in most draws, so that what is equal, near or rare is met. */
static uint64_t draw_bit(ls_rng *rng, uint32_t input, int round) {
    const uint32_t bit = input >= A ? (input - A) % 64 : (input - 1) % 8;
    const uint64_t any = ls_rng_u64(rng);
    if (input < A) return round % 3 == 0 ? any : bit > 2 ? any & ls_rng_u64(rng) & ls_rng_u64(rng) : any;
    return round % 3 == 1 && bit > 4 && bit != 8 ? any & ls_rng_u64(rng) & ls_rng_u64(rng) : any;
}

static uint64_t read_bits(const uint64_t *values, const uint32_t *bit, uint32_t count, unsigned lane) {
    uint64_t number = 0;
    for (uint32_t i = 0; i < count; i++) number |= (ls_simulated(values, bit[i]) >> lane & 1) << i;
    return number;
}

/* One draw; what is in the symbolic memory where padding is, no function touches. */
static bool check_lane(const program *p, const uint64_t *values, unsigned lane, uint32_t lost, const uint32_t *result,
                       const uint32_t (*byte)[8]) {
    uint8_t raw[sizeof(space)];
    uint32_t leaf[64];
    space s;
    for (uint32_t i = 0; i < sizeof raw; i++) {
        for (uint32_t b = 0; b < 8; b++) leaf[b] = 2 * (8 * i + b + 1);
        raw[i] = (uint8_t)read_bits(values, leaf, 8, lane);
    }
    memcpy(&s, raw, sizeof s);
    for (uint32_t b = 0; b < 64; b++) leaf[b] = 2 * ((uint32_t)A + b);
    const uint64_t a = read_bits(values, leaf, 64, lane);
    for (uint32_t b = 0; b < 64; b++) leaf[b] = 2 * ((uint32_t)B + b);
    const uint64_t b = read_bits(values, leaf, 64, lane);
    const bool is_lost = p->lost(&s, a, b);
    if (is_lost != ((ls_simulated(values, lost) >> lane & 1) != 0))
        fail_msg("%s(%llx, %llx): %s", p->name, (unsigned long long)a, (unsigned long long)b,
                 is_lost ? "C gives it no meaning, which is not seen" : "C gives it a meaning");
    if (is_lost) return false;
    const uint64_t want = p->run(&s, a, b), got = read_bits(values, result, 64, lane);
    if (want != got)
        fail_msg("%s(%llx, %llx): %llx, not %llx", p->name, (unsigned long long)a, (unsigned long long)b, (unsigned long long)got,
                 (unsigned long long)want);
    memcpy(raw, &s, sizeof raw);
    for (uint32_t i = 0; i < sizeof raw; i++)
        if (read_bits(values, byte[i], 8, lane) != raw[i])
            fail_msg("%s(%llx, %llx): byte %u", p->name, (unsigned long long)a, (unsigned long long)b, i);
    return true;
}

/* A program executed on the space, with inputs in all of its bits, and on A and B. */
typedef struct trial {
    ls_aig_maker maker;
    ls_memory memory;
    ls_execution x;
    uint32_t object; /* the space */
    const ls_value *value;
} trial;

static void open_trial(trial *t, const char *name) {
    const uint8_t zero[sizeof(space)] = {0};
    uint32_t a[64], b[64];
    memset(t, 0, sizeof *t);
    ls_aig_begin(&t->maker, INPUTS, 0);
    ls_execution_begin(&t->x, &ir, &t->maker, &t->memory);
    t->object = ls_execution_object(&t->x, &t->memory, sizeof(space), zero);
    for (uint32_t i = 0; i < 8 * sizeof(space); i++) ls_memory_set_bit(&t->memory, t->object, i / 8, i % 8, 2 * (i + 1));
    for (uint32_t i = 0; i < 64; i++) {
        a[i] = 2 * ((uint32_t)A + i);
        b[i] = 2 * ((uint32_t)B + i);
    }
    const ls_value *const argument[] = {ls_constant(&t->x.values, 64, ls_object_address(t->object)),
                                        ls_literals(&t->x.values, 64, a, NULL), ls_literals(&t->x.values, 64, b, NULL)};
    char *full = ls_format("p_%s", name);
    t->value = ls_execute(&t->x, ls_ir_find(&ir, full), 1, &t->memory, argument, 3);
    free(full);
}

static void close_trial(trial *t) {
    ls_memory_free(&t->memory);
    ls_execution_end(&t->x);
    ls_aig_drop(&t->maker);
}

static void check_program(const program *p) {
    trial t;
    open_trial(&t, p->name);
    if (t.x.error != NULL) fail_msg("%s: %s", p->name, t.x.error);
    const uint32_t *result = ls_bits(&t.x.values, t.value);
    uint32_t(*byte)[8] = ls_alloc(sizeof(space), sizeof *byte), lost = ls_undef(&t.x.values, t.value) ^ 1u;
    for (uint32_t i = 0; i < sizeof(space); i++) {
        uint32_t undef;
        memcpy(byte[i], ls_memory_byte(&t.memory, t.object, i, &undef), sizeof byte[i]);
        lost = ls_aig_and(&t.maker, lost, undef ^ 1u);
    }
    for (size_t i = 0; i < t.x.misuse_count; i++) lost = ls_aig_and(&t.maker, lost, t.x.misuse[i].when ^ 1u);
    lost ^= 1u;
    uint64_t *values = ls_alloc(t.maker.inputs + t.maker.gates + 2, sizeof *values);
    ls_rng rng;
    ls_rng_seed(&rng, 11);
    unsigned compared = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 1; i <= INPUTS; i++) values[i] = draw_bit(&rng, i, round);
        ls_simulate(&t.maker, values);
        for (unsigned lane = 0; lane < 64; lane++)
            compared += check_lane(p, values, lane, lost, result, (const uint32_t(*)[8])byte);
    }
    assert_true(compared > 100);
    free(values);
    free(byte);
    close_trial(&t);
}

/* Each place where C may lose its meaning has a line and a condition of its own. */
static void test_each_place(void **state) {
    (void)state;
    trial t;
    open_trial(&t, "places");
    assert_int_equal(t.x.misuse_count, 2);
    assert_int_equal(t.x.misuse[1].line, t.x.misuse[0].line + 1);
    assert_non_null(strstr(t.x.misuse[0].file, "proof_programs.h"));
    assert_string_equal(t.x.misuse[0].what, "an index out of bounds");
    uint64_t *values = ls_alloc(t.maker.inputs + t.maker.gates + 2, sizeof *values);
    for (int k = 0; k < 2; k++) {
        for (uint32_t i = 0; i < 3; i++) values[(k == 0 ? A : B) + i] = UINT64_MAX; /* 7 */
        ls_simulate(&t.maker, values);
        assert_true(ls_simulated(values, t.x.misuse[k].when) == UINT64_MAX);
        assert_true(k == 1 || ls_simulated(values, t.x.misuse[1].when) == 0);
    }
    free(values);
    close_trial(&t);
}

/* What an index that is none would reach does not even become a choice. */
static void test_no_neighbour(void **state) {
    (void)state;
    trial t;
    open_trial(&t, "no_place");
    for (uint32_t i = 0; i < sizeof(space); i++) {
        uint32_t undef;
        const uint32_t *bit = ls_memory_byte(&t.memory, t.object, i, &undef);
        const bool inside = i >= offsetof(space, half) && i < offsetof(space, half) + sizeof(((space *)0)->half);
        for (uint32_t b = 0; b < 8; b++) assert_int_equal(bit[b] == 2 * (8 * i + b + 1), !inside);
    }
    close_trial(&t);
}

#define TEST(name)                                                                                                               \
    static void test_##name(void **state) {                                                                                      \
        (void)state;                                                                                                             \
        check_program(&(const program){#name, name, lost_##name});                                                               \
    }
PROOF_PROGRAMS(TEST)

#define LISTED(name) cmocka_unit_test(test_##name),
int main(void) {
    const struct CMUnitTest tests[] = {PROOF_PROGRAMS(LISTED) cmocka_unit_test(test_each_place),
                                       cmocka_unit_test(test_no_neighbour)};
    return cmocka_run_group_tests(tests, compile_programs, drop_programs);
}
