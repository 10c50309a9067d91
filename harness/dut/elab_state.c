/* SPDX-License-Identifier: Apache-2.0 */
/* Which variables of an elaborated design hold state: those that clocked procedures assign, and those that keep a value without
 * an edge. */
#include "harness/dut/elab_netlist.h"

#include <stdlib.h>

bool ls_elab_is_static(const node *var) {
    for (const node *n = var->parent; n != NULL && !is_module(n); n = n->parent) {
        if (!is(n, "begin")) {
            return false;
        }
    }
    return true;
}

static node *child_named(node *parent, const char *tag, const char *tag2, const char *name) {
    for (node *n = parent->child; n != NULL; n = n->next) {
        if ((is(n, tag) || is(n, tag2)) && strcmp(get(n, "name"), name) == 0) {
            return n;
        }
    }
    return NULL;
}

static node *declaration(const node *reference) {
    for (node *n = reference->parent; n != NULL; n = n->parent) {
        node *var = child_named(n, "var", "var", get(reference, "name"));
        if (var != NULL || is_module(n)) {
            return var;
        }
    }
    return NULL;
}

/* Marks every variable of that name at any depth of a module that no procedure owns. */
static void mark_all(node *n, const char *name, unsigned mark) {
    if (is(n, "var") && strcmp(get(n, "name"), name) == 0 && ls_elab_is_static(n)) {
        n->mark |= mark;
    }
    for (node *c = n->child; c != NULL; c = c->next) {
        mark_all(c, name, mark);
    }
}

/* Marks what a reference refers to: the nearest declaration outwards. A hierarchical reference names no declaration, so that it
 * marks all of that name: one register too many is seen, one too few is not. Nor does the XML say whether p::x was written. */
static void mark_reference(const ls_elab_netlist *d, node *reference, unsigned mark) {
    const char *name = get(reference, "name");
    node *module = reference;
    if (is(reference, "varref")) {
        for (size_t i = 0; i < d->module_count; i++) {
            if (is(d->modules[i], "package")) {
                mark_all(d->modules[i], name, mark);
            }
        }
        for (node *n = reference->parent; n != NULL; n = n->parent) {
            node *var = child_named(n, "var", "var", name);
            if (var != NULL) {
                var->mark |= ls_elab_is_static(var) ? mark : 0; /* those of a procedure: scan_locals */
                return;
            }
            module = n;
            if (is_module(n)) {
                break;
            }
        }
        mark_all(module, name, mark);
        return;
    }
    for (size_t i = 0; i < d->module_count; i++) {
        mark_all(d->modules[i], name, mark);
    }
}

void ls_elab_mark_target(const ls_elab_netlist *d, node *target, unsigned mark) {
    if (is(target, "varref") || is(target, "varxref")) {
        mark_reference(d, target, mark);
    } else if (is(target, "concat") || is(target, "replicate") || is(target, "streaml") || is(target, "streamr")) {
        for (node *n = target->child; n != NULL; n = n->next) {
            ls_elab_mark_target(d, n, mark);
        }
    } else if (target->child != NULL) { /* sel, arraysel, structsel, ...: what is selected from comes first */
        ls_elab_mark_target(d, target->child, mark);
    }
}

static void scan(const ls_elab_netlist *d, node *n, unsigned mark);

node *ls_elab_callee(const ls_elab_netlist *d, const node *call) {
    const char *name = get(call, "name");
    node *task = NULL;
    for (node *n = call->parent; n != NULL && task == NULL; n = n->parent) {
        task = child_named(n, "task", "func", name);
    }
    for (size_t i = 0; i < d->module_count && task == NULL; i++) {
        task = is(d->modules[i], "package") ? child_named(d->modules[i], "task", "func", name) : NULL;
    }
    return task;
}

/* The next argument's declaration, from `formal` on; a function's value is an output of its own name. */
static const node *argument_from(const node *task, const node *formal) {
    while (formal != NULL &&
           (!is(formal, "var") || get(formal, "dir")[0] == '\0' || strcmp(get(formal, "name"), get(task, "name")) == 0)) {
        formal = formal->next;
    }
    return formal;
}

/* Follows a call to a task in a clocked block: the assignments in its body and its output arguments. */
static void scan_task(const ls_elab_netlist *d, node *call, node *task, unsigned mark) {
    const node *formal = argument_from(task, task->child);
    for (node *argument = call->child; argument != NULL && formal != NULL; argument = argument->next) {
        if (!is(argument, "arg")) {
            continue;
        }
        if (strcmp(get(formal, "dir"), "input") != 0 && argument->child != NULL) {
            ls_elab_mark_target(d, argument->child, mark);
        }
        formal = argument_from(task, formal->next);
    }
    const unsigned followed = mark == MARK_REG ? TASK_REG : TASK_LATCH;
    if ((task->mark & followed) == 0) {
        task->mark |= followed;
        for (node *n = task->child; n != NULL; n = n->next) {
            scan(d, n, mark);
        }
    }
}

/* Follows a call in a clocked block. One through a hierarchy or an interface does not say whose task it is: all of that name. */
static void scan_call(const ls_elab_netlist *d, node *call, unsigned mark) {
    node *task = ls_elab_callee(d, call);
    if (task != NULL) {
        scan_task(d, call, task, mark);
        return;
    }
    for (size_t i = 0; i < d->document.count; i++) {
        node *n = d->document.nodes[i];
        if ((is(n, "task") || is(n, "func")) && strcmp(get(n, "name"), get(call, "name")) == 0) {
            scan_task(d, call, n, mark);
        }
    }
}

/* Marks the index of a for loop, which Verilator shows as <while> with the increment as the last block. */
static void scan_loop(const ls_elab_netlist *d, node *loop) {
    size_t blocks = 0;
    for (const node *n = loop->child; n != NULL; n = n->next) {
        blocks++;
    }
    node *increment = loop->last;
    for (node *n = blocks > 3 && is(increment, "begin") ? increment->child : NULL; n != NULL; n = n->next) {
        if (is(n, "assign") && n->last != NULL) {
            ls_elab_mark_target(d, n->last, MARK_LOOP);
        }
    }
}

/* Marks all that the statement `n` of a clocked block assigns. */
static void scan(const ls_elab_netlist *d, node *n, unsigned mark) {
    if (is(n, "assign") || is(n, "assigndly")) {
        if (n->last != NULL) { /* the right side comes first */
            ls_elab_mark_target(d, n->last, mark);
        }
    } else if (is(n, "taskref") || is(n, "funcref")) {
        scan_call(d, n, mark);
    }
    for (node *c = n->child; c != NULL; c = c->next) {
        scan(d, c, mark);
    }
}

/* State that no edge gives away ------------------------------------------------------------------------------------------- */

enum { CALL_DEPTH = 8 }; /* calls inside calls that are followed */

/* Follows one variable through a procedure and what it calls. */
typedef struct flow {
    const node *var;
    const ls_elab_netlist *design;
    bool parts;   /* a write of a part counts as a write, and a loop is taken at least once */
    bool exposed; /* read, or assigned with <=, where it may not have been written yet */
    bool partly;  /* only a part of it is written somewhere */
    bool jumped;  /* written at every jump so far */
    unsigned depth;
} flow;

static bool walk(flow *f, const node *n, bool written);

/* Whether a reference is to the variable. One that names no declaration may be. */
static bool refers(const flow *f, const node *reference, bool or_may) {
    if (strcmp(get(reference, "name"), get(f->var, "name")) != 0) {
        return false;
    }
    const node *var = declaration(reference);
    return var == f->var || (or_may && var == NULL);
}

static bool walk_target(flow *f, const node *target, bool written, bool delayed) {
    if (is(target, "varref")) {
        const bool hit = refers(f, target, false);
        f->exposed |= hit && delayed;
        return written || hit;
    }
    const bool select = !is(target, "concat");
    bool after = written;
    for (const node *n = target->child; n != NULL; n = n->next) {
        const bool first = n == target->child;
        after = select && !first ? walk(f, n, after) : walk_target(f, n, after, delayed);
        f->partly |= select && first && is(n, "varref") && refers(f, n, false);
    }
    return select && !f->parts ? written : after;
}

/* Whether a task or function may write or read variables that are not its own. */
static bool reaches_out(const ls_elab_netlist *d, node *task, const node *n) {
    bool out = false;
    if (is(n, "varref") || is(n, "varxref")) {
        const node *owner = is(n, "varref") ? declaration(n) : NULL;
        while (owner != NULL && owner != task) {
            owner = owner->parent;
        }
        out = owner == NULL;
    } else if (is(n, "funcref") || is(n, "taskref")) {
        node *inner = ls_elab_callee(d, n);
        out = inner != NULL && ls_elab_reaches_out(d, inner);
    }
    for (const node *c = n->child; c != NULL && !out; c = c->next) {
        out = reaches_out(d, task, c);
    }
    return out;
}

bool ls_elab_reaches_out(const ls_elab_netlist *d, node *task) {
    if ((task->mark & (TASK_OUT | TASK_PURE)) == 0) {
        task->mark |= TASK_PURE; /* for a call of itself */
        if (reaches_out(d, task, task)) {
            task->mark = (task->mark & ~(unsigned)TASK_PURE) | TASK_OUT;
        }
    }
    return (task->mark & TASK_OUT) != 0;
}

/* A call writes its output arguments, and what the task writes. */
static bool walk_call(flow *f, const node *call, bool written) {
    node *task = ls_elab_callee(f->design, call);
    const node *formal = task == NULL ? NULL : argument_from(task, task->child);
    for (const node *argument = call->child; argument != NULL; argument = argument->next) {
        const bool output = is(argument, "arg") && formal != NULL && strcmp(get(formal, "dir"), "output") == 0;
        written =
            output && argument->child != NULL ? walk_target(f, argument->child, written, false) : walk(f, argument, written);
        formal = is(argument, "arg") && formal != NULL ? argument_from(task, formal->next) : formal;
    }
    if (task != NULL && f->depth < CALL_DEPTH && ls_elab_reaches_out(f->design, task)) {
        f->depth++;
        written = walk(f, task, written);
        f->depth--;
    }
    return written;
}

static bool same(const node *a, const node *b) {
    if (strcmp(a->tag, b->tag) != 0 || strcmp(get(a, "name"), get(b, "name")) != 0) {
        return false;
    }
    const node *x = a->child, *y = b->child;
    for (; x != NULL && y != NULL && same(x, y); x = x->next, y = y->next) {
    }
    return x == NULL && y == NULL;
}

/* Whether an item before `item` has the same constant. */
static bool earlier(const node *choice, const node *item, const node *constant_node) {
    for (const node *i = choice->child; i != item; i = i->next) {
        for (const node *c = is(i, "caseitem") ? i->child : NULL; c != NULL; c = c->next) {
            if (same(c, constant_node)) {
                return true;
            }
        }
    }
    return false;
}

/* A case writes the variable if all its items do and there is a default, or a constant for every value. */
static bool walk_case(flow *f, const node *n, bool written) {
    bool all = true, otherwise = false;
    uint64_t values = 0;
    for (const node *item = n->child; item != NULL; item = item->next) {
        if (!is(item, "caseitem")) {
            written = walk(f, item, written);
            continue;
        }
        otherwise |= get(item, "default")[0] != '\0';
        bool after = written;
        for (const node *c = item->child; c != NULL; c = c->next) {
            values += is(c, "const") && !earlier(n, item, c);
            after = walk(f, c, after);
        }
        all &= after;
    }
    const node *selector = n->child != NULL && is(n->child, "extend") ? n->child->child : n->child;
    const uint32_t bits = selector == NULL ? 0 : ls_elab_bits(f->design, get(selector, "dtype_id"), 0);
    return written || (all && (otherwise || (f->parts && bits > 0 && bits < 32 && values == UINT64_C(1) << bits)));
}

/* Whether the variable is surely written after `n`; what a jump skips does not matter, its label does. */
static bool walk(flow *f, const node *n, bool written) {
    if (is(n, "varref")) {
        f->exposed |= !written && refers(f, n, true);
        return written;
    }
    if (is(n, "assign") || is(n, "assigndly")) {
        for (const node *c = n->child; c != n->last; c = c->next) {
            written = walk(f, c, written);
        }
        return n->last == NULL ? written : walk_target(f, n->last, written, is(n, "assigndly"));
    }
    if (is(n, "funcref") || is(n, "taskref")) {
        return walk_call(f, n, written);
    }
    if (is(n, "case")) {
        return walk_case(f, n, written);
    }
    if (is(n, "jumpgo")) {
        f->jumped &= written;
        return true;
    }
    const bool before = written, outer = f->jumped;
    bool first = true, other = false, both = true;
    if (is(n, "jumpblock")) {
        f->jumped = true;
    }
    for (const node *c = n->child; c != NULL; c = c->next) {
        if (is(n, "if") && !first) {
            both &= walk(f, c, written);
            other = c != n->child->next;
        } else {
            written = walk(f, c, written);
        }
        first = false;
    }
    if (is(n, "jumpblock")) {
        written &= f->jumped;
        f->jumped &= outer;
    } else if (is(n, "while") && !f->parts) {
        written = before;
    }
    return is(n, "if") ? written || (other && both) : written;
}

/* Marks the variables of a procedure's own that keep a value from one run to the next. */
static void scan_locals(const ls_elab_netlist *d, const node *procedure, node *block, unsigned mark) {
    for (node *n = block->child; n != NULL; n = n->next) {
        if (is(n, "var") && get(n, "dir")[0] == '\0') {
            flow f = {.design = d, .var = n, .parts = mark == MARK_LATCH, .jumped = true};
            (void)walk(&f, procedure, false);
            n->mark |= f.exposed ? mark : 0;
        } else if (!is(n, "var")) {
            scan_locals(d, procedure, n, mark);
        }
    }
}

/* Marks the variable that a combinational procedure writes through `target` if it is a latch. */
static void check_latch(const ls_elab_netlist *d, const node *procedure, const node *target) {
    if (is(target, "concat")) {
        for (const node *n = target->child; n != NULL; n = n->next) {
            check_latch(d, procedure, n);
        }
        return;
    }
    while (target->child != NULL) {
        target = target->child;
    }
    node *var = is(target, "varref") ? declaration(target) : NULL;
    if (var == NULL || !ls_elab_is_static(var) || (var->mark & MARK_LATCH) != 0) {
        return;
    }
    flow f = {.design = d, .var = var, .parts = true, .jumped = true};
    if (!walk(&f, procedure, false) || (f.exposed && !f.partly)) {
        var->mark |= MARK_LATCH;
    }
}

/* Marks the latches of a combinational procedure and of what it calls: what is written on some paths only, or read before. */
static void scan_latches(const ls_elab_netlist *d, const node *procedure, const node *n, unsigned depth) {
    if (is(n, "assign") && n->last != NULL) {
        check_latch(d, procedure, n->last);
    } else if (is(n, "funcref") || is(n, "taskref")) {
        node *task = ls_elab_callee(d, n);
        const node *formal = task == NULL ? NULL : argument_from(task, task->child);
        for (const node *argument = n->child; argument != NULL && formal != NULL; argument = argument->next) {
            if (is(argument, "arg")) {
                if (strcmp(get(formal, "dir"), "output") == 0 && argument->child != NULL) {
                    check_latch(d, procedure, argument->child);
                }
                formal = argument_from(task, formal->next);
            }
        }
        if (task != NULL && depth < CALL_DEPTH && ls_elab_reaches_out(d, task)) {
            scan_latches(d, procedure, task, depth + 1);
        }
    }
    for (const node *c = n->child; c != NULL; c = c->next) {
        scan_latches(d, procedure, c, depth);
    }
}

static bool contains(const node *n, const node *part) {
    bool found = same(n, part);
    for (const node *c = n->child; c != NULL && !found; c = c->next) {
        found = contains(c, part);
    }
    return found;
}

/* Whether C code can call it, at any time: it is then told its scope. */
static bool is_exported(const node *task) {
    const node *n = task->child;
    while (n != NULL && !is(n, "scopename")) {
        n = n->next;
    }
    return n != NULL;
}

void ls_elab_scan(const ls_elab_netlist *d, node *n) {
    if (is(n, "always")) {
        unsigned mark = strcmp(get(n, "keyword"), "always_latch") == 0 ? MARK_LATCH : 0;
        for (const node *c = n->child; c != NULL; c = c->next) {
            mark = is(c, "sentree") && c->child != NULL ? MARK_REG : mark; /* @* and always_comb have none */
        }
        if (mark != 0) {
            scan(d, n, mark);
        } else {
            scan_latches(d, n, n, 0);
        }
        scan_locals(d, n, n, mark == MARK_REG ? MARK_REG : MARK_LATCH);
    } else if (is(n, "func") || is(n, "task")) {
        scan_locals(d, n, n, MARK_LATCH);
        if (is_exported(n)) {
            for (node *c = n->child; c != NULL; c = c->next) {
                scan(d, c, MARK_REG);
            }
        }
    } else if (is(n, "while")) {
        scan_loop(d, n);
    } else if (is(n, "contassign") && n->last != NULL && n->last != n->child) {
        scan_latches(d, n, n->child, 0);
        if (contains(n->child, n->last)) {
            ls_elab_mark_target(d, n->last, MARK_LATCH);
        }
    } else if (is(n, "structsel") && n->child != NULL) {
        node *t = ls_elab_type(d, get(n->child, "dtype_id"));
        if (t != NULL) {
            t->mark |= MARK_UNPACKED;
        }
    }
    for (node *c = n->child; c != NULL; c = c->next) {
        ls_elab_scan(d, c);
    }
}

/* Whether what was in a variable may get from one run of a procedure to anywhere: read before that procedure has written it, or
 * read outside of procedures. */
static bool carries(flow *f, const node *n) {
    if (is(n, "always") || is(n, "initial") || is(n, "final") || is(n, "func") || is(n, "task")) {
        f->jumped = true;
        (void)walk(f, n, false);
        return f->exposed;
    }
    bool found = is(n, "varref") && refers(f, n, true);
    for (const node *c = n->child; c != NULL && !found; c = c->next) {
        found = carries(f, c);
    }
    return found;
}

void ls_elab_settle_loops(const ls_elab_netlist *d) {
    for (size_t i = 0; i < d->document.count; i++) {
        node *var = d->document.nodes[i];
        if (!is(var, "var") || (var->mark & MARK_LOOP) == 0 || (var->mark & (MARK_REG | MARK_LATCH)) == 0) {
            continue;
        }
        const node *module = var;
        while (module != NULL && !is_module(module)) {
            module = module->parent;
        }
        flow f = {.design = d, .var = var};
        bool state = module == NULL || is(module, "package") || carries(&f, module);
        for (size_t k = 0; k < d->document.count && !state; k++) {
            const node *n = d->document.nodes[k];
            state = is(n, "varxref") && strcmp(get(n, "name"), get(var, "name")) == 0;
        }
        var->mark &= state ? ~(unsigned)MARK_LOOP : ~0u;
    }
}
