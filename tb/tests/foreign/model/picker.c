/* SPDX-License-Identifier: Apache-2.0 */
#include "model/picker.h"

const char *picker_check(const picker_cfg *cfg) {
    (void)cfg;
    return NULL;
}

int picker_init(picker *m, const picker_cfg *cfg) {
    m->cfg = *cfg;
    return rf_rr_init(&m->rr, &(rf_rr_cfg){4});
}

void picker_reset(picker *m) { rf_rr_reset(&m->rr); }

static rf_rr_in asks(const picker_in *in) { return (rf_rr_in){.req = in->want, .take = in->want != 0}; }

void picker_comb(const picker *m, const picker_in *in, picker_out *out) {
    const rf_rr_in rr_in = asks(in);
    rf_rr_out rr_out;
    rf_rr_comb(&m->rr, &rr_in, &rr_out);
    out->chosen = (uint8_t)rr_out.grant;
}

void picker_clock(picker *m, const picker_in *in) {
    const rf_rr_in rr_in = asks(in);
    rf_rr_clock(&m->rr, &rr_in);
}
