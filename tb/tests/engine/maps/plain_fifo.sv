// SPDX-License-Identifier: Apache-2.0
// fifo.sv as Yosys reads it too: a struct in a port, the falling edge, both pointers in one array, the level in two registers, of
// which one is inverted.
package plain_pkg;
  typedef struct packed { logic put; logic get; } ask_t;
endpackage

module plain_queue #(parameter int LOG = 2, parameter int LAST = 3) (
  input  logic clk, input logic rst, input logic scan,
  input  plain_pkg::ask_t ask,
  output logic room, output logic some, output logic full,
  output logic store,
  output logic [2*LOG-1:0] places, // the tail's, then the head's
  output logic [LOG:0] held
);
  logic [LOG-1:0] place [0:1]; // the head's, the tail's
  logic [LOG-1:0] free_low;
  logic held_top;
  logic [4:0] debug; // nobody's
  assign held = {held_top, ~free_low};
  assign places = {place[1], place[0]};
  assign room  = held != (LOG+1)'(LAST + 1);
  assign full  = !room;
  assign some  = held != 0;
  assign store = ask.put && room;
  wire leave = ask.get && some;
  wire [LOG:0] next = held + {{LOG{1'b0}}, store} - {{LOG{1'b0}}, leave};
  always_ff @(negedge clk or posedge rst)
    if (rst) begin
      place[0] <= '0;
      place[1] <= '0;
      held_top <= '0;
      free_low <= '1;
      debug <= '0;
    end else begin
      if (store) place[1] <= place[1] == LOG'(LAST) ? '0 : place[1] + 1'b1;
      if (leave) place[0] <= place[0] == LOG'(LAST) ? '0 : place[0] + 1'b1;
      held_top <= next[LOG] ^ scan;
      free_low <= ~next[LOG-1:0];
      debug <= debug + 1'b1;
    end
endmodule
