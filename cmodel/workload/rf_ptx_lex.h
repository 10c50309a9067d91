/* SPDX-License-Identifier: Apache-2.0 */
/* Words and numbers of a PTX text, one token ahead; every error names file and line. */
#ifndef RF_PTX_LEX_H
#define RF_PTX_LEX_H

#include "cmodel/common/rf_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_PTX_ERROR_MAX 512u /* longest message, with its NUL */
#define RF_PTX_QUOTE_MAX 80u  /* characters of the file that a message shows */

typedef enum rf_ptx_kind {
    RF_PTX_END,       /* of the text */
    RF_PTX_WORD,      /* name, register or opcode with its suffixes: "%r1", "ld.global.f32" */
    RF_PTX_DIRECTIVE, /* ".reg" */
    RF_PTX_INT,
    RF_PTX_F32,
    RF_PTX_F64,    /* value: its bits */
    RF_PTX_STRING, /* without its quotes */
    RF_PTX_PUNCT   /* one character */
} rf_ptx_kind;

typedef struct rf_ptx_token {
    rf_ptx_kind kind;
    const char *text; /* in the file's buffer */
    size_t length;
    uint32_t line;
    uint64_t value;
} rf_ptx_token;

typedef struct rf_ptx_lexer {
    const char *path, *start, *at, *end;
    uint32_t line;      /* at `at` */
    rf_ptx_token token; /* the one to be read next */
    char error[RF_PTX_ERROR_MAX];
} rf_ptx_lexer;

/* Starts at the first token of `text`, which stays. As every function here: false after an error. */
bool rf_ptx_begin(rf_ptx_lexer *lex, const char *path, const char *text, size_t size);

/* Records "FILE:LINE: what: text" for the line of the token to be read next; always false. The first error stays. */
__attribute__((format(printf, 3, 4))) bool rf_ptx_fail(rf_ptx_lexer *lex, const char *what, const char *format, ...);

/* The same: "'token' is not `expected`". */
bool rf_ptx_fail_token(rf_ptx_lexer *lex, const char *what, const char *expected);

/* The first RF_PTX_QUOTE_MAX characters of a text of the file, printable, for a message. */
const char *rf_ptx_quote(char quote[RF_PTX_QUOTE_MAX + 4], const char *text, size_t length);

/* Moves to the next token. */
bool rf_ptx_next(rf_ptx_lexer *lex);

/* Whether the token is this character; this text. */
bool rf_ptx_at(const rf_ptx_lexer *lex, char punct);
bool rf_ptx_token_is(const rf_ptx_token *token, const char *text);

/* Passes this character, which must be there. */
bool rf_ptx_expect(rf_ptx_lexer *lex, char punct, const char *what);

/* A whole number, min .. max. */
bool rf_ptx_whole(rf_ptx_lexer *lex, const char *what, uint64_t min, uint64_t max, uint64_t *value);

/* A constant: a number, or a sum of integers with signs, ~ and parentheses. *kind: RF_PTX_INT (value: 64 bits, two's complement),
 * RF_PTX_F32, RF_PTX_F64. */
bool rf_ptx_constant(rf_ptx_lexer *lex, const char *what, rf_ptx_kind *kind, uint64_t *value);

#ifdef __cplusplus
}
#endif
#endif
