// SPDX-License-Identifier: Apache-2.0
// What the group cerf shares: states, events, operations and policies of a memory that holds registers and lines of
// the L1D [CERF III]; the C twins are in rf_cerf_types.h.
`default_nettype none

package rf_cerf_pkg;

  /// State of an entry [CERF III-D-2, Fig. 6]: vacant,
  localparam logic [1:0] LINE_INACTIVE = 2'd0;
  /// a register,
  localparam logic [1:0] LINE_REG = 2'd1;
  /// data of a cache line, as L2 has it,
  localparam logic [1:0] LINE_CACHE = 2'd2;
  /// data of a cache line that was written.
  localparam logic [1:0] LINE_DIRTY = 2'd3;

  /// What happens to an entry: nothing (7 is as this),
  localparam logic [2:0] LINE_NONE = 3'd0;
  /// a register is written,
  localparam logic [2:0] LINE_WRITE_REG = 3'd1;
  /// a register is read for the last time,
  localparam logic [2:0] LINE_DIE = 3'd2;
  /// a register comes back from L2,
  localparam logic [2:0] LINE_FILL_REG = 3'd3;
  /// a line comes from L2,
  localparam logic [2:0] LINE_FILL_CACHE = 3'd4;
  /// a store hits,
  localparam logic [2:0] LINE_STORE = 3'd5;
  /// a flush or an atomic removes it.
  localparam logic [2:0] LINE_DROP = 3'd6;

  /// Operation of a request; 6 and 7 do nothing.
  localparam logic [2:0] CACHE_READ_REG = 3'd0;
  localparam logic [2:0] CACHE_WRITE_REG = 3'd1;
  localparam logic [2:0] CACHE_LOAD = 3'd2;
  localparam logic [2:0] CACHE_STORE = 3'd3;
  localparam logic [2:0] CACHE_ATOMIC = 3'd4;
  localparam logic [2:0] CACHE_FLUSH = 3'd5;

  /// Message to L2, 3 is not used: read the line, answer with a fill;
  localparam logic [1:0] MISS_FETCH = 2'd0;
  /// write words, no answer;
  localparam logic [1:0] MISS_WRITE = 2'd1;
  /// an atomic on words, answer with a fill.
  localparam logic [1:0] MISS_ATOMIC = 2'd2;

  /// Replacement [CERF III-D-1], a parameter: LRU-fair,
  localparam int unsigned POLICY_FAIR = 0;
  /// LRU-prioritized: cache data never replaces a register,
  localparam int unsigned POLICY_REGISTERS = 1;
  /// the other extreme: a register never replaces cache data.
  localparam int unsigned POLICY_CACHE = 2;

  /// Bits of the number of a request to rf_cerf_memory: of a reader, or of the load/store unit.
  localparam int unsigned ID_W = 6;
  /// Bits of a line number in rf_cerf.
  localparam int unsigned LINE_W = 25;

endpackage

`default_nettype wire
