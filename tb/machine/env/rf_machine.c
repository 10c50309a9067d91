/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/machine/env/rf_machine.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "harness/base/nearest.h"
#include "harness/base/text.h"

#define LATENCY_MAX 100000u
#define INTERVAL_MAX 1000u

typedef struct key {
    const char *name;
    size_t offset; /* of its uint32_t in rf_machine */
    uint32_t def, min, max;
} key;

#define LATENCY(class) offsetof(rf_machine, latency[class])
#define INTERVAL(class) offsetof(rf_machine, interval[class])

/* Latencies of arithmetic, special functions and shared memory from [hierarchy Table I]; the papers give none for matrix
 * operations and control. */
static const key keys[] = {
    {"alu.latency", LATENCY(RF_OP_ALU), 8, 1, LATENCY_MAX},
    {"alu.interval", INTERVAL(RF_OP_ALU), 1, 1, INTERVAL_MAX},
    {"sfu.latency", LATENCY(RF_OP_SFU), 20, 1, LATENCY_MAX},
    {"sfu.interval", INTERVAL(RF_OP_SFU), 1, 1, INTERVAL_MAX},
    {"memory.latency", LATENCY(RF_OP_MEM), 20, 1, LATENCY_MAX},
    {"memory.interval", INTERVAL(RF_OP_MEM), 1, 1, INTERVAL_MAX},
    {"tensor.latency", LATENCY(RF_OP_TENSOR), 16, 1, LATENCY_MAX},
    {"tensor.interval", INTERVAL(RF_OP_TENSOR), 1, 1, INTERVAL_MAX},
    {"control.latency", LATENCY(RF_OP_CTRL), 8, 1, LATENCY_MAX},
    {"control.interval", INTERVAL(RF_OP_CTRL), 1, 1, INTERVAL_MAX},
    {"load.latency", offsetof(rf_machine, load_latency), 0, 1, LATENCY_MAX},
    {"sub_cores", offsetof(rf_machine, sub_cores), 1, 1, 8},
};

#define KEYS (sizeof keys / sizeof *keys)

static void store(rf_machine *m, const key *k, uint32_t value) { memcpy((char *)m + k->offset, &value, sizeof value); }

rf_machine rf_machine_default(void) {
    rf_machine m = {0};
    for (size_t i = 0; i < KEYS; i++) store(&m, &keys[i], keys[i].def);
    return m;
}

static int unknown(const ls_setting *s, char *error, size_t size) {
    ls_nearest near = {.word = s->name};
    for (size_t i = 0; i < KEYS; i++) ls_nearest_try(&near, keys[i].name);
    (void)snprintf(error, size, "%s: no key %s%s%s%s", s->place, s->name, near.name != NULL ? ": did you mean " : "",
                   near.name != NULL ? near.name : "", near.name != NULL ? "?" : "");
    return -1;
}

static int read_setting(rf_machine *m, const ls_setting *s, char *error, size_t size) {
    const key *k = keys;
    uint64_t value;
    while (k < keys + KEYS && strcmp(k->name, s->name) != 0) k++;
    if (k == keys + KEYS) return unknown(s, error, size);
    if (!ls_whole_number(s->value, false, &value) || value < k->min || value > k->max) {
        (void)snprintf(error, size, "%s: %s must be %u to %u, not \"%s\"", s->place, s->name, k->min, k->max, s->value);
        return -1;
    }
    store(m, k, (uint32_t)value);
    return 0;
}

static const char *place_of(const ls_settings *settings, const char *name) {
    size_t i = 0;
    while (strcmp(settings->list[i].name, name) != 0) i++;
    return settings->list[i].place;
}

int rf_machine_read(rf_machine *m, const ls_settings *settings, char *error, size_t size) {
    rf_machine now = rf_machine_default();
    for (size_t i = 0; i < settings->count; i++)
        if (read_setting(&now, &settings->list[i], error, size) != 0) return -1;
    if (now.sub_cores > 1) {
        (void)snprintf(error, size, RF_MACHINE_SUB_CORES, place_of(settings, "sub_cores"), now.sub_cores);
        return -1;
    }
    *m = now;
    return 0;
}
