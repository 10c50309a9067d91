#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The engine put to the test from outside: whatever a DUT, its user or the machine does has a name, an exit code and a message that helps.
# One line a check, "ok …" or "FAIL … why"; the last line is "N passed, N failed". JOBS: sections at a time (default 2).
# engine_tests.sh [SECTION…] runs those sections alone. They are in engine/, a file a topic; here is what these share.
# shellcheck disable=SC2016,SC2317,SC3045 # RTL holds $finish and the like; functions are called by name
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh # $tool, the tool under test ...
objects=${OBJECTS:-build/obj}     # ... and the objects it was linked from
work=${WORK:-build/engine}
sections=''

# Runs the tool and demands exit code, status of the record ("-": no record) and what it must say (checks.sh); @path is of that record or of --json.
check() { # name, exit code, status, items, arguments…
    name=$1 code=$2 status=$3 items=$4 from=$here/text
    shift 4
    rm -rf "$here/record" "$here/out"
    case $1 in
    run) set -- "$@" --record "$here/record" --output "$here/out" --no-shrink ;;
    replay) set -- "$@" --record "$here/record" --output "$here/out" ;;
    esac
    "$tool" "$@" >"$here/text" 2>&1
    got=$?
    seen=-
    [ ! -f "$here/record" ] || { from=$here/record && seen=$("$work/record_of" status <"$from" 2>&1); }
    if [ "$got" -ne "$code" ]; then bad "$name" "exit $got and not $code: $(head -n 3 "$here/text" | tr '\n' ' ')"
    elif [ "$seen" != "$status" ]; then bad "$name" "status $seen and not $status"
    elif ! says "$here/text" "$items" "$from"; then bad "$name" "\"$missing\" is not in: $(head -n 4 "$here/text" | tr '\n' ' ')"
    elif ! whole_lines "$here/text"; then bad "$name" "no newline at the end: $(tail -n 1 "$here/text")"
    else ok "$name"; return 0
    fi
    return 1
}

# A changed copy of an RTL file: sed expressions that must change something.
vary() { # from, to, sed arguments…
    from=$1 to=$2
    shift 2
    sed "$@" "$from" >"$to"
    if cmp -s "$from" "$to"; then bad "$to" "sed changed nothing"; fi
}

# Whether the Verilator in use is newer than such a one, 5.006 as 5006: it takes some things otherwise.
newer() { "$tool" version | awk -v than="$1" '{ split($NF, v, "."); exit !(v[1] * 1000 + v[2] > than) }'; }

field() { "$work/record_of" "$1" <"$here/record"; }

rr=rtl/common/rf_rr.sv

# A counter that nothing compares (hence --ports-only): `age` is 0 in cycle 2, the first after the reset, and 100 in cycle 102, which is
# from the edge of cycle 101 on.
with_age() { # to, line to add
    vary $rr "$1" -e "s|^endmodule|  logic [15:0] age;\n  always_ff @(posedge clk_i) age <= rst_ni ? age + 1'b1 : '0;\n$2\nendmodule|"
}

# A record without what differs from run to run.
stable() { sed -E 's/"(build_)?seconds":[0-9.e+-]*,//g; s/"build_cached":(true|false),//' "$1"; }

# A bank whose writes to row 17 also turn lane 0 of row 42 around.
wild_bank() {
    vary rtl/banked/rf_bank.sv "$1" -e "s/if (write \&\& rst_ni) mem_q\[waddr_i\] <= .*/if (write \&\& rst_ni) begin\n      mem_q[waddr_i] <= merge(mem_q[waddr_i], wdata_i, wmask_i);\n      if (waddr_i == 6'd17) mem_q[42][31:0] <= ~mem_q[42][31:0];\n    end/"
}

# A copy of the tree, with the tool under test and the objects that it was linked from.
copy_tree() { # to
    from=$(dirname "$objects")
    mkdir -p "$1/build"
    cp -a Makefile harness cmodel tb waves rtl "$1"
    cp -a "$objects" "$1/build/obj"
    cp -a "$from/lockstep" "$from/librfmodel.a" "$from/units.c" "$from/sources.o" "$from/sources.sum" "$1/build"
}

gold=$(command -v ld.gold >/dev/null && echo -fuse-ld=gold) # links the tool in a third of the time
for topic in tb/tests/engine/*.sh; do . "$topic"; done
# TURN=K (tb/README.md): a third of the sections, others with other K; a 16th of it, so that a section is sampled within as it is with any K.
[ $# -gt 0 ] || [ -z "${TURN:-}" ] || sections=$(TURN=$((TURN / 16)) && for s in $sections; do ! sampled 3 || echo "$s"; done)
run_sections "$@"
