// SPDX-License-Identifier: Apache-2.0
// Front end of one issue group of rf_wir: rename register, reuse register, and the decision on the instruction in the reuse lane
// [WIR V-B, V-C, VI-B]. The tables are beside it and answer in the same cycle.
//
// Latency:   issue t, rename t+1, lane from t+2 on. No output depends on issue_* or map_*.
// Handshake: an instruction is taken while ready_o; ignored otherwise. moves_o: the rename register's goes to the reuse register,
//            which is empty or whose instruction leaves in this cycle.
// Lane:      the instruction in the reuse register, else (RETRY 1) the head of the pending queue. lk_valid_o: it looks the buffer
//            up. hit_i: wants the rename port. wait_i, RETRY 1: to the queue, or to its tail. Else, or no room there: wants a
//            collector. leaves_o: the register or the queue is rid of it. hit_i beats wait_i; both count with lk_valid_o only.
// Empty:     outputs that belong to no instruction are 0.
// RETRY 0:   q_* are not looked at; an instruction that would wait executes, not as a leader.
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
  localparam int unsigned OP_W = 8 - SLOTS
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  /// An instruction issues ...
  input  logic                    issue_valid_i,
  /// ... of this warp, with this tag, for this execution port, active in these lanes ...
  input  logic [WARP_W-1:0]       issue_warp_i,
  input  logic [TAG_W-1:0]        issue_tag_i,
  input  logic [PORT_W-1:0]       issue_port_i,
  input  logic [LANES-1:0]        issue_mask_i,
  /// ... with a destination and, per slot, sources.
  input  logic                    issue_dst_valid_i,
  input  logic [REG_W-1:0]        issue_dst_i,
  input  logic [SLOTS-1:0]        issue_src_valid_i,
  input  logic [SLOTS*REG_W-1:0]  issue_src_i,
  /// It may be reused; its function, and per slot without source the operand of the tag.
  input  logic                    issue_reuse_i,
  input  logic [OP_W-1:0]         issue_op_i,
  input  logic [SLOTS*PREG_W-1:0] issue_imm_i,
  /// What it loads from: rf_wir_pkg's spaces.
  input  logic [1:0]              issue_space_i,
  /// It stores, to scratchpad.
  input  logic                    issue_store_i,
  input  logic                    issue_store_shared_i,
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
  /// It has a head: that instruction.
  input  logic                    q_valid_i,
  input  logic [WARP_W-1:0]       q_warp_i,
  input  logic [TAG_W-1:0]        q_tag_i,
  input  logic [PORT_W-1:0]       q_port_i,
  input  logic [REG_W-1:0]        q_dst_i,
  input  logic [SLOTS-1:0]        q_src_valid_i,
  input  logic [SLOTS*REG_W-1:0]  q_src_i,
  input  logic [7:0]              q_opcode_i,
  input  logic [SLOTS*PREG_W-1:0] q_operand_i,
  input  logic [1:0]              q_space_i,
  input  logic                    q_old_valid_i,
  input  logic [PREG_W-1:0]       q_old_preg_i,
  input  logic                    q_old_pin_i,
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
  /// The rename register holds an instruction: warp, destination, sources, a load from scratchpad or global memory.
  output logic                    rn_valid_o,
  output logic [WARP_W-1:0]       rn_warp_o,
  output logic [REG_W-1:0]        rn_dst_o,
  output logic [SLOTS-1:0]        rn_src_valid_o,
  output logic [SLOTS*REG_W-1:0]  rn_src_o,
  output logic                    rn_load_o,
  /// It moves on and is a store, to scratchpad.
  output logic                    st_valid_o,
  output logic                    st_shared_o,
  /// The reuse register, likewise.
  output logic                    ru_valid_o,
  output logic [WARP_W-1:0]       ru_warp_o,
  output logic [SLOTS-1:0]        ru_src_valid_o,
  output logic [SLOTS*REG_W-1:0]  ru_src_o,
  output logic                    ru_load_o,
  /// There is an instruction in the lane.
  output logic                    lane_valid_o,
  /// It is the queue's head.
  output logic                    lane_retry_o,
  /// The instruction; lane_mapped_o: per slot, the source has a physical register, lane_operand_o.
  output logic [WARP_W-1:0]       lane_warp_o,
  output logic [TAG_W-1:0]        lane_tag_o,
  output logic [PORT_W-1:0]       lane_port_o,
  output logic [LANES-1:0]        lane_mask_o,
  output logic                    lane_dst_valid_o,
  output logic [REG_W-1:0]        lane_dst_o,
  output logic [SLOTS-1:0]        lane_src_valid_o,
  output logic [SLOTS-1:0]        lane_mapped_o,
  output logic [SLOTS*REG_W-1:0]  lane_src_o,
  output logic [7:0]              lane_opcode_o,
  output logic [SLOTS*PREG_W-1:0] lane_operand_o,
  output logic [1:0]              lane_space_o,
  output logic                    lane_old_valid_o,
  output logic [PREG_W-1:0]       lane_old_preg_o,
  output logic                    lane_old_pin_o,
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

  // Rename register: the instruction as issued.
  logic                    rn_valid_q, rn_valid_d;
  logic [WARP_W-1:0]       rn_warp_q;
  logic [TAG_W-1:0]        rn_tag_q;
  logic [PORT_W-1:0]       rn_port_q;
  logic [LANES-1:0]        rn_mask_q;
  logic                    rn_dst_valid_q;
  logic [REG_W-1:0]        rn_dst_q;
  logic [SLOTS-1:0]        rn_src_valid_q;
  logic [SLOTS*REG_W-1:0]  rn_src_q;
  logic                    rn_reuse_q;
  logic [OP_W-1:0]         rn_op_q;
  logic [SLOTS*PREG_W-1:0] rn_imm_q;
  logic [1:0]              rn_space_q;
  logic                    rn_store_q;
  logic                    rn_store_shared_q;
  // Reuse register: renamed.
  logic                    ru_valid_q, ru_valid_d;
  logic [WARP_W-1:0]       ru_warp_q;
  logic [TAG_W-1:0]        ru_tag_q;
  logic [PORT_W-1:0]       ru_port_q;
  logic [LANES-1:0]        ru_mask_q;
  logic                    ru_dst_valid_q;
  logic [REG_W-1:0]        ru_dst_q;
  logic [SLOTS-1:0]        ru_src_valid_q;
  logic [SLOTS-1:0]        ru_mapped_q;
  logic [SLOTS*REG_W-1:0]  ru_src_q;
  logic                    ru_look_q;
  logic [7:0]              ru_opcode_q;
  logic [SLOTS*PREG_W-1:0] ru_operand_q;
  logic [1:0]              ru_space_q;
  logic                    ru_old_valid_q;
  logic [PREG_W-1:0]       ru_old_preg_q;
  logic                    ru_old_pin_q;

  // ------------------------------------------------------------------------------------------------------------------- lane

  logic retry, look, hit, waits, queues, rotates;

  assign retry        = RETRY != 0 && !ru_valid_q && q_valid_i;
  assign lane_valid_o = ru_valid_q || retry;
  assign lane_retry_o = retry;
  assign look         = ru_valid_q ? ru_look_q : retry;

  always_comb begin
    lane_warp_o      = '0;
    lane_tag_o       = '0;
    lane_port_o      = '0;
    lane_mask_o      = '0;
    lane_dst_valid_o = 1'b0;
    lane_dst_o       = '0;
    lane_src_valid_o = '0;
    lane_mapped_o    = '0;
    lane_src_o       = '0;
    lane_opcode_o    = '0;
    lane_operand_o   = '0;
    lane_space_o     = rf_wir_pkg::SPACE_NONE;
    lane_old_valid_o = 1'b0;
    lane_old_preg_o  = '0;
    lane_old_pin_o   = 1'b0;
    if (ru_valid_q) begin
      lane_warp_o      = ru_warp_q;
      lane_tag_o       = ru_tag_q;
      lane_port_o      = ru_port_q;
      lane_mask_o      = ru_mask_q;
      lane_dst_valid_o = ru_dst_valid_q;
      lane_dst_o       = ru_dst_q;
      lane_src_valid_o = ru_src_valid_q;
      lane_mapped_o    = ru_mapped_q;
      lane_src_o       = ru_src_q;
      lane_opcode_o    = ru_opcode_q;
      lane_operand_o   = ru_operand_q;
      lane_space_o     = ru_space_q;
      lane_old_valid_o = ru_old_valid_q;
      lane_old_preg_o  = ru_old_preg_q;
      lane_old_pin_o   = ru_old_pin_q;
    end else if (retry) begin
      lane_warp_o      = q_warp_i;
      lane_tag_o       = q_tag_i;
      lane_port_o      = q_port_i;
      lane_mask_o      = '1;
      lane_dst_valid_o = 1'b1;
      lane_dst_o       = q_dst_i;
      lane_src_valid_o = q_src_valid_i;
      lane_mapped_o    = q_src_valid_i;
      lane_src_o       = q_src_i;
      lane_opcode_o    = q_opcode_i;
      lane_operand_o   = q_operand_i;
      lane_space_o     = q_space_i;
      lane_old_valid_o = q_old_valid_i;
      lane_old_preg_o  = q_old_preg_i;
      lane_old_pin_o   = q_old_pin_i;
    end
  end

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
  logic [SLOTS-1:0]        mapped;
  logic [SLOTS*PREG_W-1:0] operand;

  // With an instruction in the reuse register, what leaves is that one.
  assign moves_o     = rn_valid_q && (!ru_valid_q || leaves_o);
  assign ready_o     = !rn_valid_q || moves_o;
  assign take        = issue_valid_i && ready_o;
  assign rn_valid_d  = take || (rn_valid_q && !moves_o);
  assign ru_valid_d  = moves_o || (ru_valid_q && !leaves_o);
  assign st_valid_o  = moves_o && rn_store_q;
  assign st_shared_o = st_valid_o && rn_store_shared_q;

  assign mapped = rn_src_valid_q & map_src_valid_i;
  assign look_d = rn_reuse_q && rn_dst_valid_q && (&rn_mask_q) && mapped == rn_src_valid_q &&
                  (rn_src_valid_q & map_src_pin_i) == '0 && (LOADS != 0 || rn_space_q == rf_wir_pkg::SPACE_NONE);
  for (genvar s = 0; s < SLOTS; s++) begin : gen_operand
    assign operand[s*PREG_W +: PREG_W] = (map_src_preg_i[s*PREG_W +: PREG_W] & {PREG_W{mapped[s]}}) |
                                         (rn_imm_q[s*PREG_W +: PREG_W] & {PREG_W{!rn_src_valid_q[s]}});
  end

  // SHARED and GLOBAL are the two with the higher bit.
  assign rn_valid_o     = rn_valid_q;
  assign rn_warp_o      = rn_warp_q & {WARP_W{rn_valid_q}};
  assign rn_dst_o       = rn_dst_q & {REG_W{rn_valid_q}};
  assign rn_src_valid_o = rn_src_valid_q & {SLOTS{rn_valid_q}};
  assign rn_src_o       = rn_src_q & {SLOTS*REG_W{rn_valid_q}};
  assign rn_load_o      = rn_valid_q && rn_space_q[1];
  assign ru_valid_o     = ru_valid_q;
  assign ru_warp_o      = ru_warp_q & {WARP_W{ru_valid_q}};
  assign ru_src_valid_o = ru_src_valid_q & {SLOTS{ru_valid_q}};
  assign ru_src_o       = ru_src_q & {SLOTS*REG_W{ru_valid_q}};
  assign ru_load_o      = ru_valid_q && ru_space_q[1];

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
    if (!rst_ni) begin
      rn_warp_q         <= '0;
      rn_tag_q          <= '0;
      rn_port_q         <= '0;
      rn_mask_q         <= '0;
      rn_dst_valid_q    <= 1'b0;
      rn_dst_q          <= '0;
      rn_src_valid_q    <= '0;
      rn_src_q          <= '0;
      rn_reuse_q        <= 1'b0;
      rn_op_q           <= '0;
      rn_imm_q          <= '0;
      rn_space_q        <= '0;
      rn_store_q        <= 1'b0;
      rn_store_shared_q <= 1'b0;
    end else if (take) begin
      rn_warp_q         <= issue_warp_i;
      rn_tag_q          <= issue_tag_i;
      rn_port_q         <= issue_port_i;
      rn_mask_q         <= issue_mask_i;
      rn_dst_valid_q    <= issue_dst_valid_i;
      rn_dst_q          <= issue_dst_i;
      rn_src_valid_q    <= issue_src_valid_i;
      rn_src_q          <= issue_src_i;
      rn_reuse_q        <= issue_reuse_i;
      rn_op_q           <= issue_op_i;
      rn_imm_q          <= issue_imm_i;
      rn_space_q        <= issue_space_i;
      rn_store_q        <= issue_store_i;
      rn_store_shared_q <= issue_store_shared_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      ru_warp_q      <= '0;
      ru_tag_q       <= '0;
      ru_port_q      <= '0;
      ru_mask_q      <= '0;
      ru_dst_valid_q <= 1'b0;
      ru_dst_q       <= '0;
      ru_src_valid_q <= '0;
      ru_mapped_q    <= '0;
      ru_src_q       <= '0;
      ru_look_q      <= 1'b0;
      ru_opcode_q    <= '0;
      ru_operand_q   <= '0;
      ru_space_q     <= '0;
      ru_old_valid_q <= 1'b0;
      ru_old_preg_q  <= '0;
      ru_old_pin_q   <= 1'b0;
    end else if (moves_o) begin
      ru_warp_q      <= rn_warp_q;
      ru_tag_q       <= rn_tag_q;
      ru_port_q      <= rn_port_q;
      ru_mask_q      <= rn_mask_q;
      ru_dst_valid_q <= rn_dst_valid_q;
      ru_dst_q       <= rn_dst_q;
      ru_src_valid_q <= rn_src_valid_q;
      ru_mapped_q    <= mapped;
      ru_src_q       <= rn_src_q;
      ru_look_q      <= look_d;
      ru_opcode_q    <= {rn_op_q, rn_src_valid_q};
      ru_operand_q   <= operand;
      ru_space_q     <= rn_space_q;
      ru_old_valid_q <= rn_dst_valid_q && map_dst_valid_i;
      ru_old_preg_q  <= map_dst_preg_i & {PREG_W{rn_dst_valid_q}};
      ru_old_pin_q   <= rn_dst_valid_q && map_dst_pin_i;
    end
  end

endmodule

`default_nettype wire
