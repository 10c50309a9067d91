// SPDX-License-Identifier: Apache-2.0
// Load guard: which loads may reuse the result of an earlier one, and what they put into their tag for it.
//
// Flags:    per warp one for its stores to scratchpad and one for global memory; set wins over clear.
// Counts:   barriers of 5 bits, one per block for its scratchpad, one for global memory; 31 is full.
// Answers:  combinational, from the registers and the warp's block alone.
// Sweep:    a pass over the reuse buffer's indices, for a flush or a block; a step when sweep_ready_i. Between two passes is one
//           cycle without sweep_valid_o at least, in which the next is chosen: a flush first, then the lowest block.
// Range:    a warp that does not exist has no flags and is of block 0; a block that does not exist has count 0 and no sweep.
// Reset:    all 0, no pass.
// Source:   [WIR VI-A]; the count for global memory (D-global) and the sweeps (D-sweep) are ours.
`default_nettype none

module rf_load_guard #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 48,
  /// Thread blocks, 1 to 16.
  parameter int unsigned BLOCKS = 8,
  /// Entries of the reuse buffer, a power of two, 1 to 512.
  parameter int unsigned ENTRIES = 256,
  /// Lanes, 1 to 4.
  parameter int unsigned ISSUES = 2,
  localparam int unsigned WARP_W  = rf_pkg::index_bits(WARPS),
  localparam int unsigned BLOCK_W = rf_pkg::index_bits(BLOCKS),
  localparam int unsigned ENTRY_W = rf_pkg::index_bits(ENTRIES)
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  /// Per warp: its thread block.
  input  logic [WARPS*BLOCK_W-1:0]      block_i,
  /// Per warp: a new warp starts in the slot.
  input  logic [WARPS-1:0]              launch_i,
  /// Per block: a new block starts in the slot.
  input  logic [BLOCKS-1:0]             start_i,
  /// A kernel starts.
  input  logic                          flush_i,
  /// Per block: its barrier is over.
  input  logic [BLOCKS-1:0]             bar_i,
  /// Per warp: it has executed a memory fence.
  input  logic [WARPS-1:0]              fence_i,
  /// Per lane: a store is renamed.
  input  logic [ISSUES-1:0]             st_valid_i,
  /// Per lane: the store's warp.
  input  logic [ISSUES*WARP_W-1:0]      st_warp_i,
  /// Per lane: the store is to scratchpad, else to global memory.
  input  logic [ISSUES-1:0]             st_shared_i,
  /// Per lane: the warp that asks.
  input  logic [ISSUES*WARP_W-1:0]      q_warp_i,
  /// Per lane: what it reads: 0 nothing, 1 constant memory, 2 scratchpad, 3 global memory.
  input  logic [ISSUES*2-1:0]           q_space_i,
  /// The reuse buffer has done this step of the pass.
  input  logic                          sweep_ready_i,
  /// Per lane: the result of an earlier one may be reused.
  output logic [ISSUES-1:0]             allow_o,
  /// Per lane: the tag's block; its highest bit alone: none.
  output logic [ISSUES*(BLOCK_W+1)-1:0] tag_block_o,
  /// Per lane: the tag's barrier count.
  output logic [ISSUES*5-1:0]           tag_barrier_o,
  /// A pass is on.
  output logic                          sweep_valid_o,
  /// Entry to remove; 0 without sweep_valid_o, like the next two.
  output logic [ENTRY_W-1:0]            sweep_index_o,
  /// Whatever it holds ...
  output logic                          sweep_all_o,
  /// ... else if it is of this block.
  output logic [BLOCK_W-1:0]            sweep_block_o
);

  if (WARPS < 1 || WARPS > 64 || BLOCKS < 1 || BLOCKS > 16 || ISSUES < 1 || ISSUES > 4) begin : gen_range
    $error("rf_load_guard: WARPS must be 1 to 64, BLOCKS 1 to 16, ISSUES 1 to 4");
  end
  if (ENTRIES < 1 || ENTRIES > 512 || (ENTRIES & (ENTRIES - 1)) != 0) begin : gen_entries_range
    $error("rf_load_guard: ENTRIES must be a power of two, 1 to 512");
  end

  // What an index can name: warps at and above WARPS, blocks at and above BLOCKS do not exist.
  localparam int unsigned WARP_N  = 1 << WARP_W;
  localparam int unsigned BLOCK_N = 1 << BLOCK_W;

  localparam logic [1:0]         SPACE_NONE = 2'd0, SPACE_SHARED = 2'd2, SPACE_GLOBAL = 2'd3;
  localparam logic [4:0]         FULL       = 5'd31;
  localparam logic [ENTRY_W-1:0] LAST       = ENTRY_W'(ENTRIES - 1);

  logic [WARPS-1:0]   shared_q, shared_d, global_q, global_d;
  logic [4:0]         count_q [0:BLOCKS-1], count_d [0:BLOCKS-1];
  logic [4:0]         gcount_q, gcount_d;
  logic               flush_q, flush_d;
  logic [BLOCKS-1:0]  sweep_q, sweep_d;
  logic               active_q, active_d, all_q, all_d;
  logic [BLOCK_W-1:0] target_q, target_d;
  logic [ENTRY_W-1:0] index_q, index_d;

  // Registers and blocks by every number that an index can have.
  logic [WARP_N-1:0]  shared_at, global_at;
  logic [BLOCK_N-1:0] sweep_at, bar_at;
  logic [4:0]         count_at [0:BLOCK_N-1];
  logic [BLOCK_W-1:0] block_at [0:WARP_N-1];

  always_comb begin
    shared_at = '0;
    global_at = '0;
    sweep_at  = '0;
    bar_at    = '0;
    shared_at[WARPS-1:0] = shared_q;
    global_at[WARPS-1:0] = global_q;
    sweep_at[BLOCKS-1:0] = sweep_q;
    bar_at[BLOCKS-1:0]   = bar_i;
  end
  for (genvar b = 0; b < BLOCK_N; b++) begin : gen_count_at
    if (b < BLOCKS) begin : gen_block
      assign count_at[b] = count_q[b];
    end else begin : gen_none
      assign count_at[b] = '0;
    end
  end
  for (genvar w = 0; w < WARP_N; w++) begin : gen_block_at
    if (w < WARPS) begin : gen_warp
      assign block_at[w] = block_i[w*BLOCK_W +: BLOCK_W];
    end else begin : gen_none
      assign block_at[w] = '0;
    end
  end

  for (genvar l = 0; l < ISSUES; l++) begin : gen_lane
    logic [WARP_W-1:0]  warp;
    logic [BLOCK_W-1:0] block;
    logic [1:0]         space;
    logic [4:0]         count;
    logic               shared_ok, global_ok;
    assign warp      = q_warp_i[l*WARP_W +: WARP_W];
    assign space     = q_space_i[l*2 +: 2];
    assign block     = block_at[warp];
    assign count     = count_at[block];
    assign shared_ok = !sweep_at[block] && !shared_at[warp] && count != FULL;
    assign global_ok = !global_at[warp] && gcount_q != FULL;
    assign allow_o[l] = space == SPACE_NONE ||
                        (!flush_q && (space != SPACE_SHARED || shared_ok) && (space != SPACE_GLOBAL || global_ok));
    assign tag_block_o[l*(BLOCK_W+1) +: BLOCK_W+1] = (space == SPACE_SHARED) ? {1'b0, block} : {1'b1, {BLOCK_W{1'b0}}};
    assign tag_barrier_o[l*5 +: 5] = (space == SPACE_SHARED) ? count : (space == SPACE_GLOBAL) ? gcount_q : '0;
  end

  // Whose block's barrier is over; whose block counts a fence; who stores.
  logic [WARPS-1:0]   barred, clear, st_shared, st_global;
  logic [BLOCK_N-1:0] fenced;
  always_comb begin
    barred = '0;
    fenced = '0;
    for (int w = 0; w < WARPS; w++) begin
      barred[w] = bar_at[block_at[w]];
      fenced    = fenced | ({{(BLOCK_N-1){1'b0}}, fence_i[w]} << block_at[w]);
    end
  end
  always_comb begin
    st_shared = '0;
    st_global = '0;
    for (int l = 0; l < ISSUES; l++) begin
      st_shared = st_shared | (WARPS'(st_valid_i[l] && st_shared_i[l]) << st_warp_i[l*WARP_W +: WARP_W]);
      st_global = st_global | (WARPS'(st_valid_i[l] && !st_shared_i[l]) << st_warp_i[l*WARP_W +: WARP_W]);
    end
  end

  assign clear    = barred | fence_i | launch_i;
  assign shared_d = (shared_q & ~clear) | st_shared;
  assign global_d = (global_q & ~clear) | st_global;

  // Counts.
  logic last, flushed, gup;
  assign last    = active_q && sweep_ready_i && index_q == LAST;
  assign flushed = last && all_q;
  assign gup     = (fence_i != '0 || (global_q & barred) != '0) && gcount_q != FULL;

  for (genvar b = 0; b < BLOCKS; b++) begin : gen_count
    assign count_d[b] = start_i[b] ? '0 : count_q[b] + 5'((bar_i[b] || fenced[b]) && count_q[b] != FULL);
  end
  assign gcount_d = flushed ? '0 : gcount_q + 5'(gup);

  // Requests: they beat the end of a pass. The pass.
  logic [BLOCKS-1:0]  done, next;
  logic [BLOCK_W-1:0] lowest;
  assign done    = flushed ? '1 : BLOCKS'(last) << target_q;
  assign sweep_d = (sweep_q & ~done) | start_i;
  assign flush_d = (flush_q && !flushed) || flush_i || (gup && !flushed && gcount_d == FULL);
  assign next    = `RF_LOWEST(sweep_q);
  always_comb begin
    lowest = '0;
    for (int b = 0; b < BLOCKS; b++) lowest = lowest | (BLOCK_W'(b) & {BLOCK_W{next[b]}});
  end
  always_comb begin
    active_d = active_q ? !last : flush_q || sweep_q != '0;
    all_d    = (!active_q && active_d) ? flush_q : all_q;
    target_d = (!active_q && !flush_q && sweep_q != '0) ? lowest : target_q;
    index_d  = last ? '0 : index_q + ENTRY_W'(active_q && sweep_ready_i);
  end

  assign sweep_valid_o = active_q;
  assign sweep_index_o = index_q;
  assign sweep_all_o   = active_q && all_q;
  assign sweep_block_o = active_q ? target_q : '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      shared_q <= '0;
      global_q <= '0;
      for (int b = 0; b < BLOCKS; b++) count_q[b] <= '0;
      gcount_q <= '0;
      flush_q  <= '0;
      sweep_q  <= '0;
      active_q <= '0;
      all_q    <= '0;
      target_q <= '0;
      index_q  <= '0;
    end else begin
      shared_q <= shared_d;
      global_q <= global_d;
      for (int b = 0; b < BLOCKS; b++) count_q[b] <= count_d[b];
      gcount_q <= gcount_d;
      flush_q  <= flush_d;
      sweep_q  <= sweep_d;
      active_q <= active_d;
      all_q    <= all_d;
      target_q <= target_d;
      index_q  <= index_d;
    end
  end

endmodule

`default_nettype wire
