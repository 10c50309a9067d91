/* SPDX-License-Identifier: Apache-2.0 */
/* A plan as straight-line machine code: no loop, no operation to decode, every address and mask an immediate. On machines other
 * than x86-64 with AVX2 and BMI2, and where the system allows no new code, there is none and ls_differs interprets the plan. */
#ifndef LS_PLAN_CODE_H
#define LS_PLAN_CODE_H

#include "harness/core/plan.h"

/* Sets plan->code, or leaves it NULL. `vector` is the longest vector to use, in bytes (32 or 64), where the machine has it. The
 * plan must not change afterwards. */
void ls_plan_compile(ls_plan *plan, uint32_t vector);
void ls_plan_code_free(ls_plan *plan);

#endif
