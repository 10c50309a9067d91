/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU kernel as a list of warp instructions: what the PTX front end makes, the compiler half analyses and the SIMT machine
 * runs.
 *
 * Registers are numbered in words of 32 bits a lane. Before allocation a register number is an index into `var`: a variable of
 * PTX, of one word, two words or one predicate. After it (rf_regalloc.h) it is the number of a warp register, of the first of a
 * pair for 64-bit values, or of a predicate; `var` is then empty. Predicates have numbers of their own and lie in no bank. */
#ifndef RF_KERNEL_H
#define RF_KERNEL_H

#include "cmodel/workload/rf_inst.h"

#ifdef __cplusplus
extern "C" {
#endif

#define RF_KSRC_MAX 6u
#define RF_KDST_MAX 4u
#define RF_KNONE UINT32_MAX /* no block, no guard, no register */

/* PTX's fundamental types; their widths: rf_ktype_bits. */
typedef enum rf_ktype {
    RF_T_NONE,
    RF_T_PRED,
    RF_T_B8,
    RF_T_B16,
    RF_T_B32,
    RF_T_B64,
    RF_T_U8,
    RF_T_U16,
    RF_T_U32,
    RF_T_U64,
    RF_T_S8,
    RF_T_S16,
    RF_T_S32,
    RF_T_S64,
    RF_T_F16,
    RF_T_F32,
    RF_T_F64
} rf_ktype;

/* Operations, PTX's names. MUL and MAD: `part` says which half. Sources in PTX's order unless said. */
typedef enum rf_kop {
    RF_K_NOP, /* fences, prefetches, pragmas: no register, no effect on one core */
    RF_K_MOV, /* register, immediate, special register, address of a variable */
    RF_K_PACK,
    RF_K_UNPACK, /* mov between one wide register and a vector of 2 or 4 narrow ones, low first */
    RF_K_ADD,
    RF_K_SUB,
    RF_K_MUL,
    RF_K_MAD,
    RF_K_MUL24,
    RF_K_MAD24,
    RF_K_SAD,
    RF_K_DIV,
    RF_K_REM,
    RF_K_ABS,
    RF_K_NEG,
    RF_K_MIN,
    RF_K_MAX,
    RF_K_FMA,
    RF_K_COPYSIGN,
    RF_K_TESTP,
    RF_K_ADDC,
    RF_K_SUBC,
    RF_K_MADC, /* with the carry in; RF_F_CC says that the carry is written */
    RF_K_AND,
    RF_K_OR,
    RF_K_XOR,
    RF_K_NOT,
    RF_K_CNOT,
    RF_K_SHL,
    RF_K_SHR,
    RF_K_SHF_L,
    RF_K_SHF_R,
    RF_K_LOP3,
    RF_K_PRMT,
    RF_K_POPC,
    RF_K_CLZ,
    RF_K_BFIND,
    RF_K_BREV,
    RF_K_BFE,
    RF_K_BFI,
    RF_K_FNS,
    RF_K_DP4A,
    RF_K_SET,
    RF_K_SETP,
    RF_K_SELP,
    RF_K_SLCT,
    RF_K_CVT,
    RF_K_CVTA, /* CVTA: to generic, or from it with RF_F_TO; `space` */
    RF_K_RCP,
    RF_K_SQRT,
    RF_K_RSQRT,
    RF_K_SIN,
    RF_K_COS,
    RF_K_LG2,
    RF_K_EX2,
    RF_K_TANH,
    RF_K_LD,
    RF_K_ST,
    RF_K_ATOM,
    RF_K_RED, /* src[0]: address (register or immediate), `offset` added; then data */
    RF_K_BRA,
    RF_K_EXIT, /* EXIT also for the ret of an entry; `target` of BRA */
    RF_K_BAR,  /* src[0]: barrier; src[1], if there: threads */
    RF_K_SHFL, /* src: a, b (lane or delta), c (clamp), members; dst[1], if there: predicate */
    RF_K_VOTE,
    RF_K_MATCH,
    RF_K_ACTIVEMASK,
    RF_K_ELECT,
    RF_K_WARPSYNC, /* src[0]: members; no effect but the error when they do not come together */
    RF_K_TRAP,
    RF_KOPS
} rf_kop;

typedef enum rf_kpart { RF_PART_LO, RF_PART_HI, RF_PART_WIDE } rf_kpart;
typedef enum rf_kround {
    RF_R_NONE,
    RF_R_RN,
    RF_R_RZ,
    RF_R_RM,
    RF_R_RP,
    RF_R_RNI,
    RF_R_RZI,
    RF_R_RMI,
    RF_R_RPI,
    RF_R_RNA
} rf_kround;
typedef enum rf_kcmp {
    RF_C_EQ,
    RF_C_NE,
    RF_C_LT,
    RF_C_LE,
    RF_C_GT,
    RF_C_GE,
    RF_C_LO,
    RF_C_LS,
    RF_C_HI,
    RF_C_HS,
    RF_C_EQU,
    RF_C_NEU,
    RF_C_LTU,
    RF_C_LEU,
    RF_C_GTU,
    RF_C_GEU,
    RF_C_NUM,
    RF_C_NAN
} rf_kcmp;
typedef enum rf_kbool { RF_B_NONE, RF_B_AND, RF_B_OR, RF_B_XOR } rf_kbool; /* of set and setp with a third source */
typedef enum rf_kspace { RF_S_GENERIC, RF_S_PARAM, RF_S_GLOBAL, RF_S_SHARED, RF_S_CONST, RF_S_LOCAL } rf_kspace;

/* What SHFL, VOTE, MATCH, TESTP, PRMT, SHF, ATOM and RED do, in `mode`. */
typedef enum rf_kmode {
    RF_M_NONE,
    RF_M_UP,
    RF_M_DOWN,
    RF_M_BFLY,
    RF_M_IDX, /* SHFL */
    RF_M_ALL,
    RF_M_ANY,
    RF_M_UNI,
    RF_M_BALLOT, /* VOTE, MATCH (ALL, ANY) */
    RF_M_FINITE,
    RF_M_INFINITE,
    RF_M_NUMBER,
    RF_M_NOTANUMBER,
    RF_M_NORMAL,
    RF_M_SUBNORMAL, /* TESTP */
    RF_M_F4E,
    RF_M_B4E,
    RF_M_RC8,
    RF_M_ECL,
    RF_M_ECR,
    RF_M_RC16, /* PRMT; NONE is the default mode */
    RF_M_WRAP,
    RF_M_CLAMP, /* SHF */
    RF_M_AND,
    RF_M_OR,
    RF_M_XOR,
    RF_M_CAS,
    RF_M_EXCH,
    RF_M_ADD,
    RF_M_INC,
    RF_M_DEC,
    RF_M_MIN,
    RF_M_MAX /* ATOM, RED */
} rf_kmode;

/* Flags. */
#define RF_F_FTZ 0x001u    /* subnormal inputs and results of f32 are zero */
#define RF_F_SAT 0x002u    /* cvt: clamp to the type; f32: clamp to [0, 1]; s32 add, sub, mad.hi: clamp */
#define RF_F_APPROX 0x004u /* approximate: any result inside PTX's stated error */
#define RF_F_FULL 0x008u   /* div.full */
#define RF_F_CC 0x010u     /* writes the carry */
#define RF_F_TO 0x020u     /* cvta.to */
#define RF_F_VOLATILE 0x040u
#define RF_F_UNIFORM 0x080u  /* bra.uni: no lane takes another way */
#define RF_F_SYNC 0x100u     /* shfl, vote, match with a mask of members as last source */
#define RF_F_SHIFTAMT 0x200u /* bfind.shiftamt */
#define RF_F_NAN 0x400u      /* min, max: NaN wins */

/* Special registers, in an operand of kind RF_O_SPECIAL. */
typedef enum rf_kspecial {
    RF_SR_TID_X,
    RF_SR_TID_Y,
    RF_SR_TID_Z,
    RF_SR_NTID_X,
    RF_SR_NTID_Y,
    RF_SR_NTID_Z,
    RF_SR_CTAID_X,
    RF_SR_CTAID_Y,
    RF_SR_CTAID_Z,
    RF_SR_NCTAID_X,
    RF_SR_NCTAID_Y,
    RF_SR_NCTAID_Z,
    RF_SR_LANEID,
    RF_SR_WARPID,
    RF_SR_NWARPID,
    RF_SR_SMID,
    RF_SR_NSMID,
    RF_SR_GRIDID,
    RF_SR_LANEMASK_EQ,
    RF_SR_LANEMASK_LE,
    RF_SR_LANEMASK_LT,
    RF_SR_LANEMASK_GE,
    RF_SR_LANEMASK_GT,
    RF_SR_CLOCK,
    RF_SR_CLOCK_HI,
    RF_SR_CLOCK64,
    RF_SR_GLOBALTIMER,
    RF_SR_ENVREG0,
    RF_SR_ENVREG1,
    RF_SR_ENVREG2,
    RF_SR_ENVREG3,
    RF_SR_ENVREG4,
    RF_SR_ENVREG5,
    RF_SR_ENVREG6,
    RF_SR_COUNT
} rf_kspecial;

typedef enum rf_kokind { RF_O_NONE, RF_O_REG, RF_O_PRED, RF_O_IMM, RF_O_SPECIAL } rf_kokind;

typedef struct rf_koperand {
    uint8_t kind;  /* rf_kokind */
    uint8_t words; /* of a register: 1, or 2 for 64-bit values; else 0 */
    bool negated;  /* of a predicate read: !p */
    uint32_t reg;  /* register or predicate (see the top), or rf_kspecial */
    uint64_t imm;  /* bits of an immediate, of f32 in the low 32, of an integer as wide as the type, sign-extended */
} rf_koperand;

typedef struct rf_kinst {
    uint8_t op;       /* rf_kop */
    uint8_t type;     /* of the operation; of the result of SET, CVT */
    uint8_t src_type; /* SET: of what is compared; CVT: of the source; SLCT: of the selector; DP4A: of b; else `type` (which in
                         SETP and TESTP is that of the sources) */
    uint8_t part, round, cmp, boolean, space, mode;
    uint16_t flags;
    uint8_t vector; /* LD, ST: elements moved, 1, 2 or 4; PACK, UNPACK: narrow registers; else 1 */
    uint8_t ndst, nsrc;
    uint32_t guard; /* predicate that lets a lane take part, or RF_KNONE */
    bool guard_negated;
    rf_koperand dst[RF_KDST_MAX]; /* an operand of kind RF_O_NONE is PTX's `_`: thrown away */
    rf_koperand src[RF_KSRC_MAX];
    int64_t offset;  /* of LD, ST, ATOM, RED */
    uint32_t target; /* BRA: block it goes to */
    uint32_t line;   /* in the PTX file, from 1; 0: made by us (spill) */
    uint32_t text;   /* index into the kernel's `texts`: opcode with all its suffixes, as written */
} rf_kinst;

/* A basic block. The last instruction of a block is a BRA, an EXIT, a TRAP or falls through to the next block, as do the lanes
 * that a guard keeps from it. A guarded EXIT is no edge to the kernel's end: the lanes that leave meet the others nowhere. */
typedef struct rf_kblock {
    uint32_t first, count;   /* instructions; count >= 1 */
    uint32_t nsucc, succ[2]; /* the branch's target first, then the next block (which may be the same) */
    uint32_t npred, *pred;   /* each block once */
    uint32_t ipdom;          /* immediate post-dominator, or RF_KNONE: the kernel's end */
    uint32_t idom;           /* immediate dominator, or RF_KNONE: entry or unreachable */
    bool reachable;
    bool loop_head; /* target of a backward branch: one from an instruction at or after it */
} rf_kblock;

typedef struct rf_kparam {
    char *name;
    uint8_t type;          /* rf_ktype; RF_T_B8 with size > 1: an array, a structure by value */
    uint32_t offset, size; /* bytes in the parameter space */
} rf_kparam;

typedef struct rf_kvar { /* a PTX register */
    char *name;          /* not unique: of a scope, or of a function read in place of its call */
    uint8_t type;        /* rf_ktype; 8- and 16-bit ones take a word */
} rf_kvar;

typedef struct rf_kernel {
    char *name;
    rf_kparam *param;
    uint32_t nparam, param_bytes;
    uint32_t shared_bytes; /* static; addresses from 0 in the shared space */
    uint32_t local_bytes;  /* a lane's, with spills; addresses from 0 in the local space */
    bool dynamic_shared;   /* has an extern .shared array; it starts at shared_bytes */
    uint32_t reqntid[3];   /* 0: not stated */
    rf_kvar *var;
    uint32_t nvar;
    bool allocated;                /* register numbers are words; then: */
    uint32_t nreg, npred;          /* registers and predicates used: highest number + 1 */
    uint32_t spill_bytes, spilled; /* of local_bytes; variables that live in memory */
    rf_kinst *inst;
    uint32_t ninst;
    rf_kblock *block; /* made by rf_kernel_flow; block 0 is the entry */
    uint32_t nblock;
    char **texts;
    uint32_t ntext;
} rf_kernel;

/* A variable of the module in global or constant memory. */
typedef struct rf_kglobal {
    char *name;
    uint8_t space;
    uint64_t address, size;
    uint8_t *init; /* `size` bytes, or NULL: zero */
} rf_kglobal;

typedef struct rf_module {
    char *path;
    rf_kernel *kernel;
    uint32_t nkernel;
    rf_kglobal *global;
    uint32_t nglobal;
    uint32_t address_bits; /* 32 or 64 */
} rf_module;

#define RF_GLOBAL_BASE UINT64_C(0x10000)          /* first address of a module's variables */
#define RF_SHARED_WINDOW UINT64_C(0x7f0000000000) /* generic address of shared address 0 */
#define RF_LOCAL_WINDOW UINT64_C(0x7f8000000000)  /* generic address of local address 0 */
#define RF_SHARED_WINDOW_32 UINT64_C(0xfe000000)  /* both in 32-bit modules */
#define RF_LOCAL_WINDOW_32 UINT64_C(0xff000000)

/* Bits of a type: 1 for a predicate, 0 for RF_T_NONE. Bytes that it takes in memory. */
uint32_t rf_ktype_bits(rf_ktype type);
bool rf_ktype_signed(rf_ktype type);
bool rf_ktype_float(rf_ktype type);

/* PTX's name of a special register ("%tid.x"), or NULL. */
const char *rf_kspecial_name(rf_kspecial special);

/* Block of instruction `inst` (binary search). */
uint32_t rf_kernel_block_of(const rf_kernel *kernel, uint32_t inst);

/* Recomputes predecessors, dominators, post-dominators and loop heads from `inst` and each block's first, count and succ. A block
 * without a way to the kernel's end has no post-dominator. Algorithm: Cooper, Harvey and Kennedy, "A simple, fast dominance
 * algorithm", 2001. 0, or -1: no memory. */
int rf_kernel_flow(rf_kernel *kernel);

/* Sources and destinations of `inst` as word registers, in operand order, each word of a pair low first, repeated mentions kept:
 * into src[RF_KSRC_MAX * 2] and dst[RF_KDST_MAX * 2]. Only for an allocated kernel. */
void rf_kinst_words(const rf_kinst *inst, uint16_t *src, uint32_t *nsrc, uint16_t *dst, uint32_t *ndst);

/* The class of its execution port. */
rf_opclass rf_kinst_class(const rf_kinst *inst);

/* One line of text, PTX-like: "@!p1 ld.global.f32 R4, [R2+16]"; returns `text`. */
const char *rf_kinst_print(const rf_kernel *kernel, uint32_t inst, char *text, size_t size);

/* A deep copy into *to; 0, or -1: no memory. */
int rf_kernel_copy(rf_kernel *to, const rf_kernel *from);
void rf_kernel_free(rf_kernel *kernel);
void rf_module_free(rf_module *module);

#ifdef __cplusplus
}
#endif
#endif
