/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold of an rf_wir in every cycle:
 *
 *   value        the register that a retiring instruction maps its destination to holds what plain execution gives
 *   references   each register's count, with what is on its way to it, is the number of its references: in rename tables, reuse
 *                buffer, value signature buffer, result queues and verifiers
 *   conservation a register is free, referenced or dead, one of the three; none is lost, none free and mapped
 *   leaders      each pending entry of the reuse buffer has one leader, in a collector, in execution or on the way back, and no
 *                other entry has any: who waits in a pending queue waits for somebody
 *   progress     something moves while anything is in the system, unless what it waits for is with the surroundings: a port that
 *                refuses or, for pending queues alone, a leader that is being executed
 *   base         with REUSE 0, it is rf_banked with the same latency (rf_wir_late.h)
 *
 * References, conservation and leaders are counted out in every cycle where the tables are small, else in every
 * RF_WIR_PERIODth. */
#ifndef RF_WIR_CHECK_H
#define RF_WIR_CHECK_H

#include "cmodel/wir/rf_wir.h"
#include "tb/banked/env/rf_stage_env.h"

#define RF_WIR_PERIOD 64u
#define RF_WIR_SMALL 600u /* table entries */
/* Cycles without movement in which nothing waits for the surroundings. Between two movements lie at most a turn of each of the
 * 64 readers of a bank, before and after a turn of each of 40 results in the pipes and of 16 instructions in a queue. */
#define RF_WIR_STANDSTILL 500u
/* The same in low register mode: also a period of rf_lfsr (65535), which names every entry once and empties the tables, and
 * sweeps, which come first: one a block and one of all, of 512 entries each. */
#define RF_WIR_STANDSTILL_LOW 75000u

typedef struct rf_wir_checker rf_wir_checker;

/* From the model's reset on. Ends the process when memory runs out. */
rf_wir_checker *rf_wir_checker_new(const rf_wir *m);
void rf_wir_checker_free(rf_wir_checker *c);

/* Before the inputs of a cycle, and after its outputs. */
void rf_wir_checker_before(rf_wir_checker *c, const rf_wir *m, const rf_stage_env *env);
void rf_wir_checker_after(rf_wir_checker *c, const rf_wir_in *in, const rf_wir_out *out);

/* NULL, or the first violation. */
const char *rf_wir_checker_violation(const rf_wir_checker *c);

/* The model of the last rf_wir_checker_before. */
const rf_wir *rf_wir_checker_model(const rf_wir_checker *c);

/* The value of a logical register; 0 (in `room`) when it is not mapped. */
const rf_vec *rf_wir_value(const rf_wir *m, uint32_t warp, uint32_t reg, rf_vec *room);

/* Instructions issued and not delivered or reused, and results accepted and not retired. */
void rf_wir_held(const rf_wir *m, uint32_t *instructions, uint32_t *results);

#endif
