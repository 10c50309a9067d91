/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/proof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/folder.h"
#include "harness/base/memory.h"
#include "harness/core/config.h"
#include "harness/proof/lanes.h"
#include "harness/proof/model_graph.h"
#include "harness/proof/rtl_graph.h"
#include "harness/proof/simulate.h"
#include "harness/proof/solve.h"

#define TOOL_MS 1800000u
#define LOOP ", or it depends on itself in one cycle, through units that are cut"

typedef struct work {
    const ls_proof_query *query;
    ls_proof_answer *answer;
    const ls_unit *unit;
    ls_slices slices;
    ls_aig_maker maker;
    ls_model_graph model;
    ls_rtl_graph rtl;
    ls_lanes lanes;
    uint32_t *first;   /* of each field: the place of its bit 0 in "bits" */
    uint32_t *bits[2]; /* the literals of outputs and next states in a cycle: the model's, the RTL's */
    ls_question *list;
    size_t count;
    char *folder, *error;
} work;

static void fail(work *w, char *text) {
    if (w->error == NULL) w->error = text;
    else free(text);
}

/* Questions ------------------------------------------------------------------------------------------------------------------ */

static void add_question(work *w, ls_proof_kind kind, char *what, uint32_t left, uint32_t right, bool reset) {
    w->list = ls_grow(w->list, w->count, sizeof *w->list);
    w->list[w->count++] = (ls_question){what, left, right, kind, reset, false};
}

/* Each bit of a slice must be the RTL's, those above the field 0, and all must have a value. `map`: NULL: there is no RTL in
 * question, `other` has the values. */
static void ask_slice(work *w, size_t number, const ls_value *value, const ls_value *other, const ls_rtl_map *map, bool reset,
                      const char *when) {
    const ls_slice *s = &w->slices.list[number];
    const ls_field *f = &w->slices.fields.list[s->field];
    char *name = ls_slice_name(&w->slices, s);
    const uint32_t *bit = ls_bits(&w->model.run.values, value);
    const uint32_t *bits = other != NULL ? ls_bits(&w->model.run.values, other) : NULL;
    for (uint32_t b = 0; b < value->bits; b++) {
        uint32_t right = 0;
        bool there = true;
        if (other != NULL) right = bits[b];
        else if (b < s->bits && f->kind == LS_OUT)
            there = ls_rtl_graph_output(&w->rtl, map, f, s->element * f->bits + s->low + b, &right);
        else if (b < s->bits) there = ls_rtl_graph_next(&w->rtl, map, ls_slice_leaf(&w->slices, s, b), &right);
        if (!there) fail(w, ls_format("the RTL has no bit %u of %s%s", b, name, w->rtl.boxes.instances > 0 ? LOOP : ""));
        else
            add_question(w, other != NULL ? LS_ASKED_STEP : LS_ASKED_RTL,
                         ls_format("%s%s bit %u%s", f->kind == LS_OUT ? "output " : "", name, b, when), bit[b], right, reset);
        if (there && other == NULL && !reset && b < s->bits) {
            const uint32_t place = w->first[s->field] + s->element * f->bits + s->low + b;
            w->bits[0][place] = bit[b];
            w->bits[1][place] = right;
        }
        if (there && other == NULL) {
            if (f->kind == LS_OUT) w->answer->outputs += b < s->bits;
            else w->answer->states += b < s->bits;
        }
    }
    const uint32_t undef = ls_undef(&w->model.run.values, value);
    if (undef != 0)
        add_question(w, LS_ASKED_MEANING, ls_format("%s: the model gives it no value%s", name, when), undef, 0, reset);
    free(name);
}

/* What must hold, an "and" of many: each of them is asked for alone. */
static void ask_claims(work *w, ls_proof_kind kind, const char *what, uint32_t holds, bool reset) {
    const uint32_t leaves = w->maker.inputs;
    bool *seen = ls_alloc(leaves + w->maker.gates + 1, sizeof *seen);
    uint32_t *stack = ls_alloc(w->maker.gates + 2, sizeof *stack);
    size_t depth = 0;
    stack[depth++] = holds;
    while (depth > 0) {
        const uint32_t literal = stack[--depth], variable = literal >> 1;
        if ((literal & 1u) != 0 || variable <= leaves) {
            add_question(w, kind, ls_copy(what), literal, 1, reset);
            continue;
        }
        if (seen[variable]) continue;
        seen[variable] = true;
        stack[depth++] = w->maker.gate[variable - leaves - 1][0];
        stack[depth++] = w->maker.gate[variable - leaves - 1][1];
    }
    free(stack);
    free(seen);
}

static void ask_misuse(work *w, const ls_misuse *list, size_t count, bool reset) {
    for (size_t i = 0; i < count; i++)
        add_question(w, LS_ASKED_MEANING,
                     ls_format("%s:%u: %s", list[i].file != NULL ? list[i].file : w->unit->name, list[i].line, list[i].what),
                     list[i].when, 0, reset);
    w->answer->misuses += count;
}

static void ask_hidden(work *w, bool reset) {
    for (size_t i = 0; i < w->model.hidden_count; i++) {
        const ls_hidden *h = &w->model.hidden[i];
        if (h->reset == reset && h->lost != 0)
            add_question(w, LS_ASKED_MEANING,
                         ls_format("byte %zu of the struct %s is left without a value", h->offset, w->unit->name), h->lost, 0,
                         reset);
        for (uint32_t b = 0; b < 8 && h->reset == reset; b++)
            add_question(w, LS_ASKED_HIDDEN,
                         ls_format("byte %zu of the struct %s changes, and is in no field", h->offset, w->unit->name),
                         h->before[b], h->after[b], reset);
    }
}

/* In reset the next state is asked for from any state, the outputs from their second cycle on, as a run compares them: from the
 * state that the first one leaves. */
static void ask_reset(work *w) {
    ls_model_graph *m = &w->model;
    uint32_t *state = ls_alloc(w->maker.inputs + 1, sizeof *state);
    for (uint32_t i = 0; i <= w->maker.inputs; i++) state[i] = 2 * i;
    for (size_t i = 0; i < w->slices.count; i++) {
        const ls_slice *s = &w->slices.list[i];
        if (m->reset.value[i] == NULL || !ls_is_state(&w->slices.fields.list[s->field])) continue;
        const uint32_t *bit = ls_bits(&m->run.values, m->reset.value[i]);
        for (uint32_t b = 0; b < s->bits && b < m->reset.value[i]->bits; b++) state[ls_slice_leaf(&w->slices, s, b)] = bit[b];
    }
    for (int outputs = 1; outputs >= 0; outputs--) {
        ls_rtl_map map;
        char *failed = ls_rtl_graph_put(&w->rtl, &w->maker, true, outputs ? state : NULL, &map);
        if (failed != NULL) fail(w, failed);
        for (size_t i = 0; i < w->slices.count && failed == NULL; i++)
            if (m->reset.value[i] != NULL && (w->slices.fields.list[w->slices.list[i].field].kind == LS_OUT) == (outputs != 0))
                ask_slice(w, i, m->reset.value[i], NULL, &map, true, " in reset");
        ls_rtl_map_free(&map);
    }
    free(state);
}

/* In a cycle each bit of a lane is what lane 0's is of the bits of no lane and that lane's; what belongs to no lane depends on no
 * bit of any. */
static void ask_lanes(work *w) {
    static const char *const sides[] = {"model", "RTL"};
    const ls_fields *fields = &w->slices.fields;
    for (uint32_t lane = 0; lane <= w->lanes.count; lane++) {
        uint32_t *map = ls_lanes_put(&w->lanes, &w->slices, &w->maker, lane);
        for (uint32_t i = 0; i < fields->count; i++) {
            const ls_field *f = &fields->list[i];
            for (uint32_t b = 0; b < f->bits * f->count && f->kind != LS_IN; b++) {
                const uint32_t at = b % f->bits, place = w->first[i] + b;
                if (w->lanes.lane[i][at] != lane) continue;
                w->answer->lane_bits += lane == 0;
                w->answer->shared_bits += lane == w->lanes.count;
                for (int side = 0; side < 2; side++) {
                    char *what =
                        lane < w->lanes.count
                            ? ls_format("%s[%u] bit %u, of lane %u, is not what lane 0 has of its own bits (%s)", f->name,
                                        b / f->bits, at, lane, sides[side])
                            : ls_format("%s[%u] bit %u depends on bits of a lane (%s)", f->name, b / f->bits, at, sides[side]);
                    add_question(w, LS_ASKED_LANES, what, w->bits[side][place],
                                 ls_aig_became(map, w->bits[side][place - at + w->lanes.zero[i][at]]), false);
                }
            }
        }
        free(map);
    }
    w->answer->lanes = w->lanes.count;
}

static void ask_all(work *w) {
    ls_model_graph *m = &w->model;
    const bool resets = ls_unit_reset(w->unit) != NULL;
    ls_rtl_map map;
    char *failed = ls_rtl_graph_put(&w->rtl, &w->maker, false, NULL, &map);
    if (failed != NULL) fail(w, failed);
    for (size_t i = 0; i < w->slices.count && failed == NULL; i++)
        if (m->cycle.value[i] != NULL) ask_slice(w, i, m->cycle.value[i], NULL, &map, false, "");
    for (size_t i = 0; i < w->rtl.boxes.instances && failed == NULL; i++) {
        char *what = ls_format("an invariant of %s, which is cut", w->rtl.boxes.instance[i].scope);
        ask_claims(w, LS_ASKED_UNITS, what, map.claim[i], false);
        free(what);
    }
    ls_rtl_map_free(&map);
    for (size_t i = 0; i < w->slices.count && m->step.value != NULL; i++)
        if (m->step.value[i] != NULL) ask_slice(w, i, m->step.value[i], m->cycle.value[i], NULL, false, " of step");
    ask_misuse(w, m->run.misuse, m->run.misuse_count, false);
    ask_hidden(w, false);
    if (m->invariant != 1) ask_claims(w, LS_ASKED_INVARIANT, "the invariant in the next state", m->invariant_next, false);
    const size_t outputs = w->answer->outputs, states = w->answer->states;
    if (resets) ask_reset(w);
    if (resets) ask_misuse(w, m->early, m->early_count, true);
    if (resets) ask_hidden(w, true);
    if (resets && m->invariant != 1) ask_claims(w, LS_ASKED_INVARIANT, "the invariant after reset", m->invariant_reset, true);
    w->answer->outputs = outputs; /* those of reset are the same bits */
    w->answer->states = states;
    w->answer->questions = w->count;
    if (m->invariant != 1 && !resets)
        fail(w, ls_format("%s has invariants and no reset: there is no state that they begin with", w->unit->name));
    if (w->answer->outputs + w->answer->states == 0)
        fail(w, ls_format("%s has no output and no register: there is nothing to prove", w->unit->name));
}

/* A flip-flop, or a net that nothing drives, of which no field tells must not matter. */
static void find_unbound(work *w) {
    bool *used = ls_alloc(w->maker.inputs + w->maker.gates + 1, sizeof *used);
    for (size_t i = 0; i < w->count; i++)
        if (w->list[i].left != w->list[i].right) used[w->list[i].left >> 1] = used[w->list[i].right >> 1] = true;
    for (uint32_t i = w->maker.gates; i-- > 0;)
        if (used[w->maker.inputs + 1 + i]) used[w->maker.gate[i][0] >> 1] = used[w->maker.gate[i][1] >> 1] = true;
    for (uint32_t i = w->slices.leaves + 1; i <= w->maker.inputs && w->answer->message == NULL; i++) {
        if (!used[i]) continue;
        char *name = ls_rtl_graph_unbound(&w->rtl, i);
        w->answer->message = ls_format("the RTL depends on what no field names: %s", name);
        free(name);
    }
    free(used);
}

/* Answers -------------------------------------------------------------------------------------------------------------------- */

/* Whether the answer is no, with these values. */
static bool differs(const work *w, const ls_question *q, const uint64_t *values) {
    return ((ls_simulated(values, q->left) ^ ls_simulated(values, q->right)) & 1) != 0 &&
           (q->reset || (ls_simulated(values, w->model.invariant) & 1) != 0);
}

/* The answer is no: by this state and input, if they do what the solver says. */
static void refute(work *w, const uint8_t *leaf) {
    ls_proof_answer *a = w->answer;
    uint64_t *values = ls_alloc(w->maker.inputs + w->maker.gates + 2, sizeof *values);
    ls_text what = {0};
    const ls_question *first = NULL;
    size_t told = 0;
    for (uint32_t i = 1; i <= w->maker.inputs; i++) values[i] = leaf[i];
    ls_simulate(&w->maker, values);
    for (size_t i = 0; i < w->count; i++) { /* where C has no meaning there is nothing to compare */
        const ls_question *q = &w->list[i];
        if (!differs(w, q, values)) continue;
        if (first == NULL || q->kind < first->kind) first = q;
    }
    for (size_t i = 0; i < w->count && first != NULL; i++) {
        const ls_question *q = &w->list[i];
        if (!differs(w, q, values)) continue;
        if (q->kind != first->kind || q->reset != first->reset) continue;
        if (told++ < 4) ls_text_add(&what, "%s%s", told > 1 ? ", " : "", q->what);
    }
    if (first != NULL) {
        if (told > 4) ls_text_add(&what, " and %zu more", told - 4);
        const char *const claim =
            first->kind == LS_ASKED_INVARIANT ? ls_simulate_claim(w->unit, w->query->cfg, &w->slices, leaf, first->reset) : NULL;
        if (claim != NULL) ls_text_add(&what, ": %s", claim);
        a->verdict = LS_REFUTED;
        a->kind = first->kind;
        a->message = ls_text_take(&what);
        a->witness.model = ls_simulate_model(w->unit, w->query->cfg, &w->slices, leaf);
        a->witness.in = ls_simulate_input(w->unit, &w->slices, leaf);
        a->witness.reset = first->reset;
        a->unconfirmed = !ls_simulate_confirms(w->unit, w->query->cfg, &w->slices, leaf, first->kind, first->reset);
    }
    free(ls_text_take(&what));
    free(values);
}

/* Of the questions list[0] to list[count - 1]. */
static void solve(work *w, ls_question *list, size_t count) {
    ls_proof_answer *a = w->answer;
    const ls_solver solver = {&w->maker, list, count, w->model.invariant, w->folder, w->query->seconds, false};
    uint8_t *leaf = NULL;
    char *error = NULL;
    size_t asked = 0;
    a->verdict = LS_UNDECIDED;
    a->gates = w->maker.gates;
    const int all = ls_solve(&solver, &asked, &leaf, &error);
    a->open += asked;
    if (error != NULL) fail(w, error);
    if (all > 0) a->verdict = w->model.invariant != 1 ? LS_PROVED_UNDER_INVARIANT : LS_PROVED;
    if (leaf != NULL) refute(w, leaf);
    size_t open = 0;
    const ls_question *first = NULL;
    for (size_t i = count; i-- > 0 && w->error == NULL;) {
        open += !list[i].answered;
        if (!list[i].answered) first = &list[i];
    }
    if (a->verdict == LS_UNDECIDED && leaf != NULL)
        a->message = ls_copy("the solver says that something is not so, and its state does not show it");
    else if (a->verdict == LS_UNDECIDED && first != NULL)
        a->message = ls_format("no proof and no counterexample within %u s of the solver's work, for %zu question%s: %s%s",
                               w->query->seconds, open, open > 1 ? "s" : "", first->what, open > 1 ? " and others" : "");
    free(leaf);
}

/* ---------------------------------------------------------------------------------------------------------------------------- */

static void make_graphs(work *w) {
    const ls_proof_query *q = w->query;
    double start = ls_seconds();
    const ls_rtl_request rtl = {w->unit, q->cfg, q->rtl, q->rtl_count, q->cut, q->cut_count, w->folder, TOOL_MS};
    char *failed = ls_rtl_graph_make(&w->rtl, &rtl, &w->slices);
    w->answer->rtl_seconds = ls_seconds() - start;
    start = ls_seconds();
    ls_aig_begin(&w->maker, w->slices.leaves + w->rtl.unbound, 0);
    if (failed == NULL) failed = ls_model_graph_make(&w->model, w->unit, q->cfg, &w->slices, &w->maker, w->folder);
    if (failed != NULL) fail(w, failed);
    w->answer->model_seconds = ls_seconds() - start;
}

/* What is to be proved of the units that are cut. */
static void list_cuts(work *w) {
    ls_proof_answer *a = w->answer;
    for (size_t i = 0; i < w->rtl.boxes.count; i++) {
        const ls_box *box = &w->rtl.boxes.list[i];
        if (box->instances == 0) continue;
        char *params = ls_config_text(box->unit, box->cfg);
        a->cut = ls_grow(a->cut, a->cuts, sizeof *a->cut);
        a->cut[a->cuts++] = ls_format("%s%s%s", box->unit->name, params[0] != '\0' ? " " : "", params);
        free(params);
    }
}

static void make_places(work *w) {
    uint32_t bits = 0;
    w->first = ls_alloc(w->slices.fields.count + 1, sizeof *w->first);
    for (uint32_t i = 0; i < w->slices.fields.count; i++) {
        w->first[i] = bits;
        bits += w->slices.fields.list[i].bits * w->slices.fields.list[i].count;
    }
    for (int side = 0; side < 2; side++) w->bits[side] = ls_alloc(bits + 1, sizeof *w->bits[side]);
}

int ls_prove_model(const ls_proof_query *query, ls_proof_answer *answer, char **error) {
    work w = {.query = query, .answer = answer, .unit = query->unit};
    *answer = (ls_proof_answer){.verdict = LS_UNDECIDED};
    w.error = ls_temporary_folder("ls_proof", &w.folder);
    void *model = ls_zeroed(w.unit->model_size);
    if (w.unit->init(model, query->cfg) != 0) ls_die("%s: the configuration is refused", w.unit->name);
    ls_slices_make(&w.slices, w.unit, model);
    free(model);
    if (w.error == NULL && query->lanes) w.error = ls_lanes_make(&w.lanes, w.unit, query->cfg, &w.slices);
    make_places(&w);
    if (w.error == NULL) make_graphs(&w);
    if (w.error == NULL) {
        answer->invariants = w.model.invariants;
        answer->sources = w.model.sources;
        answer->model_hash = w.model.hash;
        w.model.hash = NULL;
        answer->rtl_hash = w.rtl.hash;
        w.rtl.hash = NULL;
        list_cuts(&w);
        ask_all(&w);
        if (query->lanes) ask_lanes(&w);
    }
    if (w.error == NULL) find_unbound(&w);
    if (w.error == NULL && answer->message == NULL) {
        char *wrong = ls_simulate_check(w.unit, query->cfg, &w.slices, &w.maker, &w.model, query->trials, &answer->trials);
        if (wrong != NULL) fail(&w, wrong);
        const double start = ls_seconds();
        size_t alone = 0; /* the questions of lanes are the last ones, and asked before the others: what they say is more */
        while (alone < w.count && w.list[alone].kind != LS_ASKED_LANES) alone++;
        if (w.error == NULL && alone < w.count) solve(&w, w.list + alone, w.count - alone);
        if (w.error == NULL && (alone == w.count || answer->verdict == LS_PROVED || answer->verdict == LS_PROVED_UNDER_INVARIANT))
            solve(&w, w.list, alone);
        answer->solver_seconds = ls_seconds() - start;
    }
    if (answer->message == NULL) answer->message = ls_copy("");
    if (w.folder != NULL) ls_remove_tree(w.folder);
    free(w.folder);
    for (size_t i = 0; i < w.count; i++) free(w.list[i].what);
    free(w.list);
    ls_rtl_graph_free(&w.rtl);
    ls_model_graph_free(&w.model);
    ls_lanes_free(&w.lanes);
    free(w.first);
    free(w.bits[0]);
    free(w.bits[1]);
    ls_aig_drop(&w.maker);
    ls_slices_free(&w.slices);
    *error = w.error;
    if (w.error == NULL) return 0;
    ls_proof_answer_free(answer);
    return -1;
}

void ls_proof_case(const ls_proof_answer *a, const ls_unit *unit, const void *cfg, ls_case *c) {
    if (!a->witness.reset) {
        ls_case_step(c, unit, cfg, a->witness.model, a->witness.in);
        return;
    }
    ls_case_init(c, unit, cfg, 0, "");
    for (int i = 0; i < 2; i++) (void)ls_case_add(c, true, 0, a->witness.in); /* outputs count from the second one on */
}

void ls_proof_answer_free(ls_proof_answer *a) {
    free(a->message);
    free(a->witness.model);
    free(a->witness.in);
    free(a->model_hash);
    free(a->rtl_hash);
    for (size_t i = 0; i < a->cuts; i++) free(a->cut[i]);
    free(a->cut);
    *a = (ls_proof_answer){0};
}
