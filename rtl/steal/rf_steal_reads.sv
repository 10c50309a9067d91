// SPDX-License-Identifier: Apache-2.0
// Read stealing's conditions: which operands of the candidate instructions ask to be read ahead, and what the arbiter's answer
// means [bank stealing IV-B-2].
//
// Latency:   combinational, no clock. ask_o does not depend on grant_i.
// Asks:      an operand of a group with valid_i (a candidate, and a collector to hold it) that is not blocked and, for WHEN = 1,
//            shares its bank with another operand of any candidate: a conflict of the next cycle that is removed. That it makes no
//            conflict now is the arbiter's part.
// Twice:     a register that a candidate names twice is one operand, the lowest slot's; its grant fills all slots that name it.
// Illegal:   a grant without ask_o is ignored; banks and registers that do not exist are compared like any other.
`default_nettype none

module rf_steal_reads #(
  /// Issue groups, 1 to 4.
  parameter int unsigned ISSUES = 2,
  /// Sources of an instruction, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 64,
  /// Banks, 1 to 32.
  parameter int unsigned BANKS = 8,
  /// 1: to remove a conflict, 2: whenever the bank is idle.
  parameter int unsigned WHEN = 1,
  localparam int unsigned SOURCES = ISSUES * SLOTS,
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS)
) (
  /// Per group: it has a candidate and a collector.
  input  logic [ISSUES-1:0]         valid_i,
  /// Per source: the candidate has it; source = group * SLOTS + slot.
  input  logic [SOURCES-1:0]        src_valid_i,
  /// Per source: its register.
  input  logic [SOURCES*REG_W-1:0]  src_i,
  /// Per source: its bank.
  input  logic [SOURCES*BANK_W-1:0] bank_i,
  /// Per source: the register's value is in a temporary register.
  input  logic [SOURCES-1:0]        blocked_i,
  /// Per source: the arbiter's answer.
  input  logic [SOURCES-1:0]        grant_i,
  /// Per source: asks to be read ahead.
  output logic [SOURCES-1:0]        ask_o,
  /// Per source: it is being read, by itself or by a lower slot of the same register.
  output logic [SOURCES-1:0]        fill_o,
  /// Per group: an operand of the candidate is being read, so it issues now.
  output logic [ISSUES-1:0]         steal_o
);

  if (ISSUES < 1 || ISSUES > 4) begin : gen_issues_range
    $error("rf_steal_reads: ISSUES must be 1 to 4");
  end
  if (SLOTS < 1 || SLOTS > 8) begin : gen_slots_range
    $error("rf_steal_reads: SLOTS must be 1 to 8");
  end
  if (REGS < 1 || REGS > 256) begin : gen_regs_range
    $error("rf_steal_reads: REGS must be 1 to 256");
  end
  if (BANKS < 1 || BANKS > 32) begin : gen_banks_range
    $error("rf_steal_reads: BANKS must be 1 to 32");
  end
  if (WHEN < 1 || WHEN > 2) begin : gen_when_range
    $error("rf_steal_reads: WHEN must be 1 or 2");
  end

  // Operands: sources without a twin, which is a source of the same register in a lower slot of the same candidate.
  logic [SOURCES-1:0] present, operand, conflict, read;

  for (genvar i = 0; i < ISSUES; i++) begin : gen_group
    assign present[i*SLOTS +: SLOTS] = src_valid_i[i*SLOTS +: SLOTS] & {SLOTS{valid_i[i]}};
    assign steal_o[i]                = read[i*SLOTS +: SLOTS] != '0;

    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      logic [SLOTS-1:0] same;
      for (genvar t = 0; t < SLOTS; t++) begin : gen_twin
        assign same[t] = t < s && src_i[(i*SLOTS+t)*REG_W +: REG_W] == src_i[(i*SLOTS+s)*REG_W +: REG_W];
      end
      assign operand[i*SLOTS+s] = present[i*SLOTS+s] && (same & present[i*SLOTS +: SLOTS]) == '0;
      assign fill_o[i*SLOTS+s]  = read[i*SLOTS+s] || (present[i*SLOTS+s] && (same & read[i*SLOTS +: SLOTS]) != '0);
    end
  end

  // Bit k of every source's bank number: which operands share a source's bank is then a few operations on whole vectors.
  logic [SOURCES-1:0] bank_bit [0:BANK_W-1];

  for (genvar k = 0; k < BANK_W; k++) begin : gen_bank_bit
    logic [SOURCES-1:0] column;
    for (genvar n = 0; n < SOURCES; n++) begin : gen_source
      assign column[n] = bank_i[n*BANK_W+k];
    end
    assign bank_bit[k] = column;
  end

  for (genvar n = 0; n < SOURCES; n++) begin : gen_conflict
    localparam logic [SOURCES-1:0] ITSELF = {{(SOURCES-1){1'b0}}, 1'b1} << n;
    logic [SOURCES-1:0] there;
    always_comb begin
      there = operand & ~ITSELF;
      for (int k = 0; k < BANK_W; k++) there = there & ~(bank_bit[k] ^ {SOURCES{bank_i[n*BANK_W+k]}});
    end
    assign conflict[n] = there != '0;
  end

  assign ask_o = operand & ~blocked_i & (conflict | {SOURCES{WHEN == 2}});
  assign read  = ask_o & grant_i;

endmodule

`default_nettype wire
