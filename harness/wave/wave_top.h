/* SPDX-License-Identifier: Apache-2.0 */
/* The SystemVerilog that puts a unit and its model beside each other in one wave file. Below the top module <unit>_waves:
 *
 *   rtl      the unit, whole
 *   model    every output, register and memory of the model, in the scopes and under the names they have in `rtl`; registers that
 *            are outputs, too, once more in the scope `registers`
 *   diff     the XOR of both, in the same scopes; one bit a row for memories over LS_SWEEP_BYTES
 *   theirs   the RTL's value of what it has in pieces, from where a map says, by the model's names
 *   verdict  same, outputs, registers or both: what differs
 *   cycle    clk  rst_n
 *
 * The model's values enter through mirror ports: input ls_m<n>_i for field n, an array of the model's elements as they lie in
 * memory; the RTL's of mapped fields through ls_p<n>_i. With every rising ls_look_i they are shown, and compared as far as
 * ls_judge_i says: [0] outputs, [1] registers. */
#ifndef LS_WAVE_TOP_H
#define LS_WAVE_TOP_H

#include "harness/base/text.h"
#include "harness/core/unit.h"
#include "harness/dut/elab.h"

#define LS_WAVE_MIRROR "ls_m%zu_i"
#define LS_WAVE_PIECES "ls_p%zu_i"
#define LS_WAVE_PORT "ls_u_" /* before the unit's ports: other names here are ours */
#define LS_WAVE_LOOK "ls_look_i"
#define LS_WAVE_JUDGE "ls_judge_i"
#define LS_WAVE_CYCLE "ls_cycle_i"

/* Bytes of one record in its mirror. */
uint32_t ls_wave_record_bytes(const ls_field *field);
/* Whether there is anything to compare the model's field with. */
bool ls_wave_has_diff(const ls_field *field, const ls_elab *elab);

/* Appends the top module for a unit whose RTL was elaborated as `elab`. With `ports_only` outputs alone are compared: the RTL (a
 * user's) may not have the model's registers, or have others of their names. */
void ls_wave_top(const ls_unit *unit, const void *cfg, const ls_fields *fields, const ls_elab *elab, bool ports_only,
                 ls_text *text);

#endif
