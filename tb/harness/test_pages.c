/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of docs/units: the tables of each page say what the unit's field list says. */
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cmodel/common/rf_types.h"
#include "harness/base/memory.h"
#include "harness/base/root.h"
#include "harness/base/text.h"
#include "harness/core/config.h"
#include "harness/core/unit.h"

/* A unit at its defaults, and the rows of its page's tables. */
typedef struct page {
    const ls_unit *unit;
    void *cfg, *model;
    ls_fields fields;
    ls_args rows, heads; /* a row's table has the head of the same number */
    ls_args names;       /* all that stands in backticks on the page, or in first cells of the pages that it links to */
    bool per;            /* widths are per something that the rows do not say */
} page;

static ls_text wrong;             /* all that is found, a line each */
static uint32_t defaults, widths; /* that were compared */

static void tell(const page *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void tell(const page *p, const char *format, ...) {
    va_list args;
    char text[512];
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ls_text_add(&wrong, "docs/units/%s.md: %s\n", p->unit->name, text);
}

/* The text of a page, to be freed. */
static char *text_of(const char *unit) {
    char *path = ls_format("%s/docs/units/%s.md", ls_root(), unit);
    ls_text text = {0};
    if (ls_text_read(&text, path) != 0) fail_msg("%s cannot be read", path);
    free(path);
    return ls_text_take(&text);
}

/* The rows of a page's tables, and the head of each. */
static void read_rows(const char *unit, ls_args *rows, ls_args *heads) {
    char *head = ls_copy(""), *text = text_of(unit), *rest = text;
    bool inside = false;
    for (char *line = strsep(&rest, "\n"); line != NULL; line = strsep(&rest, "\n")) {
        if (line[0] == '|' && !inside) {
            free(head);
            head = ls_copy(line);
        } else if (line[0] == '|') {
            ls_args_add(rows, "%s", line);
            ls_args_add(heads, "%s", head);
        }
        inside = line[0] == '|';
    }
    free(head);
    free(text);
}

/* ---- rows ---- */

/* Cell `n` of a row, 0 the first, without the blanks around it; "" when there is none. To be freed. */
static char *cell_of(const char *row, uint32_t n) {
    for (row++; n > 0 && strchr(row, '|') != NULL; n--) row = strchr(row, '|') + 1;
    if (n > 0) return ls_copy("");
    while (*row == ' ') row++;
    size_t length = strcspn(row, "|");
    while (length > 0 && row[length - 1] == ' ') length--;
    return ls_format("%.*s", (int)length, row);
}

static bool has_head(const char *head, uint32_t n, const char *word) {
    char *cell = cell_of(head, n);
    const bool has = strncmp(cell, word, strlen(word)) == 0;
    free(cell);
    return has;
}

/* The cell's parts between commas outside of parentheses, without the blanks around them. */
static void split(const char *cell, ls_args *parts) {
    int depth = 0;
    for (const char *begin = cell, *c = cell;; c++) {
        depth += (*c == '(') - (*c == ')');
        if (*c != '\0' && (*c != ',' || depth > 0)) continue;
        size_t length = (size_t)(c - begin);
        while (length > 0 && *begin == ' ') begin++, length--;
        while (length > 0 && begin[length - 1] == ' ') length--;
        ls_args_add(parts, "%.*s", (int)length, begin);
        if (*c == '\0') break;
        begin = c + 1;
    }
}

/* The names in backticks, without an index behind them. */
static void names_of(const char *text, ls_args *names) {
    for (const char *open; (open = strchr(text, '`')) != NULL;) {
        const char *close = strchr(open + 1, '`');
        if (close == NULL) break;
        const size_t all = (size_t)(close - open - 1), length = strcspn(open + 1, "[`");
        const bool index = length < all && close[-1] == ']';
        ls_args_add(names, "%.*s", (int)(index ? length : all), open + 1);
        text = close + 1;
    }
}

/* Whether the name is there, or `wr_*_o` that means it. */
static bool is_among(const ls_args *names, const char *name) {
    for (size_t i = 0; i < names->count; i++)
        if (fnmatch(names->list[i], name, 0) == 0) return true;
    return false;
}

/* Adds what stands in backticks on the page, and in first cells of the tables of the pages that it links to. */
static void all_names(const char *unit, ls_args *names) {
    char *text = text_of(unit), other[64];
    names_of(text, names);
    for (const char *at = text; (at = strstr(at, "](rf_")) != NULL; at++) {
        if (sscanf(at, "](%63[a-z0-9_].md", other) != 1) continue;
        ls_args rows = {0}, heads = {0};
        read_rows(other, &rows, &heads);
        for (size_t i = 0; i < rows.count; i++) {
            char *first = cell_of(rows.list[i], 0);
            names_of(first, names);
            free(first);
        }
        ls_args_free(&rows);
        ls_args_free(&heads);
    }
    free(text);
}

/* ---- pages ---- */

static void open_page(page *p, const ls_unit *unit) {
    *p = (page){.unit = unit, .cfg = ls_config_new(unit), .model = ls_zeroed(unit->model_size)};
    assert_int_equal(unit->init(p->model, p->cfg), 0);
    unit->fields(&p->fields, p->model);
    read_rows(unit->name, &p->rows, &p->heads);
    all_names(unit->name, &p->names);
    char *text = text_of(unit->name);
    p->per = strstr(text, "All ports are per ") != NULL;
    free(text);
}

static void close_page(page *p) {
    ls_fields_free(&p->fields);
    ls_args_free(&p->rows);
    ls_args_free(&p->heads);
    ls_args_free(&p->names);
    free(p->cfg);
    free(p->model);
}

/* ---- parameters ---- */

static const ls_param *find_param(const ls_unit *unit, const char *name) {
    for (size_t i = 0; i < unit->param_count; i++)
        if (strcmp(unit->params[i].name, name) == 0) return &unit->params[i];
    return NULL;
}

/* The default of parameter `n` of the row's `count`: in the column "default" one for each or one for all, else behind the word.
 */
static void check_default(const page *p, const char *row, const char *head, const ls_param *param, size_t n, size_t count) {
    unsigned long value = 0;
    const char *word = strstr(row, "default ");
    bool found = false;
    if (has_head(head, 1, "default")) {
        ls_args parts = {0};
        char *cell = cell_of(row, 1);
        split(cell, &parts);
        found = (parts.count == 1 || parts.count == count) && sscanf(parts.list[parts.count == 1 ? 0 : n], "%lu", &value) == 1;
        ls_args_free(&parts);
        free(cell);
    } else if (word != NULL) found = sscanf(word, "default %lu", &value) == 1;
    if (!found) return;
    defaults++;
    if (value != ls_config_get(param, p->cfg))
        tell(p, "the default of %s is %lu, and %u in the list", param->name, value, ls_config_get(param, p->cfg));
}

static void check_parameters(const page *p) {
    for (size_t i = 0; i < p->unit->param_count; i++)
        if (!is_among(&p->names, p->unit->params[i].name)) tell(p, "no parameter %s", p->unit->params[i].name);
    for (size_t i = 0; i < p->rows.count; i++) {
        if (!has_head(p->heads.list[i], 0, "name") || !has_head(p->heads.list[i], 1, "default")) continue;
        ls_args of_row = {0};
        char *first = cell_of(p->rows.list[i], 0);
        names_of(first, &of_row);
        for (size_t k = 0; k < of_row.count; k++) {
            const ls_param *param = find_param(p->unit, of_row.list[k]);
            if (param == NULL) tell(p, "%s is no parameter of the list", of_row.list[k]);
            else check_default(p, p->rows.list[i], p->heads.list[i], param, k, of_row.count);
        }
        ls_args_free(&of_row);
        free(first);
    }
}

/* ---- ports and registers ---- */

/* The value of "A x 3 x ix(B)", A and B parameters; false: of something else. */
static bool product(const page *p, const char *text, uint64_t *value) {
    *value = 1;
    while (*text != '\0') {
        char name[64] = "";
        unsigned long number = 0;
        int used = 0;
        const ls_param *param = NULL;
        if (sscanf(text, "%lu%n", &number, &used) == 1) {
            *value *= number;
        } else if (sscanf(text, "ix(%63[A-Z0-9_])%n", name, &used) == 1 && used > 0) {
            if ((param = find_param(p->unit, name)) == NULL) return false;
            *value *= rf_index_bits(ls_config_get(param, p->cfg));
        } else if (sscanf(text, "%63[A-Z0-9_]%n", name, &used) == 1) {
            if ((param = find_param(p->unit, name)) == NULL) return false;
            *value *= ls_config_get(param, p->cfg);
        } else return false;
        text += used;
        if (*text == '\0') return true;
        if (strncmp(text, " x ", 3) != 0) return false;
        text += 3;
    }
    return false;
}

/* The bits of name `n` of the row's `count`, where the cell has a product for each or one for all. "A x B, C" may be A x B and A
 * x C, "A x B, x C" A x B and A x B x C. */
static void check_width(const page *p, const char *row, const char *head, const ls_field *f, size_t n, size_t count) {
    ls_args parts = {0};
    char *cell = cell_of(row, 1);
    split(cell, &parts);
    uint64_t value = 0, whole = 0, before = 0;
    if (has_head(head, 1, "bits") && !p->per && strstr(cell, "per ") == NULL && (parts.count == 1 || parts.count == count)) {
        const char *first = parts.list[0], *part = parts.list[parts.count == 1 ? 0 : n], *last = first;
        const bool joined = strncmp(part, "x ", 2) == 0;
        for (const char *c = first; (c = strstr(c, " x ")) != NULL; c++) last = c;
        char *but_last = ls_format("%.*s", (int)(last - first), first);
        const bool known = product(p, first, &whole) && product(p, joined ? part + 2 : part, &value);
        if (last == first || !product(p, but_last, &before)) before = 1;
        const uint64_t is = (uint64_t)f->bits * f->count;
        const bool right = value == is || (n > 0 && (value * whole == is || value * before == is));
        widths += known;
        if (known && !right)
            tell(p, "%s has %s bits, and %llu at the defaults in the list", f->name, cell, (unsigned long long)is);
        free(but_last);
    }
    free(cell);
    ls_args_free(&parts);
}

static char *page_name(const ls_field *f) {
    return ls_format("%s%s", f->name, f->kind == LS_IN ? "_i" : f->kind == LS_OUT ? "_o" : "");
}

static const ls_field *find_field(const page *p, const char *name) {
    const ls_field *found = NULL;
    for (size_t i = 0; i < p->fields.count && found == NULL; i++) {
        char *own = page_name(&p->fields.list[i]);
        if (strcmp(own, name) == 0) found = &p->fields.list[i];
        free(own);
    }
    return found;
}

static bool ends(const char *name, const char *end) {
    const size_t n = strlen(name), k = strlen(end);
    return n > k && strcmp(name + n - k, end) == 0;
}

/* Every port, and every register that is no unit's inside, has a row, and every row is of one. */
static void check_signals(const page *p) {
    for (size_t i = 0; i < p->fields.count; i++) {
        const ls_field *f = &p->fields.list[i];
        char *name = page_name(f);
        if (strchr(name, '.') == NULL && !is_among(&p->names, name))
            tell(p, "no %s %s", ls_is_state(f) ? "register" : "port", name);
        free(name);
    }
    for (size_t i = 0; i < p->rows.count; i++) {
        const char *head = p->heads.list[i];
        const bool state = has_head(head, 0, "register"), port = has_head(head, 0, "port") || has_head(head, 0, "name");
        if (!has_head(head, 1, "bits") || (!state && !port)) continue;
        ls_args of_row = {0};
        char *first = cell_of(p->rows.list[i], 0);
        names_of(first, &of_row);
        for (size_t k = 0; k < of_row.count; k++) {
            const char *name = of_row.list[k];
            const ls_field *f = find_field(p, name);
            if (f != NULL && strchr(first, '[') == NULL) check_width(p, p->rows.list[i], head, f, k, of_row.count);
            else if (f == NULL && port && strchr(name, '*') == NULL && (ends(name, "_i") || ends(name, "_o")))
                tell(p, "%s is no port of the list", name);
            else if (f == NULL && state && ends(name, "_q") && strchr(name, '.') == NULL)
                tell(p, "%s is no register of the list", name);
        }
        ls_args_free(&of_row);
        free(first);
    }
}

static void every_table_is_that_of_its_units_list(void **state) {
    (void)state;
    for (const ls_unit *const *u = ls_units; *u != NULL; u++) {
        page p;
        open_page(&p, *u);
        check_parameters(&p);
        check_signals(&p);
        close_page(&p);
    }
    if (wrong.size > 0) {
        (void)fputs(wrong.data, stderr);
        fail_msg("the pages above are not as the lists");
    }
    assert_true(defaults >= 200);
    assert_true(widths >= 200);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_table_is_that_of_its_units_list)};
    return cmocka_run_group_tests_name("docs/units", tests, NULL, NULL);
}
