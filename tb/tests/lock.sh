# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The lock of this folder, one at a time: for scripts that keep their files in build/; read with `. tb/tests/lock.sh` after cd to the project's root.

# Waits, and says so, until nobody else in this folder runs what is called `name`. It ends with the process and what that started, however they end.
take_lock() { # name
    mkdir -p build || exit 2
    exec 9>"build/$1.lock" || exit 2
    flock -n 9 && return
    echo "make $1 already runs in this folder: waiting for its end"
    flock 9 || exit 2
}
