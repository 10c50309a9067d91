/* SPDX-License-Identifier: Apache-2.0 */
/* What passes between a warp's lanes: SHFL, VOTE, MATCH, ACTIVEMASK, ELECT; WARPSYNC.
 *
 * With .sync the last source names the members that take part. A lane that executes the instruction must be one, all members that
 * still run must execute it together with it, and they must name the same members; PTX leaves the rest undefined (or waits for
 * ever), here it is an error. */
#include "cmodel/workload/rf_simt_lanes.h"

/* The members that lane `l` names, of those that take part. Without .sync: all that take part. */
static uint32_t members(const rf_kinst *inst, rf_simt_lanes *x, uint32_t l) {
    if (!(inst->flags & RF_F_SYNC)) return x->mask;
    const uint32_t named = rf_get_u32(x, inst->nsrc - 1u, l);
    if (!(named >> l & 1)) x->fault = "a lane is not among the members that it names";
    if (named & x->staying & ~x->mask) x->fault = "a member does not take part (divergent code, or its guard)";
    for (uint32_t m = named & x->mask; m; m &= m - 1)
        if (rf_get_u32(x, inst->nsrc - 1u, rf_lowest(m)) != named) x->fault = "members name different members";
    return named & x->mask;
}

/* The lane read lies inside the segment of c, else a lane reads itself; a lane that takes no part gives what its register holds.
 */
static void shfl(const rf_kinst *inst, rf_simt_lanes *x) {
    uint32_t inside = 0;
    for (uint32_t rest = x->mask; rest; rest &= rest - 1) {
        const uint32_t l = rf_lowest(rest);
        (void)members(inst, x, l);
        const uint32_t b = rf_get_u32(x, 1, l) & 31, c = rf_get_u32(x, 2, l), segment = c >> 8 & 31;
        const int32_t most = (int32_t)((l & segment) | (c & 31 & ~segment));
        int32_t from = 0;
        switch (inst->mode) {
        case RF_M_UP:
            from = (int32_t)l - (int32_t)b;
            break;
        case RF_M_DOWN:
            from = (int32_t)(l + b);
            break;
        case RF_M_BFLY:
            from = (int32_t)(l ^ b);
            break;
        default:
            from = (int32_t)((l & segment) | (b & ~segment));
            break;
        }
        const bool good = inst->mode == RF_M_UP ? from >= most : from <= most;
        inside |= (uint32_t)good << l;
        x->out[0][l] = x->src[0][good ? (uint32_t)from : l];
    }
    x->pred_out[1] = inside;
}

static void vote(const rf_kinst *inst, rf_simt_lanes *x) {
    uint32_t result = 0;
    for (uint32_t rest = x->mask; rest; rest &= rest - 1) {
        const uint32_t l = rf_lowest(rest);
        const uint32_t all = members(inst, x, l), yes = x->pred[0] & all;
        const bool holds = inst->mode == RF_M_ALL ? yes == all : inst->mode == RF_M_ANY ? yes != 0 : yes == 0 || yes == all;
        result |= (uint32_t)holds << l;
        x->out[0][l] = yes;
    }
    x->pred_out[0] = result;
}

static void match(const rf_kinst *inst, rf_simt_lanes *x) {
    const bool wide = rf_ktype_bits(inst->type) == 64;
    uint32_t agreed = 0;
    for (uint32_t rest = x->mask; rest; rest &= rest - 1) {
        const uint32_t l = rf_lowest(rest);
        const uint32_t all = members(inst, x, l);
        uint32_t same = 0;
        for (uint32_t m = all; m; m &= m - 1) {
            const uint32_t other = rf_lowest(m);
            const bool equal = rf_get_u32(x, 0, l) == rf_get_u32(x, 0, other) && (!wide || x->src[1][l] == x->src[1][other]);
            same |= (uint32_t)equal << other;
        }
        agreed |= (uint32_t)(same == all) << l;
        x->out[0][l] = inst->mode == RF_M_ANY || same == all ? same : 0;
    }
    x->pred_out[1] = agreed;
}

static void activemask(const rf_kinst *inst, rf_simt_lanes *x) {
    (void)inst;
    for (uint32_t l = 0; l < RF_LANES; l++) rf_put_u32(x, l, x->mask);
}

/* The lowest member leads. */
static void elect(const rf_kinst *inst, rf_simt_lanes *x) {
    uint32_t leaders = 0;
    for (uint32_t rest = x->mask; rest; rest &= rest - 1) {
        const uint32_t l = rf_lowest(rest);
        const uint32_t all = members(inst, x, l), leader = all ? rf_lowest(all) : l;
        leaders |= (uint32_t)(leader == l) << l;
        x->out[0][l] = leader;
    }
    x->pred_out[1] = leaders;
}

/* Lanes that are together wait for nobody; those apart would have to, which this machine cannot: members says so. */
static void warpsync(const rf_kinst *inst, rf_simt_lanes *x) {
    for (uint32_t rest = x->mask; rest; rest &= rest - 1) (void)members(inst, x, rf_lowest(rest));
}

rf_simt_fn *rf_simt_exchange(const rf_kinst *inst) {
    const uint32_t bits = rf_ktype_bits(inst->type);
    switch (inst->op) {
    case RF_K_SHFL:
        return bits == 32 && inst->mode >= RF_M_UP && inst->mode <= RF_M_IDX ? shfl : NULL;
    case RF_K_VOTE:
        return inst->mode >= RF_M_ALL && inst->mode <= RF_M_BALLOT ? vote : NULL;
    case RF_K_MATCH:
        return (bits == 32 || bits == 64) && (inst->mode == RF_M_ALL || inst->mode == RF_M_ANY) ? match : NULL;
    case RF_K_ACTIVEMASK:
        return activemask;
    case RF_K_ELECT:
        return elect;
    case RF_K_WARPSYNC:
        return inst->flags & RF_F_SYNC ? warpsync : NULL;
    default:
        return NULL;
    }
}
