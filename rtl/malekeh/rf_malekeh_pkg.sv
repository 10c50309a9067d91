// SPDX-License-Identifier: Apache-2.0
// Constants of the group malekeh; the C twins are in rf_malekeh.h.
`default_nettype none

package rf_malekeh_pkg;

  /// SCHED beside those of rf_banked_pkg: warps with data in a CCU first.
  localparam int unsigned SCHED_CCU = 3;

  /// Reset value of the random numbers.
  localparam int unsigned SEED = 32'hace1;

  /// Steps of rf_sthld.
  localparam int unsigned CLIMB = 4;
  localparam int unsigned SPECULATE = 8;
  localparam int unsigned BACK = 12;
  localparam int unsigned PROBE = 4;
  localparam int unsigned UNDO = 8;

endpackage

`default_nettype wire
