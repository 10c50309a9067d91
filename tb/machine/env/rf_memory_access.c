/* SPDX-License-Identifier: Apache-2.0 */
#include "tb/machine/env/rf_memory_access.h"

#include <string.h>

#include "cmodel/workload/rf_kernel.h"
#include "cmodel/workload/rf_traceg.h"

#define WIDTH_MAX 16u

/* A range of addresses that is a space of its own. */
typedef struct window {
    uint64_t base, end;
    rf_memory_space space;
} window;

static const window ptx_windows[] = {
    {RF_SHARED_WINDOW, RF_LOCAL_WINDOW, RF_MEMORY_SHARED},
    {RF_LOCAL_WINDOW, UINT64_C(0x800000000000), RF_MEMORY_LOCAL},
    {RF_SHARED_WINDOW_32, RF_LOCAL_WINDOW_32, RF_MEMORY_SHARED},
    {RF_LOCAL_WINDOW_32, UINT64_C(1) << 32, RF_MEMORY_LOCAL},
    {0},
};

static const window sass_windows[] = {
    {RF_TRACEG_SHARED_WINDOW, RF_TRACEG_SHARED_WINDOW + RF_TRACEG_WINDOW_BYTES, RF_MEMORY_SHARED},
    {RF_TRACEG_LOCAL_WINDOW, RF_TRACEG_LOCAL_WINDOW + RF_TRACEG_WINDOW_BYTES, RF_MEMORY_LOCAL},
    {0},
};

/* The local memory of a workgroup lies below the program. */
static const window ventus_windows[] = {{UINT64_C(0x70000000), UINT64_C(0x80000000), RF_MEMORY_SHARED}, {0}};

/* What a mnemonic says: the space, or the windows that the address is looked up in, or that there is no access. */
typedef struct place {
    rf_memory_space space;
    const window *windows;
    bool none;
} place;

/* Whether the mnemonic is that up to its first dot. */
static bool is(const char *text, const char *family) {
    const size_t length = strlen(family);
    return strncmp(text, family, length) == 0 && (text[length] == '.' || text[length] == '\0');
}

static bool is_any(const char *text, const char *const *families) {
    while (*families != NULL && !is(text, *families)) families++;
    return *families != NULL;
}

static place sass_place(const char *text) {
    static const char *const global[] = {"LDG", "STG", NULL}; /* the most frequent */
    static const char *const shared[] = {"LDS", "STS", "LDSM", "STSM", "STAS", "ATOMS", "REDAS", NULL};
    static const char *const local[] = {"LDL", "STL", NULL};
    static const char *const tensor[] = {"LDT", "LDTM", "STT", "STTM", NULL};
    static const char *const texture[] = {"TEX", "TLD", "TLD4", "TMML", "TXD", "TXQ", "SULD", "SUST", "SUATOM", "SURED", NULL};
    if (is_any(text, global)) return (place){.space = RF_MEMORY_GLOBAL};
    if (is_any(text, shared)) return (place){.space = RF_MEMORY_SHARED};
    if (is_any(text, local)) return (place){.space = RF_MEMORY_LOCAL};
    if (is(text, "LDC")) return (place){.space = RF_MEMORY_CONSTANT};
    if (is_any(text, texture)) return (place){.space = RF_MEMORY_TEXTURE};
    return (place){.space = RF_MEMORY_GLOBAL, .windows = sass_windows, .none = is_any(text, tensor)};
}

static place ptx_place(const char *text) {
    static const struct {
        const char *suffix;
        rf_memory_space space;
    } names[] = {
        {".global", RF_MEMORY_GLOBAL},  {".shared", RF_MEMORY_SHARED}, {".param", RF_MEMORY_CONSTANT},
        {".const", RF_MEMORY_CONSTANT}, {".local", RF_MEMORY_LOCAL},
    };
    for (const char *dot = strchr(text, '.'); dot != NULL; dot = strchr(dot + 1, '.'))
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            if (strncmp(dot, names[i].suffix, strlen(names[i].suffix)) == 0) return (place){.space = names[i].space};
    return (place){.space = RF_MEMORY_GLOBAL, .windows = ptx_windows};
}

static place place_of(const char *text) {
    static const char *const ptx[] = {"ld", "st", "atom", "red", "ldu", NULL};
    if (text[0] >= 'A' && text[0] <= 'Z') return sass_place(text);
    if (is_any(text, ptx)) return ptx_place(text);
    return (place){.space = RF_MEMORY_GLOBAL, .windows = ventus_windows};
}

/* The window that an address lies in, or NULL. */
static const window *find(const window *list, uint64_t address) {
    for (; list->end != 0; list++)
        if (address >= list->base && address < list->end) return list;
    return NULL;
}

bool rf_memory_access_of(const rf_inst *inst, uint64_t warp, uint64_t lane[RF_LANES_MAX], rf_memory_access *access) {
    if (!inst->load && !inst->store) return false;
    const place to = place_of(inst->mnemonic);
    if (to.none) return false;
    const bool loads = !inst->store || is(inst->mnemonic, "LDGSTS");
    *access = (rf_memory_access){.space = to.space,
                                 .kind = loads        ? RF_ACCESS_LOAD
                                         : inst->load ? RF_ACCESS_ATOMIC
                                                      : RF_ACCESS_STORE,
                                 .mask = inst->mask,
                                 .width = inst->width == 0 || inst->width > WIDTH_MAX ? WIDTH_MAX : inst->width,
                                 .address = inst->width == 0 ? NULL : inst->address,
                                 .warp = warp};
    if (to.windows == NULL || access->address == NULL || access->mask == 0) return true;
    const window *const w = find(to.windows, access->address[rf_lowest(access->mask)]);
    if (w == NULL) return true;
    access->space = w->space;
    for (uint32_t l = 0; l < RF_LANES_MAX; l++) lane[l] = access->address[l] - w->base;
    access->address = lane;
    return true;
}
