// SPDX-License-Identifier: Apache-2.0
// Loose round-robin warp scheduler: the next ready warp above the one that issued last, cyclically.
//
// Latency:   the choice is combinational; the turn moves at the edge of a cycle with take_i high and a warp chosen.
// Fairness:  a warp that is not ready loses its turn; one that stays ready issues after at most WARPS - 1 others.
// other_o:   the selection tree ends in two finalists, the best ready warp of each half [bank stealing Fig. 7]; other_o is the
//            one that is not chosen. The halves are parted at half of WARPS rounded up to a power of two.
// launch_i:  has no effect; it is there because rf_sched_gto has it.
// Reset:     warp 0 is first.
// Source:    round-robin as named by [bank stealing IV-B] and [hierarchy 3].
`default_nettype none

module rf_sched_lrr #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  /// Per warp: it has an instruction without hazard.
  input  logic [WARPS-1:0]  ready_i,
  /// Per warp: a new warp starts in this slot.
  input  logic [WARPS-1:0]  launch_i,
  /// The chosen warp issues.
  input  logic              take_i,
  /// A warp is chosen.
  output logic              valid_o,
  /// Its index, 0 when none.
  output logic [WARP_W-1:0] warp_o,
  /// The same, one hot.
  output logic [WARPS-1:0]  onehot_o,
  /// The finalist of the selection tree that is not chosen, one hot; 0 when there is none.
  output logic [WARPS-1:0]  other_o
);

  if (WARPS < 1 || WARPS > 64) begin : gen_range
    $error("rf_sched_lrr: WARPS must be 1 to 64");
  end

  // The lower half of the tree; none of one warp.
  localparam int unsigned HALF = (WARPS > 1) ? 1 << (WARP_W - 1) : 0;
  localparam logic [WARPS-1:0] LOW = ~({WARPS{1'b1}} << HALF);

  logic [WARPS-1:0] rivals;

  rf_rr #(.N(WARPS)) u_rr (
    .clk_i,
    .rst_ni,
    .req_i   (ready_i),
    .take_i  (take_i),
    .grant_o (onehot_o),
    .valid_o (valid_o)
  );

  for (genvar b = 0; b < WARP_W; b++) begin : gen_index
    localparam logic [WARPS-1:0] COLUMN = rf_pkg::NUMBERS[b*64 +: WARPS];
    assign warp_o[b] = (onehot_o & COLUMN) != '0;
  end

  // The other half is wholly above or wholly below the chosen warp, and between turn and chosen warp none is ready: all its ready
  // warps are on one side of the turn, and the first of them is the lowest.
  assign rivals  = ready_i & (((onehot_o & LOW) != '0) ? ~LOW : LOW);
  assign other_o = `RF_LOWEST(rivals);

endmodule

`default_nettype wire
