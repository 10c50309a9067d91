/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/xml.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"

enum { MAX_ATTRIBUTES = 24 };

/* Replaces the five entities and character references below 128 in place. */
static void unescape(char *text) {
    static const struct {
        const char *name;
        char is;
    } entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&apos;", '\''}, {"&quot;", '"'}};
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        size_t length = 1;
        char made = *from;
        for (size_t e = 0; *from == '&' && e < sizeof entities / sizeof *entities; e++) {
            if (strncmp(from, entities[e].name, strlen(entities[e].name)) == 0) {
                length = strlen(entities[e].name);
                made = entities[e].is;
            }
        }
        if (strncmp(from, "&#", 2) == 0) {
            char *end = NULL;
            long code = from[2] == 'x' ? strtol(from + 3, &end, 16) : strtol(from + 2, &end, 10);
            if (*end == ';' && code > 0 && code < 256) { /* Verilator writes a letter's bytes, not its code point */
                length = (size_t)(end + 1 - from);
                made = (char)code;
            }
        }
        *to++ = made;
        from += length;
    }
    *to = '\0';
}

static bool space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Reads `key="value"` pairs up to the '>' of a tag. Returns the text after it, or NULL; `*closed` says whether it ended in "/>".
 */
static char *attributes(ls_tree *tree, char *p, ls_tree_node *n, bool *closed) {
    ls_tree_attribute found[MAX_ATTRIBUTES];
    size_t count = 0;
    *closed = false;
    for (;;) {
        while (space(*p)) {
            *p++ = '\0';
        }
        if (*p == '/' && p[1] == '>') {
            *closed = true;
            *p = '\0';
            p += 2;
            break;
        }
        if (*p == '>') {
            *p++ = '\0';
            break;
        }
        char *key = p;
        p += strcspn(p, "=<> \t\r\n");
        if (*p != '=' || p == key || (p[1] != '"' && p[1] != '\'') || count == MAX_ATTRIBUTES) {
            return NULL;
        }
        char quote = p[1];
        *p = '\0';
        char *value = p + 2;
        p = strchr(value, quote);
        if (p == NULL) {
            return NULL;
        }
        *p++ = '\0';
        unescape(value);
        found[count++] = (ls_tree_attribute){key, value};
    }
    ls_tree_attributes(tree, n, found, count);
    return p;
}

bool ls_xml_parse(ls_tree *tree, char *text) {
    ls_tree_node *at = &tree->root;
    size_t depth = 0;
    tree->root.tag = "";
    for (char *p = strchr(text, '<'); p != NULL; p = strchr(p, '<')) {
        if (p[1] == '?' || p[1] == '!') {
            const char *end = strncmp(p, "<!--", 4) == 0 ? "-->" : ">";
            p = strstr(p, end);
            if (p == NULL) {
                return false;
            }
        } else if (p[1] == '/') {
            char *end = strchr(p, '>');
            if (end == NULL || at->parent == NULL || strncmp(p + 2, at->tag, strlen(at->tag)) != 0) {
                return false;
            }
            at = at->parent;
            depth--;
            p = end;
        } else {
            ls_tree_node *n = ls_tree_node_new(tree, ++p);
            p += strcspn(p, "/> \t\r\n");
            ls_tree_add(at, n);
            char *name_end = p;
            const char after = *p;
            bool closed = false;
            p = after == '\0' ? NULL : attributes(tree, p, n, &closed);
            if (p == NULL || depth == LS_TREE_DEPTH) {
                return false;
            }
            *name_end = '\0';
            at = closed ? at : n;
            depth += !closed;
        }
    }
    return at == &tree->root && tree->root.child != NULL;
}
