/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/options.h"

#include <inttypes.h>
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/core/config.h"

void ls_options_free(ls_options *o) {
    free(o->cfg);
    ls_machine_free(&o->described);
    ls_args_free(&o->rtl);
    ls_args_free(&o->defines);
    ls_args_free(&o->fixed);
    ls_args_free(&o->from);
    ls_args_free(&o->extra);
    ls_args_free(&o->given);
    ls_args_free(&o->cut);
    ls_args_free(&o->lists);
    ls_args_free(&o->relative);
}

ls_design_request ls_options_design(const ls_options *o) {
    return (ls_design_request){.unit = o->unit,
                               .cfg = o->cfg,
                               .rtl = (const char *const *)o->rtl.list,
                               .rtl_count = o->rtl.count,
                               .defines = (const char *const *)o->defines.list,
                               .define_count = o->defines.count,
                               .extra = &o->extra,
                               .strict = o->rtl.count > 0 || o->unit->place != NULL,
                               .allow_system = o->allow_system,
                               .ports_only = o->ports_only};
}

static void add_word(ls_text *text, const char *option, const char *word) {
    char *quoted = ls_shell_word(word);
    ls_text_add(text, " %s%s%s", option, option[0] != '\0' ? " " : "", quoted);
    free(quoted);
}

/* The parameters that are not as the machine has them, or without one the unit. */
static void add_params(ls_text *text, const ls_options *o) {
    char error[1024];
    void *machines = ls_config_new(o->unit);
    if (ls_machine_configure(&o->described, o->unit, machines, error, sizeof error) != 0) ls_die("%s", error);
    for (size_t i = 0; i < o->unit->param_count; i++) {
        const ls_param *p = &o->unit->params[i];
        const uint32_t value = ls_config_get(p, o->cfg);
        if (value != ls_config_get(p, machines)) ls_text_add(text, " --param %s=%u", p->name, value);
    }
    free(machines);
}

char *ls_options_command(const ls_options *o, const char *command, uint64_t seed, uint64_t cycles) {
    ls_text text = {0};
    char *self = ls_shell_word(o->argv[0]);
    ls_text_add(&text, "%s %s", self, command);
    free(self);
    add_word(&text, "", o->file != NULL ? o->file : o->unit->name);
    if (o->machine != NULL) add_word(&text, "--machine", o->machine);
    if (o->file == NULL) add_params(&text, o);
    if (o->workload != NULL) add_word(&text, "--workload", o->workload);
    if (o->load_latency != 0) ls_text_add(&text, " --load-latency %u", o->load_latency);
    if (o->file == NULL) ls_text_add(&text, " --seed %016" PRIx64, seed);
    if (o->file == NULL && cycles != 0) ls_text_add(&text, " --cycles %" PRIu64, cycles);
    const bool listed = o->lists.count + o->relative.count > 0;
    const ls_args *rtl = listed ? &o->given : &o->rtl; /* of a case file: from there */
    for (size_t i = 0; i < o->lists.count; i++) add_word(&text, "-f", o->lists.list[i]);
    for (size_t i = 0; i < o->relative.count; i++) add_word(&text, "-F", o->relative.list[i]);
    if (rtl->count > 0) ls_text_add(&text, " --rtl");
    for (size_t i = 0; i < rtl->count; i++) add_word(&text, "", rtl->list[i]);
    for (size_t i = 0; i < (listed ? o->defined : o->defines.count); i++) add_word(&text, "--define", o->defines.list[i]);
    if (o->map != NULL) add_word(&text, "--map", o->map);
    if (o->ports_only) ls_text_add(&text, " --ports-only");
    if (o->allow_system) ls_text_add(&text, " --allow-system");
    if (o->netlist) ls_text_add(&text, " --netlist");
    if (o->netlist && o->liberty != NULL) add_word(&text, "--lib", o->liberty);
    if (o->assertions) ls_text_add(&text, " --assert");
    return ls_text_take(&text);
}

bool ls_sampled(size_t i, size_t count, uint32_t sample, uint32_t turn) {
    if (turn > 1 && count > 0) i = (i + count - (turn - 1) % count) % count;
    if (sample == 0 || count <= sample) return true;
    if (sample == 1) return i == 0;
    const size_t gaps = sample - 1u, steps = count - 1, nth = (i * gaps + steps - 1) / steps;
    return nth * steps / gaps == i;
}
