/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep list, lockstep version. */
#include <stdio.h>
#include <stdlib.h>

#include "harness/base/json.h"
#include "harness/base/text.h"
#include "harness/cli/commands.h"
#include "harness/core/place.h"
#include "harness/core/report.h"

int ls_command_version(ls_options *o) {
    const ls_tools *tools = ls_tools_once();
    if (o->json) {
        ls_text text = {0};
        ls_json_open(&text, NULL, '{');
        ls_json_text(&text, "lockstep", LS_VERSION);
        ls_json_text(&text, "verilator", tools->version);
        ls_json_text(&text, "tools", tools->identity);
        ls_json_close(&text, '{');
        (void)printf("%s\n", text.data);
        free(ls_text_take(&text));
    } else {
        ls_say(stdout, "lockstep %s, Verilator %s\n", LS_VERSION, tools->version);
    }
    return 0;
}

static void list_json(const ls_unit *u) {
    ls_text t = {0};
    ls_json_open(&t, NULL, '{');
    ls_json_text(&t, "unit", u->name);
    ls_json_text(&t, "group", u->group);
    ls_json_text(&t, "brief", u->brief);
    ls_json_open(&t, "params", '[');
    for (size_t i = 0; i < u->param_count; i++) {
        const ls_param *p = &u->params[i];
        ls_json_open(&t, NULL, '{');
        ls_json_text(&t, "name", p->name);
        ls_json_uint(&t, "default", p->def);
        ls_json_uint(&t, "min", p->min);
        ls_json_uint(&t, "max", p->max);
        ls_json_text(&t, "text", p->text);
        ls_json_close(&t, '{');
    }
    ls_json_close(&t, '[');
    ls_json_open(&t, "sets", '[');
    for (size_t i = 0; u->sets[i] != NULL; i++) {
        ls_json_text(&t, NULL, u->sets[i]);
    }
    ls_json_close(&t, '[');
    ls_json_bool(&t, "system", u->workload != NULL);
    ls_json_close(&t, '{');
    (void)printf("%s\n", t.data);
    free(ls_text_take(&t));
}

static void list_machines(const ls_options *o) {
    ls_args names = {0};
    ls_machine_names(&names);
    for (size_t i = 0; i < names.count; i++) {
        ls_text t = {0};
        char *title = ls_machine_title(names.list[i]), *path = ls_machine_path(names.list[i]);
        ls_json_open(&t, NULL, '{');
        ls_json_text(&t, "machine", names.list[i]);
        ls_json_text(&t, "brief", title);
        ls_json_text(&t, "file", path);
        ls_json_close(&t, '{');
        if (o->json) (void)printf("%s\n", t.data);
        else ls_say(stdout, "%-16s %s\n", names.list[i], title);
        free(ls_text_take(&t));
        free(title);
        free(path);
    }
    ls_args_free(&names);
}

int ls_command_list(ls_options *o) {
    if (o->machines && o->unit != NULL) {
        ls_say(stderr, "lockstep: list --machines takes no unit\n");
        return 2;
    }
    if (o->machines) {
        list_machines(o);
        return 0;
    }
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
            char *top = ls_unit_part_name(*u, LS_PART_RTL);
            ls_say(stdout, "%s\n", top);
            free(top);
            continue;
        }
        if (o->all_sets) {
            size_t count = 0;
            while ((*u)->sets[count] != NULL) count++;
            for (size_t i = 0; i < count; i++)
                if (ls_sampled(i, count, o->sample, o->turn)) ls_say(stdout, "%s %s\n", (*u)->name, (*u)->sets[i]);
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
