/* SPDX-License-Identifier: Apache-2.0 */
#include "model/my_unit.h"

#include <stddef.h>

const char *my_unit_check(const my_unit_cfg *cfg) {
    if (cfg->w < 1 || cfg->w > 8) return "W must be 1 to 8";
    return NULL;
}

int my_unit_init(my_unit *m, const my_unit_cfg *cfg) {
    if (my_unit_check(cfg) != NULL) return -1;
    m->cfg = *cfg;
    my_unit_reset(m);
    return 0;
}

void my_unit_reset(my_unit *m) { m->count_q = 0; }

static uint8_t largest(const my_unit *m) { return (uint8_t)((1u << m->cfg.w) - 1); }

void my_unit_comb(const my_unit *m, const my_unit_in *in, my_unit_out *out) {
    (void)in;
    out->count = m->count_q;
    out->full = m->count_q == largest(m);
}

void my_unit_clock(my_unit *m, const my_unit_in *in) {
    if (in->clr) m->count_q = 0;
    else if (in->inc && m->count_q != largest(m)) m->count_q++;
}
