/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_program.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_opcode.h"

#define BYTES_OF_INSTRUCTION 16u /* NVIDIA's since Volta */

static bool moves_memory(const rf_kinst *in) {
    return in->op == RF_K_LD || in->op == RF_K_ST || in->op == RF_K_ATOM || in->op == RF_K_RED;
}

/* One more number into a 64-bit FNV-1a hash, lowest byte first. */
static uint64_t absorb(uint64_t hash, uint64_t number) {
    for (uint32_t byte = 0; byte < 8; byte++) hash = (hash ^ (number >> 8 * byte & 0xff)) * UINT64_C(0x100000001b3);
    return hash;
}

/* Every constant of an instruction in one number. A lone one in its usual place is itself: an immediate that stands last, an
 * address, an address's offset. All others are a hash of each with its place, so that `sub R1, 5` and `sub 5, R1`, or %tid.x and
 * 0, never look alike. */
static int64_t immediate(const rf_kinst *in) {
    uint64_t hash = rf_fnv1a("", 0);
    uint32_t constants = 0, last = 0;
    for (uint32_t s = 0; s < in->nsrc; s++) {
        const rf_koperand *const src = &in->src[s];
        if (src->kind != RF_O_IMM && src->kind != RF_O_SPECIAL) continue;
        hash = absorb(absorb(absorb(hash, s), src->kind), src->kind == RF_O_IMM ? src->imm : src->reg);
        last = s;
        constants++;
    }
    if (constants == 0) return in->offset;
    const bool usual = moves_memory(in) ? last == 0 : last + 1u == in->nsrc;
    if (constants == 1 && usual && in->src[last].kind == RF_O_IMM && in->offset == 0) return (int64_t)in->src[last].imm;
    return (int64_t)absorb(hash, (uint64_t)in->offset);
}

void rf_program_inst(const rf_kernel *kernel, uint32_t index, rf_inst *inst) {
    const rf_kinst *const in = &kernel->inst[index];
    const char *const text = kernel->texts[in->text];
    uint16_t src[2 * RF_KSRC_MAX], dst[2 * RF_KDST_MAX];
    uint32_t nsrc = 0, ndst = 0;
    rf_kinst_words(in, src, &nsrc, dst, &ndst);
    *inst = (rf_inst){.pc = (uint64_t)BYTES_OF_INSTRUCTION * index,
                      .opcode = rf_fnv1a(text, strlen(text)),
                      .mnemonic = text,
                      .mask = UINT32_MAX,
                      .opclass = rf_kinst_class(in),
                      .load = moves_memory(in) && in->op != RF_K_ST,
                      .store = moves_memory(in) && in->op != RF_K_LD,
                      .nsrc = (uint8_t)nsrc,
                      .ndst = (uint8_t)ndst,
                      .width = moves_memory(in) ? rf_ktype_bits((rf_ktype)in->type) / 8 * in->vector : 0,
                      .immediate = immediate(in),
                      .index = index};
    for (uint32_t i = 0; i < nsrc; i++) inst->src[i] = (uint8_t)src[i];
    for (uint32_t i = 0; i < ndst; i++) inst->dst[i] = (uint8_t)dst[i];
}

void rf_program_free(rf_program *program) {
    free(program->kernel);
    free(program->origin);
    free(program->inst);
    free(program->code);
    free(program->text);
    *program = (rf_program){0};
}
