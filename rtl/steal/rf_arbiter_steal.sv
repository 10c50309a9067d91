// SPDX-License-Identifier: Apache-2.0
// Bank arbiter of bank stealing: five classes of access, a grant per single-ported bank and cycle [bank stealing IV-D, Fig. 10].
//
// Policy:    forced write > normal read > stealing read > normal write > stealing write. Forced writes are: the value that comes
//            back from the recall of the cycle before, a forced recall (it reads, but ranks like them), and a write that meets
//            another access and finds no place. YIELD 1: stealing reads only in banks that no writer asks for. cmodel/steal/rf_arbiter_steal.h has the rules.
// Numbers:   reader = collector * SLOTS + slot, stealer = issue * SLOTS + slot; each writer has a result bus of its own.
// Handshake: answered in the same cycle; a request stands until it is granted, or goes. Pointers move past what is granted, at the
//            edge. Requests to a bank outside 0 .. BANKS-1 are never granted; a return to one is written nowhere.
// Reset:     collector 0, writer 0 and bank 0 are first; nothing comes back.
//
// Inside, readers are numbered slot * COLLECTORS + collector, as in rf_arbiter.
`default_nettype none

module rf_arbiter_steal #(
  /// Banks, 1 to 32.
  parameter int unsigned BANKS = 8,
  /// Operand collectors, 1 to 16; COLLECTORS x SLOTS at most 64.
  parameter int unsigned COLLECTORS = 8,
  /// Source slots of a collector and of a candidate, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Issue groups, each with a candidate, 1 to 4.
  parameter int unsigned ISSUES = 2,
  /// Writers, 1 to 8.
  parameter int unsigned WRITERS = 3,
  /// Rows of a bank, 1 to 1024.
  parameter int unsigned ROWS = 128,
  /// Stealing reads against writes that ask. 0: they go before normal writes, 1: behind all.
  parameter int unsigned YIELD = 0,
  localparam int unsigned READERS = COLLECTORS * SLOTS,
  localparam int unsigned STEALERS = ISSUES * SLOTS,
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS),
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS),
  localparam int unsigned WSEL_W = rf_pkg::index_bits(WRITERS)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  /// The reader asks.
  input  logic [READERS-1:0]         rd_valid_i,
  /// Per reader: its bank.
  input  logic [READERS*BANK_W-1:0]  rd_bank_i,
  /// Per reader: its row.
  input  logic [READERS*ROW_W-1:0]   rd_row_i,
  /// The reader waits for a write-back.
  input  logic [READERS-1:0]         rd_blocked_i,
  /// The stealer asks.
  input  logic [STEALERS-1:0]        sr_valid_i,
  /// Per stealer: its bank.
  input  logic [STEALERS*BANK_W-1:0] sr_bank_i,
  /// Per stealer: its row.
  input  logic [STEALERS*ROW_W-1:0]  sr_row_i,
  /// The stealer waits for a write-back.
  input  logic [STEALERS-1:0]        sr_blocked_i,
  /// The writer asks.
  input  logic [WRITERS-1:0]         wr_valid_i,
  /// Per writer: its bank.
  input  logic [WRITERS*BANK_W-1:0]  wr_bank_i,
  /// Per writer: its row.
  input  logic [WRITERS*ROW_W-1:0]   wr_row_i,
  /// Per writer: the result has all lanes, it may be stolen.
  input  logic [WRITERS-1:0]         wr_full_i,
  /// The writer waits for a write-back.
  input  logic [WRITERS-1:0]         wr_blocked_i,
  /// Per bank: Rfree can take a stolen write.
  input  logic [BANKS-1:0]           usable_i,
  /// Per bank: Rfree keeps a value.
  input  logic [BANKS-1:0]           linked_i,
  /// Per bank: that value must go now; counts where linked.
  input  logic [BANKS-1:0]           force_i,
  /// Per bank: row of Rfree.
  input  logic [BANKS*ROW_W-1:0]     rfree_row_i,
  /// Per bank: bank of Rdest.
  input  logic [BANKS*BANK_W-1:0]    dest_bank_i,
  /// Per bank: row of Rdest.
  input  logic [BANKS*ROW_W-1:0]     dest_row_i,
  /// The reader is served.
  output logic [READERS-1:0]         rd_grant_o,
  /// The stealer is served.
  output logic [STEALERS-1:0]        sr_grant_o,
  /// The writer is served, in any class.
  output logic [WRITERS-1:0]         wr_grant_o,
  /// Of those: as a stealing write.
  output logic [WRITERS-1:0]         wr_stolen_o,
  /// Of those: as a forced write.
  output logic [WRITERS-1:0]         wr_forced_o,
  /// The bank reads.
  output logic [BANKS-1:0]           bank_re_o,
  /// Per bank: row read, 0 when it does not.
  output logic [BANKS*ROW_W-1:0]     bank_raddr_o,
  /// The bank writes.
  output logic [BANKS-1:0]           bank_we_o,
  /// Per bank: row written, 0 when it does not.
  output logic [BANKS*ROW_W-1:0]     bank_waddr_o,
  /// Per bank: result bus, that is writer, 0 when it does not write.
  output logic [BANKS*WSEL_W-1:0]    bank_wsel_o,
  /// A stealing write goes to the bank; its destination is what writer bank_wsel asks for.
  output logic [BANKS-1:0]           link_o,
  /// At most one bank: Rfree is read for its write-back.
  output logic [BANKS-1:0]           recall_o,
  /// A value comes back in this cycle ...
  output logic                       ret_valid_o,
  /// ... out of this bank's read data, 0 when none does ...
  output logic [BANK_W-1:0]          ret_from_o,
  /// ... on this result bus, 0 when none does.
  output logic [WSEL_W-1:0]          ret_bus_o
);

  if (BANKS < 1 || BANKS > 32) begin : gen_banks_range
    $error("rf_arbiter_steal: BANKS must be 1 to 32");
  end
  if (COLLECTORS < 1 || COLLECTORS > 16) begin : gen_collectors_range
    $error("rf_arbiter_steal: COLLECTORS must be 1 to 16");
  end
  if (SLOTS < 1 || SLOTS > 8 || READERS > 64) begin : gen_slots_range
    $error("rf_arbiter_steal: SLOTS must be 1 to 8, COLLECTORS x SLOTS at most 64");
  end
  if (ISSUES < 1 || ISSUES > 4) begin : gen_issues_range
    $error("rf_arbiter_steal: ISSUES must be 1 to 4");
  end
  if (WRITERS < 1 || WRITERS > 8) begin : gen_writers_range
    $error("rf_arbiter_steal: WRITERS must be 1 to 8");
  end
  if (ROWS < 1 || ROWS > 1024) begin : gen_rows_range
    $error("rf_arbiter_steal: ROWS must be 1 to 1024");
  end
  if (YIELD > 1) begin : gen_yield_range
    $error("rf_arbiter_steal: YIELD must be 0 or 1");
  end

  localparam int unsigned READER_W = rf_pkg::index_bits(READERS);
  localparam int unsigned STEALER_W = rf_pkg::index_bits(STEALERS);

  // Bit k of the number of every reader, in the inner order.
  localparam logic [6*64-1:0] READER_BITS = rf_banked_pkg::reader_numbers(COLLECTORS, SLOTS);

  // What comes back.
  logic              ret_valid_q;
  logic [BANK_W-1:0] ret_from_q, ret_bank_q;
  logic [WSEL_W-1:0] ret_bus_q;
  logic [ROW_W-1:0]  ret_row_q;

  // Decode, once for all banks: rd_bit[k] holds bit k of every reader's bank number, sr_bit[k] and wr_bit[k] likewise.
  logic [READERS-1:0]  rd_valid, rd_ready, rd_grant;
  logic [STEALERS-1:0] sr_ready;
  logic [WRITERS-1:0]  wr_ready, bus_taken;
  logic [READERS-1:0]  rd_bit [0:BANK_W-1];
  logic [STEALERS-1:0] sr_bit [0:BANK_W-1];
  logic [WRITERS-1:0]  wr_bit [0:BANK_W-1];
  logic [ROW_W-1:0]    rd_row [0:READERS-1];
  logic [ROW_W-1:0]    sr_row [0:STEALERS-1];
  logic [ROW_W-1:0]    wr_row [0:WRITERS-1];

  assign bus_taken = WRITERS'(ret_valid_q) << ret_bus_q;
  assign sr_ready  = sr_valid_i & ~sr_blocked_i;
  assign wr_ready  = wr_valid_i & ~wr_blocked_i & ~bus_taken;

  for (genvar k = 0; k < BANK_W; k++) begin : gen_decode
    logic [READERS-1:0]  rd;
    logic [STEALERS-1:0] sr;
    logic [WRITERS-1:0]  wr;
    for (genvar r = 0; r < READERS; r++) begin : gen_rd
      assign rd[(r%SLOTS)*COLLECTORS+r/SLOTS] = rd_bank_i[r*BANK_W+k];
    end
    for (genvar s = 0; s < STEALERS; s++) begin : gen_sr
      assign sr[s] = sr_bank_i[s*BANK_W+k];
    end
    for (genvar w = 0; w < WRITERS; w++) begin : gen_wr
      assign wr[w] = wr_bank_i[w*BANK_W+k];
    end
    assign rd_bit[k] = rd;
    assign sr_bit[k] = sr;
    assign wr_bit[k] = wr;
  end
  for (genvar r = 0; r < READERS; r++) begin : gen_reader
    localparam int unsigned INNER = (r % SLOTS) * COLLECTORS + r / SLOTS;
    assign rd_valid[INNER] = rd_valid_i[r];
    assign rd_ready[INNER] = rd_valid_i[r] && !rd_blocked_i[r];
    assign rd_grant_o[r]   = rd_grant[INNER];
    assign rd_row[r]       = rd_row_i[r*ROW_W +: ROW_W];
  end
  for (genvar s = 0; s < STEALERS; s++) begin : gen_stealer
    assign sr_row[s] = sr_row_i[s*ROW_W +: ROW_W];
  end
  for (genvar w = 0; w < WRITERS; w++) begin : gen_writer
    assign wr_row[w] = wr_row_i[w*ROW_W +: ROW_W];
  end

  // Per bank: who asks (named: also those who may not), who writes to it in its own name, what else is in it.
  logic [BANKS-1:0]        named, read, steal, write, contested, own, ret, busy;
  logic [WSEL_W*BANKS-1:0] link_bus;
  logic [READERS-1:0]      rd_served [0:BANKS-1];
  logic [STEALERS-1:0]     sr_served [0:BANKS-1];
  logic [WRITERS-1:0]      wr_chosen [0:BANKS-1];

  // Return and recall.
  logic [BANKS-1:0]   recall_forced, recall_voluntary, forced_pool, voluntary_pool, forced, voluntary;
  logic [WRITERS-1:0] idle, bus;
  logic               recall_any;

  assign ret              = BANKS'(ret_valid_q) << ret_bank_q;
  assign idle             = ~wr_valid_i;
  assign bus              = `RF_LOWEST(idle);
  assign recall_forced    = linked_i & force_i & ~ret;
  assign recall_voluntary = linked_i & ~ret & ~named & {BANKS{idle != '0}};

  // The pointer of recalls, as in rf_rr. Both kinds are picked side by side: a voluntary one is known late, but as nobody asks for
  // its bank, only stealing writes have to wait for it.
  if (1) begin : u_ret_rr
    logic [BANKS-1:0] mask_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin
      if (!rst_ni)         mask_q <= '0;
      else if (recall_any) mask_q <= ~(recall_o | (recall_o - 1'b1));
    end
    assign forced_pool    = ((recall_forced & mask_q) != '0) ? recall_forced & mask_q : recall_forced;
    assign voluntary_pool = ((recall_voluntary & mask_q) != '0) ? recall_voluntary & mask_q : recall_voluntary;
  end
  assign forced     = `RF_LOWEST(forced_pool);
  assign voluntary  = (recall_forced != '0) ? '0 : `RF_LOWEST(voluntary_pool);
  assign recall_o   = forced | voluntary;
  assign recall_any = recall_o != '0;
  assign busy       = ret | forced;

  logic [BANK_W-1:0] ret_from_d;
  logic [WSEL_W-1:0] ret_bus_d;

  for (genvar k = 0; k < BANK_W; k++) begin : gen_ret_from
    assign ret_from_d[k] = |(recall_o & rf_pkg::NUMBERS[k*64 +: BANKS]);
  end
  for (genvar k = 0; k < WSEL_W; k++) begin : gen_ret_bus
    assign ret_bus_d[k] = |(bus & rf_pkg::NUMBERS[k*64 +: WRITERS]);
  end

  assign ret_valid_o = ret_valid_q;
  assign ret_from_o  = ret_from_q & {BANK_W{ret_valid_q}};
  assign ret_bus_o   = ret_bus_q & {WSEL_W{ret_valid_q}};

  // Stealing writes: the chosen writers that meet another access, in ascending order, over the places in round-robin order. The
  // k-th such writer takes the k-th place: writers and places are counted side by side, and meet once.
  localparam int unsigned TURN = 2 * BANKS;

  logic [WRITERS-1:0]         contender, stealable, count, some, many, ends;
  logic [BANKS-1:0]           places, last, place_d, place_q;
  logic [TURN-1:0]            turn, sum;
  logic [WRITERS*TURN-1:0]    upto;
  logic [WRITERS*BANKS-1:0]   place;
  logic [WRITERS*WRITERS-1:0] order;

  assign contested = read | steal | busy;
  assign stealable = contender & wr_full_i;

  always_comb begin
    contender = '0;
    for (int b = 0; b < BANKS; b++) contender = contender | (wr_chosen[b] & {WRITERS{contested[b]}});
  end

  // Bit k of writer w in order: it is number k of those that may steal. Bit k of some: there are more than k.
  always_comb begin
    order = '0;
    some  = '0;
    count = WRITERS'(1'b1);
    for (int w = 0; w < WRITERS; w++) begin
      order[w*WRITERS +: WRITERS] = count & {WRITERS{stealable[w]}};
      some  = some | order[w*WRITERS +: WRITERS];
      count = stealable[w] ? count << 1 : count;
    end
  end

  // turn: the places above the pointer, then the others. Bit i of k in upto: more than k of them up to i, added up by doubling.
  // place: number k, where that begins. Bit k of many: there are more than k.
  always_comb begin
    places = usable_i & ~named & ~busy & ~voluntary;
    turn   = {places & ~place_q, places & place_q};
    upto   = (WRITERS*TURN)'(turn);
    sum    = '0;
    for (int d = 1; d < TURN; d = 2 * d) begin
      for (int k = WRITERS - 1; k >= 0; k--) begin
        sum = upto[k*TURN +: TURN] | (upto[k*TURN +: TURN] << d);
        for (int i = 0; i < k; i++) sum = sum | (upto[i*TURN +: TURN] & (upto[(k-1-i)*TURN +: TURN] << d));
        upto[k*TURN +: TURN] = sum;
      end
    end
    for (int k = 0; k < WRITERS; k++) begin
      sum = upto[k*TURN +: TURN] & ~(upto[k*TURN +: TURN] << 1);
      place[k*BANKS +: BANKS] = sum[0 +: BANKS] | sum[BANKS +: BANKS];
      many[k] = upto[k*TURN+TURN-1];
    end
  end

  always_comb begin
    link_o   = '0;
    link_bus = '0;
    last     = '0;
    ends     = some & ~((some & many) >> 1);
    for (int k = 0; k < WRITERS; k++) begin
      link_o = link_o | (place[k*BANKS +: BANKS] & {BANKS{some[k]}});
      last   = last | (place[k*BANKS +: BANKS] & {BANKS{ends[k]}});
    end
    for (int w = 0; w < WRITERS; w++) begin
      wr_stolen_o[w] = (order[w*WRITERS +: WRITERS] & many) != '0;
      for (int k = 0; k < WRITERS; k++) begin
        for (int i = 0; i < WSEL_W; i++) begin
          if (((w >> i) & 1) != 0)
            link_bus[i*BANKS +: BANKS] = link_bus[i*BANKS +: BANKS] | (place[k*BANKS +: BANKS] & {BANKS{order[w*WRITERS+k]}});
        end
      end
    end
    place_d = (last != '0) ? ~(last | (last - 1'b1)) : place_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      place_q     <= '0;
      ret_valid_q <= 1'b0;
      ret_from_q  <= '0;
      ret_bus_q   <= '0;
      ret_bank_q  <= '0;
      ret_row_q   <= '0;
    end else begin
      place_q     <= place_d;
      ret_valid_q <= recall_any;
      if (recall_any) begin
        ret_from_q <= ret_from_d;
        ret_bus_q  <= ret_bus_d;
        ret_bank_q <= dest_bank_i[ret_from_d*BANK_W +: BANK_W];
        ret_row_q  <= dest_row_i[ret_from_d*ROW_W +: ROW_W];
      end
    end
  end

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic [READERS-1:0]    rd_at, rd_ask, rd_lowest, rd_first;
    logic [STEALERS-1:0]   sr_at, sr_ask, sr_first;
    logic [WRITERS-1:0]    wr_at;
    logic [COLLECTORS-1:0] asking, chosen;
    logic [READER_W-1:0]   reader;
    logic [STEALER_W-1:0]  stealer;
    logic [WSEL_W-1:0]     writer;
    logic                  blocked, stolen;

    always_comb begin
      rd_at = '1;
      sr_at = '1;
      wr_at = '1;
      for (int k = 0; k < BANK_W; k++) begin
        rd_at = rd_at & (((b >> k) & 1) != 0 ? rd_bit[k] : ~rd_bit[k]);
        sr_at = sr_at & (((b >> k) & 1) != 0 ? sr_bit[k] : ~sr_bit[k]);
        wr_at = wr_at & (((b >> k) & 1) != 0 ? wr_bit[k] : ~wr_bit[k]);
      end
      rd_ask = rd_at & rd_ready;
      sr_ask = sr_at & sr_ready;
      asking = '0;
      for (int s = 0; s < SLOTS; s++) begin
        rd_lowest[s*COLLECTORS +: COLLECTORS] = rd_ask[s*COLLECTORS +: COLLECTORS] & ~asking;
        asking = asking | rd_ask[s*COLLECTORS +: COLLECTORS];
      end
    end

    assign named[b] = (rd_at & rd_valid) != '0 || (sr_at & sr_valid_i) != '0 || (wr_at & wr_valid_i) != '0;
    assign steal[b] = sr_ask != '0 && !(YIELD != 0 && write[b]);

    rf_rr #(.N(COLLECTORS)) u_rd_rr (
      .clk_i, .rst_ni, .req_i(asking), .take_i(!blocked), .grant_o(chosen), .valid_o(read[b])
    );
    rf_rr #(.N(WRITERS)) u_wr_rr (
      .clk_i, .rst_ni, .req_i(wr_at & wr_ready), .take_i(own[b] || stolen), .grant_o(wr_chosen[b]), .valid_o(write[b])
    );

    // A chosen writer that does not go elsewhere takes the bank, from reads and steals too, unless a value comes back or goes.
    assign stolen  = (wr_chosen[b] & wr_stolen_o) != '0;
    assign own[b]  = write[b] && !stolen && !busy[b];
    assign blocked = own[b] || busy[b];

    // Whom each class would serve is known before whether it may.
    assign rd_first     = rd_lowest & {SLOTS{chosen}};
    assign sr_first     = `RF_LOWEST(sr_ask);
    assign rd_served[b] = rd_first & {READERS{!blocked}};
    assign sr_served[b] = sr_first & {STEALERS{!read[b] && !blocked}};

    for (genvar k = 0; k < READER_W; k++) begin : gen_reader
      assign reader[k] = |(rd_first & READER_BITS[k*64 +: READERS]);
    end
    for (genvar k = 0; k < STEALER_W; k++) begin : gen_stealer
      assign stealer[k] = |(sr_first & rf_pkg::NUMBERS[k*64 +: STEALERS]);
    end
    for (genvar k = 0; k < WSEL_W; k++) begin : gen_writer
      assign writer[k] = |(wr_chosen[b] & rf_pkg::NUMBERS[k*64 +: WRITERS]);
      assign bank_wsel_o[b*WSEL_W+k] = (own[b] && writer[k]) || link_bus[k*BANKS+b] || (ret[b] && ret_bus_q[k]);
    end

    assign bank_re_o[b] = recall_o[b] || (!blocked && (read[b] || steal[b]));
    assign bank_we_o[b] = ret[b] || own[b] || link_o[b];
    assign bank_raddr_o[b*ROW_W +: ROW_W] = (rd_row[reader] & {ROW_W{read[b] && !blocked}}) |
                                            (sr_row[stealer] & {ROW_W{steal[b] && !read[b] && !blocked}}) |
                                            (rfree_row_i[b*ROW_W +: ROW_W] & {ROW_W{recall_o[b]}});
    assign bank_waddr_o[b*ROW_W +: ROW_W] = (wr_row[writer] & {ROW_W{own[b]}}) | (ret_row_q & {ROW_W{ret[b]}}) |
                                            (rfree_row_i[b*ROW_W +: ROW_W] & {ROW_W{link_o[b]}});

`ifndef SYNTHESIS
    // One grant per bank and cycle, told from the grants, not from how they came about.
    always @(posedge clk_i) begin
      assert (!(bank_re_o[b] && bank_we_o[b])) else $error("rf_arbiter_steal: bank %0d reads and writes", b);
      assert ($onehot0({rd_at & rd_grant, sr_at & sr_grant_o, wr_at & wr_grant_o & ~wr_stolen_o, link_o[b], recall_o[b],
                        ret[b]})) else
        $error("rf_arbiter_steal: more than one grant in bank %0d", b);
    end
`endif
  end

  always_comb begin
    rd_grant = '0;
    sr_grant_o = '0;
    wr_grant_o = wr_stolen_o;
    wr_forced_o = '0;
    for (int b = 0; b < BANKS; b++) begin
      rd_grant    = rd_grant | rd_served[b];
      sr_grant_o  = sr_grant_o | sr_served[b];
      wr_grant_o  = wr_grant_o | (wr_chosen[b] & {WRITERS{own[b]}});
      wr_forced_o = wr_forced_o | (wr_chosen[b] & {WRITERS{own[b] && contested[b]}});
    end
  end

endmodule

`default_nettype wire
