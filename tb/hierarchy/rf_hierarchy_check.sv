// SPDX-License-Identifier: Apache-2.0
// What must hold in every cycle of rf_hierarchy, as assertions, bound to it (`lockstep run rf_hierarchy --assert`). The C environment
// checks the same on the model.
//
// Slots:   no warp has two; the file of a free one is empty.
// Entries: by hardware a register has one entry in its warp's file.
`default_nettype none

module rf_hierarchy_check #(
  /// Levels of the register file, 1 to 3.
  parameter int unsigned LEVELS = 2,
  /// Upper levels. 0: by hardware, 1: by software.
  parameter int unsigned MANAGED = 0,
  /// Warps that are active at most, 1 to 32.
  parameter int unsigned ACTIVE = 4,
  /// Entries of the L1, 1 to 8.
  parameter int unsigned ENTRIES = 3,
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS)
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  /// Per slot: it has a warp; which; its file is not empty (software: a name is pending).
  input logic [ACTIVE-1:0]        held_i,
  input logic [ACTIVE*WARP_W-1:0] warp_i,
  input logic [ACTIVE-1:0]        hold_i
);

  logic [ACTIVE-1:0] twice;

  for (genvar a = 0; a < ACTIVE; a++) begin : gen_slot
    logic [ACTIVE-1:0] same;
    for (genvar b = 0; b < ACTIVE; b++) begin : gen_other
      assign same[b] = a != b && held_i[a] && held_i[b] && warp_i[a*WARP_W +: WARP_W] == warp_i[b*WARP_W +: WARP_W];
    end
    assign twice[a] = same != '0;
  end


  logic [ACTIVE*ENTRIES-1:0] double;

  if (LEVELS > 1 && MANAGED == 0) begin : gen_hardware
    for (genvar a = 0; a < ACTIVE; a++) begin : gen_file
      for (genvar e = 0; e < ENTRIES; e++) begin : gen_entry
        logic [ENTRIES-1:0] same;
        for (genvar f = 0; f < ENTRIES; f++) begin : gen_other
          assign same[f] = e != f && rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.valid_q[e] &&
                           rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.valid_q[f] &&
                           rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.reg_q[e] ==
                           rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.reg_q[f];
        end
        assign double[a*ENTRIES + e] = same != '0 || (rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.l0_valid_q &&
          rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.valid_q[e] &&
          rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.l0_reg_q ==
          rf_hierarchy.gen_levels.u_levels.gen_slot[a].gen_rfc.u_rfc.reg_q[e]);
      end
    end
  end else begin : gen_other
    assign double = '0;
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      slots: assert (twice == '0);
      free: assert ((hold_i & ~held_i) == '0);
      entries: assert (double == '0);
    end
  end

endmodule

bind rf_hierarchy rf_hierarchy_check #(.LEVELS(LEVELS), .MANAGED(MANAGED), .ACTIVE(ACTIVE), .ENTRIES(ENTRIES), .WARPS(WARPS)) u_check (
  .clk_i (clk_i),
  .rst_ni(rst_ni),
  .held_i(held),
  .warp_i(slot_warp),
  .hold_i(hold)
);

`default_nettype wire
