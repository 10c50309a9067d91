// SPDX-License-Identifier: Apache-2.0
// Miss status holding registers of one bank: what is on its way from L2, and who waits for it.
//
// Latency:   lookups are combinational, from the state at the start of the cycle; allocate, merge and done act at the edge.
// Entry:     a line, whether it is a register, whether it is kept when it comes (all who wait for it say so), and who waits for
//            it, in their order.
// Conflicts: all three may act in one cycle. An allocation does not get the entry that is done in it, a merge into that is lost.
// Illegal:   allocate without a free entry, merge without room, done of an entry that is free or does not exist: ignored.
//            Of several entries with one line the lowest is meant.
// Reset:     everything is 0. An entry that becomes free keeps the rest.
// Source:    [CERF III-B].
`default_nettype none

module rf_mshr #(
  /// Entries, 1 to 16; with RESERVE 2 to 16.
  parameter int unsigned MSHRS = 8,
  /// Targets of an entry, 1 to 8.
  parameter int unsigned TARGETS = 4,
  /// Bits of a line number, 1 to 25.
  parameter int unsigned LINE_W = 23,
  /// Bits of a requester's number, 1 to 8.
  parameter int unsigned ID_W = 6,
  /// 1: registers and cache data each leave one entry to the other.
  parameter int unsigned RESERVE = 1,
  localparam int unsigned ENTRY_W = rf_pkg::index_bits(MSHRS),
  localparam int unsigned COUNT_W = rf_pkg::index_bits(TARGETS + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  /// Line that is looked up, and allocated ...
  input  logic [LINE_W-1:0]       line_i,
  /// ... for this requester.
  input  logic [ID_W-1:0]         id_i,
  /// The free entry takes the line.
  input  logic                    allocate_i,
  /// It is a register.
  input  logic                    reg_i,
  /// It gets a place when it comes; of what is on its way: if all who wait for it say so.
  input  logic                    keep_i,
  /// The requester waits for the data.
  input  logic                    target_i,
  /// The requester waits for what is on its way.
  input  logic                    merge_i,
  /// The line has come ...
  input  logic                    done_i,
  /// ... of this entry.
  input  logic [ENTRY_W-1:0]      done_entry_i,
  /// A busy entry has the line ...
  output logic                    match_o,
  /// ... this one, 0 when none.
  output logic [ENTRY_W-1:0]      match_entry_o,
  /// It has room for one more target.
  output logic                    match_room_o,
  /// An entry is free ...
  output logic                    free_o,
  /// ... the lowest is this one, 0 when none.
  output logic [ENTRY_W-1:0]      free_entry_o,
  /// An entry is free for a register.
  output logic                    room_reg_o,
  /// An entry is free for cache data.
  output logic                    room_cache_o,
  /// Entry done_entry_i is busy; when low, the outputs below are 0.
  output logic                    done_busy_o,
  /// Its line.
  output logic [LINE_W-1:0]       done_line_o,
  /// It is a register.
  output logic                    done_reg_o,
  /// It gets a place.
  output logic                    done_keep_o,
  /// How many wait for it.
  output logic [COUNT_W-1:0]      done_count_o,
  /// Per target: its number; those beyond the count are what lies there.
  output logic [TARGETS*ID_W-1:0] done_id_o
);

  if (MSHRS < 1 || MSHRS > 16) begin : gen_mshrs_range
    $error("rf_mshr: MSHRS must be 1 to 16");
  end
  if (TARGETS < 1 || TARGETS > 8) begin : gen_targets_range
    $error("rf_mshr: TARGETS must be 1 to 8");
  end
  if (LINE_W < 1 || LINE_W > 25) begin : gen_line_range
    $error("rf_mshr: LINE_W must be 1 to 25");
  end
  if (ID_W < 1 || ID_W > 8) begin : gen_id_range
    $error("rf_mshr: ID_W must be 1 to 8");
  end
  if (RESERVE > 1) begin : gen_reserve_range
    $error("rf_mshr: RESERVE must be 0 or 1");
  end
  if (RESERVE == 1 && MSHRS < 2) begin : gen_reserve_mshrs
    $error("rf_mshr: with RESERVE, MSHRS must be 2 to 16");
  end

  logic [MSHRS-1:0]   busy_q, busy_d, reg_q, reg_d, keep_q, keep_d;
  logic [LINE_W-1:0]  line_q [0:MSHRS-1];
  logic [COUNT_W-1:0] count_q [0:MSHRS-1];
  logic [ID_W-1:0]    id_q [0:MSHRS*TARGETS-1];

  // One bit an entry.
  logic [MSHRS-1:0] found, match, room, free, next, shown, allocate, merge, done;

  for (genvar e = 0; e < MSHRS; e++) begin : gen_entry
    assign found[e] = busy_q[e] && line_q[e] == line_i;
    assign room[e]  = keep_q[e] && count_q[e] != COUNT_W'(TARGETS);
    assign shown[e] = busy_q[e] && done_entry_i == ENTRY_W'(e);
  end

  assign match = `RF_LOWEST(found);
  assign free  = ~busy_q;
  assign next  = `RF_LOWEST(free);

  assign match_o      = found != '0;
  assign match_room_o = (match & room) != '0;
  assign free_o       = free != '0;
  for (genvar k = 0; k < ENTRY_W; k++) begin : gen_number
    assign match_entry_o[k] = |(match & rf_pkg::NUMBERS[k*64 +: MSHRS]);
    assign free_entry_o[k]  = |(next & rf_pkg::NUMBERS[k*64 +: MSHRS]);
  end

  // All but one would be of one class, if one more of it came: there is one free entry, and no busy one of the other class.
  if (RESERVE == 1) begin : gen_reserve
    logic several;
    assign several      = (free & ~next) != '0;
    assign room_reg_o   = free_o && (several || (busy_q & ~reg_q) != '0);
    assign room_cache_o = free_o && (several || (busy_q & reg_q) != '0);
  end else begin : gen_share
    assign room_reg_o   = free_o;
    assign room_cache_o = free_o;
  end

  assign done_busy_o = shown != '0;
  assign done_reg_o  = (shown & reg_q) != '0;
  assign done_keep_o = (shown & keep_q) != '0;
  always_comb begin
    done_line_o  = '0;
    done_count_o = '0;
    done_id_o    = '0;
    for (int e = 0; e < MSHRS; e++) begin
      done_line_o  = done_line_o | (line_q[e] & {LINE_W{shown[e]}});
      done_count_o = done_count_o | (count_q[e] & {COUNT_W{shown[e]}});
      for (int t = 0; t < TARGETS; t++)
        done_id_o[t*ID_W +: ID_W] = done_id_o[t*ID_W +: ID_W] | (id_q[e*TARGETS+t] & {ID_W{shown[e]}});
    end
  end

  assign allocate = next & {MSHRS{allocate_i}};
  assign done     = shown & {MSHRS{done_i}};
  assign merge    = match & room & ~done & {MSHRS{merge_i}};

  assign busy_d = (busy_q | allocate) & ~done;
  assign reg_d  = (reg_q & ~allocate) | (allocate & {MSHRS{reg_i}});
  assign keep_d = (keep_q & ~allocate & ~(merge & {MSHRS{!keep_i}})) | (allocate & {MSHRS{keep_i}});

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      busy_q <= '0;
      reg_q  <= '0;
      keep_q <= '0;
      for (int e = 0; e < MSHRS; e++) begin
        line_q[e]  <= '0;
        count_q[e] <= '0;
        for (int t = 0; t < TARGETS; t++) id_q[e*TARGETS+t] <= '0;
      end
    end else begin
      busy_q <= busy_d;
      reg_q  <= reg_d;
      keep_q <= keep_d;
      for (int e = 0; e < MSHRS; e++) begin
        if (allocate[e]) begin
          line_q[e]  <= line_i;
          count_q[e] <= COUNT_W'(target_i);
          if (target_i) id_q[e*TARGETS] <= id_i;
        end
        if (merge[e]) begin
          count_q[e] <= count_q[e] + 1'b1;
          for (int t = 0; t < TARGETS; t++)
            if (count_q[e] == COUNT_W'(t)) id_q[e*TARGETS+t] <= id_i;
        end
      end
    end
  end

endmodule

`default_nettype wire
