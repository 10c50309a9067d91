/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/script.h"

#include <stdlib.h>

#include "harness/base/memory.h"

void ls_script_add(ls_script *script, ls_span span) {
    if (script->count == script->room) {
        script->room = script->room != 0 ? script->room * 2 : 16;
        script->list = ls_resize(script->list, script->room * sizeof *script->list);
    }
    script->list[script->count++] = span;
}

void ls_script_append(ls_script *script, const ls_script *other, size_t from, size_t to) {
    for (size_t i = from; i < to; i++) ls_script_add(script, other->list[i]);
}

uint64_t ls_script_cycles(const ls_script *script, size_t from, size_t to) {
    uint64_t cycles = 0;
    for (size_t i = from; i < to; i++) cycles += script->list[i].cycles; /* 0 of what has none */
    return cycles;
}

void ls_script_free(ls_script *script) {
    free(script->list);
    *script = (ls_script){0};
}
