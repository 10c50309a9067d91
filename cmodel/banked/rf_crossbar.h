/* SPDX-License-Identifier: Apache-2.0 */
/* Crossbar: each of DST outputs carries the data of one of SRC inputs ([bank stealing Fig. 1]: banks to collectors; also
 * collectors to execution ports and write-back queues to banks). Combinational, no clock. An output that is not valid, or selects
 * a source outside 0 .. SRC-1, is 0. Any number of outputs may select one source. */
#ifndef RF_CROSSBAR_H
#define RF_CROSSBAR_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rf_crossbar_cfg {
    uint32_t src;   /* inputs, 1 .. 64 */
    uint32_t dst;   /* outputs, 1 .. 64 */
    uint32_t width; /* bits of each, 1 .. 1024 */
} rf_crossbar_cfg;

typedef struct rf_crossbar_in {
    uint64_t valid;  /* dst bits: the output is used */
    uint8_t sel[64]; /* per output: its source, index_bits(src) */
    rf_vec data[64]; /* per source: width bits, the rest 0 */
} rf_crossbar_in;

typedef struct rf_crossbar_out {
    rf_vec data[64]; /* per output: width bits */
} rf_crossbar_out;

typedef struct rf_crossbar {
    rf_crossbar_cfg cfg; /* no state */
} rf_crossbar;

/* NULL, or the parameter that is out of range and its range. */
const char *rf_crossbar_check(const rf_crossbar_cfg *cfg);
/* Takes `cfg`: 0, or RF_E_CONFIG. */
int rf_crossbar_init(rf_crossbar *m, const rf_crossbar_cfg *cfg);
void rf_crossbar_reset(rf_crossbar *m);
/* Outputs of this cycle. */
void rf_crossbar_comb(const rf_crossbar *m, const rf_crossbar_in *in, rf_crossbar_out *out);
/* Does nothing: there is no state. */
void rf_crossbar_clock(rf_crossbar *m, const rf_crossbar_in *in);
/* rf_crossbar_comb, then rf_crossbar_clock, in one pass. */
void rf_crossbar_step(rf_crossbar *m, const rf_crossbar_in *in, rf_crossbar_out *out);

#ifdef __cplusplus
}
#endif
#endif
