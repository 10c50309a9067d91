// SPDX-License-Identifier: Apache-2.0
// Round-robin arbiter as a tree of two-way arbiters, each of which remembers whose turn it is.
module arb_node (
  input  logic clk, reset,
  input  logic left, right, taken,
  output logic request, choose_right
);
  logic turn;  // 1: right goes first

  assign request      = left | right;
  assign choose_right = right & (turn | ~left);

  always_ff @(posedge clk or posedge reset)
    if (reset) turn <= 1'b0;
    else if (taken & request) turn <= ~choose_right;
endmodule

module arb_tree #(parameter LEVELS = 3) (
  input  logic                    clk, reset,
  input  logic [(1<<LEVELS)-1:0]  requests,
  input  logic                    accept,
  output logic                    any,
  output logic [LEVELS-1:0]       winner
);
  localparam int N = 1 << LEVELS;
  logic [2*N-1:1] req;      // a heap: node i has i*2 and i*2+1 below it, leaves from N on
  logic [N-1:1]   pick;
  logic [2*N-1:1] on_path;  // the nodes from the root to the winner

  assign req[2*N-1:N] = requests;
  assign on_path[1]   = 1'b1;

  for (genvar i = 1; i < N; i++) begin : node
    arb_node n (.clk, .reset, .left(req[2*i]), .right(req[2*i+1]), .taken(accept & on_path[i]),
                .request(req[i]), .choose_right(pick[i]));
    assign on_path[2*i]   = on_path[i] & ~pick[i];
    assign on_path[2*i+1] = on_path[i] & pick[i];
  end

  assign any = req[1];
  always_comb begin
    winner = '0;
    for (int i = 0; i < N; i++)
      if (on_path[N+i] && any) winner |= LEVELS'(i);
  end
endmodule
