// SPDX-License-Identifier: Apache-2.0
// Operand collector unit: holds one issued instruction while its source registers are read, then offers it for dispatch.
//
// Latency:   alloc t, asks from t+1; granted g, data on fill_data_i in g+1, ready from g+2; free in the cycle after dispatch.
//            No output depends on an input of the same cycle.
// Conflicts: alloc_i is ignored while busy, even in the cycle of the dispatch; dispatch_i counts only while ready; a grant counts
//            only for a slot that asks.
// Ahead:     a valid source in alloc_fill_i is being read by its bank in the cycle of the alloc [bank stealing IV-B]: it needs no grant and is
//            filled in t+1.
// SERIAL:    1: only the lowest of the slots that would ask does, so that one register arrives in a cycle.
// D-dup:     a register that several slots name is asked for once, by the lowest of them; its grant counts for all of them, and
//            all of them take the bank's data from the crossbar in the cycle after.
// Reset:     everything is 0.
// Source:    [bank stealing II-B]; [Malekeh 2] (valid, ready and data per source; 3 slots, 7 for HMMA).
`default_nettype none

module rf_ocu #(
  /// Source slots, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Lanes of a warp, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 64,
  /// Banks, 1 to 32.
  parameter int unsigned BANKS = 8,
  /// Rows of a bank, 1 to 1024.
  parameter int unsigned ROWS = 256,
  /// Execution ports, 1 to 8.
  parameter int unsigned EXPORTS = 4,
  /// 0: all sources ask at once, 1: one at a time.
  parameter int unsigned SERIAL = 0,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W  = rf_pkg::index_bits(REGS),
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS),
  localparam int unsigned ROW_W  = rf_pkg::index_bits(ROWS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned TAG_W = rf_banked_pkg::TAG_W,
  localparam int unsigned CARRIED_W = `RF_BANKED_CARRIED_W,
  localparam int unsigned INST_W = `RF_BANKED_INST_W,
  localparam int unsigned DATA_W = 32 * LANES
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  /// An instruction takes this unit ...
  input  logic                    alloc_i,
  /// ... this one: rf_banked_pkg's inst_t.
  input  logic [INST_W-1:0]       alloc_inst_i,
  /// Per slot: its bank.
  input  logic [SLOTS*BANK_W-1:0] alloc_bank_i,
  /// Per slot: its row.
  input  logic [SLOTS*ROW_W-1:0]  alloc_row_i,
  /// Per slot: its bank is reading it in this cycle already.
  input  logic [SLOTS-1:0]        alloc_fill_i,
  /// Per slot: the bank reads for it.
  input  logic [SLOTS-1:0]        rd_grant_i,
  /// Per slot: data from the crossbar.
  input  logic [SLOTS*DATA_W-1:0] fill_data_i,
  /// The instruction leaves.
  input  logic                    dispatch_i,
  /// It holds an instruction.
  output logic                    busy_o,
  /// Busy, and all operands are there.
  output logic                    ready_o,
  /// Per slot: it asks for its bank.
  output logic [SLOTS-1:0]        rd_valid_o,
  /// Per slot: bank.
  output logic [SLOTS*BANK_W-1:0] rd_bank_o,
  /// Per slot: row.
  output logic [SLOTS*ROW_W-1:0]  rd_row_o,
  /// Per slot: a valid source not granted yet.
  output logic [SLOTS-1:0]        unread_o,
  /// Per slot: register.
  output logic [SLOTS*REG_W-1:0]  src_o,
  /// Per slot: data arrives in this cycle, from bank rd_bank_o.
  output logic [SLOTS-1:0]        fill_valid_o,
  /// The instruction as allocated: warp,
  output logic [WARP_W-1:0]       warp_o,
  /// execution port,
  output logic [PORT_W-1:0]       port_o,
  /// and what goes with it there, a carried_t.
  output logic [CARRIED_W-1:0]    carried_o,
  /// Per slot: operand.
  output logic [SLOTS*DATA_W-1:0] data_o
);

  if (SLOTS < 1 || SLOTS > 8 || LANES < 1 || LANES > 32 || WARPS < 1 || WARPS > 64 || REGS < 1 || REGS > 256 ||
      BANKS < 1 || BANKS > 32 || ROWS < 1 || ROWS > 1024 || EXPORTS < 1 || EXPORTS > 8 || SERIAL > 1) begin : gen_range
    $error({"rf_ocu: SLOTS 1 to 8, LANES 1 to 32, WARPS 1 to 64, REGS 1 to 256, BANKS 1 to 32, ROWS 1 to 1024, ",
            "EXPORTS 1 to 8, SERIAL 0 to 1"});
  end

  `RF_BANKED_RECORDS

  logic              busy_q, busy_d;
  carried_t          carried_q;
  logic [PORT_W-1:0] port_q;
  logic [SLOTS-1:0]  src_valid_q, src_valid_d;
  logic [REG_W-1:0]  src_q [0:SLOTS-1];
  logic [BANK_W-1:0] bank_q [0:SLOTS-1];
  logic [ROW_W-1:0]  row_q [0:SLOTS-1];
  logic [SLOTS-1:0]  fill_q, fill_d;
  logic [SLOTS-1:0]  ready_q, ready_d;
  logic [DATA_W-1:0] data_q [0:SLOTS-1];

  logic                   alloc, dispatch;
  logic [SLOTS-1:0]       unread, wanted, asks, granted, ahead, src_valid;
  logic [SLOTS*REG_W-1:0] src;
  inst_t                  inst;

  assign inst      = alloc_inst_i;
  assign src_valid = inst.src_valid;
  assign src       = inst.src;

  assign alloc    = alloc_i && !busy_q;
  assign dispatch = dispatch_i && ready_o;
  assign unread   = src_valid_q & ~(fill_q | ready_q);
  assign granted  = asks & rd_grant_i;
  assign ahead    = alloc_fill_i & src_valid;

  for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
    // Lower slots that name the same register: one that is unread asks for both.
    logic [SLOTS-1:0] same;
    for (genvar l = 0; l < SLOTS; l++) begin : gen_same
      if (l < s) assign same[l] = src_q[l] == src_q[s];
      else       assign same[l] = 1'b0;
    end
    assign wanted[s] = unread[s] && (unread & same) == '0;
    assign fill_d[s] = granted[s] || (unread[s] && (granted & same) != '0) || (alloc && ahead[s]);

    assign rd_bank_o[s*BANK_W +: BANK_W] = bank_q[s];
    assign rd_row_o[s*ROW_W +: ROW_W]    = row_q[s];
    assign src_o[s*REG_W +: REG_W]       = src_q[s];
    assign data_o[s*DATA_W +: DATA_W]    = data_q[s];
  end

  if (SERIAL != 0) assign asks = `RF_LOWEST(wanted);
  else             assign asks = wanted;

  always_comb begin
    busy_d      = busy_q;
    src_valid_d = src_valid_q;
    ready_d     = ready_q | fill_q;
    if (dispatch) begin
      busy_d      = 1'b0;
      src_valid_d = '0;
      ready_d     = '0;
    end
    if (alloc) begin
      busy_d      = 1'b1;
      src_valid_d = src_valid;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q      <= 1'b0;
      src_valid_q <= '0;
      fill_q      <= '0;
      ready_q     <= '0;
    end else begin
      busy_q      <= busy_d;
      src_valid_q <= src_valid_d;
      fill_q      <= fill_d;
      ready_q     <= ready_d;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      carried_q <= '0;
      port_q    <= '0;
      for (int s = 0; s < SLOTS; s++) begin
        src_q[s]  <= '0;
        bank_q[s] <= '0;
        row_q[s]  <= '0;
      end
    end else if (alloc) begin
      carried_q <= inst.carried;
      port_q    <= inst.port;
      for (int s = 0; s < SLOTS; s++) begin
        src_q[s]  <= src[s*REG_W +: REG_W];
        bank_q[s] <= alloc_bank_i[s*BANK_W +: BANK_W];
        row_q[s]  <= alloc_row_i[s*ROW_W +: ROW_W];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int s = 0; s < SLOTS; s++) data_q[s] <= '0;
    end else begin
      for (int s = 0; s < SLOTS; s++)
        if (fill_q[s]) data_q[s] <= fill_data_i[s*DATA_W +: DATA_W];
    end
  end

  assign busy_o       = busy_q;
  assign ready_o      = busy_q && (src_valid_q & ~ready_q) == '0;
  assign rd_valid_o   = asks;
  assign unread_o     = unread;
  assign fill_valid_o = fill_q;
  assign warp_o       = carried_q.warp;
  assign port_o       = port_q;
  assign carried_o    = carried_q;

endmodule

`default_nettype wire
