/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/malekeh/rf_sthld.h"

/* The states of the header's table. */
enum { START = 1, CLIMB, SPECULATE, BACK, PROBE, REST };

typedef struct edge {
    uint8_t state; /* to */
    int32_t delta; /* of STHLD */
} edge;

/* The table of the header: where an interval's end leads from `state`; `large`: IPC has changed largely, L there. */
static inline edge walk(const rf_sthld_cfg *cfg, uint32_t state, uint32_t sthld, bool large) {
    const int32_t climb = (int32_t)cfg->climb, speculate = (int32_t)cfg->speculate, back = (int32_t)cfg->back;
    const int32_t probe = (int32_t)cfg->probe, undo = (int32_t)cfg->undo;
    switch (state) {
    case START:
        return (edge){CLIMB, +climb};
    case CLIMB:
        return large ? (edge){SPECULATE, +speculate} : (edge){CLIMB, +climb};
    case SPECULATE:
        return large ? (edge){BACK, -back} : (edge){CLIMB, +climb};
    case BACK:
        return sthld == 0 ? (edge){REST, 0} : (edge){PROBE, +probe};
    case PROBE:
        return large ? (edge){BACK, -undo} : (edge){REST, 0};
    case REST:
        return large ? (edge){SPECULATE, +speculate} : (edge){REST, 0};
    default:
        return (edge){REST, 0}; /* no such state */
    }
}

const char *rf_sthld_check(const rf_sthld_cfg *cfg) {
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->interval < 2 || cfg->interval > 65535) return "INTERVAL must be 2 to 65535";
    if (cfg->large < 1 || cfg->large > 255) return "LARGE must be 1 to 255";
    if (cfg->first > 255) return "FIRST must be 0 to 255";
    if (cfg->climb > 255) return "CLIMB must be 0 to 255";
    if (cfg->speculate > 255) return "SPECULATE must be 0 to 255";
    if (cfg->back > 255) return "BACK must be 0 to 255";
    if (cfg->probe > 255) return "PROBE must be 0 to 255";
    if (cfg->undo > 255) return "UNDO must be 0 to 255";
    return NULL;
}

int rf_sthld_init(rf_sthld *m, const rf_sthld_cfg *cfg) {
    if (rf_sthld_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_sthld_reset(m);
    return 0;
}

void rf_sthld_reset(rf_sthld *m) {
    m->state_q = START;
    m->sthld_q = (uint8_t)m->cfg.first;
    m->cycle_q = 0;
    m->count_q = 0;
    m->prev_q = 0;
}

void rf_sthld_comb(const rf_sthld *m, const rf_sthld_in *in, rf_sthld_out *out) {
    (void)in;
    out->sthld = m->sthld_q;
}

void rf_sthld_clock(rf_sthld *m, const rf_sthld_in *in) {
    const uint32_t now = m->count_q + in->issued, before = m->prev_q;
    if (m->cycle_q != m->cfg.interval - 1) {
        m->cycle_q++;
        m->count_q = now;
        return;
    }
    const uint32_t change = now > before ? now - before : before - now;
    const edge to = walk(&m->cfg, m->state_q, m->sthld_q, change * 256 > m->cfg.large * before);
    const int32_t sthld = m->sthld_q + to.delta;
    m->state_q = to.state;
    m->sthld_q = (uint8_t)(sthld < 0 ? 0 : sthld > 255 ? 255 : sthld);
    m->cycle_q = 0;
    m->count_q = 0;
    m->prev_q = now;
}

void rf_sthld_step(rf_sthld *m, const rf_sthld_in *in, rf_sthld_out *out) {
    rf_sthld_comb(m, in, out);
    rf_sthld_clock(m, in);
}
