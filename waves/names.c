/* SPDX-License-Identifier: Apache-2.0 */
#include "waves/names.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"

enum { BLOCK_LZ4 = 6, BLOCK_LZ4_TWICE = 7 }; /* blocks that hold the hierarchy */
enum { TAG_ATTRIBUTE = 252, TAG_ATTRIBUTE_END = 253, TAG_SCOPE = 254, TAG_UPSCOPE = 255, TAG_VARIABLE_MAX = 29 };
enum { TAG_INTEGER = 1, TAG_INT = 24, TAG_LONGINT = 26 }; /* of variables: their types; shortint is 25 */
enum { SCOPE_ARRAY = 22 };

/* Bytes that are consumed from the front; `bad` once more were wanted than there are. */
typedef struct bytes {
    const unsigned char *at, *end;
    bool bad;
} bytes;

static unsigned next_byte(bytes *b) {
    if (b->at < b->end) return *b->at++;
    b->bad = true;
    return 0;
}

static uint64_t next_number(bytes *b) { /* little-endian groups of 7 bits */
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        const unsigned byte = next_byte(b);
        value |= (uint64_t)(byte & 0x7f) << shift;
        if ((byte & 0x80) == 0) return value;
    }
    b->bad = true;
    return 0;
}

static const char *next_text(bytes *b) {
    const char *text = (const char *)b->at;
    const unsigned char *end = b->at < b->end ? memchr(b->at, 0, (size_t)(b->end - b->at)) : NULL;
    b->bad |= end == NULL;
    b->at = end != NULL ? end + 1 : b->end;
    return end != NULL ? text : "";
}

static size_t next_length(bytes *b, size_t nibble) {
    size_t length = nibble;
    for (unsigned byte = 255; nibble == 15 && byte == 255 && !b->bad; length += byte) byte = next_byte(b);
    return length;
}

/* Unpacks an LZ4 block (lz4_Block_format.md) of exactly `size` bytes. */
static bool unpack(bytes from, unsigned char *to, size_t size) {
    size_t at = 0;
    while (at < size && !from.bad) {
        const unsigned token = next_byte(&from);
        const size_t literals = next_length(&from, token >> 4);
        if (literals > (size_t)(from.end - from.at) || literals > size - at) return false;
        memcpy(to + at, from.at, literals);
        from.at += literals;
        at += literals;
        if (at == size) break;
        const size_t low = next_byte(&from), back = low | (size_t)next_byte(&from) << 8;
        size_t length = next_length(&from, token & 15) + 4;
        if (from.bad || back == 0 || back > at || length > size - at) return false;
        for (; length > 0; length--, at++) to[at] = to[at - back];
    }
    return at == size && !from.bad;
}

static uint64_t big_endian(const unsigned char *p) {
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) value = value << 8 | p[i];
    return value;
}

/* The hierarchy's bytes, to be freed, or NULL. */
static unsigned char *find_hierarchy(const ls_text *file, size_t *size) {
    const unsigned char *p = (const unsigned char *)file->data;
    for (size_t at = 0; file->size - at >= 17;) {
        const uint64_t length = big_endian(p + at + 1);
        if (length < 16 || length > file->size - at - 1) return NULL;
        if (p[at] != BLOCK_LZ4 && p[at] != BLOCK_LZ4_TWICE) {
            at += 1 + length;
            continue;
        }
        *size = big_endian(p + at + 9);
        bytes packed = {.at = p + at + 17, .end = p + at + 1 + length};
        unsigned char *once = NULL;
        if (*size > (UINT32_C(1) << 30)) return NULL;
        if (p[at] == BLOCK_LZ4_TWICE) {
            const size_t inner = next_number(&packed);
            if (inner > (UINT32_C(1) << 30)) return NULL;
            once = ls_alloc(inner + 1, 1);
            packed.bad |= !unpack(packed, once, inner);
            packed.at = once;
            packed.end = once + inner;
        }
        unsigned char *hierarchy = ls_alloc(*size + 1, 1);
        const bool good = !packed.bad && unpack(packed, hierarchy, *size);
        free(once);
        if (good) return hierarchy;
        free(hierarchy);
        return NULL;
    }
    return NULL;
}

/* The scopes that are open, as one text: all, and those that are no arrays. */
typedef struct scopes {
    ls_text shown, path;
} scopes;

static const char *text_of(const ls_text *text) { return text->size > 0 ? text->data : ""; }

/* "mem_q[37] [1023:0]" below the scopes. GTKWave calls the range [0:0] of one bit [0], and has none for integer, int, shortint
 * and longint. */
static void add_name(ls_wave_names *names, const scopes *in, unsigned tag, const char *text, uint32_t bits) {
    const char *blank = strrchr(text, ' ');
    const size_t stem = blank != NULL ? (size_t)(blank - text) : strlen(text);
    const bool whole = tag == TAG_INTEGER || (tag >= TAG_INT && tag <= TAG_LONGINT);
    char *range = ls_copy(blank != NULL && !whole ? blank + 1 : "");
    char *colon = strchr(range, ':');
    if (bits == 1 && colon != NULL) (void)strcpy(colon, "]");
    names->list = ls_grow(names->list, names->count, sizeof *names->list);
    names->list[names->count++] = (ls_wave_name){.path = ls_format("%s%.*s", text_of(&in->path), (int)stem, text),
                                                 .shown = ls_format("%s%.*s", text_of(&in->shown), (int)stem, text),
                                                 .range = range,
                                                 .bits = bits};
}

/* Takes the last name off. */
static void leave(ls_text *scope) {
    if (scope->size > 0) scope->data[--scope->size] = '\0';
    while (scope->size > 0 && scope->data[scope->size - 1] != '.') scope->data[--scope->size] = '\0';
}

static bool read_names(ls_wave_names *names, bytes b) {
    scopes in = {0};
    ls_text arrays = {0}; /* of each scope that is open whether it is one */
    while (b.at < b.end && !b.bad) {
        const unsigned tag = next_byte(&b);
        if (tag == TAG_SCOPE) {
            const bool array = next_byte(&b) == SCOPE_ARRAY;
            const char *name = next_text(&b);
            ls_text_add(&in.shown, "%s.", name);
            if (!array) ls_text_add(&in.path, "%s.", name);
            ls_text_put(&arrays, array ? "a" : "-", 1);
            (void)next_text(&b);
        } else if (tag == TAG_UPSCOPE) {
            leave(&in.shown);
            if (arrays.size > 0 && arrays.data[--arrays.size] == '-') leave(&in.path);
        } else if (tag == TAG_ATTRIBUTE) {
            (void)next_byte(&b);
            (void)next_byte(&b);
            (void)next_text(&b);
            (void)next_number(&b);
        } else if (tag <= TAG_VARIABLE_MAX) {
            (void)next_byte(&b);
            const char *text = next_text(&b);
            const uint32_t bits = (uint32_t)next_number(&b);
            (void)next_number(&b);
            if (!b.bad) add_name(names, &in, tag, text, bits);
        } else if (tag != TAG_ATTRIBUTE_END) {
            b.bad = true;
        }
    }
    free(in.shown.data);
    free(in.path.data);
    free(arrays.data);
    return !b.bad;
}

static int by_path(const void *a, const void *b) {
    return strcmp(((const ls_wave_name *)a)->path, ((const ls_wave_name *)b)->path);
}

int ls_wave_names_read(ls_wave_names *names, const char *path, char *error, size_t size) {
    ls_text file = {0};
    size_t bytes_there = 0;
    *names = (ls_wave_names){0};
    unsigned char *hierarchy = ls_text_read(&file, path) == 0 && file.size > 0 ? find_hierarchy(&file, &bytes_there) : NULL;
    const bool good = hierarchy != NULL && read_names(names, (bytes){.at = hierarchy, .end = hierarchy + bytes_there});
    free(hierarchy);
    free(ls_text_take(&file));
    if (!good) {
        (void)snprintf(error, size, "%s: no complete FST file", path);
        ls_wave_names_free(names);
        return -1;
    }
    if (names->count > 1) qsort(names->list, names->count, sizeof *names->list, by_path);
    return 0;
}

void ls_wave_names_free(ls_wave_names *names) {
    for (size_t i = 0; i < names->count; i++) {
        free(names->list[i].path);
        free(names->list[i].shown);
        free(names->list[i].range);
    }
    free(names->list);
    *names = (ls_wave_names){0};
}

const ls_wave_name *ls_wave_names_find(const ls_wave_names *names, const char *path) {
    const ls_wave_name key = {.path = (char *)(uintptr_t)path};
    return names->count == 0 ? NULL : bsearch(&key, names->list, names->count, sizeof *names->list, by_path);
}

size_t ls_wave_names_from(const ls_wave_names *names, const char *path) {
    size_t from = 0, to = names->count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (strcmp(names->list[middle].path, path) < 0) from = middle + 1;
        else to = middle;
    }
    return from;
}
