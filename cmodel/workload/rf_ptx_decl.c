/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_ptx_reader.h"

#define DIMENSIONS 8u

/* What stands between a state space and a name. */
typedef struct declaration {
    rf_ktype type;
    uint32_t element, align;                    /* bytes; element of one of a vector's elements */
    uint32_t dimension[DIMENSIONS], dimensions; /* of an array, a vector's elements last */
    uint64_t size;
    bool array, unsized;
} declaration;

static bool declare(rf_ptx_reader *r, rf_ptx_what what, const rf_ptx_token *t, rf_ptx_name **name) {
    char quote[RF_PTX_QUOTE_MAX + 4];
    if (rf_ptx_find_here(&r->names, what, t->text, t->length, r->scope))
        return rf_ptx_fail(&r->lex, "declaration", "'%s' is declared twice", rf_ptx_quote(quote, t->text, t->length));
    *name = rf_ptx_add(&r->names, what, t->text, t->length, r->scope);
    return *name || rf_ptx_no_memory(r);
}

static bool name_token(rf_ptx_reader *r, rf_ptx_token *t) {
    *t = r->lex.token;
    if (t->kind != RF_PTX_WORD || memchr(t->text, '.', t->length)) return rf_ptx_fail_token(&r->lex, "declaration", "a name");
    return rf_ptx_next(&r->lex);
}

/* --- registers -------------------------------------------------------------------------------------------------------------- */

bool rf_ptx_declare_registers(rf_ptx_reader *r) {
    const rf_ktype type = rf_ptx_type(r->lex.token.text, r->lex.token.length);
    if (type == RF_T_NONE) return rf_ptx_fail_token(&r->lex, ".reg", "a supported type of registers");
    do {
        rf_ptx_token t;
        rf_ptx_name *name = NULL;
        uint64_t count = 0;
        if (!rf_ptx_next(&r->lex) || !name_token(r, &t)) return false;
        const bool range = rf_ptx_at(&r->lex, '<');
        if (!declare(r, range ? RF_PTX_RANGE : RF_PTX_REGISTER, &t, &name)) return false;
        name->type = (uint8_t)type;
        if (!range) continue;
        if (!rf_ptx_next(&r->lex) || !rf_ptx_whole(&r->lex, ".reg", 1, INT32_MAX, &count) || !rf_ptx_expect(&r->lex, '>', ".reg"))
            return false;
        name->index = (uint32_t)count;
    } while (rf_ptx_at(&r->lex, ','));
    return rf_ptx_expect(&r->lex, ';', ".reg");
}

/* --- variables -------------------------------------------------------------------------------------------------------------- */

/* .align, .v2, .v4, .ptr and the type, up to the name. */
static bool attributes(rf_ptx_reader *r, declaration *d, bool param) {
    *d = (declaration){0};
    while (r->lex.token.kind == RF_PTX_DIRECTIVE) {
        const rf_ptx_token t = r->lex.token;
        uint64_t align = 0;
        const rf_ktype type = rf_ptx_type(t.text, t.length);
        if (rf_ptx_token_is(&t, ".align")) {
            if (!rf_ptx_next(&r->lex) || !rf_ptx_whole(&r->lex, ".align", 1, RF_PTX_ALIGN_MAX, &align)) return false;
            if (align & (align - 1)) return rf_ptx_fail(&r->lex, ".align", "%" PRIu64 " is not a power of two", align);
            d->align = (uint32_t)align;
            continue;
        }
        if (param && rf_ptx_token_is(&t, ".ptr")) { /* a promise about what the parameter points to */
            if (!rf_ptx_next(&r->lex)) return false;
            for (bool more = true; more;) {
                const rf_ptx_token p = r->lex.token;
                more = rf_ptx_token_is(&p, ".align");
                if (!more && !rf_ptx_token_is(&p, ".global") && !rf_ptx_token_is(&p, ".shared") &&
                    !rf_ptx_token_is(&p, ".const") && !rf_ptx_token_is(&p, ".local"))
                    break;
                if (!rf_ptx_next(&r->lex) || (more && !rf_ptx_whole(&r->lex, ".align", 1, RF_PTX_ALIGN_MAX, &align)))
                    return false;
                more = true;
            }
            continue;
        }
        if (type != RF_T_NONE && type != RF_T_PRED && d->type == RF_T_NONE) d->type = type;
        else if ((rf_ptx_token_is(&t, ".v2") || rf_ptx_token_is(&t, ".v4")) && d->dimensions == 0)
            d->dimension[d->dimensions++] = t.text[2] == '2' ? 2 : 4;
        else return rf_ptx_fail_token(&r->lex, "declaration", "supported here");
        if (!rf_ptx_next(&r->lex)) return false;
    }
    if (d->type == RF_T_NONE) return rf_ptx_fail_token(&r->lex, "declaration", "a type");
    d->element = rf_ktype_bits(d->type) / 8;
    d->size = (uint64_t)d->element * (d->dimensions ? d->dimension[0] : 1);
    if (d->align == 0) d->align = (uint32_t)d->size;
    return true;
}

/* `[n]` as often as it stands there; *d holds the vector's elements only. */
static bool dimensions(rf_ptx_reader *r, declaration *d) {
    const uint32_t vector = d->dimensions ? d->dimension[0] : 0;
    d->dimensions = 0;
    while (rf_ptx_at(&r->lex, '[')) {
        uint64_t n = 0;
        if (d->dimensions + 1 == DIMENSIONS)
            return rf_ptx_fail(&r->lex, "declaration", "more than %u dimensions", DIMENSIONS - 1);
        if (!rf_ptx_next(&r->lex)) return false;
        d->unsized |= rf_ptx_at(&r->lex, ']');
        if (!d->unsized && !rf_ptx_whole(&r->lex, "array", 0, RF_PTX_GLOBAL_BYTES, &n)) return false;
        if (!rf_ptx_expect(&r->lex, ']', "array")) return false;
        d->array = true;
        d->dimension[d->dimensions++] = (uint32_t)n;
        d->size *= n;
        if (d->size > RF_PTX_GLOBAL_BYTES)
            return rf_ptx_fail(&r->lex, "array", "more than %" PRIu32 " bytes", RF_PTX_GLOBAL_BYTES);
    }
    if (vector) d->dimension[d->dimensions++] = vector;
    return true;
}

/* Room for `size` bytes behind *top, which stays at or below `max`. */
static bool place(rf_ptx_reader *r, const declaration *d, uint64_t max, const char *what, uint64_t *top, uint64_t *address) {
    const uint64_t at = (*top + d->align - 1) / d->align * d->align;
    if (at > max || d->size > max - at) return rf_ptx_fail(&r->lex, what, "more than %" PRIu64 " bytes", max);
    *address = at;
    *top = at + d->size;
    return true;
}

static bool place_private(rf_ptx_reader *r, const declaration *d, const char *what, uint32_t *top, uint64_t *address) {
    uint64_t wide = *top;
    if (!place(r, d, RF_PTX_PRIVATE_BYTES, what, &wide, address)) return false;
    *top = (uint32_t)wide;
    return true;
}

/* A number; the address of a variable of global or constant memory, or generic() of it. */
static bool initial_value(rf_ptx_reader *r, const declaration *d, uint8_t *to) {
    char quote[RF_PTX_QUOTE_MAX + 4];
    uint64_t value = 0, offset = 0;
    const rf_ptx_token t = r->lex.token;
    if (t.kind == RF_PTX_WORD && rf_ptx_token_is(&t, "generic")) {
        if (!rf_ptx_next(&r->lex) || !rf_ptx_expect(&r->lex, '(', "initialiser")) return false;
    }
    const rf_ptx_token symbol = r->lex.token;
    if (symbol.kind == RF_PTX_WORD && !rf_ptx_token_is(&symbol, "WARP_SZ")) {
        const rf_ptx_name *const name = rf_ptx_find(&r->names, RF_PTX_VARIABLE, symbol.text, symbol.length, r->scope);
        rf_ptx_quote(quote, symbol.text, symbol.length);
        if (!name || name->what != RF_PTX_VARIABLE || (name->space != RF_S_GLOBAL && name->space != RF_S_CONST))
            return rf_ptx_fail(&r->lex, "initialiser", "'%s' is not a variable in global or constant memory declared before",
                               quote);
        if (rf_ktype_float(d->type) || d->element < 4)
            return rf_ptx_fail(&r->lex, "initialiser", "an address needs an integer of 32 or 64 bits");
        if (!rf_ptx_next(&r->lex)) return false;
        value = name->address;
        if (symbol.text != t.text && !rf_ptx_expect(&r->lex, ')', "initialiser")) return false;
        if (!rf_ptx_offset(r, &offset)) return false;
        value += offset;
        if (d->element == 4 && value > UINT32_MAX) return rf_ptx_fail(&r->lex, "initialiser", "an address beyond 32 bits");
    } else if (!rf_ptx_immediate(r, d->type, &value)) {
        return false;
    }
    for (uint32_t i = 0; i < d->element; i++) to[i] = (uint8_t)(value >> 8 * i);
    return true;
}

/* A list in braces for each dimension from `level` on; what it leaves out is zero. */
static bool initialiser(rf_ptx_reader *r, const declaration *d, uint32_t level, uint8_t *to) {
    if (level == d->dimensions) return initial_value(r, d, to);
    size_t stride = d->element;
    for (uint32_t i = level + 1; i < d->dimensions; i++) stride *= d->dimension[i];
    if (!rf_ptx_expect(&r->lex, '{', "initialiser")) return false;
    for (uint32_t i = 0; !rf_ptx_at(&r->lex, '}'); i++) {
        if (i && !rf_ptx_expect(&r->lex, ',', "initialiser")) return false;
        if (i == d->dimension[level]) return rf_ptx_fail(&r->lex, "initialiser", "more than %" PRIu32 " elements", i);
        if (!initialiser(r, d, level + 1, to + i * stride)) return false;
    }
    return rf_ptx_next(&r->lex);
}

/* A variable of global or constant memory, and what it starts with. */
static bool global_variable(rf_ptx_reader *r, const declaration *d, const rf_ptx_token *t, rf_kspace space, uint64_t *address) {
    rf_module *const m = &r->module;
    if (!rf_ptx_room(&m->global, &r->global_capacity, m->nglobal, sizeof *m->global)) return rf_ptx_no_memory(r);
    if (!place(r, d, RF_GLOBAL_BASE + RF_PTX_GLOBAL_BYTES, "global memory", &r->global_top, address)) return false;
    rf_kglobal *const g = &m->global[m->nglobal];
    *g = (rf_kglobal){.name = malloc(t->length + 1), .space = (uint8_t)space, .address = *address, .size = d->size};
    if (!g->name) return rf_ptx_no_memory(r);
    m->nglobal++;
    memcpy(g->name, t->text, t->length);
    g->name[t->length] = '\0';
    if (!rf_ptx_at(&r->lex, '=')) return true;
    g->init = calloc(1, d->size ? (size_t)d->size : 1);
    if (!g->init) return rf_ptx_no_memory(r);
    return rf_ptx_next(&r->lex) && initialiser(r, d, 0, g->init);
}

/* Passes the initial values of a variable that has its place, and its values, from a call before. */
static bool initialised_before(rf_ptx_reader *r, const declaration *d) {
    uint8_t *const values = calloc(1, d->size ? (size_t)d->size : 1);
    if (!values) return rf_ptx_no_memory(r);
    const bool good = rf_ptx_next(&r->lex) && initialiser(r, d, 0, values);
    free(values);
    return good;
}

/* A function's body is read anew at every call, but its variables outside registers and the lane's memory are the same ones each
 * time (C's static): of the same entry in shared memory, of the module elsewhere. */
static bool variable_once(rf_ptx_reader *r, const declaration *d, const rf_ptx_token *t, rf_kspace space, uint64_t *address) {
    const uint32_t at = (uint32_t)(t->text - r->lex.start), entry = space == RF_S_SHARED ? r->module.nkernel : 0;
    rf_ptx_name *name = rf_ptx_find_here(&r->once, RF_PTX_ONCE, t->text, t->length, at);
    if (name && name->index == entry) {
        *address = name->address;
        return !rf_ptx_at(&r->lex, '=') || space == RF_S_SHARED || initialised_before(r, d);
    }
    if (!(space == RF_S_SHARED ? place_private(r, d, "shared memory", &r->shared_top, address)
                               : global_variable(r, d, t, space, address)))
        return false;
    if (!name) name = rf_ptx_add(&r->once, RF_PTX_ONCE, t->text, t->length, at);
    if (!name) return rf_ptx_no_memory(r);
    name->index = entry;
    name->address = *address;
    return true;
}

/* Finds the variable's place in its state space. In a body .param is what a call passes: memory of the lane. */
static bool place_variable(rf_ptx_reader *r, const declaration *d, const rf_ptx_token *t, rf_kspace space, bool dynamic,
                           uint64_t *address) {
    if (dynamic) {
        if (d->align > r->dynamic_align) r->dynamic_align = d->align;
        return true;
    }
    if (d->unsized) return rf_ptx_fail(&r->lex, "array", "without a size");
    switch (space) {
    case RF_S_GLOBAL:
    case RF_S_CONST:
    case RF_S_SHARED:
        return variable_once(r, d, t, space, address);
    default:
        return place_private(r, d, "local memory", &r->local_top, address);
    }
}

bool rf_ptx_declare_variables(rf_ptx_reader *r, rf_kspace space, bool external) {
    declaration of_all;
    if (!attributes(r, &of_all, space == RF_S_PARAM)) return false;
    for (;;) {
        declaration d = of_all;
        rf_ptx_token t;
        rf_ptx_name *name = NULL;
        uint64_t address = 0;
        if (!name_token(r, &t) || !dimensions(r, &d)) return false;
        const bool dynamic = external && space == RF_S_SHARED && (d.unsized || d.size == 0);
        if (external && !dynamic) return rf_ptx_fail(&r->lex, ".extern", "a variable that is not in this file");
        if (!place_variable(r, &d, &t, space, dynamic, &address)) return false;
        if (!declare(r, space == RF_S_PARAM ? RF_PTX_PARAM : RF_PTX_VARIABLE, &t, &name)) return false;
        name->type = (uint8_t)d.type;
        name->space = (uint8_t)(space == RF_S_PARAM ? RF_S_LOCAL : space);
        name->dynamic = dynamic;
        name->address = address;
        name->size = d.size;
        if (!rf_ptx_at(&r->lex, ',')) break;
        if (!rf_ptx_next(&r->lex)) return false;
    }
    return rf_ptx_expect(&r->lex, ';', "declaration");
}

/* --- parameters ------------------------------------------------------------------------------------------------------------- */

static bool entry_param(rf_ptx_reader *r, const declaration *d, const rf_ptx_token *t, uint64_t *address) {
    rf_kernel *const k = r->kernel;
    uint64_t top = k->param_bytes;
    if (!rf_ptx_room(&k->param, &r->param_capacity, k->nparam, sizeof *k->param)) return rf_ptx_no_memory(r);
    if (!place(r, d, RF_PTX_PARAM_BYTES, "parameters", &top, address)) return false;
    char *const name = malloc(t->length + 1);
    if (!name) return rf_ptx_no_memory(r);
    memcpy(name, t->text, t->length);
    name[t->length] = '\0';
    k->param[k->nparam++] = (rf_kparam){
        .name = name, .type = (uint8_t)(d->array ? RF_T_B8 : d->type), .offset = (uint32_t)*address, .size = (uint32_t)d->size};
    k->param_bytes = (uint32_t)top;
    return true;
}

bool rf_ptx_declare_param(rf_ptx_reader *r, const rf_ptx_name *actual) {
    declaration d;
    rf_ptx_token t;
    rf_ptx_name *name = NULL;
    uint64_t address = actual ? actual->address : 0;
    const uint64_t size = actual ? actual->size : 0;
    if (!rf_ptx_token_is(&r->lex.token, ".param")) return rf_ptx_fail_token(&r->lex, "parameter", ".param");
    if (!rf_ptx_next(&r->lex) || !attributes(r, &d, true) || !name_token(r, &t) || !dimensions(r, &d)) return false;
    if (d.unsized) return rf_ptx_fail(&r->lex, "parameter", "an array without a size");
    if (actual && d.size != size)
        return rf_ptx_fail(&r->lex, "parameter", "called with %" PRIu64 " bytes for %" PRIu64, size, d.size);
    if (actual && address % d.align) return rf_ptx_fail(&r->lex, "parameter", "called with less than .align %" PRIu32, d.align);
    if (!actual && !entry_param(r, &d, &t, &address)) return false;
    const uint8_t space = actual ? actual->space : RF_S_PARAM;
    if (!declare(r, RF_PTX_PARAM, &t, &name)) return false; /* moves what `actual` points to */
    name->type = (uint8_t)d.type;
    name->space = space;
    name->address = address;
    name->size = d.size;
    return true;
}
