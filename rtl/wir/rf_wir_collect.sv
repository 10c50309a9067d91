// SPDX-License-Identifier: Apache-2.0
// Operand collectors of rf_wir: from the reuse lanes to the execution ports [WIR II, V-B]. rf_ocu_alloc, rf_ocu and rf_stage_exec,
// with physical registers in place of warp and register, and what comes back with the result beside each collector.
//
// Allocation: a lane's instruction that asks (req_i) gets the lowest free collector, group 0 first.
// Sources:   of `mapped`: physical register p is row p / BANKS of bank p mod BANKS; of `src_valid` but not mapped:
//            delivered as 0 (D-zero). D-dup goes by the logical register.
// Reads:     element collector * SLOTS + slot: asked with rd_valid_o, granted in the same cycle; the data comes in the cycle
//            after, that of fill_valid_o.
// Offer:     a port is offered one complete collector that waits for it, in turn; ex_valid_o does not depend on ex_ready_i.
// Depends:   all outputs but grant_o on registers alone; grant_o on req_i too.
// Range:     everything of a port that is offered nothing is 0; a collector whose port does not exist is never offered.
// Reset:     everything is 0; collector 0 is first at every port.
`default_nettype none

module rf_wir_collect #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 48,
  /// Operand collectors, 1 to 15; COLLECTORS x SLOTS at most 64.
  parameter int unsigned COLLECTORS = 8,
  /// Register banks, a power of two, 1 to 32.
  parameter int unsigned BANKS = 8,
  /// Logical registers of a warp, 1 to 256.
  parameter int unsigned REGS = 63,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 6.
  parameter int unsigned SLOTS = 3,
  /// Execution ports, 1 to 8.
  parameter int unsigned EXPORTS = 4,
  /// Issue groups, 1 to 4.
  parameter int unsigned ISSUES = 2,
  /// Physical registers, 2 to 1024, a multiple of BANKS.
  parameter int unsigned PREGS = 1024,
  /// Bits that come back with the result, 1 to 32.
  parameter int unsigned INFOW = 21,
  localparam int unsigned TAG_W = rf_banked_pkg::TAG_W,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS),
  localparam int unsigned ROWS = PREGS / BANKS,
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS),
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS),
  localparam int unsigned READERS = COLLECTORS * SLOTS,
  localparam int unsigned SRC_W = SLOTS * REG_W,
  localparam int unsigned OPERAND_W = SLOTS * PREG_W,
  localparam int unsigned OP_W = 8 - SLOTS,
  localparam int unsigned LANE_W = `RF_WIR_LANE_W,
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  /// Per group: the lane's instruction asks for a collector ...
  input  logic [ISSUES-1:0]               req_i,
  /// ... this one: rf_wir_pkg's lane_t.
  input  logic [ISSUES*LANE_W-1:0]        lane_i,
  /// What is to come back with the result.
  input  logic [ISSUES*INFOW-1:0]         lane_info_i,
  /// Per collector and slot: the bank reads for it; data from the crossbar.
  input  logic [READERS-1:0]              rd_grant_i,
  input  logic [READERS*DATA_W-1:0]       fill_data_i,
  /// Per port: it accepts an instruction.
  input  logic [EXPORTS-1:0]              ex_ready_i,
  /// Per group: it gets a collector.
  output logic [ISSUES-1:0]               grant_o,
  /// Per collector and slot: a source that has yet to be granted; its warp and register.
  output logic [READERS-1:0]              unread_o,
  output logic [READERS*WARP_W-1:0]       reader_warp_o,
  output logic [READERS*REG_W-1:0]        reader_reg_o,
  /// Per collector and slot: it asks for its bank; bank and row.
  output logic [READERS-1:0]              rd_valid_o,
  output logic [READERS*BANK_W-1:0]       rd_bank_o,
  output logic [READERS*ROW_W-1:0]        rd_row_o,
  /// Per collector and slot: its data arrives in this cycle, from bank rd_bank_o.
  output logic [READERS-1:0]              fill_valid_o,
  /// Per port: an instruction is offered; all below is 0 when not.
  output logic [EXPORTS-1:0]              ex_valid_o,
  output logic [EXPORTS*WARP_W-1:0]       ex_warp_o,
  output logic [EXPORTS*TAG_W-1:0]        ex_tag_o,
  output logic [EXPORTS*LANES-1:0]        ex_mask_o,
  output logic [EXPORTS-1:0]              ex_dst_valid_o,
  output logic [EXPORTS*REG_W-1:0]        ex_dst_o,
  /// Per port and slot: the operand.
  output logic [EXPORTS*SLOTS*DATA_W-1:0] ex_data_o,
  /// Per port: its lane_info_i.
  output logic [EXPORTS*INFOW-1:0]        ex_info_o
);

  localparam int unsigned COLLECTOR_W = rf_pkg::index_bits(COLLECTORS);
  localparam int unsigned ISSUE_W = rf_pkg::index_bits(ISSUES);
  localparam int unsigned CARRIED_W = `RF_BANKED_CARRIED_W;
  localparam int unsigned INST_W = `RF_BANKED_INST_W;
  localparam int unsigned META_W = CARRIED_W + INFOW;

  if (COLLECTORS < 1 || COLLECTORS > 15 || SLOTS < 1 || SLOTS > 6 || READERS > 64) begin : gen_collectors_range
    $error("rf_wir_collect: COLLECTORS must be 1 to 15, SLOTS 1 to 6, COLLECTORS x SLOTS at most 64");
  end
  if (BANKS < 1 || BANKS > 32 || (BANKS & (BANKS - 1)) != 0 || PREGS < 2 || PREGS > 1024 ||
      PREGS % BANKS != 0) begin : gen_pregs_range
    $error("rf_wir_collect: BANKS must be a power of two up to 32, PREGS 2 to 1024, a multiple of BANKS");
  end
  if (INFOW < 1 || INFOW > 32) begin : gen_info_range
    $error("rf_wir_collect: INFOW must be 1 to 32");
  end

  `RF_BANKED_RECORDS
  `RF_WIR_LANE_RECORDS

  // Per group: the lane's instruction as a collector takes it, its sources that are 0, its operands.
  logic [ISSUES*INST_W-1:0]    lane_inst;
  logic [ISSUES*SLOTS-1:0]     lane_zero;
  logic [ISSUES*OPERAND_W-1:0] lane_operand;
  lane_t                       lane;
  inst_t                       inst;
  always_comb begin
    inst = '0;
    for (int g = 0; g < ISSUES; g++) begin
      lane = lane_i[g*LANE_W +: LANE_W];
      inst.carried.warp      = lane.renamed.common.warp;
      inst.carried.tag       = lane.renamed.common.tag;
      inst.carried.mask      = lane.mask;
      inst.carried.dst_valid = lane.dst_valid;
      inst.carried.dst       = lane.renamed.common.dst;
      inst.port              = lane.renamed.common.port;
      inst.src_valid         = lane.mapped;
      inst.src               = lane.renamed.common.src;
      lane_inst[g*INST_W +: INST_W]          = inst;
      lane_zero[g*SLOTS +: SLOTS]            = lane.renamed.common.src_valid & ~lane.mapped;
      lane_operand[g*OPERAND_W +: OPERAND_W] = lane.renamed.operand;
    end
  end

  logic [COLLECTORS-1:0]         busy, collected, alloc, dispatched;
  logic [COLLECTORS*ISSUE_W-1:0] which;
  logic [ISSUES*COLLECTOR_W-1:0] unused_sel;
  logic [COLLECTORS*PORT_W-1:0]  port;
  logic [COLLECTORS*META_W-1:0]  meta;
  logic [EXPORTS*META_W-1:0]     ex_meta;
  logic [READERS*DATA_W-1:0]     operands; // by slot, for the crossbars
  // Beside each collector: sources that are not mapped, and what comes back with the result.
  logic [SLOTS-1:0] zero_q [0:COLLECTORS-1];
  logic [INFOW-1:0] info_q [0:COLLECTORS-1];

  rf_ocu_alloc #(.COLLECTORS(COLLECTORS), .ISSUES(ISSUES)) u_alloc (
    .busy_i(busy), .req_i(req_i), .grant_o(grant_o), .sel_o(unused_sel), .alloc_o(alloc), .which_o(which)
  );

  for (genvar c = 0; c < COLLECTORS; c++) begin : gen_ocu
    logic [ISSUE_W-1:0]      from;
    logic [WARP_W-1:0]       warp;
    logic [CARRIED_W-1:0]    carried;
    logic [INST_W-1:0]       taken;
    logic [OPERAND_W-1:0]    operand;
    logic [SLOTS*BANK_W-1:0] bank;
    logic [SLOTS*ROW_W-1:0]  row;
    logic [SLOTS*DATA_W-1:0] data;

    assign from    = which[c*ISSUE_W +: ISSUE_W];
    assign operand = lane_operand[from*OPERAND_W +: OPERAND_W];
    always_comb begin
      taken = lane_inst[INST_W-1:0];
      for (int g = 1; g < ISSUES; g++) if (from == ISSUE_W'(g)) taken = lane_inst[g*INST_W +: INST_W];
    end
    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      assign bank[s*BANK_W +: BANK_W] = BANK_W'(operand[s*PREG_W +: PREG_W] & PREG_W'(BANKS - 1));
      assign row[s*ROW_W +: ROW_W]    = ROW_W'({operand[s*PREG_W +: PREG_W] >> $clog2(BANKS)});
      assign operands[(s*COLLECTORS + c)*DATA_W +: DATA_W] = zero_q[c][s] ? '0 : data[s*DATA_W +: DATA_W];
    end

    rf_ocu #(.SLOTS(SLOTS), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .BANKS(BANKS), .ROWS(ROWS), .EXPORTS(EXPORTS)) u_ocu (
      .clk_i(clk_i), .rst_ni(rst_ni), .alloc_i(alloc[c]), .alloc_inst_i(taken), .alloc_bank_i(bank), .alloc_row_i(row), .alloc_fill_i({SLOTS{1'b0}}),
      .rd_grant_i(rd_grant_i[c*SLOTS +: SLOTS]), .fill_data_i(fill_data_i[c*SLOTS*DATA_W +: SLOTS*DATA_W]),
      .dispatch_i(dispatched[c]), .busy_o(busy[c]), .ready_o(collected[c]), .rd_valid_o(rd_valid_o[c*SLOTS +: SLOTS]),
      .rd_bank_o(rd_bank_o[c*SLOTS*BANK_W +: SLOTS*BANK_W]), .rd_row_o(rd_row_o[c*SLOTS*ROW_W +: SLOTS*ROW_W]),
      .unread_o(unread_o[c*SLOTS +: SLOTS]), .src_o(reader_reg_o[c*SRC_W +: SRC_W]),
      .fill_valid_o(fill_valid_o[c*SLOTS +: SLOTS]), .warp_o(warp), .port_o(port[c*PORT_W +: PORT_W]), .carried_o(carried),
      .data_o(data)
    );

    assign reader_warp_o[c*SLOTS*WARP_W +: SLOTS*WARP_W] = {SLOTS{warp}};
    assign meta[c*META_W +: META_W] = {carried, info_q[c]};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        zero_q[c] <= '0;
        info_q[c] <= '0;
      end else if (alloc[c]) begin
        zero_q[c] <= lane_zero[from*SLOTS +: SLOTS];
        info_q[c] <= lane_info_i[from*INFOW +: INFOW];
      end
    end
  end

  rf_stage_exec #(.COLLECTORS(COLLECTORS), .SLOTS(SLOTS), .EXPORTS(EXPORTS), .META_W(META_W), .DATA_W(DATA_W)) u_exec (
    .clk_i(clk_i), .rst_ni(rst_ni), .collected_i(collected), .port_i(port), .meta_i(meta), .data_i(operands),
    .ex_ready_i(ex_ready_i), .dispatched_o(dispatched), .ex_valid_o(ex_valid_o), .ex_meta_o(ex_meta), .ex_data_o(ex_data_o)
  );

  carried_t offer;
  always_comb begin
    for (int e = 0; e < EXPORTS; e++) begin
      {offer, ex_info_o[e*INFOW +: INFOW]} = ex_meta[e*META_W +: META_W];
      ex_warp_o[e*WARP_W +: WARP_W] = offer.warp;
      ex_tag_o[e*TAG_W +: TAG_W]    = offer.tag;
      ex_mask_o[e*LANES +: LANES]   = offer.mask;
      ex_dst_valid_o[e]             = offer.dst_valid;
      ex_dst_o[e*REG_W +: REG_W]    = offer.dst;
    end
  end

endmodule

`default_nettype wire
