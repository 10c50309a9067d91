// SPDX-License-Identifier: Apache-2.0
// Operand collector whose operands may miss: holds one issued instruction until the memory has brought its source registers, in
// any order, then offers it for dispatch.
//
// Latency:   alloc t, asks from t+1; a fill in g is ready from g+1; free in the cycle after dispatch. No output depends on an
//            input of the same cycle.
// Conflicts: alloc_i is ignored while busy, even in the cycle of the dispatch; dispatch_i counts only while ready; rd_accept_i
//            only for a slot that asks; fill_i only for a slot that asked, was accepted in an earlier cycle and has no data yet.
// D-dup:     slots with the same register (src, whatever its number) ask once, by the lowest of them; that slot's fill is for all
//            of them, and it asks for the last read when one of them has its bit of last.
// Reset:     everything is 0.
// Source:    [CERF III-B]; the collector is rf_ocu's.
`default_nettype none

module rf_miss_ocu #(
  /// Source slots, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Lanes of a warp, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 64,
  /// Execution ports, 1 to 8.
  parameter int unsigned EXPORTS = 4,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W  = rf_pkg::index_bits(REGS),
  localparam int unsigned NUMBER_W = rf_pkg::index_bits(WARPS * REGS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned TAG_W = rf_banked_pkg::TAG_W,
  localparam int unsigned CARRIED_W = `RF_BANKED_CARRIED_W,
  localparam int unsigned INST_W = `RF_BANKED_INST_W,
  localparam int unsigned DATA_W = 32 * LANES
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  /// An instruction takes this unit ...
  input  logic                      alloc_i,
  /// ... this one: rf_banked_pkg's inst_t.
  input  logic [INST_W-1:0]         alloc_inst_i,
  /// Per slot: number of its register.
  input  logic [SLOTS*NUMBER_W-1:0] alloc_number_i,
  /// Per slot: no lane reads the register's value again; counts for valid sources.
  input  logic [SLOTS-1:0]          alloc_last_i,
  /// Per slot: the memory takes its request.
  input  logic [SLOTS-1:0]          rd_accept_i,
  /// Per slot: its data comes.
  input  logic [SLOTS-1:0]          fill_i,
  /// Per slot: that data; of a shared register that of the slot that asked.
  input  logic [SLOTS*DATA_W-1:0]   fill_data_i,
  /// The instruction leaves.
  input  logic                      dispatch_i,
  /// It holds an instruction.
  output logic                      busy_o,
  /// Busy, and all operands are there.
  output logic                      ready_o,
  /// Per slot: it asks for its register.
  output logic [SLOTS-1:0]          rd_valid_o,
  /// Per slot: number of its register.
  output logic [SLOTS*NUMBER_W-1:0] rd_number_o,
  /// Per slot: it asks, for the register's last read.
  output logic [SLOTS-1:0]          rd_last_o,
  /// Per slot: a valid source not accepted yet.
  output logic [SLOTS-1:0]          unread_o,
  /// Per slot: register.
  output logic [SLOTS*REG_W-1:0]    src_o,
  /// The instruction as allocated: warp,
  output logic [WARP_W-1:0]         warp_o,
  /// execution port,
  output logic [PORT_W-1:0]         port_o,
  /// and what goes with it there, a carried_t.
  output logic [CARRIED_W-1:0]      carried_o,
  /// Per slot: operand.
  output logic [SLOTS*DATA_W-1:0]   data_o
);

  if (SLOTS < 1 || SLOTS > 8 || LANES < 1 || LANES > 32 || WARPS < 1 || WARPS > 64 || REGS < 1 || REGS > 256 ||
      EXPORTS < 1 || EXPORTS > 8) begin : gen_range
    $error("rf_miss_ocu: SLOTS 1 to 8, LANES 1 to 32, WARPS 1 to 64, REGS 1 to 256, EXPORTS 1 to 8");
  end

  `RF_BANKED_RECORDS

  logic                busy_q, busy_d;
  carried_t            carried_q;
  logic [PORT_W-1:0]   port_q;
  logic [SLOTS-1:0]    src_valid_q, src_valid_d;
  logic [REG_W-1:0]    src_q [0:SLOTS-1];
  logic [NUMBER_W-1:0] number_q [0:SLOTS-1];
  logic [SLOTS-1:0]    last_q;
  logic [SLOTS-1:0]    wait_q;
  logic [SLOTS-1:0]    ready_q, ready_d;
  logic [DATA_W-1:0]   data_q [0:SLOTS-1];

  logic                    alloc, dispatch;
  logic [SLOTS-1:0]        unread, asks, accepted, served, comes, filled, src_valid;
  logic [SLOTS*REG_W-1:0]  src;
  logic [SLOTS*DATA_W-1:0] data;
  inst_t                   inst;

  assign inst      = alloc_inst_i;
  assign src_valid = inst.src_valid;
  assign src       = inst.src;

  assign alloc    = alloc_i && !busy_q;
  assign dispatch = dispatch_i && ready_o;
  assign unread   = src_valid_q & ~(wait_q | ready_q);
  assign accepted = asks & rd_accept_i;

  for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
    // Slots that name the same register; those below: one of them that is unread asks for this one, or asked.
    logic [SLOTS-1:0]  same, below, from;
    logic [DATA_W-1:0] brought;
    for (genvar l = 0; l < SLOTS; l++) begin : gen_same
      assign same[l] = src_q[l] == src_q[s];
      if (l < s) assign below[l] = same[l];
      else       assign below[l] = 1'b0;
      // Slot l's data is for this slot, too.
      if (l == s) assign from[l] = comes[l];
      else        assign from[l] = wait_q[s] && below[l] && comes[l];
    end
    assign asks[s]      = unread[s] && (unread & below) == '0;
    assign rd_last_o[s] = asks[s] && (last_q & same) != '0;
    assign served[s]    = accepted[s] || (unread[s] && (accepted & below) != '0);
    assign comes[s]     = fill_i[s] && wait_q[s] && (wait_q & below) == '0;
    assign filled[s]    = from != '0;
    always_comb begin
      brought = fill_data_i[s*DATA_W +: DATA_W];
      for (int l = 0; l < s; l++)
        if (from[l]) brought = fill_data_i[l*DATA_W +: DATA_W];
    end
    assign data[s*DATA_W +: DATA_W] = brought;

    assign rd_number_o[s*NUMBER_W +: NUMBER_W] = number_q[s];
    assign src_o[s*REG_W +: REG_W]             = src_q[s];
    assign data_o[s*DATA_W +: DATA_W]          = data_q[s];
  end

  always_comb begin
    busy_d      = busy_q;
    src_valid_d = src_valid_q;
    ready_d     = ready_q | filled;
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
      wait_q      <= '0;
      ready_q     <= '0;
    end else begin
      busy_q      <= busy_d;
      src_valid_q <= src_valid_d;
      wait_q      <= (wait_q & ~filled) | served;
      ready_q     <= ready_d;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      carried_q <= '0;
      port_q    <= '0;
      last_q    <= '0;
      for (int s = 0; s < SLOTS; s++) begin
        src_q[s]    <= '0;
        number_q[s] <= '0;
      end
    end else if (alloc) begin
      carried_q <= inst.carried;
      port_q    <= inst.port;
      last_q    <= alloc_last_i & src_valid;
      for (int s = 0; s < SLOTS; s++) begin
        src_q[s]    <= src[s*REG_W +: REG_W];
        number_q[s] <= alloc_number_i[s*NUMBER_W +: NUMBER_W];
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int s = 0; s < SLOTS; s++) data_q[s] <= '0;
    end else begin
      for (int s = 0; s < SLOTS; s++)
        if (filled[s]) data_q[s] <= data[s*DATA_W +: DATA_W];
    end
  end

  assign busy_o     = busy_q;
  assign ready_o    = busy_q && (src_valid_q & ~ready_q) == '0;
  assign rd_valid_o = asks;
  assign unread_o   = unread;
  assign warp_o     = carried_q.warp;
  assign port_o     = port_q;
  assign carried_o  = carried_q;

endmodule

`default_nettype wire
