/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep workload list, build, info, dump, speed: what they print, what they leave, what they refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmodel/compiler/rf_hints.h"
#include "cmodel/workload/rf_workload.h"
#include "harness/core/workload.h"
#include "harness/cli/commands.h"
#include "harness/base/xzio.h"

static char folder[] = "/tmp/test_workload_XXXXXX";
static char text[1 << 20]; /* printed by the command, stdout and stderr */

static int setup(void **state) {
    (void)state;
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int teardown(void **state) {
    (void)state;
    ls_remove_tree(folder);
    return 0;
}

static const char *in_folder(const char *name) {
    static char path[16][128];
    static unsigned turn;
    char *const to = path[turn++ % 16];
    (void)snprintf(to, sizeof path[0], "%s/%s", folder, name);
    return to;
}

static const char *save(const char *name, const char *contents) {
    const char *const path = in_folder(name);
    FILE *const file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(contents, 1, strlen(contents), file), strlen(contents));
    assert_int_equal(fclose(file), 0);
    return path;
}

/* Runs a command; its exit code. */
static int run(const ls_options *options) {
    ls_options o = *options;
    FILE *const capture = tmpfile();
    const int out = dup(1), err = dup(2);
    assert_non_null(capture);
    (void)fflush(stdout);
    assert_true(dup2(fileno(capture), 1) >= 0 && dup2(fileno(capture), 2) >= 0);
    const int status = ls_command_workload(&o);
    (void)fflush(stdout);
    assert_true(dup2(out, 1) >= 0 && dup2(err, 2) >= 0);
    (void)close(out);
    (void)close(err);
    rewind(capture);
    text[fread(text, 1, sizeof text - 1, capture)] = '\0';
    (void)fclose(capture);
    return status;
}

static int command(const char *verb, const char *file) {
    const ls_options o = {.command = "workload", .verb = verb, .file = file, .only_kernel = UINT64_MAX, .only_warp = UINT64_MAX};
    return run(&o);
}

static int build(const char *input, const char *output, bool json) {
    const ls_options o = {.command = "workload", .verb = "build", .file = input, .output = output, .json = json};
    return run(&o);
}

static void says(const char *what) {
    if (strstr(text, what) == NULL) fail_msg("\"%s\" lacks \"%s\"", text, what);
}

#define HEAD "-kernel name = _Z3sumv\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-nregs = 8\n-accelsim tracer version = 3\n\n"
static const char trace[] = HEAD "#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\ninsts = 3\n"
                                 "0010 ffffffff 1 R6 LDG.E 1 R4 4 1 0x100 4 \n"
                                 "0020 0000000f 1 R7 FADD 2 R6 R6 0 \n"
                                 "0030 00000000 0 EXIT 0 0 \n"
                                 "\nwarp = 1\ninsts = 1\n0010 ffffffff 1 R6 WHAT 0 0 \n\n#END_TB\n";

/* Both files give the same instructions, the second one with hints. */
static void same_workload(const char *from, const char *to) {
    char error[512] = "";
    rf_workload *const a = rf_workload_open(&ls_xzio, from, error, sizeof error), *const b = rf_workload_open(&ls_xzio, to, error,
                                                                                                              sizeof error);
    rf_warp x = {0}, y = {0};
    rf_workload_at p, q;
    const rf_hint_options hints = {0};
    assert_true(a != NULL && b != NULL);
    int got = 0;
    while ((got = rf_workload_next(a, &x, &p)) == 1) {
        assert_int_equal(rf_workload_next(b, &y, &q), 1);
        assert_true(p.new_kernel == q.new_kernel && p.kernel == q.kernel && x.warp == y.warp && x.count == y.count);
        assert_string_equal(p.head->kernel, q.head->kernel);
        assert_memory_equal(p.head->grid, q.head->grid, sizeof p.head->grid);
        assert_memory_equal(x.block, y.block, sizeof x.block);
        assert_int_equal(rf_hints_of_warp(&x, &hints), 0);
        for (size_t i = 0; i < x.count; i++) {
            const rf_inst *const m = &x.inst[i], *const n = &y.inst[i];
            assert_string_equal(m->mnemonic, n->mnemonic);
            assert_true(m->pc == n->pc && m->mask == n->mask && m->width == n->width && m->hint.flags == n->hint.flags);
            assert_true(m->hint.src_near == n->hint.src_near && m->hint.src_dead == n->hint.src_dead && m->hint.flags != 0);
            assert_true(m->nsrc == n->nsrc && m->ndst == n->ndst && !m->address == !n->address && !m->value == !n->value);
            assert_memory_equal(m->src, n->src, m->nsrc);
            assert_memory_equal(m->dst, n->dst, m->ndst);
            if (m->address) assert_memory_equal(m->address, n->address, RF_LANES_MAX * sizeof *m->address);
            if (m->value) assert_memory_equal(m->value, n->value, m->ndst * RF_LANES_MAX * sizeof *m->value);
        }
    }
    assert_int_equal(got, 0);
    assert_int_equal(rf_workload_next(b, &y, &q), 0);
    rf_workload_close(a);
    rf_workload_close(b);
    rf_warp_free(&x);
    rf_warp_free(&y);
}

static void a_trace_becomes_a_stream(void **state) {
    (void)state;
    const char *const from = save("a.traceg", trace), *const to = in_folder("a.rfs.xz");
    assert_int_equal(build(from, to, true), 0);
    says("\"kernels\":1,\"warps\":2,\"instructions\":4,");
    same_workload(from, to);
    assert_int_equal(build(from, in_folder("a.rfs"), false), 0);
    says(": 1 kernels, 2 warps, 4 warp instructions, ");
    same_workload(from, in_folder("a.rfs"));
}

/* The stream has no unknown opcodes any more: building it is the last time to say so. */
static void unknown_opcodes_are_told(void **state) {
    (void)state;
    static const char line[] = "\n  opcodes    1 instruction of unknown ones, first WHAT: their registers may be too few\n";
    const char *const from = save("a.traceg", trace), *const to = in_folder("a.rfs");
    assert_int_equal(command("info", from), 0);
    says(line);
    assert_int_equal(build(from, to, false), 0);
    says(line);
    assert_int_equal(build(from, to, true), 0);
    says(",\"unknown_opcodes\":1,");
    assert_int_equal(command("info", to), 0);
    assert_null(strstr(text, "opcodes "));
}

/* Blocks of the grid and warps of a block that the trace does not have. */
static void what_a_trace_lacks_is_told(void **state) {
    (void)state;
    static const char lacking[] =
        "-kernel name = k\n-grid dim = (3,1,1)\n-block dim = (96,1,1)\n-nregs = 4\n-accelsim tracer version = 3\n\n"
        "#BEGIN_TB\nthread block = 1,0,0\nwarp = 1\ninsts = 1\n0000 ffffffff 0 EXIT 0 0\n#END_TB\n";
    static const char line[] = "\n  missing    2 thread blocks of the grid, 2 warps of the others\n";
    const char *const from = save("lacking.traceg", lacking);
    assert_int_equal(command("info", from), 0);
    says(line);
    assert_int_equal(build(from, in_folder("a.rfs"), false), 0);
    says(line);
    assert_int_equal(build(from, in_folder("a.rfs"), true), 0);
    says(",\"missing_blocks\":2,\"missing_warps\":2");
}

/* A kernel without a warp between two others keeps its number. */
static void kernels_keep_their_numbers(void **state) {
    (void)state;
    const char *const list = save("list.g", "MemcpyHtoD,0x1,1\nkernel-1\nkernel-2\nkernel-3\n");
    (void)save("kernel-1", trace);
    (void)save("kernel-2", HEAD "#BEGIN_TB\n\nthread block = 0,0,0\n\n#END_TB\n");
    (void)save("kernel-3", trace);
    if (build(list, in_folder("list.rfs"), false) != 0) fail_msg("%s", text);
    says(": 3 kernels, 4 warps, 8 warp instructions");
    same_workload(list, in_folder("list.rfs"));
}

static void info_counts(void **state) {
    (void)state;
    const char *const from = save("a.traceg", trace);
    ls_options o = {.command = "workload", .verb = "info", .file = from, .json = true};
    assert_int_equal(run(&o), 0);
    says("\"kind\":\"trace\",\"warps\":2,\"instructions\":4,\"full_mask\":2,\"mask_0\":1,\"active_lanes\":68,\"reads\":4,"
         "\"writes\":3,"
         "\"highest_register\":7,\"classes\":{\"alu\":2,\"sfu\":0,\"mem\":1,\"tensor\":0,\"ctrl\":1},\"writing\":3,\"with_"
         "values\":0,"
         "\"accessing\":1,\"with_addresses\":1,\"with_hints\":0,\"unknown_opcodes\":1,\"missing_blocks\":1,\"missing_warps\":0,"
         "\"kernels\":[{\"number\":0,\"kernel\":\"_"
         "Z3sumv\","
         "\"grid\":[2,1,1],\"block\":[64,1,1],\"static_instructions\":0,\"warps\":2,\"instructions\":4}]}");
    assert_int_equal(build(from, in_folder("a.rfs"), false), 0);
    assert_int_equal(command("info", in_folder("a.rfs")), 0);
    says(": stream, 1 kernels, 2 warps, 4 warp instructions\n");
    says("masks      50.0 % full, 25.0 % empty, 17.0 active lanes");
    says("hints      in 100.0 %");
    says("kernel 0   _Z3sumv (2,1,1) x (64,1,1): 2 warps, 4 instructions\n");
}

static void dump_prints_instructions(void **state) {
    (void)state;
    const char *const from = save("a.traceg", trace);
    assert_int_equal(command("dump", from), 0);
    assert_string_equal(text, "kernel 0 _Z3sumv (2,1,1) x (64,1,1), 8 registers\n"
                              "warp 0 = block 1,0,0 warp 0: 3 instructions\n"
                              "    - 000010 ffffffff mem    LDG.E R6 <- R4 R5  @100 +4\n"
                              "    - 000020 0000000f alu    FADD R7 <- R6 R6\n"
                              "    - 000030 00000000 ctrl   EXIT\n"
                              "warp 1 = block 1,0,0 warp 1: 1 instructions\n"
                              "    - 000010 ffffffff alu    WHAT R6\n");
    ls_options o = {.command = "workload", .verb = "dump", .file = from, .only_kernel = UINT64_MAX, .only_warp = 1};
    assert_int_equal(run(&o), 0);
    assert_null(strstr(text, "warp 0 ="));
    says("WHAT");
    o.only_warp = UINT64_MAX;
    o.limit = 2;
    assert_int_equal(run(&o), 0);
    says("FADD");
    assert_null(strstr(text, "EXIT"));
    o.only_warp = 2;
    assert_int_equal(run(&o), 2);
    says("no such kernel or warp");
}

/* Hints, behind those instructions alone that have some. */
static void dump_prints_hints(void **state) {
    (void)state;
    const char *const from = save("hint.traceg", HEAD "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 3\n"
                                                      "0010 ffffffff 0 NOP 0 0 \n"
                                                      "0020 ffffffff 1 R2 LDG.E 1 R4 4 1 0x100 4 \n"
                                                      "0030 ffffffff 1 R3 FADD 2 R2 R2 0 \n\n#END_TB\n");
    assert_int_equal(build(from, in_folder("hint.rfs"), false), 0);
    assert_int_equal(command("dump", in_folder("hint.rfs")), 0);
    says(" NOP\n");
    says(" +4  ; near=dst0 dead=src0 dead=src1 long strand-end,deschedule not-l0\n");
    says(" FADD R3 <- R2 R2  ; dead=src0 dead=src1 dead=dst0 waits strand-end\n");
}

static void a_kernel_of_ours_is_executed(void **state) {
    (void)state;
    const char *const to = in_folder("vecadd.rfs.xz");
    ls_options o = {.command = "workload", .verb = "build", .file = "vecadd", .output = to, .json = true, .registers = 32};
    assert_int_equal(run(&o), 0);
    says("\"outputs_checked\":");
    o = (ls_options){.command = "workload", .verb = "info", .file = to, .json = true};
    assert_int_equal(run(&o), 0);
    says("\"kind\":\"stream\"");
    assert_int_equal(command("dump", to), 0);
    says("ld.global");
    says("strand-end");
}

static unsigned count(const char *what) {
    unsigned n = 0;
    for (const char *at = text; (at = strstr(at, what)) != NULL; at++) n++;
    return n;
}

/* The threshold decides what is near, in kernels and in traces. */
static void a_larger_threshold_makes_more_near(void **state) {
    (void)state;
    const char *const inputs[] = {"vecadd", save("near.traceg", trace)};
    for (size_t i = 0; i < 2; i++) {
        unsigned near[2];
        for (unsigned k = 0; k < 2; k++) {
            const char *const to = in_folder("near.rfs");
            const ls_options o = {.command = "workload",
                                  .verb = "build",
                                  .file = inputs[i],
                                  .output = to,
                                  .json = true,
                                  .rthld = k == 0 ? 1 : 1000};
            assert_int_equal(run(&o), 0);
            assert_int_equal(command("dump", to), 0);
            near[k] = count("near=");
        }
        assert_int_equal(near[0], 0); /* no register is read again less than one instruction later */
        assert_true(near[1] > 0);
    }
}

/* Free registers are named one a bank, four an instruction less what it writes; for 16 banks unless said otherwise. */
static void free_registers_are_named_for_as_many_banks(void **state) {
    (void)state;
    static const uint32_t banks[] = {1, 2, 16, 0}, expected[] = {1, 2, 3, 3};
    char *of_16 = NULL;
    for (size_t k = 0; k < sizeof banks / sizeof *banks; k++) {
        const char *const to = in_folder("banks.rfs");
        const ls_options o = {.command = "workload", .verb = "build", .file = "vecadd", .output = to, .banks = banks[k]};
        assert_int_equal(run(&o), 0);
        assert_int_equal(command("dump", to), 0);
        assert_true(count("free=R") > 0);
        unsigned most = 0, names = 0;
        for (const char *at = text; *at != '\0'; at++) {
            names = *at == '\n' ? 0 : names + (strncmp(at, "free=R", 6) == 0);
            if (names > most) most = names;
        }
        assert_int_equal(most, expected[k]);
        if (banks[k] == 16) of_16 = strdup(text);
    }
    assert_string_equal(text, of_16);
    free(of_16);
}

/* Where operands lie, in what the dump prints; a value that is none leaves no file. */
static void places_in_a_hierarchy_are_shown(void **state) {
    (void)state;
    const char *const to = in_folder("levels.rfs");
    ls_options o = {.command = "workload", .verb = "build", .file = "vecadd", .output = to, .hierarchy = "entries=2,l0=unified"};
    assert_int_equal(run(&o), 0);
    assert_int_equal(command("dump", to), 0);
    says(" registers, vecadd.ptx, 63 registers, hierarchy entries=2,l0=unified\n");
    assert_true(count("@L1.0") > 0 && count("@L1.1") > 0 && count(">L0.0") > 0 && count("@L0.0") > 0);
    assert_int_equal(count("L1.2") + count("L0.1"), 0);
    o.hierarchy = NULL;
    assert_int_equal(run(&o), 0);
    assert_int_equal(command("dump", to), 0);
    assert_int_equal(count("L0.") + count("L1.0"), 0);
    o.hierarchy = "entries=9";
    o.output = in_folder("none.rfs");
    assert_int_equal(run(&o), 2);
    says("hierarchy: \"entries=9\" (1 .. 8)");
    assert_int_equal(access(o.output, F_OK), -1);
    o.file = save("levels.traceg", trace);
    assert_int_equal(run(&o), 2);
    says("is no kernel of ours: --registers, --banks, --hierarchy, ");
}

/* As many instructions in another order; the kernel's results are checked in either. */
static void a_scheduled_kernel_has_another_order(void **state) {
    (void)state;
    char *plain = NULL;
    for (unsigned k = 0; k < 2; k++) {
        const char *const to = in_folder("order.rfs");
        const ls_options o = {.command = "workload", .verb = "build", .file = "vecadd", .output = to, .schedule = k == 1};
        assert_int_equal(run(&o), 0);
        says("results checked");
        assert_int_equal(command("dump", to), 0);
        if (k == 0) plain = strdup(text);
    }
    assert_string_not_equal(text, plain);
    const unsigned loads = count("ld.global"), lines = count("\n");
    (void)strcpy(text, plain);
    assert_int_equal(count("ld.global"), loads);
    assert_int_equal(count("\n"), lines);
    free(plain);
}

/* 32-bit addresses take one register; the record says so, and the stream. */
static void a_kernel_of_ours_has_32_bit_addresses(void **state) {
    (void)state;
    const char *const to = in_folder("m32.rfs");
    for (unsigned k = 0; k < 2; k++) {
        const ls_options o = {
            .command = "workload", .verb = "build", .file = "vecadd", .output = to, .json = true, .m32 = k == 1};
        assert_int_equal(run(&o), 0);
        says("\"outputs_checked\":8190");
        says(k ? "\"address_bits\":32" : "\"address_bits\":64");
        assert_int_equal(command("dump", to), 0);
        says(k ? " m32/vecadd.ptx, 63 registers" : " vecadd.ptx, 63 registers");
        assert_int_equal(count("ld.param.u64") > 0, k == 0);
    }
}

/* A kernel that diverges has fewer last reads then. */
static void last_reads_may_wait_for_all_lanes(void **state) {
    (void)state;
    const char *const to = in_folder("together.rfs");
    size_t dead[2];
    for (unsigned k = 0; k < 2; k++) {
        const ls_options o = {
            .command = "workload", .verb = "build", .file = "bfs", .output = to, .json = true, .dead_together = k == 1};
        assert_int_equal(run(&o), 0);
        assert_int_equal(command("dump", to), 0);
        dead[k] = count(" dead");
    }
    assert_true(dead[1] > 0 && dead[1] < dead[0]);
}

/* Every kernel is listed, and executed by its name, as fast as can be told. */
static void kernels_are_listed_and_timed(void **state) {
    (void)state;
    ls_kernel_info k;
    ls_options o = {.command = "workload", .verb = "list"};
    assert_int_equal(run(&o), 0);
    size_t count = 0;
    for (; ls_workload_kernels.entry(count, &k); count++) says(k.name);
    assert_true(count >= 15);
    o.json = true;
    assert_int_equal(run(&o), 0);
    says("{\"kernel\":\"sgemm\",\"kind\":\"dense\",\"what\":\"");
    o = (ls_options){.command = "workload", .verb = "speed", .file = "dct8x8", .json = true};
    assert_int_equal(run(&o), 0);
    unsigned long warps = 0, lanes = 0;
    double rate = 0;
    assert_int_equal(sscanf(text, "{\"kernel\":\"dct8x8\",\"warp_instructions\":%lu,\"lane_instructions\":%lu,\"mlips\":%lf}",
                            &warps, &lanes, &rate),
                     3);
    assert_true(lanes > warps && lanes <= 32 * warps && rate > 0);
    o.file = "nothing";
    assert_int_equal(run(&o), 2);
    says("no kernel nothing");
}

static void what_fails_leaves_nothing(void **state) {
    (void)state;
    struct stat status;
    const char *const old = save("old.rfs", "precious"), *const bad =
                                                             save("bad.traceg", HEAD "#BEGIN_TB\n\nthread block = 1,0,0\n");
    assert_int_equal(build(bad, old, false), 2);
    says("bad.traceg:9: #END_TB: missing");
    assert_int_equal(stat(old, &status), 0);
    assert_int_equal(status.st_size, 8);
    assert_int_equal(build(in_folder("absent"), in_folder("new.rfs"), false), 2);
    says("absent: No such file or directory");
    assert_int_equal(access(in_folder("new.rfs"), F_OK), -1);
    assert_int_equal(build(save("a.traceg", trace), in_folder("no/such/folder"), false), 2);
    says("No such file or directory");
    assert_int_equal(build(in_folder("a.traceg"), in_folder("a.rfs"), false), 0);
    assert_int_equal(build(in_folder("a.rfs"), in_folder("b.rfs"), false), 2);
    says("is a stream file already");
    assert_int_equal(build("vecadd", NULL, false), 2);
    says("needs -o FILE");
    const struct {
        const char *name;
        ls_options given;
    } of_kernels[] = {{"--registers", {.registers = 3}},
                      {"--banks", {.banks = 8}},
                      {"--schedule", {.schedule = true}},
                      {"--m32", {.m32 = true}},
                      {"--dead-together", {.dead_together = true}},
                      {"--large", {.large = true}},
                      {"--papers-inputs", {.papers_inputs = true}}};
    for (size_t i = 0; i < sizeof of_kernels / sizeof *of_kernels; i++) {
        ls_options o = of_kernels[i].given;
        o.command = "workload";
        o.verb = "build";
        o.file = in_folder("a.traceg");
        o.output = in_folder("old.rfs");
        assert_int_equal(run(&o), 2);
        says("is no kernel of ours");
        says(of_kernels[i].name);
    }
    assert_int_equal(command("build", NULL), 2);
    says("one of our kernels:");
    says("vecadd");
    assert_int_equal(command("info", NULL), 2);
    says("workload info needs a file");
    const char *const cut = save("cut.rfs", "rfstream");
    assert_int_equal(command("info", cut), 2);
    says("cut.rfs: byte 8: head: the file ends here (truncated?)");
    assert_int_equal(command("dump", cut), 2);
}

/* The input is never the output, by whatever name; a kernel's name is no file's. */
static void the_input_stays(void **state) {
    (void)state;
    struct stat before, now;
    const char *const from = save("own.traceg", trace), *const link = in_folder("own.link");
    assert_int_equal(stat(from, &before), 0);
    assert_int_equal(symlink("own.traceg", link), 0);
    assert_int_equal(build(from, from, false), 2);
    says("own.traceg is the input too: -o must name another file");
    assert_int_equal(build(from, link, false), 2);
    says("own.link is the input too");
    assert_int_equal(build(link, from, false), 2);
    assert_int_equal(stat(from, &now), 0);
    assert_true(now.st_ino == before.st_ino && now.st_size == before.st_size);
    (void)save("kernel-1", trace);
    const char *const list = save("own.g", "kernel-1\n");
    assert_int_equal(build(list, list, false), 2);
    says("own.g is the input too");
    (void)save("kernel-2.xz", trace);
    const char *const traces = save("traces.g", "kernel-1.xz\nMemcpyHtoD,0x1,1\nkernel-2\n"); /* found without and with .xz */
    assert_int_equal(build(traces, in_folder("kernel-1"), false), 2);
    says("kernel-1 is a trace that the list names: -o must name another file");
    assert_int_equal(build(traces, in_folder("kernel-2.xz"), false), 2);
    says("kernel-2.xz is a trace that the list names");
    if (build(traces, in_folder("traces.rfs"), false) != 0) fail_msg("%s", text);
    for (int i = 0; i < 2; i++) /* over the stream that is there */
        if (build(in_folder("kernel-1"), in_folder("traces.rfs"), false) != 0) fail_msg("%s", text);
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    for (int i = 0; i < 2; i++) {
        if (build("vecadd", "vecadd", false) != 0) fail_msg("%s", text);
        says("results checked");
    }
    assert_int_equal(chdir(here), 0);
}

/* A folder or a FIFO in the output's place is refused, not replaced. */
static void what_is_no_file_stays(void **state) {
    (void)state;
    struct stat status;
    const char *const from = save("a.traceg", trace), *const fifo = in_folder("fifo"), *const inside = in_folder("inside");
    assert_int_equal(mkfifo(fifo, 0600), 0);
    assert_int_equal(build(from, fifo, false), 2);
    says("fifo: no regular file: left as it is");
    assert_true(stat(fifo, &status) == 0 && S_ISFIFO(status.st_mode));
    assert_int_equal(mkdir(inside, 0700), 0);
    assert_int_equal(build(from, inside, false), 2);
    says("inside: no regular file: left as it is");
    assert_int_equal(rmdir(inside), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_trace_becomes_a_stream),
        cmocka_unit_test(unknown_opcodes_are_told),
        cmocka_unit_test(what_a_trace_lacks_is_told),
        cmocka_unit_test(a_larger_threshold_makes_more_near),
        cmocka_unit_test(free_registers_are_named_for_as_many_banks),
        cmocka_unit_test(places_in_a_hierarchy_are_shown),
        cmocka_unit_test(a_scheduled_kernel_has_another_order),
        cmocka_unit_test(a_kernel_of_ours_has_32_bit_addresses),
        cmocka_unit_test(last_reads_may_wait_for_all_lanes),
        cmocka_unit_test(kernels_keep_their_numbers),
        cmocka_unit_test(info_counts),
        cmocka_unit_test(dump_prints_instructions),
        cmocka_unit_test(dump_prints_hints),
        cmocka_unit_test(a_kernel_of_ours_is_executed),
        cmocka_unit_test(kernels_are_listed_and_timed),
        cmocka_unit_test(what_fails_leaves_nothing),
        cmocka_unit_test(the_input_stays),
        cmocka_unit_test(what_is_no_file_stays),
    };
    return cmocka_run_group_tests_name("harness/cli/command_workload.c", tests, setup, teardown);
}
