// SPDX-License-Identifier: Apache-2.0
// Results of the execution ports to their write-back queues: a part of the systems, made of rf_wbq and the mapping before it (D-map).
//
// Handshake: a result is accepted while res_ready_o; the head of each queue asks for its bank until wr_grant_i.
`default_nettype none

module rf_stage_results #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// Register banks, 1 to 32.
  parameter int unsigned BANKS = 16,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 32,
  /// Lanes, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Execution ports, 1 to 8.
  parameter int unsigned EXPORTS = 3,
  /// Entries of a queue, 1 to 16.
  parameter int unsigned WBDEPTH = 4,
  localparam int unsigned ROWS_PER_WARP = rf_banked_pkg::rows_per_warp(REGS, BANKS),
  localparam int unsigned ROWS = WARPS * ROWS_PER_WARP,
  localparam int unsigned WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
  localparam int unsigned REG_W = (REGS > 1) ? $clog2(REGS) : 1,
  localparam int unsigned BANK_W = (BANKS > 1) ? $clog2(BANKS) : 1,
  localparam int unsigned ROW_W = (ROWS > 1) ? $clog2(ROWS) : 1,
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  /// Per port: a result is offered.
  input  logic [EXPORTS-1:0]        res_valid_i,
  input  logic [EXPORTS*WARP_W-1:0] res_warp_i,
  input  logic [EXPORTS*REG_W-1:0]  res_dst_i,
  input  logic [EXPORTS*LANES-1:0]  res_mask_i,
  input  logic [EXPORTS*DATA_W-1:0] res_data_i,
  /// Per port: the head of its queue is written.
  input  logic [EXPORTS-1:0]        wr_grant_i,
  /// Per port: its queue accepts a result.
  output logic [EXPORTS-1:0]        res_ready_o,
  /// Per port: the head of its queue asks for its bank; all below is 0 when not.
  output logic [EXPORTS-1:0]        wr_valid_o,
  output logic [EXPORTS*WARP_W-1:0] wr_warp_o,
  output logic [EXPORTS*REG_W-1:0]  wr_reg_o,
  output logic [EXPORTS*BANK_W-1:0] wr_bank_o,
  output logic [EXPORTS*ROW_W-1:0]  wr_row_o,
  output logic [EXPORTS*LANES-1:0]  wr_mask_o,
  output logic [EXPORTS*DATA_W-1:0] wr_data_o
);

  for (genvar e = 0; e < EXPORTS; e++) begin : gen_wbq
    logic [WARP_W-1:0] warp;
    logic [7:0]        register;

    assign warp     = res_warp_i[e*WARP_W +: WARP_W];
    assign register = 8'(res_dst_i[e*REG_W +: REG_W]);

    rf_wbq #(.DEPTH(WBDEPTH), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .BANKS(BANKS), .ROWS(ROWS)) u_wbq (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .push_i     (res_valid_i[e]),
      .push_warp_i(warp),
      .push_reg_i (res_dst_i[e*REG_W +: REG_W]),
      .push_bank_i(BANK_W'(rf_banked_pkg::map_bank(6'(warp), register, 6'(BANKS)))),
      .push_row_i (ROW_W'(rf_banked_pkg::map_row(6'(warp), register, 6'(BANKS), 9'(ROWS_PER_WARP)))),
      .push_mask_i(res_mask_i[e*LANES +: LANES]),
      .push_data_i(res_data_i[e*DATA_W +: DATA_W]),
      .grant_i    (wr_grant_i[e]),
      .ready_o    (res_ready_o[e]),
      .wr_valid_o (wr_valid_o[e]),
      .wr_warp_o  (wr_warp_o[e*WARP_W +: WARP_W]),
      .wr_reg_o   (wr_reg_o[e*REG_W +: REG_W]),
      .wr_bank_o  (wr_bank_o[e*BANK_W +: BANK_W]),
      .wr_row_o   (wr_row_o[e*ROW_W +: ROW_W]),
      .wr_mask_o  (wr_mask_o[e*LANES +: LANES]),
      .wr_data_o  (wr_data_o[e*DATA_W +: DATA_W])
    );
  end

endmodule

`default_nettype wire
