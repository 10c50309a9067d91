/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/config.h"
#include "harness/memory.h"

static int complain(const char *format, const char *what) {
    (void)fprintf(stderr, "lockstep: ");
    (void)fprintf(stderr, format, what);
    (void)fprintf(stderr, "\n          `lockstep help` lists commands and options\n");
    return -1;
}

static int parse_seed(const char *text, uint64_t *seed) {
    char *end;
    const size_t n = strlen(text);
    *seed = strtoull(text, &end, 16);
    if (n == 0 || n > 16 || strspn(text, "0123456789abcdefABCDEF") != n) return complain("--seed %s: expected 1 to 16 hexadecimal digits", text);
    return 0;
}

static int parse_count(const char *option, const char *text, uint64_t *count) {
    char *end;
    const size_t n = strlen(text);
    *count = strtoull(text, &end, 10);
    if (n == 0 || n > 18 || strspn(text, "0123456789") != n || *count == 0) {
        char *what = ls_format("%s %s", option, text);
        const int status = complain("%s: expected a whole number from 1", what);
        free(what);
        return status;
    }
    return 0;
}

static int set_param(ls_options *o, const char *text) {
    char error[512];
    if (o->unit == NULL) return complain("--param %s: name the unit first", text);
    if (ls_config_set(o->unit, o->cfg, text, error, sizeof error) != 0) return complain("%s", error);
    return 0;
}

static int set_unit(ls_options *o, const char *name) {
    o->unit = ls_unit_find(name);
    if (o->unit == NULL) return complain("no unit %s: `lockstep list` names them", name);
    o->cfg = ls_config_new(o->unit);
    return 0;
}

static int positional(ls_options *o, const char *word) {
    const bool names_file = ls_unit_find(word) == NULL && access(word, R_OK) == 0; /* `waves` takes either */
    const bool takes_file = strcmp(o->command, "replay") == 0 || strcmp(o->command, "shrink") == 0 ||
                            (strcmp(o->command, "waves") == 0 && names_file);
    if (takes_file && o->file == NULL) {
        o->file = word;
        return 0;
    }
    if (!takes_file && o->unit == NULL) return set_unit(o, word);
    return complain("unexpected \"%s\"", word);
}

static int flag(ls_options *o, const char *word) {
    const struct {
        const char *name;
        bool *value;
    } flags[] = {{"--waves", &o->waves},         {"--json", &o->json},   {"--ports-only", &o->ports_only},
                 {"--no-shrink", &o->no_shrink}, {"--quiet", &o->quiet}, {"--all-sets", &o->all_sets},
                 {"--brief", &o->brief},         {"--small", &o->small},
                 {"--files", &o->files}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (strcmp(word, flags[i].name) != 0) continue;
        *flags[i].value = true;
        return 0;
    }
    return complain("unknown option %s", word);
}

static bool takes_value(const char *word) {
    static const char *const names[] = {"--param", "--seed", "--cycles", "--timeout", "--jobs", "--workload", "--record", "--output", "--define"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(word, names[i]) == 0) return true;
    return false;
}

/* An option with its value. */
static int valued(ls_options *o, const char *word, const char *value) {
    uint64_t n = 0;
    if (strcmp(word, "--param") == 0) return set_param(o, value);
    if (strcmp(word, "--seed") == 0) return parse_seed(value, &o->seed);
    if (strcmp(word, "--cycles") == 0) return parse_count(word, value, &o->cycles);
    if (strcmp(word, "--timeout") == 0 || strcmp(word, "--jobs") == 0) {
        if (parse_count(word, value, &n) != 0) return -1;
        if (n > 100000) return complain("%s: expected at most 100000", word);
        if (word[2] == 't') o->timeout = (double)n;
        else o->jobs = (int)n;
        return 0;
    }
    const struct {
        const char *name, **to;
    } texts[] = {{"--workload", &o->workload}, {"--record", &o->record}, {"--output", &o->output}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(word, texts[i].name) != 0) continue;
        *texts[i].to = value;
        return 0;
    }
    ls_args_add(&o->defines, "%s", value);
    return 0;
}

int ls_options_parse(ls_options *o, int argc, char **argv) {
    *o = (ls_options){.command = argc > 1 ? argv[1] : "help", .seed = 1, .argc = argc, .argv = argv, .jobs = 1};
    for (int i = 2; i < argc; i++) {
        const char *word = argv[i];
        int status;
        if (strcmp(word, "--rtl") == 0) {
            if (i + 1 >= argc || argv[i + 1][0] == '-') return complain("%s: expected one or more files", word);
            while (i + 1 < argc && argv[i + 1][0] != '-') ls_args_add(&o->rtl, "%s", argv[++i]);
            continue;
        }
        if (word[0] != '-') status = positional(o, word);
        else if (!takes_value(word)) status = flag(o, word);
        else if (i + 1 >= argc || strncmp(argv[i + 1], "--", 2) == 0) return complain("%s: expected a value", word);
        else status = valued(o, word, argv[++i]);
        if (status != 0) return -1;
    }
    o->color = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == NULL;
    return 0;
}

void ls_options_free(ls_options *o) {
    free(o->cfg);
    ls_args_free(&o->rtl);
    ls_args_free(&o->defines);
}

char *ls_shell_word(const char *word) {
    if (word[0] != '\0' && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%") == strlen(word))
        return ls_copy(word);
    ls_text text = {0};
    ls_text_add(&text, "'");
    for (const char *c = word; *c != '\0'; c++) ls_text_add(&text, *c == '\'' ? "'\\''" : "%c", *c);
    ls_text_add(&text, "'");
    return ls_text_take(&text);
}

static void add_word(ls_text *text, const char *option, const char *word) {
    char *quoted = ls_shell_word(word);
    ls_text_add(text, " %s%s%s", option, option[0] != '\0' ? " " : "", quoted);
    free(quoted);
}

char *ls_options_command(const ls_options *o, const char *command, uint64_t seed, uint64_t cycles) {
    ls_text text = {0};
    char *self = ls_shell_word(o->argv[0]);
    ls_text_add(&text, "%s %s", self, command);
    free(self);
    add_word(&text, "", o->file != NULL ? o->file : o->unit->name);
    for (size_t i = 0; i < o->unit->param_count && o->file == NULL; i++) {
        const ls_param *p = &o->unit->params[i];
        const uint32_t value = ls_config_get(p, o->cfg);
        if (value != p->def) ls_text_add(&text, " --param %s=%u", p->name, value);
    }
    if (o->workload != NULL) add_word(&text, "--workload", o->workload);
    if (o->file == NULL) ls_text_add(&text, " --seed %016" PRIx64, seed);
    if (o->file == NULL && cycles != 0) ls_text_add(&text, " --cycles %" PRIu64, cycles);
    if (o->rtl.count > 0) ls_text_add(&text, " --rtl");
    for (size_t i = 0; i < o->rtl.count; i++) add_word(&text, "", o->rtl.list[i]);
    for (size_t i = 0; i < o->defines.count; i++) add_word(&text, "--define", o->defines.list[i]);
    if (o->ports_only) ls_text_add(&text, " --ports-only");
    return ls_text_take(&text);
}
