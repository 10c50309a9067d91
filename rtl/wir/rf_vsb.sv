// SPDX-License-Identifier: Apache-2.0
// Value signature buffer: which physical register holds the value with this hash. Direct-mapped by the low bits of the hash.
//
// Latency:   lookups and what they free are combinational, from the state at the start of the cycle; writes and drops act at the edge.
// Conflicts: lanes act in order, lane 0 first, then the drop port: the last one stands. A lane's write wins over its drop.
//            freed_o and rnd_freed_o say who removes a valid entry, as those before him leave it.
// Range:     write_i and drop_i count where lk_valid_i; rnd_index_i counts mod ENTRIES; a register is carried as it is.
// Reset:     all entries invalid, all 0.
// Source:    [WIR V-A, VII-E].
`default_nettype none

module rf_vsb #(
  /// Entries, a power of two, 1 to 512.
  parameter int unsigned ENTRIES = 256,
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// Lanes, 1 to 4.
  parameter int unsigned ISSUES = 2,
  localparam int unsigned INDEX_W = rf_pkg::index_bits(ENTRIES),
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  /// Per lane: it looks its hash up.
  input  logic [ISSUES-1:0]        lk_valid_i,
  /// Per lane: that hash.
  input  logic [ISSUES*32-1:0]     lk_hash_i,
  /// Per lane: its entry becomes its hash and write_reg_i.
  input  logic [ISSUES-1:0]        write_i,
  /// Per lane: the register that holds the value.
  input  logic [ISSUES*PREG_W-1:0] write_reg_i,
  /// Per lane: its entry becomes invalid, whatever hash it has.
  input  logic [ISSUES-1:0]        drop_i,
  /// Drop port: an entry becomes invalid.
  input  logic                     rnd_drop_i,
  /// Drop port: which.
  input  logic [INDEX_W-1:0]       rnd_index_i,
  /// Per lane: its entry is valid and has its hash.
  output logic [ISSUES-1:0]        hit_o,
  /// Per lane: that entry's register, 0 without a hit.
  output logic [ISSUES*PREG_W-1:0] hit_reg_o,
  /// Per lane: it removes a valid entry in this cycle.
  output logic [ISSUES-1:0]        freed_o,
  /// Per lane: that entry's register, 0 when none.
  output logic [ISSUES*PREG_W-1:0] freed_reg_o,
  /// The drop port removes a valid entry.
  output logic                     rnd_freed_o,
  /// That entry's register, 0 when none.
  output logic [PREG_W-1:0]        rnd_freed_reg_o
);

  if (ENTRIES < 1 || ENTRIES > 512 || (ENTRIES & (ENTRIES - 1)) != 0) begin : gen_entries_range
    $error("rf_vsb: ENTRIES must be a power of two, 1 to 512");
  end
  if (PREGS < 2 || PREGS > 1024) begin : gen_pregs_range
    $error("rf_vsb: PREGS must be 2 to 1024");
  end
  if (ISSUES < 1 || ISSUES > 4) begin : gen_issues_range
    $error("rf_vsb: ISSUES must be 1 to 4");
  end

  localparam logic [INDEX_W-1:0] LAST = INDEX_W'(ENTRIES - 1);

  logic              valid_q [0:ENTRIES-1];
  logic [31:0]       hash_q [0:ENTRIES-1];
  logic [PREG_W-1:0] reg_q [0:ENTRIES-1];

  logic [ISSUES-1:0]  act;
  logic [INDEX_W-1:0] index [0:ISSUES-1];
  logic [INDEX_W-1:0] rnd_index;

  assign act       = lk_valid_i & (write_i | drop_i);
  assign rnd_index = rnd_index_i & LAST;
  for (genvar i = 0; i < ISSUES; i++) begin : gen_index
    assign index[i] = lk_hash_i[i*32 +: INDEX_W] & LAST;
  end

  // Each lane: its entry as it is, and as the lanes before it leave it.
  for (genvar i = 0; i < ISSUES; i++) begin : gen_lane
    logic              left_valid;
    logic [PREG_W-1:0] left_reg;
    assign hit_o[i] = lk_valid_i[i] && valid_q[index[i]] && hash_q[index[i]] == lk_hash_i[i*32 +: 32];
    assign hit_reg_o[i*PREG_W +: PREG_W] = hit_o[i] ? reg_q[index[i]] : '0;
    always_comb begin
      left_valid = valid_q[index[i]];
      left_reg   = reg_q[index[i]];
      for (int j = 0; j < i; j++)
        if (act[j] && index[j] == index[i]) begin
          left_valid = write_i[j];
          left_reg   = write_reg_i[j*PREG_W +: PREG_W];
        end
    end
    assign freed_o[i] = act[i] && left_valid;
    assign freed_reg_o[i*PREG_W +: PREG_W] = freed_o[i] ? left_reg : '0;
  end

  // The drop port: its entry as all lanes leave it.
  logic              rnd_left_valid;
  logic [PREG_W-1:0] rnd_left_reg;
  always_comb begin
    rnd_left_valid = valid_q[rnd_index];
    rnd_left_reg   = reg_q[rnd_index];
    for (int j = 0; j < ISSUES; j++)
      if (act[j] && index[j] == rnd_index) begin
        rnd_left_valid = write_i[j];
        rnd_left_reg   = write_reg_i[j*PREG_W +: PREG_W];
      end
  end
  assign rnd_freed_o     = rnd_drop_i && rnd_left_valid;
  assign rnd_freed_reg_o = rnd_freed_o ? rnd_left_reg : '0;

  // The later assignment wins.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int h = 0; h < ENTRIES; h += 64)
        for (int e = h; e < h + 64 && e < ENTRIES; e++) begin
          valid_q[e] <= 1'b0;
          hash_q[e]  <= '0;
          reg_q[e]   <= '0;
        end
    end else begin
      for (int i = 0; i < ISSUES; i++) begin
        if (act[i]) valid_q[index[i]] <= write_i[i];
        if (act[i] && write_i[i]) begin
          hash_q[index[i]] <= lk_hash_i[i*32 +: 32];
          reg_q[index[i]]  <= write_reg_i[i*PREG_W +: PREG_W];
        end
      end
      if (rnd_drop_i) valid_q[rnd_index] <= 1'b0;
    end
  end

endmodule

`default_nettype wire
