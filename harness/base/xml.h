/* SPDX-License-Identifier: Apache-2.0 */
/* The elements and attributes of an XML document as a tree; text between elements is dropped. Enough for Verilator's output. */
#ifndef LS_XML_H
#define LS_XML_H

#include <stdbool.h>
#include <stddef.h>

typedef struct ls_xml_attribute {
    char *key, *value;
} ls_xml_attribute;

/* Texts point into the parsed document. */
typedef struct ls_xml_node {
    const char *tag;
    struct ls_xml_node *parent, *child, *last, *next; /* `last` child */
    ls_xml_attribute *attributes;
    size_t attribute_count;
    unsigned mark; /* the user's, 0 at first */
} ls_xml_node;

typedef struct ls_xml {
    ls_xml_node **nodes; /* all of them in document order */
    size_t count;
    struct ls_xml_block *blocks; /* where they and their attributes are */
    ls_xml_node root;            /* its children are the document's outermost elements */
} ls_xml;

/* Reads `text`, which is cut up in place and must outlive `xml` (zeroed before). Returns whether it is well formed; ls_xml_free
 * releases it in both cases. */
bool ls_xml_parse(ls_xml *xml, char *text);
void ls_xml_free(ls_xml *xml);

/* The value of an attribute, "" when there is none. */
const char *ls_xml_get(const ls_xml_node *node, const char *key);

#endif
