/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/netlist/netlist_rtlil.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/dut/toolchain.h"

char *ls_yosys_run(const ls_text *script, const char *path, unsigned timeout_ms) {
    const int error = ls_text_write(script, path);
    if (error != 0) return ls_format("%s: %s", path, strerror(-error));
    ls_args args = {0};
    static const char *const words[] = {
        "yosys", "-q", "-q", "-w", "Replacing memory", "-w", "Yosys has only limited support for tri-state"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) ls_args_add(&args, "%s", words[i]);
    ls_args_add(&args, "%s", path);
    bool refused = false;
    char *failed = ls_command(&args, timeout_ms, &refused);
    ls_args_free(&args);
    return failed;
}

/* Copies a name without its scopes of "else if". */
static void put_plain(const char *from, size_t length, ls_text *out) {
    for (const char *at = from, *end = from + length; at < end;) {
        const bool scope = at > from && (at[-1] == '.' || at[-1] == '\\') && strncmp(at, "genblk", 6) == 0;
        const size_t digits = scope ? strspn(at + 6, "0123456789") : 0;
        if (digits > 0 && at + 6 + digits < end && at[6 + digits] == '.') at += 7 + digits;
        else ls_text_put(out, at++, 1);
    }
}

static int by_text(const void *a, const void *b) {
    char *const *x = a, *const *y = b;
    return strcmp(*x, *y);
}

/* An error when a name stands in the list twice: then two declarations have one name. */
static char *find_twice(ls_args *names) {
    if (names->count > 1) qsort(names->list, names->count, sizeof *names->list, by_text);
    for (size_t i = 1; i < names->count; i++)
        if (strcmp(names->list[i - 1], names->list[i]) == 0)
            return ls_format("%s: two registers or wires have this name when the scopes of \"else if\" are left out of it",
                             names->list[i]);
    return NULL;
}

static bool starts(const char *line, const char *word) {
    line += strspn(line, " ");
    const size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && line[length] == ' ';
}

char *ls_rtlil_plain(const char *text, ls_text *out) {
    ls_args names = {0};
    for (const char *line = text; *line != '\0';) {
        const char *const end = line + strcspn(line, "\n");
        const bool declares = starts(line, "wire") || starts(line, "memory") || starts(line, "cell");
        /* Where something was in the sources may be spelt like a scope; it stays. */
        const bool copied = starts(line, "attribute");
        for (const char *at = line; at < end;) {
            const size_t blanks = strspn(at, " ");
            ls_text_put(out, at, blanks);
            at += blanks;
            const size_t length = strcspn(at, " \n");
            const bool name = !copied && memchr(at, '\\', length) != NULL;
            const size_t before = out->size;
            if (name) put_plain(at, length, out);
            else ls_text_put(out, at, length);
            if (name && declares && *at == '\\' && at[length] == '\n') ls_args_add(&names, "%s", out->data + before);
            at += length;
        }
        if (*end != '\0') ls_text_put(out, "\n", 1);
        line = end + (*end != '\0');
    }
    char *failed = find_twice(&names);
    ls_args_free(&names);
    return failed;
}

typedef struct wire {
    char *name;
    unsigned width;
} wire;

static int by_name(const void *a, const void *b) { return strcmp(((const wire *)a)->name, ((const wire *)b)->name); }

/* The wires that get a twin, by name. */
static size_t list_wires(const char *text, wire **list) {
    size_t count = 0;
    bool keep = false;
    *list = NULL;
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        char *one = ls_format("%.*s", (int)length, line);
        if (starts(one, "wire")) {
            const char *width = strstr(one, " width "), *name = strrchr(one, ' ');
            const bool output = strstr(one, " output ") != NULL, port = output || strstr(one, " input ") != NULL;
            if (output || (keep && !port)) {
                *list = ls_grow(*list, count, sizeof **list);
                (*list)[count++] = (wire){ls_copy(name + 1), width != NULL ? (unsigned)strtoul(width + 7, NULL, 10) : 1};
            }
        }
        if (starts(one, "attribute")) keep |= strstr(one, " \\keep 1") != NULL;
        else keep = false;
        free(one);
        line += length + (line[length] == '\n');
    }
    if (count > 1) qsort(*list, count, sizeof **list, by_name);
    return count;
}

#define TWIN "$ls_twin"

/* Copies a "connect" with twins in place of their wires; the name of a cell's port is none of them. */
static void put_connect(const char *line, size_t length, bool of_cell, const wire *list, size_t count, ls_text *out) {
    char *one = ls_format("%.*s", (int)length, line);
    size_t word = 0;
    for (const char *at = one; *at != '\0';) {
        const size_t blanks = strspn(at, " "), size = strcspn(at + blanks, " ");
        wire key = {.name = ls_format("%.*s", (int)size, at + blanks)};
        const bool port = of_cell && word == 1;
        const wire *found = count > 0 && !port && size > 0 ? bsearch(&key, list, count, sizeof *list, by_name) : NULL;
        ls_text_put(out, at, blanks);
        if (found != NULL) ls_text_add(out, TWIN);
        ls_text_put(out, at + blanks, size);
        free(key.name);
        word++;
        at += blanks + size;
    }
    ls_text_put(out, "\n", 1);
    free(one);
}

void ls_rtlil_twins(const char *text, ls_text *out) {
    wire *list = NULL;
    const size_t count = list_wires(text, &list);
    bool cell = false;
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        const bool module = starts(line, "module"), module_ends = strncmp(line, "end", 3) == 0;
        if (starts(line, "cell")) cell = true;
        else if (strncmp(line, "  end", 5) == 0) cell = false;
        for (size_t i = 0; module_ends && i < count; i++)
            ls_text_add(out, "  connect %s " TWIN "%s\n", list[i].name, list[i].name);
        if (starts(line, "connect")) {
            put_connect(line, length, cell, list, count, out);
        } else {
            ls_text_put(out, line, length);
            ls_text_put(out, "\n", 1);
        }
        for (size_t i = 0; module && i < count; i++)
            ls_text_add(out, "  wire width %u " TWIN "%s\n", list[i].width, list[i].name);
        line += length + (line[length] == '\n');
    }
    for (size_t i = 0; i < count; i++) free(list[i].name);
    free(list);
}
