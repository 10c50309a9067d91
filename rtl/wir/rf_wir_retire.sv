// SPDX-License-Identifier: Apache-2.0
// Verify and retire of rf_wir: what becomes of the heads of the result queues [WIR V-A, Fig. 7; V-D, VI-C]. The verifiers, the
// register of what is not written yet and the groups' turns at the rename port are here.
//
// Verify:    a group's heads with VERIFY or MERGE whose candidate is written, in turn, ask to read it while a verifier of the
//            group is idle; with rd_grant_i the head moves to the lowest idle one. rdata_i in the cycle after: what was read.
// Retire:    the group's rename port does one thing a cycle, in turn: a reuse hit (hit_i), a step of a release (walk_i), a result:
//            the lowest verifier that shares or writes, else in turn a head with WRITE or SHARE. A write retires with wr_grant_i;
//            refused, the port's turn is lost (its pointer moves, the heads' does not).
// Writers:   group g is writer g. REUSE 0: queue e is writer e, whatever its head is, and retires when it is granted.
// Depends:   wr_reg_o, wr_mask_o, rd_reg_o and check_* on no grant; all of *_o on no give_i, given_i.
// Illegal:   a grant without a request is ignored; a register beyond PREGS counts as written.
// Reset:     verifiers idle, all registers written, requester 0 first everywhere; the rest is 0.
`default_nettype none

module rf_wir_retire #(
  /// Warps, 1 to 64.
  parameter int unsigned WARPS = 48,
  /// Logical registers of a warp, 1 to 256.
  parameter int unsigned REGS = 63,
  /// Lanes of 32 bits, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Execution ports, each with a queue, ISSUES to 8.
  parameter int unsigned EXPORTS = 4,
  /// Issue groups, 1 to 4.
  parameter int unsigned ISSUES = 2,
  /// Physical registers, 2 to 1024.
  parameter int unsigned PREGS = 1024,
  /// Bits carried along, 1 to 50.
  parameter int unsigned INFOW = 21,
  /// Verifiers of a group, 1 to 4.
  parameter int unsigned VERIFIERS = 2,
  /// 1: warp instruction reuse.
  parameter int unsigned REUSE = 1,
  localparam int unsigned WARP_W = rf_pkg::index_bits(WARPS),
  localparam int unsigned REG_W = rf_pkg::index_bits(REGS),
  localparam int unsigned PREG_W = rf_pkg::index_bits(PREGS),
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  /// Per port: its queue has a head: what is to be done (RESULT_* of rf_wir_pkg) ...
  input  logic [EXPORTS-1:0]          head_valid_i,
  input  logic [EXPORTS*2-1:0]        head_op_i,
  /// ... for this warp's register ...
  input  logic [EXPORTS*WARP_W-1:0]   head_warp_i,
  input  logic [EXPORTS*REG_W-1:0]    head_dst_i,
  /// ... in this physical register, after this one was read ...
  input  logic [EXPORTS*PREG_W-1:0]   head_preg_i,
  input  logic [EXPORTS*PREG_W-1:0]   head_cand_i,
  /// ... with these lanes, values, and what is carried along.
  input  logic [EXPORTS*LANES-1:0]    head_mask_i,
  input  logic [EXPORTS*DATA_W-1:0]   head_data_i,
  input  logic [EXPORTS*INFOW-1:0]    head_info_i,
  /// Per group: a reuse hit, a step of a release wants the rename port.
  input  logic [ISSUES-1:0]           hit_i,
  input  logic [ISSUES-1:0]           walk_i,
  /// Per group: its read is granted; what the one before fetched.
  input  logic [ISSUES-1:0]           rd_grant_i,
  input  logic [ISSUES*DATA_W-1:0]    rdata_i,
  /// Per writer: granted.
  input  logic [EXPORTS-1:0]          wr_grant_i,
  /// Element group * VERIFIERS + verifier: it gets the group's given_reg_i.
  input  logic [ISSUES*VERIFIERS-1:0] give_i,
  /// Per group: this register is given out, and not written until it is.
  input  logic [ISSUES-1:0]           given_i,
  input  logic [ISSUES*PREG_W-1:0]    given_reg_i,
  /// Per port: the head leaves.
  output logic [EXPORTS-1:0]          pop_o,
  /// Per group: the reuse hit, the release has the rename port.
  output logic [ISSUES-1:0]           hit_o,
  output logic [ISSUES-1:0]           walk_o,
  /// Per group: a read is asked for, of this register; 0 when not, as all below.
  output logic [ISSUES-1:0]           rd_valid_o,
  output logic [ISSUES*PREG_W-1:0]    rd_reg_o,
  /// Per group: rdata_i is looked at, it is this register's; it is a verify-read's.
  output logic [ISSUES-1:0]           check_o,
  output logic [ISSUES*PREG_W-1:0]    check_reg_o,
  output logic [ISSUES-1:0]           fill_o,
  /// Per writer: a write is asked for: register, lanes; the values only when it is granted.
  output logic [EXPORTS-1:0]          wr_valid_o,
  output logic [EXPORTS*PREG_W-1:0]   wr_reg_o,
  output logic [EXPORTS*LANES-1:0]    wr_mask_o,
  output logic [EXPORTS*DATA_W-1:0]   wr_data_o,
  /// Element group * VERIFIERS + verifier: it needs a register; what it has read in vain.
  output logic [ISSUES*VERIFIERS-1:0] need_o,
  output logic [ISSUES*VERIFIERS*PREG_W-1:0] cand_o,
  /// Per writer: a result retires: its warp, logical register.
  output logic [EXPORTS-1:0]          done_o,
  output logic [EXPORTS*WARP_W-1:0]   done_warp_o,
  output logic [EXPORTS*REG_W-1:0]    done_dst_o,
  /// Per group: its physical register, what was carried along; REUSE 0: 0.
  output logic [ISSUES*PREG_W-1:0]    done_reg_o,
  output logic [ISSUES*INFOW-1:0]     done_info_o,
  /// Per group: it is a verifier's and shares what was read.
  output logic [ISSUES-1:0]           shared_o
);

  if (ISSUES < 1 || ISSUES > 4 || EXPORTS < ISSUES || EXPORTS > 8 || VERIFIERS < 1 || VERIFIERS > 4 || REUSE > 1) begin : gen_range
    $error("rf_wir_retire: ISSUES 1 to 4, EXPORTS ISSUES to 8, VERIFIERS 1 to 4, REUSE 0 or 1");
  end
  if (INFOW < 1 || INFOW > 50) begin : gen_infow_range
    $error("rf_wir_retire: INFOW must be 1 to 50");
  end

  if (REUSE != 0) begin : gen_reuse
    localparam int unsigned PORT_W = rf_pkg::index_bits(EXPORTS);
    localparam int unsigned CHECK_W = REG_W + WARP_W + INFOW; // what a verifier carries: {dst, warp, info}
    localparam int unsigned CHECKERS = ISSUES * VERIFIERS;
    localparam int unsigned SOURCES = EXPORTS + VERIFIERS;    // of what retires: queues, then the group's verifiers
    localparam int unsigned SOURCE_W = rf_pkg::index_bits(SOURCES);

    // Verifiers, element group * VERIFIERS + number; the head that is read for one, per group.
    logic [CHECKERS-1:0]         v_load, v_end, v_busy, v_check, v_merge, v_share, v_write, unused_equal;
    logic [CHECKERS*DATA_W-1:0]  v_data;
    logic [CHECKERS*PREG_W-1:0]  v_cand, v_reg;
    logic [CHECKERS*CHECK_W-1:0] v_info;
    logic [ISSUES-1:0]           read, wrote;
    logic [ISSUES*PORT_W-1:0]    read_from;
    logic [ISSUES*DATA_W-1:0]    read_data;
    logic [ISSUES*EXPORTS-1:0]   popped;
    // Which heads' candidates are not written yet.
    logic [EXPORTS-1:0]          unwritten;
    logic [7:0]                  waits;

    rf_unwritten #(.PREGS(PREGS), .ISSUES(ISSUES)) u_unwritten (
      .clk_i(clk_i), .rst_ni(rst_ni), .set_i(given_i), .set_reg_i(given_reg_i), .clr_i(wrote),
      .clr_reg_i(wr_reg_o[ISSUES*PREG_W-1:0]), .lk_reg_i((8*PREG_W)'(head_cand_i)), .waits_o(waits)
    );
    assign unwritten = waits[EXPORTS-1:0];
    if (EXPORTS < 8) begin : gen_waits
      logic unused_waits;
      assign unused_waits = ^waits[7:EXPORTS];
    end

    always_comb begin
      pop_o = '0;
      for (int g = 0; g < ISSUES; g++) pop_o |= popped[g*EXPORTS +: EXPORTS];
    end

    for (genvar g = 0; g < ISSUES; g++) begin : gen_group
      localparam int unsigned V = g * VERIFIERS;
      // Results that the group may read for and retire, and which it does, one hot.
      logic [EXPORTS-1:0]         readers, doers, reads, retires;
      logic                       reader, doer, v_any, turn, write, unused_any;
      logic [VERIFIERS-1:0]       idle, done;
      logic [SOURCE_W-1:0]        from;
      logic [SOURCES-1:0]         source, all_writes; // source: one hot
      logic [SOURCES*PREG_W-1:0]  all_preg;
      logic [SOURCES*LANES-1:0]   all_mask;
      logic [SOURCES*CHECK_W-1:0] all_info;
      logic [PREG_W-1:0]          check_cand;

      for (genvar e = 0; e < EXPORTS; e++) begin : gen_mine
        logic mine, reads_first;
        assign mine        = head_valid_i[e] && rf_wir_pkg::group_of(6'(head_warp_i[e*WARP_W +: WARP_W]), 3'(ISSUES)) == 6'(g);
        assign reads_first = head_op_i[e*2 +: 2] == rf_wir_pkg::RESULT_VERIFY || head_op_i[e*2 +: 2] == rf_wir_pkg::RESULT_MERGE;
        assign readers[e]  = mine && reads_first && !unwritten[e];
        assign doers[e]    = mine && !reads_first;
      end

      // A verify-read: the head moves to the lowest idle verifier.
      rf_rr #(.N(EXPORTS)) u_read_rr (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(readers), .take_i(read[g]), .grant_o(reads), .valid_o(reader)
      );
      assign idle          = ~v_busy[V +: VERIFIERS];
      assign rd_valid_o[g] = reader && idle != '0;
      assign read[g]       = rd_valid_o[g] && rd_grant_i[g];
      for (genvar k = 0; k < PORT_W; k++) begin : gen_read_from
        assign read_from[g*PORT_W+k] = |(reads & rf_pkg::NUMBERS[k*64 +: EXPORTS]);
      end
      assign rd_reg_o[g*PREG_W +: PREG_W]  = head_cand_i[read_from[g*PORT_W +: PORT_W]*PREG_W +: PREG_W] & {PREG_W{rd_valid_o[g]}};
      assign v_load[V +: VERIFIERS]        = `RF_LOWEST(idle) & {VERIFIERS{read[g]}};

      // Data arrives for at most one verifier of the group.
      always_comb begin
        check_cand = '0;
        for (int v = 0; v < VERIFIERS; v++) begin
          if (v_check[V + v]) check_cand |= v_cand[(V + v)*PREG_W +: PREG_W];
        end
      end
      assign check_o[g] = v_check[V +: VERIFIERS] != '0;
      assign fill_o[g]  = (v_check[V +: VERIFIERS] & ~v_merge[V +: VERIFIERS]) != '0;
      assign check_reg_o[g*PREG_W +: PREG_W] = check_cand;

      // What the rename port does.
      assign done  = v_share[V +: VERIFIERS] | v_write[V +: VERIFIERS];
      assign v_any = done != '0;
      for (genvar v = 0; v < VERIFIERS; v++) begin : gen_end
        assign v_end[V + v] = done_o[g] && from == SOURCE_W'(EXPORTS + v);
      end

      rf_rr #(.N(EXPORTS)) u_retire_rr (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i(doers), .take_i(done_o[g] && !v_any), .grant_o(retires), .valid_o(doer)
      );
      rf_rr #(.N(3)) u_port_rr (
        .clk_i(clk_i), .rst_ni(rst_ni), .req_i({v_any || doer, walk_i[g], hit_i[g]}), .take_i(1'b1),
        .grant_o({turn, walk_o[g], hit_o[g]}), .valid_o(unused_any)
      );

      for (genvar s = 0; s < SOURCES; s++) begin : gen_source
        if (s < EXPORTS) begin : gen_queue
          assign all_writes[s] = head_op_i[s*2 +: 2] == rf_wir_pkg::RESULT_WRITE;
          assign all_preg[s*PREG_W +: PREG_W] = head_preg_i[s*PREG_W +: PREG_W];
          assign all_mask[s*LANES +: LANES]   = head_mask_i[s*LANES +: LANES];
          assign all_info[s*CHECK_W +: CHECK_W] = {head_dst_i[s*REG_W +: REG_W], head_warp_i[s*WARP_W +: WARP_W],
                                                   head_info_i[s*INFOW +: INFOW]};
        end else begin : gen_verifier
          assign all_writes[s] = v_write[V + s - EXPORTS];
          assign all_preg[s*PREG_W +: PREG_W]   = v_reg[(V + s - EXPORTS)*PREG_W +: PREG_W];
          assign all_mask[s*LANES +: LANES]     = '1;
          assign all_info[s*CHECK_W +: CHECK_W] = v_info[(V + s - EXPORTS)*CHECK_W +: CHECK_W];
        end
      end

      assign source      = {`RF_LOWEST(done), retires & {EXPORTS{!v_any}}};
      for (genvar k = 0; k < SOURCE_W; k++) begin : gen_from
        assign from[k] = |(source & rf_pkg::NUMBERS[k*64 +: SOURCES]);
      end
      assign write       = all_writes[from];
      assign done_o[g]   = turn && (!write || wr_grant_i[g]);
      assign wrote[g]    = turn && write && wr_grant_i[g];
      assign shared_o[g] = done_o[g] && v_any && !write;
      assign done_reg_o[g*PREG_W +: PREG_W] = all_preg[from*PREG_W +: PREG_W] & {PREG_W{done_o[g]}};
      assign {done_dst_o[g*REG_W +: REG_W], done_warp_o[g*WARP_W +: WARP_W], done_info_o[g*INFOW +: INFOW]} =
          all_info[from*CHECK_W +: CHECK_W] & {CHECK_W{done_o[g]}};
      assign popped[g*EXPORTS +: EXPORTS] = (reads & {EXPORTS{read[g]}}) | (retires & {EXPORTS{done_o[g] && !v_any}});

      assign wr_valid_o[g] = turn && write;
      assign wr_reg_o[g*PREG_W +: PREG_W] = all_preg[from*PREG_W +: PREG_W] & {PREG_W{wr_valid_o[g]}};
      assign wr_mask_o[g*LANES +: LANES]  = all_mask[from*LANES +: LANES] & {LANES{wr_valid_o[g]}};
      rf_crossbar #(.SRC(SOURCES), .DST(1), .WIDTH(DATA_W)) u_write_xbar (
        .valid_i(wrote[g]), .sel_i(from), .data_i({v_data[V*DATA_W +: VERIFIERS*DATA_W], head_data_i}),
        .data_o(wr_data_o[g*DATA_W +: DATA_W])
      );
    end

    rf_crossbar #(.SRC(EXPORTS), .DST(ISSUES), .WIDTH(DATA_W)) u_read_xbar (
      .valid_i(read), .sel_i(read_from), .data_i(head_data_i), .data_o(read_data)
    );

    for (genvar n = 0; n < CHECKERS; n++) begin : gen_verify
      localparam int unsigned G = n / VERIFIERS;
      logic [PORT_W-1:0] head;
      assign head = read_from[G*PORT_W +: PORT_W];
      rf_verify #(.LANES(LANES), .PREGS(PREGS), .INFOW(CHECK_W)) u_verify (
        .clk_i(clk_i), .rst_ni(rst_ni), .load_i(v_load[n]), .load_merge_i(head_op_i[head*2 +: 2] == rf_wir_pkg::RESULT_MERGE),
        .load_cand_i(head_cand_i[head*PREG_W +: PREG_W]), .load_reg_i(head_preg_i[head*PREG_W +: PREG_W]),
        .load_mask_i(head_mask_i[head*LANES +: LANES]), .load_data_i(read_data[G*DATA_W +: DATA_W]),
        .load_info_i({head_dst_i[head*REG_W +: REG_W], head_warp_i[head*WARP_W +: WARP_W], head_info_i[head*INFOW +: INFOW]}),
        .rdata_i(rdata_i[G*DATA_W +: DATA_W]), .give_i(give_i[n]), .give_reg_i(given_reg_i[G*PREG_W +: PREG_W]),
        .done_i(v_end[n]), .data_o(v_data[n*DATA_W +: DATA_W]), .busy_o(v_busy[n]), .check_o(v_check[n]), .merge_o(v_merge[n]),
        .equal_o(unused_equal[n]), .share_o(v_share[n]), .need_o(need_o[n]), .write_o(v_write[n]),
        .cand_o(v_cand[n*PREG_W +: PREG_W]), .reg_o(v_reg[n*PREG_W +: PREG_W]), .info_o(v_info[n*CHECK_W +: CHECK_W])
      );
      assign cand_o[n*PREG_W +: PREG_W] = v_cand[n*PREG_W +: PREG_W] & {PREG_W{need_o[n]}};
    end

    // Writers without a group.
    if (EXPORTS > ISSUES) begin : gen_no_group
      logic unused_grant;
      assign unused_grant = ^wr_grant_i[EXPORTS-1:ISSUES];
      assign {wr_valid_o[EXPORTS-1:ISSUES], done_o[EXPORTS-1:ISSUES]} = '0;
      assign wr_reg_o[EXPORTS*PREG_W-1:ISSUES*PREG_W]    = '0;
      assign wr_mask_o[EXPORTS*LANES-1:ISSUES*LANES]     = '0;
      assign wr_data_o[EXPORTS*DATA_W-1:ISSUES*DATA_W]   = '0;
      assign done_warp_o[EXPORTS*WARP_W-1:ISSUES*WARP_W] = '0;
      assign done_dst_o[EXPORTS*REG_W-1:ISSUES*REG_W]    = '0;
    end
  end else begin : gen_plain
    // Each queue writes on its own.
    logic unused_plain;
    assign unused_plain = ^{clk_i, rst_ni, head_op_i, head_cand_i, head_info_i, hit_i, walk_i, rd_grant_i, rdata_i, give_i, given_i,
                            given_reg_i};
    for (genvar e = 0; e < EXPORTS; e++) begin : gen_port
      assign wr_reg_o[e*PREG_W +: PREG_W]    = head_preg_i[e*PREG_W +: PREG_W] & {PREG_W{head_valid_i[e]}};
      assign wr_mask_o[e*LANES +: LANES]     = head_mask_i[e*LANES +: LANES] & {LANES{head_valid_i[e]}};
      assign wr_data_o[e*DATA_W +: DATA_W]   = head_data_i[e*DATA_W +: DATA_W] & {DATA_W{done_o[e]}};
      assign done_warp_o[e*WARP_W +: WARP_W] = head_warp_i[e*WARP_W +: WARP_W] & {WARP_W{done_o[e]}};
      assign done_dst_o[e*REG_W +: REG_W]    = head_dst_i[e*REG_W +: REG_W] & {REG_W{done_o[e]}};
    end
    assign wr_valid_o = head_valid_i;
    assign done_o     = head_valid_i & wr_grant_i;
    assign pop_o      = done_o;
    assign {hit_o, walk_o, rd_valid_o, rd_reg_o, check_o, check_reg_o, fill_o, need_o, cand_o} = '0;
    assign {done_reg_o, done_info_o, shared_o} = '0;
  end

endmodule

`default_nettype wire
