#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What lint's own readers must find in SystemVerilog and what they must let pass. One line a check; ends with "N passed, N failed".
# shellcheck disable=SC2016,SC2034 # $ of SystemVerilog; `here` is for demand
set -u
CDPATH='' cd "$(dirname "$0")/../.." || exit 2
. tb/tests/checks.sh
work=build/lint_tests
here=$work
rm -rf "$work"
mkdir -p "$work"

# tb/tests/casts.awk on a module with the lines; what it must say of its first line (line 7 of the file), or nothing.
casts() { # name, said or "", lines
    { printf '%s\n' '// SPDX' 'module m #(' '  parameter int unsigned N = 8,' '  localparam logic [4:0] NARROW = 5' ') (input logic [4:0] a, b, c);' '  genvar g;'
        printf '%s\n' "$3" 'endmodule'; } >"$work/m.sv"
    awk -f tb/tests/casts.awk "$work/m.sv" >"$work/text" 2>&1 || { bad "$1" "awk: $(head -n 2 "$work/text")"; return; }
    if [ -z "$2" ]; then
        if [ -s "$work/text" ]; then bad "casts: $1" "$(head -n 1 "$work/text")"; else ok "casts: $1"; fi
    elif [ "$(wc -l <"$work/text")" -ne 1 ]; then bad "casts: $1" "$(wc -l <"$work/text") lines: $(head -n 2 "$work/text" | tr '\n' ' ')"
    elif says "$work/text" "$work/m.sv:$2"; then ok "casts: $1"
    else bad "casts: $1" "not \"$2\" but $(cat "$work/text")"
    fi
}
refused() { casts "$1" "7: $2'(...): what it casts depends on the width it is evaluated at (\`$3\`)" "$4"; } # name, width, operator, lines
taken() { casts "$1" '' "$2"; }                                                                           # name, lines

refused 'a sum' 7 + "assign x = 7'(a + b);"
refused 'a difference' N - "assign x = N'(a - b);"
refused 'a product with a cast in it' 7 '*' "assign x = 7'(a*5'(5));"
refused 'a quotient' "(N+1)" / "assign x = (N+1)'(a / b);"
refused 'a remainder, width of a package' p::W % "assign x = p::W'(a % b);"
refused 'a power' 7 '**' "assign x = 7'(a ** 2);"
refused 'a negative' 7 'unary -' "assign x = 7'(-a);"
refused 'a complement' 7 'unary ~' "assign x = 7'(~a);"
refused 'a complement that is masked' 7 'unary ~' "assign x = 7'(b & ~a);"
refused 'an equivalence, bit by bit' 7 '~^' "assign x = 7'(a ~^ b);"
refused 'a shift to the left' 7 '<<' "assign x = 7'(a << 2);"
refused 'a shift to the right' 7 '>>' "assign x = 7'(a >> b);"
refused 'an arithmetic shift' 7 '>>>' "assign x = 7'(a >>> 2);"
refused 'a choice of a sum' 7 + "assign x = 7'(c > b ? a + b : a);"
refused 'a choice of a difference, after another' 7 - "assign x = 7'(c[0] ? a : c[1] ? b : a - b);"
refused 'the reason, not what is compared before it' 7 - "assign x = 7'(a + b > c ? a - b : a);"
refused 'a sum in parentheses' 7 + "assign x = 7'(((a + b)));"
refused 'a sum of a constant' 7 + "assign x = 7'(a + 1);"
refused 'a sum with a constant of its own width' 7 + "assign x = 7'(NARROW + 5'd3);"
refused 'a shift of a narrow constant' 7 '<<' "assign x = 7'(NARROW << 3);"
refused 'ones of the context' 7 "'1" "assign x = 7'('1);"
refused 'in a concatenation' 4 - "assign x = {a, 4'(b - c)};"
refused 'in a comparison' N - "assign x = (N'(a-b) > c);"
refused 'in an index' 3 + "assign x = m[3'(a + b)];"
refused 'in another cast' 3 + "assign x = 7'({1'b0, 3'(a + b)});"
refused 'in the argument of a call' 3 + "assign x = f(3'(a + b), 1);"
refused 'in a type cast' 3 + "assign x = int'(3'(a + b));"
refused 'over lines, behind comments' 7 + "assign x = /* 7'(a */ 7'( // (
    a /* ) */
    +b);"
refused 'after a string' 7 + "initial \$display(\"// 7'(a \\\" /*\", 7'(a + b));"
refused 'of a member and a select' N + "assign x = N'(s.f[3:0] + q[g +: 2][0]);"
refused 'of a call, plus one' N + "assign x = N'(f(a, b) + 1'b1);"
refused 'with the width of a call' '$bits(b)' + "assign x = \$bits(b)'(a + b);"
refused 'with a width from a list' 'W[1]' + "assign x = W[1]'(a + b);"
casts 'two in a line, each told' '7: 3'"'"'(...)' "assign x = 3'(a + b) | 7'(a);"
casts 'what cannot be read' "7: 7'(...): cannot read its operand at \`=\`" "assign x = 7'(a = b);"
casts 'brackets that do not end' "7: 7'(...): its brackets do not end" "assign x = 7'({a, b;"

taken 'names, selects, members' "assign x = 7'(a) + 7'(a[g*2 +: 2]) + N'(s.f) + (N+1)'(u_x.gen[3].y_q[a - b]) + N'(p::C) + N'(\\odd+name );"
taken 'literals' "assign x = 7'(3) + 7'(2'b1_0) + 7'('0) + 7'('h3) + 7'(4 'd9);"
taken 'concatenations' "assign x = 7'({a + b}) + 7'({a, b - c}) + 7'({3{a}}) + 7'({{1'b0, a} / c});"
taken 'reductions and truth' "assign x = 7'(|a) + 7'(&{a, b}) + 7'(~^a) + 7'(!a) + 7'(a && b || !c) + 7'(^(a + b)) + 7'(~&a);"
taken 'comparisons, of sums too' "assign x = 7'(a < b) + 7'(a + b == c) + 7'(a - b >= c && a !== b) + 7'(a inside {1, [2:3]});"
taken 'calls, of sums too' "assign x = 7'(\$countones(a & ~b)) + 7'(p::f(a + b, c)) + 7'(\$signed(a - b)) + 7'(\$clog2(N) + 1);"
taken 'bit by bit, without a complement' "assign x = 7'(a & b) + 7'(a | b ^ c) + 7'(a & 5'(N - 1));"
taken 'choices of such' "assign x = 7'(a > b ? a : b) + 7'((a + b) != c ? {a} : c[0] ? b : '0);"
taken 'constants' "assign x = 7'(N - 1) + 7'(-N) + 7'((1 << g) - 1) + 7'(p::N * 2 + \$bits(a)) + 7'(N > 1 ? N - 1 : 1) + 7'((g >> 2) & 1) + 7'(~(N ** 2) % 3);"
taken 'a narrow constant with a wide one' "assign x = 7'(NARROW + 1) + 7'(NARROW - N) + 7'(1 << NARROW);"
taken 'genvars of a loop' "for (genvar k = 0; k < 4; k++) assign x[k] = 1'((k >> 1) & 1);"
taken 'a cast of a cast' "assign x = 7'(5'(a)) + 7'(signed'(a + b)) + 7'(int'(a));"
taken 'type casts' "assign x = int'(a + b) + state_t'(a + b) + p::state_t'(a - b) + signed'(a + b) + unsigned'(a - b) + logic'(a + b) + type(x)'(a + b);"
taken 'comments and strings' "initial \$display(\"7'(a + b)\"); // 7'(a + b) /*
/* 7'(a + b)
   7'(a - b) */"
taken 'sums of casts' "assign x = 7'(a) + 7'(b) - (N+1)'(c);"
taken 'an assignment pattern' "assign x = '{a + b, c};"

# What the braces are for: their width is that of what is in them.
printf '%s\n' 'module m(input logic [4:0] a, output logic [6:0] braced, named);' '  logic [4:0] product;' \
    "  assign braced = 7'({a * 5'd5});" '  assign product = a * 5'"'d5;" "  assign named = 7'(product);" 'endmodule' >"$work/braces.sv"
demand 'braces: 15 x 5 in 5 bits' 0 "\\braced = 7'0001011|\\named = 7'0001011" \
    yosys -p "read_verilog -sv $work/braces.sv; hierarchy -top m; proc; opt; eval -set a 15 -show braced -show named"

# tb/tests/icarus.sh on a unit whose file is changed by sed, as Verilator and Yosys would take it; what it must say, or nothing.
[ -x build/lockstep ] || make -s all || exit 2
icarus() { # name, said or "", unit, parameters, file, sed's command
    sed -E "$6" "$5" >"$work/${5##*/}"
    if [ -n "$6" ] && cmp -s "$5" "$work/${5##*/}"; then bad "icarus: $1" "nothing is planted in $5"; return; fi
    files=$(build/lockstep list "$3" --files | sed "s|$5|$work/${5##*/}|")
    # shellcheck disable=SC2086
    tb/tests/icarus.sh "$work/icarus" "$3" "$4" $files >"$work/text" 2>&1
    status=$?
    if [ -z "$2" ] && [ "$status" -eq 0 ] && [ ! -s "$work/text" ]; then ok "icarus: $1"
    elif [ -n "$2" ] && [ "$status" -eq 1 ] && says "$work/text" "$2"; then ok "icarus: $1"
    else bad "icarus: $1" "status $status and not \"$2\" but $(head -n 3 "$work/text" | tr '\n' ' ')"
    fi
}
icarus 'a unit as it is' '' rf_rr '' rtl/common/rf_rr.sv ''
icarus 'a cast of a call into a package, which it refuses' 'rf_stage_head.sv:|Cast base expression must be a vector type' \
    rf_stage_head WARPS=5 rtl/banked/rf_stage_head.sv "s/BANK_W'\\(\\{(.*)\\}\\);/BANK_W'(\\1);/"
icarus 'ones of the context at a port, which it reads as one bit' 'rf_dispatch.sv:|req_i) of rf_rr expects 8 bits, got 1' \
    rf_dispatch '' rtl/banked/rf_dispatch.sv "s/req_i\\(ask\\)/req_i('1)/"
icarus 'an output that is not the model'"'"'s' 'cycle 1, time 20: output port valid_o: RTL 0, model 1' \
    rf_rr '' rtl/common/rf_rr.sv "s/assign valid_o = .*;/assign valid_o = 1'b0;/"
icarus 'a register that is not' 'register mask_q: RTL ' rf_rr '' rtl/common/rf_rr.sv 's/~\(grant_o \|/(grant_o |/'
icarus 'a register of which it has X' 'cycle 0, time 15: register mask_q: RTL xx, model 0' \
    rf_rr '' rtl/common/rf_rr.sv 's/mask_q <= .0;/mask_q <= mask_q;/'
icarus 'a row of a memory' 'memory mem_q[' rf_bank 'ROWS=5 LANES=4' rtl/banked/rf_bank.sv 's/<= merge\(/<= ~merge(/'
export ICARUS_SECONDS=2
icarus 'logic that wakes itself' 'it does not end' \
    rf_rr '' rtl/common/rf_rr.sv 's/^  assign above/  logic spin = 0; always @(spin or req_i) spin <= ~spin;\n&/'

# tb/tests/layers.sh on a small tree, as it should be and with something planted: an include and a call of the lower wing, what its README has.
layers() { # name, said or "", wing, include of low/a.h, call of low/a.c, lines of low's README, include of cmodel/one, call of cmodel/one
    rm -rf "$work/tree"
    for f in harness/low harness/high waves cmodel/one cmodel/two; do mkdir -p "$work/tree/$f" "$work/tree/obj/$f"; done
    mkdir -p "$work/tree/harness/$3"
    printf '| `low` | | |\n| `waves` | | |\n| `high` | | |\n' >"$work/tree/harness/README.md"
    yes | head -n "$6" >"$work/tree/harness/low/README.md"
    echo >"$work/tree/harness/high/README.md"
    include() { printf '#include "%s"\n' "$2" >"$work/tree/$1"; }
    include harness/low/a.h "$4"
    include waves/w.h harness/low/a.h
    include harness/high/b.h waves/w.h
    include harness/high/b.cpp harness/low/a.h
    include cmodel/one/c.h "$7"
    include cmodel/two/c.h cmodel/one/d.h
    object() { printf 'int %s(void); int %s(void); int %s(void) { return %s(); }\n' "$2" "$3" "$2" "$3" | gcc -x c -c -o "$work/tree/obj/$1.o" -; }
    object harness/low/a a "$5"
    object harness/high/b b a
    object cmodel/one/c c "$8"
    object cmodel/two/c d c
    (cd "$work/tree" && sh "$OLDPWD/tb/tests/layers.sh" obj) >"$work/text" 2>&1
    if [ -z "$2" ]; then
        if [ -s "$work/text" ]; then bad "layers: $1" "$(head -n 2 "$work/text")"; else ok "layers: $1"; fi
    elif says "$work/text" "$2"; then ok "layers: $1"
    else bad "layers: $1" "not \"$2\" but $(head -n 3 "$work/text" | tr '\n' ' ')"
    fi
}
layers 'as they should be' '' . harness/low/c.h e 20 cmodel/one/d.h e
layers 'an include from below' 'harness/low/a.h:1: includes harness/high/b.h, which is below it|harness/low: files of such folders include' \
    . harness/high/b.h e 20 cmodel/one/d.h e
layers 'waves is a wing of its own' 'harness/low/a.h:1: includes waves/w.h, which is below it' . waves/w.h e 20 cmodel/one/d.h e
layers 'a call from below, in a circle' 'harness/low/a: calls b of harness/high/b, which is below it|harness/low/a: calls in a circle' \
    . harness/low/c.h b 20 cmodel/one/d.h e
layers 'a folder that is no wing, without a README' 'harness/none/: not in the table|harness/none/README.md: 0 lines' \
    none harness/low/c.h e 20 cmodel/one/d.h e
layers 'a README that is too long' 'harness/low/README.md: 21 lines, not 1 .. 20' . harness/low/c.h e 21 cmodel/one/d.h e
layers 'groups that include each other' 'cmodel/one: files of such folders|cmodel/two: files of such folders' \
    . harness/low/c.h e 20 cmodel/two/c.h e
layers 'files of one name that call each other' 'cmodel/one/c: calls in a circle|cmodel/two/c: calls in a circle' \
    . harness/low/c.h e 20 cmodel/one/d.h d

# lint.sh of one unit: its own RTL, model and bench, nothing of another and no rule of the whole project but the manifests, which list it.
demand 'lint of one unit' 0 '=passed, 0 failed' tb/tests/lint.sh rf_ocu
sort build/lint-rf_ocu/*.name >"$work/checks"
expect '... is of its RTL, model and bench' "$(cat "$work/checks")" says "$work/checks" \
    "verilator -Wall rf_ocu $(build/lockstep list rf_ocu --all-sets | sed -n '$s/rf_ocu //p')|yosys rf_ocu |icarus rf_ocu |format of cmodel/banked/rf_ocu.c|clang-tidy cmodel/banked/rf_ocu.c tb/banked/rf_ocu.c|clang-tidy tb/banked/judge/test_rf_ocu.c|header alone, C++: cmodel/banked/rf_ocu_parts.h|the files of rf_ocu|rf_ocu is in docs/units/README.md|rf_ocu has nothing left to write|manifests of the RTL"
other() { grep -v 'rf_ocu\|^casts\|^size casts\|^widths\|^manifests' "$work/checks"; grep alloc "$work/checks"; }
expect '... and of nothing else' "$(other)" test -z "$(other)"
demand 'lint of a unit that is none' 2 'rf_rrr rf_rr' tb/tests/lint.sh rf_rrr

tally
