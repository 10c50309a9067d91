# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
# The checker checked: runs that see too little, mutants of the comparer, broken models, assertions. Read by tb/tests/engine_tests.sh.
sections="$sections evidence plan_mutants pair_mutants model assertions"

evidence() {
    check 'five cycles prove nothing' 1 vacuous 'vacuous rf_rr|mask_q|bin "idle"|bin "all ask"|@bins.idle=0|@bins.all ask=0' run rf_rr --cycles 5
    demand '... in one line with --brief' 1 'vacuous rf_rr 5 mask_q bin "idle" bin "all ask"' "$tool" run rf_rr --cycles 5 --brief
    expect '... and no more' "$(cat "$here/text")" [ "$(wc -l <"$here/text")" -eq 1 ]
    check 'one cycle' 1 vacuous '@sampled_cycles=0' run rf_rr --cycles 1
    check 'two cycles of reset' 1 vacuous '@sampled_cycles=0' run rf_rr --cycles 2
    check 'five cycles of a system' 1 vacuous 'level rd_ptr_q|@unchanged_fields=7' run rf_fifo_ctrl --cycles 5
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\nend 0\n' >"$here/empty.case"
    check 'a case without a cycle' 1 vacuous '@sampled_cycles=0' replay "$here/empty.case"
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\nreset\nreset\nend 2\n' >"$here/resets.case"
    check 'a case of resets alone' 1 vacuous '@sampled_cycles=0' replay "$here/resets.case"
    printf 'lockstep-case 1\nunit rf_rr\nparams \nfill 0000000000000001\nfield mask_q\nreset\ncycle req=3 take=1\nend 2\n' >"$here/good.case"
    check 'a case with a cycle' 0 pass 'pass rf_rr' replay "$here/good.case"
    "$tool" run rf_rr --output /dev/null/x >/dev/null 2>"$here/text"
    expect 'a folder for the results that cannot be made' "exit $?: $(cat "$here/text")" says "$here/text" '/dev/null/x'
    "$tool" run rf_rr --cycles 5 --quiet >"$here/text"
    expect '--quiet does not hide a finding' "nothing printed" test -s "$here/text"
    "$tool" run rf_rr --quiet >"$here/text"
    expect '--quiet is quiet' "$(head -n 1 "$here/text")" test ! -s "$here/text"
    check 'what a parameter set cannot reach is counted apart' 0 pass 'bins 4 4 1' run rf_rr --param N=1
    expect '... and in the record with its reason' "$(cat "$here/record")" \
        says "$here/record" '@unreachable_bins.granted above the pointer: requester'
    check 'intervals of 10,000 cycles end in a run of 40,000' 0 pass 'bins 36 36|@time_warps' run rf_sthld --cycles 40000
    check '... not when registers are not known' 1 vacuous 'bin speculate"' run rf_sthld --cycles 20000 --ports-only --rtl rtl/malekeh/rf_sthld.sv
    expect '... which has no warps' "$(cat "$here/record")" test "$(grep -c time_warps "$here/record")" -eq 0
    vary rtl/malekeh/rf_sthld.sv "$here/warp.sv" -e "s/sum\[8\] ? 8'd255/sum[8] ? 8'd254/"
    demand 'STHLD held at 254' 1 'sthld_q|warp' "$tool" run rf_sthld --rtl "$here/warp.sv" --output "$here/warp"
    check '... by its case' 1 mismatch 'sthld_q|warp' replay "$here/warp/failure.case"
    expect '... which is shrunk, with warps' "$(tail -n 5 "$here/warp/shrunk.case")" grep -q '^warp ' "$here/warp/shrunk.case"
    check '... and fails the same way' 1 mismatch 'sthld_q' replay "$here/warp/shrunk.case"
    sed '/^warp/d' "$here/warp/shrunk.case" >"$here/warp/still.case"
    check '... not without the warps' 0 pass '' replay "$here/warp/still.case"
    mkdir "$here/tree"
    for d in harness cmodel tb; do ln -s "$PWD/$d" "$here/tree/$d"; done
    cp -r rtl "$here/tree/rtl"
    vary rtl/common/rf_lfsr.sv "$here/tree/rtl/common/rf_lfsr.sv" -e 's/value_o = value_q/value_o = {value_q}/'
    LOCKSTEP_ROOT=$here/tree LOCKSTEP_CACHE=${LOCKSTEP_CACHE:-$PWD/build/dut} "$tool" faults rf_lfsr --sample 1 >"$here/text"
    expect 'a fault that the RTL has outlived is told in every sample' "exit $?: $(tail -n 1 "$here/text")" \
        says "$here/text" "caught rf_lfsr tap x|NOT RUN rf_lfsr step|$(grep -n 'that of the next step' tb/common/rf_lfsr.c | sed 's|:.*||; s|^|tb/common/rf_lfsr.c:|')|rf_lfsr.sv \"value_o = value_q\"|1 2"
}

# Mutants of the comparer: the tests of plan.c must fail on each, and end at the first that does.
plan_mutants() {
    # What they call, from an archive, so that only that is linked.
    ar rcs "$here/engine.a" $(find "$objects/harness/base" "$objects/harness/core" "$objects/harness/dut" -name '*.o' ! -name 'plan.o' ! -name 'plan_code.o')
    compile='gcc -std=c11 -D_GNU_SOURCE -I. -O1 -march=native -w'
    file=plan
    $compile -c harness/core/plan_code.c -o "$here/plan_code.o" || { bad 'plan_code.c' 'does not build'; return; }
    $compile -c tb/harness/test_plan.c -o "$here/test.o" || { bad 'the test of plan.c' 'does not build'; return; }
    mutant() { # name, sed arguments…
        sampled 4 || return 0
        name=$1
        shift
        vary "harness/core/$file.c" "$here/$file.c" "$@"
        if ! $compile -c "$here/$file.c" -o "$here/$file.o" || ! gcc -o "$here/test" "$here"/*.o "$here/engine.a" "$objects/../librfmodel.a" -lcmocka -llzma -ldl -lm; then bad "$name" 'does not build'; return; fi
        if CMOCKA_TEST_ABORT=1 timeout 60 "$here/test" >"$here/log" 2>&1; then bad "$name" 'survives tb/harness/test_plan.c'; else ok "caught: $name"; fi
    }
    $compile -c harness/core/plan.c -o "$here/plan.o" && gcc -o "$here/test" "$here"/*.o "$here/engine.a" "$objects/../librfmodel.a" -lcmocka -llzma -ldl -lm && "$here/test" >"$here/log" 2>&1
    expect 'the comparer itself passes' "$(tail -n 3 "$here/log")" grep -q 'PASSED' "$here/log"
    mutant 'blocks are not compared' -e 's/\*end = b + plan->block_count/*end = b/'
    mutant 'bits are not compared' -e 's/\*end = op + plan->bits_count/*end = op/'
    mutant 'the last group of bits is not compared' -e 's/\*end = op + plan->bits_count/*end = op + (plan->bits_count > 1 ? plan->bits_count - 1 : 1)/'
    mutant 'rows are not compared' -e 's/return bytes_differ(.*!= 0;/return 0;/'
    mutant 'the last bytes of a row are not compared' -e 's/bytes_differ(sweep->dut + row \* sweep->dut_stride, m, sweep->row_bytes)/bytes_differ(sweep->dut + row * sweep->dut_stride, m, sweep->row_bytes - 4)/'
    mutant 'a quarter of each wide word is not compared' -e 's/return x\[0\] | x\[1\] | x\[2\] | x\[3\];/return x[0] | x[1] | x[3];/'
    mutant 'differences cancel out' -e 's/diff |= unpack_bits/diff ^= unpack_bits/'
    mutant 'blocks are not driven' -e 's/b < binding->drive_blocks + binding->drive_block_count/b < binding->drive_blocks/'
    mutant 'elements after the first are not driven' -e 's/is_packed(b) ? 1 : f->count;/1;/'
    mutant 'the search begins at element 1' -e 's/for (uint32_t i = 0; i < bound->field->count; i++) {/for (uint32_t i = 1; i < bound->field->count; i++) {/'
    mutant 'the top bit of a group is not compared' -e 's/\.dut_bits = ls_mask(bits) <</.dut_bits = ls_mask(bits > 1 ? bits - 1 : 1) <</'
    mutant 'joined operations lose bits' -e 's/    low->model_bits |= model_bits;//; s/    low->dut_bits |= dut_bits;//'
    mutant 'operations in another order are joined' -e 's/    if (!above) return false;//'
    mutant 'fields that do not follow each other become one' -e 's/plan->run.dut + plan->run.bytes == dut \&\& //'
    mutant 'the last run is forgotten' -e 's/^    end_run(&binding->state);//'
    grep -q avx2 /proc/cpuinfo || return 0
    $compile -c harness/core/plan.c -o "$here/plan.o"
    file=plan_code
    mutant 'code: the last bits are not compared' -e 's/i < plan->bits_count; i++) emit_bits/i + 1 < plan->bits_count; i++) emit_bits/'
    mutant 'code: bits that differ are forgotten' -e 's/EMIT(as, 0x48, 0x09, 0xc2);.*//'
    mutant 'code: neighbours are not masked' -e 's/if (mask != ls_mask(bytes \* 8)) emit_and_rax(as, mask);//'
    mutant 'code: bits with gaps are not packed' -e 's/if (!is_low(from) || is_low(to)) {/if (false) {/'
    mutant 'code: bits are not spread' -e 's/if (!is_low(to)) {/if (false) {/'
    mutant 'code: too few bytes are loaded' -e 's/used <= 4 \&\& low <= 4 ? 4 : 8;/low <= 4 ? 4 : 8;/'
    mutant 'code: half vectors are not compared' -e 's/else emit_half(as, dut, block->model + i, halves);//'
    mutant 'code: what half vectors found is lost' -e 's/EMIT(&as, 0x0f, 0x95, 0xc0);.*//'
    grep -q avx512f /proc/cpuinfo || return 0
    mutant 'code: differences of whole vectors cancel out' -e 's/EMIT(as, 0xf6);/EMIT(as, 0x96);/'
    mutant 'code: what whole vectors found is lost' -e 's/EMIT(&as, 0xc5, 0xf8, 0x93, 0xc1);.*//'
    grep -q avx512bw /proc/cpuinfo || return 0
    mutant 'code: the first line of a block is not compared' -e 's/emit_masked(as, dut, model, 1, UINT64_MAX << first);//'
    mutant 'code: the last line of a block is not compared' -e 's/if (last != 0) emit_masked(.*//'
    mutant 'code: what lies before a block is compared' -e 's/UINT64_MAX << first/UINT64_MAX/'
    mutant 'code: what lies behind a block is compared' -e 's/2, ls_mask(last))/2, UINT64_MAX)/'
    mutant 'code: the mask of the block before' -e 's/if (as->mask\[k\] != mask)/if (as->mask[k] == 0)/'
}

# Mutants of the pair and of the run: a private tool with one of them must miss a planted fault or pass what it must not.
pair_mutants() {
    others=$(find "$objects" -name '*.o' ! -path '*/cmodel/*' ! -path '*/harness/core/pair.o' ! -path '*/harness/core/run.o' ! -path '*/harness/core/plan_code.o' ! -path '*/llvm/*' ! -path '*/tb/workload/workload_stats.o' ! -path '*/tb/papers/*' ! -path '*/tb/speed/*')
    vary $rr "$here/register.sv" -e 's/(take_i \&\& valid_o)/(take_i)/'
    vary $rr "$here/output.sv" -e "s/valid_o = req_i != '0/valid_o = req_i[0]/"
    wild_bank "$here/wild.sv"
    vary $rr "$here/one_bit.sv" -e "s/if (!rst_ni) mask_q <= '0;/if (!rst_ni) mask_q <= N'({mask_q[0]});/"
    with_age "$here/exit.sv" '  always_ff @(posedge clk_i) if (rst_ni \&\& age == 100) $c("std::exit(0);");'
    verdict() { echo "$(field status) $(field mismatch.field) $(field mismatch.cycle)"; }
    # As the tool itself judges these, so a mutant must not.
    private() { # name, file, the tool's own status and field, sed expression, arguments…
        name=$1 file=$2 own=$3 expression=$4
        shift 4
        rm -f "$here/record"
        "$tool" "$@" --record "$here/record" --output "$here/out" --no-shrink >/dev/null 2>&1
        right=$(verdict)
        if [ "${right% *}" != "$own" ]; then bad "$name" "the tool itself says $right"; return; fi
        for part in pair run plan_code; do cp "$objects/harness/core/$part.o" "$here/"; done
        vary "harness/core/$file.c" "$here/$file.c" -e "$expression"
        # shellcheck disable=SC2086
        if ! gcc -std=c11 -D_GNU_SOURCE -DLS_VERSION='"0"' -I. -O1 -w -c "$here/$file.c" -o "$here/$file.o" ||
            ! gcc $gold -rdynamic -o "$here/lockstep" "$here/pair.o" "$here/run.o" "$here/plan_code.o" $others "$(dirname "$objects")/librfmodel.a" -llzma -lsqlite3 -ldl -lm; then
            bad "$name" 'does not build'
            return
        fi
        rm -f "$here/record"
        LOCKSTEP_ROOT=${LOCKSTEP_ROOT:-$PWD} LOCKSTEP_CACHE=${LOCKSTEP_CACHE:-$PWD/build/dut} "$here/lockstep" "$@" --record "$here/record" --output "$here/out" --no-shrink >"$here/text" 2>&1
        wrong=$(verdict)
        if [ ! -s "$here/record" ]; then bad "$name" "no record: $(head -n 2 "$here/text")"
        elif [ "$wrong" = "$right" ]; then bad "$name" "still $right: no test would fail"
        else ok "noticed: $name ($right becomes $wrong)"
        fi
    }
    private 'registers are not compared' pair 'mismatch mask_q' 's/uint64_t diff = ls_differs(&pair->binding.state, pair->model);/uint64_t diff = 0;/; s/ls_differs(&b->state, pair->model) != 0/false/' run rf_rr --rtl "$here/register.sv"
    private 'outputs are not compared' pair 'mismatch valid' 's/return ls_differs(&pair->binding.outputs, pair->out) != 0;/return false;/; s/ls_differs(&b->outputs, pair->out) != 0/false/' run rf_rr --rtl "$here/output.sv"
    private 'machine code forgets what differs' plan_code 'mismatch mask_q' 's/EMIT(as, 0x48, 0x09, 0xc2);/(void)0;/' run rf_rr --rtl "$here/register.sv"
    private 'there is no sweep, and no comparison at the end' pair 'mismatch mem_q' 's/if (pair->binding.sweep_count > 0) diff |= sweeps_differ(pair);//; s/if (b->field->kind != LS_MEMORY) continue;/continue;/' run rf_bank --rtl "$here/wild.sv"
    private 'there is no second fill' run 'mismatch mask_q' 's/check_second_fill(rq, api, r) != LS_EQUAL/false/' run rf_rr --rtl "$here/one_bit.sv" --cycles 1
    private 'evidence is not judged' run 'vacuous -' 's/judge_evidence(rq, r);/r->status = LS_PASS;/' run rf_rr --cycles 5
    private 'whoever exits with 0 has passed' run 'crash -' 's/WEXITSTATUS(status) != CHILD_DONE/WEXITSTATUS(status) == 99/' run rf_rr --rtl "$here/exit.sv" --allow-system --ports-only
}

# A model of a system, with one of its sources changed, breaks a property and names it.
broken() { sampled 6 && break_model "$@"; } # as break_model
break_model() { # system, source, what sed does to it, facts, parameters…
    system=$1 source=$2 what=$3 facts=$4
    shift 4
    mkdir -p "$here/$(dirname "$source")"
    vary "$source" "$here/$source" -e "$what"
    others=$(find "$objects" -name '*.o' ! -path '*/cmodel/*' ! -path '*/llvm/*' ! -path '*/tb/workload/workload_stats.o' ! -path '*/tb/papers/*' ! -path '*/tb/speed/*')
    case $source in
    *.h) compile=$(ls cmodel/*/"$system.c") ;;
    *) compile=$here/$source ;;
    esac
    # shellcheck disable=SC2086
    if gcc -std=c11 -I"$here" -I. -O1 -w -c "$compile" -o "$here/broken.o" &&
        gcc $gold -rdynamic -o "$here/lockstep" "$here/broken.o" $others "$(dirname "$objects")/librfmodel.a" -llzma -lsqlite3 -ldl -lm; then
        "$here/lockstep" model "$system" --param LANES=4 --cycles 100000 "$@" >"$here/text" 2>&1
        got=$?
        if [ $got -ne 1 ]; then bad "a broken $source" "exit $got and not 1: $(head -n 2 "$here/text")"
        elif ! says "$here/text" "violation|$facts"; then bad "a broken $source" "it says: $(head -n 2 "$here/text")"
        else ok "a broken $source is a violation: $facts"
        fi
    else
        bad "a broken $source" 'does not build'
    fi
    rm -f "$here/$source"
}

# The model alone. A broken model breaks a property and says so.
model() {
    check 'a model alone passes and counts' 0 - 'rf_banked: pass|reset:|ipc|read_write_conflicts' model rf_banked --param LANES=4 --cycles 20000
    check 'a unit without properties only runs' 0 - 'rf_rr: ran 5000|rf_rr property' model rf_rr --cycles 5000
    check 'a run of the reset alone' 2 - 'rf_banked: --cycles 2 reset' model rf_banked --cycles 2
    check 'the model alone as JSON' 0 - '"model":"rf_banked"|"status":"pass"|"counters":{"cycles":' model rf_banked --param LANES=4 --cycles 20000 --json
    rm -f "$here/a" "$here/b"
    for to in a b; do "$tool" model rf_banked --param LANES=4 --cycles 20000 --quiet --record "$here/$to" || bad 'the same seed' 'does not pass'; done
    for to in a b; do stable "$here/$to" >"$here/$to.stable"; done
    expect 'the same seed is the same run' 'records differ' cmp -s "$here/a.stable" "$here/b.stable"
    check 'a workload that is missing' 2 - 'nowhere.rfs' model rf_banked --workload "$here/nowhere.rfs"
    check 'a workload for a unit that takes none' 2 - 'rf_rr' model rf_rr --workload "$here/nowhere.rfs"
    check 'parameters that do not go together, model alone' 2 - 'COLLECTORS SLOTS 64' model rf_arbiter --param COLLECTORS=16 --param SLOTS=8
    "$tool" workload build vecadd -o "$here/vecadd.rfs" --json >/dev/null || bad 'a stream' 'is not built'
    for n in 20 400; do
        "$tool" model rf_banked --workload "$here/vecadd.rfs" --load-latency $n --quiet --record "$here/load$n" || bad "loads of $n cycles" 'do not pass'
    done
    expect 'loads of 400 cycles take longer than loads of 20' 'not so' test "$("$work/record_of" cycles <"$here/load400")" -gt "$("$work/record_of" cycles <"$here/load20")"
    check 'a workload that is cut off, model alone' 0 - "rf_banked: pass|--cycles" model rf_banked --workload "$here/vecadd.rfs" --cycles 1000
    check 'the same as JSON' 0 - '"drained":false|"cycles":1000' model rf_banked --workload "$here/vecadd.rfs" --cycles 1000 --json
    check 'a workload that ends, as JSON' 0 - '"drained":true,"unknown_opcodes":0,"cycles"' model rf_banked --workload "$here/vecadd.rfs" --json
    expect 'a workload that ends is not cut off' 'it says so' test "$(grep -c -e --cycles "$here/text")" = 0
    head='-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-nregs = 4\n-accelsim tracer version = 3\n\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n'
    printf '%b' "${head}insts = 0\n#END_TB\n" >"$here/none.traceg"
    check 'a workload without an instruction has not run to its end' 2 - '@drained=false|@status=usage|none.traceg' model rf_malekeh --workload "$here/none.traceg" --json
    expect '... and nothing was counted' 'there are counters' test "$(grep -c counters "$here/text")" = 0
    printf '%b' "${head}insts = 1\n0000 ffffffff 0 EXIT 0 0\nwarp = 1\ninsts = 1\n0000 ffffffff 0 EXIT 0 0\n#END_TB\n" >"$here/exit.traceg"
    check 'a share of nothing is no number' 0 - '"drained":true|"operands":0|"hit_share":null|"ideal_share":null|"bow_share":null' model rf_malekeh --workload "$here/exit.traceg" --json
    check '... as text' 0 - 'hit_share -' model rf_malekeh --workload "$here/exit.traceg"
    # The two counts of BOW's window agree where nothing is lost: a collector a warp, room for two instructions, results of all lanes.
    "$tool" workload build sgemm -o "$here/sgemm.rfs" --json >/dev/null || bad 'a stream' 'is not built'
    check 'BOW, built' 0 - hits model rf_malekeh --workload "$here/sgemm.rfs" --param BOW=1 --param WARPS=8 --param COLLECTORS=8 --param SCHED=0 --param ADAPT=0 --json
    expect '... serves what is counted' "$(cat "$here/text")" grep -qE '"hit_share":(0\.[0-9]+),.*"bow_share":\1,' "$here/text"
    printf '%b' "${head}insts = 1\n0000 ffffffff 0 EXIT 0 0\nwarp = 1\ninsts = 1\n" >"$here/cut.traceg"
    check 'nor has one that cannot be read to its end' 2 - '"drained":false|"status":"usage"|cut.traceg' model rf_banked --workload "$here/cut.traceg" --json
    printf '%b' '-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-nregs = 4\n-accelsim tracer version = 3\n\n#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 3\n0000 ffffffff 1 R1 WHAT 1 R2 0\n0010 ffffffff 1 R1 NOSUCH 1 R2 0\n0020 ffffffff 0 EXIT 0 0\n#END_TB\n' >"$here/what.traceg"
    check 'unknown opcodes, model alone' 0 - 'opcodes 2 WHAT' model rf_banked --workload "$here/what.traceg"
    check 'the same as JSON' 0 - '"drained":true,"unknown_opcodes":2,"cycles"' model rf_banked --workload "$here/what.traceg" --json
    for system in rf_steal rf_malekeh rf_wir; do
        check "unknown opcodes, $system" 0 - 'opcodes 2 WHAT' model $system --workload "$here/what.traceg"
    done
    head -c "$(($(wc -c <"$here/vecadd.rfs") * 3 / 4))" "$here/vecadd.rfs" >"$here/cut.rfs"
    "$tool" model rf_banked --workload "$here/cut.rfs" --record "$here/cut.jsonl" >"$here/text" 2>"$here/error"
    got=$?
    expect 'a workload that is damaged in its middle, model alone: an error' "exit $got: $(cat "$here/error")" test $got = 2
    expect '... on stderr, with the file' "$(cat "$here/error")" says "$here/error" "lockstep: rf_banked: |cut.rfs"
    expect '... and nothing else: no counters' "$(head -n 3 "$here/text")" test ! -s "$here/text"
    expect '... of which the record has none either' "$(cat "$here/cut.jsonl")" sh -c "grep -q '\"status\":\"usage\"' '$here/cut.jsonl' && ! grep -q counters '$here/cut.jsonl'"
    "$tool" workload build vecadd -o "$here/places.rfs" --hierarchy default --json >/dev/null || bad 'a stream' 'is not built'
    check 'places of another machine' 2 - 'places.rfs: pc 10 R1 L0 1|SPLIT=0' model rf_hierarchy --workload "$here/places.rfs" --param MANAGED=1 --param LEVELS=3
    check '... in lockstep, too' 2 usage 'places.rfs: pc 0 R0 L0 0|LEVELS=2' run rf_hierarchy --workload "$here/places.rfs" --param MANAGED=1 --param LANES=1
    check 'a load latency without a workload' 2 - '--load-latency workload' model rf_banked --load-latency 400
    check 'a load latency out of range' 2 - '--load-latency 1 100000' model rf_banked --load-latency 100001
    check 'the model alone takes no RTL' 2 - 'model --rtl' model rf_rr --rtl rtl/common/rf_rr.sv
    break_model rf_banked cmodel/banked/rf_bank_parts.h 's/rf_vec_merge(&m->mem_q\[row\], data, mask);/m->mem_q[row] = *data;/' 'golden'
    vary rtl/banked/rf_bank.sv "$here/rf_bank.sv" -e 's/mask\[l\] ? value\[l\*32 +: 32\] : row\[l\*32 +: 32\]/value[l*32 +: 32]/'
    rm -rf "$here/w"
    demand 'waves of a property that fails, RTL and model being equal' 1 'golden|cycle|waves' \
        env LOCKSTEP_ROOT="${LOCKSTEP_ROOT:-$PWD}" LOCKSTEP_CACHE="${LOCKSTEP_CACHE:-$PWD/build/dut}" "$here/lockstep" waves rf_banked --param WARPS=8 --param REGS=8 \
        --param BANKS=2 --param LANES=4 --param COLLECTORS=2 --cycles 2000 --rtl "$here/rf_bank.sv" --output "$here/w"
    expect '... show no difference and miss none' "$(grep waves: "$here/text"; head -n 5 "$here/w/failure.gtkw" 2>&1)" sh -c "grep -q nothing '$here/w/failure.gtkw' && ! grep -q waves: '$here/text'"
    expect '... and end where it fails' "$(head -n 5 "$here/w/failure.gtkw" 2>&1)" grep -q "^-cycle $(sed -n 's/^ *in cycle \([0-9]*\) .*/\1/p' "$here/text"):" "$here/w/failure.gtkw"
    broken rf_malekeh cmodel/malekeh/rf_ccu_parts.h 's/m->ct_valid_q &= (uint8_t)~rf_ccu_tagged(m, wr_reg.*/;/' 'older banks'
    broken rf_malekeh cmodel/malekeh/rf_ccu_parts.h 's/m->ct_valid_q &= (uint8_t)(m->ct_near_q | hit);/;/' 'BOW window' --param BOW=1
    broken rf_malekeh cmodel/malekeh/rf_ccu_allocator.c 's/own\[i\] = owned_by(.*;/own[i] = 0;/' 'owns CCU'
    broken rf_malekeh cmodel/malekeh/rf_ccu_parts.h 's/m->cfg.serial != 0/m->cfg.serial == 0/' 'caches rf_banked' --param CACHE=0 --param SCHED=0
    broken rf_wir cmodel/wir/rf_wir_lane_parts.h 's/(reuse ? lane->lane.old_valid != 0 :/(reuse ? false :/' 'references' --param REGS=8 --param WARPS=8 --param PREGS=96
    broken rf_hierarchy cmodel/hierarchy/rf_rfc_parts.h 's/if (has != RF_RFC_NONE) plan.freed = 1u << has;/;/' 'value|entry' --param LEVELS=3
    broken rf_hierarchy cmodel/hierarchy/rf_sched_two_level_parts.h 's/rf_rr_pick(ready & ~rf_sched_two_level_in_slots(m), /rf_rr_pick(ready, /' 'set'
    broken rf_hierarchy cmodel/hierarchy/rf_sched_two_level_parts.h 's/return ~used & (used + 1);/return ~used \& (used + 1) \& 1;/' 'activated'
    broken rf_hierarchy cmodel/hierarchy/rf_levels_parts.h 's/rf_rfc_valid(&m->rfc\[a\]) != 0 :/false :/' 'suspended'
    broken rf_hierarchy cmodel/hierarchy/rf_rfc_parts.h 's/if (has != RF_RFC_NONE) plan.freed/if (has != RF_RFC_NONE \&\& !result->around) plan.freed/' 'older MRF'
    broken rf_hierarchy cmodel/hierarchy/rf_rfc_parts.h 's/plan->sent = (uint8_t)e;/(void)0;/' 'lost'
    broken rf_hierarchy cmodel/hierarchy/rf_levels_parts.h 's/ || (slots->leaving >> way->slot & 1) != 0;/;/' 'leaves'
    broken rf_hierarchy cmodel/hierarchy/rf_sched_two_level_parts.h 's/in->launch & rf_mask64(m->cfg.active)/0/' 'rf_banked' --param LEVELS=1 --param WARPS=8 --param ACTIVE=8
    broken rf_hierarchy cmodel/hierarchy/rf_sched_two_level_parts.h 's/else if (issues) m->lrr/else if (issues \&\& slot != 3) m->lrr/' 'rf_banked' --param LEVELS=1 --param SCHED=3 --param WARPS=7 --param ACTIVE=7
    broken rf_hierarchy cmodel/hierarchy/rf_levels_parts.h 's/way->result.low = note & 1;/way->result.low = 0;/' 'L0 result' --param LEVELS=3
    broken rf_hierarchy cmodel/hierarchy/rf_levels_parts.h 's/way->result.low = note & 1;/way->result.low = (note \& 1) != 0 \&\& (note \& RF_NOTE_SHARED) != 0;/' 'L0 slot' --param LEVELS=3 --param REGS=64 --workload "$here/vecadd.rfs"
    broken rf_hierarchy cmodel/hierarchy/rf_orf_parts.h 's/m->held_q\[place\] |= mask;/m->held_q[place] = mask;/' 'golden' --param MANAGED=1
    broken rf_cerf cmodel/cerf/rf_cerf_stage_parts.h 's/dies &= ~(UINT64_C(1) << r)/(void)0/' 'golden'
    broken rf_cerf cmodel/cerf/rf_cerf_memory_parts.h 's/if (w->wake == 0) return;/return;/' 'waits' --param POLICY=0
    broken rf_cerf cmodel/cerf/rf_mshr_parts.h 's/(m->keep_q >> entry & 1) != 0 && m->count_q/m->count_q/' 'load'
    broken rf_cerf cmodel/cerf/rf_line_state_parts.h 's/ || state == RF_LINE_DIRTY;/;/' 'stored'
    broken rf_cerf cmodel/cerf/rf_line_state_parts.h 's/return state == RF_LINE_REG ? RF_LINE_INACTIVE : /return /' 'dead L2' --param POLICY=0 --param SETS=32
    broken rf_cerf cmodel/cerf/rf_cerf.c 's/else rf_banked_step(.*;/else rf_banked_step(\&m->stage.units, separate(in), \&out->separate), out->res_ready = 0;/' 'integration rf_banked' --param INTEGRATED=0 --param SETS=32
    broken rf_cerf cmodel/cerf/rf_line_state_parts.h 's/return state == RF_LINE_REG || state/return state/' 'lost' --param POLICY=0 --param SETS=32
    broken rf_cerf cmodel/cerf/rf_cache_bank_parts.h 's/rf_mshr_merge(&m->mshr, c->entry, c->keep/rf_mshr_merge(\&m->mshr, c->entry, true/' 'dead L2' --param POLICY=0 --param SETS=32
    # A lost clear of the scoreboard: the stage stands, on random input and on a workload.
    lost='s/if (exists(m, w, reg)) \(.*\) &= /if (!(p == 2 \&\& (in->clr \& 1) != 0) \&\& exists(m, w, reg)) \1 \&= /'
    "$tool" workload build saxpy -o "$here/saxpy.rfs" --json >/dev/null || bad 'a stream' 'is not built'
    broken rf_banked cmodel/banked/rf_scoreboard.c "$lost" 'stage|reset'
    broken rf_banked cmodel/banked/rf_scoreboard.c "$lost" 'stage' --param REGS=64 --workload "$here/saxpy.rfs"
    broken rf_wir cmodel/wir/rf_load_guard_parts.h 's/ \&\& !(is_warp \&\& (m->shared_q >> warp \& 1) != 0) \&\&/ \&\&/' 'scratchpad' --param REGS=8 --param WARPS=8 --param PREGS=96 --param BLOCKS=2
    broken rf_wir cmodel/wir/rf_load_guard_parts.h 's/else if (m->count_q\[b\] != RF_BARRIERS_END) m->count_q\[b\]++;/else m->count_q[b] = (m->count_q[b] + 1) \& 31;/' 'scratchpad' --param REGS=4 --param WARPS=8 --param PREGS=64 --param BLOCKS=2 --cycles 1000000
    broken rf_wir cmodel/wir/rf_load_guard_parts.h 's/ \&\& m->gcount_q != RF_BARRIERS_END) {/) {/;s/m->gcount_q++;/m->gcount_q = (m->gcount_q + 1) \& 31;/;s/full = m->gcount_q == RF_BARRIERS_END;/full = false;/' 'global' --param REGS=8 --param WARPS=8 --param PREGS=96 --param BLOCKS=1 --cycles 1000000
    broken rf_wir cmodel/wir/rf_wir_results_parts.h 's/c->evict = x->free_in.pop;/c->evict = 0;/' 'plain' --param REGS=5 --param WARPS=8 --param PREGS=48 --param CAPPED=1 --param VENTRIES=4 --param ENTRIES=16 --cycles 300000
    broken rf_wir cmodel/wir/rf_wir_results_parts.h 's/x->low = cfg->pregs - .* > x->bound;/x->low = false;/' 'moves' --param REGS=8 --param WARPS=8 --param PREGS=72 --param ENTRIES=64 --param VENTRIES=64 --param VCACHE=0
    broken rf_wir cmodel/wir/rf_wir_reuse_parts.h 's/r->fill |= (uint8_t)((uint32_t)rf_wir_is_leader(cfg->pregs, info) << g);/r->fill |= 0;/' 'leader'
    broken rf_wir cmodel/wir/rf_wir_lane_parts.h 's/in->q_valid = rf_pending_queue_valid(q);/in->q_valid = 0;/' 'moves' --param REGS=8 --param WARPS=8 --param PREGS=96
    broken rf_wir cmodel/wir/rf_load_guard_parts.h 's/ \&\& !(is_warp \&\& (m->global_q >> warp \& 1) != 0)//' 'global' --param REGS=8 --param WARPS=8 --param PREGS=96 --param BLOCKS=2
    broken rf_wir cmodel/wir/rf_wir_front.c 's/(src_valid \& in->map_src_pin) == 0 \&\&/1 \&\&/' 'plain' --param SLOTS=1 --param REGS=2 --param WARPS=8 --param PREGS=48 --cycles 600000
    broken rf_wir cmodel/wir/rf_free_list.c 's/== 0 || pushed == used) continue/== 0 || pushed == used || k == 1) continue/' 'lost' --param REGS=8 --param WARPS=8 --param PREGS=96
    broken rf_wir cmodel/wir/rf_wir_results_parts.h 's/if (!rf_wir_at_end(p) || !rf_/if (!rf_wir_at_end(p) || e == 1 || !rf_/' 'off rf_banked' --param REUSE=0 --param WARPS=8 --param REGS=8
    broken rf_wir cmodel/wir/rf_wir_ready.h 's/^    if (cfg->reuse != 0) x->ready/    static uint32_t now;\n    if (now++ % 2 != 0) x->ready = 0;\n&/' 'issues rf_banked' --param REUSE=0 --param WARPS=8 --param REGS=8
}

# The RTL's own assertions, on demand: one that fails is a crash with its line, in the cycle in which it fails.
assertions() {
    set -- --param WARPS=8 --param COLLECTORS=4 --param BANKS=4 --param REGS=8 --param LANES=1 --param READS=2 --cycles 20000
    check 'assertions that hold' 0 pass 'pass|reset:' run rf_steal "$@" --assert
    vary rtl/steal/rf_arbiter_steal.sv "$here/early.sv" -e 's/rd_valid_i\[r\] \&\& !rd_blocked_i\[r\]/rd_valid_i[r]/'
    check 'an assertion that fails' 1 crash 'rf_steal_check.sv|not_early' run rf_steal "$@" --rtl "$here/early.sv" --assert
    check 'the same without assertions' 1 mismatch 'fill_q' run rf_steal "$@" --rtl "$here/early.sv"
    # Registers are compared before the next edge, and so stop most runs before an assertion can: here ports only.
    "$tool" workload build bfs -o "$here/bfs.rfs" --json >/dev/null || bad 'a stream' 'is not built'
    set -- --param WARPS=8 --param COLLECTORS=3 --param BANKS=4 --param REGS=64 --param LANES=1 --param SLOTS=2 --param ENTRIES=3 --workload "$here/bfs.rfs" --assert
    check 'properties that hold in rf_malekeh' 0 pass 'pass' run rf_malekeh "$@"
    check 'a workload that is cut off' 0 pass '@drained=false|--cycles' run rf_malekeh "$@" --cycles 1000
    vary rtl/malekeh/rf_ccu.sv "$here/stale.sv" -e 's/(d_data_i & d_lanes)/(~d_data_i \& d_lanes)/'
    check 'a cache entry that is not what the banks hold' 1 crash 'rf_malekeh_check.sv|copies' run rf_malekeh "$@" --ports-only --rtl "$here/stale.sv"
    vary rtl/malekeh/rf_ccu_allocator.sv "$here/owners.sv" -e "s/mine    = own\\[i\\*COLLECTORS +: COLLECTORS\\];/mine    = '0;/" -e "s/kept = kept | own/kept = kept \\& own/"
    check 'a warp with two caching collectors' 1 crash 'rf_malekeh_check.sv|owners' run rf_malekeh "$@" --ports-only --rtl "$here/owners.sv"
    "$tool" workload build saxpy -o "$here/saxpy.rfs" --json >/dev/null || bad 'a stream' 'is not built'
    vary rtl/hierarchy/rf_sched_two_level.sv "$here/free.sv" -e 's/held_q & ~(leaving_q & ~hold_i)/held_q \& ~leaving_q/'
    check 'entries of a warp that is not active' 1 crash 'rf_hierarchy_check.sv|free' run rf_hierarchy --param WARPS=3 --param ACTIVE=2 --param COLLECTORS=1 --param BANKS=1 \
        --param LANES=1 --workload "$here/saxpy.rfs" --assert --ports-only --rtl "$here/free.sv"
    set -- --param WARPS=5 --param ACTIVE=2 --param COLLECTORS=2 --param BANKS=2 --param REGS=8 --param LANES=1 --param EXPORTS=2 --param LEVELS=3 --param ENTRIES=2 --cycles 100000 --assert
    check 'properties that hold in rf_hierarchy' 0 pass 'pass' run rf_hierarchy "$@"
    sampled 6 && check 'properties that hold in rf_hierarchy, by software' 0 pass 'pass' run rf_hierarchy "$@" --param MANAGED=1 --param SPLIT=1
    breaks() { # RTL of rf_hierarchy, what sed does to it, the assertion, which is $1: what
        sampled 6 || return 0
        vary "rtl/hierarchy/$2.sv" "$here/$2.sv" -e "$3"
        name=$1 file=$here/$2.sv label=$4
        shift 4
        check "$name" 1 crash "rf_hierarchy_check.sv|u_check.$label:" run rf_hierarchy "$@" --ports-only --rtl "$file"
    }
    breaks 'a register with two entries' rf_rfc 's/if ((around && full) || (into && !to_l0)) l0_valid_d/if (around \&\& full) l0_valid_d/' entries "$@"
    breaks 'an entry that is older than its row' rf_rfc 's/if ((around && full) || to_l0) valid_d/if (to_l0) valid_d/' no_older "$@"
    breaks 'an entry that is lost' rf_rfc "s/valid_d    = live & ~send;/valid_d    = '0;/" no_loss "$@"
    breaks 'a result that takes an entry of a warp that leaves' rf_levels 's/!note_one\[UPPER\] || leaving_i\[a\]/!note_one[UPPER]/' not_late "$@"
    breaks 'a slot that stays free' rf_sched_two_level "s/(free != '0) ? ready_i/(free != '0 \&\& !take_i) ? ready_i/" filled "$@"
    breaks 'a warp that is overtaken' rf_sched_two_level "s/\.req_i(request), .take_i(1'b1)/.req_i((request >> 1) != '0 ? request \& ~{{(WARPS-1){1'b0}}, 1'b1} : request), .take_i(1'b1)/" turn "$@"
    set -- --param WARPS=8 --param COLLECTORS=3 --param BANKS=2 --param REGS=16 --param LANES=4 --param SETS=32 --param MSHRS=4 --param TARGETS=2 --param QUEUE=2 --param POLICY=0 --assert
    check 'properties that hold in rf_cerf' 0 pass 'pass|emptying_cycles' run rf_cerf "$@" --cycles 50000
    if grep -q 'emptying_cycles [1-9]' "$here/text"; then ok 'kernels end in random streams'; else bad 'kernels end in random streams' 'none ended since the last reset'; fi
    vary rtl/cerf/rf_cache_bank.sv "$here/way.sv" -e 's/.done_i       (taken)/.done_i       (taken \&\& !fill_reg)/'
    check 'an entry of a line that is on its way' 1 crash 'rf_cerf_check.sv|on_its_way' run rf_cerf "$@" --seed 4 --ports-only --rtl "$here/way.sv"
    vary rtl/cerf/rf_tag_bank.sv "$here/tag.sv" -e 's/assign hits\[w\]  = states/assign hits[w]  = w != 0 \&\& states/'
    check 'two entries of one line' 1 crash 'rf_cerf_check.sv|one_entry' run rf_cerf "$@" --seed 2 --ports-only --rtl "$here/tag.sv"
    vary rtl/cerf/rf_cache_bank.sv "$here/mshr.sv" -e 's/ask = !on_way \&\& room/ask = room/'
    check 'two MSHRs of one line' 1 crash 'rf_cerf_check.sv|one_mshr' run rf_cerf "$@" --seed 4 --ports-only --rtl "$here/mshr.sv"
    vary rtl/cerf/rf_cache_bank.sv "$here/kept.sv" -e 's/back     = filling \&\& fill_spill/back     = filling \&\& fill_spill \&\& !dirty/'
    check 'dirty data that is dropped' 1 crash 'rf_cerf_check.sv|kept' run rf_cerf "$@" --ports-only --rtl "$here/kept.sv"
}
