// SPDX-License-Identifier: Apache-2.0
// Complete collectors to execution ports: rf_dispatch and the crossbars behind it [bank stealing II-B].
//
// Latency:   none; everything is combinational but the pointers of rf_dispatch.
// Handshake: a port is offered one complete collector that waits for it, in turn; ex_valid_o does not depend on ex_ready_i. An
//            instruction leaves in the cycle in which both are high.
// Range:     everything of a port that is offered nothing is 0; a collector whose port does not exist is never offered.
// Reset:     collector 0 is first at every port.
`default_nettype none

module rf_stage_exec #(
  /// Operand collectors, 1 to 16.
  parameter int unsigned COLLECTORS = 8,
  /// Source slots of a collector, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Execution ports, 1 to 8.
  parameter int unsigned EXPORTS = 3,
  /// Bits of an instruction beside its operands, 1 to 128.
  parameter int unsigned META_W = 64,
  /// Bits of an operand, a multiple of 32, 32 to 1024.
  parameter int unsigned DATA_W = 1024,
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned COLLECTOR_W = rf_pkg::index_bits(COLLECTORS)
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  /// Per collector: all operands are there.
  input  logic [COLLECTORS-1:0]              collected_i,
  /// Per collector: its execution port.
  input  logic [COLLECTORS*PORT_W-1:0]       port_i,
  /// Per collector: the instruction beside its operands.
  input  logic [COLLECTORS*META_W-1:0]       meta_i,
  /// Per slot and collector: operand.
  input  logic [SLOTS*COLLECTORS*DATA_W-1:0] data_i,
  /// Per port: it accepts an instruction.
  input  logic [EXPORTS-1:0]                 ex_ready_i,
  /// Per collector: its instruction leaves.
  output logic [COLLECTORS-1:0]              dispatched_o,
  /// Per port: an instruction is offered.
  output logic [EXPORTS-1:0]                 ex_valid_o,
  /// Per port: the instruction beside its operands.
  output logic [EXPORTS*META_W-1:0]          ex_meta_o,
  /// Per port and slot: operand.
  output logic [EXPORTS*SLOTS*DATA_W-1:0]    ex_data_o
);

  if (COLLECTORS < 1 || COLLECTORS > 16) begin : gen_collectors_range
    $error("rf_stage_exec: COLLECTORS must be 1 to 16");
  end
  if (SLOTS < 1 || SLOTS > 8 || COLLECTORS * SLOTS > 64) begin : gen_slots_range
    $error("rf_stage_exec: SLOTS must be 1 to 8, COLLECTORS x SLOTS at most 64");
  end
  if (EXPORTS < 1 || EXPORTS > 8) begin : gen_exports_range
    $error("rf_stage_exec: EXPORTS must be 1 to 8");
  end
  if (META_W < 1 || META_W > 128) begin : gen_meta_range
    $error("rf_stage_exec: META_W must be 1 to 128");
  end
  if (DATA_W < 32 || DATA_W > 1024 || DATA_W % 32 != 0) begin : gen_data_range
    $error("rf_stage_exec: DATA_W must be 32 to 1024, a multiple of 32");
  end

  logic [EXPORTS*COLLECTOR_W-1:0] ex_sel;

  rf_dispatch #(.COLLECTORS(COLLECTORS), .EXPORTS(EXPORTS)) u_dispatch (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .ready_i   (collected_i),
    .port_i    (port_i),
    .ex_ready_i(ex_ready_i),
    .grant_o   (dispatched_o),
    .ex_valid_o(ex_valid_o),
    .ex_sel_o  (ex_sel)
  );

  rf_crossbar #(.SRC(COLLECTORS), .DST(EXPORTS), .WIDTH(META_W)) u_meta_xbar (
    .valid_i(ex_valid_o), .sel_i(ex_sel), .data_i(meta_i), .data_o(ex_meta_o)
  );

  for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
    logic [EXPORTS*DATA_W-1:0] data;

    rf_crossbar #(.SRC(COLLECTORS), .DST(EXPORTS), .WIDTH(DATA_W)) u_xbar (
      .valid_i(ex_valid_o), .sel_i(ex_sel), .data_i(data_i[s*COLLECTORS*DATA_W +: COLLECTORS*DATA_W]), .data_o(data)
    );

    for (genvar e = 0; e < EXPORTS; e++) begin : gen_port
      assign ex_data_o[(e*SLOTS + s)*DATA_W +: DATA_W] = data[e*DATA_W +: DATA_W];
    end
  end

endmodule

`default_nettype wire
