/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/core/plan.c on fabricated signals and fields of every shape: what is driven arrives, what is equal compares
 * equal, and every single bit that differs is seen and found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/common/rf_types.h"
#include "harness/core/pair.h"
#include "harness/base/rng.h"
#include "tb/harness/differs.h"

enum { AROUND = 16 }; /* bytes before and after a signal and a field that nothing may change or look at */

typedef struct shape {
    uint32_t bits, count, size;
    bool unpacked; /* in the DUT: an array, not one vector */
} shape;

/* One field and its signal, each in memory of exactly its size but for the 8 bytes that loads may touch behind it. */
typedef struct fixture {
    shape shape;
    ls_field field;
    ls_signal signal;
    ls_fields fields;
    ls_binding binding;
    uint8_t *dut_memory, *model; /* from malloc, so that ASan guards them */
    uint8_t *dut;                /* the signal */
    size_t dut_bytes, model_bytes;
} fixture;

static void start(fixture *f, ls_kind kind, shape s, ls_rng *rng) {
    const bool array = s.unpacked;
    const uint32_t bits = array ? s.bits : s.bits * s.count;
    *f = (fixture){.shape = s};
    f->signal = (ls_signal){.name = kind == LS_IN    ? "x_i"
                                    : kind == LS_OUT ? "x_o"
                                                     : "x",
                            .bits = bits,
                            .count = array ? s.count : 1,
                            .stride = storage(bits),
                            .kind = kind == LS_IN    ? LS_SIGNAL_IN
                                    : kind == LS_OUT ? LS_SIGNAL_OUT
                                                     : LS_SIGNAL_REG};
    f->dut_bytes = (size_t)f->signal.stride * f->signal.count;
    f->model_bytes = (size_t)s.size * s.count;
    f->dut_memory = malloc(f->dut_bytes + 2 * AROUND);
    f->model = malloc(f->model_bytes + 2 * AROUND);
    assert_non_null(f->dut_memory);
    assert_non_null(f->model);
    f->dut = f->dut_memory + AROUND;
    f->signal.addr = f->dut;
    for (size_t i = 0; i < f->dut_bytes + 2 * AROUND; i++) f->dut_memory[i] = (uint8_t)ls_rng_u64(rng);
    for (size_t i = 0; i < f->model_bytes + 2 * AROUND; i++) f->model[i] = (uint8_t)ls_rng_u64(rng);
    memset(f->dut, 0, f->dut_bytes);
    memset(f->model + AROUND, 0, f->model_bytes);
    f->field = (ls_field){
        .name = (char *)(uintptr_t) "x", .kind = kind, .bits = s.bits, .count = s.count, .offset = AROUND, .size = s.size};
    f->fields = (ls_fields){.list = &f->field, .count = 1};
    char error[256] = "";
    if (ls_bind(&f->binding, &f->fields, &f->signal, 1, false, error, sizeof error) != 0)
        fail_msg("%u bits x %u, size %u%s: %s", s.bits, s.count, s.size, array ? ", array" : "", error);
    assert_int_equal(f->binding.count, 1);
}

static void stop(fixture *f) {
    ls_binding_free(&f->binding);
    free(f->dut_memory);
    free(f->model);
}

/* Where bit `bit` of element `e` lies: byte and place in it. */
static uint8_t *dut_byte(const fixture *f, uint32_t e, uint32_t bit, uint32_t *place) {
    const size_t at = f->shape.unpacked ? (size_t)e * f->signal.stride * 8 + bit : (size_t)e * f->shape.bits + bit;
    *place = (uint32_t)(at % 8);
    return f->dut + at / 8;
}

static uint8_t *model_byte(const fixture *f, uint32_t e, uint32_t bit, uint32_t *place) {
    *place = bit % 8;
    return f->model + AROUND + (size_t)e * f->shape.size + bit / 8;
}

static void set_bit(uint8_t *byte, uint32_t place, uint32_t value) {
    *byte = (uint8_t)((*byte & ~(1u << place)) | (value << place));
}

/* Random contents, boundary values among them; the DUT's side only if wanted. */
static void randomise(const fixture *f, ls_rng *rng, bool dut_too) {
    const uint64_t mood = ls_rng_u64(rng) & 3;
    for (uint32_t e = 0; e < f->shape.count; e++)
        for (uint32_t bit = 0; bit < f->shape.bits; bit++) {
            const uint32_t value = mood == 0 ? 1 : (uint32_t)(ls_rng_u64(rng) & 1);
            uint32_t place;
            uint8_t *byte = model_byte(f, e, bit, &place);
            set_bit(byte, place, value);
            if (dut_too) {
                byte = dut_byte(f, e, bit, &place);
                set_bit(byte, place, value);
            }
        }
}

static const ls_plan *plan_of(const fixture *f) { return f->field.kind == LS_OUT ? &f->binding.outputs : &f->binding.state; }

/* A difference at element `e`, or none at all with `e` < 0, and what the comparers say. */
static void expect(const fixture *f, int64_t e, bool slow, const char *what, uint32_t bit) {
    const bool seen = differs(plan_of(f), f->model);
    const int64_t first = slow ? ls_first_difference(&f->binding.list[0], f->model) : e;
    if (seen != (e >= 0) || first != e)
        fail_msg("%u bits x %u, size %u%s: bit %u of element %d flipped in %s: differs %d, first difference %d", f->shape.bits,
                 f->shape.count, f->shape.size, f->shape.unpacked ? ", array" : "", bit, (int)e, what, seen, (int)first);
}

static void check_compare(ls_kind kind, shape s, ls_rng *rng, uint64_t *flips) {
    fixture f;
    start(&f, kind, s, rng);
    randomise(&f, rng, true);
    assert_int_equal(plan_of(&f)->compared_bits, (uint64_t)s.bits * s.count);
    expect(&f, -1, true, "nothing", 0);
    const uint32_t total = s.bits * s.count, share = total > 2048 ? 16 : total > 512 ? 4 : 1;
    for (uint32_t i = 0; i < total; i++) {
        if (share > 1 && i % s.bits != 0 && i % s.bits != s.bits - 1 && ls_rng_below(rng, share) != 0) continue;
        const bool slow = ls_rng_below(rng, total > 64 ? 32 : 2) == 0;
        uint32_t place;
        uint8_t *byte = dut_byte(&f, i / s.bits, i % s.bits, &place);
        *byte = (uint8_t)(*byte ^ (1u << place));
        expect(&f, i / s.bits, slow, "the DUT", i % s.bits);
        *byte = (uint8_t)(*byte ^ (1u << place));
        byte = model_byte(&f, i / s.bits, i % s.bits, &place);
        *byte = (uint8_t)(*byte ^ (1u << place));
        expect(&f, i / s.bits, slow, "the model", i % s.bits);
        *byte = (uint8_t)(*byte ^ (1u << place));
        *flips += 2;
    }
    for (uint32_t i = 0; i < AROUND; i++) { /* the neighbours are not its business */
        f.dut_memory[i] ^= 0xff;
        f.dut_memory[AROUND + f.dut_bytes + i] ^= 0xff;
        f.model[i] ^= 0xff;
        f.model[AROUND + f.model_bytes + i] ^= 0xff;
    }
    expect(&f, -1, true, "the neighbours", 0);
    stop(&f);
}

static void check_drive(shape s, ls_rng *rng) {
    fixture f;
    start(&f, LS_IN, s, rng);
    uint8_t *around = malloc(2 * AROUND);
    assert_non_null(around);
    memcpy(around, f.dut_memory, AROUND);
    memcpy(around + AROUND, f.dut + f.dut_bytes, AROUND);
    for (int times = 0; times < 3; times++) { /* nothing of the last values may stay */
        randomise(&f, rng, false);
        ls_drive(&f.binding, f.model);
        for (uint32_t e = 0; e < s.count; e++)
            for (uint32_t bit = 0; bit < s.bits; bit++) {
                uint32_t from, to;
                const uint8_t *model = model_byte(&f, e, bit, &from), *dut = dut_byte(&f, e, bit, &to);
                if ((*model >> from & 1) != (*dut >> to & 1))
                    fail_msg("%u bits x %u, size %u%s: bit %u of element %u is not driven", s.bits, s.count, s.size,
                             s.unpacked ? ", array" : "", bit, e);
            }
        for (uint32_t e = 0; e < f.signal.count; e++)
            for (uint32_t bit = f.signal.bits; bit < f.signal.stride * 8; bit++)
                assert_int_equal(f.dut[(size_t)e * f.signal.stride + bit / 8] >> (bit % 8) & 1, 0);
        assert_int_equal(ls_first_difference(&f.binding.list[0], f.model), -1);
    }
    assert_memory_equal(around, f.dut_memory, AROUND);
    assert_memory_equal(around + AROUND, f.dut + f.dut_bytes, AROUND);
    free(around);
    stop(&f);
}

static void check(shape s, ls_rng *rng, uint64_t *flips) {
    check_compare(LS_STATE, s, rng, flips);
    check_compare(LS_OUT, s, rng, flips);
    check_drive(s, rng);
}

static void scalars_of_every_width_and_size(void **state) {
    static const uint32_t sizes[] = {1, 2, 4, 8, sizeof(rf_bits256), sizeof(rf_vec)};
    uint64_t flips = 0;
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 1);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (uint32_t bits = 1; bits <= sizes[k] * 8; bits += bits < 70 || bits > 1000 ? 1 : 13)
            check((shape){bits, 1, sizes[k], false}, &rng, &flips);
    assert_true(flips > 100000);
}

static void arrays_of_every_width_and_size(void **state) {
    static const uint32_t sizes[] = {1, 2, 4, 8, 16, 24, sizeof(rf_bits256), sizeof(rf_vec)}, counts[] = {2, 3, 8, 33};
    uint64_t flips = 0;
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 2);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (uint32_t bits = 1; bits <= sizes[k] * 8; bits += bits < 34 ? 1 : 31)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                check((shape){bits, counts[c], sizes[k], true}, &rng, &flips);
    assert_true(flips > 100000);
}

static void vectors_of_small_elements(void **state) {
    static const uint32_t sizes[] = {1, 2, 4, 8}, counts[] = {2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64};
    uint64_t flips = 0;
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 3);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (uint32_t bits = 1; bits <= 32 && bits <= sizes[k] * 8; bits++)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                check((shape){bits, counts[c], sizes[k], false}, &rng, &flips);
    assert_true(flips > 500000);
}

static void vectors_of_large_elements(void **state) {
    static const uint32_t sizes[] = {8, sizeof(rf_bits256), sizeof(rf_vec)}, counts[] = {2, 3, 5, 24, 64};
    static const uint32_t widths[] = {1,  5,  8,  24,  31,  32,  33,  40,  47,  48,  55,  56,   57,   63,  64,
                                      65, 72, 96, 112, 113, 128, 200, 255, 256, 257, 992, 1000, 1023, 1024};
    uint64_t flips = 0;
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 4);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
                if (widths[w] <= sizes[k] * 8 && widths[w] * counts[c] <= 24576)
                    check((shape){widths[w], counts[c], sizes[k], false}, &rng, &flips);
    assert_true(flips > 100000);
}

/* A memory over LS_SWEEP_BYTES is compared by rows; its write port is found beside it. */
static void memories_are_compared_by_rows(void **state) {
    static const uint32_t rows = 64;
    const char *const names[2][3] = {{"mem_q", "we_i", "waddr_i"}, {"u_a.g[1].mem_q", "u_a.g[1].we_i", "u_a.g[1].waddr_i"}};
    (void)state;
    for (int inside = 0; inside < 2; inside++) {
        uint8_t *dut = malloc((size_t)rows * 128 + 8), *model = malloc((size_t)rows * 128 + 8), port[2][8] = {{0}, {0}};
        const ls_signal signals[] = {{names[inside][1], port[0], 1, 1, 1, LS_SIGNAL_IN},
                                     {names[inside][2], port[1], 6, 1, 1, LS_SIGNAL_IN},
                                     {names[inside][0], dut, 1024, rows, 128, LS_SIGNAL_REG}};
        ls_field field = {.name = (char *)(uintptr_t)names[inside][0],
                          .kind = LS_MEMORY,
                          .bits = 1024,
                          .count = rows,
                          .size = 128,
                          .write_enable = "we",
                          .write_row = "waddr"};
        const ls_fields fields = {.list = &field, .count = 1};
        char error[256];
        ls_binding binding;
        ls_rng rng;
        assert_non_null(dut);
        assert_non_null(model);
        ls_rng_seed(&rng, 5);
        assert_int_equal(ls_bind(&binding, &fields, signals, 2, false, error, sizeof error), -1);
        assert_non_null(strstr(error, names[inside][0]));
        ls_binding_free(&binding);
        assert_int_equal(ls_bind(&binding, &fields, signals + 1, 2, false, error, sizeof error), -1);
        assert_non_null(strstr(error, "we_i"));
        ls_binding_free(&binding);
        assert_int_equal(ls_bind(&binding, &fields, signals, 3, false, error, sizeof error), 0);
        assert_int_equal(binding.sweep_count, 1);
        assert_ptr_equal(binding.sweeps[0].write_enable, port[0]);
        assert_ptr_equal(binding.sweeps[0].write_row, port[1]);
        assert_false(differs(&binding.state, model));
        for (uint32_t i = 0; i < rows * 128; i++) dut[i] = (uint8_t)ls_rng_u64(&rng);
        ls_copy_memory(&binding.list[0], model);
        assert_memory_equal(dut, model, (size_t)rows * 128);
        for (uint32_t i = 0; i < rows * 1024; i += 1 + ls_rng_below(&rng, 60)) {
            dut[i / 8] = (uint8_t)(dut[i / 8] ^ (1u << (i % 8)));
            for (uint32_t row = 0; row < rows; row++)
                assert_int_equal(ls_row_differs(&binding.sweeps[0], model, row) != 0, row == i / 1024);
            assert_int_equal(ls_first_difference(&binding.list[0], model), i / 1024);
            dut[i / 8] = (uint8_t)(dut[i / 8] ^ (1u << (i % 8)));
        }
        ls_binding_free(&binding);
        free(dut);
        free(model);
    }
}

/* Memories that only together have more than LS_SWEEP_BYTES: by rows when that can be done with all of them, else whole. */
static void small_memories_are_swept_together(void **state) {
    static const struct {
        const char *what;
        uint32_t rows; /* of 128 bytes, of each of two */
        size_t signals;
        bool touched, gates, mapped;
        size_t swept;
    } cases[] = {{"together over the bound", 17, 6, true, false, false, 2},
                 {"at the bound", 16, 6, true, false, false, 0},
                 {"rows that nobody tells", 17, 6, false, false, false, 0},
                 {"a netlist", 17, 6, true, true, false, 0},
                 {"one without a write port", 17, 4, true, false, false, 0},
                 {"one whose port a map renames", 17, 4, true, false, true, 0}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static uint8_t dut[2][17 * 128], model[2][17 * 128], port[2][2][8];
        const ls_signal signals[] = {{"a.mem_q", dut[0], 1024, cases[i].rows, 128, LS_SIGNAL_REG},
                                     {"b.mem_q", dut[1], 1024, cases[i].rows, 128, LS_SIGNAL_REG},
                                     {"a.we_i", port[0][0], 1, 1, 1, LS_SIGNAL_REG},
                                     {"a.waddr_i", port[0][1], 5, 1, 1, LS_SIGNAL_REG},
                                     {"b.we_i", port[1][0], 1, 1, 1, LS_SIGNAL_REG},
                                     {"b.waddr_i", port[1][1], 5, 1, 1, LS_SIGNAL_REG}};
        const ls_field memory = {
            .kind = LS_MEMORY, .bits = 1024, .count = cases[i].rows, .size = 128, .write_enable = "we", .write_row = "waddr"};
        ls_field list[2] = {memory, memory};
        list[0].name = (char *)(uintptr_t) "a.mem_q";
        list[1].name = (char *)(uintptr_t) "b.mem_q";
        list[1].rtl = cases[i].mapped ? list[1].name : NULL;
        list[1].offset = sizeof model[0];
        const ls_fields fields = {.list = list, .count = 2, .gates = cases[i].gates, .touched = cases[i].touched};
        char error[256] = "";
        ls_binding b;
        if (ls_bind(&b, &fields, signals, cases[i].signals, false, error, sizeof error) != 0)
            fail_msg("%s: %s", cases[i].what, error);
        if (b.sweep_count != cases[i].swept) fail_msg("%s: %zu memories are swept", cases[i].what, b.sweep_count);
        if (b.state.compared_bits != (cases[i].swept > 0 ? 0 : 2 * 1024 * cases[i].rows)) fail_msg("%s: bits", cases[i].what);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(b.list[k].swept, cases[i].swept > 0);
            dut[k][300] ^= 4;
            const bool found = cases[i].swept > 0 ? ls_row_differs(&b.sweeps[k], model, 2) != 0 : differs(&b.state, model) != 0;
            if (!found) fail_msg("%s: memory %d is not compared", cases[i].what, k);
            dut[k][300] ^= 4;
            assert_false(differs(&b.state, model));
        }
        ls_binding_free(&b);
    }
}

/* One memory on both sides, written as a case below says. */
enum { SWEPT_ROWS = 40, SWEPT_ROOM = 64 }; /* behind them both sides differ */
typedef struct swept {
    uint8_t *dut, *model, clock;
    uint32_t dut_row, model_row;   /* written at the edge when ... */
    bool dut_writes, model_writes; /* ... */
} swept;
static swept it;

static void swept_eval(ls_dut *dut) {
    (void)dut;
    if (it.clock && it.dut_writes && it.dut_row < SWEPT_ROWS) it.dut[it.dut_row * 128 + 5] ^= 0x10;
}

static void swept_comb(const void *model, const void *in, void *out) {
    (void)model;
    (void)in;
    (void)out;
}

static void swept_clock(void *model, const void *in) {
    (void)in;
    if (it.model_writes && it.model_row < SWEPT_ROWS) ((uint8_t *)model)[it.model_row * 128 + 5] ^= 0x10;
}

static uint32_t swept_touched(const void *model, const void *in, const void *out, ls_touch *list) {
    (void)model;
    (void)in;
    (void)out;
    list[0] = (ls_touch){.memory = 0, .row = it.model_row};
    return it.model_writes;
}

/* What the model writes and what the DUT's write port names is compared in that very cycle, not when the rolling sweep comes by;
 * rows that do not exist are not looked at. */
static void both_sides_rows_are_compared_at_once(void **state) {
    static const struct {
        bool model_writes, dut_writes;
        uint32_t model_row, dut_row;
        ls_where where;
    } cases[] = {{false, false, 0, 0, LS_EQUAL},   {true, true, 7, 7, LS_EQUAL},      {true, false, 7, 7, LS_AT_STATE},
                 {false, true, 7, 7, LS_AT_STATE}, {true, true, 7, 8, LS_AT_STATE},   {true, true, 8, 7, LS_AT_STATE},
                 {true, true, 39, 39, LS_EQUAL},   {false, true, 0, 39, LS_AT_STATE}, {true, false, 39, 0, LS_AT_STATE},
                 {false, true, 0, 40, LS_EQUAL},   {true, false, 40, 0, LS_EQUAL},    {true, true, 63, 62, LS_EQUAL}};
    uint8_t port[2][8] = {{0}, {0}};
    (void)state;
    it.dut = malloc(SWEPT_ROOM * 128);
    it.model = malloc(SWEPT_ROOM * 128);
    assert_non_null(it.dut);
    assert_non_null(it.model);
    const ls_signal signals[] = {{"we_i", port[0], 1, 1, 1, LS_SIGNAL_IN},
                                 {"waddr_i", port[1], 6, 1, 1, LS_SIGNAL_IN},
                                 {"mem_q", it.dut, 1024, SWEPT_ROWS, 128, LS_SIGNAL_REG}};
    ls_field field = {.name = (char *)(uintptr_t) "mem_q",
                      .kind = LS_MEMORY,
                      .bits = 1024,
                      .count = SWEPT_ROWS,
                      .size = 128,
                      .write_enable = "we",
                      .write_row = "waddr"};
    const ls_fields fields = {.list = &field, .count = 1};
    const ls_unit unit = {.comb = swept_comb, .clock = swept_clock, .touched = swept_touched};
    const ls_dut_api api = {.eval = swept_eval, .edge = swept_eval};
    char error[256];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ls_pair pair = {.unit = &unit, .model = it.model, .api = &api, .clock = &it.clock, .row = 20};
        memset(it.dut, 1, SWEPT_ROOM * 128);
        memset(it.model, 2, SWEPT_ROOM * 128);
        memset(it.dut, 0, SWEPT_ROWS * 128);
        memset(it.model, 0, SWEPT_ROWS * 128);
        assert_int_equal(ls_bind(&pair.binding, &fields, signals, 3, false, error, sizeof error), 0);
        it.model_writes = cases[i].model_writes, it.model_row = cases[i].model_row;
        it.dut_writes = cases[i].dut_writes, it.dut_row = cases[i].dut_row;
        port[0][0] = it.dut_writes;
        port[1][0] = (uint8_t)it.dut_row;
        if (ls_pair_cycle(&pair, NULL) != cases[i].where) fail_msg("case %zu", i);
        assert_int_equal(pair.row, 21); /* the rolling sweep was elsewhere */
        assert_int_equal(ls_pair_all(&pair), cases[i].where);
        it.dut[3 * 128] ^=
            1; /* a row that nobody writes: the rolling sweep finds it when it comes by, the whole comparison at once */
        it.model_writes = it.dut_writes = false;
        port[0][0] = 0;
        if (cases[i].where == LS_EQUAL) assert_int_equal(ls_pair_cycle(&pair, NULL), LS_EQUAL);
        assert_int_equal(ls_pair_all(&pair), LS_AT_STATE);
        pair.row = 3;
        assert_int_equal(ls_pair_cycle(&pair, NULL), LS_AT_STATE);
        ls_binding_free(&pair.binding);
    }
    free(it.dut);
    free(it.model);
}

/* How many bytes of our memory hold code. */
static uint64_t code_bytes(void) {
    char line[512];
    uint64_t bytes = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps) != NULL) {
        char *end;
        const uint64_t from = strtoull(line, &end, 16), to = *end == '-' ? strtoull(end + 1, NULL, 16) : from;
        if (strstr(line, " r-xp ") != NULL) bytes += to - from;
    }
    (void)fclose(maps);
    return bytes;
}

/* The machine code of a plan goes with it. */
static void no_code_is_left_behind(void **state) {
    ls_rng rng;
    uint64_t before = 0;
    (void)state;
    ls_rng_seed(&rng, 8);
    for (int i = 0; i < 12; i++) {
        fixture out, reg;
        start(&out, LS_OUT, (shape){.bits = 33, .count = 1, .size = 8}, &rng);
        start(&reg, LS_STATE, (shape){.bits = 33, .count = 1, .size = 8}, &rng);
        stop(&out);
        stop(&reg);
        if (i == 0) before = code_bytes();
    }
    assert_int_equal(code_bytes(), before);
}

/* Many fields in one plan: exactly the one that was tampered with is found. */
static void one_field_among_many(void **state) {
    enum { FIELDS = 60, ROOM = 1 << 16 };
    static const uint32_t sizes[] = {1, 2, 4, 8, 32, 128};
    static uint8_t dut[ROOM], model[ROOM];
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 6);
    for (int round = 0; round < 40; round++) {
        ls_field list[FIELDS];
        ls_signal signals[FIELDS];
        char names[FIELDS][8];
        size_t dut_at = 0, model_at = 0;
        uint32_t place[FIELDS]; /* the DUT keeps its signals in another order than the model its members, in every second round */
        for (uint32_t i = 0; i < FIELDS; i++) {
            const uint32_t j = round % 2 != 0 ? ls_rng_below(&rng, i + 1) : i;
            place[i] = place[j];
            place[j] = i;
        }
        for (uint32_t i = 0; i < FIELDS; i++) {
            const bool small = ls_rng_chance(&rng, 160); /* several of them share 8 bytes */
            const uint32_t size = sizes[ls_rng_below(&rng, small ? 2 : 6)], count = small ? 1 : 1 + ls_rng_below(&rng, 8);
            (void)snprintf(names[i], sizeof names[i], "f%u", i);
            list[i] = (ls_field){.name = names[i],
                                 .kind = LS_STATE,
                                 .bits = 1 + ls_rng_below(&rng, size * 8),
                                 .count = count,
                                 .offset = model_at,
                                 .size = size};
            model_at += (size_t)size * count;
        }
        for (uint32_t k = 0; k < FIELDS; k++) {
            const uint32_t i = place[k], bits = list[i].bits, count = list[i].count;
            const bool array = count > 1 && ls_rng_chance(&rng, 128);
            signals[i] = (ls_signal){
                names[i],     dut + dut_at, array ? bits : bits * count, array ? count : 1, storage(array ? bits : bits * count),
                LS_SIGNAL_REG};
            dut_at += (size_t)signals[i].stride * signals[i].count;
        }
        assert_true(dut_at + 8 < ROOM && model_at + 8 < ROOM);
        memset(dut, 0, sizeof dut);
        memset(model, 0, sizeof model);
        char error[256];
        ls_binding binding;
        assert_int_equal(
            ls_bind(&binding, &(ls_fields){.list = list, .count = FIELDS}, signals, FIELDS, false, error, sizeof error), 0);
        assert_false(differs(&binding.state, model));
        for (uint32_t i = 0; i < FIELDS; i++) /* random contents, the same on both sides */
            for (uint32_t bit = 0; bit < list[i].bits * list[i].count; bit++) {
                const uint32_t e = bit / list[i].bits, b = bit % list[i].bits, value = (uint32_t)(ls_rng_u64(&rng) & 1);
                const size_t at = signals[i].count > 1 ? (size_t)e * signals[i].stride * 8 + b : bit;
                set_bit((uint8_t *)signals[i].addr + at / 8, (uint32_t)(at % 8), value);
                set_bit(&model[list[i].offset + (size_t)e * list[i].size + b / 8], b % 8, value);
            }
        assert_false(differs(&binding.state, model));
        for (int k = 0; k < 500; k++) {
            const uint32_t i = ls_rng_below(&rng, FIELDS), e = ls_rng_below(&rng, list[i].count),
                           bit = ls_rng_below(&rng, list[i].bits);
            uint8_t *byte = &model[list[i].offset + (size_t)e * list[i].size + bit / 8];
            *byte = (uint8_t)(*byte ^ (1u << (bit % 8)));
            assert_true(differs(&binding.state, model));
            for (uint32_t other = 0; other < FIELDS; other++)
                assert_int_equal(ls_first_difference(&binding.list[other], model), other == i ? (int64_t)e : -1);
            *byte = (uint8_t)(*byte ^ (1u << (bit % 8)));
            const size_t at = signals[i].count > 1 ? (size_t)e * signals[i].stride * 8 + bit : (size_t)e * list[i].bits + bit;
            byte = (uint8_t *)signals[i].addr + at / 8;
            *byte = (uint8_t)(*byte ^ (1u << (at % 8)));
            assert_true(differs(&binding.state, model));
            assert_int_equal(ls_first_difference(&binding.list[i], model), e);
            *byte = (uint8_t)(*byte ^ (1u << (at % 8)));
        }
        for (uint32_t i = 1; i < FIELDS; i++) { /* equal differences do not cancel out */
            model[list[i - 1].offset] ^= 1;
            model[list[i].offset] ^= 1;
            assert_true(differs(&binding.state, model));
            model[list[i - 1].offset] ^= 1;
            model[list[i].offset] ^= 1;
        }
        assert_false(differs(&binding.state, model));
        ls_binding_free(&binding);
    }
}

enum { LINE = 64, AREA = LINE * 12 };

/* Bytes that are a field: where they are in the DUT and in the model. */
typedef struct stretch {
    uint32_t bytes, from, to;
} stretch;

static bool covers(const stretch *list, size_t count, uint32_t at, bool dut) {
    for (size_t i = 0; i < count; i++)
        if (at - (dut ? list[i].from : list[i].to) < list[i].bytes) return true;
    return false;
}

/* Long fields in memory that begins with a cache line: every byte of theirs counts, and none around them. */
static void check_long(const stretch *list, size_t count) {
    static _Alignas(LINE) uint8_t dut[AREA], model[AREA];
    static char *const names[] = {(char *)(uintptr_t) "a", (char *)(uintptr_t) "b"};
    ls_field fields[2];
    ls_signal signals[2];
    ls_binding binding;
    char error[256];
    for (uint32_t i = 0; i < AREA; i++) dut[i] = (uint8_t)(i * 7 + 1), model[i] = (uint8_t)(i * 11 + 2);
    for (size_t i = 0; i < count; i++) {
        memcpy(model + list[i].to, dut + list[i].from, list[i].bytes);
        fields[i] =
            (ls_field){.name = names[i], .kind = LS_STATE, .bits = 8, .count = list[i].bytes, .offset = list[i].to, .size = 1};
        signals[i] = (ls_signal){names[i], dut + list[i].from, 8, list[i].bytes, 1, LS_SIGNAL_REG};
    }
    assert_int_equal(ls_bind(&binding, &(ls_fields){.list = fields, .count = count}, signals, count, false, error, sizeof error),
                     0);
    assert_false(differs(&binding.state, model));
    for (uint32_t i = 0; i < AREA; i++) {
        dut[i] ^= 0x80;
        if ((ls_differs(&binding.state, model) != 0) != covers(list, count, i, true))
            fail_msg("%u bytes, %u and %u: byte %u of the DUT", list[0].bytes, list[0].from, list[0].to, i);
        dut[i] ^= 0x80;
        model[i] ^= 0x01;
        if ((ls_differs(&binding.state, model) != 0) != covers(list, count, i, false))
            fail_msg("%u bytes, %u and %u: byte %u of the model", list[0].bytes, list[0].from, list[0].to, i);
        model[i] ^= 0x01;
    }
    /* The first is not the shorter one. Short ones are left where they are. */
    assert_int_equal(ls_plan_shift(&binding.state, model, 1), list[0].bytes < 2 * LINE ? 0 : (list[0].from - list[0].to) % LINE);
    assert_int_equal(ls_plan_shift(&binding.state, model, 0), 0);
    assert_int_equal(ls_plan_shift(&binding.state, model, 8) % 8, 0);
    ls_binding_free(&binding);
}

static void long_fields_at_every_place_of_a_line(void **state) {
    static const uint32_t lengths[] = {96, 127, 128, 129, 159, 160, 192, 255, 256, 320, 330};
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 7);
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        for (uint32_t from = 0; from < LINE; from++) {
            check_long(&(stretch){lengths[k], from, from}, 1);
            check_long(&(stretch){lengths[k], from, ls_rng_below(&rng, LINE)}, 1);
        }
    for (uint32_t from = 0; from < LINE; from++) { /* another one behind it, elsewhere in its lines */
        const uint32_t to = ls_rng_below(&rng, LINE), gap = ls_rng_below(&rng, LINE);
        check_long((const stretch[]){{320, from, to}, {160, 7 * LINE + (from + gap) % LINE, 8 * LINE + gap}}, 2);
    }
}

/* Fields that follow each other on both sides are compared as one; those that do on one side only are not. */
static void neighbours_are_one_run(void **state) {
    enum { PARTS = 12, PART = 16 };
    static uint8_t dut[PARTS * PART * 2], model[PARTS * PART * 2];
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 8);
    for (int round = 0; round < 300; round++) {
        ls_field list[PARTS];
        ls_signal signals[PARTS];
        char names[PARTS][8], error[256];
        size_t dut_at = 0, model_at = 0;
        for (uint32_t i = 0; i < PARTS; i++) {
            const uint32_t count = 1 + ls_rng_below(&rng, PART - 1);
            (void)snprintf(names[i], sizeof names[i], "f%u", i);
            if (round % 3 != 0) dut_at += ls_rng_chance(&rng, 64), model_at += ls_rng_chance(&rng, 64);
            list[i] = (ls_field){.name = names[i], .kind = LS_STATE, .bits = 8, .count = count, .offset = model_at, .size = 1};
            signals[i] = (ls_signal){names[i], dut + dut_at, 8, count, 1, LS_SIGNAL_REG};
            dut_at += count;
            model_at += count;
        }
        for (size_t i = 0; i < sizeof dut; i++) dut[i] = (uint8_t)ls_rng_u64(&rng), model[i] = (uint8_t)ls_rng_u64(&rng);
        for (uint32_t i = 0; i < PARTS; i++) memcpy(model + list[i].offset, signals[i].addr, list[i].count);
        ls_binding binding;
        assert_int_equal(
            ls_bind(&binding, &(ls_fields){.list = list, .count = PARTS}, signals, PARTS, false, error, sizeof error), 0);
        assert_false(differs(&binding.state, model));
        for (uint32_t i = 0; i < PARTS; i++)
            for (uint32_t e = 0; e < list[i].count; e++) {
                model[list[i].offset + e] ^= 0x10;
                assert_true(differs(&binding.state, model));
                for (uint32_t other = 0; other < PARTS; other++)
                    assert_int_equal(ls_first_difference(&binding.list[other], model), other == i ? (int64_t)e : -1);
                model[list[i].offset + e] ^= 0x10;
            }
        ls_binding_free(&binding);
    }
}

/* Everything that does not fit is refused in words that name it. */
static void what_does_not_fit_is_refused(void **state) {
    uint8_t data[64] = {0};
    const struct {
        ls_field field;
        ls_signal signal;
        const char *words[2];
    } cases[] = {
        {{.name = (char *)(uintptr_t) "a", .kind = LS_IN, .bits = 3, .count = 1, .size = 1},
         {"b_i", data, 3, 1, 1, LS_SIGNAL_IN},
         {"input port a_i", "3 bits"}},
        {{.name = (char *)(uintptr_t) "a", .kind = LS_OUT, .bits = 1, .count = 1, .size = 1},
         {"a_i", data, 1, 1, 1, LS_SIGNAL_IN},
         {"output port a_o", "no"}},
        {{.name = (char *)(uintptr_t) "a", .kind = LS_IN, .bits = 1, .count = 1, .size = 1},
         {"a_i", data, 1, 1, 1, LS_SIGNAL_OUT},
         {"a_i", "not an input"}},
        {{.name = (char *)(uintptr_t) "a", .kind = LS_OUT, .bits = 1, .count = 1, .size = 1},
         {"a_o", data, 1, 1, 1, LS_SIGNAL_REG},
         {"a_o", "not an output"}},
        {{.name = (char *)(uintptr_t) "a", .kind = LS_STATE, .bits = 8, .count = 1, .size = 1},
         {"a", data, 7, 1, 1, LS_SIGNAL_REG},
         {"1 x 8", "1 x 7"}},
        {{.name = (char *)(uintptr_t) "a", .kind = LS_STATE, .bits = 4, .count = 3, .size = 1},
         {"a", data, 4, 4, 1, LS_SIGNAL_REG},
         {"3 x 4", "4 x 4"}},
        {{.name = (char *)(uintptr_t) "a", .kind = LS_STATE, .bits = 4, .count = 3, .size = 1},
         {"a", data, 16, 1, 2, LS_SIGNAL_REG},
         {"3 x 4", "1 x 16"}},
        {{.name = (char *)(uintptr_t) "a", .kind = LS_STATE, .bits = 9, .count = 1, .size = 1},
         {"a", data, 9, 1, 2, LS_SIGNAL_REG},
         {"register a", "have 9 bits an element, the model's member has 8 bits"}},
        {{.name = (char *)(uintptr_t) "a", .kind = LS_STATE, .bits = 0, .count = 1, .size = 1},
         {"a", data, 0, 1, 1, LS_SIGNAL_REG},
         {"register a", "the list says 0 bits"}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ls_field field = cases[i].field;
        ls_binding binding;
        char error[256] = "";
        assert_int_equal(
            ls_bind(&binding, &(ls_fields){.list = &field, .count = 1}, &cases[i].signal, 1, false, error, sizeof error), -1);
        for (int w = 0; w < 2; w++)
            if (strstr(error, cases[i].words[w]) == NULL) fail_msg("\"%s\" does not say \"%s\"", error, cases[i].words[w]);
        ls_binding_free(&binding);
    }
}

static void ports_only_leaves_registers_alone(void **state) {
    uint8_t data[16] = {0};
    ls_field list[] = {{.name = (char *)(uintptr_t) "a", .kind = LS_OUT, .bits = 1, .count = 1, .size = 1},
                       {.name = (char *)(uintptr_t) "b_q", .kind = LS_STATE, .bits = 1, .count = 1, .size = 1}};
    const ls_signal signal = {"a_o", data, 1, 1, 1, LS_SIGNAL_OUT};
    ls_binding binding;
    char error[256];
    (void)state;
    assert_int_equal(ls_bind(&binding, &(ls_fields){.list = list, .count = 2}, &signal, 1, true, error, sizeof error), 0);
    assert_int_equal(binding.count, 1);
    assert_int_equal(binding.outputs.compared_bits, 1);
    assert_int_equal(binding.state.compared_bits, 0);
    ls_binding_free(&binding);
}

static void ports_only_copies_memories(void **state) {
    uint8_t data[8] = {0};
    ls_field list[] = {{.name = (char *)(uintptr_t) "m_q", .kind = LS_MEMORY, .bits = 8, .count = 4, .size = 1}};
    ls_signal signal = {"m_q", data, 8, 4, 1, LS_SIGNAL_REG};
    ls_binding binding;
    char error[256];
    (void)state;
    assert_int_equal(ls_bind(&binding, &(ls_fields){.list = list, .count = 1}, &signal, 1, true, error, sizeof error), 0);
    assert_int_equal(binding.count, 0);
    assert_int_equal(binding.copied_count, 1);
    assert_int_equal(binding.state.compared_bits, 0);
    ls_binding_free(&binding);
    signal.count = 3; /* of another shape: it is not this memory */
    assert_int_equal(ls_bind(&binding, &(ls_fields){.list = list, .count = 1}, &signal, 1, true, error, sizeof error), 0);
    assert_int_equal(binding.copied_count, 0);
    ls_binding_free(&binding);
}

/* Every bit of elements of every size: beyond the width the element is named, within it is not. */
static void an_unfit_element_is_found(void **state) {
    enum { COUNT = 11, OFFSET = 3 };
    static const uint32_t sizes[] = {1, 2, 4, 8, 12, 128};
    (void)state;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        const uint32_t size = sizes[s], widths[] = {1, 5, 8 * size - 31, 4 * size, 8 * size - 1, 8 * size};
        for (size_t w = 0; w < sizeof widths / sizeof *widths; w++) {
            if (widths[w] == 0 || widths[w] > 8 * size) continue; /* less than 0 */
            const ls_field field = {.kind = LS_IN, .bits = widths[w], .count = COUNT, .size = size, .offset = OFFSET};
            uint8_t data[OFFSET + COUNT * 128 + 8];
            for (uint32_t k = 0; k < COUNT; k++) {
                for (uint32_t bit = 0; bit < 8 * size; bit++) {
                    memset(data, 0, sizeof data);
                    memset(data, 0xff, OFFSET);
                    memset(data + OFFSET + COUNT * size, 0xff, 8);
                    data[OFFSET + k * size + bit / 8] = (uint8_t)(1u << bit % 8);
                    assert_int_equal(ls_model_unfit(&field, data), bit < widths[w] ? -1 : (int)k);
                    for (uint32_t i = k + 1; i < COUNT; i++) data[OFFSET + (i + 1) * size - 1] = 0x80;
                    const bool top = widths[w] < 8 * size && k + 1 < COUNT;
                    assert_int_equal(ls_model_unfit(&field, data), bit >= widths[w] ? (int)k : top ? (int)k + 1 : -1);
                }
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars_of_every_width_and_size),
        cmocka_unit_test(arrays_of_every_width_and_size),
        cmocka_unit_test(vectors_of_small_elements),
        cmocka_unit_test(vectors_of_large_elements),
        cmocka_unit_test(memories_are_compared_by_rows),
        cmocka_unit_test(small_memories_are_swept_together),
        cmocka_unit_test(both_sides_rows_are_compared_at_once),
        cmocka_unit_test(no_code_is_left_behind),
        cmocka_unit_test(one_field_among_many),
        cmocka_unit_test(long_fields_at_every_place_of_a_line),
        cmocka_unit_test(neighbours_are_one_run),
        cmocka_unit_test(what_does_not_fit_is_refused),
        cmocka_unit_test(an_unfit_element_is_found),
        cmocka_unit_test(ports_only_leaves_registers_alone),
        cmocka_unit_test(ports_only_copies_memories),
    };
    return cmocka_run_group_tests_name("harness/core/plan.c", tests, NULL, NULL);
}
