/* SPDX-License-Identifier: Apache-2.0 */
/* The surroundings from settings: each key reaches its own member, at both ends of its range; whatever is wrong is told with
 * place, key and range, and leaves the machine as it was. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "harness/core/machine.h"
#include "tb/machine/env/rf_machine.h"

#define EACH_CLASS(X)                                                                                                            \
    X("alu", RF_OP_ALU) X("sfu", RF_OP_SFU) X("memory", RF_OP_MEM) X("tensor", RF_OP_TENSOR) X("control", RF_OP_CTRL)

typedef struct row {
    const char *key;
    size_t offset;
    uint32_t def, min, max;
} row;

#define ROWS(name, class)                                                                                                        \
    {name ".latency", offsetof(rf_machine, latency[class]), 0, 1, 100000},                                                       \
        {name ".interval", offsetof(rf_machine, interval[class]), 1, 1, 1000},

static const row rows[] = {EACH_CLASS(ROWS){"load.latency", offsetof(rf_machine, load_latency), 0, 1, 100000},
                           {"registers", offsetof(rf_machine, registers), 0, 1, 65536},
                           {"sub_cores", offsetof(rf_machine, sub_cores), 1, 1, 8},
                           {"lookup.words", offsetof(rf_machine, lookup_words), 16, 1, 16}};

#define COUNT (sizeof rows / sizeof *rows)

static uint32_t member(const rf_machine *m, const row *r) {
    uint32_t value;
    memcpy(&value, (const char *)m + r->offset, sizeof value);
    return value;
}

/* Reads "KEY VALUE" pairs, the i-th from "f:i", into `m`. */
static int read_pairs(rf_machine *m, const char *const pairs[][2], size_t count, char *error, size_t size) {
    ls_machine file = {0};
    for (size_t i = 0; i < count; i++) {
        char place[16];
        (void)snprintf(place, sizeof place, "f:%u", (unsigned)i + 1);
        ls_settings_put(&file.surroundings, pairs[i][0], pairs[i][1], place);
    }
    const int status = rf_machine_read(m, &file.surroundings, error, size);
    ls_machine_free(&file);
    return status;
}

static void without_settings_it_is_the_papers(void **state) {
    static const uint32_t latency[RF_OP_CLASSES] = {8, 20, 20, 16, 8};
    char error[256] = "";
    rf_machine m;
    (void)state;
    assert_int_equal(read_pairs(&m, NULL, 0, error, sizeof error), 0);
    for (uint32_t c = 0; c < RF_OP_CLASSES; c++) {
        assert_int_equal(m.latency[c], latency[c]);
        assert_int_equal(m.interval[c], 1);
    }
    assert_int_equal(m.load_latency, 0);
    assert_int_equal(m.sub_cores, 1);
    assert_int_equal(m.lookup_words, 16);
    assert_true(m.wires.bank_collector == 1 && m.wires.result_bank == 1 && m.wires.result_ccu == 1); /* millimetre */
    const rf_machine same = rf_machine_default();
    assert_memory_equal(&same, &m, sizeof m);
}

static void a_key_sets_its_member_alone(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        for (int end = 0; end < 2; end++) {
            char error[256] = "", value[16];
            rf_machine m, expected = rf_machine_default();
            const uint32_t number = end == 0 ? rows[i].min : rows[i].max;
            (void)snprintf(value, sizeof value, end == 0 ? "%u" : "0x%x", number);
            const char *const pair[][2] = {{rows[i].key, value}};
            if (read_pairs(&m, pair, 1, error, sizeof error) != 0) fail_msg("%s", error);
            assert_int_equal(member(&m, &rows[i]), number);
            memcpy((char *)&expected + rows[i].offset, &number, sizeof number);
            assert_memory_equal(&expected, &m, sizeof m);
        }
}

static void refuse(const char *const pairs[][2], size_t count, const char *words) {
    char error[256] = "";
    rf_machine m, before;
    memset(&m, 0x5a, sizeof m);
    before = m;
    if (read_pairs(&m, pairs, count, error, sizeof error) != -1) fail_msg("taken, and not refused with: %s", words);
    assert_string_equal(error, words);
    assert_memory_equal(&before, &m, sizeof m);
}

static void what_is_out_of_range_is_told(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        const uint32_t max = rows[i].max;
        char above[16];
        (void)snprintf(above, sizeof above, "%u", max + 1);
        const char *const wrong[] = {
            "0", above, "-1", "+1", "x", "1x", "01", "0x", "0x0", "1.0", "1 2", "4294967297", "18446744073709551617"};
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            char words[160];
            const char *const pairs[][2] = {{"alu.latency", "3"}, {rows[i].key, wrong[k]}};
            const size_t first = strcmp(rows[i].key, "alu.latency") == 0; /* else it would be put in place of the other */
            (void)snprintf(words, sizeof words, "f:%u: %s must be %u to %u, not \"%s\"", first ? 1 : 2, rows[i].key, rows[i].min,
                           max, wrong[k]);
            refuse(pairs + first, 2 - first, words);
        }
    }
}

static void what_is_no_key_is_told(void **state) {
    (void)state;
    refuse((const char *const[][2]){{"alu.latncy", "3"}}, 1, "f:1: no key alu.latncy: did you mean alu.latency?");
    refuse((const char *const[][2]){{"sfu.latency", "3"}, {"warps", "3"}}, 2, "f:2: no key warps");
    refuse((const char *const[][2]){{"alu", "3"}}, 1, "f:1: no key alu: did you mean alu.latency?");
}

/* By a system that is a whole SM. */
static void several_sub_cores_are_refused(void **state) {
    char error[256];
    ls_machine m = {0};
    (void)state;
    ls_settings_put(&m.surroundings, "alu.latency", "4", "f:1");
    assert_int_equal(rf_machine_one_core(&m.surroundings, error, sizeof error), 0);
    ls_settings_put(&m.surroundings, "sub_cores", "1", "f:2");
    assert_int_equal(rf_machine_one_core(&m.surroundings, error, sizeof error), 0);
    ls_settings_put(&m.surroundings, "sub_cores", "8", "f:2");
    assert_int_equal(rf_machine_one_core(&m.surroundings, error, sizeof error), -1);
    assert_non_null(strstr(error, "f:2: sub_cores must be 1 here, not 8"));
    ls_machine_free(&m);
}

/* --- memory side ------------------------------------------------------------------------------------------------------------ */

#define MEMORY(name, member, value)                                                                                              \
    { name, #value, offsetof(rf_machine, memory.member), sizeof((rf_machine *)0)->memory.member, value }

static const struct {
    const char *key, *text;
    size_t offset, size;
    uint64_t value;
} memory[] = {
    MEMORY("lsu.interval", lsu_interval, 3),
    MEMORY("shared.latency", shared_latency, 4),
    MEMORY("shared.banks", shared_banks, 5),
    MEMORY("shared.interval", shared_interval, 6),
    MEMORY("constant.latency", constant_latency, 7),
    MEMORY("texture.latency", texture_latency, 8),
    MEMORY("texture.interval", texture_interval, 9),
    MEMORY("l1.size", l1.size, 960),
    MEMORY("l1.line", l1.line, 64),
    MEMORY("l1.sector", l1.sector, 32),
    MEMORY("l1.ways", l1.ways, 15),
    MEMORY("l1.latency", l1_latency, 11),
    MEMORY("l1.mshrs", l1_mshrs, 12),
    MEMORY("l1.write", l1_write, 1),
    MEMORY("link.bytes", link_bytes, 999999999),
    MEMORY("l2.size", l2.size, 1792),
    MEMORY("l2.line", l2.line, 128),
    MEMORY("l2.sector", l2.sector, 64),
    MEMORY("l2.ways", l2.ways, 14),
    MEMORY("l2.latency", l2_latency, 10),
    MEMORY("dram.latency", dram_latency, 16),
    MEMORY("dram.bytes", dram_bytes, 17),
};

#define MEMORY_KEYS (sizeof memory / sizeof *memory)

/* All keys, one of them with another value, or without it; then `more`. */
static size_t memory_pairs(const char *pairs[][2], size_t other, const char *value, const char *more) {
    size_t n = 0;
    for (size_t i = 0; i < MEMORY_KEYS; i++) {
        if (i == other && value == NULL) continue;
        pairs[n][0] = memory[i].key;
        pairs[n++][1] = i == other ? value : memory[i].text;
    }
    if (more == NULL) return n;
    pairs[n][0] = more;
    pairs[n][1] = "400";
    return n + 1;
}

static void a_memory_side_has_all_its_keys(void **state) {
    const char *pairs[MEMORY_KEYS + 1][2];
    char error[256] = "", words[256];
    rf_machine m;
    (void)state;
    const size_t count = memory_pairs(pairs, MEMORY_KEYS, NULL, NULL);
    if (read_pairs(&m, pairs, count, error, sizeof error) != 0) fail_msg("%s", error);
    assert_true(m.has_memory);
    for (size_t i = 0; i < MEMORY_KEYS; i++) {
        uint64_t value = 0; /* of either size, little end first */
        memcpy(&value, (const char *)&m + memory[i].offset, memory[i].size);
        assert_int_equal(value, memory[i].value);
    }
    assert_false(rf_machine_default().has_memory);
    for (size_t i = 0; i < MEMORY_KEYS; i++) {
        const size_t less = memory_pairs(pairs, i, NULL, NULL);
        (void)snprintf(words, sizeof words, "f:1: %s is there, so all keys of the memory side must be: %s is not",
                       memory[i == 0].key, memory[i].key);
        refuse(pairs, less, words);
    }
    const size_t more = memory_pairs(pairs, MEMORY_KEYS, NULL, "load.latency");
    refuse(pairs, more, "f:23: load.latency goes with no key of the memory side: lsu.interval is there (f:1)");
}

static void what_a_memory_side_cannot_be_is_told(void **state) {
    static const char *const wrong[] = {"999999999999", "4294967296", "999999999999999999"};
    const char *pairs[MEMORY_KEYS + 1][2];
    char error[256], words[256];
    (void)state;
    for (size_t i = 0; i < MEMORY_KEYS; i++) {
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            rf_machine m;
            const size_t count = memory_pairs(pairs, i, wrong[k], NULL);
            assert_int_equal(read_pairs(&m, pairs, count, error, sizeof error), -1);
            (void)snprintf(words, sizeof words, "f:%u: %s must be ", (unsigned)i + 1, memory[i].key);
            if (strncmp(error, words, strlen(words)) != 0) fail_msg("%s", error);
            (void)snprintf(words, sizeof words, ", not %s", wrong[k]);
            assert_non_null(strstr(error, words));
        }
        (void)snprintf(words, sizeof words, "f:%u: %s must be a number, not \"-1\"", (unsigned)i + 1, memory[i].key);
        refuse(pairs, memory_pairs(pairs, i, "-1", NULL), words);
    }
    refuse(pairs, memory_pairs(pairs, 7, "961", NULL), "f:8: l1.size must be a multiple of l1.line x l1.ways, not 961");
    refuse(pairs, memory_pairs(pairs, 17, "16", NULL), "f:18: l2.sector must be a multiple of l1.sector, not 16");
}

/* --- wires ------------------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *key;
    size_t offset;
} wires[] = {{"energy.bank_collector_mm", offsetof(rf_machine, wires.bank_collector)},
             {"energy.result_bank_mm", offsetof(rf_machine, wires.result_bank)},
             {"energy.result_ccu_mm", offsetof(rf_machine, wires.result_ccu)}};

static void a_wire_is_of_millimetres(void **state) {
    static const struct {
        const char *text;
        double value;
    } right[] = {{"0", 0}, {"0.05", 0.05}, {"0.2", 0.2}, {"1", 1}, {"1.", 1}, {".5", 0.5}, {"2.750", 2.75}, {"100", 100}};
    static const char *const wrong[] = {"100.01", "1000", "-1",    "+1",   "x",   "1x", "0x1",
                                        "1e1",    ".",    "1.2.3", "1 mm", "inf", "nan"};
    (void)state;
    for (size_t i = 0; i < sizeof wires / sizeof *wires; i++) {
        for (size_t k = 0; k < sizeof right / sizeof *right; k++) {
            char error[256] = "";
            rf_machine m, expected = rf_machine_default();
            const char *const pair[][2] = {{wires[i].key, right[k].text}};
            if (read_pairs(&m, pair, 1, error, sizeof error) != 0) fail_msg("%s", error);
            memcpy((char *)&expected + wires[i].offset, &right[k].value, sizeof right[k].value);
            assert_memory_equal(&expected, &m, sizeof m);
        }
        for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            char words[160];
            const char *const pairs[][2] = {{"alu.latency", "3"}, {wires[i].key, wrong[k]}};
            (void)snprintf(words, sizeof words, "f:2: %s must be 0 to 100, not \"%s\"", wires[i].key, wrong[k]);
            refuse(pairs, 2, words);
        }
    }
    refuse((const char *const[][2]){{"energy.result_cuc_mm", "1"}}, 1,
           "f:1: no key energy.result_cuc_mm: did you mean energy.result_ccu_mm?");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_settings_it_is_the_papers),    cmocka_unit_test(a_key_sets_its_member_alone),
        cmocka_unit_test(what_is_out_of_range_is_told),         cmocka_unit_test(what_is_no_key_is_told),
        cmocka_unit_test(several_sub_cores_are_refused),        cmocka_unit_test(a_memory_side_has_all_its_keys),
        cmocka_unit_test(what_a_memory_side_cannot_be_is_told), cmocka_unit_test(a_wire_is_of_millimetres),
    };
    return cmocka_run_group_tests_name("surroundings of an operand stage", tests, NULL, NULL);
}
