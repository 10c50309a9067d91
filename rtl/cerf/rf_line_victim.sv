// SPDX-License-Identifier: Apache-2.0
// Replacement in one set of the integrated memory: which way gives its entry to a newcomer, a register or cache data.
//
// Latency:  none; combinational, no clock.
// Order:    the lowest inactive way; else the oldest of those that the policy allows, of equal ages the lowest.
// Policy:   fair: all ways. Registers first: those with cache data. Cache data first: those with registers; cache data that finds
//           none takes the oldest of all ways, a register none.
// None:     valid_o and way_o are 0.
// Source:   [CERF III-D-1].
`default_nettype none

module rf_line_victim #(
  /// Ways, 1 to 8.
  parameter int unsigned WAYS = 4,
  /// 0: fair, 1: registers first, 2: cache data first.
  parameter int unsigned POLICY = 0,
  localparam int unsigned AGE_W = rf_pkg::index_bits(WAYS)
) (
  /// Per way: the state of its entry.
  input  logic [WAYS*2-1:0]     state_i,
  /// Per way: its age, 0 the youngest.
  input  logic [WAYS*AGE_W-1:0] age_i,
  /// The newcomer is cache data, not a register.
  input  logic                  cache_i,
  /// There is a way for it;
  output logic                  valid_o,
  /// that way, 0 when none.
  output logic [AGE_W-1:0]      way_o
);

  if (WAYS < 1 || WAYS > 8 || POLICY > 2) begin : gen_range
    $error("rf_line_victim: WAYS 1 to 8, POLICY 0 to 2");
  end

  logic [WAYS-1:0] inactive, registers, allowed, oldest, choice;

  for (genvar w = 0; w < WAYS; w++) begin : gen_way
    assign inactive[w]  = state_i[w*2 +: 2] == rf_cerf_pkg::LINE_INACTIVE;
    assign registers[w] = state_i[w*2 +: 2] == rf_cerf_pkg::LINE_REG;
  end

  // Of a set without an inactive entry.
  if (POLICY == rf_cerf_pkg::POLICY_REGISTERS) begin : gen_registers
    assign allowed = ~registers;
  end else if (POLICY == rf_cerf_pkg::POLICY_CACHE) begin : gen_cache
    assign allowed = registers | {WAYS{cache_i && registers == '0}};
  end else begin : gen_fair
    assign allowed = {WAYS{1'b1}};
  end

  // Each way against each other: it must be allowed, and no other that is may be older, or as old and lower.
  for (genvar w = 0; w < WAYS; w++) begin : gen_oldest
    logic [WAYS-1:0] beats; // per way: it gives its entry rather than this one
    for (genvar v = 0; v < WAYS; v++) begin : gen_other
      if (v < w) begin : gen_lower
        assign beats[v] = allowed[v] && age_i[v*AGE_W +: AGE_W] >= age_i[w*AGE_W +: AGE_W];
      end else begin : gen_higher
        assign beats[v] = allowed[v] && age_i[v*AGE_W +: AGE_W] > age_i[w*AGE_W +: AGE_W];
      end
    end
    assign oldest[w] = allowed[w] && beats == '0;
  end

  assign choice  = (inactive != '0) ? `RF_LOWEST(inactive) : oldest;
  assign valid_o = choice != '0;
  for (genvar k = 0; k < AGE_W; k++) begin : gen_number
    assign way_o[k] = |(choice & rf_pkg::NUMBERS[k*64 +: WAYS]);
  end

endmodule

`default_nettype wire
