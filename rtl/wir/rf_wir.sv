// SPDX-License-Identifier: Apache-2.0
// System: rf_banked with warp instruction reuse (004): instructions whose result an earlier one has left take that one's register.
//
//   issue -> rename -> reuse -> operand collectors -> arbiter -> banks -> crossbar -> collectors -> dispatch -> execution ports
//   results -> hash pipes -> allocation -> result queues -> (verify-read) -> arbiter -> banks -> retire
//
// Issue:      as in rf_banked, into the group's rf_wir_lane. A warp waits too while an instruction of its before the collectors has
//             yet to read what the head writes (D-war), or loads and the head stores (D-order), and from `exit` or `launch` on
//             until its old mappings are released.
// Reuse:      a group's lane looks the reuse buffer up; a hit retires, a wait goes to the pending queue, all else to a collector.
// Results:    rf_wir_results gives them registers, rf_wir_retire verifies and retires them. A verify-read is of collector
//             COLLECTORS + g, a write of writer g; REUSE 0: each result queue writes on its own.
// Registers:  rf_refcount counts who names a register; one that nobody names goes back. Few free ones, or `limit` in use (CAPPED):
//             low mode, in which entries of the buffers are given up.
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
  /// Cycles that the added stages cost, 3 to 7 (004 VII-D).
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
  /// 1: low register mode from limit_i on.
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
  localparam int unsigned WARP_W = (WARPS > 1) ? $clog2(WARPS) : 1,
  localparam int unsigned REG_W = (REGS > 1) ? $clog2(REGS) : 1,
  localparam int unsigned PORT_W = (EXPORTS > 1) ? $clog2(EXPORTS) : 1,
  localparam int unsigned PREG_W = $clog2(PREGS),
  localparam int unsigned ENTRY_W = (ENTRIES > 1) ? $clog2(ENTRIES) : 1,
  localparam int unsigned BLOCK_W = (BLOCKS > 1) ? $clog2(BLOCKS) : 1,
  localparam int unsigned COUNT_W = $clog2(PREGS + 1),
  localparam int unsigned OP_W = 8 - SLOTS,
  localparam int unsigned INFO_W = 3 + PREG_W + ENTRY_W,
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
  localparam int unsigned ASKERS = (COLLECTORS + ISSUES) * SLOTS; // at the arbiter
  localparam int unsigned FILLS = READERS + ISSUES;               // behind the banks
  localparam int unsigned WARP_N = 1 << WARP_W;
  localparam int unsigned LOCAL_W = (GROUP > 1) ? $clog2(GROUP) : 1;
  localparam int unsigned BANK_W = (BANKS > 1) ? $clog2(BANKS) : 1;
  localparam int unsigned ROW_W = (ROWS > 1) ? $clog2(ROWS) : 1;
  localparam int unsigned COLLECTOR_W = (COLLECTORS > 1) ? $clog2(COLLECTORS) : 1;
  localparam int unsigned ISSUE_W = (ISSUES > 1) ? $clog2(ISSUES) : 1;
  localparam int unsigned META_W = WARP_W + TAG_W + LANES + 1 + REG_W + INFO_W;
  // Instructions of a group between issue and collectors: rename, reuse, pending queue.
  localparam int unsigned PLACES = 2 + ((REUSE != 0 && RETRY != 0) ? QUEUE : 0);
  localparam int unsigned SRC_W = SLOTS * REG_W;
  localparam int unsigned OPERAND_W = SLOTS * PREG_W;

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
    row_of = ROW_W'(preg >> $clog2(BANKS));
  endfunction

  // ------------------------------------------------------------------------------------------------------------------ issue

  logic [WARPS-1:0]         active, chk_dst_valid, hazard, overtaken, releasing, ready;
  logic [WARPS*SLOTS-1:0]   chk_src_valid;
  logic [ISSUES-1:0]        chosen, head_dst_valid;
  logic [ISSUES*WARP_W-1:0] head_warp;
  logic [ISSUES*REG_W-1:0]  head_dst;
  // Instructions between issue and collectors, element group * PLACES + place.
  logic [ISSUES*PLACES-1:0]        at_valid, at_load;
  logic [ISSUES*PLACES*WARP_W-1:0] at_warp;
  logic [ISSUES*PLACES*SLOTS-1:0]  at_src_valid;
  logic [ISSUES*PLACES*SRC_W-1:0]  at_src;
  // What is in the lanes, and what becomes of it.
  logic [ISSUES-1:0]           lane_ready, st_valid, st_shared, lane_dst_valid;
  logic [ISSUES*WARP_W-1:0]    rn_warp, lane_warp;
  logic [ISSUES*TAG_W-1:0]     lane_tag;
  logic [ISSUES*PORT_W-1:0]    lane_port;
  logic [ISSUES*LANES-1:0]     lane_mask;
  logic [ISSUES*REG_W-1:0]     lane_dst;
  logic [ISSUES*SLOTS-1:0]     lane_src_valid, lane_mapped;
  logic [ISSUES*SRC_W-1:0]     lane_src;
  logic [ISSUES*8-1:0]         lane_opcode;
  logic [ISSUES*OPERAND_W-1:0] lane_operand;
  logic [ISSUES*2-1:0]         lane_space;
  logic [ISSUES*(PREG_W+2)-1:0] lane_old;
  logic [ISSUES*INFO_W-1:0]    lane_info;
  logic [ISSUES-1:0]           allow, hit, waits, reserved, port, collector, lk_valid, want_port, want_collector, leads, leaves;
  logic [ISSUES-1:0]           walk, walk_valid;
  logic [ISSUES*PREG_W-1:0]    result;
  // Collectors.
  logic [COLLECTORS-1:0]         busy, collected, alloc, dispatched;
  logic [COLLECTORS*ISSUE_W-1:0] which;
  logic [ISSUES*COLLECTOR_W-1:0] unused_sel;
  logic [COLLECTORS*PORT_W-1:0]  ocu_port;
  logic [COLLECTORS*META_W-1:0]  ocu_meta;
  logic [READERS-1:0]            unread;
  logic [READERS*WARP_W-1:0]     reader_warp;
  logic [READERS*REG_W-1:0]      reader_reg;
  logic [READERS*DATA_W-1:0]     slot_data; // by slot, for the crossbars to the execution ports
  logic [ASKERS-1:0]             rd_valid, rd_grant;
  logic [ASKERS*BANK_W-1:0]      rd_bank;
  logic [ASKERS*ROW_W-1:0]       rd_row;
  logic [FILLS-1:0]              fill_valid;
  logic [FILLS*BANK_W-1:0]       fill_bank;
  logic [FILLS*DATA_W-1:0]       fill_data;
  // Beside each collector: sources that are not mapped, and what comes back with the result.
  logic [SLOTS-1:0]  zero_q [0:COLLECTORS-1];
  logic [INFO_W-1:0] info_q [0:COLLECTORS-1];
  // Results that retire, per writer, and references per group that begin and end.
  logic [EXPORTS-1:0]          done;
  logic [EXPORTS*WARP_W-1:0]   done_warp;
  logic [EXPORTS*REG_W-1:0]    done_dst;
  logic [ISSUES*PREG_W-1:0]    done_reg;
  logic [ISSUES*INFO_W-1:0]    done_info;
  logic [ISSUES*SLOTS-1:0]     lane_inc;
  logic [ISSUES*OPERAND_W-1:0] lane_inc_reg;
  logic [ISSUES-1:0]           lane_dec;
  logic [ISSUES*PREG_W-1:0]    lane_dec_reg;

  for (genvar w = 0; w < WARPS; w++) begin : gen_head
    assign active[w] = ib_mask_i[w*LANES +: LANES] != '0;
    assign chk_dst_valid[w] = ib_dst_valid_i[w] && active[w];
    assign chk_src_valid[w*SLOTS +: SLOTS] = ib_src_valid_i[w*SLOTS +: SLOTS] & {SLOTS{active[w]}};
  end

  rf_scoreboard #(.WARPS(WARPS), .REGS(REGS), .SLOTS(SLOTS), .READERS(READERS), .ISSUES(ISSUES), .WRITERS(EXPORTS + ISSUES))
  u_scoreboard (
    .clk_i(clk_i), .rst_ni(rst_ni), .chk_dst_valid_i(chk_dst_valid), .chk_dst_i(ib_dst_i), .chk_src_valid_i(chk_src_valid),
    .chk_src_i(ib_src_i), .set_i(issue_valid_o & head_dst_valid), .set_warp_i(head_warp), .set_reg_i(head_dst),
    .clr_i({reused_o, done}), .clr_warp_i({lane_warp, done_warp}), .clr_reg_i({lane_dst, done_dst}), .rdp_i(unread),
    .rdp_warp_i(reader_warp), .rdp_reg_i(reader_reg), .hazard_o(hazard)
  );

  // D-war and D-order: each instruction before the collectors looks up what its warp's head writes, and whether that stores.
  logic [REG_W-1:0]  dst_of [0:WARP_N-1];
  logic [WARP_N-1:0] writes_of, stores_of;
  for (genvar w = 0; w < WARP_N; w++) begin : gen_of
    if (w < WARPS) begin : gen_warp
      assign dst_of[w]    = ib_dst_i[w*REG_W +: REG_W];
      assign writes_of[w] = chk_dst_valid[w];
      assign stores_of[w] = ib_store_i[w] && active[w];
    end else begin : gen_none
      assign dst_of[w]    = '0;
      assign writes_of[w] = 1'b0;
      assign stores_of[w] = 1'b0;
    end
  end

  logic [ISSUES*PLACES-1:0] overtakes;
  for (genvar p = 0; p < ISSUES * PLACES; p++) begin : gen_place
    logic [WARP_W-1:0] warp;
    logic [SLOTS-1:0]  same;
    assign warp = at_warp[p*WARP_W +: WARP_W];
    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      assign same[s] = at_src[p*SRC_W + s*REG_W +: REG_W] == dst_of[warp];
    end
    assign overtakes[p] = at_valid[p] && ((writes_of[warp] && (same & at_src_valid[p*SLOTS +: SLOTS]) != '0) ||
                                          (at_load[p] && stores_of[warp]));
  end
  always_comb begin
    overtaken = '0;
    for (int p = 0; p < ISSUES * PLACES; p++) overtaken |= WARPS'(overtakes[p]) << at_warp[p*WARP_W +: WARP_W];
  end

  assign ready = ib_valid_i & ~(hazard | overtaken | releasing);

  for (genvar g = 0; g < ISSUES; g++) begin : gen_issue
    logic [GROUP-1:0]   group_ready, group_launch, clear, walking, unused_onehot, unused_other;
    logic [LOCAL_W-1:0] chosen_local;
    logic [WARP_W-1:0]  warp;
    logic [TAG_W-1:0]   tag;
    logic [PORT_W-1:0]  ex_port;
    logic [LANES-1:0]   mask;
    logic [SLOTS-1:0]   src_valid;
    logic [SRC_W-1:0]   src;
    logic [SLOTS*5-1:0] unused_bank;

    for (genvar i = 0; i < GROUP; i++) begin : gen_warp
      assign group_ready[i]  = ready[g + i*ISSUES];
      assign group_launch[i] = launch_i[g + i*ISSUES];
      assign clear[i]        = launch_i[g + i*ISSUES] || exit_i[g + i*ISSUES];
      assign releasing[g + i*ISSUES] = REUSE != 0 && (clear[i] || walking[i]);
    end

    if (SCHED == rf_banked_pkg::SCHED_GTO) begin : gen_gto
      rf_sched_gto #(.WARPS(GROUP)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .launch_i(group_launch), .take_i(issue_valid_o[g]),
        .valid_o(chosen[g]), .warp_o(chosen_local), .onehot_o(unused_onehot), .other_o(unused_other)
      );
    end else if (SCHED == rf_banked_pkg::SCHED_LRR) begin : gen_lrr
      rf_sched_lrr #(.WARPS(GROUP)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .launch_i(group_launch), .take_i(issue_valid_o[g]),
        .valid_o(chosen[g]), .warp_o(chosen_local), .onehot_o(unused_onehot), .other_o(unused_other)
      );
    end else begin : gen_groups
      rf_sched_groups #(.WARPS(GROUP), .FETCH(FETCH)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .launch_i(group_launch), .take_i(issue_valid_o[g]),
        .valid_o(chosen[g]), .warp_o(chosen_local), .onehot_o(unused_onehot), .other_o(unused_other)
      );
    end

    assign warp = WARP_W'(chosen_local) * WARP_W'(ISSUES) + WARP_W'(g);
    assign issue_valid_o[g]                 = chosen[g] && lane_ready[g];
    assign issue_warp_o[g*WARP_W +: WARP_W] = issue_valid_o[g] ? warp : '0;
    assign head_warp[g*WARP_W +: WARP_W]    = warp;

    // Its banks and rows are not used; with 32 banks, any number of warps and registers is in range.
    localparam int unsigned HEAD_ROWS = WARPS * rf_banked_pkg::rows_per_warp(REGS, 32);
    logic [SLOTS*((HEAD_ROWS > 1) ? $clog2(HEAD_ROWS) : 1)-1:0] unused_row;
    rf_stage_head #(.WARPS(WARPS), .BANKS(32), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS)) u_head (
      .warp_i(warp), .ib_tag_i(ib_tag_i), .ib_port_i(ib_port_i), .ib_mask_i(ib_mask_i), .ib_dst_valid_i(chk_dst_valid),
      .ib_dst_i(ib_dst_i), .ib_src_valid_i(chk_src_valid), .ib_src_i(ib_src_i), .tag_o(tag), .port_o(ex_port), .mask_o(mask),
      .dst_valid_o(head_dst_valid[g]), .dst_o(head_dst[g*REG_W +: REG_W]), .src_valid_o(src_valid), .src_o(src),
      .bank_o(unused_bank), .row_o(unused_row)
    );

    rf_wir_lane #(.WARPS(WARPS), .ISSUES(ISSUES), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS), .PREGS(PREGS),
                  .BANKS(BANKS), .QUEUE(QUEUE), .REUSE(REUSE), .LOADS(LOADS), .RETRY(RETRY)) u_lane (
      .clk_i(clk_i), .rst_ni(rst_ni), .issue_valid_i(issue_valid_o[g]), .issue_warp_i(warp), .issue_tag_i(tag),
      .issue_port_i(ex_port), .issue_mask_i(mask), .issue_dst_valid_i(head_dst_valid[g]), .issue_dst_i(head_dst[g*REG_W +: REG_W]),
      .issue_src_valid_i(src_valid), .issue_src_i(src), .issue_reuse_i(ib_reuse_i[warp]),
      .issue_op_i(ib_op_i[warp*OP_W +: OP_W]), .issue_imm_i(ib_imm_i[warp*OPERAND_W +: OPERAND_W]),
      .issue_space_i(ib_space_i[warp*2 +: 2]), .issue_store_i(ib_store_i[warp] && mask != '0),
      .issue_store_shared_i(ib_store_shared_i[warp]), .clear_i(clear), .walk_i(walk[g]), .allow_i(allow[g]), .hit_i(hit[g]),
      .wait_i(waits[g]), .result_i(result[g*PREG_W +: PREG_W]), .reserved_i(reserved[g]), .port_i(port[g]),
      .collector_i(collector[g]), .done_i(done[g]), .done_warp_i(done_warp[g*WARP_W +: WARP_W]),
      .done_dst_i(done_dst[g*REG_W +: REG_W]), .done_reg_i(done_reg[g*PREG_W +: PREG_W]),
      .done_old_i(done_info[g*INFO_W +: PREG_W + 2]), .ready_o(lane_ready[g]), .walking_o(walking), .walk_valid_o(walk_valid[g]),
      .at_valid_o(at_valid[g*PLACES +: PLACES]), .at_warp_o(at_warp[g*PLACES*WARP_W +: PLACES*WARP_W]),
      .at_src_valid_o(at_src_valid[g*PLACES*SLOTS +: PLACES*SLOTS]), .at_src_o(at_src[g*PLACES*SRC_W +: PLACES*SRC_W]),
      .at_load_o(at_load[g*PLACES +: PLACES]), .st_valid_o(st_valid[g]), .st_shared_o(st_shared[g]),
      .rn_warp_o(rn_warp[g*WARP_W +: WARP_W]), .lane_warp_o(lane_warp[g*WARP_W +: WARP_W]),
      .lane_tag_o(lane_tag[g*TAG_W +: TAG_W]), .lane_port_o(lane_port[g*PORT_W +: PORT_W]),
      .lane_mask_o(lane_mask[g*LANES +: LANES]), .lane_dst_valid_o(lane_dst_valid[g]),
      .lane_dst_o(lane_dst[g*REG_W +: REG_W]), .lane_src_valid_o(lane_src_valid[g*SLOTS +: SLOTS]),
      .lane_mapped_o(lane_mapped[g*SLOTS +: SLOTS]), .lane_src_o(lane_src[g*SRC_W +: SRC_W]), .lane_opcode_o(lane_opcode[g*8 +: 8]),
      .lane_operand_o(lane_operand[g*OPERAND_W +: OPERAND_W]), .lane_space_o(lane_space[g*2 +: 2]),
      .lane_old_o(lane_old[g*(PREG_W+2) +: PREG_W + 2]), .lk_valid_o(lk_valid[g]), .want_port_o(want_port[g]),
      .want_collector_o(want_collector[g]), .leads_o(leads[g]), .leaves_o(leaves[g]), .reused_o(reused_o[g]),
      .inc_o(lane_inc[g*SLOTS +: SLOTS]), .inc_reg_o(lane_inc_reg[g*OPERAND_W +: OPERAND_W]), .dec_o(lane_dec[g]),
      .dec_reg_o(lane_dec_reg[g*PREG_W +: PREG_W])
    );

    assign reused_warp_o[g*WARP_W +: WARP_W] = lane_warp[g*WARP_W +: WARP_W] & {WARP_W{reused_o[g]}};
    assign reused_tag_o[g*TAG_W +: TAG_W]    = lane_tag[g*TAG_W +: TAG_W] & {TAG_W{reused_o[g]}};
  end

  // ------------------------------------------------------------------------------------------------------------- collectors

  rf_ocu_alloc #(.COLLECTORS(COLLECTORS), .ISSUES(ISSUES)) u_alloc (
    .busy_i(busy), .req_i(want_collector), .grant_o(collector), .sel_o(unused_sel), .alloc_o(alloc), .which_o(which)
  );

  for (genvar c = 0; c < COLLECTORS; c++) begin : gen_ocu
    logic [ISSUE_W-1:0]      from;
    logic [WARP_W-1:0]       warp;
    logic [TAG_W-1:0]        tag;
    logic [LANES-1:0]        mask;
    logic                    dst_valid;
    logic [REG_W-1:0]        dst;
    logic [OPERAND_W-1:0]    operand;
    logic [SLOTS*BANK_W-1:0] bank;
    logic [SLOTS*ROW_W-1:0]  row;
    logic [SLOTS*DATA_W-1:0] data;

    assign from    = which[c*ISSUE_W +: ISSUE_W];
    assign operand = lane_operand[from*OPERAND_W +: OPERAND_W];
    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      assign bank[s*BANK_W +: BANK_W] = bank_of(operand[s*PREG_W +: PREG_W]);
      assign row[s*ROW_W +: ROW_W]    = row_of(operand[s*PREG_W +: PREG_W]);
      assign slot_data[(s*COLLECTORS + c)*DATA_W +: DATA_W] = zero_q[c][s] ? '0 : data[s*DATA_W +: DATA_W];
    end

    rf_ocu #(.SLOTS(SLOTS), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .BANKS(BANKS), .ROWS(ROWS), .EXPORTS(EXPORTS)) u_ocu (
      .clk_i(clk_i), .rst_ni(rst_ni), .alloc_i(alloc[c]), .alloc_warp_i(lane_warp[from*WARP_W +: WARP_W]),
      .alloc_tag_i(lane_tag[from*TAG_W +: TAG_W]), .alloc_port_i(lane_port[from*PORT_W +: PORT_W]),
      .alloc_mask_i(lane_mask[from*LANES +: LANES]), .alloc_dst_valid_i(lane_dst_valid[from]),
      .alloc_dst_i(lane_dst[from*REG_W +: REG_W]), .alloc_src_valid_i(lane_mapped[from*SLOTS +: SLOTS]),
      .alloc_src_i(lane_src[from*SRC_W +: SRC_W]), .alloc_bank_i(bank), .alloc_row_i(row), .alloc_fill_i('0),
      .rd_grant_i(rd_grant[c*SLOTS +: SLOTS]), .fill_data_i(fill_data[c*SLOTS*DATA_W +: SLOTS*DATA_W]), .dispatch_i(dispatched[c]),
      .busy_o(busy[c]), .ready_o(collected[c]), .rd_valid_o(rd_valid[c*SLOTS +: SLOTS]),
      .rd_bank_o(rd_bank[c*SLOTS*BANK_W +: SLOTS*BANK_W]), .rd_row_o(rd_row[c*SLOTS*ROW_W +: SLOTS*ROW_W]),
      .unread_o(unread[c*SLOTS +: SLOTS]), .src_o(reader_reg[c*SRC_W +: SRC_W]), .fill_valid_o(fill_valid[c*SLOTS +: SLOTS]),
      .warp_o(warp), .tag_o(tag), .port_o(ocu_port[c*PORT_W +: PORT_W]), .mask_o(mask), .dst_valid_o(dst_valid), .dst_o(dst),
      .data_o(data)
    );

    assign reader_warp[c*SLOTS*WARP_W +: SLOTS*WARP_W] = {SLOTS{warp}};
    assign ocu_meta[c*META_W +: META_W] = {warp, tag, mask, dst_valid, dst, info_q[c]};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        zero_q[c] <= '0;
        info_q[c] <= '0;
      end else if (alloc[c]) begin
        zero_q[c] <= lane_src_valid[from*SLOTS +: SLOTS] & ~lane_mapped[from*SLOTS +: SLOTS];
        info_q[c] <= lane_info[from*INFO_W +: INFO_W];
      end
    end
  end

  // ------------------------------------------------------------------------------------------------------- banks, execution

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
  logic [EXPORTS*META_W-1:0] ex_meta;
  // Verify-reads, per group: as slot 0 of collector COLLECTORS + g.
  logic [ISSUES-1:0]         ask, ask_grant, check;
  logic [ISSUES*PREG_W-1:0]  ask_reg, check_reg;

  for (genvar e = 0; e < EXPORTS; e++) begin : gen_writer
    assign wr_bank[e*BANK_W +: BANK_W] = bank_of(wr_reg[e*PREG_W +: PREG_W]);
    assign wr_row[e*ROW_W +: ROW_W]    = row_of(wr_reg[e*PREG_W +: PREG_W]);
    assign {ex_warp_o[e*WARP_W +: WARP_W], ex_tag_o[e*TAG_W +: TAG_W], ex_mask_o[e*LANES +: LANES], ex_dst_valid_o[e],
            ex_dst_o[e*REG_W +: REG_W], ex_info_o[e*INFO_W +: INFO_W]} = ex_meta[e*META_W +: META_W];
  end
  for (genvar g = 0; g < ISSUES; g++) begin : gen_verify
    localparam int unsigned ASKER = (COLLECTORS + g) * SLOTS;
    assign rd_valid[ASKER +: SLOTS]               = SLOTS'(ask[g]);
    assign rd_bank[ASKER*BANK_W +: SLOTS*BANK_W]  = (SLOTS*BANK_W)'(bank_of(ask_reg[g*PREG_W +: PREG_W]));
    assign rd_row[ASKER*ROW_W +: SLOTS*ROW_W]     = (SLOTS*ROW_W)'(row_of(ask_reg[g*PREG_W +: PREG_W]));
    assign ask_grant[g]                           = rd_grant[ASKER];
    assign fill_valid[READERS + g]                = check[g];
    assign fill_bank[(READERS + g)*BANK_W +: BANK_W] = bank_of(check_reg[g*PREG_W +: PREG_W]);
  end
  assign fill_bank[READERS*BANK_W-1:0] = rd_bank[READERS*BANK_W-1:0];

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

  rf_stage_exec #(.COLLECTORS(COLLECTORS), .SLOTS(SLOTS), .EXPORTS(EXPORTS), .META_W(META_W), .DATA_W(DATA_W)) u_exec (
    .clk_i(clk_i), .rst_ni(rst_ni), .collected_i(collected), .port_i(ocu_port), .meta_i(ocu_meta), .data_i(slot_data),
    .ex_ready_i(ex_ready_i), .dispatched_o(dispatched), .ex_valid_o(ex_valid_o), .ex_meta_o(ex_meta), .ex_data_o(ex_data_o)
  );

  // ---------------------------------------------------------------------------------------------------------------- results

  // Heads of the result queues.
  logic [EXPORTS-1:0]        head_valid, pop;
  logic [EXPORTS*2-1:0]      head_op;
  logic [EXPORTS*WARP_W-1:0] res_warp;
  logic [EXPORTS*REG_W-1:0]  res_dst;
  logic [EXPORTS*PREG_W-1:0] head_preg, head_cand;
  logic [EXPORTS*LANES-1:0]  head_mask;
  logic [EXPORTS*DATA_W-1:0] head_data;
  logic [EXPORTS*INFO_W-1:0] head_info;
  // Registers: who needs one, who gets it; references that begin and end.
  logic                               low;
  logic [15:0]                        random;
  logic [ISSUES-1:0]                  shared, fetched, given, results_dec;
  logic [ISSUES*VERIFIERS-1:0]        need, give;
  logic [ISSUES*VERIFIERS*PREG_W-1:0] cand;
  logic [ISSUES*PREG_W-1:0]           given_reg, results_dec_reg;
  logic [ISSUES*2-1:0]                results_inc;
  logic [ISSUES*2*PREG_W-1:0]         results_inc_reg;
  logic [1:0]                         back;
  logic [2*PREG_W-1:0]                back_reg;

  rf_wir_results #(.WARPS(WARPS), .REGS(REGS), .LANES(LANES), .EXPORTS(EXPORTS), .ISSUES(ISSUES), .BANKS(BANKS), .STAGES(DELAY - 2),
                   .WBDEPTH(WBDEPTH), .PREGS(PREGS), .INFOW(INFO_W), .VERIFIERS(VERIFIERS), .REUSE(REUSE), .VSB(VSB),
                   .VENTRIES(VENTRIES), .VCACHE(VCACHE), .CAPPED(CAPPED)) u_results (
    .clk_i(clk_i), .rst_ni(rst_ni), .res_valid_i(res_valid_i), .res_warp_i(res_warp_i), .res_dst_i(res_dst_i),
    .res_mask_i(res_mask_i), .res_data_i(res_data_i), .res_info_i(res_info_i), .pop_i(pop), .need_i(need), .cand_i(cand),
    .shared_i(shared), .fill_i(fetched), .fill_reg_i(check_reg), .fill_data_i(fill_data[FILLS*DATA_W-1:READERS*DATA_W]),
    .back_i(back), .back_reg_i(back_reg), .limit_i(limit_i), .random_i(random), .res_ready_o(res_ready_o), .low_o(low),
    .head_valid_o(head_valid), .head_op_o(head_op), .head_warp_o(res_warp), .head_dst_o(res_dst), .head_preg_o(head_preg),
    .head_cand_o(head_cand), .head_mask_o(head_mask), .head_data_o(head_data), .head_info_o(head_info), .give_o(give),
    .given_o(given), .given_reg_o(given_reg), .inc_o(results_inc), .inc_reg_o(results_inc_reg), .dec_o(results_dec),
    .dec_reg_o(results_dec_reg)
  );

  rf_wir_retire #(.WARPS(WARPS), .REGS(REGS), .LANES(LANES), .EXPORTS(EXPORTS), .ISSUES(ISSUES), .PREGS(PREGS), .INFOW(INFO_W),
                  .VERIFIERS(VERIFIERS), .REUSE(REUSE)) u_retire (
    .clk_i(clk_i), .rst_ni(rst_ni), .head_valid_i(head_valid), .head_op_i(head_op), .head_warp_i(res_warp), .head_dst_i(res_dst),
    .head_preg_i(head_preg), .head_cand_i(head_cand), .head_mask_i(head_mask), .head_data_i(head_data), .head_info_i(head_info),
    .hit_i(want_port), .walk_i(walk_valid), .rd_grant_i(ask_grant), .rdata_i(fill_data[FILLS*DATA_W-1:READERS*DATA_W]),
    .wr_grant_i(wr_grant), .give_i(give), .given_i(given), .given_reg_i(given_reg), .pop_o(pop), .hit_o(port), .walk_o(walk),
    .rd_valid_o(ask), .rd_reg_o(ask_reg), .check_o(check), .check_reg_o(check_reg), .fill_o(fetched), .wr_valid_o(wr_valid),
    .wr_reg_o(wr_reg), .wr_mask_o(wr_mask), .wr_data_o(wr_data), .need_o(need), .cand_o(cand), .done_o(done),
    .done_warp_o(done_warp), .done_dst_o(done_dst), .done_reg_o(done_reg), .done_info_o(done_info), .shared_o(shared)
  );

  // ------------------------------------------------------------------------------------------------------------------ reuse

  if (REUSE != 0) begin : gen_reuse
    localparam int unsigned REQUESTS = ISSUES * (SLOTS + 3);
    localparam int unsigned FREED_N = SLOTS + 1;

    logic [ISSUES*(BLOCK_W+1)-1:0]    tag_block;
    logic [ISSUES*5-1:0]              tag_barrier;
    logic                             sweep_valid, sweep_all, remove, remove_ready;
    logic [ENTRY_W-1:0]               sweep_index, remove_index;
    logic [BLOCK_W-1:0]               sweep_block;
    logic [ISSUES-1:0]                unused_held, filled, fill;
    logic [ISSUES*ENTRY_W-1:0]        index, fill_index;
    logic [ISSUES*FREED_N-1:0]        freed;
    logic [ISSUES*FREED_N*PREG_W-1:0] freed_reg;
    logic [REQUESTS-1:0]              inc, dec;
    logic [REQUESTS*PREG_W-1:0]       inc_reg, dec_reg;

    rf_lfsr #(.SEED(rf_wir_pkg::SEED)) u_lfsr (.clk_i(clk_i), .rst_ni(rst_ni), .step_i(1'b1), .value_o(random));

    rf_load_guard #(.WARPS(WARPS), .BLOCKS(BLOCKS), .ENTRIES(ENTRIES), .ISSUES(ISSUES)) u_guard (
      .clk_i(clk_i), .rst_ni(rst_ni), .block_i(block_i), .launch_i(launch_i), .start_i(start_i), .flush_i(flush_i), .bar_i(bar_i),
      .fence_i(fence_i), .st_valid_i(st_valid), .st_warp_i(rn_warp), .st_shared_i(st_shared), .q_warp_i(lane_warp),
      .q_space_i(lane_space), .sweep_ready_i(remove_ready), .allow_o(allow), .tag_block_o(tag_block), .tag_barrier_o(tag_barrier),
      .sweep_valid_o(sweep_valid), .sweep_index_o(sweep_index), .sweep_all_o(sweep_all), .sweep_block_o(sweep_block)
    );

    rf_reuse_buffer #(.ENTRIES(ENTRIES), .SLOTS(SLOTS), .PREGS(PREGS), .BLOCKS(BLOCKS), .ISSUES(ISSUES)) u_reuse (
      .clk_i(clk_i), .rst_ni(rst_ni), .lk_valid_i(lk_valid), .lk_opcode_i(lane_opcode), .lk_operand_i(lane_operand),
      .lk_block_i(tag_block), .lk_barrier_i(tag_barrier), .reserve_i(leads & {ISSUES{!low}}), .drop_i(leads & {ISSUES{low}}),
      .fill_i(fill), .fill_index_i(fill_index), .fill_reg_i(done_reg), .rm_i(remove), .rm_index_i(remove_index),
      .rm_all_i(!sweep_valid || sweep_all), .rm_block_i(sweep_block), .hit_o(hit), .wait_o(waits), .held_o(unused_held),
      .result_o(result), .index_o(index), .reserved_o(reserved), .filled_o(filled), .rm_ready_o(remove_ready), .freed_o(freed),
      .freed_reg_o(freed_reg)
    );
    assign remove       = sweep_valid || (low && (lk_valid & leaves) == '0);
    assign remove_index = sweep_valid ? sweep_index : ENTRY_W'(random & 16'(ENTRIES - 1));

    // Each group's references, in the order of the counts' ports.
    for (genvar g = 0; g < ISSUES; g++) begin : gen_group
      localparam int unsigned BASE = g * (SLOTS + 3);
      logic leader;
      assign lane_info[g*INFO_W +: INFO_W] = {index[g*ENTRY_W +: ENTRY_W], reserved[g], lane_old[g*(PREG_W+2) +: PREG_W + 2]};
      assign {fill_index[g*ENTRY_W +: ENTRY_W], leader} = done_info[g*INFO_W + PREG_W + 2 +: ENTRY_W + 1];
      assign fill[g] = done[g] && leader;
      assign inc[BASE +: SLOTS + 3] = {results_inc[g*2 +: 2], filled[g], lane_inc[g*SLOTS +: SLOTS]};
      assign dec[BASE +: SLOTS + 3] = {lane_dec[g], results_dec[g], freed[g*FREED_N +: FREED_N]};
      assign inc_reg[BASE*PREG_W +: (SLOTS + 3)*PREG_W] = {results_inc_reg[g*2*PREG_W +: 2*PREG_W], done_reg[g*PREG_W +: PREG_W],
                                                           lane_inc_reg[g*OPERAND_W +: OPERAND_W]};
      assign dec_reg[BASE*PREG_W +: (SLOTS + 3)*PREG_W] = {lane_dec_reg[g*PREG_W +: PREG_W], results_dec_reg[g*PREG_W +: PREG_W],
                                                           freed_reg[g*FREED_N*PREG_W +: FREED_N*PREG_W]};
    end

    rf_refcount #(.PREGS(PREGS), .INCS(REQUESTS), .DECS(REQUESTS), .FREES(2), .COUNTW(COUNTW)) u_count (
      .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .inc_reg_i(inc_reg), .dec_i(dec), .dec_reg_i(dec_reg), .free_o(back),
      .free_reg_o(back_reg)
    );
  end else begin : gen_plain
    logic unused_plain;
    assign unused_plain = ^{block_i, exit_i, start_i, flush_i, bar_i, fence_i, low, lk_valid, leads, leaves, st_valid, st_shared,
                            rn_warp, lane_opcode, lane_space, lane_old, lane_inc, lane_inc_reg, lane_dec, lane_dec_reg, done_reg,
                            done_info, results_inc, results_inc_reg, results_dec, results_dec_reg};
    assign {allow, hit, waits, result, reserved, lane_info, random, back, back_reg} = '0;
  end

endmodule

`default_nettype wire
