// SPDX-License-Identifier: Apache-2.0
// Issue of rf_wir: which warps' heads must wait, whom each group's scheduler chooses, and what that head is [WIR II, V-B]. Warp w
// is of group w mod ISSUES, and has number w / ISSUES there.
//
// Head:      with no active lane it has no sources, no destination and is no store (D-mask).
// Hazards:   rf_scoreboard's, with the reads that collectors have yet to do (rdp_i); D-war: the head writes a source of an
//            instruction of its warp at a place before the collectors (at_*); D-order: it stores, and one there loads.
// Handshake: a group's scheduler chooses among its valid heads without a hazard (REUSE 1: whose warp has no mappings to release);
//            what it chooses issues with lane_ready_i, and its destination is pending from then on until clr_i names it.
// Depends:   head_o does not depend on lane_ready_i.
// Shown:     head_o: of the warp chosen; none chosen: of the group's first warp.
// Range:     a place of a warp that does not exist counts for nothing; the rest as the units say.
// Reset:     nothing is pending, the schedulers as they say.
`default_nettype none

module rf_wir_issue #(
  /// Warps, 1 to 64, a multiple of ISSUES.
  parameter int unsigned WARPS = 48,
  /// Operand collectors, 1 to 15; COLLECTORS x SLOTS at most 64.
  parameter int unsigned COLLECTORS = 8,
  /// Logical registers of a warp, 1 to 256.
  parameter int unsigned REGS = 63,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 6.
  parameter int unsigned SLOTS = 3,
  /// Execution ports, 1 to 8; EXPORTS + ISSUES at most 8.
  parameter int unsigned EXPORTS = 4,
  /// Issue groups, 1 to 4.
  parameter int unsigned ISSUES = 2,
  /// Warp scheduler. 0: greedy then oldest, 1: loose round-robin, 2: two-level round-robin over fetch groups.
  parameter int unsigned SCHED = 0,
  /// Warps of a fetch group of an issue group (SCHED 2), 1 to 64.
  parameter int unsigned FETCH = 8,
  /// Physical registers, 2 to 1024: width of ib_imm_i.
  parameter int unsigned PREGS = 1024,
  /// Instructions of a group before the collectors, 2 to 18.
  parameter int unsigned PLACES = 10,
  /// 1: warp instruction reuse.
  parameter int unsigned REUSE = 1,
  localparam int unsigned TAG_W = rf_banked_pkg::TAG_W,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS),
  localparam int unsigned OP_W = 8 - SLOTS,
  localparam int unsigned SRC_W = SLOTS * REG_W,
  localparam int unsigned IMM_W = SLOTS * PREG_W,
  localparam int unsigned READS_W = `RF_WIR_READS_W,
  localparam int unsigned ISSUED_W = `RF_WIR_ISSUED_W,
  localparam int unsigned GROUP = WARPS / ISSUES,
  localparam int unsigned READERS = COLLECTORS * SLOTS,
  localparam int unsigned WRITERS = EXPORTS + ISSUES
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  /// Per warp: a new warp starts in the slot; the warp has ended.
  input  logic [WARPS-1:0]                launch_i,
  input  logic [WARPS-1:0]                exit_i,
  /// Per warp: its head, as rf_wir's ports of these names.
  input  logic [WARPS-1:0]                ib_valid_i,
  input  logic [WARPS*TAG_W-1:0]          ib_tag_i,
  input  logic [WARPS*PORT_W-1:0]         ib_port_i,
  input  logic [WARPS*LANES-1:0]          ib_mask_i,
  input  logic [WARPS-1:0]                ib_dst_valid_i,
  input  logic [WARPS*REG_W-1:0]          ib_dst_i,
  input  logic [WARPS*SLOTS-1:0]          ib_src_valid_i,
  input  logic [WARPS*SRC_W-1:0]          ib_src_i,
  input  logic [WARPS-1:0]                ib_reuse_i,
  input  logic [WARPS*OP_W-1:0]           ib_op_i,
  input  logic [WARPS*IMM_W-1:0]          ib_imm_i,
  input  logic [WARPS*2-1:0]              ib_space_i,
  input  logic [WARPS-1:0]                ib_store_i,
  input  logic [WARPS-1:0]                ib_store_shared_i,
  /// Per group: an instruction that issues is taken.
  input  logic [ISSUES-1:0]               lane_ready_i,
  /// Per group and warp of it: mappings are being released.
  input  logic [ISSUES*GROUP-1:0]         walking_i,
  /// Per group and place before the collectors: an instruction, what it has yet to read (rf_wir_pkg's reads_t).
  input  logic [ISSUES*PLACES-1:0]        at_valid_i,
  input  logic [ISSUES*PLACES*READS_W-1:0] at_i,
  /// Per collector and slot: a source that has yet to be read.
  input  logic [READERS-1:0]              rdp_i,
  input  logic [READERS*WARP_W-1:0]       rdp_warp_i,
  input  logic [READERS*REG_W-1:0]        rdp_reg_i,
  /// Per writer, then per group what retires by reuse: a result retires.
  input  logic [WRITERS-1:0]              clr_i,
  input  logic [WRITERS*WARP_W-1:0]       clr_warp_i,
  input  logic [WRITERS*REG_W-1:0]        clr_reg_i,
  /// Per group: this warp issues; 0 when none.
  output logic [ISSUES-1:0]               issue_valid_o,
  output logic [ISSUES*WARP_W-1:0]        issue_warp_o,
  /// Per group and warp of it: launch_i or exit_i names it.
  output logic [ISSUES*GROUP-1:0]         clear_o,
  /// Per group: the head of the warp that the scheduler chooses, an issued_t.
  output logic [ISSUES*ISSUED_W-1:0]      head_o
);

  localparam int unsigned WARP_N = 1 << WARP_W;
  localparam int unsigned LOCAL_W = rf_pkg::index_bits(GROUP);

  if (WARPS < 1 || WARPS > 64 || ISSUES < 1 || ISSUES > 4 || WARPS % ISSUES != 0) begin : gen_warps_range
    $error("rf_wir_issue: WARPS must be 1 to 64, a multiple of ISSUES, ISSUES 1 to 4");
  end
  if (COLLECTORS < 1 || COLLECTORS > 15 || SLOTS < 1 || SLOTS > 6 || READERS > 64) begin : gen_collectors_range
    $error("rf_wir_issue: COLLECTORS must be 1 to 15, SLOTS 1 to 6, COLLECTORS x SLOTS at most 64");
  end
  if (EXPORTS < 1 || WRITERS > 8 || PREGS < 2 || PREGS > 1024 || PLACES < 2 || PLACES > 18) begin : gen_places_range
    $error("rf_wir_issue: EXPORTS must be 1 to 8 - ISSUES, PREGS 2 to 1024, PLACES 2 to 18");
  end
  if (SCHED > rf_banked_pkg::SCHED_GROUPS || FETCH < 1 || FETCH > 64 || REUSE > 1) begin : gen_switch_range
    $error("rf_wir_issue: SCHED must be 0 to 2, FETCH 1 to 64, REUSE 0 or 1");
  end

  `RF_WIR_LANE_RECORDS

  logic [WARPS-1:0]         active, dst_valid, hazard, overtaken, releasing, ready;
  logic [WARPS*SLOTS-1:0]   src_valid;
  logic [ISSUES*PLACES-1:0] overtakes;
  // Per group: the head's warp and destination; the head as a record.
  logic [ISSUES*WARP_W-1:0] head_warp;
  logic [ISSUES-1:0]        head_dst_valid;
  logic [ISSUES*REG_W-1:0]  head_dst;
  issued_t                  head;
  // Per place: what there is to read.
  logic [ISSUES*PLACES*WARP_W-1:0] at_warp;
  logic [ISSUES*PLACES*SLOTS-1:0]  at_src_valid;
  logic [ISSUES*PLACES*SRC_W-1:0]  at_src;
  logic [ISSUES*PLACES-1:0]        at_load;
  reads_t                          place;

  for (genvar w = 0; w < WARPS; w++) begin : gen_head
    assign active[w]    = ib_mask_i[w*LANES +: LANES] != '0;
    assign dst_valid[w] = ib_dst_valid_i[w] && active[w];
    assign src_valid[w*SLOTS +: SLOTS] = ib_src_valid_i[w*SLOTS +: SLOTS] & {SLOTS{active[w]}};
  end

  rf_scoreboard #(.WARPS(WARPS), .REGS(REGS), .SLOTS(SLOTS), .READERS(READERS), .ISSUES(ISSUES), .WRITERS(WRITERS)) u_scoreboard (
    .clk_i(clk_i), .rst_ni(rst_ni), .chk_dst_valid_i(dst_valid), .chk_dst_i(ib_dst_i), .chk_src_valid_i(src_valid),
    .chk_src_i(ib_src_i), .set_i(issue_valid_o & head_dst_valid), .set_warp_i(head_warp), .set_reg_i(head_dst),
    .clr_i(clr_i), .clr_warp_i(clr_warp_i), .clr_reg_i(clr_reg_i), .rdp_i(rdp_i), .rdp_warp_i(rdp_warp_i), .rdp_reg_i(rdp_reg_i),
    .hazard_o(hazard)
  );

  // D-war and D-order: each instruction before the collectors looks up what its warp's head writes, and whether that stores.
  logic [REG_W-1:0]  dst_of [0:WARP_N-1];
  logic [WARP_N-1:0] writes_of, stores_of;
  for (genvar w = 0; w < WARP_N; w++) begin : gen_of
    if (w < WARPS) begin : gen_warp
      assign dst_of[w]    = ib_dst_i[w*REG_W +: REG_W];
      assign writes_of[w] = dst_valid[w];
      assign stores_of[w] = ib_store_i[w] && active[w];
    end else begin : gen_none
      assign dst_of[w]    = '0;
      assign writes_of[w] = 1'b0;
      assign stores_of[w] = 1'b0;
    end
  end
  always_comb begin
    for (int p = 0; p < ISSUES * PLACES; p++) begin
      place = at_i[p*READS_W +: READS_W];
      at_warp[p*WARP_W +: WARP_W]    = place.warp;
      at_src_valid[p*SLOTS +: SLOTS] = place.src_valid;
      at_src[p*SRC_W +: SRC_W]       = place.src;
      at_load[p]                     = place.load;
    end
  end
  for (genvar p = 0; p < ISSUES * PLACES; p++) begin : gen_place
    logic [WARP_W-1:0] warp;
    logic [SLOTS-1:0]  same;
    assign warp = at_warp[p*WARP_W +: WARP_W];
    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      assign same[s] = at_src[p*SRC_W + s*REG_W +: REG_W] == dst_of[warp];
    end
    assign overtakes[p] = at_valid_i[p] && ((writes_of[warp] && (same & at_src_valid[p*SLOTS +: SLOTS]) != '0) ||
                                            (at_load[p] && stores_of[warp]));
  end
  always_comb begin
    overtaken = '0;
    for (int p = 0; p < ISSUES * PLACES; p++) overtaken |= WARPS'(overtakes[p]) << at_warp[p*WARP_W +: WARP_W];
  end

  assign ready = ib_valid_i & ~(hazard | overtaken | releasing);

  for (genvar g = 0; g < ISSUES; g++) begin : gen_issue
    logic                        chosen;
    logic [GROUP-1:0]            group_ready, group_launch, unused_onehot, unused_other;
    logic [LOCAL_W-1:0]          local_warp;
    logic [WARP_W-1:0]           warp;

    for (genvar i = 0; i < GROUP; i++) begin : gen_warp
      assign group_ready[i]  = ready[g + i*ISSUES];
      assign group_launch[i] = launch_i[g + i*ISSUES];
      assign clear_o[g*GROUP + i] = launch_i[g + i*ISSUES] || exit_i[g + i*ISSUES];
      assign releasing[g + i*ISSUES] = REUSE != 0 && (clear_o[g*GROUP + i] || walking_i[g*GROUP + i]);
    end

    if (SCHED == rf_banked_pkg::SCHED_GTO) begin : gen_gto
      rf_sched_gto #(.WARPS(GROUP)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .launch_i(group_launch), .take_i(issue_valid_o[g]),
        .valid_o(chosen), .warp_o(local_warp), .onehot_o(unused_onehot), .other_o(unused_other)
      );
    end else if (SCHED == rf_banked_pkg::SCHED_LRR) begin : gen_lrr
      rf_sched_lrr #(.WARPS(GROUP)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .launch_i(group_launch), .take_i(issue_valid_o[g]),
        .valid_o(chosen), .warp_o(local_warp), .onehot_o(unused_onehot), .other_o(unused_other)
      );
    end else begin : gen_groups
      rf_sched_groups #(.WARPS(GROUP), .FETCH(FETCH)) u_sched (
        .clk_i(clk_i), .rst_ni(rst_ni), .ready_i(group_ready), .launch_i(group_launch), .take_i(issue_valid_o[g]),
        .valid_o(chosen), .warp_o(local_warp), .onehot_o(unused_onehot), .other_o(unused_other)
      );
    end

    assign warp = WARP_W'(local_warp) * WARP_W'(ISSUES) + WARP_W'(g);
    assign issue_valid_o[g]                 = chosen && lane_ready_i[g];
    assign issue_warp_o[g*WARP_W +: WARP_W] = issue_valid_o[g] ? warp : '0;
    assign head_warp[g*WARP_W +: WARP_W]    = warp;
  end

  always_comb begin
    for (int g = 0; g < ISSUES; g++) begin
      head.common.warp      = head_warp[g*WARP_W +: WARP_W];
      head.common.src_valid = src_valid[head.common.warp*SLOTS +: SLOTS];
      head.common.src       = ib_src_i[head.common.warp*SRC_W +: SRC_W];
      head.common.space     = ib_space_i[head.common.warp*2 +: 2];
      head.common.tag       = ib_tag_i[head.common.warp*TAG_W +: TAG_W];
      head.common.port      = ib_port_i[head.common.warp*PORT_W +: PORT_W];
      head.common.dst       = ib_dst_i[head.common.warp*REG_W +: REG_W];
      head.mask             = ib_mask_i[head.common.warp*LANES +: LANES];
      head.dst_valid        = dst_valid[head.common.warp];
      head.reuse            = ib_reuse_i[head.common.warp];
      head.op               = ib_op_i[head.common.warp*OP_W +: OP_W];
      head.imm              = ib_imm_i[head.common.warp*IMM_W +: IMM_W];
      head.store            = ib_store_i[head.common.warp] && head.mask != '0;
      head.store_shared     = ib_store_shared_i[head.common.warp];
      head_o[g*ISSUED_W +: ISSUED_W] = head;
      head_dst_valid[g]              = head.dst_valid;
      head_dst[g*REG_W +: REG_W]     = head.common.dst;
    end
  end

endmodule

`default_nettype wire
