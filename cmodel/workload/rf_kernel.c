/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_kernel.h"

#include <stdlib.h>
#include <string.h>

uint32_t rf_ktype_bits(rf_ktype type) {
    switch (type) {
    case RF_T_PRED:
        return 1;
    case RF_T_B8:
    case RF_T_U8:
    case RF_T_S8:
        return 8;
    case RF_T_B16:
    case RF_T_U16:
    case RF_T_S16:
    case RF_T_F16:
        return 16;
    case RF_T_B32:
    case RF_T_U32:
    case RF_T_S32:
    case RF_T_F32:
        return 32;
    case RF_T_B64:
    case RF_T_U64:
    case RF_T_S64:
    case RF_T_F64:
        return 64;
    case RF_T_NONE:
        break;
    }
    return 0;
}

bool rf_ktype_signed(rf_ktype type) { return type == RF_T_S8 || type == RF_T_S16 || type == RF_T_S32 || type == RF_T_S64; }

bool rf_ktype_float(rf_ktype type) { return type == RF_T_F16 || type == RF_T_F32 || type == RF_T_F64; }

rf_opclass rf_kinst_class(const rf_kinst *inst) {
    switch (inst->op) {
    case RF_K_LD:
    case RF_K_ST:
    case RF_K_ATOM:
    case RF_K_RED:
        return RF_OP_MEM;
    case RF_K_NOP:
    case RF_K_BRA:
    case RF_K_EXIT:
    case RF_K_BAR:
    case RF_K_WARPSYNC:
    case RF_K_TRAP:
        return RF_OP_CTRL;
    case RF_K_DIV: /* reciprocals, whatever the type */
    case RF_K_REM:
    case RF_K_RCP:
    case RF_K_SQRT:
    case RF_K_RSQRT:
    case RF_K_SIN:
    case RF_K_COS:
    case RF_K_LG2:
    case RF_K_EX2:
    case RF_K_TANH:
        return RF_OP_SFU;
    case RF_K_CVT:
        return rf_ktype_float(inst->type) || rf_ktype_float(inst->src_type) ? RF_OP_SFU : RF_OP_ALU;
    default:
        return RF_OP_ALU;
    }
}

uint32_t rf_kernel_block_of(const rf_kernel *kernel, uint32_t inst) {
    uint32_t low = 0, high = kernel->nblock - 1;
    while (low < high) {
        const uint32_t middle = low + (high - low + 1) / 2;
        if (kernel->block[middle].first <= inst) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* --- control flow ----------------------------------------------------------------------------------------------------------- */

/* Edges of a graph by the node that they leave (out) or enter (in): those of node b are edge[start[b]] .. edge[start[b + 1] - 1].
 */
typedef struct edges {
    uint32_t *start, *edge;
} edges;

/* The blocks and, as the last node, the kernel's end, where every block without a successor goes. */
typedef struct graph {
    uint32_t nodes;
    edges out, in;
    uint32_t *order, *number, *stack, *at, *idom; /* work space of dominators: one entry a node */
    uint32_t *memory;
} graph;

/* Both ways of a branch may lead to one block: one edge then. */
static uint32_t distinct_successors(const rf_kblock *block) {
    return block->nsucc == 2 && block->succ[0] == block->succ[1] ? 1 : block->nsucc;
}

static bool graph_make(graph *g, const rf_kernel *kernel) {
    const uint32_t end = kernel->nblock, nodes = end + 1;
    const size_t most = 2 * (size_t)nodes; /* edges */
    *g = (graph){.nodes = nodes, .memory = calloc(2 * ((size_t)nodes + 1) + 2 * most + 5 * (size_t)nodes, sizeof *g->memory)};
    if (!g->memory) return false;
    uint32_t *m = g->memory;
    uint32_t **const part[] = {&g->out.start, &g->in.start, &g->out.edge, &g->in.edge, &g->order,
                               &g->number,    &g->stack,    &g->at,       &g->idom};
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        *part[i] = m;
        m += i < 2 ? (size_t)nodes + 1 : i < 4 ? most : (size_t)nodes;
    }
    uint32_t n = 0;
    for (uint32_t b = 0; b < end; b++) {
        const rf_kblock *const block = &kernel->block[b];
        g->out.start[b] = n;
        for (uint32_t s = 0; s < distinct_successors(block); s++) g->out.edge[n++] = block->succ[s];
        if (block->nsucc == 0) g->out.edge[n++] = end;
    }
    g->out.start[end] = g->out.start[nodes] = n;
    for (uint32_t e = 0; e < n; e++) g->in.start[g->out.edge[e] + 1]++;
    for (uint32_t b = 0; b < nodes; b++) g->in.start[b + 1] += g->in.start[b];
    for (uint32_t b = 0; b < nodes; b++) g->at[b] = g->in.start[b];
    for (uint32_t b = 0; b < end; b++)
        for (uint32_t e = g->out.start[b]; e < g->out.start[b + 1]; e++) g->in.edge[g->at[g->out.edge[e]]++] = b;
    return true;
}

/* Nodes that can be reached from `root` in postorder into g->order, their places into g->number (RF_KNONE: not reached). */
static uint32_t postorder(graph *g, uint32_t root, const edges *out) {
    uint32_t depth = 1, count = 0;
    for (uint32_t b = 0; b < g->nodes; b++) {
        g->number[b] = RF_KNONE;
        g->at[b] = RF_KNONE; /* not seen; then the next edge to take */
    }
    g->stack[0] = root;
    g->at[root] = out->start[root];
    while (depth) {
        const uint32_t b = g->stack[depth - 1];
        if (g->at[b] == out->start[b + 1]) {
            g->number[b] = count;
            g->order[count++] = b;
            depth--;
            continue;
        }
        const uint32_t next = out->edge[g->at[b]++];
        if (g->at[next] != RF_KNONE) continue;
        g->at[next] = out->start[next];
        g->stack[depth++] = next;
    }
    return count;
}

/* Immediate dominators of every node into g->idom: the root's is itself, RF_KNONE where the root does not reach. Cooper, Harvey
 * and Kennedy, figure 3: "intersect" climbs two nodes up the tree built so far until they meet; higher postorder numbers lie
 * higher. */
static void dominators(graph *g, uint32_t root, const edges *out, const edges *in) {
    const uint32_t count = postorder(g, root, out);
    for (uint32_t b = 0; b < g->nodes; b++) g->idom[b] = RF_KNONE;
    g->idom[root] = root;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = count - 1; i-- > 0;) {
            const uint32_t b = g->order[i];
            uint32_t meet = RF_KNONE;
            for (uint32_t e = in->start[b + 1]; e-- > in->start[b];) { /* late blocks mostly lie deep: short climbs */
                uint32_t other = in->edge[e];
                if (g->idom[other] == RF_KNONE) continue;
                if (meet == RF_KNONE) meet = other;
                while (meet != other) {
                    if (g->number[meet] < g->number[other]) meet = g->idom[meet];
                    else other = g->idom[other];
                }
            }
            changed |= g->idom[b] != meet;
            g->idom[b] = meet;
        }
    }
}

/* Predecessor lists from the edges in; a list per block, so that blocks can be moved about by whoever rewrites a kernel. */
static bool predecessors(rf_kernel *kernel, const graph *g) {
    for (uint32_t b = 0; b < kernel->nblock; b++) {
        rf_kblock *const block = &kernel->block[b];
        free(block->pred);
        block->pred = NULL;
        block->npred = 0;
    }
    for (uint32_t b = 0; b < kernel->nblock; b++) {
        rf_kblock *const block = &kernel->block[b];
        const uint32_t n = g->in.start[b + 1] - g->in.start[b];
        if (n == 0) continue;
        block->pred = malloc(n * sizeof *block->pred);
        if (!block->pred) return false;
        memcpy(block->pred, &g->in.edge[g->in.start[b]], n * sizeof *block->pred);
        block->npred = n;
    }
    return true;
}

int rf_kernel_flow(rf_kernel *kernel) {
    const uint32_t end = kernel->nblock;
    graph g;
    if (end == 0) return 0;
    if (!graph_make(&g, kernel) || !predecessors(kernel, &g)) {
        free(g.memory);
        return -1;
    }
    dominators(&g, 0, &g.out, &g.in);
    for (uint32_t b = 0; b < end; b++) {
        rf_kblock *const block = &kernel->block[b];
        block->reachable = g.idom[b] != RF_KNONE;
        block->idom = b == 0 ? RF_KNONE : g.idom[b];
        block->loop_head = false;
    }
    dominators(&g, end, &g.in, &g.out);
    for (uint32_t b = 0; b < end; b++) {
        rf_kblock *const block = &kernel->block[b];
        block->ipdom = g.idom[b] == end ? RF_KNONE : g.idom[b];
        for (uint32_t s = 0; s < block->nsucc; s++)
            if (block->succ[s] <= b) kernel->block[block->succ[s]].loop_head = true;
    }
    free(g.memory);
    return 0;
}

/* --- registers -------------------------------------------------------------------------------------------------------------- */

static uint32_t words_of(const rf_koperand *operand, uint32_t count, uint16_t *words) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t w = 0; operand[i].kind == RF_O_REG && w < operand[i].words; w++)
            words[n++] = (uint16_t)(operand[i].reg + w);
    return n;
}

void rf_kinst_words(const rf_kinst *inst, uint16_t *src, uint32_t *nsrc, uint16_t *dst, uint32_t *ndst) {
    *nsrc = words_of(inst->src, inst->nsrc, src);
    *ndst = words_of(inst->dst, inst->ndst, dst);
}

/* --- copies ----------------------------------------------------------------------------------------------------------------- */

/* `count` elements on the heap; NULL for none, and then true. */
static bool copy_array(void *to, const void *from, size_t count, size_t size) {
    void *const made = count ? malloc(count * size) : NULL;
    if (count && !made) return false;
    if (count) memcpy(made, from, count * size);
    memcpy(to, &made, sizeof made);
    return true;
}

static bool copy_text(char **to, const char *from) { return !from || copy_array(to, from, strlen(from) + 1, 1); }

/* Every pointer of *to is NULL before; what was made is there to be freed when it fails. */
static bool copy_parts(rf_kernel *to, const rf_kernel *from) {
    if (!copy_text(&to->name, from->name) || !copy_array(&to->inst, from->inst, from->ninst, sizeof *from->inst)) return false;
    to->ninst = from->ninst;
    if (!copy_array(&to->param, from->param, from->nparam, sizeof *from->param)) return false;
    to->nparam = from->nparam;
    for (uint32_t i = 0; i < from->nparam; i++) to->param[i].name = NULL;
    if (!copy_array(&to->var, from->var, from->nvar, sizeof *from->var)) return false;
    to->nvar = from->nvar;
    for (uint32_t i = 0; i < from->nvar; i++) to->var[i].name = NULL;
    if (!copy_array(&to->block, from->block, from->nblock, sizeof *from->block)) return false;
    to->nblock = from->nblock;
    for (uint32_t i = 0; i < from->nblock; i++) to->block[i].pred = NULL;
    if (!copy_array(&to->texts, from->texts, from->ntext, sizeof *from->texts)) return false;
    to->ntext = from->ntext;
    for (uint32_t i = 0; i < from->ntext; i++) to->texts[i] = NULL;

    for (uint32_t i = 0; i < from->nparam; i++)
        if (!copy_text(&to->param[i].name, from->param[i].name)) return false;
    for (uint32_t i = 0; i < from->nvar; i++)
        if (!copy_text(&to->var[i].name, from->var[i].name)) return false;
    for (uint32_t i = 0; i < from->nblock; i++)
        if (!copy_array(&to->block[i].pred, from->block[i].pred, from->block[i].npred, sizeof *from->block[i].pred)) return false;
    for (uint32_t i = 0; i < from->ntext; i++)
        if (!copy_text(&to->texts[i], from->texts[i])) return false;
    return true;
}

int rf_kernel_copy(rf_kernel *to, const rf_kernel *from) {
    rf_kernel made = *from;
    made.name = NULL;
    made.param = NULL;
    made.var = NULL;
    made.inst = NULL;
    made.block = NULL;
    made.texts = NULL;
    made.nparam = made.nvar = made.ninst = made.nblock = made.ntext = 0;
    if (!copy_parts(&made, from)) {
        rf_kernel_free(&made);
        return -1;
    }
    *to = made;
    return 0;
}

void rf_kernel_free(rf_kernel *kernel) {
    for (uint32_t i = 0; i < kernel->nparam; i++) free(kernel->param[i].name);
    for (uint32_t i = 0; i < kernel->nvar; i++) free(kernel->var[i].name);
    for (uint32_t i = 0; i < kernel->nblock; i++) free(kernel->block[i].pred);
    for (uint32_t i = 0; i < kernel->ntext; i++) free(kernel->texts[i]);
    free(kernel->name);
    free(kernel->param);
    free(kernel->var);
    free(kernel->inst);
    free(kernel->block);
    free(kernel->texts);
    *kernel = (rf_kernel){0};
}

void rf_module_free(rf_module *module) {
    for (uint32_t i = 0; i < module->nkernel; i++) rf_kernel_free(&module->kernel[i]);
    for (uint32_t i = 0; i < module->nglobal; i++) {
        free(module->global[i].name);
        free(module->global[i].init);
    }
    free(module->path);
    free(module->kernel);
    free(module->global);
    *module = (rf_module){0};
}
