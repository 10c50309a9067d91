# SPDX-License-Identifier: Apache-2.0
# What the pages about papers (docs/papers/) have in common; sourced by tb/<group>/paper_<name>.sh, which calls, in this order:
#
#   paper_begin NAME "$@"      arguments, environment (JOBS, TRACES), the work folder build/paper-NAME
#   paper_workloads            streams of all kernels (large inputs) and the real traces; $work/workloads and $work/table
#   paper_runs MODEL           the runs of $work/list, each "name --workload ... --param ...", into $work/runs.jsonl
#   constant NAME                                      a constant of the environment, RF_ENV_NAME, as in its headers
#   paper_write NAME=VALUE ... FILE.awk ... TEMPLATE   the page and its plots, when every run passed; "N passed, N failed"
#
# $work/workloads: a line each with number, kind (kernel or trace), name, path. $work/table, the same lines: number, kind, name, registers
# that its warps need (a power of two, 32 or more), ALU instructions.
set -u
tool=build/lockstep
page=docs/papers

paper_begin() {
    paper=$1
    shift
    script=${0##*/}
    work=build/paper-$paper
    jobs=${JOBS:-1}
    traces=${TRACES-../shared/traces}
    [ $# -eq 0 ] || { echo "$script takes no argument; JOBS and TRACES come from the environment"; exit 2; }
    [ -x "$tool" ] || { echo "$tool is not there: make all"; exit 2; }
    case $jobs in
    '' | *[!0-9]* | 0) echo "JOBS=$jobs: a number from 1"; exit 2 ;;
    esac
    some=false
    for file in "$traces"/accel-sim/*/kernelslist.g "$traces"/ventus/*.log.xz; do [ ! -f "$file" ] || some=true; done
    if ! $some; then
        echo "no traces in \"$traces\": there is no accel-sim/<name>/kernelslist.g and no ventus/<name>.log.xz in it"
        [ -z "${TRACES+set}" ] || exit 2 # asked for
        echo "the page will be without them (docs/workloads.md says where traces come from)"
    fi
    begin=$(date +%s)
    rm -rf "$work/runs" "$work/info" "$work/page"
    mkdir -p "$work/streams" "$work/runs" "$work/info" "$work/page" "$page" || exit 2
}

# One word as xargs reads it: what it could take for a blank or a quote has a backslash before it.
word() { printf '%s\n' "$1" | sed 's|[^A-Za-z0-9_./=-]|\\&|g'; }

# Streams, unless they are newer than the tool: lines of "FILE ARGUMENTS" on stdin, the arguments of `workload build` before -o.
paper_streams() {
    while read -r stream arguments; do
        [ "$work/streams/$stream" -nt "$tool" ] || echo "$arguments -o $work/streams/$stream"
    done >"$work/new"
    xargs -r -P "$jobs" -L 1 "$tool" workload build --json <"$work/new" >/dev/null || { echo 'a kernel of ours has no stream'; exit 2; }
}

paper_workload() { # kind, name, path
    n=$((n + 1))
    printf '%s %s %s %s\n' "$n" "$1" "$(printf '%s\n' "$2" | sed 's|[^A-Za-z0-9_.-]|_|g')" "$3"
}

paper_value() { sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" "$work/info/$2.json"; } # key, workload

paper_workloads() {
    "$tool" workload list >"$work/kernels" || { echo "$tool workload list: exit status $?"; exit 2; }
    while read -r kernel _; do echo "$kernel.rfs $kernel --large"; done <"$work/kernels" | paper_streams || exit 2
    n=0
    {
        while read -r kernel _; do paper_workload kernel "$kernel" "$work/streams/$kernel.rfs"; done <"$work/kernels"
        for list in "$traces"/accel-sim/*/kernelslist.g; do
            [ ! -f "$list" ] || paper_workload trace "$(basename "$(dirname "$list")")" "$list"
        done
        for log in "$traces"/ventus/*.log.xz; do
            [ ! -f "$log" ] || paper_workload trace "$(basename "$log" .log.xz)" "$log"
        done
    } >"$work/workloads"

    # What each is like, with the registers that its warps need.
    while read -r number _ _ path; do printf '%s %s\n' "$number" "$(word "$path")"; done <"$work/workloads" |
        xargs -P "$jobs" -L 1 sh -c "$tool workload info \"\$1\" --json >$work/info/\$0.json 2>$work/info/\$0.log ||
            echo \"FAIL \$1: \$(tail -n 1 $work/info/\$0.log)\"; :"
    while read -r number kind name _; do
        highest=$(paper_value highest_register "$number")
        regs=32
        while [ "$regs" -le "${highest:-0}" ]; do regs=$((2 * regs)); done
        echo "$number $kind $name $regs $(paper_value alu "$number")"
    done <"$work/workloads" >"$work/table"
}

# A line of $work/list: name of the run (workload number, "-", configuration), path, parameters NAME=VALUE, of which the last of a name
# counts, options --NAME=VALUE.
paper_line() {
    printf '%s' "$1 --workload $(word "$2")"
    shift 2
    while [ $# -gt 0 ]; do
        p=$1
        shift
        case $p in
        --*) printf ' %s %s' "${p%%=*}" "${p#*=}" ;;
        *) case " $*" in *" ${p%%=*}="*) ;; *) printf ' --param %s' "$p" ;; esac ;;
        esac
    done
    echo
}

paper_runs() { # model
    total=$(wc -l <"$work/list")
    echo "$(wc -l <"$work/workloads") workloads, $total runs of the C model, $jobs at a time"
    xargs -P "$jobs" -L 1 sh -c "$tool model $1 --json \"\$@\" >$work/runs/\$0.json 2>$work/runs/\$0.log ||
        echo \"FAIL \$0 \$*: \$(cat $work/runs/\$0.log $work/runs/\$0.json | tail -n 1 | sed 's|.*\\\"message\\\":||')\"; :" <"$work/list"
    find "$work/runs" -name '*.json' -size +0 | sort -V | xargs -r awk '{
        name = FILENAME
        gsub(/.*\/|\.json$/, "", name)
        sub(/^\{/, "{\"run\":\"" name "\",")
        print
    }' >"$work/runs.jsonl"
    passed=$(grep -c '"status":"pass"' "$work/runs.jsonl")
    failed=$((total - passed))
    [ "$total" -gt 0 ] || failed=1
}

constant() { sed -n "s/^#define RF_ENV_$1 \([0-9]*\)u.*/\1/p" tb/banked/env/rf_stage_*.h; }

# Ends the script.
paper_write() {
    options="-v paper=$paper -v page=$work/page"
    files='-f tb/papers/paper_plots.awk -f tb/papers/paper.awk'
    for part; do
        case $part in
        *=) echo "FAIL ${part%=} has no value: what it was read from has changed"; exit 1 ;;
        *.awk) files="$files -f $part" ;;
        *=*) options="$options -v $part" ;;
        *) template=$part ;;
        esac
    done
    if [ "$failed" -eq 0 ]; then
        # shellcheck disable=SC2086 # neither has a blank in a word
        awk $options $files "$work/table" "$work/runs.jsonl" "$template" || { echo "FAIL the page could not be written"; exit 1; }
        mv "$work/page"/* "$page/" || exit 2
        echo "written: $page/$paper.md and its plots; $(($(date +%s) - begin)) s"
    fi
    echo "$passed passed, $failed failed"
    [ "$failed" -eq 0 ]
    exit
}
