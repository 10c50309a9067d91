#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Repeats the WIR paper's evaluation (III-A, VII) on the C model of rf_wir: every kernel (large inputs) and every real trace in $TRACES
# through the configurations below, then docs/papers/wir.md and its plots, written anew. Streams and the runs' records stay in
# build/paper-wir/. Ends with "N passed, N failed"; the page stays as it is when a run failed.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/papers/paper.sh
pregs=1024     # physical registers and warps of an SM [WIR Table II]
most_warps=48
paper_begin wir "$@"
paper_workloads

# ---- configurations: name, workloads (all, or kernel), parameters beside those of the line below, options of the tool ----

minimum='LOADS=0 RETRY=0 VCACHE=0'
configs() {
    echo 'base all REUSE=0'
    echo 'main all'
    echo "full all WARPS=$most_warps REGS=63"
    echo "r all $minimum"
    echo 'rl all RETRY=0 VCACHE=0'
    echo 'rlp all VCACHE=0'
    echo 'rpv all LOADS=0'
    echo 'rlpvc all CAPPED=1'
    echo "novsb all VSB=0 $minimum"
    for n in 32 64 128 512; do echo "entries$n kernel ENTRIES=$n"; done
    for n in 128 256 512; do echo "misses$n kernel RETRY=0 ENTRIES=$n"; done
    for n in 16 32 64 128 512; do echo "vsb$n kernel VENTRIES=$n"; done
    echo 'vsb0 kernel VSB=0'
    echo 'vcache16 kernel VCACHE=16'
    for n in 3 5 6 7; do
        echo "base_delay$n kernel REUSE=0 DELAY=$n"
        echo "delay$n kernel DELAY=$n"
    done
    echo 'queue16 kernel QUEUE=16'
    echo 'lrr kernel SCHED=1'
    echo 'base_load400 kernel --load-latency=400 REUSE=0'
    echo 'misses_load400 kernel --load-latency=400 RETRY=0'
    echo 'load400 kernel --load-latency=400'
}
configs >"$work/configs"

# Warps and rows of a workload: base, with a fixed place for every register, must have room for all of its warps, and the pool one
# more than they use, so that as many blocks run with reuse as without. The last of two values of a parameter counts.
while read -r number kind name _; do
    path=$(sed -n "${number}s|^[^ ]* [^ ]* [^ ]* ||p" "$work/workloads")
    count=$(paper_value highest_register "$number")
    count=$((${count:-0} + 1))
    rows=$(((count + 7) / 8 * 8))
    warps=$((pregs / rows))
    [ $((warps * count)) -lt "$pregs" ] || warps=$((warps - 1))
    [ "$warps" -le "$most_warps" ] || warps=$most_warps
    warps=$((warps / 2 * 2))
    echo "$number $name $count $warps" >&3
    while read -r config set more; do
        [ "$set" = all ] || [ "$set" = "$kind" ] || continue
        # shellcheck disable=SC2086 # a parameter a word
        paper_line "$number-$config" "$path" WARPS=$warps REGS=$rows COLLECTORS=8 BANKS=8 ISSUES=2 EXPORTS=4 PREGS=$pregs $more
    done <"$work/configs"
done <"$work/table" 3>"$work/warps" >"$work/list"
paper_runs rf_wir

column() { awk -v k="$1" '{ printf "%s%s", (NR > 1 ? "," : ""), $k }' "$work/warps"; }
memory=$(while read -r number _; do printf '%s,' "$(paper_value mem "$number")"; done <"$work/table")
pj() { sed -n "s/^#define RF_ENERGY_WIR_$1 //p" cmodel/energy/rf_energy.h; }
paper_write memory="$memory" counts="$(column 3)" slots="$(column 4)" load="$(constant LATENCY_MEM)" pj_rename="$(pj RENAME)" \
    pj_reuse="$(pj REUSE_BUFFER)" pj_hash="$(pj HASH)" pj_vsb="$(pj VSB)" pj_pool="$(pj POOL)" pj_reference="$(pj REFERENCE)" \
    pj_cache="$(pj VERIFY_CACHE)" pj_read="$(pj BANK_READ)" pj_write="$(pj BANK_WRITE)" \
    tb/papers/paper_wir.awk tb/papers/paper_wir.template.md
