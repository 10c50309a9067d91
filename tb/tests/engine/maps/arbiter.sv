// SPDX-License-Identifier: Apache-2.0
// rf_arbiter with one port a bank in other words: no instances, all pointers in two arrays, ports of two dimensions.
module grants #(parameter int BANKS = 4, parameter int C = 8, parameter int S = 3, parameter int W = 2, parameter int RW = 7,
  parameter int BW = $clog2(BANKS), parameter int WW = W > 1 ? $clog2(W) : 1) (
  input  logic clk, input logic rst_n,
  input  logic [C*S-1:0] ask, input logic [C*S-1:0][BW-1:0] ask_bank, input logic [C*S-1:0][RW-1:0] ask_row,
  input  logic [W-1:0] put, input logic [W-1:0][BW-1:0] put_bank, input logic [W-1:0][RW-1:0] put_row,
  output logic [C*S-1:0] ask_ok, output logic [W-1:0] put_ok,
  output logic [BANKS-1:0] re, output logic [BANKS-1:0][RW-1:0] raddr,
  output logic [BANKS-1:0] we, output logic [BANKS-1:0][RW-1:0] waddr, output logic [BANKS-1:0][WW-1:0] wsel
);
  logic [BANKS-1:0][C-1:0] rd_above, rd_above_d;
  logic [W-1:0] wr_above [0:BANKS-1], wr_above_d [0:BANKS-1];
  logic [C-1:0] collectors, chosen;
  logic [W-1:0] writers, writer;
  logic first;

  always_comb begin
    ask_ok = '0; put_ok = '0; re = '0; we = '0; raddr = '0; waddr = '0; wsel = '0;
    rd_above_d = rd_above;
    wr_above_d = wr_above;
    first = 1'b0;
    collectors = '0; chosen = '0; writers = '0; writer = '0;
    for (int b = 0; b < BANKS; b++) begin
      for (int w = 0; w < W; w++) writers[w] = put[w] && put_bank[w] == BW'(b);
      writer = (writers & wr_above[b]) != 0 ? writers & wr_above[b] : writers;
      writer = writer & (~writer + 1'b1);
      put_ok |= writer;
      we[b] = writers != 0;
      for (int w = 0; w < W; w++) if (writer[w]) {waddr[b], wsel[b]} = {put_row[w], WW'(w)};
      if (we[b]) wr_above_d[b] = ~(writer | (writer - 1'b1));
      collectors = '0;
      for (int r = 0; r < C*S; r++) if (ask[r] && ask_bank[r] == BW'(b)) collectors[r/S] = 1'b1;
      chosen = (collectors & rd_above[b]) != 0 ? collectors & rd_above[b] : collectors;
      chosen = chosen & (~chosen + 1'b1);
      re[b] = collectors != 0 && !we[b];
      if (re[b]) begin
        rd_above_d[b] = ~(chosen | (chosen - 1'b1));
        for (int c = 0; c < C; c++) begin
          first = 1'b1; // of its slots that ask the lowest is served
          for (int s = 0; s < S; s++)
            if (chosen[c] && first && ask[c*S+s] && ask_bank[c*S+s] == BW'(b)) begin
              ask_ok[c*S+s] = 1'b1;
              raddr[b] = ask_row[c*S+s];
              first = 1'b0;
            end
        end
      end
    end
  end

  always_ff @(posedge clk or negedge rst_n)
    if (!rst_n) begin
      rd_above <= '0;
      wr_above <= '{default: '0};
    end else begin
      rd_above <= rd_above_d;
      wr_above <= wr_above_d;
    end
endmodule
