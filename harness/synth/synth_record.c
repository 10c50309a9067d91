/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/synth/synth_record.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/base/hash.h"
#include "harness/base/json.h"
#include "harness/base/process.h"
#include "harness/base/root.h"
#include "harness/core/config.h"
#include "harness/core/report.h"

/* Beside the tables of regressions, in the same file; older files get it when it is first needed. */
static const char schema[] =
    "CREATE TABLE IF NOT EXISTS synthesis ("
    "  id INTEGER PRIMARY KEY,"
    "  made TEXT NOT NULL,"                       /* UTC, "2030-01-31T02:00:00Z" */
    "  source TEXT NOT NULL,"                     /* commit, "" outside git */
    "  dirty INTEGER NOT NULL,"                   /* 1: the work tree differed from it */
    "  unit TEXT NOT NULL, params TEXT NOT NULL," /* "ROWS=8 LANES=1", "" for the defaults */
    "  library TEXT NOT NULL,"                    /* its name */
    "  macros INTEGER NOT NULL,"                  /* 1: large memories are SRAM macros */
    "  tools TEXT NOT NULL,"
    "  netlist TEXT NOT NULL," /* folder in the cache: equal names, equal netlists */
    "  kge REAL NOT NULL, um2 REAL NOT NULL, cells INTEGER NOT NULL, flops INTEGER NOT NULL, latches INTEGER NOT NULL,"
    "  macro_bits INTEGER NOT NULL,"
    "  fo4 REAL, ns REAL, fo4_ps REAL," /* worst path, library; NULL without OpenSTA */
    "  record TEXT NOT NULL);"          /* the whole record, JSON */
    "CREATE INDEX IF NOT EXISTS synthesis_unit ON synthesis(unit, params, library, macros, id);";

int ls_synth_result_make(const ls_synth_request *rq, ls_synth_result *r, char **error) {
    *r = (ls_synth_result){.unit = rq->unit, .macros = rq->macros, .own = rq->rtl_count > 0};
    char text[1024], *path = ls_sram_table_path();
    int status = 0;
    *error = NULL;
    r->params = ls_config_text(rq->unit, rq->cfg);
    if (rq->macros && ls_sram_table_read(path, &r->table, text, sizeof text) != 0) *error = ls_copy(text);
    if (*error == NULL) status = ls_synth_make(rq, &r->synth, error);
    if (*error == NULL && ls_liberty_read(r->synth.liberty, &r->liberty, text, sizeof text) != 0) *error = ls_copy(text);
    if (*error == NULL) status = ls_synth_area_read(&r->synth, &r->liberty, &r->table, &r->area, error);
    if (*error == NULL && r->area.latches > 0)
        *error = ls_format("%s: %" PRIu64 " latches in the netlist, and there must be none", rq->unit->name, r->area.latches);
    if (*error == NULL)
        status = ls_timing_make(&r->synth, rq->unit, &r->liberty, r->area.srams, r->area.sram_count, rq->timeout_ms, &r->timing,
                                error);
    free(path);
    if (*error == NULL) return status;
    ls_synth_result_free(r);
    return -1;
}

void ls_synth_result_free(ls_synth_result *r) {
    ls_timing_free(&r->timing);
    ls_synth_area_free(&r->area);
    ls_sram_table_free(&r->table);
    ls_liberty_free(&r->liberty);
    ls_synth_free(&r->synth);
    free(ls_text_take(&r->outside));
    free(r->params);
    free(r->not_checked);
    for (size_t i = 0; i < r->where_count; i++) free(r->where[i].owner);
    free(r->where);
    free(r->where_missing);
    *r = (ls_synth_result){0};
}

char *ls_synth_result_tools(const ls_synth_result *r) {
    ls_hash h = ls_hash_begin(); /* libraries of one name may differ */
    (void)ls_hash_file(&h, r->liberty.path);
    char *key = ls_hash_end(&h);
    char *text =
        ls_format("%s; %s; %s %.8s", r->synth.tool, r->timing.tool != NULL ? r->timing.tool : "no OpenSTA", r->liberty.name, key);
    free(key);
    return text;
}

double ls_synth_result_fo4(const ls_synth_result *r) { return r->timing.missing != NULL ? -1 : ls_timing_fo4(&r->timing); }

void ls_synth_result_check(ls_synth_result *r, const ls_synth_gates *gates) {
    const ls_synth_gate *gate = ls_synth_gates_find(gates, r->unit->name, r->params);
    char *tools = ls_synth_result_tools(r);
    const bool other = gates->tools != NULL && strcmp(gates->tools, tools) != 0;
    const char *semicolon = gates->tools != NULL ? strchr(gates->tools, ';') : NULL;
    /* Without OpenSTA area is still checked: by what stands before and behind it. */
    const bool same_area = semicolon != NULL && strncmp(gates->tools, tools, (size_t)(semicolon - gates->tools) + 1) == 0 &&
                           strcmp(strrchr(gates->tools, ';'), strrchr(tools, ';')) == 0;
    if (gate == NULL) r->not_checked = ls_copy("none for these parameters (synth_scripts/gates)");
    else if (!r->macros) r->not_checked = ls_copy("not looked at: they are those of a netlist with SRAM macros");
    else if (other && !(same_area && r->timing.missing != NULL))
        r->not_checked = ls_format("not looked at: taken with %s; this is %s", gates->tools, tools);
    else r->findings = ls_synth_gates_check(gate, r->area.kge, ls_synth_result_fo4(r), &r->outside);
    free(tools);
}

/* ---- record ---- */

static void path_json(const char *key, const ls_path *p, double fo4, ls_text *t) {
    ls_json_open(t, key, '{');
    ls_json_fixed(t, "ns", p->seconds * 1e9, 4);
    ls_json_fixed(t, "fo4", p->seconds / fo4, 2);
    ls_json_uint(t, "levels", p->levels);
    ls_json_text(t, "start", p->steps[0].name);
    ls_json_text(t, "end", p->steps[p->count - 1].name);
    ls_json_open(t, "steps", '[');
    for (size_t i = 0; i < p->count; i++) {
        ls_json_open(t, NULL, '{');
        ls_json_text(t, "name", p->steps[i].name);
        ls_json_text(t, "cell", p->steps[i].cell);
        ls_json_fixed(t, "ns", p->steps[i].seconds * 1e9, 4);
        ls_json_close(t, '{');
    }
    ls_json_close(t, '[');
    ls_json_close(t, '{');
}

static void timing_json(const ls_timing *timing, ls_text *t) {
    static const char *const names[LS_PATH_KINDS] = {"reg_reg", "in_reg", "reg_out", "in_out"};
    ls_json_open(t, "timing", '{');
    if (timing->missing != NULL) {
        ls_json_text(t, "missing", timing->missing);
        ls_json_close(t, '{');
        return;
    }
    ls_json_fixed(t, "fo4_ps", timing->fo4 * 1e12, 2);
    ls_json_fixed(t, "fo4", ls_timing_fo4(timing), 2);
    ls_json_fixed(t, "ns", timing->worst != NULL ? timing->worst->seconds * 1e9 : 0, 4);
    ls_json_uint(t, "levels", timing->worst != NULL ? timing->worst->levels : 0);
    ls_json_text(t, "kind", timing->worst != NULL ? names[timing->worst - timing->paths] : "");
    ls_json_open(t, "paths", '{');
    for (size_t i = 0; i < LS_PATH_KINDS; i++)
        if (timing->paths[i].count != 0) path_json(names[i], &timing->paths[i], timing->fo4, t);
    ls_json_close(t, '{');
    ls_json_fixed(t, "seconds", timing->seconds, 2);
    ls_json_fixed(t, "megabytes", timing->megabytes, 0);
    ls_json_bool(t, "cached", timing->cached);
    ls_json_close(t, '{');
}

static void area_json(const ls_synth_area *a, ls_text *t) {
    ls_json_open(t, "area", '{');
    ls_json_fixed(t, "kge", a->kge, 4);
    ls_json_fixed(t, "flop_kge", a->flop_kge, 4);
    ls_json_fixed(t, "um2", a->um2, 1);
    ls_json_real(t, "nand2_um2", a->nand2, 6);
    ls_json_uint(t, "cells", a->cells);
    ls_json_uint(t, "flops", a->flops);
    ls_json_uint(t, "latches", a->latches);
    ls_json_uint(t, "macro_bits", a->sram_bits);
    ls_json_open(t, "macros", '[');
    for (size_t i = 0; i < a->sram_count; i++) {
        const ls_sram *s = &a->srams[i];
        ls_json_open(t, NULL, '{');
        ls_json_text(t, "macro", s->name);
        ls_json_uint(t, "count", s->count);
        ls_json_uint(t, "rows", s->rows);
        ls_json_uint(t, "bits", s->bits);
        if (s->figure != NULL) {
            ls_json_real(t, "node_nm", s->figure->node_nm, 6);
            ls_json_fixed(t, "area_um2", ls_sram_area(s), 1);
            ls_json_text(t, "source", s->figure->source);
        }
        ls_json_close(t, '{');
    }
    ls_json_close(t, '[');
    ls_json_open(t, "memories", '[');
    for (size_t i = 0; i < a->memory_count; i++) {
        ls_json_open(t, NULL, '{');
        ls_json_text(t, "name", a->memories[i].name);
        ls_json_uint(t, "rows", a->memories[i].rows);
        ls_json_uint(t, "bits", a->memories[i].bits);
        ls_json_text(t, "became", a->memories[i].became);
        ls_json_close(t, '{');
    }
    ls_json_close(t, '[');
    ls_json_close(t, '{');
}

void ls_synth_record(const ls_synth_result *r, ls_text *t) {
    ls_json_open(t, NULL, '{');
    ls_json_text(t, "unit", r->unit->name);
    ls_json_text(t, "group", r->unit->group);
    ls_json_text(t, "params", r->params);
    ls_json_text(t, "status", r->findings > 0 ? "outside" : "pass");
    ls_json_bool(t, "own_rtl", r->own);
    ls_json_text(t, "library", r->liberty.name);
    char *tools = ls_synth_result_tools(r);
    ls_json_text(t, "tools", tools);
    free(tools);
    ls_json_text(t, "netlist", r->synth.folder);
    ls_json_bool(t, "sram_macros", r->macros);
    area_json(&r->area, t);
    timing_json(&r->timing, t);
    if (r->where_count > 0) {
        ls_json_open(t, "where", '{');
        for (size_t i = 0; i < r->where_count; i++) ls_json_fixed(t, r->where[i].owner, r->where[i].kge, 4);
        ls_json_close(t, '{');
    }
    ls_json_open(t, "gates", '{');
    if (r->not_checked != NULL) ls_json_text(t, "not_checked", r->not_checked);
    else ls_json_text(t, "outside", r->outside.size > 0 ? r->outside.data : "");
    ls_json_close(t, '{');
    if (r->before.there) {
        ls_json_open(t, "before", '{');
        ls_json_text(t, "source", r->before.source);
        ls_json_text(t, "made", r->before.made);
        ls_json_fixed(t, "kge", r->before.kge, 4);
        ls_json_fixed(t, "fo4", r->before.fo4, 2);
        ls_json_close(t, '{');
    }
    ls_json_fixed(t, "seconds", r->synth.seconds, 2);
    ls_json_fixed(t, "megabytes", r->synth.megabytes, 0);
    ls_json_bool(t, "cached", r->synth.cached);
    ls_json_close(t, '{');
}

/* ---- history ---- */

/* What git prints, its first line; "" when it cannot say. */
static char *git(const char *const *argv) {
    ls_process_result run;
    char *text = NULL;
    if (ls_process_run(&(ls_process){.argv = argv, .timeout_ms = 20000}, &run) == 0 && ls_process_ok(&run))
        text = ls_format("%.*s", (int)strcspn(run.output, "\n"), run.output);
    ls_process_free(&run);
    return text != NULL ? text : ls_copy("");
}

ls_synth_source ls_synth_source_now(void) {
    ls_synth_source source = {.dirty = false};
    char *commit = git((const char *const[]){"git", "-C", ls_home(), "rev-parse", "HEAD", NULL});
    char *changes = git((const char *const[]){"git", "--no-optional-locks", "-C", ls_home(), "status", "--porcelain", NULL});
    (void)snprintf(source.commit, sizeof source.commit, "%s", commit);
    source.dirty = changes[0] != '\0';
    free(commit);
    free(changes);
    return source;
}

static void look_back(sqlite3 *db, const ls_synth_source *source, const char *tools, ls_synth_result *r) {
    sqlite3_stmt *s = ls_store_query(
        db,
        "SELECT source, made, kge, fo4 FROM synthesis WHERE unit = ?1 AND params = ?2 AND library = ?3 AND macros = ?4"
        " AND tools = ?7 AND NOT (source = ?5 AND dirty = ?6) ORDER BY id DESC LIMIT 1",
        "tttitit", r->unit->name, r->params, r->liberty.name, (int64_t)r->macros, source->commit, (int64_t)source->dirty, tools);
    r->before.first = true;
    if (sqlite3_step(s) == SQLITE_ROW) {
        ls_synth_before *b = &r->before;
        b->there = true;
        b->first = false;
        (void)snprintf(b->source, sizeof b->source, "%s", (const char *)sqlite3_column_text(s, 0));
        (void)snprintf(b->made, sizeof b->made, "%s", (const char *)sqlite3_column_text(s, 1));
        b->kge = sqlite3_column_double(s, 2);
        b->fo4 = sqlite3_column_type(s, 3) == SQLITE_NULL ? -1 : sqlite3_column_double(s, 3);
    }
    (void)sqlite3_finalize(s);
}

int ls_synth_history(sqlite3 *db, const ls_synth_source *source, ls_synth_result *r, char *error, size_t size) {
    char made[24] = "";
    struct tm tm;
    const time_t now = time(NULL);
    if (ls_store_exec(db, schema, error, size) != 0) return -1;
    char *tools = ls_synth_result_tools(r);
    look_back(db, source, tools, r);
    if (gmtime_r(&now, &tm) != NULL) (void)strftime(made, sizeof made, "%Y-%m-%dT%H:%M:%SZ", &tm);
    ls_text record = {0};
    ls_synth_record(r, &record);
    const char *slash = strrchr(r->synth.folder, '/');
    const double fo4 = ls_synth_result_fo4(r);
    int status = ls_store_do(
        db, error, size,
        "DELETE FROM synthesis WHERE unit = ?1 AND params = ?2 AND library = ?3 AND macros = ?4 AND source = ?5 AND dirty = ?6"
        " AND tools = ?7",
        "tttitit", r->unit->name, r->params, r->liberty.name, (int64_t)r->macros, source->commit, (int64_t)source->dirty, tools);
    if (status == 0)
        status = ls_store_do(db, error, size,
                             "INSERT INTO synthesis(made, source, dirty, unit, params, library, macros, tools, netlist, kge, "
                             "um2, cells, flops, latches,"
                             " macro_bits, record) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                             "ttitttittddiiiit", made, source->commit, (int64_t)source->dirty, r->unit->name, r->params,
                             r->liberty.name, (int64_t)r->macros, tools, slash != NULL ? slash + 1 : r->synth.folder, r->area.kge,
                             r->area.um2, (int64_t)r->area.cells, (int64_t)r->area.flops, (int64_t)r->area.latches,
                             (int64_t)r->area.sram_bits, record.data);
    if (status == 0 && fo4 >= 0)
        status = ls_store_do(db, error, size, "UPDATE synthesis SET fo4 = ?, ns = ?, fo4_ps = ? WHERE id = last_insert_rowid()",
                             "ddd", fo4, r->timing.worst != NULL ? r->timing.worst->seconds * 1e9 : 0.0, r->timing.fo4 * 1e12);
    free(tools);
    free(ls_text_take(&record));
    return status;
}
