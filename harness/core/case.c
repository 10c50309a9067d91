/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/case.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cmodel/workload/rf_lines.h"
#include "harness/base/memory.h"
#include "harness/base/nearest.h"
#include "harness/core/config.h"
#include "harness/core/map.h"
#include "harness/core/plan.h"
#include "harness/core/source.h"

const char *ls_hex(const uint32_t *words, uint32_t bits, char *text) {
    uint32_t n = (bits + 31) / 32;
    while (n > 1 && words[n - 1] == 0) n--;
    int at = sprintf(text, "%" PRIx32, words[n - 1]);
    while (n-- > 1) at += sprintf(text + at, "%08" PRIx32, words[n - 1]);
    return text;
}

void ls_case_init(ls_case *c, const ls_unit *unit, const void *cfg, uint64_t fill, const char *field) {
    *c = (ls_case){.unit = unit, .fill = fill, .x = LS_X_RANDOM, .field = ls_copy(field), .cfg = ls_zeroed(unit->cfg_size)};
    memcpy(c->cfg, cfg, unit->cfg_size);
}

void ls_case_set_field(ls_case *c, const char *field) {
    free(c->field);
    c->field = ls_copy(field);
}

void ls_case_set_rtl(ls_case *c, const ls_args *rtl, const ls_args *defines, const ls_args *extra, bool ports_only) {
    for (size_t i = 0; i < rtl->count; i++) {
        char *whole = realpath(rtl->list[i], NULL);
        ls_args_add(&c->rtl, "%s", whole != NULL ? whole : rtl->list[i]);
        free(whole);
    }
    for (size_t i = 0; i < defines->count; i++) ls_args_add(&c->defines, "%s", defines->list[i]);
    for (size_t i = 0; extra != NULL && i < extra->count; i++) ls_args_add(&c->extra, "%s", extra->list[i]);
    c->ports_only = ports_only;
}

void ls_case_set_netlist(ls_case *c, const char *library) {
    free(c->netlist);
    c->netlist = library != NULL ? ls_copy(library) : NULL;
}

void ls_case_like(ls_case *c, const ls_case *from) {
    ls_case_init(c, from->unit, from->cfg, from->fill, from->field);
    ls_case_set_rtl(c, &from->rtl, &from->defines, &from->extra, from->ports_only);
    ls_case_set_netlist(c, from->netlist);
    c->second_fill = from->second_fill;
    c->x = from->x;
    ls_start_copy(&c->start, &from->start, from->unit);
}

void ls_case_free(ls_case *c) {
    free(c->cfg);
    free(c->field);
    free(c->netlist);
    ls_args_free(&c->rtl);
    ls_args_free(&c->defines);
    ls_args_free(&c->extra);
    free(c->reset);
    free(c->warp);
    free(c->in);
    ls_start_free(&c->start);
    *c = (ls_case){0};
}

int ls_case_add(ls_case *c, bool reset, uint64_t warp, const void *in) {
    if (c->count >= LS_CASE_CYCLES_MAX) return -1;
    if (c->count == c->capacity) {
        c->capacity = c->capacity != 0 ? c->capacity * 2 : 256;
        c->reset = ls_resize(c->reset, c->capacity);
        c->warp = ls_resize(c->warp, c->capacity * sizeof *c->warp);
        c->in = ls_resize(c->in, c->capacity * c->unit->in_size + 8);
    }
    c->reset[c->count] = reset;
    c->warp[c->count] = warp;
    memcpy(c->in + c->count * c->unit->in_size, in, c->unit->in_size);
    c->count++;
    return 0;
}

/* The fields of a configuration. */
static void list_fields(const ls_unit *unit, const void *cfg, ls_fields *fields) {
    void *model = ls_zeroed(unit->model_size);
    if (unit->init(model, cfg) == 0) ls_unit_fields(unit, fields, model);
    free(model);
}

size_t ls_case_given(const ls_case *c) {
    ls_fields fields = {0};
    if (c->start.model != NULL) list_fields(c->unit, c->cfg, &fields);
    const size_t count = ls_start_count(&c->start, &fields);
    ls_fields_free(&fields);
    return count;
}

void ls_case_step(ls_case *c, const ls_unit *unit, const void *cfg, const void *model, const void *in) {
    ls_fields fields = {0};
    uint8_t *after_reset = ls_zeroed(unit->model_size), *zero = ls_zeroed(unit->in_size);
    if (unit->init(after_reset, cfg) != 0) ls_die("%s: a configuration that was good is refused", unit->name);
    ls_unit_fields(unit, &fields, after_reset);
    unit->reset(after_reset);
    ls_case_init(c, unit, cfg, 0, "");
    ls_start_open(&c->start, unit);
    for (size_t i = 0; i < fields.count; i++) {
        const ls_kind kind = fields.list[i].kind;
        for (uint32_t n = 0; ls_is_state(&fields.list[i]) && n < ls_part_count(&fields.list[i]); n++) {
            const ls_field part = ls_part_of(&fields.list[i], n).field;
            for (uint32_t k = 0; k < part.count; k++) {
                const size_t at = part.offset + (size_t)k * part.size;
                const bool alike = kind == LS_STATE && memcmp(after_reset + at, (const uint8_t *)model + at, part.size) == 0;
                if (!alike) ls_start_give(&c->start, &part, k, model);
            }
        }
    }
    for (uint32_t i = 0; i < LS_RESET_CYCLES; i++) (void)ls_case_add(c, true, 0, zero);
    (void)ls_case_add(c, false, 0, in);
    ls_fields_free(&fields);
    free(after_reset);
    free(zero);
}

/* What is given of the start state, a line each. */
static void write_start(FILE *f, const ls_fields *fields, const ls_start *start) {
    for (size_t i = 0; i < fields->count; i++) {
        for (uint32_t n = 0; ls_is_state(&fields->list[i]) && n < ls_part_count(&fields->list[i]); n++) {
            const ls_part part = ls_part_of(&fields->list[i], n);
            for (uint32_t k = 0; k < part.field.count; k++) {
                uint32_t words[32];
                char hex[32 * 8 + 1], name[256];
                if (!ls_start_gives(start, &part.field, k)) continue;
                ls_model_element(&part.field, start->model, k, words);
                (void)fprintf(f, "state %s=%s\n", ls_part_element(&part, k, name, sizeof name),
                              ls_hex(words, LS_ELEMENT_BITS, hex));
            }
        }
    }
}

static void write_cycle(FILE *f, const ls_fields *fields, const void *before, const void *now) {
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *field = &fields->list[i];
        for (uint32_t n = 0; field->kind == LS_IN && n < ls_part_count(field); n++) {
            const ls_part part = ls_part_of(field, n);
            for (uint32_t k = 0; k < part.field.count; k++) {
                uint32_t a[32], b[32];
                char hex[32 * 8 + 1], name[256];
                ls_model_element(&part.field, before, k, a);
                ls_model_element(&part.field, now, k, b);
                if (memcmp(a, b, sizeof a) == 0) continue;
                (void)fprintf(f, " %s=%s", ls_part_element(&part, k, name, sizeof name), ls_hex(b, part.field.bits, hex));
            }
        }
    }
}

int ls_case_write(const ls_case *c, const char *path, char *error, size_t size) {
    FILE *f = fopen(path, "w");
    if (f == NULL && errno == ENOENT) { /* another run of the same, which needed no folder, took it away */
        char *folder = ls_folder_of(path);
        (void)mkdir(folder, 0777);
        free(folder);
        f = fopen(path, "w");
    }
    if (f == NULL) {
        (void)snprintf(error, size, "%s: %s", path, strerror(errno));
        return -1;
    }
    ls_fields fields = {0};
    list_fields(c->unit, c->cfg, &fields);
    char *params = ls_config_text(c->unit, c->cfg);
    (void)fprintf(f, "lockstep-case %s\nunit %s\nparams %s\nfill %016" PRIx64 "\nfield %s\n", LS_CASE_VERSION, c->unit->name,
                  params, c->fill, c->field);
    (void)fputs("# A line is a cycle: \"reset\" or \"cycle\", then the inputs that change, hexadecimal; all begin at 0.\n", f);
    (void)fputs("# \"cycle\" alone: all inputs stay. NAME=0 in a shrunk case: NAME does not matter there.\n", f);
    free(params);
    for (size_t i = 0; i < c->rtl.count; i++) (void)fprintf(f, "rtl %s\n", c->rtl.list[i]);
    for (size_t i = 0; i < c->defines.count; i++) (void)fprintf(f, "define %s\n", c->defines.list[i]);
    for (size_t i = 0; i < c->extra.count; i++) (void)fprintf(f, "rtl-option %s\n", c->extra.list[i]);
    if (c->unit->map != NULL) (void)fprintf(f, "map %s\n", c->unit->map->path);
    if (c->ports_only) (void)fputs("ports-only\n", f);
    if (c->second_fill) (void)fputs("second-fill\n", f);
    if (c->x != LS_X_RANDOM) (void)fprintf(f, "x %d\n", c->x);
    if (c->netlist != NULL) (void)fprintf(f, "netlist %s\n", c->netlist);
    uint8_t *zero = ls_zeroed(c->unit->in_size);
    for (size_t i = 0; i < c->count; i++) {
        if (ls_case_starts(c, i)) write_start(f, &fields, &c->start);
        if (c->warp[i] != 0) (void)fprintf(f, "warp %" PRIx64 "\n", c->warp[i]);
        (void)fputs(c->reset[i] != 0 ? "reset" : "cycle", f);
        write_cycle(f, &fields, i > 0 ? ls_case_in(c, i - 1) : zero, ls_case_in(c, i));
        (void)fputc('\n', f);
    }
    (void)fprintf(f, "end %zu\n", c->count);
    free(zero);
    ls_fields_free(&fields);
    const int failed = ferror(f);
    if (fclose(f) != 0 || failed != 0) {
        (void)snprintf(error, size, "%s: %s", path, strerror(errno));
        ls_discard(path);
        return -1;
    }
    return 0;
}

typedef struct reader {
    const char *path;
    FILE *file;
    char *line;
    size_t capacity;
    size_t number;
    size_t *named; /* per byte of the inputs: the last line that names the element there */
    bool failed;
    char *error;
    size_t size;
} reader;

/* The first failure has the message. */
static int fail(reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int fail(reader *r, const char *format, ...) {
    va_list args;
    if (r->failed) return -1;
    r->failed = true;
    va_start(args, format);
    ls_error_at(r->error, r->size, r->path, r->number, format, args);
    va_end(args);
    return -1;
}

/* The next line that is no comment, without its end; NULL at the end of the file, and when it has failed. */
static char *next_line(reader *r) {
    for (ssize_t got; (got = getline(&r->line, &r->capacity, r->file)) > 0;) {
        size_t size = (size_t)got;
        r->number++;
        if (r->line[size - 1] == '\n') size--;
        if (size > 0 && r->line[size - 1] == '\r') size--;
        r->line[size] = '\0';
        if (strlen(r->line) != size || strchr(r->line, '\r') != NULL) {
            (void)fail(r, "a NUL or CR inside the line");
            return NULL;
        }
        if (r->line[0] != '#' && r->line[0] != '\0') return r->line;
    }
    if (ferror(r->file) != 0) (void)fail(r, "%s", strerror(errno));
    return NULL;
}

/* The rest of a header line "key rest"; NULL when the line is another. */
static const char *header(reader *r, const char *key) {
    char *line = next_line(r);
    const size_t n = strlen(key);
    if (line == NULL || strncmp(line, key, n) != 0 || (line[n] != ' ' && line[n] != '\0')) return NULL;
    return line[n] == ' ' ? line + n + 1 : line + n;
}

/* Hexadecimal text into words; 0, or -1 when it is none or has more than `bits` bits. */
static int parse_hex(const char *text, uint32_t bits, uint32_t *words) {
    memset(words, 0, 32 * sizeof *words);
    const size_t n = strlen(text);
    if (n == 0 || n > 256) return -1;
    for (size_t i = 0; i < n; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *d = strchr(digits, text[i]);
        if (d == NULL) return -1;
        const size_t place = n - 1 - i;
        words[place / 8] |= (uint32_t)(d - digits) << (place % 8 * 4);
    }
    for (size_t bit = bits; bit < 1024; bit++)
        if ((words[bit / 32] >> (bit % 32) & 1) != 0) return -1;
    return 0;
}

/* An element that a line names, and its value. */
typedef struct element {
    ls_field field;
    uint32_t index;
    uint32_t words[32];
} element;

/* One "name=hex" or "name[index]=hex": of an input, or of a `state` a register or memory. */
static int read_element(reader *r, const ls_fields *fields, bool state, char *word, element *to) {
    char *value = strchr(word, '=');
    if (value == NULL) return fail(r, "\"%s\": expected name=hex", word);
    *value++ = '\0';
    unsigned long index = 0;
    char *bracket = strrchr(word, '[');
    if (bracket != NULL && strchr(bracket, '.') != NULL) bracket = NULL; /* an instance's */
    if (bracket != NULL) {
        const size_t digits = strspn(bracket + 1, "0123456789");
        *bracket = '\0';
        if (digits == 0 || digits > 9 || strcmp(bracket + 1 + digits, "]") != 0) return fail(r, "%s: bad index", word);
        index = strtoul(bracket + 1, NULL, 10);
    }
    ls_nearest near = {.word = word};
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        for (uint32_t n = 0; ls_is_state(f) == state && f->kind != LS_OUT && n < ls_part_count(f); n++) {
            const ls_part part = ls_part_of(f, n);
            ls_nearest_try(&near, part.field.name);
            if (strcmp(part.field.name, word) != 0) continue;
            if (bracket == NULL && part.all > 1) return fail(r, "%s: expected %s[0] to %s[%u]", word, word, word, part.all - 1);
            if (index >= part.all) return fail(r, "%s: index %lu is not 0 to %u", word, index, part.all - 1);
            if (index - part.first >= part.field.count) continue;
            if (parse_hex(value, part.field.bits, to->words) != 0)
                return fail(r, "%s: \"%s\" is not hexadecimal of at most %u bits", word, value, part.field.bits);
            to->field = part.field;
            to->index = (uint32_t)index - part.first;
            return 0;
        }
    }
    return fail(r, "%s is no %s%s%s%s", word, state ? "register or memory" : "input", near.name != NULL ? ": did you mean " : "",
                near.name != NULL ? near.name : "", near.name != NULL ? "?" : "");
}

static int read_input(reader *r, const ls_fields *fields, char *word, uint8_t *in) {
    element e;
    if (read_element(r, fields, false, word, &e) != 0) return -1;
    size_t *named = &r->named[e.field.offset + (size_t)e.index * e.field.size];
    if (*named == r->number) return fail(r, "%s is there twice", word);
    *named = r->number;
    ls_model_store(&e.field, in, e.index, e.words);
    return 0;
}

/* The rest of a line of the start state. */
static int read_state(reader *r, ls_case *c, const ls_fields *fields, char *rest) {
    if (c->count == 0 || memchr(c->reset, 0, c->count) != NULL)
        return fail(r, "state: it belongs between the reset and the first cycle");
    if (c->ports_only || c->netlist != NULL) return fail(r, "state: there is none in a case of ports only or of a netlist");
    if (*rest == '\0') return fail(r, "state: expected name=hex");
    if (c->start.model == NULL) {
        const int64_t hidden = ls_start_hidden(c->unit, c->cfg);
        if (hidden >= 0)
            return fail(r,
                        "state: byte %" PRId64 " of the model of %s changes, and no field names it: registers are no state of it",
                        hidden, c->unit->name);
        ls_start_open(&c->start, c->unit);
    }
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        element e;
        if (read_element(r, fields, true, word, &e) != 0) return -1;
        if (ls_start_gives(&c->start, &e.field, e.index)) return fail(r, "%s is there twice", word);
        ls_model_store(&e.field, c->start.model, e.index, e.words);
        ls_start_give(&c->start, &e.field, e.index, c->start.model);
    }
    return 0;
}

/* A line that says with which RTL the case was found; false when it is another. What only one line may say is there once. */
static bool read_rtl(reader *r, ls_case *c, const char *line) {
    const char *value = strchr(line, ' ');
    bool again = false;
    if (strncmp(line, "rtl ", 4) == 0) {
        ls_args_add(&c->rtl, "%s", line + 4);
    } else if (strncmp(line, "define ", 7) == 0) {
        ls_args_add(&c->defines, "%s", line + 7);
        if (!ls_is_macro(line + 7)) (void)fail(r, "define: \"%s\" is not NAME or NAME=VALUE", line + 7);
        if (ls_args_named_before(&c->defines, c->defines.count - 1))
            (void)fail(r, "define: macro \"%s\" is there twice", line + 7);
    } else if (strncmp(line, "rtl-option ", 11) == 0) {
        ls_args_add(&c->extra, "%s", line + 11);
    } else if (strncmp(line, "map ", 4) == 0 && line[4] != '\0') {
        char error[512];
        again = c->unit->map != NULL;
        const ls_unit *mapped = ls_map_unit(c->unit, line + 4, error, sizeof error);
        if (mapped == NULL) (void)fail(r, "%s", error);
        else c->unit = mapped;
    } else if (strcmp(line, "ports-only") == 0) {
        again = c->ports_only;
        c->ports_only = true;
    } else if (strcmp(line, "second-fill") == 0) {
        again = c->second_fill;
        c->second_fill = true;
    } else if (strcmp(line, "x 0") == 0 || strcmp(line, "x 1") == 0) {
        again = c->x != LS_X_RANDOM;
        c->x = line[2] - '0';
    } else if (strncmp(line, "netlist ", 8) == 0) {
        again = c->netlist != NULL;
        ls_case_set_netlist(c, line + 8);
    } else {
        return false;
    }
    if (again) (void)fail(r, "%.*s is there twice", (int)strcspn(line, " "), line);
    if (value != NULL && value[1] == '\0') (void)fail(r, "%.*s: expected a name", (int)(value - line), line);
    return true;
}

/* A time warp before the coming cycle, from the rest of its line; 0 when it is none of this unit at these parameters. */
static uint64_t read_warp(reader *r, const ls_case *c, const char *rest) {
    uint32_t words[32];
    if (parse_hex(rest, 64, words) != 0) return (void)fail(r, "warp: \"%s\" is not hexadecimal of at most 64 bits", rest), 0;
    const uint64_t to = (uint64_t)words[1] << 32 | words[0];
    void *model = ls_zeroed(c->unit->model_size);
    const bool good = c->unit->warp != NULL && c->unit->init(model, c->cfg) == 0 && to != 0 && c->unit->warp(model, to);
    free(model);
    if (!good) (void)fail(r, "warp: %s knows no %s with these parameters", c->unit->name, rest);
    else if (c->ports_only || c->netlist != NULL) (void)fail(r, "warp: there is none in a case of ports only or of a netlist");
    return r->failed ? 0 : to;
}

static int read_cycles(reader *r, ls_case *c, const ls_fields *fields, uint8_t *in) {
    uint64_t warp = 0;
    for (char *line; (line = next_line(r)) != NULL;) {
        if (c->count == 0 && read_rtl(r, c, line)) {
            if (r->failed) return -1;
            continue;
        }
        char *rest = line;
        const char *verb = strtok_r(rest, " ", &rest);
        if (verb == NULL) return fail(r, "expected reset, warp, cycle or end");
        if (warp != 0 && strcmp(verb, "cycle") != 0) return fail(r, "\"%s\": expected cycle after warp", verb);
        if (strcmp(verb, "state") == 0) {
            if (read_state(r, c, fields, rest) != 0) return -1;
            continue;
        }
        const bool started = c->start.model != NULL && memchr(c->reset, 0, c->count) == NULL;
        if (started && strcmp(verb, "warp") != 0 && strcmp(verb, "cycle") != 0)
            return fail(r, "\"%s\": expected state, warp or cycle after state", verb);
        if (strcmp(verb, "warp") == 0) {
            if ((warp = read_warp(r, c, rest)) == 0) return -1;
            continue;
        }
        if (strcmp(verb, "end") == 0) {
            char *count = ls_format("%zu", c->count);
            const bool right = strcmp(rest, count) == 0;
            free(count);
            if (!right) return fail(r, "end does not say %zu, the number of cycles above", c->count);
            return next_line(r) != NULL ? fail(r, "something follows the \"end\" line") : r->failed ? -1 : 0;
        }
        const bool reset = strcmp(verb, "reset") == 0;
        if (c->count == 0 && strcmp(verb, "x") == 0) return fail(r, "x: \"%s\" is neither 0 nor 1", rest);
        if (!reset && strcmp(verb, "cycle") != 0) return fail(r, "\"%s\": expected reset, warp, cycle or end", verb);
        for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
            if (read_input(r, fields, word, in) != 0) return -1;
        }
        if (ls_case_add(c, reset, warp, in) != 0) return fail(r, "more than %u cycles", LS_CASE_CYCLES_MAX);
        warp = 0;
    }
    return fail(r, "the file ends before its \"end\" line: truncated?");
}

static int read_header(reader *r, ls_case *c) {
    const char *text = header(r, "lockstep-case");
    if (text == NULL) return fail(r, "not a case file: the first line is not \"lockstep-case %s\"", LS_CASE_VERSION);
    if (strcmp(text, LS_CASE_VERSION) != 0) return fail(r, "case version \"%s\"; this lockstep reads %s", text, LS_CASE_VERSION);
    text = header(r, "unit");
    const ls_unit *unit = text != NULL ? ls_unit_find(text) : NULL;
    if (text == NULL) return fail(r, "expected \"unit NAME\"");
    if (unit == NULL)
        return fail(r, "there is no unit %s here: a project's are known in its folder, or with LOCKSTEP_PROJECT=FOLDER", text);
    void *cfg = ls_config_new(unit);
    char why[256] = "expected \"params [NAME=VALUE …]\"";
    text = header(r, "params");
    const char *wrong = text == NULL || ls_config_set_all(unit, cfg, text, why, sizeof why) != 0 ? why : unit->check(cfg);
    if (wrong == NULL) ls_case_init(c, unit, cfg, 0, "");
    free(cfg);
    if (wrong != NULL) return fail(r, "%s", wrong);
    text = header(r, "fill");
    if (text == NULL || strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
        return fail(r, "expected \"fill\" and 16 hexadecimal digits");
    c->fill = strtoull(text, NULL, 16);
    text = header(r, "field");
    if (text == NULL) return fail(r, "expected \"field [NAME]\"");
    ls_case_set_field(c, text);
    return 0;
}

/* The field that differs is one that is compared. */
static int check_field(reader *r, const ls_case *c, const ls_fields *fields) {
    for (size_t i = 0; i < fields->count; i++)
        for (uint32_t n = 0; fields->list[i].kind != LS_IN && n < ls_part_count(&fields->list[i]); n++)
            if (strcmp(ls_part_of(&fields->list[i], n).field.name, c->field) == 0) return 0;
    return c->field[0] == '\0' ? 0 : fail(r, "field: %s has no output or register \"%s\"", c->unit->name, c->field);
}

int ls_case_read(ls_case *c, const char *path, char *error, size_t size) {
    char shown[RF_PATH_SHOWN];
    *c = (ls_case){0};
    reader r = {.path = path, .file = fopen(path, "r"), .error = error, .size = size};
    if (r.file == NULL) {
        (void)snprintf(error, size, "%s: %s", rf_path_shown(path, shown), strerror(errno));
        return -1;
    }
    int status = read_header(&r, c);
    if (status == 0) {
        ls_fields fields = {0};
        list_fields(c->unit, c->cfg, &fields);
        uint8_t *in = ls_zeroed(c->unit->in_size);
        r.named = ls_zeroed((c->unit->in_size + 1) * sizeof *r.named);
        status = check_field(&r, c, &fields);
        if (status == 0) status = read_cycles(&r, c, &fields, in);
        free(r.named);
        free(in);
        ls_fields_free(&fields);
    }
    (void)fclose(r.file);
    free(r.line);
    if (status != 0) ls_case_free(c);
    return status;
}
