/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of harness/core/options.c, harness/core/config.c and harness/cli/{parse,table,help}.c: what a command line says, what it
 * is told when it is wrong, that the printed command is the same command, and that help says what the tables do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/core/config.h"
#include "harness/base/memory.h"
#include "harness/base/nearest.h"
#include "harness/cli/help.h"
#include "harness/cli/parse.h"
#include "harness/cli/table.h"

enum { WORDS = 40 };

/* Splits at blanks: words of a test's command line. */
static int split(char *line, char **words) {
    int n = 0;
    for (char *word; (word = strtok_r(line, " ", &line)) != NULL && n < WORDS;) words[n++] = word;
    words[n] = NULL;
    return n;
}

/* Parses; what is printed on stderr goes to `said`. */
static int parse(const char *line, ls_options *o, char *copy, size_t size, char **words, char *said, size_t room) {
    FILE *capture = tmpfile();
    const int old = dup(2);
    assert_non_null(capture);
    assert_true(strlen(line) < size);
    memcpy(copy, line, strlen(line) + 1);
    const int argc = split(copy, words);
    assert_true(dup2(fileno(capture), 2) >= 0);
    const int status = ls_options_parse(o, argc, words);
    assert_true(dup2(old, 2) >= 0);
    (void)close(old);
    rewind(capture);
    const size_t n = fread(said, 1, room - 1, capture);
    said[n] = '\0';
    (void)fclose(capture);
    return status;
}

static void a_command_line_is_understood(void **state) {
    char copy[512], said[2048], *words[WORDS + 1];
    ls_options o;
    (void)state;
    assert_int_equal(
        parse("lockstep run rf_bank --param ROWS=0x10 --param LANES=4 --seed DeadBeef --cycles 12 --rtl a.sv b.sv --define X=1 "
              "--define Y --json --ports-only --timeout 3 --record r --output f",
              &o, copy, sizeof copy, words, said, sizeof said),
        0);
    assert_string_equal(said, "");
    assert_string_equal(o.command, "run");
    assert_string_equal(o.unit->name, "rf_bank");
    char *params = ls_config_text(o.unit, o.cfg);
    assert_string_equal(params, "ROWS=16 LANES=4");
    free(params);
    assert_int_equal(o.seed, 0xdeadbeef);
    assert_int_equal(o.cycles, 12);
    assert_int_equal(o.rtl.count, 2);
    assert_string_equal(o.rtl.list[1], "b.sv");
    assert_int_equal(o.defines.count, 2);
    assert_true(o.json && o.ports_only && !o.waves && !o.no_shrink);
    assert_true(o.timeout > 2.9 && o.timeout < 3.1);
    assert_string_equal(o.record, "r");
    assert_string_equal(o.output, "f");
    ls_options_free(&o);
}

/* Options in any order, and those of the other commands. */
static void every_command_takes_its_options(void **state) {
    static const char *const lines[] = {
        "lockstep",
        "lockstep help",
        "lockstep version --json",
        "lockstep list --all-sets --sample 2 --turn 65536",
        "lockstep list --small",
        "lockstep list rf_rr --files",
        "lockstep list --json",
        "lockstep run rf_rr --lib l --netlist",
        "lockstep synth --jobs 2 --accept",
        "lockstep synth --all --jobs 2",
        "lockstep run rf_rr --waves --no-shrink --quiet --brief --workload w",
        "lockstep replay /dev/null --rtl a.sv --define X --ports-only --output f --record r --timeout 3 --json --quiet --brief "
        "--waves",
        "lockstep shrink /dev/null --rtl a.sv --define X --ports-only --json",
        "lockstep waves /dev/null --rtl a.sv --output f --timeout 3",
        "lockstep waves --seed 1 --cycles 5 --workload w rf_rr --quiet",
        "lockstep speed --param N=3 rf_rr --seed 1 --all-sets --json --rtl a.sv --ports-only",
        "lockstep faults rf_rr --seed 1 --jobs 2 --sample 1000 --turn 3 --json",
        "lockstep workload build saxpy -o f --registers 32 --schedule --m32 --dead-together --large --json",
        "lockstep workload build --output f a/kernelslist.g",
        "lockstep workload info --json f",
        "lockstep workload dump f --kernel 0 --warp 0 --limit 1",
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char copy[512], said[2048], *words[WORDS + 1];
        ls_options o;
        if (parse(lines[i], &o, copy, sizeof copy, words, said, sizeof said) != 0) fail_msg("%s: %s", lines[i], said);
        assert_string_equal(said, "");
        ls_options_free(&o);
    }
}

/* As in a plan: thousands and millions. */
static void cycles_may_be_scaled(void **state) {
    static const struct {
        const char *line;
        uint64_t cycles;
    } cases[] = {{"lockstep run rf_rr --cycles 300k", 300000}, {"lockstep run rf_rr --cycles 2M", 2000000}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char copy[512], said[2048], *words[WORDS + 1];
        ls_options o;
        assert_int_equal(parse(cases[i].line, &o, copy, sizeof copy, words, said, sizeof said), 0);
        assert_int_equal(o.cycles, cases[i].cycles);
        ls_options_free(&o);
    }
}

static void workload_has_verbs(void **state) {
    char copy[512], said[2048], *words[WORDS + 1];
    ls_options o;
    (void)state;
    assert_int_equal(
        parse("lockstep workload build -o f x --registers 255 --large", &o, copy, sizeof copy, words, said, sizeof said), 0);
    assert_string_equal(o.command, "workload");
    assert_string_equal(o.verb, "build");
    assert_string_equal(o.file, "x");
    assert_string_equal(o.output, "f");
    assert_true(o.registers == 255 && o.large && o.only_kernel == UINT64_MAX && o.only_warp == UINT64_MAX && o.limit == 0);
    ls_options_free(&o);
    assert_int_equal(
        parse("lockstep workload dump x --warp 0 --kernel 7 --limit 9", &o, copy, sizeof copy, words, said, sizeof said), 0);
    assert_string_equal(o.verb, "dump");
    assert_true(o.only_warp == 0 && o.only_kernel == 7 && o.limit == 9);
    ls_options_free(&o);
    assert_int_equal(parse("lockstep list", &o, copy, sizeof copy, words, said, sizeof said), 0);
    assert_null(o.verb);
    ls_options_free(&o);
}

static void parameters_may_stand_before_the_unit(void **state) {
    char copy[512], said[2048], *words[WORDS + 1];
    ls_options o;
    (void)state;
    assert_int_equal(
        parse("lockstep run --param ROWS=32 --seed 5 rf_bank --param LANES=4", &o, copy, sizeof copy, words, said, sizeof said),
        0);
    char *params = ls_config_text(o.unit, o.cfg);
    assert_string_equal(params, "ROWS=32 LANES=4");
    free(params);
    ls_options_free(&o);
}

static void what_is_wrong_is_named(void **state) {
    static const struct {
        const char *line, *says[2];
    } cases[] = {
        {"lockstep run rf_nothing", {"no unit rf_nothing", "list"}},
        {"lockstep run rf_rr rf_rr", {"unexpected \"rf_rr\"", ""}},
        {"lockstep run rf_rr --nothing", {"unknown option --nothing", "help"}},
        {"lockstep run rf_rr -x", {"unknown option -x", ""}},
        {"lockstep fly", {"no command fly", "help"}},
        {"lockstep rnu rf_rr", {"no command rnu: did you mean run?", "help"}},
        {"lockstep help rnu", {"no command rnu: did you mean run?", "help"}},
        {"lockstep help run x", {"unexpected \"x\"", ""}},
        {"lockstep help workload fly", {"unexpected \"fly\"", ""}},
        {"lockstep help run --man", {"help run takes no --man", ""}},
        {"lockstep help --man --completion bash", {"help takes no --man with --completion", ""}},
        {"lockstep help --completion csh", {"--completion csh: expected bash, zsh or fish", ""}},
        {"lockstep run rf_arbitr", {"no unit rf_arbitr: did you mean rf_arbiter?", "lockstep list"}},
        {"lockstep run rf_rr --sed 1", {"unknown option --sed: did you mean --seed?", "lockstep help run"}},
        {"lockstep run rf_rr --liberty x.lib", {"unknown option --liberty: did you mean --lib?", "lockstep help run"}},
        {"lockstep run rf_arbiter BANKS=4", {"unexpected \"BANKS=4\": did you mean --param BANKS=4?", "lockstep help run"}},
        {"lockstep run rf_arbiter BONKS=4", {"unexpected \"BONKS=4\"\n", "lockstep help run"}},
        {"lockstep run rf_banked --workload saxpi",
         {"--workload saxpi: no such file; of the kernel saxpy", "build saxpy -o saxpy.rfs"}},
        {"lockstep run rf_rr --seed=1", {"unknown option --seed=1: did you mean --seed?", ""}},
        {"lockstep run rf_arbiter --param banks=4", {"rf_arbiter has no parameter banks: did you mean BANKS? It has BANKS", ""}},
        {"lockstep workload buidl", {"workload buidl: did you mean build?", "list, build, info, dump or speed"}},
        {"lockstep speed --param N=3", {"--param N=3", "which unit"}},
        {"lockstep run --param N=65 rf_rr", {"\"65\"", "from 1 to 64"}},
        {"lockstep faults rf_rr --param N=3", {"faults takes no --param", "help"}},
        {"lockstep faults --cycles 5", {"faults takes no --cycles", ""}},
        {"lockstep list --seed 1", {"list takes no --seed", ""}},
        {"lockstep run rf_rr --jobs 2", {"run takes no --jobs", ""}},
        {"lockstep run rf_rr --all-sets --param N=4", {"run takes no --all-sets with --param", ""}},
        {"lockstep run rf_rr --all-sets --output f", {"run takes no --all-sets with --output", ""}},
        {"lockstep run rf_rr --all-sets --coverage f", {"run takes no --all-sets with --coverage", ""}},
        {"lockstep replay /dev/null --all-sets", {"replay takes no --all-sets", ""}},
        {"lockstep replay /dev/null --seed 1", {"replay takes no --seed", ""}},
        {"lockstep shrink /dev/null --record r", {"shrink takes no --record", ""}},
        {"lockstep waves /dev/null --cycles 5", {"waves of a case file takes no --cycles", ""}},
        {"lockstep waves --cycles 5 /dev/null", {"waves of a case file takes no --cycles", ""}},
        {"lockstep waves /dev/null rf_rr", {"unexpected \"rf_rr\"", ""}},
        {"lockstep speed rf_rr --workload w", {"speed takes no --workload", ""}},
        {"lockstep bench rf_rr --workload w", {"speed takes no --workload", "lockstep help speed"}},
        {"lockstep version rf_rr", {"unexpected \"rf_rr\"", ""}},
        {"lockstep help --json", {"help takes no --json", ""}},
        {"lockstep run rf_rr --param", {"--param", "expected a value"}},
        {"lockstep run rf_rr --param --json", {"--param", "expected a value"}},
        {"lockstep run rf_rr --param N", {"\"N\"", "NAME=VALUE"}},
        {"lockstep run rf_rr --param M=3", {"rf_rr has no parameter M", "it has N"}},
        {"lockstep run rf_rr --param N=", {"parameter N of rf_rr", "from 1 to 64"}},
        {"lockstep run rf_rr --param N=0", {"\"0\"", "from 1 to 64"}},
        {"lockstep run rf_rr --param N=65", {"\"65\"", "from 1 to 64"}},
        {"lockstep run rf_rr --param N=-1", {"\"-1\"", "from 1 to 64"}},
        {"lockstep run rf_rr --param N=+1", {"\"+1\"", "from 1 to 64"}},
        {"lockstep run rf_rr --param N=3x", {"\"3x\"", "from 1 to 64"}},
        {"lockstep run rf_rr --param N=010", {"\"010\"", "from 1 to 64"}},
        {"lockstep run rf_rr --param N=08", {"\"08\"", "from 1 to 64"}},
        {"lockstep run rf_rr --param N=0x", {"\"0x\"", "from 1 to 64"}},
        {"lockstep run rf_rr --param N=0x-1", {"\"0x-1\"", "from 1 to 64"}},
        {"lockstep run rf_rr --param N=4294967297", {"\"4294967297\"", "from 1 to 64"}},
        {"lockstep run rf_rr --param N=99999999999999999999999", {"parameter N", "from 1 to 64"}},
        {"lockstep run --param N=3 rf_rr --param N=3", {"--param N=3", "the parameter is there twice"}},
        {"lockstep run rf_bank --param ROWS=32 --param LANES=4 --param ROWS=64",
         {"--param ROWS=64", "the parameter is there twice"}},
        {"lockstep run rf_rr --define A=1 --define AB --define A", {"--define A:", "the macro is there twice"}},
        {"lockstep run rf_rr --seed", {"--seed", "expected a value"}},
        {"lockstep run rf_rr --seed xyz", {"--seed xyz", "16 hexadecimal digits"}},
        {"lockstep run rf_rr --seed 0x12", {"--seed 0x12", "16 hexadecimal digits"}},
        {"lockstep run rf_rr --seed -1", {"--seed -1", "16 hexadecimal digits"}},
        {"lockstep run rf_rr --seed 12345678123456781", {"--seed 12345678123456781", "16 hexadecimal digits"}},
        {"lockstep run rf_rr --cycles", {"--cycles", "expected a value"}},
        {"lockstep run rf_rr --cycles 0", {"--cycles 0", "whole number from 1"}},
        {"lockstep run rf_rr --cycles -5", {"--cycles -5", "whole number from 1"}},
        {"lockstep run rf_rr --cycles k", {"--cycles k", "whole number from 1 (k and M allowed)"}},
        {"lockstep run rf_rr --cycles 0M", {"--cycles 0M", "whole number from 1"}},
        {"lockstep run rf_rr --cycles 5kk", {"--cycles 5kk", "whole number from 1"}},
        {"lockstep run rf_rr --cycles 999999999999999M", {"--cycles", "whole number from 1"}},
        {"lockstep run rf_rr --timeout 3k", {"--timeout 3k", "whole number"}},
        {"lockstep run rf_rr --cycles 1e6", {"--cycles 1e6", "whole number from 1"}},
        {"lockstep run rf_rr --cycles 1000000000000000000000", {"--cycles", "whole number from 1"}},
        {"lockstep run rf_rr --timeout 0", {"--timeout 0", "whole number"}},
        {"lockstep faults rf_rr --jobs 100001", {"--jobs", "100000"}},
        {"lockstep faults rf_rr --jobs x", {"--jobs x", "whole number"}},
        {"lockstep run rf_rr --rtl", {"--rtl", "one or more files"}},
        {"lockstep run rf_rr --rtl --json", {"--rtl", "one or more files"}},
        {"lockstep run rf_rr --workload", {"--workload", "expected a value"}},
        {"lockstep run rf_rr --record --json", {"--record", "expected a value"}},
        {"lockstep run rf_rr --output", {"--output", "expected a value"}},
        {"lockstep run rf_rr --define", {"--define", "expected a value"}},
        {"lockstep replay a b", {"unexpected \"b\"", ""}},
        {"lockstep workload", {"workload", "list, build, info, dump or speed"}},
        {"lockstep workload make", {"workload", "list, build, info, dump or speed"}},
        {"lockstep workload list a", {"unexpected \"a\"", ""}},
        {"lockstep workload speed a --large", {"workload speed takes no --large", ""}},
        {"lockstep workload bench a --large", {"workload speed takes no --large", "lockstep help workload speed"}},
        {"lockstep help bench rf_rr", {"unexpected \"rf_rr\"", ""}},
        {"lockstep run bench", {"no unit bench", ""}},
        {"lockstep model rf_rr bench", {"unexpected \"bench\"", ""}},
        {"lockstep workload info a b", {"unexpected \"b\"", ""}},
        {"lockstep workload info a --limit 1", {"workload info takes no --limit", ""}},
        {"lockstep workload dump a -o b", {"workload dump takes no --output", ""}},
        {"lockstep workload build a --seed 1", {"workload build takes no --seed", ""}},
        {"lockstep workload dump a --limit 0", {"--limit 0", "whole number from 1"}},
        {"lockstep workload dump a --warp -1", {"--warp -1", "whole number from 0"}},
        {"lockstep workload dump a --kernel x", {"--kernel x", "whole number from 0"}},
        {"lockstep workload build a --registers 256", {"--registers", "expected 1 to 255"}},
        {"lockstep workload build a -o", {"--output", "expected a value"}},
        {"lockstep run rf_rr --registers 3", {"run takes no --registers", ""}},
        {"lockstep run rf_rr --lib l", {"run takes no --lib without --netlist", "help"}},
        {"lockstep synth rf_rr --jobs 2", {"synth takes no --jobs without --all", ""}},
        {"lockstep list --sample 3", {"list takes no --sample without --all-sets", ""}},
        {"lockstep list --turn 3 --all-sets", {"list takes no --turn without --sample", ""}},
        {"lockstep faults --turn 3", {"faults takes no --turn without --sample", ""}},
        {"lockstep list --sample 3 --small", {"list takes no --sample without --all-sets", ""}},
        {"lockstep list --json --small", {"list takes no --small with --json", ""}},
        {"lockstep list --files --json", {"list takes no --files with --json", ""}},
        {"lockstep list --json --all-sets", {"list takes no --all-sets with --json", ""}},
        {"lockstep list --small --files", {"list takes no --files with --small", ""}},
        {"lockstep list --all-sets --small", {"list takes no --all-sets with --small", ""}},
        {"lockstep list --all-sets --files", {"list takes no --all-sets with --files", ""}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char copy[512], said[2048], *words[WORDS + 1];
        ls_options o;
        assert_int_equal(parse(cases[i].line, &o, copy, sizeof copy, words, said, sizeof said), -1);
        for (int k = 0; k < 2; k++)
            if (strstr(said, cases[i].says[k]) == NULL)
                fail_msg("%s: \"%s\" does not say \"%s\"", cases[i].line, said, cases[i].says[k]);
        size_t complaints = 0;
        for (const char *c = said; (c = strstr(c, "lockstep: ")) != NULL; c++) complaints++;
        assert_int_equal(complaints, 1);
        ls_options_free(&o);
    }
}

/* The printed command, read again, is the same command. */
static void the_printed_command_is_the_same_command(void **state) {
    static const char *const lines[] = {
        "lockstep run rf_rr",
        "lockstep run rf_arbiter --param BANKS=3 --param PORTS=2 --seed ab --cycles 7",
        "lockstep run rf_bank --rtl a.sv b.sv --define X=1 --define Y --ports-only --seed ffffffffffffffff",
        "lockstep run rf_banked --workload some/kernelslist.g --param SCHED=1",
        "lockstep run rf_malekeh --machine /tmp/test_options.machine --param WARPS=32 --param BANKS=8",
    };
    ls_text machine = {0};
    (void)state;
    ls_text_add(&machine, "WARPS = 48\nrf_malekeh.INTERVAL = 2000\nalu.latency = 3\n");
    assert_int_equal(ls_text_write(&machine, "/tmp/test_options.machine"), 0);
    free(ls_text_take(&machine));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char copies[2][512], said[2048], *words[2][WORDS + 1];
        ls_options a, b;
        assert_int_equal(parse(lines[i], &a, copies[0], sizeof copies[0], words[0], said, sizeof said), 0);
        char *command = ls_options_command(&a, "run", a.seed, a.cycles);
        if (parse(command, &b, copies[1], sizeof copies[1], words[1], said, sizeof said) != 0) fail_msg("%s: %s", command, said);
        assert_string_equal(b.command, "run");
        assert_ptr_equal(a.unit, b.unit);
        assert_memory_equal(a.cfg, b.cfg, a.unit->cfg_size);
        assert_int_equal(a.seed, b.seed);
        assert_int_equal(a.cycles, b.cycles);
        assert_int_equal(a.ports_only, b.ports_only);
        assert_int_equal(a.rtl.count, b.rtl.count);
        assert_int_equal(a.defines.count, b.defines.count);
        for (size_t k = 0; k < a.rtl.count; k++) assert_string_equal(a.rtl.list[k], b.rtl.list[k]);
        for (size_t k = 0; k < a.defines.count; k++) assert_string_equal(a.defines.list[k], b.defines.list[k]);
        if (a.workload != NULL) assert_string_equal(a.workload, b.workload);
        if (a.machine != NULL) assert_string_equal(a.machine, b.machine);
        if (a.machine != NULL) assert_null(strstr(command, "INTERVAL"));
        if (a.machine != NULL) assert_non_null(strstr(command, "--param WARPS=32 --param BANKS=8"));
        assert_int_equal(a.described.surroundings.count, b.described.surroundings.count);
        free(command);
        ls_options_free(&a);
        ls_options_free(&b);
    }
    assert_int_equal(unlink("/tmp/test_options.machine"), 0);
}

static void words_are_quoted_for_the_shell(void **state) {
    static const char *const hard[] = {"", "a b", "it's", "$HOME", "a;b", "*", "`x`", "a\nb", "\"", "--plain=ok", "\\"};
    (void)state;
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        char *quoted = ls_shell_word(hard[i]), *command = ls_format("printf %%s %s", quoted), back[64];
        FILE *shell = popen(command, "r");
        assert_non_null(shell);
        back[fread(back, 1, sizeof back - 1, shell)] = '\0';
        assert_int_equal(pclose(shell), 0);
        assert_string_equal(back, hard[i]);
        free(quoted);
        free(command);
    }
}

static const char *const two_bins[] = {"one", "two", "one", NULL};
static const char *const two_sets[] = {"", "N=4", "N=8", NULL}; /* 8 is the default */
static const char *const no_set[] = {"", "N=65", NULL};
static const ls_fault two_names[] = {{"what", NULL, "a", "b", "mask_q", NULL}, {"what", NULL, "a", "c", "mask_q", NULL}, {0}};
static const ls_fault two_changes[] = {{"what", NULL, "a", "b", "mask_q", NULL}, {"that", NULL, "a", "b", "grant", ""}, {0}};
static const ls_fault two_places[] = {{"what", NULL, "a", "b", "mask_q", NULL}, {"that", NULL, "a", "b", "mask_q", "N=4"}, {0}};
static const ls_line two_lines[] = {{"IN req", 8}, {"STATE mask_q", 9}, {"OUT req", 11}, {"STATE mask_q", 12}, {0}};
static const ls_param two_params[] = {{"N", "n", 0, 8, 1, 64, ""}, {"M", "m", 0, 8, 1, 64, ""}, {0}};

/* What stands twice in a unit's tables is refused before anything is done. */
static void tables_of_units_say_nothing_twice(void **state) {
    char error[512] = "";
    const ls_unit *rr = ls_unit_find("rf_rr");
    ls_unit u[7];
    static const char *const says[7] = {
        "rf_rr: two bins are called \"one\"",
        "rf_rr: parameter sets \"\" and \"N=8\" are the same",
        "rf_rr: parameter set \"N=65\": parameter N of rf_rr: \"65\" is not a number from 1 to 64",
        "rf_rr: two faults are called \"what\"",
        "rf_rr: faults \"what\" and \"that\" make the same change",
        "tb/common/rf_rr.fields:12: STATE mask_q stands in line 9 already",
        "tb/common/rf_rr.fields: parameters N and M are of one member"};
    (void)state;
    for (const ls_unit *const *at = ls_units; *at != NULL; at++) {
        if (ls_unit_check(*at, error, sizeof error) != 0) fail_msg("%s", error);
        size_t params = 0;
        for (const ls_line *l = (*at)->lines; l->of != NULL; l++) params += strncmp(l->of, "parameter ", 10) == 0;
        assert_int_equal(params, (*at)->param_count);
    }
    for (size_t i = 0; i < 7; i++) u[i] = *rr;
    u[0].bin_names = two_bins;
    u[1].sets = two_sets;
    u[2].sets = no_set;
    u[3].faults = two_names;
    u[4].faults = two_changes;
    u[5].lines = two_lines;
    u[6].params = two_params;
    u[6].param_count = 2;
    for (size_t i = 0; i < 7; i++) {
        if (ls_unit_check(&u[i], error, sizeof error) == 0) fail_msg("accepted: %s", says[i]);
        assert_string_equal(error, says[i]);
    }
    u[0] = *rr;
    u[0].faults = two_places;
    assert_int_equal(ls_unit_check(&u[0], error, sizeof error), 0);
}

/* Every parameter of every unit: default in range, both ends accepted, one beyond refused, and text and configuration convert. */
static void parameters_of_every_unit(void **state) {
    size_t units = 0;
    (void)state;
    for (const ls_unit *const *u = ls_units; *u != NULL; u++, units++) {
        assert_ptr_equal(ls_unit_find((*u)->name), *u);
        void *cfg = ls_config_new(*u);
        assert_null((*u)->check(cfg));
        char *text = ls_config_text(*u, cfg), error[512];
        assert_string_equal(text, "");
        free(text);
        for (size_t i = 0; i < (*u)->param_count; i++) {
            const ls_param *p = &(*u)->params[i];
            const uint32_t ends[2] = {p->min, p->max};
            assert_in_range(p->def, p->min, p->max);
            for (int e = 0; e < 2; e++) {
                char *set = ls_format("%s=%u", p->name, ends[e]);
                assert_int_equal(ls_config_set(*u, cfg, set, error, sizeof error), 0);
                assert_int_equal(ls_config_get(p, cfg), ends[e]);
                free(set);
            }
            char *over = ls_format("%s=%u", p->name, p->max + 1), *range = ls_format("from %u to %u", p->min, p->max);
            assert_int_equal(ls_config_set(*u, cfg, over, error, sizeof error), -1);
            assert_non_null(strstr(error, range));
            assert_non_null(strstr(error, p->name));
            assert_int_equal(ls_config_get(p, cfg), p->max); /* a refused value changes nothing */
            free(over);
            free(range);
        }
        free(cfg);
        for (size_t s = 0; (*u)->sets[s] != NULL; s++) {
            void *a = ls_config_new(*u), *b = ls_config_new(*u);
            assert_int_equal(ls_config_set_all(*u, a, (*u)->sets[s], error, sizeof error), 0);
            assert_null((*u)->check(a));
            text = ls_config_text(*u, a);
            assert_int_equal(ls_config_set_all(*u, b, text, error, sizeof error), 0);
            assert_memory_equal(a, b, (*u)->cfg_size);
            free(text);
            free(a);
            free(b);
        }
    }
    assert_true(units >= 13);
    assert_null(ls_unit_find(""));
    assert_null(ls_unit_find("rf_"));
}

/* At most so many, the first and the last among them, no gap more than one longer than another. */
static void samples_are_spread_evenly(void **state) {
    (void)state;
    for (size_t count = 1; count <= 40; count++)
        for (uint32_t sample = 0; sample <= 41; sample++) {
            size_t taken = 0, last = 0, shortest = count, longest = 0;
            for (size_t i = 0; i < count; i++) {
                const bool in = ls_sampled(i, count, sample, 1);
                assert_int_equal(ls_sampled(i, count, sample, 0), in);
                for (uint32_t turn = 2; turn < 90; turn += 29)
                    assert_int_equal(ls_sampled((i + turn - 1) % count, count, sample, turn), in);
                if (!in) continue;
                if (taken == 0) assert_int_equal(i, 0);
                if (taken > 0 && i - last < shortest) shortest = i - last;
                if (taken > 0 && i - last > longest) longest = i - last;
                last = i;
                taken++;
            }
            assert_int_equal(taken, sample == 0 || sample > count ? count : sample);
            if (taken < 2) continue;
            assert_int_equal(last, count - 1);
            assert_true(longest - shortest <= 1);
        }
}

/* ---- the tables, and what is made of them ---- */

/* The help of a command line: what it prints on stdout goes to `said`. */
static void print_help(const char *line, char *said, size_t room) {
    char copy[512], wrong[2048], *words[WORDS + 1];
    ls_options o;
    FILE *capture = tmpfile();
    assert_non_null(capture);
    if (parse(line, &o, copy, sizeof copy, words, wrong, sizeof wrong) != 0) fail_msg("%s: %s", line, wrong);
    (void)fflush(stdout);
    const int old = dup(1);
    assert_true(dup2(fileno(capture), 1) >= 0);
    ls_help(&o);
    (void)fflush(stdout);
    assert_true(dup2(old, 1) >= 0);
    (void)close(old);
    rewind(capture);
    said[fread(said, 1, room - 1, capture)] = '\0';
    (void)fclose(capture);
    ls_options_free(&o);
}

/* The word at *at of a list, into `word`; false: there is none left. */
static bool next_word(const char **at, char word[64]) {
    *at += strspn(*at, " ");
    const size_t n = strcspn(*at, " ");
    if (n == 0) return false;
    assert_true(n < 64);
    memcpy(word, *at, n);
    word[n] = '\0';
    *at += n;
    return true;
}

/* Each line of an example that is ours is a command line that is understood, and one of them is this command's. */
static void check_example(const ls_command *c, const char *words) {
    char *text = ls_copy(c->example), *rest = text, *own = ls_format("lockstep %s", words);
    bool found = false;
    for (char *line; (line = strtok_r(rest, "\n", &rest)) != NULL;) {
        char copy[512], said[2048], *split_line[WORDS + 1];
        ls_options o;
        if (strncmp(line, "lockstep ", 9) != 0) continue;
        if (parse(line, &o, copy, sizeof copy, split_line, said, sizeof said) != 0) fail_msg("%s: %s", line, said);
        found = found || strncmp(line, own, strlen(own)) == 0;
        ls_options_free(&o);
    }
    if (!found) fail_msg("%s: no example of it", words);
    free(text);
    free(own);
}

/* Options that its table names are known, and stand in its help with their lines. */
static void check_options(const ls_command *c, const char *page) {
    char word[64];
    for (const char *at = c->options; next_word(&at, word);) {
        const ls_option *o = ls_option_find(word);
        if (o == NULL) fail_msg("%s: no option %s", c->name, word);
        const ls_meaning *own = ls_meaning_find(c, o);
        const char *argument = own != NULL ? own->argument : o->argument;
        char *name = ls_format("%s%s%s ", o->name, argument != NULL ? " " : "", argument != NULL ? argument : "");
        const char *line = strstr(page, name);
        if (line == NULL) fail_msg("%s: %s is not in its help", c->name, name);
        const char *help = own != NULL ? own->help : o->help;
        if (strstr(line, help) == NULL) fail_msg("%s: \"%s\" is not in its help", c->name, help);
        free(name);
    }
    for (const char *at = c->of_case; at != NULL && next_word(&at, word);)
        if (!ls_command_takes(c, word)) fail_msg("%s takes %s with a case file alone", c->name, word);
}

static void every_command_has_help(void **state) {
    (void)state;
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) {
        char *words = ls_command_words(c), pages[3][8000];
        for (int i = 0; i < 3; i++) {
            char *line = ls_format(i == 0   ? "lockstep %s --help"
                                   : i == 1 ? "lockstep %s --nothing -h"
                                            : "lockstep help %s",
                                   words);
            print_help(line, pages[i], sizeof pages[i]);
            assert_string_equal(pages[i], pages[0]);
            free(line);
        }
        assert_true(strlen(c->purpose) <= 62);
        for (const char *part = "Options\0Example\0Exit code\0  -h, --help\0"; *part != '\0'; part += strlen(part) + 1)
            if (strstr(pages[0], part) == NULL) fail_msg("%s: no \"%s\" in its help", words, part);
        assert_non_null(strstr(pages[0], c->purpose));
        check_options(c, pages[0]);
        check_example(c, words);
        free(words);
    }
}

/* Of the first word of a command of two: what its second words take, and an example. */
static void a_first_word_has_help(void **state) {
    char page[8000];
    (void)state;
    print_help("lockstep workload --help", page, sizeof page);
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) {
        if (strcmp(c->name, "workload") != 0) continue;
        assert_non_null(strstr(page, c->purpose));
        for (const ls_option *o = ls_option_table; o->name != NULL; o++)
            if (ls_list_has(c->options, o->name) && strstr(page, o->name) == NULL) fail_msg("%s is not in:\n%s", o->name, page);
    }
    assert_non_null(strstr(page, "\nExample\n  lockstep workload build vecadd -o vecadd.rfs\n  lockstep workload dump "));
    assert_non_null(strstr(page, "lockstep workload COMMAND --help"));
    for (const char *at = page; *at != '\0'; at += strcspn(at, "\n") + 1) assert_true(strcspn(at, "\n") <= 100);
}

static void the_overview_is_a_screen(void **state) {
    char page[8000], help[8000];
    size_t lines = 0;
    (void)state;
    print_help("lockstep help", page, sizeof page);
    for (const char *line = "lockstep\0lockstep -h\0lockstep --help\0"; *line != '\0'; line += strlen(line) + 1) {
        print_help(line, help, sizeof help);
        assert_string_equal(help, page);
    }
    for (const ls_command *c = ls_command_table; c->name != NULL; c++)
        if (strstr(page, c->purpose) == NULL) fail_msg("%s is not in the overview", c->name);
    for (const char *at = page; *at != '\0'; at += strcspn(at, "\n") + 1, lines++) assert_true(strcspn(at, "\n") <= 80);
    assert_true(lines <= 40);
}

/* Every option is some command's; a meaning is of a command that takes the option; what belongs together stands together. */
static void the_tables_fit_together(void **state) {
    (void)state;
    for (const ls_option *o = ls_option_table; o->name != NULL; o++) {
        bool used = false;
        assert_ptr_equal(ls_option_find(o->name), o);
        assert_true((o->argument == NULL) == (o->takes == LS_TAKES_NOTHING));
        for (const ls_command *c = ls_command_table; c->name != NULL; c++) used = used || ls_command_takes(c, o->name);
        if (!used) fail_msg("%s is no command's", o->name);
    }
    for (const ls_meaning *m = ls_meaning_table; m->command != NULL; m++) {
        bool used = false;
        const ls_option *o = ls_option_find(m->option);
        assert_non_null(o);
        assert_true((m->argument == NULL) == (o->argument == NULL));
        for (const ls_command *c = ls_command_table; c->name != NULL; c++)
            used = used || (strcmp(c->name, m->command) == 0 && ls_command_takes(c, m->option));
        if (!used) fail_msg("%s takes no %s", m->command, m->option);
    }
    for (const ls_command *c = ls_command_table; c->name != NULL; c++) {
        assert_ptr_equal(ls_command_find(c->name, c->verb != NULL ? c->verb : ""), c);
        for (const ls_command *d = ls_command_table; d + 1 < c; d++) {
            if (strcmp(d->group, c->group) == 0) assert_string_equal(d[1].group, c->group);
            if (strcmp(d->name, c->name) == 0) assert_string_equal(d[1].name, c->name);
        }
    }
}

static void help_waits_for_nothing(void **state) {
    static const char *const lines[] = {"lockstep run --help",
                                        "lockstep run rf_nothing --help",
                                        "lockstep run rf_rr --nothing -h",
                                        "lockstep run rf_rr --seed --help",
                                        "lockstep workload --help",
                                        "lockstep workload make -h",
                                        "lockstep help help",
                                        "lockstep help --help",
                                        "lockstep run rf_rr --rtl a.sv -h"};
    char copy[512], said[2048], *words[WORDS + 1];
    ls_options o;
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        if (parse(lines[i], &o, copy, sizeof copy, words, said, sizeof said) != 0) fail_msg("%s: %s", lines[i], said);
        if (!o.help) fail_msg("%s: no help", lines[i]);
        ls_options_free(&o);
    }
    assert_int_equal(parse("lockstep run rf_rr --output -h", &o, copy, sizeof copy, words, said, sizeof said), 0);
    assert_false(o.help);
    assert_string_equal(o.output, "-h"); /* a value */
    ls_options_free(&o);
    assert_int_equal(parse("lockstep help workload dump", &o, copy, sizeof copy, words, said, sizeof said), 0);
    assert_true(o.help && strcmp(o.command, "workload") == 0 && strcmp(o.verb, "dump") == 0);
    ls_options_free(&o);
}

static void names_are_near_each_other(void **state) {
    static const struct {
        const char *word, *name;
        size_t changes;
        bool near;
    } cases[] = {{"run", "run", 0, true},
                 {"rnu", "run", 1, true},
                 {"fly", "run", 3, false},
                 {"banks", "BANKS", 0, true},
                 {"M", "N", 1, false},
                 {"rf_xx", "rf_rr", 2, false},
                 {"regrss", "regress", 1, true},
                 {"rf_arbtier", "rf_arbiter", 1, true},
                 {"", "run", 3, false},
                 {"shirnks", "shrink", 2, true},
                 {"synthesis", "synth", 4, true},
                 {"--liberty", "--lib", 4, true},
                 {"rt", "rtl", 1, true},
                 {"rtx", "rtx2060", 4, true},
                 {"rf_", "rf_arbiter", 7, false},
                 {"--no", "--no-times", 6, false},
                 {"r", "rf", 1, false},
                 {"sync", "synth", 2, false}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ls_nearest n = {.word = cases[i].word};
        assert_int_equal(ls_changes(cases[i].word, cases[i].name), cases[i].changes);
        assert_int_equal(ls_changes(cases[i].name, cases[i].word), cases[i].changes);
        ls_nearest_try(&n, cases[i].name);
        if ((n.name != NULL) != cases[i].near) fail_msg("%s and %s", cases[i].word, cases[i].name);
    }
    ls_nearest n = {.word = "rf_arbite"};
    for (const char *name = "rf_arbit\0rf_arbiter\0rf_bank\0"; *name != '\0'; name += strlen(name) + 1) ls_nearest_try(&n, name);
    assert_string_equal(n.name, "rf_arbit"); /* the first of the nearest */
    char longer[100];
    memset(longer, 'a', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    n = (ls_nearest){.word = longer};
    ls_nearest_try(&n, "a");
    assert_null(n.name);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_command_line_is_understood),
        cmocka_unit_test(every_command_takes_its_options),
        cmocka_unit_test(cycles_may_be_scaled),
        cmocka_unit_test(workload_has_verbs),
        cmocka_unit_test(parameters_may_stand_before_the_unit),
        cmocka_unit_test(what_is_wrong_is_named),
        cmocka_unit_test(the_printed_command_is_the_same_command),
        cmocka_unit_test(words_are_quoted_for_the_shell),
        cmocka_unit_test(tables_of_units_say_nothing_twice),
        cmocka_unit_test(parameters_of_every_unit),
        cmocka_unit_test(samples_are_spread_evenly),
        cmocka_unit_test(every_command_has_help),
        cmocka_unit_test(a_first_word_has_help),
        cmocka_unit_test(the_overview_is_a_screen),
        cmocka_unit_test(the_tables_fit_together),
        cmocka_unit_test(help_waits_for_nothing),
        cmocka_unit_test(names_are_near_each_other),
    };
    return cmocka_run_group_tests_name("harness/core/options.c, harness/core/config.c", tests, NULL, NULL);
}
