// SPDX-License-Identifier: Apache-2.0
// Front end of one issue group of rf_wir: rename register, reuse register, and the decision on the instruction in the reuse lane
// [WIR V-B, V-C, VI-B]. The tables are beside it and answer in the same cycle.
//
// Latency:   issue t, rename t+1, lane from t+2 on. No output depends on issue_i or map_*.
// Handshake: an instruction is taken while ready_o; ignored otherwise. moves_o: the rename register's goes to the reuse register,
//            which is empty or whose instruction leaves in this cycle.
// Lane:      the instruction in the reuse register, else (RETRY 1) the head of the pending queue. lk_valid_o: it looks the buffer
//            up. hit_i: wants the rename port. wait_i, RETRY 1: to the queue, or to its tail. Else, or no room there: wants a
//            collector. leaves_o: the register or the queue is rid of it. hit_i beats wait_i; both count with lk_valid_o only.
// Empty:     outputs that belong to no instruction are 0.
// RETRY 0:   q_i and q_valid_i are not looked at; an instruction that would wait executes, not as a leader.
// Reset:     everything is 0.
`default_nettype none

module rf_wir_front #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 48,
  /// Logical registers of a warp, 1 to 256.
  parameter int unsigned REGS = 63,
  /// Lanes, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 6.
  parameter int unsigned SLOTS = 3,
  /// Execution ports, 1 to 8.
  parameter int unsigned EXPORTS = 4,
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// 1: loads may reuse [WIR VI-A].
  parameter int unsigned LOADS = 1,
  /// 1: pending-retry [WIR VI-B].
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
  localparam int unsigned LANE_W = `RF_WIR_LANE_W
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  /// An instruction issues ...
  input  logic                    issue_valid_i,
  /// ... this one: rf_wir_pkg's issued_t.
  input  logic [ISSUED_W-1:0]     issue_i,
  /// The rename table's answer to rn_*: per slot mapped, register, pinned.
  input  logic [SLOTS-1:0]        map_src_valid_i,
  input  logic [SLOTS*PREG_W-1:0] map_src_preg_i,
  input  logic [SLOTS-1:0]        map_src_pin_i,
  /// The same of the destination.
  input  logic                    map_dst_valid_i,
  input  logic [PREG_W-1:0]       map_dst_preg_i,
  input  logic                    map_dst_pin_i,
  /// The pending queue has room.
  input  logic                    q_ready_i,
  /// It has a head: that instruction, a renamed_t.
  input  logic                    q_valid_i,
  input  logic [RENAMED_W-1:0]    q_i,
  /// The lane's instruction may look the buffer up (rf_load_guard).
  input  logic                    allow_i,
  /// The buffer has its result.
  input  logic                    hit_i,
  /// Another one is about to compute it.
  input  logic                    wait_i,
  /// It gets the rename port.
  input  logic                    port_i,
  /// It gets a collector.
  input  logic                    collector_i,
  /// The rename register takes an instruction.
  output logic                    ready_o,
  /// The rename register's instruction goes to the reuse register.
  output logic                    moves_o,
  /// The rename register holds an instruction: what it has to read (reads_t), its destination.
  output logic                    rn_valid_o,
  output logic [READS_W-1:0]      rn_o,
  output logic [REG_W-1:0]        rn_dst_o,
  /// It moves on and is a store, to scratchpad.
  output logic                    st_valid_o,
  output logic                    st_shared_o,
  /// The reuse register, likewise.
  output logic                    ru_valid_o,
  output logic [READS_W-1:0]      ru_o,
  /// There is an instruction in the lane.
  output logic                    lane_valid_o,
  /// It is the queue's head.
  output logic                    lane_retry_o,
  /// The instruction: a lane_t; a source that is `mapped` has a physical register, its `operand`.
  output logic [LANE_W-1:0]       lane_o,
  /// It looks the reuse buffer up.
  output logic                    lk_valid_o,
  /// It wants the rename port.
  output logic                    want_port_o,
  /// It wants a collector.
  output logic                    want_collector_o,
  /// What becomes of it: rf_wir_pkg's acts.
  output logic [2:0]              act_o,
  /// It executes and reserves its entry of the buffer.
  output logic                    leads_o,
  /// The reuse register or the queue is rid of it.
  output logic                    leaves_o
);

  if (WARPS < 1 || WARPS > 64 || REGS < 1 || REGS > 256 || LANES < 1 || LANES > 32 || EXPORTS < 1 || EXPORTS > 8) begin : gen_range
    $error("rf_wir_front: WARPS 1 to 64, REGS 1 to 256, LANES 1 to 32, EXPORTS 1 to 8");
  end
  if (SLOTS < 1 || SLOTS > 6 || PREGS < 2 || PREGS > 1024 || LOADS > 1 || RETRY > 1) begin : gen_reuse_range
    $error("rf_wir_front: SLOTS 1 to 6, PREGS 2 to 1024, LOADS and RETRY 0 or 1");
  end

  `RF_WIR_LANE_RECORDS

  // Rename register: the instruction as issued. Reuse register: as the lane has it, and whether it may look up.
  logic     rn_valid_q, rn_valid_d, ru_valid_q, ru_valid_d, ru_look_q;
  issued_t  rn_q;
  lane_t    ru_q, ru_d, lane;
  renamed_t head;

  // ------------------------------------------------------------------------------------------------------------------- lane

  logic retry, look, hit, waits, queues, rotates;

  assign retry        = RETRY != 0 && !ru_valid_q && q_valid_i;
  assign lane_valid_o = ru_valid_q || retry;
  assign lane_retry_o = retry;
  assign look         = ru_valid_q ? ru_look_q : retry;

  assign head = q_i;

  always_comb begin
    lane = '0;
    if (ru_valid_q) begin
      lane = ru_q;
    end else if (retry) begin
      lane.renamed   = head;
      lane.mask      = '1;
      lane.dst_valid = 1'b1;
      lane.mapped    = head.common.src_valid;
    end
  end
  assign lane_o = lane;

  // -------------------------------------------------------------------------------------------------------------------- act

  assign lk_valid_o = look && allow_i;
  assign hit        = lk_valid_o && hit_i;
  assign waits      = RETRY != 0 && lk_valid_o && wait_i && !hit_i;
  assign queues     = waits && !retry && q_ready_i;
  assign rotates    = waits && retry;

  assign want_port_o      = hit;
  assign want_collector_o = lane_valid_o && !(hit || queues || rotates);
  assign leads_o          = want_collector_o && collector_i && lk_valid_o && !wait_i;
  assign leaves_o         = (hit && port_i) || queues || (want_collector_o && collector_i);

  always_comb begin
    act_o = rf_wir_pkg::ACT_NOTHING;
    if (hit)                                  act_o = port_i ? rf_wir_pkg::ACT_REUSE : rf_wir_pkg::ACT_NOTHING;
    else if (queues)                          act_o = rf_wir_pkg::ACT_QUEUE;
    else if (rotates)                         act_o = rf_wir_pkg::ACT_ROTATE;
    else if (want_collector_o && collector_i) act_o = rf_wir_pkg::ACT_EXECUTE;
  end

  // --------------------------------------------------------------------------------------------------------- the two registers

  logic                    take, look_d;
  logic [SLOTS-1:0]        src_valid, mapped;
  logic [SLOTS*PREG_W-1:0] imm, operand;

  // With an instruction in the reuse register, what leaves is that one.
  assign moves_o     = rn_valid_q && (!ru_valid_q || leaves_o);
  assign ready_o     = !rn_valid_q || moves_o;
  assign take        = issue_valid_i && ready_o;
  assign rn_valid_d  = take || (rn_valid_q && !moves_o);
  assign ru_valid_d  = moves_o || (ru_valid_q && !leaves_o);
  assign st_valid_o  = moves_o && rn_q.store;
  assign st_shared_o = st_valid_o && rn_q.store_shared;

  assign src_valid = rn_q.common.src_valid;
  assign imm       = rn_q.imm;
  assign mapped    = src_valid & map_src_valid_i;
  assign look_d    = rn_q.reuse && rn_q.dst_valid && (&rn_q.mask) && mapped == src_valid &&
                     (src_valid & map_src_pin_i) == '0 && (LOADS != 0 || rn_q.common.space == rf_wir_pkg::SPACE_NONE);
  for (genvar s = 0; s < SLOTS; s++) begin : gen_operand
    assign operand[s*PREG_W +: PREG_W] = (map_src_preg_i[s*PREG_W +: PREG_W] & {PREG_W{mapped[s]}}) |
                                         (imm[s*PREG_W +: PREG_W] & {PREG_W{!src_valid[s]}});
  end

  always_comb begin
    ru_d.renamed.common    = rn_q.common;
    ru_d.renamed.opcode    = {rn_q.op, src_valid};
    ru_d.renamed.operand   = operand;
    ru_d.renamed.old.preg  = map_dst_preg_i & {PREG_W{rn_q.dst_valid}};
    ru_d.renamed.old.valid = rn_q.dst_valid && map_dst_valid_i;
    ru_d.renamed.old.pin   = rn_q.dst_valid && map_dst_pin_i;
    ru_d.mask              = rn_q.mask;
    ru_d.dst_valid         = rn_q.dst_valid;
    ru_d.mapped            = mapped;
  end

  // What there is to read are a record's uppermost bits. SHARED and GLOBAL, the loads, are the spaces with the higher bit.
  assign rn_valid_o = rn_valid_q;
  assign rn_o       = rn_q[ISSUED_W-1 -: READS_W] & {READS_W{rn_valid_q}};
  assign rn_dst_o   = rn_q.common.dst & {REG_W{rn_valid_q}};
  assign ru_valid_o = ru_valid_q;
  assign ru_o       = ru_q[LANE_W-1 -: READS_W] & {READS_W{ru_valid_q}};

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rn_valid_q <= 1'b0;
      ru_valid_q <= 1'b0;
    end else begin
      rn_valid_q <= rn_valid_d;
      ru_valid_q <= ru_valid_d;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) rn_q <= '0;
    else if (take) rn_q <= issue_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ru_q      <= '0;
      ru_look_q <= 1'b0;
    end else if (moves_o) begin
      ru_q      <= ru_d;
      ru_look_q <= look_d;
    end
  end

endmodule

`default_nettype wire
