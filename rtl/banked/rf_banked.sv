// SPDX-License-Identifier: Apache-2.0
// System: the baseline operand stage of a streaming multiprocessor ([bank stealing II-B], [hierarchy 2.1], [WIR II]).
//
//   issue -> operand collectors -> arbiter -> banks -> crossbar -> collectors -> dispatch -> execution ports
//   results -> write-back queues -> arbiter -> banks
//
// Issue:     warp w belongs to group w mod ISSUES. A warp is ready when its head instruction is valid and has no hazard. The warp
//            that a group's scheduler chooses issues when the allocator has a collector for it, group 0 first; issue_valid_o
//            says so in that cycle and the warp's next instruction is expected in the next one.
// Execution: ex_valid_o offers the operands of a complete collector; it leaves in the cycle in which ex_ready_i is high too.
// Results:   accepted while res_ready_o; each waits in its port's queue for its bank, in order, and clears the scoreboard in the
//            cycle of its write.
// Mapping:   register r of warp w is in bank (r + w) mod BANKS, row w * ceil(REGS / BANKS) + r / BANKS (D-map).
// Mask:      an instruction with mask 0 has no sources and no destination (D-mask).
// Parts:     rf_stage_head, rf_stage_banks, rf_stage_exec and rf_stage_results are shared with the systems built on this one.
// Range:     ports and registers out of range (a size that is no power of two) are handled as the units say.
// Reset:     as the units say; the banks keep their contents.
`default_nettype none

module rf_banked #(
  /// Warps, 1 to 64, a multiple of ISSUES.
  parameter int unsigned WARPS = 32,
  /// Operand collectors, 1 to 16; COLLECTORS x SLOTS at most 64.
  parameter int unsigned COLLECTORS = 8,
  /// Register banks, 1 to 32.
  parameter int unsigned BANKS = 16,
  /// Registers of a warp, 1 to 256; WARPS x ceil(REGS / BANKS) at most 1024.
  parameter int unsigned REGS = 32,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Execution ports, each with a write-back queue, 1 to 8.
  parameter int unsigned EXPORTS = 3,
  /// Instructions issued in a cycle, 1 to 4.
  parameter int unsigned ISSUES = 1,
  /// Ports of a bank. 1: shared, 2: one read and one write port.
  parameter int unsigned PORTS = 1,
  /// Warp scheduler. 0: greedy then oldest, 1: loose round-robin, 2: two-level round-robin over fetch groups.
  parameter int unsigned SCHED = 0,
  /// Warps of a fetch group of an issue group (SCHED 2), 1 to 64.
  parameter int unsigned FETCH = 8,
  /// Entries of a write-back queue, 1 to 16.
  parameter int unsigned WBDEPTH = 4,
  /// Of a collector's sources 0: all ask at once, 1: one at a time.
  parameter int unsigned SERIAL = 0,
  localparam int unsigned TAG_W = rf_banked_pkg::TAG_W,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  /// Per warp: a new warp starts in the slot.
  input  logic [WARPS-1:0]                launch_i,
  /// Per warp: the head of its instruction buffer is there ...
  input  logic [WARPS-1:0]                ib_valid_i,
  /// ... with this tag, carried along ...
  input  logic [WARPS*TAG_W-1:0]          ib_tag_i,
  /// ... for this execution port ...
  input  logic [WARPS*PORT_W-1:0]         ib_port_i,
  /// ... active in these lanes ...
  input  logic [WARPS*LANES-1:0]          ib_mask_i,
  /// ... with a destination ...
  input  logic [WARPS-1:0]                ib_dst_valid_i,
  input  logic [WARPS*REG_W-1:0]          ib_dst_i,
  /// ... and, per slot, sources.
  input  logic [WARPS*SLOTS-1:0]          ib_src_valid_i,
  input  logic [WARPS*SLOTS*REG_W-1:0]    ib_src_i,
  /// Per port: it accepts an instruction.
  input  logic [EXPORTS-1:0]              ex_ready_i,
  /// Per port: a result is offered.
  input  logic [EXPORTS-1:0]              res_valid_i,
  input  logic [EXPORTS*WARP_W-1:0]       res_warp_i,
  input  logic [EXPORTS*REG_W-1:0]        res_dst_i,
  input  logic [EXPORTS*LANES-1:0]        res_mask_i,
  input  logic [EXPORTS*DATA_W-1:0]       res_data_i,
  /// Per issue group: this warp issues.
  output logic [ISSUES-1:0]               issue_valid_o,
  output logic [ISSUES*WARP_W-1:0]        issue_warp_o,
  /// Per port: an instruction is offered; all below is 0 when not.
  output logic [EXPORTS-1:0]              ex_valid_o,
  output logic [EXPORTS*WARP_W-1:0]       ex_warp_o,
  output logic [EXPORTS*TAG_W-1:0]        ex_tag_o,
  output logic [EXPORTS*LANES-1:0]        ex_mask_o,
  output logic [EXPORTS-1:0]              ex_dst_valid_o,
  output logic [EXPORTS*REG_W-1:0]        ex_dst_o,
  /// Per port and slot: the operand.
  output logic [EXPORTS*SLOTS*DATA_W-1:0] ex_data_o,
  /// Per port: its queue accepts a result.
  output logic [EXPORTS-1:0]              res_ready_o
);

  localparam int unsigned ROWS_PER_WARP = rf_banked_pkg::rows_per_warp(REGS, BANKS);
  localparam int unsigned ROWS = WARPS * ROWS_PER_WARP;
  localparam int unsigned GROUP = WARPS / ISSUES;
  localparam int unsigned READERS = COLLECTORS * SLOTS;
  localparam int unsigned LOCAL_W = rf_pkg::index_bits(GROUP);
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS);
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS);
  localparam int unsigned COLLECTOR_W = rf_pkg::index_bits(COLLECTORS);
  localparam int unsigned ISSUE_W = rf_pkg::index_bits(ISSUES);
  localparam int unsigned CARRIED_W = `RF_BANKED_CARRIED_W;
  localparam int unsigned INST_W = `RF_BANKED_INST_W;

  if (WARPS < 1 || WARPS > 64 || WARPS % ISSUES != 0) begin : gen_warps_range
    $error("rf_banked: WARPS must be 1 to 64, a multiple of ISSUES");
  end
  if (REGS < 1 || REGS > 256 || ROWS > 1024) begin : gen_regs_range
    $error("rf_banked: REGS must be 1 to 256, and WARPS x ceil(REGS / BANKS) at most 1024");
  end
  if (SCHED > rf_banked_pkg::SCHED_GROUPS) begin : gen_sched_range
    $error("rf_banked: SCHED must be 0 to 2");
  end

  `RF_BANKED_RECORDS

  // ------------------------------------------------------------------------------------------------------------------ issue

  logic [WARPS-1:0]              chk_dst_valid, hazard, ready;
  logic [WARPS*SLOTS-1:0]        chk_src_valid;
  logic [ISSUES-1:0]             chosen, granted;
  logic [ISSUES*COLLECTOR_W-1:0] unused_sel;
  // Head instruction of each group's chosen warp: an inst_t; its warp and destination; the places of its sources.
  logic [ISSUES*INST_W-1:0]       head;
  logic [ISSUES*WARP_W-1:0]       head_warp;
  logic [ISSUES-1:0]              head_dst_valid;
  logic [ISSUES*REG_W-1:0]        head_dst;
  logic [ISSUES*SLOTS*BANK_W-1:0] head_bank;
  logic [ISSUES*SLOTS*ROW_W-1:0]  head_row;
  // Collectors.
  logic [COLLECTORS-1:0]         busy, collected, alloc, dispatched;
  logic [COLLECTORS*ISSUE_W-1:0] which;
  logic [COLLECTORS*PORT_W-1:0]  ocu_port;
  logic [COLLECTORS*CARRIED_W-1:0] ocu_carried;
  logic [READERS-1:0]            rd_valid, rd_grant, unread, fill_valid;
  logic [READERS*BANK_W-1:0]     rd_bank;
  logic [READERS*ROW_W-1:0]      rd_row;
  logic [READERS*WARP_W-1:0]     reader_warp;
  logic [READERS*REG_W-1:0]      reader_reg;
  logic [READERS*DATA_W-1:0]     fill_data;
  // The same data by slot, for the crossbars to the execution ports.
  logic [READERS*DATA_W-1:0]     slot_data;
  // Write-back queues.
  logic [EXPORTS-1:0]        wr_valid, wr_grant;
  logic [EXPORTS*WARP_W-1:0] wr_warp;
  logic [EXPORTS*REG_W-1:0]  wr_reg;
  logic [EXPORTS*BANK_W-1:0] wr_bank;
  logic [EXPORTS*ROW_W-1:0]  wr_row;
  logic [EXPORTS*LANES-1:0]  wr_mask;
  logic [EXPORTS*DATA_W-1:0] wr_data;
  // Banks.
  logic [BANKS-1:0]         bank_re, bank_we;
  logic [BANKS*ROW_W-1:0]   bank_raddr, bank_waddr;
  logic [BANKS*PORT_W-1:0]  bank_wsel;
  logic [BANKS*DATA_W-1:0]  unused_rdata;
  logic [EXPORTS-1:0]       unused_note;

  for (genvar w = 0; w < WARPS; w++) begin : gen_head
    logic active;
    assign active = ib_mask_i[w*LANES +: LANES] != '0;
    assign chk_dst_valid[w] = ib_dst_valid_i[w] && active;
    assign chk_src_valid[w*SLOTS +: SLOTS] = ib_src_valid_i[w*SLOTS +: SLOTS] & {SLOTS{active}};
  end

  rf_scoreboard #(.WARPS(WARPS), .REGS(REGS), .SLOTS(SLOTS), .READERS(READERS), .ISSUES(ISSUES), .WRITERS(EXPORTS)) u_scoreboard (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .chk_dst_valid_i(chk_dst_valid),
    .chk_dst_i      (ib_dst_i),
    .chk_src_valid_i(chk_src_valid),
    .chk_src_i      (ib_src_i),
    .set_i          (granted & head_dst_valid),
    .set_warp_i     (head_warp),
    .set_reg_i      (head_dst),
    .clr_i          (wr_grant),
    .clr_warp_i     (wr_warp),
    .clr_reg_i      (wr_reg),
    .rdp_i          (unread),
    .rdp_warp_i     (reader_warp),
    .rdp_reg_i      (reader_reg),
    .hazard_o       (hazard)
  );

  assign ready = ib_valid_i & ~hazard;

  for (genvar g = 0; g < ISSUES; g++) begin : gen_issue
    logic [GROUP-1:0]   group_ready, group_launch, unused_onehot, unused_other;
    logic [LOCAL_W-1:0] chosen_local;
    logic [WARP_W-1:0]  warp;

    for (genvar i = 0; i < GROUP; i++) begin : gen_warp
      assign group_ready[i]  = ready[g + i*ISSUES];
      assign group_launch[i] = launch_i[g + i*ISSUES];
    end

    if (SCHED == rf_banked_pkg::SCHED_GTO) begin : gen_gto
      rf_sched_gto #(.WARPS(GROUP)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .ready_i(group_ready), .launch_i(group_launch), .take_i(granted[g]),
        .valid_o(chosen[g]), .warp_o(chosen_local), .onehot_o(unused_onehot), .other_o(unused_other)
      );
    end else if (SCHED == rf_banked_pkg::SCHED_LRR) begin : gen_lrr
      rf_sched_lrr #(.WARPS(GROUP)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .ready_i(group_ready), .launch_i(group_launch), .take_i(granted[g]),
        .valid_o(chosen[g]), .warp_o(chosen_local), .onehot_o(unused_onehot), .other_o(unused_other)
      );
    end else begin : gen_groups
      rf_sched_groups #(.WARPS(GROUP), .FETCH(FETCH)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .ready_i(group_ready), .launch_i(group_launch), .take_i(granted[g]),
        .valid_o(chosen[g]), .warp_o(chosen_local), .onehot_o(unused_onehot), .other_o(unused_other)
      );
    end

    assign warp = WARP_W'(chosen_local) * WARP_W'(ISSUES) + WARP_W'(g);

    rf_stage_head #(.WARPS(WARPS), .BANKS(BANKS), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS)) u_head (
      .warp_i        (warp),
      .ib_tag_i      (ib_tag_i),
      .ib_port_i     (ib_port_i),
      .ib_mask_i     (ib_mask_i),
      .ib_dst_valid_i(chk_dst_valid),
      .ib_dst_i      (ib_dst_i),
      .ib_src_valid_i(chk_src_valid),
      .ib_src_i      (ib_src_i),
      .inst_o        (head[g*INST_W +: INST_W]),
      .bank_o        (head_bank[g*SLOTS*BANK_W +: SLOTS*BANK_W]),
      .row_o         (head_row[g*SLOTS*ROW_W +: SLOTS*ROW_W])
    );

    assign head_warp[g*WARP_W +: WARP_W]    = warp;
    assign issue_valid_o[g]                 = granted[g];
    assign issue_warp_o[g*WARP_W +: WARP_W] = granted[g] ? warp : '0;
  end

  inst_t one;
  logic  unused_one;
  assign unused_one = ^one;
  always_comb begin
    for (int g = 0; g < ISSUES; g++) begin
      one = head[g*INST_W +: INST_W];
      head_dst_valid[g]          = one.carried.dst_valid;
      head_dst[g*REG_W +: REG_W] = one.carried.dst;
    end
  end

  rf_ocu_alloc #(.COLLECTORS(COLLECTORS), .ISSUES(ISSUES)) u_alloc (
    .busy_i(busy), .req_i(chosen),
    .grant_o(granted), .sel_o(unused_sel), .alloc_o(alloc), .which_o(which)
  );

  // ------------------------------------------------------------------------------------------------------------- collectors

  for (genvar c = 0; c < COLLECTORS; c++) begin : gen_ocu
    logic [ISSUE_W-1:0]      from;
    logic [INST_W-1:0]       taken;
    logic [WARP_W-1:0]       warp;
    logic [SLOTS*DATA_W-1:0] data;

    assign from = which[c*ISSUE_W +: ISSUE_W];
    always_comb begin
      taken = head[INST_W-1:0];
      for (int g = 1; g < ISSUES; g++) if (from == ISSUE_W'(g)) taken = head[g*INST_W +: INST_W];
    end

    rf_ocu #(.SLOTS(SLOTS), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .BANKS(BANKS), .ROWS(ROWS), .EXPORTS(EXPORTS),
             .SERIAL(SERIAL)) u_ocu (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .alloc_i          (alloc[c]),
      .alloc_inst_i     (taken),
      .alloc_bank_i     (head_bank[from*SLOTS*BANK_W +: SLOTS*BANK_W]),
      .alloc_row_i      (head_row[from*SLOTS*ROW_W +: SLOTS*ROW_W]),
      .alloc_fill_i({SLOTS{1'b0}}),
      .rd_grant_i       (rd_grant[c*SLOTS +: SLOTS]),
      .fill_data_i      (fill_data[c*SLOTS*DATA_W +: SLOTS*DATA_W]),
      .dispatch_i       (dispatched[c]),
      .busy_o           (busy[c]),
      .ready_o          (collected[c]),
      .rd_valid_o       (rd_valid[c*SLOTS +: SLOTS]),
      .rd_bank_o        (rd_bank[c*SLOTS*BANK_W +: SLOTS*BANK_W]),
      .rd_row_o         (rd_row[c*SLOTS*ROW_W +: SLOTS*ROW_W]),
      .unread_o         (unread[c*SLOTS +: SLOTS]),
      .src_o            (reader_reg[c*SLOTS*REG_W +: SLOTS*REG_W]),
      .fill_valid_o     (fill_valid[c*SLOTS +: SLOTS]),
      .warp_o           (warp),
      .port_o           (ocu_port[c*PORT_W +: PORT_W]),
      .carried_o        (ocu_carried[c*CARRIED_W +: CARRIED_W]),
      .data_o           (data)
    );

    assign reader_warp[c*SLOTS*WARP_W +: SLOTS*WARP_W] = {SLOTS{warp}};
    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      assign slot_data[(s*COLLECTORS + c)*DATA_W +: DATA_W] = data[s*DATA_W +: DATA_W];
    end
  end

  // ------------------------------------------------------------------------------------------------------------------ banks

  rf_arbiter #(.BANKS(BANKS), .COLLECTORS(COLLECTORS), .SLOTS(SLOTS), .WRITERS(EXPORTS), .ROWS(ROWS), .PORTS(PORTS)) u_arbiter (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rd_valid_i  (rd_valid),
    .rd_bank_i   (rd_bank),
    .rd_row_i    (rd_row),
    .wr_valid_i  (wr_valid),
    .wr_bank_i   (wr_bank),
    .wr_row_i    (wr_row),
    .rd_grant_o  (rd_grant),
    .wr_grant_o  (wr_grant),
    .bank_re_o   (bank_re),
    .bank_raddr_o(bank_raddr),
    .bank_we_o   (bank_we),
    .bank_waddr_o(bank_waddr),
    .bank_wsel_o (bank_wsel)
  );

  rf_stage_banks #(.BANKS(BANKS), .ROWS(ROWS), .LANES(LANES), .PORTS(PORTS), .BUSES(EXPORTS), .READERS(READERS)) u_banks (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .re_i        (bank_re),
    .raddr_i     (bank_raddr),
    .we_i        (bank_we),
    .waddr_i     (bank_waddr),
    .wsel_i      (bank_wsel),
    .mask_i      (wr_mask),
    .data_i      (wr_data),
    .fill_valid_i(fill_valid),
    .fill_bank_i (rd_bank),
    .fill_data_o (fill_data),
    .rdata_o     (unused_rdata)
  );

  // -------------------------------------------------------------------------------------------------------------- execution

  logic [EXPORTS*CARRIED_W-1:0] ex_carried;

  rf_stage_exec #(.COLLECTORS(COLLECTORS), .SLOTS(SLOTS), .EXPORTS(EXPORTS), .META_W(CARRIED_W), .DATA_W(DATA_W)) u_exec (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .collected_i (collected),
    .port_i      (ocu_port),
    .meta_i      (ocu_carried),
    .data_i      (slot_data),
    .ex_ready_i  (ex_ready_i),
    .dispatched_o(dispatched),
    .ex_valid_o  (ex_valid_o),
    .ex_meta_o   (ex_carried),
    .ex_data_o   (ex_data_o)
  );

  carried_t offer;
  always_comb begin
    for (int e = 0; e < EXPORTS; e++) begin
      offer = ex_carried[e*CARRIED_W +: CARRIED_W];
      ex_warp_o[e*WARP_W +: WARP_W] = offer.warp;
      ex_tag_o[e*TAG_W +: TAG_W]    = offer.tag;
      ex_mask_o[e*LANES +: LANES]   = offer.mask;
      ex_dst_valid_o[e]             = offer.dst_valid;
      ex_dst_o[e*REG_W +: REG_W]    = offer.dst;
    end
  end

  rf_stage_results #(.WARPS(WARPS), .BANKS(BANKS), .REGS(REGS), .LANES(LANES), .EXPORTS(EXPORTS), .WBDEPTH(WBDEPTH)) u_results (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .res_valid_i(res_valid_i),
    .res_warp_i (res_warp_i),
    .res_dst_i  (res_dst_i),
    .res_note_i ('0),
    .res_mask_i (res_mask_i),
    .res_data_i (res_data_i),
    .wr_grant_i (wr_grant),
    .res_ready_o(res_ready_o),
    .wr_valid_o (wr_valid),
    .wr_warp_o  (wr_warp),
    .wr_reg_o   (wr_reg),
    .wr_note_o  (unused_note),
    .wr_bank_o  (wr_bank),
    .wr_row_o   (wr_row),
    .wr_mask_o  (wr_mask),
    .wr_data_o  (wr_data)
  );

endmodule

`default_nettype wire
