/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/netlist/aig.h"

#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/rtlil.h"
#include "harness/base/text.h"

static int by_name(const void *a, const void *b) {
    const ls_aig_name *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

void ls_aig_sort(ls_aig *a) {
    if (a->name_count > 0) qsort(a->names, a->name_count, sizeof *a->names, by_name);
}

/* Lines "wire LITERAL INDEX NAME", "input NUMBER INDEX NAME" and others. */
static char *read_map(const char *path, ls_aig *a) {
    ls_text text = {0};
    const int error = ls_text_read(&text, path);
    ls_text_put(&text, "", 0);
    char *failed = error != 0 ? ls_format("%s: %s", path, strerror(-error)) : NULL;
    a->input_names = ls_alloc(a->inputs + 1, sizeof *a->input_names);
    for (char *line = text.data; *line != '\0' && failed == NULL;) {
        char kind[16], *end = line + strcspn(line, "\n");
        const bool more = *end != '\0';
        unsigned number, index;
        int at = 0;
        *end = '\0';
        if (sscanf(line, "%15s %u %u %n", kind, &number, &index, &at) != 3 || at == 0) {
            failed = ls_format("%s: not a map of an AIGER file: %s", path, line);
        } else if (strcmp(kind, "wire") == 0 && line[at] != '$') {
            a->names = ls_grow(a->names, a->name_count, sizeof *a->names);
            a->names[a->name_count++] = (ls_aig_name){ls_copy(line + at), index, number};
        } else if (strcmp(kind, "input") == 0 && number < a->inputs && a->input_names[number] == NULL) {
            a->input_names[number] = ls_format("%s[%u]", line + at, index);
        }
        line = end + (more ? 1 : 0);
    }
    for (uint32_t i = 0; i < a->inputs; i++)
        if (a->input_names[i] == NULL) a->input_names[i] = ls_format("$%u", i); /* a net that nothing drives */
    for (uint32_t i = 0; i < a->outputs; i++)
        if (a->output_names[i] == NULL) a->output_names[i] = ls_format("$%u", i);
    ls_aig_sort(a);
    free(ls_text_take(&text));
    return failed;
}

static bool take_delta(const char **at, const char *end, uint32_t *value) {
    *value = 0;
    for (unsigned shift = 0; *at < end && shift <= 28; shift += 7) {
        const unsigned char byte = (unsigned char)*(*at)++;
        *value |= (byte & 0x7fu) << shift;
        if ((byte & 0x80) == 0) return true;
    }
    return false;
}

/* Names of outputs behind the gates, "o3 z" or "o3 y[2]": the map has none of those that are constant. */
static void read_symbols(const char *at, ls_aig *a) {
    a->output_names = ls_alloc(a->outputs + 1, sizeof *a->output_names);
    for (; *at == 'i' || *at == 'o' || *at == 'l'; at += strcspn(at, "\n"), at += *at == '\n') {
        unsigned number;
        int from = 0;
        if (sscanf(at, "o%u %n", &number, &from) != 1 || from == 0 || number >= a->outputs || a->output_names[number] != NULL)
            continue;
        const size_t length = strcspn(at + from, "\n");
        a->output_names[number] = ls_format("%.*s%s", (int)length, at + from, at[(size_t)from + length - 1] == ']' ? "" : "[0]");
    }
}

/* The body of the file; false when it is none. */
static bool read_body(const ls_text *text, ls_aig *a) {
    unsigned top = 0;
    if (sscanf(text->data, "aig %u %u %u %u %u", &top, &a->inputs, &a->latches, &a->outputs, &a->gates) != 5 ||
        (uint64_t)a->inputs + a->latches + a->gates != top || top > 500000000)
        return false;
    a->next = ls_alloc(a->latches + 1, sizeof *a->next);
    a->output = ls_alloc(a->outputs + 1, sizeof *a->output);
    a->gate = ls_alloc(a->gates + 1, sizeof *a->gate);
    const char *at = text->data, *end = text->data + text->size;
    for (uint32_t i = 0; i <= a->latches + a->outputs; i++) { /* the header, then a line each */
        if (i > 0) *(i <= a->latches ? &a->next[i - 1] : &a->output[i - 1 - a->latches]) = (uint32_t)strtoul(at, NULL, 10);
        at = memchr(at, '\n', (size_t)(end - at));
        if (at == NULL) return false;
        at++;
    }
    for (uint32_t i = 0; i < a->gates; i++) {
        uint32_t first, second;
        const uint32_t literal = 2 * (a->inputs + a->latches + 1 + i);
        if (!take_delta(&at, end, &first) || !take_delta(&at, end, &second) || first > literal || second > literal - first)
            return false;
        a->gate[i][0] = literal - first;
        a->gate[i][1] = literal - first - second;
    }
    read_symbols(at, a);
    return true;
}

char *ls_aig_read(const char *prefix, ls_aig *a) {
    *a = (ls_aig){0};
    char *path = ls_format("%s.aig", prefix), *map = ls_format("%s.map", prefix), *failed = NULL;
    ls_text text = {0};
    const int error = ls_text_read(&text, path);
    ls_text_put(&text, "", 1); /* names are read as text */
    text.size--;
    if (error != 0) failed = ls_format("%s: %s", path, strerror(-error));
    else if (!read_body(&text, a)) failed = ls_format("%s: not an AIGER file", path);
    if (failed == NULL) failed = read_map(map, a);
    free(ls_text_take(&text));
    free(path);
    free(map);
    if (failed != NULL) ls_aig_free(a);
    return failed;
}

void ls_aig_free(ls_aig *a) {
    for (size_t i = 0; i < a->name_count; i++) free(a->names[i].name);
    for (uint32_t i = 0; i < a->inputs && a->input_names != NULL; i++) free(a->input_names[i]);
    for (uint32_t i = 0; i < a->outputs && a->output_names != NULL; i++) free(a->output_names[i]);
    free(a->input_names);
    free(a->output_names);
    free(a->names);
    free(a->next);
    free(a->output);
    free(a->gate);
    *a = (ls_aig){0};
}

/* The first name that is not before this one. */
static const ls_aig_name *not_before(const ls_aig *a, const char *name, uint32_t index) {
    const ls_aig_name key = {(char *)(uintptr_t)name, index, 0};
    size_t low = 0, high = a->name_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (by_name(&a->names[middle], &key) < 0) low = middle + 1;
        else high = middle;
    }
    return low < a->name_count && strcmp(a->names[low].name, name) == 0 ? &a->names[low] : NULL;
}

bool ls_aig_find(const ls_aig *a, const char *name, uint32_t index, uint32_t *literal) {
    const ls_aig_name *found = not_before(a, name, index);
    if (found == NULL || found->index != index) return false;
    *literal = found->literal;
    return true;
}

bool ls_aig_has(const ls_aig *a, const char *name) { return not_before(a, name, 0) != NULL; }

void ls_aig_begin(ls_aig_maker *m, uint32_t inputs, uint32_t latches) {
    *m = (ls_aig_maker){.inputs = inputs, .latches = latches};
    m->next = ls_alloc(latches + 1, sizeof *m->next);
    m->table_size = 1024;
    m->table = ls_alloc(m->table_size, sizeof *m->table);
}

static uint32_t slot(const ls_aig_maker *m, uint32_t a, uint32_t b) {
    uint32_t at = (uint32_t)((a * UINT64_C(0x9e3779b97f4a7c15) ^ b * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 29) & (m->table_size - 1);
    while (m->table[at] != 0 && (m->gate[m->table[at] - 1][0] != a || m->gate[m->table[at] - 1][1] != b))
        at = (at + 1) & (m->table_size - 1);
    return at;
}

uint32_t ls_aig_and(ls_aig_maker *m, uint32_t a, uint32_t b) {
    if (a < b) {
        const uint32_t other = a;
        a = b;
        b = other;
    }
    if (b == 0 || a == (b ^ 1u)) return 0;
    if (b == 1 || a == b) return a;
    if ((m->gates + 1) * 2 >= m->table_size) {
        m->table_size *= 2;
        free(m->table);
        m->table = ls_alloc(m->table_size, sizeof *m->table);
        for (uint32_t i = 0; i < m->gates; i++) m->table[slot(m, m->gate[i][0], m->gate[i][1])] = i + 1;
    }
    const uint32_t at = slot(m, a, b);
    if (m->table[at] == 0) {
        if (m->gates == m->room) {
            m->room = m->room == 0 ? 1024 : m->room * 2;
            m->gate = ls_resize(m->gate, m->room * sizeof *m->gate);
        }
        m->gate[m->gates][0] = a;
        m->gate[m->gates][1] = b;
        m->table[at] = ++m->gates;
    }
    return 2 * (m->inputs + m->latches + m->table[at]);
}

uint32_t ls_aig_choose(ls_aig_maker *m, uint32_t c, uint32_t a, uint32_t b) {
    return ls_aig_and(m, ls_aig_and(m, c, a) ^ 1u, ls_aig_and(m, c ^ 1u, b) ^ 1u) ^ 1u;
}

uint32_t ls_aig_xor(ls_aig_maker *m, uint32_t a, uint32_t b) { return ls_aig_choose(m, a, b ^ 1u, b); }

bool ls_aig_is_xor(const ls_aig_maker *m, uint32_t variable, uint32_t pair[2]) {
    const uint32_t leaves = m->inputs + m->latches;
    if (variable <= leaves) return false;
    const uint32_t *top = m->gate[variable - leaves - 1]; /* not both, and not neither */
    if ((top[0] & top[1] & 1u) == 0 || top[0] >> 1 <= leaves || top[1] >> 1 <= leaves) return false;
    const uint32_t *both = m->gate[(top[0] >> 1) - leaves - 1], *neither = m->gate[(top[1] >> 1) - leaves - 1];
    pair[0] = both[0];
    pair[1] = both[1];
    return neither[0] == (both[0] ^ 1u) && neither[1] == (both[1] ^ 1u);
}

void ls_aig_put_output(ls_aig_maker *m, uint32_t literal) {
    m->output = ls_grow(m->output, m->outputs, sizeof *m->output);
    m->output[m->outputs++] = literal;
}

uint32_t *ls_aig_put(ls_aig_maker *m, const ls_aig *a, const uint32_t *leaf) {
    const uint32_t leaves = a->inputs + a->latches;
    uint32_t *map = ls_alloc(leaves + a->gates + 1, sizeof *map);
    for (uint32_t i = 1; i <= leaves; i++) map[i] = leaf[i];
    for (uint32_t i = 0; i < a->gates; i++)
        map[leaves + 1 + i] = ls_aig_and(m, ls_aig_became(map, a->gate[i][0]), ls_aig_became(map, a->gate[i][1]));
    return map;
}

void ls_aig_drop_scopes(ls_aig *a) {
    for (size_t i = 0; i < a->name_count; i++) (void)ls_il_drop_scopes(a->names[i].name);
    ls_aig_sort(a);
}

uint32_t ls_aig_input(const ls_aig *a, const char *name) {
    for (uint32_t i = 0; i < a->inputs; i++)
        if (strcmp(a->input_names[i], name) == 0) return i + 1;
    return 0;
}

uint32_t ls_aig_strip(const ls_aig *a, uint32_t literal, uint32_t reset, bool high) {
    const uint32_t leaves = a->inputs + a->latches, variable = literal >> 1;
    if (variable <= leaves || reset == 0) return literal;
    const uint32_t *gate = a->gate[variable - leaves - 1];
    for (int i = 0; i < 2; i++)
        if (gate[i] == 2 * reset + high) return ls_aig_strip(a, gate[1 - i], reset, high) ^ (literal & 1u);
    return literal;
}

static void put_delta(ls_text *out, uint32_t value) {
    char bytes[5];
    size_t n = 0;
    for (; value >= 0x80; value >>= 7) bytes[n++] = (char)(value | 0x80);
    bytes[n++] = (char)value;
    ls_text_put(out, bytes, n);
}

char *ls_aig_write(const ls_aig_maker *m, const char *path) {
    const uint32_t leaves = m->inputs + m->latches;
    bool *need = ls_alloc(leaves + m->gates + 1, sizeof *need);
    uint32_t *place = ls_alloc(leaves + m->gates + 1, sizeof *place), gates = 0;
    for (uint32_t i = 0; i < m->latches; i++) need[m->next[i] >> 1] = true;
    for (uint32_t i = 0; i < m->outputs; i++) need[m->output[i] >> 1] = true;
    for (uint32_t i = m->gates; i-- > 0;)
        if (need[leaves + 1 + i]) need[m->gate[i][0] >> 1] = need[m->gate[i][1] >> 1] = true;
    for (uint32_t i = 0; i <= leaves + m->gates; i++) place[i] = 2 * (i <= leaves ? i : need[i] ? leaves + ++gates : 0);
    ls_text out = {0};
    ls_text_add(&out, "aig %u %u %u %u %u\n", leaves + gates, m->inputs, m->latches, m->outputs, gates);
    for (uint32_t i = 0; i < m->latches; i++) ls_text_add(&out, "%u\n", ls_aig_became(place, m->next[i]));
    for (uint32_t i = 0; i < m->outputs; i++) ls_text_add(&out, "%u\n", ls_aig_became(place, m->output[i]));
    for (uint32_t i = 0; i < m->gates; i++) {
        if (!need[leaves + 1 + i]) continue;
        const uint32_t a = ls_aig_became(place, m->gate[i][0]), b = ls_aig_became(place, m->gate[i][1]);
        put_delta(&out, place[leaves + 1 + i] - a);
        put_delta(&out, a - b);
    }
    const int error = ls_text_write(&out, path);
    free(ls_text_take(&out));
    free(need);
    free(place);
    return error != 0 ? ls_format("%s: %s", path, strerror(-error)) : NULL;
}

void ls_aig_drop(ls_aig_maker *m) {
    free(m->gate);
    free(m->output);
    free(m->next);
    free(m->table);
    *m = (ls_aig_maker){0};
}
