/* SPDX-License-Identifier: Apache-2.0 */
/* Where a netlist's area is: by register, instance and port, as `lockstep energy` divides its energy. */
#include <stdlib.h>
#include <string.h>

#include "harness/base/text.h"
#include "harness/synth/mapped.h"
#include "harness/synth/synth_record.h"

static int larger(const void *a, const void *b) {
    const ls_synth_share *x = a, *y = b;
    return x->kge > y->kge ? -1 : x->kge < y->kge ? 1 : strcmp(x->owner, y->owner);
}

void ls_synth_result_where(ls_synth_result *r) {
    ls_mapped design;
    char *error = NULL, *gates = ls_format("%s/gates.il", r->synth.folder), *table = ls_sram_table_path();
    const int status = ls_mapped_open(&design, gates, ls_unit_top(r->unit), r->synth.liberty, r->macros ? table : NULL, &error);
    free(gates);
    free(table);
    if (status != 0) {
        r->where_missing = error;
        ls_mapped_close(&design);
        return;
    }
    double *area = ls_alloc(design.owners.count, sizeof *area);
    for (uint32_t c = 0; c < design.cell_count; c++)
        if (design.cells[c].type != NULL) area[design.cells[c].owner] += design.cells[c].type->area;
    for (size_t i = 0; i < design.owners.count; i++) {
        if (area[i] <= 0) continue;
        r->where = ls_grow(r->where, r->where_count, sizeof *r->where);
        r->where[r->where_count++] = (ls_synth_share){ls_copy(design.owners.list[i]), area[i] / r->area.nand2 / 1000};
    }
    if (r->where_count > 1) qsort(r->where, r->where_count, sizeof *r->where, larger);
    free(area);
    ls_mapped_close(&design);
}
