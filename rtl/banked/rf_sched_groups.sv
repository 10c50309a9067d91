// SPDX-License-Identifier: Apache-2.0
// Two-level round-robin warp scheduler: round-robin inside a fetch group, on to the next when no warp of the group is ready.
//
// Latency:   the choice is combinational; the turn moves at the edge of a cycle with take_i high and a warp chosen.
// Groups:    fetch group of warp w is w / FETCH; the last may be smaller. FETCH >= WARPS: one group, as rf_sched_lrr.
// Fairness:  inside a group that of rf_sched_lrr; a group whose warps are always ready keeps the others waiting.
// other_o:   the selection tree ends in two finalists, the best ready warp of each half [bank stealing Fig. 7]; other_o is the
//            one that is not chosen. The halves are parted at half of WARPS rounded up to a power of two, whatever FETCH is.
// launch_i:  has no effect; it is there because rf_sched_gto has it.
// Reset:     group 0, warp 0 is first.
// Source:    [bank stealing VI-B-1] names it; Narasiman et al., MICRO 2011.
`default_nettype none

module rf_sched_groups #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// Warps of a fetch group, 1 to 64.
  parameter int unsigned FETCH = 8,
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

  if (WARPS < 1 || WARPS > 64) begin : gen_warps_range
    $error("rf_sched_groups: WARPS must be 1 to 64");
  end
  if (FETCH < 1 || FETCH > 64) begin : gen_fetch_range
    $error("rf_sched_groups: FETCH must be 1 to 64");
  end

  localparam int unsigned GROUPS = (WARPS + FETCH - 1) / FETCH;
  localparam int unsigned GROUP_W = rf_pkg::index_bits(GROUPS);

  // The lower half of the tree; none of one warp.
  localparam int unsigned HALF = (WARPS > 1) ? 1 << (WARP_W - 1) : 0;
  localparam logic [WARPS-1:0] LOW = ~({WARPS{1'b1}} << HALF);

  // Warps whose fetch group's number has bit b set: the columns of an encoder.
  function automatic logic [WARPS-1:0] column(input int unsigned b);
    column = '0;
    for (int w = 0; w < WARPS; w++) column[w] = (((w / FETCH) >> b) & 1) != 0;
  endfunction

  logic [GROUP_W-1:0] group_q, group_d, group;
  logic [WARPS-1:0]   mask_q, mask_d;
  logic [6:0]         base;
  logic [WARPS-1:0]   from, turn, ready_from, pool;
  logic [WARPS-1:0]   rivals, rivals_from, rival_pool;
  logic               issue;

  // The warps of the current group and above; those of the current group above the one that issued last.
  assign base = 7'(group_q) * 7'(FETCH);
  assign from = {WARPS{1'b1}} << base;
  assign turn = mask_q & from & ~(from << FETCH);

  // The lowest warp of the current group and above is the current group's or, when that has none, the next group's.
  assign ready_from = ready_i & from;
  assign pool       = ((ready_i & turn) != '0) ? ready_i & turn : (ready_from != '0) ? ready_from : ready_i;
  assign onehot_o   = `RF_LOWEST(pool);
  assign valid_o    = ready_i != '0;

  for (genvar b = 0; b < WARP_W; b++) begin : gen_index
    localparam logic [WARPS-1:0] COLUMN = rf_pkg::NUMBERS[b*64 +: WARPS];
    assign warp_o[b] = (onehot_o & COLUMN) != '0;
  end

  // The turn needs no test here: when a rival has it, the chosen warp has it too and is below all rivals; the lowest is next.
  assign rivals      = ready_i & (((onehot_o & LOW) != '0) ? ~LOW : LOW);
  assign rivals_from = rivals & from;
  assign rival_pool  = (rivals_from != '0) ? rivals_from : rivals;
  assign other_o     = `RF_LOWEST(rival_pool);

  for (genvar b = 0; b < GROUP_W; b++) begin : gen_group
    localparam logic [WARPS-1:0] COLUMN = column(b);
    assign group[b] = (onehot_o & COLUMN) != '0;
  end

  assign issue   = take_i && valid_o;
  assign group_d = issue ? group : group_q;
  assign mask_d  = issue ? ~(onehot_o | (onehot_o - 1'b1)) : mask_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      group_q <= '0;
      mask_q  <= '0;
    end else begin
      group_q <= group_d;
      mask_q  <= mask_d;
    end
  end

endmodule

`default_nettype wire
