/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/export/vpi.h"

#include <stdlib.h>

#include "harness/export/model_c.h"

static char *write_readme(const ls_export *e, const ls_args *sources) {
    const char *const u = e->unit->name;
    char *params = ls_export_params(e);
    ls_text t = {0};
    ls_text_add(
        &t,
        "# %s %s: its model beside the RTL, through VPI\n\n"
        "A module for Icarus. It finds every instance of `%s` and compares in each cycle all outputs, after each edge all\n"
        "registers and memories, with the C model, which gets the same inputs. Once, in this folder:\n\n"
        "    iverilog-vpi --name=%s_lockstep -I.",
        u, params, ls_unit_top(e->unit), u);
    for (size_t i = 0; i < sources->count; i++) ls_text_add(&t, "%s%s", i % 4 == 3 ? " \\\n        " : " ", sources->list[i]);
    ls_text_add(
        &t,
        "\n\nThen with your files, where `TB` is your top module and `HERE` this folder, absolute:\n\n"
        "    iverilog -g2012 -s TB -o tb.vvp FILES && vvp -n -M HERE -m %s_lockstep tb.vvp\n\n"
        "The first cycle that differs ends the simulation, with status 1. Cycles count from the first rising edge in\n"
        "reset; when nothing was compared, that is an error.\n\n"
        "| argument of `vvp`, behind the file | does |\n|---|---|\n"
        "| `+lockstep_go_on` | goes on after a difference |\n"
        "| `+lockstep_pass_x` | bits that are X in the RTL are not compared; else they differ |\n\n"
        "Memories: the model takes their contents before the first edge without reset. A row with X is compared from when\n"
        "it has none.\n\nIcarus 11 aborts (`elab_type.cc`) on a port whose type is a struct of a package.\n\nMade by `%s`.\n",
        u, e->command);
    free(params);
    return ls_export_file(e, "README.md", &t);
}

/* NULL, or an array of which one index from 0 on does not name the elements: of others a module would have to know the ranges. */
static char *refused_array(const ls_export *e, const ls_layout *l) {
    char *error = NULL;
    for (size_t i = 0; i < l->count && error == NULL; i++) {
        const ls_spot *p = &l->list[i];
        char *name = ls_export_name(p->field, NULL);
        const char *wrong = p->apart && p->field->pieces == NULL ? name : NULL;
        for (const ls_piece *q = p->field->pieces; q < p->field->pieces + p->field->piece_count; q++)
            if (q->signal != NULL && q->signal_count > 1 && !ls_export_plain(e, q->signal)) wrong = q->signal;
        if (wrong != NULL)
            error = ls_format("%s: it has several indexes, or one that does not begin at 0: sv-bind or vectors", wrong);
        free(name);
    }
    return error;
}

char *ls_export_vpi(const ls_export *e) {
    ls_layout layout;
    ls_args sources = {0};
    char *error = ls_layout_make(e, &layout);
    if (error != NULL) return error;
    if (!layout.clocked)
        error = ls_format("%s has no clock, and a VPI module compares at its edges: sv-bind or vectors", e->unit->name);
    if (error == NULL) error = refused_array(e, &layout);
    if (error == NULL) error = ls_export_model(e, &layout, true, &sources);
    if (error == NULL) error = write_readme(e, &sources);
    ls_args_free(&sources);
    ls_layout_free(&layout);
    return error;
}
