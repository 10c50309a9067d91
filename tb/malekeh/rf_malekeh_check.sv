// SPDX-License-Identifier: Apache-2.0
// What must hold in every cycle of rf_malekeh, as assertions, bound to it (`lockstep run rf_malekeh --assert`). The C environment
// checks the same on the model.
//
// Copies: a valid entry of a cache table that waits for no fill equals its register in the banks [Malekeh 4.2], if that exists. The
//         surroundings write no register that does not exist and has its place among another warp's.
// Owners: no warp owns two CCUs.
`default_nettype none

module rf_malekeh_check #(
  /// Caching collector units, 1 to 16.
  parameter int unsigned COLLECTORS = 8,
  /// Entries of a cache table, 2 to 8.
  parameter int unsigned ENTRIES = 8,
  /// Source slots, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Register banks, 1 to 32.
  parameter int unsigned BANKS = 16,
  /// Registers of a warp, 1 to 256.
  parameter int unsigned REGS = 32,
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 32,
  localparam int unsigned ROWS_PER_WARP = rf_banked_pkg::rows_per_warp(REGS, BANKS),
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned ROW_W = rf_pkg::index_bits(WARPS * ROWS_PER_WARP)
) (
  input logic                         clk_i,
  input logic                         rst_ni,
  /// Per CCU: a warp owns it; which.
  input logic [COLLECTORS-1:0]        owned_i,
  input logic [COLLECTORS*WARP_W-1:0] warp_i
);

  logic [COLLECTORS-1:0]         twice;
  logic [COLLECTORS*ENTRIES-1:0] older;

  for (genvar c = 0; c < COLLECTORS; c++) begin : gen_owner
    logic [COLLECTORS-1:0] same;
    for (genvar d = 0; d < COLLECTORS; d++) begin : gen_other
      assign same[d] = c != d && owned_i[c] && owned_i[d] && warp_i[c*WARP_W +: WARP_W] == warp_i[d*WARP_W +: WARP_W];
    end
    assign twice[c] = same != '0;
  end

  for (genvar c = 0; c < COLLECTORS; c++) begin : gen_ccu
    logic [5:0] warp;
    assign warp = 6'(warp_i[c*WARP_W +: WARP_W]);
    for (genvar e = 0; e < ENTRIES; e++) begin : gen_entry
      logic [7:0]       tag;
      logic [8:0]       bank;
      logic [ROW_W-1:0] row;
      logic [SLOTS-1:0] waits;
      logic [BANKS-1:0] differs;
      assign tag  = 8'(rf_malekeh.gen_ccu[c].u_ccu.ct_tag_q[e]);
      assign bank = rf_banked_pkg::map_bank(warp, tag, 6'(BANKS));
      assign row  = ROW_W'(rf_banked_pkg::map_row(warp, tag, 6'(BANKS), 9'(ROWS_PER_WARP)));
      for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
        assign waits[s] = rf_malekeh.gen_ccu[c].u_ccu.oct_valid_q[s] && !rf_malekeh.gen_ccu[c].u_ccu.oct_ready_q[s] &&
                          32'(rf_malekeh.gen_ccu[c].u_ccu.oct_index_q[s]) == e;
      end
      for (genvar b = 0; b < BANKS; b++) begin : gen_bank
        assign differs[b] = 32'(bank) == b &&
                            rf_malekeh.u_banks.gen_bank[b].u_bank.mem_q[row] != rf_malekeh.gen_ccu[c].u_ccu.ct_data_q[e];
      end
      assign older[c*ENTRIES + e] = rf_malekeh.gen_ccu[c].u_ccu.ct_valid_q[e] && waits == '0 && 32'(tag) < REGS && differs != '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      copies: assert (older == '0);
      owners: assert (twice == '0);
    end
  end

endmodule

bind rf_malekeh rf_malekeh_check #(
  .COLLECTORS(COLLECTORS), .ENTRIES(ENTRIES), .SLOTS(SLOTS), .BANKS(BANKS), .REGS(REGS), .WARPS(WARPS)
) u_check (.clk_i(clk_i), .rst_ni(rst_ni), .owned_i(owned), .warp_i(ccu_warp));

`default_nettype wire
