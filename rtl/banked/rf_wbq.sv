// SPDX-License-Identifier: Apache-2.0
// Write-back queue of one execution port: results wait here, in order, for their bank [bank stealing II-B].
//
// Handshake: a push is accepted while ready_o is high; grant_i removes the head. A push while not ready and a grant while empty
//            are ignored.
// Latency:   a result asks for its bank in the cycle after its push at the earliest; the outputs are wires of the registers.
// Conflict:  a head that is not granted waits, and so does everything behind it.
// Indexes:   carried, not interpreted: any value passes.
// Reset:     empty, all entries 0.
`default_nettype none

module rf_wbq #(
  /// Entries, 1 to 16.
  parameter int unsigned DEPTH = 4,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 32,
  /// Banks, 1 to 32.
  parameter int unsigned BANKS = 16,
  /// Rows of a bank, 1 to 1024.
  parameter int unsigned ROWS = 64,
  /// Bits that a result carries along, 1 to 8.
  parameter int unsigned NOTE = 1,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS),
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS),
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  /// A result is offered ...
  input  logic              push_i,
  /// ... of this warp ...
  input  logic [WARP_W-1:0] push_warp_i,
  /// ... for this register of it ...
  input  logic [REG_W-1:0]  push_reg_i,
  /// ... with this note, only carried ([Malekeh 4.2]: it is read again soon) ...
  input  logic [NOTE-1:0]   push_note_i,
  /// ... which lies in this bank ...
  input  logic [BANK_W-1:0] push_bank_i,
  /// ... and row.
  input  logic [ROW_W-1:0]  push_row_i,
  /// Lanes to write.
  input  logic [LANES-1:0]  push_mask_i,
  /// Per lane: the value.
  input  logic [DATA_W-1:0] push_data_i,
  /// The head is written in this cycle.
  input  logic              grant_i,
  /// Not full.
  output logic              ready_o,
  /// The head asks for its bank; when low, all outputs below are 0.
  output logic              wr_valid_o,
  /// The head, as it was pushed.
  output logic [WARP_W-1:0] wr_warp_o,
  output logic [REG_W-1:0]  wr_reg_o,
  output logic [NOTE-1:0]   wr_note_o,
  output logic [BANK_W-1:0] wr_bank_o,
  output logic [ROW_W-1:0]  wr_row_o,
  output logic [LANES-1:0]  wr_mask_o,
  output logic [DATA_W-1:0] wr_data_o
);

  if (DEPTH < 1 || DEPTH > 16) begin : gen_depth_range
    $error("rf_wbq: DEPTH must be 1 to 16");
  end
  if (LANES < 1 || LANES > 32) begin : gen_lanes_range
    $error("rf_wbq: LANES must be 1 to 32");
  end
  if (WARPS < 1 || WARPS > 64) begin : gen_warps_range
    $error("rf_wbq: WARPS must be 1 to 64");
  end
  if (REGS < 1 || REGS > 256) begin : gen_regs_range
    $error("rf_wbq: REGS must be 1 to 256");
  end
  if (BANKS < 1 || BANKS > 32) begin : gen_banks_range
    $error("rf_wbq: BANKS must be 1 to 32");
  end
  if (ROWS < 1 || ROWS > 1024) begin : gen_rows_range
    $error("rf_wbq: ROWS must be 1 to 1024");
  end
  if (NOTE < 1 || NOTE > 8) begin : gen_note_range
    $error("rf_wbq: NOTE must be 1 to 8");
  end

  localparam int unsigned PTR_W = rf_pkg::index_bits(DEPTH);

  logic [WARP_W-1:0] warp_q [0:DEPTH-1];
  logic [REG_W-1:0]  reg_q  [0:DEPTH-1];
  logic [NOTE-1:0]   note_q [0:DEPTH-1];
  logic [BANK_W-1:0] bank_q [0:DEPTH-1];
  logic [ROW_W-1:0]  row_q  [0:DEPTH-1];
  logic [LANES-1:0]  mask_q [0:DEPTH-1];
  logic [DATA_W-1:0] data_q [0:DEPTH-1];

  logic                       write;
  logic [PTR_W-1:0]           wr_ptr, rd_ptr;
  logic [$clog2(DEPTH+1)-1:0] unused_level;

  rf_fifo_ctrl #(
    .DEPTH(DEPTH)
  ) u_ctrl (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .push_i  (push_i),
    .pop_i   (grant_i),
    .ready_o (ready_o),
    .valid_o (wr_valid_o),
    .write_o (write),
    .wr_ptr_o(wr_ptr),
    .rd_ptr_o(rd_ptr),
    .level_o (unused_level)
  );

  always_comb begin
    wr_warp_o = '0;
    wr_reg_o  = '0;
    wr_note_o = '0;
    wr_bank_o = '0;
    wr_row_o  = '0;
    wr_mask_o = '0;
    wr_data_o = '0;
    if (wr_valid_o) begin
      wr_warp_o = warp_q[rd_ptr];
      wr_reg_o  = reg_q[rd_ptr];
      wr_note_o = note_q[rd_ptr];
      wr_bank_o = bank_q[rd_ptr];
      wr_row_o  = row_q[rd_ptr];
      wr_mask_o = mask_q[rd_ptr];
      wr_data_o = data_q[rd_ptr];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int i = 0; i < DEPTH; i++) begin
        warp_q[i] <= '0;
        reg_q[i]  <= '0;
        note_q[i] <= '0;
        bank_q[i] <= '0;
        row_q[i]  <= '0;
        mask_q[i] <= '0;
        data_q[i] <= '0;
      end
    end else if (write) begin
      warp_q[wr_ptr] <= push_warp_i;
      reg_q[wr_ptr]  <= push_reg_i;
      note_q[wr_ptr] <= push_note_i;
      bank_q[wr_ptr] <= push_bank_i;
      row_q[wr_ptr]  <= push_row_i;
      mask_q[wr_ptr] <= push_mask_i;
      data_q[wr_ptr] <= push_data_i;
    end
  end

endmodule

`default_nettype wire
