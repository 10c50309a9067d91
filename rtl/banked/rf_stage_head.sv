// SPDX-License-Identifier: Apache-2.0
// The head instruction of one warp, out of all instruction buffers' heads, with the places of its sources (D-map). Combinational.
//
// Mask:    an instruction with mask 0 has no sources and no destination (D-mask); the caller has done that to the valid bits.
// Mapping: register r of warp w is in bank (r + w) mod BANKS, row w * ceil(REGS / BANKS) + r / BANKS, cut to their widths.
// Range:   for a warp that does not exist its instruction is 0 but for `warp`; bank and row are those of its register 0.
`default_nettype none

module rf_stage_head #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// Register banks, 1 to 32.
  parameter int unsigned BANKS = 16,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 32,
  /// Lanes, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Execution ports, 1 to 8.
  parameter int unsigned EXPORTS = 3,
  localparam int unsigned TAG_W = rf_banked_pkg::TAG_W,
  localparam int unsigned ROWS_PER_WARP = rf_banked_pkg::rows_per_warp(REGS, BANKS),
  localparam int unsigned ROWS = WARPS * ROWS_PER_WARP,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS),
  localparam int unsigned INST_W = `RF_BANKED_INST_W,
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS)
) (
  /// The warp.
  input  logic [WARP_W-1:0]            warp_i,
  /// Per warp: tag, execution port, active lanes, destination, sources; per source: element warp * SLOTS + slot.
  input  logic [WARPS*TAG_W-1:0]       ib_tag_i,
  input  logic [WARPS*PORT_W-1:0]      ib_port_i,
  input  logic [WARPS*LANES-1:0]       ib_mask_i,
  input  logic [WARPS-1:0]             ib_dst_valid_i,
  input  logic [WARPS*REG_W-1:0]       ib_dst_i,
  input  logic [WARPS*SLOTS-1:0]       ib_src_valid_i,
  input  logic [WARPS*SLOTS*REG_W-1:0] ib_src_i,
  /// The warp's instruction: rf_banked_pkg's inst_t.
  output logic [INST_W-1:0]            inst_o,
  /// Per source: its bank and row.
  output logic [SLOTS*BANK_W-1:0]      bank_o,
  output logic [SLOTS*ROW_W-1:0]       row_o
);

  if (WARPS < 1 || WARPS > 64 || BANKS < 1 || BANKS > 32 || LANES < 1 || LANES > 32 || SLOTS < 1 || SLOTS > 8 || EXPORTS < 1 ||
      EXPORTS > 8) begin : gen_range
    $error("rf_stage_head: WARPS 1 to 64, BANKS 1 to 32, LANES 1 to 32, SLOTS 1 to 8, EXPORTS 1 to 8");
  end
  if (REGS < 1 || REGS > 256 || ROWS > 1024) begin : gen_regs_range
    $error("rf_stage_head: REGS must be 1 to 256, and WARPS x ceil(REGS / BANKS) at most 1024");
  end

  `RF_BANKED_RECORDS

  logic                   exists;
  logic [SLOTS*REG_W-1:0] src;
  carried_t               carried;
  inst_t                  inst;

  assign exists = {1'b0, warp_i} < (WARP_W+1)'(WARPS);
  assign src    = exists ? ib_src_i[warp_i*SLOTS*REG_W +: SLOTS*REG_W] : '0;
  assign inst_o = inst;

  assign carried.warp      = warp_i;
  assign carried.tag       = exists ? ib_tag_i[warp_i*TAG_W +: TAG_W] : '0;
  assign carried.mask      = exists ? ib_mask_i[warp_i*LANES +: LANES] : '0;
  assign carried.dst_valid = exists && ib_dst_valid_i[warp_i];
  assign carried.dst       = exists ? ib_dst_i[warp_i*REG_W +: REG_W] : '0;
  assign inst.carried      = carried;
  assign inst.port         = exists ? ib_port_i[warp_i*PORT_W +: PORT_W] : '0;
  assign inst.src_valid    = exists ? ib_src_valid_i[warp_i*SLOTS +: SLOTS] : '0;
  assign inst.src          = src;

  for (genvar s = 0; s < SLOTS; s++) begin : gen_map
    logic [7:0] register;
    assign register = 8'(src[s*REG_W +: REG_W]);
    assign bank_o[s*BANK_W +: BANK_W] = BANK_W'({rf_banked_pkg::map_bank(6'(warp_i), register, 6'(BANKS))});
    assign row_o[s*ROW_W +: ROW_W] = ROW_W'({rf_banked_pkg::map_row(6'(warp_i), register, 6'(BANKS), 9'(ROWS_PER_WARP))});
  end

endmodule

`default_nettype wire
