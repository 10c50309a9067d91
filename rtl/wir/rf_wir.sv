// SPDX-License-Identifier: Apache-2.0
// System: rf_banked with warp instruction reuse (004): instructions whose result an earlier one has left take that one's register.
//
//   issue -> rename -> reuse -> operand collectors -> arbiter -> banks -> crossbar -> collectors -> dispatch -> execution ports
//   results -> hash pipes -> allocation -> result queues -> (verify-read) -> arbiter -> banks -> retire
//
// Issue:      as in rf_banked, into the rename register of the group (rf_wir_front). A warp waits too while an instruction of its
//             in rename, reuse or pending queue has yet to read what the head writes, or loads and the head stores, and from
//             `exit` or `launch` on until its old mappings are released.
// Reuse:      a group's lane looks the reuse buffer up; a hit retires, a wait goes to the pending queue, all else to a collector.
// Allocation: a group takes one result at the end of a hash pipe a cycle, in turn, and decides: SHARE a register that holds the
//             value, VERIFY one that may, MERGE with the old one, or WRITE.
// Verify:     one head of a result queue a group and cycle reads, as collector COLLECTORS + g, and moves to the lowest idle
//             rf_verify.
// Retire:     a group's rename port serves a reuse hit, a step of a release, or a result, in turn; results: verifiers first. A
//             write needs its bank, as writer g.
// Registers:  rf_refcount counts who names a register; one that nobody names goes back to rf_free_list. Few free ones, or `limit`
//             in use (CAPPED): low mode, in which entries of the buffers are given up.
// REUSE 0:    register r of warp w is the one that D-map's bank and row are; each result queue writes on its own.
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

  // REUSE 0: the physical register that D-map's bank and row of a logical one are.
  function automatic logic [PREG_W-1:0] map_preg(input logic [WARP_W-1:0] warp, input logic [REG_W-1:0] register);
    map_preg = PREG_W'(32'(rf_banked_pkg::map_row(6'(warp), 8'(register), 6'(BANKS), 9'(ROWS_PER_WARP))) * BANKS +
                       32'(rf_banked_pkg::map_bank(6'(warp), 8'(register), 6'(BANKS))));
  endfunction

  // ------------------------------------------------------------------------------------------------------------------ issue

  logic [WARPS-1:0]         active, chk_dst_valid, hazard, overtaken, releasing, ready;
  logic [WARPS*SLOTS-1:0]   chk_src_valid;
  logic [ISSUES-1:0]        chosen, head_dst_valid;
  logic [ISSUES*WARP_W-1:0] head_warp;
  logic [ISSUES*REG_W-1:0]  head_dst;
  // Clear ports of the scoreboard: retiring results (REUSE 0: writing queues), then reuse hits.
  logic [EXPORTS-1:0]        clr_valid;
  logic [EXPORTS*WARP_W-1:0] clr_warp;
  logic [EXPORTS*REG_W-1:0]  clr_reg;
  // Instructions between issue and collectors, element group * PLACES + place.
  logic [ISSUES*PLACES-1:0]        at_valid, at_load;
  logic [ISSUES*PLACES*WARP_W-1:0] at_warp;
  logic [ISSUES*PLACES*SLOTS-1:0]  at_src_valid;
  logic [ISSUES*PLACES*SRC_W-1:0]  at_src;
  // Rename registers, and what is in the lanes.
  logic [ISSUES-1:0]           front_ready, unused_moves, st_valid, st_shared, rn_valid;
  logic [ISSUES*WARP_W-1:0]    rn_warp, lane_warp;
  logic [ISSUES-1:0]           unused_lane_valid, lane_retry, lane_dst_valid, lane_old_valid, lane_old_pin;
  logic [ISSUES*TAG_W-1:0]     lane_tag;
  logic [ISSUES*PORT_W-1:0]    lane_port;
  logic [ISSUES*LANES-1:0]     lane_mask;
  logic [ISSUES*REG_W-1:0]     lane_dst;
  logic [ISSUES*SLOTS-1:0]     lane_src_valid, lane_mapped;
  logic [ISSUES*SRC_W-1:0]     lane_src;
  logic [ISSUES*8-1:0]         lane_opcode;
  logic [ISSUES*OPERAND_W-1:0] lane_operand;
  logic [ISSUES*2-1:0]         lane_space;
  logic [ISSUES*PREG_W-1:0]    lane_old_preg;
  logic [ISSUES*INFO_W-1:0]    lane_info;
  logic [ISSUES-1:0]           allow, hit, waits, port, collector, lk_valid, want_port, want_collector, leads, leaves;
  // A group's rename table: writes and releases.
  logic [ISSUES-1:0]         map_wr_valid, map_wr_pin, walk, walk_valid;
  logic [ISSUES*LOCAL_W-1:0] map_wr_warp;
  logic [ISSUES*REG_W-1:0]   map_wr_reg;
  logic [ISSUES*PREG_W-1:0]  map_wr_preg, walk_preg;
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
  // Registers that results in VERIFY may still need.
  logic [COUNT_W-1:0] promised_q, promised_d;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) promised_q <= '0;
    else promised_q <= promised_d;
  end

  for (genvar w = 0; w < WARPS; w++) begin : gen_head
    assign active[w] = ib_mask_i[w*LANES +: LANES] != '0;
    assign chk_dst_valid[w] = ib_dst_valid_i[w] && active[w];
    assign chk_src_valid[w*SLOTS +: SLOTS] = ib_src_valid_i[w*SLOTS +: SLOTS] & {SLOTS{active[w]}};
  end

  rf_scoreboard #(.WARPS(WARPS), .REGS(REGS), .SLOTS(SLOTS), .READERS(READERS), .ISSUES(ISSUES), .WRITERS(EXPORTS + ISSUES))
  u_scoreboard (
    .clk_i(clk_i), .rst_ni(rst_ni), .chk_dst_valid_i(chk_dst_valid), .chk_dst_i(ib_dst_i), .chk_src_valid_i(chk_src_valid),
    .chk_src_i(ib_src_i), .set_i(issue_valid_o & head_dst_valid), .set_warp_i(head_warp), .set_reg_i(head_dst),
    .clr_i({reused_o, clr_valid}), .clr_warp_i({lane_warp, clr_warp}), .clr_reg_i({lane_dst, clr_reg}), .rdp_i(unread),
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
    logic [GROUP-1:0]         group_ready, group_launch, unused_onehot, unused_other;
    logic [LOCAL_W-1:0]       chosen_local;
    logic [WARP_W-1:0]        warp, ru_warp;
    logic [TAG_W-1:0]         tag;
    logic [PORT_W-1:0]        ex_port;
    logic [LANES-1:0]         mask;
    logic [SLOTS-1:0]         src_valid, rn_src_valid, ru_src_valid, map_src_valid, map_src_pin;
    logic [SRC_W-1:0]         src, rn_src, ru_src;
    logic [SLOTS*5-1:0]       unused_bank;
    logic                     rn_load, ru_valid, ru_load, map_dst_valid, map_dst_pin;
    logic [REG_W-1:0]         rn_dst;
    logic [OPERAND_W-1:0]     map_src_preg;
    logic [PREG_W-1:0]        map_dst_preg;
    // The pending queue's head.
    logic                     q_ready, q_valid, q_old_valid, q_old_pin;
    logic [WARP_W-1:0]        q_warp;
    logic [TAG_W-1:0]         q_tag;
    logic [PORT_W-1:0]        q_port;
    logic [REG_W-1:0]         q_dst;
    logic [SLOTS-1:0]         q_src_valid;
    logic [SRC_W-1:0]         q_src;
    logic [7:0]               q_opcode;
    logic [OPERAND_W-1:0]     q_operand;
    logic [1:0]               q_space;
    logic [PREG_W-1:0]        q_old_preg;
    logic [2:0]               act;

    for (genvar i = 0; i < GROUP; i++) begin : gen_warp
      assign group_ready[i]  = ready[g + i*ISSUES];
      assign group_launch[i] = launch_i[g + i*ISSUES];
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
    assign issue_valid_o[g]                 = chosen[g] && front_ready[g];
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

    rf_wir_front #(.WARPS(WARPS), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS), .PREGS(PREGS), .LOADS(LOADS),
                   .RETRY(RETRY)) u_front (
      .clk_i(clk_i), .rst_ni(rst_ni), .issue_valid_i(issue_valid_o[g]), .issue_warp_i(warp), .issue_tag_i(tag),
      .issue_port_i(ex_port), .issue_mask_i(mask), .issue_dst_valid_i(head_dst_valid[g]), .issue_dst_i(head_dst[g*REG_W +: REG_W]),
      .issue_src_valid_i(src_valid), .issue_src_i(src), .issue_reuse_i(REUSE != 0 && ib_reuse_i[warp]),
      .issue_op_i(ib_op_i[warp*OP_W +: OP_W]), .issue_imm_i(ib_imm_i[warp*OPERAND_W +: OPERAND_W]),
      .issue_space_i(ib_space_i[warp*2 +: 2]), .issue_store_i(ib_store_i[warp] && mask != '0),
      .issue_store_shared_i(ib_store_shared_i[warp]), .map_src_valid_i(map_src_valid), .map_src_preg_i(map_src_preg),
      .map_src_pin_i(map_src_pin), .map_dst_valid_i(map_dst_valid), .map_dst_preg_i(map_dst_preg), .map_dst_pin_i(map_dst_pin),
      .q_ready_i(q_ready), .q_valid_i(q_valid), .q_warp_i(q_warp), .q_tag_i(q_tag), .q_port_i(q_port), .q_dst_i(q_dst),
      .q_src_valid_i(q_src_valid), .q_src_i(q_src), .q_opcode_i(q_opcode), .q_operand_i(q_operand), .q_space_i(q_space),
      .q_old_valid_i(q_old_valid), .q_old_preg_i(q_old_preg), .q_old_pin_i(q_old_pin), .allow_i(allow[g]), .hit_i(hit[g]),
      .wait_i(waits[g]), .port_i(port[g]), .collector_i(collector[g]), .ready_o(front_ready[g]), .moves_o(unused_moves[g]),
      .rn_valid_o(rn_valid[g]), .rn_warp_o(rn_warp[g*WARP_W +: WARP_W]), .rn_dst_o(rn_dst), .rn_src_valid_o(rn_src_valid),
      .rn_src_o(rn_src), .rn_load_o(rn_load), .st_valid_o(st_valid[g]), .st_shared_o(st_shared[g]), .ru_valid_o(ru_valid),
      .ru_warp_o(ru_warp), .ru_src_valid_o(ru_src_valid), .ru_src_o(ru_src), .ru_load_o(ru_load),
      .lane_valid_o(unused_lane_valid[g]), .lane_retry_o(lane_retry[g]), .lane_warp_o(lane_warp[g*WARP_W +: WARP_W]),
      .lane_tag_o(lane_tag[g*TAG_W +: TAG_W]), .lane_port_o(lane_port[g*PORT_W +: PORT_W]),
      .lane_mask_o(lane_mask[g*LANES +: LANES]), .lane_dst_valid_o(lane_dst_valid[g]),
      .lane_dst_o(lane_dst[g*REG_W +: REG_W]), .lane_src_valid_o(lane_src_valid[g*SLOTS +: SLOTS]),
      .lane_mapped_o(lane_mapped[g*SLOTS +: SLOTS]), .lane_src_o(lane_src[g*SRC_W +: SRC_W]), .lane_opcode_o(lane_opcode[g*8 +: 8]),
      .lane_operand_o(lane_operand[g*OPERAND_W +: OPERAND_W]), .lane_space_o(lane_space[g*2 +: 2]),
      .lane_old_valid_o(lane_old_valid[g]), .lane_old_preg_o(lane_old_preg[g*PREG_W +: PREG_W]), .lane_old_pin_o(lane_old_pin[g]),
      .lk_valid_o(lk_valid[g]), .want_port_o(want_port[g]), .want_collector_o(want_collector[g]), .act_o(act), .leads_o(leads[g]),
      .leaves_o(leaves[g])
    );

    assign reused_o[g] = act == rf_wir_pkg::ACT_REUSE;
    assign reused_warp_o[g*WARP_W +: WARP_W] = lane_warp[g*WARP_W +: WARP_W] & {WARP_W{reused_o[g]}};
    assign reused_tag_o[g*TAG_W +: TAG_W]    = lane_tag[g*TAG_W +: TAG_W] & {TAG_W{reused_o[g]}};

    if (REUSE != 0) begin : gen_reuse
      logic [GROUP-1:0] clear, walking;
      for (genvar i = 0; i < GROUP; i++) begin : gen_warp
        assign clear[i] = launch_i[g + i*ISSUES] || exit_i[g + i*ISSUES];
        assign releasing[g + i*ISSUES] = clear[i] || walking[i];
      end

      rf_rename #(.WARPS(GROUP), .REGS(REGS), .SLOTS(SLOTS), .PREGS(PREGS)) u_rename (
        .clk_i(clk_i), .rst_ni(rst_ni), .rd_warp_i(LOCAL_W'(32'(rn_warp[g*WARP_W +: WARP_W]) / ISSUES)), .rd_src_i(rn_src),
        .rd_dst_i(rn_dst), .wr_valid_i(map_wr_valid[g]), .wr_warp_i(map_wr_warp[g*LOCAL_W +: LOCAL_W]),
        .wr_reg_i(map_wr_reg[g*REG_W +: REG_W]), .wr_preg_i(map_wr_preg[g*PREG_W +: PREG_W]), .wr_pin_i(map_wr_pin[g]),
        .clear_i(clear), .walk_i(walk[g]), .src_valid_o(map_src_valid), .src_preg_o(map_src_preg), .src_pin_o(map_src_pin),
        .dst_valid_o(map_dst_valid), .dst_preg_o(map_dst_preg), .dst_pin_o(map_dst_pin), .walking_o(walking),
        .walk_valid_o(walk_valid[g]), .walk_preg_o(walk_preg[g*PREG_W +: PREG_W])
      );
    end else begin : gen_plain
      logic unused_dst;
      assign unused_dst = ^rn_dst;
      for (genvar i = 0; i < GROUP; i++) begin : gen_warp
        assign releasing[g + i*ISSUES] = 1'b0;
      end
      for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
        assign map_src_preg[s*PREG_W +: PREG_W] = map_preg(rn_warp[g*WARP_W +: WARP_W], rn_src[s*REG_W +: REG_W]);
      end
      assign {map_src_valid, map_src_pin}               = {{SLOTS{1'b1}}, {SLOTS{1'b0}}};
      assign {map_dst_valid, map_dst_preg, map_dst_pin} = '0;
      assign walk_valid[g] = 1'b0;
      assign walk_preg[g*PREG_W +: PREG_W] = '0;
    end

    assign at_valid[g*PLACES +: 2]             = {ru_valid, rn_valid[g]};
    assign at_warp[g*PLACES*WARP_W +: 2*WARP_W] = {ru_warp, rn_warp[g*WARP_W +: WARP_W]};
    assign at_src_valid[g*PLACES*SLOTS +: 2*SLOTS] = {ru_src_valid, rn_src_valid};
    assign at_src[g*PLACES*SRC_W +: 2*SRC_W]   = {ru_src, rn_src};
    assign at_load[g*PLACES +: 2]              = {ru_load, rn_load};

    if (REUSE != 0 && RETRY != 0) begin : gen_retry
      rf_pending_queue #(.DEPTH(QUEUE), .WARPS(WARPS), .REGS(REGS), .SLOTS(SLOTS), .PREGS(PREGS), .EXPORTS(EXPORTS)) u_queue (
        .clk_i(clk_i), .rst_ni(rst_ni), .push_i(act == rf_wir_pkg::ACT_QUEUE), .push_warp_i(lane_warp[g*WARP_W +: WARP_W]),
        .push_tag_i(lane_tag[g*TAG_W +: TAG_W]), .push_port_i(lane_port[g*PORT_W +: PORT_W]),
        .push_dst_i(lane_dst[g*REG_W +: REG_W]), .push_src_valid_i(lane_src_valid[g*SLOTS +: SLOTS]),
        .push_src_i(lane_src[g*SRC_W +: SRC_W]), .push_opcode_i(lane_opcode[g*8 +: 8]),
        .push_operand_i(lane_operand[g*OPERAND_W +: OPERAND_W]), .push_space_i(lane_space[g*2 +: 2]),
        .push_old_valid_i(lane_old_valid[g]), .push_old_preg_i(lane_old_preg[g*PREG_W +: PREG_W]),
        .push_old_pin_i(lane_old_pin[g]), .pop_i(leaves[g] && lane_retry[g]), .rotate_i(act == rf_wir_pkg::ACT_ROTATE),
        .ready_o(q_ready), .valid_o(q_valid), .warp_o(q_warp), .tag_o(q_tag), .port_o(q_port), .dst_o(q_dst),
        .src_valid_o(q_src_valid), .src_o(q_src), .opcode_o(q_opcode), .operand_o(q_operand), .space_o(q_space),
        .old_valid_o(q_old_valid), .old_preg_o(q_old_preg), .old_pin_o(q_old_pin),
        .at_valid_o(at_valid[g*PLACES + 2 +: QUEUE]), .at_warp_o(at_warp[(g*PLACES + 2)*WARP_W +: QUEUE*WARP_W]),
        .at_src_valid_o(at_src_valid[(g*PLACES + 2)*SLOTS +: QUEUE*SLOTS]),
        .at_src_o(at_src[(g*PLACES + 2)*SRC_W +: QUEUE*SRC_W]), .at_load_o(at_load[g*PLACES + 2 +: QUEUE])
      );
    end else begin : gen_no_retry
      logic unused_retry;
      assign unused_retry = lane_retry[g];
      assign {q_ready, q_valid, q_old_valid, q_old_pin, q_warp, q_tag, q_port, q_dst, q_src_valid, q_src, q_opcode, q_operand,
              q_space, q_old_preg} = '0;
    end
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
  logic [EXPORTS*PREG_W-1:0] wr_preg;
  logic [EXPORTS*BANK_W-1:0] wr_bank;
  logic [EXPORTS*ROW_W-1:0]  wr_row;
  logic [EXPORTS*LANES-1:0]  wr_mask;
  logic [EXPORTS*DATA_W-1:0] wr_data;
  logic [BANKS-1:0]          bank_re, bank_we;
  logic [BANKS*ROW_W-1:0]    bank_raddr, bank_waddr;
  logic [BANKS*PORT_W-1:0]   bank_wsel;
  logic [BANKS*DATA_W-1:0]   unused_rdata;
  logic [EXPORTS*META_W-1:0] ex_meta;

  for (genvar e = 0; e < EXPORTS; e++) begin : gen_writer
    assign wr_bank[e*BANK_W +: BANK_W] = bank_of(wr_preg[e*PREG_W +: PREG_W]);
    assign wr_row[e*ROW_W +: ROW_W]    = row_of(wr_preg[e*PREG_W +: PREG_W]);
    assign {ex_warp_o[e*WARP_W +: WARP_W], ex_tag_o[e*TAG_W +: TAG_W], ex_mask_o[e*LANES +: LANES], ex_dst_valid_o[e],
            ex_dst_o[e*REG_W +: REG_W], ex_info_o[e*INFO_W +: INFO_W]} = ex_meta[e*META_W +: META_W];
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

  // Ends of the hash pipes.
  logic [EXPORTS-1:0]        end_valid, take;
  logic [EXPORTS*WARP_W-1:0] end_warp;
  logic [EXPORTS*REG_W-1:0]  end_dst;
  logic [EXPORTS*LANES-1:0]  end_mask;
  logic [EXPORTS*INFO_W-1:0] end_info;
  logic [EXPORTS*32-1:0]     end_hash;
  logic [EXPORTS*DATA_W-1:0] end_data;
  // Into the result queues, as a pipe's is taken; their heads.
  logic [EXPORTS*2-1:0]      push_op, head_op;
  logic [EXPORTS*PREG_W-1:0] push_preg, push_cand, head_preg, head_cand;
  logic [EXPORTS*LANES-1:0]  push_mask, head_mask;
  logic [EXPORTS*DATA_W-1:0] push_data, head_data;
  logic [EXPORTS*INFO_W-1:0] push_info, head_info;
  logic [EXPORTS-1:0]        queue_ready, head_valid, pop;
  logic [EXPORTS*WARP_W-1:0] res_warp;
  logic [EXPORTS*REG_W-1:0]  res_dst;

  for (genvar e = 0; e < EXPORTS; e++) begin : gen_result
    rf_hash_pipe #(.STAGES(DELAY - 2), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .INFOW(INFO_W)) u_pipe (
      .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(res_valid_i[e]), .warp_i(res_warp_i[e*WARP_W +: WARP_W]),
      .dst_i(res_dst_i[e*REG_W +: REG_W]), .mask_i(res_mask_i[e*LANES +: LANES]), .data_i(res_data_i[e*DATA_W +: DATA_W]),
      .info_i((REUSE != 0) ? res_info_i[e*INFO_W +: INFO_W] : '0), .take_i(take[e]), .out_data_o(end_data[e*DATA_W +: DATA_W]),
      .ready_o(res_ready_o[e]), .out_valid_o(end_valid[e]), .out_warp_o(end_warp[e*WARP_W +: WARP_W]),
      .out_dst_o(end_dst[e*REG_W +: REG_W]), .out_mask_o(end_mask[e*LANES +: LANES]), .out_info_o(end_info[e*INFO_W +: INFO_W]),
      .out_hash_o(end_hash[e*32 +: 32])
    );

    rf_result_queue #(.DEPTH(WBDEPTH), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .PREGS(PREGS), .INFOW(INFO_W)) u_queue (
      .clk_i(clk_i), .rst_ni(rst_ni), .push_i(take[e]), .push_op_i(push_op[e*2 +: 2]), .push_warp_i(end_warp[e*WARP_W +: WARP_W]),
      .push_dst_i(end_dst[e*REG_W +: REG_W]), .push_preg_i(push_preg[e*PREG_W +: PREG_W]),
      .push_cand_i(push_cand[e*PREG_W +: PREG_W]), .push_mask_i(push_mask[e*LANES +: LANES]),
      .push_data_i(push_data[e*DATA_W +: DATA_W]), .push_info_i(push_info[e*INFO_W +: INFO_W]), .pop_i(pop[e]),
      .data_o(head_data[e*DATA_W +: DATA_W]), .ready_o(queue_ready[e]), .valid_o(head_valid[e]), .op_o(head_op[e*2 +: 2]),
      .warp_o(res_warp[e*WARP_W +: WARP_W]), .dst_o(res_dst[e*REG_W +: REG_W]), .preg_o(head_preg[e*PREG_W +: PREG_W]),
      .cand_o(head_cand[e*PREG_W +: PREG_W]), .mask_o(head_mask[e*LANES +: LANES]), .info_o(head_info[e*INFO_W +: INFO_W])
    );
  end

  if (REUSE != 0) begin : gen_reuse
    localparam int unsigned REQUESTS = ISSUES * (SLOTS + 3);
    localparam int unsigned FREES = 2;
    localparam int unsigned FREED_N = SLOTS + 1;
    localparam int unsigned VENTRY_W = (VENTRIES > 1) ? $clog2(VENTRIES) : 1;
    localparam int unsigned CHECK_W = REG_W + WARP_W + INFO_W; // what a verifier carries: {dst, warp, info}
    localparam int unsigned SOURCES = EXPORTS + VERIFIERS;     // of what retires: queues, then the group's verifiers
    localparam int unsigned SOURCE_W = $clog2(SOURCES);

    // Number of the one bit that is set.
    function automatic logic [PORT_W-1:0] port_of(input logic [EXPORTS-1:0] onehot);
      port_of = '0;
      for (int e = 0; e < EXPORTS; e++) if (onehot[e]) port_of |= PORT_W'(e);
    endfunction
    function automatic logic [SOURCE_W-1:0] verifier_of(input logic [VERIFIERS-1:0] onehot);
      verifier_of = '0;
      for (int v = 0; v < VERIFIERS; v++) if (onehot[v]) verifier_of |= SOURCE_W'(v);
    endfunction
    function automatic logic [ISSUE_W-1:0] group_of(input logic [WARP_W-1:0] warp);
      group_of = ISSUE_W'(32'(warp) % ISSUES);
    endfunction

    logic [15:0]               random;
    logic                      low;
    // Lanes.
    logic [ISSUES*(BLOCK_W+1)-1:0]    tag_block;
    logic [ISSUES*5-1:0]              tag_barrier;
    logic                             sweep_valid, sweep_all, remove, remove_ready;
    logic [ENTRY_W-1:0]               sweep_index, remove_index;
    logic [BLOCK_W-1:0]               sweep_block;
    logic [ISSUES-1:0]                unused_held, reserved, filled, fill;
    logic [ISSUES*PREG_W-1:0]         result;
    logic [ISSUES*ENTRY_W-1:0]        index, fill_index;
    logic [ISSUES*FREED_N-1:0]        freed;
    logic [ISSUES*FREED_N*PREG_W-1:0] freed_reg;
    // Free registers.
    logic [COUNT_W-1:0]        count;
    logic [ISSUES-1:0]         unused_ok, free_pop;
    logic [ISSUES*PREG_W-1:0]  free_reg;
    logic [FREES-1:0]          back;
    logic [FREES*PREG_W-1:0]   back_reg;
    logic [REQUESTS-1:0]       inc, dec;
    logic [REQUESTS*PREG_W-1:0] inc_reg, dec_reg;
    // Allocation, per group.
    logic [ISSUES-1:0]         took, looks, vsb_hit, vsb_write, vsb_drop, vsb_freed, cached, cached_equal, gave, clears, narrow;
    logic [ISSUES-1:0]         in_place;
    logic [ISSUES*EXPORTS-1:0] taken;     // one hot
    logic [ISSUES*PORT_W-1:0]  taken_port;
    logic [ISSUES*2-1:0]       op;
    logic [ISSUES*PREG_W-1:0]  vsb_reg, vsb_freed_reg, to_preg, to_cand, needy_cand;
    logic [ISSUES*32-1:0]      hash;
    logic                      rnd_freed;
    logic [PREG_W-1:0]         rnd_freed_reg;
    // Verifiers, element group * VERIFIERS + number; the head that is read for one, per group.
    localparam int unsigned CHECKERS = ISSUES * VERIFIERS;
    logic [CHECKERS-1:0]         v_load, v_give, v_end, v_busy, v_check, v_merge, v_share, v_need, v_write, unused_equal;
    logic [CHECKERS*DATA_W-1:0]  v_data;
    logic [CHECKERS*PREG_W-1:0]  v_cand, v_reg;
    logic [CHECKERS*CHECK_W-1:0] v_info;
    logic [ISSUES*PORT_W-1:0]    read_from;
    logic [ISSUES-1:0]           read;
    logic [ISSUES*DATA_W-1:0]    read_data;
    // Verify and retire, per group.
    logic [ISSUES*EXPORTS-1:0] popped;
    logic [ISSUES-1:0]         check_fill, retired, wrote, shared_read; // the last: a verifier shares
    logic [ISSUES*PREG_W-1:0]  check_cand, retire_preg;
    logic [ISSUES*DATA_W-1:0]  check_data;
    logic [ISSUES*INFO_W-1:0]  retire_info;
    // Whose the results are; which heads' registers are not written yet.
    logic [EXPORTS*ISSUE_W-1:0] end_group, head_group;
    logic [EXPORTS-1:0]         unwritten;
    logic [7-EXPORTS:0]         unused_unwritten;

    rf_lfsr #(.SEED(rf_wir_pkg::SEED)) u_lfsr (.clk_i(clk_i), .rst_ni(rst_ni), .step_i(1'b1), .value_o(random));

    // ------------------------------------------------------------------------------------------------------------ the lanes

    rf_load_guard #(.WARPS(WARPS), .BLOCKS(BLOCKS), .ENTRIES(ENTRIES), .ISSUES(ISSUES)) u_guard (
      .clk_i(clk_i), .rst_ni(rst_ni), .block_i(block_i), .launch_i(launch_i), .start_i(start_i), .flush_i(flush_i), .bar_i(bar_i),
      .fence_i(fence_i), .st_valid_i(st_valid), .st_warp_i(rn_warp), .st_shared_i(st_shared), .q_warp_i(lane_warp),
      .q_space_i(lane_space), .sweep_ready_i(remove_ready), .allow_o(allow), .tag_block_o(tag_block), .tag_barrier_o(tag_barrier),
      .sweep_valid_o(sweep_valid), .sweep_index_o(sweep_index), .sweep_all_o(sweep_all), .sweep_block_o(sweep_block)
    );

    rf_reuse_buffer #(.ENTRIES(ENTRIES), .SLOTS(SLOTS), .PREGS(PREGS), .BLOCKS(BLOCKS), .ISSUES(ISSUES)) u_reuse (
      .clk_i(clk_i), .rst_ni(rst_ni), .lk_valid_i(lk_valid), .lk_opcode_i(lane_opcode), .lk_operand_i(lane_operand),
      .lk_block_i(tag_block), .lk_barrier_i(tag_barrier), .reserve_i(leads & {ISSUES{!low}}), .drop_i(leads & {ISSUES{low}}),
      .fill_i(fill), .fill_index_i(fill_index), .fill_reg_i(retire_preg), .rm_i(remove), .rm_index_i(remove_index),
      .rm_all_i(!sweep_valid || sweep_all), .rm_block_i(sweep_block), .hit_o(hit), .wait_o(waits), .held_o(unused_held),
      .result_o(result), .index_o(index), .reserved_o(reserved), .filled_o(filled), .rm_ready_o(remove_ready), .freed_o(freed),
      .freed_reg_o(freed_reg)
    );

    assign low          = count < COUNT_W'(ISSUES) || (CAPPED != 0 && COUNT_W'(PREGS) - count >= limit_i);
    assign remove       = sweep_valid || (low && (lk_valid & leaves) == '0);
    assign remove_index = sweep_valid ? sweep_index : ENTRY_W'(random & 16'(ENTRIES - 1));

    for (genvar g = 0; g < ISSUES; g++) begin : gen_lane
      assign lane_info[g*INFO_W +: INFO_W] = {index[g*ENTRY_W +: ENTRY_W], reserved[g], lane_old_preg[g*PREG_W +: PREG_W],
                                              lane_old_valid[g], lane_old_pin[g]};
    end

    // ----------------------------------------------------------------------------------------------------------- allocation

    rf_free_list #(.PREGS(PREGS), .ISSUES(ISSUES), .PUSHES(FREES)) u_free (
      .clk_i(clk_i), .rst_ni(rst_ni), .pop_i(free_pop), .push_i(back), .push_reg_i(back_reg), .count_o(count), .ok_o(unused_ok),
      .reg_o(free_reg)
    );

    // Of the registers that are free and not promised to a result in VERIFY, groups take theirs in order.
    logic [COUNT_W-1:0] left;
    logic [ISSUES-1:0]  asks, spare;
    always_comb begin
      left = count - promised_q;
      for (int g = 0; g < ISSUES; g++) begin
        spare[g] = left != '0;
        if (asks[g] && left != '0) left = left - 1'b1;
      end
      promised_d = promised_q;
      for (int g = 0; g < ISSUES; g++) begin
        if (took[g] && op[g*2 +: 2] == rf_wir_pkg::RESULT_VERIFY) promised_d = promised_d + 1'b1;
        if (gave[g] || shared_read[g]) promised_d = promised_d - COUNT_W'(gave[g]) - COUNT_W'(shared_read[g]);
      end
    end
    if (VSB != 0) begin : gen_vsb
      logic rnd_drop;
      rf_vsb #(.ENTRIES(VENTRIES), .PREGS(PREGS), .ISSUES(ISSUES)) u_vsb (
        .clk_i(clk_i), .rst_ni(rst_ni), .lk_valid_i(looks), .lk_hash_i(hash), .write_i(vsb_write), .write_reg_i(free_reg),
        .drop_i(vsb_drop), .rnd_drop_i(rnd_drop), .rnd_index_i(VENTRY_W'(random & 16'(VENTRIES - 1))), .hit_o(vsb_hit),
        .hit_reg_o(vsb_reg), .freed_o(vsb_freed), .freed_reg_o(vsb_freed_reg), .rnd_freed_o(rnd_freed),
        .rnd_freed_reg_o(rnd_freed_reg)
      );
      assign rnd_drop = low && (took & looks) == '0 && !gave[0];
    end else begin : gen_no_vsb
      logic unused_vsb;
      assign unused_vsb = ^{hash, vsb_drop, random};
      assign {vsb_hit, vsb_reg, vsb_freed, vsb_freed_reg, rnd_freed, rnd_freed_reg} = '0;
    end

    if (VCACHE != 0) begin : gen_vcache
      logic [ISSUES*DATA_W-1:0] line, value;
      rf_verify_cache #(.ENTRIES(VCACHE), .PREGS(PREGS), .LANES(LANES), .ISSUES(ISSUES)) u_vcache (
        .clk_i(clk_i), .rst_ni(rst_ni), .lk_valid_i(vsb_hit), .lk_reg_i(vsb_reg), .fill_i(check_fill), .fill_reg_i(check_cand),
        .fill_data_i(check_data), .evict_i(free_pop), .evict_reg_i(free_reg), .hit_o(cached), .data_o(line)
      );
      rf_crossbar #(.SRC(EXPORTS), .DST(ISSUES), .WIDTH(DATA_W)) u_xbar (
        .valid_i(cached), .sel_i(taken_port), .data_i(end_data), .data_o(value)
      );
      for (genvar g = 0; g < ISSUES; g++) begin : gen_group
        assign cached_equal[g] = cached[g] && line[g*DATA_W +: DATA_W] == value[g*DATA_W +: DATA_W];
      end
    end else begin : gen_no_vcache
      logic unused_vcache;
      assign unused_vcache = ^{taken_port, check_fill, check_data};
      assign {cached, cached_equal} = '0;
    end

    rf_unwritten #(.PREGS(PREGS), .ISSUES(ISSUES)) u_unwritten (
      .clk_i(clk_i), .rst_ni(rst_ni), .set_i(free_pop), .set_reg_i(free_reg), .clr_i(wrote), .clr_reg_i(retire_preg),
      .lk_reg_i((8*PREG_W)'(head_cand)), .waits_o({unused_unwritten, unwritten})
    );

    for (genvar e = 0; e < EXPORTS; e++) begin : gen_port
      logic [ISSUE_W-1:0] from;
      logic               full;
      assign from = end_group[e*ISSUE_W +: ISSUE_W];
      assign full = &end_mask[e*LANES +: LANES];
      assign end_group[e*ISSUE_W +: ISSUE_W]  = group_of(end_warp[e*WARP_W +: WARP_W]);
      assign head_group[e*ISSUE_W +: ISSUE_W] = group_of(res_warp[e*WARP_W +: WARP_W]);
      assign push_op[e*2 +: 2]              = op[from*2 +: 2];
      assign push_preg[e*PREG_W +: PREG_W]  = to_preg[from*PREG_W +: PREG_W];
      assign push_cand[e*PREG_W +: PREG_W]  = to_cand[from*PREG_W +: PREG_W];
      assign push_mask[e*LANES +: LANES]    = narrow[from] ? end_mask[e*LANES +: LANES] : '1;
      // {index, leader, old register}, the old mapping's reference unless it is kept, and whether it will be pinned.
      assign push_info[e*INFO_W +: INFO_W]  = {end_info[e*INFO_W + 2 +: INFO_W - 2],
                                               end_info[e*INFO_W + 1] && !in_place[from], !full};
      for (genvar l = 0; l < LANES; l++) begin : gen_data
        assign push_data[e*DATA_W + l*32 +: 32] =
            end_data[e*DATA_W + l*32 +: 32] & {32{end_mask[e*LANES + l] || !clears[from]}};
      end
    end

    always_comb begin
      take = '0;
      pop  = '0;
      for (int g = 0; g < ISSUES; g++) begin
        take |= taken[g*EXPORTS +: EXPORTS] & {EXPORTS{took[g]}};
        pop  |= popped[g*EXPORTS +: EXPORTS];
      end
    end

    for (genvar g = 0; g < ISSUES; g++) begin : gen_group
      localparam int unsigned ASKER = (COLLECTORS + g) * SLOTS;
      localparam int unsigned BASE = g * (SLOTS + 3);
      // Results that the group may take, read for and retire, and which it does, one hot.
      logic [EXPORTS-1:0]           ends, readers, doers, reads, retires;
      logic                         there, reader, doer;
      // Allocation.
      logic [PORT_W-1:0]            from;
      logic                         full, merges, verifies, shares, wants, old_valid, old_pin;
      logic [PREG_W-1:0]            old_preg, new_preg, hit_reg;
      // Verifiers.
      localparam int unsigned V = g * VERIFIERS;
      logic [VERIFIERS-1:0]         idle, need, done;
      logic [PREG_W-1:0]            read_cand;
      // Rename port.
      logic                         v_any, turn, writes, unused_any, info_old, info_pin, info_leader;
      logic [PREG_W-1:0]            info_preg;
      logic [SOURCE_W-1:0]          retire_from;
      logic [WARP_W-1:0]            retire_warp, mapped_warp;
      logic [REG_W-1:0]             retire_dst;
      logic [SOURCES-1:0]           all_writes;
      logic [SOURCES*PREG_W-1:0]    all_preg;
      logic [SOURCES*LANES-1:0]     all_mask;
      logic [SOURCES*CHECK_W-1:0]   all_info;

      for (genvar e = 0; e < EXPORTS; e++) begin : gen_mine
        logic reads_first;
        assign reads_first = head_op[e*2 +: 2] == rf_wir_pkg::RESULT_VERIFY || head_op[e*2 +: 2] == rf_wir_pkg::RESULT_MERGE;
        assign ends[e]    = end_valid[e] && queue_ready[e] && end_group[e*ISSUE_W +: ISSUE_W] == ISSUE_W'(g);
        assign readers[e] = head_valid[e] && head_group[e*ISSUE_W +: ISSUE_W] == ISSUE_W'(g) && reads_first && !unwritten[e];
        assign doers[e]   = head_valid[e] && head_group[e*ISSUE_W +: ISSUE_W] == ISSUE_W'(g) && !reads_first;
      end

      // One result at the end of a pipe: what is to be done with it, and a register for it; a verifier that needs one comes first.
      rf_rr #(.N(EXPORTS)) u_take_rr (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(ends), .take_i(took[g]), .grant_o(taken[g*EXPORTS +: EXPORTS]), .valid_o(there)
      );

      assign from     = port_of(taken[g*EXPORTS +: EXPORTS]);
      assign full     = &end_mask[from*LANES +: LANES];
      assign {old_preg, old_valid, old_pin} = end_info[from*INFO_W +: PREG_W + 2];
      assign new_preg = free_reg[g*PREG_W +: PREG_W];
      assign hit_reg  = vsb_reg[g*PREG_W +: PREG_W];
      assign looks[g] = VSB != 0 && there && full;
      assign hash[g*32 +: 32]              = end_hash[from*32 +: 32];
      assign taken_port[g*PORT_W +: PORT_W] = from;

      assign shares      = cached_equal[g];
      assign verifies    = vsb_hit[g] && !cached[g];
      assign merges      = !full && old_valid && !old_pin;
      assign in_place[g] = !full && old_valid && old_pin;
      assign wants       = !in_place[g] && !shares && !verifies;
      assign need        = v_need[V +: VERIFIERS];
      assign gave[g]     = need != '0; // it was promised one
      assign v_give[V +: VERIFIERS] = need & (~need + 1'b1) & {VERIFIERS{gave[g]}};
      assign asks[g]     = there && (wants || verifies) && need == '0;
      assign took[g]     = there && (asks[g] ? spare[g] : !wants && !verifies);
      assign free_pop[g] = gave[g] || (took[g] && wants);
      assign vsb_write[g] = took[g] && looks[g] && !vsb_hit[g] && !low;
      assign vsb_drop[g]  = took[g] && looks[g] && !vsb_hit[g] && low;

      assign narrow[g]  = in_place[g] || merges;
      assign clears[g]  = !full && !narrow[g];
      assign op[g*2 +: 2] = shares ? rf_wir_pkg::RESULT_SHARE : verifies ? rf_wir_pkg::RESULT_VERIFY :
                            merges ? rf_wir_pkg::RESULT_MERGE : rf_wir_pkg::RESULT_WRITE;
      assign to_preg[g*PREG_W +: PREG_W] = wants ? new_preg : in_place[g] ? old_preg : shares ? hit_reg : '0;
      assign to_cand[g*PREG_W +: PREG_W] = verifies ? hit_reg : merges ? old_preg : '0;

      // A verify-read: the head moves to the lowest idle verifier.
      rf_rr #(.N(EXPORTS)) u_read_rr (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(readers), .take_i(read[g]), .grant_o(reads), .valid_o(reader)
      );

      assign idle      = ~v_busy[V +: VERIFIERS];
      assign read[g]   = rd_grant[ASKER];
      assign read_cand = head_cand[read_from[g*PORT_W +: PORT_W]*PREG_W +: PREG_W];
      assign read_from[g*PORT_W +: PORT_W] = port_of(reads);
      assign v_load[V +: VERIFIERS] = idle & (~idle + 1'b1) & {VERIFIERS{read[g]}};
      assign rd_valid[ASKER +: SLOTS]             = SLOTS'(reader && idle != '0);
      assign rd_bank[ASKER*BANK_W +: SLOTS*BANK_W] = (SLOTS*BANK_W)'(bank_of(read_cand));
      assign rd_row[ASKER*ROW_W +: SLOTS*ROW_W]   = (SLOTS*ROW_W)'(row_of(read_cand));

      // Of at most one verifier of the group data arrives; at most one is given a register.
      always_comb begin
        check_cand[g*PREG_W +: PREG_W] = '0;
        needy_cand[g*PREG_W +: PREG_W] = '0;
        for (int v = 0; v < VERIFIERS; v++) begin
          check_cand[g*PREG_W +: PREG_W] |= v_cand[(V + v)*PREG_W +: PREG_W] & {PREG_W{v_check[V + v]}};
          needy_cand[g*PREG_W +: PREG_W] |= v_cand[(V + v)*PREG_W +: PREG_W] & {PREG_W{v_give[V + v]}};
        end
      end
      assign check_fill[g] = (v_check[V +: VERIFIERS] & ~v_merge[V +: VERIFIERS]) != '0;
      assign check_data[g*DATA_W +: DATA_W]            = fill_data[(READERS + g)*DATA_W +: DATA_W];
      assign fill_valid[READERS + g]                   = v_check[V +: VERIFIERS] != '0;
      assign fill_bank[(READERS + g)*BANK_W +: BANK_W] = bank_of(check_cand[g*PREG_W +: PREG_W]);

      // What the rename port does.
      assign done  = v_share[V +: VERIFIERS] | v_write[V +: VERIFIERS];
      assign v_any = done != '0;
      for (genvar v = 0; v < VERIFIERS; v++) begin : gen_end
        assign v_end[V + v] = retired[g] && retire_from == SOURCE_W'(EXPORTS + v);
      end

      rf_rr #(.N(EXPORTS)) u_retire_rr (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(doers), .take_i(retired[g] && !v_any), .grant_o(retires), .valid_o(doer)
      );
      rf_rr #(.N(3)) u_port_rr (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i({v_any || doer, walk_valid[g], want_port[g]}), .take_i(1'b1),
        .grant_o({turn, walk[g], port[g]}), .valid_o(unused_any)
      );

      for (genvar s = 0; s < SOURCES; s++) begin : gen_source
        if (s < EXPORTS) begin : gen_queue
          assign all_writes[s] = head_op[s*2 +: 2] == rf_wir_pkg::RESULT_WRITE;
          assign all_preg[s*PREG_W +: PREG_W] = head_preg[s*PREG_W +: PREG_W];
          assign all_mask[s*LANES +: LANES]   = head_mask[s*LANES +: LANES];
          assign all_info[s*CHECK_W +: CHECK_W] = {res_dst[s*REG_W +: REG_W], res_warp[s*WARP_W +: WARP_W],
                                                   head_info[s*INFO_W +: INFO_W]};
        end else begin : gen_verifier
          assign all_writes[s] = v_write[V + s - EXPORTS];
          assign all_preg[s*PREG_W +: PREG_W]   = v_reg[(V + s - EXPORTS)*PREG_W +: PREG_W];
          assign all_mask[s*LANES +: LANES]     = '1;
          assign all_info[s*CHECK_W +: CHECK_W] = v_info[(V + s - EXPORTS)*CHECK_W +: CHECK_W];
        end
      end

      assign retire_from = v_any ? SOURCE_W'(EXPORTS) + verifier_of(done & (~done + 1'b1)) : SOURCE_W'(port_of(retires));
      assign writes      = turn && all_writes[retire_from];
      assign retired[g]  = turn && (!all_writes[retire_from] || wr_grant[g]);
      assign wrote[g]    = writes && wr_grant[g];
      assign shared_read[g] = retired[g] && v_any && !all_writes[retire_from];
      assign retire_preg[g*PREG_W +: PREG_W] = all_preg[retire_from*PREG_W +: PREG_W];
      assign {retire_dst, retire_warp, retire_info[g*INFO_W +: INFO_W]} = all_info[retire_from*CHECK_W +: CHECK_W];
      assign {fill_index[g*ENTRY_W +: ENTRY_W], info_leader, info_preg, info_old, info_pin} = retire_info[g*INFO_W +: INFO_W];
      assign fill[g]     = retired[g] && info_leader;
      assign popped[g*EXPORTS +: EXPORTS] = (reads & {EXPORTS{read[g]}}) | (retires & {EXPORTS{retired[g] && !v_any}});

      assign wr_valid[g] = writes;
      assign wr_preg[g*PREG_W +: PREG_W] = retire_preg[g*PREG_W +: PREG_W];
      assign wr_mask[g*LANES +: LANES]   = all_mask[retire_from*LANES +: LANES];
      rf_crossbar #(.SRC(SOURCES), .DST(1), .WIDTH(DATA_W)) u_write_xbar (
        .valid_i(wrote[g]), .sel_i(retire_from), .data_i({v_data[V*DATA_W +: VERIFIERS*DATA_W], head_data}),
        .data_o(wr_data[g*DATA_W +: DATA_W])
      );

      assign clr_valid[g] = retired[g];
      assign clr_warp[g*WARP_W +: WARP_W] = retire_warp;
      assign clr_reg[g*REG_W +: REG_W]    = retire_dst;

      assign mapped_warp     = reused_o[g] ? lane_warp[g*WARP_W +: WARP_W] : retire_warp;
      assign map_wr_valid[g] = (reused_o[g] || retired[g]) && {1'b0, mapped_warp} < (WARP_W + 1)'(WARPS);
      assign map_wr_pin[g]   = !reused_o[g] && info_pin;
      assign map_wr_warp[g*LOCAL_W +: LOCAL_W] = LOCAL_W'(32'(mapped_warp) / ISSUES);
      assign map_wr_reg[g*REG_W +: REG_W]      = reused_o[g] ? lane_dst[g*REG_W +: REG_W] : retire_dst;
      assign map_wr_preg[g*PREG_W +: PREG_W]   = reused_o[g] ? result[g*PREG_W +: PREG_W] : retire_preg[g*PREG_W +: PREG_W];

      // References: who names a register from the coming edge on, and who no longer does.
      for (genvar s = 0; s < SLOTS; s++) begin : gen_source_reference
        logic source, shared;
        assign source = reserved[g] && lane_opcode[g*8 + s];
        assign shared = s == 0 && reused_o[g];
        assign inc[BASE + s] = source || shared;
        assign inc_reg[(BASE + s)*PREG_W +: PREG_W] = shared ? result[g*PREG_W +: PREG_W] :
                                                               lane_operand[g*OPERAND_W + s*PREG_W +: PREG_W];
      end
      assign inc[BASE + SLOTS +: 3] = {vsb_write[g] || gave[g], took[g] && !in_place[g], filled[g]};
      assign inc_reg[(BASE + SLOTS)*PREG_W +: 3*PREG_W] = {new_preg, verifies ? hit_reg : to_preg[g*PREG_W +: PREG_W],
                                                           retire_preg[g*PREG_W +: PREG_W]};
      assign dec[BASE +: FREED_N] = freed[g*FREED_N +: FREED_N];
      assign dec_reg[BASE*PREG_W +: FREED_N*PREG_W] = freed_reg[g*FREED_N*PREG_W +: FREED_N*PREG_W];
      assign dec[BASE + FREED_N +: 2] = {(reused_o[g] && lane_old_valid[g]) || (retired[g] && info_old) || walk[g],
                                         vsb_freed[g] || (g == 0 && rnd_freed) || gave[g]};
      assign dec_reg[(BASE + FREED_N)*PREG_W +: 2*PREG_W] = {
          walk[g] ? walk_preg[g*PREG_W +: PREG_W] : reused_o[g] ? lane_old_preg[g*PREG_W +: PREG_W] : info_preg,
          gave[g] ? needy_cand[g*PREG_W +: PREG_W] : vsb_freed[g] ? vsb_freed_reg[g*PREG_W +: PREG_W] : rnd_freed_reg};
    end

    rf_crossbar #(.SRC(EXPORTS), .DST(ISSUES), .WIDTH(DATA_W)) u_read_xbar (
      .valid_i(read), .sel_i(read_from), .data_i(head_data), .data_o(read_data)
    );

    for (genvar n = 0; n < CHECKERS; n++) begin : gen_verify
      localparam int unsigned G = n / VERIFIERS;
      logic [PORT_W-1:0] from;
      assign from = read_from[G*PORT_W +: PORT_W];
      rf_verify #(.LANES(LANES), .PREGS(PREGS), .INFOW(CHECK_W)) u_verify (
        .clk_i(clk_i), .rst_ni(rst_ni), .load_i(v_load[n]), .load_merge_i(head_op[from*2 +: 2] == rf_wir_pkg::RESULT_MERGE),
        .load_cand_i(head_cand[from*PREG_W +: PREG_W]), .load_reg_i(head_preg[from*PREG_W +: PREG_W]),
        .load_mask_i(head_mask[from*LANES +: LANES]), .load_data_i(read_data[G*DATA_W +: DATA_W]),
        .load_info_i({res_dst[from*REG_W +: REG_W], res_warp[from*WARP_W +: WARP_W], head_info[from*INFO_W +: INFO_W]}),
        .rdata_i(fill_data[(READERS + G)*DATA_W +: DATA_W]), .give_i(v_give[n]), .give_reg_i(free_reg[G*PREG_W +: PREG_W]),
        .done_i(v_end[n]), .data_o(v_data[n*DATA_W +: DATA_W]), .busy_o(v_busy[n]), .check_o(v_check[n]), .merge_o(v_merge[n]),
        .equal_o(unused_equal[n]), .share_o(v_share[n]), .need_o(v_need[n]), .write_o(v_write[n]),
        .cand_o(v_cand[n*PREG_W +: PREG_W]), .reg_o(v_reg[n*PREG_W +: PREG_W]), .info_o(v_info[n*CHECK_W +: CHECK_W])
      );
    end

    rf_refcount #(.PREGS(PREGS), .INCS(REQUESTS), .DECS(REQUESTS), .FREES(FREES), .COUNTW(COUNTW)) u_count (
      .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .inc_reg_i(inc_reg), .dec_i(dec), .dec_reg_i(dec_reg), .free_o(back),
      .free_reg_o(back_reg)
    );

    // Writers without a group.
    if (EXPORTS > ISSUES) begin : gen_no_group
      logic [EXPORTS-1:ISSUES] unused_grant;
      assign unused_grant = wr_grant[EXPORTS-1:ISSUES];
      assign wr_valid[EXPORTS-1:ISSUES]  = '0;
      assign wr_preg[EXPORTS*PREG_W-1:ISSUES*PREG_W] = '0;
      assign wr_mask[EXPORTS*LANES-1:ISSUES*LANES]   = '0;
      assign wr_data[EXPORTS*DATA_W-1:ISSUES*DATA_W] = '0;
      assign clr_valid[EXPORTS-1:ISSUES] = '0;
      assign clr_warp[EXPORTS*WARP_W-1:ISSUES*WARP_W] = '0;
      assign clr_reg[EXPORTS*REG_W-1:ISSUES*REG_W]    = '0;
    end
  end else begin : gen_plain
    logic unused_plain;
    assign promised_d = '0;
    assign unused_plain = ^{promised_q, block_i, exit_i, start_i, flush_i, bar_i, fence_i, limit_i, res_info_i, end_hash, head_op, head_cand,
                            head_info, rd_grant, lk_valid, leads, leaves, want_port, st_valid, st_shared, lane_opcode, lane_space,
                            lane_old_valid, lane_old_preg, lane_old_pin, walk, walk_valid, walk_preg, map_wr_valid, map_wr_pin,
                            map_wr_warp, map_wr_reg, map_wr_preg, fill_data[FILLS*DATA_W-1:READERS*DATA_W]};
    // A pipe's result goes into its queue, each queue writes on its own.
    for (genvar e = 0; e < EXPORTS; e++) begin : gen_port
      assign push_preg[e*PREG_W +: PREG_W] = map_preg(end_warp[e*WARP_W +: WARP_W], end_dst[e*REG_W +: REG_W]);
    end
    assign take      = end_valid & queue_ready;
    assign push_op   = {EXPORTS{rf_wir_pkg::RESULT_WRITE}};
    assign push_cand = '0;
    assign push_mask = end_mask;
    assign push_data = end_data;
    assign push_info = end_info;
    assign pop       = wr_grant;
    assign {wr_valid, wr_preg, wr_mask, wr_data} = {head_valid, head_preg, head_mask, head_data};
    assign {clr_valid, clr_warp, clr_reg}        = {wr_grant, res_warp, res_dst};
    assign {allow, hit, waits, port, walk, map_wr_valid, map_wr_pin, map_wr_warp, map_wr_reg, map_wr_preg, lane_info} = '0;
    assign rd_valid[ASKERS-1:READERS]              = '0;
    assign rd_bank[ASKERS*BANK_W-1:READERS*BANK_W] = '0;
    assign rd_row[ASKERS*ROW_W-1:READERS*ROW_W]    = '0;
    assign fill_valid[FILLS-1:READERS]             = '0;
    assign fill_bank[FILLS*BANK_W-1:READERS*BANK_W] = '0;
  end

endmodule

`default_nettype wire
