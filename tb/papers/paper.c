/* SPDX-License-Identifier: Apache-2.0 */
/* build/paper: writes a page about a paper from the records of its runs; tb/papers/README.md says how a page is made.
 *
 *     paper WORK FIGURES.sql PAGE.md [CONSTANT=VALUE]...
 *
 * reads WORK/workloads.jsonl, WORK/configs, WORK/runs.jsonl and the records of what checked them (compared.jsonl, faults.jsonl,
 * judged.jsonl), or those of units (synth.jsonl, storage.jsonl, macros.jsonl), into tables, runs FIGURES.sql, which makes the table of figures,
 * and writes WORK/page/page.md: PAGE.md with what stands between two "@" computed, and WORK/page/FILE.gp for each of its plots.
 * Whatever is missing, or has no value, ends it with status 1. */
#include <ctype.h>
#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "tb/papers/paper_functions.h"

static sqlite3 *db;
static const char *work;       /* the folder of the records */
static const char *place = ""; /* the file that is being read */
static unsigned line;          /* its line, from 1; 0: the file as a whole */

static void die(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
static void die(const char *format, ...) {
    va_list args;
    va_start(args, format);
    if (line > 0) ls_say(stderr, "paper: %s:%u: ", place, line);
    else ls_say(stderr, "paper: %s: ", place);
    ls_say_list(stderr, format, args);
    ls_say(stderr, "\n");
    va_end(args);
    exit(1);
}

/* ---- SQL ---- */

static sqlite3_stmt *query(const char *sql) {
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK) die("%s in: %s", sqlite3_errmsg(db), sql);
    if (statement == NULL) die("nothing to compute in: %s", sql);
    return statement;
}

/* The next row of a statement; at the end false, and the statement is gone. */
static bool next(sqlite3_stmt *statement) {
    const int status = sqlite3_step(statement);
    if (status == SQLITE_ROW) return true;
    if (status != SQLITE_DONE) die("%s in: %s", sqlite3_errmsg(db), sqlite3_sql(statement));
    sqlite3_finalize(statement);
    return false;
}

static const char *text_of(sqlite3_stmt *statement, int column) {
    const char *const text = (const char *)sqlite3_column_text(statement, column);
    return text != NULL ? text : "";
}

static void execute(const char *sql) {
    char *why = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK) die("%s", why);
}

/* ---- records into tables ---- */

static char *read_file(const char *path) {
    ls_text text = {0};
    place = path;
    line = 0;
    if (ls_text_read(&text, path) != 0) die("cannot be read");
    return ls_text_take(&text);
}

/* The lines of a file of WORK, into the table `record`. */
static void read_records(const char *file, const char *as) {
    char *const path = ls_format("%s/%s", work, file), *const all = read_file(path);
    execute("DROP TABLE IF EXISTS record; CREATE TABLE record(line INTEGER PRIMARY KEY, text)");
    char *const sql = ls_format("INSERT INTO record VALUES (?, %s)", as);
    sqlite3_stmt *const insert = query(sql);
    for (char *at = all; *at != '\0';) {
        const size_t size = strcspn(at, "\n");
        line++;
        sqlite3_bind_int64(insert, 1, line);
        sqlite3_bind_text(insert, 2, at, (int)size, SQLITE_STATIC);
        if (sqlite3_step(insert) != SQLITE_DONE) die("%s", sqlite3_errmsg(db));
        sqlite3_reset(insert);
        at += size + (at[size] != '\0');
    }
    sqlite3_finalize(insert);
    line = 0;
    free(sql);
    free(all);
}

/* An object of the records, and what the names of its numbers' columns begin with. */
typedef struct part {
    const char *object, *prefix;
} part;

/* A table with a column for each number in these objects. `strict`: they have no members that are no numbers. NULL where a record
 * has none. */
static void make_table(const char *table, const char *first, const part *parts, bool strict) {
    ls_text sql = {0};
    ls_text_add(&sql, "CREATE TABLE %s AS SELECT %s", table, first);
    for (; parts->object != NULL; parts++) {
        char *const keys =
            ls_format("SELECT DISTINCT key FROM record, json_each(text, '$%s') AS j WHERE %s", parts->object,
                      strict ? "must(j.type IN ('integer', 'real', 'null'), 'line ' || line || ': ' || key || ' is no number')"
                             : "j.type IN ('integer', 'real', 'null')");
        sqlite3_stmt *const key = query(keys);
        while (next(key)) {
            char *const column = sqlite3_mprintf(", json_extract(text, '$%s.\"' || %Q || '\"') * 1.0 AS \"%s%w\"", parts->object,
                                                 text_of(key, 0), parts->prefix, text_of(key, 0));
            ls_text_add(&sql, "%s", column);
            sqlite3_free(column);
        }
        free(keys);
    }
    ls_text_add(&sql, " FROM record");
    execute(sql.data);
    free(ls_text_take(&sql));
}

#define RUN_OF_RECORD "CAST(text ->> 'run' AS INTEGER) AS w, substr(text ->> 'run', instr(text ->> 'run', '-') + 1) AS c"

/* A run on a machine with sub-cores is the SM's: to what sub-core 0 counted comes what the others did. Of cycles, lengths,
 * shares and means it is the mean of those that have one. */
static void add_sub_cores(void) {
    execute("CREATE TABLE other AS SELECT line, c.key AS key, sum(c.value) AS sum, count(c.value) AS n"
            " FROM record, json_each(text, '$.other_sub_cores') AS core, json_each(core.value) AS c GROUP BY line, c.key;"
            "CREATE UNIQUE INDEX other_key_line ON other(key, line)");
    sqlite3_stmt *const key =
        query("SELECT DISTINCT key, key = 'cycles' OR key GLOB '*_share' OR key GLOB '*_mean' OR key GLOB '*_mm' FROM other");
    while (next(key)) {
        char *const sql = sqlite3_mprintf("UPDATE run SET \"%w\" = iif(%d, (coalesce(\"%w\", 0) + coalesce(o.sum, 0)) / (o.n + "
                                          "(\"%w\" IS NOT NULL)), \"%w\" + o.sum)"
                                          " FROM other AS o WHERE o.line = run.rowid AND o.key = %Q",
                                          text_of(key, 0), sqlite3_column_int(key, 1), text_of(key, 0), text_of(key, 0),
                                          text_of(key, 0), text_of(key, 0));
        execute(sql);
        sqlite3_free(sql);
    }
}

static bool is_there(const char *file) {
    FILE *const there = fopen(ls_format("%s/%s", work, file), "r");
    if (there != NULL) fclose(there);
    return there != NULL;
}

/* What checked the runs: a table, if WORK has the file, of records that have all passed. */
static void read_checks(const char *file, const char *table, const char *first) {
    if (!is_there(file)) return;
    read_records(file, "json(?)");
    execute("SELECT must(0, 'line ' || line || ': the check has not passed') FROM record WHERE text ->> 'status' IS NOT 'pass'");
    make_table(table, first, (part[]){{"", ""}, {NULL, NULL}}, false);
}

/* Runs a file of SQL. */
static void run_file(const char *path) {
    char *const sql = read_file(path);
    execute(sql);
    free(sql);
}

/* The tables workload, config, run and of the checks, and what runs.sql makes of them. */
static void read_runs(void) {
    read_records("workloads.jsonl", "json(?)");
    make_table("workload", "text ->> 'set' AS kind, text ->> 'name' AS name",
               (part[]){{"", ""}, {".classes", ""}, {".stats", "stat_"}, {".limit", "limit_"}, {NULL, NULL}}, false);
    read_records("configs", "?");
    execute("CREATE TABLE config AS SELECT word ->> 0 AS c, word ->> 1 AS base"
            " FROM (SELECT '[\"' || replace(text, ' ', '\",\"') || '\"]' AS word FROM record)");
    read_records("runs.jsonl", "json(?)");
    execute("SELECT must(0, 'line ' || line || ': the run has not passed') FROM record WHERE text ->> 'status' IS NOT 'pass'");
    make_table("run", RUN_OF_RECORD,
               (part[]){{".counters", ""}, {".params", "param_"}, {".surroundings", "machine_"}, {NULL, NULL}}, true);
    add_sub_cores();
    read_checks("compared.jsonl", "compared", RUN_OF_RECORD);
    read_checks("faults.jsonl", "fault", "text ->> 'unit' AS unit");
    read_checks("judged.jsonl", "judged", "text ->> 'judge' AS judge");
    run_file("tb/papers/runs.sql");
}

/* The tables of a page that has units in place of runs: what was synthesised, whose storage was counted, macros; and the one row
 * that its expressions are of. */
static void read_units(void) {
    read_records("synth.jsonl", "json(?)");
    make_table("synth", "text ->> 'figure' AS c, text ->> 'what' AS what, text ->> 'tools' AS tools",
               (part[]){{".area", ""}, {".timing", ""}, {".timing.paths.in_out", "across_"}, {NULL, NULL}}, false);
    read_records("storage.jsonl", "json(?)");
    make_table("storage", "text ->> 'figure' AS c, text -> 'registers' AS registers", (part[]){{"", ""}, {NULL, NULL}}, false);
    read_records("macros.jsonl", "json(?)");
    make_table("macro", "text ->> 'ports' AS ports", (part[]){{"", ""}, {NULL, NULL}}, false);
    execute("CREATE UNIQUE INDEX synth_c ON synth(c); CREATE UNIQUE INDEX storage_c ON storage(c);"
            "CREATE TABLE row AS SELECT 0 AS at, 'units' AS kind, 'all units' AS name; CREATE TABLE given AS SELECT 0 AS traces");
}

/* All tables, and the constants of the command line in `given`. */
static void read_tables(char **constants, int count) {
    if (is_there("synth.jsonl")) read_units();
    else read_runs();
    run_file("tb/papers/paper.sql");
    place = "constants";
    for (int i = 0; i < count; i++) {
        char *name = ls_copy(constants[i]), *value = strchr(name, '='), *end = NULL;
        if (value != NULL) *value++ = '\0';
        const double x = value != NULL ? strtod(value, &end) : 0;
        if (end == value || *end != '\0') die("%s: no number", constants[i]);
        char *const sql = sqlite3_mprintf("ALTER TABLE given ADD \"%w\" DEFAULT %!.17g", name, x);
        execute(sql);
        sqlite3_free(sql);
        free(name);
    }
}

/* ---- what stands between two "@" ---- */

/* The text of a value; a number only when it is whole: the others say how they are written. `of` names the row. */
static const char *content(sqlite3_stmt *statement, int column, const char *of) {
    static char whole[32];
    const char *const what = sqlite3_column_name(statement, column);
    const int type = sqlite3_column_type(statement, column);
    if (type == SQLITE_NULL) die("no value%s%s: %s", of[0] != '\0' ? " for " : "", of, what);
    if (type != SQLITE_FLOAT) return text_of(statement, column);
    const double x = sqlite3_column_double(statement, column);
    if (x != floor(x) || fabs(x) > 1e15) die("%g needs percent(), signed(), points() or decimals(): %s", x, what);
    snprintf(whole, sizeof whole, "%.0f", x);
    return whole;
}

/* A row of a Markdown table for each row of the query. */
static char *table_rows(const char *sql) {
    ls_text text = {0};
    sqlite3_stmt *const statement = query(sql);
    while (next(statement)) {
        ls_text_add(&text, "%s|", text.size > 0 ? "\n" : "");
        for (int i = 0; i < sqlite3_column_count(statement); i++)
            ls_text_add(&text, " %s |", content(statement, i, text_of(statement, 0)));
    }
    return ls_text_take(&text);
}

/* The one row of a query, as text or as cells; NULL: there is none. */
static char *one_row(const char *sql) {
    ls_text text = {0};
    sqlite3_stmt *const statement = query(sql);
    if (!next(statement)) return NULL;
    for (int i = 0; i < sqlite3_column_count(statement); i++)
        ls_text_add(&text, "%s%s", i > 0 ? " | " : "", content(statement, i, ""));
    if (next(statement)) die("more than one row: %s", sql);
    return ls_text_take(&text);
}

/* A query of expressions over rows, in which CONFIGURATION.FIGURE is a figure of the row. */
static char *over_rows(const char *first, const char *expressions, const char *where) {
    ls_text sql = {0}, seen = {0};
    ls_text_add(&sql, "SELECT %s%s FROM given CROSS JOIN row", first, expressions);
    sqlite3_stmt *const known = query("SELECT 1 FROM figure WHERE c = ?");
    ls_text_add(&seen, " ");
    for (const char *at = expressions; *at != '\0'; at++) {
        if (*at == '\'' || *at == '"') {
            const char *const end = strchr(at + 1, *at);
            if (end == NULL) break;
            at = end;
            continue;
        }
        const size_t size = strspn(at, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
        if (size == 0) continue;
        char *const name = ls_format(" %.*s ", (int)size, at);
        sqlite3_bind_text(known, 1, at, (int)size, SQLITE_STATIC);
        if (at[size] == '.' && strstr(seen.data, name) == NULL && sqlite3_step(known) == SQLITE_ROW) {
            ls_text_add(&sql, " LEFT JOIN figure AS%sON%s.at = row.at AND%s.c = trim('%s')", name, name, name, name);
            ls_text_add(&seen, "%s", name);
        }
        sqlite3_reset(known);
        free(name);
        at += size - 1;
    }
    sqlite3_finalize(known);
    free(ls_text_take(&seen));
    ls_text_add(&sql, " WHERE %s ORDER BY row.rowid", where);
    return ls_text_take(&sql);
}

/* ---- plots: gnuplot draws them (plot.sh, plot.gp) ---- */

/* A string of gnuplot. */
static void put_quoted(ls_text *to, const char *before, const char *text) {
    ls_text_add(to, "%s'", before);
    for (; *text != '\0'; text++) ls_text_add(to, *text == '\'' ? "''" : "%c", *text);
    ls_text_add(to, "'");
}

/* A line of a plot's text; *at is behind it afterwards. */
static char *plot_line(const char **at) {
    *at += strspn(*at, " \n");
    const size_t size = strcspn(*at, "\n");
    char *const text = ls_format("%.*s", (int)size, *at);
    *at += size;
    return text;
}

/* A series; its column is named STYLE COLOUR:LABEL without the blank. */
typedef struct series {
    const char *label;
    int style, colour;
    ls_text points;
} series;

static const struct {
    const char *name, *with, *columns;
} styles[] = {{"dot", "points pt 7 ps 0.7", "1:2"},
              {"mark", "points pt 12 ps 1.2 lw 1.5", "1:2"},
              {"line", "linespoints pt 7 ps 0.6 lw 2", "1:2"},
              {"dash", "linespoints pt 7 ps 0.6 lw 2 dt 2", "1:2"},
              {"bar", "boxxyerror", "1:3:1:2:3:4"}, /* of bars, and of what is put onto the end of one, the four edges */
              {"on", "boxxyerror", "1:3:1:2:3:4"}};
enum { BAR = 4, ON };

static series series_of(const char *column) {
    series s = {NULL, 0, 0, {0}};
    char style[8];
    int size = 0;
    if (sscanf(column, "%7[a-z]%d:%n", style, &s.colour, &size) == 2 && size > 0)
        for (; s.style <= ON; s.style++)
            if (strcmp(styles[s.style].name, style) == 0) {
                s.label = ls_copy(column + size);
                return s;
            }
    die("no series: AS \"%s\"", column);
}

/* plot FILE rows|lines [LOW:HIGH] [AT], lines of title, subtitle and axis, then expressions of each row, or a query whose first
 * column is the other axis. */
static char *plot(const char *text) {
    char *const head = plot_line(&text), *const title = plot_line(&text), *const under = plot_line(&text),
                *const axis = plot_line(&text);
    char file[64] = "", kind[8] = "", range[32] = "*:*", at[32] = "";
    if (sscanf(head, "%63s %7s %31s %31s", file, kind, range, at) < 2 ||
        (strcmp(kind, "rows") != 0 && strcmp(kind, "lines") != 0))
        die("plot FILE rows|lines [LOW:HIGH] [AT]: %s", head);
    const bool rows = strcmp(kind, "rows") == 0;
    sqlite3_stmt *const statement =
        query(rows ? over_rows("trim(row.name, '*'), ", text, "row.at >= -1 AND row.kind <> 'apart'") : text);
    const int count = sqlite3_column_count(statement);
    series *const list = ls_alloc((size_t)count, sizeof *list);
    char *const across = ls_copy(sqlite3_column_name(statement, 0));
    int bars = 0, n = 0;
    for (int i = 1; i < count; i++) {
        list[i] = series_of(sqlite3_column_name(statement, i));
        bars += list[i].style == BAR;
        if (list[i].style == ON && bars == 0) die("what is \"%s\" on?", list[i].label);
    }
    ls_text tics = {0}, bands = {0}, gp = {0};
    while (next(statement)) {
        double end = 0, low = ++n - 0.4;
        const char *const name = content(statement, 0, "");
        if (strncmp(name, "mean of ", 8) == 0)
            ls_text_add(
                &bands,
                "set object rectangle from graph 0, first %d.5 to graph 1, first %d.5 fc rgb '#eaeef2' fs noborder behind\n",
                n - 1, n);
        put_quoted(&tics, n > 1 ? ", " : "", name);
        ls_text_add(&tics, " %d", n);
        for (int i = 1, bar = 0; i < count; i++) {
            if (sqlite3_column_type(statement, i) == SQLITE_TEXT && text_of(statement, i)[0] == '\0')
                continue; /* no point here */
            if (sqlite3_column_type(statement, i) == SQLITE_NULL)
                die("no value for %s: %s", text_of(statement, 0), list[i].label);
            const double x = sqlite3_column_double(statement, i);
            if (list[i].style == BAR) {
                end = 0;
                low = n - 0.4 + 0.8 * bar++ / bars;
            }
            if (list[i].style >= BAR) ls_text_add(&list[i].points, "%.6g %.6g %.6g %.6g\n", end, end + x, low, low + 0.8 / bars);
            else if (rows) ls_text_add(&list[i].points, "%.6g %d\n", x, n);
            else ls_text_add(&list[i].points, "%d %.6g\n", n, x);
            end += x;
        }
    }
    ls_text_add(&gp, "# %s\nwide = %d\nhigh = %d\nload 'tb/papers/plot.gp'\n%s", title, rows ? 900 : 720,
                rows ? 130 + n * (bars > 1 ? 24 : 18) : 440, bands.size > 0 ? bands.data : "");
    put_quoted(&gp, "set label ", title);
    put_quoted(&gp, " at screen 0.02, screen 1 offset 0, -1 font \",15\" front\nset label ", under);
    ls_text_add(&gp,
                " at screen 0.02, screen 1 offset 0, -2.4 textcolor rgb '#59636e' front\nset %ctics (%s)\nset %crange "
                "[%d.5:%d.5]\nset %crange [%s]",
                rows ? 'y' : 'x', tics.data, rows ? 'y' : 'x', rows ? n : 0, rows ? 0 : n, rows ? 'x' : 'y', range);
    put_quoted(&gp, rows ? "\nset xlabel " : "\nset ylabel ", axis);
    if (!rows) put_quoted(&gp, "\nset xlabel ", across);
    if (at[0] != '\0') ls_text_add(&gp, "\nset arrow from first %s, graph 0 to first %s, graph 1 nohead front lt 1", at, at);
    for (int i = 1; i < count; i++)
        ls_text_add(&gp, "\n$d%d << EOD\n%sEOD", i, list[i].points.data != NULL ? list[i].points.data : "");
    for (int i = 1; i < count; i++) {
        bool again = false;
        for (int j = 1; j < i; j++) again = again || strcmp(list[j].label, list[i].label) == 0;
        ls_text_add(&gp, "%s $d%d using %s with %s lt %d", i == 1 ? "\nplot" : ",", i, styles[list[i].style].columns,
                    styles[list[i].style].with, list[i].colour + 1);
        put_quoted(&gp, " title ", again ? "" : list[i].label);
    }
    char *const path = ls_format("%s/page/%s.gp", work, file);
    if (ls_text_write(&gp, path) != 0) die("%s cannot be written", path);
    return ls_format("![%s](%s.svg)", title, file);
}

/* ---- the page ---- */

/* What an expression of the template is: of the kernels' mean, unless it begins with the name of another row and ":". */
static char *computed(const char *text) {
    static const char *const sets[][2] = {{"", "row.at = 0"},
                                          {"traces", "row.at = -1"},
                                          {"apart", "row.at = -2"},
                                          {"each", "row.at >= -1 AND row.kind <> 'apart'"},
                                          {"every", "row.at >= -2"},
                                          {"kernels", "row.at > 0 AND row.kind = 'kernel'"},
                                          {"all", "row.at > 0 AND row.kind <> 'apart'"}};
    text += strspn(text, " \n");
    if (strncmp(text, "plot ", 5) == 0) return plot(text + 5);
    if (strncmp(text, "rows:", 5) == 0) return table_rows(text + 5);
    size_t size = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.-");
    if (text[size] != ':') size = 0;
    char *const set = ls_format("%.*s", (int)size, text), *where = ls_format("row.name = '%s'", set);
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (strcmp(set, sets[i][0]) == 0) where = ls_copy(sets[i][1]);
    if (size > 0) text += size + 1;
    if (strcmp(set, "each") == 0 || strcmp(set, "every") == 0) return table_rows(over_rows("row.name, ", text, where));
    char *const row = one_row(strncmp(text, "SELECT ", 7) == 0 ? text : over_rows("", text, where));
    if (row != NULL) return row;
    if (size == 0 || one_row("SELECT 1 FROM given WHERE traces > 0") != NULL) die("no row: %s", size > 0 ? set : text);
    return ls_copy(strcmp(set, "traces") == 0 ? "" : "not here, without traces");
}

/* The page: the template with its expressions computed. A line of which nothing is left goes. */
static void write_page(const char *template, const char *path) {
    char *const all = read_file(template);
    ls_text page = {0};
    size_t begin = 0; /* of the page's last line */
    bool any = false; /* it had an expression */
    line = 1;
    for (char *at = all; *at != '\0'; at++) {
        if (*at == '@') {
            char *const end = strchr(at + 1, '@');
            if (end == NULL) die("an \"@\" without its second one");
            *end = '\0';
            ls_text_add(&page, "%s", computed(at + 1));
            for (; at < end; at++) line += *at == '\n';
            any = true;
        } else if (*at != '\n') ls_text_put(&page, at, 1);
        else {
            if (any && page.size == begin) any = false;
            else ls_text_put(&page, at, 1);
            begin = page.size;
            any = false;
            line++;
        }
    }
    if (ls_text_write(&page, path) != 0) die("%s cannot be written", path);
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "paper WORK FIGURES.sql PAGE.md [CONSTANT=VALUE]...\n");
        return 2;
    }
    work = argv[1];
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) die("%s", sqlite3_errmsg(db));
    if (paper_functions(db) != 0) die("%s", sqlite3_errmsg(db));
    read_tables(argv + 4, argc - 4);
    run_file(argv[2]);
    execute("CREATE INDEX figure_c_at ON figure(c, at)");
    write_page(argv[3], ls_format("%s/page/page.md", work));
    execute("INSERT INTO found SELECT * FROM verdict; DELETE FROM verdict");
    write_page(argv[3], ls_format("%s/page/page.md", work));
    (void)one_row("SELECT must(texts IS NULL, 'no cause beside: ' || texts) FROM without_reason");
    sqlite3_close(db);
    return 0; /* what the page was made of ends with the process */
}
