// SPDX-License-Identifier: Apache-2.0
// Two-level warp scheduler: of WARPS warps at most ACTIVE have a slot, and the issuing warp is chosen among those.
//
// Latency:   choice and entering warp are combinational; what they change is seen in the next cycle.
// Slots:     free, active or leaving. A warp that leaves gives its slot free when its bit of hold_i falls; the lowest free slot
//            takes a ready warp that has none, round-robin over the warps, one in a cycle. A new warp is the youngest.
// Fairness:  a ready warp without a slot gets one after at most WARPS - 1 others.
// ACTIVE = WARPS: the single-level scheduler; warp w has slot w for ever, leave_i and hold_i have no effect, launch_i has.
// Reset:     no slot has a warp (ACTIVE = WARPS: all have), warp 0 is first to enter.
// Source:    [hierarchy 3]; the instruction's bit that deschedules its warp is of [hierarchy 7.9].
`default_nettype none

module rf_sched_two_level #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// Slots of active warps, 1 to 32, at most WARPS.
  parameter int unsigned ACTIVE = 8,
  /// Choice among active warps: 0 greedy then oldest, 1 loose round-robin.
  parameter int unsigned POLICY = 0,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned SLOT_W = rf_pkg::index_bits(ACTIVE)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  /// Per warp: it has an instruction without hazard.
  input  logic [WARPS-1:0]         ready_i,
  /// Per warp: a new warp starts in this place; counts with ACTIVE = WARPS.
  input  logic [WARPS-1:0]         launch_i,
  /// The chosen warp issues.
  input  logic                     take_i,
  /// With take_i: and is descheduled.
  input  logic                     leave_i,
  /// Per slot: if it is leaving, it is not free yet.
  input  logic [ACTIVE-1:0]        hold_i,
  /// A warp is chosen.
  output logic                     valid_o,
  /// Its slot, 0 when none.
  output logic [SLOT_W-1:0]        slot_o,
  /// Its number, 0 when none.
  output logic [WARP_W-1:0]        warp_o,
  /// Per slot: it has a warp, active or leaving.
  output logic [ACTIVE-1:0]        held_o,
  /// Per slot: its warp leaves.
  output logic [ACTIVE-1:0]        leaving_o,
  /// Per slot: its warp, of a free one the last.
  output logic [ACTIVE*WARP_W-1:0] slot_warp_o,
  /// A warp takes a slot at the edge.
  output logic                     enter_valid_o,
  /// The slot, 0 when none.
  output logic [SLOT_W-1:0]        enter_slot_o,
  /// The warp, 0 when none.
  output logic [WARP_W-1:0]        enter_warp_o
);

  if (WARPS < 1 || WARPS > 64) begin : gen_warps_range
    $error("rf_sched_two_level: WARPS must be 1 to 64");
  end
  if (ACTIVE < 1 || ACTIVE > 32 || ACTIVE > WARPS) begin : gen_active_range
    $error("rf_sched_two_level: ACTIVE must be 1 to 32, and at most WARPS");
  end
  if (POLICY > 1) begin : gen_policy_range
    $error("rf_sched_two_level: POLICY must be 0 or 1");
  end

  // Warps enter and leave.
  localparam bit OUTER = ACTIVE < WARPS;

  logic [ACTIVE-1:0]        held_q, leaving_q;
  logic [ACTIVE*WARP_W-1:0] warp_q;
  logic [ACTIVE-1:0]        held_d, leaving_d;
  logic [ACTIVE*WARP_W-1:0] warp_d;

  logic [ACTIVE-1:0] ready, chosen, entered, launch;
  logic [ACTIVE-1:0] unused_other;

  assign held_o      = held_q;
  assign leaving_o   = leaving_q;
  assign slot_warp_o = warp_q;

  // The inner level: the active slots whose warp is ready, and the choice among them.
  for (genvar s = 0; s < ACTIVE; s++) begin : gen_ready
    logic [WARPS-1:0] warp;
    assign warp     = {{(WARPS-1){1'b0}}, 1'b1} << warp_q[s*WARP_W +: WARP_W];
    assign ready[s] = held_q[s] && !leaving_q[s] && (ready_i & warp) != '0;
  end

  if (POLICY == 0) begin : gen_gto
    rf_sched_gto #(.WARPS(ACTIVE)) u_inner (
      .clk_i, .rst_ni,
      .ready_i(ready), .launch_i(launch), .take_i(take_i),
      .valid_o(valid_o), .warp_o(slot_o), .onehot_o(chosen), .other_o(unused_other)
    );
  end else begin : gen_lrr
    rf_sched_lrr #(.WARPS(ACTIVE)) u_inner (
      .clk_i, .rst_ni,
      .ready_i(ready), .launch_i(launch), .take_i(take_i),
      .valid_o(valid_o), .warp_o(slot_o), .onehot_o(chosen), .other_o(unused_other)
    );
  end

  always_comb begin
    warp_o = '0;
    for (int s = 0; s < ACTIVE; s++) warp_o |= {WARP_W{chosen[s]}} & warp_q[s*WARP_W +: WARP_W];
  end

  // The outer level: the lowest free slot takes the next ready warp that has none.
  if (OUTER) begin : gen_outer
    logic [ACTIVE-1:0] free, lowest, left;
    logic [WARPS-1:0]  in_slots, request, grant;

    always_comb begin
      in_slots = '0;
      for (int s = 0; s < ACTIVE; s++)
        in_slots |= {{(WARPS-1){1'b0}}, held_q[s]} << warp_q[s*WARP_W +: WARP_W];
    end

    assign free    = ~held_q;
    assign lowest  = `RF_LOWEST(free);
    assign request = (free != '0) ? ready_i & ~in_slots : '0;

    rf_rr #(.N(WARPS)) u_enter (
      .clk_i, .rst_ni,
      .req_i(request), .take_i(1'b1), .grant_o(grant), .valid_o(enter_valid_o)
    );

    assign entered = enter_valid_o ? lowest : '0;
    assign launch  = entered;

    for (genvar b = 0; b < WARP_W; b++) begin : gen_enter_warp
      localparam logic [WARPS-1:0] COLUMN = rf_pkg::NUMBERS[b*64 +: WARPS];
      assign enter_warp_o[b] = (grant & COLUMN) != '0;
    end

    for (genvar b = 0; b < SLOT_W; b++) begin : gen_enter_slot
      localparam logic [ACTIVE-1:0] COLUMN = rf_pkg::NUMBERS[b*64 +: ACTIVE];
      assign enter_slot_o[b] = (entered & COLUMN) != '0;
    end

    assign left      = (take_i && leave_i) ? chosen : '0;
    assign leaving_d = (leaving_q & hold_i) | left;
    assign held_d    = (held_q & ~(leaving_q & ~hold_i)) | entered;

`ifndef SYNTHESIS
    // No warp has two slots.
    always @(posedge clk_i)
      if (rst_ni) assert ($countones(in_slots) == $countones(held_q)) else $error("rf_sched_two_level: a warp has two slots");
`endif
  end else begin : gen_single
    assign enter_valid_o = 1'b0;
    assign enter_slot_o  = '0;
    assign enter_warp_o  = '0;
    assign entered       = '0;
    assign launch        = launch_i;
    assign leaving_d     = leaving_q;
    assign held_d        = held_q;
  end

  for (genvar s = 0; s < ACTIVE; s++) begin : gen_slot
    assign warp_d[s*WARP_W +: WARP_W] = entered[s] ? enter_warp_o : warp_q[s*WARP_W +: WARP_W];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      held_q    <= OUTER ? '0 : {ACTIVE{1'b1}};
      leaving_q <= '0;
      for (int s = 0; s < ACTIVE; s++) warp_q[s*WARP_W +: WARP_W] <= OUTER ? '0 : WARP_W'(s);
    end else begin
      held_q    <= held_d;
      leaving_q <= leaving_d;
      warp_q    <= warp_d;
    end
  end

endmodule

`default_nettype wire
