// SPDX-License-Identifier: Apache-2.0
// A FIFO of structs: packed array of structs for storage, active-high synchronous reset, no endings on names, an interface that a
// wrapper (stream_fifo) flattens.
package stream_pkg;
  typedef struct packed {
    logic       last;
    logic [3:0] dest;
    logic [7:0] data;
  } beat_t;
endpackage

interface stream_if (input logic clk);
  stream_pkg::beat_t beat;
  logic valid, ready;
  modport source (output beat, valid, input ready);
  modport sink (input beat, valid, output ready);
endinterface

module stream_fifo_core #(parameter int DEPTH = 4) (
  input logic clk,
  input logic reset,
  stream_if.sink   up,
  stream_if.source down
);
  import stream_pkg::*;
  localparam int AW = $clog2(DEPTH);

  beat_t [DEPTH-1:0] store;
  logic [AW-1:0] wptr, rptr;
  logic [AW:0]   used;

  wire put = up.valid && up.ready, get = down.valid && down.ready;

  assign up.ready   = used != (AW+1)'(DEPTH);
  assign down.valid = used != '0;
  assign down.beat  = store[rptr];

  always_ff @(posedge clk)
    if (reset) begin
      store <= '0;
      wptr  <= '0;
      rptr  <= '0;
      used  <= '0;
    end else begin
      if (put) store[wptr] <= up.beat;
      if (put) wptr <= wptr == AW'(DEPTH - 1) ? '0 : wptr + 1'b1;
      if (get) rptr <= rptr == AW'(DEPTH - 1) ? '0 : rptr + 1'b1;
      used <= used + (AW+1)'(put) - (AW+1)'(get);
    end
endmodule

module stream_fifo #(parameter int DEPTH = 4) (
  input  logic       clk, reset,
  input  logic       s_valid,
  input  logic [12:0] s_beat,
  output logic       s_ready,
  output logic       m_valid,
  output logic [12:0] m_beat,
  input  logic       m_ready
);
  stream_if up (clk);
  stream_if down (clk);
  assign up.valid   = s_valid;
  assign up.beat    = s_beat;
  assign s_ready    = up.ready;
  assign m_valid    = down.valid;
  assign m_beat     = down.beat;
  assign down.ready = m_ready;
  stream_fifo_core #(.DEPTH(DEPTH)) core (.clk, .reset, .up(up.sink), .down(down.source));
endmodule
