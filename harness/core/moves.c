/* SPDX-License-Identifier: Apache-2.0 */
/* Fields that are no one signal of the RTL, because a map says so: moved together before they are compared. */
#include <stdio.h>
#include <string.h>

#include "harness/base/memory.h"
#include "harness/base/rng.h"
#include "harness/core/plan.h"

static ls_move *add_move(ls_moves *moves) {
    moves->list = ls_resize(moves->list, (moves->count + 1) * sizeof *moves->list);
    ls_move *m = &moves->list[moves->count++];
    *m = (ls_move){0};
    return m;
}

/* The moves of `bits` bits: from bit `low` of a signal's element to bit `at` of the field's. */
static void move_bits(ls_moves *moves, uint8_t *dut, uint32_t low, uint8_t *field, uint32_t at, uint32_t bits, bool invert) {
    if (low % 8 == 0 && at % 8 == 0 && bits % 8 == 0 && bits > 32 && !invert) {
        *add_move(moves) = (ls_move){.dut = dut + low / 8, .field = field + at / 8, .bytes = bits / 8};
        return;
    }
    for (uint32_t done = 0, n; done < bits; done += n) {
        const uint32_t from = (low + done) % 8, to = (at + done) % 8, most = 56;
        n = bits - done < most ? bits - done : most;
        *add_move(moves) = (ls_move){.dut = dut + (low + done) / 8,
                                     .field = field + (at + done) / 8,
                                     .dut_shift = (uint8_t)from,
                                     .field_shift = (uint8_t)to,
                                     .bits = (uint8_t)n,
                                     .flip = invert ? ls_mask(n) : 0};
    }
}

void ls_put_constants(const ls_field *f, uint8_t *made) {
    for (const ls_piece *p = f->pieces; p < f->pieces + f->piece_count; p++)
        for (uint32_t i = 0; p->signal == NULL && i < p->bits; i++) {
            const uint32_t element = (p->at + i) / f->bits, at = (p->at + i) % f->bits;
            uint8_t *byte = made + (size_t)element * ls_stride(f->bits) + at / 8;
            *byte = (uint8_t)((*byte & ~(1u << at % 8)) | (uint32_t)(p->value >> i & 1) << at % 8);
        }
}

const ls_signal *ls_moves_plan(ls_binding *binding, const ls_field *f, size_t i, bool ports_only, const ls_signal *signals,
                               size_t count, char *error, size_t size) {
    static const ls_signal_kind kinds[] = {LS_SIGNAL_IN, LS_SIGNAL_OUT, LS_SIGNAL_REG, LS_SIGNAL_REG};
    const uint32_t stride = ls_stride(f->bits);
    ls_signal *made = &binding->made[i];
    *made = (ls_signal){.name = f->name, .bits = f->bits, .count = f->count, .stride = stride, .kind = kinds[f->kind]};
    made->addr = ls_zeroed((size_t)stride * f->count + 64); /* pieces are loaded and stored as 8 bytes */
    ls_moves *moves = f->kind == LS_IN                     ? &binding->inputs
                      : f->kind == LS_OUT                  ? &binding->outputs.moves
                      : ports_only && f->kind == LS_MEMORY ? &binding->copied_moves
                                                           : &binding->state.moves;
    for (const ls_piece *p = f->pieces; p < f->pieces + f->piece_count; p++) {
        const ls_signal *s = p->signal != NULL ? ls_signal_find(signals, count, p->signal) : NULL;
        if (p->signal != NULL && s == NULL) {
            (void)snprintf(error, size, "%s: the RTL has no %s", f->name, p->signal);
            return NULL;
        }
        for (uint32_t done = 0, n; done < p->bits; done += n) { /* element by element */
            const uint32_t element = (p->at + done) / f->bits, at = (p->at + done) % f->bits;
            n = f->bits - at < p->bits - done ? f->bits - at : p->bits - done;
            uint8_t *field = (uint8_t *)made->addr + (size_t)element * stride;
            if (s != NULL)
                move_bits(moves, (uint8_t *)s->addr + (size_t)p->element * s->stride, p->low + done, field, at, n, p->invert);
        }
        if (s != NULL && f->kind == LS_MEMORY) {
            binding->mapped_memories =
                ls_resize(binding->mapped_memories, (binding->mapped_memory_count + 1) * sizeof *binding->mapped_memories);
            binding->mapped_memories[binding->mapped_memory_count++] = s->name;
        }
    }
    ls_put_constants(f, made->addr);
    return made;
}

/* Bits `shift` .. of 8 bytes replaced, and as many bytes stored as they lie in: behind them is what belongs to others. */
static void put_piece(uint8_t *to, uint32_t shift, uint32_t bits, uint64_t value) {
    const size_t bytes = (shift + bits + 7) / 8;
    uint64_t word = 0;
    memcpy(&word, to, bytes);
    word = (word & ~(ls_mask(bits) << shift)) | value << shift;
    memcpy(to, &word, bytes);
}

void ls_gather(const ls_moves *moves) {
    for (const ls_move *m = moves->list, *end = m + moves->count; m < end; m++) {
        if (m->bytes != 0) {
            memcpy(m->field, m->dut, m->bytes);
            continue;
        }
        const uint64_t value = (ls_load64(m->dut) >> m->dut_shift & ls_mask(m->bits)) ^ m->flip;
        uint64_t word = ls_load64(m->field);
        word = (word & ~(ls_mask(m->bits) << m->field_shift)) | value << m->field_shift;
        memcpy(m->field, &word, sizeof word);
    }
}

void ls_scatter(const ls_moves *moves) {
    for (const ls_move *m = moves->list, *end = m + moves->count; m < end; m++) {
        if (m->bytes != 0) memcpy(m->dut, m->field, m->bytes);
        else put_piece(m->dut, m->dut_shift, m->bits, (ls_load64(m->field) >> m->field_shift & ls_mask(m->bits)) ^ m->flip);
    }
}
