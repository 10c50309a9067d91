/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/filelist.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEPTH 32
#define NAME_CHARACTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_"

/* Words that say nothing of what is read; those that end with * may go on. */
static const char *const idle[] = {"-sverilog",
                                   "-sv",
                                   "--sv",
                                   "+v2k",
                                   "-full64",
                                   "-64",
                                   "-64bit",
                                   "-quiet",
                                   "-timescale=*",
                                   "--timescale=*",
                                   "-override_timescale=*",
                                   "+systemverilogext+*",
                                   "+verilog2001ext+*",
                                   "+librescan",
                                   "+nospecify",
                                   "+notimingchecks",
                                   "-Wno-*",
                                   NULL};

/* The same with a word behind them. */
static const char *const idle_pairs[] = {"-timescale", "--timescale", "-override_timescale", "-work", NULL};

/* A list that is read: its words, and where in it we are. */
typedef struct reader {
    const char *path;
    const char *folder; /* where its names begin, NULL: at the current one */
    const char *at;
    unsigned line, depth;
    ls_filelist *to;
    char *error;
    size_t size;
} reader;

static int wrong(const reader *r, const char *what, const char *word) {
    (void)snprintf(r->error, r->size, "%s:%u: %s%s%s", r->path, r->line, word, word[0] != '\0' ? ": " : "", what);
    return -1;
}

/* To the next word. False at the end. */
static bool to_word(reader *r) {
    for (;;) {
        if (*r->at == '\0') return false;
        if (strncmp(r->at, "//", 2) == 0 || *r->at == '#') {
            r->at += strcspn(r->at, "\n");
        } else if (strncmp(r->at, "/*", 2) == 0) {
            const char *end = strstr(r->at + 2, "*/");
            for (; *r->at != '\0' && r->at != end; r->at++) r->line += *r->at == '\n';
            r->at += end != NULL ? 2 : 0;
        } else if (strchr(" \t\r\n", *r->at) != NULL) {
            r->line += *r->at++ == '\n';
        } else {
            return true;
        }
    }
}

/* $NAME, ${NAME} or $(NAME) at r->at, replaced. */
static int variable(reader *r, ls_text *to) {
    const char open = r->at[1], close = open == '{' ? '}' : open == '(' ? ')' : '\0';
    const char *name = r->at + 1 + (close != '\0');
    const size_t n = strspn(name, NAME_CHARACTERS);
    char *text = ls_format("%.*s", (int)n, name);
    const char *value = getenv(text);
    int status = 0;
    if (n == 0 || (close != '\0' && name[n] != close)) status = wrong(r, "expected $NAME, ${NAME} or $(NAME)", "");
    else if (value == NULL) status = wrong(r, "there is no such environment variable", text);
    else ls_text_add(to, "%s", value);
    r->at = name + n + (close != '\0');
    free(text);
    return status;
}

/* The word at r->at, to be freed; quotes may hold blanks. NULL and the error. */
static char *word(reader *r) {
    ls_text text = {0};
    bool quoted = false;
    ls_text_put(&text, "", 0);
    while (*r->at != '\0' && *r->at != '\n' && (quoted || strchr(" \t\r", *r->at) == NULL)) {
        if (!quoted && strncmp(r->at, "//", 2) == 0 && text.size == 0) break;
        if (*r->at == '"') {
            quoted = !quoted;
            r->at++;
        } else if (*r->at == '$') {
            if (variable(r, &text) != 0) return free(text.data), NULL;
        } else {
            ls_text_put(&text, r->at++, 1);
        }
    }
    if (quoted) {
        (void)wrong(r, "the quote does not end", text.data);
        return free(text.data), NULL;
    }
    return ls_text_take(&text);
}

/* A name of the list from the root on. */
static char *whole(const reader *r, const char *name) {
    char here[PATH_MAX];
    if (name[0] == '/') return ls_copy(name);
    if (r->folder == NULL) return getcwd(here, sizeof here) != NULL ? ls_format("%s/%s", here, name) : ls_copy(name);
    return ls_format("%s/%s", r->folder, name);
}

static int read_list(const char *path, const char *folder, unsigned depth, ls_filelist *to, char *error, size_t size);

/* A macro. The same one again changes nothing; with another value simulators differ in which they take. */
static int take_macro(const reader *r, const char *text) {
    ls_args *to = &r->to->defines;
    if (!ls_is_macro(text)) return wrong(r, "expected NAME or NAME=VALUE", text);
    ls_args_add(to, "%s", text);
    if (!ls_args_named_before(to, to->count - 1)) return 0;
    free(to->list[--to->count]);
    char *before = NULL;
    for (size_t i = 0; i < to->count; i++)
        if (strcspn(to->list[i], "=") == strcspn(text, "=") && strncmp(to->list[i], text, strcspn(text, "=")) == 0)
            before = to->list[i];
    if (strcmp(before, text) == 0) return 0;
    char *what = ls_format("the macro is %s already", before);
    (void)wrong(r, what, text);
    free(what);
    return -1;
}

/* The parts of "+incdir+A+B", "+define+A=1+B". */
static int take_plus(reader *r, char *text) {
    char *next = strchr(text + 1, '+');
    const bool incdir = strncmp(text, "+incdir+", 8) == 0, define = strncmp(text, "+define+", 8) == 0;
    if (strncmp(text, "+libext+", 8) == 0) {
        ls_args_add(&r->to->extra, "%s", text);
        return 0;
    }
    if (!incdir && !define) return wrong(r, "a file list may have +incdir+, +define+ and +libext+", text);
    while (next != NULL) {
        char *part = next + 1;
        next = strchr(part, '+');
        if (next != NULL) *next = '\0';
        if (part[0] == '\0') continue;
        if (define && take_macro(r, part) != 0) return -1;
        char *folder = whole(r, part);
        if (incdir) ls_args_add(&r->to->extra, "+incdir+%s", folder);
        free(folder);
    }
    return 0;
}

static bool is_idle(const char *text) {
    for (const char *const *w = idle; *w != NULL; w++) {
        const size_t n = strlen(*w) - ((*w)[strlen(*w) - 1] == '*');
        if (strncmp(text, *w, n) == 0 && ((*w)[n] == '*' || text[n] == '\0')) return true;
    }
    return false;
}

static bool is_one_of(const char *text, const char *const *list) {
    while (*list != NULL && strcmp(text, *list) != 0) list++;
    return *list != NULL;
}

/* An option that a word of its own follows: -f, -F, -y, -v, -I, -D, -incdir, -define, and what says nothing. */
static int take_pair(reader *r, const char *option) {
    char *value = to_word(r) ? word(r) : NULL;
    if (value == NULL) return r->error[0] == '\0' ? wrong(r, "expected a name behind it", option) : -1;
    char *path = whole(r, value), *folder = ls_folder_of(path);
    int status = 0;
    if (strcmp(option, "-f") == 0) status = read_list(path, r->folder, r->depth + 1, r->to, r->error, r->size);
    else if (strcmp(option, "-F") == 0) status = read_list(path, folder, r->depth + 1, r->to, r->error, r->size);
    else if (strcmp(option, "-incdir") == 0 || strcmp(option, "-I") == 0) ls_args_add(&r->to->extra, "+incdir+%s", path);
    else if (strcmp(option, "-define") == 0 || strcmp(option, "-D") == 0) status = take_macro(r, value);
    else if (!is_one_of(option, idle_pairs)) {
        ls_args_add(&r->to->extra, "%s", option);
        ls_args_add(&r->to->extra, "%s", path);
    }
    free(folder);
    free(path);
    free(value);
    return status;
}

static int read_word(reader *r, char *text) {
    static const char *const pairs[] = {"-f", "-F", "-y", "-v", "-I", "-D", "-incdir", "-define", NULL};
    if (is_one_of(text, pairs) || is_one_of(text, idle_pairs)) return take_pair(r, text);
    if (text[0] == '+' && !is_idle(text)) return take_plus(r, text);
    char *path = whole(r, text + (text[0] == '-' ? 2 : 0));
    int status = 0;
    if (is_idle(text)) status = 0;
    else if (strncmp(text, "-I", 2) == 0 && text[2] != '\0') ls_args_add(&r->to->extra, "+incdir+%s", path);
    else if (strncmp(text, "-D", 2) == 0 && ls_is_macro(text + 2)) status = take_macro(r, text + 2);
    else if (text[0] == '-')
        status = wrong(r, "a file list may have -f, -F, -y, -v, -I, -D, -incdir, -define, +incdir+, +define+, +libext+ and files",
                       text);
    else ls_args_add(&r->to->files, "%s", path);
    free(path);
    return status;
}

static int read_list(const char *path, const char *folder, unsigned depth, ls_filelist *to, char *error, size_t size) {
    ls_text text = {0};
    const int failed = ls_text_read(&text, path);
    if (failed != 0 || depth > DEPTH) {
        (void)snprintf(error, size, "%s: %s", path,
                       failed != 0 ? strerror(-failed) : "lists lie more than 32 deep in each other");
        free(text.data);
        return -1;
    }
    ls_text_put(&text, "", 0);
    reader r = {
        .path = path, .folder = folder, .at = text.data, .line = 1, .depth = depth, .to = to, .error = error, .size = size};
    int status = 0;
    while (status == 0 && to_word(&r)) {
        char *one = word(&r);
        status = one == NULL ? -1 : read_word(&r, one);
        free(one);
    }
    free(text.data);
    return status;
}

int ls_filelist_read(const char *path, bool beside, ls_filelist *to, char *error, size_t size) {
    char *real = beside ? realpath(path, NULL) : NULL;
    error[0] = '\0';
    char *folder = beside ? ls_folder_of(real != NULL ? real : path) : NULL;
    const int status = read_list(real != NULL ? real : path, folder, 0, to, error, size);
    free(folder);
    free(real);
    return status;
}

void ls_filelist_free(ls_filelist *list) {
    ls_args_free(&list->files);
    ls_args_free(&list->defines);
    ls_args_free(&list->extra);
}
