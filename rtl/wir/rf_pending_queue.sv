// SPDX-License-Identifier: Apache-2.0
// Pending queue of one issue group: instructions that wait for a result which another one is computing, and ask again [WIR VI-B].
//
// Handshake: a push is accepted while ready_o is high, a pop while valid_o is; others are ignored. ready_o depends on registers:
//            a push into a full queue is refused even when the head leaves in that cycle.
// Rotate:    the head becomes the last one. Ignored when empty, and in a cycle with push_i or pop_i, accepted or not.
// Latency:   an instruction pushed in cycle t can be the head in cycle t + 1; no output depends on an input of the same cycle.
// Instructions: carried, not looked at: any value passes.
// Reset:     empty, all entries 0. An entry that has left keeps what it held.
`default_nettype none

module rf_pending_queue #(
  /// Entries, 1 to 16.
  parameter int unsigned DEPTH = 16,
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 24,
  /// Logical registers of a warp, 1 to 256.
  parameter int unsigned REGS = 64,
  /// Sources, 1 to 6.
  parameter int unsigned SLOTS = 3,
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// Execution ports, 1 to 8.
  parameter int unsigned EXPORTS = 4,
  localparam int unsigned TAG_W = rf_banked_pkg::TAG_W,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned READS_W = `RF_WIR_READS_W,
  localparam int unsigned RENAMED_W = `RF_WIR_RENAMED_W
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  /// An instruction is offered ...
  input  logic                     push_i,
  /// ... this one: rf_wir_pkg's renamed_t.
  input  logic [RENAMED_W-1:0]     entry_i,
  /// The head leaves.
  input  logic                     pop_i,
  /// The head goes to the tail.
  input  logic                     rotate_i,
  /// Not full.
  output logic                     ready_o,
  /// Not empty; when low, all outputs but ready_o are 0.
  output logic                     valid_o,
  /// The head, as it was pushed.
  output logic [RENAMED_W-1:0]     head_o,
  /// Per place, counted from the head: an instruction is there ...
  output logic [DEPTH-1:0]         at_valid_o,
  /// ... with this to read: rf_wir_pkg's reads_t; 0 where at_valid_o is low.
  output logic [DEPTH*READS_W-1:0] at_o
);

  if (DEPTH < 1 || DEPTH > 16 || WARPS < 1 || WARPS > 64 || REGS < 1 || REGS > 256 || SLOTS < 1 || SLOTS > 6 ||
      PREGS < 2 || PREGS > 1024 || EXPORTS < 1 || EXPORTS > 8) begin : gen_range
    $error("rf_pending_queue: DEPTH 1 to 16, WARPS 1 to 64, REGS 1 to 256, SLOTS 1 to 6, PREGS 2 to 1024, EXPORTS 1 to 8");
  end

  localparam int unsigned PTR_W   = rf_pkg::index_bits(DEPTH);
  localparam int unsigned LEVEL_W = $clog2(DEPTH + 1);
  localparam int unsigned SUM_W   = PTR_W + 1;
  localparam logic [SUM_W-1:0] SIZE = SUM_W'(DEPTH);

  logic [PTR_W-1:0]     rd_ptr_q, rd_ptr_d;
  logic [LEVEL_W-1:0]   level_q, level_d;
  logic [RENAMED_W-1:0] entry_q [0:DEPTH-1];

  // The entry of place `p`, 0 to DEPTH.
  function automatic logic [PTR_W-1:0] entry_of(input logic [PTR_W-1:0] head, input logic [SUM_W-1:0] p);
    logic [SUM_W-1:0] sum;
    sum = SUM_W'(head) + p;
    entry_of = (sum >= SIZE) ? PTR_W'(sum) - PTR_W'(DEPTH) : PTR_W'(sum);
  endfunction

  logic             push, pop, rotate;
  logic [PTR_W-1:0] tail;

  assign ready_o = SUM_W'(level_q) != SIZE;
  assign valid_o = level_q != '0;
  assign push    = push_i && ready_o;
  assign pop     = pop_i && valid_o;
  assign rotate  = rotate_i && !push_i && !pop_i && valid_o;
  assign tail    = entry_of(rd_ptr_q, SUM_W'(level_q));

  always_comb begin
    rd_ptr_d = rd_ptr_q;
    if (pop || rotate) rd_ptr_d = entry_of(rd_ptr_q, SUM_W'(1));
    level_d = level_q + LEVEL_W'(push) - LEVEL_W'(pop);
  end

  assign head_o = valid_o ? entry_q[rd_ptr_q] : '0;

  // What an instruction has to read are its uppermost bits.
  for (genvar p = 0; p < DEPTH; p++) begin : gen_place
    logic [READS_W-1:0] reads;
    assign reads         = entry_q[entry_of(rd_ptr_q, SUM_W'(p))][RENAMED_W-1 -: READS_W];
    assign at_valid_o[p] = SUM_W'(level_q) > SUM_W'(p);
    assign at_o[p*READS_W +: READS_W] = at_valid_o[p] ? reads : '0;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rd_ptr_q <= '0;
      level_q  <= '0;
    end else begin
      rd_ptr_q <= rd_ptr_d;
      level_q  <= level_d;
    end
  end

  // In a full queue the tail is the head's own entry: a rotation writes what stands there.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int i = 0; i < DEPTH; i++) entry_q[i] <= '0;
    end else if (push || rotate) begin
      entry_q[tail] <= rotate ? head_o : entry_i;
    end
  end

endmodule

`default_nettype wire
