// SPDX-License-Identifier: Apache-2.0
// The levels above the banks (the main register file, MRF) of all active warps [hierarchy 4], and the way of results through them:
// ACTIVE files, one for each slot of the two-level scheduler, MANAGED 0: rf_rfc, by hardware, 1: rf_orf, by software.
//
// Issue:    with read_i the file of rd_slot_i is read in this cycle. hit_o: the sources that it has (hardware: by their registers;
//           software: those whose rd_from_i says so). The names that the instruction will write become pending.
// Keep:     software: an operand is written to its name; it takes the files' one write of the cycle.
// Results:  heads with a slot for their warp (software: that go to a name) are to be offered to its file, one a cycle, round-robin.
//           Hardware: what the file sends to the MRF for it, the result itself or an entry, is asked for in the queue's place; an
//           entry only while fewer than SLOTS sources hit. Software: the name is written in the cycle in which the MRF is.
//           All other heads ask for themselves. done_o: the head leaves its queue.
// Flush:    hardware: one entry a cycle of the lowest leaving slot that holds one and gets no result, as writer EXPORTS.
// Latency:  ask_o follows the registers and the inputs but grant_i; done_o follows grant_i too.
// Range:    a slot that does not exist: the issue changes nothing; a warp that no slot has: its results ask for themselves.
// Reset:    as the units say.
`default_nettype none

module rf_levels #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 32,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Queues of results, 1 to 7.
  parameter int unsigned EXPORTS = 3,
  /// Slots of the scheduler, 1 to 32.
  parameter int unsigned ACTIVE = 4,
  /// 0: by hardware, 1: by software.
  parameter int unsigned MANAGED = 0,
  /// Entries of an L1, 1 to 8.
  parameter int unsigned ENTRIES = 3,
  /// L0. 0: none, 1: one bank, 2: one bank for each operand slot (software).
  parameter int unsigned L0 = 0,
  /// Hardware. 0: FIFO, 1: LRU.
  parameter int unsigned POLICY = 0,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned SLOT_W = rf_pkg::index_bits(ACTIVE),
  localparam int unsigned DATA_W = LANES * 32,
  localparam int unsigned WRITERS = EXPORTS + 1,
  localparam int unsigned PLACE_W = rf_hierarchy_pkg::PLACE_W,
  localparam int unsigned NOTE_W = rf_hierarchy_pkg::NOTE_W,
  localparam int unsigned NAMES = rf_hierarchy_pkg::NAMES
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  /// Per slot of the scheduler: it has a warp ...
  input  logic [ACTIVE-1:0]         held_i,
  /// ... which is descheduled.
  input  logic [ACTIVE-1:0]         leaving_i,
  /// Per slot: a warp takes it at the edge.
  input  logic [ACTIVE-1:0]         enter_i,
  /// Per slot: its warp.
  input  logic [ACTIVE*WARP_W-1:0]  slot_warp_i,
  /// An instruction issues ...
  input  logic                      read_i,
  /// ... of the warp in this slot ...
  input  logic [SLOT_W-1:0]         rd_slot_i,
  /// ... with these sources: valid, register, place (bit 5 keep, bit 4 upper, name) ...
  input  logic [SLOTS-1:0]          rd_valid_i,
  input  logic [SLOTS*REG_W-1:0]    rd_reg_i,
  input  logic [SLOTS*PLACE_W-1:0]  rd_from_i,
  /// ... which are read for the last time ...
  input  logic [SLOTS-1:0]          last_i,
  /// ... it is a shared unit's ...
  input  logic                      shared_i,
  /// ... its strand ends ...
  input  logic                      ends_i,
  /// ... it has a destination, with this place (bit 5 MRF, bit 4 upper, name).
  input  logic                      dst_valid_i,
  input  logic [PLACE_W-1:0]        to_i,
  /// An operand is kept ...
  input  logic                      keep_i,
  /// ... of this warp, under this name ...
  input  logic [WARP_W-1:0]         keep_warp_i,
  input  logic [3:0]                keep_name_i,
  /// ... by a shared unit's instruction; its lanes and value.
  input  logic                      keep_shared_i,
  input  logic [LANES-1:0]          keep_mask_i,
  input  logic [DATA_W-1:0]         keep_data_i,
  /// Per queue: its head ...
  input  logic [EXPORTS-1:0]        wr_valid_i,
  input  logic [EXPORTS*WARP_W-1:0] wr_warp_i,
  input  logic [EXPORTS*REG_W-1:0]  wr_reg_i,
  /// ... with where it goes (bit 6 shared unit's, bit 5 MRF, bit 4 upper, name) ...
  input  logic [EXPORTS*NOTE_W-1:0] wr_note_i,
  input  logic [EXPORTS*LANES-1:0]  wr_mask_i,
  input  logic [EXPORTS*DATA_W-1:0] wr_data_i,
  /// Per writer: its request is granted.
  input  logic [WRITERS-1:0]        grant_i,
  /// Per source: the upper levels have it; the L0; the value, 0 where they have not.
  output logic [SLOTS-1:0]          hit_o,
  output logic [SLOTS-1:0]          hit_l0_o,
  output logic [SLOTS*DATA_W-1:0]   hit_data_o,
  /// Per slot: a warp that leaves does not free it yet.
  output logic [ACTIVE-1:0]         hold_o,
  /// Per slot, by name: a write is under way.
  output logic [ACTIVE*NAMES-1:0]   pend_o,
  /// Per writer of the MRF, the queues and the flush: it asks; all below is 0 when not.
  output logic [WRITERS-1:0]        ask_o,
  output logic [WRITERS*WARP_W-1:0] ask_warp_o,
  output logic [WRITERS*REG_W-1:0]  ask_reg_o,
  output logic [WRITERS*LANES-1:0]  ask_mask_o,
  output logic [WRITERS*DATA_W-1:0] ask_data_o,
  /// Per queue: its head leaves.
  output logic [EXPORTS-1:0]        done_o,
  /// Per queue: its head is to be offered to a file; it is.
  output logic [EXPORTS-1:0]        offers_o,
  output logic [EXPORTS-1:0]        offer_o,
  /// Hardware: an entry is sent to the MRF for it.
  output logic                      evicts_o
);

  localparam int unsigned QUEUE_W = rf_pkg::index_bits(EXPORTS);
  localparam int unsigned COUNT_W = $clog2(SLOTS + 3);
  localparam int unsigned UPPER = rf_hierarchy_pkg::UPPER;
  localparam int unsigned MRF = rf_hierarchy_pkg::MRF;
  localparam int unsigned SHARED = rf_hierarchy_pkg::SHARED;

  if (WARPS < 1 || WARPS > 64 || REGS < 1 || REGS > 256 || LANES < 1 || LANES > 32 || SLOTS < 1 || SLOTS > 8 || EXPORTS < 1 ||
      EXPORTS > 7 || ACTIVE < 1 || ACTIVE > 32) begin : gen_size_range
    $error("rf_levels: WARPS 1 to 64, REGS 1 to 256, LANES 1 to 32, SLOTS 1 to 8, EXPORTS 1 to 7, ACTIVE 1 to 32");
  end
  if (MANAGED > 1 || ENTRIES < 1 || ENTRIES > 8 || L0 > 1 + MANAGED || POLICY > 1) begin : gen_switch_range
    $error("rf_levels: MANAGED 0 or 1, ENTRIES 1 to 8, L0 0 to 1 (MANAGED 1: 2), POLICY 0 or 1");
  end

  // ------------------------------------------------------------------------------------------------------- which result is offered

  logic [EXPORTS*SLOT_W-1:0] slot_of; // per queue: the lowest slot that has its head's warp, if any has
  logic [EXPORTS-1:0]        slotted, req, chosen;
  logic                      unused_any, taken, placed;
  logic [ACTIVE-1:0]         keeper, reader, target;
  // The head that is offered, and its slot.
  logic [QUEUE_W-1:0] queue;
  logic [SLOT_W-1:0]  slot_one;
  logic [REG_W-1:0]   reg_one;
  logic [NOTE_W-1:0]  note_one;
  logic [LANES-1:0]   mask_one;
  logic [DATA_W-1:0]  data_one;

  always_comb begin
    slot_of = '0;
    slotted = '0;
    keeper  = '0;
    placed  = !keep_i;
    for (int a = 0; a < ACTIVE; a++) begin
      for (int e = 0; e < EXPORTS; e++) begin
        if (held_i[a] && wr_valid_i[e] && !slotted[e] && slot_warp_i[a*WARP_W +: WARP_W] == wr_warp_i[e*WARP_W +: WARP_W]) begin
          slotted[e] = 1'b1;
          slot_of[e*SLOT_W +: SLOT_W] = SLOT_W'(a);
        end
      end
      keeper[a] = held_i[a] && !placed && slot_warp_i[a*WARP_W +: WARP_W] == keep_warp_i;
      placed    = placed || keeper[a];
      reader[a] = rd_slot_i == SLOT_W'(a);
    end
  end

  for (genvar e = 0; e < EXPORTS; e++) begin : gen_head
    assign offers_o[e] = slotted[e] && (MANAGED == 0 || wr_note_i[e*NOTE_W + UPPER]);
  end
  assign req = MANAGED != 0 && keep_i ? '0 : offers_o;

  rf_rr #(.N(EXPORTS)) u_port (.clk_i(clk_i), .rst_ni(rst_ni), .req_i(req), .take_i(taken), .grant_o(chosen), .valid_o(unused_any));
  assign offer_o = chosen;

  always_comb begin
    queue = '0;
    for (int e = 0; e < EXPORTS; e++) if (chosen[e]) queue = QUEUE_W'(e);
    slot_one = slot_of[queue*SLOT_W +: SLOT_W];
    reg_one  = wr_reg_i[queue*REG_W +: REG_W];
    note_one = wr_note_i[queue*NOTE_W +: NOTE_W];
    mask_one = wr_mask_i[queue*LANES +: LANES];
    data_one = wr_data_i[queue*DATA_W +: DATA_W];
    for (int a = 0; a < ACTIVE; a++) target[a] = chosen != '0 && slot_one == SLOT_W'(a);
  end

  // ---------------------------------------------------------------------------------------------------------------------- files

  logic [ACTIVE*SLOTS-1:0]        file_hit, file_hit_l0;
  logic [ACTIVE*SLOTS*DATA_W-1:0] file_data;
  logic [ACTIVE-1:0]              file_sends, file_entry, flushing;
  logic [ACTIVE*REG_W-1:0]        file_reg;
  logic [ACTIVE*LANES-1:0]        file_mask;
  logic [ACTIVE*DATA_W-1:0]       file_mrf;
  logic                           flushed;
  // Software: sources that are read from names, their names; the one that is kept.
  logic [SLOTS-1:0]   named;
  logic [SLOTS*4-1:0] name;
  logic [7:0]         kept;
  logic [3:0]         kept_name;

  for (genvar s = 0; s < SLOTS; s++) begin : gen_name
    assign named[s]       = rd_valid_i[s] && rd_from_i[s*PLACE_W + UPPER];
    assign name[s*4 +: 4] = rd_from_i[s*PLACE_W +: 4];
  end
  assign kept      = rf_hierarchy_pkg::kept(8'(rd_valid_i), 48'(rd_from_i));
  assign kept_name = rf_hierarchy_pkg::name_of(kept, 48'(rd_from_i));

  for (genvar a = 0; a < ACTIVE; a++) begin : gen_slot
    logic reads;
    assign reads = read_i && reader[a];

    if (MANAGED == 0) begin : gen_rfc
      logic holds;
      rf_rfc #(.ENTRIES(ENTRIES), .L0(L0), .POLICY(POLICY), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS)) u_rfc (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .read_i     (reads),
        .rd_valid_i (rd_valid_i & {SLOTS{reader[a]}}),
        .rd_reg_i   (rd_reg_i),
        .last_i     (last_i),
        .write_i    (target[a]),
        .wr_reg_i   (reg_one),
        .wr_mask_i  (mask_one),
        .wr_data_i  (data_one),
        .around_i   (!note_one[UPPER] || leaving_i[a]),
        .low_i      (note_one[0]),
        .flush_i    (flushing[a]),
        .take_i     ((target[a] && taken) || (flushing[a] && flushed)),
        .rd_data_o  (file_data[a*SLOTS*DATA_W +: SLOTS*DATA_W]),
        .hit_o      (file_hit[a*SLOTS +: SLOTS]),
        .hit_l0_o   (file_hit_l0[a*SLOTS +: SLOTS]),
        .mrf_valid_o(file_sends[a]),
        .mrf_entry_o(file_entry[a]),
        .mrf_reg_o  (file_reg[a*REG_W +: REG_W]),
        .mrf_mask_o (file_mask[a*LANES +: LANES]),
        .mrf_data_o (file_mrf[a*DATA_W +: DATA_W]),
        .holds_o    (holds)
      );
      assign hold_o[a]          = holds;
      assign pend_o[a*16 +: 16] = '0;
    end else begin : gen_orf
      rf_orf #(.ENTRIES(ENTRIES), .L0(L0), .LANES(LANES), .SLOTS(SLOTS)) u_orf (
        .clk_i(clk_i), .rst_ni(rst_ni),
        .rd_valid_i (named & {SLOTS{reader[a]}}),
        .rd_name_i  (name),
        .shared_i   (shared_i),
        .set_i      ({reads && kept != '0, reads && dst_valid_i && to_i[UPPER]}),
        .set_name_i ({kept_name, to_i[3:0]}),
        .write_i    (keeper[a] || (target[a] && taken)),
        .wr_name_i  (keeper[a] ? keep_name_i : note_one[3:0]),
        .wr_mask_i  (keeper[a] ? keep_mask_i : mask_one),
        .wr_data_i  (keeper[a] ? keep_data_i : data_one),
        .wr_shared_i(keeper[a] ? keep_shared_i : note_one[SHARED]),
        .clear_i    (enter_i[a] || (reads && ends_i)),
        .rd_data_o  (file_data[a*SLOTS*DATA_W +: SLOTS*DATA_W]),
        .pend_o     (pend_o[a*16 +: 16])
      );
      for (genvar s = 0; s < SLOTS; s++) begin : gen_l0
        assign file_hit_l0[a*SLOTS + s] = named[s] && name[s*4 + 3];
      end
      assign file_hit[a*SLOTS +: SLOTS]   = named;
      assign hold_o[a]                    = pend_o[a*16 +: 16] != '0;
      assign file_sends[a]                = 1'b0;
      assign file_entry[a]                = 1'b0;
      assign file_reg[a*REG_W +: REG_W]   = '0;
      assign file_mask[a*LANES +: LANES]  = '0;
      assign file_mrf[a*DATA_W +: DATA_W] = '0;
    end
  end

  always_comb begin
    hit_o      = '0;
    hit_l0_o   = '0;
    hit_data_o = '0;
    if (reader != '0) begin
      hit_o      = file_hit[rd_slot_i*SLOTS +: SLOTS];
      hit_l0_o   = file_hit_l0[rd_slot_i*SLOTS +: SLOTS];
      hit_data_o = file_data[rd_slot_i*SLOTS*DATA_W +: SLOTS*DATA_W];
    end
  end

  // ---------------------------------------------------------------------------------------------------------- requests of the MRF

  logic [ACTIVE-1:0]  full;
  logic [COUNT_W-1:0] reads_used;
  logic               sends, sends_entry, goes, flush_sends, flush_goes;
  logic [REG_W-1:0]   sent_reg, flush_reg;
  logic [LANES-1:0]   sent_mask;
  logic [DATA_W-1:0]  sent_data, flush_data;
  logic [WARP_W-1:0]  flush_warp;
  logic [SLOT_W-1:0]  flush_slot;

  // The lowest leaving slot that holds something and gets no result.
  assign full     = MANAGED == 0 ? held_i & leaving_i & hold_o & ~target : '0;
  assign flushing = `RF_LOWEST(full);

  always_comb begin
    reads_used = '0;
    for (int s = 0; s < SLOTS; s++) reads_used = reads_used + COUNT_W'(read_i && hit_o[s]);
    sends       = (file_sends & target) != '0;
    sends_entry = (file_entry & target) != '0;
    flush_slot = '0;
    for (int a = 0; a < ACTIVE; a++) if (flushing[a]) flush_slot = SLOT_W'(a);
    sent_reg   = file_reg[slot_one*REG_W +: REG_W];
    sent_mask  = file_mask[slot_one*LANES +: LANES];
    sent_data  = file_mrf[slot_one*DATA_W +: DATA_W];
    flush_reg  = file_reg[flush_slot*REG_W +: REG_W];
    flush_data = file_mrf[flush_slot*DATA_W +: DATA_W];
    flush_warp = slot_warp_i[flush_slot*WARP_W +: WARP_W];
    // Each entry that is sent is read through a port that no operand needs.
    goes       = MANAGED == 0 ? sends && (!sends_entry || reads_used < COUNT_W'(SLOTS)) : note_one[MRF];
    flush_sends = (file_sends & flushing) != '0;
    flush_goes  = flush_sends && reads_used + COUNT_W'(sends_entry) < COUNT_W'(SLOTS);
  end

  assign evicts_o = sends_entry;

  for (genvar e = 0; e < EXPORTS; e++) begin : gen_ask
    logic own;
    assign own      = wr_valid_i[e] && !offers_o[e];
    assign ask_o[e] = own || (chosen[e] && goes);
    assign ask_warp_o[e*WARP_W +: WARP_W] = ask_o[e] ? wr_warp_i[e*WARP_W +: WARP_W] : '0;
    assign ask_reg_o[e*REG_W +: REG_W]    = !ask_o[e] ? '0 : own || MANAGED != 0 ? wr_reg_i[e*REG_W +: REG_W] : sent_reg;
    assign ask_mask_o[e*LANES +: LANES]   = !ask_o[e] ? '0 : own || MANAGED != 0 ? wr_mask_i[e*LANES +: LANES] : sent_mask;
    assign ask_data_o[e*DATA_W +: DATA_W] = !ask_o[e] ? '0 : own || MANAGED != 0 ? wr_data_i[e*DATA_W +: DATA_W] : sent_data;
    assign done_o[e] = own ? grant_i[e] : chosen[e] && taken;
  end

  assign ask_o[EXPORTS]                       = flush_goes;
  assign ask_warp_o[EXPORTS*WARP_W +: WARP_W] = flush_goes ? flush_warp : '0;
  assign ask_reg_o[EXPORTS*REG_W +: REG_W]    = flush_goes ? flush_reg : '0;
  assign ask_mask_o[EXPORTS*LANES +: LANES]   = flush_goes ? '1 : '0;
  assign ask_data_o[EXPORTS*DATA_W +: DATA_W] = flush_goes ? flush_data : '0;

  // A step that has nothing to send drops what is dead.
  assign flushed = flush_sends ? flush_goes && grant_i[EXPORTS] : 1'b1;
  assign taken   = chosen != '0 && (goes ? (chosen & grant_i[EXPORTS-1:0]) != '0 : MANAGED != 0 || !sends);

endmodule

`default_nettype wire
