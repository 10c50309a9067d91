#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Repeats the Malekeh paper's evaluation (section 9) on the C model of rf_malekeh: every kernel (large inputs) and every real trace in
# $TRACES through the configurations below, then docs/papers/malekeh.md and its plots, written anew. Streams and the runs' records stay
# in build/paper-malekeh/. Ends with "N passed, N failed"; the page stays as it is when a run failed.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/papers/paper.sh
kb=256         # the register file of an SM and its warps [Malekeh Table 1]
most_warps=32
interval=1000  # cycles between steps of STHLD; the Malekeh paper has 10000, on programs that run much longer
large=2        # a large change of IPC, in 256ths; the Malekeh paper does not say. Chosen on saxpy, vecadd, sgemm and mandelbrot
thresholds='2 5 20 40 1000000' # RTHLD, beside the default of 10
paper_begin malekeh "$@"
paper_workloads

# The kernels' streams with other RTHLDs: all instructions are the same, hints differ.
while read -r kernel _; do
    for rthld in $thresholds; do echo "$kernel-$rthld.rfs $kernel --large --rthld $rthld"; done
done <"$work/kernels" | paper_streams || exit 2

# ---- configurations: name, workloads (all, or kernel), RTHLD (0: the default), parameters beside those of the line below, options
# of `lockstep model` ----

baseline='CACHE=0 SCHED=0 ADAPT=0' # rf_banked
configs() {
    echo "base all 0 $baseline"
    echo "main all 0"
    echo "gto all 0 SCHED=0"
    echo "sched kernel 0 CACHE=0 ADAPT=0"
    echo "base_banks8 all 0 BANKS=8 $baseline"
    echo "banks8 all 0 BANKS=8"
    for n in 0 2 4 8 16 32 64; do echo "sthld$n all 0 ADAPT=0 STHLD=$n"; done
    echo "gto_sthld0 all 0 SCHED=0 ADAPT=0 STHLD=0"
    for n in 500 2000 10000; do echo "interval$n kernel 0 INTERVAL=$n"; done
    for n in 4 13 26; do echo "large$n kernel 0 LARGE=$n"; done
    for n in 2 4 6 16; do
        echo "base_ccus$n kernel 0 COLLECTORS=$n $baseline"
        echo "ccus$n kernel 0 COLLECTORS=$n"
    done
    echo "base_issues1 all 0 ISSUES=1 $baseline"
    echo "issues1 all 0 ISSUES=1"
    echo "issues1_sthld0 all 0 ISSUES=1 ADAPT=0"
    echo "base_warps8 kernel 0 WARPS=8 $baseline"
    echo "warps8 kernel 0 WARPS=8"
    for n in 3 4 6; do echo "entries$n kernel 0 ENTRIES=$n"; done
    for n in $thresholds; do echo "rthld$n kernel $n"; done
    echo "base_slots7 all 0 SLOTS=7 $baseline"
    echo "slots7 all 0 SLOTS=7"
    for n in 100 400; do
        echo "base_load$n kernel 0 --load-latency=$n $baseline"
        echo "sthld0_load$n kernel 0 --load-latency=$n ADAPT=0 STHLD=0"
        echo "load$n kernel 0 --load-latency=$n"
    done
}
configs >"$work/configs"

# The last of two values of a parameter counts.
while read -r config set rthld more; do
    while read -r number kind name regs _; do
        [ "$set" = all ] || [ "$set" = "$kind" ] || continue
        path=$(sed -n "${number}s|^[^ ]* [^ ]* [^ ]* ||p" "$work/workloads")
        [ "$rthld" -eq 0 ] || path=$work/streams/$name-$rthld.rfs
        warps=$((kb * 8 / regs))
        [ "$warps" -le "$most_warps" ] || warps=$most_warps
        # shellcheck disable=SC2086 # a parameter a word
        paper_line "$number-$config" "$path" WARPS=$warps REGS="$regs" BANKS=16 COLLECTORS=8 ISSUES=2 EXPORTS=4 SLOTS=3 \
            INTERVAL=$interval LARGE=$large $more
    done <"$work/table"
done <"$work/configs" >"$work/list"
paper_runs rf_malekeh
tensors=$(sed -n "s/.*\"tensor\":\([0-9]*\).*/\1/p" "$work"/info/*.json | awk "{ n += \$1 } END { print n + 0 }")
pj() { sed -n "s/^#define RF_ENERGY_$1 //p" cmodel/energy/rf_energy.h; }
paper_write interval=$interval large=$large tensors="$tensors" pj_bank_read="$(pj BANK_READ)" pj_crossbar="$(pj CROSSBAR)" \
    pj_collector_write="$(pj COLLECTOR_WRITE)" port_uops="$(constant PIPE)" load="$(constant LATENCY_MEM)" \
    tb/papers/paper_malekeh.awk tb/papers/paper_malekeh.template.md
