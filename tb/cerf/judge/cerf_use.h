/* SPDX-License-Identifier: Apache-2.0 */
/* How a program uses its registers and lines, counted slowly by the words of docs/units/rf_cerf.md ("Counters"), beside
 * tb/cerf/env/rf_cerf_use.h. `use_slip` breaks one of those words at a time. */
#ifndef RF_CERF_JUDGE_USE_H
#define RF_CERF_JUDGE_USE_H

#include "tb/cerf/env/rf_cerf_use.h"
#include "tb/cerf/judge/cerf_count.h"

/* clang-format off */
#define USE_SLIPS(X) \
    X(NO_USE_SLIP, "no slip") \
    X(NEAR_BELOW, "100 cycles are not within 100") \
    X(NEAR_ABOVE, "101 cycles are within 100") \
    X(FAR_BELOW, "1,000 cycles are not within 1,000") \
    X(FAR_ABOVE, "1,001 cycles are within 1,000") \
    X(EACH_SLOT, "each slot reads for itself") \
    X(WRITE_REUSES, "a write is a reuse, too") \
    X(WRITE_UNUSED, "a write is no use") \
    X(READ_UNUSED, "a read is no use") \
    X(WRITES_FIRST, "an instruction writes first, then reads") \
    X(MASK_COUNTS, "an instruction with mask 0 counts") \
    X(LAST_IGNORED, "a register lives on after its last read") \
    X(ALL_SLOTS_LAST, "a read is the last if all its slots say so") \
    X(LAST_UNASKED, "a last read without a source counts") \
    X(READ_REVIVES, "a read that is not the last makes a register live") \
    X(DEAD_UNUSED, "a register that is not live was not used") \
    X(ENDED_LIVES, "registers of an ended warp are live") \
    X(LAUNCH_LIVES, "registers of the slot's last warp are live") \
    X(LAUNCH_USED, "what the slot's last warp used was used before") \
    X(LAUNCH_LATE, "a launch comes behind the issues of its cycle") \
    X(LIVE_BEFORE, "live registers are those before the cycle's issues") \
    X(WARPS_SHARE, "all warps use the same registers") \
    X(ONE_ISSUE, "the first issue group counts alone") \
    X(ATOMIC_USES, "an atomic uses its line") \
    X(STORE_UNUSED, "a store is no use") \
    X(LOAD_UNUSED, "a load is no use") \
    X(REFUSED_USES, "a load or store that is not accepted uses its line") \
    X(FOUR_OFTEN, "four times are often") \
    X(FIVE_SELDOM, "five times are not often")

#define USE_SEEN(X) \
    X(USE_LAST, "a live register is read for the last time") \
    X(USE_LAST_UNWRITTEN, "a register that is not live is read for the last time") \
    X(USE_LAST_UNASKED, "a last read without a source, of a live register") \
    X(USE_MASKED_OFF, "mask 0, with a destination, and sources that were used before") \
    X(USE_SEVERAL_SLOTS, "a register in several slots") \
    X(USE_LAST_IN_ONE, "... is read for the last time, but not in all") \
    X(USE_DST_IS_SRC, "the destination is a source") \
    X(USE_DST_IS_LAST, "... that is read for the last time") \
    X(USE_WRITTEN_LIVE, "a live register is written") \
    X(USE_READ_DEAD, "a register is read after its last read") \
    X(USE_ENDED, "a warp ends with live registers") \
    X(USE_EMPTY, "a slot without a warp") \
    X(USE_LAUNCHED, "a warp is launched into a slot without one") \
    X(USE_LAUNCHED_OVER, "a warp is launched over another one with live registers") \
    X(USE_LAUNCH_ISSUES, "a warp that is launched issues in that cycle") \
    X(USE_OF_LAST_WARP, "a register is read that only the slot's last warps used") \
    X(USE_TWO_ISSUES, "two instructions issue in a cycle") \
    X(USE_NEAR, "a register is used again within 100 cycles") \
    X(USE_FAR, "... later, within 1,000") \
    X(USE_FARTHER, "... later than that") \
    X(USE_LINE_NEAR, "a line is used again within 100 cycles") \
    X(USE_LINE_FAR, "... later, within 1,000") \
    X(USE_LINE_FARTHER, "... later than that") \
    X(USE_LOADED_STORED, "a line is loaded, then stored to") \
    X(USE_STORED_LOADED, "a line is stored to, then loaded") \
    X(USE_NO_LINE, "an access that is no load or store is accepted") \
    X(USE_REFUSED, "a load or store is not accepted")
/* clang-format on */
enum { USE_SLIPS(JUDGE_NAME) USE_SLIP_COUNT };
static const char *const use_slip_names[USE_SLIP_COUNT] = {USE_SLIPS(JUDGE_TEXT)};
static uint32_t use_slip = NO_USE_SLIP;
enum { USE_SEEN(JUDGE_NAME) USE_EVENTS };
static const char *const use_event_names[USE_EVENTS] = {USE_SEEN(JUDGE_TEXT)};

#define USE_LINES 8192u
#define USE_REGISTERS 256u
#define USE_FIGURES ((USE_COUNTERS(COUNT_ONE)) + 2u) /* warps_mean, live_registers_mean */

typedef struct slow_register_use {
    bool live, used, used_by_last; /* used: by the warp that is in the slot; else: by one before it */
    uint64_t when;                 /* its last use */
} slow_register_use;

typedef struct slow_line_use {
    uint32_t line, op; /* op: of the last use */
    uint64_t uses, when;
} slow_line_use;

/* What the judge counts, and what rf_cerf_use.c does. */
typedef struct slow_use {
    uint32_t warps, regs, slots, issues, lines;
    uint64_t now, there, warp_cycles, live_cycles; /* there: warps of the cycle before */
    slow_register_use reg[RF_WARPS_MAX][USE_REGISTERS];
    slow_line_use line[USE_LINES];
    uint64_t of[COUNTS], seen[USE_EVENTS];
    rf_cerf_use model;
} slow_use;

/* To be ended by use_end. */
static inline void use_start(slow_use *u, uint32_t warps, uint32_t regs, uint32_t slots, uint32_t issues) {
    memset(u, 0, sizeof *u);
    u->warps = warps, u->regs = regs, u->slots = slots, u->issues = issues;
    memset(&u->model, 0xa5, sizeof u->model);
    rf_cerf_use_init(&u->model, slots);
}

static inline void use_end(slow_use *u) { rf_cerf_use_free(&u->model); }

/* --- registers ---------------------------------------------------------------------------------------------------------------
 */

static inline slow_register_use *use_register(slow_use *u, uint32_t w, uint32_t r) {
    return &u->reg[use_slip == WARPS_SHARE ? 0 : w][r];
}

/* "within so many cycles" */
static inline bool is_within(uint64_t cycles, uint64_t so_many, uint32_t below, uint32_t above) {
    if (use_slip == below) return cycles < so_many;
    return cycles <= so_many + (use_slip == above);
}

static inline bool is_near(uint64_t cycles) { return is_within(cycles, 100, NEAR_BELOW, NEAR_ABOVE); }
static inline bool is_far(uint64_t cycles) { return is_within(cycles, 1000, FAR_BELOW, FAR_ABOVE); }

static inline void use_reuse(slow_use *u, uint64_t when) {
    const uint64_t cycles = u->now - when;
    u->of[C_register_reuses]++;
    u->of[C_register_reuses_100] += is_near(cycles);
    u->of[C_register_reuses_1000] += is_far(cycles);
    u->seen[is_near(cycles) ? USE_NEAR : is_far(cycles) ? USE_FAR : USE_FARTHER]++;
}

static inline uint32_t live_of(const slow_use *u, uint32_t w) {
    uint32_t n = 0;
    for (uint32_t r = 0; r < u->regs; r++) n += u->reg[w][r].live;
    return n;
}

/* "until the warp ends or the next one is launched into the slot" */
static inline void use_forget(slow_use *u, uint32_t w, bool lives, bool used) {
    for (uint32_t r = 0; r < u->regs; r++) {
        slow_register_use *of = &u->reg[w][r];
        of->live &= lives;
        if (used) continue;
        of->used_by_last |= of->used;
        of->used = false;
    }
}

static inline void use_launches(slow_use *u, uint64_t launch, uint64_t warps) {
    for (uint32_t w = 0; w < u->warps; w++) {
        const uint32_t live = live_of(u, w);
        const bool launched = judge_bit(launch, w), was = judge_bit(u->there, w), is = judge_bit(warps, w);
        u->seen[USE_ENDED] += was && !is && live != 0;
        u->seen[USE_EMPTY] += !is;
        u->seen[USE_LAUNCHED] += launched && u->now > 0 && !was;
        u->seen[USE_LAUNCHED_OVER] += launched && was && live != 0;
        if (launched) use_forget(u, w, use_slip == LAUNCH_LIVES, use_slip == LAUNCH_USED);
        if (!is && use_slip != ENDED_LIVES) use_forget(u, w, false, true);
    }
}

/* The register is read in some slots, and in `last` of them for the last time. */
static inline void use_read(slow_use *u, uint32_t w, uint32_t r, uint32_t slots, uint32_t last) {
    slow_register_use *of = use_register(u, w, r);
    const bool dies = use_slip == ALL_SLOTS_LAST ? last == slots : last != 0;
    u->seen[USE_LAST] += dies && of->live;
    u->seen[USE_LAST_UNWRITTEN] += dies && !of->live;
    u->seen[USE_SEVERAL_SLOTS] += slots > 1;
    u->seen[USE_LAST_IN_ONE] += last != 0 && last < slots;
    u->seen[USE_READ_DEAD] += of->used && !of->live;
    u->seen[USE_OF_LAST_WARP] += !of->used && of->used_by_last;
    if (of->used && !(use_slip == DEAD_UNUSED && !of->live)) use_reuse(u, of->when);
    if (use_slip != READ_UNUSED) of->used = true, of->when = u->now;
    for (uint32_t i = 1; use_slip == EACH_SLOT && i < slots; i++) use_reuse(u, of->when);
    if (dies && use_slip != LAST_IGNORED) of->live = false;
    if (!dies && use_slip == READ_REVIVES) of->live = true;
}

static inline void use_write(slow_use *u, const rf_cerf_in *in, uint32_t w) {
    if (!judge_bit(in->ib_dst_valid, w)) return;
    slow_register_use *of = use_register(u, w, in->ib_dst[w]);
    u->seen[USE_WRITTEN_LIVE] += of->live;
    if (of->used && use_slip == WRITE_REUSES) use_reuse(u, of->when);
    of->live = true;
    if (use_slip != WRITE_UNUSED) of->used = true, of->when = u->now;
}

/* "An instruction reads first, then writes." */
static inline void use_instruction(slow_use *u, const rf_cerf_in *in, uint32_t w) {
    const bool masked_off = in->ib_mask[w] == 0, writes = judge_bit(in->ib_dst_valid, w);
    if (use_slip == WRITES_FIRST && !masked_off) use_write(u, in, w);
    for (uint32_t r = 0; r < u->regs; r++) {
        uint32_t slots = 0, last = 0;
        for (uint32_t k = 0; k < u->slots; k++) {
            if (in->ib_src[w * u->slots + k] != r) continue;
            const bool asked = judge_bit(in->ib_src_valid[w], k), bit = judge_bit(in->ib_last[w], k);
            slots += asked;
            last += bit && asked;
            u->seen[USE_LAST_UNASKED] += bit && !asked && use_register(u, w, r)->live;
            if (bit && !asked && use_slip == LAST_UNASKED && !masked_off) use_register(u, w, r)->live = false;
        }
        u->seen[USE_MASKED_OFF] += masked_off && slots != 0 && use_register(u, w, r)->used && writes;
        if (slots == 0 || (masked_off && use_slip != MASK_COUNTS)) continue;
        u->seen[USE_DST_IS_SRC] += writes && in->ib_dst[w] == r && last == 0;
        u->seen[USE_DST_IS_LAST] += writes && in->ib_dst[w] == r && last != 0;
        use_read(u, w, r, slots, last);
    }
    if (use_slip != WRITES_FIRST && (!masked_off || use_slip == MASK_COUNTS)) use_write(u, in, w);
}

/* --- lines -------------------------------------------------------------------------------------------------------------------
 */

static inline slow_line_use *use_line(slow_use *u, uint32_t line) {
    for (uint32_t i = 0; i < u->lines; i++)
        if (u->line[i].line == line) return &u->line[i];
    assert_true(u->lines < USE_LINES);
    u->line[u->lines] = (slow_line_use){.line = line};
    return &u->line[u->lines++];
}

/* "An accepted load or store uses its line." */
static inline void use_access(slow_use *u, const rf_cerf_in *in, bool accepted) {
    const uint32_t op = in->mem_op;
    const bool uses = (op == RF_CACHE_LOAD && use_slip != LOAD_UNUSED) || (op == RF_CACHE_STORE && use_slip != STORE_UNUSED) ||
                      (op == RF_CACHE_ATOMIC && use_slip == ATOMIC_USES);
    u->seen[USE_NO_LINE] += accepted && !uses;
    u->seen[USE_REFUSED] += in->mem_valid && !accepted && uses;
    if (!uses || !in->mem_valid || !(accepted || use_slip == REFUSED_USES)) return;
    slow_line_use *l = use_line(u, in->mem_line);
    if (l->uses > 0) {
        const uint64_t cycles = u->now - l->when;
        u->of[C_line_reuses]++;
        u->of[C_line_reuses_100] += is_near(cycles);
        u->of[C_line_reuses_1000] += is_far(cycles);
        u->seen[is_near(cycles) ? USE_LINE_NEAR : is_far(cycles) ? USE_LINE_FAR : USE_LINE_FARTHER]++;
        u->seen[USE_LOADED_STORED] += l->op == RF_CACHE_LOAD && op == RF_CACHE_STORE;
        u->seen[USE_STORED_LOADED] += l->op == RF_CACHE_STORE && op == RF_CACHE_LOAD;
    }
    l->uses++, l->when = u->now, l->op = op;
}

/* --- a cycle -----------------------------------------------------------------------------------------------------------------
 */

static inline void use_live(slow_use *u) {
    for (uint32_t w = 0; w < u->warps; w++) u->live_cycles += live_of(u, w);
}

/* goes[g]: the warp of issue group g that issues, or NONE; accepted: the request of the load/store unit is. */
static inline void use_cycle(slow_use *u, const rf_cerf_in *in, const uint32_t *goes, bool accepted, uint64_t warps) {
    uint32_t issued = 0;
    if (use_slip != LAUNCH_LATE) use_launches(u, in->launch, warps);
    if (use_slip == LIVE_BEFORE) use_live(u);
    for (uint32_t g = 0; g < u->issues; g++) {
        if (goes[g] == NONE) continue;
        issued++;
        u->seen[USE_LAUNCH_ISSUES] += judge_bit(in->launch, goes[g]);
        if (g == 0 || use_slip != ONE_ISSUE) use_instruction(u, in, goes[g]);
    }
    u->seen[USE_TWO_ISSUES] += issued > 1;
    if (use_slip == LAUNCH_LATE) use_launches(u, in->launch, warps);
    use_access(u, in, accepted);
    if (use_slip != LIVE_BEFORE) use_live(u);
    for (uint32_t w = 0; w < u->warps; w++) u->warp_cycles += judge_bit(warps, w);
    u->there = warps;
    u->now++;
}

/* --- the comparer ------------------------------------------------------------------------------------------------------------
 */

/* `wrong`: to the counter of that number 1 is added. */
typedef struct use_check {
    judge *j;
    const slow_use *u;
    uint32_t wrong, found;
    const char *name[32]; /* in the order in which they come */
} use_check;

/* A mean; a difference is told in millionths. */
static inline void compare_mean(judge *j, const char *name, double value, double is) {
    j->compared++;
    if (fabs(value - is) <= 1e-9 * (1 + is)) return;
    judge_differs(j, name, 0, 0, isfinite(value) && value >= 0 ? (uint64_t)(value * 1e6) : UINT64_MAX, (uint64_t)(is * 1e6));
}

static inline void use_reported(void *ctx, const char *name, double value) {
    use_check *k = ctx;
    const slow_use *u = k->u;
    const double cycles = (double)u->now;
    assert_true(k->found < sizeof k->name / sizeof *k->name);
    for (uint32_t i = 0; i < k->found; i++) assert_string_not_equal(name, k->name[i]);
    if (k->found == k->wrong) value += 1;
    k->name[k->found++] = name;
    if (strcmp(name, "warps_mean") == 0) compare_mean(k->j, name, value, (double)u->warp_cycles / cycles);
    else if (strcmp(name, "live_registers_mean") == 0) compare_mean(k->j, name, value, (double)u->live_cycles / cycles);
    else {
        bool is_one = false;
        static const char *const names[] = {USE_COUNTERS(COUNTER_TEXT)};
        for (uint32_t i = 0; i < sizeof names / sizeof *names; i++) is_one |= strcmp(name, names[i]) == 0;
        if (!is_one) fail_msg("%s: %s is no counter of uses", k->j->where, name);
        for (uint32_t i = 0; i < COUNTS; i++)
            if (strcmp(name, counter_names[i]) == 0) judge_equal(k->j, name, 0, (uint64_t)value, u->of[i]);
    }
}

/* What both have counted until now. */
static inline use_check compare_uses(judge *j, slow_use *u, uint32_t wrong) {
    use_check check = {.j = j, .u = u, .wrong = wrong};
    uint64_t often = 0;
    for (uint32_t i = 0; i < u->lines; i++)
        often += u->line[i].uses > (use_slip == FOUR_OFTEN ? 3 : use_slip == FIVE_SELDOM ? 5 : 4);
    u->of[C_lines_used] = u->lines;
    u->of[C_lines_used_often] = often;
    rf_cerf_use_report(&u->model, use_reported, &check);
    assert_int_equal(check.found, USE_FIGURES);
    return check;
}

#endif
