/* SPDX-License-Identifier: Apache-2.0 */
/* The checker as a VPI module: it finds all instances of the unit by the name of their module, and of each the ports and
 * registers by their names. Values are sampled at the clock's edge, before any nonblocking assignment, and at the end of that
 * step. */
#include "lockstep_checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vpi_user.h>

extern const lockstep_unit *const lockstep_vpi_unit;
extern const lockstep_rtl *const lockstep_vpi_rtl;

#define ELEMENT_WORDS 33u

/* A port, a register or a memory of an instance, as the simulator has it: one vector, or an array. */
typedef struct signal {
    const lockstep_field *field; /* the first, of a packed struct's */
    uint32_t bits, count;        /* of a vector 1 */
    vpiHandle *elements;
} signal;

typedef struct instance {
    lockstep *checker;
    vpiHandle module, clock, reset;
    signal *signals;
    uint32_t signal_count;
    vpiHandle *pieces;       /* of those of lockstep_vpi_rtl; NULL: a constant */
    lockstep_bits *words[3]; /* one of each kind, being filled */
    int reset_then, settles;
    struct instance *next;
} instance;

static instance *instances;
static int failed, go_on;

static _Noreturn void stop(const char *what, const char *name) {
    (void)vpi_printf("lockstep  %s: %s %s\n", lockstep_vpi_unit->name, what, name);
    (void)fflush(stdout);
    exit(2);
}

static void *zeroed(size_t count, size_t size) {
    void *p = calloc(count + 1, size);
    if (p == NULL) stop("no memory is left", "");
    return p;
}

/* Prints what there is to say, and ends the simulation after a difference. */
static void report_and_stop(instance *i, uint32_t differing) {
    for (const char *line = lockstep_line(i->checker); *line != '\0'; line = lockstep_line(i->checker))
        (void)vpi_printf("%s\n", line);
    failed |= differing > 0;
    if (differing > 0 && !go_on) (void)vpi_control(vpiFinish, 1);
}

/* ---- values ---- */

static void read_bits(vpiHandle from, uint32_t bits, lockstep_bits *to) {
    s_vpi_value value = {.format = vpiVectorVal};
    vpi_get_value(from, &value);
    for (uint32_t w = 0; w * 32 < bits; w++)
        to[w] = (lockstep_bits){(uint32_t)value.value.vector[w].aval, (uint32_t)value.value.vector[w].bval};
}

/* `bits` bits into a word, from bit `at` on, where there are none yet. */
static void place_bits(lockstep_bits *word, uint32_t at, const lockstep_bits *from, uint32_t bits) {
    for (uint32_t done = 0; done < bits; done += 32) {
        const uint32_t left = bits - done, keep = left < 32 ? (UINT32_C(1) << left) - 1 : UINT32_MAX;
        const uint32_t value = from[done / 32].value & keep, unknown = from[done / 32].unknown & keep;
        lockstep_bits *to = word + (at + done) / 32;
        const uint32_t shift = (at + done) % 32;
        to[0].value |= value << shift;
        to[0].unknown |= unknown << shift;
        if (shift == 0) continue;
        to[1].value |= value >> (32 - shift);
        to[1].unknown |= unknown >> (32 - shift);
    }
}

static int is_reset(const instance *i) {
    lockstep_bits bit = {0};
    if (i->reset != NULL) read_bits(i->reset, 1, &bit);
    return i->reset != NULL && (bit.value & 1) == (uint32_t)lockstep_vpi_rtl->high && (bit.unknown & 1) == 0;
}

/* Bits `low` .. to the lower end. */
static void shift_down(lockstep_bits *all, uint32_t low, uint32_t bits) {
    for (uint32_t w = 0; w * 32 < bits; w++) {
        const lockstep_bits here = all[w + low / 32], next = all[w + low / 32 + 1];
        const uint32_t shift = low % 32;
        all[w].value = shift == 0 ? here.value : here.value >> shift | next.value << (32 - shift);
        all[w].unknown = shift == 0 ? here.unknown : here.unknown >> shift | next.unknown << (32 - shift);
    }
}

/* A piece into a word, from bit `at` on. */
static void put_piece(const instance *i, uint32_t number, lockstep_bits *word, uint32_t at) {
    const lockstep_piece *p = &lockstep_vpi_rtl->pieces[number];
    const uint32_t size = i->pieces[number] != NULL ? (uint32_t)vpi_get(vpiSize, i->pieces[number]) : 64;
    lockstep_bits *bits = zeroed((size + p->bits) / 32 + 3, sizeof *bits);
    if (i->pieces[number] != NULL) read_bits(i->pieces[number], size, bits);
    else {
        bits[0].value = (uint32_t)p->value;
        bits[1].value = (uint32_t)(p->value >> 32);
    }
    shift_down(bits, p->low, p->bits);
    for (uint32_t w = 0; p->invert && w * 32 < p->bits; w++) bits[w].value = ~bits[w].value | bits[w].unknown;
    place_bits(word, at, bits, p->bits);
    free(bits);
}

static void put_kind(instance *i, int kind) {
    const lockstep_unit *u = lockstep_vpi_unit;
    const size_t size = u->bits[kind] / 32 + 2;
    for (uint32_t w = 0; w < u->words[kind]; w++) {
        memset(i->words[kind], 0, size * sizeof(lockstep_bits));
        for (const signal *s = i->signals; s < i->signals + i->signal_count; s++) {
            if (s->field->kind != kind || s->field->word != w) continue;
            lockstep_bits *all = zeroed(s->bits / 32 + 1, sizeof *all);
            for (uint32_t k = 0; k < s->count; k++) {
                read_bits(s->elements[k], s->bits, all);
                place_bits(i->words[kind], s->field->at + k * s->bits, all, s->bits);
            }
            free(all);
        }
        for (uint32_t k = 0; k < lockstep_vpi_rtl->piece_count; k++) {
            const lockstep_piece *p = &lockstep_vpi_rtl->pieces[k];
            if (p->kind == kind && p->word == w) put_piece(i, k, i->words[kind], p->at);
        }
        lockstep_put(i->checker, kind, w, i->words[kind]);
    }
}

static void put_row(instance *i, const signal *s, uint32_t row) {
    lockstep_bits bits[ELEMENT_WORDS + 1] = {{0, 0}};
    if (s->elements != NULL) read_bits(s->elements[row], s->bits, bits);
    for (uint32_t k = 0; s->elements == NULL && k < lockstep_vpi_rtl->piece_count; k++) {
        const lockstep_piece *p = &lockstep_vpi_rtl->pieces[k];
        if (p->kind == LOCKSTEP_MEMORY && p->word == s->field->word && p->at / s->bits == row)
            put_piece(i, k, bits, p->at % s->bits);
    }
    lockstep_put_row(i->checker, s->field->word, row, bits);
}

static void put_memories(instance *i, int first, int all) {
    for (const signal *s = i->signals; s < i->signals + i->signal_count; s++) {
        if (s->field->kind != LOCKSTEP_MEMORY) continue;
        const uint32_t rows = first ? s->count : lockstep_rows(i->checker, s->field->word, all);
        for (uint32_t r = 0; r < rows; r++) put_row(i, s, first ? r : lockstep_row(i->checker, s->field->word, r, all));
    }
}

/* ---- a cycle ---- */

static PLI_INT32 at_end_of_step(p_cb_data data) {
    instance *i = (instance *)(void *)data->user_data;
    i->settles = 0;
    put_kind(i, LOCKSTEP_REGISTER);
    put_memories(i, 0, 0);
    report_and_stop(i, lockstep_settled(i->checker, is_reset(i) && !i->reset_then));
    return 0;
}

static uint64_t now(void) {
    s_vpi_time time = {.type = vpiSimTime};
    vpi_get_time(NULL, &time);
    return (uint64_t)time.high << 32 | time.low;
}

static void at_edge(instance *i) {
    put_kind(i, LOCKSTEP_IN);
    put_kind(i, LOCKSTEP_OUT);
    i->reset_then = is_reset(i);
    if (lockstep_wants_memories(i->checker, i->reset_then)) put_memories(i, 1, 0);
    report_and_stop(i, lockstep_edge(i->checker, i->reset_then, now()));
}

static PLI_INT32 at_clock(p_cb_data data) {
    instance *i = (instance *)(void *)data->user_data;
    static s_vpi_time time = {.type = vpiSimTime};
    if (data->value->value.scalar != (lockstep_vpi_rtl->falling ? vpi0 : vpi1) || i->settles) return 0;
    at_edge(i);
    i->settles = 1;
    s_cb_data later = {.reason = cbReadOnlySynch, .cb_rtn = at_end_of_step, .time = &time, .user_data = data->user_data};
    (void)vpi_register_cb(&later);
    return 0;
}

/* ---- instances ---- */

static vpiHandle find(const instance *i, const char *name) {
    char *path = zeroed(strlen(vpi_get_str(vpiFullName, i->module)) + strlen(name) + 2, 1);
    (void)strcat(strcat(strcpy(path, vpi_get_str(vpiFullName, i->module)), "."), name);
    vpiHandle handle = vpi_handle_by_name(path, NULL);
    if (handle == NULL) stop("the RTL does not have", path);
    free(path);
    return handle;
}

/* How many bits a field has with all its elements, and its records theirs. */
static uint32_t all_bits(const lockstep_field *f) {
    return f->record_bits > 0 ? f->record_bits * f->records : f->bits * f->count;
}

static int is_apart(const lockstep_field *f) {
    for (uint32_t k = 0; k < lockstep_vpi_rtl->piece_count; k++) {
        const lockstep_piece *p = &lockstep_vpi_rtl->pieces[k];
        if (p->kind != f->kind || p->word != f->word) continue;
        if (f->kind == LOCKSTEP_MEMORY || (p->at >= f->at && p->at < f->at + all_bits(f))) return 1;
    }
    return 0;
}

static void add_pieces(instance *i) {
    i->pieces = zeroed(lockstep_vpi_rtl->piece_count, sizeof *i->pieces);
    for (uint32_t k = 0; k < lockstep_vpi_rtl->piece_count; k++) {
        const lockstep_piece *p = &lockstep_vpi_rtl->pieces[k];
        if (p->signal == NULL) continue;
        vpiHandle handle = find(i, p->signal);
        i->pieces[k] = p->index < 0 ? handle : vpi_handle_by_index(handle, p->index);
        if (i->pieces[k] == NULL || (uint32_t)vpi_get(vpiSize, i->pieces[k]) < p->low + p->bits)
            stop("another size than the map says has", p->signal);
    }
}

static void add_signal(instance *i, const lockstep_field *f) {
    char name[512];
    const uint32_t elements = f->record_bits > 0 ? f->records : f->count;
    if (is_apart(f)) { /* a memory is there with its shape alone, others with their pieces */
        if (f->kind == LOCKSTEP_MEMORY)
            i->signals[i->signal_count++] = (signal){.field = f, .bits = all_bits(f) / elements, .count = elements};
        return;
    }
    (void)snprintf(name, sizeof name, "%s", f->name);
    if (f->record_bits > 0) *strrchr(name, '.') = '\0';
    vpiHandle handle = find(i, name);
    const PLI_INT32 type = vpi_get(vpiType, handle);
    const int array = type == vpiMemory || type == vpiRegArray || type == vpiNetArray;
    signal *s = &i->signals[i->signal_count++];
    *s = (signal){.field = f, .count = array ? elements : 1};
    s->bits = all_bits(f) / s->count;
    s->elements = zeroed(s->count, sizeof *s->elements);
    for (uint32_t k = 0; k < s->count; k++) {
        s->elements[k] = array ? vpi_handle_by_index(handle, (PLI_INT32)k) : handle;
        if (s->elements[k] == NULL || (uint32_t)vpi_get(vpiSize, s->elements[k]) != s->bits)
            stop("another size than the model's has", name);
    }
}

static void check_parameters(const instance *i) {
    char list[1024], name[256];
    unsigned value = 0;
    (void)snprintf(list, sizeof list, "%s", lockstep_vpi_rtl->params);
    for (char *word = strtok(list, " "); word != NULL; word = strtok(NULL, " ")) {
        if (sscanf(word, "%255[^=]=%u", name, &value) != 2) continue;
        s_vpi_value of_rtl = {.format = vpiIntVal};
        vpi_get_value(find(i, name), &of_rtl);
        if ((unsigned)of_rtl.value.integer != value)
            stop("exported for other parameters than those of the instance:", lockstep_vpi_unit->params);
    }
}

static void add_instance(vpiHandle module) {
    const lockstep_unit *u = lockstep_vpi_unit;
    instance *i = zeroed(1, sizeof *i);
    i->module = module;
    i->next = instances;
    instances = i;
    i->checker = lockstep_open(u, vpi_get_str(vpiFullName, module));
    if (i->checker == NULL) stop("no memory is left", "");
    lockstep_pass_unknown(i->checker, 0);
    check_parameters(i);
    i->signals = zeroed(u->field_count, sizeof *i->signals);
    for (int kind = 0; kind < 3; kind++) i->words[kind] = zeroed(u->bits[kind] / 32 + 2, sizeof *i->words[kind]);
    for (uint32_t k = 0; k < u->field_count; k++) {
        const lockstep_field *f = &u->fields[k];
        if (f->record_bits == 0 || f->low + f->bits * f->count == f->record_bits) add_signal(i, f);
    }
    static s_vpi_time time = {.type = vpiSimTime};
    static s_vpi_value value = {.format = vpiScalarVal};
    add_pieces(i);
    i->clock = find(i, lockstep_vpi_rtl->clock);
    i->reset = find(i, lockstep_vpi_rtl->reset);
    s_cb_data change = {.reason = cbValueChange,
                        .cb_rtn = at_clock,
                        .obj = i->clock,
                        .time = &time,
                        .value = &value,
                        .user_data = (PLI_BYTE8 *)(void *)i};
    (void)vpi_register_cb(&change);
}

/* All modules below `scope` (NULL: the tops) that are the unit. */
static void look_below(vpiHandle scope) {
    static const PLI_INT32 kinds[] = {vpiModule, vpiInternalScope};
    for (size_t k = 0; k < (scope == NULL ? 1 : 2); k++) {
        vpiHandle list = vpi_iterate(kinds[k], scope), found; /* the second list may have modules, too */
        while (list != NULL && (found = vpi_scan(list)) != NULL) {
            const PLI_INT32 type = vpi_get(vpiType, found);
            if (type == vpiModule && k == 1) continue;
            if (type == vpiModule && strcmp(vpi_get_str(vpiDefName, found), lockstep_vpi_rtl->module) == 0) add_instance(found);
            else if (type != vpiFunction && type != vpiTask) look_below(found);
        }
    }
}

static PLI_INT32 at_start(p_cb_data data) {
    s_vpi_vlog_info info = {0};
    (void)data;
    (void)vpi_get_vlog_info(&info);
    for (PLI_INT32 k = 0; k < info.argc; k++) go_on |= strcmp(info.argv[k], "+lockstep_go_on") == 0;
    look_below(NULL);
    if (instances == NULL) stop("there is no instance of it in the design", "");
    for (PLI_INT32 k = 0; k < info.argc; k++)
        for (instance *i = instances; i != NULL; i = i->next)
            if (strcmp(info.argv[k], "+lockstep_pass_x") == 0) lockstep_pass_unknown(i->checker, 1);
    return 0;
}

/* The process ends with 1 after a difference, or when nothing was compared. */
static PLI_INT32 at_end(p_cb_data data) {
    (void)data;
    for (instance *i = instances; i != NULL; i = i->next) {
        put_memories(i, 0, 1);
        failed |= lockstep_end(i->checker) != 0;
        report_and_stop(i, 0);
        lockstep_close(i->checker);
    }
    (void)fflush(stdout);
    if (failed) exit(1);
    return 0;
}

static void start(void) {
    s_cb_data first = {.reason = cbStartOfSimulation, .cb_rtn = at_start}, last = {.reason = cbEndOfSimulation, .cb_rtn = at_end};
    (void)vpi_register_cb(&first);
    (void)vpi_register_cb(&last);
}

void (*vlog_startup_routines[])(void) = {start, NULL};
