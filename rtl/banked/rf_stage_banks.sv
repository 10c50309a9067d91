// SPDX-License-Identifier: Apache-2.0
// The banks between the result buses and the collectors: a part of the systems, made of rf_bank and the crossbars around it.
//
// Timing: a bank that reads in this cycle has the row on its side of the read crossbar in the next; rdata_o is before the crossbar.
`default_nettype none

module rf_stage_banks #(
  /// Register banks, 1 to 32.
  parameter int unsigned BANKS = 16,
  /// Rows of a bank, 1 to 1024.
  parameter int unsigned ROWS = 64,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Ports of a bank: 1 shared, 2 one read and one write.
  parameter int unsigned PORTS = 1,
  /// Result buses, 1 to 8.
  parameter int unsigned BUSES = 3,
  /// Operands that are read at most at once, 1 to 64.
  parameter int unsigned READERS = 24,
  localparam int unsigned BANK_W = (BANKS > 1) ? $clog2(BANKS) : 1,
  localparam int unsigned ROW_W = (ROWS > 1) ? $clog2(ROWS) : 1,
  localparam int unsigned BUS_W = (BUSES > 1) ? $clog2(BUSES) : 1,
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  /// Per bank: it reads this row.
  input  logic [BANKS-1:0]          re_i,
  input  logic [BANKS*ROW_W-1:0]    raddr_i,
  /// Per bank: it writes this row from this bus.
  input  logic [BANKS-1:0]          we_i,
  input  logic [BANKS*ROW_W-1:0]    waddr_i,
  input  logic [BANKS*BUS_W-1:0]    wsel_i,
  /// Per bus: lanes to write, values.
  input  logic [BUSES*LANES-1:0]    mask_i,
  input  logic [BUSES*DATA_W-1:0]   data_i,
  /// Per reader: it takes what this bank has read.
  input  logic [READERS-1:0]        fill_valid_i,
  input  logic [READERS*BANK_W-1:0] fill_bank_i,
  output logic [READERS*DATA_W-1:0] fill_data_o,
  /// Per bank: what it has read.
  output logic [BANKS*DATA_W-1:0]   rdata_o
);

  logic [BANKS*LANES-1:0]  wmask;
  logic [BANKS*DATA_W-1:0] wdata;

  rf_crossbar #(.SRC(BUSES), .DST(BANKS), .WIDTH(DATA_W)) u_wdata_xbar (
    .valid_i(we_i), .sel_i(wsel_i), .data_i(data_i), .data_o(wdata)
  );

  rf_crossbar #(.SRC(BUSES), .DST(BANKS), .WIDTH(LANES)) u_wmask_xbar (
    .valid_i(we_i), .sel_i(wsel_i), .data_i(mask_i), .data_o(wmask)
  );

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    rf_bank #(.ROWS(ROWS), .LANES(LANES), .PORTS(PORTS)) u_bank (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .we_i(we_i[b]), .waddr_i(waddr_i[b*ROW_W +: ROW_W]),
      .wmask_i(wmask[b*LANES +: LANES]), .wdata_i(wdata[b*DATA_W +: DATA_W]),
      .re_i(re_i[b]), .raddr_i(raddr_i[b*ROW_W +: ROW_W]),
      .rdata_o(rdata_o[b*DATA_W +: DATA_W])
    );
  end

  rf_crossbar #(.SRC(BANKS), .DST(READERS), .WIDTH(DATA_W)) u_read_xbar (
    .valid_i(fill_valid_i), .sel_i(fill_bank_i), .data_i(rdata_o), .data_o(fill_data_o)
  );

endmodule

`default_nettype wire
