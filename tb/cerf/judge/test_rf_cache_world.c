/* SPDX-License-Identifier: Apache-2.0 */
/* The properties that the bench of rf_cache_bank checks: they hold of the model for as long as its inputs are legal, and each of
 * them notices a bank that breaks it, be it in what it holds or in what it says. */
#include <stdlib.h>

#include "harness/core/unit.h"
#include "tb/cerf/env/rf_cache_world.h"
#include "tb/common/judge/judge.h"

extern const ls_unit rf_cache_bank_unit;

static const rf_cache_bank_cfg configurations[] = {
    {4, 2, 2, 5, 5, 4, 3, 1, 3, 0},   {4, 2, 2, 5, 5, 4, 3, 1, 3, 1}, {4, 2, 2, 5, 5, 4, 3, 1, 3, 2},
    {1, 8, 3, 9, 8, 16, 8, 0, 16, 0}, {2, 1, 1, 6, 4, 2, 1, 1, 1, 0}, {8, 5, 32, 9, 6, 6, 4, 1, 2, 2},
};

/* Something is broken, in the model's registers or in what the bench sees of its outputs; false: not in this cycle. */
typedef bool broken(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out);

typedef struct bench {
    rf_cache_bank m;
    rf_cache_bank_in in;
    rf_cache_bank_out out;
    void *stim;
} bench;

/* Cycles of legal inputs, broken from cycle 100 on: once, or always. What is violated, or NULL. */
static const char *play(const rf_cache_bank_cfg *cfg, uint64_t seed, uint32_t cycles, broken *wrong, bool always, char *text,
                        size_t size) {
    const ls_unit *u = &rf_cache_bank_unit;
    bench *b = calloc(1, sizeof *b);
    bool done = wrong == NULL;
    assert_non_null(b);
    b->stim = calloc(1, u->stim_size);
    assert_non_null(b->stim);
    assert_int_equal(rf_cache_bank_init(&b->m, cfg), 0);
    do u->stim_init(b->stim, &b->m, seed++);
    while (u->legal(b->stim) != UINT64_MAX);
    text[0] = '\0';
    for (uint32_t i = 0; i < cycles && text[0] == '\0'; i++) {
        u->stim(b->stim, &b->m, &b->in);
        rf_cache_bank_comb(&b->m, &b->in, &b->out);
        rf_cache_bank_out seen = b->out;
        const bool now = i >= 100 && !done && wrong(&b->m, &b->in, &seen);
        if (now && !always) done = true;
        u->observe(b->stim, &b->in, now ? &seen : &b->out);
        rf_cache_bank_clock(&b->m, &b->in);
        if (u->property(b->stim) != NULL) (void)snprintf(text, size, "%s", u->property(b->stim));
    }
    free(b->stim);
    free(b);
    return text[0] != '\0' ? text : NULL;
}

static void the_model_keeps_them(void **state) {
    char text[200];
    (void)state;
    for (size_t i = 0; i < sizeof configurations / sizeof *configurations; i++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            const char *said = play(&configurations[i], 100 * seed, 6000, NULL, false, text, sizeof text);
            if (said != NULL) fail_msg("configuration %zu, seed %" PRIu64 ": %s", i, seed, said);
        }
}

/* ---- what may break: in the registers ---- */

static bool a_word_changes(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)in;
    (void)out;
    if (!m->d_valid_q || !m->d_write_q || m->d_mask_q == 0 || m->d_step_q != rf_cache_bank_write_step(m)) return false;
    m->d_data_q.lane[rf_lowest(m->d_mask_q)] ^= 1u << 9;
    return true;
}

static bool a_write_is_lost(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)in;
    (void)out;
    if (!m->d_valid_q || !m->d_write_q || m->d_fill_q || m->d_victim_q) return false;
    m->d_write_q = 0;
    return true;
}

/* The entries that are dirty become clean: nothing is written back. */
static bool dirty_entries_are_clean(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)in;
    (void)out;
    for (uint32_t set = 0; set < m->cfg.sets; set++)
        for (uint32_t way = 0; way < m->cfg.ways; way++)
            if (rf_tag_bank_state(&m->tags, set, way) == RF_LINE_DIRTY) m->tags.state_q[set] ^= (uint16_t)(1u << 2 * way);
    return true;
}

static bool targets_change_places(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)in;
    (void)out;
    if (!m->d_valid_q || !m->d_fill_q || m->d_step_q != 0 || m->d_count_q < 2) return false;
    const uint8_t first = m->d_target_q[0];
    m->d_target_q[0] = m->d_target_q[1];
    m->d_target_q[1] = first;
    return true;
}

static void set_state(rf_cache_bank *m, uint32_t set, uint32_t way, uint32_t state) {
    m->tags.state_q[set] = (uint16_t)((m->tags.state_q[set] & ~(3u << 2 * way)) | state << 2 * way);
}

/* A load hits; its entry. */
static bool load_hits(const rf_cache_bank *m, const rf_cache_bank_in *in, const rf_cache_bank_out *out, uint32_t *set,
                      uint32_t *way) {
    *set = rf_tag_bank_set(&m->tags, in->req_set);
    *way = rf_tag_bank_find(&m->tags, *set, in->req_tag);
    return out->accept && out->hit && in->req_op == RF_CACHE_LOAD;
}

static bool a_line_has_two_entries(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    uint32_t set, way;
    if (!load_hits(m, in, out, &set, &way)) return false;
    const uint32_t other = way == 0 ? 1 : 0;
    rf_tag_bank_set_tag(&m->tags, set, other, in->req_tag);
    set_state(m, set, other, RF_LINE_CACHE);
    return true;
}

static bool a_line_is_a_register(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    uint32_t set, way;
    if (!load_hits(m, in, out, &set, &way)) return false;
    set_state(m, set, way, RF_LINE_REG);
    return true;
}

/* It is in a step behind the last one. */
static bool the_data_stage_does_not_end(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)in;
    (void)out;
    if (m->d_valid_q && m->d_step_q < 9) return false;
    m->d_valid_q = 1;
    m->d_step_q = 9;
    return true;
}

/* A line that L2 was asked for has an entry, too. */
static bool what_comes_has_an_entry(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)out;
    if (!in->fill_valid || out->fill_ready || !rf_mshr_busy(&m->mshr, in->fill_entry)) return false;
    const uint32_t line = m->mshr.line_q[in->fill_entry], set = line & (m->cfg.sets - 1);
    rf_tag_bank_set_tag(&m->tags, set, 0, line >> rf_log2(m->cfg.sets));
    set_state(m, set, 0, (m->mshr.reg_q >> in->fill_entry & 1) != 0 ? RF_LINE_REG : RF_LINE_CACHE);
    return true;
}

/* ---- what may break: in what the bank says ---- */

static bool a_message_is_empty(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)m;
    if (!out->mem_valid || !in->mem_ready || out->mem_op != RF_MISS_WRITE || out->mem_mask == 0) return false;
    out->mem_mask = 0;
    return true;
}

static bool an_answer_is_another(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)m;
    (void)in;
    out->rsp_data.lane[0] ^= 1;
    return out->rsp_valid != 0;
}

static bool an_answer_of_l2_is_another(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)in;
    out->rsp_data.lane[m->cfg.lanes - 1] ^= UINT32_C(1) << 31;
    return !m->r_valid_q && out->rsp_valid;
}

static bool an_answer_is_to_nobody(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)in;
    out->rsp_valid = 1;
    return m->mshr.busy_q == 0 && !m->d_valid_q && !m->r_valid_q;
}

static bool a_hit_is_not_answered(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)in;
    out->rsp_valid = 0;
    return m->r_valid_q != 0;
}

static bool a_fill_is_not_answered(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)in;
    const bool now = !m->r_valid_q && out->rsp_valid;
    out->rsp_valid = 0;
    return now;
}

static bool a_message_is_of_no_line(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    out->mem_line = (uint32_t)rf_mask64(m->cfg.tag_w + rf_log2(m->cfg.sets)) - out->mem_line;
    return out->mem_valid && in->mem_ready;
}

/* What is written is of a line that L2 was asked for. */
static bool a_write_passes_a_fetch(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    if (!out->mem_valid || !in->mem_ready || out->mem_op != RF_MISS_WRITE) return false;
    for (uint32_t e = 0; e < m->cfg.mshrs; e++) {
        const uint32_t line = m->mshr.line_q[e];
        bool asked = rf_mshr_busy(&m->mshr, e) && !(m->d_valid_q && m->d_push_q && m->d_line_q == line);
        for (uint32_t i = 0; i < m->cfg.queue; i++) asked = asked && m->queue.line_q[i] != line;
        if (!asked) continue;
        out->mem_line = line;
        return true;
    }
    return false;
}

/* All messages name MSHR 0. */
static bool an_mshr_is_named_twice(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)m;
    (void)in;
    const bool another = out->mem_entry != 0;
    out->mem_entry = 0;
    return another;
}

/* One of no word: nothing else tells. */
static bool a_store_passes_a_read(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    if (!in->req_valid || !out->refuse || in->req_op != RF_CACHE_STORE || in->req_mask != 0) return false;
    out->accept = 1;
    out->refuse = 0;
    return rf_mshr_with(&m->mshr, rf_cache_bank_line(&m->cfg, in->req_set, in->req_tag)) != 0;
}

static bool a_request_is_both(rf_cache_bank *m, const rf_cache_bank_in *in, rf_cache_bank_out *out) {
    (void)m;
    (void)in;
    out->refuse = 1;
    return out->accept != 0;
}

typedef struct breach {
    const char *what;
    broken *wrong;
    bool always;      /* in each cycle in which it can, not in the first alone */
    const char *says; /* the property */
} breach;

static const breach breaches[] = {
    {"a word changes", a_word_changes, false, "nothing is lost"},
    {"a write is lost", a_write_is_lost, true, "nothing is lost"},
    {"dirty entries are clean", dirty_entries_are_clean, true, "nothing is lost"},
    {"a message is empty", a_message_is_empty, true, "nothing is lost"},
    {"an answer is another", an_answer_is_another, true, "an answer is what a flat memory has: hit"},
    {"an answer of L2 is another", an_answer_of_l2_is_another, true, "an answer is what a flat memory has: fill"},
    {"an answer is to nobody", an_answer_is_to_nobody, false, "an answer is to who waits for one"},
    {"a hit is not answered", a_hit_is_not_answered, false, "a read that hits is answered after two cycles"},
    {"a fill is not answered", a_fill_is_not_answered, true, "a read is answered within"},
    {"targets change places", targets_change_places, false, "who waits for a line is answered in order"},
    {"a line has two entries", a_line_has_two_entries, false, "a line has one entry"},
    {"a line is a register", a_line_is_a_register, false, "an entry's state is of its kind"},
    {"what comes has an entry", what_comes_has_an_entry, false, "what comes from L2 has no entry"},
    {"the data stage does not end", the_data_stage_does_not_end, true, "a request is accepted within"},
    {"a message is of no line", a_message_is_of_no_line, false, "a message is of a line that was named"},
    {"a write passes a fetch", a_write_passes_a_fetch, false, "L2 gets nothing of a line that it is to answer"},
    {"an MSHR is named twice", an_mshr_is_named_twice, true, "an MSHR has one line"},
    {"a store passes a read", a_store_passes_a_read, true, "nothing is written while a read waits for L2"},
    {"a request is both", a_request_is_both, false, "a request is accepted or refused"},
};

/* In one of a few runs: another property may tell it first. */
static void each_of_them_can_be_broken(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof breaches / sizeof *breaches; i++) {
        const breach *b = &breaches[i];
        char text[200], last[200] = "nothing";
        bool said = false;
        for (uint64_t seed = 1; seed <= 24 && !said; seed++) {
            const char *now = play(&configurations[0], 1000 * seed, 4000, b->wrong, b->always, text, sizeof text);
            said = now != NULL && strncmp(now, b->says, strlen(b->says)) == 0;
            if (now != NULL) (void)strcpy(last, now);
        }
        if (!said) fail_msg("%s: \"%s\" was expected, the last that was said is \"%s\"", b->what, b->says, last);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_keeps_them),
        cmocka_unit_test(each_of_them_can_be_broken),
    };
    return cmocka_run_group_tests_name("properties of rf_cache_bank", tests, NULL, NULL);
}
