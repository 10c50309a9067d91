/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep workload: build, info, dump. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmodel/compiler/rf_hints.h"
#include "cmodel/workload/rf_kernellist.h"
#include "cmodel/workload/rf_opcode.h"
#include "cmodel/workload/rf_workload.h"
#include "harness/base/clock.h"
#include "harness/base/json.h"
#include "harness/base/memory.h"
#include "harness/base/progress.h"
#include "harness/base/xzio.h"
#include "harness/cli/commands.h"
#include "harness/core/report.h"
#include "harness/core/workload.h"

#define CLASSES (RF_OP_CTRL + 1u)

static const char *const class_names[CLASSES] = {"alu", "sfu", "mem", "tensor", "ctrl"};
static const char *const kind_names[] = {"trace", "kernel list", "stream", "Ventus log"};

static int complain(const char *message) {
    ls_say(stderr, "lockstep: %s\n", message);
    return 2;
}

/* A workload and its current warp. */
typedef struct reading {
    rf_workload *workload;
    rf_warp warp;
    rf_workload_at at;
    char error[RF_WORKLOAD_ERROR_MAX];
} reading;

static int open_reading(reading *r, const char *path) {
    *r = (reading){0};
    r->workload = rf_workload_open(&ls_xzio, path, r->error, sizeof r->error);
    return r->workload != NULL ? 0 : complain(r->error);
}

static int next(reading *r) { return rf_workload_next(r->workload, &r->warp, &r->at); }

static void close_reading(reading *r) {
    rf_workload_close(r->workload);
    rf_warp_free(&r->warp);
}

/* ---- info ---- */

typedef struct kernel_totals {
    char *name;
    uint32_t number, grid[3], block[3], instructions_static;
    uint64_t warps, instructions;
} kernel_totals;

typedef struct totals {
    kernel_totals *kernel;
    size_t kernels;
    uint64_t warps, instructions, full, none, lanes, reads, writes, highest, classes[CLASSES];
    uint64_t writing, valued;      /* instructions that write; those with their values */
    uint64_t accessing, addressed; /* instructions that move data between lanes and memory; those with their addresses */
    uint64_t hinted;
    uint64_t missing_blocks, missing_warps; /* that traces do not have (rf_workload_missing) */
} totals;

static void count_kernel(totals *t, const rf_workload_at *at) {
    t->kernel = ls_grow(t->kernel, t->kernels, sizeof *t->kernel);
    kernel_totals *k = &t->kernel[t->kernels++];
    *k = (kernel_totals){.name = ls_copy(at->head->kernel), .number = at->kernel};
    memcpy(k->grid, at->head->grid, sizeof k->grid);
    memcpy(k->block, at->head->block, sizeof k->block);
    k->instructions_static = at->head->program != NULL ? at->head->program->ninst : 0;
}

static void count_instruction(totals *t, const rf_inst *inst) {
    t->full += inst->mask == UINT32_MAX;
    t->none += inst->mask == 0;
    t->lanes += (uint64_t)__builtin_popcount(inst->mask);
    t->reads += inst->nsrc;
    t->writes += inst->ndst;
    t->classes[inst->opclass]++;
    t->writing += inst->ndst > 0;
    t->valued += inst->ndst > 0 && inst->value != NULL;
    t->accessing += inst->width > 0;
    t->addressed += inst->address != NULL;
    t->hinted += (inst->hint.flags & RF_HINT_PRESENT) != 0;
    for (uint32_t i = 0; i < inst->nsrc; i++) t->highest = inst->src[i] > t->highest ? inst->src[i] : t->highest;
    for (uint32_t i = 0; i < inst->ndst; i++) t->highest = inst->dst[i] > t->highest ? inst->dst[i] : t->highest;
}

static int count_all(reading *r, totals *t) {
    int got;
    ls_progress_begin("reading the workload");
    while ((got = next(r)) == 1) {
        if (r->at.new_kernel) count_kernel(t, &r->at);
        kernel_totals *k = &t->kernel[t->kernels - 1];
        k->warps++;
        k->instructions += r->warp.count;
        t->warps++;
        t->instructions += r->warp.count;
        for (size_t i = 0; i < r->warp.count; i++) count_instruction(t, &r->warp.inst[i]);
    }
    ls_progress_end();
    return got;
}

static void info_json(const char *path, rf_workload_kind kind, const totals *t, uint64_t unknown) {
    ls_text j = {0};
    ls_json_open(&j, NULL, '{');
    ls_json_text(&j, "file", path);
    ls_json_text(&j, "kind", kind_names[kind]);
    ls_json_uint(&j, "warps", t->warps);
    ls_json_uint(&j, "instructions", t->instructions);
    ls_json_uint(&j, "full_mask", t->full);
    ls_json_uint(&j, "mask_0", t->none);
    ls_json_uint(&j, "active_lanes", t->lanes);
    ls_json_uint(&j, "reads", t->reads);
    ls_json_uint(&j, "writes", t->writes);
    ls_json_uint(&j, "highest_register", t->highest);
    ls_json_open(&j, "classes", '{');
    for (uint32_t c = 0; c < CLASSES; c++) ls_json_uint(&j, class_names[c], t->classes[c]);
    ls_json_close(&j, '{');
    ls_json_uint(&j, "writing", t->writing);
    ls_json_uint(&j, "with_values", t->valued);
    ls_json_uint(&j, "accessing", t->accessing);
    ls_json_uint(&j, "with_addresses", t->addressed);
    ls_json_uint(&j, "with_hints", t->hinted);
    ls_json_uint(&j, "unknown_opcodes", unknown);
    ls_json_uint(&j, "missing_blocks", t->missing_blocks);
    ls_json_uint(&j, "missing_warps", t->missing_warps);
    ls_json_open(&j, "kernels", '[');
    for (size_t i = 0; i < t->kernels; i++) {
        const kernel_totals *k = &t->kernel[i];
        ls_json_open(&j, NULL, '{');
        ls_json_uint(&j, "number", k->number);
        ls_json_text(&j, "kernel", k->name);
        ls_json_open(&j, "grid", '[');
        ls_json_uint(&j, NULL, k->grid[0]);
        ls_json_uint(&j, NULL, k->grid[1]);
        ls_json_uint(&j, NULL, k->grid[2]);
        ls_json_close(&j, '[');
        ls_json_open(&j, "block", '[');
        ls_json_uint(&j, NULL, k->block[0]);
        ls_json_uint(&j, NULL, k->block[1]);
        ls_json_uint(&j, NULL, k->block[2]);
        ls_json_close(&j, '[');
        ls_json_uint(&j, "static_instructions", k->instructions_static);
        ls_json_uint(&j, "warps", k->warps);
        ls_json_uint(&j, "instructions", k->instructions);
        ls_json_close(&j, '{');
    }
    ls_json_close(&j, '[');
    ls_json_close(&j, '{');
    (void)printf("%s\n", j.data);
    free(ls_text_take(&j));
}

static double share(uint64_t part, uint64_t whole) { return whole != 0 ? 100.0 * (double)part / (double)whole : 0; }

static double mean(uint64_t part, uint64_t whole) { return whole != 0 ? (double)part / (double)whole : 0; }

/* A text from a file as it can be shown on a terminal. */
static char *plain(const char *text) {
    char *copy = ls_copy(text);
    for (char *c = copy; *c != '\0'; c++)
        if (*c < ' ' || *c > '~') *c = '?';
    return copy;
}

/* What a trace does not have, when anything. */
static void report_missing(uint64_t blocks, uint64_t warps) {
    if (blocks + warps == 0) return;
    (void)printf("  missing    %" PRIu64 " thread block%s of the grid, %" PRIu64 " warp%s of the others\n", blocks,
                 blocks == 1 ? "" : "s", warps, warps == 1 ? "" : "s");
}

static void info_text(const char *path, rf_workload_kind kind, const totals *t, uint64_t unknown, const char *first) {
    ls_say(stdout, "%s: %s, %zu kernels, %" PRIu64 " warps, %" PRIu64 " warp instructions\n", path, kind_names[kind], t->kernels,
           t->warps, t->instructions);
    (void)printf("  masks      %.1f %% full, %.1f %% empty, %.1f active lanes an instruction\n", share(t->full, t->instructions),
                 share(t->none, t->instructions), mean(t->lanes, t->instructions));
    (void)printf("  registers  %.2f reads, %.2f writes an instruction, highest R%" PRIu64 "\n", mean(t->reads, t->instructions),
                 mean(t->writes, t->instructions), t->highest);
    (void)printf("  classes   ");
    for (uint32_t c = 0; c < CLASSES; c++)
        (void)printf(" %s %.1f %%%s", class_names[c], share(t->classes[c], t->instructions), c + 1 < CLASSES ? "," : "\n");
    (void)printf("  values     of %.1f %% of the %" PRIu64 " instructions that write\n", share(t->valued, t->writing),
                 t->writing);
    (void)printf("  addresses  of %.1f %% of the %" PRIu64 " instructions that access memory\n",
                 share(t->addressed, t->accessing), t->accessing);
    (void)printf("  hints      in %.1f %%\n", share(t->hinted, t->instructions));
    ls_report_unknown(unknown, first, stdout);
    report_missing(t->missing_blocks, t->missing_warps);
    for (size_t i = 0; i < t->kernels; i++) {
        const kernel_totals *k = &t->kernel[i];
        char *name = plain(k->name);
        ls_say(stdout, "  kernel %-3u %s (%u,%u,%u) x (%u,%u,%u): %" PRIu64 " warps, %" PRIu64 " instructions\n", k->number, name,
               k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1], k->block[2], k->warps, k->instructions);
        free(name);
    }
}

static int info(const ls_options *o) {
    reading r;
    totals t = {0};
    if (open_reading(&r, o->file) != 0) return 2;
    const rf_workload_kind kind = rf_workload_is(r.workload);
    int status = count_all(&r, &t) < 0 ? complain(rf_workload_error(r.workload)) : 0;
    const char *first = NULL;
    t.missing_warps = rf_workload_missing(r.workload, &t.missing_blocks);
    const uint64_t unknown = rf_workload_unknown(r.workload, &first);
    if (status == 0 && o->json) info_json(o->file, kind, &t, unknown);
    if (status == 0 && !o->json) info_text(o->file, kind, &t, unknown, first);
    for (size_t i = 0; i < t.kernels; i++) free(t.kernel[i].name);
    free(t.kernel);
    close_reading(&r);
    return status;
}

/* ---- dump ---- */

/* The active lanes, as short as they allow: `5`, `0 +4` a lane, or one by one from the lowest. */
static void dump_lanes(uint32_t mask, const uint64_t *lane) {
    if (mask == 0) return;
    const uint32_t first = rf_lowest(mask), rest = mask & (mask - 1);
    const uint64_t base = lane[first];
    const int64_t step = rest != 0 ? (int64_t)(lane[rf_lowest(rest)] - base) / (int64_t)(rf_lowest(rest) - first) : 0;
    bool strided = true;
    for (uint32_t m = rest; m != 0; m &= m - 1) strided &= lane[rf_lowest(m)] == base + (uint64_t)step * (rf_lowest(m) - first);
    if (strided) {
        (void)printf("%" PRIx64, base);
        if (step != 0) (void)printf(" %+" PRId64, step);
        return;
    }
    for (uint32_t m = mask; m != 0; m &= m - 1) (void)printf("%s%" PRIx64, m == mask ? "" : ",", lane[rf_lowest(m)]);
}

static void add_bits(ls_text *text, const char *name, const char *of, uint32_t bits) {
    for (; bits != 0; bits &= bits - 1) ls_text_add(text, " %s=%s%u", name, of, rf_lowest(bits));
}

/* Nothing when the compiler has nothing to say of the instruction. */
static void dump_hint(const rf_hint *h) {
    if (!(h->flags & RF_HINT_PRESENT)) return;
    ls_text t = {0};
    add_bits(&t, "near", "src", h->src_near);
    add_bits(&t, "near", "dst", h->dst_near);
    add_bits(&t, "dead", "src", h->src_dead);
    add_bits(&t, "dead", "dst", h->dst_dead);
    if (h->flags & RF_HINT_LONG_LATENCY) ls_text_add(&t, " long");
    if (h->flags & RF_HINT_LONG_CONSUMER) ls_text_add(&t, " waits");
    if (h->flags & RF_HINT_STRAND_END) ls_text_add(&t, h->flags & RF_HINT_DESCHEDULE ? " strand-end,deschedule" : " strand-end");
    if (h->flags & RF_HINT_NOT_L0) ls_text_add(&t, " not-l0");
    for (uint32_t i = 0; i < h->nfree; i++) {
        if (h->free_reg[i] != RF_REG_NO_FREE) ls_text_add(&t, " free=R%u", h->free_reg[i]);
        if (h->free_was[i] != RF_REG_NO_FREE) ls_text_add(&t, " back=R%u", h->free_was[i]);
    }
    if (t.size > 0) (void)printf("  ;%s", t.data);
    free(t.data);
}

/* Of a register in a hierarchy: `@` it is read or written there instead of in the main file, `>` written there too. */
static void dump_place(uint32_t place, uint32_t instead) {
    const uint32_t name = place & RF_LEVEL_NAME;
    if (place == 0) return;
    (void)printf("%cL%u.%u", place & instead ? '@' : '>', name < RF_LEVEL_L0, name % RF_LEVEL_L0);
}

static void dump_instruction(const rf_inst *inst) {
    if (inst->index == RF_INDEX_NONE) (void)printf("    -");
    else (void)printf("%5u", inst->index);
    (void)printf(" %06" PRIx64 " %08x %-6s %s", inst->pc, inst->mask, class_names[inst->opclass], inst->mnemonic);
    for (uint32_t i = 0; i < inst->ndst; i++) {
        (void)printf(" R%u", inst->dst[i]);
        dump_place(inst->hint.dst_to[i], RF_TO_NOT_MRF);
    }
    if (inst->ndst > 0 && inst->nsrc > 0) (void)printf(" <-");
    for (uint32_t i = 0; i < inst->nsrc; i++) {
        (void)printf("%s R%u", inst->ndst == 0 && i == 0 ? " <-" : "", inst->src[i]);
        dump_place(inst->hint.src_from[i], RF_FROM_UPPER);
    }
    if (inst->immediate != 0) (void)printf(" #%" PRId64, inst->immediate);
    for (uint32_t d = 0; inst->value != NULL && d < inst->ndst; d++) {
        uint64_t lane[RF_LANES_MAX];
        for (uint32_t l = 0; l < RF_LANES_MAX; l++) lane[l] = inst->value[d * RF_LANES_MAX + l];
        (void)printf("  R%u=", inst->dst[d]);
        dump_lanes(inst->mask, lane);
    }
    if (inst->address != NULL && inst->mask != 0) {
        (void)printf("  @");
        dump_lanes(inst->mask, inst->address);
    }
    dump_hint(&inst->hint);
    (void)printf("\n");
}

static void dump_kernel(const rf_workload_at *at) {
    const rf_workload_head *h = at->head;
    char *name = plain(h->kernel), *origin = plain(h->program != NULL ? h->program->origin : "");
    ls_say(stdout, "kernel %u %s (%u,%u,%u) x (%u,%u,%u), %u registers%s%s\n", at->kernel, name, h->grid[0], h->grid[1],
           h->grid[2], h->block[0], h->block[1], h->block[2], h->nreg, origin[0] != '\0' ? ", " : "", origin);
    free(name);
    free(origin);
}

static int dump(const ls_options *o) {
    reading r;
    if (open_reading(&r, o->file) != 0) return 2;
    uint64_t printed = 0, kernel = UINT64_MAX;
    bool enough = false;
    int got = 1;
    while (!enough && (got = next(&r)) == 1) {
        if (o->only_kernel != UINT64_MAX && r.at.kernel != o->only_kernel) continue;
        if (o->only_warp != UINT64_MAX && r.at.warp != o->only_warp) continue;
        if (kernel != r.at.kernel) dump_kernel(&r.at);
        kernel = r.at.kernel;
        (void)printf("warp %" PRIu64 " = block %u,%u,%u warp %u: %zu instructions\n", r.at.warp, r.warp.block[0], r.warp.block[1],
                     r.warp.block[2], r.warp.warp, r.warp.count);
        for (size_t i = 0; i < r.warp.count && !enough; i++) {
            dump_instruction(&r.warp.inst[i]);
            enough = ++printed == o->limit;
        }
        enough |= o->only_warp != UINT64_MAX;
    }
    int status = got < 0 ? complain(rf_workload_error(r.workload)) : 0;
    if (status == 0 && kernel == UINT64_MAX && (o->only_kernel != UINT64_MAX || o->only_warp != UINT64_MAX))
        status = complain("no such kernel or warp in this workload");
    close_reading(&r);
    return status;
}

/* ---- build ---- */

/* Counts what goes through to the file: the stream's own size, before packing. */
typedef struct counting {
    rf_sink sink;
    uint64_t bytes;
} counting;

static int count_and_write(void *ctx, const void *bytes, size_t count, char *error, size_t size) {
    counting *c = ctx;
    c->bytes += count;
    return c->sink.write(c->sink.ctx, bytes, count, error, size);
}

typedef struct made {
    uint64_t warps, instructions, kernels;
    ls_kernel_result kernel; /* of a kernel of ours */
    bool executed;
    uint64_t unknown; /* instructions of a trace whose opcode no rule speaks for: the stream does not tell them any more */
    uint64_t missing_blocks, missing_warps; /* of a trace: nor these */
    char first[RF_OPCODE_TEXT_MAX + 1];
} made;

/* The static side of a kernel that came without one: its head. */
static int write_head(rf_stream_writer *writer, const rf_workload_head *head, char *origin) {
    rf_program p = {.kernel = ls_copy(head->kernel),
                    .origin = origin,
                    .shared_bytes = head->shared_bytes,
                    .nreg = head->nreg <= RF_REGS_MAX ? head->nreg : 0};
    memcpy(p.grid, head->grid, sizeof p.grid);
    memcpy(p.block, head->block, sizeof p.block);
    if (head->lanes != 0 && head->lanes != RF_LANES_MAX) /* a stream's warps have 32: as many warps as before */
        p.block[0] = head->block[0] / head->lanes * RF_LANES_MAX;
    const int status = rf_stream_write_program(writer, &p);
    free(p.kernel);
    return status;
}

/* A trace or log, annotated along the executed paths. Kernels without warps keep their numbers. */
static int convert(const ls_options *o, rf_stream_writer *writer, made *m, char *error, size_t size) {
    static const rf_workload_head empty = {.kernel = "(no warps)"};
    const rf_hint_options hints = {.rthld = o->rthld};
    reading r = {0};
    r.workload = rf_workload_open(&ls_xzio, o->file, error, size);
    if (r.workload == NULL) return -1;
    char *origin = ls_format("%s (%s), hints along each warp's path", o->file, kind_names[rf_workload_is(r.workload)]);
    int status = 0, got = 0;
    if (rf_workload_is(r.workload) == RF_WORKLOAD_STREAM) {
        (void)snprintf(error, size, "%s is a stream file already", o->file);
        status = -1;
    }
    while (status == 0 && (got = next(&r)) == 1) {
        for (; status == 0 && m->kernels < r.at.kernel; m->kernels++) status = write_head(writer, &empty, origin);
        if (status == 0 && r.at.new_kernel) status = write_head(writer, r.at.head, origin);
        if (r.at.new_kernel) m->kernels++;
        if (rf_hints_of_warp(&r.warp, &hints) != 0) ls_die("no memory for the hints of a warp");
        if (status == 0) status = rf_stream_write_warp(writer, &r.warp);
        m->warps++;
        m->instructions += r.warp.count;
    }
    if (got < 0) {
        (void)snprintf(error, size, "%s", rf_workload_error(r.workload));
        status = -1;
    }
    const char *first = NULL;
    m->unknown = rf_workload_unknown(r.workload, &first);
    m->missing_warps = rf_workload_missing(r.workload, &m->missing_blocks);
    (void)snprintf(m->first, sizeof m->first, "%s", first != NULL ? first : "");
    free(origin);
    close_reading(&r);
    return status;
}

/* Whether INPUT is the name of a kernel of ours, not a path. */
static bool is_kernel(const char *name) {
    ls_kernel_info k;
    for (size_t i = 0; ls_workload_kernels.entry(i, &k); i++)
        if (strcmp(k.name, name) == 0) return true;
    return false;
}

/* Whether the output would take the place of what is read. */
static bool same_file(const char *input, const char *output) {
    struct stat in, out;
    const bool both = !is_kernel(input) && stat(input, &in) == 0 && stat(output, &out) == 0;
    return both && in.st_dev == out.st_dev && in.st_ino == out.st_ino;
}

/* Whether the output would take the place of a trace that the list `input` names, packed or not. */
static bool of_list(const char *input, const char *output) {
    char ignored[RF_WORKLOAD_ERROR_MAX];
    rf_kernellist list;
    bool same = false;
    if (is_kernel(input) || rf_kernellist_read(&ls_xzio, input, &list, ignored, sizeof ignored) != 0) return false; /* no list */
    for (size_t i = 0; i < list.count && !same; i++) {
        const char *const path = list.launch[i].path;
        if (path == NULL) continue;
        const size_t length = strlen(path), bare = length > 3 && strcmp(path + length - 3, ".xz") == 0 ? length - 3 : length;
        char *plain_one = ls_format("%.*s", (int)bare, path), *packed = ls_format("%s.xz", plain_one);
        same = same_file(plain_one, output) || same_file(packed, output);
        free(plain_one);
        free(packed);
    }
    rf_kernellist_free(&list);
    return same;
}

static void report(const ls_options *o, const made *m, uint64_t plain_bytes, uint64_t bytes, double seconds) {
    const double each = m->instructions != 0 ? (double)plain_bytes / (double)m->instructions : 0;
    if (o->json) {
        ls_text j = {0};
        ls_json_open(&j, NULL, '{');
        ls_json_text(&j, "file", o->output);
        ls_json_text(&j, "input", o->file);
        ls_json_uint(&j, "kernels", m->kernels);
        ls_json_uint(&j, "warps", m->warps);
        ls_json_uint(&j, "instructions", m->instructions);
        ls_json_uint(&j, "stream_bytes", plain_bytes);
        ls_json_uint(&j, "bytes", bytes);
        if (m->executed) {
            ls_json_uint(&j, "address_bits", o->m32 ? 32 : 64);
            ls_json_text(&j, "inputs", o->papers_inputs ? "papers" : "own");
            ls_json_uint(&j, "registers", m->kernel.registers);
            ls_json_uint(&j, "spilled", m->kernel.spilled);
            ls_json_uint(&j, "outputs_checked", m->kernel.outputs);
            ls_json_uint(&j, "operands", m->kernel.operands);
            ls_json_uint(&j, "pair_operands", m->kernel.pairs);
        } else {
            ls_json_uint(&j, "unknown_opcodes", m->unknown);
            ls_json_uint(&j, "missing_blocks", m->missing_blocks);
            ls_json_uint(&j, "missing_warps", m->missing_warps);
        }
        ls_json_fixed(&j, "seconds", seconds, 3);
        ls_json_close(&j, '{');
        (void)printf("%s\n", j.data);
        free(ls_text_take(&j));
        return;
    }
    ls_say(stdout,
           "%s: %" PRIu64 " kernels, %" PRIu64 " warps, %" PRIu64 " warp instructions, %.1f bytes each, %" PRIu64 " bytes",
           o->output, m->kernels, m->warps, m->instructions, each, bytes);
    if (m->executed)
        (void)printf(", %" PRIu64 " results checked, %u registers, %u spilled", m->kernel.outputs, m->kernel.registers,
                     m->kernel.spilled);
    (void)printf(", %.2f s\n", seconds);
    ls_report_unknown(m->unknown, m->first, stdout);
    report_missing(m->missing_blocks, m->missing_warps);
}

/* Totals of a file just written: read back, every checksum checked. */
static int verify(const char *path, made *m, char *error, size_t size) {
    reading r = {0};
    int got;
    r.workload = rf_workload_open(&ls_xzio, path, error, size);
    if (r.workload == NULL) return -1;
    m->kernels = m->warps = m->instructions = 0;
    while ((got = next(&r)) == 1) {
        m->kernels = r.at.kernel + 1u;
        m->warps++;
        m->instructions += r.warp.count;
    }
    if (got < 0) (void)snprintf(error, size, "%s", rf_workload_error(r.workload));
    close_reading(&r);
    return got;
}

static int make_stream(const ls_options *o, rf_stream_writer *writer, made *m, char *error, size_t size) {
    m->executed = is_kernel(o->file);
    if (!m->executed && (o->registers != 0 || o->banks != 0 || o->hierarchy != NULL || o->large || o->schedule || o->m32 ||
                         o->papers_inputs || o->dead_together)) {
        (void)snprintf(error, size,
                       "%s is no kernel of ours: --registers, --banks, --hierarchy, --schedule, --m32, --papers-inputs, "
                       "--dead-together and --large are for those",
                       o->file);
        return -1;
    }
    const ls_kernel_request request = {.name = o->file,
                                       .registers = o->registers,
                                       .rthld = o->rthld,
                                       .banks = o->banks,
                                       .hierarchy = o->hierarchy,
                                       .large = o->large,
                                       .schedule = o->schedule,
                                       .m32 = o->m32,
                                       .papers_inputs = o->papers_inputs,
                                       .dead_together = o->dead_together};
    return m->executed ? ls_workload_kernels.make(&request, writer, &m->kernel, error, size) : convert(o, writer, m, error, size);
}

static int build(const ls_options *o) {
    char error[RF_WORKLOAD_ERROR_MAX] = "", why[RF_WORKLOAD_ERROR_MAX] = "";
    made m = {0};
    uint64_t bytes = 0;
    const double start = ls_seconds();
    const char *near = is_kernel(o->file) || access(o->file, F_OK) == 0 ? NULL : ls_kernel_near(o->file);
    if (near != NULL) {
        (void)snprintf(error, sizeof error, "no kernel and no file %s: did you mean %s?", o->file, near);
        return complain(error);
    }
    if (o->output == NULL) return complain("workload build needs -o FILE");
    if (same_file(o->file, o->output)) {
        (void)snprintf(error, sizeof error, "%s is the input too: -o must name another file", o->output);
        return complain(error);
    }
    if (of_list(o->file, o->output)) {
        (void)snprintf(error, sizeof error, "%s is a trace that the list names: -o must name another file", o->output);
        return complain(error);
    }
    ls_xzout *out = ls_xzout_open(o->output, error, sizeof error);
    if (out == NULL) return complain(error);
    counting count = {.sink = ls_xzout_sink(out)};
    const rf_sink sink = {.ctx = &count, .write = count_and_write};
    rf_stream_writer *writer = rf_stream_writer_open(&sink, error, sizeof error);
    ls_progress_begin("writing %s", o->output);
    int status = writer != NULL ? make_stream(o, writer, &m, error, sizeof error) : -1;
    if (writer != NULL && status == 0) {
        status = rf_stream_writer_close(writer, error, sizeof error);
    } else if (writer != NULL && rf_stream_writer_close(writer, why, sizeof why) != 0) {
        (void)snprintf(error, sizeof error, "%s", why); /* what was refused, where the caller only knows that it was */
    }
    if (status != 0) ls_xzout_discard(out);
    else status = ls_xzout_commit(out, &bytes, error, sizeof error);
    if (status == 0) status = verify(o->output, &m, error, sizeof error);
    ls_progress_end();
    if (status != 0) return complain(error);
    report(o, &m, count.bytes, bytes, ls_seconds() - start);
    return 0;
}

int ls_command_workload(ls_options *o) {
    if (strcmp(o->verb, "list") == 0) return ls_kernels_list(o);
    if (strcmp(o->verb, "speed") == 0) return ls_kernels_speed(o);
    if (o->file == NULL) {
        ls_kernel_info k;
        ls_say(stderr, "lockstep: workload %s needs a %s\n", o->verb,
               strcmp(o->verb, "build") == 0 ? "trace, a log, or one of our kernels:" : "file");
        for (size_t i = 0; strcmp(o->verb, "build") == 0 && ls_workload_kernels.entry(i, &k); i++)
            ls_say(stderr, "          %-14s %s\n", k.name, k.what);
        return 2;
    }
    return strcmp(o->verb, "build") == 0 ? build(o) : strcmp(o->verb, "info") == 0 ? info(o) : dump(o);
}
