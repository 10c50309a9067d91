/* SPDX-License-Identifier: Apache-2.0 */
/* The completions of shells, from the tables of table.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/cli/help.h"
#include "harness/cli/table.h"

/* In bash and zsh: the units of the project in the current folder, by the names of their lists. */
#define PROJECT_UNITS                                                                                                            \
    "    local list; for list in tb/*.fields; do\n        [ -f \"$list\" ] && [ -f lockstep.project ] && list=${list##*/} && "   \
    "units=\"$units ${list%%.fields}\"\n    done\n"

/* ---- bash ---- */

/* The first words, each once; or with `name` the second words behind it. */
static void print_words(const char *name) {
    const char *last = "";
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) {
        if (name != NULL ? strcmp(c->name, name) == 0 : strcmp(c->name, last) != 0)
            ls_say(stdout, " %s", name != NULL ? c->verb : c->name);
        last = c->name;
    }
}

/* What may follow the command's words. */
static void complete_command(const ls_command *c) {
    const bool verbs = c->verb != NULL && (c == ls_command_table || strcmp(c[-1].name, c->name) != 0);
    char *words = ls_command_words(c);
    if (verbs) {
        ls_say(stdout, "    '%s ' | 'help %s ') known='", c->name, c->name);
        print_words(c->name);
        ls_say(stdout, "' options=--help ;;\n");
    }
    ls_say(stdout, "    '%s '*) options='%s --help'", words, c->options);
    if (c->subject == LS_OF_UNIT || c->subject == LS_OF_EITHER) ls_say(stdout, " known=$units");
    if (c->subject == LS_OF_COMMAND) ls_say(stdout, " known=$commands");
    ls_say(stdout, " ;;\n");
    free(words);
}

static void print_bash(void) {
    ls_say(stdout,
           "# bash completion of lockstep, as `lockstep help --completion bash` prints it\n_lockstep() {\n    local units='");
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) ls_say(stdout, " %s", (*u)->name);
    ls_say(stdout, "'\n" PROJECT_UNITS "    local commands='");
    print_words(NULL);
    ls_say(stdout, "'\n    local known='' options='' word=${COMP_WORDS[COMP_CWORD]}\n    COMPREPLY=()\n    case "
                   "${COMP_WORDS[COMP_CWORD - 1]} in\n    -o");
    for (const ls_option *o = ls_option_table; o->name != NULL; o++)
        if (o->argument != NULL) ls_say(stdout, " | %s", o->name);
    ls_say(stdout, ") return ;; # a value: files\n    esac\n    case \"${COMP_WORDS[*]:1:COMP_CWORD-1} \" in\n");
    ls_say(stdout, "    ' ') known=$commands options='--help --version' ;;\n");
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) complete_command(c);
    ls_say(stdout, "    esac\n    case $word in -*) known=$options ;; esac\n    mapfile -t COMPREPLY < <(compgen -W \"$known\" "
                   "-- \"$word\")\n}\n");
    ls_say(stdout, "complete -o default -F _lockstep lockstep\n");
}

/* ---- zsh ---- */

/* A help text inside of '...[...]': without what would end it. */
static void print_plain(const char *text) {
    for (; *text != '\0'; text++)
        if (*text == '\'') (void)fputs("'\\''", stdout);
        else if (strchr("[]:\\", *text) != NULL) ls_say(stdout, "\\%c", *text);
        else (void)fputc(*text, stdout);
}

static void print_zsh_options(const ls_command *c) {
    for (const ls_option *o = ls_option_table; o->name != NULL; o++) {
        if (!ls_command_takes(c, o->name)) continue;
        const ls_meaning *m = ls_meaning_find(c, o);
        ls_say(stdout, " \\\n            '%s[", o->name);
        print_plain(m != NULL ? m->help : o->help);
        ls_say(stdout, "]");
        if (o->argument != NULL) ls_say(stdout, ":%.*s:_files", (int)strcspn(o->argument, "=[."), o->argument);
        ls_say(stdout, "'");
    }
}

static void print_zsh_command(const ls_command *c) {
    char *words = ls_command_words(c);
    const bool units = c->subject == LS_OF_UNIT || c->subject == LS_OF_EITHER;
    ls_say(stdout, "    '%s'*)\n        _arguments -S", words);
    print_zsh_options(c);
    ls_say(stdout, " \\\n            '*: :%s' ;;\n",
           c->subject == LS_OF_COMMAND ? "($commands)"
           : units                     ? "{ compadd -- ${=units}; _files }"
                                       : "_files");
    free(words);
}

static void print_zsh(void) {
    ls_say(stdout,
           "#compdef lockstep\n# zsh completion of lockstep, as `lockstep help --completion zsh` prints it\n_lockstep() {\n"
           "    setopt local_options null_glob\n    local units='");
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) ls_say(stdout, " %s", (*u)->name);
    ls_say(stdout, "'\n" PROJECT_UNITS "    local -a commands=(");
    print_words(NULL);
    ls_say(stdout, ")\n    if (( CURRENT == 2 )); then\n        local -a said=(\n");
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) {
        if (c->verb != NULL && c > ls_command_table && strcmp(c[-1].name, c->name) == 0) continue;
        ls_say(stdout, "            '%s:", c->name);
        print_plain(c->verb != NULL ? c->group : c->purpose);
        ls_say(stdout, "'\n");
    }
    ls_say(stdout, "        )\n        _describe command said\n        return\n    fi\n    case \"$words[2] $words[3]\" in\n");
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) print_zsh_command(c);
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) {
        if (c->verb == NULL || (c > ls_command_table && strcmp(c[-1].name, c->name) == 0)) continue;
        ls_say(stdout, "    '%s '*)\n        compadd --", c->name);
        print_words(c->name);
        ls_say(stdout, " ;;\n");
    }
    ls_say(stdout, "    esac\n}\n_lockstep \"$@\"\n");
}

/* ---- fish ---- */

/* Inside of '...' of fish. */
static void print_fish_text(const char *text) {
    for (; *text != '\0'; text++) {
        if (*text == '\'' || *text == '\\') (void)fputc('\\', stdout);
        (void)fputc(*text, stdout);
    }
}

static void print_fish_line(const char *condition, const char *what, const char *help) {
    ls_say(stdout, "complete -c lockstep -n '%s' %s -d '", condition, what);
    print_fish_text(help);
    ls_say(stdout, "'\n");
}

static void print_fish_command(const ls_command *c) {
    char *when = c->verb == NULL
                     ? ls_format("__fish_seen_subcommand_from %s", c->name)
                     : ls_format("__fish_seen_subcommand_from %s; and __fish_seen_subcommand_from %s", c->name, c->verb);
    for (const ls_option *o = ls_option_table; o->name != NULL; o++) {
        if (!ls_command_takes(c, o->name)) continue;
        const ls_meaning *m = ls_meaning_find(c, o);
        char *letter = o->letter != NULL ? ls_format("-s %s ", o->letter + 1) : ls_copy("");
        char *what = ls_format("%s-l %s%s", letter, o->name + 2, o->argument != NULL ? " -r" : "");
        print_fish_line(when, what, m != NULL ? m->help : o->help);
        free(what);
        free(letter);
    }
    if (c->subject == LS_OF_UNIT || c->subject == LS_OF_EITHER)
        ls_say(stdout, "complete -c lockstep -n '%s' -a '(__lockstep_units)'\n", when);
    if (c->subject == LS_OF_COMMAND) {
        ls_say(stdout, "complete -c lockstep -n '%s' -a '", when);
        print_words(NULL);
        ls_say(stdout, "'\n");
    }
    free(when);
}

static void print_fish(void) {
    ls_say(stdout, "# fish completion of lockstep, as `lockstep help --completion fish` prints it\nfunction __lockstep_units\n"
                   "    test -f lockstep.project; and for list in tb/*.fields\n"
                   "        string replace -r '.*/(.*)\\.fields' '$1' $list\n    end\n    string split ' ' '");
    const char *blank = "";
    for (const ls_unit *const *u = ls_units; *u != NULL; u++, blank = " ") ls_say(stdout, "%s%s", blank, (*u)->name);
    ls_say(stdout, "'\nend\n");
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) {
        const bool again = c > ls_command_table && strcmp(c[-1].name, c->name) == 0;
        char *what = ls_format("-f -a %s", c->name), *verb = ls_format("-f -a %s", c->verb != NULL ? c->verb : "");
        char *when = ls_format("__fish_seen_subcommand_from %s", c->name);
        if (!again) print_fish_line("__fish_use_subcommand", what, c->verb != NULL ? c->group : c->purpose);
        if (c->verb != NULL) print_fish_line(when, verb, c->purpose);
        free(what);
        free(verb);
        free(when);
    }
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) print_fish_command(c);
}

static const struct shell {
    const char *name;
    void (*print)(void);
} shells[] = {{"bash", print_bash}, {"zsh", print_zsh}, {"fish", print_fish}};

bool ls_completion(const char *shell, bool print) {
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        if (strcmp(shells[i].name, shell) != 0) continue;
        if (print) shells[i].print();
        return true;
    }
    return false;
}
