/* SPDX-License-Identifier: Apache-2.0 */
/* A slow model of PTX for judging: reads the text with a tokenizer of its own and runs every thread by itself, a step at a time,
 * over a map of register names to 64-bit values. No warps, no masks, no blocks of code, no allocation: a thread stops at a
 * barrier or at an exchange between lanes until the others are there. Written from the PTX ISA, version 8, alone.
 *
 * It knows what tb/workload/judge/random_ptx.h writes; anything else is an error, never skipped. */
#ifndef SLOW_PTX_H
#define SLOW_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SLOW_OPERANDS 6u
#define SLOW_PARTS 4u
#define SLOW_SRC_WORDS 12u
#define SLOW_DST_WORDS 4u

/* clang-format off */
#define SLOW_OPS(X)                                                                                                              \
    X(mov)                                                                                                                       \
    X(add) X(sub) X(mul) X(mad) X(mul24) X(mad24) X(sad) X(div) X(rem) X(abs) X(neg) X(min) X(max) X(fma) X(copysign) X(testp)   \
        X(addc) X(subc) X(madc) X(and) X(or) X(xor) X(not ) X(cnot) X(shl) X(shr) X(shf) X(lop3) X(prmt) X(popc) X(clz) X(bfind) \
            X(brev) X(bfe) X(bfi) X(dp4a) X(set) X(setp) X(selp) X(slct) X(cvt) X(cvta) X(rcp) X(sqrt) X(rsqrt) X(sin) X(cos)    \
                X(lg2) X(ex2) X(ld) X(st) X(atom) X(red) X(bra) X(exit) X(ret) X(bar) X(barrier) X(shfl) X(vote) X(match)        \
                    X(activemask) X(membar)
/* clang-format on */
/* clang-format off */
#define SLOW_MODS(X)                                                                                                             \
    X(lo)                                                                                                                        \
    X(hi) X(wide) X(rn) X(rz) X(rm) X(rp) X(rni) X(rzi) X(rmi) X(rpi) X(ftz) X(sat) X(approx) X(cc) X(eq) X(ne) X(lt) X(le)      \
        X(gt) X(ge) X(ls) X(hs) X(equ) X(neu) X(ltu) X(leu) X(gtu) X(geu) X(num) X(nan) X(NaN) X(and) X(or) X(xor) X(global)     \
            X(shared) X(const) X(local) X(param) X(v2) X(v4) X(volatile) X(to) X(up) X(down) X(bfly) X(idx) X(all) X(any) X(uni) \
                X(ballot) X(sync) X(aligned) X(clamp) X(wrap) X(l) X(r) X(f4e) X(b4e) X(rc8) X(ecl) X(ecr) X(rc16) X(add) X(inc) \
                    X(dec) X(min) X(max) X(cas) X(exch) X(finite) X(infinite) X(number) X(notanumber) X(normal) X(subnormal)     \
                        X(relaxed) X(gpu) X(cta) X(gl) X(shiftamt) X(nc)
/* clang-format on */

#define SLOW_ENUM_OP(name) OP_##name,
#define SLOW_ENUM_MOD(name) M_##name,
typedef enum slow_op { SLOW_OPS(SLOW_ENUM_OP) SLOW_OP_COUNT } slow_op;
typedef enum slow_mod { SLOW_MODS(SLOW_ENUM_MOD) SLOW_MOD_COUNT } slow_mod;

typedef struct slow_type {
    char kind; /* 'p' predicate, 'b', 'u', 's', 'f'; 0: none */
    uint8_t bits;
} slow_type;

typedef enum slow_part_kind { SLOW_SINK, SLOW_REG, SLOW_IMM, SLOW_SPECIAL, SLOW_SYMBOL } slow_part_kind;

typedef struct slow_part {
    slow_part_kind kind;
    bool negated;
    uint32_t index; /* register, special register or symbol */
    uint64_t imm;
} slow_part;

typedef struct slow_operand {
    slow_part part[SLOW_PARTS]; /* of {a, b, c, d}, of p|q, or one */
    uint32_t parts;
    int64_t offset; /* [base+offset], symbol+offset */
} slow_operand;

/* A word of a register that an instruction reads or writes: which of its 32 bits mean something, and how to compare them: 'w' bit
 * for bit, 'h' the low 16 bits, 'f' any NaN is as good as another, 'd' the low word of an f64 of which the same holds, 'e' its
 * high one. */
typedef struct slow_inst {
    uint32_t line;
    slow_op op;
    unsigned __int128 mods; /* bit M_x */
    slow_type type[2];
    int guard; /* register, or -1 */
    bool guard_negated;
    slow_operand operand[SLOW_OPERANDS];
    uint32_t operands;
    bool writes;         /* operand[0] is what it writes */
    uint32_t target;     /* bra: instruction */
    uint32_t nsrc, ndst; /* words */
    char src_kind[SLOW_SRC_WORDS], dst_kind[SLOW_DST_WORDS];
} slow_inst;

#define SLOW_HAS(inst, name) (((inst)->mods >> M_##name & 1) != 0)

/* One step of one thread. */
typedef struct slow_step {
    uint32_t inst;    /* index into slow_ptx.inst */
    bool on;          /* the guard let it take part */
    uint64_t address; /* of a memory access: in its own space */
    uint32_t src[SLOW_SRC_WORDS], dst[SLOW_DST_WORDS];
} slow_step;

typedef struct slow_log { /* of one thread */
    slow_step *step;
    size_t steps, room;
} slow_log;

typedef struct slow_symbol {
    char name[64];
    char space; /* 'p'aram, 'g'lobal, 'c'onst, 's'hared, 'l'ocal */
    uint64_t address, size;
    uint8_t *bytes; /* of global and const */
} slow_symbol;

typedef struct slow_register {
    char name[48];
    slow_type type;
    bool hidden; /* its scope has ended */
} slow_register;

typedef struct slow_region {
    uint64_t address, size;
    uint8_t *bytes;
} slow_region;

typedef struct slow_ptx {
    slow_inst *inst;
    uint32_t insts, inst_room;
    slow_register *reg;
    uint32_t regs, reg_room;
    slow_symbol symbol[64];
    uint32_t symbols;
    uint32_t param_bytes, shared_bytes, local_bytes;
    slow_region region[8];
    uint32_t regions;
    uint64_t steps; /* of all runs */
    char error[256];
} slow_ptx;

typedef struct slow_launch {
    uint32_t grid[3], block[3];
    const uint8_t *param;
    bool backwards; /* threads in falling order: a program without races does not notice */
    uint64_t limit; /* steps */
} slow_launch;

/* Reads a text with one entry. On an error: error[0] != 0, with the line. */
void slow_ptx_read(slow_ptx *ptx, const char *text);
void slow_ptx_free(slow_ptx *ptx);

/* Device memory at an address; the bytes stay the caller's. */
void slow_ptx_map(slow_ptx *ptx, uint64_t address, void *bytes, uint64_t size);

/* Runs all threads; log: one per thread of the grid, block after block, in thread order; or NULL. False: error says why. */
bool slow_ptx_run(slow_ptx *ptx, const slow_launch *launch, slow_log *log);

/* What an instruction without memory, flow and other lanes computes from its sources' bits. */
uint64_t slow_math(const slow_inst *inst, const uint64_t *v, uint8_t *carry, bool *second);

/* Bits 0 .. bits-1 of a value, and the same as a signed number in 64 bits. */
static inline uint64_t slow_trunc(uint64_t v, uint32_t bits) { return bits >= 64 ? v : v & ((UINT64_C(1) << bits) - 1); }
static inline uint64_t slow_sext(uint64_t v, uint32_t bits) {
    v = slow_trunc(v, bits);
    return bits < 64 && (v >> (bits - 1) & 1) ? v | ~((UINT64_C(1) << bits) - 1) : v;
}

#endif
