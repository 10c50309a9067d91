# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Guided stimulus: what it finds that random stimulus does not, its corpus, and what it refuses. Read by tb/tests/engine_tests.sh.
sections="$sections fuzz"

# Runs the fuzzer; what a failure leaves is in $here/out, the corpus in $here/kept.
fuzzes() { # name, exit code, facts, arguments…
    name=$1 code=$2 facts=$3
    shift 3
    rm -rf "$here/out"
    demand "$name" "$code" "$facts" "$tool" fuzz "$@" --corpus "$here/kept" --output "$here/out" --no-shrink
}

fuzz() {
    vsb='--param ENTRIES=4 --param PREGS=16'
    kept="$here/kept/ENTRIES=4,PREGS=16.corpus"
    # All that a lane and the drop port can do, in one cycle, with all ones: rare ways of the bench at once.
    vary rtl/wir/rf_vsb.sv "$here/vsb.sv" -e 's/= lk_valid_i & (write_i | drop_i);/= lk_valid_i \& (write_i | drop_i) \& {ISSUES{!(rnd_drop_i \&\& (\&lk_valid_i) \&\& (\&write_i) \&\& (\&drop_i) \&\& (\&write_reg_i) \&\& (\&lk_hash_i[31:0]))}};/'
    vary rtl/wir/rf_vsb.sv "$here/early.sv" -e 's/= act\[i\] && left_valid;/= act[i] \&\& valid_q[index[i]];/'
    # shellcheck disable=SC2086 # options
    check 'random stimulus does not find a rare event' 0 pass 'pass' run rf_vsb $vsb --rtl "$here/vsb.sv" --cycles 200k
    # shellcheck disable=SC2086
    fuzzes '... which guided stimulus does' 1 'mismatch rf_vsb|failure.case|lockstep replay' rf_vsb $vsb --rtl "$here/vsb.sv" --cycles 200k
    cp "$here/out/failure.case" "$here/found.case"
    check '... whose case fails alone' 1 mismatch 'mismatch rf_vsb' replay "$here/found.case"
    expect '... and which leaves no corpus' "$(ls "$here/kept")" test ! -e "$kept"

    # shellcheck disable=SC2086
    fuzzes 'the unit itself passes' 0 'pass rf_vsb|features|entries' rf_vsb $vsb --cycles 50k
    cp "$kept" "$here/first.corpus"
    check 'its corpus is played in lockstep' 0 pass 'pass rf_vsb' replay "$here/first.corpus"
    check '... and fails on wrong RTL' 1 mismatch '@mismatch.field=freed' replay "$here/first.corpus" --rtl "$here/early.sv"
    rm -rf "$here/kept"
    # shellcheck disable=SC2086
    fuzzes 'again' 0 'pass' rf_vsb $vsb --cycles 50k
    expect 'the same seed makes the same corpus' 'they differ' cmp -s "$kept" "$here/first.corpus"
    # shellcheck disable=SC2086
    fuzzes 'going on from the corpus' 0 'pass' rf_vsb $vsb --cycles 50k
    expect '... reaches more' "$(wc -l <"$kept") lines after $(wc -l <"$here/first.corpus")" sh -c "! cmp -s '$kept' '$here/first.corpus'"
    rm -rf "$here/kept"
    # shellcheck disable=SC2086
    fuzzes 'two jobs' 0 'pass|100000 cycles' rf_vsb $vsb --cycles 50k --jobs 2
    cp "$kept" "$here/two.corpus"
    rm -rf "$here/kept"
    # shellcheck disable=SC2086
    fuzzes 'two jobs again' 0 'pass' rf_vsb $vsb --cycles 50k --jobs 2
    expect '... make the same corpus' 'they differ' cmp -s "$kept" "$here/two.corpus"
    # shellcheck disable=SC2086
    fuzzes 'the model alone' 0 'features' rf_vsb $vsb --cycles 50k --side model
    fuzzes 'too few cycles see too little' 1 'vacuous rf_vsb|bin' rf_vsb --cycles 20
    fuzzes 'no such side' 2 'fuzz --side model' rf_vsb --side rtl
    fuzzes 'a workload is not for it' 2 'fuzz --workload' rf_banked --workload x

    # What no case can repeat: the DUT ends itself, at what no run of another stimulus does so soon.
    vary rtl/wir/rf_vsb.sv "$here/ends.sv" -e 's/^endmodule.*/  always_ff @(posedge clk_i) if (rnd_drop_i \&\& (\&lk_valid_i) \&\& (\&write_i) \&\& (\&drop_i) \&\& (\&write_reg_i)) $finish;\n&/'
    # shellcheck disable=SC2086
    fuzzes 'a DUT that ends itself' 1 'crash rf_vsb|failure.corpus' rf_vsb $vsb --rtl "$here/ends.sv" --cycles 200k
    cp "$here/out/failure.corpus" "$here/ends.corpus"
    check '... does so when the corpus is played' 1 crash '$finish' replay "$here/ends.corpus" --rtl "$here/ends.sv"

    while IFS='|' read -r facts lines; do
        printf 'lockstep-corpus 1\nunit rf_rr\nparams N=4\n%b' "$lines" >"$here/bad.corpus"
        check "refused: $facts" 2 - "$facts" replay "$here/bad.corpus"
    done <<'BAD'
bad.corpus:4 jump reset knobs draw end|jump\n
bad.corpus:4 draw reset|draw 0123456789abcdef 0 5\nend 0\n
bad.corpus:4 epoch 1 searched|epoch 0123456789abcdef 2 5\nend 1\n
bad.corpus:4 period extreme again|reset 0123456789abcdef period=2\nend 1\n
bad.corpus:4 reset 16 hexadecimal|reset 12\nend 1\n
bad.corpus:5 draw cycles|reset 0123456789abcdef\ndraw 0123456789abcdef 0 0\nend 1\n
bad.corpus:5 period 1|reset 0123456789abcdef\ndraw 0123456789abcdef 0 5 period=0\nend 1\n
bad.corpus:5 extreme 1 255|reset 0123456789abcdef\ndraw 0123456789abcdef 0 5 extreme=256\nend 1\n
bad.corpus:5 often period|reset 0123456789abcdef\ndraw 0123456789abcdef 0 5 often=2\nend 1\n
bad.corpus:5 "end"|reset 0123456789abcdef\n
bad.corpus:5 end 1|reset 0123456789abcdef\nend 2\n
bad.corpus:6 "end"|reset 0123456789abcdef\nend 1\nreset 0123456789abcdef\n
bad.corpus:5 fill entries|reset 0123456789abcdef\nfill 0123456789abcdef\nend 1\n
BAD
    mkdir -p "$here/kept"
    cp "$here/bad.corpus" "$here/kept/x.corpus"
    fuzzes 'a bad file among the entries' 2 'x.corpus:5 fill' rf_rr --cycles 1k
    printf 'lockstep-corpus 2\n' >"$here/bad.corpus"
    check 'a corpus of another version' 2 - 'version "2" 1' replay "$here/bad.corpus"
}
