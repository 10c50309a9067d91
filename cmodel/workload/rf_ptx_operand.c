/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_ptx_reader.h"

/* --- constants -------------------------------------------------------------------------------------------------------------- */

/* `value`, which must be an integer of the type's width, signed or not: sign-extended. */
static bool fit(rf_ptx_reader *r, rf_ktype type, uint64_t value, uint64_t *imm) {
    const uint32_t n = rf_ktype_bits(type);
    *imm = value;
    if (n == 64) return true;
    const int64_t v = (int64_t)value;
    if (v < -(INT64_C(1) << (n - 1)) || v >= INT64_C(1) << n)
        return rf_ptx_fail(&r->lex, "immediate", "%" PRId64 " is out of range for %s", v, rf_ptx_type_text(type));
    *imm = value & UINT64_C(1) << (n - 1) ? value | ~rf_mask64(n) : value & rf_mask64(n);
    return true;
}

bool rf_ptx_immediate(rf_ptx_reader *r, rf_ktype type, uint64_t *imm) {
    rf_ptx_kind kind = RF_PTX_INT;
    uint64_t value = 0;
    if (!rf_ptx_constant(&r->lex, "immediate", &kind, &value)) return false;
    if (type == RF_T_PRED && kind == RF_PTX_INT) {
        *imm = value != 0;
        return true;
    }
    if (kind == RF_PTX_INT && type != RF_T_NONE && !rf_ktype_float(type)) return fit(r, type, value, imm);
    if ((kind == RF_PTX_F32 && (type == RF_T_F32 || type == RF_T_B32)) ||
        (kind == RF_PTX_F64 && (type == RF_T_F64 || type == RF_T_B64))) {
        *imm = value;
        return true;
    }
    if (kind == RF_PTX_F64 && type == RF_T_F32) {
        double wide = 0;
        uint32_t bits = 0;
        memcpy(&wide, &value, sizeof wide);
        const float narrow = (float)wide;
        memcpy(&bits, &narrow, sizeof bits);
        *imm = bits;
        return true;
    }
    if (kind == RF_PTX_F32 && type == RF_T_F64) {
        const uint32_t bits = (uint32_t)value;
        float narrow = 0;
        memcpy(&narrow, &bits, sizeof narrow);
        const double wide = narrow;
        memcpy(imm, &wide, sizeof wide);
        return true;
    }
    return rf_ptx_fail(&r->lex, "immediate", "%s constant for %s", kind == RF_PTX_INT ? "an integer" : "a floating-point",
                       rf_ptx_type_text(type));
}

/* --- names ------------------------------------------------------------------------------------------------------------------ */

/* The range of this scope that holds the register: "%r12" may be the 12 of "%r<13>" or the 2 of "%r1<3>". */
static const rf_ptx_name *range_here(const rf_ptx_reader *r, const char *text, size_t length, uint32_t scope) {
    uint64_t number = 0, digit = 1;
    for (size_t at = length; at > 1 && length - at < 10 && text[at - 1] >= '0' && text[at - 1] <= '9'; digit *= 10) {
        number += digit * (uint64_t)(text[--at] - '0');
        if (text[at] == '0' && at + 1 < length) continue; /* no leading zeros */
        const rf_ptx_name *const range = rf_ptx_find_here(&r->names, RF_PTX_RANGE, text, at, scope);
        if (range && number < range->index) return range;
    }
    return NULL;
}

/* The register, variable, parameter, label or function of that name; NULL: none, or (in `lex`) no memory. */
static rf_ptx_name *find(rf_ptx_reader *r, const rf_ptx_token *t) {
    for (uint32_t scope = r->scope;; scope = r->names.parent[scope]) {
        rf_ptx_name *name = rf_ptx_find_here(&r->names, RF_PTX_REGISTER, t->text, t->length, scope);
        if (name) return name;
        const rf_ptx_name *const range = range_here(r, t->text, t->length, scope);
        if (range) {
            const uint8_t type = range->type;
            name = rf_ptx_add(&r->names, RF_PTX_REGISTER, t->text, t->length, scope);
            if (name) name->type = type;
            else rf_ptx_no_memory(r);
            return name;
        }
        if (scope == RF_PTX_MODULE) return NULL;
    }
}

static bool undefined(rf_ptx_reader *r, const rf_ptx_token *t) {
    char quote[RF_PTX_QUOTE_MAX + 4];
    return rf_ptx_fail(&r->lex, "name", "'%s' is not declared", rf_ptx_quote(quote, t->text, t->length));
}

/* The kernel's variable of a register; made at its first use. */
static bool variable_of(rf_ptx_reader *r, rf_ptx_name *name) {
    rf_kernel *const k = r->kernel;
    if (name->index != RF_KNONE) return true;
    if (!rf_ptx_room(&k->var, &r->var_capacity, k->nvar, sizeof *k->var)) return rf_ptx_no_memory(r);
    char *const text = malloc(name->length + 1);
    if (!text) return rf_ptx_no_memory(r);
    memcpy(text, name->text, name->length);
    text[name->length] = '\0';
    name->index = k->nvar;
    k->var[k->nvar++] = (rf_kvar){.name = text, .type = name->type};
    return true;
}

/* PTX's rule of agreeing types: the same width (or, for integers and bits in ld, st and cvt, a wider register); an untyped side
 * agrees with any other, signed with unsigned, floats only with themselves. */
static bool agree(rf_ktype instruction, rf_ktype variable, bool wider) {
    const uint32_t need = rf_ktype_bits(instruction), have = rf_ktype_bits(variable);
    const bool untyped = (instruction >= RF_T_B8 && instruction <= RF_T_B64) || (variable >= RF_T_B8 && variable <= RF_T_B64);
    if ((instruction == RF_T_PRED) != (variable == RF_T_PRED)) return false;
    if (wider && !rf_ktype_float(instruction) ? have < need : have != need) return false;
    return untyped || rf_ktype_float(instruction) == rf_ktype_float(variable);
}

/* A register as an operand of that type. */
static bool register_operand(rf_ptx_reader *r, const rf_ptx_token *t, rf_ptx_name *name, rf_ktype type, bool wider,
                             rf_koperand *o) {
    char quote[RF_PTX_QUOTE_MAX + 4];
    const rf_ktype is = (rf_ktype)name->type;
    rf_ptx_quote(quote, t->text, t->length);
    if (name->what != RF_PTX_REGISTER) return rf_ptx_fail(&r->lex, "operand", "'%s' is not a register", quote);
    if (!agree(type, is, wider))
        return rf_ptx_fail(&r->lex, "operand", "'%s' is %s, not %s", quote, rf_ptx_type_text(is), rf_ptx_type_text(type));
    if (!variable_of(r, name)) return false;
    *o = (rf_koperand){.kind = is == RF_T_PRED ? RF_O_PRED : RF_O_REG, .reg = name->index};
    if (is != RF_T_PRED) o->words = rf_ktype_bits(is) == 64 ? 2 : 1;
    return true;
}

/* --- operands --------------------------------------------------------------------------------------------------------------- */

bool rf_ptx_offset(rf_ptx_reader *r, uint64_t *offset) {
    rf_ptx_kind kind = RF_PTX_INT;
    *offset = 0;
    if (!rf_ptx_at(&r->lex, '+')) return true;
    if (!rf_ptx_next(&r->lex) || !rf_ptx_constant(&r->lex, "offset", &kind, offset)) return false;
    return kind == RF_PTX_INT || rf_ptx_fail(&r->lex, "offset", "a floating-point constant");
}

/* The immediate src[index] of the next instruction is in dynamic shared memory, whose start is known when the entry ends. */
static bool patch(rf_ptx_reader *r, uint32_t src) {
    if (!rf_ptx_room(&r->patch, &r->patch_capacity, r->npatch, sizeof *r->patch)) return rf_ptx_no_memory(r);
    r->patch[r->npatch++] = (rf_ptx_patch){.inst = r->kernel->ninst, .src = src};
    return true;
}

static bool special_register(rf_ptx_reader *r, const rf_ptx_token *t, rf_ktype type, rf_koperand *o) {
    for (uint32_t s = 0; s < RF_SR_COUNT; s++) {
        if (!rf_ptx_token_is(t, rf_kspecial_name((rf_kspecial)s))) continue;
        const bool wide = s == RF_SR_GRIDID || s == RF_SR_CLOCK64 || s == RF_SR_GLOBALTIMER;
        const rf_ktype is = wide ? RF_T_U64 : RF_T_U32;
        if (!agree(type, is, false))
            return rf_ptx_fail(&r->lex, "operand", "'%s' is %s, not %s", rf_kspecial_name((rf_kspecial)s), rf_ptx_type_text(is),
                               rf_ptx_type_text(type));
        *o = (rf_koperand){.kind = RF_O_SPECIAL, .reg = s};
        return true;
    }
    return undefined(r, t);
}

static bool another_space(rf_ptx_reader *r, const rf_ptx_name *name) {
    char quote[RF_PTX_QUOTE_MAX + 4];
    return rf_ptx_fail(&r->lex, "address", "'%s' is in another state space", rf_ptx_quote(quote, name->text, name->length));
}

bool rf_ptx_source(rf_ptx_reader *r, rf_kinst *inst, rf_ktype type, uint32_t may) {
    rf_koperand *const o = &inst->src[inst->nsrc];
    const bool negated = type == RF_T_PRED && rf_ptx_at(&r->lex, '!');
    if (negated && !rf_ptx_next(&r->lex)) return false;
    const rf_ptx_token t = r->lex.token;
    inst->nsrc++;
    if (t.kind != RF_PTX_WORD || rf_ptx_token_is(&t, "WARP_SZ")) {
        *o = (rf_koperand){.kind = RF_O_IMM};
        if (negated) return rf_ptx_fail_token(&r->lex, "operand", "a predicate");
        return rf_ptx_immediate(r, type, &o->imm);
    }
    rf_ptx_name *const name = find(r, &t);
    if (!rf_ptx_next(&r->lex)) return false;
    if (!name) return may & RF_PTX_SPECIAL ? special_register(r, &t, type, o) : undefined(r, &t);
    if (may & RF_PTX_ADDRESS && (name->what == RF_PTX_VARIABLE || name->what == RF_PTX_PARAM)) {
        uint64_t offset = 0;
        *o = (rf_koperand){.kind = RF_O_IMM};
        if (name->dynamic && !patch(r, (uint32_t)inst->nsrc - 1)) return false;
        if (inst->op == RF_K_CVTA && inst->space != name->space) return another_space(r, name);
        if (rf_ktype_float(type) || rf_ktype_bits(type) < 32)
            return rf_ptx_fail(&r->lex, "operand", "an address needs an integer of 32 or 64 bits");
        const uint64_t address = name->address;
        return rf_ptx_offset(r, &offset) && fit(r, type, address + offset, &o->imm);
    }
    if (!register_operand(r, &t, name, type, may & RF_PTX_WIDER, o)) return false;
    o->negated = negated;
    return true;
}

bool rf_ptx_predicate(rf_ptx_reader *r, const char *what, rf_koperand *operand) {
    const bool negated = rf_ptx_at(&r->lex, '!');
    if (negated && !rf_ptx_next(&r->lex)) return false;
    const rf_ptx_token t = r->lex.token;
    if (t.kind != RF_PTX_WORD) return rf_ptx_fail_token(&r->lex, what, "a predicate");
    rf_ptx_name *const name = find(r, &t);
    if (!name) return undefined(r, &t);
    if (!register_operand(r, &t, name, RF_T_PRED, false, operand)) return false;
    operand->negated = negated;
    return rf_ptx_next(&r->lex);
}

bool rf_ptx_destination(rf_ptx_reader *r, rf_kinst *inst, rf_ktype type, bool wider, bool sink) {
    const rf_ptx_token t = r->lex.token;
    rf_koperand *const o = &inst->dst[inst->ndst++];
    *o = (rf_koperand){.kind = RF_O_NONE};
    if (t.kind != RF_PTX_WORD) return rf_ptx_fail_token(&r->lex, "operand", "a register");
    if (rf_ptx_token_is(&t, "_")) return sink ? rf_ptx_next(&r->lex) : rf_ptx_fail(&r->lex, "operand", "'_' is not allowed here");
    rf_ptx_name *const name = find(r, &t);
    if (!name) return undefined(r, &t);
    return register_operand(r, &t, name, type, wider, o) && rf_ptx_next(&r->lex);
}

/* The state space that an access to this variable has, if the instruction may say what it says. */
static bool space_of(rf_ptx_reader *r, const rf_ptx_name *name, rf_kinst *inst) {
    const bool writes = inst->op == RF_K_ST || inst->op == RF_K_ATOM || inst->op == RF_K_RED, param = name->what == RF_PTX_PARAM;
    char quote[RF_PTX_QUOTE_MAX + 4];
    if (inst->space != (param ? RF_S_PARAM : name->space) && (inst->space != RF_S_GENERIC || param))
        return another_space(r, name);
    if (writes && (name->space == RF_S_PARAM || name->space == RF_S_CONST))
        return rf_ptx_fail(&r->lex, "address", "'%s' is read only", rf_ptx_quote(quote, name->text, name->length));
    inst->space = name->space;
    return true;
}

/* [register], [register+offset], [variable+offset], [number]. What a call passes is local memory, and so is .param in what is
 * called. */
bool rf_ptx_address(rf_ptx_reader *r, rf_kinst *inst) {
    rf_koperand *const o = &inst->src[inst->nsrc++];
    uint64_t offset = 0;
    *o = (rf_koperand){.kind = RF_O_IMM};
    if (!rf_ptx_expect(&r->lex, '[', "address")) return false;
    const rf_ptx_token t = r->lex.token;
    if (t.kind != RF_PTX_WORD) {
        if (!rf_ptx_immediate(r, RF_T_U64, &o->imm)) return false;
    } else {
        rf_ptx_name *const name = find(r, &t);
        if (!name) return undefined(r, &t);
        if (!rf_ptx_next(&r->lex)) return false;
        if (name->what == RF_PTX_VARIABLE || name->what == RF_PTX_PARAM) {
            if (name->dynamic && !patch(r, (uint32_t)inst->nsrc - 1)) return false;
            o->imm = name->address;
            if (!space_of(r, name, inst) || !rf_ptx_offset(r, &offset)) return false;
            o->imm += offset;
            return rf_ptx_expect(&r->lex, ']', "address");
        }
        const bool wide = name->what == RF_PTX_REGISTER && rf_ktype_bits((rf_ktype)name->type) == 64;
        if (!register_operand(r, &t, name, wide ? RF_T_U64 : RF_T_U32, false, o) || !rf_ptx_offset(r, &offset)) return false;
        inst->offset = (int64_t)offset;
        if (inst->offset < INT32_MIN || inst->offset > INT32_MAX)
            return rf_ptx_fail(&r->lex, "address", "offset %" PRId64 " is beyond 32 bits", inst->offset);
    }
    if (inst->space == RF_S_PARAM && r->frames) inst->space = RF_S_LOCAL;
    return rf_ptx_expect(&r->lex, ']', "address");
}
