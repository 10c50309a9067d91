/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/banked/env/rf_stage_profile.h"

rf_stage_profile rf_stage_profile_plain(const rf_stage_cfg *cfg) {
    rf_stage_profile n = {.pipe = RF_ENV_PIPE, .active = cfg->warps};
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) n.accept[e] = 256;
    return n;
}

void rf_stage_profile_draw(rf_stage_profile *n, const rf_stage_cfg *cfg, rf_stream_kind kind, ls_rng *rng) {
    static const uint32_t shares[] = {0, 32, 128, 224};
    for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) n->accept[e] = ls_rng_chance(rng, 128) ? 256 : 16 + ls_rng_below(rng, 240);
    n->jitter = shares[ls_rng_below(rng, 4)];
    n->bubble = ls_rng_chance(rng, 160) ? 0 : shares[ls_rng_below(rng, 4)];
    n->hold = ls_rng_chance(rng, 128) ? 0 : 4 + ls_rng_below(rng, 5);
    n->pipe = ls_rng_chance(rng, 128) ? RF_ENV_PIPE : 1 + ls_rng_below(rng, RF_ENV_PIPE);
    n->active = ls_rng_chance(rng, 144) ? cfg->warps : 1 + ls_rng_below(rng, cfg->warps);
    if (kind == RF_STREAM_STORM) { /* results gather, then leave at once */
        for (uint32_t e = 0; e < RF_EXPORTS_MAX; e++) n->accept[e] = 256;
        n->pipe = RF_ENV_PIPE;
        n->hold = 7;
        n->bubble = 0;
        n->active = cfg->warps;
    } else if (kind == RF_STREAM_CHAINS) {
        n->bubble = 0;
        n->active = 1 + ls_rng_below(rng, (cfg->warps + 7) / 8);
    }
    if (cfg->pool != 0 && n->active * cfg->regs > cfg->pool) n->active = cfg->pool / cfg->regs;
}
