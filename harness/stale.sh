#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# stale.sh BUILD removes every object below that folder whose sources are not, by content, what it was compiled from, or that was not finished
# (compile.sh), and prints it. For make, before it looks at them: it goes by times alone, and a source that is older than its object may
# be another one all the same (touch -d, a copy that keeps times, another clock).
set -u
build=$1
[ -d "$build/obj" ] || exit 0
export LC_ALL=C
work=$(mktemp -d) || exit
trap 'rm -rf "$work"' EXIT
below() { find "$build/obj" "$build/san" "$build/gcov/obj" -path "$build/*/*/$1" 2>/dev/null; }
below '*.sum' | sort >"$work/sums"
below '*.o' | sed 's/\.o$/.sum/' | sort | comm -23 - "$work/sums" | grep -v '/obj/units.sum$' >"$work/candidates"
xargs -r cat <"$work/sums" | sort -u >"$work/compiled"
cut -c 67- "$work/compiled" | sort -u | xargs -r sha256sum 2>/dev/null | sort | comm -23 "$work/compiled" - >"$work/other"
[ ! -s "$work/other" ] || xargs grep -lxF -f "$work/other" <"$work/sums" >>"$work/candidates"
while read -r sum; do
    base=${sum%.sum}
    (
        flock -n 9 || exit # it is being compiled
        [ -s "$sum" ] && sha256sum --check --status "$sum" 2>/dev/null && exit # it was, meanwhile
        rm -f "$base.o" "$sum"
        echo "$base.o"
    ) 9>>"$base.begun"
done <"$work/candidates"
