/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/steal/rf_steal_reads.h"

const char *rf_steal_reads_check(const rf_steal_reads_cfg *cfg) {
    if (cfg->issues < 1 || cfg->issues > RF_ISSUES_MAX) return "ISSUES must be 1 to 4";
    if (cfg->slots < 1 || cfg->slots > RF_SLOTS_MAX) return "SLOTS must be 1 to 8";
    if (cfg->regs < 1 || cfg->regs > RF_REGS_MAX) return "REGS must be 1 to 256";
    if (cfg->banks < 1 || cfg->banks > RF_BANKS_MAX) return "BANKS must be 1 to 32";
    if (cfg->when < 1 || cfg->when > 2) return "WHEN must be 1 or 2";
    return NULL;
}

int rf_steal_reads_init(rf_steal_reads *m, const rf_steal_reads_cfg *cfg) {
    if (rf_steal_reads_check(cfg) != NULL) return RF_E_CONFIG;
    m->cfg = *cfg;
    return 0;
}

void rf_steal_reads_reset(rf_steal_reads *m) { (void)m; }

/* Everything without a branch on what is asked, which nobody can foretell. Inlined with the usual numbers as constants. */
static inline void conditions(const rf_steal_reads *m, const rf_steal_reads_in *in, rf_steal_reads_out *out, uint32_t issues,
                              uint32_t slots) {
    const uint32_t sources = issues * slots, group = (UINT32_C(1) << slots) - 1;
    uint32_t same[RF_SLOTS_MAX] = {0}; /* [d]: sources of the register that the slot d lower in their group names */
    uint32_t firsts = 0;               /* slot 0 of every group */
    uint32_t present = 0, twins = 0, once = 0, twice = 0, ask = 0, twin_read = 0, steal = 0;
    for (uint32_t i = 0; i < issues; i++) {
        firsts |= UINT32_C(1) << i * slots;
        present |= (uint32_t)(in->valid >> i & 1) << i * slots;
    }
    present = present * group & in->src_valid;
    for (uint32_t d = 1; d < slots; d++) {
        for (uint32_t k = d; k < sources; k++) same[d] |= (uint32_t)(in->src[k] == in->src[k - d]) << k;
        same[d] &= present & firsts * (group << d & group);
        twins |= same[d] & present << d;
    }
    const uint32_t operand = present & ~twins;
    for (uint32_t k = 0; k < sources; k++) { /* banks of one operand at least, of two at least */
        const uint32_t bank = (operand >> k & 1) << in->bank[k];
        twice |= once & bank;
        once |= bank;
    }
    const uint32_t wanted = m->cfg.when == 2 ? ~UINT32_C(0) : twice;
    for (uint32_t k = 0; k < sources; k++) ask |= (wanted >> in->bank[k] & 1) << k;
    ask &= operand & ~in->blocked;
    const uint32_t read = ask & in->grant;
    for (uint32_t d = 1; d < slots; d++) twin_read |= same[d] & read << d;
    for (uint32_t i = 0; i < issues; i++) steal |= (uint32_t)((read >> i * slots & group) != 0) << i;
    out->ask = ask;
    out->fill = read | twin_read;
    out->steal = (uint8_t)steal;
}

void rf_steal_reads_comb(const rf_steal_reads *m, const rf_steal_reads_in *in, rf_steal_reads_out *out) {
    if (m->cfg.issues == 2 && m->cfg.slots == 3) conditions(m, in, out, 2, 3);
    else conditions(m, in, out, m->cfg.issues, m->cfg.slots);
}

void rf_steal_reads_clock(rf_steal_reads *m, const rf_steal_reads_in *in) {
    (void)m;
    (void)in;
}
