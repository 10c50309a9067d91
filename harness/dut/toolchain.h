/* SPDX-License-Identifier: Apache-2.0 */
/* The tools that a DUT is built with: commands, compilers, and Verilator's runtime compiled once. */
#ifndef LS_TOOLCHAIN_H
#define LS_TOOLCHAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/base/text.h"
#include "harness/dut/build.h"

/* Part of every key: to be raised when the same inputs are to be built in another way. */
#define LS_RECIPE "lockstep-dut-16"

/* What `yosys -V` prints, without the end of the line, or NULL when it cannot be run; to be freed. */
char *ls_yosys_version(void);

/* Runs a command. Returns NULL when it succeeded, else its output and how it ended; `*refused`: by itself, with a status. */
char *ls_command(const ls_args *args, unsigned timeout_ms, bool *refused);
/* The same, and it is killed when the other end of the pipe `stop` is closed. */
char *ls_command_until(const ls_args *args, unsigned timeout_ms, int stop, bool *refused);

/* Starts the arguments of a compilation: the compiler and the flags that the runtime and every DUT share. */
void ls_compiler(ls_args *args, const ls_tools *tools);
/* Adds what makes a large DUT compile sooner, where the compiler has it. */
void ls_compile_sooner(ls_args *args, const ls_tools *tools);

/* One compilation, and its error once it has run (NULL: none). */
typedef struct ls_compile {
    ls_args args;
    unsigned timeout_ms;
    char *text;
} ls_compile;

/* How many compilations run at a time: as there are processors. */
size_t ls_compilers(void);

/* Runs compilations, ls_compilers() at a time, and frees their arguments. Returns NULL or the first error. */
char *ls_compile_all(ls_compile *jobs, size_t count);

/* Finds or builds the runtime: libverilated.a and the precompiled runtime.h. Returns NULL with its directory in `*directory`, or
 * the error; both to be freed by the caller. */
char *ls_runtime_find(const ls_tools *tools, const char *cache, unsigned timeout_ms, char **directory);

#endif
