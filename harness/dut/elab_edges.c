/* SPDX-License-Identifier: Apache-2.0 */
/* Which inputs of the top module processes wait for the edges of: its clocks, and what sets registers without one; and whose
 * levels clear registers at an edge. Module by module, from the instances up: an edge at a port of an instance is one at what is
 * connected to it. */
#include <stdlib.h>

#include "harness/base/memory.h"
#include "harness/dut/elab_netlist.h"
#include "harness/dut/elab_scopes.h"

#define STEPS 32u /* from a wire to what drives it */

typedef struct edges {
    const node *module;
    ls_elab_edge *list; /* of its inputs */
    size_t count;
} edges;

typedef struct work {
    const ls_elab_netlist *d;
    edges *modules; /* those that are done, and those around the one at work */
    size_t count;
} work;

/* The expression as the name of a variable, which it may be the inverse of; NULL: it is something else. */
static const char *variable_of(const node *n, bool *inverse) {
    for (; n != NULL && is(n, "not"); n = n->child) *inverse = !*inverse;
    return n != NULL && is(n, "varref") ? get(n, "name") : NULL;
}

/* What a continuous assignment below `n` gives the variable; NULL: none does. */
static const node *driver_of(const node *n, const char *name) {
    const node *found = NULL;
    for (const node *c = n->child; c != NULL && found == NULL; c = c->next) {
        const bool assigns = is(c, "contassign") && c->last != NULL && c->last != c->child && is(c->last, "varref");
        if (assigns && strcmp(get(c->last, "name"), name) == 0) found = c->child;
        else if (!assigns && !is(c, "always") && !is(c, "instance")) found = driver_of(c, name);
    }
    return found;
}

static bool is_input(const node *module, const char *name) {
    for (const node *c = module->child; c != NULL; c = c->next)
        if (is(c, "var") && strcmp(get(c, "name"), name) == 0) return strcmp(get(c, "dir"), "input") == 0;
    return false;
}

static void add_edge(edges *e, const char *name, bool inverse, const ls_elab_edge *as) {
    bool turned = inverse;
    for (unsigned i = 0; i < STEPS && !is_input(e->module, name); i++) {
        const node *from = driver_of(e->module, name);
        const char *before = from != NULL ? variable_of(from, &turned) : NULL;
        if (before == NULL) return; /* made by logic: no input's own edge */
        name = before;
    }
    ls_elab_edge *found = NULL;
    for (size_t i = 0; i < e->count && found == NULL; i++)
        if (strcmp(e->list[i].port, name) == 0) found = &e->list[i];
    if (found == NULL) {
        e->list = ls_grow(e->list, e->count, sizeof *e->list);
        found = &e->list[e->count++];
        *found = (ls_elab_edge){.port = ls_copy(name), .gates_only = true};
    }
    for (size_t i = 0; i < 2; i++) found->clears[i] += as->clears[turned ? 1 - i : i];
    found->gates_only &= as->gates_only;
    found->rises |= turned ? as->falls : as->rises;
    found->falls |= turned ? as->rises : as->falls;
    found->clocks |= as->clocks;
    found->sets |= as->sets;
}

static bool reads(const node *n, const char *name) {
    if (is(n, "varref") && strcmp(get(n, "name"), name) == 0) return true;
    for (const node *c = n->child; c != NULL; c = c->next)
        if (reads(c, name)) return true;
    return false;
}

/* ---- levels that clear ---- */

/* The variable that a reference means: declared in a block around it, or in the module. NULL: in none. */
static node *declared(const node *reference) {
    for (const node *block = reference->parent; block != NULL; block = block->parent) {
        for (node *c = block->child; c != NULL; c = c->next)
            if (is(c, "var") && strcmp(get(c, "name"), get(reference, "name")) == 0) return c;
        if (is_module(block)) return NULL;
    }
    return NULL;
}

/* Whether a statement below `n` assigns the variable at once, as a loop its index. */
static bool assigns_now(const node *n, const char *name) {
    if (is(n, "assign") && n->last != NULL && is(n->last, "varref") && strcmp(get(n->last, "name"), name) == 0) return true;
    for (const node *c = n->child; c != NULL; c = c->next)
        if (assigns_now(c, name)) return true;
    return false;
}

/* Whether the value is constant where `branch` is executed: it reads parameters and what the branch itself assigns before. */
static bool is_constant(const node *value, const node *branch) {
    if (is(value, "varref")) {
        const node *var = declared(value);
        const bool param = var != NULL && (get(var, "param")[0] != '\0' || get(var, "localparam")[0] != '\0');
        return param || assigns_now(branch, get(value, "name"));
    }
    if (is(value, "funcref") || is(value, "methodcall") || is(value, "varxref") || is(value, "rand")) return false;
    for (const node *c = value->child; c != NULL; c = c->next)
        if (!is_constant(c, branch)) return false;
    return true;
}

/* Whether the statements below `n`, a part of `branch`, do nothing but to assign constants, and one at least; NULL: there are
 * none. */
static bool is_clearing(const node *n, const node *branch) {
    bool any = false;
    for (const node *c = n != NULL ? n->child : NULL; c != NULL; c = c->next) {
        if (is(c, "assigndly") || is(c, "assign")) {
            if (c->child == NULL || !is_constant(c->child, branch)) return false;
            any = true;
        } else if (is(c, "while")) {
            for (const node *part = c->child; part != NULL; part = part->next)
                if (part->child != NULL && is(part, "begin") && part != c->child->next && !is_clearing(part, branch))
                    return false;
            any = true;
        } else if (is(c, "begin")) {
            if (c->child == NULL) continue;
            if (!is_clearing(c, branch)) return false;
            any = true;
        } else if (!is(c, "var") && !is(c, "comment")) {
            return false;
        }
    }
    return any;
}

/* Marks what a branch clears from end to end. */
static void mark_cleared(const node *n, bool loops) {
    for (const node *c = n->child; c != NULL; c = c->next) {
        const bool assigns = is(c, "assigndly") || is(c, "assign");
        const node *to = assigns ? c->last : NULL;
        while (to != NULL && loops && !is(to, "varref")) to = to->child;
        node *var = to != NULL && is(to, "varref") ? declared(to) : NULL;
        if (var != NULL) var->mark |= MARK_CLEARED;
        if (!assigns) mark_cleared(c, loops || is(c, "while"));
    }
}

/* The level of each variable with which the condition, or its inverse, holds whatever the others are: it clears. */
static void add_levels(edges *e, const node *condition, bool inverse, bool gate) {
    if (is(condition, "not") || is(condition, "lognot")) {
        add_levels(e, condition->child, !inverse, gate);
    } else if (is(condition, "varref")) {
        ls_elab_edge level = {.gates_only = gate};
        level.clears[inverse ? 0 : 1] = 1;
        add_edge(e, get(condition, "name"), false, &level);
    } else if (inverse ? is(condition, "and") || is(condition, "logand") : is(condition, "or") || is(condition, "logor")) {
        for (const node *c = condition->child; c != NULL; c = c->next) add_levels(e, c, inverse, gate);
    }
}

/* The statements of a process, none below a condition. Verilator turns "if (r) q <= 0; else q <= d;" into "q <= r ? 0 : d;", and
 * that of a bit into "q <= !r & d;". `sets`: another edge clears, and its levels are known. */
static void add_clears(edges *e, const node *n, bool sets) {
    for (const node *c = n->child; c != NULL; c = c->next) {
        const node *value = is(c, "assigndly") ? c->child : NULL;
        if (is(c, "begin")) {
            add_clears(e, c, sets);
        } else if (is(c, "if") && c->child != NULL) {
            const node *yes = c->child->next, *no = yes != NULL ? yes->next : NULL;
            const bool then = is_clearing(yes, yes), other = !then && is_clearing(no, no);
            if (then || other) mark_cleared(then ? yes : no, false);
            if (!sets && (then || other)) add_levels(e, c->child, other, false);
        } else if (value != NULL && is(value, "cond") && value->child != NULL && value->child->next != NULL) {
            const node *yes = value->child->next, *no = yes->next;
            const bool then = is_constant(yes, yes), other = !then && no != NULL && is_constant(no, no);
            node *var = (then || other) && is(c->last, "varref") ? declared(c->last) : NULL;
            if (var != NULL) var->mark |= MARK_CLEARED;
            if (!sets && (then || other)) add_levels(e, value->child, other, false);
        } else if (value != NULL && !sets) {
            while (is(value, "not") && value->child != NULL) value = value->child;
            const bool all = is(value, "and") || is(value, "logand");
            if (all || is(value, "or") || is(value, "logor")) add_levels(e, value, all, true);
        }
    }
}

/* ---- edges ---- */

/* Of several edges those are of a set or reset whose level the process looks at. */
static void add_process(edges *e, const node *always, const node *sentree) {
    bool clocked = false, sets = false;
    for (const node *item = sentree->child; item != NULL; item = item->next) {
        bool inverse = false, level = false;
        const char *name = variable_of(item->child, &inverse), *edge = get(item, "edgeType");
        if (name == NULL || (strcmp(edge, "POS") != 0 && strcmp(edge, "NEG") != 0)) continue;
        for (const node *c = always->child; c != NULL && sentree->child != sentree->last; c = c->next)
            level |= c != sentree && reads(c, name);
        const bool rises = strcmp(edge, "POS") == 0;
        add_edge(e, name, inverse,
                 &(ls_elab_edge){.rises = rises, .falls = !rises, .clocks = !level, .sets = level, .gates_only = true});
        clocked = true;
        sets |= level;
    }
    if (clocked) add_clears(e, always, sets);
}

static size_t edges_of(work *w, const node *module);

static void add_below(work *w, size_t at, const node *n) {
    for (const node *c = n->child; c != NULL; c = c->next) {
        if (is(c, "always")) {
            for (const node *s = c->child; s != NULL; s = s->next)
                if (is(s, "sentree")) add_process(&w->modules[at], c, s);
        } else if (is(c, "instance")) {
            const node *module = ls_elab_module_named(w->d, get(c, "defName"));
            const size_t of = module != NULL ? edges_of(w, module) : at; /* the list of modules moves */
            for (const node *p = c->child; p != NULL && of != at; p = p->next) {
                const node *var = is(p, "port") ? ls_elab_port_variable(module, p) : NULL;
                for (size_t i = 0; var != NULL && i < w->modules[of].count; i++) {
                    bool inverse = false;
                    const char *name = variable_of(p->child, &inverse);
                    if (name != NULL && strcmp(get(var, "name"), w->modules[of].list[i].port) == 0)
                        add_edge(&w->modules[at], name, inverse, &w->modules[of].list[i]);
                }
            }
        } else if (!is(c, "contassign")) {
            add_below(w, at, c);
        }
    }
}

static size_t edges_of(work *w, const node *module) {
    for (size_t i = 0; i < w->count; i++)
        if (w->modules[i].module == module) return i;
    w->modules = ls_grow(w->modules, w->count, sizeof *w->modules);
    w->modules[w->count] = (edges){.module = module};
    const size_t at = w->count++;
    add_below(w, at, module);
    return at;
}

void ls_elab_find_edges(const ls_elab_netlist *d, const node *top) {
    work w = {.d = d};
    ls_elab *elab = d->elab;
    const size_t at = edges_of(&w, top);
    elab->edges = ls_alloc(w.modules[at].count + 1, sizeof *elab->edges);
    for (; elab->edge_count < w.modules[at].count; elab->edge_count++) {
        ls_elab_edge *e = &elab->edges[elab->edge_count];
        *e = w.modules[at].list[elab->edge_count];
        e->port = ls_elab_plain(e->port);
    }
    for (size_t i = 0; i < w.count; i++) {
        for (size_t k = 0; k < w.modules[i].count; k++) free(w.modules[i].list[k].port);
        free(w.modules[i].list);
    }
    free(w.modules);
}
