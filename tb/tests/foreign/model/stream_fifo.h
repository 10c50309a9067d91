/* SPDX-License-Identifier: Apache-2.0 */
/* The model of stream_fifo: what its RTL does, cycle by cycle and bit by bit. */
#ifndef STREAM_FIFO_H
#define STREAM_FIFO_H

#include <stdint.h>

/* $clog2 */
static inline uint32_t stream_fifo_log2(uint32_t n) {
    uint32_t bits = 0;
    while ((UINT64_C(1) << bits) < n) bits++;
    return bits;
}

/* The RTL's parameters. */
typedef struct stream_fifo_cfg {
    uint32_t depth; /* 2 to 16 */
} stream_fifo_cfg;

/* The ports. */
typedef struct stream_fifo_in {
    uint8_t s_valid; /* s_valid: 1 bit */
    uint16_t s_beat; /* s_beat: 13 bits */
    uint8_t m_ready; /* m_ready: 1 bit */
} stream_fifo_in;

typedef struct stream_fifo_out {
    uint8_t s_ready; /* s_ready: 1 bit */
    uint8_t m_valid; /* m_valid: 1 bit */
    uint16_t m_beat; /* m_beat: 13 bits */
} stream_fifo_out;

/* The registers. */
typedef struct stream_fifo {
    stream_fifo_cfg cfg;
    uint16_t core_store[16]; /* core.store: cfg->depth of 13 bits */
    uint8_t core_wptr;       /* core.wptr: stream_fifo_log2(cfg->depth) bits */
    uint8_t core_rptr;       /* core.rptr: stream_fifo_log2(cfg->depth) bits */
    uint8_t core_used;       /* core.used: stream_fifo_log2(cfg->depth) + 1 bits */
} stream_fifo;

/* NULL, or the parameter that is out of range and its range. */
const char *stream_fifo_check(const stream_fifo_cfg *cfg);
/* Takes `cfg` and resets: 0, or -1 for what check refuses. */
int stream_fifo_init(stream_fifo *m, const stream_fifo_cfg *cfg);
void stream_fifo_reset(stream_fifo *m);
/* The outputs of this cycle. */
void stream_fifo_comb(const stream_fifo *m, const stream_fifo_in *in, stream_fifo_out *out);
/* The rising edge of the clock. */
void stream_fifo_clock(stream_fifo *m, const stream_fifo_in *in);

#endif
