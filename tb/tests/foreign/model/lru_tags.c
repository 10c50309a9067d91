/* SPDX-License-Identifier: Apache-2.0 */
#include "model/lru_tags.h"

#include <stddef.h>
#include <string.h>

const char *lru_tags_check(const lru_tags_cfg *cfg) {
    if (cfg->sets < 2 || cfg->sets > 16) return "SETS must be 2 to 16";
    if ((cfg->sets & (cfg->sets - 1)) != 0) return "SETS must be a power of two, 2 to 16";
    if (cfg->tagw < 1 || cfg->tagw > 24) return "TAGW must be 1 to 24";
    return NULL;
}

int lru_tags_init(lru_tags *m, const lru_tags_cfg *cfg) {
    if (lru_tags_check(cfg) != NULL) return -1;
    memset(m, 0, sizeof *m);
    m->cfg = *cfg;
    lru_tags_reset(m);
    return 0;
}

void lru_tags_reset(lru_tags *m) {
    m->hit = m->way = 0;
    memset(m->tags, 0, sizeof m->tags);
    memset(m->valid, 0, sizeof m->valid);
    for (uint32_t i = 0; i < 4 * m->cfg.sets; i++) m->age[i] = i % 4;
}

void lru_tags_comb(const lru_tags *m, const lru_tags_in *in, lru_tags_out *out) {
    (void)in;
    out->hit = m->hit;
    out->way = m->way;
}

void lru_tags_clock(lru_tags *m, const lru_tags_in *in) {
    const uint32_t row = 4 * (in->set % m->cfg.sets);
    int found = 0;
    uint32_t way = 0;
    for (uint32_t i = 0; i < 4; i++)
        if (m->age[row + i] == 3) way = i;
    for (uint32_t i = 0; i < 4; i++)
        if (m->valid[row + i] && m->tags[row + i] == in->tag) {
            found = 1;
            way = i;
        }
    m->hit = in->lookup && found;
    if (!in->lookup) return;
    m->way = (uint8_t)way;
    m->tags[row + way] = in->tag;
    m->valid[row + way] = 1;
    for (uint32_t i = 0; i < 4; i++)
        if (m->age[row + i] < m->age[row + way]) m->age[row + i]++;
    m->age[row + way] = 0;
}
