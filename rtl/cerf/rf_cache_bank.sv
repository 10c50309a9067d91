// SPDX-License-Identifier: Apache-2.0
// One bank of the integrated memory: tags, data, MSHRs and the queue to L2 [CERF III-B, III-D]. Registers and lines of the L1D are
// looked up in the same way.
//
// Handshake: a request with ready_o is accepted (accept_o), refused (refuse_o, asks again, best after wake_o), or, an atomic that
//            hits a dirty line, neither: the line is written back, and it asks again. ready_o does not depend on the request.
// Tagging:   in the cycle of the request: tags and MSHRs are looked up, and it is decided what happens. A fill goes before a request.
// Data:      from the next cycle on the one port of the data array reads or writes. A row that goes to L2 is read first; a fill
//            answers its targets one a cycle from its second cycle on.
// Latency:   rsp_o of a hit two cycles behind the request.
// Messages:  leave the queue in the order of acceptance, with mem_ready_i. A message is accepted when there is room for it beside
//            the one that the data stage has yet to push.
// Illegal:   a fill of an MSHR that is not busy, operations 6 and 7: taken, nothing happens. A way that does not exist: way 0.
// Reset:     everything but tags and data, which are memories.
`default_nettype none

module rf_cache_bank #(
  /// Sets, a power of two, 1 to 256; SETS x WAYS at most 1024.
  parameter int unsigned SETS = 64,
  /// Ways, 1 to 8.
  parameter int unsigned WAYS = 4,
  /// Words of a line, 1 to 32.
  parameter int unsigned LANES = 32,
  /// Bits of a tag, 1 to 25; with log2(SETS) at most 25.
  parameter int unsigned TAG_W = 17,
  /// Bits of a requester's number, 1 to 8.
  parameter int unsigned ID_W = 6,
  /// MSHRs, 1 to 16; with RESERVE 2 to 16.
  parameter int unsigned MSHRS = 8,
  /// Targets of an MSHR, 1 to 8.
  parameter int unsigned TARGETS = 4,
  /// 1: registers and cache data each leave one MSHR to the other.
  parameter int unsigned RESERVE = 1,
  /// Messages to L2 that wait, 1 to 16.
  parameter int unsigned QUEUE = 8,
  /// 0: fair, 1: registers first, 2: cache data first.
  parameter int unsigned POLICY = 0,
  localparam int unsigned SET_W = rf_pkg::index_bits(SETS),
  localparam int unsigned WAY_W = rf_pkg::index_bits(WAYS),
  localparam int unsigned LINE_W = TAG_W + $clog2(SETS),
  localparam int unsigned ENTRY_W = rf_pkg::index_bits(MSHRS),
  localparam int unsigned DATA_W = LANES * 32
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  /// A request ...
  input  logic               req_valid_i,
  /// ... this operation (rf_cerf_pkg) ...
  input  logic [2:0]         req_op_i,
  /// ... of this line ...
  input  logic [SET_W-1:0]   req_set_i,
  input  logic [TAG_W-1:0]   req_tag_i,
  /// ... or, of a flush, this way of the set ...
  input  logic [WAY_W-1:0]   req_way_i,
  /// ... by this requester, when it is to be answered ...
  input  logic [ID_W-1:0]    req_id_i,
  /// ... a register's last read ...
  input  logic               req_dead_i,
  /// ... with these words.
  input  logic [LANES-1:0]   req_mask_i,
  input  logic [DATA_W-1:0]  req_data_i,
  /// L2 answers ...
  input  logic               fill_valid_i,
  /// ... this MSHR ...
  input  logic [ENTRY_W-1:0] fill_entry_i,
  /// ... with this line.
  input  logic [DATA_W-1:0]  fill_data_i,
  /// L2 takes the message.
  input  logic               mem_ready_i,
  /// Answer: the line, 0 without rsp_valid_o.
  output logic [DATA_W-1:0]  rsp_data_o,
  /// Message to L2: its words.
  output logic [DATA_W-1:0]  mem_data_o,
  /// A request is accepted or refused in this cycle.
  output logic               ready_o,
  /// It is accepted.
  output logic               accept_o,
  /// It is refused, and changes nothing.
  output logic               refuse_o,
  /// What was refused may be accepted from the next cycle on.
  output logic               wake_o,
  /// Answer: to this requester, 0 without.
  output logic               rsp_valid_o,
  output logic [ID_W-1:0]    rsp_id_o,
  /// The fill is taken.
  output logic               fill_ready_o,
  /// A message to L2: the others are 0 without.
  output logic               mem_valid_o,
  output logic [1:0]         mem_op_o,
  output logic [LINE_W-1:0]  mem_line_o,
  output logic [ENTRY_W-1:0] mem_entry_o,
  output logic [LANES-1:0]   mem_mask_o,
  /// For counters: the request hits, accepted or not ...
  output logic               hit_o,
  /// ... an entry gives way to a newcomer, and what it was.
  output logic               victim_o,
  output logic [1:0]         victim_state_o
);

  if (SETS < 1 || SETS > 256 || (SETS & (SETS - 1)) != 0 || WAYS < 1 || WAYS > 8 || SETS * WAYS > 1024) begin : gen_set_range
    $error("rf_cache_bank: SETS a power of two, 1 to 256, WAYS 1 to 8, SETS x WAYS at most 1024");
  end
  if (LANES < 1 || LANES > 32 || TAG_W < 1 || LINE_W > 25 || ID_W < 1 || ID_W > 8) begin : gen_width_range
    $error("rf_cache_bank: LANES 1 to 32, TAG_W 1 to 25, with log2(SETS) at most 25, ID_W 1 to 8");
  end
  if (RESERVE > 1 || MSHRS < 1 + RESERVE || MSHRS > 16 || TARGETS < 1 || TARGETS > 8 || QUEUE < 1 || QUEUE > 16 ||
      POLICY > 2) begin : gen_miss_range
    $error("rf_cache_bank: RESERVE 0 or 1, MSHRS 1 (RESERVE: 2) to 16, TARGETS 1 to 8, QUEUE 1 to 16, POLICY 0 to 2");
  end

  localparam int unsigned ROW_W = rf_pkg::index_bits(SETS * WAYS);
  localparam int unsigned COUNT_W = rf_pkg::index_bits(TARGETS + 1);
  localparam int unsigned LEVEL_W = rf_pkg::index_bits(QUEUE + 1);
  localparam bit          FIRST = POLICY == rf_cerf_pkg::POLICY_REGISTERS;

  // Data stage.
  logic                    d_valid_q;
  logic [3:0]              d_step_q;
  logic                    d_fill_q, d_read_q, d_zero_q, d_victim_q, d_write_q, d_push_q;
  logic [1:0]              d_op_q;
  logic [LINE_W-1:0]       d_line_q;
  logic [ENTRY_W-1:0]      d_entry_q;
  logic [ROW_W-1:0]        d_row_q;
  logic [ID_W-1:0]         d_id_q;
  logic [LANES-1:0]        d_mask_q;
  logic [DATA_W-1:0]       d_data_q;
  logic [COUNT_W-1:0]      d_count_q;
  logic [TARGETS*ID_W-1:0] d_target_q;
  // Answer.
  logic                    r_valid_q, r_zero_q;
  logic [ID_W-1:0]         r_id_q;

  // ------------------------------------------------------------------------------------------------------------ what registers say

  logic [3:0]         count, last, write_step, push_step;
  logic               free, yet, room;
  logic [LEVEL_W-1:0] level;
  logic [LEVEL_W:0]   messages;

  always_comb begin
    count      = 4'(d_count_q);
    last       = d_fill_q ? (count > 4'd1 ? count : 4'd1) : {3'd0, d_victim_q};
    write_step = {3'd0, d_fill_q || d_victim_q};
    push_step  = {3'd0, d_victim_q};
    free       = !d_valid_q || d_step_q == last;
    yet        = d_valid_q && d_push_q && d_step_q <= push_step;
    messages   = {1'b0, level} + (LEVEL_W + 1)'(yet);
    room       = messages < (LEVEL_W + 1)'(QUEUE);
  end

  // ---------------------------------------------------------------------------------------------------------------------- look up

  logic                    tagging, filling, busy, keep, fill_reg;
  logic [LINE_W-1:0]       req_line, fill_line;
  logic [SET_W-1:0]        req_set, fill_set, set;
  logic [TAG_W-1:0]        tag, old_tag;
  logic [WAY_W-1:0]        way;
  logic [LINE_W-1:0]       old_line;
  logic                    found, spill, victim, dirty;
  logic [1:0]              state;
  logic                    on_way, on_way_room, room_reg, room_cache;
  logic [ENTRY_W-1:0]      free_entry;
  logic [COUNT_W-1:0]      fill_count;
  logic [TARGETS*ID_W-1:0] fill_target;

  if (SETS == 1) begin : gen_one_set
    logic unused_set;
    assign unused_set = req_set_i[0];
    assign req_set    = '0;
    assign fill_set   = '0;
    assign req_line   = req_tag_i;
    assign old_line   = old_tag;
  end else begin : gen_sets
    assign req_set  = req_set_i;
    assign fill_set = fill_line[SET_W-1:0];
    assign req_line = {req_tag_i, req_set_i};
    assign old_line = {old_tag, set};
  end

  assign ready_o = free && !fill_valid_i;
  assign tagging = req_valid_i && ready_o;
  assign set     = fill_valid_i ? fill_set : req_set;
  assign tag     = fill_valid_i ? fill_line[LINE_W-1 -: TAG_W] : req_tag_i;
  assign dirty   = state == rf_cerf_pkg::LINE_DIRTY;
  assign hit_o   = tagging && found;

  // -------------------------------------------------------------------------------------------------------------------- decisions

  logic       update, allocate, touch, taken, takes;
  logic [2:0] what;
  logic       miss, merges, ask, send, reg_op;
  logic       drop, read, zero, write, back, whole;

  // A fill: what it does to the tags.
  logic place, fill_spill;
  assign place        = busy && keep && (found || victim);
  assign fill_spill   = place && !found && spill;
  assign fill_ready_o = free && (!fill_valid_i || !fill_spill || room);
  assign taken        = fill_valid_i && fill_ready_o;
  assign filling      = taken && busy;

  // A register that is written takes an entry.
  assign whole = FIRST || &req_mask_i;

  always_comb begin
    accept_o = 1'b0;
    refuse_o = 1'b0;
    update   = filling && place;
    allocate = filling && place;
    touch    = filling && place;
    what     = fill_reg ? rf_cerf_pkg::LINE_FILL_REG : rf_cerf_pkg::LINE_FILL_CACHE;
    miss     = 1'b0;
    reg_op   = 1'b0;
    send     = 1'b0;
    ask      = 1'b0;
    drop     = 1'b0;
    read     = 1'b0;
    zero     = 1'b0;
    write    = filling && place;
    back     = filling && fill_spill;
    takes    = filling && place;
    if (tagging) begin
      touch = found;
      case (req_op_i)
        rf_cerf_pkg::CACHE_READ_REG: begin
          what   = req_dead_i ? rf_cerf_pkg::LINE_DIE : rf_cerf_pkg::LINE_NONE;
          update = found;
          read   = found;
          zero   = !found && FIRST;
          miss   = !found && !FIRST;
          reg_op = 1'b1;
        end
        rf_cerf_pkg::CACHE_WRITE_REG: begin
          what     = rf_cerf_pkg::LINE_WRITE_REG;
          takes    = !found && !on_way && whole && victim && (!spill || room);
          allocate = takes;
          update   = found || takes;
          touch    = found || takes;
          write    = found || takes;
          back     = takes && spill;
          send     = !found && !on_way && !(whole && victim) && room;
        end
        rf_cerf_pkg::CACHE_LOAD: begin
          what   = rf_cerf_pkg::LINE_NONE;
          update = found;
          read   = found;
          miss   = !found;
        end
        rf_cerf_pkg::CACHE_STORE: begin
          what   = rf_cerf_pkg::LINE_STORE;
          update = found;
          write  = found;
          send   = !found && !on_way && room;
        end
        rf_cerf_pkg::CACHE_ATOMIC: begin
          what   = rf_cerf_pkg::LINE_DROP;
          touch  = 1'b0;
          ask    = !(found && dirty) && !on_way && room && room_cache;
          back   = found && dirty && room;
          drop   = back || (found && ask);
          update = drop;
        end
        rf_cerf_pkg::CACHE_FLUSH: begin
          what   = rf_cerf_pkg::LINE_DROP;
          touch  = 1'b0;
          back   = dirty && room;
          drop   = !dirty || room;
          update = drop;
        end
        default: begin
          what  = rf_cerf_pkg::LINE_NONE;
          touch = 1'b0;
        end
      endcase
    end
    merges = miss && on_way && on_way_room;
    if (miss) ask = !on_way && room && (reg_op ? room_reg : room_cache);
    if (tagging) begin
      accept_o = read || zero || write || send || ask || merges || (drop && req_op_i == rf_cerf_pkg::CACHE_FLUSH) ||
                 req_op_i > rf_cerf_pkg::CACHE_FLUSH;
      refuse_o = !accept_o && !(back && req_op_i == rf_cerf_pkg::CACHE_ATOMIC);
    end
  end

  assign victim_o       = takes && !found && state != rf_cerf_pkg::LINE_INACTIVE;
  assign victim_state_o = victim_o ? state : '0;
  assign wake_o         = taken || (mem_valid_o && mem_ready_i);

  // ------------------------------------------------------------------------------------------------------------------------ parts

  rf_tag_bank #(
    .SETS(SETS), .WAYS(WAYS), .TAG_W(TAG_W), .POLICY(POLICY)
  ) u_tags (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .set_i     (set),
    .tag_i     (tag),
    .cache_i   (fill_valid_i && !fill_reg),
    .by_way_i  (!fill_valid_i && req_op_i == rf_cerf_pkg::CACHE_FLUSH),
    .way_i     (req_way_i),
    .update_i  (update),
    .event_i   (what),
    .allocate_i(allocate),
    .touch_i   (touch),
    .hit_o     (found),
    .way_o     (way),
    .state_o   (state),
    .spill_o   (spill),
    .old_tag_o (old_tag),
    .victim_o  (victim)
  );

  logic               unused_free;
  logic [ENTRY_W-1:0] unused_match;

  rf_mshr #(
    .MSHRS(MSHRS), .TARGETS(TARGETS), .LINE_W(LINE_W), .ID_W(ID_W), .RESERVE(RESERVE)
  ) u_mshr (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .line_i       (req_line),
    .id_i         (req_id_i),
    .allocate_i   (ask),
    .reg_i        (reg_op),
    .keep_i       (miss && !(reg_op && req_dead_i)),
    .target_i     (1'b1),
    .merge_i      (merges),
    .done_i       (taken),
    .done_entry_i (fill_entry_i),
    .match_o      (on_way),
    .match_entry_o(unused_match),
    .match_room_o (on_way_room),
    .free_o       (unused_free),
    .free_entry_o (free_entry),
    .room_reg_o   (room_reg),
    .room_cache_o (room_cache),
    .done_busy_o  (busy),
    .done_line_o  (fill_line),
    .done_reg_o   (fill_reg),
    .done_keep_o  (keep),
    .done_count_o (fill_count),
    .done_id_o    (fill_target)
  );

  logic              push;
  logic [DATA_W-1:0] row_data, push_data;

  assign push      = d_valid_q && d_push_q && d_step_q == push_step;
  assign push_data = d_victim_q ? row_data : d_data_q;

  rf_miss_queue #(
    .DEPTH(QUEUE), .LANES(LANES), .LINE_W(LINE_W), .ENTRY_W(ENTRY_W)
  ) u_queue (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .push_i      (push),
    .push_op_i   (d_op_q),
    .push_line_i (d_line_q),
    .push_entry_i(d_entry_q),
    .push_mask_i (d_mask_q),
    .push_data_i (push_data),
    .pop_i       (mem_ready_i),
    .valid_o     (mem_valid_o),
    .op_o        (mem_op_o),
    .line_o      (mem_line_o),
    .entry_o     (mem_entry_o),
    .mask_o      (mem_mask_o),
    .data_o      (mem_data_o),
    .count_o     (level)
  );

  rf_bank #(
    .ROWS(SETS * WAYS), .LANES(LANES), .PORTS(1)
  ) u_data (
    .clk_i(clk_i), .rst_ni(rst_ni),
    .we_i   (d_valid_q && d_write_q && d_step_q == write_step),
    .waddr_i(d_row_q),
    .wmask_i(d_mask_q),
    .wdata_i(d_data_q),
    .re_i   (d_valid_q && (d_read_q || d_victim_q) && d_step_q == 4'd0),
    .raddr_i(d_row_q),
    .rdata_o(row_data)
  );

  // --------------------------------------------------------------------------------------------------------------------- answers

  logic            answers;
  logic [ID_W-1:0] target;

  assign answers = d_valid_q && d_fill_q && d_step_q != 4'd0 && d_step_q <= count;

  always_comb begin
    target = '0;
    for (int t = 0; t < TARGETS; t++) if (d_step_q == 4'(t) + 4'd1) target = d_target_q[t*ID_W +: ID_W];
  end

  assign rsp_valid_o = r_valid_q || answers;

  always_comb begin
    rsp_id_o   = '0;
    rsp_data_o = '0;
    if (r_valid_q) begin
      rsp_id_o = r_id_q;
      if (!r_zero_q) rsp_data_o = row_data;
    end else if (answers) begin
      rsp_id_o   = target;
      rsp_data_o = d_data_q;
    end
  end

  // ------------------------------------------------------------------------------------------------------------------- data stage

  logic [ROW_W-1:0]  place_row;
  logic [LANES-1:0]  mask_d;
  logic [DATA_W-1:0] data_d;
  logic              loads, pushes, words;

  // Rows are fewer than 2^ROW_W: nothing is lost.
  assign place_row = ROW_W'(set) * ROW_W'(WAYS) + ROW_W'(way);
  assign pushes = back || send || ask;
  assign words  = send || (ask && !miss);
  assign loads  = filling || read || zero || write || pushes;
  assign mask_d = filling || back || takes ? {LANES{1'b1}} : req_mask_i;

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    assign data_d[l*32 +: 32] = fill_valid_i ? fill_data_i[l*32 +: 32] :
                                (FIRST && takes && !req_mask_i[l]) ? '0 : req_data_i[l*32 +: 32];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      d_valid_q  <= 1'b0;
      d_step_q   <= '0;
      d_fill_q   <= 1'b0;
      d_read_q   <= 1'b0;
      d_zero_q   <= 1'b0;
      d_victim_q <= 1'b0;
      d_write_q  <= 1'b0;
      d_push_q   <= 1'b0;
      d_op_q     <= '0;
      d_line_q   <= '0;
      d_entry_q  <= '0;
      d_row_q    <= '0;
      d_id_q     <= '0;
      d_mask_q   <= '0;
      d_data_q   <= '0;
      d_count_q  <= '0;
      d_target_q <= '0;
    end else if (!free) begin
      d_step_q <= d_step_q + 4'd1;
    end else begin
      d_step_q  <= '0;
      d_valid_q <= loads;
      if (loads) begin
        d_fill_q   <= filling;
        d_read_q   <= read;
        d_zero_q   <= zero;
        d_victim_q <= back;
        d_write_q  <= write;
        d_push_q   <= pushes;
      end
      if (pushes) begin
        d_op_q    <= back || send ? rf_cerf_pkg::MISS_WRITE : miss ? rf_cerf_pkg::MISS_FETCH : rf_cerf_pkg::MISS_ATOMIC;
        d_line_q  <= back ? old_line : req_line;
        d_entry_q <= ask ? free_entry : '0;
      end
      if (read || back || write) d_row_q <= place_row;
      if (read || zero) d_id_q <= req_id_i;
      if (write || back || words) d_mask_q <= mask_d;
      if (filling || write || words) d_data_q <= data_d;
      if (filling) begin
        d_count_q  <= fill_count;
        d_target_q <= fill_target;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      r_valid_q <= 1'b0;
      r_zero_q  <= 1'b0;
      r_id_q    <= '0;
    end else begin
      r_valid_q <= d_valid_q && (d_read_q || d_zero_q);
      if (d_valid_q && (d_read_q || d_zero_q)) begin
        r_zero_q <= d_zero_q;
        r_id_q   <= d_id_q;
      end
    end
  end

endmodule

`default_nettype wire
