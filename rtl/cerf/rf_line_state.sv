// SPDX-License-Identifier: Apache-2.0
// State of an entry of the integrated memory: from the state and what happens to it the next state, and whether its content
// would be lost if it were replaced. ENTRIES of them, each on its own.
//
// Latency:  none; combinational, no clock.
// Dead bit: it concerns registers; cache data stays.
// Store:    one that misses allocates nothing; to a register it changes nothing (there is no such hit).
// Spill:    by the state, whatever happens: a register, and cache data that was written.
// Source:   [CERF III-D-2, Fig. 6].
`default_nettype none

module rf_line_state #(
  /// Entries looked at in parallel, 1 to 8.
  parameter int unsigned ENTRIES = 4
) (
  /// Per entry: its state.
  input  logic [ENTRIES*2-1:0] state_i,
  /// Per entry: what happens to it.
  input  logic [ENTRIES*3-1:0] event_i,
  /// Per entry: its next state.
  output logic [ENTRIES*2-1:0] next_o,
  /// Per entry: L2 has no copy of its content, or an older one.
  output logic [ENTRIES-1:0]   spill_o
);

  if (ENTRIES < 1 || ENTRIES > 8) begin : gen_entries_range
    $error("rf_line_state: ENTRIES must be 1 to 8");
  end

  for (genvar e = 0; e < ENTRIES; e++) begin : gen_entry
    logic [1:0] state, next;
    logic [2:0] happens;

    assign state   = state_i[e*2 +: 2];
    assign happens = event_i[e*3 +: 3];

    always_comb begin
      case (happens)
        rf_cerf_pkg::LINE_WRITE_REG:  next = rf_cerf_pkg::LINE_REG;
        rf_cerf_pkg::LINE_DIE:        next = (state == rf_cerf_pkg::LINE_REG) ? rf_cerf_pkg::LINE_INACTIVE : state;
        rf_cerf_pkg::LINE_FILL_REG:   next = rf_cerf_pkg::LINE_REG;
        rf_cerf_pkg::LINE_FILL_CACHE: next = rf_cerf_pkg::LINE_CACHE;
        rf_cerf_pkg::LINE_STORE:      next = (state == rf_cerf_pkg::LINE_CACHE) ? rf_cerf_pkg::LINE_DIRTY : state;
        rf_cerf_pkg::LINE_DROP:       next = rf_cerf_pkg::LINE_INACTIVE;
        default:                      next = state;
      endcase
    end

    assign next_o[e*2 +: 2] = next;
    assign spill_o[e]       = state == rf_cerf_pkg::LINE_REG || state == rf_cerf_pkg::LINE_DIRTY;
  end

endmodule

`default_nettype wire
