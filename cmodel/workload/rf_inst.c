/* SPDX-License-Identifier: Apache-2.0 */
#include "cmodel/workload/rf_inst.h"

#include <stdlib.h>

void rf_warp_free(rf_warp *warp) {
    free(warp->inst);
    free(warp->address);
    *warp = (rf_warp){0};
}
