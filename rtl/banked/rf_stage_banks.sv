// SPDX-License-Identifier: Apache-2.0
// The banked register file [bank stealing II-B]: rf_bank, a crossbar from result buses to banks, one from banks to readers.
//
// Latency:  a row read in cycle t is on rdata_o, and on fill_data_o of every reader that takes it, from t + 1 to the next read.
// Conflict: PORTS = 1: a bank that writes does not read; PORTS = 2: it reads the old row. As in rf_bank.
// Range:    a bus that does not exist writes no lane; a row that does not exist: as in rf_bank; a reader without fill_valid_i,
//           or of a bank that does not exist, gets 0.
// Reset:    rdata_o is 0; the rows have no reset, as an SRAM has none.
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
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS),
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS),
  localparam int unsigned BUS_W = rf_pkg::index_bits(BUSES),
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  /// Per bank: it reads ...
  input  logic [BANKS-1:0]          re_i,
  /// ... this row.
  input  logic [BANKS*ROW_W-1:0]    raddr_i,
  /// Per bank: it writes ...
  input  logic [BANKS-1:0]          we_i,
  /// ... this row ...
  input  logic [BANKS*ROW_W-1:0]    waddr_i,
  /// ... from this bus.
  input  logic [BANKS*BUS_W-1:0]    wsel_i,
  /// Per bus: lanes to write ...
  input  logic [BUSES*LANES-1:0]    mask_i,
  /// ... and, per lane, the value.
  input  logic [BUSES*DATA_W-1:0]   data_i,
  /// Per reader: it takes ...
  input  logic [READERS-1:0]        fill_valid_i,
  /// ... what this bank has read.
  input  logic [READERS*BANK_W-1:0] fill_bank_i,
  /// Per reader: the row, 0 when it takes none.
  output logic [READERS*DATA_W-1:0] fill_data_o,
  /// Per bank: what it has read.
  output logic [BANKS*DATA_W-1:0]   rdata_o
);

  if (BANKS < 1 || BANKS > 32) begin : gen_banks_range
    $error("rf_stage_banks: BANKS must be 1 to 32");
  end
  if (ROWS < 1 || ROWS > 1024) begin : gen_rows_range
    $error("rf_stage_banks: ROWS must be 1 to 1024");
  end
  if (LANES < 1 || LANES > 32) begin : gen_lanes_range
    $error("rf_stage_banks: LANES must be 1 to 32");
  end
  if (PORTS < 1 || PORTS > 2) begin : gen_ports_range
    $error("rf_stage_banks: PORTS must be 1 or 2");
  end
  if (BUSES < 1 || BUSES > 8) begin : gen_buses_range
    $error("rf_stage_banks: BUSES must be 1 to 8");
  end
  if (READERS < 1 || READERS > 64) begin : gen_readers_range
    $error("rf_stage_banks: READERS must be 1 to 64");
  end

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
