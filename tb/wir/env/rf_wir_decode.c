/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/wir/env/rf_wir_decode.h"

#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_kernel.h"
#include "cmodel/workload/rf_traceg.h"
#include "harness/base/memory.h"

/* A map from keys to the numbers 0, 1, 2, ... in order of appearance; open addressing, twice the room that it needs. */
typedef struct numbers {
    uint64_t *key;
    uint16_t *number;
    uint32_t room, used, limit;
} numbers;

struct rf_wir_decoder {
    uint32_t slots, bits; /* operand fields of a tag, and the bits of one */
    uint32_t words;       /* of a result, at most */
    numbers *functions;   /* per set of register slots */
    bool no_shared;       /* a store went to scratchpad and elsewhere at once: loads from scratchpad are not looked up any more */
};

#define NO_NUMBER UINT32_MAX

static void numbers_init(numbers *n, uint32_t limit) {
    *n = (numbers){.limit = limit, .room = 1};
    while (n->room < 2 * limit) n->room *= 2;
    n->key = ls_zeroed(n->room * sizeof *n->key);
    n->number = ls_zeroed(n->room * sizeof *n->number);
}

static void numbers_free(numbers *n) {
    free(n->key);
    free(n->number);
}

/* The first of the key's `count` numbers, the next ones if it is new; NO_NUMBER when they would be more than `limit`. */
static uint32_t number_of(numbers *n, uint64_t key, uint32_t count) {
    uint32_t at = (uint32_t)((key * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (n->room - 1);
    while (n->number[at] != 0 && n->key[at] != key) at = (at + 1) & (n->room - 1);
    if (n->number[at] == 0) {
        if (n->used + count > n->limit) return NO_NUMBER;
        n->key[at] = key;
        n->number[at] = (uint16_t)(n->used + 1);
        n->used += count;
    }
    return n->number[at] - 1u;
}

rf_wir_decoder *rf_wir_decoder_new(uint32_t slots, uint32_t pregs) {
    rf_wir_decoder *d = ls_zeroed(sizeof *d);
    d->slots = slots;
    d->words = RF_INST_DST_MAX;
    d->bits = rf_index_bits(pregs);
    d->functions = ls_zeroed((1u << slots) * sizeof *d->functions);
    for (uint32_t s = 0; s < 1u << slots; s++) numbers_init(&d->functions[s], 1u << (8 - slots));
    return d;
}

void rf_wir_decoder_free(rf_wir_decoder *d) {
    if (d == NULL) return;
    for (uint32_t s = 0; s < 1u << d->slots; s++) numbers_free(&d->functions[s]);
    free(d->functions);
    free(d);
}

void rf_wir_decoder_limit(rf_wir_decoder *d, uint32_t words) { d->words = words; }

static bool starts(const char *text, const char *with) {
    return text[0] == with[0] && strncmp(text, with, strlen(with)) == 0; /* the first character tells nearly all apart */
}

static bool starts_any(const char *text, const char *const *list) {
    while (*list != NULL)
        if (starts(text, *list++)) return true;
    return false;
}

/* Whether the text has this suffix as a whole: ".X" in "IADD3.X" and "LEA.HI.X.SX32", not in "F2I.XYZ". */
static bool has_suffix(const char *text, const char *suffix) {
    const size_t length = strlen(suffix);
    while ((text = strstr(text, suffix)) != NULL) {
        text += length;
        if (*text == '.' || *text == '\0') return true;
    }
    return false;
}

/* What a memory instruction reads. PTX names the space; what a generic address reads is not reused, it may be anything. */
static rf_space space_of(const char *text) {
    static const char *const constant[] = {"ld.const", "ld.param", "ld.global.nc", NULL};
    static const char *const global[] = {"ld.global", NULL};
    static const char *const shared[] = {"ld.shared", NULL};
    if (starts_any(text, constant)) return RF_SPACE_CONST;
    if (starts_any(text, shared)) return RF_SPACE_SHARED;
    return starts_any(text, global) ? RF_SPACE_GLOBAL : RF_SPACE_NONE;
}

typedef enum rf_wir_goes { GOES_ELSEWHERE, GOES_TO_SHARED, GOES_TO_BOTH } rf_wir_goes;

/* Where a store or atomic operation goes. PTX without a space has generic addresses, which say it lane by lane; the window of
 * 32-bit modules may be global memory in others. So do the addresses of SASS: the reader of traces moves generic ones to windows.
 * What neither the text nor an address says goes to global memory in SASS and RISC-V (their loads from there are never reused)
 * and may be to both in PTX. */
static rf_wir_goes goes(const rf_inst *inst) {
    static const char *const generic[] = {"st.", "atom.", "red.", NULL};
    static const char *const named[] = {".global", ".local", ".param"};
    const char *text = inst->mnemonic;
    if (strstr(text, ".shared") != NULL || starts(text, "STS") || starts(text, "ATOMS")) return GOES_TO_SHARED;
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strstr(text, named[i]) != NULL) return GOES_ELSEWHERE;
    const bool sass = text[0] >= 'A' && text[0] <= 'Z';
    if (!sass && !starts_any(text, generic)) return GOES_ELSEWHERE;
    if (inst->address == NULL) return sass ? GOES_ELSEWHERE : GOES_TO_BOTH;
    bool shared = false, elsewhere = false;
    for (uint32_t left = inst->mask; left != 0; left &= left - 1) {
        const uint64_t address = inst->address[rf_lowest(left)];
        const bool narrow = !sass && address >= RF_SHARED_WINDOW_32 && address < RF_LOCAL_WINDOW_32;
        const bool wide = sass ? address - RF_TRACEG_SHARED_WINDOW < RF_TRACEG_WINDOW_BYTES
                               : address >= RF_SHARED_WINDOW && address < RF_LOCAL_WINDOW;
        shared |= narrow || wide;
        elsewhere |= !wide;
    }
    return !shared ? GOES_ELSEWHERE : elsewhere ? GOES_TO_BOTH : GOES_TO_SHARED;
}

/* The result depends on more than the operands and constants that the instruction lists: predicates and carries (an rf_inst does
 * not show them), other lanes, time. SASS and PTX names, and SASS's suffix of what adds a carry; RISC-V vector instructions reuse
 * only when all their operands are vectors. */
static bool has_hidden_input(const rf_inst *inst) {
    static const char *const list[] = {
        "selp",  "slct",   "addc",  "subc",  "madc",   "shfl",   "vote",        "match",      "activemask", "redux", "REDUX",
        "SEL",   "FSEL",   "IMNMX", "FMNMX", "SHFL",   "VOTE",   "MATCH",       "CS2R",       "S2R",        "S2UR",  "R2UR",
        "P2R",   "FSET",   "ISET",  "HSET2", "HMNMX2", "VHMNMX", "VIMNMX",      "VIADDMNMX",  "FSWZADD",    "B2R",   "BMOV",
        "ELECT", "CREDUX", "tex",   "suld",  "sust",   "sured",  "ld.volatile", "ld.acquire", "ld.relaxed", NULL};
    const char *text = inst->mnemonic;
    if (starts_any(text, list) || has_suffix(text, ".X")) return true;
    if (starts(text, "set.") && (has_suffix(text, ".and") || has_suffix(text, ".or") || has_suffix(text, ".xor"))) return true;
    if (text[0] == 'v') {
        const char *form = strrchr(text, '.');
        return form == NULL || strcmp(form, ".vv") != 0;
    }
    return false;
}

/* A vector load that leaves some of its words out ("_") does not say which. */
static bool leaves_words_out(const rf_inst *inst) {
    const char *text = inst->mnemonic, *vector = starts(text, "ld.") ? strstr(text, ".v") : NULL;
    if (vector == NULL || vector[2] < '2' || vector[2] > '8') return false;
    const size_t length = strlen(text);
    const bool two = strcmp(&text[length - 2], "64") == 0;
    return inst->ndst < (uint32_t)(vector[2] - '0') * (two ? 2u : 1u);
}

/* A stream's lone constant is itself; everything else (also a special register, which is another value in every warp) is a 64-bit
 * hash (docs/compiler.md), told from a constant by being longer. */
static bool is_constant(int64_t immediate) { return immediate >= INT32_MIN && immediate <= (int64_t)UINT32_MAX; }

/* Two numbers as one; for a fixed one it is a bijection of the other. */
static uint64_t mix(uint64_t a, uint64_t b) {
    uint64_t x = a * UINT64_C(0x9e3779b97f4a7c15) + b;
    x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
    return x ^ x >> 32;
}

/* Puts a constant into the operand fields `fields`, its low bits into the lowest: the number itself, sign-extended, or (`upper`)
 * the upper ones of its 32 bits where the others are 0, as of many floating-point numbers. False when it does not fit. */
static bool put_constant(const rf_wir_decoder *d, uint32_t fields, int64_t constant, uint16_t *imm, bool *upper) {
    const uint32_t room = (uint32_t)__builtin_popcount(fields) * d->bits, bits = room < 63 ? room : 63;
    const int64_t ends = (INT64_C(1) << bits) / 2;
    int64_t left = constant;
    *upper = false;
    if (bits == 0 ? constant != 0 : constant < -ends || constant >= ends) {
        const int64_t zeros = bits < 32 ? INT64_C(1) << (32 - bits) : 1;
        if (bits == 0 || bits >= 32 || constant < 0 || constant > (int64_t)UINT32_MAX || constant % zeros != 0) return false;
        *upper = true;
        left = constant / zeros;
    }
    for (; fields != 0; fields &= fields - 1) {
        imm[rf_lowest(fields)] = (uint16_t)((uint64_t)left & rf_mask64(d->bits));
        left >>= d->bits;
    }
    return true;
}

/* Of the reasons that need no values, the first; `stores`: to memory, atomic operations too. */
static rf_wir_why first_reason(const rf_wir_decoder *d, const rf_inst *inst, const rf_uop *uop, bool stores) {
    if (inst->opclass == RF_OP_CTRL) return RF_WIR_FLOW;
    if (stores) return RF_WIR_STORES;
    if (inst->ndst == 0) return RF_WIR_NO_RESULT;
    const bool whole = rf_crack_fits(inst, d->slots) && uop->nsrc == inst->nsrc;
    if (inst->ndst > 1 && (inst->ndst > d->words || !whole)) return RF_WIR_WIDE;
    if (!whole) return RF_WIR_CRACKED;
    return has_hidden_input(inst) || leaves_words_out(inst) ? RF_WIR_HIDDEN : RF_WIR_MAY;
}

void rf_wir_decode(rf_wir_decoder *d, const rf_inst *inst, const rf_uop *uop, uint32_t src_valid, uint32_t order,
                   rf_wir_decoded *out) {
    const char *text = inst->mnemonic;
    const bool reduces = starts(text, "REDUX") || starts(text, "redux"); /* over the lanes, not in memory */
    const bool atomic =
        starts(text, "atom") || (starts(text, "red") && !reduces) || starts(text, "ATOM") || (starts(text, "RED") && !reduces);
    const bool memory = inst->opclass == RF_OP_MEM || inst->load || inst->store;
    *out = (rf_wir_decoded){.store = inst->store || atomic};
    if (out->store) {
        const rf_wir_goes to = goes(inst);
        out->store_shared = to == GOES_TO_SHARED;
        d->no_shared |= to == GOES_TO_BOTH; /* a store sets one of the load guard's flags: that of global memory */
    }
    out->why = first_reason(d, inst, uop, out->store);
    if (out->why != RF_WIR_MAY) return;
    out->space = space_of(text);
    out->why = RF_WIR_SPACE;
    if (memory && (out->space == RF_SPACE_NONE || (out->space == RF_SPACE_SHARED && d->no_shared))) return;
    /* Without recorded values a result is a function of the program counter too, and without operands of the warp (rf_value.h); a
     * load's is one of the trace's address. */
    const bool recorded = inst->value != NULL;
    out->why = RF_WIR_UNKNOWN;
    if (!recorded && (memory || inst->nsrc == 0)) return;
    out->why = inst->nsrc == 0 ? RF_WIR_SPECIAL : RF_WIR_CONSTANTS;
    if (recorded && !is_constant(inst->immediate)) return;
    /* Of a load the address is what tells it from another; what the memory holds, which random streams put into the program
     * counter, is not the decoder's to know. Else, without recorded values, the PC stands for constants that a trace does not
     * list: if it does not fit it is a part of the function. */
    const bool by_pc = !recorded && out->space == RF_SPACE_NONE;
    const bool plain = by_pc ? inst->immediate == 0 && inst->pc <= INT64_MAX : true;
    const uint32_t fields = ~src_valid & (uint32_t)rf_mask64(d->slots);
    const uint32_t form = order + (inst->ndst - 1u) * 16; /* how many words also says how many numbers */
    uint64_t function = form == 0 ? inst->opcode : mix(inst->opcode, form);
    bool upper = false;
    if (plain && put_constant(d, fields, by_pc ? (int64_t)inst->pc : inst->immediate, out->imm, &upper)) {
        if (upper) function = mix(function, UINT64_MAX);
    } else {
        out->why = RF_WIR_CONSTANTS;
        if (!by_pc) return;
        function = mix(mix(function, inst->pc), (uint64_t)inst->immediate);
    }
    const uint32_t op = number_of(&d->functions[src_valid], function, inst->ndst);
    out->why = RF_WIR_NO_NUMBER;
    if (op == NO_NUMBER) return;
    out->op = (uint8_t)(op + uop->dst_index);
    out->why = RF_WIR_MAY;
    out->reuse = true;
}

bool rf_wir_words(rf_wir_decoder *d, const rf_inst *inst) {
    rf_uop uop;
    rf_wir_decoded out;
    if (inst->ndst < 2 || !rf_crack_fits(inst, d->slots)) return false;
    rf_crack_word(inst, d->slots, 0, &uop);
    rf_wir_decode(d, inst, &uop, (uint32_t)rf_mask64(inst->nsrc), 0, &out);
    return out.reuse;
}
