# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034 # read by paper.sh
# The runs of the hierarchy paper's evaluation (2.2, 7, 8), on the machine of its Table I: 32 registers a thread, PTX with 32-bit
# addresses. What it leaves open was not chosen on a run of a kernel in a mean.
model=rf_hierarchy
constants='pj_collector_read=RF_ENERGY_COLLECTOR_READ pj_collector_write=RF_ENERGY_COLLECTOR_WRITE pj_crossbar=RF_ENERGY_CROSSBAR'
build=m32+schedule+registers=32
stats=yes
limit=yes
# A level, two and three by hardware, three by software.
compared='base hw3 hwl0_6 main' compared_small='WARPS=8 COLLECTORS=4 LANES=1'
faults='rf_hierarchy rf_levels rf_rfc rf_orf rf_sched_two_level'
judge=test_rf_level_check judge_small=test_wild

parameters() { echo "--machine=gebhart LEVELS=1"; }

configs() {
    software() { # name, base, the compiler's options, words, way of building, workloads
        levels=3 split=1
        case $3 in *l0=none*) levels=2 split=0 ;; *l0=unified*) split=0 ;; esac
        case $3 in *entries=*) n=${3#*entries=} n=${n%%,*} ;; *) n=3 ;; esac
        echo "$1 $2 ${6:-kernel} MANAGED=1 LEVELS=$levels SPLIT=$split ENTRIES=$n build:${5:-$build}+hierarchy=$3${4:+ $4}"
    }
    echo 'base base all' # one level, 8 active warps
    # The scheduler [hierarchy 7.2]; 32 are all warps.
    echo 'active32 base all ACTIVE=32'
    for n in 4 6; do echo "active$n base all ACTIVE=$n"; done
    for n in 1 2 16; do echo "active$n base kernel ACTIVE=$n"; done
    for n in 2 4 6 8 16 32; do echo "rr$n base kernel SCHED=3 ACTIVE=$n"; done # of one warp there is nothing to choose
    for n in 4 8 32; do echo "alu4_active$n active$n kernel ACTIVE=$n machine:alu.latency=4"; done | sed 's/ active8 / base /'
    for n in 8 32; do echo "collectors16_active$n active$n kernel ACTIVE=$n COLLECTORS=16"; done | sed 's/ active8 / base /'
    # By hardware: all warps active, without flushes [hierarchy 7.1]; 8 active [hierarchy 7.3, 7.4]; three levels [hierarchy 7.6].
    free='LEVELS=2 ACTIVE=32' active='LEVELS=2'
    for n in 1 2 3 4 5 7 8; do echo "free$n base kernel $free ENTRIES=$n"; done
    echo "free6 base all $free ENTRIES=6"
    echo "free6_lru base kernel $free ENTRIES=6 POLICY=1"
    echo "free3_kept base kernel $free ENTRIES=3 LIVENESS=0"
    echo "free6_kept base all $free ENTRIES=6 LIVENESS=0"
    echo "free8_kept base kernel $free ENTRIES=8 LIVENESS=0"
    for n in 1 2 4 5 7 8; do echo "hw$n base kernel $active ENTRIES=$n"; done
    for n in 1 2 3 4 5 7 8; do echo "hw${n}_kept base kernel $active ENTRIES=$n LIVENESS=0"; done
    for n in 3 6; do echo "hw$n base all $active ENTRIES=$n"; done
    echo "hw6_kept base all $active ENTRIES=6 LIVENESS=0"
    for n in 1 2 3 4 5 7 8; do echo "hwl0_$n base kernel LEVELS=3 ENTRIES=$n"; done
    echo 'hwl0_6 base all LEVELS=3 ENTRIES=6'
    # Flushed at backward branches, too [hierarchy 8.2].
    for n in 3 5 6; do echo "hw${n}_back base kernel $active ENTRIES=$n build:$build+hierarchy=leave_back=1"; done
    # By software [hierarchy 7.5 to 7.9]; energy with other numbers of entries: `limit`, which needs no timing.
    software sw3 base l0=none,entries=3 '' '' kernels
    for n in 2 4 5; do software "sw$n" base "l0=none,entries=$n"; done
    for n in 2 3 4 5; do software "sw${n}_basic" base "l0=none,entries=$n,keep=0,partial=0"; done
    software sw3_blocks base l0=none,branches=0
    software main base default '' '' kernels
    for n in 2 4 5; do software "split$n" base "entries=$n"; done
    software unified base l0=unified
    software one base one_level=1
    software no_l1_mrf base no_l1_and_mrf=1
    # The limits [hierarchy 8]: allocated as if 5 and 8 entries cost what 3 do (5 x 5 and 8 x 3 active warps' registers for 3 x 8);
    # nothing flushed.
    software ideal5 base entries=5,active=5
    software ideal8 base entries=8,active=3
    echo 'hwl0_6_free base kernel LEVELS=3 ENTRIES=6 ACTIVE=32'
    # What surrounds the stage, one cause at a time.
    cause() { # name, words, way of building
        echo "base_$1 base_$1 kernel $2 build:${3-$build}"
        echo "hw3_$1 base_$1 kernel $2 $active build:${3-$build}"
        software "main_$1" "base_$1" default "$2" "${3-$build}"
    }
    cause unscheduled '' m32+registers=32
    echo "free3_unscheduled base_unscheduled kernel $free ENTRIES=3 build:m32+registers=32"
    cause wide '' schedule+registers=32
}
