/* SPDX-License-Identifier: Apache-2.0 */
/* Growable texts and lists, whole files, and memory that is there: what lockstep's tools need of strings.
 * Everything here ends the process with a message and status 2 when memory runs out, and returns only otherwise. */
#ifndef LS_TEXT_H
#define LS_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ls_text {
    char *data; /* ends with NUL; NULL while nothing was added */
    size_t size;
} ls_text;

/* Called first when memory runs out, unless NULL: for a process that must tell more than its status. It allocates nothing. */
extern void (*ls_when_no_memory)(void);

/* `count` * `size` zeroed bytes. */
void *ls_alloc(size_t count, size_t size);

/* A copy to be freed by the caller. */
char *ls_copy(const char *text);

/* The folder that a path is in: "." without a slash. To be freed by the caller. */
char *ls_folder_of(const char *path);

/* `list` of `count` elements with room for one more: NULL for 0 elements at first, then the list or its new place. */
void *ls_grow(void *list, size_t count, size_t size);

/* Appends bytes, or a text as printf makes it. */
void ls_text_put(ls_text *text, const void *data, size_t size);
void ls_text_add(ls_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text itself, "" rather than NULL, to be freed by the caller; `text` is empty again. */
char *ls_text_take(ls_text *text);

/* A text as printf makes it, to be freed by the caller. */
char *ls_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "FILE:LINE: " (of line 0 "FILE: ") and a text as vprintf makes it, cut to `size` bytes: how a reader of files tells where. */
void ls_error_at(char *error, size_t size, const char *path, size_t line, const char *format, va_list args)
    __attribute__((format(printf, 5, 0)));

/* An argument list for ls_process: `list` ends with NULL once something was added. */
typedef struct ls_args {
    char **list;
    size_t count;
} ls_args;

/* Appends one argument as printf makes it. */
void ls_args_add(ls_args *args, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sorts the words by their bytes. */
void ls_args_sort(ls_args *args);
/* Of NAME and NAME=VALUE: whether an argument before the i-th has its name. */
bool ls_args_named_before(const ls_args *args, size_t i);
void ls_args_free(ls_args *args);

/* A word as the shell needs it, to be freed by the caller. */
char *ls_shell_word(const char *word);

/* Appends the contents of a file. Returns 0 or a negative errno. */
int ls_text_read(ls_text *text, const char *path);

/* Opens a new file beside the one that `path` names; renamed from *temporary to *target, it takes that one's place, and symbolic
 * links to it stay. Both names are to be freed. Returns the file descriptor, or a negative errno and no names: -ENOTSUP when
 * something is there that is no regular file. */
int ls_open_beside(const char *path, char **target, char **temporary);

/* Makes or replaces a file at once: readers see the old or the new contents, whole. Returns 0 or a negative errno, as
 * ls_open_beside does. */
int ls_text_write(const ls_text *text, const char *path);

/* Removes what was written in part, or is of an earlier time, when it is a file or a link: a device or a pipe stays. */
void ls_discard(const char *path);

/* Whether ls_text_append could: 0, or a negative errno. Makes no file. */
int ls_text_appendable(const char *path);

/* Appends to a file, which is made when it is not there, in one write: lines that several processes append stay whole, however
 * long. Returns 0 or a negative errno. */
int ls_text_append(const ls_text *text, const char *path);

/* Removes a file or a directory with all in it, as far as permitted; what is missing is no error. */
void ls_remove_tree(const char *path);

/* Bytes of the UTF-8 character at `at` (RFC 3629), or 0 when there is none. */
size_t ls_utf8_length(const char *at);

/* Foreign text for a screen, to be freed: control characters but the ends of lines and tabs, and what is no UTF-8, are written as
 * \x1b. `data` has `size` bytes and a NUL after them. */
char *ls_printable(const char *data, size_t size);

/* What stands behind a noun of `count`: "bit%s". */
static inline const char *ls_plural(uint64_t count) { return count == 1 ? "" : "s"; }

/* Prints as printf does, for a person: what is foreign in it, which is whatever comes from the arguments, can be no more than
 * text. Control characters and what is no UTF-8 are written as \x1b, and a line that begins in an argument begins with two
 * blanks: none is taken for one of ours. The format's own line ends and escape sequences stay. All that is printed for people
 * goes through here. */
void ls_say(FILE *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
void ls_say_list(FILE *to, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/* Copies `text` into `to`, of `size` bytes (100 at least). What does not fit is cut between two characters, and the copy says so.
 */
void ls_cut(char *to, size_t size, const char *text);

/* Whether it defines a macro of Verilog: NAME or NAME=VALUE, in one line. */
bool ls_is_macro(const char *text);

/* Reads a whole number below 10^18: decimal, or hexadecimal behind 0x; no sign, no zero before other digits. `scaled`: k or M,
 * for thousands and millions, may stand behind a decimal one. */
bool ls_whole_number(const char *text, bool scaled, uint64_t *number);

/* Reads a decimal number without sign or exponent: digits, with a point among, before or behind them or without. */
bool ls_decimal(const char *text, double *number);

#ifdef __cplusplus
}
#endif
#endif
