// SPDX-License-Identifier: Apache-2.0
// Dispatch: ready collectors to execution ports, one per port and cycle, round-robin over the collectors [bank stealing II-B].
//
// Handshake: ex_valid_o does not depend on ex_ready_i. A collector is released (grant_o) in the cycle in which both are high, and
//            only then the port's pointer moves. While a port does not accept, its offer may change to a collector that
//            has become ready.
// Policy:    a collector whose port is outside 0 .. EXPORTS-1 is never chosen.
// Reset:     collector 0 is first at every port.
`default_nettype none

module rf_dispatch #(
  /// Operand collectors, 1 to 16.
  parameter int unsigned COLLECTORS = 8,
  /// Execution ports, 1 to 8.
  parameter int unsigned EXPORTS = 3,
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned SEL_W = rf_pkg::index_bits(COLLECTORS)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  /// The collector holds all its operands.
  input  logic [COLLECTORS-1:0]        ready_i,
  /// Per collector: the port it needs.
  input  logic [COLLECTORS*PORT_W-1:0] port_i,
  /// The port accepts.
  input  logic [EXPORTS-1:0]           ex_ready_i,
  /// The collector is dispatched in this cycle.
  output logic [COLLECTORS-1:0]        grant_o,
  /// The port is offered an instruction.
  output logic [EXPORTS-1:0]           ex_valid_o,
  /// Per port: the collector offered, 0 when none.
  output logic [EXPORTS*SEL_W-1:0]     ex_sel_o
);

  if (COLLECTORS < 1 || COLLECTORS > 16) begin : gen_collectors_range
    $error("rf_dispatch: COLLECTORS must be 1 to 16");
  end
  if (EXPORTS < 1 || EXPORTS > 8) begin : gen_exports_range
    $error("rf_dispatch: EXPORTS must be 1 to 8");
  end

  // Decode, once for all ports: port_bit[k] holds bit k of every collector's port number.
  logic [COLLECTORS-1:0] port_bit [0:PORT_W-1];
  logic [COLLECTORS-1:0] served [0:EXPORTS-1];

  for (genvar k = 0; k < PORT_W; k++) begin : gen_decode
    logic [COLLECTORS-1:0] bits;
    for (genvar c = 0; c < COLLECTORS; c++) begin : gen_collector
      assign bits[c] = port_i[c*PORT_W+k];
    end
    assign port_bit[k] = bits;
  end

  for (genvar e = 0; e < EXPORTS; e++) begin : gen_port
    logic [COLLECTORS-1:0] ask, offer;

    always_comb begin
      ask = ready_i;
      for (int k = 0; k < PORT_W; k++) ask = ask & (((e >> k) & 1) != 0 ? port_bit[k] : ~port_bit[k]);
    end

    rf_rr #(.N(COLLECTORS)) u_rr (
      .clk_i, .rst_ni, .req_i(ask), .take_i(ex_ready_i[e]), .grant_o(offer), .valid_o(ex_valid_o[e])
    );

    assign served[e] = offer & {COLLECTORS{ex_ready_i[e]}};
    for (genvar k = 0; k < SEL_W; k++) begin : gen_sel
      assign ex_sel_o[e*SEL_W+k] = |(offer & rf_pkg::NUMBERS[k*64 +: COLLECTORS]);
    end
  end

  always_comb begin
    grant_o = '0;
    for (int e = 0; e < EXPORTS; e++) grant_o = grant_o | served[e];
  end

endmodule

`default_nettype wire
