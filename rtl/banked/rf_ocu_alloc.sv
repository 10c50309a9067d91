// SPDX-License-Identifier: Apache-2.0
// Collector allocator: gives the issuing instructions of a cycle the lowest-numbered free collectors, request 0 the lowest, the
// next request the next one ([bank stealing II-B]: "it first reserves a free operand collector").
//
// Latency:   combinational, no clock.
// Policy:    a request that finds no free collector is not granted; a collector is free when busy_i says so in this cycle.
`default_nettype none

module rf_ocu_alloc #(
  /// Operand collectors, 1 to 16.
  parameter int unsigned COLLECTORS = 8,
  /// Instructions issued in a cycle, 1 to 4.
  parameter int unsigned ISSUES = 2,
  localparam int unsigned SEL_W = rf_pkg::index_bits(COLLECTORS),
  localparam int unsigned WHICH_W = rf_pkg::index_bits(ISSUES)
) (
  /// The collector holds an instruction.
  input  logic [COLLECTORS-1:0]         busy_i,
  /// The instruction wants a collector.
  input  logic [ISSUES-1:0]             req_i,
  /// The instruction gets one.
  output logic [ISSUES-1:0]             grant_o,
  /// Per request: its collector, 0 when not granted.
  output logic [ISSUES*SEL_W-1:0]       sel_o,
  /// The collector is taken in this cycle.
  output logic [COLLECTORS-1:0]         alloc_o,
  /// Per collector: the request that takes it, 0 when none.
  output logic [COLLECTORS*WHICH_W-1:0] which_o
);

  if (COLLECTORS < 1 || COLLECTORS > 16) begin : gen_collectors_range
    $error("rf_ocu_alloc: COLLECTORS must be 1 to 16");
  end
  if (ISSUES < 1 || ISSUES > 4) begin : gen_issues_range
    $error("rf_ocu_alloc: ISSUES must be 1 to 4");
  end

  logic [COLLECTORS-1:0] left, taken;
  logic [COLLECTORS-1:0] which_bit [0:WHICH_W-1];

  // One request after the other takes the lowest of what the earlier ones left. which_bit[k]: bit k of every collector's request.
  always_comb begin
    left = ~busy_i;
    for (int k = 0; k < WHICH_W; k++) which_bit[k] = '0;
    for (int i = 0; i < ISSUES; i++) begin
      taken = `RF_LOWEST(left) & {COLLECTORS{req_i[i]}};
      left = left & ~taken;
      grant_o[i] = taken != '0;
      for (int k = 0; k < SEL_W; k++) sel_o[i*SEL_W+k] = |(taken & rf_pkg::NUMBERS[k*64 +: COLLECTORS]);
      for (int k = 0; k < WHICH_W; k++) which_bit[k] = which_bit[k] | (taken & {COLLECTORS{i[k]}});
    end
    alloc_o = ~busy_i & ~left;
  end

  for (genvar c = 0; c < COLLECTORS; c++) begin : gen_collector
    for (genvar k = 0; k < WHICH_W; k++) begin : gen_which
      assign which_o[c*WHICH_W+k] = which_bit[k][c];
    end
  end

endmodule

`default_nettype wire
