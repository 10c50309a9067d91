/* SPDX-License-Identifier: Apache-2.0 */
/* Verifier [WIR V-A, Fig. 7; V-D]: one result on its way from a register that is being read to its end.
 *
 * t     load: the bank reads register `cand` in this cycle for the result `data`. Ignored while busy.
 *         load_merge 0, verify-read: `cand` may hold the result already; load_reg is stored and never shown (give replaces it).
 *         load_merge 1, dummy MOV: the lanes outside load_mask come from `cand`, and the whole is written to load_reg.
 * t+1   rdata is what the bank read. Verify-read: equal in all lanes: `share` from this cycle on: the result is done without a
 *       write.
 *       Else (a hash collision) `need` from t+2 on: it wants a register of its own. Dummy MOV: `write` from t+2 on.
 * need  until `give` in some cycle: give_reg becomes its register, `write` from the next cycle on. give without need is ignored.
 * done  while `share` or `write` is on: it is finished; free in the next cycle. Ignored otherwise.
 *
 * `reg` is where the value is, or is to be written: cand with `share`, its own register with `write`, 0 otherwise. `info` is
 * carried along.
 * `check` and `equal` are on in t+1 only. */
#ifndef RF_VERIFY_H
#define RF_VERIFY_H

#include "cmodel/wir/rf_wir_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum rf_verify_state {
    RF_VERIFY_IDLE,
    RF_VERIFY_CHECK, /* data arrives in this cycle */
    RF_VERIFY_SHARE, /* equal, waits for done */
    RF_VERIFY_NEED,  /* not equal, waits for a register */
    RF_VERIFY_WRITE, /* waits for its write */
} rf_verify_state;

typedef struct rf_verify_cfg {
    uint32_t lanes; /* 1 .. 32 */
    uint32_t pregs; /* physical registers, 2 .. 1024 */
    uint32_t infow; /* bits of info, 1 .. 64 */
} rf_verify_cfg;

typedef struct rf_verify_in {
    uint8_t load;
    uint8_t load_merge;
    uint16_t load_cand; /* index_bits(pregs) */
    uint16_t load_reg;  /* index_bits(pregs) */
    uint32_t load_mask; /* lanes bits: lanes of the result */
    rf_vec load_data;   /* lanes x 32 bits */
    uint64_t load_info; /* infow bits */
    rf_vec rdata;       /* lanes x 32 bits: of the bank that `cand` is in; looked at in t+1 only */
    uint8_t give;
    uint16_t give_reg; /* index_bits(pregs) */
    uint8_t done;
} rf_verify_in;

typedef struct rf_verify_out {
    rf_vec data;   /* data_q: lanes x 32 bits */
    uint8_t busy;  /* not IDLE */
    uint8_t check; /* CHECK */
    uint8_t merge; /* merge_q */
    uint8_t equal; /* CHECK of a verify-read, and rdata equals data_q */
    uint8_t share; /* SHARE, or `equal` */
    uint8_t need;  /* NEED */
    uint8_t write; /* WRITE */
    uint16_t cand; /* cand_q */
    uint16_t reg;  /* cand_q with share, reg_q with write, else 0 */
    uint64_t info; /* info_q */
} rf_verify_out;

typedef struct rf_verify {
    rf_verify_cfg cfg;
    uint8_t state_q; /* 3 bits: rf_verify_state */
    uint8_t merge_q;
    uint16_t cand_q; /* stays when it ends, like all below */
    uint16_t reg_q;
    uint32_t mask_q;
    rf_vec data_q; /* after t+1 of a dummy MOV: merged */
    uint64_t info_q;
} rf_verify; /* all 0 after reset */

/* NULL, or the parameter that is out of range and its range. */
const char *rf_verify_check(const rf_verify_cfg *cfg);
/* Takes `cfg` and resets: 0, or RF_E_CONFIG. */
int rf_verify_init(rf_verify *m, const rf_verify_cfg *cfg);
void rf_verify_reset(rf_verify *m);
/* Outputs of this cycle. */
void rf_verify_comb(const rf_verify *m, const rf_verify_in *in, rf_verify_out *out);
/* The rising clock edge. */
void rf_verify_clock(rf_verify *m, const rf_verify_in *in);
/* rf_verify_comb, then rf_verify_clock, in one pass. */
void rf_verify_step(rf_verify *m, const rf_verify_in *in, rf_verify_out *out);

#ifdef __cplusplus
}
#endif
#endif
