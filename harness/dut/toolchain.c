/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/dut/toolchain.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/base/process.h"

ls_hash ls_hash_begin(void) {
    ls_hash h = {.state = 0x6c62272e07bb0142};
    h.state = h.state << 64 | 0x62b821756295c58d;
    return h;
}

void ls_hash_bytes(ls_hash *h, const void *data, size_t size) {
    __extension__ unsigned __int128 prime = 1;
    prime = prime << 88 | 0x13b;
    for (size_t i = 0; i < size; i++) {
        h->state = (h->state ^ ((const unsigned char *)data)[i]) * prime;
    }
}

void ls_hash_text(ls_hash *h, const char *text) { ls_hash_bytes(h, text, strlen(text) + 1); }

void ls_hash_number(ls_hash *h, size_t number) { ls_hash_bytes(h, &number, sizeof number); }

bool ls_hash_file(ls_hash *h, const char *path) {
    ls_text text = {0};
    bool readable = ls_text_read(&text, path) == 0;
    ls_hash_number(h, readable ? text.size : SIZE_MAX);
    ls_hash_bytes(h, text.data, text.size);
    free(text.data);
    return readable;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void ls_args_sort(ls_args *args) {
    if (args->count > 1) {
        qsort(args->list, args->count, sizeof *args->list, by_name);
    }
}

/* The names in a directory, sorted; none when there is no such directory. */
static void list_names(const char *path, ls_args *names) {
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        ls_args_add(names, "%s", entry->d_name);
    }
    if (directory != NULL) {
        closedir(directory);
    }
    ls_args_sort(names);
}

void ls_hash_directory(ls_hash *h, const char *path) {
    ls_args names = {0};
    list_names(path, &names);
    ls_hash_number(h, names.count);
    for (size_t i = 0; i < names.count; i++) {
        ls_hash_text(h, names.list[i]);
    }
    ls_args_free(&names);
}

/* The regular file that `name`, in quotes in the source `from`, means: beside it unless it is absolute. NULL: there is none. */
static char *named_file(const char *from, const char *name, size_t length) {
    const char *slash = strrchr(from, '/');
    const int folder = name[0] == '/' || slash == NULL ? 0 : (int)(slash - from) + 1;
    char *path = ls_format("%.*s%.*s", folder, from, (int)length, name);
    struct stat is;
    if (stat(path, &is) == 0 && S_ISREG(is.st_mode)) return path;
    free(path);
    return NULL;
}

/* As ls_hash_source, of a file that is not among `known`, to which it is added. */
static bool hash_source(ls_hash *h, const char *path, ls_args *known) {
    ls_text text = {0};
    char *absolute = realpath(path, NULL);
    bool met = false;
    for (size_t i = 0; i < known->count && absolute != NULL; i++) met |= strcmp(known->list[i], absolute) == 0;
    if (absolute != NULL && !met) ls_args_add(known, "%s", absolute);
    free(absolute);
    if (met) return true;
    const bool readable = ls_hash_file(h, path) && ls_text_read(&text, path) == 0;
    ls_text_put(&text, "", 0);
    for (const char *at = text.data, *quote; (quote = strchr(at, '"')) != NULL; at = quote + 1) {
        const char *name = quote + 1; /* a quote that ends one text is tried as the beginning of another: that costs nothing */
        const size_t length = strcspn(name, "\"\n");
        char *file = length > 0 && name[length] == '"' ? named_file(path, name, length) : NULL;
        if (file != NULL) (void)hash_source(h, file, known);
        free(file);
    }
    free(ls_text_take(&text));
    return readable;
}

bool ls_hash_source(ls_hash *h, const char *path) {
    ls_args known = {0};
    const bool readable = hash_source(h, path, &known);
    ls_args_free(&known);
    return readable;
}

void ls_hash_sources(ls_hash *h, const char *path) {
    static const char *const endings[] = {".sv", ".v", ".svh", ".vh", ".il"};
    ls_args names = {0};
    list_names(path, &names);
    for (size_t i = 0; i < names.count; i++) {
        const char *dot = strrchr(names.list[i], '.');
        bool source = false;
        for (size_t k = 0; dot != NULL && k < sizeof endings / sizeof *endings; k++) source |= strcmp(dot, endings[k]) == 0;
        if (!source) continue;
        char *file = ls_format("%s/%s", path, names.list[i]);
        ls_hash_text(h, names.list[i]);
        (void)ls_hash_source(h, file);
        free(file);
    }
    ls_args_free(&names);
}

char *ls_hash_end(const ls_hash *h) {
    return ls_format("%016llx%016llx", (unsigned long long)(h->state >> 64), (unsigned long long)h->state);
}

void ls_hash_texts(ls_hash *h, const char *const *list, size_t count) {
    ls_hash_number(h, count);
    for (size_t i = 0; i < count; i++) {
        ls_hash_text(h, list[i]);
    }
}

/* Files and tools ------------------------------------------------------------------------------------------------------------ */

bool ls_readable(const char *path) { return access(path, R_OK) == 0; }

int ls_make_directories(const char *path) {
    char *copy = ls_copy(path);
    int error = 0;
    for (char *p = copy + 1; error == 0; p++) {
        if (*p == '/' || *p == '\0') {
            const char end = *p;
            *p = '\0';
            error = mkdir(copy, 0777) == 0 || errno == EEXIST ? 0 : -errno;
            *p = end;
            if (end == '\0') {
                break;
            }
        }
    }
    free(copy);
    return error;
}

bool ls_only_ours(const char *path) {
    struct stat is;
    return stat(path, &is) == 0 && (is.st_uid == geteuid() || is.st_uid == 0) && (is.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

int ls_room(const char *folder) {
    static const char bytes[65536];
    char *path = ls_format("%s/room.XXXXXX", folder);
    const int fd = mkostemp(path, O_CLOEXEC);
    int error = fd < 0 ? -errno : 0;
    if (error == 0) {
        const ssize_t n = write(fd, bytes, sizeof bytes);
        if (n != (ssize_t)sizeof bytes) error = n < 0 ? -errno : -ENOSPC;
        if (error == 0 && fsync(fd) != 0) error = -errno;
        if (close(fd) != 0 && error == 0) error = -errno;
        (void)unlink(path);
    }
    free(path);
    return error;
}

/* A number for what is in a file, that is cheap: against damage, not against malice. False when it cannot be read. */
static bool digest_file(const char *path, uint64_t *digest) {
    enum { CHUNK = 65536 };
    const uint64_t prime = 0x9e3779b97f4a7c15;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return false;
    char *buffer = ls_alloc(1, CHUNK);
    uint64_t all = 0;
    ssize_t got = 0;
    *digest = prime;
    do {
        size_t size = 0;
        for (; size < CHUNK && (got = read(fd, buffer + size, CHUNK - size)) > 0; size += (size_t)got) continue;
        all += size;
        for (size_t i = 0; i < size; i += 8) {
            uint64_t word = 0;
            memcpy(&word, buffer + i, size - i < 8 ? size - i : 8);
            *digest = (*digest ^ word) * prime;
            *digest ^= *digest >> 29;
        }
    } while (got > 0);
    *digest = (*digest ^ all) * prime;
    free(buffer);
    close(fd);
    return got == 0;
}

#define SEAL "seal"
#define SEAL_END "end\n" /* its last line: a seal may be cut off, too */

/* As ls_only_ours demands, whatever the umask. */
static void keep_ours(const char *path) {
    struct stat is;
    if (stat(path, &is) == 0) (void)chmod(path, is.st_mode & 07777 & ~(mode_t)(S_IWGRP | S_IWOTH));
}

int ls_seal(const char *folder) {
    ls_args names = {0};
    ls_text text = {0};
    char *path = ls_format("%s/" SEAL, folder);
    list_names(folder, &names);
    keep_ours(folder);
    for (size_t i = 0; i < names.count; i++) {
        char *file = ls_format("%s/%s", folder, names.list[i]);
        struct stat is;
        uint64_t digest;
        if (lstat(file, &is) == 0 && S_ISREG(is.st_mode) && strcmp(names.list[i], SEAL) != 0 && digest_file(file, &digest)) {
            keep_ours(file);
            ls_text_add(&text, "%016llx %s\n", (unsigned long long)digest, names.list[i]);
        }
        free(file);
    }
    ls_text_add(&text, SEAL_END);
    const int error = ls_text_write(&text, path);
    free(path);
    free(text.data);
    ls_args_free(&names);
    return error;
}

bool ls_sealed(const char *folder) {
    ls_text text = {0};
    char *path = ls_format("%s/" SEAL, folder);
    const int error = ls_text_read(&text, path);
    free(path);
    ls_text_put(&text, "", 0);
    const char *line = text.data;
    bool whole = ls_only_ours(folder);
    while (whole && error == 0 && strcmp(line, SEAL_END) != 0) {
        char *name = NULL;
        const uint64_t sealed = strtoull(line, &name, 16);
        const size_t length = strcspn(name, "\n");
        char *file = ls_format("%s/%.*s", folder, length > 0 ? (int)length - 1 : 0, name + (length > 0));
        uint64_t digest;
        whole = length > 1 && name[length] == '\n' && ls_only_ours(file) && digest_file(file, &digest) && digest == sealed;
        free(file);
        line = name + length + (name[length] == '\n');
    }
    free(text.data);
    return whole && (error == -ENOENT || error == 0);
}

int ls_link(const char *target, const char *path) {
    if (unlink(path) != 0 && errno != ENOENT) return -errno;
    return symlink(target, path) == 0 ? 0 : -errno;
}

char *ls_link_dirs(const ls_args *dirs, const char *folder, ls_args *names) {
    char *failed = NULL;
    for (size_t i = 0; i < dirs->count && failed == NULL; i++) {
        ls_args_add(names, "dir-%zu", i);
        char *link = ls_format("%s/%s", folder, names->list[i]);
        const int error = ls_link(dirs->list[i], link);
        if (error != 0) failed = ls_format("%s: %s", link, strerror(-error));
        free(link);
    }
    return failed;
}

int ls_lock(const char *path) {
    for (;;) {
        int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (fd < 0) {
            return -errno;
        }
        int got = 0;
        do {
            got = flock(fd, LOCK_EX);
        } while (got != 0 && errno == EINTR);
        const int error = got == 0 ? 0 : -errno;
        struct stat held, named;
        if (error == 0 && fstat(fd, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino &&
            held.st_dev == named.st_dev) {
            return fd;
        }
        close(fd); /* the one before us removed it: what we locked is nobody's any more */
        if (error != 0) {
            return error;
        }
    }
}

void ls_unlock(int fd, const char *path) {
    (void)unlink(path);
    close(fd);
}

char *ls_cached_folder(const ls_cached *cached, bool *was_there) {
    char *lock_path = ls_format("%s.lock", cached->folder), *temporary = ls_format("%s.tmp", cached->folder), *failed = NULL;
    char *parent = ls_copy(cached->folder), *slash = strrchr(parent, '/');
    if (slash != NULL) *slash = '\0';
    *was_there = false;
    int code = slash != NULL ? ls_make_directories(parent) : 0;
    const int lock = code == 0 ? ls_lock(lock_path) : code;
    if (lock < 0) {
        failed = ls_format("%s: %s", lock_path, strerror(-lock));
    } else if (ls_sealed(cached->folder) && cached->take(cached->ctx)) {
        *was_there = true;
    } else {
        ls_remove_tree(temporary);
        ls_remove_tree(cached->folder);
        code = ls_make_directories(temporary);
        failed = code == 0 ? cached->make(cached->ctx, temporary) : ls_format("%s: %s", temporary, strerror(-code));
        code = failed == NULL ? ls_seal(temporary) : 0;
        if (code != 0) failed = ls_format("%s/" SEAL ": %s", temporary, strerror(-code));
        if (failed == NULL && rename(temporary, cached->folder) != 0) failed = ls_format("%s: %s", cached->folder, strerror(errno));
        code = failed != NULL ? ls_room(temporary) : 0; /* not every tool says so */
        if (code == -ENOSPC || code == -EDQUOT) {
            char *tool = failed;
            failed = ls_format("%s%s%s: %s", tool, tool[0] != '\0' ? "\n" : "", temporary, strerror(-code));
            free(tool);
        }
        ls_remove_tree(temporary);
        if (failed == NULL && !cached->take(cached->ctx)) failed = ls_format("%s: was made and is not whole", cached->folder);
    }
    if (lock >= 0) ls_unlock(lock, lock_path);
    free(parent);
    free(lock_path);
    free(temporary);
    return failed;
}

char *ls_yosys_version(void) {
    ls_process_result run;
    if (ls_process_run(&(ls_process){.argv = (const char *const[]){"yosys", "-V", NULL}}, &run) != 0) return NULL;
    char *text = ls_process_ok(&run) ? ls_copy(run.output) : NULL;
    ls_process_free(&run);
    if (text != NULL) text[strcspn(text, "\n")] = '\0';
    return text;
}

char *ls_command(const ls_args *args, unsigned timeout_ms, bool *refused) {
    ls_process_result run;
    const ls_process process = {.argv = (const char *const *)args->list, .timeout_ms = timeout_ms, .patience = LS_PATIENCE};
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

/* What `verilator` is a wrapper of: a script in Perl that finds its program and starts it, which takes twenty times as long as the
 * program needs to say its version. To be freed; NULL when it is something else or the environment has a say in what it starts. */
static char *wrapped_program(const char *verilator) {
    static const char *const decide[] = {"VERILATOR_ROOT", "VERILATOR_BIN", "VERILATOR_TEST_FLAGS"};
    for (size_t i = 0; i < sizeof decide / sizeof *decide; i++) {
        if (getenv(decide[i]) != NULL) return NULL;
    }
    char *found = ls_process_find(verilator), *real = found != NULL ? realpath(found, NULL) : NULL, *program = NULL;
    FILE *script = real != NULL ? fopen(real, "re") : NULL;
    char line[64] = "";
    if (script != NULL && fgets(line, sizeof line, script) != NULL && strncmp(line, "#!", 2) == 0 && strstr(line, "perl") != NULL) {
        char *beside = ls_format("%.*s/verilator_bin", (int)(strrchr(real, '/') - real), real);
        program = ls_process_find(beside);
        free(beside);
    }
    if (script != NULL) (void)fclose(script);
    free(real);
    free(found);
    return program;
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

int ls_tools_find(ls_tools *tools, char *error, size_t size) {
    *tools = (ls_tools){.verilator = ls_copy(setting("VERILATOR", "verilator")), .cxx = ls_copy(setting("CXX", "g++"))};
    char *wrong = NULL;
    char *program = wrapped_program(tools->verilator);
    char *version = answer(program != NULL ? program : tools->verilator, "-V", error, size);
    free(program);
    char *compiler = version == NULL ? NULL : answer(tools->cxx, "--version", error, size);
    tools->root = version == NULL ? NULL : root_of(version);
    keep_first_line(version);
    keep_first_line(compiler);
    bool good = compiler != NULL;
    if (good && !ls_verilator_check(version, &wrong)) {
        (void)snprintf(error, size, "%.*s", (int)strcspn(wrong, "\n"), wrong);
        good = false;
    }
    if (good && tools->root == NULL) {
        (void)snprintf(error, size, "%s -V names no VERILATOR_ROOT", tools->verilator);
        good = false;
    }
    if (good) {
        char *features = cpu();
        tools->number = ls_verilator_number(version);
        tools->version = ls_format("%u.%03u", tools->number / 1000, tools->number % 1000);
        tools->identity = ls_format("%s\n%s\n%s\n%s\n%s\n", version, tools->root, tools->cxx, compiler, features);
        free(features);
    } else {
        ls_tools_free(tools);
    }
    free(wrong);
    free(version);
    free(compiler);
    return good ? 0 : -1;
}

void ls_tools_free(ls_tools *tools) {
    free(tools->verilator);
    free(tools->version);
    free(tools->root);
    free(tools->cxx);
    free(tools->identity);
    *tools = (ls_tools){0};
}

/* Runtime -------------------------------------------------------------------------------------------------------------------- */

static const char runtime_header[] =
    "extern \"C\" int ls_dut_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));\n"
    "#include \"verilated.h\"\n"
    "#include \"verilated_cov.h\"\n"
    "#include \"verilated_dpi.h\"\n"
    "#include \"verilated_fst_c.h\"\n"
    "#include \"verilated_syms.h\"\n";

static const char *const runtime_sources[] = {"verilated", "verilated_fst_c", "verilated_cov", "verilated_dpi",
                                              "verilated_threads"};

enum { RUNTIME_SOURCES = sizeof runtime_sources / sizeof *runtime_sources };

/* What the runtime, its precompiled header and every DUT are compiled with. -fno-finite-loops: C++ takes a loop without effects for
 * one that ends, so that RTL's that never ends would be a pass. */
static const char *const common_flags[] = {
    "-std=gnu++17", "-O2",       "-march=native",    "-fPIC",          "-fvisibility=hidden", "-w", "-fno-finite-loops",
    "-pthread",     "-DVM_SC=0", "-DVL_USER_FINISH", "-DVL_USER_STOP", "-DVL_USER_FATAL",     "-DVL_PRINTF=ls_dut_printf"};

void ls_compiler(ls_args *args, const ls_tools *tools) {
    ls_args_add(args, "%s", tools->cxx);
    for (size_t i = 0; i < sizeof common_flags / sizeof *common_flags; i++) {
        ls_args_add(args, "%s", common_flags[i]);
    }
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

char *ls_compile_all(ls_compile *jobs, size_t count) {
    queue q = {.jobs = jobs, .count = count};
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    const size_t others = processors > 1 ? (size_t)processors - 1 : 0;
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
    char *precompiled = ls_format("%s.gch", header);
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
            ls_args_add(args, "%s", header);
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

static bool is_runtime(const char *folder) { return ls_readable(folder) && ls_sealed(folder); }

char *ls_runtime_find(const ls_tools *tools, const char *cache, unsigned timeout_ms, char **directory) {
    ls_hash h = ls_hash_begin();
    ls_hash_text(&h, LS_RECIPE);
    ls_hash_text(&h, tools->identity);
    ls_hash_text(&h, runtime_header);
    ls_hash_texts(&h, common_flags, sizeof common_flags / sizeof *common_flags);
    char *key = ls_hash_end(&h);
    char *final = ls_format("%s/verilator-%s-%s", cache, tools->version, key);
    char *lock_path = ls_format("%s.lock", final);
    char *temporary = ls_format("%s.tmp", final);
    char *failed = NULL;
    if (!is_runtime(final)) {
        int fd = ls_lock(lock_path);
        if (fd < 0) {
            failed = ls_format("%s: %s\n", lock_path, strerror(-fd));
        } else if (!is_runtime(final)) {
            ls_remove_tree(temporary);
            ls_remove_tree(final); /* only a damaged one can be there */
            int error = ls_make_directories(temporary);
            failed =
                error != 0 ? ls_format("%s: %s\n", temporary, strerror(-error)) : compile_runtime(tools, temporary, timeout_ms);
            error = failed == NULL ? ls_seal(temporary) : 0;
            if (error != 0) {
                failed = ls_format("%s/" SEAL ": %s\n", temporary, strerror(-error));
            }
            if (failed == NULL && rename(temporary, final) != 0) {
                failed = ls_format("%s: %s\n", final, strerror(errno));
            }
            ls_remove_tree(temporary);
        }
        if (fd >= 0) {
            ls_unlock(fd, lock_path);
        }
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
