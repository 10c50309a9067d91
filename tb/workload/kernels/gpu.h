/* SPDX-License-Identifier: Apache-2.0 */
/* What OpenCL C and CUDA C need to become PTX with clang alone: thread indices, barrier, shuffles, votes, atomics and the
 * approximate functions, each the instruction of that name. No library stands behind them. */
#ifndef GPU_H
#define GPU_H

#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
typedef unsigned char uchar;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef float float4 __attribute__((ext_vector_type(4)));
#endif

#define TID_X ((uint)__nvvm_read_ptx_sreg_tid_x())
#define TID_Y ((uint)__nvvm_read_ptx_sreg_tid_y())
#define BLOCK_X ((uint)__nvvm_read_ptx_sreg_ctaid_x())
#define BLOCK_Y ((uint)__nvvm_read_ptx_sreg_ctaid_y())
#define THREADS_X ((uint)__nvvm_read_ptx_sreg_ntid_x())
#define BLOCKS_X ((uint)__nvvm_read_ptx_sreg_nctaid_x())

/* This thread's place in the grid, along x. */
#define GLOBAL_X (BLOCK_X * THREADS_X + TID_X)

#define BARRIER() __syncthreads()

#define WARP 32u
#define LANE (TID_X & (WARP - 1))
#define ALL_LANES 0xffffffffu

/* Within a warp whose lanes are all here. DOWN and UP keep the own value where there is no such lane. */
#define SHUFFLE_DOWN_F32(value, delta) __nvvm_shfl_sync_down_f32(ALL_LANES, value, delta, 31)
#define SHUFFLE_DOWN_S32(value, delta) __nvvm_shfl_sync_down_i32(ALL_LANES, value, delta, 31)
#define SHUFFLE_UP_S32(value, delta) __nvvm_shfl_sync_up_i32(ALL_LANES, value, delta, 0)
#define SHUFFLE_XOR_F32(value, mask) __nvvm_shfl_sync_bfly_f32(ALL_LANES, value, mask, 31)
#define BALLOT(condition) ((uint)__nvvm_vote_ballot_sync(ALL_LANES, condition))

/* On global or shared memory; the old value comes back. */
#define ATOMIC_ADD(address, value) __nvvm_atom_add_gen_i(address, value)
#define ATOMIC_MIN(address, value) __nvvm_atom_min_gen_i(address, value)
#define ATOMIC_MAX(address, value) __nvvm_atom_max_gen_i(address, value)
#define ATOMIC_CAS(address, expected, value) __nvvm_atom_cas_gen_i(address, expected, value)

#define FMA(a, b, c) __builtin_fmaf(a, b, c)
#define FMA64(a, b, c) __builtin_fma(a, b, c)

/* Approximate, as nvcc's fast intrinsics: powers and logarithms of base 2. */
#define EXP2(x) __nvvm_ex2_approx_ftz_f(x)
#define LOG2(x) __nvvm_lg2_approx_ftz_f(x)
#define RSQRT(x) __nvvm_rsqrt_approx_ftz_f(x)
#define SIN(x) __nvvm_sin_approx_ftz_f(x)
#define COS(x) __nvvm_cos_approx_ftz_f(x)
#define DIVIDE(a, b) __nvvm_div_approx_ftz_f(a, b)
#define EXP(x) EXP2((x)*1.44269504f)
#define LOG(x) (LOG2(x) * 0.693147181f)
/* Exact to the last bit. */
#define SQRT(x) __nvvm_sqrt_rn_f(x)

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

#endif
