#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs the missing packages of the named sets (run, test, fuzz, slurm, papers, synth) with apt, as root or through sudo; where neither is possible, prints the
# line to type and exits with 2. Does nothing when all is there.
set -u

# package, and the command or file (a pattern) that shows it is there
run='gcc:gcc g++:g++ clang-14:clang++-14 make:make verilator:verilator liblzma-dev:/usr/include/lzma.h zlib1g-dev:/usr/include/zlib.h
libsqlite3-dev:/usr/include/sqlite3.h'
test='libcmocka-dev:/usr/include/cmocka.h clang-format-14:clang-format-14 clang-tidy-14:clang-tidy-14 yosys:yosys yosys-dev:yosys-config iverilog:iverilog berkeley-abc:berkeley-abc llvm-14-dev:llvm-config-14 gtkwave:gtkwave xvfb:Xvfb xauth:xauth xz-utils:xz chromium:chromium
libxml2-utils:xmllint fonts-dejavu-core:/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf'
fuzz='libclang-rt-14-dev:/usr/lib/llvm-14/lib/clang/14*/lib/linux/libclang_rt.fuzzer-*.a'
slurm='slurmctld:/usr/sbin/slurmctld slurmd:/usr/sbin/slurmd slurm-client:/usr/bin/srun munge:/usr/sbin/munged' # slurm-wlm and munge
papers='gnuplot-nox:gnuplot libcmocka-dev:/usr/include/cmocka.h'
synth='yosys:yosys opensta:sta qflow-tech-osu018:/usr/share/qflow/tech/osu018/osu018_stdcells.lib'

# Newer Verilators write waves with a library of the system.
own=$("${VERILATOR:-verilator}" --getenv VERILATOR_ROOT 2>/dev/null)
[ ! -e "$own/include/fstcpp" ] || run="$run liblz4-dev:/usr/include/lz4.h"

missing=''
for set in "$@"; do
    case $set in
    run) list=$run ;;
    test) list=$test ;;
    fuzz) list=$fuzz ;;
    slurm) list=$slurm ;;
    papers) list=$papers ;;
    synth) list=$synth ;;
    *) echo "deps.sh: no set $set" >&2; exit 2 ;;
    esac
    for entry in $list; do
        probe=${entry#*:}
        case $probe in
        /*) for file in $probe; do [ -e "$file" ] && continue 2; done ;;
        *) command -v "$probe" >/dev/null 2>&1 && continue ;;
        esac
        missing="$missing ${entry%%:*}"
    done
done
[ -z "$missing" ] && exit 0

line="apt-get install -y --no-install-recommends$missing"
if ! command -v apt-get >/dev/null 2>&1; then
    echo "missing:$missing" >&2
    echo "this system has no apt-get: install these with its own package manager" >&2
    exit 2
fi
if [ "$(id -u)" -eq 0 ]; then
    as_root=''
elif sudo -n true 2>/dev/null; then
    as_root='sudo -n'
else
    echo "missing packages; type this, then try again:" >&2
    echo "    sudo $line" >&2
    exit 2
fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
# An old package list is the usual reason for a failure: refresh it, then try once more.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
patience='-o DPkg::Lock::Timeout=600' # while somebody else installs
# shellcheck disable=SC2086
if $as_root $line $patience >"$log" 2>&1 || { $as_root apt-get update >"$log" 2>&1 && $as_root $line $patience >>"$log" 2>&1; }; then
    exit 0
fi
tail -n 20 "$log" >&2
echo "installing failed; the line was:" >&2
echo "    sudo $line" >&2
exit 2
