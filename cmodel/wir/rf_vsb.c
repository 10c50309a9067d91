/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/wir/rf_vsb_parts.h"

const char *rf_vsb_check(const rf_vsb_cfg *cfg) {
    if (cfg->entries < 1 || cfg->entries > RF_VSB_ENTRIES_MAX || (cfg->entries & (cfg->entries - 1)) != 0)
        return "ENTRIES must be a power of two, 1 to 512";
    if (cfg->pregs < 2 || cfg->pregs > RF_PREGS_MAX) return "PREGS must be 2 to 1024";
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    return NULL;
}

int rf_vsb_init(rf_vsb *m, const rf_vsb_cfg *cfg) {
    if (rf_vsb_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    rf_vsb_reset(m);
    return 0;
}

void rf_vsb_reset(rf_vsb *m) { *m = (rf_vsb){.cfg = m->cfg}; }

void rf_vsb_comb(const rf_vsb *m, const rf_vsb_in *in, rf_vsb_out *out) {
    *out = (rf_vsb_out){0};
    rf_vsb_lookups(m, in, out);
    rf_vsb_removals(m, in, out);
}

/* The edge, lane by lane, and what each finds in its entry: as those before it left it. Without branches; plain: freed_reg[i] is
 * the entry's register when freed, else 0; valid_q becomes 1 by a write, else 0 by a drop, else stays. */
static inline void edge(rf_vsb *m, const rf_vsb_in *in, rf_vsb_out *out) {
    const uint32_t mask = m->cfg.entries - 1;
    uint32_t all_freed = 0;
    for (uint32_t i = 0; i < m->cfg.issues; i++) {
        const uint32_t at = in->lk_hash[i] & mask, look = in->lk_valid >> i & 1u, write = look & in->write >> i & 1u;
        const uint32_t act = write | (look & in->drop >> i & 1u), freed = act & m->valid_q[at];
        all_freed |= freed << i;
        out->freed_reg[i] = (uint16_t)(m->reg_q[at] & (0 - freed));
        m->valid_q[at] = (uint8_t)(write | (m->valid_q[at] & ~act));
        m->hash_q[at] = write ? in->lk_hash[i] : m->hash_q[at];
        m->reg_q[at] = write ? in->write_reg[i] : m->reg_q[at];
    }
    out->freed = (uint8_t)all_freed;
    const uint32_t at = in->rnd_index & mask, freed = in->rnd_drop & m->valid_q[at];
    out->rnd_freed = (uint8_t)freed;
    out->rnd_freed_reg = (uint16_t)(m->reg_q[at] & (0 - freed));
    m->valid_q[at] &= (uint8_t)~freed;
}

void rf_vsb_clock(rf_vsb *m, const rf_vsb_in *in) {
    rf_vsb_out unused;
    edge(m, in, &unused);
}

void rf_vsb_step(rf_vsb *m, const rf_vsb_in *in, rf_vsb_out *out) {
    *out = (rf_vsb_out){0};
    rf_vsb_lookups(m, in, out);
    edge(m, in, out);
}
