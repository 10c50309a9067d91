/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/pair.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/core/case.h"
#include "harness/core/map.h"

/* C++'s std::set_terminate of the library that the DUT was linked with, or NULL. */
static void (*(*set_terminate)(void (*)(void)))(void);

static void no_memory(void) {
    if (ls_when_no_memory != NULL) ls_when_no_memory();
    ls_die("no memory or no thread left for the DUT");
}

/* A DUT for which there is no memory would end by abort(), as one does that is wrong. */
static void tell_no_memory(void *handle) {
    void (*(*set_new_handler)(void (*)(void)))(void) = NULL;
    *(void **)&set_new_handler = dlsym(handle, "_ZSt15set_new_handlerPFvvE");
    *(void **)&set_terminate = dlsym(handle, "_ZSt13set_terminatePFvvE");
    if (set_new_handler != NULL) (void)set_new_handler(no_memory);
}

/* Nothing of the RTL runs in it: what an exception ends here, that of a thread which cannot be started, is no fault of the DUT's.
 */
static ls_dut *open_dut(const ls_dut_api *api, uint64_t fill, ls_dut_stop_fn *on_stop) {
    void (*before)(void) = set_terminate != NULL ? set_terminate(no_memory) : NULL;
    ls_dut *dut = api->open(fill, on_stop);
    if (set_terminate != NULL) (void)set_terminate(before);
    if (dut == NULL) no_memory();
    return dut;
}

const ls_dut_api *ls_dut_load(const char *so_path, char *error, size_t size) {
    void *handle = dlopen(so_path, RTLD_NOW | RTLD_LOCAL);
    const ls_dut_api *api = handle != NULL ? (const ls_dut_api *)dlsym(handle, LS_DUT_SYMBOL) : NULL;
    if (api == NULL) {
        (void)snprintf(error, size, "%s: %s", so_path, dlerror());
        return NULL;
    }
    if (api->abi != LS_DUT_ABI) {
        (void)snprintf(error, size, "%s: made for another lockstep (ABI %u, this one has %u)", so_path, api->abi, LS_DUT_ABI);
        return NULL;
    }
    tell_no_memory(handle);
    return api;
}

/* Makes outputs and model anew where they are compared fastest: only bound to the DUT is it known where that is. */
static void move_structs(ls_pair *pair, const void *cfg) {
    const ls_unit *const unit = pair->unit;
    pair->out = (uint8_t *)pair->out_room + ls_plan_shift(&pair->binding.outputs, pair->out, unit->out_align);
    const size_t shift = ls_plan_shift(&pair->binding.state, pair->model, unit->model_align);
    if (shift == 0) return;
    memset(pair->model_room, 0, unit->model_size);
    pair->model = (uint8_t *)pair->model_room + shift;
    if (unit->init(pair->model, cfg) != 0) ls_die("%s: a configuration that was good is refused", unit->name);
}

int ls_pair_open(ls_pair *pair, const ls_unit *unit, const void *cfg, const ls_dut_api *api, uint64_t fill,
                 ls_dut_stop_fn *on_stop, bool ports_only, const ls_masks *masks, char *error, size_t size) {
    *pair = (ls_pair){.unit = unit, .api = api};
    pair->model = pair->model_room = ls_zeroed(unit->model_size + 64);
    pair->in = ls_zeroed(unit->in_size);
    pair->out = pair->out_room = ls_zeroed(unit->out_size + 64);
    const char *wrong = unit->check(cfg);
    if (wrong != NULL || unit->init(pair->model, cfg) != 0) {
        (void)snprintf(error, size, "%s: %s", unit->name, wrong != NULL ? wrong : "the configuration is refused");
        return -1;
    }
    ls_unit_fields(unit, &pair->fields, pair->model);
    ls_fields_mask(&pair->fields, masks);
    pair->dut = open_dut(api, fill, on_stop);
    pair->clock = api->clock(pair->dut);
    pair->reset = api->reset(pair->dut);
    pair->low = unit->names.falling;
    const ls_signal *signals;
    const size_t count = api->signals(pair->dut, &signals);
    if (ls_bind(&pair->binding, &pair->fields, signals, count, ports_only, error, size) != 0) return -1;
    if (unit->map != NULL) ls_map_tie(unit->map, signals, count);
    move_structs(pair, cfg);
    if (pair->binding.sweep_count > 0 && unit->touched == NULL) {
        (void)snprintf(error, size, "%s has a memory over %u bytes but no `touched` function (harness/core/unit.h)", unit->name,
                       LS_SWEEP_BYTES);
        return -1;
    }
    for (size_t i = 0; i < pair->binding.sweep_count; i++) pair->period += pair->binding.sweeps[i].field->count;
    if (pair->clock != NULL) *pair->clock = pair->low;
    if (pair->reset != NULL) { /* so that the first reset is an edge */
        *pair->reset = !unit->names.reset_high;
        api->eval(pair->dut);
    }
    ls_gather(&pair->binding.state.moves);
    ls_gather(&pair->binding.copied_moves);
    for (size_t i = 0; i < pair->binding.count; i++)
        if (pair->binding.list[i].field->kind == LS_MEMORY) ls_copy_memory(&pair->binding.list[i], pair->model);
    for (size_t i = 0; i < pair->binding.copied_count; i++) ls_copy_memory(&pair->binding.copied[i], pair->model);
    return 0;
}

void ls_pair_close(ls_pair *pair) {
    if (pair->dut != NULL) pair->api->close(pair->dut);
    ls_binding_free(&pair->binding);
    ls_fields_free(&pair->fields);
    free(pair->model_room);
    free(pair->in);
    free(pair->out_room);
    *pair = (ls_pair){0};
}

static inline void eval_low(ls_pair *pair, const void *in) {
    ls_drive(&pair->binding, in);
    if (pair->clock != NULL) *pair->clock = pair->low;
    pair->api->eval(pair->dut);
}

static inline void eval_edge(ls_pair *pair) {
    if (pair->clock == NULL) return;
    *pair->clock = !pair->low;
    pair->api->edge(pair->dut);
}

/* The rows that the model wrote, those that the DUT's write ports named before the edge, and one row more of the rolling sweep.
 */
__attribute__((noinline)) static bool sweeps_differ(ls_pair *pair) {
    ls_sweep *const sweeps = pair->binding.sweeps;
    uint64_t touched = 0;
    int diff = 0;
    for (uint32_t i = 0; i < pair->touched; i++) {
        ls_sweep *s = &sweeps[pair->touch[i].memory];
        if (pair->touch[i].row >= s->field->count) continue;
        diff |= ls_row_differs(s, pair->model, pair->touch[i].row);
        s->model_row = pair->touch[i].row;
        touched |= UINT64_C(1) << pair->touch[i].memory;
    }
    for (uint64_t left = pair->written; left != 0; left &= left - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(left);
        const ls_sweep *s = &sweeps[i];
        const bool done = (touched >> i & 1) != 0 && s->model_row == s->dut_row; /* the rule, when both are equal */
        if (!done && s->dut_row < s->field->count) diff |= ls_row_differs(s, pair->model, s->dut_row);
    }
    const ls_sweep *rolling = &sweeps[pair->memory];
    diff |= ls_row_differs(rolling, pair->model, pair->row);
    pair->compares += rolling->field->bits;
    if (++pair->row == rolling->field->count) {
        pair->row = 0;
        pair->memory = pair->memory + 1 < pair->binding.sweep_count ? pair->memory + 1 : 0;
    }
    return diff != 0;
}

static inline ls_where compare_state(ls_pair *pair) {
    pair->compares += pair->binding.state.compared_bits;
    uint64_t diff = ls_differs(&pair->binding.state, pair->model);
    if (pair->binding.sweep_count > 0) diff |= sweeps_differ(pair);
    return diff != 0 ? LS_AT_STATE : LS_EQUAL;
}

static inline bool outputs_differ(ls_pair *pair) {
    pair->compares += pair->binding.outputs.compared_bits;
    return ls_differs(&pair->binding.outputs, pair->out) != 0;
}

ls_where ls_pair_reset(ls_pair *pair) {
    pair->unit->reset(pair->model);
    if (pair->reset != NULL) *pair->reset = pair->unit->names.reset_high;
    eval_low(pair, pair->in);
    pair->unit->comb(pair->model, pair->in, pair->out);
    if (pair->in_reset && outputs_differ(pair)) return LS_AT_OUTPUTS;
    pair->in_reset = true;
    pair->touched = 0;
    pair->written = ls_written(pair->binding.sweeps, pair->binding.sweep_count);
    eval_edge(pair);
    const ls_where where = compare_state(pair);
    if (pair->reset != NULL) *pair->reset = !pair->unit->names.reset_high;
    return where;
}

/* A cycle without bins of a unit that steps and has no swept memory: nearly all cycles of nearly all units. */
static inline ls_where plain_cycle(ls_pair *pair) {
    const ls_binding *const b = &pair->binding;
    pair->in_reset = false;
    eval_low(pair, pair->in);
    pair->unit->step(pair->model, pair->in, pair->out);
    pair->compares += b->outputs.compared_bits;
    if (ls_differs(&b->outputs, pair->out) != 0) return LS_AT_OUTPUTS;
    eval_edge(pair);
    pair->compares += b->state.compared_bits;
    return ls_differs(&b->state, pair->model) != 0 ? LS_AT_STATE : LS_EQUAL;
}

ls_where ls_pair_cycle(ls_pair *pair, uint64_t *bins) {
    const ls_unit *unit = pair->unit;
    if (bins == NULL && unit->step != NULL && pair->binding.sweep_count == 0) return plain_cycle(pair);
    const bool stepped = bins == NULL && unit->step != NULL;
    pair->in_reset = false;
    /* The DUT first: meanwhile its outputs, stored in pieces, reach the cache from which they are loaded in words. */
    eval_low(pair, pair->in);
    if (stepped) unit->step(pair->model, pair->in, pair->out);
    else unit->comb(pair->model, pair->in, pair->out);
    if (bins != NULL) *bins = unit->bins(pair->model, pair->in, pair->out);
    if (outputs_differ(pair)) return LS_AT_OUTPUTS;
    if (pair->binding.sweep_count > 0) {
        pair->touched = unit->touched(pair->model, pair->in, pair->out, pair->touch);
        pair->written = ls_written(pair->binding.sweeps, pair->binding.sweep_count);
    }
    if (!stepped) unit->clock(pair->model, pair->in);
    eval_edge(pair);
    return compare_state(pair);
}

/* An element of the model into the DUT. */
static void push_element(const ls_pair *pair, const ls_bound *b, uint32_t index) {
    uint32_t words[32];
    ls_model_element(b->field, pair->model, index, words);
    ls_dut_store(b, index, words);
}

bool ls_pair_warp(ls_pair *pair, uint64_t to) {
    if (!pair->unit->warp(pair->model, to)) return false;
    for (size_t i = 0; i < pair->binding.count; i++) {
        const ls_bound *b = &pair->binding.list[i];
        for (uint32_t k = 0; b->field->kind == LS_STATE && k < b->field->count; k++) push_element(pair, b, k);
    }
    ls_scatter(&pair->binding.state.moves);
    pair->api->settle(pair->dut);
    return true;
}

/* Whether anything of the element is given: of a record a member. */
static bool is_given(const ls_start *start, const ls_field *f, uint32_t element) {
    return memchr(start->given + f->offset + (size_t)element * f->size, 1, f->size) != NULL;
}

static const ls_bound *bound_to(const ls_pair *pair, const ls_field *f) {
    for (size_t i = 0; i < pair->binding.count; i++)
        if (pair->binding.list[i].field == f) return &pair->binding.list[i];
    return NULL;
}

/* The RTL may lack bits that the model has, or have them twice, by a map. */
static int check_held(const ls_pair *pair, const ls_start *start, char *error, size_t size) {
    for (size_t i = 0; i < pair->binding.count; i++) {
        const ls_bound *b = &pair->binding.list[i];
        const ls_field *f = b->field;
        for (uint32_t k = 0; ls_is_state(f) && k < f->count; k++) {
            uint32_t model[32], dut[32];
            char name[256], want[LS_ELEMENT_BITS / 4 + 1], has[LS_ELEMENT_BITS / 4 + 1];
            if (f->kind == LS_MEMORY && !is_given(start, f, k)) continue;
            ls_model_element(f, pair->model, k, model);
            ls_dut_element(b, k, dut);
            if (memcmp(model, dut, sizeof model) == 0) continue;
            (void)snprintf(error, size, "start state: the RTL cannot hold it: %s is to be 0x%s, and is 0x%s there",
                           ls_element_name(f, k, name, sizeof name), ls_hex(model, LS_ELEMENT_BITS, want),
                           ls_hex(dut, LS_ELEMENT_BITS, has));
            return -1;
        }
    }
    return 0;
}

int ls_pair_start(ls_pair *pair, const ls_start *start, char *error, size_t size) {
    const char *reason, *ignored = ls_map_ignored(pair->unit->map, 0, &reason);
    if (pair->fields.gates || ignored != NULL) {
        (void)snprintf(error, size, "start state: %s%s", ignored != NULL ? "the map leaves out " : "not in a netlist of gates",
                       ignored != NULL ? ignored : "");
        return -1;
    }
    ls_start_put(start, pair->unit, pair->model);
    ls_gather(&pair->binding.state.moves);
    for (size_t i = 0; i < pair->fields.count; i++) {
        const ls_field *f = &pair->fields.list[i];
        const ls_bound *b = bound_to(pair, f);
        for (uint32_t k = 0; ls_is_state(f) && k < f->count; k++) {
            if (!is_given(start, f, k)) continue;
            if (b == NULL) {
                (void)snprintf(error, size, "start state: %s is given, and registers are not compared (--ports-only)", f->name);
                return -1;
            }
            push_element(pair, b, k);
        }
    }
    ls_scatter(&pair->binding.state.moves);
    ls_gather(&pair->binding.state.moves);
    pair->api->settle(pair->dut);
    return check_held(pair, start, error, size);
}

ls_where ls_pair_all(ls_pair *pair) {
    for (size_t i = 0; i < pair->binding.count; i++) {
        const ls_bound *b = &pair->binding.list[i];
        if (b->field->kind != LS_MEMORY) continue;
        pair->compares += (uint64_t)b->field->bits * b->field->count;
        if (ls_first_difference(b, pair->model) >= 0) return LS_AT_STATE;
    }
    return LS_EQUAL;
}

void ls_pair_dut_only(ls_pair *pair, const void *in) {
    eval_low(pair, in);
    eval_edge(pair);
}

const void *ls_pair_side(const ls_pair *pair, const ls_field *field) {
    return field->kind == LS_IN ? pair->in : field->kind == LS_OUT ? pair->out : pair->model;
}

const ls_bound *ls_pair_first(const ls_pair *pair, ls_where where, int64_t *index) {
    for (size_t i = 0; i < pair->binding.count; i++) {
        const ls_bound *b = &pair->binding.list[i];
        const bool state = ls_is_state(b->field);
        if (b->field->kind == LS_IN || state != (where == LS_AT_STATE)) continue;
        *index = ls_first_difference(b, ls_pair_side(pair, b->field));
        if (*index >= 0) return b;
    }
    return NULL;
}

/* Whether the last cycle touched this row of swept memory `i`. */
static bool row_touched(const ls_pair *pair, uint32_t i, uint64_t row) {
    if ((pair->written >> i & 1) != 0 && pair->binding.sweeps[i].dut_row == row) return true;
    for (uint32_t k = 0; k < pair->touched; k++)
        if (pair->touch[k].memory == i && pair->touch[k].row == row) return true;
    return false;
}

bool ls_pair_swept(const ls_pair *pair, const ls_bound *bound, int64_t row) {
    for (uint32_t i = 0; i < pair->binding.sweep_count; i++)
        if (pair->binding.sweeps[i].field == bound->field) return !row_touched(pair, i, (uint64_t)row);
    return false;
}

const ls_field *ls_pair_stale(const ls_pair *pair, uint32_t *row) {
    for (uint32_t i = 0; i < pair->binding.sweep_count; i++) {
        const ls_sweep *s = &pair->binding.sweeps[i];
        for (*row = 0; *row < s->field->count; ++*row)
            if (!row_touched(pair, i, *row) && ls_row_differs(s, pair->model, *row) != 0) return s->field;
    }
    return NULL;
}
