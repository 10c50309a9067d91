// SPDX-License-Identifier: Apache-2.0
// Crossbar: each of DST outputs carries the data of one of SRC inputs ([bank stealing Fig. 1]: banks to collectors).
//
// Latency:  none; combinational, no clock.
// Conflict: none; any number of outputs may select one source.
// Range:    an output that is not valid, or selects a source outside 0 .. SRC-1 (when SRC is no power of two), is 0.
`default_nettype none

module rf_crossbar #(
  /// Inputs, 1 to 64.
  parameter int unsigned SRC = 16,
  /// Outputs, 1 to 64.
  parameter int unsigned DST = 24,
  /// Bits of each, 1 to 1024.
  parameter int unsigned WIDTH = 1024,
  localparam int unsigned SEL_W = rf_pkg::index_bits(SRC)
) (
  /// Per output: it is used.
  input  logic [DST-1:0]       valid_i,
  /// Per output: its source.
  input  logic [DST*SEL_W-1:0] sel_i,
  /// Per source: its data.
  input  logic [SRC*WIDTH-1:0] data_i,
  /// Per output: the data of its source.
  output logic [DST*WIDTH-1:0] data_o
);

  if (SRC < 1 || SRC > 64) begin : gen_src_range
    $error("rf_crossbar: SRC must be 1 to 64");
  end
  if (DST < 1 || DST > 64) begin : gen_dst_range
    $error("rf_crossbar: DST must be 1 to 64");
  end
  if (WIDTH < 1 || WIDTH > 1024) begin : gen_width_range
    $error("rf_crossbar: WIDTH must be 1 to 1024");
  end

  logic [SEL_W-1:0] sel;

  always_comb begin
    for (int d = 0; d < DST; d++) begin
      sel = sel_i[d*SEL_W +: SEL_W];
      data_o[d*WIDTH +: WIDTH] = (valid_i[d] && {1'b0, sel} < (SEL_W + 1)'(SRC)) ? data_i[sel*WIDTH +: WIDTH] : '0;
    end
  end

endmodule

`default_nettype wire
