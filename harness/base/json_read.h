/* SPDX-License-Identifier: Apache-2.0 */
/* Reads JSON (RFC 8259) as a tree. An object is a node: its members that are texts, numbers or words are attributes, objects are
 * children with the member's name as tag, and so are the elements of an array, each a node; an element that is no object has its
 * text in the attribute "". Numbers and words are kept as they are written. Control characters may also be \ooo, as Verilator
 * writes them. */
#ifndef LS_JSON_READ_H
#define LS_JSON_READ_H

#include "harness/base/tree.h"

/* Reads `text`, one object, below `tree->root`: behind what is there. The text is cut up in place and must outlive the tree.
 * Returns NULL, or where in `text` it is no JSON; ls_tree_free releases the tree in both cases, ls_tree_list comes after. */
const char *ls_json_tree(ls_tree *tree, char *text);

/* Puts characters in the place of escapes, as that does: for a text that is escaped twice. What comes out is never longer. */
void ls_json_unescape(char *text);

#endif
