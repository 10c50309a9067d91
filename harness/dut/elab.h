/* SPDX-License-Identifier: Apache-2.0 */
/* What Verilator's front end says about a design: its ports and every clocked register, by hierarchical name.
 *
 * Read from `verilator --xml-only` where that is, up to Verilator 5.044, and from `verilator --json-only` from 5.046 on. Between
 * 5.024 and 5.044 there are both, and both give the same. */
#ifndef LS_ELAB_H
#define LS_ELAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LS_VERILATOR_MIN 5006u /* 1000 * major + minor: 5.006 */
#define LS_VERILATOR_MAX 5050u /* the newest that was tested; what is newer is tried, with a warning */
#define LS_ELAB_META ".meta"   /* the end of the name of the second file that a reading from JSON needs */

typedef enum ls_elab_form {
    LS_ELAB_FORM_ANY, /* XML where this Verilator writes it, else JSON */
    LS_ELAB_FORM_XML,
    LS_ELAB_FORM_JSON
} ls_elab_form;

typedef struct ls_rtl_param {
    const char *name;
    const char *value; /* as on Verilator's command line: "8", "4'hf" */
} ls_rtl_param;

/* Wires to be reachable besides the registers; both members are shell globs. */
typedef struct ls_rtl_wire {
    const char *module; /* module as written in the RTL: "rf_bank", "*" */
    const char *var;    /* port or variable: "we_i", "w*_i" */
} ls_rtl_wire;

/* The RTL of one design. Pointers are borrowed; relative paths start at the current directory. */
typedef struct ls_rtl {
    const char *top;
    const char *const *files; /* in compile order, packages first; .vlt files too */
    size_t file_count;
    const char *const *dirs; /* searched for `include files and for modules (Verilator's -y) */
    size_t dir_count;
    const char *const *defines; /* "NAME" or "NAME=VALUE" */
    size_t define_count;
    const char *const *extra; /* further words of Verilator's, for sources: "+incdir+/a", "-y", "/b", "-v", "/c.v" */
    size_t extra_count;
    const ls_rtl_param *params; /* of the top module */
    size_t param_count;
    const ls_rtl_wire *wires;
    size_t wire_count;
    const char *clock, *reset; /* inputs of the top module; NULL: clk_i and rst_ni, where they exist */
    unsigned timeout_ms;       /* of ls_elab_run; 0: none */
    ls_elab_form form;         /* of ls_elab_run: what Verilator is to write */
    bool strict; /* two modules of one name, reading what nothing drives, and two drivers of one bit are errors of the RTL; delays
                    are warned of */
} ls_rtl;

static inline const char *ls_rtl_clock(const ls_rtl *rtl) { return rtl->clock != NULL ? rtl->clock : "clk_i"; }
static inline const char *ls_rtl_reset(const ls_rtl *rtl) { return rtl->reset != NULL ? rtl->reset : "rst_ni"; }

typedef enum ls_elab_kind {
    LS_ELAB_IN,
    LS_ELAB_OUT,
    LS_ELAB_INOUT,
    LS_ELAB_REG,   /* assigned in a block with a sensitivity list, or a variable of such a block that keeps its value */
    LS_ELAB_LATCH, /* assigned in an always_latch, on some paths only in another block without a list, or from itself */
    LS_ELAB_WIRE,  /* asked for through ls_rtl.wires and not a register */
    LS_ELAB_HIDDEN /* keeps state and is no variable of an instance: `name` is in words, "$random", "the class c" */
} ls_elab_kind;

/* How a type lies in its bits: what an index and a member of it are. */
typedef struct ls_elab_layout {
    uint32_t number; /* its place in ls_elab.layouts */
    uint32_t bits;   /* all of it, unpacked elements one behind the other; 0: it has none */
    bool indexed;    /* it has a range, left to right; unpacked: the element of the lowest index is the first */
    bool unpacked;
    long left, right;
    const struct ls_elab_layout *inner; /* of an element; NULL: a bit, or a type without a range and members */
    struct ls_elab_member *members;     /* of a packed struct or union */
    uint32_t member_count;
} ls_elab_layout;

typedef struct ls_elab_member {
    char *name;
    uint32_t low; /* its lowest bit */
    const ls_elab_layout *layout;
} ls_elab_member;

typedef struct ls_elab_signal {
    char *name; /* below the top module: "req_i", "u_arbiter.rr_q", "gen_ocu[3].u_ocu.data_q" */
    char
        *module; /* module that declares it (no parameter suffix) and its name there, both as Verilator mangles them in C++ and */
    char *var;   /* .vlt files: "a__b" is "a___05Fb" */
    char *file;  /* where it is declared */
    uint32_t line;
    uint32_t bits;   /* of one element: packed dimensions, structs and enums flattened; 0: a type without bits (real, string,
                        unpacked struct, queue, ...), which cannot be compared */
    uint32_t count;  /* elements of all unpacked dimensions, 1 for a packed vector */
    bool array;      /* it has unpacked dimensions, even if of one element */
    uint32_t turned; /* bits of the largest packed dimension with an ascending range, [0:3][7:0] 32, [3:0][7:0] 0, [3:0][0:7] 8,
                        [0:7] 8: its elements lie the other way round */
    bool cleared; /* a register that is assigned as a whole, or in a loop, what is constant, by a reset or such a level (edges) */
    bool renamed; /* `name` is an alias of a netlist (ls_build_request.aliases): not to be found under it in C++ */
    ls_elab_kind kind;
    const ls_elab_layout *layout; /* NULL of what has no type here: hidden state */
} ls_elab_signal;

/* An input of the top module whose edges processes wait for, or whose level gives registers constants; itself or its inverse. */
typedef struct ls_elab_edge {
    char *port;
    bool rises, falls;  /* which; neither: only its level counts */
    bool clocks;        /* a process waits for it alone, or for several and does not look at its level */
    bool sets;          /* a process with several edges looks at its level: an asynchronous set or reset */
    uint32_t clears[2]; /* of processes without such an edge: statements in which its low and its high level assigns constants,
                           "if (port) q <= 0; else ..." first of all, not below another condition */
    bool gates_only;    /* all of them are single bits that it is ANDed or ORed with, "q <= d & port" */
} ls_elab_edge;

/* All memory belongs to the struct; ls_elab_free releases it. */
typedef struct ls_elab {
    ls_elab_signal *ports; /* of the top module, in declaration order, clk_i and rst_ni included */
    size_t port_count;
    ls_elab_signal *registers; /* registers, latches and asked-for wires of all instances, in instance order, then declaration
                                  order; then hidden state */
    size_t register_count;
    ls_elab_edge *edges; /* of its inputs, and what their levels clear */
    size_t edge_count;
    char **params; /* of the top module, with their values as Verilator prints them; NULL where it is no plain number */
    char **param_values;
    uint32_t *param_limits; /* the largest value that its type holds, up to 32 bits; 0: it is no packed one */
    size_t param_count;
    char **files; /* every file that was read, includes and library modules too, as Verilator names it */
    size_t file_count;
    char **used;    /* of these, those that hold a module, interface or package of the design; some more than once */
    char **modules; /* what each of them holds, as the RTL names it */
    size_t used_count;
    ls_elab_layout **layouts; /* of the signals' types; some NULL */
    size_t layout_count;
    char *conflicts; /* what has two drivers of one bit, "FILE:LINE: ...", one a line; NULL: nothing */
    char *outside;   /* what runs commands or C code, in the same form; NULL: nothing does */
} ls_elab;

typedef enum ls_elab_status {
    LS_ELAB_OK,
    LS_ELAB_RTL, /* Verilator refuses the RTL: `text` is its message, with file:line */
    LS_ELAB_TOOL /* Verilator missing, too old, what it wrote cannot be read, I/O error */
} ls_elab_status;

struct ls_args;

/* Appends the Verilator arguments that name the design: top module, parameters, defines, directories, files. */
void ls_rtl_args(const ls_rtl *rtl, struct ls_args *args);

/* Elaborates `rtl` with Verilator and fills `elab`; on failure `elab` is zeroed. `verilator` is the command to run (NULL:
 * "verilator"). With `path` what it wrote stays there for ls_elab_read, JSON also at `path` + LS_ELAB_META. `*text` is set in
 * every case, to be freed by the caller: Verilator's errors, on success its warnings ("" when none). */
ls_elab_status ls_elab_run(const ls_rtl *rtl, const char *verilator, const char *path, ls_elab *elab, char **text);

/* Reads what ls_elab_run left at `path`; `wires` may differ from that run's. Status and `*text` as above. */
ls_elab_status ls_elab_read(const char *path, const ls_rtl_wire *wires, size_t wire_count, ls_elab *elab, char **text);

/* Writes the elaboration to a file, and reads one that was written there. 0 or a negative errno: -EBADMSG when it is none; then
 * `elab` is zeroed. */
int ls_elab_save(const ls_elab *elab, const char *path);
int ls_elab_load(const char *path, ls_elab *elab);

/* How many delays Verilator left out, as its warnings in `output` say; where the first is goes to `place` ("x.sv:12:9"). */
size_t ls_elab_delays(const char *output, char *place, size_t size);

/* The register, latch or wire of that hierarchical name, else the port, else NULL. */
const ls_elab_signal *ls_elab_find(const ls_elab *elab, const char *name);
/* The port of that name, or NULL. */
const ls_elab_signal *ls_elab_port(const ls_elab *elab, const char *name);

void ls_elab_free(ls_elab *elab);

/* What to run for the command `verilator`, to be freed. Verilator installs it as a script in Perl that finds its program and
 * starts it with all of the stack, which takes longer than to elaborate a unit: then it is the program. The command itself when
 * it is something else, when the environment has a say in what it starts, and of a Verilator that is not installed but used in
 * the folder where it was built: its program does not know where it is. */
char *ls_verilator_program(const char *command);

/* 1000 * major + minor of a version text, "Verilator 5.006 2023-01-22 rev (Debian 5.006-3)" -> 5006; 0 when there is none. */
unsigned ls_verilator_number(const char *text);
#define LS_LAST_WITH_XML 5044u /* the last that writes XML; elaboration of newer ones is read from JSON */

/* Whether that version can be used. `*text`, to be freed by the caller, says why not, or that it is newer than all that were
 * tested; NULL: nothing is to be said. */
bool ls_verilator_check(const char *version, char **text);

#ifdef __cplusplus
}
#endif
#endif
