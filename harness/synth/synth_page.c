/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/synth/synth_record.h"

#define STEPS_SHOWN 22u /* of the worst path; the record has all */
#define OWNERS_SHOWN 8u /* of the area; the record has all */

/* "65,536" */
static const char *grouped(uint64_t n, char text[32]) {
    char plain[24];
    const int length = snprintf(plain, sizeof plain, "%" PRIu64, n);
    size_t to = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) text[to++] = ',';
        text[to++] = plain[i];
    }
    text[to] = '\0';
    return text;
}

static void print_macros(const ls_synth_area *a, FILE *to) {
    char bits[32], area[32];
    for (size_t i = 0; i < a->sram_count; i++) {
        const ls_sram *s = &a->srams[i];
        ls_say(to, "macros     %zu x %s: %s bits", s->count, s->name, grouped((uint64_t)s->count * s->rows * s->bits, bits));
        if (s->figure != NULL)
            ls_say(to, ", %s um2 at %.0f nm (%.*s; not in the kGE)",
                   grouped((uint64_t)((double)s->count * ls_sram_area(s) + 0.5), area), s->figure->node_nm,
                   (int)strcspn(s->figure->source, ","), s->figure->source);
        ls_say(to, "\n");
    }
}

/* Memories that are flip-flops, of the large ones why. */
static void print_memories(const ls_synth_area *a, FILE *to) {
    uint64_t small = 0, small_bits = 0;
    char bits[32];
    for (size_t i = 0; i < a->memory_count; i++) {
        const ls_synth_memory *m = &a->memories[i];
        if (strncmp(m->became, "sram", 4) == 0) continue;
        if (strcmp(m->became, "ports") == 0) {
            ls_say(to, "memory     %s, %" PRIu64 " x %" PRIu64 " bits: flip-flops, no SRAM macro has its ports\n", m->name,
                   m->rows, m->bits);
        } else {
            small++;
            small_bits += m->rows * m->bits;
        }
    }
    if (small > 0) ls_say(to, "memories   %" PRIu64 " in flip-flops, %s bits\n", small, grouped(small_bits, bits));
}

/* Whose area it is, the largest first. */
static void print_where(const ls_synth_result *r, FILE *to) {
    if (r->where_missing != NULL) ls_say(to, "where      not told: %s\n", r->where_missing);
    double rest = r->area.kge;
    for (size_t i = 0; i < r->where_count && i < OWNERS_SHOWN; i++) {
        const ls_synth_share *s = &r->where[i];
        ls_say(to, "%-10s %8.3f kGE %5.1f %%  %s\n", i == 0 ? "where" : "", s->kge,
               r->area.kge > 0 ? 100 * s->kge / r->area.kge : 0, s->owner);
        rest -= s->kge;
    }
    if (r->where_count > OWNERS_SHOWN && r->area.kge > 0)
        ls_say(to, "%-10s %8.3f kGE %5.1f %%  %zu more\n", "", rest, 100 * rest / r->area.kge, r->where_count - OWNERS_SHOWN);
}

static void print_paths(const ls_timing *t, FILE *to) {
    ls_say(to, "timing     FO4 %.1f ps in this library, measured in the same run by %s\n", t->fo4 * 1e12, t->tool);
    for (size_t i = 0; i < LS_PATH_KINDS; i++) {
        const ls_path *p = &t->paths[i];
        if (p->count == 0) ls_say(to, "           %-20s  none\n", ls_path_kinds[i]);
        else
            ls_say(to, "         %c %-20s %7.3f ns %6.1f FO4 %4u levels  %s -> %s\n", p == t->worst ? '*' : ' ', ls_path_kinds[i],
                   p->seconds * 1e9, p->seconds / t->fo4, p->levels, p->steps[0].name, p->steps[p->count - 1].name);
    }
}

/* The worst path, pin by pin, several a line: the time at each and the cell that it has passed. */
static void print_worst(const ls_timing *t, FILE *to) {
    const ls_path *p = t->worst;
    if (p == NULL) return;
    ls_say(to, "critical   %s", p->steps[0].name);
    int column = 200;
    for (size_t i = 0; i < p->count; i++) {
        const bool last = i + 1 == p->count;
        if (p->count > STEPS_SHOWN && i == STEPS_SHOWN / 2 && !last) {
            const size_t left_out = p->count - STEPS_SHOWN;
            column += fprintf(to, "  ... %zu more ...", left_out);
            i += left_out;
        }
        const ls_path_step *s = &p->steps[i];
        if (i == 0 && s->cell[0] == '\0') continue;
        if (!last && column > 100) {
            ls_say(to, "\n          ");
            column = 10;
        }
        if (!last) {
            char *step = ls_format("  %.3f %s", s->seconds * 1e9, s->cell);
            ls_say(to, "%s", step);
            column += (int)strlen(step);
            free(step);
        }
    }
    ls_say(to, "\n             %.3f %s\n", p->seconds * 1e9, p->steps[p->count - 1].name);
}

static void print_before(const ls_synth_result *r, FILE *to) {
    const ls_synth_before *b = &r->before;
    const double fo4 = ls_synth_result_fo4(r);
    if (b->first) ls_say(to, "change     none known: the first with these tools\n");
    if (!b->there) return;
    ls_say(to, "change     since %.7s (%.10s): kGE %+.3f (%+.1f %%)", b->source[0] != '\0' ? b->source : "no git", b->made,
           r->area.kge - b->kge, b->kge > 0 ? 100 * (r->area.kge - b->kge) / b->kge : 0);
    if (fo4 >= 0 && b->fo4 >= 0) ls_say(to, ", FO4 %+.1f", fo4 - b->fo4);
    ls_say(to, "\n");
}

void ls_synth_page(const ls_synth_result *r, FILE *to) {
    const ls_synth_area *a = &r->area;
    char cells[32], flops[32];
    ls_say(to, "%s  %s%s\n", r->unit->name, r->params[0] != '\0' ? r->params : "(default parameters)",
           r->own ? "  your RTL" : "");
    ls_say(to, "           %s in %s, before layout: no wires\n", r->unit->brief, r->liberty.name);
    ls_say(to, "area       %.3f kGE (NAND2s of %g um2), %.3f of it flip-flops; %s cells, %s flops, 0 latches\n", a->kge, a->nand2,
           a->flop_kge, grouped(a->cells, cells), grouped(a->flops, flops));
    print_macros(a, to);
    print_memories(a, to);
    print_where(r, to);
    if (r->timing.missing != NULL) {
        ls_say(to, "timing     %s\n", r->timing.missing);
    } else {
        print_paths(&r->timing, to);
        print_worst(&r->timing, to);
    }
    if (r->not_checked != NULL) ls_say(to, "gates      %s\n", r->not_checked);
    else if (r->findings == 0) ls_say(to, "gates      within\n");
    for (const char *line = r->outside.data; line != NULL && *line != '\0'; line = strchr(line, '\n') + 1)
        ls_say(to, "gates      OUTSIDE: %.*s\n", (int)strcspn(line, "\n"), line);
    print_before(r, to);
    ls_say(to, "cost       %s %.1f s, %.0f MB%s", r->synth.tool, r->synth.seconds, r->synth.megabytes,
           r->synth.cached ? " (from the cache)" : "");
    if (r->timing.missing == NULL)
        ls_say(to, "; %s %.1f s, %.0f MB%s", r->timing.tool, r->timing.seconds, r->timing.megabytes,
               r->timing.cached ? " (from the cache)" : "");
    ls_say(to, "\nfiles      %s\n", r->synth.folder);
}

/* ---- table ---- */

void ls_synth_table_header(FILE *to) {
    ls_say(to, "%-18s %9s %9s %7s %9s %7s %7s %4s  %-7s %6s %6s  %-13s %s\n", "unit", "kGE", "of flops", "flops", "SRAM bits",
           "ns", "FO4", "lvl", "path", "s", "MB", "change", "parameters");
}

void ls_synth_table_row(const ls_synth_result *r, FILE *to) {
    static const char *const kinds[LS_PATH_KINDS] = {"reg-reg", "in-reg", "reg-out", "in-out"};
    const ls_synth_area *a = &r->area;
    const ls_path *p = r->timing.worst;
    const double fo4 = ls_synth_result_fo4(r);
    char change[32] = "first";
    ls_say(to, "%-18s %9.3f %9.3f %7" PRIu64 " %9" PRIu64 " ", r->unit->name, a->kge, a->flop_kge, a->flops, a->sram_bits);
    if (fo4 < 0) ls_say(to, "%7s %7s %4s  %-7s ", "-", "-", "-", "-");
    else
        ls_say(to, "%7.3f %7.1f %4u  %-7s ", p != NULL ? p->seconds * 1e9 : 0, fo4, p != NULL ? p->levels : 0,
               p != NULL ? kinds[p - r->timing.paths] : "none");
    if (r->before.there) {
        const int n =
            snprintf(change, sizeof change, "%+.1f %%", r->before.kge > 0 ? 100 * (a->kge - r->before.kge) / r->before.kge : 0);
        if (fo4 >= 0 && r->before.fo4 >= 0 && n > 0)
            (void)snprintf(change + n, sizeof change - (size_t)n, " %+.1f", fo4 - r->before.fo4);
    }
    const double megabytes =
        r->timing.missing == NULL && r->timing.megabytes > r->synth.megabytes ? r->timing.megabytes : r->synth.megabytes;
    ls_say(to, "%6.1f %6.0f  %-13s %s\n", r->synth.seconds + (r->timing.missing == NULL ? r->timing.seconds : 0), megabytes,
           change, r->params[0] != '\0' ? r->params : "-");
    for (const char *line = r->outside.data; line != NULL && *line != '\0'; line = strchr(line, '\n') + 1)
        ls_say(to, "    OUTSIDE: %.*s\n", (int)strcspn(line, "\n"), line);
    for (size_t i = 0; i < a->memory_count; i++) {
        const ls_synth_memory *m = &a->memories[i];
        if (strcmp(m->became, "ports") == 0)
            ls_say(to, "    %s, %" PRIu64 " x %" PRIu64 " bits, is flip-flops: no SRAM macro has its ports\n", m->name, m->rows,
                   m->bits);
    }
}
