/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_ventus.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_lines.h"

#define REGISTER_BITS 5u /* of a register number in an instruction; regext adds 3 above them */
#define MASKED_BIT 25u   /* of an instruction of standard RVV: 0, only where v0 says so */

/* Control registers that say where a warp stands: its number in its workgroup, and of the workgroup its number, that in each
 * dimension, and its local memory. */
enum { PLACE_WID, PLACE_LDS, PLACE_WGID, PLACE_GIDX, PLACE_GIDY, PLACE_GIDZ, PLACES };
static const struct {
    uint32_t number;
    const char *name;
} places[PLACES] = {{0x805, "wid"}, {0x806, "lds"}, {0x804, "wgid"}, {0x808, "gidx"}, {0x809, "gidy"}, {0x80a, "gidz"}};

/* One "core" of the log: a warp. */
typedef struct core {
    rf_warp warp;
    uint32_t first;        /* pc of its first instruction */
    uint32_t pc, word;     /* of the instruction disassembled last */
    const rf_opcode *name; /* its opcode; NULL before the first */
    uint8_t operand[4];    /* its vector registers as printed, in order */
    uint32_t operands;
    bool masked;                         /* v0.t is one of its operands */
    bool pending;                        /* not committed yet */
    bool ended;                          /* endprg */
    uint32_t ext_d, ext_1, ext_2, ext_3; /* from a regext before it */
    uint32_t mask;                       /* active lanes */
    bool mask_said;                      /* the log has said so */
    uint32_t said;                       /* bits: of `place` */
    uint32_t place[PLACES];              /* what control registers say of where it stands */
    uint32_t block;                      /* number of its workgroup, from 0 in the order of the log's cores */
} core;

/* What a commit line says behind its instruction. */
typedef struct commit {
    bool has_register;
    uint8_t reg;
    uint32_t mask; /* with has_register */
    uint32_t lane[RF_LANES_MAX];
    uint64_t address[RF_LANES_MAX];
    uint32_t accesses;
    bool has_scalar; /* an x register */
    uint32_t scalar; /* its value */
    bool has_mask;   /* "current mask": behind the instruction */
    uint32_t next_mask;
} commit;

struct rf_ventus {
    rf_lines lines;
    rf_optable *table, *own_table;
    core *cores;
    uint32_t count;
    uint32_t lanes;
    uint32_t *order;  /* cores that are there, workgroup by workgroup */
    uint32_t warps;   /* of them */
    uint32_t blocks;  /* workgroups */
    uint32_t next;    /* place in `order` of the core to hand out */
    bool read;        /* the log, to its end */
    uint64_t present; /* rf_warp_link: an address or a value is there */
};

static bool starts(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* --- opcodes ---------------------------------------------------------------------------------------------------------------- */

/* Whether the text is one of the list's, where "name*" stands for all that start so. */
static bool any_of(const char *text, const char *const *list) {
    for (; *list; list++) {
        const size_t length = strlen(*list);
        if ((*list)[length - 1] == '*' ? strncmp(text, *list, length - 1) == 0 : strcmp(text, *list) == 0) return true;
    }
    return false;
}

/* What the disassembly prints of an instruction's vector registers behind its destination, in order, as the fields of the word
 * that hold them: '1' rs1, '2' rs2, '3' rs3 of a store of standard RVV, which lies where rd does. Fewer may be printed (vadd.vx:
 * rs2). */
static const struct {
    const char *text, *fields;
    bool load, store;
    bool unprinted; /* the word alone may say its registers */
} forms[] = {
    /* offset of 12 bits, from an address a lane */
    {"vlb12.v", "1", true, false, false},
    {"vlbu12.v", "1", true, false, false},
    {"vlh12.v", "1", true, false, false},
    {"vlhu12.v", "1", true, false, false},
    {"vlw12.v", "1", true, false, false},
    {"vsb12.v", "21", false, true, false},
    {"vsh12.v", "21", false, true, false},
    {"vsw12.v", "21", false, true, false},
    /* private memory: an address a lane, too, but the disassembly may print the scalar register of its number */
    {"vlb.v", "1", true, false, true},
    {"vlbu.v", "1", true, false, true},
    {"vlh.v", "1", true, false, true},
    {"vlhu.v", "1", true, false, true},
    {"vlw.v", "1", true, false, true},
    {"vsb.v", "21", false, true, true},
    {"vsh.v", "21", false, true, true},
    {"vsw.v", "21", false, true, true},
    /* standard RVV: a scalar base, a word a lane */
    {"vle32.v", "", true, false, false},
    {"vlse32.v", "", true, false, false},
    {"vluxei32.v", "2", true, false, false},
    {"vloxei32.v", "2", true, false, false},
    {"vse32.v", "3", false, true, false},
    {"vsse32.v", "3", false, true, false},
    {"vsuxei32.v", "32", false, true, false},
    {"vsoxei32.v", "32", false, true, false},
    {"vadd12.vi", "1", false, false, false},
    {"vsub12.vi", "1", false, false, false},
    {"vmv.v.v", "1", false, false, false},
    {"vfexp.v", "2", false, false, true}, /* "(args unknown)" */
};

/* Its number in `forms`, or RF_INDEX_NONE: printed is rs2, then rs1, and it is no vector load or store. */
static uint32_t form_of(const char *text) {
    for (uint32_t i = 0; text[0] == 'v' && i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].text, text) == 0) return i;
    return RF_INDEX_NONE;
}

static bool is_vector_load(const char *text) {
    const uint32_t form = form_of(text);
    return form != RF_INDEX_NONE && forms[form].load;
}

static bool is_vector_store(const char *text) {
    const uint32_t form = form_of(text);
    return form != RF_INDEX_NONE && forms[form].store;
}

/* A vector instruction that writes no vector register. */
static bool writes_none(const char *text) {
    static const char *const names[] = {"vbeq",    "vbne",     "vblt",    "vbge",     "vbltu", "vbgeu",
                                        "vmv.x.s", "vfmv.f.s", "vcpop.m", "vfirst.m", "vset*", NULL};
    return is_vector_store(text) || any_of(text, names);
}

static bool is_load(const char *text) {
    static const char *const names[] = {"lb", "lbu", "lh", "lhu", "lw", "flw", "lr.w*", "amo*", NULL};
    return is_vector_load(text) || any_of(text, names);
}

static bool is_store(const char *text) {
    static const char *const names[] = {"sb", "sh", "sw", "fsw", "sc.w*", "amo*", NULL};
    return is_vector_store(text) || any_of(text, names);
}

/* Bytes a lane moves. */
static uint32_t width_of(const char *text) { return text[2] == 'b' ? 1 : text[2] == 'h' ? 2 : 4; }

/* The destination is a source too: multiply-add in the register file's own operand. */
static bool reads_destination(const char *text) {
    static const char *const names[] = {"vmadd.*",   "vnmsub.*", "vmacc.*",   "vnmsac.*", "vfmadd.*",  "vfnmadd.*", "vfmsub.*",
                                        "vfnmsub.*", "vfmacc.*", "vfnmacc.*", "vfmsac.*", "vfnmsac.*", "vftta.*",   NULL};
    return any_of(text, names);
}

static rf_opclass class_of(const char *text) {
    static const char *const control[] = {"vbeq",   "vbne",     "vblt*",   "vbge*", "join",   "setrpc", "j*",
                                          "ret",    "beq*",     "bne*",    "blt*",  "bge*",   "ble*",   "bgt*",
                                          "endprg", "barrier*", "regext*", "ecall", "fence*", NULL};
    static const char *const sfu[] = {"vfdiv*", "vfrdiv*", "vfsqrt*", "vfexp*", "vfcvt*", "vdiv*", "vrem*",
                                      "div*",   "rem*",    "fdiv*",   "fsqrt*", "fcvt*",  NULL};
    static const char *const tensor[] = {"vftta*", "mma*", NULL};
    if (is_load(text) || is_store(text)) return RF_OP_MEM;
    if (any_of(text, control)) return RF_OP_CTRL;
    if (any_of(text, sfu)) return RF_OP_SFU;
    return any_of(text, tensor) ? RF_OP_TENSOR : RF_OP_ALU;
}

/* --- a disassembly line ----------------------------------------------------------------------------------------------------- */

/* `0xPC (0xWORD) `, moving *at behind it. */
static bool place(rf_ventus *r, const char **at, uint32_t *pc, uint32_t *word) {
    uint64_t value = 0;
    if (!rf_word_hex(&r->lines, at, "PC", "0x", 8, 8, "a program counter (0x and 8 hex digits)", &value)) return false;
    *pc = (uint32_t)value;
    char *const close = strchr(*at, ')');
    if (**at != '(' || !close) return rf_lines_fail_word(&r->lines, "instruction", *at, "'(0x...)'");
    *close = ' ';
    (*at)++;
    if (!rf_word_hex(&r->lines, at, "instruction", "0x", 8, 8, "an instruction (0x and 8 hex digits)", &value)) return false;
    *word = (uint32_t)value;
    return true;
}

/* Whether a word's major opcode is one of loads, stores or atomics. */
static bool any_access(uint32_t word) {
    const uint32_t major = word & 127;
    return major == 0x07 || major == 0x27 || major == 0x2f || major == 0x2b || major == 0x7b;
}

/* The vector registers among the operands: v0 .. v255, and v0.t, the mask. */
static bool vector_operands(rf_ventus *r, core *c, const char *at) {
    static const char separators[] = " ,()";
    static const char *const masks[] = {".vvm", ".vxm", ".vim", ".vfm", NULL};
    const char *const text = c->name->text, *const dot = strrchr(text, '.');
    const bool args_unknown = strstr(at, "(args unknown)") != NULL;
    c->operands = 0;
    c->masked = false;
    for (at += strspn(at, separators); *at; at += strspn(at, separators)) {
        const size_t length = strcspn(at, separators);
        uint32_t number = 0;
        size_t digits = 1;
        for (; digits < length && digits < 5 && at[digits] >= '0' && at[digits] <= '9'; digits++)
            number = number * 10 + (uint32_t)(at[digits] - '0');
        if (at[0] == 'v' && digits > 1 && digits == length) {
            if (number > 255) return rf_lines_fail_word(&r->lines, "operand", at, "a vector register (v0 .. v255)");
            if (c->operands == 4) return rf_lines_fail(&r->lines, "operand", "more than 4 vector registers");
            c->operand[c->operands++] = (uint8_t)number;
        } else if (length == 4 && strncmp(at, "v0.t", 4) == 0) {
            c->masked = true;
        }
        at += length;
    }
    if (text[0] == 'v' && args_unknown) {
        if (form_of(text) == RF_INDEX_NONE) return rf_lines_fail(&r->lines, "operand", "the log does not say those of %s", text);
        c->masked = (c->word >> MASKED_BIT & 1) == 0;
    }
    if (text[0] == 'v' && form_of(text) == RF_INDEX_NONE && any_access(c->word))
        return rf_lines_fail(&r->lines, "opcode",
                             "%s: of vector loads and stores only those of Ventus and vle32, vlse32, vluxei32, "
                             "vloxei32 and their stores are supported",
                             text);
    /* vmerge.vvm and its like print the mask as a register, last */
    if (text[0] == 'v' && dot && any_of(dot, masks)) {
        if (c->operands < 2 || c->operand[c->operands - 1] != 0)
            return rf_lines_fail(&r->lines, "operand", "%s lacks v0, its mask", text);
        c->operands--;
        c->masked = true;
    }
    return true;
}

/* Whether another instruction than the next may follow: branches, jumps, and those of SYSTEM, FENCE and the barriers. */
static bool jumps(uint32_t word) {
    const uint32_t major = word & 127;
    return major == 0x63 || major == 0x67 || major == 0x6f || major == 0x73 || major == 0x5b ||
           (major == 0x0b && (word >> 12 & 7) == 4);
}

static bool disassembly(rf_ventus *r, core *c, const char *at) {
    if (c->pending) return rf_lines_fail(&r->lines, "commit", "missing: the next instruction comes before it");
    const uint32_t before = c->pc, word = c->word;
    if (!place(r, &at, &c->pc, &c->word)) return false;
    if (!c->name) c->first = c->pc;
    else if (c->ended && c->pc == c->first) /* what ends the simulation may follow */
        return rf_lines_fail(&r->lines, "core", "%u begins again behind its endprg: two runs in one log",
                             (uint32_t)(c - r->cores));
    if (c->name && !jumps(word) && c->pc != before + 4)
        return rf_lines_fail(&r->lines, "PC", "0x%08x comes after 0x%08x: instructions are missing", c->pc, before);
    const size_t length = strcspn(at, " ");
    c->name = rf_optable_find(r->table, at, length);
    if (!c->name)
        return rf_lines_fail(&r->lines, "opcode", "missing, longer than %u, no memory, or more than %u different ones",
                             RF_OPCODE_TEXT_MAX, RF_OPCODE_DISTINCT);
    c->pending = true;
    return vector_operands(r, c, at + length);
}

/* --- a commit line ---------------------------------------------------------------------------------------------------------- */

/* `MASK 0xTOP ... BOTTOM`: the highest lane comes first. */
static bool register_value(rf_ventus *r, const char **at, commit *now) {
    uint64_t value = 0;
    if (r->lanes == 0) return rf_lines_fail(&r->lines, "vl", "missing before a vector register");
    if (!rf_word_hex(&r->lines, at, "mask", "", 8, 8, "8 hex digits", &value)) return false;
    now->mask = (uint32_t)value;
    if (r->lanes < RF_LANES_MAX && now->mask >> r->lanes)
        return rf_lines_fail(&r->lines, "mask", "%08x has lanes above %u", now->mask, r->lanes);
    for (uint32_t l = r->lanes; l-- > 0;) {
        const char *const prefix = l + 1 == r->lanes ? "0x" : "";
        if (!rf_word_hex(&r->lines, at, "lane", prefix, 8, 8, "8 hex digits", &value)) return false;
        now->lane[l] = (uint32_t)value;
    }
    return true;
}

/* `mem 0xADDRESS` of a load, `mem 0xADDRESS 0xVALUE` of a store. */
static bool access(rf_ventus *r, const char **at, commit *now) {
    uint64_t address = 0, value = 0;
    if (!rf_word_hex(&r->lines, at, "mem", "0x", 1, 16, "an address (0x and 1 .. 16 hex digits)", &address)) return false;
    if (now->accesses < RF_LANES_MAX) now->address[now->accesses] = address;
    now->accesses++;
    return !starts(*at, "0x") || rf_word_hex(&r->lines, at, "mem", "0x", 1, 16, "a value (0x and 1 .. 16 hex digits)", &value);
}

/* `e32 m1 lN`: only words, one register each; N lanes, the same in the whole log. */
static bool vector_type(rf_ventus *r, const char **at) {
    uint64_t lanes = 0;
    if (!starts(*at, "e32 m1 l")) return rf_lines_fail(&r->lines, "vtype", "only 'e32 m1' is supported");
    *at += 8;
    if (!rf_word_decimal(&r->lines, at, "vl", 1, RF_LANES_MAX, &lanes)) return false;
    if (r->lanes != 0 && r->lanes != lanes)
        return rf_lines_fail(&r->lines, "vl", "%u lanes after %u: they must stay", (uint32_t)lanes, r->lanes);
    r->lanes = (uint32_t)lanes;
    return true;
}

/* A vector register's number at *at ("v12 "). */
static bool vector_register(const char *at) { return at[0] == 'v' && at[1] >= '0' && at[1] <= '9'; }

static bool commit_item(rf_ventus *r, const char **at, commit *now) {
    rf_lines *const lines = &r->lines;
    uint64_t value = 0;
    if (starts(*at, "mem ")) {
        *at += 4;
        return access(r, at, now);
    }
    if (starts(*at, "current mask: ")) {
        *at += 14;
        if (!rf_word_hex(lines, at, "current mask", "", 8, 8, "8 hex digits", &value)) return false;
        now->has_mask = true;
        now->next_mask = (uint32_t)value;
        if (!starts(*at, "current npc: ")) return rf_lines_fail_word(lines, "current npc", *at, "'current npc:'");
        *at += 13;
        if (!rf_word_hex(lines, at, "current npc", "", 8, 8, "8 hex digits", &value)) return false;
        if (!starts(*at, "stack size: ")) return rf_lines_fail_word(lines, "stack size", *at, "'stack size:'");
        *at += 12;
        return rf_word_hex(lines, at, "stack size", "", 1, 8, "a number (1 .. 8 hex digits)", &value);
    }
    if (**at == 'e') return vector_type(r, at);
    if (vector_register(*at)) {
        if (now->has_register) return rf_lines_fail(lines, "register", "a second vector register");
        (*at)++;
        if (!rf_word_decimal(lines, at, "register", 0, 255, &value)) return false;
        now->has_register = true;
        now->reg = (uint8_t)value;
        return register_value(r, at, now);
    }
    if (**at == 'x' || **at == 'f' || **at == 'c') { /* a scalar register: its value is no operand of the vector register file */
        const char *end = *at + strcspn(*at, " ");
        const bool x = **at == 'x';
        if (!rf_word_close(lines, at, end, "register", "") ||
            !rf_word_hex(lines, at, "value", "0x", 1, 16, "a value (0x and 1 .. 16 hex digits)", &value))
            return false;
        if (x) now->has_scalar = true, now->scalar = (uint32_t)value;
        return true;
    }
    return rf_lines_fail_word(lines, "commit", *at, "a register, 'mem', 'e32' or 'current mask:'");
}

/* A printed register number against the field of the instruction that holds its low bits; the whole number. */
static bool whole_register(rf_ventus *r, uint32_t printed, uint32_t field, uint32_t extension, uint8_t *reg) {
    const uint32_t whole = field | extension << REGISTER_BITS;
    *reg = (uint8_t)whole;
    return printed == field || printed == whole ||
           rf_lines_fail(&r->lines, "operand", "v%u is printed, the instruction says v%u", printed, whole);
}

/* Registers as the disassembly prints them, behind the destination if there is one. */
static bool sources(rf_ventus *r, const core *c, uint32_t at, rf_inst *inst) {
    const uint32_t field[] = {c->word >> 15 & 31, c->word >> 20 & 31, c->word >> 7 & 31};
    const uint32_t extension[] = {c->ext_1, c->ext_2, c->ext_3};
    const char *const text = c->name->text;
    const uint32_t form = form_of(text);
    for (const char *from = form != RF_INDEX_NONE ? forms[form].fields : "21"; *from; from++) {
        const uint32_t f = (uint32_t)(*from - '1'), whole = field[f] | extension[f] << REGISTER_BITS;
        /* nothing, or a scalar register, is printed where a vector register is read */
        const bool unprinted = at == c->operands && form != RF_INDEX_NONE && forms[form].unprinted;
        if (at == c->operands && !unprinted) break;
        if (!whole_register(r, unprinted ? whole : c->operand[at++], field[f], extension[f], &inst->src[inst->nsrc++]))
            return false;
    }
    return at == c->operands ||
           rf_lines_fail(&r->lines, "operand", "v%u is printed, %s reads no further register", c->operand[at], text);
}

/* Sources and destination. */
static bool registers(rf_ventus *r, const core *c, const commit *now, rf_inst *inst) {
    const char *const text = c->name->text;
    const uint32_t rd = c->word >> 7 & 31, form = form_of(text);
    uint32_t at = 0;
    if (strcmp(text, "join") == 0) return true; /* prints v0, v0 and reads nothing */
    if (now->has_register) {
        const bool unprinted = c->operands == 0 && form != RF_INDEX_NONE && forms[form].unprinted;
        if (c->operands == 0 && !unprinted)
            return rf_lines_fail(&r->lines, "register", "v%u is written, %s names none", now->reg, text);
        if (!whole_register(r, unprinted ? rd : c->operand[at++], rd, c->ext_d, &inst->dst[0])) return false;
        if (inst->dst[0] != now->reg)
            return rf_lines_fail(&r->lines, "register", "v%u is written, the instruction says v%u", now->reg, inst->dst[0]);
        inst->ndst = 1;
    } else if (text[0] == 'v' && !writes_none(text)) {
        if (!c->masked) return rf_lines_fail(&r->lines, "register", "missing: %s writes one", text);
        at += c->operands > 0; /* v0 leaves it no lane */
    }
    if (!sources(r, c, at, inst)) return false;
    if (inst->ndst && reads_destination(text)) inst->src[inst->nsrc++] = inst->dst[0];
    if (c->masked) inst->src[inst->nsrc++] = 0;
    return true;
}

/* Lane addresses: one access an active lane, from the lowest on. */
static bool lane_addresses(rf_ventus *r, const commit *now, rf_warp *w, rf_inst *inst) {
    const uint32_t active = (uint32_t)__builtin_popcount(inst->mask);
    if (now->accesses != active) return rf_lines_fail(&r->lines, "mem", "%u accesses of %u active lanes", now->accesses, active);
    uint64_t *const lane = w->address + w->address_count;
    uint32_t i = 0;
    memset(lane, 0, RF_LANES_MAX * sizeof *lane);
    for (uint32_t m = inst->mask; m; m &= m - 1) lane[rf_lowest(m)] = now->address[i++];
    w->address_count += RF_LANES_MAX;
    inst->address = &r->present;
    return true;
}

/* The instruction that a commit line completes. */
static bool append(rf_ventus *r, core *c, const commit *now) {
    rf_warp *const w = &c->warp;
    const char *const text = c->name->text;
    if (w->count == UINT32_MAX || rf_warp_reserve(w, RF_LANES_MAX, RF_LANES_MAX) != 0)
        return rf_lines_fail(&r->lines, "memory", "none left");
    rf_inst *const inst = &w->inst[w->count];
    *inst = (rf_inst){.pc = c->pc,
                      .opcode = c->name->hash,
                      .mnemonic = text,
                      .mask = now->has_register ? now->mask : c->mask,
                      .opclass = class_of(text),
                      .load = is_load(text),
                      .store = is_store(text),
                      .index = RF_INDEX_NONE};
    if (inst->mask && !registers(r, c, now, inst)) return false;
    if (is_vector_load(text) || is_vector_store(text)) {
        inst->width = width_of(text);
        if (!lane_addresses(r, now, w, inst)) return false;
    }
    if (inst->ndst) {
        for (uint32_t l = 0; l < RF_LANES_MAX; l++) w->value[w->value_count++] = inst->mask >> l & 1 ? now->lane[l] : 0;
        inst->value = (uint32_t *)&r->present;
    }
    w->count++;
    return true;
}

/* regext: 3 more bits each of rs3, rs2, rs1 and rd for the next instruction; regexti: immediate, rs2 and rd. */
static void extend(core *c) {
    const uint32_t bits = c->word >> 20;
    const bool immediate = strcmp(c->name->text, "regexti") == 0, any = immediate || strcmp(c->name->text, "regext") == 0;
    c->ext_d = any ? bits & 7 : 0;
    c->ext_1 = any && !immediate ? bits >> 3 & 7 : 0;
    c->ext_2 = any ? (immediate ? bits >> 3 : bits >> 6) & 7 : 0;
    c->ext_3 = any && !immediate ? bits >> 9 & 7 : 0;
}

/* Takes down what a read of a control register says of where the warp stands. */
static bool place_of(rf_ventus *r, core *c, const commit *now) {
    const bool read = (c->word & 127) == 0x73 && (c->word >> 12 & 3) != 0 && now->has_scalar;
    for (uint32_t i = 0; read && i < PLACES; i++) {
        if (c->word >> 20 != places[i].number) continue;
        if (c->said >> i & 1 && c->place[i] != now->scalar)
            return rf_lines_fail(&r->lines, places[i].name, "0x%08x, and 0x%08x before: it must stay", now->scalar, c->place[i]);
        c->said |= UINT32_C(1) << i;
        c->place[i] = now->scalar;
    }
    return true;
}

static bool committed(rf_ventus *r, core *c, const char *at) {
    uint32_t pc = 0, word = 0;
    commit now = {0};
    if (!place(r, &at, &pc, &word)) return false;
    if (!c->name || pc != c->pc || word != c->word) /* one that repeats has no disassembly of its own */
        return rf_lines_fail(&r->lines, "PC", "0x%08x commits, 0x%08x was disassembled", pc, c->pc);
    while (*at)
        if (!commit_item(r, &at, &now)) return false;
    if (!c->pending && starts(c->name->text, "barrier")) return true; /* still waits there: it is executed again and again */
    if (!place_of(r, c, &now) || !append(r, c, &now)) return false;
    if (now.has_register && c->mask_said && c->mask != now.mask)
        return rf_lines_fail(&r->lines, "mask", "%08x, and %08x behind the last branch or vector instruction", now.mask, c->mask);
    c->mask_said |= now.has_register || now.has_mask;
    if (now.has_register) c->mask = now.mask;
    if (now.has_mask) c->mask = now.next_mask;
    if (strcmp(c->name->text, "endprg") == 0) c->ended = true;
    extend(c);
    c->pending = false;
    return true;
}

/* --- the log ---------------------------------------------------------------------------------------------------------------- */

static core *core_of(rf_ventus *r, uint32_t number) {
    if (number >= r->count) {
        core *const grown = realloc(r->cores, (number + 1) * sizeof *grown);
        if (!grown) return (void)rf_lines_fail(&r->lines, "memory", "none left"), NULL;
        memset(grown + r->count, 0, (number + 1 - r->count) * sizeof *grown);
        for (uint32_t i = r->count; i <= number; i++) grown[i].mask = UINT32_MAX;
        r->cores = grown;
        r->count = number + 1;
    }
    return &r->cores[number];
}

/* `core W: ` and a disassembly, a commit, the number of repetitions, or a symbol. `[r_pc] ...` shows the divergence stack. */
static bool log_line(rf_ventus *r, char *line) {
    uint32_t number = 0, digits = 0;
    char *at = line;
    if (*line == '[') return true;
    for (char *tab = strchr(line, '\t'); tab; tab = strchr(tab, '\t')) *tab = ' ';
    if (!starts(line, "core")) return rf_lines_fail_word(&r->lines, "line", line, "'core W: ...' or '[r_pc] ...'");
    for (at += 4; *at == ' '; at++) {
    }
    for (; *at >= '0' && *at <= '9' && digits < 8; at++, digits++) number = number * 10 + (uint32_t)(*at - '0');
    if (digits == 0 || number >= RF_VENTUS_CORES_MAX || at[0] != ':' || at[1] != ' ')
        return rf_lines_fail(&r->lines, "core", "its number (0 .. %u) and ': ' expected", RF_VENTUS_CORES_MAX - 1);
    at += 2;
    if (starts(at, "Executed ") || starts(at, ">>>>")) return true;
    core *const c = core_of(r, number);
    if (!c) return false;
    if (starts(at, "0x")) return disassembly(r, c, at);
    if (at[0] >= '0' && at[0] <= '3' && at[1] == ' ') return committed(r, c, at + 2);
    return rf_lines_fail_word(&r->lines, "core", at, "a disassembly (0xPC ...) or a commit (PRIVILEGE 0xPC ...)");
}

/* Of their workgroups no control register that both read says different things. */
static bool one_workgroup(const core *a, const core *b) {
    for (uint32_t i = PLACE_WID + 1; i < PLACES; i++)
        if ((a->said & b->said) >> i & 1 && a->place[i] != b->place[i]) return false;
    return true;
}

static int by_place(const void *x, const void *y) {
    const core *const a = *(const core *const *)x, *const b = *(const core *const *)y;
    if (a->block != b->block) return a->block < b->block ? -1 : 1;
    return a->place[PLACE_WID] < b->place[PLACE_WID] ? -1 : a->place[PLACE_WID] > b->place[PLACE_WID];
}

/* A workgroup's warps are numbered 0 .. n-1, each workgroup has as many, and no warp is missing. */
static bool whole_workgroups(rf_ventus *r, core *const *sorted) {
    const uint32_t each = r->warps / r->blocks;
    for (uint32_t i = 0; i < r->warps; i++) {
        const uint32_t number = (uint32_t)(sorted[i] - r->cores);
        if (sorted[i]->block != i / each || sorted[i]->place[PLACE_WID] != i % each)
            return rf_lines_fail(
                &r->lines, "wid",
                "core %u is warp %u of workgroup %u, where warp %u of workgroup %u should come: %u warps make no %u whole "
                "workgroups",
                number, sorted[i]->place[PLACE_WID], sorted[i]->block, i % each, i / each, r->warps, r->blocks);
    }
    return true;
}

/* Puts the cores into workgroups, by what the warps read of their control registers. A log in which no warp reads its number is
 * one workgroup, in the order of its cores. */
static bool workgroups(rf_ventus *r) {
    core **const sorted = calloc(r->count + 1, sizeof *sorted);
    const core *silent = NULL, *says = NULL;
    r->order = calloc(r->count + 1, sizeof *r->order);
    bool good = sorted && r->order;
    if (!good) (void)rf_lines_fail(&r->lines, "memory", "none left");
    for (uint32_t n = 0; good && n < r->count; n++) {
        core *const c = &r->cores[n];
        if (!c->name) continue; /* numbers that the log leaves out */
        if (c->said & 1) says = c;
        else silent = c;
        uint32_t first = 0;
        while (first < r->warps && !one_workgroup(c, sorted[first])) first++;
        c->block = first < r->warps ? sorted[first]->block : r->blocks++;
        sorted[r->warps++] = c;
    }
    if (good && says && silent)
        good = rf_lines_fail(&r->lines, "wid", "core %u reads it, core %u does not: their workgroups are not known",
                             (uint32_t)(says - r->cores), (uint32_t)(silent - r->cores));
    if (good && !says && r->blocks > 1)
        good = rf_lines_fail(&r->lines, "wid", "%u workgroups, and no warp reads its number", r->blocks);
    if (good && says) {
        qsort(sorted, r->warps, sizeof *sorted, by_place);
        good = whole_workgroups(r, sorted);
    }
    for (uint32_t i = 0; good && i < r->warps; i++) {
        core *const c = sorted[i];
        r->order[i] = (uint32_t)(c - r->cores);
        c->warp.block[0] = c->block;
        c->warp.warp = says ? c->place[PLACE_WID] : r->order[i];
    }
    free(sorted);
    return good;
}

static bool read_log(rf_ventus *r) {
    char *line = NULL;
    int got = 0;
    while ((got = rf_lines_next_text(&r->lines, &line)) == 1)
        if (!log_line(r, line)) return false;
    if (got < 0) return false;
    const uint32_t lanes = r->lanes == RF_LANES_MAX || r->lanes == 0 ? UINT32_MAX : (UINT32_C(1) << r->lanes) - 1;
    for (uint32_t n = 0; n < r->count; n++) {
        core *const c = &r->cores[n];
        if (c->name && (c->pending || !c->ended))
            return rf_lines_fail(&r->lines, "core", "%u: the log ends before its %s (truncated?)", n,
                                 c->pending ? "commit" : "endprg");
        for (size_t i = 0; i < c->warp.count; i++) c->warp.inst[i].mask &= lanes; /* before its first vector instruction */
        rf_warp_link(&c->warp);
    }
    return workgroups(r);
}

rf_ventus *rf_ventus_open(const rf_source *source, const char *path, rf_optable *table, char *error, size_t size) {
    rf_ventus *const r = calloc(1, sizeof *r);
    if (r) r->own_table = table ? NULL : rf_optable_new();
    if (!r || (!table && !r->own_table)) {
        (void)snprintf(error, size, "%s: no memory", path);
        free(r);
        return NULL;
    }
    r->table = table ? table : r->own_table;
    if (rf_lines_open(&r->lines, source, path) == 0) return r;
    (void)snprintf(error, size, "%s", r->lines.error);
    rf_ventus_close(r);
    return NULL;
}

int rf_ventus_next(rf_ventus *r, rf_warp *out) {
    out->count = out->address_count = out->value_count = 0;
    if (r->lines.failed) return -1;
    if (!r->read && !read_log(r)) return -1;
    r->read = true;
    if (r->next == r->warps) return 0;
    core *const c = &r->cores[r->order[r->next++]];
    const rf_warp reuse = *out;
    *out = c->warp;
    c->warp = reuse;
    return 1;
}

const char *rf_ventus_error(const rf_ventus *r) { return r->lines.error; }

uint32_t rf_ventus_lanes(const rf_ventus *r) { return r->read ? r->lanes : 0; }

uint32_t rf_ventus_warps(const rf_ventus *r) { return r->warps; }

uint32_t rf_ventus_blocks(const rf_ventus *r) { return r->blocks; }

void rf_ventus_close(rf_ventus *r) {
    if (!r) return;
    rf_lines_close(&r->lines);
    for (uint32_t n = 0; n < r->count; n++) rf_warp_free(&r->cores[n].warp);
    free(r->cores);
    free(r->order);
    rf_optable_free(r->own_table);
    free(r);
}
