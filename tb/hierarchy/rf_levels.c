/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_levels. Most phases are like life in the system: slots with distinct warps, which enter
 * free slots, leave them and are flushed; instructions of warps that do not leave and of which no name is awaited; results that
 * stay until they are done, those for a name when it is pending; grants of what asks. In the others anything happens. */
#include "cmodel/hierarchy/rf_levels_parts.h"

#include "harness/core/unit.h"

/* Probabilities in 256ths. */
typedef struct rf_levels_stim {
    ls_rng rng;
    uint32_t left;       /* cycles of the phase */
    bool anything;       /* in this phase */
    uint32_t enter;      /* a free slot gets a warp */
    uint32_t leave;      /* a slot begins to leave */
    uint32_t stays;      /* ... and is not freed yet, although nothing holds it */
    uint32_t read;       /* an instruction issues */
    uint32_t sources;    /* density of its sources */
    uint32_t again;      /* a register is one that the file has, a name one that holds lanes */
    uint32_t last;       /* a source is read for the last time */
    uint32_t upper;      /* a source, a destination is above the banks (software) */
    uint32_t keeps;      /* a source is to be kept */
    uint32_t writes;     /* there is a destination */
    uint32_t ends;       /* the strand ends */
    uint32_t shared;     /* of a shared unit */
    uint32_t keep;       /* an operand is kept */
    uint32_t next;       /* a queue has another head */
    uint32_t owned;      /* it is of a warp with a slot */
    uint32_t mate;       /* ... of the slot of another head, of the instruction, or of one that leaves */
    uint32_t answers;    /* ... for a pending name (software) */
    uint32_t whole;      /* ... with all lanes */
    uint32_t high;       /* ... may take an entry (hardware) */
    uint32_t low;        /* ... not of the L0 (hardware) */
    uint32_t mrf;        /* ... goes to the banks, too (software) */
    uint32_t grant;      /* a request of a queue is granted */
    uint32_t flush;      /* ... of the flush */
    uint32_t base, pool; /* registers named: `pool` of them, from `base` on */
    uint32_t done;       /* heads that left in the cycle before */
} rf_levels_stim;

static bool hardware(const rf_levels *m) { return m->cfg.managed == 0; }
static bool bit(uint64_t set, uint32_t i) { return (set >> i & 1) != 0; }
static bool several(uint64_t set) { return (set & (set - 1)) != 0; }

/* A bit of a set that is not empty. */
static uint32_t pick(rf_levels_stim *s, uint64_t set) {
    for (uint32_t n = ls_rng_below(&s->rng, (uint32_t)__builtin_popcountll(set)); n > 0; n--) set &= set - 1;
    return rf_lowest(set);
}

/* ---- slots ---- */

/* Warps that no slot has. */
static uint64_t pending_warps(const rf_levels *m, const rf_levels_in *in) {
    uint64_t warps = rf_mask64(m->cfg.warps);
    for (uint32_t left = in->held; left != 0; left &= left - 1) warps &= ~(UINT64_C(1) << in->slot_warp[rf_lowest(left)]);
    return warps;
}

static void hold_slot(rf_levels_stim *s, const rf_levels *m, uint32_t a, rf_levels_in *in) {
    const uint64_t warps = pending_warps(m, in);
    if (warps == 0) return;
    in->slot_warp[a] = (uint8_t)pick(s, warps);
    in->held |= 1u << a;
}

/* The phase begins with one slot at most for a warp. A slot with something in its file has one, which leaves. */
static void settle(rf_levels_stim *s, const rf_levels *m, rf_levels_in *in) {
    const uint32_t hold = rf_levels_hold(m), held = in->held;
    in->held = 0;
    for (uint32_t left = held; left != 0; left &= left - 1) {
        const uint32_t a = rf_lowest(left);
        if (bit(pending_warps(m, in), in->slot_warp[a])) in->held |= 1u << a;
    }
    in->leaving &= in->held;
    in->enter = 0;
    for (uint32_t a = 0; a < m->cfg.active; a++) {
        if (bit(in->held, a) || (!bit(hold, a) && ls_rng_chance(&s->rng, 128))) continue;
        hold_slot(s, m, a, in);
        if (bit(hold, a)) in->leaving |= in->held & 1u << a;
    }
}

static void draw_phase(rf_levels_stim *s, const rf_levels *m, rf_levels_in *in) {
    static const uint32_t often[] = {24, 96, 180, 250};
    ls_rng *r = &s->rng;
    const uint32_t file = m->cfg.entries + 1;
    s->left = 60 + ls_rng_below(r, 300);
    s->anything = ls_rng_chance(r, 64);
    s->enter = often[ls_rng_below(r, 4)];
    s->leave = ls_rng_below(r, 48);
    s->stays = ls_rng_below(r, 128);
    s->read = often[ls_rng_below(r, 4)];
    s->sources = 80 + ls_rng_below(r, 176);
    s->again = ls_rng_below(r, 256);
    s->last = ls_rng_chance(r, 64) ? 0 : ls_rng_below(r, 96);
    s->upper = ls_rng_below(r, 256);
    s->keeps = ls_rng_below(r, 128);
    s->writes = 64 + ls_rng_below(r, 192);
    s->ends = ls_rng_below(r, 48);
    s->shared = ls_rng_below(r, 96);
    s->keep = ls_rng_chance(r, 64) ? 0 : ls_rng_below(r, 200);
    s->next = often[ls_rng_below(r, 4)];
    s->owned = 96 + ls_rng_below(r, 160);
    s->mate = ls_rng_below(r, 160);
    s->answers = 96 + ls_rng_below(r, 160);
    s->whole = ls_rng_chance(r, 64) ? 250 : 64 + ls_rng_below(r, 160);
    s->high = 96 + ls_rng_below(r, 160);
    s->low = ls_rng_below(r, 160);
    s->mrf = ls_rng_below(r, 256);
    s->grant = often[ls_rng_below(r, 4)];
    s->flush = often[ls_rng_below(r, 4)];
    s->pool = ls_rng_chance(r, 200) ? 1 + ls_rng_below(r, 3 * file) : m->cfg.regs;
    if (s->pool > m->cfg.regs) s->pool = m->cfg.regs;
    s->base = ls_rng_below(r, m->cfg.regs);
    if (!s->anything) settle(s, m, in);
}

static void stim_init(rf_levels_stim *s, const rf_levels *m, uint64_t seed) {
    (void)m;
    *s = (rf_levels_stim){0};
    ls_rng_seed(&s->rng, seed);
}

/* The edge of the cycle before, as the scheduler's; then who leaves and who enters. */
static void draw_slots(rf_levels_stim *s, const rf_levels *m, rf_levels_in *in) {
    const uint32_t hold = rf_levels_hold(m), slots = m->cfg.active;
    for (uint32_t left = in->leaving & ~hold; left != 0; left &= left - 1) {
        if (ls_rng_chance(&s->rng, s->stays)) continue;
        in->held &= ~(1u << rf_lowest(left));
        in->leaving &= ~(1u << rf_lowest(left));
    }
    for (uint32_t left = in->enter; left != 0; left &= left - 1) hold_slot(s, m, rf_lowest(left), in);
    if (ls_rng_chance(&s->rng, s->leave)) in->leaving |= in->held & 1u << ls_rng_below(&s->rng, slots);
    const uint32_t empty = (uint32_t)rf_mask64(slots) & ~in->held;
    in->enter = 0;
    if (empty != 0 && pending_warps(m, in) != 0 && ls_rng_chance(&s->rng, s->enter)) in->enter = 1u << pick(s, empty);
}

/* Any slots, some with the same warp, some with one that does not exist. */
static void any_slots(rf_levels_stim *s, const rf_levels *m, rf_levels_in *in) {
    ls_rng *r = &s->rng;
    const uint32_t slots = m->cfg.active;
    if (ls_rng_chance(r, 64)) in->held = (uint32_t)ls_rng_bits(r, slots, 180);
    if (ls_rng_chance(r, 64)) in->leaving = (uint32_t)ls_rng_bits(r, slots, 2 * s->leave);
    in->enter = ls_rng_chance(r, 32) ? (uint32_t)ls_rng_bits(r, slots, 64) : 0;
    if (!ls_rng_chance(r, 64)) return;
    const uint32_t a = ls_rng_below(r, slots);
    in->slot_warp[a] =
        ls_rng_chance(r, 96) ? in->slot_warp[ls_rng_below(r, slots)] : (uint8_t)ls_rng_value(r, rf_index_bits(m->cfg.warps));
}

/* ---- registers and names ---- */

/* A register of the pool, of the slot's file, or now and then any value of the port: registers match as numbers. */
static uint8_t draw_register(rf_levels_stim *s, const rf_levels *m, uint32_t a) {
    if (a < m->cfg.active && hardware(m) && ls_rng_chance(&s->rng, s->again)) {
        const rf_rfc *file = &m->rfc[a];
        const uint32_t valid = rf_rfc_valid(file);
        if (valid != 0) return rf_rfc_reg(file, pick(s, valid));
    }
    if (ls_rng_chance(&s->rng, 8)) return (uint8_t)ls_rng_value(&s->rng, rf_index_bits(m->cfg.regs));
    return (uint8_t)((s->base + ls_rng_below(&s->rng, s->pool)) % m->cfg.regs);
}

static uint8_t name_of(const rf_orf_cfg *cfg, uint32_t place) {
    return (uint8_t)(place < cfg->entries ? place : RF_LEVEL_L0 + place - cfg->entries);
}

/* A name, mostly one that exists; for a source one that holds lanes, and of a split L0 that of the operand's slot. */
static uint8_t draw_name(rf_levels_stim *s, const rf_levels *m, uint32_t a, uint32_t slot) {
    const rf_orf *file = &m->orf[a < m->cfg.active ? a : 0];
    const uint32_t places = rf_orf_places(&file->cfg);
    if (ls_rng_chance(&s->rng, 16)) return (uint8_t)ls_rng_below(&s->rng, RF_LEVEL_NAMES);
    uint32_t place = ls_rng_below(&s->rng, places);
    if (ls_rng_chance(&s->rng, s->again))
        for (uint32_t n = 0; n < places && file->held_q[place] == 0; n++) place = (place + 1) % places;
    if (m->cfg.l0 == 2 && place >= m->cfg.entries && slot < m->cfg.slots && ls_rng_chance(&s->rng, 200))
        place = m->cfg.entries + slot;
    return name_of(&file->cfg, place);
}

/* ---- an instruction ---- */

/* Its slot: one that has a warp that does not leave; now and then that of a head, of which `mates` are the slots. */
static void draw_reader(rf_levels_stim *s, const rf_levels *m, uint32_t mates, rf_levels_in *in) {
    ls_rng *r = &s->rng;
    const uint32_t may = s->anything ? (uint32_t)rf_mask64(m->cfg.active) : in->held & ~in->leaving;
    in->read = ls_rng_chance(r, s->read);
    if (s->anything && ls_rng_chance(r, 32)) in->rd_slot = (uint8_t)ls_rng_value(r, rf_index_bits(m->cfg.active));
    else if ((may & mates) != 0 && ls_rng_chance(r, s->mate)) in->rd_slot = (uint8_t)pick(s, may & mates);
    else if (may != 0) in->rd_slot = (uint8_t)pick(s, may);
    else in->read = 0;
}

static void draw_instruction(rf_levels_stim *s, const rf_levels *m, rf_levels_in *in) {
    ls_rng *r = &s->rng;
    const uint32_t slots = m->cfg.slots, a = in->rd_slot;
    const uint32_t again = s->again, kind = ls_rng_below(r, 16);
    if (kind == 0) s->again = 256; /* few read ports are left, or none */
    in->rd_valid = (uint8_t)(kind < 4 ? rf_mask64(slots) : ls_rng_bits(r, slots, s->sources));
    if (kind == 0 && ls_rng_chance(r, 128)) in->rd_valid &= (uint8_t) ~(1u << ls_rng_below(r, slots));
    in->last = (uint8_t)ls_rng_bits(r, slots, s->last);
    for (uint32_t i = 0; i < slots; i++) {
        in->rd_reg[i] = draw_register(s, m, a);
        in->rd_from[i] = draw_name(s, m, a, i);
        if (ls_rng_chance(r, s->upper)) in->rd_from[i] |= RF_NOTE_UPPER;
        if (ls_rng_chance(r, s->keeps)) in->rd_from[i] |= RF_NOTE_KEEP;
    }
    s->again = again;
    in->shared = ls_rng_chance(r, s->shared);
    in->ends = ls_rng_chance(r, s->ends);
    in->dst_valid = ls_rng_chance(r, s->writes);
    in->to = draw_name(s, m, a, slots);
    if (ls_rng_chance(r, s->upper)) in->to |= RF_NOTE_UPPER;
    if (ls_rng_chance(r, s->mrf)) in->to |= RF_NOTE_MRF;
    if (s->anything || !in->read || hardware(m)) return;
    if (rf_levels_waits(rf_levels_pend(m, a), in->rd_valid, in->rd_from, in->dst_valid != 0, in->to)) in->read = 0;
}

/* ---- heads ---- */

static rf_levels_slots slots_of(const rf_levels_in *in) {
    return (rf_levels_slots){.held = in->held, .leaving = in->leaving, .enter = in->enter, .warp = in->slot_warp};
}

/* Names of slot a that are pending and of which no head brings the value. */
static uint32_t awaited(const rf_levels *m, const rf_levels_in *in, uint32_t a) {
    const rf_levels_slots slots = slots_of(in);
    uint32_t names = rf_levels_pend(m, a);
    for (uint32_t left = in->wr_valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), note = in->wr_note[e];
        if ((note & RF_NOTE_UPPER) != 0 && rf_levels_slot(&slots, in->wr_warp[e]) == a) names &= ~(1u << (note & RF_NOTE_NAME));
    }
    return names;
}

/* A slot whose warp waits for a name, and one of the names. */
static bool draw_awaited(rf_levels_stim *s, const rf_levels *m, const rf_levels_in *in, uint32_t *slot, uint8_t *name) {
    uint32_t slots = 0;
    for (uint32_t left = in->held; left != 0; left &= left - 1)
        slots |= (uint32_t)(awaited(m, in, rf_lowest(left)) != 0) << rf_lowest(left);
    if (slots == 0) return false;
    *slot = pick(s, slots);
    *name = (uint8_t)pick(s, awaited(m, in, *slot));
    return true;
}

static uint32_t draw_mask(rf_levels_stim *s, const rf_levels *m) {
    if (ls_rng_chance(&s->rng, s->whole)) return rf_all_lanes(m->cfg.lanes);
    return ls_rng_chance(&s->rng, 24) ? 0 : (uint32_t)ls_rng_value(&s->rng, m->cfg.lanes);
}

/* Slots whose warps have heads. */
static uint32_t mates_of(const rf_levels *m, const rf_levels_in *in) {
    const rf_levels_slots slots = slots_of(in);
    uint32_t mates = 0;
    for (uint32_t left = in->wr_valid; left != 0; left &= left - 1) {
        const uint32_t a = rf_levels_slot(&slots, in->wr_warp[rf_lowest(left)]);
        if (a < m->cfg.active) mates |= 1u << a;
    }
    return mates;
}

static void draw_note(rf_levels_stim *s, const rf_levels *m, uint32_t e, rf_levels_in *in) {
    ls_rng *r = &s->rng;
    uint32_t slot = 0;
    uint8_t note = (uint8_t)ls_rng_value(r, RF_NOTE_W), name = 0;
    if (hardware(m)) {
        note = (uint8_t)(note & ~(RF_NOTE_UPPER | 1u));
        if (ls_rng_chance(r, s->high)) note |= RF_NOTE_UPPER;
        if (ls_rng_chance(r, s->low)) note |= 1;
    } else if (!s->anything || ls_rng_chance(r, s->answers)) {
        note = (uint8_t)(note & ~RF_NOTE_UPPER);
        if (ls_rng_chance(r, s->answers) && draw_awaited(s, m, in, &slot, &name)) {
            in->wr_warp[e] = in->slot_warp[slot];
            note = (uint8_t)(RF_NOTE_UPPER | name);
            if (ls_rng_chance(r, s->mrf)) note |= RF_NOTE_MRF;
            if (ls_rng_chance(r, s->shared)) note |= RF_NOTE_SHARED;
        }
    }
    in->wr_note[e] = note;
}

static void draw_head(rf_levels_stim *s, const rf_levels *m, uint32_t mates, uint32_t e, rf_levels_in *in) {
    ls_rng *r = &s->rng;
    uint32_t a = m->cfg.active;
    if (mates != 0 && ls_rng_chance(r, s->mate)) a = pick(s, mates);
    else if (in->held != 0 && ls_rng_chance(r, s->owned)) a = pick(s, in->held);
    if (a < m->cfg.active) in->wr_warp[e] = in->slot_warp[a];
    else if (s->anything) in->wr_warp[e] = (uint8_t)ls_rng_value(r, rf_index_bits(m->cfg.warps));
    else in->wr_warp[e] = (uint8_t)ls_rng_below(r, m->cfg.warps);
    draw_note(s, m, e, in);
    in->wr_reg[e] = draw_register(s, m, a);
    in->wr_mask[e] = draw_mask(s, m);
    ls_rng_lanes(r, in->wr_data[e].lane, m->cfg.lanes);
}

/* A head stays until it is done. */
static void draw_heads(rf_levels_stim *s, const rf_levels *m, rf_levels_in *in) {
    ls_rng *r = &s->rng;
    for (uint32_t e = 0; e < m->cfg.exports; e++) {
        const uint32_t mates = mates_of(m, in) | (in->held & in->leaving);
        if (bit(in->wr_valid, e) && !bit(s->done, e) && !(s->anything && ls_rng_chance(r, 24))) continue;
        in->wr_valid &= (uint8_t) ~(1u << e);
        const bool next = ls_rng_chance(r, s->next);
        if (next || ls_rng_chance(r, 32)) draw_head(s, m, mates, e, in);
        if (next) in->wr_valid |= (uint8_t)(1u << e);
    }
}

/* ---- the rest ---- */

/* An operand is kept: one that is awaited. */
static void draw_keep(rf_levels_stim *s, const rf_levels *m, rf_levels_in *in) {
    ls_rng *r = &s->rng;
    uint32_t a = ls_rng_below(r, m->cfg.active);
    in->keep = ls_rng_chance(r, s->keep);
    in->keep_name = draw_name(s, m, a, m->cfg.slots);
    if (!draw_awaited(s, m, in, &a, &in->keep_name) && !s->anything && !hardware(m)) in->keep = 0;
    in->keep_warp =
        s->anything && ls_rng_chance(r, 64) ? (uint8_t)ls_rng_value(r, rf_index_bits(m->cfg.warps)) : in->slot_warp[a];
    in->keep_shared = ls_rng_chance(r, s->shared);
    in->keep_mask = draw_mask(s, m);
    if (in->keep || ls_rng_chance(r, 32)) ls_rng_lanes(r, in->keep_data.lane, m->cfg.lanes);
}

static void draw_grant(rf_levels_stim *s, const rf_levels *m, rf_levels_in *in) {
    in->grant = (uint8_t)ls_rng_bits(&s->rng, m->cfg.exports, s->grant);
    if (ls_rng_chance(&s->rng, s->flush)) in->grant |= (uint8_t)(1u << m->cfg.exports);
    if (s->anything) return;
    rf_levels_cycle c;
    rf_levels_decide(m, in, &c);
    in->grant &= (uint8_t)c.way.ask;
}

static void stim(rf_levels_stim *s, const rf_levels *m, rf_levels_in *in) {
    if (s->left-- == 0) draw_phase(s, m, in);
    if (s->anything) any_slots(s, m, in);
    else draw_slots(s, m, in);
    draw_heads(s, m, in);
    draw_reader(s, m, mates_of(m, in), in);
    draw_instruction(s, m, in);
    draw_keep(s, m, in);
    draw_grant(s, m, in);
}

static void observe(rf_levels_stim *s, const rf_levels_in *in, const rf_levels_out *out) {
    (void)in;
    s->done = out->done;
}

/* ---- bins ---- */

/* clang-format off */
#define BINS(X) \
    X(HIT_ALL, "the upper levels have all sources") \
    X(HIT_SOME, "the upper levels have some sources") X(HIT_L0, "the L0 has a source") \
    X(HIT_QUIET, "a source is in the upper levels, no instruction issues") \
    X(NO_FILE, "an instruction of a slot that does not exist") X(READ_TARGET, "an instruction reads the file that takes a result") \
    X(LAST, "a last read") \
    X(SET, "a result's name becomes pending") X(SET_KEEP, "a kept operand's name becomes pending") \
    X(KEEP_LOWEST, "two sources are to be kept under different names") \
    X(KEEP_UPPER, "the only source to be kept is in the upper levels") X(SET_QUIET, "no instruction: neither name is set") \
    X(NO_DST, "no destination, but a name for one") X(ENDS, "a strand ends, lanes are no longer held") \
    X(ENDS_SET, "a strand ends with a result that goes to a name") X(ENDS_QUIET, "no instruction: the strand does not end") \
    X(ENTER, "a warp enters: lanes are no longer held") X(SHARED, "a shared unit reads a name of the L0") \
    X(KEEP, "an operand is kept") X(KEEP_NO_SLOT, "results wait for an operand of a warp without a slot") \
    X(KEEP_OFFER, "results wait for an operand that is kept") X(KEEP_SHARED, "a shared unit's operand for the L0") \
    X(KEEP_TWO, "two slots have the warp of a kept operand") X(KEEP_ENTER, "an operand is kept while a warp enters its slot") \
    X(ONE_OFFER, "of two results for the files one waits") X(SAME, "two results for one file") \
    X(NO_SLOT, "a result of a warp without a slot beside one that is offered") X(OWN_BANK, "a result without a file waits for its bank") \
    X(TWO_SLOTS, "two slots have the warp of the result that is offered") X(FREE_NAMED, "a result of a warp that had a slot") \
    X(WRAP, "the port goes back to a lower queue") X(TWO_DONE, "the heads of two queues leave") \
    X(GRANT_QUIET, "a grant that nobody asked for") X(MRF_ONLY, "a result of a warp with a slot goes to the MRF only") \
    X(TAKE, "a result takes an entry") X(MERGE, "a result of some lanes merges into an entry") \
    X(PARTIAL, "a result of some lanes finds no entry") X(AROUND, "a result goes around by its note") \
    X(LATE, "a result goes around since its warp leaves") \
    X(LOW, "a result does not go into the L0") X(EVICT, "an entry gives way, and is written back") \
    X(EVICT_READ, "an entry waits for a read port") X(EVICT_BANK, "an entry waits for its bank") \
    X(SELF_BANK, "a result that goes around waits for its bank") X(SELF_PORTS, "a result goes around, no read port is left") \
    X(MOVE, "the L0's value moves into the L1") \
    X(FLUSH, "an entry of a leaving warp is written back") X(FLUSH_BANK, "a flush waits for its bank") \
    X(FLUSH_READ, "a flush waits for a read port") X(FLUSH_TWO, "two slots leave with entries") \
    X(FLUSH_NEXT, "the lowest leaving slot gets a result, the next is flushed") \
    X(FLUSH_OWN, "the leaving slot gets a result, nothing is flushed") X(FLUSH_EVICT, "a flush beside an entry that gives way") \
    X(FLUSH_PORT, "a flush waits for the read port of an entry that gives way") \
    X(FLUSH_LAST, "a last read of the entry that would be flushed") \
    X(DROP, "what a leaving slot holds is dead, and dropped") X(DROP_READ, "... although no read port is left") X(FLUSH_FREE, "a slot without a warp, said to leave, has entries") \
    X(HIDDEN, "a result is written to a name only") X(BOTH, "a result is written to a name and to its bank") \
    X(BOTH_BANK, "a result for a name waits for its bank") X(LATE_NAME, "a result of a leaving warp is written to its name") \
    X(RES_SHARED, "a shared unit's result for the L0") X(NAME_ENTER, "a result is written to a name while a warp enters its slot")
/* clang-format on */
#define BIN_NAME(name, text) B_##name,
#define BIN_TEXT(name, text) text,
enum { BINS(BIN_NAME) BIN_COUNT };
static const char *const bin_names[] = {BINS(BIN_TEXT) NULL};
#define BIN(name, cond) ((uint64_t)((cond) ? 1 : 0) << B_##name)

/* Slots with the number of a warp, whether they have it or not. */
static uint32_t numbered(const rf_levels *m, const rf_levels_in *in, uint32_t warp) {
    uint32_t slots = 0;
    for (uint32_t a = 0; a < m->cfg.active; a++) slots |= (uint32_t)(in->slot_warp[a] == warp) << a;
    return slots;
}

static bool holds_lanes(const rf_orf *file) {
    uint32_t held = 0;
    for (uint32_t p = 0; p < rf_orf_places(&file->cfg); p++) held |= file->held_q[p];
    return held != 0;
}

/* An instruction under software's management. */
static uint64_t set_bins(const rf_levels *m, const rf_levels_in *in, const rf_levels_out *out) {
    uint32_t keepers = 0, names = 0, upper = 0;
    for (uint32_t left = in->rd_valid; left != 0; left &= left - 1) {
        const uint8_t from = in->rd_from[rf_lowest(left)];
        if ((from & RF_NOTE_KEEP) == 0) continue;
        if ((from & RF_NOTE_UPPER) != 0) upper++;
        else {
            keepers++;
            names |= 1u << (from & RF_NOTE_NAME);
        }
    }
    if (in->rd_slot >= m->cfg.active) return 0;
    const rf_orf *file = &m->orf[in->rd_slot];
    const bool named = (in->to & RF_NOTE_UPPER) != 0, sets = named && in->dst_valid, held = holds_lanes(file);
    const bool fresh = (rf_orf_pending(file) >> (in->to & RF_NOTE_NAME) & 1) == 0;
    if (!in->read) return BIN(SET_QUIET, sets && fresh && keepers != 0) | BIN(ENDS_QUIET, in->ends && held);
    return BIN(SET, sets && fresh) | BIN(SET_KEEP, keepers != 0 && (rf_orf_pending(file) & names) == 0) |
           BIN(KEEP_LOWEST, keepers > 1 && several(names)) | BIN(KEEP_UPPER, keepers == 0 && upper != 0) |
           BIN(NO_DST, named && !in->dst_valid && fresh) | BIN(ENDS, in->ends && held) | BIN(ENDS_SET, in->ends && sets) |
           BIN(SHARED, in->shared && out->hit_l0 != 0);
}

static uint64_t issue_bins(const rf_levels *m, const rf_levels_in *in, const rf_levels_out *out, const rf_levels_cycle *c) {
    const bool target = c->way.offer != 0 && in->rd_slot == c->way.slot;
    const uint64_t bins = BIN(HIT_QUIET, !in->read && out->hit != 0);
    if (!in->read) return bins;
    return BIN(HIT_ALL, out->hit == rf_mask64(m->cfg.slots)) | BIN(HIT_SOME, out->hit != 0 && out->hit != in->rd_valid) |
           BIN(HIT_L0, out->hit_l0 != 0) | BIN(NO_FILE, in->rd_slot >= m->cfg.active && in->rd_valid != 0) |
           BIN(READ_TARGET, target && out->hit != 0) | BIN(LAST, hardware(m) && (out->hit & in->last) != 0);
}

static uint64_t keep_bins(const rf_levels *m, const rf_levels_in *in, const rf_levels_out *out, const rf_levels_cycle *c) {
    if (!in->keep || hardware(m)) return 0;
    const uint32_t a = rf_levels_slot(&c->slots, in->keep_warp);
    const bool found = a != RF_LEVELS_NO_SLOT;
    return BIN(KEEP, found && in->keep_mask != 0) | BIN(KEEP_NO_SLOT, !found && out->offers != 0) |
           BIN(KEEP_OFFER, found && out->offers != 0) |
           BIN(KEEP_SHARED, found && in->keep_shared && in->keep_name >= RF_LEVEL_L0) |
           BIN(KEEP_TWO, several(numbered(m, in, in->keep_warp) & in->held)) | BIN(KEEP_ENTER, found && bit(in->enter, a));
}

static uint64_t result_bins(const rf_levels *m, const rf_levels_in *in, const rf_levels_out *out, const rf_levels_cycle *c) {
    const uint32_t own = in->wr_valid & ~(uint32_t)out->offers;
    uint32_t files = 0, slotted = 0;
    bool same = false, left_slot = false;
    for (uint32_t left = in->wr_valid; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left), a = rf_levels_slot(&c->slots, in->wr_warp[e]);
        left_slot |= a == RF_LEVELS_NO_SLOT && numbered(m, in, in->wr_warp[e]) != 0;
        if (a == RF_LEVELS_NO_SLOT) continue;
        slotted |= 1u << e;
        if (!bit(out->offers, e)) continue;
        same |= bit(files, a);
        files |= 1u << a;
    }
    const uint64_t bins = BIN(ONE_OFFER, several(out->offers) && out->offer != 0) | BIN(SAME, same) |
                          BIN(OWN_BANK, (own & ~(uint32_t)in->grant) != 0) | BIN(TWO_DONE, several(out->done)) |
                          BIN(GRANT_QUIET, (in->grant & ~out->ask) != 0) | BIN(MRF_ONLY, (own & slotted) != 0) |
                          BIN(FREE_NAMED, left_slot);
    if (out->offer == 0) return bins;
    const uint32_t slots = numbered(m, in, in->wr_warp[c->way.queue]);
    return bins | BIN(NO_SLOT, (own & ~slotted) != 0) | BIN(TWO_SLOTS, several(slots & in->held)) |
           BIN(WRAP, m->port.mask_q != 0 && (out->offers & m->port.mask_q) == 0);
}

static uint64_t offer_bins(const rf_levels *m, const rf_levels_in *in, const rf_levels_cycle *c, bool taken) {
    const rf_levels_way *way = &c->way;
    const bool late = bit(in->leaving, way->slot), full = way->result.mask == rf_all_lanes(m->cfg.lanes);
    const bool into = way->plan.into != RF_RFC_NONE, by_note = (in->wr_note[way->queue] & RF_NOTE_UPPER) == 0;
    const bool some = !full && way->result.mask != 0;
    uint64_t bins = BIN(EVICT_READ, way->sends && !way->goes) | BIN(EVICT_BANK, way->goes && way->evicts && !taken) |
                    BIN(SELF_BANK, way->goes && !way->evicts && !taken);
    if (!taken) return bins;
    const uint32_t reads = in->read ? (uint32_t)__builtin_popcount(c->found.hit) : 0;
    bins |=
        BIN(TAKE, full && into) | BIN(MERGE, some && into) | BIN(PARTIAL, some && !into) | BIN(AROUND, full && !late && by_note);
    bins |= BIN(LATE, full && late && !by_note) | BIN(EVICT, way->evicts);
    bins |= BIN(LOW, m->cfg.l0 != 0 && full && into && way->result.low && way->plan.into != RF_RFC_L0);
    return bins | BIN(SELF_PORTS, way->sends && !way->evicts && reads == m->cfg.slots) |
           BIN(MOVE, way->plan.moved != RF_RFC_NONE);
}

/* If no read counted another entry would be sent. */
static bool flush_meets_last(const rf_levels *m, const rf_levels_in *in, const rf_levels_cycle *c) {
    rf_levels_in quiet = *in;
    rf_levels_cycle without;
    quiet.read = 0;
    rf_levels_decide(m, &quiet, &without);
    return without.way.flush != 0 && c->way.flush_plan.sent != without.way.flush_plan.sent;
}

static uint64_t flush_bins(const rf_levels *m, const rf_levels_in *in, const rf_levels_cycle *c) {
    const rf_levels_way *way = &c->way;
    const uint32_t reads = in->read ? (uint32_t)__builtin_popcount(c->found.hit) : 0, slots = m->cfg.slots;
    const uint32_t full = in->leaving & rf_levels_hold(m), leaving = full & in->held;
    const uint32_t getting = way->offer != 0 ? leaving & 1u << way->slot : 0, rest = leaving & ~getting;
    const bool flushes = bit(way->ask, m->cfg.exports), granted = bit(in->grant, m->cfg.exports);
    const bool waits = rest != 0 && way->flush == 0;
    uint64_t bins = BIN(FLUSH, flushes && granted) | BIN(FLUSH_BANK, flushes && !granted) |
                    BIN(FLUSH_READ, waits && reads >= slots) | BIN(FLUSH_TWO, several(leaving)) |
                    BIN(FLUSH_NEXT, flushes && getting != 0 && getting == (leaving & (~leaving + 1))) |
                    BIN(FLUSH_OWN, getting != 0 && rest == 0) | BIN(FLUSH_EVICT, flushes && way->evicts) |
                    BIN(FLUSH_PORT, waits && reads < slots) | BIN(DROP, way->drops) |
                    BIN(DROP_READ, way->drops && reads == slots) | BIN(FLUSH_FREE, (full & ~in->held) != 0);
    if (way->flush != 0 && in->read && (c->found.hit & in->last) != 0) bins |= BIN(FLUSH_LAST, flush_meets_last(m, in, c));
    return bins;
}

static uint64_t name_bins(const rf_levels_in *in, const rf_levels_cycle *c, bool taken) {
    const rf_levels_way *way = &c->way;
    const uint32_t note = in->wr_note[way->queue];
    if (!taken) return BIN(BOTH_BANK, true);
    return BIN(HIDDEN, !way->goes) | BIN(BOTH, way->goes) | BIN(LATE_NAME, bit(in->leaving, way->slot)) |
           BIN(RES_SHARED, (note & RF_NOTE_SHARED) != 0 && (note & RF_NOTE_NAME) >= RF_LEVEL_L0) |
           BIN(NAME_ENTER, bit(in->enter, way->slot));
}

static uint64_t bins(const rf_levels *m, const rf_levels_in *in, const rf_levels_out *out) {
    rf_levels_cycle c;
    rf_levels_decide(m, in, &c);
    const bool taken = (out->done & out->offer) != 0;
    uint64_t hits = issue_bins(m, in, out, &c) | keep_bins(m, in, out, &c) | result_bins(m, in, out, &c);
    if (hardware(m)) return hits | flush_bins(m, in, &c) | (out->offer != 0 ? offer_bins(m, in, &c, taken) : 0);
    for (uint32_t left = in->enter; left != 0; left &= left - 1) hits |= BIN(ENTER, holds_lanes(&m->orf[rf_lowest(left)]));
    return hits | set_bins(m, in, out) | (out->offer != 0 ? name_bins(in, &c, taken) : 0);
}

static void unreachable(const rf_levels_cfg *cfg, ls_unreachable *to) {
    static const uint8_t of_hardware[] = {
        B_LAST,       B_TAKE,        B_MERGE,      B_PARTIAL,    B_AROUND, B_LATE,       B_LOW,        B_EVICT,     B_EVICT_READ,
        B_EVICT_BANK, B_SELF_BANK,   B_SELF_PORTS, B_MOVE,       B_FLUSH,  B_FLUSH_BANK, B_FLUSH_READ, B_FLUSH_TWO, B_FLUSH_NEXT,
        B_FLUSH_OWN,  B_FLUSH_EVICT, B_FLUSH_PORT, B_FLUSH_LAST, B_DROP,   B_DROP_READ,  B_FLUSH_FREE};
    static const uint8_t of_software[] = {B_SET,          B_SET_KEEP,   B_KEEP_LOWEST, B_KEEP_UPPER, B_SET_QUIET,  B_NO_DST,
                                          B_ENDS,         B_ENDS_SET,   B_ENDS_QUIET,  B_ENTER,      B_SHARED,     B_KEEP,
                                          B_KEEP_NO_SLOT, B_KEEP_OFFER, B_KEEP_SHARED, B_KEEP_TWO,   B_KEEP_ENTER, B_MRF_ONLY,
                                          B_HIDDEN,       B_BOTH,       B_BOTH_BANK,   B_LATE_NAME,  B_RES_SHARED, B_NAME_ENTER};
    static const uint8_t of_slots[] = {B_KEEP_TWO, B_TWO_SLOTS, B_FLUSH_TWO, B_FLUSH_NEXT, B_FLUSH_EVICT, B_FLUSH_PORT};
    static const uint8_t of_queues[] = {B_ONE_OFFER, B_SAME, B_NO_SLOT, B_WRAP, B_TWO_DONE};
    static const uint8_t of_lanes[] = {B_MERGE, B_PARTIAL};
    static const uint8_t of_l0[] = {B_LOW, B_MOVE};
    for (size_t i = 0; i < sizeof of_hardware; i++) ls_unreachable_if(to, cfg->managed != 0, of_hardware[i], "by software");
    for (size_t i = 0; i < sizeof of_software; i++) ls_unreachable_if(to, cfg->managed == 0, of_software[i], "by hardware");
    for (size_t i = 0; i < sizeof of_slots; i++) ls_unreachable_if(to, cfg->active == 1, of_slots[i], "one slot");
    for (size_t i = 0; i < sizeof of_queues; i++) ls_unreachable_if(to, cfg->exports == 1, of_queues[i], "one queue");
    for (size_t i = 0; i < sizeof of_lanes; i++) ls_unreachable_if(to, cfg->lanes == 1, of_lanes[i], "some of one lane is none");
    for (size_t i = 0; i < sizeof of_l0; i++) ls_unreachable_if(to, cfg->l0 == 0, of_l0[i], "no L0");
    ls_unreachable_if(to, cfg->managed == 0 && cfg->l0 == 0, B_HIT_L0, "no L0");
    ls_unreachable_if(to, cfg->slots == 1, B_HIT_SOME, "one source");
    ls_unreachable_if(to, cfg->slots == 1, B_KEEP_LOWEST, "one source");
    ls_unreachable_if(to, cfg->slots == 1, B_FLUSH_EVICT, "one read port");
    ls_unreachable_if(to, cfg->active == 1u << rf_index_bits(cfg->active), B_NO_FILE, "every number is a slot's");
}

#define OTHERS "WARPS=5 REGS=8 LANES=2 SLOTS=2 EXPORTS=2 ENTRIES=2 "
#define HARD OTHERS "ACTIVE=2"
#define HARD_L0 OTHERS "ACTIVE=1 L0=1"
#define SOFT OTHERS "ACTIVE=2 MANAGED=1"
#define SOFT_L0 OTHERS "ACTIVE=1 MANAGED=1 L0=1"

static const char pkg_sv[] = "rtl/hierarchy/rf_hierarchy_pkg.sv";

static const ls_fault faults[] = {
    {"a slot without a warp gets results", NULL, "held_i[a] && wr_valid_i[e]", "wr_valid_i[e]", "offers", HARD},
    {"the highest slot with the warp gets its results", NULL, "wr_valid_i[e] && !slotted[e]", "wr_valid_i[e]",
     "gen_slot[0].gen_rfc.u_rfc.valid_q", HARD},
    {"results that go to the MRF only are offered", NULL, "MANAGED == 0 || wr_note_i[e*NOTE_W + UPPER]", "1'b1", "ask", SOFT},
    {"results that take no entry are not offered", NULL, "MANAGED == 0 || wr_note_i[e*NOTE_W + UPPER]",
     "wr_note_i[e*NOTE_W + UPPER]", "offers", HARD},
    {"a result is offered beside a kept operand", NULL, "MANAGED != 0 && keep_i ? '0 : offers_o", "offers_o", "ask", SOFT},
    {"by hardware a kept operand stops the results", NULL, "MANAGED != 0 && keep_i ?", "keep_i ?", "ask", HARD},
    {"the pointer moves on while the result waits", NULL, ".take_i(taken)", ".take_i(1'b1)", "u_port.mask_q", HARD},
    {"the lowest queue with a result is offered", NULL, ".take_i(taken)", ".take_i(1'b0)", "u_port.mask_q", HARD},
    {"an operand is kept in every slot with the warp", NULL, "held_i[a] && !placed &&", "held_i[a] && keep_i &&",
     "gen_slot[1].gen_orf.u_orf.pend_q", SOFT},
    {"an operand is kept that nobody keeps", NULL, "placed  = !keep_i;", "placed  = 1'b0;", "gen_slot[0].gen_orf.u_orf.data_q",
     SOFT},
    {"an operand is kept in a slot without a warp", NULL, "held_i[a] && !placed &&", "!placed &&",
     "gen_slot[0].gen_orf.u_orf.held_q", SOFT},
    {"a kept operand is of no shared unit", NULL, "keeper[a] ? keep_shared_i : note_one[SHARED]",
     "!keeper[a] && note_one[SHARED]", "gen_slot[0].gen_orf.u_orf.data_q", SOFT_L0},
    {"a result is of no shared unit", NULL, "keeper[a] ? keep_shared_i : note_one[SHARED]", "keeper[a] && keep_shared_i",
     "gen_slot[0].gen_orf.u_orf.held_q", SOFT_L0},
    {"a kept operand has the mask of a result", NULL, "keeper[a] ? keep_mask_i : mask_one", "mask_one",
     "gen_slot[0].gen_orf.u_orf.data_q", SOFT},
    {"the first file is read", NULL, "file_hit[rd_slot_i*SLOTS +: SLOTS]", "file_hit[0 +: SLOTS]", "hit", HARD},
    {"a read of any slot sets names", NULL, "assign reads = read_i && reader[a];", "assign reads = read_i;",
     "gen_slot[0].gen_orf.u_orf.pend_q", SOFT},
    {"reads count without an instruction", NULL, "assign reads = read_i && reader[a];", "assign reads = reader[a];",
     "gen_slot[1].gen_rfc.u_rfc.dead_q", HARD},
    {"an instruction of a slot that does not exist is the first slot's", NULL, "assign reads = read_i && reader[a];",
     "assign reads = read_i && (reader[a] || (a == 0 && reader == '0));", "gen_slot[0].gen_orf.u_orf.pend_q",
     OTHERS "ACTIVE=3 MANAGED=1"},
    {"a slot without a source hits", NULL, "named[s]       = rd_valid_i[s] && ", "named[s]       = ", "hit", SOFT},
    {"every name is one of the L0", NULL, "named[s] && name[s*4 + 3]", "named[s]", "hit_l0", SOFT},
    {"names are set without an instruction", NULL, "{reads && kept != '0, reads && dst_valid_i",
     "{reader[a] && kept != '0, reader[a] && dst_valid_i", "gen_slot[0].gen_orf.u_orf.pend_q", SOFT},
    {"a name is set without a destination", NULL, "dst_valid_i && to_i[UPPER]", "to_i[UPPER]", "gen_slot[1].gen_orf.u_orf.pend_q",
     SOFT},
    {"the name of a result for the MRF is set", NULL, "dst_valid_i && to_i[UPPER]", "dst_valid_i",
     "gen_slot[0].gen_orf.u_orf.pend_q", SOFT},
    {"the last operand that says so is kept", pkg_sv, "for (int s = 7; s >= 0; s--) begin", "for (int s = 0; s < 8; s++) begin",
     "gen_slot[1].gen_orf.u_orf.pend_q", SOFT},
    {"an operand above the banks is kept", pkg_sv, " && !from[s*PLACE_W + UPPER]", "", "gen_slot[1].gen_orf.u_orf.pend_q", SOFT},
    {"a strand that ends keeps its names", NULL, "enter_i[a] || (reads && ends_i)", "enter_i[a]",
     "gen_slot[1].gen_orf.u_orf.held_q", SOFT},
    {"a strand ends without an instruction", NULL, "enter_i[a] || (reads && ends_i)", "enter_i[a] || (reader[a] && ends_i)",
     "gen_slot[1].gen_orf.u_orf.held_q", SOFT},
    {"a file is not cleared for the next warp", NULL, "enter_i[a] || (reads && ends_i)", "reads && ends_i",
     "gen_slot[0].gen_orf.u_orf.held_q", SOFT},
    {"results of a leaving warp take entries", NULL, "!note_one[UPPER] || leaving_i[a]", "!note_one[UPPER]", "ask", HARD},
    {"the note's bit for an entry is not heard", NULL, "!note_one[UPPER] || leaving_i[a]", "leaving_i[a]", "ask", HARD},
    {"the note's bit for the L0 is not heard", NULL, ".low_i      (note_one[0])", ".low_i      (1'b0)",
     "gen_slot[0].gen_rfc.u_rfc.valid_q", HARD_L0},
    {"an entry is read without a port", NULL, "sends && (!sends_entry || reads_used < COUNT_W'(SLOTS))", "sends", "ask", HARD},
    {"a result itself needs a read port", NULL, "(!sends_entry || reads_used < COUNT_W'(SLOTS))", "reads_used < COUNT_W'(SLOTS)",
     "ask", HARD},
    {"an entry that waits for a port is lost", NULL, "MANAGED != 0 || !sends)", "1'b1)", "done", HARD},
    {"reads need ports without an instruction", NULL, "COUNT_W'(read_i && hit_o[s])", "COUNT_W'(hit_o[s])", "ask", HARD},
    {"sources that miss need ports", NULL, "COUNT_W'(read_i && hit_o[s])", "COUNT_W'(read_i && rd_valid_i[s])", "ask", HARD},
    {"a flush shares the port of an entry that gives way", NULL, "reads_used + COUNT_W'(sends_entry) <", "reads_used <", "ask",
     HARD},
    {"the result's register in place of the entry's", NULL, "wr_reg_i[e*REG_W +: REG_W] : sent_reg;",
     "wr_reg_i[e*REG_W +: REG_W] : wr_reg_i[e*REG_W +: REG_W];", "ask_reg", HARD},
    {"a name is written before its bank", NULL, "(goes ? (chosen", "(MANAGED == 0 && goes ? (chosen", "done", SOFT},
    {"a head without a file does not wait", NULL, "own ? grant_i[e]", "own ? 1'b1", "done", HARD},
    {"heads that are not offered ask, too", NULL, "wr_valid_i[e] && !offers_o[e];", "wr_valid_i[e] && !offer_o[e];", "ask", HARD},
    {"a slot without a warp is flushed", NULL, "held_i & leaving_i & hold_o & ~target", "leaving_i & hold_o & ~target", "ask",
     HARD},
    {"a slot that stays is flushed", NULL, "held_i & leaving_i & hold_o & ~target", "held_i & hold_o & ~target", "ask", HARD},
    {"an empty slot is flushed before a full one", NULL, "held_i & leaving_i & hold_o & ~target", "held_i & leaving_i & ~target",
     "ask", HARD},
    {"no slot is flushed beside one that gets a result", NULL, "held_i & leaving_i & hold_o & ~target",
     "held_i & leaving_i & hold_o & {ACTIVE{(leaving_i & target) == '0}}", "ask", HARD},
    {"the highest leaving slot is flushed first", NULL, "`RF_LOWEST(full)",
     "full[ACTIVE-1] ? ~({ACTIVE{1'b1}} >> 1) : `RF_LOWEST(full)", "ask_warp", HARD},
    {"a flush does not wait for its bank", NULL,
     "flush_goes && grant_i[EXPORTS] :", "flush_goes :", "gen_slot[1].gen_rfc.u_rfc.valid_q", HARD},
    {"what is dead is not dropped", NULL, "grant_i[EXPORTS] : 1'b1;", "grant_i[EXPORTS] : 1'b0;",
     "gen_slot[0].gen_rfc.u_rfc.valid_q", HARD},
    {"what is dead needs a read port to be dropped", NULL, "flush_sends = (file_sends & flushing) != '0;",
     "flush_sends = (file_sends & flushing) != '0 || reads_used == COUNT_W'(SLOTS);", "gen_slot[0].gen_rfc.u_rfc.valid_q", HARD},
    {"a flushed entry is of the first slot's warp", NULL, "slot_warp_i[flush_slot*WARP_W +: WARP_W]", "slot_warp_i[0 +: WARP_W]",
     "ask_warp", HARD},
    {"a flushed entry has no lanes", NULL, "flush_goes ? '1 : '0", "'0", "ask_mask", HARD},
    {"an entry that waits for a port does not give way", NULL, "evicts_o = sends_entry;", "evicts_o = sends_entry && goes;",
     "evicts", HARD},
    {"a free slot does not hold", NULL, "= pend_o[a*16 +: 16] != '0;", "= held_i[a] && pend_o[a*16 +: 16] != '0;", "hold", SOFT},
    {0},
};

#undef SOFT_L0
#undef SOFT
#undef HARD_L0
#undef HARD
#undef OTHERS

static const char *const sets[] = {"",
                                   "ACTIVE=8 L0=1 POLICY=1 LANES=16",
                                   "MANAGED=1",
                                   "MANAGED=1 L0=2",
                                   "WARPS=7 ACTIVE=3 REGS=33 LANES=5 SLOTS=7 EXPORTS=7 ENTRIES=6 L0=1",
                                   "WARPS=9 ACTIVE=1 REGS=5 LANES=1 SLOTS=1 EXPORTS=1 ENTRIES=1",
                                   "WARPS=9 ACTIVE=1 REGS=8 LANES=2 SLOTS=3 EXPORTS=7 ENTRIES=2 L0=1 POLICY=1",
                                   "WARPS=64 ACTIVE=32 LANES=3 EXPORTS=4 L0=1",
                                   "WARPS=3 ACTIVE=5 REGS=256 LANES=2 SLOTS=8 EXPORTS=2 ENTRIES=8 POLICY=1",
                                   "WARPS=9 ACTIVE=1 REGS=5 LANES=1 SLOTS=1 EXPORTS=1 ENTRIES=1 MANAGED=1",
                                   "WARPS=33 ACTIVE=32 LANES=3 EXPORTS=7 ENTRIES=2 MANAGED=1 L0=1",
                                   "WARPS=5 ACTIVE=3 REGS=11 LANES=4 SLOTS=7 EXPORTS=7 ENTRIES=8 MANAGED=1 L0=2",
                                   "WARPS=1 ACTIVE=6 REGS=1 LANES=7 SLOTS=8 EXPORTS=2 MANAGED=1 L0=2",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv",    "rtl/common/rf_rr.sv",     "rtl/hierarchy/rf_hierarchy_pkg.sv",
                                  "rtl/hierarchy/rf_rfc.sv", "rtl/hierarchy/rf_orf.sv", NULL};

#define LS_UNIT rf_levels
#define LS_GROUP "hierarchy"
#define LS_BRIEF "register files of all active warps above the banks, and the way of results through them"
#define LS_FIELDS "tb/hierarchy/rf_levels.fields"
#define LS_OBSERVE
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
