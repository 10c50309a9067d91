// SPDX-License-Identifier: Apache-2.0
// Queue of one bank to L2: fetches, write-backs, writes that miss and atomics, in order, so that none overtakes another.
//
// Handshake: a push is accepted while count_o is below DEPTH, and ignored otherwise, also when the head leaves in that cycle;
//            pop_i removes the head, and is ignored while the queue is empty.
// Latency:   a message is the head in the cycle after its push at the earliest; the outputs are wires of the registers.
// Fetch:     it has no words: the entry's mask and data stay as they are, and are not shown.
// Range:     line, entry and operation are carried: any value passes. Operation 3 is carried as a write is.
// Reset:     empty, all entries 0.
// Source:    [CERF III-B].
`default_nettype none

module rf_miss_queue #(
  /// Entries, 1 to 16.
  parameter int unsigned DEPTH = 8,
  /// Words of a line, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Bits of a line number, 1 to 25.
  parameter int unsigned LINE_W = 23,
  /// Bits of the number of an MSHR, 1 to 4.
  parameter int unsigned ENTRY_W = 3,
  localparam int unsigned DATA_W = LANES * 32,
  localparam int unsigned COUNT_W = rf_pkg::index_bits(DEPTH + 1)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  /// A message is offered ...
  input  logic               push_i,
  /// ... 0 fetch, 1 write, 2 atomic ...
  input  logic [1:0]         push_op_i,
  /// ... of this line ...
  input  logic [LINE_W-1:0]  push_line_i,
  /// ... whose answer this MSHR waits for ...
  input  logic [ENTRY_W-1:0] push_entry_i,
  /// ... with these words ...
  input  logic [LANES-1:0]   push_mask_i,
  /// ... and, per word, its value.
  input  logic [DATA_W-1:0]  push_data_i,
  /// The head leaves.
  input  logic               pop_i,
  /// Not empty; when low, the outputs of the head are 0.
  output logic               valid_o,
  /// The head, as it was pushed.
  output logic [1:0]         op_o,
  output logic [LINE_W-1:0]  line_o,
  output logic [ENTRY_W-1:0] entry_o,
  /// The head's words; 0 of a fetch.
  output logic [LANES-1:0]   mask_o,
  output logic [DATA_W-1:0]  data_o,
  /// Messages held.
  output logic [COUNT_W-1:0] count_o
);

  if (DEPTH < 1 || DEPTH > 16) begin : gen_depth_range
    $error("rf_miss_queue: DEPTH must be 1 to 16");
  end
  if (LANES < 1 || LANES > 32) begin : gen_lanes_range
    $error("rf_miss_queue: LANES must be 1 to 32");
  end
  if (LINE_W < 1 || LINE_W > 25) begin : gen_line_range
    $error("rf_miss_queue: LINE_W must be 1 to 25");
  end
  if (ENTRY_W < 1 || ENTRY_W > 4) begin : gen_entry_range
    $error("rf_miss_queue: ENTRY_W must be 1 to 4");
  end

  localparam int unsigned PTR_W = rf_pkg::index_bits(DEPTH);
  localparam logic [1:0]  RF_MISS_FETCH = 2'd0;

  logic [1:0]         op_q    [0:DEPTH-1];
  logic [LINE_W-1:0]  line_q  [0:DEPTH-1];
  logic [ENTRY_W-1:0] entry_q [0:DEPTH-1];
  logic [LANES-1:0]   mask_q  [0:DEPTH-1];
  logic [DATA_W-1:0]  data_q  [0:DEPTH-1];

  logic             write, unused_ready;
  logic [PTR_W-1:0] wr_ptr, rd_ptr;

  rf_fifo_ctrl #(
    .DEPTH(DEPTH)
  ) u_ctrl (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .push_i  (push_i),
    .pop_i   (pop_i),
    .ready_o (unused_ready),
    .valid_o (valid_o),
    .write_o (write),
    .wr_ptr_o(wr_ptr),
    .rd_ptr_o(rd_ptr),
    .level_o (count_o)
  );

  always_comb begin
    op_o    = '0;
    line_o  = '0;
    entry_o = '0;
    mask_o  = '0;
    data_o  = '0;
    if (valid_o) begin
      op_o    = op_q[rd_ptr];
      line_o  = line_q[rd_ptr];
      entry_o = entry_q[rd_ptr];
      if (op_q[rd_ptr] != RF_MISS_FETCH) begin
        mask_o = mask_q[rd_ptr];
        data_o = data_q[rd_ptr];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int i = 0; i < DEPTH; i++) begin
        op_q[i]    <= '0;
        line_q[i]  <= '0;
        entry_q[i] <= '0;
        mask_q[i]  <= '0;
        data_q[i]  <= '0;
      end
    end else if (write) begin
      op_q[wr_ptr]    <= push_op_i;
      line_q[wr_ptr]  <= push_line_i;
      entry_q[wr_ptr] <= push_entry_i;
      if (push_op_i != RF_MISS_FETCH) begin
        mask_q[wr_ptr] <= push_mask_i;
        data_q[wr_ptr] <= push_data_i;
      end
    end
  end

endmodule

`default_nettype wire
