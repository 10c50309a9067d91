/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and words of a text that comes from an rf_source, in constant memory; every error names file, line and field. */
#ifndef RF_LINES_H
#define RF_LINES_H

#include "cmodel/workload/rf_inst.h"
#include "cmodel/workload/rf_source.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_LINE_MAX 65535u      /* longest line, bytes without its end */
#define RF_LINES_ERROR_MAX 512u /* longest message, with its NUL */
#define RF_PATH_SHOWN 192u      /* longest path in a message, with its NUL: room is left for line, field and reason */

/* The path as messages show it: a longer one is cut in its middle. Returns `shown`. */
const char *rf_path_shown(const char *path, char shown[RF_PATH_SHOWN]);

typedef struct rf_lines {
    const rf_source *source;
    void *handle;
    char *path;
    uint64_t number; /* of the line handed out last, from 1 */
    char *buffer;
    size_t begin, end; /* bytes read and not yet handed out */
    bool ended;        /* the source has no more */
    bool failed;       /* then, and for ever: */
    char error[RF_LINES_ERROR_MAX];
} rf_lines;

/* Opens `path`: 0, or -1 and a message in `error`. rf_lines_close is due either way. */
int rf_lines_open(rf_lines *lines, const rf_source *source, const char *path);
void rf_lines_close(rf_lines *lines);

/* The next line without its end and the blanks around it, NUL-terminated, the caller's to change until the next call: 1, 0 at the
 * end, -1 for a line that is too long or holds a NUL byte, and for a source that fails. */
int rf_lines_next(rf_lines *lines, char **line);

/* As rf_lines_next, passing over blank lines. */
int rf_lines_next_text(rf_lines *lines, char **line);

/* Records "FILE:LINE: field: text" for the current line; always false. */
__attribute__((format(printf, 3, 4))) bool rf_lines_fail(rf_lines *lines, const char *field, const char *format, ...);

/* The same for a word that is not what it should be: "'word' is not `what`", or "missing" at the end of the line. */
bool rf_lines_fail_word(rf_lines *lines, const char *field, const char *word, const char *what);

/* Words end at a blank or at the end of the line. Each of these reads the one at *at and moves *at behind it and its blanks:
 * true, or false after rf_lines_fail. Decimal number, min .. max. */
bool rf_word_decimal(rf_lines *lines, const char **at, const char *field, uint64_t min, uint64_t max, uint64_t *value);

/* Decimal number with an optional minus, min .. max; min <= -10, max >= 10. */
bool rf_word_signed(rf_lines *lines, const char **at, const char *field, int64_t min, int64_t max, int64_t *value);

/* Hexadecimal number of min .. max (<= 16) digits behind `prefix`; `what` says so in a message. */
bool rf_word_hex(rf_lines *lines, const char **at, const char *field, const char *prefix, uint32_t min, uint32_t max,
                 const char *what, uint64_t *value);

/* Moves *at from `end`, where the word at *at must end, behind its blanks. */
bool rf_word_close(rf_lines *lines, const char **at, const char *end, const char *field, const char *what);

/* Nothing follows on this line. */
bool rf_word_none(rf_lines *lines, const char *at);

#ifdef __cplusplus
}
#endif
#endif
