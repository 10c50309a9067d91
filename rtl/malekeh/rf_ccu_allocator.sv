// SPDX-License-Identifier: Apache-2.0
// CCU allocator: gives each issuing instruction of a cycle its caching collector, and waits up to STHLD + 1 cycles before it
// replaces one that holds near values.
//
// Latency:   combinational; count_q and mask_q change at the edge.
// Policy:    request 0 first. A warp that owns a CCU gets that one or none. Any other gets a CCU that is idle, not taken by an
//            earlier request and not of a warp that asks in this cycle: one that nobody owns, lowest first; else one without near
//            values, round-robin; else one with, round-robin, but only when count_q is above sthld_i, until when it waits.
// count_q:   cleared when an owned CCU is replaced (CLEAR 1: one with near values), else one more while a request waits, which
//            needs count_q <= sthld_i: 256 at most.
// mask_q:    the CCUs above the one replaced last; the same for all requests of a cycle.
// Reset:     nobody has waited; CCU 0 is the first to be replaced.
// Source:    [Malekeh 6].
`default_nettype none

module rf_ccu_allocator #(
  /// Caching collectors, 1 to 16.
  parameter int unsigned COLLECTORS = 8,
  /// Instructions issued in a cycle, 1 to 4.
  parameter int unsigned ISSUES = 1,
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// What clears the count of waiting. 0: any replacement, 1: that of a CCU with near values.
  parameter int unsigned CLEAR = 0,
  localparam int unsigned SEL_W = rf_pkg::index_bits(COLLECTORS),
  localparam int unsigned WHICH_W = rf_pkg::index_bits(ISSUES),
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  /// The CCU holds an instruction.
  input  logic [COLLECTORS-1:0]         busy_i,
  /// A warp owns the CCU.
  input  logic [COLLECTORS-1:0]         owned_i,
  /// A value in the CCU is near.
  input  logic [COLLECTORS-1:0]         near_i,
  /// Per CCU: the warp that owns it.
  input  logic [COLLECTORS*WARP_W-1:0]  warp_i,
  /// The instruction wants a CCU.
  input  logic [ISSUES-1:0]             req_i,
  /// Per request: its warp.
  input  logic [ISSUES*WARP_W-1:0]      req_warp_i,
  /// Near values are replaced after one cycle more of waiting.
  input  logic [7:0]                    sthld_i,
  /// The instruction gets a CCU.
  output logic [ISSUES-1:0]             grant_o,
  /// Per request: its CCU, 0 when not granted.
  output logic [ISSUES*SEL_W-1:0]       sel_o,
  /// The CCU is taken in this cycle.
  output logic [COLLECTORS-1:0]         alloc_o,
  /// Per CCU: the request that takes it, 0 when none.
  output logic [COLLECTORS*WHICH_W-1:0] which_o,
  /// The instruction waits because of near values.
  output logic [ISSUES-1:0]             wait_o,
  /// The CCU is taken from another warp.
  output logic [COLLECTORS-1:0]         replace_o
);

  if (COLLECTORS < 1 || COLLECTORS > 16) begin : gen_collectors_range
    $error("rf_ccu_allocator: COLLECTORS must be 1 to 16");
  end
  if (ISSUES < 1 || ISSUES > 4) begin : gen_issues_range
    $error("rf_ccu_allocator: ISSUES must be 1 to 4");
  end
  if (WARPS < 1 || WARPS > 64) begin : gen_warps_range
    $error("rf_ccu_allocator: WARPS must be 1 to 64");
  end
  if (CLEAR > 1) begin : gen_clear_range
    $error("rf_ccu_allocator: CLEAR must be 0 or 1");
  end

  logic [8:0]                   count_q, count_d;
  logic [COLLECTORS-1:0]        mask_q, mask_d;
  logic [ISSUES*COLLECTORS-1:0] own;
  logic [COLLECTORS-1:0]        kept, left, mine, open, unowned, far, close, pool, above, taken, last, clears;
  logic [COLLECTORS-1:0]        which_bit [0:WHICH_W-1];
  logic                         late;

  // Per request: the CCUs that its warp owns.
  for (genvar i = 0; i < ISSUES; i++) begin : gen_request
    for (genvar c = 0; c < COLLECTORS; c++) begin : gen_own
      assign own[i*COLLECTORS+c] = req_i[i] && owned_i[c] && warp_i[c*WARP_W +: WARP_W] == req_warp_i[i*WARP_W +: WARP_W];
    end
  end

  // No request takes a CCU from a warp that asks in this cycle.
  always_comb begin
    kept = '0;
    for (int i = 0; i < ISSUES; i++) kept = kept | own[i*COLLECTORS +: COLLECTORS];
  end

  assign late = count_q > {1'b0, sthld_i};

  // One request after the other takes from what the earlier ones left. which_bit[k]: bit k of every CCU's request.
  always_comb begin
    left = ~busy_i;
    last = '0;
    for (int k = 0; k < WHICH_W; k++) which_bit[k] = '0;
    for (int i = 0; i < ISSUES; i++) begin
      mine    = own[i*COLLECTORS +: COLLECTORS];
      open    = left & ~kept;
      unowned = open & ~owned_i;
      far     = open & owned_i & ~near_i;
      close   = open & owned_i & near_i;
      if (mine != '0)         pool = `RF_LOWEST(mine) & left;
      else if (unowned != '0) pool = unowned;
      else if (far != '0)     pool = far;
      else                    pool = close & {COLLECTORS{late}};
      above = pool & mask_q & open & owned_i;
      if (above != '0) pool = above;
      taken = `RF_LOWEST(pool) & {COLLECTORS{req_i[i]}};
      left  = left & ~taken;
      if ((taken & open & owned_i) != '0) last = taken;
      grant_o[i] = taken != '0;
      wait_o[i]  = req_i[i] && mine == '0 && taken == '0 && close != '0;
      for (int k = 0; k < SEL_W; k++) sel_o[i*SEL_W+k] = |(taken & rf_pkg::NUMBERS[k*64 +: COLLECTORS]);
      for (int k = 0; k < WHICH_W; k++) which_bit[k] = which_bit[k] | (taken & {COLLECTORS{i[k]}});
    end
    alloc_o = ~busy_i & ~left;
  end

  for (genvar c = 0; c < COLLECTORS; c++) begin : gen_collector
    for (genvar k = 0; k < WHICH_W; k++) begin : gen_which
      assign which_o[c*WHICH_W+k] = which_bit[k][c];
    end
  end

  assign replace_o = alloc_o & owned_i & ~kept;
  assign clears    = (CLEAR == 0) ? replace_o : replace_o & near_i;
  assign count_d   = (clears != '0) ? '0 : count_q + {8'b0, wait_o != '0};
  assign mask_d    = (replace_o != '0) ? ~(last | (last - 1'b1)) : mask_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      mask_q  <= '0;
    end else begin
      count_q <= count_d;
      mask_q  <= mask_d;
    end
  end

endmodule

`default_nettype wire
