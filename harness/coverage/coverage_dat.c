/* SPDX-License-Identifier: Apache-2.0 */
/* Verilator's coverage.dat. A line is C '…' COUNT; between the quotes fields, each byte 1, its key, byte 2, its value: f file, l
 * line, n column, page "v_line/module", "v_branch/…", "v_toggle/…" or "v_user/…", o "block", "if", "else" or the signal with its
 * bit. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/core/config.h"
#include "harness/coverage/coverage_points.h"

/* The value of a key in the text of a point; free() it. NULL: there is none. */
static char *value_of(const char *fields, const char *key) {
    const size_t n = strlen(key);
    for (const char *at = fields; (at = strchr(at, '\1')) != NULL;) {
        at++;
        if (strncmp(at, key, n) != 0 || at[n] != '\2') continue;
        return ls_format("%.*s", (int)strcspn(at + n + 1, "\1"), at + n + 1);
    }
    return NULL;
}

static bool number(const char *text, uint64_t most, uint64_t *value) {
    char *end;
    errno = 0;
    *value = text != NULL ? strtoull(text, &end, 10) : 0;
    return text != NULL && isdigit((unsigned char)text[0]) != 0 && *end == '\0' && errno == 0 && *value <= most;
}

/* Splits "data_q[3][17]" into the signal "data_q[3]" and bit 17. */
static uint32_t take_index(char *signal) {
    const size_t size = strlen(signal);
    char *open = strrchr(signal, '[');
    uint64_t index;
    if (open == NULL || signal[size - 1] != ']') return LS_POINT_WHOLE;
    signal[size - 1] = '\0';
    if (number(open + 1, UINT32_MAX - 1, &index)) {
        *open = '\0';
        return (uint32_t)index;
    }
    signal[size - 1] = ']';
    return LS_POINT_WHOLE;
}

/* The point of one line, which is changed. NULL, or what is wrong. */
static const char *read_point(ls_points *points, const ls_unit *unit, char *line, const char *root) {
    char *quote = strrchr(line, '\'');
    uint64_t at = 0, column = 0, count;
    if (strncmp(line, "C '", 3) != 0 || quote < line + 3 || quote[1] != ' ' || !number(quote + 2, UINT64_MAX, &count))
        return "this is no point of Verilator's coverage";
    *quote = '\0';
    char *file = value_of(line, "f"), *place = value_of(line, "l"), *col = value_of(line, "n"), *page = value_of(line, "page"),
         *what = value_of(line, "o");
    const char *wrong = NULL;
    const bool toggle = page != NULL && strncmp(page, "v_toggle/", 9) == 0;
    const bool ours = toggle || (page != NULL && (strncmp(page, "v_line/", 7) == 0 || strncmp(page, "v_branch/", 9) == 0));
    if (file == NULL || page == NULL || what == NULL || !number(place, UINT32_MAX, &at) ||
        (col != NULL && !number(col, UINT32_MAX, &column))) {
        wrong = "a point without file, line, page or comment";
    } else if (ours) {
        const size_t n = strlen(root);
        const char *name = strncmp(file, root, n) == 0 && file[n] == '/' ? file + n + 1 : file;
        const ls_unit *owner = ls_unit_of_file(name);
        const ls_point p = {.kind = toggle ? LS_POINT_TOGGLE : LS_POINT_LINE,
                            .file = (char *)(uintptr_t)name,
                            .line = (uint32_t)at,
                            .column = (uint32_t)column,
                            .index = toggle ? take_index(what) : LS_POINT_WHOLE,
                            .what = what,
                            .text = (char *)(uintptr_t) "",
                            .count = count};
        if (owner == NULL || owner == unit) ls_points_add(points, &p);
    }
    free(file);
    free(place);
    free(col);
    free(page);
    free(what);
    return wrong;
}

int ls_coverage_dat(ls_points *points, const ls_unit *unit, const char *path, const char *root, char *error, size_t size) {
    ls_text text = {0};
    const int status = ls_text_read(&text, path);
    if (status != 0) {
        (void)snprintf(error, size, "%s: %s", path, strerror(-status));
        return -1;
    }
    ls_text_put(&text, "", 1);
    const char *wrong = NULL;
    size_t line = 0, found = 0;
    for (char *at = text.data; *at != '\0' && wrong == NULL;) {
        char *stop = strchr(at, '\n');
        line++;
        if (stop == NULL) {
            wrong = "the file is cut off";
            break;
        }
        *stop = '\0';
        if (line == 1) {
            if (strncmp(at, "# SystemC::Coverage-", 20) != 0) wrong = "this is no coverage file of Verilator";
        } else if (at[0] != '#' && at[0] != '\0') {
            wrong = read_point(points, unit, at, root);
            found++;
        }
        at = stop + 1;
    }
    if (wrong == NULL && found == 0) {
        wrong = "no point is in it";
        line = 1;
    }
    free(ls_text_take(&text));
    if (wrong == NULL) return 0;
    (void)snprintf(error, size, "%s:%zu: %s", path, line, wrong);
    return -1;
}
