// SPDX-License-Identifier: Apache-2.0
// Register re-indexing and the place of a line in the integrated memory.
//
// Latency:  none; combinational, no clock.
// Register: reg_i of warp warp_i is number warp_i * REGS + reg_i, which is {warp_i, reg_i} where REGS is a power of two; else
//           there are no gaps. Its line is {PREFIX, number}.
// Place:    from the low bits on the bank, the set, the tag.
// Range:    of a warp or register that does not exist the number is cut. With one bank, or one set, its number is 0.
// Source:   [CERF III-C, Fig. 4].
`default_nettype none

module rf_reindex #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 48,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 21,
  /// Tag banks, a power of two, 1 to 32.
  parameter int unsigned BANKS = 4,
  /// Sets of a bank, a power of two, 1 to 256.
  parameter int unsigned SETS = 64,
  /// Bits of a line number, 2 to 25; more than log2(BANKS x SETS), more than the number of a register has.
  parameter int unsigned LINE_W = 25,
  /// Prefix of this SM, 0 to 2^24 - 1: the bits of a register's line above its number.
  parameter int unsigned PREFIX = 32752,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned NUMBER_W = rf_pkg::index_bits(WARPS * REGS),
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS),
  localparam int unsigned SET_W = rf_pkg::index_bits(SETS),
  localparam int unsigned TAG_W = LINE_W - $clog2(BANKS * SETS)
) (
  /// The warp.
  input  logic [WARP_W-1:0]   warp_i,
  /// Its register.
  input  logic [REG_W-1:0]    reg_i,
  /// Line number of a memory access.
  input  logic [LINE_W-1:0]   mem_line_i,
  /// Number of the register,
  output logic [NUMBER_W-1:0] number_o,
  /// its line number,
  output logic [LINE_W-1:0]   line_o,
  /// bank,
  output logic [BANK_W-1:0]   bank_o,
  /// set
  output logic [SET_W-1:0]    set_o,
  /// and tag of that.
  output logic [TAG_W-1:0]    tag_o,
  /// Of the memory access: the bank,
  output logic [BANK_W-1:0]   mem_bank_o,
  /// set
  output logic [SET_W-1:0]    mem_set_o,
  /// and tag.
  output logic [TAG_W-1:0]    mem_tag_o
);

  if (WARPS < 1 || WARPS > 64 || REGS < 1 || REGS > 256) begin : gen_registers_range
    $error("rf_reindex: WARPS 1 to 64, REGS 1 to 256");
  end
  if (BANKS < 1 || BANKS > 32 || (BANKS & (BANKS - 1)) != 0 || SETS < 1 || SETS > 256 ||
      (SETS & (SETS - 1)) != 0) begin : gen_place_range
    $error("rf_reindex: BANKS a power of two, 1 to 32, SETS a power of two, 1 to 256");
  end
  if (LINE_W < 2 || LINE_W > 25 || LINE_W <= $clog2(BANKS * SETS) || LINE_W <= NUMBER_W ||
      PREFIX > 16777215) begin : gen_line_range
    $error("rf_reindex: LINE_W 2 to 25, more than log2(BANKS x SETS), more than log2(WARPS x REGS); PREFIX 0 to 16777215");
  end

  localparam int unsigned PREFIX_W = LINE_W - NUMBER_W;
  localparam int unsigned SET_LOW = $clog2(BANKS);
  localparam int unsigned TAG_LOW = $clog2(BANKS * SETS);
  localparam logic [BANK_W-1:0] LAST_BANK = BANK_W'(BANKS - 1);
  localparam logic [SET_W-1:0] LAST_SET = SET_W'(SETS - 1);

  assign number_o = NUMBER_W'(warp_i) * NUMBER_W'(REGS) + NUMBER_W'(reg_i);
  assign line_o   = {PREFIX_W'(PREFIX), number_o};

  assign bank_o = line_o[BANK_W-1:0] & LAST_BANK;
  assign set_o  = line_o[SET_LOW +: SET_W] & LAST_SET;
  assign tag_o  = line_o[LINE_W-1:TAG_LOW];

  assign mem_bank_o = mem_line_i[BANK_W-1:0] & LAST_BANK;
  assign mem_set_o  = mem_line_i[SET_LOW +: SET_W] & LAST_SET;
  assign mem_tag_o  = mem_line_i[LINE_W-1:TAG_LOW];

endmodule

`default_nettype wire
