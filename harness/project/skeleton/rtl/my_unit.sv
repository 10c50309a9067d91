// SPDX-License-Identifier: Apache-2.0
// A counter that saturates: counts up by one, and stays at its largest value.
`default_nettype none

module my_unit #(
  parameter int unsigned W = 4  // bits of the count, 1 to 8
) (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         inc_i,   // count up
  input  logic         clr_i,   // back to 0: beats inc_i
  output logic [W-1:0] count_o,
  output logic         full_o   // the count is at its largest value
);

  logic [W-1:0] count_q;

  assign count_o = count_q;
  assign full_o  = &count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)               count_q <= '0;
    else if (clr_i)            count_q <= '0;
    else if (inc_i && !full_o) count_q <= count_q + 1'b1;
  end

endmodule

`default_nettype wire
