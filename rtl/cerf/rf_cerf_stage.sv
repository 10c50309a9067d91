// SPDX-License-Identifier: Apache-2.0
// The operand stage in front of an integrated memory [CERF III-B]: issue, collectors whose operands may miss, dispatch, write-back
// queues. Its registers are elsewhere (rf_cerf_memory): it names them by number.
//
// Stage:  the ports of rf_banked, which mean the same.
// Reads:  rd_valid_o asks for register rd_number_o; rd_accept_i takes the request in the same cycle, rd_fill_i brings rd_data_i
//         cycles later. rd_dead_o: it is the register's last read, and no other collector has yet to read it.
// Writes: wr_valid_o asks with the head of a queue; wr_accept_i takes it in the same cycle and clears the scoreboard.
// Reset:  as the units say.
`default_nettype none

module rf_cerf_stage #(
  /// Warps, 1 to 64, a multiple of ISSUES.
  parameter int unsigned WARPS = 32,
  /// Operand collectors, 1 to 16; COLLECTORS x SLOTS at most 64.
  parameter int unsigned COLLECTORS = 8,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 32,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Execution ports, each with a write-back queue, 1 to 8.
  parameter int unsigned EXPORTS = 3,
  /// Instructions issued in a cycle, 1 to 4.
  parameter int unsigned ISSUES = 1,
  /// Warp scheduler. 0: greedy then oldest, 1: loose round-robin, 2: two-level round-robin over fetch groups.
  parameter int unsigned SCHED = 0,
  /// Warps of a fetch group of an issue group (SCHED 2), 1 to 64.
  parameter int unsigned FETCH = 8,
  /// Entries of a write-back queue, 1 to 16.
  parameter int unsigned WBDEPTH = 4,
  /// 1: rd_dead_o follows ib_last_i, 0: it is 0.
  parameter int unsigned LIVENESS = 1,
  localparam int unsigned TAG_W = rf_banked_pkg::TAG_W,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned DATA_W = LANES * 32,
  localparam int unsigned READERS = COLLECTORS * SLOTS,
  localparam int unsigned NUMBER_W = rf_pkg::index_bits(WARPS * REGS)
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
  /// Per warp and slot: no lane reads the source's value again.
  input  logic [WARPS*SLOTS-1:0]          ib_last_i,
  /// Per reader: its request is accepted.
  input  logic [READERS-1:0]              rd_accept_i,
  /// Per reader: its operand comes.
  input  logic [READERS-1:0]              rd_fill_i,
  input  logic [READERS*DATA_W-1:0]       rd_data_i,
  /// Per queue: its head is accepted.
  input  logic [EXPORTS-1:0]              wr_accept_i,
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
  /// Per reader: it asks for a register.
  output logic [READERS-1:0]              rd_valid_o,
  output logic [READERS*NUMBER_W-1:0]     rd_number_o,
  output logic [READERS-1:0]              rd_dead_o,
  /// Per queue: its head asks to be written; all below is 0 when not, but the number.
  output logic [EXPORTS-1:0]              wr_valid_o,
  output logic [EXPORTS*NUMBER_W-1:0]     wr_number_o,
  output logic [EXPORTS*LANES-1:0]        wr_mask_o,
  output logic [EXPORTS*DATA_W-1:0]       wr_data_o
);

  localparam int unsigned GROUP = WARPS / ISSUES;
  localparam int unsigned LOCAL_W = rf_pkg::index_bits(GROUP);
  localparam int unsigned COLLECTOR_W = rf_pkg::index_bits(COLLECTORS);
  localparam int unsigned ISSUE_W = rf_pkg::index_bits(ISSUES);
  localparam int unsigned CARRIED_W = `RF_BANKED_CARRIED_W;
  localparam int unsigned INST_W = `RF_BANKED_INST_W;

  `RF_BANKED_RECORDS

  // ------------------------------------------------------------------------------------------------------------------ issue

  logic [WARPS-1:0]              chk_dst_valid, hazard, ready;
  logic [WARPS*SLOTS-1:0]        chk_src_valid;
  logic [ISSUES-1:0]             chosen, granted;
  logic [ISSUES*COLLECTOR_W-1:0] unused_sel;
  // Head instruction of each group's chosen warp: an inst_t; its warp and destination; its sources' numbers; its last reads.
  logic [ISSUES*INST_W-1:0]         head;
  logic [ISSUES*WARP_W-1:0]         head_warp;
  logic [ISSUES-1:0]                head_dst_valid;
  logic [ISSUES*REG_W-1:0]          head_dst;
  logic [ISSUES*SLOTS*NUMBER_W-1:0] head_number;
  logic [ISSUES*SLOTS-1:0]          head_last;
  // Collectors.
  logic [COLLECTORS-1:0]           busy, collected, alloc, dispatched;
  logic [COLLECTORS*ISSUE_W-1:0]   which;
  logic [COLLECTORS*PORT_W-1:0]    ocu_port;
  logic [COLLECTORS*CARRIED_W-1:0] ocu_carried;
  logic [READERS-1:0]              unread, last;
  logic [READERS*WARP_W-1:0]       reader_warp;
  logic [READERS*REG_W-1:0]        reader_reg;
  // The operands by slot, for the crossbars to the execution ports.
  logic [READERS*DATA_W-1:0]       slot_data;
  // Write-back queues.
  logic [EXPORTS*WARP_W-1:0] wr_warp;
  logic [EXPORTS*REG_W-1:0]  wr_reg;

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
    .clr_i          (wr_valid_o & wr_accept_i),
    .clr_warp_i     (wr_warp),
    .clr_reg_i      (wr_reg),
    .rdp_i          (unread),
    .rdp_warp_i     (reader_warp),
    .rdp_reg_i      (reader_reg),
    .hazard_o       (hazard)
  );

  assign ready = ib_valid_i & ~hazard;

  for (genvar g = 0; g < ISSUES; g++) begin : gen_issue
    logic [GROUP-1:0]        group_ready, group_launch, unused_onehot, unused_other;
    logic [LOCAL_W-1:0]      chosen_local;
    logic [WARP_W-1:0]       warp;
    // A register has no place in a bank here; 16 banks are in the range of rf_stage_head whatever REGS is.
    logic [SLOTS*4-1:0]      unused_bank;
    logic [SLOTS*rf_pkg::index_bits(WARPS * ((REGS + 15) / 16))-1:0] unused_row;

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

    rf_stage_head #(.WARPS(WARPS), .BANKS(16), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS)) u_head (
      .warp_i        (warp),
      .ib_tag_i      (ib_tag_i),
      .ib_port_i     (ib_port_i),
      .ib_mask_i     (ib_mask_i),
      .ib_dst_valid_i(chk_dst_valid),
      .ib_dst_i      (ib_dst_i),
      .ib_src_valid_i(chk_src_valid),
      .ib_src_i      (ib_src_i),
      .inst_o        (head[g*INST_W +: INST_W]),
      .bank_o        (unused_bank),
      .row_o         (unused_row)
    );

    assign head_warp[g*WARP_W +: WARP_W]    = warp;
    assign issue_valid_o[g]                 = granted[g];
    assign issue_warp_o[g*WARP_W +: WARP_W] = granted[g] ? warp : '0;
  end

  inst_t                        one;
  logic                         unused_one;
  logic [ISSUES*SLOTS*REG_W-1:0] head_src;
  assign unused_one = ^one;
  always_comb begin
    for (int g = 0; g < ISSUES; g++) begin
      one = head[g*INST_W +: INST_W];
      head_dst_valid[g]                      = one.carried.dst_valid;
      head_dst[g*REG_W +: REG_W]             = one.carried.dst;
      head_src[g*SLOTS*REG_W +: SLOTS*REG_W] = one.src;
      head_last[g*SLOTS +: SLOTS]            = LIVENESS != 0 ? ib_last_i[head_warp[g*WARP_W +: WARP_W]*SLOTS +: SLOTS] : '0;
    end
  end

  // Numbers alone: where a register lies is the memory's.
  for (genvar i = 0; i < ISSUES * SLOTS; i++) begin : gen_source
    logic       unused_bank, unused_set, unused_mem_bank, unused_mem_set;
    logic [24:0] unused_line, unused_tag, unused_mem_tag;
    rf_reindex #(.WARPS(WARPS), .REGS(REGS), .BANKS(1), .SETS(1), .LINE_W(25), .PREFIX(0)) u_reindex (
      .warp_i(head_warp[i/SLOTS*WARP_W +: WARP_W]), .reg_i(head_src[i*REG_W +: REG_W]), .mem_line_i(25'd0),
      .number_o(head_number[i*NUMBER_W +: NUMBER_W]), .line_o(unused_line), .bank_o(unused_bank), .set_o(unused_set),
      .tag_o(unused_tag), .mem_bank_o(unused_mem_bank), .mem_set_o(unused_mem_set), .mem_tag_o(unused_mem_tag)
    );
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

    rf_miss_ocu #(.SLOTS(SLOTS), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .EXPORTS(EXPORTS)) u_ocu (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .alloc_i       (alloc[c]),
      .alloc_inst_i  (taken),
      .alloc_number_i(head_number[from*SLOTS*NUMBER_W +: SLOTS*NUMBER_W]),
      .alloc_last_i  (head_last[from*SLOTS +: SLOTS]),
      .rd_accept_i   (rd_accept_i[c*SLOTS +: SLOTS]),
      .fill_i        (rd_fill_i[c*SLOTS +: SLOTS]),
      .fill_data_i   (rd_data_i[c*SLOTS*DATA_W +: SLOTS*DATA_W]),
      .dispatch_i    (dispatched[c]),
      .busy_o        (busy[c]),
      .ready_o       (collected[c]),
      .rd_valid_o    (rd_valid_o[c*SLOTS +: SLOTS]),
      .rd_number_o   (rd_number_o[c*SLOTS*NUMBER_W +: SLOTS*NUMBER_W]),
      .rd_last_o     (last[c*SLOTS +: SLOTS]),
      .unread_o      (unread[c*SLOTS +: SLOTS]),
      .src_o         (reader_reg[c*SLOTS*REG_W +: SLOTS*REG_W]),
      .warp_o        (warp),
      .port_o        (ocu_port[c*PORT_W +: PORT_W]),
      .carried_o     (ocu_carried[c*CARRIED_W +: CARRIED_W]),
      .data_o        (data)
    );

    assign reader_warp[c*SLOTS*WARP_W +: SLOTS*WARP_W] = {SLOTS{warp}};
    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      assign slot_data[(s*COLLECTORS + c)*DATA_W +: DATA_W] = data[s*DATA_W +: DATA_W];
    end
  end

  // D-unread: a register that another collector has yet to read does not die.
  logic [READERS-1:0] shared;
  always_comb begin
    shared = '0;
    for (int r = 0; r < READERS; r++) begin
      for (int o = 0; o < READERS; o++) begin
        if (o / SLOTS != r / SLOTS && unread[o] &&
            rd_number_o[o*NUMBER_W +: NUMBER_W] == rd_number_o[r*NUMBER_W +: NUMBER_W]) begin
          shared[r] = 1'b1;
        end
      end
    end
  end
  assign rd_dead_o = last & ~shared;

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

  // ---------------------------------------------------------------------------------------------------------------- results

  for (genvar e = 0; e < EXPORTS; e++) begin : gen_wbq
    logic        unused_note, unused_wr_bank, unused_wr_row, unused_bank, unused_set, unused_mem_bank, unused_mem_set;
    logic [24:0] unused_line, unused_tag, unused_mem_tag;

    // One bank of one row: where a register lies is the memory's.
    rf_wbq #(.DEPTH(WBDEPTH), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .BANKS(1), .ROWS(1), .NOTE(1)) u_wbq (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .push_i     (res_valid_i[e]),
      .push_warp_i(res_warp_i[e*WARP_W +: WARP_W]),
      .push_reg_i (res_dst_i[e*REG_W +: REG_W]),
      .push_note_i(1'b0),
      .push_bank_i(1'b0),
      .push_row_i (1'b0),
      .push_mask_i(res_mask_i[e*LANES +: LANES]),
      .push_data_i(res_data_i[e*DATA_W +: DATA_W]),
      .grant_i    (wr_accept_i[e]),
      .ready_o    (res_ready_o[e]),
      .wr_valid_o (wr_valid_o[e]),
      .wr_warp_o  (wr_warp[e*WARP_W +: WARP_W]),
      .wr_reg_o   (wr_reg[e*REG_W +: REG_W]),
      .wr_note_o  (unused_note),
      .wr_bank_o  (unused_wr_bank),
      .wr_row_o   (unused_wr_row),
      .wr_mask_o  (wr_mask_o[e*LANES +: LANES]),
      .wr_data_o  (wr_data_o[e*DATA_W +: DATA_W])
    );

    rf_reindex #(.WARPS(WARPS), .REGS(REGS), .BANKS(1), .SETS(1), .LINE_W(25), .PREFIX(0)) u_reindex (
      .warp_i(wr_warp[e*WARP_W +: WARP_W]), .reg_i(wr_reg[e*REG_W +: REG_W]), .mem_line_i(25'd0),
      .number_o(wr_number_o[e*NUMBER_W +: NUMBER_W]), .line_o(unused_line), .bank_o(unused_bank), .set_o(unused_set),
      .tag_o(unused_tag), .mem_bank_o(unused_mem_bank), .mem_set_o(unused_mem_set), .mem_tag_o(unused_mem_tag)
    );
  end

endmodule

`default_nettype wire
