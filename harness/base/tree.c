/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/tree.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"

enum { BLOCK = 1 << 16 };

/* A design has up to 100,000 nodes, of which each would be an allocation or two. */
struct ls_tree_block {
    struct ls_tree_block *next;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

void *ls_tree_memory(ls_tree *tree, size_t size) {
    size = (size + _Alignof(max_align_t) - 1) & ~(_Alignof(max_align_t) - 1);
    if (tree->blocks == NULL || tree->blocks->size - tree->blocks->used < size) {
        const size_t room = size > BLOCK ? size : BLOCK;
        struct ls_tree_block *block = ls_alloc(1, sizeof *block + room);
        block->size = room;
        block->next = tree->blocks;
        tree->blocks = block;
    }
    tree->blocks->used += size;
    return tree->blocks->bytes + tree->blocks->used - size;
}

ls_tree_node *ls_tree_node_new(ls_tree *tree, const char *tag) {
    ls_tree_node *n = ls_tree_memory(tree, sizeof *n);
    n->tag = tag;
    return n;
}

void ls_tree_add(ls_tree_node *parent, ls_tree_node *node) {
    node->parent = parent;
    node->next = NULL;
    *(parent->last == NULL ? &parent->child : &parent->last->next) = node;
    parent->last = node;
}

ls_tree_node *ls_tree_take(ls_tree_node *parent) {
    ls_tree_node *first = parent->child;
    parent->child = parent->last = NULL;
    return first;
}

void ls_tree_attributes(ls_tree *tree, ls_tree_node *node, const ls_tree_attribute *list, size_t count) {
    ls_tree_attribute *copy = ls_tree_memory(tree, count * sizeof *copy);
    if (count > 0) memcpy(copy, list, count * sizeof *copy);
    node->attributes = copy;
    node->attribute_count = count;
}

static ls_tree_attribute *find(const ls_tree_node *n, const char *key) {
    for (size_t i = 0; i < n->attribute_count; i++) {
        if (strcmp(n->attributes[i].key, key) == 0) return &n->attributes[i];
    }
    return NULL;
}

const char *ls_tree_get(const ls_tree_node *n, const char *key) {
    const ls_tree_attribute *a = find(n, key);
    return a != NULL ? a->value : "";
}

void ls_tree_set(ls_tree *tree, ls_tree_node *n, const char *key, char *value) {
    ls_tree_attribute *a = find(n, key);
    if (a == NULL) {
        const ls_tree_attribute *old = n->attributes;
        const size_t count = n->attribute_count;
        n->attributes = ls_tree_memory(tree, (count + 1) * sizeof *n->attributes);
        if (count > 0) memcpy(n->attributes, old, count * sizeof *old);
        a = &n->attributes[n->attribute_count++];
        a->key = key;
    }
    a->value = value;
}

void ls_tree_list(ls_tree *tree) {
    tree->count = 0;
    for (ls_tree_node *n = tree->root.child; n != NULL;) {
        tree->nodes = ls_grow(tree->nodes, tree->count, sizeof *tree->nodes);
        tree->nodes[tree->count++] = n;
        if (n->child != NULL) {
            n = n->child;
            continue;
        }
        while (n != NULL && n->next == NULL) n = n->parent;
        n = n != NULL ? n->next : NULL;
    }
}

void ls_tree_free(ls_tree *tree) {
    for (struct ls_tree_block *block = tree->blocks, *next; block != NULL; block = next) {
        next = block->next;
        free(block);
    }
    free(tree->nodes);
    *tree = (ls_tree){0};
}
