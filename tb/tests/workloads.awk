# SPDX-License-Identifier: Apache-2.0
# The figures of workload_stats as a table, one row a workload, with the mean of each size and the papers' figures beside it.
# Means are over workloads, each counting the same, as the papers' are.
function number(key,    at) {
    at = index($0, "\"" key "\":")
    return at ? substr($0, at + length(key) + 3) + 0 : -1
}
function name(    rest) {
    rest = substr($0, index($0, ":\"") + 2)
    return substr(rest, 1, index(rest, "\"") - 1)
}
function percent(x) { return x < 0 ? "     -" : sprintf("%5.1f%%", 100 * x) }
function row(title, k,    text, i) {
    text = sprintf("%-21s %9s", title, k["warp_instructions"] < 0 ? "" : sprintf("%.0f", k["warp_instructions"]))
    text = text sprintf(" %s %6.2f %6.2f", percent(k["full_mask"]), k["reads"], k["writes"])
    for (i = 0; i < 4; i++) text = text " " percent(k["read_" i])
    return text sprintf(" %s %s %6.1f %s", percent(k["once_soon"]), percent(k["near"]), k["strand"], percent(k["repeated"]))
}
BEGIN {
    keys = split("warp_instructions full_mask reads writes read_0 read_1 read_2 read_3 once_soon near strand repeated", key, " ")
    printf "%-21s %9s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s %6s\n", "workload", "warp inst", "full", "reads", "writes", "read 0", "read 1", "read 2",
        "3+", "soon", "near", "strand", "repeat"
}
{
    size = name()
    sub(/.*-/, "", size)
    runs[size]++
    for (i = 1; i <= keys; i++) {
        figure[key[i]] = number(key[i])
        sum[size, key[i]] += figure[key[i]]
    }
    print row(name(), figure)
}
END {
    for (size in runs) {
        for (i = 1; i <= keys; i++) figure[key[i]] = sum[size, key[i]] / runs[size]
        print row("mean of " size, figure)
    }
    print ""
    print "[hierarchy Fig. 2, 3] up to 70 % of values read once, about 10 % more than twice; up to 40 % read once and within 3 instructions (soon)"
    print "[CERF Fig. 2]         about 60 % read less than twice, under 10 % more than twice"
    print "[WIR Fig. 2]          31.4 % of warp instructions repeat a computation of the last 1 K"
}
