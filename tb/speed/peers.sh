#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# peers.sh [UNIT…]: the same unit, the same stimulus, the same check of every output, register and memory in every cycle, by lockstep and by what one
# would take instead (docs/performance.md, "Beside other tools"). One way after the other, on an otherwise idle machine. Per way:
#   edit      seconds of wall time from a changed line of RTL to the verdict of 20,000 cycles
#   speed     thousand cycles a second: cycles by processor time of a run, with its start and with reading or drawing its stimulus
# Prints a table, which is build/peers/table.md as well. Ends with "N passed, N failed": runs whose verdict was right, before the edit and after.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
. tb/tests/icarus_copies.sh
. tb/tests/lock.sh
. tb/speed/cxxrtl.sh
needs_tool
take_lock peers
work=$PWD/build/peers
here=$work
rm -rf "$work"
mkdir -p "$work"
make_record_of "$work"
few=20000
export LOCKSTEP_CACHE="$work/dut"

# A line: unit, cycles of a run for its speed, parameters.
sets='rf_arbiter 200000
rf_ocu 200000 LANES=4
rf_banked 100000 WARPS=8 COLLECTORS=3 BANKS=4 LANES=4'

now() { date +%s.%N; }
since() { awk -v begin="$1" -v end="$(now)" 'BEGIN { printf "%.2f", end - begin }'; }

# Runs a way; $cpu are its processor seconds. Its output must say so many cycles.
timed() { # log, words, command…
    log=$1 words=$2
    shift 2
    cpu=$( ("$@" >"$log" 2>&1; times) | tail -n 1 | tr 'ms' '  ' | awk '{ print 60 * ($1 + $3) + $2 + $4 }')
    says "$log" "$words"
}

# Each way: how it is built ($1: folder, $2: vectors) from the files in $files, and how it runs. Both stand in the unit's folder.
built() { # way, folder, vectors
    case $1 in
    lockstep) ;;
    verilator | vectors | bind)
        set -- "$@" -Wno-fatal
        [ "$1" = vectors ] || set -- "$@" +define+LOCKSTEP_STIMULUS_ONLY
        [ "$1" != bind ] || set -- "$@" "$dir/checker/${unit}_lockstep.sv" "$dir/checker/${unit}_lockstep.so"
        to=$2 from=$3
        shift 3
        # shellcheck disable=SC2086
        verilator --binary --timing -O3 -CFLAGS '-O2 -march=native' --build-jobs 2 -Mdir "$to" --top-module "${unit}_tb" $files "$from/${unit}_tb.sv" "$@"
        ;;
    icarus | vpi)
        define=
        [ "$1" = icarus ] || define=-DLOCKSTEP_STIMULUS_ONLY
        mkdir -p "$2"
        # shellcheck disable=SC2046,SC2086
        iverilog -g2012 -DSYNTHESIS $define -s "${unit}_tb" -o "$2/vvp" $(icarus_copies "$2" $files) "$3/${unit}_tb.sv"
        ;;
    cxxrtl)
        # shellcheck disable=SC2086
        cxx='-O2 -march=native' cxxrtl_bench "$2" "$unit" "$set" $files
        ;;
    esac
}

ran() { # way, folder, vectors, cycles
    log=$2.run
    case $1 in
    lockstep)
        # shellcheck disable=SC2086
        timed "$log" '"status":"pass"|'"\"cycles\":$4" "$tool" run "$unit" $params --cycles "$4" --rtl "$changed" --json
        ;;
    verilator) timed "$log" "$unit: $4 cycles, nothing compared" "$2/V${unit}_tb" +vectors="$3" ;;
    vectors) timed "$log" "$unit: $4 cycles are equal" "$2/V${unit}_tb" +vectors="$3" ;;
    bind) timed "$log" "$unit: $4 cycles, nothing compared|, 0 differences" "$2/V${unit}_tb" +vectors="$3" ;;
    icarus) timed "$log" "$unit: $4 cycles are equal" vvp -n "$2/vvp" +vectors="$3" ;;
    vpi) timed "$log" "$unit: $4 cycles, nothing compared|, 0 differences" vvp -n -M "$dir/vpi" -m "${unit}_lockstep" "$2/vvp" +vectors="$3" ;;
    cxxrtl) timed "$log" "$unit: $4 cycles are equal" "$2/bench" "$unit" "$3" ;;
    esac
}

# The commands of an export's README.md that build its module.
module() { # folder, first word
    sed -n "/^    $2/,/^\$/s/^    //p" "$1/README.md" >"$1/make.sh"
    (cd "$1" && sh -e make.sh)
}

name_of() {
    case $1 in
    lockstep) echo '`lockstep run`' ;;
    verilator) echo 'Verilator alone, nothing compared' ;;
    vectors) echo 'exported vectors, Verilator' ;;
    bind) echo 'checker with DPI bound, Verilator' ;;
    icarus) echo 'exported vectors, Icarus' ;;
    vpi) echo 'checker with VPI, Icarus' ;;
    cxxrtl) echo 'exported vectors, CXXRTL' ;;
    esac
}

measure() { # way
    way=$1 folder=$dir/$1
    case $way in icarus | vpi) vectors=$dir/few cycles=$few ;; *) vectors=$dir/many cycles=$many ;; esac
    cp "$source" "$changed"
    built "$way" "$folder" "$vectors" >"$folder.built" 2>&1
    [ "$way" != lockstep ] || ran "$way" "$folder" "$vectors" "$cycles" # builds
    ran "$way" "$folder" "$vectors" "$cycles"
    right=$?
    expect "$way passes" "$(tail -n 1 "$folder.built" 2>&1) $(tail -n 1 "$folder.run")" [ $right -eq 0 ]
    speed=$(awk -v cycles="$cycles" -v cpu="$cpu" 'BEGIN { printf "%.4g", cycles / cpu / 1000 }')
    # What takes an edit was built once: Verilator's runtime is not compiled again.
    [ "$vectors" = "$dir/few" ] || built "$way" "$folder.few" "$dir/few" >>"$folder.built" 2>&1
    awk '!done && /^ *assign [a-z_]+ = [^;]*;$/ { sub(/ = /, " = ~(~("); sub(/;$/, "));"); done = 1 } { print }' "$source" >"$changed"
    if cmp -s "$source" "$changed"; then bad "$way" "no line of $source was changed"; fi
    begin=$(now)
    built "$way" "$folder.few" "$dir/few" >>"$folder.built" 2>&1
    ran "$way" "$folder.few" "$dir/few" "$few"
    right=$?
    edit=$(since "$begin")
    expect "$way passes after an edit" "$(tail -n 1 "$folder.built") $(tail -n 1 "$folder.few.run")" [ $right -eq 0 ]
    [ "$way" != lockstep ] || { ours_edit=$edit ours_speed=$speed; }
    awk -v unit="$unit" -v name="$(name_of "$way")" -v edit="$edit" -v speed="$speed" -v oe="$ours_edit" -v os="$ours_speed" \
        'BEGIN { printf "| `%s` | %s | %.1f | %.1f | %s | %.3g |\n", unit, name, edit, edit / oe, speed, os / speed }' >>"$work/table.md"
}

{
    echo '| unit | checked by | edit to verdict, s | to ours | thousand cycles a second | ours to it |'
    echo '|---|---|--:|--:|--:|--:|'
} >"$work/table.md"
echo "$sets" >"$work/sets"
wanted=" $* "
while read -r unit many set <&3; do
    case $wanted in "  " | *" $unit "*) ;; *) continue ;; esac
    section=$unit dir=$work/$unit params=''
    for p in $set; do params="$params --param $p"; done
    mkdir -p "$dir/rtl"
    files=$("$tool" list "$unit" --files)
    source=${files##* } changed=$dir/rtl/$unit.sv
    files="${files% *} $changed"
    cp "$source" "$changed"
    # shellcheck disable=SC2086
    for n in few many; do
        eval "count=\$$n"
        demand "$n vectors" 0 README.md "$tool" export "$unit" $params --to vectors --cycles "$count" -o "$dir/$n"
    done
    # shellcheck disable=SC2086
    demand 'a checker to bind' 0 README.md "$tool" export "$unit" $params --to sv-bind -o "$dir/checker"
    # shellcheck disable=SC2086
    demand 'a checker for VPI' 0 README.md "$tool" export "$unit" $params --to vpi -o "$dir/vpi"
    module "$dir/checker" cc >"$dir/checker.log" 2>&1
    module "$dir/vpi" iverilog-vpi >"$dir/vpi.log" 2>&1
    for way in lockstep verilator bind vectors cxxrtl vpi icarus; do measure "$way"; done
done 3<"$work/sets"
cat "$work/table.md"
tally
