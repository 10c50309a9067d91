// SPDX-License-Identifier: Apache-2.0
// Result queue of one execution port: results whose register is known, or will be after a read, in order [WIR V-A].
//
// Handshake: a push is accepted while ready_o is high; pop_i removes the head. A push while not ready and a pop while empty are
//            ignored.
// Latency:   a result is the head in the cycle after its push at the earliest; the outputs are wires of the registers.
// Conflict:  a head that is not popped waits, and so does everything behind it.
// Operation: 0 write, 1 verify-read, 2 dummy MOV, 3 share; carried like the indexes, not interpreted: any value passes.
// Reset:     empty, all entries 0.
`default_nettype none

module rf_result_queue #(
  /// Entries, 1 to 16.
  parameter int unsigned DEPTH = 4,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 48,
  /// Logical registers of a warp, 1 to 256.
  parameter int unsigned REGS = 64,
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// Bits of what is carried along, 1 to 64.
  parameter int unsigned INFOW = 21,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS),
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  /// A result is offered ...
  input  logic              push_i,
  /// ... with which this is to be done ...
  input  logic [1:0]        push_op_i,
  /// ... of this warp ...
  input  logic [WARP_W-1:0] push_warp_i,
  /// ... for this logical register of it ...
  input  logic [REG_W-1:0]  push_dst_i,
  /// ... which lies in this physical register or goes there ...
  input  logic [PREG_W-1:0] push_preg_i,
  /// ... after this one was read.
  input  logic [PREG_W-1:0] push_cand_i,
  /// Lanes to write.
  input  logic [LANES-1:0]  push_mask_i,
  /// Per lane: the value.
  input  logic [DATA_W-1:0] push_data_i,
  /// Carried along.
  input  logic [INFOW-1:0]  push_info_i,
  /// The head leaves.
  input  logic              pop_i,
  /// Per lane: the head's value.
  output logic [DATA_W-1:0] data_o,
  /// Not full.
  output logic              ready_o,
  /// Not empty; when low, all outputs but ready_o are 0.
  output logic              valid_o,
  /// The head, as it was pushed.
  output logic [1:0]        op_o,
  output logic [WARP_W-1:0] warp_o,
  output logic [REG_W-1:0]  dst_o,
  output logic [PREG_W-1:0] preg_o,
  output logic [PREG_W-1:0] cand_o,
  output logic [LANES-1:0]  mask_o,
  output logic [INFOW-1:0]  info_o
);

  if (DEPTH < 1 || DEPTH > 16) begin : gen_depth_range
    $error("rf_result_queue: DEPTH must be 1 to 16");
  end
  if (LANES < 1 || LANES > 32) begin : gen_lanes_range
    $error("rf_result_queue: LANES must be 1 to 32");
  end
  if (WARPS < 1 || WARPS > 64) begin : gen_warps_range
    $error("rf_result_queue: WARPS must be 1 to 64");
  end
  if (REGS < 1 || REGS > 256) begin : gen_regs_range
    $error("rf_result_queue: REGS must be 1 to 256");
  end
  if (PREGS < 2 || PREGS > 1024) begin : gen_pregs_range
    $error("rf_result_queue: PREGS must be 2 to 1024");
  end
  if (INFOW < 1 || INFOW > 64) begin : gen_infow_range
    $error("rf_result_queue: INFOW must be 1 to 64");
  end

  localparam int unsigned PTR_W = rf_pkg::index_bits(DEPTH);

  logic [1:0]        op_q   [0:DEPTH-1];
  logic [WARP_W-1:0] warp_q [0:DEPTH-1];
  logic [REG_W-1:0]  dst_q  [0:DEPTH-1];
  logic [PREG_W-1:0] preg_q [0:DEPTH-1];
  logic [PREG_W-1:0] cand_q [0:DEPTH-1];
  logic [LANES-1:0]  mask_q [0:DEPTH-1];
  logic [DATA_W-1:0] data_q [0:DEPTH-1];
  logic [INFOW-1:0]  info_q [0:DEPTH-1];

  logic                       write;
  logic [PTR_W-1:0]           wr_ptr, rd_ptr;
  logic [$clog2(DEPTH+1)-1:0] unused_level;

  rf_fifo_ctrl #(
    .DEPTH(DEPTH)
  ) u_ctrl (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .push_i  (push_i),
    .pop_i   (pop_i),
    .ready_o (ready_o),
    .valid_o (valid_o),
    .write_o (write),
    .wr_ptr_o(wr_ptr),
    .rd_ptr_o(rd_ptr),
    .level_o (unused_level)
  );

  always_comb begin
    op_o   = '0;
    warp_o = '0;
    dst_o  = '0;
    preg_o = '0;
    cand_o = '0;
    mask_o = '0;
    data_o = '0;
    info_o = '0;
    if (valid_o) begin
      op_o   = op_q[rd_ptr];
      warp_o = warp_q[rd_ptr];
      dst_o  = dst_q[rd_ptr];
      preg_o = preg_q[rd_ptr];
      cand_o = cand_q[rd_ptr];
      mask_o = mask_q[rd_ptr];
      data_o = data_q[rd_ptr];
      info_o = info_q[rd_ptr];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int i = 0; i < DEPTH; i++) begin
        op_q[i]   <= '0;
        warp_q[i] <= '0;
        dst_q[i]  <= '0;
        preg_q[i] <= '0;
        cand_q[i] <= '0;
        mask_q[i] <= '0;
        data_q[i] <= '0;
        info_q[i] <= '0;
      end
    end else if (write) begin
      op_q[wr_ptr]   <= push_op_i;
      warp_q[wr_ptr] <= push_warp_i;
      dst_q[wr_ptr]  <= push_dst_i;
      preg_q[wr_ptr] <= push_preg_i;
      cand_q[wr_ptr] <= push_cand_i;
      mask_q[wr_ptr] <= push_mask_i;
      data_q[wr_ptr] <= push_data_i;
      info_q[wr_ptr] <= push_info_i;
    end
  end

endmodule

`default_nettype wire
