/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/shrink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_lines.h"
#include "harness/base/clock.h"
#include "harness/base/memory.h"
#include "harness/base/progress.h"
#include "harness/core/plan.h"
#include "harness/core/run.h"

#define BUDGET_SECONDS 60.0 /* then the best case so far is kept, and said to be not minimal */

/* One thing that can be taken away: one element of one input in one cycle (made 0), or of the start state (left as the reset
 * leaves it). */
typedef struct item {
    uint32_t cycle, size;
    size_t offset; /* in the inputs, or in the model */
} item;

#define START UINT32_MAX /* instead of a cycle */

typedef struct shrinker {
    const char *so_path;
    bool ports_only;
    const ls_masks *masks;
    ls_fields fields;
    size_t trials;
    double deadline;
    bool late;
    char wrong[512]; /* why the last trial could not be run, or "" */
} shrinker;

/* Does the case still fail first in its field, or in any when it names none? On success the cycles after the failing one are
 * dropped, and it names the field. */
static bool still_fails(shrinker *s, ls_case *c) {
    s->late |= ls_seconds() > s->deadline;
    if (s->late) return false;
    s->trials++;
    const ls_request request = {.unit = c->unit,
                                .cfg = c->cfg,
                                .so_path = s->so_path,
                                .replay = c,
                                .ports_only = s->ports_only,
                                .masks = s->masks,
                                .quick = true};
    ls_result r;
    ls_run(&request, NULL, &r);
    ls_cut(s->wrong, sizeof s->wrong, r.status == LS_USAGE ? r.message : "");
    if (r.status != LS_MISMATCH || r.mismatch.cycle >= c->count) return false;
    if (c->field[0] == '\0') ls_case_set_field(c, r.mismatch.field);
    if (strcmp(r.mismatch.field, c->field) != 0) return false;
    c->count = (size_t)r.mismatch.cycle + 1;
    return true;
}

static ls_case copy_case(const ls_case *from) {
    ls_case c;
    ls_case_like(&c, from);
    for (size_t i = 0; i < from->count; i++) (void)ls_case_add(&c, from->reset[i] != 0, from->warp[i], ls_case_in(from, i));
    return c;
}

/* The reset that the case starts with is never taken away: without it registers hold power-up values. */
static size_t leading_resets(const ls_case *c) { return c->count > 0 && c->reset[0] != 0; }

/* `c` without cycles [from, to), if it still fails. */
static bool try_without_cycles(shrinker *s, ls_case *c, size_t from, size_t to) {
    ls_case trial;
    ls_case_like(&trial, c);
    for (size_t i = 0; i < c->count; i++)
        if (i < from || i >= to) (void)ls_case_add(&trial, c->reset[i] != 0, c->warp[i], ls_case_in(c, i));
    const bool ok = still_fails(s, &trial);
    if (ok) {
        ls_case_free(c);
        *c = trial;
    } else {
        ls_case_free(&trial);
    }
    return ok;
}

/* Takes cycles away in chunks of halving size; true when any went. At the end no single one can go, the last one included: what
 * is wrong in a swept memory may be seen in a later cycle than it happened in. */
static bool shrink_cycles(shrinker *s, ls_case *c) {
    bool any = false;
    const size_t first = leading_resets(c);
    for (size_t chunk = (c->count - first + 1) / 2; chunk > 0 && !s->late; chunk /= 2) {
        for (bool went = true; went && !s->late;) {
            went = chunk == 1 && c->count > 1 && c->count > first && try_without_cycles(s, c, c->count - 1, c->count);
            any |= went;
            for (size_t end = c->count > 0 ? c->count - 1 : 0; end > first && !s->late;) {
                const size_t from = end - first > chunk ? end - chunk : first;
                if (try_without_cycles(s, c, from, end)) any = went = true;
                end = from < c->count ? from : c->count - 1;
            }
            if (chunk > 1) break; /* only single cycles are tried until none goes */
        }
    }
    return any;
}

static bool is_set(const uint8_t *in, size_t offset, size_t size) {
    for (size_t b = 0; b < size; b++)
        if (in[offset + b] != 0) return true;
    return false;
}

/* All input elements that are not 0, field by field so that neighbours are alike. */
static item *list_inputs(const shrinker *s, const ls_case *c, size_t *count) {
    item *list = NULL;
    size_t n = 0, room = 0;
    for (uint32_t k = 0; k < s->fields.count; k++) {
        const ls_field *f = &s->fields.list[k];
        for (uint32_t p = 0; f->kind == LS_IN && p < ls_part_count(f); p++) {
            const ls_field part = ls_part_of(f, p).field;
            for (uint32_t e = 0; e < part.count; e++) {
                const size_t offset = part.offset + (size_t)e * part.size;
                for (uint32_t i = 0; i < c->count; i++) {
                    if (!is_set(ls_case_in(c, i), offset, part.size)) continue;
                    if (n == room) list = ls_resize(list, (room = room != 0 ? room * 2 : 256) * sizeof *list);
                    list[n++] = (item){i, part.size, offset};
                }
            }
        }
    }
    *count = n;
    return list;
}

/* All elements of the start state that are given. */
static item *list_start(const shrinker *s, const ls_case *c, size_t *count) {
    item *list = ls_zeroed((ls_start_count(&c->start, &s->fields) + 1) * sizeof *list);
    *count = 0;
    for (size_t k = 0; c->start.model != NULL && k < s->fields.count; k++) {
        const ls_field *f = &s->fields.list[k];
        for (uint32_t p = 0; ls_is_state(f) && p < ls_part_count(f); p++) {
            const ls_field part = ls_part_of(f, p).field;
            for (uint32_t e = 0; e < part.count; e++)
                if (ls_start_gives(&c->start, &part, e))
                    list[(*count)++] = (item){START, part.size, part.offset + (size_t)e * part.size};
        }
    }
    return list;
}

static void zero_items(ls_case *c, const item *list, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) {
        if (list[i].cycle == START) memset(c->start.given + list[i].offset, 0, list[i].size);
        else if (list[i].cycle < c->count) memset(c->in + list[i].cycle * c->unit->in_size + list[i].offset, 0, list[i].size);
    }
}

typedef item *lister(const shrinker *s, const ls_case *c, size_t *count);

/* One pass over the items with chunks of `chunk` of them; true when any went. */
static bool zero_chunks(shrinker *s, ls_case *c, lister *items, size_t chunk) {
    size_t n;
    bool any = false;
    item *list = items(s, c, &n);
    for (size_t from = 0; from < n && !s->late; from += chunk) {
        const size_t to = n - from > chunk ? from + chunk : n;
        ls_case trial = copy_case(c);
        zero_items(&trial, list, from, to);
        if (still_fails(s, &trial)) {
            ls_case_free(c);
            *c = trial;
            any = true;
        } else {
            ls_case_free(&trial);
        }
    }
    free(list);
    return any;
}

static bool shrink_items(shrinker *s, ls_case *c, lister *items) {
    size_t n;
    bool any = false;
    free(items(s, c, &n));
    for (size_t chunk = (n + 1) / 2; chunk > 1 && !s->late; chunk /= 2) any |= zero_chunks(s, c, items, chunk);
    while (zero_chunks(s, c, items, 1)) any = true;
    return any;
}

int ls_shrink(const char *from, const char *to, const char *so_path, bool ports_only, const ls_masks *masks,
              ls_shrink_report *report) {
    ls_case c;
    *report = (ls_shrink_report){0};
    if (ls_case_read(&c, from, report->message, sizeof report->message) != 0) return -1;
    shrinker s = {.so_path = so_path, .ports_only = ports_only, .masks = masks, .deadline = ls_seconds() + BUDGET_SECONDS};
    void *model = ls_zeroed(c.unit->model_size);
    if (c.unit->init(model, c.cfg) == 0) ls_unit_fields(c.unit, &s.fields, model);
    free(model);
    report->cycles_before = c.count;
    free(list_inputs(&s, &c, &report->inputs_before));
    report->state_before = ls_start_count(&c.start, &s.fields);
    int status = -1;
    ls_progress_begin("%s: shrinking the case", c.unit->name);
    if (!still_fails(&s, &c)) {
        report->passes = true;
        char shown[RF_PATH_SHOWN];
        if (s.wrong[0] != '\0') ls_cut(report->message, sizeof report->message, s.wrong);
        else
            (void)snprintf(report->message, sizeof report->message, "%s: the case does not fail in %s%s",
                           rf_path_shown(from, shown), c.field[0] != '\0' ? "field " : "any field", c.field);
    } else {
        /* A long case mostly fails in its last cycles alone: try short windows first. */
        const size_t first = leading_resets(&c);
        for (size_t window = 8; window < c.count - first && !s.late; window *= 4)
            if (try_without_cycles(&s, &c, first, c.count - window)) break;
        for (bool more = true; more && !s.late;) {
            more = shrink_cycles(&s, &c);
            more |= shrink_items(&s, &c, list_inputs);
            more |= shrink_items(&s, &c, list_start);
        }
        report->minimal = !s.late;
        (void)snprintf(report->field, sizeof report->field, "%s", c.field);
        status = ls_case_write(&c, to, report->message, sizeof report->message);
    }
    ls_progress_end();
    report->cycles_after = c.count;
    report->trials = s.trials;
    free(list_inputs(&s, &c, &report->inputs_after));
    report->state_after = ls_start_count(&c.start, &s.fields);
    ls_fields_free(&s.fields);
    ls_case_free(&c);
    return status;
}
