/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/banked/env/rf_banked_stream.h"

#include <string.h>

/* One of a few shares, in 256ths: never, seldom, now and then, often, always. */
static uint32_t share(ls_rng *rng) {
    static const uint32_t shares[] = {0, 16, 64, 160, 256};
    return shares[ls_rng_below(rng, 5)];
}

void rf_banked_stream_init(rf_banked_stream *s, uint32_t warps, uint32_t banks, uint32_t regs, uint32_t lanes, uint32_t slots,
                           uint32_t exports, uint64_t seed) {
    memset(s, 0, sizeof *s);
    s->warps = warps;
    s->banks = banks;
    s->regs = regs;
    s->lanes = lanes;
    s->slots = slots;
    s->exports = exports;
    ls_rng_seed(&s->rng, seed);
}

void rf_banked_stream_phase(rf_banked_stream *s, rf_stream_kind kind) {
    ls_rng *rng = &s->rng;
    s->sources = 1 + ls_rng_below(rng, s->slots);
    s->range = ls_rng_chance(rng, 96) ? 1 + ls_rng_below(rng, s->regs) : s->regs;
    s->depend = share(rng);
    s->write = 64 + ls_rng_below(rng, 193);
    s->skew = share(rng);
    s->repeat = share(rng) / 2;
    s->hot = ls_rng_below(rng, s->banks);
    s->partial = share(rng);
    s->zero = ls_rng_chance(rng, 128) ? 16 : 0;
    s->crack = ls_rng_chance(rng, 64) ? 32 : 0;
    s->any_port = share(rng);
    s->classes = 1 + ls_rng_below(rng, (1u << (RF_OP_CTRL + 1)) - 1);
    s->length = 1u << (3 + ls_rng_below(rng, 6));
    if (kind == RF_STREAM_STORM) {
        s->sources = 0;
        s->write = s->skew = s->any_port = 256;
        s->zero = 0;
    } else if (kind == RF_STREAM_CHAINS) {
        s->depend = s->write = 256;
        s->zero = 16;
        s->crack = 0;
        s->sources = s->slots;
        s->length = 16;
    }
}

void rf_banked_stream_launch(rf_banked_stream *s, uint32_t warp) { s->left[warp] = 1 + ls_rng_below(&s->rng, s->length); }

static uint8_t pick_register(rf_banked_stream *s, uint32_t warp) {
    if (ls_rng_chance(&s->rng, s->skew)) {
        /* D-map: the warp's registers in the hot bank are first, first + banks, ... */
        const uint32_t first = (s->hot + s->banks - warp % s->banks) % s->banks;
        const uint32_t count = first < s->regs ? (s->regs - first + s->banks - 1) / s->banks : 0;
        if (count != 0) return (uint8_t)(first + s->banks * ls_rng_below(&s->rng, count));
    }
    return (uint8_t)ls_rng_below(&s->rng, s->range);
}

static uint8_t pick_source(rf_banked_stream *s, uint32_t warp) {
    if (ls_rng_chance(&s->rng, s->depend)) return s->recent[warp][ls_rng_below(&s->rng, RF_STREAM_RECENT)];
    return pick_register(s, warp);
}

static uint32_t pick_mask(rf_banked_stream *s) {
    const uint32_t full = (uint32_t)ls_mask(s->lanes);
    if (ls_rng_chance(&s->rng, s->zero)) return 0;
    if (!ls_rng_chance(&s->rng, s->partial)) return full;
    const uint32_t mask = (uint32_t)ls_rng_value(&s->rng, s->lanes) & full;
    return mask != 0 ? mask : 1;
}

static rf_opclass pick_class(rf_banked_stream *s) {
    uint32_t c = ls_rng_below(&s->rng, RF_OP_CTRL + 1);
    while ((s->classes >> c & 1) == 0) c = (c + 1) % (RF_OP_CTRL + 1);
    return (rf_opclass)c;
}

bool rf_banked_stream_next(rf_banked_stream *s, uint32_t warp, rf_inst *inst, uint32_t *port) {
    if (s->left[warp] == 0) return false;
    s->left[warp]--;
    s->pc += 16;
    const bool cracked = ls_rng_chance(&s->rng, s->crack);
    *inst = (rf_inst){.pc = s->pc,
                      .opcode = s->pc ^ s->rng.s[0],
                      .mnemonic = "RANDOM",
                      .mask = pick_mask(s),
                      .opclass = pick_class(s),
                      .nsrc = (uint8_t)ls_rng_below(&s->rng, (cracked ? 2 * s->slots : s->sources) + 1),
                      .ndst = ls_rng_chance(&s->rng, s->write)};
    if (cracked) inst->ndst = (uint8_t)ls_rng_below(&s->rng, 4);
    for (uint32_t i = 0; i < inst->nsrc; i++)
        inst->src[i] = i > 0 && ls_rng_chance(&s->rng, s->repeat) ? inst->src[ls_rng_below(&s->rng, i)] : pick_source(s, warp);
    for (uint32_t i = 0; i < inst->ndst; i++) {
        inst->dst[i] = pick_register(s, warp);
        memmove(&s->recent[warp][1], &s->recent[warp][0], RF_STREAM_RECENT - 1);
        s->recent[warp][0] = inst->dst[i];
    }
    *port = ls_rng_chance(&s->rng, s->any_port) ? ls_rng_below(&s->rng, s->exports) : s->exports;
    return true;
}
