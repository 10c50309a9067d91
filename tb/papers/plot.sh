#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# plot.sh FOLDER: FILE.svg for each FILE.gp in it, by gnuplot. What names gnuplot and its version goes, the script's first line is the title;
# in a reader's dark theme light becomes dark, with the same hues.
set -u
theme='<style>@media (prefers-color-scheme:dark){svg{filter:invert(.92) hue-rotate(180deg)}}</style>'
for script in "$1"/*.gp; do
    [ -f "$script" ] || continue
    plot=${script%.gp}
    gnuplot "$script" >"$plot.new" && [ -s "$plot.new" ] || { echo "FAIL gnuplot $script"; exit 1; }
    title=$(sed -n -e 's/&/\&amp;/g' -e 's/</\&lt;/g' -e 's/[\\&|]/\\&/g' -e '1s/^# //p' "$script")
    sed -e "s|<title>Gnuplot</title>|<title>$title</title>$theme|" -e '/^<desc>Produced by/d' -e 's/[[:blank:]]*$//' -e '/^$/d' \
        "$plot.new" >"$plot.svg" || exit 1
    rm "$plot.new"
done
