/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_h3.h"

/* Output n of SplitMix64. A generator whose state is a counter can be written down for any n: the compiler makes the table. */
#define SEED UINT64_C(1)
#define STATE(n) (SEED + ((n) + UINT64_C(1)) * UINT64_C(0x9e3779b97f4a7c15))
#define MIX_30(z) (((z) ^ (z) >> 30) * UINT64_C(0xbf58476d1ce4e5b9))
#define MIX_27(z) (((z) ^ (z) >> 27) * UINT64_C(0x94d049bb133111eb))
#define MIX_31(z) ((z) ^ (z) >> 31)
#define OUTPUT(n) MIX_31(MIX_27(MIX_30(STATE(n))))

/* The rows of output n, and of 4, 16 ... outputs from there on. */
#define ROWS(n) (uint32_t) OUTPUT(n), (uint32_t)(OUTPUT(n) >> 32)
#define ROWS_4(n) ROWS((n) + 0), ROWS((n) + 1), ROWS((n) + 2), ROWS((n) + 3)
#define ROWS_16(n) ROWS_4((n) + 0), ROWS_4((n) + 4), ROWS_4((n) + 8), ROWS_4((n) + 12)
#define ROWS_64(n) ROWS_16((n) + 0), ROWS_16((n) + 16), ROWS_16((n) + 32), ROWS_16((n) + 48)
#define ROWS_256(n) ROWS_64((n) + 0), ROWS_64((n) + 64), ROWS_64((n) + 128), ROWS_64((n) + 192)

static const uint32_t row[RF_H3_ROWS] = {ROWS_256(0), ROWS_256(256)};

#define BITS_4(b) 1u << (b), 1u << ((b) + 1), 1u << ((b) + 2), 1u << ((b) + 3)
static const uint32_t bit[32] = {BITS_4(0), BITS_4(4), BITS_4(8), BITS_4(12), BITS_4(16), BITS_4(20), BITS_4(24), BITS_4(28)};

/* One sum for each bit of a lane: nothing depends on the bit before, so that the inner loop is a few vector instructions.
 * Plain: for each bit b of each lane l that is 1, hash ^= row[l * 32 + b]. */
uint32_t rf_h3_hash(const rf_vec *data) {
    uint32_t sum[32] = {0}, hash = 0;
    for (uint32_t l = 0; l < RF_LANES_MAX; l++)
        for (uint32_t b = 0; b < 32; b++) sum[b] ^= row[l * 32 + b] & (0u - (uint32_t)((data->lane[l] & bit[b]) != 0));
    for (uint32_t b = 0; b < 32; b++) hash ^= sum[b];
    return hash;
}

const char *rf_h3_check(const rf_h3_cfg *cfg) {
    if (cfg->lanes < 1 || cfg->lanes > RF_LANES_MAX) return "LANES must be 1 to 32";
    return NULL;
}

int rf_h3_init(rf_h3 *m, const rf_h3_cfg *cfg) {
    if (rf_h3_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    return 0;
}

void rf_h3_reset(rf_h3 *m) { (void)m; }

void rf_h3_comb(const rf_h3 *m, const rf_h3_in *in, rf_h3_out *out) {
    (void)m;
    out->hash = rf_h3_hash(&in->data);
}

void rf_h3_clock(rf_h3 *m, const rf_h3_in *in) {
    (void)m;
    (void)in;
}

void rf_h3_step(rf_h3 *m, const rf_h3_in *in, rf_h3_out *out) { rf_h3_comb(m, in, out); }
