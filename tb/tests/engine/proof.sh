# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# `lockstep prove`: the model against the RTL. Read by tb/tests/engine_tests.sh.
sections="$sections proof cuts broken_proofs"

proof() {
    demand 'a proof' 0 'proved rf_rr N=4|5 outputs 4 registers' "$tool" prove rf_rr --param N=4 --record "$here/record"
    expect '... and its record' "$(cat "$here/record")" grep -q '"unit":"rf_rr","params":"N=4","status":"proved".*"trials":4096.*"model_hash":"[0-9a-f]' "$here/record"
    demand 'a proof under invariants' 0 'proved rf_fifo_ctrl DEPTH=3 2 invariants' "$tool" prove rf_fifo_ctrl --param DEPTH=3
    demand 'loops over bits, and an index that depends on the inputs' 0 'proved rf_arbiter BANKS=3' "$tool" prove rf_arbiter --param BANKS=3 --param COLLECTORS=3
    demand 'a memory' 0 'proved rf_bank' "$tool" prove rf_bank --param ROWS=5 --param LANES=1
    vary rtl/common/rf_fifo_ctrl.sv "$here/fifo.sv" -e "s/level_q + LEVEL_W'(write_o) - LEVEL_W'(read);/level_q + LEVEL_W'(write_o) - LEVEL_W'(read \\&\\& !(rd_ptr_q == 2 \\&\\& level_q == 1 \\&\\& !write_o));/"
    demand 'one wrong transition' 1 'different rf_fifo_ctrl DEPTH=3|register level_q' "$tool" prove rf_fifo_ctrl --param DEPTH=3 --rtl "$here/fifo.sv" --output "$here/out"
    cp "$here/out/failure.case" "$here/found.case"
    check '... whose case fails alone' 1 mismatch 'level_q' replay "$here/found.case"
    vary rtl/common/rf_rr.sv "$here/reset.sv" -e "s/mask_q <= '0;/mask_q <= '1;/"
    demand 'a wrong reset' 1 'different rf_rr|register mask_q' "$tool" prove rf_rr --rtl "$here/reset.sv" --output "$here/out"
    vary rtl/common/rf_rr.sv "$here/edge.sv" -e 's/posedge clk_i/negedge clk_i/'
    demand 'the other edge' 2 'rising clk_i' "$tool" prove rf_rr --rtl "$here/edge.sv"
    vary rtl/common/rf_rr.sv "$here/gated.sv" -e 's/posedge clk_i/posedge gated/' -e 's/^  assign valid_o .*/&\n  wire gated = clk_i \& req_i[0];/'
    demand 'a gated clock' 2 'rising clk_i' "$tool" prove rf_rr --rtl "$here/gated.sv"
    vary rtl/common/rf_rr.sv "$here/free.sv" -e "s/valid_o = req_i != '0/valid_o = (req_i != '0) ^ nothing/" -e 's/^  logic \[N-1:0\] mask_q.*/&\n  \/\/ verilator lint_off UNDRIVEN\n  logic nothing;/'
    demand 'a net that nothing drives' 2 'undecided rf_rr|RTL field' "$tool" prove rf_rr --rtl "$here/free.sv"
    # X behind either end of a part select is 0: as where source 0 begins three bits early, and where the range is not looked at.
    vary rtl/banked/rf_crossbar.sv "$here/early.sv" -e "s/? data_i\[sel\*WIDTH +: WIDTH\]/? WIDTH'({more >> 3})/" \
        -e "s/^  always_comb begin/  logic signed [31:0] at;\n  logic [WIDTH+2:0] more;\n\n&/" -e "s/^      sel = .*/&\n      at = 32'(sel) * WIDTH - 3;\n      more = data_i[at +: WIDTH+3];/"
    demand 'a part select that begins below bit 0' 0 'proved rf_crossbar SRC=5' "$tool" prove rf_crossbar --rtl rtl/common/rf_pkg.sv "$here/early.sv" --param SRC=5 --param DST=1 --param WIDTH=6
    vary "$here/early.sv" "$here/shifted.sv" -e "s/more >> 3/more >> 2/"
    demand '... and a bit beside' 1 'different rf_crossbar SRC=5|output data' "$tool" prove rf_crossbar --rtl rtl/common/rf_pkg.sv "$here/shifted.sv" --param SRC=5 --param DST=1 --param WIDTH=6 --output "$here/out"
    vary rtl/banked/rf_crossbar.sv "$here/beyond.sv" -e "s/ && {1'b0, sel} < (SEL_W + 1)'(SRC)//"
    demand '... that may be behind the last' 0 'proved rf_crossbar SRC=5' "$tool" prove rf_crossbar --rtl rtl/common/rf_pkg.sv "$here/beyond.sv" --param SRC=5 --param DST=2 --param WIDTH=6
    demand 'planted faults' 0 'caught|2 2 faults' "$tool" faults rf_sched_lrr --prove --sample 2
    demand '... of a unit whose loops end under an invariant' 0 'caught|2 2 faults' "$tool" faults rf_sched_two_level --prove --sample 2
    demand '... at other parameters' 0 'caught|1 1 faults' "$tool" faults rf_sched_lrr --prove --sample 1 --param WARPS=5
    demand '... at parameters that are not those of the proof' 2 'faults --param --prove' "$tool" faults rf_sched_lrr --param WARPS=5
    demand 'what an invariant of many members says of its next state: an order' 0 'proved rf_ccu_scheduler WARPS=16' "$tool" prove rf_ccu_scheduler --param WARPS=16
    vary rtl/malekeh/rf_ccu_scheduler.sv "$here/ages.sv" -e "s/: older_q\[w\] & ~launch_i/: older_q[w] \& ~(launch_i \& ~(WARPS'(1) << 13))/"
    demand '... and one age that is wrong' 1 'different rf_ccu_scheduler WARPS=16|register older_q' "$tool" prove rf_ccu_scheduler --param WARPS=16 --rtl "$here/ages.sv" --output "$here/out"
    demand 'lanes that are independent' 0 'proved rf_bank|3 lanes 224 bits' "$tool" prove rf_bank --param ROWS=5 --param LANES=3 --lanes --record "$here/lanes"
    expect '... and their record' "$(cat "$here/lanes")" grep -q '"lanes":3,"lane_bits":224,"shared_bits":0' "$here/lanes"
    demand '... beside what is shared, in records' 0 'proved rf_ocu|2 lanes' "$tool" prove rf_ocu --param LANES=2 --param BANKS=2 --lanes
    vary rtl/banked/rf_bank.sv "$here/lane.sv" -e 's/mask\[l\] ? value\[l\*32 +: 32\]/mask[l] ? value[0 +: 32]/'
    demand '... that are not: lane 1 gets the value of lane 0' 1 'different rf_bank|mem_q lane 1 RTL' "$tool" prove rf_bank --param ROWS=5 --param LANES=2 --lanes --rtl "$here/lane.sv" --output "$here/out"
    vary rtl/banked/rf_bank.sv "$here/lane.sv" -e 's/assign rdata_o = rdata_q;/assign rdata_o = rdata_q ^ (DATA_W'"'"'(1) << 1);/'
    demand '... that are not alike: one bit is inverted in lane 0' 1 'different rf_bank|rdata lane 1 RTL' "$tool" prove rf_bank --param ROWS=5 --param LANES=2 --lanes --rtl "$here/lane.sv" --output "$here/out"
    demand '... that are compared with one another' 1 'different rf_verify|equal depends model' "$tool" prove rf_verify --param LANES=2 --param PREGS=16 --lanes --output "$here/out"
    demand '... by a line of tb/proof.sets' 0 'FAIL rf_verify equal depends' tb/tests/proofs.sh --line rf_verify LANES=2 PREGS=16 --lanes
    demand '... of a unit that has none' 2 'rf_rr LANES' "$tool" prove rf_rr --lanes
    demand '... of one lane' 2 'rf_bank LANES=1' "$tool" prove rf_bank --param LANES=1 --lanes
    demand '... of a netlist' 2 'prove --lanes --netlist' "$tool" prove rf_rr --lanes --netlist
    vary rtl/common/rf_rr.sv "$here/header.sv" -e 's/^module rf_rr/& import rf_pkg::*;/'
    for what in prove 'prove --netlist' energy synth 'run --netlist'; do
        # shellcheck disable=SC2086 # words
        demand "RTL that Yosys cannot read: $what" 2 'header.sv:|syntax error|yosys: 1' "$tool" ${what% --netlist} rf_rr --rtl rtl/common/rf_pkg.sv "$here/header.sv" ${what#${what% --netlist}}
    done
    demand 'a map' 2 'prove --map --netlist' "$tool" prove rf_rr --rtl x.sv --map y.map
    demand 'a library' 2 'prove --lib --netlist' "$tool" prove rf_rr --lib x.lib
    mkdir -p "$here/bin"
    ln -sf "$(command -v yosys)" "$here/bin/yosys"
    demand 'no clang' 2 'proofs clang-14|apt-get install clang-14' env PATH="$here/bin" "$PWD/$tool" prove rf_rr
}

# Units inside replaced by their models.
cuts() {
    file=rtl/banked/rf_stage_results.sv
    cut() { # name, exit code, facts, options…
        name=$1 status=$2 facts=$3
        shift 3
        demand "$name" "$status" "$facts" "$tool" prove rf_stage_results --param WARPS=5 --param BANKS=3 --param REGS=7 --param LANES=1 \
            --param EXPORTS=2 --param WBDEPTH=3 --output "$here/out" "$@"
    }
    cut 'a unit is cut' 0 'proved rf_stage_results 2 invariants|rf_wbq DEPTH=3 LANES=1 WARPS=5 REGS=7 BANKS=3 ROWS=15' --cut rf_wbq --record "$here/record"
    expect '... and its record' "$(cat "$here/record")" grep -q '"follows_from":\[{"unit":"rf_wbq DEPTH=3 LANES=1 [^"]*"}\]' "$here/record"
    cut '... and is proved by itself, too' 0 'proved rf_stage_results|rf_wbq DEPTH=3 proved, s' --cut rf_wbq --units --record "$here/units"
    expect '... and its record' "$(cat "$here/units")" grep -q '"follows_from":\[{"unit":"rf_wbq DEPTH=3 [^"]*","status":"proved","seconds":[0-9.]*}\]' "$here/units"
    # What is wrong in the unit itself is not seen: its own proof sees it.
    vary rtl/banked/rf_wbq.sv "$here/inside.sv" -e "s/wr_warp_o = warp_q\[rd_ptr\]/wr_warp_o = '0/"
    cut 'a fault in its RTL' 0 'proved rf_stage_results' --rtl "$here/inside.sv" $file --cut rf_wbq
    cut '... which its own proof sees' 2 'different rf_wbq|output wr_warp|mismatch rf_wbq|undecided rf_stage_results|rf_wbq DEPTH=3 is not proved|rf_wbq DEPTH=3 different, s' --rtl rtl/common/rf_pkg.sv rtl/banked/rf_banked_pkg.sv "$here/inside.sv" $file --cut rf_wbq --units
    cut '... without a cut' 1 'different rf_stage_results|output wr_warp' --rtl "$here/inside.sv" $file
    vary $file "$here/index.sv" -e 's/(wr_grant_i\[e\])/(wr_grant_i[EXPORTS-1-e])/'
    cut 'a wire from the wrong place' 1 'different rf_stage_results|level_q|mismatch rf_stage_results' --rtl "$here/index.sv" --cut rf_wbq
    vary $file "$here/swap.sv" -e 's/(res_mask_i\[e\*LANES +: LANES\])/(LANES'"'(res_valid_i[e]))"'/'
    cut 'a wire from another port' 1 'different rf_stage_results|mask_q|mismatch rf_stage_results' --rtl "$here/swap.sv" --cut rf_wbq
    vary rtl/banked/rf_wbq.sv "$here/not.sv" -e 's/<= push_note_i/<= ~push_note_i/'
    vary $file "$here/undo.sv" -e 's/(res_note_i\[/(~res_note_i[/'
    cut 'a unit that is not its model, which undoes a fault around it' 2 'different rf_stage_results|note_q|replay cut model' --rtl "$here/not.sv" "$here/undo.sv" --cut rf_wbq
    vary $file "$here/banks.sv" -e 's/BANKS(BANKS)/BANKS(BANKS + 1)/'
    cut 'its parameters are those of the RTL' 0 'proved rf_stage_results|BANKS=4' --rtl "$here/banks.sv" --cut rf_wbq
    vary $file "$here/reset.sv" -e 's/rst_ni(rst_ni)/rst_ni(rst_ni || res_valid_i[0])/'
    cut 'another reset' 2 'gen_wbq[0].u_wbq reset' --rtl "$here/reset.sv" --cut rf_wbq
    vary $file "$here/clock.sv" -e 's/clk_i(clk_i)/clk_i(clk_i \&\& res_valid_i[0])/'
    cut 'another clock' 2 'gen_wbq[0].u_wbq clock' --rtl "$here/clock.sv" --cut rf_wbq
    cut 'a unit that is not there' 2 '--cut rf_stage_results' --cut rf_rr
    cut 'no unit' 2 '--cut rf_xx' --cut rf_xx
    demand 'a netlist' 2 'prove --cut --netlist' "$tool" prove rf_wbq --cut all --netlist
    # Planted faults: the last line of tb/proof.sets with a cut, or without.
    mkdir -p "$here/root"
    cp -r rtl cmodel harness tb "$here/root"
    planted() { # name, exit code, facts, lines of tb/proof.sets, options…
        name=$1 status=$2 facts=$3
        printf "$4" >"$here/root/tb/proof.sets"
        shift 4
        demand "$name" "$status" "$facts" env LOCKSTEP_ROOT="$here/root" "$tool" faults rf_sched_lrr --prove --sample 1 "$@"
    }
    planted 'planted faults, whole, where the last line is a cut' 0 'caught|1 1 faults' 'rf_sched_lrr WARPS=5\nrf_sched_lrr WARPS=0 --cut all\n'
    planted '... and where a whole one is' 1 'NOT RUN|WARPS' 'rf_sched_lrr WARPS=5 --cut all\nrf_sched_lrr WARPS=0\n'
    planted '... in the wiring' 0 'caught|1 1 faults' 'rf_sched_lrr WARPS=5 --cut all\nrf_sched_lrr WARPS=0\n' --turn 5 --cut all
    planted '... in a unit that is cut' 1 'MISSED|0 1 faults' 'rf_sched_lrr WARPS=5 --cut all\nrf_sched_lrr WARPS=0\n' --cut all
    demand 'units of nothing that is cut' 2 'prove --units --cut' "$tool" prove rf_wbq --units
}

# A model of a project, and what a proof finds in it that no comparison with RTL can.
broken_proofs() {
    p=$here/project
    proves() { # name, exit code, facts
        demand "$1" "$2" "$3" env -C "$p" "$PWD/$tool" prove arb_tree --output "$here/out"
        rm -rf "$p"
        cp -r tb/tests/foreign "$p"
    }
    rm -rf "$p"
    cp -r tb/tests/foreign "$p"
    proves 'recursion, an array of addresses, a reset that is high' 0 'proved arb_tree'
    sed -i 's/\*turn(m, i) = !right/*turn(m, i) = (uint8_t)right/' "$p/model/arb_tree.c"
    proves 'a wrong model' 1 'different arb_tree|mismatch arb_tree'
    sed -i 's/^    out->any = .*/&\n    static const uint8_t table[4];\n    out->any |= table[in->requests \& 7];/' "$p/model/arb_tree.c"
    proves 'an index out of bounds' 1 'different arb_tree|arb_tree.c:52 index'
    sed -i 's/^    out->any = .*/&\n    out->any |= (uint8_t)(0u >> (in->requests \& 63));/' "$p/model/arb_tree.c"
    proves 'a shift out of range' 1 'different arb_tree|arb_tree.c:51 shift'
    sed -i 's/^    out->winner = .*/    if (out->any) out->winner = (uint8_t)(i - 8);/' "$p/model/arb_tree.c"
    proves 'an output that is not always set' 1 'different arb_tree|winner value'
    sed -i 's/^    uint32_t i = 1;/    uint8_t known[2];\n    known[in->accept] = 1;\n    uint32_t i = known[0] ? 1 : 1;/' "$p/model/arb_tree.c"
    proves 'a value that was never set' 1 'different arb_tree|decision value'
    sed -i 's/^} arb_tree;/    uint8_t secret;\n} arb_tree;/' "$p/model/arb_tree.h"
    sed -i 's/^    const arb_tree now = \*m;/&\n    m->secret = in->accept;/' "$p/model/arb_tree.c"
    proves 'state that no field names' 1 'different arb_tree|struct arb_tree field'
    echo 'INVARIANT(0, "never")' >>"$p/tb/arb_tree.fields"
    proves 'an invariant that no state fulfils' 1 'different arb_tree|invariant reset never'
    echo 'INVARIANT(m->node_1_n_turn == 0, "always left")' >>"$p/tb/arb_tree.fields"
    proves 'an invariant that is not kept' 1 'different arb_tree|invariant next always left'
    printf '  INVARIANT(m->node_1_n_turn == 0, "always left")\n' >>"$p/tb/arb_tree.fields"
    proves 'one that is indented' 1 'different arb_tree|invariant next always left'
    sed -i 's/^    out->any = .*/&\n    for (uint32_t k = m->node_1_n_turn; k != 0; k \&= m->node_1_n_turn) out->any ^= 1;/' "$p/model/arb_tree.c"
    proves 'a loop that ends in some states' 2 'arb_tree.c:51 loop'
    sed -i 's/^    out->any = .*/&\n    for (uint32_t k = m->node_1_n_turn; k != 0; k \&= m->node_1_n_turn) out->any ^= 1;/' "$p/model/arb_tree.c"
    echo 'INVARIANT(m->node_1_n_turn == 0, "always left")' >>"$p/tb/arb_tree.fields"
    proves '... which the invariant says' 1 'different arb_tree|invariant next always left'
    sed -i 's/^    out->any = .*/&\n#pragma GCC diagnostic ignored "-Wuninitialized"\n    for (uint32_t k = 0; k < 2; k++) {\n        uint8_t once[2];\n        if (k == 0) once[in->accept] = once[!in->accept] = 0;\n        out->any ^= once[in->accept];\n    }/' "$p/model/arb_tree.c"
    proves 'a local of another turn of a loop' 1 'different arb_tree|any value'
    sed -i 's/^    out->any = .*/&\n    for (uint32_t k = in->requests; k != 1; k = k * 5 + 1) out->any ^= 1;/' "$p/model/arb_tree.c"
    proves 'a loop without a bound' 2 'arb_tree.c:51 loop'
}
