/* SPDX-License-Identifier: Apache-2.0 */
/* A document as a tree: nodes with a tag, attributes and children. The readers of XML and JSON make it (xml.h, json_read.h). */
#ifndef LS_TREE_H
#define LS_TREE_H

#include <stddef.h>

enum { LS_TREE_DEPTH = 10000 }; /* nodes inside nodes; what is deeper is refused, who walks a tree may call itself */

typedef struct ls_tree_attribute {
    const char *key;
    char *value;
} ls_tree_attribute;

/* Texts point into the document that was read. */
typedef struct ls_tree_node {
    const char *tag;
    struct ls_tree_node *parent, *child, *last, *next; /* `last` child */
    ls_tree_attribute *attributes;
    size_t attribute_count;
    unsigned mark; /* the user's, 0 at first */
} ls_tree_node;

/* Zeroed before the first use; ls_tree_free releases it. */
typedef struct ls_tree {
    ls_tree_node **nodes; /* all of them in the order of the document, once ls_tree_list was called */
    size_t count;
    struct ls_tree_block *blocks; /* where they and their attributes are */
    ls_tree_node root;            /* its children are the document's outermost */
} ls_tree;

/* Zeroed memory that lives as long as the tree. */
void *ls_tree_memory(ls_tree *tree, size_t size);

/* A new node, in no place. */
ls_tree_node *ls_tree_node_new(ls_tree *tree, const char *tag);

/* Makes `node`, which is in no place, the last child of `parent`. */
void ls_tree_add(ls_tree_node *parent, ls_tree_node *node);

/* Takes a node's children away from it; the first of them, the others by `next`. */
ls_tree_node *ls_tree_take(ls_tree_node *parent);

/* Gives a node these attributes, copied; they replace those it has. */
void ls_tree_attributes(ls_tree *tree, ls_tree_node *node, const ls_tree_attribute *list, size_t count);

/* The value of an attribute, "" when there is none. */
const char *ls_tree_get(const ls_tree_node *node, const char *key);

/* Sets an attribute, a new one if there is none of that key; both texts must outlive the tree. */
void ls_tree_set(ls_tree *tree, ls_tree_node *node, const char *key, char *value);

/* Lists all nodes anew. */
void ls_tree_list(ls_tree *tree);

void ls_tree_free(ls_tree *tree);

#endif
