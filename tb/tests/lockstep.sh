#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The main job: every unit and system in lockstep with its RTL, as a plain `lockstep run` does it, then the systems on our own kernels and on the
# real traces in $TRACES (empty: without). SETS=all: at every parameter set instead, SETS=N: at no more than N of each unit, evenly spread from set number TURN on,
# SETS=small: at one that is small. CYCLES: of a random run (the regression has more); KERNELS: so many kernels, evenly spread (else all).
# One line a run; the records go to build/lockstep.jsonl. Ends with a table and "N passed, N failed".
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/lock.sh
take_lock lockstep
tool=build/lockstep
records=build/lockstep.jsonl
sets=build/lockstep.sets
runs=build/lockstep.list
random=build/lockstep.random
cycles=${CYCLES:-100000}
jobs=${JOBS:-1}
traces=${TRACES-../shared/traces}

# One word as xargs reads it: what it could take for a blank or a quote has a backslash before it.
word() { printf '%s\n' "$1" | sed 's|[^A-Za-z0-9_./=-]|\\&|g'; }

# A system's smallest set cannot reach all of its bins; these are small and do.
small_systems() {
    printf '%s\n' 'rf_banked WARPS=8 COLLECTORS=3 BANKS=4 LANES=4' 'rf_steal WARPS=8 COLLECTORS=4 BANKS=4 REGS=8 LANES=1 READS=2' \
        'rf_malekeh SLOTS=2 ENTRIES=2 ISSUES=1 WARPS=6 COLLECTORS=3 BANKS=4 REGS=8 LANES=1 INTERVAL=60 STHLD=4' \
        'rf_wir WARPS=8 COLLECTORS=2 BANKS=2 REGS=5 LANES=2 SLOTS=2 EXPORTS=2 PREGS=42 ENTRIES=16 VENTRIES=4 QUEUE=2 BLOCKS=2 VCACHE=2 VERIFIERS=1 CAPPED=1 WBDEPTH=8 COUNTW=8' \
        'rf_hierarchy WARPS=7 ACTIVE=3 COLLECTORS=3 BANKS=4 REGS=16 LANES=2 LEVELS=3 ENTRIES=2' \
        'rf_cerf WARPS=8 COLLECTORS=3 BANKS=2 REGS=16 LANES=4 SETS=32 MSHRS=4 TARGETS=2 QUEUE=2' \
        'rf_hierarchy WARPS=7 ACTIVE=3 COLLECTORS=3 BANKS=4 REGS=16 LANES=2 LEVELS=3 MANAGED=1 SPLIT=1'
}

# A line of the list: unit, then its parameters as NAME=VALUE words.
systems='rf_malekeh rf_wir rf_cerf rf_hierarchy rf_steal rf_banked'
case ${SETS:-} in
'') { printf '%s\n' $systems; "$tool" list --small | awk -v systems=" $systems " 'index(systems, " " $1 " ") == 0 { print $1 }'; } ;;
all) "$tool" list --all-sets ;;
small)
    small_systems
    "$tool" list --small | awk -v systems=" $systems " 'index(systems, " " $1 " ") == 0'
    ;;
*) # TURN=K (tb/README.md): the systems that are not hosts of workloads below
    "$tool" list --all-sets --sample "$SETS" --turn "${TURN:-1}" | awk -v turn="${TURN:-}" -v systems="$systems" '
        BEGIN { for (n = split(systems, name, " "); n > 0; n--) at[name[n]] = n }
        turn == "" || !($1 in at) || (at[$1] + int(turn / 16)) % 2 == 1'
    [ -z "${TURN:-}" ] || small_systems | awk -v turn="$TURN" '{ line[NR] = $0 } END { print line[1 + turn % NR] }' # of `make check`
    ;;
esac >"$sets" || { echo "$tool list: exit status $?"; exit 2; }
while read -r unit set; do
    options=''
    for p in $set; do options="$options --param $p"; done
    echo "$unit$options --cycles $cycles"
done <"$sets" >"$random"
: >"$runs"

# The hosts of workloads, a system and its options a line: `hosts` of our kernels, which have so many registers, `tracers` of traces.
registers=32
hosts=$(printf '%s\n' $systems)
software='rf_hierarchy --param MANAGED=1 --param LEVELS=3 --param SPLIT=1'
deep='rf_hierarchy --param LEVELS=3 --param ENTRIES=6'
case ${SETS:-} in
'')
    tracers=$hosts
    hosts=$(printf '%s\n' "$hosts" "$software" "$deep --param LANES=4")
    ;;
all)
    registers=63
    tracers=$(printf '%s\n' "$hosts" 'rf_banked --param BANKS=8' 'rf_banked --param REGS=64' 'rf_steal --param READS=2 --param REGS=64')
    hosts=$(printf '%s\n' rf_malekeh rf_wir 'rf_cerf --param REGS=64 --param WARPS=16' rf_hierarchy "$software" "$deep" 'rf_steal --param READS=2 --param REGS=64' 'rf_banked --param REGS=64')
    ;;
*) # few lanes: a workload's way through a system does not depend on them, the compiler's time does
    hosts=$(printf '%s\n' "$hosts" "$software" | sed 's/$/ --param LANES=4/')
    # TURN=K (tb/README.md): half of the hosts, others with other K; a 16th of it, so that each meets all of its parameter sets.
    [ -z "${TURN:-}" ] || hosts=$(printf '%s\n' "$hosts" | awk -v turn=$((TURN / 16)) '(NR + turn) % 2 == 0')
    tracers=$(printf '%s\n' "$hosts" | grep -v MANAGED)
    ;;
esac

# Our kernels' small inputs, executed and checked, with places for rf_hierarchy; their streams stay until the tool changes. Without SETS each runs on
# two of the hosts, the next on two others.
streams=build/streams
mkdir -p "$streams"
"$tool" workload list >build/lockstep.all || { echo "$tool workload list: exit status $?"; exit 2; }
awk -v few="${KERNELS:-100000}" -v all="$(grep -c . build/lockstep.all)" \
    'few >= all || int(NR * few / all) != int((NR - 1) * few / all)' build/lockstep.all >build/lockstep.kernels
number=0
while read -r kernel _; do
    number=$((number + 1))
    stream=$streams/$kernel-$registers.rfs
    [ "$stream" -nt "$tool" ] || echo "$kernel -o $stream --registers $registers --hierarchy default"
    printf '%s\n' "$hosts" | awk -v number="$number" -v hosts="$(printf '%s\n' "$hosts" | wc -l)" -v all="${SETS:-}" -v stream="$stream" \
        'all != "" || (NR + 2 * number) % hosts < 2 { print $0, "--workload", stream, "--timeout 60" }' >>"$runs"
done <build/lockstep.kernels >build/lockstep.new
xargs -r -P "$jobs" -L 1 "$tool" workload build --json <build/lockstep.new >/dev/null || { echo 'a kernel of ours has no stream'; exit 2; }

found=0
for trace in "$traces"/ventus/*.log.xz "$traces"/accel-sim/*/kernelslist.g; do
    [ -f "$trace" ] || continue
    found=$((found + 1))
    printf '%s\n' "$tracers" | while read -r host; do printf '%s\n' "$host --workload $(word "$trace") --timeout 60"; done >>"$runs"
done
if [ "$found" -eq 0 ] && [ -n "$traces" ]; then
    echo "no traces in \"$traces\": there is no accel-sim/<name>/kernelslist.g and no ventus/<name>.log.xz in it"
    [ -z "${TRACES+set}" ] || exit 2 # asked for
    echo "running without; Accel-Sim publishes trace sets and a tracer, Ventus logs come from its Spike, and TRACES=folder makes this job use them"
fi
# The smallest unit first, for a verdict at once; then the systems on workloads, whose DUTs take longest to build.
{ grep '^rf_rr ' "$random"; cat "$runs"; grep -v '^rf_rr ' "$random"; } >"$runs.new" && mv "$runs.new" "$runs"
total=$(wc -l <"$runs")
echo "$total runs, $jobs at a time; the first time each DUT is built (1 to 2 s for a unit)"
: >"$records"
xargs -P "$jobs" -L 1 "$tool" run --brief --record "$records" <"$runs"
status=$?

# A run without a record failed too, and so did the job when xargs says so: 123 is a failed run, more is a run that could not be.
awk '
    function text(key,    at, rest) { at = index($0, "\"" key "\":"); rest = substr($0, at + length(key) + 3); sub(/^"/, "", rest); sub(/["},].*/, "", rest); return rest }
    { unit = text("unit"); status = text("status"); runs[unit]++; cycles[unit] += text("cycles"); bits[unit] += text("compared_bits")
      if (status == "pass") passed++; else { failed++; bad[unit]++ } }
    END {
        printf "\n%-16s %6s %14s %20s %7s\n", "unit", "runs", "cycles", "bits compared", "failed"
        for (u in runs) { printf "%-16s %6d %14.0f %20.0f %7d\n", u, runs[u], cycles[u], bits[u], bad[u] | "sort"; c += cycles[u]; b += bits[u] }
        close("sort")
        printf "%-16s %6d %14.0f %20.0f %7d\n", "all", NR, c, b, failed
        if (NR < expected) { printf "%d of %d runs left no record\n", expected - NR, expected; failed += expected - NR }
        if (xargs > 123 || (xargs != 0 && failed == 0)) { printf "xargs: exit status %d\n", xargs; failed += failed == 0 }
        printf "%d passed, %d failed\n", passed, failed
        exit failed > 0 || NR != expected || NR == 0
    }' expected="$total" xargs="$status" "$records"
