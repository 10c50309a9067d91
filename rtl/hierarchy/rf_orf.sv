// SPDX-License-Identifier: Apache-2.0
// Operand register file of one active warp, managed by software: an L1 of ENTRIES entries and an L0 of no bank, one bank, or one
// bank for each operand slot [hierarchy 4.2 to 4.6].
//
// Names:    0 to 7 are the entries of the L1, 8 to 15 the banks of the L0. What exists has a place: the L1's entries, then the L0's
//           banks.
// Latency:  reads are combinational, from the state at the start of the cycle; clear, write and set act at the edge, in this order.
// Poison:   a lane that is not held, a name that does not exist, another slot's bank of a split L0, and any L0 bank with shared_i
//           read as POISON.
// Conflict: a write and a set of one name leave it pending; a clear and a write of one name leave the written lanes held.
// Range:    a name that does not exist is neither set nor written.
// Reset:    nothing held or pending, all 0.
`default_nettype none

module rf_orf #(
  /// Entries of the L1, 1 to 8.
  parameter int unsigned ENTRIES = 3,
  /// L0: 0 none, 1 one bank, 2 one bank a slot.
  parameter int unsigned L0 = 1,
  /// Lanes of a warp, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 8.
  parameter int unsigned SLOTS = 3,
  localparam int unsigned NAME_W = 4,
  localparam int unsigned NAMES  = 16,
  localparam int unsigned DATA_W = 32 * LANES
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  /// Per slot: its source is in this file.
  input  logic [SLOTS-1:0]        rd_valid_i,
  /// Per slot: the name of its source.
  input  logic [SLOTS*NAME_W-1:0] rd_name_i,
  /// The reader is a shared unit.
  input  logic                    shared_i,
  /// A write of a name is under way from now on: 0 the result's, 1 that of a kept operand.
  input  logic [1:0]              set_i,
  /// These names.
  input  logic [2*NAME_W-1:0]     set_name_i,
  /// A value arrives ...
  input  logic                    write_i,
  /// ... for this name ...
  input  logic [NAME_W-1:0]       wr_name_i,
  /// ... in these lanes.
  input  logic [LANES-1:0]        wr_mask_i,
  /// Per lane: it.
  input  logic [DATA_W-1:0]       wr_data_i,
  /// It comes from a shared unit.
  input  logic                    wr_shared_i,
  /// A strand ends: nothing is held any longer.
  input  logic                    clear_i,
  /// Per slot: value, 0 without its bit of rd_valid_i.
  output logic [SLOTS*DATA_W-1:0] rd_data_o,
  /// Per name: a write is under way.
  output logic [NAMES-1:0]        pend_o
);

  if (ENTRIES < 1 || ENTRIES > 8) begin : gen_entries_range
    $error("rf_orf: ENTRIES must be 1 to 8");
  end
  if (L0 > 2) begin : gen_l0_range
    $error("rf_orf: L0 must be 0 to 2");
  end
  if (LANES < 1 || LANES > 32) begin : gen_lanes_range
    $error("rf_orf: LANES must be 1 to 32");
  end
  if (SLOTS < 1 || SLOTS > 8) begin : gen_slots_range
    $error("rf_orf: SLOTS must be 1 to 8");
  end

  localparam int unsigned L0_NAME = 8;
  localparam int unsigned PLACES  = ENTRIES + (L0 == 2 ? SLOTS : L0);
  localparam int unsigned PLACE_W = rf_pkg::index_bits(PLACES);
  localparam logic [31:0] POISON  = 32'hdead_c0de;

  logic [PLACES-1:0] pend_q, pend_d, set, write, store;
  logic [LANES-1:0]  held_q [0:PLACES-1];
  logic [DATA_W-1:0] data_q [0:PLACES-1];

  // The place of a name, one hot; 0: it does not exist.
  function automatic logic [PLACES-1:0] place(input logic [NAME_W-1:0] name);
    for (int unsigned p = 0; p < PLACES; p++) place[p] = 32'(name) == (p < ENTRIES ? p : L0_NAME + p - ENTRIES);
  endfunction

  // `value` in the lanes of `mask`, `other` in the rest.
  function automatic logic [DATA_W-1:0] merge(input logic [DATA_W-1:0] value, input logic [DATA_W-1:0] other,
                                              input logic [LANES-1:0] mask);
    for (int l = 0; l < LANES; l++) merge[32*l +: 32] = mask[l] ? value[32*l +: 32] : other[32*l +: 32];
  endfunction

  always_comb begin
    pend_o = '0;
    for (int unsigned p = 0; p < PLACES; p++) pend_o[p < ENTRIES ? p : L0_NAME + p - ENTRIES] = pend_q[p];
  end

  // Which places a slot can read, and the one that it reads.
  for (genvar s = 0; s < SLOTS; s++) begin : gen_read
    logic [PLACES-1:0]  reach, from;
    logic [PLACE_W-1:0] index;
    logic [LANES-1:0]   held;
    always_comb for (int unsigned p = 0; p < PLACES; p++)
      reach[p] = p < ENTRIES || (!shared_i && (L0 == 1 || p - ENTRIES == s));
    assign from = place(rd_name_i[s*NAME_W +: NAME_W]) & reach;
    always_comb begin
      index = '0;
      for (int p = 0; p < PLACES; p++) index = index | (PLACE_W'(p) & {PLACE_W{from[p]}});
    end
    assign held = (from != '0) ? held_q[index] : '0;
    assign rd_data_o[s*DATA_W +: DATA_W] = rd_valid_i[s] ? merge(data_q[index], {LANES{POISON}}, held) : '0;
  end

  assign set    = (place(set_name_i[0 +: NAME_W]) & {PLACES{set_i[0]}}) | (place(set_name_i[NAME_W +: NAME_W]) & {PLACES{set_i[1]}});
  assign write  = place(wr_name_i) & {PLACES{write_i}};
  assign pend_d = (pend_q & ~write) | set;

  // The shared units have no way to the L0.
  always_comb for (int unsigned p = 0; p < PLACES; p++) store[p] = write[p] && (p < ENTRIES || !wr_shared_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      pend_q <= '0;
      for (int p = 0; p < PLACES; p++) begin
        held_q[p] <= '0;
        data_q[p] <= '0;
      end
    end else begin
      pend_q <= pend_d;
      for (int p = 0; p < PLACES; p++) begin
        held_q[p] <= (held_q[p] & {LANES{!clear_i}}) | (wr_mask_i & {LANES{store[p]}});
        if (store[p]) data_q[p] <= merge(wr_data_i, data_q[p], wr_mask_i);
      end
    end
  end

endmodule

`default_nettype wire
