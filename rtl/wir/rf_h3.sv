// SPDX-License-Identifier: Apache-2.0
// Hash generation [WIR V-A, VII-E]: 32 bits of a warp register's value, by a function of the H3 family: bit c of the hash is the
// XOR of the value's bits where column c of a table of random bits has a one.
//
// Latency:  none; combinational, no clock.
// Table:    32 x LANES rows of 32 bits. Rows 2n and 2n + 1 are the low and the high half of output n of SplitMix64 (Steele, Lea,
//           Flood, OOPSLA 2014) with seed 1; row i belongs to bit i of the value. Elaboration computes the columns: constants.
// Linear:   h(a ^ b) = h(a) ^ h(b), h(0) = 0; the 32 rows of lane 0 are independent.
`default_nettype none

module rf_h3 #(
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  localparam int unsigned DATA_W = LANES * 32
) (
  /// The value.
  input  logic [DATA_W-1:0] data_i,
  /// Its hash.
  output logic [31:0]       hash_o
);

  if (LANES < 1 || LANES > 32) begin : gen_lanes_range
    $error("rf_h3: LANES must be 1 to 32");
  end

  localparam logic [63:0] SEED = 64'd1;

  // Column c of the table, bit i from row i. The generator runs anew for each column, as a constant function keeps nothing.
  function automatic logic [DATA_W-1:0] column(input int unsigned c);
    logic [63:0] state, z;
    state = SEED;
    for (int n = 0; n < LANES * 16; n++) begin
      state = state + 64'h9e3779b97f4a7c15;
      z = (state ^ (state >> 30)) * 64'hbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 64'h94d049bb133111eb;
      z = z ^ (z >> 31);
      column[2*n +: 2] = {z[32+c], z[c]};
    end
  endfunction

  for (genvar c = 0; c < 32; c++) begin : gen_column
    localparam logic [DATA_W-1:0] COLUMN = column(c);
    assign hash_o[c] = ^(data_i & COLUMN);
  end

endmodule

`default_nettype wire
