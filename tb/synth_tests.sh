#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Area and timing (lockstep synth) judged from outside: area against the library's own figures, FO4 against its tables read another way,
# a slow path, a latch and wrong macros that are planted, gates with two sides, files with slips, a history of two commits, tools that
# are not there. One line a check; ends with "N passed, N failed".
# shellcheck disable=SC2016 # $ of SystemVerilog and awk
set -u
cd "$(dirname "$0")/.." || exit 2
. tb/checks.sh
home=$PWD
work=$home/build/synth-tests
here=$work
needs_tool
tool=$(realpath "$tool")
for t in yosys sta; do command -v "$t" >/dev/null || { echo "no $t: make deps-synth"; exit 2; }; done
library=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
[ -r "$library" ] || { echo "no $library: make deps-synth"; exit 2; }
rm -rf "$work"
mkdir -p "$work/tree"
make_record_of "$work"

# A tree with gates, sets and tables of its own.
for d in harness rtl cmodel tb; do ln -s "$PWD/$d" "$work/tree/$d"; done
mkdir "$work/tree/synth_scripts"
cp synth_scripts/*.tcl synth_scripts/*.lib synth_scripts/*.v synth_scripts/sram.table "$work/tree/synth_scripts/"
scripts=$work/tree/synth_scripts
export LOCKSTEP_ROOT="$work/tree" LOCKSTEP_CACHE="$work/cache"
cd "$work" || exit 2 # the history and the records go below it

field() { "$work/record_of" "$1" <"$work/record"; }
# synth with a record: name, exit code, words, arguments…
check() {
    name=$1 code=$2 words=$3
    shift 3
    rm -f "$work/record"
    demand "$name" "$code" "$words" "$tool" synth "$@" --record "$work/record"
}
is() { # name, field of the record, value
    got=$(field "$2" 2>&1)
    expect "$1" "$2 is $got and not $3" [ "$got" = "$3" ]
}
# A number of the record within bounds.
within_bounds() { # name, field, low, high
    got=$(field "$2" 2>&1)
    expect "$1" "$2 is $got and not from $3 to $4" awk -v x="$got" -v a="$3" -v b="$4" 'BEGIN { exit !(x != "" && x + 0 >= a && x + 0 <= b) }'
}

# ---- area: two flip-flops and a gate, counted by hand and by the library's own areas ----
cat >tiny.sv <<'LINES'
module rf_lfsr #(parameter SEED = 1) (input clk_i, input a_i, input b_i, output q_o, output p_o);
  reg first_q, second_q;
  always @(posedge clk_i) begin
    first_q <= a_i & b_i;
    second_q <= first_q;
  end
  assign q_o = second_q;
  assign p_o = first_q;
endmodule
LINES
check 'a tiny module' 0 'your RTL|2 flops, 0 latches|timing     FO4' rf_lfsr --rtl tiny.sv
folder=$(field netlist)
is '... its flip-flops' area.flops 2
awk -v lib="$library" 'BEGIN { while ((getline line < lib) > 0) {
        if (line ~ /^cell \(/) { name = line; sub(/.*\(/, "", name); sub(/\).*/, "", name) }
        if (line ~ /^ *area *:/ && !(name in area)) { split(line, p, ":"); area[name] = p[2] + 0 } } }
    { sum += $2 * area[$1] } END { printf "%.4f %.4f\n", sum, sum / area["NAND2X1"] / 1000 }' "$folder/cells.tsv" >tiny.area
read -r um2 kge <tiny.area
within_bounds '... the sum of its cells in the library' area.um2 "$um2" "$um2"
within_bounds '... in NAND2s' area.kge "$(echo "$kge" | awk '{ print $1 - 0.0001 }')" "$(echo "$kge" | awk '{ print $1 + 0.0001 }')"
expect '... two flip-flops and a gate or two, no more' "$(tr '\n' ' ' <"$folder/cells.tsv")" awk '{ n += $2; if ($1 ~ /^DFF/) f += $2 } END { exit !(f == 2 && n >= 3 && n <= 4) }' "$folder/cells.tsv"
is '... register to register from one to the other' timing.paths.reg_reg.start first_q
is '... and its end' timing.paths.reg_reg.end second_q
is '... with no cell between them' timing.paths.reg_reg.levels 0

# ---- FO4: the inverter's own tables at a load of four, its output slope its input slope, until that does not change any more ----
awk '/^cell \(/ { here = ($0 ~ /\(INVX1\)/) }
    !here { next }
    /^ *capacitance :/ && input == "" { split($0, p, ":"); input = p[2] + 0 }
    /^ *((rise|fall)_transition|cell_(rise|fall))\(/ { table = $1; sub(/\(.*/, "", table) }
    /internal_power/ { exit }
    /index_1/ { text = $0; sub(/^[^"]*"/, "", text); gsub(/[^0-9., ]/, "", text); nl = split(text, load, ",") }
    /index_2/ { text = $0; sub(/^[^"]*"/, "", text); gsub(/[^0-9., ]/, "", text); ns = split(text, slope, ","); row = 0 }
    /^ *"/ { text = $0; gsub(/[^0-9., ]/, "", text); row++; split(text, v, ","); for (i = 1; i <= ns; i++) t[table, row, i] = v[i] + 0 }
    function at(name, l, s,    i, j, x, y) {
        for (i = 1; i < nl - 1 && l > load[i + 1]; i++);
        for (j = 1; j < ns - 1 && s > slope[j + 1]; j++);
        x = (l - load[i]) / (load[i + 1] - load[i]); y = (s - slope[j]) / (slope[j + 1] - slope[j])
        return (1 - x) * (1 - y) * t[name, i, j] + x * (1 - y) * t[name, i + 1, j] + (1 - x) * y * t[name, i, j + 1] + x * y * t[name, i + 1, j + 1]
    }
    END { rise = fall = 0.1
        for (k = 0; k < 50; k++) { r = at("rise_transition", 4 * input, fall); f = at("fall_transition", 4 * input, rise); rise = r; fall = f }
        printf "%.2f\n", 500 * (at("cell_rise", 4 * input, fall) + at("cell_fall", 4 * input, rise)) }' "$library" >fo4
fo4=$(cat fo4)
expect 'FO4 by the tables of the library is an inverter'"'"'s' "it is $fo4" awk -v x="$fo4" 'BEGIN { exit !(x > 60 && x < 140) }'
within_bounds '... and within 5 % what OpenSTA measures' timing.fo4_ps "$(awk -v x="$fo4" 'BEGIN { print 0.95 * x }')" "$(awk -v x="$fo4" 'BEGIN { print 1.05 * x }')"

# ---- a slow path: sixteen bits of a ripple, each of which needs the one before ----
cat >slow.sv <<'LINES'
module rf_lfsr #(parameter SEED = 1) (input clk_i, input rst_ni, input step_i, input [31:0] a_i, output [15:0] value_o);
  reg [15:0] quick_q, tardy_q;
  assign value_o = tardy_q;
  wire [31:0] chain;
  assign chain[0] = quick_q[3];
  for (genvar i = 1; i < 32; i++) begin : g
    assign chain[i] = (i % 2 == 1) ? !(chain[i-1] & a_i[i]) : chain[i-1] ^ a_i[i];
  end
  always @(posedge clk_i or negedge rst_ni)
    if (!rst_ni) begin quick_q <= 0; tardy_q <= 0; end
    else begin quick_q <= {quick_q[14:0], step_i}; tardy_q <= {tardy_q[14:0], chain[31]}; end
endmodule
LINES
check 'a slow path' 0 'critical   quick_q[3]|register to register' rf_lfsr --rtl slow.sv
is '... is found where it was planted' timing.kind reg_reg
is '... begins at its register, by the name of the RTL' timing.paths.reg_reg.start 'quick_q[3]'
expect '... and ends at its register' "it ends at $(field timing.paths.reg_reg.end)" [ "$(field timing.paths.reg_reg.end)" = 'tardy_q[0]' ]
within_bounds '... through its gates' timing.levels 16 40

cat >ports.sv <<'LINES'
module rf_lfsr #(parameter SEED = 1) (input clk_i, input [3:0] a_i, output [3:0] y_o, output [1:0] z_o);
  assign y_o = {a_i[0] & a_i[1], a_i[2] | a_i[3], a_i[0] & a_i[1], a_i[2] | a_i[3]};
  assign z_o = {y_o[3], y_o[0]};
endmodule
LINES
check 'nets that several outputs show' 0 'input to output' rf_lfsr --rtl ports.sv
within_bounds '... have paths' timing.paths.in_out.levels 1 3

# ---- gates ----
cat >"$scripts/synth.sets" <<'LINES'
# all others at their defaults
rf_lfsr
LINES
is 'no gates yet' gates.not_checked 'none for these parameters (synth_scripts/gates)'
check 'our own' 0 'rf_lfsr  (default parameters)|gates      none' rf_lfsr
kge=$(field area.kge) delay=$(field timing.fo4) tools=$(field tools)
put_gates() { printf 'tools - - - - %s\nrf_lfsr %s %s %s %s -\n' "$tools" "$@" >"$scripts/gates"; }
more() { awk -v x="$1" -v by="$2" 'BEGIN { print x * by }'; }
put_gates "$(more "$kge" 0.98)" "$(more "$kge" 1.02)" "$(more "$delay" 0.98)" "$(more "$delay" 1.02)"
check 'inside the gates' 0 'gates      within' rf_lfsr
expect '... without Yosys: the cache has it' "$(grep -c cache "$here/text") lines say so" grep -q 'MB (from the cache); OpenSTA.*(from the cache)' "$here/text"
put_gates "$(more "$kge" 0.5)" "$(more "$kge" 0.8)" "$(more "$delay" 0.98)" "$(more "$delay" 1.02)"
check 'too large' 1 'OUTSIDE: kGE|(25.0 %) above' rf_lfsr
is '... in the record' status outside
put_gates "$(more "$kge" 1.25)" "$(more "$kge" 2)" "$(more "$delay" 0.98)" "$(more "$delay" 1.02)"
check 'too small' 1 'OUTSIDE: kGE|(20.0 %) below' rf_lfsr
put_gates "$(more "$kge" 0.98)" "$(more "$kge" 1.02)" 0 1
check 'too slow' 1 'OUTSIDE: FO4|above 0.0 to 1.0' rf_lfsr
put_gates "$(more "$kge" 0.98)" "$(more "$kge" 1.02)" 900 1000
check 'too fast' 1 'OUTSIDE: FO4|below 900.0 to 1000.0' rf_lfsr
check '... and JSON says the same' 1 '"status":"outside"|"outside":"FO4 ' rf_lfsr --json
expect '... nothing but JSON' "$(head -c 80 "$here/text")" sh -c "'$work/record_of' unit <'$here/text' | grep -qx rf_lfsr"
check 'the same of all units' 1 'OUTSIDE: FO4|1 units, 1 outside their gates' --all --only rf_lfsr --quiet
put_gates 0 0.001 0 1
printf 'rf_rr 1 2 3 4 N=3\n' >>"$scripts/gates"
check 'acceptance of what one unit is now' 0 'gates written: ' --accept --only rf_lfsr --quiet
expect '... leaves the others' "$(cat "$scripts/gates")" grep -Eq '^rf_rr +1\.000 +2\.000 +3\.0 +4\.0 N=3$' "$scripts/gates"
check '... and it is inside' 0 'gates      within' rf_lfsr
check '... as --all sees too' 0 '1 units, 0 outside their gates, 0 without gates looked at, 0 failed' --all --only 'rf_lf*' --quiet
check 'no such unit' 2 '--only rf_nobody: no unit' --all --only rf_nobody
sed -i 's/OpenSTA [0-9.]*/OpenSTA 0.1/' "$scripts/gates"
check 'gates of other tools are not looked at, and that is said' 0 'not looked at: taken with|OpenSTA 0.1' rf_lfsr

# ---- files with slips ----
printf 'rf_lfsr 1 2 3 4 -\n' >"$scripts/gates"
check 'gates without tools' 2 "$scripts/gates:1: unit: expected first of all" rf_lfsr
printf 'tools - - - - x\nrf_lfsr 1 two 3 4 -\n' >"$scripts/gates"
check 'gates with a word for a number' 2 "$scripts/gates:2: kge_high: \"two\"; expected a number from 0" rf_lfsr
rm "$scripts/gates"
printf '\nrf_lfsr SEED=0\n' >"$scripts/synth.sets"
check 'a set out of range' 2 "$scripts/synth.sets:2: parameters: |SEED" --all
printf 'rf_nobody\n' >"$scripts/synth.sets"
check 'a set of no unit' 2 "$scripts/synth.sets:1: unit: no unit rf_nobody" --all
cp "$scripts/sram.table" sram.table
sed 's/^1rw *256/1rw none/' sram.table >"$scripts/sram.table"
check 'a slip in the table of macros' 2 "sram.table:|rows: \"none\"; expected a number" rf_lfsr
cp sram.table "$scripts/sram.table"

# ---- macros ----
check 'a bank with one port' 0 'macros     2 x rf_sram_1rw_64x128: 16,384 bits|45 nm' rf_bank --param ROWS=64 --param LANES=8
is '... bits' area.macro_bits 16384
is '... no flip-flops' area.flops 0
check 'a bank with two ports' 0 'macros     2 x rf_sram_1r1w_64x128: 16,384 bits' rf_bank --param ROWS=64 --param LANES=8 --param PORTS=2
is '... it begins at the macro' timing.kind reg_out
check 'a small bank is flip-flops' 0 'memories   1 in flip-flops, 512 bits' rf_bank --param ROWS=8 --param LANES=2
is '... all of them' area.flops 576
check '... and a large one, when asked for' 0 'memories   1 in flip-flops, 4,096 bits|gates      none' rf_bank --param ROWS=32 --param LANES=4 --no-macros
is '... of no macros' area.macro_bits 0
# Both ports at once: one port would lose the read.
sed 's/assign read    = re_i && (PORTS == 2 || !we_i);/assign read    = re_i;/' "$LOCKSTEP_ROOT/rtl/banked/rf_bank.sv" >both.sv
expect 'a bank that reads while it writes' 'nothing was changed' grep -q 'assign read    = re_i;' both.sv
check '... gets no macro with one port' 0 'rf_sram_1r1w_64x128' rf_bank --param ROWS=64 --param LANES=4 --rtl both.sv

# ---- what is refused ----
cat >latch.sv <<'LINES'
module rf_lfsr #(parameter SEED = 1) (input clk_i, input open_i, input d_i, output reg held_o);
  always @* if (open_i) held_o = d_i;
endmodule
LINES
check 'a latch' 2 'a latch was inferred: rf_lfsr/' rf_lfsr --rtl latch.sv
echo 'module rf_lfsr (input clk_i; endmodule' >broken.sv
check 'RTL that is none' 2 'broken.sv:1: ERROR: syntax error' rf_lfsr --rtl broken.sv
check 'no such RTL' 2 'nowhere.sv' rf_lfsr --rtl nowhere.sv
check 'no such library' 2 '/nowhere.lib: No such file' rf_lfsr --lib /nowhere.lib
printf 'library (x) {\n  cell (A) { area : big; }\n}\n' >bad.lib
check 'a library with a slip' 2 'bad.lib:2:' rf_lfsr --lib bad.lib
check 'no unit' 2 'synth needs a unit, or --all'
check 'a unit and all of them' 2 '--all and --accept are of all units' rf_lfsr --all
check 'acceptance of one' 2 '--all and --accept are of all units' rf_lfsr --accept

# ---- tools that are not there ----
mkdir bin
for t in git yosys berkeley-abc yosys-abc; do
    at=$(command -v "$t") && ln -sf "$at" "bin/$t"
done
without() { demand "$1" "$2" "$3" env PATH="$work/bin" "$tool" synth rf_lfsr; }
put_gates "$(more "$kge" 0.98)" "$(more "$kge" 1.02)" 900 1000
without 'without OpenSTA there is area' 0 'kGE|timing     OpenSTA is missing: apt-get install opensta|gates      within'
rm bin/yosys
without 'without Yosys there is nothing' 2 'need Yosys, which cannot be run: apt-get install yosys'

# ---- history: a tree under git, an RTL that grows by a row of gates ----
rm -f "$scripts/gates"
rm "$LOCKSTEP_ROOT/rtl"
cp -r "$home/rtl" "$LOCKSTEP_ROOT/rtl"
commit() { git -C "$LOCKSTEP_ROOT" add rtl && git -C "$LOCKSTEP_ROOT" -c user.name=t -c user.email=t@localhost commit -q -m "$1"; }
git init -q "$LOCKSTEP_ROOT"
printf 'harness\ncmodel\ntb\nsynth_scripts\n' >"$LOCKSTEP_ROOT/.git/info/exclude"
commit one
check 'the first of a history' 0 'rf_lfsr' rf_lfsr --history history.db
expect '... has nothing to be compared with' "$(grep change "$here/text")" sh -c "! grep -q '^change' '$here/text'"
before=$(field area.kge)
first=$(git -C "$LOCKSTEP_ROOT" rev-parse --short=7 HEAD)
sed -i 's/  assign value_o = value_q;/  assign value_o = value_q ^ {16{step_i}};/' "$LOCKSTEP_ROOT/rtl/common/rf_lfsr.sv"
commit two
check 'a later commit' 0 "change     since $first|kGE +" rf_lfsr --history history.db
within_bounds '... is compared with the first' before.kge "$(more "$before" 0.999)" "$(more "$before" 1.001)"
expect '... and is larger' "$(field area.kge) after $before" awk -v a="$(field area.kge)" -v b="$before" 'BEGIN { exit !(a > b) }'
check '... and again with the first, not with itself' 0 "change     since $first" rf_lfsr --history history.db
check 'a file that is no history' 2 'is no history' rf_lfsr --history tiny.sv
tally
