/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a tb file into an ls_unit. Include it last in tb/<group>/rf_<unit>.c, after
 *
 *   #define LS_UNIT rf_x                              the unit's name
 *   #define LS_GROUP "banked"                         of our own tree alone: a project's units are of the project
 *   #define LS_BRIEF "one line"
 *   #define LS_FIELDS "tb/banked/rf_x.fields"
 *   typedef struct rf_x_stim { ls_rng rng; ... } rf_x_stim;   no pointers: it is copied (a system's is not, and may have them)
 *   static void stim_init(rf_x_stim *, const rf_x *, uint64_t seed);
 *   static void stim(rf_x_stim *, const rf_x *, rf_x_in *);
 *   static uint64_t bins(const rf_x *, const rf_x_in *, const rf_x_out *);
 *   static const char *const bin_names[], *const sets[];  (each ends with NULL)
 *   static const ls_fault faults[];                       (ends with {0})
 *   static const char *const rtl[];                       (further RTL files; ends with NULL)
 *
 * and, when it has them:
 *
 *   #define LS_OBSERVE     static void observe(rf_x_stim *, const rf_x_in *, const rf_x_out *);
 *   #define LS_UNREACHABLE static void unreachable(const rf_x_cfg *, ls_unreachable *);
 *   #define LS_STEP        the model has rf_x_step
 *   #define LS_TOUCHED     static uint32_t touched(const rf_x *, const rf_x_in *, const rf_x_out *, ls_touch *);
 *   #define LS_WARP        static uint64_t leap(rf_x_stim *, const rf_x *); static bool warp(rf_x *, uint64_t to);
 *   #define LS_PROPERTY    static property and legal as in unit.h, but typed: of a unit that is no system
 *   #define LS_SYSTEM      static workload, done, workload_error, workload_unknown, property, legal, surround, counters,
 *                          stim_free as in unit.h, but typed
 *   #define LS_SKELETON    the model is not written yet: a mismatch says what to write next
 *   #define LS_COPIES      static copies, join as in unit.h, but typed */

#include <stdio.h>

#define LS_CAT_(a, b) a##b
#define LS_CAT(a, b) LS_CAT_(a, b)
#define LS_STR_(a) #a
#define LS_STR(a) LS_STR_(a)
#ifndef LS_GROUP
#ifdef LS_PROJECT
#define LS_GROUP LS_PROJECT
#else
#define LS_GROUP ""
#endif
#endif
#define LS_T LS_UNIT
#define LS_T_CFG LS_CAT(LS_UNIT, _cfg)
#define LS_T_IN LS_CAT(LS_UNIT, _in)
#define LS_T_OUT LS_CAT(LS_UNIT, _out)
#define LS_T_STIM LS_CAT(LS_UNIT, _stim)

/* What each line of the list is of (ls_unit_check). A field has a mark for each condition. */
#define LS_LINE_(of) {of, __LINE__},
#define PARAM(NAME, ...) LS_LINE_("parameter " #NAME)
#define FIELD(KIND, name, ...) LS_LINE_(#KIND " " #name)
#define RECORD(KIND, name, ...) LS_LINE_(#KIND " " #name)
#define MEMBER(...)
#define MEMORY(name, ...) LS_LINE_("STATE " #name)
#define CONSTANT(KIND, name, when, reason) LS_LINE_("CONSTANT or RARE of " #KIND " " #name " when " #when)
#define RARE(KIND, name, when, reason) LS_LINE_("CONSTANT or RARE of " #KIND " " #name " when " #when)
#define UNIT(member, scope, unit) LS_LINE_("instance " #scope)
#define UNIT_IF(when, member, scope, unit) LS_LINE_("instance " #scope " when " #when)
#define UNITS(member, count, scope_format, unit) LS_LINE_(#count " instances " #scope_format)
#define TOP(name) LS_LINE_("TOP")
#define CLOCK(name) LS_LINE_("CLOCK")
#define RESET(name, level) LS_LINE_("RESET")
#define SUFFIXES(in, out) LS_LINE_("SUFFIXES")
#define INVARIANT(holds, text) LS_LINE_("INVARIANT " #holds)
#define INVARIANT_EACH(i, count, holds, text) LS_LINE_("INVARIANT_EACH " #holds)
static const ls_line ls_lines_[] = {
#include LS_FIELDS
    {0}};
#include "harness/core/field_undef.h"

/* Parameters: the PARAM lines of the list. */
#define FIELD(...)
#define RECORD(...)
#define MEMBER(...)
#define MEMORY(...)
#define CONSTANT(...)
#define RARE(...)
#define UNIT(...)
#define UNIT_IF(...)
#define UNITS(...)
#define TOP(...)
#define CLOCK(...)
#define RESET(...)
#define SUFFIXES(...)
#define INVARIANT(...)
#define INVARIANT_EACH(...)
#define PARAM(NAME, member, def, min, max, text) {#NAME, #member, offsetof(LS_T_CFG, member), def, min, max, text},
static const ls_param ls_params_[] = {
#include LS_FIELDS
    {0}};
#include "harness/core/field_undef.h"

/* Fields: all other lines. */
typedef LS_T_IN ls_struct_IN;
typedef LS_T_OUT ls_struct_OUT;
typedef LS_T ls_struct_STATE;
#define LS_FIRST_(first, ...) first
#define LS_SECOND_(first, second, ...) second
#define LS_ADD_(KIND, knd, name_, bits_, count_, text_, rtl_, we_, row_)                                                         \
    ls_fields_add(fields, &(ls_field){.name = (char *)(uintptr_t) #name_,                                                        \
                                      .text = text_,                                                                             \
                                      .kind = knd,                                                                               \
                                      .bits = (uint32_t)(bits_),                                                                 \
                                      .count = (uint32_t)(count_),                                                               \
                                      .offset = offsetof(ls_struct_##KIND, name_),                                               \
                                      .size = (uint32_t)LS_ELEMENT_SIZE(((ls_struct_##KIND *)0)->name_),                         \
                                      .room = sizeof(((ls_struct_##KIND *)0)->name_),                                            \
                                      .unit = LS_STR(LS_UNIT),                                                                   \
                                      .rtl = (char *)(uintptr_t)(rtl_),                                                          \
                                      .write_enable = we_,                                                                       \
                                      .write_row = row_});
#define PARAM(...)
#define TOP(...)
#define CLOCK(...)
#define RESET(...)
#define SUFFIXES(in, out) ls_fields_suffixes(fields, in, out);
#define INVARIANT(...)
#define INVARIANT_EACH(...)
#define FIELD(KIND, name, bits, count, ...)                                                                                      \
    LS_ADD_(KIND, LS_##KIND, name, bits, count, LS_FIRST_(__VA_ARGS__, NULL), LS_SECOND_(__VA_ARGS__, NULL, NULL), NULL, NULL)
#define RECORD(KIND, name_, type, count_, ...)                                                                                   \
    ls_fields_add(fields, &(ls_field){.name = (char *)(uintptr_t) #name_,                                                        \
                                      .text = LS_FIRST_(__VA_ARGS__, NULL),                                                      \
                                      .rtl = (char *)(uintptr_t)LS_SECOND_(__VA_ARGS__, NULL, NULL),                             \
                                      .kind = LS_##KIND,                                                                         \
                                      .count = (uint32_t)(count_),                                                               \
                                      .offset = offsetof(ls_struct_##KIND, name_),                                               \
                                      .size = sizeof(type),                                                                      \
                                      .room = sizeof(((ls_struct_##KIND *)0)->name_),                                            \
                                      .unit = LS_STR(LS_UNIT)});                                                                 \
    ls_record_kind = LS_##KIND;
#define MEMBER(type, member, bits_, count_, text_)                                                                               \
    ls_fields_member(fields, ls_record_kind,                                                                                     \
                     &(ls_member){.name = (char *)(uintptr_t) #member,                                                           \
                                  .text = text_,                                                                                 \
                                  .bits = (uint32_t)(bits_),                                                                     \
                                  .count = (uint32_t)(count_),                                                                   \
                                  .offset = offsetof(type, member),                                                              \
                                  .size = (uint32_t)LS_ELEMENT_SIZE(((type *)0)->member),                                        \
                                  .room = sizeof(((type *)0)->member)});
#define MEMORY(name, bits, rows, we, row, ...)                                                                                   \
    LS_ADD_(STATE, LS_MEMORY, name, bits, rows, LS_FIRST_(__VA_ARGS__, NULL), LS_SECOND_(__VA_ARGS__, NULL, NULL), #we, #row)
#define CONSTANT(KIND, name, when, reason) ls_fields_constant(fields, LS_##KIND, #name, when, reason);
#define RARE(KIND, name, when, reason) ls_fields_rare(fields, LS_##KIND, #name, when, reason);
#define UNIT(member, scope, unit)                                                                                                \
    {                                                                                                                            \
        void LS_CAT(unit, _fields)(ls_fields *, const void *);                                                                   \
        ls_fields_unit(fields, LS_CAT(unit, _fields), &m->member, offsetof(LS_T, member), scope, #member);                       \
    }
#define UNIT_IF(when, member, scope, unit)                                                                                       \
    if (when) UNIT(member, scope, unit)
#define UNITS(member, count, scope_format, unit)                                                                                 \
    for (uint32_t ls_i = 0; ls_i < (uint32_t)(count); ls_i++) {                                                                  \
        void LS_CAT(unit, _fields)(ls_fields *, const void *);                                                                   \
        char ls_scope[96], ls_path[sizeof #member + 12];                                                                         \
        (void)snprintf(ls_scope, sizeof ls_scope, scope_format, (unsigned)ls_i);                                                 \
        (void)snprintf(ls_path, sizeof ls_path, #member "[%u]", (unsigned)ls_i);                                                 \
        ls_fields_unit(fields, LS_CAT(unit, _fields), &m->member[ls_i], offsetof(LS_T, member) + ls_i * sizeof m->member[0],     \
                       ls_scope, ls_path);                                                                                       \
    }                                                                                                                            \
    ls_fields_spare(fields, offsetof(LS_T, member), (uint32_t)(count) * sizeof m->member[0], sizeof m->member);

void LS_CAT(LS_UNIT, _fields)(ls_fields *fields, const void *model);
void LS_CAT(LS_UNIT, _fields)(ls_fields *fields, const void *model) {
    const LS_T *m = (const LS_T *)model;
    const LS_T_CFG *cfg = &m->cfg;
    ls_kind ls_record_kind = LS_IN;
    (void)cfg;
    (void)ls_record_kind;
#include LS_FIELDS
}
#include "harness/core/field_undef.h"

/* Invariants: what holds of the state after reset and in each state behind one in which it holds. */
#define PARAM(...)
#define FIELD(...)
#define RECORD(...)
#define MEMBER(...)
#define MEMORY(...)
#define CONSTANT(...)
#define RARE(...)
#define TOP(...)
#define CLOCK(...)
#define RESET(...)
#define SUFFIXES(...)
#define INVARIANT(holds, text)                                                                                                   \
    if (!(holds)) return text;
#define INVARIANT_EACH(i, count, holds, text)                                                                                    \
    for (uint32_t i = 0; i < (uint32_t)(count); i++)                                                                             \
        if (!(holds)) return text;
#define UNIT(member, scope, unit)                                                                                                \
    {                                                                                                                            \
        const char *LS_CAT(unit, _invariant)(const void *);                                                                      \
        const char *const ls_claim = LS_CAT(unit, _invariant)(&m->member);                                                       \
        if (ls_claim != NULL) return ls_claim;                                                                                   \
    }
#define UNIT_IF(when, member, scope, unit)                                                                                       \
    if (when) UNIT(member, scope, unit)
#define UNITS(member, count, scope_format, unit)                                                                                 \
    for (uint32_t ls_i = 0; ls_i < (uint32_t)(count); ls_i++) UNIT(member[ls_i], scope_format, unit)

const char *LS_CAT(LS_UNIT, _invariant)(const void *model);
const char *LS_CAT(LS_UNIT, _invariant)(const void *model) {
    const LS_T *m = (const LS_T *)model;
    const LS_T_CFG *cfg = &m->cfg;
    (void)cfg;
#include LS_FIELDS
    return NULL;
}
#include "harness/core/field_undef.h"

static const char *ls_check_(const void *cfg) { return LS_CAT(LS_UNIT, _check)((const LS_T_CFG *)cfg); }
static int ls_init_(void *m, const void *cfg) { return LS_CAT(LS_UNIT, _init)((LS_T *)m, (const LS_T_CFG *)cfg); }
static void ls_reset_(void *m) { LS_CAT(LS_UNIT, _reset)((LS_T *)m); }
static void ls_comb_(const void *m, const void *in, void *out) {
    LS_CAT(LS_UNIT, _comb)((const LS_T *)m, (const LS_T_IN *)in, (LS_T_OUT *)out);
}
static void ls_clock_(void *m, const void *in) { LS_CAT(LS_UNIT, _clock)((LS_T *)m, (const LS_T_IN *)in); }
static void ls_stim_init_(void *s, const void *m, uint64_t seed) { stim_init((LS_T_STIM *)s, (const LS_T *)m, seed); }
static void ls_stim_(void *s, const void *m, void *in) { stim((LS_T_STIM *)s, (const LS_T *)m, (LS_T_IN *)in); }
static uint64_t ls_bins_(const void *m, const void *in, const void *out) {
    return bins((const LS_T *)m, (const LS_T_IN *)in, (const LS_T_OUT *)out);
}
#ifdef LS_UNREACHABLE
static void ls_unreachable_(const void *cfg, ls_unreachable *to) { unreachable((const LS_T_CFG *)cfg, to); }
#endif
#ifdef LS_OBSERVE
static void ls_observe_(void *s, const void *in, const void *out) {
    observe((LS_T_STIM *)s, (const LS_T_IN *)in, (const LS_T_OUT *)out);
}
#endif
#ifdef LS_WARP
static uint64_t ls_leap_(void *s, const void *m) { return leap((LS_T_STIM *)s, (const LS_T *)m); }
static bool ls_warp_(void *m, uint64_t to) { return warp((LS_T *)m, to); }
#endif
#ifdef LS_STEP
static void ls_step_(void *m, const void *in, void *out) {
    LS_CAT(LS_UNIT, _step)((LS_T *)m, (const LS_T_IN *)in, (LS_T_OUT *)out);
}
#endif
#ifdef LS_TOUCHED
static uint32_t ls_touched_(const void *m, const void *in, const void *out, ls_touch *list) {
    return touched((const LS_T *)m, (const LS_T_IN *)in, (const LS_T_OUT *)out, list);
}
#endif
#if defined(LS_SYSTEM) || defined(LS_PROPERTY)
static const char *ls_property_(const void *s) { return property((const LS_T_STIM *)s); }
static uint64_t ls_legal_(const void *s) { return legal((const LS_T_STIM *)s); }
#endif
#ifdef LS_PROPERTY
static const char *ls_workload_error_(const void *s) {
    (void)s;
    return NULL;
}
#endif
#ifdef LS_SYSTEM
static int ls_workload_(void *s, const void *m, const struct rf_source *source, const char *path, char *error, size_t size) {
    return workload((LS_T_STIM *)s, (const LS_T *)m, source, path, error, size);
}
static bool ls_done_(const void *s) { return done((const LS_T_STIM *)s); }
static const char *ls_workload_error_(const void *s) { return workload_error((const LS_T_STIM *)s); }
static uint64_t ls_workload_unknown_(const void *s, const char **first) { return workload_unknown((const LS_T_STIM *)s, first); }
static int ls_surround_(void *s, const ls_settings *settings, char *error, size_t size) {
    return surround((LS_T_STIM *)s, settings, error, size);
}
static void ls_counters_(const void *s, const void *m, ls_counter_fn *sink, void *ctx) {
    counters((const LS_T_STIM *)s, (const LS_T *)m, sink, ctx);
}
static void ls_stim_free_(void *s) { stim_free((LS_T_STIM *)s); }
#endif
#ifdef LS_COPIES
static uint32_t ls_copies_(const void *s) { return copies((const LS_T_STIM *)s); }
static void ls_join_(void *s, void *first, uint32_t number) { join((LS_T_STIM *)s, (LS_T_STIM *)first, number); }
#endif

_Static_assert(sizeof bin_names / sizeof bin_names[0] <= 64 + 1, "the bins are the bits of a uint64_t");

/* Names: what has registers, and the lines that say so. */
#define PARAM(...)
#define MEMBER(...)
#define CONSTANT(...)
#define RARE(...)
#define TOP(...)
#define CLOCK(...)
#define RESET(...)
#define SUFFIXES(...)
#define INVARIANT(...)
#define INVARIANT_EACH(...)
#define LS_KEEPS_IN 0
#define LS_KEEPS_OUT 0
#define LS_KEEPS_STATE 0x10000
#define FIELD(KIND, ...) +LS_KEEPS_##KIND
#define RECORD(KIND, ...) +LS_KEEPS_##KIND
#define MEMORY(...) +1
#define UNIT(...) +LS_KEEPS_STATE
#define UNIT_IF(...) +LS_KEEPS_STATE
#define UNITS(...) +LS_KEEPS_STATE
enum {
    ls_keeps_ = 0
#include LS_FIELDS
};
#undef FIELD
#undef RECORD
#undef MEMORY
#undef UNIT
#undef UNIT_IF
#undef UNITS
#undef TOP
#undef CLOCK
#undef RESET
#undef SUFFIXES
#define FIELD(...)
#define RECORD(...)
#define MEMORY(...)
#define UNIT(...)
#define UNIT_IF(...)
#define UNITS(...)
#define TOP(name) .top = #name,
#define CLOCK(name) .clock = #name,
#define LS_LEVEL_LOW false
#define LS_LEVEL_HIGH true
#define RESET(name, level) .reset = #name, .reset_high = LS_LEVEL_##level,
#define SUFFIXES(...)
extern const ls_unit LS_CAT(LS_UNIT, _unit);
const ls_unit LS_CAT(LS_UNIT, _unit) = {
    .name = LS_STR(LS_UNIT),
    .group = LS_GROUP,
    .brief = LS_BRIEF,
    .cfg_size = sizeof(LS_T_CFG),
    .model_size = sizeof(LS_T),
    .in_size = sizeof(LS_T_IN),
    .out_size = sizeof(LS_T_OUT),
    .model_align = _Alignof(LS_T),
    .out_align = _Alignof(LS_T_OUT),
    .stim_size = sizeof(LS_T_STIM),
#ifdef LS_SYSTEM
    .stim_rng = SIZE_MAX,
#else
    .stim_rng = offsetof(LS_T_STIM, rng),
#endif
    .names =
        {
            .clocked = ls_keeps_ > 0,
            .resets = ls_keeps_ >= LS_KEEPS_STATE,
#include LS_FIELDS
        },
    .list = LS_FIELDS,
    .lines = ls_lines_,
    .params = ls_params_,
    .param_count = sizeof ls_params_ / sizeof ls_params_[0] - 1,
    .sets = sets,
    .bin_names = bin_names,
    .faults = faults,
    .rtl = rtl,
#ifdef LS_SKELETON
    .skeleton = true,
#endif
    .check = ls_check_,
    .init = ls_init_,
    .reset = ls_reset_,
    .comb = ls_comb_,
    .clock = ls_clock_,
    .fields = LS_CAT(LS_UNIT, _fields),
    .invariant = LS_CAT(LS_UNIT, _invariant),
    .stim_init = ls_stim_init_,
    .stim = ls_stim_,
    .bins = ls_bins_,
#ifdef LS_UNREACHABLE
    .unreachable = ls_unreachable_,
#endif
#ifdef LS_TOUCHED
    .touched = ls_touched_,
#endif
#ifdef LS_WARP
    .leap = ls_leap_,
    .warp = ls_warp_,
#endif
#ifdef LS_STEP
    .step = ls_step_,
#endif
#ifdef LS_OBSERVE
    .observe = ls_observe_,
#endif
#if defined(LS_SYSTEM) || defined(LS_PROPERTY)
    .workload_error = ls_workload_error_,
    .property = ls_property_,
    .legal = ls_legal_,
#endif
#ifdef LS_SYSTEM
    .workload = ls_workload_,
    .done = ls_done_,
    .workload_unknown = ls_workload_unknown_,
    .surround = ls_surround_,
    .counters = ls_counters_,
    .stim_free = ls_stim_free_,
#endif
#ifdef LS_COPIES
    .copies = ls_copies_,
    .join = ls_join_,
#endif
};
#include "harness/core/field_undef.h"
