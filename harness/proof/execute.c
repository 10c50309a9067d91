/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/execute.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"

#define GATES_MAX 60000000u /* of the graph */
#define ROOMS_MAX 3000u     /* megabytes of values */
#define DEPTH_MAX 100u      /* of calls */
#define TURNS_MAX 5000u     /* of a loop in one call, each with an end that depends on inputs or state */
#define INDEX 19u           /* of LS_IR_TRAP: the check of an index */
#define TURNS_FREE 65u      /* of these, so many before the solver is asked: the bits of a word are fewer */

/* The order in which blocks run: those of a loop one behind the other, its first block first (a weak topological order:
 * Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993). */
typedef struct ls_flow {
    uint32_t *place; /* of each block; LS_IR_NONE: it cannot be reached */
    uint32_t *end;   /* of a loop's first block: the place behind the loop; 0: it is no such block */
    uint32_t *block; /* at each place */
    bool *trap;      /* the block only says that C was left */
    uint32_t *left;  /* of a loop that ends when a value is 0: that value, chosen at its beginning; LS_IR_NONE: none */
} ls_flow;

/* A path, or several that met: what holds when control is there, memory, and the results of this call's instructions. */
typedef struct state {
    uint32_t pc;
    ls_memory memory;
    const ls_value **result;
} state;

typedef struct states {
    state *list;
    uint32_t count;
} states;

/* Of a loop, since it was entered. */
typedef struct loop_turns {
    uint32_t count;
    uint32_t ask;  /* the turn from which on the solver is asked whether there are more */
    uint32_t wait; /* turns to the next question, when it says yes */
} loop_turns;

typedef struct call {
    ls_execution *x;
    const ls_ir_function *f;
    const ls_flow *flow;
    states *pending; /* of each block */
    states returned;
    uint32_t depth;
    loop_turns *turns; /* of each block that begins a loop */
} call;

static void fail(ls_execution *x, char *text) {
    if (x->error == NULL) x->error = text;
    else free(text);
}

static void fail_here(ls_execution *x, const char *what) {
    if (x->now == NULL || x->now->line == 0) fail(x, ls_format("the model: %s", what));
    else fail(x, ls_format("%s:%u: %s", x->now->file, x->now->line, what));
}

/* Misuse --------------------------------------------------------------------------------------------------------------------- */

static const char *trap_name(uint32_t kind) {
    /* clang's numbers of what its sanitizers find (SanitizerHandler of its CodeGen). */
    static const char *const names[] = {"an overflow in an addition",
                                        "a place that is never to be reached",
                                        "a failed check",
                                        "an overflow in a division",
                                        "a wrong type",
                                        "a float that is cast beyond",
                                        "a wrong function type",
                                        "an implicit conversion",
                                        "a builtin function without a result",
                                        "a wrong cast",
                                        "a value that is no bool",
                                        "a missing return",
                                        "an overflow in a multiplication",
                                        "an overflow in a negation",
                                        "a null argument",
                                        "a null return",
                                        "a null argument",
                                        "a null return",
                                        "an index out of bounds",
                                        "an address that overflows",
                                        "a shift out of range",
                                        "an overflow in a subtraction",
                                        "a misuse of a type",
                                        "a wrong assumption on an address",
                                        "an array of no length"};
    return kind > 0 && kind <= sizeof names / sizeof names[0] ? names[kind - 1] : "a trap";
}

static void note_misuse(void *ctx, uint32_t when, const char *what) {
    ls_execution *x = ctx;
    const char *file = x->now != NULL && x->now->line > 0 ? x->now->file : NULL;
    const uint32_t line = file != NULL ? x->now->line : 0;
    for (size_t i = x->misuse_count; i-- > 0;) {
        ls_misuse *m = &x->misuse[i];
        if (m->file != file || m->line != line || m->what != what) continue;
        m->when = ls_aig_and(x->values.maker, m->when ^ 1u, when ^ 1u) ^ 1u;
        return;
    }
    x->misuse = ls_grow(x->misuse, x->misuse_count, sizeof *x->misuse);
    x->misuse[x->misuse_count++] = (ls_misuse){file, line, what, when};
}

static void misuse(ls_execution *x, uint32_t pc, uint32_t when, const char *what) {
    const uint32_t now = ls_aig_and(x->values.maker, pc, when);
    if (now != 0) note_misuse(x, now, what);
}

/* Order of blocks ------------------------------------------------------------------------------------------------------------ */

typedef struct orderer {
    const ls_ir_function *f;
    ls_flow *flow;
    uint32_t *seen, *stack, depth, number, place;
} orderer;

static const ls_ir_inst *terminator(const ls_ir_block *b) { return &b->inst[b->count - 1]; }

static uint32_t visit(orderer *o, uint32_t block);

static void visit_next(orderer *o, uint32_t block) {
    const ls_ir_inst *t = terminator(&o->f->block[block]);
    for (uint32_t i = 0; i < t->targets; i++)
        if (o->seen[t->to[i]] == 0) (void)visit(o, t->to[i]);
}

static uint32_t visit(orderer *o, uint32_t block) {
    const ls_ir_inst *t = terminator(&o->f->block[block]);
    uint32_t head = o->seen[block] = ++o->number;
    bool loop = false;
    o->stack[o->depth++] = block;
    for (uint32_t i = 0; i < t->targets; i++) {
        const uint32_t to = t->to[i], low = o->seen[to] == 0 ? visit(o, to) : o->seen[to];
        if (low > head) continue;
        head = low;
        loop = true;
    }
    if (head != o->seen[block]) return head;
    o->seen[block] = LS_IR_NONE;
    uint32_t popped = o->stack[--o->depth];
    if (loop) {
        const uint32_t end = o->place;
        for (; popped != block; popped = o->stack[--o->depth]) o->seen[popped] = 0;
        visit_next(o, block);
        o->flow->end[block] = end;
    }
    o->flow->place[block] = --o->place;
    o->flow->block[o->place] = block;
    return head;
}

/* The value of `for (left = set; left != 0; left &= left - 1)`. */
static uint32_t value_left(const ls_ir_block *b) {
    const ls_ir_inst *t = terminator(b), *compare = NULL;
    uint32_t value = t->op == LS_IR_BRANCH && t->operands > 0 && t->operand[0].kind == LS_IR_RESULT
                         ? (uint32_t)t->operand[0].value
                         : LS_IR_NONE;
    for (uint32_t i = b->count; i-- > 0 && value != LS_IR_NONE;) {
        const ls_ir_inst *inst = &b->inst[i];
        if (inst->result != value) continue;
        if (inst->op == LS_IR_PHI) return compare != NULL ? value : LS_IR_NONE;
        const bool against_0 = inst->op == LS_IR_COMPARE && compare == NULL && inst->extra <= LS_IR_NE &&
                               inst->operand[1].kind == LS_IR_NUMBER && inst->operand[1].value == 0;
        if (against_0) compare = inst;
        if ((!against_0 && inst->op != LS_IR_ZEXT) || inst->operand[0].kind != LS_IR_RESULT) return LS_IR_NONE;
        value = (uint32_t)inst->operand[0].value;
    }
    return LS_IR_NONE;
}

static void order_blocks(const ls_ir_function *f, ls_flow *flow) {
    *flow = (ls_flow){ls_alloc(f->blocks, sizeof *flow->place), ls_alloc(f->blocks, sizeof *flow->end),
                      ls_alloc(f->blocks, sizeof *flow->block), ls_alloc(f->blocks, sizeof *flow->trap),
                      ls_alloc(f->blocks, sizeof *flow->left)};
    for (uint32_t b = 0; b < f->blocks; b++) {
        flow->place[b] = LS_IR_NONE;
        flow->trap[b] = f->block[b].inst[0].op == LS_IR_TRAP;
        flow->left[b] = value_left(&f->block[b]);
    }
    orderer o = {.f = f, .flow = flow, .place = f->blocks};
    o.seen = ls_alloc(f->blocks, sizeof *o.seen);
    o.stack = ls_alloc(f->blocks + 1, sizeof *o.stack);
    (void)visit(&o, 0);
    free(o.seen);
    free(o.stack);
}

/* Paths ---------------------------------------------------------------------------------------------------------------------- */

static void drop_state(state *s) {
    ls_memory_free(&s->memory);
    free(s->result);
    *s = (state){0};
}

static state copy_state(const call *c, const state *s) {
    state copy = {s->pc, ls_memory_copy(&s->memory), ls_alloc(c->f->results + 1, sizeof *copy.result)};
    memcpy(copy.result, s->result, c->f->results * sizeof *copy.result);
    return copy;
}

static void put_state(states *to, state s) {
    to->list = ls_grow(to->list, to->count, sizeof *to->list);
    to->list[to->count++] = s;
}

/* The two inputs of a literal that is a gate. */
static bool inputs_of(const ls_aig_maker *m, uint32_t literal, uint32_t in[2]) {
    const uint32_t leaves = m->inputs + m->latches, variable = literal >> 1;
    if ((literal & 1u) != 0 || variable <= leaves) return false;
    memcpy(in, m->gate[variable - leaves - 1], 2 * sizeof *in);
    return true;
}

/* Whether `c` is one of the literals that `pc` is the conjunction of, looking at so many gates. */
static bool contains(const ls_aig_maker *m, uint32_t pc, uint32_t c, unsigned *look) {
    uint32_t in[2];
    if (pc == c) return true;
    if (*look == 0 || !inputs_of(m, pc, in)) return false;
    --*look;
    return contains(m, in[0], c, look) || contains(m, in[1], c, look);
}

static uint32_t narrow(ls_aig_maker *m, uint32_t pc, uint32_t c) {
    unsigned look = 64, again = 64;
    if (contains(m, pc, c, &look)) return pc;
    if (contains(m, pc, c ^ 1u, &again)) return 0;
    return ls_aig_and(m, pc, c);
}

/* Of two paths that parted at one branch: the branch's condition, which the first fulfils, and what held before it. */
static bool parted(const ls_aig_maker *m, uint32_t one, uint32_t other, uint32_t *condition, uint32_t *before) {
    uint32_t a[2], b[2];
    *before = 1;
    *condition = one;
    if (one == (other ^ 1u)) return true;
    if (!inputs_of(m, one, a) || !inputs_of(m, other, b)) return false;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++) {
            if (a[i] != b[k] || a[1 - i] != (b[1 - k] ^ 1u)) continue;
            *condition = a[1 - i];
            *before = a[i];
            return true;
        }
    return false;
}

static bool is_phi_of(const ls_ir_block *block, uint32_t result, bool *pointer) {
    for (uint32_t i = 0; block != NULL && i < block->count && block->inst[i].op == LS_IR_PHI; i++)
        if (block->inst[i].result == result) {
            *pointer = block->inst[i].pointer;
            return true;
        }
    return false;
}

static const ls_value *whole(const ls_value *value) { return value->whole != NULL ? value->whole : value; }

/* Two paths that reach a block become one: the values that it chooses (phi), or at the end of a call the one that is returned
 * (result `returned`). Other values that differ are from earlier turns of a loop, and nobody reads them any more. */
static void join(const call *c, state *to, state *from, const ls_ir_block *block, bool at_end, uint32_t when, uint32_t pc) {
    ls_values *v = &c->x->values;
    for (uint32_t i = 0; i < c->f->results + at_end; i++) {
        bool pointer = false;
        const ls_value *a = to->result[i], *b = from->result[i];
        if (a == b) continue;
        if (a != NULL && b != NULL && whole(a) == whole(b)) { /* one side checked it */
            to->result[i] = whole(a);
            continue;
        }
        const bool chosen = at_end ? i == c->f->results : is_phi_of(block, i, &pointer);
        to->result[i] = chosen && a != NULL && b != NULL ? ls_choose(v, when, a, b, pointer) : NULL;
    }
    ls_memory_merge(v, &to->memory, &from->memory, when);
    free(from->result);
    to->pc = pc;
}

static state join_all(const call *c, states *list, const ls_ir_block *block, bool at_end) {
    ls_aig_maker *const m = c->x->values.maker;
    while (list->count > 1) {
        uint32_t when = 0, before = 0, one = list->count - 2, other = list->count - 1;
        bool found = false;
        for (uint32_t i = list->count; i-- > 0 && !found;)
            for (uint32_t k = i; k-- > 0 && !found;)
                if (parted(m, list->list[k].pc, list->list[i].pc, &when, &before)) {
                    found = true;
                    one = k;
                    other = i;
                }
        if (!found) {
            when = list->list[one].pc;
            before = ls_aig_and(m, when ^ 1u, list->list[other].pc ^ 1u) ^ 1u;
        }
        join(c, &list->list[one], &list->list[other], block, at_end, when, before);
        memmove(&list->list[other], &list->list[other + 1], (list->count - other - 1) * sizeof *list->list);
        list->count--;
    }
    const state s = list->list[0];
    free(list->list);
    *list = (states){0};
    return s;
}

/* Instructions --------------------------------------------------------------------------------------------------------------- */

static const ls_value *operand_value(const call *c, const state *s, const ls_ir_operand *o) {
    ls_values *v = &c->x->values;
    const ls_value *value = NULL;
    switch (o->kind) {
    case LS_IR_NUMBER:
        return ls_constant(v, o->bits, o->value);
    case LS_IR_UNDEF:
        return ls_undefined(v, o->bits);
    case LS_IR_GLOBAL:
        return ls_constant(v, 64, ls_object_address(c->x->global[o->value]) + (uint64_t)o->offset);
    case LS_IR_RESULT:
        value = s->result[o->value];
        break;
    }
    if (value != NULL) return value;
    fail_here(c->x, "a value that no path leads to");
    return ls_constant(v, o->bits, 0);
}

/* Control goes on to a block; its phis choose. */
static void go_to_block(const call *c, state s, uint32_t from, uint32_t to) {
    const ls_ir_block *block = &c->f->block[to];
    const ls_value *chosen[256];
    uint32_t count = 0;
    for (; count < block->count && block->inst[count].op == LS_IR_PHI; count++) {
        const ls_ir_inst *phi = &block->inst[count];
        uint32_t i = 0;
        while (i < phi->targets && phi->to[i] != from) i++;
        if (count == 256 || i == phi->targets) {
            fail_here(c->x, "a block of too many choices");
            break;
        }
        chosen[count] = operand_value(c, &s, &phi->operand[i]);
    }
    for (uint32_t i = 0; i < count; i++) s.result[block->inst[i].result] = chosen[i];
    const uint32_t place = c->flow->place[from];
    if (c->flow->end[to] != 0 && (place < c->flow->place[to] || place >= c->flow->end[to]))
        c->turns[to] = (loop_turns){.ask = TURNS_FREE, .wait = 1}; /* entered anew */
    put_state(&c->pending[to], s);
}

/* A turn of a loop whose end is not known. true: it is time to ask whether there is one. */
static bool count_turn(const call *c, uint32_t block) {
    loop_turns *const t = &c->turns[block];
    if (c->flow->end[block] == 0) return false;
    if (++t->count > TURNS_MAX)
        fail_here(c->x, "a loop that may have no end: it depends on the state, and perhaps on one that no run reaches");
    return c->x->never != NULL && t->count >= t->ask;
}

/* Whether a path of a loop never is. If so the next turn is asked about, else one twice as far ahead as before. */
static bool never(const call *c, uint32_t block, uint32_t pc) {
    loop_turns *const t = &c->turns[block];
    const bool is = c->x->never(c->x->asked, pc);
    t->wait = is ? 1 : 2 * t->wait;
    t->ask = t->count + t->wait;
    if (!is) return false;
    c->x->cut = ls_grow(c->x->cut, c->x->cut_count, sizeof *c->x->cut);
    c->x->cut[c->x->cut_count++] = pc;
    return true;
}

/* The instruction of the block whose result that is, as such; NULL: another block's. */
static const ls_ir_inst *maker_of(const ls_ir_block *block, const ls_ir_operand *o) {
    for (uint32_t i = block->count; i-- > 0 && o->kind == LS_IR_RESULT;)
        if (block->inst[i].result == o->value) return &block->inst[i];
    return NULL;
}

static void limit_result(const call *c, state *s, const ls_ir_operand *number, uint64_t limit) {
    if (number->kind == LS_IR_RESULT) s->result[number->value] = ls_limit(&c->x->values, operand_value(c, s, number), limit);
}

/* The check of an index, or of a shift, holds. What a number that is none, as one behind the last, would reach is not looked at
 * from here on. (clang lets the address of the element behind the last one pass; nobody has a use for it.) */
static void limit_checked(const call *c, state *s, uint32_t from, const ls_ir_operand *condition, bool holds,
                          const ls_ir_inst *trap) {
    const ls_ir_block *block = &c->f->block[from];
    const ls_ir_inst *check = maker_of(block, condition);
    if (!holds || check == NULL || check->op != LS_IR_COMPARE || check->operand[1].kind != LS_IR_NUMBER) return;
    if (check->extra != LS_IR_ULT && check->extra != LS_IR_ULE) return;
    const ls_ir_operand *number = &check->operand[0];
    const ls_ir_inst *wider = maker_of(block, number);
    uint64_t limit = check->operand[1].value;
    if (operand_value(c, s, number)->form == LS_CONSTANT) return;
    if (check->extra == LS_IR_ULE && trap->extra != INDEX) {
        limit++;
    } else if (check->extra == LS_IR_ULE) {
        const ls_ir_inst same = {.op = LS_IR_COMPARE, .bits = 1, .operands = 2, .extra = LS_IR_EQ};
        const ls_value *const side[] = {operand_value(c, s, number), operand_value(c, s, &check->operand[1])};
        c->x->now = trap->line > 0 ? trap : check;
        misuse(c->x, s->pc, ls_bits(&c->x->values, ls_operate(&c->x->values, &same, side))[0], trap_name(INDEX));
    }
    limit_result(c, s, number, limit);
    if (wider != NULL && (wider->op == LS_IR_ZEXT || wider->op == LS_IR_SEXT)) limit_result(c, s, &wider->operand[0], limit);
}

static void branch(const call *c, state s, uint32_t from, const ls_ir_inst *inst) {
    ls_aig_maker *const m = c->x->values.maker;
    if (inst->operands == 0) {
        go_to_block(c, s, from, inst->to[0]);
        return;
    }
    const ls_value *condition = operand_value(c, &s, &inst->operand[0]);
    misuse(c->x, s.pc, ls_undef(&c->x->values, condition), "a decision on a value that was never set");
    const uint32_t bit = ls_bits(&c->x->values, condition)[0];
    for (int i = 0; i < 2; i++) { /* what is never to happen narrows nothing */
        const uint32_t block = inst->to[i], when = narrow(m, s.pc, i == 0 ? bit : bit ^ 1u);
        if (!c->flow->trap[block]) continue;
        const ls_ir_inst *trap = &c->f->block[block].inst[0];
        if (when != 0) {
            c->x->now = trap->line > 0 ? trap : inst;
            note_misuse(c->x, when, trap_name(trap->extra));
        }
        if (when == s.pc) {
            drop_state(&s);
            return;
        }
        limit_checked(c, &s, from, &inst->operand[0], i == 1, trap);
        go_to_block(c, s, from, inst->to[1 - i]);
        return;
    }
    uint32_t then = narrow(m, s.pc, bit), otherwise = narrow(m, s.pc, bit ^ 1u);
    if (bit > 1 && count_turn(c, from)) {
        if (then != 0 && never(c, from, then)) then = 0;
        else if (otherwise != 0 && never(c, from, otherwise)) otherwise = 0;
    }
    if (then != 0 && otherwise != 0 && inst->to[0] != inst->to[1]) {
        state other = copy_state(c, &s);
        other.pc = then;
        go_to_block(c, other, from, inst->to[0]);
        s.pc = otherwise;
        go_to_block(c, s, from, inst->to[1]);
    } else if (then != 0 || otherwise != 0) {
        go_to_block(c, s, from, inst->to[then != 0 ? 0 : 1]);
    } else {
        drop_state(&s);
    }
}

static void choose_case(const call *c, state s, uint32_t from, const ls_ir_inst *inst) {
    ls_aig_maker *const m = c->x->values.maker;
    const ls_value *value = operand_value(c, &s, &inst->operand[0]);
    misuse(c->x, s.pc, ls_undef(&c->x->values, value), "a decision on a value that was never set");
    const uint32_t *bit = ls_bits(&c->x->values, value);
    uint32_t rest = s.pc;
    for (uint32_t i = 1; i < inst->targets && rest != 0; i++) {
        uint32_t same = 1;
        for (uint32_t b = 0; b < value->bits; b++)
            same = ls_aig_and(m, same, b < 64 && (inst->cases[i - 1] >> b & 1) != 0 ? bit[b] : bit[b] ^ 1u);
        const uint32_t pc = narrow(m, rest, same);
        rest = narrow(m, rest, same ^ 1u);
        if (pc == 0) continue;
        state other = copy_state(c, &s);
        other.pc = pc;
        go_to_block(c, other, from, inst->to[i]);
    }
    s.pc = rest;
    if (rest != 0) go_to_block(c, s, from, inst->to[0]);
    else drop_state(&s);
}

static const ls_value *run(ls_execution *x, uint32_t number, uint32_t pc, ls_memory *memory, const ls_value *const *argument,
                           uint32_t depth);

/* A struct that is handed over by value: the callee's is its own. */
static const ls_value *hand_over(const call *c, state *s, const ls_value *address, uint32_t bytes) {
    const ls_access a = {&c->x->values, &s->memory, s->pc, note_misuse, c->x};
    const uint32_t object = ls_execution_object(c->x, &s->memory, bytes, NULL);
    const ls_value *to = ls_constant(&c->x->values, 64, ls_object_address(object));
    ls_copy_bytes(&a, to, address, bytes);
    return to;
}

static bool size_operand(const call *c, const ls_value *value, size_t *size) {
    *size = (size_t)value->number;
    if (value->form == LS_CONSTANT) return true;
    fail_here(c->x, "a number of bytes that depends on the state");
    return false;
}

/* memcmp: below 0, 0 or above 0, as the first byte that differs is. */
static const ls_value *compare_bytes(const call *c, const state *s, const ls_value *const *operand) {
    ls_values *v = &c->x->values;
    const ls_access a = {v, (ls_memory *)(uintptr_t)&s->memory, s->pc, note_misuse, c->x};
    uint32_t below = 0, above = 0, bit[32];
    size_t size;
    if (!size_operand(c, operand[2], &size)) return NULL;
    for (size_t i = size; i-- > 0;) {
        const uint32_t *side[2];
        for (int k = 0; k < 2; k++) {
            const ls_value *byte = ls_load(&a, ls_address(v, operand[k], (int64_t)i, NULL, 0), 8, 1);
            misuse(c->x, s->pc, ls_undef(v, byte), "a decision on a value that was never set");
            side[k] = ls_bits(v, byte);
        }
        const uint32_t less = ls_below(v->maker, side[0], side[1], 8), more = ls_below(v->maker, side[1], side[0], 8);
        below = ls_aig_choose(v->maker, less, 1, ls_aig_choose(v->maker, more, 0, below));
        above = ls_aig_choose(v->maker, more, 1, ls_aig_choose(v->maker, less, 0, above));
    }
    for (uint32_t i = 1; i < 32; i++) bit[i] = below;
    bit[0] = ls_aig_and(v->maker, below ^ 1u, above ^ 1u) ^ 1u;
    return ls_literals(v, 32, bit, NULL);
}

static const ls_value *do_call(const call *c, state *s, const ls_ir_inst *inst, const ls_value **operand) {
    const ls_ir_function *f = &c->x->ir->function[inst->extra];
    if (f->block == NULL && inst->operands == 3 && strcmp(f->name, "memcmp") == 0) return compare_bytes(c, s, operand);
    for (uint32_t i = 0; i < inst->operands; i++)
        if (inst->bytes[i] != 0) operand[i] = hand_over(c, s, operand[i], inst->bytes[i]);
    const ls_value *value = run(c->x, inst->extra, s->pc, &s->memory, operand, c->depth + 1);
    c->x->now = inst;
    return value;
}

/* One instruction that is no end of a block. */
static void execute(const call *c, state *s, const ls_ir_inst *inst) {
    ls_values *v = &c->x->values;
    const ls_access a = {v, &s->memory, s->pc, note_misuse, c->x};
    const ls_value *operand[64], *value = NULL;
    size_t size;
    if (inst->operands > 64) {
        fail_here(c->x, "a call with more than 64 arguments");
        return;
    }
    for (uint32_t i = 0; i < inst->operands; i++) operand[i] = operand_value(c, s, &inst->operand[i]);
    switch (inst->op) {
    case LS_IR_ALLOCA:
        value = ls_constant(v, 64, ls_object_address(ls_execution_object(c->x, &s->memory, inst->extra, NULL)));
        break;
    case LS_IR_LOAD:
        value = ls_load(&a, operand[0], inst->bits, inst->align);
        break;
    case LS_IR_STORE:
        ls_store(&a, operand[1], operand[0], inst->align);
        return;
    case LS_IR_ADDRESS: {
        ls_term term[64];
        for (uint32_t i = 1; i < inst->operands; i++) {
            const ls_ir_inst wider = {.op = LS_IR_SEXT, .bits = 64, .operands = 1};
            term[i - 1] = (ls_term){ls_operate(v, &wider, &operand[i]), inst->operand[i].scale};
        }
        value = ls_address(v, operand[0], inst->offset, term, inst->operands - 1);
        break;
    }
    case LS_IR_COPY_BYTES:
        if (size_operand(c, operand[2], &size)) ls_copy_bytes(&a, operand[0], operand[1], size);
        return;
    case LS_IR_FILL:
        if (size_operand(c, operand[2], &size)) ls_fill_bytes(&a, operand[0], operand[1], size);
        return;
    case LS_IR_FORGET:
        if (size_operand(c, operand[0], &size)) ls_fill_bytes(&a, operand[1], ls_undefined(v, 8), size);
        return;
    case LS_IR_ASSUME:
        misuse(c->x, s->pc, ls_bits(v, operand[0])[0] ^ 1u, "an assumption that does not hold");
        return;
    case LS_IR_CALL:
        value = do_call(c, s, inst, operand);
        break;
    default:
        value = ls_operate(v, inst, operand);
        if (value == NULL) fail_here(c->x, "an instruction that is not known");
        break;
    }
    if (inst->result != LS_IR_NONE) s->result[inst->result] = value;
}

static void run_block(call *c, state s, uint32_t number) {
    const ls_ir_block *block = &c->f->block[number];
    for (uint32_t i = 0; i < block->count && c->x->error == NULL; i++) {
        const ls_ir_inst *inst = c->x->now = &block->inst[i];
        if (++c->x->steps > c->x->limit || c->x->values.maker->gates > GATES_MAX || c->x->values.rooms > ROOMS_MAX)
            fail_here(c->x, "the model is too large");
        switch (inst->op) {
        case LS_IR_PHI:
            continue;
        case LS_IR_BRANCH:
            branch(c, s, number, inst);
            return;
        case LS_IR_SWITCH:
            choose_case(c, s, number, inst);
            return;
        case LS_IR_RETURN:
            s.result[c->f->results] = inst->operands > 0 ? operand_value(c, &s, &inst->operand[0]) : NULL;
            put_state(&c->returned, s);
            return;
        case LS_IR_TRAP:
        case LS_IR_UNREACHABLE:
            misuse(c->x, s.pc, 1, inst->op == LS_IR_TRAP ? trap_name(inst->extra) : "a place that is never to be reached");
            drop_state(&s);
            return;
        default:
            execute(c, &s, inst);
        }
        if (s.pc == 0) break;
    }
    drop_state(&s);
}

/* At the beginning of a loop over the bits of a set: two paths, one with the lowest bit that may be there, one without it. The
 * second waits at the beginning, where the first comes back to with the same bits left: so the turns are those of a loop over all
 * bits, each with a number that is known. true: *s is the first one. */
static bool split(call *c, state *s, uint32_t number) {
    const uint32_t left = c->flow->end[number] != 0 ? c->flow->left[number] : LS_IR_NONE;
    ls_values *v = &c->x->values;
    const ls_value *value = left != LS_IR_NONE ? s->result[left] : NULL;
    if (value == NULL || value->undef != NULL) return true;
    const uint32_t *bit = ls_bits(v, value);
    uint32_t with[LS_IR_BITS_MAX], low = 0;
    while (low < value->bits && bit[low] == 0) low++;
    if (low == value->bits || bit[low] == 1) return true;
    const uint32_t pc = s->pc, is_not = narrow(v->maker, pc, bit[low] ^ 1u);
    uint32_t is = narrow(v->maker, pc, bit[low]);
    if (count_turn(c, number) && is != 0 && never(c, number, is)) is = 0;
    memcpy(with, bit, value->bits * sizeof *with);
    if (is_not != 0) {
        state without = copy_state(c, s);
        with[low] = 0;
        without.pc = is_not;
        without.result[left] = ls_literals(v, value->bits, with, NULL);
        put_state(&c->pending[number], without);
    }
    with[low] = 1;
    s->pc = is;
    s->result[left] = ls_literals(v, value->bits, with, NULL);
    if (is == 0) drop_state(s);
    return is != 0;
}

/* The place of the block to run next: the first one, but the beginning of a loop only when nothing of its last turn is left.
 * LS_IR_NONE: nothing waits. */
static uint32_t next_place(const call *c) {
    uint32_t place = 0;
    for (;;) {
        while (place < c->f->blocks &&
               (c->flow->place[c->flow->block[place]] != place || c->pending[c->flow->block[place]].count == 0))
            place++;
        if (place == c->f->blocks) return LS_IR_NONE;
        uint32_t inside = place + 1;
        const uint32_t end = c->flow->end[c->flow->block[place]];
        while (inside < end && c->pending[c->flow->block[inside]].count == 0) inside++;
        if (inside >= end) return place;
        place = inside;
    }
}

static const ls_value *run(ls_execution *x, uint32_t number, uint32_t pc, ls_memory *memory, const ls_value *const *argument,
                           uint32_t depth) {
    const ls_ir_function *f = &x->ir->function[number];
    if (f->block == NULL || depth > DEPTH_MAX) {
        fail(x, f->refused != NULL
                    ? ls_copy(f->refused)
                    : ls_format("%s: %s", f->name, depth > DEPTH_MAX ? "it calls itself too often" : "no such function"));
        return NULL;
    }
    if (x->flow[number].place == NULL) order_blocks(f, &x->flow[number]);
    call c = {.x = x, .f = f, .flow = &x->flow[number], .depth = depth};
    const uint32_t first_local = x->objects;
    c.pending = ls_alloc(f->blocks, sizeof *c.pending);
    c.turns = ls_alloc(f->blocks, sizeof *c.turns);
    state s = {pc, *memory, ls_alloc(f->results + 1, sizeof *s.result)};
    memcpy(s.result, argument, f->arguments * sizeof *s.result);
    put_state(&c.pending[0], s);
    for (uint32_t place; x->error == NULL && (place = next_place(&c)) != LS_IR_NONE;) {
        const uint32_t block = c.flow->block[place];
        states list = c.pending[block];
        c.pending[block] = (states){0};
        s = join_all(&c, &list, &f->block[block], false);
        if (split(&c, &s, block)) run_block(&c, s, block);
    }
    for (uint32_t b = 0; b < f->blocks; b++) { /* after an error */
        for (uint32_t i = 0; i < c.pending[b].count; i++) drop_state(&c.pending[b].list[i]);
        free(c.pending[b].list);
    }
    free(c.pending);
    free(c.turns);
    const ls_value *value = NULL;
    *memory = (ls_memory){0};
    if (x->error == NULL && c.returned.count > 0) {
        s = join_all(&c, &c.returned, NULL, true);
        value = s.result[f->results];
        *memory = s.memory;
        ls_memory_drop(memory, first_local);
        free(s.result);
    } else {
        if (x->error == NULL) fail(x, ls_format("%s: it never returns", f->name));
        for (uint32_t i = 0; i < c.returned.count; i++) drop_state(&c.returned.list[i]);
        free(c.returned.list);
    }
    return value;
}

/* ---------------------------------------------------------------------------------------------------------------------------- */

uint32_t ls_execution_object(ls_execution *x, ls_memory *memory, size_t size, const uint8_t *bytes) {
    ls_memory_add(memory, x->objects, size, bytes, false);
    return x->objects++;
}

void ls_execution_begin(ls_execution *x, const ls_ir *ir, ls_aig_maker *maker, ls_memory *memory) {
    *x = (ls_execution){.ir = ir, .values = {.maker = maker}, .objects = 1, .limit = 100000000};
    x->global = ls_alloc(ir->globals + 1, sizeof *x->global);
    x->flow = ls_alloc(ir->functions + 1, sizeof *x->flow);
    for (uint32_t i = 0; i < ir->globals; i++) {
        const ls_ir_global *g = &ir->global[i];
        x->global[i] = x->objects++;
        if (g->bytes != NULL && g->constant) ls_memory_add(memory, x->global[i], g->size, g->bytes, true);
    }
    for (uint32_t i = 0; i < ir->globals; i++)
        for (size_t k = 0; k < ir->global[i].place_count && ir->global[i].constant; k++) {
            const ls_ir_place *p = &ir->global[i].places[k];
            const uint64_t address = ls_object_address(x->global[p->to]) + (uint64_t)p->offset;
            for (uint32_t b = 0; b < 64; b++)
                ls_memory_set_bit(memory, x->global[i], p->at + b / 8, b % 8, (uint32_t)(address >> b & 1));
        }
}

void ls_execution_end(ls_execution *x) {
    for (uint32_t i = 0; i < x->ir->functions; i++) {
        free(x->flow[i].place);
        free(x->flow[i].end);
        free(x->flow[i].block);
        free(x->flow[i].trap);
        free(x->flow[i].left);
    }
    free(x->flow);
    free(x->global);
    free(x->misuse);
    free(x->cut);
    free(x->error);
    ls_values_free(&x->values);
    *x = (ls_execution){0};
}

bool ls_execution_called(const ls_execution *x, uint32_t number) { return x->flow[number].place != NULL; }

const ls_value *ls_execute(ls_execution *x, uint32_t number, uint32_t pc, ls_memory *memory, const ls_value *const *argument,
                           uint32_t arguments) {
    if (arguments != x->ir->function[number].arguments) {
        fail(x, ls_format("%s: it takes %u arguments", x->ir->function[number].name, x->ir->function[number].arguments));
        return NULL;
    }
    return run(x, number, pc, memory, argument, 0);
}
