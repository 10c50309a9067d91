/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/cli/help.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/root.h"
#include "harness/base/text.h"
#include "harness/cli/table.h"

enum { WIDTH = 100, COLUMN = 24 };

/* ---- a command's page ---- */

/* How much of the text a line of WIDTH letters takes. */
static size_t line_of(const char *text) {
    size_t n = strlen(text);
    if (n <= WIDTH) return n;
    for (n = WIDTH; text[n] != ' ';) n--;
    return n;
}

static void print_wrapped(const char *text) {
    while (*text != '\0') {
        const size_t n = line_of(text);
        ls_say(stdout, "%.*s\n", (int)n, text);
        text += n;
        text += strspn(text, " ");
    }
}

static void print_option(const ls_command *c, const ls_option *o) {
    const ls_meaning *own = ls_meaning_find(c, o);
    const char *argument = own != NULL ? own->argument : o->argument;
    char *words = ls_format("%s%s%s%s%s", o->letter != NULL ? o->letter : "", o->letter != NULL ? ", " : "", o->name,
                            argument != NULL ? " " : "", argument != NULL ? argument : "");
    ls_say(stdout, "  %-*s %s\n", COLUMN, words, own != NULL ? own->help : o->help);
    free(words);
}

/* Each line of an example, behind two blanks, with this program as it was called. */
static void print_example(const char *example, const char *self) {
    for (const char *line = example; *line != '\0';) {
        const int n = (int)strcspn(line, "\n");
        const bool ours = strncmp(line, "lockstep ", 9) == 0;
        ls_say(stdout, "  %s%.*s\n", ours ? self : "", ours ? n - 8 : n, ours ? line + 8 : line);
        line += n;
        line += *line == '\n';
    }
}

static void print_command(const ls_command *c, const char *self) {
    char *words = ls_command_words(c), *quoted = ls_shell_word(self);
    ls_say(stdout, "lockstep %s: %s\n\n", words, c->purpose);
    for (const char *form = c->synopsis; *form != '\0'; form += *form == '\n') {
        const int n = (int)strcspn(form, "\n");
        ls_say(stdout, "  lockstep %s %.*s\n", words, n, form);
        form += n;
    }
    if (c->about != NULL) {
        ls_say(stdout, "\n");
        print_wrapped(c->about);
    }
    ls_say(stdout, "\nOptions\n");
    for (const ls_option *o = ls_option_table; o->name != NULL; o++)
        if (ls_command_takes(c, o->name)) print_option(c, o);
    if (c->of_case != NULL) {
        ls_say(stdout, "\nWith a case file these alone\n");
        print_wrapped(c->of_case + 1);
    }
    ls_say(stdout, "\nExample\n");
    print_example(c->example, quoted);
    ls_say(stdout, "\nExit code\n");
    if (c->good != NULL) ls_say(stdout, "  0  %s\n", c->good);
    if (c->finding != NULL) ls_say(stdout, "  1  %s\n", c->finding);
    ls_say(stdout, "  2  could not run: usage, build\n\nPages: %s\n", ls_docs("README.md"));
    free(words);
    free(quoted);
}

/* ---- the overview ---- */

static void print_line(const ls_command *c) {
    char *words = ls_command_words(c);
    ls_say(stdout, "  %-16s %s\n", words, c->purpose);
    free(words);
}

static void print_end(const char *name) {
    ls_say(stdout, "\nlockstep %sCOMMAND --help: its options, with an example\n", name);
    ls_say(stdout, "Exit code: 0 pass, 1 a finding, 2 could not run\n");
}

static void print_overview(void) {
    const char *group = "";
    ls_say(stdout, "lockstep COMMAND [UNIT | FILE] [OPTION]...    is this RTL still the model?\n");
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) {
        if (strcmp(group, c->group) != 0) ls_say(stdout, "%s\n", c->group);
        group = c->group;
        print_line(c);
    }
    print_end("");
}

/* The names of a command's options, behind one another. */
static void print_names(const ls_command *c) {
    for (const char *name = c->options; *name != '\0';) {
        size_t n = 0;
        for (size_t next; name[n] != '\0'; n += next) {
            next = 1 + strcspn(name + n + 1, " ");
            if (n > 0 && n + next > WIDTH - COLUMN) break;
        }
        ls_say(stdout, "  %-16s%.*s\n", "", (int)n, name);
        name += n;
    }
}

/* Those of one first word, with their options; and the example of the last of them that has one of more than a line. */
static void print_verbs(const char *name, const char *self) {
    const char *example = NULL;
    char *prefix = ls_format("%s ", name), *quoted = ls_shell_word(self);
    ls_say(stdout, "lockstep %s COMMAND\n\n", name);
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) {
        if (strcmp(c->name, name) != 0) continue;
        print_line(c);
        print_names(c);
        if (example == NULL || strchr(c->example, '\n') != NULL) example = c->example;
    }
    ls_say(stdout, "\nExample\n");
    if (example != NULL) print_example(example, quoted);
    print_end(prefix);
    free(prefix);
    free(quoted);
}

/* ---- the manual page ---- */

/* A text as roff reads it, from `at` up to `end`. */
static void add_roff(ls_text *to, const char *at, const char *end) {
    for (; at < end; at++) {
        if (*at == '-') ls_text_add(to, "\\-");
        else if (*at == '\'') ls_text_add(to, "\\(aq");
        else if (*at == '`') ls_text_add(to, "\\(ga");
        else if (*at == '\\') ls_text_add(to, "\\e");
        else ls_text_put(to, at, 1);
    }
}

static void add_plain(ls_text *to, const char *text) { add_roff(to, text, text + strlen(text)); }

static void add_paragraph(ls_text *to, const char *text) {
    while (*text != '\0') {
        const size_t n = line_of(text);
        if (*text == '.') ls_text_add(to, "\\&");
        add_roff(to, text, text + n);
        ls_text_add(to, "\n");
        text += n;
        text += strspn(text, " ");
    }
}

/* A sentence of what is one line elsewhere. */
static void add_sentence(ls_text *to, const char *line) {
    const char last = line[strlen(line) - 1];
    ls_text_add(to, "%c%s%s ", toupper((unsigned char)line[0]), line + 1, last == '?' || last == '.' ? "" : ".");
}

/* Takes a text of sentences and adds it as a paragraph. */
static void end_paragraph(ls_text *to, ls_text *sentences) {
    char *text = ls_text_take(sentences);
    text[strlen(text) - 1] = '\0'; /* the blank behind the last */
    add_paragraph(to, text);
    free(text);
}

static void man_command(ls_text *to, const ls_command *c) {
    char *words = ls_command_words(c);
    const char *macro = ".TP";
    for (const char *form = c->synopsis; *form != '\0'; form += *form == '\n', macro = ".TQ") {
        const char *end = form + strcspn(form, "\n");
        ls_text_add(to, "%s\n\\fB%s\\fR ", macro, words);
        add_roff(to, form, end);
        ls_text_add(to, "\n");
        form = end;
    }
    ls_text text = {0};
    add_sentence(&text, c->purpose);
    if (c->about != NULL) add_sentence(&text, c->about);
    if (c->options[0] != '\0') ls_text_add(&text, "Options:%s. ", c->options);
    if (c->of_case != NULL) ls_text_add(&text, "With a case file:%s. ", c->of_case);
    const char *between = c->good != NULL && c->finding != NULL ? "; " : "";
    ls_text_add(&text, "Exit status ");
    if (c->good != NULL) ls_text_add(&text, "0: %s%s", c->good, between);
    if (c->finding != NULL) ls_text_add(&text, "1: %s", c->finding);
    ls_text_add(&text, ". ");
    end_paragraph(to, &text);
    ls_text_add(to, ".IP\n.EX\n");
    add_plain(to, c->example);
    ls_text_add(to, "%s.EE\n", c->example[strlen(c->example) - 1] == '\n' ? "" : "\n");
    free(words);
}

/* The commands that take an option. */
static void add_takers(ls_text *text, const ls_option *o) {
    const char *between = "Of ";
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) {
        if (!ls_list_has(c->options, o->name)) continue;
        char *words = ls_command_words(c);
        ls_text_add(text, "%s%s", between, words);
        between = ", ";
        free(words);
    }
    ls_text_add(text, "%s. ", between[0] == 'O' ? "Of all commands" : "");
}

static void man_option(ls_text *to, const ls_option *o) {
    ls_text_add(to, ".TP\n\\fB");
    if (o->letter != NULL) {
        add_plain(to, o->letter);
        ls_text_add(to, "\\fR, \\fB");
    }
    add_plain(to, o->name);
    ls_text_add(to, "\\fR");
    if (o->argument != NULL) ls_text_add(to, " \\fI");
    if (o->argument != NULL) add_plain(to, o->argument);
    ls_text_add(to, "%s\n", o->argument != NULL ? "\\fR" : "");
    ls_text text = {0};
    add_sentence(&text, o->help);
    if (o->more != NULL) add_sentence(&text, o->more);
    for (const ls_meaning *m = ls_meaning_table; m->command != NULL; m++)
        if (strcmp(m->option, o->name) == 0) ls_text_add(&text, "%s: %s. ", m->command, m->help);
    add_takers(&text, o);
    end_paragraph(to, &text);
}

static void print_man(void) {
    ls_text to = {0};
    const char *group = "";
    ls_text_add(&to, ".SH COMMANDS\n");
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) {
        if (strcmp(group, c->group) != 0) ls_text_add(&to, ".SS %s\n", c->group);
        group = c->group;
        man_command(&to, c);
    }
    ls_text_add(&to, ".SH OPTIONS\nAn option that a command would ignore is refused.\n");
    for (const ls_option *o = ls_option_table; o->name != NULL; o++) man_option(&to, o);
    (void)fputs(to.data, stdout);
    free(to.data);
}

void ls_help(const ls_options *o) {
    const ls_command *command = ls_command_find(o->command, o->verb != NULL ? o->verb : "");
    if (o->man) print_man();
    else if (o->completion != NULL) (void)ls_completion(o->completion, true);
    else if (!o->help) print_overview();
    else if (command == NULL) print_verbs(o->command, o->argv[0]);
    else print_command(command, o->argv[0]);
}
