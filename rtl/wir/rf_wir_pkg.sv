// SPDX-License-Identifier: Apache-2.0
// Constants of the group wir; the C twins are in rf_wir_types.h, rf_wir_front.h, rf_result_queue.h and rf_wir_reuse.h.
`default_nettype none

package rf_wir_pkg;

  /// What a reusable instruction reads beside its operands. SHARED and GLOBAL are the two with the higher bit.
  localparam logic [1:0] SPACE_NONE = 2'd0;
  localparam logic [1:0] SPACE_CONST = 2'd1;
  localparam logic [1:0] SPACE_SHARED = 2'd2;
  localparam logic [1:0] SPACE_GLOBAL = 2'd3;

  /// What becomes of the instruction in a reuse lane.
  localparam logic [2:0] ACT_NOTHING = 3'd0;
  localparam logic [2:0] ACT_REUSE = 3'd1;
  localparam logic [2:0] ACT_QUEUE = 3'd2;
  localparam logic [2:0] ACT_EXECUTE = 3'd3;
  localparam logic [2:0] ACT_ROTATE = 3'd4;

  /// What is to be done with a result.
  localparam logic [1:0] RESULT_WRITE = 2'd0;
  localparam logic [1:0] RESULT_VERIFY = 2'd1;
  localparam logic [1:0] RESULT_MERGE = 2'd2;
  localparam logic [1:0] RESULT_SHARE = 2'd3;

  /// Reset value of the random numbers.
  localparam int unsigned SEED = 32'hace1;

  /// Issue group of a warp, in the low bits.
  function automatic logic [5:0] group_of(input logic [5:0] warp, input logic [2:0] issues);
    group_of = warp % {3'b0, issues};
  endfunction

  /// A warp's number in its group, in the low bits.
  function automatic logic [5:0] local_of(input logic [5:0] warp, input logic [2:0] issues);
    local_of = warp / {3'b0, issues};
  endfunction

endpackage

`default_nettype wire
