/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/map_watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "harness/base/memory.h"
#include "harness/core/pair.h"

#define FACTOR UINT64_C(0x9e3779b97f4a7c15) /* odd: what a bit did is a number in powers of it */

/* What the child keeps. */
typedef struct watcher {
    const ls_watch *watch;
    const ls_signal **signals; /* of the RTL's registers; NULL: the DUT does not show it */
} watcher;

static void add_bits(uint64_t *did, const uint32_t *words, uint32_t bits) {
    for (uint32_t i = 0; i < bits; i++) did[i] = did[i] * FACTOR + (words[i / 32] >> i % 32 & 1);
}

static int open_watcher(void *ctx, ls_pair *pair, char *error, size_t size) {
    watcher *w = ctx;
    const ls_signal *list;
    const size_t count = pair->api->signals(pair->dut, &list);
    (void)error;
    (void)size;
    w->signals = ls_zeroed((w->watch->rtl_count + 1) * sizeof *w->signals);
    for (size_t i = 0; i < w->watch->rtl_count; i++)
        for (size_t k = 0; k < count; k++)
            if (strcmp(list[k].name, w->watch->rtl[i].signal->name) == 0) w->signals[i] = &list[k];
    return 0;
}

/* After an edge. The field list of the pair is that of the watch. */
static void sample(void *ctx, ls_pair *pair, uint64_t cycle, bool edge) {
    const watcher *w = ctx;
    uint32_t words[32];
    (void)cycle;
    if (!edge) return;
    for (size_t i = 0; i < w->watch->model_count; i++) {
        const ls_watched *r = &w->watch->model[i];
        for (uint32_t k = 0; k < r->field->count; k++) {
            ls_model_element(r->field, pair->model, k, words);
            add_bits((uint64_t *)(uintptr_t)r->did + (size_t)k * r->field->bits, words, r->field->bits);
        }
    }
    for (size_t i = 0; i < w->watch->rtl_count; i++) {
        const ls_watched *r = &w->watch->rtl[i];
        const ls_signal *s = w->signals[i];
        for (uint32_t k = 0; s != NULL && k < s->count; k++) {
            const uint8_t *from = (const uint8_t *)s->addr + (size_t)k * s->stride;
            uint64_t *did = (uint64_t *)(uintptr_t)r->did + (size_t)k * s->bits;
            for (uint32_t bit = 0; bit < s->bits; bit++) did[bit] = did[bit] * FACTOR + (from[bit / 8] >> bit % 8 & 1);
        }
    }
    uint64_t *ones = w->watch->shared;
    *ones = *ones * FACTOR + 1;
}

static void close_watcher(void *ctx, ls_pair *pair) {
    (void)ctx;
    (void)pair;
}

static void add(ls_watched **list, size_t *count, ls_watched one) {
    *list = ls_grow(*list, *count, sizeof **list);
    (*list)[(*count)++] = one;
}

void ls_map_watch(const ls_request *request, const ls_fields *fields, const ls_elab *elab, ls_watch *w) {
    *w = (ls_watch){0};
    size_t bits = 1;
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        const uint64_t all = (uint64_t)f->bits * f->count;
        if (f->kind != LS_STATE || all > LS_WATCH_BITS) continue;
        add(&w->model, &w->model_count, (ls_watched){.field = f, .bits = (uint32_t)all});
        bits += all;
    }
    for (size_t i = 0; i < elab->register_count; i++) {
        const ls_elab_signal *s = &elab->registers[i];
        const uint64_t all = (uint64_t)s->bits * s->count;
        if (s->kind != LS_ELAB_REG || all == 0 || all > LS_WATCH_BITS) continue;
        add(&w->rtl, &w->rtl_count, (ls_watched){.signal = s, .bits = (uint32_t)all});
        bits += all;
    }
    w->shared_bytes = bits * sizeof(uint64_t);
    w->shared = mmap(NULL, w->shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (w->shared == MAP_FAILED) ls_die("no memory to share with the DUT's process");
    uint64_t *next = (uint64_t *)w->shared + 1;
    for (size_t i = 0; i < w->model_count; next += w->model[i++].bits) w->model[i].did = next;
    for (size_t i = 0; i < w->rtl_count; next += w->rtl[i++].bits) w->rtl[i].did = next;
    watcher ctx = {.watch = w};
    const ls_probe probe = {&ctx, open_watcher, sample, close_watcher};
    ls_result result;
    ls_run(request, &probe, &result);
    w->ones = *(uint64_t *)w->shared;
    w->cycles = result.cycles;
    w->agreed = result.status == LS_PASS || result.status == LS_VACUOUS;
    for (size_t i = 0; i < fields->count && result.status == LS_MISMATCH; i++)
        if (strcmp(fields->list[i].name, result.mismatch.field) == 0) w->differs = &fields->list[i];
    if (result.status == LS_MISMATCH)
        (void)snprintf(w->message, sizeof w->message, "%s differs in cycle %llu", result.mismatch.field,
                       (unsigned long long)result.mismatch.cycle);
    else if (!w->agreed) (void)snprintf(w->message, sizeof w->message, "%s", result.message);
}

void ls_watch_free(ls_watch *w) {
    if (w->shared != NULL) (void)munmap(w->shared, w->shared_bytes);
    free(w->model);
    free(w->rtl);
    *w = (ls_watch){0};
}
