/* SPDX-License-Identifier: Apache-2.0 */
/* A unit from a module that is there: Verilator elaborates it at several values of each parameter, and widths become expressions
 * of them. What is written is in new_write.c. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/folder.h"
#include "harness/base/root.h"
#include "harness/dut/build.h"
#include "harness/project/new.h"
#include "harness/project/new_module.h"

#define ELAB_MS 120000u
#define PARAMS_MAX 16u
#define TRIED 7u
#define VALUE_MAX 65536u /* of a parameter that is tried */
#define BITS_MAX 32768u  /* of a signal: beyond it a value of a parameter is not tried further */

/* ---- the source's text ---- */

/* The file without comments and strings, to be freed; blanks stand in their place. */
static char *code_of(const char *path) {
    ls_text text = {0};
    (void)ls_text_read(&text, path);
    char *code = ls_text_take(&text);
    for (char *c = code; *c != '\0';) {
        const bool line = c[0] == '/' && c[1] == '/', block = c[0] == '/' && c[1] == '*', string = c[0] == '"';
        if (!line && !block && !string) {
            c++;
            continue;
        }
        char *end = line ? c + strcspn(c, "\n") : block ? strstr(c + 2, "*/") : c + 1;
        while (string && *end != '\0' && *end != '"') end += 1 + (*end == '\\' && end[1] != '\0');
        if (end == NULL) end = c + strlen(c);
        else if (block) end += 2;
        else if (string && *end != '\0') end++;
        for (; c < end; c++)
            if (*c != '\n') *c = ' ';
    }
    return code;
}

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '$'; }

/* Where `word` stands by itself from `at` on, or NULL. */
static const char *find_word(const char *at, const char *word) {
    const size_t n = strlen(word);
    for (const char *c = at; (c = strstr(c, word)) != NULL; c += n)
        if ((c == at || !in_word(c[-1])) && !in_word(c[n])) return c;
    return NULL;
}

/* The name behind `at`, to be freed; "" when there is none. */
static char *name_at(const char *at) {
    at += strspn(at, " \t\r\n");
    size_t n = 0;
    while (in_word(at[n])) n++;
    return ls_format("%.*s", (int)n, at);
}

/* The last module that the code declares, to be freed; NULL: none. */
static char *last_module(const char *code) {
    char *name = NULL;
    for (const char *at = code; (at = find_word(at, "module")) != NULL; at += strlen("module")) {
        free(name);
        name = name_at(at + strlen("module"));
        if (strcmp(name, "automatic") == 0 || strcmp(name, "static") == 0) {
            const char *behind = find_word(at, name) + strlen(name);
            free(name);
            name = name_at(behind);
        }
    }
    return name;
}

/* Says which other modules of the file the design does not use: one of them may have been meant. */
static void name_others(const char *file, const char *code, const char *top, const ls_elab *elab, ls_args *todo) {
    for (const char *at = code; (at = find_word(at, "module")) != NULL; at += strlen("module")) {
        const size_t head = strcspn(at, "#(;");
        char *text = ls_format("%.*s", (int)head, at), *name = last_module(text);
        bool used = name == NULL || name[0] == '\0';
        for (size_t i = 0; i < elab->used_count && !used; i++) used = strcmp(elab->modules[i], name) == 0;
        if (!used) ls_args_add(todo, "%s declares %s, too, which %s does not use: --unit %s takes that", file, name, top, name);
        free(text);
        free(name);
    }
}

/* The code of a module from its name on, to be freed; NULL: it is not there. */
static char *module_code(const char *code, const char *module) {
    for (const char *at = code; (at = find_word(at, "module")) != NULL; at += strlen("module")) {
        const char *name = find_word(at, module), *end = find_word(at, "endmodule");
        const size_t head = strcspn(at, "#(;");
        if (name == NULL || name > at + head) continue;
        return ls_format("%.*s", end != NULL ? (int)(end - name) : (int)strlen(name), name);
    }
    return NULL;
}

/* ---- clock and reset ---- */

/* How much a name says that it is a reset's: 2, it is nothing else, "rst_n"; 1, it is one of its words, "core_reset"; 0. `low`: of
 * its low level. */
static unsigned says_reset(const char *name, bool *low) {
    static const char *const resets[] = {"rst", "reset", "arst", "areset", "srst", "sreset"};
    static const char *const inverse[] = {"rstn", "resetn", "nrst", "nreset", "rstb", "arstn", "aresetn", "srstn", "rstni"};
    static const char *const besides[] = {"i", "in", "a", "s", "async", "sync", "n", "ni", "b"};
    bool reset = false, others = false;
    *low = false;
    for (const char *at = name; *at != '\0';) {
        const size_t n = strcspn(at, "_");
        const char *const *const lists[] = {resets, inverse, besides};
        const size_t counts[] = {sizeof resets / sizeof *resets, sizeof inverse / sizeof *inverse,
                                 sizeof besides / sizeof *besides};
        size_t in = 3;
        for (size_t list = 0; list < 3 && n > 0; list++)
            for (size_t i = 0; i < counts[list]; i++)
                if (strncasecmp(at, lists[list][i], n) == 0 && lists[list][i][n] == '\0') in = list;
        reset |= in < 2;
        others |= in == 3 && n > 0;
        *low |= in == 1 || (in == 2 && reset && strchr("nNbB", *at) != NULL);
        at += n + (at[n] == '_');
    }
    return !reset ? 0 : others ? 1 : 2;
}

static bool is_input_bit(const ls_elab *elab, const char *name) {
    const ls_elab_signal *s = ls_elab_port(elab, name);
    return s != NULL && s->kind == LS_ELAB_IN && s->bits == 1 && s->count == 1;
}

/* An input whose edges are waited for as clock or reset. NULL, or an error to free: it cannot be. */
static char *take_edge(ls_module *m, const ls_elab_edge *e) {
    const char *const what = e->clocks ? "clock" : "reset";
    char **to = e->clocks ? &m->clock : &m->reset;
    if (e->clocks && e->sets) return ls_format("%s: %s is a clock and a reset: it can be one of them", m->name, e->port);
    if (e->rises && e->falls) return ls_format("%s: its %s %s counts at both edges: one can be compared", m->name, what, e->port);
    if (*to != NULL) return ls_format("%s has two %ss, %s and %s: one can be compared", m->name, what, *to, e->port);
    if (e->clocks && e->falls)
        return ls_format("%s: its clock %s counts at the falling edge: wrap it in a module that inverts the clock", m->name,
                         e->port);
    *to = ls_copy(e->port);
    if (!e->clocks) m->reset_high = e->rises;
    return NULL;
}

/* A reset without an edge: the input bit by whose level most registers get constants, and that is called so. */
static void find_level(ls_module *m, const ls_elab *elab) {
    const ls_elab_signal *best = NULL;
    uint32_t most = 0;
    bool sure = false;
    for (size_t i = 0; i < elab->port_count; i++) {
        const ls_elab_signal *s = &elab->ports[i];
        if (!is_input_bit(elab, s->name) || (m->clock != NULL && strcmp(s->name, m->clock) == 0)) continue;
        bool low = false;
        const unsigned said = says_reset(s->name, &low);
        const ls_elab_edge *e = NULL;
        for (size_t k = 0; k < elab->edge_count; k++)
            if (strcmp(elab->edges[k].port, s->name) == 0) e = &elab->edges[k];
        const uint32_t by_low = e != NULL ? e->clears[0] : 0, by_high = e != NULL ? e->clears[1] : 0;
        if (said == 0 && (by_low + by_high == 0 || e->gates_only)) continue;
        const uint32_t weight = 2 * (by_low + by_high) + 3 * said + (said == 2 ? 1u << 16 : 0);
        if (weight <= most) continue;
        most = weight;
        best = s;
        sure = said > 0 && by_low + by_high > 0;
        m->reset_high = by_low != by_high ? by_high > by_low : !low;
    }
    if (best == NULL) return;
    m->reset = ls_copy(best->name);
    if (!sure && elab->register_count > 0)
        m->reset_guess = says_reset(m->reset, &(bool){false}) > 0 ? "by its name; no process begins with it"
                                                                  : "registers get constants while it has that level";
}

/* Clock and reset, from the edges that processes wait for; a reset without one, which is synchronous, by what its level does. NULL,
 * or an error to free: there are two. */
static char *find_clock(ls_module *m, const ls_elab *elab) {
    static const char *const clocks[] = {"clk", "clk_i", "clock", "clock_i", "i_clk", "aclk", "sysclk"};
    for (size_t i = 0; i < elab->edge_count; i++) {
        const ls_elab_edge *e = &elab->edges[i];
        char *failed = (e->rises || e->falls) && is_input_bit(elab, e->port) ? take_edge(m, e) : NULL;
        if (failed != NULL) return failed;
    }
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks && m->clock == NULL; i++) /* of a module without registers */
        if (is_input_bit(elab, clocks[i])) m->clock = ls_copy(clocks[i]);
    if (m->reset == NULL) find_level(m, elab);
    return NULL;
}

/* ---- elaboration ---- */

typedef struct source {
    ls_rtl rtl;
    ls_args files, dirs;
} source;

/* Elaborates with one value of each parameter. NULL, or what Verilator says, to be freed. */
static char *elaborate(const source *s, const ls_module *m, const uint32_t *values, ls_elab *elab) {
    ls_rtl rtl = s->rtl;
    ls_args words = {0};
    ls_rtl_param params[PARAMS_MAX];
    for (size_t i = 0; i < m->param_count; i++) ls_args_add(&words, "%u", values[i]);
    for (size_t i = 0; i < m->param_count; i++) params[i] = (ls_rtl_param){m->params[i].name, words.list[i]};
    rtl.params = params;
    rtl.param_count = m->param_count;
    char *text = NULL;
    const ls_elab_status status = ls_elab_run(&rtl, ls_tools_once()->verilator, NULL, elab, &text);
    ls_args_free(&words);
    if (status == LS_ELAB_OK) {
        free(text);
        return NULL;
    }
    return text;
}

/* Verilator's words for an interface among the ports of the top module, in ours: others follow from it. */
static char *plainer(char *said) {
    const char *what = said != NULL ? strstr(said, "Interfaced port on top level module") : NULL, *begin = what;
    while (begin != NULL && begin > said && begin[-1] != '\n') begin--;
    const char *place = begin != NULL ? strstr(begin, ": ") : NULL, *end = place != NULL ? strstr(place + 2, ": ") : NULL;
    if (end == NULL || end > what) return said;
    char *text =
        ls_format("%.*s: a port is an interface: wrap the module in one with plain ports", (int)(end - place - 2), place + 2);
    free(said);
    return text;
}

/* What is found of the design at one set of values: the numbers of all signals that it has at the defaults, in the order of
 * list_widths. */
typedef struct point {
    uint32_t value;
    uint32_t *numbers; /* NULL: it does not elaborate so */
} point;

typedef struct number_list {
    uint32_t *list;
    size_t count;
} number_list;

static void add_number(number_list *n, uint32_t number) {
    n->list = ls_grow(n->list, n->count, sizeof *n->list);
    n->list[n->count++] = number;
}

/* Adds the numbers of a signal's members in the design; false: they are other ones. */
static bool add_parts(const ls_new_signal *s, const ls_elab_signal *e, number_list *n) {
    ls_new_members parts = {0};
    if (s->parts.count == 0) return true;
    ls_new_members_find(e, &parts);
    bool same = parts.count == s->parts.count;
    add_number(n, parts.records.standard);
    for (size_t i = 0; i < s->parts.count && same; i++) {
        same = strcmp(parts.list[i].name, s->parts.list[i].name) == 0;
        add_number(n, parts.list[i].bits.standard);
        add_number(n, parts.list[i].count.standard);
    }
    ls_new_members_free(&parts);
    return same;
}

/* The numbers of the module's signals in the design; NULL when one is not there or grows too large. */
static uint32_t *numbers_of(const ls_module *m, const ls_elab *elab) {
    number_list n = {0};
    add_number(&n, 0); /* never NULL */
    n.count = 0;
    for (size_t i = 0; i < m->signal_count; i++) {
        const ls_new_signal *s = &m->signals[i];
        const ls_elab_signal *e = s->kind == LS_IN || s->kind == LS_OUT ? ls_elab_port(elab, s->rtl) : ls_elab_find(elab, s->rtl);
        bool good = e != NULL && e->bits > 0 && (uint64_t)e->bits * e->count <= BITS_MAX;
        if (good) {
            add_number(&n, e->bits);
            add_number(&n, e->count);
            good = add_parts(s, e, &n);
        }
        if (!good) {
            free(n.list);
            return NULL;
        }
    }
    return n.list;
}

/* The widths that these numbers are of; to be freed. */
static ls_width **list_widths(const ls_module *m, size_t *count) {
    ls_width **list = NULL;
    *count = 0;
    for (size_t i = 0; i < m->signal_count; i++) {
        ls_new_signal *s = &m->signals[i];
        const size_t all = s->parts.count > 0 ? 3 + 2 * s->parts.count : 2;
        for (size_t k = 0; k < all; k++) {
            ls_new_member *part = k > 2 ? &s->parts.list[(k - 3) / 2] : NULL;
            list = ls_grow(list, *count, sizeof *list);
            list[(*count)++] = k == 0   ? &s->bits
                               : k == 1 ? &s->count
                               : k == 2 ? &s->parts.records
                               : k % 2  ? &part->bits
                                        : &part->count;
        }
    }
    return list;
}

/* A register that is there at other values alone, or not there, makes the unit another one: such values are left out. */
static bool same_registers(const ls_module *m, const ls_elab *elab) { return elab->register_count == m->elaborated_registers; }

static uint32_t *try_values(const source *s, const ls_module *m, const uint32_t *values) {
    ls_elab elab;
    char *failed = elaborate(s, m, values, &elab);
    if (failed != NULL) {
        free(failed);
        return NULL;
    }
    uint32_t *numbers = same_registers(m, &elab) ? numbers_of(m, &elab) : NULL;
    ls_elab_free(&elab);
    return numbers;
}

/* ---- parameters ---- */

/* The number of a parameter of the design; false: it has another kind of value. */
static bool number_of(const ls_elab *elab, const char *name, uint32_t *value) {
    for (size_t i = 0; i < elab->param_count; i++) {
        if (strcmp(elab->params[i], name) != 0) continue;
        const long number = elab->param_values[i] != NULL ? strtol(elab->param_values[i], NULL, 10) : -1;
        *value = (uint32_t)number;
        return number >= 0 && (unsigned long)number <= elab->param_limits[i];
    }
    return false;
}

/* Elaborates with one value of one parameter. false: it does not elaborate so. */
static bool elaborate_one(const source *s, const ls_new_param *p, uint32_t value, ls_elab *elab) {
    const ls_module one = {.params = (ls_new_param *)p, .param_count = 1};
    char *failed = elaborate(s, &one, &value, elab);
    free(failed);
    return failed == NULL;
}

/* Marks the parameters that follow another one: those whose values change with it. */
static void find_followers(const source *s, const ls_module *m, bool *follows) {
    for (size_t i = 0; i < m->param_count; i++) {
        const ls_new_param *p = &m->params[i];
        const uint32_t d = p->standard, tried[] = {d + 1, 2 * d, d - 1};
        bool done = false;
        for (size_t k = 0; k < 3 && !done; k++) {
            ls_elab elab;
            if (tried[k] == d || tried[k] > p->limit || !elaborate_one(s, p, tried[k], &elab)) continue;
            done = true;
            for (size_t j = 0; j < m->param_count; j++) {
                uint32_t value;
                if (j != i && number_of(&elab, m->params[j].name, &value) && value != m->params[j].standard) follows[j] = true;
            }
            ls_elab_free(&elab);
        }
    }
}

static void drop_param(ls_module *m, size_t number) {
    free(m->params[number].name);
    for (size_t i = number; i + 1 < m->param_count; i++) m->params[i] = m->params[i + 1];
    m->param_count--;
}

/* The parameters that a run may give values to, and why not the others. */
static void find_params(const source *s, ls_module *m, const char *code, const ls_elab *elab, ls_args *others) {
    for (size_t i = 0; i < elab->param_count; i++) {
        uint32_t value = 0;
        const char *why = !number_of(elab, elab->params[i], &value) ? "that is no plain number"
                          : m->param_count == PARAMS_MAX            ? "it is the seventeenth"
                                                                    : NULL;
        if (why != NULL) {
            ls_args_add(others, "parameter %s keeps its default: %s", elab->params[i], why);
            continue;
        }
        m->params = ls_grow(m->params, m->param_count, sizeof *m->params);
        m->params[m->param_count++] = (ls_new_param){
            .name = ls_copy(elab->params[i]), .standard = value, .min = value, .max = value, .limit = elab->param_limits[i]};
    }
    for (const char *at = code; (at = find_word(at, "parameter")) != NULL;) { /* the elaboration knows none of them */
        at += strlen("parameter");
        char *type = name_at(at), *name = strcmp(type, "type") == 0 ? name_at(find_word(at, type) + strlen(type)) : NULL;
        if (name != NULL) ls_args_add(others, "parameter %s keeps its default: that is no plain number", name);
        free(type);
        free(name);
    }
    bool follows[PARAMS_MAX] = {false};
    find_followers(s, m, follows);
    for (size_t i = m->param_count; i-- > 0;) {
        ls_elab at_default;
        const bool takes = !follows[i] && elaborate_one(s, &m->params[i], m->params[i].standard, &at_default);
        if (takes) ls_elab_free(&at_default);
        else
            ls_args_add(others, "parameter %s keeps its default: %s", m->params[i].name,
                        follows[i] ? "it follows another one" : "the module takes no number for it");
        if (!takes) drop_param(m, i);
    }
}

/* ---- widths as expressions ---- */

/* The first shape that goes through all points; false: none does. */
static bool fit(const point *points, size_t count, size_t number, ls_term *term) {
    static const ls_shape shapes[] = {LS_SHAPE_CONSTANT, LS_SHAPE_LINEAR, LS_SHAPE_LOG, LS_SHAPE_LOG_NEXT, LS_SHAPE_POWER};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        ls_term t = {.shape = shapes[k], .factor = 0, .plus = 0};
        const point *a = NULL, *b = NULL;
        for (size_t i = 0; i < count; i++) {
            if (points[i].numbers == NULL) continue;
            if (a == NULL) a = &points[i];
            else if (b == NULL && ls_shape_at(shapes[k], points[i].value) != ls_shape_at(shapes[k], a->value)) b = &points[i];
        }
        if (a == NULL) return false;
        if (b != NULL) {
            const int64_t rise = (int64_t)b->numbers[number] - a->numbers[number];
            const int64_t run = (int64_t)ls_shape_at(shapes[k], b->value) - (int64_t)ls_shape_at(shapes[k], a->value);
            if (rise % run != 0) continue;
            t.factor = rise / run;
        }
        t.plus = (int64_t)a->numbers[number] - t.factor * (int64_t)ls_shape_at(shapes[k], a->value);
        bool all = true;
        for (size_t i = 0; i < count && all; i++)
            all = points[i].numbers == NULL || ls_term_at(&t, points[i].value) == (int64_t)points[i].numbers[number];
        if (all) {
            *term = t;
            return true;
        }
    }
    return false;
}

static int64_t gcd(int64_t a, int64_t b) {
    for (int64_t r; b != 0; b = r) {
        r = a % b;
        a = b;
    }
    return a < 0 ? -a : a;
}

/* The width from how it goes with each parameter by itself; `together` is what it is at the values `all`, the defaults
 * elsewhere. */
static void combine(ls_width *w, const ls_module *m, ls_term *terms, uint32_t standard, const uint32_t *all, uint32_t together) {
    *w = (ls_width){.terms = terms};
    for (int product = 0; product < 2; product++) {
        ls_term *t = ls_alloc(m->param_count + 1, sizeof *t);
        int64_t base = standard;
        bool whole = true;
        for (size_t i = 0; i < m->param_count; i++) {
            t[i] = terms[i];
            if (t[i].shape == LS_SHAPE_CONSTANT) continue;
            if (product != 0) {
                const int64_t common = gcd(t[i].factor, t[i].plus);
                t[i].factor /= common;
                t[i].plus /= common;
                const int64_t here = ls_term_at(&t[i], m->params[i].standard);
                whole = whole && here != 0 && base % here == 0;
                if (whole) base /= here;
            } else {
                base -= t[i].factor * (int64_t)ls_shape_at(t[i].shape, m->params[i].standard);
                t[i].plus = 0;
            }
        }
        const ls_width tried = {.base = base, .product = product != 0, .terms = t};
        if (whole && ls_width_at(&tried, all, m->param_count) == (int64_t)together) {
            free(terms);
            *w = tried;
            return;
        }
        free(t);
    }
    free(terms);
    *w = (ls_width){.base = standard, .unknown = true};
}

/* Leaves out the least values of a parameter, below its default, while there is a width that no expression gives: [$clog2(N)-1:0]
 * has two bits for N = 1. When none helps, all stay. */
static void cut_points(ls_module *m, size_t param, point *points) {
    ls_new_param *p = &m->params[param];
    size_t count;
    free(list_widths(m, &count));
    uint32_t *kept[TRIED] = {NULL};
    for (size_t cut = 0;; cut++) {
        bool all = true;
        ls_term term;
        for (size_t number = 0; number < count && all; number++) all = fit(points, TRIED, number, &term);
        if (all) break;
        while (cut < TRIED && points[cut].numbers == NULL) cut++;
        if (cut == TRIED || points[cut].value >= p->standard) { /* it does not help */
            for (size_t i = 0; i < TRIED; i++)
                if (kept[i] != NULL) points[i].numbers = kept[i];
            return;
        }
        kept[cut] = points[cut].numbers;
        points[cut].numbers = NULL;
    }
    for (size_t i = 0; i < TRIED; i++) free(kept[i]);
}

static void use_points(ls_module *m, point (*points)[TRIED], const uint32_t *all, const uint32_t *together) {
    size_t count;
    ls_width **widths = list_widths(m, &count);
    for (size_t number = 0; number < count; number++) {
        ls_width *w = widths[number];
        const uint32_t standard = w->standard;
        ls_term *terms = ls_alloc(m->param_count + 1, sizeof *terms);
        bool known = together != NULL;
        for (size_t i = 0; i < m->param_count && known; i++) known = fit(points[i], TRIED, number, &terms[i]);
        if (known) {
            combine(w, m, terms, standard, all, together[number]);
        } else {
            free(terms);
            *w = (ls_width){.base = standard, .unknown = m->param_count > 0};
        }
        w->standard = standard;
    }
    free(widths);
}

static int by_value(const void *a, const void *b) {
    const point *p = a, *q = b;
    return p->value < q->value ? -1 : p->value > q->value;
}

/* Elaborates around the default of each parameter. Which of the values work gives its range. */
static void find_widths(const source *s, ls_module *m) {
    point(*points)[TRIED] = ls_alloc(m->param_count + 1, sizeof *points);
    uint32_t values[PARAMS_MAX], all[PARAMS_MAX];
    for (size_t i = 0; i < m->param_count; i++) values[i] = all[i] = m->params[i].standard;
    for (size_t i = 0; i < m->param_count; i++) {
        ls_new_param *p = &m->params[i];
        const uint32_t d = p->standard, tried[TRIED] = {d, 1, 2, d - (d > 0), d + 1, 2 * d, 4 * d};
        bool odd_ones = false, odd_fails = false;
        for (size_t k = 0; k < TRIED; k++) {
            bool again = false;
            for (size_t j = 0; j < k; j++) again |= tried[j] == tried[k];
            values[i] = tried[k];
            points[i][k].value = again ? d : tried[k];
            again |= tried[k] > p->limit;
            if (!again && (k == 0 || tried[k] < VALUE_MAX)) points[i][k].numbers = try_values(s, m, values);
            const bool power = (tried[k] & (tried[k] - 1)) == 0;
            if (!again && !power && points[i][k].numbers == NULL) odd_fails = true;
            if (!again && !power && points[i][k].numbers != NULL) odd_ones = true;
        }
        values[i] = d;
        qsort(points[i], TRIED, sizeof *points[i], by_value);
        cut_points(m, i, points[i]);
        for (size_t k = 0; k < TRIED; k++)
            if (points[i][k].numbers != NULL && points[i][k].value != d) all[i] = points[i][k].value;
        p->powers = odd_fails && !odd_ones && (d & (d - 1)) == 0;
        for (size_t k = 0; k < TRIED; k++) { /* without a gap, but for what is no power of two where that is the rule */
            const uint32_t v = points[i][k].value;
            if (v > d && points[i][k].numbers != NULL && v > p->max) p->max = v;
            else if (v > d && points[i][k].numbers == NULL && !(p->powers && (v & (v - 1)) != 0)) break;
        }
        for (size_t k = TRIED; k-- > 0;) {
            const uint32_t v = points[i][k].value;
            if (v < d && points[i][k].numbers != NULL) p->min = v;
            else if (v < d && points[i][k].numbers == NULL && !(p->powers && (v & (v - 1)) != 0)) break;
        }
    }
    uint32_t *together = try_values(s, m, all);
    use_points(m, points, all, together);
    for (size_t i = 0; i < m->param_count; i++)
        for (size_t k = 0; k < TRIED; k++) free(points[i][k].numbers);
    free(points);
    free(together);
}

/* ---- signals ---- */

static void add_signal(ls_module *m, const ls_elab_signal *e, ls_kind kind, bool behind_port) {
    m->signals = ls_grow(m->signals, m->signal_count, sizeof *m->signals);
    m->signals[m->signal_count++] = (ls_new_signal){.kind = kind,
                                                    .rtl = ls_copy(e->name),
                                                    .behind_port = behind_port,
                                                    .array = e->array,
                                                    .latch = e->kind == LS_ELAB_LATCH,
                                                    .bits = {.standard = e->bits},
                                                    .count = {.standard = e->count}};
    if (kind != LS_MEMORY) ls_new_members_find(e, &m->signals[m->signal_count - 1].parts);
}

/* NULL, or an error to free: a port or register that cannot be compared. */
static char *find_signals(ls_module *m, const ls_elab *elab) {
    for (size_t i = 0; i < elab->port_count; i++) {
        const ls_elab_signal *e = &elab->ports[i];
        if ((m->clock != NULL && strcmp(e->name, m->clock) == 0) || (m->reset != NULL && strcmp(e->name, m->reset) == 0))
            continue;
        if (e->kind == LS_ELAB_INOUT) return ls_format("%s:%u: %s is an inout port: wrap the module", e->file, e->line, e->name);
        if (e->bits == 0)
            return ls_format(
                "%s:%u: port %s is of a type without bits (interface, real, unpacked struct): wrap the module in one "
                "with plain ports",
                e->file, e->line, e->name);
        add_signal(m, e, e->kind == LS_ELAB_IN ? LS_IN : LS_OUT, false);
    }
    for (size_t i = 0; i < elab->register_count; i++) {
        const ls_elab_signal *e = &elab->registers[i];
        if (e->kind == LS_ELAB_HIDDEN)
            return ls_format("%s:%u: %s keeps state that nothing can compare", e->file, e->line, e->name);
        if (e->bits == 0) return ls_format("%s:%u: register %s is of a type without bits", e->file, e->line, e->name);
        add_signal(m, e, e->array && !e->cleared ? LS_MEMORY : LS_STATE, ls_elab_port(elab, e->name) != NULL);
    }
    m->elaborated_registers = elab->register_count;
    return NULL;
}

static void free_module(ls_module *m) {
    for (size_t i = 0; i < m->param_count; i++) free(m->params[i].name);
    for (size_t i = 0; i < m->signal_count; i++) {
        free(m->signals[i].rtl);
        free(m->signals[i].member);
        free(m->signals[i].bits.terms);
        free(m->signals[i].count.terms);
        ls_new_members_free(&m->signals[i].parts);
    }
    free(m->params);
    free(m->signals);
    free(m->name);
    free(m->clock);
    free(m->reset);
}

/* Whether the file declares the module. */
static bool declares(const char *path, const char *module) {
    char *code = code_of(path), *found = module_code(code, module);
    const bool has = found != NULL;
    free(code);
    free(found);
    return has;
}

/* The folders of the tree's RTL, where its modules are found by the names of their files. */
static void add_tree_dirs(ls_args *dirs) {
    ls_args names = {0};
    char *rtl = ls_format("%s/rtl", ls_root());
    ls_folder_names(rtl, &names);
    for (size_t i = 0; i < names.count; i++)
        if (names.list[i][0] != '.' && strchr(names.list[i], '.') == NULL) ls_args_add(dirs, "%s/%s", rtl, names.list[i]);
    ls_args_free(&names);
    free(rtl);
}

/* ---- files ---- */

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void add_file(ls_new_rtl *rtl, const char *path, const char *name, bool listed) {
    rtl->listed = ls_grow(rtl->listed, rtl->files.count, sizeof *rtl->listed);
    rtl->listed[rtl->files.count] = listed;
    ls_args_add(&rtl->files, "%s", path);
    ls_args_add(&rtl->names, "%s", name);
}

/* Whether a file of a list is kept: one of modules when the design uses one of them. Packages leave the design when only their
 * constants are used. */
static bool is_needed(const char *path, const ls_elab *elab) {
    char *code = code_of(path);
    const bool modules = find_word(code, "module") != NULL || find_word(code, "interface") != NULL;
    bool needed = !modules || find_word(code, "package") != NULL || find_word(code, "primitive") != NULL;
    for (size_t i = 0; i < elab->used_count; i++) needed |= strcmp(elab->used[i], path) == 0;
    free(code);
    return needed;
}

/* Whether the file holds modules of the design, and none that is called as the file is: it is not found by a name. */
static bool is_library(const char *path, const ls_elab *elab) {
    const char *name = base_name(path);
    bool holds = false, called = false;
    for (size_t i = 0; i < elab->used_count; i++) {
        if (strcmp(elab->used[i], path) != 0) continue;
        const size_t n = strlen(elab->modules[i]);
        holds = true;
        called |= strncmp(name, elab->modules[i], n) == 0 && name[n] == '.';
    }
    return holds && !called;
}

/* What an `include calls it: its path behind the include folder that it is in. */
static const char *included_as(const char *path, const ls_args *extra) {
    static const char option[] = "+incdir+";
    for (size_t i = 0; i < extra->count; i++) {
        const char *folder = extra->list[i] + sizeof option - 1;
        if (strncmp(extra->list[i], option, sizeof option - 1) != 0) continue;
        const size_t n = strlen(folder);
        if (n > 0 && strncmp(path, folder, n) == 0 && (path[n] == '/' || folder[n - 1] == '/'))
            return path + n + (path[n] == '/');
    }
    return base_name(path);
}

/* The files of a project: those that were named, the module's last, and those that Verilator found. NULL, or an error to free:
 * two would be one. */
static char *list_files(const ls_new *what, const source *s, const ls_elab *elab, ls_new_rtl *rtl) {
    const size_t named = s->files.count;
    *rtl = (ls_new_rtl){.defines = what->defines};
    for (size_t i = 0; i < named; i++) {
        const char *path = s->files.list[i];
        if (i + 1 < named && what->listed && !is_needed(path, elab)) continue;
        rtl->top = rtl->files.count;
        add_file(rtl, path, base_name(path), i + 1 < named);
    }
    for (size_t i = 0; i < elab->file_count; i++) {
        const char *path = elab->files[i];
        bool again = false;
        for (size_t k = 0; k < named; k++) again |= strcmp(s->files.list[k], path) == 0;
        if (!again) add_file(rtl, path, included_as(path, what->extra), is_library(path, elab));
    }
    for (size_t i = 0; i < rtl->files.count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(rtl->names.list[i], rtl->names.list[k]) == 0 && strcmp(rtl->files.list[i], rtl->files.list[k]) != 0)
                return ls_format("%s and %s: both would be rtl/%s: rename one", rtl->files.list[k], rtl->files.list[i],
                                 rtl->names.list[i]);
    return NULL;
}

char *ls_new_from(const ls_new *what, ls_new_files *files, char **name, ls_args *todo) {
    const ls_args *from = what->from;
    const char *unit = what->unit;
    size_t at = from->count - 1; /* the module's file */
    for (size_t i = from->count; unit != NULL && i-- > 0;) {
        if (!declares(from->list[i], unit)) continue;
        at = i;
        break;
    }
    ls_module m = {0};
    ls_new_rtl rtl = {0};
    source s = {0};
    ls_args others = {0};
    ls_elab elab = {0};
    const char *last = from->list[at];
    char *code = code_of(last), *top = unit != NULL && declares(last, unit) ? ls_copy(unit) : last_module(code), *body = NULL;
    char *failed = top == NULL ? ls_format("%s: declares no module%s", last, code[0] == '\0' ? ", or cannot be read" : "") : NULL;
    m.name = top;
    if (failed == NULL && what->group != NULL && unit != NULL && strcmp(top, unit) != 0)
        failed = ls_format("%s: declares %s and no %s: a unit of the tree has its module's name", last, top, unit);
    if (failed == NULL) {
        for (size_t i = 0; i < from->count; i++)
            if (i != at) ls_args_add(&s.files, "%s", from->list[i]);
        ls_args_add(&s.files, "%s", last);
        for (size_t i = 0; i < from->count; i++) {
            char *folder = ls_folder_of(from->list[i]);
            ls_args_add(&s.dirs, "%s", folder);
            free(folder);
        }
        if (what->group != NULL) add_tree_dirs(&s.dirs);
        s.rtl = (ls_rtl){.top = top,
                         .files = (const char *const *)s.files.list,
                         .file_count = s.files.count,
                         .dirs = (const char *const *)s.dirs.list,
                         .dir_count = s.dirs.count,
                         .defines = (const char *const *)what->defines->list,
                         .define_count = what->defines->count,
                         .extra = (const char *const *)what->extra->list,
                         .extra_count = what->extra->count,
                         .timeout_ms = ELAB_MS};
        failed = plainer(elaborate(&s, &m, NULL, &elab)); /* as it stands: the parameters are not known yet */
    }
    if (failed == NULL) {
        body = module_code(code, top);
        find_params(&s, &m, body != NULL ? body : "", &elab, &others);
        failed = find_clock(&m, &elab);
        if (failed == NULL) failed = find_signals(&m, &elab);
        if (failed == NULL && m.reset == NULL && m.elaborated_registers > 0)
            failed = ls_format("%s has registers and no reset: the model cannot know what they begin with", top);
    }
    if (failed == NULL) failed = list_files(what, &s, &elab, &rtl);
    if (failed == NULL) find_widths(&s, &m);
    if (failed == NULL) {
        *name = ls_copy(unit != NULL ? unit : top);
        ls_new_write(&m, *name, what->group, &rtl, files, todo);
        if (unit == NULL) name_others(last, code, top, &elab, todo);
        for (size_t i = 0; i < others.count; i++) ls_args_add(todo, "%s", others.list[i]);
    }
    ls_elab_free(&elab);
    ls_args_free(&rtl.files);
    ls_args_free(&rtl.names);
    free(rtl.listed);
    ls_args_free(&s.files);
    ls_args_free(&s.dirs);
    ls_args_free(&others);
    free_module(&m);
    free(code);
    free(body);
    return failed;
}
