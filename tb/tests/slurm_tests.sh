#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A regression on a cluster put to the test: `lockstep regress --launch "srun …"` on a real Slurm (tb/tests/slurm.sh: three nodes on this machine) gives
# the results of a regression without a launcher, whatever dies meanwhile; and the rig itself leaves nothing behind.
# One line a check, "ok …" or "FAIL … why"; the last line is "N passed, N failed". slurm_tests.sh [SECTION…] runs those sections alone.
# shellcheck disable=SC2016,SC2317 # the rig's shell expands; functions are called by name
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
work=${WORK:-$(pwd)/build/slurm_tests}
rig=tb/tests/slurm.sh
launch='srun -Q -N1 -n1'
sections='rig same node_dies all_nodes_die cancelled controller runner_dies over_limit never_starts'
limit=120 # seconds for what should take a few

lines() { wc -l <"$1" | tr -d ' '; }

# ---- regressions ----

# Jobs of about a second each, more than the cluster takes at a time, and one of another kind.
write_plan() {
    cat >"$work/small.plan" <<END
1 rf_rr        default random fixed:14 6M
1 rf_fifo_ctrl default random fixed:10 6M
2 rf_rr        -       faults -        -
END
}

# A regression of the plan in $here/regression; what it prints is in $here/text.
regress() { # options…
    "$tool" regress "$work/small.plan" --fresh 1 --jobs 6 --history "$here/history.db" --output "$here/regression" "$@" >"$here/text" 2>&1
}
# The same in the background: $runner is the tool, so that it can be killed.
begin() {
    "$tool" regress "$work/small.plan" --fresh 1 --jobs 6 --history "$here/history.db" --output "$here/regression" --launch "$launch" \
        >"$here/text" 2>&1 &
    runner=$!
}
# Its end: exit status in $ended.
end() {
    wait "$runner"
    ended=$?
}
words() { tail -n 3 "$here/text" | tr '\n' ' '; }

# The regression's records whose jobs now run on a node.
running_on() { # node
    grep -l "\"final\":false.*\"host\":\"$1\"" "$here"/regression/records/*.json 2>/dev/null
}
runs_on() { [ -n "$(running_on "$1")" ]; }
done_jobs() { [ "$(grep -l '"final":true' "$here"/regression/records/*.json 2>/dev/null | wc -l)" -ge "$1" ]; }
hosts() { sed 's/.*"host":"\([^"]*\)","seconds".*/\1/' "$here"/regression/records/*.json | sort -u | tr '\n' ' '; }
lost() { cat "$here"/regression/records/*.json | grep -o '{"attempt":[0-9]*,"host":"[^"]*","how":"[^"]*"}'; }
on_node() { srun -Q -N1 -n1 -w "$1" true >/dev/null 2>&1; }

# Every regression ends so, whatever happened to it: no failure, and the results of a regression without a launcher, to the byte.
same_results() {
    expect 'the regression passes' "exit status $ended: $(words)" test "$ended" -eq 0
    expect 'its results are those of a regression without a cluster' "$(cmp "$work/alone/regression/results.jsonl" "$here/regression/results.jsonl" 2>&1)" \
        cmp -s "$work/alone/regression/results.jsonl" "$here/regression/results.jsonl"
}
lost_is_reported() { # how many at least
    lost >"$here/lost"
    expect 'lost attempts are recorded' "$(lines "$here/lost"), expected $1" test "$(lines "$here/lost")" -ge "$1"
    expect 'and told' "$(words)" test "$(grep -c '^lost ' "$here/text")" -eq "$(lines "$here/lost")"
    expect 'and in the summary' "$(grep -A 9 Lost "$here/regression/summary.md")" \
        test "$(grep -c '^- .*, attempt [0-9]* on n[123]: ' "$here/regression/summary.md")" -eq "$(lines "$here/lost")"
}

# ---- sections, each on a rig of its own ----

same() {
    begin
    end
    same_results
    hosts >"$here/hosts"
    expect 'all nodes had a part in it' "$(cat "$here/hosts")" test "$(cat "$here/hosts")" = 'n1 n2 n3 '
    lost >"$here/lost"
    expect 'no attempt was lost' "$(cat "$here/lost")" test ! -s "$here/lost"
}

node_dies() {
    begin
    within $limit runs_on_n1 || bad 'jobs run on n1' "$(words)"
    $rig --kill-node n1
    running_on n1 >"$here/struck"
    expect 'it dies under running jobs' 'all were done' test -s "$here/struck"
    end
    same_results
    lost_is_reported "$(lines "$here/struck")"
    expect 'the node has a name in them' "$(cat "$here/lost")" says "$here/lost" '"host":"n1"'
    sed 's/$/ /' "$here/struck" | xargs sed 's/.*"host":"\([^"]*\)","seconds".*/\1/' | sort -u >"$here/then"
    expect 'its jobs have run elsewhere' "$(tr '\n' ' ' <"$here/then")" sh -c "! grep -qx n1 '$here/then'"
    $rig --start-node n1
    expect 'it comes back' "$(sinfo -N)" on_node n1
}

all_nodes_die() {
    begin
    within $limit done_6 || bad 'six jobs are done' "$(words)"
    for n in n1 n2 n3; do $rig --kill-node $n; done
    running_on 'n.' >"$here/struck"
    expect 'all nodes die under running jobs' 'all were done' test -s "$here/struck"
    within $limit all_down || bad 'Slurm gives them up' "$(sinfo -N)"
    expect 'the regression waits' "$(words)" kill -0 "$runner"
    for n in n1 n2 n3; do $rig --start-node $n; done
    end
    same_results
    lost_is_reported "$(lines "$here/struck")"
}

cancelled() {
    begin
    within $limit runs_on_n1 || bad 'jobs run on n1' "$(words)"
    squeue -h -t R -w n1 -o %i | head -n 1 >"$here/id"
    scancel "$(cat "$here/id")"
    end
    same_results
    lost_is_reported 1
    expect 'one attempt is lost' "$(cat "$here/lost")" test "$(lines "$here/lost")" -eq 1
}

controller() {
    begin
    within $limit runs_on_n1 || bad 'jobs run on n1' "$(words)"
    $rig --kill-controller
    within $limit says "$here/text" 'waiting' || bad 'the launcher finds no controller' "$(words)"
    expect 'what could not be started is told' "$(words)" grep -q '^waiting .*: .*: ' "$here/text"
    $rig --start-controller
    end
    same_results
    lost >"$here/lost"
    expect 'what Slurm forgot is told as lost' "$(cat "$here/lost")" test "$(grep -c '^lost ' "$here/text")" -eq "$(lines "$here/lost")"
}

# Jobs that would run for minutes: who dies takes them along, also on other machines.
runner_dies() {
    echo '1 rf_rr default random fixed:6 1000M' >"$here/long.plan"
    "$tool" regress "$here/long.plan" --fresh 1 --jobs 6 --history "$here/history.db" --output "$here/long" --launch "$launch" >"$here/text" 2>&1 &
    runner=$!
    within $limit six_steps || bad 'six steps run' "$(words)"
    kill -KILL $runner
    wait $runner 2>/dev/null
    expect 'a runner that is killed takes its steps along' "$(squeue -h)" within 20 no_steps
    begin
    within $limit done_6 || bad 'six jobs are done' "$(words)"
    kill -KILL $runner
    wait $runner 2>/dev/null
    "$tool" regress --resume "$here/regression" >"$here/text" 2>&1
    ended=$?
    same_results
    regress --launch "$launch"
    expect 'a folder is not used twice' "exit status $?" says "$here/text" '--resume'
}

# A job that is over its limit is ended where it runs.
over_limit() {
    echo '1 rf_rr default random fixed:1 1000M 2' >"$here/long.plan"
    "$tool" regress "$here/long.plan" --fresh 1 --jobs 1 --history "$here/history.db" --output "$here/regression" --launch "$launch" >"$here/text" 2>&1
    status=$?
    expect 'it is a finding' "exit status $status: $(words)" test "$status" -eq 1
    expect 'a hang, on a node' "$(head -c 200 "$here/regression/records/0.json")" says "$here/regression/records/0.json" '="status":"hang"|2 s|="host":"n'
    expect 'it was not tried again' "$(lost)" test -z "$(lost)"
    expect 'nothing of it runs on' "$(squeue -h)" within 20 no_steps
}

never_starts() {
    regress --launch 'srun -Q --no-such-option'
    ended=$?
    expect 'a wrong launcher stops the regression' "exit status $ended" test $ended -eq 2
    expect 'with its own words' "$(words)" says "$here/text" 'job 255 --help'
    expect 'and no job has failed' "$(words)" sh -c "! grep -q '\"final\":true' '$here'/regression/records/*.json"
    "$tool" regress --resume "$here/regression" --launch "$launch" >"$here/text" 2>&1
    ended=$?
    same_results
}

# What within() tries has to be a command.
runs_on_n1() { runs_on n1; }
done_6() { done_jobs 6; }
all_down() { [ "$(sinfo -h -N -o %T | grep -c '^down')" -eq 3 ]; }
six_steps() { [ "$(squeue -h -s -t R | grep -c lockstep)" -eq 6 ]; }
no_steps() { ! squeue -h -t R,CG | grep -q .; }

# The rig itself, which this section starts and ends.
rig() {
    SLURM_RIG=$here/rig
    export SLURM_RIG
    # Programs that run from its folder, and tasks of its nodes.
    left() {
        find /proc -maxdepth 2 -name exe -lname "$SLURM_RIG/bin/*" 2>/dev/null
        grep -lzxF "SLURM_CONF=$SLURM_RIG/slurm.conf" /proc/[0-9]*/environ 2>/dev/null | xargs -r grep -lz '^SLURMD_NODENAME=' 2>/dev/null
        ls -d "$SLURM_RIG/short/" 2>/dev/null
    }
    nothing_left() { [ -z "$(left)" ]; }
    task_runs() { left | grep -q environ; }
    echo input | NODES=2 CPUS=3 $rig sh -c 'cat; sinfo -h -o "%D %c"; srun -Q -N1 -n1 -w n2 sh -c "echo \$SLURMD_NODENAME"; exit 7' >"$here/text" 2>&1
    status=$?
    expect "the exit status is the command's" "$status" test $status -eq 7
    expect 'input, nodes, processors, a task on a node' "$(cat "$here/text")" test "$(tr '\n' ' ' <"$here/text")" = 'input 2 3 n2 '
    expect 'it leaves nothing' "$(left)" nothing_left
    $rig sh -c "$rig true; echo \$?" >"$here/text" 2>&1
    expect 'a second one in the same folder is refused' "$(cat "$here/text")" says "$here/text" 'running'
    $rig sh -c "SLURM_RIG=$here/other NODES=1 $rig srun -Q -N1 -n1 true" >"$here/text" 2>&1
    status=$?
    expect 'one in another folder is not' "$(cat "$here/text")" test $status -eq 0
    NODES=1 $rig srun -Q -N1 -n1 sleep 1000 >"$here/text" 2>&1 &
    within 30 task_runs || bad 'a task runs' "$(cat "$here/text")"
    kill -TERM $!
    wait $!
    status=$?
    expect 'a rig that is asked to end does' "exit status $status" test $status -eq 143
    expect 'with its daemons and tasks' "$(left)" nothing_left
    NODES=1 $rig srun -Q -N1 -n1 sleep 1000 >"$here/text" 2>&1 &
    within 30 task_runs || bad 'a task runs' "$(cat "$here/text")"
    kill -KILL $!
    wait $! 2>/dev/null
    expect 'one that is killed cannot' 'nothing is left' test -n "$(left)"
    NODES=1 $rig true >"$here/text" 2>&1
    expect 'so the next one does it' "exit status $?: $(left)" nothing_left
    NODES=none $rig true >"$here/text" 2>&1
    status=$?
    expect 'a wrong number of nodes' "$(cat "$here/text")" test $status -eq 2
    mkdir "$here/few"
    for program in dirname date; do ln -s "$(command -v $program)" "$here/few/$program"; done
    PATH=$here/few /bin/sh $rig true >"$here/text" 2>&1
    status=$?
    expect 'without Slurm' "exit status $status" test $status -eq 2
    expect 'what is missing is named' "$(cat "$here/text")" says "$here/text" 'harness/deps.sh slurm'
}

case ${1:-} in
--one) # one section, for the loop below
    section=$2
    here=$work/$2
    "$2"
    exit ;;
esac
for s in "$@"; do
    case " $sections " in
    *" $s "*) ;;
    *) echo "no section $s; there are: $sections"; exit 2 ;;
    esac
done
needs_tool
[ $# -gt 0 ] && sections=$*
rm -rf "$work"
mkdir -p "$work/alone"
export LOCKSTEP="$tool" WORK="$work"
write_plan
if [ "$sections" != rig ]; then # the regression that all are compared with, which also builds what they run
    here=$work/alone
    regress || { echo "the plan does not pass without a launcher: $(words)"; exit 2; }
fi
for s in $sections; do
    mkdir -p "$work/$s"
    if [ "$s" = rig ]; then sh "$0" --one rig
    else SLURM_RIG=$work/$s/rig $rig sh "$0" --one "$s"
    fi >"$work/$s.log" 2>&1
    grep -qE '^(ok|FAIL) ' "$work/$s.log" || echo "FAIL $s: no check was made" >>"$work/$s.log"
    cat "$work/$s.log"
done
passed=$(cat "$work"/*.log | grep -c '^ok ')
failed=$(cat "$work"/*.log | grep -c '^FAIL ')
tally
