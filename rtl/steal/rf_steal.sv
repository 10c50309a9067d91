// SPDX-License-Identifier: Apache-2.0
// System: the operand stage of rf_banked with bank stealing [bank stealing IV]: single-ported banks, read and write stealing.
//
//   issue -> operand collectors -> arbiter -> banks -> crossbar -> collectors -> dispatch -> execution ports
//   candidates --- operands ahead --^   ^--- Rfree table        results -> write-back queues -> result buses -> banks
//
// Issue:     as rf_banked; in a cycle in which an operand of a group's candidate is read ahead the candidate issues in place of
//            the warp that the group's scheduler chose. Its collector takes those operands from the crossbar in the next cycle.
// Writes:    a result of all lanes that meets another access is written to the Rfree of an idle bank instead; it clears the
//            scoreboard then. It returns over an idle result bus: Rfree is read in one cycle, Rdest is written in the next.
// Hints:     an instruction that issues names inactive registers; what it writes is Rfree no more (rf_rfree_table).
// Mapping, mask, range, reset: as rf_banked. With READS = 0 and WRITES = 0 it is rf_banked, cycle for cycle.
`default_nettype none

module rf_steal #(
  /// Warps, 1 to 64, a multiple of ISSUES.
  parameter int unsigned WARPS = 32,
  /// Operand collectors, 1 to 16; COLLECTORS x SLOTS at most 64.
  parameter int unsigned COLLECTORS = 8,
  /// Register banks, 1 to 32.
  parameter int unsigned BANKS = 8,
  /// Registers of a warp, 1 to 256; WARPS x ceil(REGS / BANKS) at most 1024.
  parameter int unsigned REGS = 32,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Execution ports, each with a write-back queue and a result bus, 1 to 8.
  parameter int unsigned EXPORTS = 3,
  /// Instructions issued in a cycle, 1 to 4.
  parameter int unsigned ISSUES = 2,
  /// Warp scheduler. 0: greedy then oldest, 1: loose round-robin, 2: two-level round-robin over fetch groups.
  parameter int unsigned SCHED = 0,
  /// Warps of a fetch group of an issue group (SCHED 2), 1 to 64.
  parameter int unsigned FETCH = 8,
  /// Entries of a write-back queue, 1 to 16.
  parameter int unsigned WBDEPTH = 4,
  /// Read stealing. 0: off, 1: to remove a conflict of the next cycle, 2: whenever the bank is idle.
  parameter int unsigned READS = 1,
  /// Write stealing. 0: off, 1: on.
  parameter int unsigned WRITES = 1,
  /// Operands that are read ahead against writes. 0: before normal writes, 1: behind all.
  parameter int unsigned YIELD = 0,
  localparam int unsigned TAG_W = rf_banked_pkg::TAG_W,
  localparam int unsigned FREES = rf_steal_pkg::FREES,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  /// As in rf_banked.
  input  logic [WARPS-1:0]                launch_i,
  input  logic [WARPS-1:0]                ib_valid_i,
  input  logic [WARPS*TAG_W-1:0]          ib_tag_i,
  input  logic [WARPS*PORT_W-1:0]         ib_port_i,
  input  logic [WARPS*LANES-1:0]          ib_mask_i,
  input  logic [WARPS-1:0]                ib_dst_valid_i,
  input  logic [WARPS*REG_W-1:0]          ib_dst_i,
  input  logic [WARPS*SLOTS-1:0]          ib_src_valid_i,
  input  logic [WARPS*SLOTS*REG_W-1:0]    ib_src_i,
  input  logic [EXPORTS-1:0]              ex_ready_i,
  input  logic [EXPORTS-1:0]              res_valid_i,
  input  logic [EXPORTS*WARP_W-1:0]       res_warp_i,
  input  logic [EXPORTS*REG_W-1:0]        res_dst_i,
  input  logic [EXPORTS*LANES-1:0]        res_mask_i,
  input  logic [EXPORTS*DATA_W-1:0]       res_data_i,
  /// Per warp and name: from this instruction on a register is inactive.
  input  logic [WARPS*FREES-1:0]          ib_name_valid_i,
  input  logic [WARPS*FREES*REG_W-1:0]    ib_name_i,
  /// As in rf_banked.
  output logic [ISSUES-1:0]               issue_valid_o,
  output logic [ISSUES*WARP_W-1:0]        issue_warp_o,
  output logic [EXPORTS-1:0]              ex_valid_o,
  output logic [EXPORTS*WARP_W-1:0]       ex_warp_o,
  output logic [EXPORTS*TAG_W-1:0]        ex_tag_o,
  output logic [EXPORTS*LANES-1:0]        ex_mask_o,
  output logic [EXPORTS-1:0]              ex_dst_valid_o,
  output logic [EXPORTS*REG_W-1:0]        ex_dst_o,
  output logic [EXPORTS*SLOTS*DATA_W-1:0] ex_data_o,
  output logic [EXPORTS-1:0]              res_ready_o
);

  localparam int unsigned ROWS_PER_WARP = rf_banked_pkg::rows_per_warp(REGS, BANKS);
  localparam int unsigned ROWS = WARPS * ROWS_PER_WARP;
  localparam int unsigned GROUP = WARPS / ISSUES;
  localparam int unsigned READERS = COLLECTORS * SLOTS;
  localparam int unsigned STEALERS = ISSUES * SLOTS;
  localparam int unsigned NAMES = ISSUES * FREES;
  localparam int unsigned LOCAL_W = rf_pkg::index_bits(GROUP);
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS);
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS);
  localparam int unsigned COLLECTOR_W = rf_pkg::index_bits(COLLECTORS);
  localparam int unsigned ISSUE_W = rf_pkg::index_bits(ISSUES);
  localparam int unsigned CARRIED_W = `RF_BANKED_CARRIED_W;
  localparam int unsigned INST_W = `RF_BANKED_INST_W;

  if (WARPS < 1 || WARPS > 64 || WARPS % ISSUES != 0) begin : gen_warps_range
    $error("rf_steal: WARPS must be 1 to 64, a multiple of ISSUES");
  end
  if (REGS < 1 || REGS > 256 || ROWS > 1024) begin : gen_regs_range
    $error("rf_steal: REGS must be 1 to 256, and WARPS x ceil(REGS / BANKS) at most 1024");
  end
  if (SCHED > rf_banked_pkg::SCHED_GROUPS || READS > 2 || WRITES > 1) begin : gen_choice_range
    $error("rf_steal: SCHED must be 0 to 2, READS 0 to 2, WRITES 0 or 1");
  end

  `RF_BANKED_RECORDS

  logic [WARPS-1:0]       chk_dst_valid, hazard, ready;
  logic [WARPS*SLOTS-1:0] chk_src_valid;
  logic [ISSUES-1:0]      chosen, granted, candidate_valid, stealing;
  logic [ISSUES*COLLECTOR_W-1:0] unused_sel;
  // The instruction of each group that issues, and its candidate (inst_t); what the former writes and names as inactive.
  logic [ISSUES*INST_W-1:0]       head, candidate;
  logic [ISSUES*WARP_W-1:0]       head_warp;
  logic [ISSUES-1:0]              head_dst_valid;
  logic [ISSUES*REG_W-1:0]        head_dst;
  logic [STEALERS-1:0]            head_fill;
  logic [STEALERS*BANK_W-1:0]     head_bank;
  logic [STEALERS*ROW_W-1:0]      head_row;
  logic [ISSUES*BANK_W-1:0]       drop_bank;
  logic [ISSUES*ROW_W-1:0]        drop_row;
  logic [NAMES-1:0]               name_valid;
  logic [NAMES*BANK_W-1:0]        name_bank;
  logic [NAMES*ROW_W-1:0]         name_row;
  // The operands of each group's candidate.
  logic [STEALERS-1:0]            cand_src_valid, sr_valid, sr_ask, sr_blocked, sr_grant, sr_fill;
  logic [STEALERS*REG_W-1:0]      cand_src;
  logic [STEALERS*BANK_W-1:0]     cand_bank;
  logic [STEALERS*ROW_W-1:0]      cand_row;
  // Collectors.
  logic [COLLECTORS-1:0]          busy, collected, alloc, dispatched;
  logic [COLLECTORS*ISSUE_W-1:0]  which;
  logic [COLLECTORS*PORT_W-1:0]   ocu_port;
  logic [COLLECTORS*CARRIED_W-1:0] ocu_carried;
  logic [READERS-1:0]             rd_valid, rd_grant, rd_blocked, unread, fill_valid;
  logic [READERS*BANK_W-1:0]      rd_bank;
  logic [READERS*ROW_W-1:0]       rd_row;
  logic [READERS*WARP_W-1:0]      reader_warp;
  logic [READERS*REG_W-1:0]       reader_reg;
  logic [READERS*DATA_W-1:0]      fill_data, slot_data;
  // Write-back queues and result buses.
  logic [EXPORTS-1:0]             wr_valid, wr_grant, wr_full, wr_blocked, unused_stolen, unused_forced, unused_note;
  logic [EXPORTS*WARP_W-1:0]      wr_warp;
  logic [EXPORTS*REG_W-1:0]       wr_reg;
  logic [EXPORTS*BANK_W-1:0]      wr_bank;
  logic [EXPORTS*ROW_W-1:0]       wr_row;
  logic [EXPORTS*LANES-1:0]       wr_mask, bus_mask;
  logic [EXPORTS*DATA_W-1:0]      wr_data, bus_data;
  // Banks and the book of stolen registers.
  logic [BANKS-1:0]               bank_re, bank_we, usable, linked, force_back, link, recall;
  logic [BANKS*ROW_W-1:0]         bank_raddr, bank_waddr, rfree_row, dest_row, link_row;
  logic [BANKS*PORT_W-1:0]        bank_wsel;
  logic [BANKS*DATA_W-1:0]        bank_rdata;
  logic [BANKS*BANK_W-1:0]        dest_bank, link_bank;
  logic                           ret_valid;
  logic [BANK_W-1:0]              ret_from;
  logic [PORT_W-1:0]              ret_bus;

  // ------------------------------------------------------------------------------------------------------------------ issue

  for (genvar w = 0; w < WARPS; w++) begin : gen_head
    logic active;
    assign active = ib_mask_i[w*LANES +: LANES] != '0;
    assign chk_dst_valid[w] = ib_dst_valid_i[w] && active;
    assign chk_src_valid[w*SLOTS +: SLOTS] = ib_src_valid_i[w*SLOTS +: SLOTS] & {SLOTS{active}};
  end

  rf_scoreboard #(.WARPS(WARPS), .REGS(REGS), .SLOTS(SLOTS), .READERS(READERS), .ISSUES(ISSUES), .WRITERS(EXPORTS)) u_scoreboard (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .chk_dst_valid_i(chk_dst_valid), .chk_dst_i(ib_dst_i), .chk_src_valid_i(chk_src_valid), .chk_src_i(ib_src_i),
    .set_i(granted & head_dst_valid), .set_warp_i(head_warp), .set_reg_i(head_dst),
    .clr_i(wr_grant), .clr_warp_i(wr_warp), .clr_reg_i(wr_reg),
    .rdp_i(unread), .rdp_warp_i(reader_warp), .rdp_reg_i(reader_reg),
    .hazard_o(hazard)
  );

  assign ready = ib_valid_i & ~hazard;

  for (genvar g = 0; g < ISSUES; g++) begin : gen_issue
    logic [GROUP-1:0]           group_ready, group_launch, current, other;
    logic [LOCAL_W-1:0]         unused_local, issue_local, cand_local;
    logic [WARP_W-1:0]          warp, cand;
    logic                       host_take, cand_valid;
    logic [7:0]                 dst;

    for (genvar i = 0; i < GROUP; i++) begin : gen_warp
      assign group_ready[i]  = ready[g + i*ISSUES];
      assign group_launch[i] = launch_i[g + i*ISSUES];
    end

    if (SCHED == rf_banked_pkg::SCHED_GTO) begin : gen_gto
      rf_sched_gto #(.WARPS(GROUP)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .launch_i(group_launch), .take_i(host_take),
        .valid_o(chosen[g]), .warp_o(unused_local), .onehot_o(current), .other_o(other)
      );
    end else if (SCHED == rf_banked_pkg::SCHED_LRR) begin : gen_lrr
      rf_sched_lrr #(.WARPS(GROUP)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .launch_i(group_launch), .take_i(host_take),
        .valid_o(chosen[g]), .warp_o(unused_local), .onehot_o(current), .other_o(other)
      );
    end else begin : gen_groups
      rf_sched_groups #(.WARPS(GROUP), .FETCH(FETCH)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .launch_i(group_launch), .take_i(host_take),
        .valid_o(chosen[g]), .warp_o(unused_local), .onehot_o(current), .other_o(other)
      );
    end

    rf_steal_scheduler #(.WARPS(GROUP)) u_steal (
      .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .current_i(current), .other_i(other),
      .take_i(granted[g]), .steal_i(stealing[g]),
      .candidate_valid_o(cand_valid), .candidate_o(cand_local), .warp_o(issue_local), .host_take_o(host_take)
    );

    assign warp = WARP_W'(issue_local) * WARP_W'(ISSUES) + WARP_W'(g);
    assign cand = WARP_W'(cand_local) * WARP_W'(ISSUES) + WARP_W'(g);

    rf_stage_head #(.WARPS(WARPS), .BANKS(BANKS), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS)) u_head (
      .warp_i(warp), .ib_tag_i(ib_tag_i), .ib_port_i(ib_port_i), .ib_mask_i(ib_mask_i), .ib_dst_valid_i(chk_dst_valid),
      .ib_dst_i(ib_dst_i), .ib_src_valid_i(chk_src_valid), .ib_src_i(ib_src_i),
      .inst_o(head[g*INST_W +: INST_W]), .bank_o(head_bank[g*SLOTS*BANK_W +: SLOTS*BANK_W]),
      .row_o(head_row[g*SLOTS*ROW_W +: SLOTS*ROW_W])
    );

    rf_stage_head #(.WARPS(WARPS), .BANKS(BANKS), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS)) u_candidate (
      .warp_i(cand), .ib_tag_i(ib_tag_i), .ib_port_i(ib_port_i), .ib_mask_i(ib_mask_i), .ib_dst_valid_i(chk_dst_valid),
      .ib_dst_i(ib_dst_i), .ib_src_valid_i(chk_src_valid), .ib_src_i(ib_src_i),
      .inst_o(candidate[g*INST_W +: INST_W]), .bank_o(cand_bank[g*SLOTS*BANK_W +: SLOTS*BANK_W]), .row_o(cand_row[g*SLOTS*ROW_W +: SLOTS*ROW_W])
    );

    // A candidate counts when its group gets a collector in this cycle, which does not depend on who of the group issues.
    assign candidate_valid[g] = cand_valid && granted[g] && (READS != 0);
    assign sr_valid[g*SLOTS +: SLOTS]  = cand_src_valid[g*SLOTS +: SLOTS] & {SLOTS{candidate_valid[g]}};
    assign head_fill[g*SLOTS +: SLOTS] = sr_fill[g*SLOTS +: SLOTS] & {SLOTS{stealing[g]}};

    assign dst = 8'(head_dst[g*REG_W +: REG_W]);
    assign drop_bank[g*BANK_W +: BANK_W] = BANK_W'({rf_banked_pkg::map_bank(6'(warp), dst, 6'(BANKS))});
    assign drop_row[g*ROW_W +: ROW_W] = ROW_W'({rf_banked_pkg::map_row(6'(warp), dst, 6'(BANKS), 9'(ROWS_PER_WARP))});

    assign name_valid[g*FREES +: FREES] = ib_name_valid_i[warp*FREES +: FREES] & {FREES{granted[g]}};
    for (genvar f = 0; f < FREES; f++) begin : gen_name
      localparam int unsigned N = g*FREES + f;
      logic [7:0] name;
      assign name = 8'(ib_name_i[(warp*FREES + f)*REG_W +: REG_W]);
      assign name_bank[N*BANK_W +: BANK_W] = BANK_W'({rf_banked_pkg::map_bank(6'(warp), name, 6'(BANKS))});
      assign name_row[N*ROW_W +: ROW_W] = ROW_W'({rf_banked_pkg::map_row(6'(warp), name, 6'(BANKS), 9'(ROWS_PER_WARP))});
    end

    assign head_warp[g*WARP_W +: WARP_W]    = warp;
    assign issue_valid_o[g]                 = granted[g];
    assign issue_warp_o[g*WARP_W +: WARP_W] = granted[g] ? warp : '0;
  end

  inst_t first, second;
  logic  unused_rest;
  assign unused_rest = ^{first, second};
  always_comb begin
    for (int g = 0; g < ISSUES; g++) begin
      first  = head[g*INST_W +: INST_W];
      second = candidate[g*INST_W +: INST_W];
      head_dst_valid[g]                      = first.carried.dst_valid;
      head_dst[g*REG_W +: REG_W]             = first.carried.dst;
      cand_src_valid[g*SLOTS +: SLOTS]       = second.src_valid;
      cand_src[g*SLOTS*REG_W +: SLOTS*REG_W] = second.src;
    end
  end

  rf_ocu_alloc #(.COLLECTORS(COLLECTORS), .ISSUES(ISSUES)) u_alloc (
    .busy_i(busy), .req_i(chosen), .grant_o(granted), .sel_o(unused_sel), .alloc_o(alloc), .which_o(which)
  );

  rf_steal_reads #(.ISSUES(ISSUES), .SLOTS(SLOTS), .REGS(REGS), .BANKS(BANKS), .WHEN((READS == 2) ? 2 : 1)) u_reads (
    .valid_i(candidate_valid), .src_valid_i(cand_src_valid), .src_i(cand_src), .bank_i(cand_bank),
    .blocked_i(sr_blocked), .grant_i(sr_grant), .ask_o(sr_ask), .fill_o(sr_fill), .steal_o(stealing)
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

    rf_ocu #(.SLOTS(SLOTS), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .BANKS(BANKS), .ROWS(ROWS), .EXPORTS(EXPORTS)) u_ocu (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .alloc_i(alloc[c]), .alloc_inst_i(taken),
      .alloc_bank_i(head_bank[from*SLOTS*BANK_W +: SLOTS*BANK_W]), .alloc_row_i(head_row[from*SLOTS*ROW_W +: SLOTS*ROW_W]),
      .alloc_fill_i(head_fill[from*SLOTS +: SLOTS]),
      .rd_grant_i(rd_grant[c*SLOTS +: SLOTS]), .fill_data_i(fill_data[c*SLOTS*DATA_W +: SLOTS*DATA_W]),
      .dispatch_i(dispatched[c]),
      .busy_o(busy[c]), .ready_o(collected[c]),
      .rd_valid_o(rd_valid[c*SLOTS +: SLOTS]), .rd_bank_o(rd_bank[c*SLOTS*BANK_W +: SLOTS*BANK_W]),
      .rd_row_o(rd_row[c*SLOTS*ROW_W +: SLOTS*ROW_W]),
      .unread_o(unread[c*SLOTS +: SLOTS]), .src_o(reader_reg[c*SLOTS*REG_W +: SLOTS*REG_W]),
      .fill_valid_o(fill_valid[c*SLOTS +: SLOTS]),
      .warp_o(warp), .port_o(ocu_port[c*PORT_W +: PORT_W]), .carried_o(ocu_carried[c*CARRIED_W +: CARRIED_W]), .data_o(data)
    );

    assign reader_warp[c*SLOTS*WARP_W +: SLOTS*WARP_W] = {SLOTS{warp}};
    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      assign slot_data[(s*COLLECTORS + c)*DATA_W +: DATA_W] = data[s*DATA_W +: DATA_W];
    end
  end

  // ------------------------------------------------------------------------------------------------------------------ banks

  rf_rfree_table #(
    .BANKS(BANKS), .WARPS(WARPS), .PER_WARP(ROWS_PER_WARP), .READERS(READERS), .STEALERS(STEALERS), .WRITERS(EXPORTS),
    .DROPS(ISSUES), .NAMES(NAMES)
  ) u_table (
    .clk_i(clk_i), .rst_ni(rst_ni), .launch_i(launch_i),
    .drop_valid_i(granted & head_dst_valid), .drop_bank_i(drop_bank), .drop_row_i(drop_row),
    .name_valid_i(name_valid), .name_bank_i(name_bank), .name_row_i(name_row),
    .rd_valid_i(rd_valid), .rd_bank_i(rd_bank), .rd_row_i(rd_row),
    .sr_valid_i(sr_valid), .sr_bank_i(cand_bank), .sr_row_i(cand_row),
    .wr_valid_i(wr_valid), .wr_bank_i(wr_bank), .wr_row_i(wr_row),
    .link_i(link), .link_bank_i(link_bank), .link_row_i(link_row), .clear_i(recall),
    .rd_blocked_o(rd_blocked), .sr_blocked_o(sr_blocked), .wr_blocked_o(wr_blocked),
    .usable_o(usable), .linked_o(linked), .force_o(force_back),
    .rfree_row_o(rfree_row), .dest_bank_o(dest_bank), .dest_row_o(dest_row)
  );

  rf_arbiter_steal #(
    .BANKS(BANKS), .COLLECTORS(COLLECTORS), .SLOTS(SLOTS), .ISSUES(ISSUES), .WRITERS(EXPORTS), .ROWS(ROWS), .YIELD(YIELD)
  ) u_arbiter (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rd_valid_i(rd_valid), .rd_bank_i(rd_bank), .rd_row_i(rd_row), .rd_blocked_i(rd_blocked),
    .sr_valid_i(sr_ask), .sr_bank_i(cand_bank), .sr_row_i(cand_row), .sr_blocked_i(sr_blocked),
    .wr_valid_i(wr_valid), .wr_bank_i(wr_bank), .wr_row_i(wr_row), .wr_full_i(wr_full), .wr_blocked_i(wr_blocked),
    .usable_i(usable & {BANKS{WRITES != 0}}), .linked_i(linked), .force_i(force_back), .rfree_row_i(rfree_row),
    .dest_bank_i(dest_bank), .dest_row_i(dest_row),
    .rd_grant_o(rd_grant), .sr_grant_o(sr_grant),
    .wr_grant_o(wr_grant), .wr_stolen_o(unused_stolen), .wr_forced_o(unused_forced),
    .bank_re_o(bank_re), .bank_raddr_o(bank_raddr), .bank_we_o(bank_we), .bank_waddr_o(bank_waddr), .bank_wsel_o(bank_wsel),
    .link_o(link), .recall_o(recall), .ret_valid_o(ret_valid), .ret_from_o(ret_from), .ret_bus_o(ret_bus)
  );

  // A value that comes back takes the place of its bus's queue; it always has all lanes.
  for (genvar e = 0; e < EXPORTS; e++) begin : gen_bus
    logic back;
    assign back       = ret_valid && ret_bus == PORT_W'(e);
    assign wr_full[e] = &wr_mask[e*LANES +: LANES];
    assign bus_mask[e*LANES +: LANES]   = wr_mask[e*LANES +: LANES] | {LANES{back}};
    assign bus_data[e*DATA_W +: DATA_W] = back ? bank_rdata[ret_from*DATA_W +: DATA_W] : wr_data[e*DATA_W +: DATA_W];
  end

  // Rdest of a stolen write is where its writer wanted to go.
  for (genvar b = 0; b < BANKS; b++) begin : gen_link
    assign link_bank[b*BANK_W +: BANK_W] = wr_bank[bank_wsel[b*PORT_W +: PORT_W]*BANK_W +: BANK_W];
    assign link_row[b*ROW_W +: ROW_W]    = wr_row[bank_wsel[b*PORT_W +: PORT_W]*ROW_W +: ROW_W];
  end

  rf_stage_banks #(.BANKS(BANKS), .ROWS(ROWS), .LANES(LANES), .PORTS(1), .BUSES(EXPORTS), .READERS(READERS)) u_banks (
    .clk_i(clk_i), .rst_ni(rst_ni), .re_i(bank_re), .raddr_i(bank_raddr), .we_i(bank_we), .waddr_i(bank_waddr), .wsel_i(bank_wsel),
    .mask_i(bus_mask), .data_i(bus_data), .fill_valid_i(fill_valid), .fill_bank_i(rd_bank), .fill_data_o(fill_data),
    .rdata_o(bank_rdata)
  );

  // -------------------------------------------------------------------------------------------------------------- execution

  logic [EXPORTS*CARRIED_W-1:0] ex_carried;

  rf_stage_exec #(.COLLECTORS(COLLECTORS), .SLOTS(SLOTS), .EXPORTS(EXPORTS), .META_W(CARRIED_W), .DATA_W(DATA_W)) u_exec (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .collected_i(collected), .port_i(ocu_port), .meta_i(ocu_carried), .data_i(slot_data), .ex_ready_i(ex_ready_i),
    .dispatched_o(dispatched), .ex_valid_o(ex_valid_o), .ex_meta_o(ex_carried), .ex_data_o(ex_data_o)
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
    .res_valid_i(res_valid_i), .res_warp_i(res_warp_i), .res_dst_i(res_dst_i), .res_mask_i(res_mask_i), .res_data_i(res_data_i),
    .res_note_i({EXPORTS{1'b0}}), .wr_grant_i(wr_grant), .res_ready_o(res_ready_o), .wr_note_o(unused_note),
    .wr_valid_o(wr_valid), .wr_warp_o(wr_warp), .wr_reg_o(wr_reg), .wr_bank_o(wr_bank), .wr_row_o(wr_row),
    .wr_mask_o(wr_mask), .wr_data_o(wr_data)
  );

endmodule

`default_nettype wire
