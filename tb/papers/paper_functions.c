/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/papers/paper_functions.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"

/* ---- numbers as a page shows them ---- */

/* A number, or the text "NUMBER NAME" of most() and least(), of which *name is the name. NaN: none of them. */
static double number(sqlite3_value *value, const char **name) {
    *name = NULL;
    const int type = sqlite3_value_type(value);
    if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) return sqlite3_value_double(value);
    if (type != SQLITE_TEXT) return NAN;
    char *end = NULL;
    const char *const text = (const char *)sqlite3_value_text(value);
    const double x = strtod(text, &end);
    if (end == text || *end != ' ') return NAN;
    *name = end + 1;
    return x;
}

/* How a number is written: 'p' as percent, 's' as a percentage with its sign, 'o' in points, with their sign, a digit: so many
 * decimals. */
static char *shown(char form, double x, const char *name) {
    char *text = NULL;
    if (form == 'p') text = ls_format("%.1f %%", 100 * x);
    else if (form == 'o') text = ls_format("%+.1f points", 100 * x);
    else if (form != 's') text = ls_format("%.*f", form - '0', x);
    else {
        text = ls_format("%+.1f %%", 100 * x);
        if (strcmp(text, "-0.0 %") == 0 || strcmp(text, "+0.0 %") == 0) strcpy(text, "0.0 %");
    }
    if (name == NULL) return text;
    char *const both = ls_format("%s (%s)", text, name);
    free(text);
    return both;
}

static bool numbers(int count, sqlite3_value **values, double *x) {
    for (int i = 0; i < count; i++) {
        const int type = sqlite3_value_type(values[i]);
        if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) return false;
        x[i] = sqlite3_value_double(values[i]);
    }
    return true;
}

static void give(sqlite3_context *context, char *text) { sqlite3_result_text(context, text, -1, free); }

/* percent(x), signed(x), points(x), decimals(x, n), over(a, b): what a is above b. NULL for what is no number. */
static void sql_shown(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *name;
    double x = number(values[0], &name);
    char form = *(const char *)sqlite3_user_data(context);
    if (form == 'v') {
        double of[2];
        x = numbers(2, values, of) ? of[0] / of[1] - 1 : NAN;
        form = 's';
    } else if (count > 1) form = (char)('0' + sqlite3_value_int(values[1]) % 10);
    if (isfinite(x)) give(context, shown(form, x, name));
}

/* ratio(a, b): 0 when there is nothing to divide by: of no instructions none is reused. */
static double ratio(double a, double b) { return b > 0 ? a / b : 0; }
static void sql_ratio(sqlite3_context *context, int count, sqlite3_value **values) {
    double x[2];
    if (numbers(count, values, x)) sqlite3_result_double(context, ratio(x[0], x[1]));
}

/* cells(a, b, ...): cells of a table's row. */
static void sql_cells(sqlite3_context *context, int count, sqlite3_value **values) {
    ls_text text = {0};
    for (int i = 0; i < count; i++) {
        const char *const cell = (const char *)sqlite3_value_text(values[i]);
        if (cell == NULL) {
            free(ls_text_take(&text));
            return;
        }
        ls_text_add(&text, "%s%s", i > 0 ? " | " : "", cell);
    }
    give(context, ls_text_take(&text));
}

/* ---- means over workloads: of one workload, the figure itself; without a value when one has none ---- */

typedef struct sum {
    double sum, count, most;
    bool none;  /* a value is missing */
    char *name; /* of the workload with the most */
} sum;

/* mean(x), share(a, b): of a / b, change(a, b): of a / b - 1, geomean(a, b): geometric, of a / b. */
static void sql_add(sqlite3_context *context, int count, sqlite3_value **values) {
    sum *const s = sqlite3_aggregate_context(context, sizeof *s);
    double x[2] = {0};
    if (s == NULL) return;
    if (!numbers(count, values, x)) s->none = true;
    s->count++;
    switch (*(const char *)sqlite3_user_data(context)) {
    case 'm':
        s->sum += x[0];
        break;
    case 's':
        s->sum += ratio(x[0], x[1]);
        break;
    case 'c':
        s->sum += ratio(x[0], x[1]) - 1;
        break;
    default:
        s->sum += log(ratio(x[0], x[1]));
    }
    s->most = ratio(x[0], x[1]);
}
static void sql_mean(sqlite3_context *context) {
    const sum *const s = sqlite3_aggregate_context(context, 0);
    if (s == NULL || s->none) return;
    const bool geometric = *(const char *)sqlite3_user_data(context) == 'g';
    const double x = !geometric ? s->sum / s->count : s->count > 1 ? exp(s->sum / s->count) : s->most;
    if (isfinite(x) && !(geometric && x <= 0)) sqlite3_result_double(context, x);
}

/* most(x, name), least(x, name): the first workload with the most, as "NUMBER NAME". */
static void sql_extreme(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    sum *const s = sqlite3_aggregate_context(context, sizeof *s);
    double x;
    if (s == NULL) return;
    if (!numbers(1, values, &x)) s->none = true;
    else if (s->name == NULL || (*(const char *)sqlite3_user_data(context) == 'm' ? x > s->most : x < s->most)) {
        const char *const name = (const char *)sqlite3_value_text(values[1]);
        free(s->name);
        s->name = ls_copy(name != NULL ? name : "");
        s->most = x;
    }
}
static void sql_extreme_end(sqlite3_context *context) {
    const sum *const s = sqlite3_aggregate_context(context, 0);
    if (s == NULL || s->name == NULL) return;
    if (!s->none) give(context, ls_format("%.17g %s", s->most, s->name));
    free(s->name);
}

/* ---- verdicts ---- */

static const char *effect(double ours, double paper, double near) {
    if (fabs(ours - paper) <= near) return "holds";
    if (ours * paper <= 0 || fabs(ours) < 0.0005) return "no";
    if (ours / paper > 1) return "larger";
    return ours / paper >= 0.25 ? "weaker" : "sign only";
}
static const char *value(double ours, double paper, double near) {
    return fabs(ours - paper) <= near ? "holds" : ours > paper ? "higher" : "lower";
}

static const char *within(double ours, double most, double noise) {
    return ours <= most ? "holds" : ours > most + noise ? "no" : "cannot be decided";
}

/* effect(ours, paper, near), value(ours, paper, near), within(ours, most, noise), judged(holds). */
static void sql_verdict(sqlite3_context *context, int count, sqlite3_value **values) {
    double x[3];
    if (!numbers(count, values, x)) return;
    const char form = *(const char *)sqlite3_user_data(context);
    const char *const verdict = form == 'j' ? (x[0] != 0 ? "holds" : "no")
                                            : (form == 'e'   ? effect
                                               : form == 'w' ? within
                                                             : value)(x[0], x[1], x[2]);
    sqlite3_result_text(context, verdict, -1, SQLITE_STATIC);
}

/* A claim's line: its text, the paper's figure, ours, tolerance, verdicts; `judge` is what a number's verdict follows from, or NULL. */
typedef struct rule {
    char form;
    double paper, near;
} rule;
static void claim(sqlite3_context *context, const char *text, const char *paper, const char *near, char *const *ours,
                  const char *const *verdict, int count, const rule *judge) {
    ls_text row = {0};
    ls_text_add(&row, "| %s | %s |", text, paper);
    for (int i = 0; i < count; i++) ls_text_add(&row, " %s |", ours[i]);
    ls_text_add(&row, " %s |", near);
    for (int i = 0; i < count; i++) ls_text_add(&row, " %s |", verdict[i]);
    sqlite3_stmt *note = NULL;
    sqlite3_prepare_v2(sqlite3_context_db_handle(context), "INSERT INTO verdict VALUES (?, ?, ?, ?, ?, ?)", -1, &note, NULL);
    const char *const column[] = {text, verdict[0], count > 1 ? verdict[1] : ""};
    for (int i = 0; i < 3; i++) sqlite3_bind_text(note, i + 1, column[i], -1, SQLITE_STATIC);
    if (judge != NULL) {
        sqlite3_bind_int(note, 4, judge->form);
        sqlite3_bind_double(note, 5, judge->paper);
        sqlite3_bind_double(note, 6, judge->near);
    }
    if (sqlite3_step(note) == SQLITE_DONE) give(context, ls_text_take(&row));
    else {
        char *const why = ls_format("the claim is made twice: %s", text);
        sqlite3_result_error(context, why, -1);
        free(why);
        free(ls_text_take(&row));
    }
    sqlite3_finalize(note);
}

/* claim_value(text, paper, near, ours...), claim_effect and claim_points: a share; a change, as a percentage or in points; one
 * figure or two, of which '' is none. */
static void sql_claim(sqlite3_context *context, int count, sqlite3_value **values) {
    const char form = *(const char *)sqlite3_user_data(context);
    char *ours[2] = {NULL, NULL};
    const char *verdict[2] = {"", ""};
    double x[2];
    bool good = count >= 4 && count <= 5 && sqlite3_value_type(values[0]) == SQLITE_TEXT && numbers(2, values + 1, x);
    const char *name;
    for (int i = 0; good && i < count - 3; i++) {
        const char *const text = (const char *)sqlite3_value_text(values[3 + i]);
        const double y = number(values[3 + i], &name);
        good = isfinite(y) || (text != NULL && text[0] == '\0');
        if (isfinite(y)) verdict[i] = (form == 'p' ? value : effect)(y, x[0], x[1]);
        ours[i] = isfinite(y) ? shown(form, y, name) : ls_copy("");
    }
    if (good) {
        char *const paper = shown(form, x[0], NULL), *const near = ls_format("%.0f point%s", 100 * x[1], x[1] > 0.015 ? "s" : "");
        claim(context, (const char *)sqlite3_value_text(values[0]), paper, near, ours, verdict, count - 3,
              &(rule){form, x[0], x[1]});
        free(paper);
        free(near);
    }
    free(ours[0]);
    free(ours[1]);
}

/* claim(text, paper, near, ours, verdict...): all of it in words, one figure or two with a verdict each. */
static void sql_claim_words(sqlite3_context *context, int count, sqlite3_value **values) {
    char *word[7] = {0};
    bool good = count == 5 || count == 7;
    for (int i = 0; i < count && i < 7; i++) {
        word[i] = (char *)sqlite3_value_text(values[i]); /* NOLINT: read only */
        good = good && word[i] != NULL;
    }
    if (!good) return;
    char *const ours[2] = {word[3], count > 5 ? word[5] : NULL};
    const char *const verdict[2] = {word[4], count > 5 ? word[6] : NULL};
    claim(context, word[0], word[1], word[2], ours, verdict, (count - 3) / 2, NULL);
}

/* because(text, cause, then [, verdict]): the line of a claim above that does not hold: what alone is changed, what the figure is then, and its
 * verdict, which of a number is the claim's. Nothing of a claim that holds. */
static void sql_because(sqlite3_context *context, int count, sqlite3_value **values) {
    const char *word[4] = {0}, *name, *so = "";
    for (int i = 0; i < count && i < 4; i++) word[i] = (const char *)sqlite3_value_text(values[i]);
    if (count < 3 || count > 4 || word[0] == NULL || word[1] == NULL || word[2] == NULL || (count == 4 && word[3] == NULL))
        return;
    sqlite3_stmt *find = NULL;
    sqlite3_prepare_v2(sqlite3_context_db_handle(context), "SELECT * FROM verdict WHERE text = ?", -1, &find, NULL);
    sqlite3_bind_text(find, 1, word[0], -1, SQLITE_STATIC);
    const bool there = sqlite3_step(find) == SQLITE_ROW;
    const char *const verdict = there ? (const char *)sqlite3_column_text(find, 1) : "";
    const char form = there ? (char)sqlite3_column_int(find, 3) : 0;
    const double y = number(values[2], &name), paper = there ? sqlite3_column_double(find, 4) : 0,
                 near = there ? sqlite3_column_double(find, 5) : 0;
    if (!there) {
        char *const why = ls_format("no such claim above: %s", word[0]);
        sqlite3_result_error(context, why, -1);
        free(why);
    } else if (strcmp(verdict, "holds") == 0) {
        sqlite3_result_text(context, "", -1, SQLITE_STATIC);
    } else {
        const bool judged = count == 3 && form != 0 && isfinite(y);
        char *const then = judged ? shown(form, y, name) : ls_copy(word[2]);
        so = count == 4 ? word[3] : judged ? (form == 'p' ? value : effect)(y, paper, near) : "";
        give(context, ls_format("| %s | %s | %s | %s | %s |", word[0], verdict, word[1], then, so));
        free(then);
    }
    sqlite3_finalize(find);
    sqlite3_prepare_v2(sqlite3_context_db_handle(context), "INSERT OR REPLACE INTO reason VALUES (?, ?)", -1, &find, NULL);
    sqlite3_bind_text(find, 1, word[0], -1, SQLITE_STATIC);
    sqlite3_bind_text(find, 2, so, -1, SQLITE_STATIC);
    (void)sqlite3_step(find);
    sqlite3_finalize(find);
}

/* must(condition, message): ends with the message. */
static void sql_must(sqlite3_context *context, int count, sqlite3_value **values) {
    (void)count;
    if (sqlite3_value_int(values[0]) == 0) sqlite3_result_error(context, (const char *)sqlite3_value_text(values[1]), -1);
    else sqlite3_result_int(context, 1);
}

int paper_functions(sqlite3 *db) {
    static const struct {
        const char *name, *form;
        int count;
        void (*function)(sqlite3_context *, int, sqlite3_value **);
        void (*end)(sqlite3_context *);
    } list[] = {
        {"percent", "p", 1, sql_shown, NULL},
        {"signed", "s", 1, sql_shown, NULL},
        {"points", "o", 1, sql_shown, NULL},
        {"over", "v", 2, sql_shown, NULL},
        {"decimals", "", 2, sql_shown, NULL},
        {"ratio", "", 2, sql_ratio, NULL},
        {"cells", "", -1, sql_cells, NULL},
        {"mean", "m", 1, sql_add, sql_mean},
        {"share", "s", 2, sql_add, sql_mean},
        {"change", "c", 2, sql_add, sql_mean},
        {"geomean", "g", 2, sql_add, sql_mean},
        {"most", "m", 2, sql_extreme, sql_extreme_end},
        {"least", "l", 2, sql_extreme, sql_extreme_end},
        {"effect", "e", 3, sql_verdict, NULL},
        {"value", "v", 3, sql_verdict, NULL},
        {"within", "w", 3, sql_verdict, NULL},
        {"judged", "j", 1, sql_verdict, NULL},
        {"claim", "", -1, sql_claim_words, NULL},
        {"claim_value", "p", -1, sql_claim, NULL},
        {"claim_effect", "s", -1, sql_claim, NULL},
        {"claim_points", "o", -1, sql_claim, NULL},
        {"because", "", -1, sql_because, NULL},
        {"must", "", 2, sql_must, NULL},
    };
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const bool adds = list[i].end != NULL;
        if (sqlite3_create_function(db, list[i].name, list[i].count, SQLITE_UTF8, (void *)list[i].form, /* NOLINT: read only */
                                    adds ? NULL : list[i].function, adds ? list[i].function : NULL, list[i].end) != SQLITE_OK)
            return -1;
    }
    return 0;
}
