// SPDX-License-Identifier: Apache-2.0
// Control of a first-in first-out queue of DEPTH entries; the storage is the user's.
//
// Handshake: a push is accepted while ready_o is high, a pop while valid_o is high; others are ignored. Both depend on registers
//            alone: a push into a full queue is refused even when an entry leaves in that cycle.
// Latency:   an entry pushed in cycle t can be the head in cycle t + 1.
// Reset:     empty, both pointers at entry 0.
`default_nettype none

module rf_fifo_ctrl #(
  /// Entries, 1 to 64; any number, powers of two or not.
  parameter int unsigned DEPTH = 4,
  localparam int unsigned PTR_W = rf_pkg::index_bits(DEPTH),
  localparam int unsigned LEVEL_W = $clog2(DEPTH + 1)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  /// An entry is offered.
  input  logic               push_i,
  /// The head is taken.
  input  logic               pop_i,
  /// Not full.
  output logic               ready_o,
  /// Not empty.
  output logic               valid_o,
  /// The push is accepted: store at wr_ptr_o at the coming edge.
  output logic               write_o,
  /// Entry to store at.
  output logic [PTR_W-1:0]   wr_ptr_o,
  /// Entry of the head.
  output logic [PTR_W-1:0]   rd_ptr_o,
  /// Entries held.
  output logic [LEVEL_W-1:0] level_o
);

  if (DEPTH < 1 || DEPTH > 64) begin : gen_range
    $error("rf_fifo_ctrl: DEPTH must be 1 to 64");
  end

  localparam logic [PTR_W-1:0]   LAST = PTR_W'(DEPTH - 1);
  localparam logic [LEVEL_W-1:0] FULL = LEVEL_W'(DEPTH);

  logic [PTR_W-1:0]   wr_ptr_q, wr_ptr_d, rd_ptr_q, rd_ptr_d;
  logic [LEVEL_W-1:0] level_q, level_d;
  logic               read;

  assign ready_o  = level_q != FULL;
  assign valid_o  = level_q != '0;
  assign write_o  = push_i && ready_o;
  assign read     = pop_i && valid_o;
  assign wr_ptr_o = wr_ptr_q;
  assign rd_ptr_o = rd_ptr_q;
  assign level_o  = level_q;

  always_comb begin
    wr_ptr_d = wr_ptr_q;
    rd_ptr_d = rd_ptr_q;
    if (write_o) wr_ptr_d = (wr_ptr_q == LAST) ? '0 : wr_ptr_q + 1'b1;
    if (read)    rd_ptr_d = (rd_ptr_q == LAST) ? '0 : rd_ptr_q + 1'b1;
    level_d = level_q + LEVEL_W'(write_o) - LEVEL_W'(read);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      wr_ptr_q <= '0;
      rd_ptr_q <= '0;
      level_q  <= '0;
    end else begin
      wr_ptr_q <= wr_ptr_d;
      rd_ptr_q <= rd_ptr_d;
      level_q  <= level_d;
    end
  end

endmodule

`default_nettype wire
