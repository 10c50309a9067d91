// SPDX-License-Identifier: Apache-2.0
// bank.sv as Yosys reads it too: a memory for each lane, of which that of the upper is in reverse, and the read register turned around
// in its halves.
module plain_ram #(parameter int DEPTH = 64) (
  input logic clk, input logic reset_n, input logic wr, input logic rd,
  input logic [$clog2(DEPTH)-1:0] wr_at, input logic [$clog2(DEPTH)-1:0] rd_at, input logic [31:0] d, output logic [31:0] q
);
  logic [31:0] cell_q [0:DEPTH-1];
  always_ff @(posedge clk) if (wr) cell_q[wr_at] <= d;
  always_ff @(posedge clk or negedge reset_n)
    if (!reset_n) q <= '0;
    else if (rd) q <= cell_q[rd_at];
endmodule

module plain_lanes #(parameter int DEPTH = 64) (
  input logic clk, input logic reset_n,
  input logic wr, input logic [$clog2(DEPTH)-1:0] wr_at, input logic [1:0] lanes, input logic [31:0] d1, input logic [31:0] d0,
  input logic rd, input logic [$clog2(DEPTH)-1:0] rd_at,
  output logic [63:0] q
);
  plain_ram #(.DEPTH(DEPTH)) u_low (.clk(clk), .reset_n(reset_n), .wr(wr && lanes[0] && reset_n), .rd(rd && !wr),
      .wr_at(wr_at), .rd_at(rd_at), .d(d0), .q(q[31:0]));
  plain_ram #(.DEPTH(DEPTH)) u_high (.clk(clk), .reset_n(reset_n), .wr(wr && lanes[1] && reset_n), .rd(rd && !wr),
      .wr_at(wr_at), .rd_at(rd_at), .d(d1), .q(q[63:32]));
endmodule
