/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/compiler/rf_level_alloc.h"

#include <stdio.h>
#include <string.h>

#define ACTIVE_DEFAULT 8u

/* A number of `length` digits from `least` to `most`, into *to. */
static bool number(const char *text, size_t length, uint32_t least, uint32_t most, uint32_t *to) {
    uint32_t n = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || n > most) return false;
        n = 10 * n + (uint32_t)(text[i] - '0');
    }
    if (length == 0 || n < least || n > most) return false;
    *to = n;
    return true;
}

static bool is(const char *text, size_t length, const char *word) {
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

/* One NAME=VALUE: NULL, or the range of what the name takes; "" for a name that is none. */
static const char *read_setting(rf_level_options *o, uint32_t *active, const char *name, size_t length, const char *value,
                                size_t digits) {
    static const char *const bank[] = {"none", "unified", "split"};
    const struct {
        const char *name;
        bool *to;
    } flag[] = {{"partial", &o->partial},
                {"keep", &o->keep},
                {"branches", &o->branches},
                {"one_level", &o->one_level},
                {"no_l1_and_mrf", &o->no_l1_and_mrf},
                {"leave_back", &o->leave_back}};
    uint32_t on = 0;
    if (is(name, length, "entries")) return number(value, digits, 1, RF_LEVEL_ENTRIES_MAX, &o->entries) ? NULL : "1 .. 8";
    if (is(name, length, "slots")) return number(value, digits, 1, RF_SLOTS_MAX, &o->slots) ? NULL : "1 .. 8";
    if (is(name, length, "active")) return number(value, digits, 1, RF_ACTIVE_MAX, active) ? NULL : "1 .. 32";
    for (uint32_t b = 0; b < 3 && is(name, length, "l0"); b++) {
        if (!is(value, digits, bank[b])) continue;
        o->l0 = b;
        return NULL;
    }
    if (is(name, length, "l0")) return "none, unified, split";
    for (size_t f = 0; f < sizeof flag / sizeof flag[0]; f++) {
        if (!is(name, length, flag[f].name)) continue;
        if (!number(value, digits, 0, 1, &on)) return "0, 1";
        *flag[f].to = on != 0;
        return NULL;
    }
    return "";
}

int rf_level_parse(rf_level_options *options, const char *text, char *error, size_t size) {
    rf_level_options o = *options;
    uint32_t active = ACTIVE_DEFAULT;
    for (const char *at = text; at;) {
        const size_t item = strcspn(at, ","), length = strcspn(at, ",=");
        const bool valued = length < item;
        const char *const range =
            is(at, item, "default") ? NULL : read_setting(&o, &active, at, length, at + length + valued, item - length - valued);
        if (range && *range == '\0')
            (void)snprintf(error, size,
                           "hierarchy: \"%.*s\" (entries, l0, slots, active, partial, keep, branches, one_level, "
                           "no_l1_and_mrf, leave_back, default)",
                           (int)(length < 64 ? length : 64), at);
        else if (range) (void)snprintf(error, size, "hierarchy: \"%.*s\" (%s)", (int)(item < 64 ? item : 64), at, range);
        if (range) return -1;
        at = at[item] ? at + item + 1 : NULL;
    }
    rf_level_energies(&o, active);
    *options = o;
    return 0;
}
