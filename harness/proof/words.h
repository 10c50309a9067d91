/* SPDX-License-Identifier: Apache-2.0 */
/* A design of words, cells, memories and processes, as Yosys reads it from Verilog, as a graph of bits. */
#ifndef LS_WORDS_H
#define LS_WORDS_H

#include "harness/netlist/aig.h"

/* Reads a module of a file in RTLIL, in which no other has instances, as a graph. Its latches are the registers and the bits of
 * memories ("name[word]"), all clocked by the rising edge of `clock`; its names are those of registers and inputs. What an edge
 * of another signal sets, a reset, is seen at once: a gate behind the latch. A net that is read and that nothing drives is an
 * input, what is X is 0. NULL, or an error to free, with nothing else to free. */
char *ls_words_read(const char *path, const char *module, const char *clock, ls_aig *aig);

#endif
