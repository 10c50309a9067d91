// SPDX-License-Identifier: Apache-2.0
// What all groups say alike: widths of indices.
`default_nettype none

package rf_pkg;

  /// Bits of an index 0 to n-1, at least one; the C twin is rf_index_bits.
  function automatic int unsigned index_bits(input int unsigned n);
    index_bits = (n > 1) ? $clog2(n) : 1;
  endfunction

endpackage

`default_nettype wire
