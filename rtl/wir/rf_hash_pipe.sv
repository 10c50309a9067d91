// SPDX-License-Identifier: Apache-2.0
// Results of one execution port on their way to register allocation: a pipeline at whose end the result's hash is ready
// [WIR V-A, VII-E].
//
// Handshake: a result is accepted when valid_i and ready_o are high; take_i removes the one at the end (ignored when there is
//            none). A stage takes what comes when it is empty or when what it holds goes on in the same cycle, so that bubbles close;
//            ready_o depends on take_i of the same cycle when all stages are full.
// Latency:   accepted in cycle t, at the end in t + STAGES at the earliest. The hash is computed from the data that enters the last
//            stage and registered there.
// Reset:     empty, all registers 0. A stage that gets empty keeps its contents; the outputs of an empty end are 0.
`default_nettype none

module rf_hash_pipe #(
  /// Stages, 1 to 5.
  parameter int unsigned STAGES = 2,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 48,
  /// Logical registers of a warp, 1 to 256.
  parameter int unsigned REGS = 64,
  /// Bits carried along, 1 to 64.
  parameter int unsigned INFOW = 32,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  /// A result is offered ...
  input  logic              valid_i,
  /// ... of this warp ...
  input  logic [WARP_W-1:0] warp_i,
  /// ... for this logical register ...
  input  logic [REG_W-1:0]  dst_i,
  /// ... in these lanes ...
  input  logic [LANES-1:0]  mask_i,
  /// ... with this value in each ...
  input  logic [DATA_W-1:0] data_i,
  /// ... and this to carry along.
  input  logic [INFOW-1:0]  info_i,
  /// The result at the end leaves.
  input  logic              take_i,
  /// The value at the end; 0, as all below, when there is none.
  output logic [DATA_W-1:0] out_data_o,
  /// A result that is offered is accepted.
  output logic              ready_o,
  /// There is a result at the end ...
  output logic              out_valid_o,
  /// ... as it was offered ...
  output logic [WARP_W-1:0] out_warp_o,
  output logic [REG_W-1:0]  out_dst_o,
  output logic [LANES-1:0]  out_mask_o,
  output logic [INFOW-1:0]  out_info_o,
  /// ... with the hash of its value.
  output logic [31:0]       out_hash_o
);

  if (STAGES < 1 || STAGES > 5) begin : gen_stages_range
    $error("rf_hash_pipe: STAGES must be 1 to 5");
  end
  if (LANES < 1 || LANES > 32) begin : gen_lanes_range
    $error("rf_hash_pipe: LANES must be 1 to 32");
  end
  if (WARPS < 1 || WARPS > 64) begin : gen_warps_range
    $error("rf_hash_pipe: WARPS must be 1 to 64");
  end
  if (REGS < 1 || REGS > 256) begin : gen_regs_range
    $error("rf_hash_pipe: REGS must be 1 to 256");
  end
  if (INFOW < 1 || INFOW > 64) begin : gen_infow_range
    $error("rf_hash_pipe: INFOW must be 1 to 64");
  end

  localparam int unsigned END = STAGES - 1;

  logic [STAGES-1:0] valid_q;
  logic [WARP_W-1:0] warp_q [0:STAGES-1];
  logic [REG_W-1:0]  dst_q  [0:STAGES-1];
  logic [LANES-1:0]  mask_q [0:STAGES-1];
  logic [DATA_W-1:0] data_q [0:STAGES-1];
  logic [INFOW-1:0]  info_q [0:STAGES-1];
  logic [31:0]       hash_q;

  logic [STAGES:0]   coming;  // per stage: the one before it has something; stage 0: a result is offered
  logic [STAGES-1:0] takes;   // per stage: it takes what comes
  logic [STAGES-1:0] moves;   // per stage: and something comes
  logic [DATA_W-1:0] last;    // the value that comes to the last stage
  logic [31:0]       hash;

  assign coming = {valid_q, valid_i};
  assign moves  = takes & coming[STAGES-1:0];

  // A stage takes when the end is taken, or when it or a stage behind it is empty.
  for (genvar s = 0; s < STAGES; s++) begin : gen_takes
    assign takes[s] = take_i || valid_q[STAGES-1:s] != '1;
  end

  if (STAGES > 1) begin : gen_last
    assign last = data_q[STAGES-2];
  end else begin : gen_only
    assign last = data_i;
  end

  rf_h3 #(
    .LANES(LANES)
  ) u_h3 (
    .data_i(last),
    .hash_o(hash)
  );

  assign ready_o     = takes[0];
  assign out_valid_o = coming[STAGES];
  assign out_warp_o  = out_valid_o ? warp_q[END] : '0;
  assign out_dst_o   = out_valid_o ? dst_q[END] : '0;
  assign out_mask_o  = out_valid_o ? mask_q[END] : '0;
  assign out_data_o  = out_valid_o ? data_q[END] : '0;
  assign out_info_o  = out_valid_o ? info_q[END] : '0;
  assign out_hash_o  = out_valid_o ? hash_q : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      hash_q  <= '0;
      for (int s = 0; s < STAGES; s++) begin
        warp_q[s] <= '0;
        dst_q[s]  <= '0;
        mask_q[s] <= '0;
        data_q[s] <= '0;
        info_q[s] <= '0;
      end
    end else begin
      valid_q <= moves | (valid_q & ~takes);
      if (moves[END]) hash_q <= hash;
      if (moves[0]) begin
        warp_q[0] <= warp_i;
        dst_q[0]  <= dst_i;
        mask_q[0] <= mask_i;
        data_q[0] <= data_i;
        info_q[0] <= info_i;
      end
      for (int s = 1; s < STAGES; s++) begin
        if (moves[s]) begin
          warp_q[s] <= warp_q[s-1];
          dst_q[s]  <= dst_q[s-1];
          mask_q[s] <= mask_q[s-1];
          data_q[s] <= data_q[s-1];
          info_q[s] <= info_q[s-1];
        end
      end
    end
  end

endmodule

`default_nettype wire
