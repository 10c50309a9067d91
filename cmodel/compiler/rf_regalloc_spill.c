/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "cmodel/compiler/rf_regalloc_graph.h"

/* Most instructions that one instruction becomes: a load for each source and the guard, one for each destination whose old value
 * counts, itself, a store for each destination. */
#define GROWTH (RF_KSRC_MAX + 1 + RF_KDST_MAX + 1 + RF_KDST_MAX)

/* Texts of the instructions made here. */
typedef enum made_text { TEXT_LD32, TEXT_LD64, TEXT_ST32, TEXT_ST64, TEXT_SELP, TEXT_SETP, TEXTS } made_text;

typedef struct rewrite {
    rf_kernel *kernel;
    const rf_ra_graph *graph;
    uint8_t **flags;
    uint32_t *home; /* per node that goes to memory: address of a word or pair, variable of a predicate */
    rf_kinst *inst; /* the new list */
    uint32_t ninst, room;
    uint32_t vars;        /* that the kernel's arrays have room for */
    uint32_t text[TEXTS]; /* RF_KNONE: not there yet */
} rewrite;

/* --- variables, texts, instructions ----------------------------------------------------------------------------------------- */

static bool add_variable(rewrite *r, uint8_t type, uint8_t flags, uint32_t *variable) {
    rf_kernel *const kernel = r->kernel;
    if (kernel->nvar == r->vars) {
        const size_t room = 2 * (size_t)r->vars + 16;
        rf_kvar *const var = realloc(kernel->var, room * sizeof *var);
        if (!var) return false;
        kernel->var = var;
        uint8_t *const grown = realloc(*r->flags, room);
        if (!grown) return false;
        *r->flags = grown;
        r->vars = (uint32_t)room;
    }
    *variable = kernel->nvar;
    kernel->var[kernel->nvar] = (rf_kvar){.type = type};
    (*r->flags)[kernel->nvar++] = flags;
    return true;
}

static bool get_text(rewrite *r, made_text which, uint32_t *index) {
    static const char *const text[TEXTS] = {"ld.local.b32", "ld.local.b64", "st.local.b32",
                                            "st.local.b64", "selp.b32",     "setp.ne.b32"};
    rf_kernel *const kernel = r->kernel;
    for (uint32_t t = 0; t < kernel->ntext && r->text[which] == RF_KNONE; t++)
        if (kernel->texts[t] && strcmp(kernel->texts[t], text[which]) == 0) r->text[which] = t;
    if (r->text[which] == RF_KNONE) {
        char *const copy = malloc(strlen(text[which]) + 1);
        char **const grown = copy ? realloc(kernel->texts, ((size_t)kernel->ntext + 1) * sizeof *grown) : NULL;
        if (grown) kernel->texts = grown;
        if (!grown) {
            free(copy);
            return false;
        }
        strcpy(copy, text[which]);
        r->text[which] = kernel->ntext;
        kernel->texts[kernel->ntext++] = copy;
    }
    *index = r->text[which];
    return true;
}

static rf_koperand reg_operand(uint32_t variable, uint8_t words) {
    return (rf_koperand){.kind = words ? RF_O_REG : RF_O_PRED, .words = words, .reg = variable};
}

static rf_koperand immediate(uint64_t value) { return (rf_koperand){.kind = RF_O_IMM, .imm = value}; }

/* temporary <- where node `v` lives. */
static bool put_load(rewrite *r, uint32_t v, uint32_t temporary) {
    const rf_ra_node *const node = &r->graph->node[v];
    rf_kinst inst = {.vector = 1, .ndst = 1, .nsrc = 1, .guard = RF_KNONE, .dst = {reg_operand(temporary, node->width)}};
    if (node->remake != RF_KNONE) {
        const rf_kinst *const maker = &r->kernel->inst[node->remake];
        inst = *maker;
        inst.dst[0].reg = temporary;
        inst.line = 0;
    } else if (node->width == 0) {
        inst.op = RF_K_SETP;
        inst.cmp = RF_C_NE;
        inst.type = inst.src_type = RF_T_B32;
        inst.nsrc = 2;
        inst.src[0] = reg_operand(r->home[v], 1);
        inst.src[1] = immediate(0);
        if (!get_text(r, TEXT_SETP, &inst.text)) return false;
    } else {
        inst.op = RF_K_LD;
        inst.space = RF_S_LOCAL;
        inst.type = inst.src_type = node->width == 2 ? RF_T_B64 : RF_T_B32;
        inst.src[0] = immediate(0);
        inst.offset = r->home[v];
        if (!get_text(r, node->width == 2 ? TEXT_LD64 : TEXT_LD32, &inst.text)) return false;
    }
    r->inst[r->ninst++] = inst;
    return true;
}

/* where node `v` lives <- temporary, in the lanes that `guard` lets through. */
static bool put_store(rewrite *r, uint32_t v, uint32_t temporary, uint32_t guard, bool negated) {
    const rf_ra_node *const node = &r->graph->node[v];
    rf_kinst inst = {.vector = 1, .guard = guard, .guard_negated = negated};
    if (node->width == 0) {
        inst.op = RF_K_SELP;
        inst.type = inst.src_type = RF_T_B32;
        inst.ndst = 1;
        inst.dst[0] = reg_operand(r->home[v], 1);
        inst.nsrc = 3;
        inst.src[0] = immediate(1);
        inst.src[1] = immediate(0);
        inst.src[2] = reg_operand(temporary, 0);
        if (!get_text(r, TEXT_SELP, &inst.text)) return false;
    } else {
        inst.op = RF_K_ST;
        inst.space = RF_S_LOCAL;
        inst.type = inst.src_type = node->width == 2 ? RF_T_B64 : RF_T_B32;
        inst.nsrc = 2;
        inst.src[0] = immediate(0);
        inst.src[1] = reg_operand(temporary, node->width);
        inst.offset = r->home[v];
        if (!get_text(r, node->width == 2 ? TEXT_ST64 : TEXT_ST32, &inst.text)) return false;
    }
    r->inst[r->ninst++] = inst;
    return true;
}

/* --- one instruction -------------------------------------------------------------------------------------------------------- */

static bool in_memory(const rewrite *r, uint32_t variable, uint32_t *node) {
    *node = rf_ra_find(r->graph, variable);
    return r->graph->node[*node].color == RF_KNONE;
}

static bool is_register(const rf_koperand *operand) { return operand->kind == RF_O_REG || operand->kind == RF_O_PRED; }

static bool new_temporary(rewrite *r, uint32_t variable, uint8_t more, uint32_t *temporary) {
    return add_variable(r, r->kernel->var[variable].type, (uint8_t)(RF_RA_TEMPORARY | more), temporary);
}

/* What was loaded in front of an instruction: nodes and their temporaries. */
typedef struct loads {
    uint32_t node[RF_KSRC_MAX + 1], temporary[RF_KSRC_MAX + 1], count;
} loads;

static uint32_t loaded(const loads *l, uint32_t node) {
    for (uint32_t i = 0; i < l->count; i++)
        if (l->node[i] == node) return l->temporary[i];
    return RF_KNONE;
}

/* Loads in front of the instruction: one temporary for each node that it reads. The guard comes last, next to its use. */
static bool load_sources(rewrite *r, rf_kinst *inst, loads *l) {
    uint32_t node;
    l->count = 0;
    for (uint32_t s = 0; s <= inst->nsrc; s++) {
        if (s < inst->nsrc ? !is_register(&inst->src[s]) : inst->guard == RF_KNONE) continue;
        uint32_t *const reg = s < inst->nsrc ? &inst->src[s].reg : &inst->guard;
        if (!in_memory(r, *reg, &node)) continue;
        uint32_t fresh = loaded(l, node);
        if (fresh == RF_KNONE) {
            if (!new_temporary(r, *reg, 0, &fresh) || !put_load(r, node, fresh)) return false;
            l->node[l->count] = node;
            l->temporary[l->count++] = fresh;
        }
        *reg = fresh;
    }
    return true;
}

/* Whether the instruction writes the predicate that guards it, in its register or in memory. */
static bool overwrites_guard(const rewrite *r, const rf_kinst *inst, const loads *l) {
    for (uint32_t d = 0; d < inst->ndst && inst->guard != RF_KNONE; d++) {
        if (inst->dst[d].kind != RF_O_PRED) continue;
        if (inst->dst[d].reg == inst->guard || loaded(l, rf_ra_find(r->graph, inst->dst[d].reg)) == inst->guard) return true;
    }
    return false;
}

/* The instruction, its sources loaded, with a temporary for each destination that goes to memory, then their stores under the
 * same guard. Where the instruction overwrites its guard, the old values are loaded before instead, if they have not been as
 * sources, and what there is after is stored in every lane. */
static bool put_with_stores(rewrite *r, rf_kinst *inst, const loads *l) {
    const bool through = overwrites_guard(r, inst, l);
    uint32_t node[RF_KDST_MAX], count = 0, stored[RF_KDST_MAX];
    for (uint32_t d = 0; d < inst->ndst; d++) {
        if (!is_register(&inst->dst[d]) || !in_memory(r, inst->dst[d].reg, &node[count])) continue;
        uint32_t fresh = through ? loaded(l, node[count]) : RF_KNONE;
        if (fresh == RF_KNONE) {
            if (!new_temporary(r, inst->dst[d].reg, through ? 0 : RF_RA_WHOLE, &fresh)) return false;
            if (through && !put_load(r, node[count], fresh)) return false;
        }
        inst->dst[d].reg = fresh;
        stored[count++] = fresh;
    }
    r->inst[r->ninst++] = *inst;
    for (uint32_t i = 0; i < count; i++)
        if (!put_store(r, node[i], stored[i], through ? RF_KNONE : inst->guard, inst->guard_negated)) return false;
    return true;
}

/* Whether the instruction is not needed any more: the maker of a value that is made anew, a copy from memory to the same place.
 */
static bool dropped(const rewrite *r, uint32_t i) {
    const rf_kinst *const inst = &r->kernel->inst[i];
    uint32_t to, from, node;
    if (rf_ra_is_move(inst, &to, &from) && rf_ra_find(r->graph, to) == rf_ra_find(r->graph, from)) return in_memory(r, to, &node);
    return inst->ndst == 1 && is_register(&inst->dst[0]) && in_memory(r, inst->dst[0].reg, &node) &&
           r->graph->node[node].remake == i;
}

/* --- all -------------------------------------------------------------------------------------------------------------------- */

/* Room in local memory, or for a predicate a variable of one word, for every node without a register. */
static bool find_homes(rewrite *r) {
    rf_kernel *const kernel = r->kernel;
    const uint32_t before = kernel->local_bytes;
    for (uint32_t v = 0; v < r->graph->nodes; v++) {
        const rf_ra_node *const node = &r->graph->node[v];
        if (rf_ra_find(r->graph, v) == v && node->first != RF_KNONE && node->color == RF_KNONE && node->remake == RF_KNONE) {
            const uint32_t bytes = 4u * node->width;
            if (node->width == 0) {
                if (!add_variable(r, RF_T_B32, 0, &r->home[v])) return false;
                continue;
            }
            if (kernel->local_bytes > UINT32_MAX - 2 * bytes) return false;
            r->home[v] = (kernel->local_bytes + bytes - 1) / bytes * bytes;
            kernel->local_bytes = r->home[v] + bytes;
        }
    }
    for (uint32_t v = 0; v < r->graph->nodes; v++) {
        const rf_ra_node *const node = &r->graph->node[rf_ra_find(r->graph, v)];
        const bool mentioned = node->first != RF_KNONE;
        kernel->spilled += mentioned && node->width && node->color == RF_KNONE && node->remake == RF_KNONE;
    }
    kernel->spill_bytes += kernel->local_bytes - before;
    return true;
}

bool rf_ra_spill(rf_kernel *kernel, const rf_ra_graph *graph, uint8_t **flags) {
    rewrite r = {.kernel = kernel, .graph = graph, .flags = flags, .vars = kernel->nvar};
    for (uint32_t t = 0; t < TEXTS; t++) r.text[t] = RF_KNONE;
    r.home = calloc((size_t)graph->nodes + 1, sizeof *r.home);
    bool good = r.home && find_homes(&r);
    for (uint32_t b = 0; b < kernel->nblock && good; b++) {
        rf_kblock *const block = &kernel->block[b];
        const uint32_t first = r.ninst;
        for (uint32_t i = block->first; i < block->first + block->count && good; i++) {
            rf_kinst inst = kernel->inst[i];
            if (dropped(&r, i)) continue;
            if (r.room - r.ninst < GROWTH) {
                const size_t room = 2 * (size_t)r.room + kernel->ninst + GROWTH;
                rf_kinst *const grown = room < UINT32_MAX ? realloc(r.inst, room * sizeof *grown) : NULL;
                good = grown != NULL;
                if (!good) break;
                r.inst = grown;
                r.room = (uint32_t)room;
            }
            loads l;
            good = load_sources(&r, &inst, &l) && put_with_stores(&r, &inst, &l);
        }
        block->first = first;
        block->count = r.ninst - first;
    }
    free(r.home);
    if (!good) {
        free(r.inst);
        return false;
    }
    free(kernel->inst);
    kernel->inst = r.inst;
    kernel->ninst = r.ninst;
    return true;
}
