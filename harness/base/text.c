/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/progress.h"
#include "harness/base/text.h"
#include "cmodel/workload/rf_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINKS_MAX 40u /* the kernel's own bound */

void (*ls_when_no_memory)(void) = NULL;

static void *owned(void *memory) {
    if (memory == NULL) {
        if (ls_when_no_memory != NULL) {
            ls_when_no_memory();
        }
        fputs("lockstep: out of memory\n", stderr);
        exit(2);
    }
    return memory;
}

void *ls_alloc(size_t count, size_t size) { return owned(calloc(count > 0 ? count : 1, size > 0 ? size : 1)); }

char *ls_copy(const char *text) { return owned(strdup(text)); }

void *ls_grow(void *list, size_t count, size_t size) {
    if (count > 0 && (count & (count - 1)) != 0) { /* the room is the next power of two */
        return list;
    }
    size_t room = count == 0 ? 1 : 2 * count;
    return owned(room > SIZE_MAX / size ? NULL : realloc(list, room * size));
}

void ls_text_put(ls_text *text, const void *data, size_t size) {
    size_t room = 64;
    while (room <= text->size) {
        room *= 2;
    }
    if (text->data == NULL || text->size + size + 1 > room) {
        while (room < text->size + size + 1) {
            room *= 2;
        }
        text->data = owned(realloc(text->data, room));
    }
    if (size > 0) {
        memcpy(text->data + text->size, data, size);
    }
    text->size += size;
    text->data[text->size] = '\0';
}

static void add(ls_text *text, const char *format, va_list args) {
    char *made = NULL;
    int size = vasprintf(&made, format, args);
    ls_text_put(text, owned(size < 0 ? NULL : made), (size_t)size);
    free(made);
}

void ls_text_add(ls_text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(text, format, args);
    va_end(args);
}

char *ls_text_take(ls_text *text) {
    char *data = text->data == NULL ? ls_copy("") : text->data;
    *text = (ls_text){0};
    return data;
}

char *ls_format(const char *format, ...) {
    ls_text text = {0};
    va_list args;
    va_start(args, format);
    add(&text, format, args);
    va_end(args);
    return ls_text_take(&text);
}

void ls_error_at(char *error, size_t size, const char *path, size_t line, const char *format, va_list args) {
    char shown[RF_PATH_SHOWN];
    (void)rf_path_shown(path, shown);
    const int n = line != 0 ? snprintf(error, size, "%s:%zu: ", shown, line) : snprintf(error, size, "%s: ", shown);
    if (n > 0 && (size_t)n < size) (void)vsnprintf(error + n, size - (size_t)n, format, args);
}

void ls_args_add(ls_args *args, const char *format, ...) {
    ls_text text = {0};
    va_list list;
    va_start(list, format);
    add(&text, format, list);
    va_end(list);
    if (args->count == 0) {
        args->list = ls_grow(args->list, 0, sizeof *args->list);
    }
    args->list = ls_grow(args->list, args->count + 1, sizeof *args->list);
    args->list[args->count++] = ls_text_take(&text);
    args->list[args->count] = NULL;
}

bool ls_args_named_before(const ls_args *args, size_t i) {
    const size_t n = strcspn(args->list[i], "=");
    for (size_t k = 0; k < i; k++)
        if (strcspn(args->list[k], "=") == n && strncmp(args->list[k], args->list[i], n) == 0) return true;
    return false;
}

void ls_args_free(ls_args *args) {
    for (size_t i = 0; i < args->count; i++) {
        free(args->list[i]);
    }
    free(args->list);
    *args = (ls_args){0};
}

int ls_text_read(ls_text *text, const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return -errno;
    }
    static const size_t chunk = 65536;
    char *buffer = ls_alloc(1, chunk);
    ssize_t got = 0;
    int error = 0;
    do {
        got = read(fd, buffer, chunk);
        if (got > 0) {
            ls_text_put(text, buffer, (size_t)got);
        } else if (got < 0 && errno != EINTR) {
            error = -errno;
        }
    } while (got > 0 || (got < 0 && error == 0));
    free(buffer);
    close(fd);
    return error;
}

static int write_all(int fd, const char *data, size_t size) {
    while (size > 0) {
        ssize_t put = write(fd, data, size);
        if (put < 0 && errno != EINTR) {
            return -errno;
        }
        if (put > 0) {
            data += put;
            size -= (size_t)put;
        }
    }
    return 0;
}

/* Where the symbolic links that *path names lead, also when nothing is there. 0 or a negative errno. */
static int follow(char **path) {
    struct stat status;
    for (unsigned links = 0; lstat(*path, &status) == 0 && S_ISLNK(status.st_mode); links++) {
        char to[PATH_MAX];
        const ssize_t size = links < LINKS_MAX ? readlink(*path, to, sizeof to) : -1;
        if (size < 0) return links < LINKS_MAX ? -errno : -ELOOP;
        const char *slash = to[0] == '/' ? NULL : strrchr(*path, '/');
        char *next = ls_format("%.*s%.*s", slash == NULL ? 0 : (int)(slash - *path) + 1, *path, (int)size, to);
        free(*path);
        *path = next;
    }
    return 0;
}

int ls_open_beside(const char *path, char **target, char **temporary) {
    struct stat status;
    *target = *temporary = NULL;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) return -ENOTSUP;
    *target = ls_copy(path);
    int fd = follow(target);
    if (fd == 0) {
        *temporary = ls_format("%s.XXXXXX", *target);
        fd = mkostemp(*temporary, O_CLOEXEC);
        if (fd < 0) fd = -errno;
    }
    if (fd >= 0) return fd;
    free(*target);
    free(*temporary);
    *target = *temporary = NULL;
    return fd;
}

int ls_text_write(const ls_text *text, const char *path) {
    char *target, *temporary;
    int fd = ls_open_beside(path, &target, &temporary);
    if (fd < 0) {
        return fd;
    }
    int error = write_all(fd, text->data, text->size);
    if (error == 0 && fchmod(fd, 0644) != 0) {
        error = -errno;
    }
    if (close(fd) != 0 && error == 0) {
        error = -errno;
    }
    if (error == 0 && rename(temporary, target) != 0) {
        error = -errno;
    }
    if (error != 0) {
        (void)unlink(temporary);
    }
    free(target);
    free(temporary);
    return error;
}

char *ls_folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? ls_copy(".") : ls_format("%.*s", slash == path ? 1 : (int)(slash - path), path);
}

void ls_discard(const char *path) {
    struct stat is;
    if (lstat(path, &is) == 0 && (S_ISREG(is.st_mode) || S_ISLNK(is.st_mode))) {
        (void)unlink(path);
    }
}

int ls_text_appendable(const char *path) {
    const int fd = open(path, O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) return -close(fd);
    if (errno == ENXIO) return 0; /* a pipe that nobody reads yet */
    if (errno != ENOENT) return -errno;
    char *folder = ls_folder_of(path);
    const int error = access(folder, W_OK | X_OK) == 0 ? 0 : -errno;
    free(folder);
    return error;
}

int ls_text_append(const ls_text *text, const char *path) {
    const int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) {
        return -errno;
    }
    const ssize_t written = write(fd, text->data, text->size);
    int error = written < 0 ? -errno : (size_t)written < text->size ? -ENOSPC : 0;
    if (close(fd) != 0 && error == 0) {
        error = -errno;
    }
    return error;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *walk) {
    (void)status;
    (void)type;
    (void)walk;
    (void)remove(path);
    return 0;
}

void ls_remove_tree(const char *path) { (void)nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

size_t ls_utf8_length(const char *at) {
    const unsigned char *c = (const unsigned char *)at;
    if (c[0] < 0x80) return 1;
    const size_t n = c[0] >= 0xc2 && c[0] <= 0xdf ? 2 : (c[0] & 0xf0) == 0xe0 ? 3 : c[0] >= 0xf0 && c[0] <= 0xf4 ? 4 : 0;
    for (size_t i = 1; i < n; i++)
        if ((c[i] & 0xc0) != 0x80) return 0;
    const bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    const bool outside = (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf4 && c[1] > 0x8f);
    return overlong || outside ? 0 : n;
}

/* The control characters of ASCII and of Latin-1 (U+0080 to U+009F). */
static bool is_control(const char *at, size_t length) {
    const unsigned char c = (unsigned char)at[0];
    return (length == 1 && (c < 0x20 || c == 0x7f)) || (length == 2 && c == 0xc2 && (unsigned char)at[1] < 0xa0);
}

char *ls_printable(const char *data, size_t size) {
    ls_text text = {0};
    size_t done = 0; /* bytes that are in the text */
    for (size_t i = 0; i < size;) {
        const size_t length = ls_utf8_length(data + i), bytes = length != 0 ? length : 1;
        const bool shown = length != 0 && (data[i] == '\n' || data[i] == '\t' || !is_control(data + i, length));
        i += bytes;
        if (shown) continue;
        ls_text_put(&text, data + done, i - bytes - done);
        for (done = i - bytes; done < i; done++) ls_text_add(&text, "\\x%02x", (unsigned)(unsigned char)data[done]);
    }
    ls_text_put(&text, data + done, size - done);
    return ls_text_take(&text);
}

/* How often the word stands in the text. */
static size_t times(const char *text, const char *word) {
    size_t n = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at += strlen(word)) n++;
    return n;
}

/* The format with a word in place of each of its control characters, which are put into *ours in order. */
static char *without_controls(const char *format, const char *word, ls_text *ours) {
    ls_text text = {0};
    ours->size = 0;
    for (const char *c = format; *c != '\0'; c++) {
        const bool control = is_control(c, 1) && *c != '\t';
        if (control) ls_text_put(ours, c, 1);
        if (control) ls_text_put(&text, word, strlen(word));
        else ls_text_put(&text, c, 1);
    }
    return ls_text_take(&text);
}

void ls_say_list(FILE *to, const char *format, va_list args) {
    ls_text ours = {0}, line = {0};
    char word[32], *text = NULL;
    for (unsigned n = 0; text == NULL; n++) { /* a word that is in no argument */
        va_list again;
        (void)snprintf(word, sizeof word, "\x01%u\x02", n);
        char *with_words = without_controls(format, word, &ours);
        va_copy(again, args);
        ls_text made = {0};
        add(&made, with_words, again);
        va_end(again);
        text = ls_text_take(&made);
        free(with_words);
        if (times(text, word) == ours.size) break;
        free(text);
        text = NULL;
    }
    ls_progress_clear();
    const char *control = ours.data;
    for (char *rest = text, *next; rest != NULL; rest = next) {
        next = strstr(rest, word);
        if (next != NULL) *next = '\0';
        char *plain = ls_printable(rest, strlen(rest));
        size_t size = strlen(plain);
        if (size > 0 && plain[size - 1] == '\n' && (next == NULL || *control == '\n'))
            plain[--size] = '\0'; /* the end of an argument is no line */
        for (const char *c = plain; *c != '\0';) {
            const size_t n = strcspn(c, "\n");
            ls_text_put(&line, c, n);
            if (c[n] == '\n') ls_text_put(&line, "\n  ", 3);
            c += n + (c[n] == '\n');
        }
        free(plain);
        if (next == NULL) break;
        ls_text_put(&line, control++, 1);
        next += strlen(word);
    }
    (void)fwrite(line.data != NULL ? line.data : "", 1, line.size, to);
    free(ours.data);
    free(line.data);
    free(text);
}

void ls_say(FILE *to, const char *format, ...) {
    va_list args;
    va_start(args, format);
    ls_say_list(to, format, args);
    va_end(args);
}

void ls_cut(char *to, size_t size, const char *text) {
    const size_t all = strlen(text);
    if (all < size) {
        memmove(to, text, all + 1);
        return;
    }
    char note[64];
    const size_t room = size - 1 - (size_t)snprintf(note, sizeof note, " ... (cut: %zu bytes in all)", all);
    size_t kept = 0;
    for (size_t next = 0; next <= room; next += ls_utf8_length(text + kept) != 0 ? ls_utf8_length(text + kept) : 1) kept = next;
    memmove(to, text, kept);
    memcpy(to + kept, note, strlen(note) + 1);
}

bool ls_is_macro(const char *text) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789$";
    const size_t name = strspn(text, letters);
    return name > 0 && strchr(letters, text[0]) < strchr(letters, '0') && (text[name] == '\0' || text[name] == '=') &&
           strpbrk(text, "\r\n") == NULL;
}

bool ls_whole_number(const char *text, bool scaled, uint64_t *number) {
    const uint64_t most = UINT64_C(999999999999999999);
    const bool hex = strncmp(text, "0x", 2) == 0;
    const char *first = text + (hex ? 2 : 0);
    const size_t digits = strspn(first, hex ? "0123456789abcdefABCDEF" : "0123456789");
    const char *behind = first + digits;
    uint64_t scale = *behind == '\0' ? 1 : 0;
    if (scaled && !hex && strcmp(behind, "k") == 0) scale = 1000;
    if (scaled && !hex && strcmp(behind, "M") == 0) scale = 1000000;
    if (digits == 0 || digits > 18 || scale == 0 || (digits > 1 && first[0] == '0')) return false;
    *number = strtoull(first, NULL, hex ? 16 : 10);
    if (*number > most / scale) return false;
    *number *= scale;
    return true;
}

bool ls_decimal(const char *text, double *number) {
    const char *const digits = "0123456789";
    const size_t whole = strspn(text, digits), point = text[whole] == '.', part = strspn(text + whole + point, digits);
    if (whole + part == 0 || text[whole + point + part] != '\0') return false;
    *number = strtod(text, NULL);
    return true;
}

static int by_name(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

void ls_args_sort(ls_args *args) {
    if (args->count > 1) {
        qsort(args->list, args->count, sizeof *args->list, by_name);
    }
}

char *ls_shell_word(const char *word) {
    if (word[0] != '\0' &&
        strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%") == strlen(word))
        return ls_copy(word);
    ls_text text = {0};
    ls_text_add(&text, "'");
    for (const char *c = word; *c != '\0'; c++) ls_text_add(&text, *c == '\'' ? "'\\''" : "%c", *c);
    ls_text_add(&text, "'");
    return ls_text_take(&text);
}
