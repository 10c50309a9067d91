// SPDX-License-Identifier: Apache-2.0
// Results of the execution ports to their write-back queues: one rf_wbq a port, and the mapping of registers before it (D-map).
//
// Handshake: a result is accepted while res_ready_o; the head of each queue asks for its bank from the cycle after on, until
//            wr_grant_i. A result while not ready and a grant of an empty queue are ignored.
// Mapping:   register r of warp w is in bank (r + w) mod BANKS, row w * ceil(REGS / BANKS) + r / BANKS, cut to their widths.
// Reset:     queues empty, all entries 0.
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
  /// Bits that a result carries along, 1 to 8.
  parameter int unsigned NOTE = 1,
  localparam int unsigned ROWS_PER_WARP = rf_banked_pkg::rows_per_warp(REGS, BANKS),
  localparam int unsigned ROWS = WARPS * ROWS_PER_WARP,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS),
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS),
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  /// Per port: a result is offered ...
  input  logic [EXPORTS-1:0]        res_valid_i,
  /// ... of this warp ...
  input  logic [EXPORTS*WARP_W-1:0] res_warp_i,
  /// ... for this register of it ...
  input  logic [EXPORTS*REG_W-1:0]  res_dst_i,
  /// ... with this note, only carried ([Malekeh 4.2]: it is read again soon).
  input  logic [EXPORTS*NOTE-1:0]   res_note_i,
  /// Per port: lanes to write.
  input  logic [EXPORTS*LANES-1:0]  res_mask_i,
  /// Per port and lane: the value.
  input  logic [EXPORTS*DATA_W-1:0] res_data_i,
  /// Per port: the head of its queue is written.
  input  logic [EXPORTS-1:0]        wr_grant_i,
  /// Per port: its queue accepts a result.
  output logic [EXPORTS-1:0]        res_ready_o,
  /// Per port: the head of its queue asks for its bank; all below is 0 when not.
  output logic [EXPORTS-1:0]        wr_valid_o,
  /// Per port: that head, as it came, with its bank and row.
  output logic [EXPORTS*WARP_W-1:0] wr_warp_o,
  output logic [EXPORTS*REG_W-1:0]  wr_reg_o,
  output logic [EXPORTS*NOTE-1:0]   wr_note_o,
  output logic [EXPORTS*BANK_W-1:0] wr_bank_o,
  output logic [EXPORTS*ROW_W-1:0]  wr_row_o,
  output logic [EXPORTS*LANES-1:0]  wr_mask_o,
  output logic [EXPORTS*DATA_W-1:0] wr_data_o
);

  if (WARPS < 1 || WARPS > 64 || BANKS < 1 || BANKS > 32 || LANES < 1 || LANES > 32 || EXPORTS < 1 || EXPORTS > 8 || WBDEPTH < 1 ||
      WBDEPTH > 16 || NOTE < 1 || NOTE > 8) begin : gen_range
    $error("rf_stage_results: WARPS 1 to 64, BANKS 1 to 32, LANES 1 to 32, EXPORTS 1 to 8, WBDEPTH 1 to 16, NOTE 1 to 8");
  end
  if (REGS < 1 || REGS > 256 || ROWS > 1024) begin : gen_regs_range
    $error("rf_stage_results: REGS must be 1 to 256, and WARPS x ceil(REGS / BANKS) at most 1024");
  end

  for (genvar e = 0; e < EXPORTS; e++) begin : gen_wbq
    logic [WARP_W-1:0] warp;
    logic [7:0]        register;

    assign warp     = res_warp_i[e*WARP_W +: WARP_W];
    assign register = 8'(res_dst_i[e*REG_W +: REG_W]);

    rf_wbq #(.DEPTH(WBDEPTH), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .BANKS(BANKS), .ROWS(ROWS), .NOTE(NOTE)) u_wbq (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .push_i     (res_valid_i[e]),
      .push_warp_i(warp),
      .push_reg_i (res_dst_i[e*REG_W +: REG_W]),
      .push_note_i(res_note_i[e*NOTE +: NOTE]),
      .push_bank_i(BANK_W'({rf_banked_pkg::map_bank(6'(warp), register, 6'(BANKS))})),
      .push_row_i (ROW_W'({rf_banked_pkg::map_row(6'(warp), register, 6'(BANKS), 9'(ROWS_PER_WARP))})),
      .push_mask_i(res_mask_i[e*LANES +: LANES]),
      .push_data_i(res_data_i[e*DATA_W +: DATA_W]),
      .grant_i    (wr_grant_i[e]),
      .ready_o    (res_ready_o[e]),
      .wr_valid_o (wr_valid_o[e]),
      .wr_warp_o  (wr_warp_o[e*WARP_W +: WARP_W]),
      .wr_reg_o   (wr_reg_o[e*REG_W +: REG_W]),
      .wr_note_o  (wr_note_o[e*NOTE +: NOTE]),
      .wr_bank_o  (wr_bank_o[e*BANK_W +: BANK_W]),
      .wr_row_o   (wr_row_o[e*ROW_W +: ROW_W]),
      .wr_mask_o  (wr_mask_o[e*LANES +: LANES]),
      .wr_data_o  (wr_data_o[e*DATA_W +: DATA_W])
    );
  end

endmodule

`default_nettype wire
