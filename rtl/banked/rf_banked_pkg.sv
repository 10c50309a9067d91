// SPDX-License-Identifier: Apache-2.0
// Constants and the register mapping (D-map) of the group banked; the C twin of the mapping is rf_map.h. And the records that an
// instruction of an operand stage is on its way (C twins: rf_stage_records.h; members in field lists: rf_stage_members.h).
`default_nettype none

// The records: their bits and, in the module, their types, made of the module's TAG_W, WARP_W, REG_W, LANES; inst_t also PORT_W,
// SLOTS. A port or an entry of an array is a vector: Yosys takes no arrays of structs, and structs not in generate blocks. A bit
// that only goes along is a member of carried_t, and 1 more in `RF_BANKED_CARRIED_W.
//   carried_t  what goes with an instruction to its execution port, and is offered there
//   inst_t     an instruction as a collector takes it, beside the places of its sources
`define RF_BANKED_CARRIED_W (WARP_W + TAG_W + LANES + 1 + REG_W)
`define RF_BANKED_INST_W (`RF_BANKED_CARRIED_W + PORT_W + SLOTS + SLOTS * REG_W)

`define RF_BANKED_RECORDS \
  typedef struct packed { \
    logic [WARP_W-1:0] warp; \
    logic [TAG_W-1:0]  tag; \
    logic [LANES-1:0]  mask; \
    logic              dst_valid; \
    logic [REG_W-1:0]  dst; \
  } carried_t; \
  typedef struct packed { \
    carried_t               carried; \
    logic [PORT_W-1:0]      port; \
    logic [SLOTS-1:0]       src_valid; \
    logic [SLOTS*REG_W-1:0] src; \
  } inst_t;

package rf_banked_pkg;

  /// Bits of an instruction's tag.
  localparam int unsigned TAG_W = 16;

  /// Values of SCHED: the warp scheduler of an issue group.
  localparam int unsigned SCHED_GTO = 0;
  localparam int unsigned SCHED_LRR = 1;
  localparam int unsigned SCHED_GROUPS = 2;

  /// Rows that one warp's registers take in each bank.
  function automatic int unsigned rows_per_warp(input int unsigned regs, input int unsigned banks);
    rows_per_warp = (regs + banks - 1) / banks;
  endfunction

  /// Bank of a register of a warp, in the low bits.
  function automatic logic [8:0] map_bank(input logic [5:0] warp, input logic [7:0] register, input logic [5:0] banks);
    map_bank = ({1'b0, register} + {3'b0, warp}) % {3'b0, banks};
  endfunction

  /// Row of a register of a warp inside its bank, in the low bits; `rows` of rows_per_warp.
  function automatic logic [9:0] map_row(input logic [5:0] warp, input logic [7:0] register, input logic [5:0] banks,
                                         input logic [8:0] rows);
    map_row = {4'b0, warp} * {1'b0, rows} + {2'b0, register / {2'b0, banks}};
  endfunction

  /// Bit k of the numbers of an arbiter's readers at [k*64 +: 64], reader collector * slots + slot at slot * collectors + collector.
  function automatic logic [6*64-1:0] reader_numbers(input int unsigned collectors, input int unsigned slots);
    reader_numbers = '0;
    for (int s = 0; s < slots; s++) begin
      for (int c = 0; c < collectors; c++) begin
        for (int k = 0; k < 6; k++) reader_numbers[k*64+s*collectors+c] = (((c * slots + s) >> k) & 1) != 0;
      end
    end
  endfunction

endpackage

`default_nettype wire
