#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Opens the views that lockstep writes in a real GTKWave and checks that nothing in them is lost: GTKWave drops what it cannot
# resolve without a word. One line a check, "ok …" or "FAIL …"; the last line is "N passed, N failed". Pictures stay in
# build/gtkwave/.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
tool=${LOCKSTEP:-build/lockstep}
work=${WORK:-build/gtkwave}
here=$PWD/tb/tests
passed=0
failed=0
mkdir -p "$work"

check() { # what, command…: passes when the command succeeds
    what=$1
    shift
    if "$@" >/dev/null; then
        passed=$((passed + 1))
        echo "ok   $name: $what"
    else
        failed=$((failed + 1))
        echo "FAIL $name: $what"
    fi
}

# The unit's file with a text replaced; fails when the text is not there.
plant() { # file, sed command
    sed -e "$2" "$1" >"$dir/$(basename "$1")"
    ! cmp -s "$1" "$dir/$(basename "$1")"
}

# Runs `lockstep waves` and GTKWave on what it leaves; then checks what holds for every view.
view() { # exit code expected, arguments of lockstep waves
    expected=$1
    shift
    "$tool" waves "$@" --output "$dir" --quiet >"$dir/log" 2>&1
    check "lockstep waves ends with $expected" [ $? -eq "$expected" ]
    rm -f "$dir/seen" "$dir/view.png"
    CHECK_OUT=$dir/seen CHECK_PNG=$dir/view.png timeout 120 xvfb-run -a -s '-screen 0 1700x1000x24' \
        gtkwave -S "$here/gtkwave_check.tcl" "$dir/failure.gtkw" >"$dir/gtkwave.log" 2>&1
    check 'GTKWave opens the view' [ -s "$dir/seen" ]
    lines=$(grep -cE '^[-+#]' "$dir/failure.gtkw")
    check "all $lines lines of the view resolve" [ "$(sed -n 's/^traces //p' "$dir/seen")" = "${lines:-0}" ]
    check 'the verdict comes first' [ "$(sed -n 's/^trace //p' "$dir/seen" | sed -n 2p)" = verdict ]
    verdicts=$(fst2vcd "$dir/failure.fst" | awk '$1 == "$var" && $5 == "verdict" { id = $4 } /^#/ { t = substr($1, 2) }
        /^b/ && $2 == id { print t, $1 }')
}

# The verdict is `same` until the marker, where it becomes what it should be.
turns() { # verdict as in the file
    check "the verdict turns at the marker" [ "$(echo "$verdicts" | sed -n 2p)" = "$(sed -n 's/^marker //p' "$dir/seen") $1" ]
    check "it was the same before" [ "$(echo "$verdicts" | sed -n '1s/.* //p')" = b00 ]
}

# The group's RTL but for one module, packages first.
others() {
    printf "%s\n" rtl/common/*_pkg.sv rtl/banked/*_pkg.sv rtl/common/*.sv rtl/banked/*.sv |
        awk -v "skip=/$1.sv" '!seen[$0]++ && !index($0, skip)'
}

begin() {
    name=$1
    dir=$work/$1
    rm -rf "$dir"
    mkdir -p "$dir"
}

# The first field in the group of those that differ.
first_field() { sed -n '/^-differs/,/^\[color/s/^-\(.*\)/\1/p' "$dir/failure.gtkw" | sed -n 2p; }

begin large_memory
check 'the fault is planted' plant rtl/banked/rf_bank.sv "s/mem_q\[waddr_i\] <=/mem_q[waddr_i ^ ROW_W'(32)] <=/"
view 1 rf_bank --rtl "$dir/rf_bank.sv"
turns b10
check 'a row that differs comes first' expr "$(first_field)" : 'mem_q\[[0-9]*\], lane [0-9]*: bits [0-9]*:[0-9]*$'
for side in rtl model; do
    check "row 63 is in the file, $side" grep -qxF "signal TOP.rf_bank_waves.$side.mem_q[63][1023:0]" "$dir/seen"
    check "all 64 rows are, $side" [ "$(grep -cF "signal TOP.rf_bank_waves.$side.mem_q[" "$dir/seen")" -eq 64 ]
done

begin larger_memory
check 'the fault is planted' plant rtl/banked/rf_bank.sv "s/mem_q\[waddr_i\] <=/mem_q[waddr_i ^ ROW_W'(ROWS \/ 2)] <=/"
view 1 rf_bank --param ROWS=1024 --param LANES=4 --param PORTS=2 --cycles 3000 --rtl "$dir/rf_bank.sv"
turns b10
check 'row 1023 is in the file' grep -qxF 'signal TOP.rf_bank_waves.rtl.mem_q[1023][127:0]' "$dir/seen"

begin output
check 'the fault is planted' plant rtl/banked/rf_bank.sv "s/rdata_o = rdata_q;/rdata_o = {1'b0, rdata_q[DATA_W-2:0]};/"
view 1 rf_bank --param LANES=3 --rtl "$dir/rf_bank.sv"
turns b01
check 'the output comes first' [ "$(first_field)" = 'rdata_o, lane 2: bits 95:64' ]

begin struct
check 'the fault is planted' plant rtl/common/rf_fifo_ctrl.sv \
    's/  logic \[PTR_W-1:0\]   wr_ptr_q,/  typedef struct packed {logic hi; logic [PTR_W-2:0] lo;} ptr_t;\n  ptr_t wr_ptr_q;\n  logic [PTR_W-1:0]/; s/(wr_ptr_q == LAST)/(wr_ptr_q == LAST || wr_ptr_q.hi)/'
view 1 rf_fifo_ctrl --param DEPTH=12 --rtl "$dir/rf_fifo_ctrl.sv"
turns b10
differs=$(sed -n '/^-differs/,/^-differs/p' "$dir/failure.gtkw" | sed -n 's/^+{\([^}]*\)} [^ ]*rf_fifo_ctrl_waves\.\([^[]*\).*/\1: \2/p' | tr '\n' ',')
check 'a struct is shown by its members' [ "$differs" = 'rtl hi: rtl.wr_ptr_q.hi,rtl lo: rtl.wr_ptr_q.lo,model: model.wr_ptr_q,diff: diff.wr_ptr_q,' ]

begin ports_only
check 'the fault is planted, beside a register that means something else' plant rtl/common/rf_rr.sv \
    "s/mask_q <= '0/mask_q <= '1/; s/mask_q <= mask_d/mask_q <= ~mask_d/; s/req_i & mask_q/req_i \& ~mask_q/; s/: mask_q;/: ~mask_q;/; s/valid_o = req_i != '0/& \&\& req_i != 8'h5a/"
view 1 rf_rr --ports-only --cycles 5000 --rtl "$dir/rf_rr.sv"
turns b01
check 'the register is there on both sides' [ "$(grep -cE '^signal TOP\.rf_rr_waves\.(rtl|model)\.mask_q' "$dir/seen")" -eq 2 ]
check 'and not compared' sh -c "! grep -qF .diff.mask_q '$dir/seen'"

begin system
check 'the fault is planted' plant rtl/banked/rf_banked.sv 's/ & {SLOTS{active}}//'
files=$(others rf_banked)
# shellcheck disable=SC2086
view 1 rf_banked --param WARPS=4 --param COLLECTORS=2 --param BANKS=2 --param REGS=8 \
    --param LANES=2 --cycles 3000 --seed 3 --rtl $files "$dir/rf_banked.sv"
turns b10
check 'the register comes first, with its scope' expr "$(first_field)" : 'gen_ocu\[[0-9]\]\.u_ocu\.src_valid_q$'
check 'its scope is in the file' grep -qE \
    '^signal TOP\.rf_banked_waves\.diff\.gen_ocu\[0\]\.u_ocu\.src_valid_q\[2:0\]$' "$dir/seen"

begin nothing_differs
view 0 rf_arbiter --cycles 150
check 'the verdict stays the same' [ "$(echo "$verdicts" | sed 's/.* //')" = b00 ]
check 'the marker is on the last cycle' [ "$(sed -n 's/^marker //p' "$dir/seen")" = 1490000 ]

begin dut_that_ends
# shellcheck disable=SC2016
check 'the fault is planted' plant rtl/banked/rf_dispatch.sv 's/^endmodule/  int unsigned age;\
  always_ff @(posedge clk_i) begin age <= rst_ni ? age + 1 : 0; if (age == 120) $finish; end\
endmodule/'
files=$(others rf_dispatch)
# shellcheck disable=SC2086
view 1 rf_dispatch --ports-only --cycles 300 --rtl $files "$dir/rf_dispatch.sv"
check 'the verdict stays the same' [ "$(echo "$verdicts" | sed 's/.* //')" = b00 ]

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
