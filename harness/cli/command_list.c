/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep list, lockstep version. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/text.h"
#include "harness/cli/commands.h"
#include "harness/core/report.h"

int ls_command_version(ls_options *o) {
    const ls_tools *tools = ls_tools_once();
    if (o->json) {
        ls_text text = {0};
        ls_text_add(&text, "{\"lockstep\":\"%s\",\"verilator\":", LS_VERSION);
        ls_json_string(&text, tools->version);
        ls_text_add(&text, ",\"tools\":");
        ls_json_string(&text, tools->identity);
        (void)printf("%s}\n", text.data);
        free(ls_text_take(&text));
    } else {
        ls_say(stdout, "lockstep %s, Verilator %s\n", LS_VERSION, tools->version);
    }
    return 0;
}

static void list_json(const ls_unit *u) {
    ls_text t = {0};
    ls_text_add(&t, "{\"unit\":");
    ls_json_string(&t, u->name);
    ls_text_add(&t, ",\"group\":");
    ls_json_string(&t, u->group);
    ls_text_add(&t, ",\"brief\":");
    ls_json_string(&t, u->brief);
    ls_text_add(&t, ",\"params\":[");
    for (size_t i = 0; i < u->param_count; i++) {
        const ls_param *p = &u->params[i];
        ls_text_add(&t, "%s{\"name\":\"%s\",\"default\":%u,\"min\":%u,\"max\":%u,\"text\":", i != 0 ? "," : "", p->name, p->def, p->min, p->max);
        ls_json_string(&t, p->text);
        ls_text_add(&t, "}");
    }
    ls_text_add(&t, "],\"sets\":[");
    for (size_t i = 0; u->sets[i] != NULL; i++) {
        ls_text_add(&t, "%s", i != 0 ? "," : "");
        ls_json_string(&t, u->sets[i]);
    }
    ls_text_add(&t, "],\"system\":%s}", u->workload != NULL ? "true" : "false");
    (void)printf("%s\n", t.data);
    free(ls_text_take(&t));
}

int ls_command_list(ls_options *o) {
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        if (o->unit != NULL && o->unit != *u) continue;
        if (o->json) {
            list_json(*u);
            continue;
        }
        if (o->small) { /* the first fault's: a configuration that is quick to build */
            ls_say(stdout, "%s %s\n", (*u)->name, (*u)->faults[0].params != NULL ? (*u)->faults[0].params : "");
            continue;
        }
        if (o->files) {
            for (const char *const *f = (*u)->rtl; *f != NULL; f++) ls_say(stdout, "%s ", *f);
            ls_say(stdout, "rtl/%s/%s.sv\n", (*u)->group, (*u)->name);
            continue;
        }
        if (o->all_sets) {
            size_t count = 0;
            while ((*u)->sets[count] != NULL) count++;
            for (size_t i = 0; i < count; i++)
                if (ls_sampled(i, count, o->sample)) ls_say(stdout, "%s %s\n", (*u)->name, (*u)->sets[i]);
            continue;
        }
        ls_say(stdout, "%-16s %-8s %s\n", (*u)->name, (*u)->group, (*u)->brief);
        for (size_t i = 0; i < (*u)->param_count; i++) {
            const ls_param *p = &(*u)->params[i];
            ls_say(stdout, "    %-12s %4u  (%u to %u)  %s\n", p->name, p->def, p->min, p->max, p->text);
        }
    }
    return 0;
}
