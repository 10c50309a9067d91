/* SPDX-License-Identifier: Apache-2.0 */
/* The model of picker: lockstep's round-robin arbiter, of four, that takes every grant. */
#ifndef PICKER_H
#define PICKER_H

#include "cmodel/common/rf_rr.h"

typedef struct picker_cfg {
    uint32_t none;
} picker_cfg;

typedef struct picker_in {
    uint8_t want;
} picker_in;

typedef struct picker_out {
    uint8_t chosen;
} picker_out;

typedef struct picker {
    picker_cfg cfg;
    rf_rr rr;
} picker;

const char *picker_check(const picker_cfg *cfg);
int picker_init(picker *m, const picker_cfg *cfg);
void picker_reset(picker *m);
void picker_comb(const picker *m, const picker_in *in, picker_out *out);
void picker_clock(picker *m, const picker_in *in);

#endif
