/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_ptx_table.h"

#include <stdio.h>
#include <string.h>

/* --- suffixes --------------------------------------------------------------------------------------------------------------- */

/* Which field of an instruction a suffix sets. */
typedef enum field {
    F_TYPE,
    F_SRC_TYPE,
    F_PART,
    F_ROUND,
    F_CMP,
    F_BOOLEAN,
    F_SPACE,
    F_MODE,
    F_FLAG,
    F_VECTOR,
    F_NOTHING, /* caches, memory order, what others see: no effect where one core runs the warps in a fixed order */
    FIELDS
} field;

/* Each field's suffixes at their values (of a flag, the number of its bit). */
#define VALUES 40u
static const char *const vocabulary[FIELDS][VALUES] = {
    [F_TYPE] = {"", ".pred", ".b8", ".b16", ".b32", ".b64", ".u8", ".u16", ".u32", ".u64", ".s8", ".s16", ".s32", ".s64", ".f16",
                ".f32", ".f64"},
    [F_PART] = {".lo", ".hi", ".wide"},
    [F_ROUND] = {"", ".rn", ".rz", ".rm", ".rp", ".rni", ".rzi", ".rmi", ".rpi"},
    [F_CMP] = {".eq", ".ne", ".lt", ".le", ".gt", ".ge", ".lo", ".ls", ".hi", ".hs", ".equ", ".neu", ".ltu", ".leu", ".gtu",
               ".geu", ".num", ".nan"},
    [F_BOOLEAN] = {"", ".and", ".or", ".xor"},
    [F_SPACE] = {"", ".param", ".global", ".shared", ".const", ".local"},
    [F_MODE] = {"",        ".up",       ".down",   ".bfly",       ".idx",    ".all",       ".any", ".uni", ".ballot",
                ".finite", ".infinite", ".number", ".notanumber", ".normal", ".subnormal", ".f4e", ".b4e", ".rc8",
                ".ecl",    ".ecr",      ".rc16",   ".wrap",       ".clamp",  ".and",       ".or",  ".xor", ".cas",
                ".exch",   ".add",      ".inc",    ".dec",        ".min",    ".max"},
    [F_FLAG] = {".ftz", ".sat", ".approx", ".full", ".cc", ".to", ".volatile", ".uni", ".sync", ".shiftamt", ".NaN"},
    [F_VECTOR] = {"", "", ".v2", "", ".v4"},
};

_Static_assert(RF_T_F64 == 16 && RF_R_RPI == 8 && RF_C_NAN == 17 && RF_B_XOR == 3 && RF_S_LOCAL == 5 && RF_M_MAX == 32 &&
                   RF_F_NAN == 1 << 10 && RF_PART_WIDE == 2,
               "the vocabulary follows the enumerations");

/* Sets of suffixes, under the names by which the rows below mention them. */
static const struct group {
    const char *name;
    field field;
    const char *suffixes;
} groups[] = {
    {"int", F_TYPE, ".u16 .u32 .u64 .s16 .s32 .s64"},
    {"int8", F_TYPE, ".u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64"},
    {"int32", F_TYPE, ".u32 .s32"},
    {"int16-32", F_TYPE, ".u16 .u32 .s16 .s32"},
    {"int32-64", F_TYPE, ".u32 .u64 .s32 .s64"},
    {"signed", F_TYPE, ".s16 .s32 .s64"},
    {"unsigned", F_TYPE, ".u16 .u32 .u64"},
    {"bits", F_TYPE, ".b16 .b32 .b64"},
    {"bits32-64", F_TYPE, ".b32 .b64"},
    {"logic", F_TYPE, ".pred .b16 .b32 .b64"},
    {"shifted", F_TYPE, ".b16 .b32 .b64 .u16 .u32 .u64 .s16 .s32 .s64"},
    {"value", F_TYPE, ".b16 .b32 .b64 .u16 .u32 .u64 .s16 .s32 .s64 .f32 .f64"},
    {"memory", F_TYPE, ".b8 .b16 .b32 .b64 .u8 .u16 .u32 .u64 .s8 .s16 .s32 .s64 .f32 .f64"},
    {"added", F_TYPE, ".u32 .s32 .u64 .f32 .f64"},
    {"set", F_TYPE, ".u32 .s32 .f32"},
    {"pred", F_TYPE, ".pred"},
    {"b32", F_TYPE, ".b32"},
    {"u32", F_TYPE, ".u32"},
    {"u64", F_TYPE, ".u64"},
    {"s32", F_TYPE, ".s32"},
    {"f16", F_TYPE, ".f16"},
    {"f32", F_TYPE, ".f32"},
    {"f64", F_TYPE, ".f64"},
    {"part", F_PART, ".lo .hi"},
    {"hi", F_PART, ".hi"},
    {"wide", F_PART, ".wide"},
    {"round", F_ROUND, ".rn .rz .rm .rp"},
    {"iround", F_ROUND, ".rni .rzi .rmi .rpi"},
    {"cmp-bits", F_CMP, ".eq .ne"},
    {"cmp-signed", F_CMP, ".eq .ne .lt .le .gt .ge"},
    {"cmp-unsigned", F_CMP, ".eq .ne .lt .le .gt .ge .lo .ls .hi .hs"},
    {"cmp-float", F_CMP, ".eq .ne .lt .le .gt .ge .equ .neu .ltu .leu .gtu .geu .num .nan"},
    {"bool", F_BOOLEAN, ".and .or .xor"},
    {"readable", F_SPACE, ".param .param::entry .param::func .global .shared .shared::cta .const .local"},
    {"writable", F_SPACE, ".param .param::func .global .shared .shared::cta .local"},
    {"window", F_SPACE, ".global .shared .shared::cta .const .local"},
    {"atomic", F_SPACE, ".global .shared .shared::cta"},
    {"global", F_SPACE, ".global"},
    {"shuffle", F_MODE, ".up .down .bfly .idx"},
    {"vote", F_MODE, ".all .any .uni"},
    {"ballot", F_MODE, ".ballot"},
    {"all", F_MODE, ".all"},
    {"any", F_MODE, ".any"},
    {"test", F_MODE, ".finite .infinite .number .notanumber .normal .subnormal"},
    {"permute", F_MODE, ".f4e .b4e .rc8 .ecl .ecr .rc16"},
    {"shift", F_MODE, ".wrap .clamp"},
    {"bitwise", F_MODE, ".and .or .xor"},
    {"exch", F_MODE, ".exch"},
    {"cas", F_MODE, ".cas"},
    {"add", F_MODE, ".add"},
    {"count", F_MODE, ".inc .dec"},
    {"min-max", F_MODE, ".min .max"},
    {"ftz", F_FLAG, ".ftz"},
    {"sat", F_FLAG, ".sat"},
    {"approx", F_FLAG, ".approx"},
    {"full", F_FLAG, ".full"},
    {"cc", F_FLAG, ".cc"},
    {"to", F_FLAG, ".to"},
    {"volatile", F_FLAG, ".volatile"},
    {"uni", F_FLAG, ".uni"},
    {"sync", F_FLAG, ".sync"},
    {"shiftamt", F_FLAG, ".shiftamt"},
    {"nan", F_FLAG, ".NaN"},
    {"vec", F_VECTOR, ".v2 .v4"},
    {"load-cache", F_NOTHING, ".ca .cg .cs .lu .cv"},
    {"store-cache", F_NOTHING, ".wb .cg .cs .wt"},
    {"nc-cache", F_NOTHING, ".ca .cg .cs"},
    {"evict", F_NOTHING, ".L1::evict_normal .L1::evict_unchanged .L1::evict_first .L1::evict_last .L1::no_allocate"},
    {"prefetch", F_NOTHING, ".L2::64B .L2::128B .L2::256B"},
    {"prefetched", F_NOTHING, ".L1 .L2 .L2::evict_last .L2::evict_normal"},
    {"load-order", F_NOTHING, ".relaxed .acquire"},
    {"store-order", F_NOTHING, ".relaxed .release"},
    {"atom-order", F_NOTHING, ".relaxed .acquire .release .acq_rel"},
    {"fence-order", F_NOTHING, ".sc .acq_rel .acquire .release"},
    {"scope", F_NOTHING, ".cta .cluster .gpu .sys"},
    {"barrier-level", F_NOTHING, ".cta .gl .sys"},
};
#define GROUPS (sizeof groups / sizeof groups[0])

/* --- instructions ----------------------------------------------------------------------------------------------------------- */

/* Suffixes in PTX's order: a group's name (`>` before it: the type is src_type's) or a suffix that sets nothing; `?` behind those
 * that may be missing. */
static const struct row {
    const char *name;
    rf_kop op;
    const char *suffixes, *operands;
} rows[] = {
    {"mov", RF_K_MOV, "value", "m"},
    {"mov", RF_K_MOV, "pred", "m"},

    {"add", RF_K_ADD, "int", "dss"},
    {"add", RF_K_ADD, "sat s32", "dss"},
    {"add", RF_K_ADD, "cc int32-64", "dss"},
    {"add", RF_K_ADD, "round? ftz? sat? f32", "dss"},
    {"add", RF_K_ADD, "round? f64", "dss"},
    {"sub", RF_K_SUB, "int", "dss"},
    {"sub", RF_K_SUB, "sat s32", "dss"},
    {"sub", RF_K_SUB, "cc int32-64", "dss"},
    {"sub", RF_K_SUB, "round? ftz? sat? f32", "dss"},
    {"sub", RF_K_SUB, "round? f64", "dss"},
    {"mul", RF_K_MUL, "part int", "dss"},
    {"mul", RF_K_MUL, "wide int16-32", "wss"},
    {"mul", RF_K_MUL, "round? ftz? sat? f32", "dss"},
    {"mul", RF_K_MUL, "round? f64", "dss"},
    {"mad", RF_K_MAD, "part int", "dsss"},
    {"mad", RF_K_MAD, "wide int16-32", "wssv"},
    {"mad", RF_K_MAD, "hi sat s32", "dsss"},
    {"mad", RF_K_MAD, "part cc int32-64", "dsss"},
    {"mad", RF_K_FMA, "round ftz? sat? f32", "dsss"},
    {"mad", RF_K_FMA, "round f64", "dsss"},
    {"fma", RF_K_FMA, "round ftz? sat? f32", "dsss"},
    {"fma", RF_K_FMA, "round f64", "dsss"},
    {"addc", RF_K_ADDC, "cc? int32-64", "dss"},
    {"subc", RF_K_SUBC, "cc? int32-64", "dss"},
    {"madc", RF_K_MADC, "part cc? int32-64", "dsss"},
    {"mul24", RF_K_MUL24, "part int32", "dss"},
    {"mad24", RF_K_MAD24, "part int32", "dsss"},
    {"mad24", RF_K_MAD24, "hi sat s32", "dsss"},
    {"sad", RF_K_SAD, "int", "dsss"},
    {"div", RF_K_DIV, "int", "dss"},
    {"div", RF_K_DIV, "approx ftz? f32", "dss"},
    {"div", RF_K_DIV, "full ftz? f32", "dss"},
    {"div", RF_K_DIV, "round ftz? f32", "dss"},
    {"div", RF_K_DIV, "round f64", "dss"},
    {"rem", RF_K_REM, "int", "dss"},
    {"abs", RF_K_ABS, "signed", "ds"},
    {"abs", RF_K_ABS, "ftz? f32", "ds"},
    {"abs", RF_K_ABS, "f64", "ds"},
    {"neg", RF_K_NEG, "signed", "ds"},
    {"neg", RF_K_NEG, "ftz? f32", "ds"},
    {"neg", RF_K_NEG, "f64", "ds"},
    {"min", RF_K_MIN, "int", "dss"},
    {"min", RF_K_MIN, "ftz? nan? f32", "dss"},
    {"min", RF_K_MIN, "f64", "dss"},
    {"max", RF_K_MAX, "int", "dss"},
    {"max", RF_K_MAX, "ftz? nan? f32", "dss"},
    {"max", RF_K_MAX, "f64", "dss"},
    {"copysign", RF_K_COPYSIGN, "f32", "dss"},
    {"copysign", RF_K_COPYSIGN, "f64", "dss"},
    {"testp", RF_K_TESTP, "test f32", "qs"},
    {"testp", RF_K_TESTP, "test f64", "qs"},
    {"rcp", RF_K_RCP, "approx ftz? f32", "ds"},
    {"rcp", RF_K_RCP, "round ftz? f32", "ds"},
    {"rcp", RF_K_RCP, "round f64", "ds"},
    {"rcp", RF_K_RCP, "approx ftz f64", "ds"},
    {"sqrt", RF_K_SQRT, "approx ftz? f32", "ds"},
    {"sqrt", RF_K_SQRT, "round ftz? f32", "ds"},
    {"sqrt", RF_K_SQRT, "round f64", "ds"},
    {"rsqrt", RF_K_RSQRT, "approx ftz? f32", "ds"},
    {"rsqrt", RF_K_RSQRT, "approx ftz? f64", "ds"},
    {"sin", RF_K_SIN, "approx ftz? f32", "ds"},
    {"cos", RF_K_COS, "approx ftz? f32", "ds"},
    {"lg2", RF_K_LG2, "approx ftz? f32", "ds"},
    {"ex2", RF_K_EX2, "approx ftz? f32", "ds"},
    {"tanh", RF_K_TANH, "approx f32", "ds"},

    {"and", RF_K_AND, "logic", "dss"},
    {"or", RF_K_OR, "logic", "dss"},
    {"xor", RF_K_XOR, "logic", "dss"},
    {"not", RF_K_NOT, "logic", "ds"},
    {"cnot", RF_K_CNOT, "bits", "ds"},
    {"shl", RF_K_SHL, "bits", "dsu"},
    {"shr", RF_K_SHR, "shifted", "dsu"},
    {"shf", RF_K_SHF_L, ".l shift b32", "dssu"},
    {"shf", RF_K_SHF_R, ".r shift b32", "dssu"},
    {"lop3", RF_K_LOP3, "b32", "dsssi"},
    {"prmt", RF_K_PRMT, "b32 permute?", "dsss"},
    {"popc", RF_K_POPC, "bits32-64", "ns"},
    {"clz", RF_K_CLZ, "bits32-64", "ns"},
    {"bfind", RF_K_BFIND, "shiftamt? int32-64", "ns"},
    {"brev", RF_K_BREV, "bits32-64", "ds"},
    {"bfe", RF_K_BFE, "int32-64", "dskk"},
    {"bfi", RF_K_BFI, "bits32-64", "dsskk"},
    {"fns", RF_K_FNS, "b32", "dsss"},
    {"dp4a", RF_K_DP4A, "int32 >int32", "nuuu"},

    {"setp", RF_K_SETP, "cmp-bits bool? bits", "qQssB"},
    {"setp", RF_K_SETP, "cmp-signed bool? signed", "qQssB"},
    {"setp", RF_K_SETP, "cmp-unsigned bool? unsigned", "qQssB"},
    {"setp", RF_K_SETP, "cmp-float bool? ftz? f32", "qQssB"},
    {"setp", RF_K_SETP, "cmp-float bool? f64", "qQssB"},
    {"set", RF_K_SET, "cmp-bits bool? set >bits", "dttB"},
    {"set", RF_K_SET, "cmp-signed bool? set >signed", "dttB"},
    {"set", RF_K_SET, "cmp-unsigned bool? set >unsigned", "dttB"},
    {"set", RF_K_SET, "cmp-float bool? ftz? set >f32", "dttB"},
    {"set", RF_K_SET, "cmp-float bool? set >f64", "dttB"},
    {"selp", RF_K_SELP, "value", "dssp"},
    {"slct", RF_K_SLCT, "value >s32", "dsst"},
    {"slct", RF_K_SLCT, "ftz? value >f32", "dsst"},

    {"cvt", RF_K_CVT, "sat? int8 >int8", "lr"},
    {"cvt", RF_K_CVT, "iround ftz? sat? int8 >f32", "lr"},
    {"cvt", RF_K_CVT, "iround sat? int8 >f64", "lr"},
    {"cvt", RF_K_CVT, "iround sat? int8 >f16", "lr"},
    {"cvt", RF_K_CVT, "round ftz? sat? f32 >int8", "lr"},
    {"cvt", RF_K_CVT, "round sat? f64 >int8", "lr"},
    {"cvt", RF_K_CVT, "round sat? f16 >int8", "lr"},
    {"cvt", RF_K_CVT, "ftz? sat? f32 >f16", "lr"},
    {"cvt", RF_K_CVT, "ftz? sat? f64 >f32", "lr"},
    {"cvt", RF_K_CVT, "sat? f64 >f16", "lr"},
    {"cvt", RF_K_CVT, "iround? ftz? sat? f32 >f32", "lr"},
    {"cvt", RF_K_CVT, "iround? sat? f64 >f64", "lr"},
    {"cvt", RF_K_CVT, "iround? sat? f16 >f16", "lr"},
    {"cvt", RF_K_CVT, "round ftz? sat? f32 >f64", "lr"},
    {"cvt", RF_K_CVT, "round ftz? sat? f16 >f32", "lr"},
    {"cvt", RF_K_CVT, "round sat? f16 >f64", "lr"},
    {"cvta", RF_K_CVTA, "to? window u64", "dg"},
    {"cvta", RF_K_CVTA, "to? window u32", "dg"},

    {"ld", RF_K_LD, ".weak? readable? load-cache? vec? memory", "la"},
    {"ld", RF_K_LD, ".weak? global? load-cache? prefetch vec? memory", "la"},
    {"ld", RF_K_LD, ".weak? global? evict prefetch? vec? memory", "la"},
    {"ld", RF_K_LD, ".weak? global .nc evict? prefetch? vec? memory", "la"},
    {"ld", RF_K_LD, ".weak? global nc-cache .nc prefetch? vec? memory", "la"},
    {"ld", RF_K_LD, "volatile readable? vec? memory", "la"},
    {"ld", RF_K_LD, "volatile global? prefetch vec? memory", "la"},
    {"ld", RF_K_LD, "load-order scope atomic? vec? memory", "la"},
    {"ld", RF_K_LD, "load-order scope global? evict prefetch? vec? memory", "la"},
    {"ld", RF_K_LD, "load-order scope global? prefetch vec? memory", "la"},
    {"ldu", RF_K_LD, "global? vec? memory", "la"},
    {"st", RF_K_ST, ".weak? writable? store-cache? vec? memory", "aR"},
    {"st", RF_K_ST, ".weak? global? evict vec? memory", "aR"},
    {"st", RF_K_ST, "volatile writable? vec? memory", "aR"},
    {"st", RF_K_ST, "store-order scope atomic? vec? memory", "aR"},
    {"st", RF_K_ST, "store-order scope global? evict vec? memory", "aR"},
    {"atom", RF_K_ATOM, "atom-order? scope? atomic? bitwise bits32-64", "oas"},
    {"atom", RF_K_ATOM, "atom-order? scope? atomic? exch bits32-64", "oas"},
    {"atom", RF_K_ATOM, "atom-order? scope? atomic? cas bits32-64", "oass"},
    {"atom", RF_K_ATOM, "atom-order? scope? atomic? add added", "oas"},
    {"atom", RF_K_ATOM, "atom-order? scope? atomic? count u32", "oas"},
    {"atom", RF_K_ATOM, "atom-order? scope? atomic? min-max int32-64", "oas"},
    {"red", RF_K_RED, "atom-order? scope? atomic? bitwise bits32-64", "as"},
    {"red", RF_K_RED, "atom-order? scope? atomic? add added", "as"},
    {"red", RF_K_RED, "atom-order? scope? atomic? count u32", "as"},
    {"red", RF_K_RED, "atom-order? scope? atomic? min-max int32-64", "as"},

    {"bra", RF_K_BRA, "uni?", "L"},
    {"exit", RF_K_EXIT, "", ""},
    {"ret", RF_K_EXIT, "uni?", ""},
    {"trap", RF_K_TRAP, "", ""},
    {"bar", RF_K_BAR, ".cta? .sync", "bh?"},
    {"barrier", RF_K_BAR, ".cta? .sync .aligned?", "bh?"},
    {"shfl", RF_K_SHFL, "shuffle b32", "dQsuu"},
    {"shfl", RF_K_SHFL, "sync shuffle b32", "dQsuuu"},
    {"vote", RF_K_VOTE, "vote pred", "qp"},
    {"vote", RF_K_VOTE, "ballot b32", "dp"},
    {"vote", RF_K_VOTE, "sync vote pred", "qpu"},
    {"vote", RF_K_VOTE, "sync ballot b32", "dpu"},
    {"match", RF_K_MATCH, "any sync bits32-64", "nsu"},
    {"match", RF_K_MATCH, "all sync bits32-64", "nQsu"},
    {"activemask", RF_K_ACTIVEMASK, "b32", "d"},
    {"elect", RF_K_ELECT, "sync", "nQu"},
    {"bar", RF_K_WARPSYNC, ".warp sync", "u"},

    {"membar", RF_K_NOP, "barrier-level", ""},
    {"fence", RF_K_NOP, "fence-order? scope", ""},
    {"prefetch", RF_K_NOP, "global? prefetched", "a"},
    {"prefetchu", RF_K_NOP, ".L1", "a"},
    {"nanosleep", RF_K_NOP, "u32", "s"},
};
#define ROWS (sizeof rows / sizeof rows[0])

/* --- decoding --------------------------------------------------------------------------------------------------------------- */

static bool same(const char *text, size_t length, const char *word, size_t word_length) {
    return length == word_length && memcmp(text, word, length) == 0;
}

/* Whether `text` is one of the words in `list`. */
static bool listed(const char *list, const char *text, size_t length) {
    for (;;) {
        const size_t n = strcspn(list, " ");
        if (same(text, length, list, n)) return true;
        if (list[n] == '\0') return false;
        list += n + 1;
    }
}

/* A suffix's value in its field's vocabulary; VALUES when it is not there. What follows "::" says nothing more. */
static uint32_t value_of(field where, const char *text, size_t length) {
    uint32_t v = 0;
    for (size_t i = 0; i + 1 < length; i++)
        if (text[i] == ':') length = i;
    while (v < VALUES && !(vocabulary[where][v] && *vocabulary[where][v] &&
                           same(text, length, vocabulary[where][v], strlen(vocabulary[where][v]))))
        v++;
    return v;
}

rf_ktype rf_ptx_type(const char *text, size_t length) {
    const uint32_t v = value_of(F_TYPE, text, length);
    return v < VALUES ? (rf_ktype)v : RF_T_NONE;
}

const char *rf_ptx_type_text(rf_ktype type) { return vocabulary[F_TYPE][type]; }

static void store(rf_kinst *inst, field where, uint32_t value) {
    const uint8_t v = (uint8_t)value;
    switch (where) {
    case F_TYPE:
        inst->type = v;
        break;
    case F_SRC_TYPE:
        inst->src_type = v;
        break;
    case F_PART:
        inst->part = v;
        break;
    case F_ROUND:
        inst->round = v;
        break;
    case F_CMP:
        inst->cmp = v;
        break;
    case F_BOOLEAN:
        inst->boolean = v;
        break;
    case F_SPACE:
        inst->space = v;
        break;
    case F_MODE:
        inst->mode = v;
        break;
    case F_FLAG:
        inst->flags = (uint16_t)(inst->flags | 1u << value);
        break;
    case F_VECTOR:
        inst->vector = v;
        break;
    default:
        break;
    }
}

/* Whether `item` of a row (without its `?`) takes this suffix; what it says goes into *inst. */
static bool takes(const char *item, size_t item_length, const char *text, size_t length, rf_kinst *inst) {
    const bool second = *item == '>';
    item += second;
    item_length -= second;
    if (*item == '.') return same(text, length, item, item_length);
    for (size_t g = 0; g < GROUPS; g++) {
        if (!same(item, item_length, groups[g].name, strlen(groups[g].name))) continue;
        const field where = groups[g].field;
        if (!listed(groups[g].suffixes, text, length)) return false;
        if (where != F_NOTHING) store(inst, second ? F_SRC_TYPE : where, value_of(where, text, length));
        return true;
    }
    return false;
}

/* A suffix ends before a dot that is not the first character. */
static size_t suffix_length(const char *text) { return *text ? 1 + strcspn(text + 1, ".") : 0; }

/* Matches all suffixes against a row's: NULL, or the place where it fails. */
static const char *match(const struct row *row, const char *text, rf_kinst *inst) {
    const char *item = row->suffixes;
    while (*item) {
        const size_t whole = strcspn(item, " ");
        const bool optional = item[whole - 1] == '?';
        const size_t length = suffix_length(text);
        if (length && takes(item, whole - optional, text, length, inst)) text += length;
        else if (!optional) return text;
        item += whole + (item[whole] == ' ');
    }
    return *text ? text : NULL;
}

const char *rf_ptx_decode(rf_ptx_form *form, const char *text, char *error, size_t size) {
    const size_t base = strcspn(text, ".");
    size_t furthest = 0; /* how much of the text the best row takes */
    for (size_t r = 0; r < ROWS; r++) {
        const struct row *const row = &rows[r];
        if (strlen(row->name) != base || memcmp(row->name, text, base) != 0) continue;
        rf_kinst inst = {.op = (uint8_t)row->op, .vector = 1, .guard = RF_KNONE, .target = RF_KNONE};
        const char *const stop = match(row, text + base, &inst);
        if (!stop) {
            if (inst.src_type == RF_T_NONE) inst.src_type = inst.type;
            *form = (rf_ptx_form){.inst = inst, .operands = row->operands};
            return NULL;
        }
        if ((size_t)(stop - text) > furthest) furthest = (size_t)(stop - text);
    }
    const size_t length = suffix_length(text + furthest);
    if (furthest == 0) (void)snprintf(error, size, "'%.80s' is not supported", text);
    else if (length == 0) (void)snprintf(error, size, "'%.80s': a suffix is missing", text);
    else
        (void)snprintf(error, size, "'%.80s': '%.*s' is not supported here", text, (int)(length < 40 ? length : 40),
                       text + furthest);
    return error;
}
