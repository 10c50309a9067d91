/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_hints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_deadbits.h"
#include "cmodel/compiler/rf_divergence.h"
#include "cmodel/compiler/rf_not_l0.h"
#include "cmodel/compiler/rf_reuse.h"
#include "cmodel/compiler/rf_rfree.h"
#include "cmodel/compiler/rf_strand.h"

#define BANKS_DEFAULT 16u

/* --- hints ------------------------------------------------------------------------------------------------------------------ */

static bool near_bits(const rf_kernel *kernel, uint32_t rthld, rf_hint *hint) {
    rf_reuse reuse;
    if (rf_reuse_compute(&reuse, kernel)) return false;
    for (size_t i = 0; i < kernel->ninst; i++) {
        for (uint32_t s = 0; s < RF_REUSE_SRC; s++)
            if (reuse.src[i * RF_REUSE_SRC + s] < rthld) hint[i].src_near |= UINT32_C(1) << s;
        for (uint32_t d = 0; d < RF_REUSE_DST; d++)
            if (reuse.dst[i * RF_REUSE_DST + d] < rthld) hint[i].dst_near |= UINT32_C(1) << d;
    }
    rf_reuse_free(&reuse);
    return true;
}

static bool levels(const rf_strands *strands, const rf_level_options *options, rf_hint *hint) {
    rf_liveness live;
    if (rf_liveness_compute(&live, strands->kernel, RF_LIVE_LANE)) return false;
    const bool good = rf_level_alloc(strands, &live, options, hint) == 0;
    rf_liveness_free(&live);
    return good;
}

/* [hierarchy 8.2]: the warp is descheduled behind every backward branch, which ends a strand. */
static void leave_back(const rf_kernel *kernel, rf_hint *hint) {
    for (uint32_t b = 0; b < kernel->nblock; b++) {
        const rf_kblock *const block = &kernel->block[b];
        for (uint32_t n = 0; n < block->nsucc; n++)
            if (block->succ[n] <= b) hint[block->first + block->count - 1].flags |= RF_HINT_DESCHEDULE;
    }
}

static bool strand_hints(const rf_kernel *kernel, const rf_hint_options *options, rf_hint *hint) {
    rf_strands strands;
    if (rf_strands_compute(&strands, kernel)) return false;
    for (uint32_t i = 0; i < kernel->ninst; i++) hint[i].flags = (uint8_t)(RF_HINT_PRESENT | strands.flags[i]);
    const bool good = !options->levels || levels(&strands, options->levels, hint);
    if (options->levels && options->levels->leave_back) leave_back(kernel, hint);
    rf_strands_free(&strands);
    return good;
}

static bool live_hints(const rf_kernel *kernel, const rf_hint_options *options, rf_hint *hint) {
    rf_liveness live;
    if (rf_liveness_compute(&live, kernel, RF_LIVE_WARP)) return false;
    const bool good =
        rf_deadbits_compute(&live, hint) == 0 && rf_rfree_compute(&live, options->registers, options->banks, hint) == 0;
    rf_liveness_free(&live);
    return good;
}

/* Takes back the dead bits of blocks that may run while lanes wait elsewhere. */
static bool dead_together(const rf_kernel *kernel, rf_hint *hint) {
    rf_divergence divergence;
    if (rf_divergence_compute(&divergence, kernel)) return false;
    for (uint32_t b = 0; b < kernel->nblock; b++)
        for (uint32_t i = 0; i < kernel->block[b].count && divergence.block[b]; i++)
            hint[kernel->block[b].first + i].src_dead = hint[kernel->block[b].first + i].dst_dead = 0;
    rf_divergence_free(&divergence);
    return true;
}

static bool all_hints(const rf_kernel *kernel, const rf_hint_options *options, rf_inst *inst) {
    rf_hint *const hint = calloc((size_t)kernel->ninst + 1, sizeof *hint);
    const bool good = hint && near_bits(kernel, options->rthld, hint) && strand_hints(kernel, options, hint) &&
                      rf_not_l0_compute(kernel, hint) == 0 && live_hints(kernel, options, hint) &&
                      (!options->dead_together || dead_together(kernel, hint));
    for (uint32_t i = 0; i < kernel->ninst && good; i++) inst[i].hint = hint[i];
    free(hint);
    return good;
}

/* --- program ---------------------------------------------------------------------------------------------------------------- */

static char *copy_text(const char *text) {
    const size_t bytes = strlen(text) + 1;
    char *const made = malloc(bytes);
    return made ? memcpy(made, text, bytes) : NULL;
}

/* All of the kernel's texts, one behind the other; instructions then point into them. */
static bool copy_instructions(rf_program *program, const rf_kernel *kernel) {
    size_t *const at = malloc((kernel->ntext + 1u) * sizeof *at);
    if (!at) return false;
    for (uint32_t t = 0; t < kernel->ntext; t++) {
        at[t] = program->text_bytes;
        program->text_bytes += strlen(kernel->texts[t]) + 1;
    }
    program->text = malloc(program->text_bytes + 1);
    program->inst = malloc(kernel->ninst * sizeof *program->inst);
    const bool room = program->text && program->inst;
    for (uint32_t t = 0; t < kernel->ntext && room; t++) strcpy(program->text + at[t], kernel->texts[t]);
    for (uint32_t i = 0; i < kernel->ninst && room; i++) {
        rf_program_inst(kernel, i, &program->inst[i]);
        program->inst[i].mnemonic = program->text + at[kernel->inst[i].text];
    }
    program->ninst = kernel->ninst;
    free(at);
    return room;
}

static bool copy_blocks(rf_program *program, const rf_kernel *kernel) {
    program->code = malloc(kernel->nblock * sizeof *program->code);
    program->nblock = kernel->nblock;
    for (uint32_t b = 0; b < kernel->nblock && program->code; b++) {
        const rf_kblock *const block = &kernel->block[b];
        program->code[b] = (rf_program_block){block->first, block->count, {RF_INDEX_NONE, RF_INDEX_NONE}, block->ipdom};
        for (uint32_t s = 0; s < block->nsucc; s++) program->code[b].succ[s] = block->succ[s];
    }
    return program->code != NULL;
}

static bool build(rf_program *program, const rf_kernel *kernel, const rf_hint_options *options) {
    char origin[32];
    (void)snprintf(origin, sizeof origin, "%u registers", kernel->nreg);
    program->kernel = copy_text(kernel->name);
    program->origin = copy_text(origin);
    program->shared_bytes = kernel->shared_bytes;
    program->nreg = kernel->nreg;
    return program->kernel && program->origin && copy_instructions(program, kernel) && copy_blocks(program, kernel) &&
           all_hints(kernel, options, program->inst);
}

int rf_program_build(rf_program *program, const rf_kernel *kernel, const rf_hint_options *options, char *error, size_t size) {
    rf_hint_options o = options ? *options : (rf_hint_options){0};
    const uint32_t most = RF_REGS_MAX - 1;
    const char *const wrong = o.levels ? rf_level_check(o.levels) : NULL;
    if (o.rthld == 0) o.rthld = RF_RTHLD_DEFAULT;
    if (o.banks == 0) o.banks = BANKS_DEFAULT;
    if (o.registers == 0) o.registers = kernel->nreg < most - 7 ? (kernel->nreg + 7) / 8 * 8 : most;
    *program = (rf_program){0};
    if (!kernel->allocated || kernel->nreg > most)
        (void)snprintf(error, size, "%s: registers: not allocated to warp registers (0 .. %u)", kernel->name, most - 1);
    else if (kernel->ninst == 0) (void)snprintf(error, size, "%s: no instruction", kernel->name);
    else if (o.banks > RF_BANKS_MAX) (void)snprintf(error, size, "%s: banks: %u (1 .. %u)", kernel->name, o.banks, RF_BANKS_MAX);
    else if (o.registers < kernel->nreg || o.registers > most)
        (void)snprintf(error, size, "%s: registers: %u (%u .. %u)", kernel->name, o.registers, kernel->nreg, most);
    else if (wrong) (void)snprintf(error, size, "%s: %s", kernel->name, wrong);
    else if (build(program, kernel, &o)) return 0;
    else (void)snprintf(error, size, "%s: no memory", kernel->name);
    rf_program_free(program);
    return -1;
}

void rf_hints_apply(const rf_program *program, rf_warp *warp) {
    for (rf_inst *inst = warp->inst; inst < warp->inst + warp->count; inst++)
        if (inst->index < program->ninst) inst->hint = program->inst[inst->index].hint;
}
