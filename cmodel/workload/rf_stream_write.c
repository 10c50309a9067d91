/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_crc32c.h"
#include "cmodel/workload/rf_opcode.h"
#include "cmodel/workload/rf_stream_code.h"

#define BUCKETS (4 * RF_STREAM_NEW_MAX) /* a power of two: open addressing at most a quarter full */

struct rf_stream_writer {
    rf_sink sink;
    rf_crc32c tables;
    uint32_t crc;
    uint8_t kind;           /* of the chunk in the buffer */
    uint8_t *at, *end;      /* where the next byte goes; behind the buffer's payload */
    uint8_t *buffer;        /* word, payload, CRC */
    rf_stream_entry *entry; /* the kernel's numbered instructions: its program's, then new ones */
    uint32_t entries, capacity, nstatic;
    uint32_t *bucket; /* number + 1 of a new instruction, by hash; NULL before the first */
    bool has_program;
    uint64_t programs, warps, instructions;
    bool failed;
    char error[256];
};

__attribute__((format(printf, 2, 3))) static bool fail(rf_stream_writer *w, const char *format, ...) {
    if (w->failed) return false;
    va_list args;
    va_start(args, format);
    (void)vsnprintf(w->error, sizeof w->error, format, args);
    va_end(args);
    w->failed = true;
    return false;
}

/* --- bytes ------------------------------------------------------------------------------------------------------------------ */

static uint8_t *put32(uint8_t *p, uint32_t x) {
    for (uint32_t i = 0; i < 4; i++) *p++ = (uint8_t)(x >> 8 * i);
    return p;
}

static inline uint8_t *put_varint(uint8_t *p, uint64_t x) {
    for (; x > 127; x >>= 7) *p++ = (uint8_t)(x | 128);
    *p++ = (uint8_t)x;
    return p;
}

static inline uint8_t *put_signed(uint8_t *p, int64_t x) { return put_varint(p, rf_zigzag(x)); }

static uint8_t *put_text(uint8_t *p, const char *text, size_t length) {
    p = put_varint(p, length);
    memcpy(p, text, length);
    return p + length;
}

static bool send(rf_stream_writer *w, const void *bytes, size_t size) {
    char why[200] = "";
    return w->sink.write(w->sink.ctx, bytes, size, why, sizeof why) == 0 || fail(w, "%s", why);
}

/* Sends the chunk in the buffer and begins one that continues it. */
static bool end_chunk(rf_stream_writer *w) {
    const uint32_t size = (uint32_t)(w->at - w->buffer);
    (void)put32(w->buffer, (uint32_t)w->kind << 24 | (size - RF_STREAM_WORD));
    w->crc = rf_crc32c_update(&w->tables, w->crc, w->buffer, size);
    w->at = put32(w->at, w->crc);
    const bool good = send(w, w->buffer, (size_t)(w->at - w->buffer));
    w->kind = RF_CHUNK_MORE;
    w->at = w->buffer + RF_STREAM_WORD;
    return good;
}

static void begin_chunk(rf_stream_writer *w, uint8_t kind) {
    w->kind = kind;
    w->at = w->buffer + RF_STREAM_WORD;
}

/* Makes sure that the next item fits. */
static bool room(rf_stream_writer *w) { return w->end - w->at >= (ptrdiff_t)RF_STREAM_ITEM_MAX || end_chunk(w); }

/* --- lanes ------------------------------------------------------------------------------------------------------------------ */

/* The active lanes of `lane`, numbers modulo 2^bits; *last is their prediction and then the first of them. */
static inline uint8_t *put_lanes(uint8_t *p, uint32_t bits, uint32_t mask, const uint64_t lane[RF_LANES_MAX], uint64_t *last) {
    const uint32_t first = rf_lowest(mask), rest = mask & (mask - 1);
    const uint64_t base = lane[first], predicted = *last, modulus = bits == 32 ? UINT32_MAX : UINT64_MAX;
    uint64_t low = base, high = base, set = 0, other = base;
    int64_t step = 0;
    uint32_t others = 0; /* lanes that are not `base` */
    bool stride = true, pair = true;
    *last = base;
    if (rest) step = rf_signed(lane[rf_lowest(rest)] - base, bits) / (int64_t)(rf_lowest(rest) - first);
    for (uint32_t m = rest; m; m &= m - 1) {
        const uint32_t l = rf_lowest(m);
        const uint64_t x = lane[l];
        stride &= ((base + (uint64_t)step * (l - first)) & modulus) == x;
        low = x < low ? x : low;
        high = x > high ? x : high;
        if (x == base) continue;
        if (!others) other = x;
        pair &= x == other;
        others |= UINT32_C(1) << l;
    }
    const int64_t ahead = rf_signed(base - predicted, bits);
    if (!others) {
        *p++ = RF_LANES_UNIFORM;
        return put_signed(p, ahead);
    }
    if (stride) {
        *p++ = RF_LANES_STRIDE;
        return put_signed(put_signed(p, ahead), step);
    }
    if (pair) {
        *p++ = RF_LANES_PAIR;
        return put32(put_signed(put_signed(p, ahead), rf_signed(other - base, bits)), others);
    }
    for (uint32_t m = mask; m; m &= m - 1) set |= lane[rf_lowest(m)] - low;
    const uint32_t shift = (uint32_t)__builtin_ctzll(set), width = (71u - (uint32_t)__builtin_clzll((high - low) >> shift)) / 8;
    *p++ = (uint8_t)(RF_LANES_PACKED | (width - 1) << 2);
    *p++ = (uint8_t)shift;
    p = put_signed(p, rf_signed(low - predicted, bits));
    for (uint32_t m = mask; m; m &= m - 1) {
        const uint64_t x = (lane[rf_lowest(m)] - low) >> shift;
        for (uint32_t i = 0; i < 8; i++) p[i] = (uint8_t)(x >> 8 * i); /* always 8: one store; an item's room has them */
        p += width;
    }
    return p;
}

static uint8_t *put_addresses(uint8_t *p, const rf_inst *inst, rf_stream_entry *entry) {
    return inst->mask ? put_lanes(p, 64, inst->mask, inst->address, &entry->address) : p;
}

static uint8_t *put_values(uint8_t *p, const rf_inst *inst, rf_stream_entry *entry) {
    for (uint32_t d = 0; d < inst->ndst; d++) {
        uint64_t lane[RF_LANES_MAX], last = entry->value[d];
        for (uint32_t l = 0; l < RF_LANES_MAX; l++) lane[l] = inst->value[d * RF_LANES_MAX + l];
        p = put_lanes(p, 32, inst->mask, lane, &last);
        entry->value[d] = (uint32_t)last;
    }
    return p;
}

/* --- instructions ----------------------------------------------------------------------------------------------------------- */

static bool same_hint(const rf_hint *a, const rf_hint *b) {
    return a->src_near == b->src_near && a->dst_near == b->dst_near && a->src_dead == b->src_dead && a->dst_dead == b->dst_dead &&
           a->flags == b->flags && a->nfree == b->nfree && memcmp(a->free_reg, b->free_reg, a->nfree) == 0 &&
           memcmp(a->free_was, b->free_was, a->nfree) == 0 && memcmp(a->src_from, b->src_from, sizeof a->src_from) == 0 &&
           memcmp(a->dst_to, b->dst_to, sizeof a->dst_to) == 0;
}

/* Operands of which something is said, counted from the first. */
static uint32_t placed(const uint8_t *place, uint32_t count) {
    while (count && place[count - 1] == 0) count--;
    return count;
}

/* Of an instruction with so many operands. */
static uint8_t *put_hint(uint8_t *p, const rf_hint *hint, const rf_inst *inst) {
    const bool places = placed(hint->src_from, RF_HINT_SRC_MAX) || placed(hint->dst_to, RF_HINT_DST_MAX);
    *p++ = (uint8_t)(hint->flags | (places ? RF_STREAM_PLACES : 0));
    p = put_varint(put_varint(p, hint->src_near), hint->dst_near);
    p = put_varint(put_varint(p, hint->src_dead), hint->dst_dead);
    *p++ = hint->nfree;
    for (uint32_t i = 0; i < hint->nfree; i++) *p++ = hint->free_reg[i], *p++ = hint->free_was[i];
    for (uint32_t i = 0; i < inst->nsrc && places; i++) *p++ = hint->src_from[i];
    for (uint32_t i = 0; i < inst->ndst && places; i++) *p++ = hint->dst_to[i];
    return p;
}

/* What does not change from one execution to the next. A mask of 0 leaves only the registers out. */
static bool same_static(const rf_inst *a, const rf_inst *inst) {
    if (a->pc != inst->pc || a->opcode != inst->opcode || a->opclass != inst->opclass || a->load != inst->load ||
        a->store != inst->store || a->width != inst->width || a->immediate != inst->immediate)
        return false;
    if (inst->mask == 0 && inst->nsrc == 0 && inst->ndst == 0) return true;
    return a->nsrc == inst->nsrc && a->ndst == inst->ndst && memcmp(a->src, inst->src, a->nsrc) == 0 &&
           memcmp(a->dst, inst->dst, a->ndst) == 0;
}

static bool printable(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~') return false;
    return length > 0 && length <= RF_OPCODE_TEXT_MAX;
}

/* All fields of a static instruction or of a new one in range. */
static bool check_static(rf_stream_writer *w, const rf_inst *inst) {
    if (!inst->mnemonic || !printable(inst->mnemonic, strlen(inst->mnemonic)))
        return fail(w, "pc %" PRIx64 ": mnemonic: not 1 .. %u printable characters without a blank", inst->pc,
                    RF_OPCODE_TEXT_MAX);
    if (inst->opcode != rf_fnv1a(inst->mnemonic, strlen(inst->mnemonic)))
        return fail(w, "pc %" PRIx64 ": opcode: not the hash of %s", inst->pc, inst->mnemonic);
    if ((uint32_t)inst->opclass > RF_OP_CTRL || inst->nsrc > RF_INST_SRC_MAX || inst->ndst > RF_INST_DST_MAX ||
        inst->width > RF_STREAM_WIDTH_MAX)
        return fail(w, "pc %" PRIx64 ": class, nsrc, ndst or width out of range", inst->pc);
    return true;
}

/* `known`: the static instruction, which has all operands. */
static bool check_hint(rf_stream_writer *w, const rf_inst *inst, const rf_inst *known) {
    const rf_hint *const hint = &inst->hint;
    bool places = placed(hint->src_from, RF_HINT_SRC_MAX) <= known->nsrc && placed(hint->dst_to, RF_HINT_DST_MAX) <= known->ndst;
    for (uint32_t i = 0; i < RF_HINT_SRC_MAX; i++) places &= rf_stream_from(hint->src_from[i]);
    for (uint32_t i = 0; i < RF_HINT_DST_MAX; i++) places &= rf_stream_to(hint->dst_to[i]);
    if (hint->nfree > RF_HINT_FREE_MAX) return fail(w, "pc %" PRIx64 ": nfree: above %u", inst->pc, RF_HINT_FREE_MAX);
    if (hint->flags >= RF_STREAM_PLACES) return fail(w, "pc %" PRIx64 ": flags: above %u", inst->pc, RF_STREAM_PLACES - 1);
    return places || fail(w, "pc %" PRIx64 ": src_from or dst_to: no place, or of no operand", inst->pc);
}

/* Everything static but the text; `pc` is the one expected. */
static uint8_t *put_static(uint8_t *p, const rf_inst *inst, uint64_t pc) {
    p = put_signed(p, (int64_t)(inst->pc - pc));
    *p++ = (uint8_t)((uint32_t)inst->opclass | (inst->load ? RF_FLAG_LOAD : 0) | (inst->store ? RF_FLAG_STORE : 0) |
                     (inst->width ? RF_FLAG_WIDTH : 0) | (inst->immediate ? RF_FLAG_IMMEDIATE : 0));
    *p++ = inst->ndst;
    *p++ = inst->nsrc;
    for (uint32_t d = 0; d < inst->ndst; d++) *p++ = inst->dst[d];
    for (uint32_t s = 0; s < inst->nsrc; s++) *p++ = inst->src[s];
    if (inst->width) *p++ = (uint8_t)inst->width;
    if (inst->immediate) p = put_signed(p, inst->immediate);
    return p;
}

/* --- numbers ---------------------------------------------------------------------------------------------------------------- */

static rf_stream_entry *append_entry(rf_stream_writer *w, const rf_inst *inst) {
    if (w->entries == w->capacity) {
        const uint32_t capacity = w->capacity ? 2 * w->capacity : 256;
        rf_stream_entry *const grown = realloc(w->entry, capacity * sizeof *grown);
        if (!grown) return (void)fail(w, "no memory"), NULL;
        w->entry = grown;
        w->capacity = capacity;
    }
    rf_stream_entry *const entry = &w->entry[w->entries++];
    *entry = (rf_stream_entry){.inst = *inst};
    entry->inst.address = NULL;
    entry->inst.value = NULL;
    return entry;
}

/* The bucket of an instruction without a static one: it holds its number + 1, or 0 when it is new. */
static uint32_t *find_bucket(rf_stream_writer *w, const rf_inst *inst) {
    uint64_t h = (inst->pc ^ inst->opcode) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ inst->nsrc ^ (uint64_t)inst->immediate) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)(h >> 40) & (BUCKETS - 1);
    while (w->bucket[at]) {
        const rf_inst *const known = &w->entry[w->bucket[at] - 1].inst;
        if (known->nsrc == inst->nsrc && known->ndst == inst->ndst && same_static(known, inst)) break;
        at = (at + 1) & (BUCKETS - 1);
    }
    return &w->bucket[at];
}

/* The number of an instruction without a static one; *fresh: it is new. When all numbers are taken, new ones share the last. */
static bool number_of(rf_stream_writer *w, const rf_inst *inst, uint32_t *number, bool *fresh) {
    if (!w->bucket) w->bucket = calloc(BUCKETS, sizeof *w->bucket);
    if (!w->bucket) return fail(w, "no memory");
    uint32_t *const bucket = find_bucket(w, inst);
    *fresh = *bucket == 0;
    *number = *bucket - 1;
    if (!*fresh) return true;
    if (!check_static(w, inst)) return false;
    const bool full = w->entries == w->nstatic + RF_STREAM_NEW_MAX;
    if (full) w->entries--;
    rf_stream_entry *const entry = append_entry(w, inst);
    if (!entry) return false;
    entry->inst.hint = (rf_hint){0};
    *number = w->entries - 1;
    if (*number < w->nstatic + RF_STREAM_NEW_MAX - 1) *bucket = w->entries;
    return true;
}

/* --- programs --------------------------------------------------------------------------------------------------------------- */

static bool block_number(const rf_program *p, uint32_t b) { return b == RF_INDEX_NONE || b < p->nblock; }

static bool check_program(rf_stream_writer *w, const rf_program *p) {
    if (!p->kernel || strlen(p->kernel) > RF_STREAM_NAME_MAX || !p->origin || strlen(p->origin) > RF_STREAM_NAME_MAX)
        return fail(w, "program: name or origin missing or longer than %u bytes", RF_STREAM_NAME_MAX);
    if (p->nreg > RF_REGS_MAX || p->ninst > RF_STREAM_STATIC_MAX || p->nblock > RF_STREAM_STATIC_MAX ||
        p->text_bytes > RF_STREAM_TEXT_MAX || (p->text_bytes > 0 && p->text[p->text_bytes - 1] != '\0'))
        return fail(w, "program %s: nreg, ninst, nblock or text_bytes out of range", p->kernel);
    for (uint32_t b = 0; b < p->nblock; b++) {
        const rf_program_block *const block = &p->code[b];
        if (block->first > p->ninst || block->count > p->ninst - block->first || !block_number(p, block->succ[0]) ||
            !block_number(p, block->succ[1]) || !block_number(p, block->ipdom))
            return fail(w, "program %s: block %u names an instruction or a block that is not there", p->kernel, b);
    }
    for (uint32_t i = 0; i < p->ninst; i++) {
        const rf_inst *const inst = &p->inst[i];
        if (!check_static(w, inst) || !check_hint(w, inst, inst)) return false;
        if (inst->mnemonic < p->text || inst->mnemonic >= p->text + p->text_bytes ||
            (inst->mnemonic > p->text && inst->mnemonic[-1] != '\0'))
            return fail(w, "program %s: instruction %u: its mnemonic is no word of the text", p->kernel, i);
    }
    return true;
}

static bool put_program_items(rf_stream_writer *w, const rf_program *p) {
    for (size_t at = 0; at < p->text_bytes;) {
        const size_t length = strlen(p->text + at);
        if (!printable(p->text + at, length)) return fail(w, "program %s: text: word at %zu out of range", p->kernel, at);
        if (!room(w)) return false;
        w->at = put_text(w->at, p->text + at, length);
        at += length + 1;
    }
    for (uint32_t i = 0; i < p->ninst; i++) {
        if (!room(w) || !append_entry(w, &p->inst[i])) return false;
        w->at = put_varint(w->at, (uint64_t)(p->inst[i].mnemonic - p->text));
        w->at = put_hint(put_static(w->at, &p->inst[i], i ? p->inst[i - 1].pc + 16 : 0), &p->inst[i].hint, &p->inst[i]);
    }
    for (uint32_t b = 0; b < p->nblock; b++) {
        if (!room(w)) return false;
        w->at = put_varint(put_varint(w->at, p->code[b].first), p->code[b].count);
        for (uint32_t s = 0; s < 2; s++) w->at = put_varint(w->at, (uint64_t)(p->code[b].succ[s] + 1));
        w->at = put_varint(w->at, (uint64_t)(p->code[b].ipdom + 1));
    }
    return end_chunk(w);
}

int rf_stream_write_program(rf_stream_writer *w, const rf_program *p) {
    if (w->failed || !check_program(w, p)) return -1;
    w->entries = 0;
    w->nstatic = p->ninst;
    if (w->bucket) memset(w->bucket, 0, BUCKETS * sizeof *w->bucket);
    w->has_program = true;
    w->programs++;
    begin_chunk(w, RF_CHUNK_PROGRAM);
    w->at = put_text(w->at, p->kernel, strlen(p->kernel));
    w->at = put_text(w->at, p->origin, strlen(p->origin));
    for (uint32_t i = 0; i < 3; i++) w->at = put_varint(w->at, p->grid[i]);
    for (uint32_t i = 0; i < 3; i++) w->at = put_varint(w->at, p->block[i]);
    w->at = put_varint(put_varint(w->at, p->shared_bytes), p->nreg);
    w->at = put_varint(put_varint(put_varint(w->at, p->ninst), p->nblock), p->text_bytes);
    return put_program_items(w, p) ? 0 : -1;
}

/* --- warps ------------------------------------------------------------------------------------------------------------------ */

/* What an execution adds, in range. */
static bool check_dynamic(rf_stream_writer *w, const rf_inst *inst, const rf_inst *known) {
    if (inst->address && inst->width == 0) return fail(w, "pc %" PRIx64 ": addresses without a width", inst->pc);
    uint64_t stray = 0;
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) {
        if (inst->mask >> l & 1) continue;
        if (inst->address) stray |= inst->address[l];
        for (uint32_t d = 0; inst->value && d < inst->ndst; d++) stray |= inst->value[d * RF_LANES_MAX + l];
    }
    if (stray) return fail(w, "pc %" PRIx64 ": an inactive lane has an address or a value other than 0", inst->pc);
    return check_hint(w, inst, known);
}

/* What the next instruction of a warp is told apart from. */
typedef struct place {
    uint32_t number, mask;
    uint64_t pc;
} place;

static bool put_instruction(rf_stream_writer *w, const rf_inst *inst, place *last) {
    uint32_t number = inst->index;
    bool fresh = false;
    if (inst->index == RF_INDEX_NONE) {
        if (inst->mask == 0 && (inst->nsrc || inst->ndst)) return fail(w, "pc %" PRIx64 ": registers under mask 0", inst->pc);
        if (!number_of(w, inst, &number, &fresh)) return false;
    } else if (inst->index >= w->nstatic || !same_static(&w->entry[inst->index].inst, inst)) {
        return fail(w, "pc %" PRIx64 ": instruction %u of the program is another one", inst->pc, inst->index);
    }
    rf_stream_entry *const entry = &w->entry[number];
    if (!check_dynamic(w, inst, &entry->inst) || !room(w)) return false;
    const bool hint = !same_hint(&inst->hint, &entry->inst.hint), values = inst->value && inst->ndst && inst->mask;
    uint8_t *p = w->at + 1;
    uint32_t tag = (inst->address ? RF_TAG_ADDRESS : 0) | (values ? RF_TAG_VALUE : 0) | (hint ? RF_TAG_HINT : 0);
    if (fresh) {
        tag |= RF_TAG_NEW;
        p = put_static(put_text(p, inst->mnemonic, strlen(inst->mnemonic)), inst, last->pc + 16);
    } else if (number == last->number + 1) {
        tag |= RF_TAG_NEXT;
    } else {
        p = put_signed(p, (int64_t)number - (int64_t)(last->number + 1));
    }
    if (inst->mask == last->mask) tag |= RF_TAG_MASK_SAME;
    else if (inst->mask == UINT32_MAX) tag |= RF_TAG_MASK_FULL;
    else p = put32(p, inst->mask);
    if (hint) p = put_hint(p, &inst->hint, &entry->inst);
    entry->inst.hint = inst->hint;
    if (inst->address) p = put_addresses(p, inst, entry);
    if (values) p = put_values(p, inst, entry);
    *w->at = (uint8_t)tag;
    w->at = p;
    *last = (place){.number = number, .mask = inst->mask, .pc = inst->pc};
    return true;
}

int rf_stream_write_warp(rf_stream_writer *w, const rf_warp *warp) {
    if (!w->failed && !w->has_program) (void)fail(w, "a warp before the first program");
    if (!w->failed && warp->count > RF_STREAM_WARP_MAX) (void)fail(w, "warp: more than %u instructions", RF_STREAM_WARP_MAX);
    if (w->failed) return -1;
    begin_chunk(w, RF_CHUNK_WARP);
    for (uint32_t i = 0; i < 3; i++) w->at = put_varint(w->at, warp->block[i]);
    w->at = put_varint(put_varint(w->at, warp->warp), warp->count);
    place last = {.number = RF_INDEX_NONE, .mask = UINT32_MAX};
    for (size_t i = 0; i < warp->count; i++)
        if (!put_instruction(w, &warp->inst[i], &last)) return -1;
    w->warps++;
    w->instructions += warp->count;
    return end_chunk(w) ? 0 : -1;
}

/* --- life ------------------------------------------------------------------------------------------------------------------- */

rf_stream_writer *rf_stream_writer_open(const rf_sink *sink, char *error, size_t size) {
    rf_stream_writer *const w = calloc(1, sizeof *w);
    if (w) w->buffer = malloc(RF_STREAM_WORD + RF_STREAM_CHUNK_MAX + 4);
    if (!w || !w->buffer) {
        (void)snprintf(error, size, "stream: no memory");
        rf_stream_writer_abandon(w);
        return NULL;
    }
    w->sink = *sink;
    w->end = w->buffer + RF_STREAM_WORD + RF_STREAM_CHUNK_MAX;
    rf_crc32c_init(&w->tables);
    uint8_t head[RF_STREAM_HEAD];
    memcpy(head, RF_STREAM_MAGIC, 8);
    (void)put32(head + 8, RF_STREAM_VERSION);
    w->crc = rf_crc32c_update(&w->tables, 0, head, 12);
    (void)put32(head + 12, w->crc);
    if (send(w, head, sizeof head)) return w;
    (void)snprintf(error, size, "%s", w->error);
    rf_stream_writer_abandon(w);
    return NULL;
}

int rf_stream_writer_close(rf_stream_writer *w, char *error, size_t size) {
    if (!w->failed) {
        begin_chunk(w, RF_CHUNK_END);
        w->at = put_varint(put_varint(put_varint(w->at, w->programs), w->warps), w->instructions);
        (void)end_chunk(w);
    }
    const int status = w->failed ? -1 : 0;
    if (w->failed) (void)snprintf(error, size, "%s", w->error);
    rf_stream_writer_abandon(w);
    return status;
}

void rf_stream_writer_abandon(rf_stream_writer *w) {
    if (!w) return;
    free(w->buffer);
    free(w->entry);
    free(w->bucket);
    free(w);
}
