// SPDX-License-Identifier: Apache-2.0
// What must hold in every cycle of rf_hierarchy, as assertions, bound to it (`lockstep run rf_hierarchy --assert`). The C environment
// checks the same on the model, and values. Illegal inputs break none of them.
//
// slots:    no warp has two.
// free:     the file of a free slot is empty.
// filled:   no slot stays free while a pending warp is ready.
// turn:     the ready pending warp that is activated is the next one above the last: before WARPS others are, each is.
// By hardware:
// entries:  a register has one entry in its warp's file.
// no_older: a row of the MRF that is written leaves no entry of its register.
// no_loss:  an entry that is not dead goes when its row is written, when its register's next result takes its place, or to the L1.
// not_late: a result of a warp that leaves takes no entry.
`default_nettype none

module rf_hierarchy_check #(
  /// Levels of the register file, 1 to 3.
  parameter int unsigned LEVELS = 2,
  /// Upper levels. 0: by hardware, 1: by software.
  parameter int unsigned MANAGED = 0,
  /// Warp scheduler. 2, 3: two levels.
  parameter int unsigned SCHED = 2,
  /// Warps that are active at most, 1 to 32.
  parameter int unsigned ACTIVE = 4,
  /// Entries of the L1, 1 to 8.
  parameter int unsigned ENTRIES = 3,
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 64,
  /// Writers of the MRF: the queues and the flush.
  parameter int unsigned WRITERS = 4,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PLACES = ENTRIES + 1 // and the L0
) (
  input logic                      clk_i,
  input logic                      rst_ni,
  /// Per warp: its head has no hazard.
  input logic [WARPS-1:0]          ready_i,
  /// Per slot: it has a warp; which; it leaves; one takes it; its file is not empty (software: a name is pending).
  input logic [ACTIVE-1:0]         held_i,
  input logic [ACTIVE*WARP_W-1:0]  warp_i,
  input logic [ACTIVE-1:0]         leaving_i,
  input logic [ACTIVE-1:0]         enter_i,
  input logic [ACTIVE-1:0]         hold_i,
  /// Per writer: it writes a row; its warp, its register.
  input logic [WRITERS-1:0]        grant_i,
  input logic [WRITERS*WARP_W-1:0] ask_warp_i,
  input logic [WRITERS*REG_W-1:0]  ask_reg_i
);

  logic [ACTIVE-1:0] twice;

  for (genvar a = 0; a < ACTIVE; a++) begin : gen_slot
    logic [ACTIVE-1:0] same;
    for (genvar b = 0; b < ACTIVE; b++) begin : gen_other
      assign same[b] = a != b && held_i[a] && held_i[b] && warp_i[a*WARP_W +: WARP_W] == warp_i[b*WARP_W +: WARP_W];
    end
    assign twice[a] = same != '0;
  end

  logic             idle;
  logic [WARPS-1:0] overtaken;

  if (SCHED >= 2 && ACTIVE < WARPS) begin : gen_outer
    logic [WARPS-1:0]  pending, above, below; // ready, without a slot; above the last one that entered; below the one that enters
    logic [WARP_W-1:0] enters;

    always_comb begin
      pending = ready_i;
      for (int a = 0; a < ACTIVE; a++) if (held_i[a]) pending[warp_i[a*WARP_W +: WARP_W]] = 1'b0;
    end
    assign above  = rf_hierarchy.gen_two_level.u_sched.gen_outer.u_enter.mask_q;
    assign enters = rf_hierarchy.gen_two_level.u_sched.enter_warp_o;
    assign below  = ({{(WARPS-1){1'b0}}, 1'b1} << enters) - 1'b1;
    assign idle   = ~held_i != '0 && pending != '0 && enter_i == '0;

    // Before the one that enters come those above the last one; on either side the lower.
    assign overtaken = enter_i == '0 ? '0 : pending & (above[enters] ? above & below : above | below);
  end else begin : gen_all
    assign {idle, overtaken} = '0;
  end

  logic [ACTIVE*PLACES-1:0] double, older, lost;
  logic [ACTIVE-1:0]        late;

  if (LEVELS > 1 && MANAGED == 0) begin : gen_hardware
    for (genvar a = 0; a < ACTIVE; a++) begin : gen_file
      logic [PLACES-1:0]       valid, live, stays, goes, renewed; // in front of the edge; after its reads; and what the edge does
      logic [PLACES*REG_W-1:0] regs;
      logic                    take, full, to_l0, moves;

      assign take  = rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.take_i;
      assign full  = take && rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.write_i &&
                     rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.full;
      assign to_l0 = take && rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.to_l0;
      assign moves = to_l0 && rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.place != '0;
      assign valid = {rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.l0_valid_q,
                      rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.valid_q};
      assign live  = {rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.l0_live,
                      rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.live};
      assign stays = valid & {rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.l0_valid_d && !to_l0,
                              rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.valid_d &
                              ~rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.place};
      assign renewed = {PLACES{full}} & {rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.has_l0,
                                         rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.has};
      assign goes  = live & ~stays & ~renewed & ~{moves, {ENTRIES{1'b0}}};
      assign late[a] = leaving_i[a] && take && rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.into;

      assign regs[ENTRIES*REG_W +: REG_W] = rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.l0_reg_q;
      for (genvar e = 0; e < ENTRIES; e++) begin : gen_reg
        assign regs[e*REG_W +: REG_W] = rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.reg_q[e];
      end

      for (genvar p = 0; p < PLACES; p++) begin : gen_place
        logic [PLACES-1:0]  same;
        logic [WRITERS-1:0] writes;
        for (genvar q = 0; q < PLACES; q++) begin : gen_other
          assign same[q] = p != q && valid[p] && valid[q] && regs[p*REG_W +: REG_W] == regs[q*REG_W +: REG_W];
        end
        for (genvar e = 0; e < WRITERS; e++) begin : gen_writer
          assign writes[e] = grant_i[e] && ask_warp_i[e*WARP_W +: WARP_W] == warp_i[a*WARP_W +: WARP_W] &&
                             ask_reg_i[e*REG_W +: REG_W] == regs[p*REG_W +: REG_W];
        end
        assign double[a*PLACES + p] = same != '0;
        assign older[a*PLACES + p]  = stays[p] && writes != '0;
        assign lost[a*PLACES + p]   = goes[p] && writes == '0;
      end
    end
  end else begin : gen_other
    assign {double, older, lost, late} = '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      slots: assert (twice == '0);
      free: assert ((hold_i & ~held_i) == '0);
      filled: assert (!idle);
      turn: assert (overtaken == '0);
      entries: assert (double == '0);
      no_older: assert (older == '0);
      no_loss: assert (lost == '0);
      not_late: assert (late == '0);
    end
  end

endmodule

bind rf_hierarchy rf_hierarchy_check #(
  .LEVELS(LEVELS), .MANAGED(MANAGED), .SCHED(SCHED), .ACTIVE(ACTIVE), .ENTRIES(ENTRIES), .WARPS(WARPS), .REGS(REGS),
  .WRITERS(EXPORTS + 1)
) u_check (
  .clk_i     (clk_i),
  .rst_ni    (rst_ni),
  .ready_i   (ready),
  .held_i    (held),
  .warp_i    (slot_warp),
  .leaving_i (leaving),
  .enter_i   (enter),
  .hold_i    (hold),
  .grant_i   (grant),
  .ask_warp_i(ask_warp),
  .ask_reg_i (ask_reg)
);

`default_nettype wire
