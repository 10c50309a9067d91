// SPDX-License-Identifier: Apache-2.0
// Reference counts of the physical registers: many +1 and -1 in a cycle, merged; a register without one is offered as free.
//
// Stage 1:  the requests of a cycle, INCS first, then DECS. The lowest request of a register has its place, with the sum of all.
// Stage 2:  the sums are added to the counts; a count that is 0 then marks its register dead.
// free_o:   the lowest dead registers; they lose the mark at the edge, whoever takes them cannot refuse. A new mark wins.
// Latency:  a register is offered two cycles after its last -1 at the earliest. Of the outputs only one_o depends on an input of
//           the cycle, on ask_reg_i.
// Full:     a count at 2^COUNTW - 1 stays there until reset; a sum below 0 is 0.
// one_o:    the count of ask_reg_i is 1, without what stage 1 holds.
// Range:    registers that do not exist are ignored, and have no count.
// Reset:    all counts 0, nothing requested, nothing dead.
// Source:   [WIR V-E, VII-E].
`default_nettype none

module rf_refcount #(
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// Ports that count up, 1 to 24.
  parameter int unsigned INCS = 12,
  /// Ports that count down, 1 to 24.
  parameter int unsigned DECS = 12,
  /// Registers that become free in a cycle, 1 to 4.
  parameter int unsigned FREES = 2,
  /// Counts that are looked at in a cycle, 1 to 4.
  parameter int unsigned ASKS = 2,
  /// Bits of a count, 2 to 16.
  parameter int unsigned COUNTW = 10,
  localparam int unsigned REG_W = rf_pkg::index_bits(PREGS)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  /// Per port: a reference to a register is made.
  input  logic [INCS-1:0]        inc_i,
  /// Per port: that register.
  input  logic [INCS*REG_W-1:0]  inc_reg_i,
  /// Per port: a reference to a register ends.
  input  logic [DECS-1:0]        dec_i,
  /// Per port: that register.
  input  logic [DECS*REG_W-1:0]  dec_reg_i,
  /// Per port: the count of this register is looked at.
  input  logic [ASKS*REG_W-1:0]  ask_reg_i,
  /// Per port: a register is free.
  output logic [FREES-1:0]       free_o,
  /// Per port: that register, 0 when none; ascending.
  output logic [FREES*REG_W-1:0] free_reg_o,
  /// Per port: ask_reg_i has one reference.
  output logic [ASKS-1:0]        one_o
);

  if (PREGS < 2 || PREGS > 1024) begin : gen_pregs_range
    $error("rf_refcount: PREGS must be 2 to 1024");
  end
  if (INCS < 1 || INCS > 24 || DECS < 1 || DECS > 24 || FREES < 1 || FREES > 4 || ASKS < 1 || ASKS > 4 ||
      COUNTW < 2 || COUNTW > 16) begin : gen_range
    $error("rf_refcount: INCS and DECS must be 1 to 24, FREES and ASKS 1 to 4, COUNTW 2 to 16");
  end

  localparam int unsigned PLACES = INCS + DECS;
  // Dead registers lie in words.
  localparam int unsigned WORD   = (PREGS < 64) ? PREGS : 64;
  localparam int unsigned WORDS  = (PREGS + WORD - 1) / WORD;
  localparam int unsigned BIT_W  = rf_pkg::index_bits(WORD);
  localparam int unsigned WORD_W = rf_pkg::index_bits(WORDS);
  // Two more bits for a sum than its larger operand has; a delta has 6.
  localparam int unsigned SUM_W  = ((COUNTW > 6) ? COUNTW : 6) + 2;
  // Reset of up to 1024 counts: loops in loops, each small enough for Verilator to unroll.
  localparam int          ROW    = 32;
  localparam int          ROWS   = PREGS / ROW;

  localparam logic [COUNTW-1:0] FULL    = {COUNTW{1'b1}};
  localparam logic [PLACES-1:0] IS_DEC  = {{DECS{1'b1}}, {INCS{1'b0}}};
  localparam logic [5:0]        ALL_DEC = 6'(DECS);

  logic [PLACES-1:0] place_q, place_d;
  logic [REG_W-1:0]  reg_q [0:PLACES-1], reg_d [0:PLACES-1];
  logic [5:0]        delta_q [0:PLACES-1], delta_d [0:PLACES-1];
  logic [COUNTW-1:0] count_q [0:PREGS-1];
  logic [WORD-1:0]   dead_q [0:WORDS-1];
  logic [WORD_W-1:0] free_word [0:FREES-1];
  logic [BIT_W-1:0]  free_bit [0:FREES-1];

  // Stage 1. Bit planes: element k has bit k of all requests' registers, so that a request is compared with all others at once.
  logic [REG_W-1:0]  asked [0:PLACES-1];
  logic [PLACES-1:0] valid;
  logic [PLACES-1:0] plane [0:REG_W-1];

  for (genvar i = 0; i < INCS; i++) begin : gen_inc
    assign asked[i] = inc_reg_i[i*REG_W +: REG_W];
    assign valid[i] = inc_i[i] && {1'b0, asked[i]} < (REG_W+1)'(PREGS);
  end
  for (genvar d = 0; d < DECS; d++) begin : gen_dec
    assign asked[INCS+d] = dec_reg_i[d*REG_W +: REG_W];
    assign valid[INCS+d] = dec_i[d] && {1'b0, asked[INCS+d]} < (REG_W+1)'(PREGS);
  end
  for (genvar k = 0; k < REG_W; k++) begin : gen_plane
    logic [PLACES-1:0] bits;
    for (genvar p = 0; p < PLACES; p++) begin : gen_bit
      assign bits[p] = asked[p][k];
    end
    assign plane[k] = bits;
  end

  for (genvar p = 0; p < PLACES; p++) begin : gen_place
    localparam logic [PLACES-1:0] BELOW = ~({PLACES{1'b1}} << p);
    logic [PLACES-1:0] miss, same;
    always_comb begin
      miss = '0;
      for (int k = 0; k < REG_W; k++) miss = miss | (plane[k] ^ {PLACES{asked[p][k]}});
    end
    assign same       = ~miss & valid;
    assign place_d[p] = valid[p] && (same & BELOW) == '0;
    assign reg_d[p]   = place_d[p] ? asked[p] : '0;
    // Each +1 as 1 and each -1 as 0, all DECS of which count 1 too much.
    assign delta_d[p] = place_d[p] ? 6'($countones(same ^ IS_DEC)) - ALL_DEC : '0;
  end

  // Stage 2.
  logic [COUNTW-1:0] count_d [0:PLACES-1];
  logic [PLACES-1:0] dies;

  for (genvar p = 0; p < PLACES; p++) begin : gen_count
    logic [COUNTW-1:0] old;
    logic [SUM_W-1:0]  sum;
    assign old        = count_q[reg_q[p]];
    assign sum        = {{(SUM_W-COUNTW){1'b0}}, old} + {{(SUM_W-6){delta_q[p][5]}}, delta_q[p]};
    assign count_d[p] = (old == FULL) ? FULL : sum[SUM_W-1] ? '0 : (sum[SUM_W-2:COUNTW] != '0) ? FULL : sum[COUNTW-1:0];
    assign dies[p]    = place_q[p] && count_d[p] == '0;
  end

  for (genvar a = 0; a < ASKS; a++) begin : gen_ask
    logic [REG_W-1:0] at;
    assign at       = ask_reg_i[a*REG_W +: REG_W];
    assign one_o[a] = {1'b0, at} < (REG_W+1)'(PREGS) && count_q[at] == COUNTW'(1);
  end

  // The lowest dead registers, one port after the other: the next one of the same word, or the first one of the next word.
  for (genvar f = 0; f < FREES; f++) begin : gen_free
    logic [WORDS-1:0]  words, word; // those with a dead register that is not yet offered; the lowest of them
    logic [WORD-1:0]   rest;        // the dead ones of the word of the port before that are not yet offered
    logic [WORD-1:0]   dead, first;
    logic [WORD_W-1:0] at_word;
    logic [BIT_W-1:0]  at_bit;

    if (f == 0) begin : gen_first
      assign rest  = '0;
      for (genvar w = 0; w < WORDS; w++) begin : gen_some
        assign words[w] = dead_q[w] != '0;
      end
    end else begin : gen_next
      assign rest  = gen_free[f-1].dead & ~gen_free[f-1].first;
      assign words = (rest != '0) ? gen_free[f-1].words : gen_free[f-1].words & ~gen_free[f-1].word;
    end

    assign word  = `RF_LOWEST(words);
    assign dead  = (rest != '0) ? rest : (words != '0) ? dead_q[at_word] : '0;
    assign first = `RF_LOWEST(dead);
    for (genvar k = 0; k < WORD_W; k++) begin : gen_word
      localparam logic [WORDS-1:0] COLUMN = rf_pkg::NUMBERS[k*64 +: WORDS];
      assign at_word[k] = (word & COLUMN) != '0;
    end
    for (genvar k = 0; k < BIT_W; k++) begin : gen_bit
      localparam logic [WORD-1:0] COLUMN = rf_pkg::NUMBERS[k*64 +: WORD];
      assign at_bit[k] = (first & COLUMN) != '0;
    end

    assign free_o[f]    = words != '0;
    assign free_word[f] = at_word;
    assign free_bit[f]  = at_bit;
    if (WORDS > 1) begin : gen_words
      assign free_reg_o[f*REG_W +: REG_W] = REG_W'({at_word, at_bit});
    end else begin : gen_one_word
      assign free_reg_o[f*REG_W +: REG_W] = at_bit;
    end
  end

  // The later assignment wins: a mark beats its end.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      place_q <= '0;
      for (int p = 0; p < PLACES; p++) begin
        reg_q[p]   <= '0;
        delta_q[p] <= '0;
      end
      for (int r = 0; r < ROWS/2; r++)
        for (int c = 0; c < ROW; c++) count_q[r*ROW+c] <= '0;
      for (int r = ROWS/2; r < ROWS; r++)
        for (int c = 0; c < ROW; c++) count_q[r*ROW+c] <= '0;
      for (int c = ROWS*ROW; c < PREGS; c++) count_q[c] <= '0;
      for (int w = 0; w < WORDS; w++) dead_q[w] <= '0;
    end else begin
      place_q <= place_d;
      for (int p = 0; p < PLACES; p++) begin
        reg_q[p]   <= reg_d[p];
        delta_q[p] <= delta_d[p];
      end
      for (int p = 0; p < PLACES; p++)
        if (place_q[p]) count_q[reg_q[p]] <= count_d[p];
      for (int f = 0; f < FREES; f++)
        if (free_o[f]) dead_q[free_word[f]][free_bit[f]] <= 1'b0;
      for (int p = 0; p < PLACES; p++)
        if (dies[p]) dead_q[WORD_W'({reg_q[p] >> BIT_W})][reg_q[p][BIT_W-1:0]] <= 1'b1;
    end
  end

endmodule

`default_nettype wire
