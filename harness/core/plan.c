/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/core/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

#include "harness/base/memory.h"
#include "harness/base/rng.h"
#include "harness/core/plan_code.h"

#pragma GCC diagnostic ignored "-Wpsabi" /* vectors are passed between functions of this file only */

#define LS_SHIFT_BYTES 128u /* fewer in their place are not worth a move */

/* Four words at a time; the compiler makes of it what the machine has. */
typedef uint64_t wide __attribute__((vector_size(32)));
typedef uint32_t half_wide __attribute__((vector_size(16)));

/* Like memcpy, without the call: blocks are mostly one warp register. */
static inline void copy_block(uint8_t *to, const uint8_t *from, size_t bytes) {
    size_t i = 0;
    for (; i + sizeof(wide) <= bytes; i += sizeof(wide)) memcpy(to + i, from + i, sizeof(wide));
    for (; i + 4 <= bytes; i += 4) memcpy(to + i, from + i, 4);
    for (; i < bytes; i++) to[i] = from[i];
}

/* The bits of `x` that `select` selects, packed to the low end. */
static inline uint64_t pack_bits(uint64_t x, uint64_t select) {
#ifdef __BMI2__
    return _pext_u64(x, select);
#else
    uint64_t packed = 0;
    for (uint32_t n = 0, run; select != 0; n += run) { /* one run of ones at a time */
        const uint32_t low = (uint32_t)__builtin_ctzll(select);
        const uint64_t above = ~(select >> low);
        run = above != 0 ? (uint32_t)__builtin_ctzll(above) : 64;
        packed |= (x >> low & ls_mask(run)) << n;
        select &= ~(ls_mask(run) << low);
    }
    return packed;
#endif
}

/* The low bits of `x` put where `select` selects, zeros between. */
static inline uint64_t unpack_bits(uint64_t x, uint64_t select) {
#ifdef __BMI2__
    return _pdep_u64(x, select);
#else
    uint64_t spread = 0;
    for (uint32_t run; select != 0; x = run < 64 ? x >> run : 0) {
        const uint32_t low = (uint32_t)__builtin_ctzll(select);
        const uint64_t above = ~(select >> low);
        run = above != 0 ? (uint32_t)__builtin_ctzll(above) : 64;
        spread |= (x & ls_mask(run)) << low;
        select &= ~(ls_mask(run) << low);
    }
    return spread;
#endif
}

/* The low `bits` bits of every `size`-byte element of an 8-byte group of `count` elements. */
static uint64_t spread_mask(uint32_t bits, uint32_t size, uint32_t count) {
    uint64_t mask = 0;
    for (uint32_t i = 0; i < count; i++) mask |= ls_mask(bits) << (i * size * 8);
    return mask;
}

const char *ls_rtl_name(const ls_field *field, char *text, size_t size) {
    static const char *const suffix[] = {"_i", "_o", "", ""};
    if (field->rtl != NULL) (void)snprintf(text, size, "%s", field->rtl);
    else (void)snprintf(text, size, "%s%s", field->name, suffix[field->kind]);
    return text;
}

char *ls_write_port(const ls_field *f, bool enable, bool scoped) {
    char name[256];
    const char *dot = strrchr(ls_rtl_name(f, name, sizeof name), '.');
    return ls_format("%.*s%s%s", scoped && dot != NULL ? (int)(dot + 1 - name) : 0, name, enable ? f->write_enable : f->write_row,
                     f->suffix != NULL ? f->suffix : "_i");
}

const char *ls_element_name(const ls_field *field, uint32_t index, char *text, size_t size) {
    const size_t n = strlen(ls_rtl_name(field, text, size));
    if (field->count > 1) (void)snprintf(text + n, size - n, "[%u]", index);
    return text;
}

static bool is_packed(const ls_bound *b) { return b->signal->count == 1 && b->field->count > 1; }

/* An element that is moved and compared piece by piece. */
static bool is_large(const ls_field *f) { return f->size > 8 || f->bits > 32; }

/* Bits `select` of the 8 bytes at `bytes` further on, or 0 when they do not all lie in these 8 bytes. */
static uint64_t moved(uint64_t select, ptrdiff_t bytes) {
    if (bytes < 0 || bytes >= 8) return 0;
    const uint64_t up = select << (bytes * 8);
    return up >> (bytes * 8) == select ? up : 0;
}

/* Lets `low` compare the bits of `high` too: on both sides they must lie in its 8 bytes, above all of its own. */
static bool join_bits(ls_compare_bits *low, const ls_compare_bits *high) {
    const ptrdiff_t model_bytes = (ptrdiff_t)high->model - (ptrdiff_t)low->model;
    const uint64_t dut_bits = moved(high->dut_bits, high->dut - low->dut);
    const uint64_t model_bits = moved(high->model_bits, model_bytes), cover = moved(high->cover, model_bytes);
    const bool above = (dut_bits & (0 - dut_bits)) > low->dut_bits && (cover & (0 - cover)) > low->cover;
    if (!above) return false;
    low->dut_bits |= dut_bits;
    low->model_bits |= model_bits;
    low->cover |= cover;
    return true;
}

/* Adds an operation, or has one of the last few do its work. */
static void add_bits(ls_plan *plan, const ls_compare_bits *op) {
    for (size_t i = plan->bits_count, least = i > 8 ? i - 8 : 0; i-- > least;) {
        ls_compare_bits joined = *op;
        if (join_bits(&plan->bits[i], op)) return;
        if (!join_bits(&joined, &plan->bits[i])) continue;
        plan->bits[i] = joined;
        return;
    }
    plan->bits = ls_resize(plan->bits, (plan->bits_count + 1) * sizeof *plan->bits);
    plan->bits[plan->bits_count++] = *op;
}

/* Plans the run that has been collected: whole vectors as a block, the rest in words. */
static void end_run(ls_plan *plan) {
    const ls_block run = plan->run;
    const size_t vectors = run.bytes - run.bytes % sizeof(wide);
    if (vectors > 0) {
        plan->blocks = ls_resize(plan->blocks, (plan->block_count + 1) * sizeof *plan->blocks);
        plan->blocks[plan->block_count++] = (ls_block){run.dut, run.model, vectors};
    }
    for (size_t at = vectors; at < run.bytes; at += 8) {
        const uint64_t mask = ls_mask(8 * (uint32_t)(run.bytes - at < 8 ? run.bytes - at : 8));
        add_bits(plan, &(ls_compare_bits){
                           .dut = run.dut + at, .model = run.model + at, .dut_bits = mask, .model_bits = mask, .cover = mask});
    }
    plan->run.bytes = 0;
}

/* Bytes that are the same in both: with those of the field before when they follow them on both sides. */
static void plan_run(ls_plan *plan, const uint8_t *dut, size_t model, size_t bytes) {
    if (plan->run.bytes > 0 && plan->run.dut + plan->run.bytes == dut && plan->run.model + plan->run.bytes == model) {
        plan->run.bytes += bytes;
        return;
    }
    end_run(plan);
    plan->run = (ls_block){(uint8_t *)(uintptr_t)dut, model, bytes};
}

/* Elements of whole bytes that lie in the DUT as in the model, or as its low bytes. */
static void plan_bytes(ls_plan *plan, const ls_bound *b, size_t stride) {
    const ls_field *f = b->field;
    const uint8_t *dut = (const uint8_t *)b->signal->addr;
    if (stride == f->size) plan_run(plan, dut, f->offset, stride * f->count);
    else
        for (uint32_t i = 0; i < f->count; i++) plan_run(plan, dut + i * stride, f->offset + i * (size_t)f->size, stride);
}

/* Compares `bits` bits from bit `at` of a packed vector, put where `spread` selects, with the bytes `cover` at `model`. At most
 * 57 of them: the shift by up to 7 must not push bits out. */
static void plan_piece(ls_plan *plan, const ls_signal *vector, size_t at, uint32_t bits, size_t model, uint64_t spread,
                       uint64_t cover) {
    const size_t bytes = vector->stride;
    const size_t byte = bytes < 8 ? 0 : at / 8 + 8 > bytes ? bytes - 8 : at / 8;
    add_bits(plan, &(ls_compare_bits){.dut = (const uint8_t *)vector->addr + byte,
                                      .model = model,
                                      .dut_bits = ls_mask(bits) << (at - byte * 8),
                                      .model_bits = spread,
                                      .cover = cover});
}

/* From bit `first` of a packed vector on elements of at most 32 bits and 8 bytes of the model: as many of these 8 bytes at a time
 * as possible. */
static void plan_packed(ls_plan *plan, const ls_signal *vector, size_t first, const ls_field *f) {
    const uint32_t group = 8 / f->size;
    for (uint32_t i = 0; i < f->count; i += group) {
        uint32_t n = f->count - i < group ? f->count - i : group;
        while (n * f->bits > 57 && n > 1) n /= 2;
        for (uint32_t j = i; j < f->count && j < i + group; j += n) {
            const uint32_t m = f->count - j < n ? f->count - j : n;
            plan_piece(plan, vector, first + (size_t)j * f->bits, m * f->bits, f->offset + j * (size_t)f->size,
                       spread_mask(f->bits, f->size, m), ls_mask(m * f->size * 8));
        }
    }
}

/* The same of larger elements: each in pieces of 7 bytes. */
static void plan_packed_large(ls_plan *plan, const ls_signal *vector, size_t first, const ls_field *f) {
    for (uint32_t i = 0; i < f->count; i++) {
        for (uint32_t bit = 0; bit < f->bits; bit += 56) {
            const uint32_t n = f->bits - bit < 56 ? f->bits - bit : 56;
            plan_piece(plan, vector, first + (size_t)i * f->bits + bit, n, f->offset + i * (size_t)f->size + bit / 8, ls_mask(n),
                       ls_mask(n));
        }
    }
}

/* Element `element` as a vector of its own. */
static ls_signal element_of(const ls_bound *b, uint32_t element, size_t *first) {
    ls_signal vector = *b->signal;
    *first = b->signal->count == 1 ? (size_t)element * b->field->bits : 0;
    if (b->signal->count > 1) vector.addr = (uint8_t *)vector.addr + (size_t)element * vector.stride;
    return vector;
}

/* Which of `bits` bits from bit `at` of an element, up to 64, the DUT has. */
static uint64_t seen_in(const ls_field *f, uint32_t element, size_t at, uint32_t bits) {
    const uint8_t *from = f->seen + (size_t)element * ((f->bits + 7) / 8);
    uint64_t mask = 0;
    for (uint32_t i = 0; i < bits; i++) mask |= (uint64_t)(from[(at + i) / 8] >> (at + i) % 8 & 1) << i;
    return mask;
}

/* Records: each member from where it stands in the vector. */
static void plan_record(ls_plan *plan, const ls_bound *b) {
    const ls_field *f = b->field;
    for (uint32_t i = 0; i < ls_part_count(f); i++) {
        const ls_part part = ls_part_of(f, i);
        const ls_field *m = &part.field;
        const uint32_t element = i / f->member_count, low = f->members[i % f->member_count].low;
        size_t first;
        const ls_signal vector = element_of(b, element, &first);
        for (uint32_t k = 0; f->seen != NULL && k < m->count * m->bits; k++) {
            const uint32_t bit = k % m->bits;
            const uint64_t seen = seen_in(f, element, low + k, 1) << bit % 8;
            plan->compared_bits += seen != 0;
            if (seen != 0)
                plan_piece(plan, &vector, first + low + k, 1, m->offset + k / m->bits * (size_t)m->size + bit / 8, seen, seen);
        }
        if (f->seen != NULL) continue;
        plan->compared_bits += (uint64_t)m->bits * m->count;
        if (is_large(m)) plan_packed_large(plan, &vector, first + low, m);
        else plan_packed(plan, &vector, first + low, m);
    }
}

/* Elements of 1, 2, 4 or 8 bytes each in the DUT: four words against four double words at a time, all others one by one. */
static void plan_scalars(ls_plan *plan, const ls_bound *b) {
    const ls_field *f = b->field;
    const uint32_t fours = b->signal->stride == 4 && f->size == 8 ? f->count - f->count % 4 : 0;
    if (fours > 0) {
        plan->halves = ls_resize(plan->halves, (plan->half_count + 1) * sizeof *plan->halves);
        plan->halves[plan->half_count++] = (ls_block){(uint8_t *)b->signal->addr, f->offset, (size_t)fours * f->size};
    }
    for (uint32_t i = fours; i < f->count; i++)
        add_bits(plan, &(ls_compare_bits){.dut = (const uint8_t *)b->signal->addr + i * (size_t)b->signal->stride,
                                          .model = f->offset + i * (size_t)f->size,
                                          .dut_bits = ls_mask(b->signal->stride * 8),
                                          .model_bits = ls_mask(b->signal->stride * 8),
                                          .cover = ls_mask((f->size > 8 ? b->signal->stride : f->size) * 8)});
}

/* The bits of bit .. bit + n of an element, n up to 56, that the DUT has. */
static uint64_t seen_bits(const ls_field *f, uint32_t element, uint32_t bit, uint32_t n) {
    const uint8_t *from = f->seen + (size_t)element * ((f->bits + 7) / 8) + bit / 8;
    uint64_t mask = 0;
    for (uint32_t i = 0; i < (n + 7) / 8; i++) mask |= (uint64_t)from[i] << 8 * i;
    return mask & ls_mask(n);
}

/* A register of which the DUT has only some bits: those, in pieces of 7 bytes. */
static void plan_seen(ls_plan *plan, const ls_bound *b) {
    const ls_field *f = b->field;
    for (uint32_t i = 0; i < f->count; i++) {
        for (uint32_t bit = 0; bit < f->bits; bit += 56) {
            const uint64_t seen = seen_bits(f, i, bit, f->bits - bit < 56 ? f->bits - bit : 56);
            const size_t at = is_packed(b) ? (size_t)i * f->bits + bit : bit, bytes = b->signal->stride;
            const size_t byte = bytes < 8 ? 0 : at / 8 + 8 > bytes ? bytes - 8 : at / 8;
            plan->compared_bits += (uint64_t)__builtin_popcountll(seen);
            if (seen == 0) continue;
            add_bits(plan,
                     &(ls_compare_bits){.dut = (const uint8_t *)b->signal->addr + (is_packed(b) ? 0 : (size_t)i * bytes) + byte,
                                        .model = f->offset + i * (size_t)f->size + bit / 8,
                                        .dut_bits = seen << (at - byte * 8),
                                        .model_bits = seen,
                                        .cover = seen});
        }
    }
}

static void plan_compare(ls_plan *plan, const ls_bound *b) {
    const ls_field *f = b->field;
    if (f->member_count > 0) {
        plan_record(plan, b);
        return;
    }
    if (f->seen != NULL) {
        plan_seen(plan, b);
        return;
    }
    plan->compared_bits += (uint64_t)f->bits * f->count;
    if (is_packed(b)) {
        if (f->bits % 8 == 0 && (f->size > 8 || f->bits == f->size * 8)) plan_bytes(plan, b, f->bits / 8);
        else if (is_large(f)) plan_packed_large(plan, b->signal, 0, f);
        else plan_packed(plan, b->signal, 0, f);
    } else if (b->signal->stride > 8 || b->signal->stride == f->size) {
        plan_bytes(plan, b, b->signal->stride);
    } else {
        plan_scalars(plan, b);
    }
}

/* Records: member by member from the lowest on into one vector, or one an element. */
static void plan_drive_record(ls_binding *binding, const ls_bound *b) {
    const ls_field *f = b->field;
    const bool packed = b->signal->count == 1;
    ls_drive_record *op = NULL;
    for (uint32_t e = 0; e < f->count; e++) {
        if (e == 0 || !packed) {
            binding->drive_records =
                ls_resize(binding->drive_records, (binding->drive_record_count + 1) * sizeof *binding->drive_records);
            op = &binding->drive_records[binding->drive_record_count++];
            *op = (ls_drive_record){.dut = (uint8_t *)b->signal->addr + (size_t)e * b->signal->stride,
                                    .bytes = b->signal->stride,
                                    .first = binding->drive_member_count};
        }
        for (uint32_t i = f->member_count; i-- > 0;) {
            const ls_part part = ls_part_of(f, e * f->member_count + i);
            for (uint32_t k = 0; k < part.field.count; k++) {
                binding->drive_members =
                    ls_resize(binding->drive_members, (binding->drive_member_count + 1) * sizeof *binding->drive_members);
                binding->drive_members[binding->drive_member_count++] =
                    (ls_drive_member){part.field.offset + k * (size_t)part.field.size, part.field.bits, part.field.size};
                op->count++;
            }
        }
    }
}

static void plan_drive(ls_binding *binding, const ls_bound *b) {
    const ls_field *f = b->field;
    if (f->member_count > 0) {
        plan_drive_record(binding, b);
        return;
    }
    const uint32_t stride = b->signal->stride;
    const uint64_t spread = f->size <= 8 ? spread_mask(f->bits, f->size, 8 / f->size) : 0;
    if (is_packed(b) ? f->bits % 8 == 0 && (f->size > 8 || f->bits == f->size * 8) : stride > 8) {
        const size_t bytes = is_packed(b) ? f->bits / 8 : stride;
        for (uint32_t i = 0; i < f->count; i++) {
            binding->drive_blocks =
                ls_resize(binding->drive_blocks, (binding->drive_block_count + 1) * sizeof *binding->drive_blocks);
            binding->drive_blocks[binding->drive_block_count++] =
                (ls_block){(uint8_t *)b->signal->addr + i * bytes, f->offset + i * (size_t)f->size, bytes};
        }
        return;
    }
    const uint32_t ops = is_packed(b) ? 1 : f->count;
    binding->drive_bits = ls_resize(binding->drive_bits, (binding->drive_bits_count + ops) * sizeof *binding->drive_bits);
    for (uint32_t i = 0; i < ops; i++)
        binding->drive_bits[binding->drive_bits_count++] = (ls_drive_bits){.dut = (uint8_t *)b->signal->addr + i * (size_t)stride,
                                                                           .model = f->offset + i * (size_t)f->size,
                                                                           .count = is_packed(b) ? f->count : 0,
                                                                           .bits = f->bits,
                                                                           .size = f->size,
                                                                           .bytes = stride,
                                                                           .spread = spread};
}

/* A write port of the memory: an input of the unit, by whatever name, or what lies beside the memory. */
static const ls_signal *find_write_port(const ls_binding *binding, const ls_field *f, bool enable, const ls_signal *signals,
                                        size_t count) {
    const char *port = enable ? f->write_enable : f->write_row;
    for (size_t i = 0; i < binding->count && strchr(f->name, '.') == NULL; i++) {
        const ls_bound *b = &binding->list[i];
        if (b->field->kind == LS_IN && strcmp(b->field->name, port) == 0) return b->signal;
    }
    char *name = ls_write_port(f, enable, true);
    const ls_signal *s = ls_signal_find(signals, count, name);
    free(name);
    return s;
}

/* `must`: the memory is too large for anything else, so that it is swept by the model's writes alone where a map gives its write
 * port no name. */
static int plan_sweep(ls_binding *binding, const ls_bound *b, bool must, const ls_signal *signals, size_t count, char *error,
                      size_t size) {
    const ls_signal *we = find_write_port(binding, b->field, true, signals, count);
    const ls_signal *row = find_write_port(binding, b->field, false, signals, count);
    static const uint64_t never = 0;
    static const ls_signal none = {.addr = (void *)(uintptr_t)&never, .bits = 64, .count = 1, .stride = 8};
    if (must && we == NULL && row == NULL && (b->field->rtl != NULL || b->field->pieces != NULL)) we = row = &none;
    if (we == NULL || row == NULL || we->count > 1 || we->stride > 8 || row->count > 1 || row->stride > 8) {
        char *enable = ls_write_port(b->field, true, false), *address = ls_write_port(b->field, false, false);
        (void)snprintf(error, size, "memory %s: the DUT has no write port %s, %s of up to 64 bits beside it", b->field->name,
                       enable, address);
        free(enable);
        free(address);
        return -1;
    }
    if (binding->sweep_count == LS_SWEEPS_MAX) {
        (void)snprintf(error, size, "memory %s: more than %u memories", b->field->name, LS_SWEEPS_MAX);
        return -1;
    }
    binding->sweeps = ls_resize(binding->sweeps, (binding->sweep_count + 1) * sizeof *binding->sweeps);
    binding->sweeps[binding->sweep_count++] = (ls_sweep){.field = b->field,
                                                         .dut = (const uint8_t *)b->signal->addr,
                                                         .dut_stride = b->signal->stride,
                                                         .row_bytes = (b->field->bits + 7) / 8,
                                                         .write_enable = (const uint8_t *)we->addr,
                                                         .write_row = (const uint8_t *)row->addr,
                                                         .enable_bits = ls_mask(we->stride * 8),
                                                         .row_bits = ls_mask(row->stride * 8)};
    return 0;
}

static int bind_field(ls_bound *b, const ls_field *f, const ls_signal *made, const ls_signal *signals, size_t count, char *error,
                      size_t size) {
    char name[256];
    ls_rtl_name(f, name, sizeof name);
    b->field = f;
    b->signal = made != NULL ? made : ls_signal_find(signals, count, name);
    static const char *const what[] = {"input port", "output port", "register", "memory"};
    if (b->signal == NULL) {
        (void)snprintf(error, size, "the RTL has no %s %s (%u bit%s%s)", what[f->kind], name, f->bits, f->bits == 1 ? "" : "s",
                       f->count > 1 ? ", an array" : "");
        return -1;
    }
    if ((f->kind == LS_IN && b->signal->kind != LS_SIGNAL_IN) || (f->kind == LS_OUT && b->signal->kind != LS_SIGNAL_OUT)) {
        (void)snprintf(error, size, "%s is not an %s in the RTL", name, what[f->kind]);
        return -1;
    }
    const bool packed = b->signal->count == 1;
    const bool fits = packed ? (uint64_t)b->signal->bits == (uint64_t)f->bits * f->count
                             : b->signal->bits == f->bits && b->signal->count == f->count;
    if (fits && f->bits == 0) {
        (void)snprintf(error, size, "%s %s: the list says 0 bits", what[f->kind], name);
        return -1;
    }
    if (fits && f->bits > f->size * 8 && f->member_count == 0) {
        (void)snprintf(error, size, "%s %s: the list and the RTL have %u bits an element, the model's member has %u bits",
                       what[f->kind], name, f->bits, f->size * 8);
        return -1;
    }
    if (!fits) {
        (void)snprintf(error, size, "%s %s: the list says %u x %u bit%s, the RTL has %u x %u", what[f->kind], name, f->count,
                       f->bits, ls_plural(f->bits), b->signal->count, b->signal->bits);
        return -1;
    }
    return 0;
}

/* A memory that is not compared: its power-up contents are copied all the same, when the DUT has it, and else none. */
static void bind_copied(ls_binding *binding, const ls_field *f, const ls_signal *made, const ls_signal *signals, size_t count) {
    char error[256];
    ls_bound b = {0};
    if (bind_field(&b, f, made, signals, count, error, sizeof error) != 0 || b.signal->kind != LS_SIGNAL_REG) return;
    binding->copied = ls_resize(binding->copied, (binding->copied_count + 1) * sizeof *binding->copied);
    binding->copied[binding->copied_count++] = b;
}

ls_sweeping ls_sweeps(const ls_fields *fields) {
    uint64_t largest = 0, all = 0;
    for (size_t i = 0; i < fields->count && !fields->gates; i++) {
        const uint64_t bits = fields->list[i].kind == LS_MEMORY ? (uint64_t)fields->list[i].bits * fields->list[i].count : 0;
        largest = bits > largest ? bits : largest;
        all += bits;
    }
    return largest > LS_SWEEP_BYTES * 8u                  ? LS_SWEEP_MUST
           : all > LS_SWEEP_BYTES * 8u && fields->touched ? LS_SWEEP_MAY
                                                          : LS_SWEEP_NOT;
}

/* All memories, by sweeps or whole. */
static int plan_memories(ls_binding *binding, ls_sweeping how, const ls_signal *signals, size_t count, char *error, size_t size) {
    for (size_t i = 0; i < binding->count && how != LS_SWEEP_NOT; i++) {
        const ls_bound *b = &binding->list[i];
        if (b->field->kind != LS_MEMORY || plan_sweep(binding, b, how == LS_SWEEP_MUST, signals, count, error, size) == 0)
            continue;
        if (how == LS_SWEEP_MUST) return -1;
        how = LS_SWEEP_NOT;
        binding->sweep_count = 0;
    }
    for (size_t i = 0; i < binding->count; i++) {
        ls_bound *b = &binding->list[i];
        b->swept = b->field->kind == LS_MEMORY && how != LS_SWEEP_NOT;
        if (b->field->kind == LS_MEMORY && !b->swept) plan_compare(&binding->state, b);
    }
    return 0;
}

int ls_bind(ls_binding *binding, const ls_fields *fields, const ls_signal *signals, size_t signal_count, bool ports_only,
            char *error, size_t size) {
    *binding = (ls_binding){0};
    binding->list = ls_resize(NULL, fields->count * sizeof *binding->list);
    binding->made = ls_zeroed((fields->count + 1) * sizeof *binding->made);
    binding->made_count = fields->count;
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        const ls_signal *made = NULL;
        if (f->pieces != NULL && !f->absent && (!ports_only || f->kind != LS_STATE)) {
            made = ls_moves_plan(binding, f, i, ports_only, signals, signal_count, error, size);
            if (made == NULL) return -1;
        }
        if (ports_only && f->kind == LS_MEMORY && !f->absent) bind_copied(binding, f, made, signals, signal_count);
        if ((ports_only && f->kind != LS_IN && f->kind != LS_OUT) || f->absent) continue;
        ls_bound *b = &binding->list[binding->count];
        *b = (ls_bound){0};
        if (bind_field(b, f, made, signals, signal_count, error, size) != 0) return -1;
        binding->count++;
        if (f->kind == LS_IN) plan_drive(binding, b);
        else if (f->kind == LS_OUT) plan_compare(&binding->outputs, b);
        else if (f->kind == LS_STATE) plan_compare(&binding->state, b);
    }
    if (plan_memories(binding, ls_sweeps(fields), signals, signal_count, error, size) != 0) return -1;
    end_run(&binding->outputs);
    end_run(&binding->state);
    ls_plan_compile(&binding->outputs, 64);
    ls_plan_compile(&binding->state, 64);
    return 0;
}

void ls_binding_free(ls_binding *binding) {
    ls_plan_code_free(&binding->outputs);
    ls_plan_code_free(&binding->state);
    free(binding->list);
    free(binding->copied);
    free(binding->outputs.bits);
    free(binding->outputs.blocks);
    free(binding->outputs.halves);
    free(binding->state.bits);
    free(binding->state.blocks);
    free(binding->state.halves);
    free(binding->drive_bits);
    free(binding->drive_blocks);
    free(binding->drive_records);
    free(binding->drive_members);
    free(binding->sweeps);
    free(binding->inputs.list);
    free(binding->copied_moves.list);
    free(binding->outputs.moves.list);
    free(binding->state.moves.list);
    for (size_t i = 0; i < binding->made_count; i++) free(binding->made[i].addr);
    free(binding->made);
    free(binding->mapped_memories);
    *binding = (ls_binding){0};
}

/* Bits on their way into a packed vector: `fill` < 64 of them wait to be stored. */
typedef struct bit_writer {
    uint8_t *to;
    uint64_t word;
    uint32_t fill;
} bit_writer;

/* Appends up to 64 bits. */
static inline void put_bits(bit_writer *w, uint64_t value, uint32_t bits) {
    w->word |= value << w->fill;
    const uint32_t fill = w->fill + bits;
    if (fill >= 64) {
        memcpy(w->to, &w->word, 8);
        w->to += 8;
        w->word = w->fill > 0 ? value >> (64 - w->fill) : 0;
    }
    w->fill = fill % 64;
}

/* One store of 1, 2, 4 or 8 bytes: just what the DUT will load. */
static inline void store_scalar(uint8_t *to, uint64_t value, size_t bytes) {
    if (bytes == 1) memcpy(to, &value, 1);
    else if (bytes == 2) memcpy(to, &value, 2);
    else if (bytes == 4) memcpy(to, &value, 4);
    else memcpy(to, &value, 8);
}

static void drive_packed(const ls_drive_bits *op, const uint8_t *from) {
    bit_writer w = {.to = op->dut};
    if (op->size > 8) {
        for (uint32_t i = 0; i < op->count; i++, from += op->size)
            for (uint32_t bit = 0; bit < op->bits; bit += 64) {
                const uint32_t n = op->bits - bit < 64 ? op->bits - bit : 64;
                put_bits(&w, ls_load64(from + bit / 8) & ls_mask(n), n);
            }
    } else {
        const uint32_t group = 8 / op->size;
        uint32_t left = op->count;
        for (; left >= group; left -= group, from += 8) put_bits(&w, pack_bits(ls_load64(from), op->spread), group * op->bits);
        if (left > 0) put_bits(&w, pack_bits(ls_load64(from), op->spread & ls_mask(left * op->size * 8)), left * op->bits);
    }
    if (w.fill > 0) store_scalar(w.to, w.word, (size_t)(op->dut + op->bytes - w.to));
}

static void drive_record(const ls_drive_record *op, const ls_drive_member *members, const uint8_t *from) {
    bit_writer w = {.to = op->dut};
    for (const ls_drive_member *m = members + op->first, *end = m + op->count; m < end; m++) {
        uint64_t value = 0;
        if (m->size == 1) memcpy(&value, from + m->model, 1);
        else if (m->size == 2) memcpy(&value, from + m->model, 2);
        else if (m->size == 4) memcpy(&value, from + m->model, 4);
        else memcpy(&value, from + m->model, 8);
        put_bits(&w, value & ls_mask(m->bits), m->bits);
    }
    if (w.fill > 0) store_scalar(w.to, w.word, (size_t)(op->dut + op->bytes - w.to));
}

void ls_drive(const ls_binding *binding, const void *in) {
    const uint8_t *from = (const uint8_t *)in;
    for (const ls_drive_bits *op = binding->drive_bits; op < binding->drive_bits + binding->drive_bits_count; op++) {
        if (op->count != 0) drive_packed(op, from + op->model);
        else if (op->bytes == 1) memcpy(op->dut, from + op->model, 1);
        else if (op->bytes == 2) memcpy(op->dut, from + op->model, 2);
        else if (op->bytes == 4) memcpy(op->dut, from + op->model, 4);
        else memcpy(op->dut, from + op->model, 8);
    }
    for (const ls_drive_record *r = binding->drive_records, *end = r + binding->drive_record_count; r < end; r++)
        drive_record(r, binding->drive_members, from);
    for (const ls_block *b = binding->drive_blocks; b < binding->drive_blocks + binding->drive_block_count; b++)
        copy_block(b->dut, from + b->model, b->bytes);
    if (binding->inputs.count > 0) ls_scatter(&binding->inputs);
}

static inline wide load_wide(const uint8_t *p) {
    wide x;
    memcpy(&x, p, sizeof x);
    return x;
}

/* Four words, as double words. */
static inline wide load_half_wide(const uint8_t *p) {
    half_wide x;
    memcpy(&x, p, sizeof x);
    return __builtin_convertvector(x, wide);
}

static uint64_t any(wide x) { return x[0] | x[1] | x[2] | x[3]; }

static uint64_t bytes_differ(const uint8_t *a, const uint8_t *b, size_t bytes) {
    wide wide_diff = {0};
    uint64_t diff = 0;
    size_t i = 0;
    for (; i + sizeof(wide) <= bytes; i += sizeof(wide)) wide_diff |= load_wide(a + i) ^ load_wide(b + i);
    for (; i < bytes; i++) diff |= (uint64_t)(a[i] ^ b[i]);
    return diff | any(wide_diff);
}

uint64_t ls_differs_interpreted(const ls_plan *plan, const void *model) {
    const uint8_t *m = (const uint8_t *)model;
    uint64_t diff = 0;
    if (plan->block_count + plan->half_count > 0) {
        wide wide_diff = {0};
        for (const ls_block *b = plan->blocks, *end = b + plan->block_count; b < end; b++)
            for (size_t i = 0; i < b->bytes; i += sizeof(wide)) wide_diff |= load_wide(b->dut + i) ^ load_wide(m + b->model + i);
        for (const ls_block *b = plan->halves, *end = b + plan->half_count; b < end; b++)
            for (size_t i = 0; i < b->bytes; i += sizeof(wide))
                wide_diff |= load_half_wide(b->dut + i / 2) ^ load_wide(m + b->model + i);
        diff = any(wide_diff);
    }
    for (const ls_compare_bits *op = plan->bits, *end = op + plan->bits_count; op < end; op++)
        diff |= unpack_bits(pack_bits(ls_load64(op->dut), op->dut_bits), op->model_bits) ^ (ls_load64(m + op->model) & op->cover);
    return diff;
}

size_t ls_plan_shift(const ls_plan *plan, const void *model, size_t step) {
    size_t at[64] = {0}, best = 0; /* bytes that a shift puts in their place */
    for (const ls_block *b = plan->blocks, *end = b + plan->block_count; b < end; b++)
        at[((uintptr_t)b->dut - (uintptr_t)model - b->model) % 64] += b->bytes;
    for (size_t shift = step; step != 0 && shift < 64; shift += step)
        if (at[shift] > at[best] && at[shift] >= at[0] + LS_SHIFT_BYTES) best = shift;
    return best;
}

/* Up to 64 bits at bit `at` of the words. */
static uint64_t get_bits(const uint32_t *words, size_t at, uint32_t bits) {
    uint64_t value = 0;
    for (uint32_t i = 0; i < bits; i++) value |= (uint64_t)(words[(at + i) / 32] >> (at + i) % 32 & 1) << i;
    return value;
}

static void add_value(uint32_t *words, size_t at, uint64_t value) {
    for (; value != 0; value >>= 1, at++) words[at / 32] |= (uint32_t)(value & 1) << at % 32;
}

void ls_model_element(const ls_field *field, const void *model, uint32_t index, uint32_t *words) {
    memset(words, 0, 32 * sizeof *words);
    for (uint32_t i = 0; i < field->member_count; i++) {
        const ls_member *m = &field->members[i];
        for (uint32_t k = 0; k < m->count; k++) {
            uint64_t value = 0;
            memcpy(&value, (const uint8_t *)model + field->offset + (size_t)index * field->size + m->offset + k * (size_t)m->size,
                   m->size);
            add_value(words, m->low + k * (size_t)m->bits, value & ls_mask(m->bits));
        }
    }
    if (field->member_count > 0) return;
    memcpy(words, (const uint8_t *)model + field->offset + (size_t)index * field->size, field->size);
}

/* Whether an element of 1, 2, 4 or 8 bytes is unfit: eight bytes at a time, as sampled cycles ask it of every input. */
static bool narrow_unfit(const ls_field *field, const uint8_t *at) {
    uint64_t beyond = ls_mask(8 * field->size) & ~ls_mask(field->bits), seen = 0;
    for (uint32_t bits = 8 * field->size; bits < 64; bits *= 2) beyond |= beyond << bits;
    size_t left = (size_t)field->size * field->count;
    for (; left >= sizeof seen; left -= sizeof seen, at += sizeof seen) seen |= ls_load64(at);
    uint64_t rest = 0;
    memcpy(&rest, at, left);
    return ((seen | rest) & beyond) != 0;
}

int ls_model_unfit(const ls_field *field, const void *model) {
    const uint8_t *at = (const uint8_t *)model + field->offset;
    if (field->bits == 8 * field->size || (field->size <= sizeof(uint64_t) && !narrow_unfit(field, at))) return -1;
    for (uint32_t k = 0; k < field->count; k++, at += field->size) {
        uint32_t beyond = at[field->bits / 8] >> field->bits % 8;
        for (uint32_t i = field->bits / 8 + 1; i < field->size; i++) beyond |= at[i];
        if (beyond != 0) return (int)k;
    }
    return -1;
}

void ls_model_store(const ls_field *field, void *model, uint32_t index, const uint32_t *words) {
    for (uint32_t i = 0; i < field->member_count; i++) {
        const ls_member *m = &field->members[i];
        for (uint32_t k = 0; k < m->count; k++) {
            const uint64_t value = get_bits(words, m->low + k * (size_t)m->bits, m->bits);
            memcpy((uint8_t *)model + field->offset + (size_t)index * field->size + m->offset + k * (size_t)m->size, &value,
                   m->size);
        }
    }
    if (field->member_count > 0) return;
    memcpy((uint8_t *)model + field->offset + (size_t)index * field->size, words, field->size);
}

void ls_dut_element(const ls_bound *bound, uint32_t index, uint32_t *words) {
    const ls_field *f = bound->field;
    const uint8_t *dut = (const uint8_t *)bound->signal->addr;
    memset(words, 0, 32 * sizeof *words);
    if (!is_packed(bound)) {
        memcpy(words, dut + (size_t)index * bound->signal->stride, bound->signal->stride);
        return;
    }
    const size_t first = (size_t)index * f->bits;
    for (size_t bit = 0; bit < f->bits; bit++) {
        const size_t at = first + bit;
        words[bit / 32] |= (uint32_t)((dut[at / 8] >> (at % 8)) & 1) << (bit % 32);
    }
}

void ls_dut_store(const ls_bound *bound, uint32_t index, const uint32_t *words) {
    const ls_field *f = bound->field;
    uint8_t *dut = (uint8_t *)bound->signal->addr;
    if (!is_packed(bound)) {
        memcpy(dut + (size_t)index * bound->signal->stride, words, bound->signal->stride);
        if (f->pieces != NULL) ls_put_constants(f, dut);
        return;
    }
    const size_t first = (size_t)index * f->bits;
    for (size_t bit = 0; bit < f->bits; bit++) {
        const size_t at = first + bit;
        const uint32_t value = words[bit / 32] >> bit % 32 & 1;
        dut[at / 8] = (uint8_t)((dut[at / 8] & ~(1u << at % 8)) | value << at % 8);
    }
}

void ls_seen_element(const ls_field *f, uint32_t index, uint32_t *words) {
    if (f->seen == NULL) return;
    const uint8_t *seen = f->seen + (size_t)index * ((f->bits + 7) / 8);
    for (uint32_t bit = 0; bit < f->bits; bit++)
        if ((seen[bit / 8] >> bit % 8 & 1) == 0) words[bit / 32] &= ~(UINT32_C(1) << bit % 32);
}

int64_t ls_first_difference(const ls_bound *bound, const void *model) {
    uint32_t a[32], b[32];
    for (uint32_t i = 0; i < bound->field->count; i++) {
        ls_model_element(bound->field, model, i, a);
        ls_dut_element(bound, i, b);
        ls_seen_element(bound->field, i, a);
        ls_seen_element(bound->field, i, b);
        if (memcmp(a, b, sizeof a) != 0) return i;
    }
    return -1;
}

uint64_t ls_written(ls_sweep *sweeps, size_t count) {
    uint64_t written = 0;
    for (size_t i = 0; i < count; i++) {
        ls_sweep *s = &sweeps[i];
        written |= (uint64_t)((ls_load64(s->write_enable) & s->enable_bits) != 0) << i;
        s->dut_row = ls_load64(s->write_row) & s->row_bits;
    }
    return written;
}

int ls_row_differs(const ls_sweep *sweep, const void *model, uint64_t row) {
    const uint8_t *m = (const uint8_t *)model + sweep->field->offset + row * sweep->field->size;
    return bytes_differ(sweep->dut + row * sweep->dut_stride, m, sweep->row_bytes) != 0;
}

void ls_copy_memory(const ls_bound *bound, void *model) {
    uint32_t words[32];
    for (uint32_t i = 0; i < bound->field->count; i++) {
        ls_dut_element(bound, i, words);
        ls_model_store(bound->field, model, i, words);
    }
}
