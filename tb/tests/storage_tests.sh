#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# synth_scripts/storage.sh counts what the RTL holds: 152 bits of rf_rfree_table, 128 of rf_ccu, and of rf_wir's tables the 11008 of
# rf_vsb, 8280 of rf_verify_cache, 15104 of rf_reuse_buffer and 10240 of rf_refcount, as the papers say; one bit more when one is
# planted, none for a register that nothing reads. The rows of rf_rename (45 s) and rf_malekeh take Yosys too long for here: two of
# the rename tables are counted, `make storage` counts all. With TURN half of those that take long. One line a check; ends with
# "N passed, N failed".
# shellcheck disable=SC2016 # $ of SystemVerilog
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
work=build/storage
here=$work
table=rtl/steal/rf_rfree_table.sv
rm -rf "$work"
mkdir -p "$work"

check() { name=$1 code=$2 facts=$3 && shift 3 && demand "$name" "$code" "$facts" synth_scripts/storage.sh "$@"; } # name, exit code, facts, arguments…

# The table with a register planted: `1` into an output, `2` into nothing.
mkdir "$work/read" "$work/unread"
planted='logic planted_q; always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) planted_q <= 1'"'"'b0; else planted_q <= launch_i[0];'
sed "s/^  assign linked_o  *= m_q;/  $planted\n  assign linked_o = m_q ^ {BANKS{planted_q}};/" "$table" >"$work/read/rf_rfree_table.sv"
sed "s/^  assign linked_o  *= m_q;/  $planted\n  assign linked_o = m_q;/" "$table" >"$work/unread/rf_rfree_table.sv"
# ... and eight bits of which an output depends on one alone
mkdir "$work/one"
shifted="logic [7:0] planted_q; always_ff @(posedge clk_i or negedge rst_ni) if (!rst_ni) planted_q <= 8'b0; else planted_q <= {planted_q[6:0], launch_i[0]};"
sed "s/^  assign linked_o  *= m_q;/  $shifted\n  assign linked_o = m_q ^ {BANKS{planted_q[0]}};/" "$table" >"$work/one/rf_rfree_table.sv"
for copy in read unread one; do
    grep -q planted_q "$work/$copy/rf_rfree_table.sv" || bad "the register in $copy" 'nothing was planted'
done

check 'the paper: 152 bits for 8 banks of 128 rows' 0 '152 total: 152 0' rf_rfree_table BANKS=8 WARPS=32 PER_WARP=4
check '... and no difference' 0 '152 +0: stealing IV-C-2]' rf_rfree_table
check 'one bit more is seen' 0 '152 +1' --rtl "$work/read/rf_rfree_table.sv" rf_rfree_table
check '... under its name' 0 '1 planted_q' --rtl "$work/read/rf_rfree_table.sv" rf_rfree_table
check 'a register that nothing reads is no storage' 0 '152 +0' --rtl "$work/unread/rf_rfree_table.sv" rf_rfree_table
check '... nor are bits of one that no output depends on' 0 '152 +1|1 planted_q' --rtl "$work/one/rf_rfree_table.sv" rf_rfree_table
check '16 banks: 16 x (2 + 7 + 4 + 7)' 0 '"total":320}' --json rf_rfree_table BANKS=16
check 'a memory and a register' 0 '"flip_flops":256,"memory":1024,"total":1280}' --json rf_bank ROWS=4 LANES=8
check 'the paper: what a caching collector has beside a collector' 0 '128 +0: [Malekeh 9.4]' rf_ccu ENTRIES=8 SLOTS=8 REGS=256 LANES=1
check '... is not all of it' 0 '540 total: 540' rf_ccu ENTRIES=8 SLOTS=8 REGS=256 LANES=1
check '... in JSON' 0 '"paper":128,"difference":0,' --json rf_ccu ENTRIES=8 SLOTS=8 REGS=256 LANES=1
sampled 2 && check 'the paper: 256 entries of 43 bits' 0 '11008 +0: [WIR VII-E]' rf_vsb ISSUES=1
check 'the paper: 8 lines of 1035 bits' 0 '8280 +0: [WIR VII-E]' rf_verify_cache ISSUES=1
check '... beside the pointer to the next one' 0 '8283 total: 8283' rf_verify_cache ISSUES=1
check 'the paper has no other number of lines' 0 '"total":4142}' --json rf_verify_cache ENTRIES=4 ISSUES=1
sampled 2 && check 'the paper: 256 entries of 59 bits' 0 '15104 +0: [WIR VII-E]' rf_reuse_buffer ISSUES=1
sampled 2 && check 'the paper: 1024 counters of 10 bits' 0 '10240 +0: [WIR VII-E]' rf_refcount INCS=1 DECS=1
sampled 2 && check 'the paper: a rename table of 63 x (10 + 1 + 1) bits; 2 of them, and a bit each that it is being released' 0 '"total":1514}' --json rf_rename WARPS=2
check 'the paper: values of 3 entries for 8 warps, of a lane' 0 '768 +0: [hierarchy 7.5 IV]' rf_levels LANES=1 ACTIVE=8 ENTRIES=3
check '... beside tags of 5 bits' 0 '120 gen_slot[*].gen_rfc.u_rfc.reg_q[*] (24 5)' rf_levels LANES=1 ACTIVE=8 ENTRIES=3
check 'no such unit' 2 'rf_none' rf_none
check 'no such parameter' 2 'rf_rfree_table ROWS' rf_rfree_table ROWS=4
check 'a parameter out of its range' 2 'BANKS 1 32' rf_rfree_table BANKS=33
check 'a parameter that is no number' 2 'BANKS=x' rf_rfree_table BANKS=x
check 'a parameter that is there twice' 2 'BANKS twice' rf_rfree_table BANKS=8 WARPS=4 BANKS=16
mkdir -p "$work/tree/tb" "$work/tree/synth_scripts"
cp synth_scripts/storage.* "$work/tree/synth_scripts" && ln -s "$PWD/rtl" "$work/tree/rtl"
sed -n 's/^rf_vsb | /rf_vsb  | /p' synth_scripts/storage.paper >>"$work/tree/synth_scripts/storage.paper"
rows=$(wc -l <"$work/tree/synth_scripts/storage.paper")
demand 'a row that is there twice' 2 "storage.paper:$rows: rf_vsb ENTRIES=256 PREGS=1024 $(grep -n '^rf_vsb ' synth_scripts/storage.paper | cut -d : -f 1)" \
    env LOCKSTEP="$(realpath "$tool")" "$work/tree/synth_scripts/storage.sh" rf_lfsr
check 'no such file' 2 'build/storage/none.sv' --rtl build/storage/none.sv rf_rfree_table
check 'a file that is none of the unit' 2 'rf_bank.sv rf_rfree_table' --rtl rtl/banked/rf_bank.sv rf_rfree_table
check 'no unit at all' 2 'unit'
tally
