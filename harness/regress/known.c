/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/regress/known.h"

#include <errno.h>
#include <stdbool.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/core/config.h"
#include "harness/regress/regress_folder.h"

char *ls_bucket_field(const char *field) {
    ls_text to = {0};
    for (const char *c = field != NULL ? field : ""; *c != '\0'; c++) {
        const size_t digits = *c == '[' ? strspn(c + 1, "0123456789") : 0;
        if (digits > 0 && c[1 + digits] == ']') c += 1 + digits;
        else ls_text_put(&to, isspace((unsigned char)*c) || *c == '[' || *c == ']' ? "-" : c, 1);
    }
    if (to.size == 0) ls_text_add(&to, "-");
    return ls_text_take(&to);
}

#define BLANKS " \t\r"

static const char *const kinds[] = {"mismatch", "vacuous", "crash", "hang", "usage", "build", "missed", "survived", NULL};

/* "2030-01-31", a day that the calendar has. */
static bool is_date(const char *text) {
    static const unsigned days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    unsigned year, month, day;
    if (strlen(text) != 10 || strspn(text, "0123456789-") != 10 || sscanf(text, "%4u-%2u-%2u", &year, &month, &day) != 3)
        return false;
    if (text[4] != '-' || text[7] != '-' || month < 1 || month > 12) return false;
    const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return day >= 1 && day <= days[month - 1] + (month == 2 && leap ? 1u : 0u);
}

static bool is_kind(const char *text) {
    for (const char *const *k = kinds; *k != NULL; k++)
        if (strcmp(*k, text) == 0) return true;
    return false;
}

/* Whether that is the name of a bucket's field. */
static bool is_same(const char *name, const char *field) {
    char *of_bucket = ls_bucket_field(name);
    const bool same = strcmp(of_bucket, field) == 0;
    free(of_bucket);
    return same;
}

/* Whether something of that name is compared when the unit has these parameters ("A=1 B=2"). */
static bool is_compared(const ls_unit *unit, const char *params, const char *field) {
    char error[256];
    void *cfg = ls_config_new(unit), *model = ls_zeroed(unit->model_size);
    ls_fields fields = {0};
    bool found = false;
    if (ls_config_set_all(unit, cfg, params, error, sizeof error) == 0 && unit->init(model, cfg) == 0) {
        ls_unit_fields(unit, &fields, model);
        for (size_t i = 0; i < fields.count && !found; i++)
            for (uint32_t n = 0; fields.list[i].kind != LS_IN && n < ls_part_count(&fields.list[i]) && !found; n++)
                found = is_same(ls_part_of(&fields.list[i], n).field.name, field);
        ls_fields_free(&fields);
    }
    free(model);
    free(cfg);
    return found;
}

/* Whether the unit can have a bucket of this field and kind: a slip would hide nothing, and nobody would see it. */
static bool is_field(const ls_unit *unit, const char *field, const char *kind) {
    bool found = false;
    if (strcmp(kind, "survived") == 0) return true; /* a cell or a line */
    if (strcmp(kind, "mismatch") != 0 && strcmp(field, "-") == 0) return true;
    if (strcmp(kind, "missed") == 0)
        for (const ls_fault *f = unit->faults; f->what != NULL && !found; f++) found = is_same(f->what, field);
    if (strcmp(kind, "mismatch") == 0) {
        found = unit->property != NULL && strcmp(field, "property") == 0;
        for (const char *const *set = unit->sets; *set != NULL && !found; set++) found = is_compared(unit, *set, field);
    }
    return found;
}

/* What the field must be, for the message. */
static const char *field_words(const char *kind) {
    if (strcmp(kind, "mismatch") == 0) return "a register, memory or output of the unit without index, or property";
    return strcmp(kind, "missed") == 0 ? "a planted fault of the unit with - in place of blanks"
                                       : "- (such a failure is of no field)";
}

/* Cuts the next word off; "" when there is none. */
static char *next_word(char **rest) {
    char *word = *rest + strspn(*rest, BLANKS);
    const size_t n = strcspn(word, BLANKS);
    *rest = word + n + (word[n] != '\0' ? 1 : 0);
    word[n] = '\0';
    return word;
}

static bool same_bucket(const ls_known *a, const ls_known *b) {
    return strcmp(a->unit, b->unit) == 0 && strcmp(a->field, b->field) == 0 && strcmp(a->kind, b->kind) == 0;
}

/* The words of a line into `k`; 0, or -1 and what is wrong. */
static int parse(char *line, ls_known *k, char *wrong, size_t size) {
    const char *const unit = next_word(&line), *const field = next_word(&line), *const kind = next_word(&line);
    const char *const owner = next_word(&line), *const date = next_word(&line);
    line += strspn(line, BLANKS);
    for (size_t n = strlen(line); n > 0 && strchr(BLANKS, line[n - 1]) != NULL;) line[--n] = '\0';
    const bool no_unit = strcmp(unit, "-") == 0;
    wrong[0] = '\0';
    if (field[0] == '\0') (void)snprintf(wrong, size, "FIELD: missing; expected UNIT FIELD KIND OWNER DATE REASON");
    else if (!no_unit && ls_unit_find(unit) == NULL)
        (void)snprintf(wrong, size, "UNIT: no unit %s; expected one that `lockstep list` names, or - for mutants of the tool",
                       unit);
    else if (strpbrk(field, "[]") != NULL) (void)snprintf(wrong, size, "FIELD: %s; expected a field without index", field);
    else if (!is_kind(kind))
        (void)snprintf(wrong, size, "KIND: \"%s\"; expected mismatch, vacuous, crash, hang, usage, build, missed or survived",
                       kind);
    else if (no_unit && strcmp(kind, "survived") != 0)
        (void)snprintf(wrong, size, "UNIT: - is for kind survived alone (mutants of the tool)");
    else if (!no_unit && !is_field(ls_unit_find(unit), field, kind))
        (void)snprintf(wrong, size, "FIELD: %s; for %s of kind %s expected %s", field, unit, kind, field_words(kind));
    else if (owner[0] == '\0') (void)snprintf(wrong, size, "OWNER: missing; expected who answers for it, one word");
    else if (!is_date(date)) (void)snprintf(wrong, size, "DATE: \"%s\"; expected YYYY-MM-DD", date);
    else if (line[0] == '\0') (void)snprintf(wrong, size, "REASON: missing; expected why it is known and not mended");
    if (wrong[0] != '\0') return -1;
    k->unit = ls_copy(no_unit ? "" : unit);
    k->field = ls_copy(field);
    k->kind = ls_copy(kind);
    k->owner = ls_copy(owner);
    k->date = ls_copy(date);
    k->reason = ls_copy(line);
    return 0;
}

int ls_known_read(ls_known_list *known, const char *path, char *error, size_t size) {
    *known = (ls_known_list){0};
    ls_text text = {0};
    char wrong[256] = "";
    if (ls_text_read(&text, path) == -ENOENT) return 0;
    free(ls_text_take(&text));
    if (ls_regress_text(&text, path, "", error, size) != 0) return -1;
    char *const all = ls_text_take(&text), *rest = all;
    size_t number = 0;
    for (char *line; wrong[0] == '\0' && (line = strsep(&rest, "\n")) != NULL;) {
        number++;
        const char first = line[strspn(line, BLANKS)];
        if (first == '\0' || first == '#') continue;
        known->list = ls_grow(known->list, known->count, sizeof *known->list);
        ls_known *k = &known->list[known->count];
        *k = (ls_known){.line = number};
        if (parse(line, k, wrong, sizeof wrong) != 0) break;
        for (size_t i = 0; i < known->count && wrong[0] == '\0'; i++)
            if (same_bucket(&known->list[i], k))
                (void)snprintf(wrong, sizeof wrong, "the same bucket as line %zu; expected each once", known->list[i].line);
        known->count++;
    }
    free(all);
    if (wrong[0] == '\0') return 0;
    (void)snprintf(error, size, "%s:%zu: %s", path, number, wrong);
    ls_known_free(known);
    return -1;
}

void ls_known_free(ls_known_list *known) {
    for (size_t i = 0; i < known->count; i++) {
        ls_known *k = &known->list[i];
        free(k->unit);
        free(k->field);
        free(k->kind);
        free(k->owner);
        free(k->date);
        free(k->reason);
    }
    free(known->list);
    *known = (ls_known_list){0};
}
