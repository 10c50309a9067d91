/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_ptx_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool rf_ptx_no_memory(rf_ptx_reader *r) { return rf_ptx_fail(&r->lex, "memory", "no memory"); }

rf_ptx_place rf_ptx_here(const rf_ptx_reader *r) { return (rf_ptx_place){r->lex.at, r->lex.line, r->lex.token}; }

void rf_ptx_go(rf_ptx_reader *r, const rf_ptx_place *place) {
    r->lex.at = place->at;
    r->lex.line = place->line;
    r->lex.token = place->token;
}

/* Strings up to a semicolon: hints to a compiler. */
bool rf_ptx_pragma(rf_ptx_reader *r) {
    do {
        if (!rf_ptx_next(&r->lex)) return false;
        if (r->lex.token.kind != RF_PTX_STRING) return rf_ptx_fail_token(&r->lex, ".pragma", "a string");
        if (!rf_ptx_next(&r->lex)) return false;
    } while (rf_ptx_at(&r->lex, ','));
    return rf_ptx_expect(&r->lex, ';', ".pragma");
}

/* --- the kernel's lists ----------------------------------------------------------------------------------------------------- */

bool rf_ptx_text(rf_ptx_reader *r, const char *text, size_t length, uint32_t *index) {
    rf_kernel *const k = r->kernel;
    char error[RF_PTX_ERROR_MAX / 2];
    const rf_ptx_name *const known = rf_ptx_find_here(&r->names, RF_PTX_OPCODE, text, length, RF_PTX_MODULE);
    if (known) {
        *index = known->index;
        return true;
    }
    if (!rf_ptx_room(&k->texts, &r->text_capacity, k->ntext, sizeof *k->texts) ||
        !rf_ptx_room(&r->form, &r->form_capacity, k->ntext, sizeof *r->form))
        return rf_ptx_no_memory(r);
    char *const copy = malloc(length + 1);
    if (!copy) return rf_ptx_no_memory(r);
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (rf_ptx_decode(&r->form[k->ntext], copy, error, sizeof error)) {
        free(copy);
        return rf_ptx_fail(&r->lex, "instruction", "%s", error);
    }
    k->texts[k->ntext] = copy;
    *index = k->ntext++;
    rf_ptx_name *const name = rf_ptx_add(&r->names, RF_PTX_OPCODE, copy, length, RF_PTX_MODULE);
    if (!name) return rf_ptx_no_memory(r);
    name->index = *index;
    return true;
}

bool rf_ptx_append(rf_ptx_reader *r, const rf_kinst *inst) {
    rf_kernel *const k = r->kernel;
    if (k->ninst == RF_PTX_INSTRUCTIONS) return rf_ptx_fail(&r->lex, "entry", "more than %" PRIu32 " instructions", k->ninst);
    if (!rf_ptx_room(&k->inst, &r->inst_capacity, k->ninst, sizeof *k->inst)) return rf_ptx_no_memory(r);
    k->inst[k->ninst++] = *inst;
    return true;
}

bool rf_ptx_jump_to(rf_ptx_reader *r, const rf_ptx_token *label) {
    if (!rf_ptx_room(&r->jump, &r->jump_capacity, r->njump, sizeof *r->jump)) return rf_ptx_no_memory(r);
    r->jump[r->njump++] = (rf_ptx_jump){.inst = r->kernel->ninst, .scope = r->scope, .label = *label};
    return true;
}
