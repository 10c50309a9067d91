# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034 # read by paper.sh
# The runs of the WIR paper's evaluation (III-A, VII).
model=rf_wir
constants='load=RF_MACHINE_MEMORY_LATENCY pj_rename=RF_ENERGY_WIR_RENAME pj_reuse=RF_ENERGY_WIR_REUSE_BUFFER pj_hash=RF_ENERGY_WIR_HASH
    pj_vsb=RF_ENERGY_WIR_VSB pj_pool=RF_ENERGY_WIR_POOL pj_reference=RF_ENERGY_WIR_REFERENCE pj_cache=RF_ENERGY_WIR_VERIFY_CACHE
    pj_read=RF_ENERGY_WIR_BANK_READ pj_write=RF_ENERGY_WIR_BANK_WRITE'

# 1024 physical registers and 48 warps at most [WIR Table II]. Base, with a fixed place for every register, must have room for all of its
# warps, and the pool one register more than they use, so that as many blocks run with reuse as without.
parameters() {
    rows=$((($1 + 7) / 8 * 8))
    warps=$((1024 / rows))
    [ $((warps * $1)) -lt 1024 ] || warps=$((warps - 1))
    echo "WARPS=$(($(at_most 48 "$warps") / 2 * 2)) REGS=$rows COLLECTORS=8 BANKS=8 ISSUES=2 EXPORTS=4 PREGS=1024"
}

configs() {
    minimum='LOADS=0 RETRY=0 VCACHE=0'
    echo 'base base all REUSE=0'
    echo 'main base all'
    echo 'full base all WARPS=48 REGS=63'
    echo "r base all $minimum"
    echo 'rl base all RETRY=0 VCACHE=0'
    echo 'rlp base all VCACHE=0'
    echo 'rpv base all LOADS=0'
    echo 'rlpvc base all CAPPED=1'
    echo "novsb base all VSB=0 $minimum"
    for n in 32 64 128 512; do echo "entries$n base kernel ENTRIES=$n"; done
    for n in 128 256 512; do echo "misses$n base kernel RETRY=0 ENTRIES=$n"; done
    for n in 16 32 64 128 512; do echo "vsb$n base kernel VENTRIES=$n"; done
    echo 'vsb0 base kernel VSB=0'
    echo 'vcache16 base kernel VCACHE=16'
    for n in 3 5 6 7; do
        echo "base_delay$n base_delay$n kernel REUSE=0 DELAY=$n"
        echo "delay$n base_delay$n kernel DELAY=$n"
    done
    echo 'queue16 base kernel QUEUE=16'
    echo 'lrr base kernel SCHED=1'
    echo 'base_load400 base_load400 kernel --load-latency=400 REUSE=0'
    echo 'misses_load400 base_load400 kernel --load-latency=400 RETRY=0'
    echo 'load400 base_load400 kernel --load-latency=400'
}
