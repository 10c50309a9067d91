# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# All states of small units: on our RTL, and faults that one transition shows. Read by tb/tests/engine_tests.sh.
sections="$sections explore"

# Runs the exploration and demands exit code and words; what a failure leaves is in $here/out.
explores() { # name, exit code, words, arguments…
    name=$1 code=$2 words=$3
    shift 3
    rm -rf "$here/out"
    "$tool" explore "$@" --output "$here/out" >"$here/text" 2>&1
    got=$?
    if [ "$got" -ne "$code" ]; then bad "$name" "exit $got and not $code: $(head -n 3 "$here/text" | tr '\n' ' ')"
    elif ! says "$here/text" "$words"; then bad "$name" "\"$missing\" is not in: $(head -n 6 "$here/text" | tr '\n' ' ')"
    else ok "$name"
    fi
}

explore() {
    # States, by formulas: N masks of a round-robin, a place and a level of a FIFO, all values but 0 of an LFSR.
    explores 'all states of rf_rr' 0 'explored  rf_rr N=4|  4 states|128 transitions, 32 inputs|bins 5 of 5|all transitions agree' rf_rr --param N=4
    explores 'all states of a FIFO' 0 '  12 states|48 transitions|all transitions agree' rf_fifo_ctrl --param DEPTH=3
    explores 'all states of an LFSR, model alone' 0 '  65535 states, at most 65534 cycles' rf_lfsr --side model
    explores 'all states of a free list' 0 'all transitions agree' rf_free_list --param PREGS=2 --param ISSUES=1
    explores 'all states of reference counts' 0 'all transitions agree' rf_refcount --param PREGS=2 --param INCS=1 --param DECS=1 --param FREES=1 --param ASKS=1 \
        --param COUNTW=2
    explores 'all states of a scheduler' 0 'all transitions agree' rf_sched_gto --param WARPS=3
    # One transition in 48 is wrong; the case fails alone.
    vary rtl/common/rf_fifo_ctrl.sv "$here/fifo.sv" -e "s/level_q + LEVEL_W'(write_o) - LEVEL_W'(read);/level_q + LEVEL_W'(write_o) - LEVEL_W'(read \\&\\& !(rd_ptr_q == 2 \\&\\& level_q == 1 \\&\\& !write_o));/"
    explores 'one wrong transition' 1 'mismatch  rf_fifo_ctrl DEPTH=3|register  level_q|lockstep replay' rf_fifo_ctrl --param DEPTH=3 --rtl "$here/fifo.sv"
    cp "$here/out/failure.case" "$here/walk.case"
    check '... whose case fails alone' 1 mismatch 'level_q' replay "$here/walk.case"
    explores 'an input that keeps a value' 0 '16 inputs in each state|with take=1 in every cycle' rf_rr --param N=4 --fix take=1
    explores 'a limit' 0 'stopped  rf_sthld|1000 states, not all' rf_sthld --limit 1000 --side model
    explores '... with which the RTL is not walked' 2 'the RTL was not walked: not all states are known' rf_sthld --limit 1000
    explores 'more inputs than can be tried' 2 'bits of inputs, and all values of at most 20|ready 32' rf_sched_lrr
    explores 'a memory' 2 'rf_bank has a memory, mem_q, which no reset sets' rf_bank
    explores 'no such input' 2 'no input of that name; the inputs are req take' rf_rr --fix other=1
    explores 'a misspelled input' 2 'no input of that name: did you mean take=1?' rf_rr --fix taken=1
    explores 'a value that is too large' 2 'take has 1 bits: expected 0 to 1' rf_rr --fix take=2
    explores 'no such side' 2 'expected model' rf_rr --side rtl
    explores 'as JSON' 0 '"states":12,"transitions":48,"inputs":4,"depth":5,"complete":true' rf_fifo_ctrl --param DEPTH=3 --json
}
