// SPDX-License-Identifier: Apache-2.0
// Reuse buffer: the results of executed warp instructions by what they computed; direct-mapped [WIR V-C, VI-A, VI-B, Fig. 9].
//
// Entry:     valid, pending, opcode, SLOTS operands, block, barrier, result. valid and pending: reserved by the instruction that
//            is to compute it (its leader); pending alone: given up while the leader is on its way (abandoned).
// Latency:   lookups are answered in their cycle from the state at its start; fills, reserves, drops and removals act at the edge.
// Order:     fills (port 0 first), then lanes (lane 0 first), then the removal.
// Conflicts: no reserve of a pending entry or of one that a lower lane reserves; no drop of an entry that a fill port names
//            or a lower lane reserves; a lane that asks for both reserves. A removal waits while a fill or a lane's reserve
//            or drop names its entry, or lane 0 frees a register (rm_ready_o).
// Freed:     the registers of valid entries that are given up or overwritten; a removal's in lane 0's elements.
// Range:     all numbers are only compared; with one entry every index names it.
// Reset:     all 0: empty.
`default_nettype none

module rf_reuse_buffer #(
  /// Entries, a power of two, 1 to 512.
  parameter int unsigned ENTRIES = 256,
  /// Operands of an instruction, 1 to 6.
  parameter int unsigned SLOTS = 3,
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// Thread blocks, 1 to 16.
  parameter int unsigned BLOCKS = 8,
  /// Lanes and fill ports, 1 to 4.
  parameter int unsigned ISSUES = 2,
  localparam int unsigned INDEX_W = rf_pkg::index_bits(ENTRIES),
  localparam int unsigned REG_W   = rf_pkg::index_bits(PREGS),
  localparam int unsigned BLOCK_W = rf_pkg::index_bits(BLOCKS),
  localparam int unsigned FREED_N = SLOTS + 1
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  /// Per lane: an instruction looks its tag up.
  input  logic [ISSUES-1:0]               lk_valid_i,
  /// Per lane: its opcode; the low SLOTS bits say which operands are registers.
  input  logic [ISSUES*8-1:0]             lk_opcode_i,
  /// Per lane and slot: its operand, a register or an immediate value.
  input  logic [ISSUES*SLOTS*REG_W-1:0]   lk_operand_i,
  /// Per lane: its thread block; the highest bit alone: of none.
  input  logic [ISSUES*(BLOCK_W+1)-1:0]   lk_block_i,
  /// Per lane: its barrier count.
  input  logic [ISSUES*5-1:0]             lk_barrier_i,
  /// Per lane: take the entry.
  input  logic [ISSUES-1:0]               reserve_i,
  /// Per lane: give the entry up.
  input  logic [ISSUES-1:0]               drop_i,
  /// Per fill port: a leader retires.
  input  logic [ISSUES-1:0]               fill_i,
  /// Per fill port: the index that it carries.
  input  logic [ISSUES*INDEX_W-1:0]       fill_index_i,
  /// Per fill port: the register that has its result.
  input  logic [ISSUES*REG_W-1:0]         fill_reg_i,
  /// An entry is to be removed ...
  input  logic                            rm_i,
  /// ... this one ...
  input  logic [INDEX_W-1:0]              rm_index_i,
  /// ... whatever it holds ...
  input  logic                            rm_all_i,
  /// ... or if it is of this block.
  input  logic [BLOCK_W-1:0]              rm_block_i,
  /// Per lane: its tag has a result.
  output logic [ISSUES-1:0]               hit_o,
  /// Per lane: its tag is reserved.
  output logic [ISSUES-1:0]               wait_o,
  /// Per lane: its entry is pending.
  output logic [ISSUES-1:0]               held_o,
  /// Per lane: the result, 0 without a hit.
  output logic [ISSUES*REG_W-1:0]         result_o,
  /// Per lane: its index.
  output logic [ISSUES*INDEX_W-1:0]       index_o,
  /// Per lane: its reserve works.
  output logic [ISSUES-1:0]               reserved_o,
  /// Per fill port: a reserved entry has its result now.
  output logic [ISSUES-1:0]               filled_o,
  /// The removal acts, or there is none.
  output logic                            rm_ready_o,
  /// Per lane, its operands and result: a reference to a register ends.
  output logic [ISSUES*FREED_N-1:0]       freed_o,
  /// Per lane, its operands and result: that register, 0 when none.
  output logic [ISSUES*FREED_N*REG_W-1:0] freed_reg_o
);

  if (ENTRIES < 1 || ENTRIES > 512 || (ENTRIES & (ENTRIES - 1)) != 0) begin : gen_entries_range
    $error("rf_reuse_buffer: ENTRIES must be a power of two, 1 to 512");
  end
  if (SLOTS < 1 || SLOTS > 6 || PREGS < 2 || PREGS > 1024 || BLOCKS < 1 || BLOCKS > 16 ||
      ISSUES < 1 || ISSUES > 4) begin : gen_range
    $error("rf_reuse_buffer: SLOTS must be 1 to 6, PREGS 2 to 1024, BLOCKS 1 to 16, ISSUES 1 to 4");
  end

  localparam int unsigned OPERANDS_W = SLOTS * REG_W;
  localparam int unsigned TAG_W = 8 + OPERANDS_W + BLOCK_W + 1 + 5;
  // The tag in pieces of an index, the last one filled up with 0.
  localparam int unsigned PIECES = (TAG_W + INDEX_W - 1) / INDEX_W;
  // Where an entry's operands are.
  localparam int unsigned OPERAND_W = rf_pkg::index_bits(ENTRIES * SLOTS);

  logic              valid_q [0:ENTRIES-1];
  logic              pending_q [0:ENTRIES-1];
  logic [7:0]        opcode_q [0:ENTRIES-1];
  logic [REG_W-1:0]  operand_q [0:ENTRIES*SLOTS-1];
  logic [BLOCK_W:0]  block_q [0:ENTRIES-1];
  logic [4:0]        barrier_q [0:ENTRIES-1];
  logic [REG_W-1:0]  result_q [0:ENTRIES-1];

  // Per lane and fill port: its entry. One entry has every index.
  logic [INDEX_W-1:0] index [0:ISSUES-1];
  logic [INDEX_W-1:0] fill_index [0:ISSUES-1];
  logic [INDEX_W-1:0] rm_index;

  logic [ISSUES-1:0] want_reserve, want_drop, drop, fill_pending;

  assign want_reserve = lk_valid_i & reserve_i;
  assign want_drop    = lk_valid_i & drop_i & ~reserve_i;
  assign rm_index     = (ENTRIES > 1) ? rm_index_i : '0;

  for (genvar p = 0; p < ISSUES; p++) begin : gen_fill
    logic [ISSUES-1:0] lower;
    for (genvar k = 0; k < ISSUES; k++) begin : gen_other
      if (k < p) begin : gen_lower
        assign lower[k] = fill_i[k] && fill_index[k] == fill_index[p];
      end else begin : gen_rest
        assign lower[k] = 1'b0;
      end
    end
    assign fill_index[p]   = (ENTRIES > 1) ? fill_index_i[p*INDEX_W +: INDEX_W] : '0;
    assign fill_pending[p] = fill_i[p] && pending_q[fill_index[p]];
    assign filled_o[p]     = fill_pending[p] && valid_q[fill_index[p]] && lower == '0;
  end

  // What the removal meets.
  logic [ISSUES-1:0] rm_fill, rm_lane;
  logic              rm;

  for (genvar p = 0; p < ISSUES; p++) begin : gen_rm
    assign rm_fill[p] = fill_i[p] && fill_index[p] == rm_index;
    assign rm_lane[p] = (want_reserve[p] || want_drop[p]) && index[p] == rm_index;
  end

  // What each lane's entry, and the removal's, would free, and what the lane does free.
  logic [FREED_N-1:0] lane_freed [0:ISSUES-1];
  logic [FREED_N-1:0] rm_freed;

  for (genvar l = 0; l < ISSUES; l++) begin : gen_lane
    logic [PIECES*INDEX_W-1:0] tag;
    logic [INDEX_W-1:0]        sum;
    logic [OPERANDS_W-1:0]     operands;
    logic [OPERAND_W-1:0]      first;
    logic [ISSUES-1:0]         lower, named;
    logic                      valid, pending, same, none_lower, ends;

    always_comb begin
      tag = '0;
      tag[TAG_W-1:0] = {lk_barrier_i[l*5 +: 5], lk_block_i[l*(BLOCK_W+1) +: BLOCK_W+1],
                        lk_operand_i[l*OPERANDS_W +: OPERANDS_W], lk_opcode_i[l*8 +: 8]};
      sum = '0;
      for (int i = 0; i < PIECES; i++) sum ^= tag[i*INDEX_W +: INDEX_W];
    end
    assign index[l] = (ENTRIES > 1) ? sum : '0;

    assign first = OPERAND_W'(index[l]) * OPERAND_W'(SLOTS);
    for (genvar s = 0; s < SLOTS; s++) begin : gen_operand
      assign operands[s*REG_W +: REG_W] = operand_q[first + OPERAND_W'(s)];
    end
    assign valid   = valid_q[index[l]];
    assign pending = pending_q[index[l]];
    assign same    = lk_valid_i[l] && valid &&
                     {barrier_q[index[l]], block_q[index[l]], operands, opcode_q[index[l]]} == tag[TAG_W-1:0];

    assign hit_o[l]  = same && !pending;
    assign wait_o[l] = same && pending;
    assign held_o[l] = lk_valid_i[l] && pending;
    assign result_o[l*REG_W +: REG_W]    = hit_o[l] ? result_q[index[l]] : '0;
    assign index_o[l*INDEX_W +: INDEX_W] = lk_valid_i[l] ? index[l] : '0;

    // Lower lanes with the same entry, fill ports that name it. An entry that is not pending goes to the lowest that reserves.
    for (genvar k = 0; k < ISSUES; k++) begin : gen_other
      if (k < l) begin : gen_lower
        assign lower[k] = index[k] == index[l];
      end else begin : gen_rest
        assign lower[k] = 1'b0;
      end
      assign named[k] = fill_i[k] && fill_index[k] == index[l];
    end
    assign none_lower    = (lower & want_reserve) == '0;
    assign reserved_o[l] = want_reserve[l] && !pending && none_lower;
    assign drop[l]       = want_drop[l] && named == '0 && (pending || none_lower);

    // Lower lanes that drop the entry have freed what it held.
    assign ends = (reserved_o[l] || drop[l]) && valid && ((lower & want_drop) == '0 || named != '0);
    assign lane_freed[l] = {!pending, opcode_q[index[l]][SLOTS-1:0]} & {FREED_N{ends}};

    if (l == 0) begin : gen_removal
      logic [OPERANDS_W-1:0] rm_operands;
      logic [OPERAND_W-1:0]  rm_first;
      assign rm_first = OPERAND_W'(rm_index) * OPERAND_W'(SLOTS);
      for (genvar s = 0; s < SLOTS; s++) begin : gen_operand
        assign rm_operands[s*REG_W +: REG_W] = operand_q[rm_first + OPERAND_W'(s)];
      end
      assign freed_o[0 +: FREED_N] = lane_freed[0] | rm_freed;
      for (genvar k = 0; k < SLOTS; k++) begin : gen_reg
        assign freed_reg_o[k*REG_W +: REG_W] = (operands[k*REG_W +: REG_W] & {REG_W{lane_freed[0][k]}}) |
                                               (rm_operands[k*REG_W +: REG_W] & {REG_W{rm_freed[k]}});
      end
      assign freed_reg_o[SLOTS*REG_W +: REG_W] = (result_q[index[0]] & {REG_W{lane_freed[0][SLOTS]}}) |
                                                 (result_q[rm_index] & {REG_W{rm_freed[SLOTS]}});
    end else begin : gen_own
      assign freed_o[l*FREED_N +: FREED_N] = lane_freed[l];
      for (genvar k = 0; k < SLOTS; k++) begin : gen_reg
        assign freed_reg_o[(l*FREED_N+k)*REG_W +: REG_W] = operands[k*REG_W +: REG_W] & {REG_W{lane_freed[l][k]}};
      end
      assign freed_reg_o[(l*FREED_N+SLOTS)*REG_W +: REG_W] = result_q[index[l]] & {REG_W{lane_freed[l][SLOTS]}};
    end
  end

  assign rm_ready_o = !rm_i || (rm_fill == '0 && rm_lane == '0 && lane_freed[0] == '0);
  assign rm = rm_i && rm_ready_o && valid_q[rm_index] && (rm_all_i || block_q[rm_index] == {1'b0, rm_block_i});
  assign rm_freed = {!pending_q[rm_index], opcode_q[rm_index][SLOTS-1:0]} & {FREED_N{rm}};

  // Later assignments win: a lane's over a lower one's. A reserved entry is no fill's, and a removed one nobody else's.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      // Loops of at most 64 rounds: Verilator must unroll them.
      for (int h = 0; h < ENTRIES; h += 64)
        for (int e = h; e < h + 64 && e < ENTRIES; e++) begin
          valid_q[e]   <= 1'b0;
          pending_q[e] <= 1'b0;
          opcode_q[e]  <= '0;
          block_q[e]   <= '0;
          barrier_q[e] <= '0;
          result_q[e]  <= '0;
        end
      for (int h = 0; h < ENTRIES * SLOTS; h += 64)
        for (int o = h; o < h + 64 && o < ENTRIES * SLOTS; o++) operand_q[o] <= '0;
    end else begin
      for (int p = 0; p < ISSUES; p++) begin
        if (fill_pending[p]) pending_q[fill_index[p]] <= 1'b0;
        if (filled_o[p]) result_q[fill_index[p]] <= fill_reg_i[p*REG_W +: REG_W];
      end
      for (int l = 0; l < ISSUES; l++) begin
        if (drop[l]) valid_q[index[l]] <= 1'b0;
        if (reserved_o[l]) begin
          valid_q[index[l]]   <= 1'b1;
          pending_q[index[l]] <= 1'b1;
          opcode_q[index[l]]  <= lk_opcode_i[l*8 +: 8];
          block_q[index[l]]   <= lk_block_i[l*(BLOCK_W+1) +: BLOCK_W+1];
          barrier_q[index[l]] <= lk_barrier_i[l*5 +: 5];
          for (int s = 0; s < SLOTS; s++)
            operand_q[OPERAND_W'(index[l]) * OPERAND_W'(SLOTS) + OPERAND_W'(s)] <= lk_operand_i[(l*SLOTS+s)*REG_W +: REG_W];
        end
      end
      if (rm) valid_q[rm_index] <= 1'b0;
    end
  end

endmodule

`default_nettype wire
