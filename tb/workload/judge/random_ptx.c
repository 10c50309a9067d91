/* SPDX-License-Identifier: Apache-2.0 */
/* Random PTX: the shape of a kernel. */
#include "tb/workload/judge/random_ptx.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workload/judge/random_ptx_inside.h"

#define RANDOM_NAME(name) #name,
static const char *const feature_names[] = {RANDOM_FEATURES(RANDOM_NAME)};

const char *random_ptx_feature(uint32_t feature) { return feature < F_COUNT ? feature_names[feature] : NULL; }

static void sequence(random_gen *g, uint32_t n);

static uint32_t label(random_gen *g) { return g->labels++; }
static void place(random_gen *g, uint32_t l) { random_line(g, "$L%" PRIu32 ":", l); }
static const char *sense(random_gen *g) { return chance(g, 128) ? "" : "!"; }

/* A part of the code where the threads may not be together, and where a jump to `target`, if there is one, is allowed. */
static void apart(random_gen *g, uint32_t n, uint32_t target) {
    const bool convergent = g->convergent;
    const uint32_t targets = g->targets;
    g->convergent = false;
    if (target != UINT32_MAX && targets < 64) g->target[g->targets++] = target;
    g->depth++;
    sequence(g, n);
    g->depth--;
    g->targets = targets;
    g->convergent = convergent;
}

static void either(random_gen *g) {
    const uint32_t p = random_predicate(g), other = label(g), join = label(g), middle = label(g);
    const bool has_else = chance(g, 150), shared_tail = has_else && has(g, F_JUMP) && chance(g, 80);
    random_line(g, "\t@%s%%p%" PRIu32 " bra $L%" PRIu32 ";", sense(g), p, other);
    const uint32_t out = has(g, F_BREAK) && chance(g, 60) ? join : UINT32_MAX;
    apart(g, 1 + below(g, 4), shared_tail ? middle : out);
    if (has_else) {
        random_line(g, "\tbra%s $L%" PRIu32 ";", chance(g, 60) ? ".uni" : "", join);
        place(g, other);
        apart(g, 1 + below(g, 3), UINT32_MAX);
        place(g, middle);
        if (chance(g, 128)) apart(g, 1 + below(g, 2), UINT32_MAX);
    } else {
        place(g, other);
    }
    place(g, join);
}

static void loop(random_gen *g) {
    const uint32_t head = label(g), more = label(g), out = label(g);
    const uint32_t i = random_temp(g, R32), n = random_temp(g, R32), p = random_temp(g, PR);
    const bool test_first = chance(g, 128), down = chance(g, 80);
    random_emit(g, "!and.b32 %%r%" PRIu32 ", ~r, <3|7|5|1>", n);
    if (down) random_line(g, "\tadd.s32 %%r%" PRIu32 ", %%r%" PRIu32 ", 1;", i, n);
    else random_line(g, "\tmov.u32 %%r%" PRIu32 ", 0;", i);
    place(g, head);
    if (test_first) {
        if (down) random_line(g, "\tsetp.eq.s32 %%p%" PRIu32 ", %%r%" PRIu32 ", 0;", p, i);
        else random_line(g, "\tsetp.ge.u32 %%p%" PRIu32 ", %%r%" PRIu32 ", %%r%" PRIu32 ";", p, i, n);
        random_line(g, "\t@%%p%" PRIu32 " bra $L%" PRIu32 ";", p, out);
    }
    const uint32_t targets = g->targets;
    if (has(g, F_BREAK) && targets + 2 < 64) {
        g->target[g->targets++] = out;
        g->target[g->targets++] = more;
    }
    g->loop_depth++;
    apart(g, 1 + below(g, g->loop_depth > 1 ? 2 : 4), UINT32_MAX);
    g->loop_depth--;
    g->targets = targets;
    place(g, more);
    random_line(g, "\tadd.s32 %%r%" PRIu32 ", %%r%" PRIu32 ", %d;", i, i, down ? -1 : 1);
    if (test_first) {
        random_line(g, "\tbra%s $L%" PRIu32 ";", chance(g, 100) ? ".uni" : "", head);
    } else {
        if (down) random_line(g, "\tsetp.ne.s32 %%p%" PRIu32 ", %%r%" PRIu32 ", 0;", p, i);
        else random_line(g, "\tsetp.lt.u32 %%p%" PRIu32 ", %%r%" PRIu32 ", %%r%" PRIu32 ";", p, i, n);
        random_line(g, "\t@%%p%" PRIu32 " bra $L%" PRIu32 ";", p, head);
    }
    place(g, out);
}

static void switch_chain(random_gen *g) {
    const uint32_t cases = 2 + below(g, 3), join = label(g), first = g->labels;
    g->labels += cases;
    const uint32_t x = random_temp(g, R32);
    random_emit(g, "!and.b32 %%r%" PRIu32 ", ~r, <3|7>", x);
    for (uint32_t c = 0; c < cases; c++) {
        const uint32_t p = random_temp(g, PR);
        random_line(g, "\tsetp.eq.s32 %%p%" PRIu32 ", %%r%" PRIu32 ", %" PRIu32 ";", p, x, c);
        random_line(g, "\t@%%p%" PRIu32 " bra $L%" PRIu32 ";", p, first + c);
    }
    apart(g, 1, join);
    random_line(g, "\tbra $L%" PRIu32 ";", join);
    for (uint32_t c = 0; c < cases; c++) {
        place(g, first + c);
        const uint32_t out = chance(g, 80) ? join : UINT32_MAX;
        apart(g, 1 + below(g, 2), out);
        if (chance(g, 170)) random_line(g, "\tbra $L%" PRIu32 ";", join);
    }
    place(g, join);
}

static void jump(random_gen *g) {
    const uint32_t p = random_predicate(g), to = g->target[below(g, g->targets)];
    random_line(g, "\t@%s%%p%" PRIu32 " bra $L%" PRIu32 ";", sense(g), p, to);
}

/* Some threads end here, or go to the end where they still store what they have. */
static void leave(random_gen *g, const char *how) {
    const uint32_t p = random_predicate(g);
    random_emit(g,
                "!and.b32 ~1, ~r, 3; !setp.eq.and.u32 ~7, ~1, 2, %%p%" PRIu32 "; !@~7 st.global.u32 [%%out+<4|8>], ~r; !@~7 %s",
                p, how);
    g->ended = true;
}

/* A loop that all threads go through together, with exchanges in it. */
static void uniform_loop(random_gen *g) {
    const uint32_t head = label(g), i = random_temp(g, R32), p = random_temp(g, PR);
    random_line(g, "\tmov.u32 %%r%" PRIu32 ", 0;", i);
    place(g, head);
    g->loop_depth++;
    g->depth++;
    g->together = true;
    sequence(g, 2 + below(g, 3));
    g->together = false;
    g->depth--;
    g->loop_depth--;
    random_line(g, "\tadd.s32 %%r%" PRIu32 ", %%r%" PRIu32 ", 1;", i, i);
    random_emit(g, "!setp.lt.u32 %%p%" PRIu32 ", %%r%" PRIu32 ", <%%trips|2|3>", p, i);
    random_line(g, "\t@%%p%" PRIu32 " bra $L%" PRIu32 ";", p, head);
}

static const char *barrier(random_gen *g) {
    static const char *const names[] = {"bar.sync 0",    "bar.sync 0", "bar.sync 1", "barrier.sync 0", "barrier.sync.aligned 0",
                                        "barrier.sync 3"};
    return names[below(g, g->sync ? 6 : 3)];
}

/* Everyone writes its slots, waits, reads another's, waits. */
static void share(random_gen *g) {
    random_emit(g,
                "!mov.u32 ~1, slots; !add.u32 ~2, ~1, %%mine; st.shared.u32 [~2+<0|4|8|12>], ~r;"
                "!%s; !and.b32 ~3, ~r, 1023; !rem.u32 ~3, ~3, %%count; !shl.b32 ~3, ~3, 4; !add.u32 ~4, ~1, ~3;"
                "ld.shared.<u32|s32> ~r, [~4+<0|4|12>]; ld.shared.u32 ~r, [~4+8]; !bar.sync <0|2>",
                barrier(g));
}

static void exchange_lanes(random_gen *g) {
    const char *const sync = g->sync ? ".sync" : "", *const all = g->sync ? ", 0xffffffff" : "";
    switch (below(g, g->sync ? 6 : 4)) {
    case 0:
        if (g->whole_warps)
            random_emit(g, "!shfl%s.<up.b32 ~r, ~r, <1|2|4|~r|31|16>, 0|down.b32 ~r, ~r, 3, 0x1f|down.b32 ~r, ~r, ~r, 31>%s",
                        sync, all);
        break;
    case 1:
        if (g->whole_warps)
            random_emit(g, "!shfl%s.<bfly|idx>.b32 ~r<|~|%%p0>, ~r, ~R, <0x1f|0x181f|0x1c1f|0x1003>%s", sync, all);
        break;
    case 2:
        random_emit(g, "!vote%s.<all|any|uni>.pred ~p, <|!>~p%s", sync, all);
        break;
    case 3:
        random_emit(g, "!vote%s.ballot.b32 ~r, <|!>~p%s", sync, all);
        break;
    case 4:
        random_emit(g, "!and.b32 ~1, ~r, <1|3|0x10000>; !match.any.sync.b32 ~r, ~1, 0xffffffff; !match.all.sync.b32 ~r<|~|%%p1>, "
                       "<~1|~r|5>, 0xffffffff");
        break;
    default:
        random_emit(g, "!activemask.b32 ~r");
    }
}

/* Lanes chosen by data, who then exchange among themselves. */
static void exchange_some(random_gen *g) {
    const uint32_t over = label(g), p = random_predicate(g), m = random_temp(g, R32);
    random_emit(g, "!vote.sync.ballot.b32 %%r%" PRIu32 ", %%p%" PRIu32 ", 0xffffffff", m, p);
    random_line(g, "\t@!%%p%" PRIu32 " bra $L%" PRIu32 ";", p, over);
    random_emit(g,
                "!brev.b32 ~1, %%r%" PRIu32 "; !clz.b32 ~1, ~1; !shfl.sync.idx.b32 ~r, ~r, ~1, 31, %%r%" PRIu32
                "; !vote.sync.<all|any>.pred ~p, ~p, %%r%" PRIu32,
                m, m, m);
    place(g, over);
}

/* A carry that waits while other code runs, which may leave one of its own to some of the threads. */
static void carry_over(random_gen *g) {
    random_emit(g, "!add.cc.u32 ~r, ~r, ~R");
    either(g);
    random_emit(g, "!addc.u32 ~r, ~r, ~R");
}

static void statement(random_gen *g) {
    const bool deep = g->depth >= 4;
    switch (below(g, 20)) {
    case 0:
    case 1:
        if (has(g, F_IF) && !deep) {
            if (has(g, F_CARRY) && chance(g, 40)) carry_over(g);
            else either(g);
            return;
        }
        break;
    case 2:
        if (has(g, F_LOOP) && !deep && g->loop_depth < 2) {
            loop(g);
            return;
        }
        break;
    case 3:
        if (has(g, F_SWITCH) && !deep && g->loop_depth < 2 && chance(g, 128)) {
            switch_chain(g);
            return;
        }
        break;
    case 4:
    case 5:
        if (g->targets > 0) {
            jump(g);
            return;
        }
        break;
    case 6:
        if (has(g, F_EXIT) && chance(g, 100) && !g->convergent && !g->together) {
            leave(g, "<ret|exit|bra $L_tail>");
            return;
        }
        break;
    case 7:
    case 8:
        if (!g->convergent || g->ended) break;
        if (has(g, F_SHARED) && chance(g, 100)) {
            share(g);
            return;
        }
        if (has(g, F_WARP)) {
            if (g->sync && chance(g, 50)) exchange_some(g);
            else exchange_lanes(g);
            return;
        }
        break;
    case 9:
        if (has(g, F_UNIFORM) && g->convergent && !g->ended && g->loop_depth == 0) {
            uniform_loop(g);
            return;
        }
        break;
    case 10:
        if (has(g, F_SCOPE) && !deep) {
            random_line(g, "\t{\n\t.reg .b32 %%inner, %%mask;\n\tmov.b32 %%inner, %" PRIu32 ";", below(g, 1000));
            random_emit(g, "!add.u32 %%mask, %%inner, ~r; mov.u32 ~r, %%mask");
            random_line(g, "\t}");
            return;
        }
        break;
    case 11:
    case 12:
    case 13:
    case 14:
        random_memory(g);
        return;
    default:
        break;
    }
    random_compute(g);
}

/* n statements; some of them may jump over the rest, or over some of it. */
static void sequence(random_gen *g, uint32_t n) {
    uint32_t ahead = UINT32_MAX, left = 0;
    const bool convergent = g->convergent;
    const uint32_t targets = g->targets;
    for (uint32_t k = 0; k < n; k++) {
        if (ahead == UINT32_MAX && has(g, F_JUMP) && n > 2 && chance(g, 30) && g->targets < 60) {
            ahead = label(g);
            left = 1 + below(g, 4);
            g->target[g->targets++] = ahead;
            g->convergent = false;
        }
        statement(g);
        if (ahead != UINT32_MAX && --left == 0) {
            place(g, ahead);
            ahead = UINT32_MAX;
            g->targets = targets;
            g->convergent = convergent;
        }
    }
    if (ahead != UINT32_MAX) place(g, ahead);
    g->targets = targets;
    g->convergent = convergent;
}

/* --- the frame -------------------------------------------------------------------------------------------------------------- */

/* A parameter at its place: its offset. */
static uint32_t add_param(random_ptx *k, uint32_t size, uint32_t align, uint64_t bits) {
    const uint32_t at = (k->param_bytes + align - 1) / align * align;
    for (uint32_t i = 0; i < size; i++) k->param[at + i] = (uint8_t)(bits >> i % 8 * 8);
    k->param_bytes = at + size;
    return at;
}

static void parameters(random_gen *g, random_ptx *k) {
    static const struct {
        const char *text;
        uint32_t size, align;
    } list[] = {{".param .u64 p_out", 8, 8},
                {".param .u64 p_in", 8, 8},
                {".param .u64 .ptr .global .align 8 p_atoms", 8, 8},
                {".param .u32 p_word", 4, 4},
                {".param .u8 p_byte", 1, 1},
                {".param .u16 p_half", 2, 2},
                {".param .u64 p_long", 8, 8},
                {".param .f32 p_real", 4, 4},
                {".param .f64 p_double", 8, 8},
                {".param .align 8 .b8 p_struct[24]", 24, 8},
                {".param .u32 p_trips", 4, 4}};
    enum { COUNT = sizeof list / sizeof *list };
    uint32_t order[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) order[i] = i;
    for (uint32_t i = COUNT; i-- > 1;) {
        const uint32_t j = below(g, i + 1), t = order[i];
        order[i] = order[j];
        order[j] = t;
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t o = order[i];
        uint64_t v = ls_rng_value(&g->rng, 64);
        if (o == 7) v = 0x3fc00000 + (v & 0xffff);
        if (o == 8) v = UINT64_C(0x4009000000000000) + (v & 0xffffffff);
        if (o == 10) v = 1 + (v & 3);
        const uint32_t at = add_param(k, list[o].size, list[o].align, v);
        if (o == 0) k->out_at = at;
        if (o == 1) k->in_at = at;
        if (o == 2) k->atom_at = at;
        random_line(g, "\t%s%s", list[o].text, i + 1 < COUNT ? "," : "");
    }
}

static void tables(random_gen *g) {
    const unsigned a = below(g, 100000), b = below(g, 1000000), c = below(g, 77);
    random_line(g, ".const .align 4 .u32 ctable[32] = {%u, 0x%x, 7, 65535, 4294967295, 1, 2, 3, 0x80000000, %u};", a, b, c);
    random_line(g, ".global .align 8 .u32 gtable[16] = {1, 2, %u, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};",
                (unsigned)below(g, 100000));
    random_line(g, ".const .align 1 .b8 cbytes[7] = {1, 128, 255, 127, 64, 3};");
    random_line(g, ".const .align 4 .f32 creal[3] = {0f3F800000, 0fC0490FDB, 0f00000001};");
    random_line(g, ".global .align 8 .f64 greal[2] = {0d3FF8000000000000, 0dBFD5555555555555};");
    random_line(g, ".global .align 8 .u64 glong[3] = {0x123456789abcdef0, %u, -1};", (unsigned)below(g, 100));
    random_line(g, ".global .align 4 .u32 gcount[4];");
}

static void prologue(random_gen *g) {
    static const char *const first[FILES] = {"!cvt.u16.u32 %%h%u, ~r",      "",
                                             "!mul.wide.u32 %%d%u, ~r, ~r", "!cvt.rn.f32.s32 %%f%u, ~r",
                                             "!cvt.rn.f64.s32 %%g%u, ~r",   "!setp.gt.s32 %%p%u, ~r, ~R"};
    random_emit(
        g,
        "!ld.param.u64 %%in, [p_in]; !ld.param.u64 %%atoms, [p_atoms]; !ld.param.u64 %%out, [p_out]; !ld.param.u32 %%trips, "
        "[p_trips];"
        "!mov.u32 ~1, %%tid.z; !mov.u32 ~2, %%ntid.y; !mov.u32 ~3, %%tid.y; !mad.lo.u32 ~1, ~1, ~2, ~3; !mov.u32 ~3, %%ntid.x;"
        "!mov.u32 ~4, %%tid.x; !mad.lo.s32 ~1, ~1, ~3, ~4; !shl.b32 %%mine, ~1, 4; !mul.lo.u32 %%count, ~2, ~3;"
        "!mov.u32 ~2, %%ntid.z; !mul.lo.s32 %%count, %%count, ~2; !mov.u32 ~2, %%ctaid.y; !mov.u32 ~3, %%nctaid.x;"
        "!mov.u32 ~4, %%ctaid.x; !mad.lo.s32 ~2, ~2, ~3, ~4; !mad.lo.s32 %%self, ~2, %%count, ~1;"
        "!mad.wide.u32 %%out, %%self, %u, %%out",
        RANDOM_PTX_OUT_BYTES);
    for (uint32_t i = 0; i < g->pool[R32]; i++) {
        random_emit(g,
                    "!mul.lo.u32 %%r%u, %%self, ~b; !and.b32 ~1, %%r%u, 1023; !mul.wide.u32 ~5, ~1, 4; !add.s64 ~6, %%in, ~5;"
                    "!<ld.global.u32 %%r%u, [~6]|add.u32 %%r%u, %%r%u, %%self>",
                    (unsigned)i, (unsigned)i, (unsigned)i, (unsigned)i, (unsigned)i);
    }
    for (uint32_t f = 0; f < FILES; f++)
        for (uint32_t i = 0; i < g->pool[f] && f != R32; i++) random_emit(g, first[f], (unsigned)i);
    if (has(g, F_LOCAL))
        for (uint32_t i = 0; i < 4; i++) random_emit(g, "!st.local.v4.u32 [stack+%u], {~r, ~r, ~r, ~r}", (unsigned)i * 16);
    if (!has(g, F_SHARED)) return;
    random_emit(g, "!mov.u32 ~1, slots; !add.u32 ~1, ~1, %%mine; !st.shared.v4.u32 [~1], {~r, ~r, ~r, ~r}");
    if (has(g, F_ATOM)) { /* every thread writes the same: no race that shows */
        random_emit(g, "!mov.u32 ~1, cells; !mov.u32 ~2, 0; !st.shared.v4.u32 [~1], {~2, ~2, ~2, ~2};"
                       "!st.shared.v4.u32 [~1+16], {~2, ~2, ~2, ~2}; !st.shared.v4.u32 [~1+32], {~2, ~2, ~2, ~2}; !bar.sync 0");
    }
}

#define HASH "!xor.b64 %%hash, %%hash, ~5; !mul.lo.u64 %%hash, %%hash, 0x100000001b3"

/* Everything that lives goes into a hash of 64 bits, FNV-1a's step a value. */
static void epilogue(random_gen *g) {
    random_line(g, "$L_tail:");
    random_emit(g, "!mov.u64 %%hash, 0xcbf29ce484222325");
    for (uint32_t f = 0; f < FILES; f++) {
        for (uint32_t i = 0; i < g->pool[f]; i++) {
            const unsigned n = i;
            switch (f) {
            case R16:
                random_emit(g, "!cvt.u64.u16 ~5, %%h%u;" HASH, n);
                break;
            case R32:
                random_emit(g, "!cvt.u64.u32 ~5, %%r%u;" HASH, n);
                break;
            case R64:
                random_emit(g, "!mov.u64 ~5, %%d%u;" HASH, n);
                break;
            case FL:
                random_emit(g,
                            "!setp.nan.f32 ~7, %%f%u, %%f%u; !selp.f32 ~9, 0f7FC00000, %%f%u, ~7; !mov.b32 ~1, ~9;"
                            "!cvt.u64.u32 ~5, ~1;" HASH,
                            n, n, n);
                break;
            case DB:
                random_emit(g,
                            "!setp.nan.f64 ~7, %%g%u, %%g%u; !selp.f64 ~0, 0d7FF8000000000000, %%g%u, ~7; !mov.b64 ~5, ~0;" HASH,
                            n, n, n);
                break;
            default:
                random_emit(g, "!selp.u32 ~1, <1|77>, 0, %%p%u; !cvt.u64.u32 ~5, ~1;" HASH, n);
            }
        }
    }
    random_line(g, "\tst.global.u64 [%%out+248], %%hash;");
    for (uint32_t i = 0; i < g->pool[R32] && i < 16; i++)
        random_line(g, "\tst.global.u32 [%%out+%u], %%r%u;", (unsigned)(64 + 4 * i), (unsigned)i);
    for (uint32_t i = 0; i < g->pool[R64] && i < 8; i++)
        random_line(g, "\tst.global.u64 [%%out+%u], %%d%u;", (unsigned)(128 + 8 * i), (unsigned)i);
    if (has(g, F_LOCAL))
        random_emit(g, "!ld.local.v4.u32 {~1, ~2, ~3, ~4}, [stack+<0|16|48>]; !st.global.v4.u32 [%%out+192], {~1, ~2, ~3, ~4}");
    if (has(g, F_SHARED)) {
        random_emit(g, "!mov.u32 ~1, slots; !add.u32 ~1, ~1, %%mine; !ld.shared.v2.u64 {~5, ~6}, [~1]; !st.global.v2.u64 "
                       "[%%out+208], {~5, ~6}");
        if (has(g, F_ATOM) && !g->ended)
            random_emit(g, "!bar.sync 0; !ld.shared.u32 ~1, [cells+<0|16|32|36>]; !st.global.u32 [%%out+224], ~1");
    }
    random_line(g, "\t%s;\n}", chance(g, 200) ? "ret" : "exit");
}

static void swarm(random_gen *g) {
    const uint32_t p = 100 + below(g, 130);
    for (uint32_t f = 0; f < F_COUNT; f++) g->features |= (uint64_t)chance(g, p) << f;
    if (!chance(g, 60)) g->features &= ~(UINT64_C(1) << F_EXIT | UINT64_C(1) << F_LATE);
    const bool pressure = has(g, F_PRESSURE) && chance(g, 128);
    g->pool[R32] = 6 + below(g, pressure ? 24 : 6);
    g->pool[R16] = has(g, F_W16) ? 3 + below(g, pressure ? 8 : 3) : 0;
    g->pool[R64] = has(g, F_W64) ? 2 + below(g, pressure ? 12 : 4) : 0;
    g->pool[FL] = has(g, F_F32) ? 3 + below(g, pressure ? 12 : 4) : 0;
    g->pool[DB] = has(g, F_F64) ? 2 + below(g, pressure ? 8 : 3) : 0;
    g->pool[PR] = 2 + below(g, pressure ? 12 : 4);
    memcpy(g->used, g->pool, sizeof g->used);
}

static void shape(random_gen *g, random_ptx *k) {
    static const uint8_t blocks[][3] = {{32, 1, 1}, {64, 1, 1}, {8, 8, 1}, {32, 2, 1}, {16, 2, 2}, {33, 1, 1},
                                        {7, 5, 1},  {40, 1, 1}, {1, 1, 1}, {3, 3, 3},  {31, 2, 1}, {96, 1, 1}};
    const uint32_t b = below(g, chance(g, 150) ? 5 : 12);
    for (uint32_t d = 0; d < 3; d++) k->block[d] = blocks[b][d];
    g->threads = k->block[0] * k->block[1] * k->block[2];
    k->grid[0] = 1 + below(g, 2);
    k->grid[1] = g->threads <= 33 ? 1 + below(g, 2) : 1;
    k->grid[2] = 1;
    k->threads = g->threads * k->grid[0] * k->grid[1];
    g->whole_warps = g->threads % 32 == 0;
    g->sync = chance(g, 170);
}

void random_ptx_make(random_ptx *k, uint64_t seed) {
    *k = (random_ptx){0};
    random_gen *const g = calloc(1, sizeof *g);
    random_gen *const body = calloc(1, sizeof *body);
    if (!g || !body) abort();
    ls_rng_seed(&g->rng, seed);
    swarm(g);
    shape(g, k);
    k->features = g->features;
    *body = *g;
    ls_rng_seed(&body->rng, ls_seed_derive(seed, "body"));
    body->convergent = true;
    prologue(body);
    if (has(body, F_LATE) && chance(body, 128)) leave(body, "<ret|exit>"), body->ended = !chance(body, 40) || has(body, F_WARP);
    sequence(body, 10 + below(body, 25));
    epilogue(body);

    random_line(g, "// seed %016" PRIx64 "\n.version %s\n.target %s\n.address_size 64\n", seed, g->sync ? "7.0" : "6.0",
                g->sync ? "sm_70" : "sm_61");
    tables(g);
    if (has(g, F_SHARED))
        random_line(g, ".shared .align 16 .b8 slots[%u];\n.shared .align 16 .u32 cells[12];", (unsigned)(g->threads * 16));
    random_line(g, ".visible .entry k(");
    parameters(g, k);
    if (chance(g, 60))
        random_line(g, ")\n.maxntid %u, %u, %u", (unsigned)k->block[0], (unsigned)k->block[1], (unsigned)k->block[2]);
    else random_line(g, ")");
    random_line(g, "{");
    if (has(g, F_LOCAL)) random_line(g, "\t.local .align 16 .b8 stack[64];");
    random_line(g, "\t.reg .b64 %%in, %%out, %%atoms, %%hash;\n\t.reg .u32 %%mine, %%count, %%self, %%trips;");
    static const char *const types[] = {".b16", ".b32", ".b64", ".f32", ".f64", ".pred"};
    const char *const other[] = {has(g, F_F32) ? ".b16" : ".u16", ".s32", ".u64", ".f32", ".f64", ".pred"};
    for (uint32_t f = 0; f < FILES; f++)
        if (body->used[f] > 0)
            random_line(g, "\t.reg %s %%%c<%" PRIu32 ">;", chance(g, 180) ? types[f] : other[f], "hrdfgp"[f], body -> used[f]);
    random_line(g, "%s", "");
    g->room = g->size + body->size + 1;
    g->text = realloc(g->text, g->room);
    if (!g->text) abort();
    memcpy(g->text + g->size, body->text, body->size + 1);
    k->text = g->text;
    k->size = g->size + body->size;
    free(body->text);
    free(body);
    free(g);
}

void random_ptx_free(random_ptx *k) {
    free(k->text);
    *k = (random_ptx){0};
}

void random_ptx_input(uint64_t seed, uint8_t *bytes) {
    ls_rng rng;
    ls_rng_seed(&rng, ls_seed_derive(seed, "input"));
    for (uint32_t i = 0; i < RANDOM_PTX_IN_BYTES; i += 8) {
        uint64_t v = ls_rng_value(&rng, 64);
        if (ls_rng_chance(&rng, 60)) v = ls_rng_below(&rng, 300) | (uint64_t)ls_rng_below(&rng, 300) << 32; /* small integers */
        if (ls_rng_chance(&rng, 60)) v = (v & UINT64_C(0x83ffffff83ffffff)) | UINT64_C(0x3c0000003c000000); /* floats near 1 */
        for (uint32_t b = 0; b < 8; b++) bytes[i + b] = (uint8_t)(v >> 8 * b);
    }
}
