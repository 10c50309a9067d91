/* SPDX-License-Identifier: Apache-2.0 */
/* What surrounds an operand stage (rf_stage.h): instruction buffers in front of it, execution units behind it, a golden machine
 * beside it.
 *
 * Streams come from a workload or are random. Every warp's instructions are shown in order, cracked into uops (rf_crack.h). A uop
 * whose operands are delivered spends its class's latency in a pipeline of its port; its result is a function of the operands
 * that were delivered (rf_value.h), so that a wrong one spreads. Where the workload has values, the result is the recorded one,
 * changed in every lane in which an operand is not the golden one. Ports: ALU 0, SFU 1, all others 2 (mod EXPORTS); with
 * ISSUES + 2 ports or more one ALU port an issue group, then SFU, then the others; random streams use any. A warp slot starts its
 * next warp when everything of the one before is written back; the first warp of a kernel waits for every warp before it.
 *
 * Golden machine: each warp executes alone, in program order, at issue, from the registers that the system held at its launch.
 * Every delivered operand and, at the warp's end, every register of the system must equal it. Also checked in every cycle: what
 * the system holds is what was issued and not delivered, what was accepted and not written; and it goes on (RF_ENV_PATIENCE). The
 * first violation is kept as a text.
 *
 * Of the system it knows its ports, a view of its state (rf_stage_view), and which results it wrote; inputs follow from the seed
 * and the model's state alone. Once a cycle: rf_stage_env_inputs, the model's step, rf_stage_env_lose for every register lost in
 * it, rf_stage_env_observe.
 *
 * Its parts: rf_stage_feed.h (warps of a workload), rf_stage_blocks.h (thread blocks, barriers), rf_stage_uops.h (what is under
 * way), rf_stage_golden.h (the golden machine), rf_stage_pipes.h (execution), rf_stage_profile.h (the traffic profile),
 * rf_stage_slots.h (why nothing issues). */
#ifndef RF_STAGE_ENV_H
#define RF_STAGE_ENV_H

#include "cmodel/banked/rf_stage.h"
#include "cmodel/energy/rf_energy.h"
#include "cmodel/workload/rf_crack.h"
#include "cmodel/workload/rf_source.h"
#include "harness/core/unit.h"
#include "tb/banked/env/rf_banked_stream.h"
#include "tb/banked/env/rf_stage_slots.h"
#include "tb/machine/env/rf_memory_side.h"

#define RF_ENV_PIPE 64u /* uops that one port's pipelines hold before it stops accepting */

/* A stage with warps that has done nothing for so many cycles, and its own longest wait (rf_stage_cfg.waits), stands still, which
 * is a violation. Something done: a warp starts, a uop issues, is delivered or retires, a result is accepted; or time passes: a
 * latency of a delivered uop runs, or a port is closed for its interval. All else that the surroundings themselves can put
 * between two of these is far shorter: results are held back for up to 256 cycles, and whether a port is ready, or an empty
 * buffer filled, is drawn anew in every cycle: a port one time in 16 at least, a buffer one in 8, so that the 1,700 cycles left
 * pass without either in less than one of 2^150 cases. A stage's own waits (banks, queues, STHLD: 256) end in hundreds of cycles
 * where `waits` says nothing else. It is short so that an epoch of random stimulus, 1,000 to 9,000 cycles, has room for it. */
#define RF_ENV_PATIENCE 2048u

/* Sizes of the system. */
typedef struct rf_stage_cfg {
    uint32_t warps;      /* 1 .. 64 */
    uint32_t collectors; /* uops that it holds between issue and delivery, at most */
    uint32_t banks;      /* 1 .. 32, for random streams: register r of warp w is in bank (r + w) mod banks */
    uint32_t regs;       /* registers of a warp, 1 .. 256 */
    uint32_t lanes;      /* 1 .. 32 */
    uint32_t slots;      /* sources of a uop, 1 .. 8 */
    uint32_t exports;    /* execution ports, each with a write-back queue, 1 .. 8 */
    uint32_t issues;     /* issue groups, 1 .. 4: warp w is in group w mod issues */
    uint32_t wbdepth;    /* entries of a write-back queue, or results that the system holds a port */
    bool pooled;         /* results leave out of order: rf_stage_env_retired, and of rf_stage_view.level only the sum counts */
    uint32_t blocks;   /* not 0: thread blocks of a workload start as a whole, this many at a time, and wait at their barriers */
    uint32_t pool;     /* not 0: registers that all warps together may use; a block that does not fit waits */
    bool active_lanes; /* operands that the system delivers count in active lanes only */
    bool unrotated; /* operand i of an instruction is in slot i mod slots, in random streams too, which otherwise rotate them */
    uint32_t waits; /* cycles in which the system itself may stand, beyond the hundreds that RF_ENV_PATIENCE has room for */
} rf_stage_cfg;

/* What the environment asks of the model, as its state is before the coming edge. */
typedef struct rf_stage_view {
    uint32_t collecting;            /* collectors in use: uops issued and not delivered */
    uint32_t level[RF_EXPORTS_MAX]; /* per port: results in its write-back queue */
    const void *model;
    /* The value of register `reg` of warp slot `warp`, as its next reader must get it: where the model keeps it, or put together
     * in `room`. Called for all registers of a warp at its launch and at its end. */
    const rf_vec *(*value)(const void *model, uint32_t warp, uint32_t reg, rf_vec *room);
} rf_stage_view;

/* Calls to the bench of a system, all of them optional; `ctx` is its own. */
typedef struct rf_stage_hooks {
    void *ctx;
    /* A uop of `inst` has been put at the head of warp slot `warp`, its ports in `in` (what rf_stage_env_inputs was given): a
     * system's further ports of this head are driven here. `inst` lives until it retires, `uop` until it returns. */
    void (*show)(void *ctx, rf_stage_in *in, uint32_t warp, const rf_inst *inst, const rf_uop *uop);
    /* The next instruction of a warp, before its uops are shown: whether they have all its sources each (rf_crack_fits). */
    bool (*words)(void *ctx, const rf_inst *inst);
    /* A new warp starts in slot `warp`, of random streams or of a workload; its first instruction comes later. Before its
     * registers' values are asked for. */
    void (*launch)(void *ctx, uint32_t warp);
    /* A new phase of the random streams begins, every RF_ENV_PHASE cycles and in the first cycle. */
    void (*phase)(void *ctx, rf_stream_kind kind);
    /* A random instruction of slot `warp` was drawn: operands, mask and hint may be edited. */
    void (*random)(void *ctx, uint32_t warp, rf_inst *inst);
    /* A memory instruction, of warp number `warp`, begins its access, all its operands delivered, the last of them in `operands`:
     * whether the bench makes the access, and tells its end by rf_stage_env_accessed with the same number. */
    bool (*access)(void *ctx, uint16_t access, const rf_inst *inst, uint64_t warp, const rf_vec *operands);
    /* No warp lives: whether the next kernel of the workload may start. Asked in every cycle until it may. With it random streams
     * have kernels too: now and then all warps end before new ones start. */
    bool (*settled)(void *ctx);
    /* A warp of the workload, once, before any of its instructions is shown: hints may be put into them. */
    void (*loaded)(void *ctx, rf_warp *warp);
    /* With `blocks`: what begins, or is over, in the coming cycle, whose inputs are in `in`. A kernel starts; a block starts in a
     * slot; all warps of the block have passed a barrier, or a warp a memory fence, and everything before is retired; a warp has
     * ended. */
    void (*kernel)(void *ctx, rf_stage_in *in);
    void (*block)(void *ctx, rf_stage_in *in, uint32_t block);
    void (*barrier)(void *ctx, rf_stage_in *in, uint32_t block);
    void (*fence)(void *ctx, rf_stage_in *in, uint32_t warp);
    void (*ended)(void *ctx, rf_stage_in *in, uint32_t warp);
} rf_stage_hooks;

#define RF_STAGE_NO_ACCESS UINT16_MAX /* the number of no access (hook `access`) */
#define RF_ENV_PHASE 512u             /* cycles between new mixes of random stimulus */

typedef struct rf_stage_env rf_stage_env;

/* An environment for a system of this size from its reset on, with random streams from `seed`; `hooks` may be NULL and is copied.
 * Ends the process when memory runs out. */
rf_stage_env *rf_stage_env_new(const rf_stage_cfg *cfg, const rf_stage_hooks *hooks, uint64_t seed);
void rf_stage_env_free(rf_stage_env *env);

/* Replaces the random streams by a workload; `source` must outlive the environment. 0, or -1 and a message. */
int rf_stage_env_workload(rf_stage_env *env, const rf_source *source, const char *path, char *error, size_t size);

/* Before the first cycle: the surroundings are those of this machine (tb/machine/env/rf_machine.h), whose parameters are checked.
 */
struct rf_machine;
void rf_stage_env_machine(rf_stage_env *env, const struct rf_machine *machine);

/* The machine's memory side, or NULL. */
const rf_memory_cfg *rf_stage_env_memory(const rf_stage_env *env);

/* The machine's wires. */
const rf_energy_wires *rf_stage_env_wires(const rf_stage_env *env);

/* Sub-cores of the SM that this environment is the first of; 1 with random streams. */
uint32_t rf_stage_env_cores(const rf_stage_env *env);

/* Before the first cycle: `env`, new, is that of sub-core `core` of the SM that `first` is of. It has the machine of `first` and
 * shares its workload and memory side; `first` must outlive it. In each cycle the environments are called in the order of their
 * numbers. */
void rf_stage_env_join(rf_stage_env *env, rf_stage_env *first, uint32_t core);

/* The same by settings; NULL for `env`: they are only checked. 0, or -1 and a message. */
int rf_stage_env_surround(rf_stage_env *env, const ls_settings *settings, char *error, size_t size);

/* Inputs of the coming cycle; `in` is all 0 at first, the model as after reset, and keeps what was written. */
void rf_stage_env_inputs(rf_stage_env *env, const rf_stage_view *view, rf_stage_in *in);

/* What register `reg` of warp slot `warp` held in these lanes is lost in this cycle, before the instructions that issue in it:
 * the system was told that no lane needs it. An issued write defines its lanes again, a launch all of them. Lost lanes are not
 * compared, but an active lane of a source that is lost when its instruction issues is a violation. */
void rf_stage_env_lose(rf_stage_env *env, uint32_t warp, uint32_t reg, uint32_t lanes);

/* Between rf_stage_env_observe and the next rf_stage_env_inputs: register `reg` of warp slot `warp`, which no instruction under
 * way writes, must be the golden one, but for lost lanes; nothing is said of a slot without a warp. */
void rf_stage_env_holds(rf_stage_env *env, const rf_stage_view *view, uint32_t warp, uint32_t reg);

/* A warp reads in this cycle lanes of a register that it has not written, and that the system was free to lose before its launch:
 * from now on they hold what the system has, `is`. */
void rf_stage_env_found(rf_stage_env *env, uint32_t warp, uint32_t reg, const rf_vec *is, uint32_t lanes);

/* What the system did with its inputs; `written`, exports bits: the head of this port's write-back queue was written and left. */
void rf_stage_env_observe(rf_stage_env *env, const rf_stage_in *in, const rf_stage_out *out, uint32_t written);

/* The access that the bench makes is over: its results are offered from the coming cycle on. Before rf_stage_env_inputs. */
void rf_stage_env_accessed(rf_stage_env *env, uint16_t access);

/* Until this cycle time passes outside, as in the latency of L2: the stage may stand for so long. */
void rf_stage_env_passes(rf_stage_env *env, uint64_t until);

/* The result of register `dst` of warp slot `warp` is written and its uop done (pooled). Before rf_stage_env_observe. */
void rf_stage_env_retired(rf_stage_env *env, uint32_t warp, uint32_t dst);

/* The uop with this tag, issued and not delivered, is done: its destination holds the result. Before rf_stage_env_observe.
 * Whether its instruction is done with it, and no uop of that was delivered. */
bool rf_stage_env_reused(rf_stage_env *env, uint16_t tag);

/* The random streams, whose mix the hook `phase` may change after it was drawn. */
rf_banked_stream *rf_stage_env_stream(rf_stage_env *env);

/* The slot of the thread block of warp slot `warp`. */
uint32_t rf_stage_env_block(const rf_stage_env *env, uint32_t warp);

/* What the golden machine has in register `reg` of warp slot `warp`, when everything that has issued is done. */
const rf_vec *rf_stage_env_golden(const rf_stage_env *env, uint32_t warp, uint32_t reg);

/* With `blocks`: registers that the live warps of the workload count for. */
uint32_t rf_stage_env_registers(const rf_stage_env *env);

/* The workload has been issued and has drained (never with random streams). */
bool rf_stage_env_done(const rf_stage_env *env);

/* NULL, or why the workload cannot be read further: file, line, field. */
const char *rf_stage_env_workload_error(const rf_stage_env *env);

/* Instructions that the workload has given so far whose opcode is unknown, and the first one's text; 0 and NULL without a
 * workload. */
uint64_t rf_stage_env_workload_unknown(const rf_stage_env *env, const char **first);

/* NULL, or the first violation: property, warp, register, tag, cycle. */
const char *rf_stage_env_property(const rf_stage_env *env);

/* What warps wait for in the cycle whose inputs are in `in`. `chosen`, issues bits: groups whose scheduler chose a warp, of which
 * nothing else counts; `hazard`, warps bits: heads that have one. Before the system says what it did in the cycle. */
rf_stage_waits rf_stage_env_waits(const rf_stage_env *env, const rf_stage_in *in, uint32_t chosen, uint64_t hazard);

/* Cycles observed. */
uint64_t rf_stage_env_cycles(const rf_stage_env *env);

/* Totals and shares since the start, of what the ports show; what a system does inside it counts itself. */
void rf_stage_env_counters(const rf_stage_env *env, ls_counter_fn *sink, void *ctx);

/* Rows that the banks write, from an arbiter's outputs of these names: fills `list`, whose memories are the banks; how many. For
 * `touched` of a system (harness/core/unit.h). */
uint32_t rf_stage_touched(uint32_t bank_we, const uint16_t *bank_waddr, ls_touch *list);

#endif
