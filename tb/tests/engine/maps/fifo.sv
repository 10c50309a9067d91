// SPDX-License-Identifier: Apache-2.0
// rf_fifo_ctrl in other words: structs in ports, the falling edge, both pointers in one register, the level in two.
package queue_pkg;
  typedef struct packed { logic put; logic get; } ask_t;
  typedef struct packed { logic room; logic some; logic [0:0] store; } answer_t;
endpackage

module queue import queue_pkg::*; #(parameter int LOG = 2, parameter int LAST = 3) (
  input  logic clk, input logic nrst,
  input  ask_t ask,
  output answer_t answer,
  output logic [2*LOG-1:0] places, // the tail's, then the head's
  output logic [LOG:0] held
);
  typedef struct packed { logic [LOG-1:0] tail; logic [LOG-1:0] head; } place_t;
  place_t place;
  logic [LOG-1:0] held_low;
  logic held_top;
  logic [4:0] debug; // nobody's
  assign held = {held_top, held_low};
  assign places = place;
  assign answer.room  = held != (LOG+1)'(LAST + 1);
  assign answer.some  = held != 0;
  assign answer.store = ask.put && answer.room;
  wire leave = ask.get && answer.some;
  always_ff @(negedge clk or negedge nrst)
    if (!nrst) begin
      place <= '0;
      {held_top, held_low} <= '0;
      debug <= '0;
    end else begin
      if (answer.store) place.tail <= place.tail == LOG'(LAST) ? '0 : place.tail + 1'b1;
      if (leave) place.head <= place.head == LOG'(LAST) ? '0 : place.head + 1'b1;
      {held_top, held_low} <= held + (LOG+1)'(answer.store) - (LOG+1)'(leave);
      debug <= debug + 1'b1;
    end
endmodule
