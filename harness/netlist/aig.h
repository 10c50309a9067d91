/* SPDX-License-Identifier: Apache-2.0 */
/* And-inverter graphs: what berkeley-abc reads and Yosys writes, in the binary AIGER format (Biere, "The AIGER And-Inverter Graph
 * (AIG) Format", 2007). A literal is twice a variable, plus 1 when inverted; 0 is false, 1 true. */
#ifndef LS_AIG_H
#define LS_AIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name of the file that Yosys writes beside it (write_aiger -symbols -vmap): bit `index` of wire `name` is `literal`. */
typedef struct ls_aig_name {
    char *name;
    uint32_t index, literal;
} ls_aig_name;

/* Variables 1 .. inputs are inputs, the next `latches` latches, then gates. All memory belongs to the struct. */
typedef struct ls_aig {
    uint32_t inputs, latches, gates, outputs;
    uint32_t *next;   /* per latch */
    uint32_t *output; /* literals */
    uint32_t (*gate)[2];
    ls_aig_name *names; /* of wires, sorted by name and index */
    size_t name_count;
    char **input_names, **output_names; /* "req_i[3]" */
} ls_aig;

/* Reads PREFIX.aig and PREFIX.map. NULL, or an error to free, with nothing else to free. */
char *ls_aig_read(const char *prefix, ls_aig *aig);
void ls_aig_free(ls_aig *aig);

/* Sorts the names again, after some were changed. */
void ls_aig_sort(ls_aig *aig);

/* The literal of that bit; false when no wire of that name has it, or it is constant: constant bits are in no map. ls_aig_has:
 * whether any bit has that name. */
bool ls_aig_find(const ls_aig *aig, const char *name, uint32_t index, uint32_t *literal);
bool ls_aig_has(const ls_aig *aig, const char *name);

/* What Yosys writes of flip-flops: names without the scopes that it alone makes (genblk1). The variable of an input, 0 when there
 * is none. And the literal as it is while reset, that input's variable (0: none; `high`: the level with which it resets), is off:
 * what an asynchronous pin adds behind the flip-flop is taken away. */
void ls_aig_drop_scopes(ls_aig *aig);
uint32_t ls_aig_input(const ls_aig *aig, const char *name);
uint32_t ls_aig_strip(const ls_aig *aig, uint32_t literal, uint32_t reset, bool high);

/* A graph that is being made: inputs and latches first, then gates, equal gates once. */
typedef struct ls_aig_maker {
    uint32_t inputs, latches, gates, room, outputs;
    uint32_t (*gate)[2];
    uint32_t *output, *next;
    uint32_t *table, table_size;
} ls_aig_maker;

void ls_aig_begin(ls_aig_maker *maker, uint32_t inputs, uint32_t latches);
uint32_t ls_aig_and(ls_aig_maker *maker, uint32_t a, uint32_t b);
uint32_t ls_aig_xor(ls_aig_maker *maker, uint32_t a, uint32_t b);
/* `c` ? a : b */
uint32_t ls_aig_choose(ls_aig_maker *maker, uint32_t c, uint32_t a, uint32_t b);
/* Whether a variable is an exclusive or, as those above make it and Yosys does: of which literals. */
bool ls_aig_is_xor(const ls_aig_maker *maker, uint32_t variable, uint32_t pair[2]);
void ls_aig_put_output(ls_aig_maker *maker, uint32_t literal);

/* Puts all gates of `aig` in, its inputs and latches replaced by the literals leaf[variable] (leaf[0] is not used). Returns the
 * literal for each of its variables, to be freed. */
uint32_t *ls_aig_put(ls_aig_maker *maker, const ls_aig *aig, const uint32_t *leaf);

/* What `literal` of `aig` became. */
static inline uint32_t ls_aig_became(const uint32_t *map, uint32_t literal) { return map[literal >> 1] ^ (literal & 1u); }

/* Writes what its outputs and latches need of it; latches start at 0. NULL, or an error to free. */
char *ls_aig_write(const ls_aig_maker *maker, const char *path);
void ls_aig_drop(ls_aig_maker *maker);

#endif
