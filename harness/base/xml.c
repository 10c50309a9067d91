/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/xml.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"

enum { MAX_ATTRIBUTES = 24, BLOCK = 1 << 16 };

/* A design has up to 100,000 nodes, of which each would be an allocation or two. */
struct ls_xml_block {
    struct ls_xml_block *next;
    size_t used;
    _Alignas(max_align_t) char bytes[BLOCK];
};

static void *take_memory(ls_xml *xml, size_t size) {
    size = (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
    if (xml->blocks == NULL || BLOCK - xml->blocks->used < size) {
        struct ls_xml_block *block = ls_alloc(1, sizeof *block);
        block->next = xml->blocks;
        xml->blocks = block;
    }
    xml->blocks->used += size;
    return xml->blocks->bytes + xml->blocks->used - size;
}

const char *ls_xml_get(const ls_xml_node *n, const char *key) {
    for (size_t i = 0; i < n->attribute_count; i++) {
        if (strcmp(n->attributes[i].key, key) == 0) {
            return n->attributes[i].value;
        }
    }
    return "";
}

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
static char *attributes(ls_xml *xml, char *p, ls_xml_node *n, bool *closed) {
    ls_xml_attribute found[MAX_ATTRIBUTES];
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
        if (*p != '=' || p == key || (p[1] != '"' && p[1] != '\'') || n->attribute_count == MAX_ATTRIBUTES) {
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
        found[n->attribute_count++] = (ls_xml_attribute){key, value};
    }
    if (n->attribute_count > 0) {
        n->attributes = take_memory(xml, n->attribute_count * sizeof *n->attributes);
        memcpy(n->attributes, found, n->attribute_count * sizeof *found);
    }
    return p;
}

bool ls_xml_parse(ls_xml *xml, char *text) {
    ls_xml_node *at = &xml->root;
    xml->root.tag = "";
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
            p = end;
        } else {
            ls_xml_node *n = take_memory(xml, sizeof *n);
            xml->nodes = ls_grow(xml->nodes, xml->count, sizeof *xml->nodes);
            xml->nodes[xml->count++] = n;
            n->tag = ++p;
            p += strcspn(p, "/> \t\r\n");
            n->parent = at;
            if (at->last == NULL) {
                at->child = n;
            } else {
                at->last->next = n;
            }
            at->last = n;
            char *name_end = p;
            const char after = *p;
            bool closed = false;
            p = after == '\0' ? NULL : attributes(xml, p, n, &closed);
            if (p == NULL) {
                return false;
            }
            *name_end = '\0';
            at = closed ? at : n;
        }
    }
    return at == &xml->root && xml->root.child != NULL;
}

void ls_xml_free(ls_xml *xml) {
    for (struct ls_xml_block *block = xml->blocks, *next; block != NULL; block = next) {
        next = block->next;
        free(block);
    }
    free(xml->nodes);
    *xml = (ls_xml){0};
}
