/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/proof/ir.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/base/root.h"
#include "harness/base/text.h"

#define LIBRARY "lockstep-llvm.so" /* beside the tool, in lib/ beside its folder, or where the tool is built */

char *ls_ir_read(const char *const *paths, size_t count, ls_ir *ir) {
    char self[PATH_MAX];
    const ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    self[n > 0 ? n : 0] = '\0';
    const int length = n > 0 ? (int)(strrchr(self, '/') - self) : 0;
    char *beside = ls_format("%.*s/" LIBRARY, length, self), *installed = ls_format("%.*s/../lib/" LIBRARY, length, self),
         *built = ls_format("%s/build/" LIBRARY, ls_root());
    const char *there = access(beside, F_OK) == 0 ? beside : access(installed, F_OK) == 0 ? installed : built;
    void *library = dlopen(there, RTLD_NOW | RTLD_LOCAL);
    char *(*read)(const char *const *, size_t, ls_ir *) = NULL;
    if (library != NULL) *(void **)&read = dlsym(library, "ls_ir_read_bitcode");
    char *failed = read != NULL ? read(paths, count, ir)
                                : ls_format("proofs of a model need %s, which `make` builds when LLVM is there: apt-get install "
                                            "llvm-14-dev (make deps-test): %s",
                                            beside, dlerror());
    free(beside);
    free(installed);
    free(built);
    return failed;
}

void ls_ir_drop_blocks(ls_ir_function *f) {
    for (uint32_t b = 0; b < f->blocks && f->block != NULL; b++) {
        for (uint32_t i = 0; i < f->block[b].count; i++) {
            free(f->block[b].inst[i].operand);
            free(f->block[b].inst[i].to);
            free(f->block[b].inst[i].cases);
            free(f->block[b].inst[i].bytes);
        }
        free(f->block[b].inst);
    }
    free(f->block);
    f->block = NULL;
}

void ls_ir_free(ls_ir *ir) {
    for (uint32_t i = 0; i < ir->functions; i++) {
        ls_ir_drop_blocks(&ir->function[i]);
        free(ir->function[i].name);
        free(ir->function[i].refused);
    }
    for (uint32_t i = 0; i < ir->globals; i++) {
        free(ir->global[i].name);
        free(ir->global[i].bytes);
        free(ir->global[i].places);
    }
    for (size_t i = 0; i < ir->file_count; i++) free(ir->files[i]);
    free(ir->function);
    free(ir->global);
    free(ir->files);
    *ir = (ls_ir){0};
}

uint32_t ls_ir_find(const ls_ir *ir, const char *name) {
    for (uint32_t i = 0; i < ir->functions; i++)
        if (strcmp(ir->function[i].name, name) == 0) return i;
    return LS_IR_NONE;
}
