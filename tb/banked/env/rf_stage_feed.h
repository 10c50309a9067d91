/* SPDX-License-Identifier: Apache-2.0 */
/* The warps of a workload, one after the other, for the surroundings of an operand stage. */
#ifndef RF_STAGE_FEED_H
#define RF_STAGE_FEED_H

#include "cmodel/workload/rf_workload.h"

typedef struct rf_stage_feed {
    uint32_t regs;                            /* registers of a warp that the system has */
    void (*loaded)(void *ctx, rf_warp *warp); /* is told every warp once, before it starts; NULL: nobody */
    void *ctx;
    rf_workload *workload; /* NULL: there is none, the streams are random */
    rf_workload_at at;     /* of the next warp: its kernel and number */
    rf_warp next;
    uint32_t registers; /* that the next warp uses: its highest one and those below */
    bool have_next;
    bool new_kernel; /* the next warp is the first of its kernel */
    bool exhausted;  /* no warp follows, or none can be read */
    char error[512]; /* why not, or "" */
} rf_stage_feed;

/* Opens a workload and reads its first warp; `source` must outlive the feed. False and a message on an error. */
bool rf_stage_feed_open(rf_stage_feed *f, const rf_source *source, const char *path, char *error, size_t size);

/* Gives the memory back; a feed of zeros is allowed. */
void rf_stage_feed_close(rf_stage_feed *f);

/* Makes the next warp with instructions ready in `next`, if there is one (`have_next`). False and `error` when it cannot be read
 * or has registers that the system does not have. */
bool rf_stage_feed_fetch(rf_stage_feed *f);

/* Exchanges `warp`, whose memory is used again, for the next one. */
void rf_stage_feed_take(rf_stage_feed *f, rf_warp *warp);

/* Ends it, with an error: the next warp can never run. */
void rf_stage_feed_refuse(rf_stage_feed *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* All warps have been taken. */
static inline bool rf_stage_feed_over(const rf_stage_feed *f) { return f->workload != NULL && f->exhausted && !f->have_next; }

/* Further warps of the kernel of the last one taken may follow. */
static inline bool rf_stage_feed_more(const rf_stage_feed *f) { return f->have_next ? !f->new_kernel : !f->exhausted; }

#endif
