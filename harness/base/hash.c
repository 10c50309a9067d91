/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/hash.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/base/folder.h"
#include "harness/base/text.h"

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

void ls_hash_directory(ls_hash *h, const char *path) {
    ls_args names = {0};
    ls_folder_names(path, &names);
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
    ls_folder_names(path, &names);
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
