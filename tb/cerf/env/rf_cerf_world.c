/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/cerf/env/rf_cerf_world.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "cmodel/cerf/rf_cerf_memory_parts.h"
#include "tb/cerf/env/rf_cerf_view.h"

#define NONE RF_CERF_WORLD_ITEMS
#define WRITER RF_READERS_MAX                        /* ages of writers begin here, ... */
#define LOAD_STORE (RF_READERS_MAX + RF_EXPORTS_MAX) /* ... and here is the load/store unit's */

__attribute__((format(printf, 2, 3))) static void violated(rf_cerf_world *w, const char *format, ...) {
    va_list args;
    if (w->wrong[0] != '\0') return;
    va_start(args, format);
    (void)vsnprintf(w->wrong, sizeof w->wrong, format, args);
    va_end(args);
}

static bool bit(uint64_t set, uint32_t i) { return (set >> i & 1) != 0; }
static bool is_register(uint32_t item) { return item < RF_CERF_WORLD_KIND; }
static uint32_t bank_of(const rf_cerf_world *w, uint32_t item) { return rf_cerf_memory_bank(&w->cfg, w->line[item]); }

static uint32_t find_item(const rf_cerf_world *w, uint32_t line) {
    for (uint32_t i = 0; i < w->registers; i++)
        if (w->line[i] == line) return i;
    for (uint32_t i = RF_CERF_WORLD_KIND; i < RF_CERF_WORLD_KIND + w->lines; i++)
        if (w->line[i] == line) return i;
    return NONE;
}

/* Registers that lose their places are read as 0 where the policy never fetches them, else they are anything. */
static void lose(rf_cerf_world *w, uint32_t item) {
    if (w->cfg.policy == RF_POLICY_REGISTERS) w->memory[item] = (rf_vec){{0}};
    else w->known[item] = 0;
}

/* ---- registers and lines ---- */

/* Registers of the set that there are already. */
static uint32_t in_set(const rf_cerf_world *w, uint32_t line) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < w->registers; i++) n += ((w->line[i] ^ line) & (w->cfg.sets - 1)) == 0;
    return n;
}

/* Registers, next to each other, in few sets, or anywhere. Where registers are never spilled a set has as many of them as ways at
 * most. */
static void draw_registers(rf_cerf_world *w, ls_rng *rng) {
    const uint32_t n = w->cfg.registers, base = ls_rng_below(rng, n), sets = w->cfg.sets;
    const uint32_t strides[] = {1, sets, sets > 1 ? sets / 2 : 1, 1 + ls_rng_below(rng, n)},
                   stride = strides[ls_rng_below(rng, 4)];
    const uint32_t wanted = 1 + ls_rng_below(rng, RF_CERF_WORLD_KIND);
    for (uint32_t i = 0; i < 4 * RF_CERF_WORLD_KIND && w->registers < wanted; i++) {
        const uint32_t number = (base + i * stride + i / RF_CERF_WORLD_KIND) % n, line = rf_cerf_memory_line(&w->cfg, number);
        if (find_item(w, line) != NONE) continue;
        if (w->cfg.policy == RF_POLICY_REGISTERS && in_set(w, line) == w->cfg.ways) continue;
        w->number[w->registers] = (uint16_t)number;
        w->line[w->registers++] = line;
    }
}

/* Lines in the sets of the registers, and some anywhere; none is a register's. */
static void draw_lines(rf_cerf_world *w, ls_rng *rng) {
    const uint32_t set_bits = rf_log2(w->cfg.sets), number_bits = rf_index_bits(w->cfg.registers);
    const uint32_t low = set_bits > number_bits ? set_bits : number_bits, high = w->cfg.line_w - low;
    const uint32_t of_registers = rf_cerf_memory_line(&w->cfg, 0) >> number_bits;
    const uint32_t wanted = 1 + ls_rng_below(rng, RF_CERF_WORLD_KIND), elsewhere = ls_rng_chance(rng, 128) ? 0 : 64;
    const uint32_t home = ls_rng_below(rng, w->registers), same = ls_rng_chance(rng, 160) ? 256 : 0;
    for (uint32_t i = 0; i < 4 * RF_CERF_WORLD_KIND && w->lines < wanted; i++) {
        const uint32_t near = ls_rng_chance(rng, same) ? home : ls_rng_below(rng, w->registers);
        const uint32_t other = 1 + (uint32_t)(i < RF_CERF_WORLD_KIND ? ls_rng_below(rng, 16) : ls_rng_u64(rng));
        uint32_t line = w->line[near] ^ (other & (uint32_t)rf_mask64(high)) << low;
        if (ls_rng_chance(rng, elsewhere)) line = (uint32_t)ls_rng_value(rng, w->cfg.line_w);
        if (line >> number_bits == of_registers || find_item(w, line) != NONE) continue;
        w->line[RF_CERF_WORLD_KIND + w->lines++] = line;
    }
    if (w->lines == 0) w->line[RF_CERF_WORLD_KIND + w->lines++] = w->line[0] ^ 1u << (w->cfg.line_w - 1);
}

void rf_cerf_world_init(rf_cerf_world *w, const rf_cerf_memory_cfg *cfg, ls_rng *rng) {
    *w = (rf_cerf_world){.cfg = *cfg, .in_order = ls_rng_chance(rng, 128), .latency = 8, .flushed = NONE};
    draw_registers(w, rng);
    draw_lines(w, rng);
    for (uint32_t i = 0; i < RF_CERF_WORLD_ITEMS; i++) {
        w->known[i] = (uint32_t)rf_mask64(cfg->lanes);
        if (!is_register(i) || cfg->policy != RF_POLICY_REGISTERS) ls_rng_lanes(rng, w->memory[i].lane, cfg->lanes);
        w->l2[i] = w->memory[i];
    }
}

/* ---- requests ---- */

/* Somebody asks to read the register. */
static bool is_asked_for(const rf_cerf_world *w, uint32_t reg) {
    for (uint64_t left = w->asks; left != 0; left &= left - 1)
        if (w->reads[rf_lowest(left)] == reg) return true;
    return w->mem_asks && w->mem_item == reg;
}

/* The collector may take its next instruction: no slot asks or waits. */
static void next_instruction(rf_cerf_world *w, uint32_t reader) {
    const uint32_t slots = w->cfg.slots, first = reader / slots * slots;
    if ((w->asks >> first & rf_mask64(slots)) != 0) return;
    for (uint32_t r = first; r < first + slots; r++)
        if (w->operand[r].open) return;
    w->served &= ~(rf_mask64(slots) << first);
}

bool rf_cerf_world_read_register(rf_cerf_world *w, uint32_t reader, uint32_t reg, bool dead, rf_cerf_memory_in *in) {
    next_instruction(w, reader);
    if (bit(w->asks | w->served, reader) || bit(w->dying | w->gone, reg)) return false;
    dead = dead && !is_asked_for(w, reg);
    w->asks |= UINT64_C(1) << reader;
    w->reads[reader] = (uint8_t)reg;
    w->dying |= (uint32_t)dead << reg;
    in->rd_valid |= UINT64_C(1) << reader;
    in->rd_number[reader] = w->number[reg];
    in->rd_dead = (in->rd_dead & ~(UINT64_C(1) << reader)) | (uint64_t)dead << reader;
    return true;
}

void rf_cerf_world_write_register(rf_cerf_world *w, uint32_t writer, uint32_t reg, rf_cerf_memory_in *in) {
    w->writers |= 1u << writer;
    w->writes[writer] = (uint8_t)reg;
    in->wr_valid |= (uint8_t)(1u << writer);
    in->wr_number[writer] = w->number[reg];
}

bool rf_cerf_world_access(rf_cerf_world *w, ls_rng *rng, uint32_t op, uint32_t item, rf_cerf_memory_in *in) {
    uint32_t id = ls_rng_below(rng, RF_CERF_WORLD_IDS), tries = 0;
    if (op == RF_CACHE_READ_REG && bit(w->dying | w->gone, item)) return false;
    while (w->load[id].open && tries++ < RF_CERF_WORLD_IDS) id = (id + 1) % RF_CERF_WORLD_IDS;
    if (w->load[id].open) return false;
    w->mem_asks = true;
    w->mem_item = (uint8_t)item;
    in->mem_valid = 1;
    in->mem_op = (uint8_t)op;
    in->mem_line = w->line[item];
    in->mem_way = (uint8_t)ls_rng_below(rng, w->cfg.ways);
    in->mem_id = (uint8_t)id;
    return true;
}

/* ---- L2 ---- */

/* What an atomic does: it adds. */
static void add(rf_vec *to, const rf_vec *data, uint32_t mask) {
    for (uint32_t left = mask; left != 0; left &= left - 1) to->lane[rf_lowest(left)] += data->lane[rf_lowest(left)];
}

/* An answer whose time has come, by chance one of them; false: none. */
static bool draw_job(rf_cerf_world *w, ls_rng *rng) {
    uint32_t due = 0;
    for (uint32_t i = 0; i < w->jobs && (!w->in_order || i == 0); i++) {
        if (w->job[i].due > w->cycle) continue;
        if (ls_rng_below(rng, ++due) == 0) w->filling = i;
    }
    return due != 0;
}

void rf_cerf_world_answer(rf_cerf_world *w, ls_rng *rng, uint32_t takes, rf_cerf_memory_in *in) {
    in->l2_ready = ls_rng_chance(rng, takes) || w->stalled >= RF_CERF_WORLD_STALL;
    if (!w->fills && draw_job(w, rng)) {
        const uint32_t item = w->job[w->filling].item;
        w->fills = true;
        in->fill_bank = w->job[w->filling].bank;
        in->fill_entry = w->job[w->filling].entry;
        in->fill_data = bit(w->atomic, item) ? w->l2_before[item - RF_CERF_WORLD_KIND] : w->l2[item];
    }
    in->fill_valid = w->fills;
    w->delay = 1 + ls_rng_below(rng, w->latency);
}

static void queue_job(rf_cerf_world *w, const rf_cerf_memory_out *out, uint32_t item) {
    for (uint32_t i = 0; i < w->jobs; i++)
        if (w->job[i].bank == out->l2_bank && w->job[i].entry == out->l2_entry)
            violated(w, "an MSHR has one line: MSHR %u of bank %u has another one", out->l2_entry, out->l2_bank);
    if (w->wrong[0] != '\0') return;
    w->asked |= UINT64_C(1) << item;
    w->job[w->jobs].bank = out->l2_bank;
    w->job[w->jobs].entry = out->l2_entry;
    w->job[w->jobs].item = (uint8_t)item;
    w->job[w->jobs].due = w->cycle + w->delay;
    w->jobs++;
}

/* L2 takes a message. */
static void receive_message(rf_cerf_world *w, const rf_cerf_memory_out *out) {
    const uint32_t item = find_item(w, out->l2_line);
    if (item == NONE || bank_of(w, item) != out->l2_bank) {
        violated(w, "a message is of a line that was named: line %" PRIu32 " of bank %u was not", out->l2_line, out->l2_bank);
        return;
    }
    if (bit(w->asked, item)) violated(w, "L2 gets nothing of a line that it is to answer: line %" PRIu32, out->l2_line);
    if (out->l2_op == RF_MISS_WRITE) {
        rf_vec_merge(&w->l2[item], &out->l2_data, out->l2_mask);
        return;
    }
    if (out->l2_op == RF_MISS_ATOMIC) {
        if (is_register(item)) {
            violated(w, "an atomic is of no register");
            return;
        }
        w->atomic |= UINT64_C(1) << item;
        w->l2_before[item - RF_CERF_WORLD_KIND] = w->l2[item];
        add(&w->l2[item], &out->l2_data, out->l2_mask);
    }
    queue_job(w, out, item);
}

/* The answer of L2 was taken. */
static void answered(rf_cerf_world *w) {
    const uint64_t item = UINT64_C(1) << w->job[w->filling].item;
    w->atomic &= ~item;
    w->asked &= ~item;
    w->jobs--;
    for (uint32_t i = w->filling; i < w->jobs; i++) w->job[i] = w->job[i + 1];
    w->fills = false;
}

/* ---- answers ---- */

static void compare(rf_cerf_world *w, rf_cerf_world_read *read, const rf_vec *data, const char *who, uint32_t number) {
    if (!read->open) {
        violated(w, "who asked is answered once: %s %" PRIu32 " waits for nothing", who, number);
        return;
    }
    read->open = false;
    for (uint32_t left = read->known; left != 0; left &= left - 1) {
        const uint32_t l = rf_lowest(left);
        if (data->lane[l] == read->data.lane[l]) continue;
        violated(w, "%s: %s %" PRIu32 ", line %" PRIu32 " word %u is %08" PRIx32 ", not %08" PRIx32,
                 is_register(read->item) ? "an operand is what was written last" : "a load is what its line held", who, number,
                 w->line[read->item], l, data->lane[l], read->data.lane[l]);
        return;
    }
}

static void compare_answers(rf_cerf_world *w, const rf_cerf_memory_out *out) {
    for (uint64_t left = out->rd_fill; left != 0; left &= left - 1) {
        const uint32_t r = rf_lowest(left);
        compare(w, &w->operand[r], &out->rd_data[r], "reader", r);
    }
    for (uint32_t left = out->ld_valid; left != 0; left &= left - 1) {
        const uint32_t b = rf_lowest(left);
        compare(w, &w->load[out->ld_id[b]], &out->ld_data[b], "load", out->ld_id[b]);
    }
}

/* ---- what is accepted ---- */

static rf_cerf_world_read now(const rf_cerf_world *w, uint32_t item) {
    return (rf_cerf_world_read){
        .open = true, .item = (uint8_t)item, .known = w->known[item], .accepted = w->cycle, .data = w->memory[item]};
}

static void write(rf_cerf_world *w, uint32_t item, uint32_t mask, const rf_vec *data) {
    rf_vec_merge(&w->memory[item], data, mask);
    w->known[item] |= mask;
    if (is_register(item)) w->gone &= ~(1u << item);
}

static void accept_read(rf_cerf_world *w, uint32_t reader, bool dead) {
    const uint32_t item = w->reads[reader];
    w->asks &= ~(UINT64_C(1) << reader);
    w->served |= UINT64_C(1) << reader;
    w->operand[reader] = now(w, item);
    if (!dead) return;
    w->dying &= ~(1u << item);
    w->gone |= 1u << item;
    lose(w, item);
}

static void accept_access(rf_cerf_world *w, const rf_cerf_memory_in *in) {
    const uint32_t item = w->mem_item;
    w->mem_asks = false;
    switch (in->mem_op) {
    case RF_CACHE_READ_REG:
    case RF_CACHE_LOAD:
        w->load[in->mem_id] = now(w, item);
        break;
    case RF_CACHE_WRITE_REG:
    case RF_CACHE_STORE:
        write(w, item, in->mem_mask, &in->mem_data);
        break;
    case RF_CACHE_ATOMIC:
        w->load[in->mem_id] = now(w, item);
        add(&w->memory[item], &in->mem_data, in->mem_mask);
        break;
    case RF_CACHE_FLUSH:
        if (w->flushed != NONE) lose(w, w->flushed);
        break;
    default:
        break;
    }
}

/* ---- nobody starves ---- */

/* Cycles, one after the other, in which somebody is accepted, or answered, while no writer asks the bank: all others may go
 * first, each with a message and a write-back of what gives way, which wait for those of other banks, and an answer. */
static uint32_t bound(const rf_cerf_memory_cfg *cfg) {
    const uint32_t stall = cfg->banks * (RF_CERF_WORLD_STALL + 1), others = cfg->collectors * cfg->slots + cfg->writers + 1;
    return others * (2 * stall + RF_CERF_WORLD_LATENCY) + cfg->queue * stall;
}

static void wait_for(rf_cerf_world *w, uint32_t who, bool waits, const char *what, uint32_t number) {
    w->age[who] = waits ? w->age[who] + 1 : 0;
    if (w->age[who] > bound(&w->cfg))
        violated(w, "who asks is accepted within %" PRIu32 " cycles: %s %" PRIu32, bound(&w->cfg), what, number);
}

/* Banks that writers ask for: they come first, and may take what others wait for. */
static uint32_t written_banks(const rf_cerf_world *w) {
    uint32_t banks = 0;
    for (uint32_t left = w->writers; left != 0; left &= left - 1) banks |= 1u << bank_of(w, w->writes[rf_lowest(left)]);
    return banks;
}

static void grow_older(rf_cerf_world *w, uint32_t written) {
    const uint32_t most = bound(&w->cfg);
    for (uint32_t r = 0; r < w->cfg.collectors * w->cfg.slots; r++) {
        wait_for(w, r, bit(w->asks, r) && !bit(written, bank_of(w, w->reads[r])), "reader", r);
        if (w->operand[r].open && w->cycle - w->operand[r].accepted > most)
            violated(w, "an operand comes within %" PRIu32 " cycles: reader %" PRIu32, most, r);
    }
    for (uint32_t e = 0; e < w->cfg.writers; e++) wait_for(w, WRITER + e, bit(w->writers, e), "writer", e);
    wait_for(w, LOAD_STORE, w->mem_asks && !bit(written, bank_of(w, w->mem_item)), "load/store unit", 0);
    const rf_cerf_world_read *turn = &w->load[w->cycle % RF_CERF_WORLD_IDS];
    if (turn->open && w->cycle - turn->accepted > most) violated(w, "a load is answered within %" PRIu32 " cycles", most);
}

void rf_cerf_world_observe(rf_cerf_world *w, const rf_cerf_memory *m, const rf_cerf_memory_in *in,
                           const rf_cerf_memory_out *out) {
    const char *stuck = rf_cerf_view_waits(m, &out->wires);
    if (stuck != NULL) violated(w, "who was refused is woken: %s", stuck);
    compare_answers(w, out);
    if (w->fills && out->fill_ready) answered(w);
    w->stalled = out->l2_valid && !in->l2_ready ? w->stalled + 1 : 0;
    if (out->l2_valid && in->l2_ready) receive_message(w, out);
    if ((out->rd_accept & ~w->asks) != 0 || (out->wr_accept & ~w->writers) != 0 || out->mem_accept > w->mem_asks)
        violated(w, "who is accepted asks");
    for (uint64_t left = out->rd_accept & w->asks; left != 0; left &= left - 1)
        accept_read(w, rf_lowest(left), bit(in->rd_dead, rf_lowest(left)));
    for (uint32_t left = out->wr_accept & w->writers; left != 0; left &= left - 1) {
        const uint32_t e = rf_lowest(left);
        write(w, w->writes[e], in->wr_mask[e], &in->wr_data[e]);
    }
    if (out->mem_accept && w->mem_asks) accept_access(w, in);
    const uint32_t written = written_banks(w);
    w->writers &= ~(uint32_t)out->wr_accept;
    grow_older(w, written);
    w->cycle++;
}

/* ---- between cycles ---- */

/* A register's entry is REG, a line's is CACHE or DIRTY, and what was asked of L2 has none. */
static void check_item(rf_cerf_world *w, const rf_cerf_memory *m, uint32_t item) {
    const uint32_t line = w->line[item], bank = rf_cerf_memory_bank(&m->cfg, line);
    uint32_t way;
    const uint32_t state = rf_cerf_view_state(m, line, &way);
    rf_cache_bank_request place;
    rf_cerf_memory_place(m, line, &place);
    const char *wrong = rf_cerf_view_check(m, bank, place.set);
    if (wrong != NULL) violated(w, "no line has two entries: bank %" PRIu32 " set %" PRIu32, bank, place.set);
    if (state == RF_LINE_INACTIVE) return;
    if ((state == RF_LINE_REG) != is_register(item))
        violated(w, "an entry's state is of its kind: line %" PRIu32 " has state %" PRIu32, line, state);
    if (bit(w->asked, item)) violated(w, "what comes from L2 has no entry: line %" PRIu32, line);
}

/* The register that a flush drops. */
static uint32_t flushed_by(const rf_cerf_world *w, const rf_cerf_memory *m, const rf_cerf_memory_in *in) {
    if (!in->mem_valid || in->mem_op != RF_CACHE_FLUSH) return NONE;
    const uint32_t bank = rf_cerf_memory_bank(&m->cfg, in->mem_line);
    const rf_tag_bank *tags = &m->bank[bank].tags;
    rf_cache_bank_request place;
    rf_cerf_memory_place(m, in->mem_line, &place);
    if (rf_tag_bank_state(tags, place.set, in->mem_way) != RF_LINE_REG) return NONE;
    const uint32_t own = rf_tag_bank_tag(tags, place.set, in->mem_way) << rf_log2(m->cfg.sets / m->cfg.banks) | place.set;
    return find_item(w, own << rf_log2(m->cfg.banks) | bank);
}

void rf_cerf_world_check(rf_cerf_world *w, const rf_cerf_memory *m, const rf_cerf_memory_in *in) {
    const uint32_t turn = w->cycle % (w->registers + w->lines);
    check_item(w, m, turn < w->registers ? turn : turn - w->registers + RF_CERF_WORLD_KIND);
    if (w->mem_asks) check_item(w, m, w->mem_item);
    w->flushed = flushed_by(w, m, in);
}
