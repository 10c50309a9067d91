// SPDX-License-Identifier: Apache-2.0
// Where a source is and where a result goes, in the group hierarchy; the C twins are in rf_levels.h and rf_levels_parts.h.
`default_nettype none

package rf_hierarchy_pkg;

  /// Bits of a name: 0 to 7 an entry of the L1, 8 to 15 a bank of the L0.
  localparam int unsigned NAME_W = 4;
  /// Names.
  localparam int unsigned NAMES = 16;

  /// Bits of the place of a source, or of a result at its issue: the name, and above it:
  localparam int unsigned PLACE_W = 6;
  /// It is in the upper levels.
  localparam int unsigned UPPER = 4;
  /// Of a source: it is in the MRF, to be kept under the name.
  localparam int unsigned KEEP = 5;
  /// Of a result: it goes to the MRF, too.
  localparam int unsigned MRF = 5;

  /// Bits of a result's note: its place, and above it:
  localparam int unsigned NOTE_W = 7;
  /// A shared unit made it.
  localparam int unsigned SHARED = 6;

  /// The source that is kept, one hot: the lowest that says so; source s at bit s, its place at [s*PLACE_W +: PLACE_W].
  function automatic logic [7:0] kept(input logic [7:0] valid, input logic [8*PLACE_W-1:0] from);
    kept = '0;
    for (int s = 7; s >= 0; s--) begin
      if (valid[s] && from[s*PLACE_W + KEEP] && !from[s*PLACE_W + UPPER]) kept = 8'd1 << s;
    end
  endfunction

  /// The name of the source in `sel`, one hot.
  function automatic logic [NAME_W-1:0] name_of(input logic [7:0] sel, input logic [8*PLACE_W-1:0] from);
    name_of = '0;
    for (int s = 0; s < 8; s++) if (sel[s]) name_of = from[s*PLACE_W +: NAME_W];
  endfunction

  /// What an instruction names.
  function automatic logic [NAMES-1:0] names(input logic [7:0] valid, input logic [8*PLACE_W-1:0] from, input logic dst_valid,
                                             input logic [PLACE_W-1:0] to);
    names = '0;
    for (int s = 0; s < 8; s++) begin
      if (valid[s] && (from[s*PLACE_W + UPPER] || from[s*PLACE_W + KEEP])) names[from[s*PLACE_W +: NAME_W]] = 1'b1;
    end
    if (dst_valid && to[UPPER]) names[to[NAME_W-1:0]] = 1'b1;
  endfunction

endpackage

`default_nettype wire
