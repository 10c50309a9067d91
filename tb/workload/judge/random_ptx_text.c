/* SPDX-License-Identifier: Apache-2.0 */
/* Random PTX: from templates to text. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tb/workload/judge/random_ptx_inside.h"

static void append(random_gen *g, const char *text, size_t n) {
    if (g->size + n + 1 > g->room) {
        g->room = (g->size + n + 1) * 2;
        g->text = realloc(g->text, g->room);
        if (!g->text) abort();
    }
    memcpy(g->text + g->size, text, n);
    g->size += n;
    g->text[g->size] = '\0';
}

static void put_list(random_gen *g, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
static void put_list(random_gen *g, const char *format, va_list args) {
    char text[512];
    const int n = vsnprintf(text, sizeof text, format, args);
    if (n < 0 || (size_t)n >= sizeof text) abort();
    append(g, text, (size_t)n);
}

static void add_text(random_gen *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_text(random_gen *g, const char *format, ...) {
    va_list args;
    va_start(args, format);
    put_list(g, format, args);
    va_end(args);
}

void random_line(random_gen *g, const char *format, ...) {
    va_list args;
    va_start(args, format);
    put_list(g, format, args);
    va_end(args);
    append(g, "\n", 1);
}

uint32_t random_temp(random_gen *g, random_file file) { return g->used[file]++; }

static void variable(random_gen *g, random_file file) { add_text(g, "%%%c%" PRIu32, "hrdfgp"[file], below(g, g->pool[file])); }

static void immediate(random_gen *g, random_file file) {
    static const uint32_t reals[] = {0,          0x80000000, 0x3f800000, 0xbf000000, 0x40490fdb, 0x7f800000, 0xff800000,
                                     0x00000001, 0x807fffff, 0x7f7fffff, 0x34000000, 0x4b800000, 0x7fc00000, 0x00800000};
    const uint64_t v = ls_rng_value(&g->rng, 64);
    const uint32_t real = reals[below(g, sizeof reals / sizeof *reals)];
    const bool small = chance(g, 128);
    switch (file) {
    case R16:
        add_text(g, "%d", small ? (int)(v & 15) - 5 : (int)(int16_t)v);
        break;
    case R32:
        add_text(g, small ? "%" PRId32 : "%#" PRIx32, small ? (int32_t)(v & 63) - 20 : (int32_t)v);
        break;
    case R64:
        add_text(g, small ? "%" PRId64 : "%#" PRIx64, small ? (int64_t)(v & 63) - 20 : (int64_t)v);
        break;
    case FL:
        add_text(g, "0f%08" PRIX32, small ? real : (uint32_t)(0x3f000000u + (uint32_t)(v & 0x1ffffff)));
        break;
    default:
        add_text(g, "0d%016" PRIX64, small ? (uint64_t)real << 32 : UINT64_C(0x3fe0000000000000) + (v & 0x3fffffffffffff));
        break;
    }
}

static void pick(random_gen *g, const char *const *list, uint32_t n) { add_text(g, "%s", list[below(g, n)]); }
#define PICK(g, ...)                                                                                                             \
    do {                                                                                                                         \
        static const char *const list[] = {__VA_ARGS__};                                                                         \
        pick(g, list, sizeof list / sizeof *list);                                                                               \
    } while (0)

/* What stands behind a '~':
 *   h r d f g p   a variable of 16, 32, 64 bits, f32, f64, a predicate      H R D F G   the same, or an immediate
 *   1 2 3 4       temporaries of this template: 32 bits; 5 6: 64 bits; 7 8: predicates; 9: f32; 0: f64
 *   o O           a rounding; a rounding to an integral value               z s         ".ftz" of f32, ".sat" of f32, or nothing
 *   E C U K       a comparison of bits, signed, unsigned, floating point    b           0 .. 255
 *   n             0 .. 39                                                   |           itself, inside < > */
static void escape(random_gen *g, char c, uint32_t *temp) {
    static const char files[] = "hrdfg";
    static const random_file temp_file[10] = {DB, R32, R32, R32, R32, R64, R64, PR, PR, FL};
    const char *const low = strchr(files, c), *const high = strchr(files, c - 'A' + 'a');
    if (c >= '0' && c <= '9') {
        uint32_t *const t = &temp[c - '0'];
        if (*t == UINT32_MAX) *t = random_temp(g, temp_file[c - '0']);
        add_text(g, "%%%c%" PRIu32, "hrdfgp"[temp_file[c - '0']], *t);
    } else if (low) {
        variable(g, (random_file)(low - files));
    } else if (high && c < 'a') {
        const random_file file = (random_file)(high - files);
        if (chance(g, 80)) immediate(g, file);
        else variable(g, file);
    } else {
        switch (c) {
        case 'p':
            variable(g, PR);
            break;
        case 'o':
            if (has(g, F_ROUND)) PICK(g, "rn", "rz", "rm", "rp");
            else add_text(g, "rn");
            break;
        case 'O':
            PICK(g, "rni", "rzi", "rmi", "rpi");
            break;
        case 'z':
            if (has(g, F_FTZ) && chance(g, 128)) add_text(g, ".ftz");
            break;
        case 's':
            if (has(g, F_SAT) && chance(g, 40)) add_text(g, ".sat");
            break;
        case 'E':
            PICK(g, "eq", "ne");
            break;
        case 'C':
            PICK(g, "eq", "ne", "lt", "le", "gt", "ge");
            break;
        case 'U':
            PICK(g, "eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs");
            break;
        case 'K':
            PICK(g, "eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan");
            break;
        case 'b':
            add_text(g, "%" PRIu32, below(g, 256));
            break;
        case '|':
            add_text(g, "|");
            break;
        case 'n':
            add_text(g, "%" PRIu32, below(g, 40));
            break;
        default:
            abort();
        }
    }
}

/* One of the texts between the '<' at *at and its '>': *at becomes its start, its end is returned. */
static const char *alternative(random_gen *g, const char **at) {
    const char *start[16], *c = *at + 1;
    uint32_t n = 0, depth = 0;
    start[n++] = c;
    for (; depth > 0 || *c != '>'; c++) {
        if (*c == '\0' || n == 15) abort();
        if (*c == '<') depth++;
        else if (*c == '>') depth--;
        else if (*c == '~') c++;
        else if (*c == '|' && depth == 0) start[n++] = c + 1;
    }
    start[n] = c + 1;
    const uint32_t k = below(g, n);
    *at = start[k];
    return start[k + 1] - 1;
}

static void expand(random_gen *g, const char *at, const char *end, uint32_t *temp) {
    while (at < end) {
        if (*at == '<') {
            const char *from = at;
            const char *const to = alternative(g, &from);
            expand(g, from, to, temp);
            for (uint32_t depth = 0; at < end; at++) {
                depth += *at == '<';
                if (*at == '>' && --depth == 0) break;
            }
            at++;
        } else if (*at == '~') {
            escape(g, at[1], temp);
            at += 2;
        } else {
            append(g, at++, 1);
        }
    }
}

void random_emit(random_gen *g, const char *format, ...) {
    char text[1024];
    va_list args;
    va_start(args, format);
    const int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (n < 0 || (size_t)n >= sizeof text) abort();
    uint32_t temp[10];
    memset(temp, 0xff, sizeof temp);
    for (const char *at = text; *at != '\0';) {
        while (*at == ' ') at++;
        const char *end = strchr(at, ';');
        if (!end) end = at + strlen(at);
        append(g, "\t", 1);
        if (*at == '!') {
            at++;
        } else if (has(g, F_GUARD) && chance(g, 50)) {
            add_text(g, chance(g, 128) ? "@" : "@!");
            variable(g, PR);
            append(g, " ", 1);
        }
        expand(g, at, end, temp);
        append(g, ";\n", 2);
        at = *end == ';' ? end + 1 : end;
    }
}
