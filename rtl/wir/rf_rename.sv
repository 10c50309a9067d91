// SPDX-License-Identifier: Apache-2.0
// Rename tables of one issue group: which physical register holds each logical register of each warp ([WIR V-B]; pin bit V-D).
//
// Read:      sources and destination of one warp, in the same cycle from the registers; 0 when not valid.
// Write:     one entry at the edge, valid from then on.
// Release:   clear_i marks warps at the edge. The lowest marked warp shows the lowest of its valid entries; walk_i takes it. A
//            marked warp without one loses its mark at the next edge, one a cycle; clear_i beats that.
// Conflicts: a write and a walk of the same entry: the write is lost.
// Range:     a warp or register that does not exist is never valid and never written.
// Reset:     nothing is mapped, no warp is marked.
`default_nettype none

module rf_rename #(
  /// Warps of the group, 1 to 64.
  parameter int unsigned WARPS = 24,
  /// Logical registers of a warp, 1 to 256.
  parameter int unsigned REGS = 63,
  /// Sources of an instruction, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W  = rf_pkg::index_bits(REGS),
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  /// Read: the warp.
  input  logic [WARP_W-1:0]       rd_warp_i,
  /// Per slot: a source.
  input  logic [SLOTS*REG_W-1:0]  rd_src_i,
  /// The destination.
  input  logic [REG_W-1:0]        rd_dst_i,
  /// Write: a register is mapped ...
  input  logic                    wr_valid_i,
  /// ... of this warp ...
  input  logic [WARP_W-1:0]       wr_warp_i,
  /// ... this one ...
  input  logic [REG_W-1:0]        wr_reg_i,
  /// ... to this physical register ...
  input  logic [PREG_W-1:0]       wr_preg_i,
  /// ... which is its own (V-D).
  input  logic                    wr_pin_i,
  /// Per warp: its mappings are to be released.
  input  logic [WARPS-1:0]        clear_i,
  /// The entry shown is released.
  input  logic                    walk_i,
  /// Per slot: the source is mapped.
  output logic [SLOTS-1:0]        src_valid_o,
  /// Per slot: to this register.
  output logic [SLOTS*PREG_W-1:0] src_preg_o,
  /// Per slot: pinned.
  output logic [SLOTS-1:0]        src_pin_o,
  /// The destination is mapped.
  output logic                    dst_valid_o,
  /// To this register.
  output logic [PREG_W-1:0]       dst_preg_o,
  /// Pinned.
  output logic                    dst_pin_o,
  /// Per warp: marked.
  output logic [WARPS-1:0]        walking_o,
  /// There is an entry to release.
  output logic                    walk_valid_o,
  /// Its physical register.
  output logic [PREG_W-1:0]       walk_preg_o
);

  if (WARPS < 1 || WARPS > 64 || REGS < 1 || REGS > 256 || SLOTS < 1 || SLOTS > 8 || PREGS < 2 || PREGS > 1024) begin : gen_range
    $error("rf_rename: WARPS 1 to 64, REGS 1 to 256, SLOTS 1 to 8, PREGS 2 to 1024");
  end

  // What an index can name; entries of all tables, and an index of those.
  localparam int unsigned REG_N  = 1 << REG_W;
  localparam int unsigned SIZE   = WARPS * REGS;
  localparam int unsigned SIZE_W = rf_pkg::index_bits(SIZE);

  logic [REGS-1:0]   valid_q [0:WARPS-1];
  logic [REGS-1:0]   pin_q   [0:WARPS-1];
  logic [PREG_W-1:0] preg_q  [0:SIZE-1];
  logic [WARPS-1:0]  walking_q, walking_d;

  // Where an entry lies; of one that does not exist, anywhere.
  function automatic logic [SIZE_W-1:0] place(input logic [WARP_W-1:0] warp, input logic [REG_W-1:0] register);
    place = SIZE_W'(warp) * SIZE_W'(REGS) + SIZE_W'(register);
  endfunction

  // Read.
  logic [REG_N-1:0] rd_valid, rd_pin;
  logic             rd_warp_ok;

  assign rd_warp_ok = {1'b0, rd_warp_i} < (WARP_W+1)'(WARPS);
  assign rd_valid[REGS-1:0] = valid_q[rd_warp_i] & {REGS{rd_warp_ok}};
  assign rd_pin[REGS-1:0]   = pin_q[rd_warp_i] & {REGS{rd_warp_ok}};
  if (REG_N > REGS) begin : gen_pad
    assign rd_valid[REG_N-1:REGS] = '0;
    assign rd_pin[REG_N-1:REGS]   = '0;
  end

  for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
    logic [REG_W-1:0] src;
    assign src = rd_src_i[s*REG_W +: REG_W];
    assign src_valid_o[s] = rd_valid[src];
    assign src_pin_o[s]   = rd_pin[src];
    assign src_preg_o[s*PREG_W +: PREG_W] = src_valid_o[s] ? preg_q[place(rd_warp_i, src)] : '0;
  end
  assign dst_valid_o = rd_valid[rd_dst_i];
  assign dst_pin_o   = rd_pin[rd_dst_i];
  assign dst_preg_o  = dst_valid_o ? preg_q[place(rd_warp_i, rd_dst_i)] : '0;

  // Release: the lowest marked warp and the lowest of its valid entries, one hot, then as numbers.
  logic [WARPS-1:0]  warp_1h;
  logic [REGS-1:0]   walk_row, reg_1h;
  logic [WARP_W-1:0] walk_warp;
  logic [REG_W-1:0]  walk_reg;
  logic              marked, take;

  assign marked   = walking_q != '0;
  assign warp_1h  = `RF_LOWEST(walking_q);
  assign walk_row = valid_q[walk_warp] & {REGS{marked}};
  assign reg_1h   = `RF_LOWEST(walk_row);
  for (genvar b = 0; b < WARP_W; b++) begin : gen_warp_bit
    logic [WARPS-1:0] has;
    for (genvar w = 0; w < WARPS; w++) begin : gen_has
      assign has[w] = 1'((w >> b) & 1);
    end
    assign walk_warp[b] = (warp_1h & has) != '0;
  end
  for (genvar b = 0; b < REG_W; b++) begin : gen_reg_bit
    logic [REGS-1:0] has;
    for (genvar r = 0; r < REGS; r++) begin : gen_has
      assign has[r] = 1'((r >> b) & 1);
    end
    assign walk_reg[b] = (reg_1h & has) != '0;
  end

  assign walking_o    = walking_q;
  assign walk_valid_o = walk_row != '0;
  assign walk_preg_o  = walk_valid_o ? preg_q[place(walk_warp, walk_reg)] : '0;
  assign take         = walk_i && walk_valid_o;
  assign walking_d    = (walking_q & ~(warp_1h & {WARPS{!walk_valid_o}})) | clear_i;

  logic write;
  assign write = wr_valid_i && {1'b0, wr_warp_i} < (WARP_W+1)'(WARPS) && {1'b0, wr_reg_i} < (REG_W+1)'(REGS) &&
                 !(take && wr_warp_i == walk_warp && wr_reg_i == walk_reg);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      walking_q <= '0;
      for (int w = 0; w < WARPS; w++) begin
        valid_q[w] <= '0;
        pin_q[w]   <= '0;
      end
      // A loop for 12 registers of each warp (w: its first entry): Verilator must unroll them and refuses longer ones.
      for (int w = 0; w < SIZE; w += REGS) for (int r = 0;   r < REGS && r < 12;  r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 12;  r < REGS && r < 24;  r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 24;  r < REGS && r < 36;  r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 36;  r < REGS && r < 48;  r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 48;  r < REGS && r < 60;  r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 60;  r < REGS && r < 72;  r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 72;  r < REGS && r < 84;  r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 84;  r < REGS && r < 96;  r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 96;  r < REGS && r < 108; r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 108; r < REGS && r < 120; r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 120; r < REGS && r < 132; r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 132; r < REGS && r < 144; r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 144; r < REGS && r < 156; r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 156; r < REGS && r < 168; r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 168; r < REGS && r < 180; r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 180; r < REGS && r < 192; r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 192; r < REGS && r < 204; r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 204; r < REGS && r < 216; r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 216; r < REGS && r < 228; r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 228; r < REGS && r < 240; r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 240; r < REGS && r < 252; r++) preg_q[w+r] <= '0;
      for (int w = 0; w < SIZE; w += REGS) for (int r = 252; r < REGS; r++) preg_q[w+r] <= '0;
    end else begin
      walking_q <= walking_d;
      if (write) begin
        valid_q[wr_warp_i][wr_reg_i] <= 1'b1;
        pin_q[wr_warp_i][wr_reg_i]   <= wr_pin_i;
        preg_q[place(wr_warp_i, wr_reg_i)] <= wr_preg_i;
      end
      if (take) begin
        valid_q[walk_warp][walk_reg] <= 1'b0;
        pin_q[walk_warp][walk_reg]   <= 1'b0;
      end
    end
  end

endmodule

`default_nettype wire
