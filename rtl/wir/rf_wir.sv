// SPDX-License-Identifier: Apache-2.0
// System: rf_banked with warp instruction reuse (WIR): instructions whose result an earlier one has left take that one's register.
//
//   issue -> rename -> reuse -> operand collectors -> arbiter -> banks -> crossbar -> collectors -> dispatch -> execution ports
//   results -> hash pipes -> allocation -> result queues -> (verify-read) -> arbiter -> banks -> retire
//
// Issue:      as in rf_banked (rf_wir_issue), into the group's rf_wir_lane.
// Reuse:      a group's lane looks the reuse buffer up (rf_wir_reuse); a hit retires, a wait goes to the pending queue, all else
//             to a collector (rf_wir_collect).
// Results:    rf_wir_results gives them registers, rf_wir_retire verifies and retires them. A verify-read is of collector
//             COLLECTORS + g, a write of writer g; REUSE 0: each result queue writes on its own.
// Registers:  rf_wir_reuse counts who names a register; one that nobody names goes back. Few free ones, or `limit` in use
//             (CAPPED): low mode, in which entries of the buffers are given up.
// Range:      ports and registers out of range (a size that is no power of two) are handled as the units say.
// Reset:      as the units say; the banks keep their contents.
`default_nettype none

module rf_wir #(
  /// Warps, 1 to 64, a multiple of ISSUES.
  parameter int unsigned WARPS = 48,
  /// Operand collectors, 1 to 16 - ISSUES; (COLLECTORS + ISSUES) x SLOTS at most 64.
  parameter int unsigned COLLECTORS = 8,
  /// Register banks, a power of two, 1 to 32.
  parameter int unsigned BANKS = 8,
  /// Logical registers of a warp, 1 to 256.
  parameter int unsigned REGS = 63,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 6.
  parameter int unsigned SLOTS = 3,
  /// Execution ports, each with a result queue, ISSUES to 8; EXPORTS + ISSUES at most 8.
  parameter int unsigned EXPORTS = 4,
  /// Issue groups, 1 to 4; ISSUES x (SLOTS + 3) at most 24.
  parameter int unsigned ISSUES = 2,
  /// Ports of a bank. 1: shared, 2: one read and one write port.
  parameter int unsigned PORTS = 2,
  /// Warp scheduler. 0: greedy then oldest, 1: loose round-robin, 2: two-level round-robin over fetch groups.
  parameter int unsigned SCHED = 0,
  /// Warps of a fetch group of an issue group (SCHED 2), 1 to 64.
  parameter int unsigned FETCH = 8,
  /// Entries of a result queue, 1 to 16.
  parameter int unsigned WBDEPTH = 4,
  /// Cycles that the added stages cost, 3 to 7 [WIR VII-D].
  parameter int unsigned DELAY = 4,
  /// Physical registers, 2 to 1024, a multiple of BANKS.
  parameter int unsigned PREGS = 1024,
  /// 0: none of it, 1: warp instruction reuse.
  parameter int unsigned REUSE = 1,
  /// 0: a new register for every result with all lanes, 1: value signature buffer.
  parameter int unsigned VSB = 1,
  /// 1: loads may reuse.
  parameter int unsigned LOADS = 1,
  /// 1: pending-retry.
  parameter int unsigned RETRY = 1,
  /// Lines of the verify cache, 0 (none) to 16.
  parameter int unsigned VCACHE = 8,
  /// 1: no register is given out beyond limit_i.
  parameter int unsigned CAPPED = 0,
  /// Entries of the reuse buffer, a power of two, 1 to 512.
  parameter int unsigned ENTRIES = 256,
  /// Entries of the value signature buffer, a power of two, 1 to 512.
  parameter int unsigned VENTRIES = 256,
  /// Entries of a group's pending queue, 1 to 16.
  parameter int unsigned QUEUE = 8,
  /// Thread blocks, 1 to 16.
  parameter int unsigned BLOCKS = 8,
  /// Verifiers of a group, 1 to 4.
  parameter int unsigned VERIFIERS = 2,
  /// Bits of a reference count, 2 to 16.
  parameter int unsigned COUNTW = 10,
  localparam int unsigned TAG_W = rf_banked_pkg::TAG_W,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS),
  localparam int unsigned ENTRY_W = rf_pkg::index_bits(ENTRIES),
  localparam int unsigned BLOCK_W = rf_pkg::index_bits(BLOCKS),
  localparam int unsigned COUNT_W = $clog2(PREGS + 1),
  localparam int unsigned OP_W = 8 - SLOTS,
  localparam int unsigned INFO_W = ENTRY_W + 1 + `RF_WIR_BACK_W,
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
  /// Per warp, of its head: it may be reused; its function; per slot without source the tag's operand.
  input  logic [WARPS-1:0]                ib_reuse_i,
  input  logic [WARPS*OP_W-1:0]           ib_op_i,
  input  logic [WARPS*SLOTS*PREG_W-1:0]   ib_imm_i,
  /// What it loads from (rf_wir_pkg's spaces); it stores; to scratchpad.
  input  logic [WARPS*2-1:0]              ib_space_i,
  input  logic [WARPS-1:0]                ib_store_i,
  input  logic [WARPS-1:0]                ib_store_shared_i,
  /// Per warp: slot of its thread block.
  input  logic [WARPS*BLOCK_W-1:0]        block_i,
  /// Per warp: it has ended.
  input  logic [WARPS-1:0]                exit_i,
  /// Per block: it starts; a kernel starts; per block: its barrier is over; per warp: its memory fence is.
  input  logic [BLOCKS-1:0]               start_i,
  input  logic                            flush_i,
  input  logic [BLOCKS-1:0]               bar_i,
  input  logic [WARPS-1:0]                fence_i,
  /// Registers that may be in use (CAPPED).
  input  logic [COUNT_W-1:0]              limit_i,
  /// Per port: ex_info_o of the instruction whose result it is.
  input  logic [EXPORTS*INFO_W-1:0]       res_info_i,
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
  output logic [EXPORTS-1:0]              res_ready_o,
  /// Per port: {index, leader, old register, old mapping valid, pinned}, to come back with the result.
  output logic [EXPORTS*INFO_W-1:0]       ex_info_o,
  /// Per issue group: this instruction retires by reuse; 0 when none.
  output logic [ISSUES-1:0]               reused_o,
  output logic [ISSUES*WARP_W-1:0]        reused_warp_o,
  output logic [ISSUES*TAG_W-1:0]         reused_tag_o
);

  localparam int unsigned ROWS_PER_WARP = rf_banked_pkg::rows_per_warp(REGS, BANKS);
  localparam int unsigned ROWS = PREGS / BANKS;
  localparam int unsigned GROUP = WARPS / ISSUES;
  localparam int unsigned READERS = COLLECTORS * SLOTS;
  localparam int unsigned ASKERS = READERS + ISSUES * SLOTS; // at the arbiter: verify-reads as slot 0 of a collector each
  localparam int unsigned FILLS = READERS + ISSUES;          // behind the banks
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS);
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS);
  // Instructions of a group between issue and collectors: rename, reuse, pending queue.
  localparam int unsigned PLACES = 2 + ((REUSE != 0 && RETRY != 0) ? QUEUE : 0);
  localparam int unsigned OPERAND_W = SLOTS * PREG_W;
  localparam int unsigned OLD_W = `RF_WIR_OLD_W;
  localparam int unsigned BACK_W = `RF_WIR_BACK_W;
  localparam int unsigned READS_W = `RF_WIR_READS_W;
  localparam int unsigned ISSUED_W = `RF_WIR_ISSUED_W;
  localparam int unsigned LANE_W = `RF_WIR_LANE_W;

  if (WARPS < 1 || WARPS > 64 || WARPS % ISSUES != 0) begin : gen_warps_range
    $error("rf_wir: WARPS must be 1 to 64, a multiple of ISSUES");
  end
  if (ISSUES < 1 || ISSUES > 4 || EXPORTS < ISSUES || EXPORTS + ISSUES > 8 || ISSUES * (SLOTS + 3) > 24) begin : gen_issues_range
    $error("rf_wir: ISSUES must be 1 to 4, EXPORTS at least ISSUES, EXPORTS + ISSUES at most 8, ISSUES x (SLOTS + 3) at most 24");
  end
  if (COLLECTORS < 1 || COLLECTORS + ISSUES > 16 || ASKERS > 64) begin : gen_collectors_range
    $error("rf_wir: COLLECTORS must be 1 to 16 - ISSUES, (COLLECTORS + ISSUES) x SLOTS at most 64");
  end
  if (BANKS < 1 || BANKS > 32 || (BANKS & (BANKS - 1)) != 0 || PREGS < 2 || PREGS > 1024 ||
      PREGS % BANKS != 0) begin : gen_pregs_range
    $error("rf_wir: BANKS must be a power of two up to 32, PREGS 2 to 1024, a multiple of BANKS");
  end
  if (REUSE == 0 && WARPS * ROWS_PER_WARP * BANKS > PREGS) begin : gen_plain_range
    $error("rf_wir: without REUSE, PREGS must be at least WARPS x ceil(REGS / BANKS) x BANKS");
  end
  if (SCHED > rf_banked_pkg::SCHED_GROUPS || DELAY < 3 || DELAY > 7 || REUSE > 1 || VSB > 1 || VCACHE > 16 || CAPPED > 1 ||
      VERIFIERS < 1 || VERIFIERS > 4) begin : gen_switch_range
    $error("rf_wir: SCHED 0 to 2, DELAY 3 to 7, REUSE, VSB and CAPPED 0 or 1, VCACHE 0 to 16, VERIFIERS 1 to 4");
  end

  // Where a physical register lies; BANKS is a power of two.
  function automatic logic [BANK_W-1:0] bank_of(input logic [PREG_W-1:0] preg);
    bank_of = BANK_W'(preg & PREG_W'(BANKS - 1));
  endfunction
  function automatic logic [ROW_W-1:0] row_of(input logic [PREG_W-1:0] preg);
    row_of = ROW_W'({preg >> $clog2(BANKS)});
  endfunction

  // Per group: heads that issue, instructions in the lanes, and what becomes of them.
  logic [ISSUES-1:0]           lane_ready, st_valid, st_shared;
  logic [ISSUES-1:0]           lane_dec, lk_valid, allow, hit, waits, want_port, port, want_collector, collector;
  logic [ISSUES-1:0]           leads, reserved, leaves, walk_valid, walk;
  logic [ISSUES*ISSUED_W-1:0]  head;
  logic [ISSUES*LANE_W-1:0]    lane;
  logic [ISSUES*WARP_W-1:0]    rn_warp, lane_warp;
  logic [ISSUES*TAG_W-1:0]     lane_tag;
  logic [ISSUES*REG_W-1:0]     lane_dst;
  logic [ISSUES*SLOTS-1:0]     lane_inc;
  logic [ISSUES*8-1:0]         lane_opcode;
  logic [ISSUES*OPERAND_W-1:0] lane_operand, lane_inc_reg;
  logic [ISSUES*2-1:0]         lane_space;
  logic [ISSUES*BACK_W-1:0]    lane_back;
  logic [ISSUES*INFO_W-1:0]    lane_info;
  logic [ISSUES*PREG_W-1:0]    lane_dec_reg, result;
  // Mappings that are released, and instructions before the collectors.
  logic [ISSUES*GROUP-1:0]         clear, walking;
  logic [ISSUES*PLACES-1:0]         at_valid;
  logic [ISSUES*PLACES*READS_W-1:0] at;
  // Readers: the collectors', then at the arbiter per group its verify-read's, behind the banks one per group.
  logic [READERS-1:0]        unread;
  logic [READERS*WARP_W-1:0] reader_warp;
  logic [READERS*REG_W-1:0]  reader_reg;
  logic [ASKERS-1:0]         rd_valid, rd_grant;
  logic [ASKERS*BANK_W-1:0]  rd_bank;
  logic [ASKERS*ROW_W-1:0]   rd_row;
  logic [FILLS-1:0]          fill_valid;
  logic [FILLS*BANK_W-1:0]   fill_bank;
  logic [FILLS*DATA_W-1:0]   fill_data;
  logic [ISSUES-1:0]         ask, ask_grant, check, fetched;
  logic [ISSUES*PREG_W-1:0]  ask_reg, check_reg, done_reg;
  // Writers and buses: groups (REUSE 0: result queues).
  logic [EXPORTS-1:0]        wr_valid, wr_grant;
  logic [EXPORTS*PREG_W-1:0] wr_reg;
  logic [EXPORTS*BANK_W-1:0] wr_bank;
  logic [EXPORTS*ROW_W-1:0]  wr_row;
  logic [EXPORTS*LANES-1:0]  wr_mask;
  logic [EXPORTS*DATA_W-1:0] wr_data;
  logic [BANKS-1:0]          bank_re, bank_we;
  logic [BANKS*ROW_W-1:0]    bank_raddr, bank_waddr;
  logic [BANKS*PORT_W-1:0]   bank_wsel;
  logic [BANKS*DATA_W-1:0]   unused_rdata;
  // Heads of the result queues; results that retire, per writer.
  logic [EXPORTS-1:0]        queued_valid, pop, done;
  logic [EXPORTS*2-1:0]      queued_op;
  logic [EXPORTS*WARP_W-1:0] queued_warp, done_warp;
  logic [EXPORTS*REG_W-1:0]  queued_dst, done_dst;
  logic [EXPORTS*PREG_W-1:0] queued_preg, queued_cand;
  logic [EXPORTS*LANES-1:0]  queued_mask;
  logic [EXPORTS*DATA_W-1:0] queued_data;
  logic [EXPORTS*INFO_W-1:0] queued_info;
  logic [ISSUES*INFO_W-1:0]  done_info;
  // Registers: who needs one, who gets it; references that begin and end.
  logic                               low;
  logic [15:0]                        random;
  logic [ISSUES-1:0]                  shared, given, results_dec, own;
  logic [ISSUES*VERIFIERS-1:0]        need, give;
  logic [ISSUES*VERIFIERS*PREG_W-1:0] cand;
  logic [ISSUES*PREG_W-1:0]           given_reg, results_dec_reg, old_reg;
  logic [ISSUES*2-1:0]                results_inc;
  logic [ISSUES*2*PREG_W-1:0]         results_inc_reg;
  logic [1:0]                         back;
  logic [2*PREG_W-1:0]                back_reg;

  rf_wir_issue #(.WARPS(WARPS), .COLLECTORS(COLLECTORS), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS),
                 .ISSUES(ISSUES), .SCHED(SCHED), .FETCH(FETCH), .PREGS(PREGS), .PLACES(PLACES), .REUSE(REUSE)) u_issue (
    .clk_i(clk_i), .rst_ni(rst_ni), .launch_i(launch_i), .exit_i(exit_i), .ib_valid_i(ib_valid_i), .ib_tag_i(ib_tag_i),
    .ib_port_i(ib_port_i), .ib_mask_i(ib_mask_i), .ib_dst_valid_i(ib_dst_valid_i), .ib_dst_i(ib_dst_i),
    .ib_src_valid_i(ib_src_valid_i), .ib_src_i(ib_src_i), .ib_reuse_i(ib_reuse_i), .ib_op_i(ib_op_i), .ib_imm_i(ib_imm_i),
    .ib_space_i(ib_space_i), .ib_store_i(ib_store_i), .ib_store_shared_i(ib_store_shared_i), .lane_ready_i(lane_ready),
    .walking_i(walking), .at_valid_i(at_valid), .at_i(at), .rdp_i(unread), .rdp_warp_i(reader_warp),
    .rdp_reg_i(reader_reg), .clr_i({reused_o, done}),
    .clr_warp_i({lane_warp, done_warp}), .clr_reg_i({lane_dst, done_dst}), .issue_valid_o(issue_valid_o),
    .issue_warp_o(issue_warp_o), .clear_o(clear), .head_o(head)
  );

  `RF_WIR_LANE_RECORDS
  lane_t one;
  logic  unused_one;
  assign unused_one = ^{one.mask, one.dst_valid, one.mapped};
  always_comb begin
    for (int g = 0; g < ISSUES; g++) begin
      one = lane[g*LANE_W +: LANE_W];
      lane_warp[g*WARP_W +: WARP_W]          = one.renamed.common.warp;
      lane_tag[g*TAG_W +: TAG_W]             = one.renamed.common.tag;
      lane_dst[g*REG_W +: REG_W]             = one.renamed.common.dst;
      lane_space[g*2 +: 2]                   = one.renamed.common.space;
      lane_opcode[g*8 +: 8]                  = one.renamed.opcode;
      lane_operand[g*OPERAND_W +: OPERAND_W] = one.renamed.operand;
      lane_back[g*BACK_W +: BACK_W]          = one.renamed.old;
    end
  end

  for (genvar g = 0; g < ISSUES; g++) begin : gen_lane
    rf_wir_lane #(.WARPS(WARPS), .ISSUES(ISSUES), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS), .PREGS(PREGS),
                  .BANKS(BANKS), .QUEUE(QUEUE), .REUSE(REUSE), .LOADS(LOADS), .RETRY(RETRY)) u_lane (
      .clk_i(clk_i), .rst_ni(rst_ni), .issue_valid_i(issue_valid_o[g]), .issue_i(head[g*ISSUED_W +: ISSUED_W]),
      .clear_i(clear[g*GROUP +: GROUP]), .walk_i(walk[g]), .allow_i(allow[g]),
      .hit_i(hit[g]), .wait_i(waits[g]), .result_i(result[g*PREG_W +: PREG_W]), .reserved_i(reserved[g]), .port_i(port[g]),
      .collector_i(collector[g]), .done_i(done[g]), .done_warp_i(done_warp[g*WARP_W +: WARP_W]),
      .done_dst_i(done_dst[g*REG_W +: REG_W]), .done_reg_i(done_reg[g*PREG_W +: PREG_W]),
      .done_old_i(done_info[g*INFO_W +: OLD_W]), .ready_o(lane_ready[g]), .walking_o(walking[g*GROUP +: GROUP]),
      .walk_valid_o(walk_valid[g]), .at_valid_o(at_valid[g*PLACES +: PLACES]),
      .at_o(at[g*PLACES*READS_W +: PLACES*READS_W]), .st_valid_o(st_valid[g]),
      .st_shared_o(st_shared[g]), .rn_warp_o(rn_warp[g*WARP_W +: WARP_W]), .lane_o(lane[g*LANE_W +: LANE_W]),
      .lk_valid_o(lk_valid[g]),
      .want_port_o(want_port[g]), .want_collector_o(want_collector[g]), .leads_o(leads[g]), .leaves_o(leaves[g]),
      .reused_o(reused_o[g]), .inc_o(lane_inc[g*SLOTS +: SLOTS]), .inc_reg_o(lane_inc_reg[g*OPERAND_W +: OPERAND_W]),
      .dec_o(lane_dec[g]), .dec_reg_o(lane_dec_reg[g*PREG_W +: PREG_W])
    );
    assign reused_warp_o[g*WARP_W +: WARP_W] = lane_warp[g*WARP_W +: WARP_W] & {WARP_W{reused_o[g]}};
    assign reused_tag_o[g*TAG_W +: TAG_W]    = lane_tag[g*TAG_W +: TAG_W] & {TAG_W{reused_o[g]}};
    // Its verify-reads, as slot 0 of collector COLLECTORS + g.
    localparam int unsigned ASKER = (COLLECTORS + g) * SLOTS;
    assign rd_valid[ASKER +: SLOTS]                  = SLOTS'(ask[g]);
    assign rd_bank[ASKER*BANK_W +: SLOTS*BANK_W]     = (SLOTS*BANK_W)'(bank_of(ask_reg[g*PREG_W +: PREG_W]));
    assign rd_row[ASKER*ROW_W +: SLOTS*ROW_W]        = (SLOTS*ROW_W)'(row_of(ask_reg[g*PREG_W +: PREG_W]));
    assign ask_grant[g]                              = rd_grant[ASKER];
    assign fill_valid[READERS + g]                   = check[g];
    assign fill_bank[(READERS + g)*BANK_W +: BANK_W] = bank_of(check_reg[g*PREG_W +: PREG_W]);
  end

  rf_wir_collect #(.WARPS(WARPS), .COLLECTORS(COLLECTORS), .BANKS(BANKS), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS),
                   .EXPORTS(EXPORTS), .ISSUES(ISSUES), .PREGS(PREGS), .INFOW(INFO_W)) u_collect (
    .clk_i(clk_i), .rst_ni(rst_ni), .req_i(want_collector), .lane_i(lane),
    .lane_info_i(lane_info), .rd_grant_i(rd_grant[READERS-1:0]), .fill_data_i(fill_data[READERS*DATA_W-1:0]),
    .ex_ready_i(ex_ready_i), .grant_o(collector), .unread_o(unread), .reader_warp_o(reader_warp), .reader_reg_o(reader_reg),
    .rd_valid_o(rd_valid[READERS-1:0]), .rd_bank_o(rd_bank[READERS*BANK_W-1:0]), .rd_row_o(rd_row[READERS*ROW_W-1:0]),
    .fill_valid_o(fill_valid[READERS-1:0]), .ex_valid_o(ex_valid_o), .ex_warp_o(ex_warp_o), .ex_tag_o(ex_tag_o),
    .ex_mask_o(ex_mask_o), .ex_dst_valid_o(ex_dst_valid_o), .ex_dst_o(ex_dst_o), .ex_data_o(ex_data_o), .ex_info_o(ex_info_o)
  );
  assign fill_bank[READERS*BANK_W-1:0] = rd_bank[READERS*BANK_W-1:0];

  for (genvar e = 0; e < EXPORTS; e++) begin : gen_writer
    assign wr_bank[e*BANK_W +: BANK_W] = bank_of(wr_reg[e*PREG_W +: PREG_W]);
    assign wr_row[e*ROW_W +: ROW_W]    = row_of(wr_reg[e*PREG_W +: PREG_W]);
  end

  rf_arbiter #(.BANKS(BANKS), .COLLECTORS(COLLECTORS + ISSUES), .SLOTS(SLOTS), .WRITERS(EXPORTS), .ROWS(ROWS), .PORTS(PORTS))
  u_arbiter (
    .clk_i(clk_i), .rst_ni(rst_ni), .rd_valid_i(rd_valid), .rd_bank_i(rd_bank), .rd_row_i(rd_row), .wr_valid_i(wr_valid),
    .wr_bank_i(wr_bank), .wr_row_i(wr_row), .rd_grant_o(rd_grant), .wr_grant_o(wr_grant), .bank_re_o(bank_re),
    .bank_raddr_o(bank_raddr), .bank_we_o(bank_we), .bank_waddr_o(bank_waddr), .bank_wsel_o(bank_wsel)
  );

  rf_stage_banks #(.BANKS(BANKS), .ROWS(ROWS), .LANES(LANES), .PORTS(PORTS), .BUSES(EXPORTS), .READERS(FILLS)) u_banks (
    .clk_i(clk_i), .rst_ni(rst_ni), .re_i(bank_re), .raddr_i(bank_raddr), .we_i(bank_we), .waddr_i(bank_waddr), .wsel_i(bank_wsel),
    .mask_i(wr_mask), .data_i(wr_data), .fill_valid_i(fill_valid), .fill_bank_i(fill_bank), .fill_data_o(fill_data),
    .rdata_o(unused_rdata)
  );

  rf_wir_results #(.WARPS(WARPS), .REGS(REGS), .LANES(LANES), .EXPORTS(EXPORTS), .ISSUES(ISSUES), .BANKS(BANKS),
                   .STAGES(DELAY - 2), .WBDEPTH(WBDEPTH), .PREGS(PREGS), .INFOW(INFO_W), .VERIFIERS(VERIFIERS), .REUSE(REUSE),
                   .VSB(VSB), .VENTRIES(VENTRIES), .VCACHE(VCACHE), .CAPPED(CAPPED)) u_results (
    .clk_i(clk_i), .rst_ni(rst_ni), .res_valid_i(res_valid_i), .res_warp_i(res_warp_i), .res_dst_i(res_dst_i),
    .res_mask_i(res_mask_i), .res_data_i(res_data_i), .res_info_i(res_info_i), .pop_i(pop), .need_i(need), .cand_i(cand),
    .shared_i(shared), .fill_i(fetched), .fill_reg_i(check_reg), .fill_data_i(fill_data[FILLS*DATA_W-1:READERS*DATA_W]),
    .back_i(back), .back_reg_i(back_reg), .limit_i(limit_i), .own_i(own), .random_i(random), .res_ready_o(res_ready_o), .low_o(low),
    .head_valid_o(queued_valid), .head_op_o(queued_op), .head_warp_o(queued_warp), .head_dst_o(queued_dst),
    .head_preg_o(queued_preg), .head_cand_o(queued_cand), .head_mask_o(queued_mask), .head_data_o(queued_data),
    .head_info_o(queued_info), .give_o(give), .given_o(given), .given_reg_o(given_reg), .inc_o(results_inc),
    .inc_reg_o(results_inc_reg), .dec_o(results_dec), .dec_reg_o(results_dec_reg), .old_reg_o(old_reg)
  );

  rf_wir_retire #(.WARPS(WARPS), .REGS(REGS), .LANES(LANES), .EXPORTS(EXPORTS), .ISSUES(ISSUES), .PREGS(PREGS), .INFOW(INFO_W),
                  .VERIFIERS(VERIFIERS), .REUSE(REUSE)) u_retire (
    .clk_i(clk_i), .rst_ni(rst_ni), .head_valid_i(queued_valid), .head_op_i(queued_op), .head_warp_i(queued_warp),
    .head_dst_i(queued_dst), .head_preg_i(queued_preg), .head_cand_i(queued_cand), .head_mask_i(queued_mask),
    .head_data_i(queued_data), .head_info_i(queued_info), .hit_i(want_port), .walk_i(walk_valid), .rd_grant_i(ask_grant),
    .rdata_i(fill_data[FILLS*DATA_W-1:READERS*DATA_W]), .wr_grant_i(wr_grant), .give_i(give), .given_i(given),
    .given_reg_i(given_reg), .pop_o(pop), .hit_o(port), .walk_o(walk), .rd_valid_o(ask), .rd_reg_o(ask_reg), .check_o(check),
    .check_reg_o(check_reg), .fill_o(fetched), .wr_valid_o(wr_valid), .wr_reg_o(wr_reg), .wr_mask_o(wr_mask), .wr_data_o(wr_data),
    .need_o(need), .cand_o(cand), .done_o(done), .done_warp_o(done_warp), .done_dst_o(done_dst), .done_reg_o(done_reg),
    .done_info_o(done_info), .shared_o(shared)
  );

  if (REUSE != 0) begin : gen_reuse
    rf_wir_reuse #(.WARPS(WARPS), .BLOCKS(BLOCKS), .ENTRIES(ENTRIES), .ISSUES(ISSUES), .SLOTS(SLOTS), .PREGS(PREGS),
                   .COUNTW(COUNTW)) u_reuse (
      .clk_i(clk_i), .rst_ni(rst_ni), .block_i(block_i), .launch_i(launch_i), .start_i(start_i), .flush_i(flush_i), .bar_i(bar_i),
      .fence_i(fence_i), .st_valid_i(st_valid), .st_warp_i(rn_warp), .st_shared_i(st_shared), .lane_warp_i(lane_warp),
      .lane_space_i(lane_space), .lane_opcode_i(lane_opcode), .lane_operand_i(lane_operand), .lane_back_i(lane_back),
      .lk_valid_i(lk_valid), .leads_i(leads), .leaves_i(leaves), .lane_inc_i(lane_inc), .lane_inc_reg_i(lane_inc_reg),
      .lane_dec_i(lane_dec), .lane_dec_reg_i(lane_dec_reg), .done_i(done[ISSUES-1:0]), .done_reg_i(done_reg),
      .done_info_i(done_info), .low_i(low), .results_inc_i(results_inc), .results_inc_reg_i(results_inc_reg),
      .results_dec_i(results_dec), .results_dec_reg_i(results_dec_reg), .own_reg_i(old_reg), .allow_o(allow), .hit_o(hit),
      .wait_o(waits), .result_o(result), .reserved_o(reserved), .info_o(lane_info), .random_o(random), .back_o(back),
      .back_reg_o(back_reg), .own_o(own)
    );
  end else begin : gen_plain
    logic unused_plain;
    assign unused_plain = ^{block_i, start_i, flush_i, bar_i, fence_i, low, lk_valid, leads, leaves, st_valid, st_shared, rn_warp,
                            lane_opcode, lane_operand, lane_space, lane_back, lane_inc, lane_inc_reg, lane_dec, lane_dec_reg,
                            done_reg, done_info, results_inc, results_inc_reg, results_dec, results_dec_reg, old_reg};
    assign {allow, hit, waits, result, reserved, lane_info, random, back, back_reg, own} = '0;
  end

endmodule

`default_nettype wire
