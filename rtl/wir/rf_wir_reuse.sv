// SPDX-License-Identifier: Apache-2.0
// What rf_wir has once for all its groups: reuse buffer, load guard, reference counts, random numbers [WIR V-C, VI-A, VII-E].
//
// Lookup:    allow_o: the guard lets the lane's instruction look up; hit_o, wait_o, result_o: the buffer's answers to lk_valid_i,
//            with the guard's block and barrier count in the tag. leads_i reserves its entry, in low mode drops it.
// Info:      {index, reserved, lane_back_i}: what comes back with the result. Where done_info_i has the leader bit its entry gets
//            done_reg_i.
// Removal:   the guard's sweep; without one in low mode the entry that the low bits of random_o name, in a cycle in which no lane
//            leaves after a lookup.
// References: each group's ports of rf_refcount, in this order. +1: SLOTS of lane_inc_i, an entry filled, two of results_inc_i;
//            -1: SLOTS + 1 that the buffer frees, results_dec_i, lane_dec_i. own_o: own_reg_i has one reference.
// Depends:   allow_o on lane_warp_i, lane_space_i, block_i; hit_o, wait_o, result_o on the lane's instruction and lk_valid_i too;
//            info_o on all of these and leads_i, low_i; own_o on own_reg_i. random_o, back_* on registers alone.
// Reset:     as the units say.
`default_nettype none

module rf_wir_reuse #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 48,
  /// Thread blocks, 1 to 16.
  parameter int unsigned BLOCKS = 8,
  /// Entries of the reuse buffer, a power of two, 1 to 512.
  parameter int unsigned ENTRIES = 256,
  /// Issue groups, 1 to 4; ISSUES x (SLOTS + 3) at most 24.
  parameter int unsigned ISSUES = 2,
  /// Sources of an instruction, 1 to 6.
  parameter int unsigned SLOTS = 3,
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// Bits of a reference count, 2 to 16.
  parameter int unsigned COUNTW = 10,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned BLOCK_W = rf_pkg::index_bits(BLOCKS),
  localparam int unsigned ENTRY_W = rf_pkg::index_bits(ENTRIES),
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS),
  localparam int unsigned OPERAND_W = SLOTS * PREG_W,
  localparam int unsigned BACK_W = `RF_WIR_BACK_W,
  localparam int unsigned INFO_W = ENTRY_W + 1 + BACK_W
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  /// Per warp: slot of its thread block; a new warp starts in the slot.
  input  logic [WARPS*BLOCK_W-1:0]    block_i,
  input  logic [WARPS-1:0]            launch_i,
  /// Per block: it starts; a kernel starts; per block: its barrier is over; per warp: its memory fence is.
  input  logic [BLOCKS-1:0]           start_i,
  input  logic                        flush_i,
  input  logic [BLOCKS-1:0]           bar_i,
  input  logic [WARPS-1:0]            fence_i,
  /// Per group: a store moves on, of this warp; to scratchpad.
  input  logic [ISSUES-1:0]           st_valid_i,
  input  logic [ISSUES*WARP_W-1:0]    st_warp_i,
  input  logic [ISSUES-1:0]           st_shared_i,
  /// Per group: the lane's instruction: its warp, what it loads from, its tag ...
  input  logic [ISSUES*WARP_W-1:0]    lane_warp_i,
  input  logic [ISSUES*2-1:0]         lane_space_i,
  input  logic [ISSUES*8-1:0]         lane_opcode_i,
  input  logic [ISSUES*OPERAND_W-1:0] lane_operand_i,
  /// ... what goes with it to its result (rf_wir_pkg) ...
  input  logic [ISSUES*BACK_W-1:0]     lane_back_i,
  /// ... it looks the buffer up, reserves its entry, leaves ...
  input  logic [ISSUES-1:0]           lk_valid_i,
  input  logic [ISSUES-1:0]           leads_i,
  input  logic [ISSUES-1:0]           leaves_i,
  /// ... and the references that begin (per slot) and end by it.
  input  logic [ISSUES*SLOTS-1:0]     lane_inc_i,
  input  logic [ISSUES*OPERAND_W-1:0] lane_inc_reg_i,
  input  logic [ISSUES-1:0]           lane_dec_i,
  input  logic [ISSUES*PREG_W-1:0]    lane_dec_reg_i,
  /// Per group: a result retires: its register; info_o of its instruction.
  input  logic [ISSUES-1:0]           done_i,
  input  logic [ISSUES*PREG_W-1:0]    done_reg_i,
  input  logic [ISSUES*INFO_W-1:0]    done_info_i,
  /// Low register mode.
  input  logic                        low_i,
  /// Per group: the references that begin (two ports) and end by allocation.
  input  logic [ISSUES*2-1:0]         results_inc_i,
  input  logic [ISSUES*2*PREG_W-1:0]  results_inc_reg_i,
  input  logic [ISSUES-1:0]           results_dec_i,
  input  logic [ISSUES*PREG_W-1:0]    results_dec_reg_i,
  /// Per group: a register whose count is looked at.
  input  logic [ISSUES*PREG_W-1:0]    own_reg_i,
  /// Per group: the lane's instruction may look up; it has been computed (its result, 0 without), it is about to be.
  output logic [ISSUES-1:0]           allow_o,
  output logic [ISSUES-1:0]           hit_o,
  output logic [ISSUES-1:0]           wait_o,
  output logic [ISSUES*PREG_W-1:0]    result_o,
  /// Per group: its entry is reserved; what comes back with its result.
  output logic [ISSUES-1:0]           reserved_o,
  output logic [ISSUES*INFO_W-1:0]    info_o,
  /// Random numbers.
  output logic [15:0]                 random_o,
  /// Per port: a register that nobody names any more; 0 when none.
  output logic [1:0]                  back_o,
  output logic [2*PREG_W-1:0]         back_reg_o,
  /// Per group: own_reg_i has one reference.
  output logic [ISSUES-1:0]           own_o
);

  localparam int unsigned PORTS = SLOTS + 3; // of the reference counts, of a group
  localparam int unsigned FREED = SLOTS + 1; // by the reuse buffer, of a group

  if (WARPS < 1 || WARPS > 64 || BLOCKS < 1 || BLOCKS > 16) begin : gen_warps_range
    $error("rf_wir_reuse: WARPS must be 1 to 64, BLOCKS 1 to 16");
  end
  if (ISSUES < 1 || ISSUES > 4 || SLOTS < 1 || SLOTS > 6 || ISSUES * PORTS > 24) begin : gen_issues_range
    $error("rf_wir_reuse: ISSUES must be 1 to 4, SLOTS 1 to 6, ISSUES x (SLOTS + 3) at most 24");
  end

  logic [ISSUES*(BLOCK_W+1)-1:0]  tag_block;
  logic [ISSUES*5-1:0]            tag_barrier;
  logic                           sweep_valid, sweep_all, remove, remove_ready;
  logic [ENTRY_W-1:0]             sweep_index, remove_index;
  logic [BLOCK_W-1:0]             sweep_block;
  logic [ISSUES-1:0]              unused_held, filled, fill;
  logic [ISSUES*ENTRY_W-1:0]      index, fill_index;
  logic [ISSUES*FREED-1:0]        freed;
  logic [ISSUES*FREED*PREG_W-1:0] freed_reg;
  logic [ISSUES*PORTS-1:0]        inc, dec;
  logic [ISSUES*PORTS*PREG_W-1:0] inc_reg, dec_reg;

  rf_lfsr #(.SEED(rf_wir_pkg::SEED)) u_lfsr (.clk_i(clk_i), .rst_ni(rst_ni), .step_i(1'b1), .value_o(random_o));

  rf_load_guard #(.WARPS(WARPS), .BLOCKS(BLOCKS), .ENTRIES(ENTRIES), .ISSUES(ISSUES)) u_guard (
    .clk_i(clk_i), .rst_ni(rst_ni), .block_i(block_i), .launch_i(launch_i), .start_i(start_i), .flush_i(flush_i), .bar_i(bar_i),
    .fence_i(fence_i), .st_valid_i(st_valid_i), .st_warp_i(st_warp_i), .st_shared_i(st_shared_i), .q_warp_i(lane_warp_i),
    .q_space_i(lane_space_i), .sweep_ready_i(remove_ready), .allow_o(allow_o), .tag_block_o(tag_block), .tag_barrier_o(tag_barrier),
    .sweep_valid_o(sweep_valid), .sweep_index_o(sweep_index), .sweep_all_o(sweep_all), .sweep_block_o(sweep_block)
  );

  rf_reuse_buffer #(.ENTRIES(ENTRIES), .SLOTS(SLOTS), .PREGS(PREGS), .BLOCKS(BLOCKS), .ISSUES(ISSUES)) u_buffer (
    .clk_i(clk_i), .rst_ni(rst_ni), .lk_valid_i(lk_valid_i), .lk_opcode_i(lane_opcode_i), .lk_operand_i(lane_operand_i),
    .lk_block_i(tag_block), .lk_barrier_i(tag_barrier), .reserve_i(leads_i & {ISSUES{!low_i}}),
    .drop_i(leads_i & {ISSUES{low_i}}),
    .fill_i(fill), .fill_index_i(fill_index), .fill_reg_i(done_reg_i), .rm_i(remove), .rm_index_i(remove_index),
    .rm_all_i(!sweep_valid || sweep_all), .rm_block_i(sweep_block), .hit_o(hit_o), .wait_o(wait_o), .held_o(unused_held),
    .result_o(result_o), .index_o(index), .reserved_o(reserved_o), .filled_o(filled), .rm_ready_o(remove_ready), .freed_o(freed),
    .freed_reg_o(freed_reg)
  );
  assign remove       = sweep_valid || (low_i && (lk_valid_i & leaves_i) == '0);
  assign remove_index = sweep_valid ? sweep_index : ENTRY_W'(random_o & 16'(ENTRIES - 1));

  for (genvar g = 0; g < ISSUES; g++) begin : gen_group
    localparam int unsigned BASE = g * PORTS;
    logic leader;
    logic [BACK_W-1:0] unused_back;
    assign info_o[g*INFO_W +: INFO_W] = {index[g*ENTRY_W +: ENTRY_W], reserved_o[g], lane_back_i[g*BACK_W +: BACK_W]};
    assign {fill_index[g*ENTRY_W +: ENTRY_W], leader, unused_back} = done_info_i[g*INFO_W +: INFO_W];
    assign fill[g] = done_i[g] && leader;
    assign inc[BASE +: PORTS] = {results_inc_i[g*2 +: 2], filled[g], lane_inc_i[g*SLOTS +: SLOTS]};
    assign dec[BASE +: PORTS] = {lane_dec_i[g], results_dec_i[g], freed[g*FREED +: FREED]};
    assign inc_reg[BASE*PREG_W +: PORTS*PREG_W] = {results_inc_reg_i[g*2*PREG_W +: 2*PREG_W], done_reg_i[g*PREG_W +: PREG_W],
                                                   lane_inc_reg_i[g*OPERAND_W +: OPERAND_W]};
    assign dec_reg[BASE*PREG_W +: PORTS*PREG_W] = {lane_dec_reg_i[g*PREG_W +: PREG_W], results_dec_reg_i[g*PREG_W +: PREG_W],
                                                   freed_reg[g*FREED*PREG_W +: FREED*PREG_W]};
  end

  rf_refcount #(.PREGS(PREGS), .INCS(ISSUES * PORTS), .DECS(ISSUES * PORTS), .FREES(2), .ASKS(ISSUES), .COUNTW(COUNTW)) u_count (
    .clk_i(clk_i), .rst_ni(rst_ni), .inc_i(inc), .inc_reg_i(inc_reg), .dec_i(dec), .dec_reg_i(dec_reg), .ask_reg_i(own_reg_i),
    .free_o(back_o), .free_reg_o(back_reg_o), .one_o(own_o)
  );

endmodule

`default_nettype wire
