#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `lockstep energy`: its toggles are those that tb/tests/energy_check.awk counts in the same netlist at the same inputs, net by net of each kind of
# cell; its macros' energy is accesses times the table; idle inputs leave the clock; a netlist that is not the model's is a finding; what
# cannot be measured is told. Ends with "N passed, N failed".
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
work=build/energy
here=$work
rm -rf "$work"
mkdir -p "$work"

for need in yosys verilator; do
    command -v "$need" >/dev/null 2>&1 || { echo "energy_tests.sh needs $need: make deps-test"; exit 2; }
done
if [ ! -r /usr/share/qflow/tech/osu018/osu018_stdcells.lib ]; then
    echo "energy_tests.sh needs the cell library: apt-get install qflow-tech-osu018"
    exit 2
fi

check() { name=$1 code=$2 facts=$3 && shift 3 && demand "$name" "$code" "$facts" "$tool" energy "$@"; } # name, exit code, facts, arguments…

# The number behind a key of the last record; "missing", which no condition takes for a number.
number() {
    found=$(sed -n "s/.*\"$1\":\([-+.e0-9]*\).*/\1/p" "$work/record" | head -n 1)
    echo "${found:-missing}"
}
counter() { # of the last record of `model`, in $work/model
    sed -n "s/.*\"$1\":\([-+.e0-9]*\).*/\1/p" "$work/model" | head -n 1
}
measure() { # arguments… the record is left in $work/record
    "$tool" energy "$@" --json >"$work/record" 2>"$work/text"
}
# Whether a condition in awk's words holds of numbers a, b, c, d, which all that are given must be: awk takes what is none for 0.
holds() {
    condition=$1
    shift
    for n in "$@"; do
        case $n in
        *[!-+.e0-9\ ]*) return 1 ;;
        *[0-9]*) ;;
        *) return 1 ;;
        esac
    done
    awk -v a="$1" -v b="$2" -v c="${3:-0}" -v d="${4:-0}" "BEGIN { exit !($condition) }"
}

# ---- toggles, counted twice ----
"$tool" waves rf_rr --cycles 300 --output "$work/run" --quiet >"$work/text" 2>&1
measure rf_rr --cycles 300 --nets "$work/nets.tsv"
folder=$(sed -n 's/.*"netlist":"\([^"]*\)\/gates.il".*/\1/p' "$work/record")
awk -f tb/tests/energy_check.awk "$folder/gates.v" "$work/run/failure.case" 2>"$work/text" | sort >"$work/counted"
awk -F '\t' 'NR > 1 { print $2, $3 }' "$work/nets.tsv" | sort >"$work/told"
expect 'both ways see every net' "$(wc -l <"$work/counted") and $(wc -l <"$work/told") nets" [ "$(wc -l <"$work/counted")" -gt 50 ]
expect 'toggles are those counted bit by bit' "$(diff "$work/counted" "$work/told" | head -n 3)" cmp -s "$work/counted" "$work/told"
expect '... and they are some' 'nothing toggled' holds 'a > 1000' "$(awk '{ n += $2 } END { print n + 0 }' "$work/told")" 0
expect 'the clock toggles twice a cycle' "$(grep '^clk_i' "$work/nets.tsv")" [ "$(awk -F '\t' '$1 == "clk_i" { print $3 }' "$work/nets.tsv")" = 594 ]

expect 'every output and flip-flop is compared in every cycle' "$(number checked_bits) bits" holds 'a >= 16 * 297 && a <= 16 * 300' \
    "$(number checked_bits)" 0

# ---- sums ----
expect 'the groups are the total' "$(cut -c 1-900 "$work/record")" holds 'a > 0 && (a - b) ^ 2 < (1e-6 * a) ^ 2' "$(number total)" \
    "$(awk -v l="$(number leakage)" -v c="$(number clock)" -v f="$(number flops)" -v g="$(number logic)" -v s="$(number switching)" \
        'BEGIN { printf "%.12g", l + c + f + g + s }')"
total=$(number total) leakage=$(number leakage)
measure rf_rr --cycles 300 --period 20
expect 'twice the period, twice the leakage' "$leakage, $(number leakage)" holds '(b - 2 * a) ^ 2 < (1e-6 * a) ^ 2' "$leakage" "$(number leakage)"
expect '... and half the power' "$total, $(number mw)" holds '(20 * b - a) ^ 2 < (1e-3 * a) ^ 2' "$total" "$(number mw)"
measure rf_rr --idle
expect 'idle: the clock alone' "$(cut -c 1-900 "$work/record")" holds 'a > 0 && b == 0 && c == 0 && d == 0' "$(number clock)" "$(number logic)" \
    "$(number flops)" "$(number switching)"

"$tool" energy rf_rr --cycles 300 >"$work/printed" 2>&1
measure rf_rr --cycles 300
printed() { sed -n "s/^rf_rr[^:]*: \([.e0-9+-]*\) pJ a cycle, \([.e0-9+-]*\) mW at 10 ns\$/\\$1/p" "$work/printed"; }
expect 'what is printed is what is recorded: pJ' "$(head -n 1 "$work/printed")" holds 'a > 0 && (a - b) ^ 2 < (1e-3 * a) ^ 2' "$(printed 1)" "$(number total)"
expect '... mW' "$(head -n 1 "$work/printed")" holds 'a > 0 && (a - b) ^ 2 < (1e-3 * a) ^ 2' "$(printed 2)" "$(number mw)"
expect '... mW of each group' "$(cat "$work/printed")" holds 'a > 0 && (a - b / 10) ^ 2 < (1e-3 * a) ^ 2' \
    "$(awk '$1 == "clock" { print $3; exit }' "$work/printed")" "$(number clock)"
expect '... bits compared' "$(cat "$work/printed")" says "$work/printed" "297 cycles|$(number checked_bits) bits"

# ---- what the library does not say is 0, and said ----
library=/usr/share/qflow/tech/osu018/osu018_stdcells.lib
expect 'our library says all' "$(cut -c 1-900 "$work/record")" grep -q '"cells_without":{"power_tables":0,"leak":0}' "$work/record"
# Groups of internal_power go by their braces.
awk '/^ *internal_power *\(/ { skip = 1; depth = 0 } skip { depth += gsub(/{/, "{") - gsub(/}/, "}"); if (depth == 0 && /}/) skip = 0; next } 1' "$library" >"$work/noip.lib"
sed '/cell_leakage_power *:/d' "$library" >"$work/nolk.lib"
check 'a library without internal power' 0 'internal_power 68 cells 0' rf_rr --cycles 300 --lib "$work/noip.lib"
check 'a library without leakage' 0 'leakage 68 cells 0' rf_rr --cycles 300 --lib "$work/nolk.lib"

# ---- macros: 4.24 pJ a read and 11.05 pJ a write, with one port ----
measure rf_bank --cycles 2000
expect 'a bank is macros' "$(cat "$work/text")" holds 'a > 0 && b > 0 && c > 0' "$(sed -n 's/.*"macros":{"count":\([0-9]*\).*/\1/p' "$work/record")" \
    "$(number reads)" "$(number writes)"
pj=$(sed -n 's/.*"node_nm":[0-9.]*,"pj_a_cycle":\([-+.e0-9]*\).*/\1/p' "$work/record")
expect 'accesses times the table' "$pj" holds '(d * c - 4.24 * a - 11.05 * b) ^ 2 < 1' "$(number reads)" "$(number writes)" "$(number cycles)" "$pj"

# ---- the model's events beside it: what its counters say, a cycle ----
set -- --param LANES=1 --param WARPS=4 --param COLLECTORS=1 --param BANKS=2 --param REGS=8 --param EXPORTS=1
"$tool" workload build vecadd --registers 16 -o "$work/vecadd.rfs" >"$work/text" 2>&1
"$tool" model rf_banked "$@" --workload "$work/vecadd.rfs" --json >"$work/model" 2>"$work/text"
measure rf_banked "$@" --workload "$work/vecadd.rfs"
expect 'a workload: energy of its events' "$(cat "$work/text")" holds '(a * b - c * 1e6) ^ 2 < (1e-5 * c * 1e6) ^ 2 && c > 0' \
    "$(sed -n 's/.*"events_pj_a_cycle":{"energy":\([-+.e0-9]*\)}.*/\1/p' "$work/record")" "$(sed -n 's/.*"counters":{"cycles":\([0-9]*\).*/\1/p' "$work/model")" \
    "$(sed -n 's/.*"energy_uj":\([-+.e0-9]*\).*/\1/p' "$work/model")"

expect '... with the lengths of its wires' "$(tail -c 600 "$work/record")" grep -q '"events_mm":{"bank_collector":1,"result_bank":1}' "$work/record"

# ---- wires of a machine: a unit's CCU is nearer, its results cost as much less; nothing else changes ----
set -- --param LANES=4 --param WARPS=4 --param COLLECTORS=2 --param BANKS=2 --param REGS=8 --param ENTRIES=4 --workload "$work/vecadd.rfs"
"$tool" model rf_malekeh "$@" --json >"$work/far" 2>"$work/text"
printf 'energy.result_ccu_mm = 0.2\n' >"$work/near.machine"
"$tool" model rf_malekeh "$@" --machine "$work/near.machine" --json >"$work/model" 2>>"$work/text"
of_far() { sed -n "s/.*\"$1\":\([-+.e0-9]*\).*/\1/p" "$work/far"; }
expect 'a shorter way to a CCU: 1.9 pJ a mm and word less' "$(cat "$work/text")" holds 'c > 0 && (a - b - c * 4 * 1.9e-6 * 0.8) ^ 2 < (1e-6 * a) ^ 2' \
    "$(of_far energy_uj)" "$(counter energy_uj)" "$(counter ccu_writes)"
expect '... is told' "$(cat "$work/model")" says "$work/model" '"surroundings":{"energy.result_ccu_mm":0.2}|"energy_result_ccu_mm":0.2,|"energy_result_bank_mm":1,'
expect '... and changes nothing else' "$(diff "$work/far" "$work/model")" test \
    "$(sed 's/"[a-z_]*energy[^,]*,//g; s/.*"counters"//; s/"command".*//' "$work/far")" = "$(sed 's/"[a-z_]*energy[^,]*,//g; s/.*"counters"//; s/"command".*//' "$work/model")"
expect '... look-ups of tags are told apart' "$(cat "$work/model")" holds 'a > 0 && (a - 0.75e-6 * b) ^ 2 < (1e-6 * a) ^ 2' "$(counter energy_tags_uj)" "$(counter operands)"
for wire in 101 -1 many; do
    printf '\nenergy.result_ccu_mm = %s\n' "$wire" >"$work/near.machine"
    check "a wire of $wire mm" 2 "near.machine:2 energy.result_ccu_mm $wire 0 100" rf_malekeh "$@" --machine "$work/near.machine"
    demand '... of `model` too' 2 "near.machine:2 energy.result_ccu_mm $wire 0 100" "$tool" model rf_malekeh "$@" --machine "$work/near.machine"
done

# ---- rf_steal: priced as rf_banked, stolen results on their way back apart, and what has no price is told ----
model() { "$tool" model "$@" --workload "$work/vecadd.rfs" --json >"$work/model" 2>"$work/text"; } # unit, parameters…
shape="--param WARPS=8 --param COLLECTORS=4 --param BANKS=4 --param REGS=8 --param ISSUES=2 --param LANES=8"
# shellcheck disable=SC2086 # words
model rf_banked $shape
plain=$(counter energy_uj)
# shellcheck disable=SC2086
model rf_steal $shape --param READS=0 --param WRITES=0
expect 'rf_steal that steals nothing takes what rf_banked takes' "$plain, $(counter energy_uj)" holds 'a > 0 && a == b && c == 0' "$plain" "$(counter energy_uj)" \
    "$(counter energy_of_stealing_uj)"
# shellcheck disable=SC2086
model rf_steal $shape --param READS=2
stolen=$(counter writes_stolen) recalled=$(($(counter back_idle) + $(counter back_forced)))
expect '... each stolen result comes back by a read, a write and a move' "$(cat "$work/model")" holds 'a > 0 && a == b && (c - 2 * 26.6e-6 * a) ^ 2 < (1e-6 * c) ^ 2' \
    "$stolen" "$recalled" "$(counter energy_of_stealing_uj)"
expect '... banks read what is read in turn, ahead and back' "$(cat "$work/model")" holds 'a == b + c + d && c > 0' "$(counter bank_reads)" "$(counter reads)" \
    "$(counter reads_ahead)" "$recalled"
expect '... and write what is written in place, to an Rfree and back' "$(cat "$work/model")" holds 'a == b + c + d' "$(counter bank_writes)" \
    "$(($(counter writes_normal) + $(counter writes_forced)))" "$stolen" "$recalled"
moved=$(($(counter reads) + $(counter reads_ahead)))
expect '... by the prices of the hierarchy paper' "$(cat "$work/model")" holds '(a - 2e-6 * (b + 0.7 * c + (2 + 7.6) * d)) ^ 2 < (1e-6 * a) ^ 2' "$(counter energy_uj)" \
    "$(awk -v r="$(counter bank_reads)" -v w="$(counter bank_writes)" 'BEGIN { printf "%.1f", 8 * r + (11 + 7.6) * w }')" "$(counter operands_delivered)" "$moved"
expect '... and what has no price is counted' "$(cat "$work/model")" holds 'a > b + c' "$(counter unpriced_arbiter_requests)" "$moved" "$(counter writes_normal)"
set -- --param LANES=1 --param WARPS=4 --param COLLECTORS=1 --param BANKS=2 --param REGS=8 --param EXPORTS=1
check 'a price that is unknown is told' 0 'price|arbiter_requests' rf_banked "$@" --workload "$work/vecadd.rfs"

# ---- the page ----
sets() { printf '%s\n' "$@" >"$work/some.sets"; }
page() { name=$1 code=$2 facts=$3 && demand "$name" "$code" "$facts" env JOBS=2 CYCLES=2000 LOCKSTEP="$tool" synth_scripts/energy.sh "$work/page.md" "$work/some.sets"; }
sets 'unit rf_rr' "netlist rf_banked LANES=1 WARPS=4 COLLECTORS=1 BANKS=2 REGS=8 EXPORTS=1" 'model rf_banked BANKS=8' 'model rf_steal BANKS=8' \
    'kernel vecadd 16 netlist' 'kernel vecadd 16 model' 'kernel ddot 32 model'
page 'a page of some units and kernels' 0 'written:|=8 passed, 0 failed'
figure() { awk -F '\t' -v u="$1" -v i="$2" -v q="$3" '$2 == u && $4 == i && $5 == q { print $6; exit }' "$work/page.tsv"; } # unit, inputs, quantity
measure rf_rr --cycles 2000
expect '... has what the command says' "$(head -n 3 "$work/page.tsv")" holds 'a > 0 && a == b' "$(figure rf_rr stimulus pj_a_cycle_total)" "$(number total)"
"$tool" model rf_steal --param BANKS=8 --workload "$work/vecadd.rfs" --json >"$work/model" 2>"$work/text"
expect '... and the model' "$(figure rf_steal vecadd events_energy)" holds 'a > 0 && a == b' "$(figure rf_steal vecadd events_energy)" "$(counter energy_uj)"
awk -F '[|] *' '$2 ~ /^`rf_rr`/ { print $4 }' "$work/page.md" >"$work/text"
expect '... rounded in the table' "$(cat "$work/text")" holds '(a - b) ^ 2 < 0.0001' "$(cat "$work/text")" "$(number total)"
expect '... a row for each kernel, netlist and model' "$(cat "$work/page.md")" [ "$(grep -cE "^[|] (vecadd|ddot) [|]" "$work/page.md")" -eq 3 ]
expect '... and what is not counted' "$missing" says "$work/page.md" 'stealing|Price unknown|rfree table writes'
cp "$work/page.md" "$work/before.md"
sets 'unit rf_rr' 'unit rf_rr N=1000'
page 'a question that cannot be answered' 1 'FAIL energy rf_rr N=1000|N rf_rr 1000|=2 passed, 2 failed'
expect '... leaves the page as it is' 'it is another' cmp -s "$work/page.md" "$work/before.md"
sets 'unit rf_rfc L0=one'
page 'a parameter that is no number, of a name with a digit' 2 'some.sets:1 L0=one PARAMETER=NUMBER'
sets 'unit rf_rfc L0=0 LANES=1 REGS=4 ENTRIES=1 SLOTS=1'
page '... and one that is' 0 '=2 passed, 0 failed'
sets 'unit rf_rr' 'units rf_rr'
page 'a slip in the sets: file, line, what was expected' 2 'some.sets:2 units unit netlist model kernel'
sets 'unit rf_rr' 'kernel vecadd 16 model' 'unit  rf_rr'
page 'a row that is there twice' 2 'some.sets:3: 1'
sets 'unit rf_nothing'
page 'no such unit' 2 'some.sets:1 rf_nothing'
sets 'model rf_banked' 'kernel vectoradd 16 model'
page 'no such kernel' 2 'some.sets:2 vectoradd'
sets 'model rf_banked'
page 'a system without a kernel' 2 'kernel rf_banked'
sets '# nothing'
page 'nothing asked' 2 'some.sets'

# ---- a netlist that is not the model's ----
sed 's/mask_q <= mask_d/mask_q <= ~mask_d/; s/mask_q *<= *{/mask_q <= ~{/' rtl/common/rf_rr.sv >"$work/rf_rr.sv"
cmp -s rtl/common/rf_rr.sv "$work/rf_rr.sv" && bad 'a planted fault' 'nothing was planted'
check 'a netlist that differs is a finding' 1 'netlist model' rf_rr --rtl "$work/rf_rr.sv"

# ---- RTL in which something is missing: nothing of it is taken for compared ----
rr() { name=$1 && shift && sed "$@" rtl/common/rf_rr.sv >"$work/$name.sv"; } # name of a file, a change to our rf_rr
cat >"$work/noout.sv" <<'END'
module rf_lfsr #(parameter SEED = 1) (input clk_i, input rst_ni, input step_i);
  reg [15:0] value_q;
  always @(posedge clk_i or negedge rst_ni) if (!rst_ni) value_q <= 1; else if (step_i) value_q <= ~value_q;
endmodule
END
rr out 's/grant_o/grnt_o/g'
rr wide 's/logic \[N-1:0\] grant_o/logic [N:0] grant_o/'
rr ren 's/mask_q/msk_q/g'
rr neg 's/@(posedge clk_i/@(negedge clk_i/'
check 'no output' 2 'missing output value_o 1 16' rf_lfsr --rtl "$work/noout.sv"
check 'an output of another name' 2 'missing output grant_o|port grnt_o' rf_rr --rtl "$work/out.sv"
check 'an output of another width' 2 'wide.sv: width output grant_o 1 9 1 8' rf_rr --rtl "$work/wide.sv"
check 'a register of another name' 2 'missing register mask_q|register msk_q' rf_rr --rtl "$work/ren.sv"
check '... with --ports-only' 0 'bits outputs model' rf_rr --rtl "$work/ren.sv" --ports-only --cycles 2000
measure rf_rr --cycles 2000
all=$(number total)
measure rf_rr --rtl "$work/ren.sv" --ports-only --cycles 2000
expect '... the same energy' "$all, $(number total)" holds 'a > 0 && (a - b) ^ 2 < (1e-6 * a) ^ 2' "$all" "$(number total)"
check 'the falling edge: which register' 2 '=mask_q[|falling' rf_rr --rtl "$work/neg.sv"

# ---- bad input ----
check 'no unit' 2 'energy|unit'
check 'no such library' 2 '/nonexistent.lib: No such file' rf_rr --lib /nonexistent.lib
printf 'library (x) {\n  cell (A) { area : red; }\n}\n' >"$work/bad.lib"
check 'a bad library: file and line' 2 'bad.lib:2: area: number' rf_rr --lib "$work/bad.lib"
check 'a parameter out of range' 2 'N rf_rr 1000' rf_rr --param N=1000
# Its properties are looked at as in a run: behind the edge.
check 'properties of a system' 0 'run 23251|EXPORTS=1' rf_hierarchy --param WARPS=4 --param ACTIVE=2 --param EXPORTS=1 --param COLLECTORS=1 \
    --param BANKS=1 --param REGS=8 --param LANES=1 --workload "$work/vecadd.rfs"
check 'a workload of a unit' 2 'rf_rr workload' rf_rr --workload README.md
check 'a workload that is none' 2 'README.md' rf_banked "$@" --workload README.md
check 'no period' 2 'nanoseconds' rf_rr --period 0
check 'too short' 2 'cycle' rf_rr --cycles 3
tally
