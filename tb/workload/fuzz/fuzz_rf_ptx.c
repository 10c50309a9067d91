/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer harness: any bytes as a PTX file. The first byte is the size of the pieces it comes in. What comes out must keep the
 * reader's promises: every index in range, blocks that cover the instructions, a copy that prints as the original does. */
#include <stdint.h>

#include "cmodel/workload/rf_ptx.h"
#include "tb/workload/rf_memory.h"

#define CHECK(condition)                                                                                                         \
    do                                                                                                                           \
        if (!(condition)) __builtin_trap();                                                                                      \
    while (0)

static void check_operand(const rf_kernel *k, const rf_koperand *o) {
    const bool is_register = o->kind == RF_O_REG || o->kind == RF_O_PRED;
    CHECK(o->kind <= RF_O_SPECIAL);
    if (is_register) {
        CHECK(o->reg < k->nvar);
        const rf_ktype type = (rf_ktype)k->var[o->reg].type;
        CHECK((o->kind == RF_O_PRED) == (type == RF_T_PRED));
        CHECK(o->words == (o->kind == RF_O_PRED ? 0u : rf_ktype_bits(type) == 64 ? 2u : 1u));
    }
    CHECK(is_register || o->words == 0);
    CHECK(!o->negated || o->kind == RF_O_PRED);
    CHECK(o->kind != RF_O_SPECIAL || rf_kspecial_name((rf_kspecial)o->reg));
}

static void check_kernel(const rf_kernel *k) {
    uint32_t next = 0;
    rf_kernel copy;
    CHECK(k->ninst >= 1 && k->nblock >= 1 && k->name && !k->allocated);
    CHECK(rf_kernel_copy(&copy, k) == 0);
    for (uint32_t i = 0; i < k->ninst; i++) {
        const rf_kinst *const inst = &k->inst[i];
        char text[512], again[512];
        CHECK(inst->op < RF_KOPS && inst->text < k->ntext && inst->line >= 1);
        CHECK(inst->ndst <= RF_KDST_MAX && inst->nsrc <= RF_KSRC_MAX);
        for (uint32_t o = 0; o < inst->ndst; o++) check_operand(k, &inst->dst[o]);
        for (uint32_t o = 0; o < inst->nsrc; o++) check_operand(k, &inst->src[o]);
        CHECK(inst->guard == RF_KNONE || (inst->guard < k->nvar && k->var[inst->guard].type == RF_T_PRED));
        CHECK((inst->op == RF_K_BRA) == (inst->target != RF_KNONE));
        CHECK(strcmp(rf_kinst_print(k, i, text, sizeof text), rf_kinst_print(&copy, i, again, sizeof again)) == 0);
    }
    for (uint32_t b = 0; b < k->nblock; b++) {
        const rf_kblock *const block = &k->block[b];
        CHECK(block->first == next && block->count >= 1 && block->nsucc <= 2);
        next += block->count;
        const rf_kinst *const last = &k->inst[next - 1];
        const bool leaves = last->guard == RF_KNONE && (last->op == RF_K_EXIT || last->op == RF_K_TRAP);
        CHECK(leaves == (block->nsucc == 0));
        if (last->op == RF_K_BRA) CHECK(block->succ[0] == last->target);
        for (uint32_t s = 0; s < block->nsucc; s++) CHECK(block->succ[s] < k->nblock);
        CHECK(block->idom == RF_KNONE || block->idom < k->nblock);
        CHECK(block->ipdom == RF_KNONE || block->ipdom < k->nblock);
        CHECK(b || block->reachable);
    }
    CHECK(next == k->ninst);
    rf_kernel_free(&copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char error[512] = "";
    const rf_memory_file file = {.path = "d/input",
                                 .text = (const char *)data + (size > 0),
                                 .size = size - (size > 0),
                                 .piece = size ? 1 + (size_t)data[0] : 1};
    rf_memory memory = {&file, 1};
    const rf_source source = rf_memory_source(&memory);
    rf_module module;
    if (rf_ptx_read(&source, "d/input", &module, error, sizeof error) != 0) {
        CHECK(strncmp(error, "d/input:", 8) == 0 && !module.kernel && !module.global && !module.path);
        return 0;
    }
    CHECK(error[0] == '\0' && module.nkernel >= 1);
    for (uint32_t i = 0; i < module.nkernel; i++) check_kernel(&module.kernel[i]);
    rf_module_free(&module);
    return 0;
}
