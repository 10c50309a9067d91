# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034,SC2154 # read by paper.sh; set by it
# The runs of the CERF paper's evaluation (II, III-D, V), on the Fermi of its Table I: PTX with 32-bit addresses, L1D of 16 KB beside 128 KB
# of registers against 128 KB of both. A configuration is what holds the data, and behind "_" what differs from the declared machine.
model=rf_cerf
constants='pj_rf_read=RF_ENERGY_CERF_RF_READ pj_rf_write=RF_ENERGY_CERF_RF_WRITE mw_rf=RF_ENERGY_CERF_RF_LEAKAGE
    pj_l1_read=RF_ENERGY_CERF_L1_READ pj_l1_write=RF_ENERGY_CERF_L1_WRITE mw_l1=RF_ENERGY_CERF_L1_LEAKAGE
    pj_l1_tag_read=RF_ENERGY_CERF_L1_TAG_READ pj_l1_tag_write=RF_ENERGY_CERF_L1_TAG_WRITE mw_l1_tag=RF_ENERGY_CERF_L1_TAG_LEAKAGE
    pj_tag_read=RF_ENERGY_TAG pj_tag_write=RF_ENERGY_CERF_TAG_WRITE mw_tag=RF_ENERGY_CERF_TAG_LEAKAGE
    pj_l2_read=RF_ENERGY_CERF_L2_READ pj_l2_write=RF_ENERGY_CERF_L2_WRITE mw_l2=RF_ENERGY_CERF_L2_LEAKAGE
    pj_l2_tag_read=RF_ENERGY_CERF_L2_TAG_READ pj_l2_tag_write=RF_ENERGY_CERF_L2_TAG_WRITE mw_l2_tag=RF_ENERGY_CERF_L2_TAG_LEAKAGE'
build=m32+schedule
stats=yes
compared='base fair first' compared_with='REGS=63 WARPS=16' compared_small='WARPS=8 LANES=4'
faults='rf_cerf rf_cerf_stage rf_cerf_memory rf_cache_bank rf_tag_bank rf_mshr rf_miss_queue rf_miss_ocu rf_line_state rf_line_victim rf_reindex'

# So many warps run as have room for their registers, in at most 8 blocks [CERF Table I]. An odd number of registers lets warps begin in
# different banks, as those of rf_banked do.
parameters() { # registers of a warp, configuration
    rows=$(($1 | 1)) lines=1024
    case $2 in *kb64) lines=512 ;; *kb256) lines=2048 ;; esac
    warps=$(at_most $((8 * $(threads) / 32)) $(($(at_most 48 $((lines / rows))) / 2 * 2)))
    echo "--machine=gtx480 REGS=$rows WARPS=$warps"
    case $2 in unified*) divide "$rows" "$warps" ;; esac
}

# Threads of a workload's largest block; 1,024 when it does not say.
threads() {
    grep -o '"block":\[[0-9,]*\]' "$work/info/$number.json" | awk -F '[][,]' '
        { n = int(($2 * $3 * $4 + 31) / 32) * 32; if (n > most) most = n } END { print most ? most : 1024 }'
}

# The static unified memory of Fig. 10: 1,024 lines, divided before a kernel starts. What the registers of all warps that will run
# there do not take is the L1D: sets, a power of two, of 4 to 8 ways, as many lines as can be; one a bank at least.
divide() { # registers of a warp, warps that there is room for
    most=$(grep -o '"static_instructions":[0-9]*,"warps":[0-9]*' "$work/info/$number.json" | sed 's/.*://' | sort -n | tail -n 1)
    left=$((1024 - $1 * $(at_most "$2" "${most:-$2}"))) sets=4 ways=1
    for n in 4 8 16 32 64 128 256; do
        for m in 4 5 6 7 8; do [ $((n * m)) -gt $left ] || [ $((n * m)) -le $((sets * ways)) ] || sets=$n ways=$m; done
    done
    echo "SETS=$sets WAYS=$ways"
}

configs() {
    # One MSHR of a bank is kept for registers that miss: lines have as many as without.
    separate='INTEGRATED=0 SETS=32' fair='POLICY=0 LIVENESS=0 MSHRS=9'
    echo "base base all $separate"
    # LRU-fair knows no last reads; LRU-prioritized needs them [CERF III-D-2].
    echo "fair base all $fair"
    echo "first base all POLICY=1"
    echo "fair_live base kernel POLICY=0 MSHRS=9"
    echo "first_together base kernel POLICY=1 build:$build+dead-together"
    echo "lines_first base kernel POLICY=2 LIVENESS=0 MSHRS=9"
    # Associativity (Fig. 8), L1D (Fig. 9), the unified memory (Fig. 10).
    for n in 2 8; do echo "ways$n base kernel $fair SETS=$((1024 / n)) WAYS=$n"; done
    for kb in 32 64 128; do echo "l1_$kb base kernel INTEGRATED=0 SETS=$((2 * kb))"; done
    echo 'l1_48 base kernel INTEGRATED=0 SETS=64 WAYS=6'
    echo 'unified base kernel INTEGRATED=0'
    # Half and twice of the registers' memory (V-A).
    for kb in 64 256; do
        echo "base_kb$kb base_kb$kb kernel $separate machine:registers=$((8 * kb))"
        echo "fair_kb$kb base_kb$kb kernel $fair SETS=$((2 * kb)) machine:registers=$((8 * kb))"
        echo "first_kb$kb base_kb$kb kernel POLICY=1 SETS=$((2 * kb)) machine:registers=$((8 * kb))"
    done
    # What surrounds the memory, one cause at a time.
    cause() { # name, words
        name=$1
        shift
        echo "base_$name base_$name kernel $separate $*"
        echo "fair_$name base_$name kernel $* $fair" # of two values the first is taken
        echo "first_$name base_$name kernel POLICY=1 $*"
    }
    cause unscheduled build:m32
    cause wide build:schedule
    cause bandwidth machine:dram.bytes=1000000000 machine:link.bytes=1000000000
    cause l2 machine:l2.size=786432
    cause collectors15 COLLECTORS=15
    cause banks8 BANKS=8
    cause roomy BANKS=8 COLLECTORS=15
    cause mshrs16 MSHRS=16
}
