// SPDX-License-Identifier: Apache-2.0
// Read stealing's addition to a warp scheduler: the candidate warp, and the multiplexers that let it issue ahead of its turn
// [bank stealing IV-B-2, IV-B-3, Fig. 7].
//
// Host:      its selection tree gives current_i and, from the other half, other_i (m3). host_take_o tells it of an issue only when
//            its own choice issues: a warp that goes ahead leaves its turn as it was.
// m1:        the warp that issues: the candidate when steal_i says that it is being read ahead, else current_i.
// m2:        the next candidate: current_i when the candidate issues now, else other_i; other_i as well when the two are one warp.
// Latency:   combinational; the candidate is registered in every cycle, whether an instruction issues or not. steal_i comes late:
//            it reaches one multiplexer of warp_o and of host_take_o and no other output.
// Illegal:   steal_i is ignored when there is no candidate or its warp is not ready. With several bits in a vector an index is
//            the OR of their indices, and current_i is the candidate when they share one.
// Reset:     no candidate.
`default_nettype none

module rf_steal_scheduler #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS)
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  /// Per warp: it has an instruction without hazard.
  input  logic [WARPS-1:0]  ready_i,
  /// The warp that the host selects, one hot or 0.
  input  logic [WARPS-1:0]  current_i,
  /// The finalist that the host does not select, one hot or 0.
  input  logic [WARPS-1:0]  other_i,
  /// The group's instruction issues.
  input  logic              take_i,
  /// An operand of the candidate is being read ahead.
  input  logic              steal_i,
  /// There is a candidate, and its warp is ready.
  output logic              candidate_valid_o,
  /// Its warp, 0 when there is none.
  output logic [WARP_W-1:0] candidate_o,
  /// The warp that issues when take_i says so, 0 when there is none.
  output logic [WARP_W-1:0] warp_o,
  /// The host's own choice issues.
  output logic              host_take_o
);

  if (WARPS < 1 || WARPS > 64) begin : gen_range
    $error("rf_steal_scheduler: WARPS must be 1 to 64");
  end

  logic [WARPS-1:0]  candidate_q, candidate_d;
  logic [WARPS-1:0]  candidate;
  logic [WARP_W-1:0] current;
  logic              steals, same;

  assign candidate         = candidate_q & ready_i;
  assign candidate_valid_o = candidate != '0;
  assign same              = (candidate & current_i) != '0;
  assign steals            = steal_i && candidate_valid_o;

  for (genvar b = 0; b < WARP_W; b++) begin : gen_index
    localparam logic [WARPS-1:0] COLUMN = rf_pkg::NUMBERS[b*64 +: WARPS];
    assign candidate_o[b] = (candidate & COLUMN) != '0;
    assign current[b]     = (current_i & COLUMN) != '0;
  end

  assign warp_o      = steals ? candidate_o : current;
  assign host_take_o = take_i && (steals ? same : current_i != '0);
  assign candidate_d = (steals && !same) ? current_i : other_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) candidate_q <= '0;
    else         candidate_q <= candidate_d;
  end

endmodule

`default_nettype wire
