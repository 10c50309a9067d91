// SPDX-License-Identifier: Apache-2.0
// Greedy-then-oldest warp scheduler: the warp that issued last while it is ready, else the oldest ready warp.
//
// Latency:   the choice is combinational; it becomes "issued last" at the edge of a cycle with take_i high.
// Age:       the order of launches, held as an age matrix: one AND per warp finds the oldest, without counters.
// other_o:   the selection tree ends in two finalists, the best ready warp of each half [bank stealing Fig. 7]; other_o is the
//            one that is not chosen. The halves are parted at half of WARPS rounded up to a power of two.
// launch_i:  acts at the edge, before take_i: the new warps become the youngest of all, among themselves the lower index is the
//            older, and none of them is the one that issued last unless it is taken in that very cycle.
// Reset:     a lower index is older; nobody has issued.
// Source:    the baseline scheduler of [Malekeh Table 1], [bank stealing IV-B], [CERF] and [WIR Table II].
`default_nettype none

module rf_sched_gto #(
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
    $error("rf_sched_gto: WARPS must be 1 to 64");
  end

  // The lower half of the tree; none of one warp.
  localparam int unsigned HALF = (WARPS > 1) ? 1 << (WARP_W - 1) : 0;
  localparam logic [WARPS-1:0] LOW = ~({WARPS{1'b1}} << HALF);

  logic              last_valid_q, last_valid_d;
  logic [WARP_W-1:0] last_q, last_d;
  logic [WARPS-1:0]  older_q [0:WARPS-1];
  logic [WARPS-1:0]  last, greedy, oldest, finalists;
  logic              issue;

  assign last   = last_valid_q ? {{(WARPS-1){1'b0}}, 1'b1} << last_q : '0;
  assign greedy = ready_i & last;

  for (genvar w = 0; w < WARPS; w++) begin : gen_oldest
    localparam logic [WARPS-1:0] SAME_HALF = (w < HALF) ? LOW : ~LOW;
    assign oldest[w] = ready_i[w] && (older_q[w] & ready_i) == '0;
    assign finalists[w] = ready_i[w] && (older_q[w] & ready_i & SAME_HALF) == '0;
  end

  assign valid_o  = ready_i != '0;
  assign onehot_o = (greedy != '0) ? greedy : oldest;
  // With the greedy warp chosen its half has a finalist too, which is older or the same: it does not matter.
  assign other_o  = finalists & (((onehot_o & LOW) != '0) ? ~LOW : LOW);

  for (genvar b = 0; b < WARP_W; b++) begin : gen_index
    localparam logic [WARPS-1:0] COLUMN = rf_pkg::NUMBERS[b*64 +: WARPS];
    assign warp_o[b] = (onehot_o & COLUMN) != '0;
  end

  assign issue        = take_i && valid_o;
  assign last_d       = issue ? warp_o : last_q;
  assign last_valid_d = issue || (last_valid_q && (launch_i & last) == '0);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      last_valid_q <= 1'b0;
      last_q       <= '0;
    end else begin
      last_valid_q <= last_valid_d;
      last_q       <= last_d;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int w = 0; w < WARPS; w++) older_q[w] <= ~({WARPS{1'b1}} << w);
    end else if (launch_i != '0) begin
      for (int w = 0; w < WARPS; w++)
        older_q[w] <= launch_i[w] ? ~launch_i | ~({WARPS{1'b1}} << w) : older_q[w] & ~launch_i;
    end
  end

endmodule

`default_nettype wire
