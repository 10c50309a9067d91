#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Repeats paper 001's evaluation (III, VI) on the C model of rf_steal: streams of all kernels (large inputs) into build/paper-001/, every
# one of them and every real trace in $TRACES through the configurations below, then docs/papers/001.md and its plots, written anew.
# The runs' records stay in build/paper-001/runs.jsonl. Ends with "N passed, N failed"; the page stays as it is when a run failed.
set -u
cd "$(dirname "$0")/../.." || exit 2
tool=build/lockstep
work=build/paper-001
page=docs/papers
jobs=${JOBS:-1}
traces=${TRACES-../shared/traces}
exports=4   # execution ports, and how many of them take ALU instructions (tb/banked/rf_stage_env.h): as the Fermi of GPGPU-Sim, 001 V
alu_ports=2
[ $# -eq 0 ] || { echo "paper_001.sh takes no argument; JOBS and TRACES come from the environment"; exit 2; }
[ -x "$tool" ] || { echo "$tool is not there: make all"; exit 2; }
case $jobs in
'' | *[!0-9]* | 0) echo "JOBS=$jobs: a number from 1"; exit 2 ;;
esac
some=false
for file in "$traces"/accel-sim/*/kernelslist.g "$traces"/ventus/*.log.xz; do [ ! -f "$file" ] || some=true; done
if ! $some; then
    echo "no traces in \"$traces\": there is no accel-sim/<name>/kernelslist.g and no ventus/<name>.log.xz in it"
    [ -z "${TRACES+set}" ] || exit 2 # asked for
    echo "the page will be without them (docs/workloads.md says where traces come from)"
fi
begin=$(date +%s)
rm -rf "$work/runs" "$work/info" "$work/page"
mkdir -p "$work/streams" "$work/runs" "$work/info" "$work/page" "$page" || exit 2

# One word as xargs reads it: what it could take for a blank or a quote has a backslash before it.
word() { printf '%s\n' "$1" | sed 's|[^A-Za-z0-9_./=-]|\\&|g'; }

# ---- workloads: number, kind, name, path ----

"$tool" workload list >"$work/kernels" || { echo "$tool workload list: exit status $?"; exit 2; }
while read -r kernel _; do
    [ "$work/streams/$kernel.rfs" -nt "$tool" ] || echo "$kernel --large -o $work/streams/$kernel.rfs"
done <"$work/kernels" >"$work/new"
xargs -r -P "$jobs" -L 1 "$tool" workload build --json <"$work/new" >/dev/null || { echo 'a kernel of ours has no stream'; exit 2; }

n=0
workload() { # kind, name, path
    n=$((n + 1))
    printf '%s %s %s %s\n' "$n" "$1" "$(printf '%s\n' "$2" | sed 's|[^A-Za-z0-9_.-]|_|g')" "$3"
}
{
    while read -r kernel _; do workload kernel "$kernel" "$work/streams/$kernel.rfs"; done <"$work/kernels"
    for list in "$traces"/accel-sim/*/kernelslist.g; do
        [ ! -f "$list" ] || workload trace "$(basename "$(dirname "$list")")" "$list"
    done
    for log in "$traces"/ventus/*.log.xz; do
        [ ! -f "$log" ] || workload trace "$(basename "$log" .log.xz)" "$log"
    done
} >"$work/workloads"

# What each is like, with the registers that its warps need.
while read -r number _ _ path; do printf '%s %s\n' "$number" "$(word "$path")"; done <"$work/workloads" |
    xargs -P "$jobs" -L 1 sh -c "$tool workload info \"\$1\" --json >$work/info/\$0.json 2>$work/info/\$0.log ||
        echo \"FAIL \$1: \$(tail -n 1 $work/info/\$0.log)\"; :"
value() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$work/info/$2.json"; }
while read -r number kind name _; do
    highest=$(value highest_register "$number")
    regs=32
    while [ "$regs" -le "${highest:-0}" ]; do regs=$((2 * regs)); done
    echo "$number $kind $name $regs $(value alu "$number")"
done <"$work/workloads" >"$work/table"

# ---- configurations: KB, banks, scheduler, READS, WRITES ----

configs() {
    for banks in 4 8 16 32; do
        for steal in '0 0' '1 1' '2 1'; do echo "128 $banks 0 $steal"; done
    done
    for steal in '1 0' '2 0' '0 1'; do echo "128 8 0 $steal"; done
    for sched in 1 2; do
        for steal in '0 0' '2 1'; do echo "128 8 $sched $steal"; done
    done
    for kb in 256 512; do
        for banks in 8 16; do
            for steal in '0 0' '2 1'; do echo "$kb $banks 0 $steal"; done
        done
    done
}
configs >"$work/configs"

# A run: its name, then options. WARPS x REGS is the capacity, 8 registers a KB; the stage has 64 warps at most.
while read -r number _ _ path; do
    read -r _ _ _ regs _ <<LINE
$(sed -n "${number}p" "$work/table")
LINE
    path=$(word "$path")
    while read -r kb banks sched reads writes; do
        warps=$((kb * 8 / regs)) rows=$regs
        [ "$warps" -le 64 ] || { rows=$((kb * 8 / 64)); warps=64; }
        printf '%s' "$number-$kb-$banks-$sched-$reads-$writes --workload $path"
        for p in WARPS=$warps REGS=$rows BANKS=$banks SCHED=$sched READS=$reads WRITES=$writes COLLECTORS=8 ISSUES=2 EXPORTS=$exports; do printf ' --param %s' "$p"; done
        echo
    done <"$work/configs"
done <"$work/workloads" >"$work/list"
total=$(wc -l <"$work/list")
echo "$(wc -l <"$work/workloads") workloads, $total runs of the C model, $jobs at a time"

xargs -P "$jobs" -L 1 sh -c "$tool model rf_steal --json \"\$@\" >$work/runs/\$0.json 2>$work/runs/\$0.log ||
    echo \"FAIL \$0 \$*: \$(cat $work/runs/\$0.log $work/runs/\$0.json | tail -n 1 | sed 's|.*\\\"message\\\":||')\"; :" <"$work/list"
find "$work/runs" -name '*.json' -size +0 | sort -V | xargs -r awk '{
    name = FILENAME
    gsub(/.*\/|\.json$/, "", name)
    sub(/^\{/, "{\"run\":\"" name "\",")
    print
}' >"$work/runs.jsonl"
passed=$(grep -c '"status":"pass"' "$work/runs.jsonl")
failed=$((total - passed))
[ "$total" -gt 0 ] || failed=1

if [ "$failed" -eq 0 ]; then
    awk -v page="$work/page" -v exports="$exports" -v alu_ports="$alu_ports" -f tb/steal/paper_001_plots.awk -f tb/steal/paper_001.awk "$work/table" "$work/runs.jsonl" \
        tb/steal/paper_001.template.md || { echo "FAIL the page could not be written"; exit 1; }
    mv "$work/page"/* "$page/" || exit 2
    echo "written: $page/001.md and its plots; $(($(date +%s) - begin)) s"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
