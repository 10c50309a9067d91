#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# growth.sh [WARPS|BANKS|LANES|trace|jobs…]: processor time and peak memory against the size of what is asked, each with its exponent
# (docs/performance.md, "Growth"). Exponents: least squares on logarithms, over all sizes and over the two largest, where what every size costs
# weighs least. Leaves build/growth-runs/{growth.tsv,table.md,growth.svg}. Ends with "N passed, N failed": commands that ended as they should, and
# series of which nothing grows faster than what is asked.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
. tb/tests/lock.sh
needs_tool
[ -x build/growth ] || { echo 'no build/growth: make growth'; exit 2; }
take_lock growth
work=$PWD/build/growth-runs
here=$work
rm -rf "$work"
mkdir -p "$work"
rows=$work/growth.tsv
export LOCKSTEP_CACHE="$work/dut"

# Runs a command of the tool: $cpu seconds, $peak megabytes.
cost() { # name, exit status (one of these digits), arguments…
    what=$1 wanted=$2
    shift 2
    read -r cpu peak got <<GOT
$(build/growth cost "$work/text" "$tool" "$@")
GOT
    case $wanted in
    *"${got:-none}"*) ;;
    *) bad "$what" "exit ${got:-none} and not $wanted: $(tail -n 2 "$work/text" | tr '\n' ' ')" ;;
    esac
}
note() { printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$5" >>"$rows"; } # panel, series, size, seconds, megabytes
less() { awk -v a="$1" -v b="$2" -v n="$3" 'BEGIN { d = (a - b) / n; printf "%.9f", (d > 0 ? d : 0) }'; }
smallest() { awk -v a="$1" -v b="$2" 'BEGIN { print (a == "" || b + 0 < a + 0 ? b : a) }'; }

# Seconds of a cycle: the difference of a long run and a short one, each the best of five.
cycle() { # panel, series, size, exit status of the short run (it may have seen too little), cycles, arguments…
    panel=$1 series=$2 size=$3 short=$4 cycles=$5 long_best='' short_best=''
    shift 5
    for i in 1 2 3 4 5; do
        cost "$series at $panel $size" 0 "$@" --cycles "$cycles"
        long_best=$(smallest "$long_best" "$cpu") at=$peak
        cost "$series at $panel $size, short" "$short" "$@" --cycles 1000
        short_best=$(smallest "$short_best" "$cpu")
    done
    note "$panel" "$series" "$size" "$(less "$long_best" "$short_best" $((cycles - 1000)))" "$at"
}

sizes() { # parameter, values…
    parameter=$1
    shift
    for n in "$@"; do
        set=--param\ $parameter=$n
        rm -rf "$work/dut"/rf_banked-* # the defaults are among the sizes of each
        # shellcheck disable=SC2086
        cost "build at $parameter $n" 0 run rf_banked $set --cycles 20k
        built=$cpu at=$peak
        # shellcheck disable=SC2086
        cost "run at $parameter $n" 0 run rf_banked $set --cycles 20k
        note "$parameter" 'build of the DUT' "$n" "$(less "$built" "$cpu" 1)" "$at"
        # shellcheck disable=SC2086
        cycle "$parameter" 'a cycle in lockstep' "$n" 01 100000 run rf_banked $set
        # shellcheck disable=SC2086
        cycle "$parameter" 'a cycle of the model' "$n" 0 300000 model rf_banked $set
    done
}

# A trace of ten warps, 1,000 instructions each, named as often as it takes.
trace() {
    mkdir -p "$work/trace"
    awk 'BEGIN {
        print "-kernel name = _Z6growthv\n-kernel id = 1\n-grid dim = (10,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 32"
        print "-binary version = 80\n-cuda stream id = 0\n-shmem base_addr = 0x00007fc858000000\n-local mem base_addr = 0x00007fc856000000"
        print "-nvbit version = 1.5.3\n-accelsim tracer version = 3\n"
        for (w = 0; w < 10; w++) {
            printf "#BEGIN_TB\n\nthread block = %d,0,0\n\nwarp = 0\ninsts = 1000\n", w
            for (i = 0; i < 999; i++)
                printf "%04x ffffffff 1 R%d FFMA 3 R%d R%d R%d 0 \n", 16 * i, i % 13 + 4, i * 7 % 17, i * 5 % 19, (i + 3) % 23
            print "3e70 ffffffff 0 EXIT 0 0 \n\n#END_TB\n"
        }
    }' >"$work/trace/kernel-1.traceg"
    for n in 10000 100000 1000000 10000000 100000000; do
        awk -v n="$n" 'BEGIN { for (i = 0; i < n; i += 10000) print "kernel-1.traceg" }' >"$work/trace/kernelslist.g"
        cost "model on $n instructions" 0 model rf_banked --workload "$work/trace/kernelslist.g"
        says "$work/text" " $n" || bad "model on $n instructions" 'it ran others'
        note 'instructions of a trace' 'model' "$n" "$cpu" "$peak"
        cost "stream of $n instructions" 0 workload build "$work/trace/kernelslist.g" -o "$work/trace/stream.rfs"
        note 'instructions of a trace' 'stream file' "$n" "$cpu" "$peak"
    done
}

# Regressions whose jobs have all passed but the last, which build/growth stands in for; jobs are not what is measured. In memory where there
# is such a folder: each record waits for the disk, 100,000 of them half an hour.
jobs() {
    folders=$work/jobs
    [ ! -w /dev/shm ] || folders=$(mktemp -d /dev/shm/growth.XXXXXX)
    trap 'rm -rf "$folders"' EXIT
    mkdir -p "$folders"
    printf '#!/bin/sh\nkill -TERM $PPID\n' >"$work/stop"
    chmod +x "$work/stop"
    cost 'a job' 0 run rf_lfsr --cycles 20k --record "$work/run"
    for n in 10 100 1000 10000 100000; do
        folder=$folders/$n
        echo "1 rf_lfsr default random fixed:$n 20k" >"$folder.plan"
        cost "plan of $n jobs" 2 regress "$folder.plan" --output "$folder.none" --only none --history "$folder.db"
        note 'jobs of a regression' 'plan' "$n" "$cpu" "$peak"
        cost "begin of $n jobs" 2 regress "$folder.plan" --output "$folder" --history "$folder.db" --quiet --launch "$work/stop"
        ticket=$(build/growth records "$folder" "$work/run") || bad "records of $n jobs" 'none'
        job_best=''
        for i in 1 2 3 4 5; do
            cp "$folder/records/$((n - 1)).json" "$work/record"
            cost "a job of $n" 0 job "$folder" --number $((n - 1)) --ticket "$ticket"
            job_best=$(smallest "$job_best" "$cpu") at=$peak
            [ "$i" -eq 5 ] || cp "$work/record" "$folder/records/$((n - 1)).json"
        done
        note 'jobs of a regression' 'all that is of one job' "$n" "$(less "$job_best" 0 1)" "$at"
        cost "records of $n jobs" 0 regress --resume "$folder" --history "$folder.db" --quiet --launch env
        note 'jobs of a regression' 'records, history, reports' "$n" "$cpu" "$peak"
        rm -rf "$folder" "$folder.db"
    done
}

: >"$rows"
for part in ${*:-WARPS BANKS LANES trace jobs}; do
    case $part in
    WARPS | BANKS | LANES) cost 'the runtime' 0 run rf_rr ;; # Verilator's, compiled once
    esac
    case $part in
    WARPS) sizes WARPS 8 16 32 64 ;;
    BANKS) sizes BANKS 4 8 16 32 ;;
    LANES) sizes LANES 1 2 4 8 16 32 ;;
    trace | jobs) $part ;;
    *) echo "no part $part; there are: WARPS BANKS LANES trace jobs"; exit 2 ;;
    esac
done

# Exponents. A job's share is what one of n costs: it may not grow at all.
awk -F '\t' '
function text(s) { return s >= 1 ? sprintf("%.1f s", s) : s >= 1e-3 ? sprintf("%.0f ms", 1e3 * s) : sprintf("%.2f us", 1e6 * s) }
function slope(key, from, which,   i, x, y, n, sx, sy, sxx, sxy) {
    for (i = from; i <= count[key]; i++) {
        x = log(size[key, i]); y = log(which == "time" ? seconds[key, i] : peak[key, i])
        n++; sx += x; sy += y; sxx += x * x; sxy += x * y
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx)
}
{
    key = $1 SUBSEP $2
    if (!(key in count)) order[++series] = key
    n = ++count[key]; size[key, n] = $3; seconds[key, n] = $4 > 1e-9 ? $4 : 1e-9; peak[key, n] = $5
}
END {
    print "| against | of | sizes | time, smallest to largest | exponent | last two | memory, MB | exponent | last two |"
    print "|---|---|--:|--:|--:|--:|--:|--:|--:|"
    for (i = 1; i <= series; i++) {
        key = order[i]; n = count[key]; split(key, part, SUBSEP)
        last = slope(key, n - 1, "time"); memory = slope(key, n - 1, "memory")
        printf "| %s | %s | %d to %d | %s to %s | %.2f | %.2f | %.0f to %.0f | %.2f | %.2f |\n", part[1], part[2], size[key, 1], size[key, n],
            text(seconds[key, 1]), text(seconds[key, n]), slope(key, 1, "time"), last, peak[key, 1], peak[key, n], slope(key, 1, "memory"), memory
        limit = part[2] ~ /one job/ ? 0.25 : 1.2
        printf "%s\t%s against %s\t%.2f %.2f\n", last <= limit && memory <= 1.2 ? "ok" : "FAIL", part[2], part[1], last, memory >"/dev/stderr"
    }
}' "$rows" >"$work/table.md" 2>"$work/verdicts"
while IFS='	' read -r verdict name exponents; do
    expect "$name: no faster than what is asked" "exponents of time and memory of the last two: $exponents" [ "$verdict" = ok ]
done <"$work/verdicts"

# One panel a size, logarithmic both ways.
{
    echo '# Time against size'
    echo "wide = 900; high = 620; load 'tb/papers/plot.gp'"
    echo 'set multiplot layout 2,3'
    echo 'set lmargin 9; set rmargin 2; set tmargin 5; set bmargin 3; set logscale xy; set format "%.0e"'
    echo 'set key at graph 0, screen 1 left bottom vertical; set key at graph 0, graph 1.03 left bottom vertical Left reverse samplen 1'
    awk -F '\t' '
    {
        if (!($1 in seen)) { seen[$1] = 1; panel[++panels] = $1 }
        key = $1 SUBSEP $2
        if (!(key in data)) of[$1] = of[$1] SUBSEP $2
        data[key] = data[key] $3 " " ($4 > 1e-9 ? $4 : 1e-9) "\n"
    }
    END {
        for (p = 1; p <= panels; p++) {
            n = split(substr(of[panel[p]], 2), name, SUBSEP)
            printf "set xlabel \"%s\"\n", panel[p]
            for (i = 1; i <= n; i++) printf "$d%d_%d << EOD\n%sEOD\n", p, i, data[panel[p] SUBSEP name[i]]
            printf "plot"
            for (i = 1; i <= n; i++) printf "%s $d%d_%d using 1:2 with linespoints lt %d pt 7 ps 0.5 title \"%s, s\"", (i > 1 ? "," : ""), p, i, i + 1, name[i]
            printf "\n"
        }
    }' "$rows"
    echo 'unset multiplot'
} >"$work/growth.gp"
sh tb/papers/plot.sh "$work" || bad plot 'gnuplot failed'
cat "$work/table.md"
tally
