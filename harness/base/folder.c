/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void ls_folder_names(const char *path, ls_args *names) {
    DIR *directory = opendir(path);
    for (struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        ls_args_add(names, "%s", entry->d_name);
    }
    if (directory != NULL) {
        closedir(directory);
    }
    ls_args_sort(names);
}

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

#define SEAL_END "end\n" /* its last line: a seal may be cut off, too */

/* As ls_only_ours demands, whatever the umask. */
static void keep_ours(const char *path) {
    struct stat is;
    if (stat(path, &is) == 0) (void)chmod(path, is.st_mode & 07777 & ~(mode_t)(S_IWGRP | S_IWOTH));
}

int ls_seal(const char *folder) {
    ls_args names = {0};
    ls_text text = {0};
    char *path = ls_format("%s/" LS_SEAL, folder);
    ls_folder_names(folder, &names);
    keep_ours(folder);
    for (size_t i = 0; i < names.count; i++) {
        char *file = ls_format("%s/%s", folder, names.list[i]);
        struct stat is;
        uint64_t digest;
        if (lstat(file, &is) == 0 && S_ISREG(is.st_mode) && strcmp(names.list[i], LS_SEAL) != 0 && digest_file(file, &digest)) {
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
    char *path = ls_format("%s/" LS_SEAL, folder);
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
        if (code != 0) failed = ls_format("%s/" LS_SEAL ": %s", temporary, strerror(-code));
        if (failed == NULL && rename(temporary, cached->folder) != 0)
            failed = ls_format("%s: %s", cached->folder, strerror(errno));
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

char *ls_temporary_folder(const char *name, char **folder) {
    const char *base = getenv("TMPDIR");
    if (base == NULL || base[0] == '\0') base = "/tmp";
    *folder = ls_format("%s/%s.XXXXXX", base, name);
    if (mkdtemp(*folder) != NULL) return NULL;
    char *error = ls_format("TMPDIR=%s: %s: it is needed for temporary files", base, strerror(errno));
    free(*folder);
    *folder = NULL;
    return error;
}
