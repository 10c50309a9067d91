/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_line_state. */
#include "cmodel/cerf/rf_line_state.h"

#include "harness/core/unit.h"

typedef struct rf_line_state_stim {
    ls_rng rng;
    uint32_t keep; /* probability that an entry's inputs stay, in 256ths */
    uint32_t like; /* probability that it has the next lower entry's state or event, in 256ths */
} rf_line_state_stim;

static void stim_init(rf_line_state_stim *s, const rf_line_state *m, uint64_t seed) {
    (void)m;
    ls_rng_seed(&s->rng, seed);
    s->keep = ls_rng_below(&s->rng, 160);
    s->like = ls_rng_chance(&s->rng, 128) ? 0 : ls_rng_below(&s->rng, 240);
}

static uint32_t state_of(uint32_t states, uint32_t e) { return states >> 2 * e & 3; }
static uint32_t event_of(uint32_t events, uint32_t e) { return events >> 3 * e & 7; }

static void stim(rf_line_state_stim *s, const rf_line_state *m, rf_line_state_in *in) {
    uint32_t states = 0, events = 0;
    for (uint32_t e = 0; e < m->cfg.entries; e++) {
        uint32_t state = state_of(in->state, e), event = event_of(in->event, e);
        if (!ls_rng_chance(&s->rng, s->keep)) state = ls_rng_below(&s->rng, 4);
        if (!ls_rng_chance(&s->rng, s->keep)) event = ls_rng_below(&s->rng, 8);
        if (e > 0 && ls_rng_chance(&s->rng, s->like)) state = state_of(states, e - 1);
        if (e > 0 && ls_rng_chance(&s->rng, s->like)) event = event_of(events, e - 1);
        states |= state << 2 * e;
        events |= event << 3 * e;
    }
    in->state = (uint16_t)states;
    in->event = events;
}

#define STATES(event) event " of an inactive entry", event " of a register", event " of cache data", event " of dirty data"

static const char *const bin_names[] = {STATES("nothing"),
                                        STATES("a register is written"),
                                        STATES("a dead bit"),
                                        STATES("a register comes back"),
                                        STATES("a line comes"),
                                        STATES("a store"),
                                        STATES("a removal"),
                                        STATES("event 7"),
                                        "all entries would be lost",
                                        "no entry would be lost",
                                        "an entry would be lost, another not",
                                        "two entries in one state, different events",
                                        "two entries in different states, one event",
                                        "every entry changes",
                                        "the highest entry alone changes",
                                        NULL};

static uint64_t bins(const rf_line_state *m, const rf_line_state_in *in, const rf_line_state_out *out) {
    const uint32_t n = m->cfg.entries, changed = in->state ^ out->next;
    uint64_t hits = 0;
    uint32_t changes = 0;
    bool events = false, states = false;
    for (uint32_t e = 0; e < n; e++) {
        const uint32_t state = state_of(in->state, e), event = event_of(in->event, e);
        hits |= UINT64_C(1) << (4 * event + state);
        changes += state_of(changed, e) != 0;
        for (uint32_t f = 0; f < e; f++) {
            const bool one_state = state_of(in->state, f) == state, one_event = event_of(in->event, f) == event;
            events = events || (one_state && !one_event);
            states = states || (one_event && !one_state);
        }
    }
    const uint32_t lost = (uint32_t)__builtin_popcount(out->spill);
    return hits | (uint64_t)(lost == n) << 32 | (uint64_t)(lost == 0) << 33 | (uint64_t)(lost != 0 && lost != n) << 34 |
           (uint64_t)events << 35 | (uint64_t)states << 36 | (uint64_t)(changes == n) << 37 |
           (uint64_t)(changes == 1 && state_of(changed, n - 1) != 0) << 38;
}

static void unreachable(const rf_line_state_cfg *cfg, ls_unreachable *to) {
    for (uint32_t bin = 34; bin <= 36; bin++) ls_unreachable_if(to, cfg->entries == 1, bin, "one entry");
}

#define DIE "(state == rf_cerf_pkg::LINE_REG) ? rf_cerf_pkg::LINE_INACTIVE : state"
#define STORE "(state == rf_cerf_pkg::LINE_CACHE) ? rf_cerf_pkg::LINE_DIRTY : state"

static const ls_fault faults[] = {
    {"a dead bit frees cache data too", NULL, DIE, "rf_cerf_pkg::LINE_INACTIVE", "next", NULL},
    {"a dead bit frees clean cache data too", NULL, DIE,
     "(state == rf_cerf_pkg::LINE_DIRTY) ? state : rf_cerf_pkg::LINE_INACTIVE", "next", NULL},
    {"a dead register stays", NULL, DIE, "state", "next", NULL},
    {"a dead bit makes a register cache data", NULL, "? rf_cerf_pkg::LINE_INACTIVE", "? rf_cerf_pkg::LINE_CACHE", "next", NULL},
    {"a store that misses allocates", NULL, STORE, "(state == rf_cerf_pkg::LINE_REG) ? state : rf_cerf_pkg::LINE_DIRTY", "next",
     NULL},
    {"a store makes a register dirty data", NULL, STORE,
     "(state == rf_cerf_pkg::LINE_INACTIVE) ? state : rf_cerf_pkg::LINE_DIRTY", "next", NULL},
    {"what is stored stays clean", NULL, STORE, "state", "next", NULL},
    {"a line comes dirty", NULL, "next = rf_cerf_pkg::LINE_CACHE;", "next = rf_cerf_pkg::LINE_DIRTY;", "next", NULL},
    {"dirty data stays dirty when a line comes", NULL, "next = rf_cerf_pkg::LINE_CACHE;",
     "next = (state == rf_cerf_pkg::LINE_DIRTY) ? state : rf_cerf_pkg::LINE_CACHE;", "next", NULL},
    {"a register that comes back is cache data", NULL, "LINE_FILL_REG:   next = rf_cerf_pkg::LINE_REG",
     "LINE_FILL_REG:   next = rf_cerf_pkg::LINE_CACHE", "next", NULL},
    {"a register does not replace dirty data", NULL, "LINE_WRITE_REG:  next = rf_cerf_pkg::LINE_REG",
     "LINE_WRITE_REG:  next = (state == rf_cerf_pkg::LINE_DIRTY) ? state : rf_cerf_pkg::LINE_REG", "next", NULL},
    {"a removal leaves registers", NULL, "LINE_DROP:       next = rf_cerf_pkg::LINE_INACTIVE",
     "LINE_DROP:       next = (state == rf_cerf_pkg::LINE_REG) ? state : rf_cerf_pkg::LINE_INACTIVE", "next", NULL},
    {"a removal leaves dirty data", NULL, "LINE_DROP:       next = rf_cerf_pkg::LINE_INACTIVE",
     "LINE_DROP:       next = (state == rf_cerf_pkg::LINE_DIRTY) ? state : rf_cerf_pkg::LINE_INACTIVE", "next", NULL},
    {"event 7 removes", NULL, "default:                      next = state",
     "default:                      next = happens[2] ? rf_cerf_pkg::LINE_INACTIVE : state", "next", NULL},
    {"registers are not written back", NULL, "state == rf_cerf_pkg::LINE_REG || state ==", "state ==", "spill", NULL},
    {"dirty data is not written back", NULL, " || state == rf_cerf_pkg::LINE_DIRTY;", ";", "spill", NULL},
    {"clean data is written back", NULL, "state == rf_cerf_pkg::LINE_DIRTY;", "state[1];", "spill", NULL},
    {"an entry that dies is not written back", NULL, "assign spill_o[e]       = state", "assign spill_o[e]       = next", "spill",
     NULL},
    {"all entries have the event of entry 0", NULL, "event_i[e*3 +: 3]", "event_i[0 +: 3]", "next", NULL},
    {"the highest entry does not change", NULL, "next_o[e*2 +: 2] = next", "next_o[e*2 +: 2] = (e == 7) ? state : next", "next",
     "ENTRIES=8"},
    {0},
};

static const char *const sets[] = {"", "ENTRIES=1", "ENTRIES=2", "ENTRIES=3", "ENTRIES=8", NULL};
static const char *const rtl[] = {"rtl/cerf/rf_cerf_pkg.sv", NULL};

#define LS_UNIT rf_line_state
#define LS_GROUP "cerf"
#define LS_BRIEF "states of entries: vacant, register, clean or dirty cache data"
#define LS_FIELDS "tb/cerf/rf_line_state.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
