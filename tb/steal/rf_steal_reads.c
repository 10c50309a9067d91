/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_steal_reads. */
#include "cmodel/steal/rf_steal_reads.h"

#include "harness/core/unit.h"

typedef struct rf_steal_reads_stim {
    ls_rng rng;
    /* Probabilities, in 256ths. */
    uint32_t candidate; /* a group without a candidate gets one */
    uint32_t leave;     /* a candidate goes without having been read ahead */
    uint32_t collector; /* there is a collector for the group */
    uint32_t source;    /* a candidate has a source in the slot */
    uint32_t twin;      /* a source names a register that the candidate names already */
    uint32_t crowd;     /* a register lies in the crowded bank */
    uint32_t blocked;   /* an operand's value is in a temporary register */
    uint32_t unblock;   /* it comes back */
    uint32_t idle;      /* a bank is idle, or a grant is given that nobody asked for */
    uint32_t special;   /* the cycle is one of the special ones */
    uint32_t bank;      /* the crowded bank */
    uint8_t candidates; /* groups that have one */
    uint8_t steal;
} rf_steal_reads_stim;

static void stim_init(rf_steal_reads_stim *s, const rf_steal_reads *m, uint64_t seed) {
    static const uint32_t densities[] = {8, 48, 128, 208, 256};
    ls_rng_seed(&s->rng, seed);
    s->candidate = densities[1 + ls_rng_below(&s->rng, 4)];
    s->leave = densities[ls_rng_below(&s->rng, 4)];
    s->collector = 96 + ls_rng_below(&s->rng, 161);
    s->source = 64 + ls_rng_below(&s->rng, 193);
    s->twin = densities[ls_rng_below(&s->rng, 4)] / 2;
    s->crowd = ls_rng_chance(&s->rng, 128) ? 0 : ls_rng_below(&s->rng, 192);
    s->blocked = densities[ls_rng_below(&s->rng, 3)];
    s->unblock = 16 + ls_rng_below(&s->rng, 128);
    s->idle = 32 + ls_rng_below(&s->rng, 208);
    s->special = 16 + ls_rng_below(&s->rng, 48);
    s->bank = ls_rng_below(&s->rng, m->cfg.banks);
    s->candidates = 0;
    s->steal = 0;
}

/* An index of `n` things; one time in 32 one that does not exist, or the last when all codes are taken. */
static uint8_t draw_index(rf_steal_reads_stim *s, uint32_t n) {
    const uint32_t outside = (UINT32_C(1) << rf_index_bits(n)) - n;
    if (!ls_rng_chance(&s->rng, 8)) return (uint8_t)ls_rng_below(&s->rng, n);
    return (uint8_t)(outside != 0 ? n + ls_rng_below(&s->rng, outside) : n - 1);
}

/* A new instruction: registers and their banks (D-map, as its warp's number gives them). Twins agree in bank. */
static void draw_candidate(rf_steal_reads_stim *s, const rf_steal_reads_cfg *cfg, uint32_t i, rf_steal_reads_in *in) {
    const uint32_t first = i * cfg->slots, group = (uint32_t)rf_mask64(cfg->slots) << first;
    const uint32_t warp = ls_rng_below(&s->rng, cfg->banks);
    in->src_valid = (in->src_valid & ~group) | (uint32_t)ls_rng_bits(&s->rng, cfg->slots, s->source) << first;
    in->blocked &= ~group;
    for (uint32_t k = first; k < first + cfg->slots; k++) {
        if (k > first && ls_rng_chance(&s->rng, s->twin)) {
            const uint32_t t = first + ls_rng_below(&s->rng, k - first);
            in->src[k] = in->src[t];
            in->bank[k] = in->bank[t];
            in->blocked |= (in->blocked >> t & 1) << k;
            continue;
        }
        in->src[k] = draw_index(s, cfg->regs);
        in->bank[k] = (uint8_t)((in->src[k] + warp) % cfg->banks);
        if (ls_rng_chance(&s->rng, s->crowd)) in->bank[k] = (uint8_t)s->bank;
        in->blocked |= (uint32_t)ls_rng_chance(&s->rng, s->blocked) << k;
    }
}

/* The arbiter: in each idle bank the lowest operand that asks. One cycle in four grants without a request. */
static void draw_grants(rf_steal_reads_stim *s, const rf_steal_reads *m, rf_steal_reads_in *in) {
    rf_steal_reads_out out;
    if (ls_rng_chance(&s->rng, 64)) {
        in->grant = (uint32_t)ls_rng_bits(&s->rng, m->cfg.issues * m->cfg.slots, s->idle);
        return;
    }
    uint32_t idle = (uint32_t)ls_rng_bits(&s->rng, 32, s->idle);
    rf_steal_reads_comb(m, in, &out);
    in->grant = 0;
    for (uint32_t left = out.ask; left != 0; left &= left - 1) {
        const uint32_t bank = in->bank[rf_lowest(left)];
        if ((idle >> bank & 1) != 0) in->grant |= left & (~left + 1);
        idle &= ~(UINT32_C(1) << bank);
    }
}

/* Cycles that no machine makes, or seldom: everybody in one bank, each in a bank of its own, two registers in all, anything. */
static void special(rf_steal_reads_stim *s, const rf_steal_reads_cfg *cfg, rf_steal_reads_in *in) {
    const uint32_t sources = cfg->issues * cfg->slots, kind = ls_rng_below(&s->rng, 8);
    const uint32_t first = ls_rng_below(&s->rng, UINT32_C(1) << rf_index_bits(cfg->banks));
    const bool full = kind < 4; /* everybody has all sources */
    in->valid = (uint8_t)(full ? rf_mask64(cfg->issues) : kind == 4 ? 0 : ls_rng_value(&s->rng, cfg->issues));
    in->src_valid = (uint32_t)(full ? rf_mask64(sources) : ls_rng_value(&s->rng, sources));
    in->blocked = (uint32_t)(full ? ls_rng_bits(&s->rng, sources, kind == 1 ? 0 : 48) : ls_rng_value(&s->rng, sources));
    in->grant = (uint32_t)ls_rng_value(&s->rng, sources);
    for (uint32_t k = 0; k < sources; k++) {
        in->bank[k] = (uint8_t)(kind < 2 ? first : kind == 2 ? (first + k) % cfg->banks : draw_index(s, cfg->banks));
        in->src[k] = full ? (uint8_t)((first + k) % cfg->regs) : draw_index(s, kind == 5 ? 2 : cfg->regs);
    }
}

static void stim(rf_steal_reads_stim *s, const rf_steal_reads *m, rf_steal_reads_in *in) {
    const rf_steal_reads_cfg *cfg = &m->cfg;
    const uint32_t sources = cfg->issues * cfg->slots;
    if (ls_rng_chance(&s->rng, 8)) s->bank = draw_index(s, cfg->banks);
    if (ls_rng_chance(&s->rng, s->special)) {
        special(s, cfg, in);
        s->candidates = 0;
        return;
    }
    /* A candidate stays until it issues, or its turn does. */
    const uint32_t gone = s->steal | (uint32_t)ls_rng_bits(&s->rng, cfg->issues, s->leave);
    const uint32_t fresh = (uint32_t)ls_rng_bits(&s->rng, cfg->issues, s->candidate) & ~(s->candidates & ~gone);
    in->blocked &= ~(uint32_t)ls_rng_bits(&s->rng, sources, s->unblock);
    for (uint32_t left = fresh; left != 0; left &= left - 1) draw_candidate(s, cfg, rf_lowest(left), in);
    s->candidates = (uint8_t)((s->candidates & ~gone) | fresh);
    in->valid = (uint8_t)(s->candidates & ls_rng_bits(&s->rng, cfg->issues, s->collector));
    draw_grants(s, m, in);
}

static void observe(rf_steal_reads_stim *s, const rf_steal_reads_in *in, const rf_steal_reads_out *out) {
    (void)in;
    s->steal = out->steal;
}

enum {
    NOBODY,
    ASKS,
    ALL_ASK,
    CONFLICT_WITHIN,
    CONFLICT_BETWEEN,
    NO_CONFLICT,
    ONLY_A_BLOCKED_CONFLICT,
    BLOCKED,
    TWIN,
    TWIN_NO_CONFLICT,
    NOT_VALID_CONFLICT,
    NO_SOURCE_CONFLICT,
    NO_SOURCE_TWIN,
    TWIN_IN_OTHER_GROUP,
    TWIN_ELSEWHERE,
    TWIN_BLOCKED,
    GRANTED,
    NOT_GRANTED,
    GRANTED_UNASKED,
    TWIN_FILLED,
    SOME_FILLED,
    SEVERAL_STEAL,
    ONE_OF_SEVERAL_STEALS,
    HIGHEST_SLOT,
    NO_SUCH_BANK,
    NO_SUCH_REGISTER
};

static const char *const bin_names[] = {"no candidate",
                                        "an operand asks",
                                        "every source asks",
                                        "two operands of a candidate in one bank",
                                        "operands of two candidates in one bank",
                                        "an operand alone in its bank",
                                        "the other operand in the bank is blocked",
                                        "an operand is blocked",
                                        "a register named twice",
                                        "a register named twice, alone in its bank",
                                        "the other source in the bank is of a group without a collector",
                                        "the other source in the bank is not one",
                                        "the lower slot of the same number is no source",
                                        "the same register number in two candidates",
                                        "a register named twice with two banks",
                                        "a register named twice, blocked in one slot",
                                        "a granted operand",
                                        "an operand that asks and is not granted",
                                        "a grant for a source that does not ask",
                                        "a register named twice is read",
                                        "some of a candidate's sources are read",
                                        "several candidates are read ahead",
                                        "a candidate is read ahead, another asks in vain",
                                        "the highest slot is read",
                                        "operands in a bank that does not exist",
                                        "a register that does not exist",
                                        NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }

/* The sources of a cycle: which are there, and of those which are operands, one for each register of a candidate. */
typedef struct sources {
    uint32_t n, present, operand;
} sources;

static sources sort_sources(const rf_steal_reads_cfg *cfg, const rf_steal_reads_in *in) {
    sources q = {cfg->issues * cfg->slots, 0, 0};
    for (uint32_t k = 0; k < q.n; k++) {
        if ((in->src_valid >> k & in->valid >> k / cfg->slots & 1) == 0) continue;
        bool twin = false;
        for (uint32_t t = k - k % cfg->slots; t < k; t++) twin |= (q.operand >> t & 1) != 0 && in->src[t] == in->src[k];
        q.present |= UINT32_C(1) << k;
        q.operand |= (uint32_t)!twin << k;
    }
    return q;
}

/* What operand k meets. */
static uint64_t meetings(const rf_steal_reads_cfg *cfg, const rf_steal_reads_in *in, sources q, uint32_t k) {
    const uint32_t slots = cfg->slots;
    const bool blocked = (in->blocked >> k & 1) != 0;
    bool named_twice = false, source_of_no_group = false, no_source = false;
    uint32_t conflict = 0;
    uint64_t hit = bin(blocked, BLOCKED) | bin(in->src[k] >= cfg->regs, NO_SUCH_REGISTER);
    for (uint32_t t = 0; t < q.n; t++) {
        const bool mine = t / slots == k / slots, present = (q.present >> t & 1) != 0, operand = (q.operand >> t & 1) != 0;
        const bool source = (in->src_valid >> t & 1) != 0, valid = (in->valid >> t / slots & 1) != 0;
        const bool same_bank = in->bank[t] == in->bank[k], same_number = in->src[t] == in->src[k];
        if (t == k) continue;
        if (mine && present && same_number) {
            named_twice = true;
            hit |= bin(!same_bank, TWIN_ELSEWHERE) | bin((in->blocked >> t & 1) != blocked, TWIN_BLOCKED);
        }
        hit |= bin(mine && t < k && !source && same_number, NO_SOURCE_TWIN) |
               bin(!mine && operand && same_number, TWIN_IN_OTHER_GROUP);
        if (operand && same_bank) {
            conflict |= UINT32_C(1) << t;
            hit |= bin(true, mine ? CONFLICT_WITHIN : CONFLICT_BETWEEN) | bin(in->bank[k] >= cfg->banks, NO_SUCH_BANK);
        }
        source_of_no_group |= same_bank && source && !valid;
        no_source |= same_bank && !source && valid;
    }
    hit |= bin(conflict == 0, NO_CONFLICT) | bin(named_twice, TWIN) | bin(named_twice && conflict == 0, TWIN_NO_CONFLICT);
    hit |= bin(!blocked && conflict != 0 && (conflict & ~in->blocked) == 0, ONLY_A_BLOCKED_CONFLICT);
    return hit | bin(!blocked && conflict == 0 && source_of_no_group, NOT_VALID_CONFLICT) |
           bin(!blocked && conflict == 0 && no_source, NO_SOURCE_CONFLICT);
}

static uint64_t bins(const rf_steal_reads *m, const rf_steal_reads_in *in, const rf_steal_reads_out *out) {
    const rf_steal_reads_cfg *cfg = &m->cfg;
    const sources q = sort_sources(cfg, in);
    const uint32_t read = out->ask & in->grant;
    uint64_t hit = bin(in->valid == 0, NOBODY) | bin(out->ask != 0, ASKS) | bin(out->ask == rf_mask64(q.n), ALL_ASK);
    for (uint32_t left = q.operand; left != 0; left &= left - 1) hit |= meetings(cfg, in, q, rf_lowest(left));
    hit |= bin(read != 0, GRANTED) | bin((out->ask & ~in->grant) != 0, NOT_GRANTED);
    hit |= bin((in->grant & ~out->ask) != 0, GRANTED_UNASKED) | bin((out->fill & ~read) != 0, TWIN_FILLED);
    hit |= bin((out->steal & (out->steal - 1)) != 0, SEVERAL_STEAL) | bin((read >> (q.n - 1) & 1) != 0, HIGHEST_SLOT);
    for (uint32_t i = 0; i < cfg->issues; i++) {
        const uint32_t group = (uint32_t)rf_mask64(cfg->slots) << i * cfg->slots;
        hit |= bin((out->fill & group) != 0 && (q.present & ~out->fill & group) != 0, SOME_FILLED);
        hit |= bin(out->steal != 0 && (out->ask & group) != 0 && (out->steal >> i & 1) == 0, ONE_OF_SEVERAL_STEALS);
    }
    return hit;
}

static void unreachable(const rf_steal_reads_cfg *cfg, ls_unreachable *to) {
    const uint32_t n = cfg->issues * cfg->slots;
    const bool alone = n == 1, silent = alone && cfg->when == 1;
    const bool all_banks = cfg->banks == UINT32_C(1) << rf_index_bits(cfg->banks),
               all_regs = cfg->regs == UINT32_C(1) << rf_index_bits(cfg->regs);
    ls_unreachable_if(to, silent, ASKS, "one source has no conflict, without which none asks");
    ls_unreachable_if(to, silent, ALL_ASK, "one source has no conflict, without which none asks");
    ls_unreachable_if(to, silent, GRANTED, "one source has no conflict, without which none asks");
    ls_unreachable_if(to, silent, NOT_GRANTED, "one source has no conflict, without which none asks");
    ls_unreachable_if(to, silent, HIGHEST_SLOT, "one source has no conflict, without which none asks");
    ls_unreachable_if(to, UINT32_C(1) << rf_index_bits(cfg->regs) < cfg->slots, ALL_ASK,
                      "fewer register numbers than slots: one is named twice");
    ls_unreachable_if(to, alone, ONLY_A_BLOCKED_CONFLICT, "one source");
    ls_unreachable_if(to, alone, NO_SOURCE_CONFLICT, "one source");
    ls_unreachable_if(to, alone, NO_SUCH_BANK, "one source: none that it meets");
    ls_unreachable_if(to, all_banks, NO_SUCH_BANK, "the banks fill the port: it names no other");
    ls_unreachable_if(to, all_regs, NO_SUCH_REGISTER, "the registers fill the port: it names no other");
    ls_unreachable_if(to, cfg->slots == 1, CONFLICT_WITHIN, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, TWIN, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, TWIN_NO_CONFLICT, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, NO_SOURCE_TWIN, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, TWIN_ELSEWHERE, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, TWIN_BLOCKED, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, TWIN_FILLED, "one slot");
    ls_unreachable_if(to, cfg->slots == 1, SOME_FILLED, "one slot");
    ls_unreachable_if(to, cfg->issues == 1, CONFLICT_BETWEEN, "one candidate");
    ls_unreachable_if(to, cfg->issues == 1, NOT_VALID_CONFLICT, "one candidate");
    ls_unreachable_if(to, cfg->issues == 1, TWIN_IN_OTHER_GROUP, "one candidate");
    ls_unreachable_if(to, cfg->issues == 1, SEVERAL_STEAL, "one candidate");
    ls_unreachable_if(to, cfg->issues == 1, ONE_OF_SEVERAL_STEALS, "one candidate");
}

static const ls_fault faults[] = {
    {"a candidate without a collector asks", NULL, " & {SLOTS{valid_i[i]}}", "", "ask", NULL},
    {"every number is a source", NULL, "src_valid_i[i*SLOTS +: SLOTS] & {SLOTS", "{SLOTS{1'b1}} & {SLOTS", "ask", NULL},
    {"valid of group 0 for all", NULL, "{SLOTS{valid_i[i]}}", "{SLOTS{valid_i[0]}}", "ask", NULL},
    {"a register named twice is asked for twice", NULL, "(same & present[i*SLOTS +: SLOTS]) == '0", "1'b1", "ask", "WHEN=2"},
    {"a register named twice conflicts with itself", NULL, "there = operand & ~ITSELF", "there = present & ~ITSELF", "ask", NULL},
    {"a slot without a source takes its register's turn", NULL, "(same & present[i*SLOTS +: SLOTS]) == '0", "same == '0", "ask",
     "WHEN=2"},
    {"the highest slot asks for a register named twice", NULL, "assign same[t] = t < s", "assign same[t] = t > s", "ask",
     "WHEN=2"},
    {"a twin is not seen across a slot", NULL, "(same & present[i*SLOTS +: SLOTS]) == '0",
     "(same & (SLOTS'(1) << s >> 1) & present[i*SLOTS +: SLOTS]) == '0", "ask", "WHEN=2"},
    {"registers are one but for their highest bit", NULL,
     "src_i[(i*SLOTS+t)*REG_W +: REG_W] == src_i[(i*SLOTS+s)*REG_W +: REG_W]",
     "src_i[(i*SLOTS+t)*REG_W +: REG_W-1] == src_i[(i*SLOTS+s)*REG_W +: REG_W-1]", "ask", "REGS=5 WHEN=2"},
    {"every operand conflicts with itself", NULL, " & ~ITSELF", "", "ask", NULL},
    {"conflicts with lower sources only", NULL, " & ~ITSELF", " & (ITSELF - 1'b1)", "ask", NULL},
    {"conflicts with higher sources only", NULL, " & ~ITSELF", " & ~(ITSELF | (ITSELF - 1'b1))", "ask", NULL},
    {"an operand of another candidate is no conflict", NULL, " & ~ITSELF",
     " & ~ITSELF & ({{(SOURCES-SLOTS){1'b0}}, {SLOTS{1'b1}}} << (n / SLOTS * SLOTS))", "ask", NULL},
    {"an operand of the same candidate is no conflict", NULL, " & ~ITSELF",
     " & ~({{(SOURCES-SLOTS){1'b0}}, {SLOTS{1'b1}}} << (n / SLOTS * SLOTS))", "ask", NULL},
    {"banks are one but for their lowest bit", NULL, "for (int k = 0; k < BANK_W; k++) there",
     "for (int k = 1; k < BANK_W; k++) there", "ask", NULL},
    {"a bank that does not exist has no conflicts", NULL, "assign conflict[n] = there != '0;",
     "assign conflict[n] = there != '0 && {1'b0, bank_i[n*BANK_W +: BANK_W]} < (BANK_W+1)'(BANKS);", "ask", "BANKS=3"},
    {"a blocked operand is no conflict", NULL, "there = operand & ~ITSELF", "there = operand & ~blocked_i & ~ITSELF", "ask",
     NULL},
    {"a blocked operand asks", NULL, "operand & ~blocked_i & (", "operand & (", "ask", NULL},
    {"WHEN = 2 waits for a conflict", NULL, "(conflict | {SOURCES{WHEN == 2}})", "conflict", "ask", "WHEN=2"},
    {"WHEN = 1 asks without a conflict", NULL, "{WHEN == 2}", "{WHEN >= 1}", "ask", NULL},
    {"a grant counts that nobody asked for", NULL, "read  = ask_o & grant_i", "read  = grant_i", "fill", NULL},
    {"an operand counts as read when it asks", NULL, "read  = ask_o & grant_i", "read  = ask_o", "fill", NULL},
    {"a twin is not filled", NULL, "read[i*SLOTS+s] || (", "read[i*SLOTS+s] || (1'b0 && ", "fill", NULL},
    {"a number that is no source is filled as a twin", NULL, "|| (present[i*SLOTS+s] && (same", "|| (1'b1 && (same", "fill",
     NULL},
    {"a source is filled when any lower one is read", NULL, "(same & read[i*SLOTS +: SLOTS]) != '0",
     "(read[i*SLOTS +: SLOTS] & ~({SLOTS{1'b1}} << s)) != '0", "fill", NULL},
    {"an ask counts as steal", NULL, "= read[i*SLOTS +: SLOTS] != '0;", "= ask_o[i*SLOTS +: SLOTS] != '0;", "steal", NULL},
    {"steal when all operands that ask are read", NULL, "= read[i*SLOTS +: SLOTS] != '0;",
     "= read[i*SLOTS +: SLOTS] != '0 && (ask_o[i*SLOTS +: SLOTS] & ~grant_i[i*SLOTS +: SLOTS]) == '0;", "steal", NULL},
    {"any candidate's steal is everybody's", NULL, "= read[i*SLOTS +: SLOTS] != '0;", "= read != '0;", "steal", NULL},
    {0},
};

static const char *const sets[] = {"",
                                   "WHEN=2",
                                   "ISSUES=1 SLOTS=1 REGS=1 BANKS=1",
                                   "ISSUES=1 SLOTS=1 REGS=3 BANKS=3 WHEN=2",
                                   "ISSUES=1 SLOTS=3 REGS=255 BANKS=16",
                                   "ISSUES=2 SLOTS=2 REGS=1 BANKS=1",
                                   "ISSUES=3 SLOTS=5 REGS=33 BANKS=5",
                                   "ISSUES=3 SLOTS=1 REGS=7 BANKS=3",
                                   "ISSUES=3 REGS=7 BANKS=5", /* three sources, not the two issues of the short path */
                                   "ISSUES=4 SLOTS=7 REGS=64 BANKS=16 WHEN=2",
                                   "ISSUES=4 SLOTS=8 REGS=256 BANKS=32",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", NULL};

#define LS_UNIT rf_steal_reads
#define LS_GROUP "steal"
#define LS_BRIEF "read stealing: which operands may be read ahead, and what the grants mean"
#define LS_FIELDS "tb/steal/rf_steal_reads.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#include "harness/core/unit_define.h"
