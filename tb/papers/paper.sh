#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# paper.sh NAME [--again | --small]: repeats a paper's evaluation on a C model: every kernel (large inputs) and every real trace in $TRACES
# through the configurations of tb/papers/NAME, what checks them, then docs/papers/NAME.md and its plots, written anew
# (tb/papers/README.md). Streams and the records stay in build/paper-NAME/, and a second time only what is new runs. --again writes the
# page from those that are there; --small runs three kernels on small inputs and leaves the page in build/paper-NAME-small/page. A page of
# units has figures of synthesis and storage in place of runs, and no small version.
# Ends with "N passed, N failed"; the page stays as it is when a run failed.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
tool=${LOCKSTEP:-build/lockstep}
jobs=${JOBS:-1}
traces=${TRACES-../shared/traces}
paper=${1:-}
again=false kernels='' build='' large=--large suffix=''
case $#${2:-} in
1) ;;
2--again) again=true ;;
2--small) kernels='gemm haar hash64' large='' suffix=-small traces='' TRACES='' ;;
*) echo "paper.sh NAME [--again | --small]; JOBS and TRACES come from the environment"; exit 2 ;;
esac
from=tb/papers/$paper
[ -f "$from/runs.sh" ] || { echo "no paper $paper: there is no $from/runs.sh"; exit 2; }
[ -x "$tool" ] && [ -x build/paper ] || { echo "$tool or build/paper is not there: make paper-$paper"; exit 2; }
case $jobs in
'' | *[!0-9]* | 0) echo "JOBS=$jobs: a number from 1"; exit 2 ;;
esac
work=build/paper-$paper$suffix
page=$work/page/page.md
begin=$(date +%s)
at_most() { [ "$2" -le "$1" ] && echo "$2" || echo "$1"; }

# Kernels that no paper's means contain: what a paper leaves open is chosen on them. Runs of before had looked at the first four; no suite
# of the papers has the others.
apart='saxpy vecadd sgemm mandelbrot ddot strsearch hash64 spmv_scalar'

# What the paper has:
#   model, constants          the model; NAME=MACRO of cmodel/energy/rf_energy.h or the environment of the stages or of a machine
#   build                     options of `lockstep workload build` for the kernels, without --, with + between them
#   stats                     yes: what build/workload_stats says of a workload becomes its columns stat_NAME
#   limit                     yes: what `build/workload_stats limit` says of a kernel becomes its columns limit_NAME
#   compared                  configurations whose kernels run in lockstep with the RTL, too, small inputs: table compared; compared_with:
#                             parameters of these runs in place of their own; compared_small: of the one such run of --small
#   faults                    units all of whose planted faults must be caught: table fault
#   judge                     a test (tb/*/judge) that ends with a record: table judged; judge_small: its argument with --small
#   configs                   lines of: name, configuration that it is compared with, workloads (all, kernel: of the mean, apart, or kernels:
#                             both), then words: parameters NAME=VALUE, options --NAME=VALUE of `lockstep model`, build:OPTIONS in place
#                             of $build, machine:KEY=VALUE in place of the line of the machine description, machine:memory for none of
#                             its memory side
#   parameters REGISTERS CONFIG   the parameters of every run of a workload whose warps need so many registers; those of the line win
# A page of units has an empty model, constants, and, in place of all others:
#   figures                   lines of: synth or storage, name, unit, parameters NAME=VALUE
# shellcheck source=/dev/null
. "$from/runs.sh"
[ -n "$model" ] || [ -z "$suffix" ] || { echo "$paper is of units: it has no small version"; exit 2; }

# One word as xargs reads it: what it could take for a blank or a quote has a backslash before it.
word() { printf '%s\n' "$1" | sed 's|[^A-Za-z0-9_./=-]|\\&|g'; }

# Records in a line each, with more members at the beginning: lines of "FILE MEMBERS" on stdin.
records() {
    while read -r file members; do [ ! -s "$file" ] || sed "1s|^{|{$members,|" "$file"; done
}

# A kernel's stream that is built with these options.
stream() { echo "$work/streams/$1${2:+-$(echo "$2" | tr + -)}.rfs"; }

find_workloads() { # a line each: number, kind (kernel, apart or trace), name, path
    "$tool" workload list | awk -v only="$kernels" 'only == "" || index(" " only " ", " " $1 " ") { print $1 }' >"$work/kernels"
    [ -s "$work/kernels" ] || { echo "$tool workload list: no kernel"; exit 2; }
    {
        while read -r kernel; do
            case " $apart " in *" $kernel "*) kind=apart ;; *) kind=kernel ;; esac
            echo "$kind $kernel $(stream "$kernel" "$build")"
        done <"$work/kernels"
        for path in "$traces"/accel-sim/*/kernelslist.g "$traces"/ventus/*.log.xz; do
            [ -f "$path" ] || continue
            trace=$(basename "$path" .log.xz)
            [ "$trace" != kernelslist.g ] || trace=$(basename "$(dirname "$path")")
            printf 'trace %s %s\n' "$(printf '%s\n' "$trace" | sed 's|[^A-Za-z0-9_.-]|_|g')" "$path"
        done
    } | awk '{ print NR, $0 }' >"$work/workloads"
    grep -q '^[0-9]* trace' "$work/workloads" || [ -n "$suffix" ] && return
    echo "no traces in \"$traces\": there is no accel-sim/<name>/kernelslist.g and no ventus/<name>.log.xz in it"
    [ -z "${TRACES:-}" ] || exit 2 # asked for
    echo "the page will be without them (docs/workloads.md says where traces come from)"
}

# The options of `lockstep workload build` that a way of building stands for.
options_of() { echo "$1" | sed -E 's/(^|[+])([a-z0-9-]+)=?/ --\2 /g'; }

# The kernels' streams, one for each way of building, unless they are newer than the tool.
build_streams() {
    { echo "$build"; tr ' ' '\n' <"$work/configs" | sed -n 's/^build://p'; } | sort -u | while read -r how; do
        options=$(options_of "$how")
        while read -r kernel; do
            stream=$(stream "$kernel" "$how")
            [ "$stream" -nt "$tool" ] || echo "$kernel $large $options -o $stream"
        done <"$work/kernels"
    done >"$work/new"
    xargs -r -P "$jobs" -L 1 "$tool" workload build --json <"$work/new" >/dev/null || { echo 'a kernel of ours has no stream'; exit 2; }
}

# What each workload is like.
read_workloads() {
    while read -r number kind name path; do printf '%s %s %s %s\n' "$number" "$(word "$path")" "$kind" "$name"; done <"$work/workloads" |
        xargs -P "$jobs" -L 1 sh -c "{ $tool workload info \"\$1\" --json >$work/info/\$0.json &&
            { [ -z '${stats:-}' ] || build/workload_stats stats \"\$1\" >$work/info/\$0.stats; } &&
            { [ -z '${limit:-}' ] || [ \$2 = trace ] ||
                build/workload_stats limit \$3 $large $(options_of "$build") >$work/info/\$0.limit; }; } 2>$work/info/\$0.log ||
            echo \"FAIL \$1: \$(tail -n 1 $work/info/\$0.log)\"; :"
    while read -r number kind name _; do
        members="\"w\":$number,\"set\":\"$kind\",\"name\":\"$name\"${stats:+,\"stats\":$(cat "$work/info/$number.stats")}"
        [ -z "${limit:-}" ] || [ "$kind" = trace ] || members="$members,\"limit\":$(cat "$work/info/$number.limit")"
        echo "$work/info/$number.json $members"
    done <"$work/workloads" | records >"$work/workloads.jsonl"
}

# The machine description of a configuration: a shipped one, or a copy of it in which lines are changed.
machine() { # name, configuration, KEY=VALUE or "memory"...
    shipped=$1 changed=$work/machines/$2.machine
    shift 2
    [ $# -gt 0 ] || { echo "$shipped"; return; }
    echo "$changed"
    [ ! -f "$changed" ] || return
    cp "tb/machines/$shipped.machine" "$changed" || exit 2
    for change in "$@"; do
        case $change in
        memory) sed -i -E '/^(lsu|shared|constant|texture|l1|link|l2|dram)\./d' "$changed" ;;
        *)
            sed -i "/^${change%%=*} =/d" "$changed"
            echo "${change%%=*} = ${change#*=}" >>"$changed"
            ;;
        esac
    done
}

highest_register() { sed -n 's/.*"highest_register":\([0-9]*\).*/\1/p' | grep . || echo 0; }

# The highest register of a kernel's stream that is built in another way.
registers() {
    info=$work/info/$(basename "$1").json
    [ -f "$info" ] || "$tool" workload info "$1" --json >"$info" || return 2
    highest_register <"$info"
}

# Arguments, and parameters NAME=VALUE in place of those of the same name there.
replaced() {
    words=$1
    shift
    for p; do words="$(echo "$words" | sed "s/ --param ${p%%=*}=[^ ]*//") --param $p"; done
    echo "$words"
}

# A line of $work/list for each run: its name (the workload's number, "-", the configuration) and arguments of `lockstep model`.
list_runs() {
    : >"$work/compared"
    while read -r number kind name path; do
        registers=$(highest_register <"$work/info/$number.json")
        while read -r config _ set more; do
            case $set,$kind in all,* | kernels,kernel | kernels,apart | kernel,kernel | apart,apart) ;; *) continue ;; esac
            stream=$path how=$build needs=$registers arguments='' machine='' changes=''
            case "$kind $more" in
            trace*) ;;
            *" build:"*)
                how=$(echo "$more" | sed 's/.*build://; s/ .*//')
                stream=$(stream "$name" "$how")
                needs=$(registers "$stream") || exit 2
                ;;
            esac
            for p in $more $(parameters $((needs + 1)) "$config"); do
                case $p in
                build:*) ;;
                machine:*) changes="$changes ${p#machine:}" ;;
                --machine=*) machine=${p#*=} ;;
                --*) arguments="$arguments ${p%%=*} ${p#*=}" ;;
                *) case $arguments in *" --param ${p%%=*}="*) ;; *) arguments="$arguments --param $p" ;; esac ;;
                esac
            done
            # shellcheck disable=SC2086 # changes are words
            case $machine,$changes in ,*[!\ ]*) echo "$config changes a machine and has none" >&2; exit 2 ;; esac
            [ -z "$machine" ] || arguments=" --machine $(machine "$machine" "$config" $changes)$arguments"
            echo "$number-$config --workload $(word "$stream")$arguments"
            case " ${compared:-} ,$kind" in *" $config "*,kernel | *" $config "*,apart)
                # shellcheck disable=SC2086 # parameters are words
                echo "$number-$config $name $how$(replaced "$arguments" ${compared_with:-})" >>"$work/compared"
                ;;
            esac
        done <"$work/configs"
    done <"$work/workloads" >"$work/list"
}

# Runs all but those that stand: with the arguments and the machine of before, passed, and with a record newer than the tool and what it ships.
run() {
    newest=$(find "$tool" tb/machines -type f -printf '%T@ %p\n' | sort -n | sed -n '$s/^[^ ]* //p')
    find "$work/runs" -name '*.json' -newer "$newest" -exec grep -l '"status":"pass".*}$' {} + | sed 's|.*/||; s|\.json$||' >"$work/before/passed"
    for machine in "$work"/machines/*.machine; do
        [ -f "$machine" ] || continue # none is changed
        config=$(basename "$machine" .machine)
        cmp -s "$machine" "$work/before/machines/$config.machine" || sed -i "/^[0-9]*-$config\$/d" "$work/before/passed"
    done
    awk 'FILENAME ~ /passed$/ { passed[$1]; next } FILENAME ~ /before/ { before[$0]; next } !($1 in passed && $0 in before)' \
        "$work/before/passed" "$work/before/list" "$work/list" >"$work/before/to-run"
    echo "$(wc -l <"$work/workloads") workloads, $(wc -l <"$work/list") runs of the C model," \
        "$(wc -l <"$work/before/to-run") of them new, $jobs at a time"
    xargs -r -P "$jobs" -L 1 sh -c "$tool model $model --json \"\$@\" >$work/runs/\$0.json 2>$work/runs/\$0.log ||
        echo \"FAIL \$0 \$*: \$(cat $work/runs/\$0.log $work/runs/\$0.json | tail -n 1 | sed 's|.*\\\"message\\\":||')\"; :" <"$work/before/to-run"
    while read -r name _; do echo "$work/runs/$name.json \"run\":\"$name\""; done <"$work/list" | records >"$work/runs.jsonl"
}

# What checks the runs: $work/checks has a line for each, $work/*.jsonl their records.
compare() {
    # shellcheck disable=SC2086 # parameters are words
    [ -z "$suffix" ] || [ ! -s "$work/compared" ] || { one=$(head -n 1 "$work/compared") && replaced "$one" ${compared_small:-} >"$work/compared"; }
    while read -r run name how arguments; do
        stream=$work/compared-runs/$(basename "$(stream "$name" "$how")")
        echo "$name $(options_of "$how") -o $stream" >&3
        echo "$run --workload $stream $arguments"
    done <"$work/compared" >"$work/checks" 3>"$work/new"
    sort -u "$work/new" | xargs -r -P "$jobs" -L 1 "$tool" workload build --json >/dev/null || { echo 'a kernel of ours has no stream'; exit 2; }
    xargs -r -P "$jobs" -L 1 sh -c "$tool run $model --json -o $work/compared-runs/\$0 \"\$@\" >$work/compared-runs/\$0.json 2>&1 ||
        echo \"FAIL lockstep \$0 \$*: \$(tail -n 1 $work/compared-runs/\$0.json | sed 's|.*\\\"message\\\":||')\"; :" <"$work/checks"
    while read -r name _; do echo "$work/compared-runs/$name.json \"run\":\"$name\""; done <"$work/checks" | records >"$work/compared.jsonl"
}

check() {
    compare
    for unit in ${faults:-}; do
        "$tool" faults "$unit" --jobs "$jobs" ${suffix:+--sample 1} --record "$work/faults.jsonl" >"$work/faults.log" 2>&1 ||
            { echo "FAIL faults of $unit:"; grep -v '^caught' "$work/faults.log"; }
        echo "$unit" >>"$work/checks"
        [ -z "$suffix" ] || break
    done
    for test in ${judge:-}; do
        make -s -j"$jobs" "build/san/tests/$test" >"$work/judge.log" 2>&1 &&
            "build/san/tests/$test" ${suffix:+"${judge_small:-}"} >"$work/judge.log" 2>&1 || echo "FAIL $test: $(grep -v '^\[ *\(RUN\|OK\)' "$work/judge.log" | tail -n 5)"
        grep '^{' "$work/judge.log" >>"$work/judged.jsonl"
        echo "$test" >>"$work/checks"
    done
}

# A page of units: what synthesis and storage say of each line of `figures`. A synthesis outside its gates, status 1, has figures all the same.
read_units() {
    synth() { echo "synth $*"; }
    storage() { echo "storage $*"; }
    figures >"$work/list"
    echo "$(wc -l <"$work/list") figures of units, $jobs at a time"
    awk -v tool="$tool" '{ printf "%s-%s %s %s --json", $1, $2, ($1 == "synth" ? tool " synth" : "synth_scripts/storage.sh"), $3
        for (i = 4; i <= NF; i++) printf " %s%s", ($1 == "synth" ? "--param " : ""), $i
        print "" }' "$work/list" |
        xargs -P "$jobs" -L 1 sh -c "\"\$@\" >$work/runs/\$0.json 2>$work/runs/\$0.log; [ \$? -le 1 ] && [ -s $work/runs/\$0.json ] ||
            { rm -f $work/runs/\$0.json; echo \"FAIL \$0: \$*: \$(tail -n 1 $work/runs/\$0.log)\"; }; :"
    while read -r kind name what; do
        echo "$work/runs/$kind-$name.json \"figure\":\"$name\",\"what\":\"$what\"" | records >>"$work/$kind.jsonl"
    done <"$work/list"
    awk '!/^#/ { printf "{\"ports\":\"%s\",\"rows\":%d,\"bits\":%d,\"node\":%d,\"um2\":%d}\n", $1, $2, $3, $4, $9 }' synth_scripts/sram.table \
        >"$work/macros.jsonl"
}

mkdir -p "$work" docs/papers && rm -rf "$work/page" && mkdir "$work/page" || exit 2
[ -z "$model" ] || configs >"$work/configs"
if ! $again; then
    rm -rf "$work/before" "$work/info" "$work/compared-runs" "$work"/*.jsonl
    mkdir -p "$work/before/machines" && { [ ! -d "$work/machines" ] || mv "$work/machines" "$work/before/"; } &&
        { [ ! -f "$work/list" ] || mv "$work/list" "$work/before/"; } && touch "$work/before/list" || exit 2
    mkdir -p "$work/streams" "$work/runs" "$work/info" "$work/machines" "$work/compared-runs" || exit 2
    if [ -z "$model" ]; then read_units
    else
        find_workloads
        build_streams
        read_workloads
        list_runs
        run
        check
    fi
fi
if [ -z "$model" ]; then
    [ -f "$work/macros.jsonl" ] || { echo "no figures in $work"; exit 2; }
    total=$(wc -l <"$work/list")
    passed=$(cat "$work/synth.jsonl" "$work/storage.jsonl" | wc -l)
else
    [ -f "$work/runs.jsonl" ] || { echo "no runs in $work"; exit 2; }
    total=$(cat "$work/list" "$work/checks" | wc -l)
    passed=$(cat "$work"/*.jsonl | grep -c '"status":"pass"')
fi
failed=$((total - passed))
[ "$total" -gt 0 ] || failed=1
if [ "$failed" -eq 0 ]; then
    for constant in $constants; do
        echo "${constant%=*}=$(sed -n "s/^#define ${constant#*=} \([0-9.]*\).*/\1/p" cmodel/energy/rf_energy.h tb/banked/env/rf_stage_*.h tb/machine/env/rf_machine.h)"
    done >"$work/constants"
    [ -z "$suffix" ] || echo 'small=1' >>"$work/constants"
    xargs build/paper "$work" "$from/figures.sql" "$from/page.md" <"$work/constants" && tb/papers/plot.sh "$work/page" ||
        { echo "FAIL the page could not be written"; exit 1; }
    if [ -z "$suffix" ]; then
        for plot in "$work/page"/*.svg; do [ ! -f "$plot" ] || mv "$plot" docs/papers/ || exit 2; done
        mv "$work/page/page.md" "docs/papers/$paper.md" || exit 2
        page=docs/papers/$paper.md
    fi
    echo "written: $page and its plots; $(($(date +%s) - begin)) s"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
