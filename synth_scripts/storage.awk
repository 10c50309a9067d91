# SPDX-License-Identifier: Apache-2.0
# Counts state in Yosys' dumps (storage.sh): the paper's figures, the netlist with what is used, the one with all RTL names. Registers of
# arrays and of instances that differ in an index stand in one line.
function group(name) {
    gsub(/\[[0-9]+\]/, "[*]", name)
    return name
}
# `bits` of register `name`, which `kind` holds.
function add(name, bits, kind,    g) {
    sub(/^\\/, "", name)
    g = group(name)
    if (!(g in sum)) order[++groups] = g
    sum[g] += bits
    all[kind] += bits
    if (!(name in seen)) instances[g]++
    seen[name] = 1
}
# What a connection of `$2 .. $NF` names.
function add_signals(    i, high_low) {
    for (i = 3; i <= NF; i++) {
        if ($i !~ /^[\\$]/) continue
        if ($(i + 1) ~ /^\[[0-9]+:[0-9]+\]$/) {
            split(substr($(i + 1), 2), high_low, /[:\]]/)
            add($i, high_low[1] - high_low[2] + 1, "flip_flops")
        } else if ($(i + 1) ~ /^\[[0-9]+\]$/) add($i, 1, "flip_flops")
        else add($i, $i in width ? width[$i] : 1, "flip_flops")
    }
}
# Whether the register that `name` stands for is called `wanted`, in whatever instance.
function is_of(name, wanted) {
    sub(/\[\*\]$/, "", name)
    return name == wanted || substr(name, length(name) - length(wanted)) == "." wanted
}
FNR == 1 { file++ }
file == 1 {
    fields = split($0, part, / *\| */)
    if (/^rf_/ && (part[1] "|" part[2]) in row) {
        print "storage.sh: " FILENAME ":" FNR ": " part[1] " " part[2] " stands in line " row[part[1] "|" part[2]] " already" >"/dev/stderr"
        failed = 1
        exit 2
    }
    if (/^rf_/) row[part[1] "|" part[2]] = FNR
    if ($0 !~ /^#/ && fields >= 4 && fields <= 6 && part[1] == unit) {
        holds = 1
        n = split(part[2], wanted, " ")
        for (i = 1; i <= n; i++) holds = holds && index(" " set " ", " " wanted[i] " ")
        if (holds) {
            paper = part[3]
            source = part[4]
            only = fields >= 5 ? part[5] : ""
        }
    }
    next
}
# A cell that keeps a value: flip-flops and latches, whatever their resets and enables.
file == 2 && $1 == "cell" && $2 ~ /^\$_(FF|DFF|DFFE|DFFSR|DFFSRE|SDFF|SDFFE|SDFFCE|ALDFF|ALDFFE|DLATCH|DLATCHSR|SR)_[A-Z01]*_*$/ { used[$3] = 1 }
file == 2 && $1 == "cell" && $2 ~ /(dff|latch|\$sr|\$ff|FF|LATCH|\$_SR)/ && !($3 in used) {
    print "storage.sh: a cell of the unknown kind " $2 >"/dev/stderr"
    failed = 1
}
file == 2 && $1 == "memory" { used[$NF] = 1 }
file == 3 && $1 == "wire" {
    width[$NF] = 1
    for (i = 2; i < NF; i++) if ($i == "width") width[$NF] = $(i + 1)
}
file == 3 && $1 == "memory" && $NF in used {
    bits = 1
    for (i = 2; i < NF; i++) if ($i == "width" || $i == "size") bits *= $(i + 1)
    add($NF, bits, "memory")
}
file == 3 && $1 == "cell" { counted = $3 in used }
file == 3 && counted && $1 == "connect" && $2 == "\\Q" { add_signals() }
END {
    if (failed) exit 2
    total = covered = all["flip_flops"] + all["memory"]
    n = split(only, wanted, " ") # the figure is of these registers alone, wherever they are
    if (n > 0) covered = 0
    for (k = 1; k <= n; k++) {
        before = covered
        for (i = 1; i <= groups; i++)
            if (is_of(order[i], wanted[k])) covered += sum[order[i]]
        if (covered == before) {
            print "storage.sh: " unit " has no register " wanted[k] " that storage.paper counts" >"/dev/stderr"
            exit 2
        }
    }
    for (i = 2; i <= groups; i++) # by name
        for (k = i; k > 1 && order[k] < order[k - 1]; k--) {
            held = order[k]
            order[k] = order[k - 1]
            order[k - 1] = held
        }
    if (json) {
        n = split(set, wanted, " ")
        printf "{\"unit\":\"%s\",\"params\":{", unit
        for (i = 1; i <= n; i++) {
            split(wanted[i], part, "=")
            printf "%s\"%s\":%d", (i > 1 ? "," : ""), part[1], part[2]
        }
        printf "},\"registers\":["
        for (i = 1; i <= groups; i++) printf "%s{\"name\":\"%s\",\"instances\":%d,\"bits\":%d}", (i > 1 ? "," : ""), order[i], instances[order[i]], sum[order[i]]
        printf "],\"flip_flops\":%d,\"memory\":%d,\"total\":%d", all["flip_flops"], all["memory"], total
        if (paper != "") printf ",\"paper\":%d,\"difference\":%d,\"source\":\"%s\"", paper, covered - paper, source
        if (paper != "" && only != "") printf ",\"of\":\"%s\",\"bits_of\":%d", only, covered
        print "}"
        exit 0
    }
    print unit " " set
    printf "%10s  %s\n", "bits", "register"
    for (i = 1; i <= groups; i++)
        printf "%10d  %s%s\n", sum[order[i]], order[i], (instances[order[i]] > 1 ? sprintf("  (%d x %g)", instances[order[i]], sum[order[i]] / instances[order[i]]) : "")
    printf "%10d  total: %d in flip-flops, %d in memories\n", total, all["flip_flops"], all["memory"]
    if (only != "") printf "%10d  of these in %s\n", covered, only
    if (paper != "") printf "%10d  paper, difference %+d: %s\n", paper, covered - paper, source
}
