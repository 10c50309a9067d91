// SPDX-License-Identifier: Apache-2.0
// Pending queue of one issue group: instructions that wait for a result which another one is computing, and ask again [WIR VI-B].
//
// Handshake: a push is accepted while ready_o is high, a pop while valid_o is; others are ignored. ready_o depends on registers:
//            a push into a full queue is refused even when the head leaves in that cycle.
// Rotate:    the head becomes the last one. Ignored when empty, and in a cycle with push_i or pop_i, accepted or not.
// Latency:   an instruction pushed in cycle t can be the head in cycle t + 1; no output depends on an input of the same cycle.
// Indexes:   carried, not interpreted: any value passes.
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
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W  = rf_pkg::index_bits(REGS),
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  /// An instruction is offered ...
  input  logic                         push_i,
  /// ... of this warp,
  input  logic [WARP_W-1:0]            push_warp_i,
  /// with this tag
  input  logic [15:0]                  push_tag_i,
  /// and execution port.
  input  logic [PORT_W-1:0]            push_port_i,
  /// Its destination.
  input  logic [REG_W-1:0]             push_dst_i,
  /// Per slot: it has this source.
  input  logic [SLOTS-1:0]             push_src_valid_i,
  /// Per slot: logical register.
  input  logic [SLOTS*REG_W-1:0]       push_src_i,
  /// Opcode as in the reuse buffer.
  input  logic [7:0]                   push_opcode_i,
  /// Per slot: physical register or immediate.
  input  logic [SLOTS*PREG_W-1:0]      push_operand_i,
  /// What it reads beside its operands: 0 nothing, 1 constants, 2 scratchpad, 3 global memory.
  input  logic [1:0]                   push_space_i,
  /// Its destination was mapped at rename ...
  input  logic                         push_old_valid_i,
  /// ... to this register ...
  input  logic [PREG_W-1:0]            push_old_preg_i,
  /// ... with this pin.
  input  logic                         push_old_pin_i,
  /// The head leaves.
  input  logic                         pop_i,
  /// The head goes to the tail.
  input  logic                         rotate_i,
  /// Not full.
  output logic                         ready_o,
  /// Not empty; when low, all outputs but ready_o are 0.
  output logic                         valid_o,
  /// The head, as it was pushed.
  output logic [WARP_W-1:0]            warp_o,
  output logic [15:0]                  tag_o,
  output logic [PORT_W-1:0]            port_o,
  output logic [REG_W-1:0]             dst_o,
  output logic [SLOTS-1:0]             src_valid_o,
  output logic [SLOTS*REG_W-1:0]       src_o,
  output logic [7:0]                   opcode_o,
  output logic [SLOTS*PREG_W-1:0]      operand_o,
  output logic [1:0]                   space_o,
  output logic                         old_valid_o,
  output logic [PREG_W-1:0]            old_preg_o,
  output logic                         old_pin_o,
  /// Per place, counted from the head: an instruction is there ...
  output logic [DEPTH-1:0]             at_valid_o,
  /// ... of this warp ...
  output logic [DEPTH*WARP_W-1:0]      at_warp_o,
  /// ... with these sources ...
  output logic [DEPTH*SLOTS-1:0]       at_src_valid_o,
  /// ... element place * SLOTS + slot: register ...
  output logic [DEPTH*SLOTS*REG_W-1:0] at_src_o,
  /// ... and it is a load from scratchpad or global memory. All 0 where at_valid_o is low.
  output logic [DEPTH-1:0]             at_load_o
);

  if (DEPTH < 1 || DEPTH > 16 || WARPS < 1 || WARPS > 64 || REGS < 1 || REGS > 256 || SLOTS < 1 || SLOTS > 6 ||
      PREGS < 2 || PREGS > 1024 || EXPORTS < 1 || EXPORTS > 8) begin : gen_range
    $error("rf_pending_queue: DEPTH 1 to 16, WARPS 1 to 64, REGS 1 to 256, SLOTS 1 to 6, PREGS 2 to 1024, EXPORTS 1 to 8");
  end

  localparam int unsigned PTR_W   = rf_pkg::index_bits(DEPTH);
  localparam int unsigned LEVEL_W = $clog2(DEPTH + 1);
  localparam int unsigned SUM_W   = PTR_W + 1;
  localparam int unsigned ELEM_W  = rf_pkg::index_bits(DEPTH * SLOTS);
  localparam logic [SUM_W-1:0] SIZE = SUM_W'(DEPTH);

  logic [PTR_W-1:0]   rd_ptr_q, rd_ptr_d;
  logic [LEVEL_W-1:0] level_q, level_d;
  logic [WARP_W-1:0]  warp_q      [0:DEPTH-1];
  logic [15:0]        tag_q       [0:DEPTH-1];
  logic [PORT_W-1:0]  port_q      [0:DEPTH-1];
  logic [REG_W-1:0]   dst_q       [0:DEPTH-1];
  logic [SLOTS-1:0]   src_valid_q [0:DEPTH-1];
  logic [REG_W-1:0]   src_q       [0:DEPTH*SLOTS-1];
  logic [7:0]         opcode_q    [0:DEPTH-1];
  logic [PREG_W-1:0]  operand_q   [0:DEPTH*SLOTS-1];
  logic [1:0]         space_q     [0:DEPTH-1];
  logic               old_valid_q [0:DEPTH-1];
  logic [PREG_W-1:0]  old_preg_q  [0:DEPTH-1];
  logic               old_pin_q   [0:DEPTH-1];

  // The entry of place `p`, 0 to DEPTH.
  function automatic logic [PTR_W-1:0] entry_of(input logic [PTR_W-1:0] head, input logic [SUM_W-1:0] p);
    logic [SUM_W-1:0] sum;
    sum = SUM_W'(head) + p;
    entry_of = (sum >= SIZE) ? PTR_W'(sum) - PTR_W'(DEPTH) : PTR_W'(sum);
  endfunction

  // Slot `s` of an entry.
  function automatic logic [ELEM_W-1:0] elem_of(input logic [PTR_W-1:0] entry, input logic [ELEM_W-1:0] s);
    elem_of = ELEM_W'(entry) * ELEM_W'(SLOTS) + s;
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

  always_comb begin
    warp_o      = '0;
    tag_o       = '0;
    port_o      = '0;
    dst_o       = '0;
    src_valid_o = '0;
    src_o       = '0;
    opcode_o    = '0;
    operand_o   = '0;
    space_o     = '0;
    old_valid_o = 1'b0;
    old_preg_o  = '0;
    old_pin_o   = 1'b0;
    if (valid_o) begin
      warp_o      = warp_q[rd_ptr_q];
      tag_o       = tag_q[rd_ptr_q];
      port_o      = port_q[rd_ptr_q];
      dst_o       = dst_q[rd_ptr_q];
      src_valid_o = src_valid_q[rd_ptr_q];
      opcode_o    = opcode_q[rd_ptr_q];
      space_o     = space_q[rd_ptr_q];
      old_valid_o = old_valid_q[rd_ptr_q];
      old_preg_o  = old_preg_q[rd_ptr_q];
      old_pin_o   = old_pin_q[rd_ptr_q];
      for (int s = 0; s < SLOTS; s++) begin
        src_o[s*REG_W +: REG_W]       = src_q[elem_of(rd_ptr_q, ELEM_W'(s))];
        operand_o[s*PREG_W +: PREG_W] = operand_q[elem_of(rd_ptr_q, ELEM_W'(s))];
      end
    end
  end

  for (genvar p = 0; p < DEPTH; p++) begin : gen_place
    logic [PTR_W-1:0] entry;
    assign entry         = entry_of(rd_ptr_q, SUM_W'(p));
    assign at_valid_o[p] = SUM_W'(level_q) > SUM_W'(p);
    assign at_load_o[p]  = at_valid_o[p] && space_q[entry][1];

    assign at_warp_o[p*WARP_W +: WARP_W]    = at_valid_o[p] ? warp_q[entry] : '0;
    assign at_src_valid_o[p*SLOTS +: SLOTS] = at_valid_o[p] ? src_valid_q[entry] : '0;
    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      assign at_src_o[(p*SLOTS + s)*REG_W +: REG_W] = at_valid_o[p] ? src_q[elem_of(entry, ELEM_W'(s))] : '0;
    end
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
      for (int i = 0; i < DEPTH; i++) begin
        warp_q[i]      <= '0;
        tag_q[i]       <= '0;
        port_q[i]      <= '0;
        dst_q[i]       <= '0;
        src_valid_q[i] <= '0;
        opcode_q[i]    <= '0;
        space_q[i]     <= '0;
        old_valid_q[i] <= 1'b0;
        old_preg_q[i]  <= '0;
        old_pin_q[i]   <= 1'b0;
        for (int s = 0; s < SLOTS; s++) begin
          src_q[i*SLOTS + s]     <= '0;
          operand_q[i*SLOTS + s] <= '0;
        end
      end
    end else if (push || rotate) begin
      warp_q[tail]      <= rotate ? warp_o : push_warp_i;
      tag_q[tail]       <= rotate ? tag_o : push_tag_i;
      port_q[tail]      <= rotate ? port_o : push_port_i;
      dst_q[tail]       <= rotate ? dst_o : push_dst_i;
      src_valid_q[tail] <= rotate ? src_valid_o : push_src_valid_i;
      opcode_q[tail]    <= rotate ? opcode_o : push_opcode_i;
      space_q[tail]     <= rotate ? space_o : push_space_i;
      old_valid_q[tail] <= rotate ? old_valid_o : push_old_valid_i;
      old_preg_q[tail]  <= rotate ? old_preg_o : push_old_preg_i;
      old_pin_q[tail]   <= rotate ? old_pin_o : push_old_pin_i;
      for (int s = 0; s < SLOTS; s++) begin
        src_q[elem_of(tail, ELEM_W'(s))]     <= rotate ? src_o[s*REG_W +: REG_W] : push_src_i[s*REG_W +: REG_W];
        operand_q[elem_of(tail, ELEM_W'(s))] <= rotate ? operand_o[s*PREG_W +: PREG_W] : push_operand_i[s*PREG_W +: PREG_W];
      end
    end
  end

endmodule

`default_nettype wire
