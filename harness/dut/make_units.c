/* SPDX-License-Identifier: Apache-2.0 */
/* Verilator's sources, as they are compiled: mended, and divided among translation units. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/folder.h"
#include "harness/dut/make_parts.h"
#include "harness/dut/toolchain.h"

static bool ends_with(const char *text, const char *end) {
    return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

/* Verilator 5.006 comments out the entries of its variable map that have more than two dimensions ("//UNSUP scope.varInsert(...,
 * flags, dims, ranges...);"). The shim needs the address alone, so that the entry may stand as one without dimensions. */
static int publish_in(const char *path) {
    static const char mark[] = "//UNSUP ";
    ls_text in = {0}, out = {0};
    int error = ls_text_read(&in, path);
    ls_text_put(&in, "", 0);
    for (const char *line = in.data; *line != '\0';) {
        const size_t length = strcspn(line, "\n") + (line[strcspn(line, "\n")] == '\n');
        const char *start = line + strspn(line, " \t");
        const char *flags = strncmp(start, mark, sizeof mark - 1) == 0 ? strstr(start, ",VLVD_") : NULL;
        const char *comma = flags != NULL && flags < line + length ? strchr(flags + 1, ',') : NULL;
        if (comma != NULL && comma < line + length) {
            ls_text_add(&out, "%.*s,0);\n", (int)(comma - start - (long)sizeof mark + 1), start + sizeof mark - 1);
        } else {
            ls_text_put(&out, line, length);
        }
        line += length;
    }
    error = error == 0 ? ls_text_write(&out, path) : error;
    free(in.data);
    free(out.data);
    return error;
}

/* A name that is a word of C++ is "__SYM__set" in Verilator's sources, and in the waves that they write: not there. */
static int name_in(const char *path) {
    static const char mark[] = "\"__SYM__";
    ls_text in = {0}, out = {0};
    int error = ls_text_read(&in, path);
    ls_text_put(&in, "", 0);
    const char *from = in.data;
    for (const char *at; (at = strstr(from, mark)) != NULL; from = at + sizeof mark - 1) {
        ls_text_put(&out, from, (size_t)(at - from));
        ls_text_put(&out, "\"", 1);
    }
    if (error == 0 && out.size > 0) {
        ls_text_add(&out, "%s", from);
        error = ls_text_write(&out, path);
    }
    free(in.data);
    free(out.data);
    return error;
}

int ls_make_publish(const char *objects) {
    DIR *directory = opendir(objects);
    int error = directory == NULL ? -errno : 0;
    for (struct dirent *entry; error == 0 && (entry = readdir(directory)) != NULL;) {
        if (strncmp(entry->d_name, "Vdut__Syms", 10) == 0 && ends_with(entry->d_name, ".cpp")) { /* one, or several parts */
            char *path = ls_format("%s/%s", objects, entry->d_name);
            error = publish_in(path);
            free(path);
        } else if (strncmp(entry->d_name, "Vdut__Trace", 11) == 0 && ends_with(entry->d_name, ".cpp")) {
            char *path = ls_format("%s/%s", objects, entry->d_name);
            error = name_in(path);
            free(path);
        }
    }
    if (directory != NULL) closedir(directory);
    return error;
}

static bool of_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Whether the line, up to its end, names that member of the design. */
static bool names(const char *line, size_t length, const char *member) {
    const size_t n = strlen(member);
    for (const char *at = line; (at = memmem(at, length - (size_t)(at - line), member, n)) != NULL; at += n)
        if (at > line && (at[-1] == '.' || at[-1] == '>') && !of_word(at[n])) return true;
    return false;
}

/* Whether in a generated source only triggers of processes, and the check of the port's width, read the clock. A function begins
 * in the first column. */
static bool only_triggers(const char *text, const char *clock) {
    bool trigger = false;
    for (const char *line = text; *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        if (line[0] != ' ' && length > 0 && line[length - 1] == '{')
            trigger =
                memmem(line, length, "___eval_triggers", 16) != NULL || memmem(line, length, "_debug_assertions", 17) != NULL;
        if (!trigger && names(line, length, clock)) return false;
        line += length + (line[length] == '\n');
    }
    return true;
}

/* Puts `to` in the place of `from`. */
static void replace(ls_text *text, const char *from, const char *to) {
    ls_text out = {0};
    const char *at = text->data;
    for (const char *found; (found = strstr(at, from)) != NULL; at = found + strlen(from)) {
        ls_text_put(&out, at, (size_t)(found - at));
        ls_text_add(&out, "%s", to);
    }
    if (at == text->data) return;
    ls_text_add(&out, "%s", at);
    free(ls_text_take(text));
    *text = out;
}

/* In each call of eval Verilator up to 5.044 first computes all that follows from inputs, twice in a cycle. Later ones look
 * whether an input has changed. */
int ls_make_held(const char *objects, const char *clock) {
    static const char *const passes[][2] = {
        {"(0U == vlSelf->__VicoIterCount)", "(!ls_inputs_held & (0U == vlSelf->__VicoIterCount))"},
        {"(0U == vlSelfRef.__VicoIterCount)", "(!ls_inputs_held & (0U == vlSelfRef.__VicoIterCount))"},
        {"__VicoFirstIteration = 1U;", "__VicoFirstIteration = !ls_inputs_held;"}};
    static const char *const others[] = {"Vdut.cpp", "Vdut__Syms", "Vdut__Trace"}; /* no code of the design */
    ls_args list = {0}, files = {0};
    int error = 0;
    bool good = true;
    ls_folder_names(objects, &list);
    for (size_t i = 0; i < list.count && good && error == 0; i++) {
        bool of_design = ends_with(list.list[i], ".cpp") && !ends_with(list.list[i], "__Slow.cpp");
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            of_design = of_design && strncmp(list.list[i], others[k], strlen(others[k])) != 0;
        if (!of_design) continue;
        char *path = ls_format("%s/%s", objects, list.list[i]);
        ls_text text = {0};
        error = ls_text_read(&text, path);
        ls_text_put(&text, "", 0);
        good = only_triggers(text.data, clock);
        ls_args_add(&files, "%s", path);
        free(text.data);
        free(path);
    }
    for (size_t i = 0; i < files.count && good && error == 0; i++) {
        ls_text text = {0};
        error = ls_text_read(&text, files.list[i]);
        ls_text_put(&text, "", 0);
        const size_t before = text.size;
        for (size_t k = 0; k < sizeof passes / sizeof *passes; k++) replace(&text, passes[k][0], passes[k][1]);
        if (error == 0 && text.size != before) error = ls_text_write(&text, files.list[i]);
        free(text.data);
    }
    ls_args_free(&list);
    ls_args_free(&files);
    return error;
}

/* Generated sources of more bytes than LARGE are divided among the units that are compiled side by side; from SYSTEM bytes on a
 * DUT is a system (rf_hierarchy has 3.4, rf_cerf 4.1 million). */
enum { LARGE = 200000, SYSTEM = 3800000, SHIM = 150000 /* what the shim's compilation takes, in such bytes */ };

/* Whether what is in that source runs once, at the start. */
static bool is_slow(const char *name) { return ends_with(name, "__Slow.cpp") || strncmp(name, "Vdut__Syms", 10) == 0; }

/* Around what is not optimized: what runs once, at the start, and with the counters of coverage, with which -O1 takes 20 times as
 * long, everything. With -O0 gcc would not take the precompiled header of -O1 and read all headers again, which takes a second.
 * What runs once bears Verilator's mark VL_ATTR_COLD, and only that may be meant: gcc compiles a function without optimization
 * when any declaration of it stands below such a pragma, and the start calls, and declares, what runs in every cycle as well. */
static const char unoptimized[] = "#pragma GCC push_options\n#pragma GCC optimize 0\n#pragma clang optimize off\n",
                  optimized[] = "#pragma GCC pop_options\n#pragma clang optimize on\n",
                  cold_unoptimized[] = "#undef VL_ATTR_COLD\n#ifdef __clang__\n"
                                       "#define VL_ATTR_COLD __attribute__((cold, noinline, optnone))\n#else\n"
                                       "#define VL_ATTR_COLD __attribute__((cold, optimize(0)))\n#endif\n",
                  cold_as_before[] = "#undef VL_ATTR_COLD\n#define VL_ATTR_COLD __attribute__((cold))\n";

/* What is X in the RTL is a constant, 0, 1 or random as the context's randReset says. Since 5.028 Verilator draws it from the
 * seed whatever that says; it still has functions that ask. */
static const char x_constants[] = "#define VL_SCOPED_RAND_RESET_ASSIGN_I VL_SCOPED_RAND_RESET_I\n"
                                  "#define VL_SCOPED_RAND_RESET_ASSIGN_Q VL_SCOPED_RAND_RESET_Q\n"
                                  "#define VL_SCOPED_RAND_RESET_ASSIGN_W VL_SCOPED_RAND_RESET_W\n";

/* What ls_make_held put into the sources; of the shim. */
static const char held[] = "extern bool ls_inputs_held;\n";

/* A generated source. */
typedef struct piece {
    char *path;
    off_t work;  /* bytes; what is not optimized takes less */
    bool slow;   /* runs once, at the start */
    size_t unit; /* the translation unit that includes it */
} piece;

static int by_work(const void *a, const void *b) {
    const piece *x = a, *y = b;
    return x->work != y->work ? (x->work < y->work) - (x->work > y->work) : strcmp(x->path, y->path);
}

static int by_path(const void *a, const void *b) { return strcmp(((const piece *)a)->path, ((const piece *)b)->path); }

static void find_pieces(const char *objects, piece **list, size_t *count) {
    ls_args names = {0};
    ls_folder_names(objects, &names);
    *list = ls_alloc(names.count + 1, sizeof **list);
    *count = 0;
    for (size_t i = 0; i < names.count; i++) {
        if (!ends_with(names.list[i], ".cpp")) continue;
        piece *p = &(*list)[(*count)++];
        struct stat status = {0};
        p->path = ls_format("%s/%s", objects, names.list[i]);
        p->slow = is_slow(names.list[i]);
        (void)stat(p->path, &status);
        p->work = status.st_size;
    }
    ls_args_free(&names);
}

/* Spreads the large pieces, the largest first, over at most that many units: each costs time for the header alone, gcc half a
 * second of a processor, clang a tenth. The small ones are of unit 0. What runs once is one unit more when it is much. Returns the
 * number of units. */
static size_t spread(piece *list, size_t count, size_t most, ls_units *units) {
    size_t large = 0;
    off_t load[64] = {SHIM}, once = 0, all = 0;
    most = most < sizeof load / sizeof *load ? most : sizeof load / sizeof *load;
    for (size_t i = 0; i < count; i++) *(list[i].slow ? &once : &all) += list[i].work;
    units->once = units->once && once > LARGE;
    units->system = all >= SYSTEM;
    for (size_t i = 0; i < count; i++)
        if (list[i].slow) list[i].work = units->once ? 0 : list[i].work / 2;
    qsort(list, count, sizeof *list, by_work);
    while (large < count && list[large].work > LARGE) large++;
    for (size_t i = large; i < count; i++) load[0] += list[i].work;
    const size_t parts = large < most ? large + (large == 0 || load[0] > LARGE + SHIM) : most;
    for (size_t i = 0; i < large; i++) {
        size_t least = 0;
        for (size_t k = 1; k < parts; k++) least = load[k] < load[least] ? k : least;
        list[i].unit = least;
        load[least] += list[i].work;
    }
    for (size_t i = 0; i < count && units->once; i++)
        if (list[i].slow) list[i].unit = parts;
    qsort(list, count, sizeof *list, by_path);
    return parts + units->once;
}

/* The text of one unit: its pieces, those that run once, at the start, last. They are included as headers of the system are: only
 * there clang lets a DPI import declare a function of the C library without its `noexcept`. */
static void write_unit(const piece *list, size_t count, size_t unit, bool coverage, ls_text *text) {
    ls_text_add(text, "%s%s", x_constants, held);
    for (int slow = 0; slow < 2; slow++) {
        ls_text_add(text, "%s", coverage ? unoptimized : slow != 0 ? cold_unoptimized : "");
        for (size_t i = 0; i < count; i++)
            if (list[i].unit == unit && list[i].slow == (slow != 0))
                ls_text_add(text, "#include <%s>\n", strrchr(list[i].path, '/') + 1);
        ls_text_add(text, "%s", coverage ? optimized : slow != 0 ? cold_as_before : "");
    }
}

int ls_make_units(const char *objects, const char *shim, bool coverage, size_t most, ls_units *units) {
    piece *list;
    size_t count;
    char *real = realpath(shim, NULL);
    int error = real == NULL ? -errno : 0;
    find_pieces(objects, &list, &count);
    const size_t parts = spread(list, count, most, units);
    for (size_t k = 0; k < parts && error == 0; k++) {
        ls_text text = {0};
        write_unit(list, count, k, coverage, &text);
        if (k == 0) ls_text_add(&text, "#include \"%s\"\n", real);
        ls_args_add(&units->files, "%s/unit%zu.cc", objects, k);
        error = ls_text_write(&text, units->files.list[k]);
        free(text.data);
    }
    for (size_t i = 0; i < count; i++) free(list[i].path);
    free(list);
    free(real);
    return error;
}
