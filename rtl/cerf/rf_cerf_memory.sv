// SPDX-License-Identifier: Apache-2.0
// The integrated memory of registers and L1D [CERF III-B, Fig. 4]: banks of tags and data, the arbitration of operands, results
// and accesses of the load/store unit for them, the ways back, and one port to L2. Without readers and writers it is an L1D.
//
// Place:     register number n is line {PREFIX, n}. Line l: bank l mod BANKS, its set (l / BANKS) mod (SETS / BANKS), tag above.
// Requests:  each bank grants one in a cycle in which it is ready: writers before all else, round-robin; then round-robin over
//            the collectors and the load/store unit. What it accepts is answered in the same cycle. What it refuses waits, and
//            asks again after the bank's wake.
// Answers:   rd_fill_o with rd_data_o, ld_valid_o with ld_id_o and ld_data_o, cycles later.
// L2:        the banks' messages round-robin, one a cycle; its answers for bank fill_bank_i, one a cycle. For a bank that does
//            not exist: taken, and nothing happens.
// Reset:     as the parts say; nothing waits.
`default_nettype none

module rf_cerf_memory #(
  /// Operand collectors, 1 to 15; (COLLECTORS + 1) x SLOTS at most 64.
  parameter int unsigned COLLECTORS = 8,
  /// Source slots of a collector, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Writers, 1 to 8.
  parameter int unsigned WRITERS = 3,
  /// Numbers of registers, 1 to 16384.
  parameter int unsigned REGISTERS = 1024,
  /// Banks, a power of two, 1 to 8.
  parameter int unsigned BANKS = 4,
  /// Sets of all banks, a power of two, BANKS to 256 x BANKS; SETS x WAYS at most 1024 x BANKS.
  parameter int unsigned SETS = 256,
  /// Ways, 1 to 8.
  parameter int unsigned WAYS = 4,
  /// Words of a line, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Bits of a line number, to 25; more than log2(SETS) and more than the bits of a register's number.
  parameter int unsigned LINE_W = 25,
  /// Upper part of the line numbers of registers, 0 to 16777215; cut to what is above the register's number.
  parameter int unsigned PREFIX = 32767,
  /// MSHRs of a bank, 2 to 16.
  parameter int unsigned MSHRS = 8,
  /// Targets of an MSHR, 1 to 8.
  parameter int unsigned TARGETS = 4,
  /// Messages to L2 that a bank holds, 1 to 16.
  parameter int unsigned QUEUE = 4,
  /// 1: registers and cache data each leave one MSHR of a bank to the other.
  parameter int unsigned RESERVE = 1,
  /// Replacement. 0: fair, 1: registers first, 2: cache data first.
  parameter int unsigned POLICY = 0,
  localparam int unsigned READERS = COLLECTORS * SLOTS,
  localparam int unsigned NUMBER_W = rf_pkg::index_bits(REGISTERS),
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS),
  localparam int unsigned WAY_W = rf_pkg::index_bits(WAYS),
  localparam int unsigned ENTRY_W = rf_pkg::index_bits(MSHRS),
  localparam int unsigned ID_W = rf_cerf_pkg::ID_W,
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  /// Per reader: it asks ...
  input  logic [READERS-1:0]          rd_valid_i,
  /// ... for this register ...
  input  logic [READERS*NUMBER_W-1:0] rd_number_i,
  /// ... for its last read.
  input  logic [READERS-1:0]          rd_dead_i,
  /// Per writer: it asks ...
  input  logic [WRITERS-1:0]          wr_valid_i,
  /// ... to write this register ...
  input  logic [WRITERS*NUMBER_W-1:0] wr_number_i,
  /// ... in these lanes ...
  input  logic [WRITERS*LANES-1:0]    wr_mask_i,
  /// ... with these values.
  input  logic [WRITERS*DATA_W-1:0]   wr_data_i,
  /// The load/store unit asks for ...
  input  logic                        mem_valid_i,
  /// ... this operation ...
  input  logic [2:0]                  mem_op_i,
  /// ... on this line ...
  input  logic [LINE_W-1:0]           mem_line_i,
  /// ... or, a flush, on this way of its set ...
  input  logic [WAY_W-1:0]            mem_way_i,
  /// ... under this number ...
  input  logic [ID_W-1:0]             mem_id_i,
  /// ... on these words ...
  input  logic [LANES-1:0]            mem_mask_i,
  /// ... with these values.
  input  logic [DATA_W-1:0]           mem_data_i,
  /// L2 takes the message.
  input  logic                        l2_ready_i,
  /// L2 answers ...
  input  logic                        fill_valid_i,
  /// ... this bank's ...
  input  logic [BANK_W-1:0]           fill_bank_i,
  /// ... MSHR ...
  input  logic [ENTRY_W-1:0]          fill_entry_i,
  /// ... with the line.
  input  logic [DATA_W-1:0]           fill_data_i,
  /// Per reader: its request is accepted.
  output logic [READERS-1:0]          rd_accept_o,
  /// Per reader: its operand is there ...
  output logic [READERS-1:0]          rd_fill_o,
  /// ... with this value, 0 when not.
  output logic [READERS*DATA_W-1:0]   rd_data_o,
  /// Per writer: its request is accepted.
  output logic [WRITERS-1:0]          wr_accept_o,
  /// The load/store unit's request is accepted.
  output logic                        mem_accept_o,
  /// Per bank: a load or atomic is answered; 0 below when not.
  output logic [BANKS-1:0]            ld_valid_o,
  output logic [BANKS*ID_W-1:0]       ld_id_o,
  output logic [BANKS*DATA_W-1:0]     ld_data_o,
  /// A message to L2; 0 below when not.
  output logic                        l2_valid_o,
  output logic [1:0]                  l2_op_o,
  output logic [LINE_W-1:0]           l2_line_o,
  output logic [BANK_W-1:0]           l2_bank_o,
  output logic [ENTRY_W-1:0]          l2_entry_o,
  output logic [LANES-1:0]            l2_mask_o,
  output logic [DATA_W-1:0]           l2_data_o,
  /// The answer of L2 is taken.
  output logic                        fill_ready_o
);

  // log2 of powers of two; a bank's set is one bit wide, and 0, where it has one set.
  localparam int unsigned BANK_BITS = $clog2(BANKS);
  localparam int unsigned BANK_SETS = SETS / BANKS;
  localparam int unsigned SET_W = rf_pkg::index_bits(BANK_SETS);
  localparam int unsigned SET_BITS = $clog2(BANK_SETS);
  localparam int unsigned TAG_W = LINE_W - BANK_BITS - SET_BITS;
  // A bank's line number: without the bank's bits.
  localparam int unsigned OWN_W = TAG_W + SET_BITS;
  // Of a register's line number, what is above the register's number.
  localparam int unsigned UPPER_W = LINE_W - NUMBER_W;
  localparam int unsigned ASKERS = READERS + SLOTS;
  localparam int unsigned WRITER_W = rf_pkg::index_bits(WRITERS);
  localparam int unsigned OP_W = 3;
  // An answer's number in a bank: uppermost, whether it is the load/store unit's.
  localparam int unsigned FULL_ID_W = ID_W + 1;

  if (COLLECTORS < 1 || COLLECTORS > 15 || SLOTS < 1 || SLOTS > 8 || ASKERS > 64) begin : gen_collectors_range
    $error("rf_cerf_memory: COLLECTORS must be 1 to 15, SLOTS 1 to 8, (COLLECTORS + 1) x SLOTS at most 64");
  end
  if (WRITERS < 1 || WRITERS > 8 || LANES < 1 || LANES > 32) begin : gen_writers_range
    $error("rf_cerf_memory: WRITERS must be 1 to 8, LANES 1 to 32");
  end
  if (BANKS < 1 || BANKS > 8 || (BANKS & (BANKS - 1)) != 0) begin : gen_banks_range
    $error("rf_cerf_memory: BANKS must be a power of two, 1 to 8");
  end
  if (SETS < BANKS || SETS > 256 * BANKS || (SETS & (SETS - 1)) != 0) begin : gen_sets_range
    $error("rf_cerf_memory: SETS must be a power of two, BANKS to 256 x BANKS");
  end
  if (WAYS < 1 || WAYS > 8 || SETS * WAYS > 1024 * BANKS) begin : gen_ways_range
    $error("rf_cerf_memory: WAYS must be 1 to 8, SETS x WAYS at most 1024 x BANKS");
  end
  if (REGISTERS < 1 || REGISTERS > 16384 || LINE_W > 25 || LINE_W <= BANK_BITS + SET_BITS || LINE_W <= NUMBER_W) begin : gen_line
    $error("rf_cerf_memory: REGISTERS must be 1 to 16384, LINE_W at most 25, more than log2(SETS) and a register number's bits");
  end
  if (POLICY > 2 || RESERVE > 1 || MSHRS < 2) begin : gen_policy_range
    $error("rf_cerf_memory: POLICY must be 0 to 2, RESERVE 0 or 1, MSHRS 2 to 16");
  end

  // ------------------------------------------------------------------------------------------------------------------ places

  // Line number of a register.
  function automatic logic [LINE_W-1:0] line_of(input logic [NUMBER_W-1:0] number);
    line_of = {UPPER_W'(PREFIX), number};
  endfunction

  function automatic logic [BANK_W-1:0] bank_of(input logic [LINE_W-1:0] line);
    bank_of = BANK_W'(line & LINE_W'(BANKS - 1));
  endfunction

  // The last asker of the arbiter, one more collector, is the load/store unit.
  logic [ASKERS-1:0]         asks, grant;
  logic [ASKERS*BANK_W-1:0]  ask_bank;
  logic [WRITERS-1:0]        wr_asks, wr_grant;
  logic [WRITERS*BANK_W-1:0] wr_bank;
  logic [BANK_W-1:0]         mem_bank;

  logic [READERS-1:0] rd_wait_q, rd_wait_d;
  logic [WRITERS-1:0] wr_wait_q, wr_wait_d;
  logic               mem_wait_q, mem_wait_d;

  logic [BANKS-1:0] ready, accept, refuse, wake;

  assign mem_bank = bank_of(mem_line_i);

  always_comb begin
    for (int r = 0; r < READERS; r++) ask_bank[r*BANK_W +: BANK_W] = bank_of(line_of(rd_number_i[r*NUMBER_W +: NUMBER_W]));
    for (int s = 0; s < SLOTS; s++) ask_bank[(READERS+s)*BANK_W +: BANK_W] = mem_bank;
    for (int e = 0; e < WRITERS; e++) wr_bank[e*BANK_W +: BANK_W] = bank_of(line_of(wr_number_i[e*NUMBER_W +: NUMBER_W]));
  end

  // A bank that is not ready is asked by nobody: what is granted is looked up.
  always_comb begin
    asks = '0;
    for (int r = 0; r < READERS; r++) asks[r] = rd_valid_i[r] && !rd_wait_q[r] && ready[ask_bank[r*BANK_W +: BANK_W]];
    asks[READERS] = mem_valid_i && !mem_wait_q && ready[mem_bank];
    for (int e = 0; e < WRITERS; e++) wr_asks[e] = wr_valid_i[e] && !wr_wait_q[e] && ready[wr_bank[e*BANK_W +: BANK_W]];
  end

  logic [BANKS-1:0]          unused_re, bank_we;
  logic [BANKS-1:0]          unused_raddr, unused_waddr;
  logic [BANKS*WRITER_W-1:0] bank_wsel;

  rf_arbiter #(.BANKS(BANKS), .COLLECTORS(COLLECTORS + 1), .SLOTS(SLOTS), .WRITERS(WRITERS), .ROWS(1), .PORTS(1)) u_arbiter (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rd_valid_i  (asks),
    .rd_bank_i   (ask_bank),
    .rd_row_i    ({ASKERS{1'b0}}),
    .wr_valid_i  (wr_asks),
    .wr_bank_i   (wr_bank),
    .wr_row_i    ({WRITERS{1'b0}}),
    .rd_grant_o  (grant),
    .wr_grant_o  (wr_grant),
    .bank_re_o   (unused_re),
    .bank_raddr_o(unused_raddr),
    .bank_we_o   (bank_we),
    .bank_waddr_o(unused_waddr),
    .bank_wsel_o (bank_wsel)
  );

  // ------------------------------------------------------------------------------------------------------- answers to requests

  always_comb begin
    for (int r = 0; r < READERS; r++) rd_accept_o[r] = grant[r] && accept[ask_bank[r*BANK_W +: BANK_W]];
    for (int e = 0; e < WRITERS; e++) wr_accept_o[e] = wr_grant[e] && accept[wr_bank[e*BANK_W +: BANK_W]];
    mem_accept_o = grant[READERS] && accept[mem_bank];
  end

  // A wake of the same cycle beats a refusal: what it waited for is there.
  always_comb begin
    for (int r = 0; r < READERS; r++) begin
      rd_wait_d[r] = (rd_wait_q[r] || (grant[r] && refuse[ask_bank[r*BANK_W +: BANK_W]])) && !wake[ask_bank[r*BANK_W +: BANK_W]];
    end
    for (int e = 0; e < WRITERS; e++) begin
      wr_wait_d[e] = (wr_wait_q[e] || (wr_grant[e] && refuse[wr_bank[e*BANK_W +: BANK_W]])) && !wake[wr_bank[e*BANK_W +: BANK_W]];
    end
    mem_wait_d = (mem_wait_q || (grant[READERS] && refuse[mem_bank])) && !wake[mem_bank];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      rd_wait_q  <= '0;
      wr_wait_q  <= '0;
      mem_wait_q <= 1'b0;
    end else begin
      rd_wait_q  <= rd_wait_d;
      wr_wait_q  <= wr_wait_d;
      mem_wait_q <= mem_wait_d;
    end
  end

  // ------------------------------------------------------------------------------------------------------------------- banks

  logic [BANKS-1:0]           fill_ready, rsp_valid, msg_valid, msg_taken;
  logic [BANKS*FULL_ID_W-1:0] rsp_id;
  logic [BANKS*DATA_W-1:0]    rsp_data, msg_data;
  logic [BANKS*2-1:0]         msg_op;
  logic [BANKS*LINE_W-1:0]    msg_line;
  logic [BANKS*ENTRY_W-1:0]   msg_entry;
  logic [BANKS*LANES-1:0]     msg_mask;

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic [FULL_ID_W-1:0] id;
    logic [OP_W-1:0]      op;
    logic [LINE_W-1:0]    line;
    logic                 of_mem, dead, valid;
    logic [LANES-1:0]     mask;
    logic [DATA_W-1:0]    data;
    logic [OWN_W-1:0]     own, msg_own;
    logic [SET_W-1:0]     set;
    logic                 unused_hit, unused_victim;
    logic [1:0]           unused_victim_state;

    // The request that is granted: a writer, else the load/store unit, else a reader.
    assign of_mem = grant[READERS] && mem_bank == BANK_W'(b) && !bank_we[b];
    always_comb begin
      id    = '0;
      line  = mem_line_i;
      dead  = 1'b0;
      valid = bank_we[b] || of_mem;
      for (int r = 0; r < READERS; r++) begin
        if (grant[r] && ask_bank[r*BANK_W +: BANK_W] == BANK_W'(b)) begin
          id    = FULL_ID_W'(r);
          line  = line_of(rd_number_i[r*NUMBER_W +: NUMBER_W]);
          dead  = rd_dead_i[r];
          valid = 1'b1;
        end
      end
      op   = rf_cerf_pkg::CACHE_READ_REG;
      mask = mem_mask_i;
      data = mem_data_i;
      if (of_mem) begin
        op = mem_op_i;
        id = {1'b1, mem_id_i};
      end
      if (bank_we[b]) begin
        op   = rf_cerf_pkg::CACHE_WRITE_REG;
        line = line_of(wr_number_i[bank_wsel[b*WRITER_W +: WRITER_W]*NUMBER_W +: NUMBER_W]);
        mask = wr_mask_i[bank_wsel[b*WRITER_W +: WRITER_W]*LANES +: LANES];
        data = wr_data_i[bank_wsel[b*WRITER_W +: WRITER_W]*DATA_W +: DATA_W];
      end
    end

    assign own = line[LINE_W-1:BANK_BITS];
    if (SET_BITS == 0) begin : gen_one_set
      assign set = '0;
    end else begin : gen_sets
      assign set = own[SET_BITS-1:0];
    end

    rf_cache_bank #(.SETS(BANK_SETS), .WAYS(WAYS), .LANES(LANES), .TAG_W(TAG_W), .ID_W(FULL_ID_W), .MSHRS(MSHRS),
                    .TARGETS(TARGETS), .RESERVE(RESERVE), .QUEUE(QUEUE), .POLICY(POLICY)) u_bank (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .req_valid_i (valid),
      .req_op_i    (op),
      .req_set_i   (set),
      .req_tag_i   (own[OWN_W-1:SET_BITS]),
      .req_way_i   (mem_way_i),
      .req_id_i    (id),
      .req_dead_i  (dead),
      .req_mask_i  (mask),
      .req_data_i  (data),
      .fill_valid_i(fill_valid_i && fill_bank_i == BANK_W'(b)),
      .fill_entry_i(fill_entry_i),
      .fill_data_i (fill_data_i),
      .mem_ready_i (msg_taken[b]),
      .ready_o     (ready[b]),
      .accept_o    (accept[b]),
      .refuse_o    (refuse[b]),
      .wake_o      (wake[b]),
      .rsp_valid_o (rsp_valid[b]),
      .rsp_id_o    (rsp_id[b*FULL_ID_W +: FULL_ID_W]),
      .rsp_data_o  (rsp_data[b*DATA_W +: DATA_W]),
      .fill_ready_o(fill_ready[b]),
      .mem_valid_o (msg_valid[b]),
      .mem_op_o    (msg_op[b*2 +: 2]),
      .mem_line_o  (msg_own),
      .mem_entry_o (msg_entry[b*ENTRY_W +: ENTRY_W]),
      .mem_mask_o  (msg_mask[b*LANES +: LANES]),
      .mem_data_o  (msg_data[b*DATA_W +: DATA_W]),
      .hit_o         (unused_hit),
      .victim_o      (unused_victim),
      .victim_state_o(unused_victim_state)
    );

    if (BANK_BITS == 0) begin : gen_whole
      assign msg_line[b*LINE_W +: LINE_W] = msg_own;
    end else begin : gen_part
      assign msg_line[b*LINE_W +: LINE_W] = {msg_own, BANK_BITS'(b)};
    end

    // Loads and atomics.
    assign ld_valid_o[b]                 = rsp_valid[b] && rsp_id[b*FULL_ID_W + ID_W];
    assign ld_id_o[b*ID_W +: ID_W]       = ld_valid_o[b] ? rsp_id[b*FULL_ID_W +: ID_W] : '0;
    assign ld_data_o[b*DATA_W +: DATA_W] = ld_valid_o[b] ? rsp_data[b*DATA_W +: DATA_W] : '0;
  end

  if (BANK_BITS != 0) begin : gen_every_bank
    assign fill_ready_o = fill_ready[fill_bank_i];
  end else begin : gen_one_bank
    assign fill_ready_o = fill_ready[0] || fill_bank_i != '0;
  end

  // ---------------------------------------------------------------------------------------------------------------- operands

  // A reader has one request on its way: at most one bank answers it.
  logic [READERS*BANK_W-1:0] fill_from;
  always_comb begin
    rd_fill_o = '0;
    fill_from = '0;
    for (int r = 0; r < READERS; r++) begin
      for (int b = BANKS - 1; b >= 0; b--) begin
        if (rsp_valid[b] && rsp_id[b*FULL_ID_W +: FULL_ID_W] == FULL_ID_W'(r)) begin
          rd_fill_o[r] = 1'b1;
          fill_from[r*BANK_W +: BANK_W] = BANK_W'(b);
        end
      end
    end
  end

  rf_crossbar #(.SRC(BANKS), .DST(READERS), .WIDTH(DATA_W)) u_read_xbar (
    .valid_i(rd_fill_o), .sel_i(fill_from), .data_i(rsp_data), .data_o(rd_data_o)
  );

  // ---------------------------------------------------------------------------------------------------------------------- L2

  logic [BANKS-1:0] sends;

  rf_rr #(.N(BANKS)) u_l2 (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .req_i(msg_valid), .take_i(l2_ready_i), .grant_o(sends), .valid_o(l2_valid_o)
  );

  assign msg_taken = sends & {BANKS{l2_ready_i}};
  always_comb begin
    l2_op_o    = '0;
    l2_line_o  = '0;
    l2_bank_o  = '0;
    l2_entry_o = '0;
    l2_mask_o  = '0;
    l2_data_o  = '0;
    for (int b = 0; b < BANKS; b++) begin
      if (sends[b]) begin
        l2_op_o    = msg_op[b*2 +: 2];
        l2_line_o  = msg_line[b*LINE_W +: LINE_W];
        l2_bank_o  = BANK_W'(b);
        l2_entry_o = msg_entry[b*ENTRY_W +: ENTRY_W];
        l2_mask_o  = msg_mask[b*LANES +: LANES];
        l2_data_o  = msg_data[b*DATA_W +: DATA_W];
      end
    end
  end

endmodule

`default_nettype wire
