/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_traceg.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmodel/workload/rf_lines.h"

#define PAGE_BITS 12u
#define PAGE_BLOCKS (1u << PAGE_BITS)

/* A run of thread blocks, by number in the grid: which of them have been met. */
typedef struct page {
    uint64_t number; /* of its first block / PAGE_BLOCKS */
    uint64_t met[PAGE_BLOCKS / 64];
} page;

struct rf_traceg {
    rf_lines lines;
    rf_optable *table, *own_table;
    rf_traceg_header head;
    char *kernel;

    bool in_block, has_block;
    uint32_t block[3];
    uint32_t next_warp; /* lowest number the block's next warp may have */
    page **pages;       /* blocks met so far: a hash table, at most half full */
    size_t page_count, page_slots;
    uint64_t blocks;        /* met */
    uint64_t missing_warps; /* of them */

    uint64_t unknown;
    const char *first_unknown;
};

/* --- words that only a trace has: as rf_word_* ------------------------------------------------------------------------------ */

/* R0 .. R255 as a number; a uniform register (UR0 .. UR63, URZ) is no vector register: RF_REG_ZERO. */
static bool word_register(rf_lines *lines, const char **at, const char *field, uint8_t *reg) {
    static const char what[] = "a register (R0 .. R255)";
    const bool uniform = **at == 'U';
    const char *end = *at + uniform;
    uint32_t v = 0, digits = 0;
    if (*end == 'R') {
        for (end++; *end >= '0' && *end <= '9' && digits < 4; end++, digits++) v = v * 10 + (uint32_t)(*end - '0');
        if (uniform && digits == 0 && *end == 'Z') end++, digits = 1;
    }
    if (digits == 0 || v > RF_REG_ZERO) return rf_lines_fail_word(lines, field, *at, what);
    *reg = (uint8_t)(uniform ? RF_REG_ZERO : v);
    return rf_word_close(lines, at, end, field, what);
}

static bool opcode_character(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
}

static bool word_opcode(rf_lines *lines, rf_optable *table, const char **at, const rf_opcode **opcode) {
    static const char what[] = "an opcode (1 .. 63 letters, digits, dots)";
    const char *end = *at;
    while (opcode_character(*end)) end++;
    if (**at < 'A' || **at > 'Z' || end > *at + RF_OPCODE_TEXT_MAX) return rf_lines_fail_word(lines, "opcode", *at, what);
    const char *const text = *at;
    if (!rf_word_close(lines, at, end, "opcode", what)) return false;
    *opcode = rf_optable_find(table, text, (size_t)(end - text));
    return *opcode || rf_lines_fail(lines, "opcode", "no memory, or more than %u different ones", RF_OPCODE_DISTINCT);
}

/* `x,y,z`, in parentheses or not, each min .. max[i], up to the end of the line. */
static bool triple(rf_lines *lines, const char *at, const char *field, bool parentheses, uint32_t min, const uint32_t max[3],
                   uint32_t out[3]) {
    const char *p = at;
    bool good = !parentheses || *p++ == '(';
    for (uint32_t i = 0; good && i < 3; i++) {
        const char *const digits = p;
        uint64_t v = 0;
        for (; *p >= '0' && *p <= '9' && v <= UINT32_MAX; p++) v = v * 10 + (uint64_t)(*p - '0');
        good = p > digits && v >= min && v <= max[i] && (i == 2 || *p++ == ',');
        out[i] = (uint32_t)v;
    }
    if (good && (!parentheses || *p++ == ')') && *p == '\0') return true;
    char what[96];
    (void)snprintf(what, sizeof what, "%s with x %u .. %u, y %u .. %u, z %u .. %u", parentheses ? "(x,y,z)" : "x,y,z", min,
                   max[0], min, max[1], min, max[2]);
    return rf_lines_fail_word(lines, field, at, what);
}

/* The text behind `prefix`, or NULL. */
static const char *after(const char *line, const char *prefix) {
    const size_t length = strlen(prefix);
    return strncmp(line, prefix, length) == 0 ? line + length : NULL;
}

/* `value` is one number and nothing more. */
static bool lone_number(rf_lines *lines, const char *value, const char *field, uint64_t min, uint64_t max, uint32_t *out) {
    uint64_t number = 0;
    if (!rf_word_decimal(lines, &value, field, min, max, &number)) return false;
    *out = (uint32_t)number;
    return rf_word_none(lines, value);
}

static const char address_what[] = "an address (0x and 1 .. 16 hex digits)";

/* --- header ----------------------------------------------------------------------------------------------------------------- */

/* A key of the header: a plain number or an address goes to `offset`; grid, block and name have their own forms. */
typedef enum key_form { F_NUMBER, F_ADDRESS, F_GRID, F_BLOCK, F_NAME } key_form;

static const struct key {
    const char *text;
    key_form form;
    bool required;
    uint32_t min, max;
    size_t offset;
} keys[] = {
    {"kernel name", F_NAME, true, 0, 0, 0},
    {"grid dim", F_GRID, true, 0, 0, 0},
    {"block dim", F_BLOCK, true, 0, 0, 0},
    {"nregs", F_NUMBER, true, 0, 256, offsetof(rf_traceg_header, nregs)},
    {"accelsim tracer version", F_NUMBER, true, 3, 5, offsetof(rf_traceg_header, version)},
    {"kernel id", F_NUMBER, false, 0, INT32_MAX, offsetof(rf_traceg_header, kernel_id)},
    {"shmem", F_NUMBER, false, 0, INT32_MAX, offsetof(rf_traceg_header, shmem)},
    {"binary version", F_NUMBER, false, 0, 9999, offsetof(rf_traceg_header, binary_version)},
    {"enable lineinfo", F_NUMBER, false, 0, 1, offsetof(rf_traceg_header, lineinfo)},
    {"shmem base_addr", F_ADDRESS, false, 0, 0, offsetof(rf_traceg_header, shared_base)},
    {"local mem base_addr", F_ADDRESS, false, 0, 0, offsetof(rf_traceg_header, local_base)},
};
#define KEYS (sizeof keys / sizeof keys[0])

static bool header_value(rf_traceg *r, const struct key *key, const char *value) {
    static const uint32_t grid_max[3] = {INT32_MAX, 65535, 65535}, block_max[3] = {1024, 1024, 64}; /* CUDA's own limits */
    rf_traceg_header *const head = &r->head;
    switch (key->form) {
    case F_NUMBER:
        return lone_number(&r->lines, value, key->text, key->min, key->max, (void *)((char *)head + key->offset));
    case F_ADDRESS:
        return rf_word_hex(&r->lines, &value, key->text, "0x", 1, 16, address_what, (void *)((char *)head + key->offset)) &&
               rf_word_none(&r->lines, value);
    case F_GRID:
        return triple(&r->lines, value, key->text, true, 1, grid_max, head->grid);
    case F_BLOCK:
        if (!triple(&r->lines, value, key->text, true, 1, block_max, head->block)) return false;
        return head->block[0] * head->block[1] * head->block[2] <= 1024 ||
               rf_lines_fail(&r->lines, key->text, "more than 1024 threads");
    default:
        break;
    }
    if (*value == '\0') return rf_lines_fail_word(&r->lines, key->text, value, "a name");
    r->kernel = malloc(strlen(value) + 1);
    if (!r->kernel) return rf_lines_fail(&r->lines, key->text, "no memory");
    head->kernel = strcpy(r->kernel, value);
    return true;
}

/* `-key = value`; keys this reader has no use for are passed over. */
static bool header_line(rf_traceg *r, char *line, uint32_t *seen) {
    const size_t length = strlen(line);
    char *equals = strstr(line, " = ");
    const char *value = equals ? equals + 3 : "";
    if (!equals && length > 2 && strcmp(line + length - 2, " =") == 0) equals = line + length - 2; /* an empty value */
    if (!equals) return rf_lines_fail(&r->lines, "header", "'-key = value' expected");
    *equals = '\0';
    for (uint32_t k = 0; k < KEYS; k++) {
        if (strcmp(line + 1, keys[k].text) != 0) continue;
        if (*seen >> k & 1) return rf_lines_fail(&r->lines, keys[k].text, "given twice");
        *seen |= UINT32_C(1) << k;
        return header_value(r, &keys[k], value);
    }
    return true;
}

/* Everything up to the first #BEGIN_TB. */
static bool read_header(rf_traceg *r) {
    uint32_t seen = 0;
    char *line = NULL;
    while (!r->in_block) {
        const int got = rf_lines_next_text(&r->lines, &line);
        if (got < 0) return false;
        if (got == 0) return rf_lines_fail(&r->lines, "#BEGIN_TB", "missing: the file ends in its header (truncated?)");
        if (*line == '-') {
            if (!header_line(r, line, &seen)) return false;
        } else if (seen == 0) {
            return rf_lines_fail(&r->lines, "header", "not an Accel-Sim trace: '-key = value' expected");
        } else if (strcmp(line, "#BEGIN_TB") == 0) {
            r->in_block = true;
        } else if (*line != '#') {
            return rf_lines_fail_word(&r->lines, "header", line, "'-key = value' or #BEGIN_TB (a .traceg is grouped by block)");
        }
    }
    for (uint32_t k = 0; k < KEYS; k++)
        if (keys[k].required && !(seen >> k & 1)) return rf_lines_fail(&r->lines, keys[k].text, "missing in the header");
    return true;
}

static uint32_t block_threads(const rf_traceg *r) { return r->head.block[0] * r->head.block[1] * r->head.block[2]; }
static uint32_t block_warps(const rf_traceg *r) { return (block_threads(r) + RF_LANES_MAX - 1) / RF_LANES_MAX; }

/* --- instructions ----------------------------------------------------------------------------------------------------------- */

/* Room for one more. Grows by doubling, so that memory follows the warp that was read and not the count it announces. */
static bool reserve(rf_lines *lines, rf_warp *w) {
    if (w->count == w->capacity) {
        const size_t capacity = w->capacity ? 2 * w->capacity : 64;
        rf_inst *const grown = realloc(w->inst, capacity * sizeof *grown);
        if (!grown) return rf_lines_fail(lines, "insts", "no memory for %zu instructions", capacity);
        w->inst = grown;
        w->capacity = capacity;
    }
    if (w->address_capacity - w->address_count < RF_LANES_MAX) {
        const size_t capacity = w->address_capacity ? 2 * w->address_capacity : 64 * RF_LANES_MAX;
        uint64_t *const grown = realloc(w->address, capacity * sizeof *grown);
        if (!grown) return rf_lines_fail(lines, "mem_addresses", "no memory for %zu addresses", capacity);
        w->address = grown;
        w->address_capacity = capacity;
    }
    return true;
}

/* A count and as many registers. */
static bool registers(rf_lines *lines, const char **at, const char *count_field, const char *field, uint32_t *count,
                      uint8_t *list) {
    uint64_t n = 0;
    if (!rf_word_decimal(lines, at, count_field, 0, RF_OPCODE_OPERANDS, &n)) return false;
    for (uint64_t i = 0; i < n; i++)
        if (!word_register(lines, at, field, &list[i])) return false;
    *count = (uint32_t)n;
    return true;
}

/* The 32 lane addresses behind mem_width: 0 one a lane, 1 base and stride over one run of active lanes, 2 base and differences
 * from one active lane to the next (Accel-Sim, trace_parser.cc: base_stride_decompress, base_delta_decompress). */
static bool addresses(rf_lines *lines, const char **at, uint32_t mask, uint64_t lane[RF_LANES_MAX]) {
    uint64_t form = 0, address = 0;
    int64_t step = 0;
    bool first = true;
    if (!rf_word_decimal(lines, at, "address format", 0, 2, &form)) return false;
    if (form != 0 && !rf_word_hex(lines, at, "base address", "0x", 1, 16, address_what, &address)) return false;
    if (form == 1 && !rf_word_signed(lines, at, "stride", INT32_MIN, INT32_MAX, &step)) return false;
    const uint64_t run = mask ? (uint64_t)mask >> rf_lowest(mask) : 0;
    if (form == 1 && (run & (run + 1))) return rf_lines_fail(lines, "address format", "stride needs one run of active lanes");
    memset(lane, 0, RF_LANES_MAX * sizeof *lane);
    for (uint32_t m = mask; m; m &= m - 1, first = false) {
        if (form == 0 && !rf_word_hex(lines, at, "address", "0x", 1, 16, address_what, &address)) return false;
        if (form == 2 && !first && !rf_word_signed(lines, at, "address delta", INT64_MIN, INT64_MAX, &step)) return false;
        if (form != 0 && !first) address += (uint64_t)step;
        lane[rf_lowest(m)] = address;
    }
    return true;
}

/* Where a generic address of this trace is among ours. */
static uint64_t generic(const rf_traceg_header *head, uint64_t address) {
    const uint64_t shared = address - head->shared_base, local = address - head->local_base;
    if (head->shared_base != 0 && shared < RF_TRACEG_WINDOW_BYTES) return RF_TRACEG_SHARED_WINDOW + shared;
    if (head->local_base != 0 && local < RF_TRACEG_WINDOW_BYTES) return RF_TRACEG_LOCAL_WINDOW + local;
    return address;
}

/* [mem_width's addresses] [immediate] and the end of the line. */
static bool instruction_tail(rf_traceg *r, const char *at, const rf_opcode *opcode, uint32_t width, rf_warp *w, rf_inst *inst) {
    if (width && opcode->tile) return true; /* a tile's own forms of addresses; they concern no lane */
    if (width) {
        inst->width = opcode->width ? opcode->width : width;
        uint64_t *const lane = w->address + w->address_count;
        if (!addresses(&r->lines, &at, inst->mask, lane)) return false;
        for (uint32_t m = opcode->generic ? inst->mask : 0; m; m &= m - 1)
            lane[rf_lowest(m)] = generic(&r->head, lane[rf_lowest(m)]);
        w->address_count += RF_LANES_MAX;
    }
    if (r->head.version >= 5 && !rf_word_signed(&r->lines, &at, "immediate", INT64_MIN, INT64_MAX, &inst->immediate))
        return false;
    return rf_word_none(&r->lines, at);
}

/* [line] PC mask ndst [R...] opcode nsrc [R...] width ... */
static bool instruction(rf_traceg *r, const char *at, rf_warp *w) {
    rf_lines *const lines = &r->lines;
    uint64_t number = 0, mask = 0, width = 0, pc = 0;
    rf_listed listed = {0};
    const rf_opcode *opcode = NULL;
    uint8_t base = 0;
    bool odd = false;
    if (!reserve(lines, w)) return false;
    if (r->head.lineinfo && !rf_word_decimal(lines, &at, "line_num", 0, UINT32_MAX, &number)) return false;
    if (!rf_word_hex(lines, &at, "PC", "", 1, 16, "a program counter (1 .. 16 hex digits)", &pc)) return false;
    if (!rf_word_hex(lines, &at, "mask", "", 8, 8, "8 hex digits", &mask)) return false;
    const uint32_t threads = block_threads(r) - w->warp * RF_LANES_MAX; /* from the warp's first on */
    if (threads < RF_LANES_MAX && mask >> threads)
        return rf_lines_fail(lines, "mask", "%08" PRIx64 " has lanes above the %u threads of warp %u (block dim)", mask, threads,
                             w->warp);
    if (!registers(lines, &at, "dest_num", "reg_dests", &listed.ndst, listed.dst)) return false;
    if (!word_opcode(lines, r->table, &at, &opcode)) return false;
    if (!registers(lines, &at, "src_num", "reg_srcs", &listed.nsrc, listed.src)) return false;
    if (!rf_word_decimal(lines, &at, "mem_width", 0, 64, &width)) return false;
    rf_inst *const inst = &w->inst[w->count];
    *inst = (rf_inst){.pc = pc,
                      .opcode = opcode->hash,
                      .mnemonic = opcode->text,
                      .mask = (uint32_t)mask,
                      .opclass = opcode->opclass,
                      .load = opcode->load,
                      .store = opcode->store,
                      .index = RF_INDEX_NONE};
    if (!instruction_tail(r, at, opcode, (uint32_t)width, w, inst)) return false;
    listed.immediate = inst->immediate != 0;
    const char *const wrong = inst->mask ? rf_opcode_expand(opcode, &listed, inst, &base, &odd) : NULL;
    if (wrong) return rf_lines_fail(lines, "registers", "%s: R%u with its width %s", opcode->text, base, wrong);
    if ((!opcode->known || odd) && r->unknown++ == 0) r->first_unknown = opcode->text;
    w->count++;
    return true;
}

/* `insts = k` and its k lines. */
static bool read_warp(rf_traceg *r, rf_warp *w) {
    rf_lines *const lines = &r->lines;
    char *line = NULL;
    uint32_t insts = 0;
    int got = rf_lines_next_text(lines, &line);
    if (got < 0) return false;
    if (got == 0) return rf_lines_fail(lines, "insts", "missing: the file ends (truncated?)");
    const char *const value = after(line, "insts = ");
    if (!value) return rf_lines_fail_word(lines, "insts", line, "'insts = k' behind 'warp = n'");
    if (!lone_number(lines, value, "insts", 0, RF_TRACEG_INSTS_MAX, &insts)) return false;
    for (uint32_t i = 0; i < insts; i++) {
        got = rf_lines_next(lines, &line);
        if (got < 0) return false;
        if (got == 0) return rf_lines_fail(lines, "insts", "%u announced, %u found before the file ends (truncated?)", insts, i);
        if (*line == '\0' || *line == '#') return rf_lines_fail(lines, "insts", "%u announced, %u found", insts, i);
        if (!instruction(r, line, w)) return false;
    }
    uint64_t *address = w->address; /* only now: the storage may have moved while it grew */
    for (size_t i = 0; i < w->count; i++) {
        if (w->inst[i].width == 0) continue;
        w->inst[i].address = address;
        address += RF_LANES_MAX;
    }
    return true;
}

/* --- blocks met --------------------------------------------------------------------------------------------------------------
 */

/* Where page `number` is in the table, or the free place that it would have. */
static page **page_place(page **pages, size_t slots, uint64_t number) {
    size_t at = (size_t)((number * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (slots - 1);
    while (pages[at] && pages[at]->number != number) at = (at + 1) & (slots - 1);
    return &pages[at];
}

/* The page of that number, made on first sight; NULL: no memory. */
static page *page_of(rf_traceg *r, uint64_t number) {
    if (2 * r->page_count >= r->page_slots) {
        const size_t slots = r->page_slots ? 2 * r->page_slots : 16;
        page **const grown = calloc(slots, sizeof(page *));
        if (!grown) return NULL;
        for (size_t i = 0; i < r->page_slots; i++)
            if (r->pages[i]) *page_place(grown, slots, r->pages[i]->number) = r->pages[i];
        free(r->pages);
        r->pages = grown;
        r->page_slots = slots;
    }
    page **const place = page_place(r->pages, r->page_slots, number);
    if (!*place) {
        *place = calloc(1, sizeof **place);
        if (!*place) return NULL;
        (*place)->number = number;
        r->page_count++;
    }
    return *place;
}

/* The line in which the file names this block first: it is read again. 0 when it cannot be. */
static uint64_t first_line_of(const rf_traceg *r, const uint32_t block[3]) {
    rf_lines again;
    char *line = NULL;
    uint64_t found = 0;
    (void)rf_lines_open(&again, r->lines.source, r->lines.path);
    while (!again.failed && found == 0 && rf_lines_next_text(&again, &line) == 1) {
        const char *const value = after(line, "thread block = ");
        const uint32_t max[3] = {UINT32_MAX - 1, UINT32_MAX - 1, UINT32_MAX - 1};
        uint32_t named[3] = {0};
        if (value && triple(&again, value, "thread block", false, 0, max, named) && memcmp(named, block, sizeof named) == 0)
            found = again.number;
    }
    rf_lines_close(&again);
    return found;
}

/* Takes the block down as met; twice is an error. */
static bool meet_block(rf_traceg *r) {
    const uint64_t number = r->block[0] + (uint64_t)r->head.grid[0] * (r->block[1] + (uint64_t)r->head.grid[1] * r->block[2]);
    page *const p = page_of(r, number >> PAGE_BITS);
    if (!p) return rf_lines_fail(&r->lines, "thread block", "no memory");
    uint64_t *const word = &p->met[number % PAGE_BLOCKS / 64];
    const uint64_t bit = UINT64_C(1) << number % 64;
    if (*word & bit) {
        char shown[RF_PATH_SHOWN];
        return rf_lines_fail(&r->lines, "thread block", "%u,%u,%u stands twice: first at %s:%" PRIu64, r->block[0], r->block[1],
                             r->block[2], rf_path_shown(r->lines.path, shown), first_line_of(r, r->block));
    }
    *word |= bit;
    r->blocks++;
    return true;
}

/* One line inside a block; *warp when it was followed by a warp's instructions, now in *out. */
static bool block_line(rf_traceg *r, const char *line, rf_warp *out, bool *warp) {
    rf_lines *const lines = &r->lines;
    const char *value = after(line, "warp = ");
    if (value) {
        if (!r->has_block) return rf_lines_fail(lines, "thread block", "missing before the first warp");
        if (!lone_number(lines, value, "warp", 0, block_warps(r) - 1, &out->warp)) return false;
        if (out->warp < r->next_warp)
            return rf_lines_fail(lines, "warp", "%u comes after %u: they must rise", out->warp, r->next_warp - 1);
        r->missing_warps += out->warp - r->next_warp;
        r->next_warp = out->warp + 1;
        out->count = out->address_count = 0;
        memcpy(out->block, r->block, sizeof out->block);
        *warp = true;
        return read_warp(r, out);
    }
    value = after(line, "thread block = ");
    if (value) {
        const uint32_t max[3] = {r->head.grid[0] - 1, r->head.grid[1] - 1, r->head.grid[2] - 1};
        if (r->has_block) return rf_lines_fail(lines, "thread block", "given twice");
        r->has_block = true;
        return triple(lines, value, "thread block", false, 0, max, r->block) && meet_block(r);
    }
    if (after(line, "cluster ")) return true; /* later tracers of version 5: where the block lies in its cluster */
    if (strcmp(line, "#BEGIN_TB") == 0) return rf_lines_fail(lines, "#END_TB", "missing: the next block begins");
    if (strcmp(line, "#END_TB") != 0)
        return rf_lines_fail_word(lines, "block", line, "'warp = n' or #END_TB (more lines than 'insts' announced?)");
    r->in_block = false;
    if (!r->has_block) return rf_lines_fail(lines, "thread block", "missing: the block ends");
    r->missing_warps += block_warps(r) - r->next_warp;
    return true;
}

rf_traceg *rf_traceg_open(const rf_source *source, const char *path, rf_optable *table, char *error, size_t size) {
    rf_traceg *const r = calloc(1, sizeof *r);
    if (r) r->own_table = table ? NULL : rf_optable_new();
    if (!r || (!table && !r->own_table)) {
        (void)snprintf(error, size, "%s: no memory", path);
        free(r);
        return NULL;
    }
    r->table = table ? table : r->own_table;
    if (rf_lines_open(&r->lines, source, path) == 0 && read_header(r)) return r;
    (void)snprintf(error, size, "%s", r->lines.error);
    rf_traceg_close(r);
    return NULL;
}

int rf_traceg_next(rf_traceg *r, rf_warp *out) {
    bool good = true, warp = false;
    while (good) {
        char *line = NULL;
        const int got = rf_lines_next_text(&r->lines, &line);
        if (got < 0) break;
        if (got == 0) {
            if (!r->in_block) return 0;
            good = rf_lines_fail(&r->lines, "#END_TB", "missing: the file ends inside a block (truncated?)");
        } else if (r->in_block) {
            good = block_line(r, line, out, &warp);
            if (good && warp) return 1;
        } else if (strcmp(line, "#BEGIN_TB") == 0) {
            r->in_block = true;
            r->has_block = false;
            r->next_warp = 0;
        } else {
            good = rf_lines_fail_word(&r->lines, "block", line, "#BEGIN_TB");
        }
    }
    out->count = out->address_count = 0;
    return -1;
}

const char *rf_traceg_error(const rf_traceg *r) { return r->lines.error; }

const rf_traceg_header *rf_traceg_head(const rf_traceg *r) { return &r->head; }

uint64_t rf_traceg_unknown(const rf_traceg *r, const char **first) {
    if (first) *first = r->first_unknown;
    return r->unknown;
}

uint64_t rf_traceg_missing(const rf_traceg *r, uint64_t *blocks) {
    *blocks = (uint64_t)r->head.grid[0] * r->head.grid[1] * r->head.grid[2] - r->blocks;
    return r->missing_warps;
}

void rf_traceg_close(rf_traceg *r) {
    if (!r) return;
    rf_lines_close(&r->lines);
    rf_optable_free(r->own_table);
    free(r->kernel);
    for (size_t i = 0; i < r->page_slots; i++) free(r->pages[i]);
    free(r->pages);
    free(r);
}
