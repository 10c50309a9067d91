// SPDX-License-Identifier: Apache-2.0
// System: rf_banked's operand stage with one read and one write port a bank, a two-level warp scheduler and, above the banks, a
// register file of each active warp [hierarchy 3, 4]: a cache that hardware manages, or an operand register file that software
// manages.
//
//   issue -> upper levels  -------------------------------> collectors -> dispatch -> execution ports
//        \-> collectors -> arbiter -> banks -> crossbar -^          \-> upper levels (kept operands)
//   results -> write-back queues -> upper levels -> arbiter -> banks
//
// Issue:     SCHED 0, 1: of all warps, greedy then oldest or round-robin; 2, 3: the same over the slots of rf_sched_two_level. An
//            instruction with ib_leave_i deschedules its warp. With LEVELS 2 and 3 rf_levels is read in the cycle of the issue, and
//            fills the collector in the next one; what it has not is read from the banks.
// Dispatch:  an instruction that keeps an operand (software) writes it to its name then; one of them a cycle, round-robin.
// Results:   through rf_levels to the banks.
// All else:  as rf_banked; with LEVELS 1 and SCHED 0 or 1 it is rf_banked with PORTS 2, cycle for cycle.
`default_nettype none

module rf_hierarchy #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// Operand collectors, 1 to 16; COLLECTORS x SLOTS at most 64.
  parameter int unsigned COLLECTORS = 8,
  /// Register banks, 1 to 32.
  parameter int unsigned BANKS = 16,
  /// Registers of a warp, 1 to 256; WARPS x ceil(REGS / BANKS) at most 1024.
  parameter int unsigned REGS = 64,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Execution ports, each with a write-back queue, 1 to 7.
  parameter int unsigned EXPORTS = 3,
  /// Instructions issued in a cycle: 1, an SM with more schedulers has sub-cores.
  parameter int unsigned ISSUES = 1,
  /// Entries of a write-back queue, 1 to 16.
  parameter int unsigned WBDEPTH = 4,
  /// Warp scheduler. 0: greedy then oldest, 1: loose round-robin, 2, 3: two levels, the inner one the same.
  parameter int unsigned SCHED = 2,
  /// Warps that are active at most (SCHED 2, 3), 1 to 32, at most WARPS.
  parameter int unsigned ACTIVE = 4,
  /// Levels of the register file, 1 to 3; more than 1 with SCHED 2 or 3.
  parameter int unsigned LEVELS = 2,
  /// Upper levels. 0: by hardware, 1: by software.
  parameter int unsigned MANAGED = 0,
  /// Entries of the L1, a warp, 1 to 8.
  parameter int unsigned ENTRIES = 3,
  /// L0 by software. 0: one bank, 1: one for each operand slot.
  parameter int unsigned SPLIT = 0,
  /// By hardware. 0: FIFO, 1: LRU.
  parameter int unsigned POLICY = 0,
  /// By hardware. 1: what is read for the last time is not written back.
  parameter int unsigned LIVENESS = 1,
  localparam int unsigned TAG_W = rf_banked_pkg::TAG_W,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned DATA_W = LANES * 32,
  localparam int unsigned PLACE_W = rf_hierarchy_pkg::PLACE_W,
  localparam int unsigned NOTE_W = rf_hierarchy_pkg::NOTE_W
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
  /// Per warp: the head deschedules it, ends its strand, is a shared unit's.
  input  logic [WARPS-1:0]                ib_leave_i,
  input  logic [WARPS-1:0]                ib_ends_i,
  input  logic [WARPS-1:0]                ib_shared_i,
  /// Per warp and slot: the source is read for the last time; where it is (bit 5 keep, bit 4 upper, name).
  input  logic [WARPS*SLOTS-1:0]          ib_last_i,
  input  logic [WARPS*SLOTS*PLACE_W-1:0]  ib_from_i,
  /// Per warp: where the result goes (bit 5 MRF, bit 4 upper, name).
  input  logic [WARPS*PLACE_W-1:0]        ib_to_i,
  /// Per port: ex_to_o of the instruction whose result it is.
  input  logic [EXPORTS*NOTE_W-1:0]       res_to_i,
  /// This warp issues.
  output logic                            issue_valid_o,
  output logic [WARP_W-1:0]               issue_warp_o,
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
  /// Per port: note for the result (bit 6 shared unit's, and ib_to_i).
  output logic [EXPORTS*NOTE_W-1:0]       ex_to_o
);

  localparam int unsigned ROWS_PER_WARP = rf_banked_pkg::rows_per_warp(REGS, BANKS);
  localparam int unsigned ROWS = WARPS * ROWS_PER_WARP;
  localparam int unsigned READERS = COLLECTORS * SLOTS;
  localparam int unsigned READER_W = rf_pkg::index_bits(READERS);
  localparam int unsigned WRITERS = EXPORTS + 1; // and the flush
  localparam int unsigned BUS_W = rf_pkg::index_bits(WRITERS);
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS);
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS);
  localparam int unsigned SLOT_W = rf_pkg::index_bits(ACTIVE);
  localparam int unsigned COLLECTOR_W = rf_pkg::index_bits(COLLECTORS);
  localparam int unsigned CARRIED_W = `RF_BANKED_CARRIED_W;
  localparam int unsigned INST_W = `RF_BANKED_INST_W;
  localparam int unsigned META_W = CARRIED_W + NOTE_W;
  localparam int unsigned NAMES = rf_hierarchy_pkg::NAMES;
  localparam int unsigned L0 = LEVELS < 3 ? 0 : MANAGED == 0 ? 1 : 1 + SPLIT;

  if (WARPS < 1 || WARPS > 64 || REGS < 1 || REGS > 256 || ROWS > 1024) begin : gen_regs_range
    $error("rf_hierarchy: WARPS must be 1 to 64, REGS 1 to 256, and WARPS x ceil(REGS / BANKS) at most 1024");
  end
  if (EXPORTS < 1 || EXPORTS > 7 || ISSUES != 1) begin : gen_exports_range
    $error("rf_hierarchy: EXPORTS must be 1 to 7, ISSUES 1");
  end
  if (SCHED > 3 || ACTIVE < 1 || ACTIVE > 32 || ACTIVE > WARPS) begin : gen_sched_range
    $error("rf_hierarchy: SCHED must be 0 to 3, ACTIVE 1 to 32, at most WARPS");
  end
  if (LEVELS < 1 || LEVELS > 3 || (LEVELS > 1 && SCHED < 2) || MANAGED > 1 || SPLIT > 1 || LIVENESS > 1) begin : gen_levels_range
    $error("rf_hierarchy: LEVELS must be 1 to 3, 1 with SCHED 0 or 1; MANAGED, SPLIT, LIVENESS 0 or 1");
  end

  `RF_BANKED_RECORDS

  // ------------------------------------------------------------------------------------------------------------------ issue

  logic [WARPS-1:0]       chk_dst_valid, hazard, pend, ready;
  logic [WARPS*SLOTS-1:0] chk_src_valid;
  logic                   chosen, granted, leaves;
  logic [WARP_W-1:0]      warp;
  logic [SLOT_W-1:0]      slot;
  logic [INST_W-1:0]      head;
  logic [SLOTS*BANK_W-1:0] head_bank;
  logic [SLOTS*ROW_W-1:0]  head_row;
  // The scheduler's slots.
  logic [ACTIVE-1:0]        held, leaving, hold, enter;
  logic [ACTIVE*WARP_W-1:0] slot_warp;
  // Sources that the upper levels have.
  logic [SLOTS-1:0]         hit;
  logic [SLOTS*DATA_W-1:0]  hit_data;
  // Collectors.
  logic [COLLECTORS-1:0]           busy, collected, offered, alloc, dispatched;
  logic [COLLECTORS*PORT_W-1:0]    ocu_port;
  logic [COLLECTORS*META_W-1:0]    ocu_meta;
  logic [COLLECTORS-1:0]           unused_from;
  logic [COLLECTOR_W-1:0]          unused_sel;
  logic [READERS-1:0]              rd_valid, rd_grant, unread;
  logic [READERS*BANK_W-1:0]       rd_bank;
  logic [READERS*ROW_W-1:0]        rd_row;
  logic [READERS*WARP_W-1:0]       reader_warp;
  logic [READERS*REG_W-1:0]        reader_reg;
  logic [READERS*DATA_W-1:0]       bank_data, slot_data;
  // Write-back queues.
  logic [EXPORTS-1:0]        wr_valid, written;
  logic [EXPORTS*WARP_W-1:0] wr_warp;
  logic [EXPORTS*REG_W-1:0]  wr_reg;
  logic [EXPORTS*NOTE_W-1:0] wr_note;
  logic [EXPORTS*BANK_W-1:0] unused_wr_bank;
  logic [EXPORTS*ROW_W-1:0]  unused_wr_row;
  logic [EXPORTS*LANES-1:0]  wr_mask;
  logic [EXPORTS*DATA_W-1:0] wr_data;
  // Writers of the banks.
  logic [WRITERS-1:0]        ask, grant;
  logic [WRITERS*WARP_W-1:0] ask_warp;
  logic [WRITERS*REG_W-1:0]  ask_reg;
  logic [WRITERS*BANK_W-1:0] ask_bank;
  logic [WRITERS*ROW_W-1:0]  ask_row;
  logic [WRITERS*LANES-1:0]  ask_mask;
  logic [WRITERS*DATA_W-1:0] ask_data;
  // Banks.
  logic [BANKS-1:0]        bank_re, bank_we;
  logic [BANKS*ROW_W-1:0]  bank_raddr, bank_waddr;
  logic [BANKS*BUS_W-1:0]  bank_wsel;
  logic [BANKS*DATA_W-1:0] unused_rdata;

  for (genvar w = 0; w < WARPS; w++) begin : gen_head
    logic active;
    assign active = ib_mask_i[w*LANES +: LANES] != '0;
    assign chk_dst_valid[w] = ib_dst_valid_i[w] && active;
    assign chk_src_valid[w*SLOTS +: SLOTS] = ib_src_valid_i[w*SLOTS +: SLOTS] & {SLOTS{active}};
  end

  rf_scoreboard #(.WARPS(WARPS), .REGS(REGS), .SLOTS(SLOTS), .READERS(READERS), .ISSUES(ISSUES), .WRITERS(EXPORTS)) u_scoreboard (
    .clk_i(clk_i), .rst_ni(rst_ni), .chk_dst_valid_i(chk_dst_valid), .chk_dst_i(ib_dst_i), .chk_src_valid_i(chk_src_valid),
    .chk_src_i(ib_src_i), .set_i(granted && issued.carried.dst_valid), .set_warp_i(warp), .set_reg_i(issued.carried.dst),
    .clr_i(written), .clr_warp_i(wr_warp), .clr_reg_i(wr_reg), .rdp_i(unread), .rdp_warp_i(reader_warp), .rdp_reg_i(reader_reg),
    .hazard_o(hazard)
  );

  assign ready  = ib_valid_i & ~(hazard | pend);
  assign leaves = ib_leave_i[warp];

  if (SCHED == rf_banked_pkg::SCHED_GTO) begin : gen_gto
    logic [WARPS-1:0] unused_onehot, unused_other;
    rf_sched_gto #(.WARPS(WARPS)) u_sched (
      .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(ready), .launch_i(launch_i), .take_i(granted), .valid_o(chosen), .warp_o(warp),
      .onehot_o(unused_onehot), .other_o(unused_other)
    );
    assign {slot, held, leaving, enter, slot_warp} = '0;
  end else if (SCHED == rf_banked_pkg::SCHED_LRR) begin : gen_lrr
    logic [WARPS-1:0] unused_onehot, unused_other;
    rf_sched_lrr #(.WARPS(WARPS)) u_sched (
      .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(ready), .launch_i(launch_i), .take_i(granted), .valid_o(chosen), .warp_o(warp),
      .onehot_o(unused_onehot), .other_o(unused_other)
    );
    assign {slot, held, leaving, enter, slot_warp} = '0;
  end else begin : gen_two_level
    logic              enter_valid;
    logic [SLOT_W-1:0] enter_slot;
    logic [WARP_W-1:0] unused_enter_warp;
    rf_sched_two_level #(.WARPS(WARPS), .ACTIVE(ACTIVE), .POLICY(SCHED - 2)) u_sched (
      .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(ready), .launch_i(launch_i), .take_i(granted), .leave_i(leaves), .hold_i(hold),
      .valid_o(chosen), .slot_o(slot), .warp_o(warp), .held_o(held), .leaving_o(leaving), .slot_warp_o(slot_warp),
      .enter_valid_o(enter_valid), .enter_slot_o(enter_slot), .enter_warp_o(unused_enter_warp)
    );
    for (genvar a = 0; a < ACTIVE; a++) begin : gen_enter
      assign enter[a] = enter_valid && enter_slot == SLOT_W'(a);
    end
  end

  rf_stage_head #(.WARPS(WARPS), .BANKS(BANKS), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS)) u_head (
    .warp_i(warp), .ib_tag_i(ib_tag_i), .ib_port_i(ib_port_i), .ib_mask_i(ib_mask_i), .ib_dst_valid_i(chk_dst_valid),
    .ib_dst_i(ib_dst_i), .ib_src_valid_i(chk_src_valid), .ib_src_i(ib_src_i), .inst_o(head), .bank_o(head_bank), .row_o(head_row)
  );

  inst_t                    issued;
  logic [SLOTS-1:0]         sources; // of it, and where they are
  logic [SLOTS*PLACE_W-1:0] from;
  logic  unused_issued;
  assign issued        = head;
  assign sources       = issued.src_valid;
  assign from          = ib_from_i[warp*SLOTS*PLACE_W +: SLOTS*PLACE_W];
  assign unused_issued = ^issued;
  assign issue_valid_o = granted;
  assign issue_warp_o  = granted ? warp : '0;

  rf_ocu_alloc #(.COLLECTORS(COLLECTORS), .ISSUES(ISSUES)) u_alloc (
    .busy_i(busy), .req_i(chosen), .grant_o(granted), .sel_o(unused_sel), .alloc_o(alloc), .which_o(unused_from)
  );

  // ----------------------------------------------------------------------------------------------------------- upper levels

  logic [COLLECTORS-1:0]        keeps, fill_q;   // keeps: at most one, which keeps an operand if it is dispatched
  logic [SLOTS-1:0]             fill_slots_q;
  logic [SLOTS*DATA_W-1:0]      fill_data_q;
  logic [COLLECTORS*NOTE_W-1:0] to_q;
  logic [READERS-1:0]           keep_q;          // per collector and slot: this operand is kept ...
  logic [COLLECTORS*4-1:0]      keep_name_q;     // ... under this name
  logic [COLLECTORS*WARP_W-1:0] ocu_warp;
  logic [COLLECTORS*LANES-1:0]  ocu_mask;

  if (LEVELS == 1) begin : gen_banks_only
    assign {pend, hit, hit_data, hold, keeps} = '0;
    assign ask      = {1'b0, wr_valid};
    assign written  = grant[EXPORTS-1:0];
    assign ask_warp = {WARP_W'(0), wr_warp};
    assign ask_reg  = {REG_W'(0), wr_reg};
    assign ask_mask = {LANES'(0), wr_mask};
    assign ask_data = {DATA_W'(0), wr_data};
    assign offered  = collected;
  end else begin : gen_levels
    logic [ACTIVE*NAMES-1:0] name_pends;
    logic [COLLECTORS-1:0]  keepers;
    logic                   keep, keep_shared;
    logic [COLLECTOR_W-1:0] keeper;
    logic [READER_W-1:0]    keep_reader; // in slot_data
    logic [WARP_W-1:0]      keep_warp;
    logic [3:0]             keep_name;
    logic [LANES-1:0]       keep_mask;
    logic [DATA_W-1:0]      keep_data;
    logic [SLOTS-1:0]       unused_hit_l0;
    logic [EXPORTS-1:0]     unused_offers, unused_offer;
    logic                   unused_evicts;

    // Heads that name what is under way.
    for (genvar w = 0; w < WARPS; w++) begin : gen_pend
      logic [NAMES-1:0] under_way;
      always_comb begin
        under_way = '0;
        for (int a = 0; a < ACTIVE; a++) begin
          if (held[a] && slot_warp[a*WARP_W +: WARP_W] == WARP_W'(w)) under_way = under_way | name_pends[a*NAMES +: NAMES];
        end
      end
      assign pend[w] = (under_way & rf_hierarchy_pkg::names(8'(chk_src_valid[w*SLOTS +: SLOTS]),
                                                            48'(ib_from_i[w*SLOTS*PLACE_W +: SLOTS*PLACE_W]), chk_dst_valid[w],
                                                            ib_to_i[w*PLACE_W +: PLACE_W])) != '0;
    end

    // One instruction a cycle is dispatched that keeps an operand.
    for (genvar c = 0; c < COLLECTORS; c++) begin : gen_keeper
      assign keepers[c] = collected[c] && keep_q[c*SLOTS +: SLOTS] != '0;
    end
    if (MANAGED == 0) begin : gen_none
      assign keeps = '0;
    end else begin : gen_keep
      logic unused_any;
      rf_rr #(.N(COLLECTORS)) u_keep (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(keepers), .take_i(keep), .grant_o(keeps), .valid_o(unused_any)
      );
    end
    assign offered = collected & (~keepers | keeps);
    assign keep    = (keeps & dispatched) != '0;
    always_comb begin
      keeper      = '0;
      keep_reader = '0;
      for (int c = 0; c < COLLECTORS; c++) begin
        for (int s = 0; s < SLOTS; s++) begin
          if (keeps[c] && keep_q[c*SLOTS + s]) begin
            keeper      = COLLECTOR_W'(c);
            keep_reader = READER_W'(s*COLLECTORS + c);
          end
        end
      end
      keep_warp   = ocu_warp[keeper*WARP_W +: WARP_W];
      keep_name   = keep_name_q[keeper*4 +: 4];
      keep_shared = to_q[keeper*NOTE_W + rf_hierarchy_pkg::SHARED];
      keep_mask   = ocu_mask[keeper*LANES +: LANES];
      keep_data   = slot_data[keep_reader*DATA_W +: DATA_W];
    end

    rf_levels #(.WARPS(WARPS), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS), .ACTIVE(ACTIVE), .MANAGED(MANAGED),
                .ENTRIES(ENTRIES), .L0(L0), .POLICY(POLICY)) u_levels (
      .clk_i(clk_i), .rst_ni(rst_ni), .held_i(held), .leaving_i(leaving), .enter_i(enter), .slot_warp_i(slot_warp),
      .read_i(granted), .rd_slot_i(slot), .rd_valid_i(sources), .rd_reg_i(issued.src),
      .rd_from_i(from),
      .last_i(ib_last_i[warp*SLOTS +: SLOTS] & {SLOTS{LIVENESS != 0}}), .shared_i(ib_shared_i[warp]), .ends_i(ib_ends_i[warp]),
      .dst_valid_i(issued.carried.dst_valid), .to_i(ib_to_i[warp*PLACE_W +: PLACE_W]),
      .keep_i(keep), .keep_warp_i(keep_warp), .keep_name_i(keep_name), .keep_shared_i(keep_shared), .keep_mask_i(keep_mask),
      .keep_data_i(keep_data), .wr_valid_i(wr_valid), .wr_warp_i(wr_warp), .wr_reg_i(wr_reg), .wr_note_i(wr_note),
      .wr_mask_i(wr_mask), .wr_data_i(wr_data), .grant_i(grant), .hit_o(hit), .hit_l0_o(unused_hit_l0), .hit_data_o(hit_data),
      .hold_o(hold), .pend_o(name_pends), .ask_o(ask), .ask_warp_o(ask_warp), .ask_reg_o(ask_reg), .ask_mask_o(ask_mask),
      .ask_data_o(ask_data), .done_o(written), .offers_o(unused_offers), .offer_o(unused_offer), .evicts_o(unused_evicts)
    );
  end

  // The operand that the instruction keeps.
  logic [7:0] kept;
  assign kept = MANAGED != 0 && LEVELS > 1 ? rf_hierarchy_pkg::kept(8'(sources), 48'(from)) : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fill_q       <= '0;
      fill_slots_q <= '0;
      fill_data_q  <= '0;
      to_q         <= '0;
      keep_q       <= '0;
      keep_name_q  <= '0;
    end else begin
      fill_q <= hit != '0 ? alloc : '0;
      if (granted && hit != '0) begin
        fill_slots_q <= hit;
        fill_data_q  <= hit_data;
      end
      for (int c = 0; c < COLLECTORS; c++) begin
        if (alloc[c]) begin
          to_q[c*NOTE_W +: NOTE_W]  <= {ib_shared_i[warp], ib_to_i[warp*PLACE_W +: PLACE_W]};
          keep_q[c*SLOTS +: SLOTS]  <= kept[SLOTS-1:0];
          keep_name_q[c*4 +: 4]     <= rf_hierarchy_pkg::name_of(kept, 48'(from));
        end
      end
    end
  end

  // ------------------------------------------------------------------------------------------------------------- collectors

  logic [READERS-1:0] from_banks;

  for (genvar c = 0; c < COLLECTORS; c++) begin : gen_ocu
    logic [CARRIED_W-1:0]    carried;
    logic [WARP_W-1:0]       unit_warp;
    logic [SLOTS-1:0]        fills;
    logic [SLOTS*DATA_W-1:0] data, fill_data;

    assign from_banks[c*SLOTS +: SLOTS] = fills & ~(fill_slots_q & {SLOTS{fill_q[c]}});
    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      assign fill_data[s*DATA_W +: DATA_W] = fill_q[c] && fill_slots_q[s] ? fill_data_q[s*DATA_W +: DATA_W]
                                                                          : bank_data[(c*SLOTS + s)*DATA_W +: DATA_W];
      assign slot_data[(s*COLLECTORS + c)*DATA_W +: DATA_W] = data[s*DATA_W +: DATA_W];
    end

    rf_ocu #(.SLOTS(SLOTS), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .BANKS(BANKS), .ROWS(ROWS), .EXPORTS(EXPORTS)) u_ocu (
      .clk_i(clk_i), .rst_ni(rst_ni), .alloc_i(alloc[c]), .alloc_inst_i(head), .alloc_bank_i(head_bank), .alloc_row_i(head_row),
      .alloc_fill_i(hit), .rd_grant_i(rd_grant[c*SLOTS +: SLOTS]), .fill_data_i(fill_data), .dispatch_i(dispatched[c]),
      .busy_o(busy[c]), .ready_o(collected[c]), .rd_valid_o(rd_valid[c*SLOTS +: SLOTS]),
      .rd_bank_o(rd_bank[c*SLOTS*BANK_W +: SLOTS*BANK_W]), .rd_row_o(rd_row[c*SLOTS*ROW_W +: SLOTS*ROW_W]),
      .unread_o(unread[c*SLOTS +: SLOTS]), .src_o(reader_reg[c*SLOTS*REG_W +: SLOTS*REG_W]), .fill_valid_o(fills),
      .warp_o(unit_warp), .port_o(ocu_port[c*PORT_W +: PORT_W]), .carried_o(carried), .data_o(data)
    );

    assign ocu_warp[c*WARP_W +: WARP_W] = unit_warp;
    assign ocu_mask[c*LANES +: LANES]   = carried[1 + REG_W +: LANES];
    assign reader_warp[c*SLOTS*WARP_W +: SLOTS*WARP_W] = {SLOTS{unit_warp}};
    assign ocu_meta[c*META_W +: META_W] = {to_q[c*NOTE_W +: NOTE_W], carried};
  end

  // ------------------------------------------------------------------------------------------------------------------ banks

  for (genvar e = 0; e < WRITERS; e++) begin : gen_place
    logic [WARP_W-1:0] of_warp;
    logic [7:0]        of_reg;
    assign of_warp = ask_warp[e*WARP_W +: WARP_W];
    assign of_reg  = 8'(ask_reg[e*REG_W +: REG_W]);
    assign ask_bank[e*BANK_W +: BANK_W] = BANK_W'({rf_banked_pkg::map_bank(6'(of_warp), of_reg, 6'(BANKS))});
    assign ask_row[e*ROW_W +: ROW_W]    = ROW_W'({rf_banked_pkg::map_row(6'(of_warp), of_reg, 6'(BANKS), 9'(ROWS_PER_WARP))});
  end

  rf_arbiter #(.BANKS(BANKS), .COLLECTORS(COLLECTORS), .SLOTS(SLOTS), .WRITERS(WRITERS), .ROWS(ROWS), .PORTS(2)) u_arbiter (
    .clk_i(clk_i), .rst_ni(rst_ni), .rd_valid_i(rd_valid), .rd_bank_i(rd_bank), .rd_row_i(rd_row), .wr_valid_i(ask),
    .wr_bank_i(ask_bank), .wr_row_i(ask_row), .rd_grant_o(rd_grant), .wr_grant_o(grant), .bank_re_o(bank_re),
    .bank_raddr_o(bank_raddr), .bank_we_o(bank_we), .bank_waddr_o(bank_waddr), .bank_wsel_o(bank_wsel)
  );

  rf_stage_banks #(.BANKS(BANKS), .ROWS(ROWS), .LANES(LANES), .PORTS(2), .BUSES(WRITERS), .READERS(READERS)) u_banks (
    .clk_i(clk_i), .rst_ni(rst_ni), .re_i(bank_re), .raddr_i(bank_raddr), .we_i(bank_we), .waddr_i(bank_waddr),
    .wsel_i(bank_wsel), .mask_i(ask_mask), .data_i(ask_data), .fill_valid_i(from_banks), .fill_bank_i(rd_bank),
    .fill_data_o(bank_data), .rdata_o(unused_rdata)
  );

  // -------------------------------------------------------------------------------------------------------------- execution

  logic [EXPORTS*META_W-1:0] ex_meta;

  rf_stage_exec #(.COLLECTORS(COLLECTORS), .SLOTS(SLOTS), .EXPORTS(EXPORTS), .META_W(META_W), .DATA_W(DATA_W)) u_exec (
    .clk_i(clk_i), .rst_ni(rst_ni), .collected_i(offered), .port_i(ocu_port), .meta_i(ocu_meta), .data_i(slot_data),
    .ex_ready_i(ex_ready_i), .dispatched_o(dispatched), .ex_valid_o(ex_valid_o), .ex_meta_o(ex_meta), .ex_data_o(ex_data_o)
  );

  carried_t offer;
  always_comb begin
    for (int e = 0; e < EXPORTS; e++) begin
      {ex_to_o[e*NOTE_W +: NOTE_W], offer} = ex_meta[e*META_W +: META_W];
      ex_warp_o[e*WARP_W +: WARP_W] = offer.warp;
      ex_tag_o[e*TAG_W +: TAG_W]    = offer.tag;
      ex_mask_o[e*LANES +: LANES]   = offer.mask;
      ex_dst_valid_o[e]             = offer.dst_valid;
      ex_dst_o[e*REG_W +: REG_W]    = offer.dst;
    end
  end

  rf_stage_results #(.WARPS(WARPS), .BANKS(BANKS), .REGS(REGS), .LANES(LANES), .EXPORTS(EXPORTS), .WBDEPTH(WBDEPTH),
                     .NOTE(NOTE_W)) u_results (
    .clk_i(clk_i), .rst_ni(rst_ni), .res_valid_i(res_valid_i), .res_warp_i(res_warp_i), .res_dst_i(res_dst_i),
    .res_note_i(res_to_i), .res_mask_i(res_mask_i), .res_data_i(res_data_i), .wr_grant_i(written), .res_ready_o(res_ready_o),
    .wr_valid_o(wr_valid), .wr_warp_o(wr_warp), .wr_reg_o(wr_reg), .wr_note_o(wr_note), .wr_bank_o(unused_wr_bank),
    .wr_row_o(unused_wr_row), .wr_mask_o(wr_mask), .wr_data_o(wr_data)
  );

endmodule

`default_nettype wire
