// SPDX-License-Identifier: Apache-2.0
// Baseline bank arbiter: one grant per port, bank and cycle, decided and answered in the same cycle [bank stealing II-B, III-B].
//
// Readers:   COLLECTORS x SLOTS, reader r = collector * SLOTS + slot. Ports number them so.
// Policy:    each bank on its own. Reads: round-robin over the collectors that ask for the bank, inside the chosen collector its
//            lowest asking slot. Writes: round-robin over the writers that ask for the bank. PORTS = 1: a bank that any writer
//            asks for serves a write and no read. PORTS = 2: one of each.
// Handshake: a request stands until it is granted, or goes; the arbiter remembers nothing of the losers. A pointer moves when its
//            grant is given. Requests to a bank outside 0 .. BANKS-1 are never granted.
// Reset:     collector 0 and writer 0 are first in every bank.
//
// Inside, readers are numbered slot * COLLECTORS + collector, so that each slot is one slice with a bit for every collector:
// which collectors ask and which slot is their lowest are then a few operations on whole slices.
`default_nettype none

module rf_arbiter #(
  /// Banks, 1 to 32.
  parameter int unsigned BANKS = 8,
  /// Operand collectors, 1 to 16; COLLECTORS x SLOTS at most 64.
  parameter int unsigned COLLECTORS = 8,
  /// Source slots of a collector, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Writers, 1 to 8.
  parameter int unsigned WRITERS = 2,
  /// Rows of a bank, 1 to 1024.
  parameter int unsigned ROWS = 128,
  /// Ports of a bank: 1 shared, 2 one read and one write.
  parameter int unsigned PORTS = 1,
  localparam int unsigned READERS = COLLECTORS * SLOTS,
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS),
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS),
  localparam int unsigned WSEL_W = rf_pkg::index_bits(WRITERS)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  /// Reader asks.
  input  logic [READERS-1:0]        rd_valid_i,
  /// Per reader: its bank.
  input  logic [READERS*BANK_W-1:0] rd_bank_i,
  /// Per reader: its row.
  input  logic [READERS*ROW_W-1:0]  rd_row_i,
  /// Writer asks.
  input  logic [WRITERS-1:0]        wr_valid_i,
  /// Per writer: its bank.
  input  logic [WRITERS*BANK_W-1:0] wr_bank_i,
  /// Per writer: its row.
  input  logic [WRITERS*ROW_W-1:0]  wr_row_i,
  /// Reader is served.
  output logic [READERS-1:0]        rd_grant_o,
  /// Writer is served.
  output logic [WRITERS-1:0]        wr_grant_o,
  /// The bank reads.
  output logic [BANKS-1:0]          bank_re_o,
  /// Per bank: row read, 0 when it does not.
  output logic [BANKS*ROW_W-1:0]    bank_raddr_o,
  /// The bank writes.
  output logic [BANKS-1:0]          bank_we_o,
  /// Per bank: row written, 0 when it does not.
  output logic [BANKS*ROW_W-1:0]    bank_waddr_o,
  /// Per bank: the writer, 0 when it does not write.
  output logic [BANKS*WSEL_W-1:0]   bank_wsel_o
);

  if (BANKS < 1 || BANKS > 32) begin : gen_banks_range
    $error("rf_arbiter: BANKS must be 1 to 32");
  end
  if (COLLECTORS < 1 || COLLECTORS > 16) begin : gen_collectors_range
    $error("rf_arbiter: COLLECTORS must be 1 to 16");
  end
  if (SLOTS < 1 || SLOTS > 8 || READERS > 64) begin : gen_slots_range
    $error("rf_arbiter: SLOTS must be 1 to 8, COLLECTORS x SLOTS at most 64");
  end
  if (WRITERS < 1 || WRITERS > 8) begin : gen_writers_range
    $error("rf_arbiter: WRITERS must be 1 to 8");
  end
  if (ROWS < 1 || ROWS > 1024) begin : gen_rows_range
    $error("rf_arbiter: ROWS must be 1 to 1024");
  end
  if (PORTS < 1 || PORTS > 2) begin : gen_ports_range
    $error("rf_arbiter: PORTS must be 1 or 2");
  end

  localparam int unsigned READER_W = rf_pkg::index_bits(READERS);

  // Bit k of the number of every reader, in the inner order.
  localparam logic [6*64-1:0] READER_BITS = rf_banked_pkg::reader_numbers(COLLECTORS, SLOTS);

  // Decode, once for all banks: rd_bit[k] holds bit k of every reader's bank number, wr_bit[k] of every writer's.
  logic [READERS-1:0] rd_valid, rd_grant;
  logic [READERS-1:0] rd_bit [0:BANK_W-1];
  logic [WRITERS-1:0] wr_bit [0:BANK_W-1];
  logic [ROW_W-1:0]   rd_row [0:READERS-1];
  logic [ROW_W-1:0]   wr_row [0:WRITERS-1];

  for (genvar k = 0; k < BANK_W; k++) begin : gen_decode
    logic [READERS-1:0] rd;
    logic [WRITERS-1:0] wr;
    for (genvar r = 0; r < READERS; r++) begin : gen_rd
      assign rd[(r%SLOTS)*COLLECTORS+r/SLOTS] = rd_bank_i[r*BANK_W+k];
    end
    for (genvar w = 0; w < WRITERS; w++) begin : gen_wr
      assign wr[w] = wr_bank_i[w*BANK_W+k];
    end
    assign rd_bit[k] = rd;
    assign wr_bit[k] = wr;
  end
  for (genvar r = 0; r < READERS; r++) begin : gen_reader
    localparam int unsigned INNER = (r % SLOTS) * COLLECTORS + r / SLOTS;
    assign rd_valid[INNER] = rd_valid_i[r];
    assign rd_grant_o[r]   = rd_grant[INNER];
    assign rd_row[r]       = rd_row_i[r*ROW_W +: ROW_W];
  end
  for (genvar w = 0; w < WRITERS; w++) begin : gen_writer
    assign wr_row[w] = wr_row_i[w*ROW_W +: ROW_W];
  end

  // What each bank serves.
  logic [READERS-1:0] rd_served [0:BANKS-1];
  logic [WRITERS-1:0] wr_served [0:BANKS-1];

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic [READERS-1:0]    rd_ask, rd_lowest, rd_hit;
    logic [WRITERS-1:0]    wr_ask, wr_hit;
    logic [COLLECTORS-1:0] asking, chosen;
    logic [READER_W-1:0]   reader;
    logic [WSEL_W-1:0]     writer;
    logic                  read, write, blocked;

    always_comb begin
      rd_ask = rd_valid;
      wr_ask = wr_valid_i;
      for (int k = 0; k < BANK_W; k++) begin
        rd_ask = rd_ask & (((b >> k) & 1) != 0 ? rd_bit[k] : ~rd_bit[k]);
        wr_ask = wr_ask & (((b >> k) & 1) != 0 ? wr_bit[k] : ~wr_bit[k]);
      end
      asking = '0;
      for (int s = 0; s < SLOTS; s++) begin
        rd_lowest[s*COLLECTORS +: COLLECTORS] = rd_ask[s*COLLECTORS +: COLLECTORS] & ~asking;
        asking = asking | rd_ask[s*COLLECTORS +: COLLECTORS];
      end
    end

    rf_rr #(.N(COLLECTORS)) u_rd_rr (
      .clk_i, .rst_ni, .req_i(asking), .take_i(!blocked), .grant_o(chosen), .valid_o(read)
    );
    rf_rr #(.N(WRITERS)) u_wr_rr (
      .clk_i, .rst_ni, .req_i(wr_ask), .take_i(1'b1), .grant_o(wr_hit), .valid_o(write)
    );

    assign blocked = (PORTS == 1) && write;
    assign rd_hit  = rd_lowest & {SLOTS{chosen}} & {READERS{!blocked}};

    for (genvar k = 0; k < READER_W; k++) begin : gen_reader
      assign reader[k] = |(rd_hit & READER_BITS[k*64 +: READERS]);
    end
    for (genvar k = 0; k < WSEL_W; k++) begin : gen_writer
      assign writer[k] = |(wr_hit & rf_pkg::NUMBERS[k*64 +: WRITERS]);
    end

    assign rd_served[b] = rd_hit;
    assign wr_served[b] = wr_hit;
    assign bank_re_o[b] = read && !blocked;
    assign bank_we_o[b] = write;
    assign bank_raddr_o[b*ROW_W +: ROW_W]  = rd_row[reader] & {ROW_W{bank_re_o[b]}};
    assign bank_waddr_o[b*ROW_W +: ROW_W]  = wr_row[writer] & {ROW_W{bank_we_o[b]}};
    assign bank_wsel_o[b*WSEL_W +: WSEL_W] = writer;
  end

  always_comb begin
    rd_grant = '0;
    wr_grant_o = '0;
    for (int b = 0; b < BANKS; b++) begin
      rd_grant   = rd_grant | rd_served[b];
      wr_grant_o = wr_grant_o | wr_served[b];
    end
  end

endmodule

`default_nettype wire
