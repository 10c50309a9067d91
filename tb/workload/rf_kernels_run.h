/* SPDX-License-Identifier: Apache-2.0 */
/* What a workload's `run` has at hand (rf_kernels.h). Nothing here returns a failure: the first one ends the run with its
 * message.
 *
 * Names of the reference code: host arrays as in the kernel, device addresses with the prefix d_. */
#ifndef RF_KERNELS_RUN_H
#define RF_KERNELS_RUN_H

#include <math.h>
#include <string.h>

#include "harness/base/rng.h"
#include "tb/workload/rf_kernels.h"

/* References round every operation on its own, as the kernels do; gcc does so in ISO mode. */
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

typedef struct rf_dim {
    uint32_t x, y; /* y: 0 is 1 */
} rf_dim;

/* Zeroed host memory, the run's. */
void *rf_run_host(rf_kernels_run *run, size_t bytes);
/* The run's random numbers. */
ls_rng *rf_run_rng(rf_kernels_run *run);
/* n values in low .. high, 24 bits of choice. */
float *rf_run_floats(rf_kernels_run *run, size_t n, float low, float high);
/* width x height x depth values above low and below high that change slowly in all directions, as a photograph or a field does: a
 * few round hills. */
float *rf_run_hills(rf_kernels_run *run, uint32_t width, uint32_t height, uint32_t depth, float low, float high);
/* width x height such values with --papers-inputs, cut into so many steps (0: not cut); else random ones. */
float *rf_run_picture(rf_kernels_run *run, uint32_t width, uint32_t height, float low, float high, uint32_t steps);
/* Whether inputs are to be like those of the papers' programs. */
bool rf_run_papers_inputs(const rf_kernels_run *run);
/* n values in 0 .. below-1; below 0: all 32 bits. */
uint32_t *rf_run_words(rf_kernels_run *run, size_t n, uint32_t below);

/* Zeroed device memory; the same filled from the host; a module variable filled from the host; and back. */
uint64_t rf_run_device(rf_kernels_run *run, size_t bytes);
uint64_t rf_run_upload(rf_kernels_run *run, const void *from, size_t bytes);
void rf_run_symbol(rf_kernels_run *run, const char *name, const void *from, size_t bytes);
void rf_run_write(rf_kernels_run *run, uint64_t address, const void *from, size_t bytes);
void rf_run_read(rf_kernels_run *run, uint64_t address, void *to, size_t bytes);

/* The value of a parameter. */
typedef struct rf_run_value {
    rf_ktype type; /* RF_T_NONE ends a list */
    uint64_t bits;
} rf_run_value;

static inline rf_run_value rf_run_value_u64(uint64_t x) { return (rf_run_value){RF_T_U64, x}; }
static inline rf_run_value rf_run_value_u32(uint32_t x) { return (rf_run_value){RF_T_U32, x}; }
static inline rf_run_value rf_run_value_s32(int32_t x) { return (rf_run_value){RF_T_S32, (uint32_t)x}; }
static inline rf_run_value rf_run_value_f32(float x) {
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (rf_run_value){RF_T_F32, bits};
}
static inline rf_run_value rf_run_value_f64(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (rf_run_value){RF_T_F64, bits};
}

static inline rf_run_value rf_run_value_end(rf_run_value x) { return x; }
static const rf_run_value rf_run_end = {RF_T_NONE, 0};

/* RF_RUN_VALUES(d_out, d_in, width, 0.5f): the values of all parameters, at most ten, in the kernel's order, each by its type. */
#define RF_RUN_VALUES(...)                                                                                                       \
    RF_RUN_TEN(__VA_ARGS__, rf_run_end, rf_run_end, rf_run_end, rf_run_end, rf_run_end, rf_run_end, rf_run_end, rf_run_end,      \
               rf_run_end, rf_run_end)
#define RF_RUN_TEN(a, b, c, d, e, f, g, h, i, j, ...)                                                                            \
    ((const rf_run_value[]){RF_RUN_VALUE(a), RF_RUN_VALUE(b), RF_RUN_VALUE(c), RF_RUN_VALUE(d), RF_RUN_VALUE(e),                 \
                            RF_RUN_VALUE(f), RF_RUN_VALUE(g), RF_RUN_VALUE(h), RF_RUN_VALUE(i), RF_RUN_VALUE(j), rf_run_end})
#define RF_RUN_VALUE(x)                                                                                                          \
    _Generic((x), uint64_t                                                                                                       \
             : rf_run_value_u64, uint32_t                                                                                        \
             : rf_run_value_u32, int32_t                                                                                         \
             : rf_run_value_s32, float                                                                                           \
             : rf_run_value_f32, double                                                                                          \
             : rf_run_value_f64, rf_run_value                                                                                    \
             : rf_run_value_end)(x)

/* The values go where the PTX has its parameters. A uint64_t is an address or data; it goes into 32 bits where a module of 32-bit
 * addresses has no more and it fits. */
void rf_run_launch(rf_kernels_run *run, const char *kernel, rf_dim grid, rf_dim block, const rf_run_value *value);

/* Compares n elements at `address` with `expected`: bit by bit, or within |difference| <= absolute + relative * |expected|. */
void rf_run_same_u8(rf_kernels_run *run, const char *what, uint64_t address, const uint8_t *expected, size_t n);
void rf_run_same_u32(rf_kernels_run *run, const char *what, uint64_t address, const uint32_t *expected, size_t n);
void rf_run_same_u64(rf_kernels_run *run, const char *what, uint64_t address, const uint64_t *expected, size_t n);
void rf_run_same_f32(rf_kernels_run *run, const char *what, uint64_t address, const float *expected, size_t n);
void rf_run_same_f64(rf_kernels_run *run, const char *what, uint64_t address, const double *expected, size_t n);
void rf_run_near_f32(rf_kernels_run *run, const char *what, uint64_t address, const double *expected, size_t n, double absolute,
                     double relative);

/* Ends the run. */
__attribute__((format(printf, 2, 3), noreturn)) void rf_run_fail(rf_kernels_run *run, const char *format, ...);

static inline uint32_t rf_run_ceil(uint32_t n, uint32_t by) { return (n + by - 1) / by; }

/* The workloads, by file. */
#define RF_KERNELS_LINEAR(X)                                                                                                     \
    X(vecadd) X(saxpy) X(sgemm) X(dgemm) X(stencil5) X(transpose) X(gaussian) X(lud) X(ddot) X(scalarprod)
#define RF_KERNELS_IMAGE(X) X(sobel) X(convolve) X(dct8x8) X(hotspot) X(lbm) X(mandelbrot) X(srad) X(stencil7) X(sad) X(leukocyte)
#define RF_KERNELS_PARALLEL(X)                                                                                                   \
    X(reduce_tree) X(reduce_shuffle) X(scan) X(histogram) X(bitonic) X(needle) X(pathfinder) X(mergesort)
#define RF_KERNELS_IRREGULAR(X)                                                                                                  \
    X(bfs) X(spmv_scalar) X(spmv_vector) X(strsearch) X(hash64) X(kmeans) X(streamcluster) X(sobol) X(btree)
#define RF_KERNELS_MATH(X) X(blackscholes) X(backprop) X(nbody) X(mriq) X(binomial) X(quasirandom) X(cutcp) X(lavamd)
#define RF_KERNELS_TRANSFORM(X) X(fft) X(walsh) X(haar)
#define RF_KERNELS_POLYBENCH(X) X(bicg) X(mvt) X(gemm) X(syrk) X(gramschmidt) X(fdtd2d)
#define RF_KERNELS_DECLARE(name) void rf_run_##name(rf_kernels_run *run, bool large);
RF_KERNELS_LINEAR(RF_KERNELS_DECLARE)
RF_KERNELS_IMAGE(RF_KERNELS_DECLARE)
RF_KERNELS_PARALLEL(RF_KERNELS_DECLARE)
RF_KERNELS_IRREGULAR(RF_KERNELS_DECLARE)
RF_KERNELS_MATH(RF_KERNELS_DECLARE)
RF_KERNELS_POLYBENCH(RF_KERNELS_DECLARE)
RF_KERNELS_TRANSFORM(RF_KERNELS_DECLARE)

#endif
