/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_opcode.h"

#include <stdlib.h>
#include <string.h>

/* How a family's suffixes decide the registers behind its operands. Suffixes are compared whole: LTC128B is not 128. */
typedef enum rule {
    R_ONE,          /* one register an operand */
    R_NARROW,       /* as R_ONE; with a 64-bit suffix too few: counted as unknown */
    R_LISTED,       /* as R_ONE, but known to be too few: counted as unknown */
    R_PACKED,       /* result a pair; a source is a pair or one register for both halves, which the trace does not say: unknown */
    R_MATCH,        /* source a pair with .U64 */
    R_PAIRS,        /* every operand a pair: doubles, program counters */
    R_IMAD,         /* .WIDE: result and addend are pairs; .HI: the addend is */
    R_CONVERT,      /* result and source by their types */
    R_CS2R,         /* result a pair unless .32 */
    R_LOAD,         /* first source the address, a pair with .E; result by width */
    R_STORE,        /* first source the address, a pair with .E; the others data by width */
    R_ATOM,         /* as R_STORE, with a result by width */
    R_COPY,         /* global to shared: first source the shared address, second the global one */
    R_MATRIX_LOAD,  /* one, two or four results, a shared address */
    R_MATRIX_STORE, /* a shared address, then one, two or four registers */
    R_MMA           /* fragments by shape and type */
} rule;

enum { LOADS = 1, STORES = 2, LATE_DST = 4, TILE = 8, GENERIC = 16 };

/* One line a rule: the families (an opcode's text up to its first dot) it speaks for. Sources and doubts of every line:
 * docs/workloads.md, "Registers behind an opcode". */
static const struct family {
    const char *names;
    rf_opclass opclass;
    rule rule;
    unsigned flags;
} families[] = {
    /* 32-bit and packed arithmetic, moves, predicates */
    {"B2R BMOV BMSK BREV CREDUX ELECT F2FP F2IP FADD FADD32I FCHK FCMP FFMA FFMA32I FHADD FHFMA FLO FMNMX FMNMX3 FMUL FMUL32I "
     "FSEL FSET FSETP FSWZADD HADD2 HADD2_32I HFMA2 HFMA2_32I HMNMX2 HMUL2 HMUL2_32I HSET2 HSETP2 I2FP I2IP IABS IADD IADD3 "
     "IADD32I IDP IDP4A "
     "IMNMX IMUL IMUL32I ISCADD ISCADD32I ISET ISETP LEA LOP LOP32I MOV MOV32I MOVM P2R PLOP3 POPC PRMT PSETP R2B R2P R2UR REDUX "
     "S2R SEL SGXT SHL SHR VABSDIFF VABSDIFF4 VHMNMX VIADD VIADDMNMX VIMNMX VIMNMX3 VOTE",
     RF_OP_ALU, R_NARROW, 0},
    {"LOP3 SHFL", RF_OP_ALU, R_NARROW, LATE_DST},
    {"MATCH", RF_OP_ALU, R_MATCH, LATE_DST},
    {"SHF", RF_OP_ALU, R_ONE, 0}, /* both halves of its 64 bits are listed */
    {"FADD2 FFMA2 FMUL2", RF_OP_ALU, R_PACKED, 0},
    /* uniform datapath: no vector register but what is listed */
    {"CS2UR LDCU S2UR UBMSK UBREV UCLEA UF2F UF2FP UF2I UF2IP UFADD UFFMA UFLO UFMNMX UFMUL UFRND UFSEL UFSET UFSETP "
     "UGETNEXTWORKID UI2F UI2FP UI2I UI2IP UIABS UIADD3 UIMAD UIMNMX UISETP ULDC ULEA ULEPC ULOP ULOP3 ULOP32I UMOV UP2UR UPLOP3 "
     "UPOPC UPRMT UPSETP UR2UP USEL USETMAXREG USGXT USHF USHL USHR UVIADD UVIMNMX UVIRTCOUNT VOTEU",
     RF_OP_ALU, R_ONE, 0},
    /* 64-bit arithmetic, program counters */
    {"IMAD", RF_OP_ALU, R_IMAD, 0},
    {"DADD DFMA DMNMX DMUL DSETP LEPC", RF_OP_ALU, R_PAIRS, 0},
    {"CS2R", RF_OP_ALU, R_CS2R, 0},
    /* transcendental and conversion unit */
    {"MUFU", RF_OP_SFU, R_NARROW, 0},
    {"F2F F2I FRND I2F I2I", RF_OP_SFU, R_CONVERT, 0},
    /* memory */
    {"LD", RF_OP_MEM, R_LOAD, LOADS | GENERIC},
    {"LDC LDG LDL LDS", RF_OP_MEM, R_LOAD, LOADS},
    {"ST", RF_OP_MEM, R_STORE, STORES | GENERIC},
    {"STG STL STS", RF_OP_MEM, R_STORE, STORES},
    {"RED", RF_OP_MEM, R_STORE, LOADS | STORES | GENERIC},
    {"REDAS REDG", RF_OP_MEM, R_STORE, LOADS | STORES},
    {"ATOM", RF_OP_MEM, R_ATOM, LOADS | STORES | LATE_DST | GENERIC},
    {"ATOMG", RF_OP_MEM, R_ATOM, LOADS | STORES | LATE_DST},
    {"ATOMS", RF_OP_MEM, R_ATOM, LOADS | STORES},
    {"LDGSTS", RF_OP_MEM, R_COPY, LOADS | STORES},
    {"LDSM", RF_OP_MEM, R_MATRIX_LOAD, LOADS},
    {"STSM", RF_OP_MEM, R_MATRIX_STORE, STORES},
    {"CCTL CCTLL", RF_OP_MEM, R_STORE, 0},
    {"ARRIVES CCTLT", RF_OP_MEM, R_ONE, 0},
    /* textures and surfaces: the component mask, hence the width, is not in the trace */
    {"TEX TLD TLD4 TMML TXD TXQ SULD", RF_OP_MEM, R_LISTED, LOADS},
    {"SUST", RF_OP_MEM, R_LISTED, STORES},
    {"SUATOM SURED", RF_OP_MEM, R_LISTED, LOADS | STORES},
    {"QSPC SYNCS", RF_OP_MEM, R_LISTED, 0}, /* QSPC: its address is not the first source */
    /* tensor memory, reducing loads, stores to another block: how many registers is in no public documentation of the opcode */
    {"LDGMC LDT LDTM", RF_OP_MEM, R_LISTED, LOADS},
    {"STAS STT STTM", RF_OP_MEM, R_LISTED, STORES},
    /* tile copies of the tensor memory accelerator: descriptors in uniform registers */
    {"UBLKCP UBLKPF UBLKRED UTMALDG UTMAPF UTMAREDG UTMASTG", RF_OP_MEM, R_ONE, TILE},
    /* tensor cores */
    {"BMMA DMMA HMMA IMMA QMMA", RF_OP_TENSOR, R_MMA, 0},
    {"BGMMA HGMMA IGMMA OMMA QGMMA", RF_OP_TENSOR, R_LISTED, 0},
    /* operands in tensor and shared memory, descriptors in uniform registers */
    {"UTCATOMSWS UTCBAR UTCCP UTCHMMA UTCIMMA UTCOMMA UTCQMMA UTCSHIFT", RF_OP_TENSOR, R_ONE, TILE},
    /* control, barriers, fences */
    {"BRX CALL JMX RET", RF_OP_CTRL, R_PAIRS, 0},
    {"ACQBULK ACQSHMINIT BAR BPT BRA BREAK BRXU BSSY BSYNC CGAERRBAR DEPBAR ENDCOLLECTIVE ERRBAR EXIT FENCE JMP JMXU KILL "
     "LDGDEPBAR MEMBAR NANOSLEEP NOP PREEXIT RPCMOV RTT UCGABAR_ARV UCGABAR_WAIT UTMACCTL UTMACMDFLUSH WARPGROUP WARPGROUPSET "
     "WARPSYNC YIELD",
     RF_OP_CTRL, R_ONE, 0},
};

/* Registers of a lane's fragments of A, B and of C and D with 32-bit and with 16-bit accumulators: PTX ISA, "Matrix fragments for
 * mma". `type` narrows a shape; the first line that fits counts. */
static const struct fragment {
    const char *family, *shape, *type;
    uint8_t a, b, c32, c16;
} fragments[] = {
    {"HMMA", "884", NULL, 2, 2, 2, 2}, /* Volta: each STEP holds a pair of the accumulators */
    {"HMMA", "1684", NULL, 2, 1, 4, 0},   {"HMMA", "1688", "TF32", 4, 2, 4, 0}, {"HMMA", "1688", NULL, 2, 1, 4, 2},
    {"HMMA", "16816", NULL, 4, 2, 4, 2},  {"QMMA", "16816", NULL, 2, 1, 4, 2},  {"QMMA", "16832", NULL, 4, 2, 4, 2},
    {"IMMA", "8816", NULL, 1, 1, 2, 0},   {"IMMA", "8832", NULL, 1, 1, 2, 0},   {"IMMA", "16816", NULL, 2, 1, 4, 0},
    {"IMMA", "16832", "S4", 2, 1, 4, 0},  {"IMMA", "16832", "U4", 2, 1, 4, 0},  {"IMMA", "16832", NULL, 4, 2, 4, 0},
    {"IMMA", "16864", NULL, 4, 2, 4, 0},  {"BMMA", "88128", NULL, 1, 1, 2, 0},  {"BMMA", "168128", NULL, 2, 1, 4, 0},
    {"BMMA", "168256", NULL, 4, 2, 4, 0}, {"DMMA", "884", NULL, 2, 2, 4, 0},    {"DMMA", "1684", NULL, 4, 2, 8, 0},
    {"DMMA", "1688", NULL, 8, 4, 8, 0},
};

uint64_t rf_fnv1a(const char *text, size_t length) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < length; i++) hash = (hash ^ (uint8_t)text[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* The number of times `suffix` stands between dots in the opcode's text after its family. */
static uint32_t suffixes(const char *text, const char *suffix) {
    const size_t length = strlen(suffix);
    uint32_t count = 0;
    for (const char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.'))
        count += strncmp(dot + 1, suffix, length) == 0 && (dot[1 + length] == '.' || dot[1 + length] == '\0');
    return count;
}

/* The bits of a vector type among the suffixes, F32x2 or BF16x4: letters, an element's bits, x and 2, 4 or 8; 0 without one. */
static uint32_t vector_bits(const char *text) {
    for (const char *dot = strchr(text, '.'); dot; dot = strchr(dot + 1, '.')) {
        const char *at = dot + 1 + strspn(dot + 1, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        uint32_t bits = 0;
        if (at == dot + 1) continue;
        for (uint32_t digits = 0; *at >= '0' && *at <= '9' && digits < 2; at++, digits++)
            bits = bits * 10 + (uint32_t)(*at - '0');
        if (at[0] == 'x' && (at[1] == '2' || at[1] == '4' || at[1] == '8') && (at[2] == '.' || at[2] == '\0'))
            return bits * (uint32_t)(at[1] - '0');
    }
    return 0;
}

/* Registers of a datum; 0: more than four, which no rule understands. */
static uint8_t data_regs(const char *text) {
    const uint32_t vector = vector_bits(text);
    if (suffixes(text, "256") || vector > 128) return 0;
    if (vector > 0) return (uint8_t)((vector + 31) / 32);
    if (suffixes(text, "128")) return 4;
    return suffixes(text, "64") || suffixes(text, "F64") || suffixes(text, "S64") || suffixes(text, "U64") ? 2 : 1;
}

static uint8_t matrix_regs(const char *text) { return suffixes(text, "4") ? 4 : suffixes(text, "2") ? 2 : 1; }

static void set_sources(rf_opcode *op, uint8_t first, uint8_t others) {
    op->src_regs[0] = first;
    for (uint32_t s = 1; s < RF_OPCODE_OPERANDS; s++) op->src_regs[s] = others;
}

/* Conversions name their result's type before their source's and leave 32-bit types out where they are the default: I2F.F64 (of
 * an S32), I2F.S64 (to an F32), F2I.U64 (of an F32), F2I.F64 (to an S32), F2F.F64.F32, F2F.F32.F64, FRND.F64. */
static void decode_convert(rf_opcode *op) {
    const bool wide_int = suffixes(op->text, "S64") || suffixes(op->text, "U64");
    const uint32_t wide_float = suffixes(op->text, "F64");
    const bool to_float = strncmp(op->text, "I2F", 3) == 0, to_int = strncmp(op->text, "F2I", 3) == 0;
    bool dst = wide_int || wide_float, src = dst; /* F2F.F64.F64, FRND, I2I */
    if (to_float || to_int) {
        dst = to_float ? wide_float : wide_int;
        src = to_float ? wide_int : wide_float;
    } else if (wide_float == 1 && (suffixes(op->text, "F32") || suffixes(op->text, "F16"))) {
        const char *const narrow = strstr(op->text, suffixes(op->text, "F32") ? ".F32" : ".F16");
        dst = strstr(op->text, ".F64") < narrow;
        src = !dst;
    }
    op->dst_regs = dst ? 2 : 1;
    set_sources(op, src ? 2 : 1, 1);
}

/* D = A x B + C; false when the shape is not in the table (sparse forms have a metadata operand, block-scaled ones scales, and
 * are left out too). */
static bool decode_mma(rf_opcode *op) {
    if (suffixes(op->text, "SP") || suffixes(op->text, "SF")) return false;
    for (size_t i = 0; i < sizeof fragments / sizeof fragments[0]; i++) {
        const struct fragment *const f = &fragments[i];
        if (strncmp(op->text, f->family, 4) != 0 || !suffixes(op->text, f->shape)) continue;
        if (f->type && !suffixes(op->text, f->type)) continue;
        const uint8_t c = f->c16 && !suffixes(op->text, "F32") ? f->c16 : f->c32;
        op->dst_regs = c;
        op->src_regs[0] = f->a;
        op->src_regs[1] = f->b;
        op->src_regs[2] = c;
        return true;
    }
    return false;
}

static void apply(rf_opcode *op, const struct family *family) {
    const uint8_t data = data_regs(op->text), address = suffixes(op->text, "E") ? 2 : 1, tiles = matrix_regs(op->text);
    if (data == 0) {
        op->known = false;
        return;
    }
    switch (family->rule) {
    case R_ONE:
        break;
    case R_NARROW:
        op->known = data == 1;
        break;
    case R_MATCH:
        op->src_regs[0] = suffixes(op->text, "U64") ? 2 : 1;
        break;
    case R_LISTED:
        op->known = false;
        break;
    case R_PACKED:
        op->dst_regs = 2;
        op->known = false;
        break;
    case R_PAIRS:
        op->dst_regs = 2;
        set_sources(op, 2, 2);
        break;
    case R_IMAD:
        op->dst_regs = suffixes(op->text, "WIDE") ? 2 : 1;
        op->addend_pair = suffixes(op->text, "WIDE") || suffixes(op->text, "HI");
        break;
    case R_CONVERT:
        decode_convert(op);
        break;
    case R_CS2R:
        op->dst_regs = suffixes(op->text, "32") ? 1 : 2;
        break;
    case R_LOAD:
        op->dst_regs = data;
        op->address = 1;
        set_sources(op, address, 1);
        break;
    case R_STORE:
        op->address = 1;
        set_sources(op, address, data);
        break;
    case R_ATOM:
        op->dst_regs = data;
        op->address = 1;
        set_sources(op, address, data);
        break;
    case R_COPY:
        op->address = 2;
        op->src_regs[1] = address;
        break;
    case R_MATRIX_LOAD:
        op->dst_regs = tiles;
        op->width = (uint8_t)(4 * tiles);
        break;
    case R_MATRIX_STORE:
        set_sources(op, 1, tiles);
        op->width = (uint8_t)(4 * tiles);
        break;
    case R_MMA:
        op->known = decode_mma(op);
        break;
    }
}

/* Whether the text up to its first dot is one of the blank-separated `names`. */
static bool named(const char *names, const char *text) {
    const size_t length = strcspn(text, ".");
    for (const char *at = names; *at; at += *at == ' ') {
        const size_t word = strcspn(at, " ");
        if (word == length && memcmp(at, text, word) == 0) return true;
        at += word;
    }
    return false;
}

int rf_opcode_decode(const char *text, size_t length, rf_opcode *out) {
    if (length == 0 || length > RF_OPCODE_TEXT_MAX) return -1;
    *out = (rf_opcode){.hash = rf_fnv1a(text, length), .opclass = RF_OP_ALU, .dst_regs = 1};
    memcpy(out->text, text, length);
    set_sources(out, 1, 1);
    for (size_t i = 0; i < sizeof families / sizeof families[0]; i++) {
        const struct family *const family = &families[i];
        if (!named(family->names, out->text)) continue;
        out->known = true;
        out->opclass = family->opclass;
        out->load = family->flags & LOADS;
        out->store = family->flags & STORES;
        out->generic = family->flags & GENERIC;
        out->dst_among_src = family->flags & LATE_DST;
        out->tile = family->flags & TILE;
        apply(out, family);
        break;
    }
    return 0;
}

/* Appends `regs` registers from `base`; NULL, or what is wrong. */
static const char *append(uint8_t *list, uint8_t *count, uint32_t max, uint32_t base, uint32_t regs) {
    if (base == RF_REG_ZERO) return NULL;
    if (base + regs - 1 >= RF_REG_ZERO) return "reaches above R254";
    if (*count + regs > max) return "is one register too many for an instruction";
    for (uint32_t r = 0; r < regs; r++) list[(*count)++] = (uint8_t)(base + r);
    return NULL;
}

/* A pair begins at an even register, and a quad of a memory access at a multiple of four. */
static bool aligned(const rf_opcode *opcode, uint32_t base, uint32_t regs) {
    if (base == RF_REG_ZERO) return true;
    return regs == 2 ? base % 2 == 0 : regs != 4 || opcode->opclass != RF_OP_MEM || base % 4 == 0;
}

const char *rf_opcode_expand(const rf_opcode *opcode, const rf_listed *listed, rf_inst *inst, uint8_t *operand, bool *odd) {
    const bool late = opcode->dst_among_src && listed->ndst == 0 && listed->nsrc > 0;
    const uint8_t *const dst = late ? listed->src : listed->dst;
    const uint32_t ndst = late ? 1 : listed->ndst;
    const uint8_t *const src = listed->src + late;
    const uint32_t nsrc = listed->nsrc - late;
    const uint32_t addend = !opcode->addend_pair ? UINT32_MAX : nsrc == 2 && listed->immediate ? 1 : 2;
    inst->ndst = inst->nsrc = 0;
    *odd = false;
    for (uint32_t d = 0; d < ndst; d++) {
        *operand = dst[d];
        const uint32_t regs = ndst == 1 ? opcode->dst_regs : 1;
        *odd |= !aligned(opcode, dst[d], regs);
        const char *const wrong = append(inst->dst, &inst->ndst, RF_INST_DST_MAX, dst[d], regs);
        if (wrong) return wrong;
    }
    for (uint32_t s = 0; s < nsrc; s++) {
        *operand = src[s];
        uint32_t regs = s == addend ? 2 : opcode->src_regs[s];
        /* what the table can only guess to be a pair is none at an odd register: [R5.U32+UR4], the factor of IMAD.WIDE */
        if (!aligned(opcode, src[s], regs) && (s + 1 == opcode->address || (s == addend && nsrc == 2))) regs = 1;
        *odd |= !aligned(opcode, src[s], regs);
        const char *const wrong = append(inst->src, &inst->nsrc, RF_INST_SRC_MAX, src[s], regs);
        if (wrong) return wrong;
    }
    return NULL;
}

#define BUCKETS (2 * RF_OPCODE_DISTINCT) /* a power of two: open addressing at most half full */

struct rf_optable {
    uint32_t count;
    rf_opcode *bucket[BUCKETS];
};

rf_optable *rf_optable_new(void) { return calloc(1, sizeof(rf_optable)); }

void rf_optable_free(rf_optable *table) {
    if (!table) return;
    for (uint32_t i = 0; i < BUCKETS; i++) free(table->bucket[i]);
    free(table);
}

const rf_opcode *rf_optable_find(rf_optable *table, const char *text, size_t length) {
    if (length == 0 || length > RF_OPCODE_TEXT_MAX) return NULL;
    const uint64_t hash = rf_fnv1a(text, length);
    uint32_t at = (uint32_t)(hash ^ (hash >> 32)) & (BUCKETS - 1);
    for (const rf_opcode *op = table->bucket[at]; op; at = (at + 1) & (BUCKETS - 1), op = table->bucket[at])
        if (op->hash == hash && memcmp(op->text, text, length) == 0 && op->text[length] == '\0') return op;
    if (table->count == RF_OPCODE_DISTINCT) return NULL;
    rf_opcode *const made = malloc(sizeof *made);
    if (!made) return NULL;
    (void)rf_opcode_decode(text, length, made);
    table->bucket[at] = made;
    table->count++;
    return made;
}
