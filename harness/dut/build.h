/* SPDX-License-Identifier: Apache-2.0 */
/* RTL in, loadable DUT out: elaborate, verilate, compile, link, cached by content.
 *
 * A cache directory holds one directory per DUT, <top>-<128-bit key>/{dut.so,elab,elab.meta,warnings,seal}, one for the compiled
 * Verilator runtime and small files: *.deps (what else a design read), *.public (make.h). The key covers the contents of all files
 * read, parameters, flags, shim, Verilator, compiler and CPU. Any number of processes may share a cache directory; a failed or
 * killed build leaves no entry, and one that was damaged since is built again (its files are no longer what the seal says). */
#ifndef LS_BUILD_H
#define LS_BUILD_H

#include "harness/base/sha256.h"
#include "harness/dut/elab.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ls_build_flag {
    LS_BUILD_WAVES = 1,    /* FST tracing compiled in, arrays and structs of any size; 1.0-1.15x slower while no file is open */
    LS_BUILD_COVERAGE = 2, /* line and toggle coverage and cover properties; 2-7x slower */
    LS_BUILD_ASSERT = 4    /* assertions of the RTL checked */
} ls_build_flag;

/* The tools of a build, read-only once they are found. To ask them takes 5 ms, 50 ms more when the environment has a say in what
 * `verilator` starts. */
typedef struct ls_tools {
    char *verilator; /* command */
    char *program;   /* what it starts, ls_verilator_program */
    char *version;   /* "5.006" */
    unsigned number; /* 5006 */
    char *root;      /* Verilator's own directory, with include/verilated.cpp */
    bool lz4;        /* its writer of waves needs this library; older ones bring it along */
    char *cxx;       /* C++ compiler command */
    bool clang;      /* which is clang */
    bool clang14;    /* of this version */
    bool gold;       /* there is this linker, which takes a quarter of the time of the other */
    char *warning;   /* what is to be said of its version, without the end of the line; NULL: nothing */
    char *identity;  /* versions and CPU: everything that a build depends on besides its inputs */
} ls_tools;

/* Finds Verilator ($VERILATOR, else "verilator") and the compiler ($CXX, else "clang++-14", else "g++"). Returns 0, or -1 with `tools` zeroed and a
 * message in `error` (missing, older than LS_VERILATOR_MIN). */
int ls_tools_find(ls_tools *tools, char *error, size_t size);
void ls_tools_free(ls_tools *tools);
/* The tools, looked up once; what they say of themselves is kept in the cache. Ends the process with a message when Verilator or
 * the compiler is missing. */
const ls_tools *ls_tools_once(void);

/* A variable of the top module that is known by another name: a netlist's "ls_n12" is the register "u_arbiter.rr_q". */
typedef struct ls_build_alias {
    const char *var, *name;
} ls_build_alias;

typedef struct ls_build_request {
    ls_rtl rtl;
    unsigned flags;    /* of ls_build_flag */
    const char *cache; /* directory, made when missing: "build/dut" */
    const char *shim;  /* path of shim.cpp; dut.h lies beside it */
    /* Further compiler flags, after the defaults (toolchain.c); may be NULL. -DLS_DUT_FILL_SCOPE="rtl." makes the registers
     * below instance "rtl" start as they do when that module is the top. */
    const char *const *cxx_flags;
    size_t cxx_flag_count;
    const char *const *verilator_flags; /* further flags for generating code, not for elaborating; may be NULL */
    size_t verilator_flag_count;
    const char *const *uncovered; /* of rtl.files, as named there: what LS_BUILD_COVERAGE leaves out; may be NULL */
    size_t uncovered_count;
    const ls_build_alias *aliases; /* of variables of the top module that stand for something else; may be NULL */
    size_t alias_count;
    unsigned timeout_ms; /* for each command; 0: none (rtl.timeout_ms is not used) */
} ls_build_request;

typedef enum ls_build_status {
    LS_BUILD_OK,
    LS_BUILD_RTL, /* the RTL is refused: `text` is Verilator's message, with file:line */
    LS_BUILD_TOOL /* a tool or the file system failed: `text` says which and shows its output */
} ls_build_status;

/* All memory belongs to the struct; ls_build_free releases it. */
typedef struct ls_build_result {
    ls_build_status status;
    char *so_path;          /* absolute; NULL unless LS_BUILD_OK */
    char *key;              /* 32 hex digits: equal keys, equal DUTs; NULL unless LS_BUILD_OK */
    bool cached;            /* nothing was compiled for this DUT */
    double seconds;         /* wall time of this call, a first-time build of the runtime included */
    double runtime_seconds; /* of these, spent in building or waiting for the runtime */
    ls_elab elab;
    char (*digests)[LS_SHA256_HEX]; /* of elab.files; NULL unless LS_BUILD_OK */
    char *text;                     /* error text; on success the warnings of Verilator's elaboration */
} ls_build_result;

/* Builds the DUT or finds it in the cache, and fills `result`. Returns result->status. When one process builds, others that want
 * the same DUT wait for it. */
ls_build_status ls_build_dut(const ls_tools *tools, const ls_build_request *request, ls_build_result *result);
void ls_build_free(ls_build_result *result);

#ifdef __cplusplus
}
#endif
#endif
