#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `lockstep mutants` from outside: exit codes, records, messages, the caches. One line a check; the last is "N passed, N failed".
# What kills a mutant, and what a proof is worth, is tested in tb/harness/test_mutants.c.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
work=${WORK:-build/mutants-test}
rm -rf "$work"
mkdir -p "$work"
here=$work

check() { name=$1 code=$2 facts=$3 && shift 3 && demand "$name" "$code" "$facts" "$tool" "$@"; } # name, exit code, facts, arguments…

needs_tool
make_record_of "$work"
field() { "$work/record_of" "$1" <"$work/record"; }

check 'an unknown side' 2 '--side seven rtl model comparer prover' mutants rf_rr --side seven
check 'a side that needs a unit' 2 'mutants --side model unit' mutants --side model
check 'an option of other commands' 2 'mutants --cycles' mutants rf_rr --cycles 5
check 'no such unit' 2 'rf_nothing' mutants rf_nothing

check 'the RTL side of a unit' 0 'rtl |rf_rr|pass' mutants rf_rr --side rtl --sample 20 --record "$work/record"
expect 'its record: status' "$(field status)" test "$(field status)" = pass
expect 'its record: cycles were run' "$(field cycles)" test "$(field cycles)" -ge 400000
sums=$(sed -E 's/.*"mutants":\[(.*)\],"message".*/\1/; s/\},\{"side"/}\n{"side"/g' "$work/record" |
    sed -nE 's/.*"made":([0-9]+),"killed":([0-9]+),"equivalent":([0-9]+),"survived":([0-9]+),"undecided":([0-9]+).*/\1 \2 \3 \4 \5/p' |
    awk '{ sets++; made += $1; if ($1 != $2 + $3 + $4 + $5) bad = 1; killed += $2 } END { print sets, made, (killed > 10 && !bad) }')
expect "its record: two parameter sets, 20 mutants, each with one fate ($sums)" "$sums" test "$sums" = '2 20 1'
kinds=$(sed 's/"kills"/\n&/g' "$work/record" | sed -nE 's/^"kills":\{([^}]*)\}.*/\1/p' | tr ',' '\n' | awk -F: '{ n += $2 } END { print n }')
killed=$(sed 's/"killed"/\n&/g' "$work/record" | sed -nE 's/^"killed":([0-9]+),.*/\1/p' | awk '{ n += $1 } END { print n }')
expect 'its record: every kill is of a kind' "$kinds of $killed" test "$kinds" = "$killed"
expect 'its record: mutants in loops are counted' "$(cat "$work/record")" grep -q '"undecided":[0-9]*,"looped":0,"refused":0,"kills":{"mismatch":' "$work/record"
start=$(date +%s)
check 'once more, from the caches' 0 'pass' mutants rf_rr --side rtl --sample 20
cp "$work/text" "$work/again"
"$tool" mutants rf_rr --side rtl --sample 20 --json >"$work/record"
expect 'and once more: as JSON' "$(field status)" test "$(field status)" = pass
echo "     two runs from the caches: $(($(date +%s) - start)) s"
check 'the model side' 0 'model |rf_rr|pass' mutants rf_rr --side model --sample 12
check '... a survivor, which the judge is asked about' 0 'survived judge' mutants rf_wbq --side model --sample 33
check 'a record that cannot be written' 2 '/nowhere/record' mutants rf_rr --side model --sample 2 --record /nowhere/record

# A compiler that cannot work judges no mutant: no score. One that refuses a mutant makes none of it, which is counted. Of these compilers the first
# takes a model as it is and fails with a changed one; the other makes programs for the comparer's mutants that end as told.
cat >"$work/cc" <<'EOF'
#!/bin/sh
same=1
for word; do
    case $word in -I*/mutants/*) for file in "${word#-I}"/cmodel/common/*; do cmp -s "$file" "cmodel/common/${file##*/}" || same=0; done ;; esac
done
case $same$HOW" $* " in
1* | 0code*" -shared "*) exec gcc "$@" ;;
0room*) echo "ld: final link failed: No space left on device" ;;
0killed*) echo "gcc: fatal error: Killed signal terminated program cc1" ;;
0code*) echo "cc1: out of memory allocating 4064 bytes" ;;
0refused*) echo "rf_rr.c:1:2: error: expected expression" ;;
esac
exit 1
EOF
mkdir -p "$work/gcc"
cat >"$work/gcc/gcc" <<'EOF'
#!/bin/sh
while [ "$1" != -o ]; do shift; done
case $2 in
*/good-*) cp -f /bin/true "$2" ;;
*/program) { echo '#!/bin/sh' && echo "$HOW"; } >"$2" && chmod +x "$2" ;;
*) case $HOW in
    refused) echo 'field.c:1: error: expected expression' && exit 1 ;;
    room) echo 'as: Fatal error: No space left on device' && exit 1 ;;
    esac
    echo changed >"$2" ;;
esac
EOF
chmod +x "$work/cc" "$work/gcc/gcc"
broken_cc() { # name, how, facts, arguments…
    name=$1 how=$2 facts=$3
    shift 3
    demand "$name" 2 "build |$facts" env CC="$work/cc" HOW="$how" "$tool" mutants "$@"
}
broken_cc 'the disk is full' room 'mutant 1|No space left on device' rf_rr --side model --sample 12
broken_cc 'the compiler is killed' killed 'mutant 1|Killed signal terminated program' rf_rr --side model --sample 12
broken_cc 'the compiler has no memory when codes are compared' code 'cc1: out of memory' rf_lfsr --side model --sample 40
broken_cc 'no mutant of the model compiles' refused 'left out 20|model: mutant' rf_rr --sample 20
programs() { demand "$1" "$3" "$4" env PATH="$work/gcc:$PATH" HOW="$2" "$tool" mutants --sample 4 --record "$work/comparer"; } # name, how, exit code, words
programs 'a test of the comparer fails' 'exit 1' 0 'made 4 killed 4'
programs 'a test of the comparer dies of its own fault' 'ulimit -c 0; kill -SEGV $$' 0 'made 4 killed 4'
programs 'a test of the comparer is killed' 'kill -9 $$' 2 '=mutant 1, harness/|tb/harness/test_plan.c: signal 9'
programs 'a test of the comparer is ended' 'kill $$' 2 'tb/harness/test_plan.c: signal 15'
programs 'the disk is full for the comparer' room 2 '=mutant 1, harness/|No space left on device'
programs 'no mutant of the comparer compiles' refused 2 'comparer: mutant'
expect 'which the record counts' "$(tail -n 1 "$work/comparer")" sh -c "tail -n 1 '$work/comparer' | grep -q '\"made\":0,.*\"refused\":4,'"

# Mutants of the prover of which it is known what they do: this compiler gets, for the first one in proof.c, questions that compare a bit with itself,
# for others there one function more, and for other files what they are. Its tests are none, and of the runs it makes only two.
mkdir -p "$work/prover"
cat >"$work/prover/gcc" <<'EOF'
#!/bin/sh
here=${0%/*}
PATH=${PATH#*:}
line=$*
before=
for word; do
    [ "$before" != -o ] || out=$word
    before=$word
done
folder=${out%/*}
case $out in
*/good-*/object.o) ;;
*/object.o)
    for file in "$folder"/*.c; do cp "harness/proof/${file##*/}" "$file"; done
    if [ ! -f "$folder/proof.c" ]; then :
    elif mkdir "$here/first" 2>/dev/null; then sed -i 's/(ls_question){what, left, right,/(ls_question){what, left, left,/' "$folder/proof.c"
    else echo 'int ls_nothing(void) { return 0; }' >>"$folder/proof.c"
    fi ;;
*/program)
    case $line in *tb/harness/test_*) exec cp -f /bin/true "$out" ;; esac
    gcc "$@" && mv "$out" "$out.real" || exit
    printf '#!/bin/sh\ncase "$*" in "prove rf_rr" | "faults rf_fifo_ctrl "*) exec "$0.real" "$@" ;; esac\n' >"$out"
    exec chmod +x "$out" ;;
esac
exec gcc "$@"
EOF
chmod +x "$work/prover/gcc"
if sampled 3; then
    demand 'a prover that proves everything misses a fault, one with a function more does not' 0 \
        'killed 1|=    killed |harness/proof/proof.c:|: faults rf_fifo_ctrl|=    survived |pass prover' \
        env PATH="$PWD/$work/prover:$PATH" "$tool" mutants --side prover --sample 24 --record "$work/prover/record"
    expect 'in the record: by a missed fault' "$(cat "$work/prover/record")" grep -q '"killed":1,.*"survived":[1-9].*"lost":0,"missed":1}' "$work/prover/record"
fi

# A prover that says nothing leaves mutants undecided, and the record names them; one that is killed leaves no score.
mkdir -p "$work/abc"
cat >"$work/abc/berkeley-abc" <<'EOF'
#!/bin/sh
case $* in *pdr*) eval "$HOW" && exit ;; esac
PATH=${PATH#*:} exec berkeley-abc "$@"
EOF
chmod +x "$work/abc/berkeley-abc"
prover() { demand "$1" "$3" "$4" env PATH="$work/abc:$PATH" HOW="$2" "$tool" mutants rf_rr --side rtl --sample 20 --seed 2 --record "$work/open"; } # as programs
prover 'a prover that says nothing' true 0 'undecided N=64/|pass'
expect 'its record names an undecided mutant' "$(cat "$work/open")" grep -qE '"open":\[\{"mutant":"N=64/[0-9]+","what":"cell [^"]*proof"' "$work/open"
prover 'a prover that is killed' 'kill -9 $$' 2 'build|signal 9'

# Stimulus judged by a list of mutants.
printf '# a mutant\nrf_rr 20 1 3 N=4\n' >"$work/hard"
demand 'random and guided stimulus by a listed mutant' 0 'rf_rr 3|1 3 seeds|1.000 1.0 1.0 1.0' \
    "$tool" mutants --hard "$work/hard" --seconds 1
printf 'rf_rr 20 1 30 N=4\n' >"$work/hard"
demand '... of a number that its netlist cannot have' 2 'hard:1 UNIT' "$tool" mutants --hard "$work/hard"
printf '\nrf_nn 20 1 3 N=4\n' >"$work/hard"
demand '... of no unit' 2 'hard:2 rf_nn' "$tool" mutants --hard "$work/hard"
demand '... of a list and of a unit' 2 'mutants --hard:' "$tool" mutants rf_rr --hard "$work/hard"
printf 'rf_rr 12 9 - N=4\n' >"$work/hard"
demand '... of a list without a number' 2 'no mutant is in it' "$tool" mutants --hard "$work/hard"
"$tool" mutants --hard "$work/hard" --sample 12 --quiet >"$work/chosen"
expect 'a list is made of those that are not proved equivalent' "$(cat "$work/chosen")" \
    grep -qx 'rf_rr 12 9 1,2,4,5,6,7,8,9,10,11,12 N=4' "$work/chosen"
printf 'rf_rr 12 8 - N=4\n' >"$work/hard" # of which 3, 4 and 6 are equivalent
PATH="$work/abc:$PATH" HOW=true "$tool" mutants --hard "$work/hard" --sample 9 --quiet >"$work/chosen"
expect '... before those that are undecided' "$(cat "$work/chosen")" \
    grep -qx 'rf_rr 12 8 1,2,5,7,8,9,10,11,12 N=4' "$work/chosen"

# Without its tools it says which are missing.
mkdir -p "$work/bin"
for t in sh gcc g++ as ld verilator perl verilator_bin ar make cat rm; do [ -z "$(command -v $t)" ] || ln -sf "$(command -v $t)" "$work/bin/$t"; done
PATH=$work/bin
export PATH
"$tool" mutants rf_rr --side rtl --sample 20 >"$work/text" 2>&1
got=$?
PATH=/usr/local/bin:/usr/bin:/bin
expect 'without Yosys' "exit $got, $(tail -n 1 "$work/text")" sh -c "[ $got -eq 2 ] && grep -q 'Yosys' '$work/text'"

tally
