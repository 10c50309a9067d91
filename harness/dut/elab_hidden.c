/* SPDX-License-Identifier: Apache-2.0 */
/* State of an elaborated design that no assignment gives away: what system functions and methods write, and what is no variable.
 */
#include "harness/dut/elab_netlist.h"

#include <stdlib.h>

#include "harness/base/text.h"

typedef struct hidden_kind {
    const char *tag;  /* Verilator's; "dist*" is every tag that begins so */
    const char *name; /* in a message */
    bool always;      /* also in a procedure that runs once, and outside of procedures */
    bool outside;     /* it runs commands or C code */
} hidden_kind;

static const hidden_kind kinds[] = {
    {"ucfunc", "$c", true, true},
    {"ucstmt", "$c", true, true},
    {"cexpruser", "$c", true, true},
    {"cstmtuser", "$c", true, true},
    {"scctor", "`systemc_ctor", true, true},
    {"scdtor", "`systemc_dtor", true, true},
    {"schdr", "`systemc_header", true, true},
    {"scimp", "`systemc_implementation", true, true},
    {"scimphdr", "`systemc_imp_header", true, true},
    {"scint", "`systemc_interface", true, true},
    {"systemcsection", "`systemc", true, true}, /* of newer versions; JSON has the word as `sectionType` */
    {"systemf", "$system", false, true},
    {"systemt", "$system", false, true},
    {"class", "class", true, false},
    {"assignforce", "force", false, false},
    {"release", "release", false, false},
    {"deassign", "deassign", false, false},
    {"rand", "$random", false, false},
    {"randrng", "$random", false, false},
    {"urandomrange", "$urandom_range", false, false},
    {"dist*", "$dist", false, false},
    {"stdrandomize", "randomize", false, false},
    {"randcase", "randcase", false, false},
    {"fopen*", "$fopen", false, false},
    {"feof", "$feof", false, false},
    {"ferror", "$ferror", false, false},
    {"fgetc", "$fgetc", false, false},
    {"fgets", "$fgets", false, false},
    {"fread", "$fread", false, false},
    {"fscanf", "$fscanf", false, false},
    {"fseek", "$fseek", false, false},
    {"frewind", "$rewind", false, false},
    {"ftell", "$ftell", false, false},
    {"fungetc", "$ungetc", false, false},
};

static const char *word_of(const node *n, const hidden_kind *kind) {
    const char *section = get(n, "sectionType");
    return section[0] != '\0' ? section : kind->name;
}

static bool tagged(const node *n, const char *tag) {
    if (n->tag[0] != tag[0]) {
        return false;
    }
    const size_t length = strlen(tag);
    return tag[length - 1] == '*' ? strncmp(n->tag, tag, length - 1) == 0 : is(n, tag);
}

static const hidden_kind *kind_of(const node *n) {
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (tagged(n, kinds[i].tag)) {
            return &kinds[i];
        }
    }
    return NULL;
}

/* Whether this writes variables that stand directly below it. Which of them it only reads does not matter: one register too many.
 */
static bool writes(const node *n) {
    static const char *const writers[] = {"rand",  "dist*", "valueplusargs", "sscanf",  "fscanf",
                                          "fread", "fgets", "readmem",       "sformat", "fopen*"};
    static const char *const readers[] = {"at", "size", "exists", "num", "len", "isTriggered"};
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++) {
        if (tagged(n, writers[i])) {
            return true;
        }
    }
    if (!is(n, "cmethodhard")) {
        return false;
    }
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++) {
        if (strcmp(get(n, "name"), readers[i]) == 0) {
            return false;
        }
    }
    return strncmp(get(n, "name"), "r_", 2) != 0; /* r_sum, r_and, ...: of all elements */
}

/* Whether a function or task has no statement: it is written in C, or empty. Verilator does not say which. */
static bool is_empty(const node *task) {
    const node *n = task->child;
    while (n != NULL && is(n, "var")) {
        n = n->next;
    }
    return n == NULL;
}

/* Whether it has a value or an output argument. */
static bool gives_back(const node *task) {
    bool gives = false;
    for (const node *n = task->child; n != NULL; n = n->next) {
        gives |= is(n, "var") && get(n, "dir")[0] != '\0' && strcmp(get(n, "dir"), "input") != 0;
    }
    return gives;
}

/* A table of a primitive that has a column for the output's old value. Newer versions show no table but a procedure: one, or, of
 * a sequential primitive, an empty one and one more for each line. */
static bool is_sequential(const node *primitive) {
    size_t procedures = 0;
    for (const node *n = primitive->child; n != NULL; n = n->next) {
        procedures += is(n, "always");
        for (const node *line = is(n, "udptable") ? n->child : NULL; line != NULL; line = line->next) {
            const char *colon = strchr(get(line, "name"), ':');
            if (colon != NULL && strchr(colon + 1, ':') != NULL) {
                return true;
            }
        }
    }
    return procedures > 1;
}

/* Whether it is in a procedure with a sensitivity list, where what was sampled is what was there before the edge. */
static bool is_clocked(const node *n) {
    while (n != NULL && !is(n, "always")) {
        n = n->parent;
    }
    for (const node *c = n == NULL ? NULL : n->child; c != NULL; c = c->next) {
        if (is(c, "sentree") && c->child != NULL) {
            return true;
        }
    }
    return false;
}

void ls_elab_scan_hidden(const ls_elab_netlist *d, node *n, bool once) {
    if (is(n, "package") && strcmp(get(n, "name"), "std") == 0) { /* Verilator's own; who uses its classes has a handle */
        return;
    }
    once |= strncmp(n->tag, "initial", 7) == 0 || is(n, "final");
    const hidden_kind *kind = kind_of(n);
    bool hidden = kind != NULL && (kind->always || !once);
    for (node *c = !once && writes(n) ? n->child : NULL; c != NULL; c = c->next) {
        ls_elab_mark_target(d, c, MARK_REG);
    }
    if (is(n, "var")) {
        const node *t = ls_elab_type(d, get(n, "dtype_id"));
        hidden = t != NULL && is(t, "classrefdtype");
    } else if (is(n, "primitive")) {
        hidden = is_sequential(n);
    } else if (is(n, "sampled")) {
        hidden = !once && !is_clocked(n);
    } else if (is(n, "funcref") || is(n, "taskref")) {
        for (size_t i = 0; i < d->document.count; i++) {
            node *task = d->document.nodes[i];
            if ((is(task, "func") || is(task, "task")) && strcmp(get(task, "name"), get(n, "name")) == 0 && is_empty(task)) {
                task->mark |= MARK_OUTSIDE | (!once && gives_back(task) ? MARK_HIDDEN : 0u);
            }
        }
    }
    n->mark |= (hidden ? MARK_HIDDEN : 0u) | (kind != NULL && kind->outside ? MARK_OUTSIDE : 0u);
    for (node *c = n->child; c != NULL; c = c->next) {
        ls_elab_scan_hidden(d, c, once);
    }
}

char *ls_elab_hidden_name(const node *n) {
    const char *name = get(n, "origName")[0] == '\0' ? get(n, "name") : get(n, "origName");
    if (is(n, "var") && (n->mark & (MARK_REG | MARK_LATCH)) != 0) {
        const node *module = n->parent;
        while (module != NULL && !is_module(module)) {
            module = module->parent;
        }
        if (module != NULL && is(module, "package") && get(n, "param")[0] == '\0' && get(n, "localparam")[0] == '\0') {
            return ls_format("the variable %s of package %s", name, get(module, "origName"));
        }
    }
    if ((n->mark & MARK_HIDDEN) == 0) {
        return NULL;
    }
    const hidden_kind *kind = kind_of(n);
    return is(n, "var")                       ? ls_format("the class handle %s", name)
           : is(n, "primitive")               ? ls_format("the primitive %s", name)
           : is(n, "func") || is(n, "task")   ? ls_format("the C function %s", name)
           : is(n, "sampled") || kind == NULL ? ls_copy("$sampled")
           : is(n, "class")                   ? ls_format("the class %s", name)
                                              : ls_copy(word_of(n, kind));
}

char *ls_elab_outside_name(const node *n) {
    const hidden_kind *kind = kind_of(n);
    return kind != NULL    ? ls_copy(word_of(n, kind))
           : gives_back(n) ? ls_format("the C function %s", get(n, "name"))
                           : ls_format("the C function, or empty task, %s", get(n, "name"));
}
