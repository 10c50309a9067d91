// SPDX-License-Identifier: Apache-2.0
// One bit for each physical register: given out and not written yet (D-unwritten, not in the WIR paper).
//
// Latency:   waits_o is the state at the start of the cycle; set and clear act at the edge.
// Conflicts: clears act first, then sets: set wins.
// Range:     registers that do not exist are never set or cleared and never wait.
// Reset:     all are written.
`default_nettype none

module rf_unwritten #(
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// Ports of each kind, 1 to 4.
  parameter int unsigned ISSUES = 2,
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  /// Per port: a register is given out, its write comes later.
  input  logic [ISSUES-1:0]        set_i,
  /// Per port: that register.
  input  logic [ISSUES*PREG_W-1:0] set_reg_i,
  /// Per port: a register is written.
  input  logic [ISSUES-1:0]        clr_i,
  /// Per port: that register.
  input  logic [ISSUES*PREG_W-1:0] clr_reg_i,
  /// Per who asks: a register.
  input  logic [8*PREG_W-1:0]      lk_reg_i,
  /// Per who asks: it is not written yet.
  output logic [7:0]               waits_o
);

  if (PREGS < 2 || PREGS > 1024 || ISSUES < 1 || ISSUES > 4) begin : gen_range
    $error("rf_unwritten: PREGS 2 to 1024, ISSUES 1 to 4");
  end

  logic bit_q [0:PREGS-1];

  for (genvar p = 0; p < 8; p++) begin : gen_lookup
    assign waits_o[p] = {1'b0, lk_reg_i[p*PREG_W +: PREG_W]} < (PREG_W+1)'(PREGS) && bit_q[lk_reg_i[p*PREG_W +: PREG_W]];
  end

  logic [ISSUES-1:0] set, clr;
  for (genvar p = 0; p < ISSUES; p++) begin : gen_port
    assign set[p] = set_i[p] && {1'b0, set_reg_i[p*PREG_W +: PREG_W]} < (PREG_W+1)'(PREGS);
    assign clr[p] = clr_i[p] && {1'b0, clr_reg_i[p*PREG_W +: PREG_W]} < (PREG_W+1)'(PREGS);
  end

  // The later assignment wins: set beats clear.
  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      // Short loops: Verilator must unroll them.
      for (int b = 0; b < PREGS && b < 512; b += 32) for (int r = 0; r < 32; r++) if (b + r < PREGS) bit_q[b+r] <= 1'b0;
      for (int b = 512; b < PREGS; b += 32) for (int r = 0; r < 32; r++) if (b + r < PREGS) bit_q[b+r] <= 1'b0;
    end else begin
      for (int p = 0; p < ISSUES; p++)
        if (clr[p]) bit_q[clr_reg_i[p*PREG_W +: PREG_W]] <= 1'b0;
      for (int p = 0; p < ISSUES; p++)
        if (set[p]) bit_q[set_reg_i[p*PREG_W +: PREG_W]] <= 1'b1;
    end
  end

endmodule

`default_nettype wire
