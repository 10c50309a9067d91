// SPDX-License-Identifier: Apache-2.0
// Constants of the group steal.
`default_nettype none

package rf_steal_pkg;

  /// Inactive registers that an instruction names; the C twin is RF_FREES_MAX.
  localparam int unsigned FREES = 4;

endpackage

`default_nettype wire
