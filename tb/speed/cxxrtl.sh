# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Read with `. tb/speed/cxxrtl.sh`.

# The bench of cxxrtl_bench.c for a design: FOLDER/bench, which takes the unit's name and a folder of exported vectors. `cxx`: options of
# g++. In a shell of its own: no name in it is its caller's.
cxxrtl_bench() ( # folder, unit, parameters ("N=4 M=2"), file…
    folder=$1 unit=$2 values=$(for p in $3; do printf ' -set %s %s' "${p%=*}" "${p#*=}"; done)
    shift 3
    include=$(yosys-config --datdir)/include || return
    mkdir -p "$folder"
    echo "read_verilog -defer -sv $*${values:+; chparam$values $unit}; hierarchy -check -top $unit; proc; flatten; write_cxxrtl $folder/design.cc" |
        tr ';' '\n' >"$folder/script.ys"
    [ -s "$folder/bench.o" ] || {
        gcc -std=gnu11 -O2 -Wall -Wextra -Werror -I"$include" -c -o "$folder/bench.o" tb/speed/cxxrtl_bench.c &&
            g++ -O2 -I"$include" -c -o "$folder/capi.o" "$include/backends/cxxrtl/cxxrtl_capi.cc"
    } || return
    # shellcheck disable=SC2086 # options
    yosys -q "$folder/script.ys" && g++ ${cxx:--O1} -I"$include" -o "$folder/bench" "$folder/design.cc" "$folder/bench.o" "$folder/capi.o"
)
