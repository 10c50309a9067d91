/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/proof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/clock.h"
#include "harness/base/folder.h"
#include "harness/base/memory.h"
#include "harness/netlist/prover.h"
#include "harness/proof/model_graph.h"
#include "harness/proof/rtl_graph.h"
#include "harness/proof/simulate.h"

#define TOOL_MS 1800000u

/* Two literals that must be equal. */
typedef struct question {
    char *what;
    uint32_t left, right;
    ls_proof_kind kind;
    bool reset;
} question;

typedef struct work {
    const ls_proof_query *query;
    ls_proof_answer *answer;
    const ls_unit *unit;
    ls_slices slices;
    ls_aig_maker maker;
    ls_model_graph model;
    ls_rtl_graph rtl;
    question *list;
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
    w->list[w->count++] = (question){what, left, right, kind, reset};
}

/* Each bit of a slice must be the RTL's, those above the field 0, and all must have a value. `map`: NULL: there is no RTL in
 * question, `other` has the values. */
static void ask_slice(work *w, size_t number, const ls_value *value, const ls_value *other, const uint32_t *map, bool reset,
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
        if (!there) fail(w, ls_format("the RTL has no bit %u of %s", b, name));
        else
            add_question(w, other != NULL ? LS_ASKED_STEP : LS_ASKED_RTL,
                         ls_format("%s%s bit %u%s", f->kind == LS_OUT ? "output " : "", name, b, when), bit[b], right, reset);
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

/* `left` and `right` only where the invariant holds. */
static void under(work *w, uint32_t invariant) {
    for (size_t i = 0; i < w->count && invariant != 1; i++) {
        if (w->list[i].left == w->list[i].right) continue;
        w->list[i].left = ls_aig_and(&w->maker, w->list[i].left, invariant);
        w->list[i].right = ls_aig_and(&w->maker, w->list[i].right, invariant);
    }
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
        uint32_t *map = ls_rtl_graph_put(&w->rtl, &w->maker, true, outputs ? state : NULL);
        for (size_t i = 0; i < w->slices.count; i++)
            if (m->reset.value[i] != NULL && (w->slices.fields.list[w->slices.list[i].field].kind == LS_OUT) == (outputs != 0))
                ask_slice(w, i, m->reset.value[i], NULL, map, true, " in reset");
        free(map);
    }
    free(state);
}

static void ask_all(work *w) {
    ls_model_graph *m = &w->model;
    const bool resets = ls_unit_reset(w->unit) != NULL;
    uint32_t *map = ls_rtl_graph_put(&w->rtl, &w->maker, false, NULL);
    for (size_t i = 0; i < w->slices.count; i++)
        if (m->cycle.value[i] != NULL) ask_slice(w, i, m->cycle.value[i], NULL, map, false, "");
    free(map);
    for (size_t i = 0; i < w->slices.count && m->step.value != NULL; i++)
        if (m->step.value[i] != NULL) ask_slice(w, i, m->step.value[i], m->cycle.value[i], NULL, false, " of step");
    ask_misuse(w, m->run.misuse, m->run.misuse_count, false);
    ask_hidden(w, false);
    if (m->invariant != 1)
        add_question(w, LS_ASKED_INVARIANT, ls_copy("the invariant in the next state"), m->invariant_next, 1, false);
    under(w, m->invariant);
    const size_t outputs = w->answer->outputs, states = w->answer->states;
    if (resets) ask_reset(w);
    if (resets) ask_misuse(w, m->early, m->early_count, true);
    if (resets) ask_hidden(w, true);
    if (resets && m->invariant != 1)
        add_question(w, LS_ASKED_INVARIANT, ls_copy("the invariant after reset"), m->invariant_reset, 1, true);
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

static char *run_abc(work *w, const char *commands) {
    char *error = NULL, *said = w->error == NULL ? ls_prover_run(commands, w->query->seconds, &error) : NULL;
    if (error != NULL) fail(w, error);
    return said != NULL ? said : ls_copy("");
}

static char *write_graph(work *w, const char *name) {
    char *path = ls_format("%s/%s.aig", w->folder, name), *failed = ls_aig_write(&w->maker, path);
    if (failed != NULL) fail(w, failed);
    return path;
}

/* A state and an input with which a question is answered by "no", by variable; NULL: the solver finds none. */
static uint8_t *find_example(work *w, const question *q) {
    w->maker.outputs = 0;
    ls_aig_put_output(&w->maker, ls_aig_xor(&w->maker, q->left, q->right));
    char *path = write_graph(w, "one"), *example = ls_format("%s/example.txt", w->folder),
         *commands = ls_format("read %s; iprove; write_cex %s", path, example);
    ls_text text = {0};
    uint8_t *leaf = NULL;
    free(run_abc(w, commands));
    if (w->error == NULL && ls_text_read(&text, example) == 0) {
        ls_text_put(&text, "", 1);
        if (strspn(text.data, "01") >= w->maker.inputs) leaf = ls_alloc(w->maker.inputs + 1, 1);
        for (uint32_t i = 0; leaf != NULL && i < w->maker.inputs; i++) leaf[i + 1] = text.data[i] == '1';
    }
    free(ls_text_take(&text));
    free(commands);
    free(example);
    free(path);
    return leaf;
}

/* The answer is no: by this state and input, if they do what the solver says. */
static void refute(work *w, const uint8_t *leaf) {
    ls_proof_answer *a = w->answer;
    uint64_t *values = ls_alloc(w->maker.inputs + w->maker.gates + 2, sizeof *values);
    ls_text what = {0};
    const question *first = NULL;
    size_t told = 0;
    for (uint32_t i = 1; i <= w->maker.inputs; i++) values[i] = leaf[i];
    ls_simulate(&w->maker, values);
    for (size_t i = 0; i < w->count; i++) { /* where C has no meaning there is nothing to compare */
        const question *q = &w->list[i];
        if (((ls_simulated(values, q->left) ^ ls_simulated(values, q->right)) & 1) == 0) continue;
        if (first == NULL || q->kind < first->kind) first = q;
    }
    for (size_t i = 0; i < w->count && first != NULL; i++) {
        const question *q = &w->list[i];
        if (((ls_simulated(values, q->left) ^ ls_simulated(values, q->right)) & 1) == 0) continue;
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

static void solve(work *w) {
    ls_proof_answer *a = w->answer;
    char *side[2];
    a->verdict = w->model.invariant != 1 ? LS_PROVED_UNDER_INVARIANT : LS_PROVED;
    for (int s = 0; s < 2; s++) {
        w->maker.outputs = 0;
        a->open = 0;
        for (size_t i = 0; i < w->count; i++) {
            if (w->list[i].left == w->list[i].right) continue;
            ls_aig_put_output(&w->maker, s == 0 ? w->list[i].left : w->list[i].right);
            a->open++;
        }
        side[s] = write_graph(w, s == 0 ? "left" : "right");
    }
    a->gates = w->maker.gates;
    char *commands = ls_format("&r %s; &cec -C 100000000 -T %u %s", side[0], w->query->seconds, side[1]);
    char *said = a->open > 0 ? run_abc(w, commands) : ls_copy("");
    if (a->open > 0 && w->error == NULL && strstr(said, "Networks are equivalent") == NULL) {
        const char *at = strstr(said, "zero-based number "), *trivial = strstr(said, "Output ");
        unsigned number = 0;
        a->verdict = LS_UNDECIDED;
        if (((at != NULL && sscanf(at, "zero-based number %u", &number) == 1) ||
             (trivial != NULL && sscanf(trivial, "Output %u trivially differs", &number) == 1)) &&
            number < a->open) {
            size_t i = 0;
            for (size_t open = 0; w->list[i].left == w->list[i].right || open++ < number;) i++;
            uint8_t *leaf = find_example(w, &w->list[i]);
            if (leaf != NULL) refute(w, leaf);
            else a->message = ls_format("the solver says that this is not so, and finds no state for it: %s", w->list[i].what);
            free(leaf);
        }
        if (a->verdict == LS_UNDECIDED && a->message == NULL)
            a->message = ls_format("no proof and no counterexample within %u s of the solver's work", w->query->seconds);
    }
    free(said);
    free(commands);
    free(side[0]);
    free(side[1]);
}

/* ---------------------------------------------------------------------------------------------------------------------------- */

static void make_graphs(work *w) {
    const ls_proof_query *q = w->query;
    double start = ls_seconds();
    const ls_rtl_request rtl = {w->unit, q->cfg, q->rtl, q->rtl_count, w->folder, TOOL_MS};
    char *failed = ls_rtl_graph_make(&w->rtl, &rtl, &w->slices);
    w->answer->rtl_seconds = ls_seconds() - start;
    start = ls_seconds();
    ls_aig_begin(&w->maker, w->slices.leaves + w->rtl.unbound, 0);
    if (failed == NULL) failed = ls_model_graph_make(&w->model, w->unit, q->cfg, &w->slices, &w->maker, w->folder);
    if (failed != NULL) fail(w, failed);
    w->answer->model_seconds = ls_seconds() - start;
}

int ls_prove_model(const ls_proof_query *query, ls_proof_answer *answer, char **error) {
    work w = {.query = query, .answer = answer, .unit = query->unit};
    *answer = (ls_proof_answer){.verdict = LS_UNDECIDED};
    w.error = ls_temporary_folder("ls_proof", &w.folder);
    void *model = ls_zeroed(w.unit->model_size);
    if (w.unit->init(model, query->cfg) != 0) ls_die("%s: the configuration is refused", w.unit->name);
    ls_slices_make(&w.slices, w.unit, model);
    free(model);
    if (w.error == NULL) make_graphs(&w);
    if (w.error == NULL) {
        answer->invariants = w.model.invariants;
        answer->sources = w.model.sources;
        answer->model_hash = w.model.hash;
        w.model.hash = NULL;
        answer->rtl_hash = w.rtl.hash;
        w.rtl.hash = NULL;
        ask_all(&w);
    }
    if (w.error == NULL) find_unbound(&w);
    if (w.error == NULL && answer->message == NULL) {
        char *wrong = ls_simulate_check(w.unit, query->cfg, &w.slices, &w.maker, &w.model, query->trials, &answer->trials);
        if (wrong != NULL) fail(&w, wrong);
        const double start = ls_seconds();
        if (w.error == NULL) solve(&w);
        answer->solver_seconds = ls_seconds() - start;
    }
    if (answer->message == NULL) answer->message = ls_copy("");
    if (w.folder != NULL) ls_remove_tree(w.folder);
    free(w.folder);
    for (size_t i = 0; i < w.count; i++) free(w.list[i].what);
    free(w.list);
    ls_rtl_graph_free(&w.rtl);
    ls_model_graph_free(&w.model);
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
    *a = (ls_proof_answer){0};
}
