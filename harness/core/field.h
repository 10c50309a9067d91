/* SPDX-License-Identifier: Apache-2.0 */
/* Field lists: what is compared, once, for the comparer, the printer, the waves, the case files and the documentation.
 *
 * A unit's list is a file of macro lines, tb/<group>/rf_<unit>.fields, included with these macros defined:
 *
 *   PARAM(NAME, member, default, min, max, text)     a parameter of the RTL; `member` is the uint32_t of rf_x_cfg
 *   FIELD(IN,    name, bits, count, text)            input port  name_i, member `name` of rf_x_in
 *   FIELD(OUT,   name, bits, count, text)            output port name_o, member `name` of rf_x_out
 *   FIELD(STATE, name, bits, count, text)            register    name,   member `name` of rf_x
 *   RECORD(KIND, name, type, count, text)            port or register that is a packed struct; `type`, in C (an array of `count`)
 *   MEMBER(type, member, bits, count, text)          its members follow, most significant first: named "name.member"; of an array
 *                                                    element 0 is the lowest
 *   MEMORY(name, bits, rows, write_enable, write_row, text)   memory without reset: register array `name`; the two ports name the
 *                                                    row that the RTL writes in a cycle (write_enable may be a vector: any bit)
 *   CONSTANT(KIND, name, when, reason)               the field does not change when `when` holds: a run in which it does fails
 *   RARE(KIND, name, when, reason)                   the field need not change in a run when `when` holds
 *   INVARIANT(holds, text)                           `holds` is true after reset, and behind every state in which all
 *                                                    of these lines hold: `lockstep prove` proves and uses it
 *   INVARIANT_EACH(i, count, holds, text)            the same, for each i below `count`
 *   UNIT(member, scope, unit)                        a unit inside a system: member of rf_x, instance name in the RTL
 *   UNIT_IF(when, member, scope, unit)               an instance that some configurations have
 *   UNITS(member, count, scope_format, unit)         an array of them; scope_format holds one %u
 *
 * and, of RTL that has names of its own:
 *
 *   TOP(name)                                        the top module; without: the unit's name
 *   CLOCK(name)                                      the clock's port; without: clk_i
 *   RESET(name, LEVEL)                               the reset's port, and LOW or HIGH, with which it resets; without:
 *                                                    rst_ni, LOW
 *   SUFFIXES(in, out)                                strings: what ports have behind their names; before the fields;
 *                                                    without: "_i", "_o"
 *   FIELD, RECORD, MEMORY (..., text, "name")        the name in the RTL, of a register with its instance path, as one
 *                                                    argument more
 *
 * A unit has a clock when its list has a register, memory or unit, and a reset when it has a register or unit.
 *
 * `bits`, `count`, `rows`, `when` are C expressions that may use `cfg` (the unit's configuration) and `m` (its model after init).
 * `bits` is the width of one element. `count` elements are an array in the model; in the RTL they are either one flat vector with
 * element i at [i*bits +: bits], or (registers) an unpacked array [0:count-1]. A FIELD of count 0 is not there. An array of
 * uint64_t whose elements have more than 64 bits holds each in as many whole words as it needs, low word first. Records are
 * elements whose bits are those of all their members; what travels together is listed once, in a file of MEMBER lines that the
 * lists of all units include. */
#ifndef LS_FIELD_H
#define LS_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ls_kind { LS_IN, LS_OUT, LS_STATE, LS_MEMORY } ls_kind;

#define LS_ELEMENT_BITS 1024u /* in 32 words an element is moved, compared and shown */

/* A member of a record: of an element of a field. */
typedef struct ls_member {
    char *name; /* with the record's in front: "issue.dst" */
    const char *text;
    uint32_t bits, count; /* of one element; elements in a record */
    uint32_t low;         /* its lowest bit in the record */
    size_t offset;        /* bytes from the start of the record to element 0 */
    uint32_t size;        /* bytes of one element */
    size_t room;          /* as below, like the next */
    const char *constant;
    bool rare;
} ls_member;

/* So many bits of a field, and where in the RTL they lie: of a field that is no one signal there (map.h). */
typedef struct ls_piece {
    uint32_t at, bits; /* from this bit of the field on, its elements one behind the other, the first one lowest */
    char *signal;      /* in the RTL; NULL: the constant `value` */
    uint32_t signal_bits, signal_count; /* of one of its elements; how many: 1 of a packed signal */
    uint32_t element;                   /* of an unpacked signal, counted as it lies in memory */
    uint32_t low;                       /* lowest bit there, in the element */
    bool invert;
    uint64_t value;
    const char *text; /* as the map has it */
} ls_piece;

typedef struct ls_field {
    char *name; /* as in the list; with its scope in front inside a system: "u_arbiter.rr_q" */
    char *path; /* the same in C, a member of rf_x_in, rf_x_out or rf_x: "arbiter.rr_q" */
    const char *text;
    ls_kind kind;
    uint32_t bits;
    uint32_t count;
    size_t offset;                        /* bytes from the start of rf_x_in, rf_x_out or rf_x to element 0 */
    uint32_t size;                        /* bytes of one element in the model */
    size_t room;                          /* bytes of the whole member there; 0: not known, and not checked */
    const char *unit;                     /* whose list it is in, for messages; may be NULL */
    const char *constant;                 /* why it need not change at these parameters, or NULL */
    bool rare;                            /* it may change all the same */
    const char *write_enable, *write_row; /* memories: the ports, without scope and suffix (ls_write_port) */
    const char *suffix;                   /* behind them and all inputs of that list; NULL: "_i" */
    char *rtl;          /* as the RTL has it: "req_i", "u_arbiter.rr_q" (ls_rtl_name); NULL: as these names are made */
    ls_member *members; /* a record's; NULL: it is none, and lies in the model as the number that it is */
    uint32_t member_count;
    const uint8_t *seen;    /* bits that the DUT has, (bits + 7) / 8 bytes an element; NULL: all (ls_fields_mask) */
    bool absent;            /* the DUT has none of them */
    bool of_port;           /* a register that is an output, too, and a field before it: "output reg" */
    const ls_piece *pieces; /* the whole field, when it is no one signal of the RTL; NULL: it is one */
    size_t piece_count;
} ls_field;

/* What holds from a cycle to the next: a register or memory. */
static inline bool ls_is_state(const ls_field *field) { return field->kind == LS_STATE || field->kind == LS_MEMORY; }

/* Some of a struct. */
typedef struct ls_bytes {
    size_t offset, size;
} ls_bytes;

typedef struct ls_fields {
    ls_field *list;
    size_t count;
    ls_bytes *spare; /* of instances that are not there (ls_fields_spare) */
    size_t spare_count;
    size_t base;                  /* while listing a unit inside a system: its offset ... */
    const char *scope;            /* ... its instance path, NULL at the top, ... */
    const char *path;             /* ... and its member of the system in C */
    const char *suffix[2];        /* of the ports of that list, in and out; NULL: "_i", "_o" */
    const char *clock, *reset;    /* their ports in the RTL; NULL: clk_i and rst_ni, where they exist */
    const struct ls_args *spared; /* ports and registers of the RTL that nothing compares, because a map says so; NULL: none */
    bool gates;   /* the DUT is a netlist of gates (docs/netlist.md): registers are wires of it, and memories do not show their
                   write ports, so that they are compared whole in every cycle, whatever their size */
    bool touched; /* the unit says which rows of memories its model writes */
} ls_fields;

/* Registers of which a DUT has only some bits, or none: a gate-level netlist lacks what nothing reads. */
typedef struct ls_seen_bits {
    char *field;
    uint8_t *seen; /* as in ls_field; NULL: it has none */
} ls_seen_bits;

/* A netlist's vectors of flip-flops and instances of macros are called so, with a number behind it. */
#define LS_STORE_NAME "ls_r"
#define LS_MACRO_NAME "ls_m"

typedef struct ls_masks {
    ls_seen_bits *list;
    size_t count;
    bool gates; /* as in ls_fields */
} ls_masks;

/* Appends one line; the macros below call it. Ends the process with a message when memory runs out, when the elements are more
 * than the member holds, or when one has more than LS_ELEMENT_BITS bits. */
void ls_fields_add(ls_fields *fields, const ls_field *line);
/* What ports of the lines to come have behind their names. */
void ls_fields_suffixes(ls_fields *fields, const char *in, const char *out);
/* Appends a member to the last line, which is a record: of the scope in which that is listed. */
void ls_fields_member(ls_fields *fields, ls_kind kind, const ls_member *line);
/* Marks the last field or member of that kind and name in the current scope as constant. */
void ls_fields_constant(ls_fields *fields, ls_kind kind, const char *name, bool when, const char *reason);
/* The same, of a field that changes in some runs. */
void ls_fields_rare(ls_fields *fields, ls_kind kind, const char *name, bool when, const char *reason);
/* Lists a sub-unit's registers and memories below `scope`; its ports are wires of the system and not compared. In C it is
 * `member`. Ends the process with a message when registers below that scope are listed already. */
void ls_fields_unit(ls_fields *fields, void (*list)(ls_fields *, const void *), const void *sub_model, size_t offset,
                    const char *scope, const char *member);
/* Of an array of instances only the first `listed` of `room` bytes are there; the others are nobody's. One of which none is
 * there may be another unit's at these parameters. */
void ls_fields_spare(ls_fields *fields, size_t offset, size_t listed, size_t room);
/* Sets the bytes of a model's struct that its registers and memories lie in. */
void ls_fields_state_bytes(const ls_fields *fields, uint8_t *bytes, uint8_t value);
/* The same, of those that are nobody's: elements beyond those that the list has at these parameters, of arrays, of those in
 * records, of instances. */
void ls_fields_spare_bytes(const ls_fields *fields, uint8_t *bytes, uint8_t value);
void ls_fields_free(ls_fields *fields);

/* What lies in the model as one array: a field, or a member of one record of it. */
typedef struct ls_part {
    ls_field field;      /* of a member: as if it were one of its own; what it points to is the record's */
    uint32_t first, all; /* its elements are those from `first` on of `all`: "head.src[5]" is the second of record 1 of 3 each */
} ls_part;
/* In how many parts the model has the field: record by record, member by member. */
static inline uint32_t ls_part_count(const ls_field *field) {
    return field->member_count == 0 ? 1 : field->count * field->member_count;
}
ls_part ls_part_of(const ls_field *field, uint32_t number);
/* "src", or "src[5]" of several. */
const char *ls_part_element(const ls_part *part, uint32_t index, char *text, size_t size);

/* Notes in the list what the DUT lacks; NULL: nothing. The masks must outlive the list. */
void ls_fields_mask(ls_fields *fields, const ls_masks *masks);
void ls_masks_free(ls_masks *masks);

/* Bytes of one element of a struct member, scalar or array. */
#define LS_ELEMENT_SIZE(expr)                                                                                                    \
    _Generic((expr), uint8_t: 1, uint8_t *: 1, const uint8_t *: 1, uint16_t: 2, uint16_t *: 2, const uint16_t *: 2, uint32_t: 4,     \
             uint32_t *: 4, const uint32_t *: 4, uint64_t: 8, uint64_t *: 8, const uint64_t *: 8, rf_vec: sizeof(rf_vec),            \
             rf_vec *: sizeof(rf_vec), const rf_vec *: sizeof(rf_vec), rf_bits256: sizeof(rf_bits256),                             \
             rf_bits256 *: sizeof(rf_bits256), const rf_bits256 *: sizeof(rf_bits256))

#endif
