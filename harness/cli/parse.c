/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/text.h"
#include "harness/core/config.h"

/* What a command takes besides options. */
typedef enum subject_kind { NOTHING, A_UNIT, A_CASE, EITHER, A_WORKLOAD } subject_kind;

#define RTL_OPTIONS " --rtl --define --ports-only --allow-system --assert"
#define RUN_OPTIONS " --output --record --timeout --json --quiet"
#define UNIT_OPTIONS " --param --seed --cycles --workload"

/* The options that each command uses; all others are refused. `of_case`: with a case file in place of a unit. `verb`: the second
 * word of a command of two. */
static const struct command {
    const char *name, *verb;
    subject_kind subject;
    const char *options, *of_case;
} commands[] = {{"list", NULL, A_UNIT, " --all-sets --small --files --sample --json", NULL},
                {"run", NULL, A_UNIT, UNIT_OPTIONS RTL_OPTIONS RUN_OPTIONS " --brief --waves --no-shrink --coverage --netlist --lib", NULL},
                {"model", NULL, A_UNIT, UNIT_OPTIONS " --record --json --quiet --load-latency", NULL},
                {"replay", NULL, A_CASE, RTL_OPTIONS RUN_OPTIONS " --brief --waves --netlist --lib", NULL},
                {"shrink", NULL, A_CASE, RTL_OPTIONS " --json --netlist --lib", NULL},
                {"waves", NULL, EITHER, UNIT_OPTIONS RTL_OPTIONS RUN_OPTIONS, RTL_OPTIONS RUN_OPTIONS},
                {"bench", NULL, A_UNIT, " --param --seed --all-sets --json" RTL_OPTIONS, NULL},
                {"faults", NULL, A_UNIT, " --seed --jobs --sample --json --record", NULL},
                {"prove", NULL, A_UNIT, " --param --rtl --ports-only --allow-system --lib --seconds --json --record --quiet", NULL},
                {"workload", "list", NOTHING, " --json", NULL},
                {"workload", "bench", A_WORKLOAD, " --registers --json", NULL},
                {"workload", "build", A_WORKLOAD, " --output --registers --rthld --large --json", NULL},
                {"workload", "info", A_WORKLOAD, " --json", NULL},
                {"workload", "dump", A_WORKLOAD, " --kernel --warp --limit", NULL},
                {"regress", NULL, A_CASE, " --jobs --launch --retries --tier --only --fresh --traces --resume --history --output --quiet", NULL},
                {"job", NULL, A_CASE, " --number --ticket", NULL},
                {"coverage", NULL, A_CASE, "", NULL},
                {"report", NULL, A_CASE, " --history --no-times --quiet", NULL},
                {"synth", NULL, A_UNIT,
                 " --param --rtl --lib --no-macros --all --accept --only --jobs --timeout --history --json --record --brief --quiet", NULL},
                {"energy", NULL, A_UNIT,
                 UNIT_OPTIONS " --rtl --ports-only --allow-system --lib --no-macros --idle --period --transition --nets --json --record --quiet", NULL},
                {"mutants", NULL, A_UNIT, " --side --jobs --sample --seed --timeout --json --record --quiet", NULL},
                {"version", NULL, NOTHING, " --json", NULL},
                {"--version", NULL, NOTHING, " --json", NULL},
                {"help", NULL, NOTHING, "", NULL},
                {"--help", NULL, NOTHING, "", NULL}};

/* The command of that name, and of that verb if it has any. */
static const struct command *find_command(const char *name, const char *verb) {
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const struct command *c = &commands[i];
        if (strcmp(c->name, name) == 0 && (c->verb == NULL || strcmp(c->verb, verb) == 0)) return c;
    }
    return NULL;
}

static int complain(const char *format, const char *what) {
    char *said = ls_format(format, what);
    ls_say(stderr, "lockstep: %s\n          `lockstep help` lists commands and options\n", said);
    free(said);
    return -1;
}

static int parse_seed(const char *option, const char *text, uint64_t *seed) {
    char *end;
    const size_t n = strlen(text);
    *seed = strtoull(text, &end, 16);
    if (n == 0 || n > 16 || strspn(text, "0123456789abcdefABCDEF") != n) {
        char *what = ls_format("%s %s: expected 1 to 16 hexadecimal digits", option, text);
        const int status = complain("%s", what);
        free(what);
        return status;
    }
    return 0;
}

/* A whole number from `min`, which is 0 or 1; `scaled`: with k or M behind it, as in a plan. */
static int parse_whole(const char *option, const char *text, uint64_t min, bool scaled, uint64_t *number) {
    if (!ls_whole_number(text, scaled, number) || *number < min) {
        char *what = ls_format("%s %s: expected a whole number from %d%s", option, text, (int)min, scaled ? " (k and M allowed)" : "");
        const int status = complain("%s", what);
        free(what);
        return status;
    }
    return 0;
}

static int parse_number(const char *option, const char *text, uint64_t min, uint64_t *number) {
    return parse_whole(option, text, min, false, number);
}

static int parse_count(const char *option, const char *text, uint64_t *count) { return parse_number(option, text, 1, count); }

/* Nanoseconds, above 0 and up to a second. */
static int parse_ns(const char *option, const char *text, double *ns) {
    const size_t digits = strspn(text, "0123456789."), dot = strcspn(text, ".");
    *ns = strtod(text, NULL);
    if (digits == strlen(text) && strchr(text + dot + (dot < digits), '.') == NULL && *ns > 0 && *ns <= 1e9) return 0;
    char *what = ls_format("%s %s: expected nanoseconds, a decimal number above 0", option, text);
    const int status = complain("%s", what);
    free(what);
    return status;
}

/* A count up to `max`; `refusal` is said of the option when it is more. */
static int parse_up_to(const char *option, const char *text, uint64_t max, const char *refusal, uint64_t *count) {
    if (parse_count(option, text, count) != 0) return -1;
    return *count <= max ? 0 : complain(refusal, option);
}

/* The parameters, which may stand before the unit. */
static int set_params(ls_options *o, const ls_args *params) {
    char error[512];
    o->params = params->count > 0;
    if (params->count > 0 && o->unit == NULL) return complain("--param %s: of which unit?", params->list[0]);
    for (size_t i = 0; i < params->count; i++) {
        if (ls_args_named_before(params, i)) return complain("--param %s: the parameter is there twice", params->list[i]);
        if (ls_config_set(o->unit, o->cfg, params->list[i], error, sizeof error) != 0) return complain("%s", error);
    }
    return 0;
}

static int set_unit(ls_options *o, const char *name) {
    o->unit = ls_unit_find(name);
    if (o->unit == NULL) return complain("no unit %s: `lockstep list` names them", name);
    o->cfg = ls_config_new(o->unit);
    return 0;
}

static int positional(ls_options *o, subject_kind subject, const char *word) {
    const bool names_file = ls_unit_find(word) == NULL && access(word, R_OK) == 0;
    if (subject == NOTHING || o->unit != NULL || o->file != NULL) return complain("unexpected \"%s\"", word);
    if (subject == A_UNIT || (subject == EITHER && !names_file)) return set_unit(o, word);
    o->file = word;
    return 0;
}

static int flag(ls_options *o, const char *word) {
    const struct {
        const char *name;
        bool *value;
    } flags[] = {{"--waves", &o->waves},         {"--json", &o->json},   {"--ports-only", &o->ports_only},
                 {"--no-shrink", &o->no_shrink}, {"--quiet", &o->quiet}, {"--all-sets", &o->all_sets},
                 {"--brief", &o->brief},         {"--small", &o->small}, {"--files", &o->files},
                 {"--large", &o->large},         {"--assert", &o->assertions}, {"--no-times", &o->no_times},
                 {"--netlist", &o->netlist},       {"--all", &o->all},     {"--accept", &o->accept},
                 {"--no-macros", &o->no_macros}, {"--idle", &o->idle},
                 {"--allow-system", &o->allow_system}};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        if (strcmp(word, flags[i].name) != 0) continue;
        *flags[i].value = true;
        return 0;
    }
    return complain("unknown option %s", word);
}

static bool takes_value(const char *word) {
    static const char *const names[] = {"--param",  "--seed",   "--cycles",    "--timeout", "--jobs", "--workload", "--record",
                                        "--output", "--define", "--registers", "--rthld",   "--kernel",  "--warp", "--limit", "--load-latency",
                                        "--sample", "--launch", "--retries", "--tier", "--only", "--fresh", "--traces", "--resume", "--history",
                                        "--number", "--ticket", "--side", "--coverage", "--seconds", "--lib", "--nets", "--period", "--transition"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(word, names[i]) == 0) return true;
    return false;
}

/* An option with its value. */
static int valued(ls_options *o, const char *word, const char *value, ls_args *params) {
    uint64_t n = 0;
    if (strcmp(word, "--param") == 0) {
        ls_args_add(params, "%s", value);
        return 0;
    }
    if (strcmp(word, "--seed") == 0) return parse_seed(word, value, &o->seed);
    if (strcmp(word, "--fresh") == 0) {
        o->fresh_given = true;
        return parse_seed(word, value, &o->fresh);
    }
    if (strcmp(word, "--period") == 0) return parse_ns(word, value, &o->period);
    if (strcmp(word, "--transition") == 0) return parse_ns(word, value, &o->transition);
    if (strcmp(word, "--cycles") == 0) return parse_whole(word, value, 1, true, &o->cycles);
    if (strcmp(word, "--timeout") == 0 || strcmp(word, "--jobs") == 0) {
        if (parse_up_to(word, value, 100000, "%s: expected at most 100000", &n) != 0) return -1;
        if (word[2] == 't') o->timeout = (double)n;
        else o->jobs = (int)n;
        return 0;
    }
    const struct {
        const char *name, *refusal;
        uint64_t max;
        uint32_t *to;
    } counts[] = {{"--registers", "%s: expected at most 255", 255, &o->registers},
                  {"--load-latency", "%s: expected 1 to 100000 cycles", 100000, &o->load_latency},
                  {"--rthld", "%s: expected 1 to 1000000", 1000000, &o->rthld},
                  {"--sample", "%s: expected 1 to 1000", 1000, &o->sample},
                  {"--seconds", "%s: expected 1 to 100000", 100000, &o->seconds},
                  {"--tier", "%s: expected 1 to 9", 9, &o->tier}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (strcmp(word, counts[i].name) != 0) continue;
        if (parse_up_to(word, value, counts[i].max, counts[i].refusal, &n) != 0) return -1;
        *counts[i].to = (uint32_t)n;
        return 0;
    }
    if (strcmp(word, "--number") == 0) return parse_number(word, value, 0, &o->number);
    if (strcmp(word, "--retries") == 0) return parse_number(word, value, 0, &o->retries);
    if (strcmp(word, "--kernel") == 0) return parse_number(word, value, 0, &o->only_kernel);
    if (strcmp(word, "--warp") == 0) return parse_number(word, value, 0, &o->only_warp);
    if (strcmp(word, "--limit") == 0) return parse_count(word, value, &o->limit);
    const struct {
        const char *name, **to;
    } texts[] = {{"--workload", &o->workload}, {"--record", &o->record}, {"--output", &o->output}, {"--launch", &o->launch},
                 {"--ticket", &o->ticket},     {"--only", &o->only},     {"--traces", &o->traces}, {"--resume", &o->resume}, {"--history", &o->history},
                 {"--side", &o->side},         {"--coverage", &o->coverage}, {"--lib", &o->liberty}, {"--nets", &o->nets}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (strcmp(word, texts[i].name) != 0) continue;
        *texts[i].to = value;
        return 0;
    }
    if (!ls_is_macro(value)) {
        char *what = ls_format("%s \"%s\": expected NAME or NAME=VALUE", word, value);
        const int status = complain("%s", what);
        free(what);
        return status;
    }
    ls_args_add(&o->defines, "%s", value);
    if (ls_args_named_before(&o->defines, o->defines.count - 1)) return complain("--define %s: the macro is there twice", value);
    return 0;
}

/* Whether the blank-separated list has the word. */
static bool has_word(const char *list, const char *word) {
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += n)
        if (at[-1] == ' ' && (at[n] == ' ' || at[n] == '\0')) return true; /* each word has a blank before it */
    return false;
}

/* Refuses what the command would ignore. */
static int check_used(const ls_options *o, const struct command *command, const ls_args *used) {
    const bool of_case = o->file != NULL && command->of_case != NULL;
    for (size_t i = 0; i < used->count; i++) {
        if (has_word(of_case ? command->of_case : command->options, used->list[i])) continue;
        char *what = ls_format("%s%s%s%s takes no %s", o->command, o->verb != NULL ? " " : "", o->verb != NULL ? o->verb : "",
                               of_case ? " of a case file" : "", used->list[i]);
        const int status = complain("%s", what);
        free(what);
        return status;
    }
    return 0;
}

/* Options of a command that are of use beside another one alone (`with`; `or_with`), or not beside it. */
static const struct pairing {
    const char *command, *option, *with, *or_with, *without;
} pairings[] = {{"run", "--lib", "--netlist", NULL, NULL},
                {"synth", "--jobs", "--all", "--accept", NULL},
                {"list", "--sample", "--all-sets", NULL, NULL},
                {"list", "--small", NULL, NULL, "--json"},
                {"list", "--files", NULL, NULL, "--json"},
                {"list", "--all-sets", NULL, NULL, "--json"},
                {"list", "--files", NULL, NULL, "--small"},
                {"list", "--all-sets", NULL, NULL, "--small"},
                {"list", "--all-sets", NULL, NULL, "--files"}};

static bool is_used(const ls_args *used, const char *option) {
    for (size_t i = 0; option != NULL && i < used->count; i++)
        if (strcmp(used->list[i], option) == 0) return true;
    return false;
}

/* Refuses what the command would ignore for another option's sake. */
static int check_pairings(const ls_options *o, const ls_args *used) {
    for (size_t i = 0; i < sizeof pairings / sizeof pairings[0]; i++) {
        const struct pairing *p = &pairings[i];
        if (strcmp(o->command, p->command) != 0 || !is_used(used, p->option)) continue;
        if (p->with != NULL ? is_used(used, p->with) || is_used(used, p->or_with) : !is_used(used, p->without)) continue;
        char *what = ls_format("%s takes no %s %s %s", p->command, p->option, p->with != NULL ? "without" : "with",
                               p->with != NULL ? p->with : p->without);
        const int status = complain("%s", what);
        free(what);
        return status;
    }
    return 0;
}

/* All words behind the command; the names of the options go to `used`, the values of --param to `params`. */
static int parse_words(ls_options *o, subject_kind subject, ls_args *used, ls_args *params) {
    for (int i = o->verb != NULL ? 3 : 2; i < o->argc; i++) {
        const char *word = strcmp(o->argv[i], "-o") == 0 ? "--output" : o->argv[i], *next = i + 1 < o->argc ? o->argv[i + 1] : NULL;
        int status;
        if (word[0] == '-') ls_args_add(used, "%s", word);
        if (strcmp(word, "--rtl") == 0) {
            if (next == NULL || next[0] == '-') return complain("%s: expected one or more files", word);
            while (i + 1 < o->argc && o->argv[i + 1][0] != '-') {
                next = o->argv[++i];
                if (o->unit == NULL && ls_unit_find(next) != NULL && access(next, R_OK) != 0)
                    return complain("%s was taken as an RTL file: the unit comes before --rtl", next);
                ls_args_add(&o->rtl, "%s", next);
            }
            continue;
        }
        if (word[0] != '-') status = positional(o, subject, word);
        else if (!takes_value(word)) status = flag(o, word);
        else if (next == NULL || strncmp(next, "--", 2) == 0) return complain("%s: expected a value", word);
        else status = valued(o, word, o->argv[++i], params);
        if (status != 0) return -1;
    }
    return 0;
}

int ls_options_parse(ls_options *o, int argc, char **argv) {
    *o = (ls_options){.command = argc > 1 ? argv[1] : "help", .seed = 1, .argc = argc, .argv = argv, .jobs = 1,
                      .only_kernel = UINT64_MAX, .only_warp = UINT64_MAX, .number = UINT64_MAX, .retries = UINT64_MAX};
    const struct command *command = find_command(o->command, argc > 2 ? argv[2] : "");
    if (command == NULL && strcmp(o->command, "workload") == 0) return complain("%s: expected list, build, info, dump or bench", o->command);
    if (command == NULL) return complain("no command %s", o->command);
    o->verb = command->verb;
    ls_args used = {0}, params = {0};
    int status = parse_words(o, command->subject, &used, &params);
    if (status == 0) status = check_used(o, command, &used);
    if (status == 0) status = check_pairings(o, &used);
    if (status == 0) status = set_params(o, &params);
    ls_args_free(&used);
    ls_args_free(&params);
    o->color = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == NULL;
    return status;
}
