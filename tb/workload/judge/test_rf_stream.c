/* SPDX-License-Identifier: Apache-2.0 */
/* The stream file: what was written comes back, whatever it was; damage anywhere is reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "harness/base/rng.h"
#include "tb/workload/judge/rf_stream_seal.h"
#include "tb/workload/judge/rf_stream_trial.h"

static const char *const words[] = {"add.s32", "ld.global.f32", "st.global.v4.f32", "ex2.approx.ftz.f32", "bra", "@p"};
#define WORDS (sizeof words / sizeof words[0])

/* --- making ----------------------------------------------------------------------------------------------------------------- */

static void random_hint(ls_rng *rng, rf_inst *inst) {
    static const uint8_t from[] = {0, RF_FROM_UPPER, RF_FROM_KEEP}, to[] = {0, RF_TO_UPPER, RF_TO_UPPER | RF_TO_NOT_MRF};
    rf_hint *const hint = &inst->hint;
    *hint = (rf_hint){0};
    if (ls_rng_chance(rng, 64)) return;
    hint->src_near = ls_rng_below(rng, 1u << 24);
    hint->dst_near = ls_rng_below(rng, 1u << 16);
    hint->src_dead = ls_rng_below(rng, 8);
    hint->dst_dead = ls_rng_below(rng, 2);
    hint->flags = (uint8_t)ls_rng_below(rng, 128);
    hint->nfree = (uint8_t)ls_rng_below(rng, RF_HINT_FREE_MAX + 1);
    for (uint32_t i = 0; i < hint->nfree; i++) {
        hint->free_reg[i] = (uint8_t)ls_rng_below(rng, 256);
        hint->free_was[i] = (uint8_t)ls_rng_below(rng, 256);
    }
    if (ls_rng_chance(rng, 128)) return;
    for (uint32_t i = 0; i < inst->nsrc; i++) {
        hint->src_from[i] = from[ls_rng_below(rng, 3)];
        if (hint->src_from[i]) hint->src_from[i] = (uint8_t)(hint->src_from[i] | ls_rng_below(rng, RF_LEVEL_NAME + 1));
    }
    for (uint32_t i = 0; i < inst->ndst; i++) {
        hint->dst_to[i] = to[ls_rng_below(rng, 3)];
        if (hint->dst_to[i]) hint->dst_to[i] = (uint8_t)(hint->dst_to[i] | ls_rng_below(rng, RF_LEVEL_NAME + 1));
    }
}

static void random_static(ls_rng *rng, rf_inst *inst) {
    *inst = (rf_inst){.pc = ls_rng_chance(rng, 128) ? 16 * ls_rng_below(rng, 100) : ls_rng_u64(rng),
                      .mask = UINT32_MAX,
                      .opclass = (rf_opclass)ls_rng_below(rng, 5),
                      .load = ls_rng_chance(rng, 64),
                      .store = ls_rng_chance(rng, 64),
                      .nsrc = (uint8_t)ls_rng_below(rng, ls_rng_chance(rng, 16) ? RF_INST_SRC_MAX + 1 : 4),
                      .ndst = (uint8_t)ls_rng_below(rng, ls_rng_chance(rng, 16) ? RF_INST_DST_MAX + 1 : 3),
                      .width = ls_rng_chance(rng, 128) ? 0 : 1 + ls_rng_below(rng, 64),
                      .immediate = ls_rng_chance(rng, 128) ? 0 : (int64_t)ls_rng_u64(rng) >> ls_rng_below(rng, 64),
                      .index = RF_INDEX_NONE};
    set_text(inst, words[ls_rng_below(rng, WORDS)]);
    for (uint32_t i = 0; i < inst->nsrc; i++) inst->src[i] = (uint8_t)ls_rng_below(rng, 256);
    for (uint32_t i = 0; i < inst->ndst; i++) inst->dst[i] = (uint8_t)ls_rng_below(rng, 256);
}

/* Lanes of every form: uniform, strided, of two values, within a range, anything; wrapping around. */
static void random_lanes(ls_rng *rng, uint32_t mask, uint64_t lane[RF_LANES_MAX]) {
    const uint32_t form = ls_rng_below(rng, 6), shift = ls_rng_below(rng, 60), wide = 1 + ls_rng_below(rng, 64);
    uint64_t base = ls_rng_u64(rng) >> ls_rng_below(rng, 64);
    if (ls_rng_chance(rng, 32)) base = UINT64_MAX - ls_rng_below(rng, 40);
    if (ls_rng_chance(rng, 32)) base = UINT32_MAX - ls_rng_below(rng, 40);
    const uint64_t other = ls_rng_u64(rng), step = ls_rng_chance(rng, 128) ? ls_rng_below(rng, 32) : other;
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
        const uint64_t any = ls_rng_u64(rng);
        lane[l] = form == 0   ? base
                  : form == 1 ? base + step * l
                  : form == 2 ? (any & 1 ? base : other)
                  : form == 3 ? base + (any >> (64 - wide) << shift)
                  : form == 4 ? (ls_rng_chance(rng, 8) ? other : base + step * l)
                              : any;
        if (!(mask >> l & 1)) lane[l] = 0;
    }
}

static uint32_t random_mask(ls_rng *rng) {
    switch (ls_rng_below(rng, 5)) {
    case 0:
        return 0;
    case 1:
        return UINT32_C(1) << ls_rng_below(rng, 32);
    case 2:
        return UINT32_MAX;
    case 3:
        return 0xffff;
    default:
        return (uint32_t)ls_rng_u64(rng);
    }
}

/* What a workload's reader would hand out: one more instruction of the warp. */
static void random_instruction(ls_rng *rng, const rf_program *program, rf_warp *warp) {
    uint64_t lane[RF_LANES_MAX];
    assert_int_equal(rf_warp_reserve(warp, RF_LANES_MAX, RF_INST_DST_MAX * RF_LANES_MAX), 0);
    rf_inst *const inst = &warp->inst[warp->count++];
    if (program->ninst && ls_rng_chance(rng, 192)) {
        const uint32_t before = warp->count > 1 ? warp->inst[warp->count - 2].index : RF_INDEX_NONE;
        const uint32_t next = before < program->ninst - 1 ? before + 1 : 0;
        *inst = program->inst[ls_rng_chance(rng, 192) ? next : ls_rng_below(rng, program->ninst)];
        if (ls_rng_chance(rng, 32)) random_hint(rng, inst);
    } else {
        const bool again = warp->count > 1 && ls_rng_chance(rng, 128);
        if (again) *inst = warp->inst[ls_rng_below(rng, (uint32_t)warp->count - 1)];
        else random_static(rng, inst);
        inst->index = RF_INDEX_NONE;
        inst->address = NULL;
        inst->value = NULL;
        random_hint(rng, inst);
    }
    inst->mask = ls_rng_chance(rng, 128) && warp->count > 1 ? warp->inst[warp->count - 2].mask : random_mask(rng);
    if (inst->mask == 0) inst->nsrc = inst->ndst = 0;
    if (inst->mask == 0 && inst->index == RF_INDEX_NONE) { /* nothing is known of operands: no places */
        memset(inst->hint.src_from, 0, sizeof inst->hint.src_from);
        memset(inst->hint.dst_to, 0, sizeof inst->hint.dst_to);
    }
    if (inst->width && ls_rng_chance(rng, 192)) {
        random_lanes(rng, inst->mask, warp->address + warp->address_count);
        warp->address_count += RF_LANES_MAX;
        inst->address = (uint64_t *)1;
    }
    if (inst->ndst && ls_rng_chance(rng, 192)) {
        for (uint32_t d = 0; d < inst->ndst; d++) {
            random_lanes(rng, inst->mask, lane);
            for (uint32_t l = 0; l < RF_LANES_MAX; l++) warp->value[warp->value_count++] = (uint32_t)lane[l];
        }
        inst->value = (uint32_t *)4;
    }
}

static void random_warp(ls_rng *rng, const rf_program *program, uint32_t count, rf_warp *warp) {
    warp->count = warp->address_count = warp->value_count = 0;
    for (uint32_t i = 0; i < 3; i++) warp->block[i] = ls_rng_below(rng, 70000);
    warp->warp = ls_rng_below(rng, 32);
    for (uint32_t i = 0; i < count; i++) random_instruction(rng, program, warp);
    rf_warp_link(warp);
}

static void random_program(ls_rng *rng, uint32_t ninst, rf_program *p) {
    *p = (rf_program){
        .kernel = strdup("_Z6kernelPf"), .origin = strdup("a.ptx, 63 registers"), .ninst = ninst, .nblock = ninst / 3};
    for (uint32_t i = 0; i < 3; i++) p->grid[i] = 1 + ls_rng_below(rng, 70000), p->block[i] = 1 + ls_rng_below(rng, 1024);
    p->shared_bytes = ls_rng_below(rng, 65536);
    p->nreg = ls_rng_below(rng, 257);
    size_t start[WORDS];
    for (size_t i = 0; i < WORDS; i++) start[i] = p->text_bytes, p->text_bytes += strlen(words[i]) + 1;
    p->text = malloc(p->text_bytes);
    for (size_t i = 0; i < WORDS; i++) strcpy(p->text + start[i], words[i]);
    p->inst = calloc(ninst + 1, sizeof *p->inst);
    p->code = calloc(ninst / 3 + 1, sizeof *p->code);
    for (uint32_t i = 0; i < ninst; i++) {
        random_static(rng, &p->inst[i]);
        set_text(&p->inst[i], p->text + start[ls_rng_below(rng, WORDS)]);
        random_hint(rng, &p->inst[i]);
        p->inst[i].index = i;
    }
    for (uint32_t b = 0; b < p->nblock; b++) {
        p->code[b] = (rf_program_block){.first = 3 * b,
                                        .count = 3,
                                        .succ = {RF_INDEX_NONE, ls_rng_below(rng, p->nblock)},
                                        .ipdom = ls_rng_chance(rng, 64) ? RF_INDEX_NONE : ls_rng_below(rng, p->nblock)};
    }
}

/* --- comparing -------------------------------------------------------------------------------------------------------------- */

static void same_static(const rf_inst *a, const rf_inst *b) {
    assert_int_equal(a->pc, b->pc);
    assert_int_equal(a->opcode, b->opcode);
    assert_int_equal(a->immediate, b->immediate);
    assert_string_equal(a->mnemonic, b->mnemonic);
    assert_int_equal(a->opclass, b->opclass);
    assert_int_equal(a->load, b->load);
    assert_int_equal(a->store, b->store);
    assert_int_equal(a->width, b->width);
    assert_int_equal(a->mask, b->mask);
    assert_int_equal(a->index, b->index);
    assert_int_equal(a->nsrc, b->nsrc);
    assert_int_equal(a->ndst, b->ndst);
    assert_memory_equal(a->src, b->src, a->nsrc);
    assert_memory_equal(a->dst, b->dst, a->ndst);
    assert_int_equal(a->hint.src_near, b->hint.src_near);
    assert_int_equal(a->hint.dst_near, b->hint.dst_near);
    assert_int_equal(a->hint.src_dead, b->hint.src_dead);
    assert_int_equal(a->hint.dst_dead, b->hint.dst_dead);
    assert_int_equal(a->hint.flags, b->hint.flags);
    assert_int_equal(a->hint.nfree, b->hint.nfree);
    assert_memory_equal(a->hint.free_reg, b->hint.free_reg, RF_HINT_FREE_MAX);
    assert_memory_equal(a->hint.free_was, b->hint.free_was, RF_HINT_FREE_MAX);
    assert_memory_equal(a->hint.src_from, b->hint.src_from, sizeof a->hint.src_from);
    assert_memory_equal(a->hint.dst_to, b->hint.dst_to, sizeof a->hint.dst_to);
}

static void same_warp(const rf_warp *a, const rf_warp *b) {
    assert_memory_equal(a->block, b->block, sizeof a->block);
    assert_int_equal(a->warp, b->warp);
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        const rf_inst *const x = &a->inst[i], *const y = &b->inst[i];
        same_static(x, y);
        assert_int_equal(!x->address, !y->address);
        assert_int_equal(!x->value, !y->value);
        if (x->address) assert_memory_equal(x->address, y->address, RF_LANES_MAX * sizeof *x->address);
        if (x->value) assert_memory_equal(x->value, y->value, x->ndst * RF_LANES_MAX * sizeof *x->value);
    }
}

static void same_program(const rf_program *a, const rf_program *b) {
    assert_string_equal(a->kernel, b->kernel);
    assert_string_equal(a->origin, b->origin);
    assert_memory_equal(a->grid, b->grid, sizeof a->grid);
    assert_memory_equal(a->block, b->block, sizeof a->block);
    assert_true(a->shared_bytes == b->shared_bytes && a->nreg == b->nreg && a->ninst == b->ninst && a->nblock == b->nblock);
    assert_int_equal(a->text_bytes, b->text_bytes);
    if (a->text_bytes) assert_memory_equal(a->text, b->text, a->text_bytes);
    if (a->nblock) assert_memory_equal(a->code, b->code, a->nblock * sizeof *a->code);
    for (uint32_t i = 0; i < a->ninst; i++) {
        same_static(&a->inst[i], &b->inst[i]);
        assert_true(b->inst[i].mnemonic >= b->text && b->inst[i].mnemonic < b->text + b->text_bytes);
    }
}

/* --- round trips ------------------------------------------------------------------------------------------------------------ */

#define KERNELS 4
#define WARPS 4
static rf_program program[KERNELS];
static rf_warp warp[KERNELS][WARPS];

/* Kernels of different sizes, one without instructions, one without warps, as bytes. */
static void random_file(uint64_t seed, uint32_t most, rf_memory_bytes *to) {
    ls_rng rng;
    ls_rng_seed(&rng, seed);
    rf_stream_writer *const w = open_writer(to);
    for (uint32_t k = 0; k < KERNELS; k++) {
        random_program(&rng, k == 1 ? 0 : 1 + ls_rng_below(&rng, 1 + most / 4), &program[k]);
        assert_int_equal(rf_stream_write_program(w, &program[k]), 0);
        for (uint32_t i = 0; i < WARPS && k != 2; i++) {
            random_warp(&rng, &program[k], ls_rng_below(&rng, most), &warp[k][i]);
            assert_int_equal(rf_stream_write_warp(w, &warp[k][i]), 0);
        }
    }
    close_writer(w);
}

static void free_all(void) {
    for (uint32_t k = 0; k < KERNELS; k++) {
        rf_program_free(&program[k]);
        for (uint32_t i = 0; i < WARPS; i++) rf_warp_free(&warp[k][i]);
    }
}

static void read_back(const rf_memory_bytes *from, size_t piece) {
    reading x;
    assert_true(open_reader(&x, from->bytes, from->size, piece));
    for (uint32_t k = 0; k < KERNELS; k++) {
        for (uint32_t i = 0; i < WARPS && k != 2; i++) {
            if (next(&x) != 1) fail_msg("%s", x.error);
            assert_int_equal(rf_stream_kernels(x.stream), k + 1);
            same_program(&program[k], x.program);
            same_warp(&warp[k][i], &x.warp);
        }
    }
    for (uint32_t i = 0; i < 2; i++) assert_int_equal(next(&x), 0);
    assert_int_equal(rf_stream_kernels(x.stream), KERNELS);
    assert_string_equal(rf_stream_error(x.stream), "");
    close_reader(&x);
}

static void what_is_written_comes_back(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        rf_memory_bytes to = {0};
        random_file(seed, seed < 50 ? 60 : 3000, &to);
        read_back(&to, seed % 3 == 0 ? SIZE_MAX : seed % 3 == 1 ? 1 : 777);
        free_all();
        free(to.bytes);
    }
}

/* A file of version 1 differs in nothing else while no hint has places. */
static void version_1_is_read(void **state) {
    (void)state;
    static const uint8_t one[] = {1, 0, 0, 0};
    rf_memory_bytes to = {0};
    rf_inst inst = {.mask = 1, .index = RF_INDEX_NONE, .nsrc = 1, .hint = {.flags = 63, .src_near = 1}};
    const rf_warp written = {.count = 1, .inst = &inst};
    rf_program p = {.kernel = (char[]){"k"}, .origin = (char[]){""}};
    reading x;
    set_text(&inst, words[0]);
    rf_stream_writer *const w = open_writer(&to);
    assert_int_equal(rf_stream_write_program(w, &p), 0);
    assert_int_equal(rf_stream_write_warp(w, &written), 0);
    close_writer(w);
    memcpy(to.bytes + 8, one, sizeof one);
    rf_stream_seal((uint8_t *)to.bytes, to.size);
    assert_true(open_reader(&x, to.bytes, to.size, SIZE_MAX));
    assert_int_equal(next(&x), 1);
    same_warp(&written, &x.warp);
    assert_int_equal(next(&x), 0);
    close_reader(&x);
    free(to.bytes);
}

/* More instructions than numbers: the last number is shared. */
static void more_new_instructions_than_numbers(void **state) {
    (void)state;
    rf_memory_bytes to = {0};
    rf_program p;
    rf_warp w = {0};
    ls_rng rng;
    reading x;
    ls_rng_seed(&rng, 7);
    random_program(&rng, 3, &p);
    for (uint32_t i = 0; i < RF_STREAM_NEW_MAX + 5000; i++) {
        assert_int_equal(rf_warp_reserve(&w, 0, RF_LANES_MAX), 0);
        w.inst[w.count] = (rf_inst){.pc = i % 100 == 99 ? 8 : 16 * i, .mask = i, .index = RF_INDEX_NONE, .ndst = i > 0};
        set_text(&w.inst[w.count++], words[0]);
    }
    rf_stream_writer *const writer = open_writer(&to);
    assert_int_equal(rf_stream_write_program(writer, &p), 0);
    assert_int_equal(rf_stream_write_warp(writer, &w), 0);
    assert_int_equal(rf_stream_write_warp(writer, &w), 0);
    close_writer(writer);
    assert_true(open_reader(&x, to.bytes, to.size, SIZE_MAX));
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(next(&x), 1);
        same_warp(&w, &x.warp);
    }
    assert_int_equal(next(&x), 0);
    close_reader(&x);
    rf_program_free(&p);
    rf_warp_free(&w);
    free(to.bytes);
}

/* Bytes that a warp of one instruction with these lanes takes, and that they come back. */
static size_t size_of(uint32_t mask, const uint32_t lane[RF_LANES_MAX], const rf_hint *hint) {
    rf_program p = {.kernel = (char[]){"k"}, .origin = (char[]){""}};
    rf_inst inst[2] = {{.mask = mask, .index = RF_INDEX_NONE, .nsrc = 1, .ndst = 1, .hint = hint[0]}};
    uint32_t value[RF_LANES_MAX];
    const rf_warp two = {.count = 2, .inst = inst};
    size_t size[2];
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) value[l] = mask >> l & 1 ? lane[l] : 0;
    set_text(&inst[0], words[0]);
    inst[1] = inst[0];
    inst[1].hint = hint[1];
    for (uint32_t with = 0; with < 2; with++) {
        rf_memory_bytes to = {0};
        reading x;
        inst[1].value = with ? value : NULL;
        rf_stream_writer *const w = open_writer(&to);
        assert_int_equal(rf_stream_write_program(w, &p), 0);
        assert_int_equal(rf_stream_write_warp(w, &two), 0);
        close_writer(w);
        assert_true(open_reader(&x, to.bytes, to.size, SIZE_MAX));
        assert_int_equal(next(&x), 1);
        same_warp(&two, &x.warp);
        close_reader(&x);
        size[with] = to.size;
        free(to.bytes);
    }
    return size[1] - size[0];
}

/* Each form of lanes is used where it is the short one. */
static void lanes_take_their_shortest_form(void **state) {
    (void)state;
    static const rf_hint none[2];
    uint32_t lane[RF_LANES_MAX];
#define SIZE(mask, expression)                                                                                                   \
    ({                                                                                                                           \
        for (uint32_t l = 0; l < RF_LANES_MAX; l++) lane[l] = (uint32_t)(expression);                                            \
        size_of(mask, lane, none);                                                                                               \
    })
    assert_int_equal(SIZE(UINT32_MAX, 0), 2);
    assert_int_equal(SIZE(UINT32_MAX, 0x3f800000), 6);
    assert_int_equal(SIZE(UINT32_MAX, -1), 2);
    assert_int_equal(SIZE(UINT32_MAX, 4 * l), 3);
    assert_int_equal(SIZE(0xf0f00000, 7 - 4 * l), 4); /* wraps, and skips lanes; from -73 */
    assert_int_equal(SIZE(0x00010000, l * l), 3);     /* one lane: 256, as a signed number */
    assert_int_equal(SIZE(UINT32_MAX, l % 3 == 0), 7);
    assert_int_equal(SIZE(UINT32_MAX, l * l % 37), 3 + 32);
    assert_int_equal(SIZE(0xffff, l * l % 37), 3 + 16);
    assert_int_equal(SIZE(UINT32_MAX, l * l % 37 << 24), 3 + 32);
    assert_int_equal(SIZE(UINT32_MAX, l * l * 9 % 1000), 3 + 64);
    assert_int_equal(SIZE(UINT32_MAX, l * l * 9000 % 1000001), 3 + 96);
    assert_int_equal(SIZE(UINT32_MAX, l * UINT32_C(0x9e3779b9) ^ l << 7), 3 + 128);
#undef SIZE
}

/* Hints that differ in one member only. */
static void every_member_of_a_hint_counts(void **state) {
    (void)state;
    static const uint32_t lane[RF_LANES_MAX];
    const rf_hint base = {.src_near = 1,
                          .dst_near = 1,
                          .src_dead = 1,
                          .dst_dead = 1,
                          .flags = 1,
                          .nfree = 2,
                          .free_reg = {3, 4},
                          .free_was = {5, 6},
                          .src_from = {RF_FROM_UPPER | 3},
                          .dst_to = {RF_TO_UPPER | 9}};
    rf_hint other[11];
    for (uint32_t i = 0; i < 11; i++) other[i] = base;
    other[0].src_near = 2;
    other[1].dst_near = 2;
    other[2].src_dead = 2;
    other[3].dst_dead = 2;
    other[4].flags = 2;
    other[5].nfree = 1, other[5].free_reg[1] = other[5].free_was[1] = 0;
    other[6].free_reg[1] = 9;
    other[7].free_was[0] = 9;
    other[8].src_from[0] = RF_FROM_KEEP | 3;
    other[9].dst_to[0] |= RF_TO_NOT_MRF;
    other[10].src_from[0] = other[10].dst_to[0] = 0;
    for (uint32_t i = 0; i < 11; i++) {
        (void)size_of(1, lane, (const rf_hint[2]){base, other[i]});
        (void)size_of(1, lane, (const rf_hint[2]){other[i], base});
    }
}

/* --- damage ----------------------------------------------------------------------------------------------------------------- */

static void every_flipped_bit_is_reported(void **state) {
    (void)state;
    rf_memory_bytes to = {0};
    reading x;
    random_file(11, 4, &to);
    free_all();
    assert_true(to.size > 1000 && to.size < 10000);
    for (size_t i = 0; i < to.size; i++) {
        for (uint32_t bit = 0; bit < 8; bit++) {
            to.bytes[i] = (char)(to.bytes[i] ^ 1 << bit);
            if (read_all(&x, to.bytes, to.size) != -1) fail_msg("bit %u of byte %zu is not missed", bit, i);
            to.bytes[i] = (char)(to.bytes[i] ^ 1 << bit);
        }
    }
    assert_int_equal(read_all(&x, to.bytes, to.size), 0);
    free(to.bytes);
}

static void every_truncation_is_reported_at_its_byte(void **state) {
    (void)state;
    rf_memory_bytes to = {0};
    reading x;
    random_file(12, 8, &to);
    free_all();
    for (size_t size = 0; size < to.size; size++) {
        char expected[64];
        (void)snprintf(expected, sizeof expected, "a.rfs: byte %zu: %s: the file ends here", size,
                       size < RF_STREAM_HEAD ? "head" : "chunk");
        assert_int_equal(read_all(&x, to.bytes, size), -1);
        if (!strstr(x.error, expected)) fail_msg("\"%s\" is not \"%s\"", x.error, expected);
    }
    to.bytes = realloc(to.bytes, to.size + 1);
    to.bytes[to.size] = 0;
    assert_int_equal(read_all(&x, to.bytes, to.size + 1), -1);
    assert_non_null(strstr(x.error, "end: more bytes follow"));
    free(to.bytes);
}

/* Start of chunk `n` (from 0), and of the one behind it. */
static size_t chunk_at(const rf_memory_bytes *file, uint32_t n, size_t *end) {
    size_t at = RF_STREAM_HEAD;
    for (;; n--) {
        const uint8_t *const p = (const uint8_t *)file->bytes + at;
        *end = at + 8 + (p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16);
        if (n == 0) return at;
        at = *end;
    }
}

static void chunks_cannot_be_moved(void **state) {
    (void)state;
    rf_memory_bytes to = {0};
    reading x;
    size_t end = 0, end_two = 0;
    random_file(13, 30, &to);
    free_all();
    const size_t one = chunk_at(&to, 2, &end), two = chunk_at(&to, 3, &end_two);
    char *const changed = malloc(2 * to.size);
    memcpy(changed, to.bytes, one); /* left out */
    memcpy(changed + one, to.bytes + two, to.size - two);
    assert_int_equal(read_all(&x, changed, to.size - (two - one)), -1);
    memcpy(changed, to.bytes, two); /* twice */
    memcpy(changed + two, to.bytes + one, to.size - one);
    assert_int_equal(read_all(&x, changed, to.size + (two - one)), -1);
    memcpy(changed, to.bytes, one); /* exchanged */
    memcpy(changed + one, to.bytes + two, end_two - two);
    memcpy(changed + one + (end_two - two), to.bytes + one, two - one);
    memcpy(changed + end_two, to.bytes + end_two, to.size - end_two);
    assert_int_equal(read_all(&x, changed, to.size), -1);
    assert_non_null(strstr(x.error, "its checksum does not hold"));
    free(changed);
    free(to.bytes);
}

/* Forged files: any byte changed, checksums right. No crash; whatever comes out can be written again. */
static void forged_bytes_do_no_harm(void **state) {
    (void)state;
    uint32_t refused = 0, read = 0;
    rf_memory_bytes good = {0};
    random_file(14, 5, &good);
    free_all();
    rf_memory_bytes to = {.bytes = malloc(good.size), .size = good.size};
    for (size_t i = RF_STREAM_HEAD; i < good.size; i++) {
        static const uint8_t masks[] = {1, 2, 4, 8, 16, 32, 64, 128, 255, 127};
        const uint32_t m = (uint32_t)i % 10;
        reading x;
        memcpy(to.bytes, good.bytes, good.size);
        to.bytes[i] = (char)(to.bytes[i] ^ masks[m]);
        rf_stream_seal((uint8_t *)to.bytes, to.size);
        rf_memory_bytes again = {0};
        rf_stream_writer *const w = open_writer(&again);
        uint32_t kernels = 0;
        int got = 0;
        assert_true(open_reader(&x, to.bytes, to.size, SIZE_MAX));
        while ((got = next(&x)) == 1) {
            if (rf_stream_kernels(x.stream) != kernels) assert_int_equal(rf_stream_write_program(w, x.program), 0);
            kernels = rf_stream_kernels(x.stream);
            if (rf_stream_write_warp(w, &x.warp) != 0) break;
        }
        char error[256] = "";
        if (rf_stream_writer_close(w, error, sizeof error) != 0) fail_msg("byte %zu: read, but not written again: %s", i, error);
        refused += got < 0;
        read += got == 0;
        close_reader(&x);
        free(again.bytes);
    }
    assert_true(refused > 200 && read > 200);
    free(to.bytes);
    free(good.bytes);
}

/* --- the sink --------------------------------------------------------------------------------------------------------------- */

static void a_sink_that_fails_is_reported(void **state) {
    (void)state;
    rf_memory_bytes whole = {0};
    random_file(15, 20, &whole);
    for (size_t at = 1; at < whole.size; at += 97) {
        rf_memory_bytes to = {.fail_at = at};
        const rf_sink sink = rf_memory_sink(&to);
        char error[256] = "";
        rf_stream_writer *const w = rf_stream_writer_open(&sink, error, sizeof error);
        for (uint32_t k = 0; w && k < KERNELS; k++) {
            (void)rf_stream_write_program(w, &program[k]);
            for (uint32_t i = 0; i < WARPS && k != 2; i++) (void)rf_stream_write_warp(w, &warp[k][i]);
        }
        if (w) assert_int_equal(rf_stream_writer_close(w, error, sizeof error), -1);
        assert_string_equal(error, "disk full");
        free(to.bytes);
    }
    free_all();
    free(whole.bytes);
    rf_stream_writer_abandon(NULL);
    rf_stream_close(NULL);
}

/* --- CRC-32C ---------------------------------------------------------------------------------------------------------------- */

/* RFC 3720, B.4, and the usual check value of "123456789". */
static void crc32c_test_vectors(void **state) {
    (void)state;
    rf_crc32c tables;
    uint8_t bytes[48] = {0};
    rf_crc32c_init(&tables);
    assert_int_equal(rf_crc32c_update(&tables, 0, "123456789", 9), 0xe3069283);
    assert_int_equal(rf_crc32c_update(&tables, 0, bytes, 32), 0x8a9136aa);
    memset(bytes, 0xff, 32);
    assert_int_equal(rf_crc32c_update(&tables, 0, bytes, 32), 0x62a8ab43);
    for (uint32_t i = 0; i < 32; i++) bytes[i] = (uint8_t)i;
    assert_int_equal(rf_crc32c_update(&tables, 0, bytes, 32), 0x46dd794e);
    for (uint32_t i = 0; i < 32; i++) bytes[i] = (uint8_t)(31 - i);
    assert_int_equal(rf_crc32c_update(&tables, 0, bytes, 32), 0x113fdb5c);
    static const uint8_t scsi_read[48] = {0x01, 0xc0, [16] = 0x14, [22] = 0x04, [27] = 0x14, [31] = 0x18, 0x28, [40] = 0x02};
    assert_int_equal(rf_crc32c_update(&tables, 0, scsi_read, 48), 0xd9963a56);
    assert_int_equal(rf_crc32c_update(&tables, 0, NULL, 0), 0);
    for (uint32_t cut = 0; cut <= 48; cut++)
        assert_int_equal(rf_crc32c_update(&tables, rf_crc32c_update(&tables, 0, scsi_read, cut), scsi_read + cut, 48 - cut),
                         0xd9963a56);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_comes_back),
        cmocka_unit_test(version_1_is_read),
        cmocka_unit_test(more_new_instructions_than_numbers),
        cmocka_unit_test(lanes_take_their_shortest_form),
        cmocka_unit_test(every_member_of_a_hint_counts),
        cmocka_unit_test(every_flipped_bit_is_reported),
        cmocka_unit_test(every_truncation_is_reported_at_its_byte),
        cmocka_unit_test(chunks_cannot_be_moved),
        cmocka_unit_test(forged_bytes_do_no_harm),
        cmocka_unit_test(a_sink_that_fails_is_reported),
        cmocka_unit_test(crc32c_test_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
