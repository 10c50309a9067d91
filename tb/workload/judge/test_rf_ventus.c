/* SPDX-License-Identifier: Apache-2.0 */
/* The Ventus log reader: each form of line, each error with its line and field, real logs against totals counted by other means,
 * and their results recomputed from the operands that replaying the register file gives. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include "cmodel/workload/rf_ventus.h"
#include "harness/base/xzio.h"
#include "tb/workload/rf_memory.h"

typedef struct opened {
    rf_memory_file file;
    rf_memory memory;
    rf_source source;
    char error[RF_VENTUS_ERROR_MAX];
    rf_ventus *reader;
    rf_warp warp;
} opened;

static void open_text(opened *o, const char *text, size_t piece) {
    *o = (opened){.file = {.path = "v.log", .text = text, .size = strlen(text), .piece = piece}};
    o->memory = (rf_memory){&o->file, 1};
    o->source = rf_memory_source(&o->memory);
    o->reader = rf_ventus_open(&o->source, "v.log", NULL, o->error, sizeof o->error);
    assert_non_null(o->reader);
}

static void close_text(opened *o) {
    rf_ventus_close(o->reader);
    rf_warp_free(&o->warp);
}

/* --- forms ------------------------------------------------------------------------------------------------------------------ */

#define LANES4 " c8_vstart 0x00000000 e32 m1 l4"
#define END(core) "core   " core ": 0x80000090 (0x0000400b) endprg  x0, x0, x0\ncore   " core ": 3 0x80000090 (0x0000400b)\n"

/* Four lanes; the lines of two cores mixed. */
static const char sample[] =
    "core   2: 0x8000008c (0x00000297) auipc   x5, 0x0\n"
    "core   0: 0x80000380 (0x5208a157) vid.v   v2\n"
    "core   2: 3 0x8000008c (0x00000297) x5  0x8000008c\n"
    "core   0: >>>>  kernel\n"
    "core   0: 3 0x80000380 (0x5208a157)" LANES4 " v2  0000000f 0x00000003 00000002 00000001 00000000 \n"
    "core   0: 0x80000384 (0x0000205b) join    v0, v0, pc + 0\n"
    "core   0: 3 0x80000384 (0x0000205b) current mask:\t00000005 current npc:\t80000388 stack size: 1\n"
    "core   0: 0x80000388 (0x02234057) vadd.vx v0, v2, x6\n"
    "core   0: 3 0x80000388 (0x02234057)" LANES4 " v0  00000005 0x000000ff 00000012 000000fe 00000010\n"
    "core   0: 0x8000038c (0x0040a1fb) vlw12.v v3, v1, 4\n"
    "core   0: 3 0x8000038c (0x0040a1fb) e32 m1 l4 v3  00000005 0x00000000 0000000a 00000000 0000000b  c8_vstart 0x00000000 mem "
    "0x90000004 mem "
    "0x90000008\n"
    "core   0: 0x80000390 (0x0063e07b) vsw12.v v6, v7, 0\n"
    "core   0: 3 0x80000390 (0x0063e07b)" LANES4 " mem 0x90005008 0x00000004 mem 0x90005010 0x00000004\n"
    "core   0: 0x80000394 (0x0c21825b) vbeq    v2, v3, pc + 196\n"
    "core   0: 3 0x80000394 (0x0c21825b)" LANES4 " current mask:\t00000004 current npc:\t800000f8 stack size: a\n"
    "[r_pc] 800001b8 [else_pc] 800001b8 [else_mask] ffffffff \n"
    "\n"
    "core   0: 0x80000154 (0x0000205b) join    v0, v0, pc + 0\n"
    "core   0: 3 0x80000154 (0x0000205b) current mask:\t0000000f current npc:\t80000154 stack size: 2\n"
    "core   0: 3 0x80000154 (0x0000205b) current mask:\t0000000c current npc:\t80000158 stack size: 1\n"
    "core   0: Executed 2 times\n"
    "core   0: 0x80000078 (0xa2621257) vfmadd.vv v4, v6, v4\n"
    "core   0: 3 0x80000078 (0xa2621257)" LANES4 " v4  0000000c 0x44ab2000 450a1000 46c30800 450a1000\n"
    "core   0: 0x8000007c (0x0d10200b) regext  x0, x0, 209\n"
    "core   0: 3 0x8000007c (0x0d10200b)\n"
    "core   0: 0x80000080 (0x006282d7) vadd.vv v5, v6, v5, v0.t\n"
    "core   0: 3 0x80000080 (0x006282d7)" LANES4 " v37 0000000c 0x00000001 00000002 00000003 00000004\n"
    "core   0: 0x80000084 (0x0000205b) join    v0, v0, pc + 0\n"
    "core   0: 3 0x80000084 (0x0000205b) current mask:\t00000000 current npc:\t80000088 stack size: 1\n"
    "core   0: 0x80000088 (0x006282d7) vadd.vv v5, v6, v5\n"
    "core   0: 3 0x80000088 (0x006282d7)" LANES4 " v5  00000000 0x00000001 00000002 00000003 00000004\n"
    "core   0: 0x8000008c (0x0080a103) lw      x2, 8(x1)\n"
    "core   0: 3 0x8000008c (0x0080a103) x2  0x00000001 mem 0x90000000\n" END("0") END("2");

static void check_sample(size_t piece) {
    opened o;
    open_text(&o, sample, piece);
    assert_int_equal(rf_ventus_lanes(o.reader), 0);
    assert_int_equal(rf_ventus_next(o.reader, &o.warp), 1);
    assert_int_equal(rf_ventus_lanes(o.reader), 4);
    assert_int_equal(rf_ventus_warps(o.reader), 2);
    assert_int_equal(o.warp.warp, 0);
    assert_int_equal(o.warp.count, 15);
    const rf_inst *i = o.warp.inst;
    assert_string_equal(i->mnemonic, "vid.v");
    assert_true(i->pc == 0x80000380 && i->opcode == rf_fnv1a("vid.v", 5) && i->mask == 15 && i->index == RF_INDEX_NONE);
    assert_true(i->nsrc == 0 && i->ndst == 1 && i->dst[0] == 2 && i->opclass == RF_OP_ALU && !i->address);
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) assert_int_equal(i->value[l], l < 4 ? l : 0);
    i += 2; /* vadd.vx: inactive lanes are 0 */
    assert_true(i->mask == 5 && i->nsrc == 1 && i->src[0] == 2 && i->dst[0] == 0);
    assert_memory_equal(i->value, ((uint32_t[]){0x10, 0, 0x12, 0}), 16);
    i++; /* vlw12 */
    assert_true(i->opclass == RF_OP_MEM && i->load && !i->store && i->width == 4);
    assert_true(i->nsrc == 1 && i->src[0] == 1 && i->dst[0] == 3);
    assert_memory_equal(i->address, ((uint64_t[]){0x90000004, 0, 0x90000008, 0}), 32);
    assert_memory_equal(i->value, ((uint32_t[]){0xb, 0, 0xa, 0}), 16);
    i++; /* vsw12: data, then address */
    assert_true(i->store && !i->load && i->mask == 5 && i->ndst == 0 && i->nsrc == 2 && !i->value);
    assert_memory_equal(i->src, ((uint8_t[]){6, 7}), 2);
    assert_memory_equal(i->address, ((uint64_t[]){0x90005008, 0, 0x90005010, 0}), 32);
    i++; /* vbeq: the lanes before it */
    assert_true(i->opclass == RF_OP_CTRL && i->mask == 5 && i->nsrc == 2 && i->ndst == 0);
    assert_memory_equal(i->src, ((uint8_t[]){2, 3}), 2);
    i++; /* join, twice */
    assert_true(i[0].mask == 4 && i[0].nsrc == 0 && i[1].mask == 15 && i[1].pc == 0x80000154);
    i += 2; /* vfmadd reads its destination */
    assert_true(i->nsrc == 3 && i->dst[0] == 4);
    assert_memory_equal(i->src, ((uint8_t[]){6, 4, 4}), 3);
    i++;
    assert_true(i->opclass == RF_OP_CTRL && i->nsrc == 0 && i->mask == 12);
    i++; /* behind regext rd + 32, rs1 + 64, rs2 + 96; under v0 */
    assert_true(i->dst[0] == 37 && i->nsrc == 3);
    assert_memory_equal(i->src, ((uint8_t[]){102, 69, 0}), 3);
    i += 2; /* mask 0 */
    assert_true(i->mask == 0 && i->nsrc == 0 && i->ndst == 0 && !i->value);
    i++; /* a scalar load: no vector register, no lane */
    assert_true(i->opclass == RF_OP_MEM && i->load && i->width == 0 && !i->address && i->nsrc == 0);
    assert_int_equal(rf_ventus_next(o.reader, &o.warp), 1);
    assert_true(o.warp.warp == 2 && o.warp.count == 2 && o.warp.inst[0].mask == 15);
    assert_int_equal(rf_ventus_next(o.reader, &o.warp), 0);
    assert_int_equal(rf_ventus_next(o.reader, &o.warp), 0);
    assert_string_equal(rf_ventus_error(o.reader), "");
    close_text(&o);
}

/* Instructions whose registers stand elsewhere than the default, rs2 then rs1, or are not printed at all: line behind `0xPC (`,
 * what its commit adds, and the registers. */
static const struct {
    const char *line, *commit;
    uint8_t nsrc, src[4], ndst, dst;
    uint32_t width;
} forms[] = {
    {"0x00f0908b) vsub12.vi v1, v1, 15", LANES4 " v1  0000000f 0x00000003 00000002 00000001 00000000", 1, {1}, 1, 1, 0},
    {"0x00f1008b) vadd12.vi v1, v2, 15", LANES4 " v1  0000000f 0x00000003 00000002 00000001 00000000", 1, {2}, 1, 1, 0},
    {"0x0003a1ab) vlw.v   v3, x7, 0", LANES4 " v3  00000001 0x00000003 00000002 00000001 00000000 mem 0x9", 1, {7}, 1, 3, 4},
    {"0x0003a1ab) vlw.v   v3, v7, 0", LANES4 " v3  00000001 0x00000003 00000002 00000001 00000000 mem 0x9", 1, {7}, 1, 3, 4},
    {"0x0003c1ab) vlbu.v  v3, x7, 0", LANES4 " v3  00000001 0x00000003 00000002 00000001 00000000 mem 0x9", 1, {7}, 1, 3, 1},
    {"0x8063a02b) vsw.v   v6, x7, 0", LANES4 " mem 0x9 0x1 mem 0x9 0x1 mem 0x9 0x1 mem 0x9 0x1", 2, {6, 7}, 0, 0, 4},
    {"0x8063902b) vsh.v   v6, v7, 0", LANES4 " mem 0x9 0x1 mem 0x9 0x1 mem 0x9 0x1 mem 0x9 0x1", 2, {6, 7}, 0, 0, 2},
    {"0x00733d7b) vsh12.v v7, v6, 26", LANES4 " mem 0x9 0x1 mem 0x9 0x1 mem 0x9 0x1 mem 0x9 0x1", 2, {7, 6}, 0, 0, 2},
    {"0x0203e287) vle32.v v5, (x7)", LANES4 " v5  00000001 0x00000003 00000002 00000001 00000000 mem 0x9", 0, {0}, 1, 5, 4},
    {"0x0683e287) vluxei32.v v5, (x7), v8",
     LANES4 " v5  00000001 0x00000003 00000002 00000001 00000000 mem 0x9",
     1,
     {8},
     1,
     5,
     4},
    {"0x0203e2a7) vse32.v v5, (x7)", LANES4 " mem 0x9 0x1 mem 0x9 0x1 mem 0x9 0x1 mem 0x9 0x1", 1, {5}, 0, 0, 4},
    {"0x0683e2a7) vsuxei32.v v5, (x7), v8", LANES4 " mem 0x9 0x1 mem 0x9 0x1 mem 0x9 0x1 mem 0x9 0x1", 2, {5, 8}, 0, 0, 4},
    {"0x5c8382d7) vmerge.vvm v5, v8, v7, v0",
     LANES4 " v5  00000001 0x00000003 00000002 00000001 00000000",
     3,
     {8, 7, 0},
     1,
     5,
     0},
    {"0x5c83c2d7) vmerge.vxm v5, v8, x7, v0", LANES4 " v5  00000001 0x00000003 00000002 00000001 00000000", 2, {8, 0}, 1, 5, 0},
    {"0x0a80628b) vfexp.v (args unknown)", LANES4 " v5  00000001 0x00000003 00000002 00000001 00000000", 1, {8}, 1, 5, 0},
    {"0x0883828b) vfexp.v v5, v8, v0.t", LANES4 " v5  00000001 0x00000003 00000002 00000001 00000000", 2, {8, 0}, 1, 5, 0},
    {"0x0c83c28b) vftta.vv v5, v8, v7", LANES4 " v5  00000001 0x00000003 00000002 00000001 00000000", 3, {8, 7, 5}, 1, 5, 0},
    {"0x428022d7) vmv.x.s x5, v8", LANES4 " x5  0x00000003", 1, {8}, 0, 0, 0},
    {"0x008382d7) vadd.vv v5, v8, v7, v0.t", LANES4, 3, {8, 7, 0}, 0, 0, 0}, /* v0 leaves it no lane */
    {"0x0000205b) join    v0, v0, pc + 0", " current mask:\t0000000f current npc:\t80000154 stack size: 2", 0, {0}, 0, 0, 0},
    {"0x1002305b) setrpc  x0, x4, 256", "", 0, {0}, 0, 0, 0},
    {"0x0400c00b) barrier x0, x0, 1", "", 0, {0}, 0, 0, 0},
    {"0x0600c00b) barriersub (args unknown)", "", 0, {0}, 0, 0, 0},
    {"0x0c72055b) vbeq    v7, v4, pc + 202",
     LANES4 " current mask:\t00000004 current npc:\t800000f8 stack size: a",
     2,
     {7, 4},
     0,
     0,
     0},
};

static void registers_of_every_form(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char text[768];
        opened o;
        (void)snprintf(text, sizeof text,
                       "core   0: 0x80000088 (0x5208a157) vid.v   v2\ncore   0: 3 0x80000088 (0x5208a157)" LANES4
                       " v2  %08x 0x00000003 00000002 00000001 00000000\ncore   0: 0x8000008c (%s\n"
                       "core   0: 3 0x8000008c (%.10s)%s\n" END("0"),
                       strstr(forms[i].commit, "00000001 0x") ? 1u : 15u, forms[i].line, forms[i].line, forms[i].commit);
        open_text(&o, text, SIZE_MAX);
        if (rf_ventus_next(o.reader, &o.warp) != 1) fail_msg("%s: %s", forms[i].line, rf_ventus_error(o.reader));
        const rf_inst *const inst = &o.warp.inst[1];
        if (inst->nsrc != forms[i].nsrc || memcmp(inst->src, forms[i].src, inst->nsrc) != 0 || inst->ndst != forms[i].ndst ||
            (inst->ndst && inst->dst[0] != forms[i].dst) || inst->width != forms[i].width)
            fail_msg("%s: %u sources, the first %u %u %u; %u destinations, the first %u; %u bytes", forms[i].line, inst->nsrc,
                     inst->src[0], inst->src[1], inst->src[2], inst->ndst, inst->dst[0], inst->width);
        close_text(&o);
    }
}

/* Spike executes a barrier again and again while the warp waits there. */
static void a_barrier_is_one_instruction(void **state) {
    (void)state;
    opened o;
    open_text(&o,
              "core   0: 0x80000300 (0x0400c00b) barrier x0, x0, 1\ncore   0: 3 0x80000300 (0x0400c00b)\n"
              "core   0: 3 0x80000300 (0x0400c00b)\ncore   0: 3 0x80000300 (0x0400c00b)\ncore   0: Executed 3 times\n"
              "core   0: 0x80000304 (0xffdff06f) j       pc - 0x4\ncore   0: 3 0x80000304 (0xffdff06f)\n"
              "core   0: 0x80000300 (0x0400c00b) barrier x0, x0, 1\ncore   0: 3 0x80000300 (0x0400c00b)\n" END("0"),
              SIZE_MAX);
    assert_int_equal(rf_ventus_next(o.reader, &o.warp), 1);
    assert_int_equal(o.warp.count, 4);
    assert_string_equal(o.warp.inst[0].mnemonic, "barrier");
    assert_string_equal(o.warp.inst[1].mnemonic, "j");
    close_text(&o);
}

static void every_form_of_line(void **state) {
    (void)state;
    check_sample(1);
    check_sample(13);
    check_sample(SIZE_MAX);
}

/* --- workgroups ------------------------------------------------------------------------------------------------------------- */

#define CSRR(core, csr, name, value)                                                                                             \
    "core   " core ": 0x80000004 (0x" csr "02373) csrr    x6, " name "\ncore   " core ": 3 0x80000004 (0x" csr                   \
    "02373) x6  0x" value "\n"
#define WID(core, value) CSRR(core, "805", "wid", value)
#define LDS(core, value) CSRR(core, "806", "lds", value)
#define GIDX(core, value) CSRR(core, "808", "gidx", value)

/* Whoever reads the same local memory belongs together, in the order of the warps' own numbers; who has not read it, by the rest.
 */
static void workgroups_are_what_the_warps_read(void **state) {
    (void)state;
    static const uint32_t expected[4][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
    opened o;
    open_text(&o,
              WID("0", "00000001") WID("1", "00000001") LDS("0", "70000000") LDS("1", "70001000") WID("2", "00000000")
                  LDS("2", "70001000") GIDX("3", "00000000") WID("3", "00000000") GIDX("0", "00000000") GIDX("1", "00000005")
                      END("1") END("2") END("3") END("0"),
              SIZE_MAX);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(rf_ventus_next(o.reader, &o.warp), 1);
        assert_int_equal(o.warp.block[0], expected[i][0]);
        assert_int_equal(o.warp.warp, expected[i][1]);
    }
    assert_int_equal(rf_ventus_next(o.reader, &o.warp), 0);
    assert_int_equal(rf_ventus_blocks(o.reader), 2);
    assert_int_equal(rf_ventus_warps(o.reader), 4);
    close_text(&o);
}

/* --- errors ----------------------------------------------------------------------------------------------------------------- */

#define AUIPC "core   0: 0x8000008c (0x00000297) auipc   x5, 0x0\n"
#define VADD "core   0: 0x80000164 (0x026282d7) vadd.vv v5, v6, v5\n"
#define VADD_IS "core   0: 3 0x80000164 (0x026282d7)"
#define VADD_NEXT "core   0: 0x80000168 (0x026282d7) vadd.vv v5, v6, v5\n"
#define VADD_NEXT_IS "core   0: 3 0x80000168 (0x026282d7)"
#define ONE " e32 m1 l1 v5  00000001 0x00000007\n"

static const struct {
    const char *text, *message;
} errors[] = {
    {"hello\n", "v.log:1: line: 'hello' is not 'core W: ...' or '[r_pc] ...'"},
    {"core  : 0x", "v.log:1: core: its number (0 .. 1023)"},
    {"core 1024: 0x8000008c", "v.log:1: core: its number (0 .. 1023)"},
    {"core   0: 4 0x8000008c", "v.log:1: core: '4' is not a disassembly"},
    {"core   0: trap", "v.log:1: core: 'trap' is not a disassembly"},
    {"core   0: 0x0000100 (0x00000297) x", "v.log:1: PC: '0x0000100' is not a program counter"},
    {"core   0: 0x8000008c 0x00000297 x", "v.log:1: instruction: '0x00000297' is not '(0x...)'"},
    {"core   0: 0x8000008c (0x0297) c.li", "v.log:1: instruction: '0x0297' is not an instruction"},
    {"core   0: 0x8000008c (0x00000297) \n", "v.log:1: opcode: missing"},
    {"core   0: 0x8000008c (0x00000297) vadd.vv v256, v1, v2\n", "v.log:1: operand: 'v256,' is not a vector register"},
    {"core   0: 0x8000008c (0x00000297) vadd.vv v1, v2, v3, v4, v5\n", "v.log:1: operand: more than 4 vector registers"},
    {AUIPC AUIPC, "v.log:2: commit: missing: the next instruction comes before it"},
    {"core   0: 3 0x8000008c (0x00000297) x5  0x8000008c\n", "v.log:1: PC: 0x8000008c commits, 0x00000000 was disassembled"},
    {AUIPC "core   0: 3 0x80000090 (0x00000297) x5  0x8000008c\n",
     "v.log:2: PC: 0x80000090 commits, 0x8000008c was disassembled"},
    {AUIPC "core   0: 3 0x8000008c (0x00000298) x5  0x8000008c\n", "v.log:2: PC: 0x8000008c commits"},
    {AUIPC "core   0: 3 0x8000008c (0x00000297) x5 1000\n", "v.log:2: value: '1000' is not a value"},
    {AUIPC "core   0: 3 0x8000008c (0x00000297) y5 0x1000\n", "v.log:2: commit: 'y5' is not a register"},
    {AUIPC "core   0: 3 0x8000008c (0x00000297) mem 5\n", "v.log:2: mem: '5' is not an address"},
    {AUIPC "core   0: 3 0x8000008c (0x00000297) current mask: 1 \n", "v.log:2: current mask: '1' is not 8 hex digits"},
    {AUIPC "core   0: 3 0x8000008c (0x00000297) current mask: 00000001 x\n", "v.log:2: current npc: 'x' is not 'current npc:'"},
    {AUIPC "core   0: 3 0x8000008c (0x00000297) e64 m1 l4\n", "v.log:2: vtype: only 'e32 m1' is supported"},
    {AUIPC "core   0: 3 0x8000008c (0x00000297) e32 m1 l33\n", "v.log:2: vl: '33' is not a number in 1 .. 32"},
    {VADD VADD_IS " v5  00000001 0x00000007\n", "v.log:2: vl: missing before a vector register"},
    {VADD VADD_IS ONE VADD_NEXT VADD_NEXT_IS " e32 m1 l2\n", "v.log:4: vl: 2 lanes after 1: they must stay"},
    {VADD VADD_IS " e32 m1 l1 v5  00000002 0x00000007\n", "v.log:2: mask: 00000002 has lanes above 1"},
    {VADD VADD_IS " e32 m1 l2 v5  00000002 0x00000007\n", "v.log:2: lane: missing: the line ends"},
    {VADD VADD_IS " e32 m1 l1 v5  00000001 0x00000007 00000001\n", "v.log:2: commit: '00000001' is not a register"},
    {VADD VADD_IS " e32 m1 l1 v5  00000001 0x00000007 v6  00000001 0x00000007\n", "v.log:2: register: a second vector register"},
    {VADD VADD_IS " e32 m1 l1 v6  00000001 0x00000007\n", "v.log:2: register: v6 is written, the instruction says v5"},
    {AUIPC "core   0: 3 0x8000008c (0x00000297) e32 m1 l1 v5  00000001 0x00000007\n",
     "v.log:2: register: v5 is written, auipc names none"},
    {VADD VADD_IS " e32 m1 l1\n", "v.log:2: register: missing: vadd.vv writes one"},
    {"core   0: 0x80000164 (0x026282d7) vadd.vv v5, v6, v5, v9\n" VADD_IS ONE,
     "v.log:2: operand: v9 is printed, vadd.vv reads no further register"},
    {"core   0: 0x80000164 (0x026282d7) vadd.vv (args unknown)\n", "v.log:1: operand: the log does not say those of vadd.vv"},
    {"core   0: 0x80000164 (0x02030287) vle8.v  v5, (x6)\n", "v.log:1: opcode: vle8.v: of vector loads and stores only"},
    {"core   0: 0x80000164 (0x5c8382d7) vmerge.vvm v5, v8, v7, v1\n", "v.log:1: operand: vmerge.vvm lacks v0, its mask"},
    {"core   0: 0x80000164 (0x026282d7) vadd.vv v5, v7, v5\n" VADD_IS ONE,
     "v.log:2: operand: v7 is printed, the instruction says v6"},
    {"core   0: 0x80000390 (0x0040a1fb) vlw12.v v3, v1, 4\n"
     "core   0: 3 0x80000390 (0x0040a1fb) e32 m1 l2 v3  00000003 0x00000000 0000000a mem 0x90000004\n",
     "v.log:2: mem: 1 accesses of 2 active lanes"},
    {VADD VADD_IS ONE VADD, "v.log:3: PC: 0x80000164 comes after 0x80000164: instructions are missing"},
    {VADD VADD_IS " e32 m1 l2 v5  00000003 0x00000000 00000007\n" VADD_NEXT VADD_NEXT_IS
                  " e32 m1 l2 v5  00000001 0x00000000 00000007\n",
     "v.log:4: mask: 00000001, and 00000003 behind the last branch or vector instruction"},
    {AUIPC, "v.log:1: core: 0: the log ends before its commit (truncated?)"},
    {AUIPC "core   0: 3 0x8000008c (0x00000297) x5  0x8000008c\n",
     "v.log:2: core: 0: the log ends before its endprg (truncated?)"},
    {WID("0", "00000000") WID("0", "00000001"), "v.log:4: wid: 0x00000001, and 0x00000000 before: it must stay"},
    {WID("0", "00000000") LDS("0", "70000000") WID("1", "00000000") LDS("1", "70000000") END("0") END("1"),
     "v.log:12: wid: core 1 is warp 0 of workgroup 0, where warp 1 of workgroup 0 should come: 2 warps make no 1 whole "
     "workgroups"},
    {WID("0", "00000001") LDS("0", "70000000") END("0"), "v.log:6: wid: core 0 is warp 1 of workgroup 0, where warp 0"},
    {WID("0", "00000000") END("0") END("1"), "v.log:6: wid: core 0 reads it, core 1 does not: their workgroups are not known"},
    {LDS("0", "70000000") END("0") LDS("1", "70001000") END("1"), "v.log:8: wid: 2 workgroups, and no warp reads its number"},
    {END("0") AUIPC, "v.log:3: core: 0: the log ends before its commit (truncated?)"},
    {AUIPC "core   0: 3 0x8000008c (0x00000297) x5  0x8000008c\n" END("0") AUIPC,
     "v.log:5: core: 0 begins again behind its endprg: two runs in one log"},
};

static void every_error_names_line_and_field(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        opened o;
        open_text(&o, errors[i].text, SIZE_MAX);
        for (uint32_t again = 0; again < 2; again++) assert_int_equal(rf_ventus_next(o.reader, &o.warp), -1);
        if (!strstr(rf_ventus_error(o.reader), errors[i].message))
            fail_msg("case %zu: \"%s\" lacks \"%s\"", i, rf_ventus_error(o.reader), errors[i].message);
        close_text(&o);
    }
}

/* Cut anywhere but behind the last core's end: an error. */
static void every_truncation_is_reported(void **state) {
    (void)state;
    char text[sizeof sample];
    for (size_t size = 1; size < sizeof sample - 2; size++) {
        opened o;
        memcpy(text, sample, size);
        text[size] = '\0';
        open_text(&o, text, SIZE_MAX);
        if (rf_ventus_next(o.reader, &o.warp) != -1) fail_msg("cut at %zu of %zu: not noticed", size, sizeof sample - 1);
        close_text(&o);
    }
}

static void what_cannot_be_opened(void **state) {
    (void)state;
    char error[RF_VENTUS_ERROR_MAX] = "";
    opened o;
    assert_null(rf_ventus_open(&ls_xzio, "/nowhere/v.log", NULL, error, sizeof error));
    assert_string_equal(error, "/nowhere/v.log: No such file or directory");
    open_text(&o, "", 1);
    assert_int_equal(rf_ventus_next(o.reader, &o.warp), 0);
    close_text(&o);
    rf_ventus_close(NULL);
}

/* --- real logs -------------------------------------------------------------------------------------------------------------- */

/* Counted with awk over `xz -dc`: commit lines, cores, commit lines with a vector register, their mask bits, commit lines with
 * 'e32 m1' and 'mem', their 'mem's; and how many results the rules below speak for. */
static const struct {
    const char *name;
    uint64_t insts, warps, writes, lanes, accesses, addresses, checked;
    uint32_t width;
} real[] = {
    {"bfs_1_3.4x32.log.xz", 1686, 4, 706, 6762, 303, 2408, 892, 32},
    {"kmeans_c_0.4w16t.log.xz", 4421, 4, 2166, 34596, 342, 5472, 2194, 16},
    {"vecadd_0.4w32t.log.xz", 421, 4, 56, 1792, 12, 384, 72, 32},
};

typedef union word {
    uint32_t u;
    int32_t i;
    float f;
} word;

/* Registers of a warp, 0 before the log's first instruction. */
typedef struct machine {
    uint32_t reg[RF_REGS_MAX][RF_LANES_MAX];
} machine;

/* The lane's result where the operands alone decide it. */
static bool result_of(const machine *m, const rf_inst *inst, uint32_t l, uint32_t *result) {
    word s[3] = {{0}}, d;
    for (uint32_t i = 0; i < inst->nsrc && i < 3; i++) s[i].u = m->reg[inst->src[i]][l];
    const char *const op = inst->mnemonic;
    if (strcmp(op, "vadd.vv") == 0) d.u = s[0].u + s[1].u;
    else if (strcmp(op, "vsub.vv") == 0) d.u = s[0].u - s[1].u;
    else if (strcmp(op, "vmul.vv") == 0) d.u = s[0].u * s[1].u;
    else if (strcmp(op, "vand.vv") == 0) d.u = s[0].u & s[1].u;
    else if (strcmp(op, "vor.vv") == 0) d.u = s[0].u | s[1].u;
    else if (strcmp(op, "vxor.vv") == 0) d.u = s[0].u ^ s[1].u;
    else if (strcmp(op, "vfadd.vv") == 0) d.f = s[0].f + s[1].f;
    else if (strcmp(op, "vfsub.vv") == 0) d.f = s[0].f - s[1].f;
    else if (strcmp(op, "vfmul.vv") == 0) d.f = s[0].f * s[1].f;
    else if (strcmp(op, "vfmadd.vv") == 0) d.f = fmaf(s[1].f, s[2].f, s[0].f); /* vs2, vs1, vd */
    else if (strcmp(op, "vid.v") == 0) d.u = l;
    else return false;
    *result = d.u;
    return true;
}

/* The lane's difference to the operand, the same in all lanes: an addend, a base, an offset. */
static bool difference_of(const machine *m, const rf_inst *inst, uint32_t l, uint32_t *difference) {
    const char *const op = inst->mnemonic;
    if (strcmp(op, "vadd.vx") == 0 || strcmp(op, "vadd.vi") == 0 || strstr(op, "12.vi") != NULL)
        *difference = inst->value[l] - m->reg[inst->src[0]][l];
    else if (strcmp(op, "vmv.v.x") == 0) *difference = inst->value[l];
    else if (inst->address) *difference = (uint32_t)inst->address[l] - m->reg[inst->src[inst->nsrc - 1]][l];
    else return false;
    return true;
}

static bool taken(const char *op, word a, word b) {
    if (strcmp(op, "vbeq") == 0) return a.u == b.u;
    if (strcmp(op, "vbne") == 0) return a.u != b.u;
    if (strcmp(op, "vblt") == 0) return a.i < b.i;
    if (strcmp(op, "vbge") == 0) return a.i >= b.i;
    if (strcmp(op, "vbltu") == 0) return a.u < b.u;
    return a.u >= b.u;
}

/* A branch splits the lanes by its condition: those that go on first all agree, those left for later disagree with them. */
static bool splits(const machine *m, const rf_inst *branch, uint32_t first) {
    uint32_t yes = 0;
    for (uint32_t l = 0; l < RF_LANES_MAX; l++)
        if (branch->mask >> l & 1) {
            const word a = {m->reg[branch->src[0]][l]}, b = {m->reg[branch->src[1]][l]};
            yes |= (uint32_t)taken(branch->mnemonic, a, b) << l;
        }
    return first == yes || first == (branch->mask & ~yes);
}

/* Checks an instruction, if there is a rule for it, and executes it. */
static bool replay(machine *m, const rf_inst *inst, uint32_t next_mask) {
    bool ruled = false, shift = strcmp(inst->mnemonic, "vsll.vi") == 0, any = false;
    uint32_t difference = 0, shifts = UINT32_MAX;
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
        uint32_t expected = 0;
        if (!(inst->mask >> l & 1)) continue;
        if (result_of(m, inst, l, &expected)) {
            ruled = true;
            if (expected != inst->value[l])
                fail_msg("%s at %llx lane %u: %08x, not %08x", inst->mnemonic, (unsigned long long)inst->pc, l, inst->value[l],
                         expected);
        } else if (shift) {
            for (uint32_t k = 0; k < 32; k++)
                if (m->reg[inst->src[0]][l] << k != inst->value[l]) shifts &= ~(UINT32_C(1) << k);
            ruled = true;
        } else if (difference_of(m, inst, l, &expected)) {
            if (any && expected != difference)
                fail_msg("%s at %llx lane %u: not the same distance", inst->mnemonic, (unsigned long long)inst->pc, l);
            difference = expected;
            any = ruled = true;
        }
    }
    if (shifts == 0) fail_msg("%s at %llx: no shift gives the result", inst->mnemonic, (unsigned long long)inst->pc);
    if (inst->address && inst->mask && (int32_t)difference + 2048u > 4095u)
        fail_msg("%s at %llx: offset %d", inst->mnemonic, (unsigned long long)inst->pc, (int32_t)difference);
    if (inst->mnemonic[0] == 'v' && inst->mnemonic[1] == 'b' && inst->mask) {
        ruled = true;
        if (!splits(m, inst, next_mask))
            fail_msg("%s at %llx: lanes %08x, then %08x", inst->mnemonic, (unsigned long long)inst->pc, inst->mask, next_mask);
    }
    for (uint32_t l = 0; l < RF_LANES_MAX && inst->value; l++)
        if (inst->mask >> l & 1) m->reg[inst->dst[0]][l] = inst->value[l];
    return ruled;
}

static void real_logs(void **state) {
    (void)state;
    const char *const root = getenv("TRACES") ? getenv("TRACES") : "../shared/traces";
    for (size_t i = 0; i < sizeof real / sizeof real[0]; i++) {
        char path[512], error[RF_VENTUS_ERROR_MAX] = "";
        static machine m;
        uint64_t insts = 0, warps = 0, writes = 0, lanes = 0, accesses = 0, addresses = 0, checked = 0, vector = 0;
        rf_warp warp = {0};
        int got = 0;
        (void)snprintf(path, sizeof path, "%s/ventus/%s", root, real[i].name);
        FILE *const file = fopen(path, "rb");
        if (!file) {
            print_message("%s: absent, real logs not tested\n", path);
            skip();
        }
        (void)fclose(file);
        rf_ventus *const r = rf_ventus_open(&ls_xzio, path, NULL, error, sizeof error);
        if (!r) fail_msg("%s", error);
        while ((got = rf_ventus_next(r, &warp)) == 1) {
            assert_int_equal(warp.warp, warps++);
            memset(&m, 0, sizeof m);
            for (size_t n = 0; n < warp.count; n++) {
                const rf_inst *const inst = &warp.inst[n];
                insts++;
                writes += inst->ndst;
                vector += inst->ndst > 0 || inst->nsrc > 0;
                if (inst->ndst) lanes += (uint64_t)__builtin_popcount(inst->mask);
                if (inst->address) addresses += (uint64_t)__builtin_popcount(inst->mask);
                accesses += inst->address != NULL;
                assert_int_equal(!inst->value, !inst->ndst);
                checked += replay(&m, inst, n + 1 < warp.count ? inst[1].mask : 0);
            }
        }
        if (got < 0) fail_msg("%s", rf_ventus_error(r));
        assert_int_equal(insts, real[i].insts);
        assert_int_equal(warps, real[i].warps);
        assert_int_equal(writes, real[i].writes);
        assert_int_equal(lanes, real[i].lanes);
        assert_int_equal(accesses, real[i].accesses);
        assert_int_equal(addresses, real[i].addresses);
        assert_int_equal(rf_ventus_lanes(r), real[i].width);
        print_message("%s: %llu of %llu vector instructions recomputed from replayed operands, 0 mismatches\n", real[i].name,
                      (unsigned long long)checked, (unsigned long long)vector);
        assert_int_equal(checked, real[i].checked);
        rf_ventus_close(r);
        rf_warp_free(&warp);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_of_line),
        cmocka_unit_test(registers_of_every_form),
        cmocka_unit_test(a_barrier_is_one_instruction),
        cmocka_unit_test(workgroups_are_what_the_warps_read),
        cmocka_unit_test(every_error_names_line_and_field),
        cmocka_unit_test(every_truncation_is_reported),
        cmocka_unit_test(what_cannot_be_opened),
        cmocka_unit_test(real_logs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
