/* SPDX-License-Identifier: Apache-2.0 */
/* Units inside a system's RTL, each replaced by its own model at the parameters that it has there: what a proof of the unit by
 * itself allows. */
#ifndef LS_BOXES_H
#define LS_BOXES_H

#include "harness/base/text.h"
#include "harness/netlist/aig.h"
#include "harness/proof/model_graph.h"

/* A unit at its parameters; `graph` is the model's, of the leaves of `slices`. */
typedef struct ls_box {
    const ls_unit *unit;
    void *cfg;
    size_t params, instances;
    ls_slices slices;
    ls_aig_maker graph;
    ls_model_graph model;
} ls_box;

/* A bit of an output of a box: bit `bit` of slice `slice` drives that input of the RTL's graph. */
typedef struct ls_box_pin {
    size_t slice;
    uint32_t bit, variable;
} ls_box_pin;

#define LS_BOX_NO_PIN UINT32_MAX

typedef struct ls_box_instance {
    char *scope; /* as the RTL has it, "gen_ocu[0].u_ocu" */
    size_t box;
    uint32_t *source; /* of each leaf of the box: of an input the literal of the RTL's graph, of the state that of the maker */
    ls_box_pin *pin;
    size_t pins;
    uint32_t reset; /* what drives it, a literal of the RTL's graph; LS_BOX_NO_PIN: it has none */
} ls_box_instance;

typedef struct ls_boxes {
    ls_box *list;
    size_t count;
    ls_box_instance *instance;
    size_t instances;
} ls_boxes;

/* What the boxes are while the maker's graph speaks of: */
typedef enum ls_box_time {
    LS_BOX_CYCLE, /* a cycle */
    LS_BOX_RESET, /* one of reset, behind one: the outputs of the state that reset leaves */
    LS_BOX_BEFORE /* the first of reset: outputs may be anything */
} ls_box_time;

/* Commands of Yosys, behind `hierarchy` and behind `flatten`: instances of these units are taken out of module `top`, so that
 * their pins become its ports. They are listed in FOLDER/boxes.il. `names`: of units; "all": of all but `top`. NULL, or an error
 * to free. */
char *ls_boxes_select(const char *const *names, size_t count, const ls_unit *top, ls_text *script);
void ls_boxes_take_out(const ls_unit *top, const char *folder, ls_text *script);

/* Reads that list, makes the graphs of the models, and finds what is connected to what. Registers of boxes that the slices of the
 * system do not have become inputs of the maker behind those and `*unbound` more, which grows. NULL, or an error to free; either way
 * ls_boxes_free. */
char *ls_boxes_make(ls_boxes *boxes, const ls_aig *aig, const ls_unit *top, const ls_slices *slices, const char *folder,
                    uint32_t *unbound);
void ls_boxes_free(ls_boxes *boxes);
/* "u_x.count_q": which register of a box the maker's input `leaf` is; NULL: none. To be freed. */
char *ls_boxes_name(const ls_boxes *boxes, uint32_t leaf);

/* Puts the RTL's graph and those of the boxes into the maker. `map`: of each variable of the RTL's inputs and latches the literal
 * that it is, of those that boxes drive whatever; the others are set. `next` receives the next state of the boxes' registers, by
 * leaf of the system; `claim`, of each instance, the literal of what a proof of its unit supposes of the state. NULL, or an error
 * to free. */
char *ls_boxes_put(const ls_boxes *boxes, const ls_aig *aig, ls_aig_maker *maker, ls_box_time time, uint32_t *map, uint32_t *next,
                   uint32_t *claim);

#endif
