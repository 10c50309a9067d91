/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/rtlil.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

typedef struct reader {
    const char *path;
    char *at, *end; /* of the current line, cut into words as it is read */
    unsigned line;
    ls_il *il;
    ls_il_module *module; /* NULL between modules */
    ls_il_cell *cell;     /* NULL outside cells */
    uint32_t *bits;       /* of the signal read last, highest first */
    uint32_t count, room;
    bool processes;         /* are allowed */
    uint32_t in, open;      /* the case in which what is read stands, the switch that has not ended; or LS_IL_NONE */
    uint32_t edge, process; /* the edge that is read; the number of the process */
    enum { OF_NOTHING, AT_ONCE, AT_EDGE } sync;
    char *error;
} reader;

static void fail(reader *r, const char *what, const char *word) {
    if (r->error == NULL)
        r->error = ls_format("%s:%u: %s%s%s", r->path, r->line, what, word != NULL ? " " : "", word != NULL ? word : "");
}

/* The next word of the line, "" at its end; it is cut off with NUL. */
static char *word(reader *r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
    char *from = r->at;
    while (r->at < r->end && *r->at != ' ' && *r->at != '\t') r->at++;
    if (r->at < r->end) *r->at++ = '\0';
    return from;
}

static uint32_t number(reader *r, const char *text) {
    char *end;
    const unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end != '\0' || value > 100000000) fail(r, "expected a number up to 100000000, found", text);
    return (uint32_t)value;
}

static const char *plain(const char *name) { return name[0] == '\\' ? name + 1 : name; }

static uint32_t hash(const char *name) {
    uint32_t h = 2166136261u; /* 32-bit FNV-1a */
    for (; *name != '\0'; name++) h = (h ^ (unsigned char)*name) * 16777619u;
    return h;
}

/* The place of a name in the table: its wire's number plus 1, or 0 where it would be put. */
static uint32_t *slot(const ls_il_module *m, const char *name) {
    uint32_t at = hash(name) & (m->table_size - 1);
    while (m->table[at] != 0 && strcmp(m->wires[m->table[at] - 1].name, name) != 0) at = (at + 1) & (m->table_size - 1);
    return &m->table[at];
}

static void index_last_wire(ls_il_module *m) {
    if (m->wire_count * 2 >= m->table_size) {
        m->table_size = m->table_size == 0 ? 64 : m->table_size * 2;
        free(m->table);
        m->table = ls_alloc(m->table_size, sizeof *m->table);
        for (size_t i = 0; i < m->wire_count; i++) *slot(m, m->wires[i].name) = (uint32_t)i + 1;
        return;
    }
    *slot(m, m->wires[m->wire_count - 1].name) = (uint32_t)m->wire_count;
}

static void put_bit(reader *r, uint32_t bit) {
    if (r->count == r->room) {
        r->room = r->room == 0 ? 64 : r->room * 2;
        r->bits = ls_resize(r->bits, r->room * sizeof *r->bits);
    }
    r->bits[r->count++] = bit;
}

/* "8'01xz0000" or a number of 32 bits. */
static void put_constant(reader *r, const char *text) {
    const char *quote = strchr(text, '\'');
    if (quote == NULL) {
        char *end;
        const long long value = strtoll(text, &end, 10);
        if (*end != '\0') fail(r, "expected a signal, found", text);
        for (int i = 31; i >= 0; i--) put_bit(r, (uint32_t)((unsigned long long)value >> i & 1));
        return;
    }
    const uint32_t width = (uint32_t)strtoul(text, NULL, 10), digits = (uint32_t)strlen(quote + 1);
    for (uint32_t i = digits; i < width; i++) put_bit(r, digits > 0 && (quote[1] == 'x' || quote[1] == 'z') ? LS_IL_X : LS_IL_0);
    for (const char *c = quote + 1; *c != '\0'; c++)
        put_bit(r, *c == '1' ? LS_IL_1 : *c == '0' ? LS_IL_0 : *c == 'z' ? LS_IL_Z : *c == '-' ? LS_IL_ANY : LS_IL_X);
}

/* Appends a signal: a constant, a wire, a part of one, or "{ … }" with the highest first. */
static void signal(reader *r, bool nested) {
    char *w = word(r);
    if (strcmp(w, "{") == 0 && !nested) {
        for (;;) {
            while (*r->at == ' ') r->at++;
            if (r->at >= r->end) {
                fail(r, "a { without its }", NULL);
                return;
            }
            if (*r->at == '}') {
                (void)word(r);
                return;
            }
            signal(r, true);
            if (r->error != NULL) return;
        }
    }
    if (w[0] != '\\' && w[0] != '$') {
        put_constant(r, w);
        return;
    }
    const ls_il_wire *wire = ls_il_find_wire(r->module, plain(w));
    if (wire == NULL) {
        fail(r, "no wire", w);
        return;
    }
    uint32_t low = 0, high = wire->width - 1; /* wraps for width 0: then there is nothing to add */
    while (*r->at == ' ') r->at++;
    if (*r->at == '[') {
        char *part = word(r);
        char *colon = strchr(part, ':'), *close = strchr(part, ']');
        if (close == NULL) {
            fail(r, "a [ without its ]", NULL);
            return;
        }
        *close = '\0';
        if (colon != NULL) *colon = '\0';
        high = number(r, part + 1);
        low = colon != NULL ? number(r, colon + 1) : high;
        if (high >= wire->width || low > high) fail(r, "bits beyond the width of", w);
    }
    for (uint32_t i = 0; r->error == NULL && wire->width > 0 && i <= high - low; i++) put_bit(r, wire->first + high - i);
}

/* The bit that stands for `bit`. */
static uint32_t root(ls_il_module *m, uint32_t bit) {
    while (m->same[bit] != bit) {
        m->same[bit] = m->same[m->same[bit]];
        bit = m->same[bit];
    }
    return bit;
}

static void join(reader *r, uint32_t a, uint32_t b) {
    ls_il_module *m = r->module;
    a = root(m, a);
    b = root(m, b);
    if (a == b) return;
    if (a < LS_IL_FIRST && b < LS_IL_FIRST) {
        if (a < LS_IL_X && b < LS_IL_X) fail(r, "0 and 1 are connected", NULL);
        return;
    }
    if (a < b) m->same[b] = a;
    else m->same[a] = b;
}

static void add_module(reader *r, const char *name) {
    ls_il *il = r->il;
    il->modules = ls_grow(il->modules, il->module_count, sizeof *il->modules);
    r->module = &il->modules[il->module_count++];
    *r->module = (ls_il_module){.name = plain(name), .bit_count = LS_IL_FIRST};
    r->module->same = ls_alloc(LS_IL_FIRST, sizeof *r->module->same);
    for (uint32_t i = 0; i < LS_IL_FIRST; i++) r->module->same[i] = i;
}

static void add_wire(reader *r) {
    ls_il_module *m = r->module;
    ls_il_wire wire = {.width = 1, .first = m->bit_count};
    for (char *w = word(r); *w != '\0'; w = word(r)) {
        if (strcmp(w, "width") == 0) wire.width = number(r, word(r));
        else if (strcmp(w, "offset") == 0) (void)word(r);
        else if (strcmp(w, "input") == 0 || strcmp(w, "output") == 0 || strcmp(w, "inout") == 0) {
            wire.input = w[1] == 'n';
            wire.output = w[0] == 'o' || w[2] == 'o';
            wire.port = number(r, word(r));
        } else if (w[0] == '\\' || w[0] == '$') {
            wire.name = plain(w);
            wire.made_up = w[0] == '$';
        } else if (strcmp(w, "upto") != 0 && strcmp(w, "signed") != 0) fail(r, "unknown word of a wire:", w);
    }
    if (wire.name == NULL) {
        fail(r, "a wire without a name", NULL);
        return;
    }
    m->wires = ls_grow(m->wires, m->wire_count, sizeof *m->wires);
    m->wires[m->wire_count++] = wire;
    index_last_wire(m);
    m->same = ls_resize(m->same, (m->bit_count + wire.width) * sizeof *m->same);
    for (uint32_t i = 0; i < wire.width; i++) m->same[m->bit_count + i] = m->bit_count + i;
    m->bit_count += wire.width;
}

static void add_cell(reader *r) {
    ls_il_module *m = r->module;
    const char *type = plain(word(r)), *name = plain(word(r));
    m->cells = ls_grow(m->cells, m->cell_count, sizeof *m->cells);
    r->cell = &m->cells[m->cell_count++];
    *r->cell = (ls_il_cell){.type = type, .name = name};
}

static void add_pin(reader *r) {
    ls_il_cell *c = r->cell;
    ls_il_pin pin = {.name = plain(word(r))};
    r->count = 0;
    signal(r, false);
    pin.width = r->count;
    pin.bits = ls_alloc(r->count + 1, sizeof *pin.bits);
    for (uint32_t i = 0; i < r->count; i++) pin.bits[i] = r->bits[r->count - 1 - i];
    c->pins = ls_grow(c->pins, c->pin_count, sizeof *c->pins);
    c->pins[c->pin_count++] = pin;
}

static void connect(reader *r) {
    r->count = 0;
    signal(r, false);
    const uint32_t width = r->count;
    signal(r, false);
    if (r->error == NULL && r->count != 2 * width) fail(r, "both sides of a connection differ in width", NULL);
    for (uint32_t i = 0; i < width && r->error == NULL; i++) join(r, r->bits[i], r->bits[width + i]);
}

static void add_parameter(reader *r) {
    const char *name = word(r);
    if (strcmp(name, "signed") == 0 || strcmp(name, "real") == 0) name = word(r);
    if (r->cell == NULL) return;
    r->cell->params = ls_grow(r->cell->params, r->cell->param_count, sizeof *r->cell->params);
    r->cell->params[r->cell->param_count++] = (ls_il_param){plain(name), r->at};
}

static void add_memory(reader *r) {
    ls_il_memory memory = {.width = 1};
    for (char *w = word(r); *w != '\0'; w = word(r)) {
        if (strcmp(w, "width") == 0) memory.width = number(r, word(r));
        else if (strcmp(w, "size") == 0) memory.size = number(r, word(r));
        else if (strcmp(w, "offset") == 0) memory.offset = number(r, word(r));
        else memory.name = plain(w);
    }
    ls_il_module *m = r->module;
    m->memories = ls_grow(m->memories, m->memory_count, sizeof *m->memories);
    m->memories[m->memory_count++] = memory;
}

/* Processes ------------------------------------------------------------------------------------------------------------------ */

/* Reads a signal into the pool, lowest bit first. Returns its place, and *width. */
static uint32_t keep_signal(reader *r, uint32_t *width) {
    ls_il_module *m = r->module;
    r->count = 0;
    signal(r, false);
    if (m->pool_count + r->count > m->pool_room) {
        m->pool_room = 2 * (m->pool_count + r->count) + 64;
        m->pool = ls_resize(m->pool, m->pool_room * sizeof *m->pool);
    }
    for (uint32_t i = r->count; i-- > 0;) m->pool[m->pool_count++] = r->bits[i];
    *width = r->count;
    return m->pool_count - r->count;
}

static void add_case(reader *r, uint32_t in) {
    ls_il_module *m = r->module;
    m->cases = ls_grow(m->cases, m->case_count, sizeof *m->cases);
    ls_il_case *c = &m->cases[m->case_count];
    *c = (ls_il_case){in, in != LS_IL_NONE ? m->switches[in].cases++ : 0, m->pool_count, 0};
    r->in = (uint32_t)m->case_count++;
    while (r->at < r->end && r->error == NULL) {
        uint32_t width;
        while (r->at < r->end && (*r->at == ' ' || *r->at == ',')) r->at++;
        if (r->at == r->end) break;
        (void)keep_signal(r, &width);
        if (in == LS_IL_NONE || width != m->switches[in].width) fail(r, "a case of another width than its switch", NULL);
        c->count++;
    }
}

static void add_switch(reader *r) {
    ls_il_module *m = r->module;
    ls_il_switch s = {.in = r->in};
    s.first = keep_signal(r, &s.width);
    m->switches = ls_grow(m->switches, m->switch_count, sizeof *m->switches);
    m->switches[m->switch_count] = s;
    r->open = (uint32_t)m->switch_count++;
}

/* "assign" (in the case r->in) or "update" TO FROM. */
static void add_assigns(reader *r, bool update) {
    ls_il_module *m = r->module;
    r->count = 0;
    signal(r, false);
    const uint32_t width = r->count;
    signal(r, false);
    if (r->error == NULL && r->count != 2 * width) fail(r, "both sides of an assignment differ in width", NULL);
    for (uint32_t i = width; i-- > 0 && r->error == NULL;) {
        const uint32_t to = r->bits[i], from = r->bits[width + i];
        if (to < LS_IL_FIRST) fail(r, "a constant is assigned to", NULL);
        else if (!update) {
            m->assigns = ls_grow(m->assigns, m->assign_count, sizeof *m->assigns);
            m->assigns[m->assign_count++] = (ls_il_assign){to, from, r->in};
        } else if (r->sync == AT_EDGE) {
            m->updates = ls_grow(m->updates, m->update_count, sizeof *m->updates);
            m->updates[m->update_count++] = (ls_il_update){r->edge, to, from};
        } else if (r->sync == AT_ONCE) join(r, to, from);
    }
}

static void add_sync(reader *r) {
    ls_il_module *m = r->module;
    const char *kind = word(r);
    const bool rising = strcmp(kind, "posedge") == 0;
    r->sync = strcmp(kind, "always") == 0 ? AT_ONCE : strcmp(kind, "init") == 0 ? OF_NOTHING : AT_EDGE;
    if (r->sync != AT_EDGE) return;
    if (!rising && strcmp(kind, "negedge") != 0) fail(r, "a process that waits for no edge, but for", kind);
    r->count = 0;
    signal(r, false);
    if (r->error == NULL && r->count != 1) fail(r, "an edge of a signal of several bits", NULL);
    m->edges = ls_grow(m->edges, m->edge_count, sizeof *m->edges);
    m->edges[m->edge_count] = (ls_il_edge){r->process, r->count == 1 ? r->bits[0] : LS_IL_X, rising};
    r->edge = (uint32_t)m->edge_count++;
}

static void add_write(reader *r) {
    ls_il_module *m = r->module;
    ls_il_write write = {.edge = r->edge, .memory = plain(word(r))};
    uint32_t width;
    if (r->sync != AT_EDGE) fail(r, "a write that waits for no edge, to", write.memory);
    write.address = keep_signal(r, &write.address_width);
    write.data = keep_signal(r, &write.width);
    write.enable = keep_signal(r, &width);
    if (width != write.width) fail(r, "a write of other bits than its data, to", write.memory);
    m->writes = ls_grow(m->writes, m->write_count, sizeof *m->writes);
    m->writes[m->write_count++] = write;
}

/* Of a switch or of the process. */
static void end_in_process(reader *r) {
    r->in = r->open != LS_IL_NONE ? r->module->switches[r->open].in : LS_IL_NONE;
    r->open = r->in != LS_IL_NONE ? r->module->cases[r->in].in : LS_IL_NONE;
}

static void statement_of_process(reader *r, const char *w) {
    if (strcmp(w, "assign") == 0) add_assigns(r, false);
    else if (strcmp(w, "switch") == 0) add_switch(r);
    else if (strcmp(w, "case") == 0) add_case(r, r->open);
    else if (strcmp(w, "sync") == 0) add_sync(r);
    else if (strcmp(w, "update") == 0) add_assigns(r, true);
    else if (strcmp(w, "memwr") == 0) add_write(r);
    else if (strcmp(w, "end") == 0) end_in_process(r);
    else fail(r, "unknown word of a process:", w);
}

/* ---------------------------------------------------------------------------------------------------------------------------- */

static void statement(reader *r) {
    const char *w = word(r);
    if (*w == '\0' || *w == '#' || strcmp(w, "attribute") == 0 || strcmp(w, "autoidx") == 0) return;
    if (strcmp(w, "module") == 0 && r->module == NULL) add_module(r, word(r));
    else if (r->module == NULL) fail(r, "unknown word outside a module:", w);
    else if (r->in != LS_IL_NONE) statement_of_process(r, w);
    else if (strcmp(w, "parameter") == 0) add_parameter(r);
    else if (strcmp(w, "memory") == 0) add_memory(r);
    else if (strcmp(w, "process") == 0 && r->processes) {
        r->process++;
        r->sync = OF_NOTHING;
        (void)word(r);
        add_case(r, LS_IL_NONE);
    } else if (strcmp(w, "wire") == 0) add_wire(r);
    else if (strcmp(w, "cell") == 0) add_cell(r);
    else if (strcmp(w, "connect") == 0 && r->cell != NULL) add_pin(r);
    else if (strcmp(w, "connect") == 0) connect(r);
    else if (strcmp(w, "end") == 0 && r->cell != NULL) r->cell = NULL;
    else if (strcmp(w, "end") == 0) r->module = NULL;
    else fail(r, "not a netlist:", w);
}

int ls_il_read(const char *path, bool processes, ls_il *il, char **error) {
    ls_text text = {0};
    *il = (ls_il){0};
    *error = NULL;
    const int code = ls_text_read(&text, path);
    ls_text_put(&text, "", 0);
    il->text = ls_text_take(&text);
    reader r = {.path = path, .il = il, .processes = processes, .in = LS_IL_NONE, .open = LS_IL_NONE};
    if (code != 0) r.error = ls_format("%s: %s", path, strerror(-code));
    for (char *at = il->text; *at != '\0' && r.error == NULL;) {
        r.line++;
        r.at = at;
        r.end = at + strcspn(at, "\n");
        at = r.end + (*r.end == '\n');
        *r.end = '\0';
        statement(&r);
    }
    if (r.error == NULL && r.module != NULL) fail(&r, "the file ends within a module", NULL);
    for (size_t i = 0; i < il->module_count; i++)
        for (uint32_t bit = 0; bit < il->modules[i].bit_count; bit++) (void)root(&il->modules[i], bit);
    for (size_t i = 0; i < il->module_count; i++)
        for (uint32_t bit = 0; bit < il->modules[i].bit_count; bit++) il->modules[i].same[bit] = root(&il->modules[i], bit);
    free(r.bits);
    if (r.error == NULL) return 0;
    *error = r.error;
    ls_il_free(il);
    return -1;
}

void ls_il_free(ls_il *il) {
    for (size_t i = 0; i < il->module_count; i++) {
        ls_il_module *m = &il->modules[i];
        for (size_t c = 0; c < m->cell_count; c++) {
            for (uint32_t p = 0; p < m->cells[c].pin_count; p++) free(m->cells[c].pins[p].bits);
            free(m->cells[c].pins);
            free(m->cells[c].params);
        }
        free(m->cells);
        free(m->memories);
        free(m->cases);
        free(m->switches);
        free(m->assigns);
        free(m->edges);
        free(m->updates);
        free(m->writes);
        free(m->pool);
        free(m->wires);
        free(m->same);
        free(m->table);
    }
    free(il->modules);
    free(il->text);
    *il = (ls_il){0};
}

const ls_il_module *ls_il_find(const ls_il *il, const char *module) {
    for (size_t i = 0; i < il->module_count; i++)
        if (strcmp(il->modules[i].name, module) == 0) return &il->modules[i];
    return NULL;
}

const ls_il_wire *ls_il_find_wire(const ls_il_module *m, const char *name) {
    const uint32_t at = m->table_size == 0 ? 0 : *slot(m, name);
    return at == 0 ? NULL : &m->wires[at - 1];
}

const ls_il_pin *ls_il_find_pin(const ls_il_cell *cell, const char *name) {
    for (uint32_t i = 0; i < cell->pin_count; i++)
        if (strcmp(cell->pins[i].name, name) == 0) return &cell->pins[i];
    return NULL;
}

const char *ls_il_find_param(const ls_il_cell *cell, const char *name) {
    for (uint32_t i = 0; i < cell->param_count; i++)
        if (strcmp(cell->params[i].name, name) == 0) return cell->params[i].text;
    return NULL;
}

bool ls_il_drop_scopes(char *name) {
    char *to = name;
    for (const char *at = name; *at != '\0';) {
        const size_t digits = strncmp(at, "genblk", 6) == 0 && (to == name || to[-1] == '.') ? strspn(at + 6, "0123456789") : 0;
        if (digits > 0 && at[6 + digits] == '.') at += 7 + digits;
        else *to++ = *at++;
    }
    const bool dropped = *to != '\0';
    *to = '\0';
    return dropped;
}
