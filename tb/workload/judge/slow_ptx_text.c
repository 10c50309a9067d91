/* SPDX-License-Identifier: Apache-2.0 */
/* The slow model's reader: PTX text to a list of instructions with their modifiers as bits and their registers by name. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workload/judge/slow_ptx.h"
#include "tb/workload/judge/slow_ptx_names.h"

typedef struct reader {
    slow_ptx *ptx;
    const char *at;
    uint32_t line, token_line;
    char token[128]; /* the next token; "" at the end */
    struct {
        char name[64];
        uint32_t inst;
    } label[1024];
    uint32_t labels;
    struct {
        char name[64];
        uint32_t inst;
    } jump[2048]; /* branches whose target is not known yet */
    uint32_t jumps;
    uint32_t scope[16], scopes; /* registers at the start of each { */
} reader;

static void fail(reader *r, const char *what) {
    if (r->ptx->error[0] == '\0')
        (void)snprintf(r->ptx->error, sizeof r->ptx->error, "line %u: %s at '%s'", (unsigned)r->token_line, what, r->token);
    r->token[0] = '\0';
    r->at = "";
}

static bool failed(const reader *r) { return r->ptx->error[0] != '\0'; }

static bool word_start(char c) { return isalpha((unsigned char)c) || c == '_' || c == '$' || c == '%' || c == '.'; }
static bool word_rest(char c) { return word_start(c) || isdigit((unsigned char)c); }

static void next(reader *r) {
    for (;;) {
        while (isspace((unsigned char)*r->at)) r->line += *r->at++ == '\n';
        if (r->at[0] == '/' && r->at[1] == '/') {
            while (*r->at != '\0' && *r->at != '\n') r->at++;
        } else if (r->at[0] == '/' && r->at[1] == '*') {
            for (r->at += 2; *r->at != '\0' && !(r->at[0] == '*' && r->at[1] == '/'); r->at++) r->line += *r->at == '\n';
            r->at += *r->at != '\0' ? 2 : 0;
        } else {
            break;
        }
    }
    r->token_line = r->line;
    size_t n = 0;
    if (*r->at == '"') {
        do r->token[n++] = *r->at++;
        while (*r->at != '\0' && *r->at != '"' && n < sizeof r->token - 2);
        if (*r->at == '"') r->at++;
    } else if (word_start(*r->at) || isdigit((unsigned char)*r->at)) {
        while (word_rest(*r->at) && n < sizeof r->token - 1) r->token[n++] = *r->at++;
    } else if (*r->at != '\0') {
        r->token[n++] = *r->at++;
    }
    r->token[n] = '\0';
}

static bool is(const reader *r, const char *text) { return strcmp(r->token, text) == 0; }

static bool accept(reader *r, const char *text) {
    if (!is(r, text)) return false;
    next(r);
    return true;
}

static void expect(reader *r, const char *text) {
    if (!accept(r, text)) fail(r, text);
}

static void name_into(reader *r, char *to, size_t size) {
    if (!word_start(r->token[0]) || strlen(r->token) >= size) {
        fail(r, "a name expected");
        return;
    }
    memcpy(to, r->token, strlen(r->token) + 1);
    next(r);
}

/* A number without its sign: an integer, or the bits of 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX. */
static uint64_t number(reader *r) {
    const char *const t = r->token;
    if (!isdigit((unsigned char)t[0])) {
        fail(r, "a number expected");
        return 0;
    }
    char *end;
    const bool real = t[0] == '0' && (t[1] == 'f' || t[1] == 'F' || t[1] == 'd' || t[1] == 'D');
    const uint64_t v = real ? strtoull(t + 2, &end, 16) : strtoull(t, &end, 0);
    if (*end == 'U' && !real) end++;
    if (*end != '\0') fail(r, "not a number");
    next(r);
    return v;
}

static uint64_t signed_number(reader *r) {
    if (accept(r, "-")) return UINT64_C(0) - number(r);
    return number(r);
}

static bool type_of(const char *text, slow_type *type) {
    if (strcmp(text, "pred") == 0) {
        *type = (slow_type){'p', 1};
        return true;
    }
    if (text[0] == '\0' || strchr("busf", text[0]) == NULL) return false;
    const long bits = strtol(text + 1, NULL, 10);
    char again[8];
    (void)snprintf(again, sizeof again, "%c%ld", text[0], bits % 1000);
    if (strcmp(again, text) != 0 || (bits != 8 && bits != 16 && bits != 32 && bits != 64)) return false;
    *type = (slow_type){text[0], (uint8_t)bits};
    return true;
}

static int find_register(const reader *r, const char *name) {
    for (uint32_t i = r->ptx->regs; i-- > 0;)
        if (!r->ptx->reg[i].hidden && strcmp(r->ptx->reg[i].name, name) == 0) return (int)i;
    return -1;
}

static void add_register(reader *r, const char *name, slow_type type) {
    slow_ptx *const p = r->ptx;
    if (p->regs == p->reg_room) {
        p->reg_room = p->reg_room * 2 + 64;
        p->reg = realloc(p->reg, p->reg_room * sizeof *p->reg);
        if (!p->reg) abort();
    }
    slow_register *const reg = &p->reg[p->regs++];
    *reg = (slow_register){.type = type};
    (void)snprintf(reg->name, sizeof reg->name, "%s", name);
}

/* .reg .b32 %r<10>, a, b; */
static void declare_registers(reader *r) {
    slow_type type = {0};
    if (!type_of(r->token + 1, &type)) fail(r, "a type expected");
    next(r);
    do {
        char name[40];
        name[0] = '\0';
        name_into(r, name, sizeof name);
        if (accept(r, "<")) {
            const uint64_t count = number(r);
            expect(r, ">");
            for (uint64_t k = 0; k < count && k < 10000; k++) {
                char full[64];
                (void)snprintf(full, sizeof full, "%s%u", name, (unsigned)k);
                add_register(r, full, type);
            }
        } else {
            add_register(r, name, type);
        }
    } while (accept(r, ","));
    expect(r, ";");
}

static uint32_t aligned(uint64_t at, uint64_t to) { return (uint32_t)((at + to - 1) / to * to); }

/* What follows .global, .const, .shared, .local or .param: alignment, type, name, size, initialiser. */
static slow_symbol *declare_symbol(reader *r, char space) {
    slow_ptx *const p = r->ptx;
    uint64_t align = 0;
    slow_type type = {0};
    if (accept(r, ".align")) align = number(r);
    if (!type_of(r->token + 1, &type)) fail(r, "a type expected");
    next(r);
    if (accept(r, ".ptr")) {
        while (!failed(r) && !word_start(r->token[0])) next(r);
        while (is(r, ".global") || is(r, ".align") || isdigit((unsigned char)r->token[0])) next(r);
    }
    if (p->symbols == 64) fail(r, "too many symbols");
    if (failed(r)) return NULL;
    slow_symbol *const s = &p->symbol[p->symbols++];
    *s = (slow_symbol){.space = space};
    name_into(r, s->name, sizeof s->name);
    const uint32_t unit = type.bits / 8u;
    uint64_t elements = 1;
    if (accept(r, "[")) {
        elements = number(r);
        expect(r, "]");
    }
    s->size = elements * unit;
    if (align < unit) align = unit;
    uint32_t *const total = space == 'p'   ? &p->param_bytes
                            : space == 's' ? &p->shared_bytes
                            : space == 'l' ? &p->local_bytes
                                           : NULL;
    if (total) {
        s->address = aligned(*total, align);
        *total = (uint32_t)(s->address + s->size);
    } else {
        s->bytes = calloc(s->size ? s->size : 1, 1);
        if (!s->bytes) abort();
    }
    if (accept(r, "=")) {
        const bool list = accept(r, "{");
        uint64_t at = 0;
        do {
            const uint64_t v = signed_number(r);
            if (!s->bytes || at + unit > s->size) fail(r, "initialiser");
            else memcpy(s->bytes + at, &v, unit);
            at += unit;
        } while (accept(r, ","));
        if (list) expect(r, "}");
    }
    return s;
}

static slow_part part(reader *r) {
    slow_part p = {0};
    if (accept(r, "!")) p.negated = true;
    if (is(r, "_")) {
        next(r);
        return p;
    }
    if (isdigit((unsigned char)r->token[0]) || is(r, "-")) {
        p.kind = SLOW_IMM;
        p.imm = signed_number(r);
        return p;
    }
    const int reg = find_register(r, r->token);
    if (reg >= 0) {
        p.kind = SLOW_REG;
        p.index = (uint32_t)reg;
        next(r);
        return p;
    }
    for (uint32_t i = 0; i < SLOW_SPECIALS; i++)
        if (is(r, slow_special_names[i])) {
            p.kind = SLOW_SPECIAL;
            p.index = i;
            next(r);
            return p;
        }
    for (uint32_t i = 0; i < r->ptx->symbols; i++)
        if (is(r, r->ptx->symbol[i].name)) {
            p.kind = SLOW_SYMBOL;
            p.index = i;
            next(r);
            return p;
        }
    fail(r, "unknown name");
    return p;
}

static void offset(reader *r, slow_operand *o) {
    if (accept(r, "+")) o->offset = (int64_t)signed_number(r);
    else if (is(r, "-")) o->offset = (int64_t)signed_number(r);
}

static slow_operand operand(reader *r) {
    slow_operand o = {0};
    if (accept(r, "[")) {
        o.part[o.parts++] = part(r);
        offset(r, &o);
        expect(r, "]");
    } else if (accept(r, "{")) {
        do {
            if (o.parts == SLOW_PARTS) fail(r, "vector too long");
            else o.part[o.parts++] = part(r);
        } while (accept(r, ","));
        expect(r, "}");
    } else {
        o.part[o.parts++] = part(r);
        if (accept(r, "|")) o.part[o.parts++] = part(r);
        if (o.part[0].kind == SLOW_SYMBOL) offset(r, &o);
    }
    return o;
}

static bool writes_nothing(slow_op op) {
    return op == OP_st || op == OP_red || op == OP_bra || op == OP_exit || op == OP_ret || op == OP_bar || op == OP_barrier ||
           op == OP_membar;
}

/* Words and how to compare them, for each register in operand `o`. */
static void words_of(const reader *r, const slow_operand *o, char *kind, uint32_t *n, uint32_t room) {
    for (uint32_t k = 0; k < o->parts; k++) {
        if (o->part[k].kind != SLOW_REG) continue;
        const slow_type t = r->ptx->reg[o->part[k].index].type;
        if (t.kind == 'p' || *n + 2 > room) continue;
        if (t.bits == 64) {
            kind[(*n)++] = t.kind == 'f' ? 'd' : 'w';
            kind[(*n)++] = t.kind == 'f' ? 'e' : 'w';
        } else {
            kind[(*n)++] = t.bits < 32 ? 'h' : t.kind == 'f' ? 'f' : 'w';
        }
    }
}

static void opcode(reader *r, slow_inst *i) {
    char text[sizeof r->token];
    memcpy(text, r->token, sizeof text);
    char *rest = strchr(text, '.');
    if (rest) *rest++ = '\0';
    uint32_t op = 0, types = 0;
    while (op < SLOW_OP_COUNT && strcmp(slow_op_names[op], text) != 0) op++;
    if (op == SLOW_OP_COUNT) fail(r, "unknown operation");
    i->op = (slow_op)op;
    while (rest && !failed(r)) {
        char *const this = rest;
        rest = strchr(this, '.');
        if (rest) *rest++ = '\0';
        slow_type type;
        if (type_of(this, &type)) {
            if (types < 2) i->type[types] = type;
            types++;
            continue;
        }
        uint32_t m = 0;
        while (m < SLOW_MOD_COUNT && strcmp(slow_mod_names[m], this) != 0) m++;
        if (m == SLOW_MOD_COUNT) fail(r, "unknown modifier");
        else i->mods |= (unsigned __int128)1 << m;
    }
    next(r);
}

static void instruction(reader *r) {
    slow_inst i = {.line = r->token_line, .guard = -1};
    if (accept(r, "@")) {
        i.guard_negated = accept(r, "!");
        i.guard = find_register(r, r->token);
        if (i.guard < 0) fail(r, "no such predicate");
        next(r);
    }
    opcode(r, &i);
    slow_ptx *const p = r->ptx;
    if (i.op == OP_bra) {
        if (r->jumps == 2048) fail(r, "too many branches");
        if (failed(r)) return;
        r->jump[r->jumps].inst = p->insts;
        name_into(r, r->jump[r->jumps++].name, sizeof r->jump[0].name);
    } else {
        while (!failed(r) && !is(r, ";")) {
            if (i.operands == SLOW_OPERANDS) fail(r, "too many operands");
            else i.operand[i.operands++] = operand(r);
            if (!is(r, ";")) expect(r, ",");
        }
    }
    expect(r, ";");
    if (failed(r)) return;
    i.writes = !writes_nothing(i.op);
    if (i.writes) words_of(r, &i.operand[0], i.dst_kind, &i.ndst, SLOW_DST_WORDS + 1);
    for (uint32_t k = i.writes ? 1 : 0; k < i.operands; k++) words_of(r, &i.operand[k], i.src_kind, &i.nsrc, SLOW_SRC_WORDS + 1);
    if (p->insts == p->inst_room) {
        p->inst_room = p->inst_room * 2 + 256;
        p->inst = realloc(p->inst, p->inst_room * sizeof *p->inst);
        if (!p->inst) abort();
    }
    p->inst[p->insts++] = i;
}

static void body(reader *r) {
    expect(r, "{");
    uint32_t depth = 1;
    while (depth > 0 && !failed(r)) {
        if (accept(r, "{")) {
            if (r->scopes == 16) fail(r, "scopes too deep");
            else r->scope[r->scopes++] = r->ptx->regs;
            depth++;
        } else if (is(r, "}")) {
            if (--depth > 0)
                for (uint32_t i = r->scope[--r->scopes]; i < r->ptx->regs; i++) r->ptx->reg[i].hidden = true;
            next(r);
        } else if (accept(r, ".reg")) {
            declare_registers(r);
        } else if (accept(r, ".shared")) {
            (void)declare_symbol(r, 's');
            expect(r, ";");
        } else if (accept(r, ".local")) {
            (void)declare_symbol(r, 'l');
            expect(r, ";");
        } else if (accept(r, ".pragma")) {
            next(r);
            expect(r, ";");
        } else if (r->token[0] != '@' && *r->at == ':') {
            if (r->labels == 1024) fail(r, "too many labels");
            else {
                r->label[r->labels].inst = r->ptx->insts;
                name_into(r, r->label[r->labels++].name, sizeof r->label[0].name);
                next(r);
            }
        } else {
            instruction(r);
        }
    }
    for (uint32_t j = 0; j < r->jumps && !failed(r); j++) {
        uint32_t l = 0;
        while (l < r->labels && strcmp(r->label[l].name, r->jump[j].name) != 0) l++;
        if (l == r->labels || r->label[l].inst >= r->ptx->insts) fail(r, "branch to nowhere");
        else r->ptx->inst[r->jump[j].inst].target = r->label[l].inst;
    }
}

void slow_ptx_read(slow_ptx *ptx, const char *text) {
    *ptx = (slow_ptx){0};
    reader *const r = calloc(1, sizeof *r);
    if (!r) abort();
    r->ptx = ptx;
    r->at = text;
    r->line = 1;
    next(r);
    while (r->token[0] != '\0' && !failed(r)) {
        if (accept(r, ".version")) {
            next(r); /* 7.0 is one token here */
        } else if (accept(r, ".target")) {
            next(r);
        } else if (accept(r, ".address_size")) {
            if (number(r) != 64) fail(r, "64-bit addresses only");
        } else if (accept(r, ".global")) {
            (void)declare_symbol(r, 'g');
            expect(r, ";");
        } else if (accept(r, ".const")) {
            (void)declare_symbol(r, 'c');
            expect(r, ";");
        } else if (accept(r, ".shared")) {
            (void)declare_symbol(r, 's');
            expect(r, ";");
        } else if (accept(r, ".visible")) {
            expect(r, ".entry");
            next(r);
            expect(r, "(");
            while (!failed(r) && !accept(r, ")")) {
                expect(r, ".param");
                (void)declare_symbol(r, 'p');
                (void)accept(r, ",");
            }
            while (is(r, ".maxntid") || is(r, ".reqntid")) do
                    next(r);
                while (is(r, ",") || isdigit((unsigned char)r->token[0]));
            body(r);
        } else {
            fail(r, "unknown directive");
        }
    }
    if (ptx->error[0] == '\0' && ptx->insts == 0) (void)snprintf(ptx->error, sizeof ptx->error, "no entry");
    free(r);
}

void slow_ptx_free(slow_ptx *ptx) {
    for (uint32_t i = 0; i < ptx->symbols; i++) free(ptx->symbol[i].bytes);
    free(ptx->inst);
    free(ptx->reg);
    *ptx = (slow_ptx){0};
}
