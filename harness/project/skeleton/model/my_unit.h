/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that saturates: counts up by one, and stays at its largest value. Conflict: clr beats inc. Reset: 0. */
#ifndef MY_UNIT_H
#define MY_UNIT_H

#include <stdint.h>

/* The RTL's parameters. */
typedef struct my_unit_cfg {
    uint32_t w; /* bits of the count, 1 to 8 */
} my_unit_cfg;

/* The ports. */
typedef struct my_unit_in {
    uint8_t inc; /* count up */
    uint8_t clr; /* back to 0 */
} my_unit_in;

typedef struct my_unit_out {
    uint8_t count; /* w bits */
    uint8_t full;  /* the count is at its largest value */
} my_unit_out;

/* The registers. */
typedef struct my_unit {
    my_unit_cfg cfg;
    uint8_t count_q; /* w bits */
} my_unit;

/* NULL, or the parameter that is out of range and its range. */
const char *my_unit_check(const my_unit_cfg *cfg);
/* Takes `cfg` and resets: 0, or -1 for what check refuses. */
int my_unit_init(my_unit *m, const my_unit_cfg *cfg);
void my_unit_reset(my_unit *m);
/* The outputs of this cycle. */
void my_unit_comb(const my_unit *m, const my_unit_in *in, my_unit_out *out);
/* The rising edge of the clock. */
void my_unit_clock(my_unit *m, const my_unit_in *in);

#endif
