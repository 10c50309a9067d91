/* SPDX-License-Identifier: Apache-2.0 */
/* Netlists as Yosys writes them (RTLIL), changed as text where Yosys has no command for it; and the one way to run Yosys. */
#ifndef LS_NETLIST_RTLIL_H
#define LS_NETLIST_RTLIL_H

#include "harness/base/text.h"

/* Writes the script to `path` and runs it. NULL, or Yosys's words to free. `timeout_ms`: 0 for none. */
char *ls_yosys_run(const ls_text *script, const char *path, unsigned timeout_ms);

/* The names of the flattened module `text` without the scopes "genblk1." that Yosys makes for each "else if" of a generate, and
 * nobody else: wires, memories, cells, and where they are spoken of. NULL, or an error to free: two names have become one. */
char *ls_rtlil_plain(const char *text, ls_text *out);

/* Every output and every wire with attribute "keep" of module `text` gets a twin, which cells drive and read in its place; the
 * wire itself copies the twin and nothing reads it. So the twin can be cut into pieces without a name being lost. */
void ls_rtlil_twins(const char *text, ls_text *out);

#endif
