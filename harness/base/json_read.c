/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/json_read.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "harness/base/json_scan.h"
#include "harness/base/text.h"

/* An object or an array that is open. */
typedef struct level {
    ls_tree_node *node; /* the object; of an array the node that its elements are children of */
    const char *tag;    /* of an array: its elements' */
    size_t attributes;  /* of an object: where its own begin in the reader's */
    bool array;
} level;

typedef struct reader {
    ls_tree *tree;
    level *levels;
    size_t depth;
    ls_tree_attribute *attributes; /* of all objects that are open, one behind the other */
    size_t count, room;
} reader;

static bool octal(const char *p) { return p[0] >= '0' && p[0] <= '3' && strspn(p, "01234567") >= 3; }

/* The end of a string, behind its quote, or NULL; `*plain`: it has no escape. */
static char *string_end(char *p, bool *plain) {
    *plain = true;
    for (p++; *p != '"'; p++) {
        if ((unsigned char)*p < 0x20) return NULL;
        if (*p == '\\') {
            *plain = false;
            p++;
            if (*p == 'u' && strspn(p + 1, "0123456789abcdefABCDEF") < 4) return NULL;
            if (*p == '\0' || (strchr("\"\\/bfnrtu", *p) == NULL && !octal(p))) return NULL;
        }
    }
    return p + 1;
}

static char *put_utf8(char *to, unsigned long code) {
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

void ls_json_unescape(char *text) {
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        if (*from != '\\') {
            *to++ = *from++;
            continue;
        }
        from++;
        const char *letter = strchr(letters, *from);
        if (*from == 'u' && strspn(from + 1, "0123456789abcdefABCDEF") >= 4) {
            const char digits[] = {from[1], from[2], from[3], from[4], '\0'};
            to = put_utf8(to, strtoul(digits, NULL, 16));
            from += 5;
        } else if (octal(from)) {
            *to++ = (char)((from[0] - '0') * 64 + (from[1] - '0') * 8 + (from[2] - '0'));
            from += 3;
        } else if (*from != '\0') {
            *to++ = letter != NULL ? meant[letter - letters] : *from;
            from++;
        }
    }
    *to = '\0';
}

static void add_attribute(reader *r, const char *key, char *value) {
    if (r->count == r->room) {
        r->room = r->room == 0 ? 256 : 2 * r->room;
        ls_tree_attribute *list = ls_alloc(r->room, sizeof *list);
        if (r->count > 0) memcpy(list, r->attributes, r->count * sizeof *list);
        free(r->attributes);
        r->attributes = list;
    }
    r->attributes[r->count++] = (ls_tree_attribute){key, value};
}

/* Opens an object or an array whose tag is `tag`. */
static bool open_level(reader *r, const char *tag, bool array) {
    if (r->depth == LS_TREE_DEPTH) return false;
    level *l = &r->levels[r->depth];
    const level *outer = r->depth > 0 ? &r->levels[r->depth - 1] : NULL;
    *l = (level){.node = outer != NULL ? outer->node : &r->tree->root, .tag = tag, .attributes = r->count, .array = array};
    if (!array || (outer != NULL && outer->array)) {
        ls_tree_node *n = ls_tree_node_new(r->tree, tag);
        ls_tree_add(l->node, n);
        l->node = n;
    }
    r->depth++;
    return true;
}

static void close_level(reader *r) {
    const level *l = &r->levels[--r->depth];
    if (!l->array) {
        ls_tree_attributes(r->tree, l->node, r->attributes + l->attributes, r->count - l->attributes);
        r->count = l->attributes;
    }
}

/* A text, number or word at `p`, which is an attribute of the open object or an element of the open array. Its end or NULL. */
static char *scalar(reader *r, char *p, const char *tag) {
    static const char *const words[] = {"true", "false", "null"};
    char *end = NULL, *value = NULL;
    if (*p == '"') {
        bool plain = false;
        end = string_end(p, &plain);
        if (end == NULL) return NULL;
        end[-1] = '\0';
        value = p + 1;
        if (!plain) ls_json_unescape(value);
    } else {
        for (size_t i = 0; i < sizeof words / sizeof words[0] && end == NULL; i++)
            if (strncmp(p, words[i], strlen(words[i])) == 0) end = p + strlen(words[i]);
        const char *number = end == NULL ? ls_json_scan_number(p) : end;
        if (number == NULL) return NULL;
        end = p + (number - p);
        value = ls_tree_memory(r->tree, (size_t)(end - p) + 1);
        memcpy(value, p, (size_t)(end - p));
    }
    const level *l = &r->levels[r->depth - 1];
    if (l->array) {
        ls_tree_node *n = ls_tree_node_new(r->tree, tag);
        ls_tree_attributes(r->tree, n, &(ls_tree_attribute){"", value}, 1);
        ls_tree_add(l->node, n);
    } else {
        add_attribute(r, tag, value);
    }
    return end;
}

static char *space(char *p) { return p + strspn(p, " \t\r\n"); }

/* The name of the member at `*p`, which comes to stand at its value, or NULL. */
static const char *member(char **p) {
    bool plain = false;
    char *end = **p == '"' ? string_end(*p, &plain) : NULL;
    if (end == NULL) return NULL;
    const char *name = *p + 1;
    end[-1] = '\0';
    if (!plain) ls_json_unescape(*p + 1);
    *p = space(end);
    if (**p != ':') return NULL;
    *p = space(*p + 1);
    return name;
}

/* Reads up to the end of the outermost object. Returns it, or NULL with where it is wrong in `*wrong`. */
static char *read_object(reader *r, char *p, const char **wrong) {
    bool first = true; /* of its object or array */
    *wrong = p;
    if (*p != '{' || !open_level(r, "", false)) return NULL;
    p = space(p + 1);
    while (r->depth > 0) {
        const level *l = &r->levels[r->depth - 1];
        *wrong = p;
        if (*p == (l->array ? ']' : '}')) {
            close_level(r);
            first = false;
            p = r->depth > 0 ? space(p + 1) : p + 1;
            continue;
        }
        if (!first) {
            if (*p != ',') return NULL;
            p = space(p + 1);
            *wrong = p;
        }
        const char *tag = l->array ? l->tag : member(&p);
        if (tag == NULL) return NULL;
        *wrong = p;
        if (*p == '{' || *p == '[') {
            if (!open_level(r, tag, *p == '[')) return NULL;
            first = true;
            p = space(p + 1);
        } else {
            p = scalar(r, p, tag);
            if (p == NULL) return NULL;
            first = false;
            p = space(p);
        }
    }
    return p;
}

const char *ls_json_tree(ls_tree *tree, char *text) {
    reader r = {.tree = tree, .levels = ls_alloc(LS_TREE_DEPTH, sizeof *r.levels)};
    const char *wrong = text;
    tree->root.tag = "";
    char *end = read_object(&r, space(text), &wrong);
    if (end != NULL) {
        wrong = space(end);
        wrong = *wrong == '\0' ? NULL : wrong;
    }
    free(r.levels);
    free(r.attributes);
    return wrong;
}
