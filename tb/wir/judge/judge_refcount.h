/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model of rf_refcount, for its judge and for that of rf_wir_reuse, which has one: it goes through the requests of a
 * cycle with a tally per register, and one cycle later through the places with whole numbers ([WIR V-E]: "the scheduler merges
 * multiple requests to the same counter", "when the counter becomes zero the associated register is returned to the free
 * pool"). */
#ifndef RF_JUDGE_REFCOUNT_H
#define RF_JUDGE_REFCOUNT_H

#include "cmodel/wir/rf_refcount.h"
#include "tb/common/judge/judge.h"

typedef struct slow_place {
    bool used;
    uint32_t reg;
    int32_t delta;
} slow_place;

typedef struct slow_refcount {
    rf_refcount_cfg cfg;
    slow_place place[2 * RF_REFCOUNT_PORTS_MAX];
    int32_t count[RF_PREGS_MAX];
    bool dead[RF_PREGS_MAX];
} slow_refcount;

typedef struct slow_count_out {
    bool free[RF_REFCOUNT_FREES_MAX];
    uint32_t reg[RF_REFCOUNT_FREES_MAX];
    bool one[RF_REFCOUNT_ASKS_MAX];
} slow_count_out;

static inline void slow_count_reset(slow_refcount *s) {
    memset(s->place, 0, sizeof s->place);
    memset(s->count, 0, sizeof s->count);
    memset(s->dead, 0, sizeof s->dead);
}

/* Port p of the +1 and then the -1 ports: whether it asks for a register that exists, and for which. */
static inline bool request(const rf_refcount_cfg *cfg, const rf_refcount_in *in, uint32_t p, uint32_t *reg) {
    const bool up = p < cfg->incs;
    *reg = up ? in->inc_reg[p] : in->dec_reg[p - cfg->incs];
    return judge_bit(up ? in->inc : in->dec, up ? p : p - cfg->incs) && *reg < cfg->pregs;
}

static inline void slow_count_comb(const slow_refcount *s, const rf_refcount_in *in, slow_count_out *out) {
    uint32_t port = 0;
    memset(out, 0, sizeof *out);
    for (uint32_t r = 0; r < s->cfg.pregs && port < s->cfg.frees; r++) {
        if (!s->dead[r]) continue;
        out->free[port] = true;
        out->reg[port++] = r;
    }
    for (uint32_t r = 0; r < s->cfg.pregs; r++)
        for (uint32_t a = 0; a < s->cfg.asks; a++)
            if (in->ask_reg[a] == r && s->count[r] == 1) out->one[a] = true;
}

static inline int32_t count_end(const rf_refcount_cfg *cfg) { return (int32_t)((1u << cfg->countw) - 1); }

static inline void slow_count_clock(slow_refcount *s, const rf_refcount_in *in) {
    const rf_refcount_cfg *cfg = &s->cfg;
    const uint32_t ports = cfg->incs + cfg->decs;
    slow_count_out out;
    slow_count_comb(s, in, &out);
    for (uint32_t f = 0; f < cfg->frees; f++)
        if (out.free[f]) s->dead[out.reg[f]] = false;
    for (uint32_t p = 0; p < ports; p++) {
        const slow_place place = s->place[p];
        if (!place.used) continue;
        int32_t *count = &s->count[place.reg];
        if (*count != count_end(cfg)) {
            *count += place.delta;
            if (*count < 0) *count = 0;
            if (*count > count_end(cfg)) *count = count_end(cfg);
        }
        if (*count == 0) s->dead[place.reg] = true;
    }
    memset(s->place, 0, sizeof s->place);
    for (uint32_t p = 0; p < ports; p++) {
        uint32_t reg, other;
        if (!request(cfg, in, p, &reg)) continue;
        uint32_t at = p; /* where the register's sum is */
        for (uint32_t lower = p; lower-- > 0;)
            if (request(cfg, in, lower, &other) && other == reg) at = lower;
        s->place[at].used = true;
        s->place[at].reg = reg;
        s->place[at].delta += p < cfg->incs ? 1 : -1;
    }
}

#endif
