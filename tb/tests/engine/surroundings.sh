# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# Machine descriptions: what they say reaches a run, and its record, report and command. Read by tb/tests/engine_tests.sh.
sections="$sections machines machine_errors"

# Small sizes of each system in which such latencies leave nothing unseen.
odd_sets='rf_banked WARPS=8 COLLECTORS=2 BANKS=2 REGS=8 LANES=1 WBDEPTH=1
rf_steal WARPS=8 ISSUES=2 COLLECTORS=4 BANKS=4 REGS=8 LANES=1 READS=2
rf_malekeh WARPS=6 ISSUES=1 EXPORTS=3 COLLECTORS=3 BANKS=4 REGS=8 LANES=1 ENTRIES=4 INTERVAL=60 STHLD=4
rf_wir WARPS=8 COLLECTORS=2 BANKS=2 REGS=8 LANES=2 SLOTS=2 EXPORTS=2 PREGS=72 ENTRIES=16 VENTRIES=4 QUEUE=2 BLOCKS=2 VCACHE=2 VERIFIERS=1 CAPPED=1 WBDEPTH=8 COUNTW=8
rf_hierarchy WARPS=7 ACTIVE=3 COLLECTORS=3 BANKS=4 REGS=8 LANES=1 LEVELS=3 ENTRIES=2'

# A machine of these sizes and of odd latencies.
odd_machine() { # to
    {
        printf '# An SM that nobody builds\n'
        echo "$odd_sets" | awk '{ for (i = 2; i <= NF; i++) { split($i, set, "="); print $1 "." set[1] " = " set[2] } }'
        printf '%s = %s # odd\n' alu.latency 5 alu.interval 2 sfu.latency 33 sfu.interval 8 memory.latency 57 memory.interval 3 tensor.latency 23 \
            tensor.interval 4 control.latency 3 control.interval 1 sub_cores 1
    } >"$1"
}

machines() {
    odd=$here/odd.machine
    odd_machine "$odd"
    for system in rf_banked rf_steal rf_malekeh rf_wir; do
        sampled 2 || continue
        check "$system in lockstep with an odd machine" 0 pass "machine $odd|@machine=$odd" run $system --machine "$odd" --cycles 100000
        expect '... with the parameters that it gives' "$(field params.WARPS)" grep -q "^$system.WARPS = $(field params.WARPS)\$" "$odd"
        command=$(field command | sed "s|^[^ ]*|$tool|")
        expect '... and its command, alone' "$command" test "$command" = "$tool run $system --machine $odd --seed 0000000000000001 --cycles 100000"
        counters=$(field counters)
        eval "$command --quiet --record $here/again"
        expect '... which repeats the run' "$counters" test "$counters" = "$("$work/record_of" counters <"$here/again")"
        rm "$here/again"
        # shellcheck disable=SC2046
        "$tool" run $system $(echo "$odd_sets" | sed -n "s/^$system / /p" | sed 's/ \(.\)/ --param \1/g') --cycles 100000 --quiet --record "$here/plain"
        expect '... and differs from one without' 'it does not' test "$counters" != "$("$work/record_of" counters <"$here/plain")"
        rm "$here/plain"
    done
    check 'rf_hierarchy, the model alone, with an odd machine' 0 - '"ACTIVE":3,|"machine":' model rf_hierarchy --machine "$odd" --cycles 100000 --json
    check 'a parameter of the command line is the last' 0 - '"WARPS":5,|"machine":"|--param WARPS=5 ' model rf_banked --param WARPS=5 --machine "$odd" --cycles 5000 --json
    check '... when it is the default, too' 0 - '"WARPS":32,|--param WARPS=32 ' model rf_banked --machine "$odd" --param WARPS=32 --cycles 5000 --json
    expect '... and the machine gives the others' "$(tail -n 1 "$here/text")" sh -c "grep -q '\"BANKS\":2' '$here/text' && ! grep -q 'param BANKS' '$here/text'"
    "$tool" workload build vecadd -o "$here/vecadd.rfs" --json >/dev/null || bad 'a stream' 'is not built'
    printf 'load.latency = 400\n' >"$here/slow.machine"
    rm -f "$here/a" "$here/b" "$here/c"
    "$tool" model rf_banked --workload "$here/vecadd.rfs" --machine "$here/slow.machine" --quiet --record "$here/a" || bad 'slow loads of a machine' 'do not pass'
    "$tool" model rf_banked --workload "$here/vecadd.rfs" --load-latency 400 --quiet --record "$here/b" || bad 'slow loads of an option' 'do not pass'
    expect 'a latency is the same from a machine and from --load-latency' 'it is not' test "$("$work/record_of" counters <"$here/a")" = "$("$work/record_of" counters <"$here/b")"
    "$tool" model rf_banked --workload "$here/vecadd.rfs" --machine "$here/slow.machine" --load-latency 20 --quiet --record "$here/c" || bad 'both' 'do not pass'
    expect '... of both the option holds' 'it does not' test "$("$work/record_of" cycles <"$here/c")" -lt "$("$work/record_of" cycles <"$here/a")"
    check 'a workload in lockstep with a machine' 0 pass "machine $odd" run rf_banked --machine "$odd" --param REGS=64 --workload "$here/vecadd.rfs" --cycles 3000
    # Ends that no stage could count on.
    grep '^rf_' "$odd" >"$here/memory.machine"
    printf '%s\n' 'sfu.interval = 8' 'lsu.interval = 2' 'shared.latency = 19' 'shared.banks = 16' 'shared.interval = 3' 'constant.latency = 7' 'texture.latency = 90' 'texture.interval = 4' \
        'l1.size = 7680' 'l1.line = 256' 'l1.sector = 32' 'l1.ways = 3' 'l1.latency = 23' 'l1.mshrs = 5' 'l1.write = 1' 'link.bytes = 21000' 'l2.size = 14336' 'l2.line = 256' 'l2.sector = 64' \
        'l2.ways = 7' 'l2.latency = 71' 'dram.latency = 133' 'dram.bytes = 9000' >>"$here/memory.machine"
    for system in rf_banked rf_steal rf_malekeh rf_wir; do
        sampled 2 || continue
        check "$system in lockstep with a memory side" 0 pass 'mem_accesses|l1_sector_misses|dram_read_bytes' run $system --machine "$here/memory.machine" --workload "$here/vecadd.rfs"
        expect '... to its end, through caches' "$(cat "$here/record")" \
            test "$(field drained) $(field counters.mem_stores)" = 'true 256' -a "$(field counters.l1_sector_misses)" -gt 0 -a "$(field counters.dram_written_bytes)" -gt 0
    done
    check 'rf_hierarchy, the model alone, with a memory side' 0 - '"mem_accesses":|"l1_sector_misses":' model rf_hierarchy --machine "$here/memory.machine" --param REGS=64 --workload "$here/vecadd.rfs" --json
    for system in rf_banked rf_steal rf_malekeh rf_wir rf_hierarchy rf_cerf; do
        "$tool" model $system --machine "$here/memory.machine" --param REGS=21 --workload "$here/vecadd.rfs" --json >"$here/text"
        twice=$(sed 's/.*"counters":{//; s/}.*//' "$here/text" | tr ',' '\n' | sed 's/:.*//' | sort | uniq -d)
        expect "$system has no two counters of one name" "twice: $twice" test -z "$twice" -a "$(grep -c '"dram_read_bytes"' "$here/text")" -eq 1
    done
    echo 'sub_cores = 3' >>"$here/memory.machine"
    for system in rf_banked rf_steal rf_malekeh; do
        check "$system in lockstep, one of three sub-cores" 0 pass 'sm_ipc|sm_warp_instructions|lsu_wait_cycles' run $system --machine "$here/memory.machine" --workload "$here/vecadd.rfs"
        all=$(field counters.sm_warp_instructions) one=$(field counters.warp_instructions)
        "$tool" model $system --machine "$here/memory.machine" --workload "$here/vecadd.rfs" --quiet --record "$here/model"
        expect '... the others are in the record of `model`, and all together did the whole' "$one of $all: $(cat "$here/model")" \
            test "$(grep -o '"warp_instructions":[0-9]*' "$here/model" | awk -F: '{ all += $2; n++ } END { print n, all }')" = "3 $all" -a "$one" -lt "$all"
        rm "$here/model"
    done
    # Generic accesses of a trace: a pass and 32 passes of shared memory, a line of local memory that STL writes too, beside the window a
    # global one, a pass of shared memory, a global atomic. Without windows: 1, 32, 1, 1, 1, 1 and 1 requests.
    head='-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 16\n-shmem base_addr = 0x%x\n-local mem base_addr = 0x%x\n-accelsim tracer version = 3\n'
    for windows in '0x7fb139000000 0x7fb137000000 3 34 4' '0 0 0 0 38'; do
        # shellcheck disable=SC2086 # words
        set -- $windows
        # shellcheck disable=SC2059 # a format
        {
            printf -- "$head" "$1" "$2"
            printf '#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 7\n'
            printf '%s\n' '0010 ffffffff 1 R2 LD.E 1 R4 4 1 0x7fb139000000 4' '0020 ffffffff 1 R3 LD.E 1 R4 4 1 0x7fb139000000 128' \
                '0030 ffffffff 1 R6 LD.E 1 R4 4 1 0x7fb137fffbc8 0' '0040 ffffffff 0 STL 2 R7 R6 4 1 0xfffbc8 0' '0050 ffffffff 1 R8 LD.E 1 R4 4 1 0x7fb13a000000 4' \
                '0060 ffffffff 0 ST.E 2 R4 R8 4 1 0x7fb139000000 4' '0070 ffffffff 1 R9 ATOM.E.ADD 2 R4 R8 4 1 0x7fb100000000 0' '#END_TB'
        } >"$here/generic.traceg"
        "$tool" workload build "$here/generic.traceg" -o "$here/generic.rfs" --json >/dev/null || bad 'a trace as a stream' 'is not built'
        for input in traceg rfs; do
            check "generic accesses, windows at $1 and $2, .$input" 0 - "\"mem_accesses\":7,|\"shared_accesses\":$3,|\"shared_passes\":$4,|\"mem_requests\":$5," \
                model rf_banked --machine tb/machines/ampere.machine --workload "$here/generic.$input" --json
        done
    done
    "$tool" workload build reduce_tree --m32 -o "$here/reduce.rfs" --json >/dev/null || bad 'a stream' 'is not built'
    printf 'registers = 64\n' >"$here/few.machine"
    check 'registers that no thread block fits in' 2 - 'block 8 warps' model rf_wir --machine "$here/few.machine" --workload "$here/reduce.rfs"
    printf 'registers = 150\n' >"$here/few.machine"
    check '... for one or two blocks' 0 - 'slot_no_warp' model rf_wir --machine "$here/few.machine" --workload "$here/reduce.rfs"
    printf 'WARPS = 0x10\nalu.latency = 0x10\n' >"$here/hex.machine"
    check 'hexadecimal numbers of a machine' 0 - '"WARPS":16,|"surroundings":{"alu.latency":16}' model rf_banked --machine "$here/hex.machine" --cycles 5000 --json
    check 'waves with a machine' 0 - 'view' waves rf_banked --machine "$odd" --output "$here/w" --cycles 100
    vary rtl/banked/rf_bank.sv "$here/rf_bank.sv" -e 's/mask\[l\] ? value\[l\*32 +: 32\] : row\[l\*32 +: 32\]/value[l*32 +: 32]/'
    check 'a failure with a machine' 1 mismatch "machine $odd|again --machine $odd|@machine=$odd" run rf_banked --machine "$odd" --param LANES=4 --rtl "$here/rf_bank.sv"
    case_file=$(field case)
    cp "$case_file" "$here/a.case"
    rm "$odd"
    check '... leaves a case that is played again without it' 1 mismatch 'mismatch' replay "$here/a.case"
    LOCKSTEP_ROOT=$PWD
    export LOCKSTEP_ROOT
    "$tool" list --machines >"$here/text"
    expect 'the shipped machines are listed' "$(cat "$here/text")" test "$(wc -l <"$here/text")" = "$(find tb/machines -name '*.machine' 2>/dev/null | wc -l)"
}

# Every one exits with 2 and says where it stands.
machine_errors() {
    bad_machine() { # name, facts, lines
        printf '%b' "$3" >"$here/bad.machine"
        check "$1" 2 - "$2" run rf_banked --machine "$here/bad.machine" --cycles 100
    }
    bad_machine 'an unknown key' 'bad.machine:2 alu.latncy alu.latency' '#\nalu.latncy = 4\n'
    bad_machine 'a parameter that the system has not' 'bad.machine:1 rf_banked PREGS' 'PREGS = 4\n'
    bad_machine 'a parameter out of its range' 'bad.machine:1 WARPS rf_banked 65 1 64' 'WARPS = 65\n'
    bad_machine 'a parameter of no system' 'bad.machine:1 rf_rr.N rf_rr system' 'rf_rr.N = 3\n'
    bad_machine 'a latency out of its range' 'bad.machine:3 sfu.latency 0 1 100000' '\n\nsfu.latency = 0\n'
    bad_machine 'a latency that is no number' 'bad.machine:1 sfu.latency many 1 100000' 'sfu.latency = many # x\n'
    bad_machine 'a key twice' 'bad.machine:2 sfu.latency bad.machine:1' 'sfu.latency = 4\nsfu.latency = 4\n'
    bad_machine 'a key without a value' 'bad.machine:1 sfu.latency value' 'sfu.latency = # 4\n'
    bad_machine 'a line that is none' 'bad.machine:1 sfu.latency KEY = VALUE' 'sfu.latency\n'
    bad_machine 'a memory side without a key' 'bad.machine:1 l1.line lsu.interval' 'l1.line = 128\n'
    printf 'sub_cores = 4\n' >"$here/bad.machine"
    check 'several sub-cores of a system that is an SM' 2 - 'bad.machine:1 sub_cores 1 4' run rf_wir --machine "$here/bad.machine" --cycles 100
    printf 'COLLECTORS = 16\nSLOTS = 8\n' >"$here/bad.machine"
    check 'parameters that do not go together' 2 - 'COLLECTORS SLOTS 64' model rf_banked --machine "$here/bad.machine"
    check 'a machine that is not there' 2 - 'nowhere.machine: No such file gtx480' run rf_banked --machine "$here/nowhere.machine"
    check 'a name of no machine' 2 - 'nowhere gtx480' model rf_banked --machine nowhere
    check 'a folder as a machine' 2 - 'regular' model rf_banked --machine "$here"
    check 'a machine for a unit that is no system' 2 - '--machine: rf_rr' run rf_rr --machine "$here/bad.machine"
    demand 'a machine and all sets' 2 'run --all-sets --machine' "$tool" run rf_banked --machine "$here/bad.machine" --all-sets
    check 'machines of a unit' 2 - 'list --machines unit' list rf_banked --machines
    check 'faults take no machine' 2 - 'faults --machine' faults rf_banked --machine "$here/bad.machine"
}
