// SPDX-License-Identifier: Apache-2.0
// Adaptive STHLD [Malekeh 7]: at the end of every interval the instructions issued are compared with those of the interval
// before, and a state machine walks STHLD along the curve of IPC over STHLD towards its knee. Our reconstruction of Fig. 4.
//
// Interval:  INTERVAL cycles; the instructions of its last cycle belong to it. At that cycle's edge STHLD changes.
// Change:    large when |now - before| / before is above LARGE / 256, or when before is 0 and now is not; else small.
// Range:     STHLD stays within 0 and 255. More than ISSUES instructions in a cycle count as they are.
// Reset:     state 1, STHLD = FIRST, nothing counted.
`default_nettype none

module rf_sthld #(
  /// Instructions issued in a cycle, at most: 1 to 4.
  parameter int unsigned ISSUES = 2,
  /// Cycles of an interval, 2 to 65535.
  parameter int unsigned INTERVAL = 10000,
  /// A change of IPC above LARGE / 256 of the interval before is large, 1 to 255.
  parameter int unsigned LARGE = 13,
  /// STHLD after reset, 0 to 255.
  parameter int unsigned FIRST = 0,
  /// Steps of STHLD, 0 to 255: while IPC stays flat, ...
  parameter int unsigned CLIMB = 4,
  /// ... up on a large change, a bet on a wider flat region, ...
  parameter int unsigned SPECULATE = 8,
  /// ... down when the bet was harmful, ...
  parameter int unsigned BACK = 12,
  /// ... up, to see whether it is flat there, ...
  parameter int unsigned PROBE = 4,
  /// ... and down again when it is not.
  parameter int unsigned UNDO = 8,
  localparam int unsigned ISSUED_W = $clog2(ISSUES + 1),
  localparam int unsigned CYCLE_W = rf_pkg::index_bits(INTERVAL),
  localparam int unsigned COUNT_W = $clog2(INTERVAL * 7 + 1)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  /// Instructions issued in this cycle.
  input  logic [ISSUED_W-1:0] issued_i,
  /// The CCU allocator waits one cycle more at most.
  output logic [7:0]          sthld_o
);

  if (ISSUES < 1 || ISSUES > 4 || INTERVAL < 2 || INTERVAL > 65535 || LARGE < 1 || LARGE > 255) begin : gen_range
    $error("rf_sthld: ISSUES must be 1 to 4, INTERVAL 2 to 65535, LARGE 1 to 255");
  end
  if (FIRST > 255 || CLIMB > 255 || SPECULATE > 255 || BACK > 255 || PROBE > 255 || UNDO > 255) begin : gen_delta_range
    $error("rf_sthld: FIRST, CLIMB, SPECULATE, BACK, PROBE and UNDO must be 0 to 255");
  end

  localparam logic [2:0] ST_START = 3'd1;
  localparam logic [2:0] ST_CLIMB = 3'd2;
  localparam logic [2:0] ST_SPECULATE = 3'd3;
  localparam logic [2:0] ST_BACK = 3'd4;
  localparam logic [2:0] ST_PROBE = 3'd5;
  localparam logic [2:0] ST_REST = 3'd6;
  // Small and large changes.
  localparam logic S = 1'b0;
  localparam logic L = 1'b1;

  logic [2:0]         state_q, state_d;
  logic [7:0]         sthld_q, sthld_d;
  logic [CYCLE_W-1:0] cycle_q;
  logic [COUNT_W-1:0] count_q, prev_q;

  logic               last, change;
  logic [COUNT_W-1:0] now, difference;
  logic [9:0]         delta, sum; // two's complement

  assign last       = cycle_q == CYCLE_W'(INTERVAL - 1);
  assign now        = count_q + COUNT_W'(issued_i);
  assign difference = (now > prev_q) ? now - prev_q : prev_q - now;
  assign change     = ({difference, 8'b0} > (COUNT_W+8)'(prev_q) * (COUNT_W+8)'(LARGE)) ? L : S;

  // The table of edges.
  always_comb begin
    case ({state_q, change})
      {ST_START, S}, {ST_START, L}: {state_d, delta} = {ST_CLIMB, 10'(CLIMB)};
      {ST_CLIMB, S}:                {state_d, delta} = {ST_CLIMB, 10'(CLIMB)};
      {ST_CLIMB, L}:                {state_d, delta} = {ST_SPECULATE, 10'(SPECULATE)};
      {ST_SPECULATE, S}:            {state_d, delta} = {ST_CLIMB, 10'(CLIMB)};
      {ST_SPECULATE, L}:            {state_d, delta} = {ST_BACK, 10'(-BACK)};
      {ST_BACK, S}, {ST_BACK, L}:   {state_d, delta} = (sthld_q == 8'd0) ? {ST_REST, 10'd0} : {ST_PROBE, 10'(PROBE)};
      {ST_PROBE, S}:                {state_d, delta} = {ST_REST, 10'd0};
      {ST_PROBE, L}:                {state_d, delta} = {ST_BACK, 10'(-UNDO)};
      {ST_REST, L}:                 {state_d, delta} = {ST_SPECULATE, 10'(SPECULATE)};
      default:                      {state_d, delta} = {ST_REST, 10'd0};
    endcase
  end

  // Kept within 0 and 255.
  assign sum     = {2'b0, sthld_q} + delta;
  assign sthld_d = sum[9] ? 8'd0 : sum[8] ? 8'd255 : sum[7:0];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      state_q <= ST_START;
      sthld_q <= 8'(FIRST);
      cycle_q <= '0;
      count_q <= '0;
      prev_q  <= '0;
    end else if (last) begin
      state_q <= state_d;
      sthld_q <= sthld_d;
      cycle_q <= '0;
      count_q <= '0;
      prev_q  <= now;
    end else begin
      cycle_q <= cycle_q + 1'b1;
      count_q <= now;
    end
  end

  assign sthld_o = sthld_q;

endmodule

`default_nettype wire
