/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/dut/toolchain.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/folder.h"
#include "harness/base/hash.h"
#include "harness/base/memory.h"
#include "harness/base/process.h"
#include "harness/base/progress.h"
#include "harness/base/root.h"
#include "harness/base/stamp.h"

char *ls_yosys_version(void) {
    ls_process_result run;
    if (ls_process_run(&(ls_process){.argv = (const char *const[]){"yosys", "-V", NULL}}, &run) != 0) return NULL;
    char *text = ls_process_ok(&run) ? ls_copy(run.output) : NULL;
    ls_process_free(&run);
    if (text != NULL) text[strcspn(text, "\n")] = '\0';
    return text;
}

char *ls_command(const ls_args *args, unsigned timeout_ms, bool *refused) {
    return ls_command_until(args, timeout_ms, 0, refused);
}

char *ls_command_until(const ls_args *args, unsigned timeout_ms, int stop, bool *refused) {
    ls_process_result run;
    const ls_process process = {.argv = (const char *const *)args->list,
                                .timeout_ms = timeout_ms,
                                .patience = LS_PATIENCE,
                                .stop = stop,
                                .deep_stack = true};
    int error = ls_process_run(&process, &run);
    char *text = NULL;
    *refused = error == 0 && run.signal == 0 && run.status != 0;
    if (error != 0) {
        text = ls_format("cannot run %s: %s\n", args->list[0], strerror(-error));
    } else if (!ls_process_ok(&run)) {
        char ending[80];
        text = ls_format("%s%s: %s\n", run.output, args->list[0], ls_process_ending(&run, ending, sizeof ending));
    }
    ls_process_free(&run);
    return text;
}

/* What a command prints, or NULL with a message. */
static char *answer(const char *tool, const char *option, char *error, size_t size) {
    ls_process_result run;
    int code = ls_process_run(&(ls_process){.argv = (const char *const[]){tool, option, NULL}}, &run);
    char *text = NULL;
    if (code != 0) {
        (void)snprintf(error, size, "cannot run %s: %s", tool, strerror(-code));
    } else if (!ls_process_ok(&run)) {
        char ending[80];
        (void)snprintf(error, size, "%s %s: %s", tool, option, ls_process_ending(&run, ending, sizeof ending));
    } else {
        text = ls_copy(run.output);
    }
    ls_process_free(&run);
    return text;
}

/* Cuts the text to its first line. */
static void keep_first_line(char *text) {
    if (text != NULL) {
        text[strcspn(text, "\n")] = '\0';
    }
}

/* Verilator's own directory, from `verilator -V`: the compiled-in one, and behind it, when it is set, the environment's. NULL
 * when it names none. */
static char *root_of(const char *text) {
    static const char name[] = "VERILATOR_ROOT";
    char *root = NULL;
    for (const char *at = text; (at = strstr(at, name)) != NULL;) {
        at += sizeof name - 1;
        at += strspn(at, " ");
        if (*at == '=') {
            at += 1 + strspn(at + 1, " ");
            const size_t length = strcspn(at, "\n");
            if (length > 0) {
                free(root);
                root = ls_format("%.*s", (int)length, at);
            }
        }
    }
    return root;
}

static const char *setting(const char *name, const char *otherwise) {
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

/* The CPU's features as a key, because -march=native code runs only where they are. */
static char *cpu(void) {
    ls_text info = {0};
    ls_hash h = ls_hash_begin();
    if (ls_text_read(&info, "/proc/cpuinfo") == 0 && info.data != NULL) {
        const char *flags = strstr(info.data, "\nflags");
        flags = flags == NULL ? strstr(info.data, "\nFeatures") : flags;
        if (flags != NULL) {
            ls_hash_bytes(&h, flags + 1, strcspn(flags + 1, "\n"));
        }
    }
    free(info.data);
    return ls_hash_end(&h);
}

/* What the two say of themselves. */
typedef struct answers {
    char *version;  /* `verilator -V` */
    char *compiler; /* first line of `g++ --version` */
} answers;

static bool ask_versions(const ls_tools *tools, answers *a, char *error, size_t size) {
    a->version = answer(tools->program, "-V", error, size);
    a->compiler = a->version == NULL ? NULL : answer(tools->cxx, "--version", error, size);
    keep_first_line(a->compiler);
    return a->compiler != NULL;
}

/* clang's DUTs are compiled in the time of g++'s and run faster (docs/performance.md). */
static const char *usual_compiler(void) {
    char *clang = ls_process_find("clang++-14");
    const bool there = clang != NULL;
    free(clang);
    return there ? "clang++-14" : "g++";
}

/* Commands, where they are, and the linker. */
static void name_tools(ls_tools *tools) {
    *tools =
        (ls_tools){.verilator = ls_copy(setting("VERILATOR", "verilator")), .cxx = ls_copy(setting("CXX", usual_compiler()))};
    tools->program = ls_verilator_program(tools->verilator);
    char *gold = ls_process_find("ld.gold");
    tools->gold = gold != NULL;
    free(gold);
}

/* The rest, from the answers. 0, or -1 with `tools` zeroed and a message. */
static int describe(ls_tools *tools, const answers *a, char *error, size_t size) {
    char *wrong = NULL;
    bool good = ls_verilator_check(a->version, &wrong);
    if (!good) (void)snprintf(error, size, "%.*s", (int)strcspn(wrong, "\n"), wrong);
    tools->root = root_of(a->version);
    if (good && tools->root == NULL) {
        (void)snprintf(error, size, "%s -V names no VERILATOR_ROOT", tools->verilator);
        good = false;
    }
    if (good) {
        char *features = cpu();
        tools->clang = strstr(a->compiler, "clang") != NULL;
        tools->clang14 = strstr(a->compiler, "clang version 14.") != NULL;
        if (wrong != NULL) tools->warning = ls_format("%.*s", (int)strcspn(wrong, "\n"), wrong);
        tools->number = ls_verilator_number(a->version);
        char *writer = ls_format("%s/include/fstcpp", tools->root);
        tools->lz4 = access(writer, F_OK) == 0;
        free(writer);
        tools->version = ls_format("%u.%03u", tools->number / 1000, tools->number % 1000);
        tools->identity = ls_format("%.*s\n%s\n%s\n%s\n%s\n", (int)strcspn(a->version, "\n"), a->version, tools->root, tools->cxx,
                                    a->compiler, features);
        free(features);
    } else {
        ls_tools_free(tools);
    }
    free(wrong);
    return good ? 0 : -1;
}

void ls_tools_free(ls_tools *tools) {
    free(tools->verilator);
    free(tools->program);
    free(tools->version);
    free(tools->root);
    free(tools->cxx);
    free(tools->warning);
    free(tools->identity);
    *tools = (ls_tools){0};
}

/* Adds every file of that name in the folders of $PATH, for the first one may call another. False: one is no machine code but,
 * say, a script, which may call anything. */
static bool stamp_command(ls_stamp *stamp, const char *name) {
    const char *path = strchr(name, '/') == NULL ? getenv("PATH") : "";
    char *list = ls_copy(path != NULL ? path : ""), *rest = list;
    bool code = true;
    ls_hash_text(&stamp->hash, name);
    for (char *folder; (folder = strsep(&rest, ":")) != NULL;) {
        char *file = folder[0] != '\0' ? ls_format("%s/%s", folder, name) : ls_copy(name), magic[4] = "";
        struct stat is;
        FILE *f = stat(file, &is) == 0 && S_ISREG(is.st_mode) ? fopen(file, "re") : NULL;
        if (f != NULL) {
            code &= fread(magic, 1, sizeof magic, f) == sizeof magic && memcmp(magic, "\177ELF", sizeof magic) == 0;
            ls_stamp_add(stamp, file, &is);
            (void)fclose(f);
        }
        free(file);
    }
    free(list);
    return code;
}

/* The answers are noted in the file `note`, unless it is NULL, and asked for again when another program has the name of one. */
static int find(ls_tools *tools, const char *note, char *error, size_t size) {
    ls_stamp stamp = ls_stamp_begin(setting("VERILATOR_ROOT", ""));
    answers a = {0};
    name_tools(tools);
    const bool keep = note != NULL && stamp_command(&stamp, tools->program) && stamp_command(&stamp, tools->cxx);
    char *noted = keep ? ls_stamp_noted(&stamp, note) : NULL, *end = noted != NULL ? strchr(noted, '\n') : NULL;
    bool good = end != NULL;
    if (good) a = (answers){.version = ls_copy(end + 1), .compiler = ls_format("%.*s", (int)(end - noted), noted)};
    else good = ask_versions(tools, &a, error, size);
    if (good && keep && noted == NULL) {
        noted = ls_format("%s\n%s", a.compiler, a.version);
        ls_stamp_note(&stamp, note, noted);
    }
    if (good) good = describe(tools, &a, error, size) == 0;
    else ls_tools_free(tools);
    free(a.version);
    free(a.compiler);
    free(noted);
    return good ? 0 : -1;
}

int ls_tools_find(ls_tools *tools, char *error, size_t size) { return find(tools, NULL, error, size); }

const ls_tools *ls_tools_once(void) {
    static ls_tools tools;
    char error[1024];
    if (tools.version == NULL) {
        char *note = ls_format("%s/tools.stamp", ls_cache());
        if (find(&tools, note, error, sizeof error) != 0) ls_die("%s", error);
        free(note);
        if (tools.warning != NULL) (void)fprintf(stderr, "lockstep: %s\n", tools.warning);
    }
    return &tools;
}

/* Runtime -------------------------------------------------------------------------------------------------------------------- */

/* What every DUT needs and no more. Of a precompiled header gcc keeps no instances of templates: all those that the header's
 * inline functions use, 500 of them, are made anew in each compilation, before anything else. clang keeps them when told to. */
static const char runtime_header[] =
    "extern \"C\" int ls_dut_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));\n"
    "#include \"verilated.h\"\n"
    "#include \"verilated_dpi.h\"\n"
    "#include \"verilated_syms.h\"\n";

static const char *const runtime_sources[] = {"verilated", "verilated_fst_c", "verilated_cov", "verilated_dpi",
                                              "verilated_threads"};

enum { RUNTIME_SOURCES = sizeof runtime_sources / sizeof *runtime_sources };

/* What the runtime, its precompiled header and every DUT are compiled with. -fno-finite-loops: C++ takes a loop without effects for
 * one that ends, so that RTL's that never ends would be a pass. All of Verilator's versions take C++14, whose library has half as
 * much in its headers; Verilator's classes are aligned to lines of the cache, which new heeds there with -faligned-new alone. */
static const char *const common_flags[] = {"-std=gnu++14",
                                           "-faligned-new",
                                           "-march=native",
                                           "-fPIC",
                                           "-fvisibility=hidden",
                                           "-w",
                                           "-fno-finite-loops",
                                           "-pthread",
                                           "-DVM_SC=0",
                                           "-DVL_USER_FINISH",
                                           "-DVL_USER_STOP",
                                           "-DVL_USER_FATAL",
                                           "-DVL_PRINTF=ls_dut_printf"};

/* Of gcc's -O2 Verilator's code needs only loops over words as vectors and as memcpy: without them rf_banked takes three times as
 * long; the rest doubles the time of a build and gains nothing. Verilator's long functions store thousands of words, and whether
 * two of them meet is asked for each pair: without the bounds that is two fifths of the time, and gains nothing either. */
static const char *const gcc_flags[] = {"-O1", "-ftree-vectorize", "-ftree-loop-distribute-patterns",
                                        "--param=dse-max-alias-queries-per-store=8",
                                        "--param=sccvn-max-alias-queries-per-access=16"};

/* clang would not take a precompiled header when a header of the system is newer, which the key does not know either; nor would
 * -O0 take that of -O2. */
static const char *const clang_flags[] = {"-O2", "-Xclang", "-fno-validate-pch"};

/* Of clang 14, whose passes these are: with them a system is compiled in two thirds of the time, and runs 0.96 times as fast.
 * Instructions are combined until none changes; how far back a load looks over branches has a bound made for shorter functions;
 * and integers could be masks of AVX-512. Later versions lack the first option. */
static const char *const clang14_flags[] = {
    "-mllvm", "-instcombine-max-iterations=1",   "-mllvm", "-memdep-block-number-limit=10",
#ifdef __x86_64__
    "-mllvm", "-disable-x86-domain-reassignment"
#endif
};

enum {
    COMMON_FLAGS = sizeof common_flags / sizeof *common_flags,
    GCC_FLAGS = sizeof gcc_flags / sizeof *gcc_flags,
    CLANG_FLAGS = sizeof clang_flags / sizeof *clang_flags,
    CLANG14_FLAGS = sizeof clang14_flags / sizeof *clang14_flags
};

void ls_compile_sooner(ls_args *args, const ls_tools *tools) {
    for (size_t i = 0; i < CLANG14_FLAGS && tools->clang14; i++) ls_args_add(args, "%s", clang14_flags[i]);
}

void ls_compiler(ls_args *args, const ls_tools *tools) {
    ls_args_add(args, "%s", tools->cxx);
    for (size_t i = 0; i < COMMON_FLAGS; i++) ls_args_add(args, "%s", common_flags[i]);
    for (size_t i = 0; i < GCC_FLAGS && !tools->clang; i++) ls_args_add(args, "%s", gcc_flags[i]);
    for (size_t i = 0; i < CLANG_FLAGS && tools->clang; i++) ls_args_add(args, "%s", clang_flags[i]);
    ls_args_add(args, "-I%s/include", tools->root);
    ls_args_add(args, "-I%s/include/vltstd", tools->root);
}

/* Compilations that threads take one after the other. */
typedef struct queue {
    ls_compile *jobs;
    size_t count;
    _Atomic size_t next;
} queue;

static void *compile_thread(void *state) {
    queue *q = state;
    for (size_t i = q->next++; i < q->count; i = q->next++) {
        bool refused = false;
        q->jobs[i].text = ls_command(&q->jobs[i].args, q->jobs[i].timeout_ms, &refused);
    }
    return NULL;
}

size_t ls_compilers(void) {
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    return processors > 1 ? (size_t)processors : 1;
}

char *ls_compile_all(ls_compile *jobs, size_t count) {
    queue q = {.jobs = jobs, .count = count};
    const size_t others = ls_compilers() - 1;
    pthread_t *threads = ls_alloc(count, sizeof *threads);
    size_t started = 0;
    while (started < others && started + 1 < count && pthread_create(&threads[started], NULL, compile_thread, &q) == 0) {
        started++;
    }
    (void)compile_thread(&q);
    for (size_t i = 0; i < started; i++) {
        (void)pthread_join(threads[i], NULL);
    }
    free(threads);
    char *text = NULL;
    for (size_t i = 0; i < count; i++) {
        if (text == NULL) {
            text = jobs[i].text;
        } else {
            free(jobs[i].text);
        }
        ls_args_free(&jobs[i].args);
    }
    return text;
}

/* Compiles Verilator's runtime and the precompiled header into `directory`. Returns NULL or the error. */
static char *compile_runtime(const ls_tools *tools, const char *directory, unsigned timeout_ms) {
    char *header = ls_format("%s/runtime.h", directory);
    char *precompiled = ls_format("%s.%s", header, tools->clang ? "pch" : "gch");
    char *making = ls_format("%s/gch", directory); /* so that no other compilation meets half of it */
    char *library = ls_format("%s/libverilated.a", directory);
    ls_text text = {0};
    ls_text_put(&text, runtime_header, sizeof runtime_header - 1);
    int error = ls_text_write(&text, header);
    char *failed = error == 0 ? NULL : ls_format("%s: %s\n", header, strerror(-error));
    ls_compile jobs[RUNTIME_SOURCES + 1] = {0};
    ls_args archive = {0};
    ls_args_add(&archive, "ar");
    ls_args_add(&archive, "rcs");
    ls_args_add(&archive, "%s", library);
    for (size_t i = 0; failed == NULL && i <= RUNTIME_SOURCES; i++) {
        ls_args *args = &jobs[i].args;
        jobs[i].timeout_ms = timeout_ms;
        if (i == RUNTIME_SOURCES &&
            tools->clang) { /* it notes the header's name, and the folder moves: not when it comes by stdin */
            ls_args_add(args, "sh");
            ls_args_add(args, "-c");
            ls_args_add(args, "header=$1 && shift && exec \"$@\" <\"$header\"");
            ls_args_add(args, "sh");
            ls_args_add(args, "%s", header);
        }
        ls_compiler(args, tools);
        if (i < RUNTIME_SOURCES) {
            ls_args_add(args, "-include");
            ls_args_add(args, "%s", header);
            ls_args_add(args, "-c");
            ls_args_add(args, "%s/include/%s.cpp", tools->root, runtime_sources[i]);
            ls_args_add(&archive, "%s/%s.o", directory, runtime_sources[i]);
        } else {
            ls_args_add(args, "-x");
            ls_args_add(args, "c++-header");
            ls_args_add(args, "%s", tools->clang ? "-" : header);
            if (tools->clang) ls_args_add(args, "-fpch-instantiate-templates");
        }
        ls_args_add(args, "-o");
        ls_args_add(args, "%s", i < RUNTIME_SOURCES ? archive.list[archive.count - 1] : making);
    }
    bool refused = false;
    if (failed == NULL) {
        failed = ls_compile_all(jobs, RUNTIME_SOURCES + 1);
    }
    if (failed == NULL) {
        failed = ls_command(&archive, timeout_ms, &refused);
    }
    if (failed == NULL && rename(making, precompiled) != 0) {
        failed = ls_format("%s: %s\n", precompiled, strerror(errno));
    }
    for (size_t i = 3; i < archive.count; i++) {
        (void)unlink(archive.list[i]);
    }
    ls_args_free(&archive);
    free(text.data);
    free(header);
    free(precompiled);
    free(making);
    free(library);
    return failed;
}

/* That what Verilator's sources include of others is there: told before half a minute of compiling. NULL or the error. */
static char *check_lz4(const ls_tools *tools, unsigned timeout_ms) {
    static const char *const words[] = {"-E", "-x", "c++", "-include", "lz4.h", "-o", "/dev/null", "/dev/null"};
    ls_args args = {0};
    bool refused = false;
    if (!tools->lz4) return NULL;
    ls_args_add(&args, "%s", tools->cxx);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) ls_args_add(&args, "%s", words[i]);
    char *failed = ls_command(&args, timeout_ms, &refused);
    ls_args_free(&args);
    if (!refused) return failed;
    free(failed);
    return ls_format("Verilator %s needs lz4.h, which %s does not find: apt-get install liblz4-dev\n", tools->version,
                     tools->cxx);
}

static bool is_runtime(const char *folder) { return ls_readable(folder) && ls_sealed(folder); }

char *ls_runtime_find(const ls_tools *tools, const char *cache, unsigned timeout_ms, char **directory) {
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, LS_RECIPE);
    ls_hash_text(&h, tools->identity);
    ls_hash_text(&h, runtime_header);
    ls_hash_texts(&h, common_flags, COMMON_FLAGS);
    ls_hash_texts(&h, tools->clang ? clang_flags : gcc_flags, tools->clang ? CLANG_FLAGS : GCC_FLAGS);
    char *key = ls_hash_end(&h);
    char *final = ls_format("%s/verilator-%s-%s", cache, tools->version, key);
    char *lock_path = ls_format("%s.lock", final);
    char *temporary = ls_format("%s.tmp", final);
    char *failed = NULL;
    if (!is_runtime(final)) {
        ls_progress_begin("building the runtime of Verilator %s, once", tools->version);
        int fd = ls_lock(lock_path);
        if (fd < 0) {
            failed = ls_format("%s: %s\n", lock_path, strerror(-fd));
        } else if (!is_runtime(final)) {
            if (!ls_progress_terminal()) ls_say(stderr, "lockstep: building the runtime of Verilator %s, once\n", tools->version);
            ls_remove_tree(temporary);
            ls_remove_tree(final); /* only a damaged one can be there */
            int error = ls_make_directories(temporary);
            failed = error != 0 ? ls_format("%s: %s\n", temporary, strerror(-error)) : check_lz4(tools, timeout_ms);
            if (failed == NULL) failed = compile_runtime(tools, temporary, timeout_ms);
            error = failed == NULL ? ls_seal(temporary) : 0;
            if (error != 0) {
                failed = ls_format("%s/" LS_SEAL ": %s\n", temporary, strerror(-error));
            }
            if (failed == NULL && rename(temporary, final) != 0) {
                failed = ls_format("%s: %s\n", final, strerror(errno));
            }
            ls_remove_tree(temporary);
        }
        if (fd >= 0) {
            ls_unlock(fd, lock_path);
        }
        ls_progress_end();
    }
    if (failed == NULL) {
        *directory = ls_copy(final);
    }
    free(key);
    free(final);
    free(lock_path);
    free(temporary);
    return failed;
}
