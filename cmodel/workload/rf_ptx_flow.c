/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>

#include "cmodel/workload/rf_ptx_reader.h"

static bool ends_block(const rf_kinst *inst) { return inst->op == RF_K_BRA || inst->op == RF_K_EXIT || inst->op == RF_K_TRAP; }

/* Every branch's label to the number of an instruction, in `target`. Labels of open scopes around the branch count, declared
 * before or after it. *past: one lies behind the last instruction. */
static bool resolve(rf_ptx_reader *r, bool *past) {
    rf_kernel *const k = r->kernel;
    char quote[RF_PTX_QUOTE_MAX + 4];
    for (uint32_t j = 0; j < r->njump; j++) {
        const rf_ptx_jump *const jump = &r->jump[j];
        const rf_ptx_token *const t = &jump->label;
        const rf_ptx_name *const name = rf_ptx_find(&r->names, RF_PTX_LABEL, t->text, t->length, jump->scope);
        if (!name || name->what != RF_PTX_LABEL) {
            r->lex.token.line = t->line;
            return rf_ptx_fail(&r->lex, "label", "'%s' is %s", rf_ptx_quote(quote, t->text, t->length),
                               name ? "not a label" : "not declared");
        }
        k->inst[jump->inst].target = name->index;
        *past |= name->index == k->ninst;
    }
    return true;
}

/* Who falls off an entry's end leaves it. */
static bool close_end(rf_ptx_reader *r, bool past) {
    static const char text[] = "exit";
    const rf_kernel *const k = r->kernel;
    const rf_kinst *const last = k->ninst ? &k->inst[k->ninst - 1] : NULL;
    uint32_t index = 0;
    if (last && ends_block(last) && last->guard == RF_KNONE && !past) return true;
    if (!rf_ptx_text(r, text, sizeof text - 1, &index)) return false;
    rf_kinst inst = r->form[index].inst;
    inst.text = index;
    inst.line = r->end_line;
    return rf_ptx_append(r, &inst);
}

/* Blocks begin at the entry, at branch targets and behind what ends a block; `block_of`, one for each instruction, all 0. */
static bool make_blocks(rf_ptx_reader *r, uint32_t *block_of) {
    rf_kernel *const k = r->kernel;
    uint32_t count = 0;
    block_of[0] = 1;
    for (uint32_t i = 0; i < k->ninst; i++) {
        if (k->inst[i].op == RF_K_BRA) block_of[k->inst[i].target] = 1;
        if (i + 1 < k->ninst && ends_block(&k->inst[i])) block_of[i + 1] = 1;
    }
    for (uint32_t i = 0; i < k->ninst; i++) {
        count += block_of[i];
        block_of[i] = count - 1;
    }
    if (count > RF_PTX_BLOCKS) return rf_ptx_fail(&r->lex, "entry", "more than %" PRIu32 " blocks", RF_PTX_BLOCKS);
    k->block = calloc(count, sizeof *k->block);
    if (!k->block) return rf_ptx_no_memory(r);
    k->nblock = count;
    for (uint32_t i = 0; i < k->ninst; i++) {
        rf_kinst *const inst = &k->inst[i];
        rf_kblock *const block = &k->block[block_of[i]];
        if (block->count++ == 0) block->first = i;
        if (inst->op == RF_K_BRA) inst->target = block_of[inst->target];
        if (i + 1 < k->ninst && block_of[i + 1] == block_of[i]) continue;
        if (inst->op == RF_K_BRA) block->succ[block->nsucc++] = inst->target;
        if (!ends_block(inst) || inst->guard != RF_KNONE) block->succ[block->nsucc++] = block_of[i] + 1;
    }
    return true;
}

bool rf_ptx_flow(rf_ptx_reader *r) {
    rf_kernel *const k = r->kernel;
    bool past = false;
    if (!resolve(r, &past) || !close_end(r, past)) return false;
    uint32_t *const block_of = calloc(k->ninst, sizeof *block_of);
    if (!block_of) return rf_ptx_no_memory(r);
    const bool good = make_blocks(r, block_of);
    free(block_of);
    if (good && rf_kernel_flow(k) != 0) return rf_ptx_no_memory(r);
    return good;
}
