# SPDX-License-Identifier: Apache-2.0
# The figures of paper_malekeh.sh's runs: tables, verdicts and plots (tb/papers/paper.awk and paper_plots.awk have what is no page's
# own). A configuration is a name of paper_malekeh.sh's list; `best` is the fixed STHLD of the highest mean IPC.

# ---- what was measured ----

# What a configuration is compared with: collectors that do not cache, of the same sizes.
function base_of(c) {
    if (c ~ /banks8$/) return "base_banks8"
    if (c ~ /slots7$/) return "base_slots7"
    if (c ~ /warps8$/) return "base_warps8"
    if (c ~ /^issues1/) return "base_issues1"
    if (c ~ /load[0-9]+$/) return "base_" substr(c, match(c, /load/))
    if (c ~ /ccus[0-9]+$/) return "base_" substr(c, match(c, /ccus/))
    return "base"
}
function slots(c) { return c ~ /issues1/ ? 1 : 2 } # issue slots of a cycle
# One figure of a workload in a configuration.
function figure(what, w, c) {
    if (what == "cycles" || what == "ipc") return have(w, c, what)
    if (what == "hits") return have(w, c, "hit_share")
    if (what == "ideal" || what == "bow") return have(w, c, what "_share")
    if (what == "above") return have(w, c, "hit_share") - have(w, c, "bow_share")
    if (what == "reads") return ratio(have(w, c, "reads"), have(w, base_of(c), "reads")) - 1
    if (what == "energy") return ratio(have(w, c, "energy_uj"), have(w, base_of(c), "energy_uj")) - 1
    if (what == "ipc_gain") return faster(w, c, base_of(c)) - 1
    if (what == "sthld") return have(w, c, "sthld_mean")
    if (what == "issue") return ratio(have(w, c, "uops"), slots(c) * have(w, c, "cycles"))
    if (what ~ /^stall_/) return ratio(have(w, c, what), slots(c) * have(w, c, "cycles"))
    if (what == "flushes") return ratio(have(w, c, "flushes"), have(w, c, "uops"))
    if (what == "flushes_near") return ratio(have(w, c, "flushes_near"), have(w, c, "flushes"))
    if (what == "near") return ratio(have(w, c, "near_writes"), have(w, c, "writes"))
    if (what == "kept") return ratio(have(w, c, "ccu_writes"), have(w, c, "near_writes"))
    if (what == "conflict") return ratio(have(w, c, "read_read_conflicts") + have(w, c, "read_write_conflicts"),
        have(w, "base", "operands"))
    if (what == "collectors") return have(w, c, "collectors_busy_mean")
    die("no figure " what)
}
# What of the baseline's energy the operands' ways from the banks into the collectors are: what hits can save.
function by_reads(w) {
    return have(w, "base", "reads") * (pj_bank_read + pj_crossbar + pj_collector_write) * 32 / 4 * 1e-6 / have(w, "base",
        "energy_uj")
}
function by_reads_mean(    w, sum) {
    for (w = 1; w <= workloads; w++) if (kind[w] == "kernel") sum += by_reads(w)
    return ratio(sum, kernels)
}
# IPC over that of collectors that do not cache, of a workload or the geometric mean.
function gain(w, c, set) { return faster_of(w, c, base_of(c), set) - 1 }
function gain_mean(c) { return gain(0, c, "kernel") }
# The kernel with the most of a figure (sign 1) or the least (-1): a number of a workload.
function most(what, c, sign,    w, at) {
    for (w = 1; w <= workloads; w++)
        if (kind[w] == "kernel" && (at == 0 || sign * figure(what, w, c) > sign * figure(what, at, c))) at = w
    return at
}
function count_of(what, c, low,    w, n) {
    for (w = 1; w <= workloads; w++) n += kind[w] == "kernel" && figure(what, w, c) > low
    return n + 0
}
function find_best(    i) {
    thresholds = split("0 2 4 8 16 32 64", threshold, " ")
    best = "sthld0"
    for (i = 2; i <= thresholds; i++) if (gain_mean("sthld" threshold[i]) > gain_mean(best)) best = "sthld" threshold[i]
    best_number = substr(best, 6)
}
# A kernel's fastest fixed STHLD.
function own_best(w,    i, at) {
    at = threshold[1]
    for (i = 2; i <= thresholds; i++) if (have(w, "sthld" threshold[i], "ipc") > have(w, "sthld" at, "ipc")) at = threshold[i]
    return at
}

# ---- verdicts ----

# A line of the summary; `tolerance` is a text. A statement about one of the two has no text for the other.
function claim(text, paper, one, two, tolerance, verdict_one, verdict_two) {
    if (one == "") verdict_one = ""
    if (two == "") verdict_two = ""
    summary = summary sprintf("| %s | %s | %s | %s | %s | %s | %s |\n", text, paper, one, two, tolerance, verdict_one, verdict_two)
    printf "%-88s %14s %26s %26s  %-9s %s\n", text, paper, one, two, verdict_one, verdict_two
    note(verdict_one != "" ? verdict_one : verdict_two, text)
}
function point_text(x) { return sprintf("%+.1f points", 100 * x) }
function claim_value(text, paper, what, near,    one, two) {
    one = mean(what, "main", "kernel"); two = mean(what, best, "kernel")
    claim(text, percent(paper), percent(one), percent(two), points(near), value(one, paper, near), value(two, paper, near))
}
function claim_effect(text, paper, one, two, near) {
    claim(text, signed(paper), signed(one), signed(two), points(near), effect(one, paper, near), effect(two, paper, near))
}
# Of a fixed STHLD alone: the verdict is the only one.
function claim_effect_fixed(text, paper, two, near) {
    claim(text, signed(paper), "", signed(two), points(near), effect(two, paper, near), effect(two, paper, near))
}
# An extreme over the kernels, with its name.
function claim_extreme(text, paper, what, sign, near, form,    one, two, a, b) {
    one = most(what, "main", sign); two = most(what, best, sign)
    a = figure(what, one, "main"); b = figure(what, two, best)
    if (form == "share")
        claim(text, percent(paper), percent(a) " (" name[one] ")", percent(b) " (" name[two] ")", points(near),
            value(a, paper, near), value(b, paper, near))
    else if (form == "points")
        claim(text, point_text(paper), point_text(a) " (" name[one] ")", point_text(b) " (" name[two] ")", points(near),
            effect(a, paper, near), effect(b, paper, near))
    else
        claim(text, signed(paper), signed(a) " (" name[one] ")", signed(b) " (" name[two] ")", points(near),
            effect(a, paper, near), effect(b, paper, near))
}

function claims(    one, two, n, rise) {
    find_best()
    claim_value("source operands served by CCUs, mean (9.2)", 0.485, "hits", 0.05)
    claim_extreme("the most, of a workload (9.2: gaussian)", 0.77, "hits", 1, 0.1, "share")
    claim_extreme("the least, of a workload (9.2: particlefilter_naive)", 0.133, "hits", -1, 0.1, "share")
    one = mean("above", "main", "kernel"); two = mean("above", best, "kernel")
    claim("above BOW, mean (9.2)", point_text(0.281), point_text(one), point_text(two), points(0.05), effect(one, 0.281, 0.05),
        effect(two, 0.281, 0.05))
    claim_extreme("above BOW, the most (9.2: Kmeans)", 0.511, "above", 1, 0.1, "points")
    claim_effect("reads of RF banks (abstract)", -0.485, mean("reads", "main", "kernel"), mean("reads", best, "kernel"), 0.05)
    claim_effect("IPC over the baseline, mean (9.1)", 0.096, gain_mean("main"), gain_mean(best), 0.02)
    claim_extreme("IPC over the baseline, the most (9.1: rnn_bench_i2)", 0.595, "ipc_gain", 1, 0.1, "effect")
    one = kernels - count_of("ipc_gain", "main", -0.0005); two = kernels - count_of("ipc_gain", best, -0.0005)
    claim("IPC below the baseline, workloads (9.1: b+tree alone)", "1", one " of " kernels, two " of " kernels, "",
        judged(one <= 1), judged(two <= 1))
    one = most("ipc_gain", "main", -1); two = most("ipc_gain", best, -1)
    claim("IPC of the slowest against the baseline (9.1: b+tree)", "> -4 %",
        signed(figure("ipc_gain", one, "main")) " (" name[one] ")", signed(figure("ipc_gain", two, best)) " (" name[two] ")", "",
        judged(figure("ipc_gain", one, "main") > -0.04), judged(figure("ipc_gain", two, best) > -0.04))
    n = enough(0.485)
    if (n >= 0) {
        two = gain_mean("sthld" n)
        claim_effect_fixed("IPC at the least fixed STHLD with the paper's hits (STHLD " n ")", 0.096, two, 0.02)
        two = mean("energy", "sthld" n, "kernel")
        claim_effect_fixed("dynamic energy at that STHLD (" n ", the least fixed with the paper's hits)", -0.291, two, 0.03)
    }
    claim_effect("dynamic energy of the RF, mean (abstract, 11)", -0.291, mean("energy", "main", "kernel"),
        mean("energy", best, "kernel"), 0.03)
    claim_extreme("the most saved (9.3: rnn_bench_t2)", -0.475, "energy", -1, 0.05, "effect")
    claim_extreme("the least saved (9.3: particlefilter_naive)", -0.059, "energy", 1, 0.05, "effect")

    claim("hits rise with STHLD, all the way (7, Fig. 3a)", "yes", "", hits_rise() ? "yes" : "not so", "", judged(hits_rise()),
        judged(hits_rise()))
    rise = mean("hits", "sthld64", "kernel") - mean("hits", "sthld0", "kernel")
    n = ratio(mean("hits", "sthld64", "kernel") - mean("hits", "sthld32", "kernel"), rise)
    claim("and saturate: of the rise from STHLD 0 to 64, left from 32 on (7, Fig. 3a)", "little", "", percent(n), "10 %",
        judged(n <= 0.1), judged(n <= 0.1))
    n = gain_mean(best) - gain_mean("sthld0")
    claim("IPC rises slightly before the knee: the best fixed STHLD over 0 (7, Fig. 3b)", "> 0 %", "", signed(n), "",
        judged(n > 0.0005), judged(n > 0.0005))
    find_knee()
    claim("IPC is flat before the knee: largest STHLD within 1 % of the best (7, Fig. 3b)", "> 0", "", knee, "", judged(knee > 0),
        judged(knee > 0))
    claim("IPC falls beyond the knee, all the way (7, Fig. 3b)", "yes", "", falls ? "yes" : "not so", "", judged(falls),
        judged(falls))
    one = faster_mean("main", best, "kernel") - 1
    claim("IPC of adaptive STHLD over the best fixed one (7: \"converges to its optimum point\")", ">= 0 %", signed(one), "",
        "1 point", judged(one >= -0.01), judged(one >= -0.01))
    one = mean("hits", "main", "kernel") - mean("hits", best, "kernel")
    claim("hits of adaptive STHLD over the best fixed one's (6: \"maximizes both\")", ">= 0 points", point_text(one), "",
        "1 point", judged(one >= -0.01), judged(one >= -0.01))
    one = mean("hits", "main", "kernel") - mean("hits", "gto", "kernel")
    two = mean("hits", "sthld0", "kernel") - mean("hits", "gto_sthld0", "kernel")
    claim("hits: the CCU scheduler against greedy then oldest, adaptive and STHLD 0 (5)", "> 0 points", point_text(one),
        point_text(two), "", judged(one > 0.0005), judged(two > 0.0005))
}
# The least fixed STHLD that serves a share of the operands; -1: none does.
function enough(share,    i) {
    for (i = 1; i <= thresholds; i++) if (mean("hits", "sthld" threshold[i], "kernel") >= share) return threshold[i]
    return -1
}
function hits_rise(    i) {
    for (i = 2; i <= thresholds; i++)
        if (mean("hits", "sthld" threshold[i], "kernel") < mean("hits", "sthld" threshold[i - 1], "kernel") - 0.0005) return 0
    return 1
}
function find_knee(    i, last) {
    knee = -1
    for (i = 1; i <= thresholds; i++)
        if (1 + gain_mean("sthld" threshold[i]) >= 0.99 * (1 + gain_mean(best))) { knee = threshold[i]; last = i }
    falls = last < thresholds
    for (i = last + 1; i <= thresholds; i++) falls = falls && gain_mean("sthld" threshold[i]) < gain_mean("sthld" threshold[i - 1])
}

# ---- tables ----

function row_of(title, c, set) {
    return sprintf("| %s | %s | %s | %s | %s | %.1f | %s | %s | %.1f |\n", title, percent(mean("hits", c, set)),
        signed(mean("reads", c, set)), signed(gain(0, c, set)), signed(mean("energy", c, set)), 100 * mean("flushes", c, set),
        percent(mean("flushes_near", c, set)), percent(mean("stall_sthld", c, set)), mean("sthld", c, set))
}
function parts(    text) {
    text = row_of("collectors, greedy then oldest: rf_banked", "base", "kernel")
    text = text row_of("collectors, CCU scheduler: oldest first", "sched", "kernel")
    text = text row_of("CCUs, greedy then oldest, STHLD 0", "gto_sthld0", "kernel")
    text = text row_of("CCUs, greedy then oldest, adaptive", "gto", "kernel")
    text = text row_of("CCUs, CCU scheduler, STHLD 0", "sthld0", "kernel")
    if (best_number > 0) text = text row_of("CCUs, CCU scheduler, STHLD " best_number ": best fixed", best, "kernel")
    text = text row_of("**CCUs, CCU scheduler, adaptive: Malekeh**", "main", "kernel")
    if (traces == 0) return text
    text = text row_of("traces: best fixed STHLD of the kernels", best, "trace")
    return text row_of("traces: Malekeh", "main", "trace")
}
function sthlds(    i, text) {
    for (i = 1; i <= thresholds; i++) text = text row_of(threshold[i], "sthld" threshold[i], "kernel")
    return text row_of("adaptive", "main", "kernel")
}
# A sweep: values of the list, `here` is the one of "main".
function sweep(prefix, list, here,    i, n, step, text) {
    n = split(list, step, " ")
    for (i = 1; i <= n; i++) text = text row_of((step[i] == 1000000 ? "all near" : step[i]) (step[i] == here ? " (used)" : ""),
        step[i] == here ? "main" : prefix step[i], "kernel")
    return text
}
function limit_row(title, c, set) {
    return sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %.1f | %.3f |\n", title, percent(mean("issue", c, set)),
        percent(mean("stall_sthld", c, set)), percent(mean("stall_own_ccu_busy", c, set)),
        percent(mean("stall_no_collector", c, set)), percent(mean("stall_hazard", c, set)),
        percent(mean("stall_nothing_ready", c, set)), percent(mean("stall_drained", c, set)), mean("collectors", c, set),
        mean("conflict", c, set))
}
function limits(    text) {
    text = limit_row("rf_banked", "base", "kernel")
    text = text limit_row("CCUs, greedy then oldest, STHLD 0", "gto_sthld0", "kernel")
    text = text limit_row("Malekeh, adaptive, RTHLD 2", "rthld2", "kernel")
    text = text limit_row("CCUs, STHLD 0", "sthld0", "kernel")
    text = text limit_row("CCUs, STHLD 8", "sthld8", "kernel")
    text = text limit_row("CCUs, STHLD 64", "sthld64", "kernel")
    text = text limit_row("Malekeh, adaptive", "main", "kernel")
    text = text limit_row("rf_banked, 8 banks", "base_banks8", "kernel")
    text = text limit_row("Malekeh, 8 banks", "banks8", "kernel")
    text = text limit_row("rf_banked, one a cycle", "base_issues1", "kernel")
    return text limit_row("CCUs, one a cycle, STHLD 0", "issues1_sthld0", "kernel")
}
# Longer loads, each against rf_banked with the same.
function load_row(title, name, c) {
    return sprintf("| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %.1f |\n", title, name, percent(mean("hits", c, "kernel")),
        signed(gain_mean(c)), signed(mean("energy", c, "kernel")), percent(mean("issue", c, "kernel")),
        percent(mean("stall_sthld", c, "kernel")), percent(mean("stall_own_ccu_busy", c, "kernel")),
        percent(mean("stall_no_collector", c, "kernel")), percent(mean("stall_hazard", c, "kernel")), mean("sthld", c, "kernel"))
}
function loads(    i, n, step, text, of_load) {
    n = split(load " 100 400", step, " ")
    for (i = 1; i <= n; i++) {
        of_load = i > 1 ? "load" step[i] : ""
        text = text load_row(step[i], "rf_banked", "base" (i > 1 ? "_" of_load : ""))
        text = text load_row(step[i], "CCUs, STHLD 0", "sthld0" (i > 1 ? "_" of_load : ""))
        text = text load_row(step[i], "Malekeh, adaptive", i > 1 ? of_load : "main")
    }
    return text
}
# The kernels in two: those whose rf_banked keeps three quarters of its IPC with loads of 400 cycles (kept = 1), and the others.
function keeps(w) { return faster(w, "base_load400", "base") >= 0.75 }
function part_count(kept,    w, n) {
    for (w = 1; w <= workloads; w++) n += kind[w] == "kernel" && keeps(w) == kept
    return n + 0
}
function part_issue(c, kept,    w, sum) {
    for (w = 1; w <= workloads; w++) if (kind[w] == "kernel" && keeps(w) == kept) sum += figure("issue", w, c)
    return percent(ratio(sum, part_count(kept)))
}
function part_gain_value(c, kept,    w, sum) {
    for (w = 1; w <= workloads; w++) if (kind[w] == "kernel" && keeps(w) == kept) sum += log(faster(w, c, base_of(c)))
    return exp(ratio(sum, part_count(kept))) - 1
}
function part_gain(c, kept) { return signed(part_gain_value(c, kept)) }
function part_row(title, kept) {
    return sprintf("| %s | %d | %s | %s | %s | %s | %s | %s |\n", title, part_count(kept), part_issue("base", kept),
        part_issue("base_load400", kept), part_gain("sthld0", kept), part_gain("sthld0_load400", kept), part_gain("main", kept),
        part_gain("load400", kept))
}
# A loss of IPC (a negative gain) beside the one before.
function loss_word(now, before) {
    if (now >= -0.0005) return "gone"
    if (before >= -0.0005) return "new"
    return now / before < 0.75 ? "smaller" : now / before > 1.25 ? "larger" : "about the same"
}
# How much of the loss is due to fast memory: by what is left of it with 400 cycles, of STHLD 0 and adaptive.
function blame(one, two) {
    if (one == "gone" && two == "gone") return "all of"
    return one == "gone" || two == "gone" || one == "smaller" || two == "smaller" ? "a part of" : "nothing of"
}
function compared(a, b) { return a < b ? "less than" : "at least as much as" }
function load_words(    one, two, at) {
    put["loads"] = loads()
    put["load_parts"] = part_row("three quarters or more", 1) part_row("less", 0)
    put["load"] = load
    put["base_100"] = signed(faster_mean("base_load100", "base", "kernel") - 1)
    put["base_400"] = signed(faster_mean("base_load400", "base", "kernel") - 1)
    put["loss_100"] = loss_word(gain_mean("sthld0_load100"), gain_mean("sthld0"))
    put["loss_400"] = one = loss_word(gain_mean("sthld0_load400"), gain_mean("sthld0"))
    put["adaptive_loss_100"] = loss_word(gain_mean("load100"), gain_mean("main"))
    put["adaptive_loss_400"] = two = loss_word(gain_mean("load400"), gain_mean("main"))
    put["blame"] = blame(one, two)
    if (part_gain_value("sthld0_load400", 1) > 0.0005 || part_gain_value("load400", 1) > 0.0005 ||
        part_gain_value("sthld0_load400", 0) > 0.0005 || part_gain_value("load400", 0) > 0.0005)
        put["kinds_gain"] = "kernels of one kind or both gain"
    else
        put["kinds_gain"] = "neither kind gains"
    put["empty_from"] = part_gain("sthld0", 0)
    put["empty_to"] = part_gain("sthld0_load400", 0)
    put["adaptive_empty_from"] = part_gain("main", 0)
    put["adaptive_empty_to"] = part_gain("load400", 0)
    put["full_from"] = part_gain("sthld0", 1)
    put["full_to"] = part_gain("sthld0_load400", 1)
    put["adaptive_full_from"] = part_gain("main", 1)
    put["adaptive_full_to"] = part_gain("load400", 1)
    put["faster_400"] = count_of("ipc_gain", "sthld0_load400", 0.0005)
    put["adaptive_faster_400"] = count_of("ipc_gain", "load400", 0.0005)
    at = most("stall_no_collector", "base_load400", 1)
    put["port_uops"] = port_uops
    put["full_port"] = percent(figure("stall_no_collector", at, "base_load400")) " of the slots of " name[at]
    put["by_load"] = point_text(gain_mean("sthld0_load400") - gain_mean("sthld0"))
    put["by_one"] = point_text(gain_mean("issues1_sthld0") - gain_mean("sthld0"))
    put["adaptive_by_load"] = point_text(gain_mean("load400") - gain_mean("main"))
    put["adaptive_by_one"] = point_text(gain_mean("issues1") - gain_mean("main"))
    one = compared(gain_mean("sthld0_load400") - gain_mean("sthld0"), gain_mean("issues1_sthld0") - gain_mean("sthld0"))
    two = compared(gain_mean("load400") - gain_mean("main"), gain_mean("issues1") - gain_mean("main"))
    put["less_than_one"] = one == two ? one : "not always " one
}
function line(table, title, w, set,    text) {
    if (table == "hits") {
        text = sprintf("| %s | %s | %s | %s | %s |", title, percent(of("hits", w, "main", set)),
            percent(of("hits", w, best, set)), percent(of("hits", w, "gto", set)), percent(of("bow", w, "main", set)))
        return text sprintf(" %s | %s | %s | %s | %s |\n", point_text(of("above", w, "main", set)),
            percent(of("ideal", w, "main", set)), signed(of("reads", w, "main", set)), percent(of("near", w, "main", set)),
            percent(of("kept", w, "main", set)))
    }
    text = sprintf("| %s | %s | %s | %.3f | %s | %s |", title, w > 0 ? regs[w] : "", w > 0 ? have(w, "base", "cycles") : "",
        of("ipc", w, "base", set), signed(gain(w, "main", set)), signed(gain(w, best, set)))
    text = text sprintf(" %s | %s | %s |", w > 0 ? signed(gain(w, "sthld" own_best(w), set)) " (" own_best(w) ")" : "",
        signed(gain(w, "gto", set)), signed(gain(w, "banks8", set)))
    return text sprintf(" %s | %s | %.1f |\n", signed(of("energy", w, "main", set)), signed(of("energy", w, best, set)),
        of("sthld", w, "main", set))
}

# ---- plots ----

function draw_row(picture, y, w, set,    mid) {
    mid = y + row_high / 2
    if (picture == "hits") {
        svg_line(px(100 * of("bow", w, "main", set)), mid, px(100 * of("ideal", w, "main", set)), mid, "grid", "")
        svg_dot(px(100 * of("ideal", w, "main", set)), mid, "c4")
        svg_dot(px(100 * of("bow", w, "main", set)), mid, "c0")
        svg_dot(px(100 * of("hits", w, best, set)), mid, "c2")
        svg_dot(px(100 * of("hits", w, "main", set)), mid, "c1")
    } else if (picture == "ipc") {
        svg_line(px(100 * gain(w, "main", set)), mid, px(100 * gain(w, best, set)), mid, "grid", "")
        svg_dot(px(100 * gain(w, "gto", set)), mid, "c0")
        svg_dot(px(100 * gain(w, best, set)), mid, "c2")
        svg_dot(px(100 * gain(w, "main", set)), mid, "c1")
    } else {
        svg_bar(px(0), y + 3, px(100 + 100 * of("energy", w, "main", set)) - px(0), (row_high - 6) / 2, "c1")
        svg_bar(px(0), y + 3 + (row_high - 6) / 2, px(100 + 100 * of("energy", w, best, set)) - px(0), (row_high - 6) / 2, "c2")
    }
}
# The kernel whose IPC falls most from STHLD 0 to 64 (sign 1), or least (-1).
function moved(sign,    w, at) {
    for (w = 1; w <= workloads; w++)
        if (kind[w] == "kernel" && (at == 0 || sign * faster(w, "sthld64", "sthld0") < sign * faster(at, "sthld64",
            "sthld0"))) at = w
    return at
}
# A picture over STHLD: the mean, two kernels, and what adaptive STHLD has in the mean. Values come from y_of.
function y_of(what, w, c) { return what == "ipc" ? 1 + gain(w, c, "kernel") : 100 * of(what, w, c, "kernel") }
function over_sthld(file, title, text, what, y_name, form, unit,    i, p, at, low, high, x, list, w) {
    list[1] = 0; list[2] = moved(-1); list[3] = moved(1)
    low = high = y_of(what, 0, "main")
    for (p = 1; p <= 3; p++)
        for (i = 1; i <= thresholds; i++) {
            x = y_of(what, list[p], "sthld" threshold[i])
            if (x < low) low = x
            if (x > high) high = x
        }
    low = unit * int(low / unit)
    high = unit * int(high / unit + 1)
    chart_open(file, title, text, 1, low, high, y_name, form, "0 2 4 8 16 32 64", "STHLD, cycles")
    x = svg_key(80, 64, "line", "c1", "mean")
    x = svg_key(x, 64, "line", "c4", name[list[2]])
    x = svg_key(x, 64, "line", "c2", name[list[3]])
    x = svg_key(x, 64, "dashes", "c0", "adaptive, mean")
    for (p = 3; p >= 1; p--) {
        for (i = 1; i <= thresholds; i++) at[i] = y_of(what, list[p], "sthld" threshold[i])
        chart_line(at, p == 1 ? "c1" : p == 2 ? "c4" : "c2", 0)
    }
    svg_line(80, py(y_of(what, 0, "main")), 690, py(y_of(what, 0, "main")), "l0", " stroke-width=\"2\" stroke-dasharray=\"5 3\"")
    svg_close()
}
function plots(    x, low, high, w, i, c, n) {
    over_sthld("malekeh-sthld-hits.svg", "Source operands served by CCUs against STHLD",
        "[Malekeh Fig. 3a] expects: rising, then saturated; the two kernels are those that IPC's picture has", "hits",
        "of source operands, %", "%.0f", 5)
    over_sthld("malekeh-sthld-ipc.svg", "IPC over rf_banked against STHLD",
        "[Malekeh Fig. 3b] expects: flat, then falling; beside the mean the kernels that fall least and most", "ipc",
        "IPC, 1 = rf_banked", "%.2f", 0.05)

    rows_open("malekeh-hits.svg", "Source operands served without the banks",
        "[Malekeh Fig. 7]; BOW and the ideal cache saw the same issued instructions", 1, 0, 100, "of source operands, %", "%.0f", 18)
    x = svg_key(row_left, 62, "dot", "c0", "BOW")
    x = svg_key(x, 62, "dot", "c1", "Malekeh, adaptive")
    x = svg_key(x, 62, "dot", "c2", "best fixed STHLD (" best_number ")")
    x = svg_key(x, 62, "dot", "c4", "ideal")
    each_row("hits")
    svg_close()

    low = -5; high = 5
    n = split("main " best " gto", c, " ")
    for (w = 1; w <= workloads; w++)
        for (i = 1; i <= n; i++) {
            x = 100 * gain(w, c[i], "")
            while (x < low) low -= 5
            while (x > high) high += 5
        }
    rows_open("malekeh-ipc.svg", "IPC over rf_banked", "0 is collectors that do not cache, greedy then oldest; [Malekeh Fig. 6]", 1, low,
        high, "IPC against rf_banked, %", "%.0f", 18)
    svg_line(px(0), row_top, px(0), row_top + row_high * (workloads + 1 + (traces > 0)) + 6, "axis", "")
    x = svg_key(row_left, 62, "dot", "c0", "greedy then oldest, adaptive")
    x = svg_key(x, 62, "dot", "c1", "Malekeh, adaptive")
    x = svg_key(x, 62, "dot", "c2", "best fixed STHLD (" best_number ")")
    each_row("ipc")
    svg_close()

    high = 100
    for (w = 1; w <= workloads; w++)
        for (i = 1; i <= 2; i++) while (100 + 100 * figure("energy", w, c[i]) > high) high += 10
    rows_open("malekeh-energy.svg", "Dynamic energy of the operand stage, rf_banked = 100",
        "counts times the hierarchy paper's picojoules; [Malekeh Fig. 8]", 1, 0, high, "energy, % of rf_banked's", "%.0f", 18)
    x = svg_key(row_left, 62, "bar", "c1", "Malekeh, adaptive")
    x = svg_key(x, 62, "bar", "c2", "best fixed STHLD (" best_number ")")
    each_row("energy")
    svg_close()
}

# ---- the text ----

# The middle, least and largest of the kernels' cycles.
function cycles_words(    w, i, n, sorted, x) {
    for (w = 1; w <= workloads; w++) {
        if (kind[w] != "kernel") continue
        x = have(w, "base", "cycles")
        for (i = n++; i > 0 && sorted[i] > x; i--) sorted[i + 1] = sorted[i]
        sorted[i + 1] = x
    }
    put["cycles_least"] = sorted[1]
    put["cycles_middle"] = sorted[int((n + 1) / 2)]
    put["cycles_most"] = sorted[n]
    put["intervals_middle"] = sprintf("%.0f", sorted[int((n + 1) / 2)] / interval)
    put["intervals_paper"] = sprintf("%.0f", sorted[int((n + 1) / 2)] / 10000)
}
# Of a sweep's values the one of the highest mean IPC over that of the lowest, in points of the change.
function span(prefix, list, here,    i, n, step, x, low, high) {
    n = split(list, step, " ")
    for (i = 1; i <= n; i++) {
        x = gain_mean(step[i] == here ? "main" : prefix step[i])
        if (i == 1 || x < low) low = x
        if (i == 1 || x > high) high = x
    }
    return high - low
}
# The configuration of CCUs that has the highest mean IPC of all those with eight of them and 32 warps.
function fastest(    key, at, found) {
    for (key in got) {
        split(key, at, SUBSEP)
        if (at[1] != 1 || at[3] != "ipc" || at[2] ~ /^base|^sched$|^ccus|^warps8$/) continue
        if (found == "" || gain_mean(at[2]) > gain_mean(found)) found = at[2]
    }
    return found
}
function numbered(title,    w) {
    for (w = 1; w <= workloads; w++) if (name[w] == title) return w
    return 0
}
# A figure of the workload with a name, adaptive and with the best fixed STHLD.
function both(title, what,    w, one, two) {
    w = numbered(title)
    if (w == 0) return "is not here, without traces"
    one = figure(what, w, "main"); two = figure(what, w, best)
    if (what == "above") return point_text(one) ", " point_text(two)
    return what == "hits" ? percent(one) ", " percent(two) : signed(one) ", " signed(two)
}
# The workloads that section 9 names and that are among ours.
function named(    text) {
    text = "Ours, adaptive and with the best fixed STHLD:\n\n"
    text = text "- *gaussian*, the most hits there (77 %): " both("gaussian", "hits") ".\n"
    text = text "- *Kmeans*, the most above BOW there (+51.1): our kernel " both("kmeans", "above")
    text = text "; a log of it (kmeans_c_0.4w16t) " both("kmeans_c_0.4w16t", "above") ".\n"
    text = text "- *b+tree*, the only one that loses IPC there (less than 4 %): a trace of it (btree-h100) "
    return text both("btree-h100", "ipc_gain") ".\n\nparticlefilter_naive and those of Deepbench are not here."
}
function step_loss(from, to) { return signed(faster_mean("sthld" to, "sthld" from, "kernel") - 1) }
function stays(c) { return kernels - count_of("sthld", c, 8) }
function sthld_words(    w, n, one, two) {
    for (w = 1; w <= workloads; w++) n += kind[w] == "kernel" && faster(w, "sthld4", "sthld0") - 1 < -13 / 256
    put["lose_4"] = n + 0
    put["loss_4"] = step_loss(0, 4)
    put["loss_8"] = step_loss(4, 8)
    put["loss_16"] = step_loss(8, 16)
    put["stay_2"] = stays("main")
    put["stay_4"] = stays("large4")
    put["stay_13"] = stays("large13")
    put["stay_26"] = stays("large26")
    one = value(mean("hits", "large13", "kernel"), 0.485, 0.05)
    two = value(mean("hits", "main", "kernel"), 0.485, 0.05)
    put["by_large"] = "LARGE " (one != two ? "alone decides" : "does not decide") " the first verdict: with 13 hits are " \
        percent(mean("hits", "large13", "kernel")) " (*" one "*), at an IPC of " signed(gain_mean("large13")) "."
}
function size_words(    n, m, one, two) {
    m = mean("hits", "entries6", "kernel") - mean("hits", "entries4", "kernel")
    n = mean("hits", "main", "kernel") - mean("hits", "entries6", "kernel")
    put["entries_6"] = point_text(m)
    put["entries_8"] = point_text(n)
    put["entries_word"] = n < m ? "the same tendency below 8" : "no such tendency below 8"
    one = span("rthld", "2 5 10 20 40 1000000", 10)
    two = span("ccus", "2 4 6 8 16", 8)
    put["rthld_moves"] = one > two ? "more" : "no more"
    put["rthld_span"] = sprintf("%.1f points", 100 * one)
    put["ccus_span"] = sprintf("%.1f", 100 * two)
    one = fastest()
    put["fastest"] = (one == "rthld2" ? "RTHLD 2" : one) " has the best mean IPC against rf_banked of all runs with eight CCUs " \
        "and 32 warps, " signed(gain_mean(one))
}
function words(    w, better) {
    cycles_words()
    load_words()
    sthld_words()
    size_words()
    put["named"] = named()
    put["bow_ratio"] = percent(0.485 / 1.281)
    put["above_ratio"] = signed(mean("hits", "main", "kernel") / mean("bow", "main", "kernel") - 1)
    put["more_than_bow"] = count_of("above", "main", 0)
    put["used_registers"] = (workloads - larger) " of the " workloads " need at most 32 registers a warp and run with REGS=32: " \
        "32 warps use 128 KB of it" (larger > 0 ? "; the column \"registers\" says how many the others have" : "")
    put["interval"] = interval
    put["large"] = sprintf("%.1f %%", 100 * large / 256)
    put["large_units"] = large
    put["tensors"] = tensors
    put["best"] = best_number
    put["summary"] = summary
    put["parts"] = parts()
    put["sthlds"] = sthlds()
    put["intervals"] = sweep("interval", "500 1000 2000 10000", interval)
    put["larges"] = sweep("large", "2 4 13 26", large)
    put["ccus"] = sweep("ccus", "2 4 6 8 16", 8)
    put["entries"] = sweep("entries", "3 4 6 8", 8)
    put["rthlds"] = sweep("rthld", "2 5 10 20 40 1000000", 10)
    put["others"] = row_of("one instruction a cycle, STHLD 0", "issues1_sthld0",
        "kernel") row_of("one instruction a cycle, adaptive", "issues1", "kernel") row_of("8 warps: each has its own CCU",
        "warps8", "kernel") row_of("8 banks", "banks8", "kernel") row_of("SLOTS=7 ENTRIES=8", "slots7",
        "kernel") (traces > 0 ? row_of("SLOTS=7 ENTRIES=8, traces", "slots7", "trace") row_of("8 banks, traces", "banks8",
        "trace") : "")
    put["limits"] = limits()
    put["lines_hits"] = lines("hits")
    put["lines_ipc"] = lines("ipc")
    put["ideal"] = percent(mean("ideal", "main", "kernel"))
    put["bow"] = percent(mean("bow", "main", "kernel"))
    put["conflict_base"] = sprintf("%.3f", mean("conflict", "base", "kernel"))
    put["conflict_2"] = sprintf("%.3f", mean("conflict", "rthld2", "kernel"))
    put["collector_2"] = percent(mean("stall_no_collector", "rthld2", "kernel"))
    put["taken_near_2"] = percent(mean("flushes_near", "rthld2", "kernel"))
    put["wait_64"] = percent(mean("stall_sthld", "sthld64", "kernel"))
    put["base_collector"] = percent(mean("stall_no_collector", "base", "kernel"))
    put["base_issue"] = percent(mean("issue", "base", "kernel"))
    put["base_idle"] = percent(mean("stall_hazard", "base", "kernel") + mean("stall_nothing_ready", "base", "kernel"))
    put["by_reads"] = percent(by_reads_mean())
    put["near_2"] = percent(mean("near", "rthld2", "kernel"))
    put["near_5"] = percent(mean("near", "rthld5", "kernel"))
    put["bow_slots7"] = percent(mean("bow", "slots7", "kernel"))
    put["own_ccu_hits"] = percent(mean("hits", "warps8", "kernel"))
    put["hits_16"] = percent(mean("hits", "ccus16", "kernel"))
    put["gain_rthld2"] = signed(gain_mean("rthld2"))
    put["hits_rthld2"] = percent(mean("hits", "rthld2", "kernel"))
    put["wait_rthld2"] = percent(mean("stall_sthld", "rthld2", "kernel"))
    put["wait_0"] = percent(mean("stall_sthld", "sthld0", "kernel"))
    put["hits_1"] = percent(mean("hits", "issues1_sthld0", "kernel"))
    put["above_1"] = point_text(mean("above", "issues1_sthld0", "kernel"))
    put["ipc_1"] = signed(gain_mean("issues1_sthld0"))
    put["energy_1"] = signed(mean("energy", "issues1_sthld0", "kernel"))
    put["wait_1"] = percent(mean("stall_sthld", "issues1_sthld0", "kernel"))
    put["kept_all"] = signed(mean("energy", "rthld1000000", "kernel"))
    put["kept_main"] = signed(mean("energy", "main", "kernel"))
    put["flushes_best"] = sprintf("%.0f", 100 * mean("flushes", best, "kernel"))
    put["kept"] = percent(mean("kept", "main", "kernel"))
    put["near"] = percent(mean("near", "main", "kernel"))
    for (w = 1; w <= workloads; w++) better += kind[w] == "kernel" && faster(w, "main", best) > 1.0005
    put["adaptive_better"] = better + 0
}
