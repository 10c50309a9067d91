#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What `lockstep export` makes, in other simulators: a unit as it is passes, a planted fault is found in the same cycle and field as by lockstep run;
# what a checker must refuse. With TURN one unit in three, others with another commit. One line a check; ends with "N passed, N failed".
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
. tb/tests/icarus_copies.sh
. tb/speed/cxxrtl.sh
work=$PWD/build/export-tests
here=$work
needs_tool
for t in verilator iverilog iverilog-vpi vvp; do command -v "$t" >/dev/null || { echo "no $t: make deps-test"; exit 2; }; done
rm -rf "$work"
mkdir -p "$work"
make_record_of "$work"
cycles=300

# The commands of a folder's README.md that begin so, as it says to type them.
commands() { sed -n "/^    $2/,/^\$/s/^    //p" "$1/README.md"; }

# A unit as $unit, its parameters as $params; $good and $bad are lists of its RTL, the second with the fault, and $cycle, $field, $value what
# lockstep run says of that.
plant() { # unit, parameters, file, sed's command
    unit=$1 params='' section="$1"
    for p in $2; do params="$params --param $p"; done
    dir=$work/$unit
    mkdir -p "$dir/rtl"
    good=$("$tool" list "$unit" --files)
    sed -E "$4" "$3" >"$dir/rtl/${3##*/}"
    if cmp -s "$3" "$dir/rtl/${3##*/}"; then bad 'a fault' "nothing is planted in $3"; return 1; fi
    bad=$(echo "$good" | sed "s|$3|$dir/rtl/${3##*/}|")
    # shellcheck disable=SC2086
    "$tool" run "$unit" $params --cycles "$cycles" --rtl "$dir/rtl/${3##*/}" --no-shrink --output "$dir/run" --record "$dir/record" >"$dir/run.log" 2>&1
    cycle=$("$work/record_of" mismatch.cycle <"$dir/record") field=$("$work/record_of" mismatch.rtl_name <"$dir/record")
    value=$("$work/record_of" mismatch.rtl <"$dir/record")
    expect 'lockstep run finds the fault' "$(tail -n 3 "$dir/run.log" | tr '\n' ' ')" [ -n "$cycle" ]
}

# The first line of a difference, in a checker's output: the run's cycle and field, and its value without leading zeros.
finds() { # name, output, exit status
    line=$(grep -m 1 '^mismatch' "$2")
    short=$(echo "$value" | sed 's/^0*\(.\)/\1/')
    at="cycle $cycle, time [0-9]+: [a-z ]+ $(echo "$field" | sed 's/[].[]/\\&/g')(\\[[0-9]+\\])?: RTL $short, "
    if [ "$3" -ne 0 ] && echo "$line" | grep -qE "$at"; then ok "$1"; else bad "$1" "status $3, \"$line\" is not: $at"; fi
}

# $unit in Icarus, with vectors and with the VPI module in the same simulation, and in Icarus with the module alone.
in_icarus() {
    # shellcheck disable=SC2086
    demand 'export to vectors' 0 README.md "$tool" export "$unit" $params --to vectors --cycles "$cycles" -o "$dir/vectors" || return
    # shellcheck disable=SC2086
    demand 'export to vpi' 0 README.md "$tool" export "$unit" $params --to vpi -o "$dir/vpi" || return
    commands "$dir/vpi" iverilog-vpi >"$dir/vpi/make.sh"
    (cd "$dir/vpi" && sh -e make.sh) >"$dir/vpi/make.log" 2>&1
    expect 'its module compiles without a warning' "$(grep -m 3 -E 'warning|error' "$dir/vpi/make.log")" \
        sh -c "[ -s '$dir/vpi/${unit}_lockstep.vpi' ] && ! grep -qE 'warning|error' '$dir/vpi/make.log'"
    for what in good bad; do
        mkdir -p "$dir/$what"
        eval "files=\$$what"
        # shellcheck disable=SC2046,SC2086
        iverilog -g2012 -DSYNTHESIS -s "${unit}_tb" -o "$dir/$what/vvp" $(icarus_copies "$dir/$what" $files) "$dir/vectors/${unit}_tb.sv" >"$dir/$what/said" 2>&1
        vvp -n "$dir/$what/vvp" +vectors="$dir/vectors" >"$dir/$what/vectors.out" 2>&1
        of_vectors=$?
        vvp -n -M "$dir/vpi" -m "${unit}_lockstep" "$dir/$what/vvp" +vectors="$dir/vectors" >"$dir/$what/vpi.out" 2>&1
        of_vpi=$?
        if [ "$what" = good ]; then
            expect 'vectors in Icarus pass' "$(tail -n 2 "$dir/good/said" "$dir/good/vectors.out" | tr '\n' ' ')" \
                sh -c "[ $of_vectors -eq 0 ] && grep -q '^$unit: $cycles .*equal' '$dir/good/vectors.out'"
            expect 'vpi in Icarus passes' "$(tail -n 2 "$dir/good/vpi.out" | tr '\n' ' ')" \
                sh -c "[ $of_vpi -eq 0 ] && grep -qE '^lockstep +$unit ${unit}_tb.dut: [0-9]+ cycles.*, [0-9]+ bits, 0 differences' '$dir/good/vpi.out'"
        else
            finds 'vectors in Icarus find the fault' "$dir/bad/vectors.out" "$of_vectors"
            finds 'vpi in Icarus finds it' "$dir/bad/vpi.out" "$of_vpi"
        fi
    done
}

# The vectors in a design that Yosys wrote as C++.
in_cxxrtl() {
    for what in good bad; do
        eval "files=\$$what"
        # shellcheck disable=SC2086
        cxxrtl_bench "$dir/cxxrtl" "$unit" "$(echo "$params" | sed 's/--param//g')" $files && "$dir/cxxrtl/bench" "$unit" "$dir/vectors" >"$dir/$what.out" 2>&1
        eval "of_$what=$?"
    done
    expect 'vectors in CXXRTL pass' "$(tail -n 2 "$dir/good.out")" sh -c "[ $of_good -eq 0 ] && grep -q '^$unit: $cycles .*equal' '$dir/good.out'"
    expect 'vectors in CXXRTL find the fault' "$(tail -n 2 "$dir/bad.out")" sh -c "[ $of_bad -eq 1 ] && grep -q '^mismatch  cycle $cycle: ' '$dir/bad.out'"
}

if sampled 3 && plant rf_arbiter BANKS=4 rtl/banked/rf_arbiter.sv "s/\.take_i\(!blocked\)/.take_i(1'b1)/"; then in_icarus; fi
if sampled 3 && plant rf_bank 'ROWS=8 LANES=2' rtl/banked/rf_bank.sv 's/<= merge\(/<= ~merge(/'; then in_icarus; in_cxxrtl; fi
if sampled 3 && plant rf_ocu 'LANES=2' rtl/banked/rf_ocu.sv 's/else if \(alloc\) begin/else if (alloc_i) begin/'; then in_icarus; in_cxxrtl; fi

# ---- RTL with names of its own ----
maps=$PWD/tb/tests/engine/maps
# As plant, of RTL in tests/engine/maps: of what the model calls the field.
plant_mapped() { # unit, parameters, name, sed's command
    unit=$1 section="$1 as $3"
    dir=$work/$3
    mkdir -p "$dir/rtl"
    good=$maps/$3.sv bad=$dir/rtl/$3.sv params="--map $maps/$3.map"
    for p in $2; do params="$params --param $p"; done
    sed -E "$4" "$good" >"$bad"
    # shellcheck disable=SC2086
    "$tool" run "$unit" $params --cycles "$cycles" --rtl "$bad" --no-shrink --output "$dir/run" --record "$dir/record" >"$dir/run.log" 2>&1
    cycle=$("$work/record_of" mismatch.cycle <"$dir/record") field=$("$work/record_of" mismatch.field <"$dir/record")
    value=$("$work/record_of" mismatch.rtl <"$dir/record")
    params="$params --rtl $good"
    expect 'lockstep run finds the fault' "$(tail -n 3 "$dir/run.log" | tr '\n' ' ')" [ -n "$cycle" ]
}
if sampled 3 && plant_mapped rf_rr N=5 rr "s/used && asks != 0/asks != 0/"; then in_icarus; fi
if sampled 3 && plant_mapped rf_fifo_ctrl '' fifo "s/place.head \+ 1'b1/place.head + 2'd3/"; then in_icarus; fi
if sampled 3 && plant_mapped rf_bank 'ROWS=8 LANES=2' plain_bank 's/(cell_q\[wr_at\]) <= d/\1 <= ~d/'; then in_icarus; fi

# ---- a unit of a project, which has its models itself ----
section=project unit=arb_tree dir=$work/project
cp -r tb/tests/foreign "$dir"
lockstep=$(realpath "$tool")
demand 'export to vpi' 0 README.md sh -c "cd '$dir' && '$lockstep' export arb_tree --to vpi -o vpi"
demand 'export to vectors' 0 README.md sh -c "cd '$dir' && '$lockstep' export arb_tree --to vectors --cycles $cycles -o vectors"
commands "$dir/vpi" iverilog-vpi >"$dir/vpi/make.sh"
expect 'its module compiles' "$(tail -n 3 "$dir/vpi/make.log" 2>&1)" sh -c "cd '$dir/vpi' && sh -e make.sh >make.log 2>&1"
sed 's/turn <= ~/turn <= /' "$dir/rtl/arb_tree.sv" >"$dir/fault.sv"
for file in rtl/arb_tree fault; do
    iverilog -g2012 -s arb_tree_tb -o "$dir/vvp" "$dir/$file.sv" "$dir/vectors/arb_tree_tb.sv"
    vvp -n -M "$dir/vpi" -m arb_tree_lockstep "$dir/vvp" +vectors="$dir/vectors" +lockstep_go_on >"$dir/${file##*/}.out" 2>&1
done
expect 'vectors and module pass' "$(tail -n 2 "$dir/arb_tree.out")" says "$dir/arb_tree.out" "arb_tree: $cycles equal|298 cycles 0 differences"
expect 'both find a fault' "$(head -n 4 "$dir/fault.out")" says "$dir/fault.out" 'mismatch arb_tree: cycle|mismatch arb_tree arb_tree_tb.dut: cycle|=register node['

# ---- X: with +lockstep_pass_x its bits are not compared, and a fault beside them is found ----
section=X
dir=$work/x
mkdir -p "$dir"
cat >"$dir/bench.sv" <<'LINES'
module bench;
  reg clock = 1, reset_n = 0, take = 0;
  reg [7:0] asks = 0;
  wire [7:0] grant;
  integer n = 0;
  always #5 clock = !clock;
  always @(negedge clock) begin
    reset_n <= n > 2; asks <= $random & $random; take <= $random; n <= n + 1;
    if (n == 300) $finish;
  end
  rf_rr #(.N(8)) dut (.clk_i(clock), .rst_ni(reset_n), .req_i(asks), .take_i(take), .grant_o(grant), .valid_o());
endmodule
LINES
sed "s/assign grant_o = \(.*\);/assign grant_o = valid_o ? \1 : 'x;/" rtl/common/rf_rr.sv >"$dir/rf_rr.sv"
sed 's/take_i && valid_o/valid_o/' "$dir/rf_rr.sv" >"$dir/fault.sv"
"$tool" export rf_rr --to vpi -o "$dir/vpi" --quiet
commands "$dir/vpi" iverilog-vpi >"$dir/vpi/make.sh"
(cd "$dir/vpi" && sh -e make.sh) >"$dir/vpi/make.log" 2>&1
for file in rf_rr fault; do
    mkdir -p "$dir/$file"
    # shellcheck disable=SC2046
    iverilog -g2012 -DSYNTHESIS -s bench -o "$dir/$file/vvp" $(icarus_copies "$dir/$file" "$dir/$file.sv") "$dir/bench.sv"
done
demand 'an X at an output differs' 1 'output grant_o: RTL xx model 0' vvp -n -M "$dir/vpi" -m rf_rr_lockstep "$dir/rf_rr/vvp"
demand '... and not with +lockstep_pass_x' 0 '297 cycles 0 differences' vvp -n -M "$dir/vpi" -m rf_rr_lockstep "$dir/rf_rr/vvp" +lockstep_pass_x
demand '... which finds a fault all the same' 1 'register mask_q: RTL|3 cycles 1 difference' vvp -n -M "$dir/vpi" -m rf_rr_lockstep "$dir/fault/vvp" +lockstep_pass_x

# ---- several checkers in one bench: a memory that is swept, a unit without a clock, a map; each has a fault with +bug=N ----
section='three in Verilator'
dir=$work/three
mkdir -p "$dir/rtl"
cat >"$dir/bench.sv" <<'LINES'
module bench;
  logic clock = 1, reset_n = 0, rest = 0;
  int n = 0, turns = 4000;
  always #5 clock = !clock;
  logic we = 0, re = 0;
  logic [9:0] waddr = 0, raddr = 0;
  logic [63:0] wdata = 0, rdata;
  logic [1:0] ask = 0;
  logic [31:0] hash;
  always @(negedge clock) begin
    reset_n <= n > 2;
    we <= $urandom_range(1) != 0 && !rest;
    re <= $urandom_range(1) != 0;
    waddr <= n < 1100 ? 10'(n) : 10'($urandom);
    raddr <= 10'($urandom);
    wdata <= {$urandom, $urandom};
    n <= n + 1;
    if (n == turns) $finish;
  end
  always @(posedge clock) ask <= 2'($urandom);
  rf_bank #(.ROWS(1024), .LANES(2)) bank (.clk_i(clock), .rst_ni(reset_n), .we_i(we), .waddr_i(waddr), .wmask_i(2'b11), .wdata_i(wdata),
    .re_i(re), .raddr_i(raddr), .rdata_o(rdata));
  rf_h3 #(.LANES(1)) h3 (.data_i(wdata[31:0]), .hash_o(hash));
  queue fifo (.clk(clock), .nrst(reset_n), .ask(ask), .answer(), .places(), .held());
endmodule
LINES
bug() { printf '($test$plusargs("bug=%s") != 0)' "$1"; }
sed "s/if (write && rst_ni) mem_q\[waddr_i\] <= .*/if (write \&\& rst_ni) begin\n      mem_q[waddr_i] <= merge(mem_q[waddr_i], wdata_i, wmask_i);\n      if (waddr_i == 17 \&\& $(bug 1)) mem_q[42] <= '0;\n    end/" \
    rtl/banked/rf_bank.sv >"$dir/rtl/rf_bank.sv"
sed "s/hash_o\[\(.*\)\] = \(.*\);/hash_o[\1] = \2 ^ (\1 == 3 \&\& $(bug 2));/" rtl/wir/rf_h3.sv >"$dir/rtl/rf_h3.sv"
sed "s/place.head + 1'b1/place.head + 2'd1 + 2'($(bug 3))/" "$maps/fifo.sv" >"$dir/rtl/fifo.sv"
for file in rf_bank rf_h3 fifo; do
    expect "a fault in $file" 'none is planted' grep -q 'bug=' "$dir/rtl/$file.sv"
done
"$tool" export rf_bank --param ROWS=1024 --param LANES=2 --to sv-bind -o "$dir/bind" --quiet
commands "$dir/bind" 'cc ' >"$dir/bind/1.sh"
"$tool" export rf_h3 --param LANES=1 --to sv-bind -o "$dir/bind" --quiet
commands "$dir/bind" 'cc ' >"$dir/bind/2.sh"
"$tool" export rf_fifo_ctrl --rtl "$maps/fifo.sv" --map "$maps/fifo.map" --to sv-bind -o "$dir/bind" --quiet
commands "$dir/bind" 'cc ' >"$dir/bind/3.sh"
sources=$(cat "$dir/bind"/[123].sh | tr ' ' '\n' | grep '\.c$' | sort -u)
# shellcheck disable=SC2086
expect 'sources of three units, each once' "$(cat "$dir/cc.log" 2>&1)" sh -c "cd '$dir/bind' && cc -O1 -shared -fPIC -I. -o three.so $(echo $sources) >../cc.log 2>&1"
expect 'three checkers bind into one bench' "$(grep -m 2 -E 'Error|Warning' "$dir/own.log" 2>&1)" \
    sh -c "verilator --binary --timing -Wno-UNOPTFLAT -CFLAGS -O0 --Mdir '$dir/own' --top-module bench rtl/common/rf_pkg.sv '$dir/rtl/rf_bank.sv' '$dir/rtl/rf_h3.sv' \
        '$dir/rtl/fifo.sv' '$dir/bench.sv' '$dir'/bind/*_lockstep.sv '$dir/bind/three.so' >'$dir/own.log' 2>&1"
demand '... and pass' 0 'rf_bank TOP.bench.bank: 0 differences|rf_h3 TOP.bench.h3: 0 differences|rf_fifo_ctrl TOP.bench.fifo: 0 differences' "$dir/own/Vbench"
stops() { # name, facts, arguments…
    name=$1 facts=$2
    shift 2
    "$dir/own/Vbench" "$@" >"$dir/text" 2>&1
    got=$? # how $fatal ends a simulation differs between versions of Verilator
    if [ "$got" -ne 0 ] && says "$dir/text" "$facts"; then ok "$name"; else bad "$name" "exit $got: $(head -n 2 "$dir/text" | tr '\n' ' ')"; fi
}
stops 'a wild write into a swept memory' 'memory mem_q[42]: RTL 0 model' +bug=1
stops 'a wrong bit without a clock' 'rf_h3 TOP.bench.h3:|output hash_o: RTL|XOR 8' +bug=2
stops 'a wrong pointer with names of its own' 'rf_fifo_ctrl TOP.bench.fifo:|register rd_ptr_q: RTL' +bug=3

# ---- Verilator: a bench of a user's own, and the vectors' testbench; the fault is there with +bug, so that one binary serves both ----
if plant rf_arbiter BANKS=4 rtl/banked/rf_arbiter.sv "s/\.take_i\(!blocked\)/.take_i(1'b1)/"; then
    section='rf_arbiter in Verilator'
    sed -E 's/\.take_i\(!blocked\)/.take_i(!blocked || $test$plusargs("bug") != 0)/' rtl/banked/rf_arbiter.sv >"$dir/rtl/rf_arbiter.sv"
    demand 'export to vectors' 0 README.md "$tool" export rf_arbiter --param BANKS=4 --to vectors --cycles "$cycles" -o "$dir/vectors"
    demand 'export to sv-bind' 0 README.md "$tool" export rf_arbiter --param BANKS=4 --to sv-bind -o "$dir/bind"
    commands "$dir/bind" 'cc ' >"$dir/bind/make.sh"
    expect 'the model compiles as README.md says' "$(cat "$dir/bind/make.log" 2>&1)" sh -c "cd '$dir/bind' && sh -e make.sh >make.log 2>&1"
    cat >"$dir/bench.sv" <<'LINES'
module bench;
  logic clock = 1, started = 0;
  logic [267:0] lines [0:299], now = 1;
  int at = 0;
  initial begin
    string folder;
    if ($value$plusargs("vectors=%s", folder) == 0) $fatal(1, "+vectors=FOLDER");
    $readmemh({folder, "/rf_arbiter_inputs.hex"}, lines);
  end
  always #4 clock = !clock;
  always @(negedge clock) begin
    now <= lines[at];
    if ($test$plusargs("no_reset") != 0) now[0] <= 1;
    at <= at + 1;
    if (at == 300) $finish;
  end
  logic [23:0] rd_grant;
  logic [1:0] wr_grant;
  arbiters all (.clock, .reset_n(now[0]), .rest(now[267:4]), .rd_grant, .wr_grant);
endmodule
module arbiters (input logic clock, reset_n, input logic [263:0] rest, output logic [23:0] rd_grant, output logic [1:0] wr_grant);
  logic unused;
  rf_arbiter #(.BANKS(`BANKS)) first (.clk_i(clock), .rst_ni(reset_n), .rd_valid_i(rest[0 +: 24]), .rd_bank_i(rest[24 +: 48]),
    .rd_row_i(rest[72 +: 168]), .wr_valid_i(rest[240 +: 2]), .wr_bank_i(rest[244 +: 4]), .wr_row_i(rest[248 +: 14]),
    .rd_grant_o(rd_grant), .wr_grant_o(wr_grant), .bank_re_o(), .bank_raddr_o(), .bank_we_o(), .bank_waddr_o(), .bank_wsel_o());
endmodule
LINES
    rtl=$(echo "$bad" | sed "s| rtl/| $PWD/rtl/|g; s|^rtl/|$PWD/rtl/|")
    verilate() { # folder, top, file…
        folder=$1 top=$2
        shift 2
        # shellcheck disable=SC2086
        verilator --binary --timing -CFLAGS -O0 -DBANKS=4 --Mdir "$folder" --top-module "$top" $rtl "$@" >"$folder.log" 2>&1
    }
    expect 'the checker binds into a bench of its own' "$(grep -m 2 -E 'Error|Warning' "$dir/own.log" 2>&1)" \
        verilate "$dir/own" bench "$dir/bench.sv" "$dir/bind/rf_arbiter_lockstep.sv" "$dir/bind/rf_arbiter_lockstep.so"
    demand '... and passes' 0 "bench.all.first: 298 cycles 0 differences" "$dir/own/Vbench" +vectors="$dir/vectors"
    "$dir/own/Vbench" +vectors="$dir/vectors" +bug >"$dir/own.out" 2>&1
    finds '... finds the fault' "$dir/own.out" $?
    "$dir/own/Vbench" +vectors="$dir/vectors" +bug +lockstep_go_on >"$dir/own.out" 2>&1
    expect '... goes on after it with +lockstep_go_on, and fails' "status $?: $(tail -n 3 "$dir/own.out")" \
        sh -c "[ $? -ne 0 ] && grep -qE '298 cycles.*, [0-9]+ bits, [1-9]' '$dir/own.out'"
    "$dir/own/Vbench" +vectors="$dir/vectors" +no_reset >"$dir/own.out" 2>&1
    expect '... fails when nothing is compared' "status $?: $(tail -n 3 "$dir/own.out")" \
        sh -c "[ $? -ne 0 ] && grep -q nothing '$dir/own.out'"
    # shellcheck disable=SC2086
    demand 'an instance with other parameters is refused' 1 'BANKS=4 COLLECTORS=8' \
        verilator --lint-only --timing -Wno-WIDTH -DBANKS=2 --top-module bench $rtl "$dir/bench.sv" "$dir/bind/rf_arbiter_lockstep.sv"
    expect 'the testbench of vectors is built' "$(grep -m 2 -E 'Error|Warning' "$dir/tb.log" 2>&1)" \
        verilate "$dir/tb" rf_arbiter_tb "$dir/vectors/rf_arbiter_tb.sv"
    demand '... and passes' 0 "rf_arbiter: $cycles equal" "$dir/tb/Vrf_arbiter_tb" +vectors="$dir/vectors"
    "$dir/tb/Vrf_arbiter_tb" +vectors="$dir/vectors" +bug >"$dir/tb.out" 2>&1
    finds '... finds the fault' "$dir/tb.out" $?
    head -n 100 "$dir/vectors/rf_arbiter_inputs.hex" >"$dir/short" && mv "$dir/short" "$dir/vectors/rf_arbiter_inputs.hex"
    "$dir/tb/Vrf_arbiter_tb" +vectors="$dir/vectors" >"$dir/tb.out" 2>&1
    expect '... fails when a file is short' "status $?: $(tail -n 2 "$dir/tb.out")" sh -c "[ $? -ne 0 ] && grep -q fewer '$dir/tb.out'"
fi

# ---- all that is exported compiles: the table of every unit's fields names members of its model ----
section='table of fields'
"$tool" list --small >"$work/small"
while read -r unit set; do
    sampled 20 || continue
    params=''
    for p in $set; do params="$params --param $p"; done
    # shellcheck disable=SC2086
    "$tool" export "$unit" $params --to sv-bind -o "$work/all" --quiet >"$work/all.log" 2>&1 &&
        gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only -I "$work/all" "$work/all/${unit}_lockstep.c" "$work/all/lockstep_checker.c" >>"$work/all.log" 2>&1
    expect "$unit" "$(head -n 3 "$work/all.log" | tr '\n' ' ')" [ $? -eq 0 ]
done <"$work/small"

# ---- the example in Python ----
section=example
if command -v python3 >/dev/null; then
    make -s build/librfmodel.so
    "$tool" export rf_rr --to vectors --cycles 500 -o "$work/example" --quiet
    demand 'the model through ctypes is the exported run' 0 '500 equal' python3 -B examples/cocotb/rf_rr_model.py build/librfmodel.so "$work/example"
    awk '/^\/\// || ++n != 100 { print; next } { print $0 == "fe" ? "00" : "fe" }' "$work/example/rf_rr_registers.hex" >"$work/other"
    mv "$work/other" "$work/example/rf_rr_registers.hex"
    demand '... and differs from another' 1 'cycle 99: mask_q' python3 -B examples/cocotb/rf_rr_model.py build/librfmodel.so "$work/example"
else
    echo 'example: NOT RUN: no python3'
fi

# ---- refused ----
section=refused
demand 'no target' 2 'export --to sv-bind vectors vpi' "$tool" export rf_rr -o "$work/no"
demand 'another target' 2 'sv-bind vectors vpi verilog' "$tool" export rf_rr --to verilog -o "$work/no"
demand 'no folder' 2 'export -o FOLDER' "$tool" export rf_rr --to vectors
demand 'cycles without a run' 2 '--cycles --workload sv-bind' "$tool" export rf_rr --to sv-bind -o "$work/no" --cycles 5
demand 'parameters that the unit refuses' 2 'rf_ccu' "$tool" export rf_ccu --param ENTRIES=1 --to vectors -o "$work/no"
mkdir -p "$work/inc"
echo '// nothing' >"$work/inc/nothing.svh"
{ echo '`include "nothing.svh"'; cat rtl/common/rf_rr.sv; } >"$work/rf_rr.sv"
echo "$work/rf_rr.sv" >"$work/short.f"
{ echo "+incdir+$work/inc"; cat "$work/short.f"; } >"$work/whole.f"
demand 'a file list without the folder that it needs' 2 'nothing.svh' "$tool" export rf_rr -f "$work/short.f" --to vectors --cycles 20 -o "$work/no"
demand 'RTL of a file list, with its folder' 0 'README.md' "$tool" export rf_rr -f "$work/whole.f" --to vectors --cycles 20 -o "$work/list"
demand 'a folder that cannot be made' 2 "$work/small/x: Not a directory" "$tool" export rf_rr --to vectors -o "$work/small/x"
demand 'the cycles of the reset alone' 2 '2 cycles reset' "$tool" export rf_rr --to vectors -o "$work/no" --cycles 2
demand 'vpi without a clock' 2 'rf_h3 clock' "$tool" export rf_h3 --to vpi -o "$work/no"
sed 's/input  logic \[N-1:0\] req_i/input logic req_i [N-1:0]/; s/req_i & mask_q/N'"'"'(0)/' rtl/common/rf_rr.sv >"$work/array.sv"
demand 'RTL that does not fit' 2 'array.sv:' "$tool" export rf_rr --rtl "$work/array.sv" --to vectors -o "$work/no"
section=''
tally
