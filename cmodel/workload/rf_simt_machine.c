/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the machine share: its message, the special registers. */
#include "cmodel/workload/rf_simt_machine.h"

#include <stdarg.h>
#include <stdio.h>

int rf_simt_fail(const rf_simt_grid *g, const rf_simt_warp *w, const rf_kinst *inst, uint32_t lane, const char *format, ...) {
    char where[64], what[256];
    const uint32_t *const n = g->launch->block, thread = w->number * RF_LANES + lane;
    if (lane == RF_KNONE) (void)snprintf(where, sizeof where, "warp %u", w->number);
    else (void)snprintf(where, sizeof where, "thread (%u,%u,%u)", thread % n[0], thread / n[0] % n[1], thread / n[0] / n[1]);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    (void)snprintf(g->error, g->error_size, "kernel %s, line %u: %s: block (%u,%u,%u), %s: %s", g->kernel->name, inst->line,
                   g->kernel->texts[inst->text], g->block[0], g->block[1], g->block[2], where, what);
    return -1;
}

static uint32_t lane_value(const rf_simt_grid *g, const rf_simt_warp *w, uint32_t special, uint32_t lane) {
    const uint32_t *const n = g->launch->block, thread = w->number * RF_LANES + lane, bit = UINT32_C(1) << lane;
    switch (special) {
    case RF_SR_TID_X:
        return thread % n[0];
    case RF_SR_TID_Y:
        return thread / n[0] % n[1];
    case RF_SR_TID_Z:
        return thread / n[0] / n[1];
    case RF_SR_NTID_X:
    case RF_SR_NTID_Y:
    case RF_SR_NTID_Z:
        return n[special - RF_SR_NTID_X];
    case RF_SR_CTAID_X:
    case RF_SR_CTAID_Y:
    case RF_SR_CTAID_Z:
        return g->block[special - RF_SR_CTAID_X];
    case RF_SR_NCTAID_X:
    case RF_SR_NCTAID_Y:
    case RF_SR_NCTAID_Z:
        return g->launch->grid[special - RF_SR_NCTAID_X];
    case RF_SR_LANEID:
        return lane;
    case RF_SR_WARPID:
        return w->number;
    case RF_SR_NWARPID:
        return RF_BLOCK_WARPS;
    case RF_SR_NSMID:
        return 1;
    case RF_SR_GRIDID:
        return (uint32_t)g->simt->launches;
    case RF_SR_LANEMASK_EQ:
        return bit;
    case RF_SR_LANEMASK_LE:
        return bit | (bit - 1);
    case RF_SR_LANEMASK_LT:
        return bit - 1;
    case RF_SR_LANEMASK_GE:
        return ~(bit - 1);
    case RF_SR_LANEMASK_GT:
        return ~(bit | (bit - 1));
    default:
        return 0; /* the one multiprocessor; a driver's registers */
    }
}

void rf_simt_specials(const rf_simt_grid *g, rf_simt_warp *w) {
    for (uint32_t special = 0; special < RF_SR_COUNT; special++) {
        if (g->special_row[special] == RF_KNONE) continue;
        uint32_t *const row = w->row + g->special_row[special];
        for (uint32_t l = 0; l < RF_LANES; l++) row[l] = lane_value(g, w, special, l);
        if (special != RF_SR_GRIDID) continue;
        for (uint32_t l = 0; l < RF_LANES; l++) row[RF_LANES + l] = (uint32_t)(g->simt->launches >> 32);
    }
}

void rf_simt_clocks(const rf_simt_grid *g, rf_simt_warp *w) {
    for (uint32_t special = RF_SR_CLOCK; special <= RF_SR_GLOBALTIMER; special++) {
        if (g->special_row[special] == RF_KNONE) continue;
        const uint64_t now = special == RF_SR_GLOBALTIMER ? g->counts.warp_instructions : w->executed;
        uint32_t *const row = w->row + g->special_row[special];
        for (uint32_t l = 0; l < RF_LANES; l++) {
            row[l] = special == RF_SR_CLOCK_HI ? (uint32_t)(now >> 32) : (uint32_t)now;
            row[RF_LANES + l] = (uint32_t)(now >> 32);
        }
    }
}
