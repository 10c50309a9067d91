/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine knows of a unit: this table and nothing else. tb/<group>/rf_<unit>.c fills it by including unit_define.h. */
#ifndef LS_UNIT_H
#define LS_UNIT_H

#include "harness/base/rng.h"
#include "harness/core/field.h"

struct rf_source; /* cmodel/workload/rf_source.h: how a workload's bytes are read */

typedef struct ls_param {
    const char *name;   /* the RTL's parameter */
    const char *member; /* the uint32_t of rf_x_cfg, and ... */
    size_t offset;      /* ... where it is there */
    uint32_t def, min, max;
    const char *text;
} ls_param;

/* A line of a field list that may stand there once: what it is of, in words, and where it stands. */
typedef struct ls_line {
    const char *of;
    unsigned number;
} ls_line;

/* What the RTL calls the top module, the clock and the reset, as far as the field list says: ls_unit_top and its like. */
typedef struct ls_names {
    const char *top, *clock, *reset; /* NULL: as in the rest of the tree */
    bool falling;                    /* the clock's edge at which registers change */
    bool reset_high;                 /* the level with which it resets */
    bool clocked, resets;            /* it has registers or memories; and registers */
} ls_names;

/* A planted fault: in `file` (of the unit's group or of common; NULL: the unit's own) the text `from`, which stands there exactly
 * once, becomes `to`. The run must end as a mismatch whose first differing field is `field` (without index). */
typedef struct ls_fault {
    const char *what; /* in words: "round-robin pointer does not advance" */
    const char *file; /* "rtl/common/rf_rr.sv" or NULL */
    const char *from, *to;
    const char *field;  /* name as in the field list: a register, or a port without _i/_o */
    const char *params; /* "BANKS=4 LANES=1" or NULL for the defaults */
} ls_fault;

/* A row of a memory that the model writes: the n-th MEMORY field of the list (as flattened), row number. */
typedef struct ls_touch {
    uint32_t memory, row;
} ls_touch;

/* What is said of the surroundings of a system: a key, its value as it was written, and where, for messages ("FILE:LINE" or an
 * option). Each key at most once. */
typedef struct ls_setting {
    char *name, *value, *place;
} ls_setting;

typedef struct ls_settings {
    ls_setting *list;
    size_t count;
} ls_settings;

/* Receives a system's counters for the run's record. A share or mean of nothing is no number (NAN): "-" in text, null in a
 * record. */
typedef void ls_counter_fn(void *ctx, const char *name, double value);

/* Bins that a run at a configuration cannot hit, each with the reason in words. */
typedef struct ls_unreachable {
    uint64_t bins;
    const char *reason[64];
} ls_unreachable;

/* Bin number `bin` cannot be hit when `when` holds. The first reason counts. */
static inline void ls_unreachable_if(ls_unreachable *u, bool when, uint32_t bin, const char *reason) {
    if (!when || (u->bins >> bin & 1) != 0) return;
    u->bins |= UINT64_C(1) << bin;
    u->reason[bin] = reason;
}

/* Where the files of a unit of a project are (harness/project/project.h); from the root on where nothing else is said. */
typedef struct ls_place {
    const char *root;                /* the project's folder, absolute */
    const char *rtl, *model, *bench; /* of the unit: "rtl/fifo.sv", "model/fifo.c", "tb/fifo.c" */
    const char *const *modules;      /* folders with SystemVerilog, absolute, that modules are looked for in; ends with NULL */
    const char *const *flags;        /* what its C sources are compiled with; ends with NULL */
} ls_place;

typedef struct ls_unit {
    const char *name, *group, *brief;
    const ls_place *place; /* NULL: in our own tree, by its group */
    size_t cfg_size, model_size, in_size, out_size, stim_size;
    size_t model_align, out_align; /* as their types demand */
    size_t stim_rng; /* offset of its ls_rng in the stimulus; SIZE_MAX: a system, whose stimulus has more than itself */
    ls_names names;
    struct ls_map *map;   /* further names of a user's RTL (map.h); NULL: none */
    const char *list;     /* the field list's file */
    const ls_line *lines; /* its lines; ends with of == NULL */
    const ls_param *params;
    size_t param_count;
    const char *const *sets;      /* parameter sets that `make lockstep` runs, "" = defaults; ends with NULL */
    const char *const *bin_names; /* at most 64; ends with NULL */
    const ls_fault *faults;       /* ends with what == NULL */
    bool skeleton;                /* its model is not written yet: a mismatch says what to write next */
    const char *const *rtl;       /* further RTL files it needs, "rtl/common/rf_fifo.sv"; ends with NULL */

    const char *(*check)(const void *cfg); /* NULL, or what is wrong with the configuration */
    int (*init)(void *model, const void *cfg);
    void (*reset)(void *model);
    void (*comb)(const void *model, const void *in, void *out);
    void (*clock)(void *model, const void *in);
    void (*step)(void *model, const void *in, void *out); /* NULL, or comb then clock in one call: the same result, faster */
    void (*fields)(ls_fields *fields, const void *model);
    const char *(*invariant)(const void *model); /* NULL, or what its list claims of the state and does not hold, in words */

    /* Stimulus: a stream of inputs that follows from the seed and the model alone. stim_init draws the run's mix of knobs. */
    void (*stim_init)(void *stim, const void *model, uint64_t seed);
    void (*stim)(void *stim, const void *model, void *in);        /* inputs of the coming cycle; `in` is all zero at first */
    void (*observe)(void *stim, const void *in, const void *out); /* NULL, or: once a cycle, after comb (or step) */
    /* NULL both, or: time warps, for units in which nothing happens for thousands of cycles. `leap` draws one before the coming
     * cycle: a number that says where to, 0 for none. `warp` moves the model's registers there (no memory): to values that they
     * could have come to without one, whatever the others hold; false when the number is none of the configuration. */
    uint64_t (*leap)(void *stim, const void *model);
    bool (*warp)(void *model, uint64_t to);
    uint64_t (*bins)(const void *model, const void *in, const void *out); /* one bit for every bin this cycle hits */
    /* NULL, or: the bins that no cycle at this configuration can hit, whatever the inputs. A theorem: hitting one fails the run.
     */
    void (*unreachable)(const void *cfg, ls_unreachable *to);

    /* NULL, or: the rows of memories that the model writes at the edge of this cycle, into `list` (room for 64); returns how
     * many. Needed by units with a memory over 4 KB. */
    uint32_t (*touched)(const void *model, const void *in, const void *out, ls_touch *list);

    /* Systems only, else NULL; but workload_error, property and legal also of a unit that checks properties (LS_PROPERTY). */
    int (*workload)(void *stim, const void *model, const struct rf_source *source, const char *path, char *error, size_t size);
    bool (*done)(const void *stim);                  /* the workload has drained */
    const char *(*workload_error)(const void *stim); /* NULL, or why the workload cannot be read further */
    uint64_t (*workload_unknown)(const void *stim,
                                 const char **first); /* instructions so far of unknown opcodes; the first's text */
    const char *(*property)(const void *stim);        /* NULL, or the always-checked property that does not hold, in words */
    uint64_t (*legal)(const void *stim); /* cycles of this epoch with legal inputs, UINT64_MAX for all: properties are of those */
    /* The surroundings of a new stimulus, before its first cycle. NULL for `stim`: it only checks the settings. 0, or -1 and a
     * message. */
    int (*surround)(void *stim, const ls_settings *settings, char *error, size_t size);
    /* Copies of the system that share the surroundings of this stimulus, of a workload, itself included: sub-cores. */
    uint32_t (*copies)(const void *stim);
    /* A new stimulus becomes that of copy `number`, from 1 on, beside `first`, which outlives it. In each cycle the copies are
     * called in the order of their numbers. */
    void (*join)(void *stim, void *first, uint32_t number);
    void (*counters)(const void *stim, const void *model, ls_counter_fn *sink, void *ctx);
    void (*stim_free)(void *stim);
} ls_unit;

static inline const char *ls_unit_top(const ls_unit *unit) { return unit->names.top != NULL ? unit->names.top : unit->name; }
/* NULL: it has none. */
static inline const char *ls_unit_clock(const ls_unit *unit) {
    return unit->names.clock != NULL ? unit->names.clock : unit->names.clocked ? "clk_i" : NULL;
}
static inline const char *ls_unit_reset(const ls_unit *unit) {
    return unit->names.reset != NULL ? unit->names.reset : unit->names.resets ? "rst_ni" : NULL;
}

/* Gives the fields the names that the map says, and what ls_map_resolve found (map.h). */
void ls_map_apply(const struct ls_map *map, ls_fields *fields);

/* The unit's fields as its RTL names them: all of the engine that speaks of RTL takes them from here. */
static inline void ls_unit_fields(const ls_unit *unit, ls_fields *fields, const void *model) {
    unit->fields(fields, model);
    fields->clock = ls_unit_clock(unit);
    fields->reset = ls_unit_reset(unit);
    fields->touched = unit->touched != NULL;
    if (unit->map != NULL) ls_map_apply(unit->map, fields);
}

/* The unit's bins that a run at the configuration can hit; `u` (may be NULL) receives the others with their reasons. */
static inline uint64_t ls_unit_bins(const ls_unit *unit, const void *cfg, ls_unreachable *u) {
    ls_unreachable here, *to = u != NULL ? u : &here;
    uint64_t all = 0;
    *to = (ls_unreachable){0};
    for (uint32_t i = 0; unit->bin_names[i] != NULL; i++) all |= UINT64_C(1) << i;
    if (unit->unreachable != NULL) unit->unreachable(cfg, to);
    return all & ~to->bins;
}

/* LS_LIST_LIKE(name, unit) { … }: a list for UNIT lines of a system, `name`: that of `unit`, then what the body does with
 * `fields`; `model` is the unit's. */
#define LS_LIST_LIKE(name, unit)                                                                                                 \
    void unit##_fields(ls_fields *fields, const void *model);                                                                    \
    const char *unit##_invariant(const void *model);                                                                             \
    void name##_fields(ls_fields *fields, const void *model);                                                                    \
    const char *name##_invariant(const void *model);                                                                             \
    static void name##_but(ls_fields *fields, const void *model);                                                                \
    const char *name##_invariant(const void *model) { return unit##_invariant(model); }                                          \
    void name##_fields(ls_fields *fields, const void *model) {                                                                   \
        unit##_fields(fields, model);                                                                                            \
        name##_but(fields, model);                                                                                               \
    }                                                                                                                            \
    static void name##_but(ls_fields *fields, __attribute__((unused)) const void *model)

/* All units: those of the project, then ours. Ends with NULL. */
extern const ls_unit *const *ls_units;
/* What a command without a unit is about: the project's units, or without a project ours. Ends with NULL. */
extern const ls_unit *const *ls_own_units;
/* Those that are linked into this program, generated from the file names tb/<group>/rf_<unit>.fields; ends with NULL. Not there
 * in programs that others linked. */
extern const ls_unit *const ls_linked_units[] __attribute__((weak));

#endif
