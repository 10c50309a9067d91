# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034 # read by paper.sh
# The runs of Malekeh's evaluation (section 9), on the machine of its Table 1. Its workloads are SASS of a Turing GPU: 64-bit addresses.
model=rf_malekeh
constants='pj_bank_read=RF_ENERGY_BANK_READ pj_crossbar=RF_ENERGY_CROSSBAR pj_collector_write=RF_ENERGY_COLLECTOR_WRITE
    pj_collector_read=RF_ENERGY_COLLECTOR_READ'
build=schedule

# LARGE and CLEAR, which the paper leaves open, are those that figures.sql chooses on the kernels apart.
parameters() { echo "--machine=rtx2060 LARGE=13 CLEAR=0"; }

configs() {
    banked='CACHE=0 SCHED=0 ADAPT=0' # rf_banked
    echo "base base all $banked"
    echo 'main base all'
    for clear in 0 1; do
        for n in 1 2 4 13 26; do echo "large${n}_clear$clear base apart LARGE=$n CLEAR=$clear"; done
    done
    for n in 1 2; do echo "large$n base kernel LARGE=$n"; done
    for n in 0 1 2 4 8 16 32 64; do echo "sthld$n base kernel ADAPT=0 STHLD=$n"; done
    echo 'gto base kernel SCHED=0'
    echo 'clear1 base kernel CLEAR=1'
    echo 'interval1000 base kernel INTERVAL=1000'
    for n in 4 8; do
        echo "base_ccus$n base_ccus$n kernel COLLECTORS=$n $banked"
        echo "ccus$n base_ccus$n kernel COLLECTORS=$n"
    done
    echo 'bow base all BOW=1 SCHED=0 ADAPT=0 COLLECTORS=8' # a collector a warp
    echo "base_slots3 base_slots3 kernel SLOTS=3 $banked"
    for n in 4 8; do echo "entries$n base_slots3 kernel SLOTS=3 ENTRIES=$n"; done
    for n in 2 40 1000000; do echo "rthld$n base kernel build:$build+rthld=$n"; done
    # What surrounds the stage, one cause at a time, and all of them.
    cause() { # name, words
        name=$1
        shift
        echo "base_$name base_$name kernel $* $banked"
        echo "$name base_$name kernel $*"
    }
    cause unscheduled build:
    cause narrow build:m32+schedule
    cause one machine:sub_cores=1 machine:registers=2048 WARPS=32 ISSUES=2 COLLECTORS=8 BANKS=16 EXPORTS=4
    cause alu8 machine:alu.latency=8
    cause bandwidth machine:dram.bytes=1000000000 machine:link.bytes=1000000000
    cause fast machine:memory
    cause ports1 PORTS=1
    cause together SERIAL=0
    echo 'together0 base_together kernel ADAPT=0 STHLD=0 SERIAL=0'
    for n in 0 2 32 64; do echo "fast_fixed$n base_fast kernel ADAPT=0 STHLD=$n machine:memory"; done
    echo 'wires base kernel machine:energy.result_ccu_mm=0.2'
    echo 'wires0 base kernel machine:energy.result_ccu_mm=0'
    light='machine:memory machine:sfu.interval=1 SLOTS=3 PORTS=1' # where the stage is what is waited for
    cause light "$light"
    echo "light0 base_light kernel ADAPT=0 STHLD=0 $light"
    cause bare build: machine:memory machine:sub_cores=1 machine:registers=2048 machine:alu.latency=8 machine:control.latency=8 \
        machine:sfu.interval=1 WARPS=32 ISSUES=2 COLLECTORS=8 BANKS=16 EXPORTS=4 SLOTS=3 PORTS=1 SERIAL=0
}
