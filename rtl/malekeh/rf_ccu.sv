// SPDX-License-Identifier: Apache-2.0
// Caching collector unit: an operand collector whose operand storage is a small cache of its warp's registers [Malekeh 3.2, 4].
//
// Latency:   alloc t, sources that miss ask from t+1; granted g, data on fill_data_i in g+1, ready from g+2; all hit: ready in
//            t+1; free in the cycle after dispatch. hit_o, d_valid_o and d_sel_o depend on inputs of the same cycle.
// Conflicts: alloc_i is ignored while busy, even in the cycle of the dispatch; dispatch_i counts only while ready; a grant counts
//            only for a slot that asks. Results of a cycle meet the table as the allocation of that cycle leaves it.
// Replace:   entries not valid, lowest first; far ones from rand_i on; near ones, least recently used first; never a locked one.
//            All positions in this order are known at once, by comparing pairs; so are the LRU ranks.
// D-dup:     slots that name one register share an entry; the lowest asks.
// SERIAL:    1: only the lowest of the slots that would ask does: port S brings one register a cycle.
// D-far-hit: a result that is not stored makes the entry that holds its register invalid.
// BOW:       the entries are what the last three instructions name [Malekeh 8]: near what the newest does, far what the one
//            before does. At an allocation entries that no source hits pass on: near ones become far, far ones invalid.
// Reset:     everything is 0 but the LRU ranks: each entry's is its index.
`default_nettype none

module rf_ccu #(
  /// Entries of the cache table, 2 to 8, at least SLOTS.
  parameter int unsigned ENTRIES = 8,
  /// Source slots, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Lanes of a warp, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 64,
  /// Banks, 1 to 32.
  parameter int unsigned BANKS = 8,
  /// Rows of a bank, 1 to 1024.
  parameter int unsigned ROWS = 256,
  /// Execution ports, 1 to 8: as many writers.
  parameter int unsigned EXPORTS = 3,
  /// 1: caches. 0: a collector only.
  parameter int unsigned CACHE = 1,
  /// 0: hints say what stays. 1: the window of BOW does, and hints are ignored but alloc_dst_near_i.
  parameter int unsigned BOW = 0,
  /// 0: all sources ask at once, 1: one at a time.
  parameter int unsigned SERIAL = 0,
  localparam int unsigned INDEX_W = rf_pkg::index_bits(ENTRIES),
  localparam int unsigned WARP_W  = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W   = rf_pkg::index_bits(REGS),
  localparam int unsigned BANK_W  = rf_pkg::index_bits(BANKS),
  localparam int unsigned ROW_W   = rf_pkg::index_bits(ROWS),
  localparam int unsigned PORT_W  = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned TAG_W   = rf_banked_pkg::TAG_W,
  localparam int unsigned CARRIED_W = `RF_BANKED_CARRIED_W,
  localparam int unsigned INST_W = `RF_BANKED_INST_W,
  localparam int unsigned DATA_W  = 32 * LANES
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  /// An instruction takes this unit ...
  input  logic                     alloc_i,
  /// ... this one: rf_banked_pkg's inst_t.
  input  logic [INST_W-1:0]        alloc_inst_i,
  /// Hint of its destination, carried along. BOW: it is a control instruction.
  input  logic                     alloc_dst_near_i,
  /// Per slot: hint, the register is used again soon.
  input  logic [SLOTS-1:0]         alloc_src_near_i,
  /// Per slot: its bank.
  input  logic [SLOTS*BANK_W-1:0]  alloc_bank_i,
  /// Per slot: its row.
  input  logic [SLOTS*ROW_W-1:0]   alloc_row_i,
  /// Per slot: the bank reads for it.
  input  logic [SLOTS-1:0]         rd_grant_i,
  /// Port S, per slot: data from the crossbar.
  input  logic [SLOTS*DATA_W-1:0]  fill_data_i,
  /// The instruction leaves.
  input  logic                     dispatch_i,
  /// Nothing in the cache table is of use any more.
  input  logic                     flush_i,
  /// Where the search for a far entry begins.
  input  logic [INDEX_W-1:0]       rand_i,
  /// Per writer: a result is written to its bank in this cycle.
  input  logic [EXPORTS-1:0]       wr_valid_i,
  /// Per writer: warp.
  input  logic [EXPORTS*WARP_W-1:0] wr_warp_i,
  /// Per writer: register.
  input  logic [EXPORTS*REG_W-1:0] wr_reg_i,
  /// Per writer: hint, the register is used again soon.
  input  logic [EXPORTS-1:0]       wr_near_i,
  /// Per writer: lanes.
  input  logic [EXPORTS*LANES-1:0] wr_mask_i,
  /// Port D: the result of writer d_sel_o.
  input  logic [DATA_W-1:0]        d_data_i,
  /// It holds an instruction.
  output logic                     busy_o,
  /// Busy, and all operands are there.
  output logic                     ready_o,
  /// Per slot: it asks for its bank.
  output logic [SLOTS-1:0]         rd_valid_o,
  /// Per slot: bank.
  output logic [SLOTS*BANK_W-1:0]  rd_bank_o,
  /// Per slot: row.
  output logic [SLOTS*ROW_W-1:0]   rd_row_o,
  /// Per slot: a valid source neither there nor granted yet.
  output logic [SLOTS-1:0]         unread_o,
  /// Per slot: register in its entry.
  output logic [SLOTS*REG_W-1:0]   src_o,
  /// Per slot: data arrives in this cycle, from bank rd_bank_o.
  output logic [SLOTS-1:0]         fill_valid_o,
  /// The instruction as allocated: warp,
  output logic [WARP_W-1:0]        warp_o,
  /// execution port,
  output logic [PORT_W-1:0]        port_o,
  /// what goes with it there, a carried_t,
  output logic [CARRIED_W-1:0]     carried_o,
  /// and the hint of its destination.
  output logic                     dst_near_o,
  /// Per slot: operand.
  output logic [SLOTS*DATA_W-1:0]  data_o,
  /// Port R: warp_o has this unit.
  output logic                     owned_o,
  /// Port R: an entry is valid.
  output logic                     held_o,
  /// Port R: a valid entry is near.
  output logic                     near_o,
  /// Per slot of alloc_*: found in the cache table.
  output logic [SLOTS-1:0]         hit_o,
  /// A writer has port D.
  output logic                     d_valid_o,
  /// Which.
  output logic [PORT_W-1:0]        d_sel_o
);

  if (ENTRIES < 2 || ENTRIES > 8 || ENTRIES < SLOTS || SLOTS < 1 || SLOTS > 8 || LANES < 1 || LANES > 32 || WARPS < 1 ||
      WARPS > 64 || REGS < 1 || REGS > 256 || BANKS < 1 || BANKS > 32 || ROWS < 1 || ROWS > 1024 || EXPORTS < 1 || EXPORTS > 8 ||
      CACHE > 1 || BOW > 1 || SERIAL > 1) begin : gen_range
    $error({"rf_ccu: ENTRIES 2 to 8 and at least SLOTS, SLOTS 1 to 8, LANES 1 to 32, WARPS 1 to 64, REGS 1 to 256, ",
            "BANKS 1 to 32, ROWS 1 to 1024, EXPORTS 1 to 8, CACHE 0 to 1, BOW 0 to 1, SERIAL 0 to 1"});
  end

  `RF_BANKED_RECORDS

  localparam int unsigned KEY_W    = INDEX_W + 2;
  localparam int unsigned RECENT_W = SLOTS + 1 + INDEX_W;

  logic [ENTRIES-1:0] ct_valid_q, ct_valid_d, ct_lock_q, ct_lock_d, ct_near_q, ct_near_d;
  logic [REG_W-1:0]   ct_tag_q [0:ENTRIES-1];
  logic [INDEX_W-1:0] ct_lru_q [0:ENTRIES-1];
  logic [DATA_W-1:0]  ct_data_q [0:ENTRIES-1];
  logic [SLOTS-1:0]   oct_valid_q, oct_valid_d, oct_ready_q, oct_ready_d, fill_q, fill_d;
  logic [INDEX_W-1:0] oct_index_q [0:SLOTS-1];
  logic [BANK_W-1:0]  bank_q [0:SLOTS-1];
  logic [ROW_W-1:0]   row_q [0:SLOTS-1];
  logic               busy_q, busy_d, owned_q, dst_near_q;
  carried_t           carried_q;
  logic [PORT_W-1:0]  port_q;

  // ---- The collector: as rf_ocu, but what slots share is an entry.
  logic                   take, dispatch;
  logic [SLOTS-1:0]       wanted, granted, src_valid;
  logic [SLOTS*REG_W-1:0] srcs;
  logic [WARP_W-1:0]      warp, old_warp;
  inst_t                  inst;

  assign inst      = alloc_inst_i;
  assign src_valid = inst.src_valid;
  assign srcs      = inst.src;
  assign warp      = inst.carried.warp;
  assign old_warp  = carried_q.warp;

  assign take     = alloc_i && !busy_q;
  assign dispatch = dispatch_i && ready_o;
  assign unread_o = oct_valid_q & ~(fill_q | oct_ready_q);
  assign granted  = rd_valid_o & rd_grant_i;

  for (genvar s = 0; s < SLOTS; s++) begin : gen_read
    logic [SLOTS-1:0] same; // lower slots with its entry
    always_comb for (int l = 0; l < SLOTS; l++) same[l] = l < s && oct_index_q[l] == oct_index_q[s];
    assign wanted[s] = unread_o[s] && (unread_o & same) == '0;
    assign fill_d[s] = granted[s] || (unread_o[s] && (granted & same) != '0);

    assign rd_bank_o[s*BANK_W +: BANK_W] = bank_q[s];
    assign rd_row_o[s*ROW_W +: ROW_W]    = row_q[s];
    assign src_o[s*REG_W +: REG_W]       = ct_tag_q[oct_index_q[s]];
    assign data_o[s*DATA_W +: DATA_W]    = ct_data_q[oct_index_q[s]];
  end

  if (SERIAL != 0) assign rd_valid_o = `RF_LOWEST(wanted);
  else             assign rd_valid_o = wanted;

  // ---- Steps 1 and 3: lookup. found, picks and uses have a row of entries per slot.
  logic                     flush;
  logic [ENTRIES-1:0]       seen, live, free; // live: seen, and not passed out of BOW's window
  logic [SLOTS-1:0]         hit, first;
  logic [SLOTS*ENTRIES-1:0] found, picks, uses;
  logic [ENTRIES*REG_W-1:0] tags;

  `RF_HOLDS(ENTRIES, REG_W)

  assign flush = flush_i || (take && !(owned_q && warp == old_warp));
  assign seen  = flush ? '0 : ct_valid_q;
  always_comb begin
    free = ~ct_lock_q;
    for (int s = 0; s < SLOTS; s++) free = free & ~(found[s*ENTRIES +: ENTRIES] & {ENTRIES{take}});
  end

  // ---- Order of replacement: place: how many of the free entries come before this one.
  logic [KEY_W-1:0] key [0:ENTRIES-1];
  logic [3:0]       place [0:ENTRIES-1];

  for (genvar e = 0; e < ENTRIES; e++) begin : gen_order
    localparam logic [INDEX_W-1:0] SELF = INDEX_W'(e);
    assign tags[e*REG_W +: REG_W] = ct_tag_q[e];
    assign key[e] = !live[e] ? {2'b00, SELF} : !was_near[e] ? {2'b01, SELF - rand_i} : {2'b10, ~ct_lru_q[e]};
  end

  always_comb begin
    for (int e = 0; e < ENTRIES; e++) place[e] = '0;
    for (int e = 1; e < ENTRIES; e++)
      for (int f = 0; f < e; f++) begin
        place[e] = place[e] + 4'(free[f] && key[f] < key[e]);
        place[f] = place[f] + 4'(free[e] && key[e] < key[f]);
      end
  end

  // ---- Step 4: the n-th slot that misses picks the n-th entry. Slots that miss the same register leave it to the lowest.
  for (genvar s = 0; s < SLOTS; s++) begin : gen_source
    localparam logic [SLOTS-1:0] BELOW = ~({SLOTS{1'b1}} << s);
    logic [REG_W-1:0]   src;
    logic [SLOTS-1:0]   same; // lower slots that name its register
    logic [3:0]         nth;
    logic [ENTRIES-1:0] finds, pick, given;
    assign src      = srcs[s*REG_W +: REG_W];
    assign finds    = holds(tags, src) & seen & {ENTRIES{src_valid[s]}};
    assign hit[s]   = finds != '0;
    assign first[s] = src_valid[s] && !hit[s] && same == '0;
    assign nth      = 4'($countones(first & BELOW));
    always_comb for (int l = 0; l < SLOTS; l++)
      same[l] = l < s && src_valid[l] && src_valid[s] && srcs[l*REG_W +: REG_W] == src;
    always_comb for (int e = 0; e < ENTRIES; e++) pick[e] = first[s] && free[e] && place[e] == nth;
    always_comb begin
      given = '0;
      for (int l = 0; l < s; l++) given = given | (picks[l*ENTRIES +: ENTRIES] & {ENTRIES{same[l]}});
    end
    assign found[s*ENTRIES +: ENTRIES] = finds;
    assign picks[s*ENTRIES +: ENTRIES] = pick;
    assign uses[s*ENTRIES +: ENTRIES]  = finds | pick | given;
  end

  // ---- Results: who counts, who has port D, and whose registers they are.
  logic [EXPORTS-1:0] counts, contend, winner;
  logic [ENTRIES-1:0] was_near;        // as replacement sees it
  logic [REG_W-1:0]   d_reg;
  logic [LANES-1:0]   d_mask;
  logic [DATA_W-1:0]  d_lanes;         // d_mask for each bit
  logic [ENTRIES-1:0] others;          // another result than port D's is for its register
  logic [SLOTS-1:0]   written;         // per slot of the instruction: a result is for its register
  logic               d_source, again; // port D's register is a source of the instruction, is also another result's

  assign winner  = `RF_LOWEST(contend);
  assign d_reg   = wr_reg_i[d_sel_o*REG_W +: REG_W];
  assign d_mask  = wr_mask_i[d_sel_o*LANES +: LANES];

  always_comb for (int l = 0; l < LANES; l++) d_lanes[32*l +: 32] = {32{d_mask[l]}};
  always_comb for (int x = 0; x < EXPORTS; x++)
    counts[x] = owned_q && wr_valid_i[x] && wr_warp_i[x*WARP_W +: WARP_W] == old_warp && wr_mask_i[x*LANES +: LANES] != '0;

  always_comb begin
    {d_sel_o, d_source, again, others, written} = '0;
    for (int x = 0; x < EXPORTS; x++) begin
      d_sel_o = d_sel_o | (PORT_W'(x) & {PORT_W{winner[x]}});
      others  = others | (holds(tags, wr_reg_i[x*REG_W +: REG_W]) & {ENTRIES{counts[x] & ~winner[x]}});
      again   = again | (counts[x] & ~winner[x] & (wr_reg_i[x*REG_W +: REG_W] == d_reg));
      for (int s = 0; s < SLOTS; s++)
        written[s] = written[s] | (counts[x] & (wr_reg_i[x*REG_W +: REG_W] == srcs[s*REG_W +: REG_W]));
    end
    for (int s = 0; s < SLOTS; s++)
      d_source = d_source | (take & src_valid[s] & (srcs[s*REG_W +: REG_W] == d_reg));
  end

  // ---- Each entry: what the allocation (used, taken, near, stale) and the results (d_*, kill) make of it.
  logic [ENTRIES-1:0]       used, taken, near, stale, kill, d_found, d_write, d_take;
  logic [RECENT_W-1:0]      recent [0:ENTRIES-1]; // used by port D, by which slots, rank before
  logic [INDEX_W-1:0]       lru_d [0:ENTRIES-1];
  logic [REG_W-1:0]         tag_d [0:ENTRIES-1];
  logic [SLOTS*INDEX_W-1:0] index;
  logic [3:0]               misses;
  logic                     d_free;

  always_comb begin
    {used, taken, near, stale, index} = '0;
    for (int s = 0; s < SLOTS; s++) begin
      used  = used | (uses[s*ENTRIES +: ENTRIES] & {ENTRIES{take}});
      taken = taken | (picks[s*ENTRIES +: ENTRIES] & {ENTRIES{take}});
      near  = near | (uses[s*ENTRIES +: ENTRIES] & {ENTRIES{alloc_src_near_i[s]}});
      stale = stale | (uses[s*ENTRIES +: ENTRIES] & {ENTRIES{written[s]}});
      for (int e = 0; e < ENTRIES; e++)
        index[s*INDEX_W +: INDEX_W] = index[s*INDEX_W +: INDEX_W] | (INDEX_W'(e) & {INDEX_W{uses[s*ENTRIES+e]}});
    end
  end

  assign misses  = take ? 4'($countones(first)) : '0;
  assign d_found = holds(tags, d_reg) & live & ~taken & {ENTRIES{d_valid_o}};
  assign d_write = d_found & ~ct_lock_q & ~used;
  assign d_free  = d_valid_o && !flush && d_found == '0 && !d_source && d_mask == '1;
  assign kill    = flush ? '0 : (used & stale) | (d_take & {ENTRIES{again}}) |
                                (~used & ~d_take & (others | (d_found & ct_lock_q)));

  always_comb for (int e = 0; e < ENTRIES; e++) d_take[e] = d_free && free[e] && place[e] == misses;

  // LRU: who was used last at this edge, else before; each pair of entries tells which of them the other is to be counted for.
  always_comb begin
    for (int e = 0; e < ENTRIES; e++) begin
      recent[e] = {d_write[e] | d_take[e], {SLOTS{1'b0}}, ~ct_lru_q[e]};
      tag_d[e]  = (d_reg & {REG_W{d_take[e]}}) | (ct_tag_q[e] & {REG_W{~(d_take[e] | taken[e])}});
      lru_d[e]  = '0;
      for (int s = 0; s < SLOTS; s++) begin
        recent[e][INDEX_W+s] = take & uses[s*ENTRIES+e];
        tag_d[e] = tag_d[e] | (srcs[s*REG_W +: REG_W] & {REG_W{take & picks[s*ENTRIES+e]}});
      end
    end
    for (int e = 1; e < ENTRIES; e++)
      for (int f = 0; f < e; f++) begin
        lru_d[e] = lru_d[e] + INDEX_W'(recent[f] > recent[e]);
        lru_d[f] = lru_d[f] + INDEX_W'(recent[f] < recent[e]);
      end
  end

  always_comb begin
    busy_d      = (busy_q && !dispatch) || take;
    oct_valid_d = take ? src_valid : dispatch ? '0 : oct_valid_q;
    oct_ready_d = take ? hit : dispatch ? '0 : oct_ready_q | fill_q;
    ct_lock_d   = take ? used : dispatch ? '0 : ct_lock_q;
  end

  // ---- What stays: by hints, or what the last instructions name.
  if (BOW != 0) begin : gen_window
    logic [1:0]         window_q; // awaited: the destination of the instruction taken last, of the one before
    logic [REG_W-1:0]   before_q;
    logic [ENTRIES-1:0] hits;
    logic [EXPORTS-1:0] newest, older;
    logic               d_near;  // what port D's result makes its entry
    logic               empties; // the instruction empties the window
    logic               unused_hints;

    always_comb begin
      hits = '0;
      for (int s = 0; s < SLOTS; s++) hits = hits | found[s*ENTRIES +: ENTRIES];
      for (int x = 0; x < EXPORTS; x++) begin
        newest[x] = window_q[0] && !busy_q && wr_reg_i[x*REG_W +: REG_W] == carried_q.dst;
        older[x]  = window_q[1] && wr_reg_i[x*REG_W +: REG_W] == before_q;
      end
    end
    assign unused_hints = ^{wr_near_i, near};
    assign empties    = take && alloc_dst_near_i;
    assign contend    = counts & ((newest & {EXPORTS{!empties}}) | (older & {EXPORTS{!take}}));
    assign d_near     = !take && newest[d_sel_o];
    assign was_near   = ct_near_q & {ENTRIES{!take}};
    assign live       = seen & (ct_near_q | hits | {ENTRIES{!take}});
    assign ct_near_d  = (was_near & ~d_take) | used | ((d_write | d_take) & {ENTRIES{d_near}});
    assign ct_valid_d = (live | taken | d_take) & ~kill & {ENTRIES{CACHE != 0 && !empties}};

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni) begin
        window_q <= '0;
        before_q <= '0;
      end else if (take) begin
        window_q <= {window_q[0] && !flush, inst.carried.dst_valid} & {2{!empties}};
        before_q <= carried_q.dst;
      end else if (flush) begin
        window_q <= '0;
      end
    end
  end else begin : gen_hints
    assign contend    = counts & wr_near_i;
    assign was_near   = ct_near_q;
    assign live       = seen;
    assign ct_near_d  = (ct_near_q & ~used) | (used & near) | d_write | d_take;
    assign ct_valid_d = (live | taken | d_take) & ~kill & {ENTRIES{CACHE != 0}};
  end

  // ---- Registers. Ports S and D never meet in one entry, because what waits for S is locked.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      {busy_q, oct_valid_q, oct_ready_q, fill_q, ct_valid_q, ct_lock_q, ct_near_q} <= '0;
      {owned_q, carried_q, port_q, dst_near_q} <= '0;
      for (int e = 0; e < ENTRIES; e++) begin
        ct_tag_q[e]  <= '0;
        ct_lru_q[e]  <= INDEX_W'(e);
        ct_data_q[e] <= '0;
      end
      for (int s = 0; s < SLOTS; s++) begin
        bank_q[s]      <= '0;
        row_q[s]       <= '0;
        oct_index_q[s] <= '0;
      end
    end else begin
      busy_q      <= busy_d;
      oct_valid_q <= oct_valid_d;
      oct_ready_q <= oct_ready_d;
      fill_q      <= fill_d;
      ct_valid_q  <= ct_valid_d;
      ct_lock_q   <= ct_lock_d;
      ct_near_q   <= ct_near_d;
      for (int e = 0; e < ENTRIES; e++) begin
        ct_tag_q[e] <= tag_d[e];
        ct_lru_q[e] <= lru_d[e];
        if (d_write[e] || d_take[e]) ct_data_q[e] <= (d_data_i & d_lanes) | (ct_data_q[e] & ~d_lanes);
        for (int s = SLOTS - 1; s >= 0; s--) // the lowest slot's comes last and stays
          if (fill_q[s] && oct_index_q[s] == INDEX_W'(e)) ct_data_q[e] <= fill_data_i[s*DATA_W +: DATA_W];
      end
      if (take) begin
        owned_q    <= CACHE != 0;
        carried_q  <= inst.carried;
        port_q     <= inst.port;
        dst_near_q <= alloc_dst_near_i;
        for (int s = 0; s < SLOTS; s++) begin
          bank_q[s]      <= alloc_bank_i[s*BANK_W +: BANK_W];
          row_q[s]       <= alloc_row_i[s*ROW_W +: ROW_W];
          oct_index_q[s] <= index[s*INDEX_W +: INDEX_W];
        end
      end
    end
  end

  assign busy_o       = busy_q;
  assign ready_o      = busy_q && (oct_valid_q & ~oct_ready_q) == '0;
  assign fill_valid_o = fill_q;
  assign warp_o       = old_warp;
  assign port_o       = port_q;
  assign carried_o    = carried_q;
  assign dst_near_o   = dst_near_q;
  assign owned_o      = owned_q;
  assign held_o       = ct_valid_q != '0;
  assign near_o       = (ct_valid_q & ct_near_q) != '0;
  assign hit_o        = take ? hit : '0;
  assign d_valid_o    = contend != '0;

endmodule

`default_nettype wire
