/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/fuzz: what an entry's changes do to the inputs that it plays, what counts as new, and what is kept. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/base/memory.h"
#include "harness/core/config.h"
#include "harness/fuzz/fuzz.h"
#include "harness/fuzz/mutate.h"
#include "harness/fuzz/player.h"

#define MOST 400u /* cycles of an entry here */

/* The inputs of each cycle behind the reset. */
typedef struct inputs {
    uint8_t *in;
    size_t count, size;
} inputs;

static const ls_unit *vsb(void **cfg) {
    const ls_unit *unit = ls_unit_find("rf_vsb");
    char error[256];
    *cfg = ls_config_new(unit);
    assert_int_equal(ls_config_set_all(unit, *cfg, "ENTRIES=4 PREGS=16", error, sizeof error), 0);
    return unit;
}

/* Of an entry; or, NULL, of the first cycles of a run with this seed. */
static inputs inputs_of(const ls_script *entry, uint64_t seed) {
    void *cfg;
    const ls_unit *unit = vsb(&cfg);
    ls_source source;
    ls_script copy = {0};
    char error[256];
    void *model = ls_zeroed(unit->model_size), *in = ls_zeroed(unit->in_size), *out = ls_zeroed(unit->out_size);
    inputs all = {.in = ls_zeroed(MOST * unit->in_size), .size = unit->in_size};
    assert_int_equal(unit->init(model, cfg), 0);
    if (entry != NULL) ls_script_append(&copy, entry, 0, entry->count);
    if (entry != NULL) ls_source_script(&source, unit, model, &copy, NULL);
    else assert_int_equal(ls_source_open(&source, unit, model, seed, NULL, error, sizeof error), 0);
    for (ls_source_next next; (next = ls_source_step(&source, model, in)) != LS_NEXT_END;) {
        if (next == LS_NEXT_RESET) {
            unit->reset(model);
            continue;
        }
        if (entry == NULL && all.count == MOST) break;
        assert_true(all.count < MOST);
        memcpy(all.in + all.count++ * unit->in_size, in, unit->in_size);
        unit->comb(model, in, out);
        ls_source_observe(&source, in, out);
        unit->clock(model, in);
    }
    ls_source_close(&source);
    ls_script_free(&copy);
    free(model);
    free(in);
    free(out);
    free(cfg);
    return all;
}

/* How many of the first cycles are the same; those of a run with this seed for `y` NULL. */
static size_t alike_run(const ls_script *x, const ls_script *y, uint64_t seed) {
    const inputs a = inputs_of(x, 0), b = inputs_of(y, seed);
    size_t n = 0;
    while (n < a.count && n < b.count && memcmp(a.in + n * a.size, b.in + n * a.size, a.size) == 0) n++;
    free(a.in);
    free(b.in);
    return n;
}

static size_t alike(const ls_script *x, const ls_script *y) { return alike_run(x, y, 0); }

static ls_script entry(uint64_t seed, uint32_t pieces, uint32_t cycles) {
    ls_script e = {0};
    ls_rng rng;
    ls_rng_seed(&rng, seed);
    ls_mutate_new(&e, false, &rng);
    for (uint32_t i = 0; i < pieces; i++) ls_mutate_extend(&e, cycles, true, &rng);
    return e;
}

static uint64_t cycles_of(const ls_script *e) { return ls_script_cycles(e, 0, e->count); }

static void an_entry_plays_the_same_again(void **state) {
    (void)state;
    ls_script e = entry(1, 5, 20), other = entry(2, 5, 20);
    assert_int_equal(alike(&e, &e), 100);
    assert_true(alike(&e, &other) < 5);
    ls_script_free(&e);
    ls_script_free(&other);
}

static void a_cut_is_the_beginning(void **state) {
    (void)state;
    ls_script e = entry(3, 5, 20), cut = {0};
    static const uint64_t at[] = {1, 19, 20, 21, 70, 100};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        ls_mutate_cut(&e, at[i], &cut);
        assert_int_equal(cycles_of(&cut), at[i]);
        assert_int_equal(alike(&e, &cut), at[i]);
    }
    ls_script_free(&e);
    ls_script_free(&cut);
}

static void redrawn_cycles_alone_have_other_choices(void **state) {
    (void)state;
    ls_script e = entry(4, 5, 20), to = {0};
    ls_rng rng;
    ls_rng_seed(&rng, 9);
    ls_mutate_redraw(&e, 33, 47, &to, &rng);
    assert_int_equal(cycles_of(&to), 100);
    const size_t same = alike(&e, &to);
    assert_true(same >= 33 && same < 40);
    /* Behind them the spans are those of before, from the right cycle on. */
    const ls_span *last = &to.list[to.count - 1], *was = &e.list[e.count - 1];
    assert_true(last->seed == was->seed && last->first == was->first && last->cycles == was->cycles);
    const ls_span *rest = &to.list[to.count - 3];
    assert_true(rest->seed == e.list[3].seed && rest->first == 7 && rest->cycles == 13);
    ls_script_free(&e);
    ls_script_free(&to);
}

static void redrawing_keeps_the_knobs_behind(void **state) {
    (void)state;
    ls_script e = entry(5, 2, 20), to = {0};
    ls_rng rng;
    ls_rng_seed(&rng, 9);
    ls_script_add(&e, (ls_span){.kind = LS_SPAN_KNOBS, .seed = 77});
    ls_mutate_extend(&e, 20, false, &rng);
    static const uint64_t ranges[][2] = {{10, 40}, {35, 45}, {40, 50}, {0, 39}};
    for (size_t i = 0; i < 4; i++) {
        ls_mutate_redraw(&e, ranges[i][0], ranges[i][1], &to, &rng);
        size_t knobs = 0;
        for (size_t k = 0; k < to.count; k++) knobs += to.list[k].kind == LS_SPAN_KNOBS && to.list[k].seed == 77;
        assert_int_equal(knobs, 1);
        assert_int_equal(cycles_of(&to), 60);
    }
    ls_script_free(&e);
    ls_script_free(&to);
}

static void a_splice_is_a_part_of_the_other(void **state) {
    (void)state;
    ls_script e = entry(6, 2, 20), other = entry(7, 3, 10), to = {0};
    ls_mutate_cut(&e, 40, &to);
    ls_mutate_splice(&to, &other, 5, 25, true);
    assert_int_equal(cycles_of(&to), 60);
    const ls_span *knobs = &to.list[3], *first = &to.list[4];
    assert_true(knobs->kind == LS_SPAN_KNOBS && knobs->seed == other.list[0].seed);
    assert_true(first->seed == other.list[1].seed && first->first == 5 && first->cycles == 5);
    assert_true(to.list[6].seed == other.list[3].seed && to.list[6].cycles == 5);
    assert_int_equal(alike(&e, &to), 40);
    ls_script_free(&e);
    ls_script_free(&other);
    ls_script_free(&to);
}

/* Choices that return: of a period of 1 each cycle draws what the one before drew. */
static void a_period_repeats_choices(void **state) {
    (void)state;
    ls_script e = {0}, longer = {0};
    ls_script_add(&e, (ls_span){.kind = LS_SPAN_RESET, .seed = 1});
    ls_script_add(&e, (ls_span){.kind = LS_SPAN_DRAW, .seed = 2, .cycles = 40, .period = 3});
    ls_script_add(&longer, e.list[0]);
    for (uint32_t i = 0; i < 40; i++)
        ls_script_add(&longer, (ls_span){.kind = LS_SPAN_DRAW, .seed = 2, .first = i % 3, .cycles = 1});
    assert_int_equal(alike(&e, &longer), 40);
    ls_script_free(&e);
    ls_script_free(&longer);
}

static bool fresh(ls_player *p, ls_novelty *n, const ls_script *e) {
    ls_player_begin(p);
    ls_script_append(&p->script, e, 0, e->count);
    return ls_player_play(p, n, NULL);
}

static void new_is_what_nothing_kept_has_reached(void **state) {
    (void)state;
    void *cfg;
    const ls_unit *unit = vsb(&cfg);
    ls_novelty *n = ls_novelty_new(unit, cfg);
    ls_player p;
    ls_player_open(&p, unit, cfg, NULL, false);
    ls_script e = entry(8, 4, 20), part = {0}, other = entry(9, 4, 20);
    ls_mutate_cut(&e, 40, &part);
    assert_true(fresh(&p, n, &e));
    assert_int_equal(ls_novelty_reached(n), 0);
    assert_true(fresh(&p, n, &e)); /* was not kept */
    const uint32_t *list;
    const size_t all = ls_novelty_touched(n, &list);
    ls_novelty_keep(n);
    assert_int_equal(ls_novelty_reached(n), all);
    assert_false(fresh(&p, n, &e));
    assert_false(fresh(&p, n, &part));
    assert_true(fresh(&p, n, &other));
    assert_true(ls_novelty_touched(n, &list) > 0);
    ls_player_close(&p);
    ls_novelty_free(n);
    ls_script_free(&e);
    ls_script_free(&part);
    ls_script_free(&other);
    free(cfg);
}

static uint64_t reached(const ls_unit *unit, const void *cfg, const ls_corpus *corpus) {
    ls_novelty *n = ls_novelty_new(unit, cfg);
    ls_player p;
    ls_player_open(&p, unit, cfg, NULL, false);
    for (size_t i = 0; i < corpus->count; i++) {
        (void)fresh(&p, n, &corpus->list[i]);
        ls_novelty_keep(n);
    }
    const uint64_t count = ls_novelty_reached(n);
    ls_player_close(&p);
    ls_novelty_free(n);
    return count;
}

static void the_least_corpus_reaches_all(void **state) {
    (void)state;
    void *cfg;
    const ls_unit *unit = vsb(&cfg);
    ls_corpus corpus = {0};
    for (uint64_t seed = 0; seed < 12; seed++) {
        ls_script e = entry(seed % 6, 3 + (uint32_t)seed, 8); /* each twice, once longer */
        ls_corpus_add(&corpus, &e);
        ls_script_free(&e);
    }
    uint64_t before = 0, after = 0;
    const uint64_t all = reached(unit, cfg, &corpus);
    for (size_t i = 0; i < corpus.count; i++) before += cycles_of(&corpus.list[i]);
    assert_int_equal(ls_corpus_minimise(&corpus, unit, cfg, NULL), all);
    for (size_t i = 0; i < corpus.count; i++) after += cycles_of(&corpus.list[i]);
    assert_int_equal(reached(unit, cfg, &corpus), all);
    assert_true(after < before);
    ls_corpus_free(&corpus);
    free(cfg);
}

static void a_file_says_all_of_a_corpus(void **state) {
    (void)state;
    void *cfg, *read_cfg;
    const ls_unit *unit = vsb(&cfg), *read_unit;
    ls_corpus corpus = {.fill = 0x1234}, read = {0};
    char error[256], path[] = "/tmp/ls_corpus_XXXXXX";
    (void)close(mkstemp(path));
    ls_script e = entry(10, 30, 7);
    ls_script_add(&e, (ls_span){.kind = LS_SPAN_KNOBS, .seed = 5});
    e.list[0].extreme = 96;
    e.list[e.count - 1].again = 16;
    ls_script_add(
        &e,
        (ls_span){
            .kind = LS_SPAN_DRAW, .seed = UINT64_MAX, .first = UINT32_MAX, .cycles = 1, .period = 9, .extreme = 255, .again = 1});
    ls_corpus_add(&corpus, &e);
    ls_corpus_add(&corpus, &e);
    assert_int_equal(ls_corpus_write(&corpus, unit, cfg, path, error, sizeof error), 0);
    assert_true(ls_corpus_is(path));
    assert_int_equal(ls_corpus_read(&read, &read_unit, &read_cfg, path, error, sizeof error), 0);
    assert_ptr_equal(read_unit, unit);
    assert_memory_equal(read_cfg, cfg, unit->cfg_size);
    assert_int_equal(read.count, 2);
    assert_int_equal(read.fill, 0x1234);
    assert_int_equal(read.list[1].count, e.count);
    for (size_t i = 0; i < e.count; i++) {
        const ls_span *a = &e.list[i], *b = &read.list[1].list[i];
        assert_true(a->kind == b->kind && a->seed == b->seed && a->first == b->first && a->cycles == b->cycles &&
                    a->period == b->period && a->extreme == b->extreme && a->again == b->again);
    }
    (void)unlink(path);
    ls_script_free(&e);
    ls_corpus_free(&corpus);
    ls_corpus_free(&read);
    free(cfg);
    free(read_cfg);
}

/* What a run with the fuzzer plays in so many cycles. */
static ls_script written(const ls_unit *unit, const void *cfg, uint64_t seed, const ls_corpus *start) {
    const ls_fuzz_request rq = {.unit = unit, .cfg = cfg, .seed = seed, .start = start, .found = -1};
    const char *property;
    ls_fuzz *f = ls_fuzz_new(&rq);
    ls_script script = {0};
    assert_true(ls_fuzz_alone(f, 20000, 0, &script, &property));
    ls_fuzz_free(f);
    return script;
}

static void the_author_is_a_function_of_seed_and_start(void **state) {
    (void)state;
    void *cfg;
    const ls_unit *unit = vsb(&cfg);
    ls_corpus start = {0};
    ls_script e = entry(11, 3, 30);
    ls_corpus_add(&start, &e);
    ls_script a = written(unit, cfg, 1, NULL), b = written(unit, cfg, 1, NULL), c = written(unit, cfg, 2, NULL),
              d = written(unit, cfg, 1, &start);
    assert_int_equal(a.count, b.count);
    assert_true(a.count > 50 && cycles_of(&a) + 1000 > 20000);
    for (size_t i = 0; i < a.count; i++) assert_true(a.list[i].seed == b.list[i].seed && a.list[i].cycles == b.list[i].cycles);
    assert_true(a.list[0].seed != c.list[0].seed);
    assert_true(d.list[0].seed == e.list[0].seed && d.list[3].seed == e.list[3].seed);
    ls_script_free(&a);
    ls_script_free(&b);
    ls_script_free(&c);
    ls_script_free(&d);
    ls_script_free(&e);
    ls_corpus_free(&start);
    free(cfg);
}

static void an_epoch_is_that_of_a_run(void **state) {
    (void)state;
    ls_script e = {0};
    ls_script_add(&e, (ls_span){.kind = LS_SPAN_EPOCH, .seed = ls_seed_derive(7, "stimulus 0"), .cycles = 300});
    assert_int_equal(alike_run(&e, NULL, 7), 300);
    e.list[0].first = 1; /* searched, as that one is not */
    assert_true(alike_run(&e, NULL, 7) < 100);
    assert_int_equal(alike(&e, &e), 300);
    ls_script_free(&e);
}

/* Knobs whose draws are skewed are others, and play the same again; knobs of the same seed behind a reset, too. */
static void knobs_are_skewed(void **state) {
    (void)state;
    ls_script e = entry(12, 5, 20), skewed = {0};
    ls_script_append(&skewed, &e, 0, e.count);
    skewed.list[0].extreme = 160;
    assert_true(alike(&e, &skewed) < 20);
    assert_int_equal(alike(&skewed, &skewed), 100);
    ls_script_free(&e);
    ls_script_free(&skewed);
}

static void what_was_found_can_be_read_after_a_death(void **state) {
    (void)state;
    const int file = memfd_create("entries", 0);
    ls_corpus found = {0};
    void *cfg;
    const ls_unit *unit = vsb(&cfg);
    const char *property;
    ls_fuzz *f = ls_fuzz_new(&(ls_fuzz_request){.unit = unit, .cfg = cfg, .seed = 3, .guided = true, .found = file});
    assert_true(ls_fuzz_alone(f, 5000, 0, NULL, &property));
    ls_fuzz_free(f);
    ls_fuzz_found(file, &found);
    const size_t whole = found.count;
    assert_true(whole > 1);
    ls_corpus_free(&found);
    assert_int_equal(ftruncate(file, lseek(file, 0, SEEK_END) - 3), 0); /* the last one is cut */
    ls_fuzz_found(file, &found);
    assert_int_equal(found.count, whole - 1);
    ls_corpus_free(&found);
    (void)close(file);
    free(cfg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_entry_plays_the_same_again),
        cmocka_unit_test(a_cut_is_the_beginning),
        cmocka_unit_test(redrawn_cycles_alone_have_other_choices),
        cmocka_unit_test(redrawing_keeps_the_knobs_behind),
        cmocka_unit_test(a_splice_is_a_part_of_the_other),
        cmocka_unit_test(a_period_repeats_choices),
        cmocka_unit_test(new_is_what_nothing_kept_has_reached),
        cmocka_unit_test(the_least_corpus_reaches_all),
        cmocka_unit_test(a_file_says_all_of_a_corpus),
        cmocka_unit_test(the_author_is_a_function_of_seed_and_start),
        cmocka_unit_test(an_epoch_is_that_of_a_run),
        cmocka_unit_test(knobs_are_skewed),
        cmocka_unit_test(what_was_found_can_be_read_after_a_death),
    };
    return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
