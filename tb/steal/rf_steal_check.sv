// SPDX-License-Identifier: Apache-2.0
// What must hold in every cycle of rf_steal, as assertions, bound to it (`lockstep run rf_steal --assert`). The C environment checks
// the same on the model.
//
// One grant:   a single-ported bank does not read and write in one cycle.
// No loss:     from each result bus exactly one bank writes when its result is granted or a value comes back on it, else none.
// Not early:   a register whose value is in a temporary register is neither read nor written.
// Not lent:    a temporary register that keeps a value is read only for its write-back, and not written. While it must go, because it is free no
//              more, it may be read: by a warp that started in its slot since and has not written it. (The C environment says which.)
`default_nettype none

module rf_steal_check #(
  /// Register banks, 1 to 32.
  parameter int unsigned BANKS = 8,
  /// Rows of a bank, 1 to 1024.
  parameter int unsigned ROWS = 128,
  /// Result buses, 1 to 8.
  parameter int unsigned WRITERS = 3,
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS),
  localparam int unsigned ROW_W = rf_pkg::index_bits(ROWS),
  localparam int unsigned BUS_W = rf_pkg::index_bits(WRITERS)
) (
  input logic                    clk_i,
  input logic                    rst_ni,
  /// Per bank: what it does.
  input logic [BANKS-1:0]        bank_re_i,
  input logic [BANKS*ROW_W-1:0]  bank_raddr_i,
  input logic [BANKS-1:0]        bank_we_i,
  input logic [BANKS*ROW_W-1:0]  bank_waddr_i,
  input logic [BANKS*BUS_W-1:0]  bank_wsel_i,
  /// Results written.
  input logic [WRITERS-1:0]      wr_grant_i,
  /// Per bank: a stolen write goes to it; its temporary register is read for its write-back.
  input logic [BANKS-1:0]        link_i,
  input logic [BANKS-1:0]        recall_i,
  /// A value comes back, on this bus.
  input logic                    ret_valid_i,
  input logic [BUS_W-1:0]        ret_bus_i,
  /// Per bank: its temporary register keeps a value, and is free no more; its row; the register whose value it is.
  input logic [BANKS-1:0]        linked_i,
  input logic [BANKS-1:0]        leaving_i,
  input logic [BANKS*ROW_W-1:0]  rfree_row_i,
  input logic [BANKS*BANK_W-1:0] dest_bank_i,
  input logic [BANKS*ROW_W-1:0]  dest_row_i
);

  logic [BANKS-1:0]   lent, early;
  logic [WRITERS-1:0] wrong;

  for (genvar w = 0; w < WRITERS; w++) begin : gen_bus
    logic [BANKS-1:0] from;
    logic             due;
    for (genvar b = 0; b < BANKS; b++) begin : gen_from
      assign from[b] = bank_we_i[b] && 32'(bank_wsel_i[b*BUS_W +: BUS_W]) == w;
    end
    assign due      = wr_grant_i[w] || (ret_valid_i && 32'(ret_bus_i) == w);
    assign wrong[w] = $countones(from) != 32'(due) || (wr_grant_i[w] && ret_valid_i && 32'(ret_bus_i) == w);
  end

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic [ROW_W-1:0] rfree;
    logic [BANKS-1:0] read, written;
    assign rfree = rfree_row_i[b*ROW_W +: ROW_W];
    for (genvar t = 0; t < BANKS; t++) begin : gen_dest
      logic here;
      assign here       = linked_i[t] && 32'(dest_bank_i[t*BANK_W +: BANK_W]) == b;
      assign read[t]    = here && dest_row_i[t*ROW_W +: ROW_W] == bank_raddr_i[b*ROW_W +: ROW_W];
      assign written[t] = here && dest_row_i[t*ROW_W +: ROW_W] == bank_waddr_i[b*ROW_W +: ROW_W];
    end
    assign early[b] = (bank_re_i[b] && read != '0) || (bank_we_i[b] && written != '0);
    assign lent[b]  = linked_i[b] && ((bank_re_i[b] && bank_raddr_i[b*ROW_W +: ROW_W] == rfree && !recall_i[b] && !leaving_i[b]) ||
                                      (bank_we_i[b] && bank_waddr_i[b*ROW_W +: ROW_W] == rfree));
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      one_grant: assert ((bank_re_i & bank_we_i) == '0);
      no_loss:   assert (wrong == '0);
      not_early: assert (early == '0);
      not_lent:  assert (lent == '0);
      one_back:  assert ($countones(recall_i) <= 1 && (recall_i & ~linked_i) == '0 && (link_i & linked_i) == '0);
    end
  end

endmodule

bind rf_steal rf_steal_check #(.BANKS(BANKS), .ROWS(ROWS), .WRITERS(EXPORTS)) u_check (
  .clk_i(clk_i), .rst_ni(rst_ni),
  .bank_re_i(bank_re), .bank_raddr_i(bank_raddr), .bank_we_i(bank_we), .bank_waddr_i(bank_waddr), .bank_wsel_i(bank_wsel),
  .wr_grant_i(wr_grant), .link_i(link), .recall_i(recall), .ret_valid_i(ret_valid), .ret_bus_i(ret_bus),
  .linked_i(linked), .leaving_i(~u_table.f_q), .rfree_row_i(rfree_row), .dest_bank_i(dest_bank), .dest_row_i(dest_row)
);

`default_nettype wire
