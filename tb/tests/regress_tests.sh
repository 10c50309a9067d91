#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The runner of regressions put to the test from outside: bad plans, limits, crashes, launchers, full disks, and at least 100 random kill -9 after
# which the results are those of a regression that nobody disturbed. One line a check, "ok …" or "FAIL … why"; the last line is "N passed, N
# failed". JOBS: sections at a time (default 2). SEED: of the kills. regress_tests.sh [SECTION…] runs those sections alone.
# shellcheck disable=SC2317 # functions are called by name
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
work=${WORK:-build/regress-tests}
sections='kills stopped changes plans codes proofs limits crashes launchers signals disk needs'
# TURN=K (tb/README.md): half of the sections, others with other K.
[ $# -gt 0 ] || [ -z "${TURN:-}" ] || sections=$(TURN=$((TURN / 16)) && for s in $sections; do ! sampled 2 || echo "$s"; done)

check() { name=$1 code=$2 facts=$3 && shift 3 && demand "$name" "$code" "$facts" "$tool" "$@"; } # name, exit code, facts, arguments…

# A regression with a history of its own; the plan's rows come from stdin.
regression() { # name, exit code, facts, folder, further options…
    what=$1 status=$2 texts=$3 folder=$here/$4
    shift 4
    cat >"$folder.plan"
    rm -rf "$folder" "$folder.db"
    check "$what" "$status" "$texts" regress "$folder.plan" --output "$folder" --history "$folder.db" "$@"
}

# A value of a record of a regression.
record() { "$work/record_of" "$3" <"$here/$1/records/$2.json"; } # folder, number, path

children() { kids=; { read -r kids <"/proc/$1/task/$1/children"; } 2>/dev/null; [ -n "$kids" ]; }
# The first child that is a `lockstep WORD …`, into $child.
child_is() { # process, word
    child=
    children "$1" || return 1
    for kid in $kids; do
        [ "$(tr '\0' ' ' <"/proc/$kid/cmdline" 2>/dev/null | cut -d' ' -f2)" = "$2" ] && child=$kid
    done
    [ -n "$child" ]
}
nobody_in() { ! grep -qlsF "$1" /proc/[0-9]*/cmdline; } # no process has the folder in its command line

# ---- 100 kills ----

# A number below $1, from the section's own generator: the low bits of a linear congruential one are poor, so the high ones.
below() { state=$(((state * 1103515245 + 12345) % 2147483648)); drawn=$((state / 65536 % $1)); }

# One victim: from the runner down, now and then stopping on the way. $victim, and $depth: 0 runner, 1 job, 2 its command, 3 a DUT or tool.
draw_victim() { # runner
    victim=$1 depth=0
    below 8
    # The runner 3 times in 8, until enough of them are dead: how deep a tree is at a moment is not drawn, so the rarer ones get more shots.
    deep=$((drawn < 3 && killed_0 < 40 ? 0 : drawn < 3 ? drawn + 1 : drawn - 2))
    [ "$deep" -le 3 ] || deep=$((deep - 3))
    while [ "$depth" -lt "$deep" ] && children "$victim"; do
        # shellcheck disable=SC2086
        set -- $kids
        below $#
        shift "$drawn"
        victim=$1 depth=$((depth + 1))
    done
}

all_kinds() { [ "$killed_0" -gt 9 ] && [ "$killed_1" -gt 9 ] && [ "$killed_2" -gt 4 ] && [ "$killed_3" -gt 0 ]; } # enough of each

# Starts the regression, or goes on with it, in the background: $runner.
begin_or_resume() { # folder, further options
    if [ -f "$1/regression.json" ]; then
        resumes=$((resumes + 1))
        "$tool" regress --resume "$1" --quiet >>"$1.log" 2>&1 &
    else
        rm -rf "$1" # killed before it could say what it is
        # shellcheck disable=SC2086
        "$tool" regress "$here/plan" --output "$1" --history "$1.db" --fresh 1234 --jobs 3 --quiet $2 >>"$1.log" 2>&1 &
    fi
    runner=$!
}

# One regression under fire until it is complete: its exit code into $ended. A runner whose own tool was killed (`verilator -V`) ends
# with 2 and is called again, as by a person.
kill_regression() { # folder, whom, further options
    begin_or_resume "$1" "$3"
    refused=0 shots=0
    while :; do
        # Any moment is as good as another: this one is drawn, later when nothing gets done for the shooting.
        below $((600 + 20 * shots))
        shots=$((shots + 1))
        sleep "$((drawn / 1000)).$(printf %03d $((drawn % 1000)))"
        if gone "$runner"; then
            wait "$runner"
            ended=$?
            [ "$ended" -ne 2 ] || refused=$((refused + 1))
            [ "$ended" -eq 2 ] && [ "$refused" -lt 20 ] || return 0
        else
            victim=$runner depth=0
            # Until it has written down what it is, the runner alone: without its `git` it does not know whether the work tree is clean.
            [ "$2" = runner ] || [ ! -f "$1/regression.json" ] || draw_victim "$runner"
            [ "$depth" -gt 0 ] || { children "$runner" && for kid in $kids; do again=$((again + 1)); done; }
            kill -KILL "$victim" 2>/dev/null || continue
            eval "killed_$depth=\$((killed_$depth + 1))"
            [ "$depth" -gt 0 ] && { again=$((again + 1)); continue; }
            wait "$runner" 2>/dev/null
        fi
        begin_or_resume "$1" "$3"
    done
}

# The results of a regression, without what differs by its times.
results() { # folder
    "$tool" report "$1" --history "$1.db" --no-times --quiet >"$1.report" 2>&1
    for file in results.jsonl junit.xml summary.md report.html; do
        mkdir -p "$1.results"
        cp "$1/$file" "$1.results/$file" || return 1
    done
}

kills() {
    state=${SEED:-20260101}
    killed_0=0 killed_1=0 killed_2=0 killed_3=0 resumes=0 again=0
    cat >"$here/plan" <<'PLAN'
1 rf_rr    *       random fixed:3 40k
1 rf_lfsr  default random fixed:4 40k
2 rf_lfsr  default random fresh:8 60k
2 rf_rr    default random fresh:8 60k
2 rf_rr    N=5     random fresh:1 5
PLAN
    check 'a regression that nobody disturbs' 1 'vacuous' regress "$here/plan" --output "$here/calm" --history "$here/calm.db" --fresh 1234 --jobs 3
    results "$here/calm"
    cp "$here/calm/results.jsonl" "$here/calm.first"
    expect 'has a result a job' "$(wc -l <"$here/calm/results.jsonl")" test "$(wc -l <"$here/calm/results.jsonl")" -eq "$(wc -l <"$here/calm/jobs.tsv")"
    n=0
    while { [ "$((killed_0 + killed_1 + killed_2 + killed_3))" -lt 100 ] || ! all_kinds; } && [ "$n" -lt 60 ]; do
        n=$((n + 1))
        if [ $((n % 3)) -eq 0 ]; then kill_regression "$here/$n" runner '' # without a launcher a killed job is a crash
        else kill_regression "$here/$n" anybody '--launch env --retries 1000'
        fi
        results "$here/$n"
        expect "regression $n ends as the calm one" "exit $ended: $(tail -n 2 "$here/$n.log" | tr '\n' ' ')" test "$ended" -eq 1
        for file in results.jsonl junit.xml summary.md report.html; do
            expect "regression $n has the same $file" "$(diff "$here/calm.results/$file" "$here/$n.results/$file" | head -n 4)" cmp -s "$here/calm.results/$file" "$here/$n.results/$file"
        done
    done
    kills=$((killed_0 + killed_1 + killed_2 + killed_3))
    echo "     $kills kills with signal 9 in $n regressions of $(wc -l <"$here/calm/jobs.tsv") jobs: $killed_0 of runners, $killed_1 of jobs, $killed_2 of their commands, $killed_3 of DUTs and tools; $resumes resumes, $again attempts lost their work"
    expect 'at least 100 kills' "$kills" test "$kills" -ge 100
    expect 'of runners, jobs, commands and DUTs' "$killed_0 $killed_1 $killed_2 $killed_3" all_kinds
    expect 'lost attempts are told' 'none was recorded' grep -q '"lost":\[{"attempt":1,' "$here"/[0-9]*/records/*.json
    expect 'nobody is left' "$(grep -lsF "$here/" /proc/[0-9]*/cmdline | head -n 3)" within 10 nobody_in "$here/"
}

# ---- proofs ----

# A project's unit that is proved, and the same with a fault, whose counterexample is left as any failure's.
proofs() {
    cp -r tb/tests/foreign "$here/project"
    lockstep=$(realpath "$tool")
    printf '1 arb_tree default proof - -\n' >"$here/project/a.plan"
    demand 'a proof' 0 '=1 passed, 0 known, 0 failed' sh -c "cd '$here/project' && '$lockstep' regress a.plan --output good --history good.db"
    sed -i 's/turn <= ~/turn <= /' "$here/project/rtl/arb_tree.sv"
    demand 'one of RTL with a fault' 1 'mismatch arb_tree/default/proof: node_1_n_turn cycle 2|finding failure: arb_tree node_1_n_turn mismatch' \
        sh -c "cd '$here/project' && '$lockstep' regress a.plan --output bad --history bad.db"
    expect 'has its case' "$(ls "$here/project/bad/cases/0" 2>&1)" test -s "$here/project/bad/cases/0/failure.case"
    printf '1 arb_tree - proof - -\n' >"$here/project/none.plan"
    mkdir -p "$here/project/tb" && echo rf_rr >"$here/project/tb/proof.sets"
    demand 'a unit without sets to prove it at' 2 'none.plan:1 arb_tree proof.sets' \
        sh -c "cd '$here/project' && '$lockstep' regress none.plan --output none"
}

# ---- plans and exit codes ----

plans() {
    printf '# a plan\n1 rf_rr default random fixed:1 40k\n1 rf_xx default random fixed:1 40k\n' >"$here/bad.plan"
    check 'an unknown unit' 2 "$here/bad.plan:3 rf_xx" regress "$here/bad.plan" --output "$here/bad"
    expect 'leaves no folder' "$(ls -d "$here/bad" 2>&1)" test ! -e "$here/bad"
    printf '1 rf_steal machine:gtx48 kernel:saxpy - -\n' >"$here/bad.plan"
    check 'an unknown machine' 2 "$here/bad.plan:1 gtx48 gtx480" regress "$here/bad.plan" --output "$here/bad"
    check 'no such plan' 2 "$here/none.plan: No such file" regress "$here/none.plan"
    regression 'a filter that leaves nothing' 2 'none.plan: 1 jobs' none --only 'rf_lfsr/*' <<'PLAN'
1 rf_rr default random fixed:1 40k
PLAN
    regression 'a trace folder that is missing' 2 'nowhere: No such file' traces --traces "$here/nowhere" <<'PLAN'
1 rf_banked default trace:* - -
PLAN
    TRACES='' regression 'a plan of traces without traces' 2 '1 row|traces.plan:' traces <<'PLAN'
1 rf_banked default trace:* - -
PLAN
    for plan in tb/plans/*.plan; do
        TRACES='' check "$plan is a plan" 2 "$plan: jobs" regress "$plan" --only none --output "$here/none"
        jobs=$(sed -n 's/.* \([0-9]*\) jobs.*/\1/p' "$here/text")
        expect "$plan has jobs" "$jobs" test "${jobs:-0}" -gt 40
    done
    # Seeds: of the name alone, so neither order nor filters change them; fresh ones follow the regression's base.
    printf '1 rf_rr default,N=3 random fixed:1 40k\n' | sed 's/default,//' >"$here/1.plan"
    printf '2 rf_lfsr default random fresh:2 60k\n1 rf_rr N=3 random fixed:1 40k\n' >"$here/2.plan"
    for n in 1 2; do "$tool" regress "$here/$n.plan" --output "$here/s$n" --history "$here/s.db" --fresh AB --quiet; done
    "$tool" regress "$here/2.plan" --output "$here/s3" --history "$here/s.db" --fresh AB --quiet --only 'rf_lfsr/*.1'
    "$tool" regress "$here/2.plan" --output "$here/s4" --history "$here/s.db" --quiet --only 'rf_lfsr/*.1'
    seed_of() { cut -f 3,8 "$1/jobs.tsv" | grep -F "$2"; }
    expect 'another plan, the same seed' "$(seed_of "$here/s1" rf_rr) $(seed_of "$here/s2" rf_rr)" test "$(seed_of "$here/s1" rf_rr)" = "$(seed_of "$here/s2" rf_rr)"
    expect 'a filter changes no seed' "$(seed_of "$here/s3" fresh.1)" test "$(seed_of "$here/s3" fresh.1)" = "$(seed_of "$here/s2" fresh.1)"
    expect 'another regression has other fresh seeds' "$(seed_of "$here/s4" fresh.1)" test "$(seed_of "$here/s4" fresh.1)" != "$(seed_of "$here/s3" fresh.1)"
    expect 'the base is in regression.json' "$(cat "$here/s3/regression.json")" says "$here/s3/regression.json" '"fresh":"00000000000000ab"'
    expect 'and so is the filter' "$(cat "$here/s3/regression.json")" says "$here/s3/regression.json" "\"filter\":\"--only 'rf_lfsr/*.1'\""
}

codes() {
    regression 'everything passes' 0 '=2 passed, 0 known, 0 failed|pass' good --jobs 2 <<'PLAN'
1 rf_rr default random fixed:2 40k
PLAN
    for file in jobs.tsv regression.json results.jsonl junit.xml summary.md report.html; do expect "$file is there" 'no' test -s "$here/good/$file"; done
    check 'a folder that exists' 2 "$here/good: File exists|--resume" regress "$here/good.plan" --output "$here/good"
    cp "$here/good/results.jsonl" "$here/before"
    check 'a complete regression resumed' 0 '2 passed' regress --resume "$here/good" --history "$here/good.db"
    expect 'has the same results' "$(diff "$here/before" "$here/good/results.jsonl")" cmp -s "$here/before" "$here/good/results.jsonl"
    check 'its report alone' 0 '2 passed' report "$here/good" --history "$here/good.db"
    check 'no regression' 2 "$here/regression.json:" regress --resume "$here"
    check 'no regression to report' 2 "$here/nowhere/regression.json:" report "$here/nowhere"
    check 'no plan' 2 'regress|plan' regress
    check 'both' 2 'regress --resume' regress "$here/good.plan" --resume "$here/good"
    check 'a filter for an old regression' 2 'regress --resume --only' regress --resume "$here/good" --only x
    check 'a job that is not there' 2 'job 2 2' job "$here/good" --number 2
    check 'no job' 2 'job --number' job "$here/good"
    check 'too many retries' 2 '--retries 1000' regress "$here/good.plan" --retries 1001
    check 'a launcher that is missing' 2 '--launch no_such_launcher' regress "$here/good.plan" --launch 'no_such_launcher -n 1'
    expect 'quiet is quiet' "$("$tool" regress "$here/good.plan" --output "$here/quiet" --history "$here/good.db" --quiet 2>&1)" test -z "$("$tool" regress "$here/good.plan" --output "$here/quiet2" --history "$here/good.db" --quiet 2>&1)"
    regression 'a finding' 1 'vacuous rf_rr/default/random/fixed.0:|finding failure:|FAIL' finding <<'PLAN'
1 rf_rr default random fixed:1 5
PLAN
    rm "$here/good/records/1.json"
    check 'a missing record is run again' 0 '2 passed' regress --resume "$here/good" --history "$here/good.db"
    expect 'and is the same' "$(diff "$here/before" "$here/good/results.jsonl")" cmp -s "$here/before" "$here/good/results.jsonl"
    cp "$here/good/records/1.json" "$here/record"
    damaged() { # name, facts
        check "$1: a report names it" 2 "records/1.json: $2|regress --resume" report "$here/good" --history "$here/good.db"
        check "$1: its job runs again" 0 "again rf_rr/default/random/fixed.1: $(pwd)/$here/good/records/1.json:|=2 passed, 0 known, 0 failed; 1 lost" regress --resume "$here/good" --history "$here/good.db"
        expect "$1: and is the same" "$(diff "$here/before" "$here/good/results.jsonl")" cmp -s "$here/before" "$here/good/results.jsonl"
    }
    head -c 100 "$here/record" >"$here/good/records/1.json"
    damaged 'a record that was cut' 'JSON'
    : >"$here/good/records/1.json"
    damaged 'an empty one' 'JSON'
    sed 's/"cycles":40000/"cycles":50000/' "$here/record" >"$here/good/records/1.json"
    damaged 'an edited one' 'checksum'
    sed 's/"job":0/"job":1/; s/fixed.0/fixed.1/' "$here/good/records/0.json" >"$here/good/records/1.json"
    damaged 'that of another job' 'checksum'
    cp "$here/record" "$here/keep" && ln -sf "$(pwd)/$here/keep" "$here/good/records/1.json"
    damaged 'a link' 'file'
    expect 'which leads to what it was' 'it is changed' cmp -s "$here/keep" "$here/record"
    sed -i 's/"status":"vacuous"/"status":"pass"/g' "$here/finding/records/0.json"
    check 'a pass that was written by hand' 2 'records/0.json: checksum' report "$here/finding" --history "$here/finding.db"
    check 'is none' 1 'vacuous rf_rr/default/random/fixed.0' regress --resume "$here/finding" --history "$here/finding.db"
    # No report of what was survives what could not be told.
    for file in results.jsonl junit.xml summary.md report.html; do expect "$file is there again" 'no' test -s "$here/good/$file"; done
    mv "$here/good/logs" "$here/logs" && : >"$here/good/logs" && rm "$here/good/records/1.json"
    check 'a regression that cannot go on' 2 'logs: Not a directory' regress --resume "$here/good" --history "$here/good.db"
    expect 'has no reports that say that it passed' "$(cd "$here/good" && ls)" sh -c "! ls '$here'/good/*.xml '$here'/good/*.html '$here'/good/*.txt '$here'/good/*.md '$here'/good/*.jsonl 2>/dev/null | grep -q ."
    rm "$here/good/logs"
    check 'folders that are gone are made again' 0 '2 passed' regress --resume "$here/good" --history "$here/good.db"
    : >"$here/good/records/1.json"
    check 'a report that cannot be made' 2 'JSON' report "$here/good" --history "$here/good.db"
    expect 'leaves none' "$(ls "$here/good")" test ! -e "$here/good/junit.xml"
    check 'and all are there when it can' 0 '2 passed' regress --resume "$here/good" --history "$here/good.db"
    sed -i 's/"launch":""/"launch":"env"/' "$here/finding/regression.json"
    check 'a regression.json that was edited' 2 'regression.json: checksum' regress --resume "$here/finding" --history "$here/finding.db"
    # A folder of the version before, in which the file had another name.
    mv "$here/good/regression.json" "$here/good/night.json"
    check 'a report of a folder with night.json' 0 '2 passed' report "$here/good" --history "$here/good.db"
    expect '... has the same results' "$(diff "$here/before" "$here/good/results.jsonl")" cmp -s "$here/before" "$here/good/results.jsonl"
    rm "$here/good/records/1.json"
    check 'a job of it' 0 '' job "$here/good" --number 1
    chmod g+w "$here/good/night.json"
    check 'one that others may write' 2 "$here/good: --launch" regress --resume "$here/good" --history "$here/good.db"
    chmod g-w "$here/good/night.json"
    rm "$here/good/records/1.json"
    check 'it is resumed' 0 '2 passed' regress --resume "$here/good" --history "$here/good.db"
    expect '... has the same results still' "$(diff "$here/before" "$here/good/results.jsonl")" cmp -s "$here/before" "$here/good/results.jsonl"
    expect '... and the new name alone' "$(ls "$here/good")" test -s "$here/good/regression.json" -a ! -e "$here/good/night.json"
    # What others could have written is not started without being asked for.
    for open in '' /regression.json /jobs.tsv /records /cases; do
        chmod g+w "$here/good$open"
        check "others may write the folder's '$open'" 2 "$here/good: --launch" regress --resume "$here/good" --history "$here/good.db"
        check '... of which there are reports' 0 "failure $here/good|2 passed" report "$here/good" --history "$here/good.db"
        chmod g-w "$here/good$open"
    done
    chmod o+w "$here/good"
    check '... and jobs, through what is asked for' 0 '2 passed' regress --resume "$here/good" --history "$here/good.db" --launch env
    chmod o-w "$here/good"
    cp "$here/good/jobs.tsv" "$here/jobs"
    sed -i 's/	40000$/	20000/' "$here/good/jobs.tsv"
    check 'jobs that were edited' 2 'jobs.tsv: edited' regress --resume "$here/good" --history "$here/good.db"
    check 'also of a report' 2 'jobs.tsv: edited' report "$here/good" --history "$here/good.db"
    check 'and of a job' 2 'jobs.tsv: edited' job "$here/good" --number 1
    cp "$here/jobs" "$here/good/jobs.tsv"
    head -n 1 "$here/good/jobs.tsv" >"$here/cut" && cp "$here/cut" "$here/good/jobs.tsv"
    check 'jobs.tsv with a line too few' 2 'jobs.tsv: 1 regression.json 2' regress --resume "$here/good" --history "$here/good.db"
    printf '0\t1\thalf' >"$here/good/jobs.tsv"
    check 'jobs.tsv that was cut off' 2 'jobs.tsv:1: job' regress --resume "$here/good" --history "$here/good.db"
}

# ---- what a job does ----

limits() {
    start=$(date +%s)
    regression 'a job over its limit' 1 'hang rf_lfsr/default/random/fixed.0: 1 s|=1 passed, 0 known, 1 failed' hang --jobs 2 <<'PLAN'
1 rf_lfsr default random fixed:1 1000000000M 1
1 rf_rr   default random fixed:1 40k
PLAN
    took=$(($(date +%s) - start))
    expect 'ends soon after it' "$took s" test "$took" -lt 30
    expect 'is a hang' "$(record hang 0 status)" test "$(record hang 0 status)" = hang
    regression 'the comparer: a job of no unit' 1 'hang comparer/mutants: 1 s|finding failure: - - hang:|1 failed' comparer <<'PLAN'
1 - - mutants - - 1
PLAN
    expect 'in the results' "$(cat "$here/comparer/results.jsonl")" says "$here/comparer/results.jsonl" '@name=comparer/mutants|@unit=-|@bucket=- - hang'
    expect 'and in the table' "$(cat "$here/comparer/summary.md")" grep -q '^| - ' "$here/comparer/summary.md"
    expect 'and leaves nobody' "$(grep -lsF "$here/hang" /proc/[0-9]*/cmdline | head -n 3)" within 10 nobody_in "$here/hang"
}

# Longer than anything waits here; the triage of its failure gives up at the limit.
long_job='1 rf_lfsr default random fixed:1 1000000000M'
limit=10
nohup=

# A regression of one long job in the background: $runner, $job, $command.
begin_long() { # folder, options…
    folder=$here/$1
    shift
    printf '%s\n1 rf_rr default random fixed:1 40k\n' "$long_job $limit" >"$folder.plan"
    # A shell's background ignores SIGINT, and nohup SIGHUP: nobody has asked for that here.
    env --default-signal=INT --default-signal=HUP $nohup "$tool" regress "$folder.plan" --output "$folder" --history "$folder.db" "$@" >"$folder.log" 2>&1 &
    runner=$!
    within 20 child_is "$runner" job
    job=$child
    within 20 child_is "${job:-0}" run
    command=$child
}

# Waits for the regression: $got.
end_long() { wait "$runner"; got=$?; }

# Whether the command runs its DUT: its first child can be Verilator, asked for its version. $kids.
runs_dut() { children "$1" && grep -qs dut.so "/proc/${kids%%[!0-9]*}/maps"; }

crashes() {
    begin_long job
    kill -KILL "$job"
    end_long
    expect 'a killed job could not be judged' "exit $got: $(cat "$here/job.log")" test "$got $(record job 0 status) $(record job 0 final)" = '1 usage true'
    expect 'which says so' "$(record job 0 message)" says "$here/job/records/0.json" '@message: signal 9 (Killed)'
    expect 'and the others go on' "$(record job 1 status)" test "$(record job 1 status)" = pass
    expect 'and its command is gone' "$command lives on" within 5 gone "$command"
    limit=2
    begin_long command
    kill -KILL "$command"
    end_long
    expect 'and so could not one whose command is killed' "exit $got: $(cat "$here/command.log")" test "$got $(record command 0 status)" = '1 usage'
    expect 'which says so too' "$(record command 0 message)" says "$here/command/records/0.json" '@message: killed'
    check 'what could not be judged is run again by --resume' 1 'hang rf_lfsr/default/random/fixed.0: 2 s|=1 passed, 0 known, 1 failed; 1 lost' regress --resume "$here/command" --history "$here/command.db"
    expect 'the attempt before it is told' "$(record command 0 lost)" says "$here/command/records/0.json" "@attempt=2|@lost: \"attempt\":1, $(uname -n) killed"
    for signal in TERM XCPU KILL; do
        limit=20
        begin_long "dut$signal"
        within 20 runs_dut "$command"
        # shellcheck disable=SC2086
        kill -$signal $kids
        end_long
        expect "a DUT that SIG$signal ends could not be judged" "exit $got: $(cat "$here/dut$signal.log")" test "$got $(record "dut$signal" 0 status)" = '1 usage'
        expect 'which says so' "$(record "dut$signal" 0 message)" says "$here/dut$signal/records/0.json" '@message: killed'
    done
    limit=10
    begin_long again --retries 1
    kill -KILL "$command"
    second() { child_is "$runner" job && [ "$child" != "$job" ]; }
    within 20 second
    kill -KILL "$child"
    end_long
    expect 'without a launcher it is tried again when asked for' "exit $got: $(cat "$here/again.log")" test "$got" -eq 1
    expect 'and so ends with the second attempt' "$(record again 0 attempt) $(record again 0 message)" says "$here/again/records/0.json" '@attempt=2|@status=usage|@message: signal 9 (Killed)'
    # Too little memory for the tool, whose own size grows with every unit; then for what builds a DUT. By gcc: clang needs more to say its version.
    export CXX=g++
    printf '1 rf_rr default random fixed:1 40k\n' >"$here/small.plan"
    for room in $(size "$tool" | awk 'NR == 2 { print 24000 + int($4 / 1024) }') 60000; do
        (ulimit -v $room && LOCKSTEP_CACHE=$here/cache.$room exec "$tool" regress "$here/small.plan" --output "$here/$room" --history "$here/$room.db") >"$here/text" 2>&1
        expect "with $room KB of memory a job could not be judged" "$(cat "$here/text")" test "$(record $room 0 status)" = usage
        check 'and passes when there is more' 0 '=1 passed, 0 known, 0 failed; 1 lost' regress --resume "$here/$room" --history "$here/$room.db"
    done
    unset CXX
}

stopped() {
    limit=1
    begin_long job --launch env
    kill -STOP "$job"
    kill -STOP "$command"
    end_long
    expect 'a job whose machine stands still is given up, twice' "exit $got: $(cat "$here/job.log")" test "$got" -eq 1
    expect 'and is a hang' "$(record job 0 status), $(record job 0 message)" test "$(record job 0 status) $(record job 0 attempt)" = 'hang 2'
    expect 'the first attempt is told' "$(record job 0 lost)" says "$here/job/records/0.json" '@lost: "attempt":1, 5 1 s'
}

launchers() {
    cat >"$here/dies" <<'LAUNCHER'
#!/bin/sh
# Kills its job the first time, when it runs.
shift # a word of its own
words=$* # without the ticket, which is another one each time
flag=$FLAGS/$(echo "${words%% --ticket*}" | tr -c 'a-z0-9\n' _)
[ ! -e "$flag" ] || exec "$@"
: >"$flag"
"$@" &
until { read -r kids <"/proc/$!/task/$!/children"; [ -n "$kids" ]; } 2>/dev/null; do [ -d "/proc/$!" ] || exit 3; done
kill -KILL $!
wait $! 2>/dev/null
echo node-died >&2
exit 1
LAUNCHER
    chmod +x "$here/dies"
    mkdir "$here/flags"
    FLAGS=$here/flags
    export FLAGS
    regression 'a launcher that dies once' 0 'lost rf_rr/default/random/fixed.0: attempt 1|1: node-died|=2 passed, 0 known, 0 failed; 2 lost' once --launch "$here/dies word" --jobs 2 <<'PLAN'
1 rf_rr default random fixed:2 40k
PLAN
    expect 'the attempts are counted' "$(record once 0 attempt) $(record once 0 lost)" test "$(record once 0 attempt)" -eq 2
    cp "$here/once/records/0.json" "$here/before"
    check 'a start that comes when the job is done' 2 'job 0 final' job "$here/once" --number 0
    check 'also that of a runner' 2 'job 0 final' job "$here/once" --number 0 --ticket 1.2.3
    expect 'changes nothing' "$(diff "$here/before" "$here/once/records/0.json")" cmp -s "$here/before" "$here/once/records/0.json"
    expect 'the lost one had a host' "$(record once 0 lost)" says "$here/once/records/0.json" "@lost: \"host\":\"$(uname -n)\" 1: node-died"
    rm "$here"/flags/*
    regression 'and without retries' 1 'usage rf_rr/default/random/fixed.0|1 failed' never --launch "$here/dies word" --retries 0 <<'PLAN'
1 rf_rr default random fixed:1 40k
PLAN
    printf '#!/bin/sh\nprintf "\\033[31mred\\n"\nexit 1\n' >"$here/red" && chmod +x "$here/red"
    regression 'one that starts nothing' 2 'waiting rf_rr/default/random/fixed.0: 1:|lockstep: job 1:' nothing --launch "$here/red" --retries 2 <<'PLAN'
1 rf_rr default random fixed:1 40k
PLAN
    expect 'and whose control characters are not sent on' "$(cat -v "$here/text")" sh -c "grep -q '1: .*red' '$here/text' && ! grep -q '$(printf '\033')' '$here/text'"
    expect 'has made no attempt' "$(record nothing 0 attempt) $(record nothing 0 final)" test "$(record nothing 0 attempt) $(record nothing 0 final)" = '1 false'
    check 'and the right one finishes the regression' 0 '1 passed' regress --resume "$here/nothing" --history "$here/nothing.db" --launch env
    expect 'with the retries that the regression began with' "$(cat "$here/nothing/regression.json")" says "$here/nothing/regression.json" '"retries":2'
    sed -i 's/^\[ ! -e .*//' "$here/dies" # every time
    regression 'one that always dies' 1 'lost rf_rr/default/random/fixed.0: attempt 2|usage rf_rr/default/random/fixed.0: 1: node-died' dead --launch "$here/dies word" --retries 2 <<'PLAN'
1 rf_rr default random fixed:1 40k
PLAN
    expect 'is tried three times' "$(record dead 0 attempt)" test "$(record dead 0 attempt)" -eq 3
    regression 'a launcher of several words' 0 '1 passed' words --launch 'env  LAUNCHED=yes nice -n 1' <<'PLAN'
1 rf_rr default random fixed:1 40k
PLAN
    expect 'is recorded' "$(cat "$here/words/regression.json")" says "$here/words/regression.json" '@launch=env  LAUNCHED=yes nice -n 1'
    regression 'a failure is not tried again' 1 'vacuous' fails --launch env <<'PLAN'
1 rf_rr default random fixed:1 5
PLAN
    expect 'not once' "$(record fails 0 attempt)" test "$(record fails 0 attempt)" -eq 1
    # No LSF is at hand: a stand-in that does what its manual says of `bsub -K`. The words become one line for a shell, in a session and a
    # folder of its own; what the job prints goes to a mail; bsub tells its steps, waits, and ends as the job did.
    cat >"$here/bsub" <<'LAUNCHER'
#!/bin/sh
[ "$1 $2 $3" = '-K -q regression' ] || { echo "Bad argument; usage: bsub -K -q regression command" >&2; exit 255; }
shift 3
echo 'Job <17> is submitted to queue <regression>.'
echo '<<Waiting for dispatch ...>>' >&2
echo '<<Starting on n17>>' >&2
(cd / && exec setsid -w /bin/sh -c "$*") </dev/null >>"$FLAGS/mail" 2>&1
ended=$?
if [ "$ended" -eq 0 ]; then echo '<<Job is finished>>' >&2; else echo "<<Job exited with exit code $ended>>" >&2; fi
exit "$ended"
LAUNCHER
    chmod +x "$here/bsub"
    regression 'bsub -K (a stand-in)' 1 'vacuous rf_lfsr/default/random/fixed.0|=2 passed, 0 known, 1 failed' lsf --launch "$(pwd)/$here/bsub -K -q regression" --jobs 2 <<'PLAN'
1 rf_rr default random fixed:1 40k
1 rf_rr N=3     random fixed:1 40k
1 rf_lfsr default random fixed:1 5
PLAN
    regression 'the same without it' 1 '=2 passed, 0 known, 1 failed' plain --jobs 2 <"$here/lsf.plan"
    expect 'bsub -K: the same results' "$(diff "$here/lsf/results.jsonl" "$here/plain/results.jsonl")" cmp -s "$here/lsf/results.jsonl" "$here/plain/results.jsonl"
    regression 'a wrong option of bsub' 2 'waiting 255: Bad argument|lockstep: job 255: Bad argument' badopt --launch "$here/bsub -Q" <"$here/lsf.plan"
}

signals() {
    for signal in TERM INT HUP; do
        begin_long $signal --jobs 1
        expect "SIG$signal: one job has begun" "$(ls "$here/$signal/records")" test ! -e "$here/$signal/records/1.json"
        check "SIG$signal: a second runner is refused" 2 "$here/$signal: runner" regress --resume "$here/$signal" --history "$here/$signal.db"
        check "SIG$signal: and so is a report" 2 "$here/$signal: runner" report "$here/$signal" --history "$here/$signal.db"
        kill -$signal "$runner"
        end_long
        expect "SIG$signal ends a regression" "exit $got" test "$got" -eq 2
        expect "SIG$signal: how to go on" "$(cat "$here/$signal.log")" says "$here/$signal.log" "signal|0 2 jobs|regress --resume $(pwd)/$here/$signal"
        expect "SIG$signal leaves nobody" "$command" within 5 gone "$command"
        expect "SIG$signal: and where to read" "$(cat "$here/$signal.log")" says "$here/$signal.log" "$tool report $(pwd)/$here/$signal"
        check "SIG$signal: an unfinished regression's report says so" 2 '=0 passed, 0 known, 0 failed; 2|incomplete' report "$here/$signal" --history "$here/$signal.db"
        expect "SIG$signal: and has all jobs" "$(cat "$here/$signal/results.jsonl")" says "$here/$signal/results.jsonl" 'rf_rr/default/random/fixed.0|@status=crash|@verdict=open'
    done
    # A signal that is ignored stays ignored.
    limit=2 nohup=nohup
    begin_long nohup --jobs 1
    kill -HUP "$runner"
    end_long
    nohup=
    limit=10
    expect 'nohup holds' "exit $got: $(cat "$here/nohup.log")" test "$got $(record nohup 0 status) $(record nohup 1 status)" = '1 hang pass'
    # A pipe that nobody reads is no reason to stop.
    printf '1 rf_rr default random fixed:2 40k\n' >"$here/pipe.plan"
    { "$tool" regress "$here/pipe.plan" --output "$here/pipe" --history "$here/pipe.db" --jobs 1; echo $? >"$here/code"; } 2>/dev/null | true
    within 60 test -s "$here/code"
    expect 'a regression goes on when nobody reads what it prints, and says so' "exit $(cat "$here/code")" test "$(cat "$here/code")" = 2 -a -s "$here/pipe/report.html"
    (ulimit -f 4 && "$tool" regress "$here/pipe.plan" --output "$here/short" --history "$here/pipe.db" --quiet) >"$here/text" 2>&1
    got=$?
    expect 'a limit on file sizes is an error with a name' "exit $got: $(cat "$here/text")" sh -c "[ $got = 2 ] && grep -Eq 'File too large|disk I/O error' '$here/text'"
    begin_long runner
    kill -KILL "$runner"
    end_long
    cp "$here/runner/records/0.json" "$here/before"
    check 'a start that another has taken the place of' 2 'job 0 started' job "$here/runner" --number 0 --ticket 1.2.3
    expect 'changes nothing' "$(diff "$here/before" "$here/runner/records/0.json")" cmp -s "$here/before" "$here/runner/records/0.json"
    expect 'a killed runner takes its jobs with it' "$job or $command" within 5 gone "$job"
    expect 'and their commands' "$command" within 5 gone "$command"
}

# ---- a source that changes ----

# A tree and a tool of the section's own: both are changed.
own_tree() {
    root=$here/root
    mkdir -p "$root/tb" "$root/harness/dut" "$here/bin"
    cp -r rtl "$root/rtl"
    cp harness/dut/shim.cpp harness/dut/dut.h "$root/harness/dut/"
    : >"$root/tb/known_issues"
    cp "$tool" "$here/own"
    git -C "$root" init -q && commit one
    LOCKSTEP_ROOT=$(realpath "$root") LOCKSTEP_CACHE=$(pwd)/build/dut tool=$here/own
    export LOCKSTEP_ROOT LOCKSTEP_CACHE
}
commit() { git -C "$root" add -A && git -C "$root" -c user.name=x -c user.email=x@example.org commit -q --allow-empty -m "$1"; }
other_tool() { { cat "$here/own"; printf %s "$1"; } >"$here/new" && chmod +x "$here/new" && mv "$here/new" "$here/own"; } # runs all the same

changes() {
    own_tree
    cp "$here/own" "$here/first"
    regression 'a regression of one source' 0 '2 passed' good <<'PLAN'
1 rf_rr default random fixed:2 40k
PLAN
    rm "$here/good/records/1.json"
    good() { check "$1" "$2" "$3" regress --resume "$here/good" --history "$here/good.db"; } # name, exit code, facts
    old=$(git -C "$root" rev-parse HEAD)
    commit two
    good 'another commit is refused' 2 "$old $(git -C "$root" rev-parse HEAD)"
    git -C "$root" reset -q --hard "$old"
    : >"$root/tb/more"
    good 'and a tree that is changed now' 2 'tb/more;'
    rm "$root/tb/more"
    good_again() { good "$1" 0 '2 passed' && rm -f "$here/good/records/1.json"; }
    # What no job reads may change, and what an editor leaves beside it.
    echo '# a comment' >"$root/tb/known_issues"
    : >"$root/notes.txt"
    : >"$root/tb/known_issues~"
    : >"$root/tb/#known_issues#"
    good_again 'known issues, notes and what an editor leaves may change'
    rm "$root/notes.txt" "$root/tb/known_issues~" "$root/tb/#known_issues#"
    : >"$root/tb/known_issues"
    printf '#!/bin/sh\necho Yosys 9.99\n' >"$here/bin/yosys" && chmod +x "$here/bin/yosys"
    PATH=$(realpath "$here/bin"):$PATH good 'and another version of a tool' 2 'yosys: "Yosys 9.99"'
    printf '\n' >>"$root/rtl/common/rf_rr.sv"
    good 'and other RTL' 2 'rtl/common/rf_rr.sv'
    check 'also by a job' 2 'job 1 recorded: rtl/common/rf_rr.sv' job "$here/good" --number 1
    cp rtl/common/rf_rr.sv "$root/rtl/common/rf_rr.sv"
    other_tool x
    good 'and another program' 2 "$here/own program"
    check 'also by a job' 2 "job 1 recorded: $here/own program" job "$here/good" --number 1
    expect 'which leaves no final record' 'it did' sh -c "! grep -qs '\"final\":true' '$here/good/records/1.json'"
    cp "$here/first" "$here/own.new" && mv "$here/own.new" "$here/own"
    good 'the same again goes on' 0 '2 passed'
    other_tool x
    check 'a report can be made at any time' 0 'failure|2 passed' report "$here/good" --history "$here/good.db"
    limit=3
    begin_long built --jobs 1
    other_tool xy
    end_long
    expect 'a tool built while a job runs ends the regression' "exit $got: $(cat "$here/built.log")" test "$got" -eq 2
    expect 'and says why' "$(cat "$here/built.log")" says "$here/built.log" "$here/own program|0 2 jobs"
    expect 'and the job is not done' "$(record built 0 final)" test "$(record built 0 final)" = false
    begin_long rtl --jobs 1
    printf '\n' >>"$root/rtl/common/rf_lfsr.sv"
    end_long
    expect 'RTL changed while a job runs ends the regression' "exit $got: $(cat "$here/rtl.log")" test "$got" -eq 2
    expect 'and says why too' "$(cat "$here/rtl.log")" says "$here/rtl.log" 'rtl/common/rf_lfsr.sv|0 2 jobs'
    # A look at all files behind a command stands for the one before it, but not when something was touched meanwhile.
    regression 'a regression of a long job' 0 '1 passed' back <<'PLAN'
1 rf_lfsr default random fixed:1 8M
PLAN
    noted() { "$tool" report "$here/back" --history "$here/back.db" >/dev/null 2>&1; [ -e "$here/back/files.stamp" ]; }
    within 20 noted
    rm "$here/back/records/0.json"
    cp "$root/rtl/common/rf_lfsr.sv" "$here/lfsr.sv"
    printf '\n' >>"$root/rtl/common/rf_lfsr.sv"
    "$tool" job "$here/back" --number 0 >"$here/back.text" 2>&1 &
    job=$!
    within 20 child_is "$job" run
    within 20 runs_dut "$child"
    cp "$here/lfsr.sv" "$root/rtl/common/rf_lfsr.sv"
    wait "$job"
    digest=$(sha256sum <"$here/lfsr.sv")
    expect 'RTL that was another one when a job began, not at its end: it runs again' "$(cat "$here/back.text")" says "$here/back/records/0.json" "\"status\":\"pass\"|${digest%% *}"
    for late in tb/corpus/rf_rr/more.case cmodel/rf_more.c synth_scripts/more.tcl; do
        begin_long late --jobs 1
        mkdir -p "$(dirname "$root/$late")" && : >"$root/$late"
        end_long
        expect "so does $late" "exit $got: $(cat "$here/late.log")" sh -c "[ $got = 2 ] && grep -qF '$late' '$here/late.log'"
        rm -rf "$here/late" "${root:?}/$late"
    done
    # What is read after the last job is read before the first.
    soon() { # name, facts, history
        rm -rf "$here/soon"
        check "$1" 2 "$2" regress "$here/good.plan" --output "$here/soon" --history "$3"
        expect "$1: no job has run" "$(ls "$here/soon" 2>/dev/null)" test ! -e "$here/soon"
    }
    regression 'a regression of what is there now' 0 '2 passed' last <"$here/good.plan"
    echo 'rf_rr' >"$root/tb/known_issues"
    soon 'a slip in the known issues' 'tb/known_issues:1: FIELD' "$here/good.db"
    check 'also before an old regression goes on' 2 'tb/known_issues:1: FIELD' regress --resume "$here/last" --history "$here/good.db"
    : >"$root/tb/known_issues"
    regression 'a regression with a finding' 1 'vacuous' found <<'PLAN'
1 rf_rr default random fixed:1 5
PLAN
    cp "$here/found.db" "$here/before.db"
    echo 'rf_rr' >"$root/tb/known_issues"
    check 'a report that cannot be made' 2 'tb/known_issues:1: FIELD' report "$here/found" --history "$here/found.db"
    expect 'leaves the regression in the history as it was' 'it is changed' cmp -s "$here/before.db" "$here/found.db"
    : >"$root/tb/known_issues"
    echo 'rf_rr line x' >"$root/tb/coverage.waivers"
    soon 'a slip in the waivers' 'tb/coverage.waivers:1: ' "$here/good.db"
    rm "$root/tb/coverage.waivers"
    echo 'this is some text, and no history of any regression' >"$here/none.db"
    soon 'a history that is none' "$here/none.db" "$here/none.db"
    # What a DUT prints decides nothing, be it in the words of a kill or of a full disk.
    sed -i 's/TAPS & /~TAPS \& /; s/^  assign value_o/  initial \$display("No space left on device; killed by signal 9 (Killed)");\n&/' "$root/rtl/common/rf_lfsr.sv"
    regression 'a DUT that speaks of a full disk and of kills' 1 'mismatch rf_lfsr/default/random/fixed.0: value_q cycle' speaks --jobs 2 --launch env <<'PLAN'
1 rf_lfsr default random fixed:1 40k
PLAN
    expect 'is not tried again for that' "$(record speaks 0 attempt)" test "$(record speaks 0 attempt)" -eq 1
    cp rtl/common/rf_lfsr.sv "$root/rtl/common/rf_lfsr.sv"
    # One that prints a line in every cycle.
    sed -i 's/^  assign value_o/  always @(posedge clk_i) $display("%d %d %d %d %d %d %d %d %d %d %d", $time, $time, $time, $time, $time, $time, $time, $time, $time, $time, $time);\n&/' "$root/rtl/common/rf_lfsr.sv"
    regression 'a DUT that prints in every cycle' 0 '1 passed' prints <<'PLAN'
1 rf_lfsr default random fixed:1 40k
PLAN
    expect 'has a log with head and tail' "$(ls -l "$here/prints/logs")" sh -c "[ \$(wc -c <'$here/prints/logs/0.log') -lt 1100000 ] && grep -q '^\[lockstep: [0-9]* of [0-9]* bytes' '$here/prints/logs/0.log' && tail -n 1 '$here/prints/logs/0.log' | grep -q '^pass  '"
    cp rtl/common/rf_lfsr.sv "$root/rtl/common/rf_lfsr.sv"
    # An orphan, here a job without a runner, whose part file is gone.
    regression 'a regression' 1 'hang' orphan <<'PLAN'
1 rf_lfsr default random fixed:1 1000000000M 3
PLAN
    for gone in no yes; do
        rm -f "$here/orphan/records/0.json"
        "$tool" job "$here/orphan" --number 0 >"$here/orphan.$gone" 2>&1 &
        job=$!
        within 20 child_is "$job" run
        [ $gone = no ] || rm "$here"/orphan/records/0.*.part
        kill -SEGV "$child"
        wait "$job"
        got=$?
        if [ $gone = no ]; then expect 'a command that dies leaves a final crash' "exit $got" test "$got $(record orphan 0 final) $(record orphan 0 status)" = '0 true crash'
        else expect 'and none where a resumed regression has taken its part file' "exit $got: $(cat "$here/orphan.yes")" test "$got $(record orphan 0 final)" = '2 false'
        fi
    done
    expect 'and leaves no part file' "$(ls "$here/orphan/records")" test "$(ls "$here/orphan/records")" = 0.json
}

# ---- the machine ----

# Inside a name space of its own: regressions on disks that are too small, then large enough.
disk_inside() {
    "$tool" regress "$here/plan" --output "$here/roomy" --history "$here/roomy.db" --quiet || return 1
    mkdir -p "$here/mnt"
    failures=0
    for room in $(seq 4 28 300); do
        mount -t tmpfs -o "size=${room}k" tmpfs "$here/mnt" || return 1
        "$tool" regress "$here/plan" --output "$here/mnt/regression" --history "$here/mnt/h.db" --jobs 2 --quiet >"$here/text" 2>&1
        got=$?
        [ "$got" -eq 0 ] || failures=$((failures + 1))
        if [ "$got" -ne 0 ] && { [ "$got" -ne 2 ] || ! grep -qE "$here/mnt.*([Nn]o space left on)" "$here/text"; }; then
            bad "a disk of $room KB" "exit $got: $(head -n 3 "$here/text" | tr '\n' ' ')"
        fi
        mount -o remount,size=50m "$here/mnt" || return 1
        if [ -f "$here/mnt/regression/regression.json" ]; then set -- --resume "$here/mnt/regression"; else rm -rf "$here/mnt/regression"; set -- "$here/plan" --output "$here/mnt/regression"; fi
        "$tool" regress "$@" --history "$here/mnt/h.db" --quiet >"$here/text" 2>&1
        got=$?
        expect "a disk of $room KB, then of 50 MB" "exit $got: $(head -n 3 "$here/text" | tr '\n' ' ') $(diff "$here/roomy/results.jsonl" "$here/mnt/regression/results.jsonl" | head -n 3)" sh -c "[ $got -eq 0 ] && cmp -s '$here/roomy/results.jsonl' '$here/mnt/regression/results.jsonl'"
        umount "$here/mnt"
    done
    # What a DUT leaves of its coverage has no room, and is cut off without a word: no result, and --resume runs it.
    mount -t tmpfs -o size=180k tmpfs "$here/mnt" || return 1
    check 'coverage on a full disk' 2 'mnt/regression/coverage: No space left on device' regress "$here/covered" --output "$here/mnt/regression" --history "$here/covered.db"
    mount -o remount,size=50m "$here/mnt" || return 1
    check 'and with room' 0 '1 passed' regress --resume "$here/mnt/regression" --history "$here/covered.db"
    umount "$here/mnt"
    # The cache of DUTs is another disk.
    mount -t tmpfs -o size=20k,mode=755 tmpfs "$here/mnt" || return 1
    LOCKSTEP_CACHE=$(realpath "$here/mnt") check 'no room for a DUT' 2 'No space left on device' regress "$here/plan" --output "$here/uncached" --history "$here/covered.db"
    umount "$here/mnt"
    expect 'the small ones were too small' "$failures of 11" test "$failures" -gt 4 -a "$failures" -lt 11
}

disk() {
    printf '1 rf_rr default random fixed:5 40k\n1 rf_lfsr default random fixed:5 40k\n' >"$here/plan"
    printf '1 rf_arbiter_steal default coverage fixed:1 20k\n' >"$here/covered"
    if unshare -rm mount -t tmpfs tmpfs /mnt 2>/dev/null; then unshare -rm sh "$0" --inside disk
    else echo "     NOT RUN: this system gives no mount name space to a user (unshare -rm), so no disk can be made that is full"
    fi
}

needs() {
    touch -d 2001-01-01 build/streams/vecadd.rfs 2>/dev/null
    regression 'kernels: the stream is made by whoever comes first' 0 '2 passed' kernels --jobs 2 <<'PLAN'
1 rf_banked REGS=64 kernel:vecadd fixed:2 3k
PLAN
    expect 'anew' "$(ls -l build/streams/vecadd.rfs)" test build/streams/vecadd.rfs -nt "$tool"
    expect 'and nobody keeps the lock' "$(ls build/streams/*.lock 2>/dev/null)" test ! -e build/streams/vecadd.rfs.lock
    cp build/streams/vecadd.rfs "$here/right.rfs"
    "$tool" workload build saxpy -o "$here/other.rfs" --json >"$here/text" 2>&1 || bad 'another stream' "$(cat "$here/text")"
    cp "$here/other.rfs" build/streams/vecadd.rfs
    regression 'a newer stream that this program has not made' 0 '1 passed' again <<'PLAN'
1 rf_banked REGS=64 kernel:vecadd fixed:1 3k
PLAN
    expect 'is made again' 'it stays' cmp -s "$here/right.rfs" build/streams/vecadd.rfs
    regression 'faults are jobs' 0 '1 passed' faults <<'PLAN'
1 rf_lfsr - faults - -
PLAN
    expect 'with their figures' "$(record faults 0 run)" test "$(record faults 0 run.planted)" -eq "$(record faults 0 run.caught)" -a "$(record faults 0 run.caught)" -gt 8
    regression 'coverage' 0 '1 passed' covered <<'PLAN'
1 rf_lfsr default coverage fixed:1 40k
PLAN
    expect 'is in the command that repeats it' "$(record covered 0 command)" says "$here/covered/records/0.json" "--coverage $(pwd)/$here/covered/coverage/0.dat"
    regression 'the corpus' 0 '0 failed' corpus <<'PLAN'
1 rf_bank - corpus - -
1 rf_rr - corpus - -
1 rf_mshr - corpus - -
PLAN
    expect 'has cases' "$(cat "$here/corpus/jobs.tsv")" grep -q 'tb/corpus/rf_rr/.*\.case' "$here/corpus/jobs.tsv"
    expect 'and stimulus that was kept' "$(cat "$here/corpus/jobs.tsv")" grep -q 'rf_mshr/.*/corpus.*\.corpus' "$here/corpus/jobs.tsv"
    folder=$here/elsewhere
    mkdir -p "$folder"
    printf '1 rf_rr default random fixed:1 40k\n' >"$folder/p.plan"
    full=$(realpath "$tool")
    (cd "$folder" && "$full" regress p.plan --quiet) >"$here/text" 2>&1
    expect 'a regression anywhere: build/regress/<plan>-1 and a history' "exit $?: $(cat "$here/text")" test -s "$folder/build/regress/p-1/report.html" -a -s "$folder/build/regress/history.db"
    (cd "$folder" && "$full" regress p.plan --quiet) >"$here/text" 2>&1
    expect 'and the next' "exit $?: $(cat "$here/text")" test -s "$folder/build/regress/p-2/report.html"
    command=$("$work/record_of" command <"$folder/build/regress/p-1/records/0.json")
    expect 'the command in the record repeats it' "$command" sh -c "$command --quiet"
}

if [ "${1:-}" = --inside ]; then # a section's part in a name space of its own
    section=$2
    here=$work/$2
    "$2_inside" || bad 'the name space' 'a mount was refused'
    exit
fi
mkdir -p build/streams
run_sections "$@"
