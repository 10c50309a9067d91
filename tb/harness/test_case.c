/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/core/case.c: what is written is read again, what is malformed is refused with file and line, and no prefix of
 * a file is taken for the whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/core/case.h"
#include "harness/base/memory.h"
#include "harness/core/plan.h"
#include "harness/core/config.h"
#include "harness/core/source.h"

static char directory[] = "/tmp/test_case.XXXXXX";
static char *path;

static int set_up(void **state) {
    (void)state;
    if (mkdtemp(directory) == NULL) return 1;
    path = ls_format("%s/a.case", directory);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    free(path);
    ls_remove_tree(directory);
    return 0;
}

/* A case of `cycles` cycles with random inputs, resets and repetitions among them. */
static ls_case random_case(const char *unit_name, const char *params, uint32_t cycles, ls_rng *rng) {
    const ls_unit *unit = ls_unit_find(unit_name);
    char error[256];
    assert_non_null(unit);
    void *cfg = ls_config_new(unit), *model = ls_zeroed(unit->model_size);
    uint8_t *in = ls_zeroed(unit->in_size);
    assert_int_equal(ls_config_set_all(unit, cfg, params, error, sizeof error), 0);
    assert_int_equal(unit->init(model, cfg), 0);
    ls_fields fields = {0};
    ls_case c;
    unit->fields(&fields, model);
    ls_case_init(&c, unit, cfg, ls_rng_u64(rng), cycles % 2 == 0 ? "" : fields.list[fields.count - 1].name);
    for (uint32_t i = 0; i < cycles; i++) {
        const bool reset = ls_rng_chance(rng, 24);
        for (size_t k = 0; k < fields.count && !reset; k++) {
            const ls_field *f = &fields.list[k];
            for (uint32_t e = 0; f->kind == LS_IN && e < f->count; e++) {
                uint32_t words[32];
                if (!ls_rng_chance(rng, 64)) continue;
                for (uint32_t w = 0; w < 32; w++) {
                    const uint32_t left = f->bits > w * 32 ? f->bits - w * 32 : 0;
                    words[w] = (uint32_t)(ls_rng_chance(rng, 64) ? 0 : ls_rng_u64(rng) & ls_mask(left < 32 ? left : 32));
                }
                ls_model_store(f, in, e, words);
            }
        }
        if (reset) memset(in, 0, unit->in_size);
        const uint64_t warp = unit->warp != NULL && !reset && ls_rng_chance(rng, 64) ? UINT64_C(0x270f00000006) : 0;
        assert_int_equal(ls_case_add(&c, reset, warp, in), 0);
    }
    free(in);
    free(cfg);
    free(model);
    ls_fields_free(&fields);
    return c;
}

static void assert_same_case(const ls_case *a, const ls_case *b) {
    assert_ptr_equal(a->unit, b->unit);
    assert_memory_equal(a->cfg, b->cfg, a->unit->cfg_size);
    assert_int_equal(a->fill, b->fill);
    assert_string_equal(a->field, b->field);
    assert_int_equal(a->count, b->count);
    if (a->count == 0) return;
    assert_memory_equal(a->reset, b->reset, a->count);
    assert_memory_equal(a->warp, b->warp, a->count * sizeof *a->warp);
    assert_memory_equal(a->in, b->in, a->count * a->unit->in_size);
}

static void what_is_written_is_read(void **state) {
    static const struct {
        const char *unit, *params;
    } shapes[] = {{"rf_rr", ""},     {"rf_rr", "N=64"},         {"rf_fifo_ctrl", "DEPTH=3"},        {"rf_bank", "ROWS=5 LANES=3"},
                  {"rf_ocu", ""},    {"rf_arbiter", "BANKS=3"}, {"rf_crossbar", "WIDTH=72 SRC=33"}, {"rf_scoreboard", ""},
                  {"rf_banked", ""}, {"rf_sthld", ""}};
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 1);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (uint32_t round = 0; round < 12; round++) {
            char error[256] = "";
            ls_case c = random_case(shapes[i].unit, shapes[i].params, round < 3 ? round : ls_rng_below(&rng, 90), &rng), again;
            assert_int_equal(ls_case_write(&c, path, error, sizeof error), 0);
            if (ls_case_read(&again, path, error, sizeof error) != 0)
                fail_msg("%s %s: %s", shapes[i].unit, shapes[i].params, error);
            assert_same_case(&c, &again);
            ls_case_free(&c);
            ls_case_free(&again);
        }
}

/* Any value in every register and memory. */
static void draw_state(const ls_fields *fields, void *model, ls_rng *rng) {
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        for (uint32_t e = 0; (f->kind == LS_STATE || f->kind == LS_MEMORY) && e < f->count; e++) {
            uint32_t words[32];
            for (uint32_t w = 0; w < 32; w++) {
                const uint32_t left = f->bits > w * 32 ? f->bits - w * 32 : 0;
                words[w] = (uint32_t)(ls_rng_u64(rng) & ls_mask(left < 32 ? left : 32));
            }
            if (f->kind == LS_MEMORY || ls_rng_chance(rng, 200)) ls_model_store(f, model, e, words);
        }
    }
}

static void assert_same_state(const ls_fields *fields, const void *a, const void *b) {
    for (size_t i = 0; i < fields->count; i++) {
        const ls_field *f = &fields->list[i];
        for (uint32_t e = 0; (f->kind == LS_STATE || f->kind == LS_MEMORY) && e < f->count; e++) {
            uint32_t one[32], other[32];
            ls_model_element(f, a, e, one);
            ls_model_element(f, b, e, other);
            if (memcmp(one, other, sizeof one) != 0) fail_msg("%s[%u]", f->name, e);
        }
    }
}

/* Registers, arrays of them, records, memories and instances: what is written is put into a model after its reset again. */
static void a_start_state_is_written_and_read(void **state) {
    static const struct {
        const char *unit, *params;
    } shapes[] = {{"rf_rr", "N=5"},
                  {"rf_bank", "ROWS=5 LANES=3"},
                  {"rf_ocu", ""},
                  {"rf_arbiter", "BANKS=3"},
                  {"rf_wir_front", ""},
                  {"rf_banked", "BANKS=2"},
                  {"rf_fifo_ctrl", "DEPTH=3"},
                  {"rf_scoreboard", ""}};
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 6);
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        char error[512] = "";
        const ls_unit *unit = ls_unit_find(shapes[i].unit);
        void *cfg = ls_config_new(unit), *model = ls_zeroed(unit->model_size), *again = ls_zeroed(unit->model_size);
        void *in = ls_zeroed(unit->in_size);
        ls_fields fields = {0};
        ls_case c, read;
        assert_int_equal(ls_config_set_all(unit, cfg, shapes[i].params, error, sizeof error), 0);
        assert_int_equal(unit->init(model, cfg), 0);
        assert_int_equal(unit->init(again, cfg), 0);
        ls_unit_fields(unit, &fields, model);
        draw_state(&fields, model, &rng);
        ls_case_step(&c, unit, cfg, model, in);
        assert_int_equal(c.count, LS_RESET_CYCLES + 1);
        assert_int_equal(ls_case_write(&c, path, error, sizeof error), 0);
        if (ls_case_read(&read, path, error, sizeof error) != 0) fail_msg("%s: %s", shapes[i].unit, error);
        assert_same_case(&c, &read);
        assert_true(ls_case_given(&c) > 0);
        assert_int_equal(ls_case_given(&c), ls_case_given(&read));
        assert_memory_equal(c.start.given, read.start.given, unit->model_size);
        for (size_t at = 0; at < c.count + 1; at++) assert_int_equal(ls_case_starts(&read, at), at == LS_RESET_CYCLES);
        ls_start_put(&read.start, unit, again);
        assert_same_state(&fields, model, again);
        ls_case like;
        ls_case_like(&like, &read);
        assert_memory_equal(like.start.given, read.start.given, unit->model_size);
        ls_case_free(&like);
        ls_case_free(&read);
        ls_case_free(&c);
        ls_fields_free(&fields);
        free(cfg);
        free(model);
        free(again);
        free(in);
    }
}

/* Registers as the reset leaves them need not be written; a case of nothing else has no start state. */
static void a_state_after_reset_is_not_written(void **state) {
    char error[256] = "";
    const ls_unit *unit = ls_unit_find("rf_fifo_ctrl");
    void *cfg = ls_config_new(unit), *model = ls_zeroed(unit->model_size), *in = ls_zeroed(unit->in_size);
    ls_case c, read;
    (void)state;
    assert_int_equal(unit->init(model, cfg), 0);
    ls_case_step(&c, unit, cfg, model, in);
    assert_int_equal(ls_case_given(&c), 0);
    assert_int_equal(ls_case_write(&c, path, error, sizeof error), 0);
    assert_int_equal(ls_case_read(&read, path, error, sizeof error), 0);
    assert_null(read.start.model);
    ls_case_free(&c);
    ls_case_free(&read);
    free(cfg);
    free(model);
    free(in);
}

static void write_text(const void *data, size_t size) {
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(data, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

static ls_text file_text(void) {
    ls_text text = {0};
    assert_int_equal(ls_text_read(&text, path), 0);
    return text;
}

/* Cut after any byte: an error that names the file, or (only the last line's end is missing) the same case. */
static void no_prefix_passes_for_the_whole(void **state) {
    static const char *const units[] = {"rf_rr", "rf_ocu", "rf_fifo_ctrl"};
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 2);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        char error[512];
        ls_case c = random_case(units[i], "", 23, &rng);
        assert_int_equal(ls_case_write(&c, path, error, sizeof error), 0);
        ls_text text = file_text();
        for (size_t cut = 0; cut < text.size; cut++) {
            ls_case again;
            write_text(text.data, cut);
            const bool ok = ls_case_read(&again, path, error, sizeof error) == 0;
            if (ok != (cut == text.size - 1))
                fail_msg("%s cut after byte %zu of %zu: %s", units[i], cut, text.size, ok ? "accepted" : error);
            if (ok) {
                assert_same_case(&c, &again);
                ls_case_free(&again);
            } else {
                assert_int_equal(strncmp(error, path, strlen(path)), 0);
                assert_int_equal(error[strlen(path)], ':');
            }
        }
        free(text.data);
        ls_case_free(&c);
    }
}

/* One byte changed: never a crash; what is accepted is a case in range. */
static void damaged_files_do_no_harm(void **state) {
    char error[512];
    ls_rng rng;
    uint32_t accepted = 0, refused = 0;
    (void)state;
    ls_rng_seed(&rng, 3);
    ls_case c = random_case("rf_bank", "ROWS=5 LANES=2", 20, &rng);
    assert_int_equal(ls_case_write(&c, path, error, sizeof error), 0);
    ls_text text = file_text();
    for (size_t n = 0; n < 1500; n++) {
        const size_t at = ls_rng_below(&rng, (uint32_t)text.size);
        const char old = text.data[at];
        ls_case again;
        text.data[at] = (char)(ls_rng_chance(&rng, 128) ? " =[]0#\nfg\0r"[ls_rng_below(&rng, 11)] : (char)ls_rng_u64(&rng));
        write_text(text.data, text.size);
        if (ls_case_read(&again, path, error, sizeof error) == 0) {
            accepted++;
            ls_case_free(&again);
        } else {
            refused++;
            assert_int_equal(strncmp(error, path, strlen(path)), 0);
        }
        text.data[at] = old;
    }
    assert_true(accepted > 30 && refused > 300);
    free(text.data);
    ls_case_free(&c);
}

#define HEAD "lockstep-case 1\nunit rf_rr\nparams N=5\nfill 0123456789abcdef\nfield mask_q\n"
#define ARBITER "lockstep-case 1\nunit rf_arbiter\nparams BANKS=3\nfill 0123456789abcdef\nfield \nreset\n"
#define STHLD "lockstep-case 1\nunit rf_sthld\nparams \nfill 0000000000000001\nfield \n"

static void malformed_files_are_refused_with_file_and_line(void **state) {
    static const struct {
        const char *text;
        unsigned line;
        const char *says;
    } cases[] = {
        {"", 0, "not a case file"},
        {"hello\n", 1, "not a case file"},
        {"lockstep-case\n", 1, "version \"\""},
        {"lockstep-case 2\n", 1, "version \"2\""},
        {"lockstep-case 1\nrf_rr\n", 2, "unit NAME"},
        {"lockstep-case 1\nunit rf_nothing\n", 2, "there is no unit rf_nothing here"},
        {"lockstep-case 1\nunit rf_rr\nN=5\n", 3, "params"},
        {"lockstep-case 1\nunit rf_rr\nparams N=65\n", 3, "1 to 64"},
        {"lockstep-case 1\nunit rf_rr\nparams M=5\n", 3, "no parameter M"},
        {"lockstep-case 1\nunit rf_rr\nparams N\n", 3, "NAME=VALUE"},
        {"lockstep-case 1\nunit rf_arbiter\nparams COLLECTORS=16 SLOTS=8\n", 3, "64"},
        {"lockstep-case 1\nunit rf_rr\nparams\nfill 1\n", 4, "16 hexadecimal digits"},
        {"lockstep-case 1\nunit rf_rr\nparams\nfill 0x23456789abcdef\n", 4, "16 hexadecimal digits"},
        {"lockstep-case 1\nunit rf_rr\nparams\nfill -123456789abcdef\n", 4, "16 hexadecimal digits"},
        {"lockstep-case 1\nunit rf_rr\nparams\nfill 0123456789abcdefg\n", 4, "16 hexadecimal digits"},
        {"lockstep-case 1\nunit rf_rr\nparams\nfill 0123456789abcdef\nmask_q\n", 5, "field"},
        {HEAD, 5, "truncated"},
        {HEAD "cycle\n", 6, "truncated"},
        {HEAD "step\n", 6, "\"step\": expected reset, warp, cycle or end"},
        {HEAD "warp 1\ncycle\nend 1\n", 6, "warp: rf_rr knows no 1 with these parameters"},
        {STHLD "warp\ncycle\nend 1\n", 6, "warp: \"\" is not hexadecimal of at most 64 bits"},
        {STHLD "warp 0\ncycle\nend 1\n", 6, "warp: rf_sthld knows no 0 with"},
        {STHLD "warp 271000000000\ncycle\nend 1\n", 6, "warp: rf_sthld knows no 271000000000 with"},
        {STHLD "warp 200000007\ncycle\nend 1\n", 6, "warp: rf_sthld knows no 200000007 with"},
        {STHLD "warp 200000006\nreset\nend 1\n", 7, "\"reset\": expected cycle after warp"},
        {STHLD "warp 200000006\nend 0\n", 7, "\"end\": expected cycle after warp"},
        {STHLD "ports-only\nwarp 200000006\ncycle\nend 1\n", 7, "warp: there is none in a case of ports only or of a netlist"},
        {HEAD "reset\nstate mask_=1\ncycle\nend 2\n", 7, "mask_ is no register or memory: did you mean mask_q?"},
        {HEAD "reset\nstate req=1\ncycle\nend 2\n", 7, "req is no register or memory"},
        {HEAD "reset\nstate grant=1\ncycle\nend 2\n", 7, "grant is no register or memory"},
        {HEAD "reset\ncycle mask_q=1\nend 2\n", 7, "mask_q is no input"},
        {HEAD "reset\nstate mask_q=20\ncycle\nend 2\n", 7, "mask_q: \"20\" is not hexadecimal of at most 5 bits"},
        {HEAD "reset\nstate mask_q=\ncycle\nend 2\n", 7, "mask_q: \"\" is not hexadecimal of at most 5 bits"},
        {HEAD "reset\nstate mask_q\ncycle\nend 2\n", 7, "\"mask_q\": expected name=hex"},
        {HEAD "reset\nstate\ncycle\nend 2\n", 7, "state: expected name=hex"},
        {HEAD "reset\nstate mask_q[1]=1\ncycle\nend 2\n", 7, "mask_q: index 1 is not 0 to 0"},
        {HEAD "reset\nstate mask_q=1 mask_q=1\ncycle\nend 2\n", 7, "mask_q is there twice"},
        {HEAD "reset\nstate mask_q=1\nstate mask_q[0]=2\ncycle\nend 2\n", 8, "mask_q is there twice"},
        {HEAD "state mask_q=1\ncycle\nend 1\n", 6, "state: it belongs between the reset and the first cycle"},
        {HEAD "reset\ncycle\nstate mask_q=1\ncycle\nend 3\n", 8, "state: it belongs between the reset and the first cycle"},
        {HEAD "reset\nstate mask_q=1\nreset\nend 2\n", 8, "\"reset\": expected state, warp or cycle after state"},
        {HEAD "reset\nstate mask_q=1\nend 1\n", 8, "\"end\": expected state, warp or cycle after state"},
        {HEAD "ports-only\nreset\nstate mask_q=1\ncycle\nend 2\n", 8, "state: there is none in a case of ports only or of a"},
        {HEAD "netlist a\nreset\nstate mask_q=1\ncycle\nend 2\n", 8, "state: there is none in a case of ports only or of a"},
        {STHLD "reset\nwarp 200000006\nstate sthld_q=1\ncycle\nend 2\n", 8, "\"state\": expected cycle after warp"},
        {ARBITER "state gen_bank[3].u_rd_rr.mask_q=1\ncycle\nend 2\n", 7,
         "gen_bank[3].u_rd_rr.mask_q is no register or memory: did you mean gen_bank[0].u_rd_rr.mask_q?"},
        {HEAD "x 2\n", 6, "x: \"2\" is neither 0 nor 1"},
        {HEAD "x 0\nx 1\n", 7, "x is there twice"},
        {HEAD "x 0\nx 0\n", 7, "x is there twice"},
        {HEAD "netlist a\nrtl b\nnetlist a\n", 8, "netlist is there twice"},
        {HEAD "second-fill\nsecond-fill\n", 7, "second-fill is there twice"},
        {HEAD "ports-only\nports-only\n", 7, "ports-only is there twice"},
        {HEAD "define A\ndefine AB\ndefine A=1\n", 8, "define: macro \"A=1\" is there twice"},
        {HEAD "rtl \n", 6, "rtl: expected a name"},
        {HEAD "netlist \n", 6, "netlist: expected a name"},
        {HEAD "define \n", 6, "define: \"\" is not NAME or NAME=VALUE"},
        {HEAD "define A\ndefine 2=3\n", 7, "define: \"2=3\" is not NAME or NAME=VALUE"},
        {"lockstep-case 1\nunit rf_rr\nparams N=5 N=6\n", 3, "parameter N is there twice"},
        {"lockstep-case 1\nunit rf_rr\nparams\nfill 0123456789abcdef\nfield mask\ncycle\n", 5, "no output or register \"mask\""},
        {"lockstep-case 1\nunit rf_rr\nparams\nfill 0123456789abcdef\nfield req\ncycle\n", 5, "no output or register \"req\""},
        {"lockstep-case 1\nunit rf_arbiter\nparams\nfill 0123456789abcdef\nfield grant_q\n", 5, "no output or register"},
        {"lockstep-case 1\nunit rf_arbiter\nparams\nfill 0123456789abcdef\nfield \ncycle rd_row=1\n", 6,
         "expected rd_row[0] to rd_row[23]"},
        {HEAD "cycle\nx 0\n", 7, "\"x\": expected reset, warp, cycle or end"},
        {HEAD "cycle req\n", 6, "name=hex"},
        {HEAD "cycle req=\n", 6, "not hexadecimal"},
        {HEAD "cycle req=1g\n", 6, "not hexadecimal"},
        {HEAD "cycle req=A\n", 6, "not hexadecimal"},
        {HEAD "cycle req=-1\n", 6, "not hexadecimal"},
        {HEAD "cycle req=20\n", 6, "at most 5 bits"},
        {HEAD "cycle\ncycle take=2\n", 7, "at most 1 bit"},
        {HEAD "cycle grant=1\n", 6, "grant is no input"},
        {HEAD "cycle req[1]=1\n", 6, "index 1 is not 0 to 0"},
        {HEAD "cycle req[]=1\n", 6, "bad index"},
        {HEAD "cycle req[0=1\n", 6, "bad index"},
        {HEAD "cycle req[-0]=1\n", 6, "bad index"},
        {HEAD "cycle req[0x]=1\n", 6, "bad index"},
        {HEAD "cycle req[18446744073709551616]=1\n", 6, "bad index"},
        {HEAD "reset rep=1\n", 6, "rep is no input"},
        {HEAD "cycle\nend\n", 7, "end does not say 1"},
        {HEAD "cycle\nend 2\n", 7, "end does not say 1"},
        {HEAD "cycle\nend 1x\n", 7, "end does not say 1"},
        {HEAD "cycle\nend 1 1\n", 7, "end does not say 1"},
        {HEAD "cycle\nend 1\ncycle\n", 8, "follows"},
        {HEAD " \n", 6, "expected reset, warp, cycle or end"},
        {HEAD "cycle req=1\r take=1\nend 1\n", 6, "NUL or CR"},
        {HEAD "cycle\n# a\rb\nend 1\n", 7, "NUL or CR"},
        {HEAD "cycle\nend 1\n# a\rb\n", 8, "NUL or CR"},
        {HEAD "cycle req=1 take=1 req=1\nend 1\n", 6, "req is there twice"},
        {HEAD "cycle req=1\ncycle req=1 req[0]=2\nend 2\n", 7, "req is there twice"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ls_case c;
        char error[512] = "";
        write_text(cases[i].text, strlen(cases[i].text));
        if (ls_case_read(&c, path, error, sizeof error) == 0) fail_msg("accepted: %s", cases[i].text);
        char *where =
            cases[i].line != 0 ? ls_format("%s:%u: ", path, cases[i].line) : ls_format("%s: ", path); /* 0: of the file */
        if (strncmp(error, where, strlen(where)) != 0 || strstr(error, cases[i].says) == NULL)
            fail_msg("\"%s\" is not \"%s…%s\" for:\n%s", error, where, cases[i].says, cases[i].text);
        free(where);
    }
    static const char nul[] = HEAD "cycle req=1\0 take=1\nend 1\n";
    ls_case c;
    char error[512] = "";
    write_text(nul, sizeof nul - 1);
    assert_int_equal(ls_case_read(&c, path, error, sizeof error), -1);
    assert_non_null(strstr(error, ".case:6: a NUL or CR"));
}

static void the_second_fill_and_x_are_kept(void **state) {
    char error[256] = "";
    ls_case c, again, like;
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 5);
    c = random_case("rf_rr", "", 3, &rng);
    assert_int_equal(c.x, LS_X_RANDOM);
    c.second_fill = true;
    c.x = 0;
    assert_int_equal(ls_case_write(&c, path, error, sizeof error), 0);
    assert_int_equal(ls_case_read(&again, path, error, sizeof error), 0);
    assert_true(again.second_fill);
    assert_int_equal(again.x, 0);
    ls_case_like(&like, &again);
    assert_true(like.second_fill);
    assert_int_equal(like.x, 0);
    ls_case_free(&c);
    ls_case_free(&again);
    ls_case_free(&like);
}

static void comments_blank_lines_and_dos_line_ends_are_allowed(void **state) {
    static const char text[] =
        "# by hand\r\nlockstep-case 1\r\n\r\nunit rf_rr\r\nparams N=0x5\r\nfill 0123456789abcdef\r\nfield \r\n"
        "reset\r\n# on\r\ncycle req[0]=1f take=1\r\ncycle take=0\r\nend 3\r\n# bye";
    char error[256];
    ls_case c;
    (void)state;
    write_text(text, sizeof text - 1);
    if (ls_case_read(&c, path, error, sizeof error) != 0) fail_msg("%s", error);
    assert_int_equal(c.count, 3);
    assert_int_equal(c.reset[0], 1);
    assert_int_equal(c.reset[1] + c.reset[2], 0);
    assert_int_equal(c.fill, UINT64_C(0x0123456789abcdef));
    assert_string_equal(c.field, "");
    uint64_t req;
    memcpy(&req, ls_case_in(&c, 2), sizeof req); /* what a line does not say stays */
    assert_int_equal(req, 0x1f);
    ls_case_free(&c);
}

static void files_that_cannot_be_read_or_written_are_named(void **state) {
    char error[256];
    ls_case c;
    ls_rng rng;
    (void)state;
    ls_rng_seed(&rng, 4);
    assert_int_equal(ls_case_read(&c, "/nowhere/a.case", error, sizeof error), -1);
    assert_non_null(strstr(error, "/nowhere/a.case"));
    assert_int_equal(ls_case_read(&c, directory, error, sizeof error), -1);
    assert_non_null(strstr(error, directory));
    assert_non_null(strstr(error, "Is a directory"));
    char deep[1024] = "/"; /* the reason is not lost behind a long path */
    for (size_t at = 1; at < sizeof deep - 2; at++) deep[at] = at % 100 == 0 ? '/' : 'd';
    assert_int_equal(ls_case_read(&c, deep, error, sizeof error), -1);
    assert_non_null(strstr(error, "No such file"));
    c = random_case("rf_rr", "", 3, &rng);
    assert_int_equal(ls_case_write(&c, "/nowhere/at/all/a.case", error, sizeof error), -1);
    assert_non_null(strstr(error, "/nowhere/at/all/a.case"));
    char folder[64], lost[80]; /* a folder that somebody took away */
    (void)snprintf(folder, sizeof folder, "%s/gone", directory);
    (void)snprintf(lost, sizeof lost, "%s/a.case", folder);
    assert_int_equal(ls_case_write(&c, lost, error, sizeof error), 0);
    assert_int_equal(unlink(lost), 0);
    assert_int_equal(rmdir(folder), 0);
    if (access("/dev/full", W_OK) == 0) {
        assert_int_equal(ls_case_write(&c, "/dev/full", error, sizeof error), -1);
        assert_non_null(strstr(error, "/dev/full"));
        struct stat is;
        assert_int_equal(stat("/dev/full", &is), 0);
        assert_true(S_ISCHR(is.st_mode)); /* root could remove it */
    }
    ls_case_free(&c);
}

static void hexadecimal_has_no_leading_zeroes(void **state) {
    uint32_t words[32] = {0};
    char text[264];
    (void)state;
    assert_string_equal(ls_hex(words, 1024, text), "0");
    words[0] = 0xab;
    assert_string_equal(ls_hex(words, 8, text), "ab");
    words[2] = 1;
    assert_string_equal(ls_hex(words, 96, text), "1"
                                                 "00000000"
                                                 "000000ab");
    memset(words, 0xff, sizeof words);
    assert_int_equal(strlen(ls_hex(words, 1024, text)), 256);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(a_start_state_is_written_and_read),
        cmocka_unit_test(a_state_after_reset_is_not_written),
        cmocka_unit_test(no_prefix_passes_for_the_whole),
        cmocka_unit_test(damaged_files_do_no_harm),
        cmocka_unit_test(malformed_files_are_refused_with_file_and_line),
        cmocka_unit_test(the_second_fill_and_x_are_kept),
        cmocka_unit_test(comments_blank_lines_and_dos_line_ends_are_allowed),
        cmocka_unit_test(files_that_cannot_be_read_or_written_are_named),
        cmocka_unit_test(hexadecimal_has_no_leading_zeroes),
    };
    return cmocka_run_group_tests_name("harness/core/case.c", tests, set_up, tear_down);
}
