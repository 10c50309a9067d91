#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every check that needs no lockstep: RTL under verilator -Wall at every parameter set, through Yosys and in Icarus, C under gcc and clang,
# public headers alone in C and C++, and the house rules. One line a failure; ends with "N passed, N failed".
# SETS=N: -Wall at no more than N parameter sets of each unit, evenly spread. TURN=K: a whole synthesis of one unit in eight, others with each K; the
# rest as far as Yosys reads and checks them, which takes a tenth of the time; clang-tidy and Icarus of one file in four. lint.sh UNIT: of one unit its RTL,
# with that of the units in it, the files of its model and bench, and its place in lists; no rules of the whole project.
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/lock.sh
. tb/tests/checks.sh
take_lock lint
only=${1:-}
jobs=${JOBS:-1}
work=build/lint${only:+-$only}
rm -rf "$work"
mkdir -p "$work"
[ -x build/lockstep ] || make -s all >"$work/make.log" 2>&1 || { cat "$work/make.log"; exit 2; }

# Each check is a file with a command line; it passes when the command prints nothing and exits with 0.
n=0
check() { # name, command
    n=$((n + 1))
    printf '%s\n' "$1" >"$work/$n.name"
    printf '%s\n' "$2" >"$work/$n.sh"
}

build/lockstep list --small >"$work/small"
verilator=$(command -v verilator_bin || echo verilator) # the program itself: its wrapper in Perl takes longer than it
rtl='rtl/*/*.sv' bench='tb/*/*.sv'
if [ -n "$only" ]; then
    build/lockstep list "$only" --all-sets >"$work/sets" || exit 2
    rtl=$(build/lockstep list "$only" --files) bench=$(ls tb/*/"${only}_check.sv" 2>/dev/null)
else
    build/lockstep list --all-sets ${SETS:+--sample "$SETS"} >"$work/sets"
fi

# Of the files on stdin those to lint: all, or those that have a name of the unit's, rf_x.*, rf_x_* or test_rf_x.*, and of no unit with a longer one.
linted() {
    awk -v only="$only" 'NR == FNR { units[$1]; next }
        { base = $0; sub(/.*\//, "", base); sub(/^test_/, "", base); owner = ""
          for (u in units) if (length(u) > length(owner) && index(base, u) == 1 && substr(base, length(u) + 1, 1) ~ /[._]/) owner = u
          if (only == "" || owner == only) print }' "$work/small" -
}

while read -r unit set; do
    files=$(build/lockstep list "$unit" --files)
    waivers=$(ls rtl/*/*.vlt 2>/dev/null | tr '\n' ' ')
    params=''
    for p in $set; do
        params="$params -G$p"
    done
    check "verilator -Wall $unit $set" "$verilator --lint-only -Wall $waivers$params --top-module $unit $files"
done <"$work/sets"

# What Yosys reads wrongly we may not write: every unit through a whole synthesis, at parameters that keep it short. Systems go as far as memories are
# cells of their own: what comes after, gate by gate, is done with their parts.
while read -r unit set; do
    [ "${only:-$unit}" = "$unit" ] || continue
    params=''
    for p in $set; do params="$params -set ${p%%=*} ${p#*=}"; done
    case $unit in rf_banked | rf_steal | rf_malekeh | rf_wir | rf_hierarchy | rf_cerf | rf_cerf_memory) passes="synth -flatten -run begin:fine -top $unit" ;; *) passes="synth -flatten -top $unit" ;; esac
    sampled 8 || passes='proc -noopt; flatten'
    check "yosys $unit $set" "yosys -q -w 'Replacing memory' -p 'read_verilog -defer -sv $(build/lockstep list "$unit" --files); ${params:+chparam$params $unit; }hierarchy -check -top $unit; $passes; check -assert; tee -q -o $work/$unit.stat stat' && grep -q 'Number of cells' $work/$unit.stat"
done <"$work/small"
# Five things it reads without a word (docs/architecture.md): -W'(x) as (-W)'(x), {a, b - W'(c)} with the width of c, '1 of a
# localparam as 1, P ? '1 : x as 1 where parameters decide, and x / W'(n), where a cut-off n is 0, as anything.
sign="(^ *[~!-]|[(={,?:;^~!<>*/+[-] *[-~!&|^+]|[&|] +[-~!&|^+]|[&|][-~!^+]) *([A-Za-z0-9_:]+|\\([^()]*\\))'\\("
width="\\{([^{}]*,)?[^{},]*([-+*^&|~?][^{},]*'\\(\\)|'\\(\\)[^{},]*[-+*^&|?])"
cat >"$work/casts.sh" <<EOF
grep -nE "$sign" "\$@"
sed -E "s/'\\([^()]*\\)/'()/g" "\$@" | grep -E "$width"
grep -nE "^ *(localparam|parameter)[^=]*= *'1|^[^/]*[/%] *[A-Za-z0-9_]+'\\(" "\$@"
grep -nE "\\(?[A-Z][A-Z0-9_]* *[=!<>]+ *[A-Z0-9_]+\\)? *[?] *('1|[^;]*: *'1)" "\$@"
true
EOF
check "casts and constants that Yosys reads otherwise" "sh $work/casts.sh $rtl"
check "size casts of what depends on the width" "awk -f tb/tests/casts.awk $rtl $bench"
check "widths of indices are rf_pkg::index_bits" "grep -HnE '[?] *[$]clog2' $rtl $bench | grep -v '^rtl/common/rf_pkg.sv:'; true"

# The third reading: Icarus computes what the model does. In an array of one word, between instances, it has X: two collectors and two slots at least.
sed -E 's/\b(COLLECTORS|SLOTS)=1\b/\1=2/g' "$work/small" >"$work/two"
while read -r unit set; do
    [ "${only:-$unit}" = "$unit" ] || continue
    sampled 4 && check "icarus $unit $set" "tb/tests/icarus.sh $work/icarus/$unit $unit '$set' $(build/lockstep list "$unit" --files)"
done <"$work/two"

warnings='-Wall -Wextra -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror'
# A dozen files a call, which takes a quarter less than each by itself.
dozens() { # files on stdin; one dozen in how many with TURN, name, command, its further arguments
    xargs -r -n 12 >"$work/dozens"
    while read -r files; do sampled "$1" && check "$2 $files" "$3 $files $4"; done <"$work/dozens"
}
git ls-files -co --exclude-standard '*.c' '*.h' | linted >"$work/sources"
dozens 1 'format of' 'clang-format-14 --dry-run -Werror' '' <"$work/sources"
# clang's warnings are part of clang-tidy's findings; tests may convert as they like.
flags="-std=c11 -D_GNU_SOURCE -DLS_VERSION='\"0\"' -DLS_DATADIR='\"/x\"' -I. -isystem /usr/include/iverilog -isystem $(llvm-config-14 --includedir) -isystem $(yosys-config --datdir)/include"
projects='^(harness/project/skeleton|tb/tests/foreign)/' # their headers are found from their own folders
loose='/test_[^/]*$|^tb/tests/json\.c$|^tb/workload/fuzz/'
grep '\.c$' "$work/sources" | grep -vE "$loose|$projects" >"$work/strict.list"
grep '\.c$' "$work/sources" | grep -E "$loose" | grep -vE "$projects" >"$work/loose.list"
dozens 4 clang-tidy 'clang-tidy-14 --quiet' "-- $flags ${warnings% -Werror} 2>/dev/null" <"$work/strict.list"
dozens 4 clang-tidy 'clang-tidy-14 --quiet' "-- $flags 2>/dev/null" <"$work/loose.list"
grep '\.c$' "$work/sources" | grep -E "$projects" >"$work/projects.list"
dozens 1 clang-tidy 'clang-tidy-14 --quiet' "-- $flags -Iharness/project/skeleton -Itb/tests/foreign 2>/dev/null" <"$work/projects.list"
for f in $(ls cmodel/*/*.h harness/*/*.h | linted); do
    case $f in harness/core/unit_define.h) continue ;; esac
    check "header alone, C: $f" "printf '#include \"%s\"\n' $f | gcc -std=c11 -D_GNU_SOURCE -I. $warnings -fsyntax-only -x c -"
done
for f in $(ls cmodel/*/*.h harness/dut/dut.h harness/dut/elab.h harness/dut/build.h | linted); do
    check "header alone, C++: $f" "printf '#include \"%s\"\n' $f | g++ -I. -Wall -Wextra -Werror -fsyntax-only -x c++ -"
done

if [ -z "$only" ]; then
    for f in cmodel/*/*.h; do printf '#include "%s"\n' "$f"; done >"$work/headers.h"
    check "headers together, C" "gcc -std=c11 -I. $warnings -fsyntax-only -x c $work/headers.h"
    check "headers together, C++" "g++ -I. -Wall -Wextra -Werror -fsyntax-only -x c++ $work/headers.h"

    # The PTX beside the kernels is what clang makes of them.
    check "PTX of the kernels" "tb/workload/ptx.sh --check $work/ptx"

    # Who may know whom (docs/architecture.md), and what every file starts with.
    groups=$(ls tb/*/rf_*.fields | cut -d / -f 2 | sort -u | paste -sd '|' -) # a unit's folder has the name of its field list's
    check "harness includes nothing of a unit" "grep -nE '#include \"(cmodel/($groups)|tb)/' harness/*/*.c harness/*/*.h; test \$? -eq 1"
    check "layers, circles (harness/README.md)" "sh tb/tests/layers.sh build/obj"
    check "cmodel includes cmodel only" "grep -nE '#include \"(harness|tb|waves)/' cmodel/*/*.c cmodel/*/*.h; test \$? -eq 1"
    check "licence line in every source" "git ls-files -co --exclude-standard '*.c' '*.h' '*.cpp' '*.sv' '*.sh' '*.cl' '*.cu' '*.fields' '*.vlt' '*.tcl' | xargs -r grep -L SPDX-License-Identifier"
    check "functions that are named after what they do" "git ls-files -co --exclude-standard '*.c' '*.h' | xargs -r grep -nE '(\\bstatic|_PART) .*[ *](show|tell|take|go|ask|look|put)[(]'; true"
    # Tables, and pages that a command writes (their first lines say which), have lines as long as it takes.
    git ls-files -co --exclude-standard '*.md' ':!tb/papers/*/page.md' | while read -r f; do
        head -n 3 "$f" | grep -qE '^<!-- (Written|made) by ' || echo "$f"
    done >"$work/pages.list"
    check "lines of pages have at most 120 columns" "LC_ALL=C.UTF-8 xargs grep -nE '^[^|].{120}' <$work/pages.list; test \$? -eq 123"
    check "at most 50,000 words of prose" "xargs awk -v most=50000 -f tb/tests/prose.awk <$work/pages.list"
    check "no Python but in examples" "git ls-files '*.py' | grep -v '^examples/'; true"
    check "the catalogue says what is proved" "awk -f tb/tests/proved.awk tb/proof.sets docs/units/README.md"
fi
check "manifests of the RTL (make manifests)" "rtl/manifests.sh $work/manifests && for f in rtl/rf_lockstep.f rtl/rf_lockstep.core Bender.yml; do diff \$f $work/manifests/\$f; done"
for f in $(ls tb/*/rf_*.fields | linted); do
    unit=$(basename "$f" .fields)
    group=$(basename "$(dirname "$f")")
    files="rtl/$group/$unit.sv cmodel/$group/$unit.h cmodel/$group/$unit.c $f tb/$group/$unit.c tb/$group/judge/test_$unit.c docs/units/$unit.md"
    check "the files of $unit" "ls $files >/dev/null"
    check "$unit is in docs/units/README.md" "grep -qF '| [\`$unit\`]($unit.md) |' docs/units/README.md"
    check "$unit has nothing left to write (lockstep new)" "! grep -nE 'TODO|LS_SKELETON' $files"
done

# A check that prints or fails is shown with its output.
seq "$n" | xargs -P "$jobs" -I{} sh -c "sh $work/{}.sh >$work/{}.log 2>&1 || echo 'exit status not 0' >>$work/{}.log"
failed=0
i=0
while [ "$i" -lt "$n" ]; do
    i=$((i + 1))
    if [ -s "$work/$i.log" ]; then
        failed=$((failed + 1))
        echo "FAIL $(cat "$work/$i.name")"
        head -n 8 "$work/$i.log" | sed 's/^/     /'
    fi
done
echo "lint: $((n - failed)) passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$n" -gt 0 ]
