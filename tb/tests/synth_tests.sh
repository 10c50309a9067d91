#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Area and timing (lockstep synth) judged from outside: area against the library's own figures, FO4 against its tables read another way,
# a slow path, a latch and wrong macros that are planted, gates with two sides, files with slips, what a netlist depends on, paths with
# blanks, a history of two commits, tools that are not there. One line a check; ends with "N passed, N failed".
# shellcheck disable=SC2016 # $ of SystemVerilog and awk
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
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
# synth with a record: name, exit code, facts, arguments…
check() {
    name=$1 code=$2 facts=$3
    shift 3
    rm -f "$work/record"
    demand "$name" "$code" "$facts" "$tool" synth "$@" --record "$work/record"
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

more() { awk -v x="$1" -v by="$2" 'BEGIN { print x * by }'; }
near() { awk -v x="$1" -v off="$2" 'BEGIN { print x + off }'; }

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
check 'a tiny module' 0 '2 flops 0 latches|timing FO4' rf_lfsr --rtl tiny.sv
folder=$(field netlist)
is '... its flip-flops' area.flops 2
awk -v lib="$library" 'BEGIN { while ((getline line < lib) > 0) {
        if (line ~ /^cell \(/) { name = line; sub(/.*\(/, "", name); sub(/\).*/, "", name) }
        if (line ~ /^ *area *:/ && !(name in area)) { split(line, p, ":"); area[name] = p[2] + 0 } } }
    { sum += $2 * area[$1] } END { printf "%.4f %.4f\n", sum, sum / area["NAND2X1"] / 1000 }' "$folder/cells.tsv" >tiny.area
read -r um2 kge <tiny.area
within_bounds '... the sum of its cells in the library' area.um2 "$um2" "$um2"
within_bounds '... in NAND2s' area.kge "$(echo "$kge" | awk '{ print $1 - 0.0001 }')" "$(echo "$kge" | awk '{ print $1 + 0.0001 }')"
sed 's/.*"where":{\([^}]*\)}.*/\1/; s/,/\n/g' "$work/record" | sed 's/:/ /' >tiny.where
expect '... whose they are: all of the area, by register and port' "$(cat tiny.where)" awk -v kge="$kge" '{ sum += $2; seen[$1] = 1 }
    END { exit !(("\"first_q\"" in seen) && ("\"second_q\"" in seen) && (sum - kge) ^ 2 < 1e-7) }' tiny.where
expect '... two flip-flops and a gate or two, no more' "$(tr '\n' ' ' <"$folder/cells.tsv")" awk '{ n += $2; if ($1 ~ /^DFF/) f += $2 } END { exit !(f == 2 && n >= 3 && n <= 4) }' "$folder/cells.tsv"
is '... register to register from one to the other' timing.paths.reg_reg.start first_q
is '... and its end' timing.paths.reg_reg.end second_q
is '... with no cell between them' timing.paths.reg_reg.levels 0
awk -v lib="$library" 'BEGIN { while ((getline line < lib) > 0) {
        if (line ~ /^cell \(/) { name = line; sub(/.*\(/, "", name); sub(/\).*/, "", name); flop = 0 }
        if (line ~ /^ *ff *\(/) flops[name] = 1
        if (line ~ /^ *area *:/ && !(name in area)) { split(line, p, ":"); area[name] = p[2] + 0 } } }
    $1 in flops { sum += $2 * area[$1] } END { printf "%.4f\n", sum / area["NAND2X1"] / 1000 }' "$folder/cells.tsv" >tiny.flops
is '... and of the area what is flip-flops' area.flop_kge "$(cat tiny.flops)"

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
        printf "%.2f ", 500 * (at("cell_rise", 4 * input, fall) + at("cell_fall", 4 * input, rise))
        # Behind an input: what a load of one adds to the driver, and the inverter with a load of four at the slope that the driver gives.
        up = at("cell_rise", input, 0) - at("cell_rise", 0, 0) + at("cell_fall", 4 * input, at("rise_transition", input, 0))
        down = at("cell_fall", input, 0) - at("cell_fall", 0, 0) + at("cell_rise", 4 * input, at("fall_transition", input, 0))
        printf "%.4f %.6f\n", (up > down ? up : down), input }' "$library" >chain
read -r fo4 through input <chain
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
check 'a slow path' 0 'critical quick_q[3]|register register' rf_lfsr --rtl slow.sv
is '... is found where it was planted' timing.kind reg_reg
is '... begins at its register, by the name of the RTL' timing.paths.reg_reg.start 'quick_q[3]'
expect '... and ends at its register' "it ends at $(field timing.paths.reg_reg.end)" [ "$(field timing.paths.reg_reg.end)" = 'tardy_q[0]' ]
within_bounds '... through its gates' timing.levels 16 40

# An inverter from an input to an output; a reset that many outputs show, which is no path; an enable that many flip-flops read.
cat >edge.sv <<'LINES'
module rf_lfsr #(parameter SEED = 1) (input clk_i, input rst_ni, input a_i, input [31:0] b_i, input en_i, output y_o,
                                      output [31:0] w_o, output [31:0] v_o);
  reg [31:0] b_q, v_q;
  always @(posedge clk_i) begin b_q <= b_i; if (en_i) v_q <= b_i; end
  assign y_o = !a_i;
  assign w_o = b_q & {32{rst_ni}};
  assign v_o = v_q;
endmodule
LINES
check 'inputs and outputs' 0 'a_i -> y_o' rf_lfsr --rtl edge.sv
folder=$(field netlist)
is '... a reset is no path' timing.paths.in_out.start a_i
is '... one cell' timing.paths.in_out.levels 1
within_bounds '... with its driver and its load by the tables of the library' timing.paths.in_out.ns "$(more "$through" 0.97)" "$(more "$through" 1.03)"
expect '... abc is told of load and driver: it buffers what 32 flip-flops read' "$(tr '\n' ' ' <"$folder/cells.tsv")" grep -q '^BUFX' "$folder/cells.tsv"
load_of() { sed -n 's/^set load //p' "$1"; }
expect '... with the load of four inverters, in fF' "it is $(load_of "$folder/settings.tcl")" \
    awk -v x="$(load_of "$folder/settings.tcl")" -v c="$input" 'BEGIN { exit !((x - 4000 * c) ^ 2 < 0.01) }'

for edge in 'negedge clk_i' 'posedge other_i' 'posedge either'; do # either: at both edges of the clock, as other_i is
    printf 'module rf_lfsr #(parameter SEED = 1) (input clk_i, input other_i, input d_i, output q_o);
  wire either = clk_i ^ other_i;\n  reg good_q, half_q;\n  always @(posedge clk_i) good_q <= d_i;\n  always @(%s) half_q <= good_q;\n  assign q_o = half_q;\nendmodule\n' "$edge" >half.sv
    check "a register at the $edge" 2 'rf_lfsr: half_q rising clk_i' rf_lfsr --rtl half.sv
done

cat >ports.sv <<'LINES'
module rf_lfsr #(parameter SEED = 1) (input clk_i, input [3:0] a_i, output [3:0] y_o, output [1:0] z_o);
  assign y_o = {a_i[0] & a_i[1], a_i[2] | a_i[3], a_i[0] & a_i[1], a_i[2] | a_i[3]};
  assign z_o = {y_o[3], y_o[0]};
endmodule
LINES
check 'nets that several outputs show' 0 'input output' rf_lfsr --rtl ports.sv
within_bounds '... have paths' timing.paths.in_out.levels 1 3

# ---- gates ----
cat >"$scripts/synth.sets" <<'LINES'
# all others at their defaults
rf_lfsr
LINES
is 'no gates yet' gates.not_checked 'none for these parameters (synth_scripts/gates)'
check 'our own' 0 'rf_lfsr|gates none' rf_lfsr
kge=$(field area.kge) delay=$(field timing.fo4) tools=$(field tools)
demand '... which of all units is an error' 2 'gates --accept' "$tool" synth --all --only rf_lfsr --quiet
demand '... unless another library is named' 0 '=1 units, 0 outside|=1 without|=0 failed' \
    "$tool" synth --all --only rf_lfsr --quiet --lib "$library"
put_gates() { printf 'tools - - - - %s\nrf_lfsr %s %s %s %s -\n' "$tools" "$@" >"$scripts/gates"; }
put_gates "$(more "$kge" 0.98)" "$(more "$kge" 1.02)" "$(more "$delay" 0.98)" "$(more "$delay" 1.02)"
check 'inside the gates' 0 'gates within' rf_lfsr
expect '... without Yosys: the cache has it' "$(grep -c cache "$here/text") lines say so" grep -q 'cache.*OpenSTA.*cache' "$here/text"
put_gates "$(more "$kge" 0.5)" "$(more "$kge" 0.8)" "$(more "$delay" 0.98)" "$(more "$delay" 1.02)"
check 'too large' 1 'OUTSIDE: kGE 25.0 above' rf_lfsr
is '... in the record' status outside
put_gates "$(more "$kge" 1.25)" "$(more "$kge" 2)" "$(more "$delay" 0.98)" "$(more "$delay" 1.02)"
check 'too small' 1 'OUTSIDE: kGE 20.0 below' rf_lfsr
put_gates "$(more "$kge" 0.98)" "$(more "$kge" 1.02)" 0 1
check 'too slow' 1 'OUTSIDE: FO4 above 0.0 1.0' rf_lfsr
put_gates "$(more "$kge" 0.98)" "$(more "$kge" 1.02)" 900 1000
check 'too fast' 1 'OUTSIDE: FO4 below 900.0 1000.0' rf_lfsr
check '... and JSON says the same' 1 '@status=outside|"outside":"FO4' rf_lfsr --json
expect '... nothing but JSON' "$(head -c 80 "$here/text")" sh -c "'$work/record_of' unit <'$here/text' | grep -qx rf_lfsr"
check 'the same of all units' 1 'OUTSIDE: FO4|=1 units, 1 outside' --all --only rf_lfsr --quiet
check 'gates are looked at or it is an error' 2 '=1 without|lockstep: gates tools' \
    --all --only rf_rr --quiet
put_gates 0 0.001 0 1
printf 'rf_rr 1 2 3 4 N=3\n' >>"$scripts/gates"
check 'acceptance of what one unit is now' 0 'gates written: ' --accept --only rf_lfsr --quiet
expect '... leaves the others' "$(cat "$scripts/gates")" grep -Eq '^rf_rr +1\.000 +2\.000 +3\.0 +4\.0 N=3$' "$scripts/gates"
check '... and it is inside' 0 'gates within' rf_lfsr
check '... as --all sees too' 0 '=1 units, 0 outside|=0 without|=0 failed' --all --only 'rf_lf*' --quiet
check 'no such unit' 2 '--only rf_nobody:' --all --only rf_nobody
sed -i 's/OpenSTA [0-9.]*/OpenSTA 0.1/' "$scripts/gates"
check 'gates of other tools are not looked at, and that is said' 0 'gates|OpenSTA 0.1' rf_lfsr
check '... nor of all units' 2 '=1 without|lockstep: gates tools' --all --only rf_lfsr --quiet
cp "$scripts/gates" other.gates
check '... and are not mixed with those of these' 2 'OpenSTA 0.1; --only' --accept --only rf_lfsr --quiet
expect '... nothing was written' "$(cat "$scripts/gates")" cmp -s other.gates "$scripts/gates"
check 'acceptance with another library' 2 '--accept --lib' --accept --only rf_lfsr --lib "$library"

# ---- files with slips ----
printf 'rf_lfsr 1 2 3 4 -\n' >"$scripts/gates"
check 'gates without tools' 2 "$scripts/gates:1: unit" rf_lfsr
printf 'tools - - - - x\nrf_lfsr 1 two 3 4 -\n' >"$scripts/gates"
check 'gates with a word for a number' 2 "$scripts/gates:2: kge_high two 0" rf_lfsr
rm "$scripts/gates"
printf '\nrf_lfsr SEED=0\n' >"$scripts/synth.sets"
check 'a set out of range' 2 "$scripts/synth.sets:2: parameters SEED" --all
printf 'rf_nobody\n' >"$scripts/synth.sets"
check 'a set of no unit' 2 "$scripts/synth.sets:1: rf_nobody" --all
cp "$scripts/sram.table" sram.table
sed 's/^1rw *256/1rw none/' sram.table >"$scripts/sram.table"
check 'a slip in the table of macros' 2 "sram.table: rows none number" rf_lfsr
cp sram.table "$scripts/sram.table"

# ---- macros ----
check 'a bank with one port' 0 'macros 2 rf_sram_1rw_64x128: 16,384|45 nm' rf_bank --param ROWS=64 --param LANES=8
is '... bits' area.macro_bits 16384
is '... no flip-flops' area.flops 0
check 'a bank with two ports' 0 'macros 2 rf_sram_1r1w_64x128: 16,384' rf_bank --param ROWS=64 --param LANES=8 --param PORTS=2
is '... it begins at the macro' timing.kind reg_out
takes=$(awk '$1 == "1r1w" && $2 >= 64 && $3 == 128 { print 1000 * $6 / $5; exit }' sram.table)
within_bounds '... and takes the time of the table, in FO4 of its node' timing.paths.reg_out.fo4 "$(near "$takes" -0.02)" "$(near "$takes" 0.02)"
check 'a small bank is flip-flops' 0 'memories 1 flip-flops 512' rf_bank --param ROWS=8 --param LANES=2
is '... all of them' area.flops 576
check '... and a large one, when asked for' 0 'memories 1 flip-flops 4,096|gates none' rf_bank --param ROWS=32 --param LANES=4 --no-macros
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
check 'a latch' 2 'latch rf_lfsr/' rf_lfsr --rtl latch.sv
cat >hold.sv <<'LINES'
module rf_lfsr #(parameter SEED = 1) (input clk_i, input open_i, input d_i, output [15:0] held_o);
  wire q = open_i ? d_i : q;
  assign held_o = {15'b0, q};
endmodule
LINES
check 'a loop of gates, which holds as a latch does' 2 'loop latch|=rf_lfsr/q' rf_lfsr --rtl hold.sv
cat >chain.sv <<'LINES'
module rf_lfsr #(parameter SEED = 1) (input clk_i, input [15:0] a_i, output [15:0] held_o);
  assign held_o = {held_o[14:0], 1'b0} | a_i;
endmodule
LINES
check '... and none: a chain through the bits of one word' 0 '0 latches|input output' rf_lfsr --rtl chain.sv
echo 'module rf_lfsr (input clk_i; endmodule' >broken.sv
check 'RTL that is none' 2 'broken.sv:1: ERROR: syntax error' rf_lfsr --rtl broken.sv
sed 's/posedge clk_i/posedge gated/; s/  reg first_q/  wire gated = clk_i \& a_i;\n&/' tiny.sv >gated.sv
check 'a gated clock, into which paths are not looked at' 2 'clock clk_i|=_q' rf_lfsr --rtl gated.sv
for clear in 'rst_ni \& ~b_i' 'rst_ni \& ~second_q' b_i; do # by an input beside the reset, by a register, by an input alone
    sed "s/input clk_i,/input clk_i, input rst_ni,/; s/posedge clk_i/posedge clk_i or negedge clear_n/; s/begin\$/if (!clear_n) first_q <= 0; else begin/
        s/  reg first_q.*/&\n  wire clear_n = $clear;/" tiny.sv >clear.sv
    check "a reset that is $clear" 2 'rf_lfsr: first_q reset rst_ni' rf_lfsr --rtl clear.sv
done
sed -i 's/wire clear_n = .*/wire clear_n = ~rst_ni;/' clear.sv
check '... and one that is the reset upside down' 0 '2 flops 0 latches|timing FO4' rf_lfsr --rtl clear.sv
check 'no such RTL' 2 'nowhere.sv' rf_lfsr --rtl nowhere.sv
check 'no such library' 2 '/nowhere.lib: No such file' rf_lfsr --lib /nowhere.lib
printf 'library (x) {\n  cell (A) { area : big; }\n}\n' >bad.lib
check 'a library with a slip' 2 'bad.lib:2:' rf_lfsr --lib bad.lib
check 'a library without a name' 2 '--lib: Liberty' rf_lfsr --lib ''
sed '/^ *area *:/d' "$library" >bad.lib
check 'a library without areas' 2 'bad.lib: NAND2X1: area: 0 0' rf_lfsr --lib bad.lib
sed 's/\(capacitance *:\).*/\1 0;/' "$library" >bad.lib
check 'a library without capacitances' 2 'bad.lib: INVX1: capacitance 0 0' rf_lfsr --lib bad.lib
awk '/^cell *\((DFFSR|LATCH)/ { skip = 1 } /^cell *\(/ && !/DFFSR|LATCH/ { skip = 0 } !skip' "$library" >bad.lib
check 'a library without a reset' 2 'flip-flop Yosys' rf_lfsr --lib bad.lib
demand 'no folder for temporary files' 2 'TMPDIR=/nowhere: No such file' env TMPDIR=/nowhere "$tool" synth rf_rr --param N=5
check 'no unit' 2 'synth --all'
check 'a unit and all of them' 2 '--all --accept' rf_lfsr --all
check 'acceptance of one' 2 '--all --accept' rf_lfsr --accept

# ---- what figures depend on: tools that say when they are asked to work, and who they are ----
mkdir stub
yosys -V >stub/yosys.version
sta -version >stub/sta.version
for t in yosys sta; do
    printf '#!/bin/sh\ncase $1 in -V | -version) cat "%s/stub/%s.version" ;;\n*) echo "Error: ERROR: %s-asked"; exit 1 ;; esac\n' \
        "$work" $t $t >stub/$t
    chmod +x stub/$t
done
# asked TOOL NAME ARGUMENTS: it must be asked, as `none` of them must when nothing has changed.
asked() {
    who=$1 name=$2 code=2
    shift 2
    [ "$who" != none ] || code=0
    demand "$name" "$code" "$([ "$who" = none ] || echo "$who-asked")" env PATH="$work/stub:$PATH" "$tool" synth "$@" --brief
}
changed() { # TOOL FILE WHAT: a line more in a script
    cp "$2" "$work/kept"
    echo "$3" >>"$2"
    asked "$1" "a change of ${2##*/}" rf_lfsr
    cp "$work/kept" "$2"
}
asked none 'nothing has changed' rf_lfsr
for f in synth.tcl sram.lib sram_map.v sram_macros.tcl; do changed yosys "$scripts/$f" ' '; done
for f in timing.tcl fo4.tcl; do changed sta "$scripts/$f" ' '; done
asked none '... and back' rf_lfsr
bank='rf_bank --param ROWS=64 --param LANES=8'
# shellcheck disable=SC2086 # words
asked none 'a bank of macros' $bank
# shellcheck disable=SC2086
asked yosys '... is not one of flip-flops' $bank --no-macros
sed '/^1rw/s/ 0\.[0-9]* / 0.7 /' sram.table >"$scripts/sram.table"
# shellcheck disable=SC2086
asked sta '... and depends on the figures of its macros' $bank
cp sram.table "$scripts/sram.table"
mkdir inc
printf 'module rf_lfsr #(parameter SEED = 1) (input a_i, input b_i, output y_o);\n`include "piece.svh"\nendmodule\n' >inc/top.sv
echo '`include "deep.svh"' >inc/piece.svh
echo 'assign y_o = a_i & b_i;' >inc/deep.svh
check 'a file that includes one that includes one' 0 'rf_lfsr' rf_lfsr --rtl inc/top.sv
asked none '... all as it was' rf_lfsr --rtl inc/top.sv
echo 'assign y_o = a_i & b_i b_i;' >inc/deep.svh
check '... the last of them with a slip' 2 "$work/inc/deep.svh:1: ERROR: syntax error" rf_lfsr --rtl inc/top.sv

# The same library with one area changed and another unit of time: the same FO4, a hundredth of the time, and nothing from the cache.
cp "$library" one.lib
check 'a copy of the library' 0 'rf_lfsr' rf_lfsr --rtl tiny.sv --lib one.lib
um2=$(field area.um2) fo4=$(field timing.fo4) ns=$(field timing.ns)
sed -e 's/time_unit : "1ns"/time_unit : "10ps"/' -e 's/capacitive_load_unit (1,pf)/capacitive_load_unit (10,ff)/' \
    -e '/^cell *(DFFPOSX1)/,/area/s/area *: *96/area : 100/' "$library" >one.lib
check 'another under its name' 0 'rf_lfsr' rf_lfsr --rtl tiny.sv --lib one.lib
is '... nothing of it is from the cache' cached false
is '... the area of two flip-flops that are larger by 4 um2' area.um2 "$(awk -v x="$um2" 'BEGIN { printf "%.1f", x + 8 }')"
within_bounds '... the same FO4' timing.fo4 "$(near "$fo4" -0.02)" "$(near "$fo4" 0.02)"
ns=$(more "$ns" 0.01)
within_bounds '... in a hundredth of the time' timing.ns "$(near "$ns" -0.00006)" "$(near "$ns" 0.00006)"
folder=$(field netlist)
expect '... a period of 100 ns, in its unit' "$(grep period "$folder/timing-settings.tcl")" grep -qx 'set period 10000' "$folder/timing-settings.tcl"
for at in "$folder/settings.tcl 40" "$folder/timing-settings.tcl 4"; do
    expect "... loads in the unit of who reads ${at#"$folder/"}" "it is $(load_of "${at% *}")" \
        awk -v x="$(load_of "${at% *}")" -v want="$(more "$input" "${at#* }")" 'BEGIN { exit !((x / want - 1) ^ 2 < 1e-6) }'
done

# ---- paths with blanks and letters that are not ASCII, for library, RTL, cache and the project; in the C locale too ----
mkdir 'a b ü'
cp -a "$work/tree" 'a b ü/tree'
cp "$library" 'a b ü/my lib.lib'
cp "$home/rtl/common/rf_lfsr.sv" 'a b ü/rf lfsr ü.sv'
in_blanks() { env LC_ALL=C LOCKSTEP_ROOT="$work/a b ü/tree" LOCKSTEP_CACHE="$work/a b ü/cache" "$tool" "$@" rf_lfsr --lib 'a b ü/my lib.lib' --rtl 'a b ü/rf lfsr ü.sv'; }
demand 'a folder with blanks and an umlaut' 0 'kGE|timing FO4' in_blanks synth
demand '... in a proof' 0 'equivalent rf_lfsr' in_blanks prove --netlist
mkdir 'a"b'
cp tiny.sv 'a"b/tiny.sv'
mkdir -p "$work/o'brien"
demand 'a cache that abc cannot read' 2 "=o'brien/synth/rf_rr-|quote semicolon|LOCKSTEP_CACHE" env LOCKSTEP_CACHE="$work/o'brien" "$tool" synth rf_rr
check 'a path with a quote' 2 'a"b/tiny.sv Yosys quote' rf_lfsr --rtl 'a"b/tiny.sv'

# ---- sets that fail: all do that are not in the cache, because Yosys will not work ----
echo rf_lfsr >"$scripts/synth.sets"
check 'the figures as they are' 0 'rf_lfsr' rf_lfsr
kge=$(field area.kge) delay=$(field timing.fo4)
put_gates "$(more "$kge" 0.98)" "$(more "$kge" 1.02)" "$(more "$delay" 0.98)" "$(more "$delay" 1.02)"
printf 'rf_rr 1 2 3 4 N=3\n' >>"$scripts/gates"
demand 'sets that fail' 2 \
    '=2 units, 0 outside|=1 without|rf_bank ERROR: yosys-asked|gates rf_rr N=3' \
    env PATH="$work/stub:$PATH" "$tool" synth --all --quiet
expect '... and not one' "$(tail -n 1 "$here/text")" grep -Eq ' [1-9][0-9]* failed; ' "$here/text"

# ---- tools that are not there ----
mkdir bin
for t in git yosys berkeley-abc yosys-abc; do
    at=$(command -v "$t") && ln -sf "$at" "bin/$t"
done
without() { demand "$1" "$2" "$3" env PATH="$work/bin" "$tool" synth rf_lfsr; }
put_gates "$(more "$kge" 0.98)" "$(more "$kge" 1.02)" 900 1000
without 'without OpenSTA there is area' 0 'kGE|timing OpenSTA opensta|gates within'
demand '... where a gated clock is no error, but whose the area is cannot be told' 1 'where clock|2 flops 0 latches|OpenSTA|OUTSIDE: kGE' \
    env PATH="$work/bin" "$tool" synth rf_lfsr --rtl gated.sv
rm bin/yosys
without 'without Yosys there is nothing' 2 'Yosys yosys'

# ---- history: a tree under git, an RTL that grows by a row of gates ----
rm -f "$scripts/gates"
rm "$LOCKSTEP_ROOT/rtl"
cp -r "$home/rtl" "$LOCKSTEP_ROOT/rtl"
commit() { git -C "$LOCKSTEP_ROOT" add rtl && git -C "$LOCKSTEP_ROOT" -c user.name=t -c user.email=t@localhost commit -q -m "$1"; }
git init -q "$LOCKSTEP_ROOT"
printf 'harness\ncmodel\ntb\nsynth_scripts\n' >"$LOCKSTEP_ROOT/.git/info/exclude"
commit one
check 'the first of a history' 0 'rf_lfsr' rf_lfsr --history history.db
expect '... has nothing to be compared with' "$(grep change "$here/text")" grep -q '^change  *none' "$here/text"
before=$(field area.kge)
first=$(git -C "$LOCKSTEP_ROOT" rev-parse --short=7 HEAD)
sed -i 's/  assign value_o = value_q;/  assign value_o = value_q ^ {16{step_i}};/' "$LOCKSTEP_ROOT/rtl/common/rf_lfsr.sv"
commit two
check 'a later commit' 0 "change $first|=kGE +" rf_lfsr --history history.db
within_bounds '... is compared with the first' before.kge "$(more "$before" 0.999)" "$(more "$before" 1.001)"
expect '... and is larger' "$(field area.kge) after $before" awk -v a="$(field area.kge)" -v b="$before" 'BEGIN { exit !(a > b) }'
check '... and again with the first, not with itself' 0 "change $first" rf_lfsr --history history.db
check 'other parameters' 0 'change none' rf_lfsr --history history.db --param SEED=5
check 'another library of the same name' 0 'change none' rf_lfsr --history history.db --lib "$work/one.lib"
check '... and that of before again with the first' 0 "change $first|=kGE +" rf_lfsr --history history.db
cat >rows.c <<'LINES'
#include <sqlite3.h>
#include <stdio.h>
int main(int argc, char **argv) {
    sqlite3 *db;
    sqlite3_stmt *s;
    if (argc != 2 || sqlite3_open(argv[1], &db) != 0) return 2;
    if (sqlite3_prepare_v2(db, "SELECT count(*) FROM synthesis", -1, &s, 0) != 0) return 2;
    return sqlite3_step(s) == SQLITE_ROW && printf("%d\n", sqlite3_column_int(s, 0)) > 0 ? 0 : 2;
}
LINES
gcc -O0 -o rows rows.c -lsqlite3 || exit 2
rows=$(./rows history.db) # two commits, other parameters, another library: each once, though this commit came three times
expect '... one entry for each of them' "there are $rows" [ "$rows" = 4 ]
# A module of ours that is none of the unit's own, found by its folder.
printf 'module rf_lfsr #(parameter SEED = 1) (input clk_i, input rst_ni, input step_i, output [15:0] value_o);
  rf_rr #(.N(16)) u (.clk_i, .rst_ni, .req_i({16{step_i}}), .take_i(step_i), .grant_o(value_o), .valid_o());\nendmodule\n' >lib.sv
check 'RTL with a module of ours' 0 'rf_lfsr' rf_lfsr --rtl lib.sv
asked none '... all as it was' rf_lfsr --rtl lib.sv
echo ' ' >>"$LOCKSTEP_ROOT/rtl/common/rf_rr.sv"
asked yosys '... which then changes' rf_lfsr --rtl lib.sv
check 'a file that is no history' 2 'tiny.sv history' rf_lfsr --history tiny.sv

tally
