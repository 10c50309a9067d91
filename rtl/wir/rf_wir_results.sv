// SPDX-License-Identifier: Apache-2.0
// Results of rf_wir from the execution ports to the heads of their queues: a hash pipe and a result queue a port, and between them
// the allocation of physical registers [WIR V-A, V-D, VI-C]: value signature buffer, verify cache and free registers are here.
//
// Handshake:  a result is accepted while res_ready_o; pop_i removes a head. A pop of an empty queue is ignored.
// Allocation: a group (warp mod ISSUES) takes one result at the end of a pipe a cycle, in turn, of those whose queue has room, and
//             decides: SHARE the register that holds its value, VERIFY one that may, MERGE with the old one, or WRITE.
// Registers:  those free and not promised are given to groups in order. A result in VERIFY is promised one; need_i: a verifier
//             claims it, cand_i is what it read in vain; shared_i: a result in VERIFY retires without. CAPPED: only while fewer
//             than limit_i are in use or promised; a result that then gets none overwrites its old register if own_i.
// Low mode:   fewer than ISSUES may be given: misses give up their entry of the value signature buffer, and so does the one that
//             random_i names while no group takes a result that looked one up.
// References: inc_o, dec_o: what the buffer, queues and verifiers name from the coming edge on, and no longer.
// REUSE 0:    each port's result goes on by itself, to the register that D-map's bank and row of its logical one are.
// Latency:    accepted in cycle t, allocated in t + STAGES, head in t + STAGES + 1 at the earliest.
// Reset:      everything is 0: pipes and queues are empty, all registers free.
`default_nettype none

module rf_wir_results #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 48,
  /// Logical registers of a warp, 1 to 256.
  parameter int unsigned REGS = 63,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Execution ports, 1 to 8.
  parameter int unsigned EXPORTS = 4,
  /// Issue groups, 1 to 4.
  parameter int unsigned ISSUES = 2,
  /// Register banks of D-map (REUSE 0), a power of two, 1 to 32.
  parameter int unsigned BANKS = 8,
  /// Stages of a hash pipe, 1 to 5.
  parameter int unsigned STAGES = 2,
  /// Entries of a result queue, 1 to 16.
  parameter int unsigned WBDEPTH = 4,
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// Bits of res_info_i, its low ones {old register, old mapping valid, pinned}; at most 64.
  parameter int unsigned INFOW = 21,
  /// Verifiers of a group, 1 to 4.
  parameter int unsigned VERIFIERS = 2,
  /// 1: warp instruction reuse.
  parameter int unsigned REUSE = 1,
  /// 1: value signature buffer.
  parameter int unsigned VSB = 1,
  /// Its entries, a power of two, 1 to 512.
  parameter int unsigned VENTRIES = 256,
  /// Lines of the verify cache, 0 (none) to 16.
  parameter int unsigned VCACHE = 8,
  /// 1: no register is given out beyond limit_i.
  parameter int unsigned CAPPED = 0,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS),
  localparam int unsigned COUNT_W = $clog2(PREGS + 1),
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  /// Per port: a result is offered ...
  input  logic [EXPORTS-1:0]                res_valid_i,
  input  logic [EXPORTS*WARP_W-1:0]         res_warp_i,
  input  logic [EXPORTS*REG_W-1:0]          res_dst_i,
  /// ... with these lanes, their values ...
  input  logic [EXPORTS*LANES-1:0]          res_mask_i,
  input  logic [EXPORTS*DATA_W-1:0]         res_data_i,
  /// ... and {carried along, old register, old mapping valid, pinned}.
  input  logic [EXPORTS*INFOW-1:0]          res_info_i,
  /// Per port: the head of its queue leaves.
  input  logic [EXPORTS-1:0]                pop_i,
  /// Element group * VERIFIERS + verifier: it needs a register; the one whose reference it then gives up.
  input  logic [ISSUES*VERIFIERS-1:0]       need_i,
  input  logic [ISSUES*VERIFIERS*PREG_W-1:0] cand_i,
  /// Per group: a result in VERIFY retires without one.
  input  logic [ISSUES-1:0]                 shared_i,
  /// Per group: a verify-read has fetched this register's value.
  input  logic [ISSUES-1:0]                 fill_i,
  input  logic [ISSUES*PREG_W-1:0]          fill_reg_i,
  input  logic [ISSUES*DATA_W-1:0]          fill_data_i,
  /// Registers that become free.
  input  logic [1:0]                        back_i,
  input  logic [2*PREG_W-1:0]               back_reg_i,
  /// Registers that may be in use (CAPPED).
  input  logic [COUNT_W-1:0]                limit_i,
  /// Per group: nobody but a mapping names old_reg_o (CAPPED).
  input  logic [ISSUES-1:0]                 own_i,
  /// Its low bits: the entry of the value signature buffer that may be dropped.
  input  logic [15:0]                       random_i,
  /// Per port: it accepts a result.
  output logic [EXPORTS-1:0]                res_ready_o,
  /// Low register mode.
  output logic                              low_o,
  /// Per port: its queue has a head: what is to be done (RESULT_* of rf_wir_pkg) ...
  output logic [EXPORTS-1:0]                head_valid_o,
  output logic [EXPORTS*2-1:0]              head_op_o,
  /// ... for this warp's register ...
  output logic [EXPORTS*WARP_W-1:0]         head_warp_o,
  output logic [EXPORTS*REG_W-1:0]          head_dst_o,
  /// ... in this physical register, after this one was read ...
  output logic [EXPORTS*PREG_W-1:0]         head_preg_o,
  output logic [EXPORTS*PREG_W-1:0]         head_cand_o,
  /// ... lanes, values, {carried along, old register, its reference ends, the new mapping is pinned}.
  output logic [EXPORTS*LANES-1:0]          head_mask_o,
  output logic [EXPORTS*DATA_W-1:0]         head_data_o,
  output logic [EXPORTS*INFOW-1:0]          head_info_o,
  /// Element group * VERIFIERS + verifier: it gets the group's given_reg_o.
  output logic [ISSUES*VERIFIERS-1:0]       give_o,
  /// Per group: a register is given out, to a result or a verifier; 0 when none, like all below.
  output logic [ISSUES-1:0]                 given_o,
  output logic [ISSUES*PREG_W-1:0]          given_reg_o,
  /// Per group, two: {by the buffer or a verifier, by the result that is allocated}: a register is named anew.
  output logic [ISSUES*2-1:0]               inc_o,
  output logic [ISSUES*2*PREG_W-1:0]        inc_reg_o,
  /// Per group: one is no longer, by a verifier or the buffer.
  output logic [ISSUES-1:0]                 dec_o,
  output logic [ISSUES*PREG_W-1:0]          dec_reg_o,
  /// Per group: old register of the result that is tried.
  output logic [ISSUES*PREG_W-1:0]          old_reg_o
);

  if (EXPORTS < 1 || EXPORTS > 8 || ISSUES < 1 || ISSUES > 4 || VERIFIERS < 1 || VERIFIERS > 4 || REUSE > 1 || VSB > 1 ||
      CAPPED > 1 || VCACHE > 16) begin : gen_range
    $error("rf_wir_results: EXPORTS 1 to 8, ISSUES and VERIFIERS 1 to 4, REUSE, VSB and CAPPED 0 or 1, VCACHE 0 to 16");
  end
  if (BANKS < 1 || BANKS > 32 || (BANKS & (BANKS - 1)) != 0 || INFOW < PREG_W + 2 || INFOW > 64) begin : gen_width_range
    $error("rf_wir_results: BANKS must be a power of two up to 32, INFOW at least that of a register and 2, at most 64");
  end

  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS);
  localparam int unsigned ISSUE_W = rf_pkg::index_bits(ISSUES);
  localparam int unsigned VENTRY_W = rf_pkg::index_bits(VENTRIES);

  // Ends of the hash pipes.
  logic [EXPORTS-1:0]        end_valid, queue_ready, take;
  logic [EXPORTS*WARP_W-1:0] end_warp;
  logic [EXPORTS*REG_W-1:0]  end_dst;
  logic [EXPORTS*LANES-1:0]  end_mask;
  logic [EXPORTS*INFOW-1:0]  end_info;
  logic [EXPORTS*32-1:0]     end_hash;
  logic [EXPORTS*DATA_W-1:0] end_data;
  // Into the queues, as a pipe's is taken.
  logic [EXPORTS*2-1:0]      push_op;
  logic [EXPORTS*PREG_W-1:0] push_preg, push_cand;
  logic [EXPORTS*LANES-1:0]  push_mask;
  logic [EXPORTS*DATA_W-1:0] push_data;
  logic [EXPORTS*INFOW-1:0]  push_info;
  // Registers that results in VERIFY may still need.
  logic [COUNT_W-1:0] promised_q, promised_d;
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) promised_q <= '0;
    else promised_q <= promised_d;
  end

  for (genvar e = 0; e < EXPORTS; e++) begin : gen_port
    rf_hash_pipe #(.STAGES(STAGES), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .INFOW(INFOW)) u_pipe (
      .clk_i(clk_i), .rst_ni(rst_ni), .valid_i(res_valid_i[e]), .warp_i(res_warp_i[e*WARP_W +: WARP_W]),
      .dst_i(res_dst_i[e*REG_W +: REG_W]), .mask_i(res_mask_i[e*LANES +: LANES]), .data_i(res_data_i[e*DATA_W +: DATA_W]),
      .info_i((REUSE != 0) ? res_info_i[e*INFOW +: INFOW] : '0), .take_i(take[e]), .out_data_o(end_data[e*DATA_W +: DATA_W]),
      .ready_o(res_ready_o[e]), .out_valid_o(end_valid[e]), .out_warp_o(end_warp[e*WARP_W +: WARP_W]),
      .out_dst_o(end_dst[e*REG_W +: REG_W]), .out_mask_o(end_mask[e*LANES +: LANES]), .out_info_o(end_info[e*INFOW +: INFOW]),
      .out_hash_o(end_hash[e*32 +: 32])
    );

    rf_result_queue #(.DEPTH(WBDEPTH), .LANES(LANES), .WARPS(WARPS), .REGS(REGS), .PREGS(PREGS), .INFOW(INFOW)) u_queue (
      .clk_i(clk_i), .rst_ni(rst_ni), .push_i(take[e]), .push_op_i(push_op[e*2 +: 2]), .push_warp_i(end_warp[e*WARP_W +: WARP_W]),
      .push_dst_i(end_dst[e*REG_W +: REG_W]), .push_preg_i(push_preg[e*PREG_W +: PREG_W]),
      .push_cand_i(push_cand[e*PREG_W +: PREG_W]), .push_mask_i(push_mask[e*LANES +: LANES]),
      .push_data_i(push_data[e*DATA_W +: DATA_W]), .push_info_i(push_info[e*INFOW +: INFOW]), .pop_i(pop_i[e]),
      .data_o(head_data_o[e*DATA_W +: DATA_W]), .ready_o(queue_ready[e]), .valid_o(head_valid_o[e]), .op_o(head_op_o[e*2 +: 2]),
      .warp_o(head_warp_o[e*WARP_W +: WARP_W]), .dst_o(head_dst_o[e*REG_W +: REG_W]), .preg_o(head_preg_o[e*PREG_W +: PREG_W]),
      .cand_o(head_cand_o[e*PREG_W +: PREG_W]), .mask_o(head_mask_o[e*LANES +: LANES]), .info_o(head_info_o[e*INFOW +: INFOW])
    );
  end

  if (REUSE != 0) begin : gen_reuse
    logic [COUNT_W-1:0]          count, used, bound, spoken, left;
    logic [ISSUES-1:0]           unused_ok, asks, spare, took, looks, gave, in_place, narrow, clears;
    logic [ISSUES*EXPORTS-1:0]   taken;     // one hot
    logic [ISSUES*PORT_W-1:0]    taken_port;
    logic [ISSUES*32-1:0]        hash;
    logic [ISSUES-1:0]           vsb_hit, vsb_write, vsb_drop, vsb_freed, cached, cached_equal;
    logic                        rnd_freed;
    logic [PREG_W-1:0]           rnd_freed_reg;
    logic [ISSUES*2-1:0]         op;
    logic [ISSUES*PREG_W-1:0]    free_reg, vsb_reg, vsb_freed_reg, to_preg, to_cand;
    logic [EXPORTS*ISSUE_W-1:0]  end_group;

    rf_free_list #(.PREGS(PREGS), .ISSUES(ISSUES), .PUSHES(2)) u_free (
      .clk_i(clk_i), .rst_ni(rst_ni), .pop_i(given_o), .push_i(back_i), .push_reg_i(back_reg_i), .count_o(count), .ok_o(unused_ok),
      .reg_o(free_reg)
    );
    assign used   = COUNT_W'(PREGS) - count;
    assign bound  = (CAPPED != 0 && limit_i < COUNT_W'(PREGS)) ? limit_i : COUNT_W'(PREGS);
    assign spoken = used + promised_q;
    assign low_o  = 32'(used) + ISSUES > 32'(bound);

    // Of the registers that may be given and are not promised to a result in VERIFY, groups take theirs in order.
    always_comb begin
      left = (CAPPED != 0 && spoken >= bound) ? '0 : bound - spoken;
      for (int g = 0; g < ISSUES; g++) begin
        spare[g] = left != '0;
        if (asks[g] && left != '0) left = left - 1'b1;
      end
      promised_d = promised_q;
      for (int g = 0; g < ISSUES; g++) begin
        if (took[g] && op[g*2 +: 2] == rf_wir_pkg::RESULT_VERIFY) promised_d = promised_d + 1'b1;
        if (gave[g] || shared_i[g]) promised_d = promised_d - COUNT_W'(gave[g]) - COUNT_W'(shared_i[g]);
      end
    end

    if (VSB != 0) begin : gen_vsb
      logic rnd_drop;
      rf_vsb #(.ENTRIES(VENTRIES), .PREGS(PREGS), .ISSUES(ISSUES)) u_vsb (
        .clk_i(clk_i), .rst_ni(rst_ni), .lk_valid_i(looks), .lk_hash_i(hash), .write_i(vsb_write), .write_reg_i(free_reg),
        .drop_i(vsb_drop), .rnd_drop_i(rnd_drop), .rnd_index_i(VENTRY_W'(random_i & 16'(VENTRIES - 1))), .hit_o(vsb_hit),
        .hit_reg_o(vsb_reg), .freed_o(vsb_freed), .freed_reg_o(vsb_freed_reg), .rnd_freed_o(rnd_freed),
        .rnd_freed_reg_o(rnd_freed_reg)
      );
      assign rnd_drop = low_o && (took & looks) == '0 && !gave[0];
    end else begin : gen_no_vsb
      logic unused_vsb;
      assign unused_vsb = ^{hash, vsb_drop, random_i};
      assign {vsb_hit, vsb_reg, vsb_freed, vsb_freed_reg, rnd_freed, rnd_freed_reg} = '0;
    end

    if (VCACHE != 0) begin : gen_vcache
      logic [ISSUES*DATA_W-1:0] line, value;
      rf_verify_cache #(.ENTRIES(VCACHE), .PREGS(PREGS), .LANES(LANES), .ISSUES(ISSUES)) u_vcache (
        .clk_i(clk_i), .rst_ni(rst_ni), .lk_valid_i(vsb_hit), .lk_reg_i(vsb_reg), .fill_i(fill_i), .fill_reg_i(fill_reg_i),
        .fill_data_i(fill_data_i), .evict_i(given_o), .evict_reg_i(free_reg), .hit_o(cached), .data_o(line)
      );
      rf_crossbar #(.SRC(EXPORTS), .DST(ISSUES), .WIDTH(DATA_W)) u_xbar (
        .valid_i(cached), .sel_i(taken_port), .data_i(end_data), .data_o(value)
      );
      for (genvar g = 0; g < ISSUES; g++) begin : gen_group
        assign cached_equal[g] = cached[g] && line[g*DATA_W +: DATA_W] == value[g*DATA_W +: DATA_W];
      end
    end else begin : gen_no_vcache
      logic unused_vcache;
      assign unused_vcache = ^{taken_port, fill_i, fill_reg_i, fill_data_i};
      assign {cached, cached_equal} = '0;
    end

    for (genvar g = 0; g < ISSUES; g++) begin : gen_group
      logic [EXPORTS-1:0]   ends;
      logic                 there, full, merges, verifies, shares, needs_new, wants, over, old_valid, old_pin;
      logic [PORT_W-1:0]    from;
      logic [PREG_W-1:0]    old_preg, hit_reg, needy_cand;
      logic [VERIFIERS-1:0] need;

      for (genvar e = 0; e < EXPORTS; e++) begin : gen_mine
        assign ends[e] = end_valid[e] && queue_ready[e] && end_group[e*ISSUE_W +: ISSUE_W] == ISSUE_W'(g);
      end

      // One result at the end of a pipe: what is to be done with it, and a register for it; a verifier that needs one comes first.
      rf_rr #(.N(EXPORTS)) u_take_rr (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(ends), .take_i(took[g]), .grant_o(taken[g*EXPORTS +: EXPORTS]), .valid_o(there)
      );

      for (genvar k = 0; k < PORT_W; k++) begin : gen_from
        assign from[k] = |(taken[g*EXPORTS +: EXPORTS] & rf_pkg::NUMBERS[k*64 +: EXPORTS]);
      end
      assign full     = &end_mask[from*LANES +: LANES];
      assign {old_preg, old_valid, old_pin} = end_info[from*INFOW +: PREG_W + 2];
      assign hit_reg  = vsb_reg[g*PREG_W +: PREG_W];
      assign looks[g] = VSB != 0 && there && full;
      assign hash[g*32 +: 32]               = end_hash[from*32 +: 32];
      assign taken_port[g*PORT_W +: PORT_W] = from;

      assign shares       = cached_equal[g];
      assign verifies     = vsb_hit[g] && !cached[g];
      assign merges       = !full && old_valid && !old_pin;
      assign needs_new    = (full || !old_valid || !old_pin) && !shares && !verifies;
      assign need         = need_i[g*VERIFIERS +: VERIFIERS];
      assign gave[g]      = need != '0; // it was promised one
      assign give_o[g*VERIFIERS +: VERIFIERS] = `RF_LOWEST(need);
      assign asks[g]      = there && (needs_new || verifies) && !gave[g];
      // Its old register is overwritten because none may be given.
      assign over         = CAPPED != 0 && asks[g] && !spare[g] && old_valid && own_i[g];
      assign wants        = needs_new && !over;
      assign in_place[g]  = over || (!full && old_valid && old_pin);
      assign took[g]      = there && (asks[g] ? spare[g] || over : !needs_new && !verifies);
      assign vsb_write[g] = took[g] && looks[g] && !vsb_hit[g] && !low_o && !over;
      assign vsb_drop[g]  = took[g] && looks[g] && !vsb_hit[g] && low_o;

      assign narrow[g]    = in_place[g] || merges;
      assign clears[g]    = !full && !narrow[g];
      assign op[g*2 +: 2] = over ? rf_wir_pkg::RESULT_WRITE : shares ? rf_wir_pkg::RESULT_SHARE :
                            verifies ? rf_wir_pkg::RESULT_VERIFY : merges ? rf_wir_pkg::RESULT_MERGE : rf_wir_pkg::RESULT_WRITE;
      assign to_preg[g*PREG_W +: PREG_W] = wants ? free_reg[g*PREG_W +: PREG_W] : in_place[g] ? old_preg : shares ? hit_reg : '0;
      assign to_cand[g*PREG_W +: PREG_W] = over ? '0 : verifies ? hit_reg : merges ? old_preg : '0;
      assign old_reg_o[g*PREG_W +: PREG_W] = old_preg & {PREG_W{there}};

      always_comb begin
        needy_cand = '0;
        for (int v = 0; v < VERIFIERS; v++) begin
          if (give_o[g*VERIFIERS + v]) needy_cand |= cand_i[(g*VERIFIERS + v)*PREG_W +: PREG_W];
        end
      end

      assign given_o[g] = gave[g] || (took[g] && wants);
      assign given_reg_o[g*PREG_W +: PREG_W] = free_reg[g*PREG_W +: PREG_W] & {PREG_W{given_o[g]}};
      assign inc_o[g*2 +: 2] = {vsb_write[g] || gave[g], took[g] && !in_place[g]};
      assign inc_reg_o[g*2*PREG_W +: 2*PREG_W] = {
          free_reg[g*PREG_W +: PREG_W] & {PREG_W{inc_o[g*2 + 1]}},
          (verifies ? hit_reg : to_preg[g*PREG_W +: PREG_W]) & {PREG_W{inc_o[g*2]}}};
      assign dec_o[g] = gave[g] || vsb_freed[g] || (g == 0 && rnd_freed);
      assign dec_reg_o[g*PREG_W +: PREG_W] = gave[g] ? needy_cand : vsb_freed[g] ? vsb_freed_reg[g*PREG_W +: PREG_W] :
                                             (g == 0) ? rnd_freed_reg : '0;
    end

    for (genvar e = 0; e < EXPORTS; e++) begin : gen_push
      logic [ISSUE_W-1:0] from;
      logic               full;
      assign from = end_group[e*ISSUE_W +: ISSUE_W];
      assign full = &end_mask[e*LANES +: LANES];
      assign end_group[e*ISSUE_W +: ISSUE_W] = ISSUE_W'({rf_wir_pkg::group_of(6'(end_warp[e*WARP_W +: WARP_W]), 3'(ISSUES))});
      assign push_op[e*2 +: 2]             = op[from*2 +: 2];
      assign push_preg[e*PREG_W +: PREG_W] = to_preg[from*PREG_W +: PREG_W];
      assign push_cand[e*PREG_W +: PREG_W] = to_cand[from*PREG_W +: PREG_W];
      assign push_mask[e*LANES +: LANES]   = narrow[from] ? end_mask[e*LANES +: LANES] : '1;
      // The old mapping's reference unless it is kept, and whether the new one will be pinned.
      assign push_info[e*INFOW +: INFOW]   = {end_info[e*INFOW + 2 +: INFOW - 2], end_info[e*INFOW + 1] && !in_place[from], !full};
      for (genvar l = 0; l < LANES; l++) begin : gen_data
        assign push_data[e*DATA_W + l*32 +: 32] =
            end_data[e*DATA_W + l*32 +: 32] & {32{end_mask[e*LANES + l] || !clears[from]}};
      end
    end

    always_comb begin
      take = '0;
      for (int g = 0; g < ISSUES; g++) take |= taken[g*EXPORTS +: EXPORTS] & {EXPORTS{took[g]}};
    end
  end else begin : gen_plain
    localparam int unsigned ROWS_PER_WARP = rf_banked_pkg::rows_per_warp(REGS, BANKS);
    logic unused_plain;
    assign unused_plain = ^{promised_q, end_hash, need_i, cand_i, shared_i, fill_i, fill_reg_i, fill_data_i, back_i, back_reg_i,
                            limit_i, own_i, random_i, res_info_i};
    for (genvar e = 0; e < EXPORTS; e++) begin : gen_map
      logic [5:0] warp;
      logic [7:0] register;
      assign warp     = 6'(end_warp[e*WARP_W +: WARP_W]);
      assign register = 8'(end_dst[e*REG_W +: REG_W]);
      assign push_preg[e*PREG_W +: PREG_W] =
          PREG_W'({rf_banked_pkg::map_row(warp, register, 6'(BANKS), 9'(ROWS_PER_WARP))}) * PREG_W'(BANKS) +
          PREG_W'({rf_banked_pkg::map_bank(warp, register, 6'(BANKS))});
    end
    assign take      = end_valid & queue_ready;
    assign push_op   = {EXPORTS{rf_wir_pkg::RESULT_WRITE}};
    assign push_mask = end_mask;
    assign push_data = end_data;
    assign push_info = end_info;
    assign {push_cand, promised_d, low_o, give_o, given_o, given_reg_o, inc_o, inc_reg_o, dec_o, dec_reg_o, old_reg_o} = '0;
  end

endmodule

`default_nettype wire
