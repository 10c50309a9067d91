#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A real Slurm on this one machine around a command: slurm.sh COMMAND… starts a controller and NODES nodes (slurmd), runs the command with
# SLURM_CONF set, and stops everything afterwards, whatever happens. Its exit status is the command's, 2 when Slurm could not be started.
# Everything is its own: munge key and socket, configuration, ports, spool and log folders below SLURM_RIG (default build/slurm). It needs no
# root, no systemd, and nothing of an installed Slurm's configuration. Everybody on the nodes is the user who started it.
#
# shellcheck disable=SC2317 # functions are called by name
#
# For tests, on a running rig, from within the command:
#   slurm.sh --kill-node NAME         kill -9 of a node's slurmd, of its job steps and of all that runs in them: the node has lost its power
#   slurm.sh --start-node NAME        the node is back
#   slurm.sh --kill-controller        kill -9 of slurmctld
#   slurm.sh --start-controller
#   slurm.sh --within SECONDS COMMAND…  tries the command until it succeeds; exit status 1 when the time is over
#
# NODES: how many, named n1 n2 …  (default 3); CPUS: jobs at a time on each (default 2, whatever the machine has).
# SLURM_DEAD: seconds without an answer until a node is given up (default 2; a real cluster waits minutes).
set -u
root=$(CDPATH='' cd "$(dirname "$0")/../.." && pwd) || exit 2
rig=${SLURM_RIG:-$root/build/slurm}
conf=$rig/slurm.conf
limit=${SLURM_LIMIT:-60} # seconds for anything to start or to end

say() { echo "slurm.sh: $*" >&2; }
die() {
    say "$*"
    exit 2
}

# Tries the command, twenty times a second, until it succeeds.
within() { # seconds, command…
    end=$(($(date +%s) + $1))
    shift
    until "$@"; do
        [ "$(date +%s)" -lt "$end" ] || return 1
        sleep 0.05
    done
}

# Processes of the rig: each of its daemons runs from a copy of its program below $rig/bin, so that it can be told from all others, and from
# other rigs'; zombies have no program any more.
daemons() { # folder below bin, "" for all
    # shellcheck disable=SC2012 # find would ask for the type of every one
    ls -l /proc/[0-9]*/exe 2>/dev/null | awk -v under="$rig/bin/$1" '{
        at = index($0, " /proc/"); split(substr($0, at + 1), part, "/"); target = substr($0, index($0, " -> ") + 4)
        if (index(target, under) == 1) print part[3] }'
}

# Tasks are known by what Slurm puts into their environment.
tasks() { # node, "" for all
    { grep -lzxF "SLURM_CONF=$conf" /proc/[0-9]*/environ | while IFS= read -r file; do
        if [ -n "$1" ]; then grep -lzxF "SLURMD_NODENAME=$1" "$file"; else grep -lz '^SLURMD_NODENAME=' "$file"; fi
    done | cut -d / -f 3; } 2>/dev/null
}

# Kills until nobody is left: who was about to start another process may have done so.
none_left() { # command that lists them…
    left=$("$@")
    [ -n "$left" ] || return 0
    # shellcheck disable=SC2086
    kill -KILL $left 2>/dev/null
    return 1
}
kill_all() { within "$limit" none_left "$@" || say "cannot end: $*: $left"; }

# Slurmd first, so that it starts no further step.
kill_node() {
    kill_all daemons "$1/slurmd"
    kill_all daemons "$1/"
    kill_all tasks "$1"
}

started='' # daemons, by process
start() { # log, program, arguments…
    log=$rig/log/$1
    shift
    setsid "$@" >>"$log" 2>&1 3>&- 4>&- </dev/null & # without the lock and the command's input
    started="$started $!"
}
start_controller() { start slurmctld.out "$rig/bin/controller/slurmctld" -D -f "$conf"; }
start_node() { start "$1.out" "$rig/bin/$1/slurmd" -D -f "$conf" -N "$1" -d "$rig/bin/$1/slurmstepd"; }

# Waits until the command succeeds; not when a daemon that was started has ended.
one_ended() {
    for pid in $started; do
        state=$(sed 's/.*) //' "/proc/$pid/stat" 2>/dev/null)
        case $state in '' | Z*) return 0 ;; esac
    done
    return 1
}
so_or_ended() { "$@" || one_ended; }
await() { within "$limit" so_or_ended "$@" && "$@"; }

answers() { scontrol ping 2>/dev/null | grep -q ' is UP'; }
idle() { [ "$(sinfo -h -N -n "$1" -o %T 2>/dev/null)" = idle ]; }
all_idle() { [ "$(sinfo -h -N -o %T 2>/dev/null | grep -cx idle)" -eq "$nodes" ]; }
has_node() { grep -q "^NodeName=$1 " "$conf" 2>/dev/null || die "no node $1; there are: $(sed -n 's/^NodeName=\([^ ]*\) .*/\1/p' "$conf" | tr '\n' ' ')"; }

# The last words of a daemon that did not come up.
last_words() { tail -n 3 "$rig"/log/*.out >&2; }

case ${1:-} in
'') die 'which command? slurm.sh COMMAND…' ;;
--within)
    [ $# -ge 3 ] || die '--within SECONDS COMMAND…'
    shift
    within "$@"
    exit ;;
--kill-node | --start-node | --kill-controller | --start-controller)
    export SLURM_CONF="$conf"
    case $1 in *-node)
        [ $# -eq 2 ] || die "$1 NAME"
        has_node "$2" ;;
    esac
    case $1 in
    --kill-node) kill_node "$2" ;;
    --kill-controller) kill_all daemons controller/slurmctld ;;
    --start-node)
        [ -z "$(daemons "$2/slurmd")" ] || die "node $2 is running"
        start_node "$2"
        await idle "$2" || { last_words; die "node $2 does not become idle"; } ;;
    --start-controller)
        [ -z "$(daemons controller/slurmctld)" ] || die 'the controller is running'
        start_controller
        await answers || { last_words; die 'the controller does not answer'; } ;;
    esac
    exit 0 ;;
-*) die "no option $1" ;;
esac

nodes=${NODES:-3}
cpus=${CPUS:-2}
for n in "$nodes" "$cpus"; do
    case $n in '' | *[!0-9]* | 0* | ???*) die "NODES and CPUS are 1 to 99, not \"$n\"" ;; esac
done
PATH=$PATH:/usr/sbin:/sbin
missing=''
for program in munged slurmctld slurmd slurmstepd srun sinfo scontrol; do
    command -v $program >/dev/null 2>&1 || missing="$missing $program"
done
[ -z "$missing" ] || die "not installed:$missing; type: harness/deps.sh slurm"

# One at a time in a folder; what a rig left that was killed itself is ended.
mkdir -p "$rig/log" || exit 2
exec 4>"$rig/lock"
flock -n 4 || die "another one is running in $rig; SLURM_RIG names another folder"
stop() {
    trap '' HUP INT TERM
    [ -z "${command:-}" ] || kill -TERM "$command" 2>/dev/null
    kill_all daemons ''
    kill_all tasks ''
    short=$(readlink "$rig/short")
    case $short in */slurm.??????) rm -rf "$short" ;; esac
    rm -rf "$rig/short" "${rig:?}/bin" "$rig/state"
}
stop
trap stop EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
rm -rf "$rig/log"
mkdir -p "$rig/log" "$rig/state" "$rig/bin/controller"

# Sockets have short names: 107 characters at most.
short=$(mktemp -d "${TMPDIR:-/tmp}/slurm.XXXXXX") || exit 2
ln -s "$short" "$rig/short"
[ ${#short} -le 60 ] || die "TMPDIR is too long a name for sockets: ${TMPDIR:-/tmp}"

copy() { cp "$(command -v "$1")" "$rig/bin/$2/$1" || die "cannot copy $1 into $rig/bin"; }
copy slurmctld controller
copy munged controller

# Ports that nobody listens on, below those that the kernel hands out.
listening() { cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk '$4 == "0A" { sub(/.*:/, "", $2); print $2 }'; }
port=$((20000 + $$ * 128 % 12000))
taken=$(listening)
first_taken() {
    p=$port
    while [ "$p" -le $((port + nodes)) ]; do
        case $taken in *"$(printf %04X "$p")"*) return 0 ;; esac
        p=$((p + 1))
    done
    return 1
}
while first_taken; do port=$((20000 + (port + 1 - 20000) % 12000)); done

user=$(id -un) || die 'this user has no name'
host=$(uname -n | cut -d . -f 1)
{
    cat <<END
ClusterName=rig
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$short/munge
StateSaveLocation=$rig/state
SlurmdSpoolDir=$short/%n
SlurmctldPidFile=$rig/slurmctld.pid
SlurmdPidFile=$rig/%n.pid
SlurmctldLogFile=$rig/log/slurmctld
SlurmdLogFile=$rig/log/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
# the nodes share one machine: they have the processors that are written here
SlurmdParameters=config_overrides
# a node that answers again is used again
ReturnToService=2
SlurmdTimeout=${SLURM_DEAD:-2}
MessageTimeout=2
KillWait=2
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
END
    n=0
    while [ "$n" -lt "$nodes" ]; do
        n=$((n + 1))
        echo "NodeName=n$n NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + n)) CPUs=$cpus"
    done
} >"$conf"

# shellcheck disable=SC3028,SC2039 # umask of the key
(umask 077 && head -c 128 /dev/urandom >"$short/key") || exit 2
chmod 711 "$short"
start munged.out "$rig/bin/controller/munged" --foreground --force --key-file="$short/key" --socket="$short/munge" \
    --log-file="$rig/log/munged" --pid-file="$short/munged.pid" --seed-file="$short/seed"
await test -S "$short/munge" || { last_words; die 'munge makes no socket'; }
export SLURM_CONF="$conf" SLURM_RIG="$rig"
start_controller
n=0
while [ "$n" -lt "$nodes" ]; do
    n=$((n + 1))
    mkdir -p "$rig/bin/n$n"
    copy slurmd "n$n"
    copy slurmstepd "n$n"
    start_node "n$n"
done
await answers || { last_words; die "the controller does not answer; logs in $rig/log"; }
await all_idle || { last_words; sinfo -N >&2; die "not all nodes become idle; logs in $rig/log"; }

exec 3<&0
"$@" <&3 4>&- &
command=$!
wait "$command"
status=$?
command=''
exit "$status"
