/* SPDX-License-Identifier: Apache-2.0 */
#include "harness/netlist/netlist_mutants.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/netlist/netlist.h"
#include "harness/netlist/netlist_rtlil.h"

char *ls_mutant_option(const char *text, const char *option) {
    char *key = ls_format(" -%s ", option);
    const char *at = strstr(text, key);
    char *value = at == NULL ? ls_copy("") : ls_format("%.*s", (int)strcspn(at + strlen(key), " \n"), at + strlen(key));
    free(key);
    return value;
}

#define MARK "ls_mutant:" /* in the source attribute of a mutant's cells: its number follows */

/* What has no memory of its own, and so can be part of a loop: asynchronous reads of memories too. A loop is found by its wires
 * as well. */
#define COMBINATIONAL "w:* c:* %%u t:$*dff* %%d t:$*latch* %%d t:$memwr* %%d t:$meminit* %%d"

/* Each driver of a vector gets a wire of its own: parts of one vector that depend on each other are a loop to Verilator 5.006,
 * and it settles some of them wrongly. Wires whose names must stay have twins. */
#define SPLIT "splitnets -driver w:* a:keep %%d\n"

/* A mutant that says something about a bench: not of a clock (no register could be compared at its edge), and not of the enable
 * of an asynchronous read, which is no signal of the RTL. */
static bool is_useful(const char *line) {
    char *port = ls_mutant_option(line, "port"), *cell = ls_mutant_option(line, "cell");
    const bool clock = strcmp(port, "CLK") == 0 || strcmp(port, "RD_CLK") == 0 || strcmp(port, "WR_CLK") == 0;
    const bool enable =
        strstr(cell, "$memrd") != NULL && (strcmp(port, "EN") == 0 || strcmp(port, "ARST") == 0 || strcmp(port, "SRST") == 0);
    free(port);
    free(cell);
    return !clock && !enable;
}

static char *read_file(const char *folder, const char *name, ls_text *text) {
    char *path = ls_format("%s/%s", folder, name);
    const int error = ls_text_read(text, path);
    char *failed = error != 0 ? ls_format("%s: %s", path, strerror(-error)) : NULL;
    ls_text_put(text, "", 0);
    free(path);
    return failed;
}

static char *run(const ls_text *script, const char *folder, const char *name, unsigned timeout_ms) {
    char *path = ls_format("%s/%s", folder, name), *failed = ls_yosys_run(script, path, timeout_ms);
    free(path);
    return failed;
}

/* All useful mutants that folder/list offers. */
static char *list_offers(const char *folder, ls_args *offers) {
    ls_text text = {0};
    char *failed = read_file(folder, "list", &text);
    for (const char *line = text.data; failed == NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        char *one = ls_format("%.*s", (int)length, line);
        const char *mode = strstr(one, " -mode ");
        if (mode != NULL && is_useful(one)) ls_args_add(offers, "%s", mode + 1);
        free(one);
        line += length + (line[length] == '\n');
    }
    if (failed == NULL && offers->count == 0) failed = ls_copy("Yosys finds nothing to mutate");
    free(ls_text_take(&text));
    return failed;
}

/* Puts the mutants into base.il: netlist.il. What lies in a loop of bits, whichever mutants are on, is written to loops.txt. */
static char *put_in(const char *folder, const ls_args *mutants, unsigned timeout_ms) {
    ls_text script = {0};
    ls_text_add(&script, "read_ilang %s/base.il\nsetattr -set ls_old 1 c:*\n", folder);
    for (size_t i = 0; i < mutants->count; i++) {
        ls_text_add(&script, "mutate -ctrl %s %u %zu %s\n", LS_NETLIST_SELECT, LS_NETLIST_SELECT_BITS, i + 1, mutants->list[i]);
        ls_text_add(&script, "setattr -set src \"" MARK "%zu \" c:* a:ls_old %%d\nsetattr -set ls_old 1 c:*\n", i + 1);
    }
    /* With a mutant two selects of a multiplexer may be high, of which Verilog would take the first, gates both: trees are alike.
     */
    /* What a cell drives is then named by the cell itself, and not by a connection that no cutting of vectors would see. */
    ls_text_add(&script, "setattr -unset ls_old c:*\npmuxtree\nopt_clean\nwrite_ilang %s/netlist.il\n", folder);
    /* Gates, of which each has one bit: a loop that is left is one. */
    ls_text_add(&script,
                "select -set logic " COMBINATIONAL "\ntechmap @logic\nselect -set logic " COMBINATIONAL
                "\nscc -all_cell_types -select @logic\ntee -q -o %s/loops.txt dump\n",
                folder);
    char *failed = run(&script, folder, "mutate.ys", timeout_ms);
    free(ls_text_take(&script));
    return failed;
}

/* netlist.il to raw.v: twins are cut, and what still is a loop of vectors, through one cell for many bits, becomes gates. */
static char *write_raw(const char *folder, unsigned timeout_ms) {
    ls_text whole = {0}, cut = {0}, script = {0};
    char *failed = read_file(folder, "netlist.il", &whole), *path = ls_format("%s/split.il", folder);
    if (failed == NULL) {
        ls_rtlil_twins(whole.data, &cut);
        const int error = ls_text_write(&cut, path);
        if (error != 0) failed = ls_format("%s: %s", path, strerror(-error));
    }
    if (failed == NULL) {
        ls_text_add(&script, "read_ilang %s\n" SPLIT "select -set logic " COMBINATIONAL "\n", path);
        ls_text_add(&script,
                    "scc -all_cell_types -select @logic\nselect -set loops %%\nselect -clear\ntechmap @loops\n" SPLIT
                    "write_verilog -noattr %s/raw.v\n",
                    folder);
        failed = run(&script, folder, "raw.ys", timeout_ms);
    }
    free(path);
    free(ls_text_take(&whole));
    free(ls_text_take(&cut));
    free(ls_text_take(&script));
    return failed;
}

/* Marks in `in_loop` (by number, from 1) the mutants that loops.txt names; *found: how many. */
static char *find_looped(const char *folder, bool *in_loop, size_t count, size_t *found) {
    ls_text text = {0};
    char *failed = read_file(folder, "loops.txt", &text);
    *found = 0;
    for (const char *at = text.data; failed == NULL && (at = strstr(at, MARK)) != NULL;) {
        at += strlen(MARK);
        const size_t number = strtoul(at, NULL, 10);
        if (number == 0 || number > count || in_loop[number]) continue;
        in_loop[number] = true;
        ++*found;
    }
    free(ls_text_take(&text));
    return failed;
}

/* Leaves out of `mutants` those that make a loop alone, which `looped` gets; when all of `in_loop` do so only together, the last
 * of them. */
static char *leave_out(const char *folder, unsigned timeout_ms, const bool *in_loop, ls_args *mutants, ls_args *looped) {
    ls_args kept = {0};
    size_t last = 0, found = 0;
    char *failed = NULL;
    for (size_t i = 0; i < mutants->count; i++) {
        bool alone[2] = {false};
        if (in_loop[i + 1] && failed == NULL) {
            char *only[] = {mutants->list[i], NULL};
            last = i;
            failed = put_in(folder, &(ls_args){only, 1}, timeout_ms);
            if (failed == NULL) failed = find_looped(folder, alone, 1, &found);
        }
        ls_args_add(alone[1] ? looped : &kept, "%s", mutants->list[i]);
    }
    if (kept.count == mutants->count) {
        ls_args_free(&kept);
        for (size_t i = 0; i < mutants->count; i++)
            if (i != last) ls_args_add(&kept, "%s", mutants->list[i]);
    }
    ls_args_free(mutants);
    *mutants = kept;
    return failed;
}

char *ls_netlist_mutate(const char *folder, uint32_t count, unsigned timeout_ms, ls_args *mutants, ls_args *looped) {
    ls_args offers = {0};
    size_t next = 0;
    char *failed = count > 0 ? list_offers(folder, &offers) : NULL;
    for (size_t found = 1; found > 0 && failed == NULL;) {
        while (mutants->count < count && next < offers.count) ls_args_add(mutants, "%s", offers.list[next++]);
        bool *in_loop = ls_alloc(mutants->count + 1, sizeof *in_loop);
        failed = put_in(folder, mutants, timeout_ms);
        if (failed == NULL) failed = find_looped(folder, in_loop, mutants->count, &found);
        if (failed == NULL && found > 0) failed = leave_out(folder, timeout_ms, in_loop, mutants, looped);
        free(in_loop);
    }
    if (failed == NULL && count > 0 && mutants->count == 0) failed = ls_copy("every mutant makes a loop");
    if (failed == NULL) failed = write_raw(folder, timeout_ms);
    ls_args_free(&offers);
    return failed;
}
