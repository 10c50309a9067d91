/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_ptx.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_ptx_reader.h"

/* --- directives of the module ----------------------------------------------------------------------------------------------- */

/* Passes `open` ... `close` and everything between, nested. */
static bool pass_nested(rf_ptx_reader *r, char open, char close) {
    uint32_t depth = 0;
    do {
        if (r->lex.token.kind == RF_PTX_END) return rf_ptx_fail(&r->lex, "body", "the file ends before its '%c'", close);
        depth += rf_ptx_at(&r->lex, open);
        depth -= rf_ptx_at(&r->lex, close);
        if (!rf_ptx_next(&r->lex)) return false;
    } while (depth);
    return true;
}

/* Major and minor number, of 2.0 .. 9.9. */
static bool version(rf_ptx_reader *r) {
    const rf_ptx_token t = r->lex.token;
    if (t.kind != RF_PTX_F64 || t.length != 3 || t.text[0] < '2' || t.text[1] != '.')
        return rf_ptx_fail_token(&r->lex, ".version", "a version 2.0 .. 9.9");
    return rf_ptx_next(&r->lex);
}

/* sm_80, compute_80 and promises that change nothing; map_f64_to_f32 would. */
static bool target(rf_ptx_reader *r) {
    for (;;) {
        const rf_ptx_token t = r->lex.token;
        const bool machine = t.kind == RF_PTX_WORD && t.length > 3 && memcmp(t.text, "sm_", 3) == 0;
        if (!machine && !rf_ptx_token_is(&t, "debug") && !rf_ptx_token_is(&t, "texmode_unified") &&
            !rf_ptx_token_is(&t, "texmode_independent"))
            return rf_ptx_fail_token(&r->lex, ".target", "a supported target");
        if (!rf_ptx_next(&r->lex)) return false;
        if (!rf_ptx_at(&r->lex, ',')) return true;
        if (!rf_ptx_next(&r->lex)) return false;
    }
}

static bool address_size(rf_ptx_reader *r) {
    uint64_t bits = 0;
    if (!rf_ptx_whole(&r->lex, ".address_size", 32, 64, &bits)) return false;
    r->module.address_bits = (uint32_t)bits;
    return bits == 32 || bits == 64 || rf_ptx_fail(&r->lex, ".address_size", "%" PRIu64 " is not 32 or 64", bits);
}

/* Debug information: a name and a block in braces. */
static bool section(rf_ptx_reader *r) {
    if (!rf_ptx_next(&r->lex)) return false;
    if (!rf_ptx_at(&r->lex, '{')) return rf_ptx_fail_token(&r->lex, ".section", "'{'");
    return pass_nested(r, '{', '}');
}

/* An entry or a function: its name and where it stands; the body is for later. */
static bool function(rf_ptx_reader *r, bool entry) {
    const rf_ptx_place place = rf_ptx_here(r);
    char quote[RF_PTX_QUOTE_MAX + 4];
    if (!entry && rf_ptx_at(&r->lex, '(') && !pass_nested(r, '(', ')')) return false;
    const rf_ptx_token t = r->lex.token;
    if (t.kind != RF_PTX_WORD) return rf_ptx_fail_token(&r->lex, "function", "a name");
    if (!rf_ptx_next(&r->lex)) return false;
    rf_ptx_name *name = rf_ptx_find_here(&r->names, RF_PTX_FUNCTION, t.text, t.length, RF_PTX_MODULE);
    rf_ptx_quote(quote, t.text, t.length);
    if (!name) {
        if (!rf_ptx_room(&r->function, &r->function_capacity, r->nfunction, sizeof *r->function)) return rf_ptx_no_memory(r);
        name = rf_ptx_add(&r->names, RF_PTX_FUNCTION, t.text, t.length, RF_PTX_MODULE);
        if (!name) return rf_ptx_no_memory(r);
        name->index = r->nfunction++;
        r->function[name->index] = (rf_ptx_function){.name = t, .entry = entry};
    }
    if (name->what != RF_PTX_FUNCTION || r->function[name->index].entry != entry)
        return rf_ptx_fail(&r->lex, "function", "'%s' is declared as something else", quote);
    while (!rf_ptx_at(&r->lex, '{') && !rf_ptx_at(&r->lex, ';')) {
        if (r->lex.token.kind == RF_PTX_END) return rf_ptx_fail_token(&r->lex, "function", "a body or ';'");
        if (!(rf_ptx_token_is(&r->lex.token, ".pragma") ? rf_ptx_pragma(r) : rf_ptx_next(&r->lex))) return false;
    }
    if (rf_ptx_at(&r->lex, ';')) return rf_ptx_next(&r->lex);
    rf_ptx_function *const f = &r->function[name->index];
    if (f->defined) return rf_ptx_fail(&r->lex, "function", "'%s' has two bodies", quote);
    f->defined = true;
    f->place = place;
    const char *const body = place.token.text;
    if (!pass_nested(r, '{', '}')) return false;
    r->function[name->index].bytes = (size_t)(r->lex.at - body);
    return true;
}

static bool module_directive(rf_ptx_reader *r) {
    bool external = false;
    rf_ptx_token t = r->lex.token;
    while (rf_ptx_token_is(&t, ".visible") || rf_ptx_token_is(&t, ".weak") || rf_ptx_token_is(&t, ".common") ||
           rf_ptx_token_is(&t, ".extern")) {
        external |= rf_ptx_token_is(&t, ".extern");
        if (!rf_ptx_next(&r->lex)) return false;
        t = r->lex.token;
    }
    if (t.kind != RF_PTX_DIRECTIVE) return rf_ptx_fail_token(&r->lex, "module", "a directive");
    if (rf_ptx_token_is(&t, ".file") || rf_ptx_token_is(&t, ".loc")) return rf_ptx_location(r);
    if (rf_ptx_token_is(&t, ".pragma")) return rf_ptx_pragma(r);
    if (!rf_ptx_next(&r->lex)) return false;
    if (rf_ptx_token_is(&t, ".version")) return version(r);
    if (rf_ptx_token_is(&t, ".target")) return target(r);
    if (rf_ptx_token_is(&t, ".address_size")) return address_size(r);
    if (rf_ptx_token_is(&t, ".section")) return section(r);
    if (rf_ptx_token_is(&t, ".entry")) return function(r, true);
    if (rf_ptx_token_is(&t, ".func")) return function(r, false);
    if (rf_ptx_token_is(&t, ".global")) return rf_ptx_declare_variables(r, RF_S_GLOBAL, external);
    if (rf_ptx_token_is(&t, ".const")) return rf_ptx_declare_variables(r, RF_S_CONST, external);
    if (rf_ptx_token_is(&t, ".shared")) return rf_ptx_declare_variables(r, RF_S_SHARED, external);
    if (rf_ptx_token_is(&t, ".local")) return rf_ptx_declare_variables(r, RF_S_LOCAL, external);
    char quote[RF_PTX_QUOTE_MAX + 4];
    return rf_ptx_fail(&r->lex, "directive", "'%s' is not supported", rf_ptx_quote(quote, t.text, t.length));
}

/* --- entries ---------------------------------------------------------------------------------------------------------------- */

/* .maxntid and the like; only .reqntid says something about how the kernel runs. */
static bool entry_directives(rf_ptx_reader *r) {
    static const char *const bounds[] = {".reqntid", ".maxntid", ".minnctapersm", ".maxnctapersm", ".maxnreg"};
    while (r->lex.token.kind == RF_PTX_DIRECTIVE) {
        const rf_ptx_token t = r->lex.token;
        uint32_t which = 0, n = 0;
        uint64_t value[3] = {1, 1, 1};
        while (which < sizeof bounds / sizeof bounds[0] && !rf_ptx_token_is(&t, bounds[which])) which++;
        if (rf_ptx_token_is(&t, ".pragma")) {
            if (!rf_ptx_pragma(r)) return false;
            continue;
        }
        if (which == sizeof bounds / sizeof bounds[0]) return rf_ptx_fail_token(&r->lex, "entry", "a supported directive");
        do {
            if (!rf_ptx_next(&r->lex) || !rf_ptx_whole(&r->lex, bounds[which], 1, 65535, &value[n++])) return false;
        } while (which < 2 && n < 3 && rf_ptx_at(&r->lex, ','));
        for (uint32_t i = 0; which == 0 && i < 3; i++) r->kernel->reqntid[i] = (uint32_t)value[i];
    }
    return true;
}

static bool entry_params(rf_ptx_reader *r) {
    if (!rf_ptx_at(&r->lex, '(')) return true;
    if (!rf_ptx_next(&r->lex)) return false;
    while (!rf_ptx_at(&r->lex, ')')) {
        if (r->kernel->nparam && !rf_ptx_expect(&r->lex, ',', "parameter")) return false;
        if (!rf_ptx_declare_param(r, NULL)) return false;
    }
    return rf_ptx_next(&r->lex);
}

/* Dynamic shared memory starts where the entry's own ends. */
static void place_dynamic(rf_ptx_reader *r) {
    rf_kernel *const k = r->kernel;
    k->dynamic_shared = r->npatch > 0;
    if (r->npatch) k->shared_bytes = (k->shared_bytes + r->dynamic_align - 1) / r->dynamic_align * r->dynamic_align;
    for (uint32_t i = 0; i < r->npatch; i++) k->inst[r->patch[i].inst].src[r->patch[i].src].imm += k->shared_bytes;
}

static bool entry(rf_ptx_reader *r, const rf_ptx_function *f) {
    rf_module *const m = &r->module;
    const uint32_t names = r->names.count, scopes = r->names.scopes, shared = r->shared_top, local = r->local_top;
    if (!rf_ptx_room(&m->kernel, &r->kernel_capacity, m->nkernel, sizeof *m->kernel)) return rf_ptx_no_memory(r);
    r->kernel = &m->kernel[m->nkernel++];
    *r->kernel = (rf_kernel){.name = malloc(f->name.length + 1)};
    if (!r->kernel->name) return rf_ptx_no_memory(r);
    memcpy(r->kernel->name, f->name.text, f->name.length);
    r->kernel->name[f->name.length] = '\0';
    r->inst_capacity = r->var_capacity = r->text_capacity = r->param_capacity = 0;
    r->njump = r->npatch = 0;
    r->called = 0;
    r->scope = rf_ptx_scope(&r->names, RF_PTX_MODULE);
    if (r->scope == RF_KNONE) return rf_ptx_no_memory(r);
    rf_ptx_go(r, &f->place);
    if (!rf_ptx_next(&r->lex) || !entry_params(r) || !entry_directives(r) || !rf_ptx_body(r) || !rf_ptx_flow(r)) return false;
    r->kernel->shared_bytes = r->shared_top;
    r->kernel->local_bytes = r->local_top;
    place_dynamic(r);
    r->shared_top = shared;
    r->local_top = local;
    rf_ptx_forget(&r->names, names, scopes);
    return true;
}

static bool read_module(rf_ptx_reader *r) {
    uint32_t entries = 0;
    r->module.address_bits = 32; /* PTX's default */
    r->global_top = RF_GLOBAL_BASE;
    if (rf_ptx_scope(&r->names, RF_PTX_MODULE) == RF_KNONE) return rf_ptx_no_memory(r);
    if (!rf_ptx_token_is(&r->lex.token, ".version")) return rf_ptx_fail_token(&r->lex, "module", ".version: not a PTX file");
    while (r->lex.token.kind != RF_PTX_END)
        if (!module_directive(r)) return false;
    for (uint32_t i = 0; i < r->nfunction; i++) {
        if (!r->function[i].entry || !r->function[i].defined) continue;
        if (!entry(r, &r->function[i])) return false;
        entries++;
    }
    return entries || rf_ptx_fail(&r->lex, "module", "no .entry with a body");
}

/* --- files ------------------------------------------------------------------------------------------------------------------ */

/* The whole file into *text; 0, or -1 and a message. */
static int read_file(const rf_source *source, const char *path, char **text, size_t *size, char *error, size_t error_size) {
    void *handle = NULL;
    size_t capacity = 0, used = 0;
    char *buffer = NULL;
    long got = 1;
    if (source->open(source->ctx, path, &handle, error, error_size) != 0) return -1;
    while (got > 0) {
        if (used == capacity) {
            capacity = capacity ? 2 * capacity : 1 << 16;
            char *const grown = capacity <= 2 * (size_t)RF_PTX_BYTES ? realloc(buffer, capacity) : NULL;
            if (!grown) {
                (void)snprintf(error, error_size, "%s: %s", path, used < RF_PTX_BYTES ? "no memory" : "more than 32 MiB");
                got = -1;
                break;
            }
            buffer = grown;
        }
        got = source->read(handle, buffer + used, capacity - used, error, error_size);
        if (got > 0) used += (size_t)got;
    }
    source->close(handle);
    if (got < 0) free(buffer);
    if (got < 0) return -1;
    *text = buffer;
    *size = used;
    return 0;
}

int rf_ptx_read(const rf_source *source, const char *path, rf_module *module, char *error, size_t size) {
    char *text = NULL;
    size_t length = 0;
    *module = (rf_module){0};
    if (read_file(source, path, &text, &length, error, size) != 0) return -1;
    rf_ptx_reader r = {.scope = RF_PTX_MODULE};
    bool good = rf_ptx_begin(&r.lex, path, text, length);
    r.module.path = malloc(strlen(path) + 1);
    good = good && (r.module.path || rf_ptx_no_memory(&r));
    if (r.module.path) strcpy(r.module.path, path);
    good = good && read_module(&r);
    free(r.function);
    free(r.form);
    free(r.jump);
    free(r.patch);
    rf_ptx_names_free(&r.names);
    rf_ptx_names_free(&r.once);
    free(text);
    if (good) {
        *module = r.module;
        return 0;
    }
    rf_module_free(&r.module);
    (void)snprintf(error, size, "%s", r.lex.error);
    return -1;
}

rf_kernel *rf_module_kernel(rf_module *module, const char *name) {
    if (!name) return module->nkernel == 1 ? &module->kernel[0] : NULL;
    for (uint32_t i = 0; i < module->nkernel; i++)
        if (strcmp(module->kernel[i].name, name) == 0) return &module->kernel[i];
    return NULL;
}
