// SPDX-License-Identifier: Apache-2.0
// One bank of the tag array of the integrated memory: tags, states and ages of SETS sets of WAYS ways.
//
// Latency:  one lookup a cycle, answered in the same cycle; update_i changes the entry that was looked up at the edge.
// Lookup:   the entry is that of way_i with by_way_i; else that of the way that hits, of two the lowest; else that of the victim
//           (rf_line_victim), way 0 when there is none. What is shown is what it holds before the edge.
// Update:   the state by event_i (rf_line_state); with allocate_i from inactive, and the tag becomes tag_i; with touch_i the
//           entry becomes the youngest of its set.
// Range:    a way that does not exist is way 0; a set counts mod SETS.
// Reset:    every entry inactive, way w has age w; the tags are a memory and have none.
// Source:   [CERF III-B to III-D].
`default_nettype none

module rf_tag_bank #(
  /// Sets, a power of two, 1 to 256.
  parameter int unsigned SETS = 64,
  /// Ways, 1 to 8.
  parameter int unsigned WAYS = 4,
  /// Bits of a tag, 1 to 25.
  parameter int unsigned TAG_W = 17,
  /// 0: fair, 1: registers first, 2: cache data first.
  parameter int unsigned POLICY = 0,
  localparam int unsigned SET_W = rf_pkg::index_bits(SETS),
  localparam int unsigned WAY_W = rf_pkg::index_bits(WAYS)
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  /// The set.
  input  logic [SET_W-1:0] set_i,
  /// The tag looked for.
  input  logic [TAG_W-1:0] tag_i,
  /// The newcomer, if there is no hit, is cache data.
  input  logic             cache_i,
  /// The entry is that of ...
  input  logic             by_way_i,
  /// ... this way.
  input  logic [WAY_W-1:0] way_i,
  /// The edge changes the entry:
  input  logic             update_i,
  /// what happens to it,
  input  logic [2:0]       event_i,
  /// it gets the tag,
  input  logic             allocate_i,
  /// it becomes the youngest.
  input  logic             touch_i,
  /// A way of the set has the tag.
  output logic             hit_o,
  /// Way of the entry,
  output logic [WAY_W-1:0] way_o,
  /// its state;
  output logic [1:0]       state_o,
  /// its content is lost if it is replaced;
  output logic             spill_o,
  /// its tag.
  output logic [TAG_W-1:0] old_tag_o,
  /// No hit, and the entry may be replaced.
  output logic             victim_o
);

  if (SETS < 1 || SETS > 256 || (SETS & (SETS - 1)) != 0) begin : gen_sets_range
    $error("rf_tag_bank: SETS must be a power of two, 1 to 256");
  end
  if (WAYS < 1 || WAYS > 8 || TAG_W < 1 || TAG_W > 25 || POLICY > 2) begin : gen_range
    $error("rf_tag_bank: WAYS 1 to 8, TAG_W 1 to 25, POLICY 0 to 2");
  end

  localparam int unsigned AGE_W = WAY_W;
  localparam logic [SET_W-1:0] LAST = SET_W'(SETS - 1);

  // Way w has age w.
  function automatic logic [WAYS*AGE_W-1:0] in_order();
    for (int w = 0; w < WAYS; w++) in_order[w*AGE_W +: AGE_W] = AGE_W'(w);
  endfunction
  localparam logic [WAYS*AGE_W-1:0] AGES = in_order();

  logic [WAYS*2-1:0]     state_q [0:SETS-1];
  logic [WAYS*AGE_W-1:0] age_q [0:SETS-1];
  logic [WAYS*TAG_W-1:0] tag_q [0:SETS-1];

  // ---- The set, and what it has.
  logic [SET_W-1:0]      set;
  logic [WAYS*2-1:0]     states;
  logic [WAYS*AGE_W-1:0] ages;
  logic [WAYS*TAG_W-1:0] tags;

  assign set    = set_i & LAST;
  assign states = state_q[set];
  assign ages   = age_q[set];
  assign tags   = tag_q[set];

  // ---- Lookup.
  logic [WAYS-1:0]  hits, first, entry;
  logic [WAY_W-1:0] named, hit_way, victim_way;
  logic             found;

  for (genvar w = 0; w < WAYS; w++) begin : gen_way
    assign hits[w]  = states[w*2 +: 2] != rf_cerf_pkg::LINE_INACTIVE && tags[w*TAG_W +: TAG_W] == tag_i;
    assign entry[w] = way_o == WAY_W'(w);
  end
  for (genvar k = 0; k < WAY_W; k++) begin : gen_number
    assign hit_way[k] = |(first & rf_pkg::NUMBERS[k*64 +: WAYS]);
  end

  rf_line_victim #(.WAYS(WAYS), .POLICY(POLICY)) u_victim (
    .state_i(states), .age_i(ages), .cache_i, .valid_o(found), .way_o(victim_way)
  );

  // One bit more than the way, so that WAYS itself fits.
  assign named    = ({1'b0, way_i} < (WAY_W + 1)'(WAYS)) ? way_i : '0;
  assign first    = `RF_LOWEST(hits);
  assign hit_o    = hits != '0;
  assign victim_o = !by_way_i && !hit_o && found;
  assign way_o    = by_way_i ? named : hit_o ? hit_way : victim_way;

  logic [AGE_W-1:0] age;

  always_comb begin
    state_o   = '0;
    old_tag_o = '0;
    age       = '0;
    for (int w = 0; w < WAYS; w++) begin
      state_o   = state_o | (states[w*2 +: 2] & {2{entry[w]}});
      old_tag_o = old_tag_o | (tags[w*TAG_W +: TAG_W] & {TAG_W{entry[w]}});
      age       = age | (ages[w*AGE_W +: AGE_W] & {AGE_W{entry[w]}});
    end
  end

  // ---- What the event makes of it: of the entry as it is, and of a vacant one, which has nothing to lose.
  logic [1:0] kept, fresh, next, lost;

  rf_line_state #(.ENTRIES(2)) u_state (
    .state_i({rf_cerf_pkg::LINE_INACTIVE, state_o}), .event_i({event_i, event_i}), .next_o({fresh, kept}), .spill_o(lost)
  );

  assign spill_o = |lost;
  assign next    = allocate_i ? fresh : kept;

  // ---- The edge.
  logic [WAYS*2-1:0]     states_d;
  logic [WAYS*AGE_W-1:0] ages_d;
  logic [WAYS*TAG_W-1:0] tags_d;

  for (genvar w = 0; w < WAYS; w++) begin : gen_next
    assign states_d[w*2 +: 2]       = entry[w] ? next : states[w*2 +: 2];
    assign tags_d[w*TAG_W +: TAG_W] = entry[w] ? tag_i : tags[w*TAG_W +: TAG_W];
    assign ages_d[w*AGE_W +: AGE_W] = entry[w] ? '0 : ages[w*AGE_W +: AGE_W] + AGE_W'(ages[w*AGE_W +: AGE_W] < age);
  end

  always_ff @(posedge clk_i) begin
    if (update_i && allocate_i && rst_ni) tag_q[set] <= tags_d;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      for (int h = 0; h < SETS; h += 64)
        for (int s = h; s < h + 64 && s < SETS; s++) begin
          state_q[s] <= '0;
          age_q[s]   <= AGES;
        end
    end else if (update_i) begin
      state_q[set] <= states_d;
      if (touch_i) age_q[set] <= ages_d;
    end
  end

endmodule

`default_nettype wire
