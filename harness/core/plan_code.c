/* SPDX-License-Identifier: Apache-2.0 */
/* Encodings: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2. Registers of the function made here:
 *   rdi model (its argument)   rsi near the DUT's signals   rdx differences so far   rax, rcx, r8 scratch
 *   zmm0, ymm0 scratch         zmm1, ymm2 differences so far, of 64 and of 32 bytes */
#include "harness/core/plan_code.h"

#include <sys/mman.h>

#include <string.h>
#include <unistd.h>

#include "harness/base/rng.h"

#if defined __x86_64__

#define OP_BYTES_MAX 64u     /* more than the longest operation takes */
enum { MODEL = 7, DUT = 6 }; /* rdi, rsi as base of an address */
enum { ACC = 1, ACC_HALF = 2 };

typedef struct assembler {
    uint8_t *at;
    uintptr_t base;   /* what rsi holds */
    uint64_t mask[3]; /* what k1 and k2 hold, 0: nothing yet */
} assembler;

#define EMIT(as, ...)                                                                                                            \
    do {                                                                                                                         \
        const uint8_t bytes_[] = {__VA_ARGS__};                                                                                  \
        memcpy((as)->at, bytes_, sizeof bytes_);                                                                                 \
        (as)->at += sizeof bytes_;                                                                                               \
    } while (0)

static void emit32(assembler *as, uint32_t value) {
    memcpy(as->at, &value, sizeof value);
    as->at += sizeof value;
}

static void emit64(assembler *as, uint64_t value) {
    memcpy(as->at, &value, sizeof value);
    as->at += sizeof value;
}

/* ModRM byte and 32-bit displacement of [base + disp]. */
static void emit_address(assembler *as, uint32_t reg, uint32_t base, uint32_t disp) {
    EMIT(as, (uint8_t)(0x80 | reg << 3 | base));
    emit32(as, disp);
}

static void emit_dut(assembler *as, uint32_t reg, const uint8_t *address) {
    emit_address(as, reg, DUT, (uint32_t)((uintptr_t)address - as->base));
}

static void emit_model(assembler *as, uint32_t reg, size_t offset) { emit_address(as, reg, MODEL, (uint32_t)offset); }

/* mov rcx, value: in half the bytes when it has at most 32 bits. */
static void emit_rcx(assembler *as, uint64_t value) {
    if (value <= UINT32_MAX) {
        EMIT(as, 0xb9); /* mov ecx, imm32 */
        emit32(as, (uint32_t)value);
        return;
    }
    EMIT(as, 0x48, 0xb9); /* mov rcx, imm64 */
    emit64(as, value);
}

/* rax &= mask, through rcx. */
static void emit_and_rax(assembler *as, uint64_t mask) {
    if (mask == UINT64_MAX) return;
    if (mask <= INT32_MAX) {
        EMIT(as, 0x25); /* and eax, imm32 */
        emit32(as, (uint32_t)mask);
        return;
    }
    emit_rcx(as, mask);
    EMIT(as, 0x48, 0x21, 0xc8); /* and rax, rcx */
}

/* Of the bytes that hold `bits`, the first, and how many to load: 1, 2, 4 or 8. So few that what was just stored alone is there
 * at once: a load of more bytes than the last store would wait until that store has left for the cache. */
static uint32_t load_bytes(uint64_t bits, uint32_t *skip) {
    const uint32_t low = (uint32_t)__builtin_ctzll(bits) / 8, high = (63 - (uint32_t)__builtin_clzll(bits)) / 8;
    const uint32_t used = high - low + 1;
    const uint32_t bytes = used == 1 ? 1 : used == 2 ? 2 : used <= 4 && low <= 4 ? 4 : 8;
    *skip = bytes == 8 ? 0 : low;
    return bytes;
}

/* mov or movzx reg, [...]: the opcode; the address follows. */
static void emit_load(assembler *as, uint32_t bytes) {
    if (bytes == 1) EMIT(as, 0x0f, 0xb6);
    else if (bytes == 2) EMIT(as, 0x0f, 0xb7);
    else if (bytes == 4) EMIT(as, 0x8b);
    else EMIT(as, 0x48, 0x8b);
}

/* rax ^= the model's `bytes` bytes, of which rax has no more. */
static void emit_xor_model(assembler *as, uint32_t bytes, size_t offset) {
    if (bytes == 1) EMIT(as, 0x32);            /* xor al, [model] */
    else if (bytes == 2) EMIT(as, 0x66, 0x33); /* xor ax, [model] */
    else if (bytes == 4) EMIT(as, 0x33);       /* xor eax, [model] */
    else EMIT(as, 0x48, 0x33);                 /* xor rax, [model] */
    emit_model(as, 0, offset);
}

/* Both sides have their bits in the same places. */
static void emit_aligned(assembler *as, const ls_compare_bits *op) {
    uint32_t skip;
    const uint32_t bytes = load_bytes(op->cover, &skip);
    emit_load(as, bytes);
    emit_dut(as, 0, op->dut + skip);
    emit_xor_model(as, bytes, op->model + skip);
    const uint64_t mask = op->cover >> (skip * 8);
    if (mask != ls_mask(bytes * 8)) emit_and_rax(as, mask);
}

/* From 0 up without a gap. */
static bool is_low(uint64_t bits) { return (bits & (bits + 1)) == 0; }

/* pdep(pext(dut, dut_bits), model_bits) ^ (model & cover) */
static void emit_moved(assembler *as, const ls_compare_bits *op) {
    uint32_t skip, model_skip;
    const uint32_t bytes = load_bytes(op->dut_bits, &skip), model_bytes = load_bytes(op->cover, &model_skip);
    const uint64_t from = op->dut_bits >> (skip * 8);
    const uint64_t to = op->model_bits >> (model_skip * 8), cover = op->cover >> (model_skip * 8);
    emit_load(as, bytes);
    emit_dut(as, 0, op->dut + skip);
    if (!is_low(from) || is_low(to)) { /* else pdep, which takes the low bits and no others, does without */
        emit_rcx(as, from);
        EMIT(as, 0xc4, 0xe2, 0xfa, 0xf5, 0xc1); /* pext rax, rax, rcx */
    }
    if (!is_low(to)) {
        emit_rcx(as, to);
        EMIT(as, 0xc4, 0xe2, 0xfb, 0xf5, 0xc1); /* pdep rax, rax, rcx */
    }
    if (cover == ls_mask(model_bytes * 8)) {
        emit_xor_model(as, model_bytes, op->model + model_skip);
        return;
    }
    emit_load(as, model_bytes);
    emit_model(as, 1, op->model + model_skip);
    EMIT(as, 0x49, 0xb8); /* mov r8, imm64 */
    emit64(as, cover);
    EMIT(as, 0x4c, 0x21, 0xc1); /* and rcx, r8 */
    EMIT(as, 0x48, 0x31, 0xc8); /* xor rax, rcx */
}

static void emit_bits(assembler *as, const ls_compare_bits *op) {
    if (op->dut_bits == op->model_bits && op->cover == op->dut_bits) emit_aligned(as, op);
    else emit_moved(as, op);
    EMIT(as, 0x48, 0x09, 0xc2); /* or rdx, rax */
}

/* 64 bytes of the model against 64 of the DUT, or 32 zero-extended from words. */
static void emit_wide(assembler *as, const uint8_t *dut, size_t model, bool halves) {
    if (halves) EMIT(as, 0x62, 0xf2, 0x7d, 0x48, 0x35); /* vpmovzxdq zmm0, [dut] */
    else EMIT(as, 0x62, 0xf1, 0xfe, 0x48, 0x6f);        /* vmovdqu64 zmm0, [dut] */
    emit_dut(as, 0, dut);
    EMIT(as, 0x62, 0xf3, 0xfd, 0x48, 0x25); /* vpternlogq zmm1, zmm0, [model], zmm1 | (zmm0 ^ [model]) */
    emit_model(as, ACC, model);
    EMIT(as, 0xf6);
}

/* 32 bytes of the model. */
static void emit_half(assembler *as, const uint8_t *dut, size_t model, bool halves) {
    if (halves) EMIT(as, 0xc4, 0xe2, 0x7d, 0x35); /* vpmovzxdq ymm0, [dut] */
    else EMIT(as, 0xc5, 0xfe, 0x6f);              /* vmovdqu ymm0, [dut] */
    emit_dut(as, 0, dut);
    EMIT(as, 0xc5, 0xfd, 0xef); /* vpxor ymm0, ymm0, [model] */
    emit_model(as, 0, model);
    EMIT(as, 0xc5, 0xed, 0xeb, (uint8_t)(0xc0 | ACC_HALF << 3)); /* vpor ymm2, ymm2, ymm0 */
}

/* The bytes of a line of 64 that `mask` selects, a bit each: nothing of the others is loaded. Register k mostly has it already:
 * one is for the first lines of blocks, one for the last. */
static void emit_masked(assembler *as, const uint8_t *dut, size_t model, uint32_t k, uint64_t mask) {
    if (as->mask[k] != mask) {
        EMIT(as, 0x48, 0xb8); /* mov rax, imm64 */
        emit64(as, mask);
        EMIT(as, 0xc4, 0xe1, 0xfb, 0x92, (uint8_t)(0xc0 | k << 3)); /* kmovq k, rax */
        as->mask[k] = mask;
    }
    EMIT(as, 0x62, 0xf1, 0x7f, (uint8_t)(0xc8 | k), 0x6f); /* vmovdqu8 zmm0{k}{z}, [dut] */
    emit_dut(as, 0, dut);
    EMIT(as, 0x62, 0xf1, 0x7f, (uint8_t)(0xc8 | k), 0x6f); /* vmovdqu8 zmm3{k}{z}, [model] */
    emit_model(as, 3, model);
    EMIT(as, 0x62, 0xf3, 0xfd, 0x48, 0x25, (uint8_t)(0xc0 | ACC << 3 | 3), 0xf6); /* vpternlogq zmm1, zmm0, zmm3, as above */
}

/* A long block line by line as it lies in the DUT: a vector across two lines takes two loads. The model mostly lies as the DUT
 * does (ls_plan_shift). */
static void emit_lines(assembler *as, const ls_block *block) {
    const uint32_t first = (uint32_t)((uintptr_t)block->dut % 64), last = (uint32_t)(((uintptr_t)block->dut + block->bytes) % 64);
    const uint8_t *dut = block->dut - first, *const end = block->dut + block->bytes - last;
    size_t model = block->model - first; /* below the struct's start only where nothing is loaded */
    if (first != 0) {
        emit_masked(as, dut, model, 1, UINT64_MAX << first);
        dut += 64;
        model += 64;
    }
    for (; dut < end; dut += 64, model += 64) emit_wide(as, dut, model, false);
    if (last != 0) emit_masked(as, dut, model, 2, ls_mask(last));
}

/* Any other block, and long ones without masks: from where it begins. */
static void emit_block(assembler *as, const ls_block *block, bool halves, bool wide) {
    if (wide && !halves && block->bytes >= 128) {
        emit_lines(as, block);
        return;
    }
    for (size_t i = 0; i < block->bytes;) {
        const uint8_t *dut = block->dut + (halves ? i / 2 : i);
        const bool whole = wide && block->bytes - i >= 64;
        if (whole) emit_wide(as, dut, block->model + i, halves);
        else emit_half(as, dut, block->model + i, halves);
        i += whole ? 64 : 32;
    }
}

/* Every address is within 2 GB of `base`. */
static bool is_near(const uint8_t *address, size_t model, size_t bytes, uintptr_t base) {
    const intptr_t from = (intptr_t)((uintptr_t)address - base);
    return from > -(INT32_MAX / 2) && from < INT32_MAX / 2 && model < INT32_MAX / 2 && bytes < INT32_MAX / 2;
}

static bool all_near(const ls_plan *plan, uintptr_t base) {
    for (size_t i = 0; i < plan->bits_count; i++)
        if (!is_near(plan->bits[i].dut, plan->bits[i].model, 8, base)) return false;
    for (size_t i = 0; i < plan->block_count; i++)
        if (!is_near(plan->blocks[i].dut, plan->blocks[i].model, plan->blocks[i].bytes, base)) return false;
    for (size_t i = 0; i < plan->half_count; i++)
        if (!is_near(plan->halves[i].dut, plan->halves[i].model, plan->halves[i].bytes, base)) return false;
    return true;
}

void ls_plan_compile(ls_plan *plan, uint32_t vector) {
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi2")) return;
    const bool vectors = plan->block_count + plan->half_count > 0;
    const bool wide = vector >= 64 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw");
    size_t ops = plan->bits_count;
    for (size_t i = 0; i < plan->block_count; i++) ops += plan->blocks[i].bytes / 32 + 2;
    for (size_t i = 0; i < plan->half_count; i++) ops += plan->halves[i].bytes / 32;
    if (ops == 0) return;
    const uint8_t *const first = plan->bits_count > 0    ? plan->bits[0].dut
                                 : plan->block_count > 0 ? plan->blocks[0].dut
                                                         : plan->halves[0].dut;
    assembler as = {.base = (uintptr_t)first};
    if (!all_near(plan, as.base)) return;
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (ops * OP_BYTES_MAX + 2 * OP_BYTES_MAX + page - 1) / page * page;
    uint8_t *const code = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (code == MAP_FAILED) return;
    as.at = code;
    EMIT(&as, 0xf3, 0x0f, 0x1e, 0xfa); /* endbr64 */
    EMIT(&as, 0x48, 0xbe);             /* mov rsi, imm64 */
    emit64(&as, as.base);
    EMIT(&as, 0x31, 0xd2); /* xor edx, edx */
    if (vectors) {
        EMIT(&as, 0xc5, 0xf1, 0xef, 0xc9); /* vpxor xmm1, xmm1, xmm1 */
        EMIT(&as, 0xc5, 0xe9, 0xef, 0xd2); /* vpxor xmm2, xmm2, xmm2 */
        for (size_t i = 0; i < plan->block_count; i++) emit_block(&as, &plan->blocks[i], false, wide);
        for (size_t i = 0; i < plan->half_count; i++) emit_block(&as, &plan->halves[i], true, wide);
    }
    for (size_t i = 0; i < plan->bits_count; i++) emit_bits(&as, &plan->bits[i]);
    if (vectors) {
        EMIT(&as, 0x31, 0xc0);                   /* xor eax, eax */
        EMIT(&as, 0xc4, 0xe2, 0x7d, 0x17, 0xd2); /* vptest ymm2, ymm2 */
        EMIT(&as, 0x0f, 0x95, 0xc0);             /* setnz al */
        EMIT(&as, 0x48, 0x09, 0xc2);             /* or rdx, rax */
        if (wide) {
            EMIT(&as, 0x62, 0xf2, 0xf5, 0x48, 0x27, 0xc9); /* vptestmq k1, zmm1, zmm1 */
            EMIT(&as, 0xc5, 0xf8, 0x93, 0xc1);             /* kmovw eax, k1 */
            EMIT(&as, 0x48, 0x09, 0xc2);                   /* or rdx, rax */
        }
        EMIT(&as, 0xc5, 0xf8, 0x77); /* vzeroupper */
    }
    EMIT(&as, 0x48, 0x89, 0xd0, 0xc3); /* mov rax, rdx; ret */
    if (mprotect(code, bytes, PROT_READ | PROT_EXEC) != 0) {
        (void)munmap(code, bytes);
        return;
    }
    memcpy(&plan->code, &code, sizeof plan->code); /* from object to function: ISO C has no cast for it, POSIX allows it */
    plan->code_bytes = bytes;
}

void ls_plan_code_free(ls_plan *plan) {
    if (plan->code == NULL) return;
    void *code;
    memcpy(&code, &plan->code, sizeof code);
    (void)munmap(code, plan->code_bytes);
    plan->code = NULL;
}

#else

void ls_plan_compile(ls_plan *plan, uint32_t vector) {
    (void)plan;
    (void)vector;
}
void ls_plan_code_free(ls_plan *plan) { (void)plan; }

#endif
