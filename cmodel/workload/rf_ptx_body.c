/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>

#include "cmodel/workload/rf_ptx_reader.h"

/* --- what has no effect ----------------------------------------------------------------------------------------------------- */

/* An integer, a string or a label, as they follow .file and .loc. */
static bool pass(rf_ptx_reader *r, rf_ptx_kind kind, const char *expected) {
    return r->lex.token.kind == kind ? rf_ptx_next(&r->lex) : rf_ptx_fail_token(&r->lex, "location", expected);
}

static bool pass_whole(rf_ptx_reader *r, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (!pass(r, RF_PTX_INT, "a number")) return false;
    return true;
}

static bool pass_word(rf_ptx_reader *r, const char *word) {
    return rf_ptx_token_is(&r->lex.token, word) ? rf_ptx_next(&r->lex) : rf_ptx_fail_token(&r->lex, "location", word);
}

/* .file index "name" [, time, size]; .loc file line column [, function_name label [+ n], inlined_at file line column] */
bool rf_ptx_location(rf_ptx_reader *r) {
    const bool file = rf_ptx_token_is(&r->lex.token, ".file");
    if (!rf_ptx_next(&r->lex) || !pass_whole(r, file ? 1 : 3)) return false;
    if (file && !pass(r, RF_PTX_STRING, "a file's name")) return false;
    if (!rf_ptx_at(&r->lex, ',')) return true;
    if (!rf_ptx_next(&r->lex)) return false;
    if (file) return pass_whole(r, 1) && rf_ptx_expect(&r->lex, ',', "location") && pass_whole(r, 1);
    if (!pass_word(r, "function_name") || !pass(r, RF_PTX_WORD, "a label")) return false;
    if (rf_ptx_at(&r->lex, '+') && !(rf_ptx_next(&r->lex) && pass_whole(r, 1))) return false;
    return rf_ptx_expect(&r->lex, ',', "location") && pass_word(r, "inlined_at") && pass_whole(r, 3);
}

/* --- statements ------------------------------------------------------------------------------------------------------------- */

static bool define_label(rf_ptx_reader *r, const rf_ptx_token *t) {
    char quote[RF_PTX_QUOTE_MAX + 4];
    if (rf_ptx_find_here(&r->names, RF_PTX_LABEL, t->text, t->length, r->scope))
        return rf_ptx_fail(&r->lex, "label", "'%s' is declared twice", rf_ptx_quote(quote, t->text, t->length));
    rf_ptx_name *const name = rf_ptx_add(&r->names, RF_PTX_LABEL, t->text, t->length, r->scope);
    if (!name) return rf_ptx_no_memory(r);
    name->index = r->kernel->ninst;
    return true;
}

static bool directive(rf_ptx_reader *r) {
    static const struct {
        const char *text;
        rf_kspace space;
    } spaces[] = {{".param", RF_S_PARAM},
                  {".shared", RF_S_SHARED},
                  {".local", RF_S_LOCAL},
                  {".global", RF_S_GLOBAL},
                  {".const", RF_S_CONST}};
    const rf_ptx_token t = r->lex.token;
    if (rf_ptx_token_is(&t, ".loc") || rf_ptx_token_is(&t, ".file")) return rf_ptx_location(r);
    if (rf_ptx_token_is(&t, ".reg")) return rf_ptx_next(&r->lex) && rf_ptx_declare_registers(r);
    if (rf_ptx_token_is(&t, ".pragma")) return rf_ptx_pragma(r);
    for (size_t i = 0; i < sizeof spaces / sizeof spaces[0]; i++)
        if (rf_ptx_token_is(&t, spaces[i].text))
            return rf_ptx_next(&r->lex) && rf_ptx_declare_variables(r, spaces[i].space, false);
    return rf_ptx_fail_token(&r->lex, "directive", "supported in a body");
}

static bool call(rf_ptx_reader *r);

/* A label with its colon, or an instruction. */
static bool statement(rf_ptx_reader *r) {
    rf_koperand guard = {.reg = RF_KNONE};
    if (rf_ptx_at(&r->lex, '@') && !(rf_ptx_next(&r->lex) && rf_ptx_predicate(r, "guard", &guard))) return false;
    const rf_ptx_token t = r->lex.token;
    if (t.kind != RF_PTX_WORD) return rf_ptx_fail_token(&r->lex, "statement", "an instruction, a label or a directive");
    if (!rf_ptx_next(&r->lex)) return false;
    if (rf_ptx_at(&r->lex, ':') && guard.kind != RF_O_PRED) return define_label(r, &t) && rf_ptx_next(&r->lex);
    if (!rf_ptx_token_is(&t, "call") && !rf_ptx_token_is(&t, "call.uni"))
        return rf_ptx_instruction(r, &t, guard.reg, guard.negated);
    return guard.reg == RF_KNONE ? call(r) : rf_ptx_fail(&r->lex, "call", "a guarded call is not supported");
}

static bool open_scope(rf_ptx_reader *r, uint32_t parent) {
    r->scope = rf_ptx_scope(&r->names, parent);
    return r->scope != RF_KNONE || rf_ptx_no_memory(r);
}

bool rf_ptx_body(rf_ptx_reader *r) {
    uint32_t depth = 0;
    if (!rf_ptx_expect(&r->lex, '{', "body")) return false;
    for (;;) {
        if (rf_ptx_at(&r->lex, '}')) {
            r->end_line = r->lex.token.line;
            if (depth-- == 0) return rf_ptx_next(&r->lex);
            r->scope = r->names.parent[r->scope];
            if (!rf_ptx_next(&r->lex)) return false;
        } else if (rf_ptx_at(&r->lex, '{')) {
            if (++depth > RF_PTX_NESTING) return rf_ptx_fail(&r->lex, "body", "scopes nested more than %u deep", RF_PTX_NESTING);
            if (!open_scope(r, r->scope) || !rf_ptx_next(&r->lex)) return false;
        } else if (!(r->lex.token.kind == RF_PTX_DIRECTIVE ? directive(r) : statement(r))) {
            return false;
        }
    }
}

/* --- calls ------------------------------------------------------------------------------------------------------------------ */

/* What a call passes: names of the table, which moves. */
typedef struct actuals {
    uint32_t name[RF_PTX_CALL_PARAMS];
    uint32_t count;
} actuals;

/* (a, b, ...): variables that were declared .param in this body. */
static bool call_list(rf_ptx_reader *r, actuals *list) {
    char quote[RF_PTX_QUOTE_MAX + 4];
    if (!rf_ptx_expect(&r->lex, '(', "call")) return false;
    while (!rf_ptx_at(&r->lex, ')')) {
        if (list->count && !rf_ptx_expect(&r->lex, ',', "call")) return false;
        const rf_ptx_token t = r->lex.token;
        const rf_ptx_name *const name =
            t.kind == RF_PTX_WORD ? rf_ptx_find(&r->names, RF_PTX_PARAM, t.text, t.length, r->scope) : NULL;
        if (!name || name->what != RF_PTX_PARAM || name->space != RF_S_LOCAL)
            return rf_ptx_fail(&r->lex, "call", "'%s' is not a .param variable of this body",
                               rf_ptx_quote(quote, t.text, t.length));
        if (list->count == RF_PTX_CALL_PARAMS) return rf_ptx_fail(&r->lex, "call", "more than %u parameters", RF_PTX_CALL_PARAMS);
        list->name[list->count++] = (uint32_t)(name - r->names.name);
        if (!rf_ptx_next(&r->lex)) return false;
    }
    return rf_ptx_next(&r->lex);
}

/* A function's result lies where the caller's does: it must be no argument as well, which the function may still have to read. */
static bool apart(rf_ptx_reader *r, const actuals *results, const actuals *params) {
    char quote[RF_PTX_QUOTE_MAX + 4];
    for (uint32_t i = 0; i < results->count; i++)
        for (uint32_t p = 0; p < params->count; p++) {
            const rf_ptx_name *const name = &r->names.name[results->name[i]];
            if (results->name[i] == params->name[p])
                return rf_ptx_fail(&r->lex, "call", "'%s' is an argument and a result",
                                   rf_ptx_quote(quote, name->text, name->length));
        }
    return true;
}

/* (.param ...) of what is called, at the places of the caller's. */
static bool bind(rf_ptx_reader *r, const actuals *list) {
    uint32_t n = 0;
    if (!rf_ptx_at(&r->lex, '('))
        return list->count == 0 || rf_ptx_fail(&r->lex, "call", "parameters for a function without any");
    do {
        if (!rf_ptx_next(&r->lex)) return false;
        if (n == 0 && rf_ptx_at(&r->lex, ')')) break;
        if (n == list->count) return rf_ptx_fail(&r->lex, "call", "only %" PRIu32 " parameters passed", n);
        const rf_ptx_name actual = r->names.name[list->name[n++]];
        if (!rf_ptx_declare_param(r, &actual)) return false;
    } while (rf_ptx_at(&r->lex, ','));
    if (n != list->count)
        return rf_ptx_fail(&r->lex, "call", "%" PRIu32 " parameters passed, %" PRIu32 " expected", list->count, n);
    return rf_ptx_expect(&r->lex, ')', "call");
}

/* Reads the function's body here, in a scope of its own within the module's. */
static bool inline_call(rf_ptx_reader *r, rf_ptx_function *f, const actuals *results, const actuals *params) {
    const rf_ptx_place back = rf_ptx_here(r);
    const rf_ptx_token end = {.text = ""};
    const uint32_t scope = r->scope;
    rf_ptx_go(r, &f->place);
    if (!open_scope(r, RF_PTX_MODULE) || !bind(r, results) || !rf_ptx_next(&r->lex) || !bind(r, params)) return false;
    while (rf_ptx_token_is(&r->lex.token, ".noinline") || rf_ptx_token_is(&r->lex.token, ".noreturn"))
        if (!rf_ptx_next(&r->lex)) return false;
    f->active = true;
    r->frames++;
    if (!rf_ptx_body(r) || !define_label(r, &end)) return false;
    r->frames--;
    f->active = false;
    r->scope = scope;
    rf_ptx_go(r, &back);
    return true;
}

/* Behind its opcode. */
static bool call(rf_ptx_reader *r) {
    actuals results = {.count = 0}, params = {.count = 0};
    char quote[RF_PTX_QUOTE_MAX + 4];
    if (rf_ptx_at(&r->lex, '(') && !(call_list(r, &results) && rf_ptx_expect(&r->lex, ',', "call"))) return false;
    const rf_ptx_token t = r->lex.token;
    if (t.kind != RF_PTX_WORD) return rf_ptx_fail_token(&r->lex, "call", "a function's name");
    const rf_ptx_name *const name = rf_ptx_find_here(&r->names, RF_PTX_FUNCTION, t.text, t.length, RF_PTX_MODULE);
    rf_ptx_function *const f = name && name->what == RF_PTX_FUNCTION ? &r->function[name->index] : NULL;
    rf_ptx_quote(quote, t.text, t.length);
    if (!f || f->entry) return rf_ptx_fail(&r->lex, "call", "'%s' is not a function of this file", quote);
    if (!f->defined) return rf_ptx_fail(&r->lex, "call", "'%s' has no body in this file", quote);
    if (f->active) return rf_ptx_fail(&r->lex, "call", "'%s' is recursive", quote);
    if (r->frames == RF_PTX_NESTING) return rf_ptx_fail(&r->lex, "call", "calls nested more than %u deep", RF_PTX_NESTING);
    r->called += f->bytes;
    if (r->called > RF_PTX_BYTES)
        return rf_ptx_fail(&r->lex, "call", "calls that read more than %" PRIu32 " bytes", RF_PTX_BYTES);
    if (!rf_ptx_next(&r->lex)) return false;
    if (rf_ptx_at(&r->lex, ',') && !(rf_ptx_next(&r->lex) && call_list(r, &params))) return false;
    return apart(r, &results, &params) && rf_ptx_expect(&r->lex, ';', "call") && inline_call(r, f, &results, &params);
}
