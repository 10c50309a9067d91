/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_pending_queue. */
#include "cmodel/wir/rf_pending_queue.h"

#include "harness/core/unit.h"
#include "tb/wir/env/rf_wir_carried.h"

typedef struct rf_pending_queue_stim {
    ls_rng rng;
    uint32_t fresh;             /* probability that the offered instruction is a new one, in 256ths */
    uint32_t illegal;           /* probability of each breach of protocol, in 256ths */
    uint32_t span;              /* of a phase, in cycles */
    uint32_t left;              /* cycles of the phase to come */
    uint32_t push, pop, rotate; /* probabilities of the phase, in 256ths; pop and rotate where nothing is pushed */
} rf_pending_queue_stim;

static void stim_init(rf_pending_queue_stim *s, const rf_pending_queue *m, uint64_t seed) {
    *s = (rf_pending_queue_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->fresh = ls_rng_chance(&s->rng, 128) ? 256 : 64 + ls_rng_below(&s->rng, 192);
    s->illegal = 8 + ls_rng_below(&s->rng, 56);
    s->span = m->cfg.depth * (1 + ls_rng_below(&s->rng, 4)) + 8;
}

/* One result that many wait for fills the queue and lets it turn; when it comes, the queue drains. */
static void next_phase(rf_pending_queue_stim *s) {
    const uint32_t most = 192 + ls_rng_below(&s->rng, 65), little = ls_rng_below(&s->rng, 64);
    s->left = s->span / 2 + ls_rng_below(&s->rng, s->span);
    switch (ls_rng_below(&s->rng, 4)) {
    case 0:
        s->push = most, s->pop = little / 4, s->rotate = most;
        break;
    case 1:
        s->push = little, s->pop = most, s->rotate = little;
        break;
    case 2:
        s->push = little, s->pop = little, s->rotate = most;
        break;
    default:
        s->push = ls_rng_below(&s->rng, 257), s->pop = ls_rng_below(&s->rng, 257), s->rotate = ls_rng_below(&s->rng, 257);
        break;
    }
}

/* An index of 0 .. n-1; now and then any value of its bits, which the queue carries as well. */
static uint32_t draw_index(ls_rng *rng, uint32_t n) {
    return ls_rng_chance(rng, 16) ? (uint32_t)ls_rng_value(rng, rf_index_bits(n)) : ls_rng_below(rng, n);
}

static void draw_instruction(ls_rng *rng, const rf_pending_queue_cfg *cfg, rf_pending_queue_in *in) {
    const uint32_t kind = ls_rng_below(rng, 8);
    in->entry.warp = (uint8_t)draw_index(rng, cfg->warps);
    rf_wir_draw_carried(rng, &in->entry.common);
    in->entry.port = (uint8_t)draw_index(rng, cfg->exports);
    in->entry.dst = (uint8_t)draw_index(rng, cfg->regs);
    in->entry.src_valid = (uint8_t)(kind == 0 ? 0 : kind < 3 ? rf_mask64(cfg->slots) : ls_rng_value(rng, cfg->slots));
    in->entry.opcode = (uint8_t)ls_rng_value(rng, 8);
    in->entry.space = (uint8_t)ls_rng_below(rng, 4);
    in->entry.old_valid = ls_rng_chance(rng, 160);
    in->entry.old_preg = (uint16_t)draw_index(rng, cfg->pregs);
    in->entry.old_pin = ls_rng_chance(rng, 96);
    for (uint32_t i = 0; i < cfg->slots; i++) {
        in->entry.src[i] = (uint8_t)draw_index(rng, cfg->regs);
        in->entry.operand[i] = (uint16_t)draw_index(rng, cfg->pregs);
    }
}

static void stim(rf_pending_queue_stim *s, const rf_pending_queue *m, rf_pending_queue_in *in) {
    if (s->left == 0) next_phase(s);
    s->left--;
    in->push = ls_rng_chance(&s->rng, s->push);
    /* The head looks the buffer up when nothing new does: then it leaves or turns. */
    const bool free = !in->push && m->level_q != 0;
    in->pop = ls_rng_chance(&s->rng, free ? s->pop : s->illegal);
    in->rotate = ls_rng_chance(&s->rng, free && !in->pop ? s->rotate : s->illegal);
    /* The instruction changes in cycles without a push too: nothing of it may be stored then. */
    if (ls_rng_chance(&s->rng, s->fresh)) draw_instruction(&s->rng, &m->cfg, in);
}

static const char *const bin_names[] = {"empty",
                                        "full",
                                        "push",
                                        "push refused",
                                        "push refused although the head leaves",
                                        "pop",
                                        "pop while empty",
                                        "push and pop while empty",
                                        "push while the head leaves",
                                        "the last one leaves",
                                        "rotate with others behind",
                                        "rotate while full",
                                        "rotate of one alone",
                                        "rotate while empty",
                                        "rotate and push",
                                        "rotate and a push that is refused",
                                        "rotate and pop",
                                        "rotate, push and pop",
                                        "last entry is the head",
                                        "push into the last entry",
                                        "rotate from the last entry",
                                        "rotate into the last entry",
                                        "the queue goes around the end",
                                        "head reads nothing beside its operands",
                                        "head is a load from constants",
                                        "head is a load from scratchpad",
                                        "head is a load from global memory",
                                        "a load stands behind the head",
                                        "a load stands at the last place",
                                        "head without sources",
                                        "head with all sources",
                                        "head names a register in a slot that is no source",
                                        "head's destination was mapped",
                                        "head's destination was not mapped",
                                        "head's destination was pinned",
                                        "the first two are of one warp",
                                        "push while the last one leaves",
                                        "push while the head leaves the last entry",
                                        "rotate while full from the last entry",
                                        NULL};

static uint64_t bins(const rf_pending_queue *m, const rf_pending_queue_in *in, const rf_pending_queue_out *out) {
    const uint32_t depth = m->cfg.depth, last = depth - 1, level = m->level_q, head = m->rd_ptr_q;
    const uint32_t tail = (head + level) % depth, every = (uint32_t)rf_mask64(m->cfg.slots);
    const bool full = !out->ready, empty = !out->valid;
    const bool push = in->push && !full, pop = in->pop && !empty;
    const bool turn = in->rotate && !in->push && !in->pop && !empty;
    uint32_t loads = 0; /* per place */
    for (uint32_t p = 0; p < depth; p++) loads |= (uint32_t)out->at[p].load << p;
    uint32_t stray = 0; /* slots of the head that are no source and name a register */
    for (uint32_t i = 0; i < m->cfg.slots; i++) stray |= (uint32_t)(out->head.src[i] != 0) << i;
    stray &= ~(uint32_t)out->head.src_valid;
    return (uint64_t)empty << 0 | (uint64_t)full << 1 | (uint64_t)push << 2 | (uint64_t)(in->push && full) << 3 |
           (uint64_t)(in->push && full && in->pop) << 4 | (uint64_t)pop << 5 | (uint64_t)(in->pop && empty) << 6 |
           (uint64_t)(in->pop && empty && in->push) << 7 | (uint64_t)(push && pop) << 8 |
           (uint64_t)(pop && level == 1 && !push) << 9 | (uint64_t)(turn && level > 1) << 10 | (uint64_t)(turn && full) << 11 |
           (uint64_t)(turn && level == 1) << 12 | (uint64_t)(in->rotate && empty && !in->push && !in->pop) << 13 |
           (uint64_t)(in->rotate && push && !empty && !in->pop) << 14 |
           (uint64_t)(in->rotate && in->push && full && !in->pop) << 15 | (uint64_t)(in->rotate && pop && !in->push) << 16 |
           (uint64_t)(in->rotate && pop && in->push) << 17 | (uint64_t)(!empty && head == last) << 18 |
           (uint64_t)(push && tail == last) << 19 | (uint64_t)(turn && head == last) << 20 |
           (uint64_t)(turn && tail == last) << 21 | (uint64_t)(head + level > depth) << 22 |
           (uint64_t)(!empty && out->head.space == RF_SPACE_NONE) << 23 | (uint64_t)(out->head.space == RF_SPACE_CONST) << 24 |
           (uint64_t)(out->head.space == RF_SPACE_SHARED) << 25 | (uint64_t)(out->head.space == RF_SPACE_GLOBAL) << 26 |
           (uint64_t)(loads > 1) << 27 | (uint64_t)((loads >> last & 1) != 0) << 28 |
           (uint64_t)(!empty && out->head.src_valid == 0) << 29 | (uint64_t)(out->head.src_valid == every) << 30 |
           (uint64_t)(stray != 0) << 31 | (uint64_t)out->head.old_valid << 32 | (uint64_t)(!empty && !out->head.old_valid) << 33 |
           (uint64_t)(out->head.old_valid && out->head.old_pin) << 34 |
           (uint64_t)(level > 1 && out->at[0].warp == out->at[1].warp) << 35 | (uint64_t)(push && pop && level == 1) << 36 |
           (uint64_t)(push && pop && head == last) << 37 | (uint64_t)(turn && full && head == last) << 38;
}

static void unreachable(const rf_pending_queue_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->depth == 1, 8, "one entry: a push is refused while the head is there");
    ls_unreachable_if(to, cfg->depth == 1, 10, "one entry");
    ls_unreachable_if(to, cfg->depth == 1, 14, "one entry: a push is refused while the head is there");
    ls_unreachable_if(to, cfg->depth == 1, 22, "one entry");
    ls_unreachable_if(to, cfg->depth == 1, 27, "one entry");
    ls_unreachable_if(to, cfg->depth == 1, 35, "one entry");
    ls_unreachable_if(to, cfg->depth == 1, 36, "one entry: a push is refused while the head is there");
    ls_unreachable_if(to, cfg->depth == 1, 37, "one entry: a push is refused while the head is there");
}

#define SMALL "DEPTH=3 WARPS=4 REGS=8 SLOTS=2 PREGS=16 EXPORTS=2"

static const ls_fault faults[] = {
    {"an instruction accepted while full", NULL, "push_i && ready_o", "push_i", "level_q", SMALL},
    {"ready although full", NULL, "ready_o = SUM_W'(level_q) != SIZE", "ready_o = 1'b1", "ready", SMALL},
    {"ready when the head leaves a full queue", NULL, "ready_o = SUM_W'(level_q) != SIZE",
     "ready_o = SUM_W'(level_q) != SIZE || pop_i", "ready", SMALL},
    {"pop of an empty queue", NULL, "pop     = pop_i && valid_o", "pop     = pop_i", "rd_ptr_q", SMALL},
    {"rotation of an empty queue", NULL, "rotate_i && !push_i && !pop_i && valid_o", "rotate_i && !push_i && !pop_i", "rd_ptr_q",
     SMALL},
    {"rotation beside a push", NULL, "rotate_i && !push_i && !pop_i", "rotate_i && !pop_i", "rd_ptr_q", SMALL},
    {"rotation beside a push that is refused", NULL, "rotate_i && !push_i &&", "rotate_i && !push &&", "rd_ptr_q", SMALL},
    {"rotation beside a pop", NULL, "!push_i && !pop_i && valid_o", "!push_i && valid_o", "entry_q.warp", SMALL},
    {"a rotation drops the head", NULL, "else if (push || rotate)", "else if (push)", "entry_q.warp", SMALL},
    {"a rotation leaves the head where it is", NULL, "if (pop || rotate) rd_ptr_d", "if (pop) rd_ptr_d", "rd_ptr_q", SMALL},
    {"a rotation counts as a push", NULL, "LEVEL_W'(push) -", "LEVEL_W'(push || rotate) -", "level_q", SMALL},
    {"a rotation turns over what is offered", NULL, "rotate ? head_o : entry_i", "entry_i", "entry_q.warp", SMALL},
    {"a rotation loses the pin", NULL, "rotate ? head_o :", "rotate ? {head_o[RENAMED_W-1:1], 1'b0} :", "entry_q.old_pin", SMALL},
    {"the head's entry does not wrap", NULL, "(sum >= SIZE) ? PTR_W'(sum) - PTR_W'(DEPTH) :", "", "rd_ptr_q", SMALL},
    {"an instruction stored in the head's entry", NULL, "entry_q[tail] <=", "entry_q[rd_ptr_q] <=", "entry_q.warp", SMALL},
    {"top bit of the old register lost", NULL, ": entry_i;", ": entry_i & ~(RENAMED_W'(1) << (PREG_W + 1));", "entry_q.old_preg",
     SMALL},
    {"the last bit of what is carried is lost", NULL, ": entry_i;", ": {entry_i[RENAMED_W-1:1], 1'b0};", "entry_q.old_pin",
     SMALL},
    {"the first bit of what is carried is lost", NULL, ": entry_i;", ": {1'b0, entry_i[RENAMED_W-2:0]};", "entry_q.warp", SMALL},
    {"the head shown while empty", NULL, "valid_o ? entry_q[rd_ptr_q] : '0", "entry_q[rd_ptr_q]", "head.warp", SMALL},
    {"places are entries", NULL, "entry_of(rd_ptr_q, SUM_W'(p))", "PTR_W'(p)", "at.warp", SMALL},
    {"a place is valid too far", NULL, "SUM_W'(level_q) > SUM_W'(p)", "SUM_W'(level_q) >= SUM_W'(p)", "at_valid", SMALL},
    {"every place shows the head", NULL, "entry_q[entry_of(rd_ptr_q, SUM_W'(p))]", "entry_q[rd_ptr_q]", "at.warp", SMALL},
    {"an invalid place shows what it held", NULL, "at_valid_o[p] ? reads : '0", "reads", "at.warp", SMALL},
    {"a place shows what is one bit below", NULL, "[RENAMED_W-1 -: READS_W]", "[RENAMED_W-2 -: READS_W]", "at.warp", SMALL},
    {"instructions are not reset", NULL, "for (int i = 0; i < DEPTH; i++) entry_q[i] <= '0;", "", "entry_q.warp", SMALL},
    {"a push beats reset", NULL, "if (!rst_ni) begin\n      rd_ptr_q", "if (!rst_ni && !push_i) begin\n      rd_ptr_q", "level_q",
     SMALL},
    {0},
};

static const char *const sets[] = {"",
                                   "DEPTH=1 WARPS=1 REGS=1 SLOTS=1 PREGS=2 EXPORTS=1",
                                   "DEPTH=2 WARPS=3 REGS=7 SLOTS=2 PREGS=33 EXPORTS=3",
                                   "DEPTH=5 WARPS=12 REGS=63 SLOTS=4 PREGS=1000 EXPORTS=5",
                                   "DEPTH=16 WARPS=64 REGS=256 SLOTS=6 PREGS=512 EXPORTS=8",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/banked/rf_banked_pkg.sv", "rtl/wir/rf_wir_pkg.sv", NULL};

#define LS_UNIT rf_pending_queue
#define LS_GROUP "wir"
#define LS_BRIEF "pending queue of an issue group"
#define LS_FIELDS "tb/wir/rf_pending_queue.fields"
#define LS_UNREACHABLE
#define LS_STEP
#include "harness/core/unit_define.h"
