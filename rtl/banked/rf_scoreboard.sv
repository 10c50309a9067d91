// SPDX-License-Identifier: Apache-2.0
// Scoreboard: per warp the destination registers whose results are pending; says which warps' next instruction must wait.
//
// Hazards:   a source is pending (RAW), the destination is pending (WAW), or a collector has yet to read the destination for the
//            same warp (WAR, D-war: without state, from the rdp_* inputs).
// Latency:   hazard_o is combinational; set and clear act at the edge.
// Conflicts: set and clear of one register in one cycle: set wins.
// Range:     warps and registers that do not exist are never set or cleared and never a hazard.
// Reset:     nothing is pending.
// Source:    [WIR II]; D-war is ours.
`default_nettype none

module rf_scoreboard #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 64,
  /// Sources of an instruction, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Collector slots that report outstanding reads, 1 to 64.
  parameter int unsigned READERS = 24,
  /// Set ports, 1 to 4.
  parameter int unsigned ISSUES = 2,
  /// Clear ports, 1 to 8.
  parameter int unsigned WRITERS = 4,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W  = rf_pkg::index_bits(REGS)
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  /// Per warp: its next instruction has a destination.
  input  logic [WARPS-1:0]             chk_dst_valid_i,
  /// Per warp: that destination.
  input  logic [WARPS*REG_W-1:0]       chk_dst_i,
  /// Per warp and slot: its next instruction has this source.
  input  logic [WARPS*SLOTS-1:0]       chk_src_valid_i,
  /// Per warp and slot: that source.
  input  logic [WARPS*SLOTS*REG_W-1:0] chk_src_i,
  /// Per set port: an instruction with a destination issues.
  input  logic [ISSUES-1:0]            set_i,
  /// Per set port: its warp.
  input  logic [ISSUES*WARP_W-1:0]     set_warp_i,
  /// Per set port: its destination.
  input  logic [ISSUES*REG_W-1:0]      set_reg_i,
  /// Per clear port: a result is written.
  input  logic [WRITERS-1:0]           clr_i,
  /// Per clear port: its warp.
  input  logic [WRITERS*WARP_W-1:0]    clr_warp_i,
  /// Per clear port: its register.
  input  logic [WRITERS*REG_W-1:0]     clr_reg_i,
  /// Per reader: it has yet to read.
  input  logic [READERS-1:0]           rdp_i,
  /// Per reader: its warp.
  input  logic [READERS*WARP_W-1:0]    rdp_warp_i,
  /// Per reader: its register.
  input  logic [READERS*REG_W-1:0]     rdp_reg_i,
  /// Per warp: its next instruction must wait.
  output logic [WARPS-1:0]             hazard_o
);

  if (WARPS < 1 || WARPS > 64 || REGS < 1 || REGS > 256 || SLOTS < 1 || SLOTS > 8 || READERS < 1 || READERS > 64 ||
      ISSUES < 1 || ISSUES > 4 || WRITERS < 1 || WRITERS > 8) begin : gen_range
    $error("rf_scoreboard: WARPS 1 to 64, REGS 1 to 256, SLOTS 1 to 8, READERS 1 to 64, ISSUES 1 to 4, WRITERS 1 to 8");
  end

  // What an index can name: entries at and above WARPS or REGS do not exist.
  localparam int unsigned WARP_N = 1 << WARP_W;
  localparam int unsigned REG_N  = 1 << REG_W;

  logic [REGS-1:0]    pending_q [0:WARPS-1];
  logic [REG_W-1:0]   dst [0:WARP_N-1];
  logic [WARPS-1:0]   dst_valid, raw_waw, war;
  logic [READERS-1:0] war_hit;

  // RAW and WAW: each warp looks its registers up among its pending ones.
  for (genvar w = 0; w < WARPS; w++) begin : gen_warp
    logic [REG_N-1:0] pending;
    logic [SLOTS-1:0] raw;
    assign pending[REGS-1:0] = pending_q[w];
    if (REG_N > REGS) begin : gen_pad
      assign pending[REG_N-1:REGS] = '0;
    end
    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      assign raw[s] = pending[chk_src_i[(w*SLOTS+s)*REG_W +: REG_W]];
    end
    assign dst[w]       = chk_dst_i[w*REG_W +: REG_W];
    assign dst_valid[w] = chk_dst_valid_i[w] && {1'b0, dst[w]} < (REG_W+1)'(REGS);
    assign raw_waw[w]   = (raw & chk_src_valid_i[w*SLOTS +: SLOTS]) != '0 || (chk_dst_valid_i[w] && pending[dst[w]]);
  end
  for (genvar w = WARPS; w < WARP_N; w++) begin : gen_no_warp
    assign dst[w] = '0;
  end

  // WAR: each reader looks up the destination of its warp's next instruction.
  for (genvar r = 0; r < READERS; r++) begin : gen_reader
    assign war_hit[r] = rdp_i[r] && dst[rdp_warp_i[r*WARP_W +: WARP_W]] == rdp_reg_i[r*REG_W +: REG_W];
  end
  always_comb begin
    war = '0;
    for (int r = 0; r < READERS; r++)
      war |= {{(WARPS-1){1'b0}}, war_hit[r]} << rdp_warp_i[r*WARP_W +: WARP_W];
  end

  assign hazard_o = raw_waw | (war & dst_valid);

  logic [ISSUES-1:0]  set;
  logic [WRITERS-1:0] clr;
  for (genvar p = 0; p < ISSUES; p++) begin : gen_set
    assign set[p] = set_i[p] && {1'b0, set_warp_i[p*WARP_W +: WARP_W]} < (WARP_W+1)'(WARPS) &&
                    {1'b0, set_reg_i[p*REG_W +: REG_W]} < (REG_W+1)'(REGS);
  end
  for (genvar p = 0; p < WRITERS; p++) begin : gen_clr
    assign clr[p] = clr_i[p] && {1'b0, clr_warp_i[p*WARP_W +: WARP_W]} < (WARP_W+1)'(WARPS) &&
                    {1'b0, clr_reg_i[p*REG_W +: REG_W]} < (REG_W+1)'(REGS);
  end

  // The later assignment wins: set beats clear.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int w = 0; w < WARPS; w++) pending_q[w] <= '0;
    end else begin
      for (int p = 0; p < WRITERS; p++)
        if (clr[p]) pending_q[clr_warp_i[p*WARP_W +: WARP_W]][clr_reg_i[p*REG_W +: REG_W]] <= 1'b0;
      for (int p = 0; p < ISSUES; p++)
        if (set[p]) pending_q[set_warp_i[p*WARP_W +: WARP_W]][set_reg_i[p*REG_W +: REG_W]] <= 1'b1;
    end
  end

endmodule

`default_nettype wire
