/* SPDX-License-Identifier: Apache-2.0 */
/* A run that compares ports alone and watches every register on both sides: what each bit of it did, as one number. */
#ifndef LS_MAP_WATCH_H
#define LS_MAP_WATCH_H

#include "harness/core/run.h"
#include "harness/dut/elab.h"

#define LS_WATCH_BITS 65536u /* a larger register, a memory, is not watched */

/* A register; its bits count through its elements. */
typedef struct ls_watched {
    const ls_field *field;        /* the model's, or ... */
    const ls_elab_signal *signal; /* ... the RTL's */
    uint32_t bits;                /* of all elements */
    const uint64_t *did;          /* of each bit: equal for bits that were equal after every edge */
} ls_watched;

typedef struct ls_watch {
    ls_watched *model, *rtl;
    size_t model_count, rtl_count;
    uint64_t ones;   /* what a bit did that was always 1; one that was always 0 did 0: A and the inverse of A add up to this */
    uint64_t cycles; /* in which all outputs agreed */
    bool agreed;     /* they did to the end */
    const ls_field *differs; /* the output that differed first, of the request's fields; NULL: none */
    char message[1024];
    void *shared;
    size_t shared_bytes;
} ls_watch;

/* Runs the request, which must be of ports only, in a process of its own. `fields` and `elab` must outlive the watch. */
void ls_map_watch(const ls_request *request, const ls_fields *fields, const ls_elab *elab, ls_watch *watch);
void ls_watch_free(ls_watch *watch);

#endif
