// SPDX-License-Identifier: Apache-2.0
// Round-robin arbiter: one grant among N requesters, the next one above the last granted, cyclically.
//
// Latency:   grant_o is combinational; the pointer moves at the edge when take_i is high and someone is granted.
// Fairness:  a requester that keeps asking is granted after at most N - 1 taken grants to others.
// Reset:     requester 0 is first.
// The pointer is a mask of the requesters above the last granted one: picking needs no rotation and no index.
`default_nettype none

module rf_rr #(
  /// Requesters, 1 to 64.
  parameter int unsigned N = 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  /// Who asks.
  input  logic [N-1:0] req_i,
  /// The grant is used.
  input  logic         take_i,
  /// Who is granted, one hot; 0 when nobody asks.
  output logic [N-1:0] grant_o,
  /// Someone is granted.
  output logic         valid_o
);

  if (N < 1 || N > 64) begin : gen_range
    $error("rf_rr: N must be 1 to 64");
  end

  logic [N-1:0] mask_q, mask_d;
  logic [N-1:0] above, pool;

  assign above   = req_i & mask_q;
  assign pool    = (above != '0) ? above : req_i;
  assign grant_o = pool & (~pool + 1'b1);
  assign valid_o = req_i != '0;

  assign mask_d = (take_i && valid_o) ? ~(grant_o | (grant_o - 1'b1)) : mask_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) mask_q <= '0;
    else         mask_q <= mask_d;
  end

endmodule

`default_nettype wire
