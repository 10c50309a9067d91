/* SPDX-License-Identifier: Apache-2.0 */
/* What Verilator writes about a design, XML or JSON, in the one form that the rest reads: tags and attributes of the XML of
 * Verilator 5.006, whatever version and format it comes from.
 *
 * Both formats show the same tree. Newer versions write it in other ways, some of which would hide state or drivers; those are
 * turned back here (section "Versions"):
 *   <genblock>                           <begin>
 *   <always> around one <contassign>     <contassign>
 *   <loop> with a <looptest>             <while>: nothing, the condition, the body, the increments of a for loop
 *   <initialautomaticstmt>               <begin>
 *   <assigncont>                         <assign>
 *   <creset> and what it is assigned to  nothing: it is no statement of the RTL
 * and two attributes are added: keyword of <always> ("always_latch"), default of a <caseitem> without a value. */
#include "harness/dut/elab_netlist.h"

#include <ctype.h>
#include <stdlib.h>

#include "harness/base/json_read.h"
#include "harness/base/text.h"
#include "harness/base/xml.h"

/* JSON ---------------------------------------------------------------------------------------------------------------------- */

static void lower(char *text) {
    for (; *text != '\0'; text++) {
        *text = (char)tolower((unsigned char)*text);
    }
}

static char *value_of(const node *n, const char *key) {
    for (size_t i = 0; i < n->attribute_count; i++) {
        if (strcmp(n->attributes[i].key, key) == 0) {
            return n->attributes[i].value;
        }
    }
    return NULL;
}

/* Moves the children of the list `role` of the JSON, which are `*children`, below `to`; the others stay in order. */
static void move_list(node **children, const char *role, node *to) {
    for (node **at = children; *at != NULL;) {
        node *n = *at;
        if (is(n, role)) {
            *at = n->next;
            ls_tree_add(to, n);
        } else {
            at = &n->next;
        }
    }
}

/* Puts the statements of a list into a block of their own, as in the XML. `always`: also if there is none. */
static void make_block(ls_elab_netlist *d, node *n, node **children, const char *role, bool always) {
    node *block = ls_tree_node_new(&d->document, "begin");
    move_list(children, role, block);
    if (block->child != NULL || always) {
        ls_tree_add(n, block);
    }
}

/* What follows from the lists in which the children are: afterwards they lose these names. */
static void from_lists(ls_elab_netlist *d, node *n) {
    if (is(n, "if") || is(n, "loop")) {
        node *children = ls_tree_take(n);
        if (is(n, "if")) {
            move_list(&children, "condp", n);
            make_block(d, n, &children, "thensp", true);
            make_block(d, n, &children, "elsesp", false);
        } else {
            make_block(d, n, &children, "stmtsp", true);
            make_block(d, n, &children, "contsp", false);
        }
    } else if (is(n, "caseitem")) {
        const node *c = n->child;
        while (c != NULL && !is(c, "condsp")) {
            c = c->next;
        }
        if (c == NULL) {
            static char one[] = "1";
            ls_tree_set(&d->document, n, "default", one);
        }
    } else if (is(n, "constpool")) {
        (void)ls_tree_take(n); /* Verilator's own */
    }
}

/* Gives a node of the JSON the tag and the attributes of the XML. Its children have the names of their lists still. */
static void to_xml(ls_elab_netlist *d, node *n) {
    static const struct {
        const char *json, *xml;
    } tags[] = {{"cell", "instance"}, {"pin", "port"}, {"assignw", "contassign"}},
      keys[] = {{"addr", "id"},           {"dtypep", "dtype_id"}, {"refDTypep", "sub_dtype_id"},
                {"dtypeName", "vartype"}, {"isGParam", "param"},  {"isParam", "localparam"}};
    static char one[] = "1", nothing[] = "";
    char *type = value_of(n, "type");
    if (type == NULL) {
        return;
    }
    lower(type);
    n->tag = type;
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++) {
        n->tag = strcmp(n->tag, tags[i].json) == 0 ? tags[i].xml : n->tag;
    }
    for (size_t i = 0; i < n->attribute_count; i++) {
        ls_tree_attribute *a = &n->attributes[i];
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            if (strcmp(a->key, keys[k].json) == 0) {
                a->key = keys[k].xml;
                a->value = strcmp(a->value, "false") == 0 ? nothing : a->value; /* up to 5.044 what is not so is said, too */
                break;
            }
        }
        if (strcmp(a->key, "loc") == 0) { /* "b,1:2,3:4" */
            for (char *c = strchr(a->value, ':'); c != NULL; c = strchr(c, ':')) {
                *c = ',';
            }
        } else if (strcmp(a->key, "name") == 0) {
            ls_json_unescape(a->value); /* escaped twice: once as for C, once as for JSON */
        }
    }
    char *range = is(n, "basicdtype") ? value_of(n, "range") : NULL, *colon = range != NULL ? strchr(range, ':') : NULL;
    if (colon != NULL) {
        *colon = '\0';
        ls_tree_set(&d->document, n, "left", range);
        ls_tree_set(&d->document, n, "right", colon + 1);
    }
    if (is(n, "var")) {
        if (get(n, "param")[0] != '\0') ls_tree_set(&d->document, n, "localparam", nothing); /* JSON says both of a parameter */
        char *direction = value_of(n, "direction"), *kind = value_of(n, "varType");
        if (direction != NULL) {
            lower(direction);
            ls_tree_set(&d->document, n, "dir", strcmp(direction, "none") == 0 ? nothing : direction);
        }
        if (kind != NULL && get(n, "vartype")[0] == '\0') {
            lower(kind);
            ls_tree_set(&d->document, n, "vartype", kind);
        }
    }
    if (is_module(n) && strcmp(get(n, "level"), "1") == 0) {
        ls_tree_set(&d->document, n, "topModule", one);
    }
    from_lists(d, n);
}

/* What a pin and an instance say of what they link to. */
static void follow_links(ls_elab_netlist *d, node **by_id, size_t count) {
    static char in[] = "in", out[] = "out", inout[] = "inout";
    for (size_t i = 0; i < d->document.count; i++) {
        node *n = d->document.nodes[i];
        const bool port = is(n, "port"), instance = is(n, "instance");
        const size_t id = port || instance ? ls_elab_id(get(n, port ? "modVarp" : "modp")) : SIZE_MAX;
        const node *to = id < count ? by_id[id] : NULL;
        char *name = to == NULL ? NULL : value_of(to, "name");
        if (name == NULL) {
            continue;
        }
        if (port) {
            const char *direction = get(to, "dir");
            ls_tree_set(&d->document, n, "name", name);
            if (direction[0] != '\0') {
                ls_tree_set(&d->document, n, "direction",
                            strcmp(direction, "input") == 0    ? in
                            : strcmp(direction, "output") == 0 ? out
                                                               : inout);
            }
        } else {
            ls_tree_set(&d->document, n, "defName", name);
        }
    }
}

/* Below the root come the netlist, then what the other file has: only its files are of interest, as the XML lists them. */
static const char *list_json_files(ls_elab_netlist *d) {
    node *netlist = d->document.root.child, *meta = netlist->next;
    node *files = meta->child;
    while (files != NULL && !is(files, "files")) {
        files = files->next;
    }
    if (files == NULL) {
        return "holds no list of files";
    }
    for (node *f = files->child; f != NULL; f = f->next) {
        char *id = ls_tree_memory(&d->document, strlen(f->tag) + 1);
        memcpy(id, f->tag, strlen(f->tag));
        ls_tree_set(&d->document, f, "id", id);
    }
    (void)ls_tree_take(&d->document.root);
    ls_tree_add(&d->document.root, files);
    ls_tree_add(&d->document.root, netlist);
    return NULL;
}

static size_t line_of(const char *text, const char *at) {
    size_t line = 1;
    for (; text < at; text++) {
        line += *text == '\n';
    }
    return line;
}

/* NULL, or the error, to be freed. */
static char *read_json(ls_elab_netlist *d, const char *path) {
    char *meta_path = ls_format("%s" LS_ELAB_META, path), *failed = NULL;
    const int error = ls_text_read(&d->meta, meta_path);
    ls_text_put(&d->meta, "", 0);
    const char *wrong = ls_json_tree(&d->document, d->text.data), *said = NULL;
    if (wrong != NULL) {
        failed = ls_format("%s:%zu: is not Verilator's JSON or is cut off\n", path, line_of(d->text.data, wrong));
    } else if (strcmp(get(d->document.root.child, "type"), "NETLIST") != 0) {
        failed = ls_format("%s: is not Verilator's JSON: it begins with no NETLIST\n", path);
    } else if (error != 0) {
        failed = ls_format("%s: %s\n", meta_path, strerror(-error));
    } else {
        wrong = ls_json_tree(&d->document, d->meta.data);
        if (wrong != NULL) {
            failed = ls_format("%s:%zu: is not Verilator's JSON or is cut off\n", meta_path, line_of(d->meta.data, wrong));
        } else if ((said = list_json_files(d)) != NULL) {
            failed = ls_format("%s: %s\n", meta_path, said);
        }
    }
    free(meta_path);
    if (failed != NULL) {
        return failed;
    }
    ls_tree_list(&d->document);
    const size_t limit = 2 * d->document.count + 1024; /* an id for each node, and for what is not shown */
    node **by_id = ls_alloc(limit, sizeof *by_id);
    for (size_t i = 0; i < d->document.count; i++) {
        node *n = d->document.nodes[i];
        to_xml(d, n);
        const size_t id = ls_elab_id(get(n, "id"));
        if (id < limit) {
            by_id[id] = n;
        }
    }
    follow_links(d, by_id, limit);
    free(by_id);
    return NULL;
}

/* XML ----------------------------------------------------------------------------------------------------------------------- */

/* The XML has no keyword of a procedure, but its place spans just that keyword. */
static char *keyword_of(const node *always) {
    static char keywords[][16] = {"always", "always_ff", "always_comb", "always_latch"};
    const ls_elab_origin p = ls_elab_place(always);
    for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
        if (p.line == p.end_line && p.end_column - p.column == strlen(keywords[i])) {
            return keywords[i];
        }
    }
    return keywords[0];
}

/* Whether an item of a case has no value: the values come first, and are no statements. */
static bool is_default(const node *item) {
    static const char *const statements[] = {"assign",  "assigndly", "assigncont", "begin",     "if",      "case",
                                             "jumpgo",  "jumpblock", "loop",       "while",     "taskref", "stmtexpr",
                                             "display", "finish",    "stop",       "assertctl", "comment", "foreach"};
    if (item->child == NULL) {
        return true;
    }
    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++) {
        if (is(item->child, statements[i])) {
            return true;
        }
    }
    return false;
}

static const char *read_xml(ls_elab_netlist *d) {
    static char one[] = "1";
    if (!ls_xml_parse(&d->document, d->text.data) || !is(d->document.root.child, "verilator_xml")) {
        return "is not Verilator's XML or is cut off";
    }
    ls_tree_list(&d->document);
    for (size_t i = 0; i < d->document.count; i++) {
        node *n = d->document.nodes[i];
        if (is(n, "always")) {
            ls_tree_set(&d->document, n, "keyword", keyword_of(n));
        } else if (is(n, "caseitem") && is_default(n)) {
            ls_tree_set(&d->document, n, "default", one);
        }
    }
    return NULL;
}

/* Versions ------------------------------------------------------------------------------------------------------------------ */

/* Makes a node the same as its only child, which it stands around. */
static void replace_by_child(node *n) {
    node *inner = ls_tree_take(n);
    n->tag = inner->tag;
    n->attributes = inner->attributes;
    n->attribute_count = inner->attribute_count;
    for (node *c = ls_tree_take(inner), *next; c != NULL; c = next) {
        next = c->next;
        ls_tree_add(n, c);
    }
}

/* Blocks of a <loop>: its statements, of which one is the test, and what `continue` goes on with. */
static void to_while(ls_elab_netlist *d, node *loop) {
    node *blocks = ls_tree_take(loop), *more = blocks == NULL ? NULL : blocks->next;
    node *part[4];
    for (size_t i = 0; i < 4; i++) {
        part[i] = ls_tree_node_new(&d->document, "begin");
    }
    node *first = blocks == NULL ? NULL : ls_tree_take(blocks);
    size_t to = 2;
    if (first != NULL && is(first, "looptest")) {
        node *rest = first->next;
        for (node *c = ls_tree_take(first), *next; c != NULL; c = next) {
            next = c->next;
            ls_tree_add(part[1], c);
        }
        first = rest;
    }
    const bool tested = part[1]->child != NULL;
    for (node *c = first, *next; c != NULL; c = next) {
        next = c->next;
        ls_tree_add(part[to], c);
        to = tested ? 3 : 2; /* the body is one statement */
    }
    for (node *c = more == NULL ? NULL : ls_tree_take(more), *next; c != NULL; c = next) {
        next = c->next;
        ls_tree_add(part[3], c);
    }
    loop->tag = "while";
    for (size_t i = 0; i < 4; i++) {
        if (i < 3 || part[i]->child != NULL) {
            ls_tree_add(loop, part[i]);
        }
    }
}

static bool is_reset(const node *n) {
    return is(n, "creset") || (is(n, "assign") && n->child != NULL && is(n->child, "creset")) ||
           (is(n, "stmtexpr") && n->child != NULL && is(n->child, "creset"));
}

static void drop_resets(node *n) {
    bool found = false;
    for (const node *c = n->child; c != NULL && !found; c = c->next) {
        found = is_reset(c);
    }
    for (node *c = found ? ls_tree_take(n) : NULL, *next; c != NULL; c = next) {
        next = c->next;
        if (!is_reset(c)) {
            ls_tree_add(n, c);
        }
    }
}

/* NULL, or what this Verilator writes that is not understood, to be freed. */
static char *turn_back(ls_elab_netlist *d) {
    static const struct {
        const char *now, *then;
    } tags[] = {{"genblock", "begin"},
                {"initialautomaticstmt", "begin"},
                {"initialstaticstmt", "initialstatic"},
                {"assigncont", "assign"}};
    static const char *const keywords[] = {"always", "always_ff", "always_comb", "always_latch", "cont_assign"};
    for (size_t i = 0; i < d->document.count; i++) {
        node *n = d->document.nodes[i];
        for (size_t k = 0; k < sizeof tags / sizeof tags[0]; k++) {
            n->tag = is(n, tags[k].now) ? tags[k].then : n->tag;
        }
        drop_resets(n);
        if (is(n, "loop")) {
            to_while(d, n);
        } else if (is(n, "always")) {
            bool known = false;
            for (size_t k = 0; k < sizeof keywords / sizeof keywords[0]; k++) {
                known |= strcmp(get(n, "keyword"), keywords[k]) == 0;
            }
            if (!known) {
                return ls_format("has a procedure of the unknown kind \"%s\"", get(n, "keyword"));
            }
            if (n->child != NULL && n->child->next == NULL && is(n->child, "contassign")) {
                replace_by_child(n);
            }
        }
    }
    ls_tree_list(&d->document);
    return NULL;
}

char *ls_elab_document(ls_elab_netlist *d, const char *path) {
    const int error = ls_text_read(&d->text, path);
    if (error != 0) {
        return ls_format("%s: %s\n", path, strerror(-error));
    }
    ls_text_put(&d->text, "", 0);
    if (strlen(d->text.data) != d->text.size) {
        return ls_format("%s: holds a NUL byte\n", path);
    }
    if (d->text.data[0] == '{') {
        char *failed = read_json(d, path);
        if (failed != NULL) {
            return failed;
        }
    } else {
        const char *wrong = read_xml(d);
        if (wrong != NULL) {
            return ls_format("%s: %s\n", path, wrong);
        }
    }
    char *unknown = turn_back(d), *failed = unknown == NULL ? NULL : ls_format("%s: %s\n", path, unknown);
    free(unknown);
    return failed;
}
