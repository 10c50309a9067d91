#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# compile.sh OBJECT COMPILER ARGUMENT… compiles one source, and leaves beside the object what make reads of it (.d) and what it was compiled
# from (.sum): the SHA-256 of every source that the compiler read, as `sha256sum --check` takes it. The .sum comes last: an object
# without one was not finished, and stale.sh removes it. Whoever works on the object holds the lock .begun.
set -u
object=$1
base=${object%.o}
shift
[ -d "${object%/*}" ] || mkdir -p "${object%/*}"
exec 9>"$base.begun" || exit
flock 9 || exit
[ ! -e "$base.sum" ] || rm -f "$base.sum"
: >"$base.begun"
"$@" -MMD -MP -MF "$base.d" -o "$object" || exit
sources=$(sed -e '/:$/d' -e 's/^[^ ]*: //' -e 's/\\$//' "$base.d")
# The time of a file's last change is the system's, nobody sets it. What changed since, the compiler may have read before.
# shellcheck disable=SC2086 # names of sources have no blanks
changed=$(find $sources -cnewer "$base.begun") || changed="$changed one that is gone"
if [ -n "$changed" ]; then
    rm -f "$object"
    # shellcheck disable=SC2086
    echo "$object: changed while it was compiled, make it again:" $changed >&2
    exit 1
fi
# shellcheck disable=SC2086
sha256sum $sources >"$base.sum.new" && mv "$base.sum.new" "$base.sum"
