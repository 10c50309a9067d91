/* SPDX-License-Identifier: Apache-2.0 */
/* One run of one DUT against its model, in a child process, so that whatever the DUT does has a name. */
#ifndef LS_RUN_H
#define LS_RUN_H

#include "harness/core/case.h"
#include "harness/core/script.h"
#include "harness/core/unit.h"

typedef enum ls_status { LS_PASS, LS_MISMATCH, LS_VACUOUS, LS_CRASH, LS_HANG, LS_USAGE, LS_BUILD } ls_status;

/* "pass", "mismatch", ... as in the records. */
const char *ls_status_name(ls_status status);
/* The exit code: 0 pass, 1 a finding (mismatch, vacuous, crash, hang), 2 could not run (usage, build). */
int ls_status_exit(ls_status status);

/* Receives every compared cycle of a run: see harness/wave/wave.c. `before` the edge, then after it. */
struct ls_pair;
typedef struct ls_probe {
    void *ctx;
    int (*open)(void *ctx, struct ls_pair *pair, char *error, size_t size);
    void (*sample)(void *ctx, struct ls_pair *pair, uint64_t cycle, bool edge);
    void (*close)(void *ctx, struct ls_pair *pair);
} ls_probe;

/* A netlist of gates as it is told. */
typedef struct ls_netlist_note {
    const char *liberty; /* for the case file */
    char *json, *text;   /* for the record, and lines for the screen */
} ls_netlist_note;

typedef struct ls_request {
    const ls_unit *unit;
    const void *cfg;
    const char *so_path;
    uint64_t seed;
    uint64_t cycles;                 /* at most; with a workload 0 means to its end */
    const char *workload;            /* or NULL */
    const char *machine;             /* the machine description's name, for the record; NULL: none */
    const ls_settings *surroundings; /* of a system; NULL: none */
    const ls_case *replay;           /* or NULL: then seed, cycles and workload do not matter */
    ls_script *script; /* or NULL: what is played in place of random stimulus; in the run's process alone it gets longer, ... */
    const ls_author *author;              /* ... by this; NULL: it does not */
    double seconds;                       /* of processor time, at most; 0: no such limit */
    uint64_t fill;                        /* power-up contents of the DUT; 0: as the seed or the case has it */
    const ls_args *rtl, *defines, *extra; /* the user's, for the case file; NULL: ours */
    const char *coverage;                 /* where Verilator writes the DUT's coverage, and gcov its own; NULL: nowhere */
    const char *case_path;                /* where a mismatch leaves its case; NULL: nowhere */
    uint64_t record;                      /* cycles of a case to be left there when nothing differs; 0: none */
    const char *select_port; /* an input of the DUT that is in no field list and holds `select`: which mutant is on (netlist.h);
                                or NULL */
    uint32_t select;
    const ls_masks *masks;          /* bits of registers that the DUT lacks; NULL: none */
    const ls_netlist_note *netlist; /* the DUT is this netlist; NULL: it is RTL */
    bool ports_only;                /* registers are not compared (the user's RTL has others) */
    bool quick;                     /* a trial of the shrinker: no evidence is gathered */
    bool progress;                  /* show progress on stderr */
    double timeout;                 /* seconds without a finished cycle that make a hang; 0: 20 */
} ls_request;

#define LS_SAMPLE_ALL 20000u /* so many cycles of a run, and all until the evidence is complete, are sampled for bins and ... */
#define LS_SAMPLE_EVERY 64u  /* ... changed fields, then one in so many */

#define LS_NAME_MAX 160
#define LS_HEX_MAX 264
#define LS_COUNTERS_MAX 192

typedef struct ls_mismatch {
    uint64_t cycle;
    char field[LS_NAME_MAX];    /* as in the field list */
    char rtl_name[LS_NAME_MAX]; /* hierarchical, as in the RTL */
    uint32_t index, count, bits;
    bool output;      /* seen at the outputs, before the edge; else in a register after it */
    uint64_t earlier; /* found by the sweep of a memory: it happened up to so many cycles earlier; 0: as far as is known not */
    char row[LS_NAME_MAX]; /* the row of a memory that is that old, when this is another field; else "" */
    bool dated;            /* the waves tell when it began: */
    uint64_t since;
    char began[LS_NAME_MAX]; /* in that cycle, with this register; "": with the one above */
    char rtl[LS_HEX_MAX], model[LS_HEX_MAX], diff[LS_HEX_MAX];
    uint32_t lanes;   /* values of over 64 bits: which 32-bit lanes differ, else 0 */
    uint32_t fields;  /* how many fields differ in that cycle */
    char others[512]; /* names of the others, as many as fit */
} ls_mismatch;

/* Lives in memory shared with the child. */
typedef struct ls_result {
    ls_status status;
    volatile uint64_t cycles; /* finished and compared; while a walk goes on (x_walk), its cycle */
    uint64_t compares;        /* bits */
    uint64_t resets;
    uint64_t warps;     /* time warps (harness/core/unit.h) */
    uint32_t sub_cores; /* of the system; the first one is compared */
    uint64_t legal;     /* of a system: cycles with legal inputs, in which its properties were checked */
    uint64_t fill;
    uint64_t sweep_period;    /* cycles; 0: all memories are compared whole in every cycle */
    uint32_t memories_copied; /* whose power-up contents went from the DUT into the model */
    uint32_t fields, unchanged;
    uint32_t outputs_changed, registers_changed; /* fields of these kinds that were seen to change */
    bool drained;                                /* ls_source_drained */
    uint64_t unknown_opcodes;                    /* instructions of the workload whose opcode no rule speaks for, */
    char first_unknown[64];                      /* and the first one's text (RF_OPCODE_TEXT_MAX) */
    bool input_unfit;                            /* status usage because the stimulus drove what does not fit its port, ... */
    bool model_unfit; /* ... because the model refuses its configuration, or model and DUT do not fit each other */
    char unchanged_names[512];
    char constant_changed[512]; /* the first that changed and is listed as constant, in words; "": none */
    uint64_t bins_hit;          /* one bit a bin */
    uint64_t bins[64];          /* cycles, of those sampled */
    uint64_t sampled;           /* cycles in which bins were counted */
    char message[1024];         /* what happened, in words */
    ls_mismatch mismatch;
    uint32_t counters;
    struct {
        char name[48];
        double value;
    } counter[LS_COUNTERS_MAX];
    double seconds;        /* of the cycles, without set-up */
    double work;           /* of processor time in them */
    bool x_walk;           /* status, mismatch and message are of a walk after the run, with ... */
    int x;                 /* ... this for every bit that is X in the RTL */
    volatile bool writing; /* the case is being written, for which no DUT's code runs */
    bool case_written;
    bool coverage_written;
} ls_result;

/* Turns every bit of every register of the pair's DUT around, but for the memories that the model has a copy of: the second fill.
 */
void ls_second_fill(const struct ls_pair *pair);

/* Whether the run's random input or script may have time warps: each register of the DUT is known, and is the model's. */
bool ls_run_warps(const ls_request *request);

/* Runs it and fills `result`. `probe` may be NULL. */
void ls_run(const ls_request *request, const ls_probe *probe, ls_result *result);

#endif
