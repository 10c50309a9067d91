/* SPDX-License-Identifier: Apache-2.0 */
/* Source of clang-O0.ptx and clang-O2.ptx: clang-14 -x cl -cl-std=CL2.0 --target=nvptx64-nvidia-nvcl -Xclang
 * -finclude-default-header -Xclang -target-cpu -Xclang sm_70 -O<n> -S samples.cl -o clang-O<n>.ptx */
typedef struct {
    int shift;
    float scale;
    char table[4];
} setting;
static int gid(void) { return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x(); }
__constant float weight[4] = {1.0f, 2.0f, 3.0f, -0.5f};
__attribute__((noinline)) float helper(float a, __global float *p, int k) { return k > 3 ? a * p[k] : a + 1; }
__kernel void saxpy(__global float *y, __global const float *x, float a, int n) {
    int i = gid();
    if (i < n)
        y[i] += a * x[i];
}
__kernel void settings(__global float *y, setting s, __global setting *p) {
    int i = gid();
    y[i] = s.scale * s.shift + s.table[i & 3] + weight[i & 3];
    p[i] = s;
}
__kernel void reduce(__global float *out, __global const float *in, int n) {
    __local float t[256];
    int l = __nvvm_read_ptx_sreg_tid_x();
    float s = 0;
    for (int i = gid(); i < n; i += 1024)
        s += in[i];
    t[l] = s;
    __syncthreads();
    for (int d = 128; d; d >>= 1) {
        if (l < d)
            t[l] += t[l + d];
        __syncthreads();
    }
    if (l == 0)
        out[0] = t[0];
}
__kernel void choose(__global int *a) {
    int i = gid();
    switch (a[i]) {
    case 0:
        a[i] = 5;
        break;
    case 1:
        a[i] *= 7;
        break;
    case 2:
        a[i] ^= 3;
        break;
    case 3:
        a[i] = -a[i];
        break;
    default:
        a[i]++;
    }
}
__kernel void private_array(__global int *a) {
    int t[16];
    int i = gid();
    for (int j = 0; j < 16; j++)
        t[j] = a[j] + i;
    a[i] = t[a[i] & 15];
}
__kernel void calls(__global float *p) {
    int i = gid();
    p[i] = helper(p[i], p, i) + helper(2.0f, p, i + 1);
}
