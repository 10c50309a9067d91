/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/banked/env/rf_stage_feed.h"

#include <stdarg.h>
#include <stdio.h>

void rf_stage_feed_refuse(rf_stage_feed *f, const char *format, ...) {
    va_list args;
    va_start(args, format);
    (void)vsnprintf(f->error, sizeof f->error, format, args);
    va_end(args);
    f->exhausted = true;
    f->have_next = false;
}

/* The system has all registers of the next warp; else a message. */
static bool fits(rf_stage_feed *f) {
    uint32_t highest = 0;
    for (size_t i = 0; i < f->next.count; i++) {
        const rf_inst *inst = &f->next.inst[i];
        for (uint32_t s = 0; s < inst->nsrc; s++) highest = inst->src[s] > highest ? inst->src[s] : highest;
        for (uint32_t d = 0; d < inst->ndst; d++) highest = inst->dst[d] > highest ? inst->dst[d] : highest;
    }
    f->registers = highest + 1;
    if (highest < f->regs) return true;
    rf_stage_feed_refuse(f, "register R%u needs --param REGS=%u (REGS=%u)", highest, 1u << rf_index_bits(highest + 1), f->regs);
    return false;
}

bool rf_stage_feed_fetch(rf_stage_feed *f) {
    while (!f->have_next && !f->exhausted) {
        const int got = rf_workload_next(f->workload, &f->next, &f->at);
        if (got < 0) rf_stage_feed_refuse(f, "%s", rf_workload_error(f->workload));
        if (got < 0) return false;
        f->exhausted = got == 0;
        if (got == 0) return true;
        f->new_kernel |= f->at.new_kernel;
        f->have_next = f->next.count > 0;
        if (!fits(f)) return false;
        if (f->have_next && f->loaded != NULL) f->loaded(f->ctx, &f->next);
    }
    return true;
}

void rf_stage_feed_take(rf_stage_feed *f, rf_warp *warp) {
    const rf_warp reuse = *warp;
    *warp = f->next;
    f->next = reuse;
    f->have_next = f->new_kernel = false;
}

bool rf_stage_feed_open(rf_stage_feed *f, const rf_source *source, const char *path, char *error, size_t size) {
    f->workload = rf_workload_open(source, path, error, size);
    if (f->workload == NULL) return false;
    if (rf_stage_feed_fetch(f)) return true;
    (void)snprintf(error, size, "%s", f->error);
    return false;
}

void rf_stage_feed_close(rf_stage_feed *f) {
    rf_warp_free(&f->next);
    if (f->workload != NULL) rf_workload_close(f->workload);
}
