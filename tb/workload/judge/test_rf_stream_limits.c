/* SPDX-License-Identifier: Apache-2.0 */
/* What a stream file's reader and writer refuse, each by its name; nothing out of range gets in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tb/workload/judge/rf_stream_trial.h"

/* --- what the reader refuses, by name --------------------------------------------------------------------------------------- */

static rf_memory_bytes head_only(void) {
    rf_memory_bytes to = {0};
    rf_stream_writer_abandon(open_writer(&to));
    return to;
}

static void add_chunk(rf_memory_bytes *to, char kind, const char *payload, size_t size) {
    char why[64];
    const uint8_t word[4] = {(uint8_t)size, (uint8_t)(size >> 8), (uint8_t)(size >> 16), (uint8_t)kind};
    (void)rf_memory_write(to, word, 4, why, sizeof why);
    (void)rf_memory_write(to, payload, size, why, sizeof why);
    (void)rf_memory_write(to, "    ", 4, why, sizeof why);
}

#define BYTES(text) text, sizeof text - 1
/* A program without text, blocks and instructions; one with the word "a" and one instruction. */
#define EMPTY "\0\0\1\1\1\1\1\1\0\0\0\0\0"
#define ONE "\0\0\1\1\1\1\1\1\0\0\1\0\2\1a\0\0\x20\1\1\5\6\4\0\0\0\0\0\0"
#define HEAD "\0\0\0\0" /* of a warp, but its count */

static const struct {
    struct {
        char kind;
        const char *payload;
        size_t size;
    } chunk[3];
    const char *message; /* NULL: it is read */
} forged[] = {
    {{{'P', BYTES(EMPTY)}, {'E', BYTES("\1\0\0")}}, NULL},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\7")}, {'E', BYTES("\1\1\1")}}, "mask: two in one"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\3")}, {'E', BYTES("\1\1\1")}}, NULL},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\3")}, {'E', BYTES("\1\1\2")}}, "instructions: 2 announced, 1 found"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\3")}, {'E', BYTES("\1\2\1")}}, "warps: 2 announced, 1 found"},
    {{{'P', BYTES(ONE)}, {'E', BYTES("\2\0\0")}}, "programs: 2 announced, 1 found"},
    {{{'P', BYTES(ONE)}, {'E', BYTES("\1\0\0\0")}}, "chunk: 1 bytes are left over"},
    {{{'P', BYTES(ONE "\0")}}, "chunk: 1 bytes are left over"},
    {{{'W', BYTES(HEAD "\0")}}, "warp: comes before the first program"},
    {{{'Q', BYTES("\0")}}, "chunk: of the unknown kind 81"},
    {{{'+', BYTES("\0")}}, "chunk: of the unknown kind 43"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\2\3")}, {'E', BYTES("\1\1\2")}}, "insts: more announced than there are"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\x81\x80\x80\x80\1")}}, "insts: 268435457 (0 .. 268435456)"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\2\3\3")}}, "number: 1: only 1 instructions are known"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\2\1")}}, "number: 18446744073709551615: only 1 instructions are known"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x80")}}, "tag: 128 (0 .. 127)"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\1\0\0")}}, "mask: the chunk ends inside"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x0b\4")}}, "address: a form that does not exist"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x0b\x20")}}, "address: 32 (0 .. 31)"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x13\x13\0\0")}}, "value: 19 (0 .. 15)"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x13\3\x20\0")}}, "value: 32 (0 .. 31)"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x13\3\0\0\1\2\3")}}, "value: the chunk ends inside"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x11\0\0\0\0\0\0")}}, "value: of an instruction that writes nothing"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x41")}}, "tag: new and known at once"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x4a\1b\0\0\0\0\0\0")}}, "address: of an instruction without a width"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x42\1 ")}}, "mnemonic: a character that is not printable"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x42\0")}}, "mnemonic: 0 bytes (1 .. 63)"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x42\1b\0\5\0\0")}}, "class: 5 (0 .. 4)"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x42\1b\0\0\x11\0")}}, "ndst: 17 (0 .. 16)"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x42\1b\0\0\0\x19")}}, "nsrc: 25 (0 .. 24)"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x42\1b\0\x20\0\0\x41")}}, "width: 65 (0 .. 64)"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x23\0\0\0\0\0\5")}}, "nfree: 5 (0 .. 4)"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x23\x80\0\0\0\0\0\0\0")}, {'E', BYTES("\1\1\1")}}, NULL}, /* places */
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x23\x80\0\0\0\0\0\x30\0")}}, "src_from: 48 is no place"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x23\x80\0\0\0\0\0\1\0")}}, "src_from: 1 is no place"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x23\x80\0\0\0\0\0\x2f\x20")}}, "dst_to: 32 is no place"},
    {{{'P', BYTES(ONE)}, {'W', BYTES(HEAD "\1\x23\x80\0\0\0\0\0\x10")}}, "dst_to: the chunk ends inside"},
    {{{'P', BYTES("\0\0\1\1\1\1\1\1\0\x81\2")}}, "nreg: 257 (0 .. 256)"},
    {{{'P', BYTES("\0\0\1\1\1\1\1\1\0\0\x81\x80\x40")}}, "ninst: 1048577 (0 .. 1048576)"},
    {{{'P', BYTES("\0\0\1\1\1\1\1\1\0\0\1\0\2\2ab")}}, "text: longer than the 2 bytes announced"},
    {{{'P', BYTES("\0\0\1\1\1\1\1\1\0\0\1\0\3\2ab\1")}}, "mnemonic: 1 is no word's start in the text"},
    {{{'P', BYTES("\0\0\1\1\1\1\1\1\0\0\1\0\3\2ab\3")}}, "mnemonic: 3 is no word's start in the text"},
    {{{'P', BYTES("\0\0\1\1\1\1\1\1\0\0\0\1\0\1\0")}}, "first: 1 (0 .. 0)"},
    {{{'P', BYTES("\0\0\1\1\1\1\1\1\0\0\0\1\0\0\0\2\0\0")}}, "succ: 2 (0 .. 1)"},
    {{{'P', BYTES("\0\0\1\1\1\1\1\1\0\0\0\1\0\0\0\1\0\2")}}, "ipdom: 2 (0 .. 1)"},
    {{{'P', BYTES("\0\0\1\1\1\1\1\1\0\0\1\1\2\1a\0\0\x20\1\1\5\6\4\0\0\0\0\0\0\1\1")}}, "count: 1 (0 .. 0)"},
    {{{'P', BYTES("\1\0\0\1\1\1\1\1\1\0\0\0\0\0")}}, "kernel: a NUL inside"},
    {{{'P', BYTES("\5abc")}}, "kernel: the chunk ends inside"},
    {{{'P', BYTES("\xff\xff\xff\xff\xff\xff\xff\xff\xff\2")}}, "kernel: a number above 64 bits"},
    {{{'P', BYTES("\x80\x80\4")}}, "kernel: 65536 (0 .. 65535)"},
};

static void forged_chunks_are_refused_by_name(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof forged / sizeof forged[0]; i++) {
        rf_memory_bytes to = head_only();
        reading x;
        for (uint32_t c = 0; c < 3 && forged[i].chunk[c].kind; c++)
            add_chunk(&to, forged[i].chunk[c].kind, forged[i].chunk[c].payload, forged[i].chunk[c].size);
        rf_stream_seal((uint8_t *)to.bytes, to.size);
        const int got = read_all(&x, to.bytes, to.size);
        if (got != (forged[i].message ? -1 : 0)) fail_msg("case %zu: %d, \"%s\"", i, got, x.error);
        if (got < 0 && !strstr(x.error, forged[i].message))
            fail_msg("case %zu: \"%s\" lacks \"%s\"", i, x.error, forged[i].message);
        free(to.bytes);
    }
}

static void heads_are_refused_by_name(void **state) {
    (void)state;
    static const struct {
        size_t byte;
        const char *message;
    } cases[] = {{0, "a.rfs: byte 0: magic: no stream file"},
                 {8, "a.rfs: byte 8: version: 3 (1 to 2 are known)"},
                 {12, "a.rfs: byte 12: head: its checksum does not hold"}};
    for (size_t i = 0; i < 3; i++) {
        rf_memory_bytes to = head_only();
        reading x;
        to.bytes[cases[i].byte] ^= 1; /* the version becomes 3 */
        assert_int_equal(read_all(&x, to.bytes, to.size), -1);
        assert_non_null(strstr(x.error, cases[i].message));
        free(to.bytes);
    }
    rf_memory_bytes to = head_only();
    reading x;
    assert_false(open_reader(&x, to.bytes, 0, 1));
    x.file.path = "b";
    assert_null(rf_stream_open(&x.source, "a.rfs", x.error, sizeof x.error));
    assert_string_equal(x.error, "a.rfs: no such text");
    x.file = (rf_memory_file){.path = "a.rfs", .text = to.bytes, .size = to.size, .piece = 8, .fail_at = 12};
    assert_null(rf_stream_open(&x.source, "a.rfs", x.error, sizeof x.error));
    assert_string_equal(x.error, "a.rfs: byte 8: read: a.rfs: disk on fire");
    free(to.bytes);
}

/* --- what the writer refuses ------------------------------------------------------------------------------------------------ */

static rf_inst plain(void) {
    rf_inst inst = {.mask = UINT32_MAX, .index = RF_INDEX_NONE, .nsrc = 1, .ndst = 1};
    set_text(&inst, "add.s32");
    return inst;
}

static void refused(rf_stream_writer *w, rf_memory_bytes *to, const char *message) {
    char error[256] = "";
    rf_program p = {.kernel = (char[]){"k"}, .origin = (char[]){""}};
    rf_warp none = {0};
    assert_int_equal(rf_stream_write_program(w, &p), -1); /* it sticks */
    assert_int_equal(rf_stream_write_warp(w, &none), -1);
    assert_int_equal(rf_stream_writer_close(w, error, sizeof error), -1);
    if (!strstr(error, message)) fail_msg("\"%s\" lacks \"%s\"", error, message);
    reading x; /* what was written up to there is no stream */
    assert_int_equal(read_all(&x, to->bytes, to->size), -1);
    free(to->bytes);
}

static void what_contradicts_is_not_written(void **state) {
    (void)state;
    uint64_t address[RF_LANES_MAX] = {0};
    uint32_t value[RF_LANES_MAX] = {[31] = 1};
    char text[] = "add.s32";
    rf_inst fixed = plain();
    fixed.index = 0;
    fixed.mnemonic = text;
    rf_program p = {
        .kernel = (char[]){"k"}, .origin = (char[]){""}, .ninst = 1, .inst = &fixed, .text = text, .text_bytes = sizeof text};
#define REFUSED(message, ...)                                                                                                    \
    do {                                                                                                                         \
        rf_memory_bytes to = {0};                                                                                                \
        rf_stream_writer *const w = open_writer(&to);                                                                            \
        rf_inst inst = plain();                                                                                                  \
        rf_warp one = {.count = 1, .inst = &inst};                                                                               \
        assert_int_equal(rf_stream_write_program(w, &p), 0);                                                                     \
        __VA_ARGS__;                                                                                                             \
        assert_int_equal(rf_stream_write_warp(w, &one), -1);                                                                     \
        refused(w, &to, message);                                                                                                \
    } while (0)
    REFUSED("instruction 0 of the program is another one", inst.index = 0, inst.src[0] = 1);
    REFUSED("instruction 0 of the program is another one", inst.index = 0, inst.pc = 16);
    REFUSED("instruction 0 of the program is another one", inst.index = 0, inst.ndst = 0);
    REFUSED("instruction 0 of the program is another one", inst.index = 0, inst.immediate = 1);
    REFUSED("instruction 1 of the program is another one", inst.index = 1);
    REFUSED("opcode: not the hash of add.s32", inst.opcode++);
    REFUSED("mnemonic: not 1 .. 63 printable characters", set_text(&inst, ""));
    REFUSED("mnemonic: not 1 .. 63 printable characters", set_text(&inst, "a b"));
    REFUSED("class, nsrc, ndst or width out of range", inst.width = 65);
    REFUSED("class, nsrc, ndst or width out of range", inst.nsrc = 25);
    REFUSED("addresses without a width", inst.address = address);
    REFUSED("an inactive lane has an address or a value other than 0", inst.value = value, inst.mask = 1);
    REFUSED("an inactive lane has an address or a value other than 0", inst.address = address, inst.width = 4, address[3] = 9,
            inst.mask = 1);
    REFUSED("registers under mask 0", inst.mask = 0);
    REFUSED("nfree: above 4", inst.hint.nfree = 5);
    REFUSED("flags: above 127", inst.hint.flags = 128);
    REFUSED("src_from or dst_to: no place, or of no operand", inst.hint.src_from[0] = RF_FROM_UPPER | RF_FROM_KEEP);
    REFUSED("src_from or dst_to: no place, or of no operand", inst.hint.dst_to[0] = RF_TO_NOT_MRF);
    REFUSED("src_from or dst_to: no place, or of no operand", inst.hint.src_from[1] = RF_FROM_UPPER);
    REFUSED("src_from or dst_to: no place, or of no operand", inst.hint.dst_to[1] = RF_TO_UPPER);
    REFUSED("warp: more than 268435456 instructions", one.count = RF_STREAM_WARP_MAX + UINT64_C(1));
#undef REFUSED
}

static void what_no_program_is_is_not_written(void **state) {
    (void)state;
    char text[] = "add.s32";
    rf_program_block code = {.count = 1, .succ = {RF_INDEX_NONE, RF_INDEX_NONE}, .ipdom = RF_INDEX_NONE};
    rf_memory_bytes to = {0};
    rf_stream_writer *w = open_writer(&to);
    rf_warp none = {0};
    assert_int_equal(rf_stream_write_warp(w, &none), -1);
    refused(w, &to, "a warp before the first program");
#define REFUSED(message, ...)                                                                                                    \
    do {                                                                                                                         \
        rf_inst fixed = plain();                                                                                                 \
        fixed.mnemonic = text;                                                                                                   \
        rf_program p = {.kernel = (char[]){"k"},                                                                                 \
                        .origin = (char[]){""},                                                                                  \
                        .ninst = 1,                                                                                              \
                        .inst = &fixed,                                                                                          \
                        .text = text,                                                                                            \
                        .text_bytes = sizeof text,                                                                               \
                        .nblock = 1,                                                                                             \
                        .code = &code};                                                                                          \
        to = (rf_memory_bytes){0};                                                                                               \
        w = open_writer(&to);                                                                                                    \
        __VA_ARGS__;                                                                                                             \
        assert_int_equal(rf_stream_write_program(w, &p), -1);                                                                    \
        refused(w, &to, message);                                                                                                \
    } while (0)
    REFUSED("name or origin missing", p.kernel = NULL);
    REFUSED("nreg, ninst, nblock or text_bytes out of range", p.nreg = 257);
    REFUSED("nreg, ninst, nblock or text_bytes out of range", p.text_bytes = 7);
    REFUSED("its mnemonic is no word of the text", set_text(&fixed, "add.s32"));
    REFUSED("its mnemonic is no word of the text", set_text(&fixed, text + 1));
    REFUSED("block 0 names an instruction or a block that is not there", code.count = 2);
    REFUSED("block 0 names an instruction or a block that is not there", code.count = 1, code.succ[1] = 1);
    REFUSED("block 0 names an instruction or a block that is not there", code.succ[1] = 0, code.ipdom = 1);
    REFUSED("nfree: above 4", code.ipdom = 0, fixed.hint.nfree = 9);
#undef REFUSED
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forged_chunks_are_refused_by_name),
        cmocka_unit_test(heads_are_refused_by_name),
        cmocka_unit_test(what_contradicts_is_not_written),
        cmocka_unit_test(what_no_program_is_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
