// SPDX-License-Identifier: Apache-2.0
// Verifier: one result on its way from a register that is being read to its end [WIR V-A, Fig. 7; V-D].
//
// Latency:   load t, data of the bank on rdata_i in t+1. Verify-read: share_o from t+1 on when all lanes are equal, need_o from
//            t+2 on when not; give g, write_o from g+1 on. Dummy MOV: write_o from t+2 on. Free in the cycle after done_i.
// Conflicts: load_i is ignored while busy, even in the cycle of done_i; give_i counts only with need_o, done_i only with share_o
//            or write_o.
// Reset:     idle, all registers 0.
`default_nettype none

module rf_verify #(
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// Bits of what is carried along, 1 to 64.
  parameter int unsigned INFOW = 21,
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS),
  localparam int unsigned DATA_W = 32 * LANES
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  /// The bank reads load_cand_i in this cycle for this result.
  input  logic              load_i,
  /// 0: verify-read, 1: dummy MOV.
  input  logic              load_merge_i,
  /// The register that is read: it may hold the result, or holds the other lanes.
  input  logic [PREG_W-1:0] load_cand_i,
  /// Dummy MOV: the register to write.
  input  logic [PREG_W-1:0] load_reg_i,
  /// Dummy MOV: lanes of the result, the others come from the register read.
  input  logic [LANES-1:0]  load_mask_i,
  /// Per lane: the result.
  input  logic [DATA_W-1:0] load_data_i,
  /// Carried along.
  input  logic [INFOW-1:0]  load_info_i,
  /// Per lane: what the bank read in the cycle before.
  input  logic [DATA_W-1:0] rdata_i,
  /// It gets a register ...
  input  logic              give_i,
  /// ... this one.
  input  logic [PREG_W-1:0] give_reg_i,
  /// The result is at its end.
  input  logic              done_i,
  /// Per lane: the result; of a dummy MOV merged from t+2 on.
  output logic [DATA_W-1:0] data_o,
  /// It holds a result.
  output logic              busy_o,
  /// The data of the bank is looked at in this cycle.
  output logic              check_o,
  /// The result is that of a dummy MOV.
  output logic              merge_o,
  /// The register read in the cycle before holds the result.
  output logic              equal_o,
  /// reg_o holds the result: nothing is to be written.
  output logic              share_o,
  /// It wants a register of its own.
  output logic              need_o,
  /// data_o is to be written to reg_o.
  output logic              write_o,
  /// The register that was read.
  output logic [PREG_W-1:0] cand_o,
  /// Where the result is or is to be written, else 0.
  output logic [PREG_W-1:0] reg_o,
  /// As loaded.
  output logic [INFOW-1:0]  info_o
);

  if (LANES < 1 || LANES > 32) begin : gen_lanes_range
    $error("rf_verify: LANES must be 1 to 32");
  end
  if (PREGS < 2 || PREGS > 1024) begin : gen_pregs_range
    $error("rf_verify: PREGS must be 2 to 1024");
  end
  if (INFOW < 1 || INFOW > 64) begin : gen_infow_range
    $error("rf_verify: INFOW must be 1 to 64");
  end

  localparam logic [2:0] IDLE  = 3'd0;
  localparam logic [2:0] CHECK = 3'd1;  // data arrives in this cycle
  localparam logic [2:0] SHARE = 3'd2;  // equal, waits for done_i
  localparam logic [2:0] NEED  = 3'd3;  // not equal, waits for a register
  localparam logic [2:0] WRITE = 3'd4;  // waits for its write

  logic [2:0]        state_q, state_d;
  logic              merge_q;
  logic [PREG_W-1:0] cand_q, reg_q;
  logic [LANES-1:0]  mask_q;
  logic [DATA_W-1:0] data_q;
  logic [INFOW-1:0]  info_q;

  logic load, give;

  assign load    = load_i && state_q == IDLE;
  assign give    = give_i && state_q == NEED;
  assign busy_o  = state_q != IDLE;
  assign check_o = state_q == CHECK;
  assign share_o = state_q == SHARE || equal_o;
  assign need_o  = state_q == NEED;
  assign write_o = state_q == WRITE;
  assign data_o  = data_q;
  assign merge_o = merge_q;
  assign cand_o  = cand_q;
  assign info_o  = info_q;

  always_comb begin
    equal_o = 1'b0;
    if (check_o && !merge_q) equal_o = rdata_i == data_q;
  end

  always_comb begin
    reg_o = '0;
    if (share_o) reg_o = cand_q;
    if (write_o) reg_o = reg_q;
  end

  always_comb begin
    state_d = state_q;
    case (state_q)
      IDLE:  if (load_i) state_d = CHECK;
      CHECK: begin
        if (merge_q)      state_d = WRITE;
        else if (equal_o) state_d = done_i ? IDLE : SHARE;
        else              state_d = NEED;
      end
      NEED:    if (give_i) state_d = WRITE;
      default: if (done_i) state_d = IDLE;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= IDLE;
    else         state_q <= state_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      merge_q <= 1'b0;
      cand_q  <= '0;
      mask_q  <= '0;
      info_q  <= '0;
    end else if (load) begin
      merge_q <= load_merge_i;
      cand_q  <= load_cand_i;
      mask_q  <= load_mask_i;
      info_q  <= load_info_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)   reg_q <= '0;
    else if (load) reg_q <= load_reg_i;
    else if (give) reg_q <= give_reg_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) data_q <= '0;
    else if (load) data_q <= load_data_i;
    else if (check_o && merge_q) begin
      for (int l = 0; l < LANES; l++)
        if (!mask_q[l]) data_q[32*l +: 32] <= rdata_i[32*l +: 32];
    end
  end

endmodule

`default_nettype wire
