#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Repeats the bank-stealing paper's evaluation (III, VI) on the C model of rf_steal: every kernel (large inputs) and every real
# trace in $TRACES through the configurations below, then docs/papers/bank-stealing.md and its plots, written anew. Streams and
# the runs' records stay in build/paper-bank-stealing/. Ends with "N passed, N failed"; the page stays as it is when a run failed.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/papers/paper.sh
# execution ports, and how many of them take ALU instructions (tb/banked/env/rf_stage_env.h): as the Fermi of GPGPU-Sim [bank stealing V]
exports=4
alu_ports=2
paper_begin bank-stealing "$@"
paper_workloads

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

# WARPS x REGS is the capacity, 8 registers a KB; the stage has 64 warps at most.
while read -r number _ _ path; do
    read -r _ _ _ regs _ <<LINE
$(sed -n "${number}p" "$work/table")
LINE
    while read -r kb banks sched reads writes; do
        warps=$((kb * 8 / regs)) rows=$regs
        [ "$warps" -le 64 ] || { rows=$((kb * 8 / 64)); warps=64; }
        paper_line "$number-$kb-$banks-$sched-$reads-$writes" "$path" WARPS=$warps REGS="$rows" BANKS="$banks" SCHED="$sched" \
            READS="$reads" WRITES="$writes" COLLECTORS=8 ISSUES=2 EXPORTS=$exports
    done <"$work/configs"
done <"$work/workloads" >"$work/list"
paper_runs rf_steal
paper_write exports=$exports alu_ports=$alu_ports tb/papers/paper_bank_stealing.awk tb/papers/paper_bank_stealing.template.md
