// SPDX-License-Identifier: Apache-2.0
// What the group wir shares: constants (the C twins are in rf_wir_types.h, rf_wir_front.h, rf_result_queue.h and rf_wir_reuse.h),
// and the records that an instruction is on its way (C twins: rf_wir_records.h; members in field lists: rf_wir_members.h).
`default_nettype none

// The records: their bits and, in the module, their types. A module has the widths that they are made of as TAG_W, WARP_W, REG_W,
// PORT_W, PREG_W, SLOTS, for issued_t and lane_t also OP_W and LANES. A port or an entry of an array is a vector: Yosys takes no
// arrays of structs, and structs not in generate blocks. A bit that all carry is a member of common_t, behind `space`, and 1 more
// in `RF_WIR_COMMON_W.
//   reads_t    what an instruction before the collectors has yet to read: the first bits of common_t
//   common_t   what it is from issue to its collector
//   issued_t   as it issues
//   renamed_t  as its group's lane and pending queue have it; old_t: what was mapped before
//   back       what goes with it to its result, and comes back: old_t in the low bits
//   lane_t     in the lane
`define RF_WIR_READS_W (WARP_W + SLOTS + SLOTS * REG_W + 1)
`define RF_WIR_COMMON_W (`RF_WIR_READS_W + 1 + TAG_W + PORT_W + REG_W)
`define RF_WIR_OLD_W (PREG_W + 2)
`define RF_WIR_BACK_W `RF_WIR_OLD_W
`define RF_WIR_RENAMED_W (`RF_WIR_COMMON_W + 8 + SLOTS * PREG_W + `RF_WIR_OLD_W)
`define RF_WIR_ISSUED_W (`RF_WIR_COMMON_W + LANES + 2 + OP_W + SLOTS * PREG_W + 2)
`define RF_WIR_LANE_W (`RF_WIR_RENAMED_W + LANES + 1 + SLOTS)

`define RF_WIR_RECORDS \
  typedef struct packed { \
    logic [WARP_W-1:0]      warp; \
    logic [SLOTS-1:0]       src_valid; \
    logic [SLOTS*REG_W-1:0] src; \
    logic                   load; \
  } reads_t; \
  typedef struct packed { \
    logic [WARP_W-1:0]      warp; \
    logic [SLOTS-1:0]       src_valid; \
    logic [SLOTS*REG_W-1:0] src; \
    logic [1:0]             space; \
    logic [TAG_W-1:0]       tag; \
    logic [PORT_W-1:0]      port; \
    logic [REG_W-1:0]       dst; \
  } common_t; \
  typedef struct packed { \
    logic [PREG_W-1:0] preg; \
    logic              valid; \
    logic              pin; \
  } old_t; \
  typedef struct packed { \
    common_t                 common; \
    logic [7:0]              opcode; \
    logic [SLOTS*PREG_W-1:0] operand; \
    old_t                    old; \
  } renamed_t;

`define RF_WIR_LANE_RECORDS \
  `RF_WIR_RECORDS \
  typedef struct packed { \
    common_t                 common; \
    logic [LANES-1:0]        mask; \
    logic                    dst_valid; \
    logic                    reuse; \
    logic [OP_W-1:0]         op; \
    logic [SLOTS*PREG_W-1:0] imm; \
    logic                    store; \
    logic                    store_shared; \
  } issued_t; \
  typedef struct packed { \
    renamed_t         renamed; \
    logic [LANES-1:0] mask; \
    logic             dst_valid; \
    logic [SLOTS-1:0] mapped; \
  } lane_t;

package rf_wir_pkg;

  /// What a reusable instruction reads beside its operands. SHARED and GLOBAL are the two with the higher bit.
  localparam logic [1:0] SPACE_NONE = 2'd0;
  localparam logic [1:0] SPACE_CONST = 2'd1;
  localparam logic [1:0] SPACE_SHARED = 2'd2;
  localparam logic [1:0] SPACE_GLOBAL = 2'd3;

  /// What becomes of the instruction in a reuse lane.
  localparam logic [2:0] ACT_NOTHING = 3'd0;
  localparam logic [2:0] ACT_REUSE = 3'd1;
  localparam logic [2:0] ACT_QUEUE = 3'd2;
  localparam logic [2:0] ACT_EXECUTE = 3'd3;
  localparam logic [2:0] ACT_ROTATE = 3'd4;

  /// What is to be done with a result.
  localparam logic [1:0] RESULT_WRITE = 2'd0;
  localparam logic [1:0] RESULT_VERIFY = 2'd1;
  localparam logic [1:0] RESULT_MERGE = 2'd2;
  localparam logic [1:0] RESULT_SHARE = 2'd3;

  /// Reset value of the random numbers.
  localparam int unsigned SEED = 32'hace1;

  /// Issue group of a warp, in the low bits.
  function automatic logic [5:0] group_of(input logic [5:0] warp, input logic [2:0] issues);
    group_of = warp % {3'b0, issues};
  endfunction

  /// A warp's number in its group, in the low bits.
  function automatic logic [5:0] local_of(input logic [5:0] warp, input logic [2:0] issues);
    local_of = warp / {3'b0, issues};
  endfunction

endpackage

`default_nettype wire
