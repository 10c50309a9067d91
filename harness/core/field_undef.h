/* SPDX-License-Identifier: Apache-2.0 */
/* The macros of a field list (field.h) are gone: for unit_define.h, which reads the list several times. No guard: so is this. */
#undef PARAM
#undef FIELD
#undef RECORD
#undef MEMBER
#undef MEMORY
#undef CONSTANT
#undef RARE
#undef UNIT
#undef UNIT_IF
#undef UNITS
#undef TOP
#undef CLOCK
#undef RESET
#undef SUFFIXES
#undef INVARIANT
#undef INVARIANT_EACH
