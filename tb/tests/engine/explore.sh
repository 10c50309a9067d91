# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# All states of small units: on our RTL, and faults that one transition shows. Read by tb/tests/engine_tests.sh.
sections="$sections explore"

# Runs the exploration; what a failure leaves is in $here/out.
explores() { # name, exit code, facts, arguments…
    name=$1 code=$2 facts=$3
    shift 3
    rm -rf "$here/out"
    demand "$name" "$code" "$facts" "$tool" explore "$@" --output "$here/out"
}

explore() {
    # States, by formulas: N masks of a round-robin, a place and a level of a FIFO, all values but 0 of an LFSR.
    explores 'all states of rf_rr' 0 'explored rf_rr N=4|=  4 states|128 transitions|32 inputs|bins 5 5|agree' rf_rr --param N=4
    explores 'all states of a FIFO' 0 '=  12 states|48 transitions|agree' rf_fifo_ctrl --param DEPTH=3
    explores 'all states of an LFSR, model alone' 0 '=  65535 states|65534 cycles' rf_lfsr --side model
    explores 'all states of a free list' 0 'agree' rf_free_list --param PREGS=2 --param ISSUES=1
    explores 'all states of reference counts' 0 'agree' rf_refcount --param PREGS=2 --param INCS=1 --param DECS=1 --param FREES=1 --param ASKS=1 \
        --param COUNTW=2
    explores 'all states of a scheduler' 0 'agree' rf_sched_gto --param WARPS=3
    # One transition in 48 is wrong; the case fails alone.
    vary rtl/common/rf_fifo_ctrl.sv "$here/fifo.sv" -e "s/level_q + LEVEL_W'(write_o) - LEVEL_W'(read);/level_q + LEVEL_W'(write_o) - LEVEL_W'(read \\&\\& !(rd_ptr_q == 2 \\&\\& level_q == 1 \\&\\& !write_o));/"
    explores 'one wrong transition' 1 'mismatch rf_fifo_ctrl DEPTH=3|register level_q|lockstep replay' rf_fifo_ctrl --param DEPTH=3 --rtl "$here/fifo.sv"
    cp "$here/out/failure.case" "$here/walk.case"
    check '... whose case fails alone' 1 mismatch 'level_q' replay "$here/walk.case"
    explores 'an input that keeps a value' 0 '16 inputs|take=1' rf_rr --param N=4 --fix take=1
    explores 'a limit' 0 'stopped rf_sthld|1000 states' rf_sthld --limit 1000 --side model
    explores '... with which the RTL is not walked' 2 'rf_sthld RTL --limit --side model' rf_sthld --limit 1000
    explores 'more inputs than can be tried' 2 'rf_sched_lrr 65 20 --fix ready 32' rf_sched_lrr
    explores 'a memory' 2 'rf_bank memory mem_q' rf_bank
    explores 'no such input' 2 'other=1 req take' rf_rr --fix other=1
    explores 'a misspelled input' 2 'taken=1 take=1' rf_rr --fix taken=1
    explores 'a value that is too large' 2 'take=2 take 1 0 1' rf_rr --fix take=2
    explores 'no such side' 2 'explore --side model' rf_rr --side rtl
    explores 'as JSON' 0 '"states":12,"transitions":48,"inputs":4,"depth":5,"complete":true' rf_fifo_ctrl --param DEPTH=3 --json
}
