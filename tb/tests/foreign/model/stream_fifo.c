/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stream_fifo.h"

#include <stddef.h>
#include <string.h>

const char *stream_fifo_check(const stream_fifo_cfg *cfg) {
    if (cfg->depth < 2 || cfg->depth > 16) return "DEPTH must be 2 to 16";
    return NULL;
}

int stream_fifo_init(stream_fifo *m, const stream_fifo_cfg *cfg) {
    if (stream_fifo_check(cfg) != NULL) return -1;
    memset(m, 0, sizeof *m);
    m->cfg = *cfg;
    stream_fifo_reset(m);
    return 0;
}

void stream_fifo_reset(stream_fifo *m) {
    memset(m->core_store, 0, sizeof m->core_store);
    m->core_wptr = 0;
    m->core_rptr = 0;
    m->core_used = 0;
}

void stream_fifo_comb(const stream_fifo *m, const stream_fifo_in *in, stream_fifo_out *out) {
    (void)in;
    out->s_ready = m->core_used != m->cfg.depth;
    out->m_valid = m->core_used != 0;
    out->m_beat = m->core_rptr < m->cfg.depth ? m->core_store[m->core_rptr] : 0;
}

void stream_fifo_clock(stream_fifo *m, const stream_fifo_in *in) {
    stream_fifo_out out;
    stream_fifo_comb(m, in, &out);
    const int put = in->s_valid && out.s_ready, get = in->m_ready && out.m_valid;
    const uint32_t last = m->cfg.depth - 1;
    if (put) m->core_store[m->core_wptr] = in->s_beat;
    if (put) m->core_wptr = (uint8_t)(m->core_wptr == last ? 0 : m->core_wptr + 1);
    if (get) m->core_rptr = (uint8_t)(m->core_rptr == last ? 0 : m->core_rptr + 1);
    m->core_used = (uint8_t)(m->core_used + put - get);
}
