/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_stream.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_crc32c.h"
#include "cmodel/workload/rf_lines.h"
#include "cmodel/workload/rf_opcode.h"
#include "cmodel/workload/rf_stream_code.h"

#define BUFFER_SIZE 65536u /* at first; it grows with the largest chunk */
#define SLACK 8u           /* bytes behind the buffer that may be read, not used */

struct rf_stream {
    const rf_source *source;
    void *handle;
    char *path;
    uint8_t *buffer;
    size_t room;        /* its size */
    size_t begin, have; /* bytes in it: from the current chunk on */
    size_t used;        /* of them, the chunk */
    uint64_t offset;    /* of `begin` in the file */
    rf_crc32c tables;
    uint32_t crc;
    uint32_t version;
    const uint8_t *at, *end; /* not yet decoded of the chunk */
    rf_optable *names;
    rf_program program;
    size_t text_capacity;
    uint32_t inst_capacity, code_capacity;
    rf_stream_entry *entry; /* as the writer's */
    uint32_t entries, capacity;
    uint32_t programs;
    uint64_t warps, instructions;
    uint64_t present; /* rf_warp_link: an address or a value is there */
    bool ended, failed;
    char error[512];
};

/* "FILE: byte N: field: text", once; always false. */
__attribute__((format(printf, 4, 5))) static bool fail_at(rf_stream *r, uint64_t byte, const char *field, const char *format,
                                                          ...) {
    if (r->failed) return false;
    va_list args;
    char shown[RF_PATH_SHOWN];
    r->failed = true;
    const int head =
        snprintf(r->error, sizeof r->error, "%s: byte %" PRIu64 ": %s: ", rf_path_shown(r->path, shown), byte, field);
    if (head < 0 || (size_t)head >= sizeof r->error) return false;
    va_start(args, format);
    (void)vsnprintf(r->error + head, sizeof r->error - (size_t)head, format, args);
    va_end(args);
    return false;
}

static uint64_t here(const rf_stream *r) { return r->offset + (uint64_t)(r->at - (r->buffer + r->begin)); }

static bool no_memory(rf_stream *r) { return fail_at(r, here(r), "memory", "none left"); }

/* --- chunks ----------------------------------------------------------------------------------------------------------------- */

static uint32_t get32(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Makes the buffer hold `size` bytes from `begin` on. */
static bool make_room(rf_stream *r, size_t size) {
    if (r->begin > 0) memmove(r->buffer, r->buffer + r->begin, r->have - r->begin);
    r->have -= r->begin;
    r->begin = 0;
    if (size <= r->room) return true;
    const size_t room = size + BUFFER_SIZE;
    uint8_t *const grown = realloc(r->buffer, room + SLACK);
    if (!grown) return fail_at(r, r->offset, "memory", "none left");
    memset(grown + r->room, 0, room + SLACK - r->room);
    r->buffer = grown;
    r->room = room;
    r->at = r->end = grown;
    return true;
}

/* `size` bytes from `begin` on; *ended instead when the file holds none at all (may be NULL: then that is an error). */
static bool need(rf_stream *r, size_t size, const char *field, bool *ended) {
    if (r->begin + size > r->room && !make_room(r, size)) return false;
    while (r->have - r->begin < size) {
        char why[256] = "";
        const long got = r->source->read(r->handle, r->buffer + r->have, r->room - r->have, why, sizeof why);
        const uint64_t byte = r->offset + (r->have - r->begin);
        if (got < 0) return fail_at(r, byte, "read", "%s", why);
        if (got == 0 && r->have == r->begin && ended) return *ended = true;
        if (got == 0) return fail_at(r, byte, field, "the file ends here (truncated?)");
        r->have += (size_t)got;
    }
    return true;
}

/* Behind the current chunk. */
static void drop(rf_stream *r) {
    r->begin += r->used;
    r->offset += r->used;
    r->used = 0;
    r->at = r->end = r->buffer + r->begin;
}

/* The next chunk, its checksum held. */
static bool next_chunk(rf_stream *r, uint32_t *kind) {
    drop(r);
    if (!need(r, RF_STREAM_WORD, "chunk", NULL)) return false;
    const uint32_t word = get32(r->buffer + r->begin), size = word & 0xffffff;
    if (size == 0 || size > RF_STREAM_CHUNK_MAX)
        return fail_at(r, r->offset, "chunk", "%u bytes (1 .. %u)", size, RF_STREAM_CHUNK_MAX);
    if (!need(r, RF_STREAM_WORD + size + 4, "chunk", NULL)) return false;
    const uint8_t *const chunk = r->buffer + r->begin;
    r->crc = rf_crc32c_update(&r->tables, r->crc, chunk, RF_STREAM_WORD + size);
    if (get32(chunk + RF_STREAM_WORD + size) != r->crc)
        return fail_at(r, r->offset, "chunk", "its checksum does not hold: the file is damaged");
    *kind = word >> 24;
    r->at = chunk + RF_STREAM_WORD;
    r->end = r->at + size;
    r->used = RF_STREAM_WORD + size + 4;
    return true;
}

/* The next item starts in this chunk, or in one that continues it. */
static bool more(rf_stream *r, const char *field) {
    uint32_t kind = RF_CHUNK_MORE;
    if (r->at < r->end) return true;
    return next_chunk(r, &kind) && (kind == RF_CHUNK_MORE || fail_at(r, r->offset, field, "more announced than there are"));
}

static bool all_used(rf_stream *r) {
    return r->at == r->end || fail_at(r, here(r), "chunk", "%u bytes are left over", (unsigned)(r->end - r->at));
}

/* --- numbers ---------------------------------------------------------------------------------------------------------------- */

static bool cut(rf_stream *r, const char *field) { return fail_at(r, here(r), field, "the chunk ends inside"); }

static inline bool get_byte(rf_stream *r, const char *field, uint32_t max, uint8_t *x) {
    if (r->at == r->end) return cut(r, field);
    if (*r->at > max) return fail_at(r, here(r), field, "%u (0 .. %u)", *r->at, max);
    *x = *r->at++;
    return true;
}

static inline bool get_word(rf_stream *r, const char *field, uint32_t *x) {
    if (r->end - r->at < 4) return cut(r, field);
    *x = get32(r->at);
    r->at += 4;
    return true;
}

static inline bool get_varint(rf_stream *r, const char *field, uint64_t max, uint64_t *x) {
    const uint8_t *p = r->at;
    uint64_t v = 0;
    for (uint32_t shift = 0;; shift += 7) {
        if (p == r->end) return cut(r, field);
        const uint64_t bits = *p & 127u;
        if (shift == 63 && *p > 1) return fail_at(r, here(r), field, "a number above 64 bits");
        v |= bits << shift;
        if (*p++ < 128) break;
    }
    if (v > max) return fail_at(r, here(r), field, "%" PRIu64 " (0 .. %" PRIu64 ")", v, max);
    r->at = p;
    *x = v;
    return true;
}

static inline bool get_u32(rf_stream *r, const char *field, uint32_t max, uint32_t *x) {
    uint64_t v = 0;
    if (!get_varint(r, field, max, &v)) return false;
    *x = (uint32_t)v;
    return true;
}

static inline bool get_signed(rf_stream *r, const char *field, int64_t *x) {
    uint64_t v = 0;
    if (!get_varint(r, field, UINT64_MAX, &v)) return false;
    *x = rf_unzigzag(v);
    return true;
}

/* A text of min .. max bytes, without its end. */
static bool get_text(rf_stream *r, const char *field, uint32_t min, uint32_t max, const char **text, uint32_t *length) {
    if (!get_u32(r, field, max, length)) return false;
    if (*length < min) return fail_at(r, here(r), field, "%u bytes (%u .. %u)", *length, min, max);
    if ((size_t)(r->end - r->at) < *length) return cut(r, field);
    *text = (const char *)r->at;
    if (memchr(*text, '\0', *length)) return fail_at(r, here(r), field, "a NUL inside");
    r->at += *length;
    return true;
}

static bool get_mnemonic(rf_stream *r, const char **text, uint32_t *length) {
    if (!get_text(r, "mnemonic", 1, RF_OPCODE_TEXT_MAX, text, length)) return false;
    for (uint32_t i = 0; i < *length; i++)
        if ((*text)[i] <= ' ' || (*text)[i] > '~') return fail_at(r, here(r), "mnemonic", "a character that is not printable");
    return true;
}

/* --- lanes ------------------------------------------------------------------------------------------------------------------ */

/* `width` bytes each behind a minimum: the packed form. */
static inline bool get_packed(rf_stream *r, const char *field, uint32_t bits, uint32_t mask, uint32_t width, uint64_t *lane,
                              uint64_t *last) {
    const uint64_t modulus = bits == 32 ? UINT32_MAX : UINT64_MAX;
    uint8_t shift = 0;
    int64_t ahead = 0;
    if (!get_byte(r, field, bits - 1, &shift) || !get_signed(r, field, &ahead)) return false;
    const uint64_t low = (*last + (uint64_t)ahead) & modulus;
    if ((size_t)(r->end - r->at) < (size_t)width * (uint32_t)__builtin_popcount(mask)) return cut(r, field);
    const uint8_t *p = r->at;
    for (uint32_t m = mask; m; m &= m - 1, p += width) {
        uint64_t x = 0;
        for (uint32_t i = 0; i < 8; i++) x |= (uint64_t)p[i] << 8 * i; /* always 8: one load; the buffer has SLACK */
        lane[rf_lowest(m)] = (low + ((x & rf_mask64(8 * width)) << shift)) & modulus;
    }
    r->at = p;
    *last = lane[rf_lowest(mask)];
    return true;
}

/* The active lanes into `lane`, the others 0, as put_lanes wrote them. */
static inline bool get_lanes(rf_stream *r, const char *field, uint32_t bits, uint32_t mask, uint64_t lane[RF_LANES_MAX],
                             uint64_t *last) {
    const uint64_t modulus = bits == 32 ? UINT32_MAX : UINT64_MAX;
    uint8_t form = 0;
    int64_t ahead = 0, step = 0;
    memset(lane, 0, RF_LANES_MAX * sizeof *lane);
    if (!get_byte(r, field, (bits / 8 - 1) << 2 | RF_LANES_KIND, &form)) return false;
    const uint32_t kind = form & RF_LANES_KIND, first = rf_lowest(mask);
    if (kind == RF_LANES_PACKED) return get_packed(r, field, bits, mask, (form >> 2) + 1u, lane, last);
    if (form != kind) return fail_at(r, here(r) - 1, field, "a form that does not exist");
    if (!get_signed(r, field, &ahead)) return false;
    if (kind != RF_LANES_UNIFORM && !get_signed(r, field, &step)) return false;
    const uint64_t base = *last = (*last + (uint64_t)ahead) & modulus;
    const uint64_t other = (base + (uint64_t)step) & modulus;
    uint32_t others = 0;
    if (kind == RF_LANES_PAIR && !get_word(r, field, &others)) return false;
    if (kind == RF_LANES_STRIDE)
        for (uint32_t m = mask; m; m &= m - 1) lane[rf_lowest(m)] = (base + (uint64_t)step * (rf_lowest(m) - first)) & modulus;
    else
        for (uint32_t m = mask; m; m &= m - 1) lane[rf_lowest(m)] = others >> rf_lowest(m) & 1 ? other : base;
    return true;
}

/* --- instructions ----------------------------------------------------------------------------------------------------------- */

static bool get_place(rf_stream *r, const char *field, bool (*possible)(uint32_t), uint8_t *place) {
    if (!get_byte(r, field, 255, place)) return false;
    return possible(*place) || fail_at(r, here(r) - 1, field, "%u is no place", *place);
}

/* Into the hint of `inst`, which has all operands. */
static bool get_hint(rf_stream *r, rf_inst *inst) {
    rf_hint h = {0};
    if (!get_byte(r, "hint", r->version > 1 ? 255 : RF_STREAM_PLACES - 1, &h.flags) ||
        !get_u32(r, "src_near", UINT32_MAX, &h.src_near) || !get_u32(r, "dst_near", UINT32_MAX, &h.dst_near) ||
        !get_u32(r, "src_dead", UINT32_MAX, &h.src_dead) || !get_u32(r, "dst_dead", UINT32_MAX, &h.dst_dead) ||
        !get_byte(r, "nfree", RF_HINT_FREE_MAX, &h.nfree))
        return false;
    for (uint32_t i = 0; i < h.nfree; i++)
        if (!get_byte(r, "free_reg", 255, &h.free_reg[i]) || !get_byte(r, "free_was", 255, &h.free_was[i])) return false;
    if (h.flags >= RF_STREAM_PLACES) {
        h.flags = (uint8_t)(h.flags - RF_STREAM_PLACES);
        for (uint32_t i = 0; i < inst->nsrc; i++)
            if (!get_place(r, "src_from", rf_stream_from, &h.src_from[i])) return false;
        for (uint32_t i = 0; i < inst->ndst; i++)
            if (!get_place(r, "dst_to", rf_stream_to, &h.dst_to[i])) return false;
    }
    inst->hint = h;
    return true;
}

/* As put_static: everything but the text, `pc` being the one expected. */
static bool get_static(rf_stream *r, uint64_t pc, rf_inst *inst) {
    int64_t ahead = 0;
    uint8_t flags = 0, width = 0;
    *inst = (rf_inst){.mask = UINT32_MAX, .index = RF_INDEX_NONE};
    if (!get_signed(r, "pc", &ahead) || !get_byte(r, "class", RF_FLAGS - 1, &flags)) return false;
    if ((flags & RF_CLASS_BITS) > RF_OP_CTRL)
        return fail_at(r, here(r) - 1, "class", "%u (0 .. %u)", flags & RF_CLASS_BITS, RF_OP_CTRL);
    inst->pc = pc + (uint64_t)ahead;
    inst->opclass = (rf_opclass)(flags & RF_CLASS_BITS);
    inst->load = (flags & RF_FLAG_LOAD) != 0;
    inst->store = (flags & RF_FLAG_STORE) != 0;
    if (!get_byte(r, "ndst", RF_INST_DST_MAX, &inst->ndst) || !get_byte(r, "nsrc", RF_INST_SRC_MAX, &inst->nsrc)) return false;
    for (uint32_t d = 0; d < inst->ndst; d++)
        if (!get_byte(r, "dst", 255, &inst->dst[d])) return false;
    for (uint32_t s = 0; s < inst->nsrc; s++)
        if (!get_byte(r, "src", 255, &inst->src[s])) return false;
    if ((flags & RF_FLAG_WIDTH) && !get_byte(r, "width", RF_STREAM_WIDTH_MAX, &width)) return false;
    inst->width = width;
    return !(flags & RF_FLAG_IMMEDIATE) || get_signed(r, "immediate", &inst->immediate);
}

/* `list` of `count` elements with room for one more, growing with what was really read; NULL: no memory. */
static void *room(void *list, uint32_t count, uint32_t *capacity, size_t size) {
    if (count < *capacity) return list;
    const uint32_t wanted = *capacity ? 2 * *capacity : 64;
    void *const grown = realloc(list, wanted * size);
    if (grown) *capacity = wanted;
    return grown;
}

/* A numbered instruction with an interned text. */
static rf_stream_entry *append_entry(rf_stream *r, const rf_inst *inst, const char *text, size_t length) {
    const rf_opcode *const opcode = rf_optable_find(r->names, text, length);
    if (!opcode)
        return (void)fail_at(r, here(r), "mnemonic", "no memory, or more than %u different ones", RF_OPCODE_DISTINCT), NULL;
    rf_stream_entry *const grown = room(r->entry, r->entries, &r->capacity, sizeof *grown);
    if (!grown) return (void)no_memory(r), NULL;
    r->entry = grown;
    rf_stream_entry *const entry = &r->entry[r->entries++];
    *entry = (rf_stream_entry){.inst = *inst};
    entry->inst.mnemonic = opcode->text;
    entry->inst.opcode = opcode->hash;
    return entry;
}

/* --- programs --------------------------------------------------------------------------------------------------------------- */

static char *copy_text(const char *text, uint32_t length) {
    char *const copy = malloc(length + 1u);
    if (!copy) return NULL;
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

static bool program_head(rf_stream *r, rf_program *p, uint32_t *text_bytes) {
    const char *name = NULL, *origin = NULL;
    uint32_t name_length = 0, origin_length = 0;
    if (!get_text(r, "kernel", 0, RF_STREAM_NAME_MAX, &name, &name_length) ||
        !get_text(r, "origin", 0, RF_STREAM_NAME_MAX, &origin, &origin_length))
        return false;
    p->kernel = copy_text(name, name_length);
    p->origin = copy_text(origin, origin_length);
    if (!p->kernel || !p->origin) return no_memory(r);
    for (uint32_t i = 0; i < 3; i++)
        if (!get_u32(r, "grid", UINT32_MAX, &p->grid[i])) return false;
    for (uint32_t i = 0; i < 3; i++)
        if (!get_u32(r, "block", UINT32_MAX, &p->block[i])) return false;
    return get_u32(r, "shared_bytes", UINT32_MAX, &p->shared_bytes) && get_u32(r, "nreg", RF_REGS_MAX, &p->nreg) &&
           get_u32(r, "ninst", RF_STREAM_STATIC_MAX, &p->ninst) && get_u32(r, "nblock", RF_STREAM_STATIC_MAX, &p->nblock) &&
           get_u32(r, "text_bytes", RF_STREAM_TEXT_MAX, text_bytes);
}

/* The words of the text, each with its NUL, `bytes` in all. */
static bool program_text(rf_stream *r, rf_program *p, uint32_t bytes) {
    while (p->text_bytes < bytes) {
        const char *word = NULL;
        uint32_t length = 0;
        if (!more(r, "text") || !get_mnemonic(r, &word, &length)) return false;
        if (length >= bytes - p->text_bytes) return fail_at(r, here(r), "text", "longer than the %u bytes announced", bytes);
        if (p->text_bytes + length + 1 > r->text_capacity) {
            char *const grown = realloc(p->text, 2 * r->text_capacity + RF_OPCODE_TEXT_MAX + 1);
            if (!grown) return no_memory(r);
            p->text = grown;
            r->text_capacity = 2 * r->text_capacity + RF_OPCODE_TEXT_MAX + 1;
        }
        memcpy(p->text + p->text_bytes, word, length);
        p->text_bytes += length + 1;
        p->text[p->text_bytes - 1] = '\0';
    }
    return true;
}

static bool program_instructions(rf_stream *r, rf_program *p, uint32_t ninst) {
    for (p->ninst = 0; p->ninst < ninst; p->ninst++) {
        uint64_t word = 0;
        if (!more(r, "ninst") || !get_varint(r, "mnemonic", UINT64_MAX, &word)) return false;
        if (word >= p->text_bytes || (word > 0 && p->text[word - 1] != '\0'))
            return fail_at(r, here(r), "mnemonic", "%" PRIu64 " is no word's start in the text", word);
        rf_inst *const grown = room(p->inst, p->ninst, &r->inst_capacity, sizeof *grown);
        if (!grown) return no_memory(r);
        p->inst = grown;
        rf_inst *const inst = &p->inst[p->ninst];
        if (!get_static(r, p->ninst ? p->inst[p->ninst - 1].pc + 16 : 0, inst) || !get_hint(r, inst)) return false;
        inst->index = p->ninst;
        inst->mnemonic = p->text + word;
        const rf_stream_entry *const entry = append_entry(r, inst, inst->mnemonic, strlen(inst->mnemonic));
        if (!entry) return false;
        inst->opcode = entry->inst.opcode;
    }
    return true;
}

/* A block's number + 1, or 0 for none. */
static bool get_block(rf_stream *r, const char *field, uint32_t nblock, uint32_t *block) {
    if (!get_u32(r, field, nblock, block)) return false;
    (*block)--;
    return true;
}

static bool program_blocks(rf_stream *r, rf_program *p, uint32_t nblock) {
    for (p->nblock = 0; p->nblock < nblock; p->nblock++) {
        rf_program_block block = {0};
        if (!more(r, "nblock") || !get_u32(r, "first", p->ninst, &block.first) ||
            !get_u32(r, "count", p->ninst - block.first, &block.count) || !get_block(r, "succ", nblock, &block.succ[0]) ||
            !get_block(r, "succ", nblock, &block.succ[1]) || !get_block(r, "ipdom", nblock, &block.ipdom))
            return false;
        rf_program_block *const grown = room(p->code, p->nblock, &r->code_capacity, sizeof *grown);
        if (!grown) return no_memory(r);
        p->code = grown;
        p->code[p->nblock] = block;
    }
    return true;
}

static bool read_program(rf_stream *r) {
    rf_program *const p = &r->program;
    uint32_t text_bytes = 0;
    rf_program_free(p);
    *p = (rf_program){0};
    r->text_capacity = 0;
    r->inst_capacity = r->code_capacity = 0;
    r->entries = 0;
    if (!program_head(r, p, &text_bytes)) return false;
    const uint32_t ninst = p->ninst, nblock = p->nblock;
    p->ninst = p->nblock = 0; /* what is there so far */
    if (!program_text(r, p, text_bytes) || !program_instructions(r, p, ninst) || !program_blocks(r, p, nblock)) return false;
    r->programs++;
    return all_used(r);
}

/* --- warps ------------------------------------------------------------------------------------------------------------------ */

typedef struct place {
    uint32_t number, mask;
    uint64_t pc;
} place;

/* The number that an instruction goes by, a new one appended. */
static bool get_number(rf_stream *r, uint32_t tag, const place *last, uint32_t *number) {
    const uint32_t expected = last->number + 1;
    if (tag & RF_TAG_NEW) {
        const char *text = NULL;
        uint32_t length = 0;
        rf_inst inst;
        if (tag & RF_TAG_NEXT) return fail_at(r, here(r) - 1, "tag", "new and known at once");
        if (!get_mnemonic(r, &text, &length) || !get_static(r, last->pc + 16, &inst)) return false;
        if (r->entries == r->program.ninst + RF_STREAM_NEW_MAX) r->entries--;
        *number = r->entries;
        return append_entry(r, &inst, text, length);
    }
    int64_t ahead = 0;
    if (!(tag & RF_TAG_NEXT) && !get_signed(r, "number", &ahead)) return false;
    const uint64_t n = (uint64_t)expected + (uint64_t)ahead;
    if (n >= r->entries) return fail_at(r, here(r), "number", "%" PRIu64 ": only %u instructions are known", n, r->entries);
    *number = (uint32_t)n;
    return true;
}

static bool get_mask(rf_stream *r, uint32_t tag, uint32_t last, uint32_t *mask) {
    const uint32_t how = tag & (RF_TAG_MASK_SAME | RF_TAG_MASK_FULL);
    *mask = how == RF_TAG_MASK_SAME ? last : UINT32_MAX;
    if (how == (RF_TAG_MASK_SAME | RF_TAG_MASK_FULL)) return fail_at(r, here(r), "mask", "two in one");
    return how || get_word(r, "mask", mask);
}

static bool get_values(rf_stream *r, rf_stream_entry *entry, const rf_inst *inst, uint32_t *value) {
    for (uint32_t d = 0; d < inst->ndst; d++) {
        uint64_t lane[RF_LANES_MAX], last = entry->value[d];
        if (!get_lanes(r, "value", 32, inst->mask, lane, &last)) return false;
        entry->value[d] = (uint32_t)last;
        for (uint32_t l = 0; l < RF_LANES_MAX; l++) *value++ = (uint32_t)lane[l];
    }
    return true;
}

static bool get_instruction(rf_stream *r, rf_warp *w, place *last) {
    uint8_t tag = 0;
    uint32_t number = 0, mask = 0;
    if (!more(r, "insts") || !get_byte(r, "tag", RF_STREAM_TAGS - 1, &tag) || !get_number(r, tag, last, &number) ||
        !get_mask(r, tag, last->mask, &mask))
        return false;
    rf_stream_entry *const entry = &r->entry[number];
    if ((tag & RF_TAG_HINT) && !get_hint(r, &entry->inst)) return false;
    const uint32_t ndst = mask ? entry->inst.ndst : 0;
    if (rf_warp_reserve(w, RF_LANES_MAX, ndst * RF_LANES_MAX) != 0) return no_memory(r);
    rf_inst *const inst = &w->inst[w->count];
    *inst = entry->inst;
    inst->mask = mask;
    if (mask == 0) inst->nsrc = inst->ndst = 0;
    if (tag & RF_TAG_ADDRESS) {
        uint64_t *const lane = w->address + w->address_count;
        if (inst->width == 0) return fail_at(r, here(r), "address", "of an instruction without a width");
        if (mask == 0) memset(lane, 0, RF_LANES_MAX * sizeof *lane);
        else if (!get_lanes(r, "address", 64, mask, lane, &entry->address)) return false;
        w->address_count += RF_LANES_MAX;
        inst->address = &r->present;
    }
    if (tag & RF_TAG_VALUE) {
        if (ndst == 0) return fail_at(r, here(r), "value", "of an instruction that writes nothing");
        if (!get_values(r, entry, inst, w->value + w->value_count)) return false;
        w->value_count += ndst * RF_LANES_MAX;
        inst->value = (uint32_t *)&r->present;
    }
    w->count++;
    *last = (place){.number = number, .mask = mask, .pc = inst->pc};
    return true;
}

static bool read_warp(rf_stream *r, rf_warp *w) {
    place last = {.number = RF_INDEX_NONE, .mask = UINT32_MAX};
    uint32_t count = 0;
    if (r->programs == 0) return fail_at(r, here(r), "warp", "comes before the first program");
    for (uint32_t i = 0; i < 3; i++)
        if (!get_u32(r, "block", UINT32_MAX, &w->block[i])) return false;
    if (!get_u32(r, "warp", UINT32_MAX, &w->warp) || !get_u32(r, "insts", RF_STREAM_WARP_MAX, &count)) return false;
    for (uint32_t i = 0; i < count; i++)
        if (!get_instruction(r, w, &last)) return false;
    rf_warp_link(w);
    r->warps++;
    r->instructions += count;
    return all_used(r);
}

static bool total(rf_stream *r, const char *field, uint64_t counted) {
    uint64_t x = 0;
    return get_varint(r, field, UINT64_MAX, &x) &&
           (x == counted || fail_at(r, here(r), field, "%" PRIu64 " announced, %" PRIu64 " found", x, counted));
}

static bool read_end(rf_stream *r) {
    if (!total(r, "programs", r->programs) || !total(r, "warps", r->warps) || !total(r, "instructions", r->instructions))
        return false;
    if (!all_used(r)) return false;
    drop(r);
    if (!need(r, 1, "end", &r->ended)) return false;
    return r->ended || fail_at(r, r->offset, "end", "more bytes follow");
}

/* --- life ------------------------------------------------------------------------------------------------------------------- */

static bool read_head(rf_stream *r) {
    if (!need(r, RF_STREAM_HEAD, "head", NULL)) return false;
    if (memcmp(r->buffer, RF_STREAM_MAGIC, 8) != 0)
        return fail_at(r, 0, "magic", "no stream file (\"%s\" expected)", RF_STREAM_MAGIC);
    r->version = get32(r->buffer + 8);
    if (r->version < 1 || r->version > RF_STREAM_VERSION)
        return fail_at(r, 8, "version", "%u (1 to %u are known)", r->version, RF_STREAM_VERSION);
    r->crc = rf_crc32c_update(&r->tables, 0, r->buffer, 12);
    if (get32(r->buffer + 12) != r->crc) return fail_at(r, 12, "head", "its checksum does not hold: the file is damaged");
    r->used = RF_STREAM_HEAD;
    return true;
}

rf_stream *rf_stream_open(const rf_source *source, const char *path, char *error, size_t size) {
    rf_stream *const r = calloc(1, sizeof *r);
    if (r) {
        r->path = malloc(strlen(path) + 1);
        r->buffer = calloc(1, BUFFER_SIZE + SLACK);
        r->room = BUFFER_SIZE;
        r->names = rf_optable_new();
    }
    if (!r || !r->path || !r->buffer || !r->names) {
        (void)snprintf(error, size, "%s: no memory", path);
        rf_stream_close(r);
        return NULL;
    }
    strcpy(r->path, path);
    r->source = source;
    r->at = r->end = r->buffer;
    rf_crc32c_init(&r->tables);
    if (source->open(source->ctx, path, &r->handle, error, size) != 0) {
        r->handle = NULL;
    } else {
        if (read_head(r)) return r;
        (void)snprintf(error, size, "%s", r->error);
    }
    rf_stream_close(r);
    return NULL;
}

int rf_stream_next(rf_stream *r, rf_warp *out, const rf_program **program) {
    out->count = out->address_count = out->value_count = 0;
    while (!r->failed && !r->ended) {
        uint32_t kind = 0;
        bool good = next_chunk(r, &kind);
        if (good && kind == RF_CHUNK_WARP && read_warp(r, out)) {
            *program = &r->program;
            return 1;
        }
        if (good && kind == RF_CHUNK_PROGRAM) good = read_program(r);
        else if (good && kind == RF_CHUNK_END) good = read_end(r);
        else if (good && kind != RF_CHUNK_WARP) good = fail_at(r, r->offset, "chunk", "of the unknown kind %u", kind);
    }
    out->count = out->address_count = out->value_count = 0;
    return r->failed ? -1 : 0;
}

uint32_t rf_stream_kernels(const rf_stream *r) { return r->programs; }

const char *rf_stream_error(const rf_stream *r) { return r->error; }

void rf_stream_close(rf_stream *r) {
    if (!r) return;
    if (r->handle) r->source->close(r->handle);
    rf_program_free(&r->program);
    rf_optable_free(r->names);
    free(r->entry);
    free(r->buffer);
    free(r->path);
    free(r);
}
