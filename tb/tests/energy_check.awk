# SPDX-License-Identifier: Apache-2.0
# The toggles of a mapped netlist, counted a second way: one bit and one cycle at a time, gates by rules written down here, over and over
# until nothing changes. Slow; shares nothing with harness/energy_*.c.
#   awk -f tb/tests/energy_check.awk gates.v run.case      cells of the library osu018; a case file's cycles (docs/harness.md)
# Prints "type of the driver, toggles" for each net that a cell drives and for each input; the clock twice a cycle.

function fail(text) { print "energy_check: " text > "/dev/stderr"; failed = 1; exit 2 }

# Bits of a hexadecimal word into v[port_i[k]], lowest first.
function put(port, word, k, d, b) {
    for (k = 0; k < width[port]; k += 4) {
        d = k / 4 < length(word) ? index("0123456789abcdef", substr(word, length(word) - k / 4, 1)) - 1 : 0
        for (b = 0; b < 4 && k + b < width[port]; b++) {
            v[width[port] == 1 ? port : port "[" k + b "]"] = d % 2
            d = int(d / 2)
        }
    }
}

function at(c, p) { return v[pin[c, p]] }

function gate(c, t) {
    t = kind[c]
    if (t == "INV") return 1 - at(c, "A")
    if (t == "BUF" || t == "CLKBUF") return at(c, "A")
    if (t == "AND2") return at(c, "A") * at(c, "B")
    if (t == "NAND2") return 1 - at(c, "A") * at(c, "B")
    if (t == "NAND3") return 1 - at(c, "A") * at(c, "B") * at(c, "C")
    if (t == "OR2") return at(c, "A") + at(c, "B") > 0
    if (t == "NOR2") return at(c, "A") + at(c, "B") == 0
    if (t == "NOR3") return at(c, "A") + at(c, "B") + at(c, "C") == 0
    if (t == "XOR2") return at(c, "A") != at(c, "B")
    if (t == "XNOR2") return at(c, "A") == at(c, "B")
    if (t == "AOI21") return at(c, "A") * at(c, "B") + at(c, "C") == 0
    if (t == "AOI22") return at(c, "A") * at(c, "B") + at(c, "C") * at(c, "D") == 0
    if (t == "OAI21") return (at(c, "A") + at(c, "B")) * at(c, "C") == 0
    if (t == "OAI22") return (at(c, "A") + at(c, "B")) * (at(c, "C") + at(c, "D")) == 0
    if (t == "MUX2") return at(c, "S") ? 1 - at(c, "A") : 1 - at(c, "B")
    fail("no rule for cell " t)
}

# Clear and set act at once.
function forced(c, q) {
    if (pin[c, "R"] != "" && !at(c, "R")) return 0
    if (pin[c, "S"] != "" && !at(c, "S")) return 1
    return q
}

function settle(c, changed, new) {
    do {
        changed = 0
        for (c = 1; c <= cells; c++) {
            if (is_flop[c]) { v[pin[c, "Q"]] = forced(c, at(c, "Q")); continue }
            new = gate(c)
            if (new != v[pin[c, "Y"]]) { v[pin[c, "Y"]] = new; changed = 1 }
        }
    } while (changed)
}

function edge(c) {
    for (c = 1; c <= cells; c++) if (is_flop[c]) next_q[c] = forced(c, at(c, "D"))
    for (c = 1; c <= cells; c++) if (is_flop[c]) v[pin[c, "Q"]] = next_q[c]
}

FNR == 1 { file++ }
file == 1 && $1 == "input" {
    name = $NF; sub(/;$/, "", name)
    width[name] = 1
    if ($2 ~ /^\[/) { split(substr($2, 2), range, ":"); width[name] = range[1] + 1 }
    for (k = 0; k < width[name]; k++) nets[++net_count] = width[name] == 1 ? name : name "[" k "]"
    for (k = 0; k < width[name]; k++) driver[net_count - k] = "input"
}
file == 1 && $1 ~ /^[A-Z][A-Z0-9]*$/ && $NF == "(" {
    cells++
    type[cells] = kind[cells] = $1
    sub(/X[0-9]+$/, "", kind[cells])
    is_flop[cells] = $1 == "DFFSR" || $1 == "DFFPOSX1"
}
file == 1 && $1 ~ /^\.[A-Z]+\(/ {
    name = substr($1, 2); sub(/\(.*/, "", name)
    net = $0; sub(/^[^(]*\(/, "", net); sub(/\),?$/, "", net); gsub(/ /, "", net)
    pin[cells, name] = net
    if (name == "Y" || name == "Q") { nets[++net_count] = net; driver[net_count] = type[cells] }
}
file == 2 && ($1 == "reset" || $1 == "cycle") {
    v["1'b0"] = 0; v["1'b1"] = 1
    for (k = 2; k <= NF; k++) {
        split($k, word, "=")
        if (!((word[1] "_i") in width)) fail("the netlist has no input " word[1] "_i")
        put(word[1] "_i", word[2])
    }
    v["rst_ni"] = $1 == "cycle"
    settle()
    if ($1 == "cycle") {
        if (before == "cycle") {
            steps++
            for (k = 1; k <= net_count; k++) toggles[k] += v[nets[k]] + 0 != old[k]
        }
        for (k = 1; k <= net_count; k++) old[k] = v[nets[k]] + 0
    }
    before = $1
    edge()
}
END {
    if (failed) exit 2
    if (steps == 0) fail("no step from one cycle to the next")
    for (k = 1; k <= net_count; k++) print driver[k], nets[k] == "clk_i" ? 2 * steps : toggles[k] + 0
}
