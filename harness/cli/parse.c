/* SPDX-License-Identifier: Apache-2.0 */
/* The command line, read word by word from the tables. Not by getopt_long: it would accept --see and --seed=5 for --seed, take
 * the next option for a value (--record --json), and know one file alone behind --rtl. */
#include "harness/cli/parse.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/nearest.h"
#include "harness/base/text.h"
#include "harness/cli/commands.h"
#include "harness/cli/help.h"
#include "harness/cli/table.h"
#include "harness/core/config.h"
#include "harness/core/filelist.h"
#include "harness/core/map.h"
#include "harness/project/project.h"

static int complain(const ls_options *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

static int complain(const ls_options *o, const char *format, ...) {
    const ls_command *command = ls_command_find(o->command, o->verb != NULL ? o->verb : "");
    va_list args;
    va_start(args, format);
    ls_say(stderr, "lockstep: ");
    ls_say_list(stderr, format, args);
    va_end(args);
    if (command == NULL || command->call == NULL) {
        ls_say(stderr, "\n          `lockstep help` lists the commands\n");
    } else {
        char *words = ls_command_words(command);
        ls_say(stderr, "\n          `lockstep help %s` lists its options\n", words);
        free(words);
    }
    return -1;
}

/* ---- what was meant ---- */

/* "no command rnu: did you mean run?", or without the question when nothing is near; `more`, behind a blank, may follow. */
static int complain_near(const ls_options *o, const char *what, const ls_nearest *near, const char *more) {
    if (near->name != NULL) return complain(o, "%s %s: did you mean %s?%s", what, near->word, near->name, more);
    return complain(o, "%s %s%s%s", what, near->word, more[0] != '\0' ? ":" : "", more);
}

static int no_command(const ls_options *o, const char *word) {
    ls_nearest near = {.word = word};
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) ls_nearest_try(&near, c->name);
    return complain_near(o, "no command", &near, "");
}

static bool in_project(void) {
    ls_project project = {0};
    char error[1024];
    const int found = ls_project_find(&project, NULL, error, sizeof error);
    if (found == 0) ls_project_free(&project);
    return found != 1;
}

/* The word is a group of units, or a file of one. */
static int no_unit(const ls_options *o, const char *word) {
    const char *slash = strrchr(word, '/'), *base = slash != NULL ? slash + 1 : word;
    char *name = ls_format("%.*s", (int)strcspn(base, "."), base);
    ls_nearest near = {.word = word};
    ls_text members = {0};
    for (const ls_unit *const *u = ls_units; *u != NULL; u++)
        if (strcmp((*u)->group, word) == 0) ls_text_add(&members, "%s %s", members.size > 0 ? "," : "", (*u)->name);
    const ls_unit *of_file = strcmp(name, word) != 0 ? ls_unit_find(name) : NULL;
    free(name);
    if (members.size > 0) {
        const int status = complain(o, "%s is a group of units:%s", word, members.data);
        free(members.data);
        return status;
    }
    if (of_file != NULL) return complain(o, "no unit %s: did you mean %s?", word, of_file->name);
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) ls_nearest_try(&near, (*u)->name);
    return complain_near(o, "no unit", &near,
                         in_project()
                             ? " `lockstep list` names them, those of the project too"
                             : " `lockstep list` names them; units of a project are not among them, as no " LS_PROJECT_FILE
                               " is in this folder or above");
}

static int no_option(const ls_options *o, const ls_command *command, const char *word) {
    ls_nearest near = {.word = word};
    for (const ls_option *p = ls_option_table; p->name != NULL; p++)
        if (ls_command_takes(command, p->name)) ls_nearest_try(&near, p->name);
    return complain_near(o, "unknown option", &near, "");
}

/* Of a command of two words, the second of which is missing or wrong. */
static int no_verb(const ls_options *o, const char *word) {
    ls_nearest near = {.word = word};
    ls_text verbs = {0};
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) {
        if (strcmp(c->name, o->command) != 0) continue;
        const bool last = c[1].name == NULL || strcmp(c[1].name, o->command) != 0;
        ls_text_add(&verbs, "%s%s", verbs.size == 0 ? "" : last ? " or " : ", ", c->verb);
        ls_nearest_try(&near, c->verb);
    }
    const int status = near.name == NULL
                           ? complain(o, "%s: expected %s", o->command, verbs.data)
                           : complain(o, "%s %s: did you mean %s? Expected %s", o->command, word, near.name, verbs.data);
    free(verbs.data);
    return status;
}

/* ---- values ---- */

static int parse_hex(const ls_options *o, const char *option, const char *text, uint64_t *number) {
    const size_t n = strlen(text);
    *number = strtoull(text, NULL, 16);
    if (n > 0 && n <= 16 && strspn(text, "0123456789abcdefABCDEF") == n) return 0;
    return complain(o, "%s %s: expected 1 to 16 hexadecimal digits", option, text);
}

/* A whole number from `min`, which is 0 or 1; `scaled`: with k or M behind it, as in a plan. */
static int parse_whole(const ls_options *o, const char *option, const char *text, unsigned min, bool scaled, uint64_t *number) {
    if (ls_whole_number(text, scaled, number) && *number >= min) return 0;
    return complain(o, "%s %s: expected a whole number from %u%s", option, text, min, scaled ? " (k and M allowed)" : "");
}

/* Nanoseconds, above 0 and up to a second. */
static int parse_ns(const ls_options *o, const char *option, const char *text, double *ns) {
    if (ls_decimal(text, ns) && *ns > 0 && *ns <= 1e9) return 0;
    return complain(o, "%s %s: expected nanoseconds, a decimal number above 0", option, text);
}

/* A count up to the option's `max`, into its member. */
static int parse_up_to(const ls_options *o, const ls_option *option, const char *text, void *to) {
    uint64_t n = 0;
    if (parse_whole(o, option->name, text, 1, false, &n) != 0) return -1;
    if (n > option->max) return complain(o, "%s: expected 1 to %u", option->name, option->max);
    if (option->takes == LS_TAKES_SMALL) *(uint32_t *)to = (uint32_t)n;
    else if (option->takes == LS_TAKES_JOBS) *(int *)to = (int)n;
    else *(double *)to = (double)n;
    return 0;
}

static int parse_macro(const ls_options *o, const char *option, const char *text, ls_args *macros) {
    if (!ls_is_macro(text)) return complain(o, "%s \"%s\": expected NAME or NAME=VALUE", option, text);
    ls_args_add(macros, "%s", text);
    if (ls_args_named_before(macros, macros->count - 1)) return complain(o, "%s %s: the macro is there twice", option, text);
    return 0;
}

/* An option's value into its member; that of --param, whose unit may not be known yet, to `params`. */
static int take_value(ls_options *o, const ls_option *option, const char *value, ls_args *params) {
    void *to = (char *)o + option->to;
    switch (option->takes) {
    case LS_TAKES_NOTHING:
        *(bool *)to = true;
        return 0;
    case LS_TAKES_TEXT:
        *(const char **)to = value;
        return 0;
    case LS_TAKES_PARAM:
        ls_args_add(params, "%s", value);
        return 0;
    case LS_TAKES_FILES:
    case LS_TAKES_LIST:
        ls_args_add(to, "%s", value);
        return 0;
    case LS_TAKES_MACRO:
        return parse_macro(o, option->name, value, to);
    case LS_TAKES_HEX:
        return parse_hex(o, option->name, value, to);
    case LS_TAKES_INDEX:
        return parse_whole(o, option->name, value, 0, false, to);
    case LS_TAKES_COUNT:
        return parse_whole(o, option->name, value, 1, false, to);
    case LS_TAKES_SCALED:
        return parse_whole(o, option->name, value, 1, true, to);
    case LS_TAKES_SMALL:
    case LS_TAKES_JOBS:
    case LS_TAKES_SECONDS:
        return parse_up_to(o, option, value, to);
    case LS_TAKES_NS:
        return parse_ns(o, option->name, value, to);
    }
    return -1;
}

/* All RTL of lists and --rtl. */
static int read_lists(ls_options *o) {
    char error[1024];
    ls_filelist all = {0};
    o->defined = o->defines.count;
    for (size_t i = 0; i < o->defined; i++) ls_args_add(&all.defines, "%s", o->defines.list[i]);
    for (size_t i = 0; i < o->lists.count + o->relative.count; i++) {
        const bool beside = i >= o->lists.count;
        const char *path = beside ? o->relative.list[i - o->lists.count] : o->lists.list[i];
        if (ls_filelist_read(path, beside, &all, error, sizeof error) == 0) continue;
        ls_filelist_free(&all);
        return complain(o, "%s", error);
    }
    for (size_t i = 0; i < all.files.count; i++) ls_args_add(&o->rtl, "%s", all.files.list[i]);
    for (size_t i = 0; i < o->given.count; i++) ls_args_add(&o->rtl, "%s", o->given.list[i]);
    for (size_t i = o->defined; i < all.defines.count; i++) ls_args_add(&o->defines, "%s", all.defines.list[i]);
    for (size_t i = 0; i < all.extra.count; i++) ls_args_add(&o->extra, "%s", all.extra.list[i]);
    const bool empty = o->lists.count + o->relative.count > 0 && o->rtl.count == 0;
    ls_filelist_free(&all);
    return empty ? complain(o, "--filelist %s: it names no file", o->lists.count > 0 ? o->lists.list[0] : o->relative.list[0])
                 : 0;
}

/* The unit as the map names it. */
static int read_map(ls_options *o) {
    char error[1024];
    if (o->map == NULL || o->unit == NULL) return 0;
    const ls_unit *mapped = ls_map_unit(o->unit, o->map, error, sizeof error);
    if (mapped == NULL) {
        ls_say(stderr, "lockstep: %s\n", error);
        return -1;
    }
    o->unit = mapped;
    return 0;
}

/* The parameters, which may stand before the unit. */
static int set_params(ls_options *o, const ls_args *params) {
    char error[512];
    o->params = params->count > 0;
    if (params->count > 0 && o->unit == NULL) return complain(o, "--param %s: of which unit?", params->list[0]);
    for (size_t i = 0; i < params->count; i++) {
        if (ls_args_named_before(params, i)) return complain(o, "--param %s: the parameter is there twice", params->list[i]);
        if (ls_config_set(o->unit, o->cfg, params->list[i], error, sizeof error) != 0) return complain(o, "%s", error);
    }
    return 0;
}

/* The machine and the options that say of the surroundings what it could, checked; before the parameters of the command line. */
static int describe(ls_options *o) {
    char error[1024] = "", cycles[16];
    const ls_unit *unit = o->unit;
    if (unit == NULL || (o->machine == NULL && o->load_latency == 0)) return 0;
    if (unit->surround == NULL)
        return o->machine != NULL ? complain(o, "--machine: %s is no system: only systems have surroundings", unit->name) : 0;
    int status = o->machine != NULL ? ls_machine_read(&o->described, o->machine, error, sizeof error) : 0;
    (void)snprintf(cycles, sizeof cycles, "%u", o->load_latency);
    if (o->load_latency != 0) ls_settings_put(&o->described.surroundings, "load.latency", cycles, "--load-latency");
    if (status == 0) status = ls_machine_configure(&o->described, unit, o->cfg, error, sizeof error);
    if (status == 0) status = unit->surround(NULL, &o->described.surroundings, error, sizeof error);
    if (status != 0) ls_say(stderr, "lockstep: %s\n", error);
    return status;
}

/* A kernel of ours in place of a workload's file: what makes the file. */
static int check_workload(const ls_options *o) {
    if (o->workload == NULL || o->unit == NULL || o->unit->workload == NULL || access(o->workload, F_OK) == 0) return 0;
    const char *kernel = ls_kernel_near(o->workload);
    if (kernel == NULL) return 0; /* the reader says what is wrong */
    return complain(o, "--workload %s: no such file; of the kernel %s `lockstep workload build %s -o %s.rfs` makes one",
                    o->workload, kernel, kernel, kernel);
}

/* ---- what stands without an option ---- */

static int set_unit(ls_options *o, const char *name) {
    o->unit = ls_unit_find(name);
    if (o->unit == NULL) return no_unit(o, name);
    o->cfg = ls_config_new(o->unit);
    return 0;
}

/* Whether some command has that first word. */
static bool is_command(const char *word) {
    for (const ls_command *c = ls_command_table; c->name != NULL; c++)
        if (strcmp(c->name, word) == 0) return true;
    return false;
}

/* A word of `help COMMAND`: the command's first, then its second if it has one. */
static int help_of(ls_options *o, const char *said) {
    const char *word = ls_word_now(o->file, said);
    const ls_command *c = o->file != NULL ? ls_command_find(o->file, word) : NULL;
    if (o->file == NULL && !is_command(word)) return no_command(o, word);
    if (o->file != NULL && (o->verb != NULL || c == NULL || c->verb == NULL)) return complain(o, "unexpected \"%s\"", word);
    if (o->file == NULL) o->file = word;
    else o->verb = c->verb;
    return 0;
}

/* "unexpected "BANKS=4": did you mean --param BANKS=4?", when the unit has such a parameter. */
static int unexpected(const ls_options *o, const ls_command *command, const char *word) {
    const size_t length = strcspn(word, "=");
    for (size_t i = 0; o->unit != NULL && word[length] == '=' && ls_command_takes(command, "--param") && i < o->unit->param_count;
         i++)
        if (strncasecmp(o->unit->params[i].name, word, length) == 0 && o->unit->params[i].name[length] == '\0')
            return complain(o, "unexpected \"%s\": did you mean --param %s%s?", word, o->unit->params[i].name, word + length);
    return complain(o, "unexpected \"%s\"", word);
}

static int positional(ls_options *o, const ls_command *command, const char *word) {
    const bool names_file = ls_unit_find(word) == NULL && access(word, R_OK) == 0;
    if (command->subject == LS_OF_COMMAND) return help_of(o, word);
    if (command->subject == LS_OF_NOTHING || o->unit != NULL || o->file != NULL) return unexpected(o, command, word);
    if (command->subject == LS_OF_UNIT || (command->subject == LS_OF_EITHER && !names_file)) return set_unit(o, word);
    o->file = word;
    return 0;
}

/* ---- what a command would ignore ---- */

static int check_used(const ls_options *o, const ls_command *command, const ls_args *used) {
    const bool of_case = o->file != NULL && command->of_case != NULL;
    for (size_t i = 0; i < used->count; i++) {
        if (ls_list_has(of_case ? command->of_case : command->options, used->list[i])) continue;
        char *words = ls_command_words(command);
        const int status = complain(o, "%s%s takes no %s", words, of_case ? " of a case file" : "", used->list[i]);
        free(words);
        return status;
    }
    return 0;
}

/* Options of a command that are of use beside another one alone (`with`; `or_with`), or not beside it. */
static const struct pairing {
    const char *command, *option, *with, *or_with, *without;
} pairings[] = {{"run", "--lib", "--netlist", NULL, NULL},          {"prove", "--lib", "--netlist", NULL, NULL},
                {"prove", "--ports-only", "--netlist", NULL, NULL}, {"prove", "--map", "--netlist", NULL, NULL},
                {"prove", "--lanes", NULL, NULL, "--netlist"},      {"prove", "--cut", NULL, NULL, "--netlist"},
                {"prove", "--units", "--cut", NULL, NULL},          {"faults", "--param", "--prove", NULL, NULL},
                {"faults", "--cut", "--prove", NULL, NULL},         {"run", "--all-sets", NULL, NULL, "--param"},
                {"run", "--all-sets", NULL, NULL, "--output"},      {"run", "--all-sets", NULL, NULL, "--coverage"},
                {"run", "--all-sets", NULL, NULL, "--machine"},     {"list", "--machines", NULL, NULL, "--small"},
                {"list", "--machines", NULL, NULL, "--files"},      {"list", "--machines", NULL, NULL, "--all-sets"},
                {"synth", "--jobs", "--all", "--accept", NULL},     {"list", "--sample", "--all-sets", NULL, NULL},
                {"list", "--small", NULL, NULL, "--json"},          {"list", "--files", NULL, NULL, "--json"},
                {"list", "--all-sets", NULL, NULL, "--json"},       {"list", "--files", NULL, NULL, "--small"},
                {"list", "--all-sets", NULL, NULL, "--small"},      {"list", "--all-sets", NULL, NULL, "--files"},
                {"help", "--man", NULL, NULL, "--completion"},      {"synth", "--map", "--rtl", NULL, NULL},
                {"run", "--filelist", NULL, NULL, "--netlist"},     {"run", "--filelist-relative", NULL, NULL, "--netlist"},
                {"faults", "--turn", "--sample", NULL, NULL},       {"list", "--turn", "--sample", NULL, NULL}};

static bool is_used(const ls_args *used, const char *option) {
    for (size_t i = 0; option != NULL && i < used->count; i++)
        if (strcmp(used->list[i], option) == 0) return true;
    return false;
}

/* The same for another option's sake. */
static int check_pairings(const ls_options *o, const ls_args *used) {
    for (size_t i = 0; i < sizeof pairings / sizeof pairings[0]; i++) {
        const struct pairing *p = &pairings[i];
        if (strcmp(o->command, p->command) != 0 || !is_used(used, p->option)) continue;
        if (p->with != NULL ? is_used(used, p->with) || is_used(used, p->or_with) : !is_used(used, p->without)) continue;
        return complain(o, "%s takes no %s %s %s", p->command, p->option, p->with != NULL ? "without" : "with",
                        p->with != NULL ? p->with : p->without);
    }
    return 0;
}

/* ---- all words ---- */

/* The files behind --rtl; *at is its place, and then the last file's. */
static int take_files(ls_options *o, const ls_option *option, int *at) {
    const int first = *at;
    for (; *at + 1 < o->argc && o->argv[*at + 1][0] != '-'; ++*at) {
        const char *word = o->argv[*at + 1];
        if (o->unit == NULL && ls_unit_find(word) != NULL && access(word, R_OK) != 0)
            return complain(o, "%s was taken as an RTL file: the unit comes before --rtl", word);
        if (take_value(o, option, word, NULL) != 0) return -1;
    }
    return *at > first ? 0 : complain(o, "%s: expected one or more files", option->name);
}

/* Whether the i-th word is the value of the option before it. */
static bool is_value(const ls_options *o, int i) { return i < o->argc && strncmp(o->argv[i], "--", 2) != 0; }

/* The option at *at, and what belongs to it; its name goes to `used`. */
static int take_option(ls_options *o, const ls_command *command, int *at, ls_args *used, ls_args *params) {
    const ls_option *option = ls_option_find(o->argv[*at]);
    if (option == NULL) return no_option(o, command, o->argv[*at]);
    ls_args_add(used, "%s", option->name);
    if (option->takes == LS_TAKES_FILES) return take_files(o, option, at);
    if (option->argument == NULL) return take_value(o, option, NULL, params);
    if (!is_value(o, *at + 1)) return complain(o, "%s: expected a value", option->name);
    return take_value(o, option, o->argv[++*at], params);
}

/* All words from `first` on; the names of the options go to `used`, the values of --param to `params`. */
static int take_words(ls_options *o, const ls_command *command, int first, ls_args *used, ls_args *params) {
    int status = 0;
    for (int i = first; i < o->argc && status == 0; i++)
        status = o->argv[i][0] == '-' ? take_option(o, command, &i, used, params) : positional(o, command, o->argv[i]);
    return status;
}

/* Whether --help stands somewhere from `first` on, whatever else is wrong. */
static bool wants_help(const ls_options *o, int first) {
    for (int i = first; i < o->argc; i++) {
        const ls_option *option = ls_option_find(o->argv[i]);
        if (option == NULL) continue;
        if (strcmp(option->name, "--help") == 0) return true;
        if (option->argument != NULL && option->takes != LS_TAKES_FILES && is_value(o, i + 1)) i++;
    }
    return false;
}

/* `help COMMAND` is `COMMAND --help`. */
static int turn_to(ls_options *o, const ls_command *command) {
    if (command->subject != LS_OF_COMMAND || o->file == NULL) return 0;
    if (o->man || o->completion != NULL) return complain(o, "help %s takes no %s", o->file, o->man ? "--man" : "--completion");
    o->command = o->file;
    o->file = NULL;
    o->help = true;
    return 0;
}

static const char *command_name(int argc, char **argv) {
    const ls_option *option = argc > 1 ? ls_option_find(argv[1]) : NULL;
    if (argc < 2 || (option != NULL && strcmp(option->name, "--help") == 0)) return "help";
    return strcmp(argv[1], "--version") == 0 ? "version" : argv[1];
}

int ls_options_parse(ls_options *o, int argc, char **argv) {
    *o = (ls_options){.command = ls_word_now(NULL, command_name(argc, argv)),
                      .seed = 1,
                      .argc = argc,
                      .argv = argv,
                      .jobs = 1,
                      .only_kernel = UINT64_MAX,
                      .only_warp = UINT64_MAX,
                      .number = UINT64_MAX,
                      .retries = UINT64_MAX};
    const char *verb = argc > 2 ? ls_word_now(o->command, argv[2]) : "";
    const ls_command *command = ls_command_find(o->command, verb);
    if (command == NULL && !is_command(o->command)) return no_command(o, o->command);
    if (command != NULL) o->verb = command->verb;
    const int first = o->verb != NULL ? 3 : 2;
    o->help = wants_help(o, first);
    if (o->help) return 0;
    if (command == NULL) return no_verb(o, verb);
    ls_args used = {0}, params = {0};
    int status = take_words(o, command, first, &used, &params);
    if (status == 0) status = check_used(o, command, &used);
    if (status == 0) status = check_pairings(o, &used);
    if (status == 0 && o->completion != NULL && !ls_completion(o->completion, false))
        status = complain(o, "--completion %s: expected bash, zsh or fish", o->completion);
    if (status == 0) status = read_lists(o);
    if (status == 0) status = read_map(o);
    if (status == 0) status = describe(o);
    if (status == 0) status = set_params(o, &params);
    if (status == 0) status = check_workload(o);
    if (status == 0) status = turn_to(o, command);
    o->fresh_given = is_used(&used, "--fresh");
    ls_args_free(&used);
    ls_args_free(&params);
    const char *terminal = getenv("TERM");
    o->color = isatty(STDOUT_FILENO) == 1 && getenv("NO_COLOR") == NULL && (terminal == NULL || strcmp(terminal, "dumb") != 0);
    return status;
}
