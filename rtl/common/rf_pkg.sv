// SPDX-License-Identifier: Apache-2.0
// What all groups say alike: widths of indices, one-hot encoders, a search among elements.
`default_nettype none

// The lowest one of x, alone. A macro, as x may have any width.
`define RF_LOWEST(x) ((x) & (~(x) + 1'b1))

// Declares the function holds(all, one): which of the N elements of W bits in `all` equal `one`. A macro, because a function
// of a package has one width.
`define RF_HOLDS(N, W) \
  function automatic logic [(N)-1:0] holds(input logic [(N)*(W)-1:0] all, input logic [(W)-1:0] one); \
    for (int e = 0; e < (N); e++) holds[e] = all[e*(W) +: (W)] == one; \
  endfunction

package rf_pkg;

  /// Bits of an index 0 to n-1, at least one; the C twin is rf_index_bits.
  function automatic int unsigned index_bits(input int unsigned n);
    index_bits = (n > 1) ? $clog2(n) : 1;
  endfunction

  /// Bit k of the numbers 0 to 63 at [k*64 +: 64]: bit k of the number of a one-hot x is |(x & NUMBERS[k*64 +: width of x]).
  localparam logic [6*64-1:0] NUMBERS = {
    64'hffff_ffff_0000_0000, 64'hffff_0000_ffff_0000, 64'hff00_ff00_ff00_ff00,
    64'hf0f0_f0f0_f0f0_f0f0, 64'hcccc_cccc_cccc_cccc, 64'haaaa_aaaa_aaaa_aaaa
  };

endpackage

`default_nettype wire
