/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions and uops that an operand stage and its surroundings have under way, by number; memory that is used again. */
#ifndef RF_STAGE_UOPS_H
#define RF_STAGE_UOPS_H

#include "tb/banked/env/rf_stage_golden.h"
#include "tb/banked/env/rf_stage_pipes.h"

#define RF_STAGE_TAGS 2048u /* uops that a tag can tell apart, beside its generation */

/* An instruction with uops shown or on the way. */
typedef struct rf_stage_flight {
    rf_stage_inst is;
    rf_inst own;           /* a random one lives here */
    uint32_t uops_left;    /* not retired */
    bool words;            /* each uop carries all sources */
    uint32_t source_uops;  /* the first ones, which carry the sources between them; 0 with `words` */
    uint32_t sources_left; /* of them, not delivered */
    bool executed;         /* a uop was delivered */
    uint64_t access_done;  /* of a memory side: the cycle in which its access ends; 0: it was not asked */
    uint16_t parked;       /* list of delivered uops whose instruction lacks operands */
    uint16_t next_free;
} rf_stage_flight;

typedef enum rf_stage_uop_state { UOP_FREE, UOP_SHOWN, UOP_ISSUED, UOP_DELIVERED } rf_stage_uop_state;

/* A uop; from its number and generation follows the tag that the hardware carries. */
typedef struct rf_stage_record {
    rf_stage_uop_state state;
    uint16_t flight; /* its instruction */
    uint16_t next;   /* in the list it is in: free or parked */
    uint16_t number; /* its place among the records, and above it the generation */
    uint8_t port;
    rf_stage_uop is;
} rf_stage_record;

typedef struct rf_stage_uops {
    rf_stage_record *record;
    rf_stage_flight *flight;
    uint32_t pool; /* size of both */
    uint16_t used_records, used_flights, free_record, free_flight;
    uint16_t factor, inverse, offset; /* tag = number * factor + offset, and back; modulo 2^16 */
} rf_stage_uops;

/* Room for `pool` uops, at most RF_STAGE_TAGS, and as many instructions: more than can be under way at a time. Ends the process
 * when memory runs out. */
void rf_stage_uops_init(rf_stage_uops *p, uint32_t pool);
void rf_stage_uops_free(rf_stage_uops *p);

/* From here on tags are permuted, so that all their bits move; before the first uop. With 1, as at first, they are the numbers.
 */
void rf_stage_uops_permute(rf_stage_uops *p, uint32_t random);

/* A free instruction; its content is that of an earlier one. Ends the process when there is none. */
uint16_t rf_stage_uops_new_flight(rf_stage_uops *p);
void rf_stage_uops_free_flight(rf_stage_uops *p, uint16_t flight);

/* `flight` becomes `inst` of the warp in slot `w`, of a system with `lanes` lanes and `slots` sources a uop; `words`: cracked
 * word by word (rf_crack.h). */
void rf_stage_uops_begin(rf_stage_uops *p, uint16_t flight, const rf_inst *inst, uint32_t w, uint64_t warp_id, uint32_t lanes,
                         uint32_t slots, bool words);

/* Shows uop `index` of the instruction: a new record with a new tag. Ends the process when there is no free one. */
uint16_t rf_stage_uops_show(rf_stage_uops *p, uint16_t flight, uint32_t index, uint32_t slots);

/* The uop with this tag if it is issued and not delivered, else RF_STAGE_NO_UOP. */
uint16_t rf_stage_uops_issued(const rf_stage_uops *p, uint16_t tag);

/* The uop is done, and with the last one its instruction: both are free. Whether that is so. */
bool rf_stage_uops_retire(rf_stage_uops *p, uint16_t uop);

#endif
