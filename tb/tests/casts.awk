# SPDX-License-Identifier: Apache-2.0
# Size casts whose operand's value depends on how wide it is evaluated: the product of `7'(a * b)` is as wide as a and b by IEEE 1800 (6.24.1), and
# has 7 bits in Verilator and Yosys. One line each, "file:line: cast: why"; nothing when there are none.
#   awk -f tb/tests/casts.awk rtl/*/*.sv
# Type casts (`int'(x)`, `state_t'(x)`, `signed'(x)`) are no size casts. An operand that this cannot read is told, too.
#
# Classes of an expression: CONSTANT, of 32 bits at least; SIZED, a constant that may be narrower; PLAIN, the same whether it is extended
# before or after; DEPENDS. What stands in braces, brackets or a call has a width of its own. Constants have names in upper case, or are genvars.

BEGIN {
    CONSTANT = 1; SIZED = 2; PLAIN = 3; DEPENDS = 4
    # binary operators: how tightly they bind, and what they make
    table("->  <->", 1, "truth")
    table("||", 3, "truth")
    table("&&", 4, "truth")
    table("|", 5, "bits")
    table("^", 6, "bits")
    table("~^ ^~", 6, "sum") # ones where both are extended
    table("&", 7, "bits")
    table("== != === !== ==? !=?", 8, "truth")
    table("< <= > >= inside", 9, "truth")
    table("<< >> <<< >>>", 10, "sum")
    table("+ -", 11, "sum")
    table("* / %", 12, "sum")
    table("**", 13, "sum")
    CHOICE = 2
    split("int integer byte shortint longint time real shortreal string logic bit reg signed unsigned const void", words, " ")
    for (w in words) type_word[words[w]] = 1
    split("$clog2 $bits $size $high $low $left $right $dimensions", words, " ")
    for (w in words) constant_call[words[w]] = 1
}

function table(operators, binds, makes, list, k) {
    k = split(operators, list, " ")
    for (; k > 0; k--) { level[list[k]] = binds; kind[list[k]] = makes }
}

FNR == 1 && NR > 1 { judge() }
FNR == 1 { file = FILENAME; n = 0; comment = 0 }
{ tokens($0) }
END { if (NR > 0) judge() }

function push(text) { n++; token[n] = text; line[n] = FNR }

# The tokens of a line; a comment may go on. A literal is one token, with its size and base.
function tokens(s, c) {
    while (s != "") {
        if (comment) {
            c = index(s, "*/")
            if (c == 0) return
            s = substr(s, c + 2)
            comment = 0
            continue
        }
        if (match(s, /^[ \t\r]+/)) { s = substr(s, RLENGTH + 1); continue }
        if (substr(s, 1, 2) == "//") return
        if (substr(s, 1, 2) == "/*") { comment = 1; s = substr(s, 3); continue }
        if (match(s, /^"([^"\\]|\\.)*"/) ||
            match(s, /^[0-9][0-9_]* *'[sS]?[bBoOdDhH] *[0-9a-fA-F_xXzZ?]+/) || match(s, /^'[sS]?[bBoOdDhH] *[0-9a-fA-F_xXzZ?]+/) ||
            match(s, /^'[01xXzZ]/) || match(s, /^[0-9][0-9_]*(\.[0-9_]+)?([eE][+-]?[0-9]+)?/) ||
            match(s, /^[$`]?[A-Za-z_][A-Za-z0-9_$]*/) || match(s, /^\\[^ \t]+/) ||
            match(s, /^(<<<=|>>>=|<<<|>>>|===|!==|==\?|!=\?|<->|<<=|>>=)/) ||
            match(s, /^('\(|'\{|<<|>>|\*\*|->|\|\||&&|==|!=|<=|>=|~&|~\||~\^|\^~|::|\+:|-:|\+\+|--|[-+*\/%&|^]=)/)) {
            push(substr(s, 1, RLENGTH))
            s = substr(s, RLENGTH + 1)
            continue
        }
        push(substr(s, 1, 1))
        s = substr(s, 2)
    }
}

function judge(i) {
    split("", genvar)
    split("", narrow)
    token[n + 1] = token[n + 2] = ""
    for (i = 1; i <= n; i++) {
        if (token[i] == "genvar") genvars(i + 1)
        if (token[i] == "localparam" || token[i] == "parameter") parameters(i + 1)
    }
    for (i = 1; i <= n; i++) if (token[i] == "'(" && !of_type(i - 1)) cast(i)
}

function genvars(i) { for (; token[i] ~ /^[A-Za-z_]/; i += 2) { genvar[token[i]] = 1; if (token[i + 1] != ",") return } }

# Constants declared with a range of bits may be narrower than 32.
function parameters(i, sized) {
    sized = 0
    for (; i <= n && token[i] != "=" && token[i] != ";"; i++) {
        if (token[i] == "[" || token[i] == "logic" || token[i] == "bit" || token[i] == "byte" || token[i] == "shortint") sized = 1
        if (sized && token[i + 1] == "=") narrow[token[i]] = 1
    }
}

# Is what ends at token i a type? Then the cast after it says nothing of a size.
function of_type(i, depth) {
    if (token[i] == ")") {
        depth = 0
        do {
            if (token[i] == ")") depth++
            if (token[i] == "(" || token[i] == "'(") depth--
            i--
        } while (depth > 0 && i > 0)
        return token[i] == "type"
    }
    return (token[i] in type_word) || token[i] ~ /_t$/
}

function cast(i, what) {
    at = i + 1
    wrong = why = ""
    what = expression(0)
    if (wrong == "" && token[at] != ")") unread()
    if (wrong == "" && what != DEPENDS) return
    if (wrong == "") wrong = "what it casts depends on the width it is evaluated at (" why "): cast its operands, or give it a width with a wire or braces"
    printf "%s:%d: %s'(...): %s\n", file, line[i], width(i), wrong
}

# The width as it is written before the cast.
function width(i, text, depth) {
    depth = 0
    for (i--; i > 0; i--) {
        text = token[i] text
        if (token[i] == ")" || token[i] == "]") depth++
        if (token[i] == "(" || token[i] == "[") depth--
        if (depth == 0 && token[i] !~ /^([[\]]|::|\.)$/ && token[i - 1] !~ /^(::|\.)$/ && !(token[i] == "(" && token[i - 1] ~ /^\$/)) return text
    }
    return text
}

function most(a, b) { return a > b ? a : b }

function depends(operator) { if (why == "") why = "`" operator "`"; return DEPENDS }

function unread() { if (wrong == "") wrong = "cannot read its operand at `" token[at] "`"; return DEPENDS }

# A sum and its like: of constants one, unless all are narrow.
function sum(a, b, operator) {
    if (a == DEPENDS || b == DEPENDS) return DEPENDS
    if (a == PLAIN || b == PLAIN) return depends(operator)
    if (a == SIZED && b == SIZED) return depends(operator)
    return CONSTANT
}

# Reads from token `at` on what binds tighter than `least`; its class. `was`: a condition's or a comparison's operands are no reason.
function expression(least, a, b, c, operator, was) {
    was = why
    a = unary()
    while (wrong == "") {
        operator = token[at]
        if (operator == "?" && least < CHOICE) {
            at++
            why = was
            b = expression(0)
            if (token[at] != ":") return unread()
            at++
            c = expression(CHOICE - 1)
            if (b == DEPENDS || c == DEPENDS) a = DEPENDS
            else a = a <= SIZED ? most(b, c) : PLAIN
            continue
        }
        if (!(operator in level) || level[operator] <= least) break
        at++
        b = expression(level[operator])
        if (kind[operator] == "truth") { a = a <= SIZED && b <= SIZED ? SIZED : PLAIN; why = was }
        else if (kind[operator] == "bits") a = a <= SIZED && b <= SIZED && a != b ? CONSTANT : most(a, b)
        else if (operator ~ /^(<<|>>|\*\*)/ && a == SIZED) a = depends(operator) # has the width of its left side
        else a = sum(a, b, operator)
    }
    return a
}

function unary(operator, a, was) {
    operator = token[at]
    was = why
    if (operator ~ /^(!|&|\||\^|~&|~\||~\^|\^~)$/) { at++; a = unary() <= SIZED ? SIZED : PLAIN; why = was; return a }
    if (operator == "+") { at++; return unary() }
    if (operator == "-" || operator == "~") { at++; a = unary(); return a == DEPENDS || a == CONSTANT ? a : depends("unary " operator) }
    return primary()
}

# Skips to behind the bracket that token `at` opens.
function skip(depth) {
    depth = 0
    do {
        if (token[at] ~ /^(\(|\[|\{|'\(|'\{)$/) depth++
        if (token[at] ~ /^[])}]$/) depth--
        if (at > n) { wrong = "its brackets do not end"; return }
        at++
    } while (depth > 0)
}

# What is within brackets, a call's arguments or a cast is evaluated at its own width.
function primary(name, a) {
    name = token[at]
    if (name ~ /^[0-9]/) { at++; a = name ~ /'/ ? SIZED : CONSTANT }
    else if (name == "'0") { at++; a = SIZED }
    else if (name ~ /^'[1xXzZ]/) { at++; return depends(name) }
    else if (name ~ /^'[sSbBoOdDhH]/) { at++; a = CONSTANT }
    else if (name ~ /^"/) { at++; a = PLAIN }
    else if (name == "{" || name == "'{") { skip(); a = PLAIN }
    else if (name == "(") {
        at++
        a = expression(0)
        if (token[at] != ")") return unread()
        at++
    } else if (name ~ /^[A-Za-z_$`\\]/) {
        at++
        while (token[at] == "::" || token[at] == ".") { name = token[at + 1]; at += 2 }
        if (name in genvar) a = CONSTANT
        else if (name in constant_call) a = CONSTANT
        else if (name in narrow) a = SIZED
        else if (name ~ /^[A-Z][A-Z0-9_]*$/) a = CONSTANT
        else a = PLAIN
        if (token[at] == "(") skip()
    } else return unread()
    while (wrong == "" && (token[at] == "[" || token[at] == "'(" || token[at] == ".")) {
        if (token[at] == "'(") a = a <= SIZED || (name in type_word) ? cast_class() : PLAIN
        else if (token[at] == "[") a = a <= SIZED ? SIZED : PLAIN
        else { at += 2; a = PLAIN; if (token[at] == "(") skip(); continue }
        skip()
    }
    return a
}

# A cast within an operand, with `at` at its bracket: judged by itself elsewhere, here a constant when what it casts is one.
function cast_class(back, was, a) {
    back = at
    was = why
    at++
    a = expression(0)
    why = was
    at = back
    return a <= SIZED ? SIZED : PLAIN
}
