# SPDX-License-Identifier: Apache-2.0
# What the pages about papers have in common (paper.sh runs it with paper_plots.awk and the page's own file): reads the table of
# workloads, the records and the template, in which @name@ stands for a value or a table; writes page/<paper>.md. Whatever is missing
# ends it.
#
# A run's name is its workload's number, "-", and its configuration: `c` below. The page's own file has
#
#   figure(what, w, c)         one figure of a workload in a configuration
#   line(table, title, w, set) a line of a table over workloads: of workload w, or the mean of a set when w is 0
#   claims(), words(), plots() called in this order when everything has been read: verdicts, put["name"], pictures
#
# Means are over the kernels alone, so that they are the same without traces: arithmetic ones of cycles and shares, geometric ones of
# ratios.

function die(text) {
    print "paper " paper ": " text >"/dev/stderr"
    failed = 1
    exit 1
}

# ---- what was measured ----

function have(w, c, key) {
    if (!((w, c, key) in got)) die("no " key " of run " w "-" c)
    return got[w, c, key]
}
function ratio(a, b) { return b > 0 ? a / b : 0 }
# A figure's arithmetic mean over the kernels, or over the traces.
function mean(what, c, set,    w, sum, count) {
    for (w = 1; w <= workloads; w++)
        if (kind[w] == set) {
            sum += figure(what, w, c)
            count++
        }
    return ratio(sum, count)
}
# A figure, or its mean when w is 0.
function of(what, w, c, set) { return w > 0 ? figure(what, w, c) : mean(what, c, set) }
# IPC in c over IPC in base: of one workload, and the geometric mean.
function faster(w, c, base) { return ratio(have(w, c, "ipc"), have(w, base, "ipc")) }
function faster_mean(c, base, set,    w, sum, count) {
    for (w = 1; w <= workloads; w++)
        if (kind[w] == set) {
            sum += log(faster(w, c, base))
            count++
        }
    return count > 0 ? exp(sum / count) : 1
}
function faster_of(w, c, base, set) { return w > 0 ? faster(w, c, base) : faster_mean(c, base, set) }
function over(w, c, base, set) { return signed(faster_of(w, c, base, set) - 1) }
# Change of a mean, as the papers' -58 %.
function change(what, c, base, set) { return ratio(mean(what, c, set), mean(what, base, set)) - 1 }

# ---- how it is written ----

function percent(x) { return sprintf("%.1f %%", 100 * x) }
function signed(x,    text) {
    text = sprintf("%+.1f %%", 100 * x)
    return text == "-0.0 %" || text == "+0.0 %" ? "0.0 %" : text
}
function points(near) { return sprintf("%.0f point%s", 100 * near, near > 0.015 ? "s" : "") }

# An effect: holds within `near` of the paper's, else by direction and size; 0.05 % and less is none.
function effect(ours, paper, near) {
    if (ours - paper <= near && paper - ours <= near) return "holds"
    if (ours * paper <= 0 || (ours < 0.0005 && ours > -0.0005)) return "no"
    if (ours / paper > 1) return "larger"
    return ours / paper >= 0.25 ? "weaker" : "sign only"
}
function value(ours, paper, near) {
    return ours - paper <= near && paper - ours <= near ? "holds" : ours > paper ? "higher" : "lower"
}
function judged(holds) { return holds ? "holds" : "no" }

# The claims by verdict; note() has each of them once.
function note(verdict, text) { said[verdict] = said[verdict] "; " text }
function in_words(    word, n, i, text) {
    n = split("holds|larger|weaker|sign only|higher|lower|no", word, "|")
    for (i = 1; i <= n; i++)
        if (word[i] in said) text = text "- *" word[i] "*: " substr(said[word[i]], 3) ".\n"
    return text
}

# One line a workload, then the means; `table` says which.
function lines(table,    w, text) {
    for (w = 1; w <= workloads; w++) {
        if (w > 1 && kind[w] != kind[w - 1]) text = text line(table, "**mean of the kernels**", 0, "kernel")
        text = text line(table, name[w], w, "")
    }
    if (traces == 0) return text line(table, "**mean of the kernels**", 0, "kernel")
    return text line(table, "**mean of the traces**", 0, "trace")
}

function common_words() {
    put["kernels"] = kernels
    put["traces"] = traces
    put["runs"] = runs
    put["trace_text"] = traces > 0 ? sprintf("The %d real traces and logs stand below the kernels and have a mean of their own.",
        traces) : "No real traces were there when this page was written."
    put["in_words"] = in_words()
}

# ---- input ----

FNR == 1 { file++ }
file == 1 {
    workloads++
    if ($1 != workloads) die("the table of workloads has a hole at " $0)
    kind[workloads] = $2
    name[workloads] = $3
    regs[workloads] = $4
    alu[workloads] = $5
    kernels += $2 == "kernel"
    traces += $2 == "trace"
    larger += $4 > 32
    next
}
file == 2 {
    rest = $0
    sub(/^\{"run":"/, "", rest)
    run = substr(rest, 1, index(rest, "\"") - 1)
    split(run, at, "-")
    config = substr(run, length(at[1]) + 2)
    rest = substr($0, index($0, "\"counters\":{") + 12)
    rest = substr(rest, 1, index(rest, "}") - 1)
    count = split(rest, pair, ",")
    for (i = 1; i <= count; i++) {
        colon = index(pair[i], ":")
        got[at[1], config, substr(pair[i], 2, colon - 3)] = substr(pair[i], colon + 1) + 0
    }
    runs++
    next
}
file == 3 && !begun {
    begun = 1
    claims()
    common_words()
    words()
    plots()
}
{
    text = $0
    while (match(text, /@[a-z_0-9]+@/)) {
        key = substr(text, RSTART + 1, RLENGTH - 2)
        if (!(key in put)) die("the template names @" key "@, which there is not")
        content = put[key]
        sub(/\n$/, "", content)
        printf "%s%s", substr(text, 1, RSTART - 1), content >(page "/" paper ".md")
        text = substr(text, RSTART + RLENGTH)
    }
    print text >(page "/" paper ".md")
}
END {
    if (failed) exit 1
    if (!begun) die("no template")
}
