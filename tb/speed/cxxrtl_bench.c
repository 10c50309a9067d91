/* SPDX-License-Identifier: Apache-2.0 */
/* A bench for a design that Yosys wrote as C++ (write_cxxrtl), linked with it: drives the vectors of `lockstep export UNIT --to
 * vectors` and compares every output in every cycle, every register and row of a memory after every edge. cxxrtl_bench UNIT
 * FOLDER Exit 0: all cycles are equal; 1: one differs; 2: a file cannot be read, or names what the design does not have. */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <backends/cxxrtl/cxxrtl_capi.h>

cxxrtl_toplevel cxxrtl_design_create(void); /* the design's */

enum { DIGIT = 4, CHUNK = 32 };

typedef struct field {
    char *name;
    uint32_t elements, bits;
    struct cxxrtl_object **object; /* one, or one an element */
    bool apart;
    uint32_t *value; /* of the line that was read */
} field;

typedef struct lines { /* a file of vectors: its fields, the lowest first */
    FILE *file;
    field *fields;
    size_t count;
    bool flags; /* the lowest digit is the reset */
    uint32_t flag;
    char *line;
    size_t room;
} lines;

typedef struct memory {
    struct cxxrtl_object *object;
    size_t chunks; /* of a row */
    uint32_t *rows;
} memory;

static struct known {
    char *name;
    struct cxxrtl_object *object;
} * known;
static size_t known_count;

static void fail(const char *what, const char *name) {
    (void)fprintf(stderr, "cxxrtl_bench: %s: %s\n", name, what);
    exit(2);
}

static void *need(void *p) {
    if (p == NULL) fail("no memory", "malloc");
    return p;
}

/* NULL: there is none, where there need not be one. */
static FILE *open_file(const char *folder, const char *unit, const char *what, bool must) {
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s_%s", folder, unit, what);
    FILE *f = fopen(path, "r");
    if (f == NULL && must) fail("cannot be read", path);
    return f;
}

/* The design has a space between the parts of a path, the vectors a dot. */
static void note(void *data, const char *name, struct cxxrtl_object *object, size_t parts) {
    (void)data;
    if (parts != 1) return;
    known = need(realloc(known, (known_count + 1) * sizeof *known));
    char *plain = need(strdup(name));
    for (char *c = plain; *c != '\0'; c++) *c = *c == ' ' ? '.' : *c;
    known[known_count++] = (struct known){plain, object};
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct known *)a)->name, ((const struct known *)b)->name);
}

static struct cxxrtl_object *find(const char *name) {
    const struct known key = {(char *)name, NULL}, *found = bsearch(&key, known, known_count, sizeof *known, by_name);
    return found == NULL ? NULL : found->object;
}

static void bind_field(field *f) {
    f->object = need(calloc(f->elements, sizeof *f->object));
    f->value = need(calloc((f->elements * f->bits) / CHUNK + 2, sizeof *f->value));
    f->object[0] = find(f->name);
    if (f->object[0] != NULL && f->object[0]->width == (size_t)f->elements * f->bits) return;
    f->apart = true;
    for (uint32_t e = 0; e < f->elements; e++) {
        char name[1024];
        (void)snprintf(name, sizeof name, "%s[%" PRIu32 "]", f->name, e);
        f->object[e] = find(name);
        if (f->object[e] == NULL || f->object[e]->width != f->bits) fail("the design does not have it so", name);
    }
}

/* The fields of a file, from its second line: "// name (24) name (24 x 3 bits) ...". */
static lines open_lines(const char *folder, const char *unit, const char *what, bool flags, bool must) {
    lines l = {.file = open_file(folder, unit, what, must), .flags = flags};
    if (l.file == NULL) return l;
    if (getline(&l.line, &l.room, l.file) < 0 || getline(&l.line, &l.room, l.file) < 0) fail("no header", what);
    char *rest = l.line + 3;
    for (char *open = strstr(rest, " ("); open != NULL; open = strstr(rest, " (")) {
        *open = '\0';
        field f = {.name = need(strdup(rest)), .elements = 1};
        unsigned a = 0, b = 0;
        const int n = sscanf(open + 2, "%u x %u", &a, &b);
        if (n < 1) fail("no width", f.name);
        f.elements = n == 2 ? a : 1;
        f.bits = n == 2 ? b : a;
        bind_field(&f);
        l.fields = need(realloc(l.fields, (l.count + 1) * sizeof *l.fields));
        l.fields[l.count++] = f;
        rest = strchr(open + 2, ')');
        rest += rest[1] == ' ' ? 2 : 1;
    }
    return l;
}

static uint32_t digit(char c) { return (uint32_t)(c <= '9' ? c - '0' : c - 'a' + 10); }

/* The digits before `end`, lowest first, as far as they go. */
static const char *read_digits(const char *begin, const char *end, uint32_t *value) {
    size_t at = 0;
    for (; end > begin && end[-1] != '_' && end[-1] != ' '; end--, at += DIGIT) {
        if (at % CHUNK == 0) value[at / CHUNK] = 0;
        value[at / CHUNK] |= digit(end[-1]) << at % CHUNK;
    }
    return end > begin && end[-1] == '_' ? end - 1 : end;
}

/* The next line; words of it that are set apart by blanks have the lower fields first. */
static bool next_line(lines *l) {
    ssize_t size;
    do size = getline(&l->line, &l->room, l->file);
    while (size > 0 && l->line[0] == '/');
    if (size <= 0) return false;
    size_t f = 0;
    bool flag = l->flags;
    for (char *word = strtok(l->line, " \n"); word != NULL; word = strtok(NULL, " \n"))
        for (const char *end = word + strlen(word); end > word;) {
            if (flag) end = read_digits(word, end, &l->flag);
            else if (f < l->count) end = read_digits(word, end, l->fields[f++].value);
            else fail("more digits than fields", l->fields[0].name);
            flag = false;
        }
    if (f != l->count) fail("fewer digits than fields", l->fields[f].name);
    return true;
}

static uint32_t bits_at(const uint32_t *value, size_t at, size_t count) {
    const size_t low = at % CHUNK;
    uint64_t both = value[at / CHUNK];
    if (low + count > CHUNK) both |= (uint64_t)value[at / CHUNK + 1] << CHUNK;
    return (uint32_t)(both >> low & (((uint64_t)1 << count) - 1));
}

static void drive(const lines *l) {
    for (const field *f = l->fields; f < l->fields + l->count; f++)
        for (uint32_t e = 0; e < (f->apart ? f->elements : 1); e++)
            for (size_t width = f->object[e]->width, at = 0; at < width; at += CHUNK)
                f->object[e]->next[at / CHUNK] = bits_at(f->value, e * width + at, width - at < CHUNK ? width - at : CHUNK);
}

/* Ends the run at the first field that differs. */
static void compare(const lines *l, uint64_t cycle) {
    for (const field *f = l->fields; f < l->fields + l->count; f++)
        for (uint32_t e = 0; e < (f->apart ? f->elements : 1); e++) {
            const struct cxxrtl_object *o = f->object[e];
            if (o->outline != NULL) cxxrtl_outline_eval(o->outline);
            for (size_t at = 0; at < o->width; at += CHUNK) {
                const uint32_t model = bits_at(f->value, e * o->width + at, o->width - at < CHUNK ? o->width - at : CHUNK);
                if (o->curr[at / CHUNK] == model) continue;
                (void)printf("mismatch  cycle %" PRIu64 ": %s, element %" PRIu32 ", bits from %zu: RTL %" PRIx32
                             ", model %" PRIx32 "\n",
                             cycle, f->name, e, at, o->curr[at / CHUNK], model);
                exit(1);
            }
        }
}

/* The memories and their first contents. */
static size_t open_memories(const char *folder, const char *unit, memory **list) {
    size_t count = 0, room = 0;
    char *line = NULL;
    for (;;) {
        char what[64];
        (void)snprintf(what, sizeof what, "memory%zu.hex", count);
        FILE *f = open_file(folder, unit, what, false);
        if (f == NULL) break;
        if (getline(&line, &room, f) < 0) fail("no header", what);
        char *name = strstr(line, "first contents of ");
        if (name == NULL) fail("no name", what);
        name += strlen("first contents of ");
        name[strcspn(name, ",")] = '\0';
        memory m = {.object = find(name)};
        if (m.object == NULL || m.object->type != CXXRTL_MEMORY) fail("the design has no such memory", name);
        m.chunks = (m.object->width + CHUNK - 1) / CHUNK;
        m.rows = need(calloc(m.object->depth * m.chunks, sizeof *m.rows));
        for (size_t row = 0; row < m.object->depth && getline(&line, &room, f) > 0; row++)
            (void)read_digits(line, line + strcspn(line, "\n"), m.rows + row * m.chunks);
        memcpy(m.object->curr, m.rows, m.object->depth * m.chunks * sizeof *m.rows);
        *list = need(realloc(*list, (count + 1) * sizeof **list));
        (*list)[count++] = m;
        (void)fclose(f);
    }
    free(line);
    return count;
}

/* Rows that the model writes at the edge of this cycle. */
static void write_rows(FILE *writes, memory *list, size_t count, uint64_t cycle) {
    static char digits[65536];
    static uint64_t at;
    static size_t which, row;
    static bool waits;
    while (waits || (waits = fscanf(writes, "%" SCNu64 " %zu %zu %65535s", &at, &which, &row, digits) == 4)) {
        if (at != cycle) return;
        if (which >= count) fail("no such memory", "writes.txt");
        (void)read_digits(digits, digits + strlen(digits), list[which].rows + row * list[which].chunks);
        waits = false;
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        (void)fprintf(stderr, "cxxrtl_bench UNIT FOLDER\n");
        return 2;
    }
    const char *const unit = argv[1], *const folder = argv[2];
    cxxrtl_handle design = cxxrtl_create(cxxrtl_design_create());
    cxxrtl_enum(design, NULL, note);
    qsort(known, known_count, sizeof *known, by_name);
    lines in = open_lines(folder, unit, "inputs.hex", true, true), out = open_lines(folder, unit, "outputs.hex", false, true),
          registers = open_lines(folder, unit, "registers.hex", false, false);
    FILE *writes = open_file(folder, unit, "writes.txt", false);
    memory *memories = NULL;
    const size_t memory_count = open_memories(folder, unit, &memories);
    struct cxxrtl_object *clock = find("clk_i"), *reset = find("rst_ni");
    if (clock == NULL || reset == NULL) fail("no clk_i or no rst_ni", unit);
    uint64_t cycle = 0;
    *reset->next = 1;
    cxxrtl_step(design);
    for (bool was_reset = false; next_line(&in); cycle++) {
        if (!next_line(&out) || (registers.file != NULL && !next_line(&registers))) fail("fewer lines than cycles", unit);
        *clock->next = 0;
        *reset->next = in.flag & 1;
        drive(&in);
        cxxrtl_step(design);
        if ((in.flag & 1) != 0 || was_reset) compare(&out, cycle);
        was_reset = (in.flag & 1) == 0;
        *clock->next = 1;
        cxxrtl_step(design);
        if (registers.file != NULL) compare(&registers, cycle);
        if (writes != NULL) write_rows(writes, memories, memory_count, cycle);
        for (const memory *m = memories; m < memories + memory_count; m++)
            if (memcmp(m->object->curr, m->rows, m->object->depth * m->chunks * sizeof *m->rows) != 0) {
                (void)printf("mismatch  cycle %" PRIu64 ": memory %td\n", cycle, m - memories);
                return 1;
            }
    }
    (void)printf("%s: %" PRIu64 " cycles are equal\n", unit, cycle);
    return cycle == 0;
}
