// SPDX-License-Identifier: Apache-2.0
// Rename and reuse of one issue group of rf_wir [WIR V-B, V-C, VI-B]: rf_wir_front with the group's rename tables and its pending
// queue, what they write when an instruction retires, and what references to physical registers that takes and ends. The warps of
// the group are those with one remainder mod ISSUES; warp / ISSUES is a warp's number in the tables.
//
// Handshake: an instruction is taken while ready_o, as rf_wir_front says. hit_i, wait_i, port_i, collector_i count where wanted.
// Retires:   reused_o: the lane's instruction does, with result_i; else done_i: a result does. Its mapping is written at the edge,
//            unless the warp does not exist.
// Release:   clear_i marks the group's warps; while one is marked walk_valid_o offers a mapping of it, walk_i takes it.
// References: inc_o: sources of an entry that is reserved (reserved_i), or port 0 the result of a reuse hit. dec_o: the mapping
//            that is released, or the old one of what retires.
// Before the collectors: at_*: rename register, reuse register, then the places of the pending queue from its head on.
// REUSE 0:   nothing is looked up or kept: the physical register is the one that D-map's bank and row of the logical one are.
// Reset:     everything is 0.
`default_nettype none

module rf_wir_lane #(
  /// Warps, 1 to 64, a multiple of ISSUES.
  parameter int unsigned WARPS = 48,
  /// Issue groups, 1 to 4.
  parameter int unsigned ISSUES = 2,
  /// Logical registers of a warp, 1 to 256.
  parameter int unsigned REGS = 63,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 6.
  parameter int unsigned SLOTS = 3,
  /// Execution ports, 1 to 8.
  parameter int unsigned EXPORTS = 4,
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// Register banks of D-map (REUSE 0), a power of two, 1 to 32.
  parameter int unsigned BANKS = 8,
  /// Entries of the pending queue, 1 to 16.
  parameter int unsigned QUEUE = 8,
  /// 1: warp instruction reuse.
  parameter int unsigned REUSE = 1,
  /// 1: loads may reuse.
  parameter int unsigned LOADS = 1,
  /// 1: pending-retry.
  parameter int unsigned RETRY = 1,
  localparam int unsigned TAG_W = rf_banked_pkg::TAG_W,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS),
  localparam int unsigned OP_W = 8 - SLOTS,
  localparam int unsigned READS_W = `RF_WIR_READS_W,
  localparam int unsigned ISSUED_W = `RF_WIR_ISSUED_W,
  localparam int unsigned RENAMED_W = `RF_WIR_RENAMED_W,
  localparam int unsigned LANE_W = `RF_WIR_LANE_W,
  localparam int unsigned OLD_W = `RF_WIR_OLD_W,
  localparam int unsigned GROUP = WARPS / ISSUES,
  localparam int unsigned PLACES = 2 + ((REUSE != 0 && RETRY != 0) ? QUEUE : 0)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  /// An instruction issues: rf_wir_pkg's issued_t.
  input  logic                     issue_valid_i,
  input  logic [ISSUED_W-1:0]      issue_i,
  /// Per warp of the group: its mappings are to be released.
  input  logic [GROUP-1:0]         clear_i,
  /// The release takes a step.
  input  logic                     walk_i,
  /// The lane's instruction: it may look up, it has been computed (its result), it is about to be; its entry is reserved.
  input  logic                     allow_i,
  input  logic                     hit_i,
  input  logic                     wait_i,
  input  logic [PREG_W-1:0]        result_i,
  input  logic                     reserved_i,
  /// It gets the rename port, a collector.
  input  logic                     port_i,
  input  logic                     collector_i,
  /// A result of the group retires: warp, logical and physical register, an old_t whose `valid` says that its reference ends.
  input  logic                     done_i,
  input  logic [WARP_W-1:0]        done_warp_i,
  input  logic [REG_W-1:0]         done_dst_i,
  input  logic [PREG_W-1:0]        done_reg_i,
  input  logic [OLD_W-1:0]         done_old_i,
  /// An instruction that issues is taken.
  output logic                     ready_o,
  /// Per warp of the group: mappings are being released.
  output logic [GROUP-1:0]         walking_o,
  output logic                     walk_valid_o,
  /// Before the collectors, per place: an instruction, what it has yet to read (reads_t).
  output logic [PLACES-1:0]        at_valid_o,
  output logic [PLACES*READS_W-1:0] at_o,
  /// A store moves on, of this warp; to scratchpad.
  output logic                     st_valid_o,
  output logic                     st_shared_o,
  output logic [WARP_W-1:0]        rn_warp_o,
  /// The lane's instruction, a lane_t; 0 when there is none.
  output logic [LANE_W-1:0]        lane_o,
  /// It looks up; wants the rename port, a collector; reserves its entry; is gone; retires with result_i.
  output logic                     lk_valid_o,
  output logic                     want_port_o,
  output logic                     want_collector_o,
  output logic                     leads_o,
  output logic                     leaves_o,
  output logic                     reused_o,
  /// References to registers that begin and end; registers 0 when none.
  output logic [SLOTS-1:0]         inc_o,
  output logic [SLOTS*PREG_W-1:0]  inc_reg_o,
  output logic                     dec_o,
  output logic [PREG_W-1:0]        dec_reg_o
);

  if (WARPS < 1 || WARPS > 64 || ISSUES < 1 || ISSUES > 4 || WARPS % ISSUES != 0 || REUSE > 1) begin : gen_warps_range
    $error("rf_wir_lane: WARPS 1 to 64, a multiple of ISSUES, ISSUES 1 to 4, REUSE 0 or 1");
  end
  if (BANKS < 1 || BANKS > 32 || (BANKS & (BANKS - 1)) != 0 || QUEUE < 1 || QUEUE > 16) begin : gen_banks_range
    $error("rf_wir_lane: BANKS must be a power of two up to 32, QUEUE 1 to 16");
  end

  localparam int unsigned LOCAL_W = rf_pkg::index_bits(GROUP);

  `RF_WIR_LANE_RECORDS

  logic                    unused_moves, unused_lane_valid, rn_valid, ru_valid, lane_retry;
  reads_t                  rn, ru;
  logic [WARP_W-1:0]       rn_warp;
  logic [SLOTS*REG_W-1:0]  rn_src;
  logic [REG_W-1:0]        rn_dst;
  logic [SLOTS-1:0]        map_src_valid, map_src_pin;
  logic                    map_dst_valid, map_dst_pin;
  logic [SLOTS*PREG_W-1:0] map_src_preg;
  logic [PREG_W-1:0]       map_dst_preg;
  logic [2:0]              act;
  issued_t                 issue, front_issue;
  lane_t                   lane;
  old_t                    done_old;
  logic [PREG_W-1:0]       old_preg, done_preg;
  logic                    old_valid, done_ends, done_pin;
  logic [WARP_W-1:0]       lane_warp;
  logic [REG_W-1:0]        lane_dst;
  logic [SLOTS-1:0]        names; // operands that are registers
  logic [SLOTS*PREG_W-1:0] operand;
  // The pending queue's head.
  logic                    q_ready, q_valid;
  logic [RENAMED_W-1:0]    q_head;

  assign issue = issue_i;
  always_comb begin
    front_issue       = issue;
    front_issue.reuse = REUSE != 0 && issue.reuse;
  end

  rf_wir_front #(.WARPS(WARPS), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS), .PREGS(PREGS), .LOADS(LOADS),
                 .RETRY(RETRY)) u_front (
    .clk_i(clk_i), .rst_ni(rst_ni), .issue_valid_i(issue_valid_i), .issue_i(front_issue), .map_src_valid_i(map_src_valid),
    .map_src_preg_i(map_src_preg), .map_src_pin_i(map_src_pin), .map_dst_valid_i(map_dst_valid), .map_dst_preg_i(map_dst_preg),
    .map_dst_pin_i(map_dst_pin), .q_ready_i(q_ready), .q_valid_i(q_valid), .q_i(q_head), .allow_i(allow_i), .hit_i(hit_i),
    .wait_i(wait_i), .port_i(port_i), .collector_i(collector_i), .ready_o(ready_o), .moves_o(unused_moves), .rn_valid_o(rn_valid),
    .rn_o(rn), .rn_dst_o(rn_dst), .st_valid_o(st_valid_o), .st_shared_o(st_shared_o), .ru_valid_o(ru_valid), .ru_o(ru),
    .lane_valid_o(unused_lane_valid), .lane_retry_o(lane_retry), .lane_o(lane), .lk_valid_o(lk_valid_o),
    .want_port_o(want_port_o), .want_collector_o(want_collector_o), .act_o(act), .leads_o(leads_o), .leaves_o(leaves_o)
  );

  assign lane_o     = lane;
  assign lane_warp  = lane.renamed.common.warp;
  assign lane_dst   = lane.renamed.common.dst;
  assign names      = lane.renamed.opcode[SLOTS-1:0];
  assign operand    = lane.renamed.operand;
  assign old_preg   = lane.renamed.old.preg;
  assign old_valid  = lane.renamed.old.valid;
  assign done_old   = done_old_i;
  assign done_preg  = done_old.preg;
  assign done_ends  = done_old.valid;
  assign done_pin   = done_old.pin;
  assign reused_o   = act == rf_wir_pkg::ACT_REUSE;
  assign rn_warp    = rn.warp;
  assign rn_src     = rn.src;
  assign rn_warp_o  = rn_warp;
  assign at_valid_o[1:0]     = {ru_valid, rn_valid};
  assign at_o[2*READS_W-1:0] = {ru, rn};

  if (REUSE != 0) begin : gen_reuse
    logic [WARP_W-1:0] warp;
    logic [PREG_W-1:0] preg, walk_preg;
    logic              walks;

    // Who retires: at most one of them, for there is one rename port.
    assign warp = reused_o ? lane_warp : done_warp_i;
    assign preg = reused_o ? result_i : done_reg_i;

    rf_rename #(.WARPS(GROUP), .REGS(REGS), .SLOTS(SLOTS), .PREGS(PREGS)) u_rename (
      .clk_i(clk_i), .rst_ni(rst_ni), .rd_warp_i(LOCAL_W'({rf_wir_pkg::local_of(6'(rn_warp), 3'(ISSUES))})),
      .rd_src_i(rn_src), .rd_dst_i(rn_dst),
      .wr_valid_i((reused_o || done_i) && {1'b0, warp} < (WARP_W + 1)'(WARPS)),
      .wr_warp_i(LOCAL_W'({rf_wir_pkg::local_of(6'(warp), 3'(ISSUES))})), .wr_reg_i(reused_o ? lane_dst : done_dst_i),
      .wr_preg_i(preg), .wr_pin_i(!reused_o && done_pin), .clear_i(clear_i), .walk_i(walk_i),
      .src_valid_o(map_src_valid), .src_preg_o(map_src_preg), .src_pin_o(map_src_pin), .dst_valid_o(map_dst_valid),
      .dst_preg_o(map_dst_preg), .dst_pin_o(map_dst_pin), .walking_o(walking_o), .walk_valid_o(walk_valid_o),
      .walk_preg_o(walk_preg)
    );

    for (genvar s = 0; s < SLOTS; s++) begin : gen_reference
      logic shared;
      assign shared   = s == 0 && reused_o;
      assign inc_o[s] = (reserved_i && names[s]) || shared;
      assign inc_reg_o[s*PREG_W +: PREG_W] = (shared ? result_i : operand[s*PREG_W +: PREG_W]) & {PREG_W{inc_o[s]}};
    end
    assign walks     = walk_i && walk_valid_o;
    assign dec_o     = walks || (reused_o ? old_valid : done_i && done_ends);
    assign dec_reg_o = (walks ? walk_preg : reused_o ? old_preg : done_preg) & {PREG_W{dec_o}};
  end else begin : gen_plain
    localparam int unsigned ROWS_PER_WARP = rf_banked_pkg::rows_per_warp(REGS, BANKS);
    logic unused_plain;
    assign unused_plain = ^{rn_dst, clear_i, walk_i, result_i, reserved_i, done_i, done_warp_i, done_dst_i, done_reg_i, done_preg,
                            done_ends, done_pin, lane_warp, lane_dst, names, operand, old_preg, old_valid};
    for (genvar s = 0; s < SLOTS; s++) begin : gen_map
      logic [5:0] warp;
      logic [7:0] register;
      assign warp     = 6'(rn_warp);
      assign register = 8'(rn_src[s*REG_W +: REG_W]);
      assign map_src_preg[s*PREG_W +: PREG_W] =
          PREG_W'({rf_banked_pkg::map_row(warp, register, 6'(BANKS), 9'(ROWS_PER_WARP))}) * PREG_W'(BANKS) +
          PREG_W'({rf_banked_pkg::map_bank(warp, register, 6'(BANKS))});
    end
    assign {map_src_valid, map_src_pin} = {{SLOTS{1'b1}}, {SLOTS{1'b0}}};
    assign {map_dst_valid, map_dst_preg, map_dst_pin, walking_o, walk_valid_o, inc_o, inc_reg_o, dec_o, dec_reg_o} = '0;
  end

  if (REUSE != 0 && RETRY != 0) begin : gen_retry
    rf_pending_queue #(.DEPTH(QUEUE), .WARPS(WARPS), .REGS(REGS), .SLOTS(SLOTS), .PREGS(PREGS), .EXPORTS(EXPORTS)) u_queue (
      .clk_i(clk_i), .rst_ni(rst_ni), .push_i(act == rf_wir_pkg::ACT_QUEUE), .entry_i(lane[LANE_W-1 -: RENAMED_W]),
      .pop_i(leaves_o && lane_retry), .rotate_i(act == rf_wir_pkg::ACT_ROTATE), .ready_o(q_ready), .valid_o(q_valid),
      .head_o(q_head), .at_valid_o(at_valid_o[PLACES-1:2]), .at_o(at_o[PLACES*READS_W-1:2*READS_W])
    );
  end else begin : gen_no_retry
    logic unused_retry;
    assign unused_retry = lane_retry;
    assign {q_ready, q_valid, q_head} = '0;
  end

endmodule

`default_nettype wire
