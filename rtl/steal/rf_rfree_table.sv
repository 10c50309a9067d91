// SPDX-License-Identifier: Apache-2.0
// The book of stolen registers: per bank a register that is free to hold a stolen write, and where that write belongs
// [bank stealing IV-C-2, Fig. 9].
//
// State:     f m, Rfree (row), Rdest (bank and row) a bank. f: Rfree is free. m: Rfree keeps the value of Rdest ("linked").
// Latency:   outputs follow the registers and this cycle's accesses and launches; link, clear, drop and name act at the edge.
// Blocked:   a reader or stealer of a linked Rdest; a writer of a linked Rdest or of a linked Rfree.
// Force:     linked, and f is 0 or a reader or writer (not a stealer) is blocked by it.
// Conflicts: link beats clear. Then launch and drops clear f of the Rfree that was; then names, in a bank that is not linked after
//            this edge, set f and replace Rfree; the highest name of a bank stays.
// Range:     no drop or name in a bank >= BANKS; an Rdest there matches like any other. Rows match as numbers; a row of no warp
//            never starts.
// Reset:     all 0: no bank has a free register.
//
// Inside, everything that is compared lies in one vector of registers (bank and row), transposed into a bit plane for each bit of
// the number, so that a comparison with all of them is one XOR a bit.
`default_nettype none

module rf_rfree_table #(
  /// Banks, 1 to 32.
  parameter int unsigned BANKS = 8,
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  /// Rows of a warp in a bank, 1 to 256; WARPS x PER_WARP at most 1024.
  parameter int unsigned PER_WARP = 4,
  /// Operands that ask for their bank, 1 to 64.
  parameter int unsigned READERS = 24,
  /// Operands of candidates, 1 to 32.
  parameter int unsigned STEALERS = 6,
  /// Results that ask for their bank, 1 to 8.
  parameter int unsigned WRITERS = 3,
  /// Destinations of instructions that issue, 1 to 4.
  parameter int unsigned DROPS = 2,
  /// Registers named in a cycle, 1 to 16.
  parameter int unsigned NAMES = 8,
  localparam int unsigned ROWS = WARPS * PER_WARP,
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS),
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  /// Per warp: a new warp starts in the slot.
  input  logic [WARPS-1:0]           launch_i,
  /// Per drop: a register is written by an instruction that issues.
  input  logic [DROPS-1:0]           drop_valid_i,
  /// Per drop: its bank.
  input  logic [DROPS*BANK_W-1:0]    drop_bank_i,
  /// Per drop: its row.
  input  logic [DROPS*ROW_W-1:0]     drop_row_i,
  /// Per name: a register is inactive from now on.
  input  logic [NAMES-1:0]           name_valid_i,
  /// Per name: its bank.
  input  logic [NAMES*BANK_W-1:0]    name_bank_i,
  /// Per name: its row.
  input  logic [NAMES*ROW_W-1:0]     name_row_i,
  /// Reader asks.
  input  logic [READERS-1:0]         rd_valid_i,
  /// Per reader: its bank.
  input  logic [READERS*BANK_W-1:0]  rd_bank_i,
  /// Per reader: its row.
  input  logic [READERS*ROW_W-1:0]   rd_row_i,
  /// Stealer asks.
  input  logic [STEALERS-1:0]        sr_valid_i,
  /// Per stealer: its bank.
  input  logic [STEALERS*BANK_W-1:0] sr_bank_i,
  /// Per stealer: its row.
  input  logic [STEALERS*ROW_W-1:0]  sr_row_i,
  /// Writer asks.
  input  logic [WRITERS-1:0]         wr_valid_i,
  /// Per writer: its bank.
  input  logic [WRITERS*BANK_W-1:0]  wr_bank_i,
  /// Per writer: its row.
  input  logic [WRITERS*ROW_W-1:0]   wr_row_i,
  /// Per bank: a stolen write goes to its Rfree.
  input  logic [BANKS-1:0]           link_i,
  /// Per bank: bank of the stolen write's destination.
  input  logic [BANKS*BANK_W-1:0]    link_bank_i,
  /// Per bank: row of the stolen write's destination.
  input  logic [BANKS*ROW_W-1:0]     link_row_i,
  /// Per bank: its Rfree is read for the write-back.
  input  logic [BANKS-1:0]           clear_i,
  /// Reader waits for a write-back.
  output logic [READERS-1:0]         rd_blocked_o,
  /// Stealer waits for a write-back.
  output logic [STEALERS-1:0]        sr_blocked_o,
  /// Writer waits for a write-back.
  output logic [WRITERS-1:0]         wr_blocked_o,
  /// Per bank: its Rfree can take a stolen write in this cycle.
  output logic [BANKS-1:0]           usable_o,
  /// Per bank: its Rfree keeps a value.
  output logic [BANKS-1:0]           linked_o,
  /// Per bank: that value must go now.
  output logic [BANKS-1:0]           force_o,
  /// Per bank: row of Rfree.
  output logic [BANKS*ROW_W-1:0]     rfree_row_o,
  /// Per bank: bank of Rdest.
  output logic [BANKS*BANK_W-1:0]    dest_bank_o,
  /// Per bank: row of Rdest.
  output logic [BANKS*ROW_W-1:0]     dest_row_o
);

  if (BANKS < 1 || BANKS > 32) begin : gen_banks_range
    $error("rf_rfree_table: BANKS must be 1 to 32");
  end
  if (WARPS < 1 || WARPS > 64 || PER_WARP < 1 || PER_WARP > 256 || ROWS > 1024) begin : gen_rows_range
    $error("rf_rfree_table: WARPS must be 1 to 64, PER_WARP 1 to 256, WARPS x PER_WARP at most 1024");
  end
  if (READERS < 1 || READERS > 64 || STEALERS < 1 || STEALERS > 32 || WRITERS < 1 || WRITERS > 8) begin : gen_access_range
    $error("rf_rfree_table: READERS must be 1 to 64, STEALERS 1 to 32, WRITERS 1 to 8");
  end
  if (DROPS < 1 || DROPS > 4 || NAMES < 1 || NAMES > 16) begin : gen_update_range
    $error("rf_rfree_table: DROPS must be 1 to 4, NAMES 1 to 16");
  end

  // A register's number is its bank above its row.
  localparam int unsigned REG_W = BANK_W + ROW_W;
  // What is compared with an Rdest: readers, stealers, the banks' Rfree, writers.
  localparam int unsigned SR_AT = READERS;
  localparam int unsigned FREE_AT = SR_AT + STEALERS;
  localparam int unsigned WR_AT = FREE_AT + BANKS;
  localparam int unsigned DEST_N = WR_AT + WRITERS;
  // A warp number that a row can give: less than 2 x WARPS.
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS) + 1;
  localparam logic [ROW_W:0] OWN = (ROW_W+1)'(PER_WARP); // rows of a warp

  logic [BANKS-1:0]  f_q, f_d, m_q, m_d;
  logic [ROW_W-1:0]  rfree_q [0:BANKS-1], rfree_d [0:BANKS-1];
  logic [BANK_W-1:0] dest_bank_q [0:BANKS-1], dest_bank_d [0:BANKS-1];
  logic [ROW_W-1:0]  dest_row_q [0:BANKS-1], dest_row_d [0:BANKS-1];

  // Per access, Rfree, drop and name: the register's number.
  logic [REG_W-1:0] of_dest [0:DEST_N-1];
  logic [REG_W-1:0] of_drop [0:DROPS-1];
  logic [REG_W-1:0] of_name [0:NAMES-1];

  for (genvar r = 0; r < READERS; r++) begin : gen_reader
    assign of_dest[r] = {rd_bank_i[r*BANK_W +: BANK_W], rd_row_i[r*ROW_W +: ROW_W]};
  end
  for (genvar s = 0; s < STEALERS; s++) begin : gen_stealer
    assign of_dest[SR_AT+s] = {sr_bank_i[s*BANK_W +: BANK_W], sr_row_i[s*ROW_W +: ROW_W]};
  end
  for (genvar b = 0; b < BANKS; b++) begin : gen_free
    assign of_dest[FREE_AT+b] = {BANK_W'(b), rfree_q[b]};
  end
  for (genvar w = 0; w < WRITERS; w++) begin : gen_writer
    assign of_dest[WR_AT+w] = {wr_bank_i[w*BANK_W +: BANK_W], wr_row_i[w*ROW_W +: ROW_W]};
  end
  for (genvar d = 0; d < DROPS; d++) begin : gen_drop
    assign of_drop[d] = {drop_bank_i[d*BANK_W +: BANK_W], drop_row_i[d*ROW_W +: ROW_W]};
  end
  for (genvar n = 0; n < NAMES; n++) begin : gen_name
    assign of_name[n] = {name_bank_i[n*BANK_W +: BANK_W], name_row_i[n*ROW_W +: ROW_W]};
  end

  // The bit planes: element k has bit k of all of them. Names lie the other way round, so that the last one is the lowest bit.
  logic [DEST_N-1:0]  dest_plane [0:REG_W-1];
  logic [WRITERS-1:0] write_plane [0:REG_W-1];
  logic [DROPS-1:0]   drop_plane [0:REG_W-1];
  logic [NAMES-1:0]   name_plane [0:REG_W-1];
  logic [NAMES-1:0]   name_valid;

  for (genvar k = 0; k < REG_W; k++) begin : gen_plane
    logic [DEST_N-1:0] dest;
    logic [DROPS-1:0]  drop;
    logic [NAMES-1:0]  name;
    for (genvar i = 0; i < DEST_N; i++) begin : gen_dest
      assign dest[i] = of_dest[i][k];
    end
    for (genvar d = 0; d < DROPS; d++) begin : gen_drop
      assign drop[d] = of_drop[d][k];
    end
    for (genvar n = 0; n < NAMES; n++) begin : gen_name
      assign name[NAMES-1-n] = of_name[n][k];
    end
    assign dest_plane[k] = dest;
    assign write_plane[k] = dest[WR_AT +: WRITERS];
    assign drop_plane[k]  = drop;
    assign name_plane[k] = name;
  end
  for (genvar n = 0; n < NAMES; n++) begin : gen_name_valid
    assign name_valid[NAMES-1-n] = name_valid_i[n];
  end

  // Warps that do not exist never start.
  logic [(1<<WARP_W)-1:0] launch;
  assign launch = {{((1<<WARP_W)-WARPS){1'b0}}, launch_i};

  // Per linked bank: what names its Rdest, the banks' Rfree among it; which writers are blocked by it.
  logic [DEST_N-1:0]  dest_hit [0:BANKS-1];
  logic [WRITERS-1:0] wr_hit [0:BANKS-1];
  logic [DEST_N-1:0]  waits;
  logic [BANKS-1:0]   awaited; // its Rfree is a linked Rdest

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic [REG_W-1:0]   rdest;
    logic [ROW_W-1:0]   rfree, name_row;
    logic [DEST_N-1:0]  dest_miss;
    logic [WRITERS-1:0] write_miss, write_hit;
    logic [DROPS-1:0]   drop_miss;
    logic [NAMES-1:0]   name_miss, name_here, name_last;
    logic [WARP_W-1:0]  warp;
    logic               starts, dropped, named;

    assign rdest = {dest_bank_q[b], dest_row_q[b]};
    assign rfree = rfree_q[b];
    assign warp  = WARP_W'({{1'b0, rfree} / OWN});

    // Lookups and updates apart: an instruction issues, and updates, after the lookups of its operands.
    always_comb begin
      dest_miss  = '0;
      write_miss = '0;
      for (int k = 0; k < REG_W; k++) dest_miss = dest_miss | (dest_plane[k] ^ {DEST_N{rdest[k]}});
      for (int k = 0; k < ROW_W; k++) write_miss = write_miss | (write_plane[k] ^ {WRITERS{rfree[k]}});
      for (int k = 0; k < BANK_W; k++)
        write_miss = write_miss | (((b >> k) & 1) != 0 ? ~write_plane[ROW_W+k] : write_plane[ROW_W+k]);
    end
    always_comb begin
      drop_miss = '0;
      name_miss = '0;
      for (int k = 0; k < ROW_W; k++) drop_miss = drop_miss | (drop_plane[k] ^ {DROPS{rfree[k]}});
      for (int k = 0; k < BANK_W; k++) begin
        drop_miss = drop_miss | (((b >> k) & 1) != 0 ? ~drop_plane[ROW_W+k] : drop_plane[ROW_W+k]);
        name_miss = name_miss | (((b >> k) & 1) != 0 ? ~name_plane[ROW_W+k] : name_plane[ROW_W+k]);
      end
    end

    // Who waits: of what is valid; an Rfree counts always.
    assign dest_hit[b] = ~dest_miss & {wr_valid_i, {BANKS{1'b1}}, sr_valid_i, rd_valid_i} & {DEST_N{m_q[b]}};
    assign write_hit   = ~write_miss & wr_valid_i;
    assign wr_hit[b]   = dest_hit[b][WR_AT +: WRITERS] | (write_hit & {WRITERS{m_q[b]}});
    assign force_o[b]  = m_q[b] && (dest_hit[b][READERS-1:0] != '0 || wr_hit[b] != '0 || !f_q[b]);

    // The edge: link and clear, then launch, drops, names.
    assign starts    = launch[warp];
    assign dropped   = (~drop_miss & drop_valid_i) != '0;
    assign name_here = name_valid & ~name_miss;
    assign name_last = `RF_LOWEST(name_here);
    assign named     = name_here != '0 && !m_d[b];
    for (genvar k = 0; k < ROW_W; k++) begin : gen_name_row
      assign name_row[k] = (name_last & name_plane[k]) != '0;
    end

    assign m_d[b]         = link_i[b] || (m_q[b] && !clear_i[b]);
    assign f_d[b]         = named || (f_q[b] && !starts && !dropped);
    assign rfree_d[b]     = named ? name_row : rfree;
    assign dest_bank_d[b] = link_i[b] ? link_bank_i[b*BANK_W +: BANK_W] : dest_bank_q[b];
    assign dest_row_d[b]  = link_i[b] ? link_row_i[b*ROW_W +: ROW_W] : dest_row_q[b];

    assign usable_o[b] = f_q[b] && !m_q[b] && !starts && !awaited[b];
    assign rfree_row_o[b*ROW_W +: ROW_W]   = rfree;
    assign dest_bank_o[b*BANK_W +: BANK_W] = dest_bank_q[b];
    assign dest_row_o[b*ROW_W +: ROW_W]    = dest_row_q[b];
  end

  always_comb begin
    waits = '0;
    wr_blocked_o = '0;
    for (int b = 0; b < BANKS; b++) begin
      waits        = waits | dest_hit[b];
      wr_blocked_o = wr_blocked_o | wr_hit[b];
    end
  end
  assign rd_blocked_o = waits[READERS-1:0];
  assign sr_blocked_o = waits[SR_AT +: STEALERS];
  assign awaited      = waits[FREE_AT +: BANKS];
  assign linked_o     = m_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      f_q <= '0;
      m_q <= '0;
      for (int b = 0; b < BANKS; b++) begin
        rfree_q[b]     <= '0;
        dest_bank_q[b] <= '0;
        dest_row_q[b]  <= '0;
      end
    end else begin
      f_q <= f_d;
      m_q <= m_d;
      for (int b = 0; b < BANKS; b++) begin
        rfree_q[b]     <= rfree_d[b];
        dest_bank_q[b] <= dest_bank_d[b];
        dest_row_q[b]  <= dest_row_d[b];
      end
    end
  end

endmodule

`default_nettype wire
