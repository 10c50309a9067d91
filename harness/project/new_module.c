/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/project/new_module.h"

void ls_new_add(ls_new_files *files, char *name, char *text) {
    files->list = ls_grow(files->list, files->count, sizeof *files->list);
    files->list[files->count++] = (ls_new_file){name, text};
}

char *ls_new_path(ls_new_part part, const char *unit, const char *group) {
    switch (part) {
    case LS_NEW_RTL:
        return group != NULL ? ls_format("rtl/%s/%s.sv", group, unit) : ls_format("rtl/%s.sv", unit);
    case LS_NEW_HEADER:
        return group != NULL ? ls_format("cmodel/%s/%s.h", group, unit) : ls_format("model/%s.h", unit);
    case LS_NEW_MODEL:
        return group != NULL ? ls_format("cmodel/%s/%s.c", group, unit) : ls_format("model/%s.c", unit);
    case LS_NEW_LIST:
        return group != NULL ? ls_format("tb/%s/%s.fields", group, unit) : ls_format("tb/%s.fields", unit);
    case LS_NEW_BENCH:
        return group != NULL ? ls_format("tb/%s/%s.c", group, unit) : ls_format("tb/%s.c", unit);
    case LS_NEW_JUDGE:
        return group != NULL ? ls_format("tb/%s/judge/test_%s.c", group, unit) : ls_format("tb/test_%s.c", unit);
    case LS_NEW_PAGE:
        return ls_format("docs/units/%s.md", unit);
    }
    return NULL;
}

static uint32_t log2_up(uint32_t n) {
    uint32_t bits = 0;
    while (bits < 32 && (UINT64_C(1) << bits) < n) bits++;
    return bits;
}

uint64_t ls_shape_at(ls_shape shape, uint32_t v) {
    switch (shape) {
    case LS_SHAPE_CONSTANT:
        return 0;
    case LS_SHAPE_LINEAR:
        return v;
    case LS_SHAPE_LOG:
        return log2_up(v);
    case LS_SHAPE_LOG_NEXT:
        return log2_up(v + 1);
    case LS_SHAPE_POWER:
        return v < 32 ? UINT64_C(1) << v : UINT32_MAX;
    }
    return 0;
}

int64_t ls_term_at(const ls_term *t, uint32_t v) { return t->factor * (int64_t)ls_shape_at(t->shape, v) + t->plus; }

int64_t ls_width_at(const ls_width *w, const uint32_t *values, size_t count) {
    int64_t all = w->base;
    for (size_t i = 0; i < count && w->terms != NULL; i++) {
        if (w->terms[i].shape == LS_SHAPE_CONSTANT) continue;
        if (w->product) all *= ls_term_at(&w->terms[i], values[i]);
        else all += ls_term_at(&w->terms[i], values[i]);
    }
    return all;
}
