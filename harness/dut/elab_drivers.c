/* SPDX-License-Identifier: Apache-2.0 */
/* Two drivers of one bit of an elaborated design, by the longest static prefix of what a process assigns (IEEE
 * 1800-2017, 11.5.3): constant selects and members narrow it, from the first other index on it is all that is left. Slices of a
 * generate loop have constant indices. */
#include "harness/dut/elab_scopes.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/base/text.h"

enum { CALL_DEPTH = 16, TOLD = 8 };

/* What drives. The ranks matter: what is below CONTINUOUS is a procedure. */
typedef enum driver_kind { INITIAL, PLAIN, LEVEL, CLOCKED, COMB, LATCH, CONTINUOUS, OUTPUT, INPUT } driver_kind;

/* What a target is: bits of a variable, or a name to be looked up in each instance. Offsets count the bits of all elements in a
 * row. */
typedef struct prefix {
    const node *var;       /* NULL: by `reference` */
    const node *reference; /* <varxref>, or a call of a task that is elsewhere */
    uint64_t begin, size;
    bool fixed; /* no index that is not constant so far */
    bool none;  /* an index out of range: nothing is driven */
} prefix;

typedef struct drive {
    prefix to;
    const node *process, *place; /* the process, and the assignment or connection */
    driver_kind kind;
    bool array;                  /* the variable is an unpacked array */
    const ls_elab_scope *at;     /* the instance that the variable is in; NULL while it is local, and of a package's */
    const ls_elab_scope *origin; /* the instance that the process is in */
    bool own;                    /* of a variable of the instance itself: compared already */
} drive;

typedef struct drives {
    drive *list;
    size_t count, room;
} drives;

/* What one module drives: variables of its own, the same in every instance, and others. */
typedef struct module_drives {
    const node *module;
    drives local, other;
} module_drives;

typedef struct named_var {
    const node *module, *var;
    const char *name;
} named_var;

typedef struct check {
    const ls_elab_netlist *d;
    named_var *vars; /* sorted by module and name */
    size_t var_count;
    module_drives *modules;
    size_t module_count;
    ls_elab_hierarchy tree;
    ls_args told; /* what is wrong, a text each */
    /* of the process that is collected */
    module_drives *into;
    const node *process;
    driver_kind kind;
    const node *calls[CALL_DEPTH];
    size_t depth;
} check;

static void add_drive(drives *to, const drive *one) {
    if (to->count == to->room) {
        to->room = to->room == 0 ? 64 : 2 * to->room;
        drive *list = ls_alloc(to->room, sizeof *list);
        if (to->count > 0) {
            memcpy(list, to->list, to->count * sizeof *list);
        }
        free(to->list);
        to->list = list;
    }
    to->list[to->count++] = *one;
}

/* Names --------------------------------------------------------------------------------------------------------------------- */

static const node *module_of(const node *n) {
    while (n != NULL && !is_module(n)) {
        n = n->parent;
    }
    return n;
}

static int order_vars(const void *a, const void *b) {
    const named_var *x = a, *y = b;
    if (x->module != y->module) {
        return x->module < y->module ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

static void index_vars(check *c) {
    const ls_elab_netlist *d = c->d;
    c->vars = ls_alloc(d->document.count + 1, sizeof *c->vars);
    for (size_t i = 0; i < d->document.count; i++) {
        const node *n = d->document.nodes[i];
        const node *module = is(n, "var") ? module_of(n) : NULL;
        if (module != NULL) {
            c->vars[c->var_count++] = (named_var){.module = module, .var = n, .name = get(n, "name")};
        }
    }
    qsort(c->vars, c->var_count, sizeof *c->vars, order_vars);
}

static size_t depth_of(const node *n) {
    size_t depth = 0;
    for (; n != NULL; n = n->parent) {
        depth++;
    }
    return depth;
}

static bool is_inside(const node *n, const node *block) {
    while (n != NULL && n != block) {
        n = n->parent;
    }
    return n != NULL;
}

/* The innermost variable of that name around `from`, NULL when the module has none there. */
static const node *var_named(const check *c, const node *module, const node *from, const char *name) {
    size_t low = 0, high = c->var_count;
    const named_var wanted = {.module = module, .name = name};
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (order_vars(&c->vars[middle], &wanted) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const node *found = NULL;
    for (; low < c->var_count && order_vars(&c->vars[low], &wanted) == 0; low++) {
        const node *var = c->vars[low].var;
        if (is_inside(from, var->parent) && (found == NULL || depth_of(var) > depth_of(found))) {
            found = var;
        }
    }
    return found;
}

/* Bits ---------------------------------------------------------------------------------------------------------------------- */

static uint64_t elements(const node *n) {
    const node *r = ls_elab_range_of(n);
    const long a = r == NULL ? 0 : ls_elab_constant(r->child), b = r == NULL ? 0 : ls_elab_constant(r->child->next);
    return (a > b ? (uint64_t)(a - b) : (uint64_t)(b - a)) + 1;
}

/* Bits of a type, of all elements and members; 1 for what has no bits, which is one thing. */
static uint64_t size_of(const check *c, const char *id, unsigned depth) {
    const node *t = ls_elab_type(c->d, id);
    uint64_t size = 0;
    if (t == NULL || depth > 64) {
        return 1;
    }
    if (is(t, "unpackarraydtype")) {
        const uint64_t count = elements(t), one = size_of(c, get(t, "sub_dtype_id"), depth + 1);
        return one < UINT64_MAX / 4 / count ? count * one : UINT64_MAX / 4;
    }
    if (!is(t, "structdtype") && !is(t, "uniondtype")) {
        size = ls_elab_bits(c->d, id, 0);
        return size == 0 ? 1 : size;
    }
    size = ls_elab_bits(c->d, id, 0); /* a packed one */
    for (const node *m = size == 0 ? t->child : NULL; m != NULL; m = m->next) {
        const uint64_t one = is(m, "memberdtype") ? size_of(c, get(m, "sub_dtype_id"), depth + 1) : 0;
        size = is(t, "uniondtype") ? (one > size ? one : size) : size + one;
    }
    return size == 0 ? 1 : size;
}

static bool is_array(const check *c, const node *var) {
    const node *t = ls_elab_type(c->d, get(var, "dtype_id"));
    return t != NULL && is(t, "unpackarraydtype");
}

/* Narrows to `size` bits from `begin` on. */
static void narrow(prefix *p, uint64_t begin, uint64_t size) {
    if (begin >= p->size) {
        p->none = true;
        return;
    }
    p->begin += begin;
    p->size = size < p->size - begin ? size : p->size - begin;
}

/* `number` elements of `bits` bits, from the constant `index` on: a part of `p`, or all that is left when it is not constant. */
static void select_at(prefix *p, const node *index, uint64_t bits, uint64_t number) {
    if (!p->fixed || index == NULL || !is(index, "const") || strpbrk(get(index, "name"), "xzXZ") != NULL) {
        p->fixed = false;
        return;
    }
    const long at = ls_elab_constant(index);
    if (at < 0 || (uint64_t)at > UINT32_MAX) {
        p->none = true;
    } else {
        narrow(p, (uint64_t)at * bits, bits * number);
    }
}

static void select_member(const check *c, prefix *p, const node *n) {
    const node *t = n->child == NULL ? NULL : ls_elab_type(c->d, get(n->child, "dtype_id"));
    uint64_t begin = 0;
    const node *m = t == NULL ? NULL : t->child;
    while (m != NULL && (!is(m, "memberdtype") || strcmp(get(m, "name"), get(n, "name")) != 0)) {
        begin += is(m, "memberdtype") && !is(t, "uniondtype") ? size_of(c, get(m, "sub_dtype_id"), 0) : 0;
        m = m->next;
    }
    if (m == NULL) {
        p->fixed = false;
    } else if (p->fixed) {
        narrow(p, begin, size_of(c, get(m, "sub_dtype_id"), 0));
    }
}

/* The longest static prefix of a target that is no concatenation. False: it is no variable of the design. */
static bool prefix_of(const check *c, const node *n, prefix *p) {
    if (is(n, "varref")) {
        const char *name = get(n, "name");
        const node *module = module_of(n);
        const node *var = module == NULL ? NULL : var_named(c, module, n, name);
        for (size_t i = 0; i < c->d->module_count && var == NULL; i++) {
            const node *package = c->d->modules[i];
            var = is(package, "package") ? var_named(c, package, package, name) : NULL;
        }
        *p = (prefix){.var = var, .size = var == NULL ? 0 : size_of(c, get(var, "dtype_id"), 0), .fixed = true};
        return var != NULL;
    }
    if (is(n, "varxref")) {
        *p = (prefix){.reference = n, .size = size_of(c, get(n, "dtype_id"), 0), .fixed = true};
        return true;
    }
    if (n->child == NULL || !prefix_of(c, n->child, p)) {
        return false;
    }
    const node *first = n->child->next;
    if (is(n, "sel")) {
        const node *width = first == NULL ? NULL : first->next;
        const long given = strtol(get(n, "widthConst"), NULL, 10);
        select_at(p, first, 1, 1);
        if (p->fixed && !p->none && (given > 0 || (width != NULL && is(width, "const")))) {
            p->size = (uint64_t)(given > 0 ? given : ls_elab_constant(width)); /* may reach beyond: what is there is nobody's */
        }
    } else if (is(n, "arraysel")) {
        select_at(p, first, size_of(c, get(n, "dtype_id"), 0), 1);
    } else if (is(n, "slicesel")) {
        const node *t = ls_elab_type(c->d, get(n, "dtype_id"));
        const uint64_t number = t == NULL ? 1 : elements(t);
        select_at(p, first, size_of(c, get(n, "dtype_id"), 0) / number, number);
    } else if (is(n, "structsel")) {
        select_member(c, p, n);
    } else {
        p->fixed = false;
    }
    return true;
}

/* Collecting, one module at a time ------------------------------------------------------------------------------------------ */

static void collect(check *c, const node *n);

static void drive_target(check *c, const node *target, const node *place) {
    if (is(target, "concat") || is(target, "replicate") || is(target, "streaml") || is(target, "streamr")) {
        for (const node *n = target->child; n != NULL; n = n->next) {
            drive_target(c, n, place);
        }
        return;
    }
    drive one = {.process = c->process, .place = place, .kind = c->kind};
    if (!prefix_of(c, target, &one.to) || one.to.none) {
        return;
    }
    const node *var = one.to.var;
    if (var == NULL) {
        add_drive(&c->into->other, &one);
        return;
    }
    if (!ls_elab_is_static(var)) {
        return;
    }
    if ((var->mark & MARK_LOOP) != 0 && c->kind < CONTINUOUS) {
        return; /* the index of a loop, and nothing sees what another procedure left in it */
    }
    one.array = is_array(c, var);
    add_drive(module_of(var) == c->into->module ? &c->into->local : &c->into->other, &one);
}

/* The next argument's declaration, from `formal` on. */
static const node *argument_from(const node *task, const node *formal) {
    while (formal != NULL &&
           (!is(formal, "var") || get(formal, "dir")[0] == '\0' || strcmp(get(formal, "name"), get(task, "name")) == 0)) {
        formal = formal->next;
    }
    return formal;
}

/* Some task of that name: all of one name that a call may mean have the same arguments, or are one. */
static node *any_task(const check *c, const char *name) {
    for (size_t i = 0; i < c->d->document.count; i++) {
        node *n = c->d->document.nodes[i];
        if ((is(n, "task") || is(n, "func")) && strcmp(get(n, "name"), name) == 0) {
            return n;
        }
    }
    return NULL;
}

static void collect_call(check *c, const node *call) {
    node *callee = ls_elab_callee(c->d, call), *task = callee == NULL ? any_task(c, get(call, "name")) : callee;
    if (task == NULL) {
        return;
    }
    const node *formal = argument_from(task, task->child);
    for (const node *argument = call->child; argument != NULL && formal != NULL; argument = argument->next) {
        if (is(argument, "arg")) {
            if (strcmp(get(formal, "dir"), "input") != 0 && argument->child != NULL) {
                drive_target(c, argument->child, call);
            }
            formal = argument_from(task, formal->next);
        }
    }
    if (!ls_elab_reaches_out(c->d, task)) {
        return;
    }
    if (callee == NULL) { /* through a hierarchy or an interface */
        add_drive(&c->into->other, &(drive){.to = {.reference = call}, .process = c->process, .place = call, .kind = c->kind});
        return;
    }
    for (size_t i = 0; i < c->depth; i++) {
        if (c->calls[i] == task) {
            return;
        }
    }
    if (c->depth < CALL_DEPTH) {
        c->calls[c->depth++] = task;
        for (const node *n = task->child; n != NULL; n = n->next) {
            collect(c, n);
        }
        c->depth--;
    }
}

/* All that a process drives. */
static void collect(check *c, const node *n) {
    if (is(n, "assign") || is(n, "assigndly") || is(n, "contassign")) {
        if (n->last != NULL) {
            drive_target(c, n->last, n);
        }
    } else if (is(n, "funcref") || is(n, "taskref")) {
        collect_call(c, n);
    } else if (is(n, "readmem") && n->child != NULL && n->child->next != NULL) {
        drive_target(c, n->child->next, n);
    }
    for (const node *child = n->child; child != NULL; child = child->next) {
        collect(c, child);
    }
}

/* The kind of a process by its keyword. A constant that is assigned for good is an <initial> at the place of its "=". */
static driver_kind kind_of(const node *process) {
    if (!is(process, "always")) {
        const node *only = is(process, "initial") ? process->child : NULL;
        const bool for_good = only == NULL || (is(only, "assign") && strcmp(get(only, "loc"), get(process, "loc")) == 0);
        return for_good ? CONTINUOUS : INITIAL;
    }
    const char *keyword = get(process, "keyword");
    bool edge = false;
    for (const node *n = process->child; n != NULL; n = n->next) {
        for (const node *item = is(n, "sentree") ? n->child : NULL; item != NULL; item = item->next) {
            const char *type = get(item, "edgeType");
            edge |= strcmp(type, "POS") == 0 || strcmp(type, "NEG") == 0 || strcmp(type, "BOTH") == 0;
        }
    }
    return strcmp(keyword, "always_latch") == 0  ? LATCH
           : strcmp(keyword, "always_comb") == 0 ? COMB
           : strcmp(keyword, "always") == 0      ? (edge ? PLAIN : LEVEL)
           : edge                                ? CLOCKED
                                                 : COMB;
}

static void collect_ports(check *c, const node *instance, const node *module) {
    for (const node *port = instance->child; port != NULL; port = port->next) {
        const char *direction = is(port, "port") ? get(port, "direction") : "";
        if (direction[0] == '\0' || strcmp(direction, "in") == 0 || port->child == NULL) {
            continue;
        }
        c->process = port;
        c->kind = OUTPUT;
        drive_target(c, port->child, port);
        const node *r = ls_elab_range_of(instance), *var = module == NULL ? NULL : ls_elab_port_variable(module, port);
        const bool several = r != NULL && ls_elab_constant(r->child) != ls_elab_constant(r->child->next);
        if (several && var != NULL &&
            size_of(c, get(port->child, "dtype_id"), 0) <=
                size_of(c, get(var, "dtype_id"), 0)) { /* each element drives all of it */
            c->process = instance;
            drive_target(c, port->child, port);
        }
    }
}

static void collect_module(check *c, const node *block) {
    for (const node *n = block->child; n != NULL; n = n->next) {
        if (is(n, "always") || is(n, "contassign") || is(n, "initial")) {
            c->process = n;
            c->kind = kind_of(n);
            collect(c, n);
        } else if (is(n, "instance")) {
            collect_ports(c, n, ls_elab_module_named(c->d, get(n, "defName")));
        } else if (is(n, "begin")) {
            collect_module(c, n);
        }
    }
}

/* Telling ------------------------------------------------------------------------------------------------------------------- */

static const char *kind_name(driver_kind kind) {
    static const char *const names[] = {"an initial",      "an always",     "an always",      "an always_ff", "an always_comb",
                                        "an always_latch", "an assignment", "an output port", "an input port"};
    return names[kind];
}

static void path_text(const ls_elab_scope *s, ls_text *to) {
    if (s != NULL && s->parent != NULL) {
        path_text(s->parent, to);
        ls_text_add(to, "%s.", s->name);
    }
}

/* The generate blocks between a variable and its module. */
static void block_text(const node *n, ls_text *to) {
    if (n != NULL && !is_module(n)) {
        block_text(n->parent, to);
        if (get(n, "name")[0] != '\0') {
            ls_text_add(to, "%s.", get(n, "name"));
        }
    }
}

/* The order of two places in the RTL. */
static int order_places(const node *a, const node *b) {
    const ls_elab_origin x = ls_elab_place(a), y = ls_elab_place(b);
    const int order = strcmp(x.file, y.file);
    return order != 0 ? order : x.line != y.line ? (x.line < y.line ? -1 : 1) : (x.column > y.column) - (x.column < y.column);
}

static void report_drivers(check *c, const drive *a, const drive *b) {
    const node *var = a->to.var;
    ls_text name = {0};
    path_text(a->at, &name);
    block_text(var->parent, &name);
    ls_text_add(&name, "%s", get(var, "name"));
    ls_args_add(&c->told, "%s:%u: %s has two drivers of one bit: %s here and %s at %s:%u", ls_elab_file_of(c->d, b->place),
                ls_elab_place(b->place).line, name.data, kind_name(b->kind), kind_name(a->kind), ls_elab_file_of(c->d, a->place),
                ls_elab_place(a->place).line);
    free(name.data);
}

/* Comparing ----------------------------------------------------------------------------------------------------------------- */

static bool same_process(const drive *a, const drive *b) { return a->process == b->process && a->origin == b->origin; }

/* Whether two processes may drive one bit. Only the procedures of a newer kind forbid an `initial` beside them. */
static bool allowed(const drive *a, const drive *b) {
    if (same_process(a, b)) {
        return true;
    }
    if (a->kind == INITIAL || b->kind == INITIAL) {
        const driver_kind other = a->kind == INITIAL ? b->kind : a->kind;
        return other != CLOCKED && other != COMB && other != LATCH;
    }
    return a->kind == PLAIN && b->kind == PLAIN && a->array; /* a memory with two ports */
}

static int compare(uintptr_t a, uintptr_t b) { return a < b ? -1 : a > b; }

static int order_drives(const void *x, const void *y) {
    const drive *a = x, *b = y;
    int order = compare((uintptr_t)a->to.var, (uintptr_t)b->to.var);
    order = order != 0 ? order : compare((uintptr_t)a->at, (uintptr_t)b->at);
    order = order != 0 ? order : a->to.begin < b->to.begin ? -1 : a->to.begin > b->to.begin;
    order = order != 0 ? order : a->to.size < b->to.size ? -1 : a->to.size > b->to.size;
    order = order != 0 ? order : compare((uintptr_t)a->process, (uintptr_t)b->process);
    order = order != 0 ? order : compare((uintptr_t)a->origin, (uintptr_t)b->origin);
    return order != 0 ? order : compare((uintptr_t)a->place, (uintptr_t)b->place);
}

static bool same_variable(const drive *a, const drive *b) { return a->to.var == b->to.var && a->at == b->at; }

static bool overlap(const drive *a, const drive *b) {
    return a->to.begin < b->to.begin + b->to.size && b->to.begin < a->to.begin + a->to.size;
}

/* Sorts, and leaves one drive of each process and range. */
static void settle(drives *all) {
    size_t kept = 0;
    if (all->count > 1) {
        qsort(all->list, all->count, sizeof *all->list, order_drives);
    }
    for (size_t i = 0; i < all->count; i++) {
        const drive *before = kept == 0 ? NULL : &all->list[kept - 1], *now = &all->list[i];
        if (before == NULL || !same_variable(before, now) || !same_process(before, now) || before->to.begin != now->to.begin ||
            before->to.size != now->to.size) {
            all->list[kept++] = *now;
        }
    }
    all->count = kept;
}

/* Tells of one conflict of each variable, always the same one; `all` is settled. */
static void compare_drives(check *c, const drives *all) {
    for (size_t i = 0, end; i < all->count; i = end) {
        const drive *first = NULL, *second = NULL;
        uint64_t reach = 0; /* the end of all before, which begin earlier */
        for (end = i; end < all->count && same_variable(&all->list[i], &all->list[end]); end++) {
            const drive *b = &all->list[end];
            for (size_t k = i; k < end && b->to.begin < reach; k++) {
                const drive *a = &all->list[k];
                if (overlap(a, b) && !allowed(a, b) && !(a->own && b->own)) {
                    const bool turned = order_places(a->place, b->place) > 0;
                    const drive *x = turned ? b : a, *y = turned ? a : b;
                    const int order = first == NULL ? -1 : order_places(y->place, second->place);
                    if (order < 0 || (order == 0 && order_places(x->place, first->place) < 0)) {
                        first = x;
                        second = y;
                    }
                }
            }
            reach = b->to.begin + b->to.size > reach ? b->to.begin + b->to.size : reach;
        }
        if (first != NULL) {
            report_drivers(c, first, second);
        }
    }
}

static module_drives *drives_of(const check *c, const node *module) {
    for (size_t i = 0; i < c->module_count; i++) {
        if (c->modules[i].module == module) {
            return &c->modules[i];
        }
    }
    return NULL;
}

static const node *task_in(const node *block, const char *name) {
    for (const node *n = block->child; n != NULL; n = n->next) {
        if ((is(n, "task") || is(n, "func")) && strcmp(get(n, "name"), name) == 0) {
            return n;
        }
    }
    return NULL;
}

static void lost(check *c, const drive *one) {
    ls_args_add(
        &c->told,
        "%s:%u: what %s here drives through %s cannot be followed: write it as NAME.%s, without an index that is computed",
        ls_elab_file_of(c->d, one->place), ls_elab_place(one->place).line, kind_name(one->kind), get(one->to.reference, "name"),
        get(one->to.reference, "name"));
}

static void resolve(check *c, const ls_elab_scope *s, const drive *one, drives *all, unsigned depth);

/* What a task of the instance `to` drives, called by a process of another. */
static void resolve_task(check *c, const ls_elab_scope *to, const node *task, const drive *call, drives *all, unsigned depth) {
    module_drives inner = {.module = to->block};
    c->into = &inner;
    c->process = call->process;
    c->kind = call->kind;
    c->depth = 0;
    for (const node *n = task->child; n != NULL; n = n->next) {
        collect(c, n);
    }
    for (size_t i = 0; i < inner.local.count; i++) {
        drive one = inner.local.list[i];
        one.at = to;
        one.origin = call->origin;
        add_drive(all, &one);
    }
    for (size_t i = 0; i < inner.other.count; i++) {
        drive one = inner.other.list[i];
        one.origin = call->origin;
        resolve(c, to, &one, all, depth + 1);
    }
    free(inner.local.list);
    free(inner.other.list);
}

/* What `one`, met in the instance `s`, drives elsewhere. */
static void resolve(check *c, const ls_elab_scope *s, const drive *one, drives *all, unsigned depth) {
    drive now = *one;
    if (now.to.var != NULL) { /* of a package */
        now.at = NULL;
        add_drive(all, &now);
        return;
    }
    const node *reference = now.to.reference;
    const ls_elab_scope *from = ls_elab_scope_around(s, reference);
    if (!is(reference, "varxref")) {
        const ls_elab_scope *to = depth > 8 ? NULL : ls_elab_scope_before(&c->tree, from, reference, 0);
        const node *task = to == NULL ? NULL : task_in(to->block, get(reference, "name"));
        if (task == NULL) {
            lost(c, one);
        } else {
            resolve_task(c, to->module, task, &now, all, depth);
        }
        return;
    }
    char *path = ls_elab_plain(get(reference, "dotted"));
    const ls_elab_scope *to = ls_elab_scope_follow(&c->tree, from, path, 0);
    free(path);
    const char *name = get(reference, "name");
    now.to.var = to == NULL ? NULL : var_named(c, to->module->block, to->block, name);
    if (now.to.var == NULL) {
        lost(c, one);
        return;
    }
    if (!ls_elab_is_static(now.to.var)) {
        return;
    }
    now.at = to->module;
    now.array = is_array(c, now.to.var);
    add_drive(all, &now);
    if (strcmp(get(now.to.var, "dir"), "input") == 0) { /* what is connected to it drives it, too */
        drive port = now;
        port.kind = INPUT;
        port.origin = to->module;
        port.process = port.place = now.to.var;
        add_drive(all, &port);
    }
}

/* All that the processes of the instance `s`, and of those in it, drive elsewhere. */
static void resolve_all(check *c, const ls_elab_scope *s, drives *all) {
    module_drives *m = s == s->module ? drives_of(c, s->block) : NULL;
    for (size_t i = 0; m != NULL && i < m->other.count; i++) {
        drive one = m->other.list[i];
        one.origin = s;
        resolve(c, s, &one, all, 0);
    }
    for (const ls_elab_scope *inner = s->child; inner != NULL; inner = inner->next) {
        resolve_all(c, inner, all);
    }
}

/* Adds what the instance's own processes drive, of the variables that others drive. */
static void add_local(check *c, drives *all) {
    const size_t count = all->count;
    for (size_t i = 0; i < count; i++) {
        const drive one = all->list[i];
        const module_drives *m =
            one.at == NULL || (i > 0 && same_variable(&one, &all->list[i - 1])) ? NULL : drives_of(c, one.at->block);
        size_t low = 0, high = m == NULL ? 0 : m->local.count;
        while (low < high) {
            const size_t middle = (low + high) / 2;
            if ((uintptr_t)m->local.list[middle].to.var < (uintptr_t)one.to.var) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for (; m != NULL && low < m->local.count && m->local.list[low].to.var == one.to.var; low++) {
            drive own = m->local.list[low];
            own.at = own.origin = one.at;
            own.own = true;
            add_drive(all, &own);
        }
    }
}

char *ls_elab_two_drivers(const ls_elab_netlist *d) {
    ls_text text = {0};
    check c = {.d = d};
    size_t others = 0;
    index_vars(&c);
    c.modules = ls_alloc(d->module_count + 1, sizeof *c.modules);
    for (size_t i = 0; i < d->module_count; i++) {
        module_drives *m = &c.modules[c.module_count++];
        m->module = d->modules[i];
        c.into = m;
        collect_module(&c, m->module);
        settle(&m->local);
        compare_drives(&c, &m->local);
        others += m->other.count;
    }
    if (others > 0) {
        ls_elab_hierarchy_make(&c.tree, d);
    }
    if (c.tree.root != NULL) {
        drives all = {0};
        resolve_all(&c, c.tree.root, &all);
        settle(&all);
        add_local(&c, &all);
        settle(&all);
        compare_drives(&c, &all);
        free(all.list);
    }
    ls_args_sort(&c.told);
    for (size_t i = 0; i < c.told.count && i < TOLD; i++) {
        ls_text_add(&text, "%s\n", c.told.list[i]);
    }
    if (c.told.count > TOLD) {
        ls_text_add(&text, "... and %zu more\n", c.told.count - TOLD);
    }
    ls_args_free(&c.told);
    ls_elab_hierarchy_free(&c.tree);
    for (size_t i = 0; i < c.module_count; i++) {
        free(c.modules[i].local.list);
        free(c.modules[i].other.list);
    }
    free(c.modules);
    free(c.vars);
    return text.data == NULL ? NULL : ls_text_take(&text);
}
