/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the elements and attributes of an XML document as a tree; text between elements is dropped. Enough for Verilator's. */
#ifndef LS_XML_H
#define LS_XML_H

#include <stdbool.h>

#include "harness/base/tree.h"

/* Reads `text`, which is cut up in place and must outlive `tree` (zeroed before). Returns whether it is well formed; ls_tree_free
 * releases it in both cases, ls_tree_list comes after. */
bool ls_xml_parse(ls_tree *tree, char *text);

#endif
