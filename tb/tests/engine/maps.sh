# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# RTL with names of its own: maps, what is refused in them, proposals, and file lists. The RTL is in tb/tests/engine/maps. Read by tb/tests/engine_tests.sh.
sections="$sections maps wrong_maps maps_gates file_lists"

maps=tb/tests/engine/maps

maps() {
    check 'other names, the other level of reset, a register inverted' 0 pass 'bins 5 5' run rf_rr --rtl $maps/rr.sv --map $maps/rr.map
    grep -v mask_q $maps/rr.map >"$here/less.map"
    check 'a register that the map leaves out' 2 build 'missing register mask_q|less.map --ports-only' run rf_rr --rtl $maps/rr.sv --map "$here/less.map"
    check '... at another size' 0 pass 'pass rf_rr N=5' run rf_rr --param N=5 --rtl $maps/rr.sv --map $maps/rr.map
    check 'structs in ports, the falling edge, one register for two and two for one' 0 pass 'bins 12 12|debug|@map.ignored.debug=counts cycles for the lab' \
        run rf_fifo_ctrl --rtl $maps/fifo.sv --map $maps/fifo.map
    check 'a memory in two' 0 pass 'bins 14 14' run rf_bank --param LANES=2 --rtl $maps/bank.sv --map $maps/bank.map
    check '... that is swept' 0 pass '@sweep_period=1024' run rf_bank --param LANES=2 --param ROWS=1024 --rtl $maps/bank.sv --map $maps/bank.map --cycles 20k
    check '... of which ports alone are compared' 0 pass '@memories_copied_at_power_up=1' run rf_bank --param LANES=2 --rtl $maps/bank.sv --map $maps/bank.map --ports-only
    check 'all pointers of an arbiter in two arrays' 0 pass 'bins 17 17' run rf_arbiter --param BANKS=4 --rtl $maps/arbiter.sv --map $maps/arbiter.map

    # A fault is found in the cycle and the field of the same fault in our RTL.
    vary $rr "$here/ours.sv" -e 's/take_i && valid_o/valid_o/'
    vary $maps/rr.sv "$here/theirs.sv" -e 's/used && asks != 0/asks != 0/'
    check 'a fault in our words' 1 mismatch 'register mask_q|@mismatch.at=register' run rf_rr --rtl "$here/ours.sv"
    grep -e '^  register' -e '^  RTL' -e '^  model' "$here/text" | sed 's/ = .*  (/  (/' >"$here/ours"
    check '... and in theirs' 1 mismatch 'register mask_q ~u_rot.below|@mismatch.rtl_name=~u_rot.below' run rf_rr --rtl "$here/theirs.sv" --map $maps/rr.map
    grep -e '^  register' -e '^  RTL' -e '^  model' "$here/text" | sed 's/ = .*  (/  (/' >"$here/theirs"
    expect '... are found alike' "$(diff "$here/ours" "$here/theirs")" cmp -s "$here/ours" "$here/theirs"
    expect 'the case names the map' "$(cat "$here/out/failure.case")" grep -qx "map $PWD/$maps/rr.map" "$here/out/failure.case"
    cp "$here/out/failure.case" "$here/found.case"
    check '... so that it fails again' 1 mismatch 'mask_q ~u_rot.below' replay "$here/found.case"
    check '... shrinks' 1 - 'found.case.shrunk: mask_q' shrink "$here/found.case"
    check '... and has waves' 1 - 'waves' waves "$here/found.case" --output "$here/w"
    expect 'the view has their register, its value there and the model'"'"'s' "$(grep '^+' "$here/w/failure.gtkw")" \
        says "$here/w/failure.gtkw" 'rtl.u_rot.below[7:0]|theirs.mapped.mask_q[7:0]|model.mapped.mask_q[7:0]|diff.mapped.mask_q[7:0]'
    expect '... and names the waves without a folder' "$(head -n 2 "$here/w/failure.gtkw")" says "$here/w/failure.gtkw" '[dumpfile] "failure.fst"|[savefile] "failure.gtkw"'
    vary $maps/bank.sv "$here/wild.sv" -e 's/cell_q\[at\] <= d;/cell_q[at] <= at == 5 ? ~d : d;/'
    check 'a fault in a memory in two' 1 mismatch 'register mem_q {u_high.cell_q[5], u_low.cell_q[5]} element 5 64|@mismatch.index=5' run rf_bank --param LANES=2 --rtl "$here/wild.sv" --map $maps/bank.map
    check 'with ports alone the view shows their registers' 0 - 'view' waves rf_fifo_ctrl --rtl $maps/fifo.sv --map $maps/fifo.map --ports-only --output "$here/w"
    expect '... by name' "$(grep '^+' "$here/w/failure.gtkw")" says "$here/w/failure.gtkw" 'rtl.held_low[1:0]|rtl.debug[4:0]'

    # What `lockstep map` proposes can be run as it is.
    demand 'a map is proposed: ports by what they do, a register turned around' 0 '=reset rs high|=take = used|=mask_q = ~u_rot.below|=param WIDTH = N' "$tool" map rf_rr --rtl $maps/rr.sv
    cp "$here/text" "$here/rr.map"
    check '... and passes' 0 pass pass run rf_rr --rtl $maps/rr.sv --map "$here/rr.map"
    # An output and an input turned round, and an output of a width of its own that is wrong in no way that an inverse mends.
    vary $maps/rr.sv "$here/inverse.sv" -e 's/assign any = |requests/assign any = \&requests/' -e 's/asks(requests)/asks(~requests)/'
    demand 'ports that are inverses are found by a run' 0 '=req = ~requests|=valid = ~any|# certain: outputs' "$tool" map rf_rr --rtl "$here/inverse.sv"
    cp "$here/text" "$here/inverse.map"
    check '... and pass' 0 pass pass run rf_rr --rtl "$here/inverse.sv" --map "$here/inverse.map"
    vary $maps/rr.sv "$here/odd.sv" -e 's/assign any = |requests/assign any = ^requests/'
    demand 'the only port of a width is a guess until outputs agree' 1 '# guess: output 1|outputs valid' "$tool" map rf_rr --rtl "$here/odd.sv"
    grep -v -e '_q ' -e debug $maps/fifo.map >"$here/part.map"
    demand 'a part of one is completed, and what is left over is told' 1 '=wr_ptr_q = place.tail|=level_q = {held_top, held_low}|# certain: equal|# RTL debug 1 5' \
        "$tool" map rf_fifo_ctrl --rtl $maps/fifo.sv --map "$here/part.map"
    demand 'without ports nothing is run' 1 'push_i input 1 1|run' "$tool" map rf_fifo_ctrl --rtl $maps/fifo.sv
    demand '... also with a cache that is not there yet' 1 'push_i input 1 1|run' env LOCKSTEP_CACHE="$here/new/cache" "$tool" map rf_fifo_ctrl --rtl $maps/fifo.sv
    demand 'outputs that differ are told' 1 'outputs grant' "$tool" map rf_rr --rtl "$here/theirs.sv"
    demand 'map needs RTL' 2 'map RTL' "$tool" map rf_rr
}

# A line of rr.map, or of another map, replaced. It is refused in that line, with these facts.
wrong_line() { # name, facts, sed expression, unit, base, arguments…
    what=$1 facts=$2 change=$3 unit=$4 base=$5
    shift 5
    vary "$maps/$base.map" "$here/wrong.map" -e "$change"
    demand "$what" 2 "$facts" "$tool" run "$unit" "$@" --rtl "$maps/$base.sv" --map "$here/wrong.map" --no-shrink --output "$here/out"
}

wrong_maps() {
    map=$here/wrong.map
    wrong_line 'a line that is none' "$map:2 MODEL = EXPRESSION" 's/^top .*/topp my_rr/' rf_rr rr
    wrong_line 'a clock without a name' "$map:3 clock NAME [rising|falling]" 's/^clock .*/clock/' rf_rr rr
    wrong_line 'a level that is none' "$map:4 reset rs low high up" 's/^reset .*/reset rs up/' rf_rr rr
    wrong_line 'a top module twice' "$map:3 top 2 my_rr" 's/^clock .*/top other/' rf_rr rr
    wrong_line 'a parameter that the unit has not' "$map:5 rf_rr M" 's/= N$/= M/' rf_rr rr
    wrong_line 'a formula that is none' "$map:5 WIDTH N +" 's/= N$/= N +/' rf_rr rr
    wrong_line 'a name that the model has not' "$map:7 reg req" 's/^req /reg /' rf_rr rr
    wrong_line 'a name that the RTL has not' "$map:7 request requests" 's/= requests/= request/' rf_rr rr
    wrong_line 'another width' "$map:7 req 8 requests[6:0] 7" 's/= requests/= requests[6:0]/' rf_rr rr
    wrong_line 'a range that is none' "$map:7 requests[8:1] [7:0]" 's/= requests/= requests[8:1]/' rf_rr rr
    wrong_line 'a range the wrong way round' "$map:7 requests[0:7] 7 0" 's/= requests/= requests[0:7]/' rf_rr rr
    wrong_line 'braces that do not end' "$map:11 , }" 's/= ~u_rot.below.*/= {u_rot.below/' rf_rr rr
    wrong_line 'an output for an input' "$map:7 gnt input" 's/= requests/= gnt/' rf_rr rr
    wrong_line 'an input for a register' "$map:11 requests register" 's/= ~u_rot.below.*/= requests/' rf_rr rr
    wrong_line 'a bit of the model twice' "$map:11 mask_q[0] 10" 's/^valid .*/mask_q = ~u_rot.below/; s/^mask_q .*/mask_q[0] = u_rot.below[0]/' rf_rr rr
    wrong_line 'a bit of the model not at all' "$map:11 0 mask_q|rr.sv:8 0 u_rot.below $map" 's/^mask_q .*/mask_q[7:1] = ~u_rot.below[7:1]/' rf_rr rr
    wrong_line 'an input driven twice' "$map:8 0 input requests" 's/^take .*/take = requests[0]/' rf_rr rr
    wrong_line 'a bit of an input that nothing drives' "0 ask $map" 's/^pop .*//' rf_fifo_ctrl fifo
    wrong_line 'an input that nothing drives' "port scan_en" 's/^tie .*//' rf_rr rr
    wrong_line 'a tie that does not fit' "tie scan_en 1 1 2" "s/^tie .*/tie scan_en = 2/" rf_rr rr
    wrong_line 'a register that is not compared, without a word' 'register debug 1 5' 's/^ignore .*//' rf_fifo_ctrl fifo
    wrong_line 'a reason that is none' "$map:18 ignore NAME \"reason\"" 's/^ignore .*/ignore debug/' rf_fifo_ctrl fifo
    wrong_line 'a member that is none' "ask.putt ask struct" 's/ask.put$/ask.putt/' rf_fifo_ctrl fifo
    wrong_line 'a parameter that is fixed at another value' "LANES 2 4 --param LANES=2" 's/^top/top/; s/^we  /we /' rf_bank bank --param LANES=4
    demand 'a map that is not there' 2 'no.map: No such file' "$tool" run rf_rr --rtl $maps/rr.sv --map "$here/no.map"
    wrong_line 'a clock that is not there' 'input clk_i 1|port ck' 's/^clock .*//' rf_rr rr
    vary $rr "$here/two.sv" -e 's/input  logic         clk_i/input  logic [1:0]   clk_i/' -e 's/posedge clk_i/posedge clk_i[0]/'
    check 'a clock of two bits' 2 build 'two.sv: input clk_i 1 2 1' run rf_rr --rtl "$here/two.sv"
    vary $rr "$here/ports.sv" -e 's/^) ($/) (input logic clk_i,/' -e '/^  input  logic         clk_i,$/d'
    check 'a port behind the bracket is found' 0 pass pass run rf_rr --rtl "$here/ports.sv"
}

# Netlist, proof, synthesis and energy of mapped RTL. plain_*.sv is what Yosys reads of it.
maps_gates() {
    command -v yosys >/dev/null || return 0
    set -- --rtl $maps/rr.sv --map $maps/rr.map
    check 'the netlist of RTL with other names' 0 pass '8 8|u_rot.below[0]: constant 1' run rf_rr --netlist --cycles 20k "$@"
    expect '... with the map in its record' "$(cat "$here/record")" grep -q '"map":{"file":.*"netlist":{.*"register":"u_rot.below"' "$here/record"
    demand '... is proved' 0 'equivalent rf_rr|8 0 0' "$tool" prove --netlist rf_rr "$@" --record "$here/record"
    expect '... by a command that names the map' "$(cat "$here/record")" grep -q 'prove rf_rr --netlist --rtl .* --map ' "$here/record"
    demand '... has an area, which is not that of ours' 1 '7 flops 0 latches|u_rot' "$tool" synth rf_rr "$@"
    demand '... and an energy' 0 '79991|u_rot' "$tool" energy rf_rr --cycles 5k "$@"
    demand 'synth of all units takes no map' 2 'synth --map --rtl' "$tool" synth --all --map $maps/rr.map

    set -- --rtl $maps/plain_fifo.sv --map $maps/plain_fifo.map
    check 'the falling edge, reset high, inverses, an array, a tied input' 0 pass 'bins 12 12|@netlist.flops=7|7 7 7|debug' \
        run rf_fifo_ctrl --netlist --cycles 20k "$@"
    demand '... are proved' 0 'equivalent rf_fifo_ctrl|7 0' "$tool" prove --netlist rf_fifo_ctrl "$@"
    demand '... have an area' 1 'free_low|held_top|place[' "$tool" synth rf_fifo_ctrl "$@"
    demand '... and an energy' 0 '84990' "$tool" energy rf_fifo_ctrl --cycles 5k "$@"
    check 'ports alone of a netlist' 0 pass '@registers_compared=false' run rf_fifo_ctrl --netlist --ports-only --cycles 5k "$@"
    vary $maps/plain_fifo.sv "$here/late.sv" -e 's/LAST) ? .0 : place.1./LAST) ? 1 : place[1]/'
    check 'a fault in a netlist with names of its own' 1 mismatch 'register wr_ptr_q place[1]|@mismatch.at=register' run rf_fifo_ctrl --netlist --rtl "$here/late.sv" --map $maps/plain_fifo.map
    cp "$here/out/failure.case" "$here/found.case"
    check '... is found again' 1 mismatch 'wr_ptr_q place[1]|netlist:' replay "$here/found.case"
    demand '... by the energy, too' 1 'place[1][0] 1 0' "$tool" energy rf_fifo_ctrl --cycles 5k --rtl "$here/late.sv" --map $maps/plain_fifo.map
    vary $maps/plain_fifo.sv "$here/rises.sv" -e 's/negedge clk/posedge clk/'
    demand 'the other edge: the proof' 1 'different|falling clk' "$tool" prove --netlist rf_fifo_ctrl --rtl "$here/rises.sv" --map $maps/plain_fifo.map
    ! command -v sta >/dev/null || demand '... and the timing' 2 'falling clk' "$tool" synth rf_fifo_ctrl --rtl "$here/rises.sv" --map $maps/plain_fifo.map
    check 'a memory in two macros' 0 pass '@netlist.flops=0|16448 16448 0 16448' \
        run rf_bank --netlist --param LANES=2 --param ROWS=256 --cycles 5k --rtl $maps/plain_bank.sv --map $maps/plain_bank.map
    vary $maps/plain_bank.sv "$here/falls.sv" -e 's/posedge clk/negedge clk/'
    sed 's/^clock clk$/clock clk falling/' $maps/plain_bank.map >"$here/falls.map"
    check '... at the falling edge' 0 pass '16448 macros' \
        run rf_bank --netlist --param LANES=2 --param ROWS=256 --cycles 5k --rtl "$here/falls.sv" --map "$here/falls.map"
    demand 'what the map says is fixed' 2 'LANES 2' "$tool" synth rf_bank --param LANES=4 --rtl $maps/plain_bank.sv --map $maps/plain_bank.map
    demand 'what Yosys cannot read is its word' 2 'fifo.sv:8: ERROR: syntax error' "$tool" synth rf_fifo_ctrl --rtl $maps/fifo.sv --map $maps/fifo.map
}

file_lists() {
    mkdir -p "$here/inc" "$here/lib" "$here/src"
    lib=$(cd "$here/lib" && pwd)
    vary $rr "$here/src/rf_rr.sv" -e 's/^`default_nettype none/`include "width.svh"\n&/' -e "s/ && valid_o)/ \`AND valid_o)/" -e 's/^  assign valid_o .*/  some #(.N(N)) u_some (.req(req_i), .any(valid_o));/'
    echo '`define HERE' >"$here/inc/width.svh"
    echo 'module some #(parameter int N = 1) (input logic [N-1:0] req, output logic any); assign any = |req; endmodule' >"$here/lib/some.v"
    mv "$here/lib/some.v" "$here/lib/some.sv"
    printf '%s\n' '# a list' '/* of two' '   lines */ -sverilog +incdir+inc+src // and more' '-y ${LS_LIB} +libext+.sv+.v' '+define+AND=&&' '-f src/files.f' >"$here/all.f"
    printf '%s\n' '"src/rf_rr.sv"' >"$here/src/files.f"
    demand 'a list with folders, macros, a library, a list, comments, the environment' 0 pass env LS_LIB=lib sh -c "cd '$here' && '$PWD/$tool' run rf_rr -f all.f --record record"
    expect '... is in the command that repeats the run' "$(cat "$here/record")" grep -qF -e ' -f all.f' "$here/record"
    demand 'names that begin at the list' 0 pass env LS_LIB="$lib" "$tool" run rf_rr -F "$here/all.f"
    sed -i 's/`AND/||/' "$here/src/rf_rr.sv"
    LS_LIB=$lib
    export LS_LIB
    check 'a fault in it is found' 1 mismatch 'register mask_q' run rf_rr -F "$here/all.f"
    unset LS_LIB
    cp "$here/out/failure.case" "$here/found.case"
    check '... and its case needs no list' 1 mismatch 'register mask_q' replay "$here/found.case"
    demand 'a variable that is not there' 2 "all.f:4 LS_LIB" "$tool" run rf_rr -F "$here/all.f"
    echo '-gui' >"$here/bad.f"
    demand 'an option that says nothing of files' 2 'bad.f:1 -gui' "$tool" run rf_rr -f "$here/bad.f"
    printf '%s\n' '-D AND=&&' '-I inc' '-y lib' '-timescale 1ns/1ns' '-timescale=1ns/1ps' '+define+AND=&&+AND=&&' '--sv +librescan +nospecify -Wno-fatal' \
        '-work lib_of_mine' 'src/rf_rr.sv' >"$here/blank.f"
    sed -i 's/ || valid_o)/ `AND valid_o)/' "$here/src/rf_rr.sv"
    demand 'options with a blank, a macro again, what says nothing of files' 0 pass sh -c "cd '$here' && '$PWD/$tool' run rf_rr -f blank.f --define 'AND=&&'"
    printf '%s\n' '+define+AND=&&' '-D AND=||' 'src/rf_rr.sv' >"$here/other.f"
    demand 'a macro with another value' 2 'other.f:2 AND AND=&&' "$tool" run rf_rr -F "$here/other.f"
    demand '... than that of --define' 2 'other.f:1 AND=&& AND' "$tool" run rf_rr -F "$here/other.f" --define AND
    echo "-f $here/loop.f" >"$here/loop.f"
    demand 'a list in itself' 2 'loop.f 32' "$tool" run rf_rr -f "$here/loop.f"
    echo '+define+1x' >"$here/bad.f"
    demand 'a macro that is none' 2 'bad.f:1 1x NAME NAME=VALUE' "$tool" run rf_rr -f "$here/bad.f"
    : >"$here/bad.f"
    demand 'an empty list' 2 'bad.f' "$tool" run rf_rr -f "$here/bad.f"
    demand 'a list that is not there' 2 'none.f: No such file' "$tool" run rf_rr -f "$here/none.f"
}
