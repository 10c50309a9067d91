// SPDX-License-Identifier: Apache-2.0
// One SRAM bank of the register file: ROWS entries of LANES x 32 bit, write enables per lane, registered read.
//
// Latency:  the data of a read accepted in cycle t is on rdata_o in cycle t + 1 and stays until the next accepted read.
// Conflict: PORTS = 1 [bank stealing II-B]: a write wins the port, whatever its mask and row; that cycle's read is not performed.
//           PORTS = 2 ([hierarchy 2.1], [WIR II]): both are performed; a read of the row being written returns the old row.
// Range:    a row outside 0 .. ROWS-1 (when ROWS is no power of two): a write changes nothing, a read returns 0.
// Reset:    rdata_o is 0; the memory has no reset, as an SRAM has none.
`default_nettype none

module rf_bank #(
  /// Rows, 1 to 1024.
  parameter int unsigned ROWS = 64,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// 1: one port for reads and writes; 2: one read and one write port.
  parameter int unsigned PORTS = 1,
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS),
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  /// Write ...
  input  logic              we_i,
  /// ... this row ...
  input  logic [ROW_W-1:0]  waddr_i,
  /// ... in these lanes ...
  input  logic [LANES-1:0]  wmask_i,
  /// ... with, per lane, this value.
  input  logic [DATA_W-1:0] wdata_i,
  /// Read ...
  input  logic              re_i,
  /// ... this row.
  input  logic [ROW_W-1:0]  raddr_i,
  /// The row of the last accepted read.
  output logic [DATA_W-1:0] rdata_o
);

  if (ROWS < 1 || ROWS > 1024) begin : gen_rows_range
    $error("rf_bank: ROWS must be 1 to 1024");
  end
  if (LANES < 1 || LANES > 32) begin : gen_lanes_range
    $error("rf_bank: LANES must be 1 to 32");
  end
  if (PORTS < 1 || PORTS > 2) begin : gen_ports_range
    $error("rf_bank: PORTS must be 1 or 2");
  end

  logic [DATA_W-1:0] mem_q [0:ROWS-1];
  logic [DATA_W-1:0] rdata_q;
  logic              write, read;

  // One bit more than the row, so that ROWS itself fits.
  assign write   = we_i && {1'b0, waddr_i} < (ROW_W + 1)'(ROWS);
  assign read    = re_i && (PORTS == 2 || !we_i);
  assign rdata_o = rdata_q;

  // The row with the lanes of `mask` replaced. One write of a merged row simulates almost twice as fast as a write for each lane;
  // synthesis finds the lanes' write enables in it, and no second read port.
  function automatic logic [DATA_W-1:0] merge(input logic [DATA_W-1:0] row, input logic [DATA_W-1:0] value,
                                              input logic [LANES-1:0] mask);
    for (int l = 0; l < LANES; l++) merge[l*32 +: 32] = mask[l] ? value[l*32 +: 32] : row[l*32 +: 32];
  endfunction

  always_ff @(posedge clk_i) begin
    if (write && rst_ni) mem_q[waddr_i] <= merge(mem_q[waddr_i], wdata_i, wmask_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)   rdata_q <= '0;
    else if (read) rdata_q <= ({1'b0, raddr_i} < (ROW_W + 1)'(ROWS)) ? mem_q[raddr_i] : '0;
  end

endmodule

`default_nettype wire
