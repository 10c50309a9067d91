#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A picture of a GTKWave view, without a display: picture.sh VIEW.gtkw OUT.png
# Exit code: 0 there it is; 2 it cannot be made, with the reason on stderr.
set -u
say() { echo "picture.sh: $*" >&2; exit 2; }
[ $# -eq 2 ] || say "usage: picture.sh VIEW.gtkw OUT.png"
[ -r "$1" ] || say "$1: no such file, or not readable"
here=$(CDPATH='' cd "$(dirname "$0")" && pwd) || exit 2
missing=
for tool in gtkwave:gtkwave xvfb-run:xvfb Xvfb:xvfb xauth:xauth; do
    command -v "${tool%:*}" >/dev/null 2>&1 || case " $missing " in *" ${tool#*:} "*) ;; *) missing="$missing ${tool#*:}" ;; esac
done
[ -z "$missing" ] || say "no picture without these Debian packages: apt-get install$missing"

dir=$(CDPATH='' cd "$(dirname "$1")" && pwd) || exit 2
view=$dir/$(basename "$1")
out=$(CDPATH='' cd "$(dirname "$2")" 2>/dev/null && pwd) || say "$2: no such folder"
out=$out/$(basename "$2")
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 2' HUP INT TERM
# How GTKWave itself ended is noted apart: xvfb-run may fail afterwards, when its own files are gone before it removes them.
# shellcheck disable=SC2016 # the inner shell's
PICTURE=$work/view.png GDK_BACKEND=x11 timeout 100 xvfb-run -a -s "-screen 0 1700x1100x24" \
    sh -c 'gtkwave -S "$1" "$2" >"$3/log" 2>&1; echo $? >"$3/ended"' sh "$here/picture.tcl" "$view" "$work" >"$work/display" 2>&1
ended=$?
last_line() { grep -v '^[[:space:]]*$' "$1" | tail -n 1; }
if [ ! -s "$work/view.png" ]; then
    [ "$ended" -ne 124 ] || say "$1: GTKWave did not end within 100 s"
    [ -s "$work/ended" ] || say "$1: no display for GTKWave (exit status $ended): $(last_line "$work/display")"
    say "$1: GTKWave made no picture (exit status $(cat "$work/ended")): $(last_line "$work/log")"
fi
# Beside its place first: readers see a whole picture or none.
if ! cp "$work/view.png" "$out.new" || ! mv "$out.new" "$out"; then say "$2: cannot be written"; fi
