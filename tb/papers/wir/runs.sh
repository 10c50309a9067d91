# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC2034 # read by paper.sh
# The runs of the WIR paper's evaluation (III-A, VII), on the machine of its Table II. It leaves nothing open that a run could
# choose.
model=rf_wir
constants='pj_rename=RF_ENERGY_WIR_RENAME pj_reuse=RF_ENERGY_WIR_REUSE_BUFFER pj_hash=RF_ENERGY_WIR_HASH
    pj_vsb=RF_ENERGY_WIR_VSB pj_pool=RF_ENERGY_WIR_POOL pj_reference=RF_ENERGY_WIR_REFERENCE pj_cache=RF_ENERGY_WIR_VERIFY_CACHE
    pj_read=RF_ENERGY_WIR_BANK_READ pj_write=RF_ENERGY_WIR_BANK_WRITE'
build=m32+schedule

# As many blocks run with reuse as without: without, every register has a fixed place, so WARPS x REGS must fit into the 1024 physical
# ones, and the pool must have one more than the warps use.
parameters() {
    rows=$((($1 + 7) / 8 * 8))
    warps=$((1024 / rows))
    [ $((warps * $1)) -lt 1024 ] || warps=$((warps - 1))
    echo "--machine=wir WARPS=$(($(at_most 48 "$warps") / 2 * 2)) REGS=$rows"
}

configs() {
    minimum='LOADS=0 RETRY=0 VCACHE=0'
    echo 'base3 base3 all REUSE=0 DELAY=3' # the least delay
    echo 'base base all REUSE=0'
    echo 'main base all'
    echo "r base kernel $minimum"
    echo 'rl base kernel RETRY=0 VCACHE=0'
    echo 'rlp base kernel VCACHE=0'
    echo 'rpv base kernel LOADS=0'
    echo 'rlpvc base kernel CAPPED=1'
    echo "novsb base kernel VSB=0 $minimum"
    echo 'full base kernel WARPS=48 REGS=63'
    for n in 32 64 128 512; do echo "entries$n base kernel ENTRIES=$n"; done
    for n in 256 512; do echo "misses$n base kernel RETRY=0 ENTRIES=$n"; done
    for n in 32 64 128 512; do echo "vsb$n base kernel VENTRIES=$n"; done
    echo 'vcache16 base kernel VCACHE=16'
    echo 'delay3 base3 kernel DELAY=3'
    echo 'base_delay7 base_delay7 kernel REUSE=0 DELAY=7'
    echo 'delay7 base_delay7 kernel DELAY=7'
    echo 'queue16 base kernel QUEUE=16'
    # What surrounds the stage, one cause at a time.
    cause() { # name, words
        name=$1
        shift
        echo "base_$name base_$name kernel REUSE=0 $*"
        echo "$name base_$name kernel $*"
    }
    cause unscheduled build:m32
    cause wide build:schedule
    echo 'one_word base kernel machine:lookup.words=1'
    echo 'wide_one_word base_wide kernel build:schedule machine:lookup.words=1'
    cause alu8 machine:alu.latency=8
    cause bandwidth machine:dram.bytes=1000000000 machine:link.bytes=1000000000
    cause fast machine:memory
    cause l1_8 machine:l1.size=8192
    cause inputs build:m32+schedule+papers-inputs
    cause inputs_unscheduled build:m32+papers-inputs
    echo 'tables base_inputs_unscheduled kernel build:m32+papers-inputs ENTRIES=512 VENTRIES=512'
    echo 'small base kernel ENTRIES=32 VENTRIES=32'
    for n in 256 512; do echo "warps16_$n base kernel WARPS=16 VENTRIES=$n"; done
}
