# SPDX-License-Identifier: Apache-2.0
# The figures of paper_bank_stealing.sh's runs: tables, verdicts and plots (tb/papers/paper.awk and paper_plots.awk have what is no page's
# own).
# A configuration is "KB-banks-scheduler-READS-WRITES".

# ---- what was measured ----

# One figure of a workload in a configuration.
function figure(what, w, c,    reads, results) {
    if (what == "ipc") return have(w, c, "ipc")
    if (what == "use") return have(w, c, "bank_busy_share")
    if (what == "alu") return ratio(alu[w], have(w, c, "cycles"))
    if (what == "issue") return ratio(have(w, c, "uops"), 2 * have(w, c, "cycles"))
    if (what ~ /^stall_/) return ratio(have(w, c, what), 2 * have(w, c, "cycles"))
    if (what == "collectors") return have(w, c, "collectors_busy_mean")
    if (what == "ahead_issues") return ratio(have(w, c, "issues_ahead"), have(w, c, "uops"))
    reads = have(w, c, "reads") + have(w, c, "reads_ahead")
    if (what == "ahead") return ratio(have(w, c, "reads_ahead"), reads)
    if (what == "read") return ratio(have(w, c, "wait_read"), reads)
    if (what == "own") return ratio(have(w, c, "wait_own"), reads)
    if (what == "bank") return ratio(have(w, c, "wait_write"), reads)
    if (what == "recall") return ratio(have(w, c, "wait_recall"), reads)
    if (what == "away") return ratio(have(w, c, "wait_stolen"), reads)
    if (what == "write") return figure("bank", w, c) + figure("recall", w, c) + figure("away", w, c)
    if (what == "both") return figure("read", w, c) + figure("write", w, c)
    results = have(w, c, "writes_normal") + have(w, c, "writes_stolen") + have(w, c, "writes_forced")
    if (what == "normal") return ratio(have(w, c, "writes_normal"), results)
    if (what == "stolen") return ratio(have(w, c, "writes_stolen"), results)
    if (what == "forced") return ratio(have(w, c, "writes_forced"), results)
    if (what == "back_forced") return ratio(have(w, c, "back_forced"), results)
    if (what == "back_stall") return ratio(have(w, c, "back_stall"), results)
    if (what == "stall") return figure("forced", w, c) + figure("back_forced", w, c) + figure("back_stall", w, c)
    if (what == "in_1") return ratio(have(w, c, "back_in_1"), have(w, c, "writes_stolen"))
    if (what == "in_3") return ratio(have(w, c, "back_in_3"), have(w, c, "writes_stolen"))
    if (what == "unforced") return ratio(have(w, c, "back_idle"), have(w, c, "writes_stolen"))
    if (what == "lost") return ratio(have(w, c, "names_lost"), have(w, c, "names"))
    die("no figure " what)
}

function size(banks, steal) { return "128-" banks "-0-" steal }

# ---- how it is written ----

function cycles(x) { return sprintf("%.3f", x) }

# A line of the summary; `tolerance` is a text. A figure that does not depend on READS is given once.
function claim(text, paper, one, two, tolerance, verdict_one, verdict_two) {
    summary = summary sprintf("| %s | %s | %s | %s | %s | %s | %s |\n", text, paper, one, two, tolerance, verdict_one, verdict_two)
    printf "%-88s %14s %10s %10s  %-9s %s\n", text, paper, one, two, verdict_one, verdict_two
    note(verdict_two != "" ? verdict_two : verdict_one, text)
}
function claim_effect(text, paper, one, two, near) {
    claim(text, signed(paper), signed(one), signed(two), points(near), effect(one, paper, near), effect(two, paper, near))
}
function claim_value(text, paper, one, two, near) {
    claim(text, percent(paper), percent(one), percent(two), points(near), value(one, paper, near), value(two, paper, near))
}
function claim_above(text, paper, one, two) {
    claim(text, "> " percent(paper), percent(one), percent(two), "", judged(one > paper), judged(two > paper))
}

function claims(    s8, s16, s32, one, two, b, c1, c2, w, kernels_1, kernels_2) {
    s8 = size(8, "0-0"); s16 = size(16, "0-0"); s32 = size(32, "0-0"); one = size(8, "1-1"); two = size(8, "2-1")
    c1 = faster_mean(s8, s16, "kernel") - 1
    claim("IPC, straight 8 banks over straight 16 (III-A, VI-B-1)", signed(-0.05), signed(c1), "", "1 point", effect(c1, -0.05,
        0.01), "")
    c1 = faster_mean(s32, s16, "kernel") - 1
    claim("IPC, straight 32 banks over straight 16: \"almost the same\" (III-A-1, VI-A)", signed(0.014), signed(c1), "",
        "2 points", effect(c1, 0.014, 0.02), "")
    claim_effect("IPC, 8 banks with read stealing over straight 8 (VI-B-1)", 0.07, faster_mean(size(8, "1-0"), s8, "kernel") - 1,
        faster_mean(size(8, "2-0"), s8, "kernel") - 1, 0.01)
    claim_effect("IPC, 8 banks with read stealing over straight 16 (VI-B-1)", 0.02, faster_mean(size(8, "1-0"), s16, "kernel") - 1,
        faster_mean(size(8, "2-0"), s16, "kernel") - 1, 0.01)
    claim_effect("IPC, 8 banks with both over straight 16 (VI-A, VI-B-2)", 0.072, faster_mean(one, s16, "kernel") - 1,
        faster_mean(two, s16, "kernel") - 1, 0.01)
    claim_effect("IPC, 8 banks with both over straight 32 (VI-A)", 0.057, faster_mean(one, s32, "kernel") - 1, faster_mean(two,
        s32, "kernel") - 1, 0.01)
    for (w = 1; w <= workloads; w++)
        if (kind[w] == "kernel") {
            kernels_1 += faster(w, one, s16) > 1
            kernels_2 += faster(w, two, s16) > 1
        }
    claim("IPC, 8 banks with both faster than straight 16, workloads (VI-B-2)", "14 of 14", kernels_1 " of " kernels,
        kernels_2 " of " kernels, "", judged(kernels_1 == kernels), judged(kernels_2 == kernels))
    for (b = 4; b <= 32; b *= 2) {
        c1 = faster_mean(size(b, "1-1"), size(b, "0-0"), "kernel") - 1
        c2 = faster_mean(size(b, "2-1"), size(b, "0-0"), "kernel") - 1
        claim(sprintf("IPC, both over straight, %d banks each (VI-A)", b), "+8 ... +13 %", signed(c1), signed(c2), "1 point",
            effect(c1, 0.105, 0.035), effect(c2, 0.105, 0.035))
    }
    claim("IPC, both over straight, the mean never slower from 4 to 32 banks (VI-A)", "yes", never_slower("1-1") ? "yes" : "not so",
        never_slower("2-1") ? "yes" : "not so", "", judged(never_slower("1-1")), judged(never_slower("2-1")))
    claim_effect("extra cycles a read from other reads, 8 banks (VI-B-3)", -0.58, change("read", one, s8, "kernel"), change("read",
        two, s8, "kernel"), 0.1)
    claim_effect("extra cycles a read from writes, 8 banks (VI-B-3)", -0.88, change("write", one, s8, "kernel"), change("write",
        two, s8, "kernel"), 0.1)
    c1 = ratio(mean("both", s8, "kernel"), mean("both", s16, "kernel"))
    claim("extra cycles of straight 8 banks over straight 16: \"nearly doubles\" (VI-B-3)", "2.0 x", sprintf("%.1f x", c1), "",
        "0.3", value(c1, 2, 0.3), "")
    c1 = mean("both", s16, "kernel")
    claim("extra cycles a read, straight 16 banks, mean (Fig. 4: 0.1 to 0.6)", "0.1 ... 0.6", cycles(c1), "", "",
        judged(c1 >= 0.1 && c1 <= 0.6), "")
    c1 = mean("forced", s8, "kernel")
    claim("results that meet a read, straight 8 banks (VI-B-4)", percent(0.17), percent(c1), "", "5 points", value(c1, 0.17, 0.05),
        "")
    claim_value("results written without stealing (VI-B-4)", 0.83, mean("normal", one, "kernel"), mean("normal", two, "kernel"),
        0.05)
    claim_value("results that make a read wait in the end (VI-B-4)", 0.025, mean("stall", one, "kernel"), mean("stall", two,
        "kernel"), 0.02)
    claim_above("stolen results on their way back within a cycle (VI-B-4)", 0.25, mean("in_1", one, "kernel"), mean("in_1", two,
        "kernel"))
    claim_above("stolen results that are back before somebody needs them (VI-B-4: 25 and 50 %)", 0.75, mean("unforced", one,
        "kernel"), mean("unforced", two, "kernel"))
    claim_above("stolen results on their way back within 3 cycles: \"the majority\" (IV-C-1)", 0.5, mean("in_3", one, "kernel"),
        mean("in_3", two, "kernel"))
    c1 = mean("use", s16, "kernel")
    claim("banks in use, straight 16 (VI-B-3; III-C: 25 %)", percent(0.23), percent(c1), "", "5 points", value(c1, 0.23, 0.05), "")
    claim_value("banks in use, 8 with both (VI-B-3)", 0.54, mean("use", one, "kernel"), mean("use", two, "kernel"), 0.05)
    c1 = least_gain()
    claim("IPC, both over straight 8, the scheduler that gains least (VI-B-1: \"the conclusion stays the same\")", "> 0 %", "",
        signed(c1), "", "", judged(c1 > 0.0005))
    c1 = most_apart()
    claim("extra cycles a read, both against straight: schedulers apart (VI-B-1: \"not sensitive\")", "0 points", "",
        sprintf("%.1f points", 100 * c1), "10 points", "", judged(c1 <= 0.1))
    for (b = 256; b <= 512; b *= 2) {
        c1 = faster_mean(b "-8-0-2-1", b "-16-0-0-0", "kernel") - 1
        claim(sprintf("IPC, 8 banks with both over straight 16, %d KB: \"comparable\" (VI-C)", b), ">= 0 %", "", signed(c1),
            "2 points", "", judged(c1 >= -0.02))
    }
}
function never_slower(steal,    b) {
    for (b = 4; b <= 32; b *= 2)
        if (faster_mean(size(b, steal), size(b, "0-0"), "kernel") < 1) return 0
    return 1
}
function least_gain(    s, x, least) {
    least = 1
    for (s = 0; s <= 2; s++) {
        x = faster_mean("128-8-" s "-2-1", "128-8-" s "-0-0", "kernel") - 1
        if (x < least) least = x
    }
    return least
}
# How far schedulers are apart in what stealing takes away from waiting for reads, or for writes.
function most_apart(    s, kinds, i, x, low, high, most) {
    split("read write", kinds, " ")
    for (i = 1; i <= 2; i++) {
        low = 1
        high = -1
        for (s = 0; s <= 2; s++) {
            x = change(kinds[i], "128-8-" s "-2-1", "128-8-" s "-0-0", "kernel")
            if (x < low) low = x
            if (x > high) high = x
        }
        if (high - low > most) most = high - low
    }
    return most
}

# ---- tables ----

function by_banks(    b, text, s, one, two, base) {
    base = size(16, "0-0")
    for (b = 4; b <= 32; b *= 2) {
        s = size(b, "0-0"); one = size(b, "1-1"); two = size(b, "2-1")
        text = text sprintf("| %d | %.3f | %s | %s | %s | %s | %s |", b, mean("ipc", s, "kernel"), signed(faster_mean(s, base,
            "kernel") - 1),
            signed(faster_mean(one, base, "kernel") - 1), signed(faster_mean(two, base, "kernel") - 1),
            signed(faster_mean(one, s, "kernel") - 1), signed(faster_mean(two, s, "kernel") - 1))
        if (b < 32) text = text sprintf(" %s | %s |\n", signed(faster_mean(one, size(2 * b, "0-0"), "kernel") - 1),
            signed(faster_mean(two, size(2 * b, "0-0"), "kernel") - 1))
        else text = text " | |\n"
    }
    return text
}
function wait_row(title, c, base, set,    text) {
    text = sprintf("| %s | %s | %s | %s | %s | %s | %s |", title, cycles(mean("read", c, set)), cycles(mean("write", c, set)),
        cycles(mean("bank", c, set)),
        cycles(mean("recall", c, set)), cycles(mean("away", c, set)), cycles(mean("own", c, set)))
    if (c == base) return text " | |\n"
    return text sprintf(" %s | %s |\n", signed(change("read", c, base, set)), signed(change("write", c, base, set)))
}
function waits(    b, text, s, names, at, i) {
    for (b = 4; b <= 32; b *= 2) {
        s = size(b, "0-0")
        text = text wait_row(b ", straight", s, s, "kernel")
        if (b == 8) {
            text = text wait_row("8, reads only, READS=1", size(8, "1-0"), s, "kernel")
            text = text wait_row("8, reads only, READS=2", size(8, "2-0"), s, "kernel")
            text = text wait_row("8, writes only", size(8, "0-1"), s, "kernel")
        }
        text = text wait_row(b ", both, READS=1", size(b, "1-1"), s, "kernel")
        text = text wait_row(b ", both, READS=2", size(b, "2-1"), s, "kernel")
    }
    return text
}
function fate_row(title, c, set) {
    return sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", title, percent(mean("normal", c, set)),
        percent(mean("stolen", c, set)),
        percent(mean("forced", c, set)), percent(mean("in_1", c, set)), percent(mean("in_3", c, set)), percent(mean("unforced", c,
            set)),
        percent(mean("back_forced", c, set)), percent(mean("back_stall", c, set)), percent(mean("stall", c, set)),
            percent(mean("lost", c, set)))
}
function fates(    text) {
    text = text "| the paper, 8 banks | 83 % | 17 % | | > 25 % | > 50 % | 75 % | | | 2.5 % | |\n"
    text = text fate_row("straight 8 banks", size(8, "0-0"), "kernel")
    text = text fate_row("8 banks, writes only", size(8, "0-1"), "kernel")
    text = text fate_row("8 banks, both, READS=1", size(8, "1-1"), "kernel")
    text = text fate_row("8 banks, both, READS=2", size(8, "2-1"), "kernel")
    text = text fate_row("16 banks, both, READS=2", size(16, "2-1"), "kernel")
    if (traces > 0) text = text fate_row("traces, 8 banks, both, READS=2", size(8, "2-1"), "trace")
    return text
}
function schedulers(    s, text, names, base, two) {
    split("greedy then oldest|loose round-robin|two-level", names, "|")
    for (s = 0; s <= 2; s++) {
        base = "128-8-" s "-0-0"; two = "128-8-" s "-2-1"
        text = text sprintf("| %s | %.3f | %s | %s | %s | %s |\n", names[s + 1], mean("ipc", base, "kernel"),
            signed(faster_mean(base, "128-8-0-0-0", "kernel") - 1),
            signed(faster_mean(two, base, "kernel") - 1), signed(change("read", two, base, "kernel")), signed(change("write", two,
                base, "kernel")))
    }
    return text
}
function capacities(    kb, text, s8, s16, t8, t16) {
    for (kb = 128; kb <= 512; kb *= 2) {
        s8 = kb "-8-0-0-0"; s16 = kb "-16-0-0-0"; t8 = kb "-8-0-2-1"; t16 = kb "-16-0-2-1"
        text = text sprintf("| %d KB | %.3f | %s | %s | %s | %s | %s | %s | %s |\n", kb, mean("ipc", s16, "kernel"),
            signed(faster_mean(s16, size(16, "0-0"), "kernel") - 1),
            signed(faster_mean(s8, s16, "kernel") - 1), signed(faster_mean(t8, s8, "kernel") - 1), signed(faster_mean(t8, s16,
                "kernel") - 1),
            signed(faster_mean(t16, s16, "kernel") - 1), signed(change("read", t8, s8, "kernel")), signed(change("write", t8, s8,
                "kernel")))
    }
    return text
}
function limit_row(title, c) {
    return sprintf("| %s | %s | %s | %s | %s | %s | %.2f | %.1f |\n", title, percent(mean("issue", c, "kernel")),
        percent(mean("stall_no_collector", c, "kernel")),
        percent(mean("stall_hazard", c, "kernel")), percent(mean("stall_nothing_ready", c, "kernel")),
            percent(mean("stall_drained", c, "kernel")), mean("alu", c, "kernel"),
        mean("collectors", c, "kernel"))
}
function limits(    text) {
    text = text limit_row("straight 8 banks", size(8, "0-0"))
    text = text limit_row("straight 16 banks", size(16, "0-0"))
    text = text limit_row("straight 32 banks", size(32, "0-0"))
    return text limit_row("8 banks, both, READS=2", size(8, "2-1"))
}

function line(table, title, w, set,    s8, s16, one, two, text, i, parts, n) {
    s8 = size(8, "0-0"); s16 = size(16, "0-0"); one = size(8, "1-1"); two = size(8, "2-1")
    text = "| " title " |"
    if (table == "ipc") {
        text = text sprintf(" %s | %.3f |", w > 0 ? regs[w] : "", of("ipc", w, s16, set))
        n = split("0-0 1-0 2-0 0-1 1-1 2-1", parts, " ")
        for (i = 1; i <= n; i++) text = text sprintf(" %s |", over(w, size(8, parts[i]), s16, set))
        return text sprintf(" %s | %s |\n", over(w, size(32, "0-0"), s16, set), over(w, size(16, "2-1"), s16, set))
    }
    if (table == "waits") {
        text = text sprintf(" %s | %s |", cycles(of("read", w, s16, set)), cycles(of("write", w, s16, set)))
        text = text sprintf(" %s | %s | %s |", cycles(of("read", w, s8, set)), cycles(of("read", w, one, set)), cycles(of("read",
            w, two, set)))
        text = text sprintf(" %s | %s | %s |", cycles(of("write", w, s8, set)), cycles(of("write", w, one, set)),
            cycles(of("write", w, two, set)))
        return text sprintf(" %s | %s |\n", cycles(of("recall", w, two, set)), cycles(of("away", w, two, set)))
    }
    if (table == "fates") {
        n = split("normal stolen forced in_1 in_3 unforced stall", parts, " ")
        text = text sprintf(" %s |", percent(of("forced", w, s8, set)))
        for (i = 1; i <= n; i++) text = text sprintf(" %s |", percent(of(parts[i], w, one, set)))
        return text "\n"
    }
    text = text sprintf(" %s | %s | %s | %s |", percent(of("use", w, s16, set)), percent(of("use", w, s8, set)), percent(of("use",
        w, one, set)), percent(of("use", w, two, set)))
    return text sprintf(" %s | %s | %.2f | %s |\n", percent(of("ahead", w, one, set)), percent(of("ahead", w, two, set)), of("alu",
        w, s8, set),
        percent(of("stall_no_collector", w, s8, set)))
}

# ---- plots ----

function draw_row(picture, y, w, set,    parts, i, s8, s16, one, two, mid) {
    s8 = size(8, "0-0"); s16 = size(16, "0-0"); one = size(8, "1-1"); two = size(8, "2-1")
    mid = y + row_high / 2
    if (picture == "ipc") {
        svg_line(px(0), mid, px(0) + 0.01, mid, "axis", "")
        dots(mid, w, set, "over", s8, one, two)
    } else if (picture == "use") {
        svg_dot(px(100 * of("use", w, s16, set)), mid, "c4")
        svg_dot(px(100 * of("use", w, s8, set)), mid, "c0")
        svg_dot(px(100 * of("use", w, two, set)), mid, "c2")
    } else if (picture == "waits") {
        split(s8 " " one " " two, parts, " ")
        for (i = 1; i <= 3; i++) stack(y + 3 + 7 * (i - 1), 6, w, set, parts[i])
    } else {
        fate_bar(y + 2, row_high - 4, w, set, one)
    }
}
function delta(w, c, set) { return 100 * ((w > 0 ? faster(w, c, size(16, "0-0")) : faster_mean(c, size(16, "0-0"), set)) - 1) }
function dots(mid, w, set, what, s8, one, two,    a, b, c, low, high) {
    a = px(delta(w, s8, set)); b = px(delta(w, one, set)); c = px(delta(w, two, set))
    low = a < b ? a : b
    if (c < low) low = c
    high = a > b ? a : b
    if (c > high) high = c
    svg_line(low, mid, high, mid, "grid", "")
    svg_dot(a, mid, "c0")
    svg_dot(b, mid, "c1")
    svg_dot(c, mid, "c2")
}
function stack(y, high, w, set, c,    parts, at, i, next_at) {
    split("read bank recall away", parts, " ")
    at = 0
    for (i = 1; i <= 4; i++) {
        next_at = at + of(parts[i], w, c, set)
        svg_bar(px(at), y, px(next_at) - px(at), high, i == 1 ? "c1" : i == 2 ? "c2" : i == 3 ? "c4" : "c3")
        at = next_at
    }
}
function fate_bar(y, high, w, set, c,    at, i, part, stolen) {
    stolen = of("stolen", w, c, set)
    part[1] = of("normal", w, c, set)
    part[2] = stolen - of("back_forced", w, c, set)
    part[3] = of("back_forced", w, c, set)
    part[4] = of("forced", w, c, set)
    at = 0
    for (i = 1; i <= 4; i++) {
        svg_bar(px(100 * at), y, px(100 * (at + part[i])) - px(100 * at), high,
            i == 1 ? "c0" : i == 2 ? "c4" : i == 3 ? "c3" : "c2")
        at += part[i]
    }
}
# Largest figure of a picture's rows.
function most(what,    w, x, top, n, parts, i) {
    n = split("0-0 1-1 2-1", parts, " ")
    for (w = 1; w <= workloads; w++)
        for (i = 1; i <= n; i++) {
            x = figure(what, w, size(8, parts[i]))
            if (x > top) top = x
        }
    return top
}
function plot_banks(    b, i, at, high, low, x, kinds, lines_of) {
    split("0-0 1-1 2-1", kinds, " ")
    low = 0.95; high = 1.08
    for (b = 1; b <= 4; b++)
        for (i = 1; i <= 3; i++) {
            x = lines_of[i, b] = faster_mean(size(2 ^ (b + 1), kinds[i]), size(16, "0-0"), "kernel")
            while (x < low + 0.005) low -= 0.01
            while (x > high - 0.005) high += 0.01
        }
    chart_open("bank-stealing-banks.svg", "IPC over the straight register file with 16 banks, 128 KB",
        "geometric mean over the kernels; [bank stealing Fig. 11(a)], where the text gives numbers", 1, low, high,
        "IPC, 1 = straight 16 banks", "%.2f", "4 8 16 32", "banks")
    x = svg_key(80, 64, "line", "c0", "straight")
    x = svg_key(x, 64, "line", "c1", "both, READS=1")
    x = svg_key(x, 64, "line", "c2", "both, READS=2")
    x = svg_key(x, 64, "diamond", "", "the paper: straight 8, 16, 32; 8 with both")
    for (i = 1; i <= 3; i++) {
        for (b = 1; b <= 4; b++) at[b] = lines_of[i, b]
        chart_line(at, "c" (i - 1), 0)
    }
    svg_diamond(bx(2), py(0.95))
    svg_diamond(bx(3), py(1))
    svg_diamond(bx(4), py(1.072 / 1.057))
    svg_diamond(bx(2), py(1.072))
    svg_close()
}
function plot_waits_banks(    b, i, at, high, x, kinds, what, p) {
    split("0-0 1-1 2-1", kinds, " ")
    high = 0.1
    while (high < mean("read", size(4, "0-0"), "kernel") || high < mean("write", size(4, "0-0"), "kernel")) high += 0.1
    chart_open("bank-stealing-waits-banks.svg", "Extra cycles that an operand waits for its bank, 128 KB",
        "arithmetic mean over the kernels; solid: for other reads, dashed: for writes and stolen results on their way", 1, 0, high,
        "cycles a read", "%.1f", "4 8 16 32", "banks")
    x = svg_key(80, 64, "line", "c0", "straight, reads")
    x = svg_key(x, 64, "dashes", "c0", "writes")
    x = svg_key(x, 64, "line", "c1", "READS=1")
    x = svg_key(x, 64, "dashes", "c1", "writes")
    x = svg_key(x, 64, "line", "c2", "READS=2")
    x = svg_key(x, 64, "dashes", "c2", "writes")
    for (p = 0; p <= 1; p++)
        for (i = 1; i <= 3; i++) {
            for (b = 1; b <= 4; b++) at[b] = mean(p ? "write" : "read", size(2 ^ (b + 1), kinds[i]), "kernel")
            chart_line(at, "c" (i - 1), p)
        }
    svg_close()
}
function plots(    x, low, high, w, i, parts, n, top) {
    plot_banks()
    plot_waits_banks()

    low = -2; high = 2
    n = split("0-0 1-1 2-1", parts, " ")
    for (w = 1; w <= workloads; w++)
        for (i = 1; i <= n; i++) {
            x = delta(w, size(8, parts[i]), "")
            while (x < low) low -= 2
            while (x > high) high += 2
        }
    rows_open("bank-stealing-ipc.svg", "IPC of 8 banks over the straight register file with 16 banks, 128 KB",
        "0 is straight 16 banks; [bank stealing Fig. 12]", 1, low, high, "IPC against straight 16 banks, %", "%.0f", 18)
    svg_line(px(0), row_top, px(0), row_top + row_high * (workloads + 1 + (traces > 0)) + 6, "axis", "")
    x = svg_key(row_left, 62, "dot", "c0", "straight 8 banks")
    x = svg_key(x, 62, "dot", "c1", "both, READS=1")
    x = svg_key(x, 62, "dot", "c2", "both, READS=2")
    each_row("ipc")
    svg_close()

    top = most("both")
    rows_open("bank-stealing-waits.svg", "Extra cycles that an operand waits for its bank, 8 banks, 128 KB",
        "a workload's bars from above: straight, both with READS=1, both with READS=2; [bank stealing Fig. 13]", 1, 0,
        0.05 * int(top / 0.05 + 1), "cycles a read", "%.2f", 28)
    x = svg_key(row_left, 62, "bar", "c1", "another read")
    x = svg_key(x, 62, "bar", "c2", "a write")
    x = svg_key(x, 62, "bar", "c4", "a stolen result is read")
    x = svg_key(x, 62, "bar", "c3", "it is itself away")
    each_row("waits")
    svg_close()

    rows_open("bank-stealing-fates.svg", "What becomes of results, 8 banks, both with READS=1, 128 KB", "[bank stealing Fig. 14]", 1, 0, 100,
        "results, %", "%.0f", 18)
    x = svg_key(row_left, 62, "bar", "c0", "written")
    x = svg_key(x, 62, "bar", "c4", "stolen, back by itself")
    x = svg_key(x, 62, "bar", "c3", "stolen, forced back")
    x = svg_key(x, 62, "bar", "c2", "forced at once")
    each_row("fates")
    svg_close()

    top = most("use")
    rows_open("bank-stealing-use.svg", "Banks in use, 128 KB", "share of bank-cycles with an access; [bank stealing Fig. 5, VI-B-3]: 23 % and 54 %", 1,
        0, 10 * int(10 * top + 1), "banks in use, %", "%.0f", 18)
    x = svg_key(row_left, 62, "dot", "c4", "straight 16 banks")
    x = svg_key(x, 62, "dot", "c0", "straight 8 banks")
    x = svg_key(x, 62, "dot", "c2", "8 with both, READS=2")
    each_row("use")
    svg_close()
}

# ---- the text ----

function words(    s8, s16, s32, one, two, w, busy, n, i) {
    s8 = size(8, "0-0"); s16 = size(16, "0-0"); s32 = size(32, "0-0"); one = size(8, "1-1"); two = size(8, "2-1")
    put["larger_registers"] = larger == 0 ? "No workload needs more." : sprintf("%d of the %d need more registers a thread and have fewer warps: their column \"registers\" says how many.", larger, workloads)
    put["headroom"] = signed(faster_mean(s32, s8, "kernel") - 1)
    put["headroom_steal_1"] = signed(faster_mean(one, s8, "kernel") - 1)
    put["headroom_steal_2"] = signed(faster_mean(two, s8, "kernel") - 1)
    for (w = 1; w <= workloads; w++) busy += kind[w] == "kernel" && figure("alu", w, s32) >= 0.5 * alu_ports
    put["alu_busy"] = busy + 0
    put["alu_32"] = sprintf("%.2f", mean("alu", s32, "kernel"))
    put["collector_32"] = percent(mean("stall_no_collector", s32, "kernel"))
    put["ahead_1"] = percent(mean("ahead", one, "kernel"))
    put["ahead_2"] = percent(mean("ahead", two, "kernel"))
    put["cross_read"] = signed(change("read", size(8, "0-1"), s8, "kernel"))
    put["cross_write"] = signed(change("write", size(8, "2-0"), s8, "kernel"))
    put["read_1"] = signed(change("read", one, s8, "kernel"))
    put["read_2"] = signed(change("read", two, s8, "kernel"))
    put["forced_1"] = percent(mean("forced", one, "kernel"))
    put["exports"] = exports
    put["alu_ports"] = alu_ports
    put["summary"] = summary
    put["by_banks"] = by_banks()
    put["waits"] = waits()
    put["fates"] = fates()
    put["schedulers"] = schedulers()
    put["capacities"] = capacities()
    put["limits"] = limits()
    put["lines_ipc"] = lines("ipc")
    put["lines_waits"] = lines("waits")
    put["lines_fates"] = lines("fates")
    put["lines_use"] = lines("use")
}
