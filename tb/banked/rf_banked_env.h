/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds the operand stage: instruction buffers in front of it, execution units behind it, a golden machine beside it.
 *
 * Streams come from a workload or are random. Every warp's instructions are shown in order, cracked into uops (rf_crack.h). A uop
 * whose operands are delivered spends its class's latency in a pipeline of its port; its result is a function of the operands
 * that were delivered (rf_value.h), so that a wrong one spreads. Where the workload has values, the result is the recorded one,
 * changed in every lane in which an operand is not the golden one. Ports: ALU 0, SFU 1 mod EXPORTS, all others 2 mod EXPORTS;
 * random streams use any. A warp slot starts its next warp when everything of the one before is written back; the first warp of a
 * kernel waits for every warp before it.
 *
 * Golden machine: each warp executes alone, in program order, at issue, from the registers that the banks held at its launch.
 * Every delivered operand and, at the warp's end, every register in the banks must equal it. Also checked in every cycle: what
 * the model holds is what was issued and not delivered, what was accepted and not written. The first violation is kept as a text.
 *
 * Inputs follow from the seed and the model's state alone. */
#ifndef RF_BANKED_ENV_H
#define RF_BANKED_ENV_H

#include "cmodel/banked/rf_banked.h"
#include "cmodel/workload/rf_source.h"
#include "harness/unit.h"

/* Latencies in cycles from delivery to the result: 002 Table I for arithmetic, special functions and shared memory (8, 20, 20);
 * the papers give none for matrix operations and control. */
#define RF_ENV_LATENCY_ALU 8u
#define RF_ENV_LATENCY_SFU 20u
#define RF_ENV_LATENCY_MEM 20u
#define RF_ENV_LATENCY_TENSOR 16u
#define RF_ENV_LATENCY_CTRL 8u
#define RF_ENV_PIPE 64u /* uops that one port's pipelines hold before it stops accepting */

typedef struct rf_banked_env rf_banked_env;

/* An environment for a system of this configuration from its reset on, with random streams from `seed`. Ends the process when
 * memory runs out. */
rf_banked_env *rf_banked_env_new(const rf_banked_cfg *cfg, uint64_t seed);
void rf_banked_env_free(rf_banked_env *env);

/* Replaces the random streams by a workload; `source` must outlive the environment. 0, or -1 and a message. */
int rf_banked_env_workload(rf_banked_env *env, const rf_source *source, const char *path, char *error, size_t size);

/* Inputs of the coming cycle; `in` is all 0 at first, the model as after reset, and keeps what was written. */
void rf_banked_env_inputs(rf_banked_env *env, const rf_banked *m, rf_banked_in *in);

/* What the system did with them: once a cycle, before the next rf_banked_env_inputs. */
void rf_banked_env_observe(rf_banked_env *env, const rf_banked_in *in, const rf_banked_out *out);

/* The workload has been issued and has drained (never with random streams). */
bool rf_banked_env_done(const rf_banked_env *env);

/* NULL, or why the workload cannot be read further: file, line, field. */
const char *rf_banked_env_workload_error(const rf_banked_env *env);

/* NULL, or the first violation: property, warp, register, tag, cycle. */
const char *rf_banked_env_property(const rf_banked_env *env);

/* Totals and shares since the start. */
void rf_banked_env_counters(const rf_banked_env *env, ls_counter_fn *sink, void *ctx);

#endif
