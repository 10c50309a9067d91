// SPDX-License-Identifier: Apache-2.0
// rf_rr in other words: other names, an active-high reset, and the pointer kept as its inverse, one level deeper.
module rot #(parameter int W = 8) (
  input  logic ck, input logic rs,
  input  logic [W-1:0] asks, input logic used,
  output logic [W-1:0] gnt
);
  logic [W-1:0] below;
  wire  [W-1:0] pool = (asks & ~below) != 0 ? asks & ~below : asks;
  assign gnt = pool & (~pool + 1'b1);
  always_ff @(posedge ck or posedge rs)
    if (rs) below <= '1;
    else if (used && asks != 0) below <= gnt | (gnt - 1'b1);
endmodule

module my_rr #(parameter int WIDTH = 8) (
  input  logic ck, input logic rs, input logic scan_en,
  input  logic [WIDTH-1:0] requests, input logic used,
  output logic [WIDTH-1:0] gnt, output logic any
);
  assign any = |requests;
  rot #(.W(WIDTH)) u_rot (.ck, .rs, .asks(requests), .used(used && !scan_en), .gnt);
endmodule
