/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/elab.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/process.h"
#include "harness/text.h"
#include "harness/xml.h"

/* What the scan of the clocked blocks finds out about a variable; TASK_* on a task that was followed already. */
enum { MARK_REG = 1, MARK_LATCH = 2, MARK_LOOP = 4, MARK_UNPACKED = 8, TASK_REG = 16, TASK_LATCH = 32 };

typedef ls_xml_node node;

static const char *get(const node *n, const char *key) { return ls_xml_get(n, key); }

static bool is(const node *n, const char *tag) { return strcmp(n->tag, tag) == 0; }

/* Undoes Verilator's name mangling in place: "__05F" is the character 0x5F. Returns `text`. */
static char *unmangle(char *text) {
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        if (strncmp(from, "__0", 3) == 0 && isxdigit((unsigned char)from[3]) && isxdigit((unsigned char)from[4])) {
            const char hex[] = {from[3], from[4], '\0'};
            *to++ = (char)strtol(hex, NULL, 16);
            from += 5;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
    return text;
}

/* Types ---------------------------------------------------------------------------------------------------------------------- */

typedef struct design {
    ls_xml document;
    const node *netlist;
    node **types; /* by id; NULL where there is none */
    size_t type_count;
    node **modules; /* modules, interfaces, packages */
    size_t module_count;
    const ls_rtl_wire *wires;
    size_t wire_count;
    ls_elab *elab;
} design;

static node *type(const design *d, const char *id) {
    size_t i = strtoul(id, NULL, 10);
    return i < d->type_count ? d->types[i] : NULL;
}

/* The value of a constant as Verilator prints it: 32'sh1f, 8'h3. */
static long constant(const node *n) {
    const char *text = get(n, "name");
    const char *quote = strchr(text, '\'');
    if (quote == NULL) {
        return strtol(text, NULL, 10);
    }
    bool negatable = quote[1] == 's';
    unsigned long width = strtoul(text, NULL, 10);
    unsigned long value = strtoul(quote + 1 + negatable + 1, NULL, 16);
    if (negatable && width > 0 && width < 64 && (value >> (width - 1)) != 0) {
        return (long)value - (long)(1UL << width);
    }
    return (long)value;
}

static uint32_t span(long left, long right) {
    unsigned long distance = left > right ? (unsigned long)(left - right) : (unsigned long)(right - left);
    return distance < UINT32_MAX ? (uint32_t)distance + 1 : 0;
}

/* Elements that an array type's <range> spans, 0 when it has none. */
static uint32_t range(const node *array) {
    for (const node *n = array->child; n != NULL; n = n->next) {
        if (is(n, "range") && n->child != NULL && n->child->next != NULL) {
            return span(constant(n->child), constant(n->child->next));
        }
    }
    return 0;
}

static uint32_t times(uint32_t a, uint32_t b) { return (uint64_t)a * b <= UINT32_MAX ? a * b : 0; }

/* Bits of a packed type, 0 when it has no bits. Type tables are shallow; `depth` stops a malformed one. */
static uint32_t packed_bits(const design *d, const char *id, unsigned depth) {
    const node *t = type(d, id);
    if (t == NULL || depth > 64) {
        return 0;
    }
    if (is(t, "basicdtype")) {
        static const char *const known[] = {"logic", "bit", "integer", "int", "byte", "shortint", "longint", "time"};
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
            if (strcmp(get(t, "name"), known[i]) == 0) {
                return get(t, "left")[0] == '\0' ? 1 : span(strtol(get(t, "left"), NULL, 10), strtol(get(t, "right"), NULL, 10));
            }
        }
        return 0;
    }
    if (is(t, "refdtype") || is(t, "enumdtype") || is(t, "constdtype") || is(t, "memberdtype")) {
        return packed_bits(d, get(t, "sub_dtype_id"), depth + 1);
    }
    if (is(t, "packarraydtype")) {
        return times(packed_bits(d, get(t, "sub_dtype_id"), depth + 1), range(t));
    }
    if ((is(t, "structdtype") || is(t, "uniondtype")) && (t->mark & MARK_UNPACKED) == 0) {
        uint32_t bits = 0;
        for (const node *m = t->child; m != NULL; m = m->next) {
            uint32_t member = is(m, "memberdtype") ? packed_bits(d, get(m, "sub_dtype_id"), depth + 1) : 0;
            if (member == 0) {
                return 0;
            }
            bits = is(t, "structdtype") ? bits + member : member > bits ? member : bits;
        }
        return bits;
    }
    return 0;
}

/* The type behind references. */
static node *resolved(const design *d, const char *id) {
    node *t = type(d, id);
    for (unsigned depth = 0; t != NULL && depth < 64 && (is(t, "refdtype") || is(t, "constdtype")); depth++) {
        t = type(d, get(t, "sub_dtype_id"));
    }
    return t;
}

static void shape(const design *d, const node *var, uint32_t *bits, uint32_t *count) {
    const char *id = get(var, "dtype_id");
    *count = 1;
    const node *t = resolved(d, id);
    for (unsigned depth = 0; t != NULL && depth < 64 && is(t, "unpackarraydtype"); depth++) {
        *count = times(*count, range(t));
        id = get(t, "sub_dtype_id");
        t = resolved(d, id);
    }
    *bits = *count == 0 ? 0 : packed_bits(d, id, 0);
}

/* Clocked assignments -------------------------------------------------------------------------------------------------------- */

static bool is_module(const node *n) { return is(n, "module") || is(n, "iface") || is(n, "package") || is(n, "program"); }

/* True when a variable belongs to the module itself or to a generate block, not to a procedure. */
static bool is_static(const node *var) {
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

/* Marks every variable of that name at any depth of a module that no procedure owns. */
static void mark_all(node *n, const char *name, unsigned mark) {
    if (is(n, "var") && strcmp(get(n, "name"), name) == 0 && is_static(n)) {
        n->mark |= mark;
    }
    for (node *c = n->child; c != NULL; c = c->next) {
        mark_all(c, name, mark);
    }
}

/* Marks what a reference refers to: the nearest declaration outwards. A hierarchical reference names no declaration, so that it
 * marks all of that name: one register too many is seen, one too few is not. */
static void mark_reference(const design *d, node *reference, unsigned mark) {
    const char *name = get(reference, "name");
    node *module = reference;
    if (is(reference, "varref")) {
        for (node *n = reference->parent; n != NULL; n = n->parent) {
            node *var = child_named(n, "var", "var", name);
            if (var != NULL) {
                var->mark |= is_static(var) ? mark : 0; /* those of a procedure: scan_locals */
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

/* Marks the variables that an assignment to `target` writes; indexes inside it are only read. */
static void mark_target(const design *d, node *target, unsigned mark) {
    if (is(target, "varref") || is(target, "varxref")) {
        mark_reference(d, target, mark);
    } else if (is(target, "concat") || is(target, "replicate") || is(target, "streaml") || is(target, "streamr")) {
        for (node *n = target->child; n != NULL; n = n->next) {
            mark_target(d, n, mark);
        }
    } else if (target->child != NULL) { /* sel, arraysel, structsel, ...: what is selected from comes first */
        mark_target(d, target->child, mark);
    }
}

static void scan(const design *d, node *n, unsigned mark);

/* Follows a call in a clocked block: the assignments in the task's body and its output arguments. */
static void scan_call(const design *d, node *call, unsigned mark) {
    const char *name = get(call, "name");
    node *task = NULL;
    for (node *n = call->parent; n != NULL && task == NULL; n = n->parent) {
        task = child_named(n, "task", "func", name);
    }
    for (size_t i = 0; i < d->module_count && task == NULL; i++) {
        task = is(d->modules[i], "package") ? child_named(d->modules[i], "task", "func", name) : NULL;
    }
    if (task == NULL) {
        return;
    }
    const node *formal = task->child;
    for (node *argument = call->child; argument != NULL; argument = argument->next) {
        if (!is(argument, "arg")) {
            continue;
        }
        while (formal != NULL &&
               (!is(formal, "var") || get(formal, "dir")[0] == '\0' || strcmp(get(formal, "name"), name) == 0)) {
            formal = formal->next; /* a function's value is an output of its own name */
        }
        if (formal == NULL) {
            break;
        }
        if (strcmp(get(formal, "dir"), "input") != 0 && argument->child != NULL) {
            mark_target(d, argument->child, mark);
        }
        formal = formal->next;
    }
    unsigned followed = mark == MARK_REG ? TASK_REG : TASK_LATCH;
    if ((task->mark & followed) == 0) {
        task->mark |= followed;
        for (node *n = task->child; n != NULL; n = n->next) {
            scan(d, n, mark);
        }
    }
}

/* Marks the index of a for loop, which Verilator shows as <while> with the increment as the last block. */
static void scan_loop(const design *d, node *loop) {
    node *increment = loop->last;
    for (node *n = increment != NULL && is(increment, "begin") ? increment->child : NULL; n != NULL; n = n->next) {
        if (is(n, "assign") && n->last != NULL && loop->child->next->next->next != NULL) {
            mark_target(d, n->last, MARK_LOOP);
        }
    }
}

/* Marks all that the statement `n` of a clocked block assigns. */
static void scan(const design *d, node *n, unsigned mark) {
    if (is(n, "assign") || is(n, "assigndly")) {
        if (n->last != NULL) { /* the right side comes first */
            mark_target(d, n->last, mark);
        }
    } else if (is(n, "taskref") || is(n, "funcref")) {
        scan_call(d, n, mark);
    } else if (is(n, "while")) {
        scan_loop(d, n);
    }
    for (node *c = n->child; c != NULL; c = c->next) {
        scan(d, c, mark);
    }
}

typedef struct place {
    char file[16]; /* Verilator's id of the file */
    unsigned line, column, end_line, end_column;
} place;

static place place_of(const node *n) {
    place p = {0};
    if (sscanf(get(n, "loc"), "%15[^,],%u,%u,%u,%u", p.file, &p.line, &p.column, &p.end_line, &p.end_column) != 5) {
        p = (place){0};
    }
    return p;
}

/* The XML has no keyword of a procedure, but its place spans just that keyword: always_latch alone is 12 characters long. */
static bool is_latch(const node *always) {
    const place p = place_of(always);
    return p.line == p.end_line && p.end_column - p.column == sizeof "always_latch" - 1;
}

/* State that no edge gives away ------------------------------------------------------------------------------------------- */

/* Follows one variable through a procedure. */
typedef struct flow {
    const char *name;
    const design *design;
    bool parts;   /* a write of a part counts as a write, and a loop is taken at least once */
    bool exposed; /* read, or assigned with <=, where it may not have been written yet */
    bool jumped;  /* written at every jump so far */
} flow;

static bool walk(flow *f, const node *n, bool written);

static bool walk_target(flow *f, const node *target, bool written, bool delayed) {
    if (is(target, "varref")) {
        const bool hit = strcmp(get(target, "name"), f->name) == 0;
        f->exposed |= hit && delayed;
        return written || hit;
    }
    const bool select = !is(target, "concat");
    bool after = written;
    for (const node *n = target->child; n != NULL; n = n->next) {
        after = select && n != target->child ? walk(f, n, after) : walk_target(f, n, after, delayed);
    }
    return select && !f->parts ? written : after;
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
        otherwise |= item->child == NULL || is(item->child, "assign") || is(item->child, "begin") || is(item->child, "if") ||
                     is(item->child, "case") || is(item->child, "assigndly") || is(item->child, "jumpgo");
        bool after = written;
        for (const node *c = item->child; c != NULL; c = c->next) {
            values += is(c, "const") && !earlier(n, item, c);
            after = walk(f, c, after);
        }
        all &= after;
    }
    const node *selector = n->child != NULL && is(n->child, "extend") ? n->child->child : n->child;
    const uint32_t bits = selector == NULL ? 0 : packed_bits(f->design, get(selector, "dtype_id"), 0);
    return written || (all && (otherwise || (f->parts && bits > 0 && bits < 32 && values == UINT64_C(1) << bits)));
}

/* Whether the variable is surely written after `n`; what a jump skips does not matter, its label does. */
static bool walk(flow *f, const node *n, bool written) {
    if (is(n, "varref")) {
        f->exposed |= strcmp(get(n, "name"), f->name) == 0 && !written;
        return written;
    }
    if (is(n, "assign") || is(n, "assigndly")) {
        for (const node *c = n->child; c != n->last; c = c->next) {
            written = walk(f, c, written);
        }
        return n->last == NULL ? written : walk_target(f, n->last, written, is(n, "assigndly"));
    }
    if (is(n, "arg") && n->child != NULL && f->parts) {
        return walk_target(f, n->child, written, false);
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
static void scan_locals(const design *d, const node *procedure, node *block, unsigned mark) {
    for (node *n = block->child; n != NULL; n = n->next) {
        if (is(n, "var") && get(n, "dir")[0] == '\0') {
            flow f = {.design = d, .name = get(n, "name"), .parts = mark == MARK_LATCH, .jumped = true};
            (void)walk(&f, procedure, false);
            n->mark |= f.exposed ? mark : 0;
        } else if (!is(n, "var")) {
            scan_locals(d, procedure, n, mark);
        }
    }
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

/* Marks the latches of a combinational procedure: what it writes on some paths only. */
static void scan_latches(const design *d, const node *procedure, const node *n) {
    if (is(n, "assign") && n->last != NULL) {
        const node *target = n->last;
        while (target->child != NULL && !is(target, "concat")) {
            target = target->child;
        }
        node *var = is(target, "varref") ? declaration(target) : NULL;
        flow f = {.design = d, .name = get(target, "name"), .parts = true, .jumped = true};
        if (var != NULL && is_static(var) && (var->mark & MARK_LOOP) == 0 && !walk(&f, procedure, false)) {
            var->mark |= MARK_LATCH;
        }
    }
    for (const node *c = n->child; c != NULL; c = c->next) {
        scan_latches(d, procedure, c);
    }
}

static bool contains(const node *n, const node *part) {
    bool found = same(n, part);
    for (const node *c = n->child; c != NULL && !found; c = c->next) {
        found = contains(c, part);
    }
    return found;
}

/* Finds the procedures below `n` and scans those that hold state; also notes which structs are unpacked: only their members are
 * selected by <structsel>, those of packed ones by bit position. */
static void scan_module(const design *d, node *n) {
    if (is(n, "always")) {
        unsigned mark = is_latch(n) ? MARK_LATCH : 0;
        for (const node *c = n->child; c != NULL; c = c->next) {
            mark = is(c, "sentree") && c->child != NULL ? MARK_REG : mark; /* @* and always_comb have none */
        }
        if (mark != 0) {
            scan(d, n, mark);
        } else {
            scan_latches(d, n, n);
        }
        scan_locals(d, n, n, mark == MARK_REG ? MARK_REG : MARK_LATCH);
    } else if (is(n, "func") || is(n, "task")) {
        scan_locals(d, n, n, MARK_LATCH);
    } else if (is(n, "contassign") && n->last != NULL && n->last != n->child && contains(n->child, n->last)) {
        mark_target(d, n->last, MARK_LATCH);
    } else if (is(n, "structsel") && n->child != NULL) {
        node *t = resolved(d, get(n->child, "dtype_id"));
        if (t != NULL) {
            t->mark |= MARK_UNPACKED;
        }
    }
    for (node *c = n->child; c != NULL; c = c->next) {
        scan_module(d, c);
    }
}

/* Result --------------------------------------------------------------------------------------------------------------------- */

static char *file_name(const design *d, const char *id) {
    for (const node *n = d->netlist->parent->child; n != NULL; n = n->next) {
        for (const node *f = is(n, "files") ? n->child : NULL; f != NULL; f = f->next) {
            if (strcmp(get(f, "id"), id) == 0) {
                return ls_copy(get(f, "filename"));
            }
        }
    }
    return ls_copy("");
}

static ls_elab_signal signal_of(const design *d, const node *module, const node *var, const char *path, ls_elab_kind kind) {
    const place at = place_of(var);
    ls_elab_signal s = {.name = ls_format("%s%s", path, get(var, "name")),
                        .var = ls_copy(get(var, "origName")),
                        .module = ls_copy(get(module, "origName")),
                        .file = file_name(d, at.file),
                        .line = at.line,
                        .kind = kind};
    shape(d, var, &s.bits, &s.count);
    return s;
}

static bool wanted(const design *d, const node *module, const node *var) {
    if (get(var, "param")[0] != '\0' || get(var, "localparam")[0] != '\0') {
        return false;
    }
    char *name = unmangle(ls_copy(get(module, "origName")));
    bool found = false;
    for (size_t i = 0; i < d->wire_count && !found; i++) {
        found = fnmatch(d->wires[i].module, name, 0) == 0 && fnmatch(d->wires[i].var, get(var, "name"), 0) == 0;
    }
    free(name);
    return found;
}

/* Lists the marked and the asked-for variables of one instance, those of its generate blocks included. */
static void list_variables(const design *d, const node *module, const node *block, const char *path) {
    for (const node *n = block->child; n != NULL; n = n->next) {
        if (!is(n, "var")) {
            char *inner = get(n, "name")[0] == '\0' ? ls_copy(path) : ls_format("%s%s.", path, get(n, "name"));
            list_variables(d, module, n, inner);
            free(inner);
        } else {
            const unsigned mark = (n->mark & MARK_LOOP) != 0 ? 0 : n->mark;
            const bool top_port = get(n, "dir")[0] != '\0' && get(module, "topModule")[0] != '\0';
            if ((mark & (MARK_REG | MARK_LATCH)) != 0 || (!top_port && is_static(n) && wanted(d, module, n))) {
                ls_elab *e = d->elab;
                e->registers = ls_grow(e->registers, e->register_count, sizeof *e->registers);
                e->registers[e->register_count++] = signal_of(d, module, n, path,
                                                              (mark & MARK_REG) != 0     ? LS_ELAB_REG
                                                              : (mark & MARK_LATCH) != 0 ? LS_ELAB_LATCH
                                                                                         : LS_ELAB_WIRE);
            }
        }
    }
}

static const node *module_named(const design *d, const char *mangled) {
    char *name = unmangle(ls_copy(mangled));
    const node *found = NULL;
    for (size_t i = 0; i < d->module_count && found == NULL; i++) {
        found = strcmp(get(d->modules[i], "name"), name) == 0 ? d->modules[i] : NULL;
    }
    free(name);
    return found;
}

static void list_instances(const design *d, const node *block, const char *path, unsigned depth);

static void list_instance(const design *d, const node *module, const char *path, unsigned depth) {
    list_variables(d, module, module, path);
    if (depth < 256) {
        list_instances(d, module, path, depth + 1);
    }
}

static void list_instances(const design *d, const node *block, const char *path, unsigned depth) {
    for (const node *n = block->child; n != NULL; n = n->next) {
        if (is(n, "begin")) {
            char *inner = get(n, "name")[0] == '\0' ? ls_copy(path) : ls_format("%s%s.", path, get(n, "name"));
            list_instances(d, n, inner, depth);
            free(inner);
        } else if (is(n, "instance")) {
            const node *module = module_named(d, get(n, "defName"));
            const node *r = n->child;
            while (r != NULL && !is(r, "range")) {
                r = r->next;
            }
            long first = 0, last = 0;
            if (r != NULL && r->child != NULL && r->child->next != NULL) {
                long a = constant(r->child), b = constant(r->child->next);
                first = a < b ? a : b;
                last = a < b ? b : a;
            }
            for (long i = first; module != NULL && i <= last; i++) {
                char *inner =
                    r == NULL ? ls_format("%s%s.", path, get(n, "name")) : ls_format("%s%s[%ld].", path, get(n, "name"), i);
                list_instance(d, module, inner, depth);
                free(inner);
            }
        }
    }
}

static void list_ports(const design *d, const node *top) {
    for (const node *n = top->child; n != NULL; n = n->next) {
        const char *dir = get(n, "dir");
        if (is(n, "var") && dir[0] != '\0') {
            ls_elab *e = d->elab;
            e->ports = ls_grow(e->ports, e->port_count, sizeof *e->ports);
            e->ports[e->port_count++] = signal_of(d, top, n, "",
                                                  strcmp(dir, "input") == 0    ? LS_ELAB_IN
                                                  : strcmp(dir, "output") == 0 ? LS_ELAB_OUT
                                                                               : LS_ELAB_INOUT);
        }
    }
}

static void list_files(const design *d) {
    for (const node *n = d->netlist->parent->child; n != NULL; n = n->next) {
        for (const node *f = is(n, "files") ? n->child : NULL; f != NULL; f = f->next) {
            const char *name = get(f, "filename");
            if (name[0] != '\0' && name[0] != '<') { /* <built-in>, <command-line> */
                ls_elab *e = d->elab;
                e->files = ls_grow(e->files, e->file_count, sizeof *e->files);
                e->files[e->file_count++] = ls_copy(name);
            }
        }
    }
}

/* Indexes the types and the modules of the netlist. */
static void index_netlist(design *d) {
    for (node *n = d->netlist->child; n != NULL; n = n->next) {
        if (is_module(n)) {
            d->modules = ls_grow(d->modules, d->module_count, sizeof *d->modules);
            d->modules[d->module_count++] = n;
        }
    }
    for (size_t pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < d->document.count; i++) {
            node *n = d->document.nodes[i];
            if (is(n->parent, "typetable") || is(n->parent, "structdtype") || is(n->parent, "uniondtype")) {
                size_t id = strtoul(get(n, "id"), NULL, 10);
                if (pass == 0 && id >= d->type_count && id < d->document.count + 2) {
                    d->type_count = id + 1;
                } else if (pass == 1 && id < d->type_count) {
                    d->types[id] = n;
                }
            }
        }
        if (pass == 0) {
            d->types = ls_alloc(d->type_count, sizeof(node *));
        }
    }
}

static const char *extract(design *d, char *text) {
    if (!ls_xml_parse(&d->document, text) || !is(d->document.root.child, "verilator_xml")) {
        return "is not Verilator's XML or is cut off";
    }
    for (const node *n = d->document.root.child->child; n != NULL; n = n->next) {
        d->netlist = is(n, "netlist") ? n : d->netlist;
    }
    if (d->netlist == NULL) {
        return "holds no netlist";
    }
    index_netlist(d);
    for (size_t i = 0; i < d->module_count; i++) {
        scan_module(d, d->modules[i]);
    }
    for (size_t i = 0; i < d->module_count; i++) {
        if (get(d->modules[i], "topModule")[0] != '\0') {
            list_ports(d, d->modules[i]);
            list_instance(d, d->modules[i], "", 0);
            list_files(d);
            return NULL;
        }
    }
    return "holds no top module";
}

ls_elab_status ls_elab_read(const char *xml_path, const ls_rtl_wire *wires, size_t wire_count, ls_elab *elab, char **text) {
    *elab = (ls_elab){0};
    ls_text xml = {0};
    int error = ls_text_read(&xml, xml_path);
    if (error != 0) {
        *text = ls_format("%s: %s\n", xml_path, strerror(-error));
        free(xml.data);
        return LS_ELAB_TOOL;
    }
    ls_text_put(&xml, "", 0);
    design d = {.wires = wires, .wire_count = wire_count, .elab = elab};
    const char *wrong = strlen(xml.data) == xml.size ? extract(&d, xml.data) : "holds a NUL byte";
    *text = wrong == NULL ? ls_copy("") : ls_format("%s: %s\n", xml_path, wrong);
    if (wrong != NULL) {
        ls_elab_free(elab);
    }
    free(d.types);
    free(d.modules);
    ls_xml_free(&d.document);
    free(xml.data);
    return wrong == NULL ? LS_ELAB_OK : LS_ELAB_TOOL;
}

void ls_rtl_args(const ls_rtl *rtl, ls_args *args) {
    ls_args_add(args, "--top-module");
    ls_args_add(args, "%s", rtl->top);
    for (size_t i = 0; i < rtl->param_count; i++) {
        ls_args_add(args, "-G%s=%s", rtl->params[i].name, rtl->params[i].value);
    }
    for (size_t i = 0; i < rtl->define_count; i++) {
        ls_args_add(args, "-D%s", rtl->defines[i]);
    }
    for (size_t i = 0; i < rtl->dir_count; i++) {
        ls_args_add(args, "-y");
        ls_args_add(args, "%s", rtl->dirs[i]);
    }
    for (size_t i = 0; i < rtl->file_count; i++) {
        ls_args_add(args, "%s", rtl->files[i]);
    }
}

/* Says in `*text` why this Verilator cannot be used, or returns true. */
static bool usable(const char *verilator, char **text) {
    ls_process_result version;
    int error = ls_process_run(&(ls_process){.argv = (const char *const[]){verilator, "--version", NULL}}, &version);
    bool good = false;
    if (error != 0) {
        *text = ls_format("cannot run %s: %s\n", verilator, strerror(-error));
    } else {
        good = ls_verilator_check(version.output, text);
    }
    ls_process_free(&version);
    return good;
}

static ls_elab_status elaborate(const ls_rtl *rtl, const char *verilator, const char *directory, const char *xml_path,
                                char **text) {
    ls_args args = {0};
    ls_args_add(&args, "%s", verilator);
    ls_args_add(&args, "--xml-only");
    ls_args_add(&args, "-Wno-fatal");
    ls_args_add(&args, "--no-timing");
    ls_args_add(&args, "--Mdir");
    ls_args_add(&args, "%s", directory);
    ls_args_add(&args, "--xml-output");
    ls_args_add(&args, "%s", xml_path);
    ls_rtl_args(rtl, &args);
    ls_process_result run;
    int error = ls_process_run(&(ls_process){.argv = (const char *const *)args.list, .timeout_ms = rtl->timeout_ms}, &run);
    ls_elab_status status = error == 0 && ls_process_ok(&run) ? LS_ELAB_OK : LS_ELAB_TOOL;
    if (error != 0) {
        *text = ls_format("cannot run %s: %s\n", verilator, strerror(-error));
    } else if (run.signal != 0) {
        char ending[80];
        *text = ls_format("%sVerilator %s\n", run.output, ls_process_ending(&run, ending, sizeof ending));
    } else {
        status = run.status == 0 ? LS_ELAB_OK : LS_ELAB_RTL;
        *text = ls_copy(run.output);
    }
    ls_process_free(&run);
    ls_args_free(&args);
    return status;
}

ls_elab_status ls_elab_run(const ls_rtl *rtl, const char *verilator, const char *xml_path, ls_elab *elab, char **text) {
    *elab = (ls_elab){0};
    const char *command = verilator == NULL ? "verilator" : verilator;
    if (!usable(command, text)) {
        return LS_ELAB_TOOL;
    }
    const char *base = getenv("TMPDIR");
    char *directory = ls_format("%s/ls_elab.XXXXXX", base == NULL || base[0] == '\0' ? "/tmp" : base);
    if (mkdtemp(directory) == NULL) {
        *text = ls_format("cannot make the directory %s\n", directory);
        free(directory);
        return LS_ELAB_TOOL;
    }
    char *own_path = ls_format("%s/elab.xml", directory);
    const char *path = xml_path == NULL ? own_path : xml_path;
    ls_elab_status status = elaborate(rtl, command, directory, path, text);
    if (status == LS_ELAB_OK) {
        char *warnings = *text;
        status = ls_elab_read(path, rtl->wires, rtl->wire_count, elab, text);
        if (status == LS_ELAB_OK) {
            free(*text);
            *text = warnings;
        } else {
            free(warnings);
        }
    }
    ls_remove_tree(directory);
    free(own_path);
    free(directory);
    return status;
}

const ls_elab_signal *ls_elab_find(const ls_elab *elab, const char *name) {
    for (size_t i = 0; i < elab->register_count; i++) {
        if (strcmp(elab->registers[i].name, name) == 0) {
            return &elab->registers[i];
        }
    }
    for (size_t i = 0; i < elab->port_count; i++) {
        if (strcmp(elab->ports[i].name, name) == 0) {
            return &elab->ports[i];
        }
    }
    return NULL;
}

static void free_signals(ls_elab_signal *list, size_t count) {
    for (size_t i = 0; i < count; i++) {
        free(list[i].name);
        free(list[i].var);
        free(list[i].module);
        free(list[i].file);
    }
    free(list);
}

void ls_elab_free(ls_elab *elab) {
    free_signals(elab->ports, elab->port_count);
    free_signals(elab->registers, elab->register_count);
    for (size_t i = 0; i < elab->file_count; i++) {
        free(elab->files[i]);
    }
    free(elab->files);
    *elab = (ls_elab){0};
}

unsigned ls_verilator_number(const char *text) {
    const char *p = strstr(text, "Verilator ");
    unsigned major = 0, minor = 0;
    return p != NULL && sscanf(p, "Verilator %u.%u", &major, &minor) == 2 ? 1000 * major + minor : 0;
}

bool ls_verilator_check(const char *version, char **text) {
    const unsigned number = ls_verilator_number(version);
    if (number >= LS_VERILATOR_MIN && number <= LS_VERILATOR_MAX) {
        return true;
    }
    *text = ls_format(
        "%.*s is not supported: use Verilator %u.%03u to %u.%03u (5.046 removed --xml-only, its JSON is not read yet)\n",
        (int)strcspn(version, "\n"), version, LS_VERILATOR_MIN / 1000, LS_VERILATOR_MIN % 1000, LS_VERILATOR_MAX / 1000,
        LS_VERILATOR_MAX % 1000);
    return false;
}
