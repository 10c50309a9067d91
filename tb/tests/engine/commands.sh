# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The command line: names, options, help, JSON, folders. Read by tb/tests/engine_tests.sh.
sections="$sections progress usage json folders sets names"

# Names from outside, with an escape sequence and with lines that look like ours: nothing that is printed has them as they are.
plain_names() {
    esc=$(printf '\033')
    evil="$here/e$esc[31m
lockstep: pass
pass  rf_rr"
    mkdir -p "$evil"
    printf '1 rf_%s[1m default random fixed:1 40k\n' "$esc" >"$here/unit.plan"
    printf '1 rf_rr default random fixed:1 5\n' >"$here/good.plan"
    cp "$here/good.plan" "$evil/plan"
    printf 'lockstep-case 1\nunit rf_%s[1m\n' "$esc" >"$here/unit.case"
    printf 'lockstep-case 1\nunit rf_rr\nparams N%s[1m=1\n' "$esc" >"$here/param.case"
    printf '%b' "-kernel name = v$esc[1m\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 4\n-accelsim tracer version = 3\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 1\n0020 ffffffff 0 EXIT 0 0\n#END_TB\n" >"$evil/k.traceg"
    sed "s/EXIT/EX$esc[1m/" "$evil/k.traceg" >"$here/op.traceg"
    sed "s/^  assign valid_o/  wire \\\\a$esc[1m = nothing;\n&/" $rr >"$here/name.sv"
    for line in 'run evil' 'run rf_rr --param evil' 'run rf_rr --seed evil' 'run rf_rr --rtl evil' 'run rf_rr --record evil/no/r' 'run rf_banked --workload evil/k.traceg --cycles 50 --output evil' \
        'run rf_rr --cycles 5 --output evil' 'run rf_rr --define evil --rtl x' "run rf_rr --rtl $here/name.sv" 'run rf_rr --lib evil --netlist' "replay $here/unit.case" "replay $here/param.case" \
        'replay evil' 'shrink evil' 'waves evil' 'coverage evil' 'faults evil' 'mutants rf_rr --side evil' 'model rf_banked --workload evil/k.traceg' 'workload info evil/k.traceg' \
        'workload dump evil/k.traceg' "workload dump $here/op.traceg" 'workload build evil/k.traceg -o evil/k.rfs' 'workload info evil/k.rfs' 'workload build evil' "regress $here/unit.plan" \
        'regress evil/plan --output evil/regression --history evil/h.db' 'regress --resume evil/regression --history evil/h.db' 'report evil/regression --history evil/h.db' 'report evil' \
        "regress $here/good.plan --only evil" "regress $here/good.plan --launch evil" "regress $here/good.plan --traces evil" 'job evil --number 1' 'evil' 'list --evil' 'energy rf_rr --lib evil' \
        'prove --netlist rf_rr --lib evil' 'synth rf_rr --lib evil'; do
        set -- # words; the name in place of "evil"
        for word in $line; do
            case $word in
            *evil*) set -- "$@" "${word%%evil*}$evil${word#*evil}" ;;
            *) set -- "$@" "$word" ;;
            esac
        done
        "$tool" "$@" >"$here/text" 2>&1
        expect "no raw names: $line" "$(cat -v "$here/text" | head -n 8 | tr '\n' '|')" sh -c "[ -s '$here/text' ] && ! grep -q '$esc' '$here/text' && ! grep -Eq '^(lockstep: pass|pass  rf_rr)$' '$here/text'"
    done
    # A Verilator whose writer of waves is the newest one's, and a compiler without the library that it needs. Another one's root is its own.
    if [ -z "${VERILATOR:-}" ]; then
        vroot=$PWD/$here/vroot
        mkdir -p "$vroot/bin" "$vroot/include/fstcpp" "$here/empty"
        ln -s "$(command -v verilator_bin)" "$vroot/bin"
        ln -s "$(verilator -V | sed -n 's/^ *VERILATOR_ROOT *= *//p' | head -n 1)"/include/* "$vroot/include"
        printf '#!/bin/sh\ncase $* in *lz4.h*) exit 1 ;; esac\nexec g++ "$@"\n' >"$here/no_lz4"
        chmod +x "$here/no_lz4"
        demand 'a library that Verilator needs is told in a line' 2 "lz4.h $PWD/$here/no_lz4 liblz4-dev" \
            env VERILATOR_ROOT="$vroot" CXX="$PWD/$here/no_lz4" LOCKSTEP_CACHE="$here/empty" "$tool" run rf_rr
    fi
    for variable in LOCKSTEP_CACHE LOCKSTEP_ROOT VERILATOR CXX; do
        env "$variable=$evil/no" "$tool" run rf_rr --cycles 5 --output "$here/out" >"$here/text" 2>&1
        expect "no raw names: $variable" "$(cat -v "$here/text" | head -n 8 | tr '\n' '|')" sh -c "[ -s '$here/text' ] && ! grep -q '$esc' '$here/text' && ! grep -Eq '^(lockstep: pass|pass  rf_rr)$' '$here/text'"
    done
    for file in junit.xml summary.md report.html; do
        expect "no raw names: $file" "$(grep -c "$esc" "$evil/regression/$file")" sh -c "[ -s '$evil/regression/$file' ] && ! grep -q '$esc' '$evil/regression/$file'"
    done
}

# Help of every command, its examples copied into a shell, and the pages that are made of the same tables.
helps() {
    options() { grep -oE -e '--[a-z][a-z-]*' | sort -u; }
    self=$(realpath "$tool")
    mkdir "$here/copied"
    ln -s "$PWD/rtl" "$PWD/tb" "$here/copied"
    "$tool" help | sed -nE 's/^  ([a-z]+( [a-z]+)?)  .*/\1/p' >"$here/commands"
    expect 'help lists the commands' "$(cat "$here/commands")" test "$(wc -l <"$here/commands")" -ge 20
    : >"$here/pages"
    while read -r c; do
        # shellcheck disable=SC2086
        LOCKSTEP_CACHE="$here/nothing" "$self" $c --help >"$here/page" 2>"$here/stderr" </dev/null
        got=$?
        expect "$c --help" "exit $got: $(cat "$here/stderr")" test "$got $(wc -c <"$here/stderr")" = '0 0'
        cat "$here/page" >>"$here/pages"
        sed -n '/^Example/,/^Exit code/s/^  //p' "$here/page" | sed '/^[012]  /,$d' >"$here/example.sh"
        case $c in
        list | run | model | replay | shrink | waves | workload* | version | help) ;; # the others take longer
        *) continue ;;
        esac
        (cd "$here/copied" && grep -q . ../example.sh && sh ../example.sh </dev/null >../text 2>&1)
        got=$? want=$([ "$c" != shrink ] || echo 1)
        expect "... its example works when copied" "exit $got: $(cat "$here/example.sh" "$here/text")" test "$got" = "${want:-0}"
    done <"$here/commands"
    expect 'no help builds anything' "$(ls "$here/nothing" 2>&1)" test ! -e "$here/nothing"
    "$tool" help --man >"$here/man"
    sed -n '/^\.SH COMMANDS/,/^\.SH EXIT STATUS/p' docs/lockstep.1 | sed '$d' >"$here/manual"
    expect 'the manual page is what the tables say (else: make man)' "$(diff "$here/man" "$here/manual" | head -n 4)" cmp -s "$here/man" "$here/manual"
    expect '... and each part of it stands there once' "$(grep '^\.SH' docs/lockstep.1 | sort | uniq -d)" test -z "$(grep '^\.SH' docs/lockstep.1 | sort | uniq -d)"
    sed 's/\\-/-/g' docs/lockstep.1 | options >"$here/manual"
    options <"$here/pages" >"$here/helped"
    expect 'help and manual page have the same options' "$(diff "$here/helped" "$here/manual" | tr '\n' ' ')" cmp -s "$here/helped" "$here/manual"
    ! command -v groff >/dev/null || expect 'the manual page is good roff' "$(groff -man -ww -Tutf8 docs/lockstep.1 2>&1 >/dev/null | head -n 3)" \
        test -z "$(groff -man -ww -Tutf8 docs/lockstep.1 2>&1 >/dev/null)"
    "$tool" help --completion bash >"$here/completion"
    completed() { # what is completed, words of the line, the last of which is completed
        wanted=$1
        shift
        got=$(bash -c '. "$1"; shift; COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _lockstep; echo "${COMPREPLY[*]}"' - "$here/completion" "$@" 2>&1)
        expect "completion of '$*'" "it is '$got' and not '$wanted'" test "$got" = "$wanted"
    }
    completed 'replay' lockstep repl
    completed 'rf_sched_groups rf_sched_gto rf_sched_lrr rf_sched_two_level' lockstep run rf_sched_
    completed '--seed' lockstep run rf_rr --se
    completed '' lockstep run rf_rr --rtl rf_r
    completed 'build' lockstep workload b
    completed 'speed' lockstep workload s
    completed 'speed' lockstep sp
    completed '' lockstep be
    completed '--limit' lockstep workload dump --l
    completed 'synth' lockstep help sy
    # What was called otherwise in the version before is taken still, and shown nowhere.
    for of in '' 'workload '; do
        old=${of}bench now=${of}speed
        # shellcheck disable=SC2086
        expect "$old is $now" "$("$tool" $old --help 2>&1 | head -n 1)" test "$("$tool" $old --help 2>&1)" = "$("$tool" $now --help)"
        # shellcheck disable=SC2086
        expect "help $old is help $now" "$("$tool" help $old 2>&1 | head -n 1)" test "$("$tool" help $old 2>&1)" = "$("$tool" help $now)"
    done
    check 'workload bench runs' 0 - 'vecadd' workload bench vecadd
    expect 'no page shows the old words' "$(grep -n 'lockstep bench\|workload bench' "$here/pages" "$here/man")" not grep -q 'lockstep bench\|workload bench' "$here/pages" "$here/man" "$here/completion"
}

usage() {
    plain_names
    check 'an unknown command' 2 - 'fly|help' fly
    check 'run without a unit' 2 - 'run|unit|list' run
    check 'an unknown unit' 2 - 'rf_nothing|list' run rf_nothing
    check 'a group in place of a unit' 2 - 'common rf_fifo_ctrl rf_lfsr rf_rr' run common
    check 'a kernel that is misspelled' 2 - 'saxpi saxpy' workload build saxpi -o "$here/x.rfs"
    check '... to be measured' 2 - 'saxpi saxpy' workload speed saxpi
    check 'a plan by its name' 2 - 'nightly tb/plans/nightly.plan' regress nightly
    check 'a plan that is none' 2 - 'xyz.plan: No such file' regress xyz.plan
    check 'a side that is misspelled' 2 - '--side rt rtl' mutants rf_rr --side rt
    check 'an input that is misspelled' 2 - '--fix reqq=1 req=1' explore rf_rr --fix reqq=1
    check 'a target that is misspelled' 2 - '--to svbind sv-bind' export rf_rr --to svbind -o "$here/x"
    check 'a file in place of a unit' 2 - 'tb/common/rf_rr.fields rf_rr' run tb/common/rf_rr.fields
    check 'a record that cannot be written' 2 - "$here/nowhere/r.jsonl: No such file" model rf_rr --record "$here/nowhere/r.jsonl"
    check 'an unknown option' 2 - '--fast|help' run rf_rr --fast
    check 'a parameter out of range' 2 - 'N rf_rr 65 1 64' run rf_rr --param N=65
    check 'an unknown parameter' 2 - 'rf_rr M N' run rf_rr --param M=1
    check 'parameters that do not go together' 2 build 'rf_arbiter|COLLECTORS SLOTS 64' run rf_arbiter --param COLLECTORS=16 --param SLOTS=8
    check 'the tried parameters are named' 2 build 'BANKS=8 COLLECTORS=16 SLOTS=8' run rf_arbiter --param COLLECTORS=16 --param SLOTS=8
    check 'a unit behind --rtl' 2 - 'rf_rr --rtl' run --rtl "$rr" rf_rr
    check 'a bad seed' 2 - '--seed 0x1 hexadecimal' run rf_rr --seed 0x1
    check 'bad cycles' 2 - '--cycles 1e6' run rf_rr --cycles 1e6
    check 'a missing value' 2 - '--seed value' run rf_rr --seed
    check 'replay without a file' 2 - 'replay|case' replay
    check 'a case that is missing' 2 - 'nowhere.case: No such file' replay "$here/nowhere.case"
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\ncycle req=zz\nend 1\n' >"$here/odd.case"
    check 'a case with a bad value' 2 - 'odd.case:6 req zz hexadecimal 8' replay "$here/odd.case"
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\ncycle \033[31m=1\nend 1\n' >"$here/odd.case"
    check 'a case with control characters' 2 - 'odd.case:6 \x1b index' replay "$here/odd.case"
    check 'help' 0 - 'lockstep COMMAND|0 1 2' help
    expect 'no line of help is there twice' "$(sort "$here/text" | uniq -d | grep .)" test -z "$(sort "$here/text" | uniq -d | grep .)"
    helps
    check 'version' 0 - 'lockstep|Verilator' version
    env LANGUAGE=xx LC_ALL=xx_YY.UTF-8 "$tool" version >"$here/abroad" 2>&1
    expect 'version in a locale that is not installed' "$(head -n 3 "$here/abroad" | tr '\n' ' ')" cmp -s "$here/abroad" "$here/text"
    cp $rr "$here/größe.sv"
    mkdir "$here/räu,me"
    "$tool" run rf_rr --quiet # the runtime is there
    ln -s "$(realpath "${LOCKSTEP_CACHE:-build/dut}")"/verilator-* "$here/räu,me"
    demand 'a build in a locale that is not installed' 0 'pass rf_rr' env LC_ALL=xx_YY.UTF-8 LOCKSTEP_CACHE="$here/räu,me" "$tool" run rf_rr --rtl "$here/größe.sv" --output "$here/out"
    printf 'module rf_rr(;\n' >"$here/größe.sv"
    demand 'and what Verilator says of a file there' 2 'größe.sv:1:|syntax error' env LC_ALL=xx_YY.UTF-8 "$tool" run rf_rr --rtl "$here/größe.sv" --output "$here/out"
    check 'list' 0 - 'rf_rr|rf_banked|(1 to 64)' list
    exec 3>&1
    unprinted() { # name, exit code, command…, with a stdout that takes nothing: it must say so
        name=$1 code=$2
        shift 2
        "$@" 2>"$here/text"
        got=$?
        if [ $got -ne "$code" ]; then bad "$name" "exit $got and not $code: $(head -n 3 "$here/text")"
        elif ! says "$here/text" stdout:; then bad "$name" "it says: $(head -n 3 "$here/text")"
        else ok "$name"
        fi >&3
    }
    unprinted 'no stdout' 2 "$tool" list >&-
    unprinted 'no stdout for a run that passes' 2 "$tool" run rf_rr --cycles 2000 >&-
    unprinted 'no stdout for a vacuous run' 1 "$tool" run rf_rr --cycles 5 >&-
    if mknod "$here/full" c 1 7 2>/dev/null && ! { echo x >"$here/full"; } 2>/dev/null; then # root; a disk without space, its own node
        unprinted 'a full disk behind stdout' 2 "$tool" list >"$here/full"
        unprinted 'a full disk behind stdout, flushed on the way' 2 "$tool" workload speed vecadd >"$here/full"
    fi
    rm -f "$here/full"
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\nreset\ncycle req=3 take=1\nend 2\n' >"$here/good.case"
    check 'a library for the replay of a case of RTL' 2 - 'good.case replay --lib --netlist' replay "$here/good.case" --lib "$here/x"
    check '... and for its shrinking' 2 - 'good.case shrink --lib --netlist' shrink "$here/good.case" --lib "$here/x"
    for c in replay shrink; do
        sed 's/^reset/x 1\nreset/' "$here/good.case" >"$here/x.case"
        check "$c: a netlist for a case of an X" 2 - 'x.case 1 X netlist' $c "$here/x.case" --netlist
    done
    for name in '' 2=3 'A B' =1; do
        check "--define '$name'" 2 - "--define \"$name\": NAME NAME=VALUE" run rf_rr --define "$name"
    done
    for c in run 'run --netlist' waves energy; do
        # shellcheck disable=SC2086
        demand "$c: a workload that is missing" 2 'nowhere.traceg: No such file' env LOCKSTEP_CACHE="$here/nothing" "$tool" $c rf_banked --workload "$here/nowhere.traceg"
        expect "$c: ... is told before anything is built" "$(find "$here/nothing" 2>&1 | head -n 3 | tr '\n' ' ')" test ! -e "$here/nothing"
    done
    check 'a workload for a unit' 2 usage 'usage rf_rr|workload' run rf_rr --workload "$here/x"
    small='rf_banked --param WARPS=2 --param COLLECTORS=1 --param BANKS=1 --param REGS=4 --param LANES=1 --param SLOTS=1 --param EXPORTS=1'
    # shellcheck disable=SC2086
    workload() { check "$1" 2 usage "$2" run $small --workload "$3"; }
    workload 'a workload that is missing' 'nowhere.traceg: No such file' "$here/nowhere.traceg"
    printf 'this is not xz' >"$here/odd.traceg.xz"
    workload 'a workload that is no xz' 'odd.traceg.xz' "$here/odd.traceg.xz"
    head='-kernel name = k\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 4\n-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x0\n-local mem base_addr = 0x0\n-nvbit version = 1.5\n-accelsim tracer version = 3\n\n'
    printf '%b' "$head"'#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n0000 ffffffff 1 R1 IADD3 1 R2 0\n0010 ffffffff one R1 IADD3 1 R2 0\n#END_TB\n' >"$here/line.traceg"
    mkfifo "$here/fifo"
    workload 'a workload that is a FIFO' 'fifo: regular' "$here/fifo"
    rm "$here/fifo"
    printf '%b' "$head"'#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n0000 ffffffff 1 R1 WHAT 1 R2 0\n0010 ffffffff 0 EXIT 0 0\n#END_TB\n' >"$here/what.traceg"
    # shellcheck disable=SC2086
    demand 'unknown opcodes' 0 'opcodes 1 WHAT' "$tool" run $small --workload "$here/what.traceg" --output "$here/out"
    # shellcheck disable=SC2086
    demand 'the same in the record' 0 '"drained":true,"unknown_opcodes":1,' "$tool" run $small --workload "$here/what.traceg" --output "$here/out" --json
    workload 'a malformed line' "line.traceg:$(grep -n ' one ' "$here/line.traceg" | cut -d: -f1)" "$here/line.traceg"
    printf '%b' "$head"'#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 2\n0000 ffffffff 1 R1 IADD3 1 R2 0\n' >"$here/cut.traceg"
    workload 'a workload that is cut off' 'cut.traceg:' "$here/cut.traceg"
    : >"$here/empty.traceg"
    workload 'an empty workload' 'empty.traceg' "$here/empty.traceg"
    if command -v xz >/dev/null; then
        xz -9 -c "$here/line.traceg" | head -c 200 >"$here/half.traceg.xz"
        workload 'a cut xz' 'half.traceg.xz' "$here/half.traceg.xz"
    fi
    mkdir -p "$here/list"
    echo 'kernel-9.traceg' >"$here/list/kernelslist.g"
    workload 'a list that names a missing file' 'kernel-9.traceg' "$here/list/kernelslist.g"
}

json() {
    valid() { # name, exit code, command…
        name=$1 code=$2
        shift 2
        "$@" >"$here/stdout" 2>"$here/stderr"
        got=$?
        if [ $got -ne "$code" ]; then bad "$name" "exit $got: $(head -n 2 "$here/stderr")"
        elif ! "$work/record_of" <"$here/stdout" 2>"$here/why"; then bad "$name" "$(cat "$here/why")"
        else ok "$name"
        fi
    }
    valid 'list' 0 "$tool" list --json
    expect 'list names every unit' "$("$tool" list --json | wc -l) lines" test "$("$tool" list --json | wc -l)" -eq "$(find tb -name 'rf_*.fields' | wc -l)"
    valid 'version' 0 "$tool" version --json
    valid 'run' 0 "$tool" run rf_rr --json
    valid 'a vacuous run' 1 "$tool" run rf_rr --cycles 5 --json
    vary $rr "$here/taken.sv" -e "s/(take_i \&\& valid_o)/(valid_o)/"
    valid 'a mismatch, with a quote in the name of the folder' 1 "$tool" run rf_rr --rtl "$here/taken.sv" --json --no-shrink --output "$here/a\"b"
    valid 'and its shrunk case' 1 "$tool" shrink "$here/a\"b/failure.case" --rtl "$here/taken.sv" --json
    valid 'a build that fails' 2 "$tool" run rf_rr --rtl "$here/\"nowhere\".sv" --json
    valid 'faults' 0 "$tool" faults rf_rr --json
    valid 'speed' 0 "$tool" speed rf_rr --json
    overhead=$("$work/record_of" overhead <"$here/stdout")
    expect '... its overhead is called tax too' "$(cat "$here/stdout")" grep -q "\"overhead\":$overhead,\"tax\":$overhead," "$here/stdout"
    # Which files were compared, each by its digest, and the modules of the design that are in it: none in an include, one at two parameter sets once.
    sha() { sha256sum <"$1" | cut -c 1-64; }
    mkdir "$here/own"
    vary $rr "$here/own/rf_rr.sv" -e 's/^module rf_rr/`include "words.svh"\nmodule rf_rr/' -e 's/^endmodule/  rf_leaf #(1) a ();\n  rf_leaf #(2) b ();\nendmodule\nmodule rf_leaf #(parameter W = 1) ();\nendmodule/'
    echo '// words' >"$here/own/words.svh"
    "$tool" run rf_rr --rtl "$here/own/rf_rr.sv" --json >"$here/text" 2>&1
    for file in rf_rr.sv:'"rf_rr","rf_leaf"' words.svh:; do
        path=$PWD/$here/own/${file%%:*}
        expect "the record of a run has ${file%%:*}" "$(cat "$here/text")" says "$here/text" "{\"file\":\"$path\",\"sha256\":\"$(sha "$path")\",\"modules\":[${file#*:}]}"
    done
    rm -f "$here/records"
    for n in 1 2 3 4 5 6; do "$tool" run rf_rr --seed $n --quiet --record "$here/records" & done
    wait
    expect 'jobs append whole lines to one file' "$(wc -l <"$here/records") lines" sh -c "'$work/record_of' <'$here/records' && test \$(wc -l <'$here/records') -eq 6"
    "$tool" run rf_rr --record /nowhere/r >/dev/null 2>"$here/text"
    expect 'a record that cannot be written' "exit $?" says "$here/text" '/nowhere/r'
    demand '... at the end' 2 'pass rf_rr|/dev/full: No space left' "$tool" run rf_rr --record /dev/full
    demand '... of a finding, which stays one' 1 'mismatch rf_rr|/dev/full: No space left' "$tool" run rf_rr --rtl "$here/taken.sv" --no-shrink --record /dev/full --output "$here/out"
}

folders() {
    vary $rr "$here/taken.sv" -e "s/(take_i \&\& valid_o)/(valid_o)/"
    root=$PWD
    (cd "$here" && "$root/$tool" run rf_rr --rtl taken.sv --seed 5 --no-shrink >1 2>&1; "$root/$tool" waves rf_rr --rtl taken.sv --seed 5 --cycles 1 >2 2>&1)
    expect 'waves of cycles that pass leave the case of the run that failed' "$(cat "$here/1" "$here/2"; find "$here/build/runs")" \
        sh -c "ls '$here'/build/runs/rf_rr-????????/failure.case >/dev/null && ls '$here'/build/runs/rf_rr-????????-waves/failure.case >/dev/null"
    mkdir "$here/beside" "$here/other"
    sed -e 's/take_i && valid_o/take_i `AND valid_o/' -e '/^`default_nettype none/a `include "and.svh"' $rr >"$here/beside/rf_rr.sv"
    echo '`define AND &&' >"$here/beside/and.svh"
    (cd "$here/other" && "$root/$tool" run rf_rr --rtl ../beside/rf_rr.sv) >"$here/text" 2>&1
    expect 'an include beside the file' "$(head -n 3 "$here/text")" says "$here/text" 'pass rf_rr'
    echo '`define AND ||' >"$here/other/and.svh"
    (cd "$here/other" && "$root/$tool" run rf_rr --rtl ../beside/rf_rr.sv --no-shrink) >"$here/text" 2>&1
    expect '... and one that comes to lie in the current folder, where Verilator looks first' "$(head -n 3 "$here/text")" says "$here/text" 'mismatch'
}

# run --all-sets: each set once, whatever becomes of the others; a finding at one is the result.
sets() {
    count=$("$tool" list rf_rr --all-sets | wc -l)
    all() { (cd "$here" && LOCKSTEP_CACHE="${LOCKSTEP_CACHE:-$root/build/dut}" "$root/$tool" run rf_rr --all-sets --cycles 20k "$@" --record record); }
    statuses() { grep -o '"status":"[a-z]*"' "$here/record" | sort | uniq -c | tr -s ' \n' ' ' | sed 's/^ //; s/"status"://g'; }
    root=$PWD
    demand 'all sets' 0 "rf_rr: $count $count" all
    expect '... are those of the list' "$(statuses)" test "$(statuses)" = "$count \"pass\" "
    expect '... each once' "$(grep -o '"params":{[^}]*}' "$here/record")" test "$(grep -o '"params":{[^}]*}' "$here/record" | sort -u | wc -l)" -eq "$count"
    # With one requester the pointer is the same whoever moves it, so one set passes; one that cannot be built hides no finding.
    vary $rr "$here/taken.sv" -e "s/(take_i \&\& valid_o)/(valid_o)/" -e 's/^  if (N < 1/  if (N > 63) rf_nowhere u_nowhere ();\n&/'
    rm "$here/record"
    demand 'a finding at some of them' 1 "rf_rr: 1 $count" all --rtl taken.sv --no-shrink
    expect '... and the others ran' "$(statuses)" test "$(statuses)" = "1 \"build\" $((count - 2)) \"mismatch\" 1 \"pass\" "
    expect '... each mismatch with its case' "$(find "$here/build" -name '*.case')" test "$(find "$here/build" -name failure.case | wc -l)" -eq $((count - 2))
    vary $rr "$here/small.sv" -e 's/^  if (N < 1/  if (N > 63) rf_nowhere u_nowhere ();\n&/'
    demand 'a set that cannot be built' 2 "rf_rr: $((count - 1)) $count" all --rtl small.sv
    all --json >"$here/text" 2>&1
    expect 'as JSON, a line a set and no other' "$(cut -c 1-40 "$here/text")" test "$(grep -c '^{"unit":"rf_rr"' "$here/text") $(wc -l <"$here/text")" = "$count $count"
    check 'run of other RTL names the option' 0 pass "--all-sets $count rf_rr" run rf_rr --rtl $rr
}

# A line about what is waited for, on a terminal: script(1) is one. A Verilator that takes its time: RTL that was elaborated is not elaborated again.
progress() {
    printf '#!/bin/sh\ncase $* in *-only*) sleep 3 ;; esac\nexec %s "$@"\n' "${VERILATOR:-verilator}" >"$here/slow"
    chmod +x "$here/slow"
    turn=0
    on_terminal() { # name, TERM, arguments as the shell takes them
        turn=$((turn + 1))
        { cat $rr && echo "// $here $$ $turn"; } >"$here/$turn.sv"
        rm -f "$here/seen"
        TERM=$2 NO_COLOR=1 VERILATOR=$here/slow script -qefc "'$tool' $3" "$here/seen" </dev/null >/dev/null
        expect "$1" "$(cat -v "$here/seen")" grep -q 'pass' "$here/seen"
    }
    held() { grep -q "$(printf "$1")" "$here/seen"; }
    here=$PWD/$here
    on_terminal 'an elaboration of three seconds' xterm "run rf_rr --rtl '$here/1.sv' --cycles 2k"
    expect '... has a line with its seconds, erased before what follows' "$(cat -v "$here/seen")" held '\r\033\\[Klockstep: rf_rr: [^\r]*, [2-9] s\r\033\\[Kpass  rf_rr'
    on_terminal '... on a terminal that cannot erase' dumb "run rf_rr --rtl '$here/2.sv' --cycles 2k"
    expect '... has none' "$(cat -v "$here/seen")" not grep -q 'lockstep: rf_rr:' "$here/seen"
    on_terminal '... with --brief' xterm "run rf_rr --rtl '$here/3.sv' --cycles 2k --brief"
    expect '... has none' "$(cat -v "$here/seen")" not grep -q 'lockstep: rf_rr:' "$here/seen"
    on_terminal '... with stderr in a file' xterm "run rf_rr --rtl '$here/4.sv' --cycles 2k 2>'$here/stderr'"
    expect '... has none' "$(cat -v "$here/seen" "$here/stderr")" sh -c "! cat '$here/seen' '$here/stderr' | grep -q 'lockstep: rf_rr:'"
    on_terminal 'cycles are' xterm 'run rf_rr --cycles 10M'
    expect '... in a line' "$(cat -v "$here/seen")" held '\r\033\\[Klockstep: rf_rr: .* M cycles .*\r\033\\[Kpass  rf_rr'
}

# Names of folders and files: every one works or is refused in one line, before anything is built.
names() {
    root=$PWD
    runtime=$(realpath "${LOCKSTEP_CACHE:-build/dut}")
    "$tool" run rf_rr --quiet # the runtime is there
    vary $rr "$here/taken.sv" -e "s/(take_i \&\& valid_o)/(valid_o)/"
    name_of() { case $1 in *' '*) echo blank ;; *'$'*) echo '$' ;; *'"'*) echo quote ;; *\\*) ! newer 5044 || echo backslash ;; *) echo ;; esac }
    refuses() { [ "$got $(grep -c Verilator "$here/text")" = '2 1' ] && says "$here/text" "$1 Verilator $2"; } # path, what is wrong with it
    for n in 'a b' 'a"b' 'a$b' 'a$(HOME)' 'a${' "it's#a:b" 'a,b%sdés' '-x*a\b'; do
        tree=$root/$here/$n
        mkdir -p "$tree/build/dut" "$tree/tb"
        cp -r rtl harness "$tree"
        cp "$here/taken.sv" "$tree/mine.sv"
        cp "$tool" "$tree/build/lockstep"
        ln -s "$runtime"/verilator-* "$tree/build/dut"
        sign=$(name_of "$n")
        for run in 'run rf_rr' 'run rf_rr --rtl mine.sv'; do
            # shellcheck disable=SC2086 # words
            (cd "$tree" && LOCKSTEP_ROOT='' && unset LOCKSTEP_ROOT LOCKSTEP_CACHE && build/lockstep $run --output "o $n" --cycles 20000) >"$here/text" 2>&1
            got=$?
            if [ -n "$sign" ]; then
                expect "$n: $run is refused" "exit $got: $(cat "$here/text")" refuses "$n" "$sign"
                expect '... before anything is built' "$(ls "$tree/build/dut")" test -z "$(ls "$tree/build/dut" | grep -vE '^(verilator-.*|tools\.stamp)$')"
            elif [ "$run" = 'run rf_rr' ]; then
                expect "$n: $run" "$(cat "$here/text")" test $got -eq 0
            else
                expect "$n: $run" "$(cat "$here/text")" says "$here/text" "mismatch rf_rr|=o $n/shrunk.case|=$tree/o $n/failure.gtkw"
            fi
        done
        case $n in *'"'* | *'$'*)
            mkdir -p "$here/cache/$n"
            demand "a cache: $n" 2 "$n Verilator $sign" env LOCKSTEP_CACHE="$here/cache/$n" "$tool" run rf_rr
            expect '... before anything is built' "$(ls "$here/cache/$n")" test -z "$(ls "$here/cache/$n" | grep -vx tools.stamp)" ;;
        esac
    done
}
