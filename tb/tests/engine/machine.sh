# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Where it runs: two at a time, objects that are not of their sources, installed, caches of others. Read by tb/tests/engine_tests.sh.
sections="$sections one_at_a_time installed stale"

# Scripts that keep their files in build/ (tb/tests/lock.sh).
one_at_a_time() {
    root=$PWD
    cat >"$here/job.sh" <<'EOF'
. "$1/tb/tests/lock.sh"
take_lock job
touch "$2.in"
while [ -n "${3:-}" ] && [ ! -e "$3" ]; do sleep 0.1; done
EOF
    (cd "$here" && exec sh job.sh "$root" first go) >"$here/1" 2>&1 &
    expect 'the first begins' 'not within 10 s' within 10 test -e "$here/first.in"
    (cd "$here" && exec sh job.sh "$root" second) >"$here/2" 2>&1 &
    expect 'the second says that it waits' "$(cat "$here/2")" within 10 says "$here/2" 'job'
    expect 'and waits' 'both run' test ! -e "$here/second.in"
    touch "$here/go"
    wait
    expect 'for its turn' 'it never had it' test -e "$here/second.in"
    expect 'who waits for nobody says nothing' "$(cat "$here/1")" test ! -s "$here/1"
    rm "$here/go"
    (cd "$here" && exec sh job.sh "$root" killed go) >"$here/3" 2>&1 &
    within 10 test -e "$here/killed.in"
    kill -KILL $!
    wait
    expect 'what a killed one held is free' 'it is not' sh -c "cd '$here' && timeout 10 sh job.sh '$root' third"
    mkdir -p "$here/tb"
    demand 'and none of another checkout: CDPATH' 2 'rf_nothing' env CDPATH="$root/$here" sh tb/tests/netlists.sh rf_nothing
    lanes=$PWD/$here/lanes
    mkdir -p "$lanes/tb/tests"
    cp tb/tests/test.sh tb/tests/lock.sh tb/tests/checks.sh "$lanes/tb/tests"
    printf '#!/bin/sh\necho "2 passed, 0 failed"\n' >"$lanes/tb/tests/unit_tests.sh"
    printf '#!/bin/sh\necho $$ >"$0.pid"\nexec sleep 600\n' | tee "$lanes/tb/tests/storage_tests.sh" >"$lanes/tb/tests/report_check.sh"
    printf '#!/bin/sh\ncd "${0%%/*}"\nuntil [ -s storage_tests.sh.pid ] && [ -s report_check.sh.pid ]; do sleep 0.1; done\n: >lint.in\nuntil [ -e go ]; do sleep 0.1; done\n' >"$lanes/tb/tests/lint.sh"
    chmod +x "$lanes"/tb/tests/*.sh
    "$lanes/tb/tests/test.sh" >"$here/4" 2>&1 &
    main=$!
    within 20 test -e "$lanes/tb/tests/lint.in"
    kill -TERM $main
    : >"$lanes/tb/tests/go"
    wait $main
    code=$?
    expect 'a stopped make test says so' "exit $code" test $code -eq 130
    gone() { ! kill -0 "$(cat "$lanes/tb/tests/storage_tests.sh.pid")" 2>/dev/null && ! kill -0 "$(cat "$lanes/tb/tests/report_check.sh.pid")" 2>/dev/null; }
    expect 'and takes what runs beside it along' "$(cat "$here/4")" within 5 gone
    for script in lockstep test lint coverage netlists workloads; do
        expect "tb/tests/$script.sh is one" 'it does not wait for another' grep -q "^take_lock $script\$" "tb/tests/$script.sh"
    done
}

# A program that is not of the sources that stand there: a model that was not built anew, or does not build, must not pass.
stale() {
    tree=$PWD/$here/tree case=$PWD/$here/good.case
    export LOCKSTEP_CACHE="${LOCKSTEP_CACHE:-$PWD/build/dut}"
    unset LOCKSTEP_ROOT
    copy_tree "$tree"
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\nreset\ncycle req=3 take=1\nend 2\n' >"$case"
    model=cmodel/common/rf_rr.c
    inside() { env -C "$tree" "$@"; }
    passes() { demand "$1" 0 'pass rf_rr' inside build/lockstep run rf_rr --record "$tree/record"; }
    refused() { # name, file
        demand "$1" 2 "$2 compiled|make all" inside build/lockstep run rf_rr
    }
    builds() { demand "$1" 0 "$2" inside make all; }
    change() { # file, sed expression
        sed -i "$2" "$tree/$1"
        cmp -s "$1" "$tree/$1" && bad "$1" 'sed changed nothing'
        touch -d 2001-01-01 "$tree/$1" # older than its object
    }
    restore() { cp -a "$1" "$tree/$1"; }
    sum() { sha256sum <"$1" | cut -c 1-64; }
    passes 'a program of its sources'
    expect '... and its record says of which' "$(cat "$tree/record")" says "$tree/record" \
        "@sources.tree=as compiled|@sources.compiled=$(sum "$tree/build/sources.sum")|@sources.model=$(sum $model)|@sources.list=$(sum tb/common/rf_rr.fields)|@sources.bench=$(sum tb/common/rf_rr.c)"
    change $model 's/(take != 0) & (grant != 0)/(take != 0) | (grant != 0)/'
    for words in 'run rf_rr' 'run rf_rr --netlist' 'run rf_rr --coverage 1.dat' 'model rf_rr' "replay $case" "shrink $case" 'waves rf_rr' "waves $case" 'faults rf_rr' 'faults' \
        'mutants rf_rr' 'mutants' 'speed rf_rr' 'energy rf_rr' 'prove rf_rr' 'coverage .' 'regress tb/plans/smoke.plan' 'synth rf_rr' 'workload info x'; do
        # shellcheck disable=SC2086 # words
        demand "a broken model that was not built: $words" 2 "$tree/$model compiled|make all" inside build/lockstep $words
    done
    demand 'what says nothing of a unit is answered' 0 'rf_rr' inside build/lockstep list rf_rr
    builds '... make builds it, though it is older than its object' "CC $model"
    demand '... and it is found' 1 'mismatch rf_rr|mask_q' inside build/lockstep run rf_rr --no-shrink
    change $model '$a #error'
    demand 'a model that does not build' 2 '#error' inside make all
    refused '... is not the one that was built' $model
    restore $model
    refused 'nor is the good one' $model
    builds '... until it is built' "CC $model"
    passes '... and passes'
    for file in tb/common/rf_rr.fields tb/common/rf_rr.c cmodel/common/rf_types.h cmodel/wir/rf_wir.c harness/core/plan.c harness/core/field.h; do
        change $file '$a /* */'
        refused "a changed $file" $file
        restore $file
    done
    passes 'all as it was, whatever its time is'
    noted() { inside build/lockstep run rf_rr --quiet && [ -s "$tree/build/sources.stamp" ]; }
    expect 'sources that rest are not read at each start' 'no note is made' within 20 noted
    cp -a "$tree/$model" "$here/rested"
    sed 's/take != 0/take == 0/' "$here/rested" >"$tree/$model"
    touch -r "$here/rested" "$tree/$model"
    refused 'a change that leaves size and time as they are' $model
    cp -a "$here/rested" "$tree/$model"
    passes '... and the good one'
    for line in '^PARAM(N,' '^FIELD(STATE, *mask_q,'; do
        sed -i "/$line/{p;}" "$tree/tb/common/rf_rr.fields"
        builds "a field list in which a line is there twice" 'CC tb/common/rf_rr.c'
        of='parameter N'
        [ "$line" = '^PARAM(N,' ] || of='STATE mask_q'
        at=$(grep -n "$line" tb/common/rf_rr.fields | cut -d : -f 1)
        demand "... is refused: $of" 2 "tb/common/rf_rr.fields:$((at + 1)) $of $at" inside build/lockstep list
        restore tb/common/rf_rr.fields
    done
    builds '... and the good one is built' 'CC tb/common/rf_rr.c'
    checked() { # name, whether the DUT was there already
        rm -f "$tree/record"
        demand "$1" 0 'pass rf_rr' inside build/lockstep run rf_rr --rtl rtl/common/rf_rr.sv --record "$tree/record"
        expect "... build_cached $2" "$(cat "$tree/record")" grep -q "\"build_cached\":$2" "$tree/record"
    }
    inside build/lockstep run rf_rr --rtl rtl/common/rf_rr.sv --quiet >"$here/text" 2>&1
    checked 'RTL of a person that was checked' true
    change harness/dut/elab_drivers.c "\$a /* checks more, $(date +%s%N) */" # none that an earlier test has left in the cache
    builds 'a program with other checks' 'CC harness/dut/elab_drivers.c'
    checked '... takes no DUT that it has not checked' false
    restore harness/dut/elab_drivers.c
    builds 'the program as it was' 'CC harness/dut/elab_drivers.c'
    mv "$tree/cmodel/common/rf_types.h" "$tree/gone"
    demand 'a header that is gone' 2 'cmodel/common/rf_types.h gone' inside build/lockstep run rf_rr
    mv "$tree/gone" "$tree/cmodel/common/rf_types.h"
    rm "$tree/build/obj/cmodel/common/rf_lfsr.sum"
    builds 'an object that was not finished is made again' 'CC cmodel/common/rf_lfsr.c'
    printf '#!/bin/sh\ngcc "$@" || exit\ncase "$*" in *rf_lfsr.c*) echo "/* */" >>cmodel/common/rf_lfsr.c ;; esac\n' >"$tree/editor"
    chmod +x "$tree/editor"
    change cmodel/common/rf_lfsr.c '$a /* */'
    demand 'a source that changes while it is compiled' 2 'rf_lfsr.o changed' inside make all CC=./editor
    expect '... leaves no object' 'it does' test ! -e "$tree/build/obj/cmodel/common/rf_lfsr.o"
    restore cmodel/common/rf_lfsr.c
    builds '... and is compiled when it rests' 'CC cmodel/common/rf_lfsr.c'
    passes '... and passes'
    builds 'what is of its sources is left alone' ''
    expect '... no object is made again' "$(cat "$here/text")" test ! -s "$here/text"
    LOCKSTEP_ROOT=$tree "$tool" run rf_rr --quiet || bad 'a tree with the same sources' 'is refused'
    change $model 's/(take != 0) & (grant != 0)/(take != 0) | (grant != 0)/'
    demand 'a tree with others, through LOCKSTEP_ROOT' 2 "$tree/$model compiled" env LOCKSTEP_ROOT="$tree" "$tool" run rf_rr
}

installed() {
    usr=$PWD/$here/usr
    demand 'make install' 0 '' make -s install PREFIX="$usr"
    echo 'module old_pick; endmodule' >"$usr/share/rf-lockstep/rtl/common/old_pick.sv"
    echo '#error' >"$usr/include/rf-lockstep/cmodel/common/old.h"
    demand '... over an older one' 0 '' make -s install PREFIX="$usr"
    expect 'keeps nothing of that' "$(find "$usr" -name 'old*')" test -z "$(find "$usr" -name 'old*')"
    expect 'a completion is installed' "$(ls "$usr/share/bash-completion/completions")" grep -q '^complete .* lockstep$' "$usr/share/bash-completion/completions/lockstep"
    mkdir "$here/user"
    export LOCKSTEP_CACHE="${LOCKSTEP_CACHE:-$PWD/build/dut}"
    unset LOCKSTEP_ROOT
    (cd "$here/user" && "$usr/bin/lockstep" run rf_sched_lrr --coverage 1.dat --record r.jsonl && "$usr/bin/lockstep" coverage .) >"$here/text" 2>&1
    expect 'what is installed runs, and has our waivers' "$(tail -n 3 "$here/text")" grep -q '^0 lines' "$here/text"
    expect '... and our machines' "$(ls "$usr/share/rf-lockstep/tb")" sh -c "cd '$here/user' && '$usr/bin/lockstep' list --machines >1 && test \$(wc -l <1) = $(find tb/machines -name '*.machine' | wc -l)"
    expect 'where there are the models alone, the record says so' "$(cat "$here/user/r.jsonl")" says "$here/user/r.jsonl" '@sources.tree=there in part|@sources.compiled'
    # Without a home: in /tmp, where others may make folders first.
    own=/tmp/rf-lockstep-$(id -u)
    there=$([ ! -e "$own" ] || echo there)
    mkdir -p "$own"
    chmod 755 "$own"
    demand 'without HOME, with a folder in /tmp that others may enter' 2 "$own user|LOCKSTEP_CACHE" \
        env -u HOME -u LOCKSTEP_CACHE "$usr/bin/lockstep" run rf_rr
    chmod 700 "$own"
    [ -n "$there" ] || ln -s "$(realpath "$LOCKSTEP_CACHE")"/verilator-* "$own"
    demand '... that are kept out' 0 'pass rf_rr' env -u HOME -u LOCKSTEP_CACHE "$usr/bin/lockstep" run rf_rr --output "$here/out"
    expect 'it is used' "$(ls "$own")" sh -c "ls $own/rf_rr-*/dut.so >/dev/null"
    [ -n "$there" ] || rm -rf "$own"
    # A cache in which others could put DUTs for us to run.
    mkdir "$here/mine" "$here/open"
    ln -s "$(realpath "$LOCKSTEP_CACHE")"/verilator-* "$here/mine"
    refused() { # name, facts, cache
        demand "a cache $1" 2 "$3 $2|LOCKSTEP_CACHE" env LOCKSTEP_CACHE="$3" "$tool" run rf_rr --output "$here/out"
    }
    for mode in 775 757; do
        chmod $mode "$here/mine"
        refused "with mode $mode" 'written' "$here/mine"
    done
    chmod 755 "$here/mine"
    ln -s mine "$here/link"
    if [ "$(id -u)" = 0 ]; then
        chown 65534 "$here/open"
        refused 'of another user' 'belongs user' "$here/open"
        chown -h 65534 "$here/link"
        refused 'behind a link of another user' 'link user' "$here/link"
        chown -h 0 "$here/link"
        chown 0 "$here/open"
    fi
    mkdir "$here/open/cache"
    chmod 777 "$here/open"
    refused 'that anybody may replace' 'replace' "$here/open/cache"
    (umask 0 && demand '... that is ours' 0 'pass rf_rr' env LOCKSTEP_CACHE="$here/link" "$tool" run rf_rr --output "$here/out")
    so=$(ls "$here"/mine/rf_rr-*/dut.so)
    expect 'has only what we alone may write' "$(find "$here/mine" ! -type l -perm /022)" test -z "$(find "$here/mine" ! -type l -perm /022)"
    chmod 777 "$so"
    demand 'a DUT that others may write' 0 'pass rf_rr' env LOCKSTEP_CACHE="$here/mine" "$tool" run rf_rr --output "$here/out"
    expect 'is made again' "$(ls -l "$so")" test "$(stat -c %a "$so")" = 755
    demand 'make uninstall' 0 '' make -s uninstall PREFIX="$usr"
    expect 'leaves no file' "$(find "$usr" -type f)" test -z "$(find "$usr" -type f)"
}
