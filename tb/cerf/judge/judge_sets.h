/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of a unit whose number of sets is a power of two between BANKS and 256 x BANKS: check tells these ends, not those of the
 * field list, so that judge_ranges takes the other parameters only. */
#ifndef RF_JUDGE_SETS_H
#define RF_JUDGE_SETS_H

#include "tb/common/judge/judge_unit.h"

static inline void judge_ranges_but_sets(const ls_unit *unit, const void *good, size_t n, const char *but) {
    ls_unit others = *unit;
    ls_param *const params = malloc(unit->param_count * sizeof *params);
    char *const cfg = malloc(unit->cfg_size);
    assert_non_null(params);
    assert_non_null(cfg);
    others.param_count = 0;
    for (const ls_param *p = unit->params; p < unit->params + unit->param_count; p++) {
        static const uint32_t bad[] = {0, 3, 2049, 4096, UINT32_MAX};
        if (strcmp(p->name, "SETS") != 0) params[others.param_count++] = *p;
        for (size_t i = 0; strcmp(p->name, "SETS") == 0 && i < n * sizeof bad / sizeof *bad; i++) {
            memcpy(cfg, (const char *)good + i % n * unit->cfg_size, unit->cfg_size);
            memcpy(cfg + p->offset, &bad[i / n], sizeof *bad);
            judge_refused(unit, cfg, "sets", "256");
        }
    }
    assert_int_equal(others.param_count + 1, unit->param_count);
    others.params = params;
    judge_ranges(&others, good, n, unit->cfg_size, but);
    free(params);
    free(cfg);
}

#endif
