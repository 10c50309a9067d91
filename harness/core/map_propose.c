/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/map_propose.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/memory.h"
#include "harness/base/nearest.h"
#include "harness/base/progress.h"
#include "harness/base/root.h"
#include "harness/core/config.h"
#include "harness/core/map.h"
#include "harness/core/map_watch.h"
#include "harness/core/plan.h"

#define ENOUGH 64u  /* cycles in which outputs agreed: of fewer nothing follows for registers */
#define TRIALS 240u /* ways to give ports of one width to fields that are tried; again with inputs turned round */

/* A proposal in the making. */
typedef struct proposal {
    ls_design_request request; /* its unit has the lines so far as its map */
    const ls_unit *plain;
    ls_text lines, tail; /* what is settled; notes for the end */
    ls_elab elab;        /* of the RTL at the parameters */
    ls_fields fields;    /* without a map */
    size_t *port;        /* of each field the number of its port + 1; 0: none, or it is in a rule */
    bool *taken;         /* of each port */
    bool *guessed;       /* of each field: by width, among others */
    bool *inverted;      /* of each field: its port is the inverse */
    const char *clock, *reset;
    bool reset_high, reset_guessed, clock_guessed;
    unsigned drafts;
    size_t open; /* what no line is there for */
} proposal;

/* ---- drafts ---- */

/* The plain unit with a map of that text. NULL and the error. */
static const ls_unit *draft(proposal *p, const char *text, char **error) {
    char message[1024];
    char *path = ls_format("%s/draft-%ld-%u.map", ls_cache(), (long)getpid(), p->drafts++);
    ls_text file = {.data = (char *)(uintptr_t)text, .size = strlen(text)};
    int failed = ls_make_directories(ls_cache());
    if (failed == 0) failed = ls_text_write(&file, path);
    const ls_unit *unit = failed == 0 ? ls_map_unit(p->plain, path, message, sizeof message) : NULL;
    if (unit == NULL) *error = failed == 0 ? ls_copy(message) : ls_format("%s: %s", path, strerror(-failed));
    (void)unlink(path);
    free(path);
    return unit;
}

/* Takes the lines so far as the request's map. */
static int settle(proposal *p, char **error) {
    p->request.unit = draft(p, p->lines.data != NULL ? p->lines.data : "", error);
    return p->request.unit != NULL ? 0 : -1;
}

static bool has_rule(const proposal *p, const char *name) {
    const ls_map *m = p->request.unit->map;
    const size_t n = strlen(name);
    for (size_t i = 0; m != NULL && i < m->rule_count; i++) {
        const char *left = m->rules[i].left;
        if (m->rules[i].kind != LS_RULE_PARAM && strncmp(left, name, n) == 0 &&
            (left[n] == '\0' || strchr(".[", left[n]) != NULL))
            return true;
        const char *any = strstr(left, "[*]"); /* of all instances of a kind */
        const char *bracket = any != NULL ? strchr(name, '[') : NULL;
        if (bracket != NULL && bracket - name == any - left && strncmp(left, name, (size_t)(any - left)) == 0 &&
            strcmp(any + 3, strchr(bracket, ']') + 1) == 0)
            return true;
    }
    return false;
}

/* Whether a rule's right side has the name in it. */
static bool is_used(const proposal *p, const char *name) {
    const ls_map *m = p->request.unit->map;
    const size_t n = strlen(name);
    for (size_t i = 0; m != NULL && i < m->rule_count; i++) {
        const char *text = m->rules[i].kind == LS_RULE_IS ? m->rules[i].right : m->rules[i].left;
        for (const char *at = text; (at = strstr(at, name)) != NULL; at += n) {
            const bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_' && at[-1] != '.');
            if (begins && !isalnum((unsigned char)at[n]) && at[n] != '_') return true;
        }
    }
    return false;
}

/* A line of the map in columns, with what is thought of it. */
static void line(ls_text *to, const char *left, const char *right, const char *why) {
    char *rule = ls_format("%s = %s", left, right);
    ls_text_add(to, "%-48s # %s\n", rule, why);
    free(rule);
}

/* ---- names ---- */

/* A port's name without what says that it is one: i_req, req_in, REQ and req_i are "req". */
static char *bare(const char *name) {
    static const char *const before[] = {"i_", "o_", "in_", "out_"}, *const behind[] = {"_i", "_o", "_in", "_out"};
    size_t n = strlen(name);
    for (int i = 0; i < 4; i++)
        if (strncmp(name, before[i], strlen(before[i])) == 0 && n > strlen(before[i])) {
            name += strlen(before[i]);
            n -= strlen(before[i]);
            break;
        }
    for (int i = 0; i < 4; i++)
        if (n > strlen(behind[i]) && strncmp(name + n - strlen(behind[i]), behind[i], strlen(behind[i])) == 0) {
            n -= strlen(behind[i]);
            break;
        }
    char *text = ls_format("%.*s", (int)n, name);
    for (char *c = text; *c != '\0'; c++) *c = (char)tolower((unsigned char)*c);
    return text;
}

static bool same_bare(const char *a, const char *b) {
    char *x = bare(a), *y = bare(b);
    const bool same = strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

static bool mentions(const char *name, const char *const *words) {
    char *low = ls_copy(name);
    bool found = false;
    for (char *c = low; *c != '\0'; c++) *c = (char)tolower((unsigned char)*c);
    for (; *words != NULL; words++) found |= strstr(low, *words) != NULL;
    free(low);
    return found;
}

/* ---- top module and parameters ---- */

static int elaborate(proposal *p, bool params, char **error) {
    ls_elab_free(&p->elab);
    return ls_design_look(&p->request, params, &p->elab, error);
}

/* Lines for parameters that have other names: by name but for case, the only one left, or the only one of that default. */
static void find_params(proposal *p) {
    const ls_unit *u = p->plain;
    for (size_t i = 0; i < u->param_count; i++) {
        const char *name = u->params[i].name, *found = NULL, *only = NULL, *why = NULL;
        size_t candidates = 0, others = 0;
        if (p->request.unit->map != NULL) {
            bool said = false;
            for (size_t k = 0; k < p->request.unit->map->rule_count; k++) {
                const ls_rule *r = &p->request.unit->map->rules[k];
                said |= (r->kind == LS_RULE_FIXED && strcmp(r->left, name) == 0) ||
                        (r->kind == LS_RULE_PARAM && strstr(r->right, name) != NULL);
            }
            if (said) continue;
        }
        char value[16];
        (void)snprintf(value, sizeof value, "%u", u->params[i].def);
        for (size_t k = 0; k < p->elab.param_count && found == NULL; k++)
            if (strcmp(p->elab.params[k], name) == 0) found = name;
        for (size_t k = 0; k < p->elab.param_count && found == NULL; k++) {
            bool ours = is_used(p, p->elab.params[k]);
            for (size_t q = 0; q < u->param_count; q++) ours |= strcmp(u->params[q].name, p->elab.params[k]) == 0;
            if (ours) continue;
            others++;
            only = p->elab.params[k];
            if (strcasecmp(p->elab.params[k], name) == 0) {
                found = p->elab.params[k];
                why = "certain: the same name but for case";
            } else if (p->elab.param_values[k] != NULL && u->params[i].def > 1 && strcmp(p->elab.param_values[k], value) == 0 &&
                       candidates++ == 0) {
                why = p->elab.params[k];
            }
        }
        if (found == name) continue;
        ls_text text = {0};
        if (found == NULL && candidates == 1) {
            found = why;
            why = "guess: the only one with this default";
        } else if (found == NULL && others == 1 && u->param_count == 1) {
            found = only;
            why = "guess: the only parameter";
        }
        if (found != NULL) ls_text_add(&text, "param %s", found);
        if (found != NULL) line(&p->lines, text.data, name, why);
        else {
            ls_text_add(&p->lines, "%-48s # guess: the RTL shows no parameter for it\n",
                        (ls_text_add(&text, "fixed %s %u", name, ls_config_get(&u->params[i], p->request.cfg)), text.data));
        }
        free(text.data);
    }
}

/* ---- ports ---- */

static bool is_input(const ls_field *f) { return f->kind == LS_IN; }

static bool is_port(const ls_field *f) { return f->kind == LS_IN || f->kind == LS_OUT; }

static bool fits(const ls_field *f, const ls_elab_signal *s) {
    return s->kind == (is_input(f) ? LS_ELAB_IN : LS_ELAB_OUT) && (uint64_t)s->bits * s->count == (uint64_t)f->bits * f->count;
}

/* An input of one bit with such a name; else NULL. */
static const char *pin_named(const proposal *p, const char *const *words) {
    for (size_t i = 0; i < p->elab.port_count; i++) {
        const ls_elab_signal *s = &p->elab.ports[i];
        if (s->kind == LS_ELAB_IN && s->bits == 1 && s->count == 1 && !p->taken[i] && mentions(s->name, words)) return s->name;
    }
    return NULL;
}

static void mark_taken(proposal *p, const char *name) {
    for (size_t i = 0; name != NULL && i < p->elab.port_count; i++) p->taken[i] |= strcmp(p->elab.ports[i].name, name) == 0;
}

/* The first input of one bit that is left. */
static const char *pin_left(const proposal *p) {
    for (size_t i = 0; i < p->elab.port_count; i++) {
        const ls_elab_signal *s = &p->elab.ports[i];
        if (s->kind == LS_ELAB_IN && s->bits == 1 && s->count == 1 && !p->taken[i]) return s->name;
    }
    return NULL;
}

/* Ports by name, clock and reset, then by width. */
static void find_ports(proposal *p) {
    static const char *const clocks[] = {"clk", "clock", "ck", NULL}, *const resets[] = {"rst", "reset", "rs", "clr", NULL};
    const ls_unit *u = p->request.unit;
    char name[256];
    for (size_t i = 0; i < p->elab.port_count; i++) p->taken[i] = is_used(p, p->elab.ports[i].name);
    const bool clock_said = u->map != NULL && u->map->clock_line != 0, reset_said = u->map != NULL && u->map->reset_line != 0;
    const bool clock_is = ls_unit_clock(u) == NULL || ls_elab_port(&p->elab, ls_unit_clock(u)) != NULL;
    const bool reset_is = ls_unit_reset(u) == NULL || ls_elab_port(&p->elab, ls_unit_reset(u)) != NULL;
    if (clock_is) mark_taken(p, ls_unit_clock(u));
    if (reset_is) mark_taken(p, ls_unit_reset(u));
    for (int pass = 0; pass < 2; pass++) /* the very name, then nearly */
        for (size_t i = 0; i < p->fields.count; i++) {
            const ls_field *f = &p->fields.list[i];
            if (!is_port(f) || p->port[i] != 0 || has_rule(p, f->name)) continue;
            for (size_t k = 0; k < p->elab.port_count && p->port[i] == 0; k++) {
                const char *theirs = p->elab.ports[k].name;
                if (p->taken[k] || !fits(f, &p->elab.ports[k])) continue;
                const bool very = strcmp(ls_rtl_name(f, name, sizeof name), theirs) == 0;
                if (!very && (pass == 0 || !same_bare(f->name, theirs))) continue;
                p->port[i] = k + 1;
                p->taken[k] = true;
            }
        }
    if (!clock_is && !clock_said) p->clock = pin_named(p, clocks);
    mark_taken(p, p->clock);
    if (!reset_is && !reset_said) p->reset = pin_named(p, resets);
    mark_taken(p, p->reset);
    if (!clock_is && !clock_said && p->clock == NULL) {
        p->clock = pin_left(p);
        p->clock_guessed = true;
        mark_taken(p, p->clock);
    }
    if (!reset_is && !reset_said && p->reset == NULL) {
        p->reset = pin_left(p);
        p->reset_guessed = true;
        mark_taken(p, p->reset);
    }
    const size_t n = p->reset != NULL ? strlen(p->reset) : 0;
    p->reset_high =
        n > 0 && strchr("nN", p->reset[n - 1]) == NULL && strchr("nNlL", p->reset[0]) == NULL && strstr(p->reset, "_n") == NULL;
    for (size_t i = 0; i < p->fields.count; i++) { /* of a width, in their order */
        const ls_field *f = &p->fields.list[i];
        if (!is_port(f) || p->port[i] != 0 || has_rule(p, f->name)) continue;
        for (size_t k = 0; k < p->elab.port_count && p->port[i] == 0; k++) {
            if (p->taken[k] || !fits(f, &p->elab.ports[k])) continue;
            p->port[i] = k + 1;
            p->taken[k] = p->guessed[i] = true;
        }
    }
}

/* Whether another guess could have taken the port of the i-th field. */
static bool has_rival(const proposal *p, size_t i) {
    const ls_field *f = &p->fields.list[i];
    for (size_t k = 0; k < p->fields.count; k++)
        if (k != i && p->guessed[k] && p->fields.list[k].kind == f->kind &&
            fits(&p->fields.list[k], &p->elab.ports[p->port[i] - 1]))
            return true;
    for (size_t k = 0; k < p->elab.port_count; k++)
        if (!p->taken[k] && fits(f, &p->elab.ports[k])) return true;
    return false;
}

/* The lines of the ports; `agreed`: what is thought of guesses after a run, in which all outputs agreed if it is certain. */
static void port_lines(const proposal *p, const char *agreed, ls_text *to) {
    char name[256];
    const char *pin_why = agreed != NULL ? agreed : "guess";
    const bool sure = strncmp(pin_why, "certain", 7) == 0;
    if (p->clock != NULL)
        ls_text_add(to, "clock %-42s # %s\n", p->clock,
                    p->clock_guessed ? pin_why : "certain: an input of one bit with that name");
    if (p->reset != NULL)
        ls_text_add(to, "reset %s %-*s # %s\n", p->reset, (int)(41 - strlen(p->reset)), p->reset_high ? "high" : "low", pin_why);
    for (size_t i = 0; i < p->fields.count; i++) {
        const ls_field *f = &p->fields.list[i];
        if (p->port[i] == 0) continue;
        const char *theirs = p->elab.ports[p->port[i] - 1].name;
        if (strcmp(ls_rtl_name(f, name, sizeof name), theirs) == 0 && !p->inverted[i]) continue;
        char *only = ls_format("%s: the only %s of %u bit%s", sure ? "certain" : "guess", is_input(f) ? "input" : "output",
                               f->bits * f->count, f->bits * f->count == 1 ? "" : "s");
        char *right = ls_format("%s%s", p->inverted[i] ? "~" : "", theirs);
        line(to, f->name, right,
             p->inverted[i]     ? pin_why
             : !p->guessed[i]   ? "certain: name and width"
             : !has_rival(p, i) ? only
                                : pin_why);
        free(right);
        free(only);
    }
    for (size_t k = 0; k < p->elab.port_count; k++) {
        const ls_elab_signal *s = &p->elab.ports[k];
        if (p->taken[k] || s->bits == 0 || s->kind == LS_ELAB_INOUT) continue;
        if (s->kind == LS_ELAB_IN)
            ls_text_add(to, "tie %s = 0%-*s # guess: the model has no such input\n", s->name,
                        (int)(40 - strlen(s->name) > 0 ? 40 - strlen(s->name) : 1), "");
        else ls_text_add(to, "ignore %s \"the model has no such output\" # guess\n", s->name);
    }
}

/* ---- trials ---- */

/* Runs the lines so far with those of the ports. 0, or -1 and the error. */
static int try_ports(proposal *p, const ls_build_result *build, uint64_t seed, uint64_t cycles, ls_watch *watch, char **error) {
    ls_text all = {0}, problems = {0};
    ls_text_add(&all, "%s", p->lines.data != NULL ? p->lines.data : "");
    port_lines(p, NULL, &all);
    const ls_unit *unit = draft(p, all.data, error);
    free(all.data);
    if (unit == NULL) return -1;
    ls_fields plain = p->fields;
    if (ls_map_resolve(unit->map, &plain, &build->elab, true, &problems) > 0) {
        *error = ls_text_take(&problems);
        return -1;
    }
    const ls_request run = {
        .unit = unit, .cfg = p->request.cfg, .so_path = build->so_path, .seed = seed, .cycles = cycles, .ports_only = true};
    ls_map_watch(&run, &p->fields, &build->elab, watch);
    return 0;
}

/* The search for the ports of what is guessed: what agreed for longest so far. */
typedef struct search {
    const ls_build_result *build;
    uint64_t seed, cycles;
    size_t *list, count; /* guessed fields */
    size_t *port;        /* of the best */
    bool *taken, *inverted, high, any;
    bool turn; /* inputs too */
    unsigned trials;
    ls_watch *watch;
} search;

/* Whether a run agreed for longer than another, or in its last cycle in more of the list's outputs. */
static bool is_longer(const ls_watch *a, const ls_watch *b) {
    return a->agreed || a->cycles > b->cycles || (a->cycles == b->cycles && a->differs > b->differs);
}

/* A run. An output that differs is turned round, as long as the next run then is longer. */
static int try_inverses(proposal *p, const search *s, ls_watch *watch, char **error) {
    int status = try_ports(p, s->build, s->seed, s->cycles, watch, error);
    while (status == 0 && !watch->agreed && watch->differs != NULL) {
        const size_t i = (size_t)(watch->differs - p->fields.list);
        if (p->port[i] == 0 || is_input(watch->differs) || p->inverted[i]) break;
        ls_watch next;
        p->inverted[i] = true;
        status = try_ports(p, s->build, s->seed, s->cycles, &next, error);
        if (status != 0) break;
        const bool longer = is_longer(&next, watch);
        p->inverted[i] = longer;
        ls_watch_free(longer ? watch : &next);
        if (!longer) break;
        *watch = next;
    }
    return status;
}

/* Notes the lines as they are now, and their run, as the best so far. */
static void keep(const proposal *p, search *s, ls_watch *watch) {
    ls_watch_free(s->watch);
    *s->watch = *watch;
    s->high = p->reset_high;
    memcpy(s->port, p->port, p->fields.count * sizeof *s->port);
    memcpy(s->taken, p->taken, p->elab.port_count);
    memcpy(s->inverted, p->inverted, p->fields.count);
    s->any = true;
}

/* Turns inputs round, one after another, as long as that agrees for longer. Only if all outputs agree in the end is it kept: a
 * part of the way there can be a fault's work as well. */
static int turn_inputs(proposal *p, search *s, ls_watch *watch, char **error) {
    int status = 0;
    bool *before = ls_zeroed(p->fields.count + 1);
    for (bool longer = true; longer && status == 0 && !watch->agreed;) {
        longer = false;
        for (size_t i = 0; i < p->fields.count && status == 0 && !watch->agreed && s->trials < TRIALS; i++) {
            if (p->port[i] == 0 || !is_input(&p->fields.list[i]) || p->inverted[i]) continue;
            ls_watch next;
            s->trials++;
            memcpy(before, p->inverted, p->fields.count);
            p->inverted[i] = true;
            status = try_inverses(p, s, &next, error);
            if (status != 0) break;
            const bool better = is_longer(&next, watch);
            if (!better) memcpy(p->inverted, before, p->fields.count);
            ls_watch_free(better ? watch : &next);
            if (better) *watch = next;
            longer |= better;
        }
    }
    free(before);
    return status;
}

/* One order, with both levels of reset. */
static int try_order(proposal *p, search *s, char **error) {
    int status = 0;
    s->trials++;
    for (int level = 0; level < (p->reset != NULL ? 2 : 1) && status == 0 && !s->watch->agreed; level++) {
        ls_watch watch;
        memset(p->inverted, 0, p->fields.count);
        status = try_inverses(p, s, &watch, error);
        if (status == 0 && s->turn) status = turn_inputs(p, s, &watch, error);
        if (status != 0) break;
        if (s->turn ? watch.agreed : !s->any || is_longer(&watch, s->watch)) keep(p, s, &watch);
        else ls_watch_free(&watch);
        p->reset_high = !p->reset_high;
    }
    return status;
}

/* Gives the guessed fields from number `i` on each port that they could have, in turn. */
static int try_from(proposal *p, search *s, size_t i, char **error) {
    if (i == s->count) return try_order(p, s, error);
    int status = 0;
    for (size_t k = 0; k < p->elab.port_count && status == 0 && !s->watch->agreed && s->trials < TRIALS; k++) {
        if (p->taken[k] || !fits(&p->fields.list[s->list[i]], &p->elab.ports[k])) continue;
        p->port[s->list[i]] = k + 1;
        p->taken[k] = true;
        status = try_from(p, s, i + 1, error);
        p->taken[k] = false;
    }
    return status;
}

/* Tries both levels of reset, all ports for what was guessed and inverses until all outputs agree; else it leaves what agreed for
 * longest. */
static int find_order(proposal *p, const ls_build_result *build, uint64_t seed, uint64_t cycles, ls_watch *watch, char **error) {
    search s = {.build = build, .seed = seed, .cycles = cycles, .watch = watch};
    s.list = ls_zeroed((p->fields.count + 1) * sizeof *s.list);
    s.port = ls_zeroed((p->fields.count + 1) * sizeof *s.port);
    s.taken = ls_zeroed(p->elab.port_count + 1);
    s.inverted = ls_zeroed(p->fields.count + 1);
    for (size_t i = 0; i < p->fields.count; i++) {
        if (!p->guessed[i]) continue;
        s.list[s.count++] = i;
        p->taken[p->port[i] - 1] = false;
    }
    int status = try_from(p, &s, 0, error);
    s.trials = 0;
    s.turn = true;
    if (status == 0 && !watch->agreed) status = try_from(p, &s, 0, error);
    p->reset_high = s.high;
    memcpy(p->port, s.port, p->fields.count * sizeof *s.port);
    memcpy(p->taken, s.taken, p->elab.port_count);
    memcpy(p->inverted, s.inverted, p->fields.count);
    free(s.inverted);
    free(s.list);
    free(s.port);
    free(s.taken);
    return status;
}

/* ---- registers ---- */

/* Bits at .. at + bits of a layout, as the RTL selects them. False: no one selection is these bits. */
static bool selection(const ls_elab_layout *l, uint32_t at, uint32_t bits, ls_text *to) {
    if (l == NULL || (at == 0 && bits == l->bits)) return l != NULL;
    for (uint32_t i = 0; i < l->member_count; i++) {
        const ls_elab_member *m = &l->members[i];
        if (at < m->low || at + bits > m->low + m->layout->bits) continue;
        ls_text_add(to, ".%s", m->name);
        return selection(m->layout, at - m->low, bits, to);
    }
    if (!l->indexed) return false;
    const uint32_t unit = l->inner != NULL ? l->inner->bits : 1, first = at / unit, last = (at + bits - 1) / unit;
    const long low = l->left < l->right ? l->left : l->right;
    const long right = l->unpacked ? low + (long)first : l->left >= l->right ? l->right + (long)first : l->right - (long)first;
    const long left = l->unpacked ? low + (long)last : l->left >= l->right ? l->right + (long)last : l->right - (long)last;
    if (first == last) {
        ls_text_add(to, "[%ld]", right);
        return unit == 1 || selection(l->inner, at % unit, bits, to);
    }
    if (at % unit != 0 || bits % unit != 0 || l->unpacked) return false;
    ls_text_add(to, "[%ld:%ld]", left, right);
    return true;
}

/* A run of bits that did the same as some of the model's. */
typedef struct match {
    const ls_watched *r;
    uint32_t at, bits;
    bool invert;
} match;

static bool did_same(const ls_watch *w, uint64_t model, uint64_t rtl, bool invert) {
    return invert ? model + rtl == w->ones : model == rtl;
}

static bool can_select(const match *m) {
    ls_text unheard = {0};
    const bool can = selection(m->r->signal->layout, m->at, m->bits, &unheard);
    free(unheard.data);
    return can;
}

/* The longest run that did what bits from `from` on of the model's register did; *rivals others of that length. Whole registers
 * before parts, then as they stand. */
static match longest(const ls_watch *w, const ls_watched *model, uint32_t from, uint32_t to, size_t *rivals) {
    match best = {0};
    bool best_whole = false;
    *rivals = 0;
    for (size_t i = 0; i < w->rtl_count; i++)
        for (int invert = 0; invert < 2; invert++)
            for (uint32_t at = 0; at < w->rtl[i].bits; at++) {
                const ls_watched *r = &w->rtl[i];
                match m = {r, at, 0, invert != 0};
                while (from + m.bits < to && at + m.bits < r->bits &&
                       did_same(w, model->did[from + m.bits], r->did[at + m.bits], m.invert))
                    m.bits++;
                while (m.bits > 1 && !can_select(&m)) m.bits--;
                if (m.bits == 0 || m.bits < best.bits) continue;
                const bool whole = at == 0 && m.bits == r->bits;
                const bool better = m.bits > best.bits || (whole && !best_whole);
                if (m.bits > best.bits) *rivals = 0;
                else ++*rivals;
                if (better) best = m;
                if (better) best_whole = whole;
            }
    return best;
}

/* The expression of a register's bits `from` .. `to`, the highest first. False: some have no equal; *rivals and *constant tell
 * how sure it is. */
static bool expression(const ls_watch *w, const ls_watched *model, uint32_t from, uint32_t to, ls_text *text, size_t *rivals,
                       bool *constant) {
    char *parts[LS_ELEMENT_BITS];
    uint32_t count = 0;
    bool found = true;
    for (uint32_t at = from; at < to && found && count < LS_ELEMENT_BITS;) {
        size_t others;
        const match m = longest(w, model, at, to, &others);
        found = m.bits > 0;
        if (!found) break;
        ls_text one = {0};
        ls_text_add(&one, "%s%s", m.invert ? "~" : "", m.r->signal->name);
        (void)selection(m.r->signal->layout, m.at, m.bits, &one);
        bool still = false, moved = false;
        for (uint32_t i = at; i < at + m.bits; i++) {
            const bool stood = model->did[i] == 0 || model->did[i] == w->ones;
            still |= stood;
            moved |= !stood;
        }
        *constant |= still && !(moved && m.at == 0 && m.bits == m.r->bits);
        parts[count++] = one.data;
        *rivals += others;
        at += m.bits;
    }
    if (count > 1 && found) ls_text_add(text, "{");
    for (uint32_t i = count; i-- > 0;) {
        if (found) ls_text_add(text, "%s%s", parts[i], i > 0 ? ", " : count > 1 ? "}" : "");
        free(parts[i]);
    }
    return found;
}

static const ls_watched *register_named(const ls_watch *w, const char *name) {
    for (size_t i = 0; i < w->rtl_count; i++)
        if (strcmp(w->rtl[i].signal->name, name) == 0) return &w->rtl[i];
    return NULL;
}

/* One line for the register, or one for each element. */
static void find_register(proposal *p, const ls_watch *w, const ls_watched *model) {
    const ls_field *f = model->field;
    char name[256], why[160];
    const ls_watched *same = register_named(w, ls_rtl_name(f, name, sizeof name));
    bool equal = same != NULL && same->bits == model->bits;
    for (uint32_t i = 0; equal && i < model->bits; i++) equal = did_same(w, model->did[i], same->did[i], false);
    if (equal || has_rule(p, f->name)) return; /* the very name, or said */
    const uint32_t whole = f->count > 1 && f->member_count == 0 ? f->count : 1;
    ls_text lines = {0};
    bool all = true;
    for (uint32_t pass = 0; pass < 2; pass++) { /* as one, then element by element */
        const uint32_t steps = pass == 0 ? 1 : whole, bits = model->bits / steps;
        all = bits <= LS_ELEMENT_BITS || pass == 0;
        for (uint32_t i = 0; i < steps && all; i++) {
            ls_text text = {0};
            size_t rivals = 0;
            bool constant = false;
            char *left = steps > 1 ? ls_format("%s[%u]", f->name, i) : ls_copy(f->name);
            all = bits <= LS_ELEMENT_BITS && expression(w, model, i * bits, (i + 1) * bits, &text, &rivals, &constant);
            if (pass == 0 && whole > 1 && all && text.data[0] == '{') all = false; /* better by element */
            if (rivals > 0 || constant)
                (void)snprintf(why, sizeof why, "guess: %s", constant ? "a bit of it never changed" : "others did the same");
            else
                (void)snprintf(why, sizeof why, "certain: equal in all %llu cycles, and nothing else was",
                               (unsigned long long)w->cycles);
            if (all) line(&lines, left, text.data, why);
            free(left);
            free(text.data);
        }
        if (all || whole == 1) break;
        free(ls_text_take(&lines));
    }
    if (all) {
        ls_text_add(&p->lines, "%s", lines.data);
    } else {
        ls_text_add(&p->tail, "# %s (%u x %u bit%s): nothing in the RTL did the same: map it, or ignore %s \"reason\"\n", f->name,
                    f->count, f->bits, ls_plural(f->bits), f->name);
        p->open++;
    }
    free(lines.data);
}

/* Memories, by shape alone: what is in them at power-up is not the same. */
static void find_memories(proposal *p) {
    char name[256];
    for (size_t i = 0; i < p->fields.count; i++) {
        const ls_field *f = &p->fields.list[i];
        const ls_elab_signal *found = NULL;
        size_t count = 0, alike = 0;
        if (f->kind != LS_MEMORY || has_rule(p, f->name) || ls_elab_find(&p->elab, ls_rtl_name(f, name, sizeof name)) != NULL)
            continue;
        for (size_t k = 0; k < p->fields.count; k++)
            alike +=
                p->fields.list[k].kind == LS_MEMORY && p->fields.list[k].bits == f->bits && p->fields.list[k].count == f->count;
        for (size_t k = 0; k < p->elab.register_count; k++) {
            const ls_elab_signal *s = &p->elab.registers[k];
            if (s->kind != LS_ELAB_REG || s->bits != f->bits || s->count != f->count || is_used(p, s->name)) continue;
            if (found == NULL) found = s;
            count++;
        }
        if (found == NULL) {
            ls_text_add(&p->tail,
                        "# %s (%u x %u bit%s): the RTL has no memory of this shape; until it is mapped the model does not know "
                        "its contents\n",
                        f->name, f->count, f->bits, ls_plural(f->bits));
            p->open++;
            continue;
        }
        char *text = ls_format("%s: %s of %u x %u bit%s", count == 1 && alike == 1 ? "certain" : "guess",
                               count == 1 && alike == 1 ? "the only memory" : "one of the memories", f->count, f->bits,
                               ls_plural(f->bits));
        line(&p->lines, f->name, found->name, text);
        free(text);
        char *error = NULL; /* the next one is another */
        if (settle(p, &error) != 0) free(error);
    }
}

/* What of the RTL is in no line. */
static void tell_rest(proposal *p) {
    char name[256];
    for (size_t i = 0; i < p->elab.register_count; i++) {
        const ls_elab_signal *s = &p->elab.registers[i];
        if ((s->kind != LS_ELAB_REG && s->kind != LS_ELAB_LATCH) || is_used(p, s->name)) continue;
        bool named = false;
        for (size_t k = 0; k < p->fields.count; k++)
            named |= strcmp(ls_rtl_name(&p->fields.list[k], name, sizeof name), s->name) == 0;
        for (size_t k = 0; k < p->fields.count; k++)
            named |= p->port[k] != 0 && strcmp(p->elab.ports[p->port[k] - 1].name, s->name) == 0;
        if (named) continue;
        ls_text_add(&p->tail, "# of the RTL %s (%u x %u bit%s, %s:%u) is in no line: map it, or ignore %s \"reason\"\n", s->name,
                    s->count, s->bits, ls_plural(s->bits), s->file, s->line, s->name);
        p->open++;
    }
}

static void count_ports(proposal *p) {
    char name[256];
    for (size_t i = 0; i < p->fields.count; i++) {
        const ls_field *f = &p->fields.list[i];
        if (!is_port(f) || p->port[i] != 0 || has_rule(p, f->name)) continue;
        ls_text_add(&p->tail, "# %s (%s, %u x %u bits): no port is left that could be it\n", ls_rtl_name(f, name, sizeof name),
                    is_input(f) ? "input" : "output", f->count, f->bits);
        p->open++;
    }
}

static int propose(proposal *p, uint64_t seed, uint64_t cycles, char **error) {
    if (elaborate(p, false, error) != 0) return -1;
    const bool top_said = p->request.unit->map != NULL && p->request.unit->map->top_line != 0;
    const char *top = p->elab.port_count > 0 ? p->elab.ports[0].module : p->plain->name;
    if (!top_said && strcmp(top, ls_unit_top(p->plain)) != 0)
        ls_text_add(&p->lines, "top %-44s # certain: no other module has an instance of it\n", top);
    find_params(p);
    if (settle(p, error) != 0 || elaborate(p, true, error) != 0) return -1;
    p->taken = ls_zeroed(p->elab.port_count + 1);
    find_memories(p); /* the model starts with what is in them */
    find_ports(p);
    count_ports(p);
    bool runs = true; /* memories may be open */
    for (size_t i = 0; i < p->fields.count; i++)
        runs &= !is_port(&p->fields.list[i]) || p->port[i] != 0 || has_rule(p, p->fields.list[i].name);
    if (!runs) {
        port_lines(p, NULL, &p->lines);
        ls_text_add(&p->tail, "# nothing was run, so registers are open: complete the ports and call again with --map\n");
        return 0;
    }
    ls_text build_lines = {0};
    ls_text_add(&build_lines, "%s", p->lines.data != NULL ? p->lines.data : "");
    port_lines(p, NULL, &build_lines);
    ls_build_result build;
    ls_design_request rq = p->request;
    rq.ports_only = true;
    rq.unit = draft(p, build_lines.data, error);
    free(build_lines.data);
    if (rq.unit == NULL || ls_design_build(&rq, &build, error) != 0) return -1;
    ls_watch watch = {0};
    ls_progress_begin("%s: trying ports", p->plain->name);
    const int status = find_order(p, &build, seed, cycles, &watch, error);
    ls_progress_end();
    if (status == 0) {
        char agreed[96];
        (void)snprintf(agreed, sizeof agreed,
                       watch.agreed ? "certain: so all outputs agree in %llu cycles" : "guess: so outputs agree in %llu cycles",
                       (unsigned long long)watch.cycles);
        port_lines(p, agreed, &p->lines);
        if (!watch.agreed) {
            ls_text_add(&p->tail, "# the outputs do not agree: %s. Names, or the RTL\n", watch.message);
            p->open++;
        }
        char *failed = NULL;
        if (settle(p, &failed) != 0) free(failed);
        const bool enough = watch.agreed || watch.cycles >= ENOUGH;
        for (size_t i = 0; i < watch.model_count && enough; i++) find_register(p, &watch, &watch.model[i]);
        if (!enough) ls_text_add(&p->tail, "# too few cycles: registers were not looked at\n");
        if (settle(p, error) != 0) return -1;
        tell_rest(p);
    }
    ls_watch_free(&watch);
    ls_build_free(&build);
    return status;
}

int ls_map_propose(const ls_design_request *request, uint64_t seed, uint64_t cycles, ls_text *text, char **error) {
    const ls_map *given = request->unit->map;
    proposal p = {.request = *request, .plain = given != NULL ? given->unit : request->unit};
    void *model = ls_zeroed(p.plain->model_size);
    const char *wrong = p.plain->check(request->cfg);
    *error = NULL;
    if (wrong != NULL || p.plain->init(model, request->cfg) != 0) {
        *error = ls_format("%s: %s", p.plain->name, wrong != NULL ? wrong : "the configuration is refused");
        free(model);
        return -1;
    }
    p.plain->fields(&p.fields, model);
    free(model);
    if (given != NULL) (void)ls_text_read(&p.lines, given->path);
    if (p.lines.size > 0) ls_text_put(&p.lines, "\n", p.lines.data[p.lines.size - 1] == '\n' ? 0 : 1);
    if (p.lines.size > 0) ls_text_put(&p.lines, "", 0);
    p.port = ls_zeroed((p.fields.count + 1) * sizeof *p.port);
    p.guessed = ls_zeroed(p.fields.count + 1);
    p.inverted = ls_zeroed(p.fields.count + 1);
    const int status = propose(&p, seed, cycles, error);
    if (status == 0) ls_text_add(text, "%s%s", p.lines.data != NULL ? p.lines.data : "", p.tail.data != NULL ? p.tail.data : "");
    ls_elab_free(&p.elab);
    ls_fields_free(&p.fields);
    free(p.lines.data);
    free(p.tail.data);
    free(p.port);
    free(p.taken);
    free(p.guessed);
    free(p.inverted);
    return status == 0 ? (int)p.open : -1;
}
