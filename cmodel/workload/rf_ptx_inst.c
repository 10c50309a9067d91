/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_ptx_reader.h"

#define BARRIERS 16u
#define THREADS 1024u /* of a block */

/* --- operands by their letter ----------------------------------------------------------------------------------------------- */

static rf_ktype twice(rf_ktype type) {
    switch (type) {
    case RF_T_U16:
        return RF_T_U32;
    case RF_T_U32:
        return RF_T_U64;
    case RF_T_S16:
        return RF_T_S32;
    default:
        return RF_T_S64;
    }
}

/* {a, b, ...} of `count` elements. */
static bool vector(rf_ptx_reader *r, rf_kinst *inst, uint32_t count, rf_ktype type, uint32_t may, bool destination) {
    for (uint32_t n = 0; n < count; n++) {
        if (!rf_ptx_expect(&r->lex, n ? ',' : '{', "vector")) return false;
        if (!(destination ? rf_ptx_destination(r, inst, type, may & RF_PTX_WIDER, true) : rf_ptx_source(r, inst, type, may)))
            return false;
    }
    return rf_ptx_expect(&r->lex, '}', "vector");
}

/* Their number and type in a mov, from the commas ahead. */
static bool elements(rf_ptx_reader *r, rf_kinst *inst, rf_ktype *type) {
    const rf_ptx_place here = rf_ptx_here(r);
    uint32_t n = 1;
    while (!rf_ptx_at(&r->lex, '}') && !rf_ptx_at(&r->lex, ';') && r->lex.token.kind != RF_PTX_END) {
        n += rf_ptx_at(&r->lex, ',') && n < 5;
        if (!rf_ptx_next(&r->lex)) return false;
    }
    rf_ptx_go(r, &here);
    const uint32_t bits = rf_ktype_bits((rf_ktype)inst->type) / n;
    *type = bits == 8 ? RF_T_B8 : bits == 16 ? RF_T_B16 : RF_T_B32;
    inst->vector = (uint8_t)n;
    if ((n != 2 && n != 4) || bits < 8 || inst->type > RF_T_B64)
        return rf_ptx_fail(&r->lex, "vector", "mov of 2 or 4 elements of 8 to 32 bits, and a .b type");
    return true;
}

/* Between registers, from anything; from a wide register to a vector of narrow ones, and back. */
static bool mov(rf_ptx_reader *r, rf_kinst *inst) {
    const rf_ktype type = (rf_ktype)inst->type;
    rf_ktype narrow = RF_T_NONE;
    if (rf_ptx_at(&r->lex, '{')) {
        inst->op = RF_K_UNPACK;
        return elements(r, inst, &narrow) && vector(r, inst, inst->vector, narrow, 0, true) &&
               rf_ptx_expect(&r->lex, ',', "mov") && rf_ptx_source(r, inst, type, 0);
    }
    if (!rf_ptx_destination(r, inst, type, false, false) || !rf_ptx_expect(&r->lex, ',', "mov")) return false;
    if (!rf_ptx_at(&r->lex, '{')) return rf_ptx_source(r, inst, type, RF_PTX_SPECIAL | RF_PTX_ADDRESS);
    inst->op = RF_K_PACK;
    return elements(r, inst, &narrow) && vector(r, inst, inst->vector, narrow, 0, false);
}

static bool label(rf_ptx_reader *r) {
    const rf_ptx_token t = r->lex.token;
    if (t.kind != RF_PTX_WORD) return rf_ptx_fail_token(&r->lex, "operand", "a label");
    return rf_ptx_jump_to(r, &t) && rf_ptx_next(&r->lex);
}

/* An integer of 32 bits; an immediate is a multiple of `step` and at most `max`. */
static bool limited(rf_ptx_reader *r, rf_kinst *inst, uint32_t max, uint32_t step) {
    const rf_koperand *const o = &inst->src[inst->nsrc];
    if (!rf_ptx_source(r, inst, RF_T_U32, 0)) return false;
    if (o->kind != RF_O_IMM || (o->imm <= max && o->imm % step == 0)) return true;
    return rf_ptx_fail(&r->lex, "operand", "%" PRId64 " is not a multiple of %" PRIu32 " up to %" PRIu32, (int64_t)o->imm, step,
                       max);
}

static bool operand(rf_ptx_reader *r, rf_kinst *inst, char letter) {
    const rf_ktype type = (rf_ktype)inst->type, src_type = (rf_ktype)inst->src_type;
    switch (letter) {
    case 'd':
        return rf_ptx_destination(r, inst, type, false, false);
    case 'o':
        return rf_ptx_destination(r, inst, type, false, true);
    case 'w':
        return rf_ptx_destination(r, inst, twice(type), false, false);
    case 'n':
        return rf_ptx_destination(r, inst, RF_T_U32, false, false);
    case 'q':
        return rf_ptx_destination(r, inst, RF_T_PRED, false, true);
    case 'Q':
        return rf_ptx_next(&r->lex) && rf_ptx_destination(r, inst, RF_T_PRED, false, true);
    case 'l':
        if (inst->vector > 1) return vector(r, inst, inst->vector, type, RF_PTX_WIDER, true);
        return rf_ptx_destination(r, inst, type, true, false);
    case 'm':
        return mov(r, inst);
    case 's':
        return rf_ptx_source(r, inst, type, 0);
    case 't':
        return rf_ptx_source(r, inst, src_type, 0);
    case 'v':
        return rf_ptx_source(r, inst, twice(type), 0);
    case 'u':
        return rf_ptx_source(r, inst, RF_T_U32, 0);
    case 'r':
        return rf_ptx_source(r, inst, src_type, RF_PTX_WIDER | RF_PTX_SPECIAL);
    case 'R':
        if (inst->vector > 1) return vector(r, inst, inst->vector, type, RF_PTX_WIDER, false);
        return rf_ptx_source(r, inst, type, RF_PTX_WIDER);
    case 'p':
    case 'B':
        return rf_ptx_source(r, inst, RF_T_PRED, 0);
    case 'g':
        return rf_ptx_source(r, inst, type, RF_PTX_ADDRESS);
    case 'a':
        return rf_ptx_address(r, inst);
    case 'b':
        return limited(r, inst, BARRIERS - 1, 1);
    case 'h':
        return limited(r, inst, THREADS, RF_LANES_MAX);
    case 'k':
        return limited(r, inst, 255, 1);
    case 'i':
        if (r->lex.token.kind != RF_PTX_INT) return rf_ptx_fail_token(&r->lex, "operand", "an immediate 0 .. 255");
        return limited(r, inst, 255, 1);
    default:
        return label(r);
    }
}

/* All of them, with their commas. */
static bool operands(rf_ptx_reader *r, rf_kinst *inst, const char *letters) {
    for (const char *at = letters; *at; at++) {
        if (*at == '?') continue;
        if (*at == 'B' && inst->boolean == RF_B_NONE) continue;
        if (*at == 'Q' && !rf_ptx_at(&r->lex, '|')) continue;
        if (at[1] == '?' && rf_ptx_at(&r->lex, ';')) continue;
        if (at > letters && *at != 'Q' && !rf_ptx_expect(&r->lex, ',', "operand")) return false;
        if (!operand(r, inst, *at)) return false;
    }
    return true;
}

/* --- instructions ----------------------------------------------------------------------------------------------------------- */

/* The ret of a called function goes behind the call: to its label without a name. */
static bool return_to_caller(rf_ptx_reader *r, rf_kinst *inst) {
    const rf_ptx_token end = {.text = "", .line = inst->line};
    inst->op = RF_K_BRA;
    return rf_ptx_jump_to(r, &end);
}

/* What a call passes is memory of the lane, unlike an entry's parameters; who goes by the text alone (a stream's) must see that.
 */
static bool local_text(rf_ptx_reader *r, uint32_t *text) {
    static const char local[] = ".local"; /* for .param, .param::entry, .param::func */
    const char *const old = r->kernel->texts[*text], *const at = strstr(old, ".param");
    if (!at) return true;
    const char *const behind = at + 1 + strcspn(at + 1, ".");
    const size_t before = (size_t)(at - old), length = before + sizeof local - 1 + strlen(behind);
    char *const copy = malloc(length + 1);
    if (!copy) return rf_ptx_no_memory(r);
    memcpy(copy, old, before);
    memcpy(copy + before, local, sizeof local - 1);
    strcpy(copy + before + sizeof local - 1, behind);
    const bool good = rf_ptx_text(r, copy, length, text);
    free(copy);
    return good;
}

bool rf_ptx_instruction(rf_ptx_reader *r, const rf_ptx_token *opcode, uint32_t guard, bool guard_negated) {
    uint32_t text = 0;
    if (!rf_ptx_text(r, opcode->text, opcode->length, &text)) return false;
    rf_kinst inst = r->form[text].inst;
    inst.text = text;
    inst.line = opcode->line;
    inst.guard = guard;
    inst.guard_negated = guard_negated;
    if (inst.vector == 4 && rf_ktype_bits((rf_ktype)inst.type) == 64)
        return rf_ptx_fail(&r->lex, "instruction", "'%s': more than 128 bits", r->kernel->texts[text]);
    if (!operands(r, &inst, r->form[text].operands) || !rf_ptx_expect(&r->lex, ';', "operand")) return false;
    if (r->form[text].inst.space == RF_S_PARAM && inst.space == RF_S_LOCAL && !local_text(r, &inst.text)) return false;
    if (inst.op == RF_K_NOP) {
        inst.ndst = inst.nsrc = 0;
        inst.offset = 0;
    }
    if (inst.op == RF_K_EXIT && r->frames && *opcode->text == 'r' && !return_to_caller(r, &inst)) return false;
    return rf_ptx_append(r, &inst);
}
