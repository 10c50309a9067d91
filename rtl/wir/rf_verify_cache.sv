// SPDX-License-Identifier: Apache-2.0
// Verify cache: values of physical registers that verify-reads fetched. Fully associative.
//
// Latency:   lookups are combinational, from the state at the start of the cycle; fills and evictions act at the edge.
// Fill:      the register's line, else the lowest invalid one, else the one that next_q names, which then moves on. In order, lane 0
//            first, each sees what those before it did.
// Evict:     after the fills: the register's line becomes invalid, its tag and value stay.
// Range:     registers match as numbers, also those that do not exist.
// Reset:     all lines invalid, all 0.
// Source:    [WIR VI-C, VII-E].
`default_nettype none

module rf_verify_cache #(
  /// Lines, 1 to 16.
  parameter int unsigned ENTRIES = 8,
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Ports of each kind, 1 to 4.
  parameter int unsigned ISSUES = 2,
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS),
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  /// Per lookup port: a register is looked up.
  input  logic [ISSUES-1:0]        lk_valid_i,
  /// Per lookup port: that register.
  input  logic [ISSUES*PREG_W-1:0] lk_reg_i,
  /// Per fill port: a value was fetched.
  input  logic [ISSUES-1:0]        fill_i,
  /// Per fill port: its register.
  input  logic [ISSUES*PREG_W-1:0] fill_reg_i,
  /// Per fill port: that value.
  input  logic [ISSUES*DATA_W-1:0] fill_data_i,
  /// Per evict port: a register is written.
  input  logic [ISSUES-1:0]        evict_i,
  /// Per evict port: that register.
  input  logic [ISSUES*PREG_W-1:0] evict_reg_i,
  /// Per lookup port: the register has a line.
  output logic [ISSUES-1:0]        hit_o,
  /// Per lookup port: its value, 0 without a hit.
  output logic [ISSUES*DATA_W-1:0] data_o
);

  if (ENTRIES < 1 || ENTRIES > 16) begin : gen_entries_range
    $error("rf_verify_cache: ENTRIES must be 1 to 16");
  end
  if (PREGS < 2 || PREGS > 1024) begin : gen_pregs_range
    $error("rf_verify_cache: PREGS must be 2 to 1024");
  end
  if (LANES < 1 || LANES > 32) begin : gen_lanes_range
    $error("rf_verify_cache: LANES must be 1 to 32");
  end
  if (ISSUES < 1 || ISSUES > 4) begin : gen_issues_range
    $error("rf_verify_cache: ISSUES must be 1 to 4");
  end

  localparam int unsigned LINE_W = rf_pkg::index_bits(ENTRIES);
  localparam logic [LINE_W-1:0] LAST = LINE_W'(ENTRIES - 1);

  logic [ENTRIES-1:0] valid_q, valid_d;
  logic [PREG_W-1:0]  tag_q [0:ENTRIES-1];
  logic [DATA_W-1:0]  data_q [0:ENTRIES-1];
  logic [LINE_W-1:0]  next_q, next_d;

  logic [ENTRIES*PREG_W-1:0] tags;
  for (genvar e = 0; e < ENTRIES; e++) begin : gen_tags
    assign tags[e*PREG_W +: PREG_W] = tag_q[e];
  end

  // The lines whose tag is this register.
  `RF_HOLDS(ENTRIES, PREG_W)

  for (genvar i = 0; i < ISSUES; i++) begin : gen_lookup
    logic [ENTRIES-1:0] found;
    logic [LINE_W-1:0]  line;
    assign found    = holds(tags, lk_reg_i[i*PREG_W +: PREG_W]) & valid_q;
    assign hit_o[i] = lk_valid_i[i] && found != '0;
    always_comb begin
      line = '0;
      for (int e = 0; e < ENTRIES; e++) line = line | (LINE_W'(e) & {LINE_W{found[e]}});
    end
    assign data_o[i*DATA_W +: DATA_W] = hit_o[i] ? data_q[line] : '0;
  end

  // Which line each fill takes, one hot. All tags are compared as they are in the registers; what a fill puts there is told by
  // comparing the registers of the ports.
  logic [ISSUES*ENTRIES-1:0] takes;

  always_comb begin
    logic [ENTRIES-1:0] found, free, take;
    valid_d = valid_q;
    next_d  = next_q;
    takes   = '0;
    for (int i = 0; i < ISSUES; i++) begin
      found = holds(tags, fill_reg_i[i*PREG_W +: PREG_W]) & valid_q;
      for (int j = 0; j < i; j++) begin
        found = found & ~takes[j*ENTRIES +: ENTRIES];
        if (fill_reg_i[j*PREG_W +: PREG_W] == fill_reg_i[i*PREG_W +: PREG_W]) found = found | takes[j*ENTRIES +: ENTRIES];
      end
      free = ~valid_d;
      take = '0;
      if (fill_i[i]) begin
        if (found != '0) take = found;
        else if (free != '0) take = `RF_LOWEST(free);
        else begin
          take   = ENTRIES'(1) << next_d;
          next_d = (next_d == LAST) ? '0 : next_d + 1'b1;
        end
      end
      takes[i*ENTRIES +: ENTRIES] = take;
      valid_d = valid_d | take;
    end
    for (int k = 0; k < ISSUES; k++) begin
      found = holds(tags, evict_reg_i[k*PREG_W +: PREG_W]);
      for (int j = 0; j < ISSUES; j++) begin
        found = found & ~takes[j*ENTRIES +: ENTRIES];
        if (fill_reg_i[j*PREG_W +: PREG_W] == evict_reg_i[k*PREG_W +: PREG_W]) found = found | takes[j*ENTRIES +: ENTRIES];
      end
      if (evict_i[k]) valid_d = valid_d & ~found;
    end
  end

  // The later assignment wins: of two fills of one line, the higher port's.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      valid_q <= '0;
      next_q  <= '0;
      for (int e = 0; e < ENTRIES; e++) begin
        tag_q[e]  <= '0;
        data_q[e] <= '0;
      end
    end else begin
      valid_q <= valid_d;
      next_q  <= next_d;
      for (int i = 0; i < ISSUES; i++)
        for (int e = 0; e < ENTRIES; e++)
          if (takes[i*ENTRIES+e]) begin
            tag_q[e]  <= fill_reg_i[i*PREG_W +: PREG_W];
            data_q[e] <= fill_data_i[i*DATA_W +: DATA_W];
          end
    end
  end

endmodule

`default_nettype wire
