/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/solve.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "harness/base/memory.h"
#include "harness/base/text.h"
#include "harness/netlist/prover.h"
#include "harness/proof/claims.h"
#include "harness/proof/sums.h"

#define SWEEP_SECONDS 60u        /* at most, of the first attempt: equal signals inside of model and RTL are merged */
#define SWEEP_CONFLICTS 1000000u /* of its last pass, for each pair of signals */
#define PARTS_SECONDS 5u         /* the same, of the parts of questions */
#define CONFLICTS 100u           /* of the solver, of each signal or part, when all are asked one after the other; then more */
#define CONFLICTS_MOST 1000u     /* of the parts of questions */
#define ALONE_SECONDS 8u         /* of a question that is asked alone, the first time */
#define PARTS 128u               /* of a question, at most, in each direction */
#define WHOLE "written"          /* abc says so when a graph is */

/* A way in which the answer of a question may be no: `literal`, where `where` holds. */
typedef struct part {
    size_t question;
    uint32_t literal, where;
    bool answered; /* it is not */
} part;

typedef struct solving {
    const ls_solver *s;
    ls_aig_maker graph; /* of the questions that wait */
    part *list;         /* their parts, in the order of its outputs; those of a question stand together */
    size_t count;
    uint32_t *leaf; /* of each leaf the literal that it is where the invariants hold */
    ls_sums sums;
    bool always;  /* an output of it is 1 whatever the state and the input are */
    double begun; /* work of children until then */
    char *path, *error;
} solving;

/* Processor time of the children that ended. */
static double children_seconds(void) {
    struct rusage r;
    if (getrusage(RUSAGE_CHILDREN, &r) != 0) return 0;
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec) * 1e-6;
}

/* What is left of the time. */
static unsigned seconds_left(const solving *w) {
    const double used = children_seconds() - w->begun;
    return used + 1 > w->s->seconds ? 0 : w->s->seconds - (unsigned)used;
}

static char *run_abc(solving *w, const char *commands, unsigned seconds) {
    char *error = NULL, *said = w->error == NULL ? ls_prover_run(commands, seconds, &error) : NULL;
    if (w->error == NULL) w->error = error;
    return said != NULL ? said : ls_copy("");
}

/* The literals of the maker's variables in a graph in which leaves are what the invariants say, unless in a reset, and, if `merge`,
 * of two literals that were found equal the later one is made of the earlier. That is so only where the invariants hold: they
 * themselves are not merged. */
static uint32_t *put_gates(solving *w, bool reset, bool merge) {
    const ls_aig_maker *from = w->s->maker;
    const uint32_t leaves = from->inputs + from->latches, variables = leaves + from->gates + 1;
    uint32_t *same = ls_alloc(variables, sizeof *same), *map = ls_alloc(variables, sizeof *map);
    for (size_t i = 0; i < w->s->count && merge; i++) {
        const ls_question *q = &w->s->list[i];
        if (!q->answered || q->reset || q->left == q->right) continue;
        const uint32_t late = q->left > q->right ? q->left : q->right, early = q->left + q->right - late;
        if (late >> 1 > leaves && late >> 1 != early >> 1) same[late >> 1] = (early ^ (late & 1u)) + 2;
    }
    for (uint32_t i = 0; i < variables; i++) {
        if (i <= leaves) map[i] = reset ? 2 * i : w->leaf[i];
        else if (same[i] != 0) map[i] = ls_aig_became(map, same[i] - 2);
        else if (w->sums.first[i] != 0) map[i] = ls_sums_put(&w->sums, i, map, &w->graph);
        else
            map[i] = ls_aig_and(&w->graph, ls_aig_became(map, from->gate[i - leaves - 1][0]),
                                ls_aig_became(map, from->gate[i - leaves - 1][1]));
    }
    free(same);
    return map;
}

/* The literals that `literal` is the "and" of, at most `most`; it alone when there are more. Returns how many. */
static uint32_t parts_of(const ls_aig_maker *m, uint32_t literal, uint32_t most, uint32_t *list) {
    const uint32_t leaves = m->inputs + m->latches;
    uint32_t count = 1, done = 0;
    list[0] = literal;
    while (done < count) {
        const uint32_t variable = list[done] >> 1;
        bool there = false;
        if ((list[done] & 1u) != 0 || variable <= leaves) {
            done++;
            continue;
        }
        const uint32_t *in = m->gate[variable - leaves - 1];
        list[done] = in[0];
        for (uint32_t i = 0; i < count; i++) there |= list[i] == in[1];
        if (!there && count >= most) {
            list[0] = literal;
            return 1;
        }
        if (!there) list[count++] = in[1];
    }
    return count;
}

static void add_part(solving *w, size_t question, uint32_t literal, uint32_t where) {
    if (ls_aig_and(&w->graph, literal, where) == 0) return;
    w->list = ls_grow(w->list, w->count, sizeof *w->list);
    w->list[w->count++] = (part){question, literal, where, false};
}

static void write_graph(solving *w) {
    w->graph.outputs = 0;
    for (size_t i = 0; i < w->count; i++)
        ls_aig_put_output(&w->graph, ls_aig_and(&w->graph, w->list[i].literal, w->list[i].where));
    char *failed = ls_aig_write(&w->graph, w->path);
    if (w->error == NULL) w->error = failed;
    else free(failed);
}

/* `one` holds where `other` does not, and `where`: an output for each part of either. */
static void add_parts(solving *w, size_t number, uint32_t one, uint32_t other, uint32_t where) {
    uint32_t either[PARTS], both[PARTS];
    const uint32_t boths = parts_of(&w->graph, other, PARTS, both),
                   eithers = parts_of(&w->graph, one ^ 1u, PARTS / boths, either);
    for (uint32_t i = 0; i < boths; i++)
        for (uint32_t k = 0; k < eithers; k++) add_part(w, number, ls_aig_and(&w->graph, either[k] ^ 1u, both[i] ^ 1u), where);
}

/* Lists the questions that wait: whole, or `split` into the ways in which the answer may be no; `near`: only with the invariants
 * that speak of nothing but what the question depends on. Those that became equal wait no more. */
static void list_waiting(solving *w, bool split, bool near) {
    const ls_solver *s = w->s;
    ls_claims claims;
    ls_aig_drop(&w->graph);
    ls_aig_begin(&w->graph, s->maker->inputs, s->maker->latches);
    w->count = 0;
    w->always = false;
    uint32_t *plain = put_gates(w, false, false);
    const uint32_t holds = ls_aig_became(plain, s->invariant);
    free(plain);
    if (near) ls_claims_find(&claims, &w->graph, holds);
    for (int reset = 0; reset < 2; reset++) {
        uint32_t *map = NULL;
        for (size_t i = 0; i < s->count; i++) {
            ls_question *q = &s->list[i];
            if (q->answered || q->reset != (reset != 0)) continue;
            if (map == NULL) map = put_gates(w, reset != 0, reset == 0);
            const uint32_t left = ls_aig_became(map, q->left), right = ls_aig_became(map, q->right);
            const uint32_t differ = ls_aig_xor(&w->graph, left, right);
            const uint32_t where = reset != 0 ? 1 : near ? ls_claims_near(&claims, &w->graph, differ) : holds;
            const size_t before = w->count;
            if (split) {
                add_parts(w, i, left, right, where);
                add_parts(w, i, right, left, where);
            } else add_part(w, i, differ, where);
            q->answered = w->count == before;
        }
        free(map);
    }
    if (near) ls_claims_free(&claims);
    write_graph(w);
}

/* Notes that all parts of these questions are answered. */
static void note_answers(solving *w) {
    for (size_t i = 0, n; i < w->count; i += n) {
        bool all = true;
        for (n = 0; i + n < w->count && w->list[i + n].question == w->list[i].question; n++) all &= w->list[i + n].answered;
        if (all) w->s->list[w->list[i].question].answered = true;
    }
}

/* Reads which outputs of a graph are 0: those parts are answered. false: the file is not whole, and none is. */
static bool read_answers(solving *w, const char *path) {
    ls_text text = {0};
    unsigned top, inputs, latches, outputs, gates;
    bool whole = false;
    if (ls_text_read(&text, path) != 0) return false; /* the time was over */
    ls_text_put(&text, "", 1);
    const char *at = strchr(text.data, '\n');
    if (sscanf(text.data, "aig %u %u %u %u %u", &top, &inputs, &latches, &outputs, &gates) == 5 && latches == 0 &&
        outputs == w->count && inputs == w->s->maker->inputs && at != NULL) {
        bool *is_0 = ls_alloc(w->count + 1, sizeof *is_0);
        size_t lines = 0;
        for (; lines < w->count && at[1] >= '0' && at[1] <= '9' && strchr(at + 1, '\n') != NULL; at = strchr(at + 1, '\n')) {
            w->always |= at[1] == '1' && at[2] == '\n';
            is_0[lines++] = at[1] == '0';
        }
        whole = lines == w->count;
        for (size_t i = 0; i < w->count && whole; i++) w->list[i].answered |= is_0[i];
        free(is_0);
    }
    free(ls_text_take(&text));
    note_answers(w);
    return whole;
}

/* Leaves that the invariants give a value have it. */
static void obey_leaves(const solving *w, uint8_t *value) {
    value[0] = 0;
    for (uint32_t i = 1; i <= w->s->maker->inputs; i++) value[i] = value[w->leaf[i] >> 1] ^ (uint8_t)(w->leaf[i] & 1u);
}

/* The state and the input for which output `number` is 1, by variable; NULL: none is found with so many conflicts. */
static uint8_t *find_example(solving *w, size_t number, const char *how) {
    char *example = ls_format("%s/example.txt", w->s->folder),
         *commands = ls_format("&r %s; &cone -O %zu -a; &put; %s; write_cex %s", w->path, number, how, example);
    const uint32_t inputs = w->s->maker->inputs;
    ls_text text = {0};
    uint8_t *leaf = NULL;
    free(run_abc(w, commands, w->s->seconds));
    if (w->error == NULL && ls_text_read(&text, example) == 0) {
        ls_text_put(&text, "", 1);
        if (strspn(text.data, "01") >= inputs) leaf = ls_alloc(inputs + 1, 1);
        for (uint32_t i = 0; leaf != NULL && i < inputs; i++) leaf[i + 1] = text.data[i] == '1';
        if (leaf != NULL && !w->s->list[w->list[number].question].reset) obey_leaves(w, leaf);
    }
    free(ls_text_take(&text));
    (void)remove(example);
    free(commands);
    free(example);
    return leaf;
}

/* All parts, with little work for each. An example, if there is one for any. */
static uint8_t *ask_each(solving *w, unsigned conflicts) {
    char *rest = ls_format("%s/rest.aig", w->s->folder),
         *commands = ls_format("&r %s; &sat -C %u -z -v; &w %s", w->path, conflicts, rest);
    char *said = run_abc(w, commands, seconds_left(w));
    uint8_t *example = NULL;
    (void)read_answers(w, rest);
    (void)remove(rest);
    const char *at = strstr(said, "Sat   calls");
    unsigned found = 0;
    if (w->always) {
        example = ls_zeroed(w->s->maker->inputs + 1); /* any is one; the solver counts no such output */
        obey_leaves(w, example);
    } else if (at != NULL && sscanf(at, "Sat calls %u", &found) == 1 && found > 0) {
        char *how = ls_format("sat -C %u", conflicts * 10);
        for (size_t i = w->count; i-- > 0 && example == NULL && seconds_left(w) > 0;) /* a reset first: it needs no state */
            if (!w->list[i].answered) example = find_example(w, i, how);
        free(how);
    }
    free(said);
    free(commands);
    free(rest);
    return example;
}

/* Supposes, for the parts that are not answered, that those are not so which are: `where` has them. Parts of a reset hold in other
 * states, and say nothing to one another here. */
static void suppose_answers(solving *w) {
    uint32_t known = 1;
    size_t open = 0;
    for (size_t i = 0; i < w->count; i++)
        if (w->list[i].answered && !w->s->list[w->list[i].question].reset)
            known = ls_aig_and(&w->graph, known, w->list[i].literal ^ 1u);
    for (size_t i = 0; i < w->count; i++) {
        part p = w->list[i];
        if (p.answered) continue;
        if (!w->s->list[p.question].reset) p.where = ls_aig_and(&w->graph, p.where, known);
        w->list[open++] = p;
    }
    w->count = open;
}

/* Each that waits alone, for some seconds. An example, if there is one. */
static uint8_t *ask_alone(solving *w, unsigned seconds) {
    uint8_t *example = NULL;
    for (size_t i = 0; i < w->count && w->error == NULL && example == NULL; i++) {
        const unsigned left = seconds_left(w);
        if (w->list[i].answered) continue;
        if (left == 0) break;
        char *commands = ls_format("&r %s; &cone -O %zu -a; &glucose", w->path, i);
        char *said = run_abc(w, commands, seconds < left ? seconds : left);
        if (strstr(said, "UNSATISFIABLE") != NULL) w->list[i].answered = true;
        else if (strstr(said, "SATISFIABLE") != NULL) example = find_example(w, i, "iprove");
        free(said);
        free(commands);
    }
    note_answers(w);
    return example;
}

static size_t waiting(const solving *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->s->count; i++) n += !w->s->list[i].answered;
    return n;
}

/* All at once: signals inside that are equal are found and merged, inputs first (SAT sweeping). Pairs that take more than little
 * work wait for a later pass, over what is left. The graph that is left is the one to go on with. */
static void sweep(solving *w, unsigned most) {
    const double begun = children_seconds();
    char *merged = ls_format("%s/merged.aig", w->s->folder);
    bool ended = true, open = w->count > 0;
    for (unsigned conflicts = CONFLICTS; ended && open && w->error == NULL && conflicts <= SWEEP_CONFLICTS; conflicts *= 100) {
        const unsigned half = seconds_left(w) / 2 + 1, used = (unsigned)(children_seconds() - begun);
        if (used >= most) break;
        char *commands = ls_format("&r %s; &fraig -C %u -y; &w %s; echo " WHOLE, w->path, conflicts, merged);
        char *said = run_abc(w, commands, half < most - used ? half : most - used), *line = strchr(said, '\n');
        ended = line != NULL && strstr(line, WHOLE) != NULL && read_answers(w, merged); /* its first line is the commands */
        if (ended) (void)rename(merged, w->path);
        (void)remove(merged);
        free(commands);
        free(said);
        open = false;
        for (size_t i = 0; i < w->count; i++) open |= !w->list[i].answered;
    }
    free(merged);
}

/* The questions that wait in parts, with little work for each. An example, if there is one. */
static uint8_t *ask_parts(solving *w) {
    uint8_t *example = NULL;
    list_waiting(w, true, false); /* what was found equal helps the others */
    sweep(w, PARTS_SECONDS);
    suppose_answers(w);
    write_graph(w);
    for (unsigned conflicts = CONFLICTS; conflicts <= CONFLICTS_MOST && w->count > 0;) {
        const size_t parts = w->count;
        example = ask_each(w, conflicts);
        if (example != NULL || seconds_left(w) == 0) break;
        suppose_answers(w);
        write_graph(w);
        if (w->count > parts - parts / 8) conflicts *= 10;
    }
    return example;
}

static void find_sums(solving *w) {
    const ls_solver *s = w->s;
    bool *used = ls_alloc((size_t)s->maker->inputs + s->maker->latches + s->maker->gates + 1, sizeof *used);
    used[s->invariant >> 1] = true;
    for (size_t i = 0; i < s->count; i++) used[s->list[i].left >> 1] = used[s->list[i].right >> 1] = true;
    ls_sums_find(&w->sums, s->maker, used);
    free(used);
}

int ls_solve(const ls_solver *s, size_t *open, uint8_t **example, char **error) {
    solving w = {.s = s, .begun = children_seconds(), .path = ls_format("%s/open.aig", s->folder)};
    w.leaf = ls_claims_leaves(s->maker, s->invariant);
    find_sums(&w);
    *open = 0;
    *example = NULL;
    for (size_t i = 0; i < s->count; i++) {
        s->list[i].answered |= s->list[i].left == s->list[i].right;
        *open += !s->list[i].answered;
    }
    if (s->invariant > 1 && !s->alone) {
        list_waiting(&w, false, true);
        sweep(&w, SWEEP_SECONDS);
    }
    list_waiting(&w, false, false);
    if (!s->alone) sweep(&w, SWEEP_SECONDS);
    if (waiting(&w) > 0 && !s->alone) *example = ask_each(&w, CONFLICTS);
    unsigned seconds = ALONE_SECONDS;
    for (size_t before = waiting(&w), now; before > 0 && *example == NULL && w.error == NULL && seconds_left(&w) > 0;
         before = now) {
        if (!s->alone) *example = ask_parts(&w);
        now = waiting(&w);
        if (*example != NULL || now < before) continue;
        list_waiting(&w, false, false);
        *example = ask_alone(&w, seconds);
        now = waiting(&w);
        seconds *= 4;
    }
    const bool all = waiting(&w) == 0;
    free(w.leaf);
    ls_sums_free(&w.sums);
    free(w.list);
    free(w.path);
    ls_aig_drop(&w.graph);
    *error = w.error;
    return w.error != NULL ? -1 : all && *example == NULL;
}
