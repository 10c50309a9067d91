/* SPDX-License-Identifier: Apache-2.0 */
/* The rule of rf_ccu_scheduler: for rf_ccu_scheduler.c and for those who hold one. */
#ifndef RF_CCU_SCHEDULER_PARTS_H
#define RF_CCU_SCHEDULER_PARTS_H

#include "cmodel/malekeh/rf_ccu_scheduler.h"

/* The warp chosen among `ready`, one hot: the oldest of those that are held, else the oldest; 0 when that is 0. */
static inline uint64_t rf_ccu_scheduler_pick(const rf_ccu_scheduler *m, uint64_t ready, uint64_t held) {
    return rf_sched_age_oldest(m->older_q, (ready & held) != 0 ? ready & held : ready);
}

/* Its number, or 0 when there is none. */
static inline uint32_t rf_ccu_scheduler_choose(const rf_ccu_scheduler *m, uint64_t ready, uint64_t held) {
    const uint64_t warp = rf_ccu_scheduler_pick(m, ready, held);
    return warp != 0 ? rf_lowest(warp) : 0;
}

#endif
