#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles kernels/*.cl and *.cu to PTX with Debian's clang-14, as nvcc -O3 would for sm_70: NAME.ptx with 64-bit addresses,
# m32/NAME.ptx with 32-bit ones. Without an argument the committed files are written anew; with a folder the files go there;
# `ptx.sh --check FOLDER` compares those with the committed ones and prints each difference. Exit 0: done, nothing differs; 1: something
# differs; 2: it does not compile.
set -u
CDPATH='' cd "$(dirname "$0")/kernels" || exit 2
check=false
if [ "${1:-}" = --check ]; then
    check=true
    shift
fi
to=${1:-.}
case $to in
/* | .) ;;
*) to=../../../$to ;; # from the project's folder
esac
mkdir -p "$to/m32" || exit 2
flags='-Wall -Wextra -Werror -Xclang -target-feature -Xclang +ptx70 -ffp-contract=off -O3 -S'
for source in *.cl *.cu; do
    name=${source%.*}
    case $source in
    *.cl)
        mode='-x cl -cl-std=CL2.0 -Xclang -target-cpu -Xclang sm_70'
        wide=--target=nvptx64-nvidia-cuda narrow=--target=nvptx-nvidia-cuda
        ;;
    *.cu)
        mode='-x cuda --cuda-device-only --cuda-gpu-arch=sm_70 -nocudainc -nocudalib -Wno-unknown-cuda-version'
        wide=-m64 narrow=-m32
        ;;
    esac
    # shellcheck disable=SC2086 # lists of options
    clang-14 $mode $wide $flags -o "$to/$name.ptx" "$source" && clang-14 $mode $narrow $flags -o "$to/m32/$name.ptx" "$source" || exit 2
done
status=0
if $check; then
    for ptx in *.ptx m32/*.ptx "$to"/*.ptx "$to"/m32/*.ptx; do
        name=${ptx#"$to/"}
        cmp "$name" "$to/$name" || status=1
    done
fi
exit "$status"
