# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034 # read by paper.sh
# The runs of Malekeh's evaluation (section 9).
model=rf_malekeh
constants='load=RF_MACHINE_MEMORY_LATENCY port_uops=RF_ENV_PIPE pj_bank_read=RF_ENERGY_BANK_READ pj_crossbar=RF_ENERGY_CROSSBAR
    pj_collector_write=RF_ENERGY_COLLECTOR_WRITE'

# 256 KB and 32 warps at most [Malekeh Table 1]. INTERVAL is 10000 in the paper, whose programs run much longer; what LARGE is it does not
# say: chosen on saxpy, vecadd, sgemm and mandelbrot.
parameters() {
    rows=32
    while [ "$rows" -lt "$1" ]; do rows=$((2 * rows)); done
    echo "WARPS=$(at_most 32 $((2048 / rows))) REGS=$rows BANKS=16 COLLECTORS=8 ISSUES=2 EXPORTS=4 SLOTS=3 INTERVAL=1000 LARGE=2"
}

configs() {
    banked='CACHE=0 SCHED=0 ADAPT=0' # rf_banked
    echo "base base all $banked"
    echo 'main base all'
    echo 'gto base all SCHED=0'
    echo 'sched base kernel CACHE=0 ADAPT=0'
    echo "base_banks8 base_banks8 all BANKS=8 $banked"
    echo 'banks8 base_banks8 all BANKS=8'
    for n in 0 2 4 8 16 32 64; do echo "sthld$n base all ADAPT=0 STHLD=$n"; done
    echo 'gto_sthld0 base all SCHED=0 ADAPT=0 STHLD=0'
    for n in 500 2000 10000; do echo "interval$n base kernel INTERVAL=$n"; done
    for n in 4 13 26; do echo "large$n base kernel LARGE=$n"; done
    for n in 2 4 6 16; do
        echo "base_ccus$n base_ccus$n kernel COLLECTORS=$n $banked"
        echo "ccus$n base_ccus$n kernel COLLECTORS=$n"
    done
    echo "base_issues1 base_issues1 all ISSUES=1 $banked"
    echo 'issues1 base_issues1 all ISSUES=1'
    echo 'issues1_sthld0 base_issues1 all ISSUES=1 ADAPT=0'
    echo "base_warps8 base_warps8 kernel WARPS=8 $banked"
    echo 'warps8 base_warps8 kernel WARPS=8'
    for n in 3 4 6; do echo "entries$n base kernel ENTRIES=$n"; done
    for n in 2 5 20 40 1000000; do echo "rthld$n base kernel build:rthld=$n"; done
    echo "base_slots7 base_slots7 all SLOTS=7 $banked"
    echo 'slots7 base_slots7 all SLOTS=7'
    for n in 100 400; do
        echo "base_load$n base_load$n kernel --load-latency=$n $banked"
        echo "sthld0_load$n base_load$n kernel --load-latency=$n ADAPT=0 STHLD=0"
        echo "load$n base_load$n kernel --load-latency=$n"
    done
}
