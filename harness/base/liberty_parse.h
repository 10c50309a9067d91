/* SPDX-License-Identifier: Apache-2.0 */
/* The syntax of Liberty: groups, simple and complex attributes as a tree. Its meaning is liberty.c's business; not for other
 * files. */
#ifndef LS_LIBERTY_PARSE_H
#define LS_LIBERTY_PARSE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/text.h"

#define LS_LIBERTY_DEPTH 32u /* groups in groups */

/* One statement: `name : value ;`, `name (args) ;` or `name (args) { children }`. */
typedef struct ls_liberty_node {
    char *name;
    char *value;  /* of a simple attribute, without its quotes; else NULL */
    ls_args args; /* without their quotes */
    bool group;
    size_t line; /* where it begins, from 1 */
    struct ls_liberty_node *children;
    size_t child_count;
} ls_liberty_node;

/* Parses a whole text as statements, the children of *root. Tolerated, because libraries have it: no ';' at a line's end,
 * strings over several lines, comments as in C and C++. 0; or -1 and "PATH:LINE: what" in `error`, with *root zeroed. */
int ls_liberty_parse(const char *path, const ls_text *text, ls_liberty_node *root, char *error, size_t size);
void ls_liberty_node_free(ls_liberty_node *node);

/* The last statement of that name, which is what counts; NULL when there is none. */
const ls_liberty_node *ls_liberty_child(const ls_liberty_node *node, const char *name);

#endif
