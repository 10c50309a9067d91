/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/cerf/env/rf_cerf_lsu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"

void rf_cerf_lsu_init(rf_cerf_lsu *u, uint32_t lanes, uint32_t zero) {
    memset(u, 0, sizeof *u);
    u->ids = RF_CERF_IDS;
    rf_line_store_init(&u->golden, lanes, zero);
}

void rf_cerf_lsu_free(rf_cerf_lsu *u) {
    rf_line_store_free(&u->golden);
    /* An access whose last request was sent is in no ring: its numbers own it. */
    for (uint32_t i = 0; i < RF_CERF_IDS; i++) {
        rf_cerf_access *a = u->owner[i];
        if (a == NULL || a->sent < a->count) continue;
        for (uint32_t k = i; k < RF_CERF_IDS; k++)
            if (u->owner[k] == a) u->owner[k] = NULL;
        free(a);
    }
    for (uint32_t i = 0; i < u->waiting; i++) free(u->ring[(u->first + i) % RF_CERF_ACCESSES]);
}

bool rf_cerf_lsu_room(const rf_cerf_lsu *u) { return u->waiting < RF_CERF_ACCESSES; }

void rf_cerf_lsu_push(rf_cerf_lsu *u, const rf_cerf_access *access) {
    if (!rf_cerf_lsu_room(u)) ls_die("rf_cerf: more accesses than the load/store unit takes");
    rf_cerf_access *own = ls_zeroed(sizeof *own);
    *own = *access;
    own->sent = own->open = 0;
    u->ring[(u->first + u->waiting++) % RF_CERF_ACCESSES] = own;
}

static uint32_t under_way(const rf_cerf_lsu *u) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < RF_CERF_IDS; i++) n += u->owner[i] != NULL;
    return n;
}

bool rf_cerf_lsu_idle(const rf_cerf_lsu *u) { return u->waiting == 0 && u->over_count == 0 && under_way(u) == 0; }

static bool is_answered(uint8_t op) { return op == RF_CACHE_LOAD || op == RF_CACHE_ATOMIC; }

void rf_cerf_lsu_request(rf_cerf_lsu *u, rf_cerf_request *out) {
    if (!u->asks && u->waiting != 0) {
        uint32_t id = 0;
        if (is_answered(u->ring[u->first]->op))
            while (id < u->ids && u->owner[id] != NULL) id++;
        u->asks = id < u->ids;
        u->id = (uint8_t)id;
    }
    out->valid = u->asks;
    if (!u->asks) return;
    const rf_cerf_access *a = u->ring[u->first];
    out->op = a->op;
    out->way = a->way;
    out->id = u->id;
    out->line = a->line[a->sent];
    out->mask = a->mask[a->sent];
    out->data = a->data;
}

static void done(rf_cerf_lsu *u, rf_cerf_access *a) {
    if (a->sent < a->count || a->open != 0) return;
    u->over[u->over_count++] = a->number;
    free(a);
}

void rf_cerf_lsu_accepted(rf_cerf_lsu *u) {
    rf_cerf_access *a = u->ring[u->first];
    const uint32_t line = a->line[a->sent], mask = a->mask[a->sent];
    u->asks = false;
    if (is_answered(a->op)) {
        u->owner[u->id] = a;
        u->owned_line[u->id] = line;
        u->expected[u->id] =
            a->op == RF_CACHE_LOAD ? rf_line_store_read(&u->golden, line) : rf_line_store_add(&u->golden, line, mask, &a->data);
        a->open++;
    } else if (a->op == RF_CACHE_STORE) {
        rf_line_store_write(&u->golden, line, mask, &a->data);
    }
    if (++a->sent < a->count) return;
    u->first = (u->first + 1) % RF_CERF_ACCESSES;
    u->waiting--;
    done(u, a);
}

void rf_cerf_lsu_answered(rf_cerf_lsu *u, uint32_t id, const rf_vec *data) {
    rf_cerf_access *a = u->owner[id];
    if (a == NULL) {
        if (u->violation[0] == '\0')
            (void)snprintf(u->violation, sizeof u->violation, "each load is answered once: number %u is, which nothing has", id);
        return;
    }
    for (uint32_t l = 0; l < u->golden.lanes && u->violation[0] == '\0'; l++)
        if (data->lane[l] != u->expected[id].lane[l])
            (void)snprintf(u->violation, sizeof u->violation,
                           "a load gets what was stored last: line 0x%07x word %u is 0x%08x, must be 0x%08x", u->owned_line[id],
                           l, data->lane[l], u->expected[id].lane[l]);
    u->owner[id] = NULL;
    a->open--;
    done(u, a);
}

bool rf_cerf_lsu_over(rf_cerf_lsu *u, uint16_t *number) {
    if (u->over_count == 0) return false;
    *number = u->over[0];
    u->over_count--;
    memmove(u->over, u->over + 1, u->over_count * sizeof u->over[0]);
    return true;
}
