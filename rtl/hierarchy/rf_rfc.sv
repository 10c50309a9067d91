// SPDX-License-Identifier: Apache-2.0
// Register file cache of one active warp, managed by hardware: an L1 of ENTRIES entries and, with L0 = 1, an L0 of one above it.
//
// Latency:   reads and mrf_* are combinational; mrf_* depends on the reads of its cycle. All changes come at the edge.
// Reads:     with read_i they count: last_i makes the entry dead, POLICY 1 makes it the newest. A dead entry hits, a write makes
//            it live again; where others go to the MRF or move it is dropped.
// Write:     held by its user until take_i. Not full: merged into the register's entry, else it goes to the MRF. Full: around_i
//            sends it to the MRF; else it goes to the L0 (low_i: the L1), over the register's old value or over the L1's oldest
//            entry, which goes to the MRF; what the L0 held moves into the L1.
// Flush:     without a write, one entry a cycle goes to the MRF: the L0, then the L1's, lowest first.
// Conflicts: the write, or the flush, meets entries and ranks as the reads of this cycle leave them.
// Reset:     nothing valid, entry e has rank ENTRIES - 1 - e, all else 0.
// Source:    [hierarchy 4.1, 4.3 to 4.6, 7.6].
`default_nettype none

module rf_rfc #(
  /// Entries of the L1, 1 to 8.
  parameter int unsigned ENTRIES = 6,
  /// 0: no L0, 1: one entry above the L1.
  parameter int unsigned L0 = 1,
  /// 0: first in, first out, 1: least recently used.
  parameter int unsigned POLICY = 0,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 64,
  /// Lanes of a warp, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 8.
  parameter int unsigned SLOTS = 3,
  localparam int unsigned RANK_W = rf_pkg::index_bits(ENTRIES),
  localparam int unsigned REG_W  = rf_pkg::index_bits(REGS),
  localparam int unsigned DATA_W = 32 * LANES
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  /// An instruction of the warp issues: its sources are read.
  input  logic                    read_i,
  /// Per slot: a source.
  input  logic [SLOTS-1:0]        rd_valid_i,
  /// Per slot: its register.
  input  logic [SLOTS*REG_W-1:0]  rd_reg_i,
  /// Per slot: no lane reads the register's value again.
  input  logic [SLOTS-1:0]        last_i,
  /// A result of the warp is offered.
  input  logic                    write_i,
  /// Its register.
  input  logic [REG_W-1:0]        wr_reg_i,
  /// Its lanes.
  input  logic [LANES-1:0]        wr_mask_i,
  /// Its value.
  input  logic [DATA_W-1:0]       wr_data_i,
  /// It takes no entry.
  input  logic                    around_i,
  /// It does not go into the L0.
  input  logic                    low_i,
  /// The entries are to be written back.
  input  logic                    flush_i,
  /// The write, or a step of the flush, happens.
  input  logic                    take_i,
  /// Per slot: a source that an entry has.
  output logic [SLOTS-1:0]        hit_o,
  /// Per slot: ... the L0's.
  output logic [SLOTS-1:0]        hit_l0_o,
  /// Per slot: its value, 0 without a hit.
  output logic [SLOTS*DATA_W-1:0] rd_data_o,
  /// The write, or the step of the flush, sends something to the MRF;
  output logic                    mrf_valid_o,
  /// that is an entry, not the result itself.
  output logic                    mrf_entry_o,
  /// Its register,
  output logic [REG_W-1:0]        mrf_reg_o,
  /// lanes
  output logic [LANES-1:0]        mrf_mask_o,
  /// and value.
  output logic [DATA_W-1:0]       mrf_data_o,
  /// An entry is valid.
  output logic                    holds_o
);

  if (ENTRIES < 1 || ENTRIES > 8 || L0 > 1 || POLICY > 1 || REGS < 1 || REGS > 256 || LANES < 1 || LANES > 32 || SLOTS < 1 ||
      SLOTS > 8) begin : gen_range
    $error("rf_rfc: ENTRIES 1 to 8, L0 0 to 1, POLICY 0 to 1, REGS 1 to 256, LANES 1 to 32, SLOTS 1 to 8");
  end

  localparam int unsigned RECENT_W = SLOTS + RANK_W;
  localparam logic [RANK_W-1:0] OLDEST = RANK_W'(ENTRIES - 1);

  logic [ENTRIES-1:0] valid_q, valid_d, dead_q, dead_d;
  logic [REG_W-1:0]   reg_q [0:ENTRIES-1];
  logic [RANK_W-1:0]  rank_q [0:ENTRIES-1];
  logic [DATA_W-1:0]  data_q [0:ENTRIES-1];
  logic               l0_valid_q, l0_valid_d, l0_dead_q, l0_dead_d;
  logic [REG_W-1:0]   l0_reg_q;
  logic [DATA_W-1:0]  l0_data_q;

  // ---- Reads, from the registers. found has a row of entries per slot.
  logic [SLOTS*ENTRIES-1:0] found;
  logic [ENTRIES*REG_W-1:0] regs;

  `RF_HOLDS(ENTRIES, REG_W)

  for (genvar e = 0; e < ENTRIES; e++) begin : gen_regs
    assign regs[e*REG_W +: REG_W] = reg_q[e];
  end

  for (genvar s = 0; s < SLOTS; s++) begin : gen_read
    logic [REG_W-1:0]   source;
    logic [ENTRIES-1:0] finds;
    logic [RANK_W-1:0]  entry;
    assign source      = rd_reg_i[s*REG_W +: REG_W];
    assign finds       = holds(regs, source) & valid_q & {ENTRIES{rd_valid_i[s]}};
    assign hit_l0_o[s] = rd_valid_i[s] && l0_valid_q && l0_reg_q == source;
    assign hit_o[s]    = finds != '0 || hit_l0_o[s];
    always_comb begin
      entry = '0;
      for (int e = 0; e < ENTRIES; e++) entry = entry | (RANK_W'(e) & {RANK_W{finds[e]}});
    end
    assign rd_data_o[s*DATA_W +: DATA_W] = hit_l0_o[s] ? l0_data_q : hit_o[s] ? data_q[entry] : '0;
    assign found[s*ENTRIES +: ENTRIES]   = finds;
  end

  // ---- What they leave: what is live, and ranks: who was read last comes first, then the rank before.
  logic [ENTRIES-1:0]  dead, live;
  logic                l0_dead, l0_live;
  logic [RECENT_W-1:0] recent [0:ENTRIES-1];
  logic [RANK_W-1:0]   rank [0:ENTRIES-1];

  assign l0_dead = l0_dead_q || (read_i && (hit_l0_o & last_i) != '0);
  assign l0_live = l0_valid_q && !l0_dead;
  assign live    = valid_q & ~dead;

  always_comb begin
    dead = dead_q;
    for (int s = 0; s < SLOTS; s++) dead = dead | (found[s*ENTRIES +: ENTRIES] & {ENTRIES{read_i & last_i[s]}});
  end

  always_comb begin
    for (int e = 0; e < ENTRIES; e++) begin
      recent[e] = {{SLOTS{1'b0}}, ~rank_q[e]};
      for (int s = 0; s < SLOTS; s++) recent[e][RANK_W+s] = read_i && found[s*ENTRIES+e];
      rank[e] = (POLICY != 0) ? '0 : rank_q[e];
    end
    if (POLICY != 0)
      for (int e = 1; e < ENTRIES; e++)
        for (int f = 0; f < e; f++) begin
          rank[e] = rank[e] + RANK_W'(recent[f] > recent[e]);
          rank[f] = rank[f] + RANK_W'(recent[f] < recent[e]);
        end
  end

  // ---- The write, by its rules, and the flush.
  logic               full, has_l0, merge, around, into, to_l0, over, alloc, flush;
  logic [ENTRIES-1:0] has, oldest, lowest, send;
  logic [RANK_W-1:0]  sent;
  logic               send_l0;

  always_comb for (int e = 0; e < ENTRIES; e++) oldest[e] = rank[e] == OLDEST;

  assign full   = wr_mask_i == '1;
  assign has    = holds(regs, wr_reg_i) & valid_q;
  assign has_l0 = l0_valid_q && l0_reg_q == wr_reg_i;
  assign merge  = write_i && !full && (has != '0 || has_l0);     // 1
  assign around = write_i && !merge && (around_i || !full);      // 2
  assign into   = write_i && full && !around_i;                  // 3
  assign to_l0  = into && L0 != 0 && !low_i;
  assign over   = into && (to_l0 ? has_l0 : has != '0);          // 3a
  assign alloc  = into && !over && (!to_l0 || l0_live);          // 3b: of the L1, for the result or for what the L0 holds

  assign flush   = flush_i && !write_i;
  assign lowest  = `RF_LOWEST(live);
  assign send_l0 = flush && l0_live;
  assign send    = (oldest & live & ~has & {ENTRIES{alloc}}) | (lowest & {ENTRIES{flush & ~l0_live}});

  assign mrf_entry_o = send_l0 || send != '0;
  assign mrf_valid_o = mrf_entry_o || around;
  assign mrf_mask_o  = (wr_mask_i & {LANES{around}}) | {LANES{mrf_entry_o}};
  assign holds_o     = l0_valid_q || valid_q != '0;

  always_comb begin
    sent = '0;
    for (int e = 0; e < ENTRIES; e++) sent = sent | (RANK_W'(e) & {RANK_W{send[e]}});
  end

  assign mrf_reg_o  = around ? wr_reg_i : send_l0 ? l0_reg_q : mrf_entry_o ? reg_q[sent] : '0;
  assign mrf_data_o = around ? wr_data_i : send_l0 ? l0_data_q : mrf_entry_o ? data_q[sent] : '0;

  // ---- The edge.
  logic [DATA_W-1:0]  lanes;         // wr_mask_i for each bit
  logic [ENTRIES-1:0] place, newest; // the entry that is allocated; the one that becomes the newest
  logic [RANK_W-1:0]  was;           // rank of that one

  always_comb for (int l = 0; l < LANES; l++) lanes[32*l +: 32] = {32{wr_mask_i[l]}};

  assign place  = oldest & {ENTRIES{take_i & alloc}};
  assign newest = place | (has & {ENTRIES{take_i && POLICY != 0 && (merge || (over && !to_l0))}});

  always_comb begin
    was = '0;
    for (int e = 0; e < ENTRIES; e++) was = was | (rank[e] & {RANK_W{newest[e]}});
  end

  // Of a write, has is merged into, overwritten or freed: it is dead in no case.
  always_comb begin
    valid_d    = valid_q;
    l0_valid_d = l0_valid_q;
    dead_d     = dead;
    l0_dead_d  = l0_dead;
    if (take_i && write_i) begin
      if ((around && full) || to_l0) valid_d = valid_q & ~has;
      if ((around && full) || (into && !to_l0)) l0_valid_d = l0_valid_q && !has_l0;
      if (to_l0) l0_valid_d = 1'b1;
      valid_d   = valid_d | place;
      dead_d    = dead & ~(has | place);
      l0_dead_d = l0_dead && !has_l0 && !to_l0;
    end else if (take_i && flush_i) begin
      valid_d    = live & ~send;
      l0_valid_d = 1'b0;
      dead_d     = '0;
      l0_dead_d  = 1'b0;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {valid_q, dead_q, l0_valid_q, l0_dead_q, l0_reg_q, l0_data_q} <= '0;
      for (int e = 0; e < ENTRIES; e++) begin
        reg_q[e]  <= '0;
        rank_q[e] <= OLDEST - RANK_W'(e);
        data_q[e] <= '0;
      end
    end else begin
      valid_q    <= valid_d;
      dead_q     <= dead_d;
      l0_valid_q <= l0_valid_d;
      l0_dead_q  <= l0_dead_d;
      if (take_i && to_l0) l0_reg_q <= wr_reg_i;
      if (take_i && ((merge && has_l0) || to_l0)) l0_data_q <= (wr_data_i & lanes) | (l0_data_q & ~lanes);
      for (int e = 0; e < ENTRIES; e++) begin
        rank_q[e] <= newest[e] ? '0 : rank[e] + RANK_W'(rank[e] < was);
        if (place[e]) begin
          reg_q[e]  <= to_l0 ? l0_reg_q : wr_reg_i;
          data_q[e] <= to_l0 ? l0_data_q : wr_data_i;
        end else if (take_i && has[e] && (merge || (over && !to_l0))) begin
          data_q[e] <= (wr_data_i & lanes) | (data_q[e] & ~lanes);
        end
      end
    end
  end

endmodule

`default_nettype wire
