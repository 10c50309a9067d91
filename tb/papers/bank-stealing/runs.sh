# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034 # read by paper.sh
# The runs of the bank-stealing paper's evaluation (III, VI). A configuration is what steals (none, read1, read2, write, one: READS=1 and
# WRITES=1, two: READS=2 and WRITES=1), its banks, and behind "_" another scheduler or capacity in KB.
model=rf_steal
constants=''

# WARPS x REGS is the capacity, 8 registers a KB; the stage has 64 warps at most. Execution ports as the Fermi of GPGPU-Sim [bank stealing V].
parameters() {
    case $2 in *_256 | *_512) kb=${2#*_} ;; *) kb=128 ;; esac
    rows=32
    while [ "$rows" -lt "$1" ]; do rows=$((2 * rows)); done
    [ $((kb * 8 / rows)) -le 64 ] || rows=$((kb * 8 / 64))
    echo "WARPS=$((kb * 8 / rows)) REGS=$rows SCHED=0 READS=0 WRITES=0 COLLECTORS=8 ISSUES=2 EXPORTS=4"
}

# The banks of a run; the kernels' free registers are named for as many.
banks() { echo "BANKS=$1 build:banks=$1"; }

configs() {
    for banks in 4 8 16 32; do
        echo "none$banks none$banks all $(banks "$banks")"
        echo "one$banks none$banks all $(banks "$banks") READS=1 WRITES=1"
        echo "two$banks none$banks all $(banks "$banks") READS=2 WRITES=1"
    done
    echo "read1 none8 all $(banks 8) READS=1"
    echo "read2 none8 all $(banks 8) READS=2"
    echo "write none8 all $(banks 8) WRITES=1"
    for sched in lrr.1 levels.2; do
        echo "none8_${sched%.*} none8_${sched%.*} all $(banks 8) SCHED=${sched#*.}"
        echo "two8_${sched%.*} none8_${sched%.*} all $(banks 8) SCHED=${sched#*.} READS=2 WRITES=1"
    done
    for kb in 256 512; do
        for banks in 8 16; do
            echo "none${banks}_$kb none${banks}_$kb all $(banks "$banks")"
            echo "two${banks}_$kb none${banks}_$kb all $(banks "$banks") READS=2 WRITES=1"
        done
    done
}
