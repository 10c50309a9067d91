// SPDX-License-Identifier: Apache-2.0
// Free register pool: the physical registers that nobody uses ([WIR V-E, VII-E]: "a queue using a 1r1w table").
//
// Order:     registers that came back, first in, first out; then the lowest one that was never given out.
// Pop:       lane i is shown the register at place p of that order, p the lower lanes that pop; 0 when fewer are free. A pop that 
//            finds none is ignored.
// Push:      free from the next cycle on, port 0's first. Ignored when all are free, port by port; pops of the cycle make no room.
// Latency:   outputs follow the registers and the pops of lower lanes; pops and pushes act at the edge.
// Range:     a pushed number is kept as it is.
// Reset:     all are free, none was given out.
`default_nettype none

module rf_free_list #(
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// Lanes that pop, 1 to 4.
  parameter int unsigned ISSUES = 2,
  /// Registers that come back in a cycle, 1 to 4.
  parameter int unsigned PUSHES = 1,
  localparam int unsigned PREG_W  = rf_pkg::index_bits(PREGS),
  localparam int unsigned COUNT_W = $clog2(PREGS + 1)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  /// Per lane: takes a register.
  input  logic [ISSUES-1:0]        pop_i,
  /// Per port: a register comes back.
  input  logic [PUSHES-1:0]        push_i,
  /// Per port: that register.
  input  logic [PUSHES*PREG_W-1:0] push_reg_i,
  /// Free registers.
  output logic [COUNT_W-1:0]       count_o,
  /// Per lane: more are free than there are lanes below it.
  output logic [ISSUES-1:0]        ok_o,
  /// Per lane: the register it gets.
  output logic [ISSUES*PREG_W-1:0] reg_o
);

  if (PREGS < 2 || PREGS > 1024 || ISSUES < 1 || ISSUES > 4 || PUSHES < 1 || PUSHES > 4) begin : gen_range
    $error("rf_free_list: PREGS 2 to 1024, ISSUES 1 to 4, PUSHES 1 to 4");
  end

  // Sums of a place of the ring, or of a count, and up to 4.
  localparam int unsigned SUM_W = COUNT_W + 2;
  localparam logic [SUM_W-1:0] ALL = SUM_W'(PREGS);

  logic [COUNT_W-1:0] fresh_q, fresh_d, level_q, level_d;
  logic [PREG_W-1:0]  rd_ptr_q, rd_ptr_d, wr_ptr_q, wr_ptr_d;
  logic [PREG_W-1:0]  queue_q [0:PREGS-1];

  // Given out and not back; what is free; both never above PREGS.
  logic [COUNT_W-1:0] used;
  logic [SUM_W-1:0]   count;

  assign used    = fresh_q - level_q;
  assign count   = ALL - SUM_W'(used);
  assign count_o = count[COUNT_W-1:0];

  function automatic logic [PREG_W-1:0] wrap(input logic [SUM_W-1:0] place);
    wrap = (place >= ALL) ? PREG_W'(place) - PREG_W'(PREGS) : PREG_W'(place);
  endfunction

  function automatic logic [2:0] ones(input logic [3:0] x);
    ones = ({2'b0, x[0]} + {2'b0, x[1]}) + ({2'b0, x[2]} + {2'b0, x[3]});
  endfunction

  // The first places of the order; the lanes that pop below each lane choose among them.
  logic [PREG_W-1:0] place [0:3];

  for (genvar p = 0; p < 4; p++) begin : gen_place
    if (p < ISSUES) begin : gen_read
      logic [SUM_W-1:0] unqueued;
      assign unqueued = SUM_W'(used) + SUM_W'(p);
      assign place[p] = (SUM_W'(level_q) > SUM_W'(p)) ? queue_q[wrap(SUM_W'(rd_ptr_q) + SUM_W'(p))]
                      : (unqueued < ALL) ? PREG_W'(unqueued) : '0;
    end else begin : gen_none
      assign place[p] = '0;
    end
  end

  for (genvar i = 0; i < ISSUES; i++) begin : gen_lane
    logic [1:0] below;
    assign below = 2'(ones(4'(pop_i) & 4'((1 << i) - 1)));
    assign ok_o[i] = count > SUM_W'(i);
    assign reg_o[i*PREG_W +: PREG_W] = place[below];
  end

  // Registers that leave, in all and from the queue, and registers that come back.
  logic [SUM_W-1:0]   asked, popped, queued, offered, pushed;
  logic [COUNT_W-1:0] drawn, growth; // fresh ones that leave; change of the queue's level
  logic [PREG_W-1:0]  tail [0:PUSHES-1];
  logic [PUSHES-1:0]  take;

  assign asked   = SUM_W'(ones(4'(pop_i)));
  assign popped  = (asked < count) ? asked : count;
  assign queued  = (popped < SUM_W'(level_q)) ? popped : SUM_W'(level_q);
  assign offered = SUM_W'(ones(4'(push_i)));
  assign pushed  = (offered < SUM_W'(used)) ? offered : SUM_W'(used);

  for (genvar k = 0; k < PUSHES; k++) begin : gen_port
    logic [SUM_W-1:0] ahead;
    assign ahead   = SUM_W'(ones(4'(push_i) & 4'((1 << k) - 1)));
    assign take[k] = push_i[k] && ahead < SUM_W'(used);
    assign tail[k] = wrap(SUM_W'(wr_ptr_q) + ahead);
  end

  assign drawn    = COUNT_W'(popped) - COUNT_W'(queued);
  assign growth   = COUNT_W'(pushed) - COUNT_W'(queued);
  assign fresh_d  = fresh_q + drawn;
  assign level_d  = level_q + growth;
  assign rd_ptr_d = wrap(SUM_W'(rd_ptr_q) + queued);
  assign wr_ptr_d = wrap(SUM_W'(wr_ptr_q) + pushed);

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      fresh_q  <= '0;
      level_q  <= '0;
      rd_ptr_q <= '0;
      wr_ptr_q <= '0;
      // Short loops: Verilator must unroll them.
      for (int b = 0; b < PREGS && b < 512; b += 32) for (int e = 0; e < 32; e++) if (b + e < PREGS) queue_q[b+e] <= '0;
      for (int b = 512; b < PREGS; b += 32) for (int e = 0; e < 32; e++) if (b + e < PREGS) queue_q[b+e] <= '0;
    end else begin
      fresh_q  <= fresh_d;
      level_q  <= level_d;
      rd_ptr_q <= rd_ptr_d;
      wr_ptr_q <= wr_ptr_d;
      for (int k = 0; k < PUSHES; k++)
        if (take[k]) queue_q[tail[k]] <= push_reg_i[k*PREG_W +: PREG_W];
    end
  end

endmodule

`default_nettype wire
