// SPDX-License-Identifier: Apache-2.0
// Issue scheduler of Malekeh: ready warps with data in a caching collector before the others, inside each class the oldest first.
//
// Latency:   the choice is combinational and depends on ready_i, held_i and the ages alone.
// Age:       the order of launches, held as an age matrix: one AND per warp finds the oldest, without counters.
// launch_i:  at the edge the new warps become the youngest of all, among themselves the lower index is the older.
// Reset:     a lower index is older.
// Source:    [Malekeh 5].
`default_nettype none

module rf_ccu_scheduler #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  /// Per warp: it has an instruction without hazard.
  input  logic [WARPS-1:0]  ready_i,
  /// Per warp: it has data in a caching collector.
  input  logic [WARPS-1:0]  held_i,
  /// Per warp: a new warp starts in this slot.
  input  logic [WARPS-1:0]  launch_i,
  /// A warp is chosen.
  output logic              valid_o,
  /// Its index, 0 when none.
  output logic [WARP_W-1:0] warp_o,
  /// The same, one hot.
  output logic [WARPS-1:0]  onehot_o
);

  if (WARPS < 1 || WARPS > 64) begin : gen_range
    $error("rf_ccu_scheduler: WARPS must be 1 to 64");
  end

  logic [WARPS-1:0] older_q [0:WARPS-1];
  logic [WARPS-1:0] first, among;

  assign first = ready_i & held_i;
  assign among = (first != '0) ? first : ready_i;

  for (genvar w = 0; w < WARPS; w++) begin : gen_oldest
    assign onehot_o[w] = among[w] && (older_q[w] & among) == '0;
  end

  assign valid_o = ready_i != '0;

  for (genvar b = 0; b < WARP_W; b++) begin : gen_index
    localparam logic [WARPS-1:0] COLUMN = rf_pkg::NUMBERS[b*64 +: WARPS];
    assign warp_o[b] = (onehot_o & COLUMN) != '0;
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
