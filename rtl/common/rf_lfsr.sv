// SPDX-License-Identifier: Apache-2.0
// Linear feedback shift register, 16 bits, Galois form: the random numbers of the hardware, compared like any other register.
//
// Polynomial: x^16 + x^14 + x^13 + x^11 + 1, primitive: the value walks through all of 1 to 65535.
// Step:       shifted right by one, XORed with the taps when the bit shifted out is 1.
// Latency:    value_o is the register; it steps at the edge of a cycle with step_i high.
// Reset:      SEED.
`default_nettype none

module rf_lfsr #(
  /// Value after reset, 1 to 65535.
  parameter int unsigned SEED = 44257
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  /// Takes one step.
  input  logic        step_i,
  /// The value, never 0.
  output logic [15:0] value_o
);

  if (SEED < 1 || SEED > 65535) begin : gen_range
    $error("rf_lfsr: SEED must be 1 to 65535");
  end

  // The powers 16, 14, 13 and 11, each one bit lower.
  localparam logic [15:0] TAPS = 16'hb400;

  logic [15:0] value_q, value_d;

  assign value_d = {1'b0, value_q[15:1]} ^ (TAPS & {16{value_q[0]}});
  assign value_o = value_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni)     value_q <= SEED[15:0];
    else if (step_i) value_q <= value_d;
  end

endmodule

`default_nettype wire
