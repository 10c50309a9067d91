// SPDX-License-Identifier: Apache-2.0
// rf_bank with two lanes in other words: a memory for each lane, and the read register turned around in its halves.
module ram #(parameter int DEPTH = 64) (
  input logic clk, input logic en, input logic [$clog2(DEPTH)-1:0] at, input logic [31:0] d, output logic [31:0] q [0:DEPTH-1]
);
  logic [31:0] cell_q [0:DEPTH-1];
  always_ff @(posedge clk) if (en) cell_q[at] <= d;
  assign q = cell_q;
endmodule

module two_lanes #(parameter int DEPTH = 64) (
  input logic clk, input logic reset_n,
  input logic wr, input logic [$clog2(DEPTH)-1:0] wr_at, input logic [1:0] lanes, input logic [31:0] d1, input logic [31:0] d0,
  input logic rd, input logic [$clog2(DEPTH)-1:0] rd_at,
  output logic [63:0] q
);
  logic [31:0] low [0:DEPTH-1], high [0:DEPTH-1];
  logic [63:0] swapped;
  ram #(.DEPTH(DEPTH)) u_low  (.clk, .en(wr && lanes[0] && reset_n), .at(wr_at), .d(d0), .q(low));
  ram #(.DEPTH(DEPTH)) u_high (.clk, .en(wr && lanes[1] && reset_n), .at(wr_at), .d(d1), .q(high));
  assign q = {swapped[31:0], swapped[63:32]};
  always_ff @(posedge clk or negedge reset_n)
    if (!reset_n) swapped <= '0;
    else if (rd && !wr) swapped <= {low[rd_at], high[rd_at]};
endmodule
