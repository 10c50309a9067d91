# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# One command, one result; cases again, and the smallest of them. Read by tb/tests/engine_tests.sh.
sections="$sections determinism shrink"

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
    check 'the case again' 1 mismatch 'grant' replay "$here/case1" --rtl "$here/bug.sv"
    expect 'fails in the same field and cycle' "$(field mismatch.field) in $(field mismatch.cycle)" test -n "$field" -a "$field $cycle" = "$(field mismatch.field) $(field mismatch.cycle)"
    sed 's/^field .*/field valid/' "$here/case1" >"$here/otherfield.case"
    check 'a case that fails in another field' 1 mismatch "not as the case says: $field differs first|valid did" replay "$here/otherfield.case" --rtl "$here/bug.sv"
    check 'speed of RTL that differs' 1 - 'RTL and model differ' speed rf_rr --rtl "$here/bug.sv"
    check 'the case on good RTL' 0 pass 'does not fail any more' replay "$here/case1" --rtl rtl/common/rf_rr.sv
    check 'its waves say so too' 0 - 'does not fail any more|waves    ' waves "$here/case1" --rtl rtl/common/rf_rr.sv --output "$here/w"
    check '... and when another field differs' 1 - "not as the case says: $field differs first|waves    " waves "$here/otherfield.case" --rtl "$here/bug.sv" --output "$here/w"
    sed 's/^reset/netlist any.lib\n&/;t end;b;:end;n;b end' "$here/case1" >"$here/netlist.case"
    check '... or when it is of a netlist' 0 - 'the RTL does not differ: the case is of its netlist|waves    ' waves "$here/netlist.case" --rtl rtl/common/rf_rr.sv --output "$here/w"
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
    if [ $got -ne 1 ] || ! says "$here/text" "still fails in $fails_in|minimal"; then bad "$1 shrinks" "exit $got: $(head -n 2 "$here/text")"; return; fi
    check "$1: the shrunk case fails" 1 mismatch "$fails_in" replay "$small" --rtl "$3"
    expect "$1: in the same field" "$(field mismatch.field)" test "$fails_in" = "$(field mismatch.field)"
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
    expect 'a case explains its lines' "$(cat "$here/explained")" says "$here/explained" 'all begin at 0|"cycle" alone: all inputs stay|NAME=0 in a shrunk case: the failure needs no other value there'
    expect '... in lines of a screen' "$(cat "$here/explained")" sh -c "! grep -q '.\{121\}' '$here/explained'"
    check_shrunk deep rf_rr "$here/deep.sv" 3
    vary rtl/common/rf_fifo_ctrl.sv "$here/full.sv" -e 's/ready_o  = level_q != FULL/ready_o  = 1\x27b1/'
    check_shrunk full rf_fifo_ctrl "$here/full.sv" 7
    wild_bank "$here/wild.sv"
    check_shrunk wild rf_bank "$here/wild.sv" 3
    # Three that differ at once: the first in the field list is the one reported, the others are named in that order.
    vary rtl/banked/rf_wbq.sv "$here/three.sv" -e 's/<= push_data_i/<= ~push_data_i/; s/<= push_reg_i/<= ~push_reg_i/; s/<= push_note_i/<= !push_note_i/'
    check 'registers that differ at once' 1 mismatch \
        'register  reg_q |2 more registers differ at the same time, none did before; in the order of the field list: note_q, data_q' run rf_wbq --rtl "$here/three.sv"
    expect '... are counted with the first' "$(field mismatch.fields)" test "$(field mismatch.fields)" = 3
    sed -i 's/<= ~push_reg_i/<= push_reg_i/; s/<= !push_note_i/<= push_note_i/; s/<= ~push_data_i/<= {~push_data_i[DATA_W-1:64], push_data_i[63:0]}/' "$here/three.sv"
    check 'lanes that differ' 1 mismatch 'register  data_q |  lanes    2 to 31 differ, of 0 to 31 (each 32 bits; 0 is bits 31:0)' run rf_wbq --rtl "$here/three.sv"
    check 'a case that does not fail' 2 - 'does not fail in field' shrink "$here/grant/failure.case" --rtl $rr
    sed 's/^field .*/field /' "$here/grant/failure.case" >"$here/any.case"
    demand 'a case that names no field' 1 'still fails in grant|minimal' "$tool" shrink "$here/any.case" --rtl "$here/grant.sv"
    demand '... as its record says' 1 '"field":"grant"' "$tool" shrink "$here/any.case" --rtl "$here/grant.sv" --json
    expect '... and it fails in it' "$(head -n 5 "$here/any.case.shrunk")" grep -qx 'field grant' "$here/any.case.shrunk"
    check 'one that fails in none' 2 - 'does not fail in any field' shrink "$here/any.case" --rtl $rr
    check 'no file' 2 - 'needs a case file' shrink
    check 'a file that is missing' 2 - 'nowhere.case' shrink "$here/nowhere.case"
    echo 'hello' >"$here/odd.case"
    check 'a file that is no case' 2 - 'odd.case:1: not a case file' shrink "$here/odd.case"
}
