// SPDX-License-Identifier: Apache-2.0
// What must hold in every cycle of rf_cerf's memory, as assertions, bound to it (`lockstep run rf_cerf --assert`). The C
// environment checks the same on the model, and that an entry's state is of its kind, which illegal inputs break.
//
// one_entry:  no two entries of the set that is looked up have one tag.
// one_mshr:   no two MSHRs of a bank have one line.
// on_its_way: what an MSHR waits for has no entry.
// kept:       dirty data that is replaced, flushed or dropped for an atomic goes to L2.
`default_nettype none

module rf_cerf_check #(
  /// Banks of registers and of lines, a power of two, 1 to 8.
  parameter int unsigned BANKS = 4,
  /// Sets of the memory: a power of two, BANKS to 256 x BANKS.
  parameter int unsigned SETS = 256,
  /// Ways, 1 to 8.
  parameter int unsigned WAYS = 4,
  /// MSHRs of a bank, 2 to 16.
  parameter int unsigned MSHRS = 8,
  // Of a bank's line: its tag.
  localparam int unsigned TAG_W = rf_cerf_pkg::LINE_W - $clog2(SETS)
) (
  input logic clk_i,
  input logic rst_ni
);

  logic [BANKS*WAYS-1:0]  double;
  logic [BANKS*MSHRS-1:0] twice;
  logic [BANKS-1:0]       early, lost;

  for (genvar b = 0; b < BANKS; b++) begin : gen_bank
    logic [WAYS*2-1:0]     states;
    logic [WAYS*TAG_W-1:0] tags;
    logic [MSHRS-1:0]      busy;
    logic [1:0]            state;
    logic [2:0]            op;
    logic                  tagging, found, dirty, drop;

    assign states  = rf_cerf.u_memory.gen_bank[b].u_bank.u_tags.states;
    assign tags    = rf_cerf.u_memory.gen_bank[b].u_bank.u_tags.tags;
    assign busy    = rf_cerf.u_memory.gen_bank[b].u_bank.u_mshr.busy_q;
    assign state   = rf_cerf.u_memory.gen_bank[b].u_bank.state;
    assign op      = rf_cerf.u_memory.gen_bank[b].u_bank.req_op_i;
    assign tagging = rf_cerf.u_memory.gen_bank[b].u_bank.tagging && op <= rf_cerf_pkg::CACHE_ATOMIC;
    assign found   = tagging && rf_cerf.u_memory.gen_bank[b].u_bank.found;
    assign dirty   = state == rf_cerf_pkg::LINE_DIRTY;
    assign drop    = rf_cerf.u_memory.gen_bank[b].u_bank.drop;

    for (genvar w = 0; w < WAYS; w++) begin : gen_way
      logic [WAYS-1:0] same;
      for (genvar v = 0; v < WAYS; v++) begin : gen_other
        assign same[v] = v != w && states[w*2 +: 2] != rf_cerf_pkg::LINE_INACTIVE &&
                         states[v*2 +: 2] != rf_cerf_pkg::LINE_INACTIVE && tags[w*TAG_W +: TAG_W] == tags[v*TAG_W +: TAG_W];
      end
      assign double[b*WAYS + w] = same != '0;
    end
    for (genvar e = 0; e < MSHRS; e++) begin : gen_mshr
      logic [MSHRS-1:0] same;
      for (genvar f = 0; f < MSHRS; f++) begin : gen_other
        assign same[f] = f != e && busy[e] && busy[f] && rf_cerf.u_memory.gen_bank[b].u_bank.u_mshr.line_q[e] ==
                                                         rf_cerf.u_memory.gen_bank[b].u_bank.u_mshr.line_q[f];
      end
      assign twice[b*MSHRS + e] = same != '0;
    end

    assign early[b]   = found && rf_cerf.u_memory.gen_bank[b].u_bank.on_way;
    assign lost[b]    = dirty && !rf_cerf.u_memory.gen_bank[b].u_bank.back &&
                        (drop || (rf_cerf.u_memory.gen_bank[b].u_bank.takes && !rf_cerf.u_memory.gen_bank[b].u_bank.found));
  end

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      one_entry: assert (double == '0);
      one_mshr: assert (twice == '0);
      on_its_way: assert (early == '0);
      kept: assert (lost == '0);
    end
  end

endmodule

bind rf_cerf rf_cerf_check #(.BANKS(BANKS), .SETS(SETS), .WAYS(WAYS), .MSHRS(MSHRS)) u_check (.clk_i(clk_i), .rst_ni(rst_ni));

`default_nettype wire
