/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, bins and planted faults of rf_stage_exec. */
#include "cmodel/banked/rf_stage_exec.h"

#include "harness/core/unit.h"

typedef struct rf_stage_exec_stim {
    ls_rng rng;
    /* Probabilities, in 256ths. */
    uint32_t collect; /* an empty collector is complete */
    uint32_t accept;  /* a port that changes accepts */
    uint32_t change;  /* ports change between accepting and not */
    uint32_t crowd;   /* an instruction is for the crowded port */
    uint32_t give_up; /* a complete collector is no more, without a dispatch */
    uint32_t noise;   /* an operand changes, whoever holds it */
    uint32_t special; /* the cycle is one of the special ones */
    uint32_t port;    /* the crowded port */
    uint16_t dispatched;
    bool filled;
} rf_stage_exec_stim;

static void stim_init(rf_stage_exec_stim *s, const rf_stage_exec *m, uint64_t seed) {
    static const uint32_t densities[] = {4, 32, 96, 192, 256};
    *s = (rf_stage_exec_stim){0};
    ls_rng_seed(&s->rng, seed);
    s->collect = densities[ls_rng_below(&s->rng, 5)];
    s->accept = 32 + ls_rng_below(&s->rng, 208);
    s->change = ls_rng_chance(&s->rng, 128) ? 256 : 16 + ls_rng_below(&s->rng, 128);
    s->crowd = ls_rng_chance(&s->rng, 128) ? 0 : ls_rng_below(&s->rng, 224);
    s->give_up = ls_rng_chance(&s->rng, 192) ? 0 : ls_rng_below(&s->rng, 32);
    s->noise = ls_rng_below(&s->rng, 128);
    s->special = 8 + ls_rng_below(&s->rng, 56);
    s->port = ls_rng_below(&s->rng, m->cfg.exports);
}

/* Mostly a port that exists; one in 32 any value of the wires. */
static uint8_t draw_port(rf_stage_exec_stim *s, const rf_stage_exec_cfg *cfg) {
    if (ls_rng_chance(&s->rng, s->crowd)) return (uint8_t)s->port;
    if (ls_rng_chance(&s->rng, 8)) return (uint8_t)ls_rng_below(&s->rng, UINT32_C(1) << rf_index_bits(cfg->exports));
    return (uint8_t)ls_rng_below(&s->rng, cfg->exports);
}

static void draw_operand(rf_stage_exec_stim *s, const rf_stage_exec_cfg *cfg, rf_stage_exec_in *in, uint32_t i) {
    ls_rng_lanes(&s->rng, in->data[i].lane, cfg->data_w / 32);
}

/* A new instruction in collector c: of the operands mostly one changes, to keep the stimulus cheap. */
static void draw_instruction(rf_stage_exec_stim *s, const rf_stage_exec_cfg *cfg, rf_stage_exec_in *in, uint32_t c) {
    in->port[c] = draw_port(s, cfg);
    in->meta[c].w[0] = ls_rng_value(&s->rng, cfg->meta_w < 64 ? cfg->meta_w : 64);
    if (cfg->meta_w > 64) in->meta[c].w[1] = ls_rng_value(&s->rng, cfg->meta_w - 64);
    draw_operand(s, cfg, in, ls_rng_below(&s->rng, cfg->slots) * cfg->collectors + c);
}

static void stim(rf_stage_exec_stim *s, const rf_stage_exec *m, rf_stage_exec_in *in) {
    const rf_stage_exec_cfg *cfg = &m->cfg;
    const uint32_t operands = cfg->slots * cfg->collectors;
    const uint32_t kind = ls_rng_chance(&s->rng, s->special) ? ls_rng_below(&s->rng, 4) : 4;
    if (!s->filled)
        for (uint32_t i = 0; i < operands; i++) draw_operand(s, cfg, in, i);
    s->filled = true;
    if (ls_rng_chance(&s->rng, 4)) s->port = ls_rng_below(&s->rng, cfg->exports);
    if (ls_rng_chance(&s->rng, s->noise)) draw_operand(s, cfg, in, ls_rng_below(&s->rng, operands));
    /* An instruction stands until it is dispatched; an empty collector holds the one before. */
    const uint64_t left = in->collected & ~((uint64_t)s->dispatched | ls_rng_bits(&s->rng, cfg->collectors, s->give_up));
    uint64_t fresh = ls_rng_bits(&s->rng, cfg->collectors, kind == 1 ? 128 : s->collect) & ~left;
    if (kind == 2) fresh = rf_mask64(cfg->collectors) & ~left;
    for (uint64_t set = fresh; set != 0; set &= set - 1) draw_instruction(s, cfg, in, rf_lowest(set));
    if (kind == 2) /* everybody is complete, for another port each */
        for (uint32_t c = 0; c < cfg->collectors; c++) in->port[c] = (uint8_t)((c + s->port) % cfg->exports);
    in->collected = kind == 0 ? 0 : (uint16_t)(left | fresh);
    if (kind == 3) in->ex_ready = (uint8_t)ls_rng_value(&s->rng, cfg->exports);
    else if (ls_rng_chance(&s->rng, s->change)) in->ex_ready = (uint8_t)ls_rng_bits(&s->rng, cfg->exports, s->accept);
}

static void observe(rf_stage_exec_stim *s, const rf_stage_exec_in *in, const rf_stage_exec_out *out) {
    (void)in;
    s->dispatched = out->dispatched;
}

enum {
    NOTHING,
    LEAVES,
    REFUSED,
    UNUSED,
    CONFLICT,
    MOST_PORTS,
    SEVERAL,
    ABOVE,
    WRAPPED,
    NO_PORT,
    FIRST_COLLECTOR,
    LAST_COLLECTOR,
    LAST_PORT,
    EMPTY_PORT,
    TOP_META,
    TOP_OPERAND
};

static const char *const bin_names[] = {"no collector is complete",
                                        "an instruction leaves",
                                        "a port does not accept its offer",
                                        "a port accepts and is offered nothing",
                                        "two collectors wait for one port",
                                        "as many ports are offered as can be",
                                        "several instructions leave at once",
                                        "offered above the pointer",
                                        "offered below the pointer",
                                        "complete for a port that does not exist",
                                        "first collector offered",
                                        "last collector offered",
                                        "last port offered",
                                        "nothing offered while collectors hold operands",
                                        "top bit of an instruction carried",
                                        "top bit of the last operand carried",
                                        NULL};

static uint64_t bin(bool hit, uint32_t number) { return (uint64_t)hit << number; }

static uint64_t bins(const rf_stage_exec *m, const rf_stage_exec_in *in, const rf_stage_exec_out *out) {
    const rf_stage_exec_cfg *cfg = &m->cfg;
    const uint32_t most = cfg->collectors < cfg->exports ? cfg->collectors : cfg->exports;
    const uint32_t top = cfg->meta_w - 1, valid = out->ex_valid;
    rf_dispatch_in asked = {.ready = in->collected, .ex_ready = in->ex_ready};
    rf_dispatch_out chosen;
    uint32_t wanted = 0;
    uint64_t hit = 0;
    for (uint32_t c = 0; c < cfg->collectors; c++) asked.port[c] = in->port[c];
    rf_dispatch_comb(&m->dispatch, &asked, &chosen);
    for (uint32_t set = in->collected; set != 0; set &= set - 1) {
        const uint32_t e = in->port[rf_lowest(set)];
        hit |= bin(e >= cfg->exports, NO_PORT);
        if (e >= cfg->exports) continue;
        hit |= bin((wanted >> e & 1) != 0, CONFLICT);
        wanted |= UINT32_C(1) << e;
    }
    for (uint32_t e = 0; e < cfg->exports; e++) {
        const uint32_t c = chosen.ex_sel[e];
        hit |= bin((valid >> e & 1) == 0 && in->data[0].lane[0] != 0, EMPTY_PORT);
        if ((valid >> e & 1) == 0) continue;
        const bool above = (m->dispatch.rr[e].mask_q >> c & 1) != 0;
        hit |= bin(above, ABOVE) | bin(!above, WRAPPED);
        hit |= bin(c == 0, FIRST_COLLECTOR) | bin(c == cfg->collectors - 1, LAST_COLLECTOR);
        hit |= bin((out->ex_meta[e].w[top / 64] >> top % 64 & 1) != 0, TOP_META);
        hit |= bin(out->ex_data[e * cfg->slots + cfg->slots - 1].lane[cfg->data_w / 32 - 1] >> 31 != 0, TOP_OPERAND);
    }
    hit |= bin(in->collected == 0, NOTHING) | bin(out->dispatched != 0, LEAVES);
    hit |= bin((valid & ~(uint32_t)in->ex_ready) != 0, REFUSED);
    hit |= bin((in->ex_ready & ~valid) != 0, UNUSED) | bin((uint32_t)__builtin_popcount(valid) == most, MOST_PORTS);
    hit |= bin(__builtin_popcount(out->dispatched) > 1, SEVERAL) | bin(valid >> (cfg->exports - 1) != 0, LAST_PORT);
    return hit;
}

#define SMALL "COLLECTORS=3 SLOTS=2 EXPORTS=3 META_W=5 DATA_W=32"
#define PORT "COLLECTORS=3 SLOTS=2 EXPORTS=1 META_W=5 DATA_W=32"
#define DISPATCH "rtl/banked/rf_dispatch.sv"
#define OPERAND "assign ex_data_o[(e*SLOTS + s)*DATA_W +: DATA_W] = data[e*DATA_W +: DATA_W]"

static void unreachable(const rf_stage_exec_cfg *cfg, ls_unreachable *to) {
    ls_unreachable_if(to, cfg->collectors == 1, CONFLICT, "one collector");
    ls_unreachable_if(to, cfg->collectors == 1, ABOVE, "one collector");
    ls_unreachable_if(to, cfg->collectors == 1, SEVERAL, "one collector");
    ls_unreachable_if(to, cfg->exports == 1, SEVERAL, "one port");
    ls_unreachable_if(to, cfg->exports == UINT32_C(1) << rf_index_bits(cfg->exports), NO_PORT, "every number is that of a port");
}

static const ls_fault faults[] = {
    {"leaves although the port does not accept", NULL, ".ex_ready_i(ex_ready_i)", ".ex_ready_i('1)", "dispatched", PORT},
    {"first port's ready for all", NULL, ".ex_ready_i(ex_ready_i)", ".ex_ready_i({EXPORTS{ex_ready_i[0]}})", "dispatched", SMALL},
    {"offered before its operands are there", NULL, "(collected_i)", "(collected_i | {COLLECTORS{&ex_ready_i}})", "dispatched",
     PORT},
    {"nothing offered while no port accepts", NULL, "(collected_i)", "(collected_i & {COLLECTORS{|ex_ready_i}})", "ex_valid",
     PORT},
    {"offer waits for the port", DISPATCH, ".req_i(ask)", ".req_i(ask & {COLLECTORS{ex_ready_i[e]}})", "ex_valid", SMALL},
    {"pointer does not move", DISPATCH, ".take_i(ex_ready_i[e])", ".take_i(1'b0)", "u_dispatch.gen_port[0].u_rr.mask_q", PORT},
    {"pointer moves although the port does not accept", DISPATCH, ".take_i(ex_ready_i[e])", ".take_i(1'b1)",
     "u_dispatch.gen_port[0].u_rr.mask_q", PORT},
    {"instruction shown to a port that is offered none", NULL, ".valid_i(ex_valid_o), .sel_i(ex_sel), .data_i(meta_i)",
     ".valid_i('1), .sel_i(ex_sel), .data_i(meta_i)", "ex_meta", SMALL},
    {"instruction of the first collector for all", NULL, ".valid_i(ex_valid_o), .sel_i(ex_sel), .data_i(meta_i)",
     ".valid_i(ex_valid_o), .sel_i('0), .data_i(meta_i)", "ex_meta", SMALL},
    {"instruction one bit off", NULL, ".data_i(meta_i)", ".data_i(meta_i >> 1)", "ex_meta", SMALL},
    {"top bit of an instruction lost", NULL, ".data_i(meta_i)", ".data_i(meta_i & {COLLECTORS{{1'b0, {(META_W-1){1'b1}}}}})",
     "ex_meta", "COLLECTORS=3 SLOTS=1 EXPORTS=2 META_W=65 DATA_W=32"},
    {"operands shown to a port that is offered none", NULL, ".valid_i(ex_valid_o), .sel_i(ex_sel), .data_i(data_i[s",
     ".valid_i('1), .sel_i(ex_sel), .data_i(data_i[s", "ex_data", SMALL},
    {"operands of the first collector for all", NULL, ".valid_i(ex_valid_o), .sel_i(ex_sel), .data_i(data_i[s",
     ".valid_i(ex_valid_o), .sel_i('0), .data_i(data_i[s", "ex_data", SMALL},
    {"operands only while the port accepts", NULL, ".valid_i(ex_valid_o), .sel_i(ex_sel), .data_i(data_i[s",
     ".valid_i(ex_valid_o & ex_ready_i), .sel_i(ex_sel), .data_i(data_i[s", "ex_data", SMALL},
    {"first operand in all slots", NULL, ".data_i(data_i[s*COLLECTORS*DATA_W +: COLLECTORS*DATA_W])",
     ".data_i(data_i[0 +: COLLECTORS*DATA_W])", "ex_data", SMALL},
    {"operands in reverse slot order", NULL, OPERAND,
     "assign ex_data_o[(e*SLOTS + SLOTS-1-s)*DATA_W +: DATA_W] = data[e*DATA_W +: DATA_W]", "ex_data", SMALL},
    {"operands of the last port lost", NULL, OPERAND, OPERAND " & {DATA_W{e != EXPORTS - 1}}", "ex_data", SMALL},
    {0},
};

#undef OPERAND
#undef DISPATCH
#undef PORT
#undef SMALL

static const char *const sets[] = {"",
                                   "COLLECTORS=1 SLOTS=1 EXPORTS=1 META_W=1 DATA_W=32",
                                   "COLLECTORS=3 SLOTS=3 EXPORTS=5 META_W=65 DATA_W=96",
                                   "COLLECTORS=8 SLOTS=8 EXPORTS=8 META_W=33 DATA_W=64",
                                   "COLLECTORS=13 SLOTS=4 EXPORTS=7 META_W=128 DATA_W=32",
                                   "COLLECTORS=16 SLOTS=2 EXPORTS=1 META_W=59 DATA_W=128",
                                   NULL};
static const char *const rtl[] = {"rtl/common/rf_pkg.sv", "rtl/common/rf_rr.sv", "rtl/banked/rf_dispatch.sv",
                                  "rtl/banked/rf_crossbar.sv", NULL};

#define LS_UNIT rf_stage_exec
#define LS_GROUP "banked"
#define LS_BRIEF "complete collectors to execution ports, with their operands"
#define LS_FIELDS "tb/banked/rf_stage_exec.fields"
#define LS_UNREACHABLE
#define LS_STEP
#define LS_OBSERVE
#include "harness/core/unit_define.h"
