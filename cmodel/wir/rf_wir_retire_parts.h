/* SPDX-License-Identifier: Apache-2.0 */
/* The cycle of rf_wir_retire as functions that a caller compiles in: private to the unit and rf_wir. In this order:
 *   rf_wir_checks        which verifiers look at what was read, and which need a register
 *   rf_wir_ask           which heads ask to be read for, who has the rename ports, and which results ask to be written (reuse 0:
 *                        rf_wir_ask_plain)
 *   rf_wir_granted       what of that is done
 *   rf_wir_pops, rf_wir_shares    heads that leave; groups of which a verifier shares
 *   rf_wir_clock_retire  the edge
 * Values are handed over by pointer, and copied only where a register takes them. */
#ifndef RF_WIR_RETIRE_PARTS_H
#define RF_WIR_RETIRE_PARTS_H

#include "cmodel/wir/rf_verify_parts.h"
#include "cmodel/wir/rf_wir_retire.h"
#include "cmodel/wir/rf_wir_words.h"

/* Requesters of a group's rename port, in the order of its round-robin arbiter. */
enum { RF_WIR_PORT_REUSE, RF_WIR_PORT_WALK, RF_WIR_PORT_RETIRE };

/* The heads of the result queues, as rf_wir_retire_in has them, with their values by pointer. Of a queue that is empty nothing
 * but `valid` is looked at. */
typedef struct rf_wir_heads {
    uint32_t valid; /* exports bits */
    uint8_t op[RF_EXPORTS_MAX], warp[RF_EXPORTS_MAX], dst[RF_EXPORTS_MAX];
    uint16_t preg[RF_EXPORTS_MAX], cand[RF_EXPORTS_MAX];
    uint32_t mask[RF_EXPORTS_MAX];
    uint64_t info[RF_EXPORTS_MAX];
    const rf_vec *data[RF_EXPORTS_MAX];
} rf_wir_heads;

/* ---- verifiers ---- */

/* Which of them look at what was read, one a group at most, and which need a register. */
RF_WIR_PART void rf_wir_checks(const rf_wir_retire *m, const rf_wir_retire_cfg *cfg, rf_wir_retire_wires *x) {
    x->need = 0;
    x->check = x->check_fill = 0;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        x->check_reg[g] = 0;
        for (uint32_t v = 0; v < cfg->verifiers; v++) {
            const rf_verify *u = &m->verify[g * cfg->verifiers + v];
            x->need |= (uint16_t)((uint32_t)(u->state_q == RF_VERIFY_NEED) << (g * cfg->verifiers + v));
            if (u->state_q != RF_VERIFY_CHECK) continue;
            x->check |= (uint8_t)(1u << g);
            x->check_fill |= (uint8_t)((uint32_t)(u->merge_q == 0) << g);
            x->check_reg[g] = u->cand_q;
        }
    }
}

/* What the verifiers of group g say: the lowest idle one and the lowest that shares or writes, or verifiers when there is none.
 */
RF_WIR_PART void rf_wir_verifiers(const rf_wir_retire *m, const rf_wir_retire_cfg *cfg, uint32_t g, const rf_vec *rdata,
                                  uint32_t *idle, uint32_t *done) {
    const uint32_t count = cfg->verifiers;
    *idle = *done = count;
    for (uint32_t v = count; v-- > 0;) {
        const rf_verify *u = &m->verify[g * count + v];
        const uint32_t state = u->state_q;
        if (state == RF_VERIFY_IDLE) *idle = v;
        else if (state == RF_VERIFY_WRITE || state == RF_VERIFY_SHARE) *done = v;
        else if (state == RF_VERIFY_CHECK && u->merge_q == 0 &&
                 memcmp(rdata, &u->data_q, cfg->lanes * sizeof rdata->lane[0]) == 0)
            *done = v;
    }
}

/* ---- what is asked for ---- */

/* The result that `from`, a queue or exports + verifier of group g, holds is to retire. */
RF_WIR_PART void rf_wir_ask_retire(const rf_wir_retire *m, const rf_wir_retire_cfg *cfg, const rf_wir_heads *heads,
                                   rf_wir_retire_wires *x, uint32_t g, uint32_t from) {
    bool write;
    x->retired |= (uint8_t)(1u << g);
    x->retire_port[g] = (uint8_t)from;
    if (from < cfg->exports) {
        write = heads->op[from] == RF_RESULT_WRITE;
        x->retire_preg[g] = heads->preg[from];
        x->retire_warp[g] = heads->warp[from];
        x->retire_dst[g] = heads->dst[from];
        x->retire_info[g] = heads->info[from];
    } else {
        const rf_verify *v = &m->verify[g * cfg->verifiers + from - cfg->exports];
        const uint32_t bits = cfg->infow, warp = rf_wir_bits(cfg->warps);
        write = v->state_q == RF_VERIFY_WRITE;
        x->retire_preg[g] = write ? v->reg_q : v->cand_q;
        x->retire_warp[g] = (uint8_t)(v->info_q >> bits & rf_mask64(warp));
        x->retire_dst[g] = (uint8_t)(v->info_q >> (bits + warp));
        x->retire_info[g] = v->info_q & rf_mask64(bits);
    }
    x->asks_write |= (uint8_t)((uint32_t)write << g);
}

/* Group g: `reads`, `writes`: the ports whose heads are to be read for or to retire; `hit`, `walk`: who else wants the port. */
RF_WIR_PART void rf_wir_ask_group(const rf_wir_retire *m, const rf_wir_retire_cfg *cfg, const rf_wir_heads *heads,
                                  const rf_vec *rdata, uint32_t g, uint32_t reads, uint32_t writes, uint32_t hit, uint32_t walk,
                                  rf_wir_retire_wires *x) {
    uint32_t idle, done;
    rf_wir_verifiers(m, cfg, g, rdata, &idle, &done);
    if (reads != 0 && idle < cfg->verifiers) {
        x->asks_read |= (uint8_t)(1u << g);
        x->read_port[g] = (uint8_t)rf_lowest(rf_rr_pick(reads, m->read_rr[g].mask_q));
        x->read_verifier[g] = (uint8_t)idle;
    }
    const bool candidate = done < cfg->verifiers || writes != 0;
    const uint64_t wants =
        (uint64_t)hit << RF_WIR_PORT_REUSE | (uint64_t)walk << RF_WIR_PORT_WALK | (uint64_t)candidate << RF_WIR_PORT_RETIRE;
    const uint64_t grant = rf_rr_pick(wants, m->port_rr[g].mask_q);
    x->port_grant[g] = (uint8_t)grant;
    if ((grant >> RF_WIR_PORT_RETIRE & 1) == 0) return;
    if (done < cfg->verifiers) rf_wir_ask_retire(m, cfg, heads, x, g, cfg->exports + done);
    else rf_wir_ask_retire(m, cfg, heads, x, g, rf_lowest(rf_rr_pick(writes, m->retire_rr[g].mask_q)));
}

/* All groups; `rdata`: what was read, per group with `check`; `hits`, `walks`: issues bits. Sets asks_*, and as if all of it were
 * granted, `read` and `retired`. */
RF_WIR_PART void rf_wir_ask(const rf_wir_retire *m, const rf_wir_retire_cfg *cfg, const rf_wir_heads *heads,
                            const rf_vec *const *rdata, uint32_t hits, uint32_t walks, rf_wir_retire_wires *x) {
    uint32_t reads[RF_ISSUES_MAX] = {0}, writes[RF_ISSUES_MAX] = {0};
    x->asks_read = x->asks_write = x->retired = 0;
    for (uint32_t left = heads->valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), g = rf_wir_group_of(heads->warp[e], cfg->issues), cand = heads->cand[e];
        if (heads->op[e] == RF_RESULT_WRITE || heads->op[e] == RF_RESULT_SHARE) writes[g] |= 1u << e;
        else if (cand >= cfg->pregs || m->unwritten.bit_q[cand] == 0) reads[g] |= 1u << e;
    }
    for (uint32_t g = 0; g < cfg->issues; g++)
        rf_wir_ask_group(m, cfg, heads, rdata[g], g, reads[g], writes[g], hits >> g & 1, walks >> g & 1, x);
    x->read = x->asks_read;
}

/* REUSE 0: every queue asks on its own. */
RF_WIR_PART void rf_wir_ask_plain(const rf_wir_heads *heads, rf_wir_retire_wires *x) {
    x->asks_read = x->read = 0;
    x->asks_write = x->retired = (uint8_t)heads->valid;
    for (uint32_t left = heads->valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        x->retire_warp[e] = heads->warp[e];
        x->retire_dst[e] = heads->dst[e];
        x->retire_preg[e] = heads->preg[e];
    }
}

/* ---- what is granted ---- */

RF_WIR_PART void rf_wir_granted(rf_wir_retire_wires *x, uint32_t reads, uint32_t writes) {
    x->read = (uint8_t)(x->asks_read & reads);
    x->retire_write = (uint8_t)(x->asks_write & writes);
    x->retired &= (uint8_t)(~(uint32_t)x->asks_write | writes);
}

/* Heads that leave. */
RF_WIR_PART uint32_t rf_wir_pops(const rf_wir_retire_cfg *cfg, const rf_wir_retire_wires *x) {
    uint32_t pops = 0;
    if (cfg->reuse == 0) return x->retired;
    for (uint32_t left = x->read; left != 0; left &= left - 1) pops |= 1u << x->read_port[rf_lowest(left)];
    for (uint32_t left = x->retired; left != 0; left &= left - 1) pops |= 1u << x->retire_port[rf_lowest(left)];
    return pops & ((1u << cfg->exports) - 1); /* verifiers are no heads */
}

/* Groups of which a verifier retires and shares. */
RF_WIR_PART uint32_t rf_wir_shares(const rf_wir_retire_cfg *cfg, const rf_wir_retire_wires *x) {
    uint32_t shared = 0;
    for (uint32_t left = x->retired & ~(uint32_t)x->retire_write; left != 0; left &= left - 1)
        shared |= (uint32_t)(x->retire_port[rf_lowest(left)] >= cfg->exports) << rf_lowest(left);
    return shared;
}

/* The values that writer n writes; *mask: its lanes. */
RF_WIR_PART const rf_vec *rf_wir_written(const rf_wir_retire *m, const rf_wir_retire_cfg *cfg, const rf_wir_heads *heads,
                                         const rf_wir_retire_wires *x, uint32_t n, uint32_t *mask) {
    const uint32_t from = cfg->reuse == 0 ? n : x->retire_port[n];
    *mask = from < cfg->exports ? heads->mask[from] : (uint32_t)rf_mask64(cfg->lanes);
    return from < cfg->exports ? heads->data[from] : &m->verify[n * cfg->verifiers + from - cfg->exports].data_q;
}

/* ---- the edge ---- */

/* The head of group g's queue moves to a verifier. */
RF_WIR_PART void rf_wir_load_verifier(rf_wir_retire *m, const rf_wir_retire_cfg *cfg, const rf_wir_heads *heads,
                                      const rf_wir_retire_wires *x, uint32_t g) {
    const uint32_t e = x->read_port[g], bits = cfg->infow, warp = rf_wir_bits(cfg->warps);
    rf_verify_in edge;
    edge.load_merge = heads->op[e] == RF_RESULT_MERGE;
    edge.load_cand = heads->cand[e];
    edge.load_reg = heads->preg[e];
    edge.load_mask = heads->mask[e];
    edge.load_info = heads->info[e] | (uint64_t)heads->warp[e] << bits | (uint64_t)heads->dst[e] << (bits + warp);
    rf_verify_take(&m->verify[g * cfg->verifiers + x->read_verifier[g]], &edge, heads->data[e]);
}

/* Everything; with reuse only. A load goes to a verifier that was idle: it is not moved, too. `give`: bit group * verifiers + v;
 * `given`: issues bits, with given_reg. */
RF_WIR_PART void rf_wir_clock_retire(rf_wir_retire *m, const rf_wir_retire_cfg *cfg, const rf_wir_heads *heads,
                                     const rf_vec *const *rdata, uint32_t give, uint32_t given, const uint16_t *given_reg,
                                     rf_wir_retire_wires *x) {
    rf_unwritten_in *u = &x->unwritten_in;
    u->set = (uint8_t)given;
    u->clr = x->retire_write;
    for (uint32_t g = 0; g < cfg->issues; g++) {
        const bool retired = (x->retired >> g & 1) != 0;
        for (uint32_t v = 0; v < cfg->verifiers; v++) {
            rf_verify *of = &m->verify[g * cfg->verifiers + v];
            if (of->state_q == RF_VERIFY_IDLE) continue;
            rf_verify_move(of, rdata[g], rf_verify_equal(of, rdata[g]), (give >> (g * cfg->verifiers + v) & 1) != 0, given_reg[g],
                           retired && x->retire_port[g] == cfg->exports + v);
        }
        if ((x->read >> g & 1) != 0) {
            rf_wir_load_verifier(m, cfg, heads, x, g);
            m->read_rr[g].mask_q = rf_rr_next(UINT64_C(1) << x->read_port[g], cfg->exports);
        }
        if (retired && x->retire_port[g] < cfg->exports)
            m->retire_rr[g].mask_q = rf_rr_next(UINT64_C(1) << x->retire_port[g], cfg->exports);
        if (x->port_grant[g] != 0) m->port_rr[g].mask_q = rf_rr_next(x->port_grant[g], RF_WIR_PORTS);
        u->set_reg[g] = (u->set >> g & 1) != 0 ? given_reg[g] : 0;
        u->clr_reg[g] = (u->clr >> g & 1) != 0 ? x->retire_preg[g] : 0;
    }
    if ((u->set | u->clr) != 0) rf_unwritten_clock(&m->unwritten, u);
}

#endif
