# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# One command, one result; cases again, and the smallest of them. Read by tb/tests/engine_tests.sh.
sections="$sections determinism shrink start_state samples"

determinism() {
    vary $rr "$here/bug.sv" -e "s/(above != '0) ? above : req_i/req_i/"
    for unit in rf_ocu rf_bank; do
        "$tool" run $unit --seed 5 --cycles 30000 --json >"$here/1"
        "$tool" run $unit --seed 5 --cycles 30000 --json >"$here/2"
        stable "$here/1" >"$here/1.stable"
        stable "$here/2" >"$here/2.stable"
        expect "$unit: one command, one record" "$(diff "$here/1.stable" "$here/2.stable" | head -n 2)" cmp -s "$here/1.stable" "$here/2.stable"
        "$tool" run $unit --seed 6 --cycles 30000 --json >"$here/3"
        expect "$unit: another seed, other bins" 'the same bins' test "$("$work/record_of" bins <"$here/1")" != "$("$work/record_of" bins <"$here/3")"
    done
    for seed in 1 1 2; do
        n=$((${n:-0} + 1))
        "$tool" run rf_rr --rtl "$here/bug.sv" --seed $seed --no-shrink --output "$here/run$n" --record "$here/record" >/dev/null 2>&1
        mv "$here/record" "$here/record$n"
        cp "$here/run$n/failure.case" "$here/case$n"
    done
    expect 'one seed, one case' 'the cases differ' cmp -s "$here/case1" "$here/case2"
    expect 'another seed, another case' 'the cases are the same' sh -c "! cmp -s '$here/case1' '$here/case3'"
    field=$("$work/record_of" mismatch.field <"$here/record1") cycle=$("$work/record_of" mismatch.cycle <"$here/record1")
    check 'the case again' 1 mismatch '@mismatch.field=grant' replay "$here/case1" --rtl "$here/bug.sv"
    expect 'fails in the same field and cycle' "$(field mismatch.field) in $(field mismatch.cycle)" test -n "$field" -a "$field $cycle" = "$(field mismatch.field) $(field mismatch.cycle)"
    sed 's/^field .*/field valid/' "$here/case1" >"$here/otherfield.case"
    check 'a case that fails in another field' 1 mismatch "$field valid|@mismatch.field=$field" replay "$here/otherfield.case" --rtl "$here/bug.sv"
    check 'speed of RTL that differs' 1 - 'rf_rr RTL model run --seed' speed rf_rr --rtl "$here/bug.sv"
    check 'the case on good RTL' 0 pass "case $field" replay "$here/case1" --rtl rtl/common/rf_rr.sv
    check 'its waves say so too' 0 - "case $field|waves" waves "$here/case1" --rtl rtl/common/rf_rr.sv --output "$here/w"
    check '... and when another field differs' 1 - "$field valid|waves" waves "$here/otherfield.case" --rtl "$here/bug.sv" --output "$here/w"
    sed 's/^reset/netlist any.lib\n&/;t end;b;:end;n;b end' "$here/case1" >"$here/netlist.case"
    check '... or when it is of a netlist' 0 - 'case netlist|waves' waves "$here/netlist.case" --rtl rtl/common/rf_rr.sv --output "$here/w"
    "$tool" replay "$here/run1/failure.case" --rtl rtl/common/rf_rr.sv --output "$here/run1" >"$here/text" 2>&1
    expect 'a replay leaves the case that it reads' "$(ls "$here/run1")" test -f "$here/run1/failure.case"
    for name in shrunk.case failure.fst failure.gtkw; do echo of an earlier run >"$here/run1/$name"; done
    "$tool" run rf_rr --output "$here/run1" >"$here/text" 2>&1
    expect 'what an earlier run left goes when the next one begins' "$(ls "$here/run1" 2>/dev/null)" test ! -e "$here/run1"
    command=$("$work/record_of" command <"$here/record1" | sed "s|^[^ ]*|$tool|")
    sh -c "$command --no-shrink --output $here/again --json" >"$here/record" 2>&1
    expect 'the printed command does it again' "$command" test -n "$field" -a "$field $cycle" = "$(field mismatch.field) $(field mismatch.cycle)"
}

# The case of $1 in lines that each name every input, in $2: without cycle $3, or with input $4 of cycle $3 at 0. Cycles count from 0.
rewrite() {
    awk -v drop="$3" -v zero="${4:-}" '
        /^#/ { next }
        /^end/ { print "end", kept; next }
        /^reset|^cycle/ {
            for (i = 2; i <= NF; i++) { split($i, part, "="); value[part[1]] = part[2] }
            if (n == drop && zero == "") { n++; next }
            line = $1
            if ($1 == "cycle") for (k in value) line = line " " k "=" (n == drop && k == zero ? 0 : value[k])
            print line
            n++
            kept++
            next
        }
        { print }' "$1" >"$2"
}

# Every cycle but the first reset and every input that is not 0, as "cycle" or "cycle input".
removable() {
    awk '/^reset|^cycle/ {
            for (i = 2; i <= NF; i++) { split($i, part, "="); value[part[1]] = part[2] }
            if (n > 0) print n
            if ($1 == "cycle") for (k in value) if (value[k] != "0") print n, k
            n++
        }' "$1"
}

# The case shrinks to one that fails in the same field, and of which nothing can go, as `replay` says of each smaller one.
check_shrunk() { # name, unit, rtl, most cycles allowed
    "$tool" run "$2" --rtl "$3" --no-shrink --output "$here/$1" --record "$here/$1.record" >/dev/null 2>&1
    fails_in=$("$work/record_of" mismatch.field <"$here/$1.record")
    "$tool" shrink "$here/$1/failure.case" --rtl "$3" >"$here/text" 2>&1
    got=$?
    [ -n "$fails_in" ] || { bad "$1" 'does not fail'; return; }
    small=$here/$1/failure.case.shrunk
    if [ $got -ne 1 ] || ! says "$here/text" "$1/failure.case.shrunk: $fails_in|minimal"; then bad "$1 shrinks" "exit $got: $(head -n 2 "$here/text")"; return; fi
    check "$1: the shrunk case fails in the same field" 1 mismatch "@mismatch.field=$fails_in" replay "$small" --rtl "$3"
    cycles=$(grep -cE '^(reset|cycle)' "$small")
    expect "$1: $cycles cycles" "more than $4" test "$cycles" -le "$4"
    removable "$small" >"$here/removable"
    fewer=
    while read -r cycle input; do
        rewrite "$small" "$here/smaller.case" "$cycle" "$input"
        rm -f "$here/record"
        "$tool" replay "$here/smaller.case" --rtl "$3" --record "$here/record" --output "$here/out" >/dev/null 2>&1
        case "$(field status) $(field mismatch.field)" in
        'pass -' | 'vacuous -' | mismatch*) [ "$(field mismatch.field)" != "$fails_in" ] || fewer="$fewer, $cycle $input" ;;
        *) fewer="$fewer, $cycle $input (replay says $(field status))" ;;
        esac
    done <"$here/removable"
    expect "$1: none of $(wc -l <"$here/removable") cycles and inputs can go" "without${fewer#,} it still fails" test -z "$fewer" -a -s "$here/removable"
}

shrink() {
    vary $rr "$here/grant.sv" -e "s/(above != '0) ? above : req_i/req_i/"
    check_shrunk grant rf_rr "$here/grant.sv" 3
    vary $rr "$here/deep.sv" -e "s/pool    = (above != '0) ? above : req_i/pool    = (above != '0 \&\& mask_q != 8'hf0) ? above : req_i/"
    sed -n '/^#/p' "$here/grant/failure.case.shrunk" >"$here/explained"
    expect 'a case explains its lines' "$(cat "$here/explained")" says "$here/explained" 'begin 0|"cycle" inputs|NAME=0 NAME'
    expect '... in lines of a screen' "$(cat "$here/explained")" not grep -q '.\{121\}' "$here/explained"
    check_shrunk deep rf_rr "$here/deep.sv" 3
    vary rtl/common/rf_fifo_ctrl.sv "$here/full.sv" -e 's/ready_o  = level_q != FULL/ready_o  = 1\x27b1/'
    check_shrunk full rf_fifo_ctrl "$here/full.sv" 7
    wild_bank "$here/wild.sv"
    check_shrunk wild rf_bank "$here/wild.sv" 3
    # Three that differ at once: the first in the field list is the one reported, the others are named in that order.
    vary rtl/banked/rf_wbq.sv "$here/three.sv" -e 's/<= push_data_i/<= ~push_data_i/; s/<= push_reg_i/<= ~push_reg_i/; s/<= push_note_i/<= !push_note_i/'
    check 'registers that differ at once' 1 mismatch \
        'register reg_q|2|=note_q, data_q' run rf_wbq --rtl "$here/three.sv"
    expect '... are counted with the first' "$(field mismatch.fields)" test "$(field mismatch.fields)" = 3
    sed -i 's/<= ~push_reg_i/<= push_reg_i/; s/<= !push_note_i/<= push_note_i/; s/<= ~push_data_i/<= {~push_data_i[DATA_W-1:64], push_data_i[63:0]}/' "$here/three.sv"
    check 'lanes that differ' 1 mismatch 'register data_q|lanes 2 31 0 31 32 0 31:0|@mismatch.lanes=4294967292' run rf_wbq --rtl "$here/three.sv"
    check 'a case that does not fail' 2 - 'grant/failure.case: field grant' shrink "$here/grant/failure.case" --rtl $rr
    sed 's/^field .*/field /' "$here/grant/failure.case" >"$here/any.case"
    demand 'a case that names no field' 1 'grant|minimal' "$tool" shrink "$here/any.case" --rtl "$here/grant.sv"
    demand '... as its record says' 1 '"field":"grant"' "$tool" shrink "$here/any.case" --rtl "$here/grant.sv" --json
    expect '... and it fails in it' "$(head -n 5 "$here/any.case.shrunk")" grep -qx 'field grant' "$here/any.case.shrunk"
    check 'one that fails in none' 2 - 'any.case: field' shrink "$here/any.case" --rtl $rr
    check 'no file' 2 - 'shrink|case' shrink
    check 'a file that is missing' 2 - 'nowhere.case' shrink "$here/nowhere.case"
    echo 'hello' >"$here/odd.case"
    check 'a file that is no case' 2 - 'odd.case:1: case' shrink "$here/odd.case"
}

# A case of the unit, two cycles of reset, and these lines behind them; the last says how many cycles there are.
given() { # to, unit, parameters, lines…
    to=$1
    printf 'lockstep-case 1\nunit %s\nparams %s\nfill 83d4e4630e9e7645\nfield \n' "$2" "$3" >"$to"
    shift 3
    printf '%s\n' reset reset "$@" >>"$to"
}

start_state() {
    maps=tb/tests/engine/maps
    # The pointer's mask is all ones from a bit on, in every state that is reached: here it is not.
    vary $rr "$here/bug.sv" -e "s/(take_i \&\& valid_o)/((take_i || mask_q == 8'h35) \&\& valid_o)/"
    given "$here/rr.case" rf_rr '' 'state mask_q=35' 'cycle req=24' 'cycle req=ff take=1' 'end 4'
    check 'a run does not find what no state that it reaches shows' 0 pass 'bins 5 5' run rf_rr --rtl "$here/bug.sv"
    check 'a case begins in any state' 1 mismatch '@start_state=1|@mismatch.at=register|@mismatch.cycle=2|state 1|register mask_q 2|8'"'"'hf8|8'"'"'h35|state mask_q=35' \
        replay "$here/rr.case" --rtl "$here/bug.sv"
    expect '... the case that is left begins there' "$(cat "$here/out/replayed.case")" grep -qx 'state mask_q=35' "$here/out/replayed.case"
    check '... model and RTL agree in it where there is no fault' 0 pass '@start_state=1' replay "$here/rr.case"
    check '... its waves' 1 - 'state 1|mask_q|waves' waves "$here/rr.case" --rtl "$here/bug.sv" --output "$here/w"
    sed '/^state/d' "$here/rr.case" >"$here/none.case"
    check '... no difference from the reset on' 0 pass 'pass rf_rr' replay "$here/none.case" --rtl "$here/bug.sv"
    given "$here/back.case" rf_rr '' 'state mask_q=35' 'cycle' 'reset' 'cycle req=24' 'end 5'
    check '... nor after another reset' 0 pass '@start_state=1' replay "$here/back.case" --rtl "$here/bug.sv"
    given "$here/third.case" rf_rr '' 'state mask_q=35' 'cycle' 'cycle' 'cycle req=24' 'end 5'
    check '... and in a later cycle, to which it stays' 1 mismatch '@mismatch.cycle=4|@mismatch.at=register' replay "$here/third.case" --rtl "$here/bug.sv"

    # What the failure does not need goes.
    vary rtl/common/rf_fifo_ctrl.sv "$here/fifo.sv" -e 's/ready_o  = level_q != FULL/ready_o  = level_q != FULL \&\& rd_ptr_q != 3/'
    given "$here/fifo.case" rf_fifo_ctrl DEPTH=5 'state wr_ptr_q=4 rd_ptr_q=3' 'state level_q=1' 'cycle push=1' 'cycle pop=1' 'cycle' 'end 5'
    check 'a state of several registers' 1 mismatch '@start_state=3|@mismatch.at=output|@mismatch.cycle=2|ready_o 2' replay "$here/fifo.case" --rtl "$here/fifo.sv"
    cp "$here/out/replayed.case" "$here/found.case"
    check '... is shrunk' 1 - 'ready|2 3 cycles|1 3 state|minimal state' \
        shrink "$here/found.case" --rtl "$here/fifo.sv"
    expect '... to what it needs' "$(cat "$here/found.case.shrunk")" test "$(grep -v -e '^#' -e '^rtl' "$here/found.case.shrunk" | tail -n 4 | tr '\n' ';')" = 'reset;state rd_ptr_q=3;cycle;end 2;'
    check '... and fails the same way' 1 mismatch '@mismatch.at=output|@mismatch.field=ready' replay "$here/found.case.shrunk"

    # Rows of a memory, wide; the others keep what the power-up left there, in both.
    row=$(printf 'a5%.0s' 1 2 3 4 5 6 7 8)
    given "$here/bank.case" rf_bank 'LANES=2 ROWS=8' "state mem_q[5]=$row" 'cycle re=1 raddr=5' 'cycle raddr=4' 'cycle re=0' 'end 5'
    check 'a row of a memory' 0 pass '@start_state=1' replay "$here/bank.case"
    vary rtl/banked/rf_bank.sv "$here/bank.sv" -e "s/? mem_q\[raddr_i\]/? mem_q[raddr_i] ^ (LANES*32)'(mem_q[raddr_i] == 64'h$row)/"
    check '... is read' 1 mismatch "register rdata_q|64'h$row" replay "$here/bank.case" --rtl "$here/bank.sv"

    # Elements of vectors, members of a record, values of 1024 bits, registers of instances: nothing of it is as after the reset.
    wide=$(printf 'c%.0s' $(seq 256))
    given "$here/ocu.case" rf_ocu '' 'state busy_q=1 port_q=1' 'state carried_q.warp=7 carried_q.tag=2bc6 carried_q.mask=34e31359' \
        'state src_valid_q=7 ready_q=5' 'state src_q[0]=10 src_q[2]=2e bank_q[1]=5 row_q[1]=d0' "state data_q[2]=$wide data_q[0]=1" 'cycle' 'cycle' 'end 4'
    check 'an operand collector in the middle of its work' 0 pass '@start_state=13' replay "$here/ocu.case"
    given "$here/arbiter.case" rf_arbiter BANKS=3 'state gen_bank[2].u_rd_rr.mask_q=f1' 'state gen_bank[0].u_wr_rr.mask_q=2' 'cycle' 'cycle' 'end 4'
    check 'pointers of two instances' 0 pass '@start_state=2' replay "$here/arbiter.case"

    # By maps: an inverse, a memory in two, and what a map leaves out or cannot hold.
    sed 's/^reset/map '"$(printf %s "$PWD/$maps/rr.map" | sed 's/[/]/\\&/g')"'\n&/;t end;b;:end;n;b end' "$here/rr.case" >"$here/map.case"
    vary $maps/rr.sv "$here/theirs.sv" -e "s/used \&\& asks/(used || below == 8'hca) \&\& asks/"
    check 'a register that is kept as its inverse' 1 mismatch 'mask_q ~u_rot.below|@mismatch.cycle=2|@mismatch.at=register' replay "$here/map.case" --rtl "$here/theirs.sv"
    check '... without a fault' 0 pass '@start_state=1' replay "$here/map.case" --rtl $maps/rr.sv
    sed 's/ROWS=8/ROWS=64/' "$here/bank.case" >"$here/two.case"
    check 'a row that lies in two memories' 0 pass '@start_state=1' replay "$here/two.case" --rtl $maps/bank.sv --map $maps/bank.map
    sed 's/DEPTH=5/DEPTH=4/; s/wr_ptr_q=4/wr_ptr_q=0/' "$here/fifo.case" >"$here/four.case"
    check 'a map that leaves a register out' 2 usage 'state map debug' replay "$here/four.case" --rtl $maps/fifo.sv --map $maps/fifo.map

    vary $maps/rr.sv "$here/low.sv" -e "s/logic \[W-1:0\] below;/logic [W-2:0] low; wire [W-1:0] below = {1'b1, low};/" -e "s/below <= gnt | (gnt - 1'b1)/low <= (W-1)'(gnt | (gnt - 1'b1))/; s/below <= /low <= /"
    sed "s/^mask_q.*/mask_q = {1'b0, ~u_rot.low}/" $maps/rr.map >"$here/low.map"
    sed 's/mask_q=35/mask_q=b5/' "$here/rr.case" >"$here/low.case"
    check 'a bit that the RTL has as a constant' 2 usage 'state|0xb5 0x35' replay "$here/low.case" --rtl "$here/low.sv" --map "$here/low.map"
    check 'registers that are not compared' 2 usage 'state mask_q --ports-only' replay "$here/rr.case" --ports-only
    demand '... nor shrunk' 2 'state mask_q --ports-only' "$tool" shrink "$here/rr.case" --ports-only
    sed 's/mask_q=35/mask_q=135/' "$here/rr.case" >"$here/wide.case"
    check 'a value that is too wide' 2 - 'wide.case:8 mask_q 135 hexadecimal 8' replay "$here/wide.case"
    sed 's/mask_q=/mask_p=/' "$here/rr.case" >"$here/name.case"
    check 'a register that is not there' 2 - 'name.case:8 mask_p mask_q' replay "$here/name.case"
    sed 's/mem_q\[5\]/mem_q[8]/' "$here/bank.case" >"$here/index.case"
    check 'a row that is not there' 2 - 'index.case:8 mem_q 8 0 7' replay "$here/index.case"
}

# The samples of pages are what the tool prints: in a copy of the tree that is called /home/me/rf-lockstep, without times.
timeless() { sed -E 's/[0-9]+\.[0-9]+ s \([0-9.]+ M cycles\/s\)/TIME/' "$@"; }

sample() { # page, what the first line of the report has before its last, arguments of run
    page=$1 first=$2
    shift 2
    sed -n "/^mismatch  $first/,/^\`\`\`\$/p" "$page" | sed '$d' | timeless >"$here/page"
    env -C "$tree" build/lockstep run "$@" 2>&1 | sed "s|$tree|/home/me/rf-lockstep|" | timeless >"$here/printed"
    expect "the report on $page" "$(diff "$here/page" "$here/printed" | head -n 5)" cmp -s "$here/page" "$here/printed"
    expect '... is one' "$(wc -l <"$here/page") lines" test "$(wc -l <"$here/page")" -gt 15
}

samples() {
    tree=$PWD/$here/tree
    copy_tree "$tree"
    export LOCKSTEP_CACHE="${LOCKSTEP_CACHE:-$PWD/build/dut}"
    unset LOCKSTEP_ROOT
    vary rtl/banked/rf_arbiter.sv "$tree/my_arbiter.sv" -e "s/\.take_i(!blocked)/.take_i(1'b1)/"
    sample README.md 'rf_arbiter BANKS=4' rf_arbiter --param BANKS=4 --rtl my_arbiter.sv
    vary rtl/common/rf_rr.sv "$tree/my_rr.sv" -e 's/take_i && valid_o/valid_o/'
    sample docs/guide/reading-a-mismatch.md rf_rr rf_rr --rtl my_rr.sv --output my_run
}
