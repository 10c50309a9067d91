// SPDX-License-Identifier: Apache-2.0
// A part of lockstep's own, its round-robin arbiter, in a block of another style.
module picker (
  input  logic       clk, reset,
  input  logic [3:0] want,
  output logic [3:0] chosen
);
  rf_rr #(.N(4)) rr (.clk_i(clk), .rst_ni(~reset), .req_i(want), .take_i(|want), .grant_o(chosen), .valid_o());
endmodule
