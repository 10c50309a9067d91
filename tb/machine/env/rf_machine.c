/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/machine/env/rf_machine.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/nearest.h"
#include "harness/base/text.h"
#include "harness/core/machine.h"

#define LATENCY_MAX 100000u
#define INTERVAL_MAX 1000u
#define MM_MAX 100u /* more than any chip is wide */

/* What a key's member is: a uint32_t; a uint32_t or uint64_t of the memory side, whose ranges are those of rf_memory_check; a
 * double, of millimetres. */
typedef enum kind { OWN, MEMORY32, MEMORY64, WIRE } kind;

typedef struct key {
    const char *name;
    size_t offset; /* of its member in rf_machine */
    uint32_t def, min, max;
    kind kind;
} key;

#define LATENCY(class) offsetof(rf_machine, latency[class])
#define INTERVAL(class) offsetof(rf_machine, interval[class])
#define MEMORY(name, member)                                                                                                     \
    { name, offsetof(rf_machine, memory.member), 0, 0, 0, sizeof((rf_machine *)0)->memory.member == 8 ? MEMORY64 : MEMORY32 }
#define WIRE(name, member)                                                                                                       \
    { name, offsetof(rf_machine, wires.member), RF_ENERGY_MM, 0, MM_MAX, WIRE }

/* Latencies of arithmetic, special functions and shared memory from [hierarchy Table I]; the papers give none for matrix
 * operations and control. */
static const key keys[] = {
    {"alu.latency", LATENCY(RF_OP_ALU), 8, 1, LATENCY_MAX, OWN},
    {"alu.interval", INTERVAL(RF_OP_ALU), 1, 1, INTERVAL_MAX, OWN},
    {"sfu.latency", LATENCY(RF_OP_SFU), 20, 1, LATENCY_MAX, OWN},
    {"sfu.interval", INTERVAL(RF_OP_SFU), 1, 1, INTERVAL_MAX, OWN},
    {"memory.latency", LATENCY(RF_OP_MEM), RF_MACHINE_MEMORY_LATENCY, 1, LATENCY_MAX, OWN},
    {"memory.interval", INTERVAL(RF_OP_MEM), 1, 1, INTERVAL_MAX, OWN},
    {"tensor.latency", LATENCY(RF_OP_TENSOR), 16, 1, LATENCY_MAX, OWN},
    {"tensor.interval", INTERVAL(RF_OP_TENSOR), 1, 1, INTERVAL_MAX, OWN},
    {"control.latency", LATENCY(RF_OP_CTRL), 8, 1, LATENCY_MAX, OWN},
    {"control.interval", INTERVAL(RF_OP_CTRL), 1, 1, INTERVAL_MAX, OWN},
    {"load.latency", offsetof(rf_machine, load_latency), 0, 1, LATENCY_MAX, OWN},
    {"registers", offsetof(rf_machine, registers), 0, 1, 65536, OWN},
    {"sub_cores", offsetof(rf_machine, sub_cores), 1, 1, RF_SUB_CORES_MAX, OWN},
    {"lookup.words", offsetof(rf_machine, lookup_words), RF_INST_DST_MAX, 1, RF_INST_DST_MAX, OWN},
    MEMORY("lsu.interval", lsu_interval),
    MEMORY("shared.latency", shared_latency),
    MEMORY("shared.banks", shared_banks),
    MEMORY("shared.interval", shared_interval),
    MEMORY("constant.latency", constant_latency),
    MEMORY("texture.latency", texture_latency),
    MEMORY("texture.interval", texture_interval),
    MEMORY("l1.size", l1.size),
    MEMORY("l1.line", l1.line),
    MEMORY("l1.sector", l1.sector),
    MEMORY("l1.ways", l1.ways),
    MEMORY("l1.latency", l1_latency),
    MEMORY("l1.mshrs", l1_mshrs),
    MEMORY("l1.write", l1_write),
    MEMORY("link.bytes", link_bytes),
    MEMORY("l2.size", l2.size),
    MEMORY("l2.line", l2.line),
    MEMORY("l2.sector", l2.sector),
    MEMORY("l2.ways", l2.ways),
    MEMORY("l2.latency", l2_latency),
    MEMORY("dram.latency", dram_latency),
    MEMORY("dram.bytes", dram_bytes),
    WIRE("energy.bank_collector_mm", bank_collector),
    WIRE("energy.result_bank_mm", result_bank),
    WIRE("energy.result_ccu_mm", result_ccu),
};

#define KEYS (sizeof keys / sizeof *keys)

static bool of_memory(const key *k) { return k->kind == MEMORY32 || k->kind == MEMORY64; }

/* Of a smaller member what does not fit is the most that does, which no key may be. */
static void store(rf_machine *m, const key *k, uint64_t value) {
    const uint32_t narrow = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
    if (k->kind == MEMORY64) memcpy((char *)m + k->offset, &value, sizeof value);
    else memcpy((char *)m + k->offset, &narrow, sizeof narrow);
}

static void store_real(rf_machine *m, const key *k, double value) { memcpy((char *)m + k->offset, &value, sizeof value); }

rf_machine rf_machine_default(void) {
    rf_machine m = {0};
    for (size_t i = 0; i < KEYS; i++)
        if (keys[i].kind == WIRE) store_real(&m, &keys[i], keys[i].def);
        else store(&m, &keys[i], keys[i].def);
    return m;
}

static const key *find(const char *name) {
    for (size_t i = 0; i < KEYS; i++)
        if (strcmp(keys[i].name, name) == 0) return &keys[i];
    return NULL;
}

static int fail(char *error, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
static int fail(char *error, size_t size, const char *format, ...) {
    va_list args;
    va_start(args, format);
    (void)vsnprintf(error, size, format, args);
    va_end(args);
    return -1;
}

static int unknown(const ls_setting *s, char *error, size_t size) {
    ls_nearest near = {.word = s->name};
    for (size_t i = 0; i < KEYS; i++) ls_nearest_try(&near, keys[i].name);
    if (near.name == NULL) return fail(error, size, "%s: no key %s", s->place, s->name);
    return fail(error, size, "%s: no key %s: did you mean %s?", s->place, s->name, near.name);
}

static int read_setting(rf_machine *m, const ls_setting *s, char *error, size_t size) {
    const key *k = find(s->name);
    uint64_t value = 0;
    double real = 0;
    if (k == NULL) return unknown(s, error, size);
    const bool number = k->kind == WIRE ? ls_decimal(s->value, &real) : ls_whole_number(s->value, false, &value);
    if (of_memory(k) && !number) return fail(error, size, "%s: %s must be a number, not \"%s\"", s->place, s->name, s->value);
    const bool within = k->kind == WIRE ? real >= k->min && real <= k->max : value >= k->min && value <= k->max;
    if (!of_memory(k) && (!number || !within))
        return fail(error, size, "%s: %s must be %u to %u, not \"%s\"", s->place, s->name, k->min, k->max, s->value);
    if (k->kind == WIRE) store_real(m, k, real);
    else store(m, k, value);
    return 0;
}

/* The memory side: all of its keys, in the ranges that it demands, or none. */
static int read_memory(rf_machine *m, const ls_settings *settings, char *error, size_t size) {
    const ls_setting *one = NULL, *flat = ls_settings_find(settings, "load.latency");
    for (size_t i = 0; i < settings->count && one == NULL; i++)
        if (of_memory(find(settings->list[i].name))) one = &settings->list[i];
    m->has_memory = one != NULL;
    if (one == NULL) return 0;
    for (size_t i = 0; i < KEYS; i++)
        if (of_memory(&keys[i]) && ls_settings_find(settings, keys[i].name) == NULL)
            return fail(error, size, "%s: %s is there, so all keys of the memory side must be: %s is not", one->place, one->name,
                        keys[i].name);
    if (flat != NULL)
        return fail(error, size, "%s: load.latency goes with no key of the memory side: %s is there (%s)", flat->place, one->name,
                    one->place);
    const char *wrong = rf_memory_check(&m->memory);
    if (wrong == NULL) return 0;
    char name[32]; /* the message begins with the key */
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(wrong, " "), wrong);
    const ls_setting *s = ls_settings_find(settings, name);
    return fail(error, size, "%s: %s, not %s", s->place, wrong, s->value);
}

int rf_machine_read(rf_machine *m, const ls_settings *settings, char *error, size_t size) {
    rf_machine now = rf_machine_default();
    for (size_t i = 0; i < settings->count; i++)
        if (read_setting(&now, &settings->list[i], error, size) != 0) return -1;
    if (read_memory(&now, settings, error, size) != 0) return -1;
    *m = now;
    return 0;
}

int rf_machine_one_core(const ls_settings *settings, char *error, size_t size) {
    rf_machine m;
    if (rf_machine_read(&m, settings, error, size) != 0) return -1;
    if (m.sub_cores == 1) return 0;
    return fail(error, size, "%s: sub_cores must be 1 here, not %u: this system is a whole SM",
                ls_settings_find(settings, "sub_cores")->place, m.sub_cores);
}
