# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh disable=SC3045
# `lockstep watch`: a verdict after each change of RTL, of the tree's models, of a project's; its end. Read by tb/tests/engine_tests.sh.
sections="$sections watch_rtl watch_tree watch_project"

# Starts it with its lines on descriptor 3. When it says nothing, its end is what `line` meets.
start_watch() { # arguments…
    mkfifo "$here/lines"
    timeout 280 "$@" >"$here/lines" 2>"$here/stderr" &
    watching=$!
    exec 3<"$here/lines"
}

# The next line must have these facts; it comes when a run has ended.
line() { # name, facts
    IFS= read -r said <&3 || said="no line: $(head -n 3 "$here/stderr" | tr '\n' ' ')"
    printf '%s\n' "$said" >"$here/line"
    if says "$here/line" "$2"; then ok "$1"; else bad "$1" "\"$missing\" is not in: $said"; fi
}

ended() { # name, exit code
    wait "$watching" 2>/dev/null
    got=$?
    exec 3<&-
    expect "$1" "exit $got and not $2" test "$got" -eq "$2"
}

watch_rtl() {
    cp $rr "$here/w.sv"
    printf '%s\n' "$here/w.sv" >"$here/w.f"
    start_watch "$tool" watch rf_rr -f "$here/w.f" --cycles 20k --output "$here/out" --no-shrink --limit 5
    line 'at the start' 'pass rf_rr 20000'
    echo nothing >"$here/notes.txt" # no source: the next verdict is of what follows
    vary $rr "$here/w.sv" -e 's/take_i && valid_o/valid_o/'
    line 'RTL that is written' "mismatch register mask_q|=RTL 8'h|=model 8'h"
    vary $rr "$here/new.sv" -e 's/take_i && valid_o/take_i \&\& valid_o)/'
    mv "$here/new.sv" "$here/w.sv"
    line 'RTL that is put in its place' 'build w.sv:38: syntax error'
    rm "$here/w.sv"
    line 'RTL that is gone' 'build w.sv No such file'
    cp $rr "$here/w.sv"
    line 'RTL that is there again' 'pass 20000'
    ended 'its exit code is the last verdict' 0
    demand 'a folder of RTL that is not there' 2 'no/w.sv' "$tool" watch rf_rr --rtl "$here/no/w.sv" --limit 1
    demand 'options of run that it does not take' 2 'watch --json' "$tool" watch rf_rr --json
    demand 'it needs a unit' 2 'watch|unit' "$tool" watch
    rm "$here/lines"
    start_watch "$tool" watch rf_rr --cycles 20k --output "$here/out"
    line 'until it is ended' 'pass'
    kill "$(pgrep -P "$watching" -x lockstep)"
    ended '... by a signal' 143
}

watch_tree() {
    tree=$PWD/$here/tree
    copy_tree "$tree"
    start_watch env -u LOCKSTEP_ROOT LOCKSTEP_CACHE="${LOCKSTEP_CACHE:-$PWD/build/dut}" "$tree/build/lockstep" watch rf_rr --cycles 20k --output "$here/out" --no-shrink --limit 4
    line 'at the start' 'pass'
    vary cmodel/common/rf_rr.c "$tree/cmodel/common/rf_rr.c" -e 's/(take != 0) &/(take != 2) \&/'
    line 'a model that changes is built' 'mismatch register mask_q'
    echo '}' >>"$tree/cmodel/common/rf_rr.c"
    line '... or not' 'build cmodel/common/rf_rr.c: error:'
    cp cmodel/common/rf_rr.c "$tree/cmodel/common/rf_rr.c"
    line '... back' 'pass'
    ended 'its exit code is the last verdict' 0
}

watch_project() {
    cp -r tb/tests/foreign "$here/p"
    lockstep=$(realpath "$tool")
    start_watch env LOCKSTEP_PROJECT="$PWD/$here/p" "$lockstep" watch lru_tags --cycles 1k --output "$here/out" --no-shrink --limit 4
    line 'at the start' 'lru_tags'
    vary tb/tests/foreign/model/lru_tags.c "$here/p/model/lru_tags.c" -e 's/m->age\[row + way\] = 0;/m->age[row + way] = 1;/'
    line 'a model of a project' 'mismatch register age'
    echo '}' >>"$here/p/model/lru_tags.c"
    line '... that does not compile' 'build lru_tags.c: error:'
    cp tb/tests/foreign/model/lru_tags.c "$here/p/model/lru_tags.c"
    line '... back' 'lru_tags'
    ended 'its exit code is the last verdict' 0
}
