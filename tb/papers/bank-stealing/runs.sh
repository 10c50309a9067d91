# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034 # read by paper.sh
# The runs of the bank-stealing paper's evaluation (III, VI), on the Fermi that it conforms to; its PTXPlus has 32-bit addresses. A
# configuration is what steals and its banks, and behind "_" what differs from the declared machine.
model=rf_steal
constants=''
build=m32+schedule

parameters() { echo --machine=gtx480; }

configs() {
    straight='READS=0 WRITES=0'
    # YIELD, on which the paper contradicts itself, is what figures.sql chooses on the kernels apart.
    steal='READS=1 YIELD=0 WRITES=1'
    banks() { echo "BANKS=$1 build:${2:-$build}+banks=$1"; } # the kernels' free registers are named for as many
    for n in 8 16; do echo "straight$n straight$n all $straight $(banks $n)"; done
    echo "steal8 straight8 all $steal $(banks 8)"
    for reads in 1 2; do
        for yield in 0 1; do echo "reads${reads}_yield$yield straight8 kernels READS=$reads YIELD=$yield WRITES=1 $(banks 8)"; done
    done
    for n in 4 32; do echo "straight$n straight$n kernel $straight $(banks $n)"; done
    for n in 4 16 32; do echo "steal$n straight$n kernel $steal $(banks $n)"; done
    echo "read8 straight8 kernel WRITES=0 $steal $(banks 8)"
    echo "write8 straight8 kernel READS=0 $steal $(banks 8)"
    # What surrounds the stage, one cause at a time.
    cause() { # name, how kernels are built (empty: as declared), words
        name=$1 how=$2
        shift 2
        for n in 8 16; do echo "straight${n}_$name straight${n}_$name kernel $* $straight $(banks $n "$how")"; done
        echo "steal8_$name straight8_$name kernel $* $steal $(banks 8 "$how")"
    }
    cause lrr '' SCHED=1
    cause levels '' SCHED=2
    for sched in lrr.1 levels.2; do
        echo "read8_${sched%.*} straight8_${sched%.*} kernel WRITES=0 $steal SCHED=${sched#*.} $(banks 8)"
    done
    cause kb256 '' machine:registers=2048 WARPS=64
    cause unscheduled m32
    cause wide schedule
    cause alu8 '' machine:alu.latency=8
    cause collectors16 '' COLLECTORS=16
    cause bandwidth '' machine:dram.bytes=1000000000 machine:link.bytes=1000000000
    cause collectors4 '' COLLECTORS=4
    cause fast '' machine:memory
    # Without memory's waits, and with a scheduler that spreads warps, operands wait more for each other; and then with all reads ahead.
    cause busy '' machine:memory SCHED=1
    steal='READS=2 YIELD=0 WRITES=1'
    cause ahead '' machine:memory SCHED=1
    for n in 4 32; do echo "straight${n}_ahead straight${n}_ahead kernel machine:memory SCHED=1 $straight $(banks $n)"; done
    for n in 4 16 32; do echo "steal${n}_ahead straight${n}_ahead kernel machine:memory SCHED=1 $steal $(banks $n)"; done
    echo "read8_ahead straight8_ahead kernel WRITES=0 machine:memory SCHED=1 $steal $(banks 8)"
}
