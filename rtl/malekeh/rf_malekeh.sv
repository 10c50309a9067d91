// SPDX-License-Identifier: Apache-2.0
// System: rf_banked with caching collector units in place of collectors [Malekeh Fig. 2a]. What is rf_banked's is as there.
//
// Collectors: rf_ccu; a source found in its cache table is not read from the banks. CACHE 0: collectors only.
// Issue:      a warp whose own CCU is busy is not ready. The chosen warps ask rf_ccu_allocator, which waits up to STHLD + 1
//             cycles before it replaces a CCU with near values; STHLD is fixed, or follows rf_sthld (ADAPT 1).
// Results:    each result that is written to its bank is shown to all CCUs in the same cycle, with its hint (port D).
// Launch:     a new warp in a slot empties the cache table of the CCU that the slot owns.
// BOW:        CCUs with the window of rf_ccu; ib_dst_near_i says of a head that it is a control instruction.
// Random:     one rf_lfsr steps in every cycle; its low bits go to all CCUs.
// Range:      ports and registers out of range (a size that is no power of two) are handled as the units say.
// Reset:      as the units say; the banks keep their contents.
`default_nettype none

module rf_malekeh #(
  /// Warps, 1 to 64, a multiple of ISSUES.
  parameter int unsigned WARPS = 32,
  /// Caching collector units, 1 to 16; COLLECTORS x SLOTS at most 64.
  parameter int unsigned COLLECTORS = 8,
  /// Register banks, 1 to 32.
  parameter int unsigned BANKS = 16,
  /// Registers of a warp, 1 to 256; WARPS x ceil(REGS / BANKS) at most 1024.
  parameter int unsigned REGS = 64,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Execution ports, each with a write-back queue, 1 to 8.
  parameter int unsigned EXPORTS = 4,
  /// Instructions issued in a cycle, 1 to 4.
  parameter int unsigned ISSUES = 2,
  /// Ports of a bank. 1: shared, 2: one read and one write port.
  parameter int unsigned PORTS = 1,
  /// Warp scheduler. 0: greedy then oldest, 1: loose round-robin, 2: two-level over fetch groups, 3: rf_ccu_scheduler.
  parameter int unsigned SCHED = 3,
  /// Warps of a fetch group of an issue group (SCHED 2), 1 to 64.
  parameter int unsigned FETCH = 8,
  /// Entries of a write-back queue, 1 to 16.
  parameter int unsigned WBDEPTH = 4,
  /// Entries of a CCU's cache table, 2 to 8, at least SLOTS.
  parameter int unsigned ENTRIES = 8,
  /// 0: CCUs are collectors only, 1: they cache.
  parameter int unsigned CACHE = 1,
  /// 0: STHLD is fixed, 1: it follows rf_sthld.
  parameter int unsigned ADAPT = 1,
  /// The allocator waits one cycle more (ADAPT 1: at first), 0 to 255.
  parameter int unsigned STHLD = 0,
  /// Cycles between steps of rf_sthld, 2 to 65535.
  parameter int unsigned INTERVAL = 10000,
  /// A large change of IPC, in 256ths of the interval before, 1 to 255.
  parameter int unsigned LARGE = 13,
  /// What clears the allocator's count of waiting. 0: any replacement, 1: that of a CCU with near values.
  parameter int unsigned CLEAR = 0,
  /// 0: hints say what CCUs keep, 1: the window of BOW does.
  parameter int unsigned BOW = 0,
  /// Of a CCU's sources 0: all ask at once, 1: one at a time.
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
  /// Per warp: the destination is read again within RTHLD; per warp and slot: the source is.
  input  logic [WARPS-1:0]                ib_dst_near_i,
  input  logic [WARPS*SLOTS-1:0]          ib_src_near_i,
  /// Per port: ex_dst_near_o of the instruction whose result it is.
  input  logic [EXPORTS-1:0]              res_near_i,
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
  /// Per port: the hint of the destination.
  output logic [EXPORTS-1:0]              ex_dst_near_o
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
  localparam int unsigned ENTRY_W = rf_pkg::index_bits(ENTRIES);
  localparam int unsigned CARRIED_W = `RF_BANKED_CARRIED_W;
  localparam int unsigned INST_W = `RF_BANKED_INST_W;
  localparam int unsigned META_W = CARRIED_W + 1; // and the hint of the destination

  if (WARPS < 1 || WARPS > 64 || WARPS % ISSUES != 0) begin : gen_warps_range
    $error("rf_malekeh: WARPS must be 1 to 64, a multiple of ISSUES");
  end
  if (REGS < 1 || REGS > 256 || ROWS > 1024) begin : gen_regs_range
    $error("rf_malekeh: REGS must be 1 to 256, and WARPS x ceil(REGS / BANKS) at most 1024");
  end
  if (SCHED > rf_malekeh_pkg::SCHED_CCU || CACHE > 1 || ADAPT > 1 || STHLD > 255) begin : gen_switch_range
    $error("rf_malekeh: SCHED must be 0 to 3, CACHE and ADAPT 0 or 1, STHLD 0 to 255");
  end

  `RF_BANKED_RECORDS

  // ------------------------------------------------------------------------------------------------------------------ issue

  logic [WARPS-1:0]              chk_dst_valid, hazard, own_busy, held, ready;
  logic [WARPS*SLOTS-1:0]        chk_src_valid;
  logic [ISSUES-1:0]             chosen, granted, unused_wait;
  logic [COLLECTORS-1:0]         unused_replace;
  logic [ISSUES*COLLECTOR_W-1:0] unused_sel;
  // Head instruction of each group's chosen warp: an inst_t; its warp, destination and hints; the places of its sources.
  logic [ISSUES*INST_W-1:0]       head;
  logic [ISSUES*WARP_W-1:0]       head_warp;
  logic [ISSUES-1:0]              head_dst_valid, head_dst_near;
  logic [ISSUES*REG_W-1:0]        head_dst;
  logic [ISSUES*SLOTS-1:0]        head_src_near;
  logic [ISSUES*SLOTS*BANK_W-1:0] head_bank;
  logic [ISSUES*SLOTS*ROW_W-1:0]  head_row;
  // CCUs.
  logic [COLLECTORS-1:0]         busy, owned, full, near, collected, alloc, dispatched, d_valid;
  logic [COLLECTORS*WARP_W-1:0]  ccu_warp;
  logic [COLLECTORS*PORT_W-1:0]  d_sel;
  logic [COLLECTORS*DATA_W-1:0]  d_data;
  logic [COLLECTORS*ISSUE_W-1:0] which;
  logic [COLLECTORS*PORT_W-1:0]  ccu_port;
  logic [COLLECTORS*META_W-1:0]  ccu_meta;
  logic [READERS-1:0]            rd_valid, rd_grant, unread, fill_valid;
  logic [READERS*BANK_W-1:0]     rd_bank;
  logic [READERS*ROW_W-1:0]      rd_row;
  logic [READERS*WARP_W-1:0]     reader_warp;
  logic [READERS*REG_W-1:0]      reader_reg;
  logic [READERS*DATA_W-1:0]     fill_data, slot_data; // the latter by slot, for the crossbars to the execution ports
  logic [ENTRY_W-1:0]            random;
  logic [15-ENTRY_W:0]           unused_random;
  logic [7:0]                    sthld;
  // Write-back queues.
  logic [EXPORTS-1:0]        wr_valid, wr_grant, wr_near;
  logic [EXPORTS*WARP_W-1:0] wr_warp;
  logic [EXPORTS*REG_W-1:0]  wr_reg;
  logic [EXPORTS*BANK_W-1:0] wr_bank;
  logic [EXPORTS*ROW_W-1:0]  wr_row;
  logic [EXPORTS*LANES-1:0]  wr_mask;
  logic [EXPORTS*DATA_W-1:0] wr_data;
  // Banks.
  logic [BANKS-1:0]        bank_re, bank_we;
  logic [BANKS*ROW_W-1:0]  bank_raddr, bank_waddr;
  logic [BANKS*PORT_W-1:0] bank_wsel;
  logic [BANKS*DATA_W-1:0] unused_rdata;

  for (genvar w = 0; w < WARPS; w++) begin : gen_head
    logic                  active;
    logic [COLLECTORS-1:0] own;
    for (genvar c = 0; c < COLLECTORS; c++) begin : gen_own
      assign own[c] = owned[c] && 32'(ccu_warp[c*WARP_W +: WARP_W]) == w;
    end
    assign active = ib_mask_i[w*LANES +: LANES] != '0;
    assign chk_dst_valid[w] = ib_dst_valid_i[w] && active;
    assign chk_src_valid[w*SLOTS +: SLOTS] = ib_src_valid_i[w*SLOTS +: SLOTS] & {SLOTS{active}};
    assign own_busy[w] = (own & busy) != '0;
    assign held[w]     = (own & full) != '0;
  end

  rf_scoreboard #(.WARPS(WARPS), .REGS(REGS), .SLOTS(SLOTS), .READERS(READERS), .ISSUES(ISSUES), .WRITERS(EXPORTS)) u_scoreboard (
    .clk_i(clk_i), .rst_ni(rst_ni), .chk_dst_valid_i(chk_dst_valid), .chk_dst_i(ib_dst_i), .chk_src_valid_i(chk_src_valid),
    .chk_src_i(ib_src_i), .set_i(granted & head_dst_valid), .set_warp_i(head_warp), .set_reg_i(head_dst), .clr_i(wr_grant),
    .clr_warp_i(wr_warp), .clr_reg_i(wr_reg), .rdp_i(unread), .rdp_warp_i(reader_warp), .rdp_reg_i(reader_reg),
    .hazard_o(hazard)
  );

  assign ready = ib_valid_i & ~(hazard | own_busy);

  for (genvar g = 0; g < ISSUES; g++) begin : gen_issue
    logic [GROUP-1:0]   group_ready, group_held, group_launch, unused_onehot, unused_other;
    logic [LOCAL_W-1:0] chosen_local;
    logic [WARP_W-1:0]  warp;

    for (genvar i = 0; i < GROUP; i++) begin : gen_warp
      assign group_ready[i]  = ready[g + i*ISSUES];
      assign group_held[i]   = held[g + i*ISSUES];
      assign group_launch[i] = launch_i[g + i*ISSUES];
    end

    if (SCHED == rf_banked_pkg::SCHED_GTO) begin : gen_gto
      rf_sched_gto #(.WARPS(GROUP)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .launch_i(group_launch), .take_i(granted[g]),
        .valid_o(chosen[g]), .warp_o(chosen_local), .onehot_o(unused_onehot), .other_o(unused_other)
      );
    end else if (SCHED == rf_banked_pkg::SCHED_LRR) begin : gen_lrr
      rf_sched_lrr #(.WARPS(GROUP)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .launch_i(group_launch), .take_i(granted[g]),
        .valid_o(chosen[g]), .warp_o(chosen_local), .onehot_o(unused_onehot), .other_o(unused_other)
      );
    end else if (SCHED == rf_banked_pkg::SCHED_GROUPS) begin : gen_groups
      rf_sched_groups #(.WARPS(GROUP), .FETCH(FETCH)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .launch_i(group_launch), .take_i(granted[g]),
        .valid_o(chosen[g]), .warp_o(chosen_local), .onehot_o(unused_onehot), .other_o(unused_other)
      );
    end else begin : gen_ccu
      assign unused_other = '0;
      rf_ccu_scheduler #(.WARPS(GROUP)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .held_i(group_held), .launch_i(group_launch),
        .valid_o(chosen[g]), .warp_o(chosen_local), .onehot_o(unused_onehot)
      );
    end

    assign warp = WARP_W'(chosen_local) * WARP_W'(ISSUES) + WARP_W'(g);

    rf_stage_head #(.WARPS(WARPS), .BANKS(BANKS), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS)) u_head (
      .warp_i(warp), .ib_tag_i(ib_tag_i), .ib_port_i(ib_port_i), .ib_mask_i(ib_mask_i), .ib_dst_valid_i(chk_dst_valid),
      .ib_dst_i(ib_dst_i), .ib_src_valid_i(chk_src_valid), .ib_src_i(ib_src_i), .inst_o(head[g*INST_W +: INST_W]),
      .bank_o(head_bank[g*SLOTS*BANK_W +: SLOTS*BANK_W]),
      .row_o(head_row[g*SLOTS*ROW_W +: SLOTS*ROW_W])
    );

    assign head_warp[g*WARP_W +: WARP_W]    = warp;
    assign issue_valid_o[g]                 = granted[g];
    assign issue_warp_o[g*WARP_W +: WARP_W] = granted[g] ? warp : '0;
    assign head_dst_near[g]                 = ib_dst_near_i[warp];
    assign head_src_near[g*SLOTS +: SLOTS]  = ib_src_near_i[warp*SLOTS +: SLOTS];
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

  rf_ccu_allocator #(.COLLECTORS(COLLECTORS), .ISSUES(ISSUES), .WARPS(WARPS), .CLEAR(CLEAR)) u_alloc (
    .clk_i(clk_i), .rst_ni(rst_ni), .busy_i(busy), .owned_i(owned), .near_i(near), .warp_i(ccu_warp),
    .req_i(chosen), .req_warp_i(head_warp), .sthld_i(sthld),
    .grant_o(granted), .sel_o(unused_sel), .alloc_o(alloc), .which_o(which), .wait_o(unused_wait), .replace_o(unused_replace)
  );

  if (ADAPT != 0) begin : gen_adapt
    localparam int unsigned ISSUED_W = $clog2(ISSUES + 1);
    logic [ISSUED_W-1:0] issued;
    assign issued = ISSUED_W'($countones(granted));
    rf_sthld #(.ISSUES(ISSUES), .INTERVAL(INTERVAL), .LARGE(LARGE), .FIRST(STHLD), .CLIMB(rf_malekeh_pkg::CLIMB),
               .SPECULATE(rf_malekeh_pkg::SPECULATE), .BACK(rf_malekeh_pkg::BACK), .PROBE(rf_malekeh_pkg::PROBE),
               .UNDO(rf_malekeh_pkg::UNDO)) u_sthld (
      .clk_i(clk_i), .rst_ni(rst_ni), .issued_i(issued), .sthld_o(sthld)
    );
  end else begin : gen_fixed
    assign sthld = 8'(STHLD);
  end

  rf_lfsr #(.SEED(rf_malekeh_pkg::SEED)) u_lfsr (.clk_i(clk_i), .rst_ni(rst_ni), .step_i(1'b1), .value_o({unused_random, random}));

  // ------------------------------------------------------------------------------------------------------------- collectors

  for (genvar c = 0; c < COLLECTORS; c++) begin : gen_ccu
    logic [ISSUE_W-1:0]      from;
    logic [INST_W-1:0]       taken;
    logic [WARP_W-1:0]       warp;
    logic [CARRIED_W-1:0]    carried;
    logic                    dst_near;
    logic [SLOTS-1:0]        unused_hit;
    logic [SLOTS*DATA_W-1:0] data;

    assign from = which[c*ISSUE_W +: ISSUE_W];
    always_comb begin
      taken = head[INST_W-1:0];
      for (int g = 1; g < ISSUES; g++) if (from == ISSUE_W'(g)) taken = head[g*INST_W +: INST_W];
    end

    rf_ccu #(.ENTRIES(ENTRIES), .SLOTS(SLOTS), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .BANKS(BANKS), .ROWS(ROWS),
             .EXPORTS(EXPORTS), .CACHE(CACHE), .BOW(BOW), .SERIAL(SERIAL)) u_ccu (
      .clk_i(clk_i), .rst_ni(rst_ni), .fill_data_i(fill_data[c*SLOTS*DATA_W +: SLOTS*DATA_W]),
      .d_data_i(d_data[c*DATA_W +: DATA_W]), .alloc_i(alloc[c]), .alloc_inst_i(taken),
      .alloc_dst_near_i(head_dst_near[from]), .alloc_src_near_i(head_src_near[from*SLOTS +: SLOTS]), .alloc_bank_i(head_bank[from*SLOTS*BANK_W +: SLOTS*BANK_W]),
      .alloc_row_i(head_row[from*SLOTS*ROW_W +: SLOTS*ROW_W]), .rd_grant_i(rd_grant[c*SLOTS +: SLOTS]),
      .dispatch_i(dispatched[c]), .flush_i(launch_i[warp]), .rand_i(random), .wr_valid_i(wr_grant),
      .wr_warp_i(wr_warp), .wr_reg_i(wr_reg), .wr_near_i(wr_near), .wr_mask_i(wr_mask), .data_o(data), .busy_o(busy[c]),
      .ready_o(collected[c]), .rd_valid_o(rd_valid[c*SLOTS +: SLOTS]), .rd_bank_o(rd_bank[c*SLOTS*BANK_W +: SLOTS*BANK_W]),
      .rd_row_o(rd_row[c*SLOTS*ROW_W +: SLOTS*ROW_W]), .unread_o(unread[c*SLOTS +: SLOTS]),
      .src_o(reader_reg[c*SLOTS*REG_W +: SLOTS*REG_W]), .fill_valid_o(fill_valid[c*SLOTS +: SLOTS]), .warp_o(warp),
      .port_o(ccu_port[c*PORT_W +: PORT_W]), .carried_o(carried), .dst_near_o(dst_near),
      .owned_o(owned[c]), .held_o(full[c]), .near_o(near[c]), .hit_o(unused_hit), .d_valid_o(d_valid[c]),
      .d_sel_o(d_sel[c*PORT_W +: PORT_W])
    );

    assign ccu_warp[c*WARP_W +: WARP_W] = warp;
    assign reader_warp[c*SLOTS*WARP_W +: SLOTS*WARP_W] = {SLOTS{warp}};
    assign ccu_meta[c*META_W +: META_W] = {carried, dst_near};
    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      assign slot_data[(s*COLLECTORS + c)*DATA_W +: DATA_W] = data[s*DATA_W +: DATA_W];
    end
  end

  rf_crossbar #(.SRC(EXPORTS), .DST(COLLECTORS), .WIDTH(DATA_W)) u_d_xbar (
    .valid_i(d_valid), .sel_i(d_sel), .data_i(wr_data), .data_o(d_data)
  );

  // ------------------------------------------------------------------------------------------------------------------ banks

  rf_arbiter #(.BANKS(BANKS), .COLLECTORS(COLLECTORS), .SLOTS(SLOTS), .WRITERS(EXPORTS), .ROWS(ROWS), .PORTS(PORTS)) u_arbiter (
    .clk_i(clk_i), .rst_ni(rst_ni), .rd_valid_i(rd_valid), .rd_bank_i(rd_bank), .rd_row_i(rd_row), .wr_valid_i(wr_valid),
    .wr_bank_i(wr_bank), .wr_row_i(wr_row), .rd_grant_o(rd_grant), .wr_grant_o(wr_grant), .bank_re_o(bank_re),
    .bank_raddr_o(bank_raddr), .bank_we_o(bank_we), .bank_waddr_o(bank_waddr), .bank_wsel_o(bank_wsel)
  );

  rf_stage_banks #(.BANKS(BANKS), .ROWS(ROWS), .LANES(LANES), .PORTS(PORTS), .BUSES(EXPORTS), .READERS(READERS)) u_banks (
    .clk_i(clk_i), .rst_ni(rst_ni), .re_i(bank_re), .raddr_i(bank_raddr), .we_i(bank_we), .waddr_i(bank_waddr),
    .wsel_i(bank_wsel), .mask_i(wr_mask), .data_i(wr_data), .fill_valid_i(fill_valid), .fill_bank_i(rd_bank),
    .fill_data_o(fill_data), .rdata_o(unused_rdata)
  );

  // -------------------------------------------------------------------------------------------------------------- execution

  logic [EXPORTS*META_W-1:0] ex_meta;

  rf_stage_exec #(.COLLECTORS(COLLECTORS), .SLOTS(SLOTS), .EXPORTS(EXPORTS), .META_W(META_W), .DATA_W(DATA_W)) u_exec (
    .clk_i(clk_i), .rst_ni(rst_ni), .collected_i(collected), .port_i(ccu_port), .meta_i(ccu_meta), .data_i(slot_data),
    .ex_ready_i(ex_ready_i), .dispatched_o(dispatched), .ex_valid_o(ex_valid_o), .ex_meta_o(ex_meta), .ex_data_o(ex_data_o)
  );

  carried_t offer;
  always_comb begin
    for (int e = 0; e < EXPORTS; e++) begin
      {offer, ex_dst_near_o[e]} = ex_meta[e*META_W +: META_W];
      ex_warp_o[e*WARP_W +: WARP_W] = offer.warp;
      ex_tag_o[e*TAG_W +: TAG_W]    = offer.tag;
      ex_mask_o[e*LANES +: LANES]   = offer.mask;
      ex_dst_valid_o[e]             = offer.dst_valid;
      ex_dst_o[e*REG_W +: REG_W]    = offer.dst;
    end
  end

  rf_stage_results #(.WARPS(WARPS), .BANKS(BANKS), .REGS(REGS), .LANES(LANES), .EXPORTS(EXPORTS), .WBDEPTH(WBDEPTH)) u_results (
    .clk_i(clk_i), .rst_ni(rst_ni), .res_valid_i(res_valid_i), .res_warp_i(res_warp_i), .res_dst_i(res_dst_i),
    .res_note_i(res_near_i), .res_mask_i(res_mask_i), .res_data_i(res_data_i), .wr_grant_i(wr_grant), .res_ready_o(res_ready_o),
    .wr_valid_o(wr_valid), .wr_warp_o(wr_warp), .wr_reg_o(wr_reg), .wr_note_o(wr_near), .wr_bank_o(wr_bank), .wr_row_o(wr_row),
    .wr_mask_o(wr_mask), .wr_data_o(wr_data)
  );

endmodule

`default_nettype wire
