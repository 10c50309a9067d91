// SPDX-License-Identifier: Apache-2.0
// System: an operand stage whose registers and L1D are one memory [CERF III], or, with INTEGRATED = 0, the baseline: rf_banked
// and beside it an L1D.
//
//   issue -> collectors -> integrated memory -> collectors -> dispatch -> execution ports
//   results -> write-back queues -> integrated memory <- load/store unit
//                                        |^
//                                        L2
//
// Stage:     the ports of rf_banked, which mean the same.
// Reads:     a source is asked for by its number (rf_reindex); rf_cerf_memory accepts it and answers cycles later. It counts as
//            read (D-war) when it is accepted.
// Writes:    the scoreboard is cleared when the memory accepts the head of a queue: a bank serves in order.
// Last read: with LIVENESS the entry dies with it, unless another collector has yet to read the register.
// Memory:    the ports of the load/store unit and of L2 are those of rf_cerf_memory. INTEGRATED = 0: an L1D of SETS and WAYS.
// Reset:     as the units say.
`default_nettype none

module rf_cerf #(
  /// Warps, 1 to 64, a multiple of ISSUES.
  parameter int unsigned WARPS = 32,
  /// Operand collectors, 1 to 15; (COLLECTORS + 1) x SLOTS at most 64.
  parameter int unsigned COLLECTORS = 8,
  /// Banks of registers and of lines, a power of two, 1 to 8.
  parameter int unsigned BANKS = 4,
  /// Registers of a warp, 1 to 256; WARPS x ceil(REGS / BANKS) at most 1024.
  parameter int unsigned REGS = 32,
  /// Words of a register and of a line, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Sources of an instruction, 1 to 8.
  parameter int unsigned SLOTS = 3,
  /// Execution ports, each with a write-back queue, 1 to 8.
  parameter int unsigned EXPORTS = 3,
  /// Instructions issued in a cycle, 1 to 4.
  parameter int unsigned ISSUES = 1,
  /// Warp scheduler. 0: greedy then oldest, 1: loose round-robin, 2: two-level round-robin over fetch groups.
  parameter int unsigned SCHED = 0,
  /// Warps of a fetch group of an issue group (SCHED 2), 1 to 64.
  parameter int unsigned FETCH = 8,
  /// Entries of a write-back queue, 1 to 16.
  parameter int unsigned WBDEPTH = 4,
  /// 0: registers and L1D apart, 1: in one memory.
  parameter int unsigned INTEGRATED = 1,
  /// Replacement. 0: fair, 1: registers first (WARPS x REGS at most SETS x WAYS), 2: cache data first.
  parameter int unsigned POLICY = 1,
  /// Sets of the integrated memory, or of the L1D: a power of two, BANKS to 256 x BANKS.
  parameter int unsigned SETS = 256,
  /// Ways, 1 to 8; SETS x WAYS at most 1024 x BANKS.
  parameter int unsigned WAYS = 4,
  /// MSHRs of a bank, 2 to 16.
  parameter int unsigned MSHRS = 8,
  /// Targets of an MSHR, 1 to 8.
  parameter int unsigned TARGETS = 4,
  /// Messages to L2 that a bank holds, 1 to 16.
  parameter int unsigned QUEUE = 4,
  /// Of the SM's registers in the address space, 0 to 16777215.
  parameter int unsigned PREFIX = 32767,
  /// 1: last reads free entries.
  parameter int unsigned LIVENESS = 1,
  localparam int unsigned TAG_W = rf_banked_pkg::TAG_W,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS),
  localparam int unsigned DATA_W = LANES * 32,
  localparam int unsigned LINE_W = rf_cerf_pkg::LINE_W,
  localparam int unsigned ID_W = rf_cerf_pkg::ID_W,
  localparam int unsigned BANK_W = rf_pkg::index_bits(BANKS),
  localparam int unsigned WAY_W = rf_pkg::index_bits(WAYS),
  localparam int unsigned ENTRY_W = rf_pkg::index_bits(MSHRS)
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  /// Per warp: a new warp starts in the slot.
  input  logic [WARPS-1:0]                launch_i,
  /// Per warp: the head of its instruction buffer is there ...
  input  logic [WARPS-1:0]                ib_valid_i,
  /// ... with this tag, carried along ...
  input  logic [WARPS*TAG_W-1:0]          ib_tag_i,
  /// ... for this execution port ...
  input  logic [WARPS*PORT_W-1:0]         ib_port_i,
  /// ... active in these lanes ...
  input  logic [WARPS*LANES-1:0]          ib_mask_i,
  /// ... with a destination ...
  input  logic [WARPS-1:0]                ib_dst_valid_i,
  input  logic [WARPS*REG_W-1:0]          ib_dst_i,
  /// ... and, per slot, sources ...
  input  logic [WARPS*SLOTS-1:0]          ib_src_valid_i,
  input  logic [WARPS*SLOTS*REG_W-1:0]    ib_src_i,
  /// Per port: it accepts an instruction.
  input  logic [EXPORTS-1:0]              ex_ready_i,
  /// Per port: a result is offered.
  input  logic [EXPORTS-1:0]              res_valid_i,
  input  logic [EXPORTS*WARP_W-1:0]       res_warp_i,
  input  logic [EXPORTS*REG_W-1:0]        res_dst_i,
  input  logic [EXPORTS*LANES-1:0]        res_mask_i,
  input  logic [EXPORTS*DATA_W-1:0]       res_data_i,
  /// Per warp and slot: no lane reads the source's value again.
  input  logic [WARPS*SLOTS-1:0]          ib_last_i,
  /// The load/store unit asks for ...
  input  logic                            mem_valid_i,
  /// ... this operation ...
  input  logic [2:0]                      mem_op_i,
  /// ... on this line ...
  input  logic [LINE_W-1:0]               mem_line_i,
  /// ... or, a flush, on this way of its set ...
  input  logic [WAY_W-1:0]                mem_way_i,
  /// ... under this number ...
  input  logic [ID_W-1:0]                 mem_id_i,
  /// ... on these words ...
  input  logic [LANES-1:0]                mem_mask_i,
  /// ... with these values.
  input  logic [DATA_W-1:0]               mem_data_i,
  /// L2 takes the message.
  input  logic                            l2_ready_i,
  /// L2 answers this MSHR of this bank.
  input  logic                            fill_valid_i,
  input  logic [BANK_W-1:0]               fill_bank_i,
  input  logic [ENTRY_W-1:0]              fill_entry_i,
  input  logic [DATA_W-1:0]               fill_data_i,
  /// Per issue group: this warp issues.
  output logic [ISSUES-1:0]               issue_valid_o,
  output logic [ISSUES*WARP_W-1:0]        issue_warp_o,
  /// Per port: an instruction is offered; all below is 0 when not.
  output logic [EXPORTS-1:0]              ex_valid_o,
  output logic [EXPORTS*WARP_W-1:0]       ex_warp_o,
  output logic [EXPORTS*TAG_W-1:0]        ex_tag_o,
  output logic [EXPORTS*LANES-1:0]        ex_mask_o,
  output logic [EXPORTS-1:0]              ex_dst_valid_o,
  output logic [EXPORTS*REG_W-1:0]        ex_dst_o,
  /// Per port and slot: the operand.
  output logic [EXPORTS*SLOTS*DATA_W-1:0] ex_data_o,
  /// Per port: its queue accepts a result.
  output logic [EXPORTS-1:0]              res_ready_o,
  /// The load/store unit's request is accepted.
  output logic                            mem_accept_o,
  /// Per bank: a load or atomic is answered; 0 below when not.
  output logic [BANKS-1:0]                ld_valid_o,
  output logic [BANKS*ID_W-1:0]           ld_id_o,
  output logic [BANKS*DATA_W-1:0]         ld_data_o,
  /// A message to L2; 0 below when not.
  output logic                            l2_valid_o,
  output logic [1:0]                      l2_op_o,
  output logic [LINE_W-1:0]               l2_line_o,
  output logic [BANK_W-1:0]               l2_bank_o,
  output logic [ENTRY_W-1:0]              l2_entry_o,
  output logic [LANES-1:0]                l2_mask_o,
  output logic [DATA_W-1:0]               l2_data_o,
  /// The answer of L2 is taken.
  output logic                            fill_ready_o
);

  localparam int unsigned READERS = COLLECTORS * SLOTS;
  localparam int unsigned REGISTERS = WARPS * REGS;
  localparam int unsigned NUMBER_W = rf_pkg::index_bits(REGISTERS);

  if (INTEGRATED > 1 || LIVENESS > 1) begin : gen_switch_range
    $error("rf_cerf: INTEGRATED and LIVENESS must be 0 or 1");
  end
  if (INTEGRATED != 0 && POLICY == 1 && REGISTERS > SETS * WAYS) begin : gen_room_range
    $error("rf_cerf: WARPS x REGS must be at most SETS x WAYS with POLICY 1");
  end
  if (WARPS < 1 || WARPS > 64 || WARPS % ISSUES != 0 || ISSUES < 1 || ISSUES > 4) begin : gen_warps_range
    $error("rf_cerf: ISSUES must be 1 to 4, WARPS 1 to 64, a multiple of ISSUES");
  end
  if (REGS < 1 || REGS > 256 || WARPS * ((REGS + BANKS - 1) / BANKS) > 1024) begin : gen_regs_range
    $error("rf_cerf: REGS must be 1 to 256, and WARPS x ceil(REGS / BANKS) at most 1024");
  end

  // What the stage asks of the memory; nothing when registers are apart.
  logic [READERS-1:0]          rd_valid, rd_dead, rd_accept, rd_fill;
  logic [READERS*NUMBER_W-1:0] rd_number;
  logic [READERS*DATA_W-1:0]   rd_data;
  logic [EXPORTS-1:0]          wr_valid, wr_accept;
  logic [EXPORTS*NUMBER_W-1:0] wr_number;
  logic [EXPORTS*LANES-1:0]    wr_mask;
  logic [EXPORTS*DATA_W-1:0]   wr_data;

  rf_cerf_memory #(.COLLECTORS(COLLECTORS), .SLOTS(SLOTS), .WRITERS(EXPORTS), .REGISTERS(REGISTERS), .BANKS(BANKS), .SETS(SETS),
                   .WAYS(WAYS), .LANES(LANES), .LINE_W(LINE_W), .PREFIX(PREFIX), .MSHRS(MSHRS), .TARGETS(TARGETS), .QUEUE(QUEUE),
                   .RESERVE(INTEGRATED != 0 && POLICY != 1 ? 1 : 0), .POLICY(INTEGRATED != 0 ? POLICY : 0)) u_memory (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .rd_valid_i  (rd_valid),
    .rd_number_i (rd_number),
    .rd_dead_i   (rd_dead),
    .wr_valid_i  (wr_valid),
    .wr_number_i (wr_number),
    .wr_mask_i   (wr_mask),
    .wr_data_i   (wr_data),
    .mem_valid_i (mem_valid_i),
    .mem_op_i    (mem_op_i),
    .mem_line_i  (mem_line_i),
    .mem_way_i   (mem_way_i),
    .mem_id_i    (mem_id_i),
    .mem_mask_i  (mem_mask_i),
    .mem_data_i  (mem_data_i),
    .l2_ready_i  (l2_ready_i),
    .fill_valid_i(fill_valid_i),
    .fill_bank_i (fill_bank_i),
    .fill_entry_i(fill_entry_i),
    .fill_data_i (fill_data_i),
    .rd_accept_o (rd_accept),
    .rd_fill_o   (rd_fill),
    .rd_data_o   (rd_data),
    .wr_accept_o (wr_accept),
    .mem_accept_o(mem_accept_o),
    .ld_valid_o  (ld_valid_o),
    .ld_id_o     (ld_id_o),
    .ld_data_o   (ld_data_o),
    .l2_valid_o  (l2_valid_o),
    .l2_op_o     (l2_op_o),
    .l2_line_o   (l2_line_o),
    .l2_bank_o   (l2_bank_o),
    .l2_entry_o  (l2_entry_o),
    .l2_mask_o   (l2_mask_o),
    .l2_data_o   (l2_data_o),
    .fill_ready_o(fill_ready_o)
  );

  if (INTEGRATED == 0) begin : gen_separate

    logic unused;
    assign unused = ^{ib_last_i, rd_accept, rd_fill, rd_data, wr_accept};

    assign rd_valid  = '0;
    assign rd_number = '0;
    assign rd_dead   = '0;
    assign wr_valid  = '0;
    assign wr_number = '0;
    assign wr_mask   = '0;
    assign wr_data   = '0;

    rf_banked #(.WARPS(WARPS), .COLLECTORS(COLLECTORS), .BANKS(BANKS), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS),
                .EXPORTS(EXPORTS), .ISSUES(ISSUES), .PORTS(1), .SCHED(SCHED), .FETCH(FETCH), .WBDEPTH(WBDEPTH)) u_stage (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .launch_i      (launch_i),
      .ib_valid_i    (ib_valid_i),
      .ib_tag_i      (ib_tag_i),
      .ib_port_i     (ib_port_i),
      .ib_mask_i     (ib_mask_i),
      .ib_dst_valid_i(ib_dst_valid_i),
      .ib_dst_i      (ib_dst_i),
      .ib_src_valid_i(ib_src_valid_i),
      .ib_src_i      (ib_src_i),
      .ex_ready_i    (ex_ready_i),
      .res_valid_i   (res_valid_i),
      .res_warp_i    (res_warp_i),
      .res_dst_i     (res_dst_i),
      .res_mask_i    (res_mask_i),
      .res_data_i    (res_data_i),
      .issue_valid_o (issue_valid_o),
      .issue_warp_o  (issue_warp_o),
      .ex_valid_o    (ex_valid_o),
      .ex_warp_o     (ex_warp_o),
      .ex_tag_o      (ex_tag_o),
      .ex_mask_o     (ex_mask_o),
      .ex_dst_valid_o(ex_dst_valid_o),
      .ex_dst_o      (ex_dst_o),
      .ex_data_o     (ex_data_o),
      .res_ready_o   (res_ready_o)
    );

  end else begin : gen_integrated

    rf_cerf_stage #(.WARPS(WARPS), .COLLECTORS(COLLECTORS), .REGS(REGS), .LANES(LANES), .SLOTS(SLOTS), .EXPORTS(EXPORTS),
                    .ISSUES(ISSUES), .SCHED(SCHED), .FETCH(FETCH), .WBDEPTH(WBDEPTH), .LIVENESS(LIVENESS)) u_stage (
      .clk_i(clk_i), .rst_ni(rst_ni),
      .launch_i      (launch_i),
      .ib_valid_i    (ib_valid_i),
      .ib_tag_i      (ib_tag_i),
      .ib_port_i     (ib_port_i),
      .ib_mask_i     (ib_mask_i),
      .ib_dst_valid_i(ib_dst_valid_i),
      .ib_dst_i      (ib_dst_i),
      .ib_src_valid_i(ib_src_valid_i),
      .ib_src_i      (ib_src_i),
      .ex_ready_i    (ex_ready_i),
      .res_valid_i   (res_valid_i),
      .res_warp_i    (res_warp_i),
      .res_dst_i     (res_dst_i),
      .res_mask_i    (res_mask_i),
      .res_data_i    (res_data_i),
      .ib_last_i     (ib_last_i),
      .rd_accept_i   (rd_accept),
      .rd_fill_i     (rd_fill),
      .rd_data_i     (rd_data),
      .wr_accept_i   (wr_accept),
      .issue_valid_o (issue_valid_o),
      .issue_warp_o  (issue_warp_o),
      .ex_valid_o    (ex_valid_o),
      .ex_warp_o     (ex_warp_o),
      .ex_tag_o      (ex_tag_o),
      .ex_mask_o     (ex_mask_o),
      .ex_dst_valid_o(ex_dst_valid_o),
      .ex_dst_o      (ex_dst_o),
      .ex_data_o     (ex_data_o),
      .res_ready_o   (res_ready_o),
      .rd_valid_o    (rd_valid),
      .rd_number_o   (rd_number),
      .rd_dead_o     (rd_dead),
      .wr_valid_o    (wr_valid),
      .wr_number_o   (wr_number),
      .wr_mask_o     (wr_mask),
      .wr_data_o     (wr_data)
    );

  end

endmodule

`default_nettype wire
