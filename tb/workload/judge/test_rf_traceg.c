/* SPDX-License-Identifier: Apache-2.0 */
/* The trace reader: each form, each error with its line and field, random traces against what they were written from, real traces
 * against totals counted by other means, and memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <inttypes.h>
#include <sys/resource.h>

#include "cmodel/workload/rf_traceg.h"
#include "cmodel/workload/rf_workload.h"
#include "harness/base/rng.h"
#include "harness/base/xzio.h"
#include "tb/workload/rf_memory.h"

#define COMMON                                                                                                                   \
    "-kernel name = _Z1kv\n-kernel id = 7\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-shmem = 48\n-nregs = 20\n-binary "       \
    "version = 80\n"
#define V3 COMMON "-accelsim tracer version = 3\n\n#traces format = whatever\n\n"
#define V4L COMMON "-accelsim tracer version = 4\n-enable lineinfo = 1\n\n"
#define V5 COMMON "-accelsim tracer version = 5\n-enable lineinfo = 0\n\n"
#define V5L COMMON "-accelsim tracer version = 5\n-enable lineinfo = 1\n\n"
#define BLOCK "#BEGIN_TB\n\nthread block = 1,0,0\n\n"
#define END "\n#END_TB\n"

typedef struct opened {
    rf_memory_file file;
    rf_memory memory;
    rf_source source;
    char error[RF_TRACEG_ERROR_MAX];
    rf_traceg *reader;
    rf_warp warp;
} opened;

static void open_text(opened *o, const char *text, size_t size, size_t piece) {
    *o = (opened){.file = {.path = "t.traceg", .text = text, .size = size, .piece = piece}};
    o->memory = (rf_memory){&o->file, 1};
    o->source = rf_memory_source(&o->memory);
    o->reader = rf_traceg_open(&o->source, "t.traceg", NULL, o->error, sizeof o->error);
}

static void close_text(opened *o) {
    rf_traceg_close(o->reader);
    rf_warp_free(&o->warp);
}

/* --- forms ------------------------------------------------------------------------------------------------------------------ */

static void test_header(void **state) {
    (void)state;
    static const char text[] = V5 BLOCK "warp = 0\ninsts = 0\n" END;
    opened o;
    open_text(&o, text, sizeof text - 1, 1000);
    assert_non_null(o.reader);
    const rf_traceg_header *const head = rf_traceg_head(o.reader);
    assert_string_equal(head->kernel, "_Z1kv");
    assert_int_equal(head->kernel_id, 7);
    assert_int_equal(head->grid[0], 2);
    assert_int_equal(head->block[0], 64);
    assert_int_equal(head->shmem, 48);
    assert_int_equal(head->nregs, 20);
    assert_int_equal(head->binary_version, 80);
    assert_int_equal(head->version, 5);
    assert_int_equal(head->lineinfo, 0);
    assert_int_equal(rf_traceg_next(o.reader, &o.warp), 1);
    assert_int_equal(o.warp.count, 0);
    assert_int_equal(o.warp.block[0], 1);
    assert_int_equal(rf_traceg_next(o.reader, &o.warp), 0);
    assert_int_equal(rf_traceg_next(o.reader, &o.warp), 0);
    assert_string_equal(rf_traceg_error(o.reader), "");
    close_text(&o);
}

/* Blanks before a line are nothing, and a key that nobody uses may have an empty value. */
static void test_blanks(void **state) {
    (void)state;
    static const char text[] =
        "\t" COMMON "-nvbit version = \n -cuda stream id =\n  -accelsim tracer version = 3\n \n"
        " " BLOCK "\twarp = 0\n insts = 2\n \t0010 ffffffff 0 NOP 0 0 \n 0020 ffffffff 1 R2 MOV 1 R3 0\n " END;
    opened o;
    open_text(&o, text, sizeof text - 1, 100);
    if (!o.reader) fail_msg("%s", o.error);
    if (rf_traceg_next(o.reader, &o.warp) != 1) fail_msg("%s", rf_traceg_error(o.reader));
    assert_int_equal(o.warp.count, 2);
    assert_int_equal(o.warp.inst[1].src[0], 3);
    assert_int_equal(rf_traceg_next(o.reader, &o.warp), 0);
    close_text(&o);
}

static const char v3_text[] =
    V3 BLOCK "warp = 1\ninsts = 4\n"
             "0010 ffffffff 1 R6 IMAD.WIDE 3 R2 R3 R8 0 \n"
             "0020 00000005 1 R12 LDG.E.128 1 R4 16 0 0x10 0xfffffffffffffff0 \n"
             "0030 00000000 1 R7 LDG.E 1 R4 4 1 0x0 0 \n"
             "0040 fffffffe 0 STG.E.U8 2 R4 R255 1 1 0x7f00 -4 \n" END "\n#BEGIN_TB\n\nthread block = 0,0,0\n" END;

static void check_v3(size_t piece) {
    opened o;
    open_text(&o, v3_text, sizeof v3_text - 1, piece);
    assert_non_null(o.reader);
    assert_int_equal(rf_traceg_next(o.reader, &o.warp), 1);
    assert_int_equal(o.warp.warp, 1);
    assert_int_equal(o.warp.count, 4);
    const rf_inst *i = &o.warp.inst[0];
    assert_int_equal(i->pc, 0x10);
    assert_string_equal(i->mnemonic, "IMAD.WIDE");
    assert_int_equal(i->opcode, rf_fnv1a("IMAD.WIDE", 9));
    assert_int_equal(i->nsrc, 4);
    assert_memory_equal(i->src, ((uint8_t[]){2, 3, 8, 9}), 4);
    assert_int_equal(i->ndst, 2);
    assert_memory_equal(i->dst, ((uint8_t[]){6, 7}), 2);
    assert_null(i->address);
    assert_int_equal(i->opclass, RF_OP_ALU);
    i++;
    assert_int_equal(i->opclass, RF_OP_MEM);
    assert_true(i->load && !i->store);
    assert_int_equal(i->width, 16);
    assert_int_equal(i->nsrc, 2);
    assert_memory_equal(i->dst, ((uint8_t[]){12, 13, 14, 15}), 4);
    assert_int_equal(i->address[0], 0x10);
    assert_int_equal(i->address[1], 0);
    assert_true(i->address[2] == UINT64_C(0xfffffffffffffff0));
    i++;
    assert_int_equal(i->nsrc + i->ndst, 0); /* mask 0 */
    assert_int_equal(i->address[0], 0);
    i++;
    assert_true(i->store && !i->load);
    assert_int_equal(i->nsrc, 2); /* R4, R5; RZ dropped */
    assert_int_equal(i->address[0], 0);
    assert_int_equal(i->address[1], 0x7f00);
    assert_int_equal(i->address[31], 0x7f00 - 30 * 4);
    assert_int_equal(rf_traceg_next(o.reader, &o.warp), 0); /* past the block without warps */
    close_text(&o);
}

static void test_v3(void **state) {
    (void)state;
    check_v3(1);
    check_v3(7);
    check_v3(SIZE_MAX);
}

static void test_v5(void **state) {
    (void)state;
    static const char text[] = V5L BLOCK "cluster id = 0,0,0\ncluster rank = 0\n"
                                         "warp = 0\r\ninsts = 5\r\n"
                                         "12 0010 f0000001 1 R6 LDG.E.64 1 R4 8 2 0x100 16 -8 -9223372036854775808 0 -1 \r\n"
                                         "0 0020 ffffffff 1 R6 IMAD.WIDE 2 R2 R8 0 4\n"
                                         "0 0020 ffffffff 1 R6 IMAD.WIDE 2 R2 R8 0 0\n"
                                         "0 0030 ffffffff 1 R2 WHATEVER.X 3 R2 R2 UR4 0 9223372036854775807\n"
                                         "4294967295 0040 ffffffff 0 UTMALDG.2D 0 16 0 3 0x1 0x2 0x3 0\n" END;
    opened o;
    open_text(&o, text, sizeof text - 1, 5);
    assert_non_null(o.reader);
    assert_int_equal(rf_traceg_next(o.reader, &o.warp), 1);
    const rf_inst *const i = o.warp.inst;
    assert_int_equal(i[0].immediate, -1);
    assert_int_equal(i[0].address[0], 0x100);
    assert_int_equal(i[0].address[28], 0x110);
    assert_int_equal(i[0].address[29], 0x108);
    assert_true(i[0].address[30] == UINT64_C(0x8000000000000108));
    assert_true(i[0].address[31] == UINT64_C(0x8000000000000108));
    assert_int_equal(i[1].nsrc, 3); /* beside an immediate, the second source is the addend */
    assert_int_equal(i[2].nsrc, 2);
    assert_int_equal(i[3].nsrc, 2); /* both mentions stay, the uniform register goes */
    assert_true(i[3].immediate == INT64_MAX);
    const char *first = NULL;
    assert_int_equal(rf_traceg_unknown(o.reader, &first), 1);
    assert_string_equal(first, "WHATEVER.X");
    assert_null(i[4].address);
    assert_int_equal(i[4].width, 0);
    assert_int_equal(rf_traceg_next(o.reader, &o.warp), 0);
    close_text(&o);
}

static void test_v4(void **state) {
    (void)state;
    static const char text[] = V4L BLOCK "warp = 0\ninsts = 2\n"
                                         "7 0010 00000003 1 R8 LDSM.16.M88.4 1 R3 2 1 0x100 16\n"
                                         "8 0020 ffffffff 0 NOP 0 0\n" END;
    opened o;
    open_text(&o, text, sizeof text - 1, 64);
    assert_non_null(o.reader);
    assert_int_equal(rf_traceg_next(o.reader, &o.warp), 1);
    assert_int_equal(o.warp.inst[0].width, 16); /* the trace's 2 is the 16 of the opcode, not a width */
    assert_int_equal(o.warp.inst[0].ndst, 4);
    assert_int_equal(o.warp.inst[0].address[1], 0x110);
    assert_int_equal(rf_traceg_next(o.reader, &o.warp), 0);
    close_text(&o);
}

/* --- windows ---------------------------------------------------------------------------------------------------------------- */

#define SHARED RF_TRACEG_SHARED_WINDOW
#define LOCAL RF_TRACEG_LOCAL_WINDOW

/* Heads as tracers write them, the local window below the shared one and above it; without one, and without both. */
static const struct {
    const char *head;
    uint64_t shared, local;
} windows[] = {
    {"-shmem base_addr = 0x00007fb139000000\n-local mem base_addr = 0x00007fb137000000\n", 0x7fb139000000, 0x7fb137000000},
    {"-shmem base_addr = 0x00007efeb0000000\n-local mem base_addr = 0x00007efeb2000000\n", 0x7efeb0000000, 0x7efeb2000000},
    {"-shmem base_addr = 0x0000000000000000\n-local mem base_addr = 0x00007fb137000000\n", 0, 0x7fb137000000},
    {"-shmem base_addr = 0x7fb139000000\n", 0x7fb139000000, 0},
    {"-shmem base_addr = 0x0\n-local mem base_addr = 0x0\n", 0, 0},
    {"", 0, 0},
};

/* Where an address should be, by the words of docs/workloads.md. */
static uint64_t moved(size_t w, bool generic, uint64_t address) {
    const uint64_t bytes = 16 * 1024 * 1024;
    if (!generic) return address;
    if (windows[w].shared != 0 && address >= windows[w].shared && address <= windows[w].shared + (bytes - 1))
        return (UINT64_C(1) << 62) + (address - windows[w].shared);
    if (windows[w].local != 0 && address >= windows[w].local && address <= windows[w].local + (bytes - 1))
        return (UINT64_C(1) << 63) + (address - windows[w].local);
    return address;
}

/* Each opcode, at both ends of the windows, beside them and at 0, in each form of addresses; lane by lane. */
static void test_windows(void **state) {
    static const struct {
        const char *opcode;
        bool generic;
    } ops[] = {{"LD.E", true},
               {"ST.E", true},
               {"LD.E.U8.STRONG.SM", true},
               {"ATOM.E.ADD.STRONG.GPU", true},
               {"RED.E.ADD.S32", true},
               {"LDG.E", false},
               {"STG.E", false},
               {"ATOMG.E.ADD", false},
               {"REDG.E.ADD", false},
               {"LDL", false},
               {"STS", false},
               {"ATOMS.ADD", false},
               {"LDGSTS.E", false},
               {"LDSM.16.M88", false}};
    (void)state;
    uint64_t in_shared = 0, in_local = 0;
    for (size_t w = 0; w < sizeof windows / sizeof *windows; w++)
        for (size_t o = 0; o < sizeof ops / sizeof *ops; o++) {
            const uint64_t bases[] = {windows[w].shared, windows[w].local, 0x7fb139000000};
            for (size_t b = 0; b < sizeof bases / sizeof *bases; b++)
                for (uint32_t form = 0; form < 3; form++) {
                    const uint64_t from = bases[b] - 4, size = UINT64_C(1) << 24; /* lane 1 is the window's first */
                    char text[2048], lanes[512];
                    int n = form == 0 ? 0 : snprintf(lanes, sizeof lanes, "0x%" PRIx64 " ", from);
                    uint64_t lane[4]; /* beside, first, last, beside; of a stride beside, first, second, third */
                    for (uint32_t l = 0; l < 4; l++) lane[l] = form == 1 || l < 2 ? from + 4 * l : bases[b] + size - 4 * (3 - l);
                    if (form == 1) n += snprintf(lanes + n, sizeof lanes - (size_t)n, "4 ");
                    for (uint32_t l = 0; form != 1 && l < 4; l++) {
                        const size_t room = sizeof lanes - (size_t)n;
                        if (form == 0) n += snprintf(lanes + n, room, "0x%" PRIx64 " ", lane[l]);
                        else if (l > 0) n += snprintf(lanes + n, room, "%" PRId64 " ", (int64_t)(lane[l] - lane[l - 1]));
                    }
                    (void)snprintf(text, sizeof text,
                                   COMMON "%s-accelsim tracer version = 3\n\n" BLOCK
                                          "warp = 0\ninsts = 1\n0010 0000000f 0 %s 1 R4 4 %u %s\n" END,
                                   windows[w].head, ops[o].opcode, form, lanes);
                    opened t;
                    open_text(&t, text, strlen(text), 4096);
                    if (!t.reader) fail_msg("%s", t.error);
                    assert_true(rf_traceg_head(t.reader)->shared_base == windows[w].shared);
                    assert_true(rf_traceg_head(t.reader)->local_base == windows[w].local);
                    if (rf_traceg_next(t.reader, &t.warp) != 1) fail_msg("%s", rf_traceg_error(t.reader));
                    const uint64_t *is = t.warp.inst[0].address;
                    for (uint32_t l = 0; l < 4; l++) {
                        const uint64_t expected = moved(w, ops[o].generic, lane[l]);
                        if (is[l] != expected)
                            fail_msg("%s, windows %zu, lane %u: %" PRIx64 ", not %" PRIx64, ops[o].opcode, w, l, is[l], expected);
                        in_shared += expected >> 62 == 1;
                        in_local += expected >> 63;
                    }
                    for (uint32_t l = 4; l < 32; l++) assert_int_equal(is[l], 0);
                    close_text(&t);
                }
        }
    assert_true(in_shared > 100 && in_local > 100);
}

/* --- errors ----------------------------------------------------------------------------------------------------------------- */

#define W "warp = 0\ninsts = 1\n"
#define OK "0000 ffffffff 0 NOP 0 0 0\n"

static const struct {
    const char *text, *message;
} errors[] = {
    {"", "t.traceg:0: #BEGIN_TB: missing: the file ends in its header (truncated?)"},
    {"hello\n", "t.traceg:1: header: not an Accel-Sim trace"},
    {"\n\n#comment\n", "t.traceg:3: header: not an Accel-Sim trace"},
    {"-kernel name\n", "t.traceg:1: header: '-key = value' expected"},
    {"-kernel name = k\n0 0 0 0 0000 ffffffff\n", "t.traceg:2: header: '0' is not '-key = value' or #BEGIN_TB"},
    {COMMON "-accelsim tracer version = 6\n", "t.traceg:8: accelsim tracer version: '6' is not a number in 3 .. 5"},
    {COMMON "-accelsim tracer version = 1.2\n", "t.traceg:8: accelsim tracer version: '1.2' is not a number in 3 .. 5"},
    {"-kernel name = \n", "t.traceg:1: kernel name: missing: the line ends (a name)"},
    {"-shmem =\n", "t.traceg:1: shmem: missing: the line ends (a number in"},
    {"-shmem=\n", "t.traceg:1: header: '-key = value' expected"},
    {COMMON "-nregs = 5\n", "t.traceg:8: nregs: given twice"},
    {COMMON "\n#BEGIN_TB\n", "t.traceg:9: accelsim tracer version: missing in the header"},
    {"-kernel name = k\n#BEGIN_TB\n", "t.traceg:2: grid dim: missing in the header"},
    {"-grid dim = (1,0,1)\n", "t.traceg:1: grid dim: '(1,0,1)' is not (x,y,z) with x 1 .. 2147483647, y 1 .. 65535"},
    {"-grid dim = (99999999999999999999,1,1)\n", "t.traceg:1: grid dim: '(99999999999999999999,1,...' is not (x,y,z)"},
    {"-grid dim = (1,1,1\n", "t.traceg:1: grid dim: '(1,1,1' is not"},
    {"-block dim = (1025,1,1)\n", "t.traceg:1: block dim: '(1025,1,1)' is not"},
    {"-block dim = (1024,2,1)\n", "t.traceg:1: block dim: more than 1024 threads"},
    {"-nregs = 257\n", "t.traceg:1: nregs: '257' is not a number in 0 .. 256"},
    {"-nregs = 5 5\n", "t.traceg:1: line: '5' is not the end of the line"},
    {"-shmem base_addr = 7f00\n", "t.traceg:1: shmem base_addr: '7f00' is not an address (0x and 1 .. 16 hex digits)"},
    {"-shmem base_addr =\n", "t.traceg:1: shmem base_addr: missing: the line ends (an address"},
    {"-local mem base_addr = 0x11112222333344445\n", "t.traceg:1: local mem base_addr: '0x11112222333344445' is not an address"},
    {"-local mem base_addr = 0x10 0x20\n", "t.traceg:1: line: '0x20' is not the end of the line"},
    {"-local mem base_addr = 0x10\n-local mem base_addr = 0x10\n", "t.traceg:2: local mem base_addr: given twice"},
    {"-enable lineinfo = 2\n", "t.traceg:1: enable lineinfo: '2' is not a number in 0 .. 1"},
    {V5 "rubbish\n", "t.traceg:11: header: 'rubbish' is not"},
    {V5 BLOCK, "t.traceg:14: #END_TB: missing: the file ends inside a block (truncated?)"},
    {V5 "#BEGIN_TB\n#END_TB\n", "t.traceg:12: thread block: missing: the block ends"},
    {V5 "#BEGIN_TB\n" W OK, "t.traceg:12: thread block: missing before the first warp"},
    {V5 "#BEGIN_TB\nthread block = 2,0,0\n", "t.traceg:12: thread block: '2,0,0' is not x,y,z with x 0 .. 1, y 0 .. 0, z 0 .. 0"},
    {V5 BLOCK "thread block = 0,0,0\n", "t.traceg:15: thread block: given twice"},
    {V5 BLOCK "warp = 0\ninsts = 0\nwarp = 1\ninsts = 0\n#END_TB\n" BLOCK,
     "t.traceg:22: thread block: 1,0,0 stands twice: first at t.traceg:13"},
    {V5 "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 0\nwarp = 1\ninsts = 0\n#END_TB\n" BLOCK
        "warp = 0\ninsts = 0\nwarp = 1\ninsts = 0\n#END_TB\n#BEGIN_TB\nthread block = 0,0,0\n",
     "t.traceg:28: thread block: 0,0,0 stands twice: first at t.traceg:12"},
    {V5 BLOCK "#BEGIN_TB\n", "t.traceg:15: #END_TB: missing: the next block begins"},
    {V5 BLOCK W OK END "rest\n", "t.traceg:20: block: 'rest' is not #BEGIN_TB"},
    {V5 BLOCK "warp = 2\n", "t.traceg:15: warp: '2' is not a number in 0 .. 1"},
    {V5 BLOCK W OK W OK, "t.traceg:18: warp: 0 comes after 0: they must rise"},
    {V5 BLOCK "warp = 0\n", "t.traceg:15: insts: missing: the file ends (truncated?)"},
    {V5 BLOCK "warp = 0\n" OK, "t.traceg:16: insts: '0000' is not 'insts = k' behind 'warp = n'"},
    {V5 BLOCK "warp = 0\ninsts = x\n", "t.traceg:16: insts: 'x' is not a number in 0 .. 268435456"},
    {V5 BLOCK "warp = 0\ninsts = 99999999999999999999999\n", "t.traceg:16: insts: '99999999999999999999999' is not a number in"},
    {V5 BLOCK "warp = 0\ninsts = -1\n", "t.traceg:16: insts: '-1' is not a number"},
    {V5 BLOCK "warp = 0\ninsts = 2\n" OK, "t.traceg:17: insts: 2 announced, 1 found before the file ends (truncated?)"},
    {V5 BLOCK "warp = 0\ninsts = 2\n" OK "\n", "t.traceg:18: insts: 2 announced, 1 found"},
    {V5 BLOCK "warp = 0\ninsts = 2\n" OK "#END_TB\n", "t.traceg:18: insts: 2 announced, 1 found"},
    {V5 BLOCK W OK OK, "t.traceg:18: block: '0000' is not 'warp = n' or #END_TB (more lines than 'insts' announced?)"},
    {V5L BLOCK W "x 0000 ffffffff 0 NOP 0 0 0\n", "t.traceg:17: line_num: 'x' is not a number in 0 .. 4294967295"},
    {V5 BLOCK W "00g0 ffffffff 0 NOP 0 0 0\n", "t.traceg:17: PC: '00g0' is not a program counter"},
    {V5 BLOCK W "11112222333344445 ffffffff 0 NOP 0 0 0\n", "t.traceg:17: PC: '11112222333344445' is not a program counter"},
    {V5 BLOCK W "0000 fffffff 0 NOP 0 0 0\n", "t.traceg:17: mask: 'fffffff' is not 8 hex digits"},
    {V5 BLOCK W "0000 fffffffff 0 NOP 0 0 0\n", "t.traceg:17: mask: 'fffffffff' is not 8 hex digits"},
    {V5 BLOCK W "0000\n", "t.traceg:17: mask: missing: the line ends (8 hex digits)"},
    {"-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (40,1,1)\n-nregs = 4\n-accelsim tracer version = 3\n#BEGIN_TB\n"
     "thread block = 0,0,0\nwarp = 1\ninsts = 1\n0000 00000100 0 NOP 0 0\n",
     "t.traceg:10: mask: 00000100 has lanes above the 8 threads of warp 1 (block dim)"},
    {V5 BLOCK W "0000 ffffffff 9 NOP 0 0 0\n", "t.traceg:17: dest_num: '9' is not a number in 0 .. 8"},
    {V5 BLOCK W "0000 ffffffff 1 R256 NOP 0 0 0\n", "t.traceg:17: reg_dests: 'R256' is not a register (R0 .. R255)"},
    {V5 BLOCK W "0000 ffffffff 1 NOP 0 0 0\n", "t.traceg:17: reg_dests: 'NOP' is not a register"},
    {V5 BLOCK W "0000 ffffffff 0 nop 0 0 0\n", "t.traceg:17: opcode: 'nop' is not an opcode"},
    {V5 BLOCK W "0000 ffffffff 0 NO\tP 0 0 0\n", "t.traceg:17: opcode: 'NO?P' is not an opcode"},
    {V5 BLOCK W "0000 ffffffff 0 A234567890123456789012345678901234567890123456789012345678901234 0 0 0\n",
     "t.traceg:17: opcode: 'A23456789012345678901234...' is not an opcode (1 .. 63 letters, digits, dots)"},
    {V5 BLOCK W "0000 ffffffff 0 IADD3 3 R1 R2 0 0\n", "t.traceg:17: reg_srcs: '0' is not a register"},
    {V5 BLOCK W "0000 ffffffff 0 IADD3 1 R-1 0 0\n", "t.traceg:17: reg_srcs: 'R-1' is not a register"},
    {V5 BLOCK W "0000 ffffffff 0 NOP 0 65 0\n", "t.traceg:17: mem_width: '65' is not a number in 0 .. 64"},
    {V5 BLOCK W "0000 ffffffff 1 R2 LDG.E 1 R4 4 3 0x0 0 0\n", "t.traceg:17: address format: '3' is not a number in 0 .. 2"},
    {V5 BLOCK W "0000 ffffffff 1 R2 LDG.E 1 R4 4\n", "t.traceg:17: address format: missing: the line ends"},
    {V5 BLOCK W "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 1000 0 0\n", "t.traceg:17: base address: '1000' is not an address (0x and"},
    {V5 BLOCK W "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x11112222333344445 0 0\n",
     "t.traceg:17: base address: '0x11112222333344445' is"},
    {V5 BLOCK W "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x0 2147483648 0\n", "t.traceg:17: stride: '2147483648' is not a number in"},
    {V5 BLOCK W "0000 0000000b 1 R2 LDG.E 1 R4 4 1 0x0 4 0\n", "t.traceg:17: address format: stride needs one run of active"},
    {V5 BLOCK W "0000 00000007 1 R2 LDG.E 1 R4 4 0 0x0 0x1 0\n", "t.traceg:17: address: '0' is not an address"},
    {V5 BLOCK W "0000 00000007 1 R2 LDG.E 1 R4 4 2 0x0 1\n", "t.traceg:17: address delta: missing: the line ends"},
    {V5 BLOCK W "0000 00000007 1 R2 LDG.E 1 R4 4 2 0x0 1 9223372036854775808 0\n",
     "t.traceg:17: address delta: '9223372036854775808' is"},
    {V5 BLOCK W "0000 00000007 1 R2 LDG.E 1 R4 4 2 0x0 1 2\n", "t.traceg:17: immediate: missing: the line ends"},
    {V5 BLOCK W "0000 ffffffff 0 NOP 0 0\n", "t.traceg:17: immediate: missing: the line ends"},
    {V5 BLOCK W "0000 ffffffff 0 NOP 0 0 --1\n", "t.traceg:17: immediate: '--1' is not a number in"},
    {V5 BLOCK W "0000 ffffffff 0 NOP 0 0 0 NoVal\n", "t.traceg:17: line: 'NoVal' is not the end of the line"},
    {V3 BLOCK W "0000 ffffffff 0 NOP 0 0 0\n", "t.traceg:18: line: '0' is not the end of the line"},
    {V5 BLOCK W "0000 ffffffff 1 R254 LDG.E.64 1 R4 8 1 0x0 4 0\n",
     "t.traceg:17: registers: LDG.E.64: R254 with its width reaches above R254"},
    {V5 BLOCK W "0000 ffffffff 0 STG.E.128 2 R4 R252 16 1 0x0 4 0\n",
     "t.traceg:17: registers: STG.E.128: R252 with its width reaches"},
    {V5 BLOCK W "0000 ffffffff 0 STS.128 7 R4 R4 R4 R4 R4 R4 R4 16 1 0x0 4 0\n", "is one register too many"},
    {V5 BLOCK W "0000 ffffffff 0 STG.E.128 8 R4 R4 R4 R4 R4 R4 R4 R4 16 1 0x0 4 0\n", "is one register too many"},
};

static void test_errors(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++) {
        opened o;
        int got = 1;
        open_text(&o, errors[i].text, strlen(errors[i].text), 4096);
        while (o.reader && got > 0) got = rf_traceg_next(o.reader, &o.warp);
        const char *const message = o.reader ? rf_traceg_error(o.reader) : o.error;
        if (!strstr(message, errors[i].message)) fail_msg("case %zu: \"%s\" lacks \"%s\"", i, message, errors[i].message);
        if (o.reader) {
            assert_int_equal(got, -1);
            assert_int_equal(o.warp.count, 0);
            assert_int_equal(rf_traceg_next(o.reader, &o.warp), -1); /* for ever */
        }
        close_text(&o);
    }
}

static void test_lines(void **state) {
    (void)state;
    const size_t head = strlen(V5), size = head + 70000;
    char *const text = malloc(size);
    opened o;
    assert_non_null(text);
    memset(text, 'x', size);
    memcpy(text, V5, head);
    open_text(&o, text, size, 999);
    assert_string_equal(o.error, "t.traceg:11: line: longer than 65535 bytes");
    close_text(&o);
    text[head] = '#';
    memcpy(text + head + 65535, "\n" BLOCK, strlen("\n" BLOCK)); /* exactly the longest */
    open_text(&o, text, head + 65535 + strlen("\n" BLOCK), 999);
    assert_non_null(o.reader);
    close_text(&o);
    memcpy(text, "-kernel\0name", 12);
    open_text(&o, text, size, SIZE_MAX);
    assert_string_equal(o.error, "t.traceg:1: line: byte 8 is NUL: not a text file");
    close_text(&o);
    free(text);
    o.file = (rf_memory_file){.path = "t.traceg", .text = v3_text, .size = sizeof v3_text, .piece = 100, .fail_at = 400};
    o.memory = (rf_memory){&o.file, 1};
    o.source = rf_memory_source(&o.memory);
    o.reader = rf_traceg_open(&o.source, "t.traceg", NULL, o.error, sizeof o.error);
    assert_non_null(o.reader);
    assert_int_equal(rf_traceg_next(o.reader, &o.warp), -1);
    assert_non_null(strstr(rf_traceg_error(o.reader), ": read: t.traceg: disk on fire"));
    close_text(&o);
    assert_null(rf_traceg_open(&o.source, "other", NULL, o.error, sizeof o.error));
    assert_string_equal(o.error, "other: no such text");
}

/* Every prefix of a good trace is an error, save those that end between blocks. */
static void test_truncation(void **state) {
    (void)state;
    size_t good = 0;
    for (size_t size = 0; size < sizeof v3_text; size++) {
        opened o;
        int got = 1;
        open_text(&o, v3_text, size, SIZE_MAX);
        while (o.reader && got > 0) got = rf_traceg_next(o.reader, &o.warp);
        if (o.reader && got == 0) good++;
        else assert_non_null(strstr(o.reader ? rf_traceg_error(o.reader) : o.error, "t.traceg:"));
        close_text(&o);
    }
    assert_int_equal(good, 1 + 2 + 2); /* behind the first #END_TB: with it, its line end and the blank line; behind the second */
}

/* --- random traces ---------------------------------------------------------------------------------------------------------- */

/* What an opcode means, said once more and by hand. */
static const struct {
    const char *text;
    uint32_t ndst, nsrc;            /* listed */
    uint32_t dst_regs, src_regs[4]; /* expanded */
    bool memory;
} sample[] = {
    {"IADD3", 1, 3, 1, {1, 1, 1}, false},
    {"DFMA", 1, 3, 2, {2, 2, 2}, false},
    {"IMAD.WIDE.U32", 1, 3, 2, {1, 1, 2}, false},
    {"HMMA.16816.F32", 1, 3, 4, {4, 2, 4}, false},
    {"EXIT", 0, 0, 0, {0}, false},
    {"LDG.E.128", 1, 1, 4, {2}, true},
    {"STG.E.64", 0, 2, 0, {2, 2}, true},
    {"LDS.U8", 1, 1, 1, {1}, true},
    {"ATOMS.CAS.64", 1, 3, 2, {1, 2, 2}, true},
    {"NEVER.HEARD.OF", 1, 4, 1, {1, 1, 1, 1}, false},
};

typedef struct writer {
    char *text;
    size_t size, capacity;
} writer;

__attribute__((format(printf, 2, 3))) static void append(writer *w, const char *format, ...) {
    va_list args;
    if (w->capacity - w->size < 512) {
        w->capacity = 2 * w->capacity + 4096;
        w->text = realloc(w->text, w->capacity);
        assert_non_null(w->text);
    }
    va_start(args, format);
    w->size += (size_t)vsnprintf(w->text + w->size, w->capacity - w->size, format, args);
    va_end(args);
}

/* One base register and what stands behind it. */
static void put_register(writer *w, ls_rng *rng, uint32_t regs, uint8_t *list, uint8_t *count) {
    const uint32_t base = ls_rng_chance(rng, 40)
                              ? 255
                              : ls_rng_below(rng, 256 - regs) / regs * regs; /* pairs and quads where the machine has them */
    append(w, "R%u ", base);
    for (uint32_t i = 0; base != 255 && i < regs; i++) list[(*count)++] = (uint8_t)(base + i);
}

/* Addresses of the active lanes in a random form, written and expected. */
static void put_addresses(writer *w, ls_rng *rng, uint32_t mask, uint64_t lane[32]) {
    const uint32_t low = mask ? rf_lowest(mask) : 0;
    const bool run = mask == 0 || (((uint64_t)mask >> low) & (((uint64_t)mask >> low) + 1)) == 0;
    const uint32_t form = run ? ls_rng_below(rng, 3) : ls_rng_below(rng, 2) * 2;
    const uint64_t base = ls_rng_u64(rng);
    const int32_t stride = (int32_t)ls_rng_u64(rng);
    uint64_t last = base;
    bool first = true;
    append(w, "%u ", form);
    if (form != 0) append(w, "0x%" PRIx64 " ", base);
    if (form == 1) append(w, "%d ", stride);
    for (uint32_t l = 0; l < 32; l++) {
        lane[l] = 0;
        if (!(mask >> l & 1)) continue;
        if (form == 0) last = ls_rng_u64(rng), append(w, "0x%016" PRIx64 " ", last);
        else if (form == 1) last = base + (uint64_t)(int64_t)stride * (l - low);
        else if (!first) {
            const uint64_t next = ls_rng_chance(rng, 128) ? last + ls_rng_below(rng, 100) : ls_rng_u64(rng);
            append(w, "%" PRId64 " ", (int64_t)(next - last));
            last = next;
        }
        lane[l] = last;
        first = false;
    }
}

static void test_random(void **state) {
    (void)state;
    ls_rng rng;
    ls_rng_seed(&rng, 0x5eed);
    for (uint32_t round = 0; round < 200; round++) {
        enum { INSTS = 150 };
        static rf_inst expected[INSTS];
        static uint64_t lanes[INSTS][32];
        static const char *text[INSTS];
        const bool v5 = round % 2, lineinfo = round % 4 == 3;
        writer w = {0};
        append(&w, "%s\n#BEGIN_TB\nthread block = 0,0,0\n\nwarp = 1\ninsts = %u\n", v5 ? lineinfo ? V5L : V5 : V3, INSTS);
        for (uint32_t n = 0; n < INSTS; n++) {
            const uint32_t pick = ls_rng_below(&rng, sizeof sample / sizeof sample[0]);
            rf_inst *const e = &expected[n];
            *e = (rf_inst){.pc = ls_rng_u64(&rng) >> ls_rng_below(&rng, 64),
                           .width = sample[pick].memory ? 1u + ls_rng_below(&rng, 16) : 0};
            e->mask = ls_rng_chance(&rng, 30) ? 0 : (uint32_t)ls_rng_bits(&rng, 32, 128 * (1 + ls_rng_below(&rng, 2)));
            e->immediate = v5 ? (int64_t)ls_rng_value(&rng, 64) : 0;
            text[n] = sample[pick].text;
            if (lineinfo) append(&w, "%u ", ls_rng_below(&rng, 1000));
            append(&w, "%04" PRIx64 " %08x %u ", e->pc, e->mask, sample[pick].ndst);
            for (uint32_t d = 0; d < sample[pick].ndst; d++) put_register(&w, &rng, sample[pick].dst_regs, e->dst, &e->ndst);
            append(&w, "%s %u ", text[n], sample[pick].nsrc);
            for (uint32_t s = 0; s < sample[pick].nsrc; s++) put_register(&w, &rng, sample[pick].src_regs[s], e->src, &e->nsrc);
            append(&w, "%u ", e->width);
            if (e->width) put_addresses(&w, &rng, e->mask, lanes[n]);
            if (v5) append(&w, "%" PRId64 " ", e->immediate);
            append(&w, "\n");
            if (e->mask == 0) {
                memset(e->src, 0, sizeof e->src);
                memset(e->dst, 0, sizeof e->dst);
                e->nsrc = e->ndst = 0;
            }
        }
        append(&w, "\n#END_TB\n");
        opened o;
        open_text(&o, w.text, w.size, 1 + ls_rng_below(&rng, 5000));
        assert_non_null(o.reader);
        if (rf_traceg_next(o.reader, &o.warp) != 1) fail_msg("%s", rf_traceg_error(o.reader));
        assert_int_equal(o.warp.count, INSTS);
        for (uint32_t n = 0; n < INSTS; n++) {
            const rf_inst *const e = &expected[n], *const i = &o.warp.inst[n];
            assert_string_equal(i->mnemonic, text[n]);
            assert_true(i->pc == e->pc && i->mask == e->mask && i->width == e->width && i->immediate == e->immediate);
            assert_int_equal(i->nsrc, e->nsrc);
            assert_int_equal(i->ndst, e->ndst);
            assert_memory_equal(i->src, e->src, RF_INST_SRC_MAX);
            assert_memory_equal(i->dst, e->dst, RF_INST_DST_MAX);
            assert_true(!i->address == !e->width);
            if (e->width) assert_memory_equal(i->address, lanes[n], sizeof lanes[n]);
        }
        assert_int_equal(rf_traceg_next(o.reader, &o.warp), 0);
        close_text(&o);
        free(w.text);
    }
}

/* A pair where the machine has none: the table is wrong about the opcode, and the instruction counts as one of an unknown one. */
static void test_odd_pair(void **state) {
    (void)state;
    static const char text[] = V5 BLOCK "warp = 0\ninsts = 2\n0000 ffffffff 1 R2 LDG.E.64 1 R4 8 1 0x0 8 0\n"
                                        "0010 ffffffff 1 R3 LDG.E.64 1 R4 8 1 0x0 8 0\n" END;
    const char *first = NULL;
    opened o;
    open_text(&o, text, sizeof text - 1, 100);
    assert_int_equal(rf_traceg_next(o.reader, &o.warp), 1);
    assert_int_equal(rf_traceg_unknown(o.reader, &first), 1);
    assert_string_equal(first, "LDG.E.64");
    close_text(&o);
}

/* --- memory ----------------------------------------------------------------------------------------------------------------- */

#define BIG_WARPS 16000u
#define BIG_INSTS 64u

/* A trace of 100 MB that exists nowhere: header, then block after block of one warp. */
typedef struct endless {
    char block[BIG_INSTS * 128 + 128];
    size_t size, at;
    uint32_t left;
    uint64_t total;
} endless;

static int endless_open(void *ctx, const char *path, void **handle, char *error, size_t size) {
    (void)path, (void)error, (void)size;
    endless *const e = ctx;
    e->size = (size_t)snprintf(e->block, sizeof e->block,
                               "-kernel name = k\n-grid dim = (%u,1,1)\n-block dim = (32,1,1)\n-nregs = 20\n"
                               "-accelsim tracer version = 5\n\n",
                               BIG_WARPS);
    *handle = e;
    return 0;
}

static long endless_read(void *handle, void *buffer, size_t size, char *error, size_t error_size) {
    (void)error, (void)error_size;
    endless *const e = handle;
    if (e->at == e->size && e->left > 0) {
        e->left--;
        e->at = 0;
        e->size = (size_t)snprintf(e->block, sizeof e->block, "#BEGIN_TB\nthread block = %u,0,0\nwarp = 0\ninsts = %u\n", e->left,
                                   BIG_INSTS);
        for (uint32_t i = 0; i < BIG_INSTS; i++)
            e->size +=
                (size_t)snprintf(e->block + e->size, sizeof e->block - e->size,
                                 "%04x ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f8412345678 4 0                                        "
                                 "            \n",
                                 16 * i);
        e->size += (size_t)snprintf(e->block + e->size, sizeof e->block - e->size, "#END_TB\n");
    }
    const size_t n = size < e->size - e->at ? size : e->size - e->at;
    memcpy(buffer, e->block + e->at, n);
    e->at += n;
    e->total += n;
    return (long)n;
}

static void endless_close(void *handle) { (void)handle; }

static long resident_kb(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss;
}

static void test_memory(void **state) {
    (void)state;
    static endless e;
    e = (endless){.left = BIG_WARPS};
    const rf_source source = {.ctx = &e, .open = endless_open, .read = endless_read, .close = endless_close};
    char error[RF_TRACEG_ERROR_MAX];
    rf_warp warp = {0};
    uint64_t insts = 0;
    rf_traceg *const reader = rf_traceg_open(&source, "endless", NULL, error, sizeof error);
    assert_non_null(reader);
    assert_int_equal(rf_traceg_next(reader, &warp), 1);
    const size_t capacity = warp.capacity, address_capacity = warp.address_capacity;
    const long before = resident_kb();
    do insts += warp.count;
    while (rf_traceg_next(reader, &warp) == 1);
    assert_string_equal(rf_traceg_error(reader), "");
    assert_int_equal(insts, BIG_WARPS * BIG_INSTS);
    assert_true(e.total > 100000000);
    assert_int_equal(warp.capacity, capacity);
    assert_int_equal(warp.address_capacity, address_capacity);
    assert_true(resident_kb() - before < 2048);
    rf_traceg_close(reader);
    rf_warp_free(&warp);
}

/* --- real traces ------------------------------------------------------------------------------------------------------------ */

/* Totals counted from the same files without this reader: xz -dc and awk over lines, masks, register words (R255 left out) and,
 * for `reads` and `writes`, the widths of that set's own few opcodes. `local`: LDL and STL with an active lane; local addresses
 * are below a window's 16 MB. None of the sets has a generic instruction. */
static const struct {
    const char *list;
    uint32_t kernels;
    uint64_t insts, warps, full, empty, reads, writes, local;
} real[] = {
    {"rodinia-bfs-a100", 16, 159509, 2048, 22453, 19945, 171624, 110250, 0},
    {"vectoradd", 1, 26601, 1568, 25027, 1562, 29712, 23465, 0},
    {"btree-h100", 1, 21832, 32, 14682, 280, 38256, 13144, 6152},
    {"backprop-h100", 8, 19160, 277, 17389, 873, 19417, 12596, 0},
    {"ffma", 1, 5288, 1, 5286, 2, 10282, 5163, 0},
};

static void test_real(void **state) {
    (void)state;
    const char *const root = getenv("TRACES") ? getenv("TRACES") : "../shared/traces";
    for (size_t i = 0; i < sizeof real / sizeof real[0]; i++) {
        char path[4096], error[RF_TRACEG_ERROR_MAX];
        (void)snprintf(path, sizeof path, "%s/accel-sim/%s/kernelslist.g", root, real[i].list);
        FILE *const file = fopen(path, "rb");
        if (!file) {
            print_message("%s: absent, real traces not tested\n", path);
            skip();
        }
        (void)fclose(file);
        uint64_t insts = 0, warps = 0, full = 0, empty = 0, reads = 0, writes = 0, local = 0;
        uint32_t kernels = 0;
        rf_warp warp = {0};
        rf_workload_at at;
        int got = 0;
        rf_workload *const w = rf_workload_open(&ls_xzio, path, error, sizeof error);
        if (!w) fail_msg("%s", error);
        while ((got = rf_workload_next(w, &warp, &at)) == 1) {
            assert_int_equal(at.warp, warps);
            kernels += at.new_kernel;
            assert_int_equal(at.kernel + 1, kernels);
            warps++;
            insts += warp.count;
            for (size_t n = 0; n < warp.count; n++) {
                full += warp.inst[n].mask == UINT32_MAX;
                empty += warp.inst[n].mask == 0;
                reads += warp.inst[n].nsrc;
                writes += warp.inst[n].ndst;
                const char *const opcode = warp.inst[n].mnemonic;
                if (warp.inst[n].mask == 0 || warp.inst[n].width == 0) continue;
                const uint64_t address = warp.inst[n].address[rf_lowest(warp.inst[n].mask)];
                assert_true(address < RF_TRACEG_SHARED_WINDOW);
                if (strncmp(opcode, "LDL", 3) != 0 && strncmp(opcode, "STL", 3) != 0) continue;
                assert_true(address < RF_TRACEG_WINDOW_BYTES);
                local++;
            }
        }
        if (got < 0) fail_msg("%s", rf_workload_error(w));
        const char *unknown = NULL;
        if (rf_workload_unknown(w, &unknown)) fail_msg("%s: unknown opcode %s", path, unknown);
        assert_int_equal(kernels, real[i].kernels);
        assert_int_equal(insts, real[i].insts);
        assert_int_equal(warps, real[i].warps);
        assert_int_equal(full, real[i].full);
        assert_int_equal(empty, real[i].empty);
        assert_int_equal(local, real[i].local);
        assert_int_equal(reads, real[i].reads);
        assert_int_equal(writes, real[i].writes);
        rf_workload_close(w);
        rf_warp_free(&warp);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header),  cmocka_unit_test(test_blanks),     cmocka_unit_test(test_v3),
        cmocka_unit_test(test_v5),      cmocka_unit_test(test_errors),     cmocka_unit_test(test_lines),
        cmocka_unit_test(test_random),  cmocka_unit_test(test_odd_pair),   cmocka_unit_test(test_memory),
        cmocka_unit_test(test_real),    cmocka_unit_test(test_truncation), cmocka_unit_test(test_v4),
        cmocka_unit_test(test_windows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
